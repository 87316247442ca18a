-- What a charge owes its payer's bank, apart from what its gateway sent back: a bank's part voids vouchers when its dispute is
-- lost, the other part is a case of the organisation's. The seven days of a case begin anew when its sum grows.
-- +goose Up

ALTER TABLE charge ADD COLUMN bank_owed_satang bigint NOT NULL DEFAULT 0;
UPDATE charge SET bank_owed_satang = least(owed_satang, disputed_satang) WHERE owed_satang > 0;
ALTER TABLE charge ADD CONSTRAINT charge_bank_owed CHECK (bank_owed_satang >= 0 AND bank_owed_satang <= least(owed_satang, disputed_satang));

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT UPDATE (bank_owed_satang) ON charge TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (due_at) ON charge_case TO %I', current_schema());
END $$;
-- +goose StatementEnd
