-- What visitors write to the platform, as organisations keep theirs.
-- +goose Up
CREATE TABLE contact_message (
  id           uuid PRIMARY KEY,
  name         text NOT NULL,
  email        text NOT NULL,
  phone        bytea,
  subject      text NOT NULL,
  text         text NOT NULL,
  state        text NOT NULL DEFAULT 'new' CONSTRAINT contact_message_state CHECK (state IN ('new', 'answered')),
  key          bytea NOT NULL CONSTRAINT contact_message_key UNIQUE,
  request_hash bytea NOT NULL,
  created_at   timestamptz NOT NULL,
  answered_at  timestamptz,
  CONSTRAINT contact_message_way CHECK (email <> '' OR phone IS NOT NULL),
  CONSTRAINT contact_message_answered CHECK ((state = 'answered') = (answered_at IS NOT NULL))
);
CREATE INDEX contact_message_state_i ON contact_message (state, id);

GRANT SELECT, INSERT ON contact_message TO wlv_platform;
GRANT UPDATE (state, answered_at) ON contact_message TO wlv_platform;
