-- The organisation gives back what unused items cost, to the wallet of who holds them.
-- +goose Up

-- number: of its receipt. note: why, in words of the organisation's own, for its back office. amount_satang: to the wallet of customer_id.
CREATE TABLE refund (
  id            uuid PRIMARY KEY,
  number        text NOT NULL CONSTRAINT refund_number UNIQUE,
  order_id      uuid NOT NULL CONSTRAINT refund_order REFERENCES orders (id),
  customer_id   uuid NOT NULL CONSTRAINT refund_customer REFERENCES customer (id),
  reason        text NOT NULL CONSTRAINT refund_reason CHECK (reason IN ('asked', 'not_provided', 'mistake', 'other')),
  note          text NOT NULL DEFAULT '',
  amount_satang bigint NOT NULL CONSTRAINT refund_amount CHECK (amount_satang > 0),
  made_by       uuid NOT NULL CONSTRAINT refund_made_by REFERENCES staff (id),
  made_at       timestamptz NOT NULL
);
CREATE INDEX refund_order_i ON refund (order_id, id);
CREATE INDEX refund_customer_i ON refund (customer_id, id);

-- The last items of a voucher that a refund took, and their part of each of its four sums.
CREATE TABLE refund_item (
  refund_id                uuid NOT NULL CONSTRAINT refund_item_refund REFERENCES refund (id),
  voucher_id               uuid NOT NULL CONSTRAINT refund_item_voucher REFERENCES voucher (id),
  items                    bigint NOT NULL CONSTRAINT refund_item_items CHECK (items > 0),
  share_satang             bigint NOT NULL,
  fee_satang               bigint NOT NULL,
  commission_satang        bigint NOT NULL,
  platform_discount_satang bigint NOT NULL,
  PRIMARY KEY (refund_id, voucher_id)
);
CREATE INDEX refund_item_voucher_i ON refund_item (voucher_id);

-- refund_id: by which its items were taken away, or, of what came along for nothing, those that were paid for.
ALTER TABLE voucher_event
  ADD COLUMN refund_id uuid CONSTRAINT voucher_event_refund REFERENCES refund (id),
  ADD CONSTRAINT voucher_event_refunded CHECK (refund_id IS NULL OR event = 'refund' AND charge_id IS NULL);

ALTER TABLE message
  DROP CONSTRAINT message_kind,
  ADD CONSTRAINT message_kind CHECK (kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_thanked', 'gift_returned', 'gift_stopped', 'gift_unopened',
    'gift_first_taken', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'offer_ended', 'offer_stopped', 'voucher_ends', 'voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back', 'voucher_refunded',
    'money_topped_up', 'money_kept', 'use_confirmed', 'use_stands', 'use_undone'));

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON refund, refund_item TO %I', current_schema());
END $$;
-- +goose StatementEnd
