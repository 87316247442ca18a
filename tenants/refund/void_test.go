package refund_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

func (s *shop) void(id uuid.UUID) error {
	return s.Refund.Void(context.Background(), s.Org, s.owner(), tenanttest.Key(), refund.VoidInput{ID: id, Reason: "printed twice"})
}

// mustVoid ends a voucher as its quote said.
func (s *shop) mustVoid(t *testing.T, id uuid.UUID) refund.VoidQuote {
	t.Helper()
	q, err := s.Refund.QuoteVoid(t.Context(), s.Org, id)
	require.NoError(t, err)
	require.Equal(t, q.Paid, q.Wallet+q.Debt+q.Payable)
	holder := token.Session{Org: s.Org, Subject: q.Holder}
	before, payable := s.Balance(holder), s.SystemBalance(ledger.Payable)
	require.NoError(t, s.void(id))
	s.MustBalance()
	require.Equal(t, voucher.Void, s.stateOf(id))
	require.Equal(t, payable+q.Payable, s.SystemBalance(ledger.Payable))
	d, err := s.Voucher.Detail(t.Context(), holder, id)
	require.NoError(t, err)
	require.Equal(t, q.Wallet, *d.Void)
	if q.Debt == 0 {
		require.Equal(t, before+q.Wallet, s.Balance(holder))
	}
	return q
}

// TestVoid: the organisation ends a voucher.
func TestVoid(t *testing.T) {
	t.Run("what was paid goes to its holder, and the order, its stock and its agent follow", func(t *testing.T) {
		m := openMarket(t, two(0))
		before := [3]money.Amount{m.Balance(m.ann), m.SystemBalance(ledger.Unearned), m.SystemBalance(ledger.PlatformFee)}
		q := m.mustVoid(t, m.vouchers[0])
		require.Equal(t, refund.VoidQuote{Holder: m.ann.Subject, HolderName: q.HolderName, Paid: 500_00, Wallet: 500_00}, q)
		require.Equal(t, "part_refunded", m.orderState())
		m.mustVoid(t, m.vouchers[1])
		require.Equal(t, "refunded", m.orderState())
		require.Equal(t, [3]money.Amount{before[0] + 1000_00, before[1] - 870_00, before[2] - 30_00},
			[3]money.Amount{m.Balance(m.ann), m.SystemBalance(ledger.Unearned), m.SystemBalance(ledger.PlatformFee)})
		require.Zero(t, m.Pending(m.agent))
		require.Zero(t, m.SystemBalance(ledger.ChargebackReceivable))
		require.Zero(t, m.Count(`SELECT sum(sold) FROM stock`))
		require.Equal(t, []string{string(message.VoucherVoidedByShop), string(message.VoucherVoidedByShop)}, m.messagesTo(t, m.ann))
		require.EqualValues(t, 2, m.Count(`SELECT count(*) FROM audit_log WHERE action = 'void'`))
		require.ErrorIs(t, m.use(t, m.ann, m.vouchers[0], 1), voucher.ErrVoid)
	})

	t.Run("what was used stays earned", func(t *testing.T) {
		m := openMarket(t, tenanttest.Package{Price: 999_01, Items: 3, Transfers: 5})
		require.NoError(t, m.use(t, m.ann, m.vouchers[0], 1))
		earned := m.SystemBalance(ledger.Payable)
		require.EqualValues(t, 666_01, m.mustVoid(t, m.vouchers[0]).Wallet)
		require.Equal(t, earned, m.SystemBalance(ledger.Payable))
	})

	t.Run("who was given it, or bought it on the board, has what lies behind it", func(t *testing.T) {
		m := openMarket(t, two(0))
		m.topUp(t, m.bob, 450_00)
		m.sell(t, m.ann, m.bob, m.vouchers[0], 450_00)
		cat, anns := m.Customer(0), m.Balance(m.ann)
		g, err := m.Gift.Give(t.Context(), m.ann, tenanttest.Key(), gift.Input{Voucher: m.vouchers[1], Items: 2, Card: "love"})
		require.NoError(t, err)
		_, err = m.Gift.Receive(t.Context(), cat, gift.Link{Ref: g.Ref})
		require.NoError(t, err)
		require.Equal(t, m.bob.Subject, m.mustVoid(t, m.vouchers[0]).Holder)
		require.EqualValues(t, 500_00, m.Balance(m.bob), "whatever he paid")
		require.Equal(t, cat.Subject, m.mustVoid(t, m.vouchers[1]).Holder)
		require.Equal(t, anns, m.Balance(m.ann))
		m.settleOthers(t)
		require.Equal(t, "refunded", m.orderState())
	})

	t.Run("nothing is moved for what cost nothing, and it goes with what was paid for", func(t *testing.T) {
		m := openMarket(t, two(2))
		require.Zero(t, m.mustVoid(t, m.vouchers[2]).Paid)
		m.mustVoid(t, m.vouchers[0])
		require.Equal(t, voucher.Ready, m.stateOf(m.vouchers[3]))
		m.mustVoid(t, m.vouchers[1])
		require.Equal(t, voucher.Void, m.stateOf(m.vouchers[3]))
		require.EqualValues(t, 2, m.Count(`SELECT count(*) FROM refund`))
	})

	t.Run("frozen by the organisation, whose freeze ends without days", func(t *testing.T) {
		m := openMarket(t, two(0))
		m.mustFreeze(t, m.vouchers[0])
		m.Clock.Advance(49 * time.Hour)
		m.mustVoid(t, m.vouchers[0])
		require.ErrorIs(t, m.release(m.vouchers[0]), voucher.ErrNotFrozen)
		require.Zero(t, m.Count(`SELECT count(*) FROM owner_freeze WHERE ended_at IS NULL OR days > 0`))
	})

	t.Run("once under a key, and refused after that, without a reason, or for another organisation's", func(t *testing.T) {
		m := openMarket(t, two(0))
		v, key := m.vouchers[0], tenanttest.Key()
		in := refund.VoidInput{ID: v, Reason: "printed twice"}
		for range 2 {
			require.NoError(t, m.Refund.Void(t.Context(), m.Org, m.owner(), key, in))
		}
		in.Reason = "another"
		require.ErrorIs(t, m.Refund.Void(t.Context(), m.Org, m.owner(), key, in), idempotency.ErrReused)
		require.ErrorIs(t, m.void(v), voucher.ErrVoid)
		_, err := m.Refund.QuoteVoid(t.Context(), m.Org, v)
		require.ErrorIs(t, err, voucher.ErrVoid)
		require.Error(t, m.Refund.Void(t.Context(), m.Org, m.owner(), tenanttest.Key(), refund.VoidInput{ID: m.vouchers[1], Reason: " "}))
		require.ErrorIs(t, m.void(uuid.New()), fault.Missing)
		other := tenanttest.On(t, m.Server)
		stranger := auditlog.Actor{Kind: token.Owner, ID: other.Staff().Subject}
		require.ErrorIs(t, other.Refund.Void(t.Context(), other.Org, stranger, tenanttest.Key(), refund.VoidInput{ID: m.vouchers[1], Reason: "mine"}), fault.Missing)
		require.Equal(t, voucher.Ready, m.stateOf(m.vouchers[1]))
		m.Clock.Advance(91 * 24 * time.Hour)
		require.ErrorIs(t, m.void(m.vouchers[1]), voucher.ErrExpired, "no worker has ended it yet")
		m.MustBalance()
	})
}

// TestVoidFrozen: what is frozen for a debt pays that first.
func TestVoidFrozen(t *testing.T) {
	disputing := func(t *testing.T) (s *shop, paid, v uuid.UUID) {
		s = open(t)
		p := s.Package(tenanttest.Package{Price: 600_00, Items: 3, Transfers: 2})
		s.Visit(s.ann, s.agent, p)
		paid = s.direct(t, s.ann, p)
		return s, paid, s.first(paid)
	}
	t.Run("of a dispute: lost, there is nothing left to take", func(t *testing.T) {
		s, paid, v := disputing(t)
		s.gatewaySays(t, paid, disputed(payment.DisputeOpen))
		q := s.mustVoid(t, v)
		require.Equal(t, []money.Amount{600_00, 0, 600_00}, []money.Amount{q.Paid, q.Wallet, q.Debt})
		require.Equal(t, state{vouchers: map[string]int{"void": 1}}, s.state(s.ann))
		require.Equal(t, []string{string(message.VoucherFrozen), string(message.VoucherVoidedByShop)}, s.messagesTo(t, s.ann))
		s.gatewaySays(t, paid, disputed(payment.DisputeLost))
		require.Zero(t, s.Balance(s.ann))
	})
	t.Run("of a dispute: won, the bank's money is its payer's", func(t *testing.T) {
		s, paid, v := disputing(t)
		s.gatewaySays(t, paid, disputed(payment.DisputeOpen))
		s.mustVoid(t, v)
		s.gatewaySays(t, paid, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeWon, 0 })
		require.EqualValues(t, 600_00, s.Balance(s.ann))
	})
	t.Run("what it is worth beyond the debt is its holder's", func(t *testing.T) {
		s, paid, v := disputing(t)
		s.gatewaySays(t, paid, sentBack(50_00))
		require.Equal(t, voucher.Frozen, s.stateOf(v))
		q := s.mustVoid(t, v)
		require.Equal(t, []money.Amount{550_00, 50_00}, []money.Amount{q.Wallet, q.Debt})
		require.EqualValues(t, 550_00, s.Balance(s.ann))
	})
	t.Run("and the organisation's, which bore some of it", func(t *testing.T) {
		s, paid, v := disputing(t)
		require.NoError(t, s.use(t, s.ann, v, 2))
		s.Clock.Advance(3 * 24 * time.Hour)
		s.gatewaySays(t, paid, sentBack(50_00))
		s.Clock.Advance(8 * 24 * time.Hour)
		s.decide(t)
		require.Equal(t, voucher.Ready, s.stateOf(v))
		s.gatewaySays(t, paid, sentBack(50_00))
		q := s.mustVoid(t, v)
		require.Equal(t, []money.Amount{100_00, 50_00, 50_00}, []money.Amount{q.Wallet, q.Debt, q.Payable})
	})
	t.Run("bought on the board, for its buyer's dispute", func(t *testing.T) {
		m := openMarket(t, two(0))
		paid := m.sellDirect(t, m.vouchers[0], 450_00)
		m.gatewaySays(t, paid, disputed(payment.DisputeOpen))
		q := m.mustVoid(t, m.vouchers[0])
		require.Equal(t, []money.Amount{50_00, 450_00}, []money.Amount{q.Wallet, q.Debt})
		require.EqualValues(t, 50_00, m.Balance(m.bob))
		m.settleOthers(t)
	})
	t.Run("what came along for nothing with it", func(t *testing.T) {
		s := open(t)
		d := s.paidDirectly(t)
		s.gatewaySays(t, d.charge, disputed(payment.DisputeOpen))
		require.Equal(t, voucher.Frozen, s.stateOf(d.extra))
		s.mustVoid(t, d.extra)
		s.mustVoid(t, d.paid)
		s.gatewaySays(t, d.charge, disputed(payment.DisputeLost))
	})
}

// TestVoidEveryState: it ends what is not over, and what is under way with it.
func TestVoidEveryState(t *testing.T) {
	for _, from := range tenanttest.States {
		t.Run(string(from), func(t *testing.T) {
			s := open(t)
			s.OpenBoard(200)
			s.VerifyMobile(s.ann)
			h := s.buyOne(t)
			s.reach(t, &h, from, voucher.MakeVoid)
			_, may := voucher.Next(from, voucher.MakeVoid)
			if !may {
				require.ErrorIs(t, s.void(h.voucher), map[voucher.State]error{
					voucher.Used: voucher.ErrAlreadyUsed, voucher.Expired: voucher.ErrExpired, voucher.Refunded: voucher.ErrRefunded, voucher.Void: voucher.ErrVoid,
				}[from])
				require.Equal(t, from, s.stateOf(h.voucher))
				return
			}
			q := s.mustVoid(t, h.voucher)
			require.Equal(t, map[voucher.State]string{voucher.InUse: "use", voucher.InTransfer: "gift", voucher.OnSale: "offer"}[from], q.Ends)
			switch from {
			case voucher.InUse:
				use, err := s.Voucher.Use(t.Context(), s.ann, h.use.ID)
				require.NoError(t, err)
				require.Equal(t, "cancelled", use.State)
			case voucher.OnSale:
				f, err := s.Board.Detail(t.Context(), s.ann, h.offer.ID)
				require.NoError(t, err)
				require.Equal(t, voucher.Stopped, f.State)
			case voucher.InTransfer:
				g, err := s.Gift.Detail(t.Context(), s.ann, h.gift.ID)
				require.NoError(t, err)
				require.Equal(t, voucher.Stopped, g.State)
			}
		})
	}
}

// TestVoidAtOnce: a voucher is void while something else happens to it. One comes first, and the other reads why; money moves once.
func TestVoidAtOnce(t *testing.T) {
	for name, other := range map[string]struct {
		from voucher.State
		do   func(s *shop, h *handing, bob token.Session) error
		over error
	}{
		"a use is confirmed": {voucher.InUse, func(s *shop, h *handing, _ token.Session) error {
			_, err := s.Voucher.Confirm(context.Background(), s.staff, tenanttest.Key(), voucher.ConfirmInput{Session: h.use.ID, ServicePoint: s.point})
			return err
		}, voucher.ErrSessionOver},
		"a use is asked for": {voucher.Ready, func(s *shop, h *handing, _ token.Session) error {
			_, err := s.Voucher.StartUse(context.Background(), s.ann, tenanttest.Key(), voucher.UseInput{Voucher: h.voucher, ServicePoint: s.point, Items: 1})
			return err
		}, voucher.ErrVoid},
		"claimed": {voucher.InTransfer, func(s *shop, h *handing, bob token.Session) error {
			_, err := s.Gift.Receive(context.Background(), bob, gift.Link{Ref: h.gift.Ref})
			return err
		}, gift.ErrOver},
		"bought": {voucher.OnSale, func(s *shop, h *handing, bob token.Session) error {
			_, err := s.Board.Buy(context.Background(), bob, tenanttest.Key(), board.BuyInput{Offer: h.offer.ID, Accepted: []uuid.UUID{}, Lang: "th"})
			return err
		}, board.ErrOver},
		"refunded": {voucher.Ready, func(s *shop, h *handing, _ token.Session) error {
			_, err := s.Refund.Make(context.Background(), s.Org, s.owner(), tenanttest.Key(),
				refund.Input{Choice: refund.Choice{Order: h.order, Parts: []refund.Part{{Voucher: h.voucher, Items: 1}}}, Reason: "asked"})
			return err
		}, voucher.ErrVoid},
		"disputed": {voucher.Ready, func(s *shop, h *handing, _ token.Session) error {
			s.Pay.SetCharge(h.order, disputed(payment.DisputeOpen))
			return nil
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.OpenBoard(200)
			first := map[bool]int{}
			for n := range 8 {
				bob := s.Customer(500_00)
				s.ann = s.Customer(0)
				s.VerifyMobile(s.ann)
				h := s.buyOne(t)
				s.reach(t, &h, other.from, "")
				if other.from == voucher.InUse {
					s.Scan(s.staff, h.use, s.point)
				}
				var err, voided error
				var both sync.WaitGroup
				both.Go(func() {
					time.Sleep(time.Duration(n) * time.Millisecond)
					err = other.do(s, &h, bob)
				})
				both.Go(func() { voided = s.void(h.voucher) })
				if name == "disputed" {
					both.Go(func() { s.turn(t, h.order, disputed(payment.DisputeOpen)) })
				}
				both.Wait()
				s.MustBalance()
				first[err == nil]++
				if voided != nil { // what ended it came before
					require.NoError(t, err)
					require.True(t, errors.Is(voided, voucher.ErrAlreadyUsed) || errors.Is(voided, voucher.ErrRefunded), "%v", voided)
					continue
				}
				require.Equal(t, voucher.Void, s.stateOf(h.voucher))
				if err != nil {
					require.ErrorIs(t, err, other.over)
				}
			}
			t.Logf("the other one done %d times, refused %d times", first[true], first[false])
		})
	}
	t.Run("by many at once, once", func(t *testing.T) {
		m := openMarket(t, two(0))
		balance := m.Balance(m.ann)
		var done atomic.Int64
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if m.void(m.vouchers[0]) == nil {
					done.Add(1)
				}
			})
		}
		all.Wait()
		require.EqualValues(t, 1, done.Load())
		require.Equal(t, balance+500_00, m.Balance(m.ann))
		m.MustBalance()
	})
}
