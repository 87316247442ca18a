package board

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
)

// Setting is what an organisation decides about its board.
type Setting struct {
	Open               bool `json:"open" doc:"Customers can sell vouchers on. If it becomes false, all offers end"`
	RoyaltyBasisPoints int  `json:"royalty_basis_points" minimum:"0" maximum:"5000" doc:"Of a price, to the organisation; with the platform's fee at most half of it"`
	CapPercent         int  `json:"cap_percent" minimum:"1" maximum:"100" doc:"Of what was paid, which a price may not exceed, unless the type of its voucher says otherwise"`
	Days               int  `json:"days" minimum:"1" maximum:"90" doc:"How long an offer stays"`
	SoldOutOnly        bool `json:"sold_out_only" doc:"Only what the organisation does not sell itself any more"`
}

const (
	readSetting = `SELECT is_open, royalty_basis_points, cap_percent, days, sold_out_only FROM board_setting`
	holdSetting = readSetting + ` FOR SHARE`
	saveSetting = `INSERT INTO board_setting (is_open, royalty_basis_points, cap_percent, days, sold_out_only, updated_at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (one) DO UPDATE SET is_open = excluded.is_open, royalty_basis_points = excluded.royalty_basis_points, cap_percent = excluded.cap_percent,
			days = excluded.days, sold_out_only = excluded.sold_out_only, updated_at = excluded.updated_at`
	// A worker frees their vouchers, and so does whoever uses one before. An offer that somebody is paying ends when his charge does.
	endAll = `UPDATE offer SET expires_at = $1 WHERE state IN ('open', 'reserved') AND expires_at > $1`
)

// ReadSetting returns a closed board while nobody has decided.
func ReadSetting(ctx context.Context, tx db.Tx) (Setting, error) {
	return scanSetting(ctx, tx, readSetting)
}

// HoldSetting returns it as it stays until the transaction ends.
func HoldSetting(ctx context.Context, tx db.Tx) (Setting, error) {
	return scanSetting(ctx, tx, holdSetting)
}

func scanSetting(ctx context.Context, tx db.Tx, sql string) (s Setting, err error) {
	err = tx.QueryRow(ctx, sql).Scan(&s.Open, &s.RoyaltyBasisPoints, &s.CapPercent, &s.Days, &s.SoldOutOnly)
	if errors.Is(err, pgx.ErrNoRows) {
		return Setting{CapPercent: 100, Days: 30}, nil
	}
	if err != nil {
		return s, fmt.Errorf("board setting: %w", err)
	}
	return s, nil
}

// Setting returns what the organisation decided.
func (s *Service) Setting(ctx context.Context, org uuid.UUID) (setting Setting, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		setting, err = ReadSetting(ctx, tx)
		return err
	})
	return setting, err
}

// SaveSetting puts it in the place of the one before, and records both in the audit log. Offers that are open keep their price, royalty, fee and
// days; if the board closes, they end. It returns the fault of a field if royalty and fee are more than half of a price.
func (s *Service) SaveSetting(ctx context.Context, org uuid.UUID, who auditlog.Actor, in Setting) error {
	organisation, err := s.orgs.ByID(ctx, org)
	if err != nil {
		return err
	}
	if most := max(0, maxParts-organisation.FeeBasisPoints); int64(in.RoyaltyBasisPoints) > most {
		return fault.At("royalty_basis_points", fault.TooBig)
	}
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		before, err := ReadSetting(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, saveSetting, in.Open, in.RoyaltyBasisPoints, in.CapPercent, in.Days, in.SoldOutOnly, tx.Now); err != nil {
			return fmt.Errorf("save board setting: %w", err)
		}
		if !in.Open {
			if _, err := tx.Exec(ctx, endAll, tx.Now); err != nil {
				return fmt.Errorf("end all offers: %w", err)
			}
		}
		return auditlog.Record(ctx, tx, who, "change", "board_setting", before, in)
	})
}
