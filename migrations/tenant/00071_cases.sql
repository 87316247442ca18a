-- A dispute is a case, too, so that an organisation sees in one list what its gateway sent back and what banks hold back; and it may bear what was
-- sent back before the seven days.
-- +goose Up
-- decision_id: the step of its charge by which somebody had the organisation bear it.
ALTER TABLE charge_case
  DROP CONSTRAINT charge_case_kind,
  ADD CONSTRAINT charge_case_kind CHECK (kind IN ('refund', 'dispute', 'wrong_sum')),
  DROP CONSTRAINT charge_case_outcome,
  ADD CONSTRAINT charge_case_outcome CHECK (outcome IN ('', 'covered', 'borne', 'written_off', 'won', 'lost')),
  ADD COLUMN decision_id uuid CONSTRAINT charge_case_decision REFERENCES charge_event (id) CONSTRAINT charge_case_one_decision UNIQUE,
  ADD COLUMN decided_by uuid CONSTRAINT charge_case_decided_by REFERENCES staff (id),
  ADD CONSTRAINT charge_case_decided CHECK ((decision_id IS NULL) = (decided_by IS NULL) AND (decision_id IS NULL OR kind = 'refund' AND outcome = 'borne'));
CREATE INDEX charge_case_charge_i ON charge_case (charge_id, id);
CREATE INDEX charge_case_kind_i ON charge_case (kind, id);
CREATE INDEX charge_case_state_i ON charge_case ((CASE outcome WHEN '' THEN 'open' ELSE outcome END), id);

-- When a bank decided against an organisation nobody wrote down until now: such a case ended when it began.
INSERT INTO charge_case (id, charge_id, kind, amount_satang, opened_at, closed_at, outcome)
  SELECT m.id, m.charge_id, 'dispute', m.amount_satang, m.at, CASE c.dispute WHEN 'open' THEN NULL ELSE coalesce(w.at, m.at) END, CASE c.dispute WHEN 'open' THEN '' ELSE c.dispute END
  FROM charge_event m JOIN charge c ON c.id = m.charge_id LEFT JOIN charge_event w ON w.charge_id = c.id AND w.kind = 'dispute_won' WHERE m.kind = 'dispute';

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT UPDATE (decision_id, decided_by) ON charge_case TO %I', current_schema());
END $$;
-- +goose StatementEnd
