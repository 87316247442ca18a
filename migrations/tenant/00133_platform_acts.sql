-- Admins of the platform suspend customers of an organisation, and invite people to its office. They have no account here.
-- +goose Up
ALTER TABLE gift ADD COLUMN stopped_by_admin uuid,
  ADD CONSTRAINT gift_stopped_by_admin CHECK (stopped_by_admin IS NULL OR (state = 'stopped' AND stopped_by IS NULL));
ALTER TABLE offer ADD COLUMN stopped_by_admin uuid,
  ADD CONSTRAINT offer_stopped_by_admin CHECK (stopped_by_admin IS NULL OR (state = 'stopped' AND stopped_by IS NULL));
ALTER TABLE staff_invitation ALTER COLUMN invited_by DROP NOT NULL;
ALTER TABLE staff_invitation ADD COLUMN invited_by_admin uuid,
  ADD CONSTRAINT staff_invitation_by_one CHECK ((invited_by IS NULL) <> (invited_by_admin IS NULL));

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT UPDATE (stopped_by_admin) ON gift TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (stopped_by_admin) ON offer TO %I', current_schema());
END $$;
-- +goose StatementEnd
