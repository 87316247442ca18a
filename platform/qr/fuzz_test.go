package qr

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/money"
)

// FuzzPromptPay: what is not refused is a code whose parts have the lengths they say, and that asks for the amount.
func FuzzPromptPay(f *testing.F) {
	for receiver, amount := range map[string]int64{"080-123-4567": 0, "0105561000001": 1_234_05, "123456789012345": 1, "08123456๗8": -1, "": 1 << 62} {
		f.Add(receiver, amount)
	}
	f.Fuzz(func(t *testing.T, receiver string, amount int64) {
		code, err := PromptPay(receiver, money.Amount(amount))
		if err == nil {
			requirePayment(t, code, amount)
		}
	})
}

func FuzzBill(f *testing.F) {
	f.Add("010556100000100", "REF1", "", int64(100))
	f.Add("010556100000100", "REF1", "ref2", int64(0))
	f.Add("01055610000010๐", "REF 1", "6304", int64(-1))
	f.Fuzz(func(t *testing.T, biller, ref1, ref2 string, amount int64) {
		code, err := Bill(biller, ref1, ref2, money.Amount(amount))
		if err == nil {
			requirePayment(t, code, amount)
		}
	})
}

// requirePayment reads a code as a bank's app would.
func requirePayment(t *testing.T, code string, amount int64) {
	t.Helper()
	require.NoError(t, check(code))
	fields := map[string]string{}
	for rest := code; rest != ""; {
		require.GreaterOrEqual(t, len(rest), 4, code)
		length, err := strconv.Atoi(rest[2:4])
		require.NoError(t, err, code)
		require.LessOrEqual(t, 4+length, len(rest), code)
		require.NotContains(t, fields, rest[:2], code)
		fields[rest[:2]] = rest[4 : 4+length]
		rest = rest[4+length:]
	}
	require.Equal(t, "TH", fields["58"])
	require.Equal(t, "764", fields["53"])
	sum, fixed := fields["54"]
	require.Equal(t, amount > 0, fixed, code)
	if fixed {
		satang, err := strconv.ParseInt(strings.Replace(sum, ".", "", 1), 10, 64)
		require.NoError(t, err, code)
		require.Equal(t, amount, satang)
	}
}
