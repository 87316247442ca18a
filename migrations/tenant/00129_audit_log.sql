-- The office lists its audit log, and narrows it to whose account it was.
-- +goose Up
CREATE INDEX audit_log_kind ON audit_log (actor_kind, id) WHERE actor_kind <> 'owner';
CREATE INDEX audit_log_actor ON audit_log (actor_id, id);
CREATE INDEX audit_log_at ON audit_log (at);

-- Each day's lines are hashed once it is over, after the hash of the day before.
CREATE TABLE log_seal (
  day       date PRIMARY KEY,
  lines     bigint NOT NULL,
  previous  bytea NOT NULL,
  hash      bytea NOT NULL,
  sealed_at timestamptz NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON log_seal TO %I', current_schema());
END
$$;
-- +goose StatementEnd
