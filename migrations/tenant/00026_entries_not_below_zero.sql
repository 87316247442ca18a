-- No entry leaves a wallet below zero, whatever those after it in its transaction bring: wallet_not_negative sees only what all of them leave.
-- +goose Up
ALTER TABLE entry
  ADD CONSTRAINT entry_wallets_not_negative CHECK (debit_after_satang >= 0 AND credit_after_satang >= 0);
