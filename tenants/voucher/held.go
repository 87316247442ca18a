package voucher

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/notice"
)

// taking names the events by which items are taken back.
var taking = map[Event]string{Refund: "refund", RefundOutside: "refund", RefundByShop: "refund", MakeVoid: "void"}

// Because is why something happened to a voucher: because of a charge's money, or of a refund that the organisation or its payer made, or because the organisation
// ended a voucher.
type Because struct {
	Charge *uuid.UUID
	Refund *uuid.UUID
	Void   *uuid.UUID
}

// Held is a voucher as its worth stands for money, locked until the transaction ends.
type Held struct {
	ID               uuid.UUID
	Order            uuid.UUID
	Line             int
	Holder           uuid.UUID
	Kind             Kind
	Total, Left, Out int64
	State            State
	Sums             Sums       // of all items
	FrozenFor        *uuid.UUID // the charge because of whose money it is frozen
	OwnerFreeze      *uuid.UUID // by which the organisation froze it, for a reason of its own
	Gift             *uuid.UUID // by which it is on its way
	Offer            *uuid.UUID // by which it is on sale
	Resale           *uuid.UUID // by which it was sold on last
	Undoes           *uuid.UUID // in the place of which use of another voucher it was issued
	Due              bool       // its last day is over, and no worker has ended it

	others []*Held // that were locked with it
}

const (
	ofOrders = `SELECT id, order_id, line_position, holder_id, kind, items_total, items_left, items_out, state, share_satang, fee_satang, commission_satang,
		platform_discount_satang, frozen_for, owner_freeze_id, gift_id, offer_id, resale_id, undoes, valid_until FROM voucher WHERE order_id = ANY ($1) ORDER BY id`
	lockOfOrders = ofOrders + ` FOR UPDATE`
	saveHeld     = `UPDATE voucher SET state = $2, items_left = $3, items_out = $4, frozen_for = $5, owner_freeze_id = $6, gift_id = $7, offer_id = $8, updated_at = $9 WHERE id = $1`
	stopUse      = `UPDATE use_session SET state = 'cancelled', closed_at = $2 WHERE voucher_id = $1 AND state = 'open' RETURNING id, customer_id`
	lastTaken    = `SELECT n.event, n.charge_id, n.refund_id, n.owner_void_id FROM voucher v JOIN voucher_event n ON n.voucher_id = v.id
		WHERE v.order_id = $1 AND n.event IN ('refund', 'void') ORDER BY n.at DESC, n.id DESC LIMIT 1`
)

// LockOfOrders locks all vouchers of some orders, in the order of their ids. While it waits for one, its holder may make another one of some
// of its items, which the statement that waits does not see; so it looks again until it has found no more.
func LockOfOrders(ctx context.Context, tx db.Tx, orders []uuid.UUID) (list []*Held, err error) {
	for before := -1; len(list) > before; {
		before = len(list)
		if list, err = readHeld(ctx, tx, lockOfOrders, orders); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// ReadOfOrder returns all vouchers of an order as they are now. They are not locked.
func ReadOfOrder(ctx context.Context, tx db.Tx, order uuid.UUID) ([]*Held, error) {
	return readHeld(ctx, tx, ofOrders, []uuid.UUID{order})
}

func readHeld(ctx context.Context, tx db.Tx, sql string, orders []uuid.UUID) ([]*Held, error) {
	rows, err := tx.Query(ctx, sql, orders)
	if err != nil {
		return nil, fmt.Errorf("vouchers of orders: %w", err)
	}
	today := clock.Day(tx.Now)
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*Held, error) {
		h, until := &Held{}, time.Time{}
		err := row.Scan(&h.ID, &h.Order, &h.Line, &h.Holder, &h.Kind, &h.Total, &h.Left, &h.Out, &h.State,
			&h.Sums.Share, &h.Sums.Fee, &h.Sums.Commission, &h.Sums.Discount, &h.FrozenFor, &h.OwnerFreeze, &h.Gift, &h.Offer, &h.Resale, &h.Undoes, &until)
		h.Due = Standing{State: h.State, Until: until}.due(today)
		return h, err
	})
	if err != nil {
		return nil, fmt.Errorf("vouchers of orders: %w", err)
	}
	for _, h := range list {
		h.others = list
	}
	return list, nil
}

// LastTaken is by what, and why, something of an order was taken back last.
func LastTaken(ctx context.Context, tx db.Tx, order uuid.UUID) (event Event, because Because, err error) {
	var name string
	if err := tx.QueryRow(ctx, lastTaken, order).Scan(&name, &because.Charge, &because.Refund, &because.Void); err != nil {
		return "", because, fmt.Errorf("what was taken back of order %s: %w", order, err)
	}
	if name == taking[MakeVoid] {
		return MakeVoid, because, nil
	}
	return RefundOutside, because, nil
}

// Refundable returns why an event cannot refund n of its items now, or nil. What is on sale or on its way is refunded whole.
func (h *Held) Refundable(event Event, n int64) error {
	_, may := Next(h.State, event)
	switch {
	case h.Due:
		return ErrExpired
	case !may || n < h.Left && h.State != Ready:
		return stateFaults[h.State]
	case n > h.Left:
		return ErrTooFew
	}
	return nil
}

// PaidByVoid selects what came into the holder's wallet by an owner_void w.
const PaidByVoid = `coalesce((SELECT f.amount_satang FROM refund f WHERE f.id = w.refund_id),
	(SELECT sum(e.amount_satang)::bigint FROM voucher_event n JOIN transfer t ON t.kind = 'taken_back' AND t.cause_id = n.id JOIN entry e ON e.transfer_id = t.id
		JOIN account a ON a.id = e.credit_id AND a.kind = 'wallet' WHERE n.owner_void_id = w.id AND n.voucher_id = w.voucher_id), 0)`

// Voidable returns why the organisation cannot end it on a day, or nil. until is its last day.
func (h *Held) Voidable(until, today time.Time) error {
	return Standing{State: h.State, Until: until}.Voidable(today)
}

// Usable reports whether its items can still be used, or could if it were not frozen.
func (h *Held) Usable() bool {
	_, may := Next(h.State, RefundOutside)
	return may
}

// Last returns the worth of its last n items that are left.
func (h *Held) Last(n int64) Sums {
	end := h.Total - h.Out
	return h.Sums.Slice(h.Kind, h.Total, end-n, end)
}

// Rest returns the worth of the items that are left.
func (h *Held) Rest() Sums { return h.Last(h.Left) }

// Worthless reports whether what is left of it came for nothing: nobody paid for it, and its use earns nothing.
func (h *Held) Worthless() bool { return h.Rest() == Sums{} }

// Kept returns the worth of the items that were not taken back: used, left or expired. Items whose use was undone count where they were used,
// so what was issued in their place counts by what was taken back of it, below zero.
func (h *Held) Kept() Sums {
	kept := h.Total - h.Out
	if h.State == Refunded || h.State == Void {
		kept -= h.Left
	}
	if h.Undoes != nil {
		return h.Sums.Slice(h.Kind, h.Total, h.Total, kept)
	}
	return h.Sums.Slice(h.Kind, h.Total, 0, kept)
}

// Untouched reports whether all of it was taken back and nothing was used.
func (h *Held) Untouched() bool {
	return (h.State == Refunded || h.State == Void) && h.Left+h.Out == h.Total
}

// Freeze stops it because of a charge's money, also if the organisation froze it for a reason of its own.
func (h *Held) Freeze(ctx context.Context, tx db.Tx, charge uuid.UUID) error {
	return h.change(ctx, tx, db.NewID(), Freeze, "freeze", 0, Because{Charge: &charge})
}

// Release lets it go when its charge owes no more. It stays frozen if the organisation froze it as well.
func (h *Held) Release(ctx context.Context, tx db.Tx) error {
	return h.change(ctx, tx, db.NewID(), Release, "release", 0, Because{Charge: h.FrozenFor})
}

// TakeBack takes its last n items away. If these are all of its items, the event ends the voucher. It returns the id of the voucher event.
func (h *Held) TakeBack(ctx context.Context, tx db.Tx, n int64, event Event, because Because) (id uuid.UUID, err error) {
	id = db.NewID()
	name := taking[event]
	if n < h.Left {
		return id, h.takeSome(ctx, tx, id, n, name, because)
	}
	return id, h.change(ctx, tx, id, event, name, n, because)
}

// takeSome leaves it as it is but for the items; a use, a gift or an offer is closed, for it is of more than stays.
func (h *Held) takeSome(ctx context.Context, tx db.Tx, id uuid.UUID, n int64, name string, because Because) error {
	before := h.State
	for _, end := range []Event{CancelUse, WithdrawGift, WithdrawOffer} {
		if free, open := Next(before, end); open {
			h.State = free
		}
	}
	if err := h.leave(ctx, tx, before); err != nil {
		return err
	}
	h.Left, h.Out = h.Left-n, h.Out+n
	h.save(tx, voucherEvent{ID: id, Event: name, From: before, Items: n, Because: because})
	return nil
}

// save writes it and what happened to it.
func (h *Held) save(tx db.Tx, e voucherEvent) {
	e.Voucher, e.To, e.Holder = h.ID, h.State, h.Holder
	tx.Queue(saveHeld, h.ID, h.State, h.Left, h.Out, h.FrozenFor, h.OwnerFreeze, h.Gift, h.Offer, tx.Now)
	queueEvent(tx, e)
}

// leave ends what a voucher is in that leaves a state: its use, the gift by which it is on its way, or the offer by which it is on sale. What
// goes along with it is its holder's again.
func (h *Held) leave(ctx context.Context, tx db.Tx, before State) error {
	switch before {
	case InUse:
		return h.stopUse(ctx, tx)
	case InTransfer:
		gift := *h.Gift
		if _, err := closeGift(ctx, tx, gift, Stopped); err != nil {
			return err
		}
		h.Gift = nil
		h.freeOthers(tx, func(other *Held) **uuid.UUID { return &other.Gift }, gift, voucherEvent{Event: "return", Gift: &gift})
	case OnSale:
		offer := *h.Offer
		if _, err := closeOffer(ctx, tx, offer, Stopped, unbought); err != nil {
			return err
		}
		h.Offer = nil
		h.freeOthers(tx, func(other *Held) **uuid.UUID { return &other.Offer }, offer, voucherEvent{Event: "withdraw", Offer: &offer})
	}
	return nil
}

// freeOthers makes ready what was in the same gift or offer.
func (h *Held) freeOthers(tx db.Tx, in func(*Held) **uuid.UUID, id uuid.UUID, e voucherEvent) {
	for _, other := range h.others {
		if by := in(other); *by != nil && **by == id {
			e.From, other.State, *by = other.State, Ready, nil
			other.save(tx, e)
		}
	}
}

func (h *Held) change(ctx context.Context, tx db.Tx, id uuid.UUID, event Event, name string, items int64, because Because) error {
	before := h.State
	after, may := Next(before, event)
	if !may {
		return fmt.Errorf("voucher: %s of %s, which is %s", event, h.ID, before)
	}
	h.FrozenFor = nil
	switch {
	case event == Freeze:
		h.FrozenFor = because.Charge
	case event == Release && h.OwnerFreeze != nil:
		after = Frozen
	default:
		h.endOwnerFreeze(tx)
	}
	h.State = after
	if err := h.leave(ctx, tx, before); err != nil {
		return err
	}
	h.save(tx, voucherEvent{ID: id, Event: name, From: before, Items: items, Because: because})
	return nil
}

// stopUse closes the use under way, and notifies the phone that shows it.
func (h *Held) stopUse(ctx context.Context, tx db.Tx) error {
	var session, customer uuid.UUID
	if err := tx.QueryRow(ctx, stopUse, h.ID, tx.Now).Scan(&session, &customer); err != nil {
		return fmt.Errorf("stop the use of %s: %w", h.ID, err)
	}
	return notice.Send(ctx, tx, token.User, customer, notice.Event{Topic: "use", ID: &session, State: "cancelled"})
}
