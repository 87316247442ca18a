package qr

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/money"
)

// FuzzPromptPay: a bank's app reads each code that is not refused as a payment of that amount to that receiver.
func FuzzPromptPay(f *testing.F) {
	for receiver, amount := range map[string]int64{"080-123-4567": 0, "0105561000001": 1_234_05, "123456789012345": 1, "08123456๗8": -1, "": 1 << 62} {
		f.Add(receiver, amount)
	}
	f.Fuzz(func(t *testing.T, receiver string, amount int64) {
		code, err := PromptPay(receiver, money.Amount(amount))
		if err != nil {
			return
		}
		account := fields(t, requirePayment(t, code, amount)["29"])
		require.Len(t, account, 2, code)
		require.Equal(t, "A000000677010111", account["00"])
		mobile, isMobile := account["01"]
		if isMobile {
			mobile = "0" + strings.TrimPrefix(mobile, "0066")
		}
		require.Equal(t, strings.NewReplacer("-", "", " ", "").Replace(receiver), mobile+account["02"]+account["03"])
	})
}

func FuzzBill(f *testing.F) {
	f.Add("010556100000100", "REF1", "", int64(100))
	f.Add("010556100000100", "REF1", "ref2", int64(0))
	f.Add("01055610000010๐", "REF 1", "6304", int64(-1))
	f.Fuzz(func(t *testing.T, biller, ref1, ref2 string, amount int64) {
		code, err := Bill(biller, ref1, ref2, money.Amount(amount))
		if err != nil {
			return
		}
		account := fields(t, requirePayment(t, code, amount)["30"])
		require.Equal(t, "A000000677010112", account["00"])
		require.Equal(t, []string{biller, ref1, ref2}, []string{account["01"], account["02"], account["03"]})
	})
}

// requirePayment reads a code as a bank's app would, by EMVCo's rules and without our code.
func requirePayment(t *testing.T, code string, amount int64) map[string]string {
	t.Helper()
	require.True(t, strings.HasPrefix(code, "000201"), code)
	signed := len(code) - 4
	require.Equal(t, "6304", code[signed-4:signed], code)
	require.Equal(t, fmt.Sprintf("%04X", crc(code[:signed])), code[signed:])
	read := fields(t, code)
	require.Equal(t, "TH", read["58"])
	require.Equal(t, "764", read["53"])
	sum, fixed := read["54"]
	require.Equal(t, amount > 0, fixed, code)
	require.Equal(t, map[bool]string{false: "11", true: "12"}[fixed], read["01"], "12 is for one payment")
	if fixed {
		require.Regexp(t, `^[0-9]+\.[0-9]{2}$`, sum)
		satang, err := strconv.ParseInt(strings.Replace(sum, ".", "", 1), 10, 64)
		require.NoError(t, err, code)
		require.Equal(t, amount, satang)
	}
	return read
}

// fields splits a code into its fields: two digits of id, two of length, and as many characters.
func fields(t *testing.T, text string) map[string]string {
	t.Helper()
	read := map[string]string{}
	for rest := text; rest != ""; {
		require.GreaterOrEqual(t, len(rest), 4, text)
		length, err := strconv.Atoi(rest[2:4])
		require.NoError(t, err, text)
		require.LessOrEqual(t, 4+length, len(rest), text)
		require.NotContains(t, read, rest[:2], text)
		read[rest[:2]] = rest[4 : 4+length]
		rest = rest[4+length:]
	}
	return read
}

// crc is CRC-16/CCITT-FALSE, bit by bit.
func crc(text string) (sum uint16) {
	sum = 0xffff
	for _, b := range []byte(text) {
		sum ^= uint16(b) << 8
		for range 8 {
			carry := sum >> 15
			sum = sum<<1 ^ carry*0x1021
		}
	}
	return sum
}
