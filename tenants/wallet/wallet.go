// Package wallet is a customer's money in one organisation: what it holds, what moved it, what he owes, and how he fills it.
package wallet

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/onetime"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
)

// Service answers a customer about his wallet and fills it.
type Service struct {
	db      *db.DB
	charges *charge.Service
	links   *onetime.Links
}

// New returns the service.
func New(d *db.DB, charges *charge.Service, links *onetime.Links) *Service {
	return &Service{db: d, charges: charges, links: links}
}

// Balance of the customer's wallet.
func (s *Service) Balance(ctx context.Context, who token.Session) (balance money.Amount, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		balance, err = ledger.Balance(ctx, tx, who.Subject)
		return err
	})
	return balance, err
}

// Movement is one transfer as the wallet's owner sees it.
type Movement struct {
	ID      uuid.UUID    `json:"id"`
	Kind    string       `json:"kind" enum:"topup,purchase,resale,refund,remittance_failed,cashout,goodwill,card_returned,card_credited,expiry,adjustment,chargeback,taken_back,debt,former_account" doc:"What moved the money"`
	CauseID uuid.UUID    `json:"cause_id" doc:"The row that explains it: a top-up, an order, a purchase on the board, a refund …"`
	Number  string       `json:"number" doc:"Of what explains it, for people: the order, the payment, the purchase on the board or the refund, or the code of the voucher; may be empty"`
	At      time.Time    `json:"at"`
	Amount  money.Amount `json:"amount_satang" doc:"Positive when money came in"`
	After   money.Amount `json:"after_satang" doc:"The balance after it"`
	TitleTH string       `json:"title_th"`
	TitleEN string       `json:"title_en"`
}

// Page of a wallet's movements, newest first. Next is the After of the page that follows, nil at the end.
type Page struct {
	Data []Movement `json:"data"`
	Next *uuid.UUID `json:"next" nullable:"true"`
}

const maxPage = 100

// numberOf is the number of what explains a transfer t. An adjustment has none, and a former account has none. Of a voucher it is the code, while
// who got the money holds it: who has it after him has another one, which is nobody else's business.
const numberOf = `coalesce(CASE t.kind
		WHEN 'topup' THEN (SELECT c.reference FROM charge c WHERE c.id = t.cause_id)
		WHEN 'purchase' THEN (SELECT o.number FROM orders o WHERE o.id = t.cause_id)
		WHEN 'card_returned' THEN (SELECT o.number FROM orders o WHERE o.id = t.cause_id)
		WHEN 'card_credited' THEN (SELECT o.number FROM orders o WHERE o.id = t.cause_id)
		WHEN 'resale' THEN (SELECT s.number FROM resale s WHERE s.id = t.cause_id)
		WHEN 'refund' THEN (SELECT f.number FROM refund f WHERE f.id = t.cause_id)
		WHEN 'remittance_failed' THEN (SELECT coalesce(f.number, k.number) FROM remittance m LEFT JOIN refund f ON f.id = m.refund_id LEFT JOIN cashout k ON k.id = m.cashout_id WHERE m.id = t.cause_id)
		WHEN 'cashout' THEN (SELECT k.number FROM cashout k WHERE k.id = t.cause_id)
		WHEN 'chargeback' THEN (SELECT c.reference FROM charge_event n JOIN charge c ON c.id = n.charge_id WHERE n.id = t.cause_id)
		WHEN 'debt' THEN (SELECT c.reference FROM charge_event n JOIN charge c ON c.id = n.charge_id WHERE n.id = t.cause_id)
		WHEN 'expiry' THEN (SELECT v.code FROM voucher_event n JOIN voucher v ON v.id = n.voucher_id WHERE n.id = t.cause_id AND v.holder_id = n.holder_id)
		WHEN 'taken_back' THEN (SELECT v.code FROM voucher_event n JOIN voucher v ON v.id = n.voucher_id WHERE n.id = t.cause_id AND v.holder_id = n.holder_id)
		WHEN 'goodwill' THEN (SELECT v.code FROM goodwill g JOIN redemption r ON r.id = g.redemption_id JOIN voucher v ON v.id = r.voucher_id AND v.holder_id = r.customer_id WHERE g.id = t.cause_id)
	END, '')`

const movements = `SELECT t.id, t.kind, t.cause_id, ` + numberOf + `, t.at,
			sum(CASE WHEN e.credit_id = $1 THEN e.amount_satang ELSE -e.amount_satang END)::bigint,
			(array_agg(CASE WHEN e.credit_id = $1 THEN e.credit_after_satang ELSE e.debit_after_satang END ORDER BY e.id DESC))[1], t.memo_th, t.memo_en
		FROM entry e JOIN transfer t ON t.id = e.transfer_id
		WHERE (e.credit_id = $1 OR e.debit_id = $1) AND ($2::uuid IS NULL OR t.id < $2)
		GROUP BY t.id ORDER BY t.id DESC LIMIT $3`

// Movements of the customer's wallet, newest first, at most limit (100 when it is out of range).
func (s *Service) Movements(ctx context.Context, who token.Session, limit int, after *uuid.UUID) (Page, error) {
	if limit < 1 || limit > maxPage {
		limit = maxPage
	}

	page := Page{Data: []Movement{}}
	err := s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, movements, ledger.AccountOf(ledger.Wallet, who.Subject).ID(tx.Key), after, limit+1)
		if err != nil {
			return fmt.Errorf("movements of %s: %w", who.Subject, err)
		}
		page.Data, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Movement])
		return err
	})
	if len(page.Data) > limit {
		page.Data = page.Data[:limit]
		page.Next = &page.Data[limit-1].ID
	}
	return page, err
}
