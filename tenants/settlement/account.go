package settlement

import (
	"context"
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
	"welovevoucher/platform/queue"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/payee"
)

// Module is that of the settings, by whose right to decide people fill in and approve what their organisation is paid to.
const Module = "setting"

// accountTable is published to open screens when an account has changed.
const accountTable = "organisation_account"

// Filled is what somebody has filled in of his organisation.
type Filled struct {
	Form payee.Form `json:"form"`
}

// ByForm names a form that was filled in.
type ByForm struct {
	Version uuid.UUID `json:"version_id"`
}

// Acceptance approves a form.
type Acceptance struct {
	Version uuid.UUID `json:"version_id"`
	Reason  string    `json:"reason" maxLength:"300" doc:"Needed where somebody who is paid by the organisation has the same account or number"`
}

// Refusal refuses a form.
type Refusal struct {
	Version uuid.UUID `json:"version_id"`
	Reason  string    `json:"reason" minLength:"1" maxLength:"300" doc:"For who filled it in"`
}

// Account is what an organisation is paid to.
type Account struct {
	Forms []payee.Sent `json:"forms" doc:"The newest first. One that was seconded waits for the platform"`
}

// AccountJob has the platform's list of accounts that wait follow what became of one.
type AccountJob struct {
	Version uuid.UUID `json:"version_id"`
}

// Kind names the job.
func (AccountJob) Kind() string { return "settlement.account" }

const (
	insertPayee    = `INSERT INTO payee (id, kind, created_at) VALUES ($1, 'organisation', $2) ON CONFLICT DO NOTHING`
	lockVersions   = `SELECT id FROM payee_version WHERE payee_id = $1 ORDER BY id FOR UPDATE`
	insertRequest  = `INSERT INTO account_request (version_id, org_id, seconded_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`
	deleteRequest  = `DELETE FROM account_request WHERE version_id = $1`
	requests       = `SELECT r.version_id, r.org_id, o.name_th, o.name_en, r.seconded_at FROM account_request r JOIN organisation o ON o.id = r.org_id ORDER BY r.seconded_at, r.version_id LIMIT 200`
	organisationOf = `SELECT r.version_id, r.org_id, o.name_th, o.name_en, r.seconded_at FROM account_request r JOIN organisation o ON o.id = r.org_id WHERE r.version_id = $1`
)

// Account returns what an organisation is paid to, and what of it waits.
func (s *Service) Account(ctx context.Context, who token.Session) (a Account, err error) {
	a.Forms = []payee.Sent{}
	var waits *payee.Version
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		versions, err := payee.Versions(ctx, tx, s.box, who.Org)
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
			a.Forms = append(a.Forms, form)
		}
		return nil
	})
	if err != nil || waits == nil {
		return a, err
	}
	standing, err := s.standing(ctx, who, *waits)
	if err == nil && waits.Seconded != nil && standing != approval.MayNothing {
		standing = approval.MayWithdraw
	}
	a.Forms[0].Standing = string(standing)
	if standing != approval.MayNothing {
		a.Forms[0].Whole = &waits.Form
	}
	return a, err
}

// standing returns what a session may do with a form that waits for another person of the organisation.
func (s *Service) standing(ctx context.Context, who token.Session, v payee.Version) (approval.Standing, error) {
	return approval.StandingOf(ctx, s.db, s.may, who, approval.Asked{Module: Module, Letter: access.Status, By: *v.SentBy, At: v.SentAt})
}

// lock locks what was filled in of an organisation, and returns the form that waits, or nil.
func (s *Service) lock(ctx context.Context, tx db.Tx, org uuid.UUID) (*payee.Version, error) {
	if _, err := tx.Exec(ctx, lockVersions, org); err != nil {
		return nil, fmt.Errorf("lock the account of %s: %w", org, err)
	}
	versions, err := payee.Versions(ctx, tx, s.box, org)
	if err != nil || len(versions) == 0 || versions[0].State != "pending" {
		return nil, err
	}
	return &versions[0], nil
}

// Fill has a second person look at what the organisation is to be paid to; what waits is taken back. It returns the fields that are not right, ErrBankName among them, or
// ErrFormNotNow when somebody else fills it in at this moment.
func (s *Service) Fill(ctx context.Context, org uuid.UUID, by auditlog.Actor, in Filled) error {
	form := in.Form.Tidy()
	form.Recruiter = ""
	err := s.db.InOrg(ctx, org, func(tx db.Tx) error {
		if err := form.CheckFilled(clock.Day(tx.Now), ErrBankName); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, insertPayee, org, tx.Now); err != nil {
			return fmt.Errorf("payee of %s: %w", org, err)
		}
		waits, err := s.lock(ctx, tx, org)
		if err != nil {
			return err
		}
		if waits != nil {
			if err := waits.Withdraw(ctx, tx); err != nil {
				return err
			}
			if err := queue.Enqueue(ctx, tx, AccountJob{waits.ID}); err != nil {
				return err
			}
		}
		id, err := payee.FillIn(ctx, tx, s.box, org, form, by.ID)
		if err != nil {
			return err
		}
		return changed(ctx, tx, by, "send", id, nil)
	})
	if slices.Contains([]string{"payee_version_open", "payee_version_once"}, db.Constraint(err)) {
		return ErrFormNotNow
	}
	return err
}

// changed notifies screens, and records what was done with a form.
func changed(ctx context.Context, tx db.Tx, by auditlog.Actor, does string, version uuid.UUID, after any) error {
	if err := notice.SendTableUpdate(ctx, tx, accountTable); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, by, does, "payee_version/"+version.String(), nil, after)
}

// decide has a form of an organisation decided on that waits, for another person of it or for the platform. It returns fault.Missing or ErrFormNotNow.
func (s *Service) decide(ctx context.Context, org, id uuid.UUID, does func(tx db.Tx, v payee.Version) error) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		if _, err := s.find(ctx, tx, org, id); err != nil {
			return err
		}
		waits, err := s.lock(ctx, tx, org)
		if err != nil {
			return err
		}
		if waits == nil || waits.ID != id {
			return ErrFormNotNow
		}
		return does(tx, *waits)
	})
}

// find returns a form of an organisation. It returns fault.Missing.
func (s *Service) find(ctx context.Context, tx db.Tx, org, id uuid.UUID) (v payee.Version, err error) {
	found, err := payee.ByID(ctx, tx, s.box, id)
	if err != nil {
		return v, err
	}
	if found == nil || found.Payee != org || found.SentBy == nil {
		return v, fault.Missing
	}
	return *found, nil
}

// Accept approves for the organisation what somebody else of it filled in; the platform has to approve it then. Where nobody else could, who filled it in approves it
// himself, signed in anew, the day after. It returns fault.Missing, ErrFormNotNow, ErrFiller, ErrTomorrow, fault.NotAllowed, or ErrDuplicate with payee.Duplicate.
func (s *Service) Accept(ctx context.Context, who token.Session, by auditlog.Actor, in Acceptance) error {
	var v payee.Version
	err := s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) (err error) {
		v, err = s.find(ctx, tx, who.Org, in.Version)
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
		return ErrFiller
	case approval.MayTomorrow:
		return ErrTomorrow
	case approval.MayNothing:
		return fault.NotAllowed
	}
	in.Reason = strings.TrimSpace(in.Reason)
	return s.decide(ctx, who.Org, in.Version, func(tx db.Tx, v payee.Version) error {
		if v.Seconded != nil {
			return ErrFormNotNow
		}
		if err := v.LockSame(ctx, tx); err != nil {
			return err
		}
		others, err := v.Others(ctx, tx)
		if err != nil {
			return err
		}
		if len(others) > 0 && in.Reason == "" {
			return ErrDuplicate.With(payee.Duplicate{What: others[0].What[0], Name: others[0].Name, Reason: true})
		}
		if err := v.SecondBy(ctx, tx, by.ID, in.Reason); err != nil {
			return err
		}
		if err := queue.Enqueue(ctx, tx, AccountJob{v.ID}); err != nil {
			return err
		}
		return changed(ctx, tx, by, "second", v.ID, map[string]any{"reason": in.Reason, "alone": standing == approval.MayAlone})
	})
}

// Refuse refuses for the organisation a form that waits. It returns fault.Required at the reason, fault.Missing or ErrFormNotNow.
func (s *Service) Refuse(ctx context.Context, org uuid.UUID, by auditlog.Actor, in Refusal) error {
	if in.Reason = strings.TrimSpace(in.Reason); in.Reason == "" {
		return fault.At("reason", fault.Required)
	}
	return s.decide(ctx, org, in.Version, func(tx db.Tx, v payee.Version) error {
		if v.Seconded != nil {
			return ErrFormNotNow
		}
		if err := v.Refuse(ctx, tx, &by.ID, in.Reason, nil); err != nil {
			return err
		}
		return changed(ctx, tx, by, "refuse", v.ID, map[string]any{"reason": in.Reason})
	})
}

// TakeBack ends a form that waits for a second person or for the platform. It returns fault.Missing or ErrFormNotNow.
func (s *Service) TakeBack(ctx context.Context, org uuid.UUID, by auditlog.Actor, in ByForm) error {
	return s.decide(ctx, org, in.Version, func(tx db.Tx, v payee.Version) error {
		if err := v.Withdraw(ctx, tx); err != nil {
			return err
		}
		if err := queue.Enqueue(ctx, tx, AccountJob{v.ID}); err != nil {
			return err
		}
		return changed(ctx, tx, by, "take back", v.ID, nil)
	})
}

// Follow has the platform's list have a form as long as it waits for the platform. It may be called twice.
func (s *Service) Follow(ctx context.Context, org uuid.UUID, job AccountJob) error {
	var v *payee.Version
	err := s.db.ReadInOrg(ctx, org, func(tx db.Tx) (err error) {
		v, err = payee.ByID(ctx, tx, s.box, job.Version)
		return err
	})
	if err != nil {
		return err
	}
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		if v == nil || !waitsForPlatform(*v) {
			_, err := tx.Exec(ctx, deleteRequest, job.Version)
			return err
		}
		_, err := tx.Exec(ctx, insertRequest, v.ID, org, *v.Seconded)
		return err
	})
}

func waitsForPlatform(v payee.Version) bool { return v.State == "pending" && v.Seconded != nil }

// Request is an account that waits for the platform.
type Request struct {
	Version  uuid.UUID `json:"version_id"`
	Org      uuid.UUID `json:"org_id"`
	NameTH   string    `json:"name_th"`
	NameEN   string    `json:"name_en"`
	Seconded time.Time `json:"seconded_at" doc:"UTC"`
}

// RequestDetail is an account that waits for the platform, with all that was said of it.
type RequestDetail struct {
	Request
	Form     payee.Sent  `json:"form"`
	Approved *payee.Sent `json:"approved,omitempty" required:"false" doc:"The account that was approved before"`
}

// Requests returns the accounts that wait for the platform, the oldest first.
func (s *Service) Requests(ctx context.Context) (list []Request, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, requests)
		if err != nil {
			return fmt.Errorf("accounts that wait: %w", err)
		}
		list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Request])
		return err
	})
	return list, err
}

// request returns an account that waits for the platform. It returns fault.Missing.
func (s *Service) request(ctx context.Context, id uuid.UUID) (r Request, err error) {
	var list []Request
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, organisationOf, id)
		if err != nil {
			return fmt.Errorf("account %s: %w", id, err)
		}
		list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Request])
		return err
	})
	if err == nil && len(list) == 0 {
		err = fault.Missing
	}
	if err != nil {
		return r, err
	}
	return list[0], nil
}

// Request returns an account that waits for the platform, and records in its organisation who looked at it. It returns fault.Missing or ErrFormNotNow.
func (s *Service) Request(ctx context.Context, by auditlog.Actor, in ByForm) (d RequestDetail, err error) {
	if d.Request, err = s.request(ctx, in.Version); err != nil {
		return d, err
	}
	return d, s.db.InOrg(ctx, d.Org, func(tx db.Tx) error {
		v, err := s.find(ctx, tx, d.Org, in.Version)
		if err != nil {
			return err
		}
		if !waitsForPlatform(v) {
			return ErrFormNotNow
		}
		if d.Form, err = v.Show(ctx, tx); err != nil {
			return err
		}
		d.Form.Whole, d.Form.Standing = &v.Form, string(approval.MayAnswer)
		before, err := payee.NewestApproved(ctx, tx, s.box, d.Org)
		if err != nil {
			return err
		}
		if before != nil {
			shown, err := before.Show(ctx, tx)
			if err != nil {
				return err
			}
			d.Approved = &shown
		}
		return auditlog.Record(ctx, tx, by, "look", "payee_version/"+v.ID.String(), nil, nil)
	})
}

// AcceptByAdmin approves for the platform an account that another person of its organisation has approved: it is paid to seven days later. It returns fault.Missing or
// ErrFormNotNow.
func (s *Service) AcceptByAdmin(ctx context.Context, by auditlog.Actor, in ByForm) error {
	return s.decideByAdmin(ctx, in.Version, func(tx db.Tx, v payee.Version) error {
		approved, err := payee.NewestApproved(ctx, tx, s.box, v.Payee)
		if err != nil {
			return err
		}
		from, err := v.ApproveByAdmin(ctx, tx, by.ID, approved)
		if err != nil {
			return err
		}
		return changed(ctx, tx, by, "approve", v.ID, map[string]any{"pays_from": from.Format(time.DateOnly)})
	})
}

// RefuseByAdmin refuses for the platform an account that waits for it. It returns fault.Required at the reason, fault.Missing or ErrFormNotNow.
func (s *Service) RefuseByAdmin(ctx context.Context, by auditlog.Actor, in Refusal) error {
	if in.Reason = strings.TrimSpace(in.Reason); in.Reason == "" {
		return fault.At("reason", fault.Required)
	}
	return s.decideByAdmin(ctx, in.Version, func(tx db.Tx, v payee.Version) error {
		if err := v.RefuseByAdmin(ctx, tx, by.ID, in.Reason); err != nil {
			return err
		}
		return changed(ctx, tx, by, "refuse", v.ID, map[string]any{"reason": in.Reason})
	})
}

func (s *Service) decideByAdmin(ctx context.Context, id uuid.UUID, does func(tx db.Tx, v payee.Version) error) error {
	r, err := s.request(ctx, id)
	if err != nil {
		return err
	}
	return s.decide(ctx, r.Org, id, func(tx db.Tx, v payee.Version) error {
		if !waitsForPlatform(v) {
			return ErrFormNotNow
		}
		if err := queue.Enqueue(ctx, tx, AccountJob{v.ID}); err != nil {
			return err
		}
		return does(tx, v)
	})
}
