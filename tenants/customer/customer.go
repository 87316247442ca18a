// Package customer is a person who signs in by LINE in one organisation. The same person elsewhere is another customer.
package customer

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
	"welovevoucher/platform/mail"
	"welovevoucher/platform/money"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/rollup"
)

// Service answers a customer about himself.
type Service struct {
	db     *db.DB
	box    *secret.Box
	settle func(ctx context.Context, tx db.Tx, id uuid.UUID, credited bool) error
}

// New returns the service. settle is charge.Settle: what follows from money that came, or went back, under a former row of a person.
func New(d *db.DB, box *secret.Box, settle func(ctx context.Context, tx db.Tx, id uuid.UUID, credited bool) error) *Service {
	return &Service{db: d, box: box, settle: settle}
}

// ErrSuspended says that the organisation does not serve this customer.
var ErrSuspended = fault.New(fault.Forbidden, "customer.suspended", "This account is suspended")

// ErrDebt refuses a customer who owes the organisation for items that he used and that were refunded.
var ErrDebt = fault.New(fault.Conflict, "customer.debt", "Please settle what you owe first")

// Debt is the detail of ErrDebt.
type Debt struct {
	Amount money.Amount `json:"debt_satang"`
}

// LINEIdentity is the person that LINE has identified.
type LINEIdentity struct {
	Subject string // LINE's id of the person for this organisation's channel
	Name    string
	Picture string // address of the picture, "" for none
}

// Profile is a customer as he sees himself.
type Profile struct {
	ID          uuid.UUID
	DisplayName string
	PictureURL  string // "" for none
	FirstName   string
	LastName    string
	Email       string
	Age         *int   // in years; nil where the date of birth is not known
	Gender      string // male, female, other, ""
	ReferCode   string
	IsAgent     bool // approved to sell for commission
	IsMember    bool // has a member card that can be used
	CreatedAt   time.Time
	VerifiedAt  *time.Time // when he proved that the mobile number is his; nil if he did not
	Mobile      string     `db:"-"` // in E.164, "" where it is not known
}

// ProfileInput is what a customer may change.
type ProfileInput struct {
	FirstName string `json:"firstname" maxLength:"40"`
	LastName  string `json:"lastname" maxLength:"40"`
	Email     string `json:"emailaddress" doc:"6 to 254 characters, of which 64 before the @"`
	Gender    string `json:"gender" enum:",male,female,other"`
}

const (
	upsert = `INSERT INTO customer (id, line_sub, display_name, picture_url, refer_code, status, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, 5, $6, $6)
		ON CONFLICT (line_sub) DO UPDATE SET display_name = excluded.display_name, picture_url = excluded.picture_url,
			updated_at = excluded.updated_at
		RETURNING id, status`
	profile = `SELECT c.id, c.display_name, c.picture_url, c.first_name, c.last_name, c.email,
			extract(year FROM age($2::date, c.birth_date))::int, c.gender, c.refer_code,
			EXISTS (SELECT FROM agent a WHERE a.customer_id = c.id AND a.status = 5), EXISTS (SELECT FROM membership m WHERE m.customer_id = c.id AND m.state = 'active'),
			c.created_at, c.mobile_verified_at
		FROM customer c WHERE c.id = $1 AND c.status <> 9`
	lock   = `SELECT id, status, debt_satang FROM customer WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE`
	save   = `UPDATE customer SET first_name = $2, last_name = $3, email = $4, gender = $5, updated_at = $6 WHERE id = $1 AND status <> 9`
	forget = `UPDATE customer SET line_sub = 'erased:' || id, display_name = '', picture_url = '', first_name = '', last_name = '',
		email = '', gender = '', birth_date = NULL, mobile = NULL, mobile_index = NULL, mobile_verified_at = NULL, refer_code = $2, status = 9, erased_at = $3,
		updated_at = $3 WHERE id = $1`
)

const active = 5

// SignIn finds the customer behind a LINE person, or makes one. It returns ErrSuspended for one who is not served.
func (s *Service) SignIn(ctx context.Context, org uuid.UUID, who LINEIdentity) (id uuid.UUID, err error) {
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
		if id != fresh {
			return nil
		}
		if err := rollup.Enqueue(ctx, tx, rollup.Facts{Customers: []uuid.UUID{id}}); err != nil {
			return err
		}
		return s.recognise(ctx, tx, id, who.Subject)
	})
	return id, err
}

// Locked has customers whose rows are locked until the transaction ends, so that the changes of one customer follow one another.
type Locked struct {
	rows *db.Pending[map[uuid.UUID]lockedRow]
}

type lockedRow struct {
	status int
	debt   money.Amount
}

// Lock queues the lock of customers, in the order of their ids.
func Lock(tx db.Tx, ids ...uuid.UUID) Locked {
	return Locked{db.Await(tx.Queue(lock, ids), func(rows pgx.Rows) (map[uuid.UUID]lockedRow, error) {
		all := map[uuid.UUID]lockedRow{}
		var id uuid.UUID
		var row lockedRow
		_, err := pgx.ForEachRow(rows, []any{&id, &row.status, &row.debt}, func() error {
			all[id] = row
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("lock customers: %w", err)
		}
		return all, nil
	})}
}

// Check returns ErrSuspended if a customer is not served any more, and fault.NoSession if there is no such row.
func (l Locked) Check(id uuid.UUID) error {
	row, found := l.rows.Get()[id]
	switch {
	case !found:
		return fault.NoSession
	case row.status != active:
		return ErrSuspended
	}
	return nil
}

// Debt returns the debt of a customer, in satang: money that went back to him after he had spent it.
func (l Locked) Debt(id uuid.UUID) money.Amount { return l.rows.Get()[id].debt }

// Profile of the customer who asks. It returns fault.NoSession when he is gone.
func (s *Service) Profile(ctx context.Context, who token.Session) (p Profile, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, profile, who.Subject, clock.Day(tx.Now))
		if err != nil {
			return fmt.Errorf("profile of %s: %w", who.Subject, err)
		}
		p, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Profile])
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.NoSession
		}
		if err != nil {
			return fmt.Errorf("profile of %s: %w", who.Subject, err)
		}
		p.Mobile, err = s.MobileOf(ctx, tx, who.Subject)
		return err
	})
	return p, err
}

// Erase takes the person out of a customer, for ever. His row stays, without a name, as the other side of what tax law
// keeps: orders and the ledger. The same LINE person who comes again is a new customer, known by a pseudonym for a time so that
// limits and debts hold, and money that still comes for him finds him. He is locked.
func (s *Service) Erase(ctx context.Context, tx db.Tx, id uuid.UUID) error {
	if err := s.remember(ctx, tx, id); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, forget, id, referCode(), tx.Now); err != nil {
		return fmt.Errorf("erase customer %s: %w", id, err)
	}
	return nil
}

// Save changes the customer's own words about himself. It returns fault.BadInput for a missing or malformed e-mail address.
func (s *Service) Save(ctx context.Context, who token.Session, in ProfileInput) (Profile, error) {
	if in.Email == "" {
		return Profile{}, fault.At("emailaddress", ErrEmailRequired)
	}
	if !mail.ValidAddress(in.Email) {
		return Profile{}, fault.At("emailaddress", mail.ErrAddress)
	}
	err := s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, save, who.Subject, in.FirstName, in.LastName, in.Email, in.Gender, tx.Now)
		return err // who is gone reads so in the profile that follows
	})
	if err != nil {
		return Profile{}, fmt.Errorf("save profile of %s: %w", who.Subject, err)
	}
	return s.Profile(ctx, who)
}
