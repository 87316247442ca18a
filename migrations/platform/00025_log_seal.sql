-- Each day's lines of the platform's audit log are hashed once it is over, after the hash of the day before, as an organisation's are.
-- +goose Up
CREATE TABLE log_seal (
  day       date PRIMARY KEY,
  lines     bigint NOT NULL,
  previous  bytea NOT NULL,
  hash      bytea NOT NULL,
  sealed_at timestamptz NOT NULL
);

GRANT SELECT, INSERT ON log_seal TO wlv_platform;
