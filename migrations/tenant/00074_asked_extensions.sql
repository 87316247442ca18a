-- A run that extends more vouchers than one person may is asked for, and starts when a second person approves it.
-- +goose Up
-- above: satang; of extend vouchers.
ALTER TABLE approval_rule
  DROP CONSTRAINT approval_rule_kind,
  ADD CONSTRAINT approval_rule_kind CHECK (kind IN ('refund', 'extend'));

ALTER TABLE approval
  DROP CONSTRAINT approval_kind,
  ADD CONSTRAINT approval_kind CHECK (kind IN ('refund', 'refund_request', 'rule', 'void', 'write_off', 'goodwill', 'extend'));

-- approval_id: by which a second person let it start.
ALTER TABLE care_run
  ADD COLUMN approval_id uuid CONSTRAINT care_run_approval REFERENCES approval (id) CONSTRAINT care_run_one_approval UNIQUE
    CONSTRAINT care_run_asked CHECK (approval_id IS NULL OR task = 'extend');
CREATE INDEX care_run_started_i ON care_run (started_at) WHERE task = 'extend' AND approval_id IS NULL;
