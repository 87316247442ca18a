package board_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// payable is a shop that can be paid directly, whose bob has no money in his wallet.
func payable(t *testing.T) shop {
	t.Helper()
	s := open(t, threeItems)
	s.system = s.AddPaymentSystem()
	s.bob = s.Customer(0)
	return s
}

func payBy(method string, offer uuid.UUID) board.PayInput {
	in := board.PayInput{BuyInput: board.BuyInput{Offer: offer, Accepted: []uuid.UUID{}, Lang: "th"}, PaymentMethod: charge.PaymentMethod{Method: method}}
	if method == "card" {
		in.CardToken = "tokn_test"
	}
	return in
}

func (s shop) pay(who token.Session, method string, offer uuid.UUID) (board.Payment, error) {
	return s.Board.Pay(context.Background(), who, tenanttest.Key(), "", payBy(method, offer))
}

func (s shop) mustPay(t *testing.T, offer uuid.UUID) board.Payment {
	t.Helper()
	p, err := s.pay(s.bob, "promptpay", offer)
	require.NoError(t, err)
	require.Equal(t, "open", p.State)
	return p
}

func (s shop) payment(t *testing.T, id uuid.UUID) board.Payment {
	t.Helper()
	p, err := s.Board.Payment(t.Context(), s.bob, id)
	require.NoError(t, err)
	return p
}

func byQR(in order.BuyInput) order.PayInput {
	return order.PayInput{BuyInput: in, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}}
}

// dispute is where a payer's bank holds a charge back.
func (s shop) dispute(t *testing.T, id uuid.UUID, amount money.Amount) {
	t.Helper()
	name := s.Pay.SetCharge(id, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, amount })
	require.NoError(t, s.Charge.HandleGatewayEvent(t.Context(), s.Org, charge.GatewayEventJob{System: s.system, GatewayID: name}))
}

func (s shop) offerState(id uuid.UUID) (state string) {
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT state FROM offer WHERE id = $1`, id).Scan(&state)
	})
	return state
}

func TestPay(t *testing.T) {
	for _, method := range []string{"promptpay", "card"} {
		t.Run("by "+method+" it is reserved, and his once the money is in", func(t *testing.T) {
			s := payable(t)
			f := s.offer(t, 900_05)
			p, err := s.pay(s.bob, method, f.ID)
			require.NoError(t, err)
			require.Equal(t, method, p.Charge.Method)
			s.requireState(t, voucher.OnSale, s.ann)

			d, err := s.Board.Detail(t.Context(), s.bob, f.ID)
			require.NoError(t, err)
			require.Equal(t, "reserved", d.State)
			require.Equal(t, &p.ID, d.Payment)
			other := s.Customer(1000_00)
			d, err = s.Board.Detail(t.Context(), other, f.ID)
			require.NoError(t, err)
			require.Equal(t, "reserved", d.State)
			require.Nil(t, d.Payment)
			page, err := s.Board.List(t.Context(), other, board.ListInput{Sort: "newest"})
			require.NoError(t, err)
			require.Equal(t, "reserved", page.Data[0].State)
			_, err = s.buy(other, f.ID)
			require.ErrorIs(t, err, board.ErrBeingPaid)
			_, err = s.pay(other, method, f.ID)
			require.ErrorIs(t, err, board.ErrBeingPaid)
			_, err = s.Board.Cancel(t.Context(), s.ann, f.ID)
			require.ErrorIs(t, err, board.ErrBeingPaid)
			_, err = s.Board.Payment(t.Context(), other, p.ID)
			require.ErrorIs(t, err, board.ErrNotFound)
			_, err = s.Board.GiveUp(t.Context(), other, p.ID)
			require.ErrorIs(t, err, board.ErrNotFound)

			for range 3 {
				s.PayAtGateway(p.ID)
			}
			s.requireState(t, voucher.Ready, s.bob)
			p = s.payment(t, p.ID)
			require.Equal(t, "paid", p.State)
			require.Equal(t, []uuid.UUID{s.voucher.ID}, p.Vouchers)
			require.NotEmpty(t, p.Number)
			require.Zero(t, s.Balance(s.bob))
			require.EqualValues(t, 19_000_00+855_05, s.Balance(s.ann))
			require.EqualValues(t, -900_05, s.SystemBalance(ledger.GatewayOwn))
			require.EqualValues(t, 18_00, s.SystemBalance(ledger.Payable))
			own, err := s.Board.Own(t.Context(), s.bob, board.OwnInput{Side: "buy"})
			require.NoError(t, err)
			require.Equal(t, p.Number, own[0].Number)
			d, err = s.Board.Detail(t.Context(), s.bob, f.ID)
			require.NoError(t, err)
			require.Equal(t, method, d.PaidBy)

			s.VerifyMobile(s.bob)
			_, err = s.Board.Offer(t.Context(), s.bob, tenanttest.Key(), s.input(500_00))
			if method == "card" {
				require.ErrorIs(t, err, board.ErrTooEarly)
				s.Clock.Advance(14*24*time.Hour + time.Second)
				_, err = s.Board.Offer(t.Context(), s.bob, tenanttest.Key(), s.input(500_00))
			}
			require.NoError(t, err)
		})
	}

	t.Run("the same key pays once, and another body is refused", func(t *testing.T) {
		s := payable(t)
		f, key := s.offer(t, 500_00), tenanttest.Key()
		first, err := s.Board.Pay(t.Context(), s.bob, key, "", payBy("promptpay", f.ID))
		require.NoError(t, err)
		again, err := s.Board.Pay(t.Context(), s.bob, key, "", payBy("promptpay", f.ID))
		require.NoError(t, err)
		require.Equal(t, first.ID, again.ID)
		require.Equal(t, 1, s.Pay.Made)
		_, err = s.Board.Pay(t.Context(), s.bob, key, "", payBy("card", f.ID))
		require.ErrorIs(t, err, idempotency.ErrReused)
		s.PayAtGateway(first.ID)
		again, err = s.Board.Pay(t.Context(), s.bob, key, "", payBy("promptpay", f.ID))
		require.NoError(t, err)
		require.Equal(t, "paid", again.State)
		s.requireState(t, voucher.Ready, s.bob)
	})

	t.Run("who made it, owes, has no token of a card, or comes too late reserves nothing", func(t *testing.T) {
		s := payable(t)
		f := s.offer(t, 900_00)
		_, err := s.pay(s.ann, "promptpay", f.ID)
		require.ErrorIs(t, err, board.ErrOwn)
		in := payBy("card", f.ID)
		in.CardToken = ""
		_, err = s.Board.Pay(t.Context(), s.bob, tenanttest.Key(), "", in)
		require.Equal(t, []fault.Field{{Path: "card_token", Fault: charge.ErrCardToken.Code}}, fault.From(err).Fields)
		s.Force(`UPDATE customer SET debt_satang = 1 WHERE id = $1`, s.bob.Subject)
		_, err = s.pay(s.bob, "promptpay", f.ID)
		require.ErrorIs(t, err, customer.ErrDebt)
		s.Force(`UPDATE customer SET debt_satang = 0 WHERE id = $1`, s.bob.Subject)
		_, err = s.pay(s.bob, "promptpay", uuid.New())
		require.ErrorIs(t, err, board.ErrNotFound)
		s.Clock.Advance(31 * 24 * time.Hour)
		_, err = s.pay(s.bob, "promptpay", f.ID)
		require.ErrorIs(t, err, board.ErrOver)
		require.Zero(t, s.Pay.Made, "the gateway was not asked")
		require.Zero(t, s.Count(`SELECT count(*) FROM reservation`))
	})

	t.Run("no shop that cannot be paid, no price that a gateway cannot carry", func(t *testing.T) {
		s := open(t, threeItems)
		f := s.offer(t, 900_00)
		_, err := s.pay(s.bob, "promptpay", f.ID)
		require.ErrorIs(t, err, charge.ErrNoMethod)
		s.AddPaymentSystem()
		s.Force(`UPDATE offer SET price_satang = 15000001 WHERE id = $1`, f.ID)
		_, err = s.pay(s.bob, "promptpay", f.ID)
		require.ErrorIs(t, err, board.ErrDirectSum)
		require.Equal(t, "open", s.offerState(f.ID))
	})

	t.Run("a refused payment leaves it open", func(t *testing.T) {
		s := payable(t)
		f := s.offer(t, 900_00)
		s.Pay.Refuse = true
		_, err := s.pay(s.bob, "card", f.ID)
		require.ErrorIs(t, err, payment.ErrRefused)
		s.requireState(t, voucher.OnSale, s.ann)
		require.Equal(t, "open", s.offerState(f.ID))
	})

	t.Run("eight a day, and what he is paying is one of them", func(t *testing.T) {
		s := payable(t)
		rich := s.Customer(100_00)
		for range 7 {
			_, err := s.buy(rich, s.offer(t, 1_00).ID)
			require.NoError(t, err)
			s.voucher = s.MustBuy(s.ann, s.pkg)
		}
		_, err := s.pay(rich, "promptpay", s.offer(t, 1_00).ID)
		require.NoError(t, err)
		s.voucher = s.MustBuy(s.ann, s.pkg)
		_, err = s.buy(rich, s.offer(t, 1_00).ID)
		require.ErrorIs(t, err, board.ErrEnough)
	})
}

// TestPaymentEnds: however a payment ends, the offer has one owner, and the money is somebody's.
func TestPaymentEnds(t *testing.T) {
	t.Run("its ten minutes, or who pays gives it up: it is open again, and money that comes late is his", func(t *testing.T) {
		for _, givenUp := range []bool{false, true} {
			s := payable(t)
			f := s.offer(t, 900_00)
			p := s.mustPay(t, f.ID)
			if givenUp {
				for range 2 {
					got, err := s.Board.GiveUp(t.Context(), s.bob, p.ID)
					require.NoError(t, err)
					require.Equal(t, "ended", got.State)
				}
			} else {
				s.Clock.Advance(charge.Lifetime)
				s.Check(p.ID)
			}
			require.Equal(t, "open", s.offerState(f.ID))
			s.requireState(t, voucher.OnSale, s.ann)
			carl := s.Customer(1000_00)
			_, err := s.buy(carl, f.ID)
			require.NoError(t, err)

			s.PayAtGateway(p.ID)
			require.EqualValues(t, 900_00, s.Balance(s.bob))
			require.True(t, s.payment(t, p.ID).Charge.Credited)
			s.requireState(t, voucher.Ready, carl)
			require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM message WHERE customer_id = $1 AND kind = 'money_kept'`, s.bob.Subject))
		}
	})

	t.Run("the organisation freezes it meanwhile: the offer stops, and the money is his", func(t *testing.T) {
		for _, reserves := range []bool{true, false} {
			s := payable(t)
			f := s.offer(t, 900_00)
			var p board.Payment
			if reserves {
				p = s.mustPay(t, f.ID)
			}
			owner := auditlog.Actor{Kind: token.Owner, ID: s.staff.Subject}
			require.NoError(t, s.Voucher.Freeze(t.Context(), s.Org, owner, voucher.FreezeInput{ID: s.voucher.ID, Reason: "sold twice"}))
			s.requireState(t, voucher.Frozen, s.ann)
			require.Equal(t, "stopped", s.offerState(f.ID))
			require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM message WHERE customer_id = $1 AND kind = 'offer_stopped'`, s.ann.Subject))
			if reserves {
				s.PayAtGateway(p.ID)
				require.EqualValues(t, 900_00, s.Balance(s.bob))
				require.True(t, s.payment(t, p.ID).Charge.Credited)
			} else {
				_, err := s.buy(s.Customer(1000_00), f.ID)
				require.ErrorIs(t, err, board.ErrOver)
			}
			s.MustBalance()
			require.NoError(t, s.Voucher.Release(t.Context(), s.Org, owner, s.voucher.ID))
			s.requireState(t, voucher.Ready, s.ann)
			s.offer(t, 900_00)
			s.MustBalance()
		}
	})

	t.Run("money that is less than the price is his, and the offer open again", func(t *testing.T) {
		s := payable(t)
		f := s.offer(t, 900_00)
		p := s.mustPay(t, f.ID)
		s.Pay.SetCharge(p.ID, func(c *payment.Charge) { c.Refunded = 1_00 })
		s.PayAtGateway(p.ID)
		require.EqualValues(t, 899_00, s.Balance(s.bob))
		require.Equal(t, "open", s.offerState(f.ID))
		s.requireState(t, voucher.OnSale, s.ann)
	})

	for name, end := range map[string]func(s shop, f board.Detail){
		"stopped": func(s shop, f board.Detail) {
			require.NoError(t, s.Board.Stop(t.Context(), s.Org, auditlog.Actor{ID: s.staff.Subject}, f.ID))
			s.requireState(t, voucher.Ready, s.ann)
		},
		"its seller suspended": func(s shop, _ board.Detail) {
			s.In(func(ctx context.Context, tx db.Tx) error {
				return board.StopOf(ctx, tx, auditlog.Actor{ID: s.staff.Subject}, []uuid.UUID{s.ann.Subject})
			})
			s.requireState(t, voucher.Ready, s.ann)
		},
		"expired": func(s shop, _ board.Detail) {
			s.EndVouchers(clock.Day(s.Clock.Now()).AddDate(0, 0, -1))
			s.In(s.Voucher.ExpireVouchers)
			s.requireState(t, voucher.Expired, s.ann)
		},
	} {
		t.Run(name+" meanwhile: the money is the payer's", func(t *testing.T) {
			s := payable(t)
			f := s.offer(t, 900_00)
			p := s.mustPay(t, f.ID)
			end(s, f)
			require.Equal(t, "stopped", s.payment(t, p.ID).State)
			before := s.Balance(s.ann)
			s.PayAtGateway(p.ID)
			require.EqualValues(t, 900_00, s.Balance(s.bob))
			require.Equal(t, before, s.Balance(s.ann))
			got := s.payment(t, p.ID)
			require.Equal(t, "stopped", got.State)
			require.True(t, got.Charge.Credited)
			require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM message WHERE customer_id = $1 AND kind = 'money_kept'`, s.bob.Subject))
			s.MustBalance()
			s.voucher = s.MustBuy(s.ann, s.pkg)
			s.mustPay(t, s.offer(t, 1_00).ID)
		})
	}

	t.Run("frozen meanwhile, because its seller's own payment is disputed: the money is the payer's", func(t *testing.T) {
		s := payable(t)
		carl := s.Customer(0)
		o, err := s.Order.Pay(t.Context(), carl, tenanttest.Key(), "", byQR(s.Quote(carl, s.pkg, 1)))
		require.NoError(t, err)
		s.PayAtGateway(o.ID)
		o, err = s.Order.Order(t.Context(), carl, o.ID)
		require.NoError(t, err)
		s.VerifyMobile(carl)
		s.voucher = o.Vouchers[0]
		f, err := s.Board.Offer(t.Context(), carl, tenanttest.Key(), s.input(900_00))
		require.NoError(t, err)
		p := s.mustPay(t, f.ID)
		s.dispute(t, o.ID, 1000_00)
		s.requireState(t, voucher.Frozen, carl)
		s.PayAtGateway(p.ID)
		require.EqualValues(t, 900_00, s.Balance(s.bob))
		s.requireState(t, voucher.Frozen, carl)
	})

	t.Run("the board closed, or its days over meanwhile: it is sold all the same, or ends with the charge", func(t *testing.T) {
		for _, paid := range []bool{true, false} {
			s := payable(t)
			f := s.offer(t, 900_00)
			p := s.mustPay(t, f.ID)
			require.NoError(t, s.Board.SaveSetting(t.Context(), s.Org, auditlog.Actor{}, board.Setting{CapPercent: 100, Days: 30}))
			require.NoError(t, s.Voucher.EndDue(t.Context(), s.Org))
			require.Equal(t, "reserved", s.offerState(f.ID))
			if paid {
				s.PayAtGateway(p.ID)
				s.requireState(t, voucher.Ready, s.bob)
				continue
			}
			s.Clock.Advance(charge.Lifetime)
			s.Check(p.ID)
			d, err := s.Board.Detail(t.Context(), s.ann, f.ID)
			require.NoError(t, err)
			require.Equal(t, voucher.Ended, d.State)
			require.NoError(t, s.Voucher.EndDue(t.Context(), s.Org))
			s.requireState(t, voucher.Ready, s.ann)
		}
	})
}

// TestUnpaidLimits: nobody blocks the board by payments that he never makes.
func TestUnpaidLimits(t *testing.T) {
	t.Run("one offer at a time", func(t *testing.T) {
		s := payable(t)
		p := s.mustPay(t, s.offer(t, 900_00).ID)
		s.voucher = s.MustBuy(s.ann, s.pkg)
		second := s.offer(t, 900_00)
		_, err := s.pay(s.bob, "card", second.ID)
		require.ErrorIs(t, err, board.ErrPayFirst)
		_, err = s.Board.GiveUp(t.Context(), s.bob, p.ID)
		require.NoError(t, err)
		s.mustPay(t, second.ID)
	})

	t.Run("after three that were held in vain, or ten given up, he buys from his wallet, for a day", func(t *testing.T) {
		for _, c := range []struct {
			held time.Duration
			most int
		}{{2 * time.Minute, 3}, {time.Second, 10}} {
			s := payable(t)
			f := s.offer(t, 900_00)
			for range c.most {
				p := s.mustPay(t, f.ID)
				s.Clock.Advance(c.held)
				_, err := s.Board.GiveUp(t.Context(), s.bob, p.ID)
				require.NoError(t, err)
			}
			_, err := s.pay(s.bob, "promptpay", f.ID)
			require.ErrorIs(t, err, board.ErrWalletOnly)
			require.Equal(t, "open", s.offerState(f.ID))
			s.Clock.Advance(24 * time.Hour)
			s.mustPay(t, f.ID)
		}
	})

	t.Run("two of his at once reserve one", func(t *testing.T) {
		s := payable(t)
		var offers []uuid.UUID
		for range 4 {
			offers = append(offers, s.offer(t, 900_00).ID)
			s.voucher = s.MustBuy(s.ann, s.pkg)
		}
		var wg sync.WaitGroup
		for _, id := range offers {
			wg.Go(func() {
				if _, err := s.pay(s.bob, "promptpay", id); err != nil && !errors.Is(err, board.ErrPayFirst) {
					t.Errorf("pay %s: %v", id, err)
				}
			})
		}
		wg.Wait()
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM reservation WHERE state = 'open'`))
		s.MustBalance()
	})
}

// TestThreeWaysAtOnce: many want one offer at once, from the wallet, by PromptPay and by card, while its seller and the shop want it to end. It has
// one owner or is its seller's again, and whoever does not have it has his money.
func TestThreeWaysAtOnce(t *testing.T) {
	for round := range 4 {
		s := payable(t)
		f := s.offer(t, 900_00)
		type try struct {
			who  token.Session
			id   uuid.UUID // of the payment
			fail error
		}
		tries := make([]try, 12)
		var wg sync.WaitGroup
		for i := range tries {
			tries[i].who = s.Customer(1000_00)
			wg.Go(func() {
				one := &tries[i]
				if i%3 == 0 {
					_, one.fail = s.buy(one.who, f.ID)
				} else {
					var p board.Payment
					p, one.fail = s.pay(one.who, []string{"promptpay", "card"}[i%2], f.ID)
					if one.id = p.ID; one.fail == nil {
						s.Pay.SetCharge(p.ID, func(c *payment.Charge) { c.State = payment.Paid })
						if err := s.Charge.Check(context.Background(), s.Org, p.ID); err != nil {
							t.Errorf("check: %v", err)
						}
					}
				}
				if one.fail != nil && !errors.Is(one.fail, board.ErrOver) && !errors.Is(one.fail, board.ErrBeingPaid) {
					t.Errorf("buyer %d: %v", i, one.fail)
				}
			})
		}
		if round > 1 {
			wg.Go(func() {
				_, err := s.Board.Cancel(context.Background(), s.ann, f.ID)
				if err != nil && !errors.Is(err, board.ErrBeingPaid) {
					t.Errorf("cancel: %v", err)
				}
			})
			wg.Go(func() {
				err := s.Board.Stop(context.Background(), s.Org, auditlog.Actor{ID: s.staff.Subject}, f.ID)
				if err != nil && !errors.Is(err, board.ErrOver) {
					t.Errorf("stop: %v", err)
				}
			})
		}
		wg.Wait()

		state, holder := s.state()
		require.Equal(t, voucher.Ready, state)
		owners := 0
		for _, one := range tries {
			owns, worth := holder == one.who.Subject, s.Balance(one.who)
			if owns {
				owners++
			}
			switch {
			case one.id != uuid.Nil && owns:
				require.EqualValues(t, 1000_00, worth)
			case one.id != uuid.Nil:
				require.EqualValues(t, 1900_00, worth)
			case owns:
				require.EqualValues(t, 100_00, worth)
			default:
				require.EqualValues(t, 1000_00, worth)
			}
		}
		if round < 2 {
			require.Equal(t, 1, owners)
		} else if owners == 0 {
			require.Equal(t, s.ann.Subject, holder)
		}
		s.MustBalance()
	}
}
