-- Who paid has unused items refunded himself.
-- +goose Up

-- made_by: of the staff, or NULL if its payer made it, who changed his mind.
ALTER TABLE refund
  ALTER COLUMN made_by DROP NOT NULL,
  DROP CONSTRAINT refund_reason,
  ADD CONSTRAINT refund_reason CHECK (reason IN ('asked', 'not_provided', 'mistake', 'other', 'payer')),
  ADD CONSTRAINT refund_by CHECK ((made_by IS NULL) = (reason = 'payer'));

-- refund_fee_satang: what the organisation keeps of what was paid for the items.
ALTER TABLE refund_item ADD COLUMN refund_fee_satang bigint NOT NULL DEFAULT 0 CONSTRAINT refund_item_refund_fee CHECK (refund_fee_satang >= 0);

ALTER TABLE message
  DROP CONSTRAINT message_kind,
  ADD CONSTRAINT message_kind CHECK (kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_thanked', 'gift_returned', 'gift_stopped', 'gift_unopened',
    'gift_first_taken', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'offer_ended', 'offer_stopped', 'voucher_ends', 'voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back', 'voucher_refunded',
    'voucher_frozen_by_shop', 'voucher_released_by_shop', 'money_topped_up', 'money_refunded', 'money_kept', 'use_confirmed', 'use_stands', 'use_undone'));
