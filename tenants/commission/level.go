package commission

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
)

// Level is for what a payee has commission of an order. It is stored by its number; commission of a use has none.
type Level int16

// Levels. There is no third: nobody earns of whom his recruits recruit.
const (
	Seller    Level = 1 // he sold it
	Recruiter Level = 2 // he recruited who sold it
)

// split is a part of an order's commission, and what of it is the recruiter's.
type split struct{ Whole, Recruiter money.Amount }

// of returns what a level has of it, as far as it is paid. Levels are rounded alone, and what they have adds up to what is paid of the whole.
func (s split) of(level Level, paid, price money.Amount) money.Amount {
	if price <= 0 {
		return 0
	}
	recruiter := s.Recruiter.Share(int64(paid), int64(price))
	if level == Recruiter {
		return recruiter
	}
	return s.Whole.Share(int64(paid), int64(price)) - recruiter
}

// recruiterParts are the recruiter's parts of the commission of lines.
type recruiterParts map[line]split

// line is one of an order.
type line struct {
	Order    uuid.UUID
	Position int
}

const partsOfRecruiters = `SELECT order_id, position, commission_satang, recruiter_satang FROM recruiter_share WHERE order_id = ANY ($1)`

// readRecruiterParts reads those of commissions of which a recruiter has some.
func readRecruiterParts(ctx context.Context, tx db.Tx, all []held) (recruiterParts, error) {
	var orders []uuid.UUID
	for _, h := range all {
		if h.Level == Recruiter {
			orders = append(orders, h.Order)
		}
	}
	if len(orders) == 0 {
		return nil, nil
	}
	rows, err := tx.Query(ctx, partsOfRecruiters, orders)
	if err != nil {
		return nil, fmt.Errorf("recruiters' parts of orders: %w", err)
	}
	parts := recruiterParts{}
	var l line
	var s split
	_, err = pgx.ForEachRow(rows, []any{&l.Order, &l.Position, &s.Whole, &s.Recruiter}, func() error {
		parts[l] = s
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("recruiters' parts of orders: %w", err)
	}
	return parts, nil
}

// kept returns what is left of an order's commission.
func (p recruiterParts) kept(d Due) (s split) {
	for position, commission := range d.Kept {
		s.Whole += commission
		if part, ok := p[line{d.Order, position}]; ok {
			s.Recruiter += commission.Share(int64(part.Recruiter), int64(part.Whole))
		}
	}
	return s
}
