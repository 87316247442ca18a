package payout

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/bankfile"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
)

// Said is what is said of one payout.
type Said struct {
	ID      uuid.UUID `json:"id" doc:"Of the payout"`
	Outcome string    `json:"outcome" enum:"paid,failed,returned" doc:"returned: the bank paid it, and it came back"`
	Day     string    `json:"day" format:"date"`
	Reason  string    `json:"reason" maxLength:"300" doc:"Needed unless it was paid; the payee reads it"`
}

// ResultFile is what a bank answers to a run.
type ResultFile struct {
	ID   uuid.UUID `json:"id" doc:"Of the run"`
	Name string    `json:"name" minLength:"1" maxLength:"200"`
	Text string    `json:"text" maxLength:"2000000" doc:"csv with the columns reference, amount, outcome, day and reason (docs/payouts.md, The bank's answer)"`
}

const (
	referencesOf = `SELECT reference, id, net_satang FROM payout WHERE run_id = $1 AND booked_at IS NOT NULL`
	lockPayouts  = `SELECT p.id, p.payee_id, p.state, p.gross_satang, p.withheld_satang, p.net_satang, p.paid_on, CASE WHEN a.state <> 'erased' THEN a.customer_id END FROM payout p LEFT JOIN agent a ON a.id = p.payee_id WHERE p.id = ANY ($1) ORDER BY p.id FOR UPDATE OF p`
	stillBooked  = `SELECT id FROM payout WHERE run_id = $1 AND state = 'booked' ORDER BY id`
	insertResult = `INSERT INTO payout_result (id, payout_id, outcome, day, reason, file_name, file_hash, answer, said_at, said_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
	markPaid     = `UPDATE payout SET state = 'paid', paid_on = $2, paid_at = $3, ended_at = $3 WHERE id = $1`
	markFailed   = `UPDATE payout SET state = 'failed', ended_at = $2, reason = $3 WHERE id = $1`
	markReturned = `UPDATE payout SET state = 'returned', ended_at = $2, reason = $3 WHERE id = $1`
	insertReturn = `INSERT INTO payout_return (payout_id, payee_id, amount_satang, at) VALUES ($1, $2, $3, $4)`
	freeLines    = `UPDATE payout_line SET live = false WHERE payout_id = $1`
)

// payoutOf is a payout that was booked, locked.
type payoutOf struct {
	ID, Payee            uuid.UUID
	State                Standing
	Gross, Withheld, Net money.Amount
	PaidOn               *time.Time
	Customer             *uuid.UUID // nil once he was erased, and of a partner

	reference string           // of a refund
	transfer  *charge.Transfer // of a refund, locked; nil once its payer's wallet has it
}

// Say takes in what a person says of one payout. It returns a fault at a field, fault.Missing, ErrContradicts, or ErrNotCovered.
func (s *Service) Say(ctx context.Context, org uuid.UUID, who auditlog.Actor, in Said) error {
	one, err := bankfile.Checked(in.ID, in.Outcome, in.Day, in.Reason, clock.Day(s.db.Now()))
	if err != nil {
		return err
	}
	var result bankfile.ReadResult
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		var of uuid.UUID
		if err := tx.QueryRow(ctx, runOf, in.ID).Scan(&of); errors.Is(err, pgx.ErrNoRows) {
			return fault.Missing
		} else if err != nil {
			return fmt.Errorf("run of payout %s: %w", in.ID, err)
		}
		result, err = s.take(ctx, tx, who, of, []bankfile.Said{one}, nil, "", nil)
		return err
	})
	if err == nil && len(result.Contradicts) > 0 {
		return ErrContradicts
	}
	return err
}

// ReadFile takes in what a bank answers. A file that was read before changes nothing; one of which a row is not of the run changes nothing at all. It returns
// bankfile.ErrNoFile, a fault at a column of a row, fault.Missing, ErrNotNow, or ErrNotCovered.
func (s *Service) ReadFile(ctx context.Context, org uuid.UUID, who auditlog.Actor, in ResultFile) (result bankfile.ReadResult, err error) {
	rows, err := bankfile.Parse(in.Text)
	if err != nil {
		return result, err
	}
	hash := sha256.Sum256([]byte(in.Text))
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		byReference, err := sent(ctx, tx, in.ID)
		if err != nil {
			return err
		}
		list, references, err := bankfile.Match(rows, byReference, clock.Day(tx.Now))
		if err != nil {
			return err
		}
		result, err = s.take(ctx, tx, who, in.ID, list, references, in.Name, hash[:])
		return err
	})
	return result, err
}

// sent returns the payouts of a run that were booked, by their references.
func sent(ctx context.Context, tx db.Tx, id uuid.UUID) (map[string]bankfile.Payment, error) {
	rows, err := tx.Query(ctx, referencesOf, id)
	if err != nil {
		return nil, fmt.Errorf("payouts of run %s: %w", id, err)
	}
	byReference := map[string]bankfile.Payment{}
	var reference string
	var one bankfile.Payment
	_, err = pgx.ForEachRow(rows, []any{&reference, &one.ID, &one.Net}, func() error {
		byReference[reference] = one
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("payouts of run %s: %w", id, err)
	}
	return byReference, nil
}

// take applies what is said of payouts of one run, in this order.
func (s *Service) take(ctx context.Context, tx db.Tx, who auditlog.Actor, id uuid.UUID, list []bankfile.Said, references map[uuid.UUID]string, file string, hash []byte) (result bankfile.ReadResult, err error) {
	result = bankfile.ReadResult{Rows: len(list), Contradicts: []string{}}
	r, err := read(ctx, tx, lockRun, id)
	if err != nil {
		return result, err
	}
	if r.Booked == nil {
		return result, ErrNotNow
	}
	payouts, balances, err := r.lockPaid(ctx, tx, db.Column(list, func(s bankfile.Said) uuid.UUID { return s.ID }))
	if err != nil {
		return result, err
	}
	held, err := commission.Spendable(ctx, tx)
	if err != nil {
		return result, err
	}
	var moves []ledger.Transfer
	for _, one := range list {
		p, ok := payouts[one.ID]
		if !ok {
			return result, ErrNotNow
		}
		path, sense := one.Path(p.State, p.PaidOn)
		became := result.Count(references[p.ID], path, sense)
		tx.Queue(insertResult, db.NewID(), p.ID, one.Outcome, one.Day, one.Reason, file, hash, became, tx.Now, who.ID)
		for _, to := range path {
			if moves, err = p.become(ctx, tx, who, to, one, balances, moves); err != nil {
				return result, err
			}
			switch to {
			case Paid:
				held += p.Net
			case Returned:
				held -= p.Net
			}
		}
		if held < 0 {
			return result, ErrNotCovered
		}
	}
	balances.Save(tx)
	if err := ledger.Post(tx, moves...); err != nil {
		return result, err
	}
	if r.Kind == Refunds {
		if err := notice.SendTableUpdate(ctx, tx, charge.Transfers.Name()); err != nil {
			return result, err
		}
	}
	tx.Queue(endRun, r.ID, tx.Now)
	return result, changed(ctx, tx, who, "result", r.ID, map[string]any{"file": file, "rows": result.Rows, "applied": result.Applied, "contradicts": result.Contradicts})
}

// Withdrawal takes an approved run back.
type Withdrawal struct {
	ID     uuid.UUID `json:"id"`
	Reason string    `json:"reason" minLength:"1" maxLength:"300" doc:"The payees read it"`
}

// Withdraw takes back a run that is booked and whose file nobody has made: what it would have paid can be paid by the next run. It returns fault.Required without
// a reason, fault.Missing, ErrBooking, or ErrNotNow.
func (s *Service) Withdraw(ctx context.Context, org uuid.UUID, who auditlog.Actor, in Withdrawal) error {
	if in.Reason = strings.TrimSpace(in.Reason); in.Reason == "" {
		return fault.At("reason", fault.Required)
	}
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		r, err := read(ctx, tx, lockRun, in.ID)
		switch {
		case err != nil:
			return err
		case r.State == Approved && r.Booked == nil:
			return ErrBooking
		case r.State != Approved:
			return ErrNotNow
		}
		if r.Kind == Refunds {
			tx.Queue(takeBack, r.ID)
			tx.Queue(endRun, r.ID, tx.Now)
			if err := notice.SendTableUpdate(ctx, tx, charge.Transfers.Name()); err != nil {
				return err
			}
			return changed(ctx, tx, who, "withdraw", r.ID, in)
		}
		rows, err := tx.Query(ctx, stillBooked, r.ID)
		if err != nil {
			return fmt.Errorf("payouts of run %s: %w", r.ID, err)
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil {
			return fmt.Errorf("payouts of run %s: %w", r.ID, err)
		}
		payouts, balances, err := r.lockPaid(ctx, tx, ids)
		if err != nil {
			return err
		}
		var moves []ledger.Transfer
		for _, id := range ids {
			p := payouts[id]
			tx.Queue(insertResult, db.NewID(), p.ID, bankfile.WasNot, clock.Day(tx.Now), in.Reason, "", nil, bankfile.Applied, tx.Now, who.ID)
			move, err := p.fail(tx, in.Reason, balances)
			if err != nil {
				return err
			}
			moves = append(moves, move)
		}
		balances.Save(tx)
		if err := ledger.Post(tx, moves...); err != nil {
			return err
		}
		tx.Queue(endRun, r.ID, tx.Now)
		return changed(ctx, tx, who, "withdraw", r.ID, in)
	})
}

// fail ends a payout that was not paid: what it is made of is open again.
func (p *payoutOf) fail(tx db.Tx, why string, balances commission.Balances) (ledger.Transfer, error) {
	tx.Queue(markFailed, p.ID, tx.Now, why)
	tx.Queue(freeLines, p.ID)
	cause := ledger.Cause{Kind: "payout_failed", ID: p.ID, MemoTH: "โอนค่าคอมไม่ได้", MemoEN: "Commission could not be transferred"}
	return balances.Move(p.Payee, cause, p.Gross, onItsWay(-p.Net), withheldTax(-p.Withheld))
}

// lockPaid locks payouts that were booked, and the balances of their payees; of refunds, which have none, the transfers.
func (r run) lockPaid(ctx context.Context, tx db.Tx, ids []uuid.UUID) (map[uuid.UUID]*payoutOf, commission.Balances, error) {
	if r.Kind == Refunds {
		payouts, err := lockRefunded(ctx, tx, ids)
		return payouts, nil, err
	}
	rows, err := tx.Query(ctx, lockPayouts, ids)
	if err != nil {
		return nil, nil, fmt.Errorf("lock payouts: %w", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*payoutOf, error) {
		p := &payoutOf{}
		return p, row.Scan(&p.ID, &p.Payee, &p.State, &p.Gross, &p.Withheld, &p.Net, &p.PaidOn, &p.Customer)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("lock payouts: %w", err)
	}
	payouts := map[uuid.UUID]*payoutOf{}
	for _, p := range list {
		if p.State != Ready && p.State != LeftOut {
			payouts[p.ID] = p
		}
	}
	balances, err := commission.LockBalances(ctx, tx, db.Column(list, func(p *payoutOf) uuid.UUID { return p.Payee }))
	return payouts, balances, err
}

// become makes a payout what was said of it, and adds what moves its money to moves.
func (p *payoutOf) become(ctx context.Context, tx db.Tx, who auditlog.Actor, to Standing, one bankfile.Said, balances commission.Balances, moves []ledger.Transfer) ([]ledger.Transfer, error) {
	if p.transfer != nil {
		return moves, p.becomeRefund(ctx, tx, who, to, one)
	}
	move, err := p.becomeCommission(ctx, tx, to, one, balances)
	return append(moves, move), err
}

// becomeCommission makes the payout of a payee what was said of it, and returns the transfer that moves its money.
func (p *payoutOf) becomeCommission(ctx context.Context, tx db.Tx, to Standing, one bankfile.Said, balances commission.Balances) (ledger.Transfer, error) {
	p.State = to
	switch to {
	case Paid:
		p.PaidOn = &one.Day
		tx.Queue(markPaid, p.ID, one.Day, tx.Now)
		cause := ledger.Cause{Kind: "payout_paid", ID: p.ID, MemoTH: "โอนค่าคอมแล้ว", MemoEN: "Commission transferred"}
		paid := ledger.Posting{Debit: ledger.SystemAccount(ledger.BankClearing), Credit: ledger.SystemAccount(ledger.Payable), Amount: p.Net}
		return ledger.NewTransfer(cause, paid), p.notify(ctx, tx, message.AgentPaid)
	case Failed:
		if err := p.notify(ctx, tx, message.AgentNotPaid); err != nil {
			return ledger.Transfer{}, err
		}
		return p.fail(tx, one.Reason, balances)
	}
	tx.Queue(markReturned, p.ID, tx.Now, one.Reason)
	tx.Queue(insertReturn, p.ID, p.Payee, p.Net, tx.Now)
	if err := p.notify(ctx, tx, message.AgentPayReturned); err != nil {
		return ledger.Transfer{}, err
	}
	cause := ledger.Cause{Kind: "payout_returned", ID: p.ID, MemoTH: "ค่าคอมที่โอนตีกลับ", MemoEN: "Transferred commission came back"}
	return balances.Move(p.Payee, cause, p.Net, commission.Part{Account: ledger.SystemAccount(ledger.Payable), By: -p.Net})
}

func (p *payoutOf) notify(ctx context.Context, tx db.Tx, kind message.Kind) error {
	if p.Customer == nil {
		return nil
	}
	return message.Write(ctx, tx, *p.Customer, kind, p.ID, p.Net)
}
