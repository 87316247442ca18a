package reports

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/url"
	"strconv"
	texttemplate "text/template"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"go.uber.org/zap"

	"welovevoucher/platform/access"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/log"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/money"
	"welovevoucher/platform/report"
	"welovevoucher/platform/strictjson"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
)

// MailJob sends one e-mail of a subscription.
type MailJob struct {
	ID        uuid.UUID `json:"id"`
	Key       uuid.UUID `json:"key"`
	From      time.Time `json:"from"`
	To        time.Time `json:"to"`
	CreatedAt time.Time `json:"created_at"`
}

// Kind implements queue.Job.
func (MailJob) Kind() string { return "report.mail" }

const (
	// triedFor is how long an e-mail is tried whose server does not answer.
	triedFor = 12 * time.Hour
	// maxAttached is how many bytes a file may have that goes with an e-mail. A larger one is fetched from the report's screen.
	maxAttached = 5 << 20
)

const (
	subscription = `SELECT staff_id, report, filter, format, lang, address FROM report_subscription WHERE id = $1`
	sent         = `UPDATE report_subscription SET sent_at = $2, failed_at = NULL WHERE id = $1`
	gaveUp       = `UPDATE report_subscription SET failed_at = $2 WHERE id = $1`
	endOfAccount = `DELETE FROM report_subscription WHERE staff_id = $1`
)

// subscribed is a subscription as a worker needs it.
type subscribed struct {
	Staff   uuid.UUID
	Report  string
	Filter  []byte
	Format  string
	Lang    string
	Address []byte
}

// Deliver sends an e-mail of a subscription, if it is still there. It ends all subscriptions of an account that is not active any more. What its account
// may not see any more, what the server refuses for ever, and what it has not taken for hours, is given up.
func (s *Subscriptions) Deliver(ctx context.Context, organisation uuid.UUID, job MailJob) error {
	var of subscribed
	err := s.db.ReadInOrg(ctx, organisation, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, subscription, job.ID)
		if err != nil {
			return err
		}
		of, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[subscribed])
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // ended meanwhile
	}
	if err != nil {
		return fmt.Errorf("subscription %s: %w", job.ID, err)
	}
	account, err := s.accounts.Account(ctx, token.Session{Org: organisation, Subject: of.Staff, Audience: token.Owner})
	if errors.Is(err, fault.NoSession) {
		return s.change(ctx, organisation, endOfAccount, of.Staff)
	}
	if err != nil {
		return err
	}
	about, err := s.files.Describe(ctx, organisation, of.Report)
	if err != nil {
		return err
	}
	module, err := s.files.Module(of.Report)
	if err != nil {
		return err
	}
	sees, err := s.may(ctx, organisation, account, module, access.See)
	if err != nil {
		return err
	}
	if !sees {
		return s.change(ctx, organisation, gaveUp, job.ID, s.db.Now())
	}
	message, err := s.compose(ctx, organisation, of, about, job)
	if err != nil {
		return err
	}
	err = s.sender.Send(ctx, message)
	switch {
	case err == nil:
		return s.change(ctx, organisation, sent, job.ID, s.db.Now())
	case errors.Is(err, mail.ErrRefused) || errors.Is(err, mail.ErrAddress) || s.db.Now().Sub(job.CreatedAt) > triedFor:
		log.From(ctx).Warn("a report was not sent", zap.Stringer("key", job.Key), zap.Error(err))
		return s.change(ctx, organisation, gaveUp, job.ID, s.db.Now())
	}
	return err
}

func (s *Subscriptions) change(ctx context.Context, organisation uuid.UUID, sql string, args ...any) error {
	return s.db.InOrg(ctx, organisation, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	})
}

var (
	//go:embed mail.html
	mailHTML string
	//go:embed mail.txt
	mailText string

	asHTML = template.Must(template.New("mail").Parse(mailHTML))
	asText = texttemplate.Must(texttemplate.New("mail").Parse(mailText))
)

// page is what the templates read.
type page struct {
	Words    map[string]string
	Shop     string
	Title    string
	Days     string // empty of a report that is of no days
	Filters  []named
	Sums     []named
	Rows     int64
	Link     string // to the report's screen; empty where the organisation has no host
	Attached bool
}

type named struct{ Name, Value string }

func (s *Subscriptions) compose(ctx context.Context, organisation uuid.UUID, of subscribed, about report.Description, job MailJob) (m mail.Message, err error) {
	var kept map[string]any
	if err := strictjson.Unmarshal(of.Filter, &kept); err != nil {
		return m, fmt.Errorf("filter of subscription %s: %w", job.ID, err)
	}
	filter, err := s.filterOf(about, kept, job.From, job.To)
	if err != nil {
		return m, err
	}
	shop, err := s.orgs.ByID(ctx, organisation)
	if err != nil {
		return m, err
	}
	screen, err := s.files.Screen(ctx, organisation, of.Report, filter, "")
	if err != nil {
		return m, err
	}
	p := newPage(shop, of, about, filter, screen, job)
	file := &bounded{}
	err = s.files.Write(ctx, organisation, report.Request{Report: of.Report, Filter: filter, Format: of.Format, Lang: of.Lang}, file)
	if err != nil && !errors.Is(err, errTooLarge) {
		return m, err
	}
	if p.Attached = err == nil; p.Attached {
		name := about.Name + "-" + job.To.Format("20060102") + "." + of.Format
		m.Files = []mail.File{{Name: name, ContentType: report.ContentTypes[of.Format], Content: file.Bytes()}}
	}
	address, err := s.box.Open(addressOf(organisation, job.ID), of.Address)
	if err != nil {
		return m, err
	}
	var html, text bytes.Buffer
	if err := errors.Join(asHTML.Execute(&html, p), asText.Execute(&text, p)); err != nil {
		return m, fmt.Errorf("mail of report %s: %w", of.Report, err)
	}
	m.Key, m.Sender, m.To, m.Text, m.HTML = job.Key, p.Shop, string(address), text.String(), html.String()
	m.Subject = p.Title + " " + p.Days
	if p.Days == "" {
		m.Subject = p.Title
	}
	return m, nil
}

func newPage(shop org.Org, of subscribed, about report.Description, filter json.RawMessage, screen report.Screen, job MailJob) page {
	in := func(th, en string) string {
		if of.Lang == "en" {
			return en
		}
		return th
	}
	p := page{Words: mailWords[of.Lang], Shop: shop.Name(of.Lang), Title: in(about.TH, about.EN), Rows: screen.Total}
	if about.Days {
		p.Days = job.From.Format(dayForm)
		if job.To.After(job.From) {
			p.Days += " – " + job.To.Format(dayForm)
		}
	}
	chosen := map[string]any{}
	_ = strictjson.Unmarshal(filter, &chosen) // it was made of a map
	search := url.Values{}
	for name, value := range chosen {
		search.Set(name, fmt.Sprint(value))
	}
	for _, f := range about.Filters {
		value, is := chosen[f.Name]
		if !is || value == "" {
			continue
		}
		is = false
		for _, w := range f.Words {
			if w.Value == value {
				p.Filters, is = append(p.Filters, named{in(f.TH, f.EN), in(w.TH, w.EN)}), true
			}
		}
		if !is {
			p.Filters = append(p.Filters, named{in(f.TH, f.EN), p.Words["chosen"]})
		}
	}
	for _, f := range screen.Figures {
		p.Sums = append(p.Sums, named{in(f.TH, f.EN), money.Amount(f.Amount).String()})
	}
	for _, c := range about.Columns {
		sum, is := screen.Totals[c.Name]
		switch {
		case !is:
		case c.Kind == "satang":
			p.Sums = append(p.Sums, named{in(c.TH, c.EN), money.Amount(sum).String()})
		default:
			p.Sums = append(p.Sums, named{in(c.TH, c.EN), strconv.FormatInt(sum, 10)})
		}
	}
	if shop.Host != "" {
		p.Link = "https://" + shop.Host + "/owner/" + about.Name + "?" + search.Encode()
	}
	return p
}

const dayForm = "02/01/2006"

var errTooLarge = errors.New("reports: the file is too large for an e-mail")

// bounded keeps what is written to it, up to maxAttached bytes. It returns errTooLarge beyond.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxAttached {
		return 0, errTooLarge
	}
	return b.Buffer.Write(p)
}

// mailWords are the sentences of the mail, by language.
var mailWords = map[string]map[string]string{
	"th": {
		"lang": "th", "baht": "จำนวนเงินเป็นบาท", "rows": "จำนวนแถว", "chosen": "เฉพาะที่เลือกไว้", "open": "เปิดรายงานในหลังร้าน", "attached": "ไฟล์รายงานทุกแถวแนบมากับอีเมลนี้",
		"large": "ไฟล์รายงานใหญ่เกินกว่าจะแนบมาได้ กรุณาดาวน์โหลดจากหน้ารายงาน", "why": "คุณได้รับอีเมลนี้เพราะตั้งให้ส่งรายงานนี้ทางอีเมล หยุดรับได้ที่ปุ่ม “อีเมล” ในหน้ารายงาน",
	},
	"en": {
		"lang": "en", "baht": "Amounts in baht", "rows": "Rows", "chosen": "only what was chosen", "open": "Open the report in the back office", "attached": "A file with every row is attached.",
		"large": "The file is too large to be attached. Please download it from the report.", "why": "You get this e-mail because you asked for this report by e-mail. Stop it with the button “E-mail” of the report.",
	},
}
