-- What needs a second person: it is asked for, and waits until another account answers.
-- +goose Up

-- Which changes need a second person: those above so many satang, or all of them where above is 0. A kind without a row needs nobody.
CREATE TABLE approval_rule (
  kind       text PRIMARY KEY CONSTRAINT approval_rule_kind CHECK (kind IN ('refund')),
  above      bigint NOT NULL CONSTRAINT approval_rule_above CHECK (above >= 0),
  updated_at timestamptz NOT NULL
);

-- record_table, record_id: what it would change, as lists name it. title: its number, or ''. customer_id: whom it concerns. input: what is asked for, as
-- its use case takes it. note: why, in words of who asked. made_id: what was made by it. alone: who asked answered it himself, because nobody else could.
CREATE TABLE approval (
  id            uuid PRIMARY KEY,
  kind          text NOT NULL CONSTRAINT approval_kind CHECK (kind IN ('refund', 'rule')),
  state         text NOT NULL CONSTRAINT approval_state CHECK (state IN ('waiting', 'approved', 'refused', 'withdrawn', 'lapsed')),
  record_table  text NOT NULL,
  record_id     uuid NOT NULL,
  title         text NOT NULL DEFAULT '',
  customer_id   uuid CONSTRAINT approval_customer REFERENCES customer (id),
  amount_satang bigint NOT NULL DEFAULT 0 CONSTRAINT approval_amount CHECK (amount_satang >= 0),
  input         jsonb NOT NULL,
  note          text NOT NULL DEFAULT '',
  asked_by      uuid NOT NULL CONSTRAINT approval_asked_by REFERENCES staff (id),
  asked_at      timestamptz NOT NULL,
  due_at        timestamptz NOT NULL CONSTRAINT approval_due CHECK (due_at > asked_at),
  answered_by   uuid CONSTRAINT approval_answered_by REFERENCES staff (id),
  answered_at   timestamptz,
  answer        text NOT NULL DEFAULT '',
  alone         boolean NOT NULL DEFAULT false,
  made_id       uuid CONSTRAINT approval_made UNIQUE,
  CONSTRAINT approval_ended CHECK ((state = 'waiting') = (answered_at IS NULL) AND (state IN ('waiting', 'lapsed')) = (answered_by IS NULL)),
  CONSTRAINT approval_in_time CHECK (state = 'lapsed' OR answered_at < due_at),
  CONSTRAINT approval_made_by_it CHECK ((state = 'approved') = (made_id IS NOT NULL)),
  CONSTRAINT approval_by_another CHECK (state NOT IN ('approved', 'refused') OR (answered_by = asked_by) = alone),
  CONSTRAINT approval_alone CHECK (NOT alone OR state = 'approved'
    AND (answered_at AT TIME ZONE 'Asia/Bangkok')::date > (asked_at AT TIME ZONE 'Asia/Bangkok')::date)
);
-- Of a record, one request of a kind waits at a time.
CREATE UNIQUE INDEX approval_waiting ON approval (kind, record_id) WHERE state = 'waiting';
CREATE INDEX approval_state_i ON approval (state, id);
CREATE INDEX approval_kind_i ON approval (kind, id);
CREATE INDEX approval_title_i ON approval (title text_pattern_ops, id);
CREATE INDEX approval_due_i ON approval (due_at) WHERE state = 'waiting';

-- approval_id: by which a second person let it be made.
ALTER TABLE refund
  ADD COLUMN approval_id uuid CONSTRAINT refund_approval UNIQUE REFERENCES approval (id);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON approval_rule TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT ON approval TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, answered_by, answered_at, answer, alone, made_id) ON approval TO %I', current_schema());
END $$;
-- +goose StatementEnd
