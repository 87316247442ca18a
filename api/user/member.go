package user

import (
	"context"

	"welovevoucher/api/rest"
	"welovevoucher/api/wire"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/points"
)

// registerMember registers the calls by which a customer has a card.
func registerMember(a *rest.API, c handlers) {
	rest.Post(a, "/api/user/member/get", "The customer's card, or how far he is on the way to one", c.member)
	rest.Post(a, "/api/user/member/save", "Keep what is filled in, right or not", c.saveMember)
	rest.Post(a, "/api/user/member/apply", "Apply for a card, a renewal of it, or one of a higher level", c.applyMember, func(s member.Standing) string {
		return wire.If(s.Card != nil && s.Application == nil, wire.MemberRegistered)
	})
	rest.PostKeyed(a, "/api/user/member/buy", "Apply for a card that has a price, which the wallet pays", c.buyMember, func(s member.Standing) string {
		return wire.If(s.Card != nil && s.Application == nil, wire.MemberRegistered)
	})
	rest.Post(a, "/api/user/member/key", "The key by which the phone shows the card as a QR that changes", c.memberKey)
	rest.Post(a, "/api/user/member/takeback", "Take an application back that waits, or a term that is to come", c.takeBackMember)
	rest.Post(a, "/api/user/member/points", "What the customer has of points, and what became of them", c.pointsOfMember)
	rest.Post(a, "/api/user/member/leave", "Stop being a member", c.leaveMember)
}

func by(ctx context.Context, who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: who.Audience, ID: who.Subject, Request: rest.From(ctx).ID}
}

func (c handlers) member(ctx context.Context, who token.Session, _ rest.Empty) (member.Standing, error) {
	return c.Member.Read(ctx, who)
}

func (c handlers) saveMember(ctx context.Context, who token.Session, in member.Form) (rest.Empty, error) {
	return rest.Empty{}, c.Member.Save(ctx, who, in)
}

func (c handlers) applyMember(ctx context.Context, who token.Session, in member.ApplyInput) (member.Standing, error) {
	return c.Member.Apply(ctx, who, by(ctx, who), in)
}

func (c handlers) buyMember(ctx context.Context, who token.Session, key string, in order.CardInput) (member.Standing, error) {
	return c.Cards.Buy(ctx, who, by(ctx, who), key, in)
}

func (c handlers) memberKey(ctx context.Context, who token.Session, _ rest.Empty) (member.Key, error) {
	return c.LiveCards.Key(ctx, who)
}

func (c handlers) takeBackMember(ctx context.Context, who token.Session, _ rest.Empty) (member.Standing, error) {
	return c.Member.TakeBack(ctx, who, by(ctx, who))
}

func (c handlers) pointsOfMember(ctx context.Context, who token.Session, _ rest.Empty) (points.Standing, error) {
	return points.Read(ctx, c.DB, who)
}

func (c handlers) leaveMember(ctx context.Context, who token.Session, _ rest.Empty) (member.Standing, error) {
	return c.Member.Leave(ctx, who, by(ctx, who))
}
