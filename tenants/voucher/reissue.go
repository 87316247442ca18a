package voucher

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
)

// ReissueInput is which voucher gets another code, and why.
type ReissueInput struct {
	ID     uuid.UUID `json:"id"`
	Reason string    `json:"reason" minLength:"1" maxLength:"300" doc:"For the organisation alone; its holder does not see it"`
}

const (
	codeOf        = `SELECT code FROM voucher WHERE id = $1`
	giveCode      = `UPDATE voucher SET code = $2 WHERE id = $1`
	insertReissue = `INSERT INTO reissue (id, voucher_id, old_code, reason, made_at, made_by) VALUES ($1, $2, $3, $4, $5, $6)`
)

// Reissue gives a voucher another code, and informs its holder. A use under way ends, so that no QR of before is honoured any more; a gift or an
// offer goes on. It returns fault.Missing, ErrExpired, or the fault of a voucher's state that is over.
func (s *Service) Reissue(ctx context.Context, org uuid.UUID, who auditlog.Actor, in ReissueInput) error {
	if in.Reason = strings.TrimSpace(in.Reason); in.Reason == "" {
		return fault.At("reason", fault.Required)
	}
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		h, until, err := lockWithOrder(ctx, tx, in.ID)
		if err != nil {
			return err
		}
		switch {
		case ends(h.State) && until.Before(clock.Day(tx.Now)):
			return ErrExpired
		case !h.Usable():
			return stateFaults[h.State]
		}
		if err := h.reissue(ctx, tx, who.ID, in.Reason); err != nil {
			return err
		}
		if err := message.Write(ctx, tx, h.Holder, message.VoucherReissued, h.ID, 0); err != nil {
			return err
		}
		if err := auditlog.Record(ctx, tx, who, "reissue", "voucher/"+h.ID.String(), nil, map[string]string{"reason": in.Reason}); err != nil {
			return err
		}
		return notice.SendTableUpdate(ctx, tx, Vouchers.Name())
	})
}

func (h *Held) reissue(ctx context.Context, tx db.Tx, by uuid.UUID, reason string) error {
	before, id, code := h.State, db.NewID(), ""
	if err := tx.QueryRow(ctx, codeOf, h.ID).Scan(&code); err != nil {
		return fmt.Errorf("code of voucher %s: %w", h.ID, err)
	}
	if free, open := Next(before, CancelUse); open {
		h.State = free
		if err := h.leave(ctx, tx, before); err != nil {
			return err
		}
	}
	tx.Queue(insertReissue, id, h.ID, code, reason, tx.Now, by)
	tx.Queue(giveCode, h.ID, NewCode(10))
	h.save(tx, voucherEvent{Event: "reissue", From: before, Reissue: &id})
	return nil
}
