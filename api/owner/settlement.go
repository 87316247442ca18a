package owner

import (
	"context"

	"welovevoucher/api/rest"
	"welovevoucher/platform/access"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/settlement"
)

// registerSettlements registers what the platform pays the organisation, and to where.
func (o *handlers) registerSettlements() {
	post(o, "/api/owner/account/get", guard(settlement.Module, access.See), "The bank account that the organisation is paid to, and what of it waits", o.bankAccount)
	post(o, "/api/owner/account/fill", guard(settlement.Module, access.Status), "Fill in the bank account that the organisation is paid to, for a second person and then the platform to approve", o.fillAccount)
	post(o, "/api/owner/account/takeback", guard(settlement.Module, access.Status), "Take back an account that waits", o.takeAccountBack)
	post(o, "/api/owner/account/accept", guard(settlement.Module, access.Status), "Approve the account that somebody else has filled in; the platform has to approve it then", o.acceptAccount)
	post(o, "/api/owner/account/refuse", guard(settlement.Module, access.Status), "Refuse the account that was filled in", o.refuseAccount)
	post(o, "/api/owner/settlement/list", guard(settlement.Module, access.See), "What the platform has paid the organisation, and what it owes it", o.settlements)
	post(o, "/api/owner/settlement/statement", guard(settlement.Module, access.See), "What moved what is payable from one settlement to the next", o.settlementStatement)
	post(o, "/api/owner/settlement/entries", guard(settlement.Module, access.See), "The movements of one kind of a statement", o.settlementEntries)
}

func (o *handlers) settlements(ctx context.Context, who token.Session, _ rest.Empty) (settlement.Standing, error) {
	return o.Settlement.Standing(ctx, who)
}

func (o *handlers) settlementStatement(ctx context.Context, who token.Session, in settlement.ByStatement) (settlement.Statement, error) {
	return o.Settlement.Statement(ctx, who, in)
}

func (o *handlers) settlementEntries(ctx context.Context, who token.Session, in settlement.ByMovement) (settlement.Entries, error) {
	return o.Settlement.Entries(ctx, who, in)
}

func (o *handlers) bankAccount(ctx context.Context, who token.Session, _ rest.Empty) (settlement.Account, error) {
	return o.Settlement.Account(ctx, who)
}

func (o *handlers) fillAccount(ctx context.Context, who token.Session, in settlement.Filled) (rest.Empty, error) {
	return rest.Empty{}, o.Settlement.Fill(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) takeAccountBack(ctx context.Context, who token.Session, in settlement.ByForm) (rest.Empty, error) {
	return rest.Empty{}, o.Settlement.TakeBack(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) acceptAccount(ctx context.Context, who token.Session, in settlement.Acceptance) (rest.Empty, error) {
	return rest.Empty{}, o.Settlement.Accept(ctx, who, actor(ctx, who), in)
}

func (o *handlers) refuseAccount(ctx context.Context, who token.Session, in settlement.Refusal) (rest.Empty, error) {
	return rest.Empty{}, o.Settlement.Refuse(ctx, who.Org, actor(ctx, who), in)
}
