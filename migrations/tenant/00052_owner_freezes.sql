-- The organisation freezes a voucher for a reason of its own. It stays frozen until no reason is left: this one, and money that was asked back.
-- +goose Up
-- reason: in the words of who froze it, for the organisation alone. released_by: nobody where the voucher was taken back before. days: which its
-- release added to the voucher's validity.
CREATE TABLE owner_freeze (
  id          uuid PRIMARY KEY,
  voucher_id  uuid NOT NULL CONSTRAINT owner_freeze_voucher REFERENCES voucher (id),
  reason      text NOT NULL CONSTRAINT owner_freeze_reason CHECK (reason <> ''),
  frozen_at   timestamptz NOT NULL,
  frozen_by   uuid NOT NULL CONSTRAINT owner_freeze_frozen_by REFERENCES staff (id),
  ended_at    timestamptz CONSTRAINT owner_freeze_ended_after CHECK (ended_at >= frozen_at),
  released_by uuid CONSTRAINT owner_freeze_released_by REFERENCES staff (id),
  days        integer NOT NULL DEFAULT 0 CONSTRAINT owner_freeze_days CHECK (days >= 0),
  CONSTRAINT owner_freeze_released CHECK (released_by IS NULL OR ended_at IS NOT NULL),
  CONSTRAINT owner_freeze_added CHECK (days = 0 OR released_by IS NOT NULL)
);
CREATE UNIQUE INDEX owner_freeze_open ON owner_freeze (voucher_id) WHERE ended_at IS NULL;
CREATE INDEX owner_freeze_voucher_i ON owner_freeze (voucher_id, id);

-- owner_freeze_id: by which the organisation froze it. added_days: how many days it is valid beyond those that were sold.
ALTER TABLE voucher
  ADD COLUMN owner_freeze_id uuid CONSTRAINT voucher_owner_freeze REFERENCES owner_freeze (id),
  ADD COLUMN added_days integer NOT NULL DEFAULT 0 CONSTRAINT voucher_added_days CHECK (added_days >= 0),
  ADD CONSTRAINT voucher_owner_freeze_state CHECK (owner_freeze_id IS NULL OR state = 'frozen');

-- owner_freeze_id: by which the organisation froze or released it.
ALTER TABLE voucher_event
  ADD COLUMN owner_freeze_id uuid CONSTRAINT voucher_event_owner_freeze REFERENCES owner_freeze (id),
  ADD CONSTRAINT voucher_event_by_owner CHECK (owner_freeze_id IS NULL OR event IN ('freeze', 'release') AND charge_id IS NULL);

ALTER TABLE message
  DROP CONSTRAINT message_kind,
  ADD CONSTRAINT message_kind CHECK (kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_thanked', 'gift_returned', 'gift_stopped', 'gift_unopened',
    'gift_first_taken', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'offer_ended', 'offer_stopped', 'voucher_ends', 'voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back', 'voucher_refunded',
    'voucher_frozen_by_shop', 'voucher_released_by_shop', 'money_topped_up', 'money_kept', 'use_confirmed', 'use_stands', 'use_undone')),
  DROP CONSTRAINT message_reminds,
  ADD CONSTRAINT message_reminds CHECK ((days IS NOT NULL) = (kind IN ('gift_unopened', 'voucher_ends')) AND (day IS NOT NULL) = (kind IN ('voucher_ends', 'voucher_released_by_shop')));

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON owner_freeze TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (ended_at, released_by, days) ON owner_freeze TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (owner_freeze_id, valid_until, added_days) ON voucher TO %I', current_schema());
END $$;
-- +goose StatementEnd
