-- The organisation does to many vouchers what it can do to one: a run, with each of its vouchers done by itself.
-- +goose Up
CREATE TABLE care_run (
  id          uuid PRIMARY KEY,
  task        text NOT NULL CONSTRAINT care_run_task CHECK (task IN ('extend', 'freeze', 'release', 'void')),
  valid_until date CONSTRAINT care_run_until CHECK ((valid_until IS NOT NULL) = (task = 'extend')),
  reason      text NOT NULL CONSTRAINT care_run_reason CHECK (reason <> '' OR task = 'release'),
  state       text NOT NULL CONSTRAINT care_run_state CHECK (state IN ('running', 'done', 'cancelled')),
  started_at  timestamptz NOT NULL,
  started_by  uuid NOT NULL CONSTRAINT care_run_started_by REFERENCES staff (id),
  ended_at    timestamptz CONSTRAINT care_run_ended CHECK ((ended_at IS NOT NULL) = (state <> 'running'))
);

-- fault: why it was not done. made_id: what was made of it, or ended: an extension, a freeze or a void.
CREATE TABLE care_item (
  run_id     uuid NOT NULL CONSTRAINT care_item_run REFERENCES care_run (id),
  voucher_id uuid NOT NULL CONSTRAINT care_item_voucher REFERENCES voucher (id),
  done_at    timestamptz,
  fault      text NOT NULL DEFAULT '',
  made_id    uuid,
  PRIMARY KEY (run_id, voucher_id),
  CONSTRAINT care_item_done CHECK ((made_id IS NOT NULL) = (done_at IS NOT NULL AND fault = '') AND (fault = '' OR done_at IS NOT NULL))
);
CREATE INDEX care_item_waiting ON care_item (run_id, voucher_id) WHERE done_at IS NULL;
CREATE INDEX care_item_made ON care_item (made_id) WHERE made_id IS NOT NULL;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON care_run, care_item TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, ended_at) ON care_run TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (done_at, fault, made_id) ON care_item TO %I', current_schema());
END $$;
-- +goose StatementEnd
