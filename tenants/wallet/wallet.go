// Package wallet is a customer's money in one organisation: what it holds, what moved it, what he owes, and how he fills it.
package wallet

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
)

// Service answers a customer about his wallet and fills it.
type Service struct {
	db      *db.DB
	charges *charge.Service
}

// New returns the service.
func New(d *db.DB, charges *charge.Service) *Service { return &Service{db: d, charges: charges} }

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
	Kind    string       `json:"kind" enum:"topup,purchase,resale,refund,remittance_failed,cashout,goodwill,expiry,adjustment,chargeback,taken_back,debt,former_account" doc:"What moved the money"`
	CauseID uuid.UUID    `json:"cause_id" doc:"The top-up, the order or the purchase on the board that explains it"`
	Number  string       `json:"number" doc:"The order's, the top-up's or the purchase's, for people; empty where none explains it"`
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

const movements = `SELECT t.id, t.kind, t.cause_id,
			coalesce((SELECT number FROM orders WHERE id = t.cause_id), (SELECT reference FROM charge WHERE id = t.cause_id),
				(SELECT number FROM resale WHERE id = t.cause_id), ''), t.at, t.memo_th, t.memo_en,
			sum(CASE WHEN e.credit_id = $1 THEN e.amount_satang ELSE -e.amount_satang END)::bigint,
			(array_agg(CASE WHEN e.credit_id = $1 THEN e.credit_after_satang ELSE e.debit_after_satang END ORDER BY e.id DESC))[1]
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
		defer rows.Close()
		for rows.Next() {
			var m Movement
			if err := rows.Scan(&m.ID, &m.Kind, &m.CauseID, &m.Number, &m.At, &m.TitleTH, &m.TitleEN, &m.Amount, &m.After); err != nil {
				return err
			}
			page.Data = append(page.Data, m)
		}
		return rows.Err()
	})
	if len(page.Data) > limit {
		page.Data = page.Data[:limit]
		page.Next = &page.Data[limit-1].ID
	}
	return page, err
}
