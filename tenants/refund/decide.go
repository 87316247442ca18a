package refund

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/notice"
)

// Decide ends the cases whose time is over: the organisation bears what its gateway sent back and no whole unused item covers,
// as far as it has earned that much; the rest is looked at again. A worker calls it for each organisation. It settles everybody
// who owes, each in a transaction of his own, so that what was owed before this was kept is settled, too.
func Decide(ctx context.Context, on *db.DB, org uuid.UUID) error {
	var who []uuid.UUID
	err := on.ReadInOrg(ctx, org, func(tx db.Tx) (err error) {
		who, err = charge.Debtors(ctx, tx)
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range who {
		if err := on.InOrg(ctx, org, func(tx db.Tx) error { return decide(ctx, tx, id) }); err != nil {
			return err
		}
	}
	return nil
}

func decide(ctx context.Context, tx db.Tx, id uuid.UUID) error {
	s, err := load(ctx, tx, id)
	if err != nil {
		return err
	}
	if err := s.bear(ctx, tx); err != nil {
		return err
	}
	if err := s.settle(ctx, tx, "borne"); err != nil || !s.changed {
		return err
	}
	return notice.Send(ctx, tx, token.User, s.customer, notice.Event{Topic: "wallet"})
}

// bear has the organisation pay what the cases are about that are due.
func (s *settlement) bear(ctx context.Context, tx db.Tx) error {
	for _, c := range s.owing {
		due, err := c.CaseIsDue(ctx, tx)
		if err != nil {
			return err
		}
		if !due {
			continue
		}
		has, err := commission.EarnedForGood(ctx, tx)
		if err != nil {
			return err
		}
		by := min(has, c.OwedForRefunds())
		if by <= 0 {
			continue
		}
		if err := c.Bear(tx, db.NewID(), by); err != nil {
			return err
		}
		s.changed = true
	}
	return nil
}
