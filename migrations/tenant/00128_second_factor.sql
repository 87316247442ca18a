-- Who works in the office can be asked for a code of his phone beside his password, and sets a lost password by a link.
-- +goose Up
ALTER TABLE staff ADD COLUMN email text NOT NULL DEFAULT '' CONSTRAINT staff_email CHECK (length(email) <= 254);

-- The secret of a person's codes (sealed). It counts from when he has shown a code of it; used_step is the step, of 30 seconds, of the newest code that was taken: none is taken twice.
CREATE TABLE second_factor (
  subject_id uuid PRIMARY KEY CONSTRAINT second_factor_staff REFERENCES staff (id),
  secret     bytea NOT NULL,
  created_at timestamptz NOT NULL,
  counts_from timestamptz,
  used_step  bigint NOT NULL DEFAULT 0
);

-- Codes for who has lost his phone, each for once. Only their hashes are kept.
CREATE TABLE recovery_code (
  code_hash  bytea NOT NULL,
  subject_id uuid NOT NULL CONSTRAINT recovery_code_of REFERENCES second_factor (subject_id) ON DELETE CASCADE,
  used_at    timestamptz,
  PRIMARY KEY (subject_id, code_hash)
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON second_factor, recovery_code TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (secret, created_at, counts_from, used_step) ON second_factor TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (used_at) ON recovery_code TO %I', current_schema());
END $$;
-- +goose StatementEnd
