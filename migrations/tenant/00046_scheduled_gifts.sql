-- A gift may be made for a day and an hour: its link is not open before.
-- +goose Up

-- begins_at: since when the link is open. created_at, unless the giver has chosen a later moment; its days count from here.
ALTER TABLE gift ADD COLUMN begins_at timestamptz;
UPDATE gift SET begins_at = created_at;
ALTER TABLE gift
  ALTER COLUMN begins_at SET NOT NULL,
  DROP CONSTRAINT gift_state,
  DROP CONSTRAINT gift_ended,
  ADD CONSTRAINT gift_state CHECK (state IN ('scheduled', 'open', 'claimed', 'withdrawn', 'declined', 'returned', 'stopped')),
  ADD CONSTRAINT gift_ended CHECK ((state IN ('scheduled', 'open')) = (ended_at IS NULL)),
  ADD CONSTRAINT gift_begins CHECK (begins_at >= created_at);
DROP INDEX gift_due;
CREATE INDEX gift_due ON gift (expires_at) WHERE ended_at IS NULL;
CREATE INDEX gift_scheduled ON gift (begins_at) WHERE state = 'scheduled';

ALTER TABLE message
  DROP CONSTRAINT message_kind,
  ADD CONSTRAINT message_kind CHECK (kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_thanked', 'gift_returned', 'gift_stopped', 'gift_unopened',
    'offer_sold', 'offer_ended', 'offer_stopped', 'voucher_ends', 'voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back',
    'money_topped_up', 'money_kept'));

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT UPDATE (begins_at) ON gift TO %I', current_schema());
END $$;
-- +goose StatementEnd
