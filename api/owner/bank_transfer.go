package owner

import (
	"context"

	"welovevoucher/platform/access"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/refund"
)

// registerBankTransfers registers the refunds that people of the organisation transfer. That needs what refunding needs; so does reading the account.
func (o *handlers) registerBankTransfers() {
	table := charge.Transfers
	registerListed(o, table)
	post(o, "/api/owner/story/banktransfer", guard(table.Module(), access.Status), "A refund that is transferred to a bank account, and the account", o.bankTransfer)
	postKeyed(o, "/api/owner/banktransfer/ask", guard(table.Module(), access.Status), "Say that a refund was transferred, or came back, and ask a second person to confirm it", o.askTransfer)
	postKeyed(o, "/api/owner/banktransfer/fail", guard(table.Module(), access.Status), "Put a refund that cannot be transferred into its payer's wallet", o.failTransfer)
}

func (o *handlers) bankTransfer(ctx context.Context, who token.Session, in ByID) (refund.TransferCase, error) {
	return o.Refund.TransferCase(ctx, who.Org, in.ID)
}

func (o *handlers) askTransfer(ctx context.Context, who token.Session, key string, in refund.TransferMade) (refund.TransferCase, error) {
	if err := o.Refund.AskTransfer(ctx, who.Org, actor(ctx, who), key, in); err != nil {
		return refund.TransferCase{}, err
	}
	return o.Refund.TransferCase(ctx, who.Org, in.ID)
}

func (o *handlers) failTransfer(ctx context.Context, who token.Session, key string, in refund.TransferFailure) (refund.TransferCase, error) {
	if err := o.Refund.FailTransfer(ctx, who.Org, actor(ctx, who), key, in); err != nil {
		return refund.TransferCase{}, err
	}
	return o.Refund.TransferCase(ctx, who.Org, in.ID)
}
