package objection

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/queue"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/points"
	"welovevoucher/tenants/rollup"
	"welovevoucher/tenants/voucher"
)

// Decision is what the organisation decides about an objection.
type Decision struct {
	ID     uuid.UUID `json:"id"`
	Undo   bool      `json:"undo" doc:"The use is undone; otherwise it stands"`
	Answer string    `json:"answer" maxLength:"300" doc:"For who objected; may be empty"`
}

const (
	redemptionOf = `SELECT redemption_id FROM objection WHERE id = $1`
	decide       = `UPDATE objection SET state = $2, decided_at = $3, decided_by = $4, answer = $5
		WHERE id = $1 AND state = 'open' AND (due_at > $3) = ($4::uuid IS NOT NULL) RETURNING customer_id, share_satang`
	dueOnes = `SELECT id FROM objection WHERE state = 'open' AND due_at <= $1 ORDER BY due_at, id LIMIT $2`
)

// atOnce is how many due objections are read at once.
const atOnce = 100

// Decide ends an open objection for the organisation, for good. It returns fault.Missing, or ErrDecided, also if its time is over.
func (s *Service) Decide(ctx context.Context, org uuid.UUID, who auditlog.Actor, in Decision) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		decided, err := s.decide(ctx, tx, &who.ID, in)
		if err != nil {
			return err
		}
		if !decided {
			return ErrDecided
		}
		return auditlog.Record(ctx, tx, who, "decide", "objection/"+in.ID.String(), nil, in)
	})
}

// UndoDue undoes every use to which somebody objected and about which nobody has decided in time, each in a transaction of its own. A worker
// calls it for each organisation.
func (s *Service) UndoDue(ctx context.Context, org uuid.UUID) error {
	for {
		var due []uuid.UUID
		err := s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
			rows, err := tx.Query(ctx, dueOnes, tx.Now, atOnce)
			if err != nil {
				return err
			}
			due, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
			return err
		})
		if err != nil {
			return fmt.Errorf("due objections: %w", err)
		}
		for _, id := range due {
			err := s.db.InOrg(ctx, org, func(tx db.Tx) error {
				_, err := s.decide(ctx, tx, nil, Decision{ID: id, Undo: true})
				return err
			})
			if err != nil {
				return err
			}
		}
		if len(due) < atOnce {
			return nil
		}
	}
}

// decide reports whether the objection was open, and due where nobody decides, or not due where somebody does. The payer is locked first,
// because what is issued anew is settled with what he owes; so is the voucher, as by everybody.
func (s *Service) decide(ctx context.Context, tx db.Tx, by *uuid.UUID, in Decision) (bool, error) {
	var use uuid.UUID
	err := tx.QueryRow(ctx, redemptionOf, in.ID).Scan(&use)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, fault.Missing
	}
	if err != nil {
		return false, fmt.Errorf("read objection %s: %w", in.ID, err)
	}
	payer, err := voucher.PayerOfUse(ctx, tx, use)
	if err != nil {
		return false, err
	}
	if _, _, err := customer.LockPerson(ctx, tx, payer); err != nil {
		return false, err
	}
	of, err := voucher.LockOfUse(ctx, tx, use)
	if err != nil {
		return false, err
	}
	state := Stands
	if in.Undo {
		state = Undone
	}
	var holder uuid.UUID
	var held money.Amount
	err = tx.QueryRow(ctx, decide, in.ID, state, tx.Now, by, in.Answer).Scan(&holder, &held)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("decide objection %s: %w", in.ID, err)
	}
	if in.Undo {
		err = s.undo(ctx, tx, in.ID, use, holder, held, payer)
	} else {
		err = stand(ctx, tx, in.ID, use, holder, held)
	}
	if err != nil {
		return false, err
	}
	commission.Reconsider(tx, tx.Now, of)
	points.ReconsiderUses(tx, tx.Now, of)
	return true, notice.SendTableUpdate(ctx, tx, Objections.Name())
}

func stand(ctx context.Context, tx db.Tx, id, use, holder uuid.UUID, held money.Amount) error {
	if err := release(tx, id, "objection_stands", ledger.Payable, held); err != nil {
		return err
	}
	if err := commission.UseStands(ctx, tx, use); err != nil {
		return err
	}
	return message.Write(ctx, tx, holder, message.UseStands, use, 0)
}

func (s *Service) undo(ctx context.Context, tx db.Tx, id, use, holder uuid.UUID, held money.Amount, payer uuid.UUID) error {
	if err := release(tx, id, "objection_undone", ledger.Unearned, held); err != nil {
		return err
	}
	if err := voucher.Undo(ctx, tx, use); err != nil {
		return err
	}
	if err := message.Write(ctx, tx, holder, message.UseUndone, use, 0); err != nil {
		return err
	}
	if err := queue.EnqueueAll(ctx, tx, []queue.TracedJob{rollup.Facts{Undone: []uuid.UUID{use}}.Job()}); err != nil {
		return err
	}
	return s.settle(ctx, tx, payer, false)
}

// release queues the transfer of what was held.
func release(tx db.Tx, id uuid.UUID, kind string, to ledger.Kind, held money.Amount) error {
	return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: kind, ID: id},
		ledger.Posting{Debit: ledger.SystemAccount(ledger.UseObjection), Credit: ledger.SystemAccount(to), Amount: held}))
}
