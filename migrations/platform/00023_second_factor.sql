-- Admins can be asked for a code of their phone beside their password (as an organisation's people, in its schema), and a lost password is set by a link.
-- +goose Up
CREATE TABLE second_factor (
  subject_id uuid PRIMARY KEY CONSTRAINT second_factor_admin REFERENCES admin (id),
  secret     bytea NOT NULL,
  created_at timestamptz NOT NULL,
  counts_from timestamptz,
  used_step  bigint NOT NULL DEFAULT 0
);
CREATE TABLE recovery_code (
  code_hash  bytea NOT NULL,
  subject_id uuid NOT NULL CONSTRAINT recovery_code_of REFERENCES second_factor (subject_id) ON DELETE CASCADE,
  used_at    timestamptz,
  PRIMARY KEY (subject_id, code_hash)
);

-- A sign-in whose person has shown one proof, and still has to show a code, in the browser that began.
CREATE TABLE pending_sign_in (
  token_hash  bytea PRIMARY KEY,
  audience    text NOT NULL CONSTRAINT pending_sign_in_audience CHECK (audience IN ('owner', 'staff', 'admin')),
  org_id      uuid CONSTRAINT pending_sign_in_org REFERENCES organisation (id),
  subject_id  uuid NOT NULL,
  way         text NOT NULL,
  return_path text NOT NULL,
  browser     bytea NOT NULL,
  expires_at  timestamptz NOT NULL,
  tries       smallint NOT NULL DEFAULT 0 CONSTRAINT pending_sign_in_tries CHECK (tries <= 5),
  used_at     timestamptz
);
CREATE INDEX pending_sign_in_expiry ON pending_sign_in (expires_at);

-- A link that sets a lost password, once.
CREATE TABLE password_reset (
  token_hash bytea PRIMARY KEY,
  audience   text NOT NULL CONSTRAINT password_reset_audience CHECK (audience IN ('owner', 'staff', 'admin')),
  org_id     uuid CONSTRAINT password_reset_org REFERENCES organisation (id),
  subject_id uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at    timestamptz
);
CREATE INDEX password_reset_expiry ON password_reset (expires_at);
CREATE INDEX password_reset_of ON password_reset (subject_id);

-- A login at LINE may prove who has lost his password.
ALTER TABLE login ADD COLUMN resets boolean NOT NULL DEFAULT false;
ALTER TABLE admin_sign_in DROP CONSTRAINT admin_sign_in_way, ADD CONSTRAINT admin_sign_in_way CHECK (way IN ('password', 'line', 'invitation', 'link'));

GRANT SELECT, INSERT, DELETE ON second_factor, recovery_code, pending_sign_in, password_reset TO wlv_platform;
GRANT UPDATE (secret, created_at, counts_from, used_step) ON second_factor TO wlv_platform;
GRANT UPDATE (used_at) ON recovery_code TO wlv_platform;
GRANT UPDATE (tries, used_at) ON pending_sign_in TO wlv_platform;
GRANT UPDATE (used_at) ON password_reset TO wlv_platform;
