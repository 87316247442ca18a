-- +goose NO TRANSACTION
-- That the organisation froze or refunded a voucher is pushed, too. An index that a broken run left invalid is dropped first.
-- +goose Up
DROP INDEX IF EXISTS message_pushable;
CREATE INDEX CONCURRENTLY message_pushable ON message (created_at) WHERE push_id IS NULL AND held IS NULL AND read_at IS NULL
  AND kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_returned', 'gift_stopped', 'gift_unopened', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'voucher_ends', 'voucher_frozen', 'voucher_frozen_by_shop', 'voucher_taken_back', 'voucher_refunded', 'money_kept', 'use_stands', 'use_undone')
  AND (kind <> 'voucher_ends' OR days <= 7);
DROP INDEX IF EXISTS message_to_push;
