// Package consent is what people are asked to agree to, and who agreed to which version.
package consent

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

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
	ErrMissing         = fault.New(fault.Conflict, "consent.open", "Please review PDPA and the Terms and Conditions")
)

// Purposes: on signing in, and on buying.
const (
	ForCustomer = "customer"
	ForPurchase = "purchase"
)

// Audience is whose texts a session is asked for; "" for who is asked for none.
func Audience(kind token.Audience) string {
	switch kind {
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
	Version uuid.UUID `json:"_id" doc:"What pdpa_…_accept_version and terms_…_accept_version name"`
	Kind    string    `json:"kind" enum:"pdpa,terms"`
	Purpose string    `json:"purpose" enum:"customer,member,purchase"`
	TitleTH string    `json:"name_th"`
	TitleEN string    `json:"name_en"`
	BodyTH  string    `json:"body_th"`
	BodyEN  string    `json:"body_en"`
	Active  bool      `json:"active" doc:"Whether it is in force"`
}

// Submission is who agrees, to what, in which language he read it, and from where.
type Submission struct {
	Customer uuid.UUID
	Versions []uuid.UUID
	Lang     string
	Channel  string // the operation during which he agreed
	Address  string // IP
}

const (
	open = `SELECT v.id, v.kind, v.purpose, v.title_th, v.title_en, v.body_th, v.body_en, v.active FROM consent_version v
		WHERE v.active AND v.audience = $1 AND v.purpose = $2
		AND NOT EXISTS (SELECT FROM consent c WHERE c.version_id = v.id AND c.customer_id = $3) ORDER BY v.kind`
	active = `SELECT v.id, v.kind, v.purpose, v.title_th, v.title_en, v.body_th, v.body_en, v.active FROM consent_version v
		WHERE v.active AND v.audience = $1 AND v.kind = $2 ORDER BY v.purpose`
)

var (
	// The words are read only where they are still to be agreed to.
	askedFor = db.Bulk(`SELECT who.id, v.id, v.kind, v.purpose, c.id IS NULL, CASE WHEN c.id IS NULL THEN v.body_th ELSE '' END, CASE WHEN c.id IS NULL THEN v.body_en ELSE '' END
		FROM (SELECT unnest($1::uuid[]) AS id, unnest($2::text[]) AS audience) AS who
		JOIN consent_version v ON v.active AND v.audience = who.audience AND v.purpose = ANY ($3)
		LEFT JOIN consent c ON c.version_id = v.id AND c.customer_id = who.id ORDER BY v.kind`)
	insertConsents = db.Bulk(`INSERT INTO consent (id, customer_id, version_id, text_hash, lang, channel, address, at)
		SELECT unnest($1::uuid[]), unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::bytea[]), unnest($5::text[]), unnest($6::text[]), unnest($7::text[]), $8
		ON CONFLICT (customer_id, version_id) DO NOTHING`)
)

// ListMissing lists the active versions of a purpose that a customer has not accepted yet.
func ListMissing(ctx context.Context, tx db.Tx, audience, purpose string, customer uuid.UUID) ([]Text, error) {
	return texts(ctx, tx, open, audience, purpose, customer)
}

// Active lists what an organisation asks its people to agree to.
func (s *Service) Active(ctx context.Context, org uuid.UUID, audience, kind string) (list []Text, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		list, err = texts(ctx, tx, active, audience, kind)
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

// requiredText is a text in force. Its words are known only while it is open: who is asked has not agreed to it yet.
type requiredText struct {
	Customer       uuid.UUID
	Version        uuid.UUID
	Kind, Purpose  string
	Open           bool
	BodyTH, BodyEN string
}

// Requirement is what a customer has to agree to for a purpose.
type Requirement struct{ inForce []requiredText }

// QueueRequirement asks for it; it is there with the transaction's next answer.
func QueueRequirement(tx db.Tx, audience, purpose string, customer uuid.UUID) *Requirement {
	var asked Requirement
	ask(tx, []uuid.UUID{customer}, []string{audience}, []string{purpose}, func(d requiredText) { asked.inForce = append(asked.inForce, d) })
	return &asked
}

// ask asks what each customer, as one of his audience, has to agree to.
func ask(tx db.Tx, customers []uuid.UUID, audiences, purposes []string, each func(d requiredText)) {
	tx.QueueRows(askedFor, customers, audiences, purposes).Query(func(rows pgx.Rows) error {
		all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[requiredText])
		if err != nil {
			return fmt.Errorf("texts that are asked for: %w", err)
		}
		for _, d := range all {
			each(d)
		}
		return nil
	})
}

// AcceptedTexts is what somebody agrees to for the first time.
type AcceptedTexts struct {
	Submission
	texts []requiredText
}

// Accept records that a customer agrees. It returns ErrInactive when he agrees to a text that is not, or no longer, in
// force there, and ErrRequired or ErrPDPA when a text that is open is not among those he accepted. What he accepted
// before is not asked again.
func (asked *Requirement) Accept(tx db.Tx, a Submission) error {
	agreed, err := asked.agree(a)
	if err == nil {
		record(tx, []AcceptedTexts{agreed})
	}
	return err
}

func (asked *Requirement) agree(a Submission) (AcceptedTexts, error) {
	agreed := AcceptedTexts{Submission: a}
	for _, id := range a.Versions {
		if !slices.ContainsFunc(asked.inForce, func(d requiredText) bool { return d.Version == id }) {
			return agreed, ErrInactive.With(map[string]any{"version_id": id})
		}
	}
	for _, d := range asked.inForce {
		if !d.Open {
			continue
		}
		if !slices.Contains(a.Versions, d.Version) {
			return agreed, d.unticked()
		}
		agreed.texts = append(agreed.texts, d)
	}
	return agreed, nil
}

func record(tx db.Tx, agreements []AcceptedTexts) {
	type agreed struct {
		Submission
		text requiredText
	}
	var all []agreed
	for _, a := range agreements {
		for _, d := range a.texts {
			all = append(all, agreed{a.Submission, d})
		}
	}
	if len(all) == 0 {
		return
	}
	tx.QueueRows(insertConsents,
		db.Column(all, func(agreed) uuid.UUID { return db.NewID() }),
		db.Column(all, func(a agreed) uuid.UUID { return a.Customer }),
		db.Column(all, func(a agreed) uuid.UUID { return a.text.Version }),
		db.Column(all, func(a agreed) []byte {
			sum := sha256.Sum256([]byte(a.text.BodyTH + "\x00" + a.text.BodyEN))
			return sum[:]
		}),
		db.Column(all, func(a agreed) string { return a.Lang }),
		db.Column(all, func(a agreed) string { return a.Channel }),
		db.Column(all, func(a agreed) string { return a.Address }),
		tx.Now)
}

func (d requiredText) unticked() error {
	why := ErrRequired
	if d.Kind == "pdpa" {
		why = ErrPDPA
	}
	return why.With(map[string]any{"version_id": d.Version, "kind": d.Kind})
}
