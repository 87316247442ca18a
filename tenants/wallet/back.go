package wallet

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
	"welovevoucher/platform/log"
	"welovevoucher/platform/money"
	"welovevoucher/platform/pay"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/notice"
)

// account is how far the ledger has followed what the gateway says of a captured charge. Refunds and fees only grow, and a
// dispute only goes on, so an answer that is older than one we have seen changes nothing.
type account struct {
	refunded, disputed, owed, fee money.Amount
	dispute                       pay.Dispute
}

const (
	readAccount    = `SELECT refunded_satang, disputed_satang, owed_satang, fee_satang, dispute FROM charge WHERE id = $1`
	keepAccount    = `UPDATE charge SET refunded_satang = $2, disputed_satang = $3, owed_satang = $4, fee_satang = $5, dispute = $6 WHERE id = $1`
	insertMovement = `INSERT INTO charge_movement (id, charge_id, kind, amount_satang, at) VALUES ($1, $2, $3, $4, $5)`
	lockBalance    = `SELECT balance_satang FROM wallet WHERE account_id = $1 FOR UPDATE`
)

// follow posts what has happened to a captured charge at the gateway since we last looked: its fee, what was sent back to
// the payer, and what his bank took back or returned. The row is locked.
func (s *Service) follow(ctx context.Context, tx db.Tx, row charge, c pay.Charge) error {
	var before account
	err := tx.QueryRow(ctx, readAccount, row.id).Scan(&before.refunded, &before.disputed, &before.owed, &before.fee, &before.dispute)
	if err != nil {
		return fmt.Errorf("account of charge %s: %w", row.id, err)
	}
	now := before
	if err := now.followFee(ctx, tx, row, c); err != nil {
		return err
	}
	if err := now.followRefunds(ctx, tx, row, c); err != nil {
		return err
	}
	if err := now.followDispute(ctx, tx, row, c); err != nil {
		return err
	}
	if now == before {
		return nil
	}
	if _, err := tx.Exec(ctx, keepAccount, row.id, now.refunded, now.disputed, now.owed, now.fee, now.dispute); err != nil {
		return fmt.Errorf("account of charge %s: %w", row.id, err)
	}
	if now.refunded == before.refunded && now.disputed == before.disputed {
		return nil
	}
	if back := s.purposes[row.purpose].Back; back != nil && !row.credited {
		if err := back(ctx, tx, row.id, before.returned(row), now.returned(row)); err != nil {
			return err
		}
	}
	return notice.Send(ctx, tx, token.User, row.customer, notice.Print{Topic: "wallet"})
}

func (a *account) returned(row charge) Returned {
	return Returned{Sum: a.refunded + a.disputed, Of: row.amount, Disputed: a.disputed > 0}
}

// followFee posts what the gateway takes, from what the platform takes.
func (a *account) followFee(ctx context.Context, tx db.Tx, row charge, c pay.Charge) error {
	by := c.Fee - a.fee
	switch {
	case by <= 0:
		return nil
	case c.Fee > c.Amount:
		log.From(ctx).Error("the gateway reports a fee above the charge", zap.Stringer("charge", row.id), zap.Int64("fee_satang", int64(c.Fee)))
		return nil
	}
	a.fee = c.Fee
	return move(ctx, tx, row, "fee", "gateway_fee", by, [2]string{}, Posting{Debit: House(PlatformFee), Credit: House(GatewayFee), Amount: by})
}

func (a *account) followRefunds(ctx context.Context, tx db.Tx, row charge, c pay.Charge) error {
	asked := c.Refunded - a.refunded
	if asked <= 0 {
		return nil
	}
	by := min(asked, row.amount-a.refunded-a.disputed)
	if by < asked {
		log.From(ctx).Error("the gateway has sent back more than was paid", zap.Stringer("charge", row.id), zap.Int64("beyond_satang", int64(asked-by)))
	}
	if by == 0 {
		return nil
	}
	a.refunded += by
	return a.takeBack(ctx, tx, row, "refund", by, [2]string{"คืนเงินไปยังช่องทางที่ชำระ", "Sent back to where it was paid from"})
}

func (a *account) followDispute(ctx context.Context, tx db.Tx, row charge, c pay.Charge) error {
	if !c.Dispute.After(a.dispute) {
		return nil
	}
	first := a.dispute == pay.Undisputed
	a.dispute = c.Dispute
	switch {
	case c.Dispute == pay.DisputeWon && a.disputed > 0:
		by := a.disputed
		a.disputed = 0
		return a.giveBack(ctx, tx, row, by)
	case c.Dispute == pay.DisputeWon || !first:
		return nil
	}
	by := min(c.Disputed, row.amount-a.refunded)
	if by <= 0 {
		return nil
	}
	a.disputed = by
	return a.takeBack(ctx, tx, row, "dispute", by, [2]string{"ธนาคารเรียกเงินคืน", "Taken back by the payer's bank"})
}

// takeBack takes from the customer's wallet what the gateway no longer holds; what it has not got he owes. What he paid for
// directly was never in his wallet, and is not taken from there: his vouchers are frozen (Purpose.Back), and taking both
// would take it twice.
func (a *account) takeBack(ctx context.Context, tx db.Tx, row charge, kind string, by money.Amount, title [2]string) error {
	var have money.Amount
	purse := Of(Wallet, row.customer)
	if row.credited {
		err := tx.QueryRow(ctx, lockBalance, purse.ID(tx.Org)).Scan(&have)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return fmt.Errorf("balance of %s: %w", row.customer, err)
		}
	}
	from := min(have, by)
	a.owed += by - from
	return move(ctx, tx, row, kind, "chargeback", by, title,
		Posting{Debit: purse, Credit: House(Gateway), Amount: from},
		Posting{Debit: House(ChargebackReceivable), Credit: House(Gateway), Amount: by - from})
}

// giveBack is money that the bank had taken and returns: first what the customer owed for it, the rest is his.
func (a *account) giveBack(ctx context.Context, tx db.Tx, row charge, by money.Amount) error {
	paid := min(a.owed, by)
	a.owed -= paid
	return move(ctx, tx, row, "dispute_won", "chargeback", by, [2]string{"ธนาคารคืนเงินกลับมา", "Returned by the bank"},
		Posting{Debit: House(Gateway), Credit: House(ChargebackReceivable), Amount: paid},
		Posting{Debit: House(Gateway), Credit: Of(Wallet, row.customer), Amount: by - paid})
}

func move(ctx context.Context, tx db.Tx, row charge, kind, transfer string, by money.Amount, title [2]string, postings ...Posting) error {
	id := db.NewID()
	tx.Later(insertMovement, id, row.id, kind, by, tx.Now)
	if err := Transfer(tx, Cause{Kind: transfer, ID: id, MemoTH: title[0], MemoEN: title[1]}, postings...); err != nil {
		return fmt.Errorf("%s of charge %s: %w", kind, row.id, err)
	}
	return notice.Changed(ctx, tx, Charges.Name())
}

// again is the row of a second charge that the gateway took for what was paid already.
func again(row uuid.UUID, charge string) uuid.UUID { return uuid.NewSHA1(row, []byte(charge)) }
