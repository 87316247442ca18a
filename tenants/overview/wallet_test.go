package overview_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/money"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/overview"
	"welovevoucher/tenants/tenanttest"
)

// walletsOf pages through the wallets that a filter finds, one at a time.
func walletsOf(t *testing.T, s *overview.Service, f overview.WalletFilter) (all []overview.Customer, total money.Amount) {
	t.Helper()
	all = allOf(t, func(p overview.Page) ([]overview.Customer, *string, error) {
		page, err := s.Wallets(t.Context(), overview.WalletInput{WalletFilter: f, Page: p})
		total = page.Total
		return page.Data, page.Next, err
	})
	return all, total
}

func TestWallets(t *testing.T) {
	w, s := open(t)
	w.AddPaymentSystem()
	ann, ben, cat := w.Customer(0), w.Customer(0), w.Customer(0)
	w.PayAtGateway(startTopUp(t, w, ann, 500_00))
	w.PayAtGateway(startTopUp(t, w, ben, 800_00))
	w.MustBuy(ann, w.Package(tenanttest.Package{Price: 100_00}))
	w.Force(`UPDATE customer SET debt_satang = 70_00, updated_at = $2 WHERE id = $1`, cat.Subject, w.Clock.Now())
	require.NoError(t, s.Build(t.Context(), w.Org))

	t.Run("the fullest come first, and together they are what the books hold for customers", func(t *testing.T) {
		found, total := walletsOf(t, s, overview.WalletFilter{Org: &w.Org})
		sum := money.Amount(0)
		for n, one := range found {
			sum += one.Wallet
			require.True(t, n == 0 || found[n-1].Wallet >= one.Wallet)
		}
		require.Equal(t, ben.Subject, found[0].ID)
		require.Equal(t, sum, total)
		require.EqualValues(t, w.Count(`SELECT sum(balance_satang)::bigint FROM wallet`), total)
		_, all := walletsOf(t, s, overview.WalletFilter{})
		require.GreaterOrEqual(t, all, total)
	})

	t.Run("who owes is listed alone", func(t *testing.T) {
		for _, f := range []overview.WalletFilter{{Org: &w.Org, Sort: "-debt"}, {Sort: "-debt"}} {
			found, _ := walletsOf(t, s, f)
			require.Len(t, found, 1)
			require.Equal(t, cat.Subject, found[0].ID)
		}
	})

	t.Run("one opens as the organisation has it, and its audit log says who looked", func(t *testing.T) {
		found, err := s.Wallet(t.Context(), admin, overview.ByCustomer{Org: w.Org, ID: ann.Subject})
		require.NoError(t, err)
		require.NotNil(t, found.Moved)
		require.Equal(t, [3]money.Amount{400_00, 500_00, 100_00}, [3]money.Amount{found.Wallet, found.ToppedUp, found.Paid})
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'look' AND object = $1`, "wallet/"+ann.Subject.String()))
		found, err = s.Wallet(t.Context(), admin, overview.ByCustomer{Org: w.Org, ID: cat.Subject})
		require.NoError(t, err)
		require.Equal(t, overview.WalletRecord{Name: found.Name, Debt: 70_00}, found)
		for in, want := range map[overview.ByCustomer]error{{Org: w.Org, ID: uuid.Max}: overview.ErrNoCustomer, {Org: uuid.Max, ID: ann.Subject}: org.ErrNotFound} {
			_, err := s.Wallet(t.Context(), admin, in)
			require.ErrorIs(t, err, want)
		}
	})

	t.Run("a file has them, and the audit log says that it was made", func(t *testing.T) {
		file, err := s.WalletFile(t.Context(), admin, "en", overview.WalletFilter{Org: &w.Org, Sort: "-debt"})
		require.NoError(t, err)
		require.Len(t, strings.Split(strings.TrimSpace(file.Text), "\n"), 2)
		requireExported(t, w, "overview_wallet")
	})
}
