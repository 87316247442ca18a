-- What visitors and customers write to the organisation. key: the hash of the key that their browser sent, so that a message that is
-- sent again is one. phone is encrypted. Such a message is deleted with the customer who wrote it.
-- +goose Up
CREATE TABLE contact_message (
  id           uuid PRIMARY KEY,
  customer_id  uuid CONSTRAINT contact_message_customer REFERENCES customer (id),
  name         text NOT NULL,
  email        text NOT NULL,
  phone        bytea,
  subject      text NOT NULL,
  text         text NOT NULL,
  state        text NOT NULL DEFAULT 'new' CONSTRAINT contact_message_state CHECK (state IN ('new', 'answered')),
  key          bytea NOT NULL CONSTRAINT contact_message_key UNIQUE,
  request_hash bytea NOT NULL,
  created_at   timestamptz NOT NULL,
  answered_at  timestamptz,
  CONSTRAINT contact_message_way CHECK (email <> '' OR phone IS NOT NULL),
  CONSTRAINT contact_message_answered CHECK ((state = 'answered') = (answered_at IS NOT NULL))
);
CREATE INDEX contact_message_state_i ON contact_message (state, id) WHERE state <> 'answered';
CREATE INDEX contact_message_of_customer ON contact_message (customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX contact_message_by_email ON contact_message (lower(email), id);
CREATE INDEX contact_message_by_name ON contact_message (lower(name), id);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON contact_message TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, answered_at) ON contact_message TO %I', current_schema());
END $$;
-- +goose StatementEnd
