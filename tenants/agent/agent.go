// Package agent is a customer who sells for commission: his links, what they sold, what he has earned.
package agent

import (
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/rate"
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
	Agent     uuid.UUID
	Recruiter *uuid.UUID // who earns of it too, because he recruited the agent
	Link      uuid.UUID
	At        time.Time // the customer opened it
	Type      uuid.UUID
	Base      rate.Rate       // of the type
	Rule      commission.Rule // when it matures
}

// RateOf returns the rate at which the agent and his recruiter earn of a package that is ordered on a day. It is the zero Rate without a referral.
func (r *Referral) RateOf(rates rate.Rates, pkg uuid.UUID, day time.Time) rate.Rate {
	if r == nil {
		return rate.Rate{}
	}
	of := rates.Of(r.Type, r.Base, pkg, day)
	if r.Recruiter == nil {
		return of.Alone()
	}
	return of
}

const (
	// A row for the agent, and one for who recruited him. What has to be true is asked of the row that is locked, because it is asked again once the lock is had.
	referralsOf = `SELECT v.customer_id, x.id, x.id = a.id, v.link_id, v.at, t.id, t.rate_basis_points, t.recruiter_basis_points, t.matures, t.mature_days FROM link_visit v
		JOIN sale_link l ON l.id = v.link_id JOIN agent a ON a.id = l.agent_id JOIN agent_type t ON t.id = a.agent_type_id
		JOIN agent x ON x.id = ANY (ARRAY[a.id, a.recruiter_id]) JOIN customer c ON c.id = x.customer_id
		WHERE v.customer_id = ANY ($1) AND v.at > $2 AND x.status = 5 AND t.status = 5 AND c.status = 5 AND x.customer_id <> v.customer_id`
	selectReferrals = referralsOf + ` ORDER BY x.id FOR SHARE OF x`
)

// LockReferrals queues the read and the lock of the agents whose link each customer opened last, within thirty days, and of their recruiters. A customer has no
// referral if the last link was his own, or its agent is suspended, as an agent or as a customer. One that is without a recruiter then has the same reasons. The
// locks are shared and last until the transaction ends: an erasure of the agent waits for it and then finds the commission.
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
		var basisPoints, toRecruiter int64
		var sells bool
		var r Referral
		recruiters := map[uuid.UUID]uuid.UUID{}
		_, err := pgx.ForEachRow(rows, []any{&customer, &r.Agent, &sells, &r.Link, &r.At, &r.Type, &basisPoints, &toRecruiter, &r.Rule.Matures, &r.Rule.Days}, func() error {
			if !sells {
				recruiters[customer] = r.Agent
				return nil
			}
			referral := r
			referral.Base = rate.Base(basisPoints, toRecruiter)
			of[customer] = &referral
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("referrals of customers: %w", err)
		}
		for customer, recruiter := range recruiters {
			if referral := of[customer]; referral != nil {
				referral.Recruiter = &recruiter
			}
		}
		return of, nil
	})
}
