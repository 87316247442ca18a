package otp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/onetime"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/sms"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/otp"
)

const (
	number  = "081-234-5678"
	purpose = otp.Purpose("mobile")
)

var (
	sixDigits = regexp.MustCompile(`\b[0-9]{6}\b`)
	shop      = otp.Text{Shop: "Ann's  Spa", Lang: "en"}
)

// phone records the texts that are sent, and refuses them with err.
type phone struct {
	mu    sync.Mutex
	err   error
	to    string
	texts []string
}

func (p *phone) Send(_ context.Context, _ uuid.UUID, mobile, text string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.to, p.texts = mobile, append(p.texts, text)
	return p.err
}

// code is the last code that was sent.
func (p *phone) code() string { return sixDigits.FindString(p.texts[len(p.texts)-1]) }

// mailbox records the mails that are sent, and refuses them with err.
type mailbox struct {
	absent bool
	err    error
	mails  []mail.Message
}

func (m *mailbox) Ready() bool { return !m.absent }

func (m *mailbox) Send(_ context.Context, one mail.Message) error {
	m.mails = append(m.mails, one)
	return m.err
}

type fixture struct {
	*otp.Service
	phone  *phone
	mail   *mailbox
	server *miniredis.Miniredis
	ann    token.Session
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	server := miniredis.RunT(t)
	client := redis.NewClient(&redis.Options{Addr: server.Addr(), MaxRetries: -1})
	box, err := secret.New(bytes.Repeat([]byte{1}, 32))
	require.NoError(t, err)
	p, m := &phone{}, &mailbox{}
	return fixture{otp.New(onetime.New(client), ratelimit.New(client), p, m, box), p, m, server, newSession(uuid.New())}
}

func newSession(org uuid.UUID) token.Session {
	id := uuid.New()
	return token.Session{Audience: token.User, Org: org, Subject: id, Hash: id[:], Address: "198.51.100.7"}
}

func (f fixture) mustRequest(t *testing.T) string {
	t.Helper()
	_, err := f.Request(t.Context(), f.ann, purpose, number, shop)
	require.NoError(t, err)
	return f.phone.code()
}

// wrong returns a code that is not this one.
func wrong(code string) string { return string('0'+(code[0]-'0'+1)%10) + code[1:] }

func TestVerify(t *testing.T) {
	t.Run("a code is good once, however the number is written", func(t *testing.T) {
		f := newFixture(t)
		sent, err := f.Request(t.Context(), f.ann, purpose, number, shop)
		require.NoError(t, err)
		require.Equal(t, otp.Sent{ValidSeconds: 300, AgainSeconds: 60}, sent)
		require.Equal(t, "+66812345678", f.phone.to)
		code := f.phone.code()
		require.Equal(t, "Ann's Spa: your code is "+code+". Valid for 5 minutes.", f.phone.texts[0])
		for _, key := range f.server.Keys() {
			require.NotContains(t, key, "812345678", "Redis has no number")
		}
		require.NotContains(t, f.server.Dump(), "'"+code+"'", "Redis has no code")

		got, err := f.Verify(t.Context(), f.ann, purpose, "+66812345678", code)
		require.NoError(t, err)
		require.Equal(t, "+66812345678", got)
		_, err = f.Verify(t.Context(), f.ann, purpose, number, code)
		require.ErrorIs(t, err, otp.ErrOver, "it was used")
	})

	t.Run("the fifth wrong code ends it, even for the right one", func(t *testing.T) {
		f := newFixture(t)
		code := f.mustRequest(t)
		for left := 4; left > 0; left-- {
			_, err := f.Verify(t.Context(), f.ann, purpose, number, wrong(code))
			require.ErrorIs(t, err, otp.ErrWrong)
			require.Equal(t, otp.Left{Tries: left}, fault.From(err).Detail)
		}
		for _, try := range []string{wrong(code), code} {
			_, err := f.Verify(t.Context(), f.ann, purpose, number, try)
			require.ErrorIs(t, err, otp.ErrOver)
		}
	})

	t.Run("of many guesses at once no more than five are compared, and of many right ones one is", func(t *testing.T) {
		f := newFixture(t)
		code := f.mustRequest(t)
		wrongs := f.race(wrong(code))
		require.EqualValues(t, 4, wrongs.wrong.Load())
		require.EqualValues(t, 60, wrongs.over.Load())

		f.server.FastForward(time.Minute)
		rights := f.race(f.mustRequest(t))
		require.EqualValues(t, 1, rights.right.Load())
		require.EqualValues(t, 63, rights.over.Load())
	})

	t.Run("a code of another session, person, organisation, audience, purpose or number is not good", func(t *testing.T) {
		f := newFixture(t)
		code := f.mustRequest(t)
		session, audience := f.ann, f.ann
		session.Hash, audience.Audience = []byte("another"), token.Agent
		org := f.ann
		org.Org = uuid.New()
		for name, who := range map[string]token.Session{"session": session, "person": newSession(f.ann.Org), "organisation": org, "audience": audience} {
			_, err := f.Verify(t.Context(), who, purpose, number, code)
			require.Error(t, err, name)
		}
		_, err := f.Verify(t.Context(), f.ann, "agent", number, code)
		require.ErrorIs(t, err, otp.ErrOver)
		_, err = f.Verify(t.Context(), f.ann, purpose, "0812345679", code)
		require.ErrorIs(t, err, otp.ErrWrong)
		_, err = f.Verify(t.Context(), f.ann, purpose, number, code)
		require.NoError(t, err, "the two wrong tries of this person left three")
	})

	t.Run("a code lasts five minutes, and a new one ends it", func(t *testing.T) {
		f := newFixture(t)
		first := f.mustRequest(t)
		f.server.FastForward(time.Minute)
		second := f.mustRequest(t)
		if first != second {
			_, err := f.Verify(t.Context(), f.ann, purpose, number, first)
			require.ErrorIs(t, err, otp.ErrWrong)
		}
		f.server.FastForward(5 * time.Minute)
		_, err := f.Verify(t.Context(), f.ann, purpose, number, second)
		require.ErrorIs(t, err, otp.ErrOver)
	})
}

// outcomes counts what verifications at once came to.
type outcomes struct{ right, wrong, over, other atomic.Int64 }

func (f fixture) race(code string) *outcomes {
	var all sync.WaitGroup
	var found outcomes
	for range 64 {
		all.Go(func() {
			_, err := f.Verify(context.Background(), f.ann, purpose, number, code)
			switch {
			case err == nil:
				found.right.Add(1)
			case errors.Is(err, otp.ErrWrong):
				found.wrong.Add(1)
			case errors.Is(err, otp.ErrOver):
				found.over.Add(1)
			default:
				found.other.Add(1)
			}
		})
	}
	all.Wait()
	return &found
}

func TestRequest(t *testing.T) {
	t.Run("a number gets one code a minute, three in ten minutes and ten a day, from whatever session and organisation", func(t *testing.T) {
		f := newFixture(t)
		ask := func() error {
			_, err := f.Request(t.Context(), newSession(uuid.New()), purpose, number, shop)
			return err
		}
		require.NoError(t, ask())
		err := ask()
		require.ErrorIs(t, err, otp.ErrWait)
		require.Equal(t, otp.Wait{Seconds: 60}, fault.From(err).Detail)

		for range 24 * 60 {
			f.server.FastForward(time.Minute)
			err = ask()
			if errors.Is(err, otp.ErrEnough) {
				break
			}
		}
		require.ErrorIs(t, err, otp.ErrEnough)
		require.Len(t, f.phone.texts, 10)
		until := fault.From(err).Detail.(otp.Until).At
		require.WithinDuration(t, time.Now().Add(24*time.Hour), until, time.Hour)
	})

	t.Run("an address gets a hundred a day, for whatever numbers", func(t *testing.T) {
		f := newFixture(t)
		var err error
		for n := range 101 {
			_, err = f.Request(t.Context(), newSession(uuid.New()), purpose, fmt.Sprintf("08%08d", n), shop)
		}
		require.ErrorIs(t, err, otp.ErrEnough)
		require.Len(t, f.phone.texts, 100)
	})

	t.Run("an organisation gets two thousand a day, from whatever addresses", func(t *testing.T) {
		f := newFixture(t)
		var err error
		for n := range 2001 {
			who := newSession(f.ann.Org)
			who.Address = fmt.Sprintf("198.51.%d.%d", n/100, n%100)
			_, err = f.Request(t.Context(), who, purpose, fmt.Sprintf("08%08d", n), shop)
		}
		require.ErrorIs(t, err, otp.ErrEnough)
		require.Len(t, f.phone.texts, 2000)
	})

	t.Run("only Thai mobile numbers are sent to", func(t *testing.T) {
		f := newFixture(t)
		for _, bad := range []string{"", "021234567", "+12025550123", "0812345678,0812345679", "08123456๗8"} {
			_, err := f.Request(t.Context(), f.ann, purpose, bad, shop)
			require.ErrorIs(t, err, sms.ErrNumber, bad)
		}
		require.Empty(t, f.phone.texts)
	})

	t.Run("without Redis none is sent, and none is good", func(t *testing.T) {
		f := newFixture(t)
		code := f.mustRequest(t)
		f.server.Close()
		_, err := f.Request(t.Context(), f.ann, purpose, "0898765432", shop)
		require.Equal(t, otp.ErrUnavailable, fault.From(err))
		_, err = f.Verify(t.Context(), f.ann, purpose, number, code)
		require.Equal(t, otp.ErrUnavailable, fault.From(err))
		require.Len(t, f.phone.texts, 1)
	})

	t.Run("what the gateway refuses is unavailable, without the number and the code", func(t *testing.T) {
		f := newFixture(t)
		f.phone.err = sms.ErrRefused
		_, err := f.Request(t.Context(), f.ann, purpose, number, shop)
		require.Equal(t, otp.ErrUnavailable, fault.From(err))
		require.NotContains(t, err.Error(), f.phone.code())
		require.NotContains(t, err.Error(), "12345678")
	})

	t.Run("a text is Thai unless English is wanted, and a long name of a shop is cut", func(t *testing.T) {
		f := newFixture(t)
		_, err := f.Request(t.Context(), f.ann, purpose, number, otp.Text{Shop: strings.Repeat("ก", 80) + "\n", Lang: "th"})
		require.NoError(t, err)
		require.Equal(t, strings.Repeat("ก", 30)+": รหัสของคุณคือ "+f.phone.code()+" ใช้ได้ 5 นาที", f.phone.texts[0])
	})
}

func TestEmail(t *testing.T) {
	const address = "ann@example.com"
	t.Run("a code that came by e-mail is right once, for its address alone", func(t *testing.T) {
		f := newFixture(t)
		sent, err := f.RequestByEmail(t.Context(), f.ann, purpose, address, shop)
		require.NoError(t, err)
		require.Positive(t, sent.AgainSeconds)
		require.Len(t, f.mail.mails, 1)
		require.Equal(t, address, f.mail.mails[0].To)
		code := sixDigits.FindString(f.mail.mails[0].Text)
		require.NotEmpty(t, code)
		require.ErrorIs(t, f.VerifyEmail(t.Context(), f.ann, purpose, "bob@example.com", code), otp.ErrWrong)
		require.ErrorIs(t, f.VerifyEmail(t.Context(), newSession(f.ann.Org), purpose, address, code), otp.ErrOver)
		require.NoError(t, f.VerifyEmail(t.Context(), f.ann, purpose, "Ann@Example.com", code), "an address is the same in capitals")
		require.ErrorIs(t, f.VerifyEmail(t.Context(), f.ann, purpose, address, code), otp.ErrOver)
	})
	t.Run("another one may not be asked for at once, and not without a server", func(t *testing.T) {
		f := newFixture(t)
		_, err := f.RequestByEmail(t.Context(), f.ann, purpose, address, shop)
		require.NoError(t, err)
		_, err = f.RequestByEmail(t.Context(), f.ann, purpose, "ANN@example.com", shop)
		require.ErrorIs(t, err, otp.ErrWait)
		f.mail.absent = true
		_, err = f.RequestByEmail(t.Context(), f.ann, purpose, "bob@example.com", shop)
		require.ErrorIs(t, err, otp.ErrUnavailable)
	})
	t.Run("a server that is away is said", func(t *testing.T) {
		f := newFixture(t)
		f.mail.err = mail.ErrUnavailable
		_, err := f.RequestByEmail(t.Context(), f.ann, purpose, address, shop)
		require.ErrorIs(t, err, otp.ErrUnavailable)
	})
}
