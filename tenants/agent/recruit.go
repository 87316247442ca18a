package agent

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
)

// Recruit is an agent whom another one recruited, as that one sees him.
type Recruit struct {
	ID          uuid.UUID    `json:"agent_id"`
	Name        string       `json:"name"`
	Since       *time.Time   `json:"since" nullable:"true" doc:"When he was approved"`
	Sells       bool         `json:"sells" doc:"Whether he can sell now"`
	BasisPoints int64        `json:"rate_basis_points" doc:"What the recruiter earns of what he sells, of what has no special rate"`
	Orders      int64        `json:"orders" doc:"In the last thirty days, of which the recruiter earns"`
	Commission  money.Amount `json:"commission_satang" doc:"The recruiter's of these, as it was sold"`
}

// Recruits are the agents whom an agent recruited, those of whom he earns most first.
type Recruits struct {
	Data            []Recruit `json:"data" doc:"At most 100"`
	MostBasisPoints int64     `json:"most_basis_points" doc:"The most that an active type of agents leaves who recruits one; 0: nothing is earned by recruiting"`
}

const (
	recruits = `SELECT a.id, c.display_name, a.approved_at, a.status = 5 AND c.status = 5, t.recruiter_basis_points, count(k.id), coalesce(sum(k.amount_satang), 0)::bigint
		FROM agent a JOIN customer c ON c.id = a.customer_id JOIN agent_type t ON t.id = a.agent_type_id
		LEFT JOIN commission k ON k.agent_id = $1 AND k.level = 2 AND k.created_at >= $2 AND EXISTS (SELECT FROM orders o WHERE o.id = k.order_id AND o.agent_id = a.id)
		WHERE a.recruiter_id = $1 AND a.state IN ('approved', 'suspended') GROUP BY a.id, c.id, t.id ORDER BY 7 DESC, a.id LIMIT 100`
	mostForRecruiters = `SELECT coalesce(max(recruiter_basis_points), 0) FROM agent_type WHERE status = 5`
)

// Recruits returns whom the agent recruited. It returns ErrNotAgent.
func (s *Service) Recruits(ctx context.Context, who token.Session) (r Recruits, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		agent, err := approvedAgent(ctx, tx, who.Subject)
		if err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, mostForRecruiters).Scan(&r.MostBasisPoints); err != nil {
			return fmt.Errorf("what recruiters earn: %w", err)
		}
		rows, err := tx.Query(ctx, recruits, agent, clock.Start(clock.Day(tx.Now).AddDate(0, 0, 1-linkDays)))
		if err != nil {
			return fmt.Errorf("whom agent %s recruited: %w", agent, err)
		}
		r.Data, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Recruit])
		return err
	})
	return r, err
}
