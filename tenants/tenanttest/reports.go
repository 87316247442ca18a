package tenanttest

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/report"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/reports"
)

// movedFrom sums entries of two years by the kind of their transfer and the kinds of their accounts, of which ” is any. It reads no roll-up.
const movedFrom = `SELECT coalesce(sum(e.amount_satang), 0)::bigint FROM transfer t JOIN entry e ON e.transfer_id = t.id
	JOIN account d ON d.id = e.debit_id JOIN account c ON c.id = e.credit_id
	WHERE t.day > $1::date - 730 AND (t.kind = $2 OR $2 = '') AND (d.kind = $3 OR $3 = '') AND (c.kind = $4 OR $4 = '')`

// ReportsAgree requires that each report of the last two years says what the ledger has, that its rows add up to its sums, and that the reports say the same.
func (w *World) ReportsAgree(t require.TestingT) {
	today := clock.Day(w.DB.Now())
	days := map[string]any{"from": today.AddDate(0, 0, -729).Format(time.DateOnly), "to": today.Format(time.DateOnly)}
	w.In(func(ctx context.Context, tx db.Tx) error {
		moved := func(kind, debit, credit string) (sum int64) {
			require.NoError(t, tx.QueryRow(ctx, movedFrom, today, kind, debit, credit).Scan(&sum))
			return sum
		}
		count := func(sql string) (n int64) {
			require.NoError(t, tx.QueryRow(ctx, sql).Scan(&n))
			return n
		}
		read := func(r report.Report, filter map[string]any) report.Screen { return wholeReport(ctx, t, tx, r, filter) }

		daily := read(reports.Daily, days).Totals
		sums := map[string]int64{
			"fee_satang":        moved("purchase", "", "platform_fee"),
			"commission_satang": moved("purchase", "", "commission_pending"),
			"unearned_satang":   moved("purchase", "", "unearned"),
			"refunded_satang":   moved("refund", "", "wallet") + moved("refund", "", "bank_clearing"),
			"used_satang":       moved("use", "unearned", "payable") - moved("objection_undone", "use_objection", "unearned"),
			"orders":            count(`SELECT count(*) FROM orders WHERE paid_at IS NOT NULL`),
			"quantity":          count(`SELECT coalesce(sum(quantity), 0)::bigint FROM order_line l JOIN orders o ON o.id = l.order_id WHERE o.paid_at IS NOT NULL`),
			"discount_satang":   count(`SELECT coalesce(sum(amount_satang), 0)::bigint FROM line_discount l JOIN orders o ON o.id = l.order_id WHERE o.paid_at IS NOT NULL`),
		}
		sums["gross_satang"] = sums["fee_satang"] + sums["commission_satang"] + sums["unearned_satang"]
		for name, want := range sums {
			require.Equal(t, want, daily[name], "daily: %s", name)
		}
		require.Equal(t, daily["gross_satang"], daily["online_satang"]+daily["agent_satang"]+daily["other_satang"])
		for _, step := range []string{"week", "month"} {
			require.Equal(t, daily, read(reports.Daily, with(days, "step", step)).Totals)
		}
		for _, r := range []report.Report{reports.Sold, reports.ByPackage, reports.ByChannel, reports.ByHour} {
			for name, sum := range read(r, days).Totals {
				if want, same := sums[name]; same && (r.Name() != "report01" || name != "orders") { // an order counts for each of its packages
					require.Equal(t, want, sum, "%s: %s", r.Name(), name)
				}
			}
		}

		used, places := read(reports.Used, days).Totals, read(reports.ByPlace, days).Totals
		require.Equal(t, daily["used_satang"], used["amount_satang"])
		require.Equal(t, used, places)

		wallets := read(reports.Wallets, days)
		require.Equal(t, moved("", "", "wallet"), wallets.Totals["in_satang"])
		require.Equal(t, moved("", "wallet", ""), wallets.Totals["out_satang"])
		require.Equal(t, []int64{0, moved("topup", "", "wallet"), count(`SELECT coalesce(sum(balance_satang), 0)::bigint FROM wallet`)},
			[]int64{wallets.Figures[0].Amount, wallets.Figures[1].Amount, wallets.Figures[2].Amount}, "opening, topped up, closing")
		require.Equal(t, wallets.Figures[2].Amount, wallets.Totals["in_satang"]-wallets.Totals["out_satang"])

		points := read(reports.Points, days).Totals
		require.Equal(t, moved("points_granted", "", "")-moved("points_taken_back", "", "")-moved("points_lapsed", "", "")+moved("points_adjusted", "points_issued", "")-moved("points_adjusted", "", "points_issued"), points["points_in"]-points["points_out"])
		require.Equal(t, count(`SELECT coalesce(sum(points_left), 0)::bigint FROM point_lot`)-count(`SELECT coalesce(sum(points), 0)::bigint FROM point_owed`), points["points_in"]-points["points_out"])

		discounts := read(reports.DiscountUse, days).Totals
		require.Equal(t, daily["discount_satang"], discounts["amount_satang"])
		require.Equal(t, moved("purchase", "platform_fee", "unearned"), discounts["platform_satang"])
		require.Equal(t, count(`SELECT count(*) FROM discount_use u JOIN orders o ON o.id = u.order_id WHERE o.paid_at IS NOT NULL`), discounts["uses"])

		balances, err := ledger.SystemBalances(ctx, tx, ledger.Unearned, ledger.Breakage)
		require.NoError(t, err)
		for _, by := range []string{"last_day", "sold"} {
			owed := read(reports.Unearned, map[string]any{"by": by})
			require.EqualValues(t, balances[ledger.Unearned], owed.Totals["worth_satang"], by)
			require.EqualValues(t, balances[ledger.Unearned], owed.Figures[0].Amount)
		}
		expired := read(reports.Breakage, days).Totals
		require.EqualValues(t, balances[ledger.Breakage], expired["breakage_satang"])
		require.Equal(t, moved("expiry", "", "wallet"), expired["returned_satang"])
		require.Equal(t, moved("expiry", "unearned", "")-moved("", "breakage", ""), expired["worth_satang"], "what leaves breakage counts against it")

		// What became payees' own is what came to these two accounts, less what left them.
		own := func(kind string) (sum int64) {
			for _, account := range []string{"commission_payable", "commission_receivable"} {
				sum += moved(kind, "", account) - moved(kind, account, "")
			}
			return sum
		}
		earned := read(reports.Commissions, days).Totals
		// What was denied is the organisation's, and so is what is taken back of it later.
		due := sums["commission_satang"] - moved("commission_reversal", "", "chargeback_receivable") + moved("commission_reversal", "payable", "chargeback_receivable") +
			moved("commission_reversal", "chargeback_receivable", "") - moved("commission_reversal", "chargeback_receivable", "payable") - moved("commission_denial", "", "payable")
		// What became payees' own is agents' and partners'.
		due += moved("commission_denial", "payable", "")
		matured := own("commission_maturity") + own("commission_reversal") + own("commission_denial")
		partners := read(reports.PartnerCommissions, days).Totals
		require.Equal(t, moved("partner_commission", "", "commission_pending"), partners["frozen_satang"])
		require.Equal(t, []int64{due + partners["frozen_satang"], matured}, []int64{earned["due_satang"] + partners["due_satang"], earned["mature_satang"] + partners["mature_satang"]})
		for of, totals := range map[string]map[string]int64{"agent_id": earned, "partner_id": partners} {
			require.Equal(t, []int64{count(`SELECT coalesce(sum(due_satang), 0)::bigint FROM commission WHERE ` + of + ` IS NOT NULL`), count(`SELECT coalesce(sum(mature_satang), 0)::bigint FROM commission WHERE ` + of + ` IS NOT NULL`)},
				[]int64{totals["due_satang"], totals["mature_satang"]})
		}
		byLink := read(reports.LinkSales, days).Totals
		require.Equal(t, count(`SELECT coalesce(sum(commission_satang), 0)::bigint FROM orders WHERE agent_id IS NOT NULL AND paid_at IS NOT NULL`), byLink["commission_satang"])
		require.Equal(t, daily["agent_satang"]-count(`SELECT coalesce(sum(l.amount_satang), 0)::bigint FROM line_discount l JOIN orders o ON o.id = l.order_id WHERE o.agent_id IS NOT NULL AND o.paid_at IS NOT NULL AND l.payer = 'platform'`),
			byLink["paid_satang"])
		links := read(reports.Links, days).Totals
		require.Equal(t, []int64{byLink["orders"], byLink["paid_satang"], byLink["commission_satang"]}, []int64{links["orders"], links["paid_satang"], links["commission_satang"]})
		require.Equal(t, []int64{count(`SELECT coalesce(sum(opens), 0)::bigint FROM link_day`), count(`SELECT coalesce(sum(openers), 0)::bigint FROM link_day`)}, []int64{links["opens"], links["openers"]})

		of := read(reports.CommissionByVoucher, days).Totals
		require.Equal(t, []int64{sums["commission_satang"], earned["due_satang"], earned["mature_satang"]}, []int64{of["frozen_satang"], of["pending_satang"] + of["mature_satang"], of["mature_satang"]})

		// The pay day of what is under way is a day to come.
		payDays := map[string]any{"from": today.AddDate(0, 0, -690).Format(time.DateOnly), "to": today.AddDate(0, 0, 40).Format(time.DateOnly)}
		paid, runs := read(reports.PaidOut, payDays).Totals, read(reports.PaidRuns, payDays).Totals
		for name, want := range map[string]int64{
			"net_satang":      moved("payout", "", "bank_clearing"),
			"withheld_satang": moved("payout", "", "withholding_tax"),
			"gross_satang":    moved("payout", "", "bank_clearing") + moved("payout", "", "withholding_tax"),
			"paid_satang":     moved("payout_paid", "bank_clearing", "") - moved("payout_returned", "payable", ""),
		} {
			require.Equal(t, want, paid[name], "paid to agents: %s", name)
			require.Equal(t, want, runs[name], "runs: %s", name)
		}
		require.Equal(t, paid["left_satang"], runs["left_satang"])
		require.Equal(t, moved("payout_failed", "bank_clearing", "")+moved("payout_returned", "payable", ""), runs["failed_satang"])
		return nil
	})
}

func with(filter map[string]any, name, value string) map[string]any {
	all := maps.Clone(filter)
	all[name] = value
	return all
}

// wholeReport reads all pages of a report, and requires that the rows add up to its totals.
func wholeReport(ctx context.Context, t require.TestingT, tx db.Tx, r report.Report, filter map[string]any) report.Screen {
	text, err := json.Marshal(filter)
	require.NoError(t, err)
	first, err := r.Screen(ctx, tx, text, "")
	require.NoError(t, err, r.Name())
	sums := map[string]int64{}
	for _, c := range r.Columns() {
		if c.Sum {
			sums[c.Name] = 0
		}
	}
	seen := map[string]bool{}
	for page := first; ; {
		for _, row := range page.Data {
			b, err := json.Marshal(row)
			require.NoError(t, err)
			require.False(t, seen[string(b)], "%s: a row twice: %s", r.Name(), b)
			seen[string(b)] = true
			for name := range sums {
				sums[name] += reflect.ValueOf(row[name]).Int()
			}
		}
		if page.Next == "" {
			break
		}
		page, err = r.Screen(ctx, tx, text, page.Next)
		require.NoError(t, err, r.Name())
	}
	require.Equal(t, first.Totals, sums, "%s: rows and sums", r.Name())
	return first
}
