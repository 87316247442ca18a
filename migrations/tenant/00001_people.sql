-- The people of one organisation: customers, back-office accounts, what each may do, what each agreed to.
-- +goose Up

CREATE TABLE customer (
  id              uuid PRIMARY KEY,
  line_sub        text NOT NULL CONSTRAINT customer_line_sub UNIQUE,
  display_name    text NOT NULL,
  picture_url     text NOT NULL DEFAULT '',
  first_name      text NOT NULL DEFAULT '',
  last_name       text NOT NULL DEFAULT '',
  email           text NOT NULL DEFAULT '',
  gender          text NOT NULL DEFAULT '' CONSTRAINT customer_gender CHECK (gender IN ('', 'male', 'female', 'other')),
  birth_date      date,
  mobile          bytea,
  mobile_index    bytea,
  refer_code      text NOT NULL CONSTRAINT customer_refer_code UNIQUE,
  customer_type   smallint NOT NULL DEFAULT 2,
  status          smallint NOT NULL,
  role_version    integer NOT NULL DEFAULT 1,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL
);
CREATE INDEX customer_created ON customer (created_at, id);
CREATE INDEX customer_mobile ON customer (mobile_index);

-- A permission set: module -> letters (v see, i add, u change, s change status).
CREATE TABLE permission (
  id         uuid PRIMARY KEY,
  name_th    text NOT NULL,
  name_en    text NOT NULL,
  modules    jsonb NOT NULL,
  status     smallint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- Owners and staff. Several failed passwords lock the account for unknown devices (trust-rules.md B5).
CREATE TABLE staff (
  id            uuid PRIMARY KEY,
  username      text NOT NULL CONSTRAINT staff_username UNIQUE,
  name          text NOT NULL,
  password_hash text NOT NULL DEFAULT '',
  line_sub      text CONSTRAINT staff_line_sub UNIQUE,
  picture_url   text NOT NULL DEFAULT '',
  role          text NOT NULL CONSTRAINT staff_role CHECK (role IN ('superadmin', 'admin', 'adminowner', 'user')),
  permission_id uuid CONSTRAINT staff_permission REFERENCES permission (id),
  role_version  integer NOT NULL DEFAULT 1,
  status        smallint NOT NULL,
  created_at    timestamptz NOT NULL,
  updated_at    timestamptz NOT NULL
);

-- One text of one kind in both languages; one is active per kind, purpose and audience.
CREATE TABLE consent_version (
  id         uuid PRIMARY KEY,
  kind       text NOT NULL CONSTRAINT consent_version_kind CHECK (kind IN ('pdpa', 'terms')),
  purpose    text NOT NULL CONSTRAINT consent_version_purpose CHECK (purpose IN ('customer', 'member', 'purchase')),
  audience   text NOT NULL CONSTRAINT consent_version_audience CHECK (audience IN ('customer', 'agent')),
  version    text NOT NULL,
  title_th   text NOT NULL,
  title_en   text NOT NULL,
  body_th    text NOT NULL,
  body_en    text NOT NULL,
  active     boolean NOT NULL DEFAULT false,
  status     smallint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT consent_version_once UNIQUE (kind, purpose, audience, version)
);
CREATE UNIQUE INDEX consent_version_active ON consent_version (kind, purpose, audience) WHERE active;

CREATE TABLE consent (
  id          uuid PRIMARY KEY,
  customer_id uuid NOT NULL CONSTRAINT consent_customer REFERENCES customer (id),
  version_id  uuid NOT NULL CONSTRAINT consent_version_fk REFERENCES consent_version (id),
  text_hash   bytea NOT NULL,
  lang        text NOT NULL,
  channel     text NOT NULL,
  at          timestamptz NOT NULL,
  CONSTRAINT consent_once UNIQUE (customer_id, version_id)
);

-- Names and colours of status numbers, per table.
CREATE TABLE definestatus (
  id         uuid PRIMARY KEY,
  table_name text NOT NULL,
  number     smallint NOT NULL,
  name_th    text NOT NULL,
  name_en    text NOT NULL,
  color      text NOT NULL,
  status     smallint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT definestatus_once UNIQUE (table_name, number)
);

-- Who did what in the back office. Append-only.
CREATE TABLE audit (
  id         uuid PRIMARY KEY,
  at         timestamptz NOT NULL,
  actor_kind text NOT NULL,
  actor_id   uuid,
  action     text NOT NULL,
  object     text NOT NULL,
  before     jsonb,
  after      jsonb,
  request_id text NOT NULL DEFAULT ''
);
CREATE INDEX audit_object ON audit (object, at);

-- What must happen after a commit; a relay hands it to the workers.
CREATE TABLE outbox (
  id         uuid PRIMARY KEY,
  kind       text NOT NULL,
  payload    jsonb NOT NULL,
  due_at     timestamptz NOT NULL,
  handed_at  timestamptz,
  done_at    timestamptz,
  attempts   integer NOT NULL DEFAULT 0,
  last_error text NOT NULL DEFAULT ''
);
CREATE INDEX outbox_open ON outbox (due_at) WHERE done_at IS NULL;

-- What a money-moving call made, kept for ever under its key; a repeat is answered from that row.
CREATE TABLE idempotency (
  actor        uuid NOT NULL,
  operation    text NOT NULL,
  key          text NOT NULL,
  request_hash bytea NOT NULL,
  result_id    uuid NOT NULL,
  at           timestamptz NOT NULL,
  PRIMARY KEY (actor, operation, key)
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %1$I TO %1$I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON customer, permission, staff, consent_version, definestatus, outbox TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT ON consent, audit, idempotency TO %I', current_schema());
  EXECUTE format('GRANT DELETE ON outbox TO %I', current_schema());
END $$;
-- +goose StatementEnd
