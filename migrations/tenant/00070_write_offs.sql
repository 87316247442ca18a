-- Two people write off what a customer owes and will not pay: the organisation pays it of what it has earned.
-- +goose Up
-- reason: in the words of who asked for it, for the organisation alone. Its step of the charge has its id.
CREATE TABLE write_off (
  id            uuid PRIMARY KEY,
  charge_id     uuid NOT NULL CONSTRAINT write_off_charge REFERENCES charge (id),
  amount_satang bigint NOT NULL CONSTRAINT write_off_amount CHECK (amount_satang > 0),
  reason        text NOT NULL CONSTRAINT write_off_reason CHECK (reason <> ''),
  made_at       timestamptz NOT NULL,
  made_by       uuid NOT NULL CONSTRAINT write_off_made_by REFERENCES staff (id),
  approval_id   uuid NOT NULL CONSTRAINT write_off_approval REFERENCES approval (id) CONSTRAINT write_off_one_approval UNIQUE
);
CREATE INDEX write_off_charge_i ON write_off (charge_id, id);

ALTER TABLE charge_event
  DROP CONSTRAINT charge_event_kind,
  ADD CONSTRAINT charge_event_kind CHECK (kind IN ('fee', 'refund', 'dispute', 'dispute_won', 'taken_back', 'debt_paid', 'borne', 'written_off'));

ALTER TABLE charge_case
  DROP CONSTRAINT charge_case_outcome,
  ADD CONSTRAINT charge_case_outcome CHECK (outcome IN ('', 'covered', 'borne', 'written_off'));

ALTER TABLE approval
  DROP CONSTRAINT approval_kind,
  ADD CONSTRAINT approval_kind CHECK (kind IN ('refund', 'refund_request', 'rule', 'void', 'write_off'));

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON write_off TO %I', current_schema());
END $$;
-- +goose StatementEnd
