package refund_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// byAsking is what two says, and lets its payer ask for a refund for seven days.
func byAsking(feeBasisPoints int32) tenanttest.Package {
	p := two(0)
	p.Refunds = catalog.RefundTerms{Rule: "asking", Days: 7, FeeBasisPoints: feeBasisPoints}
	return p
}

func (m *market) request(who token.Session, in refund.OwnInput) (refund.Request, error) {
	return m.Refund.MakeRequest(context.Background(), who, tenanttest.Key(), in)
}

// asked has ann ask for items of a voucher.
func (m *market) asked(t *testing.T, v uuid.UUID, items int64) refund.Request {
	t.Helper()
	o := m.option(t, m.ann, v)
	require.Equal(t, "asking", o.How, o.Refused)
	q, err := m.request(m.ann, m.asks(v, items, o.Slices[items-1].Amount))
	require.NoError(t, err)
	m.MustBalance()
	return q
}

func (m *market) grant(id uuid.UUID) error {
	return m.Refund.GrantRequest(context.Background(), m.Org, m.owner(), tenanttest.Key(), refund.ByRequest{ID: id})
}

func (m *market) requestCase(t *testing.T, id uuid.UUID) refund.RequestCase {
	t.Helper()
	c, err := m.Refund.RequestCase(t.Context(), m.Org, id)
	require.NoError(t, err)
	return c
}

// requests are what a payer reads of what he asked for of the order.
func (m *market) requests(t *testing.T) []refund.Request {
	t.Helper()
	o, err := m.Refund.Options(t.Context(), m.ann, m.order)
	require.NoError(t, err)
	return o.Requests
}

// gives has ann give items of a voucher to bob, who takes them.
func (m *market) gives(t *testing.T, v uuid.UUID, items int64) {
	t.Helper()
	g, err := m.Gift.Give(t.Context(), m.ann, tenanttest.Key(), gift.Input{Voucher: v, Items: items, Card: "love"})
	require.NoError(t, err)
	_, err = m.Gift.Receive(t.Context(), m.bob, gift.Link{Ref: g.Ref})
	require.NoError(t, err)
}

// TestRequest: who paid asks for a refund, and the organisation answers.
func TestRequest(t *testing.T) {
	t.Run("nothing moves until it is granted; then he has what he was shown, less the fee, which the organisation earns", func(t *testing.T) {
		m := openMarket(t, byAsking(500))
		v := m.vouchers[0]
		before := [4]money.Amount{m.Balance(m.ann), m.SystemBalance(ledger.Unearned), m.SystemBalance(ledger.PlatformFee), m.SystemBalance(ledger.Payable)}
		q := m.asked(t, v, 2)
		require.Equal(t, refund.Request{
			ID: q.ID, State: "asked", Amount: 475_00, Method: refund.Wallet, AskedAt: q.AskedAt, DueAt: q.AskedAt.Add(15 * 24 * time.Hour),
			Parts: []refund.RequestedPart{{Voucher: v, Code: q.Parts[0].Code, Kind: voucher.Item, NameTH: "นวดอโรมา 90 นาที", NameEN: "Aroma massage", Items: 2, Left: 2, Amount: 475_00}},
		}, q)
		require.Equal(t, before[0], m.Balance(m.ann))
		require.Equal(t, voucher.Ready, m.stateOf(v), "nothing is held")
		c := m.requestCase(t, q.ID)
		require.Equal(t, [4]money.Amount{435_00 - 25_00, 15_00, 50_00, 25_00}, [4]money.Amount{c.Share, c.Fee, c.Commission, c.Kept})
		require.Equal(t, c.Share+c.Fee+c.Commission, c.Record.Amount)
		require.False(t, c.Changed || c.Second)
		require.Empty(t, c.Fault)

		require.NoError(t, m.grant(q.ID))
		m.MustBalance()
		require.Equal(t, [4]money.Amount{before[0] + 475_00, before[1] - 435_00, before[2] - 15_00, before[3] + 25_00},
			[4]money.Amount{m.Balance(m.ann), m.SystemBalance(ledger.Unearned), m.SystemBalance(ledger.PlatformFee), m.SystemBalance(ledger.Payable)})
		require.Equal(t, voucher.Refunded, m.stateOf(v))
		require.Equal(t, "part_refunded", m.orderState())
		require.EqualValues(t, 1, m.Count(`SELECT count(*) FROM message WHERE kind = 'refund_granted' AND subject_id = $1 AND amount_satang = 47500 AND customer_id = $2`, q.ID, m.ann.Subject))
		require.Zero(t, m.Count(`SELECT count(*) FROM message WHERE kind IN ('money_refunded', 'voucher_refunded')`))
		require.Equal(t, "done", m.requests(t)[0].State)
		require.ErrorIs(t, m.grant(q.ID), refund.ErrRequestOver)
		list, err := m.Message.List(t.Context(), m.ann, nil)
		require.NoError(t, err)
		require.Equal(t, "refund", list[0].About)
		require.Equal(t, m.order, list[0].Subject, "it leads to the order")
		require.Contains(t, list[0].TextTH, "นวดอโรมา")
	})

	t.Run("asking once more is one request, also at once; withdrawn or refused he may ask anew, and reads why", func(t *testing.T) {
		m := openMarket(t, byAsking(0))
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() { _, _ = m.request(m.ann, m.asks(m.vouchers[0], 2, 500_00)) })
		}
		all.Wait()
		require.EqualValues(t, 1, m.Count(`SELECT count(*) FROM refund_request`))
		_, err := m.request(m.ann, m.asks(m.vouchers[1], 2, 500_00))
		require.ErrorIs(t, err, refund.ErrRequested)
		id := m.requests(t)[0].ID
		_, err = m.Refund.WithdrawRequest(t.Context(), m.bob, refund.ByRequest{ID: id})
		require.ErrorIs(t, err, fault.Missing)
		over, err := m.Refund.WithdrawRequest(t.Context(), m.ann, refund.ByRequest{ID: id})
		require.NoError(t, err)
		require.Equal(t, "withdrawn", over.State)
		_, err = m.Refund.WithdrawRequest(t.Context(), m.ann, refund.ByRequest{ID: id})
		require.ErrorIs(t, err, refund.ErrRequestOver)
		require.ErrorIs(t, m.grant(id), refund.ErrRequestOver)

		q := m.asked(t, m.vouchers[1], 1)
		require.ErrorIs(t, m.Refund.RefuseRequest(t.Context(), m.Org, m.owner(), refund.RequestRefusal{ID: q.ID, Answer: "  "}), fault.At("answer", fault.Required))
		require.NoError(t, m.Refund.RefuseRequest(t.Context(), m.Org, m.owner(), refund.RequestRefusal{ID: q.ID, Answer: "The room was booked for you."}))
		m.MustBalance()
		require.Equal(t, [2]string{"refused", "The room was booked for you."}, [2]string{m.requests(t)[0].State, m.requests(t)[0].Answer})
		require.EqualValues(t, 1, m.Count(`SELECT count(*) FROM message WHERE kind = 'refund_refused' AND customer_id = $1`, m.ann.Subject))
		require.ErrorIs(t, m.Refund.RefuseRequest(t.Context(), m.Org, m.owner(), refund.RequestRefusal{ID: q.ID, Answer: "no"}), refund.ErrRequestOver)
		require.ErrorIs(t, m.Refund.AskAgain(t.Context(), m.Org, m.owner(), refund.ByRequest{ID: q.ID}), refund.ErrRequestOver)
		m.asked(t, m.vouchers[1], 1)
		require.Len(t, m.requests(t), 3)
	})

	t.Run("a key asks once, and grants once", func(t *testing.T) {
		m := openMarket(t, byAsking(0))
		in, key := m.asks(m.vouchers[0], 1, 250_00), tenanttest.Key()
		first, err := m.Refund.MakeRequest(t.Context(), m.ann, key, in)
		require.NoError(t, err)
		again, err := m.Refund.MakeRequest(t.Context(), m.ann, key, in)
		require.NoError(t, err)
		require.Equal(t, first, again)
		in.Parts[0].Items = 2
		_, err = m.Refund.MakeRequest(t.Context(), m.ann, key, in)
		require.ErrorIs(t, err, idempotency.ErrReused)
		balance := m.Balance(m.ann)
		for range 2 {
			require.NoError(t, m.Refund.GrantRequest(t.Context(), m.Org, m.owner(), key, refund.ByRequest{ID: first.ID}))
		}
		require.Equal(t, balance+250_00, m.Balance(m.ann))
		m.MustBalance()
	})

	t.Run("asked on the last day, it is in time whenever it is answered; a moment later nobody may ask", func(t *testing.T) {
		m := openMarket(t, byAsking(0))
		end := clock.Start(clock.Day(m.Clock.Now()).AddDate(0, 0, 8))
		m.Clock.Advance(end.Add(-time.Minute).Sub(m.Clock.Now()))
		q := m.asked(t, m.vouchers[0], 2)
		m.Clock.Advance(time.Minute)
		_, err := m.request(m.ann, m.asks(m.vouchers[1], 2, 500_00))
		require.ErrorIs(t, err, refund.ErrTooLate)
		m.Clock.Advance(30 * 24 * time.Hour)
		require.Equal(t, "asked", m.requests(t)[0].State, "nothing is refunded by itself")
		require.NoError(t, m.grant(q.ID))
		m.MustBalance()
	})

	t.Run("what he has by himself or not at all cannot be asked for, nor another's order, another sum, or more than there is", func(t *testing.T) {
		for rule, says := range map[string]error{"self": refund.ErrBySelf, "none": refund.ErrNotOffered} {
			p := two(0)
			p.Refunds = catalog.RefundTerms{Rule: rule, Days: 7}
			m := openMarket(t, p)
			_, err := m.request(m.ann, m.asks(m.vouchers[0], 2, 500_00))
			require.ErrorIs(t, err, says)
		}
		p := two(0)
		p.Class, p.Refunds = "beauty", catalog.RefundTerms{Rule: "self", Days: 7}
		m := openMarket(t, p)
		_, err := m.request(m.ann, m.asks(m.vouchers[0], 2, 500_00))
		require.ErrorIs(t, err, refund.ErrBySelf, "so nobody can refuse what the law gives")

		m = openMarket(t, byAsking(500))
		for _, sum := range []money.Amount{0, 475_01, 500_00} {
			_, err := m.request(m.ann, m.asks(m.vouchers[0], 2, sum))
			require.ErrorIs(t, err, refund.ErrSumsChanged)
		}
		_, err = m.request(m.bob, m.asks(m.vouchers[0], 2, 475_00))
		require.ErrorIs(t, err, fault.Missing)
		_, err = m.request(m.ann, m.asks(m.vouchers[0], 3, 475_00))
		require.ErrorIs(t, err, voucher.ErrTooFew)
		other := m.asks(m.MustBuy(m.ann, m.Package(byAsking(0))).ID, 1, 250_00)
		other.Order = m.order
		_, err = m.request(m.ann, other)
		require.ErrorIs(t, err, voucher.ErrNotFound)
		m.gives(t, m.vouchers[0], 2)
		_, err = m.request(m.ann, m.asks(m.vouchers[0], 2, 475_00))
		require.ErrorIs(t, err, refund.ErrNotYours)
		_, err = m.request(m.bob, m.asks(m.vouchers[0], 2, 475_00))
		require.ErrorIs(t, err, fault.Missing, "a gift")
		require.Zero(t, m.Count(`SELECT count(*) FROM refund_request`))
		m.MustBalance()
	})

	t.Run("his own answer to the same order does not answer his request", func(t *testing.T) {
		m := openMarket(t, byAsking(0))
		m.asked(t, m.vouchers[0], 2)
		_, err := m.refundOwn(m.ann, m.asks(m.vouchers[0], 2, 500_00))
		require.ErrorIs(t, err, refund.ErrByAsking)
	})
}

// TestRequestChanged: what a request names is used or leaves its payer before it is answered. It never pays for anything else.
func TestRequestChanged(t *testing.T) {
	renew := func(m *market, q refund.Request, amount money.Amount) (refund.Request, error) {
		return m.Refund.RenewRequest(context.Background(), m.ann, tenanttest.Key(), refund.RenewInput{ID: q.ID, Amount: amount})
	}
	again := func(m *market, id uuid.UUID) error {
		return m.Refund.AskAgain(context.Background(), m.Org, m.owner(), refund.ByRequest{ID: id})
	}

	t.Run("used in part: it is not granted, he is asked again, and has what is left when he wants that, also after his days", func(t *testing.T) {
		m := openMarket(t, byAsking(0))
		q := m.asked(t, m.vouchers[0], 2)
		require.ErrorIs(t, again(m, q.ID), refund.ErrRequestSame)
		require.NoError(t, m.use(t, m.ann, m.vouchers[0], 1))
		c := m.requestCase(t, q.ID)
		require.True(t, c.Changed)
		require.Equal(t, "refund.request_changed", c.Fault)
		require.EqualValues(t, 1, c.Parts[0].Left)
		require.ErrorIs(t, m.grant(q.ID), refund.ErrRequestChanged)
		_, err := renew(m, q, 250_00)
		require.ErrorIs(t, err, refund.ErrRequestOver, "nobody has asked him again yet")
		require.NoError(t, again(m, q.ID))
		require.EqualValues(t, 1, m.Count(`SELECT count(*) FROM message WHERE kind = 'refund_changed' AND customer_id = $1`, m.ann.Subject))
		is := m.requests(t)[0]
		require.Equal(t, "changed", is.State)
		require.EqualValues(t, 250_00, is.Renewable)
		m.Clock.Advance(20 * 24 * time.Hour)
		_, err = renew(m, q, 500_00)
		require.ErrorIs(t, err, refund.ErrSumsChanged)
		next, err := renew(m, q, 250_00)
		require.NoError(t, err)
		require.Zero(t, m.requests(t)[1].Renewable)
		_, err = renew(m, q, 250_00)
		require.ErrorIs(t, err, refund.ErrRequestOver, "once")
		require.Equal(t, &next.ID, m.requestCase(t, q.ID).RenewedBy)
		balance := m.Balance(m.ann)
		require.NoError(t, m.grant(next.ID))
		require.Equal(t, balance+250_00, m.Balance(m.ann))
		m.MustBalance()
	})

	t.Run("the named ones were given away, and as many others are left: these were not asked for", func(t *testing.T) {
		m := openMarket(t, byAsking(0))
		q := m.asked(t, m.vouchers[0], 1)
		m.gives(t, m.vouchers[0], 1)
		require.Zero(t, m.requestCase(t, q.ID).Parts[0].Left)
		require.ErrorIs(t, m.grant(q.ID), refund.ErrRequestChanged)
		require.NoError(t, again(m, q.ID))
		require.Zero(t, m.requests(t)[0].Renewable)
		_, err := renew(m, q, 0)
		require.ErrorIs(t, err, refund.ErrNothing)
		m.asked(t, m.vouchers[0], 1)
		m.MustBalance()
	})

	t.Run("one of two vouchers was given away and is his again, or refunded by the shop: the other is left", func(t *testing.T) {
		for name, leave := range map[string]func(m *market){
			"given": func(m *market) {
				m.gives(t, m.vouchers[1], 2)
				g, err := m.Gift.Give(t.Context(), m.bob, tenanttest.Key(), gift.Input{Voucher: m.vouchers[1], Items: 2, Card: "love"})
				require.NoError(t, err)
				_, err = m.Gift.Receive(t.Context(), m.ann, gift.Link{Ref: g.Ref})
				require.NoError(t, err)
			},
			"refunded": func(m *market) { m.refund(t, m.vouchers[1], 2) },
		} {
			t.Run(name, func(t *testing.T) {
				m := openMarket(t, byAsking(0))
				in := m.asks(m.vouchers[0], 2, 1000_00)
				in.Parts = append(in.Parts, refund.Part{Voucher: m.vouchers[1], Items: 2})
				q, err := m.request(m.ann, in)
				require.NoError(t, err)
				leave(m)
				require.ErrorIs(t, m.grant(q.ID), refund.ErrRequestChanged)
				require.NoError(t, again(m, q.ID))
				next, err := renew(m, q, 500_00)
				require.NoError(t, err)
				require.NoError(t, m.grant(next.ID))
				m.MustBalance()
			})
		}
	})

	t.Run("what is only under way waits, and is granted when it is back", func(t *testing.T) {
		m := openMarket(t, byAsking(0))
		q := m.asked(t, m.vouchers[0], 2)
		g, err := m.Gift.Give(t.Context(), m.ann, tenanttest.Key(), gift.Input{Voucher: m.vouchers[0], Items: 2, Card: "love"})
		require.NoError(t, err)
		require.ErrorIs(t, m.grant(q.ID), voucher.ErrInTransfer)
		require.Equal(t, "voucher.in_transfer", m.requestCase(t, q.ID).Fault)
		require.Equal(t, "voucher.in_transfer", m.requests(t)[0].Parts[0].Refused)
		require.ErrorIs(t, again(m, q.ID), refund.ErrRequestSame)
		_, err = m.Gift.Withdraw(t.Context(), m.ann, g.ID)
		require.NoError(t, err)
		require.NoError(t, m.grant(q.ID))
		m.MustBalance()
	})

	t.Run("a disputed payment freezes what was asked for: not granted, and after the bank's word as that says", func(t *testing.T) {
		m := openMarket(t, byAsking(0))
		m.order = m.direct(t, m.ann, m.Package(byAsking(0)))
		v := m.first(m.order)
		q := m.asked(t, v, 2)
		m.gatewaySays(t, m.order, disputed(payment.DisputeOpen))
		require.ErrorIs(t, m.grant(q.ID), voucher.ErrFrozen)
		m.gatewaySays(t, m.order, disputed(payment.DisputeWon))
		require.NoError(t, m.grant(q.ID))
		m.gatewaySays(t, m.order, disputed(payment.DisputeOpen))
		m.gatewaySays(t, m.order, disputed(payment.DisputeLost))
		m.MustBalance()
	})
}

// TestRequestOfEveryState: a request that waits finds its voucher ready, or the organisation reads why not.
func TestRequestOfEveryState(t *testing.T) {
	says := map[voucher.State]error{
		voucher.Ready: nil, voucher.InUse: voucher.ErrInUse, voucher.OnSale: voucher.ErrOnSale, voucher.InTransfer: voucher.ErrInTransfer,
		voucher.Frozen: voucher.ErrFrozen, voucher.Expired: voucher.ErrExpired,
		voucher.Used: refund.ErrRequestChanged, voucher.Refunded: refund.ErrRequestChanged, voucher.Void: refund.ErrRequestChanged,
	}
	for _, from := range tenanttest.States {
		t.Run(string(from), func(t *testing.T) {
			s := open(t)
			s.OpenBoard(200)
			s.VerifyMobile(s.ann)
			h := handing{order: s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 1000_00, Transfers: 3, Refunds: catalog.RefundTerms{Rule: "asking", Days: 365}}))}
			h.voucher = s.first(h.order)
			m := &market{shop: s, order: h.order}
			q := m.asked(t, h.voucher, 1)
			s.reach(t, &h, from, "")
			require.ErrorIs(t, m.grant(q.ID), says[from])
			if says[from] == nil {
				require.Equal(t, voucher.Refunded, s.stateOf(h.voucher))
			} else {
				require.Equal(t, fault.From(says[from]).Code, m.requestCase(t, q.ID).Fault)
				require.Equal(t, from, s.stateOf(h.voucher))
				_, err := m.request(s.ann, m.asks(h.voucher, 1, 1000_00))
				require.Error(t, err)
			}
			s.MustBalance()
		})
	}
}

// TestRequestNeedsSecond: above the organisation's rule a second person lets a request be granted.
func TestRequestNeedsSecond(t *testing.T) {
	o := openOffice(t, 499_99)
	q := o.asked(t, o.vouchers[0], 2)
	require.True(t, o.requestCase(t, q.ID).Second)
	require.ErrorIs(t, o.grant(q.ID), approval.ErrNeeded)
	in := refund.RequestNote{ID: q.ID, Note: "He moves to Phuket"}
	asked, err := o.Refund.AskToGrant(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), in)
	require.NoError(t, err)
	_, err = o.Refund.AskToGrant(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), in)
	require.ErrorIs(t, err, approval.ErrWaiting)
	require.Equal(t, &asked.Approval, o.requestCase(t, q.ID).Approval)
	require.ErrorIs(t, o.approve(o.mali, asked.Approval), approval.ErrOwn)
	require.NotEmpty(t, o.look(t, o.tom, asked.Approval).Changes)
	balance := o.Balance(o.ann)

	_, err = o.Refund.WithdrawRequest(t.Context(), o.ann, refund.ByRequest{ID: q.ID})
	require.NoError(t, err)
	require.Equal(t, "refund.request_over", o.look(t, o.tom, asked.Approval).Fault)
	require.ErrorIs(t, o.approve(o.tom, asked.Approval), refund.ErrRequestOver)

	q = o.asked(t, o.vouchers[0], 2)
	in.ID = q.ID
	asked, err = o.Refund.AskToGrant(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), in)
	require.NoError(t, err)
	require.NoError(t, o.approve(o.tom, asked.Approval))
	o.MustBalance()
	require.Equal(t, balance+500_00, o.Balance(o.ann))
	require.ErrorIs(t, o.grant(q.ID), refund.ErrRequestOver)
	_, err = o.Refund.AskToGrant(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), in)
	require.ErrorIs(t, err, refund.ErrRequestOver)
}

// TestRequestAtOnce: a request is granted while something else happens. One comes first, and the other reads why.
func TestRequestAtOnce(t *testing.T) {
	for name, other := range map[string]struct {
		do   func(m *market, q refund.Request, v uuid.UUID) error
		over error // that granting reads if the other was first
		late error // that the other reads if granting was first
	}{
		"granted twice": {func(m *market, q refund.Request, _ uuid.UUID) error { return m.grant(q.ID) }, refund.ErrRequestOver, refund.ErrRequestOver},
		"withdrawn": {func(m *market, q refund.Request, _ uuid.UUID) error {
			_, err := m.Refund.WithdrawRequest(context.Background(), m.ann, refund.ByRequest{ID: q.ID})
			return err
		}, refund.ErrRequestOver, refund.ErrRequestOver},
		"refused": {func(m *market, q refund.Request, _ uuid.UUID) error {
			return m.Refund.RefuseRequest(context.Background(), m.Org, m.owner(), refund.RequestRefusal{ID: q.ID, Answer: "no"})
		}, refund.ErrRequestOver, refund.ErrRequestOver},
		"the organisation's own refund": {func(m *market, _ refund.Request, v uuid.UUID) error {
			_, err := m.make(m.wants(v, 2))
			return err
		}, refund.ErrRequestChanged, voucher.ErrRefunded},
		"a use is opened": {func(m *market, _ refund.Request, v uuid.UUID) error {
			_, err := m.Voucher.StartUse(context.Background(), m.ann, tenanttest.Key(), voucher.UseInput{Voucher: v, ServicePoint: m.point, Items: 1})
			return err
		}, voucher.ErrInUse, voucher.ErrRefunded},
		"given": {func(m *market, _ refund.Request, v uuid.UUID) error {
			_, err := m.Gift.Give(context.Background(), m.ann, tenanttest.Key(), gift.Input{Voucher: v, Items: 2, Card: "love"})
			return err
		}, voucher.ErrInTransfer, voucher.ErrRefunded},
		"offered": {func(m *market, _ refund.Request, v uuid.UUID) error {
			_, err := m.Board.Offer(context.Background(), m.ann, tenanttest.Key(), board.Input{Part: board.Part{Voucher: v, Items: 2}, Price: 400_00})
			return err
		}, voucher.ErrOnSale, voucher.ErrRefunded},
	} {
		t.Run(name, func(t *testing.T) {
			m := openMarket(t, byAsking(0))
			first := map[bool]int{}
			for n := range 8 {
				m.ann = m.Customer(1000_00)
				m.VerifyMobile(m.ann)
				v := m.MustBuy(m.ann, m.Package(byAsking(0))).ID
				m.order = m.wants(v, 1).Order
				q, balance := m.asked(t, v, 2), m.Balance(m.ann)
				var granted, theirs error
				var both sync.WaitGroup
				both.Go(func() {
					time.Sleep(time.Duration(n%4) * time.Millisecond)
					theirs = other.do(m, q, v)
				})
				both.Go(func() { granted = m.grant(q.ID) })
				both.Wait()
				m.MustBalance()
				first[granted == nil]++
				if granted == nil {
					require.ErrorIs(t, theirs, other.late)
					require.Equal(t, balance+500_00, m.Balance(m.ann))
					continue
				}
				require.ErrorIs(t, granted, other.over)
				require.NoError(t, theirs)
				require.LessOrEqual(t, m.Balance(m.ann), balance+500_00)
			}
			t.Logf("granted first %d times, %s %d times", first[true], name, first[false])
		})
	}
}

// TestWordsOfPayer: the shop reads why a payer wants his money back, until he is erased.
func TestWordsOfPayer(t *testing.T) {
	m := openMarket(t, byAsking(0))
	v := m.vouchers[0]
	in := m.asks(v, 2, 500_00)
	in.Words = " ไปไม่ทัน \n"
	q, err := m.request(m.ann, in)
	require.NoError(t, err)
	require.Equal(t, []string{"ไปไม่ทัน", "ไปไม่ทัน"}, []string{q.Words, m.requestCase(t, q.ID).Words})
	require.NoError(t, m.use(t, m.ann, v, 1))
	require.NoError(t, m.Refund.AskAgain(t.Context(), m.Org, m.owner(), refund.ByRequest{ID: q.ID}))
	again, err := m.Refund.RenewRequest(t.Context(), m.ann, tenanttest.Key(), refund.RenewInput{ID: q.ID, Amount: 250_00})
	require.NoError(t, err)
	require.Equal(t, "ไปไม่ทัน", again.Words, "he asks for the same reason")

	pkg := two(0)
	pkg.Refunds = catalog.RefundTerms{Rule: "self", Days: 7}
	own := m.asks(m.MustBuy(m.ann, m.Package(pkg)).ID, 2, 500_00)
	own.Words = "ซื้อซ้ำ"
	_, err = m.refundOwn(m.ann, own)
	require.NoError(t, err)
	said := func() int64 {
		return m.Count(`SELECT (SELECT count(*) FROM refund_request WHERE words = 'ไปไม่ทัน') + (SELECT count(*) FROM refund WHERE note = 'ซื้อซ้ำ' AND made_by IS NULL)`)
	}
	require.EqualValues(t, 3, said())
	m.In(func(ctx context.Context, tx db.Tx) error { return refund.Erase(ctx, tx, m.ann.Subject) })
	require.Zero(t, said())
	m.MustBalance()
}

// TestEraseWithRequest: who is erased asks for nothing any more.
func TestEraseWithRequest(t *testing.T) {
	m := openMarket(t, byAsking(0))
	q := m.asked(t, m.vouchers[0], 2)
	m.In(func(ctx context.Context, tx db.Tx) error { return refund.Erase(ctx, tx, m.ann.Subject) })
	require.Equal(t, "withdrawn", m.requests(t)[0].State)
	require.ErrorIs(t, m.grant(q.ID), refund.ErrRequestOver)
	m.MustBalance()
}
