-- What was sold, used and paid in, and who came, added up by day and hour of Bangkok. A worker adds what the outbox names
-- (kind rollup.facts) and deletes those rows, so that a roll-up and the facts that wait are always a full count.
-- +goose Up
CREATE TABLE rollup (
  id          smallint PRIMARY KEY CONSTRAINT rollup_single CHECK (id = 1),
  followed_at timestamptz
);
INSERT INTO rollup (id) VALUES (1);

-- An order of several packages counts for each; first_orders counts it once, for the package of its first line.
CREATE TABLE sales_by_day (
  day               date NOT NULL,
  package_id        uuid NOT NULL,
  sale_channel      smallint NOT NULL,
  agent_id          uuid NOT NULL,
  orders            bigint NOT NULL,
  first_orders      bigint NOT NULL,
  quantity          bigint NOT NULL,
  gross_satang      bigint NOT NULL,
  fee_satang        bigint NOT NULL,
  commission_satang bigint NOT NULL,
  unearned_satang   bigint NOT NULL,
  PRIMARY KEY (day, package_id, sale_channel, agent_id)
);

CREATE TABLE sales_by_hour (
  hour         timestamptz PRIMARY KEY,
  orders       bigint NOT NULL,
  gross_satang bigint NOT NULL
);

CREATE TABLE uses_by_day (
  day              date NOT NULL,
  service_point_id uuid NOT NULL,
  package_id       uuid NOT NULL,
  uses             bigint NOT NULL,
  amount_satang    bigint NOT NULL,
  PRIMARY KEY (day, service_point_id, package_id)
);

CREATE TABLE uses_by_hour (
  hour timestamptz PRIMARY KEY,
  uses bigint NOT NULL
);

CREATE TABLE newcomers_by_hour (
  hour      timestamptz PRIMARY KEY,
  customers bigint NOT NULL
);

CREATE TABLE money_in_by_hour (
  hour          timestamptz NOT NULL,
  purpose       text NOT NULL,
  method        text NOT NULL,
  charges       bigint NOT NULL,
  amount_satang bigint NOT NULL,
  PRIMARY KEY (hour, purpose, method)
);

-- What is there already. These are the statements of tenants/rollup as they are today.
INSERT INTO sales_by_day
  SELECT day, package_id, sale_channel, agent_id, count(DISTINCT order_id), count(*) FILTER (WHERE position = 0), sum(quantity), sum(amount_satang),
    sum(fee), sum(given - fee), sum(amount_satang - given)
  FROM (SELECT order_id, day, package_id, sale_channel, agent_id, position, quantity, amount_satang, given,
      CASE WHEN whole = 0 THEN 0 ELSE div(fee * upto, whole) - div(fee * (upto - given), whole) END AS fee
    FROM (SELECT o.id AS order_id, (o.paid_at AT TIME ZONE 'Asia/Bangkok')::date AS day, l.package_id, o.sale_channel,
        coalesce(o.agent_id, '00000000-0000-0000-0000-000000000000') AS agent_id, l.position, l.quantity, l.amount_satang,
        l.amount_satang - v.share AS given, o.platform_fee_satang AS fee,
        sum(l.amount_satang - v.share) OVER (PARTITION BY o.id ORDER BY l.position) AS upto,
        sum(l.amount_satang - v.share) OVER (PARTITION BY o.id) AS whole
      FROM orders o JOIN order_line l ON l.order_id = o.id
      CROSS JOIN LATERAL (SELECT coalesce(sum(share_satang), 0) AS share FROM voucher WHERE order_id = o.id AND line_position = l.position) v
      WHERE o.paid_at IS NOT NULL) line) part
  GROUP BY 1, 2, 3, 4;
INSERT INTO sales_by_hour
  SELECT date_trunc('hour', paid_at), count(*), sum(total_satang) FROM orders WHERE paid_at IS NOT NULL GROUP BY 1;
INSERT INTO uses_by_day
  SELECT (r.at AT TIME ZONE 'Asia/Bangkok')::date, r.service_point_id, l.package_id, count(*), sum(r.amount_satang)
  FROM redemption r JOIN voucher v ON v.id = r.voucher_id JOIN order_line l ON l.order_id = v.order_id AND l.position = v.line_position GROUP BY 1, 2, 3;
INSERT INTO uses_by_hour SELECT date_trunc('hour', at), count(*) FROM redemption GROUP BY 1;
INSERT INTO newcomers_by_hour SELECT date_trunc('hour', created_at), count(*) FROM customer GROUP BY 1;
INSERT INTO money_in_by_hour
  SELECT date_trunc('hour', captured_at), purpose, method, count(*), sum(captured_satang) FROM charge WHERE captured_at IS NOT NULL GROUP BY 1, 2, 3;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON sales_by_day, sales_by_hour, uses_by_day, uses_by_hour, newcomers_by_hour, money_in_by_hour TO %I', current_schema());
  EXECUTE format('GRANT SELECT, UPDATE ON rollup TO %I', current_schema());
END $$;
-- +goose StatementEnd
