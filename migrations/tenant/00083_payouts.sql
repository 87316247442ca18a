-- What payees can be paid out is paid out in runs: drafted, approved by a second person, booked, sent to the bank, and ended by what the bank answers.
-- +goose Up

-- A run. computed_at: NULL while a job still collects what is paid out. postponed: payees whom somebody left to the next run. hash: of who is paid how much
-- and by which version, which a second person approves. file_hash: of the bank's file, which has the same bytes each time.
CREATE TABLE payout_run (
  id             uuid PRIMARY KEY,
  number         text NOT NULL CONSTRAINT payout_run_number UNIQUE,
  kind           text NOT NULL CONSTRAINT payout_run_kind CHECK (kind IN ('agent')),
  means          text NOT NULL CONSTRAINT payout_run_means CHECK (means IN ('file')),
  state          text NOT NULL CONSTRAINT payout_run_state CHECK (state IN ('draft', 'approved', 'exported', 'closed', 'cancelled')),
  up_to          date NOT NULL,
  pay_day        date NOT NULL,
  minimum_satang bigint NOT NULL CONSTRAINT payout_run_minimum CHECK (minimum_satang > 0),
  postponed      uuid[] NOT NULL DEFAULT '{}',
  hash           bytea,
  file_hash      bytea,
  approval_id    uuid CONSTRAINT payout_run_approval REFERENCES approval (id),
  drafted_at     timestamptz NOT NULL,
  drafted_by     uuid NOT NULL CONSTRAINT payout_run_drafted_by REFERENCES staff (id),
  computed_at    timestamptz,
  approved_at    timestamptz,
  booked_at      timestamptz,
  exported_at    timestamptz,
  exported_by    uuid CONSTRAINT payout_run_exported_by REFERENCES staff (id),
  ended_at       timestamptz,
  CONSTRAINT payout_run_days CHECK (up_to < pay_day),
  CONSTRAINT payout_run_computed CHECK ((computed_at IS NULL) = (hash IS NULL) AND (computed_at IS NOT NULL OR state IN ('draft', 'cancelled'))),
  CONSTRAINT payout_run_approved CHECK ((approved_at IS NOT NULL) = (state IN ('approved', 'exported', 'closed')) AND (approved_at IS NULL OR approval_id IS NOT NULL)),
  CONSTRAINT payout_run_booked CHECK (booked_at >= approved_at AND (booked_at IS NOT NULL OR state NOT IN ('exported', 'closed'))),
  CONSTRAINT payout_run_exported CHECK ((exported_at IS NULL) = (exported_by IS NULL) AND (exported_at IS NULL) = (file_hash IS NULL) AND (state <> 'exported' OR exported_at IS NOT NULL)),
  CONSTRAINT payout_run_ended CHECK ((ended_at IS NOT NULL) = (state IN ('closed', 'cancelled')))
);
CREATE UNIQUE INDEX payout_run_draft ON payout_run (kind) WHERE state = 'draft';
CREATE INDEX payout_run_to_do ON payout_run (id) WHERE state = 'draft' AND computed_at IS NULL OR state = 'approved' AND booked_at IS NULL;
CREATE INDEX payout_run_approval_i ON payout_run (approval_id) WHERE approval_id IS NOT NULL;

-- What one payee is paid of a run. lines, gross: what it is made of, and of what is left out what it would be. taxable: of the gross, without VAT, what is an income of the
-- year; withheld: of it, by the platform's rule of tax. left_out: why nothing is paid. paid_on: the day that the bank names; paid_at, ended_at: when that was said here.
CREATE TABLE payout (
  id              uuid PRIMARY KEY,
  run_id          uuid NOT NULL CONSTRAINT payout_run REFERENCES payout_run (id),
  payee_id        uuid NOT NULL CONSTRAINT payout_payee REFERENCES payee (id),
  version_id      uuid CONSTRAINT payout_version REFERENCES payee_version (id),
  position        integer NOT NULL CONSTRAINT payout_position CHECK (position > 0),
  reference       text NOT NULL CONSTRAINT payout_reference UNIQUE,
  state           text NOT NULL CONSTRAINT payout_state CHECK (state IN ('ready', 'left_out', 'booked', 'sent', 'paid', 'failed', 'returned')),
  left_out        text CONSTRAINT payout_left_out CHECK (left_out IN ('not_approved', 'suspended', 'account_new', 'owes', 'below_minimum', 'too_big', 'no_tax_rule', 'under_way', 'postponed', 'changed', 'cancelled')),
  lines           integer NOT NULL CONSTRAINT payout_lines CHECK (lines > 0),
  gross_satang    bigint NOT NULL,
  taxable_satang  bigint NOT NULL,
  withheld_satang bigint NOT NULL CONSTRAINT payout_withheld CHECK (withheld_satang >= 0),
  net_satang      bigint NOT NULL,
  tax_rule_id     uuid,
  tax_year        integer NOT NULL,
  booked_at       timestamptz,
  sent_at         timestamptz,
  paid_on         date,
  paid_at         timestamptz,
  ended_at        timestamptz,
  reason          text NOT NULL DEFAULT '' CONSTRAINT payout_reason CHECK (length(reason) <= 300),
  CONSTRAINT payout_once UNIQUE (run_id, payee_id),
  CONSTRAINT payout_place UNIQUE (run_id, position),
  CONSTRAINT payout_sum CHECK (net_satang = gross_satang - withheld_satang),
  CONSTRAINT payout_why CHECK ((state = 'left_out') = (left_out IS NOT NULL)),
  CONSTRAINT payout_whole CHECK (state = 'left_out' OR version_id IS NOT NULL AND tax_rule_id IS NOT NULL AND net_satang > 0),
  CONSTRAINT payout_booked CHECK ((booked_at IS NOT NULL) = (state IN ('booked', 'sent', 'paid', 'failed', 'returned'))),
  CONSTRAINT payout_paid CHECK ((paid_on IS NOT NULL) = (state IN ('paid', 'returned')) AND (paid_at IS NOT NULL) = (state IN ('paid', 'returned'))),
  CONSTRAINT payout_ended CHECK ((ended_at IS NOT NULL) = (state IN ('paid', 'failed', 'returned')))
);
CREATE UNIQUE INDEX payout_under_way ON payout (payee_id) WHERE state IN ('booked', 'sent');
CREATE INDEX payout_payee_i ON payout (payee_id, id);
CREATE INDEX payout_version_i ON payout (version_id) WHERE version_id IS NOT NULL;
CREATE INDEX payout_run_i ON payout (run_id, id);
CREATE INDEX payout_run_state ON payout (run_id, state);
CREATE INDEX payout_state_i ON payout (state, id) WHERE state <> 'paid';
CREATE INDEX payout_ready_i ON payout (run_id, position) WHERE state = 'ready';

-- What came back of a payout that was paid: the payee can be paid it again, and it is not taxed again.
CREATE TABLE payout_return (
  payout_id     uuid PRIMARY KEY CONSTRAINT payout_return_payout REFERENCES payout (id),
  payee_id      uuid NOT NULL CONSTRAINT payout_return_payee REFERENCES payee (id),
  amount_satang bigint NOT NULL CONSTRAINT payout_return_amount CHECK (amount_satang > 0),
  at            timestamptz NOT NULL
);
CREATE INDEX payout_return_payee_i ON payout_return (payee_id);

-- What a payout is made of: changes of commissions by which more or less can be paid out, and what came back of earlier payouts. live: it is of no other payout.
CREATE TABLE payout_line (
  payout_id     uuid NOT NULL CONSTRAINT payout_line_payout REFERENCES payout (id),
  change_id     uuid CONSTRAINT payout_line_change REFERENCES commission_change (id),
  return_id     uuid CONSTRAINT payout_line_return REFERENCES payout_return (payout_id),
  amount_satang bigint NOT NULL CONSTRAINT payout_line_amount CHECK (amount_satang <> 0),
  live          boolean NOT NULL,
  source_id     uuid NOT NULL GENERATED ALWAYS AS (coalesce(change_id, return_id)) STORED,
  PRIMARY KEY (payout_id, source_id),
  CONSTRAINT payout_line_of CHECK (num_nonnulls(change_id, return_id) = 1)
);
CREATE UNIQUE INDEX payout_line_change_once ON payout_line (change_id) WHERE live AND change_id IS NOT NULL;
CREATE UNIQUE INDEX payout_line_return_once ON payout_line (return_id) WHERE live AND return_id IS NOT NULL;
CREATE INDEX payout_line_change_i ON payout_line (change_id) WHERE change_id IS NOT NULL;

-- What was said of a payout, by a result file or by hand: also what changed nothing. applied: it did.
CREATE TABLE payout_result (
  id        uuid PRIMARY KEY,
  payout_id uuid NOT NULL CONSTRAINT payout_result_payout REFERENCES payout (id),
  outcome   text NOT NULL CONSTRAINT payout_result_outcome CHECK (outcome IN ('paid', 'failed', 'returned')),
  day       date NOT NULL,
  reason    text NOT NULL CONSTRAINT payout_result_reason CHECK (length(reason) <= 300),
  file_name text NOT NULL CONSTRAINT payout_result_file CHECK (length(file_name) <= 200),
  file_hash bytea,
  answer    text NOT NULL CONSTRAINT payout_result_answer CHECK (answer IN ('applied', 'known', 'contradicts')),
  said_at   timestamptz NOT NULL,
  said_by   uuid NOT NULL CONSTRAINT payout_result_said_by REFERENCES staff (id)
);
CREATE INDEX payout_result_payout_i ON payout_result (payout_id, id);

CREATE INDEX commission_change_mature ON commission_change (payee_id, id) WHERE mature_satang <> 0;

ALTER TABLE approval
  DROP CONSTRAINT approval_kind,
  ADD CONSTRAINT approval_kind CHECK (kind IN ('refund', 'refund_request', 'rule', 'void', 'write_off', 'goodwill', 'extend', 'bank_transfer', 'cashout', 'payout'));

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
    'agent_approved', 'agent_refused', 'agent_suspended', 'agent_resumed', 'agent_changed', 'agent_not_changed', 'agent_paid', 'agent_not_paid', 'agent_pay_returned'));
DROP INDEX message_to_push;
CREATE INDEX message_to_push ON message (created_at) WHERE push_id IS NULL AND held IS NULL AND read_at IS NULL
  AND kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_returned', 'gift_stopped', 'gift_unopened', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'voucher_ends', 'voucher_frozen', 'voucher_frozen_by_shop', 'voucher_voided_by_shop', 'voucher_taken_back', 'voucher_refunded', 'voucher_to_card',
    'money_kept', 'money_not_to_card', 'money_at_bank', 'money_not_to_bank', 'use_confirmed', 'use_stands', 'use_undone',
    'refund_granted', 'refund_refused', 'refund_changed', 'refund_to_card', 'refund_to_bank',
    'cashout_approved', 'cashout_refused', 'cashout_at_bank', 'cashout_failed',
    'agent_approved', 'agent_refused', 'agent_suspended', 'agent_resumed', 'agent_changed', 'agent_not_changed', 'agent_paid', 'agent_not_paid', 'agent_pay_returned')
  AND (kind <> 'voucher_ends' OR days <= 7);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON payout_run, payout_return, payout_result TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON payout, payout_line TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, postponed, hash, file_hash, approval_id, computed_at, approved_at, booked_at, exported_at, exported_by, ended_at) ON payout_run TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, left_out, booked_at, sent_at, paid_on, paid_at, ended_at, reason) ON payout TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (live) ON payout_line TO %I', current_schema());
END $$;
-- +goose StatementEnd
