-- Who recruited an agent earns of what the agent sells.
-- +goose Up

-- What the recruiter of an agent of the type earns, in basis points of what the agent's own percentage is counted of. Both together are at most half.
ALTER TABLE agent_type ADD COLUMN recruiter_basis_points integer NOT NULL DEFAULT 0
  CONSTRAINT agent_type_recruiter CHECK (recruiter_basis_points >= 0 AND rate_basis_points + recruiter_basis_points <= 5000);
ALTER TABLE commission_rate ADD COLUMN recruiter_basis_points integer NOT NULL DEFAULT 0
  CONSTRAINT commission_rate_recruiter CHECK (recruiter_basis_points >= 0 AND recruiter_basis_points + CASE kind WHEN 'percent' THEN value ELSE 0 END <= 5000);

-- What of the commission of an order's line goes to whom recruited the agent: recruiter_satang of commission_satang, which is all that its vouchers carry. Of a part
-- of the line's commission he has the same part, half up. A line of which he has nothing has no row.
CREATE TABLE recruiter_share (
  order_id          uuid NOT NULL,
  position          smallint NOT NULL,
  recruiter_id      uuid NOT NULL CONSTRAINT recruiter_share_recruiter REFERENCES agent (id),
  basis_points      integer NOT NULL CONSTRAINT recruiter_share_rate CHECK (basis_points BETWEEN 1 AND 5000),
  commission_satang bigint NOT NULL,
  recruiter_satang  bigint NOT NULL CONSTRAINT recruiter_share_amount CHECK (recruiter_satang > 0 AND recruiter_satang <= commission_satang),
  PRIMARY KEY (order_id, position),
  CONSTRAINT recruiter_share_line FOREIGN KEY (order_id, position) REFERENCES order_line (order_id, position)
);
CREATE INDEX recruiter_share_recruiter_i ON recruiter_share (recruiter_id);

-- level 1: of the agent who sold. level 2: of whom recruited him.
ALTER TABLE commission
  ADD COLUMN level smallint NOT NULL DEFAULT 1 CONSTRAINT commission_level CHECK (level IN (1, 2)),
  DROP CONSTRAINT commission_once,
  ADD CONSTRAINT commission_once UNIQUE (order_id, level);
ALTER TABLE commission ALTER COLUMN level DROP DEFAULT;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON recruiter_share TO %I', current_schema());
END $$;
-- +goose StatementEnd
