-- A use at a partner's service point earns him commission. It matures once nobody can object to the use any more.
-- +goose Up

-- What a partner earns of the use: by his rate of that day, of amount_satang. NULL where the service point was nobody's, or the partner was suspended.
ALTER TABLE redemption
  ADD COLUMN partner_id           uuid CONSTRAINT redemption_partner REFERENCES partner (id),
  ADD COLUMN partner_basis_points integer CONSTRAINT redemption_partner_rate CHECK (partner_basis_points BETWEEN 0 AND 5000),
  ADD COLUMN partner_satang       bigint CONSTRAINT redemption_partner_share CHECK (partner_satang BETWEEN 0 AND amount_satang),
  ADD CONSTRAINT redemption_partner_whole CHECK (num_nonnulls(partner_id, partner_basis_points, partner_satang) IN (0, 3));
CREATE INDEX redemption_by_partner ON redemption (partner_id, at) WHERE partner_id IS NOT NULL;

-- A commission is of an order, by level, and an agent's; or of a use, and a partner's. Of a use paid_satang is what the organisation earns by it.
ALTER TABLE commission
  ALTER COLUMN order_id DROP NOT NULL,
  ALTER COLUMN level DROP NOT NULL,
  ALTER COLUMN agent_id DROP NOT NULL,
  ADD COLUMN redemption_id uuid CONSTRAINT commission_redemption REFERENCES redemption (id) CONSTRAINT commission_once_of_use UNIQUE,
  ADD COLUMN partner_id    uuid CONSTRAINT commission_partner REFERENCES partner (id),
  ADD COLUMN payee_id      uuid NOT NULL GENERATED ALWAYS AS (coalesce(agent_id, partner_id)) STORED,
  ADD CONSTRAINT commission_of CHECK (num_nonnulls(order_id, level, agent_id) = CASE WHEN redemption_id IS NULL THEN 3 ELSE 0 END AND (redemption_id IS NULL) = (partner_id IS NULL));
CREATE INDEX commission_partner_i ON commission (partner_id, created_at) WHERE partner_id IS NOT NULL;
