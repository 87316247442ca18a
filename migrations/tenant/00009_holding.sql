-- When an order that waited for its money was over without it: how long it held its stock for nothing.
-- +goose Up

ALTER TABLE orders ADD COLUMN over_at timestamptz;
UPDATE orders SET over_at = created_at + interval '10 minutes' WHERE state = 'expired';
ALTER TABLE orders ADD CONSTRAINT orders_over_at CHECK ((over_at IS NOT NULL) = (state = 'expired'));
CREATE INDEX orders_over ON orders (customer_id, over_at) WHERE state = 'expired';
