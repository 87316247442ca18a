package gift

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
)

// Setting is what an organisation decides about gifts.
type Setting struct {
	Days int `json:"days" minimum:"1" maximum:"30" doc:"How long a link is good"`
}

const (
	readSetting = `SELECT days FROM gift_setting`
	saveSetting = `INSERT INTO gift_setting (days, updated_at) VALUES ($1, $2) ON CONFLICT (one) DO UPDATE SET days = excluded.days, updated_at = excluded.updated_at`
)

// ReadSetting returns seven days while nobody has decided.
func ReadSetting(ctx context.Context, tx db.Tx) (s Setting, err error) {
	err = tx.QueryRow(ctx, readSetting).Scan(&s.Days)
	if errors.Is(err, pgx.ErrNoRows) {
		return Setting{Days: 7}, nil
	}
	if err != nil {
		return s, fmt.Errorf("gift setting: %w", err)
	}
	return s, nil
}

// SaveSetting puts it in the place of the one before, and records both in the audit log. Gifts under way keep their days.
func SaveSetting(ctx context.Context, tx db.Tx, who auditlog.Actor, s Setting) error {
	before, err := ReadSetting(ctx, tx)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, saveSetting, s.Days, tx.Now); err != nil {
		return fmt.Errorf("save gift setting: %w", err)
	}
	return auditlog.Record(ctx, tx, who, "change", "gift_setting", before, s)
}
