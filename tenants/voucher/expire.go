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
	overdue = `SELECT id, kind, holder_id, items_total, items_left, items_out, share_satang, platform_discount_satang, expiry_rule, name_th, name_en FROM voucher
		WHERE state = ANY ($2) AND valid_until < $1 ORDER BY id LIMIT $3`
	expireOne = `UPDATE voucher SET state = $5, updated_at = $2
		WHERE id = $1 AND state = ANY ($4) AND valid_until < $3 AND holder_id = $6
		RETURNING items_left, items_out`
	closeUse = `UPDATE use_session SET state = 'expired', closed_at = $2 WHERE voucher_id = $1 AND state = 'open'`
)

// maxExpired bounds what one transaction ends, and so for how long its customers are locked.
const maxExpired = 500

// ExpireAllVouchers does what ExpireVouchers does for all that are due, so that nobody's money waits behind another's vouchers. A
// worker calls it for each organisation.
func (s *Service) ExpireAllVouchers(ctx context.Context, org uuid.UUID) error {
	return inParts(ctx, s.db, org, s.expireVouchers)
}

// ExpireAllUses gives back every voucher whose ten minutes have passed. A worker calls it for each organisation.
func (s *Service) ExpireAllUses(ctx context.Context, org uuid.UUID) error {
	return inParts(ctx, s.db, org, expireUses)
}

// inParts calls part, each time in a transaction of its own, until it says that no more is due. What was done before an error stays.
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

// ExpireVouchers ends the validity of at most 500 vouchers whose last day is over in Bangkok. What was not used goes by the type's
// rule: breakage to the organisation, or back to the customer's wallet, where it settles what he owes first.
func (s *Service) ExpireVouchers(ctx context.Context, tx db.Tx) error {
	_, err := s.expireVouchers(ctx, tx)
	return err
}

// expireVouchers reports whether more may be due.
func (s *Service) expireVouchers(ctx context.Context, tx db.Tx) (more bool, err error) {
	today := clock.Day(tx.Now)
	rows, err := tx.Query(ctx, overdue, today, transitions[Expire].from, maxExpired)
	if err != nil {
		return false, fmt.Errorf("vouchers past their day: %w", err)
	}
	due, err := pgx.CollectRows(rows, pgx.RowToStructByPos[lapsed])
	if err != nil {
		return false, fmt.Errorf("vouchers past their day: %w", err)
	}
	if len(due) == 0 {
		return false, nil
	}

	// Everybody locks customers before vouchers. Whose voucher changes hands meanwhile is left to the next run.
	holders := customer.Lock(tx, db.Column(due, func(v lapsed) uuid.UUID { return v.Holder })...)
	if err := tx.Flush(ctx); err != nil {
		return false, err
	}
	credited := map[uuid.UUID]bool{}
	for _, v := range due {
		paid, err := v.expire(ctx, tx, today)
		if err != nil {
			return false, err
		}
		// Who is not served any more may have come again under another row.
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

type lapsed struct {
	ID               uuid.UUID
	Kind             Kind
	Holder           uuid.UUID
	Total, Left, Out int64
	Share, Discount  money.Amount
	Rule             string
	NameTH, NameEN   string
}

// expire ends one voucher's validity. It reports whether the holder's wallet was credited.
func (v lapsed) expire(ctx context.Context, tx db.Tx, today time.Time) (paid bool, err error) {
	// What is left is read again: the day's last use may have been under way when it was listed.
	err = tx.QueryRow(ctx, expireOne, v.ID, tx.Now, today, transitions[Expire].from, transitions[Expire].to, v.Holder).Scan(&v.Left, &v.Out)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("expire %s: %w", v.ID, err)
	}
	if _, err := tx.Exec(ctx, closeUse, v.ID, tx.Now); err != nil {
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
