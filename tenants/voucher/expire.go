package voucher

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
)

const (
	dueVouchers = `SELECT id, holder_id FROM voucher WHERE state = ANY ($2) AND valid_until < $1 ORDER BY id LIMIT $3`
	lockDue     = `SELECT id, state, kind, holder_id, items_total, items_left, items_out, share_satang, platform_discount_satang, expiry_rule, name_th, name_en, gift_id, offer_id FROM voucher
		WHERE id = ANY ($3) AND state = ANY ($2) AND valid_until < $1 ORDER BY id FOR UPDATE`
	expireOne       = `UPDATE voucher SET state = $3, updated_at = $2 WHERE id = $1`
	expireSessionOf = `UPDATE use_session SET state = 'expired', closed_at = $2 WHERE voucher_id = $1 AND state = 'open'`
)

// maxExpired bounds what one transaction ends, and so for how long its customers are locked.
const maxExpired = 500

// ExpireAllVouchers expires every due voucher, at most 500 in a transaction. A worker calls it for each organisation.
func (s *Service) ExpireAllVouchers(ctx context.Context, org uuid.UUID) error {
	return inParts(ctx, s.db, org, s.expireVouchers)
}

// EndDue ends every use session, gift and offer whose time is over, and frees their vouchers; before that it opens the links of gifts whose
// moment has come. A worker calls it for each organisation.
func (s *Service) EndDue(ctx context.Context, org uuid.UUID) error {
	if err := inParts(ctx, s.db, org, expireSessions); err != nil {
		return err
	}
	if err := inParts(ctx, s.db, org, openGifts); err != nil {
		return err
	}
	if err := inParts(ctx, s.db, org, returnGifts); err != nil {
		return err
	}
	return inParts(ctx, s.db, org, endOffers)
}

// inParts calls part, each time in a transaction of its own, until it returns false. Parts before one that failed stay committed.
func inParts(ctx context.Context, on *db.DB, org uuid.UUID, part func(ctx context.Context, tx db.Tx) (more bool, err error)) error {
	for more := true; more; {
		err := on.InOrg(ctx, org, func(tx db.Tx) (err error) {
			more, err = part(ctx, tx)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ExpireVouchers expires, in a transaction of a test's own, at most 500 due vouchers: those whose last day has passed in Bangkok. The worth of their unused items becomes
// breakage, or is credited to the holder's wallet and pays his debt first, less what the platform paid of it, which goes back; the voucher's rule says which.
func (s *Service) ExpireVouchers(ctx context.Context, tx db.Tx) error {
	_, err := s.expireVouchers(ctx, tx)
	return err
}

// expireVouchers reports whether more may be due.
func (s *Service) expireVouchers(ctx context.Context, tx db.Tx) (more bool, err error) {
	today := clock.Day(tx.Now)
	listed, err := readDue[listedVoucher](ctx, tx, dueVouchers, today, transitions[Expire].from, maxExpired)
	if err != nil || len(listed) == 0 {
		return false, err
	}
	// Every transaction locks customers before vouchers. Vouchers are read again under their locks: the last use of the day may have been under
	// way when they were listed. One that got another holder meanwhile is left to the next run.
	ids := db.Column(listed, func(v listedVoucher) uuid.UUID { return v.Holder })
	holders := customer.Lock(tx, ids...)
	due, err := readDue[dueVoucher](ctx, tx, lockDue, today, transitions[Expire].from, db.Column(listed, func(v listedVoucher) uuid.UUID { return v.ID }))
	if err != nil {
		return false, err
	}
	due = slices.DeleteFunc(due, func(v dueVoucher) bool { return !slices.Contains(ids, v.Holder) })

	credited := map[uuid.UUID]bool{}
	var messages message.OfVouchers
	for _, v := range due {
		paid, err := v.expire(ctx, tx)
		if err != nil {
			return false, err
		}
		// A holder who is erased may have come again, under another row.
		if paid > 0 && (holders.Debt(v.Holder) > 0 || holders.Check(v.Holder) != nil) {
			credited[v.Holder] = true
		}
		messages.Add(v.Holder, message.VoucherExpired, v.ID, paid)
	}
	if err := messages.Write(ctx, tx); err != nil {
		return false, err
	}
	for _, id := range slices.SortedFunc(maps.Keys(credited), func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }) {
		if err := s.settle(ctx, tx, id, true); err != nil {
			return false, err
		}
	}
	commission.Reconsider(tx, tx.Now, db.Column(due, func(v dueVoucher) uuid.UUID { return v.ID })...)
	return len(listed) == maxExpired, nil
}

func readDue[T any](ctx context.Context, tx db.Tx, sql string, args ...any) ([]T, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("due vouchers: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[T])
	if err != nil {
		return nil, fmt.Errorf("due vouchers: %w", err)
	}
	return list, nil
}

type listedVoucher struct{ ID, Holder uuid.UUID }

// dueVoucher is a voucher whose last day has passed, locked.
type dueVoucher struct {
	ID               uuid.UUID
	State            State
	Kind             Kind
	Holder           uuid.UUID
	Total, Left, Out int64
	Share, Discount  money.Amount
	Rule             string
	NameTH, NameEN   string
	Gift             *uuid.UUID // by which it is on its way
	Offer            *uuid.UUID // by which it is on sale
}

// expire ends one voucher's validity, and the use, the gift or the offer that it is in. It returns what came into the
// holder's wallet.
func (v dueVoucher) expire(ctx context.Context, tx db.Tx) (paid money.Amount, err error) {
	from, id := v.State, db.NewID()
	if v.Gift != nil || v.Offer != nil {
		from = Ready // once these have ended
	}
	if v.Gift != nil {
		if _, err := EndGift(ctx, tx, *v.Gift, Returned); err != nil { // of several vouchers of a gift, the first one does
			return 0, err
		}
	}
	if v.Offer != nil {
		if _, err := StopOffer(ctx, tx, *v.Offer, Ended); err != nil {
			return 0, err
		}
	}
	tx.Queue(expireOne, v.ID, tx.Now, transitions[Expire].to)
	tx.Queue(expireSessionOf, v.ID, tx.Now)
	queueEvent(tx, voucherEvent{ID: id, Voucher: v.ID, Event: "expire", From: from, To: transitions[Expire].to, Items: v.Left, Holder: v.Holder})

	end := v.Total - v.Out
	left := Sums{Share: v.Share, Discount: v.Discount}.Slice(v.Kind, v.Total, end-v.Left, end)
	unearned := ledger.SystemAccount(ledger.Unearned)
	postings := []ledger.Posting{{Debit: unearned, Credit: ledger.SystemAccount(ledger.Breakage), Amount: left.Share}}
	if v.Rule == "wallet" {
		paid = left.Share - left.Discount
		postings = []ledger.Posting{
			{Debit: unearned, Credit: ledger.AccountOf(ledger.Wallet, v.Holder), Amount: paid},
			{Debit: unearned, Credit: ledger.SystemAccount(ledger.PlatformFee), Amount: left.Discount},
		}
	}
	cause := ledger.Cause{Kind: "expiry", ID: id, MemoTH: "หมดอายุ " + v.NameTH, MemoEN: v.NameEN + " expired"}
	return paid, ledger.Post(tx, ledger.NewTransfer(cause, postings...))
}
