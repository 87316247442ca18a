-- +goose NO TRANSACTION
-- The use sessions of a voucher, which its page tells with their scans. An index that a broken run left invalid is dropped first.
-- +goose Up
DROP INDEX IF EXISTS use_session_voucher_i;
CREATE INDEX CONCURRENTLY use_session_voucher_i ON use_session (voucher_id, id);
