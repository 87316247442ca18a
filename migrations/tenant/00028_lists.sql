-- +goose NO TRANSACTION
-- Indexes that lists of the office walk (platform/resource), made beside the shop's work. An index that a broken run left invalid is
-- dropped first. What is common and always new has no index: the list walks its ids.
-- +goose Up

-- Orders: those of a state other than paid; those of a channel other than online; those paid between two times, by that time,
-- and those not paid.
DROP INDEX IF EXISTS orders_state_i;
CREATE INDEX CONCURRENTLY orders_state_i ON orders (state, id) WHERE state <> 'paid';
DROP INDEX IF EXISTS orders_channel_i;
CREATE INDEX CONCURRENTLY orders_channel_i ON orders (sale_channel, id) WHERE sale_channel <> 2;
DROP INDEX IF EXISTS orders_paid_at;
CREATE INDEX CONCURRENTLY orders_paid_at ON orders (paid_at, id) WHERE paid_at IS NOT NULL;
DROP INDEX IF EXISTS orders_paid;
DROP INDEX IF EXISTS orders_unpaid;
CREATE INDEX CONCURRENTLY orders_unpaid ON orders (id) WHERE paid_at IS NULL;

-- Vouchers: those of a state other than ready; those that end between two days.
DROP INDEX IF EXISTS voucher_state_i;
CREATE INDEX CONCURRENTLY voucher_state_i ON voucher (state, id) WHERE state <> 'ready';
DROP INDEX IF EXISTS voucher_valid_until;
CREATE INDEX CONCURRENTLY voucher_valid_until ON voucher (valid_until, id);

-- Payments: those of a state; those with a dispute; those paid between two times, and those not paid.
DROP INDEX IF EXISTS charge_state_i;
CREATE INDEX CONCURRENTLY charge_state_i ON charge (state, id);
DROP INDEX IF EXISTS charge_dispute_i;
CREATE INDEX CONCURRENTLY charge_dispute_i ON charge (dispute, id) WHERE dispute <> '';
DROP INDEX IF EXISTS charge_captured_at;
CREATE INDEX CONCURRENTLY charge_captured_at ON charge (captured_at, id) WHERE captured_at IS NOT NULL;
DROP INDEX IF EXISTS charge_uncaptured;
CREATE INDEX CONCURRENTLY charge_uncaptured ON charge (id) WHERE captured_at IS NULL;

-- Customers: those who are not active; those who came another way; those who owe between two sums; by name; and whose name has
-- some letters in it. That index is not buffered, so that a search never reads what newcomers left in its buffer.
DROP INDEX IF EXISTS customer_status_i;
CREATE INDEX CONCURRENTLY customer_status_i ON customer (status, id) WHERE status <> 5;
DROP INDEX IF EXISTS customer_type_i;
CREATE INDEX CONCURRENTLY customer_type_i ON customer (customer_type, id) WHERE customer_type <> 2;
DROP INDEX IF EXISTS customer_debt_i;
CREATE INDEX CONCURRENTLY customer_debt_i ON customer (debt_satang, id);
DROP INDEX IF EXISTS customer_by_name;
CREATE INDEX CONCURRENTLY customer_by_name ON customer (display_name, id);
DROP INDEX IF EXISTS customer_named;
CREATE INDEX CONCURRENTLY customer_named ON customer USING gin ((
  string_to_array(regexp_replace(lower(chr(10) || chr(10) || display_name || chr(10) || chr(10) || first_name || chr(10) || chr(10) || last_name || chr(10) || chr(10) || email), '(...)', '\1' || chr(31), 'g'), chr(31))
  || string_to_array(regexp_replace(substr(lower(chr(10) || chr(10) || display_name || chr(10) || chr(10) || first_name || chr(10) || chr(10) || last_name || chr(10) || chr(10) || email), 2), '(...)', '\1' || chr(31), 'g'), chr(31))
  || string_to_array(regexp_replace(substr(lower(chr(10) || chr(10) || display_name || chr(10) || chr(10) || first_name || chr(10) || chr(10) || last_name || chr(10) || chr(10) || email), 3), '(...)', '\1' || chr(31), 'g'), chr(31)))) WITH (fastupdate = off);
