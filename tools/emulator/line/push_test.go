package line_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/config"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/line"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/push"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tools/emulator"
	emulated "welovevoucher/tools/emulator/line"
)

const (
	loginChannel   = "1650000001"
	accountChannel = "1650000077"
	secretOfIt     = "secret-of-account"
)

// shop is an organisation with an official account at an imitated LINE, its owner and two customers.
type shop struct {
	*tenanttest.World
	t               *testing.T
	line            string // address
	push            *push.Service
	owner, ann, bob token.Session
}

func newShop(t *testing.T) *shop {
	t.Helper()
	w := tenanttest.New(t)
	imitated, err := emulated.New(emulated.Options{})
	require.NoError(t, err)
	server := httptest.NewServer(imitated.Handler())
	t.Cleanup(server.Close)
	s := &shop{World: w, t: t, line: server.URL, owner: w.Staff(), ann: w.Customer(0), bob: w.Customer(0)}
	s.push = push.New(w.DB, w.Box(), line.New(config.Line{APIURL: server.URL, AccessURL: server.URL}), org.NewDirectory(w.DB), "https://liff.line.me/")
	s.control("channels", map[string]any{"id": loginChannel, "secret": "s"})
	s.control("channels", map[string]any{"id": accountChannel, "secret": secretOfIt, "name": "Lamai"})
	s.Force(`UPDATE staff SET line_sub = $2 WHERE id = $1`, s.owner.Subject, s.inLINE("owner"))
	s.Force(`UPDATE customer SET line_sub = $2 WHERE id = $1`, s.ann.Subject, s.inLINE("ann"))
	s.Force(`UPDATE customer SET line_sub = $2 WHERE id = $1`, s.bob.Subject, s.inLINE("bob"))
	now := s.Clock.Now().In(clock.Bangkok) // no test crosses the end of a month unless it wants to
	s.Clock.Advance(time.Date(now.Year(), now.Month()+1, 10, 12, 0, 0, 0, clock.Bangkok).Sub(now))
	return s
}

// at sets the clock to the next time that it is so late in Bangkok.
func (s *shop) at(hour int) {
	now := s.Clock.Now().In(clock.Bangkok)
	next := time.Date(now.Year(), now.Month(), now.Day(), hour, 0, 0, 0, clock.Bangkok)
	if !next.After(now) {
		next = next.AddDate(0, 0, 1)
	}
	s.Clock.Advance(next.Sub(now))
}

func (s *shop) control(what string, body any) []byte {
	s.t.Helper()
	text, err := json.Marshal(body)
	require.NoError(s.t, err)
	res, err := http.Post(s.line+"/emulator/"+what, "application/json", bytes.NewReader(text))
	require.NoError(s.t, err)
	defer res.Body.Close()
	var answer bytes.Buffer
	_, err = answer.ReadFrom(res.Body)
	require.NoError(s.t, err)
	require.Equal(s.t, http.StatusOK, res.StatusCode, answer.String())
	return answer.Bytes()
}

// inLINE is a person's id at LINE.
func (s *shop) inLINE(name string) string {
	s.t.Helper()
	var answer struct {
		UserID string `json:"user_id"`
	}
	require.NoError(s.t, json.Unmarshal(s.control("login", map[string]string{"person": name, "client_id": loginChannel}), &answer))
	return answer.UserID
}

func (s *shop) by() auditlog.Actor { return auditlog.Actor{Kind: "owner", ID: s.owner.Subject} }

// connected has connected and tested the account.
func connected(t *testing.T) *shop {
	t.Helper()
	s := newShop(t)
	_, err := s.push.SaveChannel(t.Context(), s.owner, s.by(), push.ChannelInput{ChannelID: accountChannel, Secret: secretOfIt})
	require.NoError(t, err)
	a, err := s.push.Test(t.Context(), s.owner)
	require.NoError(t, err)
	require.Equal(t, "sending", a.State)
	s.Clock.Advance(time.Second)
	return s
}

// write writes a message of a kind.
func (s *shop) write(who token.Session, kind message.Kind) {
	s.t.Helper()
	s.In(func(ctx context.Context, tx db.Tx) error {
		return message.Write(ctx, tx, who.Subject, kind, db.NewID(), 0)
	})
}

// run gathers, and sends what is due, as a worker does. It returns how many sendings it tried.
func (s *shop) run() (tried int) {
	s.t.Helper()
	require.NoError(s.t, s.push.Gather(s.t.Context(), s.Org))
	return s.send()
}

func (s *shop) send() (tried int) {
	s.t.Helper()
	var due []push.SendJob
	s.In(func(ctx context.Context, tx db.Tx) error {
		rows, err := tx.Query(ctx, `UPDATE outbox SET done_at = $1 WHERE kind = 'push.send' AND done_at IS NULL AND due_at <= $1 RETURNING payload->'job'`, tx.Now)
		if err != nil {
			return err
		}
		due, err = pgx.CollectRows(rows, pgx.RowTo[push.SendJob])
		return err
	})
	for _, job := range due {
		for range 2 { // a job may be run twice
			require.NoError(s.t, s.push.Send(s.t.Context(), s.Org, job))
		}
	}
	return len(due)
}

// got are the pushes that a person has seen.
func (s *shop) got(name string) (list []emulated.Message) {
	s.t.Helper()
	res, err := http.Get(s.line + "/emulator/messages?to=" + name)
	require.NoError(s.t, err)
	defer res.Body.Close()
	require.NoError(s.t, json.NewDecoder(res.Body).Decode(&list))
	return list
}

func (s *shop) account() push.Account {
	s.t.Helper()
	a, err := s.push.Account(s.t.Context(), s.owner)
	require.NoError(s.t, err)
	return a
}

func (s *shop) fault(f emulator.Fault) {
	s.t.Helper()
	f.Path = "/v2/bot/message/push"
	s.control("faults", f)
}

func TestConnecting(t *testing.T) {
	s := newShop(t)
	a := s.account()
	require.Equal(t, "none", a.State)
	_, err := s.push.SaveChannel(t.Context(), s.owner, s.by(), push.ChannelInput{ChannelID: accountChannel, Secret: "wrong"})
	require.ErrorIs(t, err, fault.BadInput)
	_, err = s.push.SaveChannel(t.Context(), s.owner, s.by(), push.ChannelInput{ChannelID: accountChannel})
	require.ErrorIs(t, err, fault.BadInput, "there is no secret to keep")
	_, err = s.push.Test(t.Context(), s.owner)
	require.ErrorIs(t, err, push.ErrNoAccount)
	_, err = s.push.SaveLimit(t.Context(), s.owner, s.by(), push.LimitInput{})
	require.ErrorIs(t, err, push.ErrNoAccount)

	a, err = s.push.SaveChannel(t.Context(), s.owner, s.by(), push.ChannelInput{ChannelID: accountChannel, Secret: secretOfIt})
	require.NoError(t, err)
	require.Equal(t, []string{"untested", "@" + accountChannel, "Lamai", "ount"}, []string{a.State, a.BasicID, a.Name, a.SecretEnd})
	s.write(s.ann, message.OfferSold)
	require.Zero(t, s.run(), "nothing is sent before the test")
	_, err = s.push.Test(t.Context(), s.Staff())
	require.ErrorIs(t, err, push.ErrNotLinked)
	s.Force(`UPDATE staff SET line_sub = 'U0' WHERE id = $1`, s.owner.Subject)
	_, err = s.push.Test(t.Context(), s.owner)
	require.ErrorIs(t, err, push.ErrProvider)
	s.Force(`UPDATE staff SET line_sub = $2 WHERE id = $1`, s.owner.Subject, s.inLINE("owner"))
	a, err = s.push.Test(t.Context(), s.owner)
	require.NoError(t, err)
	require.Equal(t, "sending", a.State)
	require.Len(t, s.got("owner"), 1)
	require.Zero(t, s.run(), "what came before the test stays in the inbox")

	a, err = s.push.SaveChannel(t.Context(), s.owner, s.by(), push.ChannelInput{ChannelID: accountChannel})
	require.NoError(t, err)
	require.Equal(t, "untested", a.State, "a channel that is saved anew is tested anew")
	require.Zero(t, s.Count(`SELECT count(*) FROM audit_log WHERE before::text || after::text LIKE '%`+secretOfIt+`%'`))
	a, err = s.push.RemoveChannel(t.Context(), s.owner, s.by(), push.ChannelName{ChannelID: accountChannel})
	require.NoError(t, err)
	require.Equal(t, "none", a.State)
}

// TestGather: a person gets one push for all that waits, in his language; what is not pushed says why.
func TestGather(t *testing.T) {
	s := connected(t)
	_, err := s.push.Report(t.Context(), s.bob, push.Device{Lang: "en"})
	require.NoError(t, err)
	s.write(s.ann, message.GiftClaimed)
	s.write(s.ann, message.OfferSold)
	s.write(s.ann, message.MoneyToppedUp) // the inbox alone
	s.write(s.bob, message.OfferSold)
	require.Equal(t, 2, s.run())
	require.Zero(t, s.run())
	require.Len(t, s.got("ann"), 1)
	require.Contains(t, string(s.got("ann")[0].Messages), "carousel")
	require.Contains(t, string(s.got("ann")[0].Messages), "และอีก 1 เรื่อง")
	require.Len(t, s.got("bob"), 1)
	require.Contains(t, string(s.got("bob")[0].Messages), "has a new owner")
	require.Equal(t, 2, s.account().Handed)
	require.Zero(t, s.Count(`SELECT count(*) FROM push WHERE body IS NOT NULL`), "names go when it is over")

	t.Run("what was read is not pushed", func(t *testing.T) {
		s.write(s.ann, message.OfferSold)
		s.Force(`UPDATE message SET read_at = now() WHERE customer_id = $1`, s.ann.Subject)
		require.Zero(t, s.run())
	})
	t.Run("a topic that he refused stays in the inbox, what is urgent does not", func(t *testing.T) {
		_, err := s.push.Choose(t.Context(), s.ann, push.Choice{Off: []string{"sales"}})
		require.NoError(t, err)
		s.write(s.ann, message.OfferSold)
		s.write(s.ann, message.VoucherFrozen)
		require.Equal(t, 1, s.run())
		require.Contains(t, s.account().Held, push.Held{Reason: "off", Messages: 1})
		_, err = s.push.Choose(t.Context(), s.ann, push.Choice{Off: []string{}})
		require.NoError(t, err)
	})
	t.Run("at night only what is urgent", func(t *testing.T) {
		s.at(22)
		s.write(s.ann, message.OfferSold)
		require.Zero(t, s.run())
		s.write(s.ann, message.VoucherFrozen)
		require.Equal(t, 1, s.run())
		s.at(8)
		require.Equal(t, 1, s.run())
	})
	t.Run("what waits for a day is too late", func(t *testing.T) {
		s.write(s.ann, message.OfferSold)
		s.Clock.Advance(25 * time.Hour)
		require.Zero(t, s.run())
		require.Contains(t, s.account().Held, push.Held{Reason: "late", Messages: 1})
	})
	t.Run("three a week, but for what goes first", func(t *testing.T) {
		s.Clock.Advance(8 * 24 * time.Hour)
		s.at(12)
		for range 3 {
			s.write(s.bob, message.OfferSold)
			require.Equal(t, 1, s.run())
		}
		s.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `INSERT INTO message (id, customer_id, kind, subject_id, days, created_at) VALUES ($1, $2, 'gift_unopened', $1, 3, $3)`, db.NewID(), s.bob.Subject, tx.Now)
			return err
		})
		require.Zero(t, s.run())
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM message WHERE held = 'enough'`))
		s.write(s.bob, message.OfferSold)
		require.Equal(t, 1, s.run())
	})
}

func TestLimits(t *testing.T) {
	t.Run("the organisation's own limit", func(t *testing.T) {
		s := connected(t)
		one := 1
		_, err := s.push.SaveLimit(t.Context(), s.owner, s.by(), push.LimitInput{MonthlyLimit: &one})
		require.NoError(t, err)
		s.write(s.ann, message.OfferSold)
		s.write(s.bob, message.OfferSold)
		require.Equal(t, 1, s.run())
		require.Contains(t, s.account().Held, push.Held{Reason: "limit", Messages: 1})
		s.Clock.Advance(32 * 24 * time.Hour)
		s.write(s.bob, message.OfferSold)
		require.Equal(t, 1, s.run(), "another month")
	})
	t.Run("below a fifth of the quota only what goes first", func(t *testing.T) {
		s := connected(t)
		s.control("channels", map[string]any{"id": accountChannel, "secret": secretOfIt, "quota": 5})
		require.NoError(t, s.push.Count(t.Context(), s.Org)) // the test is one of five
		for range 3 {
			s.write(s.ann, message.OfferSold)
			require.Equal(t, 1, s.run())
		}
		s.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `INSERT INTO message (id, customer_id, kind, subject_id, days, created_at) VALUES ($1, $2, 'gift_unopened', $1, 3, $3)`, db.NewID(), s.bob.Subject, tx.Now)
			return err
		})
		require.Zero(t, s.run())
		require.Contains(t, s.account().Held, push.Held{Reason: "saving", Messages: 1})
		s.write(s.ann, message.OfferSold)
		require.Equal(t, 1, s.run())
		s.write(s.ann, message.OfferSold)
		require.Zero(t, s.run(), "it is spent by our own count")
		require.Contains(t, s.account().Held, push.Held{Reason: "quota", Messages: 1})
	})
	t.Run("a quota that LINE says is spent rests until the next month", func(t *testing.T) {
		s := connected(t)
		s.control("channels", map[string]any{"id": accountChannel, "secret": secretOfIt, "quota": 1})
		s.write(s.ann, message.OfferSold)
		require.Equal(t, 1, s.run())
		require.Empty(t, s.got("ann"))
		require.Equal(t, "resting", s.account().State)
		require.Contains(t, s.account().Held, push.Held{Reason: "quota", Messages: 1})
		s.control("channels", map[string]any{"id": accountChannel, "secret": secretOfIt, "quota": 10})
		require.NoError(t, s.push.Count(t.Context(), s.Org))
		require.Equal(t, "sending", s.account().State, "the owner has bought more")
		s.write(s.ann, message.OfferSold)
		require.Equal(t, 1, s.run())
		require.Len(t, s.got("ann"), 1)
	})
}

// TestAnswers: whatever LINE answers, a person sees a push once at most.
func TestAnswers(t *testing.T) {
	for name, f := range map[string]emulator.Fault{
		"500": {Kind: "status", Status: 500, Times: 2}, "429 of the rate": {Kind: "status", Status: 429, Times: 2}, "no answer to what was taken": {Kind: "lost", Times: 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := connected(t)
			s.fault(f)
			s.write(s.ann, message.OfferSold)
			require.Equal(t, 1, s.run())
			for range 5 {
				s.Clock.Advance(time.Hour)
				s.send()
			}
			require.Len(t, s.got("ann"), 1)
			require.Equal(t, []int{1, 0}, []int{s.account().Handed, s.account().Waiting})
		})
	}
	t.Run("no answer in 23 hours", func(t *testing.T) {
		s := connected(t)
		s.fault(emulator.Fault{Kind: "status", Status: 500})
		s.write(s.ann, message.OfferSold)
		tries := s.run()
		for range 30 {
			s.Clock.Advance(time.Hour)
			tries += s.send()
		}
		require.Greater(t, tries, 20)
		require.Equal(t, []int{0, 0, 1}, []int{s.account().Handed, s.account().Waiting, s.account().Unknown})
		require.Empty(t, s.got("ann"))
	})
	t.Run("a person whom LINE does not know", func(t *testing.T) {
		s := connected(t)
		s.Force(`UPDATE customer SET line_sub = 'U0' WHERE id = $1`, s.ann.Subject)
		s.write(s.ann, message.OfferSold)
		require.Equal(t, 1, s.run())
		require.Equal(t, 1, s.account().Refused)
		require.Zero(t, s.send())
	})
	t.Run("a channel that LINE takes no more", func(t *testing.T) {
		s := connected(t)
		s.control("channels", map[string]any{"id": accountChannel, "secret": "another"})
		s.write(s.ann, message.OfferSold)
		require.Equal(t, 1, s.run())
		require.Equal(t, "refused", s.account().State)
		s.write(s.ann, message.OfferSold)
		require.Zero(t, s.run())
	})
	t.Run("a person who was erased meanwhile", func(t *testing.T) {
		s := connected(t)
		s.write(s.ann, message.OfferSold)
		require.NoError(t, s.push.Gather(t.Context(), s.Org))
		s.In(func(ctx context.Context, tx db.Tx) error { return push.Erase(ctx, tx, s.ann.Subject) })
		require.Equal(t, 1, s.send())
		require.Empty(t, s.got("ann"))
	})
}

// TestFriends: who leaves the account is pushed to no more. LINE's events are taken signed, again and in any order.
func TestFriends(t *testing.T) {
	s := connected(t)
	event := func(kind, name string, at time.Time) []byte {
		return fmt.Appendf(nil, `{"destination":"U","events":[{"type":%q,"mode":"active","timestamp":%d,"source":{"type":"user","userId":%q},"webhookEventId":"1","new":{}}]}`, kind, at.UnixMilli(), s.inLINE(name))
	}
	take := func(body []byte, secret string) error {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(body)
		return s.push.HandleWebhook(t.Context(), s.Org, base64.StdEncoding.EncodeToString(mac.Sum(nil)), body)
	}
	friend := func(who token.Session) *bool {
		p, err := s.push.Person(t.Context(), who)
		require.NoError(t, err)
		require.Equal(t, "@"+accountChannel, p.Account)
		return p.Friend
	}
	now := s.Clock.Now()
	require.ErrorIs(t, take(event("unfollow", "ann", now), "forged"), line.ErrRefused)
	require.Nil(t, friend(s.ann))
	require.NoError(t, take([]byte(`{"destination":"U","events":[]}`), secretOfIt))
	for range 2 {
		require.NoError(t, take(event("unfollow", "ann", now), secretOfIt))
		require.NoError(t, take(event("follow", "ann", now.Add(-time.Minute)), secretOfIt))
		require.False(t, *friend(s.ann))
	}
	require.NoError(t, take(event("follow", "stranger", now), secretOfIt))
	s.write(s.ann, message.OfferSold)
	require.Zero(t, s.run())
	require.Contains(t, s.account().Held, push.Held{Reason: "no_friend", Messages: 1})
	require.NoError(t, take(event("follow", "ann", now.Add(time.Second)), secretOfIt))
	s.write(s.ann, message.OfferSold)
	require.Equal(t, 1, s.run())

	no := false
	_, err := s.push.Report(t.Context(), s.bob, push.Device{Lang: "th", Friend: &no})
	require.NoError(t, err)
	require.False(t, *friend(s.bob))
	_, err = s.push.Report(t.Context(), s.bob, push.Device{Lang: "en"})
	require.NoError(t, err)
	require.False(t, *friend(s.bob), "a browser that does not know says nothing")
	_, err = s.push.RemoveChannel(t.Context(), s.owner, s.by(), push.ChannelName{ChannelID: accountChannel})
	require.NoError(t, err)
	require.ErrorIs(t, take(event("follow", "ann", now), secretOfIt), push.ErrNoAccount)
}

// TestUses: "was it you?" is pushed of what was worth much, at a service point that is new to the person, or where he wishes it of each.
func TestUses(t *testing.T) {
	s := connected(t)
	counter, here, there := s.Staff(), s.ServicePoint(), s.ServicePoint()
	dee := s.Customer(10_000_00)
	s.Force(`UPDATE customer SET line_sub = $2 WHERE id = $1`, dee.Subject, s.inLINE("dee"))
	dear, cheap := s.MustBuy(dee, s.Package(tenanttest.Package{Price: 3_000_00, Items: 3})), s.MustBuy(dee, s.Package(tenanttest.Package{Price: 900_00, Items: 9}))
	use := func(v voucher.Voucher, items int64, servicePoint uuid.UUID) int {
		t.Helper()
		s.MustRedeem(dee, v.ID, items, counter, servicePoint)
		return s.run()
	}
	limit := func(from *money.Amount) {
		t.Helper()
		a, err := s.push.SaveLimit(t.Context(), s.owner, s.by(), push.LimitInput{UsesFrom: from})
		require.NoError(t, err)
		require.Equal(t, from, a.UsesFrom)
	}
	wish := func(every bool, off ...string) {
		t.Helper()
		p, err := s.push.Choose(t.Context(), dee, push.Choice{Off: append([]string{}, off...), EachUse: every})
		require.NoError(t, err)
		require.Equal(t, every, p.EachUse)
	}
	from := func(a money.Amount) *money.Amount { return &a }
	s.Clock.Advance(time.Second)
	s.Force(`DELETE FROM message`)

	require.Equal(t, from(1_000_00), s.account().UsesFrom, "while nobody has decided")
	require.Equal(t, 1, use(cheap, 1, here), "he was never here")
	require.Contains(t, string(s.got("dee")[0].Messages), "ใช่คุณหรือเปล่า")
	require.Zero(t, use(cheap, 1, here))
	require.Zero(t, use(dear, 1, here), "less than that is the organisation's, by its fee")
	require.Equal(t, 1, use(dear, 2, here))
	require.Equal(t, 1, use(cheap, 1, there), "he was never there")
	require.Zero(t, use(cheap, 1, there))
	require.EqualValues(t, 3, s.Count(`SELECT count(*) FROM message WHERE held = 'inbox'`))
	require.Empty(t, s.account().Held, "nothing was held back")

	s.Clock.Advance(8 * 24 * time.Hour) // three pushes a week are enough
	limit(from(90_00))
	require.Equal(t, 1, use(cheap, 1, here))
	limit(nil)
	require.Zero(t, use(cheap, 1, here))
	wish(true)
	s.at(23)
	require.Equal(t, 1, use(cheap, 1, here), "he wishes it, and at any hour")
	wish(true, "uses")
	require.Zero(t, use(cheap, 1, here))
	require.Equal(t, []push.Held{{Reason: "off", Messages: 1}}, s.account().Held)
	wish(false)
	require.Zero(t, use(cheap, 1, here))
	s.write(s.bob, message.UseConfirmed) // of no use that there is
	require.Equal(t, 1, s.run())
}
