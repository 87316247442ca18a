package charge

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
	"welovevoucher/platform/log"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/rollup"
)

const (
	captureCharge = `UPDATE charge SET state = 'captured', captured_at = $2, gateway_id = $3, captured_satang = $4, refunded_satang = $5, late = $6, credited = $7, card_digits = $8, card_index = $9 WHERE id = $1`
	insertAgain   = `INSERT INTO charge (id, customer_id, system_id, purpose, method, amount_satang, state, reference, created_at, expires_at,
		gateway_id, captured_at, captured_satang, refunded_satang, credited, late, gateway, card_digits, card_index)
		VALUES ($1, $2, $3, $4, $5, $6, 'captured', $7, $8, $8, $9, $8, $10, $11, $12, $12, $13, $14, $15)`
	forgetCards = `UPDATE charge SET card_index = NULL WHERE customer_id = $1 AND card_index IS NOT NULL`
	endCharge   = `UPDATE charge SET state = $2, failure = $3 WHERE id = $1`
)

var captured = promauto.NewCounterVec(prometheus.CounterOpts{
	Name: "wlv_charges_captured_total", Help: "Charges whose money has come in, by what they pay for.",
}, []string{"method", "purpose"})

// apply acts on a charge that was read from the gateway itself. Paid wins over everything, whenever it comes; a charge
// of another sum, currency or row credits nothing.
func (s *Service) apply(ctx context.Context, org, id uuid.UUID, c payment.Charge) error {
	switch c.State {
	case payment.Paid:
		return s.db.InOrg(ctx, org, func(tx db.Tx) error { return s.capture(ctx, tx, id, c) })
	case payment.Failed:
		return s.end(ctx, org, id, "failed", c.Failure)
	case payment.Reversed:
		return s.db.InOrg(ctx, org, func(tx db.Tx) error { return s.reverse(ctx, tx, id, c) })
	case payment.Expired:
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

// capture takes the money in, once. The lock on the charge's row decides between it and the end of the charge. A whole sum in time pays for
// the purpose of the charge; a later or smaller one is credited to the customer's wallet.
func (s *Service) capture(ctx context.Context, tx db.Tx, id uuid.UUID, c payment.Charge) error {
	row, err := lock(ctx, tx, id)
	if err != nil {
		return err
	}
	if c.Amount != row.amount || c.Currency != "THB" || c.RequestID != id || c.Organisation != tx.Org {
		log.From(ctx).Error("a paid charge does not match its row", zap.Stringer("row", id), zap.String("charge", c.ID),
			zap.Int64("charged_satang", int64(c.Amount)), zap.Int64("asked_satang", int64(row.amount)))
		if c.RequestID != id || c.Organisation != tx.Org || row.state == "captured" || c.Amount <= 0 {
			return nil
		}
		return openWrongSum(ctx, tx, row, c.Amount)
	}
	received := c.Amount - c.Refunded
	if row.state == "captured" {
		return s.seen(ctx, tx, row, c, received)
	}
	if received <= 0 {
		return s.endIn(ctx, tx, row, "failed", "refunded")
	}

	endWrongSum(tx, row)
	ledger.OpenAccounts(tx, ledger.SystemAccount(row.gateway))
	tx.AfterCommit(func(context.Context) { captured.WithLabelValues(row.method, row.purpose).Inc() })
	late := row.over()
	credited := row.purpose == TopUp || late || received < row.amount
	if awaits := s.handlers[row.purpose].Awaits; !credited && awaits != nil {
		waits, err := awaits(ctx, tx, id)
		if err != nil {
			return err
		}
		credited = !waits
	}
	card, err := s.cardIndex(tx, c)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, captureCharge, id, tx.Now, c.ID, received, c.Refunded, late, credited, c.CardDigits, card); err != nil {
		return fmt.Errorf("capture charge %s: %w", id, err)
	}
	switch {
	case credited && row.purpose != TopUp && !late:
		err = s.handlers[row.purpose].Expired(ctx, tx, id)
	case !credited:
		err = s.handlers[row.purpose].Paid(ctx, tx, id, ledger.SystemAccount(row.gateway))
	}
	if err != nil {
		return err
	}
	if credited {
		if err := s.credit(ctx, tx, row, received); err != nil {
			return err
		}
	}
	if err := rollup.Enqueue(ctx, tx, rollup.Facts{Charges: []uuid.UUID{id}}); err != nil {
		return err
	}
	row.state, row.gatewayID, row.captured, row.credited = "captured", c.ID, received, credited
	if err := s.applyTotals(ctx, tx, row, c); err != nil {
		return err
	}
	return notifyCustomer(ctx, tx, row, "captured", late)
}

// cardIndex returns by what charges are found that the same card paid, or nil.
func (s *Service) cardIndex(tx db.Tx, c payment.Charge) ([]byte, error) {
	if c.Fingerprint == "" {
		return nil, nil
	}
	index, err := s.box.Index(tx.Key, "charge.card", c.Fingerprint)
	if err != nil {
		return nil, fmt.Errorf("index of the card of charge %s: %w", c.ID, err)
	}
	return index, nil
}

// ForgetCards queues that nothing leads from the payments of a customer to others by the same cards.
func ForgetCards(tx db.Tx, customer uuid.UUID) { tx.Queue(forgetCards, customer) }

// reverse ends a charge that the gateway has reversed. A sum that was captured before is the payer's again, all of it.
func (s *Service) reverse(ctx context.Context, tx db.Tx, id uuid.UUID, c payment.Charge) error {
	row, err := lock(ctx, tx, id)
	if err != nil {
		return err
	}
	if row.gatewayID != "" && row.gatewayID != c.ID { // of what was paid twice, the second
		row, err = lock(ctx, tx, duplicateID(row.id, c.ID))
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	if row.state != "captured" {
		return s.endIn(ctx, tx, row, "failed", c.Failure)
	}
	if c.Amount != row.amount {
		return nil
	}
	c.Refunded = c.Amount
	return s.applyTotals(ctx, tx, row, c)
}

// seen looks at a paid charge whose row is captured. It is the one that was, and something may have happened to it since; or
// a second one that the gateway took for the same row: then that money is the customer's as well.
func (s *Service) seen(ctx context.Context, tx db.Tx, row charge, c payment.Charge, received money.Amount) error {
	if c.ID == row.gatewayID {
		return s.applyTotals(ctx, tx, row, c)
	}
	second, err := lock(ctx, tx, duplicateID(row.id, c.ID))
	if err == nil {
		return s.applyTotals(ctx, tx, second, c)
	}
	if !errors.Is(err, ErrNotFound) {
		return err
	}
	if received <= 0 {
		return nil
	}
	second = row
	second.id, second.purpose, second.gatewayID, second.captured, second.credited = duplicateID(row.id, c.ID), duplicate, c.ID, received, true
	card, err := s.cardIndex(tx, c)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, insertAgain, second.id, row.customer, row.system, duplicate, row.method, c.Amount, reference(), tx.Now, c.ID, received, c.Refunded, true, row.gateway, c.CardDigits, card)
	if err != nil {
		return fmt.Errorf("take a second payment of %s in: %w", row.id, err)
	}
	if err := rollup.Enqueue(ctx, tx, rollup.Facts{Charges: []uuid.UUID{second.id}}); err != nil {
		return err
	}
	if err := s.credit(ctx, tx, second, received); err != nil {
		return err
	}
	return s.applyTotals(ctx, tx, second, c)
}

// titles are the texts of a wallet's statement beside money that a charge brought.
var titles = map[string][2]string{
	TopUp:     {"เติมเงิน", "Top-up"},
	"offer":   {"เงินของประกาศขายที่ซื้อไม่สำเร็จ", "Payment of an offer that was not bought"},
	duplicate: {"เงินที่จ่ายซ้ำ", "Paid twice"},
}

// credit puts money that came in into the payer's wallet, where it settles what he owes first.
func (s *Service) credit(ctx context.Context, tx db.Tx, row charge, received money.Amount) error {
	title, known := titles[row.purpose]
	if !known {
		title = [2]string{"เงินของคำสั่งซื้อที่ไม่สำเร็จ", "Payment of an order that was not made"}
	}
	cause := ledger.Cause{Kind: "topup", ID: row.id, MemoTH: title[0], MemoEN: title[1]}
	if err := ledger.Post(tx, ledger.NewTransfer(cause, ledger.Posting{Debit: ledger.SystemAccount(row.gateway), Credit: ledger.AccountOf(ledger.Wallet, row.payer), Amount: received})); err != nil {
		return err
	}
	kind := message.MoneyKept
	if row.purpose == TopUp {
		kind = message.MoneyToppedUp
	}
	if err := message.Write(ctx, tx, row.payer, kind, row.id, received); err != nil {
		return err
	}
	if row.debt > 0 {
		if err := s.settle(ctx, tx, row.payer, true); err != nil {
			return err
		}
	}
	return notice.Send(ctx, tx, token.User, row.payer, notice.Event{Topic: "wallet"})
}

// notifyCustomer notifies the customer's screens of what became of a charge; its purpose is the topic.
func notifyCustomer(ctx context.Context, tx db.Tx, row charge, state string, late bool) error {
	return notice.Send(ctx, tx, token.User, row.payer, notice.Event{Topic: row.purpose, ID: &row.id, State: state, Late: late})
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

// Cancel ends one of the customer's charges as if its time were over: its QR may still be paid. It changes nothing if the charge is paid or
// has ended already. It returns ErrNotFound for anybody else's.
func (s *Service) Cancel(ctx context.Context, tx db.Tx, customer, id uuid.UUID) error {
	row, err := readCharge(ctx, tx, lockCharge, id)
	if err != nil {
		return err
	}
	if row.customer != customer {
		return ErrNotFound
	}
	return s.endIn(ctx, tx, row, "expired", "cancelled")
}

func (s *Service) endIn(ctx context.Context, tx db.Tx, row charge, state, failure string) error {
	if row.state != "created" && row.state != "awaiting" {
		return nil
	}
	if _, err := tx.Exec(ctx, endCharge, row.id, state, failure); err != nil {
		return fmt.Errorf("end charge %s: %w", row.id, err)
	}
	if row.purpose != TopUp {
		if err := s.handlers[row.purpose].Expired(ctx, tx, row.id); err != nil {
			return err
		}
	}
	return notifyCustomer(ctx, tx, row, state, false)
}
