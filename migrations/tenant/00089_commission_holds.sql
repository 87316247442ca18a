-- Commission is held for a look where something about its sale or its payee is odd: it is in no run meanwhile. It is released, denied by two people, or free after
-- thirty days.
-- +goose Up

-- What is held: the commission of an order, or all that a payee can be paid (order_id NULL). evidence: what was found, so that what somebody has released is not held anew
-- for the same. The facts of a signal: the last four digits of a card, a number or an account; when it happened; how many; sums; another payee.
CREATE TABLE commission_hold (
  id          uuid PRIMARY KEY,
  order_id    uuid CONSTRAINT commission_hold_order REFERENCES orders (id),
  payee_id    uuid NOT NULL CONSTRAINT commission_hold_payee REFERENCES payee (id),
  subject_id  uuid NOT NULL GENERATED ALWAYS AS (coalesce(order_id, payee_id)) STORED,
  signal      text NOT NULL CONSTRAINT commission_hold_signal CHECK (signal IN ('card', 'device', 'account', 'mobile', 'refunds', 'paid_at_once', 'many_opens', 'same_account')),
  evidence    text NOT NULL CONSTRAINT commission_hold_evidence CHECK (length(evidence) <= 60),
  digits      text NOT NULL DEFAULT '' CONSTRAINT commission_hold_digits CHECK (length(digits) <= 4),
  happened_at timestamptz,
  times       bigint CONSTRAINT commission_hold_times CHECK (times > 0),
  satang      bigint CONSTRAINT commission_hold_satang CHECK (satang >= 0),
  of_satang   bigint CONSTRAINT commission_hold_of_satang CHECK (of_satang >= 0),
  other_id    uuid CONSTRAINT commission_hold_other REFERENCES payee (id),
  state       text NOT NULL CONSTRAINT commission_hold_state CHECK (state IN ('held', 'released', 'denied', 'lapsed')),
  held_at     timestamptz NOT NULL,
  ends_at     timestamptz NOT NULL CONSTRAINT commission_hold_ends CHECK (ends_at > held_at),
  ended_at    timestamptz,
  ended_by    uuid CONSTRAINT commission_hold_ended_by REFERENCES staff (id),
  reason      text NOT NULL DEFAULT '' CONSTRAINT commission_hold_reason CHECK (length(reason) <= 300),
  approval_id uuid CONSTRAINT commission_hold_approval REFERENCES approval (id),
  CONSTRAINT commission_hold_of CHECK ((signal = 'same_account') = (order_id IS NULL)),
  CONSTRAINT commission_hold_over CHECK ((state = 'held') = (ended_at IS NULL) AND (state IN ('released', 'denied')) = (ended_by IS NOT NULL) AND (state IN ('released', 'denied')) = (reason <> '')
    AND (state = 'denied') = (approval_id IS NOT NULL) AND (state <> 'denied' OR order_id IS NOT NULL))
);
CREATE UNIQUE INDEX commission_hold_once ON commission_hold (subject_id, signal) WHERE state = 'held';
CREATE UNIQUE INDEX commission_hold_found ON commission_hold (subject_id, signal, evidence);
CREATE INDEX commission_hold_live ON commission_hold (ends_at) WHERE state = 'held';
CREATE INDEX commission_hold_live_payee ON commission_hold (payee_id) WHERE state = 'held';
CREATE INDEX commission_hold_order_i ON commission_hold (order_id, id);
CREATE INDEX commission_hold_whole_i ON commission_hold (id) WHERE order_id IS NULL;
CREATE INDEX commission_hold_payee_i ON commission_hold (payee_id, id);
CREATE INDEX commission_hold_state_i ON commission_hold (state, id);
CREATE INDEX commission_hold_signal_i ON commission_hold (signal, id);
CREATE INDEX commission_hold_approval_i ON commission_hold (approval_id) WHERE approval_id IS NOT NULL;

-- For which day in Bangkok sales were looked at last. One row, or none.
CREATE TABLE hold_look (
  one       boolean PRIMARY KEY DEFAULT true CONSTRAINT hold_look_one CHECK (one),
  day       date NOT NULL,
  looked_at timestamptz NOT NULL
);

-- denied_at: since when nothing of it is due to its payee. denied_satang: what would be due to him, and is the organisation's.
ALTER TABLE commission
  ADD COLUMN denied_at     timestamptz,
  ADD COLUMN denied_satang bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT commission_denied CHECK (denied_satang BETWEEN 0 AND amount_satang AND (denied_at IS NULL OR due_satang = 0) AND (denied_at IS NOT NULL OR denied_satang = 0));
CREATE INDEX commission_denied_i ON commission (order_id) WHERE denied_at IS NOT NULL;
ALTER TABLE commission_change
  ADD COLUMN denied_satang bigint NOT NULL DEFAULT 0,
  DROP CONSTRAINT commission_change_moved,
  ADD CONSTRAINT commission_change_moved CHECK (due_satang <> 0 OR mature_satang <> 0 OR denied_satang <> 0);

-- card_index: a keyed hash of what the gateway knows the card by that paid, so that the same card is found; NULL of what was paid otherwise, and before.
ALTER TABLE charge ADD COLUMN card_index bytea;
CREATE INDEX charge_card_i ON charge (card_index) WHERE card_index IS NOT NULL;
-- account_index: as that of a payee's account; NULL of what was named before, and once it is forgotten.
ALTER TABLE bank_account ADD COLUMN account_index bytea;
CREATE INDEX bank_account_index_i ON bank_account (account_index) WHERE account_index IS NOT NULL;

-- link_opened_at: when its buyer had opened the link that it is owed to. NULL without one, and of orders of before.
ALTER TABLE orders
  ADD COLUMN link_opened_at timestamptz,
  ADD CONSTRAINT orders_link_opened CHECK (link_opened_at IS NULL OR link_id IS NOT NULL);
-- How often a link was opened in a minute.
CREATE TABLE link_minute (
  link_id uuid NOT NULL CONSTRAINT link_minute_link REFERENCES sale_link (id),
  minute  timestamptz NOT NULL,
  opens   bigint NOT NULL CONSTRAINT link_minute_opens CHECK (opens > 0),
  PRIMARY KEY (link_id, minute)
);
CREATE INDEX link_minute_minute_i ON link_minute (minute, link_id);

ALTER TABLE payout
  DROP CONSTRAINT payout_left_out,
  ADD CONSTRAINT payout_left_out CHECK (left_out IN ('not_approved', 'suspended', 'account_new', 'owes', 'below_minimum', 'too_big', 'no_tax_rule', 'under_way', 'postponed', 'changed', 'cancelled', 'held'));

ALTER TABLE approval
  DROP CONSTRAINT approval_kind,
  ADD CONSTRAINT approval_kind CHECK (kind IN ('refund', 'refund_request', 'rule', 'void', 'write_off', 'goodwill', 'extend', 'bank_transfer', 'cashout', 'payout', 'tax_return', 'denial'));

ALTER TABLE message
  DROP CONSTRAINT message_kind,
  ADD CONSTRAINT message_kind CHECK (kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_thanked', 'gift_returned', 'gift_stopped', 'gift_unopened',
    'gift_first_taken', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'offer_ended', 'offer_stopped', 'voucher_ends', 'voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back', 'voucher_refunded',
    'voucher_frozen_by_shop', 'voucher_released_by_shop', 'voucher_voided_by_shop', 'voucher_reissued', 'voucher_extended', 'voucher_to_card',
    'money_topped_up', 'money_refunded', 'money_kept', 'money_to_card', 'money_not_to_card', 'money_to_bank', 'money_at_bank', 'money_not_to_bank',
    'use_confirmed', 'use_stands', 'use_undone', 'use_goodwill',
    'refund_granted', 'refund_refused', 'refund_changed', 'refund_to_card', 'refund_to_bank',
    'cashout_approved', 'cashout_refused', 'cashout_at_bank', 'cashout_failed',
    'agent_approved', 'agent_refused', 'agent_suspended', 'agent_resumed', 'agent_changed', 'agent_not_changed', 'agent_paid', 'agent_not_paid', 'agent_pay_returned', 'agent_denied'));
DROP INDEX message_to_push;
CREATE INDEX message_to_push ON message (created_at) WHERE push_id IS NULL AND held IS NULL AND read_at IS NULL
  AND kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_returned', 'gift_stopped', 'gift_unopened', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'voucher_ends', 'voucher_frozen', 'voucher_frozen_by_shop', 'voucher_voided_by_shop', 'voucher_taken_back', 'voucher_refunded', 'voucher_to_card',
    'money_kept', 'money_not_to_card', 'money_at_bank', 'money_not_to_bank', 'use_confirmed', 'use_stands', 'use_undone',
    'refund_granted', 'refund_refused', 'refund_changed', 'refund_to_card', 'refund_to_bank',
    'cashout_approved', 'cashout_refused', 'cashout_at_bank', 'cashout_failed',
    'agent_approved', 'agent_refused', 'agent_suspended', 'agent_resumed', 'agent_changed', 'agent_not_changed', 'agent_paid', 'agent_not_paid', 'agent_pay_returned', 'agent_denied')
  AND (kind <> 'voucher_ends' OR days <= 7);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON commission_hold TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, ended_at, ended_by, reason, approval_id) ON commission_hold TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON hold_look TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (denied_at, denied_satang) ON commission TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (card_index) ON charge TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (account_index) ON bank_account TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON link_minute TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (opens) ON link_minute TO %I', current_schema());
END $$;
-- +goose StatementEnd
