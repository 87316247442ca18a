package auditlog_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/token"
)

// TestSeals: a day of an audit log is sealed once it is over; whoever changes, removes or adds a line of it afterwards is found. The
// organisations' and the platform's are alike.
func TestSeals(t *testing.T) {
	s := dbtest.OpenOwn(t)
	org := s.NewOrg(t)
	home, err := s.DB.Placement(t.Context(), org)
	require.NoError(t, err)
	for name, log := range map[string]struct {
		in     func(func(tx db.Tx) error) error
		schema string
	}{
		"of an organisation": {func(fn func(tx db.Tx) error) error { return s.DB.InOrg(t.Context(), org, fn) }, home.Schema},
		"of the platform":    {func(fn func(tx db.Tx) error) error { return s.DB.InPlatform(t.Context(), fn) }, "platform"},
	} {
		seal := func() {
			t.Helper()
			require.NoError(t, log.in(func(tx db.Tx) error { return auditlog.SealDays(t.Context(), tx) }), name)
		}
		broken := func() (days []string) {
			t.Helper()
			require.NoError(t, log.in(func(tx db.Tx) error {
				found, err := auditlog.CheckSeals(t.Context(), tx)
				days = db.Column(found, func(b auditlog.Broken) string { return b.Day })
				return err
			}), name)
			return days
		}
		count := func(sql string) (n int) {
			t.Helper()
			require.NoError(t, log.in(func(tx db.Tx) error { return tx.QueryRow(t.Context(), sql).Scan(&n) }), name)
			return n
		}
		seal()
		require.Zero(t, count(`SELECT count(*) FROM log_seal`), "%s: nothing has happened", name)

		noon := clock.Start(clock.Day(s.Clock.Now()).AddDate(0, 0, 1)).Add(12 * time.Hour) // after midnight a day stays open for a while
		s.Clock.Advance(noon.Sub(s.Clock.Now()))
		first := clock.Day(noon)
		for range 3 {
			require.NoError(t, log.in(func(tx db.Tx) error {
				who := auditlog.Actor{Kind: token.Owner, ID: db.NewID()}
				for _, before := range []any{nil, map[string]int{"uses": 1}} {
					if err := auditlog.Record(t.Context(), tx, who, "change", "discount/"+who.ID.String(), before, map[string]int{"uses": 2}); err != nil {
						return err
					}
				}
				return nil
			}))
			seal()
			s.Clock.Advance(24 * time.Hour)
		}
		seal()
		seal()
		require.Equal(t, 3, count(`SELECT count(*) FROM log_seal`), name)
		require.Equal(t, 6, count(`SELECT sum(lines)::int FROM log_seal`), name)
		require.Empty(t, broken(), name)

		day := func(n int) string { return first.AddDate(0, 0, n).Format(time.DateOnly) }
		as := func(sql string) {
			t.Helper()
			owner, err := pgx.Connect(t.Context(), s.OwnURL)
			require.NoError(t, err)
			defer owner.Close(t.Context())
			_, err = owner.Exec(t.Context(), "SET search_path TO "+log.schema)
			require.NoError(t, err)
			_, err = owner.Exec(t.Context(), sql)
			require.NoError(t, err, "%s: %s", name, sql)
		}
		as(`UPDATE audit_log SET after = '{"uses": 3}' WHERE id = (SELECT min(id::text)::uuid FROM audit_log)`)
		require.Equal(t, []string{day(0)}, broken(), name)
		as(`UPDATE audit_log SET after = '{"uses": 2}' WHERE id = (SELECT min(id::text)::uuid FROM audit_log)`)
		require.Empty(t, broken(), name)
		as(`DELETE FROM audit_log WHERE id = (SELECT max(id::text)::uuid FROM audit_log)`)
		require.Equal(t, []string{day(2)}, broken(), name)
		as(`DELETE FROM log_seal WHERE day = '` + day(1) + `'`)
		require.Equal(t, []string{day(1), day(2)}, broken(), name)
	}
}
