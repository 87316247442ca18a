-- Staff who do not confirm what they scanned cancel the scan: the customer's QR goes on, and the use cannot be confirmed by that scan.
-- +goose Up
ALTER TABLE use_scan ADD COLUMN cancelled_at timestamptz;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT UPDATE (cancelled_at) ON use_scan TO %I', current_schema());
END $$;
-- +goose StatementEnd
