// Package consent has the texts that people are asked to agree to, and records which version each agreed to.
//
// A text is a version of a document (pdpa, terms), for one purpose and one addressee: customer or agent.
package consent

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
)

// Service answers about texts.
type Service struct{ db *db.DB }

// New returns the service.
func New(d *db.DB) *Service { return &Service{db: d} }

// Faults of accepting. The first two name the text that is still open in their detail; ErrInactiveConsent
// is ErrInactive of the texts of signing in, ErrMissing of everything that waits for these.
var (
	ErrRequired        = fault.New(fault.Conflict, "consent.required", "Please review the Terms and Conditions")
	ErrPDPA            = fault.New(fault.Conflict, "consent.pdpa_required", "Please review PDPA")
	ErrInactive        = fault.New(fault.Conflict, "consent.inactive", "The provider's confirmation data is missing")
	ErrInactiveConsent = fault.New(fault.Conflict, "consent.inactive_consent", "inactive consent")
	ErrMissing         = fault.New(fault.Conflict, "consent.missing", "Please review PDPA and the Terms and Conditions")
)

// Purposes: on signing in, on applying for a card, and on buying. They are stored by these strings.
const (
	ForSignIn   = "customer"
	ForMember   = "member"
	ForPurchase = "purchase"
)

// Addressee returns as whom a session's person is asked to accept texts: "customer" or "agent". It returns "" for an audience that is
// asked for none.
func Addressee(audience token.Audience) string {
	switch audience {
	case token.User:
		return "customer"
	case token.Agent:
		return "agent"
	default:
		return ""
	}
}

// Text is an active version as a person is asked to accept it.
type Text struct {
	Version  uuid.UUID `json:"_id" doc:"What pdpa_…_accept_version and terms_…_accept_version name"`
	Document string    `json:"kind" enum:"pdpa,terms"`
	Purpose  string    `json:"purpose" enum:"customer,member,purchase"`
	TitleTH  string    `json:"name_th"`
	TitleEN  string    `json:"name_en"`
	BodyTH   string    `json:"body_th"`
	BodyEN   string    `json:"body_en"`
	Active   bool      `json:"active" doc:"Whether it is in force"`
}

const (
	open = `SELECT v.id, v.document, v.purpose, v.title_th, v.title_en, v.body_th, v.body_en, v.active FROM consent_version v
		WHERE v.active AND v.audience = $1 AND v.purpose = $2
		AND NOT EXISTS (SELECT FROM consent c WHERE c.version_id = v.id AND c.customer_id = $3) ORDER BY v.document`
	active = `SELECT v.id, v.document, v.purpose, v.title_th, v.title_en, v.body_th, v.body_en, v.active FROM consent_version v
		WHERE v.active AND v.audience = $1 AND v.document = $2 ORDER BY v.purpose`
)

// ListMissing lists the active versions of a purpose that a customer has not accepted yet.
func ListMissing(ctx context.Context, tx db.Tx, addressee, purpose string, customer uuid.UUID) ([]Text, error) {
	return texts(ctx, tx, open, addressee, purpose, customer)
}

// Active lists the versions of a document that are in force for an addressee.
func (s *Service) Active(ctx context.Context, org uuid.UUID, addressee, document string) (list []Text, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		list, err = texts(ctx, tx, active, addressee, document)
		return err
	})
	return list, err
}

func texts(ctx context.Context, tx db.Tx, sql string, args ...any) ([]Text, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("consent texts: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Text])
	if err != nil {
		return nil, fmt.Errorf("consent texts: %w", err)
	}
	return found, nil
}

// AcceptInput accepts versions.
type AcceptInput struct {
	Versions []uuid.UUID `json:"version_ids" maxItems:"20" doc:"The texts he ticked"`
	Lang     string      `json:"lang" enum:"th,en" doc:"The language he read them in"`
}

// OpenFor lists what the person of a session has still to accept after signing in. A new active version asks again.
func (s *Service) OpenFor(ctx context.Context, who token.Session) (list []Text, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		list, err = ListMissing(ctx, tx, Addressee(who.Audience), ForSignIn, who.Subject)
		return err
	})
	return list, err
}
