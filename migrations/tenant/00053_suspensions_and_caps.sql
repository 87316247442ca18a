-- The days of gifts stand still while the organisation is suspended; and what a price on the board may not exceed can differ by type.
-- +goose Up
CREATE TABLE suspension (
  id       uuid PRIMARY KEY,
  began_at timestamptz NOT NULL,
  ended_at timestamptz CONSTRAINT suspension_ended_after CHECK (ended_at >= began_at)
);
CREATE UNIQUE INDEX suspension_open ON suspension ((ended_at IS NULL)) WHERE ended_at IS NULL;

-- resale_cap_percent: of what was paid, which a price on the board may not exceed; NULL where the board's setting decides.
ALTER TABLE voucher_type ADD COLUMN resale_cap_percent integer CONSTRAINT voucher_type_resale_cap CHECK (resale_cap_percent BETWEEN 1 AND 100);
ALTER TABLE gift_voucher ADD COLUMN resale_cap_percent integer CONSTRAINT gift_voucher_resale_cap CHECK (resale_cap_percent BETWEEN 1 AND 100);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON suspension TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (ended_at) ON suspension TO %I', current_schema());
END $$;
-- +goose StatementEnd
