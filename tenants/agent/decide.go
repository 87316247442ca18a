package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/payee"
)

// lockVersion locks the agent of a version and returns both as they are then. It returns fault.Missing, or ErrNotNow where the version does not wait any more.
func (s *Applications) lockVersion(ctx context.Context, tx db.Tx, id uuid.UUID) (row agentRow, v payee.Version, err error) {
	if v, err = s.version(ctx, tx, id); err != nil {
		return row, v, err
	}
	if row, err = readAgent(ctx, tx, lockByID, v.Payee); err != nil {
		return row, v, err
	}
	if row.state == Nobody {
		return row, v, fault.Missing
	}
	if v, err = s.version(ctx, tx, id); err != nil {
		return row, v, err
	}
	if v.State != "pending" {
		return row, v, ErrNotNow
	}
	return row, v, nil
}

// AcceptInput approves a form.
type AcceptInput struct {
	Version uuid.UUID  `json:"version_id"`
	Type    *uuid.UUID `json:"agent_type_id" nullable:"true" doc:"Of who applies; null keeps that of who sells already"`
	Reason  string     `json:"reason" maxLength:"300" doc:"Needed where another agent has the same account or number"`
}

// Duplicate is the detail of ErrDuplicate.
type Duplicate struct {
	What   string `json:"what" enum:"identity,account,mobile"`
	Name   string `json:"name" doc:"Of the other agent"`
	Reason bool   `json:"with_reason" doc:"It can be approved with a reason"`
}

// Accept approves a form that waits: who applies sells from then on. It returns fault.Missing, ErrNotNow, ErrSelf to who would approve himself, ErrTypeNotFound,
// or ErrDuplicate with Duplicate.
func (s *Applications) Accept(ctx context.Context, org uuid.UUID, by auditlog.Actor, in AcceptInput) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		row, v, err := s.lockVersion(ctx, tx, in.Version)
		if err != nil {
			return err
		}
		sold := row.state == Approved || row.state == Suspended
		to, err := row.state.after(stepApprove)
		if err != nil {
			return err
		}
		if err := s.mayAccept(ctx, tx, by, row, v, in, sold); err != nil {
			return err
		}
		approved, err := newestApproved(ctx, tx, s, row.id)
		if err != nil {
			return err
		}
		from, err := v.Approve(ctx, tx, by.ID, strings.TrimSpace(in.Reason), approved)
		if err != nil {
			return err
		}
		kind := in.Type
		if sold {
			kind = nil
		}
		if _, err := tx.Exec(ctx, admit, row.id, to, kind, by.ID, tx.Now, v.Recruiter); err != nil {
			return fmt.Errorf("admit agent %s: %w", row.id, err)
		}
		ledger.OpenAccounts(tx, commission.Pending(row.id))
		before, after := map[string]any{"state": row.state}, map[string]any{"state": to, "version_id": v.ID, "agent_type_id": kind, "pays_from": from.Format(time.DateOnly), "reason": in.Reason}
		if err := auditlog.Record(ctx, tx, by, string(stepApprove), "agent/"+row.id.String(), before, after); err != nil {
			return err
		}
		if sold {
			err = message.WriteWithDay(ctx, tx, row.customer, message.AgentChanged, row.id, from)
		} else {
			err = message.Write(ctx, tx, row.customer, message.AgentApproved, row.id, 0)
		}
		if err != nil {
			return err
		}
		return row.notify(ctx, tx)
	})
}

// notOwn returns ErrSelf to an account whose person, at LINE, the agent is.
func (a *agentRow) notOwn(ctx context.Context, tx db.Tx, by auditlog.Actor) error {
	var own bool
	if err := tx.QueryRow(ctx, ownAccount, by.ID, a.customer).Scan(&own); err != nil {
		return fmt.Errorf("whose customer is %s: %w", a.customer, err)
	}
	if own {
		return ErrSelf
	}
	return nil
}

// mayAccept returns why a form cannot be approved.
func (s *Applications) mayAccept(ctx context.Context, tx db.Tx, by auditlog.Actor, row agentRow, v payee.Version, in AcceptInput, sold bool) error {
	if err := row.notOwn(ctx, tx, by); err != nil {
		return err
	}
	if !sold {
		var ok bool
		if in.Type == nil {
			return fault.At("agent_type_id", fault.Required)
		}
		if err := tx.QueryRow(ctx, typeActive, *in.Type).Scan(&ok); err != nil {
			return fmt.Errorf("agent type %s: %w", in.Type, err)
		}
		if !ok {
			return ErrTypeNotFound
		}
	}
	if err := v.LockSame(ctx, tx); err != nil {
		return err
	}
	others, err := same(ctx, tx, v)
	if err != nil {
		return err
	}
	for _, o := range others {
		if slices.Contains(o.What, "identity") {
			return ErrDuplicate.With(Duplicate{What: "identity", Name: o.Name})
		}
	}
	if len(others) > 0 && strings.TrimSpace(in.Reason) == "" {
		return ErrDuplicate.With(Duplicate{What: others[0].What[0], Name: others[0].Name, Reason: true})
	}
	return nil
}

func newestApproved(ctx context.Context, tx db.Tx, s *Applications, id uuid.UUID) (*payee.Version, error) {
	versions, err := payee.Versions(ctx, tx, s.box, id)
	if err != nil {
		return nil, err
	}
	for _, v := range versions {
		if v.State == "approved" {
			return &v, nil
		}
	}
	return nil, nil //nolint:nilnil // the first one has none before it
}

// RefuseInput refuses a form.
type RefuseInput struct {
	Version uuid.UUID `json:"version_id"`
	Reason  string    `json:"reason" minLength:"1" maxLength:"300" doc:"Who sent it reads it"`
	Fields  []string  `json:"fields" maxItems:"20" doc:"What is to be mended; empty: all of it"`
}

// Refuse refuses a form that waits. Who sent it can mend what is named and send it again. It returns fault.Missing, ErrNotNow, fault.Required at the reason,
// or fault.NotInList at a field.
func (s *Applications) Refuse(ctx context.Context, org uuid.UUID, by auditlog.Actor, in RefuseInput) error {
	in.Reason = strings.TrimSpace(in.Reason)
	if in.Reason == "" {
		return fault.At("reason", fault.Required)
	}
	if err := payee.CheckFields(in.Fields); err != nil {
		return err
	}
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		row, v, err := s.lockVersion(ctx, tx, in.Version)
		if err != nil {
			return err
		}
		return s.refuse(ctx, tx, by, row, v, &by.ID, in)
	})
}

// refuse ends a version that waits; by nobody when the clock does.
func (s *Applications) refuse(ctx context.Context, tx db.Tx, by auditlog.Actor, row agentRow, v payee.Version, decidedBy *uuid.UUID, in RefuseInput) error {
	sold := row.state == Approved || row.state == Suspended
	if err := row.move(ctx, tx, by, stepRefuse); err != nil {
		return err
	}
	if err := v.Refuse(ctx, tx, decidedBy, in.Reason, in.Fields); err != nil {
		return err
	}
	if err := payee.SaveDraft(ctx, tx, s.box, row.id, payee.Draft{Form: v.Form, Verified: v.Verified, Pictures: v.Pictures, Mend: in.Fields}); err != nil {
		return err
	}
	if err := auditlog.Record(ctx, tx, by, string(stepRefuse), "payee_version/"+v.ID.String(), nil, map[string]any{"agent_id": row.id, "reason": in.Reason, "fields": in.Fields}); err != nil {
		return err
	}
	kind := message.AgentRefused
	if sold {
		kind = message.AgentNotChanged
	}
	if err := message.Write(ctx, tx, row.customer, kind, row.id, 0); err != nil {
		return err
	}
	return row.notify(ctx, tx)
}

// SetStatus suspends agents who sell, or lets them sell again. It returns fault.NotInList for another status, fault.Missing, ErrNotNow, or ErrSelf to who would let
// himself sell again.
func (s *Applications) SetStatus(ctx context.Context, org uuid.UUID, by auditlog.Actor, ids []uuid.UUID, status int16) error {
	do, kind := stepSuspend, message.AgentSuspended
	switch status {
	case resource.Suspended:
	case resource.Active:
		do, kind = stepResume, message.AgentResumed
	default:
		return fault.At("status", fault.NotInList)
	}
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return strings.Compare(a.String(), b.String()) })
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		for _, id := range slices.Compact(ids) {
			row, err := readAgent(ctx, tx, lockByID, id)
			if err != nil {
				return err
			}
			if row.state == Nobody {
				return fault.Missing
			}
			if do == stepResume {
				if err := row.notOwn(ctx, tx, by); err != nil {
					return err
				}
			}
			if err := row.move(ctx, tx, by, do); err != nil {
				return err
			}
			if err := message.Write(ctx, tx, row.customer, kind, row.id, 0); err != nil {
				return err
			}
			if err := row.notify(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
}

// TypeInput gives an agent another type.
type TypeInput struct {
	Agent uuid.UUID `json:"agent_id"`
	Type  uuid.UUID `json:"agent_type_id"`
}

// SetType gives an agent another type; it holds for later sales. It returns fault.Missing, ErrNotNow where he neither sells nor is suspended, ErrSelf, or
// ErrTypeNotFound.
func (s *Applications) SetType(ctx context.Context, org uuid.UUID, by auditlog.Actor, in TypeInput) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		row, err := readAgent(ctx, tx, lockByID, in.Agent)
		if err != nil {
			return err
		}
		if row.state == Nobody {
			return fault.Missing
		}
		if row.state != Approved && row.state != Suspended {
			return ErrNotNow
		}
		if err := row.notOwn(ctx, tx, by); err != nil {
			return err
		}
		var ok bool
		if err := tx.QueryRow(ctx, typeActive, in.Type).Scan(&ok); err != nil {
			return fmt.Errorf("agent type %s: %w", in.Type, err)
		}
		if !ok {
			return ErrTypeNotFound
		}
		if _, err := tx.Exec(ctx, setType, row.id, in.Type, tx.Now); err != nil {
			return fmt.Errorf("type of agent %s: %w", row.id, err)
		}
		if err := auditlog.Record(ctx, tx, by, "type", "agent/"+row.id.String(), map[string]any{"agent_type_id": row.kind}, map[string]any{"agent_type_id": in.Type}); err != nil {
			return err
		}
		return row.notify(ctx, tx)
	})
}

// theClock is who refuses what nobody has decided on.
var theClock = auditlog.Actor{Kind: "system"}

// Lapse refuses what nobody has decided on for thirty days, and forgets what is not to be kept any longer. A worker calls it for each organisation.
func (s *Applications) Lapse(ctx context.Context, tx db.Tx) error {
	rows, err := tx.Query(ctx, lapsing, tx.Now.Add(-answerWithin))
	if err != nil {
		return fmt.Errorf("forms that nobody decides on: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return fmt.Errorf("forms that nobody decides on: %w", err)
	}
	for _, id := range ids {
		row, err := readAgent(ctx, tx, lockByID, id)
		if err != nil {
			return err
		}
		v, err := s.waiting(ctx, tx, row)
		if err == ErrNotNow { //nolint:errorlint // decided on meanwhile
			continue
		}
		if err != nil {
			return err
		}
		if err := s.refuse(ctx, tx, theClock, row, v, nil, RefuseInput{Fields: []string{}}); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(ctx, oldDone, tx.Now.Add(-keptRefused), tx.Now.Add(-keptDraft)); err != nil {
		return fmt.Errorf("forget drafts: %w", err)
	}
	return payee.ForgetOld(ctx, tx)
}
