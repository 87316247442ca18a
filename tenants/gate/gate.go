// Package gate is the membership gate: an organisation may ask its customers to be members before they buy, give or offer anything.
package gate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
)

// ErrRequired refuses a customer who has to be a member first.
var ErrRequired = fault.New(fault.Forbidden, "member.required", "Please become a member of the shop first")

// Where the gate sends a customer. Open sends him nowhere.
const (
	Open     = ""
	Member   = "member"         // to his card, or what he can apply for
	Register = "registermember" // to the form, because he came with a card
)

// lacks is the condition of a customer c who is no member until $2, and who could be one: a card type can be applied for, or he has applied.
const lacks = `NOT EXISTS (SELECT FROM membership m JOIN membership_term t ON t.membership_id = m.id AND t.state IN ('running', 'to_come') AND (t.ends_on IS NULL OR t.ends_on >= $2)
		WHERE m.customer_id = c.id AND m.state = 'active')
	AND (EXISTS (SELECT FROM card_type y WHERE y.status = 5) OR EXISTS (SELECT FROM application a WHERE a.customer_id = c.id AND a.state = 'pending'))`

const (
	whoLacks = `SELECT c.id FROM customer c WHERE c.id = ANY ($1) AND ` + lacks
	standing = `SELECT ` + lacks + ` FROM customer c WHERE c.id = $1`
	memberOf = `SELECT k.number, y.name_th, y.name_en, v.level, CASE WHEN m.state IN ('active', 'suspended') AND t.ends_on < $2 THEN 'expired' ELSE m.state END, t.ends_on::text FROM membership m
		JOIN member_card k ON k.membership_id = m.id
		JOIN LATERAL (SELECT version_id, ends_on FROM membership_term WHERE membership_id = m.id AND (state <> 'to_come' OR starts_on <= $2)
			ORDER BY state = 'to_come' DESC, state = 'running' DESC, id DESC LIMIT 1) t ON true
		JOIN card_type_version v ON v.id = t.version_id JOIN card_type y ON y.id = v.card_type_id WHERE m.customer_id = $1`
)

// Checked has the customers of a transaction who have to be members first.
type Checked struct {
	required *db.Pending[map[uuid.UUID]bool] // nil: the organisation asks nobody
}

// Queue queues the read of who among customers has to be a member first. They are locked, as everybody is whose membership changes.
func Queue(tx db.Tx, o org.Org, customers ...uuid.UUID) Checked {
	if !o.RegisterBeforeUse {
		return Checked{}
	}
	return Checked{db.Await(tx.Queue(whoLacks, customers, clock.Day(tx.Now)), func(rows pgx.Rows) (map[uuid.UUID]bool, error) {
		required := map[uuid.UUID]bool{}
		var id uuid.UUID
		_, err := pgx.ForEachRow(rows, []any{&id}, func() error {
			required[id] = true
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("who has to be a member: %w", err)
		}
		return required, nil
	})}
}

// Check returns ErrRequired if a customer has to be a member first.
func (c Checked) Check(id uuid.UUID) error {
	if c.required != nil && c.required.Get()[id] {
		return ErrRequired
	}
	return nil
}

// Card is a card that a customer came with: the number that stands on it, or the token of its QR.
type Card struct {
	Number string `json:"memberid,omitempty" required:"false" maxLength:"40" doc:"The number of a card that he came with"`
	Token  string `json:"membertoken,omitempty" required:"false" maxLength:"100" doc:"The token of a card that he came with"`
}

// Membership is what a customer is as a member, or was.
type Membership struct {
	Number string  `json:"number"`
	TypeTH string  `json:"type_name_th"`
	TypeEN string  `json:"type_name_en"`
	Level  int16   `json:"level"`
	State  string  `json:"state" enum:"active,suspended,expired,left"`
	EndsOn *string `json:"ends_on" nullable:"true" format:"date" doc:"The last day; null: it has no end"`
}

// Service answers where the gate sends a customer.
type Service struct{ db *db.DB }

// New returns the service.
func New(d *db.DB) *Service { return &Service{d} }

// Read returns where the gate of an organisation sends the customer of a session, and what he is as a member. It returns nil for who never was one.
func (s *Service) Read(ctx context.Context, who token.Session, o org.Org, with Card) (to string, m *Membership, err error) {
	if who.Audience != token.User {
		return Open, nil, nil
	}
	var required bool
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		today := clock.Day(tx.Now)
		if m, err = readMembership(ctx, tx, who.Subject, today); err != nil || !o.RegisterBeforeUse {
			return err
		}
		err := tx.QueryRow(ctx, standing, who.Subject, today).Scan(&required)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.NoSession
		}
		return err
	})
	switch {
	case err != nil:
		return Open, nil, fmt.Errorf("gate of %s: %w", who.Subject, err)
	case !required:
		return Open, m, nil
	case with != Card{}:
		return Register, m, nil
	default:
		return Member, m, nil
	}
}

func readMembership(ctx context.Context, tx db.Tx, customer uuid.UUID, today time.Time) (*Membership, error) {
	rows, err := tx.Query(ctx, memberOf, customer, today)
	if err != nil {
		return nil, err
	}
	m, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Membership])
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // who never was a member
	}
	return &m, err
}
