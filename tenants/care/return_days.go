package care

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/servicepoint"
	"welovevoucher/tenants/voucher"
)

// ByClosure names a closure.
type ByClosure struct {
	ID uuid.UUID `json:"id"`
}

// maxShown is how many vouchers a preview names.
const maxShown = 200

// maxReturned is how many vouchers one run gives days back to. Another one gives them to the others.
const maxReturned = 20_000

// Return is what giving back the days of a closure would do now.
type Return struct {
	Closure  servicepoint.Closure `json:"closure"`
	Total    int                  `json:"total" doc:"Vouchers that can be used nowhere else, and have a day of it to get"`
	Can      int                  `json:"can" doc:"How many of these get it"`
	Days     int                  `json:"days" doc:"That these get"`
	Revived  int                  `json:"revived" doc:"How many of them are over"`
	Kept     money.Amount         `json:"kept_satang" doc:"What the organisation kept of those, which waits for their use again"`
	Cannot   []Why                `json:"cannot" doc:"Why the others do not, most of them first"`
	Vouchers []voucher.Returning  `json:"vouchers" doc:"The first 200 of those that get days, the first to end first"`
	Given    int                  `json:"given" doc:"How many vouchers have days of it already"`
	Second   bool                 `json:"needs_second" doc:"These are more than one person may extend, so it is asked for"`
}

const (
	givenOf     = `SELECT count(DISTINCT voucher_id) FROM extension WHERE closure_id = $1`
	lockClosure = `SELECT status = 5 AND first_day = $2::text::date AND last_day = $3::text::date FROM closure WHERE id = $1 FOR SHARE`
)

// PreviewReturn returns what giving back the days of a closure would do. It returns fault.Missing.
func (s *Service) PreviewReturn(ctx context.Context, org uuid.UUID, in ByClosure) (p Return, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		if p.Closure, err = servicepoint.Closures.Detail(ctx, tx, in.ID); err != nil {
			return err
		}
		p.Cannot, p.Vouchers = []Why{}, []voucher.Returning{}
		whys := map[string]int{}
		err := voucher.ForEachReturning(ctx, tx, p.Closure, clock.Day(tx.Now), func(r voucher.Returning) error {
			p.Total++
			if r.Fault != "" {
				whys[r.Fault]++
				return nil
			}
			p.Can, p.Days = p.Can+1, p.Days+r.Days
			if r.Over {
				p.Revived++
				p.Kept += r.Of.Rest().Share
			}
			if len(p.Vouchers) < maxShown {
				p.Vouchers = append(p.Vouchers, r)
			}
			return nil
		})
		if err != nil {
			return err
		}
		for code, n := range whys {
			p.Cannot = append(p.Cannot, Why{code, n})
		}
		sortWhys(p.Cannot)
		if err := tx.QueryRow(ctx, givenOf, in.ID).Scan(&p.Given); err != nil {
			return fmt.Errorf("what closure %s gave back: %w", in.ID, err)
		}
		p.Second, err = needsSecond(ctx, tx, min(p.Total, maxReturned))
		return err
	})
	return p, err
}

// StartReturn starts a run that gives back the days of a closure to the vouchers that can be used nowhere else. The same key starts it once; a second
// run gives no day again. It returns fault.Missing, ErrNone, approval.ErrNeeded above the organisation's rule, or idempotency.ErrReused.
func (s *Service) StartReturn(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in ByClosure) (Run, error) {
	c, err := s.closure(ctx, org, in.ID)
	if err != nil {
		return Run{}, err
	}
	return s.start(ctx, org, who, key, in, closedOut{c}, returnOf(c))
}

// AskReturn asks a second person to let the days of a closure be given back; nothing is done until then. The same key asks once. It returns
// fault.Missing, ErrNone or idempotency.ErrReused.
func (s *Service) AskReturn(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in ByClosure) (Asked, error) {
	c, err := s.closure(ctx, org, in.ID)
	if err != nil {
		return Asked{}, err
	}
	r := returnOf(c)
	return s.ask(ctx, org, who, key, in, closedOut{c}, askedRun{Closure: r.Closure, FirstDay: r.FirstDay, LastDay: r.LastDay, Reason: r.Reason})
}

func (s *Service) closure(ctx context.Context, org, id uuid.UUID) (c servicepoint.Closure, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) (err error) {
		c, err = servicepoint.Closures.Detail(ctx, tx, id)
		return err
	})
	return c, err
}

// returnOf is a run that gives the days of a closure back as they are now.
func returnOf(c servicepoint.Closure) run {
	return run{Task: ReturnDays, Closure: &c.ID, FirstDay: &c.FirstDay, LastDay: &c.LastDay, Reason: strings.TrimSpace(c.ReasonTH)}
}

// lockClosure locks the closure whose days are given back. It returns ErrClosure if it has not the run's days any more: whoever started or approved the
// run has not seen the others.
func (r run) lockClosure(ctx context.Context, tx db.Tx) error {
	var same bool
	if err := tx.QueryRow(ctx, lockClosure, *r.Closure, *r.FirstDay, *r.LastDay).Scan(&same); err != nil {
		return fmt.Errorf("lock closure %s: %w", *r.Closure, err)
	}
	if !same {
		return ErrClosure
	}
	return nil
}

// closedOut are the vouchers that a closure gives days back to.
type closedOut struct{ closure servicepoint.Closure }

func (c closedOut) ids(ctx context.Context, tx db.Tx) (ids []uuid.UUID, err error) {
	err = voucher.ForEachReturning(ctx, tx, c.closure, clock.Day(tx.Now), func(r voucher.Returning) error {
		if len(ids) < maxReturned {
			ids = append(ids, r.ID)
		}
		return nil
	})
	if err == nil && len(ids) == 0 {
		err = ErrNone
	}
	return ids, err
}

// sortWhys puts what concerns most vouchers first.
func sortWhys(all []Why) {
	slices.SortFunc(all, func(a, b Why) int {
		if a.Vouchers != b.Vouchers {
			return b.Vouchers - a.Vouchers
		}
		return strings.Compare(a.Fault, b.Fault)
	})
}
