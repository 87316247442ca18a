package money_test

import (
	"math"
	"math/big"
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
	t.Run("Parse reads what String writes", rapid.MakeCheck(func(t *rapid.T) {
		a := money.Amount(rapid.Int64Range(0, int64(money.Max)).Draw(t, "satang"))

		got, err := money.Parse(a.String())

		require.NoError(t, err)
		require.Equal(t, a, got)
	}))

	t.Run("Parse refuses what is not an amount", func(t *testing.T) {
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

func TestApportion(t *testing.T) {
	require.Equal(t, []money.Amount{34, 33, 33}, money.Amount(100).Apportion(1, 1, 1), "equal remainders go to the earlier")
	require.Equal(t, []money.Amount{50, 50}, money.Amount(100).Apportion(0, 0), "weights of nothing are equal")
	require.Equal(t, []money.Amount{6894, 3106}, money.Amount(100_00).Apportion(999_00, 450_00), "the largest remainder goes first")

	t.Run("parts always add up and none is negative", rapid.MakeCheck(func(t *rapid.T) {
		a := money.Amount(rapid.Int64Range(0, int64(money.Max)).Draw(t, "satang"))
		weights := rapid.SliceOfN(rapid.Int64Range(0, 1_000_000), 1, 20).Draw(t, "weights")

		var sum money.Amount
		for _, part := range a.Apportion(weights...) {
			require.GreaterOrEqual(t, part, money.Amount(0))
			sum += part
		}
		require.Equal(t, a, sum)
	}))
}

func TestTimesAndPlus(t *testing.T) {
	got, err := money.Max.Times(1)
	require.NoError(t, err)
	require.Equal(t, money.Max, got)
	got, err = money.Max.Plus(0)
	require.NoError(t, err)
	require.Equal(t, money.Max, got)

	for _, n := range []int{-1, 2, math.MaxInt, math.MinInt, 1 << 62} {
		_, err := money.Max.Times(n)
		require.ErrorIs(t, err, money.ErrOverMax, n)
	}
	for _, a := range []money.Amount{-1, math.MinInt64, math.MaxInt64, money.Max + 1} {
		_, err := a.Times(1)
		require.ErrorIs(t, err, money.ErrOverMax, a)
		_, err = a.Plus(0)
		require.ErrorIs(t, err, money.ErrOverMax, a)
		_, err = money.Amount(1).Plus(a)
		require.ErrorIs(t, err, money.ErrOverMax, a)
	}
	_, err = money.Max.Plus(1)
	require.ErrorIs(t, err, money.ErrOverMax)

	t.Run("Times and Plus equal unbounded arithmetic, or refuse", rapid.MakeCheck(func(t *rapid.T) {
		a, b, n := rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b"), rapid.Int().Draw(t, "n")
		limit := big.NewInt(int64(money.Max))
		fits := func(result *big.Int, parts ...int64) bool {
			for _, part := range parts {
				if part < 0 {
					return false
				}
			}
			return result.Cmp(limit) <= 0
		}

		product := new(big.Int).Mul(big.NewInt(a), big.NewInt(int64(n)))
		got, err := money.Amount(a).Times(n)
		require.Equal(t, fits(product, a, int64(n)), err == nil)
		if err == nil {
			require.Equal(t, product.Int64(), int64(got))
		}
		sum := new(big.Int).Add(big.NewInt(a), big.NewInt(b))
		got, err = money.Amount(a).Plus(money.Amount(b))
		require.Equal(t, fits(sum, a, b), err == nil)
		if err == nil {
			require.Equal(t, sum.Int64(), int64(got))
		}
	}))
}

func TestSplitByWeightsThatOverflowTogether(t *testing.T) {
	require.Equal(t, []money.Amount{34, 33, 33}, money.Amount(100).Apportion(math.MaxInt64, math.MaxInt64, math.MaxInt64))
}

func TestWords(t *testing.T) {
	for satang, words := range map[money.Amount]string{
		0: "ศูนย์บาทถ้วน", 25: "ยี่สิบห้าสตางค์", 1: "หนึ่งสตางค์", 11: "สิบเอ็ดสตางค์", 1_00: "หนึ่งบาทถ้วน", 101_00: "หนึ่งร้อยเอ็ดบาทถ้วน", 21_01: "ยี่สิบเอ็ดบาทหนึ่งสตางค์",
		1050_75: "หนึ่งพันห้าสิบบาทเจ็ดสิบห้าสตางค์", 10_721_40: "หนึ่งหมื่นเจ็ดร้อยยี่สิบเอ็ดบาทสี่สิบสตางค์", 3843_00: "สามพันแปดร้อยสี่สิบสามบาทถ้วน",
		21_000_001_00: "ยี่สิบเอ็ดล้านเอ็ดบาทถ้วน", 1_000_000_00: "หนึ่งล้านบาทถ้วน", 12_000_000_000_000_00: "สิบสองล้านล้านบาทถ้วน", -5_00: "ลบห้าบาทถ้วน",
	} {
		require.Equal(t, words, satang.Words(), "%d", satang)
	}
}
