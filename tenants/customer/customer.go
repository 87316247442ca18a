// Package customer is a person who signs in by LINE in one organisation. The same person elsewhere is another customer.
package customer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
)

// Service answers a customer about himself.
type Service struct{ db *db.DB }

// New returns the service.
func New(d *db.DB) *Service { return &Service{db: d} }

// ErrSuspended says that the organisation does not serve this customer.
var ErrSuspended = fault.New(fault.Forbidden, "customer.suspended", "This account is suspended")

// LINE is who LINE says is there.
type LINE struct {
	Subject string // LINE's id of the person for this organisation's channel
	Name    string
	Picture string // address of the picture, "" for none
}

// Profile is a customer as he sees himself.
type Profile struct {
	ID          uuid.UUID `json:"id"`
	DisplayName string    `json:"displayName"`
	PictureURL  string    `json:"pictureUrl" doc:"Empty: show /image/profile2.png"`
	UserType    string    `json:"usertype" enum:"line"`
	FirstName   string    `json:"firstname"`
	LastName    string    `json:"lastname"`
	Email       string    `json:"emailaddress"`
	Gender      string    `json:"gender" enum:",male,female,other"`
	ReferCode   string    `json:"referercode"`
	IsAgent     bool      `json:"agent" doc:"Approved to sell for commission"`
	IsMember    bool      `json:"membercard" doc:"Holds a member card"`
	CreatedAt   time.Time `json:"created_at"`
}

// ProfileInput is what a customer may change (limits of specification section 5).
type ProfileInput struct {
	FirstName string `json:"firstname" maxLength:"40"`
	LastName  string `json:"lastname" maxLength:"40"`
	Email     string `json:"emailaddress" maxLength:"254"`
	Gender    string `json:"gender" enum:",male,female,other"`
}

const (
	upsert = `INSERT INTO customer (id, line_sub, display_name, picture_url, refer_code, status, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, 5, $6, $6)
		ON CONFLICT (line_sub) DO UPDATE SET display_name = excluded.display_name, picture_url = excluded.picture_url,
			updated_at = excluded.updated_at
		RETURNING id, status`
	profile = `SELECT c.id, c.display_name, c.picture_url, 'line', c.first_name, c.last_name, c.email, c.gender, c.refer_code,
			EXISTS (SELECT FROM agent a WHERE a.customer_id = c.id AND a.status = 5), false, c.created_at
		FROM customer c WHERE c.id = $1 AND c.status <> 9`
	admit  = `SELECT status FROM customer WHERE id = $1 FOR NO KEY UPDATE`
	save   = `UPDATE customer SET first_name = $2, last_name = $3, email = $4, gender = $5, updated_at = $6 WHERE id = $1 AND status <> 9`
	forget = `UPDATE customer SET line_sub = 'erased:' || id, display_name = '', picture_url = '', first_name = '', last_name = '',
		email = '', gender = '', birth_date = NULL, mobile = NULL, mobile_index = NULL, refer_code = $2, status = 9, erased_at = $3,
		updated_at = $3 WHERE id = $1`
)

var admitAll = db.Columns(`SELECT id, status FROM customer WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`)

const active = 5

// SignIn finds the customer behind a LINE person, or makes one. It returns ErrSuspended for one who is not served.
func (s *Service) SignIn(ctx context.Context, org uuid.UUID, who LINE) (id uuid.UUID, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		var status int
		fresh := db.NewID()
		err := tx.QueryRow(ctx, upsert, fresh, who.Subject, cut(who.Name, 80), who.Picture, referCode(), tx.Now).Scan(&id, &status)
		if err != nil {
			return fmt.Errorf("sign a customer in: %w", err)
		}
		if status != active {
			return ErrSuspended
		}
		return nil
	})
	return id, err
}

// Admit locks a customer until the transaction ends, so that what he does comes one after another. With its next answer
// the transaction refuses him: ErrSuspended for one who is not served any more, fault.NoSession when he is gone.
func Admit(tx db.Tx, id uuid.UUID) {
	tx.Later(admit, id).QueryRow(func(row pgx.Row) error {
		var status int
		err := row.Scan(&status)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return fmt.Errorf("admit %s: %w", id, err)
		}
		return refusal(status)
	})
}

func refusal(status int) error {
	switch status {
	case active:
		return nil
	case 0:
		return fault.NoSession
	default:
		return ErrSuspended
	}
}

// Admitted are customers that were locked together.
type Admitted map[uuid.UUID]int

// AdmitAll is Admit for several, in the order of their ids. Each is refused on his own, by Refusal.
func AdmitAll(tx db.Tx, ids []uuid.UUID) Admitted {
	a := Admitted{}
	tx.LaterColumns(admitAll, ids).Query(func(rows pgx.Rows) error {
		var id uuid.UUID
		var status int
		_, err := pgx.ForEachRow(rows, []any{&id, &status}, func() error {
			a[id] = status
			return nil
		})
		if err != nil {
			return fmt.Errorf("admit customers: %w", err)
		}
		return nil
	})
	return a
}

// Refusal is what Admit answers to one of them, or nil.
func (a Admitted) Refusal(id uuid.UUID) error { return refusal(a[id]) }

// Profile of the customer who asks. It returns fault.NoSession when he is gone.
func (s *Service) Profile(ctx context.Context, who token.Session) (p Profile, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, profile, who.Subject)
		if err != nil {
			return fmt.Errorf("profile of %s: %w", who.Subject, err)
		}
		p, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Profile])
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.NoSession
		}
		return err
	})
	return p, err
}

// Erase takes the person out of a customer, for ever. His row stays, without a name, as the other side of what tax law
// keeps: orders and the ledger. The same LINE person who comes again is a new customer. Admit comes first.
func Erase(ctx context.Context, tx db.Tx, id uuid.UUID) error {
	if _, err := tx.Exec(ctx, forget, id, referCode(), tx.Now); err != nil {
		return fmt.Errorf("erase customer %s: %w", id, err)
	}
	return nil
}

// Save changes the customer's own words about himself. It returns fault.BadInput for a malformed e-mail address.
func (s *Service) Save(ctx context.Context, who token.Session, in ProfileInput) (Profile, error) {
	if in.Email != "" && !ValidEmail(in.Email) {
		return Profile{}, fault.At("emailaddress", ErrEmail)
	}
	err := s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, save, who.Subject, in.FirstName, in.LastName, in.Email, in.Gender, tx.Now)
		return err // who is gone is told so by the profile that follows
	})
	if err != nil {
		return Profile{}, fmt.Errorf("save profile of %s: %w", who.Subject, err)
	}
	return s.Profile(ctx, who)
}
