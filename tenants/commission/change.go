package commission

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/ledger"
)

const (
	columns = `SELECT id, coalesce(order_id, redemption_id), coalesce(level, 0), payee_id, due_satang, mature_satang, denied_satang, denied_at, paid_satang, unpaid_satang, matures, mature_days, matures_at, created_at FROM commission `
	// Who takes something of an order back waits for what is under way. What has matured by time is left to the next run where somebody else has it.
	ofOrders = columns + `WHERE order_id = ANY ($1) ORDER BY id FOR NO KEY UPDATE`
	toMature = columns + `WHERE matures_at <= $1 ORDER BY matures_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`
	anyDue   = `SELECT EXISTS (SELECT FROM commission WHERE matures_at <= $1)`

	// The commission of items that were used or expired, and since when it counts. Until the end of the day after it somebody may object to a use, so
	// it counts from the beginning of the next. A use to which somebody objects counts once it stands; one that was undone is that of the voucher that took
	// its place. Each item has its number: they are used from the first.
	usedSlices = `SELECT v.order_id, v.line_position, u.counts_from, w.satang FROM voucher v
		CROSS JOIN LATERAL (
			SELECT r.since, r.since + r.items AS till, ((r.at AT TIME ZONE 'Asia/Bangkok')::date + 2)::timestamp AT TIME ZONE 'Asia/Bangkok' AS counts_from
			FROM (SELECT id, at, items, sum(items) OVER (ORDER BY items_left DESC)::bigint - items AS since FROM redemption WHERE voucher_id = v.id) r
			WHERE NOT EXISTS (SELECT FROM objection b WHERE b.redemption_id = r.id AND b.state IN ('open', 'undone'))
			UNION ALL SELECT v.items_total - v.items_out - v.items_left, v.items_total - v.items_out, '-infinity' WHERE v.state = 'expired') u
		CROSS JOIN LATERAL (SELECT (CASE WHEN v.kind = 'baht' THEN div(v.commission_satang::numeric * u.till, v.items_total) - div(v.commission_satang::numeric * u.since, v.items_total)
			ELSE CASE WHEN u.till = v.items_total THEN v.commission_satang ELSE v.commission_satang / v.items_total * u.till END - v.commission_satang / v.items_total * u.since END)::bigint AS satang) w`
	usedOf = `SELECT u.order_id, coalesce(sum(u.satang), 0)::bigint, coalesce(sum(` + ofRecruiter + `), 0)::bigint, min(u.next)
		FROM (SELECT order_id, line_position, sum(satang) FILTER (WHERE counts_from <= $2) AS satang, min(counts_from) FILTER (WHERE counts_from > $2) AS next
			FROM (` + usedSlices + ` WHERE v.order_id = ANY ($1)) s GROUP BY 1, 2) u
		LEFT JOIN recruiter_share r ON r.order_id = u.order_id AND r.position = u.line_position GROUP BY 1`
	// What of a line's used commission u is the recruiter's, who has r of all of it; NULL where he has nothing.
	ofRecruiter = `round(u.satang::numeric * r.recruiter_satang / r.commission_satang)`

	reconsider = `UPDATE commission SET matures_at = least(matures_at, $2) WHERE id IN (SELECT k.id FROM commission k WHERE k.order_id IN (SELECT order_id FROM voucher WHERE id = ANY ($1))
		AND k.matures = 'use' AND (k.matures_at IS NULL OR k.matures_at > $2) ORDER BY k.id FOR NO KEY UPDATE)`
)

// atOnce is how many commissions mature in one transaction.
const atOnce = 500

// held is a commission, locked.
type held struct {
	ID           uuid.UUID
	Order        uuid.UUID // or the use
	Payee        uuid.UUID
	Level        Level
	Due, Mature  money.Amount
	Denied       money.Amount // what would be due to the payee, and is the organisation's
	DeniedAt     *time.Time
	Paid, Unpaid money.Amount // for what was not taken back, and what of it is owed by the buyer
	Rule         Rule
	MaturesAt    *time.Time
	Since        time.Time
}

func scan(row pgx.CollectableRow) (h held, err error) {
	err = row.Scan(&h.ID, &h.Order, &h.Level, &h.Payee, &h.Due, &h.Mature, &h.Denied, &h.DeniedAt, &h.Paid, &h.Unpaid, &h.Rule.Matures, &h.Rule.Days, &h.MaturesAt, &h.Since)
	return h, err
}

// same reports whether nothing of it changed.
func (h held) same(o held) bool {
	at := func(t *time.Time) time.Time {
		if t == nil {
			return time.Time{}
		}
		return *t
	}
	return h.Due == o.Due && h.Mature == o.Mature && h.Denied == o.Denied && at(h.DeniedAt).Equal(at(o.DeniedAt)) && h.Paid == o.Paid && h.Unpaid == o.Unpaid && at(h.MaturesAt).Equal(at(o.MaturesAt))
}

// used is what uses and ends of validity have made mature of an order's commission, and when more uses will have.
type used struct {
	split
	Next *time.Time
}

// matured returns how much of what is due is mature at a time, and when to look again.
func (h held) matured(of used, now time.Time) (money.Amount, *time.Time) {
	if h.Rule.Matures == atUse {
		return min(h.Due, of.of(h.Level, h.Paid-h.Unpaid, h.Paid)), of.Next
	}
	if on := h.Rule.on(h.Since); on.After(now) {
		return 0, &on
	}
	return h.Due, nil
}

// Due says what of an order's commission is due now: the part of what was not taken back that is paid.
type Due struct {
	Order  uuid.UUID
	Kept   map[int]money.Amount // the commission of what was not taken back, of each line by its position
	Paid   money.Amount         // for what was not taken back
	Unpaid money.Amount         // of it, what its buyer owes
}

// Save leaves payees what they are due of orders, as far as it has matured, and posts the differences to what they have. Orders that
// nobody sold have no commission. What a payee has been paid out already and is due no more, he owes. Of what was denied nothing is due: what would be is the
// organisation's.
func Save(ctx context.Context, tx db.Tx, dues []Due) error {
	if len(dues) == 0 {
		return nil
	}
	rows, err := tx.Query(ctx, ofOrders, db.Column(dues, func(d Due) uuid.UUID { return d.Order }))
	if err != nil {
		return fmt.Errorf("commissions of orders: %w", err)
	}
	all, err := pgx.CollectRows(rows, scan)
	if err != nil {
		return fmt.Errorf("commissions of orders: %w", err)
	}
	of := map[uuid.UUID]Due{}
	for _, d := range dues {
		of[d.Order] = d
	}
	parts, err := readRecruiterParts(ctx, tx, all)
	if err != nil {
		return err
	}
	now := make([]held, len(all))
	for i, h := range all {
		due := of[h.Order]
		now[i] = h
		now[i].Due, now[i].Paid, now[i].Unpaid = parts.kept(due).of(h.Level, due.Paid-due.Unpaid, due.Paid), due.Paid, due.Unpaid
		if h.DeniedAt != nil {
			now[i].Due, now[i].Denied = 0, now[i].Due
		}
	}
	return save(ctx, tx, all, now)
}

// MatureDue posts what has matured by time, at most 500 commissions in a transaction. A worker calls it for each organisation.
func MatureDue(ctx context.Context, on *db.DB, org uuid.UUID) error {
	for n := atOnce; n == atOnce; {
		err := on.InOrg(ctx, org, func(tx db.Tx) (err error) {
			n, err = mature(ctx, tx)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// AnyDue reports whether MatureDue has anything to do.
func AnyDue(ctx context.Context, tx db.Tx) (some bool, err error) {
	err = tx.QueryRow(ctx, anyDue, tx.Now).Scan(&some)
	return some, err
}

func mature(ctx context.Context, tx db.Tx) (int, error) {
	rows, err := tx.Query(ctx, toMature, tx.Now, atOnce)
	if err != nil {
		return 0, fmt.Errorf("commissions that mature: %w", err)
	}
	all, err := pgx.CollectRows(rows, scan)
	if err != nil {
		return 0, fmt.Errorf("commissions that mature: %w", err)
	}
	return len(all), save(ctx, tx, all, all)
}

// Reconsider queues that commission which matures by use is looked at again at a time, because something of what these vouchers were happens or
// counts then. The vouchers are locked.
func Reconsider(tx db.Tx, at time.Time, vouchers ...uuid.UUID) {
	if len(vouchers) > 0 {
		tx.Queue(reconsider, vouchers, at)
	}
}

// CountsFrom returns when a use counts to which nobody objects: the day after it is over.
func CountsFrom(use time.Time) time.Time { return clock.Start(clock.Day(use).AddDate(0, 0, 2)) }

type changeRow struct {
	ID         uuid.UUID    `db:"id"`
	Commission uuid.UUID    `db:"commission_id"`
	Payee      uuid.UUID    `db:"payee_id"`
	Due        money.Amount `db:"due_satang"`
	Mature     money.Amount `db:"mature_satang"`
	Denied     money.Amount `db:"denied_satang"`
	At         time.Time    `db:"at"`
}

// kind returns the kind of a change's transfer.
func (c changeRow) kind() string {
	switch {
	case c.Due == 0 && c.Denied == 0:
		return "commission_maturity"
	case c.Denied == -c.Due:
		return "commission_denial"
	}
	return "commission_reversal"
}

type savedRow struct {
	ID        uuid.UUID    `db:"id"`
	Due       money.Amount `db:"due_satang"`
	Mature    money.Amount `db:"mature_satang"`
	Denied    money.Amount `db:"denied_satang"`
	DeniedAt  *time.Time   `db:"denied_at"`
	Paid      money.Amount `db:"paid_satang"`
	Unpaid    money.Amount `db:"unpaid_satang"`
	MaturesAt *time.Time   `db:"matures_at"`
	At        time.Time    `db:"at"`
}

var (
	insertChanges = db.NewBulk[changeRow](`INSERT INTO commission_change (id, commission_id, payee_id, due_satang, mature_satang, denied_satang, at)
		SELECT unnest(@id::uuid[]), unnest(@commission_id::uuid[]), unnest(@payee_id::uuid[]), unnest(@due_satang::bigint[]), unnest(@mature_satang::bigint[]), unnest(@denied_satang::bigint[]), unnest(@at::timestamptz[])`)
	saveCommissions = db.NewBulk[savedRow](`UPDATE commission SET due_satang = s.due, mature_satang = s.mature, denied_satang = s.denied, denied_at = s.denied_at, paid_satang = s.paid, unpaid_satang = s.unpaid, matures_at = s.matures_at, updated_at = s.at
		FROM (SELECT unnest(@id::uuid[]) AS id, unnest(@due_satang::bigint[]) AS due, unnest(@mature_satang::bigint[]) AS mature, unnest(@denied_satang::bigint[]) AS denied, unnest(@denied_at::timestamptz[]) AS denied_at, unnest(@paid_satang::bigint[]) AS paid,
			unnest(@unpaid_satang::bigint[]) AS unpaid, unnest(@matures_at::timestamptz[]) AS matures_at, unnest(@at::timestamptz[]) AS at) AS s WHERE commission.id = s.id`)
)

// save makes of locked commissions what they are now, and computes what of them is mature.
func save(ctx context.Context, tx db.Tx, was, now []held) error {
	uses, err := usesOf(ctx, tx, now)
	if err != nil {
		return err
	}
	var saved []savedRow
	var changes []changeRow
	var payees []uuid.UUID
	for i, h := range now {
		h.Mature, h.MaturesAt = h.matured(uses[h.Order], tx.Now)
		if !h.same(was[i]) {
			saved = append(saved, savedRow{h.ID, h.Due, h.Mature, h.Denied, h.DeniedAt, h.Paid, h.Unpaid, h.MaturesAt, tx.Now})
		}
		if due, mature, denied := h.Due-was[i].Due, h.Mature-was[i].Mature, h.Denied-was[i].Denied; due != 0 || mature != 0 || denied != 0 {
			changes = append(changes, changeRow{db.NewID(), h.ID, h.Payee, due, mature, denied, tx.Now})
			payees = append(payees, h.Payee)
		}
	}
	if len(saved) > 0 {
		saveCommissions.Queue(tx, saved)
	}
	if len(changes) == 0 {
		return nil
	}
	insertChanges.Queue(tx, changes)
	balances, err := LockBalances(ctx, tx, payees)
	if err != nil {
		return err
	}
	back, own := ledger.SystemAccount(ledger.ChargebackReceivable), ledger.SystemAccount(ledger.Payable)
	var transfers []ledger.Transfer
	for _, c := range changes {
		// What is due, or was denied, comes from, or goes back to, what buyers owe the organisation.
		moved, err := balances.Move(c.Payee, ledger.Cause{Kind: c.kind(), ID: c.ID}, c.Mature, Part{Pending(c.Payee), c.Due - c.Mature}, Part{own, c.Denied}, Part{back, -c.Due - c.Denied})
		if err != nil {
			return err
		}
		transfers = append(transfers, moved)
	}
	balances.Save(tx)
	return ledger.Post(tx, transfers...)
}

// usesOf reads what uses have made mature, of those that mature by use.
func usesOf(ctx context.Context, tx db.Tx, all []held) (map[uuid.UUID]used, error) {
	var orders []uuid.UUID
	for _, h := range all {
		if h.Rule.Matures == atUse {
			orders = append(orders, h.Order)
		}
	}
	if len(orders) == 0 {
		return nil, nil
	}
	rows, err := tx.Query(ctx, usedOf, orders, tx.Now)
	if err != nil {
		return nil, fmt.Errorf("what was used of orders: %w", err)
	}
	uses := map[uuid.UUID]used{}
	var order uuid.UUID
	var u used
	_, err = pgx.ForEachRow(rows, []any{&order, &u.Whole, &u.Recruiter, &u.Next}, func() error {
		uses[order] = u
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("what was used of orders: %w", err)
	}
	return uses, nil
}
