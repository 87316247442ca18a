-- Who paid asks the organisation for a refund, where the line that he bought says so.
-- +goose Up

-- What a payer who changed his mind asks for. Nothing is held meanwhile. amount_satang: to his wallet, as he was shown. renews_id: the one in the place of which he asked
-- again, after some of its items had been used or had left him. began_at: when he asked first, to which the days of the rule count. due_at: when it should be answered. answer:
-- in the organisation's words for him.
CREATE TABLE refund_request (
  id            uuid PRIMARY KEY,
  order_id      uuid NOT NULL CONSTRAINT refund_request_order REFERENCES orders (id),
  customer_id   uuid NOT NULL CONSTRAINT refund_request_customer REFERENCES customer (id),
  state         text NOT NULL CONSTRAINT refund_request_state CHECK (state IN ('asked', 'done', 'refused', 'changed', 'withdrawn')),
  amount_satang bigint NOT NULL CONSTRAINT refund_request_amount CHECK (amount_satang > 0),
  renews_id     uuid CONSTRAINT refund_request_renews REFERENCES refund_request (id) CONSTRAINT refund_request_renewed_once UNIQUE,
  began_at      timestamptz NOT NULL,
  asked_at      timestamptz NOT NULL,
  due_at        timestamptz NOT NULL CONSTRAINT refund_request_due CHECK (due_at > asked_at),
  answered_at   timestamptz,
  answered_by   uuid CONSTRAINT refund_request_answered_by REFERENCES staff (id),
  answer        text NOT NULL DEFAULT '',
  CONSTRAINT refund_request_began CHECK (CASE WHEN renews_id IS NULL THEN began_at = asked_at ELSE began_at <= asked_at END),
  CONSTRAINT refund_request_answered CHECK ((state = 'asked') = (answered_at IS NULL) AND (state IN ('asked', 'withdrawn')) = (answered_by IS NULL)),
  CONSTRAINT refund_request_answer CHECK ((state = 'refused') = (answer <> ''))
);
-- Of an order one waits at a time.
CREATE UNIQUE INDEX refund_request_open ON refund_request (order_id) WHERE state = 'asked';
CREATE INDEX refund_request_order_i ON refund_request (order_id, id);
CREATE INDEX refund_request_customer_i ON refund_request (customer_id, id);
CREATE INDEX refund_request_state_i ON refund_request (state, id);

-- The last items of a voucher that a request names. items_out: how many had left the voucher when it was made, which says which items these are.
CREATE TABLE refund_request_item (
  request_id    uuid NOT NULL CONSTRAINT refund_request_item_request REFERENCES refund_request (id),
  voucher_id    uuid NOT NULL CONSTRAINT refund_request_item_voucher REFERENCES voucher (id),
  items         bigint NOT NULL CONSTRAINT refund_request_item_items CHECK (items > 0),
  items_out     bigint NOT NULL CONSTRAINT refund_request_item_out CHECK (items_out >= 0),
  amount_satang bigint NOT NULL CONSTRAINT refund_request_item_amount CHECK (amount_satang >= 0),
  PRIMARY KEY (request_id, voucher_id)
);

-- request_id: by which its payer asked for it.
ALTER TABLE refund
  ADD COLUMN request_id uuid CONSTRAINT refund_of_request UNIQUE REFERENCES refund_request (id),
  DROP CONSTRAINT refund_reason,
  ADD CONSTRAINT refund_reason CHECK (reason IN ('asked', 'not_provided', 'mistake', 'other', 'payer', 'requested')),
  ADD CONSTRAINT refund_requested CHECK ((request_id IS NOT NULL) = (reason = 'requested'));

ALTER TABLE approval
  DROP CONSTRAINT approval_kind,
  ADD CONSTRAINT approval_kind CHECK (kind IN ('refund', 'refund_request', 'rule'));

ALTER TABLE message
  DROP CONSTRAINT message_kind,
  ADD CONSTRAINT message_kind CHECK (kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_thanked', 'gift_returned', 'gift_stopped', 'gift_unopened',
    'gift_first_taken', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'offer_ended', 'offer_stopped', 'voucher_ends', 'voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back', 'voucher_refunded',
    'voucher_frozen_by_shop', 'voucher_released_by_shop', 'voucher_voided_by_shop', 'voucher_reissued', 'voucher_extended', 'money_topped_up', 'money_refunded', 'money_kept', 'use_confirmed', 'use_stands', 'use_undone',
    'refund_granted', 'refund_refused', 'refund_changed'));
DROP INDEX message_to_push;
CREATE INDEX message_to_push ON message (created_at) WHERE push_id IS NULL AND held IS NULL AND read_at IS NULL
  AND kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_returned', 'gift_stopped', 'gift_unopened', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'voucher_ends', 'voucher_frozen', 'voucher_frozen_by_shop', 'voucher_voided_by_shop', 'voucher_taken_back', 'voucher_refunded', 'money_kept', 'use_confirmed', 'use_stands', 'use_undone',
    'refund_granted', 'refund_refused', 'refund_changed')
  AND (kind <> 'voucher_ends' OR days <= 7);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON refund_request, refund_request_item TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, answered_at, answered_by, answer) ON refund_request TO %I', current_schema());
END $$;
-- +goose StatementEnd
