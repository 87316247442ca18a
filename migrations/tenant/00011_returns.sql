-- What the gateway takes for a charge, and what it sends back or the payer's bank takes back after it was captured.
-- +goose Up

-- refunded_satang: sent back in all, also before the charge was captured. disputed_satang: what a dispute holds back now.
-- owed_satang: of both, what the wallet did not have. fee_satang: the gateway's, its VAT included.
ALTER TABLE charge
  ADD COLUMN refunded_satang bigint NOT NULL DEFAULT 0,
  ADD COLUMN disputed_satang bigint NOT NULL DEFAULT 0,
  ADD COLUMN owed_satang bigint NOT NULL DEFAULT 0,
  ADD COLUMN fee_satang bigint NOT NULL DEFAULT 0,
  ADD COLUMN dispute text NOT NULL DEFAULT '' CONSTRAINT charge_dispute CHECK (dispute IN ('', 'open', 'won', 'lost'));
UPDATE charge SET refunded_satang = amount_satang - captured_satang WHERE state = 'captured';
ALTER TABLE charge
  ADD CONSTRAINT charge_not_negative CHECK (least(refunded_satang, disputed_satang, owed_satang, fee_satang) >= 0),
  ADD CONSTRAINT charge_taken_back CHECK (refunded_satang + disputed_satang <= amount_satang),
  ADD CONSTRAINT charge_owed CHECK (owed_satang <= refunded_satang + disputed_satang);

-- Each time that money of a captured charge moved at the gateway; the transfer of its id says from where to where.
CREATE TABLE charge_movement (
  id            uuid PRIMARY KEY,
  charge_id     uuid NOT NULL CONSTRAINT charge_movement_charge REFERENCES charge (id),
  kind          text NOT NULL CONSTRAINT charge_movement_kind CHECK (kind IN ('fee', 'refund', 'dispute', 'dispute_won')),
  amount_satang bigint NOT NULL CONSTRAINT charge_movement_amount CHECK (amount_satang > 0),
  at            timestamptz NOT NULL
);
CREATE INDEX charge_movement_by_charge ON charge_movement (charge_id, id);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON charge_movement TO %I', current_schema());
END $$;
-- +goose StatementEnd
