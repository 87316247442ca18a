-- Orders, the vouchers they issue, how vouchers are used, and who sold them.
-- +goose Up

CREATE TABLE agent_type (
  id                uuid PRIMARY KEY,
  name_th           text NOT NULL,
  name_en           text NOT NULL,
  rate_basis_points integer NOT NULL CONSTRAINT agent_type_rate CHECK (rate_basis_points BETWEEN 0 AND 5000),
  matures           text NOT NULL CONSTRAINT agent_type_matures CHECK (matures IN ('sale', 'use', 'days')),
  mature_days       integer NOT NULL DEFAULT 0 CONSTRAINT agent_type_days CHECK (mature_days BETWEEN 0 AND 365),
  status            smallint NOT NULL,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL
);

-- A customer approved to sell for commission.
CREATE TABLE agent (
  id            uuid PRIMARY KEY,
  customer_id   uuid NOT NULL CONSTRAINT agent_customer_once UNIQUE CONSTRAINT agent_customer REFERENCES customer (id),
  agent_type_id uuid NOT NULL CONSTRAINT agent_agent_type REFERENCES agent_type (id),
  status        smallint NOT NULL,
  approved_by   uuid,
  approved_at   timestamptz,
  created_at    timestamptz NOT NULL,
  updated_at    timestamptz NOT NULL
);

CREATE TABLE sale_link (
  id         uuid PRIMARY KEY,
  code       text NOT NULL CONSTRAINT sale_link_code UNIQUE,
  agent_id   uuid NOT NULL CONSTRAINT sale_link_agent REFERENCES agent (id),
  package_id uuid NOT NULL CONSTRAINT sale_link_package REFERENCES package (id),
  created_at timestamptz NOT NULL,
  CONSTRAINT sale_link_once UNIQUE (agent_id, package_id)
);

-- The link a customer opened last; it counts for thirty days.
CREATE TABLE link_visit (
  customer_id uuid PRIMARY KEY CONSTRAINT link_visit_customer REFERENCES customer (id),
  link_id     uuid NOT NULL CONSTRAINT link_visit_link REFERENCES sale_link (id),
  at          timestamptz NOT NULL
);

CREATE TABLE orders (
  id                  uuid PRIMARY KEY,
  number              text NOT NULL CONSTRAINT orders_number UNIQUE,
  customer_id         uuid NOT NULL CONSTRAINT orders_customer REFERENCES customer (id),
  state               text NOT NULL CONSTRAINT orders_state CHECK (state IN ('paid', 'part_refunded', 'refunded')),
  sale_channel        smallint NOT NULL,
  agent_id            uuid CONSTRAINT orders_agent REFERENCES agent (id),
  link_id             uuid CONSTRAINT orders_link REFERENCES sale_link (id),
  total_satang        bigint NOT NULL CONSTRAINT orders_total CHECK (total_satang >= 0),
  platform_fee_satang bigint NOT NULL CONSTRAINT orders_fee CHECK (platform_fee_satang >= 0),
  commission_satang   bigint NOT NULL CONSTRAINT orders_commission CHECK (commission_satang >= 0),
  quote_hash          text NOT NULL,
  paid_at             timestamptz NOT NULL,
  CONSTRAINT orders_parts CHECK (platform_fee_satang + commission_satang <= total_satang)
);
CREATE INDEX orders_by_customer ON orders (customer_id, id DESC);
CREATE INDEX orders_by_agent ON orders (agent_id, id DESC) WHERE agent_id IS NOT NULL;
CREATE INDEX orders_paid ON orders (paid_at);

CREATE TABLE order_line (
  order_id      uuid NOT NULL CONSTRAINT order_line_order REFERENCES orders (id),
  position      smallint NOT NULL,
  package_id    uuid NOT NULL CONSTRAINT order_line_package REFERENCES package (id),
  name_th       text NOT NULL,
  name_en       text NOT NULL,
  quantity      integer NOT NULL CONSTRAINT order_line_quantity CHECK (quantity > 0),
  unit_satang   bigint NOT NULL,
  amount_satang bigint NOT NULL,
  PRIMARY KEY (order_id, position)
);
CREATE INDEX order_line_package_i ON order_line (package_id);

-- One issued unit. items_total and items_left count items, or satang where kind is 'baht'.
-- share_satang is what of the price belongs to the seller for all items, frozen at sale; item i's share follows from it.
CREATE TABLE voucher (
  id               uuid PRIMARY KEY,
  code             text NOT NULL CONSTRAINT voucher_code UNIQUE,
  order_id         uuid NOT NULL CONSTRAINT voucher_order REFERENCES orders (id),
  line_position    smallint NOT NULL,
  template_id      uuid NOT NULL,
  kind             text NOT NULL CONSTRAINT voucher_kind CHECK (kind IN ('item', 'baht')),
  name_th          text NOT NULL,
  name_en          text NOT NULL,
  picture_id       uuid,
  owner_id         uuid NOT NULL CONSTRAINT voucher_owner REFERENCES customer (id),
  state            text NOT NULL CONSTRAINT voucher_state CHECK (state IN (
                     'ready', 'in_use', 'on_sale', 'in_transfer', 'frozen', 'used', 'expired', 'refunded', 'void')),
  items_total      bigint NOT NULL CONSTRAINT voucher_items_total CHECK (items_total > 0),
  items_left       bigint NOT NULL CONSTRAINT voucher_items_left CHECK (items_left >= 0),
  share_satang     bigint NOT NULL CONSTRAINT voucher_share CHECK (share_satang >= 0),
  valid_until      date NOT NULL,
  transfer_rule    text NOT NULL,
  transfers_left   integer NOT NULL DEFAULT 0,
  transfer_together boolean NOT NULL DEFAULT false,
  expiry_rule      text NOT NULL,
  vat_point        text NOT NULL,
  issued_at        timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  CONSTRAINT voucher_left_of_total CHECK (items_left <= items_total),
  CONSTRAINT voucher_used_is_empty CHECK ((state = 'used') = (items_left = 0))
);
CREATE INDEX voucher_by_owner ON voucher (owner_id, state, id DESC);
CREATE INDEX voucher_by_order ON voucher (order_id);
CREATE INDEX voucher_expiry ON voucher (valid_until) WHERE state IN ('ready', 'in_use', 'on_sale', 'in_transfer');

-- Ten minutes in which the owner shows a changing QR. A voucher has one open session at most.
CREATE TABLE use_session (
  id               uuid PRIMARY KEY,
  voucher_id       uuid NOT NULL CONSTRAINT use_session_voucher REFERENCES voucher (id),
  customer_id      uuid NOT NULL CONSTRAINT use_session_customer REFERENCES customer (id),
  service_point_id uuid NOT NULL CONSTRAINT use_session_point REFERENCES service_point (id),
  items            bigint NOT NULL CONSTRAINT use_session_items CHECK (items > 0),
  secret           bytea NOT NULL,
  typed_code       text NOT NULL CONSTRAINT use_session_typed_code UNIQUE,
  state            text NOT NULL CONSTRAINT use_session_state CHECK (state IN ('open', 'used', 'cancelled', 'expired')),
  opened_at        timestamptz NOT NULL,
  expires_at       timestamptz NOT NULL,
  closed_at        timestamptz
);
CREATE UNIQUE INDEX use_session_one_open ON use_session (voucher_id) WHERE state = 'open';
CREATE INDEX use_session_due ON use_session (expires_at) WHERE state = 'open';

-- What was used, where and before whom. Append-only; a session is redeemed once.
CREATE TABLE redemption (
  id               uuid PRIMARY KEY,
  use_session_id   uuid NOT NULL CONSTRAINT redemption_once UNIQUE CONSTRAINT redemption_session REFERENCES use_session (id),
  voucher_id       uuid NOT NULL CONSTRAINT redemption_voucher REFERENCES voucher (id),
  customer_id      uuid NOT NULL CONSTRAINT redemption_customer REFERENCES customer (id),
  service_point_id uuid NOT NULL CONSTRAINT redemption_point REFERENCES service_point (id),
  staff_id         uuid NOT NULL CONSTRAINT redemption_staff REFERENCES staff (id),
  items            bigint NOT NULL CONSTRAINT redemption_items CHECK (items > 0),
  items_left       bigint NOT NULL,
  amount_satang    bigint NOT NULL CONSTRAINT redemption_amount CHECK (amount_satang >= 0),
  at               timestamptz NOT NULL
);
CREATE INDEX redemption_by_voucher ON redemption (voucher_id, id);
CREATE INDEX redemption_by_point ON redemption (service_point_id, at);
CREATE INDEX redemption_at ON redemption (at);

-- Commission of one order: earned with the sale, paid out by a run, taken back with a refund.
CREATE TABLE commission (
  id            uuid PRIMARY KEY,
  order_id      uuid NOT NULL CONSTRAINT commission_once UNIQUE CONSTRAINT commission_order REFERENCES orders (id),
  agent_id      uuid NOT NULL CONSTRAINT commission_agent REFERENCES agent (id),
  amount_satang bigint NOT NULL CONSTRAINT commission_amount CHECK (amount_satang > 0),
  state         text NOT NULL CONSTRAINT commission_state CHECK (state IN ('pending', 'payable', 'paid', 'reversed')),
  matures_at    timestamptz,
  created_at    timestamptz NOT NULL,
  updated_at    timestamptz NOT NULL
);
CREATE INDEX commission_by_agent ON commission (agent_id, id DESC);

-- A file somebody asked for: made by a worker, with progress, until it is fetched or a week old.
CREATE TABLE report_job (
  id          uuid PRIMARY KEY,
  report      text NOT NULL,
  filter      jsonb NOT NULL,
  format      text NOT NULL CONSTRAINT report_job_format CHECK (format IN ('csv', 'xlsx')),
  lang        text NOT NULL,
  state       text NOT NULL CONSTRAINT report_job_state CHECK (state IN ('waiting', 'running', 'done', 'failed', 'cancelled')),
  rows_done   bigint NOT NULL DEFAULT 0,
  rows_total  bigint NOT NULL DEFAULT 0,
  object_key  text NOT NULL DEFAULT '',
  asked_by    uuid NOT NULL,
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL
);
CREATE INDEX report_job_by_person ON report_job (asked_by, created_at DESC);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON agent_type, agent, sale_link, link_visit, orders, voucher, use_session, commission, report_job TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT ON order_line, redemption TO %I', current_schema());
END $$;
-- +goose StatementEnd
