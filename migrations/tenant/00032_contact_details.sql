-- +goose Up
-- Who the organisation is before the law, and whom its customers ask: one row, or none while nobody has written it.
CREATE TABLE contact_details (
  one           boolean PRIMARY KEY DEFAULT true CONSTRAINT contact_details_one CHECK (one),
  legal_name_th text NOT NULL,
  legal_name_en text NOT NULL,
  address_th    text NOT NULL,
  address_en    text NOT NULL,
  tax_id        text NOT NULL CONSTRAINT contact_details_tax_id CHECK (tax_id ~ '^([0-9]{13})?$'),
  branch        text NOT NULL CONSTRAINT contact_details_branch CHECK (branch ~ '^([0-9]{5})?$'),
  phone         text NOT NULL,
  email         text NOT NULL,
  line_id       text NOT NULL,
  updated_at    timestamptz NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON contact_details TO %I', current_schema());
END $$;
-- +goose StatementEnd
