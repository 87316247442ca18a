-- Days on which the organisation is closed, and days on which one of its service points is.
-- +goose Up
CREATE TABLE closed_day (
  id         uuid PRIMARY KEY,
  day        date NOT NULL,
  name_th    text NOT NULL,
  name_en    text NOT NULL,
  status     smallint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX closed_day_once ON closed_day (day) WHERE status <> 9;

-- Several may be of the same days.
CREATE TABLE closure (
  id               uuid PRIMARY KEY,
  service_point_id uuid NOT NULL CONSTRAINT closure_service_point REFERENCES service_point (id),
  first_day        date NOT NULL,
  last_day         date NOT NULL,
  reason_th        text NOT NULL,
  reason_en        text NOT NULL,
  status           smallint NOT NULL,
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  CONSTRAINT closure_days CHECK (last_day BETWEEN first_day AND first_day + 365)
);
CREATE INDEX closure_service_point_i ON closure (service_point_id, last_day) WHERE status = 5;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON closed_day, closure TO %I', current_schema());
END $$;
-- +goose StatementEnd
