package hold

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/staff"
)

// Release says why a hold is released.
type Release struct {
	ID     uuid.UUID `json:"id"`
	Reason string    `json:"reason" minLength:"1" maxLength:"300"`
}

// Denial says why nothing is paid of an order that is held.
type Denial struct {
	ID     uuid.UUID `json:"id" doc:"A hold of the order"`
	Reason string    `json:"reason" minLength:"1" maxLength:"300" doc:"The agent reads it"`
}

// ByHold names a hold.
type ByHold struct {
	ID uuid.UUID `json:"id"`
}

// Case is a hold as the organisation decides on it.
type Case struct {
	Record   Row          `json:"record"`
	Payable  money.Amount `json:"payable_satang" doc:"What the payee can be paid now, of all orders"`
	Approval *uuid.UUID   `json:"approval_id" nullable:"true" doc:"The request by which a second person denies the commission of its order; null while nobody has asked for it"`
}

// Asked is a denial that waits for a second person.
type Asked struct {
	Approval uuid.UUID `json:"approval_id"`
}

const (
	readHold = `SELECT h.id, h.order_id, h.payee_id, h.state, coalesce(o.number, ''), coalesce((SELECT sum(k.due_satang) FROM commission k WHERE k.order_id = h.order_id), 0)::bigint
		FROM commission_hold h LEFT JOIN orders o ON o.id = h.order_id WHERE h.id = $1`
	lockOrder  = `SELECT id FROM commission_hold WHERE order_id = $1 AND state = 'held' ORDER BY id FOR NO KEY UPDATE`
	release    = `UPDATE commission_hold SET state = 'released', ended_at = $2, ended_by = $3, reason = $4 WHERE id = $1 AND state = 'held'`
	denyHolds  = `UPDATE commission_hold SET state = 'denied', ended_at = $2, ended_by = $3, reason = $4, approval_id = $5 WHERE id = ANY ($1)`
	otherWaits = `SELECT EXISTS (SELECT FROM approval a JOIN commission_hold h ON h.id = a.record_id WHERE a.kind = 'denial' AND a.state = 'waiting' AND a.due_at > $2 AND h.order_id = $1)`
	waitingOf  = `SELECT a.id FROM approval a JOIN commission_hold h ON h.id = a.record_id JOIN commission_hold own ON own.order_id = h.order_id WHERE a.kind = 'denial' AND a.state = 'waiting' AND a.due_at > $2 AND own.id = $1`
	answeredBy = `SELECT answered_by FROM approval WHERE id = $1`
	// A person is one at LINE, as an account of the back office and as a customer.
	isOwn = `SELECT EXISTS (SELECT FROM staff s JOIN customer c ON c.line_sub = s.line_sub JOIN agent a ON a.customer_id = c.id
		WHERE s.id = $1 AND (a.id = $2 OR a.id IN (SELECT k.agent_id FROM commission k WHERE k.order_id = $3)))`
	customerOf = `SELECT customer_id FROM agent WHERE id = $1 AND state <> 'erased'`
	duesOf     = `SELECT c.display_name, k.due_satang FROM commission k JOIN agent a ON a.id = k.agent_id JOIN customer c ON c.id = a.customer_id WHERE k.order_id = $1 ORDER BY k.id`
)

// row is a hold.
type row struct {
	ID     uuid.UUID
	Order  *uuid.UUID
	Payee  uuid.UUID
	State  string
	Number string
	Due    money.Amount
}

// read returns a hold as it is, or fault.Missing.
func read(ctx context.Context, tx db.Tx, id uuid.UUID) (h row, err error) {
	rows, err := tx.Query(ctx, readHold, id)
	if err != nil {
		return h, fmt.Errorf("hold %s: %w", id, err)
	}
	h, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[row])
	if errors.Is(err, pgx.ErrNoRows) {
		return h, fault.Missing
	}
	if err != nil {
		return h, fmt.Errorf("hold %s: %w", id, err)
	}
	return h, nil
}

// notOwn returns ErrOwn to an account whose person, at LINE, is paid what is held.
func (h row) notOwn(ctx context.Context, tx db.Tx, account uuid.UUID) error {
	var own bool
	if err := tx.QueryRow(ctx, isOwn, account, h.Payee, h.Order).Scan(&own); err != nil {
		return fmt.Errorf("whose commission hold %s is of: %w", h.ID, err)
	}
	if own {
		return ErrOwn
	}
	return nil
}

// Case returns a hold. It returns fault.Missing if there is none.
func (s *Service) Case(ctx context.Context, org, id uuid.UUID) (c Case, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		if c.Record, err = Holds.Detail(ctx, tx, id); err != nil {
			return err
		}
		balance, err := commission.BalanceOf(ctx, tx, c.Record.Payee)
		if err != nil {
			return err
		}
		c.Payable = balance.Payable
		var waits uuid.UUID
		err = tx.QueryRow(ctx, waitingOf, id, tx.Now).Scan(&waits)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("denial of hold %s: %w", id, err)
		}
		c.Approval = &waits
		return nil
	})
	return c, err
}

// Release lets runs pay what was held, unless another hold keeps it; it is not held anew for the same. It returns fault.Required without a reason, fault.Missing, ErrNotNow, or
// ErrOwn.
func (s *Service) Release(ctx context.Context, org uuid.UUID, who auditlog.Actor, in Release) error {
	if in.Reason = strings.TrimSpace(in.Reason); in.Reason == "" {
		return fault.At("reason", fault.Required)
	}
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		staff.Lock(tx, who.ID)
		h, err := read(ctx, tx, in.ID)
		if err != nil {
			return err
		}
		if err := h.notOwn(ctx, tx, who.ID); err != nil {
			return err
		}
		released, err := tx.Exec(ctx, release, h.ID, tx.Now, who.ID, in.Reason)
		if err != nil {
			return fmt.Errorf("release hold %s: %w", h.ID, err)
		}
		if released.RowsAffected() == 0 {
			return ErrNotNow
		}
		return changed(ctx, tx, who, "release", h.ID, in)
	})
}

// changed notifies screens that a hold has changed, and records by whom.
func changed(ctx context.Context, tx db.Tx, who auditlog.Actor, does string, id uuid.UUID, in any) error {
	if err := notice.SendTableUpdate(ctx, tx, Holds.Name()); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, who, does, Holds.Name()+"/"+id.String(), nil, in)
}

// lockHeld locks all live holds of a hold's order. It returns ErrPayee of a hold of no order, or ErrNotNow if it is over.
func (h row) lockHeld(ctx context.Context, tx db.Tx) ([]uuid.UUID, error) {
	if h.Order == nil {
		return nil, ErrPayee
	}
	rows, err := tx.Query(ctx, lockOrder, *h.Order)
	if err != nil {
		return nil, fmt.Errorf("holds of order %s: %w", h.Order, err)
	}
	held, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, fmt.Errorf("holds of order %s: %w", h.Order, err)
	}
	if !slices.Contains(held, h.ID) {
		return nil, ErrNotNow
	}
	return held, nil
}

// Deny asks a second person to deny the commission of an order that is held; nothing moves until then. The same key asks once. It returns fault.Required without a reason,
// fault.Missing, ErrPayee, ErrNotNow, ErrOwn, or approval.ErrWaiting if somebody has asked before.
func (s *Service) Deny(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in Denial) (a Asked, err error) {
	if in.Reason = strings.TrimSpace(in.Reason); in.Reason == "" {
		return a, fault.At("reason", fault.Required)
	}
	a.Approval, err = idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "hold.deny", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, id uuid.UUID) error {
			h, err := read(ctx, tx, in.ID)
			if err != nil {
				return err
			}
			if _, err := h.lockHeld(ctx, tx); err != nil {
				return err
			}
			if err := h.notOwn(ctx, tx, who.ID); err != nil {
				return err
			}
			var waits bool
			if err := tx.QueryRow(ctx, otherWaits, *h.Order, tx.Now).Scan(&waits); err != nil {
				return fmt.Errorf("denials of order %s: %w", h.Order, err)
			}
			if waits {
				return approval.ErrWaiting
			}
			err = approval.Ask(ctx, tx, who, id, approval.Request{
				Kind: Approvals.Name, Table: Holds.Name(), Record: h.ID, Title: h.Number, Amount: h.Due, Note: in.Reason, Input: in,
			})
			if err != nil {
				return err
			}
			return changed(ctx, tx, who, "propose", h.ID, in)
		})
	return a, err
}

// Approvals are denials: a second person has to approve each.
var Approvals = approval.KindOf[Denial]{
	Name: "denial", Module: Holds.Module(), Letter: access.Status,
	Do: deny,
	Facts: func(ctx context.Context, tx db.Tx, in Denial) ([]approval.Fact, error) {
		h, err := read(ctx, tx, in.ID)
		if err != nil {
			return nil, err
		}
		payable, err := ledger.SystemBalance(ctx, tx, ledger.Payable)
		if err != nil {
			return nil, err
		}
		facts := []approval.Fact{{What: "payable", Value: approval.Value{Amount: payable}}}
		rows, err := tx.Query(ctx, duesOf, h.Order)
		if err != nil {
			return nil, fmt.Errorf("commission of order %s: %w", h.Order, err)
		}
		due := approval.Fact{What: "commission"}
		_, err = pgx.ForEachRow(rows, []any{&due.Name, &due.Value.Amount}, func() error {
			facts = append(facts, due)
			return nil
		})
		return facts, err
	},
}.Kind()

// deny denies the commission of an order, and ends all its holds. Each payee reads why.
func deny(ctx context.Context, tx db.Tx, by approval.By, in Denial) error {
	h, err := read(ctx, tx, in.ID)
	if err != nil {
		return err
	}
	held, err := h.lockHeld(ctx, tx)
	if err != nil {
		return err
	}
	var who *uuid.UUID // nobody while it is only looked at what approving would change
	if err := tx.QueryRow(ctx, answeredBy, by.Approval).Scan(&who); err != nil {
		return fmt.Errorf("who answers %s: %w", by.Approval, err)
	}
	if who != nil {
		if err := h.notOwn(ctx, tx, *who); err != nil {
			return err
		}
	}
	denied, err := commission.Deny(ctx, tx, *h.Order)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, denyHolds, held, tx.Now, by.Asked.ID, in.Reason, by.Approval); err != nil {
		return fmt.Errorf("deny commission of order %s: %w", h.Order, err)
	}
	for _, d := range denied {
		var person uuid.UUID
		err := tx.QueryRow(ctx, customerOf, d.Payee).Scan(&person)
		if errors.Is(err, pgx.ErrNoRows) {
			continue
		}
		if err != nil {
			return fmt.Errorf("customer of agent %s: %w", d.Payee, err)
		}
		if err := message.Write(ctx, tx, person, message.AgentDenied, h.ID, d.Amount); err != nil {
			return err
		}
	}
	actor := auditlog.Actor{Kind: by.Asked.Kind, Request: by.Asked.Request}
	if who != nil {
		actor.ID = *who
	}
	return changed(ctx, tx, actor, "deny", h.ID, in)
}
