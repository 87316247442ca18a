package voucher

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/tenants/servicepoint"
)

// ErrNoDays says that no day of a closure is left that a voucher could be given back.
var ErrNoDays = fault.New(fault.Conflict, "voucher.no_days", "No day of this closure is left to give back to this voucher")

const (
	// What a closure gives back to vouchers of a version: its days on which all other active service points of the version are closed, too.
	closedDaysOf = `SELECT ver.id, array_agg(k.day ORDER BY k.day)
		FROM closure c CROSS JOIN LATERAL (SELECT s.day::date AS day FROM generate_series(c.first_day, c.last_day, interval '1 day') AS s (day)) k CROSS JOIN template_version ver
		WHERE c.id = $1 AND c.status = 5 AND ($2::uuid IS NULL OR ver.id = $2) AND (ver.service_point_ids = '{}' OR c.service_point_id = ANY (ver.service_point_ids))
			AND NOT EXISTS (SELECT FROM service_point p WHERE p.status = 5 AND p.id <> c.service_point_id AND (ver.service_point_ids = '{}' OR p.id = ANY (ver.service_point_ids))
				AND NOT EXISTS (SELECT FROM closure o WHERE o.service_point_id = p.id AND o.status = 5 AND o.first_day <= k.day AND o.last_day >= k.day))
		GROUP BY ver.id`
	// Since when somebody could have used a voucher v, which what takes the place of a use could not before that, nor what was split off from it; and which days of closures it was given back: also those of what it was made of, until it was.
	heldSince = `((WITH RECURSIVE up (id, parent_id, undoes) AS (SELECT v.id, v.parent_id, v.undoes UNION ALL SELECT p.id, p.parent_id, p.undoes FROM up JOIN voucher p ON p.id = up.parent_id WHERE up.undoes IS NULL)
		SELECT coalesce((SELECT n.at FROM up JOIN voucher_event n ON n.child_id = up.id WHERE up.undoes IS NOT NULL), v.issued_at)) AT TIME ZONE 'Asia/Bangkok')::date`
	madeOf   = `WITH RECURSIVE up (id, parent_id, child) AS (SELECT v.id, v.parent_id, NULL::uuid UNION ALL SELECT p.id, p.parent_id, up.id FROM up JOIN voucher p ON p.id = up.parent_id)`
	returned = `ARRAY(` + madeOf + ` SELECT g.day FROM up JOIN returned_day g ON g.voucher_id = up.id
		WHERE up.child IS NULL OR EXISTS (SELECT FROM voucher_event x JOIN voucher_event s ON s.child_id = up.child WHERE x.extension_id = g.extension_id AND x.id < s.id))`
	// The days that releases gave a voucher v, from the one on which each freeze began. A closure does not give them again.
	released = `ARRAY(` + madeOf + ` SELECT (z.frozen_at AT TIME ZONE 'Asia/Bangkok')::date + k.n FROM up JOIN owner_freeze z ON z.voucher_id = up.id AND z.released_by IS NOT NULL
			CROSS JOIN LATERAL generate_series(0, ceil(extract(epoch FROM z.ended_at - z.frozen_at) / 86400)::integer - 1) AS k (n)
		WHERE up.child IS NULL OR EXISTS (SELECT FROM voucher_event x JOIN voucher_event s ON s.child_id = up.child WHERE x.owner_freeze_id = z.id AND x.event = 'release' AND x.id < s.id))`
	// How many of so many days from one on a voucher was given back already.
	returnedWithin = `SELECT count(*) FROM voucher v CROSS JOIN LATERAL unnest(` + returned + `) AS g (day) WHERE v.id = $1 AND g.day >= $2::date AND g.day < $2::date + $3::integer`
	calendarOf     = `SELECT v.version_id, v.valid_until, ` + heldSince + `, ` + returned + ` || ` + released + ` FROM voucher v WHERE v.id = $1`
	insertReturns  = `INSERT INTO returned_day (voucher_id, day, extension_id) SELECT $1, unnest($2::date[]), $3`

	withClosedDays = `SELECT v.id, v.code, v.name_th, v.name_en, v.version_id, v.valid_until, ` + heldSince + `, ` + returned + ` || ` + released + `, v.state, v.expiry_rule, h.erased_at IS NOT NULL, v.owner_freeze_id IS NOT NULL,
			v.kind, v.items_total, v.items_left, v.items_out, v.share_satang, v.fee_satang, v.commission_satang, v.platform_discount_satang
		FROM voucher v JOIN customer h ON h.id = v.holder_id
		WHERE v.version_id = ANY ($1) AND v.state = ANY ($2) AND v.valid_until >= $3 AND v.items_left > 0 ORDER BY v.valid_until, v.id`
)

// returnDays returns which of the days on which it could be used nowhere a voucher is given back, and its last day then: those within its validity, with
// the days that it gets on the way, but not those that it has. closed is sorted.
func returnDays(since, until time.Time, closed, has []time.Time) (days []time.Time, last time.Time) {
	last = until
	for _, day := range closed {
		if day.After(last) {
			break
		}
		if day.Before(since) || slices.ContainsFunc(has, day.Equal) {
			continue
		}
		days, last = append(days, day), last.AddDate(0, 0, 1)
	}
	return days, last
}

// loadClosedDays returns the days of a closure that vouchers of each version could be used nowhere, of one version or of all.
func loadClosedDays(ctx context.Context, tx db.Tx, closure uuid.UUID, version *uuid.UUID) (map[uuid.UUID][]time.Time, error) {
	rows, err := tx.Query(ctx, closedDaysOf, closure, version)
	if err != nil {
		return nil, fmt.Errorf("days of closure %s: %w", closure, err)
	}
	all := map[uuid.UUID][]time.Time{}
	var id uuid.UUID
	var days []time.Time
	_, err = pgx.ForEachRow(rows, []any{&id, &days}, func() error {
		all[id] = slices.Clone(days)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("days of closure %s: %w", closure, err)
	}
	return all, nil
}

// daysOf returns which days of a closure the voucher is given back, and its last day then. It returns ErrNoDays. The voucher is locked.
func (h *Held) daysOf(ctx context.Context, tx db.Tx, closure uuid.UUID) (days []time.Time, last time.Time, err error) {
	var version uuid.UUID
	var until, since time.Time
	var before []time.Time
	if err := tx.QueryRow(ctx, calendarOf, h.ID).Scan(&version, &until, &since, &before); err != nil {
		return nil, last, fmt.Errorf("days of voucher %s: %w", h.ID, err)
	}
	closed, err := loadClosedDays(ctx, tx, closure, &version)
	if err != nil {
		return nil, last, err
	}
	if days, last = returnDays(since, until, closed[version], before); len(days) == 0 {
		return nil, last, ErrNoDays
	}
	return days, last, nil
}

// Returning is a voucher that is given days back.
type Returning struct {
	ID     uuid.UUID `json:"voucher_id"`
	Code   string    `json:"code"`
	NameTH string    `json:"name_th"`
	NameEN string    `json:"name_en"`
	From   string    `json:"valid_until" format:"date" doc:"Its last day now"`
	To     string    `json:"valid_until_then" format:"date"`
	Days   int       `json:"days"`
	Fault  string    `json:"-"` // why it cannot be, as Standing.Extendable returns it, or empty
	Of     Held      `json:"-"` // what it is worth
	Over   bool      `json:"-"` // it is ready again then
}

// ForEachReturning calls fn with each voucher that a closure gives days back to, the first to end first.
func ForEachReturning(ctx context.Context, tx db.Tx, c servicepoint.Closure, today time.Time, fn func(Returning) error) error {
	closed, err := loadClosedDays(ctx, tx, c.ID, nil)
	if err != nil || len(closed) == 0 {
		return err
	}
	versions := make([]uuid.UUID, 0, len(closed))
	for id := range closed {
		versions = append(versions, id)
	}
	states := append(slices.Clone(transitions[RefundOutside].from), Expired)
	rows, err := tx.Query(ctx, withClosedDays, versions, states, c.FirstDay)
	if err != nil {
		return fmt.Errorf("vouchers of closure %s: %w", c.ID, err)
	}
	var r Returning
	var is Standing
	var version uuid.UUID
	var since time.Time
	var before []time.Time
	_, err = pgx.ForEachRow(rows, []any{
		&r.ID, &r.Code, &r.NameTH, &r.NameEN, &version, &is.Until, &since, &before, &is.State, &is.Rule, &is.Gone, &is.Held,
		&r.Of.Kind, &r.Of.Total, &r.Of.Left, &r.Of.Out, &r.Of.Sums.Share, &r.Of.Sums.Fee, &r.Of.Sums.Commission, &r.Of.Sums.Discount,
	}, func() error {
		days, last := returnDays(since, is.Until, closed[version], before)
		if len(days) == 0 {
			return nil
		}
		is := is.AsOf(today)
		one := r
		one.Days, one.From, one.To = len(days), is.Until.Format(time.DateOnly), last.Format(time.DateOnly)
		one.Over = is.State == Expired
		if why := is.Extendable(last, today); why != nil {
			one.Fault = fault.From(why).Code
		}
		return fn(one)
	})
	if err != nil {
		return fmt.Errorf("vouchers of closure %s: %w", c.ID, err)
	}
	return nil
}
