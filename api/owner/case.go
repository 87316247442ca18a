package owner

import (
	"context"

	"welovevoucher/api/rest"
	"welovevoucher/platform/access"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/voucher"
)

// registerCases registers what the organisation decides about money that its gateway sent back or holds back.
func (o *handlers) registerCases() {
	registerListed(o, charge.Cases)
	postKeyed(o, "/api/owner/case/bear", guard(voucher.Vouchers.Module(), access.Status), "Bear what the gateway sent back and nothing covers, before it happens by itself", o.bearCase)
	postKeyed(o, "/api/owner/case/writeoff/ask", guard(voucher.Vouchers.Module(), access.Status), "Ask a second person to write off what a customer owes", o.askWriteOff)
}

func (o *handlers) askWriteOff(ctx context.Context, who token.Session, key string, in refund.WriteOffInput) (refund.Asked, error) {
	return o.Refund.AskWriteOff(ctx, who.Org, actor(ctx, who), key, in)
}

func (o *handlers) bearCase(ctx context.Context, who token.Session, key string, in refund.BearInput) (rest.Empty, error) {
	return rest.Empty{}, o.Refund.Bear(ctx, who.Org, actor(ctx, who), key, in)
}
