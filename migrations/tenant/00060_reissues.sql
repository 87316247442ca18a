-- The organisation gives a voucher another code, after somebody has seen the one that it had.
-- +goose Up
-- reason: in the words of who did it, for the organisation alone.
CREATE TABLE reissue (
  id         uuid PRIMARY KEY,
  voucher_id uuid NOT NULL CONSTRAINT reissue_voucher REFERENCES voucher (id),
  old_code   text NOT NULL,
  reason     text NOT NULL CONSTRAINT reissue_reason CHECK (reason <> ''),
  made_at    timestamptz NOT NULL,
  made_by    uuid NOT NULL CONSTRAINT reissue_made_by REFERENCES staff (id)
);
CREATE INDEX reissue_voucher_i ON reissue (voucher_id, id);

ALTER TABLE voucher_event
  ADD COLUMN reissue_id uuid CONSTRAINT voucher_event_reissue REFERENCES reissue (id) CONSTRAINT voucher_event_one_reissue UNIQUE,
  ADD CONSTRAINT voucher_event_reissued CHECK ((event = 'reissue') = (reissue_id IS NOT NULL)),
  DROP CONSTRAINT voucher_event_event,
  ADD CONSTRAINT voucher_event_event CHECK (event IN ('freeze', 'release', 'refund', 'void', 'give', 'return', 'claim', 'split', 'offer', 'withdraw', 'sell', 'undo', 'reissue'));

ALTER TABLE message
  DROP CONSTRAINT message_kind,
  ADD CONSTRAINT message_kind CHECK (kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_thanked', 'gift_returned', 'gift_stopped', 'gift_unopened',
    'gift_first_taken', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'offer_ended', 'offer_stopped', 'voucher_ends', 'voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back', 'voucher_refunded',
    'voucher_frozen_by_shop', 'voucher_released_by_shop', 'voucher_voided_by_shop', 'voucher_reissued', 'money_topped_up', 'money_refunded', 'money_kept', 'use_confirmed', 'use_stands', 'use_undone'));

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON reissue TO %I', current_schema());
END $$;
-- +goose StatementEnd
