package member

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/points"
	"welovevoucher/tenants/staff"
)

// PointsInput is how many points two people give a member or, below zero, take from him, and why.
type PointsInput struct {
	Customer uuid.UUID `json:"customer_id"`
	Points   int64     `json:"points" minimum:"-1000000" maximum:"1000000" doc:"Below zero: taken from him"`
	Months   int       `json:"months" minimum:"1" maximum:"60" doc:"Those that are given lapse at the end of the month so many months later"`
	Reason   string    `json:"reason" minLength:"1" maxLength:"300" doc:"For the organisation alone; the member does not see it"`
}

// Asked is a request that waits for a second person.
type Asked struct {
	Approval uuid.UUID `json:"approval_id"`
}

// PointApprovals are what two people give members of points, or take from them; none is by one.
var PointApprovals = approval.KindOf[PointsInput]{
	Name: "points", Module: Members.Module(), Letter: access.Status,
	Do: adjustPoints,
	Facts: func(ctx context.Context, tx db.Tx, in PointsInput) ([]approval.Fact, error) {
		m, err := readPointsOf(ctx, tx, in.Customer)
		return []approval.Fact{{What: "points", Name: m.name, Value: approval.Value{Items: m.has}}}, err
	},
}.Kind()

const pointsOf = `SELECT m.id, m.state, m.name, k.number FROM membership m JOIN member_card k ON k.membership_id = m.id WHERE m.customer_id = $1`

// pointsMember is a member whose points are adjusted.
type pointsMember struct {
	id     uuid.UUID
	state  State
	name   string
	number string
	has    int64
}

// readPointsOf returns a member. It returns fault.Missing if the customer never was one.
func readPointsOf(ctx context.Context, tx db.Tx, customer uuid.UUID) (m pointsMember, err error) {
	err = tx.QueryRow(ctx, pointsOf, customer).Scan(&m.id, &m.state, &m.name, &m.number)
	if errors.Is(err, pgx.ErrNoRows) {
		return m, fault.Missing
	}
	if err != nil {
		return m, fmt.Errorf("member %s: %w", customer, err)
	}
	m.has, err = points.Total(ctx, tx, customer)
	return m, err
}

// mayAdjust returns the member whose points some accounts adjust together. It returns fault.Missing, ErrLeft, since who has left has none and gets none, points.ErrNotThere, or ErrOwn if
// the member is the person of one of them.
func mayAdjust(ctx context.Context, tx db.Tx, in PointsInput, accounts ...uuid.UUID) (m pointsMember, err error) {
	if m, err = readPointsOf(ctx, tx, in.Customer); err != nil {
		return m, err
	}
	switch {
	case m.state == Left:
		return m, ErrLeft
	case in.Points < 0 && m.has < -in.Points:
		return m, points.ErrNotThere
	}
	for _, id := range accounts {
		if err := notOwn(ctx, tx, id, in.Customer); err != nil {
			return m, err
		}
	}
	return m, nil
}

// AskPoints asks a second person to give a member points, or to take some from him; nothing moves until then. The same key asks once. It returns fault.Required at points or reason,
// fault.Missing, ErrLeft, points.ErrNotThere, ErrOwn to who would have them himself, idempotency.ErrReused, and approval.ErrWaiting if an adjustment of this member waits already.
func (s *Service) AskPoints(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in PointsInput) (a Asked, err error) {
	in.Reason = strings.TrimSpace(in.Reason)
	switch {
	case in.Points == 0:
		return a, fault.At("points", fault.Required)
	case in.Reason == "":
		return a, fault.At("reason", fault.Required)
	}
	a.Approval, err = idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "points.ask", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, id uuid.UUID) error {
			m, err := mayAdjust(ctx, tx, in, who.ID)
			if err != nil {
				return err
			}
			r := approval.Request{Kind: "points", Table: Members.Name(), Record: m.id, Title: m.number, Customer: &in.Customer, Note: in.Reason, Input: in}
			return approval.Ask(ctx, tx, who, id, r)
		})
	return a, err
}

// adjustPoints gives or takes what was asked for, in the name of who asked.
func adjustPoints(ctx context.Context, tx db.Tx, by approval.By, in PointsInput) error {
	if err := lockAll(ctx, tx, in.Customer); err != nil {
		return err
	}
	m, err := mayAdjust(ctx, tx, in, by.Asked.ID, by.Answers)
	if err != nil {
		return err
	}
	a := points.Adjustment{ID: by.ID, Customer: in.Customer, Points: in.Points, Months: in.Months, Reason: in.Reason, By: by.Asked.ID, Approval: by.Approval}
	if err := points.Adjust(ctx, tx, a); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, by.Asked, "points", "membership/"+m.id.String(), nil, in)
}
