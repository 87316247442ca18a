-- An offer is paid by PromptPay or card, too: while its charge waits for the money, the offer is reserved.
-- +goose Up
ALTER TABLE charge
  DROP CONSTRAINT charge_purpose,
  ADD CONSTRAINT charge_purpose CHECK (purpose IN ('topup', 'order', 'offer', 'duplicate')),
  DROP CONSTRAINT charge_amount,
  ADD CONSTRAINT charge_amount CHECK (amount_satang >= CASE purpose WHEN 'topup' THEN 10000 WHEN 'order' THEN 100 WHEN 'offer' THEN 100 ELSE 1 END);

ALTER TABLE offer
  DROP CONSTRAINT offer_state,
  ADD CONSTRAINT offer_state CHECK (state IN ('open', 'reserved', 'sold', 'cancelled', 'ended', 'stopped')),
  DROP CONSTRAINT offer_ended,
  ADD CONSTRAINT offer_ended CHECK ((state IN ('open', 'reserved')) = (ended_at IS NULL));

-- For whom an offer is reserved while he pays it by a charge of the same id; a resale of that id is what he bought by it. ended: no money came in
-- time. stopped: the offer ended before the charge did; its money is the payer's.
CREATE TABLE reservation (
  id         uuid PRIMARY KEY CONSTRAINT reservation_charge REFERENCES charge (id),
  offer_id   uuid NOT NULL CONSTRAINT reservation_offer REFERENCES offer (id),
  buyer_id   uuid NOT NULL CONSTRAINT reservation_buyer REFERENCES customer (id),
  state      text NOT NULL CONSTRAINT reservation_state CHECK (state IN ('open', 'paid', 'ended', 'stopped')),
  created_at timestamptz NOT NULL,
  ended_at   timestamptz,
  CONSTRAINT reservation_ended CHECK ((state = 'open') = (ended_at IS NULL))
);
CREATE UNIQUE INDEX reservation_one_of_offer ON reservation (offer_id) WHERE state = 'open';
CREATE UNIQUE INDEX reservation_one_of_buyer ON reservation (buyer_id) WHERE state = 'open';
CREATE INDEX reservation_offer_i ON reservation (offer_id);
CREATE INDEX reservation_buyer_i ON reservation (buyer_id, id);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON reservation TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, ended_at) ON reservation TO %I', current_schema());
END $$;
-- +goose StatementEnd
