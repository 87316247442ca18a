package money_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"welovevoucher/platform/money"
)

func TestString(t *testing.T) {
	for amount, want := range map[money.Amount]string{
		0: "0.00", 5: "0.05", 100: "1.00", 123450: "1,234.50", 100_000_000: "1,000,000.00", -5: "-0.05", -123450: "-1,234.50",
	} {
		require.Equal(t, want, amount.String())
	}
}

func TestParse(t *testing.T) {
	t.Run("reads what String writes", rapid.MakeCheck(func(t *rapid.T) {
		a := money.Amount(rapid.Int64Range(0, int64(money.Max)).Draw(t, "satang"))

		got, err := money.Parse(a.String())

		require.NoError(t, err)
		require.Equal(t, a, got)
	}))

	t.Run("refuses what is not an amount", func(t *testing.T) {
		for _, s := range []string{"", ".", ".5", "1.", "1.234", "-1", "+1", "1e3", "๑๒", "99999999999999999999", "1 000", "NaN"} {
			_, err := money.Parse(s)
			require.ErrorIs(t, err, money.ErrFormat, s)
		}
	})
}

func TestShare(t *testing.T) {
	require.Equal(t, money.Amount(2), money.Amount(3).Share(1, 2), "a half goes up")
	require.Equal(t, money.Amount(33), money.Amount(100).Share(1, 3))
	require.Equal(t, money.Amount(98_70), money.Amount(3_290_00).Percent(300))
}

func TestSplit(t *testing.T) {
	require.Equal(t, []money.Amount{33, 33, 34}, money.Amount(100).Split(1, 1, 1))
	require.Equal(t, []money.Amount{50, 50}, money.Amount(100).Split(0, 0), "weights of nothing are equal")

	t.Run("parts always add up and none is negative", rapid.MakeCheck(func(t *rapid.T) {
		a := money.Amount(rapid.Int64Range(0, int64(money.Max)).Draw(t, "satang"))
		weights := rapid.SliceOfN(rapid.Int64Range(0, 1_000_000), 1, 20).Draw(t, "weights")

		var sum money.Amount
		for _, part := range a.Split(weights...) {
			require.GreaterOrEqual(t, part, money.Amount(0))
			sum += part
		}
		require.Equal(t, a, sum)
	}))
}
