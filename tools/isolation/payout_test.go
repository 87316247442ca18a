package isolation

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/tenants/payout"
	"welovevoucher/tools/harness"
)

// payDays are yesterday and the next bank day, of a year whose holidays are known.
func (s *shop) payDays() map[string]any {
	s.T.Helper()
	ctx := s.T.Context()
	require.NoError(s.T, s.DB.InPlatform(ctx, func(tx db.Tx) error {
		for year := s.DB.Now().Year(); year <= s.DB.Now().Year()+1; year++ {
			tx.Queue(`INSERT INTO bank_holiday (day, name_th, name_en, source, added_at) VALUES ($1, 'วันหยุด', 'A holiday', 'a test', now()) ON CONFLICT (day) DO NOTHING`, fmt.Sprintf("%d-01-01", year))
		}
		return tx.Flush(ctx)
	}))
	next := harness.MustPost[payout.Next](s.owner.Browser, "/api/owner/payoutrun/next", "", nil)
	return map[string]any{"kind": "agent", "up_to": next.UpTo, "pay_day": *next.PayDay, "minimum_satang": 100_00}
}

// noDraft leaves no draft, and nothing of one for a job to clear.
func (s *shop) noDraft() {
	s.T.Helper()
	s.in(func(_ context.Context, tx db.Tx) error {
		tx.Queue(`UPDATE payout SET state = 'left_out', left_out = 'cancelled' WHERE state = 'ready'`)
		tx.Queue(`UPDATE payout_run SET state = 'cancelled', ended_at = now() WHERE state = 'draft'`)
		return nil
	})
}

// noSchedule leaves no schedule that is on.
func (s *shop) noSchedule() {
	s.T.Helper()
	s.in(func(_ context.Context, tx db.Tx) error {
		tx.Queue(`UPDATE payout_schedule SET active = false`)
		return nil
	})
}

// schedule is one that is on.
func (s *shop) schedule() (id uuid.UUID) {
	s.T.Helper()
	s.in(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `INSERT INTO payout_schedule (id, kind, every, day, active, since) VALUES ($1, 'agent', 'month', 28, true, now())
			ON CONFLICT (kind, every, day) DO UPDATE SET active = true RETURNING id`, db.NewID()).Scan(&id)
	})
	return id
}

// payee is an agent whose form was approved.
func (s *shop) payee() uuid.UUID {
	s.T.Helper()
	if s.paid == uuid.Nil {
		applicant := s.applicant()
		harness.MustPost[any](s.owner.Browser, "/api/owner/agent/accept", "", map[string]any{"version_id": s.sent(applicant), "agent_type_id": s.rows["agenttype"], "reason": ""})
		s.in(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT id FROM agent WHERE customer_id = $1`, applicant.id).Scan(&s.paid)
		})
	}
	return s.paid
}

// addPayout inserts a run with one payout, as if it had been computed or booked, and returns both.
func (s *shop) addPayout(of uuid.UUID, state payout.State, is payout.Standing) (run, id uuid.UUID) {
	s.T.Helper()
	days := s.payDays()
	run, id = db.NewID(), db.NewID()
	number := fresh("PX")
	s.in(func(ctx context.Context, tx db.Tx) error {
		booked := state != payout.Draft
		tx.Queue(`UPDATE payout SET state = 'failed', ended_at = now() WHERE state IN ('booked', 'sent')`) // a payee has one under way
		if booked {
			tx.Queue(`INSERT INTO approval (id, kind, state, record_table, record_id, title, amount_satang, input, note, asked_by, asked_at, due_at, answered_by, answered_at, made_id)
				SELECT $1, 'payout', 'approved', 'payoutrun', $1, $2, 100, '{}', $3, min(id::text)::uuid, now(), now() + interval '3 days', max(id::text)::uuid, now(), $1 FROM staff`, run, number, s.canary)
		}
		tx.Queue(`INSERT INTO payout_run (id, number, kind, means, state, up_to, pay_day, minimum_satang, hash, drafted_at, drafted_by, computed_at, approval_id, approved_at, booked_at)
			SELECT $1, $2, 'agent', 'file', $3, $4, $5, 100, '\x00', now(), min(id::text)::uuid, now(), CASE WHEN $6 THEN $1::uuid END, CASE WHEN $6 THEN now() END, CASE WHEN $6 THEN now() END FROM staff`,
			run, number, state, days["up_to"], days["pay_day"], booked)
		tx.Queue(`INSERT INTO payout (id, run_id, payee_id, version_id, position, reference, state, left_out, lines, gross_satang, taxable_satang, withheld_satang, net_satang, tax_rule_id, tax_year, booked_at)
			SELECT $1, $2, $3, (SELECT v.id FROM payee_version v WHERE v.payee_id = $3 AND v.state = 'approved'), 1, $4, $5::text, CASE $5::text WHEN 'left_out' THEN 'owes' END, 1, 100, 100, 0, 100, $1, 2026, CASE $5::text WHEN 'booked' THEN now() END`,
			id, run, of, number+"-00001", is)
		return tx.Flush(ctx)
	})
	return run, id
}

// drafted is a draft that is computed, with the payout of one payee.
func (s *shop) drafted() (run, id uuid.UUID) {
	s.T.Helper()
	s.noDraft()
	return s.addPayout(s.payee(), payout.Draft, payout.Ready)
}

// booked is a run that is approved and booked, with the payout of one payee.
func (s *shop) booked() (run, id uuid.UUID) {
	s.T.Helper()
	return s.addPayout(s.payee(), payout.Approved, payout.Booked)
}

// ownPayout is a payout of an agent's.
func (s *shop) ownPayout(who *person) (id uuid.UUID) {
	s.T.Helper()
	var agent uuid.UUID
	s.in(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM agent WHERE customer_id = $1`, who.id).Scan(&agent)
	})
	_, id = s.addPayout(agent, payout.Approved, payout.LeftOut)
	return id
}

// proposal is a draft as it was looked at.
func (s *shop) proposal() map[string]any {
	run, _ := s.drafted()
	return map[string]any{"id": run, "hash": hex.EncodeToString([]byte{0}), "note": s.canary}
}

// result is the bank's answer to a run.
func (s *shop) result() map[string]any {
	run, id := s.booked()
	var reference string
	s.in(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT reference FROM payout WHERE id = $1`, id).Scan(&reference)
	})
	day := clock.Day(s.DB.Now()).Format(time.DateOnly)
	return map[string]any{"id": run, "name": s.canary, "text": fmt.Sprintf("reference,amount,outcome,day,reason\n%s,1.00,failed,%s,%s\n", reference, day, s.canary)}
}
