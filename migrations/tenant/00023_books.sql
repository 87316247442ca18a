-- The books of an organisation are of real money or were made with test keys, never both: before live keys start, what was made
-- with test keys is void.
-- +goose Up

-- live: whether the money is real; NULL until the next charge says it.
CREATE TABLE ledger (
  single boolean PRIMARY KEY DEFAULT true CONSTRAINT ledger_single CHECK (single),
  live   boolean
);
INSERT INTO ledger DEFAULT VALUES;

-- voids_test: an admin has said that what was made with test keys is void when this system is switched on.
ALTER TABLE payment_system ADD COLUMN voids_test boolean NOT NULL DEFAULT false;

-- void: what was made under the key was made with test keys and is void. The key stays, so that it makes nothing else.
ALTER TABLE idempotency ADD COLUMN void boolean NOT NULL DEFAULT false;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, UPDATE (live) ON ledger TO %I', current_schema());
END $$;
-- +goose StatementEnd
