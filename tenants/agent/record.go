package agent

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
	"welovevoucher/tenants/payee"
)

// Waiting is a form that waits for an answer, as a queue lists it.
type Waiting struct {
	Version    uuid.UUID `json:"version_id"`
	Agent      uuid.UUID `json:"agent_id"`
	Name       string    `json:"name"`
	PictureURL string    `json:"pictureUrl"`
	Kind       string    `json:"kind" enum:"person,company"`
	District   string    `json:"district"`
	First      bool      `json:"first" doc:"He applies; otherwise he sells already and sends another form"`
	Recruiter  string    `json:"recruiter_name"`
	Same       []string  `json:"same" doc:"What another agent has, too: identity, account, mobile"`
	Mismatch   bool      `json:"mismatch" doc:"The account is not in his own name, or a number of 13 digits is none"`
	SentAt     time.Time `json:"sent_at" doc:"UTC"`
}

// Queue has the forms that wait, the oldest first.
type Queue struct {
	Data []Waiting `json:"data" doc:"At most a hundred"`
}

// Record is an agent and what he has sent, as the office sees them.
type Record struct {
	Agent       uuid.UUID  `json:"agent_id"`
	Customer    uuid.UUID  `json:"customer_id"`
	DisplayName string     `json:"display_name"`
	PictureURL  string     `json:"pictureUrl"`
	Since       time.Time  `json:"since" doc:"A customer since then, UTC"`
	Orders      int64      `json:"orders" doc:"That he paid himself"`
	State       State      `json:"state" enum:"draft,pending,approved,refused,suspended,left,erased"`
	Early       bool       `json:"early"`
	Type        *uuid.UUID `json:"agent_type_id" nullable:"true"`
	Own         bool       `json:"own" doc:"Who looks is this person, at LINE"`
	Sent        []Form     `json:"sent" doc:"The newest first; what he took back is left out"`
}

// Form is a form that was sent, with what is known beside it. What is sealed stands here by its last four characters.
type Form struct {
	Sent
	Number        int     `json:"number"`
	Person        string  `json:"person" doc:"Who filled it in"`
	Age           int     `json:"age" doc:"0 of a company"`
	MobileMasked  string  `json:"mobile_masked"`
	Verified      bool    `json:"mobile_verified"`
	VATRegistered bool    `json:"vat_registered"`
	Resident      bool    `json:"resident"`
	Nationality   string  `json:"nationality"`
	Branch        string  `json:"branch"`
	District      string  `json:"district"`
	Province      string  `json:"province"`
	IdentityRight bool    `json:"identity_right" doc:"The last of 13 digits follows from the others, or there are not 13"`
	OwnAccount    bool    `json:"own_account" doc:"The account is in his own name"`
	Recruiter     string  `json:"recruiter_name"`
	DecidedBy     string  `json:"decided_by"`
	Forgotten     bool    `json:"forgotten"`
	Same          []Other `json:"same" doc:"Other agents who have some of it approved, too"`
}

// Other is another agent who has the same.
type Other struct {
	Agent      uuid.UUID `json:"agent_id"`
	Name       string    `json:"name"`
	PictureURL string    `json:"pictureUrl"`
	ReferCode  string    `json:"referercode"`
	State      State     `json:"state" enum:"draft,pending,approved,refused,suspended,left,erased"`
	What       []string  `json:"what" doc:"identity, account, mobile"`
}

const (
	queued   = `SELECT a.id, c.picture_url, a.status IN (4, 5), coalesce(rc.display_name, '') FROM agent a JOIN customer c ON c.id = a.customer_id LEFT JOIN agent ra ON ra.id = $2 LEFT JOIN customer rc ON rc.id = ra.customer_id WHERE a.id = $1`
	recordOf = `SELECT a.id, a.customer_id, c.display_name, c.picture_url, c.created_at, (SELECT count(*) FROM orders o WHERE o.customer_id = c.id AND o.paid_at IS NOT NULL), a.state, a.agent_type_id,
		EXISTS (SELECT FROM staff s WHERE s.id = $2 AND s.line_sub = c.line_sub) FROM agent a JOIN customer c ON c.id = a.customer_id WHERE a.id = $1`
	otherBy     = `SELECT a.id, c.display_name, c.picture_url, c.refer_code, a.state FROM agent a JOIN customer c ON c.id = a.customer_id WHERE a.id = ANY ($1) AND a.status IN (4, 5) ORDER BY a.id`
	nameOfAgent = `SELECT c.display_name FROM agent a JOIN customer c ON c.id = a.customer_id WHERE a.id = $1`
	nameOfStaff = `SELECT name FROM staff WHERE id = $1`
	admit       = `UPDATE agent SET state = $2, agent_type_id = coalesce($3, agent_type_id), approved_by = $4, approved_at = $5, updated_at = $5,
		recruiter_id = coalesce(recruiter_id, (SELECT r.id FROM agent r WHERE r.id = $6 AND r.status = 5 AND r.id <> agent.id)) WHERE id = $1`
	setType = `UPDATE agent SET agent_type_id = $2, updated_at = $3 WHERE id = $1`
	lapsing = `SELECT v.payee_id FROM payee_version v WHERE v.state = 'pending' AND v.sent_by IS NULL AND v.sent_at < $1 ORDER BY v.payee_id LIMIT 200`
	oldDone = `DELETE FROM payee_draft d USING agent a WHERE a.id = d.payee_id AND d.saved_at < CASE a.state WHEN 'refused' THEN $1::timestamptz ELSE $2::timestamptz END`
)

const (
	answerWithin = 30 * 24 * time.Hour // what nobody decides on for so long is refused
	keptRefused  = 30 * 24 * time.Hour // of what was refused
	keptDraft    = 90 * 24 * time.Hour // of what somebody began to fill in
	shownWaiting = 100
)

// Queue lists the forms that wait.
func (s *Applications) Queue(ctx context.Context, org uuid.UUID) (q Queue, err error) {
	q.Data = []Waiting{}
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		list, err := payee.Waiting(ctx, tx, s.box, shownWaiting)
		if err != nil {
			return err
		}
		for _, v := range list {
			w := Waiting{Version: v.ID, Name: v.Form.Name(), Kind: v.Form.Kind, District: v.Form.District, Same: []string{}, SentAt: v.SentAt}
			w.Mismatch = !payee.SameName(v.Form.AccountName, v.Form.Name()) || payee.WrongDigit(v.Form.IDCard) || payee.WrongDigit(v.Form.TaxID)
			var sells bool
			if err := tx.QueryRow(ctx, queued, v.Payee, v.Recruiter).Scan(&w.Agent, &w.PictureURL, &sells, &w.Recruiter); err != nil {
				return fmt.Errorf("agent %s: %w", v.Payee, err)
			}
			w.First = !sells
			others, err := same(ctx, tx, v)
			if err != nil {
				return err
			}
			for _, o := range others {
				w.Same = append(w.Same, o.What...)
			}
			slices.Sort(w.Same)
			w.Same = slices.Compact(w.Same)
			q.Data = append(q.Data, w)
		}
		return nil
	})
	return q, err
}

// same returns the agents who sell, or are suspended, and have something of a version's approved, too.
func same(ctx context.Context, tx db.Tx, v payee.Version) ([]Other, error) {
	if v.Forgotten {
		return []Other{}, nil
	}
	list, err := v.SameAs(ctx, tx)
	if err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, otherBy, db.Column(list, func(o payee.Same) uuid.UUID { return o.Payee }))
	if err != nil {
		return nil, fmt.Errorf("agents like %s: %w", v.Payee, err)
	}
	others, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (o Other, err error) {
		if err := row.Scan(&o.Agent, &o.Name, &o.PictureURL, &o.ReferCode, &o.State); err != nil {
			return o, err
		}
		has := list[slices.IndexFunc(list, func(p payee.Same) bool { return p.Payee == o.Agent })]
		for what, is := range map[string]bool{"identity": has.Identity, "account": has.Account, "mobile": has.Mobile} {
			if is {
				o.What = append(o.What, what)
			}
		}
		slices.Sort(o.What)
		return o, nil
	})
	if err != nil {
		return nil, fmt.Errorf("agents like %s: %w", v.Payee, err)
	}
	return others, nil
}

// Record returns an agent and what he has sent. It returns fault.Missing if there is none.
func (s *Applications) Record(ctx context.Context, org, by, id uuid.UUID) (r Record, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		err := tx.QueryRow(ctx, recordOf, id, by).Scan(&r.Agent, &r.Customer, &r.DisplayName, &r.PictureURL, &r.Since, &r.Orders, &r.State, &r.Type, &r.Own)
		if err != nil {
			return missing(err, "agent", id)
		}
		versions, err := payee.Versions(ctx, tx, s.box, id)
		if err != nil {
			return err
		}
		r.Early, r.Sent = r.State == Approved || r.State == Suspended, []Form{}
		for _, v := range versions {
			if v.State == "withdrawn" {
				continue
			}
			r.Early = r.Early && v.State != "approved"
			f, err := s.form(ctx, tx, v)
			if err != nil {
				return err
			}
			r.Sent = append(r.Sent, f)
		}
		return nil
	})
	return r, err
}

func (s *Applications) form(ctx context.Context, tx db.Tx, v payee.Version) (f Form, err error) {
	f = Form{
		Sent: sentOf(v), Number: v.Number, Person: v.Form.Person(), Age: v.Form.Age(clock.Day(tx.Now)), MobileMasked: maskedMobile(v.Form.Mobile), Verified: v.Verified, VATRegistered: v.Form.VATRegistered,
		Resident: v.Form.Resident, Nationality: v.Form.Nationality, Branch: v.Form.Branch, District: v.Form.District, Province: v.Form.Province, Forgotten: v.Forgotten,
		IdentityRight: !payee.WrongDigit(v.Form.IDCard) && !payee.WrongDigit(v.Form.TaxID), OwnAccount: payee.SameName(v.Form.AccountName, v.Form.Name()),
	}
	if v.Recruiter != nil {
		if err := tx.QueryRow(ctx, nameOfAgent, *v.Recruiter).Scan(&f.Recruiter); err != nil {
			return f, fmt.Errorf("recruiter %s: %w", v.Recruiter, err)
		}
	}
	if v.DecidedBy != nil {
		if err := tx.QueryRow(ctx, nameOfStaff, *v.DecidedBy).Scan(&f.DecidedBy); err != nil {
			return f, fmt.Errorf("account %s: %w", v.DecidedBy, err)
		}
	}
	f.Same, err = same(ctx, tx, v)
	return f, err
}

// maskedMobile leaves the first two and the last four digits of a number.
func maskedMobile(digits string) string {
	const shown = 6
	if len(digits) <= shown {
		return strings.Repeat("x", len(digits))
	}
	return digits[:2] + strings.Repeat("x", len(digits)-shown) + digits[len(digits)-4:]
}

func missing(err error, what string, id uuid.UUID) error {
	if err == pgx.ErrNoRows { //nolint:errorlint // Scan returns it as it is
		return fault.Missing
	}
	return fmt.Errorf("%s %s: %w", what, id, err)
}

// WholeInput asks for the whole of a form, with why.
type WholeInput struct {
	Version uuid.UUID `json:"version_id"`
	Reason  string    `json:"reason" minLength:"3" maxLength:"300" doc:"For the audit log"`
}

// Whole returns all that an agent has sent of himself, and writes down who saw it and why. It returns fault.Missing.
func (s *Applications) Whole(ctx context.Context, org uuid.UUID, by auditlog.Actor, in WholeInput) (f payee.Form, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		v, err := s.version(ctx, tx, in.Version)
		if err != nil {
			return err
		}
		f = v.Form
		return auditlog.Record(ctx, tx, by, "see", "payee_version/"+v.ID.String(), nil, map[string]any{"reason": in.Reason})
	})
	return f, err
}

// SeePicture returns a picture that an agent has sent, and writes down who saw it. It returns fault.Missing, also for one that he has not sent.
func (s *Applications) SeePicture(ctx context.Context, org uuid.UUID, by auditlog.Actor, id uuid.UUID) ([]byte, error) {
	var key uuid.UUID
	err := s.db.InOrg(ctx, org, func(tx db.Tx) error {
		key = tx.Key
		owner, _, err := payee.Owner(ctx, tx, id)
		if err != nil {
			return err
		}
		versions, err := payee.Versions(ctx, tx, s.box, owner)
		if err != nil {
			return err
		}
		sent := slices.ContainsFunc(versions, func(v payee.Version) bool {
			return v.State != "withdrawn" && (v.Pictures.IDCard != nil && *v.Pictures.IDCard == id || v.Pictures.Bank != nil && *v.Pictures.Bank == id)
		})
		if !sent {
			return fault.Missing
		}
		return auditlog.Record(ctx, tx, by, "see", "payee_picture/"+id.String(), nil, map[string]any{"agent_id": owner})
	})
	if err != nil {
		return nil, err
	}
	return s.album.Read(ctx, org, key, id)
}

// version returns a version that an agent, or who applies, has sent. It returns fault.Missing.
func (s *Applications) version(ctx context.Context, tx db.Tx, id uuid.UUID) (payee.Version, error) {
	v, err := payee.ByID(ctx, tx, s.box, id)
	if err != nil {
		return payee.Version{}, err
	}
	if v == nil || v.SentBy != nil {
		return payee.Version{}, fault.Missing
	}
	return *v, nil
}
