package charge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
	"welovevoucher/platform/log"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
)

// Source is what paid a charge, and how much of it may go back there: what came in, less what went back, is held back, or is on its way.
type Source struct {
	Method string       `json:"method" enum:"card,bank" doc:"card: that paid, to which the payment company sends it. bank: it was paid by PromptPay, so it goes to an account that its payer names, by a transfer that the shop makes"`
	Digits string       `json:"card_digits" doc:"The last four of the card; empty if they are not known, and of a bank"`
	Limit  money.Amount `json:"limit_satang" doc:"How much goes back there; 0 if nothing"`
}

// RemitJob has the gateway send a remittance.
type RemitJob struct {
	Remittance uuid.UUID `json:"remittance"`
}

// Kind names the job.
func (RemitJob) Kind() string { return "charge.remit" }

const (
	sourceOf = `SELECT c.method, c.card_digits, greatest(0, c.amount_satang - c.refunded_satang - c.disputed_satang
			- coalesce((SELECT sum(m.amount_satang) FROM remittance m WHERE m.charge_id = c.id AND m.state <> 'failed'), 0))::bigint
		FROM charge c WHERE c.id = $1 AND c.state = 'captured' AND NOT c.credited`
	// What filled a wallet, the newest first, as far as it takes to pay a sum back to it.
	sourcesOf = `SELECT id, method, card_digits, room FROM (SELECT c.id, c.method, c.card_digits, c.captured_at, c.room, sum(c.room) OVER (ORDER BY c.captured_at DESC, c.id DESC) - c.room AS before
			FROM (SELECT c.id, c.method, c.card_digits, c.captured_at, (c.amount_satang - c.refunded_satang - c.disputed_satang
					- coalesce((SELECT sum(m.amount_satang) FROM remittance m WHERE m.charge_id = c.id AND m.state <> 'failed'), 0))::bigint AS room
				FROM charge c WHERE c.customer_id = ANY ($1) AND c.state = 'captured' AND c.credited) c
			WHERE c.room > 0) c
		WHERE before < $2 ORDER BY captured_at DESC, id DESC`
	insertRemittance = `INSERT INTO remittance (id, refund_id, cashout_id, customer_id, charge_id, amount_satang, state, made_at, account_id, due_at) VALUES ($1, $2, $3, $4, $5, $6, 'approved', $7, $8, $9)`
	chargeOf         = `SELECT charge_id FROM remittance WHERE id = $1 AND account_id IS NULL`
	lockRemittance   = `SELECT id, cashout_id, charge_id, amount_satang, state, attempts, leased_until FROM remittance WHERE id = $1 FOR UPDATE`
	sendRemittance   = `UPDATE remittance SET state = 'sent', sent_at = coalesce(sent_at, $2), attempts = attempts + 1, leased_until = $3 WHERE id = $1`
	giveBackLease    = `UPDATE remittance SET leased_until = NULL WHERE id = $1 AND attempts = $2`
	endRemittance    = `UPDATE remittance SET state = 'done', gateway_id = $2, sent_at = coalesce(sent_at, $3), ended_at = $3, leased_until = NULL WHERE id = $1`
	failRemittance   = `UPDATE remittance SET state = 'failed', failure = $2, ended_at = $3, leased_until = NULL WHERE id = $1`
	addSent          = `UPDATE charge SET sent_satang = sent_satang + $2 WHERE id = $1`
	remittancesOf    = `SELECT id, cashout_id, charge_id, amount_satang, state, attempts, leased_until FROM remittance WHERE charge_id = $1 AND id = ANY ($2) AND account_id IS NULL FOR UPDATE`
	staleRemittances = `SELECT id FROM remittance WHERE state IN ('approved', 'sent') AND account_id IS NULL AND made_at < $1 ORDER BY made_at, id LIMIT 1000`
	roomForOne       = `SELECT amount_satang - refunded_satang - disputed_satang - sent_satang FROM charge WHERE id = $1`
)

// remittance is a row of what goes back to the card of a charge.
type remittance struct {
	ID       uuid.UUID
	Cashout  *uuid.UUID
	Charge   uuid.UUID
	Amount   money.Amount
	State    string
	Attempts int
	Leased   *time.Time
}

func (m remittance) over() bool { return m.State == "done" || m.State == "failed" }

// SourceOf returns what paid an order outside of the wallet, or nil if nothing did. Its payer is locked where the limit is relied on.
func SourceOf(ctx context.Context, tx db.Tx, order uuid.UUID) (*Source, error) {
	s := &Source{}
	err := tx.QueryRow(ctx, sourceOf, order).Scan(&s.Method, &s.Digits, &s.Limit)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("what paid %s: %w", order, err)
	}
	s.Method = methodBack(s.Method)
	return s, nil
}

// methodBack is how the money of a charge goes back to who paid it by a method.
func methodBack(method string) string {
	if payment.Refundable(method) {
		return method
	}
	return "bank"
}

// FilledBy is a payment that filled a wallet.
type FilledBy struct {
	Charge uuid.UUID
	Source
}

// SourcesOf returns what filled the wallet of a person, under all the rows that he has, the newest first, until their limits reach a sum. He is locked where
// the limits are relied on.
func SourcesOf(ctx context.Context, tx db.Tx, person []uuid.UUID, sum money.Amount) ([]FilledBy, error) {
	rows, err := tx.Query(ctx, sourcesOf, person, sum)
	if err != nil {
		return nil, fmt.Errorf("what filled the wallet of %s: %w", person, err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (f FilledBy, err error) {
		err = row.Scan(&f.Charge, &f.Method, &f.Digits, &f.Limit)
		f.Method = methodBack(f.Method)
		return f, err
	})
	if err != nil {
		return nil, fmt.Errorf("what filled the wallet of %s: %w", person, err)
	}
	return list, nil
}

// Remitting is what of a refund, or of a wallet, goes back out of the organisation's books. It has been moved to the account of what is on its way out.
type Remitting struct {
	Refund   *uuid.UUID // or Cashout
	Cashout  *uuid.UUID
	Customer uuid.UUID
	Charge   uuid.UUID
	Amount   money.Amount
	Account  *uuid.UUID // of the bank account; nil to the card that paid
	Due      *time.Time // until when it should have been transferred; nil to a card
}

// Remit has a sum sent back to the card of a charge, after this is committed, or has it wait for people to transfer it to a bank account.
func Remit(ctx context.Context, tx db.Tx, r Remitting) error {
	id := db.NewID()
	tx.Queue(insertRemittance, id, r.Refund, r.Cashout, r.Customer, r.Charge, r.Amount, tx.Now, r.Account, r.Due)
	if r.Account != nil {
		return notice.SendTableUpdate(ctx, tx, Transfers.Name())
	}
	return queue.Enqueue(ctx, tx, RemitJob{Remittance: id})
}

// errLeased says that another call is asking the gateway for a remittance.
var errLeased = errors.New("another call asks the gateway for this")

// Remit has the gateway send a remittance back to its card, and writes down what became of that. It may run any number of times, also after a kill: the
// gateway is asked for what an earlier try has made before it is asked to make it. What it refuses goes to the customer's wallet.
func (s *Service) Remit(ctx context.Context, org uuid.UUID, job RemitJob) error {
	var row charge
	var m remittance
	call := false
	err := s.db.InOrg(ctx, org, func(tx db.Tx) (err error) {
		row, m, err = lockWithCharge(ctx, tx, job.Remittance)
		switch {
		case errors.Is(err, ErrNotFound): // it was made with test keys and is void
			return nil
		case err != nil || m.over():
			return err
		case m.Leased != nil && m.Leased.After(tx.Now):
			return errLeased
		}
		if m.Attempts == 0 {
			var room money.Amount
			if err := tx.QueryRow(ctx, roomForOne, row.id).Scan(&room); err != nil {
				return fmt.Errorf("what charge %s has: %w", row.id, err)
			}
			if room < m.Amount { // since it was refunded the payer's bank holds the money back, or the gateway has sent it
				return s.failed(ctx, tx, row, m, "held_back")
			}
		}
		m.Attempts++
		call = true
		_, err = tx.Exec(ctx, sendRemittance, m.ID, tx.Now, tx.Now.Add(leaseTime))
		return err
	})
	if err != nil || !call {
		return err
	}

	made, err := s.askGateway(ctx, org, row, m)
	switch {
	case err == nil:
		return s.db.InOrg(context.WithoutCancel(ctx), org, func(tx db.Tx) error {
			row, m, err := lockWithCharge(ctx, tx, m.ID)
			if err != nil || m.over() {
				return err
			}
			return s.done(ctx, tx, row, m, made.ID)
		})
	case errors.Is(err, payment.ErrRefused):
		log.From(ctx).Warn("the gateway does not send back to a card", zap.Stringer("remittance", m.ID), zap.Error(err))
		return s.db.InOrg(context.WithoutCancel(ctx), org, func(tx db.Tx) error {
			row, m, err := lockWithCharge(ctx, tx, m.ID)
			if err != nil || m.over() {
				return err
			}
			return s.failed(ctx, tx, row, m, "refused")
		})
	}
	return errors.Join(err, s.db.InOrg(context.WithoutCancel(ctx), org, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, giveBackLease, m.ID, m.Attempts)
		return err
	}))
}

func (s *Service) askGateway(ctx context.Context, org uuid.UUID, row charge, m remittance) (payment.Refund, error) {
	gateway, err := s.gateway(ctx, org, row.system)
	if err != nil {
		return payment.Refund{}, err
	}
	return gateway.Refund(ctx, payment.RefundRequest{ID: m.ID, ChargeID: row.gatewayID, Amount: m.Amount, Retry: m.Attempts > 1})
}

// lockWithCharge locks a remittance, and before it the payer of its charge, and the charge.
func lockWithCharge(ctx context.Context, tx db.Tx, id uuid.UUID) (row charge, m remittance, err error) {
	var of uuid.UUID
	err = tx.QueryRow(ctx, chargeOf, id).Scan(&of)
	if errors.Is(err, pgx.ErrNoRows) {
		return row, m, ErrNotFound
	}
	if err != nil {
		return row, m, fmt.Errorf("charge of remittance %s: %w", id, err)
	}
	if row, err = lock(ctx, tx, of); err != nil {
		return row, m, err
	}
	err = tx.QueryRow(ctx, lockRemittance, id).Scan(&m.ID, &m.Cashout, &m.Charge, &m.Amount, &m.State, &m.Attempts, &m.Leased)
	if err != nil {
		return row, m, fmt.Errorf("lock remittance %s: %w", id, err)
	}
	return row, m, nil
}

// done posts a remittance that the gateway has sent. Its charge is locked.
func (s *Service) done(ctx context.Context, tx db.Tx, row charge, m remittance, gatewayID string) error {
	if _, err := tx.Exec(ctx, endRemittance, m.ID, gatewayID, tx.Now); err != nil {
		return fmt.Errorf("end remittance %s: %w", m.ID, err)
	}
	if _, err := tx.Exec(ctx, addSent, row.id, m.Amount); err != nil {
		return fmt.Errorf("what charge %s has sent back: %w", row.id, err)
	}
	cause := ledger.Cause{Kind: "remittance", ID: m.ID, MemoTH: "คืนเงินเข้าบัตร", MemoEN: "Refunded to a card"}
	err := ledger.Post(tx, ledger.NewTransfer(cause, ledger.Posting{Debit: ledger.SystemAccount(ledger.BankClearing), Credit: ledger.SystemAccount(row.gateway), Amount: m.Amount}))
	if err != nil {
		return fmt.Errorf("post remittance %s: %w", m.ID, err)
	}
	return s.remitted(ctx, tx, row, false)
}

// failed puts a remittance that does not reach its card into its customer's wallet, where it pays what he owes first. Its charge is locked.
func (s *Service) failed(ctx context.Context, tx db.Tx, row charge, m remittance, why string) error {
	if _, err := tx.Exec(ctx, failRemittance, m.ID, why, tx.Now); err != nil {
		return fmt.Errorf("fail remittance %s: %w", m.ID, err)
	}
	cause := ledger.Cause{Kind: "remittance_failed", ID: m.ID, MemoTH: "คืนเงินเข้าบัตรไม่ได้", MemoEN: "Could not be refunded to the card"}
	if err := backToWallet(ctx, tx, cause, ledger.BankClearing, row, m.Amount, message.MoneyNotToCard, m.Cashout); err != nil {
		return err
	}
	return s.remitted(ctx, tx, row, true)
}

// backToWallet moves a remittance that failed from an account into the wallet of who paid its charge, and informs him; cashout is what it was a part of, or nil.
func backToWallet(ctx context.Context, tx db.Tx, cause ledger.Cause, from ledger.Kind, row charge, amount money.Amount, says message.Kind, cashout *uuid.UUID) error {
	err := ledger.Post(tx, ledger.NewTransfer(cause, ledger.Posting{Debit: ledger.SystemAccount(from), Credit: ledger.AccountOf(ledger.Wallet, row.payer), Amount: amount}))
	if err != nil {
		return fmt.Errorf("post remittance %s: %w", cause.ID, err)
	}
	about := row.id
	if cashout != nil {
		says, about = message.CashoutFailed, *cashout
	}
	return message.Write(ctx, tx, row.payer, says, about, amount)
}

// remitted settles what follows from the end of a remittance and notifies screens of it.
func (s *Service) remitted(ctx context.Context, tx db.Tx, row charge, credited bool) error {
	if err := s.settle(ctx, tx, row.payer, credited); err != nil {
		return err
	}
	if err := notice.SendTableUpdate(ctx, tx, Charges.Name()); err != nil {
		return err
	}
	if !credited {
		return nil
	}
	return notice.Send(ctx, tx, token.User, row.payer, notice.Event{Topic: "wallet"})
}

// followRemittances ends the remittances of a charge that the gateway says it has sent, and returns their sum. It leaves out those that failed: the
// customer's wallet has had them since, so what was sent nevertheless went back from outside. The charge is locked.
func (s *Service) followRemittances(ctx context.Context, tx db.Tx, row charge, refunds []payment.Refund) (ours money.Amount, err error) {
	if len(refunds) == 0 {
		return 0, nil
	}
	rows, err := tx.Query(ctx, remittancesOf, row.id, db.Column(refunds, func(r payment.Refund) uuid.UUID { return r.RequestID }))
	if err != nil {
		return 0, fmt.Errorf("remittances of charge %s: %w", row.id, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[remittance])
	if err != nil {
		return 0, fmt.Errorf("remittances of charge %s: %w", row.id, err)
	}
	for _, m := range list {
		i := slices.IndexFunc(refunds, func(r payment.Refund) bool { return r.RequestID == m.ID && r.Amount == m.Amount }) // a second one of its id is from outside
		if i < 0 || m.State == "failed" {
			log.From(ctx).Error("the gateway has sent back what it had refused, or another sum", zap.Stringer("remittance", m.ID), zap.Stringer("charge", row.id))
			continue
		}
		ours += m.Amount
		if m.State == "done" {
			continue
		}
		if err := s.done(ctx, tx, row, m, refunds[i].ID); err != nil {
			return 0, err
		}
	}
	return ours, nil
}

// remitAgainAfter is how long a remittance is tried by its own job; later ones are tried when the clock asks.
const remitAgainAfter = time.Hour

// RemitAgain has remittances tried again that are open for long: their job may have given up.
func RemitAgain(ctx context.Context, tx db.Tx) error {
	rows, err := tx.Query(ctx, staleRemittances, tx.Now.Add(-remitAgainAfter))
	if err != nil {
		return fmt.Errorf("remittances that are open: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return fmt.Errorf("remittances that are open: %w", err)
	}
	for _, id := range ids {
		if err := queue.Enqueue(ctx, tx, RemitJob{Remittance: id}); err != nil {
			return err
		}
	}
	return nil
}
