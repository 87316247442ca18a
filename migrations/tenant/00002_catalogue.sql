-- What the organisation sells, and where it is honoured.
-- +goose Up

-- An uploaded picture, re-encoded; the objects lie in the store under the organisation's prefix.
CREATE TABLE picture (
  id         uuid PRIMARY KEY,
  width      integer NOT NULL,
  height     integer NOT NULL,
  bytes      integer NOT NULL,
  colour     text NOT NULL,
  created_by uuid,
  created_at timestamptz NOT NULL
);

CREATE TABLE service_point (
  id         uuid PRIMARY KEY,
  name_th    text NOT NULL,
  name_en    text NOT NULL,
  address_th text NOT NULL DEFAULT '',
  address_en text NOT NULL DEFAULT '',
  phone      text NOT NULL DEFAULT '',
  latitude   double precision,
  longitude  double precision,
  hours_th   text NOT NULL DEFAULT '',
  hours_en   text NOT NULL DEFAULT '',
  status     smallint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE tag (
  id         uuid PRIMARY KEY,
  name_th    text NOT NULL,
  name_en    text NOT NULL,
  position   integer NOT NULL DEFAULT 0,
  status     smallint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- The template of an issued voucher: what is received, how often, how long, where, and who may get it.
CREATE TABLE voucher_type (
  id                uuid PRIMARY KEY,
  name_th           text NOT NULL,
  name_en           text NOT NULL,
  items             integer NOT NULL CONSTRAINT voucher_type_items CHECK (items BETWEEN 1 AND 999),
  list_price_satang bigint NOT NULL CONSTRAINT voucher_type_price CHECK (list_price_satang >= 0),
  valid_days        integer CONSTRAINT voucher_type_days CHECK (valid_days BETWEEN 1 AND 3650),
  valid_until       date,
  transfer_rule     text NOT NULL CONSTRAINT voucher_type_rule CHECK (transfer_rule IN ('none', 'times', 'unlimited')),
  transfer_times    integer NOT NULL DEFAULT 0 CONSTRAINT voucher_type_times CHECK (transfer_times BETWEEN 0 AND 99),
  transfer_together boolean NOT NULL DEFAULT false,
  expiry_rule       text NOT NULL DEFAULT 'breakage' CONSTRAINT voucher_type_expiry CHECK (expiry_rule IN ('breakage', 'wallet')),
  vat_point         text NOT NULL DEFAULT 'sale' CONSTRAINT voucher_type_vat CHECK (vat_point IN ('sale', 'use')),
  conditions_th     text NOT NULL DEFAULT '',
  conditions_en     text NOT NULL DEFAULT '',
  picture_id        uuid CONSTRAINT voucher_type_picture REFERENCES picture (id),
  status            smallint NOT NULL,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  CONSTRAINT voucher_type_validity CHECK ((valid_days IS NULL) <> (valid_until IS NULL))
);

-- A gift voucher is worth baht at its service points; its items are satang.
CREATE TABLE gift_voucher (
  id                uuid PRIMARY KEY,
  name_th           text NOT NULL,
  name_en           text NOT NULL,
  value_satang      bigint NOT NULL CONSTRAINT gift_voucher_value CHECK (value_satang > 0),
  valid_days        integer CONSTRAINT gift_voucher_days CHECK (valid_days BETWEEN 1 AND 3650),
  valid_until       date,
  transfer_rule     text NOT NULL CONSTRAINT gift_voucher_rule CHECK (transfer_rule IN ('none', 'times', 'unlimited')),
  transfer_times    integer NOT NULL DEFAULT 0 CONSTRAINT gift_voucher_times CHECK (transfer_times BETWEEN 0 AND 99),
  transfer_together boolean NOT NULL DEFAULT false,
  expiry_rule       text NOT NULL DEFAULT 'breakage' CONSTRAINT gift_voucher_expiry CHECK (expiry_rule IN ('breakage', 'wallet')),
  vat_point         text NOT NULL DEFAULT 'use' CONSTRAINT gift_voucher_vat CHECK (vat_point IN ('sale', 'use')),
  conditions_th     text NOT NULL DEFAULT '',
  conditions_en     text NOT NULL DEFAULT '',
  picture_id        uuid CONSTRAINT gift_voucher_picture REFERENCES picture (id),
  status            smallint NOT NULL,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  CONSTRAINT gift_voucher_validity CHECK ((valid_days IS NULL) <> (valid_until IS NULL))
);

-- Where a type or a gift voucher is honoured; no row means everywhere.
CREATE TABLE voucher_place (
  template_id      uuid NOT NULL,
  service_point_id uuid NOT NULL CONSTRAINT voucher_place_point REFERENCES service_point (id),
  PRIMARY KEY (template_id, service_point_id)
);

CREATE TABLE package (
  id                uuid PRIMARY KEY,
  code              text NOT NULL CONSTRAINT package_code UNIQUE,
  name_th           text NOT NULL,
  name_en           text NOT NULL,
  description_th    text NOT NULL DEFAULT '',
  description_en    text NOT NULL DEFAULT '',
  badge_th          text NOT NULL DEFAULT '',
  badge_en          text NOT NULL DEFAULT '',
  picture_id        uuid CONSTRAINT package_picture REFERENCES picture (id),
  price_satang      bigint NOT NULL CONSTRAINT package_price CHECK (price_satang BETWEEN 0 AND 1000000000000),
  list_price_satang bigint CONSTRAINT package_list_price CHECK (list_price_satang >= 0),
  sale_from         timestamptz,
  sale_to           timestamptz,
  per_customer      integer CONSTRAINT package_per_customer CHECK (per_customer > 0),
  featured          boolean NOT NULL DEFAULT false,
  status            smallint NOT NULL,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  CONSTRAINT package_period CHECK (sale_from IS NULL OR sale_to IS NULL OR sale_from < sale_to)
);
CREATE INDEX package_on_sale ON package (status, created_at DESC, id);

CREATE TABLE package_item (
  package_id      uuid NOT NULL CONSTRAINT package_item_package REFERENCES package (id),
  position        smallint NOT NULL,
  voucher_type_id uuid CONSTRAINT package_item_type REFERENCES voucher_type (id),
  gift_voucher_id uuid CONSTRAINT package_item_gift REFERENCES gift_voucher (id),
  quantity        integer NOT NULL CONSTRAINT package_item_quantity CHECK (quantity BETWEEN 1 AND 99),
  PRIMARY KEY (package_id, position),
  CONSTRAINT package_item_one CHECK ((voucher_type_id IS NULL) <> (gift_voucher_id IS NULL))
);

CREATE TABLE package_tag (
  package_id uuid NOT NULL CONSTRAINT package_tag_package REFERENCES package (id),
  tag_id     uuid NOT NULL CONSTRAINT package_tag_tag REFERENCES tag (id),
  PRIMARY KEY (package_id, tag_id)
);
CREATE INDEX package_tag_by_tag ON package_tag (tag_id, package_id);

-- What is left to sell. Apart from the package, so that editing one never waits for its buyers.
CREATE TABLE stock (
  package_id uuid PRIMARY KEY CONSTRAINT stock_package REFERENCES package (id),
  quantity   bigint CONSTRAINT stock_quantity CHECK (quantity >= 0),
  sold       bigint NOT NULL DEFAULT 0 CONSTRAINT stock_sold CHECK (sold >= 0),
  CONSTRAINT stock_not_oversold CHECK (quantity IS NULL OR sold <= quantity)
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON picture, service_point, tag, voucher_type, gift_voucher, voucher_place, package, package_item, package_tag, stock TO %I', current_schema());
  EXECUTE format('GRANT DELETE ON voucher_place, package_item, package_tag TO %I', current_schema());
END $$;
-- +goose StatementEnd
