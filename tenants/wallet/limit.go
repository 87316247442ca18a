package wallet

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
)

// Limit is how much all wallets of an organisation may hold together.
type Limit struct {
	Amount money.Amount `json:"limit_satang" minimum:"100" maximum:"1000000000000" doc:"Of which warnings come at 60, 80 and 95 percent"`
}

// lawful is the limit where the organisation has set none: above 50 million baht, on average over six months, e-money of one seller wants a licence
// (Payment Systems Act B.E. 2560).
const lawful money.Amount = 50_000_000_00

const (
	readLimit = `SELECT limit_satang FROM wallet_setting`
	saveLimit = `INSERT INTO wallet_setting (limit_satang, updated_at) VALUES ($1, $2) ON CONFLICT (one) DO UPDATE SET limit_satang = excluded.limit_satang, updated_at = excluded.updated_at`
)

// ReadLimit returns the organisation's limit, or the one by law while it has set none.
func ReadLimit(ctx context.Context, tx db.Tx) (l Limit, err error) {
	err = tx.QueryRow(ctx, readLimit).Scan(&l.Amount)
	if errors.Is(err, pgx.ErrNoRows) {
		return Limit{lawful}, nil
	}
	if err != nil {
		return l, fmt.Errorf("limit of wallets: %w", err)
	}
	return l, nil
}

// SaveLimit puts a limit in the place of the one before, and records both in the audit log. Nothing is refused above it: it warns.
func (s *Service) SaveLimit(ctx context.Context, org uuid.UUID, who auditlog.Actor, in Limit) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		before, err := ReadLimit(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, saveLimit, in.Amount, tx.Now); err != nil {
			return fmt.Errorf("save the limit of wallets: %w", err)
		}
		return auditlog.Record(ctx, tx, who, "change", "wallet_setting", before, in)
	})
}
