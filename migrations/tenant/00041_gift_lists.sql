-- Gifts are listed by what became of them and by who received them or nobody, and a customer's story by what he gave and claimed.
-- +goose Up
CREATE INDEX gift_state_i ON gift (state, id);
-- receiver_id IS NULL does not order an index on (receiver_id, id) by id.
CREATE INDEX gift_unclaimed_i ON gift (id) WHERE receiver_id IS NULL;
CREATE INDEX voucher_event_holder_i ON voucher_event (holder_id, id) WHERE gift_id IS NOT NULL;
