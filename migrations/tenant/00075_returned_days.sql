-- Days on which its service points were closed are given back to a voucher that could be used nowhere else: an extension, of which each day is kept.
-- +goose Up
-- closure_id: which closure the days were of, if they were of one.
ALTER TABLE extension
  ADD COLUMN closure_id uuid CONSTRAINT extension_closure REFERENCES closure (id),
  ADD CONSTRAINT extension_of_voucher UNIQUE (id, voucher_id);
CREATE INDEX extension_closure_i ON extension (closure_id) WHERE closure_id IS NOT NULL;

-- A voucher gets no day twice.
CREATE TABLE returned_day (
  voucher_id   uuid NOT NULL,
  day          date NOT NULL,
  extension_id uuid NOT NULL,
  PRIMARY KEY (voucher_id, day),
  CONSTRAINT returned_day_extension FOREIGN KEY (extension_id, voucher_id) REFERENCES extension (id, voucher_id)
);
CREATE INDEX returned_day_extension_i ON returned_day (extension_id);

ALTER TABLE care_run
  ADD COLUMN closure_id uuid CONSTRAINT care_run_of_closure REFERENCES closure (id),
  DROP CONSTRAINT care_run_task,
  ADD CONSTRAINT care_run_task CHECK (task IN ('extend', 'freeze', 'release', 'void', 'return_days')),
  ADD CONSTRAINT care_run_closure CHECK ((closure_id IS NOT NULL) = (task = 'return_days'));

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON returned_day TO %I', current_schema());
END $$;
-- +goose StatementEnd
