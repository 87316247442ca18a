package refund_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
)

// cardShop is an organisation, and ann who has paid 1,000 baht by card for two vouchers of two items, by an agent's link.
type cardShop struct {
	*tenanttest.World
	ann, bob token.Session
	system   uuid.UUID
	agent    uuid.UUID
	order    uuid.UUID
	vouchers []uuid.UUID
	owner    auditlog.Actor
}

func openCardShop(t *testing.T, method, rule string) *cardShop {
	t.Helper()
	w := tenanttest.New(t)
	s := &cardShop{World: w, ann: w.Customer(0), bob: w.Customer(5_000_00), system: w.AddPaymentSystem()}
	s.owner = auditlog.Actor{Kind: token.Owner, ID: w.Owner().Subject}
	s.agent = w.Agent(w.Customer(0), 1000)
	pkg := w.Package(tenanttest.Package{Price: 1_000_00, Items: 2, Vouchers: 2, Transfers: 5, Refunds: catalog.RefundTerms{Rule: rule, Days: 7}})
	w.Visit(s.ann, s.agent, pkg)
	o, err := w.Order.Pay(t.Context(), s.ann, tenanttest.Key(), "", order.PayInput{
		BuyInput: w.Quote(s.ann, pkg, 1), PaymentMethod: charge.PaymentMethod{Method: method, CardToken: "tokn"},
	})
	require.NoError(t, err)
	w.PayAtGateway(o.ID)
	paid, err := w.Order.Order(t.Context(), s.ann, o.ID)
	require.NoError(t, err)
	s.order = o.ID
	for _, v := range paid.Vouchers {
		s.vouchers = append(s.vouchers, v.ID)
	}
	require.Len(t, s.vouchers, 2)
	return s
}

// regrets is a refund by ann of some items, 250 baht each, to her card.
func (s *cardShop) regrets(voucher int, items int64) refund.OwnInput {
	return refund.OwnInput{
		Choice: refund.Choice{Order: s.order, Parts: []refund.Part{{Voucher: s.vouchers[voucher], Items: items}}}, Method: refund.Card, Amount: money.Amount(items) * 250_00,
	}
}

// toCard has some items refunded to the card, and returns what is on its way.
func (s *cardShop) toCard(t *testing.T, voucher int, items int64) charge.RemitJob {
	t.Helper()
	made, err := s.Refund.RefundOwn(t.Context(), s.ann, tenanttest.Key(), s.regrets(voucher, items))
	require.NoError(t, err)
	s.MustBalance()
	return s.job(made.ID)
}

func (s *cardShop) job(made uuid.UUID) charge.RemitJob {
	var job charge.RemitJob
	s.read(`SELECT id FROM remittance WHERE refund_id = $1`, &job.Remittance, made)
	return job
}

func (s *cardShop) state(job charge.RemitJob) (state string) {
	s.read(`SELECT state FROM remittance WHERE id = $1`, &state, job.Remittance)
	return state
}

// webhook is where the gateway says something of the charge, once changed.
func (s *cardShop) webhook(t *testing.T, change func(*payment.Charge)) {
	t.Helper()
	name := s.Pay.SetCharge(s.order, change)
	for range 2 {
		require.NoError(t, s.Charge.HandleGatewayEvent(t.Context(), s.Org, charge.GatewayEventJob{System: s.system, GatewayID: name}))
	}
	s.MustBalance()
}

// sent is what the gateway has sent back.
func (s *cardShop) sent() (sum money.Amount) {
	s.Pay.SetCharge(s.order, func(c *payment.Charge) { sum = c.Refunded })
	return sum
}

// books are the wallet of ann, what is on its way out, what the gateway holds, and what she owes.
func (s *cardShop) books() [4]money.Amount {
	return [4]money.Amount{s.Balance(s.ann), s.SystemBalance(ledger.BankClearing), -s.SystemBalance(ledger.GatewayOwn), money.Amount(s.Count(`SELECT debt_satang FROM customer WHERE id = $1`, s.ann.Subject))}
}

func (s *cardShop) read(sql string, into any, args ...any) {
	s.In(func(ctx context.Context, tx db.Tx) error { return tx.QueryRow(ctx, sql, args...).Scan(into) })
}

func nothing(*payment.Charge) {}

// TestRefundToCard: who paid by card has it sent back there.
func TestRefundToCard(t *testing.T) {
	t.Run("the same sums go out that would go to the wallet, and the gateway sends them", func(t *testing.T) {
		s := openCardShop(t, "card", "self")
		options, err := s.Refund.Options(t.Context(), s.ann, s.order)
		require.NoError(t, err)
		require.Equal(t, &charge.Source{Method: "card", Digits: "4242", Limit: 1_000_00}, options.Source)
		job := s.toCard(t, 0, 2)
		require.Equal(t, [4]money.Amount{0, 500_00, 1_000_00, 0}, s.books())
		require.Equal(t, "approved", s.state(job))
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM message WHERE kind = 'money_to_card' AND amount_satang = 50000 AND customer_id = $1`, s.ann.Subject))

		for range 3 {
			require.NoError(t, s.Charge.Remit(t.Context(), s.Org, job))
			s.MustBalance()
		}
		require.Equal(t, [4]money.Amount{0, 0, 500_00, 0}, s.books())
		require.Equal(t, money.Amount(500_00), s.sent())
		s.webhook(t, nothing)
		require.Equal(t, [4]money.Amount{0, 0, 500_00, 0}, s.books())

		options, err = s.Refund.Options(t.Context(), s.ann, s.order)
		require.NoError(t, err)
		require.Equal(t, money.Amount(500_00), options.Source.Limit)
		require.Equal(t, []string{"card", "done", "4242"}, []string{options.Refunds[0].Method, options.Refunds[0].State, options.Refunds[0].Digits})
		s.ReportsAgree(t)
	})

	t.Run("what the card refuses is in the wallet, and its payer is informed", func(t *testing.T) {
		s := openCardShop(t, "card", "self")
		job := s.toCard(t, 0, 2)
		s.Pay.RefusesRefunds = true
		require.NoError(t, s.Charge.Remit(t.Context(), s.Org, job))
		s.MustBalance()
		require.Equal(t, [4]money.Amount{500_00, 0, 1_000_00, 0}, s.books())
		require.Equal(t, "failed", s.state(job))
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM message WHERE kind = 'money_not_to_card' AND amount_satang = 50000 AND customer_id = $1`, s.ann.Subject))
		s.Pay.RefusesRefunds = false
		require.NoError(t, s.Charge.Remit(t.Context(), s.Org, job))
		require.Zero(t, s.sent(), "it is over")
		options, err := s.Refund.Options(t.Context(), s.ann, s.order)
		require.NoError(t, err)
		require.Equal(t, "failed", options.Refunds[0].State)
		page, err := s.Wallet.Movements(t.Context(), s.ann, 10, nil)
		require.NoError(t, err)
		require.Equal(t, []string{"remittance_failed", options.Refunds[0].Number}, []string{page.Data[0].Kind, page.Data[0].Number})
		s.ReportsAgree(t)
	})

	t.Run("an answer that is lost is found, and no second refund made", func(t *testing.T) {
		s := openCardShop(t, "card", "self")
		job := s.toCard(t, 0, 2)
		s.Pay.LosesAnswers = true
		require.ErrorIs(t, s.Charge.Remit(t.Context(), s.Org, job), payment.ErrUnavailable)
		require.Equal(t, "sent", s.state(job))
		require.Equal(t, [4]money.Amount{0, 500_00, 1_000_00, 0}, s.books())
		s.MustBalance()
		s.Pay.LosesAnswers = false
		require.NoError(t, s.Charge.Remit(t.Context(), s.Org, job))
		s.MustBalance()
		require.Equal(t, [4]money.Amount{0, 0, 500_00, 0}, s.books())
		require.Equal(t, money.Amount(500_00), s.sent())
	})

	t.Run("the webhook comes before the answer", func(t *testing.T) {
		s := openCardShop(t, "card", "self")
		job := s.toCard(t, 0, 2)
		s.Pay.LosesAnswers = true
		require.Error(t, s.Charge.Remit(t.Context(), s.Org, job))
		s.Pay.LosesAnswers = false
		s.webhook(t, nothing)
		require.Equal(t, "done", s.state(job))
		require.Equal(t, [4]money.Amount{0, 0, 500_00, 0}, s.books())
		require.NoError(t, s.Charge.Remit(t.Context(), s.Org, job))
		require.Equal(t, money.Amount(500_00), s.sent())
	})

	t.Run("a refund from outside in the meantime stays one from outside, in every order", func(t *testing.T) {
		for name, first := range map[string]bool{"ours first": true, "theirs first": false} {
			t.Run(name, func(t *testing.T) {
				s := openCardShop(t, "card", "self")
				job := s.toCard(t, 0, 1)
				if first {
					require.NoError(t, s.Charge.Remit(t.Context(), s.Org, job))
				}
				// As much as ours is, and more by as much: neither is mistaken for it.
				s.webhook(t, func(c *payment.Charge) { c.Refunded += 250_00 })
				if !first {
					require.NoError(t, s.Charge.Remit(t.Context(), s.Org, job))
				}
				s.webhook(t, nothing)
				require.EqualValues(t, 250_00, s.Count(`SELECT refunded_satang FROM charge WHERE id = $1`, s.order))
				require.EqualValues(t, 250_00, s.Count(`SELECT sent_satang FROM charge WHERE id = $1`, s.order))
				require.Equal(t, [4]money.Amount{0, 0, 500_00, 0}, s.books())
				require.EqualValues(t, 2, s.Count(`SELECT sum(items_left) FROM voucher WHERE order_id = $1 AND state = 'ready'`, s.order))
			})
		}
	})

	t.Run("two refunds at once, and the second when the first is unknown", func(t *testing.T) {
		s := openCardShop(t, "card", "self")
		one, two := s.toCard(t, 0, 2), s.toCard(t, 1, 1)
		s.Pay.LosesAnswers = true
		require.Error(t, s.Charge.Remit(t.Context(), s.Org, one))
		s.Pay.LosesAnswers = false
		require.NoError(t, s.Charge.Remit(t.Context(), s.Org, two))
		s.MustBalance()
		require.Equal(t, [4]money.Amount{0, 500_00, 750_00, 0}, s.books())
		s.webhook(t, nothing)
		require.Equal(t, [4]money.Amount{0, 0, 250_00, 0}, s.books())
	})

	t.Run("ours has failed and the money went nevertheless: it went from outside, out of the wallet that has it", func(t *testing.T) {
		s := openCardShop(t, "card", "self")
		job := s.toCard(t, 0, 2)
		s.Pay.RefusesRefunds = true
		require.NoError(t, s.Charge.Remit(t.Context(), s.Org, job))
		s.webhook(t, func(c *payment.Charge) {
			c.Refunded += 500_00
			c.Refunds = []payment.Refund{{ID: "rfnd_1", Amount: 500_00, RequestID: job.Remittance}}
		})
		require.Equal(t, [4]money.Amount{0, 0, 500_00, 0}, s.books())
		require.Equal(t, "failed", s.state(job))
		require.EqualValues(t, 500_00, s.Count(`SELECT refunded_satang FROM charge WHERE id = $1`, s.order))
	})

	t.Run("the gateway sends one of ours twice: the second is from outside", func(t *testing.T) {
		s := openCardShop(t, "card", "self")
		job := s.toCard(t, 0, 2)
		require.NoError(t, s.Charge.Remit(t.Context(), s.Org, job))
		s.webhook(t, func(c *payment.Charge) {
			c.Refunded += 500_00
			c.Refunds = append(c.Refunds, payment.Refund{ID: "rfnd_2", Amount: 500_00, RequestID: job.Remittance})
		})
		require.Equal(t, [4]money.Amount{0, 0, 0, 0}, s.books())
		require.EqualValues(t, 500_00, s.Count(`SELECT refunded_satang FROM charge WHERE id = $1`, s.order))
		require.Zero(t, s.Count(`SELECT count(*) FROM voucher WHERE order_id = $1 AND state = 'ready'`, s.order))
	})

	t.Run("a dispute opens before it is sent: the wallet has it, and pays what is owed", func(t *testing.T) {
		s := openCardShop(t, "card", "self")
		job := s.toCard(t, 0, 2)
		s.webhook(t, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 1_000_00 })
		require.Equal(t, [4]money.Amount{0, 500_00, 0, 500_00}, s.books())
		require.NoError(t, s.Charge.Remit(t.Context(), s.Org, job))
		s.MustBalance()
		require.Equal(t, "failed", s.state(job))
		require.Zero(t, s.sent())
		require.Equal(t, [4]money.Amount{0, 0, 0, 0}, s.books())
		s.webhook(t, func(c *payment.Charge) { c.Dispute = payment.DisputeWon })
		require.Equal(t, [4]money.Amount{500_00, 0, 1_000_00, 0}, s.books())
	})

	t.Run("a dispute opens when it was sent and not answered: he owes what he has twice", func(t *testing.T) {
		s := openCardShop(t, "card", "self")
		job := s.toCard(t, 0, 2)
		s.webhook(t, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 1_000_00 })
		s.Force(`UPDATE remittance SET attempts = 1, state = 'sent', sent_at = made_at`)
		s.webhook(t, func(c *payment.Charge) {
			c.Refunded = 500_00
			c.Refunds = []payment.Refund{{ID: "rfnd_1", Amount: 500_00, RequestID: job.Remittance}}
		})
		require.Equal(t, "done", s.state(job))
		require.Equal(t, [4]money.Amount{0, 0, -500_00, 500_00}, s.books())
		s.webhook(t, func(c *payment.Charge) { c.Dispute = payment.DisputeWon })
		require.Equal(t, [4]money.Amount{0, 0, 500_00, 0}, s.books())
	})

	t.Run("a dispute after it was sent holds back the rest", func(t *testing.T) {
		s := openCardShop(t, "card", "self")
		require.NoError(t, s.Charge.Remit(t.Context(), s.Org, s.toCard(t, 0, 2)))
		s.webhook(t, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 1_000_00 })
		require.Equal(t, [4]money.Amount{0, 0, 0, 0}, s.books())
		require.EqualValues(t, 500_00, s.Count(`SELECT disputed_satang FROM charge WHERE id = $1`, s.order))
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM voucher WHERE order_id = $1 AND state = 'frozen'`, s.order))
	})

	t.Run("the job of a killed process: its lease is over, and it looks first", func(t *testing.T) {
		s := openCardShop(t, "card", "self")
		job := s.toCard(t, 0, 2)
		s.Force(`UPDATE remittance SET attempts = 1, state = 'sent', sent_at = made_at, leased_until = $1`, s.Clock.Now().Add(20*time.Second))
		require.ErrorContains(t, s.Charge.Remit(t.Context(), s.Org, job), "another call")
		s.Pay.SetCharge(s.order, func(c *payment.Charge) {
			c.Refunded, c.Refunds = 500_00, []payment.Refund{{ID: "rfnd_1", Amount: 500_00, RequestID: job.Remittance}}
		})
		s.Clock.Advance(time.Minute)
		require.NoError(t, s.Charge.Remit(t.Context(), s.Org, job))
		s.MustBalance()
		require.Equal(t, money.Amount(500_00), s.sent())
		require.Equal(t, [4]money.Amount{0, 0, 500_00, 0}, s.books())
	})

	t.Run("many jobs at once send once", func(t *testing.T) {
		s := openCardShop(t, "card", "self")
		job := s.toCard(t, 0, 2)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { _ = s.Charge.Remit(t.Context(), s.Org, job) }) // whoever comes second is refused
		}
		all.Wait()
		s.MustBalance()
		require.Equal(t, money.Amount(500_00), s.sent())
		require.Equal(t, "done", s.state(job))
	})
}

// TestNotToCard: what goes to no card.
func TestNotToCard(t *testing.T) {
	t.Run("what was paid by PromptPay or from the wallet", func(t *testing.T) {
		s := openCardShop(t, "promptpay", "self")
		options, err := s.Refund.Options(t.Context(), s.ann, s.order)
		require.NoError(t, err)
		require.EqualValues(t, refund.Bank, options.Source.Method)
		_, err = s.Refund.RefundOwn(t.Context(), s.ann, tenanttest.Key(), s.regrets(0, 1))
		require.ErrorIs(t, err, refund.ErrNotToCard)

		v := s.MustBuy(s.bob, s.Package(tenanttest.Package{Price: 100_00, Refunds: catalog.RefundTerms{Rule: "self", Days: 7}}))
		var of uuid.UUID
		s.read(`SELECT order_id FROM voucher WHERE id = $1`, &of, v.ID)
		_, err = s.Refund.RefundOwn(t.Context(), s.bob, tenanttest.Key(), refund.OwnInput{
			Choice: refund.Choice{Order: of, Parts: []refund.Part{{Voucher: v.ID, Items: 1}}}, Method: refund.Card, Amount: 100_00,
		})
		require.ErrorIs(t, err, refund.ErrNotToCard)
		s.MustBalance()
	})

	t.Run("more than its charge has: what went back, is held back, or is on its way", func(t *testing.T) {
		s := openCardShop(t, "card", "self")
		limit := func() money.Amount {
			options, err := s.Refund.Options(t.Context(), s.ann, s.order)
			require.NoError(t, err)
			return options.Source.Limit
		}
		s.webhook(t, func(c *payment.Charge) { c.Refunded = 250_00 })
		require.Equal(t, money.Amount(750_00), limit())
		job := s.toCard(t, 0, 1)
		require.Equal(t, money.Amount(500_00), limit())
		require.NoError(t, s.Charge.Remit(t.Context(), s.Org, job))
		require.Equal(t, money.Amount(500_00), limit())
		s.Force(`UPDATE charge SET disputed_satang = 30000 WHERE id = $1`, s.order)
		require.Equal(t, money.Amount(200_00), limit())
		_, err := s.Refund.RefundOwn(t.Context(), s.ann, tenanttest.Key(), s.regrets(0, 1))
		require.ErrorIs(t, err, refund.ErrNotToCard)
	})

	t.Run("a debtor's", func(t *testing.T) {
		s := openCardShop(t, "card", "self")
		s.Force(`UPDATE customer SET debt_satang = 1 WHERE id = $1`, s.ann.Subject)
		_, err := s.Refund.RefundOwn(t.Context(), s.ann, tenanttest.Key(), s.regrets(0, 1))
		require.ErrorIs(t, err, refund.ErrNotToCard)
		options, err := s.Refund.Options(t.Context(), s.ann, s.order)
		require.NoError(t, err)
		require.Nil(t, options.Source)
	})

	t.Run("what somebody else holds, whoever asks", func(t *testing.T) {
		s := openCardShop(t, "card", "self")
		s.Force(`UPDATE voucher SET holder_id = $1 WHERE id = $2`, s.bob.Subject, s.vouchers[0])
		choice := refund.Choice{Order: s.order, Parts: []refund.Part{{Voucher: s.vouchers[0], Items: 1}}}
		q, err := s.Refund.Quote(t.Context(), s.Org, choice)
		require.NoError(t, err)
		require.Nil(t, q.Source)
		_, err = s.Refund.Make(t.Context(), s.Org, s.owner, tenanttest.Key(), refund.Input{Choice: choice, Method: refund.Card, Reason: "asked"})
		require.ErrorIs(t, err, refund.ErrNotToCard)
		_, err = s.Refund.RefundOwn(t.Context(), s.bob, tenanttest.Key(), refund.OwnInput{Choice: choice, Method: refund.Card, Amount: 250_00})
		require.Error(t, err)
	})

	t.Run("one key refunds to one place", func(t *testing.T) {
		s := openCardShop(t, "card", "self")
		key, in := tenanttest.Key(), s.regrets(0, 1)
		first, err := s.Refund.RefundOwn(t.Context(), s.ann, key, in)
		require.NoError(t, err)
		again, err := s.Refund.RefundOwn(t.Context(), s.ann, key, in)
		require.NoError(t, err)
		require.Equal(t, first, again)
		in.Method = refund.Wallet
		_, err = s.Refund.RefundOwn(t.Context(), s.ann, key, in)
		require.ErrorIs(t, err, idempotency.ErrReused)
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM remittance`))
		s.MustBalance()
	})

	t.Run("two refunds at once do not take more than the charge has", func(t *testing.T) {
		s := openCardShop(t, "card", "self")
		s.webhook(t, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 600_00 })
		s.webhook(t, func(c *payment.Charge) { c.Dispute = payment.DisputeWon })
		s.Force(`UPDATE charge SET refunded_satang = 60000 WHERE id = $1`, s.order)
		var all sync.WaitGroup
		for i := range 2 {
			all.Go(func() { _, _ = s.Refund.RefundOwn(t.Context(), s.ann, tenanttest.Key(), s.regrets(i, 1)) }) // one is refused
		}
		all.Wait()
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM remittance`))
	})
}

// TestShopRefundsToCard: the organisation does, by itself, by answering, and with a second person.
func TestShopRefundsToCard(t *testing.T) {
	t.Run("by itself", func(t *testing.T) {
		s := openCardShop(t, "card", "none")
		choice := refund.Choice{Order: s.order, Parts: []refund.Part{{Voucher: s.vouchers[0], Items: 2}, {Voucher: s.vouchers[1], Items: 1}}}
		q, err := s.Refund.Quote(t.Context(), s.Org, choice)
		require.NoError(t, err)
		require.Equal(t, &charge.Source{Method: "card", Digits: "4242", Limit: 1_000_00}, q.Source)
		made, err := s.Refund.Make(t.Context(), s.Org, s.owner, tenanttest.Key(), refund.Input{Choice: choice, Method: refund.Card, Reason: "not_provided"})
		require.NoError(t, err)
		s.MustBalance()
		require.NoError(t, s.Charge.Remit(t.Context(), s.Org, s.job(made.ID)))
		s.MustBalance()
		require.Equal(t, [4]money.Amount{0, 0, 250_00, 0}, s.books())
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM message WHERE kind = 'voucher_to_card' AND amount_satang = 75000`))
		require.EqualValues(t, 25_00, s.Pending(s.agent))
	})

	t.Run("by granting a request, if the card takes it then", func(t *testing.T) {
		for name, still := range map[string]bool{"it does": true, "a bank holds the money back by then, and the shop wins": false} {
			t.Run(name, func(t *testing.T) {
				s := openCardShop(t, "card", "asking")
				q, err := s.Refund.MakeRequest(t.Context(), s.ann, tenanttest.Key(), s.regrets(0, 2))
				require.NoError(t, err)
				require.Equal(t, refund.Card, q.Method)
				to := refund.Card
				if !still {
					s.Force(`UPDATE charge SET refunded_satang = 60000 WHERE id = $1`, s.order)
					to = refund.Wallet
				}
				c, err := s.Refund.RequestCase(t.Context(), s.Org, q.ID)
				require.NoError(t, err)
				require.Equal(t, to, c.Method)
				require.NoError(t, s.Refund.GrantRequest(t.Context(), s.Org, s.owner, tenanttest.Key(), refund.ByRequest{ID: q.ID}))
				if !still {
					require.Equal(t, money.Amount(500_00), s.Balance(s.ann))
					require.Zero(t, s.Count(`SELECT count(*) FROM remittance`))
					return
				}
				s.MustBalance()
				require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM message WHERE kind = 'refund_to_card' AND amount_satang = 50000`))
				c, err = s.Refund.RequestCase(t.Context(), s.Org, q.ID)
				require.NoError(t, err)
				require.Equal(t, refund.Card, c.Method)
			})
		}
	})

	t.Run("a request names no card that cannot take it", func(t *testing.T) {
		s := openCardShop(t, "promptpay", "asking")
		_, err := s.Refund.MakeRequest(t.Context(), s.ann, tenanttest.Key(), s.regrets(0, 2))
		require.ErrorIs(t, err, refund.ErrNotToCard)
	})
}

// TestRemitAgain: what its job has given up is tried again.
func TestRemitAgain(t *testing.T) {
	s := openCardShop(t, "card", "self")
	job := s.toCard(t, 0, 2)
	again := func() int64 {
		s.In(charge.RemitAgain)
		return s.Count(`SELECT count(*) FROM outbox WHERE kind = 'charge.remit'`)
	}
	require.EqualValues(t, 1, again())
	s.Clock.Advance(2 * time.Hour)
	require.EqualValues(t, 2, again())
	require.NoError(t, s.Charge.Remit(t.Context(), s.Org, job))
	require.EqualValues(t, 2, again())
}
