-- What was sold stays as sold: a voucher names the version of its type that was bought. One version is current; a change
-- of conditions or places makes the next.
-- +goose Up

-- places: the service points that honour it; none means all. Versions are never deleted, so a voucher needs no foreign key
-- here: that would have every buyer of a type lock the same row.
CREATE TABLE template_version (
  id            uuid PRIMARY KEY,
  template_id   uuid NOT NULL,
  conditions_th text NOT NULL,
  conditions_en text NOT NULL,
  places        uuid[] NOT NULL,
  current       boolean NOT NULL,
  created_at    timestamptz NOT NULL
);
CREATE UNIQUE INDEX template_version_current ON template_version (template_id) WHERE current;

-- The first version of each has the id of its template: what was sold so far was sold as it stands today.
INSERT INTO template_version (id, template_id, conditions_th, conditions_en, places, current, created_at)
SELECT t.id, t.id, t.conditions_th, t.conditions_en,
  ARRAY(SELECT p.service_point_id FROM voucher_place p WHERE p.template_id = t.id ORDER BY p.service_point_id), true, t.updated_at
FROM (
  SELECT id, conditions_th, conditions_en, updated_at FROM voucher_type
  UNION ALL SELECT id, conditions_th, conditions_en, updated_at FROM gift_voucher
) t;

ALTER TABLE voucher ADD COLUMN version_id uuid;
UPDATE voucher SET version_id = template_id;
ALTER TABLE voucher ALTER COLUMN version_id SET NOT NULL;

-- Orders that wait for their money have agreed on it, too.
UPDATE order_line SET agreed = jsonb_set(agreed, '{parts}', (
  SELECT jsonb_agg(part || jsonb_build_object('Version', part -> 'Template') ORDER BY n)
  FROM jsonb_array_elements(agreed -> 'parts') WITH ORDINALITY AS list (part, n)))
WHERE jsonb_array_length(agreed -> 'parts') > 0;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON template_version TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (current) ON template_version TO %I', current_schema());
END $$;
-- +goose StatementEnd
