-- "Was it you?" is pushed where a use was worth much or was at a service point that is new to who used it, or where he wishes it of each.
-- +goose Up

-- uses_from_satang: a use by which the organisation earned so much is pushed; NULL: none for its worth.
ALTER TABLE push_setting ADD COLUMN uses_from_satang bigint DEFAULT 100000 CONSTRAINT push_setting_uses_from CHECK (uses_from_satang > 0);

-- every_use: he wishes a push of each use.
ALTER TABLE push_person ADD COLUMN every_use boolean NOT NULL DEFAULT false;

-- inbox: a use that is nothing of these.
ALTER TABLE message
  DROP CONSTRAINT message_held,
  ADD CONSTRAINT message_held CHECK (held IN ('late', 'no_friend', 'off', 'quota', 'limit', 'saving', 'enough', 'inbox'));
DROP INDEX message_held_i;
CREATE INDEX message_held_i ON message (created_at) WHERE held <> 'inbox';
DROP INDEX message_to_push;
CREATE INDEX message_to_push ON message (created_at) WHERE push_id IS NULL AND held IS NULL AND read_at IS NULL
  AND kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_returned', 'gift_stopped', 'gift_unopened', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'voucher_ends', 'voucher_frozen', 'voucher_frozen_by_shop', 'voucher_taken_back', 'voucher_refunded', 'money_kept', 'use_confirmed', 'use_stands', 'use_undone')
  AND (kind <> 'voucher_ends' OR days <= 7);
