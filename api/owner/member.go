package owner

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/member"
)

// registerMembers registers who applies for a card, and who has one. Letter s decides on applications, suspends, and sees all that an applicant said of himself.
func (o *handlers) registerMembers() {
	table := member.Members
	registerListed(o, table)
	status(o, table, o.setMemberStatus)
	post(o, "/api/owner/memberlist/waiting", guard(table.Module(), access.See), "Applications for cards that wait for an answer", o.waitingMembers)
	post(o, "/api/owner/memberlist/whole", guard(table.Module(), access.Status), "All that an applicant said of himself, for a reason that is written down", o.wholeMember)
	post(o, "/api/owner/memberlist/approve", guard(table.Module(), access.Status), "Grant the card that a customer applied for", o.approveMember)
	post(o, "/api/owner/memberlist/refuse", guard(table.Module(), access.Status), "Refuse an application, with words that the applicant reads", o.refuseMember)
	postKeyed(o, "/api/owner/memberlist/points/ask", guard(table.Module(), access.Status), "Ask a second person to give a member points, or to take some from him", o.askPoints)
}

func (o *handlers) setMemberStatus(ctx context.Context, org uuid.UUID, who auditlog.Actor, ids []uuid.UUID, status int16) error {
	return o.Member.SetStatus(ctx, org, who, ids, status)
}

func (o *handlers) waitingMembers(ctx context.Context, who token.Session, _ rest.Empty) (member.Queue, error) {
	return o.Member.Waiting(ctx, who.Org, who.Subject)
}

func (o *handlers) wholeMember(ctx context.Context, who token.Session, in member.WholeInput) (member.Form, error) {
	return o.Member.Whole(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) approveMember(ctx context.Context, who token.Session, in member.ApproveInput) (rest.Empty, error) {
	return rest.Empty{}, o.Member.Approve(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) askPoints(ctx context.Context, who token.Session, key string, in member.PointsInput) (member.Asked, error) {
	return o.Member.AskPoints(ctx, who.Org, actor(ctx, who), key, in)
}

func (o *handlers) refuseMember(ctx context.Context, who token.Session, in member.RefuseInput) (rest.Empty, error) {
	return rest.Empty{}, o.Member.Refuse(ctx, who.Org, actor(ctx, who), in)
}
