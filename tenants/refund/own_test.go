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
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// bySelf is what two says, and lets its payer refund himself for seven days.
func bySelf(feeBasisPoints int32) tenanttest.Package {
	p := two(0)
	p.Refunds = catalog.RefundTerms{Rule: "self", Days: 7, FeeBasisPoints: feeBasisPoints}
	return p
}

// option is what its payer may have refunded of a voucher that he holds.
func (m *market) option(t *testing.T, who token.Session, v uuid.UUID) refund.Option {
	t.Helper()
	options, err := m.Refund.Options(t.Context(), who, m.wants(v, 1).Order)
	require.NoError(t, err)
	for _, o := range options.Vouchers {
		if o.Voucher == v {
			return o
		}
	}
	t.Fatalf("%s is not among %v", v, options.Vouchers)
	return refund.Option{}
}

// asks is a refund by its payer of items of a voucher for a sum.
func (m *market) asks(v uuid.UUID, items int64, amount money.Amount) refund.OwnInput {
	return refund.OwnInput{Choice: m.wants(v, items).Choice, Amount: amount}
}

func (m *market) refundOwn(who token.Session, in refund.OwnInput) (refund.Made, error) {
	return m.Refund.RefundOwn(context.Background(), who, tenanttest.Key(), in)
}

// TestRefundOwn: who paid changes his mind.
func TestRefundOwn(t *testing.T) {
	t.Run("he has what he was shown, less the fee, which the organisation earns; item after item is as much", func(t *testing.T) {
		m := openMarket(t, tenanttest.Package{Price: 999_00, Items: 3, Transfers: 5, Refunds: catalog.RefundTerms{Rule: "self", Days: 7, FeeBasisPoints: 500}})
		v := m.vouchers[0]
		require.NoError(t, m.use(t, m.ann, v, 1))
		before := [4]money.Amount{m.Balance(m.ann), m.SystemBalance(ledger.Unearned), m.SystemBalance(ledger.PlatformFee), m.SystemBalance(ledger.Payable)}
		o := m.option(t, m.ann, v)
		require.Equal(t, "self", o.How)
		require.Equal(t, clock.Day(m.Clock.Now()).AddDate(0, 0, 7).Format(time.DateOnly), o.Until)
		require.Equal(t, []refund.Slice{{1, 333_00, 16_65, 316_35}, {2, 666_00, 33_30, 632_70}}, o.Slices)

		made, err := m.refundOwn(m.ann, m.asks(v, 1, o.Slices[0].Amount))
		require.NoError(t, err)
		require.Equal(t, o.Slices[0].Amount, made.Amount)
		require.Len(t, made.Number, 10)
		m.MustBalance()
		require.Equal(t, "part_refunded", m.orderState())
		_, err = m.refundOwn(m.ann, m.asks(v, 1, 316_35))
		require.NoError(t, err)
		m.MustBalance()
		require.Equal(t, [4]money.Amount{before[0] + 632_70, before[1] - 579_42, before[2] - 19_98, before[3] + 33_30},
			[4]money.Amount{m.Balance(m.ann), m.SystemBalance(ledger.Unearned), m.SystemBalance(ledger.PlatformFee), m.SystemBalance(ledger.Payable)})
		require.EqualValues(t, 33_30, m.Pending(m.agent), "of the used item")
		require.Equal(t, "part_refunded", m.orderState())
		require.Equal(t, voucher.Refunded, m.stateOf(v))
		require.EqualValues(t, 2, m.Count(`SELECT count(*) FROM message WHERE kind = 'money_refunded' AND amount_satang = 31635 AND customer_id = $1`, m.ann.Subject))
		options, err := m.Refund.Options(t.Context(), m.ann, m.order)
		require.NoError(t, err)
		require.Equal(t, "voucher.refunded", options.Vouchers[0].Refused)
		require.Len(t, options.Refunds, 2)
		require.Equal(t, refund.Receipt{
			ID: made.ID, Number: made.Number, Amount: 316_35, Fee: 16_65, Method: "wallet", State: "done", Ended: options.Refunds[1].At, Own: true, At: options.Refunds[1].At, NameTH: "นวดอโรมา 90 นาที", NameEN: "Aroma massage",
		}, options.Refunds[1])
	})

	t.Run("until the end of the seventh day in Bangkok, and not a moment longer", func(t *testing.T) {
		m := openMarket(t, bySelf(0))
		end := clock.Start(clock.Day(m.Clock.Now()).AddDate(0, 0, 8))
		m.Clock.Advance(end.Add(-time.Minute).Sub(m.Clock.Now()))
		_, err := m.refundOwn(m.ann, m.asks(m.vouchers[0], 2, 500_00))
		require.NoError(t, err)
		m.Clock.Advance(time.Minute)
		_, err = m.refundOwn(m.ann, m.asks(m.vouchers[1], 2, 500_00))
		require.ErrorIs(t, err, refund.ErrTooLate)
		require.Equal(t, "refund.too_late", m.option(t, m.ann, m.vouchers[1]).Refused)
		m.MustBalance()
	})

	t.Run("not what is over, also before a worker came by: by himself, by asking, or because the shop agrees", func(t *testing.T) {
		for rule, p := range map[string]tenanttest.Package{"self": bySelf(0), "asking": byAsking(0)} {
			m := openMarket(t, p)
			var asked refund.Request
			if rule == "asking" {
				asked = m.asked(t, m.vouchers[1], 2)
			}
			m.EndVouchers(clock.Day(m.Clock.Now()))
			m.Clock.Advance(24 * time.Hour)
			require.Equal(t, "voucher.expired", m.option(t, m.ann, m.vouchers[0]).Refused)
			var err error
			if rule == "self" {
				_, err = m.refundOwn(m.ann, m.asks(m.vouchers[0], 2, 500_00))
			} else {
				require.Equal(t, "voucher.expired", m.requestCase(t, asked.ID).Fault)
				require.ErrorIs(t, m.grant(asked.ID), voucher.ErrExpired)
				_, err = m.request(m.ann, m.asks(m.vouchers[0], 2, 500_00))
			}
			require.ErrorIs(t, err, voucher.ErrExpired)
			m.In(m.Voucher.ExpireVouchers)
			require.Equal(t, money.Amount(870_00), m.SystemBalance(ledger.Breakage))
			m.MustBalance()
		}
	})

	t.Run("by asking, not at all, and of what came along for nothing: he does not", func(t *testing.T) {
		for rule, says := range map[string]error{"asking": refund.ErrByAsking, "none": refund.ErrNotOffered} {
			p := two(0)
			p.Refunds = catalog.RefundTerms{Rule: rule, Days: 7}
			m := openMarket(t, p)
			_, err := m.refundOwn(m.ann, m.asks(m.vouchers[0], 2, 500_00))
			require.ErrorIs(t, err, says)
		}
		p := bySelf(0)
		p.Extras = 1
		m := openMarket(t, p)
		_, err := m.refundOwn(m.ann, m.asks(m.vouchers[2], 1, 0))
		require.ErrorIs(t, err, refund.ErrNothing)
		require.Equal(t, "refund.nothing", m.option(t, m.ann, m.vouchers[2]).Refused)
		whole := openMarket(t, bySelf(10_000))
		require.Equal(t, money.Amount(500_00-435_00), whole.option(t, whole.ann, whole.vouchers[0]).Slices[1].Amount, "the organisation keeps at most its own part")
		_, err = whole.refundOwn(whole.ann, whole.asks(whole.vouchers[0], 2, 65_00))
		require.NoError(t, err)
		whole.MustBalance()
	})

	t.Run("another sum than he was shown, another's order, another order's voucher, more than there is: nothing", func(t *testing.T) {
		m := openMarket(t, bySelf(500))
		for _, sum := range []money.Amount{0, 475_01, 500_00} {
			_, err := m.refundOwn(m.ann, m.asks(m.vouchers[0], 2, sum))
			require.ErrorIs(t, err, refund.ErrSumsChanged)
		}
		_, err := m.refundOwn(m.bob, m.asks(m.vouchers[0], 2, 475_00))
		require.ErrorIs(t, err, fault.Missing)
		_, err = m.Refund.Options(t.Context(), m.bob, m.order)
		require.ErrorIs(t, err, fault.Missing)
		other := m.asks(m.MustBuy(m.ann, m.Package(bySelf(0))).ID, 1, 250_00)
		other.Order = m.order
		_, err = m.refundOwn(m.ann, other)
		require.ErrorIs(t, err, voucher.ErrNotFound)
		_, err = m.refundOwn(m.ann, m.asks(m.vouchers[0], 3, 475_00))
		require.ErrorIs(t, err, voucher.ErrTooFew)
		twice := m.asks(m.vouchers[0], 1, 475_00)
		twice.Parts = append(twice.Parts, twice.Parts[0])
		_, err = m.refundOwn(m.ann, twice)
		require.ErrorIs(t, err, voucher.ErrNotFound)
		require.Zero(t, m.Count(`SELECT count(*) FROM refund`))
		m.MustBalance()
	})

	t.Run("what somebody else has held is not his to refund, also when it is his again; what nobody took is", func(t *testing.T) {
		m := openMarket(t, bySelf(0))
		give := func(from token.Session, v uuid.UUID, items int64) gift.Gift {
			g, err := m.Gift.Give(t.Context(), from, tenanttest.Key(), gift.Input{Voucher: v, Items: items, Card: "love"})
			require.NoError(t, err)
			return g
		}
		take := func(who token.Session, g gift.Gift) {
			_, err := m.Gift.Receive(t.Context(), who, gift.Link{Ref: g.Ref})
			require.NoError(t, err)
		}
		take(m.bob, give(m.ann, m.vouchers[0], 2))
		_, err := m.refundOwn(m.ann, m.asks(m.vouchers[0], 2, 500_00))
		require.ErrorIs(t, err, refund.ErrNotYours)
		_, err = m.refundOwn(m.bob, m.asks(m.vouchers[0], 2, 500_00))
		require.ErrorIs(t, err, fault.Missing, "a gift")
		take(m.ann, give(m.bob, m.vouchers[0], 2))
		_, err = m.refundOwn(m.ann, m.asks(m.vouchers[0], 2, 500_00))
		require.ErrorIs(t, err, refund.ErrNotYours)
		require.Equal(t, "refund.not_yours", m.option(t, m.ann, m.vouchers[0]).Refused)

		g := give(m.ann, m.vouchers[1], 1)
		_, err = m.refundOwn(m.ann, m.asks(m.vouchers[1], 2, 500_00))
		require.ErrorIs(t, err, voucher.ErrTooFew, "one of two is on its way as a voucher of its own")
		_, err = m.Gift.Withdraw(t.Context(), m.ann, g.ID)
		require.NoError(t, err)
		var slice uuid.UUID
		m.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT id FROM voucher WHERE parent_id = $1`, m.vouchers[1]).Scan(&slice)
		})
		for v, may := range map[uuid.UUID]bool{m.vouchers[0]: false, m.vouchers[1]: true, slice: true} {
			d, err := m.Voucher.Detail(t.Context(), m.ann, v)
			require.NoError(t, err)
			require.Equal(t, may, d.Refund != nil)
		}
		both := m.asks(m.vouchers[1], 1, 500_00)
		both.Parts = append(both.Parts, refund.Part{Voucher: slice, Items: 1})
		_, err = m.refundOwn(m.ann, both)
		require.NoError(t, err)
		m.MustBalance()
	})

	t.Run("of what was bought on the board neither its buyer nor its first payer has anything", func(t *testing.T) {
		m := openMarket(t, bySelf(0))
		m.topUp(t, m.bob, 450_00)
		m.sell(t, m.ann, m.bob, m.vouchers[0], 450_00)
		_, err := m.refundOwn(m.bob, m.asks(m.vouchers[0], 2, 500_00))
		require.ErrorIs(t, err, fault.Missing)
		_, err = m.refundOwn(m.ann, m.asks(m.vouchers[0], 2, 500_00))
		require.ErrorIs(t, err, refund.ErrNotYours)
	})

	t.Run("a key refunds once, and ten at once refund what there is", func(t *testing.T) {
		m := openMarket(t, bySelf(0))
		in, key := m.asks(m.vouchers[0], 1, 250_00), tenanttest.Key()
		first, err := m.Refund.RefundOwn(t.Context(), m.ann, key, in)
		require.NoError(t, err)
		again, err := m.Refund.RefundOwn(t.Context(), m.ann, key, in)
		require.NoError(t, err)
		require.Equal(t, first, again)
		in.Parts[0].Items = 2
		_, err = m.Refund.RefundOwn(t.Context(), m.ann, key, in)
		require.ErrorIs(t, err, idempotency.ErrReused)

		balance := m.Balance(m.ann)
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { _, _ = m.refundOwn(m.ann, m.asks(m.vouchers[1], 2, 500_00)) })
		}
		all.Wait()
		require.Equal(t, balance+500_00, m.Balance(m.ann))
		m.MustBalance()
	})

	t.Run("a frozen one is refused, and a dispute after the refund takes what came to the wallet first", func(t *testing.T) {
		m := openMarket(t, bySelf(500))
		order := m.direct(t, m.bob, m.Package(bySelf(500)))
		v := m.first(order)
		_, err := m.refundOwn(m.bob, m.asks(v, 2, 475_00))
		require.NoError(t, err)
		require.EqualValues(t, 475_00, m.Balance(m.bob))
		m.gatewaySays(t, order, disputed(payment.DisputeOpen))
		require.Zero(t, m.Balance(m.bob))
		is := m.state(m.bob)
		require.Equal(t, [2]money.Amount{25_00, 525_00}, [2]money.Amount{is.debt, is.owed}, "he owes the fee that he paid with the bank's money")
		require.Equal(t, map[string]int{"refunded": 1, "frozen": 1}, is.vouchers)
		var other uuid.UUID
		m.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT id FROM voucher WHERE order_id = $1 AND state = 'frozen'`, order).Scan(&other)
		})
		_, err = m.refundOwn(m.bob, m.asks(other, 2, 475_00))
		require.ErrorIs(t, err, voucher.ErrFrozen)
		m.gatewaySays(t, order, disputed(payment.DisputeLost))
		m.MustBalance()
	})

	t.Run("a debtor's refund pays what he owes first", func(t *testing.T) {
		m := openMarket(t, bySelf(0))
		order := m.direct(t, m.bob, m.Package(tenanttest.Package{Price: 300_00}))
		kept := m.direct(t, m.bob, m.Package(bySelf(0)))
		require.NoError(t, m.use(t, m.bob, m.first(order), 1))
		m.gatewaySays(t, order, disputed(payment.DisputeOpen))
		_, err := m.refundOwn(m.bob, m.asks(m.first(kept), 2, 500_00))
		require.NoError(t, err)
		m.MustBalance()
		require.Zero(t, m.state(m.bob).debt)
		require.EqualValues(t, 200_00, m.Balance(m.bob))
	})
}

// TestRefundOwnOfDiscounted: what leaves less of an order than its discount asked for goes by asking.
func TestRefundOwnOfDiscounted(t *testing.T) {
	buys := func(t *testing.T, leastTotal money.Amount, class string) (m *market, of []uuid.UUID, discount uuid.UUID) {
		s := open(t)
		s.ann = s.Customer(1000_00)
		p := tenanttest.Package{Price: 500_00, Items: 2, Class: class, Refunds: catalog.RefundTerms{Rule: "self", Days: 7}}
		discount = s.Discount(tenanttest.Discount{Value: 200_00, Least: leastTotal})
		o, vouchers := s.buysAll(t, s.ann, s.Package(p), s.Package(p))
		require.Equal(t, money.Amount(800_00), o.Total)
		return &market{shop: s, order: o.ID}, []uuid.UUID{vouchers[0][0], vouchers[1][0]}, discount
	}

	t.Run("a part by asking, all of it by himself", func(t *testing.T) {
		m, of, discount := buys(t, 750_01, "")
		_, err := m.refundOwn(m.ann, m.asks(of[0], 1, 200_00))
		require.ErrorIs(t, err, refund.ErrByAsking)
		q, err := m.request(m.ann, m.asks(of[0], 1, 200_00))
		require.NoError(t, err)
		require.NoError(t, m.grant(q.ID))
		m.MustBalance()
		_, err = m.refundOwn(m.ann, m.asks(of[1], 2, 400_00))
		require.ErrorIs(t, err, refund.ErrByAsking)
		all := refund.OwnInput{Choice: refund.Choice{Order: m.order, Parts: []refund.Part{{Voucher: of[0], Items: 1}, {Voucher: of[1], Items: 2}}}, Amount: 600_00}
		_, err = m.request(m.ann, all)
		require.ErrorIs(t, err, refund.ErrBySelf)
		_, err = m.refundOwn(m.ann, all)
		require.NoError(t, err)
		require.Equal(t, money.Amount(1000_00), m.Balance(m.ann))
		require.Zero(t, m.Count(`SELECT used FROM discount_count WHERE discount_id = $1`, discount))
		m.MustBalance()
	})

	t.Run("a part that leaves enough by himself", func(t *testing.T) {
		m, of, _ := buys(t, 750_00, "")
		_, err := m.request(m.ann, m.asks(of[0], 1, 200_00))
		require.ErrorIs(t, err, refund.ErrBySelf)
		_, err = m.refundOwn(m.ann, m.asks(of[0], 1, 200_00))
		require.NoError(t, err)
		_, err = m.refundOwn(m.ann, m.asks(of[0], 1, 200_00))
		require.ErrorIs(t, err, refund.ErrByAsking)
	})

	t.Run("what the law lets him give back by himself", func(t *testing.T) {
		m, of, _ := buys(t, 1000_00, "beauty")
		_, err := m.refundOwn(m.ann, m.asks(of[0], 1, 200_00))
		require.NoError(t, err)
	})
}

// TestRefundOwnOfEveryState: the payer's refund finds a voucher ready, or reads why it is not.
func TestRefundOwnOfEveryState(t *testing.T) {
	says := map[voucher.State]error{
		voucher.Ready: nil, voucher.InUse: voucher.ErrInUse, voucher.OnSale: voucher.ErrOnSale, voucher.InTransfer: voucher.ErrInTransfer,
		voucher.Frozen: voucher.ErrFrozen, voucher.Used: voucher.ErrAlreadyUsed, voucher.Expired: voucher.ErrExpired,
		voucher.Refunded: voucher.ErrRefunded, voucher.Void: voucher.ErrVoid,
	}
	for _, from := range tenanttest.States {
		t.Run(string(from), func(t *testing.T) {
			s := open(t)
			s.OpenBoard(200)
			s.VerifyMobile(s.ann)
			h := handing{order: s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 1000_00, Transfers: 3, Refunds: catalog.RefundTerms{Rule: "self", Days: 365}}))}
			h.voucher = s.first(h.order)
			s.reach(t, &h, from, "")
			m := &market{shop: s}
			_, may := voucher.Next(from, voucher.Refund)
			require.Equal(t, may, says[from] == nil)
			o := m.option(t, s.ann, h.voucher)
			_, err := m.refundOwn(s.ann, m.asks(h.voucher, 1, 1000_00))
			require.ErrorIs(t, err, says[from])
			if says[from] != nil {
				require.Equal(t, fault.From(says[from]).Code, o.Refused)
				require.Equal(t, from, s.stateOf(h.voucher))
			} else {
				require.Equal(t, voucher.Refunded, s.stateOf(h.voucher))
			}
			s.MustBalance()
		})
	}
}

// TestRefundOwnAtOnce: a payer has something refunded while it is used, given or offered. One comes first, and the other reads why.
func TestRefundOwnAtOnce(t *testing.T) {
	for name, other := range map[string]struct {
		do   func(m *market, v uuid.UUID) error
		over error // that the refund reads if the other was first
	}{
		"ask to use": {func(m *market, v uuid.UUID) error {
			_, err := m.Voucher.StartUse(context.Background(), m.ann, tenanttest.Key(), voucher.UseInput{Voucher: v, ServicePoint: m.point, Items: 1})
			return err
		}, voucher.ErrInUse},
		"give": {func(m *market, v uuid.UUID) error {
			_, err := m.Gift.Give(context.Background(), m.ann, tenanttest.Key(), gift.Input{Voucher: v, Items: 2, Card: "love"})
			return err
		}, voucher.ErrInTransfer},
		"offer": {func(m *market, v uuid.UUID) error {
			_, err := m.Board.Offer(context.Background(), m.ann, tenanttest.Key(), board.Input{Part: board.Part{Voucher: v, Items: 2}, Price: 400_00})
			return err
		}, voucher.ErrOnSale},
		"the organisation's refund": {func(m *market, v uuid.UUID) error {
			_, err := m.make(m.wants(v, 2))
			return err
		}, voucher.ErrRefunded},
	} {
		t.Run(name, func(t *testing.T) {
			m := openMarket(t, bySelf(0))
			first := map[bool]int{}
			for n := range 8 {
				m.ann = m.Customer(1000_00)
				m.VerifyMobile(m.ann)
				v := m.MustBuy(m.ann, m.Package(bySelf(0))).ID
				balance := m.Balance(m.ann)
				var mine, theirs error
				var both sync.WaitGroup
				both.Go(func() {
					time.Sleep(time.Duration(n%4) * time.Millisecond)
					theirs = other.do(m, v)
				})
				both.Go(func() { _, mine = m.refundOwn(m.ann, m.asks(v, 2, 500_00)) })
				both.Wait()
				m.MustBalance()
				first[mine == nil]++
				if mine == nil {
					require.ErrorIs(t, theirs, voucher.ErrRefunded)
					require.Equal(t, balance+500_00, m.Balance(m.ann))
					continue
				}
				require.ErrorIs(t, mine, other.over)
				require.NoError(t, theirs)
			}
			t.Logf("the refund first %d times, %s %d times", first[true], name, first[false])
		})
	}
}
