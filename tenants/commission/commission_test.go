package commission_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
)

// shop is an organisation with a seller, who has 10 % of a package of three items for 900.00.
type shop struct {
	*tenanttest.World

	t      *testing.T
	system uuid.UUID
	ann    token.Session
	seller uuid.UUID
	pkg    uuid.UUID
	staff  token.Session
	place  uuid.UUID
}

func open(t *testing.T, rule commission.Rule) shop {
	t.Helper()
	w := tenanttest.New(t)
	s := shop{World: w, t: t, system: w.AddPaymentSystem(), ann: w.Customer(20_000_00), seller: w.AgentBy(w.Customer(0), 1000, rule), staff: w.Staff(), place: w.ServicePoint()}
	s.pkg = w.Package(tenanttest.Package{Price: 900_00, Items: 3})
	s.Visit(s.ann, s.seller, s.pkg)
	// Noon of a day in Bangkok, so that whole days are counted from its middle.
	w.Clock.Advance(clock.Start(clock.Day(w.Clock.Now()).AddDate(0, 0, 1)).Add(12 * time.Hour).Sub(w.Clock.Now()))
	s.Visit(s.ann, s.seller, s.pkg)
	return s
}

// has requires what the seller has, after what is due by time was posted, and that the books balance.
func (s shop) has(t *testing.T, pending, payable, owed money.Amount) {
	t.Helper()
	s.Mature()
	require.Equal(t, []money.Amount{pending, payable, owed}, []money.Amount{s.Pending(s.seller), s.Earned(s.seller).Payable, s.Earned(s.seller).Receivable}, "pending, payable, owed")
	s.MustBalance()
}

// until sets the clock to so many whole days after today's beginning, less a second, and then to that moment.
func (s shop) until(days int) (before, then func()) {
	at := clock.Start(clock.Day(s.Clock.Now()).AddDate(0, 0, days))
	return func() { s.Clock.Advance(at.Add(-time.Second).Sub(s.Clock.Now())) }, func() { s.Clock.Advance(at.Sub(s.Clock.Now())) }
}

func (s shop) use(t *testing.T, v uuid.UUID, items int64) uuid.UUID {
	t.Helper()
	s.MustRedeem(s.ann, v, items, s.staff, s.place)
	return s.one(`SELECT id FROM redemption ORDER BY id DESC LIMIT 1`)
}

// direct has ann pay past the wallet.
func (s shop) direct(t *testing.T) (id, first uuid.UUID) {
	t.Helper()
	o, err := s.Order.Pay(t.Context(), s.ann, tenanttest.Key(), "", order.PayInput{BuyInput: s.Quote(s.ann, s.pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	s.PayAtGateway(o.ID)
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM voucher WHERE order_id = $1`, o.ID).Scan(&first)
	})
	return o.ID, first
}

func (s shop) gatewaySays(order uuid.UUID, change func(*payment.Charge)) {
	name := s.Pay.SetCharge(order, change)
	require.NoError(s.t, s.Charge.HandleGatewayEvent(s.t.Context(), s.Org, charge.GatewayEventJob{System: s.system, GatewayID: name}))
}

func TestAtTheSale(t *testing.T) {
	s := open(t, commission.Rule{Matures: "sale"})
	s.MustBuy(s.ann, s.pkg)
	require.Equal(t, money.Amount(90_00), s.Pending(s.seller), "a purchase posts nothing but what is pending")
	s.has(t, 0, 90_00, 0)
	s.has(t, 0, 90_00, 0)
}

func TestByDays(t *testing.T) {
	s := open(t, commission.Rule{Matures: "days", Days: 7})
	s.MustBuy(s.ann, s.pkg)
	before, then := s.until(8)
	before()
	s.has(t, 90_00, 0, 0)
	then()
	s.has(t, 0, 90_00, 0)
	require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM commission_change`))
}

func TestByUse(t *testing.T) {
	t.Run("a use counts when nobody can object to it any more", func(t *testing.T) {
		s := open(t, commission.Rule{Matures: "use"})
		v := s.MustBuy(s.ann, s.pkg)
		s.use(t, v.ID, 1)
		before, then := s.until(2)
		before()
		s.use(t, v.ID, 1)
		s.has(t, 90_00, 0, 0)
		then()
		s.has(t, 60_00, 30_00, 0)
		_, then = s.until(1)
		then()
		s.has(t, 30_00, 60_00, 0)
	})

	t.Run("an objection waits for its decision, and what is undone for the next use", func(t *testing.T) {
		for _, undo := range []bool{false, true} {
			s := open(t, commission.Rule{Matures: "use"})
			v := s.MustBuy(s.ann, s.pkg)
			use := s.use(t, v.ID, 1)
			_, err := s.Objection.Object(t.Context(), s.ann, tenanttest.Key(), objection.Input{Use: use})
			require.NoError(t, err)
			s.Clock.Advance(47 * time.Hour)
			s.has(t, 90_00, 0, 0)
			require.NoError(t, s.Objection.Decide(t.Context(), s.Org, s.manager(), objection.Decision{ID: s.one(`SELECT id FROM objection`), Undo: undo}))
			if !undo {
				s.has(t, 60_00, 30_00, 0)
				continue
			}
			s.has(t, 90_00, 0, 0)
			s.use(t, s.one(`SELECT id FROM voucher WHERE undoes IS NOT NULL`), 1)
			_, then := s.until(2)
			then()
			s.has(t, 60_00, 30_00, 0)
		}
	})

	t.Run("the end of its validity makes all that is left mature, and an extension takes it back", func(t *testing.T) {
		s := open(t, commission.Rule{Matures: "use"})
		v := s.MustBuy(s.ann, s.pkg)
		s.use(t, v.ID, 1)
		s.EndVouchers(clock.Day(s.Clock.Now()).AddDate(0, 0, -1))
		s.In(s.Voucher.ExpireVouchers)
		s.has(t, 30_00, 60_00, 0)
		in := refund.ExtendInput{ID: v.ID, Until: clock.Day(s.Clock.Now()).AddDate(0, 1, 0).Format(time.DateOnly), Reason: "closed"}
		require.NoError(t, s.Refund.Extend(t.Context(), s.Org, s.manager(), tenanttest.Key(), in))
		s.has(t, 90_00, 0, 0)
		_, then := s.until(2)
		then()
		s.has(t, 60_00, 30_00, 0)
	})

	t.Run("the part that the buyer owes is not mature", func(t *testing.T) {
		s := open(t, commission.Rule{Matures: "use"})
		o, v := s.direct(t)
		s.use(t, v, 2)
		_, then := s.until(2)
		then()
		s.has(t, 30_00, 60_00, 0)
		s.gatewaySays(o, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, c.Amount })
		s.has(t, 0, 0, 0)
		s.gatewaySays(o, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeWon, 0 })
		s.has(t, 30_00, 60_00, 0)
	})
}

// TestTakenBack: what has matured and is taken back comes from what can be paid out, and what was paid out is owed.
func TestTakenBack(t *testing.T) {
	for _, rule := range []commission.Rule{{Matures: "sale"}, {Matures: "days", Days: 1}} {
		s := open(t, rule)
		o, _ := s.direct(t)
		s.Clock.Advance(48 * time.Hour)
		s.gatewaySays(o, func(c *payment.Charge) { c.Refunded = 300_00 }) // the event itself posts what time has made mature
		require.Equal(t, commission.Balance{Payable: 60_00}, s.Earned(s.seller))
		s.has(t, 0, 60_00, 0)
		s.gatewaySays(o, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 600_00 })
		s.has(t, 0, 0, 0)
		s.gatewaySays(o, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeWon, 0 })
		s.has(t, 0, 60_00, 0)
	}
}

// TestRuleIsFrozen: an order keeps the rule that its agent's type had when it was made, also if it is paid later.
func TestRuleIsFrozen(t *testing.T) {
	s := open(t, commission.Rule{Matures: "sale"})
	o, err := s.Order.Pay(t.Context(), s.ann, tenanttest.Key(), "", order.PayInput{BuyInput: s.Quote(s.ann, s.pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	s.Force(`UPDATE agent_type SET matures = 'days', mature_days = 7`)
	s.PayAtGateway(o.ID)
	s.has(t, 0, 90_00, 0)
	s.MustBuy(s.ann, s.pkg)
	s.has(t, 90_00, 90_00, 0)
}

// TestAtOnce: several workers, a dispute and its end make each commission mature once.
func TestAtOnce(t *testing.T) {
	s := open(t, commission.Rule{Matures: "sale"})
	var orders []uuid.UUID
	for range 6 {
		o, _ := s.direct(t)
		orders = append(orders, o)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { s.Mature() })
	}
	for _, o := range orders[:3] {
		all.Go(func() {
			s.gatewaySays(o, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, c.Amount })
		})
	}
	all.Wait()
	s.has(t, 0, 270_00, 0)
	require.EqualValues(t, 6, s.Count(`SELECT count(*) FROM commission WHERE matures_at IS NULL`))
}

func (s shop) manager() auditlog.Actor { return auditlog.Actor{Kind: token.Owner, ID: s.staff.Subject} }

// one returns the only id that a statement finds.
func (s shop) one(sql string) (id uuid.UUID) {
	s.In(func(ctx context.Context, tx db.Tx) error { return tx.QueryRow(ctx, sql).Scan(&id) })
	return id
}
