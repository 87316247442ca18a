-- "Was it you?": each use is a message to who used it, who may object to it until the end of the next day.
-- +goose Up
ALTER TABLE message
  DROP CONSTRAINT message_kind,
  ADD CONSTRAINT message_kind CHECK (kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_thanked', 'gift_returned', 'gift_stopped', 'gift_unopened',
    'gift_first_taken', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'offer_ended', 'offer_stopped', 'voucher_ends', 'voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back',
    'money_topped_up', 'money_kept', 'use_confirmed', 'use_stands', 'use_undone'));

-- Who used a voucher says that he did not. share_satang: what the use earned, which is held on an account of its own while this is open.
-- decided_by: nobody where it was undone by itself, because nobody had decided by due_at. answer: what the organisation says to who objected.
CREATE TABLE objection (
  id            uuid PRIMARY KEY,
  redemption_id uuid NOT NULL CONSTRAINT objection_redemption REFERENCES redemption (id) CONSTRAINT objection_once UNIQUE,
  voucher_id    uuid NOT NULL CONSTRAINT objection_voucher REFERENCES voucher (id),
  customer_id   uuid NOT NULL CONSTRAINT objection_customer REFERENCES customer (id),
  state         text NOT NULL CONSTRAINT objection_state CHECK (state IN ('open', 'stands', 'undone')),
  share_satang  bigint NOT NULL CONSTRAINT objection_share CHECK (share_satang >= 0),
  made_at       timestamptz NOT NULL,
  due_at        timestamptz NOT NULL CONSTRAINT objection_due_after CHECK (due_at > made_at),
  decided_at    timestamptz,
  decided_by    uuid CONSTRAINT objection_decided_by REFERENCES staff (id),
  answer        text NOT NULL DEFAULT '',
  CONSTRAINT objection_decided CHECK ((state = 'open') = (decided_at IS NULL)),
  CONSTRAINT objection_by_whom CHECK (CASE state WHEN 'open' THEN decided_by IS NULL AND answer = '' WHEN 'stands' THEN decided_by IS NOT NULL ELSE true END)
);
CREATE INDEX objection_customer_i ON objection (customer_id, id);
CREATE INDEX objection_voucher_i ON objection (voucher_id, id);
CREATE INDEX objection_state_i ON objection (state, id);
CREATE INDEX objection_due ON objection (due_at) WHERE state = 'open';

-- undoes: in the place of which use of its parent it was issued. What it is worth counts there still, as used.
ALTER TABLE voucher
  ADD COLUMN undoes uuid CONSTRAINT voucher_undoes REFERENCES redemption (id) CONSTRAINT voucher_undoes_once UNIQUE,
  ADD CONSTRAINT voucher_undoes_of_parent CHECK (undoes IS NULL OR parent_id IS NOT NULL);

-- undo: of a use, whose items are a voucher of their own then.
ALTER TABLE voucher_event
  DROP CONSTRAINT voucher_event_event,
  ADD CONSTRAINT voucher_event_event CHECK (event IN ('freeze', 'release', 'refund', 'void', 'give', 'return', 'claim', 'split', 'offer', 'withdraw', 'sell', 'undo')),
  DROP CONSTRAINT voucher_event_split,
  ADD CONSTRAINT voucher_event_split CHECK ((event IN ('split', 'undo')) = (child_id IS NOT NULL));

ALTER TABLE account DROP CONSTRAINT account_kind, ADD CONSTRAINT account_kind CHECK (kind IN (
  'gateway', 'gateway_platform', 'gateway_own', 'gateway_platform_test', 'gateway_own_test', 'wallet', 'unearned', 'payable',
  'platform_fee', 'gateway_fee', 'commission_pending', 'commission_payable', 'commission_receivable', 'bank_clearing',
  'withholding_tax', 'breakage', 'chargeback_receivable', 'use_objection', 'adjustment'));

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON objection TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, decided_at, decided_by, answer) ON objection TO %I', current_schema());
END $$;
-- +goose StatementEnd
