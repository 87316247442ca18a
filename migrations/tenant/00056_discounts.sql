-- What an organisation takes off a cart: by a code or by itself, on single lines or on the whole, paid by itself, by its agent or by the platform.
-- +goose Up

-- value: basis points of a percent discount; satang of one in baht, off each piece of a line or off the cart. max_satang: of a line or of the cart.
-- least_satang, least_items: of the lines that it is for. position: the order in which discounts on the cart are counted.
CREATE TABLE discount (
  id           uuid PRIMARY KEY,
  name_th      text NOT NULL,
  name_en      text NOT NULL,
  how          text NOT NULL CONSTRAINT discount_how CHECK (how IN ('automatic', 'code', 'codes')),
  class        text NOT NULL CONSTRAINT discount_class CHECK (class IN ('line', 'cart')),
  kind         text NOT NULL CONSTRAINT discount_kind CHECK (kind IN ('percent', 'baht')),
  value        bigint NOT NULL,
  max_satang   bigint CONSTRAINT discount_max CHECK (max_satang > 0),
  payer        text NOT NULL CONSTRAINT discount_payer CHECK (payer IN ('organisation', 'agent', 'platform')),
  least_satang bigint NOT NULL DEFAULT 0 CONSTRAINT discount_least CHECK (least_satang >= 0),
  least_items  integer NOT NULL DEFAULT 0 CONSTRAINT discount_least_items CHECK (least_items >= 0),
  first_only   boolean NOT NULL DEFAULT false,
  starts_at    timestamptz,
  ends_at      timestamptz,
  uses_each    integer CONSTRAINT discount_uses_each CHECK (uses_each > 0),
  stack        text NOT NULL CONSTRAINT discount_stack CHECK (stack IN ('alone', 'with_line', 'all')),
  position     integer NOT NULL DEFAULT 0,
  status       smallint NOT NULL,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  CONSTRAINT discount_value CHECK (value >= CASE status WHEN 5 THEN 1 ELSE 0 END AND (kind = 'baht' OR value <= 10000)),
  CONSTRAINT discount_period CHECK (starts_at < ends_at)
);

-- What a discount is for: a package, those with a tag, a channel of sale. Without a row of a package or a tag it is for all, and so of channels.
CREATE TABLE discount_scope (
  discount_id uuid NOT NULL CONSTRAINT discount_scope_discount REFERENCES discount (id),
  position    smallint NOT NULL,
  package_id  uuid CONSTRAINT discount_scope_package REFERENCES package (id),
  tag_id      uuid CONSTRAINT discount_scope_tag REFERENCES tag (id),
  channel     smallint,
  PRIMARY KEY (discount_id, position),
  CONSTRAINT discount_scope_one CHECK (num_nonnulls(package_id, tag_id, channel) = 1)
);

-- uses: how often it may be used; NULL: as often as its discount. customer_id: who alone may use it.
CREATE TABLE discount_code (
  id          uuid PRIMARY KEY,
  discount_id uuid NOT NULL CONSTRAINT discount_code_discount REFERENCES discount (id),
  code        text NOT NULL CONSTRAINT discount_code_code UNIQUE,
  uses        integer CONSTRAINT discount_code_uses CHECK (uses > 0),
  used        integer NOT NULL DEFAULT 0 CONSTRAINT discount_code_used CHECK (used >= 0),
  customer_id uuid CONSTRAINT discount_code_customer REFERENCES customer (id),
  status      smallint NOT NULL DEFAULT 5,
  created_at  timestamptz NOT NULL,
  CONSTRAINT discount_code_used_up CHECK (used <= uses)
);
CREATE INDEX discount_code_discount_i ON discount_code (discount_id, id);

-- How often a discount is used, and what it took off, in orders that are neither over nor refunded whole; and how often and how much it may.
CREATE TABLE discount_count (
  discount_id   uuid PRIMARY KEY CONSTRAINT discount_count_discount REFERENCES discount (id),
  uses          integer CONSTRAINT discount_count_uses CHECK (uses > 0),
  used          integer NOT NULL DEFAULT 0 CONSTRAINT discount_count_used CHECK (used >= 0),
  budget_satang bigint CONSTRAINT discount_count_budget CHECK (budget_satang > 0),
  spent_satang  bigint NOT NULL DEFAULT 0 CONSTRAINT discount_count_spent CHECK (spent_satang >= 0),
  CONSTRAINT discount_count_used_up CHECK (used <= uses),
  CONSTRAINT discount_count_budget_spent CHECK (spent_satang <= budget_satang)
);

-- A use is taken when payment starts, and freed when its order expires or is refunded whole. nth: of the customer's.
CREATE TABLE discount_use (
  id            uuid PRIMARY KEY,
  order_id      uuid NOT NULL CONSTRAINT discount_use_order REFERENCES orders (id),
  discount_id   uuid NOT NULL CONSTRAINT discount_use_discount REFERENCES discount (id),
  code_id       uuid CONSTRAINT discount_use_code REFERENCES discount_code (id),
  customer_id   uuid NOT NULL CONSTRAINT discount_use_customer REFERENCES customer (id),
  nth           integer NOT NULL CONSTRAINT discount_use_nth CHECK (nth > 0),
  amount_satang bigint NOT NULL CONSTRAINT discount_use_amount CHECK (amount_satang > 0),
  used_at       timestamptz NOT NULL,
  freed_at      timestamptz,
  CONSTRAINT discount_use_order_once UNIQUE (order_id, discount_id)
);
CREATE UNIQUE INDEX discount_use_once ON discount_use (discount_id, customer_id, nth) WHERE freed_at IS NULL;
CREATE INDEX discount_use_discount_i ON discount_use (discount_id, id);
CREATE INDEX discount_use_customer_i ON discount_use (customer_id, id);
CREATE INDEX discount_use_code_i ON discount_use (code_id) WHERE code_id IS NOT NULL;

-- What each discount took off a line, and who paid it.
CREATE TABLE line_discount (
  order_id      uuid NOT NULL,
  position      smallint NOT NULL,
  discount_id   uuid NOT NULL CONSTRAINT line_discount_discount REFERENCES discount (id),
  payer         text NOT NULL CONSTRAINT line_discount_payer CHECK (payer IN ('organisation', 'agent', 'platform')),
  amount_satang bigint NOT NULL CONSTRAINT line_discount_amount CHECK (amount_satang > 0),
  PRIMARY KEY (order_id, position, discount_id),
  CONSTRAINT line_discount_line FOREIGN KEY (order_id, position) REFERENCES order_line (order_id, position)
);

-- The names that the option list had are discounts that give nothing yet.
INSERT INTO discount (id, name_th, name_en, how, class, kind, value, payer, stack, position, status, created_at, updated_at)
SELECT id, name_th, name_en, 'automatic', 'cart', 'percent', 0, 'organisation', 'alone', position, CASE status WHEN 5 THEN 2 ELSE status END, created_at, updated_at
FROM list_option WHERE list = 'discount';
INSERT INTO discount_count (discount_id) SELECT id FROM list_option WHERE list = 'discount';
DELETE FROM list_option WHERE list = 'discount';
ALTER TABLE list_option DROP CONSTRAINT list_option_list, ADD CONSTRAINT list_option_list CHECK (list IN ('customertype', 'salechannel', 'qrtype', 'timeslot',
  'service', 'size', 'privilege', 'membercardtype', 'accesscontrol'));

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON discount TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON discount_scope TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT ON discount_code, discount_count, discount_use, line_discount TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (code, uses, used, customer_id, status) ON discount_code TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (uses, used, budget_satang, spent_satang) ON discount_count TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (freed_at) ON discount_use TO %I', current_schema());
END $$;
-- +goose StatementEnd
