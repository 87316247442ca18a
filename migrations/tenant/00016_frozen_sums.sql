-- What a voucher's price is made of is frozen with its sale, so that any slice of it can be given back to the satang. What a
-- customer owes whose money went back is kept beside it: what each step changed, which vouchers are frozen for it, and what
-- the organisation has to decide.
-- +goose Up

-- fee_satang, commission_satang: the platform's and the agent's part of the price, beside the seller's share_satang.
-- platform_discount_satang: what the platform paid of it. items_out: items that were taken back, from the last on; used are
-- items_total - items_left - items_out, from the first on. frozen_for: the charge because of whose money it is frozen.
ALTER TABLE voucher
  ADD COLUMN fee_satang bigint NOT NULL DEFAULT 0,
  ADD COLUMN commission_satang bigint NOT NULL DEFAULT 0,
  ADD COLUMN platform_discount_satang bigint NOT NULL DEFAULT 0,
  ADD COLUMN items_out bigint NOT NULL DEFAULT 0,
  ADD COLUMN frozen_for uuid CONSTRAINT voucher_frozen_for REFERENCES charge (id);

-- Orders sold so far have one fee and one commission. What a line gave up is its price less what its vouchers carry; of that
-- the fee is a share cut by running sums, as the daily report has always shown it.
UPDATE order_line t SET agreed = t.agreed || jsonb_build_object('fee_satang', part.fee, 'commission_satang', part.given - part.fee)
FROM (
  SELECT order_id, position, given, CASE WHEN whole = 0 THEN 0 ELSE div(fee::numeric * upto, whole) - div(fee::numeric * (upto - given), whole) END AS fee
  FROM (
    SELECT l.order_id, l.position, o.platform_fee_satang AS fee, l.amount_satang - (l.agreed->>'seller_satang')::bigint AS given,
      sum(l.amount_satang - (l.agreed->>'seller_satang')::bigint) OVER (PARTITION BY o.id ORDER BY l.position) AS upto,
      sum(l.amount_satang - (l.agreed->>'seller_satang')::bigint) OVER (PARTITION BY o.id) AS whole
    FROM orders o JOIN order_line l ON l.order_id = o.id WHERE l.agreed IS NOT NULL
  ) line
) part
WHERE t.order_id = part.order_id AND t.position = part.position;

-- A line's parts are divided over its vouchers by what they carry for the seller (all zero: equally), by largest remainder.
UPDATE voucher t SET
  fee_satang = part.fee_floor + CASE WHEN part.fee_rank <= part.fee_rest THEN 1 ELSE 0 END,
  commission_satang = part.commission_floor + CASE WHEN part.commission_rank <= part.commission_rest THEN 1 ELSE 0 END
FROM (
  SELECT id, fee_floor, commission_floor,
    fee - sum(fee_floor) OVER line AS fee_rest, commission - sum(commission_floor) OVER line AS commission_rest,
    row_number() OVER (PARTITION BY order_id, line_position ORDER BY fee_lost DESC, id) AS fee_rank,
    row_number() OVER (PARTITION BY order_id, line_position ORDER BY commission_lost DESC, id) AS commission_rank
  FROM (
    SELECT id, order_id, line_position, fee, given - fee AS commission,
      div(fee * weight, weights) AS fee_floor, mod(fee * weight, weights) AS fee_lost,
      div((given - fee) * weight, weights) AS commission_floor, mod((given - fee) * weight, weights) AS commission_lost
    FROM (
      SELECT v.id, v.order_id, v.line_position, l.given,
        CASE WHEN l.whole = 0 THEN 0 ELSE div(l.fee::numeric * l.upto, l.whole) - div(l.fee::numeric * (l.upto - l.given), l.whole) END AS fee,
        (CASE WHEN l.share = 0 THEN 1 ELSE v.share_satang END)::numeric AS weight,
        (CASE WHEN l.share = 0 THEN l.vouchers ELSE l.share END)::numeric AS weights
      FROM voucher v JOIN (
        SELECT l.order_id, l.position, o.platform_fee_satang AS fee, s.share, s.vouchers, l.amount_satang - s.share AS given,
          sum(l.amount_satang - s.share) OVER (PARTITION BY o.id ORDER BY l.position) AS upto,
          sum(l.amount_satang - s.share) OVER (PARTITION BY o.id) AS whole
        FROM orders o JOIN order_line l ON l.order_id = o.id
        JOIN (SELECT order_id, line_position, sum(share_satang) AS share, count(*) AS vouchers FROM voucher GROUP BY 1, 2) s
          ON s.order_id = l.order_id AND s.line_position = l.position
      ) l ON l.order_id = v.order_id AND l.position = v.line_position
    ) weighted
  ) floored
  WINDOW line AS (PARTITION BY order_id, line_position)
) part
WHERE t.id = part.id;

UPDATE voucher SET frozen_for = order_id WHERE state = 'frozen' AND order_id IN (SELECT id FROM charge);
ALTER TABLE voucher
  ALTER COLUMN fee_satang DROP DEFAULT,
  ALTER COLUMN commission_satang DROP DEFAULT,
  ALTER COLUMN platform_discount_satang DROP DEFAULT,
  ADD CONSTRAINT voucher_sums CHECK (least(fee_satang, commission_satang, platform_discount_satang) >= 0 AND platform_discount_satang <= share_satang),
  ADD CONSTRAINT voucher_items_out CHECK (items_out >= 0 AND items_left + items_out <= items_total),
  ADD CONSTRAINT voucher_frozen_state CHECK (frozen_for IS NULL OR state = 'frozen');
CREATE INDEX voucher_frozen ON voucher (frozen_for) WHERE frozen_for IS NOT NULL;

-- A line whose vouchers were all taken back before anything was used: its stock and its customer's limit are free again.
ALTER TABLE order_line ADD COLUMN returned_at timestamptz;

-- debt_satang: what a customer's charges owe, less the worth of the vouchers that are frozen for it.
ALTER TABLE customer ADD COLUMN debt_satang bigint NOT NULL DEFAULT 0 CONSTRAINT customer_debt CHECK (debt_satang >= 0);

-- What each step changed: owed_satang of what the charge owes, wallet_satang of the payer's wallet. taken_back: vouchers were
-- (its id is that of their voucher_event); debt_paid: from the wallet; borne: by the organisation.
ALTER TABLE charge_movement
  ADD COLUMN owed_satang bigint NOT NULL DEFAULT 0,
  ADD COLUMN wallet_satang bigint NOT NULL DEFAULT 0,
  DROP CONSTRAINT charge_movement_kind,
  ADD CONSTRAINT charge_movement_kind CHECK (kind IN ('fee', 'refund', 'dispute', 'dispute_won', 'taken_back', 'debt_paid', 'borne'));
UPDATE charge_movement m SET owed_satang = moved.owed, wallet_satang = moved.wallet
FROM (
  SELECT t.cause_id, sum(CASE WHEN d.kind = 'chargeback_receivable' THEN e.amount_satang WHEN c.kind = 'chargeback_receivable' THEN -e.amount_satang ELSE 0 END) AS owed,
    sum(CASE WHEN c.kind = 'wallet' THEN e.amount_satang WHEN d.kind = 'wallet' THEN -e.amount_satang ELSE 0 END) AS wallet
  FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN account d ON d.id = e.debit_id JOIN account c ON c.id = e.credit_id
  WHERE t.kind = 'chargeback' GROUP BY 1
) moved
WHERE moved.cause_id = m.id;
CREATE INDEX charge_owing ON charge (customer_id) WHERE owed_satang > 0;

-- What happened to a voucher that its states alone do not tell; charge_id is because of whose money.
CREATE TABLE voucher_event (
  id         uuid PRIMARY KEY,
  voucher_id uuid NOT NULL CONSTRAINT voucher_event_voucher REFERENCES voucher (id),
  event      text NOT NULL CONSTRAINT voucher_event_event CHECK (event IN ('freeze', 'release', 'refund', 'void')),
  from_state text NOT NULL,
  to_state   text NOT NULL,
  items      bigint NOT NULL CONSTRAINT voucher_event_items CHECK (items >= 0),
  charge_id  uuid CONSTRAINT voucher_event_charge REFERENCES charge (id),
  at         timestamptz NOT NULL
);
CREATE INDEX voucher_event_by_voucher ON voucher_event (voucher_id, id);
CREATE INDEX voucher_event_by_charge ON voucher_event (charge_id, id);

-- What the organisation has to decide about money. refund: the gateway sent back what no whole unused item covers; when
-- due_at has come the organisation bears it. wrong_sum: a charge was paid with another sum than was asked for.
CREATE TABLE charge_case (
  id            uuid PRIMARY KEY,
  charge_id     uuid NOT NULL CONSTRAINT charge_case_charge REFERENCES charge (id),
  kind          text NOT NULL CONSTRAINT charge_case_kind CHECK (kind IN ('refund', 'wrong_sum')),
  amount_satang bigint NOT NULL CONSTRAINT charge_case_amount CHECK (amount_satang > 0),
  opened_at     timestamptz NOT NULL,
  due_at        timestamptz,
  closed_at     timestamptz,
  outcome       text NOT NULL DEFAULT '' CONSTRAINT charge_case_outcome CHECK (outcome IN ('', 'covered', 'borne')),
  CONSTRAINT charge_case_closed CHECK ((closed_at IS NULL) = (outcome = '')),
  CONSTRAINT charge_case_due CHECK ((kind = 'refund') = (due_at IS NOT NULL))
);
CREATE UNIQUE INDEX charge_case_open ON charge_case (charge_id, kind) WHERE closed_at IS NULL;
CREATE INDEX charge_case_due_at ON charge_case (due_at) WHERE closed_at IS NULL;

ALTER TABLE account DROP CONSTRAINT account_kind, ADD CONSTRAINT account_kind CHECK (kind IN (
  'gateway', 'wallet', 'unearned', 'payable', 'platform_fee', 'gateway_fee', 'commission_pending', 'commission_payable',
  'commission_receivable', 'bank_clearing', 'withholding_tax', 'breakage', 'chargeback_receivable', 'adjustment'));

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON voucher_event, charge_case TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (amount_satang, closed_at, outcome) ON charge_case TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (returned_at) ON order_line TO %I', current_schema());
END $$;
-- +goose StatementEnd
