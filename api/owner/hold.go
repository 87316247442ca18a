package owner

import (
	"context"

	"welovevoucher/api/rest"
	"welovevoucher/platform/access"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/hold"
)

// registerHolds registers commission that is held for a look. Letter s decides on it.
func (o *handlers) registerHolds() {
	table := hold.Holds
	registerListed(o, table)
	post(o, "/api/owner/story/commissionhold", guard(table.Module(), access.See), "Commission that is held, and why", o.holdCase)
	post(o, "/api/owner/commissionhold/release", guard(table.Module(), access.Status), "Let runs pay commission that is held, for a reason that is written down", o.releaseHold)
	postKeyed(o, "/api/owner/commissionhold/deny", guard(table.Module(), access.Status), "Ask a second person to deny the commission of an order that is held, with words that the agent reads", o.denyHold)
}

func (o *handlers) holdCase(ctx context.Context, who token.Session, in hold.ByHold) (hold.Case, error) {
	return o.Hold.Case(ctx, who.Org, in.ID)
}

func (o *handlers) releaseHold(ctx context.Context, who token.Session, in hold.Release) (rest.Empty, error) {
	return rest.Empty{}, o.Hold.Release(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) denyHold(ctx context.Context, who token.Session, key string, in hold.Denial) (hold.Asked, error) {
	return o.Hold.Deny(ctx, who.Org, actor(ctx, who), key, in)
}
