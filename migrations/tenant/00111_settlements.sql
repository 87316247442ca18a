-- What the platform has paid, or is paying, to the organisation of what its gateway account collected for it.
-- +goose Up

-- The id is that of the platform's own row. fee_satang: the platform's own, which leaves its gateway account when the rest does.
CREATE TABLE settlement (
  id            uuid PRIMARY KEY,
  reference     text NOT NULL CONSTRAINT settlement_reference UNIQUE,
  version_id    uuid NOT NULL CONSTRAINT settlement_version REFERENCES payee_version (id),
  up_to         date NOT NULL,
  pay_day       date NOT NULL,
  amount_satang bigint NOT NULL CONSTRAINT settlement_amount CHECK (amount_satang > 0),
  fee_satang    bigint NOT NULL CONSTRAINT settlement_fee CHECK (fee_satang >= 0),
  state         text NOT NULL CONSTRAINT settlement_state CHECK (state IN ('booked', 'paid', 'failed', 'returned')),
  booked_at     timestamptz NOT NULL,
  paid_on       date,
  paid_at       timestamptz,
  ended_at      timestamptz,
  reason        text NOT NULL DEFAULT '' CONSTRAINT settlement_reason CHECK (length(reason) <= 300),
  CONSTRAINT settlement_days CHECK (up_to < pay_day),
  CONSTRAINT settlement_paid CHECK ((paid_on IS NOT NULL) = (state IN ('paid', 'returned')) AND (paid_at IS NOT NULL) = (state IN ('paid', 'returned'))),
  CONSTRAINT settlement_ended CHECK ((ended_at IS NOT NULL) = (state <> 'booked'))
);
CREATE UNIQUE INDEX settlement_under_way ON settlement ((true)) WHERE state = 'booked';
CREATE INDEX settlement_version_i ON settlement (version_id);
CREATE INDEX settlement_booked_i ON settlement (booked_at, id);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON settlement TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, paid_on, paid_at, ended_at, reason) ON settlement TO %I', current_schema());
END $$;
-- +goose StatementEnd
