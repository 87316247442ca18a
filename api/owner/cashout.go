package owner

import (
	"context"

	"welovevoucher/platform/access"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/cashout"
)

// registerCashouts registers what customers ask to be paid out of their wallets.
func (o *handlers) registerCashouts() {
	table := cashout.Cashouts
	registerListed(o, table)
	post(o, "/api/owner/story/cashout", guard(table.Module(), access.See), "Money of a wallet that its customer asks for, and where it would go", o.cashoutCase)
	postKeyed(o, "/api/owner/cashout/approve", guard(table.Module(), access.Status), "Pay a customer out of his wallet what he asked for", o.approveCashout)
	postKeyed(o, "/api/owner/cashout/ask", guard(table.Module(), access.Status), "Ask a second person to let a customer be paid out of his wallet", o.askToApproveCashout)
	post(o, "/api/owner/cashout/refuse", guard(table.Module(), access.Status), "Refuse to pay a customer out of his wallet, with words that he reads", o.refuseCashout)
}

func (o *handlers) cashoutCase(ctx context.Context, who token.Session, in ByID) (cashout.Case, error) {
	return o.Cashout.Case(ctx, who.Org, in.ID)
}

func (o *handlers) approveCashout(ctx context.Context, who token.Session, key string, in cashout.ByRequest) (cashout.Case, error) {
	if err := o.Cashout.Approve(ctx, who.Org, actor(ctx, who), key, in); err != nil {
		return cashout.Case{}, err
	}
	return o.Cashout.Case(ctx, who.Org, in.ID)
}

func (o *handlers) askToApproveCashout(ctx context.Context, who token.Session, key string, in cashout.Note) (cashout.Asked, error) {
	return o.Cashout.AskToApprove(ctx, who.Org, actor(ctx, who), key, in)
}

func (o *handlers) refuseCashout(ctx context.Context, who token.Session, in cashout.Refusal) (cashout.Case, error) {
	if err := o.Cashout.Refuse(ctx, who.Org, actor(ctx, who), in); err != nil {
		return cashout.Case{}, err
	}
	return o.Cashout.Case(ctx, who.Org, in.ID)
}
