package agent

import (
	"context"
	"errors"
	"maps"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
)

// OwnCustomer is a customer as an agent lists him: one who bought through the agent, or opened the agent's link last. It has no personal
// data.
type OwnCustomer struct {
	resource.Base
	DisplayName string    `json:"displayName" doc:"The first letter; the rest stays hidden"`
	ReferCode   string    `json:"referercode"`
	Agent       bool      `json:"agent" doc:"Sells for commission himself"`
	Of          uuid.UUID `json:"agent_id" doc:"Of the agent who asks"`
}

const ownCustomers = `(SELECT c.id, c.display_name, c.refer_code, c.status, c.created_at, c.updated_at, own.agent_id
	FROM (SELECT o.agent_id, o.customer_id FROM orders o WHERE o.agent_id IS NOT NULL AND o.paid_at IS NOT NULL
		UNION SELECT l.agent_id, v.customer_id FROM link_visit v JOIN sale_link l ON l.id = v.link_id) own
	JOIN customer c ON c.id = own.customer_id)`

// OwnCustomers is the table of agents' own customers. Its caller filters by the agent.
var OwnCustomers = resource.New(resource.Def[OwnCustomer]{
	Name: "customer", Module: "customer", Relation: ownCustomers, HasStatus: true, Sort: "-created_at",
	Columns: []resource.Column{
		{Name: "displayName", SQL: "left(r.display_name, 1) || '***'", Can: resource.Lookup},
		{Name: "referercode", SQL: "r.refer_code", Can: resource.Filter | resource.Lookup},
		{Name: "agent", SQL: "EXISTS (SELECT FROM agent a WHERE a.customer_id = r.id AND a.status = 5)", Can: resource.Filter | resource.Lookup},
		{Name: "agent_id", Can: resource.Filter | resource.Lookup},
	},
})

const typeOf = `SELECT agent_type_id FROM agent WHERE id = $1`

// CustomersOf lists an agent's own customers; nobody's for who is no agent.
func (s *Service) CustomersOf(ctx context.Context, who token.Session, q resource.Query) (resource.Page[OwnCustomer], error) {
	return list(ctx, s, who, OwnCustomers, q, func(_ context.Context, _ db.Tx, agent uuid.UUID) (string, uuid.UUID, error) {
		return "agent_id", agent, nil
	})
}

// AgentsOf lists the agents whom an agent may see, which is himself.
func (s *Service) AgentsOf(ctx context.Context, who token.Session, q resource.Query) (resource.Page[Row], error) {
	return list(ctx, s, who, Agents, q, func(_ context.Context, _ db.Tx, agent uuid.UUID) (string, uuid.UUID, error) {
		return "id", agent, nil
	})
}

// TypesOf lists the agent types that an agent may see, which is his own.
func (s *Service) TypesOf(ctx context.Context, who token.Session, q resource.Query) (resource.Page[Type], error) {
	return list(ctx, s, who, AgentTypes, q, func(ctx context.Context, tx db.Tx, agent uuid.UUID) (field string, id uuid.UUID, err error) {
		err = tx.QueryRow(ctx, typeOf, agent).Scan(&id)
		return "id", id, err
	})
}

// list reads a table for an agent, who sees the rows alone that own names: a field and its value, whatever he asked for.
func list[T any](ctx context.Context, s *Service, who token.Session, t *resource.Table[T], q resource.Query,
	own func(ctx context.Context, tx db.Tx, agent uuid.UUID) (string, uuid.UUID, error),
) (page resource.Page[T], err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		agent, err := approvedAgent(ctx, tx, who.Subject)
		if errors.Is(err, ErrNotAgent) {
			page.Data = []resource.Row[T]{}
			return nil
		}
		if err != nil {
			return err
		}
		field, id, err := own(ctx, tx, agent)
		if err != nil {
			return err
		}
		filter := map[string]any{}
		maps.Copy(filter, q.Filter)
		filter[field] = id.String()
		q.Filter = filter
		page, err = t.List(ctx, tx, q)
		return err
	})
	return page, err
}
