-- Who holds the money that came in, and whether it is real, is part of the ledger's gateway account. What came in before this
-- was kept stays on the account that all had.
-- +goose Up
ALTER TABLE account DROP CONSTRAINT account_kind, ADD CONSTRAINT account_kind CHECK (kind IN (
  'gateway', 'gateway_platform', 'gateway_own', 'gateway_platform_test', 'gateway_own_test', 'wallet', 'unearned', 'payable',
  'platform_fee', 'gateway_fee', 'commission_pending', 'commission_payable', 'commission_receivable', 'bank_clearing',
  'withholding_tax', 'breakage', 'chargeback_receivable', 'adjustment'));

-- gateway: the kind of account that a charge's money is posted to, for ever.
ALTER TABLE charge ADD COLUMN gateway text NOT NULL DEFAULT 'gateway' CONSTRAINT charge_gateway CHECK (gateway IN (
  'gateway', 'gateway_platform', 'gateway_own', 'gateway_platform_test', 'gateway_own_test'));
ALTER TABLE charge ALTER COLUMN gateway DROP DEFAULT;
