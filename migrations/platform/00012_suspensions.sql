-- Since when an organisation is suspended, and why, in the words of who suspended it.
-- +goose Up
ALTER TABLE organisation ADD COLUMN suspended_at timestamptz;
ALTER TABLE organisation ADD COLUMN suspension_reason text NOT NULL DEFAULT '';
UPDATE organisation SET suspended_at = updated_at WHERE state = 'suspended';
