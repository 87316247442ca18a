package points

import (
	"context"
	"fmt"
	"math/bits"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/notice"
)

const (
	customersAtOnce = 200
	// What a dispute is about is looked at again by then, also where nobody asks for it.
	whileDisputed = 24 * time.Hour

	customersDue = `SELECT DISTINCT customer_id FROM point_order WHERE due_at <= $1 ORDER BY customer_id LIMIT $2`
	lockDue      = `SELECT order_id FROM point_order WHERE customer_id = ANY ($1) AND due_at <= $2 ORDER BY order_id FOR NO KEY UPDATE`
	anyDue       = `SELECT EXISTS (SELECT FROM point_order WHERE due_at <= $1)`

	// What was paid for the first n.items of a voucher v, each of its four sums by itself.
	worth = `(SELECT sum(CASE WHEN v.kind = 'baht' THEN div(x.satang::numeric * n.items, v.items_total) WHEN n.items = v.items_total THEN x.satang ELSE x.satang / v.items_total * n.items END)
		FROM (VALUES (v.share_satang), (v.fee_satang), (v.commission_satang), (-v.platform_discount_satang)) AS x (satang))`
	// What was paid for what of an order p was not taken back; a voucher that took the place of an undone use has what that use had.
	keptOf = `SELECT coalesce(sum(n.sign * ` + worth + `), 0)::bigint AS satang FROM voucher v CROSS JOIN LATERAL (
			SELECT v.items_total - v.items_out - CASE WHEN v.state IN ('refunded', 'void') THEN v.items_left ELSE 0 END AS items, 1 AS sign
			UNION ALL SELECT v.items_total, -1 WHERE v.undoes IS NOT NULL) n
		WHERE v.order_id = p.order_id AND v.line_position = ANY (p.positions)`
	// What was paid for what of it was used, as far as it counts at the time $1, and when more of it does. As of commission, a use counts when nobody may object to it any more.
	usedOf    = `SELECT coalesce(sum(n.sign * ` + worth + `) FILTER (WHERE u.counts_from <= $1), 0)::bigint AS satang, min(u.counts_from) FILTER (WHERE u.counts_from > $1) AS next ` + uses
	usedAtAll = `SELECT coalesce(sum(n.sign * ` + worth + `), 0)::bigint AS satang ` + uses
	uses      = `FROM voucher v
		CROSS JOIN LATERAL (SELECT r.since, r.since + r.items AS till, ((r.at AT TIME ZONE 'Asia/Bangkok')::date + 2)::timestamp AT TIME ZONE 'Asia/Bangkok' AS counts_from
			FROM (SELECT id, at, items, sum(items) OVER (ORDER BY items_left DESC)::bigint - items AS since FROM redemption WHERE voucher_id = v.id) r
			WHERE NOT EXISTS (SELECT FROM objection b WHERE b.redemption_id = r.id AND b.state IN ('open', 'undone'))) u
		CROSS JOIN LATERAL (VALUES (u.till, 1), (u.since, -1)) AS n (items, sign)
		WHERE v.order_id = p.order_id AND v.line_position = ANY (p.positions) AND p.counts_from IS NULL`
	disputed = `EXISTS (SELECT FROM charge c WHERE c.id = p.order_id AND c.dispute = 'open') OR EXISTS (SELECT FROM voucher v WHERE v.order_id = p.order_id AND v.state = 'frozen' AND v.frozen_for IS NOT NULL)`
	factsOf  = `SELECT p.order_id, p.customer_id, y.points_months, p.paid_satang, p.points, p.granted, p.counts_from, k.satang, u.satang, u.next, ` + disputed + `
		FROM point_order p JOIN card_type_version y ON y.id = p.version_id CROSS JOIN LATERAL (` + keptOf + `) k CROSS JOIN LATERAL (` + usedOf + `) u
		WHERE p.order_id = ANY ($2) ORDER BY p.order_id`
	grantsOf = `SELECT g.id, g.order_id, g.lapses_on, g.points + coalesce((SELECT sum(b.points) FROM point_grant b WHERE b.grant_id = g.id), 0)::bigint FROM point_grant g
		WHERE g.order_id = ANY ($1) AND g.points > 0 ORDER BY g.id DESC`
)

// facts are what says how many points of an order are due.
type facts struct {
	order, customer uuid.UUID
	months          int
	paid            int64 // for what of it counts
	points          int64
	granted         int64
	countsFrom      *time.Time // by time; nil: by uses
	kept            int64      // of paid, what was not taken back
	used            int64      // of paid, what uses count for
	next            *time.Time // when more uses count
	disputed        bool
}

// due returns how many points of an order are due, and when to look again.
func (f facts) due(now time.Time) (points int64, again *time.Time) {
	switch {
	case f.countsFrom == nil:
		points, again = part(f.points, f.used, f.paid), f.next
	case f.countsFrom.After(now):
		again = f.countsFrom
	default:
		points = f.points - part(f.points, f.paid-f.kept, f.paid)
	}
	if f.disputed {
		later := now.Add(whileDisputed)
		if again == nil || again.After(later) {
			again = &later
		}
		points = min(points, f.granted)
	}
	return points, again
}

// part returns x of whole parts of points, rounded down. The product may be more than 64 bits have.
func part(points, x, whole int64) int64 {
	high, low := bits.Mul64(uint64(points), uint64(x))  //nolint:gosec // none is below zero
	quotient, _ := bits.Div64(high, low, uint64(whole)) //nolint:gosec // the same
	return int64(quotient)                              //nolint:gosec // x is at most the whole
}

// granted is what is left of a grant.
type granted struct {
	id, order uuid.UUID
	lapses    time.Time
	left      int64
}

type grantRow struct {
	ID       uuid.UUID  `db:"id"`
	Order    uuid.UUID  `db:"order_id"`
	Customer uuid.UUID  `db:"customer_id"`
	Points   int64      `db:"points"`
	Lapses   time.Time  `db:"lapses_on"`
	Of       *uuid.UUID `db:"grant_id"`
	Moved    bool       `db:"moved"`
	At       time.Time  `db:"at"`
}

type savedRow struct {
	Order   uuid.UUID  `db:"order_id"`
	Granted int64      `db:"granted"`
	DueAt   *time.Time `db:"due_at"`
}

var (
	insertGrants = db.NewBulk[grantRow](`INSERT INTO point_grant (id, order_id, customer_id, points, lapses_on, grant_id, moved, at)
		SELECT unnest(@id::uuid[]), unnest(@order_id::uuid[]), unnest(@customer_id::uuid[]), unnest(@points::bigint[]), unnest(@lapses_on::date[]), unnest(@grant_id::uuid[]), unnest(@moved::bool[]), unnest(@at::timestamptz[])`)
	saveOrders = db.NewBulk[savedRow](`UPDATE point_order SET granted = s.granted, due_at = s.due_at
		FROM (SELECT unnest(@order_id::uuid[]) AS order_id, unnest(@granted::bigint[]) AS granted, unnest(@due_at::timestamptz[]) AS due_at) AS s WHERE point_order.order_id = s.order_id`)
)

// AnyDue reports whether GrantDue has anything to do.
func AnyDue(ctx context.Context, tx db.Tx) (some bool, err error) {
	err = tx.QueryRow(ctx, anyDue, tx.Now).Scan(&some)
	return some, err
}

// GrantDue grants what is due of orders, and takes back what is due no more, of at most 200 customers in a transaction. A worker calls it for each organisation.
func GrantDue(ctx context.Context, on *db.DB, org uuid.UUID) error {
	for n := customersAtOnce; n == customersAtOnce; {
		err := on.InOrg(ctx, org, func(tx db.Tx) (err error) {
			n, err = grantSome(ctx, tx)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func ids(ctx context.Context, tx db.Tx, sql string, args ...any) ([]uuid.UUID, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("points: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, fmt.Errorf("points: %w", err)
	}
	return list, nil
}

func grantSome(ctx context.Context, tx db.Tx) (int, error) {
	customers, err := ids(ctx, tx, customersDue, tx.Now, customersAtOnce)
	if err != nil || len(customers) == 0 {
		return 0, err
	}
	customer.Lock(tx, customers...)
	if err := tx.Flush(ctx); err != nil {
		return 0, err
	}
	orders, err := ids(ctx, tx, lockDue, customers, tx.Now)
	if err != nil {
		return 0, err
	}
	all, err := readFacts(ctx, tx, orders)
	if err != nil {
		return 0, err
	}
	before, err := readGrants(ctx, tx, orders)
	if err != nil {
		return 0, err
	}
	has, err := readHoldings(ctx, tx, customers)
	if err != nil {
		return 0, err
	}
	var grants []grantRow
	var saved []savedRow
	for _, f := range all {
		due, again := f.due(tx.Now)
		saved = append(saved, savedRow{f.order, due, again})
		grants = append(grants, has.settle(f, due, before[f.order], tx.Now)...)
	}
	if len(saved) > 0 {
		saveOrders.Queue(tx, saved)
	}
	if len(grants) > 0 {
		insertGrants.Queue(tx, grants)
	}
	if err := has.save(tx); err != nil {
		return 0, err
	}
	for _, id := range customers {
		if err := notice.Send(ctx, tx, token.User, id, notice.Event{Topic: "member"}); err != nil {
			return 0, err
		}
	}
	return len(customers), nil
}

// settle grants a customer what is due of an order beyond what it has brought, or takes back what is due no more: of the newest grant first, and nothing of one that has lapsed.
func (hs *holdings) settle(f facts, due int64, before []granted, now time.Time) (rows []grantRow) {
	h, today := hs.of[f.customer], clock.Day(now)
	if n := due - f.granted; n > 0 {
		row := grantRow{ID: db.NewID(), Order: f.order, Customer: f.customer, Points: n, Lapses: lapsesOn(today, f.months), Moved: true, At: now}
		hs.post("points_granted", row.ID, h.add(n, row.Lapses))
		return []grantRow{row}
	}
	back := f.granted - due
	for _, g := range before {
		n := min(back, g.left)
		if n == 0 {
			continue
		}
		back -= n
		row := grantRow{ID: db.NewID(), Order: f.order, Customer: f.customer, Points: -n, Lapses: g.lapses, Of: &g.id, Moved: !g.lapses.Before(today), At: now}
		if row.Moved {
			hs.post("points_taken_back", row.ID, h.take(n, g.lapses))
		}
		rows = append(rows, row)
	}
	return rows
}

func readFacts(ctx context.Context, tx db.Tx, orders []uuid.UUID) ([]facts, error) {
	rows, err := tx.Query(ctx, factsOf, tx.Now, orders)
	if err != nil {
		return nil, fmt.Errorf("what is due of points: %w", err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (f facts, err error) {
		err = row.Scan(&f.order, &f.customer, &f.months, &f.paid, &f.points, &f.granted, &f.countsFrom, &f.kept, &f.used, &f.next, &f.disputed)
		return f, err
	})
	if err != nil {
		return nil, fmt.Errorf("what is due of points: %w", err)
	}
	return all, nil
}

// readGrants reads the grants of orders, the newest first.
func readGrants(ctx context.Context, tx db.Tx, orders []uuid.UUID) (map[uuid.UUID][]granted, error) {
	rows, err := tx.Query(ctx, grantsOf, orders)
	if err != nil {
		return nil, fmt.Errorf("grants of points: %w", err)
	}
	all := map[uuid.UUID][]granted{}
	var g granted
	_, err = pgx.ForEachRow(rows, []any{&g.id, &g.order, &g.lapses, &g.left}, func() error {
		all[g.order] = append(all[g.order], g)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("grants of points: %w", err)
	}
	return all, nil
}
