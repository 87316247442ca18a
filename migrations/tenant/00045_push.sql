-- LINE pushes: what of an inbox is sent to its person through the organisation's official account.
-- +goose Up

-- The official account. tested_at: when LINE took a push to a member of the staff, which proves that account and sign-in are of one provider;
-- before that nothing is pushed. refused_at: when LINE refused the channel. monthly_limit: the organisation's own. quota, used: the account's, as
-- LINE counted them at counted_at; quota is NULL without a limit. rests_until: LINE said that the month's are spent.
CREATE TABLE push_setting (
  one           boolean PRIMARY KEY DEFAULT true CONSTRAINT push_setting_one CHECK (one),
  channel_id    text NOT NULL,
  secret        bytea NOT NULL,
  basic_id      text NOT NULL,
  name          text NOT NULL,
  tested_at     timestamptz,
  refused_at    timestamptz,
  monthly_limit integer CONSTRAINT push_setting_limit CHECK (monthly_limit >= 0),
  quota         integer,
  used          integer NOT NULL DEFAULT 0,
  counted_at    timestamptz,
  rests_until   timestamptz,
  updated_at    timestamptz NOT NULL
);

-- How a customer is reached in LINE. lang: in which he reads the app. friend: whether he is a friend of the account, as known at friend_at; NULL
-- while nobody has said. off: the topics of which he wants no push.
CREATE TABLE push_person (
  customer_id uuid PRIMARY KEY CONSTRAINT push_person_customer REFERENCES customer (id),
  lang        text NOT NULL DEFAULT 'th' CONSTRAINT push_person_lang CHECK (lang IN ('th', 'en')),
  friend      boolean,
  friend_at   timestamptz,
  off         text[] NOT NULL DEFAULT '{}'
);

-- One push to one person. Its id is LINE's retry key. body: what is sent, the same at each try; gone when it is over, since it holds names.
-- handed: LINE took it. unknown: LINE did not answer in 23 hours. refused: LINE will never take it. spent: the month's quota was.
CREATE TABLE push (
  id          uuid PRIMARY KEY,
  customer_id uuid NOT NULL CONSTRAINT push_customer REFERENCES customer (id),
  state       text NOT NULL CONSTRAINT push_state CHECK (state IN ('waiting', 'handed', 'unknown', 'refused', 'spent')),
  urgent      boolean NOT NULL,
  body        jsonb,
  tries       integer NOT NULL DEFAULT 0,
  created_at  timestamptz NOT NULL,
  ended_at    timestamptz,
  CONSTRAINT push_over CHECK ((state = 'waiting') = (ended_at IS NULL) AND (state = 'waiting') = (body IS NOT NULL))
);
CREATE INDEX push_customer_i ON push (customer_id, created_at);
CREATE INDEX push_created ON push (created_at);

-- push_id: with which push a message was sent. held: why it was not.
ALTER TABLE message
  ADD COLUMN push_id uuid CONSTRAINT message_push REFERENCES push (id) ON DELETE SET NULL,
  ADD COLUMN held text CONSTRAINT message_held CHECK (held IN ('late', 'no_friend', 'off', 'quota', 'limit', 'saving', 'enough'));
CREATE INDEX message_push_i ON message (push_id) WHERE push_id IS NOT NULL;
CREATE INDEX message_to_push ON message (created_at) WHERE push_id IS NULL AND held IS NULL AND read_at IS NULL
  AND kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_returned', 'gift_stopped', 'gift_unopened', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'voucher_ends', 'voucher_frozen', 'voucher_taken_back', 'money_kept', 'use_stands', 'use_undone')
  AND (kind <> 'voucher_ends' OR days <= 7);
CREATE INDEX message_held_i ON message (created_at) WHERE held IS NOT NULL;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON push_setting, push_person, push TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (push_id, held) ON message TO %I', current_schema());
END $$;
-- +goose StatementEnd
