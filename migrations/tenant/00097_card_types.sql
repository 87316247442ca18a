-- What cards an organisation offers its customers, version by version.
-- +goose Up

-- Names, picture, position and status are live. version: the number of the version by which who applies now is granted his term.
CREATE TABLE card_type (
  id         uuid PRIMARY KEY,
  name_th    text NOT NULL,
  name_en    text NOT NULL,
  picture_id uuid CONSTRAINT card_type_picture REFERENCES picture (id),
  position   integer NOT NULL,
  version    integer NOT NULL CONSTRAINT card_type_version CHECK (version > 0),
  status     smallint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- length: of validity in days or months; 0 for a calendar year and for one without an end. Who applies may be asked each thing not at all, if he wants, or always;
-- asks_address is of the five parts of an address, asks_receipt of the five of a receipt.
CREATE TABLE card_type_version (
  id               uuid PRIMARY KEY,
  card_type_id     uuid NOT NULL CONSTRAINT card_type_version_card_type REFERENCES card_type (id),
  number           integer NOT NULL CONSTRAINT card_type_version_number CHECK (number > 0),
  validity         text NOT NULL CONSTRAINT card_type_version_validity CHECK (validity IN ('days', 'months', 'year', 'endless')),
  length           integer NOT NULL,
  approval         text NOT NULL CONSTRAINT card_type_version_approval CHECK (approval IN ('none', 'first', 'always')),
  level            smallint NOT NULL CONSTRAINT card_type_version_level CHECK (level BETWEEN 1 AND 9),
  least_age        smallint NOT NULL CONSTRAINT card_type_version_least_age CHECK (least_age BETWEEN 0 AND 99),
  asks_email       text NOT NULL CONSTRAINT card_type_version_asks_email CHECK (asks_email IN ('off', 'required')),
  asks_idcard      text NOT NULL CONSTRAINT card_type_version_asks_idcard CHECK (asks_idcard IN ('off', 'optional', 'required')),
  asks_gender      text NOT NULL CONSTRAINT card_type_version_asks_gender CHECK (asks_gender IN ('off', 'optional', 'required')),
  asks_birthdate   text NOT NULL CONSTRAINT card_type_version_asks_birthdate CHECK (asks_birthdate IN ('off', 'optional', 'required')),
  asks_address     text NOT NULL CONSTRAINT card_type_version_asks_address CHECK (asks_address IN ('off', 'optional', 'required')),
  asks_nationality text NOT NULL CONSTRAINT card_type_version_asks_nationality CHECK (asks_nationality IN ('off', 'optional', 'required')),
  asks_receipt     text NOT NULL CONSTRAINT card_type_version_asks_receipt CHECK (asks_receipt IN ('off', 'optional', 'required')),
  created_at       timestamptz NOT NULL,
  CONSTRAINT card_type_version_once UNIQUE (card_type_id, number),
  CONSTRAINT card_type_version_length CHECK (CASE validity WHEN 'days' THEN length BETWEEN 1 AND 3650 WHEN 'months' THEN length BETWEEN 1 AND 120 ELSE length = 0 END),
  CONSTRAINT card_type_version_age CHECK (least_age = 0 OR asks_birthdate = 'required')
);

-- The names that the option list had are card types that are not offered yet.
INSERT INTO card_type (id, name_th, name_en, position, version, status, created_at, updated_at)
SELECT id, name_th, name_en, position, 1, CASE status WHEN 5 THEN 2 ELSE status END, created_at, updated_at FROM list_option WHERE list = 'membercardtype';
INSERT INTO card_type_version (id, card_type_id, number, validity, length, approval, level, least_age, asks_email, asks_idcard, asks_gender, asks_birthdate, asks_address,
  asks_nationality, asks_receipt, created_at)
SELECT id, id, 1, 'months', 12, 'first', 1, 10, 'required', 'off', 'off', 'required', 'off', 'off', 'off', updated_at FROM card_type;
DELETE FROM list_option WHERE list = 'membercardtype';
ALTER TABLE list_option DROP CONSTRAINT list_option_list, ADD CONSTRAINT list_option_list CHECK (list IN ('customertype', 'salechannel', 'qrtype', 'timeslot',
  'service', 'size', 'privilege', 'accesscontrol'));

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON card_type TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT ON card_type_version TO %I', current_schema());
END $$;
-- +goose StatementEnd
