package payout

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/tax"
)

const (
	toBook = `SELECT id, payee_id, version_id, gross_satang, taxable_satang, withheld_satang, net_satang, tax_rule_id FROM payout WHERE run_id = $1 AND state = 'ready' ORDER BY position LIMIT $2 FOR UPDATE`
	// What the lines of payouts are now.
	lineSums = `SELECT p.payee_id, count(*), sum(l.amount_satang)::bigint, coalesce(sum(l.amount_satang) FILTER (WHERE l.return_id IS NULL), 0)::bigint FROM payout_line l JOIN payout p ON p.id = l.payout_id
		WHERE l.payout_id = ANY ($1) AND l.live GROUP BY 1`
	// Payees of whom something was taken back that is of no payout yet, or of whose payout a line cannot be paid now, because its order is held. It needs what openLines needs.
	otherLines = `WITH o AS (` + openLines + `), l AS (SELECT p.payee_id, l.source_id FROM payout_line l JOIN payout p ON p.id = l.payout_id WHERE l.payout_id = ANY ($3) AND l.live)
		SELECT o.payee_id FROM o WHERE o.amount < 0 AND coalesce(o.change_id, o.return_id) NOT IN (SELECT l.source_id FROM l)
		UNION SELECT l.payee_id FROM l WHERE l.source_id NOT IN (SELECT coalesce(o.change_id, o.return_id) FROM o)`
	markAll  = `UPDATE payout SET state = 'booked', booked_at = $2 WHERE id = ANY ($1)`
	leaveAll = `UPDATE payout SET state = 'left_out', left_out = 'changed' WHERE id = ANY ($1)`
	endBook  = `UPDATE payout_run SET booked_at = $2 WHERE id = $1`
	endRun   = `UPDATE payout_run SET state = 'closed', ended_at = $2 WHERE id = $1 AND state IN ('approved', 'exported') AND booked_at IS NOT NULL
		AND NOT EXISTS (SELECT FROM payout p WHERE p.run_id = $1 AND p.state IN ('ready', 'booked', 'sent'))`
)

// toPay is a payout that was approved.
type toPay struct {
	ID, Payee                     uuid.UUID
	Version                       uuid.UUID
	Gross, Taxable, Withheld, Net money.Amount
	Rule                          uuid.UUID
}

// book books the next payouts of an approved run, as they were approved. What differs now is left out, so that nobody is paid what was not approved.
func (r run) book(ctx context.Context, tx db.Tx, rules tax.Rules) (more bool, err error) {
	rows, err := tx.Query(ctx, toBook, r.ID, atOnce)
	if err != nil {
		return false, fmt.Errorf("payouts of run %s: %w", r.ID, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[toPay])
	if err != nil {
		return false, fmt.Errorf("payouts of run %s: %w", r.ID, err)
	}
	if len(list) == 0 {
		return false, r.endBooking(ctx, tx)
	}
	payees, ids := db.Column(list, func(p toPay) uuid.UUID { return p.Payee }), db.Column(list, func(p toPay) uuid.UUID { return p.ID })
	balances, err := commission.LockBalances(ctx, tx, payees)
	if err != nil {
		return false, err
	}
	same, err := r.unchanged(ctx, tx, rules, list, payees, ids)
	if err != nil {
		return false, err
	}
	var booked, left []uuid.UUID
	var moves []ledger.Transfer
	for _, p := range list {
		if !same(p) {
			left = append(left, p.ID)
			continue
		}
		cause := ledger.Cause{Kind: "payout", ID: p.ID, MemoTH: "จ่ายค่าคอม", MemoEN: "Commission paid out"}
		move, err := balances.Move(p.Payee, cause, -p.Gross, onItsWay(p.Net), withheldTax(p.Withheld))
		if err != nil {
			return false, err
		}
		booked, moves = append(booked, p.ID), append(moves, move)
	}
	balances.Save(tx)
	tx.Queue(markAll, booked, tx.Now)
	tx.Queue(leaveAll, left)
	tx.Queue(dropLines, left)
	return true, ledger.Post(tx, moves...)
}

func (r run) endBooking(ctx context.Context, tx db.Tx) error {
	tx.Queue(endBook, r.ID, tx.Now)
	tx.Queue(endRun, r.ID, tx.Now)
	return notice.SendTableUpdate(ctx, tx, Runs.Name())
}

func onItsWay(amount money.Amount) commission.Part {
	return commission.Part{Account: ledger.SystemAccount(ledger.BankClearing), By: amount}
}

func withheldTax(amount money.Amount) commission.Part {
	return commission.Part{Account: ledger.SystemAccount(ledger.WithholdingTax), By: amount}
}

// unchanged returns whether a payout is still what was approved.
func (r run) unchanged(ctx context.Context, tx db.Tx, rules tax.Rules, list []toPay, payees, ids []uuid.UUID) (func(toPay) bool, error) {
	of, err := readSums(ctx, tx, lineSums, ids)
	if err != nil {
		return nil, err
	}
	about, err := readFacts(ctx, tx, payees, r.PayDay.Year())
	if err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, otherLines, payees, clock.Start(r.UpTo.AddDate(0, 0, 1)), ids)
	if err != nil {
		return nil, fmt.Errorf("what can be paid now: %w", err)
	}
	other, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, fmt.Errorf("what can be paid now: %w", err)
	}
	payable := map[uuid.UUID]facts{}
	for _, f := range about {
		payable[f.Payee] = f
	}
	for _, id := range other {
		delete(payable, id)
	}
	changed := map[uuid.UUID]bool{}
	for _, p := range list {
		f, ok := payable[p.Payee]
		if !ok || f.UnderWay || f.Held || f.Forgotten || f.Status == resource.Suspended || f.Version == nil || *f.Version != p.Version || of[p.Payee].Gross != p.Gross {
			changed[p.ID] = true
			continue
		}
		taxable, withheld, rule, err := f.withhold(rules, of[p.Payee], r.PayDay)
		if err != nil {
			return nil, err
		}
		changed[p.ID] = taxable != p.Taxable || withheld != p.Withheld || rule != p.Rule
	}
	return func(p toPay) bool { return !changed[p.ID] }, nil
}
