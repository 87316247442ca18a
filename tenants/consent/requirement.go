package consent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/customer"
)

// AcceptInput is what a person sends who agrees.
type AcceptInput struct {
	Versions []uuid.UUID `json:"version_ids" maxItems:"20" doc:"The texts he ticked"`
	Lang     string      `json:"lang" enum:"th,en" doc:"The language he read them in"`
}

// OpenFor lists what the person of a session has still to accept after signing in. A new active version asks again.
func (s *Service) OpenFor(ctx context.Context, who token.Session) (list []Text, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		list, err = ListMissing(ctx, tx, Audience(who.Audience), ForCustomer, who.Subject)
		return err
	})
	return list, err
}

// Accept records that the person of a session agrees to everything that is open after signing in. It returns the faults
// of Asked.Accept with ErrInactiveConsent for ErrInactive, customer.ErrSuspended, or fault.NoSession.
func (s *Service) Accept(ctx context.Context, who token.Session, in AcceptInput) error {
	return s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		customer.Lock(tx, who.Subject)
		asked := QueueRequirement(tx, Audience(who.Audience), ForCustomer, who.Subject)
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		err := asked.Accept(tx, Submission{
			Customer: who.Subject, Versions: in.Versions, Lang: in.Lang, Channel: "consent.accept", Address: who.Address,
		})
		if errors.Is(err, ErrInactive) {
			return ErrInactiveConsent.With(fault.From(err).Detail)
		}
		return err
	})
}

const anyOpen = `SELECT EXISTS (SELECT FROM consent_version v WHERE v.active AND v.audience = $1 AND v.purpose = $2
	AND NOT EXISTS (SELECT FROM consent c WHERE c.version_id = v.id AND c.customer_id = $3))`

// Require is customer.Lock for what only somebody may do who has agreed to everything that is asked for after signing in:
// with its next answer the transaction refuses him with ErrMissing otherwise. Which operations these are stands in the rights
// table (rest.Right.Agreed); a repeat of what was done under its key is not asked again.
func Require(tx db.Tx, who token.Session) {
	customer.Lock(tx, who.Subject)
	tx.Queue(anyOpen, Audience(who.Audience), ForCustomer, who.Subject).QueryRow(func(row pgx.Row) error {
		var open bool
		if err := row.Scan(&open); err != nil {
			return fmt.Errorf("texts that %s has not accepted: %w", who.Subject, err)
		}
		if open {
			return ErrMissing
		}
		return nil
	})
}

// Requirements is Admit for several people at once, and for a purpose that has texts of its own. Each is refused on his own.
type Requirements struct {
	admitted customer.Locked
	open     map[uuid.UUID]bool // who has not agreed to what is asked for after signing in
	asked    map[uuid.UUID]*Requirement
	agreed   []AcceptedTexts
}

// QueueRequirements locks them, and asks for their texts of both kinds; it is there with the transaction's next answer.
func QueueRequirements(tx db.Tx, who []token.Session, purpose string) *Requirements {
	g := &Requirements{open: map[uuid.UUID]bool{}, asked: map[uuid.UUID]*Requirement{}}
	var customers []uuid.UUID
	var audiences []string
	for _, w := range who {
		if g.asked[w.Subject] == nil {
			g.asked[w.Subject] = &Requirement{}
			customers, audiences = append(customers, w.Subject), append(audiences, Audience(w.Audience))
		}
	}
	g.admitted = customer.LockAll(tx, customers)
	ask(tx, customers, audiences, []string{ForCustomer, purpose}, func(d requiredText) {
		if d.Purpose == ForCustomer && d.Open {
			g.open[d.Customer] = true
		}
		if d.Purpose == purpose {
			g.asked[d.Customer].inForce = append(g.asked[d.Customer].inForce, d)
		}
	})
	return g
}

// Check returns what refuses one of them: what Check does.
func (g *Requirements) Check(id uuid.UUID) error {
	if err := g.admitted.Refusal(id); err != nil {
		return err
	}
	if g.open[id] {
		return ErrMissing
	}
	return nil
}

// Debt is what one of them owes, in satang.
func (g *Requirements) Debt(id uuid.UUID) money.Amount { return g.admitted.Debt(id) }

// Agree says what somebody agrees to, or returns the faults of Asked.Accept.
func (g *Requirements) Agree(a Submission) (AcceptedTexts, error) {
	return g.asked[a.Customer].agree(a)
}

// Accept keeps what somebody agreed to, so that he is not asked again.
func (g *Requirements) Accept(a AcceptedTexts) {
	g.agreed = append(g.agreed, a)
	inForce := g.asked[a.Customer].inForce
	for i := range inForce {
		inForce[i].Open = false // all that were are in the agreement
	}
}

// Save records what was kept.
func (g *Requirements) Save(tx db.Tx) { record(tx, g.agreed) }

// Acceptance is a text that somebody agreed to: which version, when, from where.
type Acceptance struct {
	Text
	Audience string    `json:"audience" enum:"customer,agent"`
	Number   string    `json:"version"`
	Lang     string    `json:"lang" enum:"th,en" doc:"The language he read it in"`
	Channel  string    `json:"channel" doc:"The operation during which he agreed"`
	Address  string    `json:"address" doc:"IP"`
	At       time.Time `json:"at"`
}

const (
	acceptedBy = `SELECT v.id, v.kind, v.purpose, v.title_th, v.title_en, v.body_th, v.body_en, v.active, v.audience, v.version, c.lang, c.channel, c.address, c.at
		FROM consent c JOIN consent_version v ON v.id = c.version_id WHERE c.customer_id = $1 ORDER BY c.at DESC, c.id DESC`
	forgetAddresses = `UPDATE consent SET address = '' WHERE customer_id = $1`
	inForce         = `SELECT kind, purpose, audience, id FROM consent_version WHERE active`
)

// AcceptedBy lists what a customer agreed to, the last first.
func AcceptedBy(ctx context.Context, tx db.Tx, customer uuid.UUID) ([]Acceptance, error) {
	rows, err := tx.Query(ctx, acceptedBy, customer)
	if err != nil {
		return nil, fmt.Errorf("what %s accepted: %w", customer, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Acceptance])
	if err != nil {
		return nil, fmt.Errorf("what %s accepted: %w", customer, err)
	}
	return list, nil
}

// Erase takes out of a customer's acceptances where he was. That somebody agreed, and when, stays as proof.
func Erase(ctx context.Context, tx db.Tx, customer uuid.UUID) error {
	if _, err := tx.Exec(ctx, forgetAddresses, customer); err != nil {
		return fmt.Errorf("addresses of %s: %w", customer, err)
	}
	return nil
}

// Setting is what an organisation asks its people to accept, as its pages read it: whether a
// text of the kind is in force, and which version.
type Setting struct {
	PDPACustomer         bool       `json:"pdpa_customer_accept"`
	PDPACustomerVersion  *uuid.UUID `json:"pdpa_customer_accept_version" nullable:"true"`
	PDPAMember           bool       `json:"pdpa_member_accept"`
	PDPAMemberVersion    *uuid.UUID `json:"pdpa_member_accept_version" nullable:"true"`
	PDPAPurchase         bool       `json:"pdpa_purchase_accept"`
	PDPAPurchaseVersion  *uuid.UUID `json:"pdpa_purchase_accept_version" nullable:"true"`
	TermsCustomer        bool       `json:"terms_customer_accept"`
	TermsCustomerVersion *uuid.UUID `json:"terms_customer_accept_version" nullable:"true"`
	TermsMember          bool       `json:"terms_member_accept"`
	TermsMemberVersion   *uuid.UUID `json:"terms_member_accept_version" nullable:"true"`
	TermsPurchase        bool       `json:"terms_purchase_accept"`
	TermsPurchaseVersion *uuid.UUID `json:"terms_purchase_accept_version" nullable:"true"`

	PDPACustomerAgent         bool       `json:"pdpa_customer_accept_agent"`
	PDPACustomerVersionAgent  *uuid.UUID `json:"pdpa_customer_accept_version_agent" nullable:"true"`
	PDPAMemberAgent           bool       `json:"pdpa_member_accept_agent"`
	PDPAMemberVersionAgent    *uuid.UUID `json:"pdpa_member_accept_version_agent" nullable:"true"`
	PDPAPurchaseAgent         bool       `json:"pdpa_purchase_accept_agent"`
	PDPAPurchaseVersionAgent  *uuid.UUID `json:"pdpa_purchase_accept_version_agent" nullable:"true"`
	TermsCustomerAgent        bool       `json:"terms_customer_accept_agent"`
	TermsCustomerVersionAgent *uuid.UUID `json:"terms_customer_accept_version_agent" nullable:"true"`
	TermsMemberAgent          bool       `json:"terms_member_accept_agent"`
	TermsMemberVersionAgent   *uuid.UUID `json:"terms_member_accept_version_agent" nullable:"true"`
	TermsPurchaseAgent        bool       `json:"terms_purchase_accept_agent"`
	TermsPurchaseVersionAgent *uuid.UUID `json:"terms_purchase_accept_version_agent" nullable:"true"`
}

// accept marks a version as in force.
func (s *Setting) accept(kind, purpose, audience string, version *uuid.UUID) {
	switch kind + "." + purpose + "." + audience {
	case "pdpa.customer.customer":
		s.PDPACustomer, s.PDPACustomerVersion = true, version
	case "pdpa.member.customer":
		s.PDPAMember, s.PDPAMemberVersion = true, version
	case "pdpa.purchase.customer":
		s.PDPAPurchase, s.PDPAPurchaseVersion = true, version
	case "terms.customer.customer":
		s.TermsCustomer, s.TermsCustomerVersion = true, version
	case "terms.member.customer":
		s.TermsMember, s.TermsMemberVersion = true, version
	case "terms.purchase.customer":
		s.TermsPurchase, s.TermsPurchaseVersion = true, version
	case "pdpa.customer.agent":
		s.PDPACustomerAgent, s.PDPACustomerVersionAgent = true, version
	case "pdpa.member.agent":
		s.PDPAMemberAgent, s.PDPAMemberVersionAgent = true, version
	case "pdpa.purchase.agent":
		s.PDPAPurchaseAgent, s.PDPAPurchaseVersionAgent = true, version
	case "terms.customer.agent":
		s.TermsCustomerAgent, s.TermsCustomerVersionAgent = true, version
	case "terms.member.agent":
		s.TermsMemberAgent, s.TermsMemberVersionAgent = true, version
	case "terms.purchase.agent":
		s.TermsPurchaseAgent, s.TermsPurchaseVersionAgent = true, version
	}
}

// Setting reads what is in force in an organisation.
func (s *Service) Setting(ctx context.Context, org uuid.UUID) (set Setting, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, inForce)
		if err != nil {
			return fmt.Errorf("texts in force: %w", err)
		}
		var kind, purpose, audience string
		var id uuid.UUID
		_, err = pgx.ForEachRow(rows, []any{&kind, &purpose, &audience, &id}, func() error {
			version := id
			set.accept(kind, purpose, audience, &version)
			return nil
		})
		return err
	})
	return set, err
}
