package reports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/report"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/otp"
	"welovevoucher/tenants/staff"
)

// ErrTooManySubscriptions says that an account gets ten reports by e-mail already.
var ErrTooManySubscriptions = fault.New(fault.Conflict, "report.too_many_subscriptions", "You get ten reports by e-mail already")

// maxSubscriptions is how many reports one account may get by e-mail.
const maxSubscriptions = 10

// ToSubscribe is what a code shows: that who subscribes reads what arrives at an address.
const ToSubscribe = otp.Purpose("report")

// Every is how many days one e-mail is of.
type Every string

// A day, a week from Monday to Sunday, a month.
const (
	Day   Every = "day"
	Week  Every = "week"
	Month Every = "month"
)

// last returns the last of the days that an e-mail is of which has day.
func (e Every) last(day time.Time) time.Time {
	switch e {
	case Week:
		return day.AddDate(0, 0, (7-int(day.Weekday()))%7)
	case Month:
		return time.Date(day.Year(), day.Month()+1, 0, 0, 0, 0, 0, time.UTC)
	default:
		return day
	}
}

// first returns the first of them.
func (e Every) first(day time.Time) time.Time {
	switch e {
	case Week:
		return e.last(day).AddDate(0, 0, -6)
	case Month:
		return time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)
	default:
		return day
	}
}

// due returns when the e-mail is due that begins with the day from: in the hour after its last day.
func (e Every) due(from time.Time, hour int) time.Time {
	return clock.Start(e.last(from).AddDate(0, 0, 1)).Add(time.Duration(hour) * time.Hour)
}

// SubscribeInput asks for a report by e-mail.
type SubscribeInput struct {
	Report string         `json:"report" maxLength:"40"`
	Filter map[string]any `json:"filter" doc:"As the report's own call takes it, without from and to"`
	Format string         `json:"format" enum:"csv,xlsx"`
	Every  Every          `json:"every" enum:"day,week,month" doc:"What one e-mail is of; a week ends on Sunday"`
	Hour   int            `json:"hour" minimum:"0" maximum:"23" doc:"In Bangkok, when it comes on the day after"`
	Email  string         `json:"email" minLength:"6" maxLength:"254"`
	Code   string         `json:"code" pattern:"^[0-9]{6}$" doc:"That was sent to the address"`
}

// Subscription is a report that an account gets by e-mail.
type Subscription struct {
	ID        uuid.UUID       `json:"id"`
	Report    string          `json:"report"`
	Filter    json.RawMessage `json:"filter"`
	Format    string          `json:"format" enum:"csv,xlsx"`
	Every     Every           `json:"every" enum:"day,week,month"`
	Hour      int             `json:"hour"`
	Email     string          `json:"email" doc:"The address, of which the part before the @ has only its first letter"`
	NextAt    time.Time       `json:"next_at" doc:"UTC"`
	SentAt    *time.Time      `json:"sent_at" nullable:"true" doc:"UTC; when the latest went"`
	FailedAt  *time.Time      `json:"failed_at" nullable:"true" doc:"UTC; when the latest was given up"`
	Mine      bool            `json:"mine" doc:"The reader's own"`
	StaffName string          `json:"staff_name" doc:"Whose it is"`
}

const (
	subscriptionColumns = `r.id, r.report, r.filter, r.format, r.every, r.hour, r.address, r.next_at, r.sent_at, r.failed_at, r.staff_id, s.name`
	insertSubscription  = `INSERT INTO report_subscription (id, staff_id, report, filter, format, lang, every, hour, address, from_day, next_at, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`
	subscriptionsOf = `SELECT count(*) FROM report_subscription WHERE staff_id = $1`
	// Of one account, or of all.
	listSubscriptions = `SELECT ` + subscriptionColumns + ` FROM report_subscription r JOIN staff s ON s.id = r.staff_id
		WHERE $1::uuid IS NULL OR r.staff_id = $1 ORDER BY r.id LIMIT 1000`
	deleteSubscription = `DELETE FROM report_subscription WHERE id = $1 AND staff_id = $2 RETURNING report`
)

// Subscriptions sends reports by e-mail.
type Subscriptions struct {
	db       *db.DB
	files    *report.Engine
	codes    *otp.Service
	sender   mail.Sender
	box      *secret.Box
	orgs     *org.Directory
	accounts *staff.Service
	may      staff.May
}

// NewSubscriptions returns the service.
func NewSubscriptions(d *db.DB, files *report.Engine, codes *otp.Service, sender mail.Sender, box *secret.Box, orgs *org.Directory, accounts *staff.Service, may staff.May) *Subscriptions {
	return &Subscriptions{d, files, codes, sender, box, orgs, accounts, may}
}

// SendCode sends a code to an address at which an account wants reports. It returns mail.ErrAddress at email, or what
// otp.Service.RequestByEmail returns.
func (s *Subscriptions) SendCode(ctx context.Context, who token.Session, email, lang string) (otp.Sent, error) {
	if !mail.ValidAddress(email) {
		return otp.Sent{}, fault.At("email", mail.ErrAddress)
	}
	shop, err := s.orgs.ByID(ctx, who.Org)
	if err != nil {
		return otp.Sent{}, err
	}
	return s.codes.RequestByEmail(ctx, who, ToSubscribe, email, otp.Text{Shop: shop.Name(lang), Lang: lang})
}

// Subscribe has a report sent by e-mail from the days on that have not ended. The caller may see the report. It returns report.ErrUnknown, fault.BadInput
// for a wrong filter, ErrTooManySubscriptions, or what otp.Service.VerifyEmail returns.
func (s *Subscriptions) Subscribe(ctx context.Context, who token.Session, actor auditlog.Actor, in SubscribeInput, lang string) (Subscription, error) {
	if !mail.ValidAddress(in.Email) {
		return Subscription{}, fault.At("email", mail.ErrAddress)
	}
	about, err := s.files.Describe(ctx, who.Org, in.Report)
	if err != nil {
		return Subscription{}, err
	}
	today := clock.Day(s.db.Now())
	if _, err := s.filterOf(about, in.Filter, today, today); err != nil {
		return Subscription{}, err
	}
	filter, err := json.Marshal(in.Filter)
	if err != nil {
		return Subscription{}, fmt.Errorf("filter of a subscription: %w", err)
	}
	if err := s.codes.VerifyEmail(ctx, who, ToSubscribe, in.Email, in.Code); err != nil {
		return Subscription{}, err
	}
	id := db.NewID()
	address, err := s.box.Seal(addressOf(who.Org, id), []byte(in.Email))
	if err != nil {
		return Subscription{}, err
	}
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		staff.Lock(tx, who.Subject)
		var n int
		if err := tx.QueryRow(ctx, subscriptionsOf, who.Subject).Scan(&n); err != nil {
			return err
		}
		if n >= maxSubscriptions {
			return ErrTooManySubscriptions
		}
		from := in.Every.first(clock.Day(tx.Now))
		_, err := tx.Exec(ctx, insertSubscription, id, who.Subject, in.Report, filter, in.Format, lang, in.Every, in.Hour, address, from, in.Every.due(from, in.Hour), tx.Now)
		if err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, actor, "subscribe", "report/"+in.Report, nil, map[string]string{"email": mail.Mask(in.Email), "every": string(in.Every)})
	})
	if err != nil {
		return Subscription{}, err
	}
	list, err := s.List(ctx, who, false)
	for _, one := range list {
		if one.ID == id {
			return one, err
		}
	}
	return Subscription{}, errors.Join(fault.Missing, err)
}

// filterOf returns the filter of a report for the days from to to.
func (s *Subscriptions) filterOf(about report.Description, filter map[string]any, from, to time.Time) (json.RawMessage, error) {
	all := map[string]any{}
	maps.Copy(all, filter)
	delete(all, "from")
	delete(all, "to")
	if about.Days {
		all["from"], all["to"] = from.Format(time.DateOnly), to.Format(time.DateOnly)
	}
	text, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("filter of a subscription: %w", err)
	}
	return text, s.files.Check(about.Name, text)
}

// addressOf is where an address is sealed for.
func addressOf(organisation, id uuid.UUID) secret.AAD {
	return secret.AAD{Org: organisation, Column: "report_subscription.address", Row: id}
}

// List returns the subscriptions of an account, or of all accounts.
func (s *Subscriptions) List(ctx context.Context, who token.Session, all bool) (list []Subscription, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, listSubscriptions, unless(all, who.Subject))
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (one Subscription, err error) {
			var sealed []byte
			var of uuid.UUID
			err = row.Scan(&one.ID, &one.Report, &one.Filter, &one.Format, &one.Every, &one.Hour, &sealed, &one.NextAt, &one.SentAt, &one.FailedAt, &of, &one.StaffName)
			if err != nil {
				return one, err
			}
			address, err := s.box.Open(addressOf(who.Org, one.ID), sealed)
			one.Email, one.Mine = mail.Mask(string(address)), of == who.Subject
			return one, err
		})
		return err
	})
	return list, err
}

// unless returns an account for SQL: NULL for all.
func unless(all bool, account uuid.UUID) *uuid.UUID {
	if all {
		return nil
	}
	return &account
}

// Remove ends a subscription of an account. It returns fault.Missing if that has no such one.
func (s *Subscriptions) Remove(ctx context.Context, who token.Session, actor auditlog.Actor, id uuid.UUID) error {
	return s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		var name string
		err := tx.QueryRow(ctx, deleteSubscription, id, who.Subject).Scan(&name)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.Missing
		}
		if err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, actor, "unsubscribe", "report/"+name, nil, nil)
	})
}

const (
	anyDueReports = `SELECT EXISTS (SELECT FROM report_subscription WHERE next_at <= $1)`
	dueReports    = `SELECT id, every, hour, from_day FROM report_subscription WHERE next_at <= $1 ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED`
	sendNext      = `UPDATE report_subscription SET from_day = $2, next_at = $3 WHERE id = $1`
)

// AnyDue reports whether EnqueueDue has anything to do.
func AnyDue(ctx context.Context, tx db.Tx) (some bool, err error) {
	err = tx.QueryRow(ctx, anyDueReports, tx.Now).Scan(&some)
	return some, err
}

// EnqueueDue enqueues an e-mail for each subscription whose days are over: one of all days that have ended since the one before.
func EnqueueDue(ctx context.Context, tx db.Tx) error {
	type due struct {
		ID    uuid.UUID
		Every Every
		Hour  int
		From  time.Time
	}
	rows, err := tx.Query(ctx, dueReports, tx.Now)
	if err != nil {
		return fmt.Errorf("reports that are due: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[due])
	if err != nil {
		return fmt.Errorf("reports that are due: %w", err)
	}
	for _, one := range list {
		next := one.From
		for !one.Every.due(next, one.Hour).After(tx.Now) {
			next = one.Every.last(next).AddDate(0, 0, 1)
		}
		job := MailJob{ID: one.ID, Key: db.NewID(), From: one.From, To: next.AddDate(0, 0, -1), CreatedAt: tx.Now}
		if err := queue.Enqueue(ctx, tx, job); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, sendNext, one.ID, next, one.Every.due(next, one.Hour)); err != nil {
			return err
		}
	}
	return nil
}
