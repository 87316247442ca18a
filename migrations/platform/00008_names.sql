-- Tables and columns are called as the glossary of docs/domain.md calls them, and an organisation has a key of its own.
-- +goose Up
ALTER TABLE spare_schema RENAME TO schema_pool;
ALTER TABLE schema_pool RENAME CONSTRAINT spare_schema_pkey TO schema_pool_pkey;

ALTER TABLE session RENAME COLUMN kind TO audience;
ALTER TABLE session RENAME COLUMN binding TO browser;
ALTER TABLE session RENAME CONSTRAINT session_kind TO session_audience;
ALTER TABLE login RENAME COLUMN binding TO browser;
ALTER TABLE id_token_use RENAME COLUMN binding TO browser;

ALTER TABLE outbox RENAME COLUMN handed_at TO enqueued_at;
ALTER TABLE audit RENAME TO audit_log;
ALTER TABLE audit_log RENAME CONSTRAINT audit_pkey TO audit_log_pkey;
ALTER INDEX audit_object RENAME TO audit_log_object;
ALTER TABLE change RENAME COLUMN what TO key;

-- Whose gateway account takes the money: the platform's or the organisation's.
ALTER TABLE organisation ADD COLUMN collector text NOT NULL DEFAULT 'platform'
  CONSTRAINT organisation_collector CHECK (collector IN ('platform', 'organisation'));
UPDATE organisation SET collector = 'organisation' WHERE holds_own_money;
ALTER TABLE organisation DROP COLUMN holds_own_money;
ALTER TABLE payment_endpoint RENAME COLUMN account TO collector;
ALTER TABLE payment_endpoint DROP CONSTRAINT payment_endpoint_account;
UPDATE payment_endpoint SET collector = 'organisation' WHERE collector = 'own';
ALTER TABLE payment_endpoint ADD CONSTRAINT payment_endpoint_collector CHECK (collector IN ('platform', 'organisation'));

-- key: what ids of accounts and the encryption of the organisation's rows are bound to. A copy of its schema that is opened as another
-- organisation keeps it.
ALTER TABLE organisation ADD COLUMN key uuid;
UPDATE organisation SET key = id;
ALTER TABLE organisation ALTER COLUMN key SET NOT NULL;
