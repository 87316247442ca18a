package overview

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

const copied = `SELECT org_id, day::text, orders, sales_satang, fee_satang, uses, customers, top_ups, top_up_satang FROM overview_day WHERE org_id = $1 ORDER BY day`

// Audit returns the days of an organisation whose copy is not what its roll-ups say. While it sells, those of the last minute are among them.
func (s *Service) Audit(ctx context.Context, id uuid.UUID) (differ []string, err error) {
	var kept []dayRow
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) (err error) {
		kept, err = collect(ctx, tx, pgx.RowToStructByPos[dayRow], copied, id)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("audit the overview of %s: %w", id, err)
	}
	counted, err := s.read(ctx, id, true, false)
	if err != nil {
		return nil, fmt.Errorf("audit the overview of %s: %w", id, err)
	}
	byDay := map[string]dayRow{}
	for _, d := range kept {
		byDay[d.Day] = d
	}
	for _, d := range counted.days {
		if byDay[d.Day] != d {
			differ = append(differ, d.Day)
		}
		delete(byDay, d.Day)
	}
	for day := range byDay {
		differ = append(differ, day)
	}
	return differ, nil
}
