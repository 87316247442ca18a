-- A run that gives days back counts under the rule of extensions, and gives the days that its closure had when it started.
-- +goose Up
-- first_day, last_day: of the closure.
ALTER TABLE care_run
  ADD COLUMN first_day date,
  ADD COLUMN last_day date,
  DROP CONSTRAINT care_run_asked,
  ADD CONSTRAINT care_run_asked CHECK (approval_id IS NULL OR task IN ('extend', 'return_days'));
UPDATE care_run r SET first_day = c.first_day, last_day = c.last_day FROM closure c WHERE c.id = r.closure_id;
ALTER TABLE care_run
  ADD CONSTRAINT care_run_days CHECK ((closure_id IS NOT NULL) = (first_day IS NOT NULL) AND (first_day IS NULL) = (last_day IS NULL));

DROP INDEX care_run_started_i;
CREATE INDEX care_run_started_i ON care_run (started_at) WHERE task IN ('extend', 'return_days') AND approval_id IS NULL;
