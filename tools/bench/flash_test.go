package bench

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
)

// BenchmarkFlash: everybody buys the same package, whose stock is counted, against the transaction that a first version
// would have: statement by statement, its row of stock locked first, every balance kept in a row.
func BenchmarkFlash(b *testing.B) {
	const clients, stock = 32, 1_000_000
	s := open(b, "flash", "1650000103", 0)
	pieces := stock
	s.Sell(price, &pieces)
	for n := range 2 * clients {
		s.buyers = append(s.buyers, s.buyer(fmt.Sprintf("Uflash%d", n)))
	}
	ours := s.Package
	s.Sell(price, &pieces)
	naive := make([]*naiveShop, clients)
	balances := s.keepBalances()
	for i := range naive {
		naive[i] = &naiveShop{shop: s, conn: s.connect(), kind: db.NewID(), balances: balances}
	}
	c := compare(b, clients,
		func(n int) error { return naive[n].purchase(s.buyers[clients+n]) },
		s.goOn(func(n int) error { return s.buy(s.buyers[n]) }))
	s.MustBalance() // the yardstick's books as well
	var sold, lines int
	require.NoError(b, naive[0].conn.QueryRow(b.Context(), `SELECT s.sold, (SELECT sum(quantity) FROM order_line l WHERE l.package_id = s.package_id)
		FROM stock s WHERE s.package_id = $1`, ours).Scan(&sold, &lines))
	require.Equal(b, lines, sold, "the stock is exact")

	atLeast("flash sale: one package over HTTP ÷ the naive transaction, 32 buyers", 4, "", c.speed, c.String())
	atMost("the same, its p99 ÷ naive p99", 0.2, "", c.slowest, fmt.Sprintf("%d sold, stock exact", sold))
}

// naiveShop is the first version.
type naiveShop struct {
	*shop
	conn     *pgx.Conn
	kind     uuid.UUID
	balances pgx.Identifier
}

// keepBalances makes the table that the naive way keeps the house's balances in.
func (s *shop) keepBalances() pgx.Identifier {
	s.T.Helper()
	owner, err := pgx.Connect(s.T.Context(), s.OwnURL)
	require.NoError(s.T, err)
	defer owner.Close(context.WithoutCancel(s.T.Context()))
	table := pgx.Identifier{s.schema, "bench_balance"}
	for _, sql := range []string{
		`CREATE TABLE ` + table.Sanitize() + ` (kind text PRIMARY KEY, satang bigint NOT NULL)`,
		`INSERT INTO ` + table.Sanitize() + ` VALUES ('unearned', 0), ('platform_fee', 0)`,
		`GRANT SELECT, UPDATE ON ` + table.Sanitize() + ` TO ` + s.schema,
	} {
		_, err := owner.Exec(s.T.Context(), sql)
		require.NoError(s.T, err)
	}
	return table
}

func (s *naiveShop) purchase(who buyer) error {
	ctx, now, order, transfer := s.T.Context(), time.Now(), db.NewID(), db.NewID()
	purse := wallet.Of(wallet.Wallet, who.id).ID(s.ID)
	return pgx.BeginFunc(ctx, s.conn, func(tx pgx.Tx) error {
		var left, balance int64
		if err := tx.QueryRow(ctx, `SELECT quantity - sold FROM stock WHERE package_id = $1 FOR UPDATE`, s.Package).Scan(&left); err != nil || left < 1 {
			return fmt.Errorf("%d left: %w", left, err)
		}
		if err := tx.QueryRow(ctx, `SELECT balance_satang FROM wallet WHERE account_id = $1 FOR UPDATE`, purse).Scan(&balance); err != nil || balance < price {
			return fmt.Errorf("%d in the wallet: %w", balance, err)
		}
		for _, statement := range []struct {
			sql  string
			args []any
		}{
			{`UPDATE stock SET sold = sold + 1 WHERE package_id = $1`, []any{s.Package}},
			{`INSERT INTO idempotency (actor, operation, key, request_hash, result_id, at) VALUES ($1, 'order.confirm', $2, $3, $4, $5)`, []any{who.id, uuid.NewString(), order[:], order, now}},
			{`INSERT INTO orders (id, number, customer_id, state, sale_channel, total_satang, platform_fee_satang, commission_satang, quote_hash, created_at, paid_at)
				VALUES ($1, $2, $3, 'paid', 2, $4, $5, 0, 'naive', $6, $6)`, []any{order, voucher.Code(10), who.id, price, fee, now}},
			{`INSERT INTO order_line (order_id, position, package_id, name_th, name_en, quantity, unit_satang, amount_satang)
				VALUES ($1, 0, $2, 'แพ็ก', 'Pack of 3', 1, $3, $3)`, []any{order, s.Package, price}},
			{`UPDATE wallet SET balance_satang = balance_satang - $2, updated_at = $3 WHERE account_id = $1`, []any{purse, price, now}},
			{`INSERT INTO transfer (id, kind, cause_id, day, at) VALUES ($1, 'purchase', $2, ($3::timestamptz AT TIME ZONE 'Asia/Bangkok')::date, $3)`, []any{transfer, order, now}},
			{
				`INSERT INTO entry (id, transfer_id, debit_id, credit_id, amount_satang, debit_after_satang) VALUES ($1, $2, $3, $4, $5, $6)`,
				[]any{db.NewID(), transfer, purse, wallet.House(wallet.Unearned).ID(s.ID), price - fee, balance - price + fee},
			},
			{
				`INSERT INTO entry (id, transfer_id, debit_id, credit_id, amount_satang, debit_after_satang) VALUES ($1, $2, $3, $4, $5, $6)`,
				[]any{db.NewID(), transfer, purse, wallet.House(wallet.PlatformFee).ID(s.ID), fee, balance - price},
			},
			{`UPDATE ` + s.balances.Sanitize() + ` SET satang = satang + $1 WHERE kind = 'unearned'`, []any{price - fee}},
			{`UPDATE ` + s.balances.Sanitize() + ` SET satang = satang + $1 WHERE kind = 'platform_fee'`, []any{fee}},
			{
				`INSERT INTO voucher (id, code, order_id, line_position, template_id, version_id, kind, name_th, name_en, owner_id, state,
				items_total, items_left, share_satang, valid_until, transfer_rule, expiry_rule, vat_point, issued_at, updated_at)
				VALUES ($1, $2, $3, 0, $4, $4, 'item', 'นวด', 'Massage', $5, 'ready', 3, 3, $6, $7, 'none', 'breakage', 'use', $8, $8)`,
				[]any{db.NewID(), voucher.Code(10), order, s.kind, who.id, price - fee, now.AddDate(0, 0, 90), now},
			},
			{`INSERT INTO outbox (id, kind, payload, due_at, done_at) VALUES ($1, 'notice', '{"job": {}}', $2, $2)`, []any{db.NewID(), now}},
		} {
			if _, err := tx.Exec(ctx, statement.sql, statement.args...); err != nil {
				return err
			}
		}
		return nil
	})
}
