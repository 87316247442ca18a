// Package care does to many vouchers what the organisation can do to one: it extends, freezes, releases or ends those of a selection. Each is done by
// itself, under the rules of one; what is refused is recorded with its fault.
package care

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/voucher"
)

// Faults of care for many vouchers.
var (
	ErrNone     = fault.New(fault.Conflict, "care.none", "No voucher is selected")
	ErrTooMany  = fault.New(fault.Conflict, "care.too_many", "These are more than 5,000 vouchers. Select fewer")
	ErrNotYours = fault.New(fault.Conflict, "care.not_yours", "Somebody else started this")
	ErrClosure  = fault.New(fault.Conflict, "care.closure_changed", "The closure has other days than when this was started or asked for")
)

// maxVouchers is how many vouchers one run may be of.
const maxVouchers = 5000

// Task is what is done to a voucher.
type Task string

// Tasks.
const (
	Extend  Task = "extend"
	Freeze  Task = "freeze"
	Release Task = "release"
	Void    Task = "void"

	// ReturnDays gives days back on which a service point was closed.
	ReturnDays Task = "return_days"
)

// Selection is which vouchers: those of a list.
type Selection struct {
	Filter       map[string]any `json:"filter,omitempty" required:"false" doc:"As the list of vouchers takes it"`
	Search       string         `json:"search,omitempty" required:"false" maxLength:"100"`
	ServicePoint *uuid.UUID     `json:"service_point_id,omitempty" required:"false" nullable:"true" doc:"Of these only what can be used there and nowhere else"`
}

// ExtendInput is until when vouchers are extended, and why.
type ExtendInput struct {
	Selection
	Until  string `json:"valid_until" format:"date" doc:"The new last day, Asia/Bangkok, at most ten years from now"`
	Reason string `json:"reason" minLength:"1" maxLength:"300" doc:"For the organisation alone; holders do not see it"`
}

// ChangeInput is what is done to vouchers, and why.
type ChangeInput struct {
	Selection
	Task   Task   `json:"task" enum:"freeze,release,void"`
	Reason string `json:"reason" maxLength:"300" doc:"For the organisation alone; holders do not see it. Empty only of a release"`
}

// PreviewInput is what would be done.
type PreviewInput struct {
	Selection
	Task  Task   `json:"task" enum:"extend,freeze,release,void"`
	Until string `json:"valid_until,omitempty" format:"date" required:"false" doc:"Of an extension"`
}

// Preview is what a run would do if it started now.
type Preview struct {
	Total   int          `json:"total" doc:"Vouchers that are selected"`
	Can     int          `json:"can" doc:"To how many of these it can be done"`
	Revived int          `json:"revived" doc:"Of an extension: how many of these are over"`
	Kept    money.Amount `json:"kept_satang" doc:"What the organisation kept of those, which waits for their use again"`
	Paid    money.Amount `json:"paid_satang" doc:"Of a void: what was paid for unused items, which goes back"`
	Second  bool         `json:"needs_second" doc:"Of a void: that is more than one person may pay back. Of an extension: these are more than one person may extend, so it is asked for"`
	Cannot  []Why        `json:"cannot" doc:"Why it cannot be done to the others, most of them first"`
}

// Why is for how many vouchers something stands against a run.
type Why struct {
	Fault    string `json:"fault"`
	Vouchers int    `json:"vouchers"`
}

// Service runs care for many vouchers.
type Service struct {
	db      *db.DB
	refunds *refund.Service
}

// New returns the service.
func New(d *db.DB, refunds *refund.Service) *Service { return &Service{d, refunds} }

const (
	onlyThere = `SELECT v.id FROM voucher v JOIN template_version t ON t.id = v.version_id WHERE v.id = ANY ($1) AND t.service_point_ids = ARRAY[$2::uuid] ORDER BY v.id`
	standings = `SELECT v.state, v.valid_until, v.expiry_rule, h.erased_at IS NOT NULL, v.owner_freeze_id IS NOT NULL, v.kind, v.items_total, v.items_left, v.items_out,
			v.share_satang, v.fee_satang, v.commission_satang, v.platform_discount_satang
		FROM voucher v JOIN customer h ON h.id = v.holder_id WHERE v.id = ANY ($1)`
	insertRun   = `INSERT INTO care_run (id, task, valid_until, closure_id, reason, state, started_at, started_by, approval_id, first_day, last_day) VALUES ($1, $2, $3, $4, $5, 'running', $6, $7, $8, $9, $10)`
	insertItems = `INSERT INTO care_item (run_id, voucher_id) SELECT $1, unnest($2::uuid[])`
)

// run is a run that somebody starts.
type run struct {
	Task     Task       `json:"task"`
	Until    *time.Time `json:"valid_until"`          // of an extension
	Closure  *uuid.UUID `json:"closure_id,omitempty"` // whose days are given back
	FirstDay *string    `json:"first_day,omitempty"`  // of the closure, Asia/Bangkok
	LastDay  *string    `json:"last_day,omitempty"`
	Reason   string     `json:"reason"`
}

// ids returns the selected vouchers. It returns fault.BadInput, ErrNone or ErrTooMany.
func (s Selection) ids(ctx context.Context, tx db.Tx) ([]uuid.UUID, error) {
	q := resource.Query{Filter: s.Filter, Search: s.Search}
	if wrong := voucher.Vouchers.Check(q); len(wrong) > 0 {
		return nil, fault.Of(wrong...)
	}
	var ids []uuid.UUID
	err := voucher.Vouchers.Export(ctx, tx, q, func(row voucher.Row) error {
		if ids = append(ids, row.ID); len(ids) > maxVouchers && s.ServicePoint == nil || len(ids) > 20*maxVouchers {
			return ErrTooMany
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if s.ServicePoint != nil {
		rows, err := tx.Query(ctx, onlyThere, ids, *s.ServicePoint)
		if err != nil {
			return nil, fmt.Errorf("vouchers of service point %s: %w", *s.ServicePoint, err)
		}
		if ids, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID]); err != nil {
			return nil, fmt.Errorf("vouchers of service point %s: %w", *s.ServicePoint, err)
		}
	}
	switch {
	case len(ids) == 0:
		return nil, ErrNone
	case len(ids) > maxVouchers:
		return nil, ErrTooMany
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return strings.Compare(a.String(), b.String()) })
	return ids, nil
}

// lastDay reads the last day of an extension.
func (s *Service) lastDay(text string) (*time.Time, error) {
	until, err := refund.ReadLastDay(text, s.db.Now())
	return &until, err
}

// Preview returns what a run would do. It returns fault.BadInput, ErrNone or ErrTooMany.
func (s *Service) Preview(ctx context.Context, org uuid.UUID, in PreviewInput) (p Preview, err error) {
	r := run{Task: in.Task}
	if in.Task == Extend {
		if r.Until, err = s.lastDay(in.Until); err != nil {
			return p, err
		}
	}
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		ids, err := in.ids(ctx, tx)
		if err != nil {
			return err
		}
		p, err = preview(ctx, tx, r, ids)
		return err
	})
	return p, err
}

func preview(ctx context.Context, tx db.Tx, r run, ids []uuid.UUID) (p Preview, err error) {
	rows, err := tx.Query(ctx, standings, ids)
	if err != nil {
		return p, fmt.Errorf("what care would do to %d vouchers: %w", len(ids), err)
	}
	today, whys := clock.Day(tx.Now), map[string]int{}
	p.Total = len(ids)
	var is voucher.Standing
	var of voucher.Held
	_, err = pgx.ForEachRow(rows, []any{
		&is.State, &is.Until, &is.Rule, &is.Gone, &is.Held, &of.Kind, &of.Total, &of.Left, &of.Out,
		&of.Sums.Share, &of.Sums.Fee, &of.Sums.Commission, &of.Sums.Discount,
	}, func() error {
		if why := r.refuses(is, today); why != nil {
			whys[fault.From(why).Code]++
			return nil
		}
		p.Can++
		switch {
		case r.Task == Void:
			p.Paid += of.Rest().Paid()
		case r.Task == Extend && is.AsOf(today).State == voucher.Expired:
			p.Revived++
			p.Kept += of.Rest().Share
		}
		return nil
	})
	if err != nil {
		return p, fmt.Errorf("what care would do to %d vouchers: %w", len(ids), err)
	}
	p.Cannot = []Why{}
	for code, n := range whys {
		p.Cannot = append(p.Cannot, Why{code, n})
	}
	sortWhys(p.Cannot)
	switch r.Task {
	case Void:
		p.Second, err = approval.Needed(ctx, tx, "refund", p.Paid)
	case Extend:
		p.Second, err = needsSecond(ctx, tx, p.Total)
	}
	return p, err
}

// refuses returns what stands against the task, or nil.
func (r run) refuses(is voucher.Standing, today time.Time) error {
	switch r.Task {
	case Extend:
		return is.AsOf(today).Extendable(*r.Until, today)
	case Freeze:
		return is.Freezable(today)
	case Release:
		return is.Releasable()
	}
	return is.Voidable(today)
}

// StartExtend starts a run that extends the selected vouchers. The same key starts it once. It returns fault.BadInput, ErrNone, ErrTooMany,
// approval.ErrNeeded above the organisation's rule, or idempotency.ErrReused.
func (s *Service) StartExtend(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in ExtendInput) (Run, error) {
	until, err := s.lastDay(in.Until)
	if err != nil {
		return Run{}, err
	}
	return s.start(ctx, org, who, key, in, in.Selection, run{Task: Extend, Until: until, Reason: strings.TrimSpace(in.Reason)})
}

// StartChange starts a run that freezes, releases or ends the selected vouchers. The same key starts it once. It returns the faults of StartExtend, and
// refund.ErrVoidNeedsTwo if one person may not pay back what was paid for all of these.
func (s *Service) StartChange(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in ChangeInput) (Run, error) {
	return s.start(ctx, org, who, key, in, in.Selection, run{Task: in.Task, Reason: strings.TrimSpace(in.Reason)})
}

// vouchers are those that a run is of.
type vouchers interface {
	ids(ctx context.Context, tx db.Tx) ([]uuid.UUID, error)
}

func (s *Service) start(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in any, of vouchers, r run) (Run, error) {
	if r.Reason == "" && r.Task != Release {
		return Run{}, fault.At("reason", fault.Required)
	}
	id, err := idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "care.start", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, id uuid.UUID) error {
			ids, err := of.ids(ctx, tx)
			if err != nil {
				return err
			}
			if r.Task == Void {
				p, err := preview(ctx, tx, r, ids)
				switch {
				case err != nil:
					return err
				case p.Second:
					return refund.ErrVoidNeedsTwo
				}
			}
			if r.extends() {
				needs, err := needsSecond(ctx, tx, len(ids))
				switch {
				case err != nil:
					return err
				case needs:
					return approval.ErrNeeded
				}
			}
			return startRun(ctx, tx, who, id, nil, r, ids)
		})
	if err != nil {
		return Run{}, err
	}
	return s.Run(ctx, org, who.ID, id)
}

// extends reports whether vouchers are valid longer then, of which one person may extend so many.
func (r run) extends() bool { return r.Task == Extend || r.Task == ReturnDays }

// startRun starts a run in the name of an account; approved is the request by which a second person let it start, or nil.
func startRun(ctx context.Context, tx db.Tx, who auditlog.Actor, id uuid.UUID, approved *uuid.UUID, r run, ids []uuid.UUID) error {
	tx.Queue(insertRun, id, r.Task, r.Until, r.Closure, r.Reason, tx.Now, who.ID, approved, r.FirstDay, r.LastDay)
	tx.Queue(insertItems, id, ids)
	if err := queue.Enqueue(ctx, tx, RunJob{id}); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, who, "care", "care_run/"+id.String(), nil, struct {
		run
		Vouchers int `json:"vouchers"`
	}{r, len(ids)})
}
