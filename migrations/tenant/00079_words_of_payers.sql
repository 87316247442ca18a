-- A payer may say to the organisation why he wants a refund. What he had refunded by himself says so in the refund's own note.
-- +goose Up

ALTER TABLE refund_request ADD COLUMN words text NOT NULL DEFAULT '' CONSTRAINT refund_request_words CHECK (length(words) <= 300);

-- Erasing a person ends his words.
-- +goose StatementBegin
DO $$ BEGIN
  EXECUTE format('GRANT UPDATE (words) ON refund_request TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (note) ON refund TO %I', current_schema());
END $$;
-- +goose StatementEnd
