package reports_test

import (
	"bytes"
	"context"
	"regexp"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"welovevoucher/api/owner"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/onetime"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/report"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/otp"
	"welovevoucher/tenants/reports"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/tenanttest"
)

// server keeps the e-mails that it is given, and answers with err.
type server struct {
	err   error
	mails []mail.Message
}

func (s *server) Ready() bool { return true }

func (s *server) Send(_ context.Context, m mail.Message) error {
	s.mails = append(s.mails, m)
	return s.err
}

// office is an organisation whose owner gets reports by e-mail.
type office struct {
	t *testing.T
	*tenanttest.World
	*reports.Subscriptions
	redis *miniredis.Miniredis
	mail  *server
	owner token.Session
	sees  bool
}

func newOffice(t *testing.T) *office {
	w := tenanttest.New(t)
	redisServer := miniredis.RunT(t)
	client := redis.NewClient(&redis.Options{Addr: redisServer.Addr()})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	o := &office{t: t, World: w, redis: redisServer, mail: &server{}, owner: w.Owner(), sees: true}
	files := report.NewEngine(w.DB, nil, staff.Lock, nil, owner.Exports()...)
	codes := otp.New(onetime.New(client), ratelimit.New(client), nil, o.mail, w.Box())
	accounts := staff.New(w.DB, nil, nil, nil, nil, nil)
	o.Subscriptions = reports.NewSubscriptions(w.DB, files, codes, o.mail, w.Box(), org.NewDirectory(w.DB), accounts,
		func(context.Context, uuid.UUID, staff.Account, string, string) (bool, error) { return o.sees, nil })
	return o
}

// again is the organisation with another owner, and without subscriptions.
func (o *office) again(t *testing.T) {
	o.Force(`DELETE FROM report_subscription`)
	o.t, o.owner, o.sees, o.mail.err, o.mail.mails = t, o.Owner(), true, nil, nil
}

var sixDigits = regexp.MustCompile(`\b[0-9]{6}\b`)

const address = "owner@example.com"

func (o *office) subscribe(in reports.SubscribeInput) (reports.Subscription, error) {
	o.t.Helper()
	o.redis.FlushAll()
	_, err := o.SendCode(o.t.Context(), o.owner, address, "th")
	require.NoError(o.t, err)
	in.Email, in.Code = address, sixDigits.FindString(o.mail.mails[len(o.mail.mails)-1].Text)
	o.mail.mails = nil
	return o.Subscribe(o.t.Context(), o.owner, o.actor(), in, "th")
}

func (o *office) actor() auditlog.Actor {
	return auditlog.Actor{Kind: token.Owner, ID: o.owner.Subject}
}

// pass moves the clock to an hour of a later day in Bangkok, and does what is due.
func (o *office) pass(days, hour int) int {
	o.t.Helper()
	o.Clock.Advance(clock.Start(clock.Day(o.Clock.Now()).AddDate(0, 0, days)).Add(time.Duration(hour) * time.Hour).Sub(o.Clock.Now()))
	return o.work()
}

func (o *office) work() int {
	o.t.Helper()
	var jobs []reports.MailJob
	o.In(func(ctx context.Context, tx db.Tx) error {
		if err := reports.EnqueueDue(ctx, tx); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `SELECT payload->'job' FROM outbox WHERE kind = 'report.mail' AND due_at = $1`, tx.Now)
		if err != nil {
			return err
		}
		jobs, err = pgx.CollectRows(rows, pgx.RowTo[reports.MailJob])
		return err
	})
	for _, job := range jobs {
		require.NoError(o.t, o.Deliver(o.t.Context(), o.Org, job))
	}
	return len(jobs)
}

func (o *office) only() reports.Subscription {
	o.t.Helper()
	list, err := o.List(o.t.Context(), o.owner, true)
	require.NoError(o.t, err)
	require.Len(o.t, list, 1)
	return list[0]
}

var everyDay = reports.SubscribeInput{Report: "daily", Filter: map[string]any{}, Format: "csv", Every: reports.Day, Hour: 7}

func TestSubscription(t *testing.T) {
	o := newOffice(t)
	t.Run("a day that is over comes once, in its hour, with its sums and a file", func(t *testing.T) {
		o.again(t)
		one, err := o.subscribe(everyDay)
		require.NoError(t, err)
		require.Equal(t, "o•••@example.com", one.Email)
		day := clock.Day(o.Clock.Now())
		buy(t, o.World, map[uuid.UUID]int{o.Package(tenanttest.Package{Price: 1234_50}): 2})

		require.Zero(t, o.pass(1, 6), "it is not seven o'clock")
		require.Equal(t, 1, o.pass(0, 8))
		require.Zero(t, o.work(), "once")
		require.Len(t, o.mail.mails, 1)
		m := o.mail.mails[0]
		require.Equal(t, address, m.To)
		require.Equal(t, "ยอดขายรายวัน "+day.Format("02/01/2006"), m.Subject)
		require.Contains(t, m.Text, "ขายได้: 2,469.00")
		require.Contains(t, m.HTML, "2,469.00")
		require.Len(t, m.Files, 1)
		require.Equal(t, "daily-"+day.Format("20060102")+".csv", m.Files[0].Name)
		require.Contains(t, string(m.Files[0].Content), "2469.00")
		require.NotNil(t, o.only().SentAt)
		require.Equal(t, 1, o.pass(1, 8), "the next one is of today")
	})

	t.Run("days that nobody sent come together", func(t *testing.T) {
		o.again(t)
		_, err := o.subscribe(everyDay)
		require.NoError(t, err)
		day := clock.Day(o.Clock.Now())
		require.Equal(t, 1, o.pass(3, 12))
		require.Equal(t, "ยอดขายรายวัน "+day.Format("02/01/2006")+" – "+day.AddDate(0, 0, 2).Format("02/01/2006"), o.mail.mails[0].Subject)
	})

	t.Run("a week ends on Sunday, a month on its last day", func(t *testing.T) {
		o.again(t)
		for _, every := range []reports.Every{reports.Week, reports.Month} {
			in := everyDay
			in.Every = every
			one, err := o.subscribe(in)
			require.NoError(t, err)
			next := one.NextAt.In(clock.Bangkok)
			require.Equal(t, 7, next.Hour())
			require.True(t, next.After(o.Clock.Now()))
			if every == reports.Week {
				require.Equal(t, time.Monday, next.Weekday())
			} else {
				require.Equal(t, 1, next.Day())
			}
		}
	})

	t.Run("without the code of the address there is none", func(t *testing.T) {
		o.again(t)
		in := everyDay
		in.Email, in.Code = address, "000000"
		_, err := o.Subscribe(t.Context(), o.owner, o.actor(), in, "th")
		require.ErrorIs(t, err, otp.ErrOver)
		_, err = o.SendCode(t.Context(), o.owner, "owner", "th")
		require.ErrorIs(t, err, fault.BadInput)
		require.Equal(t, []fault.Field{{Path: "email", Fault: mail.ErrAddress.Code}}, fault.From(err).Fields)
	})

	t.Run("a wrong filter or an unknown report is refused before the code is used", func(t *testing.T) {
		o.again(t)
		in := everyDay
		in.Filter = map[string]any{"package_id": "none"}
		_, err := o.subscribe(in)
		require.ErrorIs(t, err, fault.BadInput)
		in.Report = "customer"
		_, err = o.subscribe(in)
		require.ErrorIs(t, err, report.ErrUnknown, "a list is no report")
	})

	t.Run("ten are enough", func(t *testing.T) {
		o.again(t)
		for range 10 {
			_, err := o.subscribe(everyDay)
			require.NoError(t, err)
		}
		_, err := o.subscribe(everyDay)
		require.ErrorIs(t, err, reports.ErrTooManySubscriptions)
	})

	t.Run("who may not see the report any more gets nothing", func(t *testing.T) {
		o.again(t)
		_, err := o.subscribe(everyDay)
		require.NoError(t, err)
		o.sees = false
		o.pass(1, 8)
		require.Empty(t, o.mail.mails)
		require.NotNil(t, o.only().FailedAt)
	})

	t.Run("an account that is not active any more gets nothing, and its subscriptions end", func(t *testing.T) {
		o.again(t)
		_, err := o.subscribe(everyDay)
		require.NoError(t, err)
		o.Force(`UPDATE staff SET status = 4 WHERE id = $1`, o.owner.Subject)
		o.pass(1, 8)
		require.Empty(t, o.mail.mails)
		list, err := o.List(t.Context(), o.owner, true)
		require.NoError(t, err)
		require.Empty(t, list)
	})

	t.Run("another account sees and ends only its own", func(t *testing.T) {
		o.again(t)
		one, err := o.subscribe(everyDay)
		require.NoError(t, err)
		other := o.Owner()
		list, err := o.List(t.Context(), other, false)
		require.NoError(t, err)
		require.Empty(t, list)
		require.ErrorIs(t, o.Remove(t.Context(), other, o.actor(), one.ID), fault.Missing)
		require.NoError(t, o.Remove(t.Context(), o.owner, o.actor(), one.ID))
		require.Zero(t, o.pass(1, 8))
	})

	t.Run("one that is ended while its e-mail waits is not sent", func(t *testing.T) {
		o.again(t)
		one, err := o.subscribe(everyDay)
		require.NoError(t, err)
		require.NoError(t, o.Remove(t.Context(), o.owner, o.actor(), one.ID))
		day := clock.Day(o.Clock.Now())
		require.NoError(t, o.Deliver(t.Context(), o.Org, reports.MailJob{ID: one.ID, Key: db.NewID(), From: day, To: day, CreatedAt: o.Clock.Now()}))
		require.Empty(t, o.mail.mails)
	})

	t.Run("a server that is away is tried again, for twelve hours", func(t *testing.T) {
		o.again(t)
		one, err := o.subscribe(everyDay)
		require.NoError(t, err)
		o.mail.err = mail.ErrUnavailable
		day := clock.Day(o.Clock.Now())
		job := reports.MailJob{ID: one.ID, Key: db.NewID(), From: day, To: day, CreatedAt: o.Clock.Now()}
		require.ErrorIs(t, o.Deliver(t.Context(), o.Org, job), mail.ErrUnavailable)
		require.Nil(t, o.only().FailedAt)
		o.Clock.Advance(13 * time.Hour)
		require.NoError(t, o.Deliver(t.Context(), o.Org, job))
		require.NotNil(t, o.only().FailedAt)
		require.True(t, bytes.Equal(o.mail.mails[0].Key[:], o.mail.mails[1].Key[:]), "mailboxes show it once")
	})
}
