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
	"welovevoucher/tenants/wallet"
)

const (
	overdue = `SELECT id, kind, owner_id, items_total, items_left, share_satang, expiry_rule, name_th, name_en FROM voucher
		WHERE state = ANY ($2) AND valid_until < $1 ORDER BY id LIMIT 500`
	expireOne = `UPDATE voucher SET state = $5, updated_at = $2
		WHERE id = $1 AND state = ANY ($4) AND valid_until < $3
		RETURNING owner_id, items_left`
	closeUse = `UPDATE use_session SET state = 'expired', closed_at = $2 WHERE voucher_id = $1 AND state = 'open'`
)

// ExpireVouchers ends the validity of vouchers whose last day is over in Bangkok. What was not used goes by the type's
// rule: breakage to the organisation, or back to the customer's wallet.
func ExpireVouchers(ctx context.Context, tx db.Tx) error {
	today := clock.Day(tx.Now)
	rows, err := tx.Query(ctx, overdue, today, steps[Expire].from)
	if err != nil {
		return fmt.Errorf("vouchers past their day: %w", err)
	}
	due, err := pgx.CollectRows(rows, pgx.RowToStructByPos[lapsed])
	if err != nil {
		return fmt.Errorf("vouchers past their day: %w", err)
	}
	for _, v := range due {
		if err := v.expire(ctx, tx, today); err != nil {
			return err
		}
	}
	return nil
}

type lapsed struct {
	ID             uuid.UUID
	Kind           Kind
	Owner          uuid.UUID
	Total, Left    int64
	Share          money.Amount
	Rule           string
	NameTH, NameEN string
}

func (v lapsed) expire(ctx context.Context, tx db.Tx, today time.Time) error {
	// What is left, and whose it is, is read again: the day's last use may have been under way when it was listed.
	err := tx.QueryRow(ctx, expireOne, v.ID, tx.Now, today, steps[Expire].from, steps[Expire].to).Scan(&v.Owner, &v.Left)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("expire %s: %w", v.ID, err)
	}
	if _, err := tx.Exec(ctx, closeUse, v.ID, tx.Now); err != nil {
		return fmt.Errorf("close the use of %s: %w", v.ID, err)
	}

	to := wallet.House(wallet.Breakage)
	if v.Rule == "wallet" {
		to = wallet.Of(wallet.Wallet, v.Owner)
	}
	left := shareOf(v.Kind, v.Share, v.Total, v.Total-v.Left, v.Left)
	return wallet.Transfer(tx, wallet.Cause{Kind: "expiry", ID: v.ID, MemoTH: "หมดอายุ " + v.NameTH, MemoEN: v.NameEN + " expired"},
		wallet.Posting{Debit: wallet.House(wallet.Unearned), Credit: to, Amount: left})
}
