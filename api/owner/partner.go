package owner

import (
	"context"

	"welovevoucher/api/rest"
	"welovevoucher/platform/access"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/partner"
)

// registerPartners registers who earns of what is used at his service points. Letter i makes one and his rates, u fills in what he says of himself, s approves that,
// suspends and ends.
func (o *handlers) registerPartners() {
	table := partner.Partners
	registerEditable(o, table)
	registerEditable(o, partner.Rates)
	post(o, "/api/owner/partner/record", guard(table.Module(), access.See), "A partner, what he has earned, and what was filled in of him", o.partnerRecord)
	post(o, "/api/owner/partner/fill", guard(table.Module(), access.Change), "Fill in what a partner says of himself and of his bank account, for a second person to approve", o.fillPartner)
	post(o, "/api/owner/partner/takeback", guard(table.Module(), access.Change), "Take back what was filled in of a partner and waits", o.takePartnerBack)
	post(o, "/api/owner/partner/accept", guard(table.Module(), access.Status), "Approve what somebody else has filled in of a partner", o.acceptPartner)
	post(o, "/api/owner/partner/refuse", guard(table.Module(), access.Status), "Refuse what was filled in of a partner", o.refusePartner)
}

func (o *handlers) partnerRecord(ctx context.Context, who token.Session, in ByID) (partner.Record, error) {
	return o.Partner.Record(ctx, who, in.ID)
}

func (o *handlers) fillPartner(ctx context.Context, who token.Session, in partner.Filled) (rest.Empty, error) {
	return rest.Empty{}, o.Partner.Fill(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) takePartnerBack(ctx context.Context, who token.Session, in partner.ByForm) (rest.Empty, error) {
	return rest.Empty{}, o.Partner.TakeBack(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) acceptPartner(ctx context.Context, who token.Session, in partner.Acceptance) (rest.Empty, error) {
	return rest.Empty{}, o.Partner.Accept(ctx, who, actor(ctx, who), in)
}

func (o *handlers) refusePartner(ctx context.Context, who token.Session, in partner.Refusal) (rest.Empty, error) {
	return rest.Empty{}, o.Partner.Refuse(ctx, who.Org, actor(ctx, who), in)
}
