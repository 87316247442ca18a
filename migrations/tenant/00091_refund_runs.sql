-- Refunds to bank accounts, and what is paid out of wallets to them, are transferred by runs of their own kind. A transfer that was made and came back is in its payer's wallet.
-- +goose Up

-- done_at: when it was done, of one that came back after that; it is failed since. A transfer that was sent is ended by the approval of a second person, or by what the bank
-- says of the payout that it is of.
ALTER TABLE remittance
  ADD COLUMN done_at timestamptz,
  DROP CONSTRAINT remittance_to_account,
  ADD CONSTRAINT remittance_to_account CHECK (CASE WHEN account_id IS NULL
    THEN (due_at, sent_by, failed_by, approval_id, done_at) IS NOT DISTINCT FROM (NULL, NULL, NULL, NULL, NULL) AND reference = ''
    ELSE due_at IS NOT NULL AND attempts = 0 AND leased_until IS NULL AND (sent_at IS NULL) = (sent_by IS NULL)
      AND (failed_by IS NOT NULL) = (state = 'failed') AND (approval_id IS NULL OR sent_at IS NOT NULL AND ended_at IS NOT NULL) END),
  ADD CONSTRAINT remittance_came_back CHECK (done_at IS NULL OR state = 'failed' AND sent_at IS NOT NULL AND done_at BETWEEN sent_at AND ended_at);

ALTER TABLE payout_run
  DROP CONSTRAINT payout_run_kind,
  ADD CONSTRAINT payout_run_kind CHECK (kind IN ('agent', 'refund'));

ALTER TABLE payout_schedule
  DROP CONSTRAINT payout_schedule_kind,
  ADD CONSTRAINT payout_schedule_kind CHECK (kind IN ('agent', 'refund')),
  ALTER COLUMN kind DROP DEFAULT;

-- A payout is of a payee, or of a transfer: that has no lines and no tax, and is in one run until it is left out.
ALTER TABLE payout
  ALTER COLUMN payee_id DROP NOT NULL,
  ALTER COLUMN tax_year DROP NOT NULL,
  ADD COLUMN remittance_id uuid CONSTRAINT payout_remittance REFERENCES remittance (id),
  ADD CONSTRAINT payout_transfer_of_run UNIQUE (run_id, remittance_id),
  ADD CONSTRAINT payout_of CHECK (num_nonnulls(payee_id, remittance_id) = 1),
  DROP CONSTRAINT payout_lines,
  DROP CONSTRAINT payout_whole,
  DROP CONSTRAINT payout_left_out,
  ADD CONSTRAINT payout_lines CHECK (CASE WHEN payee_id IS NULL THEN lines = 0 ELSE lines > 0 END),
  ADD CONSTRAINT payout_whole CHECK (CASE WHEN payee_id IS NULL
    THEN (version_id, tax_rule_id, tax_year) IS NOT DISTINCT FROM (NULL, NULL, NULL) AND (taxable_satang, withheld_satang) = (0, 0) AND net_satang > 0
    ELSE tax_year IS NOT NULL AND (state = 'left_out' OR version_id IS NOT NULL AND tax_rule_id IS NOT NULL AND net_satang > 0) END),
  ADD CONSTRAINT payout_left_out CHECK (left_out IN ('not_approved', 'suspended', 'account_new', 'held', 'owes', 'below_minimum', 'too_big', 'no_tax_rule', 'under_way', 'held_back',
    'postponed', 'changed', 'cancelled', 'withdrawn'));
CREATE UNIQUE INDEX payout_transfer_once ON payout (remittance_id) WHERE state <> 'left_out';
CREATE INDEX payout_transfer_i ON payout (remittance_id, id) WHERE remittance_id IS NOT NULL;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT UPDATE (done_at) ON remittance TO %I', current_schema());
END $$;
-- +goose StatementEnd
