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
	"welovevoucher/platform/token"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
)

// Faults of giving, beside those of a voucher's state.
var (
	ErrNotTransferable = fault.New(fault.Conflict, "voucher.not_transferable", "This voucher cannot be transferred")
	ErrNoTransfersLeft = fault.New(fault.Conflict, "voucher.no_transfers_left", "This voucher cannot be transferred any more")
	ErrTogether        = fault.New(fault.Conflict, "voucher.together", "These vouchers must be transferred together, and one of them cannot be now")
	ErrTooFewAlike     = fault.New(fault.Conflict, "voucher.too_few_alike", "You do not have so many vouchers of this kind from one order that are ready")
	ErrWhole           = fault.New(fault.Conflict, "voucher.whole", "This voucher can only be transferred whole")
)

// Ways in which a gift ends that nobody claimed.
const (
	Withdrawn = "withdrawn" // by who gave it
	Declined  = "declined"  // by who opened it
	Returned  = "returned"  // its time, or that of its vouchers, was over
	Stopped   = "stopped"   // something happened to a voucher of it
)

// Lot has vouchers that go from one person to another together, locked until the transaction ends, in the order of their ids: one, or all
// that the holder has of one order and template where these bind each other.
type Lot []lotVoucher

type lotVoucher struct {
	ID               uuid.UUID
	Holder           uuid.UUID
	State            State
	Kind             Kind
	Total, Left, Out int64
	Sums             Sums // of all items
	ValidUntil       time.Time
	Rule             string
	Times            int
	Together         bool
}

const (
	lotColumns = `SELECT id, holder_id, state, kind, items_total, items_left, items_out, share_satang, fee_satang, commission_satang, platform_discount_satang,
		valid_until, transfer_rule, transfers_left, transfer_together FROM voucher `
	lockLot = lotColumns + `WHERE holder_id = $2 AND (id = $1 OR transfer_together AND state = ANY ($3)
		AND (order_id, template_id) = (SELECT order_id, template_id FROM voucher WHERE id = $1 AND holder_id = $2)) ORDER BY id FOR UPDATE`
	// Of one order, because what its payer's money does to one of them is done to all under their locks.
	alikeOf   = `SELECT b.id FROM voucher a JOIN voucher b ON b.order_id = a.order_id AND b.holder_id = a.holder_id AND ` + alike + ` WHERE a.id = $1 AND a.holder_id = $2 ORDER BY b.id = a.id DESC, b.id LIMIT $3`
	alike     = `(b.id = a.id OR b.state = 'ready' AND NOT b.transfer_together AND (b.version_id, b.items_left, b.valid_until, b.transfer_rule, b.transfers_left) = (a.version_id, a.items_left, a.valid_until, a.transfer_rule, a.transfers_left))`
	lockThese = lotColumns + `WHERE id = ANY ($1) AND holder_id = $2 ORDER BY id FOR UPDATE`
	lockGiven = lotColumns + `WHERE gift_id = $1 ORDER BY id FOR UPDATE`

	// What a slice does not have of its own is its parent's.
	insertSlice = `INSERT INTO voucher (id, parent_id, code, items_total, items_left, share_satang, fee_satang, commission_satang, platform_discount_satang, updated_at,
			state, order_id, line_position, template_id, version_id, kind, name_th, name_en, picture_id, holder_id, valid_until, issued_until, added_days, issued_at,
			transfer_rule, transfers_left, transfer_together, expiry_rule, vat_point, resale_id)
		SELECT $2, id, $3, $4, $4, $5, $6, $7, $8, $9, state, order_id, line_position, template_id, version_id, kind, name_th, name_en, picture_id, holder_id,
			valid_until, issued_until, added_days, issued_at, transfer_rule, transfers_left, transfer_together, expiry_rule, vat_point, resale_id FROM voucher WHERE id = $1`
	takeSlice = `UPDATE voucher SET items_left = items_left - $2, items_out = items_out + $2, updated_at = $3 WHERE id = $1`

	giveOne   = `UPDATE voucher SET state = $2, gift_id = $3, updated_at = $4 WHERE id = $1`
	claimOne  = `UPDATE voucher SET state = $2, gift_id = NULL, holder_id = $3, code = $4, transfers_left = $5, updated_at = $6 WHERE id = $1`
	returnOne = `UPDATE voucher SET state = $2, gift_id = NULL, updated_at = $3 WHERE id = $1`
	endGift   = `UPDATE gift SET state = $2, ended_at = $3 WHERE id = $1 AND ended_at IS NULL RETURNING giver_id, EXISTS (SELECT FROM gift_taker t WHERE t.gift_id = gift.id)`

	// What another transaction has locked is changed by it, or left to the next run.
	beginGifts = `UPDATE gift SET state = 'open' WHERE id IN (SELECT id FROM gift WHERE state = 'scheduled' AND begins_at <= $1 AND expires_at > $1` + daysGoOn + ` ORDER BY begins_at, id LIMIT $2 FOR UPDATE SKIP LOCKED)
		RETURNING id, giver_id`
	dueGifts  = `SELECT id FROM gift WHERE ended_at IS NULL AND expires_at <= $1` + daysGoOn + ` ORDER BY expires_at, id LIMIT $2`
	dueGiftOf = `SELECT g.id FROM voucher v JOIN gift g ON g.id = v.gift_id WHERE v.id = $1 AND g.ended_at IS NULL AND g.expires_at <= $2` + daysGoOn
	// The days of gifts stand still while the organisation is suspended.
	daysGoOn = ` AND NOT EXISTS (SELECT FROM suspension WHERE ended_at IS NULL)`
)

// transferred counts what a voucher's rule lets be transferred a number of times.
const transferred = "times"

// LockLot locks what a holder gives with a voucher of his, and frees what a use or a gift held that is due. It returns ErrNotFound for
// anybody else's.
func LockLot(ctx context.Context, tx db.Tx, holder, voucher uuid.UUID) (Lot, error) {
	lot, err := lock(ctx, tx, lockLot, voucher, holder, transitions[RefundOutside].from)
	if err != nil {
		return nil, err
	}
	if len(lot) == 0 {
		return nil, ErrNotFound
	}
	for _, v := range lot {
		if err := releaseDue(ctx, tx, v.ID); err != nil {
			return nil, err
		}
	}
	return lock(ctx, tx, lockLot, voucher, holder, transitions[RefundOutside].from)
}

// LockAlike locks a holder's voucher and others of the same order that are like it, as many as there are up to a number; one alone unless all
// its items go to each. It frees what a use or a gift holds of the voucher that is due. It returns ErrNotFound for anybody else's.
func LockAlike(ctx context.Context, tx db.Tx, holder, voucher uuid.UUID, number int, items int64) (Lot, error) {
	ids := []uuid.UUID{voucher}
	lot, err := lock(ctx, tx, lockThese, ids, holder)
	if err != nil {
		return nil, err
	}
	if len(lot) == 0 {
		return nil, ErrNotFound
	}
	if err := releaseDue(ctx, tx, voucher); err != nil {
		return nil, err
	}
	if lot[0].Left == items {
		rows, err := tx.Query(ctx, alikeOf, voucher, holder, number)
		if err != nil {
			return nil, fmt.Errorf("what is like %s: %w", voucher, err)
		}
		if ids, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID]); err != nil {
			return nil, fmt.Errorf("what is like %s: %w", voucher, err)
		}
	}
	return lock(ctx, tx, lockThese, ids, holder)
}

// LockGiven locks what is on its way by a gift.
func LockGiven(ctx context.Context, tx db.Tx, gift uuid.UUID) (Lot, error) {
	return lock(ctx, tx, lockGiven, gift)
}

func lock(ctx context.Context, tx db.Tx, sql string, args ...any) (Lot, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("lock what is given: %w", err)
	}
	lot, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (v lotVoucher, err error) {
		return v, row.Scan(&v.ID, &v.Holder, &v.State, &v.Kind, &v.Total, &v.Left, &v.Out, &v.Sums.Share, &v.Sums.Fee, &v.Sums.Commission, &v.Sums.Discount,
			&v.ValidUntil, &v.Rule, &v.Times, &v.Together)
	})
	if err != nil {
		return nil, fmt.Errorf("lock what is given: %w", err)
	}
	return lot, nil
}

// Check returns why its holder may not give it, or so many items of it: the fault of a voucher's state, ErrExpired, ErrNotTransferable,
// ErrNoTransfersLeft, ErrTooFew, ErrWhole, or ErrTogether if another voucher than asked, which has to go along, cannot be given.
func (l Lot) Check(tx db.Tx, asked uuid.UUID, items int64) error {
	var other error
	for _, v := range l {
		err := v.check(tx)
		if err == nil && v.ID == asked {
			err = v.checkItems(items)
		}
		if err != nil && v.ID == asked {
			return err
		}
		other = errors.Join(other, err)
	}
	if other != nil {
		return ErrTogether
	}
	return nil
}

func (v lotVoucher) checkItems(items int64) error {
	switch {
	case items > v.Left:
		return ErrTooFew
	case items < v.Left && v.Together:
		return ErrWhole
	}
	return nil
}

func (v lotVoucher) check(tx db.Tx) error {
	switch {
	case v.State != Ready:
		return stateFaults[v.State]
	case v.ValidUntil.Before(clock.Day(tx.Now)):
		return ErrExpired
	case v.Rule == "none":
		return ErrNotTransferable
	case v.Rule == transferred && v.Times == 0:
		return ErrNoTransfersLeft
	}
	return nil
}

// CheckEach returns why its holder may not give so many items to each of some people: the faults of Check, or ErrTooFewAlike if there are fewer
// vouchers that are like the one that was asked for. What binds vouchers together goes to one person.
func (l Lot) CheckEach(tx db.Tx, asked uuid.UUID, people int, items int64) error {
	if l[0].Together {
		return ErrTogether
	}
	for _, v := range l {
		if v.ID != asked {
			continue
		}
		if err := v.check(tx); err != nil {
			return err
		}
		switch {
		case items > v.Left, items < v.Left && items*int64(people) > v.Left:
			return ErrTooFew
		case items < v.Left:
			return nil
		}
	}
	like := 0
	for _, v := range l {
		if v.check(tx) == nil && v.Left == items && v.ValidUntil.Equal(l[0].ValidUntil) {
			like++
		}
	}
	if like < people {
		return ErrTooFewAlike
	}
	return nil
}

// ValidUntil is the last day on which all of it can be used.
func (l Lot) ValidUntil() time.Time {
	until := l[0].ValidUntil
	for _, v := range l {
		if v.ValidUntil.Before(until) {
			until = v.ValidUntil
		}
	}
	return until
}

// Give puts it, or so many items of it, on its way by a gift. It was checked.
func (l Lot) Give(tx db.Tx, gift uuid.UUID, items int64) {
	l.part(tx, items, voucherEvent{Gift: &gift}).give(tx, gift)
}

// GiveEach puts a voucher of so many items for each of some people on its way by a gift: those that it has, or such as are made of one. It was
// checked.
func (l Lot) GiveEach(tx db.Tx, gift uuid.UUID, people int, items int64) {
	if v := l[0]; items < v.Left {
		l = nil
		for range people {
			if v.Left == items {
				l = append(l, v)
				break
			}
			l = append(l, v.split(tx, items, voucherEvent{Gift: &gift}))
			v.Left, v.Out = v.Left-items, v.Out+items
		}
	}
	l.give(tx, gift)
}

func (l Lot) give(tx db.Tx, gift uuid.UUID) {
	for _, v := range l {
		tx.Queue(giveOne, v.ID, transitions[Give].to, gift, tx.Now)
		queueEvent(tx, voucherEvent{Voucher: v.ID, Event: "give", From: v.State, To: transitions[Give].to, Items: v.Left, Holder: v.Holder, Gift: &gift})
	}
}

// part returns what goes to another person of a lot that was checked: all of it, or a voucher made of so many items of it. by says by what.
func (l Lot) part(tx db.Tx, items int64, by voucherEvent) Lot {
	if items == l[0].Left || l[0].Together {
		return l
	}
	return Lot{l[0].split(tx, items, by)} // it is one voucher
}

// split makes a voucher of a voucher's last items.
func (v lotVoucher) split(tx db.Tx, items int64, by voucherEvent) lotVoucher {
	slice, end := v, v.Total-v.Out
	slice.ID, slice.Total, slice.Left, slice.Out, slice.Sums = db.NewID(), items, items, 0, v.Sums.Slice(v.Kind, v.Total, end-items, end)
	tx.Queue(insertSlice, v.ID, slice.ID, NewCode(10), items, slice.Sums.Share, slice.Sums.Fee, slice.Sums.Commission, slice.Sums.Discount, tx.Now)
	tx.Queue(takeSlice, v.ID, items, tx.Now)
	queueEvent(tx, voucherEvent{Voucher: v.ID, Event: "split", From: v.State, To: v.State, Items: items, Holder: v.Holder, Gift: by.Gift, Offer: by.Offer, Child: &slice.ID})
	return slice
}

// Claim gives it to a new holder: under new codes, with one transfer less where these are counted.
func (l Lot) Claim(tx db.Tx, gift, holder uuid.UUID) {
	for _, v := range l {
		if v.Rule == transferred {
			v.Times--
		}
		tx.Queue(claimOne, v.ID, transitions[Claim].to, holder, NewCode(10), v.Times, tx.Now)
		queueEvent(tx, voucherEvent{Voucher: v.ID, Event: "claim", From: v.State, To: transitions[Claim].to, Holder: holder, Gift: &gift})
	}
}

// EndGift ends a gift that nobody claimed, or that was not taken whole, gives its vouchers back and notifies the giver. It reports whether the gift was under way. Its vouchers
// are locked first, as by everybody who changes them.
func EndGift(ctx context.Context, tx db.Tx, gift uuid.UUID, as string) (ended bool, err error) {
	lot, err := LockGiven(ctx, tx, gift)
	if err != nil {
		return false, err
	}
	if ended, err = closeGift(ctx, tx, gift, as); err != nil || !ended {
		return false, err
	}
	for _, v := range lot {
		tx.Queue(returnOne, v.ID, transitions[WithdrawGift].to, tx.Now)
		queueEvent(tx, voucherEvent{Voucher: v.ID, Event: "return", From: v.State, To: transitions[WithdrawGift].to, Holder: v.Holder, Gift: &gift})
	}
	return true, nil
}

// endsOfGifts are the messages to a giver whose gift ended, unless he ended it himself.
var endsOfGifts = map[string]message.Kind{Declined: message.GiftDeclined, Returned: message.GiftReturned, Stopped: message.GiftStopped}

// endsOfRests are those of an ang-pao that some people had taken one of.
var endsOfRests = map[string]message.Kind{Returned: message.GiftRestReturned, Stopped: message.GiftRestStopped}

// closeGift ends a gift's own row and notifies the giver.
func closeGift(ctx context.Context, tx db.Tx, gift uuid.UUID, as string) (ended bool, err error) {
	var giver uuid.UUID
	var taken bool
	err = tx.QueryRow(ctx, endGift, gift, as, tx.Now).Scan(&giver, &taken)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("end gift %s: %w", gift, err)
	}
	ends := endsOfGifts
	if taken {
		ends = endsOfRests
	}
	if kind, informed := ends[as]; informed {
		if err := message.Write(ctx, tx, giver, kind, gift, 0); err != nil {
			return false, err
		}
	}
	return true, notice.Send(ctx, tx, token.User, giver, notice.Event{Topic: "gift", ID: &gift, State: as})
}

// openGifts opens the links of at most maxExpired gifts whose moment has come, and notifies their givers, who send them. It reports whether
// more may be due.
func openGifts(ctx context.Context, tx db.Tx) (more bool, err error) {
	rows, err := tx.Query(ctx, beginGifts, tx.Now, maxExpired)
	if err != nil {
		return false, fmt.Errorf("gifts whose moment has come: %w", err)
	}
	due, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ Gift, Giver uuid.UUID }])
	if err != nil {
		return false, fmt.Errorf("gifts whose moment has come: %w", err)
	}
	for _, g := range due {
		if err := message.Write(ctx, tx, g.Giver, message.GiftDue, g.Gift, 0); err != nil {
			return false, err
		}
		if err := notice.Send(ctx, tx, token.User, g.Giver, notice.Event{Topic: "gift", ID: &g.Gift, State: "open"}); err != nil {
			return false, err
		}
	}
	return len(due) == maxExpired, tx.Flush(ctx)
}

// returnGifts ends at most maxExpired gifts whose time is over. It reports whether more may be due.
func returnGifts(ctx context.Context, tx db.Tx) (more bool, err error) {
	n, err := endWhich(ctx, tx, EndGift, Returned, dueGifts, tx.Now, maxExpired)
	return n == maxExpired, err
}

// endWhich ends the gifts, or the offers, that a query returns. It returns how many these are.
func endWhich(ctx context.Context, tx db.Tx, end func(ctx context.Context, tx db.Tx, id uuid.UUID, as string) (bool, error), as, which string, args ...any) (int, error) {
	rows, err := tx.Query(ctx, which, args...)
	if err != nil {
		return 0, fmt.Errorf("what is due: %w", err)
	}
	due, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return 0, fmt.Errorf("what is due: %w", err)
	}
	for _, id := range due {
		if _, err := end(ctx, tx, id, as); err != nil {
			return 0, err
		}
	}
	return len(due), tx.Flush(ctx)
}

// voucherEvent is something that happened to a voucher, beside its uses.
type voucherEvent struct {
	ID       uuid.UUID // made if there is none
	Voucher  uuid.UUID
	Event    string
	From, To State
	Items    int64 // that were taken away, given, split off, or left at the end of validity
	Holder   uuid.UUID
	Gift     *uuid.UUID // by which
	Offer    *uuid.UUID // the same
	Child    *uuid.UUID // the voucher that a split made
	Because

	OwnerFreeze *uuid.UUID // by which the organisation froze or released it
	Reissue     *uuid.UUID // by which it got another code
	Extension   *uuid.UUID // by which it got more days
}

const insertEvent = `INSERT INTO voucher_event (id, voucher_id, event, from_state, to_state, items, holder_id, charge_id, refund_id, gift_id, offer_id, child_id, owner_freeze_id, owner_void_id, reissue_id, extension_id, at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`

func queueEvent(tx db.Tx, e voucherEvent) {
	if e.ID == uuid.Nil {
		e.ID = db.NewID()
	}
	tx.Queue(insertEvent, e.ID, e.Voucher, e.Event, e.From, e.To, e.Items, e.Holder, e.Charge, e.Refund, e.Gift, e.Offer, e.Child, e.OwnerFreeze, e.Void, e.Reissue, e.Extension, tx.Now)
}
