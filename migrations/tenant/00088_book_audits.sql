-- What each audit of the books found: nothing is paid out while the last one found something.
-- +goose Up
CREATE TABLE book_audit (
  id       uuid PRIMARY KEY,
  at       timestamptz NOT NULL,
  findings integer NOT NULL CONSTRAINT book_audit_findings CHECK (findings >= 0),
  rules    text[] NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON book_audit TO %I', current_schema());
END $$;
-- +goose StatementEnd
