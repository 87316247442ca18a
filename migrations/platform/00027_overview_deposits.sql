-- Payments through gateways, of all organisations, as they are listed together: copied from each. Who paid is read from overview_customer, so
-- that his name goes with him.
-- +goose Up
CREATE TABLE overview_deposit (
  org_id          uuid NOT NULL CONSTRAINT overview_deposit_org REFERENCES organisation (id),
  id              uuid NOT NULL,
  reference       text NOT NULL,
  customer_id     uuid NOT NULL,
  purpose         text NOT NULL,
  method          text NOT NULL,
  state           text NOT NULL,
  amount_satang   bigint NOT NULL,
  captured_satang bigint NOT NULL,
  gateway         text NOT NULL,
  created_at      timestamptz NOT NULL,
  captured_at     timestamptz,
  PRIMARY KEY (org_id, id)
);
-- A charge's id is ordered by when it was made.
CREATE INDEX overview_deposit_made ON overview_deposit (id, org_id);
CREATE INDEX overview_deposit_state ON overview_deposit (state, id, org_id);
CREATE INDEX overview_deposit_org_state ON overview_deposit (org_id, state, id);
CREATE INDEX overview_deposit_reference ON overview_deposit (reference, org_id, id);
CREATE INDEX overview_deposit_org_reference ON overview_deposit (org_id, reference, id);
CREATE INDEX overview_deposit_open ON overview_deposit (org_id, id) WHERE state IN ('created', 'awaiting');

-- Who owes, the most first.
CREATE INDEX overview_customer_debt ON overview_customer (debt_satang, org_id, id) WHERE debt_satang > 0;
CREATE INDEX overview_customer_org_debt ON overview_customer (org_id, debt_satang, id) WHERE debt_satang > 0;

-- Up to where payments were copied: by when they were paid, and by their ids.
ALTER TABLE overview ADD COLUMN deposits_until timestamptz;
ALTER TABLE overview ADD COLUMN charges_until uuid;

GRANT SELECT, INSERT, UPDATE, DELETE ON overview_deposit TO wlv_platform;
