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
	"welovevoucher/platform/money"
)

// DaysAnew is for how many days at least items can be used again whose use was undone.
const DaysAnew = 30

const (
	lockVoucherOfUse = `SELECT id FROM voucher WHERE id = (SELECT voucher_id FROM redemption WHERE id = $1) FOR UPDATE`

	// What a use left says which uses of its voucher were before it. Who held the voucher then has the transfers that he had then.
	undoneUse = `SELECT v.id, v.state, v.kind, v.items_total, v.share_satang, v.fee_satang, v.commission_satang, v.platform_discount_satang, v.valid_until,
			v.transfers_left + CASE WHEN v.transfer_rule = $2 THEN (SELECT count(*) FROM voucher_event n WHERE n.voucher_id = v.id AND n.event IN ('claim', 'sell') AND n.id > r.id)::integer ELSE 0 END,
			(SELECT coalesce(sum(b.items), 0)::bigint FROM redemption b WHERE b.voucher_id = v.id AND b.items_left > r.items_left), r.items, r.customer_id, r.amount_satang, ` + resaleOfUse + `
		FROM redemption r JOIN voucher v ON v.id = r.voucher_id WHERE r.id = $1`
	payerOfUse = `SELECT coalesce(b.buyer_id, o.customer_id) FROM redemption r JOIN voucher v ON v.id = r.voucher_id JOIN orders o ON o.id = v.order_id
		LEFT JOIN resale b ON b.id = ` + resaleOfUse + ` WHERE r.id = $1`
	// By which resale a voucher v, or what it was split off from, had been sold on last when a redemption r was of it.
	resaleOfUse = `(WITH RECURSIVE hand (id, parent_id, undoes, before) AS (
			SELECT v.id, v.parent_id, v.undoes, r.id UNION ALL SELECT p.id, p.parent_id, p.undoes, coalesce(h.undoes, h.id) FROM hand h JOIN voucher p ON p.id = h.parent_id)
		SELECT s.id FROM hand h JOIN voucher_event n ON n.voucher_id = h.id AND n.event = 'sell' AND n.id < h.before JOIN resale s ON s.offer_id = n.offer_id ORDER BY n.id DESC LIMIT 1)`

	// What it does not have of its own is its parent's.
	insertAnew = `INSERT INTO voucher (id, parent_id, undoes, code, items_total, items_left, share_satang, fee_satang, commission_satang, platform_discount_satang, updated_at,
			state, holder_id, valid_until, issued_until, transfers_left, resale_id,
			order_id, line_position, template_id, version_id, kind, name_th, name_en, picture_id, issued_at, transfer_rule, transfer_together, expiry_rule, vat_point)
		SELECT $2, id, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14, $15,
			order_id, line_position, template_id, version_id, kind, name_th, name_en, picture_id, issued_at, transfer_rule, transfer_together, expiry_rule, vat_point FROM voucher WHERE id = $1`
)

// usedPart is the part of a voucher that one use of it took.
type usedPart struct {
	voucher      uuid.UUID
	state        State
	kind         Kind
	total        int64
	sums         Sums // of all items
	validUntil   time.Time
	times        int       // transfers that were left when it was used
	since, items int64     // it took the items with the numbers after since
	holder       uuid.UUID // who used it
	earned       money.Amount
	resale       *uuid.UUID // by which it had been sold on last when it was used
}

// LockOfUse locks the voucher of a redemption. It returns ErrNotFound if there is no such redemption.
func LockOfUse(ctx context.Context, tx db.Tx, redemption uuid.UUID) (voucher uuid.UUID, err error) {
	err = tx.QueryRow(ctx, lockVoucherOfUse, redemption).Scan(&voucher)
	if errors.Is(err, pgx.ErrNoRows) {
		return voucher, ErrNotFound
	}
	if err != nil {
		return voucher, fmt.Errorf("lock the voucher of redemption %s: %w", redemption, err)
	}
	return voucher, nil
}

// PayerOfUse returns who had paid last for what a redemption took: who had bought it on the board, otherwise its order's customer.
func PayerOfUse(ctx context.Context, tx db.Tx, redemption uuid.UUID) (payer uuid.UUID, err error) {
	if err := tx.QueryRow(ctx, payerOfUse, redemption).Scan(&payer); err != nil {
		return payer, fmt.Errorf("who paid for redemption %s: %w", redemption, err)
	}
	return payer, nil
}

// Undo makes a voucher of the items of a redemption, with all that these are worth, for who used them. Its parent keeps them as used: so the
// worth of its other items stays what it is. They can be used as long as the parent can be, and for 30 days at least. The voucher is locked.
func Undo(ctx context.Context, tx db.Tx, redemption uuid.UUID) error {
	var u usedPart
	err := tx.QueryRow(ctx, undoneUse, redemption, transferred).Scan(&u.voucher, &u.state, &u.kind, &u.total, &u.sums.Share, &u.sums.Fee, &u.sums.Commission, &u.sums.Discount,
		&u.validUntil, &u.times, &u.since, &u.items, &u.holder, &u.earned, &u.resale)
	if err != nil {
		return fmt.Errorf("read redemption %s: %w", redemption, err)
	}
	sums := u.sums.Slice(u.kind, u.total, u.since, u.since+u.items)
	if sums.Share != u.earned {
		return fmt.Errorf("redemption %s earned %d, and its items are worth %d", redemption, u.earned, sums.Share)
	}
	until := clock.Day(tx.Now).AddDate(0, 0, DaysAnew)
	if u.validUntil.After(until) {
		until = u.validUntil
	}
	id := db.NewID()
	tx.Queue(insertAnew, u.voucher, id, redemption, NewCode(10), u.items, sums.Share, sums.Fee, sums.Commission, sums.Discount, tx.Now, Ready, u.holder, until, u.times, u.resale)
	queueEvent(tx, voucherEvent{Voucher: u.voucher, Event: "undo", From: u.state, To: u.state, Items: u.items, Holder: u.holder, Child: &id})
	return nil
}
