-- Who works in the offices of all organisations, as they are listed together: copied from each, without how they sign in.
-- +goose Up
CREATE TABLE overview_staff (
  org_id        uuid NOT NULL CONSTRAINT overview_staff_org REFERENCES organisation (id),
  id            uuid NOT NULL,
  name          text NOT NULL,
  role          text NOT NULL,
  status        smallint NOT NULL,
  second_factor boolean NOT NULL,
  joined_at     timestamptz NOT NULL,
  changed_at    timestamptz NOT NULL,
  PRIMARY KEY (org_id, id)
);
CREATE INDEX overview_staff_changed ON overview_staff (changed_at, org_id, id);
CREATE INDEX overview_staff_org_changed ON overview_staff (org_id, changed_at, id);
CREATE INDEX overview_staff_name ON overview_staff (lower(name), org_id, id);
CREATE INDEX overview_staff_org_name ON overview_staff (org_id, lower(name), id);

GRANT SELECT, INSERT, UPDATE, DELETE ON overview_staff TO wlv_platform;
