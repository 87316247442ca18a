-- What was paid by PromptPay goes back by a bank transfer, to the account that its payer names. Two people of the organisation say that it was made.
-- +goose Up

-- An account that a customer named for money that goes back to him. name, number: encrypted; NULL after he was erased and nothing goes there any more.
-- digits: the last four of its number.
CREATE TABLE bank_account (
  id          uuid PRIMARY KEY,
  customer_id uuid NOT NULL CONSTRAINT bank_account_customer REFERENCES customer (id),
  bank        text NOT NULL CONSTRAINT bank_account_bank CHECK (bank ~ '^[0-9]{3}$'),
  digits      text NOT NULL CONSTRAINT bank_account_digits CHECK (digits ~ '^([0-9]{4})?$'),
  name        bytea,
  number      bytea,
  named_at    timestamptz NOT NULL,
  CONSTRAINT bank_account_whole CHECK ((name IS NULL) = (number IS NULL))
);
CREATE INDEX bank_account_customer_i ON bank_account (customer_id, id);

-- account_id: where people of the organisation transfer it to; NULL of what goes to a card. due_at: until when, by the rules on consumer contracts.
-- reference: the bank's, of the transfer. sent_by: who said that it was made; approval_id: by which a second person confirmed that, or that it failed after that.
-- failed_by: who said that it could not be made.
ALTER TABLE remittance
  ADD COLUMN account_id uuid CONSTRAINT remittance_account REFERENCES bank_account (id),
  ADD COLUMN due_at timestamptz,
  ADD COLUMN reference text NOT NULL DEFAULT '',
  ADD COLUMN sent_by uuid CONSTRAINT remittance_sent_by REFERENCES staff (id),
  ADD COLUMN failed_by uuid CONSTRAINT remittance_failed_by REFERENCES staff (id),
  ADD COLUMN approval_id uuid CONSTRAINT remittance_approval REFERENCES approval (id) CONSTRAINT remittance_one_approval UNIQUE,
  DROP CONSTRAINT remittance_gateway,
  ADD CONSTRAINT remittance_gateway CHECK ((state = 'done' AND account_id IS NULL) = (gateway_id <> '')),
  ADD CONSTRAINT remittance_to_account CHECK (CASE WHEN account_id IS NULL
    THEN (due_at, sent_by, failed_by, approval_id) IS NOT DISTINCT FROM (NULL, NULL, NULL, NULL) AND reference = ''
    ELSE due_at IS NOT NULL AND attempts = 0 AND leased_until IS NULL AND (sent_at IS NULL) = (sent_by IS NULL)
      AND (failed_by IS NOT NULL) = (state = 'failed') AND (approval_id IS NOT NULL) = (sent_at IS NOT NULL AND ended_at IS NOT NULL) END);
CREATE INDEX remittance_account_i ON remittance (id) WHERE account_id IS NOT NULL;
CREATE INDEX remittance_account_state_i ON remittance (state, id) WHERE account_id IS NOT NULL;
CREATE INDEX remittance_of_account_i ON remittance (account_id) WHERE account_id IS NOT NULL;

ALTER TABLE refund_request
  ADD COLUMN account_id uuid CONSTRAINT refund_request_account REFERENCES bank_account (id),
  DROP CONSTRAINT refund_request_method,
  ADD CONSTRAINT refund_request_method CHECK (method IN ('wallet', 'card', 'bank') AND (method = 'bank') = (account_id IS NOT NULL));
CREATE INDEX refund_request_account_i ON refund_request (account_id) WHERE account_id IS NOT NULL;

ALTER TABLE approval
  DROP CONSTRAINT approval_kind,
  ADD CONSTRAINT approval_kind CHECK (kind IN ('refund', 'refund_request', 'rule', 'void', 'write_off', 'goodwill', 'extend', 'bank_transfer'));

ALTER TABLE message
  DROP CONSTRAINT message_kind,
  ADD CONSTRAINT message_kind CHECK (kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_thanked', 'gift_returned', 'gift_stopped', 'gift_unopened',
    'gift_first_taken', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'offer_ended', 'offer_stopped', 'voucher_ends', 'voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back', 'voucher_refunded',
    'voucher_frozen_by_shop', 'voucher_released_by_shop', 'voucher_voided_by_shop', 'voucher_reissued', 'voucher_extended', 'voucher_to_card',
    'money_topped_up', 'money_refunded', 'money_kept', 'money_to_card', 'money_not_to_card', 'money_to_bank', 'money_at_bank', 'money_not_to_bank',
    'use_confirmed', 'use_stands', 'use_undone', 'use_goodwill',
    'refund_granted', 'refund_refused', 'refund_changed', 'refund_to_card', 'refund_to_bank'));
DROP INDEX message_to_push;
CREATE INDEX message_to_push ON message (created_at) WHERE push_id IS NULL AND held IS NULL AND read_at IS NULL
  AND kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_returned', 'gift_stopped', 'gift_unopened', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'voucher_ends', 'voucher_frozen', 'voucher_frozen_by_shop', 'voucher_voided_by_shop', 'voucher_taken_back', 'voucher_refunded', 'voucher_to_card',
    'money_kept', 'money_not_to_card', 'money_at_bank', 'money_not_to_bank', 'use_confirmed', 'use_stands', 'use_undone',
    'refund_granted', 'refund_refused', 'refund_changed', 'refund_to_card', 'refund_to_bank')
  AND (kind <> 'voucher_ends' OR days <= 7);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON bank_account TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (name, number, digits) ON bank_account TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (reference, sent_by, failed_by, approval_id) ON remittance TO %I', current_schema());
END $$;
-- +goose StatementEnd
