-- A void of more than one person may pay back is asked for, and made when a second person approves it.
-- +goose Up
ALTER TABLE approval
  DROP CONSTRAINT approval_kind,
  ADD CONSTRAINT approval_kind CHECK (kind IN ('refund', 'refund_request', 'rule', 'void'));

-- approval_id: by which a second person let it be made.
ALTER TABLE owner_void
  ADD COLUMN approval_id uuid CONSTRAINT owner_void_approval REFERENCES approval (id) CONSTRAINT owner_void_one_approval UNIQUE;
