// Package staff holds the calls of the people at the door.
package staff

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/token"
	"welovevoucher/tenants"
	"welovevoucher/tenants/voucher"
)

type calls struct{ *tenants.Services }

// Register puts the door's calls onto the API.
func Register(a *rest.API, s *tenants.Services) {
	c := calls{s}
	rest.Post(a, "/api/staff/get/service_point", "Places to stand at", c.places)
	rest.Post(a, "/api/staff/voucher/verify", "Read a scanned or typed code; burns nothing", s.Voucher.Verify)
	rest.PostKeyed(a, "/api/staff/voucher/confirm", "Use what was scanned", s.Voucher.Confirm)
	rest.Post(a, "/api/staff/get/activevoucher", "What was used here today", c.today)
}

// Places is where this person honours vouchers.
type Places struct {
	Data []voucher.Place `json:"data"`
}

func (c calls) places(ctx context.Context, who token.Session, _ rest.Empty) (Places, error) {
	places, err := c.Voucher.Doors(ctx, who)
	return Places{places}, err
}

// TodayInput names a place.
type TodayInput struct {
	Place uuid.UUID `json:"service_point_id"`
}

// Uses is a day at the door.
type Uses struct {
	Data []voucher.Redemption `json:"data"`
}

func (c calls) today(ctx context.Context, who token.Session, in TodayInput) (Uses, error) {
	uses, err := c.Voucher.Today(ctx, who, in.Place)
	return Uses{uses}, err
}
