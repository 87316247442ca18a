-- What the platform's people announce in the organisations' offices.
-- +goose Up
CREATE TABLE announcement (
  id           uuid PRIMARY KEY,
  kind         text NOT NULL CONSTRAINT announcement_kind CHECK (kind IN ('news', 'maintenance', 'important')),
  title_th     text NOT NULL,
  title_en     text NOT NULL,
  text_th      text NOT NULL,
  text_en      text NOT NULL,
  shows_from   timestamptz NOT NULL,
  shows_until  timestamptz NOT NULL,
  plan_ids     uuid[] NOT NULL DEFAULT '{}', -- whose organisations read it; none: all
  added_by     uuid NOT NULL CONSTRAINT announcement_added_by REFERENCES admin (id),
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  withdrawn_at timestamptz,
  CONSTRAINT announcement_times CHECK (shows_from < shows_until)
);
CREATE INDEX announcement_until ON announcement (shows_until) WHERE withdrawn_at IS NULL;

GRANT SELECT, INSERT ON announcement TO wlv_platform;
GRANT UPDATE (kind, title_th, title_en, text_th, text_en, shows_from, shows_until, plan_ids, updated_at, withdrawn_at) ON announcement TO wlv_platform;
