// Package agent is a customer who sells for commission: his links, what they sold, what he has earned.
package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/wallet"
)

// Service answers agents.
type Service struct{ db *db.DB }

// New returns the service.
func New(d *db.DB) *Service { return &Service{db: d} }

// Faults of this package.
var (
	ErrNotAgent     = fault.New(fault.Forbidden, "agent.not_approved", "You are not an agent of this organisation yet")
	ErrLinkNotFound = fault.New(fault.NotFound, "agent.link_not_found", "Sale not found")
	ErrCustomer     = fault.New(fault.Conflict, "agent.customer_not_found", "Customer not found")
	ErrTypeNotFound = fault.New(fault.Conflict, "agent.type_not_found", "This agent type is not active")
)

// linkLifetime is how long the last link a customer opened counts (domain.md, Agents).
const linkLifetime = 30 * 24 * time.Hour

// Seller is the agent whom an order is owed to.
type Seller struct {
	Agent       uuid.UUID
	Link        uuid.UUID
	BasisPoints int64
	Matures     string // sale, use, days
	MatureDays  int
}

const (
	seller = `SELECT a.id, v.link_id, t.rate_basis_points, t.matures, t.mature_days FROM link_visit v
		JOIN sale_link l ON l.id = v.link_id JOIN agent a ON a.id = l.agent_id JOIN agent_type t ON t.id = a.agent_type_id
			JOIN customer c ON c.id = a.customer_id
		WHERE v.customer_id = $1 AND v.at > $2 AND a.status = 5 AND t.status = 5 AND c.status = 5 AND a.customer_id <> $1
		FOR SHARE OF a`
	terms            = `SELECT a.id, t.rate_basis_points, t.matures, t.mature_days FROM agent a JOIN agent_type t ON t.id = a.agent_type_id WHERE a.id = $1`
	insertCommission = `INSERT INTO commission (id, order_id, agent_id, amount_satang, state, matures_at, created_at, updated_at)
		VALUES ($1, $2, $3, $4, 'pending', $5, $6, $6)`
)

// SellerOf is the agent whose link this customer opened last, within thirty days. A customer's own link earns nothing
// for himself, nor does one who is suspended earn, as an agent or as a customer. nil means that nobody is owed. The agent
// stays one until the transaction ends: whoever erases himself meanwhile waits, and then sees what he is owed.
func SellerOf(tx db.Tx, customer uuid.UUID, into **Seller) {
	tx.Later(seller, customer, tx.Now.Add(-linkLifetime)).QueryRow(func(row pgx.Row) error {
		var s Seller
		err := row.Scan(&s.Agent, &s.Link, &s.BasisPoints, &s.Matures, &s.MatureDays)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return nil
		case err != nil:
			return fmt.Errorf("seller for %s: %w", customer, err)
		}
		*into = &s
		return nil
	})
}

// Promised is an agent to whom a commission was promised when an order was made, as his type pays now.
func Promised(ctx context.Context, tx db.Tx, agent uuid.UUID) (s Seller, err error) {
	if err := tx.QueryRow(ctx, terms, agent).Scan(&s.Agent, &s.BasisPoints, &s.Matures, &s.MatureDays); err != nil {
		return s, fmt.Errorf("terms of agent %s: %w", agent, err)
	}
	return s, nil
}

// Accrue records the commission of an order. The money itself is a posting of the purchase's transfer.
func Accrue(tx db.Tx, order uuid.UUID, s Seller, amount money.Amount) {
	if amount == 0 {
		return
	}
	var matures *time.Time
	if s.Matures == "days" {
		at := tx.Now.AddDate(0, 0, s.MatureDays)
		matures = &at
	}
	tx.Later(insertCommission, db.NewID(), order, s.Agent, amount, matures, tx.Now)
}

// Account is where the agent's commission waits until it matures.
func Account(agent uuid.UUID) wallet.Account { return wallet.Of(wallet.CommissionPending, agent) }
