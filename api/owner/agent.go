package owner

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/payee"
)

// registerAgents registers who applies to sell, and who sells. Letter i lets somebody sell before he has sent a form, u changes what he sells as, s decides on forms,
// suspends, and sees all that was sent.
func (o *handlers) registerAgents() {
	table := agent.Agents
	registerListed(o, table)
	status(o, table, o.setAgentStatus)
	post(o, "/api/owner/agent/approve", guard(table.Module(), access.Add), "Let a customer sell for commission before he has sent a form", o.approveAgent)
	post(o, "/api/owner/agent/type", guard(table.Module(), access.Change), "Give an agent another type, for later sales", o.setAgentType)
	post(o, "/api/owner/agent/waiting", guard(table.Module(), access.See), "Forms of agents that wait for an answer", o.waitingAgents)
	post(o, "/api/owner/agent/record", guard(table.Module(), access.See), "An agent, what he has sent, and who else has the same", o.agentRecord)
	post(o, "/api/owner/agent/whole", guard(table.Module(), access.Status), "All that an agent has sent of himself, for a reason that is written down", o.wholeAgent)
	post(o, "/api/owner/agent/accept", guard(table.Module(), access.Status), "Approve what an agent has sent", o.acceptAgent)
	post(o, "/api/owner/agent/refuse", guard(table.Module(), access.Status), "Refuse what an agent has sent, with words that he reads and what is to be mended", o.refuseAgent)
	o.getFile("/api/owner/agent/picture/{id}", guard(table.Module(), access.Status), "A picture that an agent has sent; who saw it is written down", "image/jpeg", o.agentPicture)
}

func (o *handlers) setAgentStatus(ctx context.Context, org uuid.UUID, who auditlog.Actor, ids []uuid.UUID, status int16) error {
	return o.Applications.SetStatus(ctx, org, who, ids, status)
}

func (o *handlers) setAgentType(ctx context.Context, who token.Session, in agent.TypeInput) (rest.Empty, error) {
	return rest.Empty{}, o.Applications.SetType(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) waitingAgents(ctx context.Context, who token.Session, _ rest.Empty) (agent.Queue, error) {
	return o.Applications.Queue(ctx, who.Org)
}

func (o *handlers) agentRecord(ctx context.Context, who token.Session, in ByID) (agent.Record, error) {
	return o.Applications.Record(ctx, who.Org, who.Subject, in.ID)
}

func (o *handlers) wholeAgent(ctx context.Context, who token.Session, in agent.WholeInput) (payee.Form, error) {
	return o.Applications.Whole(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) acceptAgent(ctx context.Context, who token.Session, in agent.AcceptInput) (rest.Empty, error) {
	return rest.Empty{}, o.Applications.Accept(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) refuseAgent(ctx context.Context, who token.Session, in agent.RefuseInput) (rest.Empty, error) {
	return rest.Empty{}, o.Applications.Refuse(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) agentPicture(ctx context.Context, who token.Session, id uuid.UUID) (rest.File, error) {
	picture, err := o.Applications.SeePicture(ctx, who.Org, actor(ctx, who), id)
	return rest.FileOf("image/jpeg", "picture.jpg", picture, err)
}

// Approved is the agent that a customer has become.
type Approved struct {
	ID uuid.UUID `json:"id"`
}
