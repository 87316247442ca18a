package catalog

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
)

const (
	retireVersion = `UPDATE template_version SET current = false WHERE template_id = $1 AND current`
	insertVersion = `INSERT INTO template_version (id, template_id, conditions_th, conditions_en, service_point_ids, weekdays, use_from, use_to, blackout_days, persons, current, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, true, $11)`
)

// setVersion keeps what a template says of its use, beside what it said before: vouchers name the version that was bought,
// and no later change touches them. old is nil for a new template; its row is locked, so versions come one by one.
func setVersion(ctx context.Context, tx db.Tx, template uuid.UUID, old *UsageRules, rules UsageRules) error {
	if old != nil && old.ConditionsTH == rules.ConditionsTH && old.ConditionsEN == rules.ConditionsEN && old.equal(rules.Conditions) && sameSet(old.ServicePoints, rules.ServicePoints) {
		return nil
	}
	tx.Queue(retireVersion, template)
	servicePoints := append([]uuid.UUID{}, rules.ServicePoints...)
	_, err := tx.Exec(ctx, insertVersion, db.NewID(), template, rules.ConditionsTH, rules.ConditionsEN, servicePoints,
		rules.Weekdays, rules.UseFrom, rules.UseTo, rules.BlackoutDays, rules.Persons, tx.Now)
	if err != nil {
		return fmt.Errorf("new version of %s: %w", template, err)
	}
	return nil
}

// sameSet reports whether both name the same service points, however ordered or often.
func sameSet(a, b []uuid.UUID) bool {
	within := func(a, b []uuid.UUID) bool {
		return !slices.ContainsFunc(a, func(id uuid.UUID) bool { return !slices.Contains(b, id) })
	}
	return within(a, b) && within(b, a)
}
