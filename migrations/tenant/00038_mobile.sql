-- When a customer proved by a code that a mobile number is his; it goes with the number.
-- +goose Up
ALTER TABLE customer ADD COLUMN mobile_verified_at timestamptz,
  ADD CONSTRAINT customer_mobile_verified CHECK (mobile_verified_at IS NULL OR mobile IS NOT NULL);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT UPDATE (mobile_verified_at) ON customer TO %I', current_schema());
END $$;
-- +goose StatementEnd
