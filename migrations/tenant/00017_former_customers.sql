-- Who erased himself and comes again by the same LINE account is a new customer, whose limits and debt are still those of before.
-- +goose Up

-- pseudonym: a keyed hash of LINE and the person's id there, which nobody can read back. successor_id: as whom he came again.
-- The row is deleted at forget_at, or when nothing is owed any more.
CREATE TABLE former_customer (
  customer_id  uuid PRIMARY KEY CONSTRAINT former_customer_customer REFERENCES customer (id),
  pseudonym    bytea NOT NULL,
  successor_id uuid CONSTRAINT former_customer_successor REFERENCES customer (id),
  forget_at    timestamptz NOT NULL
);
CREATE INDEX former_customer_pseudonym ON former_customer (pseudonym);
CREATE INDEX former_customer_by_successor ON former_customer (successor_id);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON former_customer TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (successor_id) ON former_customer TO %I', current_schema());
END $$;
-- +goose StatementEnd
