package voucher

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"welovevoucher/platform/money"
)

// The table of docs/domain.md once more and by hand: every other pair must be refused.
func TestNext(t *testing.T) {
	states := []State{Ready, InUse, OnSale, InTransfer, Frozen, Used, Expired, Refunded, Void}
	events := []Event{
		StartUse, CancelUse, UseSome, UseLast, Offer, WithdrawOffer, Sell, Give, WithdrawGift, Claim,
		Expire, Refund, RefundOutside, MakeVoid, Freeze, Release, Revive,
	}
	allowed := map[Event]map[State]State{
		StartUse:      {Ready: InUse},
		CancelUse:     {InUse: Ready},
		UseSome:       {InUse: Ready},
		UseLast:       {InUse: Used},
		Offer:         {Ready: OnSale},
		WithdrawOffer: {OnSale: Ready},
		Sell:          {OnSale: Ready},
		Give:          {Ready: InTransfer},
		WithdrawGift:  {InTransfer: Ready},
		Claim:         {InTransfer: Ready},
		Expire:        {Ready: Expired, InUse: Expired, OnSale: Expired, InTransfer: Expired},
		Refund:        {Ready: Refunded},
		RefundOutside: {Ready: Refunded, InUse: Refunded, OnSale: Refunded, InTransfer: Refunded, Frozen: Refunded},
		MakeVoid:      {Ready: Void, InUse: Void, OnSale: Void, InTransfer: Void, Frozen: Void},
		Freeze:        {Ready: Frozen, InUse: Frozen, OnSale: Frozen, InTransfer: Frozen, Frozen: Frozen},
		Release:       {Frozen: Ready},
		Revive:        {Expired: Ready},
	}

	for _, from := range states {
		for _, event := range events {
			want, ok := allowed[event][from]
			got, did := Next(from, event)
			require.Equal(t, ok, did, "%s: %s", from, event)
			require.Equal(t, want, got, "%s: %s", from, event)
		}
	}
}

func TestSums(t *testing.T) {
	t.Run("slices add up to the share, in whatever portions the items are used", rapid.MakeCheck(func(t *rapid.T) {
		kind := rapid.SampledFrom([]Kind{Item, Baht}).Draw(t, "kind")
		share := money.Amount(rapid.Int64Range(0, 1_000_000_000).Draw(t, "share"))
		total := rapid.Int64Range(1, 5000).Draw(t, "items")

		var used int64
		var paid money.Amount
		for used < total {
			n := rapid.Int64Range(1, total-used).Draw(t, "n")
			part := Sums{Share: share}.Slice(kind, total, used, used+n).Share
			require.GreaterOrEqual(t, part, money.Amount(0))
			used, paid = used+n, paid+part
		}
		require.Equal(t, share, paid)
	}))

	t.Run("the platform pays at most the share of each slice, and of all items what it paid", rapid.MakeCheck(func(t *rapid.T) {
		kind := rapid.SampledFrom([]Kind{Item, Baht}).Draw(t, "kind")
		all := Sums{Share: money.Amount(rapid.Int64Range(0, 1_000_000_000).Draw(t, "share"))}
		all.Discount = money.Amount(rapid.Int64Range(0, int64(all.Share)).Draw(t, "discount"))
		total := rapid.Int64Range(1, 5000).Draw(t, "items")

		slices := Sums{}
		for from := int64(0); from < total; {
			to := from + rapid.Int64Range(1, total-from).Draw(t, "n")
			part := all.Slice(kind, total, from, to)
			require.GreaterOrEqual(t, min(part.Discount, part.Paid()), money.Amount(0))
			from, slices = to, slices.Plus(part)
		}
		require.Equal(t, all, slices)
	}))

	t.Run("what the platform paid is cut as the share is", func(t *testing.T) {
		items := Sums{Share: 8, Discount: 6}
		require.Equal(t, []Sums{{Share: 2, Discount: 1}, {Share: 2, Discount: 2}, {Share: 2, Discount: 1}, {Share: 2, Discount: 2}},
			[]Sums{items.Slice(Item, 4, 0, 1), items.Slice(Item, 4, 1, 2), items.Slice(Item, 4, 2, 3), items.Slice(Item, 4, 3, 4)})
		paidInFull := Sums{Share: 10, Discount: 10}
		require.Zero(t, paidInFull.Slice(Item, 3, 2, 3).Paid())
		require.Zero(t, Sums{Share: 7, Discount: 5}.Slice(Baht, 10, 3, 4), "its share is nothing")
	})
}

func TestQR(t *testing.T) {
	org, session, secret := uuid.New(), uuid.New(), []byte("0123456789abcdef0123456789abcdef")
	now := time.Unix(1_795_000_000, 0)

	t.Run("a QR names its session, and is signed by its secret", func(t *testing.T) {
		text := QR(org, session, secret, now)
		require.LessOrEqual(t, len(text), 84, "must fit a QR of version 5, level M")

		q, ok := parseQR(text)
		require.True(t, ok)
		require.Equal(t, session, q.session)
		require.True(t, q.signedBy(secret))
		require.False(t, q.signedBy([]byte("another secret")))
	})

	t.Run("a QR is fresh in its time step and the next", func(t *testing.T) {
		q, ok := parseQR(QR(org, session, secret, now))
		require.True(t, ok)
		require.True(t, q.fresh(now))
		require.True(t, q.fresh(now.Add(30*time.Second)))
		require.False(t, q.fresh(now.Add(60*time.Second)))
		require.False(t, q.fresh(now.Add(-30*time.Second)), "a step that has not come yet")
	})
}

// FuzzParseQR: whatever a camera reads is refused, or has one spelling only, and nobody's signature by chance.
func FuzzParseQR(f *testing.F) {
	org, session, secret := uuid.UUID{1}, uuid.UUID{2}, []byte("secret")
	good := QR(org, session, secret, time.Unix(1_800_000_000, 0))
	for _, seed := range []string{good, good + ".", good[:len(good)-1], "V1.......", "V1....", "V1.aaaaaa.ก.1.x", "00020101021129370016A000000677010111", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, ok := parseQR(text)
		if !ok {
			require.NotEqual(t, good, text)
			return
		}
		require.GreaterOrEqual(t, q.step, int64(0))
		require.Contains(t, text, q.signed)
		require.Equal(t, strings.TrimSpace(text) == good, q.signedBy(secret))
	})
}

func TestCode(t *testing.T) {
	require.Len(t, NewCode(10), 10)
	other := NewCode(10)
	require.NotEqual(t, other, NewCode(10))
}

func TestTyped(t *testing.T) {
	org, session, secret := uuid.New(), uuid.New(), []byte("0123456789abcdef0123456789abcdef")
	now := time.Unix(1_795_000_000, 0)
	text := Typed("RK7", org, session, secret, now)

	t.Run("a typed code is read as people write it", func(t *testing.T) {
		code, ok := parseTyped(" " + strings.ToLower(text[:4]) + " -" + text[4:] + "\n")
		require.True(t, ok)
		require.Equal(t, typedCode{name: "RK7", proof: text[3:]}, code)
		for _, none := range []string{"", "RK7K42Q", "RK7K42QPA", "RK7K42Q0", "RK7K42QI", "กกกกกกกก", QR(org, session, secret, now)} {
			require.False(t, IsTyped(none), none)
		}
	})

	t.Run("a typed code is good in its step and the next, with its session, secret and organisation", func(t *testing.T) {
		code, _ := parseTyped(text)
		tag := OrgTag(org)
		for after, good := range map[time.Duration]bool{-30 * time.Second: false, 0: true, 30 * time.Second: true, time.Minute: false, 10 * time.Minute: false} {
			require.Equal(t, good, code.madeBy(tag, session, secret, now.Add(after)), after)
		}
		require.False(t, code.madeBy(tag, uuid.New(), secret, now))
		require.False(t, code.madeBy(OrgTag(uuid.New()), session, secret, now))
		require.False(t, code.madeBy(tag, session, []byte("another secret"), now))
	})

	// Independently: printf 'T1.b3Jn1Q.AZOlwnsecACAAAEjRWeJqw.59840761' | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102…1f, its
	// first eight bytes to the base of the letters. code.test.ts has the same.
	t.Run("a typed code equals the one that the phone makes", func(t *testing.T) {
		session := uuid.MustParse("0193a5c2-7b1e-7000-8000-0123456789ab")
		secret := make([]byte, 32)
		for i := range secret {
			secret[i] = byte(i)
		}
		require.Equal(t, "HSEXW", proof("b3Jn1Q", session, secret, 59840761))
	})
}
