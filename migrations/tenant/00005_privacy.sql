-- From where people agreed, how a customer is forgotten, and how staff are invited. Rights are read with each call, so
-- no version of them is kept.
-- +goose Up

ALTER TABLE consent ADD COLUMN address text NOT NULL DEFAULT '';
ALTER TABLE customer ADD COLUMN erased_at timestamptz;
ALTER TABLE customer DROP COLUMN role_version;
ALTER TABLE staff DROP COLUMN role_version;

-- A link that joins a LINE person to an account, once. Only the hash of its token is kept.
CREATE TABLE staff_invitation (
  id         uuid PRIMARY KEY,
  token_hash bytea NOT NULL CONSTRAINT staff_invitation_token UNIQUE,
  staff_id   uuid NOT NULL CONSTRAINT staff_invitation_staff REFERENCES staff (id),
  area       text NOT NULL CONSTRAINT staff_invitation_area CHECK (area IN ('owner', 'staff')),
  invited_by uuid NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at    timestamptz,
  revoked_at timestamptz
);
CREATE UNIQUE INDEX staff_invitation_one_open ON staff_invitation (staff_id) WHERE used_at IS NULL AND revoked_at IS NULL;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON staff_invitation TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (address) ON consent TO %I', current_schema());
  EXECUTE format('GRANT DELETE ON link_visit TO %I', current_schema());
END $$;
-- +goose StatementEnd
