-- Runs of payouts are drafted by themselves on some days, and pay at least what the organisation has set.
-- +goose Up
CREATE TABLE payout_setting (
  one            boolean PRIMARY KEY DEFAULT true CONSTRAINT payout_setting_one CHECK (one),
  minimum_satang bigint NOT NULL CONSTRAINT payout_setting_minimum CHECK (minimum_satang BETWEEN 1 AND 100000000),
  updated_at     timestamptz NOT NULL
);

-- When a run is drafted. day: of a week, 1 Monday to 7 Sunday; of a month, 1 to 28, or 31 its last. since: it was added or switched on. handled_at, outcome: what became
-- of its latest day.
CREATE TABLE payout_schedule (
  id         uuid PRIMARY KEY,
  kind       text NOT NULL DEFAULT 'agent' CONSTRAINT payout_schedule_kind CHECK (kind IN ('agent')),
  means      text NOT NULL DEFAULT 'file' CONSTRAINT payout_schedule_means CHECK (means IN ('file')),
  every      text NOT NULL CONSTRAINT payout_schedule_every CHECK (every IN ('week', 'month')),
  day        integer NOT NULL,
  active     boolean NOT NULL,
  since      timestamptz NOT NULL,
  handled_at timestamptz,
  outcome    text CONSTRAINT payout_schedule_outcome CHECK (outcome IN ('drafted', 'draft_open', 'no_bank_days', 'no_tax_rule', 'empty')),
  CONSTRAINT payout_schedule_day CHECK (CASE every WHEN 'week' THEN day BETWEEN 1 AND 7 ELSE day BETWEEN 1 AND 28 OR day = 31 END),
  CONSTRAINT payout_schedule_handled CHECK ((handled_at IS NULL) = (outcome IS NULL)),
  CONSTRAINT payout_schedule_once UNIQUE (kind, every, day)
);

-- A run is drafted by a person, or by a schedule. late_at: the bank should have answered, and has not.
ALTER TABLE payout_run
  ALTER COLUMN drafted_by DROP NOT NULL,
  ADD COLUMN schedule_id uuid CONSTRAINT payout_run_schedule REFERENCES payout_schedule (id),
  ADD COLUMN late_at     timestamptz,
  ADD CONSTRAINT payout_run_drafted CHECK (num_nonnulls(drafted_by, schedule_id) = 1),
  ADD CONSTRAINT payout_run_late CHECK (late_at IS NULL OR exported_at IS NOT NULL);
CREATE INDEX payout_run_schedule_i ON payout_run (schedule_id, id) WHERE schedule_id IS NOT NULL;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON payout_setting TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT ON payout_schedule TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (active, since, handled_at, outcome) ON payout_schedule TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (late_at) ON payout_run TO %I', current_schema());
END $$;
-- +goose StatementEnd
