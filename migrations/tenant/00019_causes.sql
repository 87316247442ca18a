-- Everything that moves money has its cause, so that the audit can look from both sides.
-- +goose Up

-- Money that people moved by hand: why, who asked for it and who else agreed. The transfer of its id moved it.
CREATE TABLE adjustment (
  id            uuid PRIMARY KEY,
  amount_satang bigint NOT NULL CONSTRAINT adjustment_amount CHECK (amount_satang > 0),
  reason        text NOT NULL CONSTRAINT adjustment_reason CHECK (reason <> ''),
  asked_by      uuid NOT NULL,
  approved_by   uuid NOT NULL,
  at            timestamptz NOT NULL,
  CONSTRAINT adjustment_two_people CHECK (asked_by <> approved_by)
);

-- issued_until: the last day of validity that was sold; valid_until differs from it only where something says why.
ALTER TABLE voucher ADD COLUMN issued_until date;
UPDATE voucher SET issued_until = valid_until;
ALTER TABLE voucher ALTER COLUMN issued_until SET NOT NULL;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON adjustment TO %I', current_schema());
END $$;
-- +goose StatementEnd
