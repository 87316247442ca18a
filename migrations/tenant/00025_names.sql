-- Tables, columns and what they hold are called as the glossary of docs/domain.md calls them.
-- +goose Up
ALTER TABLE voucher RENAME COLUMN owner_id TO holder_id;
ALTER TABLE voucher RENAME CONSTRAINT voucher_owner TO voucher_holder;
ALTER INDEX voucher_by_owner RENAME TO voucher_by_holder;
ALTER TABLE account RENAME COLUMN owner_id TO holder_id;
ALTER INDEX account_house RENAME TO account_system;
ALTER INDEX account_owned RENAME TO account_held;

ALTER TABLE package_item RENAME TO package_part;
ALTER TABLE package_part RENAME CONSTRAINT package_item_pkey TO package_part_pkey;
ALTER TABLE package_part RENAME CONSTRAINT package_item_package TO package_part_package;
ALTER TABLE package_part RENAME CONSTRAINT package_item_type TO package_part_type;
ALTER TABLE package_part RENAME CONSTRAINT package_item_gift TO package_part_gift;
ALTER TABLE package_part RENAME CONSTRAINT package_item_quantity TO package_part_quantity;
ALTER TABLE package_part RENAME CONSTRAINT package_item_one TO package_part_one;

ALTER TABLE voucher_place RENAME TO template_service_point;
ALTER TABLE template_service_point RENAME CONSTRAINT voucher_place_pkey TO template_service_point_pkey;
ALTER TABLE template_service_point RENAME CONSTRAINT voucher_place_point TO template_service_point_point;
ALTER TABLE template_version RENAME COLUMN places TO service_point_ids;

ALTER TABLE audit RENAME TO audit_log;
ALTER TABLE audit_log RENAME CONSTRAINT audit_pkey TO audit_log_pkey;
ALTER INDEX audit_object RENAME TO audit_log_object;

ALTER TABLE order_line RENAME COLUMN agreed TO contents;
ALTER TABLE orders RENAME COLUMN over_at TO expired_at;
ALTER TABLE orders RENAME CONSTRAINT orders_over_at TO orders_expired_at;
ALTER INDEX orders_over RENAME TO orders_expired;

ALTER TABLE charge DROP CONSTRAINT charge_purpose;
UPDATE charge SET purpose = 'duplicate' WHERE purpose = 'again';
ALTER TABLE charge ADD CONSTRAINT charge_purpose CHECK (purpose IN ('topup', 'order', 'duplicate'));
ALTER TABLE charge RENAME COLUMN asks TO attempts;
ALTER TABLE charge RENAME COLUMN asked_until TO leased_until;
ALTER TABLE charge_movement RENAME TO charge_event;
ALTER TABLE charge_event RENAME CONSTRAINT charge_movement_pkey TO charge_event_pkey;
ALTER TABLE charge_event RENAME CONSTRAINT charge_movement_charge TO charge_event_charge;
ALTER TABLE charge_event RENAME CONSTRAINT charge_movement_kind TO charge_event_kind;
ALTER TABLE charge_event RENAME CONSTRAINT charge_movement_amount TO charge_event_amount;
ALTER INDEX charge_movement_by_charge RENAME TO charge_event_by_charge;

ALTER TABLE outbox RENAME COLUMN handed_at TO enqueued_at;
ALTER TABLE consent_version RENAME COLUMN kind TO document;
ALTER TABLE consent_version RENAME CONSTRAINT consent_version_kind TO consent_version_document;
ALTER TABLE report_job RENAME COLUMN asked_by TO requested_by;

ALTER TABLE choice RENAME TO list_option;
ALTER TABLE list_option RENAME CONSTRAINT choice_pkey TO list_option_pkey;
ALTER TABLE list_option RENAME CONSTRAINT choice_list TO list_option_list;
ALTER TABLE list_option RENAME CONSTRAINT choice_number TO list_option_number;
ALTER TABLE list_option RENAME CONSTRAINT choice_constant TO list_option_constant;
ALTER INDEX choice_in_order RENAME TO list_option_in_order;

ALTER TABLE catalogue RENAME TO catalog_revision;
ALTER TABLE catalog_revision RENAME COLUMN stamp TO revision;
ALTER TABLE catalog_revision RENAME CONSTRAINT catalogue_pkey TO catalog_revision_pkey;
ALTER TABLE catalog_revision RENAME CONSTRAINT catalogue_single TO catalog_revision_single;

-- Whose gateway account takes the money: the platform's or the organisation's.
ALTER TABLE payment_system RENAME COLUMN account TO collector;
ALTER TABLE payment_system ALTER COLUMN collector DROP DEFAULT, DROP CONSTRAINT payment_system_account, DROP CONSTRAINT payment_system_keys;
UPDATE payment_system SET collector = 'organisation' WHERE collector = 'own';
ALTER TABLE payment_system
  ADD CONSTRAINT payment_system_collector CHECK (collector IN ('platform', 'organisation')),
  ADD CONSTRAINT payment_system_keys CHECK (collector = 'organisation' OR (public_key = '' AND secret_key IS NULL AND webhook_secret IS NULL));
