package discount

import (
	"fmt"
	"slices"
	"time"

	"welovevoucher/tenants/catalog"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// A discount for packages or tags of which there is none is for a package that nothing is.
const selectActive = `SELECT d.id, d.name_th, d.name_en, d.how, d.class, d.kind, d.value, d.max_satang, d.payer, d.least_satang, d.least_items, d.first_only,
		d.starts_at, d.ends_at, d.uses_each, d.stack, d.position,
		ARRAY(SELECT s.package_id FROM discount_scope s WHERE s.discount_id = d.id AND s.package_id IS NOT NULL
			UNION SELECT t.package_id FROM discount_scope s JOIN package_tag t ON t.tag_id = s.tag_id WHERE s.discount_id = d.id
			UNION SELECT '00000000-0000-0000-0000-000000000000'::uuid FROM discount_scope s WHERE s.discount_id = d.id AND s.tag_id IS NOT NULL ORDER BY 1),
		ARRAY(SELECT s.channel::integer FROM discount_scope s WHERE s.discount_id = d.id AND s.channel IS NOT NULL ORDER BY 1),
		ARRAY(SELECT coalesce(t.name_th, p.name_th) FROM discount_scope s LEFT JOIN tag t ON t.id = s.tag_id LEFT JOIN package p ON p.id = s.package_id
			WHERE s.discount_id = d.id AND s.channel IS NULL ORDER BY s.position LIMIT 3),
		ARRAY(SELECT coalesce(t.name_en, p.name_en) FROM discount_scope s LEFT JOIN tag t ON t.id = s.tag_id LEFT JOIN package p ON p.id = s.package_id
			WHERE s.discount_id = d.id AND s.channel IS NULL ORDER BY s.position LIMIT 3)
	FROM discount d WHERE d.status = 5 ORDER BY d.position, d.id`

// NewCache returns an empty cache of the active discounts of organisations, by position.
func NewCache() *catalog.RevisionCache[[]*Discount] {
	return catalog.NewRevisionCache(selectActive, func(rows pgx.Rows) ([]*Discount, error) {
		active, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[Discount])
		if err != nil {
			return nil, fmt.Errorf("active discounts: %w", err)
		}
		return active, nil
	})
}

// Possible returns the discounts that a cart of packages may have at a time: those that need no code, have begun, have not ended, and are for one of them.
func Possible(discounts []*Discount, packages []uuid.UUID, now time.Time) (possible []*Discount) {
	for _, d := range discounts {
		if d.How == Automatic && (d.Starts == nil || !now.Before(*d.Starts)) && (d.Ends == nil || now.Before(*d.Ends)) && slices.ContainsFunc(packages, d.isFor) {
			possible = append(possible, d)
		}
	}
	return possible
}
