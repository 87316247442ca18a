// Package agent is a customer who sells for commission: his links, what they sold, what he has earned.
package agent

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/ledger"
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
	ErrSelf         = fault.New(fault.Forbidden, "agent.self", "Somebody else has to approve you")
	ErrTypeNotFound = fault.New(fault.Conflict, "agent.type_not_found", "This agent type is not active")
)

// linkLifetime is how long the last link that a customer opened counts.
const linkLifetime = 30 * 24 * time.Hour

// Referral is the agent whom an order is owed to.
type Referral struct {
	Agent       uuid.UUID
	Link        uuid.UUID
	BasisPoints int64
	Matures     string // sale, use, days
	MatureDays  int
}

const terms = `SELECT a.id, t.rate_basis_points, t.matures, t.mature_days FROM agent a JOIN agent_type t ON t.id = a.agent_type_id WHERE a.id = $1`

const (
	referralsOf = `SELECT v.customer_id, a.id, v.link_id, t.rate_basis_points, t.matures, t.mature_days FROM link_visit v
	JOIN sale_link l ON l.id = v.link_id JOIN agent a ON a.id = l.agent_id JOIN agent_type t ON t.id = a.agent_type_id
		JOIN customer c ON c.id = a.customer_id
	WHERE v.customer_id = ANY ($1) AND v.at > $2 AND a.status = 5 AND t.status = 5 AND c.status = 5 AND a.customer_id <> v.customer_id`
	selectReferrals = referralsOf + ` ORDER BY a.id FOR SHARE OF a`
)

// LockReferrals queues the read and the lock of the agents whose link each customer opened last, within thirty days. A customer has no
// referral if the last link was his own, or its agent is suspended, as an agent or as a customer. The locks are shared and last until the
// transaction ends: an erasure of the agent waits for it and then finds the commission.
func LockReferrals(tx db.Tx, customers []uuid.UUID) *db.Pending[map[uuid.UUID]*Referral] {
	return queueReferrals(tx, selectReferrals, customers)
}

// ReadReferrals queues the read of LockReferrals, and locks nothing.
func ReadReferrals(tx db.Tx, customers ...uuid.UUID) *db.Pending[map[uuid.UUID]*Referral] {
	return queueReferrals(tx, referralsOf, customers)
}

func queueReferrals(tx db.Tx, sql string, customers []uuid.UUID) *db.Pending[map[uuid.UUID]*Referral] {
	return db.Await(tx.Queue(sql, customers, tx.Now.Add(-linkLifetime)), func(rows pgx.Rows) (map[uuid.UUID]*Referral, error) {
		of := map[uuid.UUID]*Referral{}
		var customer uuid.UUID
		var r Referral
		_, err := pgx.ForEachRow(rows, []any{&customer, &r.Agent, &r.Link, &r.BasisPoints, &r.Matures, &r.MatureDays}, func() error {
			referral := r
			of[customer] = &referral
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("referrals of customers: %w", err)
		}
		return of, nil
	})
}

// MaturityOf returns the agent of an order that was made before, and when his commission matures by the rule that his type has now. The amount is
// in the order's lines.
func MaturityOf(ctx context.Context, tx db.Tx, agent uuid.UUID) (r Referral, err error) {
	if err := tx.QueryRow(ctx, terms, agent).Scan(&r.Agent, &r.BasisPoints, &r.Matures, &r.MatureDays); err != nil {
		return r, fmt.Errorf("terms of agent %s: %w", agent, err)
	}
	return r, nil
}

// Commission is the part of an order that an agent is owed.
type Commission struct {
	Order    uuid.UUID
	Referral Referral
	Amount   money.Amount
}

type commissionRow struct {
	ID        uuid.UUID    `db:"id"`
	Order     uuid.UUID    `db:"order_id"`
	Agent     uuid.UUID    `db:"agent_id"`
	Amount    money.Amount `db:"amount_satang"`
	MaturesAt *time.Time   `db:"matures_at"`
	At        time.Time    `db:"at"`
}

var insertCommissions = db.NewBulk[commissionRow](`INSERT INTO commission (id, order_id, agent_id, amount_satang, state, created_at, matures_at, updated_at)
	SELECT unnest(@id::uuid[]), unnest(@order_id::uuid[]), unnest(@agent_id::uuid[]), unnest(@amount_satang::bigint[]), 'pending',
		unnest(@at::timestamptz[]), unnest(@matures_at::timestamptz[]), unnest(@at::timestamptz[])`)

// Accrue queues the insert of commissions. The money itself is a posting of each purchase's transfer.
func Accrue(tx db.Tx, commissions []Commission) {
	var rows []commissionRow
	for _, c := range commissions {
		if c.Amount == 0 {
			continue
		}
		row := commissionRow{ID: db.NewID(), Order: c.Order, Agent: c.Referral.Agent, Amount: c.Amount, At: tx.Now}
		if c.Referral.Matures == "days" {
			at := tx.Now.AddDate(0, 0, c.Referral.MatureDays)
			row.MaturesAt = &at
		}
		rows = append(rows, row)
	}
	if len(rows) > 0 {
		insertCommissions.Queue(tx, rows)
	}
}

// CommissionAccount is where the agent's commission waits until it matures.
func CommissionAccount(agent uuid.UUID) ledger.Account {
	return ledger.AccountOf(ledger.CommissionPending, agent)
}
