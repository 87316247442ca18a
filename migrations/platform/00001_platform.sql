-- The platform's own tables: who the organisations are and where they live. Tenants' roles have no rights here.
-- +goose Up

CREATE TABLE plan (
  id                 uuid PRIMARY KEY,
  name_th            text NOT NULL,
  name_en            text NOT NULL,
  modules            text[] NOT NULL,
  fee_basis_points   integer NOT NULL CONSTRAINT plan_fee_range CHECK (fee_basis_points BETWEEN 0 AND 5000),
  status             smallint NOT NULL,
  created_at         timestamptz NOT NULL
);

CREATE TABLE organisation (
  id                  uuid PRIMARY KEY,
  unique_name         text NOT NULL CONSTRAINT organisation_unique_name UNIQUE
                      CONSTRAINT organisation_unique_name_form CHECK (unique_name ~ '^[a-z0-9-]{3,40}$'),
  name_th             text NOT NULL,
  name_en             text NOT NULL,
  tagline_th          text NOT NULL DEFAULT '',
  tagline_en          text NOT NULL DEFAULT '',
  plan_id             uuid NOT NULL CONSTRAINT organisation_plan REFERENCES plan (id),
  node                text NOT NULL,
  schema_name         text CONSTRAINT organisation_schema UNIQUE,
  schema_version      bigint NOT NULL DEFAULT 0,
  state               text NOT NULL CONSTRAINT organisation_state CHECK (state IN ('provisioning', 'live', 'suspended')),
  colour_primary      text NOT NULL CONSTRAINT organisation_primary_form CHECK (colour_primary ~ '^#[0-9a-f]{6}$'),
  colour_secondary    text NOT NULL CONSTRAINT organisation_secondary_form CHECK (colour_secondary ~ '^#[0-9a-f]{6}$'),
  logo_id             uuid,
  register_before_use boolean NOT NULL DEFAULT false,
  password_policy     text NOT NULL DEFAULT 'spec' CONSTRAINT organisation_password_policy CHECK (password_policy IN ('spec', 'strong')),
  holds_own_money     boolean NOT NULL DEFAULT false,
  line_channel_id     text NOT NULL DEFAULT '',
  line_secret         bytea,
  first_owner         jsonb NOT NULL DEFAULT '{}',
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL
);

CREATE TABLE host (
  host        text PRIMARY KEY,
  org_id      uuid NOT NULL CONSTRAINT host_organisation REFERENCES organisation (id),
  canonical   boolean NOT NULL DEFAULT false,
  verified_at timestamptz
);
CREATE INDEX host_org ON host (org_id);

CREATE TABLE liff_app (
  liff_id text PRIMARY KEY,
  org_id  uuid NOT NULL CONSTRAINT liff_app_organisation REFERENCES organisation (id),
  purpose text NOT NULL CONSTRAINT liff_app_purpose CHECK (purpose IN ('user', 'agent', 'trade', 'transfer')),
  CONSTRAINT liff_app_once UNIQUE (org_id, purpose)
);

CREATE TABLE provision_step (
  org_id      uuid NOT NULL CONSTRAINT provision_step_organisation REFERENCES organisation (id),
  position    smallint NOT NULL,
  name        text NOT NULL,
  state       text NOT NULL CONSTRAINT provision_step_state CHECK (state IN ('waiting', 'running', 'done', 'failed')),
  detail      text NOT NULL DEFAULT '',
  attempt     integer NOT NULL DEFAULT 0,
  started_at  timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (org_id, position)
);

-- Schemas made in advance, so that a new organisation need not wait for DDL.
CREATE TABLE spare_schema (
  schema_name text PRIMARY KEY,
  node        text NOT NULL,
  version     bigint NOT NULL,
  created_at  timestamptz NOT NULL
);

CREATE TABLE admin (
  id            uuid PRIMARY KEY,
  username      text NOT NULL CONSTRAINT admin_username UNIQUE,
  name          text NOT NULL,
  password_hash text NOT NULL DEFAULT '',
  line_sub      text CONSTRAINT admin_line_sub UNIQUE,
  role          text NOT NULL,
  permission    jsonb NOT NULL DEFAULT '{}',
  role_version  integer NOT NULL DEFAULT 1,
  status        smallint NOT NULL,
  created_at    timestamptz NOT NULL
);

-- Every sign-in of every audience. Only the hash of a token is kept.
CREATE TABLE session (
  token_hash   bytea PRIMARY KEY,
  kind         text NOT NULL CONSTRAINT session_kind CHECK (kind IN ('client', 'user', 'agent', 'owner', 'staff', 'admin')),
  org_id       uuid,
  subject_id   uuid,
  binding      text NOT NULL DEFAULT '',
  role_version integer NOT NULL DEFAULT 1,
  created_at   timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  revoked_at   timestamptz,
  CONSTRAINT session_subject CHECK ((kind = 'client') = (subject_id IS NULL)),
  CONSTRAINT session_org CHECK (kind = 'admin' OR org_id IS NOT NULL)
);
CREATE INDEX session_subject ON session (org_id, subject_id);
CREATE INDEX session_expiry ON session (expires_at);

-- A web login under way: state, nonce and PKCE verifier, for one use within ten minutes.
CREATE TABLE login (
  state_hash  bytea PRIMARY KEY,
  audience    text NOT NULL,
  org_id      uuid,
  return_path text NOT NULL,
  nonce       text NOT NULL,
  verifier    text NOT NULL,
  binding     bytea NOT NULL,
  expires_at  timestamptz NOT NULL,
  used_at     timestamptz
);
CREATE INDEX login_expiry ON login (expires_at);

-- An ID token opens one session; its second use must come from the same browser (LIFF caches it for an hour).
CREATE TABLE id_token_use (
  token_hash bytea PRIMARY KEY,
  binding    text NOT NULL,
  expires_at timestamptz NOT NULL
);

-- The unguessable address of a gateway's webhook, and whom it speaks for.
CREATE TABLE payment_endpoint (
  id         text PRIMARY KEY,
  org_id     uuid NOT NULL CONSTRAINT payment_endpoint_organisation REFERENCES organisation (id),
  system_id  uuid NOT NULL,
  created_at timestamptz NOT NULL
);

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

-- One scheduler at a time, and each period of a job once.
CREATE TABLE lease (
  name       text PRIMARY KEY,
  holder     text NOT NULL,
  held_until timestamptz NOT NULL
);
CREATE TABLE tick (
  job    text NOT NULL,
  period text NOT NULL,
  at     timestamptz NOT NULL,
  PRIMARY KEY (job, period)
);

-- Who did what on the platform. Append-only.
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

GRANT USAGE ON SCHEMA platform TO wlv_platform;
GRANT SELECT, INSERT, UPDATE ON plan, organisation, host, liff_app, provision_step, admin, session, login,
  id_token_use, payment_endpoint, outbox, lease TO wlv_platform;
GRANT SELECT, INSERT, DELETE ON tick TO wlv_platform;
GRANT SELECT, INSERT, UPDATE, DELETE ON spare_schema TO wlv_platform;
GRANT DELETE ON host, liff_app, session, login, id_token_use, outbox TO wlv_platform;
GRANT SELECT, INSERT ON audit TO wlv_platform;
