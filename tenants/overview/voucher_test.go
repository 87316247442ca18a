package overview_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/overview"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// vouchersOf pages through the vouchers that a filter finds, one at a time.
func vouchersOf(t *testing.T, s *overview.Service, f overview.VoucherFilter) []overview.Voucher {
	t.Helper()
	return allOf(t, func(p overview.Page) ([]overview.Voucher, *string, error) {
		page, err := s.Vouchers(t.Context(), overview.VoucherInput{VoucherFilter: f, Page: p})
		return page.Data, page.Next, err
	})
}

// requireSameVouchers: the copy is what the organisation has, and so is their number in each state.
func requireSameVouchers(t *testing.T, w *tenanttest.World, s *overview.Service) []overview.Voucher {
	t.Helper()
	found := vouchersOf(t, s, overview.VoucherFilter{Org: &w.Org})
	require.Len(t, found, int(w.Count(`SELECT count(*) FROM voucher`)))
	for n, one := range found {
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM voucher v JOIN customer c ON c.id = v.holder_id
			WHERE v.id = $1 AND v.code = $2 AND v.state = $3 AND v.items_total = $4 AND v.items_left = $5 AND v.valid_until::text = $6 AND c.display_name = $7`,
			one.ID, one.Code, one.State, one.ItemsTotal, one.ItemsLeft, one.ValidUntil, one.Name), one.Code)
		require.True(t, n == 0 || found[n-1].ID.String() > one.ID.String(), "the newest first")
	}
	page, err := s.Vouchers(t.Context(), overview.VoucherInput{VoucherFilter: overview.VoucherFilter{Org: &w.Org}})
	require.NoError(t, err)
	in := func(states ...string) int64 {
		return w.Count(`SELECT count(*) FROM voucher WHERE state = ANY ($1)`, states)
	}
	require.Equal(t, overview.VoucherCounts{
		Ready: in("ready", "in_use"), Moving: in("on_sale", "in_transfer"), Frozen: in("frozen"), Used: in("used"), Expired: in("expired"), Back: in("refunded", "void"),
	}, page.Counts)
	return found
}

func TestVouchers(t *testing.T) {
	w, s := open(t)
	ann, staff, point := w.Customer(10_000_00), w.Staff(), w.ServicePoint()
	owner := auditlog.Actor{Kind: token.Owner, ID: w.Owner().Subject}
	pkg := w.Package(tenanttest.Package{Price: 100_00, Items: 3})
	first, second := w.MustBuy(ann, pkg).ID, w.MustBuy(ann, pkg).ID
	require.NoError(t, s.Follow(t.Context(), w.Org))
	requireSameVouchers(t, w, s)

	t.Run("whatever happens to one long after it was bought is so in the copy, once", func(t *testing.T) {
		for _, change := range []func() error{
			func() error {
				w.MustRedeem(ann, first, 1, staff, point)
				return nil
			},
			func() error {
				return w.Voucher.Reissue(t.Context(), w.Org, owner, voucher.ReissueInput{ID: first, Reason: "somebody has photographed it"})
			},
			func() error {
				return w.Voucher.Freeze(t.Context(), w.Org, owner, voucher.FreezeInput{ID: first, Reason: "lost"})
			},
			func() error { return w.Voucher.Release(t.Context(), w.Org, owner, first) },
			func() error {
				_, err := w.Voucher.StartUse(t.Context(), ann, tenanttest.Key(), voucher.UseInput{Voucher: second, ServicePoint: point, Items: 3})
				return err
			},
			func() error {
				w.MustRedeem(ann, first, 2, staff, point)
				w.MustBuy(ann, pkg)
				return nil
			},
			func() error {
				w.EndVouchers(clock.Day(w.Clock.Now()).AddDate(0, 0, -1))
				return w.Voucher.ExpireAllVouchers(t.Context(), w.Org)
			},
		} {
			w.Clock.Advance(3 * time.Hour)
			require.NoError(t, change())
			for range 2 {
				require.NoError(t, s.Follow(t.Context(), w.Org))
				requireSameVouchers(t, w, s)
			}
		}
		require.Len(t, vouchersOf(t, s, overview.VoucherFilter{Org: &w.Org, State: "expired"}), 2)
	})

	t.Run("they are searched, narrowed and ordered, each once", func(t *testing.T) {
		third, fourth := w.MustBuy(ann, pkg).ID, w.MustBuy(ann, pkg).ID
		w.Force(`UPDATE voucher SET valid_until = valid_until - 5 WHERE id = $1`, fourth)
		require.NoError(t, s.Build(t.Context(), w.Org))
		all := requireSameVouchers(t, w, s)
		for state, n := range map[string]int{"ready": 2, "used": 1, "expired": 2, "frozen": 0} {
			require.Len(t, vouchersOf(t, s, overview.VoucherFilter{Org: &w.Org, State: state}), n, state)
		}
		for _, f := range []overview.VoucherFilter{{Org: &w.Org, By: "ending"}, {By: "ending"}} {
			ending := slices.DeleteFunc(vouchersOf(t, s, f), func(v overview.Voucher) bool { return v.Org != w.Org })
			require.Len(t, ending, 2)
			require.Equal(t, []uuid.UUID{fourth, third}, []uuid.UUID{ending[0].ID, ending[1].ID})
		}
		one := all[1]
		for search, n := range map[string]int{one.Code: 1, " " + strings.ToLower(one.Code): 1, one.Code + "X": 0, "%": 0, "ๆ": 0} {
			require.Len(t, vouchersOf(t, s, overview.VoucherFilter{Search: search}), n, search)
			require.Len(t, vouchersOf(t, s, overview.VoucherFilter{Search: search, Org: &w.Org}), n, search)
		}
		require.Empty(t, vouchersOf(t, s, overview.VoucherFilter{Org: new(w.NewOrg(t))}))
		for _, by := range []string{"", "ending"} {
			for _, after := range []string{"x", "x/y/z", uuid.Max.String() + "/y/z", uuid.Max.String() + "/" + uuid.Max.String() + "/31-12-2026"} {
				_, err := s.Vouchers(t.Context(), overview.VoucherInput{VoucherFilter: overview.VoucherFilter{By: by}, Page: overview.Page{After: after}})
				if by == "" && strings.HasSuffix(after, "2026") {
					require.NoError(t, err, "the newest first: a place has no value")
					continue
				}
				require.ErrorIs(t, err, fault.BadInput, after)
			}
		}
	})

	t.Run("one opens as the organisation has it, and its audit log says who looked", func(t *testing.T) {
		found, err := s.Voucher(t.Context(), admin, overview.ByVoucher{Org: w.Org, ID: first})
		require.NoError(t, err)
		require.Equal(t, "used", found.State)
		require.EqualValues(t, 2, found.Uses)
		require.NotNil(t, found.UsedAt)
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'look' AND object = $1`, "voucher/"+first.String()))
		for in, want := range map[overview.ByVoucher]error{{Org: w.Org, ID: uuid.Max}: fault.Missing, {Org: uuid.Max, ID: first}: org.ErrNotFound} {
			_, err := s.Voucher(t.Context(), admin, in)
			require.ErrorIs(t, err, want)
		}
	})

	t.Run("a file has them, and the audit log says that it was made", func(t *testing.T) {
		file, err := s.VoucherFile(t.Context(), admin, "en", overview.VoucherFilter{Org: &w.Org, State: "expired"})
		require.NoError(t, err)
		require.Len(t, strings.Split(strings.TrimSpace(file.Text), "\n"), 3)
		require.Contains(t, file.Text, "Expired")
		requireExported(t, w, "overview_voucher")
	})

	t.Run("Build corrects what was changed by hand", func(t *testing.T) {
		require.NoError(t, w.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			tx.Queue(`UPDATE overview_voucher SET state = 'void', items_left = 0 WHERE org_id = $1`, w.Org)
			tx.Queue(`DELETE FROM overview_voucher WHERE org_id = $1 AND id = $2`, w.Org, first)
			tx.Queue(`INSERT INTO overview_voucher (org_id, id, code, name_th, name_en, kind, state, holder_id, items_total, items_left, valid_until, issued_at)
				VALUES ($1, $2, 'NOBODY', '', '', 'item', 'ready', $2, 1, 1, now(), now())`, w.Org, uuid.Max)
			return nil
		}))
		require.NoError(t, s.Build(t.Context(), w.Org))
		requireSameVouchers(t, w, s)
	})
}

// TestVoucherPlans: however many vouchers there are, a page reads no more rows than it shows.
func TestVoucherPlans(t *testing.T) {
	w, s := open(t)
	force := func(sql string) {
		require.NoError(t, w.InAsSuperuser(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, sql)
			return err
		}))
	}
	force(fmt.Sprintf(`INSERT INTO platform.overview_voucher (org_id, id, code, name_th, name_en, kind, state, holder_id, items_total, items_left, valid_until, issued_at)
		SELECT '%s', gen_random_uuid(), 'WLV' || k, 'นวด', 'Massage', 'item', CASE WHEN k %% 50 = 0 THEN 'frozen' WHEN k %% 2 = 0 THEN 'ready' ELSE 'used' END, gen_random_uuid(), 3, 3, '2026-01-01'::date + k %% 700, now()
		FROM generate_series(1, 30000) k`, w.Org))
	force(`ANALYZE platform.overview_voucher`)
	t.Cleanup(func() { force(fmt.Sprintf(`DELETE FROM platform.overview_voucher WHERE org_id = '%s'`, w.Org)) })
	const limit = 51
	for name, f := range map[string]overview.VoucherFilter{
		"newest": {}, "state": {State: "frozen"}, "code": {Search: "wlv"}, "ending": {By: "ending"},
		"newest in one": {Org: &w.Org}, "state in one": {Org: &w.Org, State: "frozen"}, "code in one": {Org: &w.Org, Search: "wlv"}, "ending in one": {Org: &w.Org, By: "ending"},
	} {
		page, err := s.Vouchers(t.Context(), overview.VoucherInput{VoucherFilter: f})
		require.NoError(t, err)
		require.NotNil(t, page.Next, name)
		for _, after := range []string{"", *page.Next} {
			sql, args, err := overview.VoucherStatement(f, after, limit)
			require.NoError(t, err)
			requireQuickPage(t, w, name, limit, sql, args)
		}
	}
}
