-- How much money customers' wallets may hold together before the law wants a licence, as the organisation has set it.
-- +goose Up
CREATE TABLE wallet_setting (
  one          boolean PRIMARY KEY DEFAULT true CONSTRAINT wallet_setting_one CHECK (one),
  limit_satang bigint NOT NULL CONSTRAINT wallet_setting_limit CHECK (limit_satang BETWEEN 1 AND 1000000000000),
  updated_at   timestamptz NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON wallet_setting TO %I', current_schema());
END $$;
-- +goose StatementEnd
