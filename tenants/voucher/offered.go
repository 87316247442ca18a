package voucher

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
)

// Ways in which an offer ends by which nobody bought; it can be stopped, too.
const (
	Cancelled = "cancelled" // by who made it
	Ended     = "ended"     // its days, or those of its vouchers, were over
)

const (
	lockOffered = lotColumns + `WHERE offer_id = $1 ORDER BY id FOR UPDATE`

	offerOne    = `UPDATE voucher SET state = $2, offer_id = $3, updated_at = $4 WHERE id = $1`
	sellOne     = `UPDATE voucher SET state = $2, offer_id = NULL, resale_id = $3, holder_id = $4, code = $5, transfers_left = $6, updated_at = $7 WHERE id = $1`
	withdrawOne = `UPDATE voucher SET state = $2, offer_id = NULL, updated_at = $3 WHERE id = $1`
	endOffer    = `UPDATE offer SET state = $2, ended_at = $3 WHERE id = $1 AND state = ANY ($4) RETURNING seller_id`
	endPayment  = `UPDATE reservation SET state = 'stopped', ended_at = $2 WHERE offer_id = $1 AND state = 'open' RETURNING buyer_id`

	dueOffers  = `SELECT id FROM offer WHERE state = 'open' AND expires_at <= $1 ORDER BY expires_at, id LIMIT $2`
	dueOfferOf = `SELECT f.id FROM voucher v JOIN offer f ON f.id = v.offer_id WHERE v.id = $1 AND f.state = 'open' AND f.expires_at <= $2`
)

// LockOffered locks what is on sale by an offer.
func LockOffered(ctx context.Context, tx db.Tx, offer uuid.UUID) (Lot, error) {
	return lock(ctx, tx, lockOffered, offer)
}

// Paid returns what was paid for so many items of it that are left. It was checked.
func (l Lot) Paid(items int64) (paid money.Amount) {
	for _, v := range l {
		n := v.Left
		if !v.Together {
			n = items
		}
		end := v.Total - v.Out
		paid += v.Sums.Slice(v.Kind, v.Total, end-n, end).Paid()
	}
	return paid
}

// Offer puts it, or so many items of it, on sale by an offer. It was checked.
func (l Lot) Offer(tx db.Tx, offer uuid.UUID, items int64) {
	for _, v := range l.part(tx, items, voucherEvent{Offer: &offer}) {
		tx.Queue(offerOne, v.ID, transitions[Offer].to, offer, tx.Now)
		queueEvent(tx, voucherEvent{Voucher: v.ID, Event: "offer", From: v.State, To: transitions[Offer].to, Items: v.Left, Holder: v.Holder, Offer: &offer})
	}
}

// Sell gives it to its buyer: under new codes, with one transfer less where these are counted.
func (l Lot) Sell(tx db.Tx, offer, resale, buyer uuid.UUID) {
	for _, v := range l {
		if v.Rule == transferred {
			v.Times--
		}
		tx.Queue(sellOne, v.ID, transitions[Sell].to, resale, buyer, NewCode(10), v.Times, tx.Now)
		queueEvent(tx, voucherEvent{Voucher: v.ID, Event: "sell", From: v.State, To: transitions[Sell].to, Holder: buyer, Offer: &offer})
	}
}

// States of an offer that can end.
var (
	unpaid   = []string{"open"}             // nobody is paying it
	unbought = []string{"open", "reserved"} // nobody has bought it
)

// EndOffer ends an offer that nobody has bought and nobody is paying, and frees its vouchers. It reports whether the offer was open. Its vouchers
// are locked first, as by everybody who changes them.
func EndOffer(ctx context.Context, tx db.Tx, offer uuid.UUID, as string) (ended bool, err error) {
	return endOfferIn(ctx, tx, offer, as, unpaid)
}

// StopOffer ends an offer that nobody has bought, also one that somebody is paying: his money, if it comes, is his.
func StopOffer(ctx context.Context, tx db.Tx, offer uuid.UUID, as string) (ended bool, err error) {
	return endOfferIn(ctx, tx, offer, as, unbought)
}

func endOfferIn(ctx context.Context, tx db.Tx, offer uuid.UUID, as string, from []string) (ended bool, err error) {
	lot, err := LockOffered(ctx, tx, offer)
	if err != nil {
		return false, err
	}
	if ended, err = closeOffer(ctx, tx, offer, as, from); err != nil || !ended {
		return false, err
	}
	for _, v := range lot {
		tx.Queue(withdrawOne, v.ID, transitions[WithdrawOffer].to, tx.Now)
		queueEvent(tx, voucherEvent{Voucher: v.ID, Event: "withdraw", From: v.State, To: transitions[WithdrawOffer].to, Holder: v.Holder, Offer: &offer})
	}
	return true, nil
}

// endsOfOffers are the messages to a seller whose offer ended, unless he ended it himself.
var endsOfOffers = map[string]message.Kind{Ended: message.OfferEnded, Stopped: message.OfferStopped}

// closeOffer ends an offer's own row, and the reservation of who is paying it, and notifies both.
func closeOffer(ctx context.Context, tx db.Tx, offer uuid.UUID, as string, from []string) (ended bool, err error) {
	var seller, buyer uuid.UUID
	err = tx.QueryRow(ctx, endOffer, offer, as, tx.Now, from).Scan(&seller)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("end offer %s: %w", offer, err)
	}
	if kind, informed := endsOfOffers[as]; informed {
		if err := message.Write(ctx, tx, seller, kind, offer, 0); err != nil {
			return false, err
		}
	}
	event := notice.Event{Topic: "offer", ID: &offer, State: as}
	err = tx.QueryRow(ctx, endPayment, offer, tx.Now).Scan(&buyer)
	if err == nil {
		err = notice.Send(ctx, tx, token.User, buyer, event)
	} else if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	if err != nil {
		return false, fmt.Errorf("end the payment of offer %s: %w", offer, err)
	}
	return true, notice.Send(ctx, tx, token.User, seller, event)
}

// endOffers ends at most maxExpired offers whose time is over. It reports whether more may be due.
func endOffers(ctx context.Context, tx db.Tx) (more bool, err error) {
	n, err := endWhich(ctx, tx, EndOffer, Ended, dueOffers, tx.Now, maxExpired)
	return n == maxExpired, err
}
