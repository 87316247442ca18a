// Package points keeps what members earn by what they pay: points, the ledger's second currency. A customer has them in lots, one for each day on which points lapse; what
// was taken back and was not there any more he owes.
//
// What an order brings is frozen when it is paid, and computed anew from the facts whenever one of them has changed or time alone makes more of it due. The difference to what it
// has brought is a grant, or takes one back. Who changes points holds the lock of their customer.
package points

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/ledger"
)

// lot is what is left of a customer's points that lapse after a day.
type lot struct {
	lapses time.Time
	left   int64
}

// holding is what a customer has of points, and owes. One of them is nothing.
type holding struct {
	customer uuid.UUID
	lots     []lot // in the order of their days
	owed     int64
	changed  map[time.Time]bool // days of lots
	settled  bool               // what is owed has changed
}

// total returns how many points there are, or, below zero, are owed.
func (h *holding) total() (n int64) {
	for _, l := range h.lots {
		n += l.left
	}
	return n - h.owed
}

// at returns the lot of a day, and makes it.
func (h *holding) at(day time.Time) *lot {
	i, found := slices.BinarySearchFunc(h.lots, day, func(l lot, day time.Time) int { return l.lapses.Compare(day) })
	if !found {
		h.lots = slices.Insert(h.lots, i, lot{lapses: day})
	}
	return &h.lots[i]
}

func (h *holding) move(l *lot, by int64) {
	l.left += by
	if h.changed == nil {
		h.changed = map[time.Time]bool{}
	}
	h.changed[l.lapses] = true
}

func (h *holding) account(l *lot) ledger.Account { return ledger.LotOf(h.customer, l.lapses) }

func (h *holding) owes() ledger.Account { return ledger.AccountOf(ledger.PointsOwed, h.customer) }

// add adds points that lapse after a day. They pay first what is owed.
func (h *holding) add(n int64, day time.Time) (postings []ledger.Posting) {
	issued := ledger.SystemAccount(ledger.PointsIssued)
	if pays := min(n, h.owed); pays > 0 {
		h.owed, h.settled, n = h.owed-pays, true, n-pays
		postings = append(postings, ledger.Posting{Debit: issued, Credit: h.owes(), Amount: money.Amount(pays)})
	}
	if n > 0 {
		l := h.at(day)
		h.move(l, n)
		postings = append(postings, ledger.Posting{Debit: issued, Credit: h.account(l), Amount: money.Amount(n)})
	}
	return postings
}

// take takes points from the lot of a day, then from those that lapse first. What is not there is owed.
func (h *holding) take(n int64, first time.Time) (postings []ledger.Posting) {
	issued := ledger.SystemAccount(ledger.PointsIssued)
	from := func(l *lot) {
		if by := min(n, l.left); by > 0 {
			n -= by
			h.move(l, -by)
			postings = append(postings, ledger.Posting{Debit: h.account(l), Credit: issued, Amount: money.Amount(by)})
		}
	}
	for i := range h.lots {
		if h.lots[i].lapses.Equal(first) {
			from(&h.lots[i])
		}
	}
	for i := range h.lots {
		from(&h.lots[i])
	}
	if n > 0 {
		h.owed, h.settled = h.owed+n, true
		postings = append(postings, ledger.Posting{Debit: h.owes(), Credit: issued, Amount: money.Amount(n)})
	}
	return postings
}

// lapse empties the lots whose day has passed; with everything those of other days, too.
func (h *holding) lapse(today time.Time, everything bool) (n int64, postings []ledger.Posting) {
	for i := range h.lots {
		l := &h.lots[i]
		if l.left == 0 || !everything && !l.lapses.Before(today) {
			continue
		}
		n += l.left
		postings = append(postings, ledger.Posting{Debit: h.account(l), Credit: ledger.SystemAccount(ledger.PointsLapsed), Amount: money.Amount(l.left)})
		h.move(l, -l.left)
	}
	return n, postings
}

// lapsesOn returns the day on which points lapse that are had on a day: the last of the month that is so many months later.
func lapsesOn(day time.Time, months int) time.Time {
	return time.Date(day.Year(), day.Month()+time.Month(months)+1, 0, 0, 0, 0, 0, time.UTC)
}

const (
	lotsOf = `SELECT customer_id, lapses_on, points_left FROM point_lot WHERE customer_id = ANY ($1) AND points_left > 0 ORDER BY customer_id, lapses_on`
	owedOf = `SELECT customer_id, points FROM point_owed WHERE customer_id = ANY ($1)`
)

// holdings are those of customers who are locked, with what happened to them.
type holdings struct {
	of        map[uuid.UUID]*holding
	transfers []ledger.Transfer
	lapses    []lapseRow
}

// readHoldings reads what customers have, and lapses what is over. They are locked.
func readHoldings(ctx context.Context, tx db.Tx, customers []uuid.UUID) (*holdings, error) {
	hs := &holdings{of: map[uuid.UUID]*holding{}}
	for _, id := range customers {
		hs.of[id] = &holding{customer: id}
	}
	rows, err := tx.Query(ctx, lotsOf, customers)
	if err != nil {
		return nil, fmt.Errorf("lots of points: %w", err)
	}
	var customer uuid.UUID
	var l lot
	_, err = pgx.ForEachRow(rows, []any{&customer, &l.lapses, &l.left}, func() error {
		h := hs.of[customer]
		h.lots = append(h.lots, l)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("lots of points: %w", err)
	}
	rows, err = tx.Query(ctx, owedOf, customers)
	if err != nil {
		return nil, fmt.Errorf("points that are owed: %w", err)
	}
	var owed int64
	_, err = pgx.ForEachRow(rows, []any{&customer, &owed}, func() error {
		hs.of[customer].owed = owed
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("points that are owed: %w", err)
	}
	for _, id := range customers {
		hs.lapse(tx, hs.of[id], false)
	}
	return hs, nil
}

// lapse has points of a customer lapse: those of days that have passed, or all.
func (hs *holdings) lapse(tx db.Tx, h *holding, everything bool) {
	if everything {
		hs.lapsed(tx, h, nil, true)
		return
	}
	today := clock.Day(tx.Now)
	for _, l := range slices.Clone(h.lots) {
		if l.left > 0 && l.lapses.Before(today) {
			hs.lapsed(tx, h, &l.lapses, false)
		}
	}
}

// lapsed has the points of a lot lapse, or all.
func (hs *holdings) lapsed(tx db.Tx, h *holding, day *time.Time, everything bool) {
	after := time.Time{}
	if day != nil {
		after = day.AddDate(0, 0, 1)
	}
	n, postings := h.lapse(after, everything)
	if n == 0 {
		return
	}
	row := lapseRow{ID: db.NewID(), Customer: h.customer, Points: n, Lapses: day, At: tx.Now}
	hs.lapses = append(hs.lapses, row)
	hs.post("points_lapsed", row.ID, postings)
}

func (hs *holdings) post(kind string, cause uuid.UUID, postings []ledger.Posting) {
	hs.transfers = append(hs.transfers, ledger.NewTransfer(ledger.Cause{Kind: kind, ID: cause}, postings...))
}

type (
	lapseRow struct {
		ID       uuid.UUID  `db:"id"`
		Customer uuid.UUID  `db:"customer_id"`
		Points   int64      `db:"points"`
		Lapses   *time.Time `db:"lapses_on"`
		At       time.Time  `db:"at"`
	}
	lotRow struct {
		Account  uuid.UUID `db:"account_id"`
		Customer uuid.UUID `db:"customer_id"`
		Lapses   time.Time `db:"lapses_on"`
		Left     int64     `db:"points_left"`
		At       time.Time `db:"updated_at"`
	}
	owedRow struct {
		Customer uuid.UUID `db:"customer_id"`
		Points   int64     `db:"points"`
		At       time.Time `db:"updated_at"`
	}
)

var (
	insertLapses = db.NewBulk[lapseRow](`INSERT INTO point_lapse (id, customer_id, points, lapses_on, at)
		SELECT unnest(@id::uuid[]), unnest(@customer_id::uuid[]), unnest(@points::bigint[]), unnest(@lapses_on::date[]), unnest(@at::timestamptz[])`)
	saveLots = db.NewBulk[lotRow](`INSERT INTO point_lot (account_id, customer_id, lapses_on, points_left, updated_at)
		SELECT unnest(@account_id::uuid[]), unnest(@customer_id::uuid[]), unnest(@lapses_on::date[]), unnest(@points_left::bigint[]), unnest(@updated_at::timestamptz[])
		ON CONFLICT (account_id) DO UPDATE SET points_left = excluded.points_left, updated_at = excluded.updated_at`)
	saveOwed = db.NewBulk[owedRow](`INSERT INTO point_owed (customer_id, points, updated_at)
		SELECT unnest(@customer_id::uuid[]), unnest(@points::bigint[]), unnest(@updated_at::timestamptz[])
		ON CONFLICT (customer_id) DO UPDATE SET points = excluded.points, updated_at = excluded.updated_at`)
)

// save queues what changed: lots, what is owed, and the transfers with their accounts.
func (hs *holdings) save(tx db.Tx) error {
	if len(hs.transfers) == 0 {
		return nil
	}
	accounts := []ledger.Account{ledger.SystemAccount(ledger.PointsIssued), ledger.SystemAccount(ledger.PointsLapsed)}
	var lots []lotRow
	var owed []owedRow
	for _, h := range hs.of {
		for _, l := range h.lots {
			if h.changed[l.lapses] {
				accounts = append(accounts, h.account(&l))
				lots = append(lots, lotRow{h.account(&l).ID(tx.Key), h.customer, l.lapses, l.left, tx.Now})
			}
		}
		if h.settled {
			accounts = append(accounts, h.owes())
			owed = append(owed, owedRow{h.customer, h.owed, tx.Now})
		}
	}
	slices.SortFunc(lots, func(a, b lotRow) int { return cmp.Compare(a.Account.String(), b.Account.String()) })
	slices.SortFunc(owed, func(a, b owedRow) int { return cmp.Compare(a.Customer.String(), b.Customer.String()) })
	ledger.OpenAccounts(tx, accounts...)
	if len(lots) > 0 {
		saveLots.Queue(tx, lots)
	}
	if len(owed) > 0 {
		saveOwed.Queue(tx, owed)
	}
	if len(hs.lapses) > 0 {
		insertLapses.Queue(tx, hs.lapses)
	}
	return ledger.Post(tx, hs.transfers...)
}
