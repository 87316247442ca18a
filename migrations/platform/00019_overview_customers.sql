-- Customers of all organisations, as they are listed together: copied from each, without what only their own organisation may read of them.
-- +goose Up
CREATE TABLE overview_customer (
  org_id        uuid NOT NULL CONSTRAINT overview_customer_org REFERENCES organisation (id),
  id            uuid NOT NULL,
  name          text NOT NULL,
  status        smallint NOT NULL,
  wallet_satang bigint NOT NULL,
  debt_satang   bigint NOT NULL,
  joined_at     timestamptz NOT NULL,
  changed_at    timestamptz NOT NULL,
  PRIMARY KEY (org_id, id)
);
CREATE INDEX overview_customer_changed ON overview_customer (changed_at, org_id, id);
CREATE INDEX overview_customer_org_changed ON overview_customer (org_id, changed_at, id);
CREATE INDEX overview_customer_wallet ON overview_customer (wallet_satang, org_id, id);
CREATE INDEX overview_customer_org_wallet ON overview_customer (org_id, wallet_satang, id);
CREATE INDEX overview_customer_name ON overview_customer (lower(name), org_id, id);
CREATE INDEX overview_customer_org_name ON overview_customer (org_id, lower(name), id);

-- Up to where customers were copied: by when they were changed, and by the ids of transfers.
ALTER TABLE overview ADD COLUMN customers_until timestamptz;
ALTER TABLE overview ADD COLUMN transfers_until uuid;

GRANT SELECT, INSERT, UPDATE, DELETE ON overview_customer TO wlv_platform;
