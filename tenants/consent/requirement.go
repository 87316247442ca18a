package consent

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/customer"
)

// Accept records that the person of a session agrees to everything that is open after signing in. It returns the faults
// of Requirements.Agree with ErrInactiveConsent for ErrInactive, customer.ErrSuspended, or fault.NoSession.
func (s *Service) Accept(ctx context.Context, who token.Session, in AcceptInput) error {
	return s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		required := LockRequirements(tx, ForSignIn, who)
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		if err := required.customers.Check(who.Subject); err != nil {
			return err
		}
		accepted, err := required.Agree(Submission{
			Customer: who.Subject, Versions: in.Versions, Lang: in.Lang, Channel: "consent.accept", Address: who.Address,
		})
		if errors.Is(err, ErrInactive) {
			return ErrInactiveConsent.With(fault.From(err).Detail)
		}
		if err != nil {
			return err
		}
		required.Accept(accepted)
		required.Save(tx)
		return nil
	})
}

// Requirements has the texts that some customers have to agree to: after signing in, and for a purpose. The customers are locked.
type Requirements struct {
	purpose   string
	customers customer.Locked
	texts     *db.Pending[map[uuid.UUID][]requiredText]
	accepted  []AcceptedTexts
}

// The words are read only where they are still to be agreed to.
const selectRequired = `SELECT who.id, v.id, v.document, v.purpose, c.id IS NULL, CASE WHEN c.id IS NULL THEN v.body_th ELSE '' END, CASE WHEN c.id IS NULL THEN v.body_en ELSE '' END
	FROM unnest($1::uuid[], $2::text[]) AS who (id, addressee)
	JOIN consent_version v ON v.active AND v.audience = who.addressee AND v.purpose = ANY ($3)
	LEFT JOIN consent c ON c.version_id = v.id AND c.customer_id = who.id ORDER BY v.document`

// requiredText is a text in force. Open says that the customer has not agreed to it yet; only then its words are read.
type requiredText struct {
	Version           uuid.UUID
	Document, Purpose string
	Open              bool
	BodyTH, BodyEN    string
}

// LockRequirements queues the lock of customers and the read of the texts that they have to agree to. The rights table says which
// operations require it (rest.Right.NeedsConsent).
func LockRequirements(tx db.Tx, purpose string, who ...token.Session) *Requirements {
	var ids []uuid.UUID
	var addressees []string
	for _, w := range who {
		if !slices.Contains(ids, w.Subject) {
			ids, addressees = append(ids, w.Subject), append(addressees, Addressee(w.Audience))
		}
	}
	r := &Requirements{purpose: purpose, customers: customer.Lock(tx, ids...)}
	r.texts = db.Await(tx.Queue(selectRequired, ids, addressees, []string{ForSignIn, purpose}), func(rows pgx.Rows) (map[uuid.UUID][]requiredText, error) {
		texts := map[uuid.UUID][]requiredText{}
		var id uuid.UUID
		var t requiredText
		_, err := pgx.ForEachRow(rows, []any{&id, &t.Version, &t.Document, &t.Purpose, &t.Open, &t.BodyTH, &t.BodyEN}, func() error {
			texts[id] = append(texts[id], t)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("texts that customers have to agree to: %w", err)
		}
		return texts, nil
	})
	return r
}

// Check returns ErrMissing for a customer who has not agreed to everything that is asked for after signing in, and the faults of
// customer.Locked.Check.
func (r *Requirements) Check(id uuid.UUID) error {
	if err := r.customers.Check(id); err != nil {
		return err
	}
	if slices.ContainsFunc(r.texts.Get()[id], func(t requiredText) bool { return t.Purpose == ForSignIn && t.Open }) {
		return ErrMissing
	}
	return nil
}

// Debt returns the debt of a customer, in satang.
func (r *Requirements) Debt(id uuid.UUID) money.Amount { return r.customers.Debt(id) }

// Submission is a customer's agreement to versions: in which language he read them, and from where he sent it.
type Submission struct {
	Customer uuid.UUID
	Versions []uuid.UUID
	Lang     string
	Channel  string // the operation during which he agreed
	Address  string // IP
}

// AcceptedTexts has the texts of a Submission to which the customer agrees for the first time.
type AcceptedTexts struct {
	Submission
	texts []requiredText
}

// Agree returns the open texts of the purpose that a customer agrees to. It returns ErrInactive if a version is not in force for the
// purpose, and ErrRequired or ErrPDPA if an open text is not among the versions. A text that he accepted before is not open.
func (r *Requirements) Agree(a Submission) (AcceptedTexts, error) {
	agreed := AcceptedTexts{Submission: a}
	var inForce []requiredText
	for _, t := range r.texts.Get()[a.Customer] {
		if t.Purpose == r.purpose {
			inForce = append(inForce, t)
		}
	}
	for _, id := range a.Versions {
		if !slices.ContainsFunc(inForce, func(t requiredText) bool { return t.Version == id }) {
			return agreed, ErrInactive.With(map[string]any{"version_id": id})
		}
	}
	for _, t := range inForce {
		if !t.Open {
			continue
		}
		if !slices.Contains(a.Versions, t.Version) {
			return agreed, t.unticked()
		}
		agreed.texts = append(agreed.texts, t)
	}
	return agreed, nil
}

func (t requiredText) unticked() error {
	why := ErrRequired
	if t.Document == "pdpa" {
		why = ErrPDPA
	}
	return why.With(map[string]any{"version_id": t.Version, "kind": t.Document})
}

// Accept adds texts to those that Save records. They are not open any more for what follows in the transaction.
func (r *Requirements) Accept(a AcceptedTexts) {
	r.accepted = append(r.accepted, a)
	texts := r.texts.Get()[a.Customer]
	for i := range texts {
		if texts[i].Purpose == r.purpose {
			texts[i].Open = false // Agree has all that were
		}
	}
}

type consentRow struct {
	ID       uuid.UUID `db:"id"`
	Customer uuid.UUID `db:"customer_id"`
	Version  uuid.UUID `db:"version_id"`
	TextHash []byte    `db:"text_hash"`
	Lang     string    `db:"lang"`
	Channel  string    `db:"channel"`
	Address  string    `db:"address"`
	At       time.Time `db:"at"`
}

var insertConsents = db.NewBulk[consentRow](`INSERT INTO consent (id, customer_id, version_id, text_hash, lang, channel, address, at)
	SELECT unnest(@id::uuid[]), unnest(@customer_id::uuid[]), unnest(@version_id::uuid[]), unnest(@text_hash::bytea[]),
		unnest(@lang::text[]), unnest(@channel::text[]), unnest(@address::text[]), unnest(@at::timestamptz[])
	ON CONFLICT (customer_id, version_id) DO NOTHING`)

// Save queues the record of all accepted texts.
func (r *Requirements) Save(tx db.Tx) {
	var rows []consentRow
	for _, a := range r.accepted {
		for _, t := range a.texts {
			hash := sha256.Sum256([]byte(t.BodyTH + "\x00" + t.BodyEN))
			rows = append(rows, consentRow{db.NewID(), a.Customer, t.Version, hash[:], a.Lang, a.Channel, a.Address, tx.Now})
		}
	}
	if len(rows) > 0 {
		insertConsents.Queue(tx, rows)
	}
}
