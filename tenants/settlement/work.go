package settlement

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/bankfile"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/payee"
)

const (
	openRuns  = `SELECT id FROM settlement_run WHERE state = 'draft' AND computed_at IS NULL OR state = 'approved' AND booked_at IS NULL ORDER BY id`
	orgsToPay = `SELECT o.id, o.state = 'suspended' FROM organisation o WHERE o.schema_name IS NOT NULL AND o.state IN ('live', 'suspended') AND NOT EXISTS (SELECT FROM settlement s WHERE s.run_id = $1 AND s.org_id = o.id) ORDER BY o.id`
	insertOne = `INSERT INTO settlement (id, run_id, org_id, version_id, position, reference, state, left_out, amount_satang, fee_satang)
		SELECT $1, r.id, $3, $4, n.position, r.number || '-' || lpad(n.position::text, 5, '0'), $5, $6, $7, $8 FROM settlement_run r
		CROSS JOIN LATERAL (SELECT count(*)::int + 1 AS position FROM settlement s WHERE s.run_id = r.id) n WHERE r.id = $2 ON CONFLICT (run_id, org_id) DO NOTHING`
	underWay    = `SELECT EXISTS (SELECT FROM settlement WHERE org_id = $1 AND (state IN ('booked', 'sent') OR state IN ('paid', 'failed', 'returned') AND moved <> state))`
	computed    = `SELECT org_id, version_id, reference, state, coalesce(left_out, ''), amount_satang, fee_satang FROM settlement WHERE run_id = $1 ORDER BY position`
	endCompute  = `UPDATE settlement_run SET computed_at = $2, hash = $3 WHERE id = $1`
	toBook      = `SELECT s.id, s.org_id, s.version_id, s.reference, s.amount_satang, s.fee_satang, o.state = 'suspended' FROM settlement s JOIN organisation o ON o.id = s.org_id WHERE s.run_id = $1 AND s.state = 'ready' ORDER BY s.position`
	markBooked  = `UPDATE settlement SET state = 'booked', moved = 'booked', booked_at = $2 WHERE id = $1 AND state = 'ready'`
	markChanged = `UPDATE settlement SET state = 'left_out', left_out = 'changed' WHERE id = $1 AND state = 'ready'`
	endBook     = `UPDATE settlement_run SET booked_at = $2 WHERE id = $1`
	toFollow    = `SELECT id, org_id, state, paid_on, paid_at, ended_at, reason FROM settlement WHERE state IN ('paid', 'failed', 'returned') AND moved <> state ORDER BY id`
	markMoved   = `UPDATE settlement SET moved = $2 WHERE id = $1`

	// In the organisation.
	earnedLater = `SELECT coalesce(sum(CASE e.credit_id WHEN $1 THEN e.amount_satang ELSE -e.amount_satang END), 0)::bigint FROM transfer t JOIN entry e ON e.transfer_id = t.id
		WHERE t.day > $2 AND t.kind NOT IN ('settlement_failed', 'settlement_returned') AND (e.credit_id = $1 OR e.debit_id = $1 AND t.kind = 'partner_commission')
			AND NOT (t.kind IN ('use', 'partner_commission') AND t.day >= $3 AND NOT EXISTS (SELECT FROM objection o WHERE o.redemption_id = t.cause_id))`
	ownBooked   = `SELECT booked_at FROM settlement WHERE id = $1`
	ownUnderWay = `SELECT EXISTS (SELECT FROM settlement WHERE state = 'booked')`
	insertOwn   = `INSERT INTO settlement (id, reference, version_id, up_to, pay_day, amount_satang, fee_satang, state, booked_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 'booked', $8)`
	lockOwn     = `SELECT state, amount_satang, fee_satang FROM settlement WHERE id = $1 FOR UPDATE`
	payOwn      = `UPDATE settlement SET state = 'paid', paid_on = $2, paid_at = $3, ended_at = $3 WHERE id = $1`
	failOwn     = `UPDATE settlement SET state = 'failed', ended_at = $2, reason = $3 WHERE id = $1`
	returnOwn   = `UPDATE settlement SET state = 'returned', ended_at = $2, reason = $3 WHERE id = $1`
	table       = "settlement"
	causeTH     = "แพลตฟอร์มโอนเงินขาย"
	causeEN     = "Paid out by the platform"
	causeBackTH = "เงินขายที่โอนไม่สำเร็จ"
	causeBackEN = "Could not be paid out"
)

// figures are what an organisation is owed, and what decides whether it is paid.
type figures struct {
	Amount    money.Amount
	Fee       money.Amount // the platform's own, of what its gateway account holds
	Holds     money.Amount // what the platform's gateway account holds of it
	Covers    money.Amount // of that, what is for nobody else
	Version   *payee.Version
	BooksOpen bool
}

// readFigures returns what an organisation is owed of what it earned by the end of a day. Others who pay of that wait until tx ends.
func (s *Service) readFigures(ctx context.Context, tx db.Tx, org uuid.UUID, upTo time.Time) (f figures, err error) {
	earned, err := commission.EarnedForGood(ctx, tx)
	if err != nil {
		return f, err
	}
	var later money.Amount
	if err := tx.QueryRow(ctx, earnedLater, ledger.SystemAccount(ledger.Payable).ID(tx.Key), upTo, clock.Day(tx.Now).AddDate(0, 0, -1)).Scan(&later); err != nil {
		return f, fmt.Errorf("what %s earned since: %w", org, err)
	}
	b, err := ledger.SystemBalances(ctx, tx, ledger.GatewayPlatform, ledger.PlatformFee, ledger.GatewayFee, ledger.Unearned, ledger.UseObjection, ledger.BankClearing)
	if err != nil {
		return f, err
	}
	float, err := ledger.ReadFloat(ctx, tx)
	if err != nil {
		return f, err
	}
	f.Amount, f.Fee, f.Holds = earned-later, max(0, b[ledger.PlatformFee]), -b[ledger.GatewayPlatform]
	f.Covers = f.Holds - b[ledger.GatewayFee] - b[ledger.Unearned] - b[ledger.UseObjection] - b[ledger.BankClearing] - float.Wallets
	if f.BooksOpen, err = ledger.FoundLast(ctx, tx); err != nil {
		return f, err
	}
	f.Version, err = payee.NewestApproved(ctx, tx, s.box, org)
	return f, err
}

// leftOut returns why an organisation is not paid by a run; empty if it may be.
func (r run) leftOut(f figures, suspended, underWay bool) string {
	switch {
	case f.Version == nil || f.Version.Forgotten:
		return "not_approved"
	case suspended:
		return "suspended"
	case f.Version.PaysFrom.After(r.PayDay):
		return "account_new"
	case underWay:
		return "under_way"
	case f.BooksOpen:
		return "books_open"
	case f.Amount <= 0:
		return "owes"
	case f.Amount < r.Minimum:
		return "below_minimum"
	case f.Amount > tooMuch:
		return "too_big"
	case f.Amount+f.Fee > f.Covers:
		return "not_covered"
	}
	return ""
}

// Work computes and books what is left of runs, and has the books of organisations follow what was said. What was done before it was interrupted is not done again.
func (s *Service) Work(ctx context.Context) error {
	// What is over makes room for another one of its organisation.
	if err := s.follow(ctx); err != nil {
		return err
	}
	var ids []uuid.UUID
	err := s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, openRuns)
		if err != nil {
			return err
		}
		ids, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		return err
	})
	if err != nil {
		return fmt.Errorf("settlement runs to do: %w", err)
	}
	for _, id := range ids {
		var r run
		err := s.db.ReadInPlatform(ctx, func(tx db.Tx) (err error) {
			r, err = read(ctx, tx, runByID, id)
			return err
		})
		if err != nil {
			return err
		}
		if r.State == Draft {
			err = s.compute(ctx, r)
		} else {
			err = s.book(ctx, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// orgToPay is an organisation that a run has not looked at.
type orgToPay struct {
	ID        uuid.UUID
	Suspended bool
}

// compute adds what a draft pays to each organisation of which the platform's gateway account holds something.
func (s *Service) compute(ctx context.Context, r run) error {
	var orgs []orgToPay
	err := s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, orgsToPay, r.ID)
		if err != nil {
			return err
		}
		orgs, err = pgx.CollectRows(rows, pgx.RowToStructByPos[orgToPay])
		return err
	})
	if err != nil {
		return fmt.Errorf("organisations of settlement run %s: %w", r.ID, err)
	}
	for _, o := range orgs {
		var f figures
		err := s.db.InOrg(ctx, o.ID, func(tx db.Tx) (err error) {
			f, err = s.readFigures(ctx, tx, o.ID, r.UpTo)
			return err
		})
		if err != nil {
			return err
		}
		if f.Holds <= 0 {
			continue
		}
		if err := s.add(ctx, r, o, f); err != nil {
			return err
		}
	}
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		now, err := read(ctx, tx, lockRun, r.ID)
		if err != nil || now.State != Draft || now.Computed != nil {
			return err
		}
		hash, err := hashOf(ctx, tx, r)
		if err != nil {
			return err
		}
		tx.Queue(endCompute, r.ID, tx.Now, hash)
		return nil
	})
}

// add inserts what a draft pays to an organisation, or why it pays it nothing.
func (s *Service) add(ctx context.Context, r run, o orgToPay, f figures) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		if now, err := read(ctx, tx, lockRun, r.ID); err != nil || now.State != Draft || now.Computed != nil {
			return err
		}
		var under bool
		if err := tx.QueryRow(ctx, underWay, o.ID).Scan(&under); err != nil {
			return fmt.Errorf("settlements of %s: %w", o.ID, err)
		}
		state, version := bankfile.Ready, (*uuid.UUID)(nil)
		if f.Version != nil {
			version = &f.Version.ID
		}
		var why *string
		if left := r.leftOut(f, o.Suspended, under); left != "" {
			state, why = bankfile.LeftOut, &left
		}
		_, err := tx.Exec(ctx, insertOne, db.NewID(), r.ID, o.ID, version, state, why, f.Amount, f.Fee)
		if err != nil {
			return fmt.Errorf("settlement of %s: %w", o.ID, err)
		}
		return nil
	})
}

// hashOf returns a hash over the days of a run and all that it pays.
func hashOf(ctx context.Context, tx db.Tx, r run) ([]byte, error) {
	rows, err := tx.Query(ctx, computed, r.ID)
	if err != nil {
		return nil, fmt.Errorf("settlements of run %s: %w", r.ID, err)
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s %s %d\n", r.Number, r.UpTo.Format(time.DateOnly), r.PayDay.Format(time.DateOnly), r.Minimum)
	var org uuid.UUID
	var version *uuid.UUID
	var reference, state, left string
	var amount, fee money.Amount
	_, err = pgx.ForEachRow(rows, []any{&org, &version, &reference, &state, &left, &amount, &fee}, func() error {
		fmt.Fprintf(sum, "%s %v %s %s %s %d %d\n", org, version, reference, state, left, amount, fee)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("settlements of run %s: %w", r.ID, err)
	}
	return sum.Sum(nil), nil
}

// toPay is a settlement that was approved.
type toPay struct {
	ID, Org, Version uuid.UUID
	Reference        string
	Amount, Fee      money.Amount
	Suspended        bool
}

// book books an approved run, each organisation in a transaction of its own, as it was approved. What differs now is left out. An organisation that has booked its settlement
// before the job was interrupted has its row, and moves nothing again.
func (s *Service) book(ctx context.Context, r run) error {
	var list []toPay
	err := s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, toBook, r.ID)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[toPay])
		return err
	})
	if err != nil {
		return fmt.Errorf("settlements of run %s: %w", r.ID, err)
	}
	for _, p := range list {
		var at time.Time
		booked := false
		err := s.db.InOrg(ctx, p.Org, func(tx db.Tx) (err error) {
			at, booked, err = s.bookOwn(ctx, tx, r, p)
			return err
		})
		if err != nil {
			return err
		}
		err = s.db.InPlatform(ctx, func(tx db.Tx) error {
			if booked {
				_, err := tx.Exec(ctx, markBooked, p.ID, at)
				return err
			}
			_, err := tx.Exec(ctx, markChanged, p.ID)
			return err
		})
		if err != nil {
			return fmt.Errorf("settlement %s: %w", p.ID, err)
		}
	}
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		now, err := read(ctx, tx, lockRun, r.ID)
		if err != nil || now.State != Approved || now.Booked != nil {
			return err
		}
		tx.Queue(endBook, r.ID, tx.Now)
		tx.Queue(endRun, r.ID, tx.Now)
		return nil
	})
}

// bookOwn books a settlement in its organisation, and returns when that was. It reports false if the organisation cannot be paid so much now.
func (s *Service) bookOwn(ctx context.Context, tx db.Tx, r run, p toPay) (at time.Time, booked bool, err error) {
	f, err := s.readFigures(ctx, tx, p.Org, r.UpTo)
	if err != nil {
		return at, false, err
	}
	err = tx.QueryRow(ctx, ownBooked, p.ID).Scan(&at)
	if err == nil {
		return at, true, nil
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return at, false, fmt.Errorf("settlement %s: %w", p.ID, err)
	}
	var under bool
	if err := tx.QueryRow(ctx, ownUnderWay).Scan(&under); err != nil {
		return at, false, fmt.Errorf("settlements of %s: %w", p.Org, err)
	}
	if r.leftOut(f, p.Suspended, under) != "" || f.Version.ID != p.Version || f.Amount < p.Amount {
		return at, false, nil
	}
	tx.Queue(insertOwn, p.ID, p.Reference, p.Version, r.UpTo, r.PayDay, p.Amount, p.Fee, tx.Now)
	cause := ledger.Cause{Kind: "settlement", ID: p.ID, MemoTH: causeTH, MemoEN: causeEN}
	move := ledger.Posting{Debit: ledger.SystemAccount(ledger.Payable), Credit: ledger.SystemAccount(ledger.BankClearing), Amount: p.Amount}
	if err := ledger.Post(tx, ledger.NewTransfer(cause, move)); err != nil {
		return at, false, err
	}
	return tx.Now, true, notice.SendTableUpdate(ctx, tx, table)
}

// ended is a settlement whose books have not followed what was said of it.
type ended struct {
	ID, Org uuid.UUID
	State   bankfile.Standing
	PaidOn  *time.Time
	PaidAt  *time.Time
	EndedAt time.Time
	Reason  string
}

// follow has the books of organisations follow what was said of settlements.
func (s *Service) follow(ctx context.Context) error {
	var list []ended
	err := s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, toFollow)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[ended])
		return err
	})
	if err != nil {
		return fmt.Errorf("settlements to follow: %w", err)
	}
	for _, e := range list {
		if err := s.db.InOrg(ctx, e.Org, func(tx db.Tx) error { return e.move(ctx, tx) }); err != nil {
			return err
		}
		err := s.db.InPlatform(ctx, func(tx db.Tx) error {
			_, err := tx.Exec(ctx, markMoved, e.ID, e.State)
			return err
		})
		if err != nil {
			return fmt.Errorf("settlement %s: %w", e.ID, err)
		}
	}
	return nil
}

// move moves in the organisation what is still to be moved of a settlement that is over.
func (e ended) move(ctx context.Context, tx db.Tx) error {
	var is bankfile.Standing
	var amount, fee money.Amount
	if err := tx.QueryRow(ctx, lockOwn, e.ID).Scan(&is, &amount, &fee); err != nil {
		return fmt.Errorf("settlement %s: %w", e.ID, err)
	}
	if is == e.State {
		return nil
	}
	payable, clearing, gateway := ledger.SystemAccount(ledger.Payable), ledger.SystemAccount(ledger.BankClearing), ledger.SystemAccount(ledger.GatewayPlatform)
	cause := func(kind, th, en string) ledger.Cause {
		return ledger.Cause{Kind: kind, ID: e.ID, MemoTH: th, MemoEN: en}
	}
	var moves []ledger.Transfer
	if e.State == bankfile.Failed {
		tx.Queue(failOwn, e.ID, e.EndedAt, e.Reason)
		moves = append(moves, ledger.NewTransfer(cause("settlement_failed", causeBackTH, causeBackEN), ledger.Posting{Debit: clearing, Credit: payable, Amount: amount}))
	}
	if e.State != bankfile.Failed && is == bankfile.Booked {
		tx.Queue(payOwn, e.ID, *e.PaidOn, *e.PaidAt)
		moves = append(moves, ledger.NewTransfer(cause("settlement_paid", causeTH, causeEN), ledger.Posting{Debit: clearing, Credit: gateway, Amount: amount},
			ledger.Posting{Debit: ledger.SystemAccount(ledger.PlatformFee), Credit: gateway, Amount: fee}))
	}
	if e.State == bankfile.Returned {
		tx.Queue(returnOwn, e.ID, e.EndedAt, e.Reason)
		moves = append(moves, ledger.NewTransfer(cause("settlement_returned", causeBackTH, causeBackEN), ledger.Posting{Debit: gateway, Credit: payable, Amount: amount}))
	}
	if err := ledger.Post(tx, moves...); err != nil {
		return err
	}
	return notice.SendTableUpdate(ctx, tx, table)
}
