package presence_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/tenants/presence"
	"welovevoucher/tenants/voucher"
)

var (
	org    = uuid.MustParse("0190a0c8-0000-7000-8000-000000000001")
	key    = uuid.MustParse("0190a0c8-0000-7000-8000-000000000002")
	now    = time.Unix(1_795_248_000, 0)
	secret = func() (b []byte) {
		for i := range byte(32) {
			b = append(b, i)
		}
		return b
	}()
)

const (
	qrThen    = "M1.P53Zko.AZCgyAAAcACAAAAAAAAAAg.59841600.g_Fv698GyKaRJ0PD_rY7gw"
	typedThen = "589158"
)

// TestCodes: a phone makes the same (apps/customer/src/features/member/card-code.test.ts).
func TestCodes(t *testing.T) {
	qr, typed := presence.Codes(org, key, secret, now)
	require.Equal(t, []string{qrThen, typedThen}, []string{qr, typed})
	require.Equal(t, voucher.OrgTag(org), presence.TagOf(org), "both kinds of QR name a shop alike")

	read, ok := presence.ParseQR(" " + qr + "\r\n")
	require.True(t, ok)
	require.Equal(t, key, read.Key)
	require.True(t, read.Of(org))
	require.False(t, read.Of(key))
	require.True(t, read.SignedBy(secret))
	require.False(t, read.SignedBy(secret[1:]))
	for after, fresh := range map[time.Duration]bool{-time.Second: false, 0: true, 59 * time.Second: true, time.Minute: false} {
		require.Equal(t, fresh, read.Fresh(now.Add(after)), after)
	}
	code, ok := presence.ParseTyped("rlm 0048-2216 " + typed)
	require.True(t, ok)
	require.Equal(t, "RLM00482216", code.Number)
	step, ok := code.MadeBy(org, key, secret, now.Add(30*time.Second))
	require.True(t, ok)
	require.EqualValues(t, 59841600, step)
	_, ok = code.MadeBy(org, key, secret, now.Add(time.Minute))
	require.False(t, ok)
	_, ok = code.MadeBy(key, key, secret, now)
	require.False(t, ok)
}

// TestParse: what is no code of a card is refused, and is never read as another one.
func TestParse(t *testing.T) {
	parts := strings.Split(qrThen, ".")
	with := func(i int, part string) string {
		changed := append([]string(nil), parts...)
		changed[i] = part
		return strings.Join(changed, ".")
	}
	for _, text := range []string{
		"", "M1", "M1....", with(0, "V1"), with(1, "short"), with(2, parts[2]+"A"), with(2, "AZCgyAAAcACAAAAAAAAAAh"), with(3, "-1"), with(3, "+59841600"), with(3, "059841600"),
		with(3, "99999999999999999999"), with(4, parts[4][1:]), with(4, "g_Fv698GyKaRJ0PD_rY7gx"), qrThen + ".x", strings.Replace(qrThen, ".5", ".\n5", 1), qrThen + strings.Repeat("x", 100),
	} {
		_, ok := presence.ParseQR(text)
		require.False(t, ok, text)
	}
	for _, text := range []string{"", "RLM00482216", "RLM0048221658915", "RLM004822165891588", "R00482216589158", "RLMXX00482216589158", "RLM0048221658915X", "RK7K42QP", "RLM๐๐๔๘๒๒๑๖589158"} {
		_, ok := presence.ParseTyped(text)
		require.False(t, ok, text)
	}
}
