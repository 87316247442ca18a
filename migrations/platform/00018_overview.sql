-- What all organisations sell together, what their books hold, and which of their jobs do not get done. A job copies it from each organisation, and sets what it has read, so that
-- it may run twice.
-- +goose Up

-- revision: raised by each copy, so that one of two at the same time reads again. due_since: of the oldest job that is due and not done. late: jobs that are due for longer than they
-- should be.
CREATE TABLE overview (
  org_id          uuid PRIMARY KEY CONSTRAINT overview_org REFERENCES organisation (id),
  revision        bigint NOT NULL,
  unearned_satang bigint NOT NULL,
  payable_satang  bigint NOT NULL,
  wallet_satang   bigint NOT NULL,
  given_up        bigint NOT NULL,
  late            bigint NOT NULL,
  due_since       timestamptz,
  books_at        timestamptz,
  book_findings   bigint NOT NULL,
  seen_at         timestamptz
);

CREATE TABLE overview_day (
  org_id         uuid NOT NULL CONSTRAINT overview_day_org REFERENCES organisation (id),
  day            date NOT NULL,
  orders         bigint NOT NULL,
  sales_satang   bigint NOT NULL,
  fee_satang     bigint NOT NULL,
  uses           bigint NOT NULL,
  customers      bigint NOT NULL,
  top_ups        bigint NOT NULL,
  top_up_satang  bigint NOT NULL,
  PRIMARY KEY (org_id, day)
);
CREATE INDEX overview_day_i ON overview_day (day);

-- Jobs of organisations that failed, or are late. Of an organisation with more of them here are those that were given up, and the oldest.
CREATE TABLE overview_job (
  org_id     uuid NOT NULL CONSTRAINT overview_job_org REFERENCES organisation (id),
  id         uuid NOT NULL,
  kind       text NOT NULL,
  due_at     timestamptz NOT NULL,
  attempts   integer NOT NULL,
  last_error text NOT NULL,
  PRIMARY KEY (org_id, id)
);
CREATE INDEX overview_job_due ON overview_job (due_at, id);

GRANT SELECT, INSERT, UPDATE ON overview TO wlv_platform;
GRANT SELECT, INSERT, UPDATE, DELETE ON overview_day TO wlv_platform;
GRANT SELECT, INSERT, UPDATE, DELETE ON overview_job TO wlv_platform;
