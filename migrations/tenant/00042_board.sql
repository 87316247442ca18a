-- A voucher is sold on: its holder offers it on the board, and another customer buys it.
-- +goose Up

-- What one person offers at one price. royalty_satang goes to the organisation and fee_satang to the platform; both stay what they were when
-- the offer was made.
CREATE TABLE offer (
  id             uuid PRIMARY KEY,
  seller_id      uuid NOT NULL CONSTRAINT offer_seller REFERENCES customer (id),
  state          text NOT NULL CONSTRAINT offer_state CHECK (state IN ('open', 'sold', 'cancelled', 'ended', 'stopped')),
  price_satang   bigint NOT NULL CONSTRAINT offer_price CHECK (price_satang >= 100),
  royalty_satang bigint NOT NULL CONSTRAINT offer_royalty CHECK (royalty_satang >= 0),
  fee_satang     bigint NOT NULL CONSTRAINT offer_fee CHECK (fee_satang >= 0),
  created_at     timestamptz NOT NULL,
  expires_at     timestamptz NOT NULL,
  ended_at       timestamptz,
  stopped_by     uuid CONSTRAINT offer_stopped_by REFERENCES staff (id),
  CONSTRAINT offer_parts CHECK (royalty_satang + fee_satang < price_satang),
  CONSTRAINT offer_ended CHECK ((state = 'open') = (ended_at IS NULL)),
  CONSTRAINT offer_stopped CHECK (stopped_by IS NULL OR state = 'stopped')
);
CREATE INDEX offer_seller_i ON offer (seller_id, id);
CREATE INDEX offer_state_i ON offer (state, id);
CREATE INDEX offer_due ON offer (expires_at) WHERE state = 'open';

-- Who bought what was offered. number: of its receipt.
CREATE TABLE resale (
  id       uuid PRIMARY KEY,
  number   text NOT NULL CONSTRAINT resale_number UNIQUE,
  offer_id uuid NOT NULL CONSTRAINT resale_offer REFERENCES offer (id) CONSTRAINT resale_once UNIQUE,
  buyer_id uuid NOT NULL CONSTRAINT resale_buyer REFERENCES customer (id),
  sold_at  timestamptz NOT NULL
);
CREATE INDEX resale_buyer_i ON resale (buyer_id, id);

-- offer_id: the offer by which it is on sale. resale_id: the last one by which it, or what it was split off from, was sold on.
ALTER TABLE voucher
  ADD COLUMN offer_id uuid CONSTRAINT voucher_offer REFERENCES offer (id),
  ADD COLUMN resale_id uuid CONSTRAINT voucher_resale REFERENCES resale (id),
  ADD CONSTRAINT voucher_offer_state CHECK ((offer_id IS NOT NULL) = (state = 'on_sale'));
CREATE INDEX voucher_offer_i ON voucher (offer_id) WHERE offer_id IS NOT NULL;
CREATE INDEX voucher_resale_i ON voucher (resale_id) WHERE resale_id IS NOT NULL;

-- offer_id: by which offer it was offered, withdrawn or sold.
ALTER TABLE voucher_event
  ADD COLUMN offer_id uuid CONSTRAINT voucher_event_offer REFERENCES offer (id),
  DROP CONSTRAINT voucher_event_event,
  ADD CONSTRAINT voucher_event_event CHECK (event IN ('freeze', 'release', 'refund', 'void', 'give', 'return', 'claim', 'split', 'offer', 'withdraw', 'sell')),
  DROP CONSTRAINT voucher_event_why,
  ADD CONSTRAINT voucher_event_why CHECK (CASE event WHEN 'split' THEN (gift_id IS NULL) <> (offer_id IS NULL)
    ELSE (gift_id IS NOT NULL) = (event IN ('give', 'return', 'claim')) AND (offer_id IS NOT NULL) = (event IN ('offer', 'withdraw', 'sell')) END);
CREATE INDEX voucher_event_offer_i ON voucher_event (offer_id) WHERE offer_id IS NOT NULL;
DROP INDEX voucher_event_holder_i;
CREATE INDEX voucher_event_holder_i ON voucher_event (holder_id, id) WHERE charge_id IS NULL;

-- What an organisation decides about its board. is_open: offers can be made and bought. cap_percent: of what was paid, which a price may not
-- exceed. sold_out_only: only what the organisation itself does not sell any more. One row, or none while nobody has changed it.
CREATE TABLE board_setting (
  one                  boolean PRIMARY KEY DEFAULT true CONSTRAINT board_setting_one CHECK (one),
  is_open              boolean NOT NULL,
  royalty_basis_points integer NOT NULL CONSTRAINT board_setting_royalty CHECK (royalty_basis_points BETWEEN 0 AND 5000),
  cap_percent          integer NOT NULL CONSTRAINT board_setting_cap CHECK (cap_percent BETWEEN 1 AND 100),
  days                 integer NOT NULL CONSTRAINT board_setting_days CHECK (days BETWEEN 1 AND 90),
  sold_out_only        boolean NOT NULL,
  updated_at           timestamptz NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON offer, resale TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, expires_at, ended_at, stopped_by) ON offer TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON board_setting TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (offer_id, resale_id) ON voucher TO %I', current_schema());
END $$;
-- +goose StatementEnd
