package story_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/story"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

var everything = story.Visible{Orders: true, Vouchers: true, Offers: true, Uses: true, Payments: true, Customers: true, Agents: true, Messages: true}

// shop is an organisation in which ann has bought a package of two vouchers with three items each through an agent, by PromptPay.
type shop struct {
	*tenanttest.World
	stories             *story.Service
	system, point       uuid.UUID
	agent, pkg, ordered uuid.UUID
	staff, ann          token.Session
	vouchers            []uuid.UUID
}

func open(t *testing.T) *shop {
	t.Helper()
	w := tenanttest.New(t)
	s := &shop{World: w, stories: story.New(w.DB, w.Box()), system: w.AddPaymentSystem(), point: w.ServicePoint(), staff: w.Staff(), ann: w.Customer(0)}
	s.agent = w.Agent(w.Customer(0), 1000)
	s.pkg = w.Package(tenanttest.Package{Price: 1000_01, Items: 3, Vouchers: 2})
	w.Visit(s.ann, s.agent, s.pkg)
	o, err := w.Order.Pay(t.Context(), s.ann, tenanttest.Key(), "", order.PayInput{BuyInput: w.Quote(s.ann, s.pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	s.ordered = o.ID
	w.Clock.Advance(time.Minute)
	w.PayAtGateway(o.ID)
	w.In(func(ctx context.Context, tx db.Tx) error {
		rows, err := tx.Query(ctx, `SELECT id FROM voucher WHERE order_id = $1 ORDER BY id`, o.ID)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id uuid.UUID
			if err := rows.Scan(&id); err != nil {
				return err
			}
			s.vouchers = append(s.vouchers, id)
		}
		return rows.Err()
	})
	w.Clock.Advance(time.Hour)
	return s
}

// scanOnly has staff scan a voucher that its holder puts away again.
func (s *shop) scanOnly(t *testing.T, id uuid.UUID) {
	t.Helper()
	use, err := s.Voucher.StartUse(t.Context(), s.ann, tenanttest.Key(), voucher.UseInput{Voucher: id, ServicePoint: s.point, Items: 1})
	require.NoError(t, err)
	s.Scan(s.staff, use, s.point)
	_, err = s.Voucher.CancelUse(t.Context(), s.ann, use.ID)
	require.NoError(t, err)
	s.Clock.Advance(time.Hour)
}

func (s *shop) gatewaySays(t *testing.T, change func(*payment.Charge)) {
	t.Helper()
	name := s.Pay.SetCharge(s.ordered, change)
	require.NoError(t, s.Charge.HandleGatewayEvent(t.Context(), s.Org, charge.GatewayEventJob{System: s.system, GatewayID: name}))
	s.Clock.Advance(time.Hour)
}

func kinds(events []story.Event) (list []string) {
	for _, e := range events {
		list = append(list, e.Kind)
	}
	return list
}

func (m sums) total() money.Amount {
	return m.Used + m.Unused + m.Frozen + m.Expired + m.Returned + m.Split
}

type sums story.Sums

func TestOrder(t *testing.T) {
	s := open(t)
	tell := func(sees story.Visible) story.Order {
		o, err := s.stories.Order(t.Context(), s.Org, s.ordered, sees)
		require.NoError(t, err)
		require.Equal(t, o.Record.Total, sums(o.Money).total(), "the money of a paid order adds up")
		require.Equal(t, o.Record.Total, o.Share+o.Record.Fee+o.Record.Commission-o.Discount)
		return o
	}

	o := tell(everything)
	require.Equal(t, []string{"commission", "paid", "ordered"}, kinds(o.Events))
	require.Equal(t, o.Record.Total, o.Money.Unused)
	require.EqualValues(t, 2, o.Events[1].Items, "vouchers that were issued")
	require.Equal(t, "promptpay", o.Events[1].Reason)
	require.Equal(t, o.Record.Commission, o.Events[0].Amount)
	require.Equal(t, 1, int(o.Buyer.Orders))
	require.Equal(t, o.Record.Total, o.Buyer.Spent)
	require.Equal(t, "captured", o.Payment.State)

	s.MustRedeem(s.ann, s.vouchers[0], 2, s.staff, s.point)
	s.Clock.Advance(time.Hour)
	s.scanOnly(t, s.vouchers[1])
	o = tell(everything)
	require.Equal(t, []string{"scanned", "used", "commission", "paid", "ordered"}, kinds(o.Events))
	require.Equal(t, "Thong Lo", o.Events[1].PlaceEN)
	require.EqualValues(t, 2, o.Events[1].Items)
	require.Equal(t, "cancelled", o.Events[0].Reason)
	require.Positive(t, o.Money.Used)
	require.Greater(t, o.Money.Used, o.Events[1].Amount, "the fee and the commission are not the organisation's")

	s.gatewaySays(t, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, c.Amount })
	o = tell(everything)
	require.Contains(t, kinds(o.Events), "disputed")
	require.Contains(t, kinds(o.Events), "frozen")
	require.Positive(t, o.Money.Frozen)
	require.Zero(t, o.Money.Unused)

	s.gatewaySays(t, func(c *payment.Charge) { c.Dispute = payment.DisputeLost })
	o = tell(everything)
	require.Contains(t, kinds(o.Events), "void")
	require.Contains(t, kinds(o.Events), "commission_reversed")
	require.Positive(t, o.Money.Returned)
	for _, e := range o.Events {
		if e.Kind == "commission" {
			require.Equal(t, o.Record.Commission, e.Amount, "what was sold does not change with what is taken back")
		}
	}

	o = tell(story.Visible{})
	require.Nil(t, o.Buyer)
	require.Nil(t, o.Payment)
	require.Empty(t, o.Vouchers)
	require.Equal(t, 2, o.Issued)
	for _, kind := range kinds(o.Events) {
		require.Contains(t, []string{"ordered", "paid", "commission", "commission_reversed"}, kind)
	}

	_, err := s.stories.Order(t.Context(), s.Org, db.NewID(), everything)
	require.ErrorIs(t, err, fault.Missing)
}

func TestVoucher(t *testing.T) {
	s := open(t)
	s.scanOnly(t, s.vouchers[0])
	s.MustRedeem(s.ann, s.vouchers[0], 1, s.staff, s.point)
	s.Clock.Advance(200 * 24 * time.Hour)
	require.NoError(t, s.Voucher.ExpireAllVouchers(t.Context(), s.Org))

	v, err := s.stories.Voucher(t.Context(), s.Org, s.vouchers[0], everything)
	require.NoError(t, err)
	require.Equal(t, []string{"expired", "used", "scanned", "issued"}, kinds(v.Events))
	require.EqualValues(t, 2, v.Events[0].Items, "what was left")
	require.Equal(t, "breakage", v.Events[0].Reason)
	require.Equal(t, v.Paid, sums(v.Money).total())
	require.Positive(t, v.Money.Expired)
	require.Equal(t, s.ann.Subject, v.Buyer)

	v, err = s.stories.Voucher(t.Context(), s.Org, s.vouchers[0], story.Visible{})
	require.NoError(t, err)
	require.Equal(t, []string{"expired", "issued"}, kinds(v.Events))
}

// TestCared: what the organisation does with a voucher, with who did it and why.
func TestCared(t *testing.T) {
	s := open(t)
	id, who := s.vouchers[0], auditlog.Actor{Kind: token.Owner, ID: s.staff.Subject}
	first, err := s.Voucher.Detail(t.Context(), s.ann, id)
	require.NoError(t, err)
	require.NoError(t, s.Voucher.Reissue(t.Context(), s.Org, who, voucher.ReissueInput{ID: id, Reason: "seen by others"}))
	require.NoError(t, s.Refund.Void(t.Context(), s.Org, who, tenanttest.Key(), refund.VoidInput{ID: id, Reason: "printed twice"}))

	v, err := s.stories.Voucher(t.Context(), s.Org, id, everything)
	require.NoError(t, err)
	require.Equal(t, []string{"void", "reissued", "issued"}, kinds(v.Events))
	require.Equal(t, []any{"shop", v.Void.By, v.Void.Wallet}, []any{v.Events[0].Reason, v.Events[0].Person, v.Events[0].Amount})
	require.Equal(t, "printed twice", v.Void.Reason)
	require.Positive(t, v.Void.Wallet)
	require.Len(t, v.Reissues, 1)
	require.Equal(t, []any{first.Code, "seen by others", v.Void.By}, []any{v.Reissues[0].OldCode, v.Reissues[0].Reason, v.Reissues[0].By})
	require.NotEqual(t, first.Code, v.Record.Code)
}

// TestSlices: some items of a voucher were given, and the rest of it was used.
func TestSlices(t *testing.T) {
	s := open(t)
	s.Force(`UPDATE voucher SET transfer_rule = 'unlimited'`)
	g, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: s.vouchers[0], Items: 2, Card: "love"})
	require.NoError(t, err)
	slice := *g.Contents[0].Voucher
	s.MustRedeem(s.ann, s.vouchers[0], 1, s.staff, s.point)

	v, err := s.stories.Voucher(t.Context(), s.Org, s.vouchers[0], everything)
	require.NoError(t, err)
	require.Equal(t, []string{"used", "split", "issued"}, kinds(v.Events))
	require.Len(t, v.Slices, 1)
	require.Equal(t, slice, v.Slices[0].ID)
	require.EqualValues(t, 2, v.ItemsSplit)
	require.Zero(t, v.ItemsOut)
	require.Zero(t, v.Money.Returned)
	require.Equal(t, v.Slices[0].Paid, v.Money.Split)
	require.Equal(t, v.Paid, sums(v.Money).total())

	part, err := s.stories.Voucher(t.Context(), s.Org, slice, everything)
	require.NoError(t, err)
	require.Equal(t, []string{"given", "split_off"}, kinds(part.Events))
	require.Equal(t, s.vouchers[0], *part.Parent)
	require.Equal(t, v.Record.Code, part.ParentCode)
	require.Equal(t, v.Slices[0].Paid, part.Paid)

	o, err := s.stories.Order(t.Context(), s.Org, s.ordered, everything)
	require.NoError(t, err)
	require.EqualValues(t, 1000_01, sums(o.Money).total())
	require.Zero(t, o.Money.Returned)
	require.Len(t, o.Vouchers, 3)
}

func TestGift(t *testing.T) {
	s := open(t)
	s.Force(`UPDATE voucher SET transfer_rule = 'unlimited'`)
	bob := s.Customer(0)
	g, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: s.vouchers[0], Items: 1, Card: "love", Words: "only for bob"})
	require.NoError(t, err)
	_, err = s.Gift.Open(t.Context(), bob, gift.Link{Ref: g.Ref})
	require.NoError(t, err)
	s.Clock.Advance(time.Hour)
	_, err = s.Gift.Receive(t.Context(), bob, gift.Link{Ref: g.Ref})
	require.NoError(t, err)
	s.Clock.Advance(time.Hour)
	_, err = s.Gift.Thank(t.Context(), bob, g.ID)
	require.NoError(t, err)

	found, err := s.stories.Gift(t.Context(), s.Org, g.ID, everything)
	require.NoError(t, err)
	require.Equal(t, []string{"thanked", "claimed", "opened", "given"}, kinds(found.Events))
	require.Len(t, found.Vouchers, 1)
	require.True(t, found.Vouchers[0].IsSlice)
	require.Equal(t, bob.Subject, found.Vouchers[0].Holder)
	require.EqualValues(t, 1, found.Record.Vouchers)
	require.EqualValues(t, 1, found.Record.Items)
	found, err = s.stories.Gift(t.Context(), s.Org, g.ID, story.Visible{})
	require.NoError(t, err)
	require.Empty(t, found.Vouchers)

	g, err = s.Gift.Give(t.Context(), bob, tenanttest.Key(), gift.Input{Voucher: *g.Contents[0].Voucher, Items: 1, Card: "love"})
	require.NoError(t, err)
	require.NoError(t, s.Gift.Stop(t.Context(), s.Org, auditlog.Actor{Kind: token.Owner, ID: s.staff.Subject}, g.ID))
	found, err = s.stories.Gift(t.Context(), s.Org, g.ID, everything)
	require.NoError(t, err)
	require.Equal(t, []string{"came_back", "given"}, kinds(found.Events))
	require.Equal(t, "stopped_by_shop", found.Events[0].Reason)
}

func TestOffer(t *testing.T) {
	s := open(t)
	s.Force(`UPDATE voucher SET transfer_rule = 'unlimited'`)
	s.OpenBoard(200)
	bob := s.Customer(1000_00)
	s.VerifyMobile(s.ann)
	s.VerifyMobile(bob)
	offer := func(who token.Session, id uuid.UUID, price money.Amount) uuid.UUID {
		f, err := s.Board.Offer(t.Context(), who, tenanttest.Key(), board.Input{Part: board.Part{Voucher: id, Items: 1}, Price: price})
		require.NoError(t, err)
		s.Clock.Advance(time.Hour)
		return f.ID
	}
	first := offer(s.ann, s.vouchers[0], 100_00)
	_, err := s.Board.Buy(t.Context(), bob, tenanttest.Key(), board.BuyInput{Offer: first, Accepted: []uuid.UUID{}, Lang: "th"})
	require.NoError(t, err)

	found, err := s.stories.Offer(t.Context(), s.Org, first, everything)
	require.NoError(t, err)
	require.Equal(t, []string{"resold", "offered"}, kinds(found.Events))
	require.EqualValues(t, 100_00, found.Events[0].Amount)
	require.Equal(t, found.Record.BuyerName, found.Events[0].Person)
	require.EqualValues(t, 100_00, found.Events[1].Amount)
	require.Equal(t, found.Record.SellerName, found.Events[1].Person)
	require.Len(t, found.Vouchers, 1)
	require.True(t, found.Vouchers[0].IsSlice)
	require.Equal(t, bob.Subject, found.Vouchers[0].Holder)
	require.NotEmpty(t, found.Record.Number)
	require.EqualValues(t, 2_00, found.Record.Royalty)
	hidden, err := s.stories.Offer(t.Context(), s.Org, first, story.Visible{})
	require.NoError(t, err)
	require.Empty(t, hidden.Vouchers)
	seller, err := s.stories.Customer(t.Context(), s.Org, s.ann.Subject, everything)
	require.NoError(t, err)
	require.Equal(t, "sold", seller.Events[0].Kind)
	require.Equal(t, found.Record.BuyerName, seller.Events[0].Person)
	require.EqualValues(t, 100_00, seller.Events[0].Amount)

	direct := offer(bob, found.Vouchers[0].ID, 60_00)
	paid, err := s.Board.Pay(t.Context(), s.Customer(0), tenanttest.Key(), "", board.PayInput{
		BuyInput: board.BuyInput{Offer: direct, Accepted: []uuid.UUID{}, Lang: "th"}, PaymentMethod: charge.PaymentMethod{Method: "promptpay"},
	})
	require.NoError(t, err)
	c, err := s.stories.Charge(t.Context(), s.Org, paid.ID, everything)
	require.NoError(t, err)
	require.Equal(t, &story.PaidOffer{ID: direct, State: "reserved", Seller: found.Record.BuyerName}, c.Offer)
	require.Nil(t, c.Order)
	c, err = s.stories.Charge(t.Context(), s.Org, paid.ID, story.Visible{})
	require.NoError(t, err)
	require.Nil(t, c.Offer)
	require.NoError(t, s.Board.Stop(t.Context(), s.Org, auditlog.Actor{Kind: token.Owner, ID: s.staff.Subject}, direct))

	for reason, end := range map[string]func(id uuid.UUID) error{
		"cancelled": func(id uuid.UUID) error {
			_, err := s.Board.Cancel(t.Context(), bob, id)
			return err
		},
		"stopped_by_shop": func(id uuid.UUID) error {
			return s.Board.Stop(t.Context(), s.Org, auditlog.Actor{Kind: token.Owner, ID: s.staff.Subject}, id)
		},
	} {
		id := offer(bob, found.Vouchers[0].ID, 50_00)
		require.NoError(t, end(id))
		over, err := s.stories.Offer(t.Context(), s.Org, id, everything)
		require.NoError(t, err)
		require.Equal(t, []string{"off_sale", "offered"}, kinds(over.Events))
		require.Equal(t, reason, over.Events[0].Reason)
		require.Equal(t, reason == "stopped_by_shop", over.Events[0].Person != "")
	}

	_, err = s.stories.Offer(t.Context(), s.Org, uuid.New(), everything)
	require.ErrorIs(t, err, fault.Missing)
}

func TestCustomer(t *testing.T) {
	s := open(t)
	s.MustRedeem(s.ann, s.vouchers[0], 1, s.staff, s.point)

	c, err := s.stories.Customer(t.Context(), s.Org, s.ann.Subject, everything)
	require.NoError(t, err)
	require.Equal(t, []string{"used", "paid", "came"}, kinds(c.Events))
	require.EqualValues(t, 1, c.Sales.Orders)
	require.EqualValues(t, 1000_01, c.Sales.Spent)
	require.EqualValues(t, 2, c.InHand.Count)
	require.Len(t, c.Visits.Months, 12)
	require.EqualValues(t, 1, c.Visits.Months[11].Days)
	require.Equal(t, "Thong Lo", c.Visits.LastEN)
	o, err := s.stories.Order(t.Context(), s.Org, s.ordered, everything)
	require.NoError(t, err)
	require.Equal(t, o.Money.Unused, c.InHand.Worth, "what a customer has in hand is what his orders say is not used")

	c, err = s.stories.Customer(t.Context(), s.Org, s.ann.Subject, story.Visible{})
	require.NoError(t, err)
	require.Equal(t, []string{"came"}, kinds(c.Events))
	require.Nil(t, c.Sales)
	require.Nil(t, c.Visits)
	require.Nil(t, c.InHand)
}

func TestCharge(t *testing.T) {
	s := open(t)
	s.gatewaySays(t, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, c.Amount })

	c, err := s.stories.Charge(t.Context(), s.Org, s.ordered, everything)
	require.NoError(t, err)
	require.Equal(t, []string{"started", "captured"}, []string{c.Events[len(c.Events)-1].Kind, c.Events[len(c.Events)-2].Kind})
	require.Contains(t, kinds(c.Events), "disputed")
	require.Contains(t, kinds(c.Events), "frozen")
	require.Equal(t, s.ordered, c.Order.ID)
	require.False(t, c.Credited)

	c, err = s.stories.Charge(t.Context(), s.Org, s.ordered, story.Visible{})
	require.NoError(t, err)
	require.Nil(t, c.Order)
	require.NotContains(t, kinds(c.Events), "frozen")
}

// TestToCard: what was refunded to a card stands on its payment, its order and its customer once it was sent.
func TestToCard(t *testing.T) {
	s := open(t)
	ben := s.Customer(0)
	o, err := s.Order.Pay(t.Context(), ben, tenanttest.Key(), "", order.PayInput{
		BuyInput: s.Quote(ben, s.pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "card", CardToken: "tokn"},
	})
	require.NoError(t, err)
	s.PayAtGateway(o.ID)
	var of uuid.UUID
	read := func(sql string, of *uuid.UUID) {
		s.In(func(ctx context.Context, tx db.Tx) error { return tx.QueryRow(ctx, sql, o.ID).Scan(of) })
	}
	read(`SELECT id FROM voucher WHERE order_id = $1 ORDER BY id LIMIT 1`, &of)
	choice := refund.Choice{Order: o.ID, Parts: []refund.Part{{Voucher: of, Items: 1}}}
	_, err = s.Refund.Make(t.Context(), s.Org, auditlog.Actor{Kind: token.Owner, ID: s.staff.Subject}, tenanttest.Key(), refund.Input{Choice: choice, Method: refund.Card, Reason: "asked", Note: "she moved away"})
	require.NoError(t, err)
	var remittance uuid.UUID
	read(`SELECT id FROM remittance WHERE charge_id = $1`, &remittance)
	events := func() (list [3][]string) {
		c, err := s.stories.Charge(t.Context(), s.Org, o.ID, everything)
		require.NoError(t, err)
		placed, err := s.stories.Order(t.Context(), s.Org, o.ID, everything)
		require.NoError(t, err)
		who, err := s.stories.Customer(t.Context(), s.Org, ben.Subject, everything)
		require.NoError(t, err)
		return [3][]string{kinds(c.Events), kinds(placed.Events), kinds(who.Events)}
	}
	for _, list := range events() {
		require.NotContains(t, list, "sent_back")
	}
	require.NoError(t, s.Charge.Remit(t.Context(), s.Org, charge.RemitJob{Remittance: remittance}))
	for _, list := range events() {
		require.Contains(t, list, "sent_back")
	}
	placed, err := s.stories.Order(t.Context(), s.Org, o.ID, everything)
	require.NoError(t, err)
	require.Equal(t, placed.Money.Returned, placed.Payment.Refunded)
	require.Len(t, placed.Refunds, 1)
	require.Equal(t, []any{"card", "asked", placed.Money.Returned, "she moved away"}, []any{placed.Refunds[0].Method, placed.Refunds[0].Reason, placed.Refunds[0].Amount, placed.Refunds[0].Words})
	hidden, err := s.stories.Order(t.Context(), s.Org, o.ID, story.Visible{Payments: true})
	require.NoError(t, err)
	require.Empty(t, hidden.Refunds)
	s.MustBalance()
}

func TestAgent(t *testing.T) {
	s := open(t)
	a, err := s.stories.Agent(t.Context(), s.Org, s.agent, everything)
	require.NoError(t, err)
	require.Equal(t, []string{"commission", "linked"}, kinds(a.Events))
	require.EqualValues(t, 1, a.Orders)
	require.EqualValues(t, 1000, a.BasisPoints)
	require.Equal(t, a.Record.Commission, a.Pending+a.Payable-a.Receivable)
	require.Len(t, a.Links, 1)
}

// TestFind: what somebody types finds exactly what has it, and of that what he may see.
func TestFind(t *testing.T) {
	s := open(t)
	v := s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: 0}))
	number := ""
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT o.number FROM orders o JOIN voucher v ON v.order_id = o.id WHERE v.id = $1`, v.ID).Scan(&number)
	})
	people := customer.New(s.DB, s.Box(), nil)
	bob := s.Customer(0)
	for _, who := range []token.Session{s.ann, bob} {
		require.NoError(t, people.SetMobile(t.Context(), who, auditlog.Actor{Kind: token.User, ID: who.Subject}, "+66812345678"))
	}
	all := story.Visible{Orders: true, Vouchers: true, Payments: true, Customers: true, Offers: true}
	find := func(text string, sees story.Visible) (tables []string) {
		found, err := s.stories.Find(t.Context(), s.Org, story.FindInput{Text: text}, sees)
		require.NoError(t, err)
		tables = []string{}
		for _, f := range found {
			tables = append(tables, f.Table)
			if f.Table == "voucher" {
				require.Equal(t, v.ID, f.ID)
			}
		}
		return tables
	}
	spelled := func(code string) string { return " " + strings.ToLower(code[:3]) + " - " + code[3:] + "\n" }
	require.Equal(t, []string{"voucher"}, find(v.Code, all))
	require.Equal(t, []string{"voucher"}, find(spelled(v.Code), all))
	require.Equal(t, []string{"orders"}, find(spelled(number), all))
	for _, text := range []string{"0812345678", "081-234-5678", "081 234 5678", "+66812345678", "+66 81 234 5678"} {
		require.Equal(t, []string{"customer", "customer"}, find(text, all), text)
	}
	for _, text := range []string{v.Code[:9], "0812345679", "081", "%", "____", "'; --", "\x00\xff"} {
		require.Empty(t, find(text, all), text)
	}

	t.Run("only what he may see", func(t *testing.T) {
		require.Empty(t, find(v.Code, story.Visible{Orders: true, Payments: true, Customers: true, Offers: true}))
		require.Empty(t, find(number, story.Visible{Vouchers: true, Payments: true, Customers: true, Offers: true}))
		require.Empty(t, find("0812345678", story.Visible{Orders: true, Vouchers: true, Payments: true, Offers: true}))
	})

	t.Run("nothing of another organisation", func(t *testing.T) {
		other := tenanttest.On(t, s.Server)
		found, err := story.New(other.DB, other.Box()).Find(t.Context(), other.Org, story.FindInput{Text: "0812345678"}, all)
		require.NoError(t, err)
		require.Empty(t, found)
	})
}
