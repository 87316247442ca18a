-- The ledger, the wallets on it, and how money comes in. Entries are append-only: no UPDATE, no DELETE.
-- +goose Up

-- An account of the ledger. Accounts of the house have no owner; a customer's and an agent's have.
CREATE TABLE account (
  id         uuid PRIMARY KEY,
  kind       text NOT NULL CONSTRAINT account_kind CHECK (kind IN (
               'gateway', 'wallet', 'unearned', 'payable', 'platform_fee', 'gateway_fee', 'commission_pending',
               'commission_payable', 'bank_clearing', 'withholding_tax', 'breakage', 'chargeback_receivable', 'adjustment')),
  owner_id   uuid,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX account_house ON account (kind) WHERE owner_id IS NULL;
CREATE UNIQUE INDEX account_owned ON account (kind, owner_id) WHERE owner_id IS NOT NULL;

-- The one balance that is kept as a row: a customer's money, which may never go below zero.
CREATE TABLE wallet (
  account_id     uuid PRIMARY KEY CONSTRAINT wallet_account REFERENCES account (id),
  customer_id    uuid NOT NULL CONSTRAINT wallet_customer_once UNIQUE CONSTRAINT wallet_customer REFERENCES customer (id),
  balance_satang bigint NOT NULL CONSTRAINT wallet_not_negative CHECK (balance_satang >= 0),
  updated_at     timestamptz NOT NULL
);

-- One cause of money moving: a top-up, a purchase, a use. cause_id is the row that explains it.
CREATE TABLE transfer (
  id       uuid PRIMARY KEY,
  kind     text NOT NULL,
  cause_id uuid NOT NULL,
  day      date NOT NULL,
  at       timestamptz NOT NULL,
  memo_th  text NOT NULL DEFAULT '',
  memo_en  text NOT NULL DEFAULT '',
  reverses uuid CONSTRAINT transfer_reverses REFERENCES transfer (id),
  CONSTRAINT transfer_once UNIQUE (kind, cause_id)
);
CREATE INDEX transfer_day ON transfer (day, id);

-- A positive amount from one account (debit) to another (credit). The *_after columns are balances of wallets.
CREATE TABLE entry (
  id                  uuid PRIMARY KEY,
  transfer_id         uuid NOT NULL CONSTRAINT entry_transfer REFERENCES transfer (id),
  debit_id            uuid NOT NULL CONSTRAINT entry_debit REFERENCES account (id),
  credit_id           uuid NOT NULL CONSTRAINT entry_credit REFERENCES account (id),
  amount_satang       bigint NOT NULL CONSTRAINT entry_amount CHECK (amount_satang > 0 AND amount_satang <= 10000000000000),
  debit_after_satang  bigint,
  credit_after_satang bigint,
  CONSTRAINT entry_two_accounts CHECK (debit_id <> credit_id)
);
CREATE INDEX entry_by_debit ON entry (debit_id, id);
CREATE INDEX entry_by_credit ON entry (credit_id, id);
CREATE INDEX entry_by_transfer ON entry (transfer_id);

-- The trial balance at the end of a day, so that a house account's balance is a snapshot plus what came since.
CREATE TABLE snapshot (
  day           date NOT NULL,
  account_id    uuid NOT NULL CONSTRAINT snapshot_account REFERENCES account (id),
  debit_satang  numeric(30, 0) NOT NULL,
  credit_satang numeric(30, 0) NOT NULL,
  PRIMARY KEY (day, account_id)
);

-- A day that may not change any more: the hash of its transfers, chained to the day before.
CREATE TABLE seal (
  day       date PRIMARY KEY,
  transfers bigint NOT NULL,
  entries   bigint NOT NULL,
  total     numeric(30, 0) NOT NULL,
  previous  bytea NOT NULL,
  hash      bytea NOT NULL,
  sealed_at timestamptz NOT NULL
);

-- How the organisation is paid. Keys are encrypted with the organisation's own key.
CREATE TABLE payment_system (
  id             uuid PRIMARY KEY,
  kind           text NOT NULL CONSTRAINT payment_system_kind CHECK (kind IN ('omise', 'manual')),
  name_th        text NOT NULL,
  name_en        text NOT NULL,
  public_key     text NOT NULL DEFAULT '',
  secret_key     bytea,
  webhook_secret bytea,
  methods        text[] NOT NULL,
  endpoint_id    text NOT NULL CONSTRAINT payment_system_endpoint UNIQUE,
  status         smallint NOT NULL,
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL
);

CREATE TABLE topup (
  id            uuid PRIMARY KEY,
  customer_id   uuid NOT NULL CONSTRAINT topup_customer REFERENCES customer (id),
  system_id     uuid NOT NULL CONSTRAINT topup_system REFERENCES payment_system (id),
  method        text NOT NULL CONSTRAINT topup_method CHECK (method IN ('promptpay', 'card')),
  amount_satang bigint NOT NULL CONSTRAINT topup_minimum CHECK (amount_satang >= 10000),
  state         text NOT NULL CONSTRAINT topup_state CHECK (state IN ('created', 'awaiting', 'captured', 'expired', 'failed')),
  reference     text NOT NULL CONSTRAINT topup_reference UNIQUE,
  charge_id     text CONSTRAINT topup_charge UNIQUE,
  qr_url        text NOT NULL DEFAULT '',
  authorize_url text NOT NULL DEFAULT '',
  failure       text NOT NULL DEFAULT '',
  late          boolean NOT NULL DEFAULT false,
  created_at    timestamptz NOT NULL,
  expires_at    timestamptz NOT NULL,
  captured_at   timestamptz,
  polled_at     timestamptz,
  polls         integer NOT NULL DEFAULT 0
);
CREATE INDEX topup_by_customer ON topup (customer_id, created_at DESC);
CREATE INDEX topup_open ON topup (expires_at) WHERE state IN ('created', 'awaiting');

-- A webhook as it came, once; it is only a hint to ask the gateway.
CREATE TABLE gateway_event (
  system_id   uuid NOT NULL CONSTRAINT gateway_event_system REFERENCES payment_system (id),
  event_id    text NOT NULL,
  kind        text NOT NULL,
  charge_id   text NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (system_id, event_id)
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON account, transfer, entry, snapshot, seal, gateway_event TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON wallet, payment_system, topup TO %I', current_schema());
END $$;
-- +goose StatementEnd
