package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/payee"
)

// Applications lets customers apply to become agents, and the organisation decide.
type Applications struct {
	db    *db.DB
	box   *secret.Box
	album *payee.Album
}

// NewApplications returns the service.
func NewApplications(d *db.DB, box *secret.Box, album *payee.Album) *Applications {
	return &Applications{d, box, album}
}

// Application is what an applicant or an agent knows of himself here.
type Application struct {
	State State    `json:"state" enum:",draft,pending,approved,refused,suspended,left" doc:"Empty: he has never applied"`
	Early bool     `json:"early" doc:"He sells already, and is paid once a form of his is approved"`
	Draft *Filling `json:"draft" doc:"What he is filling in"`
	Sent  *Sent    `json:"sent" doc:"What he sent last and did not take back"`
	Known *Sent    `json:"known" doc:"What was approved last"`
}

// Filling is what an applicant is filling in.
type Filling struct {
	Form       payee.Form     `json:"form"`
	Verified   bool           `json:"mobile_verified" doc:"He has the number of the form"`
	Pictures   payee.Pictures `json:"pictures"`
	Mend       []string       `json:"mend" doc:"Fields that the organisation wants mended; empty: none was refused"`
	Recruiter  string         `json:"recruiter_name" doc:"Of the form's code; empty: nobody who sells here has it"`
	SavedAt    time.Time      `json:"saved_at" doc:"UTC"`
	WrongDigit []string       `json:"wrong_digits" doc:"Fields of 13 digits whose last does not follow from the others: a warning"`
}

// Sent is a form that was sent, without what is sealed.
type Sent struct {
	ID          uuid.UUID      `json:"id"`
	State       string         `json:"state" enum:"pending,approved,refused,withdrawn"`
	Kind        string         `json:"kind" enum:"person,company"`
	Name        string         `json:"name" doc:"Of the person, or of the company; empty once it is forgotten"`
	Identity    string         `json:"identity_digits" doc:"The last four of the ID card, or of the tax id"`
	Mobile      string         `json:"mobile_digits" doc:"The last four"`
	Bank        string         `json:"bank"`
	Account     string         `json:"account_digits" doc:"The last four"`
	AccountName string         `json:"account_name"`
	Pictures    payee.Pictures `json:"pictures"`
	SentAt      time.Time      `json:"sent_at" doc:"UTC"`
	DecidedAt   *time.Time     `json:"decided_at" nullable:"true" doc:"UTC"`
	Lapsed      bool           `json:"lapsed" doc:"Refused because nobody answered within thirty days"`
	Reason      string         `json:"reason" doc:"Why it was refused, in the shop's words"`
	Mend        []string       `json:"mend"`
	PaysFrom    *string        `json:"pays_from" nullable:"true" format:"date" doc:"Since when this account is paid to"`
}

// agentRow is an agent whose row is locked.
type agentRow struct {
	id, customer uuid.UUID
	state        State
	kind         *uuid.UUID // of agents
	recruiter    *uuid.UUID
}

const (
	agentColumns = `SELECT a.id, a.customer_id, a.state, a.agent_type_id, a.recruiter_id FROM agent a `
	ofCustomer   = agentColumns + `WHERE a.customer_id = $1`
	lockOf       = ofCustomer + ` FOR UPDATE`
	lockByID     = agentColumns + `WHERE a.id = $1 FOR UPDATE`
	begin        = `WITH payee AS (INSERT INTO payee (id, kind, created_at) SELECT $1, 'agent', $3 WHERE NOT EXISTS (SELECT FROM agent WHERE customer_id = $2))
		INSERT INTO agent (id, customer_id, state, created_at, updated_at) VALUES ($1, $2, 'draft', $3, $3) ON CONFLICT (customer_id) DO NOTHING`
	setState    = `UPDATE agent SET state = $2, updated_at = $3 WHERE id = $1`
	personOf    = `SELECT first_name, last_name, email, coalesce(birth_date::text, '') FROM customer WHERE id = $1 AND status <> 9`
	recruiterBy = `SELECT a.id, c.display_name FROM customer c JOIN agent a ON a.customer_id = c.id WHERE c.refer_code = $1 AND a.status = 5 AND c.status = 5 AND c.id <> $2`
)

func readAgent(ctx context.Context, tx db.Tx, sql string, id uuid.UUID) (a agentRow, err error) {
	err = tx.QueryRow(ctx, sql, id).Scan(&a.id, &a.customer, &a.state, &a.kind, &a.recruiter)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, nil
	}
	if err != nil {
		return a, fmt.Errorf("agent of %s: %w", id, err)
	}
	return a, nil
}

// move has an agent take a step. It returns ErrNotNow.
func (a *agentRow) move(ctx context.Context, tx db.Tx, by auditlog.Actor, do step) error {
	to, err := a.state.after(do)
	if err != nil {
		return err
	}
	was := a.state
	a.state = to
	if was == to {
		return nil
	}
	if _, err := tx.Exec(ctx, setState, a.id, to, tx.Now); err != nil {
		return fmt.Errorf("%s agent %s: %w", do, a.id, err)
	}
	return auditlog.Record(ctx, tx, by, string(do), "agent/"+a.id.String(), map[string]any{"state": was}, map[string]any{"state": to})
}

// notify notifies the agent's screens, and those of the office.
func (a *agentRow) notify(ctx context.Context, tx db.Tx) error {
	if err := notice.Send(ctx, tx, token.Agent, a.customer, notice.Event{Topic: "agent"}); err != nil {
		return err
	}
	return notice.SendTableUpdate(ctx, tx, Agents.Name())
}

// Read returns what a customer knows of himself as an applicant or an agent.
func (s *Applications) Read(ctx context.Context, who token.Session) (a Application, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		a, err = s.read(ctx, tx, who.Subject)
		return err
	})
	return a, err
}

func (s *Applications) read(ctx context.Context, tx db.Tx, customer uuid.UUID) (a Application, err error) {
	row, err := readAgent(ctx, tx, ofCustomer, customer)
	if err != nil || row.state == Nobody || row.state == Erased {
		return a, err
	}
	a.State = row.state
	versions, err := payee.Versions(ctx, tx, s.box, row.id)
	if err != nil {
		return a, err
	}
	for _, v := range versions {
		if v.State != "withdrawn" && a.Sent == nil {
			shown := sentOf(v)
			a.Sent = &shown
		}
		if v.State == "approved" && a.Known == nil {
			shown := sentOf(v)
			a.Known = &shown
		}
	}
	a.Early = (row.state == Approved || row.state == Suspended) && a.Known == nil
	a.Draft, err = s.filling(ctx, tx, row)
	return a, err
}

func (s *Applications) filling(ctx context.Context, tx db.Tx, row agentRow) (*Filling, error) {
	d, err := payee.ReadDraft(ctx, tx, s.box, row.id)
	if err != nil || d == nil {
		return nil, err
	}
	f := Filling{Form: d.Form, Verified: d.Verified, Pictures: d.Pictures, Mend: d.Mend, SavedAt: d.SavedAt, WrongDigit: []string{}}
	if payee.WrongDigit(d.Form.IDCard) {
		f.WrongDigit = append(f.WrongDigit, "idcard")
	}
	if payee.WrongDigit(d.Form.TaxID) {
		f.WrongDigit = append(f.WrongDigit, "tax_id")
	}
	_, f.Recruiter, err = recruiter(ctx, tx, row.customer, d.Form.Recruiter)
	if errors.Is(err, ErrRecruiter) {
		err = nil
	}
	return &f, err
}

func sentOf(v payee.Version) Sent {
	return Sent{
		ID: v.ID, State: v.State, Kind: v.Form.Kind, Name: v.Form.Name(), Identity: v.Identity, Mobile: v.Mobile, Bank: v.Form.Bank, Account: v.Account, AccountName: v.Form.AccountName,
		Pictures: v.Pictures, SentAt: v.SentAt, DecidedAt: v.DecidedAt, Lapsed: v.State == "refused" && v.DecidedBy == nil, Reason: v.Reason, Mend: v.Mend, PaysFrom: day(v.PaysFrom),
	}
}

func day(t *time.Time) *string {
	if t == nil {
		return nil
	}
	text := t.Format(time.DateOnly)
	return &text
}

// recruiter returns who sells here and has a code. It returns ErrRecruiter if that is nobody else; no code is nobody's.
func recruiter(ctx context.Context, tx db.Tx, customer uuid.UUID, code string) (id *uuid.UUID, name string, err error) {
	if code == "" {
		return nil, "", nil
	}
	err = tx.QueryRow(ctx, recruiterBy, code, customer).Scan(&id, &name)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, "", ErrRecruiter
	}
	if err != nil {
		return nil, "", fmt.Errorf("recruiter of %s: %w", customer, err)
	}
	return id, name, nil
}

// change runs a step of who applies, in the lock of his row, and returns what he knows of himself after it.
func (s *Applications) change(ctx context.Context, who token.Session, fn func(tx db.Tx, row agentRow) error) (a Application, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		row, err := readAgent(ctx, tx, lockOf, who.Subject)
		if err != nil {
			return err
		}
		if err := fn(tx, row); err != nil {
			return err
		}
		a, err = s.read(ctx, tx, who.Subject)
		return err
	})
	return a, err
}

// open returns what a customer is filling in, and has him begin if he has not: with what he sent last, or what is known of the customer. It returns ErrNotNow
// while a form of his waits.
func (s *Applications) open(ctx context.Context, tx db.Tx, by auditlog.Actor, who token.Session, row agentRow) (agentRow, payee.Draft, error) {
	if _, err := row.state.after(stepMend); err != nil {
		return row, payee.Draft{}, err
	}
	if row.state == Nobody {
		if _, err := tx.Exec(ctx, begin, db.NewID(), who.Subject, tx.Now); err != nil {
			return row, payee.Draft{}, fmt.Errorf("begin to apply: %w", err)
		}
		var err error
		if row, err = readAgent(ctx, tx, lockOf, who.Subject); err != nil {
			return row, payee.Draft{}, err
		}
	}
	if err := row.move(ctx, tx, by, stepMend); err != nil {
		return row, payee.Draft{}, err
	}
	versions, err := payee.Versions(ctx, tx, s.box, row.id)
	if err != nil {
		return row, payee.Draft{}, err
	}
	if len(versions) > 0 && versions[0].State == "pending" {
		return row, payee.Draft{}, ErrNotNow
	}
	had, err := payee.ReadDraft(ctx, tx, s.box, row.id)
	if err != nil || had != nil {
		return row, deref(had), err
	}
	if i := slices.IndexFunc(versions, func(v payee.Version) bool { return !v.Forgotten }); i >= 0 {
		return row, payee.Draft{Form: versions[i].Form, Verified: versions[i].Verified, Pictures: versions[i].Pictures}, nil
	}
	fresh := payee.Draft{Form: payee.Form{Kind: payee.Person, Nationality: "TH", Resident: true}}
	err = tx.QueryRow(ctx, personOf, who.Subject).Scan(&fresh.Form.FirstName, &fresh.Form.LastName, &fresh.Form.Email, &fresh.Form.BirthDate)
	if errors.Is(err, pgx.ErrNoRows) {
		return row, fresh, fault.NoSession
	}
	if err != nil {
		return row, fresh, fmt.Errorf("who applies: %w", err)
	}
	return row, fresh, nil
}

func deref(d *payee.Draft) payee.Draft {
	if d == nil {
		return payee.Draft{}
	}
	return *d
}

// Begin opens the form, with what he sent last or what is known of the customer. It returns ErrNotNow while a form of his waits.
func (s *Applications) Begin(ctx context.Context, who token.Session, by auditlog.Actor) (Application, error) {
	return s.change(ctx, who, func(tx db.Tx, row agentRow) error {
		row, draft, err := s.open(ctx, tx, by, who, row)
		if err != nil {
			return err
		}
		return payee.SaveDraft(ctx, tx, s.box, row.id, draft)
	})
}

// Save keeps what is filled in, right or not. It returns ErrNotNow while a form of his waits.
func (s *Applications) Save(ctx context.Context, who token.Session, by auditlog.Actor, form payee.Form) (Application, error) {
	return s.change(ctx, who, func(tx db.Tx, row agentRow) error {
		row, draft, err := s.open(ctx, tx, by, who, row)
		if err != nil {
			return err
		}
		form = form.Tidy()
		draft.Verified = draft.Verified && payee.SameMobile(draft.Form, form)
		draft.Form = form
		return payee.SaveDraft(ctx, tx, s.box, row.id, draft)
	})
}

// AddPicture keeps a picture of a card or a bank book with what is filled in, encrypted. It returns ErrNotNow, and the faults of a picture.
func (s *Applications) AddPicture(ctx context.Context, who token.Session, by auditlog.Actor, kind string, upload io.Reader) (Application, error) {
	row, err := s.mayMend(ctx, who)
	if err != nil {
		return Application{}, err
	}
	kept, err := s.album.Keep(ctx, who.Org, row.key, kind, upload)
	if err != nil {
		return Application{}, err
	}
	return s.change(ctx, who, func(tx db.Tx, row agentRow) error {
		row, draft, err := s.open(ctx, tx, by, who, row)
		if err != nil {
			return err
		}
		if err := kept.Save(ctx, tx, row.id); err != nil {
			return err
		}
		if kind == payee.IDCardPicture {
			draft.Pictures.IDCard = &kept.ID
		} else {
			draft.Pictures.Bank = &kept.ID
		}
		if err := payee.SaveDraft(ctx, tx, s.box, row.id, draft); err != nil {
			return err
		}
		return payee.DropPictures(ctx, tx)
	})
}

// keyed is an agent, with the key of his organisation.
type keyed struct {
	agentRow
	key uuid.UUID
}

// mayMend returns ErrNotNow, before a picture is encoded for nobody.
func (s *Applications) mayMend(ctx context.Context, who token.Session) (k keyed, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		k.key = tx.Key
		k.agentRow, err = readAgent(ctx, tx, ofCustomer, who.Subject)
		if err != nil {
			return err
		}
		_, err = k.state.after(stepMend)
		return err
	})
	return k, err
}

// Picture returns a picture of the customer's own. It returns fault.Missing for anybody else's.
func (s *Applications) Picture(ctx context.Context, who token.Session, id uuid.UUID) ([]byte, error) {
	var key uuid.UUID
	err := s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		key = tx.Key
		row, err := readAgent(ctx, tx, ofCustomer, who.Subject)
		if err != nil {
			return err
		}
		owner, _, err := payee.Owner(ctx, tx, id)
		if err == nil && (row.state == Nobody || owner != row.id) {
			return fault.Missing
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.album.Read(ctx, who.Org, key, id)
}

// Recruiter is who recruits, as an applicant is shown him.
type Recruiter struct {
	Name string `json:"name"`
}

// RecruiterInput is a code as people type it.
type RecruiterInput struct {
	Code string `json:"referercode" minLength:"1" maxLength:"20"`
}

// Recruiter names the agent who has a code. It returns ErrRecruiter at the field.
func (s *Applications) Recruiter(ctx context.Context, who token.Session, in RecruiterInput) (r Recruiter, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		_, r.Name, err = recruiter(ctx, tx, who.Subject, payee.Form{Recruiter: in.Code}.Tidy().Recruiter)
		if errors.Is(err, ErrRecruiter) || err == nil && r.Name == "" {
			return fault.At("referercode", ErrRecruiter)
		}
		return err
	})
	return r, err
}

// draftOf returns what somebody is filling in, or ErrNotNow if there is nothing.
func (s *Applications) draftOf(ctx context.Context, tx db.Tx, row agentRow) (*payee.Draft, error) {
	draft, err := payee.ReadDraft(ctx, tx, s.box, row.id)
	if err == nil && draft == nil {
		err = ErrNotNow
	}
	return draft, err
}

// Mobile returns the number that he has filled in, which a code is sent to. It returns ErrNotNow if he is not filling a form in.
func (s *Applications) Mobile(ctx context.Context, who token.Session) (number string, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		row, err := readAgent(ctx, tx, ofCustomer, who.Subject)
		if err != nil {
			return err
		}
		draft, err := s.draftOf(ctx, tx, row)
		if err != nil {
			return err
		}
		number = draft.Form.Mobile
		return nil
	})
	return number, err
}

// SetVerified writes down that the number which he has filled in is his, because he had the code that was sent to it. It returns ErrUnverified if he has filled in
// another one since.
func (s *Applications) SetVerified(ctx context.Context, who token.Session, by auditlog.Actor, number string) (Application, error) {
	return s.change(ctx, who, func(tx db.Tx, row agentRow) error {
		row, draft, err := s.open(ctx, tx, by, who, row)
		if err != nil {
			return err
		}
		if !payee.SameMobile(draft.Form, payee.Form{Mobile: number}) {
			return fault.At("mobilenumber", ErrUnverified)
		}
		draft.Verified = true
		return payee.SaveDraft(ctx, tx, s.box, row.id, draft)
	})
}

// Send has the organisation decide on what is filled in. It returns ErrNotNow, the fields that are not right, ErrTooYoung, ErrBankName, ErrUnverified and
// ErrRecruiter among them, and the faults of consent.Requirements.Check.
func (s *Applications) Send(ctx context.Context, who token.Session, by auditlog.Actor) (a Application, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		required := consent.LockRequirements(tx, consent.ForSignIn, who)
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		row, err := readAgent(ctx, tx, lockOf, who.Subject)
		if err != nil {
			return err
		}
		draft, err := s.draftOf(ctx, tx, row)
		if err != nil {
			return err
		}
		if _, err := row.state.after(stepSend); err != nil {
			return err
		}
		named, err := s.sendable(ctx, tx, row, *draft)
		if err != nil {
			return err
		}
		if err := required.Check(who.Subject); err != nil {
			return err
		}
		if err := row.move(ctx, tx, by, stepSend); err != nil {
			return err
		}
		id, err := payee.Send(ctx, tx, s.box, row.id, *draft, named)
		if err != nil {
			return err
		}
		if err := payee.DropDraft(ctx, tx, row.id); err != nil {
			return err
		}
		if err := auditlog.Record(ctx, tx, by, "send", "payee_version/"+id.String(), nil, map[string]any{"agent_id": row.id}); err != nil {
			return err
		}
		if err := row.notify(ctx, tx); err != nil {
			return err
		}
		a, err = s.read(ctx, tx, who.Subject)
		return err
	})
	return a, err
}

// sendable returns the recruiter of a draft, or what keeps it from being sent.
func (s *Applications) sendable(ctx context.Context, tx db.Tx, row agentRow, d payee.Draft) (*uuid.UUID, error) {
	today := clock.Day(tx.Now)
	bad := d.Form.Check(today)
	wrong := func(path string) bool {
		return slices.ContainsFunc(bad, func(f fault.Field) bool { return f.Path == path })
	}
	add := func(path string, why *fault.Fault) {
		if !wrong(path) {
			bad = append(bad, fault.Field{Path: path, Fault: why.Code})
		}
	}
	if d.Form.Kind == payee.Person && d.Form.Age(today) < adult {
		add("birthdate", ErrTooYoung)
	}
	if !payee.SameName(d.Form.AccountName, d.Form.Name()) {
		add("account_name", ErrBankName)
	}
	if !d.Verified {
		add("mobilenumber", ErrUnverified)
	}
	if d.Pictures.IDCard == nil {
		add("picture_idcard", fault.Required)
	}
	if d.Pictures.Bank == nil {
		add("picture_bank", fault.Required)
	}
	named, _, err := recruiter(ctx, tx, row.customer, d.Form.Recruiter)
	switch {
	case row.recruiter != nil || row.state == Approved || row.state == Suspended:
		named = nil // who recruited him was named when he was approved
	case errors.Is(err, ErrRecruiter):
		add("referercode", ErrRecruiter)
	case err != nil:
		return nil, err
	}
	if len(bad) > 0 {
		return nil, fault.Of(bad...)
	}
	return named, nil
}

// waiting returns the version of a payee that waits. It returns ErrNotNow if none does.
func (s *Applications) waiting(ctx context.Context, tx db.Tx, row agentRow) (payee.Version, error) {
	versions, err := payee.Versions(ctx, tx, s.box, row.id)
	if err != nil {
		return payee.Version{}, err
	}
	if len(versions) == 0 || versions[0].State != "pending" {
		return payee.Version{}, ErrNotNow
	}
	return versions[0], nil
}

// TakeBack opens the form again that he has sent and nobody has decided on. It returns ErrNotNow.
func (s *Applications) TakeBack(ctx context.Context, who token.Session, by auditlog.Actor) (Application, error) {
	return s.change(ctx, who, func(tx db.Tx, row agentRow) error {
		v, err := s.waiting(ctx, tx, row)
		if err != nil {
			return err
		}
		if err := row.move(ctx, tx, by, stepTakeBack); err != nil {
			return err
		}
		if err := v.Withdraw(ctx, tx); err != nil {
			return err
		}
		if err := payee.SaveDraft(ctx, tx, s.box, row.id, payee.Draft{Form: v.Form, Verified: v.Verified, Pictures: v.Pictures}); err != nil {
			return err
		}
		return row.notify(ctx, tx)
	})
}

// Leave ends that he is an agent, or wants to be. What he has earned is still paid. It returns ErrNotNow.
func (s *Applications) Leave(ctx context.Context, who token.Session, by auditlog.Actor) (Application, error) {
	return s.change(ctx, who, func(tx db.Tx, row agentRow) error {
		if err := row.move(ctx, tx, by, stepLeave); err != nil {
			return err
		}
		v, err := s.waiting(ctx, tx, row)
		if err == nil {
			err = v.Withdraw(ctx, tx)
		}
		if err != nil && !errors.Is(err, ErrNotNow) {
			return err
		}
		if err := payee.DropDraft(ctx, tx, row.id); err != nil {
			return err
		}
		if err := payee.DropPictures(ctx, tx); err != nil {
			return err
		}
		return row.notify(ctx, tx)
	})
}

// Standing is how far a customer is on the way to sell, as his own pages say it.
type Standing struct {
	State     State      `json:"state" enum:",draft,pending,approved,refused,suspended,left" doc:"Empty: he has never applied"`
	Early     bool       `json:"early"`
	SentAt    *time.Time `json:"sent_at" nullable:"true" doc:"UTC; of what he sent last"`
	DecidedAt *time.Time `json:"decided_at" nullable:"true" doc:"UTC"`
	Reason    string     `json:"reason" doc:"Why that was refused, in the shop's words"`
}

// Standing returns how far a customer is on the way to sell.
func (s *Applications) Standing(ctx context.Context, who token.Session) (Standing, error) {
	a, err := s.Read(ctx, who)
	if err != nil {
		return Standing{}, err
	}
	standing := Standing{State: a.State, Early: a.Early}
	if a.Sent != nil {
		standing.SentAt, standing.DecidedAt = &a.Sent.SentAt, a.Sent.DecidedAt
		if a.Sent.State == "refused" {
			standing.Reason = a.Sent.Reason
		}
	}
	return standing, nil
}
