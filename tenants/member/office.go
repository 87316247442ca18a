package member

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/message"
)

// Row is a member as the back office lists him.
type Row struct {
	resource.Base
	Customer   uuid.UUID `json:"customer_id"`
	Number     string    `json:"number" doc:"Of the card"`
	Name       string    `json:"name"`
	PictureURL string    `json:"pictureUrl"`
	State      string    `json:"state" enum:"active,suspended,expired,left"`
	TypeID     uuid.UUID `json:"card_type_id"`
	TypeTH     string    `json:"type_name_th"`
	TypeEN     string    `json:"type_name_en"`
	Since      string    `json:"since" format:"date"`
	EndsOn     *string   `json:"ends_on" nullable:"true" format:"date" doc:"The last day; null: it has no end"`
	Mobile     string    `json:"mobile_digits" doc:"The last four"`
	Points     int64     `json:"points" doc:"That he has; below zero what he owes"`
}

// Members is the table of who is a member, or was: changed by use cases of their own.
var Members = resource.New(resource.Def[Row]{
	Name: "memberlist", Module: "memberlist", Relation: "membership", AtMost: 10_000, HasStatus: true, Sort: "-created_at",
	Statuses: []int16{resource.Suspended, resource.Active},
	Joins: `JOIN customer c ON c.id = r.customer_id JOIN member_card k ON k.membership_id = r.id
		JOIN LATERAL (SELECT version_id, application_id, ends_on FROM membership_term WHERE membership_id = r.id AND state <> 'to_come' ORDER BY state = 'running' DESC, id DESC LIMIT 1) t ON true
		JOIN card_type_version v ON v.id = t.version_id JOIN card_type y ON y.id = v.card_type_id JOIN application a ON a.id = t.application_id`,
	Columns: []resource.Column{
		{Name: "customer_id", Can: resource.Filter | resource.Lookup},
		{Name: "number", SQL: "k.number", Can: resource.Search | resource.Sort | resource.Lookup, TH: "เลขบัตร", EN: "Number"},
		{Name: "name", Can: resource.Search | resource.Sort | resource.Lookup, TH: "ชื่อ", EN: "Name"},
		{Name: "pictureUrl", SQL: "c.picture_url", Can: resource.Lookup},
		{Name: "state", Can: resource.Filter | resource.Lookup, TH: "สถานะ", EN: "State"},
		{Name: "card_type_id", SQL: "v.card_type_id", Can: resource.Filter},
		{Name: "type_name_th", SQL: "y.name_th", TH: "ประเภท (ไทย)", EN: "Type (Thai)"},
		{Name: "type_name_en", SQL: "y.name_en", TH: "ประเภท (อังกฤษ)", EN: "Type (English)"},
		{Name: "since", Date: true, Can: resource.Filter | resource.Sort, TH: "สมาชิกตั้งแต่", EN: "Member since"},
		{Name: "ends_on", SQL: "t.ends_on", Date: true, Can: resource.Filter | resource.Sort, TH: "ใช้ได้ถึง", EN: "Valid until"},
		{Name: "mobile_digits", SQL: "a.mobile_digits", TH: "มือถือ (4 ตัวท้าย)", EN: "Mobile (last four)"},
		{Name: "points", SQL: "coalesce((SELECT sum(l.points_left) FROM point_lot l WHERE l.customer_id = r.customer_id), 0)::bigint - coalesce((SELECT o.points FROM point_owed o WHERE o.customer_id = r.customer_id), 0)", TH: "แต้ม", EN: "Points"},
	},
})

// Queue has the applications that wait for an answer.
type Queue struct {
	Data []Waiting `json:"data"`
}

// Waiting is an application that waits, without what is sealed.
type Waiting struct {
	ID            uuid.UUID `json:"id"`
	Customer      uuid.UUID `json:"customer_id"`
	PictureURL    string    `json:"pictureUrl"`
	Kind          string    `json:"kind" enum:"first,renewal,upgrade"`
	TypeTH        string    `json:"type_name_th"`
	TypeEN        string    `json:"type_name_en"`
	SentAt        time.Time `json:"sent_at" doc:"UTC"`
	Name          string    `json:"name"`
	Age           *int      `json:"age" nullable:"true" doc:"In years; null where he was not asked"`
	Gender        string    `json:"gender" enum:",male,female,other"`
	Nationality   string    `json:"nationality"`
	Identity      string    `json:"identity_digits" doc:"The last four of the ID card or passport"`
	IdentityRight bool      `json:"identity_right" doc:"The last of 13 digits follows from the others, or there are not 13"`
	Mobile        string    `json:"mobile_digits" doc:"The last four"`
	Province      string    `json:"province"`
	Receipt       bool      `json:"receipt" doc:"Whether he wants receipts in a name"`

	Paid money.Amount `json:"paid_satang" doc:"What he paid, which a refusal gives back"`
	Own  bool         `json:"own" doc:"The applicant is the person of the account that asks, who cannot decide"`
	Same []Same       `json:"same" doc:"Members who have the same card or number"`
}

// Same is a member who has what an applicant has.
type Same struct {
	ID     uuid.UUID `json:"id"`
	Name   string    `json:"name"`
	Number string    `json:"number"`
	What   string    `json:"what" enum:"identity,mobile,both"`
}

const (
	waitingList = `SELECT a.id, a.customer_id, c.picture_url, a.kind, y.name_th, y.name_en, a.sent_at, a.form, a.identity_digits, a.mobile_digits, EXISTS (SELECT FROM staff s WHERE s.id = $1 AND s.line_sub = c.line_sub), ` + paidFor + `
		FROM application a JOIN customer c ON c.id = a.customer_id JOIN card_type_version v ON v.id = a.version_id JOIN card_type y ON y.id = v.card_type_id
		WHERE a.state = 'pending' ORDER BY a.sent_at, a.id LIMIT $2`
	sameAs = `SELECT m.id, m.name, k.number, CASE WHEN bool_or(o.mobile_index = a.mobile_index) AND bool_or(o.identity_index = a.identity_index) THEN 'both' WHEN bool_or(o.identity_index = a.identity_index) THEN 'identity' ELSE 'mobile' END
		FROM application a JOIN application o ON (o.mobile_index = a.mobile_index OR o.identity_index = a.identity_index) AND o.customer_id <> a.customer_id AND o.state = 'granted'
		JOIN membership m ON m.customer_id = o.customer_id JOIN member_card k ON k.membership_id = m.id WHERE a.id = $1 GROUP BY m.id, m.name, k.number ORDER BY m.id LIMIT 20`
	ownAccount   = `SELECT EXISTS (SELECT FROM staff s JOIN customer c ON c.line_sub = s.line_sub WHERE s.id = $1 AND c.id = $2)`
	customerOf   = `SELECT customer_id FROM application WHERE id = $1`
	membershipBy = `SELECT customer_id FROM membership WHERE id = ANY ($1)`
	shownWaiting = 100
)

// Waiting lists the applications that wait for an answer, the oldest first.
func (s *Service) Waiting(ctx context.Context, org, by uuid.UUID) (q Queue, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, waitingList, by, shownWaiting)
		if err != nil {
			return fmt.Errorf("applications that wait: %w", err)
		}
		today := clock.Day(tx.Now)
		q.Data, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (w Waiting, err error) {
			var sealed []byte
			if err := row.Scan(&w.ID, &w.Customer, &w.PictureURL, &w.Kind, &w.TypeTH, &w.TypeEN, &w.SentAt, &sealed, &w.Identity, &w.Mobile, &w.Own, &w.Paid); err != nil {
				return w, err
			}
			f, err := open(s.box, tx, inApplication, w.ID, sealed)
			w.Name, w.Age, w.Gender, w.Nationality, w.Province = f.Name(), f.age(today), f.Gender, f.Nationality, f.Province
			w.IdentityRight, w.Receipt = f.identityRight(), f.IssuedName != ""
			return w, err
		})
		if err != nil {
			return fmt.Errorf("applications that wait: %w", err)
		}
		for i := range q.Data {
			if q.Data[i].Same, err = same(ctx, tx, q.Data[i].ID); err != nil {
				return err
			}
		}
		return nil
	})
	return q, err
}

func same(ctx context.Context, tx db.Tx, application uuid.UUID) ([]Same, error) {
	rows, err := tx.Query(ctx, sameAs, application)
	if err != nil {
		return nil, fmt.Errorf("members like %s: %w", application, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Same])
	if err != nil {
		return nil, fmt.Errorf("members like %s: %w", application, err)
	}
	return list, nil
}

// WholeInput asks for the whole of a form, with why.
type WholeInput struct {
	ID     uuid.UUID `json:"id" doc:"Of the application"`
	Reason string    `json:"reason" minLength:"3" maxLength:"300" doc:"For the audit log"`
}

// Whole returns all that an applicant said of himself, and writes down who saw it and why. It returns fault.Missing.
func (s *Service) Whole(ctx context.Context, org uuid.UUID, by auditlog.Actor, in WholeInput) (f Form, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		a, err := readApplication(ctx, tx, applicationByID, in.ID)
		if err != nil {
			return err
		}
		if a == nil {
			return fault.Missing
		}
		if f, err = s.form(ctx, tx, in.ID); err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, by, "see", "application/"+in.ID.String(), nil, map[string]any{"reason": in.Reason})
	})
	return f, err
}

// lockAll locks customers, whose rows stand before those of their memberships.
func lockAll(ctx context.Context, tx db.Tx, ids ...uuid.UUID) error {
	customer.Lock(tx, ids...)
	return tx.Flush(ctx)
}

// decide runs an answer to an application that waits, whose customer is locked. It returns fault.Missing, ErrOver, or ErrOwn to who would decide on himself.
func (s *Service) decide(ctx context.Context, org uuid.UUID, by auditlog.Actor, id uuid.UUID, fn func(tx db.Tx, m *membership, a *application) error) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		var applicant uuid.UUID
		switch err := tx.QueryRow(ctx, customerOf, id).Scan(&applicant); {
		case err == pgx.ErrNoRows: //nolint:errorlint // Scan returns it as it is
			return fault.Missing
		case err != nil:
			return fmt.Errorf("application %s: %w", id, err)
		}
		locked := customer.Lock(tx, applicant)
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		if err := locked.Check(applicant); err != nil {
			return err
		}
		m, waiting, err := s.due(ctx, tx, applicant)
		if err != nil {
			return err
		}
		if waiting == nil || waiting.id != id {
			return ErrOver
		}
		if err := notOwn(ctx, tx, by.ID, applicant); err != nil {
			return err
		}
		return fn(tx, &m, waiting)
	})
}

// notOwn returns ErrOwn to an account whose person, at LINE, a customer is.
func notOwn(ctx context.Context, tx db.Tx, account, customer uuid.UUID) error {
	var own bool
	if err := tx.QueryRow(ctx, ownAccount, account, customer).Scan(&own); err != nil {
		return fmt.Errorf("whose customer is %s: %w", customer, err)
	}
	if own {
		return ErrOwn
	}
	return nil
}

// ApproveInput approves an application.
type ApproveInput struct {
	ID     uuid.UUID `json:"id" doc:"Of the application"`
	Reason string    `json:"reason" maxLength:"300" doc:"Needed where another member has the same card or number"`
}

// Approve grants what a customer applied for; the term begins today, or behind the one that runs. It returns fault.Missing, ErrOver, ErrOwn, ErrSameExists without a reason,
// or what the membership refuses.
func (s *Service) Approve(ctx context.Context, org uuid.UUID, by auditlog.Actor, in ApproveInput) error {
	home, err := s.orgs.ByID(ctx, org)
	if err != nil {
		return err
	}
	in.Reason = strings.TrimSpace(in.Reason)
	return s.decide(ctx, org, by, in.ID, func(tx db.Tx, m *membership, a *application) error {
		others, err := same(ctx, tx, a.id)
		if err != nil {
			return err
		}
		if len(others) > 0 && in.Reason == "" {
			return ErrSameExists
		}
		if err := s.answer(ctx, tx, by, a, approve, &by.ID, in.Reason); err != nil {
			return err
		}
		if err := s.grant(ctx, tx, by, m, a, home.Unique); err != nil {
			return err
		}
		return message.Write(ctx, tx, a.customer, message.MemberApproved, a.id, 0)
	})
}

// RefuseInput refuses an application.
type RefuseInput struct {
	ID     uuid.UUID `json:"id" doc:"Of the application"`
	Reason string    `json:"reason" minLength:"1" maxLength:"300" doc:"The applicant reads it"`
}

// Refuse refuses an application; its customer may send another. It returns fault.Missing, ErrOver, ErrOwn, or fault.Required at the reason.
func (s *Service) Refuse(ctx context.Context, org uuid.UUID, by auditlog.Actor, in RefuseInput) error {
	in.Reason = strings.TrimSpace(in.Reason)
	if in.Reason == "" {
		return fault.At("reason", fault.Required)
	}
	return s.decide(ctx, org, by, in.ID, func(tx db.Tx, _ *membership, a *application) error {
		if err := s.answer(ctx, tx, by, a, refuse, &by.ID, in.Reason); err != nil {
			return err
		}
		return message.Write(ctx, tx, a.customer, message.MemberRefused, a.id, a.returned)
	})
}

// SetStatus suspends members, or lets them be members again. It returns fault.NotInList for another status, fault.Missing, ErrOwn to who would resume himself, or what the
// state refuses.
func (s *Service) SetStatus(ctx context.Context, org uuid.UUID, by auditlog.Actor, ids []uuid.UUID, status int16) error {
	do, kind := stepSuspend, message.MemberSuspended
	switch status {
	case resource.Suspended:
	case resource.Active:
		do, kind = stepResume, message.MemberResumed
	default:
		return fault.At("status", fault.NotInList)
	}
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return strings.Compare(a.String(), b.String()) })
	ids = slices.Compact(ids)
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, membershipBy, ids)
		if err != nil {
			return fmt.Errorf("members: %w", err)
		}
		customers, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil {
			return fmt.Errorf("members: %w", err)
		}
		if len(customers) != len(ids) {
			return fault.Missing
		}
		if err := lockAll(ctx, tx, customers...); err != nil {
			return err
		}
		for _, id := range customers {
			m, _, err := s.due(ctx, tx, id)
			if err != nil {
				return err
			}
			if do == stepResume {
				if err := notOwn(ctx, tx, by.ID, id); err != nil {
					return err
				}
			}
			if err := m.take(ctx, tx, by, do); err != nil {
				return err
			}
			if err := message.Write(ctx, tx, id, kind, m.id, 0); err != nil {
				return err
			}
			if err := notify(ctx, tx, id); err != nil {
				return err
			}
		}
		return nil
	})
}
