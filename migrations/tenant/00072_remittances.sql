-- What is refunded goes to the card that paid, where its payer wants that and its charge has as much.
-- +goose Up

-- sent_satang: what we had the gateway send back to the payer ourselves, which is not in refunded_satang. card_digits: the last ones of the card that paid.
ALTER TABLE charge
  ADD COLUMN sent_satang bigint NOT NULL DEFAULT 0 CONSTRAINT charge_sent CHECK (sent_satang BETWEEN 0 AND amount_satang),
  ADD COLUMN card_digits text NOT NULL DEFAULT '' CONSTRAINT charge_card_digits CHECK (card_digits ~ '^([0-9]{4})?$');

-- A sum on its way out to the card of a charge. It is written before the gateway is asked, which knows it by its id. failed: the gateway refused, and the
-- customer's wallet has it. gateway_id: the gateway's name of it. failure: why it was refused, in the gateway's code.
CREATE TABLE remittance (
  id            uuid PRIMARY KEY,
  refund_id     uuid NOT NULL CONSTRAINT remittance_refund REFERENCES refund (id) CONSTRAINT remittance_one_refund UNIQUE,
  customer_id   uuid NOT NULL CONSTRAINT remittance_customer REFERENCES customer (id),
  charge_id     uuid NOT NULL CONSTRAINT remittance_charge REFERENCES charge (id),
  amount_satang bigint NOT NULL CONSTRAINT remittance_amount CHECK (amount_satang > 0),
  state         text NOT NULL CONSTRAINT remittance_state CHECK (state IN ('approved', 'sent', 'done', 'failed')),
  gateway_id    text NOT NULL DEFAULT '',
  failure       text NOT NULL DEFAULT '',
  attempts      integer NOT NULL DEFAULT 0,
  leased_until  timestamptz,
  made_at       timestamptz NOT NULL,
  sent_at       timestamptz,
  ended_at      timestamptz,
  CONSTRAINT remittance_sent CHECK (CASE state WHEN 'approved' THEN sent_at IS NULL WHEN 'failed' THEN true ELSE sent_at IS NOT NULL END AND sent_at >= made_at),
  CONSTRAINT remittance_ended CHECK ((state IN ('done', 'failed')) = (ended_at IS NOT NULL) AND ended_at >= made_at),
  CONSTRAINT remittance_failure CHECK ((state = 'failed') = (failure <> '')),
  CONSTRAINT remittance_gateway CHECK ((state = 'done') = (gateway_id <> ''))
);
CREATE INDEX remittance_charge_i ON remittance (charge_id, id);
CREATE INDEX remittance_customer_i ON remittance (customer_id, id);
CREATE INDEX remittance_open_i ON remittance (made_at, id) WHERE state IN ('approved', 'sent');

-- method: where its payer wants the money to go. To the card it goes if that still can take it when the request is granted.
ALTER TABLE refund_request ADD COLUMN method text NOT NULL DEFAULT 'wallet' CONSTRAINT refund_request_method CHECK (method IN ('wallet', 'card'));

ALTER TABLE message
  DROP CONSTRAINT message_kind,
  ADD CONSTRAINT message_kind CHECK (kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_thanked', 'gift_returned', 'gift_stopped', 'gift_unopened',
    'gift_first_taken', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'offer_ended', 'offer_stopped', 'voucher_ends', 'voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back', 'voucher_refunded',
    'voucher_frozen_by_shop', 'voucher_released_by_shop', 'voucher_voided_by_shop', 'voucher_reissued', 'voucher_extended', 'voucher_to_card',
    'money_topped_up', 'money_refunded', 'money_kept', 'money_to_card', 'money_not_to_card', 'use_confirmed', 'use_stands', 'use_undone',
    'refund_granted', 'refund_refused', 'refund_changed', 'refund_to_card'));
DROP INDEX message_to_push;
CREATE INDEX message_to_push ON message (created_at) WHERE push_id IS NULL AND held IS NULL AND read_at IS NULL
  AND kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_returned', 'gift_stopped', 'gift_unopened', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'voucher_ends', 'voucher_frozen', 'voucher_frozen_by_shop', 'voucher_voided_by_shop', 'voucher_taken_back', 'voucher_refunded', 'voucher_to_card',
    'money_kept', 'money_not_to_card', 'use_confirmed', 'use_stands', 'use_undone',
    'refund_granted', 'refund_refused', 'refund_changed', 'refund_to_card')
  AND (kind <> 'voucher_ends' OR days <= 7);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON remittance TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, gateway_id, failure, attempts, leased_until, sent_at, ended_at) ON remittance TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (sent_satang, card_digits) ON charge TO %I', current_schema());
END $$;
-- +goose StatementEnd
