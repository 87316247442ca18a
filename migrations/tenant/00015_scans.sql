-- What is typed beside the QR changes as the QR does, and only who scanned a use confirms it.
-- +goose Up

-- Three letters name a use while it is open, at its service point; the phone makes five more by itself. A use that is open while
-- this runs has none: its QR goes on.
ALTER TABLE use_session DROP COLUMN typed_code;
ALTER TABLE use_session ADD COLUMN typed_name text;
ALTER TABLE use_session ADD CONSTRAINT use_session_typed_name_form CHECK (typed_name ~ '^[A-Z2-9]{3}$');
CREATE UNIQUE INDEX use_session_typed_name ON use_session (service_point_id, typed_name) WHERE state = 'open';

-- Who has scanned a use, and when. Append-only.
CREATE TABLE use_scan (
  use_session_id uuid NOT NULL CONSTRAINT use_scan_session REFERENCES use_session (id),
  staff_id       uuid NOT NULL CONSTRAINT use_scan_staff REFERENCES staff (id),
  at             timestamptz NOT NULL,
  PRIMARY KEY (use_session_id, staff_id, at)
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON use_scan TO %I', current_schema());
END $$;
-- +goose StatementEnd
