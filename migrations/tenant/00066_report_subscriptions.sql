-- Reports that people get by e-mail when the days that they are of are over.
-- +goose Up

-- address: sealed. from_day: the first of the days that no e-mail was of yet. next_at: when the next one is due. sent_at: when the latest one went;
-- failed_at: when the latest one was given up, unless one went since.
CREATE TABLE report_subscription (
  id         uuid PRIMARY KEY,
  staff_id   uuid NOT NULL CONSTRAINT report_subscription_staff REFERENCES staff (id),
  report     text NOT NULL,
  filter     jsonb NOT NULL,
  format     text NOT NULL CONSTRAINT report_subscription_format CHECK (format IN ('csv', 'xlsx')),
  lang       text NOT NULL CONSTRAINT report_subscription_lang CHECK (lang IN ('th', 'en')),
  every      text NOT NULL CONSTRAINT report_subscription_every CHECK (every IN ('day', 'week', 'month')),
  hour       smallint NOT NULL CONSTRAINT report_subscription_hour CHECK (hour BETWEEN 0 AND 23),
  address    bytea NOT NULL,
  from_day   date NOT NULL,
  next_at    timestamptz NOT NULL,
  sent_at    timestamptz,
  failed_at  timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX report_subscription_due ON report_subscription (next_at);
CREATE INDEX report_subscription_by_staff ON report_subscription (staff_id, id);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, DELETE, UPDATE (from_day, next_at, sent_at, failed_at) ON report_subscription TO %I', current_schema());
END $$;
-- +goose StatementEnd
