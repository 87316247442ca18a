package charge

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
	"welovevoucher/platform/log"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/notice"
)

// gatewayTotals is how far the ledger has followed what the gateway says of a captured charge. Refunds and fees only grow, and a
// dispute only goes on, so an answer that is older than one we have seen changes nothing.
type gatewayTotals struct {
	refunded, disputed, owed, fee money.Amount
	sent                          money.Amount // by us; refunded is the rest of what the gateway has sent back
	bankOwed                      money.Amount // the part of owed that a bank holds back
	dispute                       payment.Dispute
}

const (
	readAccount    = `SELECT refunded_satang, disputed_satang, sent_satang, owed_satang, bank_owed_satang, fee_satang, dispute FROM charge WHERE id = $1`
	updateTotals   = `UPDATE charge SET refunded_satang = $2, disputed_satang = $3, owed_satang = $4, bank_owed_satang = $5, fee_satang = $6, dispute = $7 WHERE id = $1`
	insertMovement = `INSERT INTO charge_event (id, charge_id, kind, amount_satang, owed_satang, wallet_satang, at) VALUES ($1, $2, $3, $4, $5, $6, $7)`
	lockBalance    = `SELECT balance_satang FROM wallet WHERE account_id = $1 FOR UPDATE`
	// What was taken from its payer's wallet for a charge, and what of a charge that filled it was paid out again.
	takenOf = `SELECT coalesce(-sum(wallet_satang), 0)::bigint + (SELECT coalesce(sum(amount_satang), 0)::bigint FROM remittance WHERE charge_id = $1 AND cashout_id IS NOT NULL AND state <> 'failed')
		FROM charge_event WHERE charge_id = $1 AND kind IN ('refund', 'dispute', 'dispute_won')`
)

// applyTotals posts what has happened to a captured charge at the gateway since we last looked: its fee, what was sent back to
// the payer, by us or from outside, and what his bank took back or returned. The row is locked.
func (s *Service) applyTotals(ctx context.Context, tx db.Tx, row charge, c payment.Charge) error {
	ours, err := s.followRemittances(ctx, tx, row, c.Refunds)
	if err != nil {
		return err
	}
	c.Refunded -= ours
	var before gatewayTotals
	err = tx.QueryRow(ctx, readAccount, row.id).Scan(&before.refunded, &before.disputed, &before.sent, &before.owed, &before.bankOwed, &before.fee, &before.dispute)
	if err != nil {
		return fmt.Errorf("account of charge %s: %w", row.id, err)
	}
	now := before
	if err := now.followFee(ctx, tx, row, c); err != nil {
		return err
	}
	steps := []func(context.Context, db.Tx, *gatewayTotals, charge, payment.Charge) error{s.followRefunds, s.followDispute}
	if c.Dispute == payment.DisputeWon { // what the bank returned first can have been sent back
		slices.Reverse(steps)
	}
	for _, step := range steps {
		if err := step(ctx, tx, &now, row, c); err != nil {
			return err
		}
	}
	if now == before {
		return nil
	}
	if _, err := tx.Exec(ctx, updateTotals, row.id, now.refunded, now.disputed, now.owed, now.bankOwed, now.fee, now.dispute); err != nil {
		return fmt.Errorf("account of charge %s: %w", row.id, err)
	}
	if err := notice.SendTableUpdate(ctx, tx, Charges.Name()); err != nil {
		return err
	}
	if now.refunded == before.refunded && now.disputed == before.disputed && now.dispute == before.dispute {
		return nil
	}
	if err := s.settle(ctx, tx, row.payer, now.disputed < before.disputed); err != nil {
		return err
	}
	return notice.Send(ctx, tx, token.User, row.payer, notice.Event{Topic: "wallet"})
}

// followFee posts what the gateway takes, from what the platform takes.
func (a *gatewayTotals) followFee(ctx context.Context, tx db.Tx, row charge, c payment.Charge) error {
	by := c.Fee - a.fee
	switch {
	case by <= 0:
		return nil
	case c.Fee > c.Amount:
		log.From(ctx).Error("the gateway reports a fee above the charge", zap.Stringer("charge", row.id), zap.Int64("fee_satang", int64(c.Fee)))
		return nil
	}
	a.fee = c.Fee
	return recordEvent(tx, Event{Charge: row.id, Kind: "fee", Amount: by}, ledger.Cause{Kind: "gateway_fee"}, ledger.Posting{Debit: ledger.SystemAccount(ledger.PlatformFee), Credit: ledger.SystemAccount(ledger.GatewayFee), Amount: by})
}

func (s *Service) followRefunds(ctx context.Context, tx db.Tx, a *gatewayTotals, row charge, c payment.Charge) error {
	asked := c.Refunded - a.refunded
	if asked <= 0 {
		return nil
	}
	by := max(0, min(asked, row.amount-a.refunded-a.disputed-a.sent))
	if by < asked {
		log.From(ctx).Error("the gateway has sent back more than was paid", zap.Stringer("charge", row.id), zap.Int64("beyond_satang", int64(asked-by)))
	}
	if by == 0 {
		return nil
	}
	a.refunded += by
	return s.debitCustomer(ctx, tx, a, row, "refund", by, [2]string{"คืนเงินไปยังช่องทางที่ชำระ", "Sent back to where it was paid from"})
}

func (s *Service) followDispute(ctx context.Context, tx db.Tx, a *gatewayTotals, row charge, c payment.Charge) error {
	if !c.Dispute.After(a.dispute) {
		return nil
	}
	first := a.dispute == payment.Undisputed
	a.dispute = c.Dispute
	switch {
	case c.Dispute == payment.DisputeWon && a.disputed > 0:
		by := a.disputed
		a.disputed = 0
		saveDispute(tx, row, 0, c.Dispute)
		return a.creditCustomer(ctx, tx, row, by)
	case c.Dispute == payment.DisputeWon || !first:
		saveDispute(tx, row, 0, c.Dispute)
		return nil
	}
	by := min(c.Disputed, row.amount-a.refunded-a.sent)
	if by <= 0 {
		return nil
	}
	a.disputed = by
	owed := a.owed
	err := s.debitCustomer(ctx, tx, a, row, "dispute", by, [2]string{"ธนาคารเรียกเงินคืน", "Taken back by the payer's bank"})
	a.bankOwed = a.owed - owed
	saveDispute(tx, row, by, c.Dispute)
	return err
}

// debitCustomer debits the payer's wallet by a sum that the gateway no longer holds, as far as this payment credited it and it is still
// there. The rest becomes his debt, for which the vouchers that he bought stand (Settle).
func (s *Service) debitCustomer(ctx context.Context, tx db.Tx, a *gatewayTotals, row charge, kind string, by money.Amount, title [2]string) error {
	from, err := s.takeable(ctx, tx, row)
	if err != nil {
		return err
	}
	from = min(from, by)
	a.owed += by - from
	return recordEvent(tx, Event{row.id, kind, by, by - from, -from}, ledger.Cause{Kind: "chargeback", MemoTH: title[0], MemoEN: title[1]},
		ledger.Posting{Debit: ledger.AccountOf(ledger.Wallet, row.payer), Credit: ledger.SystemAccount(row.gateway), Amount: from},
		ledger.Posting{Debit: ledger.SystemAccount(ledger.ChargebackReceivable), Credit: ledger.SystemAccount(row.gateway), Amount: by - from})
}

// takeable returns the sum that a charge put into its payer's wallet, also by a dispute that was won, less what was taken from there for it or paid out, as far
// as the wallet has it.
func (s *Service) takeable(ctx context.Context, tx db.Tx, row charge) (most money.Amount, err error) {
	put := row.captured
	if !row.credited {
		if put, err = s.handlers[row.purpose].Returned(ctx, tx, row.id, row.customer); err != nil {
			return 0, err
		}
	}
	var have, taken money.Amount
	if err := tx.QueryRow(ctx, takenOf, row.id).Scan(&taken); err != nil {
		return 0, fmt.Errorf("what was taken back of charge %s: %w", row.id, err)
	}
	err = tx.QueryRow(ctx, lockBalance, ledger.AccountOf(ledger.Wallet, row.payer).ID(tx.Key)).Scan(&have)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return 0, fmt.Errorf("balance of %s: %w", row.payer, err)
	}
	return max(0, min(have, put-taken)), nil
}

// creditCustomer is money that the bank had taken and returns: first what the customer owes for it, then what the organisation has borne for the
// charge or written off, the rest is his.
func (a *gatewayTotals) creditCustomer(ctx context.Context, tx db.Tx, row charge, by money.Amount) error {
	borne, err := (&Owing{ID: row.id}).Borne(ctx, tx)
	if err != nil {
		return err
	}
	paid := min(a.owed, by)
	restored := min(borne, by-paid)
	rest := by - paid - restored
	a.owed, a.bankOwed = a.owed-paid, 0
	if a.owed == 0 { // also for refunds, and nothing is settled for a charge that owes nothing
		tx.Queue(endCase, row.id, "refund", tx.Now, "covered")
	}
	return recordEvent(tx, Event{row.id, "dispute_won", by, -paid, rest},
		ledger.Cause{Kind: "chargeback", MemoTH: "ธนาคารคืนเงินกลับมา", MemoEN: "Returned by the bank"},
		ledger.Posting{Debit: ledger.SystemAccount(row.gateway), Credit: ledger.SystemAccount(ledger.ChargebackReceivable), Amount: paid},
		ledger.Posting{Debit: ledger.SystemAccount(row.gateway), Credit: ledger.SystemAccount(ledger.Payable), Amount: restored},
		ledger.Posting{Debit: ledger.SystemAccount(row.gateway), Credit: ledger.AccountOf(ledger.Wallet, row.payer), Amount: rest})
}

// Event is a step of a captured charge: by how much it changed what the charge owes, and its payer's wallet.
type Event struct {
	Charge uuid.UUID
	Kind   string // fee, refund, dispute, dispute_won, taken_back, debt_paid, borne, written_off
	Amount money.Amount
	Owed   money.Amount
	Wallet money.Amount
}

// recordEvent queues a step of a charge and its transfer, whose cause is the step; its id is that of cause, or a new one.
func recordEvent(tx db.Tx, m Event, cause ledger.Cause, postings ...ledger.Posting) error {
	if cause.ID == uuid.Nil {
		cause.ID = db.NewID()
	}
	tx.Queue(insertMovement, cause.ID, m.Charge, m.Kind, m.Amount, m.Owed, m.Wallet, tx.Now)
	if err := ledger.Post(tx, ledger.NewTransfer(cause, postings...)); err != nil {
		return fmt.Errorf("%s of charge %s: %w", m.Kind, m.Charge, err)
	}
	return nil
}

// duplicateID is the row of a second charge that the gateway took for what was paid already.
func duplicateID(row uuid.UUID, charge string) uuid.UUID { return uuid.NewSHA1(row, []byte(charge)) }
