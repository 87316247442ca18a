-- +goose NO TRANSACTION
-- The platform's list of customers follows those that were changed.
-- +goose Up
DROP INDEX IF EXISTS customer_updated;
CREATE INDEX CONCURRENTLY customer_updated ON customer (updated_at, id);
