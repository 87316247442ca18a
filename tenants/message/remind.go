package message

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
)

// The days on which customers are reminded: after a gift was sent that nobody has opened, before a voucher ends, and before points lapse.
var (
	daysUnopened = []int{3, 6}
	daysToTheEnd = []int{30, 7, 1}
	daysToLapse  = []int{30, 7}
)

// Hours of the day in Bangkok between which the end of vouchers is announced.
const (
	firstHour = 10
	lastHour  = 21
)

// maxReminded bounds how many messages one transaction writes.
const maxReminded = 1000

const (
	// A reminder that is a day late is not written any more.
	unopened = `SELECT g.giver_id, g.id, 1, NULL::date, $1::smallint FROM gift g
		WHERE g.state = 'open' AND g.opened = 0 AND g.begins_at > $2 AND g.begins_at <= $3
			AND NOT EXISTS (SELECT FROM message m WHERE m.subject_id = g.id AND m.days = $1 AND m.kind = 'gift_unopened')
		ORDER BY g.id LIMIT $4`
	ending = `SELECT v.holder_id, (array_agg(v.id ORDER BY v.id))[1], count(*)::integer, $2::date, $1::smallint FROM voucher v
		WHERE v.valid_until = $2 AND v.state IN ('ready', 'in_use', 'on_sale', 'in_transfer')
			AND NOT EXISTS (SELECT FROM message m WHERE m.customer_id = v.holder_id AND m.day = $2 AND m.days = $1 AND m.kind = 'voucher_ends')
		GROUP BY v.holder_id LIMIT $3`
	lapsing = `SELECT l.customer_id, l.account_id, l.points_left::integer, $2::date, $1::smallint FROM point_lot l
		WHERE l.lapses_on = $2 AND l.points_left > 0
			AND NOT EXISTS (SELECT FROM message m WHERE m.customer_id = l.customer_id AND m.day = $2 AND m.days = $1 AND m.kind = 'member_points_end')
		ORDER BY l.customer_id LIMIT $3`
)

// reminder is a message that the clock causes.
type reminder struct {
	ID       uuid.UUID  `db:"id"`
	Customer uuid.UUID  `db:"customer_id"`
	Kind     Kind       `db:"kind"`
	Subject  uuid.UUID  `db:"subject_id"`
	Vouchers int32      `db:"vouchers"`
	Day      *time.Time `db:"day"`
	Days     int16      `db:"days"`
	At       time.Time  `db:"created_at"`
}

var insertReminders = db.NewBulk[reminder](`INSERT INTO message (id, customer_id, kind, subject_id, vouchers, day, days, created_at)
	SELECT unnest(@id::uuid[]), unnest(@customer_id::uuid[]), unnest(@kind::text[]), unnest(@subject_id::uuid[]), unnest(@vouchers::integer[]), unnest(@day::date[]), unnest(@days::smallint[]), unnest(@created_at::timestamptz[])
	ON CONFLICT DO NOTHING`)

// Remind reminds givers of gifts that nobody has opened after 3 and 6 days, and holders of vouchers 30, 7 and 1 days before their last day, once
// for all that end on it, and members of points 30 and 7 days before they lapse. A worker calls it for each organisation, at least once a day between 10:00 and 21:00.
func Remind(ctx context.Context, on *db.DB, org uuid.UUID) error {
	for _, days := range daysUnopened {
		err := inParts(ctx, on, org, func(tx db.Tx) (int, error) {
			sent := tx.Now.AddDate(0, 0, -days)
			return remind(ctx, tx, GiftUnopened, unopened, days, sent.AddDate(0, 0, -1), sent, maxReminded)
		})
		if err != nil {
			return err
		}
	}
	if hour := on.Now().In(clock.Bangkok).Hour(); hour < firstHour || hour >= lastHour {
		return nil
	}
	for _, r := range []struct {
		kind  Kind
		which string
		days  []int
	}{{VoucherEnds, ending, daysToTheEnd}, {MemberPointsEnd, lapsing, daysToLapse}} {
		for _, days := range r.days {
			err := inParts(ctx, on, org, func(tx db.Tx) (int, error) {
				return remind(ctx, tx, r.kind, r.which, days, clock.Day(tx.Now).AddDate(0, 0, days), maxReminded)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// remind writes a message for each row of a query. It returns how many these are.
func remind(ctx context.Context, tx db.Tx, kind Kind, which string, args ...any) (int, error) {
	rows, err := tx.Query(ctx, which, args...)
	if err != nil {
		return 0, fmt.Errorf("reminders %s: %w", kind, err)
	}
	due, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (r reminder, err error) {
		r.ID, r.Kind, r.At = db.NewID(), kind, tx.Now
		return r, row.Scan(&r.Customer, &r.Subject, &r.Vouchers, &r.Day, &r.Days)
	})
	if err != nil {
		return 0, fmt.Errorf("reminders %s: %w", kind, err)
	}
	insertReminders.Queue(tx, due)
	return len(due), tx.Flush(ctx)
}

// inParts calls part, each time in a transaction of its own, until it writes fewer than maxReminded messages.
func inParts(ctx context.Context, on *db.DB, org uuid.UUID, part func(tx db.Tx) (int, error)) error {
	for written := maxReminded; written == maxReminded; {
		err := on.InOrg(ctx, org, func(tx db.Tx) (err error) {
			written, err = part(tx)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
