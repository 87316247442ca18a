package points

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
)

// Standing is what a customer has of points.
type Standing struct {
	Points  int64      `json:"points" doc:"That he has"`
	Owed    int64      `json:"owed" doc:"That were taken back when he had none any more; the next count against them"`
	Coming  int64      `json:"coming" doc:"That his orders will still bring, if nothing of them is refunded"`
	ComesOn *string    `json:"comes_on" nullable:"true" format:"date" doc:"When the next of them come; null where that is when he uses what he bought"`
	Baht    int32      `json:"baht" doc:"For how many baht his card brings a point; 0: it brings none"`
	Lots    []Lot      `json:"lots" doc:"What he has, by the day on which it lapses, the earliest first"`
	History []Movement `json:"history" doc:"What became of his points, the newest first, at most fifty"`
}

// Lot is what a customer has of points that lapse after a day.
type Lot struct {
	LapsesOn string `json:"lapses_on" format:"date" doc:"The last day on which they are good"`
	Points   int64  `json:"points"`
}

// Movement is something that happened to a customer's points.
type Movement struct {
	ID       uuid.UUID `json:"id"`
	Kind     string    `json:"kind" enum:"granted,taken_back,lapsed,left,adjusted" doc:"left: all that he had when he left; adjusted: by the organisation"`
	At       time.Time `json:"at" doc:"UTC"`
	Points   int64     `json:"points" doc:"Below zero where they went"`
	After    int64     `json:"after" doc:"What he had after it; below zero what he owed"`
	BoughtTH string    `json:"bought_th" doc:"The first package of the order that it is about"`
	BoughtEN string    `json:"bought_en"`
}

const (
	goodLots   = `SELECT lapses_on::text, points_left FROM point_lot WHERE customer_id = $1 AND points_left > 0 AND lapses_on >= $2 ORDER BY lapses_on`
	owesAndHas = `SELECT coalesce((SELECT points FROM point_owed WHERE customer_id = $1), 0),
		coalesce((SELECT v.points_baht FROM membership m JOIN membership_term t ON t.membership_id = m.id AND t.state = 'running' JOIN card_type_version v ON v.id = t.version_id WHERE m.customer_id = $1), 0)`
	openOrders  = `SELECT order_id FROM point_order WHERE customer_id = $1 AND ended_at IS NULL AND (due_at IS NOT NULL OR counts_from IS NULL AND granted < points)`
	movementsOf = `SELECT m.id, m.kind, m.at, m.points, m.after, coalesce(l.name_th, ''), coalesce(l.name_en, '') FROM (
			SELECT id, kind, at, points, order_id, sum(points) OVER (ORDER BY at, id)::bigint AS after FROM (
				SELECT id, CASE WHEN points > 0 THEN 'granted' ELSE 'taken_back' END AS kind, at, points, order_id FROM point_grant WHERE customer_id = $1 AND moved
				UNION ALL SELECT id, CASE WHEN lapses_on IS NULL THEN 'left' ELSE 'lapsed' END, at, -points, NULL FROM point_lapse WHERE customer_id = $1
				UNION ALL SELECT id, 'adjusted', made_at, points, NULL FROM point_adjustment WHERE customer_id = $1) a
			ORDER BY at DESC, id DESC LIMIT 50) m
		LEFT JOIN LATERAL (SELECT name_th, name_en FROM order_line WHERE order_id = m.order_id ORDER BY position LIMIT 1) l ON true ORDER BY m.at DESC, m.id DESC`
)

// Read returns what a customer has of points. Those whose day has passed are left out before they have lapsed.
func Read(ctx context.Context, on *db.DB, who token.Session) (st Standing, err error) {
	err = on.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		st, err = Of(ctx, tx, who.Subject)
		return err
	})
	return st, err
}

// Of is Read in a transaction.
func Of(ctx context.Context, tx db.Tx, customer uuid.UUID) (st Standing, err error) {
	rows, err := tx.Query(ctx, goodLots, customer, clock.Day(tx.Now))
	if err != nil {
		return st, fmt.Errorf("points of %s: %w", customer, err)
	}
	if st.Lots, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Lot]); err != nil {
		return st, fmt.Errorf("points of %s: %w", customer, err)
	}
	for _, l := range st.Lots {
		st.Points += l.Points
	}
	if err := tx.QueryRow(ctx, owesAndHas, customer).Scan(&st.Owed, &st.Baht); err != nil {
		return st, fmt.Errorf("points of %s: %w", customer, err)
	}
	if err := st.readComing(ctx, tx, customer); err != nil {
		return st, err
	}
	if rows, err = tx.Query(ctx, movementsOf, customer); err != nil {
		return st, fmt.Errorf("what became of points of %s: %w", customer, err)
	}
	if st.History, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Movement]); err != nil {
		return st, fmt.Errorf("what became of points of %s: %w", customer, err)
	}
	return st, nil
}

// readComing reads what orders will still bring.
func (st *Standing) readComing(ctx context.Context, tx db.Tx, customer uuid.UUID) error {
	orders, err := ids(ctx, tx, openOrders, customer)
	if err != nil {
		return err
	}
	all, err := readFacts(ctx, tx, orders)
	if err != nil {
		return err
	}
	var next *time.Time
	for _, f := range all {
		n := f.most() - f.granted
		if n <= 0 {
			continue
		}
		st.Coming += n
		at := f.countsFrom
		if at == nil {
			at = f.next
		}
		if at != nil && at.After(tx.Now) && (next == nil || at.Before(*next)) {
			next = at
		}
	}
	if next != nil {
		day := clock.Day(*next).Format(time.DateOnly)
		st.ComesOn = &day
	}
	return nil
}

// most returns how many points an order brings in the end if nothing more of it is refunded, and all of it is used.
func (f facts) most() int64 {
	if f.countsFrom == nil {
		return part(f.points, f.kept, f.paid)
	}
	return f.points - part(f.points, f.paid-f.kept, f.paid)
}
