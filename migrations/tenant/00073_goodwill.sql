-- Two people have the organisation give money back for what was used, to who used it.
-- +goose Up
-- reason: in the words of who asked for it, for the organisation alone. customer_id: who used it, as the row that he had when he got it.
CREATE TABLE goodwill (
  id            uuid PRIMARY KEY,
  redemption_id uuid NOT NULL CONSTRAINT goodwill_redemption REFERENCES redemption (id),
  customer_id   uuid NOT NULL CONSTRAINT goodwill_customer REFERENCES customer (id),
  amount_satang bigint NOT NULL CONSTRAINT goodwill_amount CHECK (amount_satang > 0),
  reason        text NOT NULL CONSTRAINT goodwill_reason CHECK (reason <> ''),
  made_at       timestamptz NOT NULL,
  made_by       uuid NOT NULL CONSTRAINT goodwill_made_by REFERENCES staff (id),
  approval_id   uuid NOT NULL CONSTRAINT goodwill_approval REFERENCES approval (id) CONSTRAINT goodwill_one_approval UNIQUE
);
CREATE INDEX goodwill_redemption_i ON goodwill (redemption_id, id);
CREATE INDEX goodwill_customer_i ON goodwill (customer_id, id);

ALTER TABLE approval
  DROP CONSTRAINT approval_kind,
  ADD CONSTRAINT approval_kind CHECK (kind IN ('refund', 'refund_request', 'rule', 'void', 'write_off', 'goodwill'));

ALTER TABLE message
  DROP CONSTRAINT message_kind,
  ADD CONSTRAINT message_kind CHECK (kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_thanked', 'gift_returned', 'gift_stopped', 'gift_unopened',
    'gift_first_taken', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'offer_ended', 'offer_stopped', 'voucher_ends', 'voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back', 'voucher_refunded',
    'voucher_frozen_by_shop', 'voucher_released_by_shop', 'voucher_voided_by_shop', 'voucher_reissued', 'voucher_extended', 'voucher_to_card',
    'money_topped_up', 'money_refunded', 'money_kept', 'money_to_card', 'money_not_to_card', 'use_confirmed', 'use_stands', 'use_undone', 'use_goodwill',
    'refund_granted', 'refund_refused', 'refund_changed', 'refund_to_card'));

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON goodwill TO %I', current_schema());
END $$;
-- +goose StatementEnd
