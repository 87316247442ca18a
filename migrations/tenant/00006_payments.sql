-- A charge is money asked of a customer through a gateway: a top-up, or an order paid directly. It has the id of what it
-- pays for. Orders may now wait for their money. A place may name who honours vouchers there.
-- +goose Up

ALTER TABLE topup RENAME TO charge;
ALTER TABLE charge RENAME COLUMN charge_id TO gateway_id;
ALTER TABLE charge DROP CONSTRAINT topup_minimum;
ALTER TABLE charge DROP COLUMN polled_at;
ALTER TABLE charge DROP COLUMN polls;
ALTER TABLE charge RENAME CONSTRAINT topup_customer TO charge_customer;
ALTER TABLE charge RENAME CONSTRAINT topup_system TO charge_system;
ALTER TABLE charge RENAME CONSTRAINT topup_method TO charge_method;
ALTER TABLE charge RENAME CONSTRAINT topup_state TO charge_state;
ALTER TABLE charge RENAME CONSTRAINT topup_reference TO charge_reference;
ALTER TABLE charge RENAME CONSTRAINT topup_charge TO charge_gateway_id;
ALTER INDEX topup_by_customer RENAME TO charge_by_customer;
ALTER INDEX topup_open RENAME TO charge_open;

-- purpose 'again': a second charge that the gateway took for a row that was paid already; it went to the wallet.
-- asked_until: somebody is talking to the gateway about it until then; asks counts how often it was asked to be made.
-- captured_satang is what came in, less what the gateway had sent back by then; credited says that it went to the wallet.
ALTER TABLE charge
  ADD COLUMN purpose text NOT NULL DEFAULT 'topup' CONSTRAINT charge_purpose CHECK (purpose IN ('topup', 'order', 'again')),
  ADD COLUMN asks integer NOT NULL DEFAULT 0,
  ADD COLUMN asked_until timestamptz,
  ADD COLUMN captured_satang bigint NOT NULL DEFAULT 0,
  ADD COLUMN credited boolean NOT NULL DEFAULT false;
UPDATE charge SET captured_satang = amount_satang, credited = true WHERE state = 'captured';
UPDATE charge SET asks = 1;
ALTER TABLE charge ALTER COLUMN purpose DROP DEFAULT;
ALTER TABLE charge
  ADD CONSTRAINT charge_amount CHECK (amount_satang >= CASE purpose WHEN 'topup' THEN 10000 WHEN 'order' THEN 100 ELSE 1 END),
  ADD CONSTRAINT charge_captured CHECK (captured_satang BETWEEN 0 AND amount_satang AND (captured_satang > 0) = (state = 'captured')),
  ADD CONSTRAINT charge_credited CHECK (NOT credited OR state = 'captured');

ALTER TABLE orders DROP CONSTRAINT orders_state;
ALTER TABLE orders ADD COLUMN created_at timestamptz;
UPDATE orders SET created_at = paid_at;
ALTER TABLE orders ALTER COLUMN created_at SET NOT NULL;
ALTER TABLE orders ALTER COLUMN paid_at DROP NOT NULL;
ALTER TABLE orders
  ADD CONSTRAINT orders_state CHECK (state IN ('awaiting', 'expired', 'paid', 'part_refunded', 'refunded')),
  ADD CONSTRAINT orders_paid_at CHECK ((paid_at IS NULL) = (state IN ('awaiting', 'expired')));
CREATE INDEX orders_awaiting ON orders (customer_id) WHERE state = 'awaiting';

-- What a line of an order that waits for its money will issue, as it was when the customer agreed to it.
ALTER TABLE order_line ADD COLUMN agreed jsonb;

-- Checks that were put on the timetable before the charge had this name.
UPDATE outbox SET kind = 'charge.check', payload = jsonb_set(payload, '{job}', jsonb_build_object('charge', payload -> 'job' -> 'topup'))
  WHERE kind = 'topup.check';

-- Who honours vouchers at a place. A place that names nobody is everybody's.
CREATE TABLE service_point_staff (
  service_point_id uuid NOT NULL CONSTRAINT service_point_staff_point REFERENCES service_point (id),
  staff_id         uuid NOT NULL CONSTRAINT service_point_staff_staff REFERENCES staff (id),
  PRIMARY KEY (service_point_id, staff_id)
);
CREATE INDEX service_point_staff_by_staff ON service_point_staff (staff_id);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON service_point_staff TO %I', current_schema());
END $$;
-- +goose StatementEnd
