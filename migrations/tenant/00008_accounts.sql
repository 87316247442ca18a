-- Whose gateway account a payment system is: the organisation's own, with its keys here, or the platform's, whose keys are
-- the platform's secret and never here.
-- +goose Up
ALTER TABLE payment_system ADD COLUMN account text NOT NULL DEFAULT 'own';
ALTER TABLE payment_system
  ADD CONSTRAINT payment_system_account CHECK (account IN ('platform', 'own')),
  ADD CONSTRAINT payment_system_keys CHECK (account = 'own' OR (public_key = '' AND secret_key IS NULL AND webhook_secret IS NULL));
