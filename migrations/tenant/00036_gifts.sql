-- A voucher goes from person to person: its holder gives it by a link, and whoever opens that claims it.
-- +goose Up

-- What one person gives another by one link. link_hash: of what stands in the link. opened: how often its page was opened by somebody else.
-- wrong_digits: wrong tries since the last pause, which lasts until paused_until. days: how long the link is good, as it was made.
CREATE TABLE gift (
  id            uuid PRIMARY KEY,
  giver_id      uuid NOT NULL CONSTRAINT gift_giver REFERENCES customer (id),
  state         text NOT NULL CONSTRAINT gift_state CHECK (state IN ('open', 'claimed', 'withdrawn', 'declined', 'returned', 'stopped')),
  card          text NOT NULL CONSTRAINT gift_card CHECK (card IN ('baby', 'because', 'birthday', 'congrats', 'getwell', 'love', 'songkran', 'thanks')),
  to_name       text NOT NULL,
  words         text NOT NULL,
  link_hash     bytea NOT NULL CONSTRAINT gift_link UNIQUE,
  digits        text NOT NULL CONSTRAINT gift_digits CHECK (digits ~ '^([0-9]{4})?$'),
  wrong_digits  smallint NOT NULL DEFAULT 0,
  paused_until  timestamptz,
  opened        integer NOT NULL DEFAULT 0,
  opened_at     timestamptz,
  days          smallint NOT NULL CONSTRAINT gift_days CHECK (days BETWEEN 1 AND 30),
  created_at    timestamptz NOT NULL,
  expires_at    timestamptz NOT NULL,
  extended_at   timestamptz,
  receiver_id   uuid CONSTRAINT gift_receiver REFERENCES customer (id),
  ended_at      timestamptz,
  thanked_at    timestamptz,
  CONSTRAINT gift_ended CHECK ((state = 'open') = (ended_at IS NULL)),
  CONSTRAINT gift_claimed CHECK ((state = 'claimed') = (receiver_id IS NOT NULL)),
  CONSTRAINT gift_thanked CHECK (thanked_at IS NULL OR state = 'claimed'),
  CONSTRAINT gift_other CHECK (receiver_id <> giver_id)
);
CREATE INDEX gift_giver_i ON gift (giver_id, id);
CREATE INDEX gift_receiver_i ON gift (receiver_id, id) WHERE receiver_id IS NOT NULL;
CREATE INDEX gift_due ON gift (expires_at) WHERE state = 'open';

-- gift_id: the gift by which it is on its way.
ALTER TABLE voucher
  ADD COLUMN gift_id uuid CONSTRAINT voucher_gift REFERENCES gift (id),
  ADD CONSTRAINT voucher_gift_state CHECK ((gift_id IS NOT NULL) = (state = 'in_transfer')),
  ADD CONSTRAINT voucher_transfers_left CHECK (transfers_left >= 0);
CREATE INDEX voucher_gift_i ON voucher (gift_id) WHERE gift_id IS NOT NULL;

-- holder_id: who holds it after the event. gift_id: by which gift it was given, claimed or came back.
ALTER TABLE voucher_event
  ADD COLUMN holder_id uuid CONSTRAINT voucher_event_holder REFERENCES customer (id),
  ADD COLUMN gift_id uuid CONSTRAINT voucher_event_gift REFERENCES gift (id);
UPDATE voucher_event n SET holder_id = v.holder_id FROM voucher v WHERE v.id = n.voucher_id;
ALTER TABLE voucher_event
  ALTER COLUMN holder_id SET NOT NULL,
  DROP CONSTRAINT voucher_event_event,
  ADD CONSTRAINT voucher_event_event CHECK (event IN ('freeze', 'release', 'refund', 'void', 'give', 'return', 'claim')),
  ADD CONSTRAINT voucher_event_why CHECK ((event IN ('give', 'return', 'claim')) = (gift_id IS NOT NULL));
CREATE INDEX voucher_event_gift_i ON voucher_event (gift_id) WHERE gift_id IS NOT NULL;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON gift TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, to_name, words, digits, wrong_digits, paused_until, opened, opened_at, expires_at, extended_at, receiver_id, ended_at, thanked_at)
    ON gift TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (holder_id, code, transfers_left, gift_id) ON voucher TO %I', current_schema());
END $$;
-- +goose StatementEnd
