-- Who applied for a card, what became of it, and what members have until when.
-- +goose Up

-- What a customer is filling in. form: encrypted.
CREATE TABLE member_draft (
  customer_id uuid PRIMARY KEY CONSTRAINT member_draft_customer REFERENCES customer (id),
  form        bytea NOT NULL,
  saved_at    timestamptz NOT NULL
);

-- A wish for a term. form: encrypted; NULL once it is forgotten. The digits are the last four. decided_by: NULL where nobody of the organisation decided.
CREATE TABLE application (
  id              uuid PRIMARY KEY,
  customer_id     uuid NOT NULL CONSTRAINT application_customer REFERENCES customer (id),
  version_id      uuid NOT NULL CONSTRAINT application_version REFERENCES card_type_version (id),
  kind            text NOT NULL CONSTRAINT application_kind CHECK (kind IN ('first', 'renewal', 'upgrade')),
  state           text NOT NULL CONSTRAINT application_state CHECK (state IN ('pending', 'granted', 'refused', 'taken_back')),
  form            bytea,
  identity_index  bytea,
  mobile_index    bytea,
  identity_digits text NOT NULL CONSTRAINT application_identity_digits CHECK (length(identity_digits) <= 4),
  mobile_digits   text NOT NULL CONSTRAINT application_mobile_digits CHECK (length(mobile_digits) <= 4),
  sent_at         timestamptz NOT NULL,
  decided_at      timestamptz,
  decided_by      uuid CONSTRAINT application_decided_by REFERENCES staff (id),
  reason          text NOT NULL DEFAULT '' CONSTRAINT application_reason CHECK (length(reason) <= 300),
  CONSTRAINT application_waits CHECK ((state = 'pending') = (decided_at IS NULL) AND decided_at >= sent_at),
  CONSTRAINT application_who CHECK (decided_by IS NULL OR state IN ('granted', 'refused')),
  CONSTRAINT application_forgotten CHECK (form IS NOT NULL OR identity_index IS NULL AND mobile_index IS NULL)
);
CREATE UNIQUE INDEX application_open ON application (customer_id) WHERE state = 'pending';
CREATE INDEX application_pending_i ON application (sent_at, id) WHERE state = 'pending';
CREATE INDEX application_customer_i ON application (customer_id, sent_at);
CREATE INDEX application_identity_i ON application (identity_index) WHERE identity_index IS NOT NULL;
CREATE INDEX application_mobile_i ON application (mobile_index) WHERE mobile_index IS NOT NULL;
CREATE INDEX application_over_i ON application (decided_at) WHERE state IN ('refused', 'taken_back') AND form IS NOT NULL;

-- A customer's one right, for life. status follows from the state. name: as the card has it; empty once it is erased.
CREATE TABLE membership (
  id          uuid PRIMARY KEY,
  customer_id uuid NOT NULL CONSTRAINT membership_customer REFERENCES customer (id) CONSTRAINT membership_once UNIQUE,
  state       text NOT NULL CONSTRAINT membership_state CHECK (state IN ('active', 'suspended', 'expired', 'left')),
  name        text NOT NULL,
  since       date NOT NULL,
  status      smallint NOT NULL GENERATED ALWAYS AS (CASE state WHEN 'active' THEN 5 WHEN 'suspended' THEN 4 ELSE 2 END) STORED,
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL
);

-- ends_on: its last day; NULL without an end. anchor_day: of the month, by which months are counted.
CREATE TABLE membership_term (
  id             uuid PRIMARY KEY,
  membership_id  uuid NOT NULL CONSTRAINT membership_term_membership REFERENCES membership (id),
  version_id     uuid NOT NULL CONSTRAINT membership_term_version REFERENCES card_type_version (id),
  application_id uuid NOT NULL CONSTRAINT membership_term_application REFERENCES application (id) CONSTRAINT membership_term_once UNIQUE,
  starts_on      date NOT NULL,
  ends_on        date,
  anchor_day     smallint NOT NULL CONSTRAINT membership_term_anchor CHECK (anchor_day BETWEEN 1 AND 31),
  state          text NOT NULL CONSTRAINT membership_term_state CHECK (state IN ('to_come', 'running', 'over', 'replaced', 'taken_back')),
  CONSTRAINT membership_term_days CHECK (ends_on >= starts_on)
);
CREATE UNIQUE INDEX membership_term_running ON membership_term (membership_id) WHERE state = 'running';
CREATE UNIQUE INDEX membership_term_to_come ON membership_term (membership_id) WHERE state = 'to_come';
CREATE INDEX membership_term_ends_i ON membership_term (ends_on) WHERE state = 'running';
CREATE INDEX membership_term_membership_i ON membership_term (membership_id, id);

-- The number that a membership keeps: letters, seven random digits, a check digit.
CREATE TABLE member_card (
  id            uuid PRIMARY KEY,
  membership_id uuid NOT NULL CONSTRAINT member_card_membership REFERENCES membership (id) CONSTRAINT member_card_once UNIQUE,
  number        text NOT NULL CONSTRAINT member_card_number CHECK (number ~ '^[A-Z]{2,4}[0-9]{8}$') CONSTRAINT member_card_number_once UNIQUE,
  made_at       timestamptz NOT NULL
);

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
    'agent_approved', 'agent_refused', 'agent_suspended', 'agent_resumed', 'agent_changed', 'agent_not_changed', 'agent_paid', 'agent_not_paid', 'agent_pay_returned', 'agent_denied',
    'member_approved', 'member_refused', 'member_suspended', 'member_resumed', 'member_ended'));
DROP INDEX message_to_push;
CREATE INDEX message_to_push ON message (created_at) WHERE push_id IS NULL AND held IS NULL AND read_at IS NULL
  AND kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_returned', 'gift_stopped', 'gift_unopened', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'voucher_ends', 'voucher_frozen', 'voucher_frozen_by_shop', 'voucher_voided_by_shop', 'voucher_taken_back', 'voucher_refunded', 'voucher_to_card',
    'money_kept', 'money_not_to_card', 'money_at_bank', 'money_not_to_bank', 'use_confirmed', 'use_stands', 'use_undone',
    'refund_granted', 'refund_refused', 'refund_changed', 'refund_to_card', 'refund_to_bank',
    'cashout_approved', 'cashout_refused', 'cashout_at_bank', 'cashout_failed',
    'agent_approved', 'agent_refused', 'agent_suspended', 'agent_resumed', 'agent_changed', 'agent_not_changed', 'agent_paid', 'agent_not_paid', 'agent_pay_returned', 'agent_denied',
    'member_approved', 'member_refused', 'member_suspended', 'member_resumed', 'member_ended')
  AND (kind <> 'voucher_ends' OR days <= 7);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON member_draft TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (form, saved_at) ON member_draft TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT ON application, membership, membership_term, member_card TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, form, identity_index, mobile_index, identity_digits, mobile_digits, decided_at, decided_by, reason) ON application TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, name, updated_at) ON membership TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state) ON membership_term TO %I', current_schema());
END $$;
-- +goose StatementEnd
