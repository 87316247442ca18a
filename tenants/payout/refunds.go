package payout

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/queue"
	"welovevoucher/tenants/bankfile"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/notice"
)

const (
	// Bank transfers that wait, and are in no run, nor left out by this one. It needs a moment, the last of them that was looked at, how many, and the run.
	nextTransfers = `SELECT m.id, m.amount_satang, m.state, ` + charge.HeldBack + ` FROM remittance m JOIN charge c ON c.id = m.charge_id
		WHERE m.account_id IS NOT NULL AND m.state IN ('approved', 'sent') AND m.made_at < $1 AND ($2::uuid IS NULL OR m.id > $2)
			AND NOT EXISTS (SELECT FROM payout p WHERE p.remittance_id = m.id AND (p.state <> 'left_out' OR p.run_id = $4)) ORDER BY m.id LIMIT $3`
	refundsToBook = `SELECT p.id, m.state = 'approved' AND NOT (` + charge.HeldBack + `) FROM payout p JOIN remittance m ON m.id = p.remittance_id JOIN charge c ON c.id = m.charge_id
		WHERE p.run_id = $1 AND p.state = 'ready' ORDER BY p.position LIMIT $2 FOR UPDATE OF p, m`
	refundsToSend = `SELECT remittance_id, reference FROM payout WHERE run_id = $1 AND state = 'booked' ORDER BY position`
	lockRefunds   = `SELECT id, remittance_id, reference, state, net_satang, paid_on FROM payout WHERE id = ANY ($1) ORDER BY id FOR UPDATE`
	takeBack      = `UPDATE payout SET state = 'left_out', left_out = 'withdrawn', booked_at = NULL WHERE run_id = $1 AND state = 'booked'`
	runOfTransfer = `SELECT u.number FROM payout p JOIN payout_run u ON u.id = p.run_id WHERE p.remittance_id = $1 AND p.state IN ('booked', 'sent', 'paid')`
)

// InRun names the run that a transfer is in.
type InRun struct {
	Number string `json:"number"`
}

// ByHand returns ErrInRun with an InRun of a transfer of which the result of a run says what became of it, or nil. Before its run is booked, people may transfer it by hand:
// the run leaves it out then. The transfer is locked.
func ByHand(ctx context.Context, tx db.Tx, transfer uuid.UUID) error {
	var in InRun
	err := tx.QueryRow(ctx, runOfTransfer, transfer).Scan(&in.Number)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("run of bank transfer %s: %w", transfer, err)
	}
	return ErrInRun.With(in)
}

type refundRow struct {
	ID        uuid.UUID    `db:"id"`
	Run       uuid.UUID    `db:"run_id"`
	Transfer  uuid.UUID    `db:"remittance_id"`
	Position  int          `db:"position"`
	Reference string       `db:"reference"`
	State     Standing     `db:"state"`
	LeftOut   *string      `db:"left_out"`
	Amount    money.Amount `db:"amount"`
}

var insertRefunds = db.NewBulk[refundRow](`INSERT INTO payout (id, run_id, remittance_id, position, reference, state, left_out, lines, gross_satang, taxable_satang, withheld_satang, net_satang)
	SELECT n.id, n.run_id, n.remittance_id, n.position, n.reference, n.state, n.left_out, 0, n.amount, 0, 0, n.amount FROM (SELECT unnest(@id::uuid[]) AS id, unnest(@run_id::uuid[]) AS run_id,
		unnest(@remittance_id::uuid[]) AS remittance_id, unnest(@position::int[]) AS position, unnest(@reference::text[]) AS reference, unnest(@state::text[]) AS state, unnest(@left_out::text[]) AS left_out,
		unnest(@amount::bigint[]) AS amount) n`)

// waiting is a bank transfer that is in no run.
type waiting struct {
	ID       uuid.UUID
	Amount   money.Amount
	State    string
	HeldBack bool
}

// leftOutRefund returns why a transfer is not made by a run; empty if it may be.
func (r run) leftOutRefund(w waiting) string {
	switch {
	case r.isPostponed(w.ID):
		return "postponed"
	case w.State == "sent": // somebody has said that he transferred it
		return "under_way"
	case w.HeldBack:
		return "held_back"
	case w.Amount > tooMuch:
		return "too_big"
	}
	return ""
}

// computeRefunds adds the payouts of the next transfers.
func (r run) computeRefunds(ctx context.Context, tx db.Tx, after **uuid.UUID) (more bool, err error) {
	var made int
	var last *uuid.UUID
	if err := tx.QueryRow(ctx, lastOf, r.ID).Scan(&made, &last); err != nil {
		return false, fmt.Errorf("payouts of run %s: %w", r.ID, err)
	}
	if *after == nil {
		*after = last
	}
	rows, err := tx.Query(ctx, nextTransfers, clock.Start(r.UpTo.AddDate(0, 0, 1)), *after, min(atOnce, mostRefund-made), r.ID)
	if err != nil {
		return false, fmt.Errorf("transfers of run %s: %w", r.ID, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[waiting])
	if err != nil {
		return false, fmt.Errorf("transfers of run %s: %w", r.ID, err)
	}
	if len(list) == 0 {
		return false, r.endCompute(ctx, tx)
	}
	*after = &list[len(list)-1].ID
	var add []refundRow
	for _, w := range list {
		position := made + len(add) + 1
		p := refundRow{ID: db.NewID(), Run: r.ID, Transfer: w.ID, Position: position, Reference: fmt.Sprintf("%s-%05d", r.Number, position), State: Ready, Amount: w.Amount}
		if why := r.leftOutRefund(w); why != "" {
			p.State, p.LeftOut = LeftOut, &why
		}
		add = append(add, p)
	}
	insertRefunds.Queue(tx, add)
	return true, notice.SendTableUpdate(ctx, tx, charge.Transfers.Name())
}

// bookRefunds books the next payouts of an approved run. Nothing moves: what is transferred is on its way since it was refunded. What was transferred by hand meanwhile, or
// failed, or is held back, is left out.
func (r run) bookRefunds(ctx context.Context, tx db.Tx) (more bool, err error) {
	rows, err := tx.Query(ctx, refundsToBook, r.ID, atOnce)
	if err != nil {
		return false, fmt.Errorf("payouts of run %s: %w", r.ID, err)
	}
	var booked, left []uuid.UUID
	var id uuid.UUID
	var same bool
	_, err = pgx.ForEachRow(rows, []any{&id, &same}, func() error {
		if same {
			booked = append(booked, id)
		} else {
			left = append(left, id)
		}
		return nil
	})
	if err != nil {
		return false, fmt.Errorf("payouts of run %s: %w", r.ID, err)
	}
	if len(booked)+len(left) == 0 {
		return false, r.endBooking(ctx, tx)
	}
	tx.Queue(markAll, booked, tx.Now)
	tx.Queue(leaveAll, left)
	return true, notice.SendTableUpdate(ctx, tx, charge.Transfers.Name())
}

// sendRefunds writes down of each transfer that a run has booked that somebody sends it to the bank.
func (r run) sendRefunds(ctx context.Context, tx db.Tx, by uuid.UUID) error {
	rows, err := tx.Query(ctx, refundsToSend, r.ID)
	if err != nil {
		return fmt.Errorf("payouts of run %s: %w", r.ID, err)
	}
	var ids []uuid.UUID
	var references []string
	var id uuid.UUID
	var reference string
	_, err = pgx.ForEachRow(rows, []any{&id, &reference}, func() error {
		ids, references = append(ids, id), append(references, reference)
		return nil
	})
	if err != nil {
		return fmt.Errorf("payouts of run %s: %w", r.ID, err)
	}
	charge.SendTransfers(tx, ids, by, references)
	return notice.SendTableUpdate(ctx, tx, charge.Transfers.Name())
}

// lockRefunded locks payouts that were booked of a run of refunds, and the transfers of those that have not ended in a wallet.
func lockRefunded(ctx context.Context, tx db.Tx, ids []uuid.UUID) (map[uuid.UUID]*payoutOf, error) {
	rows, err := tx.Query(ctx, lockRefunds, ids)
	if err != nil {
		return nil, fmt.Errorf("lock payouts: %w", err)
	}
	payouts, of := map[uuid.UUID]*payoutOf{}, map[uuid.UUID]uuid.UUID{}
	var open []uuid.UUID
	var p payoutOf
	var transfer uuid.UUID
	_, err = pgx.ForEachRow(rows, []any{&p.ID, &transfer, &p.reference, &p.State, &p.Net, &p.PaidOn}, func() error {
		if p.State == Ready || p.State == LeftOut {
			return nil
		}
		one := p
		payouts[p.ID] = &one
		if p.State != Failed && p.State != Returned {
			of[p.ID] = transfer
			open = append(open, transfer)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("lock payouts: %w", err)
	}
	transfers, err := charge.LockTransfers(ctx, tx, open)
	for id, transfer := range of {
		payouts[id].transfer = transfers[transfer]
	}
	return payouts, err
}

// becomeRefund makes the payout of a transfer what was said of it: the transfer is what moves money and informs its payer. What he owes is paid by a job from what is in his
// wallet, because he would be locked too late here for what else follows.
func (p *payoutOf) becomeRefund(ctx context.Context, tx db.Tx, who auditlog.Actor, to Standing, one bankfile.Said) error {
	p.State = to
	t := p.transfer
	switch to {
	case Paid:
		p.PaidOn = &one.Day
		tx.Queue(markPaid, p.ID, one.Day, tx.Now)
		if t.State == "approved" {
			t.Send(tx, who.ID, p.reference)
		}
		t.State = "done"
		return t.End(ctx, tx, nil)
	case Failed:
		tx.Queue(markFailed, p.ID, tx.Now, one.Reason)
	default:
		tx.Queue(markReturned, p.ID, tx.Now, one.Reason)
	}
	if err := t.Fail(ctx, tx, who.ID, nil, one.Reason); err != nil {
		return err
	}
	return queue.Enqueue(ctx, tx, charge.SettleJob{Customer: t.Payer})
}
