// Package contact keeps what visitors write to an organisation, or to the platform, until somebody has answered.
package contact

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/notice"
)

// Service keeps messages.
type Service struct {
	db  *db.DB
	box *secret.Box
}

// New returns the service.
func New(d *db.DB, box *secret.Box) *Service { return &Service{d, box} }

// Faults of a message.
var (
	ErrNoWay = fault.New(fault.Invalid, "contact.no_way_back", "please give an e-mail address or a phone number")
	ErrPhone = fault.New(fault.Invalid, "contact.phone", "please enter a valid phone number")
)

// Input is what a visitor writes. Of e-mail and phone he gives one at least.
type Input struct {
	Name    string `json:"name" minLength:"1" maxLength:"120"`
	Email   string `json:"email,omitempty" required:"false" maxLength:"254"`
	Phone   string `json:"phone,omitempty" required:"false" maxLength:"30"`
	Subject string `json:"subject" minLength:"1" maxLength:"150"`
	Text    string `json:"text" minLength:"1" maxLength:"4000"`
}

// Receipt is what the writer keeps of his message.
type Receipt struct {
	ID uuid.UUID `json:"id"`
	At time.Time `json:"at" doc:"UTC"`
}

// Message is all of one.
type Message struct {
	ID         uuid.UUID  `json:"id"`
	Customer   *uuid.UUID `json:"customer_id" nullable:"true" doc:"Who was signed in while he wrote"`
	Name       string     `json:"name"`
	Email      string     `json:"email"`
	Phone      string     `json:"phone"`
	Subject    string     `json:"subject"`
	Text       string     `json:"text"`
	State      string     `json:"state" enum:"new,answered"`
	CreatedAt  time.Time  `json:"created_at" doc:"UTC"`
	AnsweredAt *time.Time `json:"answered_at" nullable:"true" doc:"UTC"`
}

const (
	insertMessage = `INSERT INTO contact_message (id, name, email, phone, subject, text, key, request_hash, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (key) DO NOTHING`
	insertCustomers = `INSERT INTO contact_message (id, name, email, phone, subject, text, key, request_hash, created_at, customer_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (key) DO NOTHING`
	sentBefore     = `SELECT id, created_at, request_hash FROM contact_message WHERE key = $1`
	lockCustomer   = `SELECT status FROM customer WHERE id = $1 FOR SHARE`
	selectMessages = `SELECT id, customer_id, name, email, phone, subject, text, state, created_at, answered_at FROM contact_message `
	oneMessage     = selectMessages + `WHERE id = $1`
	messagesOf     = selectMessages + `WHERE customer_id = $1 ORDER BY id`
	setAnswered    = `UPDATE contact_message SET state = $2, answered_at = $3 WHERE id = $1 AND state <> $2`
	deleteOf       = `DELETE FROM contact_message WHERE customer_id = $1`
)

const erased = 9

// Send keeps a message to an organisation. The same key with the same message keeps one; it returns idempotency.ErrReused for
// another message, and fault.NoSession for a customer who was erased meanwhile.
func (s *Service) Send(ctx context.Context, who token.Session, key string, in Input) (r Receipt, err error) {
	in, err = in.checked()
	if err != nil {
		return r, err
	}
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		// A message that is sent again changes nothing, and reading the list anew does no harm.
		if err := notice.SendTableUpdate(ctx, tx, Messages.Name()); err != nil {
			return err
		}
		if who.Audience != token.User {
			r, err = s.keep(ctx, tx, tx.Key, who, key, in, insertMessage)
			return err
		}
		var status int
		err := tx.QueryRow(ctx, lockCustomer, who.Subject).Scan(&status)
		if errors.Is(err, pgx.ErrNoRows) || (err == nil && status == erased) {
			return fault.NoSession
		}
		if err != nil {
			return fmt.Errorf("who writes a message: %w", err)
		}
		r, err = s.keep(ctx, tx, tx.Key, who, key, in, insertCustomers, who.Subject)
		return err
	})
	return r, err
}

// keep inserts a message, unless its key has. Keys of two writers are never the same.
func (s *Service) keep(ctx context.Context, tx db.Tx, org uuid.UUID, who token.Session, key string, in Input, insert string, customer ...any) (r Receipt, err error) {
	if len(key) < 8 || len(key) > 200 || !db.IsText(key) {
		return r, idempotency.ErrMissing
	}
	text, err := json.Marshal(in)
	if err != nil {
		return r, fmt.Errorf("hash a message: %w", err)
	}
	request, keyed := sha256.Sum256(text), sha256.Sum256([]byte(who.Subject.String()+"|"+key))
	r = Receipt{db.NewID(), tx.Now}
	var phone []byte
	if in.Phone != "" {
		if phone, err = s.box.Seal(phoneAt(org, r.ID), []byte(in.Phone)); err != nil {
			return r, fmt.Errorf("seal a phone number: %w", err)
		}
	}
	args := append([]any{r.ID, in.Name, in.Email, phone, in.Subject, in.Text, keyed[:], request[:], tx.Now}, customer...)
	tag, err := tx.Exec(ctx, insert, args...)
	if err != nil {
		return r, fmt.Errorf("keep a message: %w", err)
	}
	if tag.RowsAffected() == 1 {
		return r, nil
	}
	var before []byte
	if err := tx.QueryRow(ctx, sentBefore, keyed[:]).Scan(&r.ID, &r.At, &before); err != nil {
		return r, fmt.Errorf("the message of a key: %w", err)
	}
	if !bytes.Equal(before, request[:]) {
		return Receipt{}, idempotency.ErrReused
	}
	return r, nil
}

func phoneAt(org, id uuid.UUID) secret.AAD {
	return secret.AAD{Org: org, Column: "contact_message.phone", Row: id}
}

// phone is a number as people write it: digits, and what stands between them.
var phone = regexp.MustCompile(`^\+?[0-9][0-9 ()-]{5,28}$`)

// checked returns the input without space around its texts. It returns a fault for each field that is wrong.
func (in Input) checked() (Input, error) {
	for _, text := range []*string{&in.Name, &in.Email, &in.Phone, &in.Subject, &in.Text} {
		*text = strings.TrimSpace(*text)
	}
	var wrong []fault.Field
	for path, text := range map[string]string{"name": in.Name, "subject": in.Subject, "text": in.Text} {
		if text == "" {
			wrong = append(wrong, fault.Field{Path: path, Fault: fault.Required.Code})
		}
	}
	switch {
	case in.Email == "" && in.Phone == "":
		wrong = append(wrong, fault.Field{Path: "email", Fault: ErrNoWay.Code})
	case in.Email != "" && !mail.ValidAddress(in.Email):
		wrong = append(wrong, fault.Field{Path: "email", Fault: mail.ErrAddress.Code})
	}
	if in.Phone != "" && !phone.MatchString(in.Phone) {
		wrong = append(wrong, fault.Field{Path: "phone", Fault: ErrPhone.Code})
	}
	if len(wrong) > 0 {
		return in, fault.Of(wrong...)
	}
	return in, nil
}

// Detail returns all of a message. It returns fault.Missing if the organisation has no such.
func (s *Service) Detail(ctx context.Context, org, id uuid.UUID) (m Message, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		m, err = s.read(tx.QueryRow(ctx, oneMessage, id), tx.Key)
		return err
	})
	return m, err
}

func (s *Service) read(row pgx.Row, org uuid.UUID) (m Message, err error) {
	var sealed []byte
	err = row.Scan(&m.ID, &m.Customer, &m.Name, &m.Email, &sealed, &m.Subject, &m.Text, &m.State, &m.CreatedAt, &m.AnsweredAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return m, fault.Missing
	}
	if err != nil {
		return m, fmt.Errorf("read a message: %w", err)
	}
	if sealed == nil {
		return m, nil
	}
	plain, err := s.box.Open(phoneAt(org, m.ID), sealed)
	if err != nil {
		return m, fmt.Errorf("the phone number of message %s: %w", m.ID, err)
	}
	m.Phone = string(plain)
	return m, nil
}

// AnswerInput says whether a message was answered.
type AnswerInput struct {
	ID       uuid.UUID `json:"id"`
	Answered bool      `json:"answered"`
}

// SetAnswered writes down that somebody has answered, or that it has to be answered after all.
func (s *Service) SetAnswered(ctx context.Context, org uuid.UUID, who auditlog.Actor, in AnswerInput) (m Message, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		if err := markAnswered(ctx, tx, who, in); err != nil {
			return err
		}
		m, err = s.read(tx.QueryRow(ctx, oneMessage, in.ID), tx.Key)
		return err
	})
	return m, err
}

func markAnswered(ctx context.Context, tx db.Tx, who auditlog.Actor, in AnswerInput) error {
	state, at, action := "new", (*time.Time)(nil), "unanswer"
	if in.Answered {
		state, at, action = "answered", &tx.Now, "answer"
	}
	tag, err := tx.Exec(ctx, setAnswered, in.ID, state, at)
	if err != nil {
		return fmt.Errorf("answer message %s: %w", in.ID, err)
	}
	if tag.RowsAffected() == 0 { // it is so already, or there is none
		return nil
	}
	if err := notice.SendTableUpdate(ctx, tx, Messages.Name()); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, who, action, "contactus/"+in.ID.String(), nil, nil)
}

// Of lists what a customer has written.
func (s *Service) Of(ctx context.Context, tx db.Tx, customer uuid.UUID) ([]Message, error) {
	rows, err := tx.Query(ctx, messagesOf, customer)
	if err != nil {
		return nil, fmt.Errorf("messages of %s: %w", customer, err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (Message, error) { return s.read(row, tx.Key) })
}

// Erase deletes what a customer has written.
func Erase(ctx context.Context, tx db.Tx, customer uuid.UUID) error {
	if _, err := tx.Exec(ctx, deleteOf, customer); err != nil {
		return fmt.Errorf("messages of %s: %w", customer, err)
	}
	return nil
}
