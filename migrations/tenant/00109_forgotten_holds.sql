-- Once a payer or a payee is erased, nothing is kept of the card or the account by which their order was held.
-- +goose Up

UPDATE commission_hold h SET digits = '', evidence = h.id::text WHERE h.digits <> ''
  AND (EXISTS (SELECT FROM agent a WHERE a.id = h.payee_id AND a.state = 'erased') OR EXISTS (SELECT FROM orders o JOIN customer c ON c.id = o.customer_id WHERE o.id = h.order_id AND c.erased_at IS NOT NULL));

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT UPDATE (digits, evidence) ON commission_hold TO %I', current_schema());
END $$;
-- +goose StatementEnd
