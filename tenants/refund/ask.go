package refund

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/voucher"
)

// Approvals are the refunds that need a second person.
var Approvals = approval.KindOf[askedRefund]{
	Name: "refund", Module: voucher.Vouchers.Module(), Letter: access.Status,
	Do: func(ctx context.Context, tx db.Tx, by approval.By, in askedRefund) error {
		return makeRefund(ctx, tx, by.Asked, by.ID, &second{by, in.Out}, in.Input)
	},
	Facts: func(ctx context.Context, tx db.Tx, in askedRefund) ([]approval.Fact, error) {
		return facts(ctx, tx, in.Choice)
	},
}.Kind()

// askedRefund is a refund that somebody asks for, and how many items had left each of its vouchers then. The last items are refunded, so others would be
// once some have left.
type askedRefund struct {
	Input
	Out []int64 `json:"items_out,omitempty"`
}

// second is the approval of a refund by a second person. What was asked for before there was a count of items has none.
type second struct {
	approval.By
	out []int64
}

// id is the id of the request that was approved, or nil.
func (s *second) id() *uuid.UUID {
	if s == nil {
		return nil
	}
	return &s.Approval
}

// check returns ErrSumsChanged unless what is refunded is what was asked for: the same items, for the same person and sum.
func (s *second) check(list []chosen) error {
	for i, out := range s.out {
		if list[i].Out != out {
			return ErrSumsChanged
		}
	}
	return same(s.By, list[0].Holder, worthOf(list))
}

// same returns ErrSumsChanged unless it was asked for so much for a customer: nobody else is paid, and no other sum, than who asked has seen.
func same(by approval.By, holder uuid.UUID, amount money.Amount) error {
	if by.Customer == nil || *by.Customer != holder || by.Amount != amount {
		return ErrSumsChanged
	}
	return nil
}

// Asked is a refund that waits for a second person.
type Asked struct {
	Approval uuid.UUID `json:"approval_id"`
}

const (
	numberOf = `SELECT number FROM orders WHERE id = $1`
	// What was refunded without a second person counts together: of the order, and to the customer since a moment. The rule could otherwise be
	// passed in small steps.
	withoutSecond = `SELECT coalesce(sum(amount_satang), 0)::bigint FROM refund WHERE made_by IS NOT NULL AND approval_id IS NULL
		AND NOT EXISTS (SELECT FROM owner_void w WHERE w.refund_id = refund.id AND w.approval_id IS NOT NULL) AND (order_id = $1 OR customer_id = $2 AND made_at > $3)`
	statesOf = `SELECT code, state, items_left FROM voucher WHERE order_id = $1 ORDER BY id`
	earnOf   = `SELECT a.id, c.display_name FROM commission k JOIN agent a ON a.id = k.agent_id JOIN customer c ON c.id = a.customer_id WHERE k.order_id = $1 ORDER BY k.level`
)

// needsSecond reports whether a refund of so much from an order to a customer needs a second person.
func needsSecond(ctx context.Context, tx db.Tx, of, holder uuid.UUID, amount money.Amount) (bool, error) {
	var before money.Amount
	if err := tx.QueryRow(ctx, withoutSecond, of, holder, tx.Now.Add(-24*time.Hour)).Scan(&before); err != nil {
		return false, fmt.Errorf("refunds of order %s before: %w", of, err)
	}
	return approval.Needed(ctx, tx, "refund", before+amount)
}

// Ask asks a second person for a refund; nothing moves until then, and nothing is held. The same key asks once. It returns fault.Required without a note, the faults of Quote,
// idempotency.ErrReused, and approval.ErrWaiting if a refund of that order was asked for before.
func (s *Service) Ask(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in Input) (a Asked, err error) {
	if strings.TrimSpace(in.Note) == "" {
		return a, fault.At("note", fault.Required)
	}
	a.Approval, err = idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "refund.ask", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, id uuid.UUID) error {
			vouchers, err := voucher.ReadOfOrder(ctx, tx, in.Order)
			if err != nil {
				return err
			}
			chosen, err := choose(vouchers, in.Parts, voucher.RefundByShop)
			if err != nil {
				return err
			}
			r := approval.Request{Kind: "refund", Table: order.Orders.Name(), Record: in.Order, Customer: &chosen[0].Holder, Amount: worthOf(chosen), Note: in.Note, Input: askedRefund{in, outOf(chosen)}}
			err = tx.QueryRow(ctx, numberOf, in.Order).Scan(&r.Title)
			if errors.Is(err, pgx.ErrNoRows) {
				return fault.Missing
			}
			if err != nil {
				return fmt.Errorf("number of order %s: %w", in.Order, err)
			}
			return approval.Ask(ctx, tx, who, id, r)
		})
	return a, err
}

// outOf returns how many items have left each voucher.
func outOf(list []chosen) []int64 {
	return db.Column(list, func(c chosen) int64 { return c.Out })
}

// facts reads what a refund by the organisation touches.
func facts(ctx context.Context, tx db.Tx, in Choice) ([]approval.Fact, error) {
	list, err := voucher.ReadOfOrder(ctx, tx, in.Order)
	if err != nil {
		return nil, err
	}
	var fee money.Amount
	var holder uuid.UUID
	for _, v := range list {
		kept := v.Kept()
		fee += kept.Fee - kept.Discount
		if v.ID == in.Parts[0].Voucher {
			holder = v.Holder
		}
	}
	all := []approval.Fact{}
	if holder != uuid.Nil {
		var of approval.Fact
		if of, err = approval.WalletOf(ctx, tx, holder); err != nil {
			return nil, err
		}
		all = append(all, of)
	}
	unearned, err := ledger.SystemBalance(ctx, tx, ledger.Unearned)
	if err != nil {
		return nil, err
	}
	all = append(all, approval.Fact{What: "unearned", Value: approval.Value{Amount: unearned}})
	commission, err := commissionOf(ctx, tx, in.Order)
	if err != nil {
		return nil, err
	}
	all = append(all, commission...)
	all = append(all, approval.Fact{What: "fee", Value: approval.Value{Amount: fee}})
	vouchers, err := vouchersOf(ctx, tx, in.Order)
	return append(all, vouchers...), err
}

func vouchersOf(ctx context.Context, tx db.Tx, of uuid.UUID) ([]approval.Fact, error) {
	rows, err := tx.Query(ctx, statesOf, of)
	if err != nil {
		return nil, fmt.Errorf("vouchers of order %s: %w", of, err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (approval.Fact, error) {
		f := approval.Fact{What: "voucher"}
		return f, row.Scan(&f.Name, &f.Value.State, &f.Value.Items)
	})
	if err != nil {
		return nil, fmt.Errorf("vouchers of order %s: %w", of, err)
	}
	return list, nil
}

// commissionOf returns what an order's agent, and who recruited him, wait for, also from other orders; nothing if nobody sold it.
func commissionOf(ctx context.Context, tx db.Tx, of uuid.UUID) ([]approval.Fact, error) {
	rows, err := tx.Query(ctx, earnOf, of)
	if err != nil {
		return nil, fmt.Errorf("agents of order %s: %w", of, err)
	}
	agents, err := pgx.CollectRows(rows, pgx.RowToStructByPos[agentName])
	if err != nil {
		return nil, fmt.Errorf("agents of order %s: %w", of, err)
	}
	return commissionFacts(ctx, tx, agents)
}

// agentName is an agent and what people call him.
type agentName struct {
	ID   uuid.UUID
	Name string
}

// commissionFacts returns what each agent waits for.
func commissionFacts(ctx context.Context, tx db.Tx, agents []agentName) (facts []approval.Fact, err error) {
	for _, a := range agents {
		f := approval.Fact{What: "commission", Name: a.Name}
		for _, kind := range []ledger.Kind{ledger.CommissionPending, ledger.CommissionPayable, ledger.CommissionReceivable} {
			balance, err := ledger.AccountBalance(ctx, tx, ledger.AccountOf(kind, a.ID))
			if err != nil {
				return nil, err
			}
			f.Value.Amount += balance
		}
		facts = append(facts, f)
	}
	return facts, nil
}
