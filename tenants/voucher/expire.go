package voucher

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
)

const (
	dueVouchers = `SELECT id, kind, holder_id, items_total, items_left, items_out, share_satang, platform_discount_satang, expiry_rule, name_th, name_en FROM voucher
		WHERE state = ANY ($2) AND valid_until < $1 ORDER BY id LIMIT $3`
	expireOne = `UPDATE voucher SET state = $5, updated_at = $2
		WHERE id = $1 AND state = ANY ($4) AND valid_until < $3 AND holder_id = $6
		RETURNING items_left, items_out`
	expireSessionOf = `UPDATE use_session SET state = 'expired', closed_at = $2 WHERE voucher_id = $1 AND state = 'open'`
)

// maxExpired bounds what one transaction ends, and so for how long its customers are locked.
const maxExpired = 500

// ExpireAllVouchers expires every due voucher, at most 500 in a transaction. A worker calls it for each organisation.
func (s *Service) ExpireAllVouchers(ctx context.Context, org uuid.UUID) error {
	return inParts(ctx, s.db, org, s.expireVouchers)
}

// ExpireSessions ends every use session whose ten minutes have passed and frees its voucher. A worker calls it for each organisation.
func (s *Service) ExpireSessions(ctx context.Context, org uuid.UUID) error {
	return inParts(ctx, s.db, org, expireSessions)
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
// breakage, or is credited to the holder's wallet and pays his debt first; the voucher's rule says which.
func (s *Service) ExpireVouchers(ctx context.Context, tx db.Tx) error {
	_, err := s.expireVouchers(ctx, tx)
	return err
}

// expireVouchers reports whether more may be due.
func (s *Service) expireVouchers(ctx context.Context, tx db.Tx) (more bool, err error) {
	today := clock.Day(tx.Now)
	rows, err := tx.Query(ctx, dueVouchers, today, transitions[Expire].from, maxExpired)
	if err != nil {
		return false, fmt.Errorf("due vouchers: %w", err)
	}
	due, err := pgx.CollectRows(rows, pgx.RowToStructByPos[dueVoucher])
	if err != nil {
		return false, fmt.Errorf("due vouchers: %w", err)
	}
	if len(due) == 0 {
		return false, nil
	}

	// Every transaction locks customers before vouchers. A voucher that gets another holder meanwhile is left to the next run.
	holders := customer.Lock(tx, db.Column(due, func(v dueVoucher) uuid.UUID { return v.Holder })...)
	if err := tx.Flush(ctx); err != nil {
		return false, err
	}
	credited := map[uuid.UUID]bool{}
	for _, v := range due {
		paid, err := v.expire(ctx, tx, today)
		if err != nil {
			return false, err
		}
		// A holder who is erased may have come again, under another row.
		if paid && (holders.Debt(v.Holder) > 0 || holders.Check(v.Holder) != nil) {
			credited[v.Holder] = true
		}
	}
	for _, id := range slices.SortedFunc(maps.Keys(credited), func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }) {
		if err := s.settle(ctx, tx, id, true); err != nil {
			return false, err
		}
	}
	return len(due) == maxExpired, nil
}

// dueVoucher is a voucher whose last day has passed.
type dueVoucher struct {
	ID               uuid.UUID
	Kind             Kind
	Holder           uuid.UUID
	Total, Left, Out int64
	Share, Discount  money.Amount
	Rule             string
	NameTH, NameEN   string
}

// expire ends one voucher's validity. It reports whether the holder's wallet was credited.
func (v dueVoucher) expire(ctx context.Context, tx db.Tx, today time.Time) (paid bool, err error) {
	// Its items are read again: the last use of the day may have been under way when the voucher was listed.
	err = tx.QueryRow(ctx, expireOne, v.ID, tx.Now, today, transitions[Expire].from, transitions[Expire].to, v.Holder).Scan(&v.Left, &v.Out)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("expire %s: %w", v.ID, err)
	}
	if _, err := tx.Exec(ctx, expireSessionOf, v.ID, tx.Now); err != nil {
		return false, fmt.Errorf("close the use of %s: %w", v.ID, err)
	}

	end := v.Total - v.Out
	left := Sums{Share: v.Share, Discount: v.Discount}.Slice(v.Kind, v.Total, end-v.Left, end)
	unearned := ledger.SystemAccount(ledger.Unearned)
	postings := []ledger.Posting{{Debit: unearned, Credit: ledger.SystemAccount(ledger.Breakage), Amount: left.Share}}
	if paid = v.Rule == "wallet" && left.Share > left.Discount; paid {
		postings = []ledger.Posting{
			{Debit: unearned, Credit: ledger.AccountOf(ledger.Wallet, v.Holder), Amount: left.Share - left.Discount},
			{Debit: unearned, Credit: ledger.SystemAccount(ledger.PlatformFee), Amount: left.Discount},
		}
	}
	cause := ledger.Cause{Kind: "expiry", ID: v.ID, MemoTH: "หมดอายุ " + v.NameTH, MemoEN: v.NameEN + " expired"}
	return paid, ledger.Post(tx, ledger.NewTransfer(cause, postings...))
}
