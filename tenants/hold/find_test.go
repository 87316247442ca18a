package hold_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/bank"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/hold"
	"welovevoucher/tenants/tenanttest"
)

func TestSameAsTheAgent(t *testing.T) {
	t.Run("card", func(t *testing.T) {
		o := atSale(t)
		o.Visit(o.ann, o.agent, o.pkg)
		o.Clock.Advance(time.Minute)
		sold := o.paysByCard(o.ann, "one")
		o.paysByCard(o.nok, "other")
		require.Empty(t, o.found(), "another card")
		o.paysByCard(o.nok, "one")
		require.Equal(t, map[uuid.UUID][]hold.Signal{sold: {hold.Card}}, o.found())
		var row hold.Row
		o.In(func(ctx context.Context, tx db.Tx) (err error) {
			row, err = hold.Holds.Detail(ctx, tx, o.holdOf(sold))
			return err
		})
		require.Equal(t, []any{"4242", money.Amount(90_00), o.agent}, []any{row.Digits, row.Amount, row.Payee})
		o.releases(o.holdOf(sold))
		require.Empty(t, o.found(), "what was released is not held anew for the same")
		o.MustBalance()
		o.In(func(_ context.Context, tx db.Tx) error {
			charge.ForgetCards(tx, o.nok.Subject)
			return nil
		})
		require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM charge WHERE card_index IS NOT NULL`), "an erasure forgets them")
	})

	t.Run("account", func(t *testing.T) {
		o := atSale(t)
		sold := o.sells(o.ann, time.Minute)
		names := func(who token.Session, number string) {
			o.In(func(ctx context.Context, tx db.Tx) error {
				_, err := bank.Name(ctx, tx, o.Box(), who.Subject, &bank.Account{Bank: o.form.Bank, Number: number, Name: "แอน"})
				return err
			})
		}
		names(o.ann, "1112223334")
		require.Empty(t, o.found())
		names(o.ann, o.form.Number)
		require.Equal(t, map[uuid.UUID][]hold.Signal{sold: {hold.Account}}, o.found())
	})

	t.Run("mobile", func(t *testing.T) {
		o := atSale(t)
		sold := o.sells(o.ann, time.Minute)
		says := func(who token.Session, number string) {
			index, err := customer.MobileIndex(o.Box(), o.Key, number)
			require.NoError(t, err)
			o.Force(`UPDATE customer SET mobile = '\x00', mobile_index = $2 WHERE id = $1`, who.Subject, index)
		}
		says(o.ann, "0899999990")
		says(o.nok, "0899999991")
		require.Empty(t, o.found())
		says(o.ann, o.form.Mobile)
		require.Equal(t, map[uuid.UUID][]hold.Signal{sold: {hold.Mobile}}, o.found(), "that of his form")
		o.releases(o.holdOf(sold))
		other := o.sells(o.Customer(900_00), time.Minute)
		o.Force(`UPDATE customer SET mobile = '\x00', mobile_index = (SELECT mobile_index FROM customer WHERE id = $1) WHERE id = (SELECT customer_id FROM orders WHERE id = $2)`, o.nok.Subject, other)
		require.Equal(t, map[uuid.UUID][]hold.Signal{other: {hold.Mobile}}, o.found(), "that of his account")
	})

	t.Run("device", func(t *testing.T) {
		o := atSale(t)
		sold := o.sells(o.ann, time.Minute)
		signsIn := func(audience token.Audience, who token.Session, browser string) {
			_, err := o.Session.Open(t.Context(), audience, o.Org, who.Subject, browser)
			require.NoError(t, err)
		}
		signsIn(token.User, o.ann, "")
		signsIn(token.Agent, o.nok, "")
		signsIn(token.User, o.ann, "phone")
		signsIn(token.Agent, o.nok, "tablet")
		require.Empty(t, o.found(), "no browser is no device")
		signsIn(token.Agent, o.nok, "phone")
		require.Equal(t, map[uuid.UUID][]hold.Signal{sold: {hold.Device}}, o.found())
	})

	t.Run("a sale of more than thirty days ago is not looked at", func(t *testing.T) {
		o := atSale(t)
		o.sells(o.ann, time.Minute)
		o.Force(`UPDATE customer SET mobile = '\x00', mobile_index = '\x01' WHERE id IN ($1, $2)`, o.ann.Subject, o.nok.Subject)
		o.Clock.Advance(30*24*time.Hour + time.Second)
		require.Empty(t, o.found())
	})
}

func TestRefundsSoonAfterMaturity(t *testing.T) {
	const days = 24 * time.Hour
	for name, c := range map[string]struct {
		sold, back int
		after      time.Duration // from when it matured until it was taken back
		held       bool
	}{
		"three of fifteen, after three days":  {15, 3, 3*days - time.Hour, true}, // 20 %
		"three of four, at once":              {4, 3, 0, true},
		"two of four":                         {4, 2, days, false},
		"three of sixteen":                    {16, 3, days, false}, // 18.75 %
		"three of four, more than three days": {4, 3, 3*days + time.Second, false},
	} {
		t.Run(name, func(t *testing.T) {
			o := atSale(t)
			o.Visit(o.ann, o.agent, o.pkg)
			o.Clock.Advance(time.Minute)
			var orders []uuid.UUID
			for range c.sold {
				orders = append(orders, o.orderOf(o.MustBuy(o.ann, o.pkg).ID))
			}
			o.Mature()
			o.Clock.Advance(c.after)
			for _, order := range orders[:c.back] {
				o.refunds(order, 3)
			}
			found := o.found()
			if !c.held {
				require.Empty(t, found)
				return
			}
			require.Len(t, found, c.sold-c.back, "all of his open orders")
			for _, order := range orders[c.back:] {
				require.Equal(t, []hold.Signal{hold.Refunds}, found[order])
				o.releases(o.holdOf(order))
			}
			require.Empty(t, o.found(), "the same refunds hold nothing anew")
			o.sells(o.ann, time.Minute)
			require.Empty(t, o.found(), "nor what was sold since")
			o.MustBalance()
		})
	}
}

func TestLinksOfMachines(t *testing.T) {
	t.Run("paid at once", func(t *testing.T) {
		o := atSale(t)
		wait := func(order uuid.UUID, since string) {
			o.Force(`UPDATE orders SET link_opened_at = paid_at - $2::interval WHERE id = $1`, order, since)
		}
		one, two, three := o.sells(o.ann, time.Minute), o.sells(o.ann, time.Minute), o.sells(o.ann, time.Minute)
		require.Empty(t, o.found())
		wait(one, "0 seconds")
		wait(two, "4.999999 seconds")
		wait(three, "5 seconds")
		require.Empty(t, o.found(), "twice")
		wait(three, "4.999999 seconds")
		require.Equal(t, map[uuid.UUID][]hold.Signal{one: {hold.PaidAtOnce}, two: {hold.PaidAtOnce}, three: {hold.PaidAtOnce}}, o.found())
	})

	t.Run("many opens", func(t *testing.T) {
		o := atSale(t)
		o.Visit(o.ann, o.agent, o.pkg)
		minute := o.Clock.Now().Truncate(time.Minute)
		sold := o.sells(o.ann, 20*time.Second)
		opens := func(n int) {
			o.Force(`INSERT INTO link_minute (link_id, minute, opens) SELECT link_id, $2, $3 FROM orders WHERE id = $1 ON CONFLICT (link_id, minute) DO UPDATE SET opens = excluded.opens`, sold, minute, n)
		}
		opens(30)
		require.Empty(t, o.found())
		opens(31)
		require.Equal(t, map[uuid.UUID][]hold.Signal{sold: {hold.ManyOpens}}, o.found())
		o.Clock.Advance(25 * time.Hour)
		o.find()
		require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM link_minute`), "a busy minute is kept")
		opens(30)
		o.find()
		require.Zero(t, o.Count(`SELECT count(*) FROM link_minute`))
	})
}

func TestSameAccount(t *testing.T) {
	o := atSale(t)
	other := o.AgentBy(o.Customer(0), 1000, commission.Rule{Matures: "sale"})
	form := tenanttest.PersonForm()
	o.Payee(other, o.first, form)
	require.Empty(t, o.found())
	form.Bank, form.Number = o.form.Bank, o.form.Number
	o.Payee(other, o.first, form)
	require.Equal(t, map[uuid.UUID][]hold.Signal{o.agent: {hold.SameAccount}, other: {hold.SameAccount}}, o.found(), "each of them")

	o.sells(o.ann, time.Minute)
	o.tomorrow()
	state, why, gross := o.row(o.draft())
	require.Equal(t, []any{"left_out", "held", money.Amount(90_00)}, []any{state, why, gross})
	_, err := o.Hold.Deny(t.Context(), o.Org, actor(o.first), tenanttest.Key(), hold.Denial{ID: o.holdOf(o.agent), Reason: "x"})
	require.Equal(t, hold.ErrPayee, err)
	o.releases(o.holdOf(o.agent))
	require.NotContains(t, o.found(), o.agent)
}

func TestThirtyDays(t *testing.T) {
	o := atSale(t)
	id := o.holds(o.sells(o.ann, time.Minute))
	o.Clock.Advance(30*24*time.Hour - time.Hour)
	o.find()
	require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM commission_hold WHERE state = 'held'`))
	o.Clock.Advance(time.Hour)
	o.find()
	require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM commission_hold WHERE id = $1 AND state = 'lapsed'`, id))
	require.Equal(t, hold.ErrNotNow, o.Hold.Release(t.Context(), o.Org, actor(o.first), hold.Release{ID: id, Reason: "x"}))
	o.MustBalance()
}

func TestNight(t *testing.T) {
	o := atSale(t)
	due := func() (due bool) {
		o.In(func(ctx context.Context, tx db.Tx) (err error) {
			due, err = hold.AnyDue(ctx, tx)
			return err
		})
		return due
	}
	o.find()
	require.False(t, due())
	midnight := clock.Start(clock.Day(o.Clock.Now()).AddDate(0, 0, 1))
	o.Clock.Advance(midnight.Add(20 * time.Minute).Sub(o.Clock.Now()))
	require.False(t, due())
	o.Clock.Advance(10 * time.Minute)
	require.True(t, due(), "at 00:30")
	o.find()
	require.False(t, due())
}
