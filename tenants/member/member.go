package member

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/points"
)

// Service answers members and who wants to be one.
type Service struct {
	db   *db.DB
	box  *secret.Box
	orgs *org.Directory
}

// New returns the service.
func New(d *db.DB, box *secret.Box, orgs *org.Directory) *Service { return &Service{d, box, orgs} }

const (
	answerWithin  = 30 * 24 * time.Hour // what nobody decides on for so long is refused
	keptForm      = 30 * 24 * time.Hour // of what was refused or taken back
	keptDraft     = 90 * 24 * time.Hour
	renewsFrom    = 60 // days before the end
	dueAtOnce     = 200
	triesOfNumber = 10
)

// membership is a row of its table and what of its terms can still be had.
type membership struct {
	id       uuid.UUID
	customer uuid.UUID
	state    State
	running  *term
	toCome   *term
}

type term struct {
	id       uuid.UUID
	version  uuid.UUID
	level    int16
	startsOn time.Time
	endsOn   *time.Time
	anchor   int
}

// application is a row of its table.
type application struct {
	id       uuid.UUID
	customer uuid.UUID
	version  uuid.UUID
	kind     kind
	state    ApplicationState
	sentAt   time.Time
	returned money.Amount // what its answer gave back of what was paid for it
}

const (
	membershipOf = `SELECT id, customer_id, state FROM membership WHERE customer_id = $1`
	openTerms    = `SELECT t.id, t.version_id, v.level, t.starts_on, t.ends_on, t.anchor_day, t.state = 'running' FROM membership_term t JOIN card_type_version v ON v.id = t.version_id
		WHERE t.membership_id = $1 AND t.state IN ('running', 'to_come')`
	applicationColumns = `SELECT a.id, a.customer_id, a.version_id, a.kind, a.state, a.sent_at FROM application a `
	pendingOf          = applicationColumns + `WHERE a.customer_id = $1 AND a.state = 'pending'`
	applicationByID    = applicationColumns + `WHERE a.id = $1`
	applicationOfTerm  = applicationColumns + `JOIN membership_term t ON t.application_id = a.id WHERE t.id = $1`
	setMembership      = `UPDATE membership SET state = $2, updated_at = $3 WHERE id = $1`
	nameMembership     = `UPDATE membership SET state = $2, name = $3, updated_at = $4 WHERE id = $1`
	insertMembership   = `INSERT INTO membership (id, customer_id, state, name, since, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)`
	insertTerm         = `INSERT INTO membership_term (id, membership_id, version_id, application_id, starts_on, ends_on, anchor_day, state) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
	setTerm            = `UPDATE membership_term SET state = $2 WHERE id = $1`
	insertCard         = `INSERT INTO member_card (id, membership_id, number, made_at) VALUES ($1, $2, $3, $4) ON CONFLICT (number) DO NOTHING`
	hasCard            = `SELECT EXISTS (SELECT FROM member_card WHERE membership_id = $1)`
	endApplication     = `UPDATE application SET state = $2, decided_at = $3, decided_by = $4, reason = $5 WHERE id = $1`
	formOf             = `SELECT form FROM application WHERE id = $1`
	termsOf            = `SELECT validity, length, approval, level, least_age, price_satang, points_baht, points_tag_id, points_due, points_months, asks_email, asks_idcard, asks_gender, asks_birthdate, asks_address, asks_nationality, asks_receipt FROM card_type_version WHERE id = $1`
)

// readMembership returns what a customer has, and the zero membership if he never had one. His row is locked by who changes it.
func readMembership(ctx context.Context, tx db.Tx, customer uuid.UUID) (m membership, err error) {
	err = tx.QueryRow(ctx, membershipOf, customer).Scan(&m.id, &m.customer, &m.state)
	if errors.Is(err, pgx.ErrNoRows) {
		return membership{customer: customer}, nil
	}
	if err != nil {
		return m, fmt.Errorf("membership of %s: %w", customer, err)
	}
	rows, err := tx.Query(ctx, openTerms, m.id)
	if err != nil {
		return m, fmt.Errorf("terms of %s: %w", m.id, err)
	}
	var t term
	var running bool
	_, err = pgx.ForEachRow(rows, []any{&t.id, &t.version, &t.level, &t.startsOn, &t.endsOn, &t.anchor, &running}, func() error {
		one := t
		if running {
			m.running = &one
		} else {
			m.toCome = &one
		}
		return nil
	})
	if err != nil {
		return m, fmt.Errorf("terms of %s: %w", m.id, err)
	}
	return m, nil
}

func readApplication(ctx context.Context, tx db.Tx, sql string, id uuid.UUID) (*application, error) {
	var a application
	err := tx.QueryRow(ctx, sql, id).Scan(&a.id, &a.customer, &a.version, &a.kind, &a.state, &a.sentAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // there may be none
	}
	if err != nil {
		return nil, fmt.Errorf("application of %s: %w", id, err)
	}
	return &a, nil
}

func readTerms(ctx context.Context, tx db.Tx, version uuid.UUID) (t Terms, err error) {
	err = tx.QueryRow(ctx, termsOf, version).Scan(&t.Validity, &t.Length, &t.Approval, &t.Level, &t.LeastAge, &t.Price, &t.PointsBaht, &t.PointsTag, &t.PointsDue, &t.PointsMonths,
		&t.Email, &t.IDCard, &t.Gender, &t.BirthDate, &t.Address, &t.Nationality, &t.Receipt)
	if err != nil {
		return t, fmt.Errorf("version %s of a card type: %w", version, err)
	}
	return t, nil
}

// take has a membership take a step. Phones show its card no longer unless it is active.
func (m *membership) take(ctx context.Context, tx db.Tx, by auditlog.Actor, do step) error {
	to, err := m.state.after(do)
	if err != nil {
		return err
	}
	was := m.state
	m.state = to
	if was == to {
		return nil
	}
	if _, err := tx.Exec(ctx, setMembership, m.id, to, tx.Now); err != nil {
		return fmt.Errorf("%s membership %s: %w", do, m.id, err)
	}
	if to != Active {
		if _, err := tx.Exec(ctx, dropKeys, m.id); err != nil {
			return fmt.Errorf("keys of membership %s: %w", m.id, err)
		}
	}
	return auditlog.Record(ctx, tx, by, string(do), "membership/"+m.id.String(), map[string]any{"state": was}, map[string]any{"state": to})
}

func (t *term) end(ctx context.Context, tx db.Tx, state string) error {
	if _, err := tx.Exec(ctx, setTerm, t.id, state); err != nil {
		return fmt.Errorf("term %s: %w", t.id, err)
	}
	return nil
}

// notify notifies the screens of a customer, and those of the office.
func notify(ctx context.Context, tx db.Tx, customer uuid.UUID) error {
	if err := notice.Send(ctx, tx, token.User, customer, notice.Event{Topic: "member"}); err != nil {
		return err
	}
	return notice.SendTableUpdate(ctx, tx, Members.Name())
}

// theClock is who does what is due.
var theClock = auditlog.Actor{Kind: "system"}

// due does what is due of a customer: it refuses an application that nobody answered, ends a term whose last day has passed, and begins the next one. He is locked.
func (s *Service) due(ctx context.Context, tx db.Tx, customer uuid.UUID) (m membership, waiting *application, err error) {
	if m, err = readMembership(ctx, tx, customer); err != nil {
		return m, nil, err
	}
	if waiting, err = readApplication(ctx, tx, pendingOf, customer); err != nil {
		return m, nil, err
	}
	if waiting != nil && !tx.Now.Before(waiting.sentAt.Add(answerWithin)) {
		if err := s.answer(ctx, tx, theClock, waiting, refuse, nil, ""); err != nil {
			return m, nil, err
		}
		if err := message.Write(ctx, tx, customer, message.MemberRefused, waiting.id, waiting.returned); err != nil {
			return m, nil, err
		}
		waiting = nil
	}
	today := clock.Day(tx.Now)
	for m.running != nil && m.running.endsOn != nil && m.running.endsOn.Before(today) {
		if err := m.running.end(ctx, tx, "over"); err != nil {
			return m, nil, err
		}
		m.running, m.toCome = m.toCome, nil
		if m.running != nil {
			if err := m.running.end(ctx, tx, "running"); err != nil {
				return m, nil, err
			}
			if err := m.running.earn(ctx, tx); err != nil {
				return m, nil, err
			}
			continue
		}
		if m.state == Active || m.state == Suspended {
			if err := m.take(ctx, tx, theClock, stepEnd); err != nil {
				return m, nil, err
			}
			if err := message.Write(ctx, tx, customer, message.MemberEnded, m.id, 0); err != nil {
				return m, nil, err
			}
			if err := notify(ctx, tx, customer); err != nil {
				return m, nil, err
			}
		}
	}
	return m, waiting, nil
}

// answer ends an application, and gives back what was paid for it unless it is granted. It returns ErrOver if it has been decided.
func (s *Service) answer(ctx context.Context, tx db.Tx, by auditlog.Actor, a *application, do answer, decidedBy *uuid.UUID, reason string) error {
	to, err := a.state.after(do, true)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, endApplication, a.id, to, tx.Now, decidedBy, reason); err != nil {
		return fmt.Errorf("%s application %s: %w", do, a.id, err)
	}
	was := a.state
	a.state = to
	if to != Granted {
		if err := a.giveBack(ctx, tx); err != nil {
			return err
		}
	}
	if err := auditlog.Record(ctx, tx, by, string(do), "application/"+a.id.String(), map[string]any{"state": was}, map[string]any{"state": to, "reason": reason}); err != nil {
		return err
	}
	return notify(ctx, tx, a.customer)
}

// wish returns what an application of a customer for a card type of a level asks for. It returns ErrSuspended, ErrRenewed, ErrNoEnd, ErrTooEarly or ErrNotHigher.
func (m *membership) wish(version uuid.UUID, level int16, today time.Time) (kind, error) {
	switch {
	case m.state == Suspended:
		return "", ErrSuspended
	case m.state == None || m.state == Left:
		return first, nil
	case m.state == Expired || m.running == nil:
		return renewal, nil
	case level > m.running.level:
		return upgrade, nil
	case m.toCome != nil:
		return "", ErrRenewed
	case m.running.endsOn == nil && version == m.running.version:
		return "", ErrNoEnd
	case m.running.endsOn == nil:
		return "", ErrNotHigher
	case today.Before(m.running.endsOn.AddDate(0, 0, -renewsFrom)):
		return "", ErrTooEarly
	default:
		return renewal, nil
	}
}

// grant gives a customer the term that he applied for: at once, or behind the one that runs.
func (s *Service) grant(ctx context.Context, tx db.Tx, by auditlog.Actor, m *membership, a *application, unique string) error {
	terms, err := readTerms(ctx, tx, a.version)
	if err != nil {
		return err
	}
	form, err := s.form(ctx, tx, a.id)
	if err != nil {
		return err
	}
	today := clock.Day(tx.Now)
	next := term{version: a.version, level: terms.Level, startsOn: today, anchor: today.Day()}
	do, state := stepGrant, "running"
	switch {
	case m.running == nil || m.state == Left:
	case a.kind == upgrade:
		do = stepUpgrade
	case m.running.endsOn != nil:
		next.startsOn, next.anchor, state = m.running.endsOn.AddDate(0, 0, 1), m.running.anchor, "to_come"
	default:
		return ErrNoEnd
	}
	if state == "to_come" && m.toCome != nil {
		return ErrRenewed
	}
	to, err := m.state.after(do)
	if err != nil {
		return err
	}
	if state == "running" {
		if m.running != nil {
			if err := m.running.credit(ctx, tx, m.customer); err != nil {
				return err
			}
			if err := m.running.end(ctx, tx, "replaced"); err != nil {
				return err
			}
		}
		if m.toCome != nil {
			if err := s.takeBackToCome(ctx, tx, by, m); err != nil {
				return err
			}
		}
		m.running, m.toCome = nil, nil
	}
	next.endsOn = Validity{terms.Validity, int(terms.Length)}.lastDay(next.startsOn, next.anchor)
	if m.id == uuid.Nil {
		m.id = db.NewID()
		_, err = tx.Exec(ctx, insertMembership, m.id, m.customer, to, form.Name(), today, tx.Now)
	} else {
		_, err = tx.Exec(ctx, nameMembership, m.id, to, form.Name(), tx.Now)
	}
	if err != nil {
		return fmt.Errorf("membership of %s: %w", m.customer, err)
	}
	m.state, next.id = to, db.NewID()
	if _, err := tx.Exec(ctx, insertTerm, next.id, m.id, next.version, a.id, next.startsOn, next.endsOn, next.anchor, state); err != nil {
		return fmt.Errorf("term of %s: %w", m.id, err)
	}
	if err := auditlog.Record(ctx, tx, by, string(do), "membership/"+m.id.String(), nil, map[string]any{"application_id": a.id, "starts_on": next.startsOn.Format(time.DateOnly), "state": state}); err != nil {
		return err
	}
	if state == "running" {
		m.running = &next
		if err := next.earn(ctx, tx); err != nil {
			return err
		}
	} else {
		m.toCome = &next
	}
	return numbered(ctx, tx, m.id, unique)
}

// numbered makes the number of a membership that has none.
func numbered(ctx context.Context, tx db.Tx, id uuid.UUID, unique string) error {
	var has bool
	if err := tx.QueryRow(ctx, hasCard, id).Scan(&has); err != nil {
		return fmt.Errorf("card of %s: %w", id, err)
	}
	for range triesOfNumber {
		if has {
			return nil
		}
		number, err := newNumber(unique)
		if err != nil {
			return err
		}
		made, err := tx.Exec(ctx, insertCard, db.NewID(), id, number, tx.Now)
		if err != nil {
			return fmt.Errorf("card of %s: %w", id, err)
		}
		has = made.RowsAffected() > 0
	}
	return fmt.Errorf("card of %s: every number that was tried is taken", id)
}

func (s *Service) form(ctx context.Context, tx db.Tx, application uuid.UUID) (Form, error) {
	var sealed []byte
	if err := tx.QueryRow(ctx, formOf, application).Scan(&sealed); err != nil {
		return Form{}, fmt.Errorf("form of application %s: %w", application, err)
	}
	return open(s.box, tx, inApplication, application, sealed)
}

// ApplyInput applies for a card.
type ApplyInput struct {
	Type     uuid.UUID   `json:"card_type_id"`
	Form     Form        `json:"form"`
	Versions []uuid.UUID `json:"version_ids" maxItems:"20" doc:"The texts he ticked"`
	Lang     string      `json:"lang" enum:"th,en" doc:"The language he read them in"`
}

const (
	offeredVersion    = `SELECT v.id FROM card_type t JOIN card_type_version v ON v.card_type_id = t.id AND v.number = t.version WHERE t.id = $1 AND t.status = 5 FOR SHARE OF t`
	insertApplication = `INSERT INTO application (id, customer_id, version_id, kind, state, form, identity_index, mobile_index, identity_digits, mobile_digits, sent_at)
		VALUES ($1, $2, $3, $4, 'pending', $5, $6, $7, $8, $9, $10)`
	dropDraft = `DELETE FROM member_draft WHERE customer_id = $1`
)

// Apply sends a customer's form for a card type that is free. Where nobody has to approve it he has his card at once. It returns ErrPriced, and the faults of Send.
func (s *Service) Apply(ctx context.Context, who token.Session, by auditlog.Actor, in ApplyInput) (standing Standing, err error) {
	home, err := s.orgs.ByID(ctx, who.Org)
	if err != nil {
		return standing, err
	}
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		required := consent.LockRequirements(tx, consent.ForMember, who)
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		if err := s.Send(ctx, tx, Sender{who, by, home, required}, in, nil); err != nil {
			return err
		}
		standing, err = s.standing(ctx, tx, who)
		return err
	})
	return standing, err
}

// Sender is a customer who applies for a card, whom the texts of members have locked.
type Sender struct {
	Session  token.Session
	Actor    auditlog.Actor
	Home     org.Org
	Required *consent.Requirements
}

// Send writes a customer's form for a card type down, and answers it where nobody has to approve it. pay makes the order by which he pays for it, and is nil for what is free. It
// returns fault.BadInput with the fields that are wrong, ErrClosed, ErrPriced, ErrFree, ErrOpen, what the membership refuses, customer.ErrDebt, the faults of the texts for members, and
// those of pay.
func (s *Service) Send(ctx context.Context, tx db.Tx, by Sender, in ApplyInput, pay func(ForSale) (uuid.UUID, error)) error {
	if err := by.Required.Check(by.Session.Subject); err != nil {
		return err
	}
	m, waiting, err := s.due(ctx, tx, by.Session.Subject)
	if err != nil {
		return err
	}
	if waiting != nil {
		return ErrOpen
	}
	a, terms, err := s.send(ctx, tx, m, in)
	switch {
	case err != nil:
		return err
	case pay == nil && terms.Price > 0:
		return ErrPriced
	case pay != nil && terms.Price == 0:
		return ErrFree
	}
	if debt := by.Required.Debt(by.Session.Subject); debt > 0 {
		return customer.ErrDebt.With(customer.Debt{Amount: debt})
	}
	accepted, err := by.Required.Agree(consent.Submission{Customer: by.Session.Subject, Versions: in.Versions, Lang: in.Lang, Channel: "member.apply", Address: by.Session.Address})
	if err != nil {
		return err
	}
	by.Required.Accept(accepted)
	by.Required.Save(tx)
	if err := auditlog.Record(ctx, tx, by.Actor, "apply", "application/"+a.id.String(), nil, map[string]any{"card_type_id": in.Type, "kind": a.kind}); err != nil {
		return err
	}
	atOnce := !needsAnswer(terms.Approval, a.kind)
	if atOnce && a.kind == upgrade { // so that what comes back helps to pay
		if err := m.running.credit(ctx, tx, m.customer); err != nil {
			return err
		}
	}
	if pay != nil {
		if err := a.payBy(ctx, tx, in.Type, terms.Price, pay); err != nil {
			return err
		}
	}
	if atOnce {
		if err := s.answer(ctx, tx, by.Actor, &a, approve, nil, ""); err != nil {
			return err
		}
		if err := s.grant(ctx, tx, by.Actor, &m, &a, by.Home.Unique); err != nil {
			return err
		}
	}
	return notify(ctx, tx, by.Session.Subject)
}

// send writes an application down, as it waits.
func (s *Service) send(ctx context.Context, tx db.Tx, m membership, in ApplyInput) (a application, t Terms, err error) {
	a = application{id: db.NewID(), customer: m.customer, state: Pending, sentAt: tx.Now}
	err = tx.QueryRow(ctx, offeredVersion, in.Type).Scan(&a.version)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, t, ErrClosed
	}
	if err != nil {
		return a, t, fmt.Errorf("card type %s: %w", in.Type, err)
	}
	if t, err = readTerms(ctx, tx, a.version); err != nil {
		return a, t, err
	}
	today := clock.Day(tx.Now)
	if a.kind, err = m.wish(a.version, t.Level, today); err != nil {
		return a, t, err
	}
	form := in.Form.tidy(t.Asks)
	if bad := form.check(t, today); len(bad) > 0 {
		for i := range bad {
			bad[i].Path = "form." + bad[i].Path
		}
		return a, t, fault.Of(bad...)
	}
	sealed, err := seal(s.box, tx, inApplication, a.id, form)
	if err != nil {
		return a, t, err
	}
	identity, mobile, err := form.indexes(s.box, tx)
	if err != nil {
		return a, t, err
	}
	_, err = tx.Exec(ctx, insertApplication, a.id, a.customer, a.version, a.kind, sealed, identity, mobile, last(form.IDCard), last(form.Mobile), tx.Now)
	if err != nil {
		return a, t, fmt.Errorf("application of %s: %w", a.customer, err)
	}
	if _, err := tx.Exec(ctx, dropDraft, a.customer); err != nil {
		return a, t, fmt.Errorf("draft of %s: %w", a.customer, err)
	}
	return a, t, nil
}

// change runs a step of a customer, who is locked and of whom nothing is due any more, and returns how he stands after it.
func (s *Service) change(ctx context.Context, who token.Session, fn func(tx db.Tx, m *membership, waiting *application) error) (standing Standing, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		locked := customer.Lock(tx, who.Subject)
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		if err := locked.Check(who.Subject); err != nil {
			return err
		}
		m, waiting, err := s.due(ctx, tx, who.Subject)
		if err != nil {
			return err
		}
		if err := fn(tx, &m, waiting); err != nil {
			return err
		}
		standing, err = s.standing(ctx, tx, who)
		return err
	})
	return standing, err
}

// TakeBack ends an application that waits, or a term that is to come. It returns ErrOver if there is neither.
func (s *Service) TakeBack(ctx context.Context, who token.Session, by auditlog.Actor) (Standing, error) {
	return s.change(ctx, who, func(tx db.Tx, m *membership, waiting *application) error {
		if waiting != nil {
			return s.answer(ctx, tx, by, waiting, takeBack, nil, "")
		}
		if m.toCome == nil {
			return ErrOver
		}
		return s.takeBackToCome(ctx, tx, by, m)
	})
}

// takeBackToCome ends the term of a membership that is to come, and the application by which it was granted.
func (s *Service) takeBackToCome(ctx context.Context, tx db.Tx, by auditlog.Actor, m *membership) error {
	granted, err := readApplication(ctx, tx, applicationOfTerm, m.toCome.id)
	if err != nil {
		return err
	}
	if err := m.toCome.end(ctx, tx, "taken_back"); err != nil {
		return err
	}
	return s.answer(ctx, tx, by, granted, takeBack, nil, "")
}

// Leave ends a membership by its customer's wish, and what he applied for. Of some classes of cards the price comes back for seven days. It returns what his state refuses.
func (s *Service) Leave(ctx context.Context, who token.Session, by auditlog.Actor) (Standing, error) {
	return s.change(ctx, who, func(tx db.Tx, m *membership, waiting *application) error {
		if err := m.take(ctx, tx, by, stepLeave); err != nil {
			return err
		}
		if m.running != nil {
			if err := m.running.regret(ctx, tx, m.customer); err != nil {
				return err
			}
		}
		if err := points.Leave(ctx, tx, m.customer); err != nil {
			return err
		}
		return s.endAll(ctx, tx, by, m, waiting)
	})
}

// endAll ends the terms of a membership, and an application that waits.
func (s *Service) endAll(ctx context.Context, tx db.Tx, by auditlog.Actor, m *membership, waiting *application) error {
	if m.running != nil {
		if err := m.running.end(ctx, tx, "over"); err != nil {
			return err
		}
	}
	if m.toCome != nil {
		if err := s.takeBackToCome(ctx, tx, by, m); err != nil {
			return err
		}
	}
	if waiting == nil {
		return notify(ctx, tx, m.customer)
	}
	return s.answer(ctx, tx, by, waiting, leave, nil, "")
}
