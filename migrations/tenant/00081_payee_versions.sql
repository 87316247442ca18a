-- Who is paid commission, and what he says of himself and his bank account, version by version. A customer applies to become an agent.
-- +goose Up

-- Somebody whom commission or earnings are paid to. The payee of an agent has the agent's id.
CREATE TABLE payee (
  id         uuid PRIMARY KEY,
  kind       text NOT NULL CONSTRAINT payee_kind CHECK (kind IN ('agent', 'partner', 'organisation')),
  created_at timestamptz NOT NULL
);
INSERT INTO payee (id, kind, created_at) SELECT id, 'agent', created_at FROM agent;

-- A picture of an identity card or of a bank book. Its object is encrypted. dropped_at: since when its object is to be deleted.
CREATE TABLE payee_picture (
  id         uuid PRIMARY KEY,
  payee_id   uuid NOT NULL CONSTRAINT payee_picture_payee REFERENCES payee (id),
  kind       text NOT NULL CONSTRAINT payee_picture_kind CHECK (kind IN ('idcard', 'bank')),
  width      integer NOT NULL CONSTRAINT payee_picture_width CHECK (width > 0),
  height     integer NOT NULL CONSTRAINT payee_picture_height CHECK (height > 0),
  bytes      integer NOT NULL CONSTRAINT payee_picture_bytes CHECK (bytes > 0),
  added_at   timestamptz NOT NULL,
  dropped_at timestamptz,
  CONSTRAINT payee_picture_of UNIQUE (id, payee_id),
  CONSTRAINT payee_picture_dropped CHECK (dropped_at >= added_at)
);
CREATE INDEX payee_picture_payee_i ON payee_picture (payee_id, id);
CREATE INDEX payee_picture_dropped_i ON payee_picture (dropped_at) WHERE dropped_at IS NOT NULL;

-- What a payee is filling in. form: encrypted. mobile_verified: the index of the number that he has proved to be his. mend: what is to be mended of the version
-- that was refused.
CREATE TABLE payee_draft (
  payee_id        uuid PRIMARY KEY CONSTRAINT payee_draft_payee REFERENCES payee (id),
  form            bytea NOT NULL,
  mobile_verified bytea,
  idcard_picture  uuid,
  bank_picture    uuid,
  mend            text[] NOT NULL DEFAULT '{}',
  saved_at        timestamptz NOT NULL,
  CONSTRAINT payee_draft_idcard FOREIGN KEY (idcard_picture, payee_id) REFERENCES payee_picture (id, payee_id),
  CONSTRAINT payee_draft_bank FOREIGN KEY (bank_picture, payee_id) REFERENCES payee_picture (id, payee_id)
);

-- What a payee has sent, and what became of it. form: encrypted; NULL once it is forgotten. identity_index: of the ID card of a person, of the tax id of a
-- company. The digits are the last four. mobile_verified: that he had proved the number to be his. decided_by: NULL where the clock decided. reason: in the words of
-- who refused it, or approved it although another agent has the same account or number. pays_from: since when it is paid by.
CREATE TABLE payee_version (
  id              uuid PRIMARY KEY,
  payee_id        uuid NOT NULL CONSTRAINT payee_version_payee REFERENCES payee (id),
  number          integer NOT NULL CONSTRAINT payee_version_number CHECK (number > 0),
  state           text NOT NULL CONSTRAINT payee_version_state CHECK (state IN ('pending', 'approved', 'refused', 'withdrawn')),
  kind            text NOT NULL CONSTRAINT payee_version_kind CHECK (kind IN ('person', 'company')),
  vat_registered  boolean NOT NULL,
  resident        boolean NOT NULL,
  bank            text NOT NULL CONSTRAINT payee_version_bank CHECK (bank ~ '^[0-9]{3}$'),
  form            bytea,
  identity_index  bytea,
  mobile_index    bytea,
  account_index   bytea,
  identity_digits text NOT NULL CONSTRAINT payee_version_identity_digits CHECK (length(identity_digits) <= 4),
  mobile_digits   text NOT NULL CONSTRAINT payee_version_mobile_digits CHECK (length(mobile_digits) <= 4),
  account_digits  text NOT NULL CONSTRAINT payee_version_account_digits CHECK (length(account_digits) <= 4),
  mobile_verified boolean NOT NULL,
  idcard_picture  uuid,
  bank_picture    uuid,
  recruiter_id    uuid CONSTRAINT payee_version_recruiter REFERENCES agent (id),
  sent_at         timestamptz NOT NULL,
  decided_at      timestamptz,
  decided_by      uuid CONSTRAINT payee_version_decided_by REFERENCES staff (id),
  reason          text NOT NULL DEFAULT '' CONSTRAINT payee_version_reason CHECK (length(reason) <= 300),
  mend            text[] NOT NULL DEFAULT '{}',
  pays_from       date,
  CONSTRAINT payee_version_once UNIQUE (payee_id, number),
  CONSTRAINT payee_version_idcard FOREIGN KEY (idcard_picture, payee_id) REFERENCES payee_picture (id, payee_id),
  CONSTRAINT payee_version_book FOREIGN KEY (bank_picture, payee_id) REFERENCES payee_picture (id, payee_id),
  CONSTRAINT payee_version_whole CHECK ((form IS NULL) = (identity_index IS NULL) AND (form IS NULL) = (mobile_index IS NULL) AND (form IS NULL) = (account_index IS NULL)),
  CONSTRAINT payee_version_waits CHECK ((state = 'pending') = (decided_at IS NULL) AND decided_at >= sent_at),
  CONSTRAINT payee_version_who CHECK (CASE state WHEN 'approved' THEN decided_by IS NOT NULL WHEN 'refused' THEN decided_by IS NULL OR reason <> '' ELSE decided_by IS NULL END),
  CONSTRAINT payee_version_pays CHECK ((state = 'approved') = (pays_from IS NOT NULL))
);
CREATE UNIQUE INDEX payee_version_open ON payee_version (payee_id) WHERE state = 'pending';
CREATE INDEX payee_version_pending_i ON payee_version (sent_at, id) WHERE state = 'pending';
CREATE INDEX payee_version_identity_i ON payee_version (identity_index) WHERE identity_index IS NOT NULL;
CREATE INDEX payee_version_mobile_i ON payee_version (mobile_index) WHERE mobile_index IS NOT NULL;
CREATE INDEX payee_version_account_i ON payee_version (account_index) WHERE account_index IS NOT NULL;
CREATE INDEX payee_version_over_i ON payee_version (decided_at) WHERE state IN ('refused', 'withdrawn') AND form IS NOT NULL;

-- state says what an agent is; status follows from it. recruiter_id: who recruited him, named when he was approved. Who applies has no type yet.
ALTER TABLE agent
  ADD COLUMN state text,
  ADD COLUMN recruiter_id uuid CONSTRAINT agent_recruiter REFERENCES agent (id) CONSTRAINT agent_not_own_recruiter CHECK (recruiter_id <> id),
  ADD CONSTRAINT agent_payee FOREIGN KEY (id) REFERENCES payee (id);
UPDATE agent SET state = CASE status WHEN 5 THEN 'approved' WHEN 9 THEN 'erased' ELSE 'suspended' END;
ALTER TABLE agent
  ALTER COLUMN state SET NOT NULL,
  ALTER COLUMN agent_type_id DROP NOT NULL,
  DROP COLUMN status,
  ADD COLUMN status smallint NOT NULL GENERATED ALWAYS AS (CASE state WHEN 'approved' THEN 5 WHEN 'suspended' THEN 4 WHEN 'refused' THEN 3 WHEN 'left' THEN 2 WHEN 'erased' THEN 9 ELSE 1 END) STORED,
  ADD CONSTRAINT agent_state CHECK (state IN ('draft', 'pending', 'approved', 'refused', 'suspended', 'left', 'erased')),
  ADD CONSTRAINT agent_has_type CHECK (state NOT IN ('approved', 'suspended') OR agent_type_id IS NOT NULL);
CREATE INDEX agent_recruiter_i ON agent (recruiter_id) WHERE recruiter_id IS NOT NULL;

ALTER TABLE message
  DROP CONSTRAINT message_kind,
  ADD CONSTRAINT message_kind CHECK (kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_thanked', 'gift_returned', 'gift_stopped', 'gift_unopened',
    'gift_first_taken', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'offer_ended', 'offer_stopped', 'voucher_ends', 'voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back', 'voucher_refunded',
    'voucher_frozen_by_shop', 'voucher_released_by_shop', 'voucher_voided_by_shop', 'voucher_reissued', 'voucher_extended', 'voucher_to_card',
    'money_topped_up', 'money_refunded', 'money_kept', 'money_to_card', 'money_not_to_card', 'money_to_bank', 'money_at_bank', 'money_not_to_bank',
    'use_confirmed', 'use_stands', 'use_undone', 'use_goodwill',
    'refund_granted', 'refund_refused', 'refund_changed', 'refund_to_card', 'refund_to_bank',
    'cashout_approved', 'cashout_refused', 'cashout_at_bank', 'cashout_failed',
    'agent_approved', 'agent_refused', 'agent_suspended', 'agent_resumed', 'agent_changed', 'agent_not_changed')),
  DROP CONSTRAINT message_reminds,
  ADD CONSTRAINT message_reminds CHECK ((days IS NOT NULL) = (kind IN ('gift_unopened', 'voucher_ends'))
    AND (day IS NOT NULL) = (kind IN ('voucher_ends', 'voucher_released_by_shop', 'voucher_extended', 'agent_changed')));
DROP INDEX message_to_push;
CREATE INDEX message_to_push ON message (created_at) WHERE push_id IS NULL AND held IS NULL AND read_at IS NULL
  AND kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_returned', 'gift_stopped', 'gift_unopened', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
    'offer_sold', 'voucher_ends', 'voucher_frozen', 'voucher_frozen_by_shop', 'voucher_voided_by_shop', 'voucher_taken_back', 'voucher_refunded', 'voucher_to_card',
    'money_kept', 'money_not_to_card', 'money_at_bank', 'money_not_to_bank', 'use_confirmed', 'use_stands', 'use_undone',
    'refund_granted', 'refund_refused', 'refund_changed', 'refund_to_card', 'refund_to_bank',
    'cashout_approved', 'cashout_refused', 'cashout_at_bank', 'cashout_failed',
    'agent_approved', 'agent_refused', 'agent_suspended', 'agent_resumed', 'agent_changed', 'agent_not_changed')
  AND (kind <> 'voucher_ends' OR days <= 7);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON payee TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON payee_picture TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (dropped_at) ON payee_picture TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON payee_draft TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (form, mobile_verified, idcard_picture, bank_picture, mend, saved_at) ON payee_draft TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT ON payee_version TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, decided_at, decided_by, reason, mend, pays_from, form, identity_index, mobile_index, account_index,
    identity_digits, mobile_digits, account_digits, idcard_picture, bank_picture) ON payee_version TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, recruiter_id) ON agent TO %I', current_schema());
END $$;
-- +goose StatementEnd
