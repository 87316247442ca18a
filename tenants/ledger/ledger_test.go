package ledger_test

import (
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/ledger"
)

func TestTransfer(t *testing.T) {
	t.Run("a transfer moves money once, and keeps the wallet equal to its entries", func(t *testing.T) {
		b := newBook(t)
		ann := b.customer(t)
		given := b.give(t, ann, 500_00)

		spent := b.spend(t, ann, 120_00)

		require.NoError(t, spent)
		require.Equal(t, money.Amount(380_00), b.balance(t, ann))
		require.Equal(t, money.Amount(500_00), *b.after(t, given)[0][1])
		b.mustBalance(t)
	})

	t.Run("a transfer of more than the balance is refused, and leaves nothing", func(t *testing.T) {
		b := newBook(t)
		ann := b.customer(t)
		b.give(t, ann, 100_00)

		require.ErrorIs(t, b.spend(t, ann, 100_01), ledger.ErrInsufficient)
		require.ErrorIs(t, b.spend(t, b.customer(t), 1), ledger.ErrInsufficient, "a customer who never had money")

		require.Equal(t, money.Amount(100_00), b.balance(t, ann))
		b.mustBalance(t)
	})

	t.Run("an entry has each wallet's balance after it, and none for accounts without a wallet", func(t *testing.T) {
		b := newBook(t)
		ann, bee := b.customer(t), b.customer(t)
		b.give(t, ann, 500_00)
		b.give(t, bee, 7_00)
		ofAnn, ofBee := ledger.AccountOf(ledger.Wallet, ann), ledger.AccountOf(ledger.Wallet, bee)
		unearned, payable := ledger.SystemAccount(ledger.Unearned), ledger.SystemAccount(ledger.Payable)
		agent := ledger.AccountOf(ledger.CommissionPending, ann)
		require.NoError(t, b.server.DB.InOrg(t.Context(), b.org, func(tx db.Tx) error {
			tx.Queue(insertAgentType, ann, tx.Now)
			tx.Queue(insertAgent, ann, tx.Now)
			ledger.OpenAccounts(tx, agent)
			return nil
		}))
		type after = [2]*money.Amount
		at := func(satang money.Amount) *money.Amount { return &satang }
		for _, of := range []struct {
			postings []ledger.Posting
			after    []after
		}{
			{[]ledger.Posting{{ofAnn, unearned, 100_00}}, []after{{at(400_00), nil}}},
			{[]ledger.Posting{{unearned, payable, 60_00}}, []after{{}}},
			{[]ledger.Posting{{unearned, agent, 5_00}, {agent, payable, 1_00}}, []after{{}, {}}},
			{[]ledger.Posting{{unearned, ofBee, 3_00}}, []after{{nil, at(10_00)}}},
			{
				[]ledger.Posting{{ofAnn, ofBee, 50_00}, {unearned, payable, 2_00}, {ofAnn, unearned, 20_00}, {payable, ofBee, 1_00}},
				[]after{{at(350_00), at(60_00)}, {}, {at(330_00), nil}, {nil, at(61_00)}},
			},
		} {
			cause := ledger.Cause{Kind: "adjustment", ID: db.NewID()}
			require.NoError(t, b.transfer(t, cause, of.postings...))
			require.Equal(t, of.after, b.after(t, cause.ID))
		}
		b.mustBalance(t)
	})

	t.Run("a second transfer of one cause is refused", func(t *testing.T) {
		b := newBook(t)
		ann, cause := b.customer(t), ledger.Cause{Kind: "topup", ID: db.NewID()}
		pay := ledger.Posting{Debit: ledger.SystemAccount(ledger.GatewayOwn), Credit: ledger.AccountOf(ledger.Wallet, ann), Amount: 100_00}

		require.NoError(t, b.transfer(t, cause, pay))
		err := b.transfer(t, cause, pay)

		require.True(t, db.IsUnique(err, "transfer_once"), err)
		require.Equal(t, money.Amount(100_00), b.balance(t, ann))
	})

	t.Run("negative, huge and circular postings are refused", func(t *testing.T) {
		b := newBook(t)
		gateway, unearned := ledger.SystemAccount(ledger.GatewayOwn), ledger.SystemAccount(ledger.Unearned)
		for _, p := range []ledger.Posting{
			{Debit: gateway, Credit: unearned, Amount: -1},
			{Debit: gateway, Credit: unearned, Amount: money.Max + 1},
			{Debit: gateway, Credit: gateway, Amount: 1},
		} {
			require.Error(t, b.transfer(t, ledger.Cause{Kind: "topup", ID: db.NewID()}, p))
		}
	})

	t.Run("a transfer that spends what a later one of its batch brings is refused", func(t *testing.T) {
		b := newBook(t)
		ann := b.customer(t)
		b.give(t, ann, 40_00)
		wallet, unearned := ledger.AccountOf(ledger.Wallet, ann), ledger.SystemAccount(ledger.Unearned)
		takes := ledger.NewTransfer(ledger.Cause{Kind: "purchase", ID: db.NewID()}, ledger.Posting{Debit: wallet, Credit: unearned, Amount: 100_00})
		brings := ledger.NewTransfer(ledger.Cause{Kind: "expiry", ID: db.NewID()}, ledger.Posting{Debit: unearned, Credit: wallet, Amount: 70_00})

		err := b.server.DB.InOrg(t.Context(), b.org, func(tx db.Tx) error { return ledger.Post(tx, takes, brings) })

		require.ErrorContains(t, err, "entry_wallets_not_negative")
		require.Equal(t, money.Amount(40_00), b.balance(t, ann))
		b.mustBalance(t)
	})

	t.Run("twenty concurrent transfers from one wallet never overdraw it", func(t *testing.T) {
		b := newBook(t)
		ann := b.customer(t)
		b.give(t, ann, 1000_00)

		var wg sync.WaitGroup
		results := make([]error, 20)
		for i := range results {
			wg.Go(func() { results[i] = b.spend(t, ann, 100_00) })
		}
		wg.Wait()

		paid := 0
		for _, err := range results {
			if err == nil {
				paid++
			} else {
				require.ErrorIs(t, err, ledger.ErrInsufficient)
			}
		}
		require.Equal(t, 10, paid)
		require.Zero(t, b.balance(t, ann))
		b.mustBalance(t)
	})

	t.Run("transfers between two wallets in both directions do not deadlock", func(t *testing.T) {
		b := newBook(t)
		ann, bee := b.customer(t), b.customer(t)
		b.give(t, ann, 1000_00)
		b.give(t, bee, 1000_00)

		var wg sync.WaitGroup
		results := make([]error, 40)
		for i := range results {
			from, to := ledger.AccountOf(ledger.Wallet, ann), ledger.AccountOf(ledger.Wallet, bee)
			if i%2 == 1 {
				from, to = to, from
			}
			wg.Go(func() {
				results[i] = b.transfer(t, ledger.Cause{Kind: "adjustment", ID: db.NewID()}, ledger.Posting{Debit: from, Credit: to, Amount: 1_00})
			})
		}
		wg.Wait()

		for _, err := range results {
			require.NoError(t, err)
		}
		require.Equal(t, money.Amount(2000_00), b.balance(t, ann)+b.balance(t, bee))
		b.mustBalance(t)
	})
}

func TestLockedBalances(t *testing.T) {
	t.Run("the database refuses what Check has let through", func(t *testing.T) {
		b := newBook(t)
		ann := b.customer(t)
		b.give(t, ann, 100_00)
		wallet, unearned := ledger.AccountOf(ledger.Wallet, ann), ledger.SystemAccount(ledger.Unearned)
		spend := func() ledger.Transfer {
			return ledger.NewTransfer(ledger.Cause{Kind: "purchase", ID: db.NewID()}, ledger.Posting{Debit: wallet, Credit: unearned, Amount: 60_00})
		}

		err := b.server.DB.InOrg(t.Context(), b.org, func(tx db.Tx) error {
			locked := ledger.LockBalances(tx, []uuid.UUID{ann})
			if err := ledger.Post(tx, spend()); err != nil { // which locked does not know of
				return err
			}
			if err := tx.Flush(t.Context()); err != nil {
				return err
			}
			if err := locked.Debit(ann, spend()); err != nil {
				return err
			}
			locked.Save(tx)
			return nil
		})

		require.ErrorContains(t, err, "wallet_not_negative")
		require.Equal(t, money.Amount(100_00), b.balance(t, ann))
		b.mustBalance(t)
	})
}

// book is one organisation's ledger under test.
type book struct {
	server *dbtest.Server
	org    uuid.UUID
}

func newBook(t *testing.T) book {
	t.Helper()
	s := dbtest.Open(t)
	b := book{server: s, org: s.NewOrg(t)}
	require.NoError(t, s.DB.InOrg(t.Context(), b.org, func(tx db.Tx) error { return ledger.OpenSystemAccounts(t.Context(), tx) }))
	return b
}

const insertCustomer = `INSERT INTO customer (id, line_sub, display_name, refer_code, status, created_at, updated_at)
	VALUES ($1, $2, 'แอน', $2, 5, $3, $3)`

// An agent has the id of the customer he is, and his type as well.
const (
	insertAgentType = `INSERT INTO agent_type (id, name_th, name_en, rate_basis_points, matures, status, created_at, updated_at) VALUES ($1, 'ก', 'A', 100, 'sale', 5, $2, $2)`
	insertAgent     = `WITH payee AS (INSERT INTO payee (id, kind, created_at) VALUES ($1, 'agent', $2))
		INSERT INTO agent (id, customer_id, agent_type_id, state, created_at, updated_at) VALUES ($1, $1, $1, 'approved', $2, $2)`
)

func (b book) customer(t *testing.T) uuid.UUID {
	t.Helper()
	id := db.NewID()
	require.NoError(t, b.server.DB.InOrg(t.Context(), b.org, func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), insertCustomer, id, id.String(), tx.Now)
		return err
	}))
	return id
}

func (b book) transfer(t *testing.T, cause ledger.Cause, postings ...ledger.Posting) error {
	t.Helper()
	return b.server.DB.InOrg(t.Context(), b.org, func(tx db.Tx) error {
		if cause.Kind == "adjustment" {
			sum := money.Amount(0)
			for _, p := range postings {
				sum += p.Amount
			}
			tx.Queue(`INSERT INTO adjustment (id, amount_satang, reason, asked_by, approved_by, at) VALUES ($1, $2, 'fixture', $3, $4, $5)`,
				cause.ID, sum, db.NewID(), db.NewID(), tx.Now)
		}
		return ledger.Post(tx, ledger.NewTransfer(cause, postings...))
	})
}

// give puts money into a wallet by hand. It returns the transfer's cause.
func (b book) give(t *testing.T, customer uuid.UUID, amount money.Amount) (cause uuid.UUID) {
	t.Helper()
	cause = db.NewID()
	require.NoError(t, b.transfer(t, ledger.Cause{Kind: "adjustment", ID: cause},
		ledger.Posting{Debit: ledger.SystemAccount(ledger.Adjustment), Credit: ledger.AccountOf(ledger.Wallet, customer), Amount: amount}))
	return cause
}

func (b book) spend(t *testing.T, customer uuid.UUID, amount money.Amount) error {
	t.Helper()
	return b.transfer(t, ledger.Cause{Kind: "purchase", ID: db.NewID()},
		ledger.Posting{Debit: ledger.AccountOf(ledger.Wallet, customer), Credit: ledger.SystemAccount(ledger.Unearned), Amount: amount})
}

const afterEntries = `SELECT e.debit_after_satang, e.credit_after_satang FROM entry e JOIN transfer t ON t.id = e.transfer_id
	WHERE t.cause_id = $1 ORDER BY e.id`

// after is how a cause's entries say that the wallets of their two sides stand.
func (b book) after(t *testing.T, cause uuid.UUID) (list [][2]*money.Amount) {
	t.Helper()
	require.NoError(t, b.server.DB.InOrg(t.Context(), b.org, func(tx db.Tx) error {
		rows, err := tx.Query(t.Context(), afterEntries, cause)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (after [2]*money.Amount, err error) {
			err = row.Scan(&after[0], &after[1])
			return after, err
		})
		return err
	}))
	return list
}

func (b book) balance(t *testing.T, customer uuid.UUID) (balance money.Amount) {
	t.Helper()
	require.NoError(t, b.server.DB.InOrg(t.Context(), b.org, func(tx db.Tx) (err error) {
		balance, err = ledger.Balance(t.Context(), tx, customer)
		return err
	}))
	return balance
}

func (b book) mustBalance(t *testing.T) {
	t.Helper()
	require.Empty(t, b.audit(t))
}

func (b book) audit(t *testing.T) (findings []ledger.Finding) {
	t.Helper()
	require.NoError(t, b.server.DB.InOrg(t.Context(), b.org, func(tx db.Tx) (err error) {
		findings, err = ledger.Audit(t.Context(), tx)
		return err
	}))
	return findings
}
