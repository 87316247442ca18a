-- The organisation's own account, which what it has earned is paid to: filled in by one person, approved by another, and then by the platform.
-- +goose Up

CREATE UNIQUE INDEX payee_organisation_once ON payee (kind) WHERE kind = 'organisation';

-- seconded_by: who of the organisation approved its account; it waits for the platform then. decided_admin: who of the platform approved or refused it.
ALTER TABLE payee_version
  ADD COLUMN seconded_at timestamptz,
  ADD COLUMN seconded_by uuid CONSTRAINT payee_version_seconded_by REFERENCES staff (id),
  ADD COLUMN decided_admin uuid,
  DROP CONSTRAINT payee_version_who,
  ADD CONSTRAINT payee_version_who CHECK (CASE state WHEN 'approved' THEN num_nonnulls(decided_by, decided_admin) = 1
    WHEN 'refused' THEN num_nonnulls(decided_by, decided_admin) = 0 OR num_nonnulls(decided_by, decided_admin) = 1 AND reason <> '' ELSE num_nonnulls(decided_by, decided_admin) = 0 END),
  ADD CONSTRAINT payee_version_seconded CHECK ((seconded_at IS NULL) = (seconded_by IS NULL) AND (decided_admin IS NULL OR seconded_at IS NOT NULL) AND seconded_at >= sent_at AND decided_at >= seconded_at);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT UPDATE (seconded_at, seconded_by, decided_admin) ON payee_version TO %I', current_schema());
END $$;
-- +goose StatementEnd
