package commission

import (
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/money"
	"welovevoucher/tenants/ledger"
)

// plan returns the postings of a change of what is due and what is mature.
func plan(b *Balance, payee uuid.UUID, due, mature money.Amount) []ledger.Posting {
	return postings(append([]Part{{Pending(payee), due - mature}, {ledger.SystemAccount(ledger.ChargebackReceivable), -due}}, b.shift(payee, mature)...))
}

// TestPlan: after any changes one of a payee's balances is nothing, they are what has matured, and every account has moved by its part of each change.
func TestPlan(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	payee := uuid.New()
	for range 2000 {
		var b Balance
		var due, mature money.Amount
		for range 20 {
			d := money.Amount(dice.IntN(5)) - min(due, money.Amount(dice.IntN(5)))
			due += d
			m := money.Amount(dice.Int64N(int64(due)+1)) - mature
			if dice.IntN(3) == 0 && mature <= due {
				m = 0
			}
			mature += m
			before := b
			moved := map[ledger.Kind]money.Amount{}
			for _, p := range plan(&b, payee, d, m) {
				require.Positive(t, p.Amount)
				require.NotEqual(t, p.Debit, p.Credit)
				moved[p.Debit.Kind] -= p.Amount
				moved[p.Credit.Kind] += p.Amount
			}
			require.Equal(t, d-m, moved[ledger.CommissionPending])
			require.Equal(t, -d, moved[ledger.ChargebackReceivable])
			require.Equal(t, b.Payable-before.Payable, moved[ledger.CommissionPayable])
			require.Equal(t, before.Receivable-b.Receivable, moved[ledger.CommissionReceivable])
			require.GreaterOrEqual(t, min(b.Payable, b.Receivable), money.Amount(0))
			require.Zero(t, min(b.Payable, b.Receivable))
			require.Equal(t, mature, b.Payable-b.Receivable)
		}
	}
}

// TestPlanOwed: what is taken back after it was paid out is owed, and the next that matures pays it first.
func TestPlanOwed(t *testing.T) {
	payee := uuid.New()
	b := Balance{} // 62.01 were paid out
	require.Equal(t, []ledger.Posting{{Debit: receivable(payee), Credit: ledger.SystemAccount(ledger.ChargebackReceivable), Amount: 62_01}}, plan(&b, payee, -62_01, -62_01))
	require.Equal(t, Balance{Receivable: 62_01}, b)
	require.Equal(t, []ledger.Posting{
		{Debit: Pending(payee), Credit: receivable(payee), Amount: 62_01}, {Debit: Pending(payee), Credit: payable(payee), Amount: 437_99},
	}, plan(&b, payee, 0, 500_00))
	require.Equal(t, Balance{Payable: 437_99}, b)
}
