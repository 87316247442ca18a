package member

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/points"
	"welovevoucher/tenants/presence"
)

// Standing is what a customer has of a card, or is on the way to have.
type Standing struct {
	Card        *Card          `json:"card" doc:"Of who is a member, or was"`
	Application *Sent          `json:"application" doc:"What he sent last, while it waits, or was refused and nothing was granted since"`
	Draft       Form           `json:"draft" doc:"What he is filling in, or what is known of him"`
	Texts       []consent.Text `json:"texts" doc:"Still to be accepted when he applies"`
	Purchase    []consent.Text `json:"purchase_texts" doc:"Still to be accepted with a card that has a price"`
	RenewsFrom  *string        `json:"renews_from" nullable:"true" format:"date" doc:"Since when the card can be renewed; null: it cannot be"`
}

// Card is a member's card.
type Card struct {
	Number   string  `json:"number"`
	Name     string  `json:"name"`
	State    State   `json:"state" enum:"active,suspended,expired,left"`
	Since    string  `json:"since" format:"date"`
	TypeID   string  `json:"card_type_id" format:"uuid"`
	TypeTH   string  `json:"type_name_th"`
	TypeEN   string  `json:"type_name_en"`
	Picture  *string `json:"picture_id" nullable:"true" format:"uuid"`
	Level    int16   `json:"level"`
	EndsOn   *string `json:"ends_on" nullable:"true" format:"date" doc:"Its last day; null: it has no end"`
	NextEnds *string `json:"next_ends_on" nullable:"true" format:"date" doc:"The last day of a term that is to come"`
	Next     bool    `json:"next" doc:"Whether a term is to come"`

	NextPaid money.Amount `json:"next_paid_satang" doc:"What was paid for a term that is to come, and comes back with it"`
	Credit   money.Amount `json:"credit_satang" doc:"What comes back to the wallet when a card of a higher level replaces this one today"`
	Regret   *string      `json:"regret_until" nullable:"true" format:"date" doc:"Until when the whole price comes back to who leaves; null: nothing does"`
}

// Sent is an application.
type Sent struct {
	ID        uuid.UUID        `json:"id"`
	State     ApplicationState `json:"state" enum:"pending,refused"`
	TypeTH    string           `json:"type_name_th"`
	TypeEN    string           `json:"type_name_en"`
	SentAt    time.Time        `json:"sent_at" doc:"UTC"`
	DecidedAt *time.Time       `json:"decided_at" nullable:"true" doc:"UTC"`
	Reason    string           `json:"reason" doc:"Why it was refused, in the organisation's words"`
	Lapsed    bool             `json:"lapsed" doc:"Refused because nobody answered within thirty days"`
	Paid      money.Amount     `json:"paid_satang" doc:"What was paid for it; of what was refused it is in the wallet again"`
}

const (
	cardOf = `SELECT k.number, m.name, m.state, m.since::text, y.id::text, y.name_th, y.name_en, y.picture_id::text, v.level, t.ends_on::text,
			(SELECT n.ends_on::text FROM membership_term n WHERE n.membership_id = m.id AND n.state = 'to_come'), EXISTS (SELECT FROM membership_term n WHERE n.membership_id = m.id AND n.state = 'to_come'),
			coalesce((SELECT o.total_satang FROM membership_term n JOIN card_order r ON r.application_id = n.application_id JOIN orders o ON o.id = r.order_id WHERE n.membership_id = m.id AND n.state = 'to_come'), 0),
			coalesce((SELECT o.total_satang - (o.total_satang - o.platform_fee_satang) * d.had / d.days - o.platform_fee_satang * d.had / d.days FROM card_order r JOIN orders o ON o.id = r.order_id
				CROSS JOIN (SELECT $2::date - t.starts_on AS had, t.ends_on - t.starts_on + 1 AS days) d
				WHERE r.application_id = t.application_id AND r.begun_at IS NOT NULL AND r.credited_at IS NULL AND t.ends_on >= $2 AND m.state = 'active'), 0),
			(SELECT (` + commission.LastRegret + `)::text FROM card_order r JOIN orders o ON o.id = r.order_id WHERE r.application_id = t.application_id AND r.begun_at IS NOT NULL AND r.credited_at IS NULL
				AND t.state = 'running' AND $2 <= ` + commission.LastRegret + `)
		FROM membership m JOIN member_card k ON k.membership_id = m.id
		JOIN LATERAL (SELECT version_id, application_id, starts_on, ends_on, state FROM membership_term WHERE membership_id = m.id AND state <> 'to_come' ORDER BY state = 'running' DESC, id DESC LIMIT 1) t ON true
		JOIN card_type_version v ON v.id = t.version_id JOIN card_type y ON y.id = v.card_type_id WHERE m.customer_id = $1`
	newestOf = `SELECT a.id, a.state, y.name_th, y.name_en, a.sent_at, a.decided_at, a.reason, a.state = 'refused' AND a.decided_by IS NULL, ` + paidFor + ` FROM application a
		JOIN card_type_version v ON v.id = a.version_id JOIN card_type y ON y.id = v.card_type_id WHERE a.customer_id = $1 ORDER BY a.sent_at DESC, a.id DESC LIMIT 1`
	draftOf      = `SELECT form FROM member_draft WHERE customer_id = $1`
	grantedForm  = `SELECT id, form FROM application WHERE customer_id = $1 AND form IS NOT NULL ORDER BY sent_at DESC, id DESC LIMIT 1`
	knownOf      = `SELECT first_name, last_name, email, gender, coalesce(birth_date::text, '') FROM customer WHERE id = $1`
	upsertDraft  = `INSERT INTO member_draft (customer_id, form, saved_at) VALUES ($1, $2, $3) ON CONFLICT (customer_id) DO UPDATE SET form = excluded.form, saved_at = excluded.saved_at`
	stillToRenew = `SELECT t.ends_on - $2::int FROM membership_term t JOIN membership m ON m.id = t.membership_id WHERE m.customer_id = $1 AND m.state = 'active' AND t.state = 'running'
		AND NOT EXISTS (SELECT FROM membership_term n WHERE n.membership_id = m.id AND n.state = 'to_come')`
)

// Read returns what a customer has of a card, or is on the way to have, and does what is due of it before.
func (s *Service) Read(ctx context.Context, who token.Session) (Standing, error) {
	return s.change(ctx, who, func(db.Tx, *membership, *application) error { return nil })
}

// Stands is Read, which does nothing that is due.
func (s *Service) Stands(ctx context.Context, who token.Session) (st Standing, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		st, err = s.standing(ctx, tx, who)
		return err
	})
	return st, err
}

func (s *Service) standing(ctx context.Context, tx db.Tx, who token.Session) (st Standing, err error) {
	if st.Card, err = oneOf[Card](ctx, tx, cardOf, who.Subject, clock.Day(tx.Now)); err != nil {
		return st, err
	}
	if st.Application, err = oneOf[Sent](ctx, tx, newestOf, who.Subject); err != nil {
		return st, err
	}
	if st.Application != nil && st.Application.State != Pending && st.Application.State != Refused {
		st.Application = nil
	}
	if st.Draft, err = s.draft(ctx, tx, who.Subject); err != nil {
		return st, err
	}
	if st.Texts, err = consent.ListMissing(ctx, tx, consent.Addressee(who.Audience), consent.ForMember, who.Subject); err != nil {
		return st, err
	}
	if st.Purchase, err = consent.ListMissing(ctx, tx, consent.Addressee(who.Audience), consent.ForPurchase, who.Subject); err != nil {
		return st, err
	}
	var from *time.Time
	err = tx.QueryRow(ctx, stillToRenew, who.Subject, renewsFrom).Scan(&from)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return st, fmt.Errorf("renewal of %s: %w", who.Subject, err)
	}
	if from != nil {
		day := from.Format(time.DateOnly)
		st.RenewsFrom = &day
	}
	return st, nil
}

// oneOf returns the one row of a customer, whom the first of args names, or nil.
func oneOf[T any](ctx context.Context, tx db.Tx, sql string, args ...any) (*T, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("member %s: %w", args[0], err)
	}
	one, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[T])
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // there may be none
	}
	if err != nil {
		return nil, fmt.Errorf("member %s: %w", args[0], err)
	}
	return &one, nil
}

// draft returns what a customer is filling in: what he kept last, else what he sent last, else what is known of him.
func (s *Service) draft(ctx context.Context, tx db.Tx, customer uuid.UUID) (f Form, err error) {
	var sealed []byte
	err = tx.QueryRow(ctx, draftOf, customer).Scan(&sealed)
	if err == nil {
		return open(s.box, tx, inDraft, customer, sealed)
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return f, fmt.Errorf("draft of %s: %w", customer, err)
	}
	var sent uuid.UUID
	err = tx.QueryRow(ctx, grantedForm, customer).Scan(&sent, &sealed)
	if err == nil {
		return open(s.box, tx, inApplication, sent, sealed)
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return f, fmt.Errorf("what %s sent: %w", customer, err)
	}
	f.Nationality = "TH"
	if err := tx.QueryRow(ctx, knownOf, customer).Scan(&f.FirstName, &f.LastName, &f.Email, &f.Gender, &f.BirthDate); err != nil {
		return f, fmt.Errorf("what is known of %s: %w", customer, err)
	}
	return f, nil
}

// Save keeps what a customer is filling in, right or not.
func (s *Service) Save(ctx context.Context, who token.Session, in Form) error {
	return s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		sealed, err := seal(s.box, tx, inDraft, who.Subject, in)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, upsertDraft, who.Subject, sealed, tx.Now); err != nil {
			return fmt.Errorf("draft of %s: %w", who.Subject, err)
		}
		return nil
	})
}

// Held is all that is kept of what a member said of himself, and of his card.
type Held struct {
	Card  *Card           `json:"card"`
	Forms []HeldForm      `json:"forms"`
	Seen  []presence.Held `json:"seen" doc:"When and where staff read the code of his card, for ninety days"`
}

// HeldForm is a form that a customer sent, or is filling in.
type HeldForm struct {
	At     time.Time `json:"at" doc:"When it was sent, or saved last; UTC"`
	State  string    `json:"state" enum:"draft,pending,granted,refused,taken_back"`
	Form   Form      `json:"form"`
	Reason string    `json:"reason" doc:"Of the organisation, where it refused"`
}

const heldOf = `SELECT id, sent_at, state, form, reason FROM application WHERE customer_id = $1 AND form IS NOT NULL
	UNION ALL SELECT customer_id, saved_at, 'draft', form, '' FROM member_draft WHERE customer_id = $1 ORDER BY 2`

// Of returns all that is kept of a customer as a member.
func (s *Service) Of(ctx context.Context, tx db.Tx, customer uuid.UUID) (h Held, err error) {
	if h.Card, err = oneOf[Card](ctx, tx, cardOf, customer, clock.Day(tx.Now)); err != nil {
		return h, err
	}
	rows, err := tx.Query(ctx, heldOf, customer)
	if err != nil {
		return h, fmt.Errorf("forms of %s: %w", customer, err)
	}
	h.Forms, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (f HeldForm, err error) {
		var id uuid.UUID
		var sealed []byte
		if err := row.Scan(&id, &f.At, &f.State, &sealed, &f.Reason); err != nil {
			return f, err
		}
		column := inApplication
		if f.State == "draft" {
			column = inDraft
		}
		f.Form, err = open(s.box, tx, column, id, sealed)
		return f, err
	})
	if err != nil {
		return h, fmt.Errorf("forms of %s: %w", customer, err)
	}
	h.Seen, err = presence.Of(ctx, tx, customer)
	return h, err
}

const (
	forgetOf   = `UPDATE application SET form = NULL, identity_index = NULL, mobile_index = NULL, identity_digits = '', mobile_digits = '' WHERE customer_id = $1`
	namelessOf = `UPDATE membership SET name = '', updated_at = $2 WHERE customer_id = $1`
	forgetOld  = `UPDATE application SET form = NULL, identity_index = NULL, mobile_index = NULL, identity_digits = '', mobile_digits = '' WHERE state IN ('refused', 'taken_back') AND form IS NOT NULL AND decided_at < $1`
	dropOld    = `DELETE FROM member_draft WHERE saved_at < $1`
	dueOf      = `SELECT customer_id FROM application WHERE state = 'pending' AND sent_at <= $1
		UNION SELECT m.customer_id FROM membership_term t JOIN membership m ON m.id = t.membership_id WHERE t.state = 'running' AND t.ends_on < $2 ORDER BY 1 LIMIT $3`
)

// Erase takes a customer out of his card and of what he sent, and ends both. He is locked.
func (s *Service) Erase(ctx context.Context, tx db.Tx, id uuid.UUID) error {
	m, waiting, err := s.due(ctx, tx, id)
	if err != nil {
		return err
	}
	if _, err := m.state.after(stepLeave); err == nil {
		if err := m.take(ctx, tx, theClock, stepLeave); err != nil {
			return err
		}
	}
	if err := points.Leave(ctx, tx, id); err != nil {
		return err
	}
	if m.state != None || waiting != nil {
		if err := s.endAll(ctx, tx, theClock, &m, waiting); err != nil {
			return err
		}
	}
	for _, sql := range []string{forgetOf, dropDraft} {
		if _, err := tx.Exec(ctx, sql, id); err != nil {
			return fmt.Errorf("erase member %s: %w", id, err)
		}
	}
	if _, err := tx.Exec(ctx, namelessOf, id, tx.Now); err != nil {
		return fmt.Errorf("erase member %s: %w", id, err)
	}
	return presence.Erase(ctx, tx, id)
}

// EndDue does what is due of all customers, and forgets what is not to be kept any longer. A worker calls it for each organisation.
func (s *Service) EndDue(ctx context.Context, tx db.Tx) error {
	rows, err := tx.Query(ctx, dueOf, tx.Now.Add(-answerWithin), clock.Day(tx.Now), dueAtOnce)
	if err != nil {
		return fmt.Errorf("members of whom something is due: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return fmt.Errorf("members of whom something is due: %w", err)
	}
	if err := lockAll(ctx, tx, ids...); err != nil {
		return err
	}
	for _, id := range ids {
		if _, _, err := s.due(ctx, tx, id); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(ctx, forgetOld, tx.Now.Add(-keptForm)); err != nil {
		return fmt.Errorf("old applications: %w", err)
	}
	if _, err := tx.Exec(ctx, dropOld, tx.Now.Add(-keptDraft)); err != nil {
		return fmt.Errorf("old drafts of members: %w", err)
	}
	if _, err := tx.Exec(ctx, dropOldKeys, tx.Now); err != nil {
		return fmt.Errorf("old keys of cards: %w", err)
	}
	return presence.DropOld(ctx, tx)
}
