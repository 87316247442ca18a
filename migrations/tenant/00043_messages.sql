-- An inbox: what a customer is informed of about his vouchers, gifts, offers and money.
-- +goose Up

-- subject_id: the gift, the offer, the (first) voucher or the charge that it is about. vouchers: how many, of one transaction. day: the last day on
-- which they can be used. days: before that day, or since a gift was sent. amount_satang: what came into his wallet by it.
-- There is no text and nobody's name: both are made when it is read.
CREATE TABLE message (
  id            uuid PRIMARY KEY,
  customer_id   uuid NOT NULL CONSTRAINT message_customer REFERENCES customer (id),
  kind          text NOT NULL CONSTRAINT message_kind CHECK (kind IN ('gift_claimed', 'gift_declined', 'gift_thanked', 'gift_returned', 'gift_stopped', 'gift_unopened',
                  'offer_sold', 'offer_ended', 'offer_stopped', 'voucher_ends', 'voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back',
                  'money_topped_up', 'money_kept')),
  subject_id    uuid NOT NULL,
  vouchers      integer NOT NULL DEFAULT 1 CONSTRAINT message_vouchers CHECK (vouchers > 0),
  day           date,
  days          smallint,
  amount_satang bigint NOT NULL DEFAULT 0 CONSTRAINT message_amount CHECK (amount_satang >= 0),
  created_at    timestamptz NOT NULL,
  read_at       timestamptz,
  CONSTRAINT message_reminds CHECK ((days IS NOT NULL) = (kind IN ('gift_unopened', 'voucher_ends')) AND (day IS NOT NULL) = (kind = 'voucher_ends'))
);
CREATE INDEX message_customer_i ON message (customer_id, id);
CREATE INDEX message_unread ON message (customer_id) WHERE read_at IS NULL;
CREATE INDEX message_old ON message (created_at);
-- What the clock causes is written once.
CREATE UNIQUE INDEX message_unopened ON message (subject_id, days) WHERE kind = 'gift_unopened';
CREATE UNIQUE INDEX message_ends ON message (customer_id, day, days) WHERE kind = 'voucher_ends';

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON message TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (read_at) ON message TO %I', current_schema());
END $$;
-- +goose StatementEnd
