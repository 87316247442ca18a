-- On which days, at which hours and for how many persons a voucher can be used: of a template, and as it was sold of a version.
-- +goose Up
ALTER TABLE voucher_type
  ADD COLUMN weekdays smallint[] NOT NULL DEFAULT '{}' CONSTRAINT voucher_type_weekdays CHECK (weekdays <@ '{1,2,3,4,5,6,7}'),
  ADD COLUMN use_from text CONSTRAINT voucher_type_use_from CHECK (use_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  ADD COLUMN use_to text CONSTRAINT voucher_type_use_to CHECK (use_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  ADD COLUMN blackout_days text[] NOT NULL DEFAULT '{}',
  ADD COLUMN persons integer CONSTRAINT voucher_type_persons CHECK (persons BETWEEN 1 AND 99),
  ADD CONSTRAINT voucher_type_hours CHECK ((use_from IS NULL) = (use_to IS NULL) AND use_from <> use_to);
ALTER TABLE gift_voucher
  ADD COLUMN weekdays smallint[] NOT NULL DEFAULT '{}' CONSTRAINT gift_voucher_weekdays CHECK (weekdays <@ '{1,2,3,4,5,6,7}'),
  ADD COLUMN use_from text CONSTRAINT gift_voucher_use_from CHECK (use_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  ADD COLUMN use_to text CONSTRAINT gift_voucher_use_to CHECK (use_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  ADD COLUMN blackout_days text[] NOT NULL DEFAULT '{}',
  ADD COLUMN persons integer CONSTRAINT gift_voucher_persons CHECK (persons BETWEEN 1 AND 99),
  ADD CONSTRAINT gift_voucher_hours CHECK ((use_from IS NULL) = (use_to IS NULL) AND use_from <> use_to);
ALTER TABLE template_version
  ADD COLUMN weekdays smallint[] NOT NULL DEFAULT '{}' CONSTRAINT template_version_weekdays CHECK (weekdays <@ '{1,2,3,4,5,6,7}'),
  ADD COLUMN use_from text CONSTRAINT template_version_use_from CHECK (use_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  ADD COLUMN use_to text CONSTRAINT template_version_use_to CHECK (use_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  ADD COLUMN blackout_days text[] NOT NULL DEFAULT '{}',
  ADD COLUMN persons integer CONSTRAINT template_version_persons CHECK (persons BETWEEN 1 AND 99),
  ADD CONSTRAINT template_version_hours CHECK ((use_from IS NULL) = (use_to IS NULL) AND use_from <> use_to);
