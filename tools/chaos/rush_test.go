package chaos

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tools/harness"
)

// rushSize is how many people want a discount of which there are fewer uses.
type rushSize struct{ buyers, uses, kills int }

var (
	shortRush = rushSize{buyers: 30, uses: 6, kills: 2}
	longRush  = rushSize{buyers: 1000, uses: 100, kills: 6}
)

// TestRush: many people buy at once by one code of which there are fewer uses, while the API and Postgres are killed and started again. As many have it as
// there were uses; each of them has paid once and knows it, and everybody else has paid nothing and reads that it is used up.
func TestRush(t *testing.T) {
	t.Parallel()
	size, rushes := shortRush, begin(t, "rush", shortRush.buyers)
	if rushes.commit != "" {
		size = longRush
	}
	v := newVictim(t, "1651000005", "1651000005")
	for rushes.more() {
		rushes.round(func(t *testing.T, part *result) {
			v.T = t
			v.rush(part, size)
			part.Did = size.buyers
		})
	}
}

func (v *victim) rush(part *result, size rushSize) {
	dice, code := rand.New(rand.NewPCG(part.Seed, 7)), fmt.Sprint("RUSH", part.Seed)
	discount := v.shop.Discount(code, crowdLess, &size.uses)
	c := &crowd{Organisation: v.shop}
	for i := range size.buyers {
		require.NoError(v.T, v.shop.ForgetLimits()) // all of them come from one address
		p := &person{of: c, phone: v.shop.Customer(fmt.Sprintf("rush %d-%d", part.Seed, i))}
		v.shop.FundWallet(p.phone, crowdTopUp)
		_, cart := v.shop.QuoteFor(p.phone, code)
		p.codes = body(cart)
		c.people = append(c.people, p)
	}

	var answered atomic.Int64
	refusals, orders := make([]string, size.buyers), make([]harness.Order, size.buyers)
	for i, p := range c.people {
		c.gone.Go(func() {
			refusals[i], p.failed = p.ask(p.phone, "/api/user/order/confirm", p.codes, &orders[i])
			answered.Add(1)
		})
	}
	// Each kill comes when some more were answered.
	for n := range size.kills {
		for began := time.Now(); answered.Load() < int64(size.buyers*n/(size.kills+1)) && time.Since(began) < timeout; {
			time.Sleep(time.Millisecond)
		}
		process := []string{"api", "postgres"}[dice.IntN(2)]
		part.count("kill of "+process, 1)
		if process == "api" {
			v.APIs[0].Kill()
			v.Again(v.APIs[0])
			continue
		}
		require.NoError(v.T, v.Postgres.Crash(v.T.Context()))
	}
	c.gone.Wait()

	winners := []uuid.UUID{}
	for i, p := range c.people {
		require.NoError(v.T, p.failed)
		spent := crowdTopUp - p.phone.Balance()
		if refusals[i] == "" {
			winners = append(winners, orders[i].ID)
			require.EqualValues(v.T, crowdPrice-crowdLess, spent, "who has it has paid once")
			continue
		}
		require.Equal(v.T, "discount.used_up", refusals[i])
		require.Zero(v.T, spent, "who has it not has paid nothing")
	}
	require.Len(v.T, winners, size.uses)
	require.ElementsMatch(v.T, winners, v.ordersWith(discount))
	part.took("until every answer was known", c.longest())
	require.Contains(v.T, v.Must("audit", "ledger", v.shop.Unique), "the books balance")
}

const ordersWith = `SELECT u.order_id FROM discount_use u JOIN discount_count n ON n.discount_id = u.discount_id AND n.used = n.uses WHERE u.discount_id = $1 AND u.freed_at IS NULL`

// ordersWith returns the orders that have a discount of which nothing is left.
func (v *victim) ordersWith(discount uuid.UUID) (orders []uuid.UUID) {
	require.NoError(v.T, v.shop.DB.InOrg(v.T.Context(), v.shop.ID, func(tx db.Tx) error {
		rows, err := tx.Query(v.T.Context(), ordersWith, discount)
		if err != nil {
			return err
		}
		orders, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		return err
	}))
	return orders
}
