package voucher

import (
	"context"
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
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
)

// Faults of the organisation's own freezes, beside those of a voucher's state.
var (
	ErrFrozenAlready = fault.New(fault.Conflict, "voucher.frozen_already", "The organisation has frozen this voucher already")
	ErrNotFrozen     = fault.New(fault.Conflict, "voucher.not_frozen", "The organisation has not frozen this voucher")
)

// FreezeInput is which voucher the organisation freezes, and why.
type FreezeInput struct {
	ID     uuid.UUID `json:"id"`
	Reason string    `json:"reason" minLength:"1" maxLength:"300" doc:"For the organisation alone; its holder does not see it"`
}

// frozenFact is what the audit log has of a freeze and of its release.
type frozenFact struct {
	Reason     string `json:"reason"`
	Days       int    `json:"days" doc:"Which the release added to its validity"`
	ValidUntil string `json:"valid_until"`
}

const (
	orderAndEnd  = `SELECT order_id, valid_until FROM voucher WHERE id = $1`
	insertFreeze = `INSERT INTO owner_freeze (id, voucher_id, reason, frozen_at, frozen_by) VALUES ($1, $2, $3, $4, $5)`
	endFreeze    = `UPDATE owner_freeze SET ended_at = $2, released_by = $3, days = $4 WHERE id = $1`
	readFreeze   = `SELECT reason, frozen_at FROM owner_freeze WHERE id = $1`
	addDays      = `UPDATE voucher SET valid_until = valid_until + $2::integer, added_days = added_days + $2::integer WHERE id = $1`
)

// Freeze freezes a voucher for a reason of the organisation's, whatever else froze it; its holder is informed. A use, a gift or an offer that it is
// in ends, also an offer that somebody is paying. It returns fault.Missing, ErrFrozenAlready, ErrExpired, or the fault of a voucher's state that is
// over.
func (s *Service) Freeze(ctx context.Context, org uuid.UUID, who auditlog.Actor, in FreezeInput) error {
	if in.Reason = strings.TrimSpace(in.Reason); in.Reason == "" {
		return fault.At("reason", fault.Required)
	}
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		_, err := FreezeTx(ctx, tx, who, in)
		return err
	})
}

// FreezeTx is Freeze in a transaction. It returns the id of the freeze.
func FreezeTx(ctx context.Context, tx db.Tx, who auditlog.Actor, in FreezeInput) (id uuid.UUID, err error) {
	h, until, err := lockWithOrder(ctx, tx, in.ID)
	if err != nil {
		return id, err
	}
	if err := (Standing{State: h.State, Until: until, Held: h.OwnerFreeze != nil}).Freezable(clock.Day(tx.Now)); err != nil {
		return id, err
	}
	if err := h.freezeByOwner(ctx, tx, who.ID, in.Reason); err != nil {
		return id, err
	}
	if err := message.Write(ctx, tx, h.Holder, message.VoucherFrozenByShop, h.ID, 0); err != nil {
		return id, err
	}
	if err := auditlog.Record(ctx, tx, who, "freeze", "voucher/"+h.ID.String(), nil, frozenFact{in.Reason, 0, until.Format(time.DateOnly)}); err != nil {
		return id, err
	}
	return *h.OwnerFreeze, notice.SendTableUpdate(ctx, tx, Vouchers.Name())
}

// Release ends the organisation's reason for which a voucher is frozen, and adds the days that it lasted to the voucher's validity, without those that
// were given back because its service points were closed. If no other reason is left, the voucher is ready, and its holder is informed. It returns fault.Missing; ErrFrozen if only money that was asked back froze it;
// or ErrNotFrozen.
func (s *Service) Release(ctx context.Context, org uuid.UUID, who auditlog.Actor, id uuid.UUID) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		_, err := ReleaseTx(ctx, tx, who, id)
		return err
	})
}

// ReleaseTx is Release in a transaction. It returns the id of the freeze.
func ReleaseTx(ctx context.Context, tx db.Tx, who auditlog.Actor, id uuid.UUID) (freeze uuid.UUID, err error) {
	h, until, err := lockWithOrder(ctx, tx, id)
	if err != nil {
		return freeze, err
	}
	if err := (Standing{State: h.State, Held: h.OwnerFreeze != nil}).Releasable(); err != nil {
		return freeze, err
	}
	freeze = *h.OwnerFreeze
	var f frozenFact
	var since time.Time
	if err := tx.QueryRow(ctx, readFreeze, freeze).Scan(&f.Reason, &since); err != nil {
		return freeze, fmt.Errorf("why %s is frozen: %w", id, err)
	}
	if f.Days, err = daysOfFreeze(ctx, tx, id, since); err != nil {
		return freeze, err
	}
	until = until.AddDate(0, 0, f.Days)
	f.ValidUntil = until.Format(time.DateOnly)
	h.releaseByOwner(tx, who.ID, f.Days)
	if h.State == Ready {
		if err := message.WriteWithDay(ctx, tx, h.Holder, message.VoucherReleasedByShop, h.ID, until); err != nil {
			return freeze, err
		}
	}
	if err := auditlog.Record(ctx, tx, who, "release", "voucher/"+h.ID.String(), nil, f); err != nil {
		return freeze, err
	}
	return freeze, notice.SendTableUpdate(ctx, tx, Vouchers.Name())
}

// frozenDays is how many days a freeze adds to a voucher's validity: each one that it has begun, so that no more of it is over than when it was frozen.
func frozenDays(since, until time.Time) int {
	const day = 24 * time.Hour
	return int((until.Sub(since) + day - 1) / day)
}

// daysOfFreeze is how many days the release of a voucher adds that is frozen since a moment.
func daysOfFreeze(ctx context.Context, tx db.Tx, id uuid.UUID, since time.Time) (days int, err error) {
	days = frozenDays(since, tx.Now)
	var has int
	if err := tx.QueryRow(ctx, returnedWithin, id, clock.Day(since), days).Scan(&has); err != nil {
		return 0, fmt.Errorf("days that %s has of its freeze: %w", id, err)
	}
	return days - has, nil
}

// lockWithOrder locks a voucher with all of its order, since what shares its gift or offer is among these. It returns its last day as well, or
// fault.Missing.
func lockWithOrder(ctx context.Context, tx db.Tx, id uuid.UUID) (h *Held, until time.Time, err error) {
	var order uuid.UUID
	err = tx.QueryRow(ctx, orderAndEnd, id).Scan(&order, &until)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, until, fault.Missing
	}
	if err != nil {
		return nil, until, fmt.Errorf("order of voucher %s: %w", id, err)
	}
	list, err := LockOfOrders(ctx, tx, []uuid.UUID{order})
	if err != nil {
		return nil, until, err
	}
	for _, h := range list {
		if h.ID == id {
			// Another release may have been under way.
			err := tx.QueryRow(ctx, orderAndEnd, id).Scan(&order, &until)
			return h, until, err
		}
	}
	return nil, until, fmt.Errorf("voucher %s is not of order %s", id, order)
}

func (h *Held) freezeByOwner(ctx context.Context, tx db.Tx, by uuid.UUID, reason string) error {
	before, id := h.State, db.NewID()
	h.State, h.OwnerFreeze = Frozen, &id
	if err := h.leave(ctx, tx, before); err != nil {
		return err
	}
	tx.Queue(insertFreeze, id, h.ID, reason, tx.Now, by)
	h.save(tx, voucherEvent{Event: "freeze", From: before, OwnerFreeze: &id})
	return nil
}

func (h *Held) releaseByOwner(tx db.Tx, by uuid.UUID, days int) {
	id := *h.OwnerFreeze
	h.OwnerFreeze = nil
	if h.FrozenFor == nil {
		h.State = Ready
	}
	tx.Queue(endFreeze, id, tx.Now, by, days)
	tx.Queue(addDays, h.ID, days)
	h.save(tx, voucherEvent{Event: "release", From: Frozen, OwnerFreeze: &id})
}

// endOwnerFreeze ends the organisation's reason with what it froze.
func (h *Held) endOwnerFreeze(tx db.Tx) {
	if h.OwnerFreeze == nil {
		return
	}
	tx.Queue(endFreeze, *h.OwnerFreeze, tx.Now, nil, 0)
	h.OwnerFreeze = nil
}
