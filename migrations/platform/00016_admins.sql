-- Admins invite each other by a link, and see who signed in as whom.
-- +goose Up
ALTER TABLE admin ADD COLUMN email text NOT NULL DEFAULT '';

-- Its token sets a password, once: of an account that is invited, or of one whose person has lost his.
CREATE TABLE admin_invitation (
  id         uuid PRIMARY KEY,
  admin_id   uuid NOT NULL CONSTRAINT admin_invitation_admin REFERENCES admin (id),
  token_hash bytea NOT NULL CONSTRAINT admin_invitation_token UNIQUE,
  added_by   uuid NOT NULL CONSTRAINT admin_invitation_added_by REFERENCES admin (id),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at    timestamptz,
  revoked_at timestamptz
);
CREATE UNIQUE INDEX admin_invitation_open ON admin_invitation (admin_id) WHERE used_at IS NULL AND revoked_at IS NULL;

-- Sign-ins of admins, with those that were refused: fault is empty where a session was opened.
CREATE TABLE admin_sign_in (
  id       uuid PRIMARY KEY,
  admin_id uuid NOT NULL CONSTRAINT admin_sign_in_admin REFERENCES admin (id),
  at       timestamptz NOT NULL,
  way      text NOT NULL CONSTRAINT admin_sign_in_way CHECK (way IN ('password', 'line', 'invitation')),
  fault    text NOT NULL,
  address  text NOT NULL
);
CREATE INDEX admin_sign_in_of ON admin_sign_in (admin_id, id);
CREATE INDEX admin_sign_in_at ON admin_sign_in (at);

GRANT SELECT, INSERT ON admin_invitation TO wlv_platform;
GRANT UPDATE (used_at, revoked_at) ON admin_invitation TO wlv_platform;
GRANT SELECT, INSERT, DELETE ON admin_sign_in TO wlv_platform;
