package overview_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/overview"
	"welovevoucher/tenants/rollup"
	"welovevoucher/tenants/tenanttest"
)

func open(t *testing.T) (*tenanttest.World, *overview.Service) {
	t.Helper()
	w := tenanttest.New(t)
	return w, overview.New(w.DB, org.NewDirectory(w.DB))
}

var admin = auditlog.Actor{Kind: token.Admin, ID: db.NewID()}

const (
	keptDays  = `SELECT day::text, orders, sales_satang, fee_satang, uses, customers, top_ups, top_up_satang FROM overview_day WHERE org_id = $1 ORDER BY day`
	fullCount = `SELECT d.day::text, sum(d.o)::bigint, sum(d.s)::bigint, sum(d.f)::bigint, sum(d.u)::bigint, sum(d.c)::bigint, sum(d.n)::bigint, sum(d.m)::bigint FROM (
			SELECT (paid_at AT TIME ZONE 'Asia/Bangkok')::date AS day, 1 AS o, total_satang AS s, platform_fee_satang AS f, 0 AS u, 0 AS c, 0 AS n, 0 AS m FROM orders WHERE paid_at IS NOT NULL
			UNION ALL SELECT (at AT TIME ZONE 'Asia/Bangkok')::date, 0, 0, 0, 1, 0, 0, 0 FROM redemption
			UNION ALL SELECT (created_at AT TIME ZONE 'Asia/Bangkok')::date, 0, 0, 0, 0, 1, 0, 0 FROM customer
			UNION ALL SELECT (captured_at AT TIME ZONE 'Asia/Bangkok')::date, 0, 0, 0, 0, 0, 1, captured_satang FROM charge WHERE captured_at IS NOT NULL AND purpose = 'topup'
		) d GROUP BY 1 ORDER BY 1`
)

type day struct {
	Day                           string
	Orders, Sales, Fee, Uses      int64
	Customers, TopUps, TopUpMoney int64
}

// requireFullCount: what the platform has of an organisation is a full count of its rows.
func requireFullCount(t *testing.T, w *tenanttest.World) {
	t.Helper()
	var kept, counted []day
	require.NoError(t, w.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		rows, err := tx.Query(t.Context(), keptDays, w.Org)
		if err != nil {
			return err
		}
		kept, err = pgx.CollectRows(rows, pgx.RowToStructByPos[day])
		return err
	}))
	w.In(func(ctx context.Context, tx db.Tx) error {
		rows, err := tx.Query(ctx, fullCount)
		if err != nil {
			return err
		}
		counted, err = pgx.CollectRows(rows, pgx.RowToStructByPos[day])
		return err
	})
	require.Equal(t, counted, kept)
	differ, err := overview.New(w.DB, org.NewDirectory(w.DB)).Audit(t.Context(), w.Org)
	require.NoError(t, err)
	require.Empty(t, differ)
}

// rankOf returns the figures of one organisation.
func rankOf(t *testing.T, s *overview.Service, id uuid.UUID, days int) overview.Ranked {
	t.Helper()
	for in := (overview.RankInput{Days: days, Limit: 200}); ; {
		page, err := s.Rank(t.Context(), in)
		require.NoError(t, err)
		for _, row := range page.Data {
			if row.ID == id {
				return row
			}
		}
		require.NotNil(t, page.Next)
		in.After = page.Next
	}
}

func TestFollow(t *testing.T) {
	w, s := open(t)
	empty, err := s.Overview(t.Context(), overview.Span{Days: 7})
	require.NoError(t, err)
	pkg := w.Package(tenanttest.Package{Price: 333_33, Items: 3, Vouchers: 2})
	ann, point, staff := w.Customer(10_000_00), w.ServicePoint(), w.Staff()
	v := w.MustBuy(ann, pkg)
	w.MustRedeem(ann, v.ID, 1, staff, point)

	require.NoError(t, s.FollowDays(t.Context(), w.Org))
	requireFullCount(t, w)
	seen, err := s.Overview(t.Context(), overview.Span{Days: 7})
	require.NoError(t, err)
	require.EqualValues(t, 333_33, seen.Now.Sales-empty.Now.Sales)
	require.EqualValues(t, 1, seen.Now.Uses-empty.Now.Uses)
	require.Equal(t, empty.Balances, seen.Balances, "only the days were copied")
	require.Equal(t, empty.Seen.Missing, seen.Seen.Missing)

	t.Run("what is followed already counts the same", func(t *testing.T) {
		require.NoError(t, rollup.Follow(t.Context(), w.DB, w.Org))
		for range 2 {
			require.NoError(t, s.Follow(t.Context(), w.Org))
			requireFullCount(t, w)
		}
		seen, err := s.Overview(t.Context(), overview.Span{Days: 7})
		require.NoError(t, err)
		require.Equal(t, w.SystemBalance(ledger.Unearned), seen.Balances.Unearned-empty.Balances.Unearned)
		require.Equal(t, w.SystemBalance(ledger.Payable), seen.Balances.Payable-empty.Balances.Payable)
		require.Equal(t, w.Balance(ann), seen.Balances.Wallets-empty.Balances.Wallets)
		require.EqualValues(t, 1, empty.Seen.Missing-seen.Seen.Missing)
		require.Len(t, seen.Days, 7)
		row := rankOf(t, s, w.Org, 7)
		require.Equal(t, w.SystemBalance(ledger.Unearned), row.Unearned)
		require.NotNil(t, row.SeenAt)
	})

	t.Run("the days before are beside it", func(t *testing.T) {
		w.Clock.Advance(7 * 24 * time.Hour)
		w.MustBuy(ann, pkg)
		require.NoError(t, s.Follow(t.Context(), w.Org))
		requireFullCount(t, w)
		seen, err := s.Overview(t.Context(), overview.Span{Days: 7})
		require.NoError(t, err)
		require.EqualValues(t, 333_33, rankOf(t, s, w.Org, 7).Sales)
		require.EqualValues(t, 666_66, rankOf(t, s, w.Org, 14).Sales)
		require.EqualValues(t, 333_33, seen.Before.Sales-empty.Now.Sales)
		require.EqualValues(t, 1, seen.Before.Uses-empty.Now.Uses)
	})

	t.Run("what was changed by hand is corrected, of old days by Build", func(t *testing.T) {
		forge := func(at time.Time) {
			require.NoError(t, w.DB.InPlatform(t.Context(), func(tx db.Tx) error {
				_, err := tx.Exec(t.Context(), `INSERT INTO overview_day (org_id, day, orders, sales_satang, fee_satang, uses, customers, top_ups, top_up_satang) VALUES ($1, $2, 9, 9, 9, 9, 9, 9, 9)
					ON CONFLICT (org_id, day) DO UPDATE SET sales_satang = 9`, w.Org, clock.Day(at))
				return err
			}))
		}
		forge(w.Clock.Now())
		differ, err := s.Audit(t.Context(), w.Org)
		require.NoError(t, err)
		require.Len(t, differ, 1)
		forge(w.Clock.Now().AddDate(0, 0, -3))
		require.NoError(t, s.Follow(t.Context(), w.Org))
		requireFullCount(t, w)
		forge(w.Clock.Now().AddDate(-2, 0, 0))
		require.NoError(t, s.BuildAll(t.Context()))
		requireFullCount(t, w)
	})
}

// TestFollowWhileItSells: followers and builders at the same time, while it sells and while roll-ups are followed; at the end it is a full count.
func TestFollowWhileItSells(t *testing.T) {
	w, s := open(t)
	pkg := w.Package(tenanttest.Package{Price: 99_99})
	var selling, following errgroup.Group
	for range 3 {
		ann := w.Customer(100_000_00)
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
	for _, do := range []func(context.Context, uuid.UUID) error{s.FollowDays, s.Follow, s.Build, func(ctx context.Context, id uuid.UUID) error { return rollup.Follow(ctx, w.DB, id) }} {
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
	requireFullCount(t, w)
	row := rankOf(t, s, w.Org, 1)
	require.EqualValues(t, 30, row.Orders)
	require.Equal(t, w.SystemBalance(ledger.Unearned), row.Unearned)
}

func TestRank(t *testing.T) {
	w, s := open(t)
	w.MustBuy(w.Customer(10_000_00), w.Package(tenanttest.Package{Price: 100_00}))
	second, third := w.NewOrg(t), w.NewOrg(t)
	require.NoError(t, s.Follow(t.Context(), w.Org))
	for _, by := range []string{"", "sales", "fee", "uses", "top_ups", "unearned", "payable", "wallets", "given_up"} {
		found := map[uuid.UUID]bool{}
		in := overview.RankInput{Days: 30, By: by, Limit: 1}
		for {
			page, err := s.Rank(t.Context(), in)
			require.NoError(t, err)
			require.Len(t, page.Data, 1)
			require.False(t, found[page.Data[0].ID])
			found[page.Data[0].ID] = true
			if page.Next == nil {
				break
			}
			in.After = page.Next
		}
		for _, id := range []uuid.UUID{w.Org, second, third} {
			require.True(t, found[id], by)
		}
	}
}

// failedJob is a row of an outbox that failed so often.
func failedJob(t *testing.T, w *tenanttest.World, in *uuid.UUID, kind string, attempts int) uuid.UUID {
	t.Helper()
	id := db.NewID()
	insert := func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO outbox (id, kind, payload, due_at, attempts, last_error) VALUES ($1, $2, '{"job": {}}', $3, $4, 'LINE did not answer')`, id, kind, tx.Now.Add(-time.Hour), attempts)
		return err
	}
	if in == nil {
		require.NoError(t, w.DB.InPlatform(t.Context(), insert))
	} else {
		require.NoError(t, w.DB.InOrg(t.Context(), *in, insert))
	}
	return id
}

func TestJobs(t *testing.T) {
	w, s := open(t)
	w.Force(`DELETE FROM outbox`)
	before, err := s.Jobs(t.Context(), overview.JobInput{})
	require.NoError(t, err)
	lost := failedJob(t, w, &w.Org, "push.send", queue.MaxAttempts)
	money := failedJob(t, w, &w.Org, "charge.remit", queue.MaxAttempts)
	failing := failedJob(t, w, &w.Org, "push.send", 3)
	late := failedJob(t, w, &w.Org, "push.send", 0)
	own := failedJob(t, w, nil, "onboard.verify_hosts", queue.MaxAttempts)
	require.NoError(t, s.Follow(t.Context(), w.Org))
	list := func(in overview.JobInput) (ids []uuid.UUID) {
		t.Helper()
		in.Limit = 2
		for {
			page, err := s.Jobs(t.Context(), in)
			require.NoError(t, err)
			for _, j := range page.Data {
				if !slices.Contains([]uuid.UUID{lost, money, failing, late, own}, j.ID) {
					continue // of another test's organisation
				}
				ids = append(ids, j.ID)
				require.Equal(t, j.ID == lost, j.MayStop, j.Kind)
			}
			if page.Next == nil {
				return ids
			}
			in.After = *page.Next
		}
	}

	t.Run("they are found by their state and whose they are", func(t *testing.T) {
		require.ElementsMatch(t, []uuid.UUID{lost, money, failing, late, own}, list(overview.JobInput{}))
		require.ElementsMatch(t, []uuid.UUID{lost, money, own}, list(overview.JobInput{State: "given_up"}))
		require.ElementsMatch(t, []uuid.UUID{failing}, list(overview.JobInput{State: "failing"}))
		require.ElementsMatch(t, []uuid.UUID{failing, late}, list(overview.JobInput{State: "late"}))
		require.ElementsMatch(t, []uuid.UUID{own}, list(overview.JobInput{Platform: true}))
		require.ElementsMatch(t, []uuid.UUID{lost, money, failing, late}, list(overview.JobInput{Org: &w.Org}))
		require.Empty(t, list(overview.JobInput{Org: new(w.NewOrg(t))}))
		page, err := s.Jobs(t.Context(), overview.JobInput{})
		require.NoError(t, err)
		require.EqualValues(t, 3, page.Counts.GivenUp-before.Counts.GivenUp)
		require.EqualValues(t, 2, page.Counts.Late-before.Counts.Late)
		for _, after := range []string{"x", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z/x"} {
			_, err := s.Jobs(t.Context(), overview.JobInput{After: after})
			require.ErrorIs(t, err, fault.BadInput)
		}
	})

	t.Run("what was not given up cannot be run again or stopped", func(t *testing.T) {
		neighbour := w.NewOrg(t)
		for _, in := range []overview.ByJob{{failing, &w.Org}, {late, &w.Org}, {db.NewID(), &w.Org}, {lost, nil}, {lost, &neighbour}, {own, &w.Org}} {
			require.ErrorIs(t, s.RunAgain(t.Context(), admin, in), queue.ErrNotGivenUp)
			require.ErrorIs(t, s.Stop(t.Context(), admin, in), queue.ErrNotGivenUp)
		}
		require.ErrorIs(t, s.RunAgain(t.Context(), admin, overview.ByJob{lost, new(db.NewID())}), org.ErrNotFound)
	})

	t.Run("what has to happen cannot be stopped", func(t *testing.T) {
		require.ErrorIs(t, s.Stop(t.Context(), admin, overview.ByJob{money, &w.Org}), queue.ErrNeeded)
		require.ErrorIs(t, s.Stop(t.Context(), admin, overview.ByJob{own, nil}), queue.ErrNeeded)
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM outbox WHERE kind = 'charge.remit' AND done_at IS NULL`))
	})

	t.Run("two at once have it run again once", func(t *testing.T) {
		done := make(chan error, 4)
		for range 4 {
			go func() { done <- s.RunAgain(t.Context(), admin, overview.ByJob{money, &w.Org}) }()
		}
		succeeded := 0
		for range 4 {
			if err := <-done; err == nil {
				succeeded++
			} else {
				require.ErrorIs(t, err, queue.ErrNotGivenUp)
			}
		}
		require.Equal(t, 1, succeeded)
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM outbox WHERE kind = 'charge.remit' AND attempts = 0 AND enqueued_at IS NULL`))
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'run_again'`))
		require.NotContains(t, list(overview.JobInput{State: "given_up"}), money)
	})

	t.Run("what is stopped is done, and its line says why it failed", func(t *testing.T) {
		require.NoError(t, s.Stop(t.Context(), admin, overview.ByJob{lost, &w.Org}))
		require.ErrorIs(t, s.Stop(t.Context(), admin, overview.ByJob{lost, &w.Org}), queue.ErrNotGivenUp)
		require.ErrorIs(t, s.RunAgain(t.Context(), admin, overview.ByJob{lost, &w.Org}), queue.ErrNotGivenUp)
		require.NotContains(t, list(overview.JobInput{}), lost)
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'stop_job' AND after->>'reason' = 'LINE did not answer'`))
		require.NoError(t, s.RunAgain(t.Context(), admin, overview.ByJob{own, nil}))
		require.NoError(t, w.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			var lines int
			err := tx.QueryRow(t.Context(), `SELECT count(*) FROM audit_log WHERE action IN ('run_again', 'stop_job')`).Scan(&lines)
			require.Equal(t, 3, lines)
			return err
		}))
	})
}
