package owner

import (
	"context"

	"welovevoucher/platform/access"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/refund"
)

// registerRefundRequests registers what payers ask to be refunded. Answering needs what refunding needs.
func (o *handlers) registerRefundRequests() {
	table := refund.Requests
	registerListed(o, table)
	post(o, "/api/owner/story/refundrequest", guard(table.Module(), access.See), "What a payer asks to be refunded, and what granting it would move", o.refundRequest)
	postKeyed(o, "/api/owner/refundrequest/grant", guard(table.Module(), access.Status), "Refund what a payer asked for to his wallet", o.grantRefundRequest)
	postKeyed(o, "/api/owner/refundrequest/ask", guard(table.Module(), access.Status), "Ask a second person to let a payer's request be granted", o.askToGrant)
	post(o, "/api/owner/refundrequest/refuse", guard(table.Module(), access.Status), "Refuse a payer's request with words that he reads", o.refuseRefundRequest)
	post(o, "/api/owner/refundrequest/again", guard(table.Module(), access.Status), "Have a payer look again at a request of which something is gone", o.askAgain)
}

func (o *handlers) refundRequest(ctx context.Context, who token.Session, in ByID) (refund.RequestCase, error) {
	return o.Refund.RequestCase(ctx, who.Org, in.ID)
}

func (o *handlers) grantRefundRequest(ctx context.Context, who token.Session, key string, in refund.ByRequest) (refund.RequestCase, error) {
	if err := o.Refund.GrantRequest(ctx, who.Org, actor(ctx, who), key, in); err != nil {
		return refund.RequestCase{}, err
	}
	return o.Refund.RequestCase(ctx, who.Org, in.ID)
}

func (o *handlers) askToGrant(ctx context.Context, who token.Session, key string, in refund.RequestNote) (refund.Asked, error) {
	return o.Refund.AskToGrant(ctx, who.Org, actor(ctx, who), key, in)
}

func (o *handlers) refuseRefundRequest(ctx context.Context, who token.Session, in refund.RequestRefusal) (refund.RequestCase, error) {
	if err := o.Refund.RefuseRequest(ctx, who.Org, actor(ctx, who), in); err != nil {
		return refund.RequestCase{}, err
	}
	return o.Refund.RequestCase(ctx, who.Org, in.ID)
}

func (o *handlers) askAgain(ctx context.Context, who token.Session, in refund.ByRequest) (refund.RequestCase, error) {
	if err := o.Refund.AskAgain(ctx, who.Org, actor(ctx, who), in); err != nil {
		return refund.RequestCase{}, err
	}
	return o.Refund.RequestCase(ctx, who.Org, in.ID)
}
