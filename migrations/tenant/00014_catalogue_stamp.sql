-- Which state the catalogue is in. Whoever remembers what is on sale reads this row, and nothing else while it is the same.
-- +goose Up

-- stamp is another one after each change of what is on sale. It does not count: two states never share one, also not when a
-- backup is restored and changed anew. Only the first of all, of what has not been changed since, is the same everywhere.
CREATE TABLE catalogue (
  single boolean PRIMARY KEY DEFAULT true CONSTRAINT catalogue_single CHECK (single),
  stamp  uuid NOT NULL
);
INSERT INTO catalogue (stamp) VALUES ('00000000-0000-0000-0000-000000000000');

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, UPDATE (stamp) ON catalogue TO %I', current_schema());
END $$;
-- +goose StatementEnd
