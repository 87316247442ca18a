package isolation

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/secret"
	"welovevoucher/tenants/content"
	"welovevoucher/tenants/tax"
	"welovevoucher/tenants/withholding"
	"welovevoucher/tools/harness"
)

// papers issues certificates and makes returns, as the platform's own service does.
func (s *shop) papers() *withholding.Service {
	box, err := secret.New(harness.MasterKey)
	require.NoError(s.T, err)
	return withholding.New(s.DB, box)
}

// clerk is the first of the back office's staff.
func (s *shop) clerk() (who auditlog.Actor) {
	s.T.Helper()
	s.in(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT min(id::text)::uuid FROM staff`).Scan(&who.ID)
	})
	return who
}

// called has the organisation called otherwise on papers from now on.
func (s *shop) called() {
	s.T.Helper()
	who := s.clerk()
	s.in(func(ctx context.Context, tx db.Tx) error {
		return content.SaveContactDetails(ctx, tx, who, content.ContactDetails{LegalNameTH: s.named(fresh("บริษัท ")), AddressTH: "1 ถนนหนึ่ง", TaxID: "0105561000003", Branch: "00000"})
	})
}

// lastMonth is one that is over, in which the fixtures were paid.
func lastMonth() time.Time {
	today := clock.Day(time.Now())
	return time.Date(today.Year(), today.Month()-1, 1, 0, 0, 0, 0, time.UTC)
}

// certified is a payout of a payee that was paid last month with something withheld, and its certificate. Nothing of it stands in the books.
func (s *shop) certified(of uuid.UUID) (payout, certificate uuid.UUID) {
	s.T.Helper()
	like, _ := s.booked()
	run := db.NewID()
	payout = db.NewID()
	s.in(func(ctx context.Context, tx db.Tx) error {
		tx.Queue(`INSERT INTO payout_run (id, number, kind, means, state, up_to, pay_day, minimum_satang, hash, drafted_at, drafted_by, computed_at, approval_id, approved_at, booked_at)
			SELECT $1, $2, kind, means, state, up_to, pay_day, minimum_satang, hash, drafted_at, drafted_by, computed_at, approval_id, approved_at, booked_at FROM payout_run WHERE id = $3`, run, fresh("PZ"), like)
		tx.Queue(`INSERT INTO payout (id, run_id, payee_id, version_id, position, reference, state, lines, gross_satang, taxable_satang, withheld_satang, net_satang, tax_rule_id, tax_year, booked_at, sent_at, paid_on, paid_at, ended_at)
			SELECT $1, $2, $3, v.id, 1, $4, 'paid', 1, 100, 100, 3, 97, '019380a0-0000-7000-8000-000000000101', $5, now(), now(), $6, now(), now() FROM payee_version v JOIN payout p ON p.version_id = v.id WHERE p.run_id = $7`,
			payout, run, of, fresh("PY"), lastMonth().Year(), lastMonth(), like)
		return tx.Flush(ctx)
	})
	s.called()
	require.NoError(s.T, s.papers().Issue(s.T.Context(), s.ID))
	s.in(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM tax_certificate WHERE payout_id = $1`, payout).Scan(&certificate)
	})
	return payout, certificate
}

// madeReturn is a month's file that nobody has filed.
func (s *shop) madeReturn() uuid.UUID {
	s.T.Helper()
	s.unfiled()
	made, err := s.papers().Make(s.T.Context(), s.ID, s.clerk(), withholding.Month{Form: tax.PND53, Month: lastMonth().Format("2006-01")})
	require.NoError(s.T, err)
	return made.ID
}

// unfiled leaves a certificate of last month that is in no file.
func (s *shop) unfiled() map[string]any {
	s.T.Helper()
	s.in(func(_ context.Context, tx db.Tx) error {
		tx.Queue(`UPDATE tax_certificate SET return_id = NULL`)
		tx.Queue(`UPDATE tax_return SET state = 'cancelled', cancelled_at = now() WHERE state = 'made'`)
		return nil
	})
	s.certified(s.payee())
	return map[string]any{"form": "PND53", "month": lastMonth().Format("2006-01")}
}

// paperOf is what a download of a paper is of.
func (s *shop) paperOf(path string, who *person) uuid.UUID {
	s.T.Helper()
	switch {
	case strings.Contains(path, "/taxreturn/"):
		return s.madeReturn()
	case strings.Contains(path, "/taxcertificate/"):
		_, certificate := s.certified(s.payee())
		return certificate
	case strings.HasPrefix(path, "/api/agent/"):
		var agent uuid.UUID
		s.in(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT id FROM agent WHERE customer_id = $1`, who.id).Scan(&agent)
		})
		payout, _ := s.certified(agent)
		return payout
	}
	payout, _ := s.certified(s.payee())
	return payout
}

// dropPapers deletes what fixtures say was paid, or held, which the books do not know of.
func (s *shop) dropPapers(owners *pgx.Conn, schema string) {
	s.T.Helper()
	in := func(table string) string { return pgx.Identifier{schema, table}.Sanitize() }
	for _, sql := range []string{
		`DELETE FROM ` + in("commission_hold"),
		`DELETE FROM ` + in("tax_certificate"),
		`DELETE FROM ` + in("tax_return"),
		`DELETE FROM ` + in("payout") + ` WHERE state <> 'left_out'`,
		`DELETE FROM ` + in("payout_run") + ` WHERE approval_id IS NOT NULL`,
		`DELETE FROM ` + in("approval") + ` WHERE kind = 'payout'`,
	} {
		_, err := owners.Exec(s.T.Context(), sql)
		require.NoError(s.T, err, sql)
	}
}
