package admin

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/platform/token"
	"welovevoucher/tenants/contact"
)

// MessageID names a message.
type MessageID struct {
	ID uuid.UUID `json:"id"`
}

func (c handlers) messages(ctx context.Context, _ token.Session, in contact.ListInput) (contact.List, error) {
	return c.Contact.PlatformsList(ctx, in)
}

func (c handlers) message(ctx context.Context, _ token.Session, in MessageID) (contact.Message, error) {
	return c.Contact.PlatformsDetail(ctx, in.ID)
}

func (c handlers) answer(ctx context.Context, who token.Session, in contact.AnswerInput) (contact.Message, error) {
	return c.Contact.SetPlatformsAnswered(ctx, actor(ctx, who), in)
}
