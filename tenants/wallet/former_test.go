package wallet_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/wallet"
)

// fixture is an organisation where ann has erased herself and has signed in again; bee is another customer.
type fixture struct {
	*tenanttest.World
	was, is, bee token.Session
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	w := tenanttest.New(t)
	people := customer.New(w.DB, w.Box(), refund.Settle)
	signIn := func(sub string) token.Session {
		id, err := people.SignIn(t.Context(), w.Org, customer.LINEIdentity{Subject: sub})
		require.NoError(t, err)
		return token.Session{Audience: token.User, Org: w.Org, Subject: id}
	}
	c := fixture{World: w, was: signIn("U-ann"), bee: signIn("U-bee")}
	w.Clock.Advance(time.Second)
	w.In(func(ctx context.Context, tx db.Tx) error { return people.Erase(ctx, tx, c.was.Subject) })
	w.Clock.Advance(time.Second)
	c.is = signIn("U-ann")
	w.Clock.Advance(time.Second)
	w.MustBalance()
	return c
}

// fill puts money into a wallet by hand.
func (c fixture) fill(ctx context.Context, tx db.Tx, who token.Session, amount money.Amount) error {
	id := db.NewID()
	if _, err := tx.Exec(ctx, `INSERT INTO adjustment (id, amount_satang, reason, asked_by, approved_by, at) VALUES ($1, $2, 'fixture', $1, $3, now())`, id, amount, db.NewID()); err != nil {
		return err
	}
	return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "adjustment", ID: id},
		ledger.Posting{Debit: ledger.SystemAccount(ledger.Adjustment), Credit: ledger.AccountOf(ledger.Wallet, who.Subject), Amount: amount}))
}

// move does what MoveFormer does, with any two, for any cause.
func (c fixture) move(from, to token.Session, cause uuid.UUID, amount money.Amount) error {
	return c.DB.InOrg(context.Background(), c.Org, func(tx db.Tx) error {
		return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "former_account", ID: cause},
			ledger.Posting{Debit: ledger.AccountOf(ledger.Wallet, from.Subject), Credit: ledger.AccountOf(ledger.Wallet, to.Subject), Amount: amount}))
	})
}

// filledBy is the transfer that put money into a wallet last.
func (c fixture) filledBy(who token.Session) (id uuid.UUID) {
	c.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT transfer_id FROM entry WHERE credit_id = $1 ORDER BY id DESC LIMIT 1`, ledger.AccountOf(ledger.Wallet, who.Subject).ID(tx.Key)).Scan(&id)
	})
	return id
}

// TestMoveFormer: money that comes to a former customer's wallet is moved to his new wallet, once.
func TestMoveFormer(t *testing.T) {
	t.Run("the next settlement moves a former wallet's money", func(t *testing.T) {
		c := newFixture(t)
		for i := range 3 {
			c.In(func(ctx context.Context, tx db.Tx) error {
				if err := c.fill(ctx, tx, c.was, 100_00); err != nil {
					return err
				}
				return refund.Settle(ctx, tx, c.was.Subject, true)
			})
			require.Zero(t, c.Balance(c.was))
			require.Equal(t, money.Amount(i+1)*100_00, c.Balance(c.is))
			c.MustBalance()
		}
		require.Zero(t, c.Balance(c.bee))
	})

	t.Run("concurrent calls move a former wallet's money once", func(t *testing.T) {
		c := newFixture(t)
		c.In(func(ctx context.Context, tx db.Tx) error { return c.fill(ctx, tx, c.was, 100_00) })
		var group sync.WaitGroup
		moved, failed := make([]bool, 8), make([]error, 8)
		for i := range moved {
			group.Go(func() {
				failed[i] = c.DB.InOrg(context.Background(), c.Org, func(tx db.Tx) (err error) {
					moved[i], err = wallet.MoveFormer(context.Background(), tx, []uuid.UUID{c.was.Subject}, c.is.Subject)
					return err
				})
			})
		}
		group.Wait()
		times := 0
		for i := range moved {
			require.NoError(t, failed[i])
			if moved[i] {
				times++
			}
		}
		require.Equal(t, 1, times)
		require.Equal(t, money.Amount(100_00), c.Balance(c.is))
	})

	t.Run("the database refuses to move one credit twice", func(t *testing.T) {
		c := newFixture(t)
		c.In(func(ctx context.Context, tx db.Tx) error {
			if err := c.fill(ctx, tx, c.was, 100_00); err != nil {
				return err
			}
			return refund.Settle(ctx, tx, c.was.Subject, true)
		})
		cause := c.filledBy(c.was)
		c.In(func(ctx context.Context, tx db.Tx) error { return c.fill(ctx, tx, c.was, 100_00) })
		require.Equal(t, "23505", db.SQLState(c.move(c.was, c.is, cause, 100_00)))
		require.Equal(t, money.Amount(100_00), c.Balance(c.is))
	})

	t.Run("MoveFormer without a former customer moves nothing", func(t *testing.T) {
		c := newFixture(t)
		c.In(func(ctx context.Context, tx db.Tx) error {
			moved, err := wallet.MoveFormer(ctx, tx, nil, c.is.Subject)
			require.False(t, moved)
			return err
		})
	})
}

// TestAuditOfFormer: such a movement is from a former customer to whom he came again as, of all that he had, and nothing stays.
func TestAuditOfFormer(t *testing.T) {
	const rule = "money of a former account goes to whom its owner came again as, all of it, and none stays there"
	for name, cheat := range map[string]func(t *testing.T, c fixture){
		"the money stays": func(_ *testing.T, c fixture) {
			c.In(func(ctx context.Context, tx db.Tx) error { return c.fill(ctx, tx, c.was, 100_00) })
		},
		"some of the money stays": func(t *testing.T, c fixture) {
			c.In(func(ctx context.Context, tx db.Tx) error { return c.fill(ctx, tx, c.was, 100_00) })
			require.NoError(t, c.move(c.was, c.is, c.filledBy(c.was), 99_99))
		},
		"the money goes to another customer": func(t *testing.T, c fixture) {
			c.In(func(ctx context.Context, tx db.Tx) error { return c.fill(ctx, tx, c.was, 100_00) })
			require.NoError(t, c.move(c.was, c.bee, c.filledBy(c.was), 100_00))
		},
		"the money comes from a customer who is not erased": func(t *testing.T, c fixture) {
			c.In(func(ctx context.Context, tx db.Tx) error { return c.fill(ctx, tx, c.bee, 100_00) })
			require.NoError(t, c.move(c.bee, c.is, c.filledBy(c.bee), 100_00))
		},
		"the money goes back to the former wallet": func(t *testing.T, c fixture) {
			c.In(func(ctx context.Context, tx db.Tx) error { return c.fill(ctx, tx, c.is, 100_00) })
			require.NoError(t, c.move(c.is, c.was, c.filledBy(c.is), 100_00))
		},
		"the cause of the movement does not exist": func(t *testing.T, c fixture) {
			c.In(func(ctx context.Context, tx db.Tx) error { return c.fill(ctx, tx, c.was, 100_00) })
			require.NoError(t, c.move(c.was, c.is, db.NewID(), 100_00))
		},
		"the cause of the movement filled another wallet": func(t *testing.T, c fixture) {
			c.In(func(ctx context.Context, tx db.Tx) error { return c.fill(ctx, tx, c.was, 100_00) })
			c.In(func(ctx context.Context, tx db.Tx) error { return c.fill(ctx, tx, c.bee, 100_00) })
			require.NoError(t, c.move(c.was, c.is, c.filledBy(c.bee), 100_00))
		},
		"the movement is later than its cause": func(t *testing.T, c fixture) {
			c.In(func(ctx context.Context, tx db.Tx) error { return c.fill(ctx, tx, c.was, 100_00) })
			cause := c.filledBy(c.was)
			c.Clock.Advance(time.Minute)
			require.NoError(t, c.move(c.was, c.is, cause, 100_00))
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newFixture(t)
			cheat(t, c)
			var findings []ledger.Finding
			c.In(func(ctx context.Context, tx db.Tx) (err error) {
				findings, err = ledger.Audit(ctx, tx, wallet.Rules...)
				return err
			})
			require.NotEmpty(t, findings)
			for _, f := range findings {
				require.Equal(t, rule, f.Rule, "%v", findings)
			}
		})
	}
}
