package wallet

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
	"welovevoucher/platform/log"
	"welovevoucher/platform/money"
	"welovevoucher/platform/pay"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/notice"
)

const (
	captureCharge = `UPDATE charge SET state = 'captured', captured_at = $2, gateway_id = $3, captured_satang = $4, late = $5, credited = $6 WHERE id = $1`
	endCharge     = `UPDATE charge SET state = $2, failure = $3 WHERE id = $1`
)

// apply acts on a charge that was read from the gateway itself. Paid wins over everything, whenever it comes; a charge
// of another sum, currency or row credits nothing.
func (s *Service) apply(ctx context.Context, org, id uuid.UUID, c pay.Charge) error {
	switch c.State {
	case pay.Paid:
		return s.db.InOrg(ctx, org, func(tx db.Tx) error { return s.capture(ctx, tx, id, c) })
	case pay.Failed, pay.Reversed:
		return s.end(ctx, org, id, "failed", c.Failure)
	case pay.Expired:
		return s.end(ctx, org, id, "expired", "")
	}
	var row charge
	err := s.db.InOrg(ctx, org, func(tx db.Tx) (err error) {
		row, err = readCharge(ctx, tx, chargeRow, id)
		return err
	})
	if err != nil || s.db.Now().Before(row.expires) {
		return err
	}
	return s.end(ctx, org, id, "expired", "")
}

// capture takes the money in, once. The lock on the charge's row decides between it and the end of the charge: what comes
// in time goes where the charge was for, what comes later, or is less by then, to the customer's wallet.
func (s *Service) capture(ctx context.Context, tx db.Tx, id uuid.UUID, c pay.Charge) error {
	row, err := readCharge(ctx, tx, lockCharge, id)
	if err != nil {
		return err
	}
	if c.Amount != row.amount || c.Currency != "THB" || c.Order != id || c.Organisation != tx.Org {
		log.From(ctx).Error("a paid charge does not match its row", zap.Stringer("row", id), zap.String("charge", c.ID),
			zap.Int64("charged_satang", int64(c.Amount)), zap.Int64("asked_satang", int64(row.amount)))
		return nil
	}
	if row.state == "captured" {
		return nil
	}
	received := c.Amount - c.Refunded
	if received <= 0 {
		return s.endIn(ctx, tx, row, "failed", "refunded")
	}

	late := row.over()
	credited := row.purpose == topUp || late || received < row.amount
	if _, err := tx.Exec(ctx, captureCharge, id, tx.Now, c.ID, received, late, credited); err != nil {
		return fmt.Errorf("capture charge %s: %w", id, err)
	}
	switch {
	case credited && row.purpose != topUp && !late:
		err = s.purposes[row.purpose].Over(ctx, tx, id)
	case !credited:
		err = s.purposes[row.purpose].Paid(ctx, tx, id)
	}
	if err != nil {
		return err
	}
	if credited {
		if err := credit(ctx, tx, row, received); err != nil {
			return err
		}
	}
	return tell(ctx, tx, row, "captured", late)
}

func credit(ctx context.Context, tx db.Tx, row charge, received money.Amount) error {
	cause := Cause{Kind: "topup", ID: row.id, MemoTH: "เติมเงิน", MemoEN: "Top-up"}
	if row.purpose != topUp {
		cause.MemoTH, cause.MemoEN = "เงินที่จ่ายหลังคำสั่งซื้อหมดเวลา", "Paid after the order was over"
	}
	err := Transfer(ctx, tx, cause, Posting{Debit: House(Gateway), Credit: Of(Wallet, row.customer), Amount: received})
	if err != nil {
		return err
	}
	balance, err := Balance(ctx, tx, row.customer)
	if err != nil {
		return err
	}
	return notice.Send(ctx, tx, token.User, row.customer, notice.Print{Topic: "wallet", Balance: &balance})
}

// tell lets the customer's screens know what became of a charge; its purpose is the topic.
func tell(ctx context.Context, tx db.Tx, row charge, state string, late bool) error {
	return notice.Send(ctx, tx, token.User, row.customer, notice.Print{Topic: row.purpose, ID: &row.id, State: state, Late: late})
}

// end closes a charge that is still open; one that is captured stays so.
func (s *Service) end(ctx context.Context, org, id uuid.UUID, state, failure string) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		row, err := readCharge(ctx, tx, lockCharge, id)
		if err != nil {
			return err
		}
		return s.endIn(ctx, tx, row, state, failure)
	})
}

// Cancel closes one of the customer's charges that he will not pay any more. It returns ErrChargeMissing for anybody
// else's. What is over or paid stays so.
func (s *Service) Cancel(ctx context.Context, tx db.Tx, customer, id uuid.UUID) error {
	row, err := readCharge(ctx, tx, lockCharge, id)
	if err != nil {
		return err
	}
	if row.customer != customer {
		return ErrChargeMissing
	}
	return s.endIn(ctx, tx, row, "failed", "cancelled")
}

func (s *Service) endIn(ctx context.Context, tx db.Tx, row charge, state, failure string) error {
	if row.state != "created" && row.state != "awaiting" {
		return nil
	}
	if _, err := tx.Exec(ctx, endCharge, row.id, state, failure); err != nil {
		return fmt.Errorf("end charge %s: %w", row.id, err)
	}
	if row.purpose != topUp {
		if err := s.purposes[row.purpose].Over(ctx, tx, row.id); err != nil {
			return err
		}
	}
	return tell(ctx, tx, row, state, false)
}
