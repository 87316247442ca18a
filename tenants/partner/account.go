package partner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/payee"
	"welovevoucher/tenants/staff"
)

// Service keeps what partners are paid to.
type Service struct {
	db  *db.DB
	box *secret.Box
	may staff.May
}

// New returns the service.
func New(d *db.DB, box *secret.Box, may staff.May) *Service { return &Service{d, box, may} }

// Filled is what an account of the office has filled in of a partner.
type Filled struct {
	Partner uuid.UUID  `json:"partner_id"`
	Form    payee.Form `json:"form"`
}

// ByForm names a form that was filled in.
type ByForm struct {
	Version uuid.UUID `json:"version_id"`
}

// Acceptance approves a form.
type Acceptance struct {
	Version uuid.UUID `json:"version_id"`
	Reason  string    `json:"reason" maxLength:"300" doc:"Needed where somebody else who is paid has the same account or number"`
}

// Refusal refuses a form.
type Refusal struct {
	Version uuid.UUID `json:"version_id"`
	Reason  string    `json:"reason" minLength:"1" maxLength:"300" doc:"For who filled it in"`
}

// Record is a partner, what he has earned, and what was filled in of him.
type Record struct {
	Partner Row          `json:"record"`
	Pending money.Amount `json:"pending_satang" doc:"Earned, and not mature"`
	Payable money.Amount `json:"payable_satang" doc:"Can be paid out"`
	Owed    money.Amount `json:"owed_satang" doc:"Was paid out and taken back since"`
	Paid    money.Amount `json:"paid_satang" doc:"Of runs, what was paid"`
	Places  []Place      `json:"service_points"`
	Forms   []payee.Sent `json:"forms" doc:"The newest first"`
}

// Place is a service point of a partner's.
type Place struct {
	ID     uuid.UUID `json:"id"`
	NameTH string    `json:"name_th"`
	NameEN string    `json:"name_en"`
}

const (
	sumsOf = `SELECT (SELECT coalesce(sum(b.payable_satang), 0)::bigint FROM payee_balance b WHERE b.payee_id = $1), (SELECT coalesce(sum(b.receivable_satang), 0)::bigint FROM payee_balance b WHERE b.payee_id = $1),
		(SELECT coalesce(sum(p.net_satang), 0)::bigint FROM payout p WHERE p.payee_id = $1 AND p.state = 'paid'),
		(SELECT coalesce(sum(k.due_satang - k.mature_satang), 0)::bigint FROM commission k WHERE k.partner_id = $1)`
	placesOf = `SELECT id, name_th, name_en FROM service_point WHERE partner_id = $1 AND status <> 9 ORDER BY created_at, id LIMIT 200`
)

// Record returns a partner. It returns fault.Missing if there is none.
func (s *Service) Record(ctx context.Context, who token.Session, id uuid.UUID) (r Record, err error) {
	r.Places, r.Forms = []Place{}, []payee.Sent{}
	var waits *payee.Version
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		if r.Partner, err = Partners.Detail(ctx, tx, id); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, sumsOf, id).Scan(&r.Payable, &r.Owed, &r.Paid, &r.Pending); err != nil {
			return fmt.Errorf("sums of partner %s: %w", id, err)
		}
		rows, err := tx.Query(ctx, placesOf, id)
		if err != nil {
			return fmt.Errorf("service points of partner %s: %w", id, err)
		}
		if r.Places, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Place]); err != nil {
			return fmt.Errorf("service points of partner %s: %w", id, err)
		}
		versions, err := payee.Versions(ctx, tx, s.box, id)
		if err != nil {
			return err
		}
		for _, v := range versions {
			form, err := v.Show(ctx, tx)
			if err != nil {
				return err
			}
			if v.State == "pending" {
				waits = &v
			}
			r.Forms = append(r.Forms, form)
		}
		return nil
	})
	if err != nil || waits == nil {
		return r, err
	}
	standing, err := s.standing(ctx, who, *waits)
	r.Forms[0].Standing = string(standing)
	if standing != approval.MayNothing {
		r.Forms[0].Whole = &waits.Form
	}
	return r, err
}

// standing returns what a session may do with a form that waits.
func (s *Service) standing(ctx context.Context, who token.Session, v payee.Version) (approval.Standing, error) {
	return approval.StandingOf(ctx, s.db, s.may, who, approval.Asked{Module: Partners.Module(), Letter: access.Status, By: *v.SentBy, At: v.SentAt})
}

// lock locks a partner. It returns fault.Missing, or ErrOver of one who is none any more.
func lock(ctx context.Context, tx db.Tx, id uuid.UUID) error {
	var status int16
	err := tx.QueryRow(ctx, lockPartner, id).Scan(&status)
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.Missing
	}
	if err != nil {
		return fmt.Errorf("lock partner %s: %w", id, err)
	}
	if status == resource.Inactive {
		return ErrOver
	}
	return nil
}

// Fill has a second person look at what is filled in of a partner; a form of his that waits is taken back. It returns fault.Missing, ErrOver, or the fields that are not
// right, ErrBankName among them.
func (s *Service) Fill(ctx context.Context, org uuid.UUID, by auditlog.Actor, in Filled) error {
	form := in.Form.Tidy()
	form.Recruiter = ""
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		if err := lock(ctx, tx, in.Partner); err != nil {
			return err
		}
		if err := form.CheckFilled(clock.Day(tx.Now), ErrBankName); err != nil {
			return err
		}
		waits, err := s.waiting(ctx, tx, in.Partner)
		if err != nil {
			return err
		}
		if waits != nil {
			if err := waits.Withdraw(ctx, tx); err != nil {
				return err
			}
		}
		id, err := payee.FillIn(ctx, tx, s.box, in.Partner, form, by.ID)
		if err != nil {
			return err
		}
		return changed(ctx, tx, by, "send", id, map[string]any{"partner_id": in.Partner})
	})
}

// waiting returns the form of a partner that waits, or nil.
func (s *Service) waiting(ctx context.Context, tx db.Tx, id uuid.UUID) (*payee.Version, error) {
	versions, err := payee.Versions(ctx, tx, s.box, id)
	if err != nil || len(versions) == 0 || versions[0].State != "pending" {
		return nil, err
	}
	return &versions[0], nil
}

// changed notifies screens, and records what was done with a form.
func changed(ctx context.Context, tx db.Tx, by auditlog.Actor, does string, version uuid.UUID, after map[string]any) error {
	if err := notice.SendTableUpdate(ctx, tx, Partners.Name()); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, by, does, "payee_version/"+version.String(), nil, after)
}

// find returns the form of a partner that was filled in. It returns fault.Missing.
func (s *Service) find(ctx context.Context, tx db.Tx, id uuid.UUID) (v payee.Version, err error) {
	found, err := payee.ByID(ctx, tx, s.box, id)
	if err != nil {
		return v, err
	}
	if found == nil || found.SentBy == nil {
		return v, fault.Missing
	}
	return *found, nil
}

// decide has a form that waits decided on, in the lock of its partner. It returns fault.Missing, ErrOver, or ErrNotNow.
func (s *Service) decide(ctx context.Context, org, id uuid.UUID, does func(tx db.Tx, v payee.Version) error) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		v, err := s.find(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := lock(ctx, tx, v.Payee); err != nil {
			return err
		}
		if v, err = s.find(ctx, tx, id); err != nil {
			return err
		}
		if v.State != "pending" {
			return ErrNotNow
		}
		return does(tx, v)
	})
}

// Accept approves a form that somebody else filled in: its account is paid to seven days later. Where nobody else could, who filled it in approves it himself, signed in
// anew, the day after. It returns fault.Missing, ErrOver, ErrNotNow, ErrSamePerson, ErrTomorrow, fault.NotAllowed, or ErrDuplicate with Duplicate.
func (s *Service) Accept(ctx context.Context, who token.Session, by auditlog.Actor, in Acceptance) error {
	var v payee.Version
	err := s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) (err error) {
		v, err = s.find(ctx, tx, in.Version)
		return err
	})
	if err != nil {
		return err
	}
	standing, err := s.standing(ctx, who, v)
	if err != nil {
		return err
	}
	switch standing {
	case approval.MayAnswer, approval.MayAlone:
	case approval.MayWithdraw:
		return ErrSamePerson
	case approval.MayTomorrow:
		return ErrTomorrow
	case approval.MayNothing:
		return fault.NotAllowed
	}
	in.Reason = strings.TrimSpace(in.Reason)
	return s.decide(ctx, who.Org, in.Version, func(tx db.Tx, v payee.Version) error {
		if err := s.mayAccept(ctx, tx, v, in.Reason); err != nil {
			return err
		}
		approved, err := payee.NewestApproved(ctx, tx, s.box, v.Payee)
		if err != nil {
			return err
		}
		from, err := v.Approve(ctx, tx, by.ID, in.Reason, approved)
		if err != nil {
			return err
		}
		return changed(ctx, tx, by, "approve", v.ID, map[string]any{"partner_id": v.Payee, "pays_from": from.Format(time.DateOnly), "reason": in.Reason, "alone": standing == approval.MayAlone})
	})
}

// mayAccept returns why a form cannot be approved.
func (s *Service) mayAccept(ctx context.Context, tx db.Tx, v payee.Version, reason string) error {
	if err := v.LockSame(ctx, tx); err != nil {
		return err
	}
	others, err := v.Others(ctx, tx)
	if err != nil {
		return err
	}
	for _, o := range others {
		if o.Kind == "partner" && slices.Contains(o.What, "identity") {
			return ErrDuplicate.With(payee.Duplicate{What: "identity", Name: o.Name})
		}
	}
	if len(others) > 0 && reason == "" {
		return ErrDuplicate.With(payee.Duplicate{What: others[0].What[0], Name: others[0].Name, Reason: true})
	}
	return nil
}

// Refuse refuses a form that waits. It returns fault.Required at the reason, fault.Missing, ErrOver, or ErrNotNow.
func (s *Service) Refuse(ctx context.Context, org uuid.UUID, by auditlog.Actor, in Refusal) error {
	if in.Reason = strings.TrimSpace(in.Reason); in.Reason == "" {
		return fault.At("reason", fault.Required)
	}
	return s.decide(ctx, org, in.Version, func(tx db.Tx, v payee.Version) error {
		if err := v.Refuse(ctx, tx, &by.ID, in.Reason, nil); err != nil {
			return err
		}
		return changed(ctx, tx, by, "refuse", v.ID, map[string]any{"partner_id": v.Payee, "reason": in.Reason})
	})
}

// TakeBack ends a form that waits. It returns fault.Missing, ErrOver, or ErrNotNow.
func (s *Service) TakeBack(ctx context.Context, org uuid.UUID, by auditlog.Actor, in ByForm) error {
	return s.decide(ctx, org, in.Version, func(tx db.Tx, v payee.Version) error {
		if err := v.Withdraw(ctx, tx); err != nil {
			return err
		}
		return changed(ctx, tx, by, "take back", v.ID, map[string]any{"partner_id": v.Payee})
	})
}
