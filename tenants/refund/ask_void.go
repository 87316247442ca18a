package refund

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/voucher"
)

// VoidApprovals are the voids that need a second person.
var VoidApprovals = approval.KindOf[VoidInput]{
	Name: "void", Module: voucher.Vouchers.Module(), Letter: access.Status,
	Do: func(ctx context.Context, tx db.Tx, by approval.By, in VoidInput) error {
		err := VoidTx(ctx, tx, by.Asked, by.ID, &by, in)
		if errors.Is(err, errStandsElsewhere) {
			return ErrSumsChanged
		}
		return err
	},
	Facts: func(ctx context.Context, tx db.Tx, in VoidInput) ([]approval.Fact, error) {
		is, err := readStanding(ctx, tx, in.ID)
		if err != nil {
			return nil, err
		}
		all, err := facts(ctx, tx, Choice{Order: is.order, Parts: []Part{{Voucher: in.ID}}})
		if err != nil {
			return nil, err
		}
		owed, err := ledger.SystemBalance(ctx, tx, ledger.ChargebackReceivable)
		return append(all, approval.Fact{What: "owed", Value: approval.Value{Amount: -owed}}), err
	},
}.Kind()

const codeOfVoucher = `SELECT code FROM voucher WHERE id = $1`

// AskVoid asks a second person to end a voucher; nothing moves until then, and nothing is held. The same key asks once. It returns the faults of
// QuoteVoid, idempotency.ErrReused, and approval.ErrWaiting if that was asked for before.
func (s *Service) AskVoid(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in VoidInput) (a Asked, err error) {
	if in.Reason = strings.TrimSpace(in.Reason); in.Reason == "" {
		return a, fault.At("reason", fault.Required)
	}
	a.Approval, err = idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "voucher.void.ask", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, id uuid.UUID) error {
			is, err := readStanding(ctx, tx, in.ID)
			if err != nil {
				return err
			}
			all, err := voucher.ReadOfOrder(ctx, tx, is.order)
			if err != nil {
				return err
			}
			v := all[slices.IndexFunc(all, func(v *voucher.Held) bool { return v.ID == in.ID })]
			if err := v.Voidable(is.until, clock.Day(tx.Now)); err != nil {
				return err
			}
			r := approval.Request{Kind: "void", Table: voucher.Vouchers.Name(), Record: in.ID, Customer: &v.Holder, Amount: v.Rest().Paid(), Note: in.Reason, Input: in}
			if err := tx.QueryRow(ctx, codeOfVoucher, in.ID).Scan(&r.Title); err != nil {
				return fmt.Errorf("code of voucher %s: %w", in.ID, err)
			}
			return approval.Ask(ctx, tx, who, id, r)
		})
	return a, err
}
