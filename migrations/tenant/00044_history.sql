-- +goose NO TRANSACTION
-- A customer's history has what expired in his hand, and what money brought about there. An index that a broken run left invalid is dropped first.
-- +goose Up
DROP INDEX IF EXISTS voucher_expired_i;
CREATE INDEX CONCURRENTLY voucher_expired_i ON voucher (holder_id, updated_at, id) WHERE state = 'expired';
DROP INDEX IF EXISTS voucher_event_money_i;
CREATE INDEX CONCURRENTLY voucher_event_money_i ON voucher_event (holder_id, at, id) WHERE event IN ('freeze', 'release', 'refund', 'void');
