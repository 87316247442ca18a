-- The keys by which members' phones make the QR of their card, and when staff saw one.
-- +goose Up

-- A session has one key at most, which is deleted once its member is no active one. secret: encrypted.
CREATE TABLE card_key (
  id            uuid PRIMARY KEY,
  membership_id uuid NOT NULL CONSTRAINT card_key_membership REFERENCES membership (id),
  session_hash  bytea NOT NULL CONSTRAINT card_key_session UNIQUE,
  secret        bytea NOT NULL,
  made_at       timestamptz NOT NULL,
  expires_at    timestamptz NOT NULL,
  CONSTRAINT card_key_lasts CHECK (expires_at > made_at)
);
CREATE INDEX card_key_membership_i ON card_key (membership_id);
CREATE INDEX card_key_expires_i ON card_key (expires_at);

-- Proof that a member stands at a service point: a step of a key proves it once, also after the key is deleted.
CREATE TABLE presence (
  id               uuid PRIMARY KEY,
  customer_id      uuid NOT NULL CONSTRAINT presence_customer REFERENCES customer (id),
  staff_id         uuid NOT NULL CONSTRAINT presence_staff REFERENCES staff (id),
  service_point_id uuid NOT NULL CONSTRAINT presence_service_point REFERENCES service_point (id),
  means            text NOT NULL CONSTRAINT presence_means CHECK (means IN ('qr', 'typed')),
  card_key_id      uuid NOT NULL,
  step             bigint NOT NULL,
  opened_at        timestamptz NOT NULL,
  until            timestamptz NOT NULL,
  CONSTRAINT presence_once UNIQUE (card_key_id, step),
  CONSTRAINT presence_lasts CHECK (until > opened_at)
);
CREATE INDEX presence_customer_i ON presence (customer_id, opened_at);
CREATE INDEX presence_until_i ON presence (until);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON card_key, presence TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (expires_at) ON card_key TO %I', current_schema());
END $$;
-- +goose StatementEnd
