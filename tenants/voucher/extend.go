package voucher

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/ledger"
)

// Faults of extending a voucher, beside those of its state.
var (
	ErrPaidOut    = fault.New(fault.Conflict, "voucher.paid_out", "By its rule, what was left of this voucher went to the holder's wallet when it expired")
	ErrNotLater   = fault.New(fault.Conflict, "voucher.not_later", "The new last day has to be later than the one it has, and not over")
	ErrHolderGone = fault.New(fault.Conflict, "voucher.holder_gone", "Whoever held this voucher has deleted his account")
)

// ErrDue is returned for a voucher whose last day is over and that no worker has ended yet: ExpireAllVouchers ends it.
var ErrDue = errors.New("the voucher is due")

// Extension gives a voucher another last day.
type Extension struct {
	ID     uuid.UUID
	Until  time.Time // the last day
	Reason string
	By     uuid.UUID

	Closure *uuid.UUID // whose days are given back, in the place of Until
}

const (
	insertExtension = `INSERT INTO extension (id, voucher_id, days, reason, made_at, made_by, closure_id) VALUES ($1, $2, $3, $4, $5, $6, $7)`
	endOf           = `SELECT v.valid_until, v.expiry_rule, h.erased_at IS NOT NULL FROM voucher v JOIN customer h ON h.id = v.holder_id WHERE v.id = $1`
	lastExpiry      = `SELECT t.id FROM voucher_event n JOIN transfer t ON t.kind = 'expiry' AND t.cause_id = n.id WHERE n.voucher_id = $1 AND n.event = 'expire' ORDER BY n.id DESC LIMIT 1`
)

// daysTo returns by how many days it is extended to a day, or why it cannot be.
func (h *Held) daysTo(ctx context.Context, tx db.Tx, until time.Time) (days int, err error) {
	is := Standing{State: h.State, Held: h.OwnerFreeze != nil}
	if err := tx.QueryRow(ctx, endOf, h.ID).Scan(&is.Until, &is.Rule, &is.Gone); err != nil {
		return 0, fmt.Errorf("last day of voucher %s: %w", h.ID, err)
	}
	return int(until.Sub(is.Until) / (24 * time.Hour)), is.Extendable(until, clock.Day(tx.Now))
}

// Extend gives it more days, and returns how many, and its last day. A use, a gift or an offer goes on as it is, and what is frozen stays frozen. What had
// expired is ready again, and what was left of it is unearned again. It returns the faults of Standing.Extendable, and ErrNoDays of a closure's days. The
// voucher and its holder are locked.
func (h *Held) Extend(ctx context.Context, tx db.Tx, e Extension) (days int, until time.Time, err error) {
	var closed []time.Time
	if e.Closure != nil {
		if closed, e.Until, err = h.daysOf(ctx, tx, *e.Closure); err != nil {
			return 0, until, err
		}
	}
	if days, err = h.daysTo(ctx, tx, e.Until); err != nil {
		return 0, until, err
	}
	before := h.State
	h.Due = false
	tx.Queue(insertExtension, e.ID, h.ID, days, e.Reason, tx.Now, e.By, e.Closure)
	if len(closed) > 0 {
		tx.Queue(insertReturns, h.ID, closed, e.ID)
	}
	tx.Queue(addDays, h.ID, days)
	if after, over := Next(before, Revive); over {
		h.State = after
		if err := h.returnBreakage(ctx, tx, e.ID); err != nil {
			return 0, until, err
		}
	}
	h.save(tx, voucherEvent{Event: "extend", From: before, Extension: &e.ID})
	if h.State != before {
		commission.Reconsider(tx, tx.Now, h.ID)
	}
	return days, e.Until, nil
}

// returnBreakage moves what the end of its validity moved back.
func (h *Held) returnBreakage(ctx context.Context, tx db.Tx, extension uuid.UUID) error {
	cause := ledger.Cause{Kind: "extension", ID: extension, MemoTH: "ขยายอายุเวาเชอร์", MemoEN: "Voucher extended"}
	err := tx.QueryRow(ctx, lastExpiry, h.ID).Scan(&cause.Reverses)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // nothing of it was worth anything
	}
	if err != nil {
		return fmt.Errorf("what the end of voucher %s moved: %w", h.ID, err)
	}
	return ledger.Post(tx, ledger.NewTransfer(cause,
		ledger.Posting{Debit: ledger.SystemAccount(ledger.Breakage), Credit: ledger.SystemAccount(ledger.Unearned), Amount: h.Rest().Share}))
}
