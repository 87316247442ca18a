-- Two people give a member points, or take some from him.
-- +goose Up
-- points: below zero where they were taken. lapses_on: when those that were given lapse, as far as they did not go to what he owed. reason: in the words of who asked for it, for
-- the organisation alone.
CREATE TABLE point_adjustment (
  id          uuid PRIMARY KEY,
  customer_id uuid NOT NULL CONSTRAINT point_adjustment_customer REFERENCES customer (id),
  points      bigint NOT NULL CONSTRAINT point_adjustment_points CHECK (points <> 0),
  lapses_on   date,
  reason      text NOT NULL CONSTRAINT point_adjustment_reason CHECK (reason <> ''),
  made_at     timestamptz NOT NULL,
  made_by     uuid NOT NULL CONSTRAINT point_adjustment_made_by REFERENCES staff (id),
  approval_id uuid NOT NULL CONSTRAINT point_adjustment_approval REFERENCES approval (id) CONSTRAINT point_adjustment_one_approval UNIQUE,
  CONSTRAINT point_adjustment_lapses CHECK ((points > 0) = (lapses_on IS NOT NULL))
);
CREATE INDEX point_adjustment_customer_i ON point_adjustment (customer_id, made_at);

ALTER TABLE approval
  DROP CONSTRAINT approval_kind,
  ADD CONSTRAINT approval_kind CHECK (kind IN ('refund', 'refund_request', 'rule', 'void', 'write_off', 'goodwill', 'extend', 'bank_transfer', 'cashout', 'payout', 'tax_return', 'denial', 'points'));

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON point_adjustment TO %I', current_schema());
END $$;
-- +goose StatementEnd
