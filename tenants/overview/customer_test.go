package overview_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/overview"
	"welovevoucher/tenants/tenanttest"
)

// customersOf pages through the customers that a filter finds.
func customersOf(t *testing.T, s *overview.Service, f overview.CustomerFilter) []overview.Customer {
	t.Helper()
	return allOf(t, func(p overview.Page) ([]overview.Customer, *string, error) {
		page, err := s.Customers(t.Context(), overview.CustomerInput{CustomerFilter: f, Page: p})
		return page.Data, page.Next, err
	})
}

// requireSameCustomers: the copy is what the organisation has.
func requireSameCustomers(t *testing.T, w *tenanttest.World, s *overview.Service) {
	t.Helper()
	found := map[uuid.UUID]overview.Customer{}
	for _, c := range customersOf(t, s, overview.CustomerFilter{Org: &w.Org}) {
		require.NotContains(t, found, c.ID)
		found[c.ID] = c
	}
	require.Len(t, found, int(w.Count(`SELECT count(*) FROM customer WHERE status <> 9`)))
	for id, c := range found {
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM customer c LEFT JOIN wallet w ON w.customer_id = c.id WHERE c.id = $1 AND c.display_name = $2 AND coalesce(w.balance_satang, 0) = $3 AND c.debt_satang = $4`,
			id, c.Name, c.Wallet, c.Debt), c.Name)
	}
}

func TestCustomers(t *testing.T) {
	w, s := open(t)
	pkg := w.Package(tenanttest.Package{Price: 100_00})
	ann, bob, eve := w.Customer(1_000_00), w.Customer(5_000_00), w.Customer(0)
	for n, who := range []uuid.UUID{ann.Subject, bob.Subject, eve.Subject} {
		w.Force(`UPDATE customer SET display_name = $2 WHERE id = $1`, who, []string{"Ann 100%", "annika", "Eve/ๆ"}[n])
	}
	require.NoError(t, s.Follow(t.Context(), w.Org))
	requireSameCustomers(t, w, s)

	t.Run("what is bought later is followed", func(t *testing.T) {
		w.Clock.Advance(time.Hour)
		w.MustBuy(ann, pkg)
		w.Customer(30_00)
		for range 2 {
			require.NoError(t, s.Follow(t.Context(), w.Org))
			requireSameCustomers(t, w, s)
		}
	})

	t.Run("they are ordered, searched and narrowed, each once", func(t *testing.T) {
		byWallet := customersOf(t, s, overview.CustomerFilter{Org: &w.Org, Sort: "-wallet"})
		require.Equal(t, bob.Subject, byWallet[0].ID)
		require.Len(t, byWallet, 4)
		for n := 1; n < len(byWallet); n++ {
			require.GreaterOrEqual(t, byWallet[n-1].Wallet, byWallet[n].Wallet)
		}
		all := customersOf(t, s, overview.CustomerFilter{})
		for n := 1; n < len(all); n++ {
			require.False(t, all[n-1].Changed.Before(all[n].Changed))
		}
		require.GreaterOrEqual(t, len(all), 4)
		require.Len(t, customersOf(t, s, overview.CustomerFilter{Sort: "-wallet"}), len(all))
		for search, n := range map[string]int{"ANN": 2, "ann 100%": 1, "ann_": 0, "nika": 0, "eve/": 1, " Eve/ๆ ": 1} {
			require.Len(t, customersOf(t, s, overview.CustomerFilter{Search: search, Org: &w.Org}), n, search)
			require.Len(t, customersOf(t, s, overview.CustomerFilter{Search: search}), n, search)
		}
		require.Empty(t, customersOf(t, s, overview.CustomerFilter{Org: new(w.NewOrg(t))}))
		for _, after := range []string{"x", "x/y/z", uuid.Max.String() + "/y/z", uuid.Max.String() + "/" + uuid.Max.String() + "/z"} {
			_, err := s.Customers(t.Context(), overview.CustomerInput{Page: overview.Page{After: after}})
			require.ErrorIs(t, err, fault.BadInput)
		}
	})

	t.Run("a file has them, and the audit log says that it was made", func(t *testing.T) {
		file, err := s.CustomerFile(t.Context(), admin, "en", overview.CustomerFilter{Org: &w.Org})
		require.NoError(t, err)
		require.False(t, file.Cut)
		require.Contains(t, file.Text, "annika")
		require.Len(t, strings.Split(strings.TrimSpace(file.Text), "\n"), 5)
	})

	t.Run("who looks at one is in the audit log of his organisation", func(t *testing.T) {
		record, err := s.Customer(t.Context(), admin, overview.ByCustomer{Org: w.Org, ID: ann.Subject})
		require.NoError(t, err)
		require.EqualValues(t, 1, record.Orders)
		require.Equal(t, w.Balance(ann), record.Wallet)
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'look' AND object = $1`, "customer/"+ann.Subject.String()))
		_, err = s.Customer(t.Context(), admin, overview.ByCustomer{Org: w.NewOrg(t), ID: ann.Subject})
		require.ErrorIs(t, err, overview.ErrNoCustomer)
		_, err = s.Customer(t.Context(), admin, overview.ByCustomer{Org: db.NewID(), ID: ann.Subject})
		require.ErrorIs(t, err, org.ErrNotFound)
	})

	t.Run("whose data is gone is not listed", func(t *testing.T) {
		w.Clock.Advance(time.Hour)
		w.Force(`UPDATE customer SET status = 9, display_name = '', erased_at = $2, updated_at = $2 WHERE id = $1`, eve.Subject, w.Clock.Now())
		require.NoError(t, s.Follow(t.Context(), w.Org))
		requireSameCustomers(t, w, s)
		_, err := s.Customer(t.Context(), admin, overview.ByCustomer{Org: w.Org, ID: eve.Subject})
		require.ErrorIs(t, err, overview.ErrNoCustomer)
	})

	t.Run("Build corrects what was changed by hand", func(t *testing.T) {
		require.NoError(t, w.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			tx.Queue(`UPDATE overview_customer SET wallet_satang = 1 WHERE org_id = $1`, w.Org)
			tx.Queue(`INSERT INTO overview_customer (org_id, id, name, status, wallet_satang, debt_satang, joined_at, changed_at) VALUES ($1, $2, 'nobody', 5, 9, 0, now(), now()), ($1, $3, 'nobody', 5, 9, 0, now(), now())`,
				w.Org, uuid.UUID{1}, uuid.Max)
			return nil
		}))
		require.NoError(t, s.Build(t.Context(), w.Org))
		requireSameCustomers(t, w, s)
	})
}

// TestFollowCustomersWhileItSells: followers and builders at the same time, while customers come and buy; at the end the copy is the same.
func TestFollowCustomersWhileItSells(t *testing.T) {
	w, s := open(t)
	pkg := w.Package(tenanttest.Package{Price: 10_00})
	var selling, following errgroup.Group
	for range 3 {
		ann := w.Customer(1_000_00)
		selling.Go(func() error {
			for range 10 {
				if _, err := w.Order.Buy(t.Context(), ann, tenanttest.Key(), w.Quote(ann, pkg, 1)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	ended := make(chan struct{})
	for _, do := range []func(context.Context, uuid.UUID) error{s.Follow, s.Follow, s.Build, s.FollowDays} {
		following.Go(func() error {
			for {
				if err := do(t.Context(), w.Org); err != nil {
					return err
				}
				select {
				case <-ended:
					return do(t.Context(), w.Org)
				default:
				}
			}
		})
	}
	require.NoError(t, selling.Wait())
	close(ended)
	require.NoError(t, following.Wait())
	requireSameCustomers(t, w, s)
}

// TestCustomerPlans: however many customers there are, a page reads no more rows than it shows.
func TestCustomerPlans(t *testing.T) {
	w, s := open(t)
	require.NoError(t, w.InAsSuperuser(func(ctx context.Context, tx db.Tx) error {
		for _, sql := range []string{
			fmt.Sprintf(`INSERT INTO platform.overview_customer (org_id, id, name, status, wallet_satang, debt_satang, joined_at, changed_at)
				SELECT '%s', gen_random_uuid(), 'Somebody ' || k, 5, k %% 700, k %% 5, now(), now() - k * interval '1 second' FROM generate_series(1, 30000) k`, w.Org),
			`ANALYZE platform.overview_customer`,
		} {
			if _, err := tx.Exec(ctx, sql); err != nil {
				return err
			}
		}
		return nil
	}))
	t.Cleanup(func() {
		require.NoError(t, w.InAsSuperuser(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `DELETE FROM platform.overview_customer WHERE org_id = $1`, w.Org)
			return err
		}))
	})
	const limit = 51
	for name, f := range map[string]overview.CustomerFilter{
		"change": {}, "wallet": {Sort: "-wallet"}, "name": {Search: "some"},
		"change in one": {Org: &w.Org}, "wallet in one": {Org: &w.Org, Sort: "-wallet"}, "name in one": {Org: &w.Org, Search: "some"},
	} {
		page, err := s.Customers(t.Context(), overview.CustomerInput{CustomerFilter: f})
		require.NoError(t, err)
		require.NotNil(t, page.Next)
		for _, after := range []string{"", *page.Next} {
			sql, args, err := overview.CustomerStatement(f, after, limit)
			require.NoError(t, err)
			requireQuickPage(t, w, name, limit, sql, args)
		}
	}
	for name, f := range map[string]overview.WalletFilter{"debt": {Sort: "-debt"}, "debt in one": {Sort: "-debt", Org: &w.Org}} {
		page, err := s.Wallets(t.Context(), overview.WalletInput{WalletFilter: f})
		require.NoError(t, err)
		require.NotNil(t, page.Next)
		for _, after := range []string{"", *page.Next} {
			sql, args, err := overview.WalletStatement(f, after, limit)
			require.NoError(t, err)
			requireQuickPage(t, w, name, limit, sql, args)
		}
	}
}

// requireFewRows: no step of a plan reads many more rows of customers than are shown.
func requireFewRows(t *testing.T, name string, step map[string]any, limit float64) {
	t.Helper()
	number := func(key string) float64 { n, _ := step[key].(float64); return n }
	if copied, _ := step["Relation Name"].(string); strings.HasPrefix(copied, "overview_") {
		require.LessOrEqual(t, number("Actual Rows")*number("Actual Loops")+number("Rows Removed by Filter"), 2*limit, "%s: %v", name, step)
	}
	below, _ := step["Plans"].([]any)
	for _, one := range below {
		requireFewRows(t, name, one.(map[string]any), limit)
	}
}
