package overview

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
)

// WalletFilter narrows the wallets of all organisations.
type WalletFilter struct {
	Search string     `json:"search,omitempty" required:"false" maxLength:"80" doc:"How a customer's name begins; then they are ordered by name"`
	Org    *uuid.UUID `json:"org_id,omitempty" required:"false" doc:"Only of this organisation"`
	Sort   string     `json:"sort,omitempty" required:"false" enum:"-wallet,-debt" doc:"By what the wallet holds, if nothing else is said; or by what its customer owes, and then only who owes"`
}

// WalletInput asks for a page of wallets.
type WalletInput struct {
	WalletFilter
	Page
}

// WalletPage is a page of wallets.
type WalletPage struct {
	CustomerPage
	Total money.Amount `json:"total_satang" doc:"In the wallets of all organisations, or of the one"`
}

// inAllWallets is what organisations' books held for their customers when they were last seen.
const inAllWallets = `SELECT coalesce(sum(wallet_satang), 0)::bigint FROM overview WHERE $1::uuid IS NULL OR org_id = $1`

func (f WalletFilter) order() order[Customer] {
	search := strings.TrimSpace(f.Search)
	switch {
	case search != "":
		return byName(search)
	case f.Sort == "-debt":
		return byDebt
	}
	return byWallet
}

// Wallets returns a page of the wallets of all organisations, or of one.
func (s *Service) Wallets(ctx context.Context, in WalletInput) (p WalletPage, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) (err error) {
		if p.Data, p.Next, err = in.order().page(ctx, tx, in.Org, in.Page); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, inAllWallets, in.Org).Scan(&p.Total); err != nil {
			return err
		}
		return tx.QueryRow(ctx, seenSums).Scan(&p.Seen.Organisations, &p.Seen.Missing, &p.Seen.Oldest)
	})
	if err != nil {
		return p, fmt.Errorf("wallets of all organisations: %w", err)
	}
	return p, nil
}

// WalletFile writes what is found of wallets into a csv file, and records that it did.
func (s *Service) WalletFile(ctx context.Context, who auditlog.Actor, lang string, f WalletFilter) (file File, err error) {
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		file, err = f.order().file(ctx, tx, f.Org, fileList[Customer]{
			who: who, table: "overview_wallet", name: "wallets.csv", lang: lang, filter: f, columns: customerColumnsOfFile,
			cells: func(c Customer) []any { return c.cells(lang) },
		})
		return err
	})
	if err != nil {
		return file, fmt.Errorf("file of wallets: %w", err)
	}
	return file, nil
}

// WalletRecord is a customer's wallet as his organisation has it now.
type WalletRecord struct {
	Name     string       `json:"name"`
	Wallet   money.Amount `json:"wallet_satang"`
	Debt     money.Amount `json:"debt_satang"`
	ToppedUp money.Amount `json:"topped_up_satang" doc:"By top-ups, ever"`
	Paid     money.Amount `json:"paid_satang" doc:"Out of it for orders, ever"`
	Moved    *time.Time   `json:"moved_at" doc:"When something last moved, UTC; null if nothing ever did"`
}

const walletOf = `SELECT c.display_name, coalesce(w.balance_satang, 0), c.debt_satang, coalesce(m.topped_up, 0)::bigint, coalesce(m.paid, 0)::bigint, m.at
	FROM customer c LEFT JOIN wallet w ON w.customer_id = c.id
		LEFT JOIN LATERAL (SELECT max(t.at) AS at,
				sum(e.amount_satang) FILTER (WHERE t.kind = 'topup' AND e.credit_id = w.account_id) AS topped_up,
				sum(e.amount_satang) FILTER (WHERE t.kind = 'purchase' AND e.debit_id = w.account_id) AS paid
			FROM entry e JOIN transfer t ON t.id = e.transfer_id WHERE e.credit_id = w.account_id OR e.debit_id = w.account_id) m ON true
	WHERE c.id = $1 AND c.status <> $2`

// Wallet returns a customer's wallet as his organisation has it now. Who looked stands in the organisation's audit log. It returns org.ErrNotFound or
// ErrNoCustomer.
func (s *Service) Wallet(ctx context.Context, who auditlog.Actor, in ByCustomer) (r WalletRecord, err error) {
	if err := s.find(ctx, in.Org); err != nil {
		return r, err
	}
	err = s.db.InOrg(ctx, in.Org, func(tx db.Tx) error {
		err := tx.QueryRow(ctx, walletOf, in.ID, erased).Scan(&r.Name, &r.Wallet, &r.Debt, &r.ToppedUp, &r.Paid, &r.Moved)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNoCustomer
		}
		if err != nil {
			return fmt.Errorf("wallet of %s: %w", in.ID, err)
		}
		return auditlog.Record(ctx, tx, who, "look", "wallet/"+in.ID.String(), nil, nil)
	})
	return r, err
}
