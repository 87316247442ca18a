package points

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/notice"
)

// ErrNotThere is returned where more points would be taken than there are.
var ErrNotThere = fault.New(fault.Conflict, "points.not_there", "The member does not have that many points")

// Adjustment is what two people give a customer of points or, below zero, take from him.
type Adjustment struct {
	ID       uuid.UUID
	Customer uuid.UUID
	Points   int64
	Months   int    // after which those that are given lapse, at the end of the last one
	Reason   string // for the organisation alone
	By       uuid.UUID
	Approval uuid.UUID
}

const (
	insertAdjustment = `INSERT INTO point_adjustment (id, customer_id, points, lapses_on, reason, made_at, made_by, approval_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
	totalOf          = `SELECT (SELECT coalesce(sum(points_left), 0) FROM point_lot WHERE customer_id = $1 AND lapses_on >= $2)::bigint - coalesce((SELECT points FROM point_owed WHERE customer_id = $1), 0)`
)

// Total returns how many points a customer has that have not lapsed or, below zero, owes.
func Total(ctx context.Context, tx db.Tx, customer uuid.UUID) (n int64, err error) {
	if err := tx.QueryRow(ctx, totalOf, customer, clock.Day(tx.Now)).Scan(&n); err != nil {
		return 0, fmt.Errorf("points of %s: %w", customer, err)
	}
	return n, nil
}

// Adjust gives points to a customer, who is locked, or takes those from him that lapse first. What is given pays first what he owes. It returns ErrNotThere if he has fewer than
// would be taken.
func Adjust(ctx context.Context, tx db.Tx, a Adjustment) error {
	has, err := readHoldings(ctx, tx, []uuid.UUID{a.Customer})
	if err != nil {
		return err
	}
	h := has.of[a.Customer]
	var lapses *time.Time
	if a.Points > 0 {
		day := lapsesOn(clock.Day(tx.Now), a.Months)
		lapses = &day
		has.post("points_adjusted", a.ID, h.add(a.Points, day))
	} else {
		if h.total() < -a.Points {
			return ErrNotThere
		}
		has.post("points_adjusted", a.ID, h.take(-a.Points, time.Time{}))
	}
	tx.Queue(insertAdjustment, a.ID, a.Customer, a.Points, lapses, a.Reason, tx.Now, a.By, a.Approval)
	if err := notice.Send(ctx, tx, token.User, a.Customer, notice.Event{Topic: "member"}); err != nil {
		return err
	}
	return has.save(tx)
}
