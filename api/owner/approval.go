package owner

import (
	"context"

	"welovevoucher/api/rest"
	"welovevoucher/platform/access"
	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/refund"
)

// registerApprovals registers what a second person does. Who sees requests needs letter v of their module; who answers one needs besides the right of
// what it asks for, which approval.Service decides.
func (o *handlers) registerApprovals() {
	registerListed(o, approval.Approvals)
	module := approval.Approvals.Module()
	post(o, "/api/owner/approval/inbox", guard(module, access.See), "What waits for an answer, and what was answered lately", o.approvals)
	post(o, "/api/owner/approval/detail", guard(module, access.See), "A request, and all that changes if it is approved", o.approval)
	postKeyed(o, "/api/owner/approval/approve", guard(module, access.See), "Approve a request of somebody else's: the change is made", o.approve)
	post(o, "/api/owner/approval/refuse", guard(module, access.See), "Refuse a request of somebody else's", o.refuse)
	post(o, "/api/owner/approval/withdraw", guard(module, access.See), "Withdraw a request of one's own", o.withdraw)
	post(o, "/api/owner/setting/approval/get", guard("setting", access.See), "Which changes need a second person", o.approvalRules)
	postKeyed(o, "/api/owner/setting/approval/save", guard("setting", access.Change), "Change which changes need a second person", o.saveApprovalRules)
}

func (o *handlers) askRefund(ctx context.Context, who token.Session, key string, in refund.Input) (refund.Asked, error) {
	return o.Refund.Ask(ctx, who.Org, actor(ctx, who), key, in)
}

func (o *handlers) approvals(ctx context.Context, who token.Session, _ rest.Empty) (approval.Inbox, error) {
	return o.Approval.Inbox(ctx, who)
}

func (o *handlers) approval(ctx context.Context, who token.Session, in approval.ByRequest) (approval.Detail, error) {
	return o.Approval.Detail(ctx, who, actor(ctx, who), in)
}

func (o *handlers) approve(ctx context.Context, who token.Session, key string, in approval.Answer) (rest.Empty, error) {
	return rest.Empty{}, o.Approval.Approve(ctx, who, actor(ctx, who), key, in)
}

func (o *handlers) refuse(ctx context.Context, who token.Session, in approval.Refusal) (rest.Empty, error) {
	return rest.Empty{}, o.Approval.Refuse(ctx, who, actor(ctx, who), in)
}

func (o *handlers) withdraw(ctx context.Context, who token.Session, in approval.ByRequest) (rest.Empty, error) {
	return rest.Empty{}, o.Approval.Withdraw(ctx, who, actor(ctx, who), in)
}

func (o *handlers) approvalRules(ctx context.Context, who token.Session, _ rest.Empty) (rules approval.Rules, err error) {
	err = o.DB.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		rules, err = approval.ReadRules(ctx, tx)
		return err
	})
	return rules, err
}

func (o *handlers) saveApprovalRules(ctx context.Context, who token.Session, key string, in approval.Rules) (approval.Saved, error) {
	return o.Approval.SaveRules(ctx, who.Org, actor(ctx, who), key, in)
}
