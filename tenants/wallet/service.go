package wallet

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
)

// Service answers a customer about his wallet and lets money in.
type Service struct {
	db      *db.DB
	box     *secret.Box
	outside GatewayConfig

	purposes map[string]ChargeHandler
	settle   Settle
}

// New returns the service. purposes are what charges pay for beside top-ups; settle settles what a customer owes.
func New(d *db.DB, box *secret.Box, outside GatewayConfig, purposes map[string]ChargeHandler, settle Settle) *Service {
	return &Service{db: d, box: box, outside: outside, purposes: purposes, settle: settle}
}

// Balance of the customer's wallet.
func (s *Service) Balance(ctx context.Context, who token.Session) (balance money.Amount, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		balance, err = Balance(ctx, tx, who.Subject)
		return err
	})
	return balance, err
}

// Page of a wallet's movements, newest first. Next is the After of the page that follows, nil at the end.
type Page struct {
	Data []Movement `json:"data"`
	Next *uuid.UUID `json:"next" nullable:"true"`
}

const maxPage = 100

// Movements of the customer's wallet, newest first, at most limit (100 when it is out of range).
func (s *Service) Movements(ctx context.Context, who token.Session, limit int, after *uuid.UUID) (Page, error) {
	if limit < 1 || limit > maxPage {
		limit = maxPage
	}

	page := Page{Data: []Movement{}}
	err := s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, movements, AccountOf(Wallet, who.Subject).ID(tx.Org), after, limit+1)
		if err != nil {
			return fmt.Errorf("movements of %s: %w", who.Subject, err)
		}
		defer rows.Close()
		for rows.Next() {
			var m Movement
			if err := rows.Scan(&m.ID, &m.Kind, &m.CauseID, &m.At, &m.TitleTH, &m.TitleEN, &m.Amount, &m.After); err != nil {
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
