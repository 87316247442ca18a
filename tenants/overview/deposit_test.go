package overview_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/overview"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/wallet"
)

// depositsOf pages through the payments that a filter finds, one at a time.
func depositsOf(t *testing.T, s *overview.Service, f overview.DepositFilter) []overview.Deposit {
	t.Helper()
	return allOf(t, func(p overview.Page) ([]overview.Deposit, *string, error) {
		page, err := s.Deposits(t.Context(), overview.DepositInput{DepositFilter: f, Page: p})
		return page.Data, page.Next, err
	})
}

// requireSameDeposits: the copy is what the organisation has.
func requireSameDeposits(t *testing.T, w *tenanttest.World, s *overview.Service) []overview.Deposit {
	t.Helper()
	found := depositsOf(t, s, overview.DepositFilter{Org: &w.Org})
	require.Len(t, found, int(w.Count(`SELECT count(*) FROM charge`)))
	for n, one := range found {
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM charge g JOIN customer c ON c.id = g.customer_id
			WHERE g.id = $1 AND g.reference = $2 AND g.state = $3 AND g.amount_satang = $4 AND g.captured_satang = $5 AND c.display_name = $6`,
			one.ID, one.Reference, one.State, one.Amount, one.Captured, one.Name), one.Reference)
		require.True(t, n == 0 || found[n-1].ID.String() > one.ID.String(), "the newest first")
	}
	return found
}

// startTopUp asks a customer for money.
func startTopUp(t *testing.T, w *tenanttest.World, who token.Session, amount money.Amount) uuid.UUID {
	t.Helper()
	c, err := w.Wallet.StartTopUp(t.Context(), who, tenanttest.Key(), "", wallet.TopUpInput{Amount: amount, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	return c.ID
}

func TestDeposits(t *testing.T) {
	w, s := open(t)
	w.AddPaymentSystem()
	ann := w.Customer(0)
	first, second := startTopUp(t, w, ann, 500_00), startTopUp(t, w, ann, 120_00)
	w.PayAtGateway(first)
	require.NoError(t, s.Follow(t.Context(), w.Org))
	requireSameDeposits(t, w, s)

	t.Run("what waited and ended long after it was begun is so in the copy, once", func(t *testing.T) {
		w.Clock.Advance(3 * time.Hour)
		w.Force(`UPDATE charge SET state = 'expired' WHERE id = $1`, second)
		for range 2 {
			require.NoError(t, s.Follow(t.Context(), w.Org))
			requireSameDeposits(t, w, s)
		}
		require.Empty(t, depositsOf(t, s, overview.DepositFilter{Org: &w.Org, State: "awaiting"}))
	})

	t.Run("what is paid after it had expired is paid in the copy", func(t *testing.T) {
		w.Clock.Advance(3 * time.Hour)
		w.Force(`UPDATE charge SET state = 'captured', captured_at = $2, captured_satang = amount_satang WHERE id = $1`, second, w.Clock.Now())
		require.NoError(t, s.Follow(t.Context(), w.Org))
		requireSameDeposits(t, w, s)
	})

	t.Run("they are searched and narrowed, each once", func(t *testing.T) {
		startTopUp(t, w, ann, 300_00)
		require.NoError(t, s.Follow(t.Context(), w.Org))
		all := requireSameDeposits(t, w, s)
		for state, n := range map[string]int{"captured": 2, "awaiting": 1, "failed": 0} {
			require.Len(t, depositsOf(t, s, overview.DepositFilter{Org: &w.Org, State: state}), n, state)
		}
		one := all[1]
		for search, n := range map[string]int{one.Reference: 1, " " + strings.ToLower(one.Reference): 1, one.Reference + "X": 0, "%": 0, "ๆ": 0} {
			require.Len(t, depositsOf(t, s, overview.DepositFilter{Search: search}), n, search)
			require.Len(t, depositsOf(t, s, overview.DepositFilter{Search: search, Org: &w.Org}), n, search)
		}
		require.Empty(t, depositsOf(t, s, overview.DepositFilter{Org: new(w.NewOrg(t))}))
		for _, after := range []string{"x", "x/y/z", uuid.Max.String() + "/y/z"} {
			_, err := s.Deposits(t.Context(), overview.DepositInput{Page: overview.Page{After: after}})
			require.ErrorIs(t, err, fault.BadInput)
		}
	})

	t.Run("one opens as the organisation has it, and its audit log says who looked", func(t *testing.T) {
		w.Force(`UPDATE charge SET refunded_satang = 20_00 WHERE id = $1`, first)
		found, err := s.Deposit(t.Context(), admin, overview.ByDeposit{Org: w.Org, ID: first})
		require.NoError(t, err)
		require.Equal(t, money.Amount(20_00), found.Refunded)
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'look' AND object = $1`, "depositqrtransaction/"+first.String()))
		for in, want := range map[overview.ByDeposit]error{{Org: w.Org, ID: uuid.Max}: fault.Missing, {Org: uuid.Max, ID: first}: org.ErrNotFound} {
			_, err := s.Deposit(t.Context(), admin, in)
			require.ErrorIs(t, err, want)
		}
	})

	t.Run("a file has them, and the audit log says that it was made", func(t *testing.T) {
		file, err := s.DepositFile(t.Context(), admin, "en", overview.DepositFilter{Org: &w.Org, State: "captured"})
		require.NoError(t, err)
		require.Len(t, strings.Split(strings.TrimSpace(file.Text), "\n"), 3)
		require.Contains(t, file.Text, "PromptPay QR")
		requireExported(t, w, "overview_deposit")
	})

	t.Run("the name of who erased himself is gone from them", func(t *testing.T) {
		w.Force(`UPDATE customer SET display_name = '', status = 9, updated_at = $2 WHERE id = $1`, ann.Subject, w.Clock.Now())
		require.NoError(t, s.Follow(t.Context(), w.Org))
		for _, one := range depositsOf(t, s, overview.DepositFilter{Org: &w.Org}) {
			require.Empty(t, one.Name)
		}
	})

	t.Run("Build corrects what was changed by hand", func(t *testing.T) {
		require.NoError(t, w.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			tx.Queue(`UPDATE overview_deposit SET state = 'failed', amount_satang = 1 WHERE org_id = $1`, w.Org)
			tx.Queue(`DELETE FROM overview_deposit WHERE org_id = $1 AND id = $2`, w.Org, first)
			tx.Queue(`INSERT INTO overview_deposit (org_id, id, reference, customer_id, purpose, method, state, amount_satang, captured_satang, gateway, created_at)
				VALUES ($1, $2, 'NOBODY', $2, 'topup', 'card', 'failed', 1, 0, 'gateway', now())`, w.Org, uuid.Max)
			return nil
		}))
		require.NoError(t, s.Build(t.Context(), w.Org))
		requireSameDeposits(t, w, s)
	})
}

// requireExported: the platform's audit log says that a file of a list was made.
func requireExported(t *testing.T, w *tenanttest.World, object string) {
	t.Helper()
	var n int
	require.NoError(t, w.DB.ReadInPlatform(t.Context(), func(tx db.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT count(*) FROM audit_log WHERE action = 'export' AND object = $1`, object).Scan(&n)
	}))
	require.Positive(t, n)
}

// TestDepositPlans: however many payments there are, a page reads no more rows than it shows.
func TestDepositPlans(t *testing.T) {
	w, s := open(t)
	force := func(sql string) {
		require.NoError(t, w.InAsSuperuser(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, sql)
			return err
		}))
	}
	force(fmt.Sprintf(`INSERT INTO platform.overview_customer (org_id, id, name, status, wallet_satang, debt_satang, joined_at, changed_at)
		SELECT '%s', gen_random_uuid(), 'Somebody ' || k, 5, k, 0, now(), now() FROM generate_series(1, 30000) k`, w.Org))
	force(fmt.Sprintf(`INSERT INTO platform.overview_deposit (org_id, id, reference, customer_id, purpose, method, state, amount_satang, captured_satang, gateway, created_at)
		SELECT '%s', gen_random_uuid(), 'WLV' || k, c.id, 'topup', 'card', CASE WHEN k %% 50 = 0 THEN 'failed' ELSE 'captured' END, k, k, 'gateway', now()
		FROM (SELECT id, row_number() OVER () AS k FROM platform.overview_customer WHERE org_id = '%[1]s') c`, w.Org))
	force(`ANALYZE platform.overview_deposit, platform.overview_customer`)
	t.Cleanup(func() {
		force(fmt.Sprintf(`DELETE FROM platform.overview_deposit WHERE org_id = '%s'`, w.Org))
		force(fmt.Sprintf(`DELETE FROM platform.overview_customer WHERE org_id = '%s'`, w.Org))
	})
	const limit = 51
	for name, f := range map[string]overview.DepositFilter{
		"newest": {}, "state": {State: "failed"}, "reference": {Search: "wlv"},
		"newest in one": {Org: &w.Org}, "state in one": {Org: &w.Org, State: "failed"}, "reference in one": {Org: &w.Org, Search: "wlv"},
	} {
		page, err := s.Deposits(t.Context(), overview.DepositInput{DepositFilter: f})
		require.NoError(t, err)
		require.NotNil(t, page.Next, name)
		for _, after := range []string{"", *page.Next} {
			sql, args, err := overview.DepositStatement(f, after, limit)
			require.NoError(t, err)
			requireQuickPage(t, w, name, limit, sql, args)
		}
	}
}
