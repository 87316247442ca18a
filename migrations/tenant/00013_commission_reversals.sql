-- What an agent's commission lost when his buyer got money back, and gained when a dispute was won.
-- +goose Up

-- amount_satang is below zero where the agent has it again. The transfer of its id moved it.
CREATE TABLE commission_reversal (
  id            uuid PRIMARY KEY,
  commission_id uuid NOT NULL CONSTRAINT commission_reversal_commission REFERENCES commission (id),
  amount_satang bigint NOT NULL CONSTRAINT commission_reversal_amount CHECK (amount_satang <> 0),
  at            timestamptz NOT NULL
);
CREATE INDEX commission_reversal_by_commission ON commission_reversal (commission_id, id);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON commission_reversal TO %I', current_schema());
END $$;
-- +goose StatementEnd
