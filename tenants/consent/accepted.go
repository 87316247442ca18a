package consent

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

// Acceptance is a text that somebody agreed to: which version, when, from where.
type Acceptance struct {
	Text
	Addressee string    `json:"audience" enum:"customer,agent"`
	Number    string    `json:"version"`
	Lang      string    `json:"lang" enum:"th,en" doc:"The language he read it in"`
	Channel   string    `json:"channel" doc:"The operation during which he agreed"`
	Address   string    `json:"address" doc:"IP"`
	At        time.Time `json:"at"`
}

const (
	acceptedBy = `SELECT v.id, v.document, v.purpose, v.title_th, v.title_en, v.body_th, v.body_en, v.active, v.audience, v.version, c.lang, c.channel, c.address, c.at
		FROM consent c JOIN consent_version v ON v.id = c.version_id WHERE c.customer_id = $1 ORDER BY c.at DESC, c.id DESC`
	forgetAddresses = `UPDATE consent SET address = '' WHERE customer_id = $1`
	inForce         = `SELECT document, purpose, audience, id FROM consent_version WHERE active`
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
// text of the document is in force, and which version.
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
func (s *Setting) accept(document, purpose, addressee string, version *uuid.UUID) {
	switch document + "." + purpose + "." + addressee {
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
		var document, purpose, addressee string
		var id uuid.UUID
		_, err = pgx.ForEachRow(rows, []any{&document, &purpose, &addressee, &id}, func() error {
			version := id
			set.accept(document, purpose, addressee, &version)
			return nil
		})
		return err
	})
	return set, err
}
