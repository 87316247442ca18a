package refund

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/voucher"
)

// ErrDebtChanged is returned where a debt is another one than was shown, because something of it was paid, covered or asked back meanwhile.
var ErrDebtChanged = fault.New(fault.Conflict, "refund.debt_changed", "What is owed has changed. Look at it again")

// WriteOffInput is which debt is written off, and why: what a payment owes and nothing stands for, whole.
type WriteOffInput struct {
	Charge uuid.UUID    `json:"id" doc:"Of the payment"`
	Amount money.Amount `json:"amount_satang" minimum:"1" maximum:"15000000" doc:"What is owed, as it was shown"`
	Reason string       `json:"reason" minLength:"1" maxLength:"300" doc:"For the organisation alone; who owes it does not see it"`
}

// WriteOffApprovals are the debts that two people write off; none is by one.
var WriteOffApprovals = approval.KindOf[WriteOffInput]{
	Name: "write_off", Module: voucher.Vouchers.Module(), Letter: access.Status,
	Do: writeOff,
	Facts: func(ctx context.Context, tx db.Tx, in WriteOffInput) ([]approval.Fact, error) {
		return debtFacts(ctx, tx, in.Charge)
	},
}.Kind()

const (
	chargeOfDebt = `SELECT reference, customer_id FROM charge WHERE id = $1`
	owedNow      = `SELECT owed_satang FROM charge WHERE id = $1`
	standingFor  = `SELECT kind, items_total, items_left, items_out, share_satang, fee_satang, commission_satang, platform_discount_satang FROM voucher WHERE frozen_for = $1`
	debtOf       = `SELECT display_name, debt_satang FROM customer WHERE id = $1`
	agentsOf     = `SELECT DISTINCT a.id, c.display_name FROM orders o JOIN commission k ON k.order_id = o.id JOIN agent a ON a.id = k.agent_id JOIN customer c ON c.id = a.customer_id WHERE o.customer_id = ANY ($1) ORDER BY a.id`
	insertWrite  = `INSERT INTO write_off (id, charge_id, amount_satang, reason, made_at, made_by, approval_id) VALUES ($1, $2, $3, $4, $5, $6, $7)`
)

// DebtOf returns what a charge owes and no frozen voucher stands for.
func DebtOf(ctx context.Context, tx db.Tx, id uuid.UUID) (debt money.Amount, err error) {
	if err := tx.QueryRow(ctx, owedNow, id).Scan(&debt); err != nil {
		return 0, fmt.Errorf("what charge %s owes: %w", id, err)
	}
	rows, err := tx.Query(ctx, standingFor, id)
	if err != nil {
		return 0, fmt.Errorf("what stands for charge %s: %w", id, err)
	}
	var v voucher.Held
	_, err = pgx.ForEachRow(rows, []any{&v.Kind, &v.Total, &v.Left, &v.Out, &v.Sums.Share, &v.Sums.Fee, &v.Sums.Commission, &v.Sums.Discount}, func() error {
		debt -= v.Rest().Paid()
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("what stands for charge %s: %w", id, err)
	}
	return max(0, debt), nil
}

// AskWriteOff asks a second person to write a debt off; nothing moves until then. The same key asks once. It returns fault.Missing, ErrDebtChanged,
// idempotency.ErrReused, and approval.ErrWaiting if that was asked for before.
func (s *Service) AskWriteOff(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in WriteOffInput) (a Asked, err error) {
	if in.Reason = strings.TrimSpace(in.Reason); in.Reason == "" {
		return a, fault.At("reason", fault.Required)
	}
	a.Approval, err = idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "charge.write_off.ask", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, id uuid.UUID) error {
			r := approval.Request{Kind: "write_off", Table: charge.Charges.Name(), Record: in.Charge, Customer: &uuid.UUID{}, Amount: in.Amount, Note: in.Reason, Input: in}
			err := tx.QueryRow(ctx, chargeOfDebt, in.Charge).Scan(&r.Title, r.Customer)
			if errors.Is(err, pgx.ErrNoRows) {
				return fault.Missing
			}
			if err != nil {
				return fmt.Errorf("charge %s: %w", in.Charge, err)
			}
			debt, err := DebtOf(ctx, tx, in.Charge)
			if err != nil {
				return err
			}
			if debt != in.Amount {
				return ErrDebtChanged
			}
			return approval.Ask(ctx, tx, who, id, r)
		})
	return a, err
}

// writeOff pays a debt of what the organisation has earned, in the name of who asked for it.
func writeOff(ctx context.Context, tx db.Tx, by approval.By, in WriteOffInput) error {
	var reference string
	var of uuid.UUID
	if err := tx.QueryRow(ctx, chargeOfDebt, in.Charge).Scan(&reference, &of); err != nil {
		return fmt.Errorf("charge %s: %w", in.Charge, err)
	}
	s, err := load(ctx, tx, of)
	if err != nil {
		return err
	}
	c := s.owingFor(in.Charge)
	if c == nil || s.debtOf(c) != in.Amount {
		return ErrDebtChanged
	}
	has, err := commission.EarnedForGood(ctx, tx)
	if err != nil {
		return err
	}
	if has < in.Amount {
		return ErrNotEarned
	}
	tx.Queue(insertWrite, by.ID, c.ID, in.Amount, in.Reason, tx.Now, by.Asked.ID, by.Approval)
	if err := c.WriteOff(tx, by.ID, in.Amount); err != nil {
		return err
	}
	s.changed = true
	if err := s.settle(ctx, tx, "written_off"); err != nil {
		return err
	}
	if err := notice.Send(ctx, tx, token.User, s.customer, notice.Event{Topic: "wallet"}); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, by.Asked, "write_off", charge.Charges.Name()+"/"+c.ID.String(), nil, in)
}

// debtOf returns what a charge owes and no frozen voucher stands for, as it was found.
func (s *settlement) debtOf(c *charge.Owing) money.Amount {
	debt := c.Owed
	for _, v := range s.vouchers {
		if v.FrozenFor != nil && *v.FrozenFor == c.ID {
			debt -= v.Rest().Paid()
		}
	}
	return max(0, debt)
}

// debtFacts reads what writing off a debt touches.
func debtFacts(ctx context.Context, tx db.Tx, id uuid.UUID) ([]approval.Fact, error) {
	var reference string
	var of uuid.UUID
	if err := tx.QueryRow(ctx, chargeOfDebt, id).Scan(&reference, &of); err != nil {
		return nil, fmt.Errorf("charge %s: %w", id, err)
	}
	person, all, err := customer.LockPerson(ctx, tx, of)
	if err != nil {
		return nil, err
	}
	debt := approval.Fact{What: "debt"}
	if err := tx.QueryRow(ctx, debtOf, person).Scan(&debt.Name, &debt.Value.Amount); err != nil {
		return nil, fmt.Errorf("what %s owes: %w", person, err)
	}
	balances, err := ledger.SystemBalances(ctx, tx, ledger.Payable, ledger.ChargebackReceivable)
	if err != nil {
		return nil, err
	}
	facts := []approval.Fact{
		debt,
		{What: "payable", Value: approval.Value{Amount: balances[ledger.Payable]}},
		{What: "owed", Value: approval.Value{Amount: -balances[ledger.ChargebackReceivable]}},
	}
	rows, err := tx.Query(ctx, agentsOf, all)
	if err != nil {
		return nil, fmt.Errorf("agents of %s: %w", person, err)
	}
	agents, err := pgx.CollectRows(rows, pgx.RowToStructByPos[agentName])
	if err != nil {
		return nil, fmt.Errorf("agents of %s: %w", person, err)
	}
	commissions, err := commissionFacts(ctx, tx, agents)
	return append(facts, commissions...), err
}
