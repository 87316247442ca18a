package contact

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
)

const (
	platformsMessage = `SELECT id, NULL::uuid, name, email, phone, subject, text, state, created_at, answered_at FROM contact_message WHERE id = $1`
	platformsList    = `SELECT id, name, email, subject, state, created_at, answered_at FROM contact_message
		WHERE ($1 = '' OR state = $1) AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`
)

// ListInput asks for a page of messages.
type ListInput struct {
	State string     `json:"state,omitempty" required:"false" enum:"new,answered"`
	Limit int        `json:"limit,omitempty" required:"false" minimum:"0" maximum:"200"`
	After *uuid.UUID `json:"after,omitempty" required:"false"`
}

// List is a page of messages, newest first.
type List struct {
	Data []Row      `json:"data"`
	Next *uuid.UUID `json:"next" nullable:"true"`
}

const maxMessages = 50

// SendToPlatform keeps a message to the platform, as Send does.
func (s *Service) SendToPlatform(ctx context.Context, key string, in Input) (r Receipt, err error) {
	in, err = in.checked()
	if err != nil {
		return r, err
	}
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		r, err = s.keep(ctx, tx, uuid.Nil, token.Session{}, key, in, insertMessage)
		return err
	})
	return r, err
}

// PlatformsList lists messages to the platform.
func (s *Service) PlatformsList(ctx context.Context, in ListInput) (list List, err error) {
	if in.Limit <= 0 {
		in.Limit = maxMessages
	}
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, platformsList, in.State, in.After, in.Limit+1)
		if err != nil {
			return err
		}
		list.Data, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (r Row, err error) {
			err = row.Scan(&r.ID, &r.Name, &r.Email, &r.Subject, &r.State, &r.CreatedAt, &r.AnsweredAt)
			return r, err
		})
		return err
	})
	if len(list.Data) > in.Limit {
		list.Data = list.Data[:in.Limit]
		list.Next = &list.Data[in.Limit-1].ID
	}
	return list, err
}

// PlatformsDetail returns all of a message to the platform. It returns fault.Missing if there is none.
func (s *Service) PlatformsDetail(ctx context.Context, id uuid.UUID) (m Message, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		m, err = s.read(tx.QueryRow(ctx, platformsMessage, id), uuid.Nil)
		return err
	})
	return m, err
}

// SetPlatformsAnswered is SetAnswered of a message to the platform.
func (s *Service) SetPlatformsAnswered(ctx context.Context, who auditlog.Actor, in AnswerInput) (m Message, err error) {
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		if err := markAnswered(ctx, tx, who, in); err != nil {
			return err
		}
		m, err = s.read(tx.QueryRow(ctx, platformsMessage, in.ID), uuid.Nil)
		return err
	})
	return m, err
}
