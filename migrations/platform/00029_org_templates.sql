-- What a new organisation can begin with: colours, tags, goods as drafts, questions, texts to agree to. Made from an organisation, in versions that
-- nobody changes: who began with one keeps what it was.
-- +goose Up
CREATE TABLE org_template (
  id         uuid PRIMARY KEY,
  name_th    text NOT NULL,
  name_en    text NOT NULL,
  status     smallint NOT NULL CONSTRAINT org_template_status CHECK (status IN (2, 5)),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE TABLE org_template_version (
  id          uuid PRIMARY KEY,
  template_id uuid NOT NULL CONSTRAINT org_template_version_template REFERENCES org_template (id),
  number      integer NOT NULL,
  note        text NOT NULL,
  from_org    uuid NOT NULL CONSTRAINT org_template_version_from REFERENCES organisation (id),
  content     jsonb NOT NULL,
  made_by     uuid NOT NULL CONSTRAINT org_template_version_made_by REFERENCES admin (id),
  made_at     timestamptz NOT NULL,
  CONSTRAINT org_template_version_once UNIQUE (template_id, number)
);
ALTER TABLE organisation ADD COLUMN template_version_id uuid CONSTRAINT organisation_template_version REFERENCES org_template_version (id);
CREATE INDEX organisation_template_version_i ON organisation (template_version_id) WHERE template_version_id IS NOT NULL;

GRANT SELECT, INSERT ON org_template, org_template_version TO wlv_platform;
GRANT UPDATE (name_th, name_en, status, updated_at) ON org_template TO wlv_platform;
