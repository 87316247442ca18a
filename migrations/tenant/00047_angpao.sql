-- An ang-pao: one link for a group, by which each of the first people gets one voucher.
-- +goose Up

-- people: how many the link is for. With more than one it is an ang-pao: it has a voucher for each, and ends as claimed with the last of them.
ALTER TABLE gift
  ADD COLUMN people smallint NOT NULL DEFAULT 1 CONSTRAINT gift_people CHECK (people BETWEEN 1 AND 100),
  DROP CONSTRAINT gift_claimed,
  ADD CONSTRAINT gift_claimed CHECK (CASE people WHEN 1 THEN (state = 'claimed') = (receiver_id IS NOT NULL) ELSE receiver_id IS NULL END),
  DROP CONSTRAINT gift_thanked,
  ADD CONSTRAINT gift_thanked CHECK (thanked_at IS NULL OR receiver_id IS NOT NULL);

-- Who took which voucher of an ang-pao: everybody one at most.
CREATE TABLE gift_taker (
  gift_id     uuid NOT NULL CONSTRAINT gift_taker_gift REFERENCES gift (id),
  customer_id uuid NOT NULL CONSTRAINT gift_taker_customer REFERENCES customer (id),
  voucher_id  uuid NOT NULL CONSTRAINT gift_taker_voucher REFERENCES voucher (id),
  taken_at    timestamptz NOT NULL,
  thanked_at  timestamptz,
  PRIMARY KEY (gift_id, customer_id),
  CONSTRAINT gift_taker_once UNIQUE (gift_id, voucher_id)
);
CREATE INDEX gift_taker_customer_i ON gift_taker (customer_id, gift_id);

ALTER TABLE message
  DROP CONSTRAINT message_kind,
  ADD CONSTRAINT message_kind CHECK (kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_thanked', 'gift_returned', 'gift_stopped', 'gift_unopened',
    'gift_first_taken', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'offer_ended', 'offer_stopped', 'voucher_ends', 'voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back',
    'money_topped_up', 'money_kept'));

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON gift_taker TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (thanked_at) ON gift_taker TO %I', current_schema());
END $$;
-- +goose StatementEnd
