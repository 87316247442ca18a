-- What an organisation decides about gifts.
-- +goose Up

-- stopped_by: who of the organisation stopped it. One that was stopped by nobody was stopped by what happened to a voucher of it.
ALTER TABLE gift
  ADD COLUMN stopped_by uuid CONSTRAINT gift_stopped_by REFERENCES staff (id),
  ADD CONSTRAINT gift_stopped CHECK (stopped_by IS NULL OR state = 'stopped');

-- days: how long a link is good. One row, or none while nobody has changed it.
CREATE TABLE gift_setting (
  one        boolean PRIMARY KEY DEFAULT true CONSTRAINT gift_setting_one CHECK (one),
  days       smallint NOT NULL CONSTRAINT gift_setting_days CHECK (days BETWEEN 1 AND 30),
  updated_at timestamptz NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT UPDATE (stopped_by) ON gift TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON gift_setting TO %I', current_schema());
END $$;
-- +goose StatementEnd
