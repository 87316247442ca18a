-- Some items of a voucher can be given: they become a voucher of their own, and leave the one that they were of.
-- +goose Up

-- parent_id: of whose items it was made. A voucher without one was issued by its order. items_out of the parent counts these items too.
ALTER TABLE voucher
  ADD COLUMN parent_id uuid CONSTRAINT voucher_parent REFERENCES voucher (id),
  ADD CONSTRAINT voucher_parent_other CHECK (parent_id <> id);
CREATE INDEX voucher_parent_i ON voucher (parent_id) WHERE parent_id IS NOT NULL;

-- child_id: which voucher a split made.
ALTER TABLE voucher_event
  ADD COLUMN child_id uuid CONSTRAINT voucher_event_child REFERENCES voucher (id) CONSTRAINT voucher_event_one_child UNIQUE,
  DROP CONSTRAINT voucher_event_event,
  ADD CONSTRAINT voucher_event_event CHECK (event IN ('freeze', 'release', 'refund', 'void', 'give', 'return', 'claim', 'split')),
  DROP CONSTRAINT voucher_event_why,
  ADD CONSTRAINT voucher_event_why CHECK ((event IN ('give', 'return', 'claim', 'split')) = (gift_id IS NOT NULL)),
  ADD CONSTRAINT voucher_event_split CHECK ((event = 'split') = (child_id IS NOT NULL));
