package member_test

import (
	"context"
	"encoding/base64"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/presence"
	"welovevoucher/tenants/servicepoint"
	"welovevoucher/tenants/tenanttest"
)

// counter is a world with a member, whose phone shows his card to staff.
type counter struct {
	*world
	live       *member.Live
	ann, staff token.Session
	place      uuid.UUID
	number     string
}

func newCounter(t *testing.T) *counter {
	w := newWorld(t)
	c := &counter{w, member.NewLive(w.DB, w.Box(), w.Session), w.Customer(0), w.Staff(), w.ServicePoint(), ""}
	at, err := c.apply(c.ann, c.cardType("months", 1, "none", 3))
	require.NoError(t, err)
	c.number = at.Card.Number
	c.ann = c.signIn(t, c.ann)
	return c
}

// signIn opens a session of a customer's phone.
func (c *counter) signIn(t *testing.T, who token.Session) token.Session {
	plain, err := c.Session.Open(t.Context(), token.User, c.Org, who.Subject, "")
	require.NoError(t, err)
	found, err := c.Session.Find(t.Context(), plain)
	require.NoError(t, err)
	return found
}

// codes are what a phone shows at a moment.
func (c *counter) codes(t *testing.T, who token.Session, at time.Time) (qr, typed string) {
	k, err := c.live.Key(t.Context(), who)
	require.NoError(t, err)
	plain, err := base64.RawURLEncoding.DecodeString(k.Secret)
	require.NoError(t, err)
	require.Equal(t, presence.TagOf(c.Org), k.OrgTag)
	return presence.Codes(c.Org, k.ID, plain, at)
}

func (c *counter) scan(code string) (member.Seen, error) {
	return c.live.Scan(context.Background(), c.staff, member.ScanInput{Code: code, ServicePoint: c.place})
}

// TestScan: a code opens one presence, in its step and the next one, for the staff and the place that read it, and shows who stands there.
func TestScan(t *testing.T) {
	c := newCounter(t)
	c.Force(`UPDATE customer SET picture_url = 'https://profile.line-scdn.net/ann' WHERE id = $1`, c.ann.Subject)
	buyer := c.Customer(500_00)
	v := c.MustBuy(buyer, c.Package(tenanttest.Package{Price: 100_00, Items: 3}))
	c.Force(`UPDATE voucher SET holder_id = $2 WHERE id = $1`, v.ID, c.ann.Subject)
	now := c.Clock.Now()
	qr, typed := c.codes(t, c.ann, now)

	seen, err := c.scan(" " + qr + "\n")
	require.NoError(t, err)
	require.Equal(t, []any{"พิมพ์ชนก สุขใจ", "", c.number, "Card", int16(3), "0146"}, []any{seen.Name, seen.PictureURL, seen.Number, seen.TypeEN, seen.Level, seen.Mobile})
	require.Len(t, seen.Vouchers, 1)
	require.EqualValues(t, 3, seen.Vouchers[0].Left)
	require.WithinDuration(t, now.Add(presence.Lifetime), seen.Until, 10*time.Second)
	require.EqualValues(t, 1, c.Count(`SELECT count(*) FROM presence WHERE id = $1 AND customer_id = $2 AND staff_id = $3 AND service_point_id = $4 AND means = 'qr'`, seen.Presence, c.ann.Subject, c.staff.Subject, c.place))

	_, err = c.scan(qr)
	require.Equal(t, presence.ErrReplayed, err, "a step proves it once")
	_, err = c.scan(c.number + " " + typed)
	require.Equal(t, presence.ErrReplayed, err, "typed or scanned")

	c.Force(`DELETE FROM presence`)
	spaced := c.number[:len(c.number)-8] + " " + c.number[len(c.number)-8:len(c.number)-4] + "-" + c.number[len(c.number)-4:] + " " + typed[:3] + " " + typed[3:]
	_, err = c.scan(spaced)
	require.NoError(t, err)
	require.EqualValues(t, 1, c.Count(`SELECT count(*) FROM presence WHERE means = 'typed'`))

	last, _ := c.codes(t, c.ann, now.Add(-30*time.Second))
	_, err = c.scan(last)
	require.NoError(t, err, "the step before")
	old, oldTyped := c.codes(t, c.ann, now.Add(-90*time.Second))
	_, err = c.scan(old)
	require.Equal(t, member.ErrCodeStale, err)
	_, err = c.scan(c.number + oldTyped)
	require.Equal(t, member.ErrCodeUnknown, err)

	text := c.Text("pdpa", "customer")
	c.Force(`UPDATE consent_version SET purpose = 'member' WHERE id = $1`, text)
	c.Force(`INSERT INTO consent (id, customer_id, version_id, text_hash, lang, channel, address, at) VALUES (gen_random_uuid(), $1, $2, '\x00', 'th', 'test', '', now())`, c.ann.Subject, text)
	c.Force(`DELETE FROM presence`)
	seen, err = c.scan(qr)
	require.NoError(t, err)
	require.NotEmpty(t, seen.PictureURL, "he agreed to the texts for members")

	c.In(func(ctx context.Context, tx db.Tx) error {
		held, err := c.Of(ctx, tx, c.ann.Subject)
		require.NoError(t, err)
		require.Len(t, held.Seen, 1)
		require.Equal(t, "Thong Lo", held.Seen[0].ServicePointEN)
		return c.Member.Erase(ctx, tx, c.ann.Subject)
	})
	require.Zero(t, c.Count(`SELECT count(*) FROM presence`)+c.Count(`SELECT count(*) FROM card_key`))
}

// of is a code as if it were of another key.
func of(key uuid.UUID, qr string) string {
	parts := strings.Split(qr, ".")
	parts[2] = base64.RawURLEncoding.EncodeToString(key[:])
	return strings.Join(parts, ".")
}

// TestScanCheats: nobody else's code, and none of who may not show his card, opens a presence.
func TestScanCheats(t *testing.T) {
	c := newCounter(t)
	now := c.Clock.Now()
	qr, typed := c.codes(t, c.ann, now)
	cases := map[string]struct {
		code string
		is   error
	}{
		"nonsense":                    {"M1.x", member.ErrCodeUnknown},
		"another shop's":              {"M1." + presence.TagOf(uuid.New()) + qr[9:], member.ErrOtherShop},
		"another key's":               {of(uuid.New(), qr), member.ErrCodeUnknown},
		"one whose MAC was changed":   {qr[:len(qr)-2] + "AA", member.ErrCodeUnknown},
		"a number that is nobody's":   {"ZZ00000000" + typed, member.ErrCodeUnknown},
		"digits that are not of it":   {c.number + "000000", member.ErrCodeUnknown},
		"the number without anything": {c.number, member.ErrCodeUnknown},
	}
	if typed == "000000" {
		delete(cases, "digits that are not of it")
	}
	for name, cheat := range cases {
		_, err := c.scan(cheat.code)
		require.Equal(t, cheat.is, err, name)
	}

	other := c.ServicePoint()
	c.Force(`INSERT INTO service_point_staff (service_point_id, staff_id) VALUES ($1, $2)`, other, c.owner.ID)
	_, err := c.live.Scan(t.Context(), c.staff, member.ScanInput{Code: qr, ServicePoint: other})
	require.Equal(t, servicepoint.ErrNotStaff, err)
	require.Zero(t, c.Count(`SELECT count(*) FROM presence`))

	t.Run("two at once", func(t *testing.T) {
		var all sync.WaitGroup
		errs := make([]error, 6)
		for i := range errs {
			all.Go(func() { _, errs[i] = c.scan(qr) })
		}
		all.Wait()
		var opened int
		for _, err := range errs {
			if err == nil {
				opened++
			} else {
				require.Equal(t, presence.ErrReplayed, err)
			}
		}
		require.Equal(t, 1, opened)
	})
	c.Force(`DELETE FROM presence`)

	t.Run("a session that has ended", func(t *testing.T) {
		phone := c.signIn(t, c.ann)
		theirs, _ := c.codes(t, phone, now)
		require.NoError(t, c.Session.Revoke(t.Context(), phone.Hash))
		_, err := c.scan(theirs)
		require.Equal(t, member.ErrCodeOver, err)
	})
	t.Run("a phone that has not asked for seven days", func(t *testing.T) {
		phone := c.signIn(t, c.ann)
		theirs, _ := c.codes(t, phone, now)
		c.Force(`UPDATE card_key SET made_at = made_at - interval '8 days', expires_at = expires_at - interval '8 days' WHERE session_hash = $1`, phone.Hash)
		_, err := c.scan(theirs)
		require.Equal(t, member.ErrCodeOver, err)
		c.In(func(ctx context.Context, tx db.Tx) error { return c.EndDue(ctx, tx) })
		_, err = c.scan(theirs)
		require.Equal(t, member.ErrCodeUnknown, err)
	})
	t.Run("an account that is suspended", func(t *testing.T) {
		c.Force(`UPDATE customer SET status = 4 WHERE id = $1`, c.ann.Subject)
		_, err := c.scan(qr)
		require.Equal(t, customer.ErrSuspended, err)
		_, err = c.live.Key(t.Context(), c.ann)
		require.Equal(t, customer.ErrSuspended, err)
		c.Force(`UPDATE customer SET status = 5 WHERE id = $1`, c.ann.Subject)
	})
	t.Run("a card that is suspended, and its old codes once it is not", func(t *testing.T) {
		var id uuid.UUID
		c.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT id FROM membership`).Scan(&id)
		})
		require.NoError(t, c.SetStatus(t.Context(), c.Org, c.owner, []uuid.UUID{id}, 4))
		_, err := c.live.Key(t.Context(), c.ann)
		require.Equal(t, member.ErrSuspended, err)
		require.Zero(t, c.Count(`SELECT count(*) FROM card_key`))
		_, err = c.scan(qr)
		require.Equal(t, member.ErrCodeUnknown, err)
		require.NoError(t, c.SetStatus(t.Context(), c.Org, c.owner, []uuid.UUID{id}, 5))
		_, err = c.scan(qr)
		require.Equal(t, member.ErrCodeUnknown, err)
		again, _ := c.codes(t, c.ann, now)
		_, err = c.scan(again)
		require.NoError(t, err)
	})
	t.Run("a card whose last day has passed", func(t *testing.T) {
		qr, _ := c.codes(t, c.ann, now.Add(-30*time.Second))
		c.pass(60)
		_, err := c.scan(qr)
		require.Equal(t, member.ErrExpired, err)
		_, err = c.live.Key(t.Context(), c.ann)
		require.Equal(t, member.ErrExpired, err)
	})
	t.Run("who never had a card", func(t *testing.T) {
		_, err := c.live.Key(t.Context(), c.Customer(0))
		require.Equal(t, member.ErrNoMember, err)
	})
}

// TestKey: a session keeps its key, which another one does not have.
func TestKey(t *testing.T) {
	c := newCounter(t)
	one, err := c.live.Key(t.Context(), c.ann)
	require.NoError(t, err)
	again, err := c.live.Key(t.Context(), c.ann)
	require.NoError(t, err)
	require.Equal(t, []string{one.ID.String(), one.Secret}, []string{again.ID.String(), again.Secret})
	other, err := c.live.Key(t.Context(), c.signIn(t, c.ann))
	require.NoError(t, err)
	require.NotEqual(t, one.Secret, other.Secret)
	plain, err := base64.RawURLEncoding.DecodeString(one.Secret)
	require.NoError(t, err)
	require.Zero(t, c.Count(`SELECT count(*) FROM card_key WHERE secret = $1`, plain), "it is sealed")
}

// TestFind: a member is found by the whole number of his card or of his phone, by staff at their own place, and shows nothing that he would have to show his card for.
func TestFind(t *testing.T) {
	c := newCounter(t)
	find := func(number string) ([]member.Found, error) {
		list, err := c.live.Find(context.Background(), c.staff, member.FindInput{Number: number, ServicePoint: c.place})
		return list.Data, err
	}
	letters, digits := c.number[:len(c.number)-8], c.number[len(c.number)-8:]
	spaced := letters + " " + digits[:4] + "-" + digits[4:]
	for _, number := range []string{c.number, strings.ToLower(spaced), "089 555 0146", "+66895550146"} {
		found, err := find(number)
		require.NoError(t, err, number)
		require.Len(t, found, 1, number)
		require.Equal(t, []any{"พิมพ์ชนก สุขใจ", "", c.number, "0146", member.Active}, []any{found[0].Name, found[0].PictureURL, found[0].Number, found[0].Mobile, found[0].State})
	}
	for _, number := range []string{"0895550147", letters + "00000000"} {
		_, err := find(number)
		require.Equal(t, member.ErrNobody, err, number)
	}
	for _, number := range []string{"0146", "พิมพ์ชนก", letters + digits[:7], c.number + "123456"} {
		_, err := find(number)
		require.Equal(t, fault.At("number", fault.WrongFormat), err, number)
	}
	other := c.ServicePoint()
	c.Force(`INSERT INTO service_point_staff (service_point_id, staff_id) VALUES ($1, $2)`, other, c.owner.ID)
	_, err := c.live.Find(t.Context(), c.staff, member.FindInput{Number: c.number, ServicePoint: other})
	require.Equal(t, servicepoint.ErrNotStaff, err)

	sister := c.Customer(0)
	_, err = c.apply(sister, c.cardType("endless", 0, "none", 1))
	require.NoError(t, err)
	found, err := find("0895550146")
	require.NoError(t, err)
	require.Len(t, found, 2, "one phone of a family")

	c.pass(40)
	found, err = find(c.number)
	require.NoError(t, err)
	require.Equal(t, member.Expired, found[0].State, "also before a worker has ended it")
	_, err = c.Leave(t.Context(), sister, by(sister))
	require.NoError(t, err)
	found, err = find("0895550146")
	require.NoError(t, err)
	require.Len(t, found, 1, "who has left is not found")
}
