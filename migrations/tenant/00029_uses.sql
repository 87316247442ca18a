-- +goose NO TRANSACTION
-- The uses of a customer, and those at a service point, are read in their order. What was read by time is read by id, which is in the
-- order of time. An index that a broken run left invalid is dropped first.
-- +goose Up
DROP INDEX IF EXISTS redemption_customer_i;
CREATE INDEX CONCURRENTLY redemption_customer_i ON redemption (customer_id, id);
DROP INDEX IF EXISTS redemption_point_i;
CREATE INDEX CONCURRENTLY redemption_point_i ON redemption (service_point_id, id);
DROP INDEX CONCURRENTLY IF EXISTS redemption_at;
