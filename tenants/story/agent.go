package story

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/commission"
)

// Agent is the story of an agent.
type Agent struct {
	Record      agent.Row    `json:"record"`
	BasisPoints int64        `json:"rate_basis_points" doc:"Of the type, now"`
	Orders      int64        `json:"orders" doc:"That were paid"`
	Pending     money.Amount `json:"pending_satang" doc:"Commission that is due and has not matured"`
	commission.Balance
	Links []SaleLink `json:"links" doc:"The newest 100"`
	Timeline
}

// SaleLink is an agent's link to a package.
type SaleLink struct {
	Code    string    `json:"code"`
	Package uuid.UUID `json:"package_id"`
	NameTH  string    `json:"name_th"`
	NameEN  string    `json:"name_en"`
	Status  int16     `json:"status" doc:"Of the package: 5 is on sale"`
}

const (
	earnedBy = `SELECT coalesce(t.rate_basis_points, 0), (SELECT count(*) FROM orders o WHERE o.agent_id = a.id AND o.paid_at IS NOT NULL),
			coalesce((SELECT sum(k.due_satang - k.mature_satang) FROM commission k WHERE k.agent_id = a.id), 0)::bigint
		FROM agent a LEFT JOIN agent_type t ON t.id = a.agent_type_id WHERE a.id = $1`
	linksOf = `SELECT l.code, p.id, p.name_th, p.name_en, p.status FROM sale_link l JOIN package p ON p.id = l.package_id WHERE l.agent_id = $1 ORDER BY l.id DESC LIMIT 100`
)

var agentTimeline = timelineOf(
	`SELECT a.id, 'approved', a.approved_at, 1, '', NULL::uuid, '', '', '', '', 0::bigint, 0::bigint, '', '', coalesce(s.name, ''), ''
		FROM agent a LEFT JOIN staff s ON s.id = a.approved_by WHERE a.id = $1 AND a.approved_at IS NOT NULL`,
	`SELECT l.id, 'linked', l.created_at, 2, 'salepackage', p.id, p.code, p.name_th, p.name_en, '', 0::bigint, 0::bigint, '', '', '', ''
		FROM sale_link l JOIN package p ON p.id = l.package_id WHERE l.agent_id = $1 ORDER BY l.id DESC LIMIT `+limit,
	commissionEarned+` WHERE k.agent_id = $1 ORDER BY k.id DESC LIMIT `+limit,
	// A change's payee is its commission's agent: each is found by its own index.
	commissionChanged+` WHERE k.agent_id = $1 AND b.payee_id = $1 ORDER BY b.at DESC LIMIT `+limit,
	commissionHeld+` WHERE h.payee_id = $1 ORDER BY h.id DESC LIMIT `+limit,
	commissionFreed+` WHERE h.payee_id = $1 AND h.state IN ('released', 'lapsed') ORDER BY h.id DESC LIMIT `+limit,
)

// Agent returns the story of an agent. It returns fault.Missing if there is none.
func (s *Service) Agent(ctx context.Context, org, id uuid.UUID, _ Visible) (story Agent, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		if story.Record, err = agent.Agents.Detail(ctx, tx, id); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, earnedBy, id).Scan(&story.BasisPoints, &story.Orders, &story.Pending); err != nil {
			return fmt.Errorf("what agent %s has earned: %w", id, err)
		}
		if story.Balance, err = commission.BalanceOf(ctx, tx, id); err != nil {
			return err
		}
		if story.Links, err = collect[SaleLink](ctx, tx, linksOf, id); err != nil {
			return fmt.Errorf("links of agent %s: %w", id, err)
		}
		story.Timeline, err = readTimeline(ctx, tx, agentTimeline, id)
		return err
	})
	return story, err
}
