-- What the platform pays to organisations of what its gateway account has collected for them: a run is drafted by one admin, approved by another, booked by a job in each
-- organisation, and ended by what the bank answers.
-- +goose Up

-- hash: of what it pays, as it was computed; who approves names it. alone: one admin drafted and approved it, for want of another.
CREATE TABLE settlement_run (
  id             uuid PRIMARY KEY,
  number         text NOT NULL CONSTRAINT settlement_run_number UNIQUE,
  state          text NOT NULL CONSTRAINT settlement_run_state CHECK (state IN ('draft', 'approved', 'exported', 'closed', 'cancelled')),
  up_to          date NOT NULL,
  pay_day        date NOT NULL,
  minimum_satang bigint NOT NULL CONSTRAINT settlement_run_minimum CHECK (minimum_satang > 0),
  hash           bytea,
  file_hash      bytea,
  drafted_at     timestamptz NOT NULL,
  drafted_by     uuid NOT NULL CONSTRAINT settlement_run_drafted_by REFERENCES admin (id),
  computed_at    timestamptz,
  approved_at    timestamptz,
  approved_by    uuid CONSTRAINT settlement_run_approved_by REFERENCES admin (id),
  alone          boolean NOT NULL DEFAULT false,
  booked_at      timestamptz,
  exported_at    timestamptz,
  exported_by    uuid CONSTRAINT settlement_run_exported_by REFERENCES admin (id),
  ended_at       timestamptz,
  CONSTRAINT settlement_run_days CHECK (up_to < pay_day),
  CONSTRAINT settlement_run_computed CHECK ((computed_at IS NULL) = (hash IS NULL) AND (computed_at IS NOT NULL OR state IN ('draft', 'cancelled'))),
  CONSTRAINT settlement_run_approved CHECK ((approved_at IS NOT NULL) = (state IN ('approved', 'exported', 'closed')) AND (approved_at IS NULL) = (approved_by IS NULL) AND (alone OR approved_by <> drafted_by)),
  CONSTRAINT settlement_run_booked CHECK (booked_at >= approved_at AND (booked_at IS NOT NULL OR state NOT IN ('exported', 'closed'))),
  CONSTRAINT settlement_run_exported CHECK ((exported_at IS NULL) = (exported_by IS NULL) AND (exported_at IS NULL) = (file_hash IS NULL) AND (state <> 'exported' OR exported_at IS NOT NULL)),
  CONSTRAINT settlement_run_ended CHECK ((ended_at IS NOT NULL) = (state IN ('closed', 'cancelled')))
);
CREATE UNIQUE INDEX settlement_run_draft ON settlement_run ((true)) WHERE state = 'draft';
CREATE INDEX settlement_run_to_do ON settlement_run (id) WHERE state = 'draft' AND computed_at IS NULL OR state = 'approved' AND booked_at IS NULL;

-- What one organisation is paid of a run. fee_satang: the platform's own, which leaves its gateway account when the rest does. moved: how far the books of the organisation have
-- followed: a job brings them on.
CREATE TABLE settlement (
  id            uuid PRIMARY KEY,
  run_id        uuid NOT NULL CONSTRAINT settlement_run_of REFERENCES settlement_run (id),
  org_id        uuid NOT NULL CONSTRAINT settlement_org REFERENCES organisation (id),
  version_id    uuid,
  position      integer NOT NULL CONSTRAINT settlement_position CHECK (position > 0),
  reference     text NOT NULL CONSTRAINT settlement_reference UNIQUE,
  state         text NOT NULL CONSTRAINT settlement_state CHECK (state IN ('ready', 'left_out', 'booked', 'sent', 'paid', 'failed', 'returned')),
  left_out      text CONSTRAINT settlement_left_out CHECK (left_out IN ('not_approved', 'account_new', 'suspended', 'owes', 'below_minimum', 'too_big', 'under_way', 'books_open', 'not_covered', 'changed', 'cancelled')),
  amount_satang bigint NOT NULL,
  fee_satang    bigint NOT NULL CONSTRAINT settlement_fee CHECK (fee_satang >= 0),
  moved         text CONSTRAINT settlement_moved CHECK (moved IN ('booked', 'paid', 'failed', 'returned')),
  booked_at     timestamptz,
  sent_at       timestamptz,
  paid_on       date,
  paid_at       timestamptz,
  ended_at      timestamptz,
  reason        text NOT NULL DEFAULT '' CONSTRAINT settlement_reason CHECK (length(reason) <= 300),
  CONSTRAINT settlement_once UNIQUE (run_id, org_id),
  CONSTRAINT settlement_place UNIQUE (run_id, position),
  CONSTRAINT settlement_why CHECK ((state = 'left_out') = (left_out IS NOT NULL)),
  CONSTRAINT settlement_whole CHECK (state = 'left_out' OR version_id IS NOT NULL AND amount_satang > 0),
  CONSTRAINT settlement_booked CHECK ((booked_at IS NOT NULL) = (state IN ('booked', 'sent', 'paid', 'failed', 'returned')) AND (booked_at IS NULL) = (moved IS NULL)),
  CONSTRAINT settlement_paid CHECK ((paid_on IS NOT NULL) = (state IN ('paid', 'returned')) AND (paid_at IS NOT NULL) = (state IN ('paid', 'returned'))),
  CONSTRAINT settlement_ended CHECK ((ended_at IS NOT NULL) = (state IN ('paid', 'failed', 'returned')))
);
-- An organisation has one on its way, until its books have followed.
CREATE UNIQUE INDEX settlement_under_way ON settlement (org_id) WHERE state IN ('booked', 'sent') OR moved = 'booked';
CREATE INDEX settlement_org_i ON settlement (org_id, id);
CREATE INDEX settlement_to_follow ON settlement (id) WHERE state IN ('paid', 'failed', 'returned') AND moved <> state;

-- What was said of settlements, by the bank's file or by hand.
CREATE TABLE settlement_result (
  id            uuid PRIMARY KEY,
  settlement_id uuid NOT NULL CONSTRAINT settlement_result_of REFERENCES settlement (id),
  outcome       text NOT NULL CONSTRAINT settlement_result_outcome CHECK (outcome IN ('paid', 'failed', 'returned')),
  day           date NOT NULL,
  reason        text NOT NULL CONSTRAINT settlement_result_reason CHECK (length(reason) <= 300),
  file_name     text NOT NULL,
  file_hash     bytea,
  answer        text NOT NULL CONSTRAINT settlement_result_answer CHECK (answer IN ('applied', 'known', 'contradicts')),
  said_at       timestamptz NOT NULL,
  said_by       uuid NOT NULL CONSTRAINT settlement_result_by REFERENCES admin (id)
);
CREATE INDEX settlement_result_i ON settlement_result (settlement_id, id);

GRANT SELECT, INSERT ON settlement_run, settlement, settlement_result TO wlv_platform;
GRANT UPDATE (state, hash, file_hash, computed_at, approved_at, approved_by, alone, booked_at, exported_at, exported_by, ended_at) ON settlement_run TO wlv_platform;
GRANT UPDATE (state, left_out, moved, booked_at, sent_at, paid_on, paid_at, ended_at, reason) ON settlement TO wlv_platform;
