-- What a payer may do who changes his mind, and what the law says of some classes of goods.
-- +goose Up

-- class: beauty and fitness are sold under contracts that the law controls. refund_rule: whether the payer has unused items refunded not at all, by
-- asking the organisation, or by himself, until the end of the day that is refund_days after that of the sale in Bangkok. refund_fee_basis_points: what the
-- organisation keeps of what was paid for them, in basis points.
ALTER TABLE package
  ADD COLUMN class text NOT NULL DEFAULT 'ordinary' CONSTRAINT package_class CHECK (class IN ('ordinary', 'beauty', 'fitness')),
  ADD COLUMN refund_rule text NOT NULL DEFAULT 'asking' CONSTRAINT package_refund_rule CHECK (refund_rule IN ('none', 'asking', 'self')),
  ADD COLUMN refund_days integer NOT NULL DEFAULT 7 CONSTRAINT package_refund_days CHECK (refund_days BETWEEN 1 AND 365),
  ADD COLUMN refund_fee_basis_points integer NOT NULL DEFAULT 0 CONSTRAINT package_refund_fee CHECK (refund_fee_basis_points BETWEEN 0 AND 10000),
  ADD CONSTRAINT package_class_refunds CHECK (class = 'ordinary' OR refund_rule = 'self' AND refund_days >= 7 AND refund_fee_basis_points = 0);

-- As they were when the line was sold.
ALTER TABLE order_line
  ADD COLUMN refund_rule text NOT NULL DEFAULT 'asking' CONSTRAINT order_line_refund_rule CHECK (refund_rule IN ('none', 'asking', 'self')),
  ADD COLUMN refund_days integer NOT NULL DEFAULT 7 CONSTRAINT order_line_refund_days CHECK (refund_days BETWEEN 1 AND 365),
  ADD COLUMN refund_fee_basis_points integer NOT NULL DEFAULT 0 CONSTRAINT order_line_refund_fee CHECK (refund_fee_basis_points BETWEEN 0 AND 10000);
