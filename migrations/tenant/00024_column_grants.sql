-- The program's role changes only what a use case changes of rows that hold money or rights. Their price, owner, worth and time
-- are written once.
-- +goose Up
-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('REVOKE UPDATE ON wallet, orders, voucher, use_session, commission, charge, stock, sale_link, link_visit, agent, customer FROM %I', current_schema());
  EXECUTE format('GRANT UPDATE (balance_satang, updated_at) ON wallet TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, paid_at, over_at) ON orders TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, items_left, items_out, frozen_for, updated_at) ON voucher TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, closed_at) ON use_session TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (state, amount_satang, updated_at) ON commission TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (gateway_id, qr_url, authorize_url, state, failure, late, asks, asked_until, captured_at, captured_satang, credited,
    refunded_satang, disputed_satang, owed_satang, bank_owed_satang, fee_satang, dispute) ON charge TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (quantity, sold) ON stock TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (link_id, at) ON link_visit TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (agent_type_id, status, approved_by, approved_at, updated_at) ON agent TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (line_sub, display_name, picture_url, first_name, last_name, email, gender, birth_date, mobile, mobile_index, refer_code, status,
    erased_at, debt_satang, updated_at) ON customer TO %I', current_schema());
END $$;
-- +goose StatementEnd
