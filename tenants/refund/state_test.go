package refund_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// handing is a voucher that its payer paid for past the wallet, and what is under way with it.
type handing struct {
	order, voucher uuid.UUID
	use            voucher.UseSession
	gift           gift.Gift
	offer          board.Detail
}

// buyOne buys a voucher of one item for 1,000.00, which may be handed on.
func (s *shop) buyOne(t *testing.T) (h handing) {
	t.Helper()
	h.order = s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 1000_00, Transfers: 3}))
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM voucher WHERE order_id = $1`, h.order).Scan(&h.voucher)
	})
	return h
}

// reach brings it into a state as people, the clock or the gateway do.
func (s *shop) reach(t *testing.T, h *handing, state voucher.State, event voucher.Event) {
	t.Helper()
	var err error
	switch state {
	case voucher.Ready:
	case voucher.InUse:
		h.use, err = s.Voucher.StartUse(t.Context(), s.ann, tenanttest.Key(), voucher.UseInput{Voucher: h.voucher, ServicePoint: s.point, Items: 1})
	case voucher.OnSale:
		h.offer, err = s.Board.Offer(t.Context(), s.ann, tenanttest.Key(), board.Input{Part: board.Part{Voucher: h.voucher, Items: 1}, Price: 500_00})
	case voucher.InTransfer:
		h.gift, err = s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: h.voucher, Items: 1, Card: "love"})
	case voucher.Frozen:
		if event == voucher.Release || event == voucher.MakeVoid {
			s.gatewaySays(t, h.order, disputed(payment.DisputeOpen))
		} else {
			s.gatewaySays(t, h.order, sentBack(300_00)) // less than it is worth
		}
	case voucher.Used:
		err = s.use(t, s.ann, h.voucher, 1)
	case voucher.Expired:
		s.Clock.Advance(91 * 24 * time.Hour)
		s.In(s.Voucher.ExpireVouchers)
	case voucher.Refunded:
		s.gatewaySays(t, h.order, sentBack(1000_00))
	case voucher.Void:
		s.gatewaySays(t, h.order, disputed(payment.DisputeLost))
	}
	require.NoError(t, err)
	require.Equal(t, state, s.stateOf(h.voucher))
}

// TestEveryState has a bank and the gateway take money back, and return it, that paid for a voucher in every state: it goes where the table says,
// and what it leaves is over.
func TestEveryState(t *testing.T) {
	for _, from := range tenanttest.States {
		for event, says := range map[voucher.Event]func(*payment.Charge){
			voucher.Freeze:        disputed(payment.DisputeOpen),
			voucher.Release:       disputed(payment.DisputeWon),
			voucher.RefundOutside: sentBack(1000_00),
			voucher.MakeVoid:      disputed(payment.DisputeLost),
		} {
			t.Run(string(from)+": "+string(event), func(t *testing.T) {
				s := open(t)
				s.OpenBoard(200)
				s.VerifyMobile(s.ann)
				h := s.buyOne(t)
				s.reach(t, &h, from, event)
				want, may := voucher.Next(from, event)
				if !may {
					want = from
				}
				s.gatewaySays(t, h.order, says)
				require.Equal(t, want, s.stateOf(h.voucher))
				if !may {
					return
				}
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
}

// TestTwoAtOnce: a bank takes money back while what it paid for is handed on, or used. One comes first, and the other reads why.
func TestTwoAtOnce(t *testing.T) {
	for name, other := range map[string]struct {
		from voucher.State
		do   func(s *shop, h handing, bob token.Session) error
		over error         // if the bank was first
		then voucher.State // if it was not: of what bob has then, the bank freezes what was given him, and never what he bought
	}{
		"buy": {voucher.OnSale, func(s *shop, h handing, bob token.Session) error {
			_, err := s.Board.Buy(context.Background(), bob, tenanttest.Key(), board.BuyInput{Offer: h.offer.ID, Accepted: []uuid.UUID{}, Lang: "th"})
			return err
		}, board.ErrOver, voucher.Ready},
		"cancel": {voucher.OnSale, func(s *shop, h handing, _ token.Session) error {
			f, err := s.Board.Cancel(context.Background(), s.ann, h.offer.ID)
			if err == nil && f.State != voucher.Cancelled {
				return board.ErrOver
			}
			return err
		}, board.ErrOver, voucher.Frozen},
		"claim": {voucher.InTransfer, func(s *shop, h handing, bob token.Session) error {
			_, err := s.Gift.Receive(context.Background(), bob, gift.Link{Ref: h.gift.Ref})
			return err
		}, gift.ErrOver, voucher.Frozen},
		"give": {voucher.Ready, func(s *shop, h handing, _ token.Session) error {
			_, err := s.Gift.Give(context.Background(), s.ann, tenanttest.Key(), gift.Input{Voucher: h.voucher, Items: 1, Card: "love"})
			return err
		}, voucher.ErrFrozen, voucher.Frozen},
		"offer": {voucher.Ready, func(s *shop, h handing, _ token.Session) error {
			_, err := s.Board.Offer(context.Background(), s.ann, tenanttest.Key(), board.Input{Part: board.Part{Voucher: h.voucher, Items: 1}, Price: 500_00})
			return err
		}, voucher.ErrFrozen, voucher.Frozen},
		"ask to use": {voucher.Ready, func(s *shop, h handing, _ token.Session) error {
			_, err := s.Voucher.StartUse(context.Background(), s.ann, tenanttest.Key(), voucher.UseInput{Voucher: h.voucher, ServicePoint: s.point, Items: 1})
			return err
		}, voucher.ErrFrozen, voucher.Frozen},
	} {
		t.Run("a dispute and "+name, func(t *testing.T) {
			s := open(t)
			s.OpenBoard(200)
			first := map[bool]int{}
			for n := range 8 {
				bob := s.Customer(500_00)
				s.ann = s.Customer(0)
				s.VerifyMobile(s.ann)
				h := s.buyOne(t)
				s.reach(t, &h, other.from, "")
				var err error
				var both sync.WaitGroup
				both.Go(func() {
					time.Sleep(time.Duration(2*n) * time.Millisecond) // a dispute takes longer to begin
					err = other.do(s, h, bob)
				})
				both.Go(func() { s.turn(t, h.order, disputed(payment.DisputeOpen)) })
				both.Wait()
				s.MustBalance()
				first[err == nil]++
				if err == nil {
					require.Equal(t, other.then, s.stateOf(h.voucher))
					continue
				}
				require.ErrorIs(t, err, other.over)
				require.Equal(t, voucher.Frozen, s.stateOf(h.voucher))
				require.EqualValues(t, 500_00, s.Balance(bob))
			}
			t.Logf("%s first %d times, the dispute %d times", name, first[true], first[false])
		})
	}
}
