package charge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/tenants/notice"
)

// CaseLifetime is how long the organisation has to decide about a refund that no whole unused item covers, since its sum last
// grew; then it bears it.
const CaseLifetime = 7 * 24 * time.Hour

// Case is what the organisation has to decide, or should know, about a charge's money.
type Case struct {
	ID       uuid.UUID    `json:"id"`
	Charge   uuid.UUID    `json:"charge_id"`
	Kind     string       `json:"kind" enum:"refund,dispute,wrong_sum"`
	Amount   money.Amount `json:"amount_satang" doc:"refund: what nothing covers; dispute: what the payer's bank took back; wrong_sum: what was paid instead"`
	OpenedAt time.Time    `json:"opened_at" doc:"UTC"`
	DueAt    *time.Time   `json:"due_at" doc:"UTC; when the organisation bears it by itself"`
	ClosedAt *time.Time   `json:"closed_at" doc:"UTC"`
	Outcome  string       `json:"outcome" enum:",covered,borne,written_off,won,lost"`
}

const (
	openCase = `SELECT amount_satang FROM charge_case WHERE charge_id = $1 AND kind = $2 AND closed_at IS NULL`
	addCase  = `INSERT INTO charge_case (id, charge_id, kind, amount_satang, opened_at, due_at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (charge_id, kind) WHERE closed_at IS NULL DO UPDATE SET amount_satang = excluded.amount_satang,
			due_at = CASE WHEN excluded.amount_satang > charge_case.amount_satang THEN excluded.due_at ELSE charge_case.due_at END`
	writeOffLost = `UPDATE charge_case SET outcome = 'written_off' WHERE charge_id = $1 AND kind = 'dispute' AND outcome = 'lost'`
	bearCase     = `UPDATE charge_case SET closed_at = $2, outcome = 'borne', decision_id = $3, decided_by = $4 WHERE charge_id = $1 AND kind = 'refund' AND closed_at IS NULL`
	caseIsOpen   = `SELECT closed_at IS NULL FROM charge_case WHERE id = $1`
	endCase      = `UPDATE charge_case SET closed_at = $3, outcome = $4 WHERE charge_id = $1 AND kind = $2 AND closed_at IS NULL`
	dueCase      = `SELECT EXISTS (SELECT FROM charge_case WHERE charge_id = $1 AND kind = 'refund' AND closed_at IS NULL AND due_at <= $2)`
	owedBy       = `SELECT coalesce((SELECT owed_satang FROM charge WHERE id = $1), 0)`
	casesOf      = `SELECT id, charge_id, kind, amount_satang, opened_at, due_at, closed_at, outcome FROM charge_case WHERE charge_id = $1 ORDER BY id`
)

// SaveRefundCase opens the case of what was sent back and nothing covers, follows its sum, or closes it when that is nothing.
// outcome is that of one that closes.
func (o *Owing) SaveRefundCase(ctx context.Context, tx db.Tx, outcome string) (changed bool, err error) {
	was, err := openSum(ctx, tx, o.ID, "refund")
	if err != nil {
		return false, err
	}
	is := o.OwedForRefunds()
	switch is {
	case was:
		return false, nil
	case 0:
		tx.Queue(endCase, o.ID, "refund", tx.Now, outcome)
	default:
		tx.Queue(addCase, db.NewID(), o.ID, "refund", is, tx.Now, tx.Now.Add(CaseLifetime))
	}
	return true, nil
}

// CaseIsDue reports whether the time to decide about what a charge owes for refunds is over. While a dispute of it is open it is
// not: what the bank returns may cover it.
func (o *Owing) CaseIsDue(ctx context.Context, tx db.Tx) (due bool, err error) {
	if o.Dispute == payment.DisputeOpen {
		return false, nil
	}
	err = tx.QueryRow(ctx, dueCase, o.ID, tx.Now).Scan(&due)
	return due, err
}

// BearCase closes the case of what was sent back: an account had the organisation bear it, by a step of the charge.
func (o *Owing) BearCase(tx db.Tx, step, by uuid.UUID) { tx.Queue(bearCase, o.ID, tx.Now, step, by) }

// CaseIsOpen reports whether nobody has decided a case, and nothing has covered it.
func CaseIsOpen(ctx context.Context, tx db.Tx, id uuid.UUID) (open bool, err error) {
	err = tx.QueryRow(ctx, caseIsOpen, id).Scan(&open)
	return open, err
}

// saveDispute opens the case of what a payer's bank took back, and ends it once the bank has decided.
func saveDispute(tx db.Tx, row charge, opened money.Amount, dispute payment.Dispute) {
	if opened > 0 {
		tx.Queue(addCase, db.NewID(), row.id, "dispute", opened, tx.Now, nil)
	}
	if dispute != payment.DisputeOpen {
		tx.Queue(endCase, row.id, "dispute", tx.Now, dispute)
	}
}

// openWrongSum lets the organisation know that a charge was paid with another sum than was asked for. Nothing is credited.
func openWrongSum(ctx context.Context, tx db.Tx, row charge, paid money.Amount) error {
	was, err := openSum(ctx, tx, row.id, "wrong_sum")
	if err != nil || was == paid {
		return err
	}
	tx.Queue(addCase, db.NewID(), row.id, "wrong_sum", paid, tx.Now, nil)
	return notice.SendTableUpdate(ctx, tx, Charges.Name())
}

// endWrongSum ends that when the right sum has come.
func endWrongSum(tx db.Tx, row charge) { tx.Queue(endCase, row.id, "wrong_sum", tx.Now, "covered") }

// openSum returns the sum of the open case of a charge, or nothing if it has none.
func openSum(ctx context.Context, tx db.Tx, charge uuid.UUID, kind string) (sum money.Amount, err error) {
	err = tx.QueryRow(ctx, openCase, charge, kind).Scan(&sum)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return 0, fmt.Errorf("case of charge %s: %w", charge, err)
	}
	return sum, nil
}

// OwedBy returns the debt of a charge, and its cases, the oldest first. It returns nothing if there is no such charge.
func OwedBy(ctx context.Context, tx db.Tx, charge uuid.UUID) (owed money.Amount, cases []Case, err error) {
	if err := tx.QueryRow(ctx, owedBy, charge).Scan(&owed); err != nil {
		return 0, nil, fmt.Errorf("what charge %s owes: %w", charge, err)
	}
	rows, err := tx.Query(ctx, casesOf, charge)
	if err != nil {
		return 0, nil, fmt.Errorf("cases of charge %s: %w", charge, err)
	}
	cases, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Case])
	return owed, cases, err
}
