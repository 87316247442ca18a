package admin

import (
	"context"

	"welovevoucher/api/rest"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/settlement"
)

// AccountRequests are accounts of organisations that wait for the platform.
type AccountRequests struct {
	Data []settlement.Request `json:"data"`
}

func (c handlers) accountRequests(ctx context.Context, _ token.Session, _ rest.Empty) (AccountRequests, error) {
	list, err := c.Settlement.Requests(ctx)
	return AccountRequests{list}, err
}

func (c handlers) accountRequest(ctx context.Context, who token.Session, in settlement.ByForm) (settlement.RequestDetail, error) {
	return c.Settlement.Request(ctx, actor(ctx, who), in)
}

func (c handlers) acceptAccount(ctx context.Context, who token.Session, in settlement.ByForm) (rest.Empty, error) {
	return rest.Empty{}, c.Settlement.AcceptByAdmin(ctx, actor(ctx, who), in)
}

func (c handlers) refuseAccount(ctx context.Context, who token.Session, in settlement.Refusal) (rest.Empty, error) {
	return rest.Empty{}, c.Settlement.RefuseByAdmin(ctx, actor(ctx, who), in)
}
