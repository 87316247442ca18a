package points_test

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
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/points"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
)

// shop has a card that brings a point for each 25 baht, and a package of three items for 900.00.
type shop struct {
	*tenanttest.World

	t      *testing.T
	system uuid.UUID
	card   uuid.UUID
	pkg    uuid.UUID
}

func open(t *testing.T, due string) shop {
	w := tenanttest.New(t)
	s := shop{World: w, t: t, system: w.AddPaymentSystem(), card: db.NewID()}
	w.Force(`INSERT INTO card_type (id, name_th, name_en, position, version, status, created_at, updated_at) VALUES ($1, 'บัตร', 'Card', 1, 1, 5, now(), now())`, s.card)
	w.Force(`INSERT INTO card_type_version (id, card_type_id, number, validity, length, approval, level, least_age, asks_email, asks_idcard, asks_gender, asks_birthdate, asks_address, asks_nationality, asks_receipt, points_baht, points_due, points_months, created_at)
		VALUES ($1, $1, 1, 'endless', 0, 'none', 1, 0, 'off', 'off', 'off', 'off', 'off', 'off', 'off', 25, $2, 12, now())`, s.card, due)
	s.pkg = w.Package(tenanttest.Package{Price: 900_00, Items: 3})
	w.Clock.Advance(clock.Start(clock.Day(w.Clock.Now()).AddDate(0, 0, 1)).Add(12 * time.Hour).Sub(w.Clock.Now()))
	return s
}

// member is a customer with the card.
func (s shop) member() token.Session {
	who := s.Customer(20_000_00)
	in := member.ApplyInput{Type: s.card, Lang: "th", Form: member.Form{FirstName: "พิมพ์ชนก", LastName: "สุขใจ", Mobile: "0895550146"}}
	_, err := s.Member.Apply(context.Background(), who, auditlog.Actor{Kind: token.User, ID: who.Subject}, in)
	require.NoError(s.t, err)
	return who
}

func (s shop) days(n int) {
	s.Clock.Advance(clock.Start(clock.Day(s.Clock.Now()).AddDate(0, 0, n)).Sub(s.Clock.Now()))
}

// has requires what a customer has of points after what is due was done, and that the books balance.
func (s shop) has(who token.Session, want int64) {
	s.t.Helper()
	require.NoError(s.t, points.GrantDue(s.t.Context(), s.DB, s.Org))
	require.NoError(s.t, points.LapseDue(s.t.Context(), s.DB, s.Org))
	got := s.Count(`SELECT coalesce((SELECT sum(points_left) FROM point_lot WHERE customer_id = $1), 0) - coalesce((SELECT points FROM point_owed WHERE customer_id = $1), 0)`, who.Subject)
	require.Equal(s.t, want, got)
	s.MustBalance()
}

func (s shop) refund(v uuid.UUID, items int64) {
	s.t.Helper()
	var of uuid.UUID
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT order_id FROM voucher WHERE id = $1`, v).Scan(&of)
	})
	owner := s.Owner()
	by := auditlog.Actor{Kind: token.Owner, ID: owner.Subject}
	_, err := s.Refund.Make(s.t.Context(), s.Org, by, tenanttest.Key(), refund.Input{Choice: refund.Choice{Order: of, Parts: []refund.Part{{Voucher: v, Items: items}}}, Method: "wallet", Reason: "asked"})
	require.NoError(s.t, err)
}

func (s shop) says(order uuid.UUID, change func(*payment.Charge)) {
	name := s.Pay.SetCharge(order, change)
	require.NoError(s.t, s.Charge.HandleGatewayEvent(s.t.Context(), s.Org, charge.GatewayEventJob{System: s.system, GatewayID: name}))
}

func TestWindow(t *testing.T) {
	s := open(t, "window")
	s.Force(`UPDATE card_type_version SET points_months = 1`)
	ann, bee := s.member(), s.Customer(20_000_00)
	s.MustBuy(bee, s.pkg)
	v := s.MustBuy(ann, s.pkg)
	require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM point_order`), "who is no member earns nothing")
	s.days(7)
	s.has(ann, 0)
	s.days(1)
	s.has(ann, 36)
	s.has(ann, 36)
	s.refund(v.ID, 1)
	s.has(ann, 24)
	s.refund(v.ID, 2)
	s.has(ann, 0)

	// What is taken back before the window has passed never comes.
	v = s.MustBuy(ann, s.pkg)
	s.refund(v.ID, 2)
	s.days(8)
	s.has(ann, 12)
	last := s.Count(`SELECT max(lapses_on) - $1::date FROM point_lot WHERE points_left > 0`, clock.Day(s.Clock.Now()))
	s.days(int(last))
	s.has(ann, 12)
	s.days(1)
	s.has(ann, 0)
	s.refund(v.ID, 1)
	s.has(ann, 0) // a grant that has lapsed gives nothing back
	s.ReportsAgree(t)
	at, err := points.Read(t.Context(), s.DB, ann)
	require.NoError(t, err)
	require.Zero(t, at.Points+at.Owed+at.Coming)
	require.Len(t, at.History, 5)
	require.Zero(t, at.History[0].After)

	s.MustBuy(ann, s.pkg)
	at, err = points.Read(t.Context(), s.DB, ann)
	require.NoError(t, err)
	require.EqualValues(t, 36, at.Coming)
	require.Equal(t, clock.Day(s.Clock.Now()).AddDate(0, 0, 8).Format(time.DateOnly), *at.ComesOn)
}

// TestReminders: a member is reminded once 30 days before points lapse, and once 7 days before.
func TestReminders(t *testing.T) {
	s := open(t, "window")
	ann := s.member()
	s.MustBuy(ann, s.pkg)
	s.days(8)
	s.has(ann, 36)
	last := s.Count(`SELECT lapses_on - $1::date FROM point_lot`, clock.Day(s.Clock.Now()))
	s.days(int(last) - 31)
	for day, want := range []int64{0, 1, 1} {
		s.Clock.Advance(12 * time.Hour)
		for range 2 {
			require.NoError(t, message.Remind(t.Context(), s.DB, s.Org))
		}
		require.Equal(t, want, s.Count(`SELECT count(*) FROM message WHERE kind = 'member_points_end' AND vouchers = 36`), "day %d", day)
		s.days(1)
	}
	s.days(21)
	s.Clock.Advance(12 * time.Hour)
	require.NoError(t, message.Remind(t.Context(), s.DB, s.Org))
	require.EqualValues(t, 2, s.Count(`SELECT count(*) FROM message WHERE kind = 'member_points_end'`))
}

func TestAtUse(t *testing.T) {
	s := open(t, "use")
	ann := s.member()
	staff, place := s.Staff(), s.ServicePoint()
	v := s.MustBuy(ann, s.pkg)
	s.days(8)
	s.has(ann, 0)
	s.MustRedeem(ann, v.ID, 1, staff, place)
	s.days(1)
	s.has(ann, 0)
	s.days(1)
	s.has(ann, 12)
	s.refund(v.ID, 1)
	s.has(ann, 12)
	s.MustRedeem(ann, v.ID, 1, staff, place)
	s.days(2)
	s.has(ann, 24)
}

// TestDispute: while the bank holds money nothing comes; what is lost was never earned.
func TestDispute(t *testing.T) {
	for _, lost := range []bool{false, true} {
		s := open(t, "window")
		ann := s.member()
		o, err := s.Order.Pay(t.Context(), ann, tenanttest.Key(), "", order.PayInput{BuyInput: s.Quote(ann, s.pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
		require.NoError(t, err)
		s.PayAtGateway(o.ID)
		s.says(o.ID, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, c.Amount })
		s.days(9)
		s.has(ann, 0)
		want := int64(36)
		s.says(o.ID, func(c *payment.Charge) {
			c.Dispute, c.Disputed = payment.DisputeWon, 0
			if lost {
				c.Dispute, c.Disputed, want = payment.DisputeLost, c.Amount, 0
			}
		})
		s.has(ann, want)
	}
}

// TestLeaving: who leaves has no points any more, and nothing comes of what he bought.
func TestLeaving(t *testing.T) {
	s := open(t, "window")
	ann := s.member()
	s.MustBuy(ann, s.pkg)
	s.days(8)
	s.has(ann, 36)
	s.MustBuy(ann, s.pkg)
	_, err := s.Member.Leave(t.Context(), ann, auditlog.Actor{Kind: token.User, ID: ann.Subject})
	require.NoError(t, err)
	s.has(ann, 0)
	s.days(9)
	s.has(ann, 0)
	s.MustBuy(ann, s.pkg)
	s.days(9)
	s.has(ann, 0)
}

// TestWorkersAtOnce: however many do what is due at once, beside refunds, each point is there once.
func TestWorkersAtOnce(t *testing.T) {
	s := open(t, "window")
	ann := s.member()
	v := s.MustBuy(ann, s.pkg)
	s.MustBuy(ann, s.pkg)
	s.days(8)
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			if i == 3 {
				s.refund(v.ID, 1)
				return
			}
			if err := points.GrantDue(context.Background(), s.DB, s.Org); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	s.has(ann, 60)
}
