-- What reports add up: the entries of days that are sealed, and what discounts took off.
-- +goose Up

-- The entries of a day, by the kind of their transfer and the kinds of their accounts. A worker adds days that are sealed; rollup.entries_until is
-- the last one. Later days are counted by who asks.
CREATE TABLE entries_by_day (
  day           date NOT NULL,
  kind          text NOT NULL,
  debit         text NOT NULL,
  credit        text NOT NULL,
  entries       bigint NOT NULL,
  amount_satang bigint NOT NULL,
  PRIMARY KEY (day, kind, debit, credit)
);
ALTER TABLE rollup ADD COLUMN entries_until date;

-- An order that a discount is for twice counts for both packages; uses counts it once, for the first of them.
CREATE TABLE discounts_by_day (
  day           date NOT NULL,
  discount_id   uuid NOT NULL,
  payer         text NOT NULL,
  package_id    uuid NOT NULL,
  sale_channel  smallint NOT NULL,
  uses          bigint NOT NULL,
  amount_satang bigint NOT NULL,
  PRIMARY KEY (day, discount_id, payer, package_id, sale_channel)
);
INSERT INTO discounts_by_day
  SELECT (o.paid_at AT TIME ZONE 'Asia/Bangkok')::date, d.discount_id, d.payer, l.package_id, o.sale_channel,
    count(*) FILTER (WHERE d.position = (SELECT min(f.position) FROM line_discount f WHERE f.order_id = d.order_id AND f.discount_id = d.discount_id)),
    sum(d.amount_satang)
  FROM orders o JOIN line_discount d ON d.order_id = o.id JOIN order_line l ON l.order_id = d.order_id AND l.position = d.position
  WHERE o.paid_at IS NOT NULL GROUP BY 1, 2, 3, 4, 5;

CREATE INDEX refund_made_at ON refund (made_at, id);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON entries_by_day, discounts_by_day TO %I', current_schema());
END $$;
-- +goose StatementEnd
