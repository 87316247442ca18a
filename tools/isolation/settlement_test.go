package isolation

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/tools/harness"
)

// settled is a run of the platform's that pays one organisation, and what it pays.
type settled struct {
	run, id   uuid.UUID
	reference string
}

// ownAccount is an account of the organisation that the platform has approved.
func (s *shop) ownAccount() uuid.UUID {
	s.T.Helper()
	if s.account == uuid.Nil {
		form := s.secondedAccount()
		harness.MustPost[any](s.Admin(), "/api/admin/account/accept", "", form)
		s.account = form["version_id"].(uuid.UUID)
	}
	return s.account
}

// nextBankDay is a weekday after today.
func (s *shop) nextBankDay() string {
	day := clock.Day(s.DB.Now()).AddDate(0, 0, 1)
	for day.Weekday() == time.Saturday || day.Weekday() == time.Sunday || slices.Contains([]int{1, 7, 10, 31}, day.Day()) {
		day = day.AddDate(0, 0, 1)
	}
	return day.Format(time.DateOnly)
}

// settlementRun inserts a run of settlements in a state, as if it had been computed or booked, that pays the organisation.
func (s *shop) settlementRun(state string) (of settled) {
	s.T.Helper()
	version := s.ownAccount()
	of = settled{db.NewID(), db.NewID(), fresh("SX") + "-00001"}
	is := map[string]string{"draft": "ready", "approved": "booked", "exported": "sent", "closed": "failed", "cancelled": "left_out"}[state]
	booked := is == "booked" || is == "sent" || is == "failed"
	today := clock.Day(s.DB.Now())
	require.NoError(s.T, s.DB.InPlatform(context.Background(), func(tx db.Tx) error {
		// Who approves is another.
		tx.Queue(`INSERT INTO admin (id, username, name, role, status, created_at) VALUES ($1, 'drafter', 'ผู้ดูแล', 'admin', 4, now()) ON CONFLICT DO NOTHING`, db.NewID())
		tx.Queue(`UPDATE settlement_run SET state = 'cancelled', ended_at = now() WHERE state = 'draft'`)
		tx.Queue(`UPDATE settlement SET state = CASE WHEN ended_at IS NULL THEN 'failed' ELSE state END, moved = CASE WHEN ended_at IS NULL THEN 'failed' ELSE state END, ended_at = coalesce(ended_at, now())
			WHERE org_id = $1 AND (state IN ('booked', 'sent') OR moved = 'booked')`, s.ID)
		tx.Queue(`INSERT INTO settlement_run (id, number, state, up_to, pay_day, minimum_satang, hash, file_hash, drafted_at, drafted_by, computed_at, approved_at, approved_by, alone, booked_at, exported_at, exported_by, ended_at)
			SELECT $1, $2, $3, $4, $5, 100, '\x00', CASE WHEN $3 = 'exported' THEN '\x00'::bytea END, now(), a.id, now(), CASE WHEN $6 THEN now() END, CASE WHEN $6 THEN a.id END, $6, CASE WHEN $6 THEN now() END,
				CASE WHEN $3 = 'exported' THEN now() END, CASE WHEN $3 = 'exported' THEN a.id END, CASE WHEN $3 IN ('closed', 'cancelled') THEN now() END FROM admin a WHERE a.username = 'drafter'`,
			of.run, of.reference[:len(of.reference)-6], state, today.AddDate(0, 0, -1), s.nextBankDay(), booked)
		tx.Queue(`INSERT INTO settlement (id, run_id, org_id, version_id, position, reference, state, left_out, amount_satang, fee_satang, moved, booked_at, sent_at, ended_at)
			VALUES ($1, $2, $3, $4, 1, $5, $6, CASE WHEN $6 = 'left_out' THEN 'cancelled' END, 50000, 0, CASE WHEN $6 = 'failed' THEN 'failed' WHEN $7 THEN 'booked' END, CASE WHEN $7 THEN now() END,
				CASE WHEN $6 = 'sent' THEN now() END, CASE WHEN $6 = 'failed' THEN now() END)`,
			of.id, of.run, s.ID, version, of.reference, is, booked)
		return tx.Flush(context.Background())
	}))
	s.in(func(ctx context.Context, tx db.Tx) error {
		tx.Queue(`UPDATE settlement SET state = 'failed', ended_at = now() WHERE state = 'booked'`)
		if booked {
			tx.Queue(`INSERT INTO settlement (id, reference, version_id, up_to, pay_day, amount_satang, fee_satang, state, booked_at, ended_at, reason)
				VALUES ($1, $2, $3, $4, $5, 50000, 0, CASE WHEN $6 THEN 'failed' ELSE 'booked' END, now(), CASE WHEN $6 THEN now() END, $7)`, of.id, of.reference, version, today.AddDate(0, 0, -1), s.nextBankDay(), is == "failed", s.canary)
		}
		return tx.Flush(ctx)
	})
	return of
}
