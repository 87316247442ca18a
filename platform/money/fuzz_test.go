package money

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParse: what is read as an amount is one that may move, and is read the same when it is written.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"0", "1234.50", "1,234.5", "100000000000.00", "๑๐๐", "-1", "1e3", ".5", "5.", ",", "+1", "1.234", "00000000000001"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		amount, err := Parse(text)
		if err != nil {
			require.ErrorIs(t, err, ErrFormat)
			return
		}
		require.GreaterOrEqual(t, amount, Amount(0))
		require.LessOrEqual(t, amount, Max)
		again, err := Parse(amount.String())
		require.NoError(t, err)
		require.Equal(t, amount, again)
	})
}

// FuzzString: every amount is written so that its digits are its satang.
func FuzzString(f *testing.F) {
	for _, seed := range []int64{0, 1, -1, 99, 100, -100_000, 1<<63 - 1, -1 << 63} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, satang int64) {
		digits := strings.NewReplacer(",", "", ".", "").Replace(Amount(satang).String())
		again, err := strconv.ParseInt(digits, 10, 64)
		require.NoError(t, err)
		require.Equal(t, satang, again)
	})
}

// FuzzApportion: parts add up, and none is negative.
func FuzzApportion(f *testing.F) {
	f.Add(int64(100_00), int64(1), int64(1), int64(1))
	f.Add(int64(Max), int64(1)<<61, int64(1)<<61, int64(0))
	f.Add(int64(1), int64(0), int64(0), int64(0))
	f.Fuzz(func(t *testing.T, satang, a, b, c int64) {
		if satang < 0 || a < 0 || b < 0 || c < 0 || satang > int64(Max) || a > 1<<60 || b > 1<<60 || c > 1<<60 {
			return // refused before: amounts are bounded, and weights are prices
		}
		var sum Amount
		for _, part := range Amount(satang).Apportion(a, b, c) {
			require.GreaterOrEqual(t, part, Amount(0))
			sum += part
		}
		require.Equal(t, Amount(satang), sum)
	})
}
