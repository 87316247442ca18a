-- A partner keeps service points and earns of what is used there. The office makes him, fills in what he says of himself, and another person approves that.
-- +goose Up

-- status 2: he is a partner no more, for good. What he has earned is still paid.
CREATE TABLE partner (
  id         uuid PRIMARY KEY CONSTRAINT partner_payee REFERENCES payee (id),
  name_th    text NOT NULL CONSTRAINT partner_name_th CHECK (length(name_th) BETWEEN 1 AND 80),
  name_en    text NOT NULL CONSTRAINT partner_name_en CHECK (length(name_en) <= 80),
  status     smallint NOT NULL CONSTRAINT partner_status CHECK (status IN (2, 4, 5)),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- What a partner earns of a use, in basis points of what the organisation earns by it: the rate that began last. status 9: was withdrawn before its first day.
CREATE TABLE partner_rate (
  id           uuid PRIMARY KEY,
  partner_id   uuid NOT NULL CONSTRAINT partner_rate_partner REFERENCES partner (id),
  basis_points integer NOT NULL CONSTRAINT partner_rate_value CHECK (basis_points BETWEEN 0 AND 5000),
  first_day    date NOT NULL,
  status       smallint NOT NULL CONSTRAINT partner_rate_status CHECK (status IN (5, 9)),
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL
);
CREATE UNIQUE INDEX partner_rate_once ON partner_rate (partner_id, first_day) WHERE status <> 9;
CREATE INDEX partner_rate_partner_i ON partner_rate (partner_id);

ALTER TABLE service_point ADD COLUMN partner_id uuid CONSTRAINT service_point_partner REFERENCES partner (id);
CREATE INDEX service_point_partner_i ON service_point (partner_id) WHERE partner_id IS NOT NULL;

-- sent_by: who of the office filled it in; NULL where the payee himself did.
ALTER TABLE payee_version ADD COLUMN sent_by uuid CONSTRAINT payee_version_sent_by REFERENCES staff (id);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON partner, partner_rate TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (name_th, name_en, status, updated_at) ON partner TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (status, updated_at) ON partner_rate TO %I', current_schema());
END $$;
-- +goose StatementEnd
