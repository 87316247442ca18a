-- A customer asks for the money in his wallet that he filled it with himself. It goes back to what paid it in.
-- +goose Up

-- What a customer asks to be paid out of his wallet. asked: nothing is held. approved: the sum has left the wallet, and each payment that it goes back to has a
-- remittance. account_id: where the part is transferred to that came in by PromptPay. answer: why it was refused, in the organisation's words.
CREATE TABLE cashout (
  id            uuid PRIMARY KEY,
  number        text NOT NULL CONSTRAINT cashout_number UNIQUE,
  customer_id   uuid NOT NULL CONSTRAINT cashout_customer REFERENCES customer (id),
  state         text NOT NULL CONSTRAINT cashout_state CHECK (state IN ('asked', 'approved', 'refused', 'withdrawn')),
  amount_satang bigint NOT NULL CONSTRAINT cashout_amount CHECK (amount_satang > 0),
  account_id    uuid CONSTRAINT cashout_account REFERENCES bank_account (id),
  asked_at      timestamptz NOT NULL,
  due_at        timestamptz NOT NULL,
  answered_at   timestamptz,
  answered_by   uuid CONSTRAINT cashout_answered_by REFERENCES staff (id),
  approval_id   uuid CONSTRAINT cashout_approval REFERENCES approval (id) CONSTRAINT cashout_one_approval UNIQUE,
  answer        text NOT NULL DEFAULT '',
  CONSTRAINT cashout_due CHECK (due_at > asked_at),
  CONSTRAINT cashout_answered CHECK ((state = 'asked') = (answered_at IS NULL) AND answered_at >= asked_at),
  CONSTRAINT cashout_answered_who CHECK ((state IN ('approved', 'refused')) = (answered_by IS NOT NULL)),
  CONSTRAINT cashout_second CHECK (approval_id IS NULL OR state = 'approved'),
  CONSTRAINT cashout_answer CHECK ((state = 'refused') = (answer <> ''))
);
CREATE UNIQUE INDEX cashout_open ON cashout (customer_id) WHERE state = 'asked';
CREATE INDEX cashout_customer_i ON cashout (customer_id, id);
CREATE INDEX cashout_state_i ON cashout (state, id);
CREATE INDEX cashout_account_i ON cashout (account_id) WHERE account_id IS NOT NULL;

-- A remittance is of a refund, or of a part of what is paid out of a wallet.
ALTER TABLE remittance
  ALTER COLUMN refund_id DROP NOT NULL,
  ADD COLUMN cashout_id uuid CONSTRAINT remittance_cashout REFERENCES cashout (id),
  ADD CONSTRAINT remittance_cause CHECK ((refund_id IS NULL) <> (cashout_id IS NULL)),
  ADD CONSTRAINT remittance_one_of_cashout UNIQUE (cashout_id, charge_id);

ALTER TABLE approval
  DROP CONSTRAINT approval_kind,
  ADD CONSTRAINT approval_kind CHECK (kind IN ('refund', 'refund_request', 'rule', 'void', 'write_off', 'goodwill', 'extend', 'bank_transfer', 'cashout'));

ALTER TABLE message
  DROP CONSTRAINT message_kind,
  ADD CONSTRAINT message_kind CHECK (kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_thanked', 'gift_returned', 'gift_stopped', 'gift_unopened',
    'gift_first_taken', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'offer_ended', 'offer_stopped', 'voucher_ends', 'voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back', 'voucher_refunded',
    'voucher_frozen_by_shop', 'voucher_released_by_shop', 'voucher_voided_by_shop', 'voucher_reissued', 'voucher_extended', 'voucher_to_card',
    'money_topped_up', 'money_refunded', 'money_kept', 'money_to_card', 'money_not_to_card', 'money_to_bank', 'money_at_bank', 'money_not_to_bank',
    'use_confirmed', 'use_stands', 'use_undone', 'use_goodwill',
    'refund_granted', 'refund_refused', 'refund_changed', 'refund_to_card', 'refund_to_bank',
    'cashout_approved', 'cashout_refused', 'cashout_at_bank', 'cashout_failed'));
DROP INDEX message_to_push;
CREATE INDEX message_to_push ON message (created_at) WHERE push_id IS NULL AND held IS NULL AND read_at IS NULL
  AND kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_returned', 'gift_stopped', 'gift_unopened', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'voucher_ends', 'voucher_frozen', 'voucher_frozen_by_shop', 'voucher_voided_by_shop', 'voucher_taken_back', 'voucher_refunded', 'voucher_to_card',
    'money_kept', 'money_not_to_card', 'money_at_bank', 'money_not_to_bank', 'use_confirmed', 'use_stands', 'use_undone',
    'refund_granted', 'refund_refused', 'refund_changed', 'refund_to_card', 'refund_to_bank',
    'cashout_approved', 'cashout_refused', 'cashout_at_bank', 'cashout_failed')
  AND (kind <> 'voucher_ends' OR days <= 7);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON cashout TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, answered_at, answered_by, approval_id, answer) ON cashout TO %I', current_schema());
END $$;
-- +goose StatementEnd
