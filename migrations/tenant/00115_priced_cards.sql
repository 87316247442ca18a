-- Cards that have a price: each is an order of one line.
-- +goose Up

ALTER TABLE card_type_version
  ADD COLUMN price_satang bigint NOT NULL DEFAULT 0 CONSTRAINT card_type_version_price CHECK (price_satang = 0 OR price_satang BETWEEN 100 AND 100000000),
  ADD COLUMN class text NOT NULL DEFAULT 'ordinary' CONSTRAINT card_type_version_class CHECK (class IN ('ordinary', 'beauty', 'fitness'));

-- A line is of a package or of a card. That of a card is the only one of its order, issues no voucher, and nobody sells it for commission.
ALTER TABLE order_line
  ALTER COLUMN package_id DROP NOT NULL,
  ADD COLUMN card_version_id uuid CONSTRAINT order_line_card_version REFERENCES card_type_version (id),
  ADD CONSTRAINT order_line_of_one CHECK (num_nonnulls(package_id, card_version_id) = 1),
  ADD CONSTRAINT order_line_card CHECK (card_version_id IS NULL OR position = 0 AND quantity = 1 AND amount_satang = unit_satang AND contents IS NULL AND rate_kind IS NULL);
CREATE INDEX order_line_card_version_i ON order_line (card_version_id) WHERE card_version_id IS NOT NULL;

-- The order that paid for an application. What the organisation gets of it is unearned until the term begins or the price is given back; credited: what was given back of a term that
-- another one replaced, or of one of the classes whose members may change their minds. NULL: that has not happened.
CREATE TABLE card_order (
  order_id        uuid PRIMARY KEY CONSTRAINT card_order_order REFERENCES orders (id),
  application_id  uuid NOT NULL CONSTRAINT card_order_application REFERENCES application (id) CONSTRAINT card_order_once UNIQUE,
  begun_at        timestamptz,
  returned_at     timestamptz,
  credited_at     timestamptz,
  credited_satang bigint CONSTRAINT card_order_credited CHECK (credited_satang >= 0),
  CONSTRAINT card_order_one_end CHECK (num_nonnulls(begun_at, returned_at) <= 1),
  CONSTRAINT card_order_credit CHECK (num_nonnulls(credited_at, credited_satang) <> 1 AND (credited_at IS NULL OR begun_at IS NOT NULL))
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON card_order TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (begun_at, returned_at, credited_at, credited_satang) ON card_order TO %I', current_schema());
END $$;
-- +goose StatementEnd
