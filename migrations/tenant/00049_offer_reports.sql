-- Customers report offers that the organisation should look at. reports: how many have.
-- +goose Up
CREATE TABLE offer_report (
  offer_id    uuid NOT NULL CONSTRAINT offer_report_offer REFERENCES offer (id),
  customer_id uuid NOT NULL CONSTRAINT offer_report_customer REFERENCES customer (id),
  reason      text NOT NULL CONSTRAINT offer_report_reason CHECK (reason IN ('outside', 'not_theirs', 'price', 'other')),
  at          timestamptz NOT NULL,
  PRIMARY KEY (offer_id, customer_id)
);
CREATE INDEX offer_report_customer_i ON offer_report (customer_id, at);

ALTER TABLE offer
  ADD COLUMN reports integer NOT NULL DEFAULT 0 CONSTRAINT offer_reports CHECK (reports >= 0),
  ADD COLUMN reported boolean GENERATED ALWAYS AS (reports > 0) STORED;
CREATE INDEX offer_reported_i ON offer (reported, id);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON offer_report TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (reports) ON offer TO %I', current_schema());
END $$;
-- +goose StatementEnd
