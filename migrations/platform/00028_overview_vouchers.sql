-- Vouchers of all organisations, as they are listed together: copied from each. Who holds one is read from overview_customer, so that his name goes
-- with him.
-- +goose Up
CREATE TABLE overview_voucher (
  org_id      uuid NOT NULL CONSTRAINT overview_voucher_org REFERENCES organisation (id),
  id          uuid NOT NULL,
  code        text NOT NULL,
  name_th     text NOT NULL,
  name_en     text NOT NULL,
  kind        text NOT NULL,
  state       text NOT NULL,
  holder_id   uuid NOT NULL,
  items_total bigint NOT NULL,
  items_left  bigint NOT NULL,
  valid_until date NOT NULL,
  issued_at   timestamptz NOT NULL,
  PRIMARY KEY (org_id, id)
);
-- A voucher's id is ordered by when it was made.
CREATE INDEX overview_voucher_made ON overview_voucher (id, org_id);
CREATE INDEX overview_voucher_state ON overview_voucher (state, id, org_id);
CREATE INDEX overview_voucher_org_state ON overview_voucher (org_id, state, id);
CREATE INDEX overview_voucher_code ON overview_voucher (code, org_id, id);
CREATE INDEX overview_voucher_org_code ON overview_voucher (org_id, code, id);
-- Which end by themselves, the soonest first.
CREATE INDEX overview_voucher_ending ON overview_voucher (valid_until, org_id, id) WHERE state IN ('ready', 'in_use', 'on_sale', 'in_transfer');
CREATE INDEX overview_voucher_org_ending ON overview_voucher (org_id, valid_until, id) WHERE state IN ('ready', 'in_use', 'on_sale', 'in_transfer');

-- Up to where vouchers were copied: by when they were changed, and by their ids. And how many of them are in which state.
ALTER TABLE overview ADD COLUMN vouchers_until timestamptz;
ALTER TABLE overview ADD COLUMN issued_until uuid;
ALTER TABLE overview ADD COLUMN vouchers_ready bigint NOT NULL DEFAULT 0;
ALTER TABLE overview ADD COLUMN vouchers_moving bigint NOT NULL DEFAULT 0;
ALTER TABLE overview ADD COLUMN vouchers_frozen bigint NOT NULL DEFAULT 0;
ALTER TABLE overview ADD COLUMN vouchers_used bigint NOT NULL DEFAULT 0;
ALTER TABLE overview ADD COLUMN vouchers_expired bigint NOT NULL DEFAULT 0;
ALTER TABLE overview ADD COLUMN vouchers_back bigint NOT NULL DEFAULT 0;

GRANT SELECT, INSERT, UPDATE, DELETE ON overview_voucher TO wlv_platform;
