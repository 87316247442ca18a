package refund_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
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

// extendTo is an extension until so many days from today.
func (s *shop) extendTo(id uuid.UUID, days int) refund.ExtendInput {
	return refund.ExtendInput{ID: id, Until: clock.Day(s.Clock.Now()).AddDate(0, 0, days).Format(time.DateOnly), Reason: "the branch was closed"}
}

func (s *shop) extend(id uuid.UUID, days int) error {
	return s.Refund.Extend(context.Background(), s.Org, s.owner(), tenanttest.Key(), s.extendTo(id, days))
}

// expireAll has the last day of a voucher pass, and a worker end it.
func (s *shop) expireAll(t *testing.T) {
	t.Helper()
	s.Clock.Advance(91 * 24 * time.Hour)
	require.NoError(t, s.Voucher.ExpireAllVouchers(t.Context(), s.Org))
}

// TestExtend: a voucher that is not final gets another last day; what is under way with it goes on, and what was over is ready again.
func TestExtend(t *testing.T) {
	for _, from := range tenanttest.States {
		t.Run(string(from), func(t *testing.T) {
			s := open(t)
			s.OpenBoard(200)
			s.VerifyMobile(s.ann)
			h := s.buyOne(t)
			s.reach(t, &h, from, voucher.MakeVoid)
			unearned := s.SystemBalance(ledger.Unearned)
			err := s.extend(h.voucher, 120)
			s.MustBalance()
			if over := map[voucher.State]error{voucher.Used: voucher.ErrAlreadyUsed, voucher.Refunded: voucher.ErrRefunded, voucher.Void: voucher.ErrVoid}[from]; over != nil {
				require.ErrorIs(t, err, over)
				return
			}
			require.NoError(t, err)
			require.Contains(t, s.messagesTo(t, s.ann), string(message.VoucherExtended))
			require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM voucher WHERE id = $1 AND valid_until = $2 AND valid_until = issued_until + added_days`, h.voucher, clock.Day(s.Clock.Now()).AddDate(0, 0, 120)))
			bob := s.Customer(500_00)
			switch from {
			case voucher.Expired:
				require.Equal(t, voucher.Ready, s.stateOf(h.voucher))
				require.Zero(t, s.SystemBalance(ledger.Breakage))
				require.Equal(t, unearned+970_00, s.SystemBalance(ledger.Unearned))
				require.NoError(t, s.use(t, s.ann, h.voucher, 1))
				require.EqualValues(t, 970_00, s.SystemBalance(ledger.Payable))
			case voucher.InUse:
				s.Scan(s.staff, h.use, s.point)
				_, err = s.Voucher.Confirm(t.Context(), s.staff, tenanttest.Key(), voucher.ConfirmInput{Session: h.use.ID, ServicePoint: s.point})
				require.NoError(t, err)
			case voucher.InTransfer:
				_, err = s.Gift.Receive(t.Context(), bob, gift.Link{Ref: h.gift.Ref})
				require.NoError(t, err)
			case voucher.OnSale:
				_, err = s.Board.Buy(t.Context(), bob, tenanttest.Key(), board.BuyInput{Offer: h.offer.ID, Accepted: []uuid.UUID{}, Lang: "th"})
				require.NoError(t, err)
			default:
				require.Equal(t, from, s.stateOf(h.voucher))
			}
			s.MustBalance()
		})
	}

	t.Run("over again and extended again, once each time, and no worker is waited for", func(t *testing.T) {
		s := open(t)
		h := s.buyOne(t)
		unearned := s.SystemBalance(ledger.Unearned)
		for range 3 {
			s.expireAll(t)
			require.Equal(t, voucher.Expired, s.stateOf(h.voucher))
			require.EqualValues(t, 970_00, s.SystemBalance(ledger.Breakage))
			s.MustBalance()
			require.NoError(t, s.extend(h.voucher, 30))
			require.Equal(t, unearned, s.SystemBalance(ledger.Unearned))
			s.MustBalance()
		}
		s.Clock.Advance(31 * 24 * time.Hour)
		require.NoError(t, s.extend(h.voucher, 0), "until today")
		require.EqualValues(t, 4, s.Count(`SELECT count(*) FROM voucher_event WHERE event = 'expire'`))
		s.expireAll(t)
		require.EqualValues(t, 970_00, s.SystemBalance(ledger.Breakage))
		s.MustBalance()
	})

	t.Run("not what went to the wallet when it was over, and until then it can be", func(t *testing.T) {
		s := open(t)
		h := s.buyOne(t)
		s.Force(`UPDATE voucher SET expiry_rule = 'wallet'`)
		require.NoError(t, s.extend(h.voucher, 100))
		s.Clock.Advance(101 * 24 * time.Hour)
		require.ErrorIs(t, s.extend(h.voucher, 120), voucher.ErrPaidOut, "no worker has ended it yet")
		require.EqualValues(t, 970_00, s.Balance(s.ann))
		require.ErrorIs(t, s.extend(h.voucher, 120), voucher.ErrPaidOut)
	})

	t.Run("once under a key; not to an earlier day, without a reason, for ever, or another organisation's", func(t *testing.T) {
		s := open(t)
		h := s.buyOne(t)
		key, in := tenanttest.Key(), s.extendTo(h.voucher, 100)
		for range 2 {
			require.NoError(t, s.Refund.Extend(t.Context(), s.Org, s.owner(), key, in))
		}
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM extension`))
		in.Reason = "another"
		require.ErrorIs(t, s.Refund.Extend(t.Context(), s.Org, s.owner(), key, in), idempotency.ErrReused)
		require.ErrorIs(t, s.extend(h.voucher, 100), voucher.ErrNotLater)
		require.ErrorIs(t, s.extend(h.voucher, 99), voucher.ErrNotLater)
		in.Reason = " "
		require.Error(t, s.Refund.Extend(t.Context(), s.Org, s.owner(), tenanttest.Key(), in))
		require.Error(t, s.extend(h.voucher, 3660))
		require.ErrorIs(t, s.extend(uuid.New(), 100), fault.Missing)
		other := tenanttest.On(t, s.Server)
		stranger := auditlog.Actor{Kind: token.Owner, ID: other.Staff().Subject}
		require.ErrorIs(t, other.Refund.Extend(t.Context(), other.Org, stranger, tenanttest.Key(), s.extendTo(h.voucher, 200)), fault.Missing)
		s.MustBalance()
	})

	t.Run("not what somebody held who has deleted his account", func(t *testing.T) {
		s := open(t)
		h := s.buyOne(t)
		s.expireAll(t)
		s.Force(`UPDATE customer SET erased_at = now() WHERE id = $1`, s.ann.Subject)
		require.ErrorIs(t, s.extend(h.voucher, 30), voucher.ErrHolderGone)
	})

	t.Run("a slice and its parent each have their own days", func(t *testing.T) {
		s := open(t)
		m := s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 900_00, Items: 3, Transfers: 3}))
		v := s.first(m)
		require.NoError(t, s.extend(v, 95))
		g, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: v, Items: 1, Card: "love"})
		require.NoError(t, err)
		require.NoError(t, s.extend(v, 100))
		s.MustBalance()
		bob := s.Customer(0)
		_, err = s.Gift.Receive(t.Context(), bob, gift.Link{Ref: g.Ref})
		require.NoError(t, err)
		s.MustBalance()
		require.EqualValues(t, 2, s.Count(`SELECT count(DISTINCT valid_until) FROM voucher`))
	})

	t.Run("what it is worth stands for what its payer owes, whichever came first", func(t *testing.T) {
		for _, extendedFirst := range []bool{false, true} {
			s := open(t)
			h := s.buyOne(t)
			s.expireAll(t)
			if extendedFirst {
				require.NoError(t, s.extend(h.voucher, 30))
			}
			s.gatewaySays(t, h.order, disputed(payment.DisputeOpen))
			if !extendedFirst {
				require.EqualValues(t, 1000_00, s.Count(`SELECT debt_satang FROM customer WHERE id = $1`, s.ann.Subject))
				require.NoError(t, s.extend(h.voucher, 30))
			}
			require.Equal(t, voucher.Frozen, s.stateOf(h.voucher))
			require.Zero(t, s.Count(`SELECT debt_satang FROM customer WHERE id = $1`, s.ann.Subject))
			s.MustBalance()
			s.gatewaySays(t, h.order, disputed(payment.DisputeLost))
			require.Equal(t, voucher.Void, s.stateOf(h.voucher))
			s.MustBalance()
		}
	})

	t.Run("while it is over, used, given or ended by the organisation: one comes first", func(t *testing.T) {
		for name, other := range map[string]func(s *shop, h handing) error{
			"over":   func(s *shop, _ handing) error { return s.Voucher.ExpireAllVouchers(context.Background(), s.Org) },
			"again":  func(s *shop, h handing) error { return s.extend(h.voucher, 40) },
			"void":   func(s *shop, h handing) error { return s.void(h.voucher) },
			"freeze": func(s *shop, h handing) error { return s.freeze(h.voucher) },
		} {
			t.Run(name, func(t *testing.T) {
				s := open(t)
				for range 6 {
					s.ann = s.Customer(0)
					h := s.buyOne(t)
					if name == "over" {
						s.Clock.Advance(91 * 24 * time.Hour)
					} else {
						s.expireAll(t)
					}
					var extended, did error
					var both sync.WaitGroup
					both.Go(func() { extended = s.extend(h.voucher, 40) })
					both.Go(func() { did = other(s, h) })
					both.Wait()
					s.MustBalance()
					switch name {
					case "over":
						require.NoError(t, extended)
						require.NoError(t, did)
						require.Equal(t, voucher.Ready, s.stateOf(h.voucher))
					case "again":
						require.NotEqual(t, extended == nil, did == nil, "%v, %v", extended, did)
					default:
						require.NoError(t, extended)
						if did != nil {
							require.ErrorIs(t, did, voucher.ErrExpired)
						}
					}
				}
			})
		}
	})
}
