-- Points of members: what an order will bring, what it has brought, and the lots in which a customer has them until they lapse.
-- +goose Up

-- How many baht bring a point; 0: none. points_tag_id: of packages with that tag alone. points_due: when the window of refunds has passed, or as items are used. They lapse at the
-- end of the month so many months later.
ALTER TABLE card_type_version
  ADD COLUMN points_baht integer NOT NULL DEFAULT 0 CONSTRAINT card_type_version_points_baht CHECK (points_baht BETWEEN 0 AND 10000),
  ADD COLUMN points_tag_id uuid CONSTRAINT card_type_version_points_tag REFERENCES tag (id),
  ADD COLUMN points_due text NOT NULL DEFAULT '' CONSTRAINT card_type_version_points_due CHECK (points_due IN ('', 'window', 'use')),
  ADD COLUMN points_months smallint NOT NULL DEFAULT 0,
  ADD CONSTRAINT card_type_version_points CHECK (CASE points_baht WHEN 0 THEN points_due = '' AND points_months = 0 AND points_tag_id IS NULL ELSE points_due <> '' AND points_months BETWEEN 1 AND 60 END);

-- A lot of points is an account of its own for each day on which points lapse.
ALTER TABLE account
  DROP CONSTRAINT account_kind,
  ADD CONSTRAINT account_kind CHECK (kind IN (
    'gateway', 'gateway_platform', 'gateway_own', 'gateway_platform_test', 'gateway_own_test', 'wallet', 'unearned', 'payable',
    'platform_fee', 'gateway_fee', 'commission_pending', 'commission_payable', 'commission_receivable', 'bank_clearing',
    'withholding_tax', 'breakage', 'chargeback_receivable', 'use_objection', 'adjustment',
    'points_issued', 'points_spent', 'points_lapsed', 'points_owed', 'point_lot')),
  ADD COLUMN lapses_on date,
  ADD CONSTRAINT account_lapses_on CHECK ((kind = 'point_lot') = (lapses_on IS NOT NULL));
DROP INDEX account_held;
CREATE UNIQUE INDEX account_held ON account (kind, holder_id) WHERE holder_id IS NOT NULL AND lapses_on IS NULL;
CREATE UNIQUE INDEX account_lot ON account (kind, holder_id, lapses_on) WHERE lapses_on IS NOT NULL;

-- What a lot has left. lapses_on: the last day on which its points are good.
CREATE TABLE point_lot (
  account_id  uuid PRIMARY KEY CONSTRAINT point_lot_account REFERENCES account (id),
  customer_id uuid NOT NULL CONSTRAINT point_lot_customer REFERENCES customer (id),
  lapses_on   date NOT NULL,
  points_left bigint NOT NULL CONSTRAINT point_lot_not_negative CHECK (points_left >= 0),
  updated_at  timestamptz NOT NULL,
  CONSTRAINT point_lot_once UNIQUE (customer_id, lapses_on)
);
CREATE INDEX point_lot_lapses_i ON point_lot (lapses_on, customer_id) WHERE points_left > 0;

-- Points that were taken back of who did not have them any more.
CREATE TABLE point_owed (
  customer_id uuid PRIMARY KEY CONSTRAINT point_owed_customer REFERENCES customer (id),
  points      bigint NOT NULL CONSTRAINT point_owed_not_negative CHECK (points >= 0),
  updated_at  timestamptz NOT NULL
);

-- What a member's order brings at most: positions and paid_satang are of its lines that count. counts_from: when the window of refunds has passed; NULL where points come with
-- uses. granted: what it has brought, less what was taken back. due_at: when what is due of it is looked at again. ended_at: its customer has left, so nothing changes any more.
CREATE TABLE point_order (
  order_id    uuid PRIMARY KEY CONSTRAINT point_order_order REFERENCES orders (id),
  customer_id uuid NOT NULL CONSTRAINT point_order_customer REFERENCES customer (id),
  version_id  uuid NOT NULL CONSTRAINT point_order_version REFERENCES card_type_version (id),
  positions   smallint[] NOT NULL,
  paid_satang bigint NOT NULL CONSTRAINT point_order_paid CHECK (paid_satang > 0),
  points      bigint NOT NULL CONSTRAINT point_order_points CHECK (points > 0),
  counts_from timestamptz,
  granted     bigint NOT NULL DEFAULT 0 CONSTRAINT point_order_granted CHECK (granted BETWEEN 0 AND points),
  due_at      timestamptz,
  ended_at    timestamptz,
  created_at  timestamptz NOT NULL,
  CONSTRAINT point_order_ended CHECK (ended_at IS NULL OR due_at IS NULL)
);
CREATE INDEX point_order_due_i ON point_order (due_at, customer_id) WHERE due_at IS NOT NULL;
CREATE INDEX point_order_customer_i ON point_order (customer_id, created_at);

-- What an order has brought, or, below zero, what was taken back of a grant of it. moved: false where that grant had lapsed, so that nothing was taken.
CREATE TABLE point_grant (
  id          uuid PRIMARY KEY,
  order_id    uuid NOT NULL CONSTRAINT point_grant_order REFERENCES point_order (order_id),
  customer_id uuid NOT NULL CONSTRAINT point_grant_customer REFERENCES customer (id),
  points      bigint NOT NULL CONSTRAINT point_grant_points CHECK (points <> 0),
  lapses_on   date NOT NULL,
  grant_id    uuid CONSTRAINT point_grant_grant REFERENCES point_grant (id),
  moved       boolean NOT NULL,
  at          timestamptz NOT NULL,
  CONSTRAINT point_grant_of CHECK ((points < 0) = (grant_id IS NOT NULL) AND (moved OR points < 0))
);
CREATE INDEX point_grant_order_i ON point_grant (order_id);
CREATE INDEX point_grant_customer_i ON point_grant (customer_id, at);
CREATE INDEX point_grant_at_i ON point_grant (at, id);

-- Points that have lapsed: of a lot, by its day, or all of a customer who left.
CREATE TABLE point_lapse (
  id          uuid PRIMARY KEY,
  customer_id uuid NOT NULL CONSTRAINT point_lapse_customer REFERENCES customer (id),
  points      bigint NOT NULL CONSTRAINT point_lapse_points CHECK (points > 0),
  lapses_on   date,
  at          timestamptz NOT NULL
);
CREATE INDEX point_lapse_customer_i ON point_lapse (customer_id, at);
CREATE INDEX point_lapse_at_i ON point_lapse (at, id);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON point_lot, point_owed, point_order, point_grant, point_lapse TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (points_left, updated_at) ON point_lot TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (points, updated_at) ON point_owed TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (granted, due_at, ended_at) ON point_order TO %I', current_schema());
END $$;
-- +goose StatementEnd
