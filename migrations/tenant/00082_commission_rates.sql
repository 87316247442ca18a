-- What agents earn of single packages, of those with a tag, or of everything for some days, in place of what their type earns of everything.
-- +goose Up

-- For one package, for those with one tag, or, with neither, for all. kind, value: basis points of what the platform's fee is counted of, or satang a piece. last_day NULL: without an end.
-- status 9: was withdrawn before its first day.
CREATE TABLE commission_rate (
  id            uuid PRIMARY KEY,
  agent_type_id uuid NOT NULL CONSTRAINT commission_rate_agent_type REFERENCES agent_type (id),
  package_id    uuid CONSTRAINT commission_rate_package REFERENCES package (id),
  tag_id        uuid CONSTRAINT commission_rate_tag REFERENCES tag (id),
  kind          text NOT NULL CONSTRAINT commission_rate_kind CHECK (kind IN ('percent', 'baht')),
  value         bigint NOT NULL,
  first_day     date NOT NULL,
  last_day      date,
  status        smallint NOT NULL CONSTRAINT commission_rate_status CHECK (status IN (5, 9)),
  created_at    timestamptz NOT NULL,
  updated_at    timestamptz NOT NULL,
  CONSTRAINT commission_rate_target CHECK (num_nonnulls(package_id, tag_id) <= 1),
  CONSTRAINT commission_rate_value CHECK (value BETWEEN 0 AND CASE kind WHEN 'percent' THEN 5000 ELSE 100000000 END),
  CONSTRAINT commission_rate_days CHECK (first_day <= last_day)
);
CREATE INDEX commission_rate_agent_type_i ON commission_rate (agent_type_id, first_day);
CREATE INDEX commission_rate_package_i ON commission_rate (package_id) WHERE package_id IS NOT NULL;
CREATE INDEX commission_rate_tag_i ON commission_rate (tag_id) WHERE tag_id IS NOT NULL;

-- By which rate a line's commission was counted: rate_id NULL is the rate of the agent's type. All three are NULL where no agent sold it, and in orders of before.
ALTER TABLE order_line
  ADD COLUMN rate_id uuid CONSTRAINT order_line_rate REFERENCES commission_rate (id),
  ADD COLUMN rate_kind text CONSTRAINT order_line_rate_kind CHECK (rate_kind IN ('percent', 'baht')),
  ADD COLUMN rate_value bigint CONSTRAINT order_line_rate_value CHECK (rate_value >= 0),
  ADD CONSTRAINT order_line_rate_whole CHECK (num_nonnulls(rate_kind, rate_value) <> 1 AND (rate_id IS NULL OR rate_kind IS NOT NULL));
CREATE INDEX order_line_rate_i ON order_line (rate_id) WHERE rate_id IS NOT NULL;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON commission_rate TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (last_day, status, updated_at) ON commission_rate TO %I', current_schema());
END $$;
-- +goose StatementEnd
