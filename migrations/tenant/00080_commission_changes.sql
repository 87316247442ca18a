-- Commission matures by the rule that its agent's type had when the order was made. Before, all of it was pending for ever.
-- +goose Up

-- matures, mature_days: the rule of the agent's type, frozen with the order.
ALTER TABLE orders
  ADD COLUMN matures     text CONSTRAINT orders_matures CHECK (matures IN ('sale', 'use', 'days')),
  ADD COLUMN mature_days integer CONSTRAINT orders_mature_days CHECK (mature_days BETWEEN 0 AND 365);
UPDATE orders SET matures = t.matures, mature_days = t.mature_days FROM agent a JOIN agent_type t ON t.id = a.agent_type_id WHERE a.id = orders.agent_id;
ALTER TABLE orders ADD CONSTRAINT orders_agent_rule CHECK ((agent_id IS NULL) = (matures IS NULL) AND (agent_id IS NULL) = (mature_days IS NULL));

-- amount_satang is what the sale earned, and is not changed. due_satang is what of it was not taken back and is paid, mature_satang what of that can be
-- paid out. Of the price of what was not taken back, paid_satang, unpaid_satang is owed by its buyer. matures_at is when more may have matured;
-- null where nothing follows from time alone.
ALTER TABLE commission
  ADD COLUMN due_satang    bigint,
  ADD COLUMN mature_satang bigint NOT NULL DEFAULT 0,
  ADD COLUMN paid_satang   bigint,
  ADD COLUMN unpaid_satang bigint NOT NULL DEFAULT 0,
  ADD COLUMN matures       text CONSTRAINT commission_matures CHECK (matures IN ('sale', 'use', 'days')),
  ADD COLUMN mature_days   integer;
UPDATE commission k SET amount_satang = o.commission_satang, due_satang = CASE k.state WHEN 'reversed' THEN 0 ELSE k.amount_satang END,
    paid_satang = o.total_satang, matures = o.matures, mature_days = o.mature_days,
    matures_at = CASE o.matures WHEN 'days' THEN ((k.created_at AT TIME ZONE 'Asia/Bangkok')::date + o.mature_days + 1)::timestamp AT TIME ZONE 'Asia/Bangkok' ELSE k.created_at END
  FROM orders o WHERE o.id = k.order_id;
ALTER TABLE commission
  ALTER COLUMN due_satang SET NOT NULL,
  ALTER COLUMN paid_satang SET NOT NULL,
  ALTER COLUMN matures SET NOT NULL,
  ALTER COLUMN mature_days SET NOT NULL,
  ADD CONSTRAINT commission_due CHECK (due_satang BETWEEN 0 AND amount_satang),
  ADD CONSTRAINT commission_mature CHECK (mature_satang BETWEEN 0 AND due_satang),
  ADD CONSTRAINT commission_unpaid CHECK (unpaid_satang BETWEEN 0 AND paid_satang),
  DROP COLUMN state;
CREATE INDEX commission_to_mature ON commission (matures_at) WHERE matures_at IS NOT NULL;

-- What is due of a commission, or mature, moved by so much. The transfer of its id moved the money.
ALTER TABLE commission_reversal RENAME TO commission_change;
ALTER TABLE commission_change RENAME CONSTRAINT commission_reversal_commission TO commission_change_commission;
ALTER INDEX commission_reversal_pkey RENAME TO commission_change_pkey;
ALTER INDEX commission_reversal_by_commission RENAME TO commission_change_by_commission;
ALTER TABLE commission_change
  ADD COLUMN payee_id      uuid,
  ADD COLUMN due_satang    bigint,
  ADD COLUMN mature_satang bigint NOT NULL DEFAULT 0;
UPDATE commission_change c SET payee_id = k.agent_id, due_satang = -c.amount_satang FROM commission k WHERE k.id = c.commission_id;
ALTER TABLE commission_change
  ALTER COLUMN payee_id SET NOT NULL,
  ALTER COLUMN due_satang SET NOT NULL,
  ALTER COLUMN mature_satang DROP DEFAULT,
  DROP COLUMN amount_satang,
  ADD CONSTRAINT commission_change_moved CHECK (due_satang <> 0 OR mature_satang <> 0);
CREATE INDEX commission_change_by_payee ON commission_change (payee_id, id);

-- What a payee can be paid out, or owes because it was taken back after he had been paid: the balances of two of his accounts, of which one is nothing.
CREATE TABLE payee_balance (
  payee_id          uuid PRIMARY KEY,
  payable_satang    bigint NOT NULL DEFAULT 0 CONSTRAINT payee_balance_payable CHECK (payable_satang >= 0),
  receivable_satang bigint NOT NULL DEFAULT 0 CONSTRAINT payee_balance_receivable CHECK (receivable_satang >= 0),
  CONSTRAINT payee_balance_one CHECK (payable_satang = 0 OR receivable_satang = 0)
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('REVOKE UPDATE ON commission FROM %I', current_schema());
  EXECUTE format('GRANT UPDATE (due_satang, mature_satang, paid_satang, unpaid_satang, matures_at, updated_at) ON commission TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT ON payee_balance TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (payable_satang, receivable_satang) ON payee_balance TO %I', current_schema());
END $$;
-- +goose StatementEnd
