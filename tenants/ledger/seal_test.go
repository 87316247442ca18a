package ledger_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/tenants/ledger"
)

func TestSealDays(t *testing.T) {
	b := newBook(t)
	ann := b.customer(t)
	now := b.server.Clock.Now()
	noon := clock.Start(clock.Day(now).AddDate(0, 0, 1)).Add(12 * time.Hour) // after midnight a day stays open for a while
	b.server.Clock.Advance(noon.Sub(now))
	for range 3 {
		b.give(t, ann, 100_00)
		require.NoError(t, b.spend(t, ann, 40_00))
		b.server.Clock.Advance(24 * time.Hour)
	}
	seal := func() {
		require.NoError(t, b.server.DB.InOrg(t.Context(), b.org, func(tx db.Tx) error { return ledger.SealDays(t.Context(), tx) }))
	}
	seal()
	seal()

	t.Run("the day that is not over stays open, and sealed days stay as they are", func(t *testing.T) {
		require.Equal(t, 3, b.count(t, "SELECT count(*) FROM seal"))
		b.mustBalance(t)
	})

	t.Run("a snapshot has a system account's balance up to its day", func(t *testing.T) {
		require.Equal(t, 120_00, b.count(t, `SELECT (credit_satang - debit_satang)::int FROM snapshot s JOIN account a ON a.id = s.account_id
			WHERE a.kind = 'unearned' ORDER BY day DESC LIMIT 1`))
	})

	t.Run("the audit finds a changed entry of a sealed day", func(t *testing.T) {
		placement, err := b.server.DB.Placement(t.Context(), b.org)
		require.NoError(t, err)
		owner, err := pgx.Connect(t.Context(), b.server.OwnURL)
		require.NoError(t, err)
		defer owner.Close(t.Context())
		_, err = owner.Exec(t.Context(), `UPDATE `+placement.Schema+`.entry SET amount_satang = amount_satang + 1
			WHERE id = (SELECT min(id::text)::uuid FROM `+placement.Schema+`.entry)`)
		require.NoError(t, err)

		findings := b.audit(t)

		require.Contains(t, rulesOf(findings), "no sealed day has changed")
		require.Contains(t, rulesOf(findings), "every wallet equals its entries")
	})
}

func (b book) count(t *testing.T, sql string) (n int) {
	t.Helper()
	require.NoError(t, b.server.DB.InOrg(t.Context(), b.org, func(tx db.Tx) error {
		return tx.QueryRow(t.Context(), sql).Scan(&n)
	}))
	return n
}

func rulesOf(findings []ledger.Finding) (rules []string) {
	for _, f := range findings {
		rules = append(rules, f.Rule)
	}
	return rules
}
