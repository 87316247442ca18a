-- What was withheld of payouts is certified to each payee and filed with the Revenue Department month by month.
-- +goose Up

-- The last number of a series: WT00000-6912 is that of certificates of a branch in a month.
CREATE TABLE tax_series (
  name text PRIMARY KEY,
  last integer NOT NULL CONSTRAINT tax_series_last CHECK (last > 0)
);

-- A month's file of a form. file: encrypted, with the payees' numbers and names in it; it has the same bytes each time. sequence: 0 is the month's first, later ones have what
-- came late. paid, withheld: the sums of its certificates.
CREATE TABLE tax_return (
  id              uuid PRIMARY KEY,
  form            text NOT NULL CONSTRAINT tax_return_form CHECK (form IN ('PND1', 'PND53')),
  month           date NOT NULL CONSTRAINT tax_return_month CHECK (extract(day FROM month) = 1),
  sequence        integer NOT NULL CONSTRAINT tax_return_sequence CHECK (sequence BETWEEN 0 AND 99),
  state           text NOT NULL CONSTRAINT tax_return_state CHECK (state IN ('made', 'filed', 'cancelled')),
  certificates    integer NOT NULL CONSTRAINT tax_return_certificates CHECK (certificates > 0),
  paid_satang     bigint NOT NULL CONSTRAINT tax_return_paid CHECK (paid_satang > 0),
  withheld_satang bigint NOT NULL CONSTRAINT tax_return_withheld CHECK (withheld_satang > 0),
  file_name       text NOT NULL,
  file            bytea NOT NULL,
  file_hash       bytea NOT NULL,
  approval_id     uuid CONSTRAINT tax_return_approval REFERENCES approval (id),
  made_at         timestamptz NOT NULL,
  made_by         uuid NOT NULL CONSTRAINT tax_return_made_by REFERENCES staff (id),
  filed_on        date,
  receipt         text NOT NULL DEFAULT '' CONSTRAINT tax_return_receipt CHECK (length(receipt) <= 60),
  filed_at        timestamptz,
  cancelled_at    timestamptz,
  CONSTRAINT tax_return_filed CHECK ((state = 'filed') = (filed_on IS NOT NULL) AND (state = 'filed') = (filed_at IS NOT NULL) AND (state = 'filed') = (receipt <> '')
    AND (state <> 'filed' OR approval_id IS NOT NULL)),
  CONSTRAINT tax_return_cancelled CHECK ((state = 'cancelled') = (cancelled_at IS NOT NULL))
);
CREATE UNIQUE INDEX tax_return_once ON tax_return (form, month, sequence) WHERE state <> 'cancelled';
CREATE INDEX tax_return_approval_i ON tax_return (approval_id) WHERE approval_id IS NOT NULL;

-- A certificate of what was withheld of a payout. What it says stays as it was when it was issued. payee: encrypted. income, withheld: what was paid without VAT, and the tax of it. A void one
-- keeps its number; the one in its place names it. return_id: the file that has it.
CREATE TABLE tax_certificate (
  id                uuid PRIMARY KEY,
  number            text NOT NULL CONSTRAINT tax_certificate_number UNIQUE,
  payout_id         uuid NOT NULL CONSTRAINT tax_certificate_payout REFERENCES payout (id),
  payee_id          uuid NOT NULL CONSTRAINT tax_certificate_payee REFERENCES payee (id),
  replaces_id       uuid CONSTRAINT tax_certificate_replaces UNIQUE REFERENCES tax_certificate (id),
  state             text NOT NULL CONSTRAINT tax_certificate_state CHECK (state IN ('issued', 'void')),
  form              text NOT NULL CONSTRAINT tax_certificate_form CHECK (form IN ('PND1', 'PND53')),
  income_code       text NOT NULL,
  rate_basis_points integer NOT NULL CONSTRAINT tax_certificate_rate CHECK (rate_basis_points BETWEEN 0 AND 10000),
  paid_on           date NOT NULL,
  income_satang     bigint NOT NULL CONSTRAINT tax_certificate_income CHECK (income_satang > 0),
  withheld_satang   bigint NOT NULL CONSTRAINT tax_certificate_withheld CHECK (withheld_satang > 0),
  payer_name        text NOT NULL,
  payer_tax_id      text NOT NULL,
  payer_branch      text NOT NULL,
  payer_address     text NOT NULL,
  payee             bytea NOT NULL,
  return_id         uuid CONSTRAINT tax_certificate_return REFERENCES tax_return (id),
  issued_at         timestamptz NOT NULL,
  issued_by         uuid CONSTRAINT tax_certificate_issued_by REFERENCES staff (id), -- null: a job, once it was paid
  voided_at         timestamptz,
  voided_by         uuid CONSTRAINT tax_certificate_voided_by REFERENCES staff (id),
  reason            text NOT NULL DEFAULT '' CONSTRAINT tax_certificate_reason CHECK (length(reason) <= 300),
  CONSTRAINT tax_certificate_void CHECK ((state = 'void') = (voided_at IS NOT NULL) AND (state = 'void') = (voided_by IS NOT NULL) AND (state = 'void') = (reason <> ''))
);
CREATE UNIQUE INDEX tax_certificate_once ON tax_certificate (payout_id) WHERE state = 'issued';
CREATE INDEX tax_certificate_payout_i ON tax_certificate (payout_id);
CREATE INDEX tax_certificate_payee_i ON tax_certificate (payee_id, id);
CREATE INDEX tax_certificate_return_i ON tax_certificate (return_id, id);
CREATE INDEX tax_certificate_state_i ON tax_certificate (state, id) WHERE state <> 'issued';
CREATE INDEX tax_certificate_form_i ON tax_certificate (form, id);
CREATE INDEX tax_certificate_open_i ON tax_certificate (form, paid_on) WHERE state = 'issued' AND return_id IS NULL;

CREATE INDEX payout_taxed ON payout (id) WHERE state IN ('paid', 'returned') AND withheld_satang > 0;

ALTER TABLE approval
  DROP CONSTRAINT approval_kind,
  ADD CONSTRAINT approval_kind CHECK (kind IN ('refund', 'refund_request', 'rule', 'void', 'write_off', 'goodwill', 'extend', 'bank_transfer', 'cashout', 'payout', 'tax_return'));

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON tax_series TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT ON tax_return, tax_certificate TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, approval_id, filed_on, receipt, filed_at, cancelled_at) ON tax_return TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, return_id, voided_at, voided_by, reason) ON tax_certificate TO %I', current_schema());
END $$;
-- +goose StatementEnd
