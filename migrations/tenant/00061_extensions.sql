-- The organisation gives a voucher more days: also one that is over, if what was left became its own. It may be over once more then, so each end of
-- validity is an event, and the cause of its transfer.
-- +goose Up
-- reason: in the words of who did it, for the organisation alone.
CREATE TABLE extension (
  id         uuid PRIMARY KEY,
  voucher_id uuid NOT NULL CONSTRAINT extension_voucher REFERENCES voucher (id),
  days       integer NOT NULL CONSTRAINT extension_days CHECK (days > 0),
  reason     text NOT NULL CONSTRAINT extension_reason CHECK (reason <> ''),
  made_at    timestamptz NOT NULL,
  made_by    uuid NOT NULL CONSTRAINT extension_made_by REFERENCES staff (id)
);
CREATE INDEX extension_voucher_i ON extension (voucher_id, id);

-- expire: its items are those that were left.
ALTER TABLE voucher_event
  ADD COLUMN extension_id uuid CONSTRAINT voucher_event_extension REFERENCES extension (id) CONSTRAINT voucher_event_one_extension UNIQUE,
  ADD CONSTRAINT voucher_event_extended CHECK ((event = 'extend') = (extension_id IS NOT NULL)),
  DROP CONSTRAINT voucher_event_event,
  ADD CONSTRAINT voucher_event_event CHECK (event IN ('freeze', 'release', 'refund', 'void', 'give', 'return', 'claim', 'split', 'offer', 'withdraw', 'sell', 'undo', 'reissue',
    'expire', 'extend'));

-- The transfer of an end of validity before has the voucher for its cause: so its event has the voucher's id.
INSERT INTO voucher_event (id, voucher_id, event, from_state, to_state, items, holder_id, at)
  SELECT v.id, v.id, 'expire', 'ready', 'expired', v.items_left, v.holder_id, v.updated_at FROM voucher v WHERE v.state = 'expired';

DROP INDEX voucher_expired_i;
DROP INDEX voucher_event_money_i;
CREATE INDEX voucher_event_news_i ON voucher_event (holder_id, at, id) WHERE event IN ('freeze', 'release', 'refund', 'void', 'expire', 'extend');

ALTER TABLE message
  DROP CONSTRAINT message_kind,
  ADD CONSTRAINT message_kind CHECK (kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_thanked', 'gift_returned', 'gift_stopped', 'gift_unopened',
    'gift_first_taken', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'offer_ended', 'offer_stopped', 'voucher_ends', 'voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back', 'voucher_refunded',
    'voucher_frozen_by_shop', 'voucher_released_by_shop', 'voucher_voided_by_shop', 'voucher_reissued', 'voucher_extended', 'money_topped_up', 'money_refunded', 'money_kept',
    'use_confirmed', 'use_stands', 'use_undone')),
  DROP CONSTRAINT message_reminds,
  ADD CONSTRAINT message_reminds CHECK ((days IS NOT NULL) = (kind IN ('gift_unopened', 'voucher_ends'))
    AND (day IS NOT NULL) = (kind IN ('voucher_ends', 'voucher_released_by_shop', 'voucher_extended')));

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON extension TO %I', current_schema());
END $$;
-- +goose StatementEnd
