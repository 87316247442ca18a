package bench

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
)

// BenchmarkFlash: everybody buys the same package, whose stock is counted, against the transaction that a first version
// would have: statement by statement, its row of stock locked first, every balance kept in a row. A second version would send the
// same statements together and lock that row last; what is left against that has no goal.
func BenchmarkFlash(b *testing.B) {
	const clients, stock = 32, 1_000_000
	s := open(b, "flash", "1650000103", 0)
	pieces := stock
	for _, side := range []string{"ours", "naive"} {
		s.Sell(price, &pieces)
		for n := range clients {
			s.buyers = append(s.buyers, s.buyer(fmt.Sprintf("Uflash%s%d", side, n)))
		}
	}
	naive := make([]*naiveShop, clients)
	balances := s.keepBalances()
	for i := range naive {
		naive[i] = &naiveShop{shop: s, conn: s.connect(), balances: balances}
	}
	ours := s.goOn(func(n int) error { return s.buy(s.buyers[n]) })
	c := compare(b, clients, func(n int) error { return naive[n].purchase(s.buyers[clients+n]) }, ours)
	sold := s.sold(naive[0].conn, s.buyers[0].pack)
	quicker := compare(b, clients, func(n int) error { return naive[n].purchaseAtOnce(s.buyers[clients+n]) }, ours)
	s.MustBalance() // the yardstick's books as well
	for _, who := range []buyer{s.buyers[0], s.buyers[clients]} {
		s.sold(naive[0].conn, who.pack)
	}

	atLeast("flash sale: one package over HTTP ÷ the naive transaction, 32 buyers", 4, "", c.speed, c.String())
	atMost("the same, its p99 ÷ naive p99", 0.2, "", c.slowest, fmt.Sprintf("%d sold, stock exact", sold))
	noted("the same ÷ the naive statements in one round trip, the row of stock last", "", quicker.speed, "begin and commit are round trips of their own; "+quicker.String())
}

// sold is how many pieces the stock says are sold, which the orders say too.
func (s *shop) sold(conn *pgx.Conn, pack uuid.UUID) (sold int) {
	s.T.Helper()
	var lines int
	require.NoError(s.T, conn.QueryRow(s.T.Context(), `SELECT s.sold, (SELECT sum(quantity) FROM order_line l WHERE l.package_id = s.package_id)
		FROM stock s WHERE s.package_id = $1`, pack).Scan(&sold, &lines))
	require.Equal(s.T, lines, sold, "the stock is exact")
	return sold
}

// naiveShop is the first version, and the second.
type naiveShop struct {
	*shop
	conn     *pgx.Conn
	balances pgx.Identifier
}

// keepBalances makes the table that the naive way keeps the balances of system accounts in.
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

// purchase holds the row of stock from its first statement until the commit.
func (s *naiveShop) purchase(who buyer) error {
	ctx := s.T.Context()
	return pgx.BeginFunc(ctx, s.conn, func(tx pgx.Tx) error {
		var left, balance int64
		if err := tx.QueryRow(ctx, `SELECT quantity - sold FROM stock WHERE package_id = $1 FOR UPDATE`, who.pack).Scan(&left); err != nil || left < 1 {
			return fmt.Errorf("%d left: %w", left, err)
		}
		if err := tx.QueryRow(ctx, `SELECT balance_satang FROM wallet WHERE account_id = $1 FOR UPDATE`, s.wallet(who)).Scan(&balance); err != nil || balance < price {
			return fmt.Errorf("%d in the wallet: %w", balance, err)
		}
		for _, statement := range s.statements(who).QueuedQueries {
			if err := wrote(tx.Exec(ctx, statement.SQL, statement.Arguments...)); err != nil {
				return err
			}
		}
		return nil
	})
}

// purchaseAtOnce holds it for the last statement and the commit.
func (s *naiveShop) purchaseAtOnce(who buyer) error {
	ctx, statements := s.T.Context(), s.statements(who)
	return pgx.BeginFunc(ctx, s.conn, func(tx pgx.Tx) (err error) {
		answers := tx.SendBatch(ctx, statements)
		for range statements.Len() {
			err = errors.Join(err, wrote(answers.Exec()))
		}
		return errors.Join(err, answers.Close())
	})
}

// wrote returns an error for a statement that did not find its row: the stock or the wallet has too little.
func wrote(tag pgconn.CommandTag, err error) error {
	if err == nil && tag.RowsAffected() != 1 {
		return fmt.Errorf("%s: not one row", tag)
	}
	return err
}

// statements write a purchase, a row each. Those for whose rows everybody waits come last.
func (s *naiveShop) statements(who buyer) *pgx.Batch {
	var batch pgx.Batch
	s.write(&batch, who)
	batch.Queue(`UPDATE `+s.balances.Sanitize()+` SET satang = satang + $1 WHERE kind = 'unearned'`, price-fee)
	batch.Queue(`UPDATE `+s.balances.Sanitize()+` SET satang = satang + $1 WHERE kind = 'platform_fee'`, fee)
	batch.Queue(`UPDATE stock SET sold = sold + 1 WHERE package_id = $1 AND sold < quantity`, who.pack)
	return &batch
}
