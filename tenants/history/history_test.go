package history_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/history"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// shop is an organisation with a board and a gateway, ann who has bought a voucher of six items, bob who has money, and eve who has nothing.
type shop struct {
	*tenanttest.World
	history       *history.Service
	ann, bob, eve token.Session
	system        uuid.UUID
	voucher       voucher.Voucher
}

func open(t *testing.T) shop {
	t.Helper()
	w := tenanttest.New(t)
	s := shop{World: w, history: history.New(w.DB), ann: w.Customer(20_000_00), bob: w.Customer(5_000_00), eve: w.Customer(0), system: w.AddPaymentSystem()}
	s.Force(`UPDATE customer SET display_name = $2 WHERE id = $1`, s.ann.Subject, "Annabel")
	s.Force(`UPDATE customer SET display_name = $2 WHERE id = $1`, s.bob.Subject, "Robert")
	w.OpenBoard(200)
	w.VerifyMobile(s.ann)
	s.voucher = w.MustBuy(s.ann, w.Package(tenanttest.Package{Price: 1200_00, Vouchers: 1, Items: 6, Transfers: 3, ToWallet: true}))
	return s
}

func (s shop) list(t *testing.T, who token.Session, in history.Input) history.Page {
	t.Helper()
	page, err := s.history.List(t.Context(), who, in)
	require.NoError(t, err)
	return page
}

// kinds are the kinds of a person's events, the newest first.
func (s shop) kinds(t *testing.T, who token.Session) (kinds []string) {
	t.Helper()
	for _, e := range s.list(t, who, history.Input{}).Data {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

// newest is a person's newest event, which has the kind.
func (s shop) newest(t *testing.T, who token.Session, kind string) history.Event {
	t.Helper()
	list := s.list(t, who, history.Input{}).Data
	require.NotEmpty(t, list)
	require.Equal(t, kind, list[0].Kind)
	return list[0]
}

func (s shop) give(t *testing.T, items int64, to string) gift.Gift {
	t.Helper()
	g, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: s.voucher.ID, Items: items, Card: "birthday", To: to})
	require.NoError(t, err)
	return g
}

func (s shop) offer(t *testing.T, items int64) board.Detail {
	t.Helper()
	f, err := s.Board.Offer(t.Context(), s.ann, tenanttest.Key(), board.Input{Part: board.Part{Voucher: s.voucher.ID, Items: items}, Price: 150_00})
	require.NoError(t, err)
	return f
}

func (s shop) buy(t *testing.T, who token.Session, offer uuid.UUID) {
	t.Helper()
	_, err := s.Board.Buy(t.Context(), who, tenanttest.Key(), board.BuyInput{Offer: offer, Accepted: []uuid.UUID{}, Lang: "th"})
	require.NoError(t, err)
}

func (s shop) manager() auditlog.Actor { return auditlog.Actor{Kind: "owner", ID: s.Staff().Subject} }

// direct pays for an order past the wallet and returns its id.
func (s shop) direct(t *testing.T) uuid.UUID {
	t.Helper()
	pkg := s.Package(tenanttest.Package{Price: 600_00, Vouchers: 2})
	o, err := s.Order.Pay(t.Context(), s.ann, tenanttest.Key(), "", order.PayInput{BuyInput: s.Quote(s.ann, pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	s.PayAtGateway(o.ID)
	return o.ID
}

// gatewaySays is where the gateway says something new of a charge.
func (s shop) gatewaySays(t *testing.T, paid uuid.UUID, change func(*payment.Charge)) {
	t.Helper()
	name := s.Pay.SetCharge(paid, change)
	require.NoError(t, s.Charge.HandleGatewayEvent(t.Context(), s.Org, charge.GatewayEventJob{System: s.system, GatewayID: name}))
	s.MustBalance()
}

// TestEvents: each thing that happens is one event, for whom it concerns, with what he may know of it.
func TestEvents(t *testing.T) {
	t.Run("an order", func(t *testing.T) {
		s := open(t)
		e := s.newest(t, s.ann, "ordered")
		require.Equal(t, []any{"order", 1, 1, money.Amount(-1200_00), "wallet", "", int64(0)}, []any{e.About, e.Packages, e.Vouchers, e.Amount, e.Method, e.Unit, e.Items})
		o, err := s.Order.Order(t.Context(), s.ann, *e.Subject)
		require.NoError(t, err)
		require.Equal(t, o.Lines[0].NameEN, e.NameEN)
		require.Equal(t, []any{*o.PaidAt, o.ID}, []any{e.At.UTC(), e.ID})
		paid := s.direct(t)
		e = s.newest(t, s.ann, "ordered")
		require.Equal(t, []any{&paid, 2, money.Amount(-600_00), "promptpay"}, []any{e.Subject, e.Vouchers, e.Amount, e.Method})
		require.Empty(t, s.kinds(t, s.bob))
		require.Empty(t, s.kinds(t, s.eve))
	})

	t.Run("not one that waits, nor one that was never paid", func(t *testing.T) {
		s := open(t)
		pkg := s.Package(tenanttest.Package{Price: 600_00})
		o, err := s.Order.Pay(t.Context(), s.ann, tenanttest.Key(), "", order.PayInput{BuyInput: s.Quote(s.ann, pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
		require.NoError(t, err)
		require.Len(t, s.kinds(t, s.ann), 1)
		_, err = s.Order.Cancel(t.Context(), s.ann, o.ID)
		require.NoError(t, err)
		require.Len(t, s.kinds(t, s.ann), 1)
	})

	t.Run("a use, also of a voucher that is somebody else's by now", func(t *testing.T) {
		s := open(t)
		place := s.ServicePoint()
		s.MustRedeem(s.ann, s.voucher.ID, 2, s.Staff(), place)
		e := s.newest(t, s.ann, "used")
		require.Equal(t, []any{"voucher", &s.voucher.ID, int64(2), int64(4), "item", 1, money.Amount(0)}, []any{e.About, e.Subject, e.Items, e.Left, e.Unit, e.Vouchers, e.Amount})
		require.NotEmpty(t, e.PlaceTH)
		require.NotEmpty(t, e.PlaceEN)
		_, err := s.Gift.Receive(t.Context(), s.bob, gift.Link{Ref: s.give(t, 4, "").Ref})
		require.NoError(t, err)
		require.Equal(t, []string{"gift_claimed", "given", "used", "ordered"}, s.kinds(t, s.ann))
		require.Nil(t, s.list(t, s.ann, history.Input{Group: "use"}).Data[0].Subject)
		require.Equal(t, []string{"received"}, s.kinds(t, s.bob))
	})

	t.Run("a gift: its giver and its receiver, who sees no price", func(t *testing.T) {
		s := open(t)
		g := s.give(t, 2, "Mum")
		e := s.newest(t, s.ann, "given")
		require.Equal(t, []any{"gift", &g.ID, "Mum", int64(2), "item", 1}, []any{e.About, e.Subject, e.Person, e.Items, e.Unit, e.Vouchers})
		require.Empty(t, s.kinds(t, s.bob))
		_, err := s.Gift.Receive(t.Context(), s.bob, gift.Link{Ref: g.Ref})
		require.NoError(t, err)
		require.Equal(t, "Mum", s.newest(t, s.ann, "gift_claimed").Person)
		e = s.newest(t, s.bob, "received")
		require.Equal(t, []any{"gift", &g.ID, "Annabel", int64(2), money.Amount(0), ""}, []any{e.About, e.Subject, e.Person, e.Items, e.Amount, e.Method})
		require.Nil(t, e.Sale)
		page := s.list(t, s.bob, history.Input{})
		require.Len(t, page.Data, 1)
		text, err := json.Marshal(page)
		require.NoError(t, err)
		require.NotContains(t, string(text), "120000")
		require.NotContains(t, string(text), s.list(t, s.ann, history.Input{Group: "order"}).Data[0].ID.String(), "nor which order it is of")
	})

	t.Run("gifts that nobody has", func(t *testing.T) {
		s := open(t)
		_, err := s.Gift.Withdraw(t.Context(), s.ann, s.give(t, 1, "").ID)
		require.NoError(t, err)
		require.NoError(t, s.Gift.Decline(t.Context(), s.bob, gift.Link{Ref: s.give(t, 1, "").Ref}))
		require.NoError(t, s.Gift.Stop(t.Context(), s.Org, s.manager(), s.give(t, 1, "").ID))
		g := s.give(t, 1, "")
		s.Clock.Advance(time.Until(g.ExpiresAt) + time.Second)
		for range 2 {
			require.NoError(t, s.Voucher.EndDue(t.Context(), s.Org))
		}
		require.Equal(t, []string{"gift_returned", "given", "gift_stopped", "given", "gift_declined", "given", "gift_withdrawn", "given", "ordered"}, s.kinds(t, s.ann))
		require.Empty(t, s.kinds(t, s.bob), "who declines has nothing")
	})

	t.Run("an offer: its seller has all of the sale, its buyer what he paid", func(t *testing.T) {
		s := open(t)
		f := s.offer(t, 2)
		e := s.newest(t, s.ann, "offered")
		want := &history.Sale{Price: 150_00, Royalty: 3_00, Fee: 4_50, Net: 142_50, ExpiresAt: f.ExpiresAt}
		require.True(t, want.ExpiresAt.Equal(e.Sale.ExpiresAt))
		e.Sale.ExpiresAt = want.ExpiresAt
		require.Equal(t, want, e.Sale)
		require.Equal(t, []any{"offer", &f.ID, "", int64(2), money.Amount(0)}, []any{e.About, e.Subject, e.Person, e.Items, e.Amount})
		s.buy(t, s.bob, f.ID)
		e = s.newest(t, s.ann, "sold")
		require.Equal(t, []any{"Robert", money.Amount(142_50), money.Amount(150_00)}, []any{e.Person, e.Amount, e.Sale.Price})
		e = s.newest(t, s.bob, "resale_bought")
		require.Equal(t, []any{"offer", &f.ID, "Ann", int64(2), money.Amount(-150_00), "wallet"}, []any{e.About, e.Subject, e.Person, e.Items, e.Amount, e.Method})
		require.Nil(t, e.Sale)
		require.Equal(t, []string{"sold", "offered", "ordered"}, s.kinds(t, s.ann))
		require.Equal(t, []string{"resale_bought"}, s.kinds(t, s.bob))
	})

	t.Run("offers that nobody bought", func(t *testing.T) {
		s := open(t)
		_, err := s.Board.Cancel(t.Context(), s.ann, s.offer(t, 1).ID)
		require.NoError(t, err)
		require.NoError(t, s.Board.Stop(t.Context(), s.Org, s.manager(), s.offer(t, 1).ID))
		s.offer(t, 1)
		s.Clock.Advance(31 * 24 * time.Hour)
		require.NoError(t, s.Voucher.EndDue(t.Context(), s.Org))
		require.Equal(t, []string{"offer_ended", "offered", "offer_stopped", "offered", "offer_cancelled", "offered", "ordered"}, s.kinds(t, s.ann))
	})

	t.Run("what expires at once, with what came into the wallet", func(t *testing.T) {
		s := open(t)
		_, err := s.Gift.Receive(t.Context(), s.bob, gift.Link{Ref: s.give(t, 2, "").Ref})
		require.NoError(t, err)
		s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: 500_00, Vouchers: 2, ToWallet: true}))
		before := s.Balance(s.ann)
		s.EndVouchers(clock.Day(s.Clock.Now()).AddDate(0, 0, -1))
		s.In(s.Voucher.ExpireVouchers)
		e := s.newest(t, s.ann, "expired")
		require.Equal(t, []any{"voucher", &s.voucher.ID, 3, s.Balance(s.ann) - before}, []any{e.About, e.Subject, e.Vouchers, e.Amount})
		require.Positive(t, e.Amount)
		require.Equal(t, []string{"expired", "ordered", "gift_claimed", "given", "ordered"}, s.kinds(t, s.ann))
		require.Equal(t, 1, s.newest(t, s.bob, "expired").Vouchers)
	})

	t.Run("what a payment that is disputed stops, and lets go", func(t *testing.T) {
		s := open(t)
		paid := s.direct(t)
		s.gatewaySays(t, paid, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 600_00 })
		e := s.newest(t, s.ann, "frozen")
		require.Equal(t, []any{2, "", int64(0), money.Amount(0)}, []any{e.Vouchers, e.Unit, e.Items, e.Amount})
		s.gatewaySays(t, paid, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeWon, 0 })
		require.Equal(t, []string{"released", "frozen", "ordered", "ordered"}, s.kinds(t, s.ann))
	})

	t.Run("the organisation freezes a voucher and releases it: nothing of a payment", func(t *testing.T) {
		s := open(t)
		owner := auditlog.Actor{Kind: token.Owner, ID: s.Staff().Subject}
		require.NoError(t, s.Voucher.Freeze(t.Context(), s.Org, owner, voucher.FreezeInput{ID: s.voucher.ID, Reason: "sold twice"}))
		e := s.newest(t, s.ann, "frozen_by_shop")
		require.Equal(t, []any{&s.voucher.ID, 1, money.Amount(0)}, []any{e.Subject, e.Vouchers, e.Amount})
		require.NoError(t, s.Voucher.Release(t.Context(), s.Org, owner, s.voucher.ID))
		require.Equal(t, []string{"released_by_shop", "frozen_by_shop", "ordered"}, s.kinds(t, s.ann))
		require.Empty(t, s.kinds(t, s.bob))
	})

	t.Run("the organisation ends a voucher", func(t *testing.T) {
		s := open(t)
		require.NoError(t, s.Refund.Void(t.Context(), s.Org, s.manager(), tenanttest.Key(), refund.VoidInput{ID: s.voucher.ID, Reason: "printed twice"}))
		e := s.newest(t, s.ann, "voided_by_shop")
		v, err := s.Voucher.Detail(t.Context(), s.ann, s.voucher.ID)
		require.NoError(t, err)
		require.Equal(t, []any{&s.voucher.ID, 1, *v.Void}, []any{e.Subject, e.Vouchers, e.Amount})
		require.Positive(t, e.Amount)
	})

	t.Run("items that are worth nothing go along with a refund of their voucher, which is one event", func(t *testing.T) {
		s := open(t)
		o, err := s.Order.Buy(t.Context(), s.ann, tenanttest.Key(), s.Quote(s.ann, s.Package(tenanttest.Package{Price: 1, Items: 7}), 1))
		require.NoError(t, err)
		v := o.Vouchers[0].ID
		_, err = s.Refund.Make(t.Context(), s.Org, s.manager(), tenanttest.Key(), refund.Input{
			Choice: refund.Choice{Order: o.ID, Parts: []refund.Part{{Voucher: v, Items: 3}}}, Reason: "asked",
		})
		require.NoError(t, err)
		e := s.newest(t, s.ann, "refunded")
		require.Equal(t, []any{&v, 1, int64(7), money.Amount(1)}, []any{e.Subject, e.Vouchers, e.Items, e.Amount})
	})

	t.Run("what is taken back", func(t *testing.T) {
		s := open(t)
		s.gatewaySays(t, s.direct(t), func(c *payment.Charge) { c.Refunded = 600_00 })
		e := s.newest(t, s.ann, "taken_back")
		require.Equal(t, []any{2, "item", int64(2)}, []any{e.Vouchers, e.Unit, e.Items})
		require.Empty(t, s.kinds(t, s.bob))
	})
}

// TestParts: groups, months and pages have each event once.
func TestParts(t *testing.T) {
	s := open(t)
	place := s.ServicePoint()
	s.MustRedeem(s.ann, s.voucher.ID, 1, s.Staff(), place)
	_, err := s.Gift.Withdraw(t.Context(), s.ann, s.give(t, 1, "").ID)
	require.NoError(t, err)
	first := s.Clock.Now().In(clock.Bangkok).Format("2006-01")
	month := clock.Day(s.Clock.Now())
	s.Clock.Advance(clock.Start(month.AddDate(0, 1, 1-month.Day())).Sub(s.Clock.Now()))
	f := s.offer(t, 1)
	s.Clock.Advance(10 * 24 * time.Hour)
	last := s.Clock.Now().In(clock.Bangkok).Format("2006-01")
	s.buy(t, s.bob, f.ID)

	page := s.list(t, s.ann, history.Input{})
	require.Equal(t, []string{"sold", "offered", "gift_withdrawn", "given", "used", "ordered"}, s.kinds(t, s.ann))
	require.False(t, page.More)
	for group, want := range map[string][]string{
		"use": {"used"}, "gift": {"gift_withdrawn", "given"}, "resale": {"sold", "offered"}, "order": {"ordered"},
	} {
		var got []string
		part := s.list(t, s.ann, history.Input{Group: group})
		for _, e := range part.Data {
			got = append(got, e.Kind)
		}
		require.Equal(t, want, got, group)
		require.Equal(t, page.Months, part.Months)
	}

	require.Equal(t, last, page.Months[0].Month)
	require.Equal(t, history.Month{Month: first, All: 4, Use: 1, Gift: 2, Order: 1}, page.Months[len(page.Months)-1])
	n := 0
	for _, month := range page.Months {
		part := s.list(t, s.ann, history.Input{Month: month.Month})
		require.Len(t, part.Data, int(month.All))
		for i, e := range part.Data {
			require.Equal(t, month.Month, e.At.In(clock.Bangkok).Format("2006-01"))
			require.Equal(t, page.Data[n+i].ID, e.ID)
		}
		n += len(part.Data)
	}
	require.Equal(t, len(page.Data), n)
	require.Empty(t, s.list(t, s.ann, history.Input{Month: "1999-12"}).Data)
	_, err = s.history.List(t.Context(), s.ann, history.Input{Month: "2026-13"})
	require.ErrorIs(t, err, fault.BadInput)
	require.Empty(t, s.list(t, s.eve, history.Input{}).Data)
	require.Empty(t, s.list(t, s.eve, history.Input{}).Months)
}

// TestPages: pages follow each other without a gap, also through events of one moment.
func TestPages(t *testing.T) {
	s := open(t)
	for range 30 {
		_, err := s.Gift.Withdraw(t.Context(), s.ann, s.give(t, 1, "").ID)
		require.NoError(t, err)
		_, err = s.Board.Cancel(t.Context(), s.ann, s.offer(t, 1).ID)
		require.NoError(t, err)
	}
	at := s.Clock.Now()
	s.Force(`UPDATE gift SET created_at = $1, begins_at = $1, ended_at = $1`, at)
	s.Force(`UPDATE offer SET created_at = $1, ended_at = $1`, at)
	type event struct {
		kind string
		id   uuid.UUID
	}
	seen := map[event]bool{}
	in, pages := history.Input{}, 0
	for {
		page := s.list(t, s.ann, in)
		pages++
		require.Equal(t, in.After == nil, len(page.Months) > 0, "months come once")
		for _, e := range page.Data {
			require.False(t, seen[event{e.Kind, e.ID}], "%s twice", e.Kind)
			seen[event{e.Kind, e.ID}] = true
		}
		if !page.More {
			break
		}
		require.Len(t, page.Data, 50)
		e := page.Data[49]
		in.After = &history.Cursor{Kind: e.Kind, ID: e.ID, At: e.At}
	}
	require.Equal(t, 3, pages)
	require.Len(t, seen, 4*30+1)
	require.EqualValues(t, 121, s.list(t, s.ann, history.Input{}).Months[0].All)
}

// TestOthers: nothing of another organisation.
func TestOthers(t *testing.T) {
	s := open(t)
	other := tenanttest.On(t, s.Server)
	who := s.ann
	who.Org = other.Org
	require.Empty(t, s.list(t, who, history.Input{}).Data)
	require.NotEmpty(t, s.list(t, s.ann, history.Input{}).Data)
}
