-- The organisation ends a voucher. What was paid for its unused items goes to its holder, or first to the debt for which it is frozen.
-- +goose Up
-- reason: in the words of who did it, for the organisation alone. refund_id: which moved what was paid to the holder's wallet; NULL where the
-- voucher stood for a debt, or nothing was paid.
CREATE TABLE owner_void (
  id         uuid PRIMARY KEY,
  voucher_id uuid NOT NULL CONSTRAINT owner_void_voucher REFERENCES voucher (id) CONSTRAINT owner_void_once UNIQUE,
  reason     text NOT NULL CONSTRAINT owner_void_reason CHECK (reason <> ''),
  refund_id  uuid CONSTRAINT owner_void_refund REFERENCES refund (id) CONSTRAINT owner_void_one_refund UNIQUE,
  made_at    timestamptz NOT NULL,
  made_by    uuid NOT NULL CONSTRAINT owner_void_made_by REFERENCES staff (id)
);

-- owner_void_id: by which the organisation ended it, or, of what came along for nothing, what was paid for.
ALTER TABLE voucher_event
  ADD COLUMN owner_void_id uuid CONSTRAINT voucher_event_owner_void REFERENCES owner_void (id),
  ADD CONSTRAINT voucher_event_voided CHECK (owner_void_id IS NULL OR event = 'void'),
  DROP CONSTRAINT voucher_event_refunded,
  ADD CONSTRAINT voucher_event_refunded CHECK (refund_id IS NULL OR charge_id IS NULL AND (event = 'refund' OR owner_void_id IS NOT NULL));
CREATE INDEX voucher_event_owner_void_i ON voucher_event (owner_void_id) WHERE owner_void_id IS NOT NULL;

ALTER TABLE message
  DROP CONSTRAINT message_kind,
  ADD CONSTRAINT message_kind CHECK (kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_thanked', 'gift_returned', 'gift_stopped', 'gift_unopened',
    'gift_first_taken', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'offer_ended', 'offer_stopped', 'voucher_ends', 'voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back', 'voucher_refunded',
    'voucher_frozen_by_shop', 'voucher_released_by_shop', 'voucher_voided_by_shop', 'money_topped_up', 'money_refunded', 'money_kept', 'use_confirmed', 'use_stands', 'use_undone'));
DROP INDEX message_to_push;
CREATE INDEX message_to_push ON message (created_at) WHERE push_id IS NULL AND held IS NULL AND read_at IS NULL
  AND kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_returned', 'gift_stopped', 'gift_unopened', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'voucher_ends', 'voucher_frozen', 'voucher_frozen_by_shop', 'voucher_voided_by_shop', 'voucher_taken_back', 'voucher_refunded', 'money_kept', 'use_confirmed', 'use_stands', 'use_undone')
  AND (kind <> 'voucher_ends' OR days <= 7);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON owner_void TO %I', current_schema());
END $$;
-- +goose StatementEnd
