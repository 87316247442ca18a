-- Who collects an organisation's money is known here, beside the sign that depends on it. A host belongs to who proved it:
-- until then anybody may have written it down.
-- +goose Up
ALTER TABLE payment_endpoint ADD COLUMN account text NOT NULL DEFAULT 'own'
  CONSTRAINT payment_endpoint_account CHECK (account IN ('platform', 'own'));
ALTER TABLE payment_endpoint ALTER COLUMN account DROP DEFAULT;
CREATE INDEX payment_endpoint_org ON payment_endpoint (org_id);

-- The payment system that new charges are to go through; a job makes it so in the organisation's schema.
ALTER TABLE organisation ADD COLUMN payment_system_id uuid;
UPDATE organisation o SET payment_system_id = (
  SELECT e.system_id FROM payment_endpoint e WHERE e.org_id = o.id ORDER BY e.created_at DESC LIMIT 1);

-- Until now every payment system had keys of its own in the organisation's schema. Whose account they open was not kept;
-- buyers are told that the platform keeps their money only where that is known.
UPDATE organisation SET holds_own_money = true WHERE payment_system_id IS NOT NULL;

ALTER TABLE host DROP CONSTRAINT host_pkey;
ALTER TABLE host ADD CONSTRAINT host_pkey PRIMARY KEY (host, org_id);
CREATE UNIQUE INDEX host_verified ON host (host) WHERE verified_at IS NOT NULL;
