package hold_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/payout"
)

func TestRuns(t *testing.T) {
	t.Run("a held order is in no run until it is released", func(t *testing.T) {
		o := atSale(t)
		held := o.holds(o.sells(o.ann, time.Minute))
		o.sells(o.ann, time.Minute)
		o.tomorrow()
		run := o.draft()
		state, _, gross := o.row(run)
		require.Equal(t, []any{"ready", money.Amount(90_00)}, []any{state, gross})
		o.approved(run)
		o.books()
		o.has(0, 90_00, 0)
		require.Equal(t, money.Amount(90_00), o.SystemBalance(ledger.BankClearing))
		o.releases(held)
		_, err := o.Payout.Export(t.Context(), o.Org, actor(o.first), run)
		require.NoError(t, err)
		var id uuid.UUID
		o.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT id FROM payout WHERE run_id = $1`, run).Scan(&id)
		})
		require.NoError(t, o.Payout.Say(t.Context(), o.Org, actor(o.first), payout.Said{ID: id, Outcome: "paid", Day: clock.Day(o.Clock.Now()).Format(time.DateOnly)}))
		o.tomorrow()
		state, _, gross = o.row(o.draft())
		require.Equal(t, []any{"ready", money.Amount(90_00)}, []any{state, gross})
	})

	t.Run("a hold after the draft leaves its payee out as changed", func(t *testing.T) {
		o := atSale(t)
		sold := o.sells(o.ann, time.Minute)
		o.tomorrow()
		run := o.draft()
		o.approved(run)
		o.holds(sold)
		o.books()
		state, why, _ := o.row(run)
		require.Equal(t, []string{"left_out", "changed"}, []string{state, why})
		o.has(0, 90_00, 0)
	})

	t.Run("a release after the draft changes nothing of it", func(t *testing.T) {
		o := atSale(t)
		held := o.holds(o.sells(o.ann, time.Minute))
		o.sells(o.ann, time.Minute)
		o.tomorrow()
		run := o.draft()
		o.approved(run)
		o.releases(held)
		o.books()
		state, _, gross := o.row(run)
		require.Equal(t, []any{"booked", money.Amount(90_00)}, []any{state, gross})
		o.has(0, 90_00, 0)
	})

	t.Run("what is taken back of a held order is collected once it is more than has matured", func(t *testing.T) {
		o := atSale(t)
		sold := o.sells(o.ann, time.Minute)
		o.sells(o.ann, time.Minute)
		o.tomorrow()
		run := o.draft()
		o.approved(run)
		o.books()
		o.holds(sold)
		o.refunds(sold, 1) // 30.00 of what is under way
		o.sells(o.ann, time.Minute)
		o.has(0, 60_00, 0)
		_, err := o.Payout.Export(t.Context(), o.Org, actor(o.first), run)
		require.NoError(t, err)
		var id uuid.UUID
		o.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT id FROM payout WHERE run_id = $1`, run).Scan(&id)
		})
		require.NoError(t, o.Payout.Say(t.Context(), o.Org, actor(o.first), payout.Said{ID: id, Outcome: "paid", Day: clock.Day(o.Clock.Now()).Format(time.DateOnly)}))
		o.tomorrow()
		state, _, gross := o.row(o.draft())
		require.Equal(t, []any{"ready", money.Amount(60_00)}, []any{state, gross}, "90.00 less 30.00 of the order that is held")
	})

	t.Run("what is left of a held order waits whole", func(t *testing.T) {
		o := atSale(t)
		sold := o.sells(o.ann, time.Minute)
		o.holds(sold)
		o.refunds(sold, 1)
		o.sells(o.ann, time.Minute)
		o.tomorrow()
		run := o.draft()
		state, _, gross := o.row(run)
		require.Equal(t, []any{"ready", money.Amount(90_00)}, []any{state, gross}, "neither the 90.00 of it nor the 30.00 taken back")
		o.approved(run)
		o.books()
		state, _, _ = o.row(run)
		require.Equal(t, "booked", state)
		o.has(0, 60_00, 0)
	})
}
