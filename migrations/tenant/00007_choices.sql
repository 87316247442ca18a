-- The option lists of an organisation, and what its customers ask.
-- +goose Up

-- number: the platform's constant, by which orders name the row. Such a row can be renamed, not deleted.
CREATE TABLE choice (
  id         uuid PRIMARY KEY,
  list       text NOT NULL CONSTRAINT choice_list CHECK (list IN ('customertype', 'salechannel', 'qrtype', 'timeslot', 'service', 'size')),
  number     smallint,
  name_th    text NOT NULL,
  name_en    text NOT NULL,
  position   integer NOT NULL DEFAULT 0,
  status     smallint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT choice_number UNIQUE (list, number),
  CONSTRAINT choice_constant CHECK (number IS NULL OR status <> 9)
);
CREATE INDEX choice_in_order ON choice (list, position, id);

CREATE TABLE faq (
  id         uuid PRIMARY KEY,
  name_th    text NOT NULL,
  name_en    text NOT NULL,
  answer_th  text NOT NULL,
  answer_en  text NOT NULL,
  position   integer NOT NULL DEFAULT 0,
  status     smallint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- The platform's constants have the same ids in every organisation.
INSERT INTO choice (id, list, number, name_th, name_en, position, status, created_at, updated_at)
SELECT id::uuid, list, number, name_th, name_en, number, 5, '2026-11-21T00:00:00Z', '2026-11-21T00:00:00Z'
FROM (VALUES
  ('019aa3f0-0000-7000-8000-000000000011', 'customertype', 1, 'ลูกค้าหน้าร้าน', 'Counter'),
  ('019aa3f0-0000-7000-8000-000000000012', 'customertype', 2, 'ลูกค้าออนไลน์', 'Online'),
  ('019aa3f0-0000-7000-8000-000000000021', 'salechannel', 1, 'หน้าร้าน', 'Counter'),
  ('019aa3f0-0000-7000-8000-000000000022', 'salechannel', 2, 'ออนไลน์', 'Online'),
  ('019aa3f0-0000-7000-8000-000000000023', 'salechannel', 3, 'ตัวแทน', 'Agent'),
  ('019aa3f0-0000-7000-8000-000000000024', 'salechannel', 4, 'บัตรพิมพ์', 'Printed')
) AS constant (id, list, number, name_th, name_en);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON choice, faq TO %I', current_schema());
END $$;
-- +goose StatementEnd
