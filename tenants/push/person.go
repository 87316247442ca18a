package push

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
	"welovevoucher/platform/line"
	"welovevoucher/platform/log"
	"welovevoucher/platform/token"
)

// Person is how a customer is reached in LINE.
type Person struct {
	Sends   bool     `json:"sends" doc:"Whether the organisation pushes"`
	Account string   `json:"account" doc:"Its official account with the @, empty while it does not push"`
	Lang    string   `json:"lang" enum:"th,en"`
	Friend  *bool    `json:"friend" nullable:"true" doc:"Whether he is a friend of the account; null is not known"`
	Off     []string `json:"off" enum:"gifts,sales,money,end_days,uses" doc:"Topics of which he wants no push"`
	EachUse bool     `json:"every_use" doc:"He wants a push of each use, not only of one that is unusual"`
}

// Choice is what a customer wants.
type Choice struct {
	Off []string `json:"off" enum:"gifts,sales,money,end_days,uses" maxItems:"5" doc:"Topics of which he wants no push"`
	// Optional, so that a page that was loaded before it was known can still choose.
	EachUse bool `json:"every_use,omitempty" required:"false" doc:"He wants a push of each use, not only of one that is unusual"`
}

// Device is what the app knows of the customer in LINE.
type Device struct {
	Lang   string `json:"lang" enum:"th,en" doc:"In which he reads the app"`
	Friend *bool  `json:"friend" nullable:"true" doc:"Whether he is a friend of the account, where LINE says it"`
	Failed string `json:"failed,omitempty" required:"false" pattern:"^[A-Z_]{0,40}$" doc:"With which code LINE's kit did not start inside LINE; the app then works as in a browser"`
}

const (
	readPerson = `SELECT lang, friend, off, every_use FROM push_person WHERE customer_id = $1`
	saveChoice = `INSERT INTO push_person (customer_id, off, every_use) VALUES ($1, $2, $3) ON CONFLICT (customer_id) DO UPDATE SET off = excluded.off, every_use = excluded.every_use`
	saveDevice = `INSERT INTO push_person (customer_id, lang, friend, friend_at) VALUES ($1, $2, $3, CASE WHEN $3::boolean IS NOT NULL THEN $4::timestamptz END)
		ON CONFLICT (customer_id) DO UPDATE SET lang = excluded.lang, friend = coalesce(excluded.friend, push_person.friend), friend_at = coalesce(excluded.friend_at, push_person.friend_at)`
	saveFriend = `INSERT INTO push_person (customer_id, friend, friend_at) SELECT c.id, $2, $3 FROM customer c WHERE c.line_sub = $1
		ON CONFLICT (customer_id) DO UPDATE SET friend = excluded.friend, friend_at = excluded.friend_at
			WHERE push_person.friend_at IS NULL OR push_person.friend_at <= excluded.friend_at`
	erasePerson = `DELETE FROM push_person WHERE customer_id = $1`
	erasePushes = `DELETE FROM push WHERE customer_id = $1`
	forgetOld   = `DELETE FROM push WHERE created_at < $1`
)

// keptFor is how long is kept what became of a push: as long as the messages.
const keptFor = 180 * 24 * time.Hour

// Person returns how the customer is reached.
func (s *Service) Person(ctx context.Context, who token.Session) (p Person, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		p, err = PersonOf(ctx, tx, who.Subject)
		return err
	})
	return p, err
}

// PersonOf returns how a customer is reached.
func PersonOf(ctx context.Context, tx db.Tx, customer uuid.UUID) (p Person, err error) {
	p = Person{Lang: "th", Off: []string{}}
	if p.Sends, err = Sends(ctx, tx); err != nil {
		return p, err
	}
	if p.Sends {
		account, err := read(ctx, tx, readSetting)
		if err != nil {
			return p, err
		}
		p.Account = account.basicID
	}
	err = tx.QueryRow(ctx, readPerson, customer).Scan(&p.Lang, &p.Friend, &p.Off, &p.EachUse)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return p, fmt.Errorf("push to %s: %w", customer, err)
	}
	return p, nil
}

// Choose stores of what the customer wants no push, and whether he wants one of each use.
func (s *Service) Choose(ctx context.Context, who token.Session, in Choice) (p Person, err error) {
	return s.save(ctx, who, saveChoice, who.Subject, in.Off, in.EachUse)
}

// Report stores what the app knows of the customer in LINE. He can say it of himself alone, and a lie only withholds pushes from him.
func (s *Service) Report(ctx context.Context, who token.Session, in Device) (p Person, err error) {
	if in.Failed != "" {
		log.From(ctx).Warn("LINE's kit did not start in a customer's app", zap.String("code", in.Failed))
	}
	return s.save(ctx, who, saveDevice, who.Subject, in.Lang, in.Friend, s.db.Now())
}

func (s *Service) save(ctx context.Context, who token.Session, sql string, args ...any) (p Person, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, sql, args...); err != nil {
			return fmt.Errorf("push to %s: %w", who.Subject, err)
		}
		p, err = PersonOf(ctx, tx, who.Subject)
		return err
	})
	return p, err
}

// HandleWebhook stores who has become a friend of the account, and who has left it. LINE sends an event again that was not answered, and in any
// order: the newest counts. It returns ErrNoAccount for an organisation without one, and line.ErrRefused for a body that LINE has not signed.
func (s *Service) HandleWebhook(ctx context.Context, id uuid.UUID, signature string, body []byte) error {
	kept, err := s.kept(ctx, id)
	if err != nil {
		return err
	}
	if kept == nil {
		return ErrNoAccount
	}
	ch, err := s.open(id, kept)
	if err != nil {
		return err
	}
	events, err := line.Events(ch.Secret, body, signature)
	if err != nil || len(events) == 0 { // LINE's own test of the address has none
		return err
	}
	return s.db.InOrg(ctx, id, func(tx db.Tx) error {
		for _, e := range events {
			if e.Mode == "standby" || e.Source.UserID == "" || e.Type != "follow" && e.Type != "unfollow" {
				continue
			}
			tx.Queue(saveFriend, e.Source.UserID, e.Type == "follow", time.UnixMilli(e.Timestamp).UTC())
		}
		return tx.Flush(ctx)
	})
}

// Erase deletes how a customer was reached, and what was sent to him.
func Erase(ctx context.Context, tx db.Tx, customer uuid.UUID) error {
	for _, sql := range []string{erasePerson, erasePushes} {
		if _, err := tx.Exec(ctx, sql, customer); err != nil {
			return fmt.Errorf("pushes to %s: %w", customer, err)
		}
	}
	return nil
}

// ForgetOld deletes pushes that are older than 180 days. A worker calls it for each organisation.
func ForgetOld(ctx context.Context, tx db.Tx) error {
	if _, err := tx.Exec(ctx, forgetOld, tx.Now.Add(-keptFor)); err != nil {
		return fmt.Errorf("old pushes: %w", err)
	}
	return nil
}
