-- Members are reminded of points that lapse soon: once for each lot, 30 and 7 days before.
-- +goose Up

ALTER TABLE message
  DROP CONSTRAINT message_kind,
  ADD CONSTRAINT message_kind CHECK (kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_thanked', 'gift_returned', 'gift_stopped', 'gift_unopened',
    'gift_first_taken', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'offer_ended', 'offer_stopped', 'voucher_ends', 'voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back', 'voucher_refunded',
    'voucher_frozen_by_shop', 'voucher_released_by_shop', 'voucher_voided_by_shop', 'voucher_reissued', 'voucher_extended', 'voucher_to_card',
    'money_topped_up', 'money_refunded', 'money_kept', 'money_to_card', 'money_not_to_card', 'money_to_bank', 'money_at_bank', 'money_not_to_bank',
    'use_confirmed', 'use_stands', 'use_undone', 'use_goodwill',
    'refund_granted', 'refund_refused', 'refund_changed', 'refund_to_card', 'refund_to_bank',
    'cashout_approved', 'cashout_refused', 'cashout_at_bank', 'cashout_failed',
    'agent_approved', 'agent_refused', 'agent_suspended', 'agent_resumed', 'agent_changed', 'agent_not_changed', 'agent_paid', 'agent_not_paid', 'agent_pay_returned', 'agent_denied',
    'member_approved', 'member_refused', 'member_suspended', 'member_resumed', 'member_ended', 'member_points_end')),
  DROP CONSTRAINT message_reminds,
  ADD CONSTRAINT message_reminds CHECK ((days IS NOT NULL) = (kind IN ('gift_unopened', 'voucher_ends', 'member_points_end'))
    AND (day IS NOT NULL) = (kind IN ('voucher_ends', 'voucher_released_by_shop', 'voucher_extended', 'agent_changed', 'member_points_end')));
DROP INDEX message_to_push;
CREATE INDEX message_to_push ON message (created_at) WHERE push_id IS NULL AND held IS NULL AND read_at IS NULL
  AND kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_returned', 'gift_stopped', 'gift_unopened', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'voucher_ends', 'voucher_frozen', 'voucher_frozen_by_shop', 'voucher_voided_by_shop', 'voucher_taken_back', 'voucher_refunded', 'voucher_to_card',
    'money_kept', 'money_not_to_card', 'money_at_bank', 'money_not_to_bank', 'use_confirmed', 'use_stands', 'use_undone',
    'refund_granted', 'refund_refused', 'refund_changed', 'refund_to_card', 'refund_to_bank',
    'cashout_approved', 'cashout_refused', 'cashout_at_bank', 'cashout_failed',
    'agent_approved', 'agent_refused', 'agent_suspended', 'agent_resumed', 'agent_changed', 'agent_not_changed', 'agent_paid', 'agent_not_paid', 'agent_pay_returned', 'agent_denied',
    'member_approved', 'member_refused', 'member_suspended', 'member_resumed', 'member_ended', 'member_points_end')
  AND (kind <> 'voucher_ends' OR days <= 7);
CREATE UNIQUE INDEX message_points_end ON message (customer_id, day, days) WHERE kind = 'member_points_end';
