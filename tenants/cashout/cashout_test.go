package cashout_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/bank"
	"welovevoucher/tenants/cashout"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/wallet"
)

// shop is an organisation whose ann fills her wallet, and two people of its back office.
type shop struct {
	*tenanttest.World
	ann           token.Session
	system        uuid.UUID
	first, second token.Session
}

func open(t *testing.T) *shop {
	t.Helper()
	w := tenanttest.New(t)
	return &shop{w, w.Customer(0), w.AddPaymentSystem(), w.Owner(), w.Owner()}
}

// fill has ann top her wallet up, and returns the charge.
func (s *shop) fill(t *testing.T, method string, amount money.Amount) uuid.UUID {
	t.Helper()
	c, err := s.Wallet.StartTopUp(t.Context(), s.ann, tenanttest.Key(), "", wallet.TopUpInput{Amount: amount, PaymentMethod: charge.PaymentMethod{Method: method, CardToken: "tokn"}})
	require.NoError(t, err)
	s.PayAtGateway(c.ID)
	return c.ID
}

func account() *bank.Account {
	return &bank.Account{Bank: "004", Number: "123-4-56789-0", Name: "แอน ใจดี"}
}

func (s *shop) actor(who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: token.Owner, ID: who.Subject}
}

func (s *shop) options(t *testing.T) cashout.Options {
	t.Helper()
	o, err := s.Cashout.Options(t.Context(), s.ann)
	require.NoError(t, err)
	return o
}

func (s *shop) asks(t *testing.T, amount money.Amount) uuid.UUID {
	t.Helper()
	r, err := s.Cashout.Ask(t.Context(), s.ann, tenanttest.Key(), cashout.Input{Amount: amount, Account: account()})
	require.NoError(t, err)
	s.MustBalance()
	return r.ID
}

func (s *shop) approve(t *testing.T, id uuid.UUID) error {
	t.Helper()
	return s.Cashout.Approve(t.Context(), s.Org, s.actor(s.first), tenanttest.Key(), cashout.ByRequest{ID: id})
}

// parts are how far the parts of a request are.
func (s *shop) parts(t *testing.T, id uuid.UUID) (list []cashout.Part) {
	t.Helper()
	c, err := s.Cashout.Case(t.Context(), s.Org, id)
	require.NoError(t, err)
	for _, p := range c.Parts {
		p.At = time.Time{}
		list = append(list, p)
	}
	return list
}

// remittance is the part of a request that goes back to a charge.
func (s *shop) remittance(request, of uuid.UUID) (id uuid.UUID) {
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM remittance WHERE cashout_id = $1 AND charge_id = $2`, request, of).Scan(&id)
	})
	return id
}

// webhook is where the gateway says something of a charge, once changed.
func (s *shop) webhook(t *testing.T, of uuid.UUID, change func(*payment.Charge)) {
	t.Helper()
	name := s.Pay.SetCharge(of, change)
	require.NoError(t, s.Charge.HandleGatewayEvent(t.Context(), s.Org, charge.GatewayEventJob{System: s.system, GatewayID: name}))
	s.MustBalance()
}

// books are the wallet of ann, what is on its way out, what the gateway holds, and what she owes.
func (s *shop) books() [4]money.Amount {
	return [4]money.Amount{s.Balance(s.ann), s.SystemBalance(ledger.BankClearing), -s.SystemBalance(ledger.GatewayOwn), money.Amount(s.Count(`SELECT debt_satang FROM customer WHERE id = $1`, s.ann.Subject))}
}

// transferred is where two people say that a transfer was made.
func (s *shop) transferred(t *testing.T, id uuid.UUID) {
	t.Helper()
	require.NoError(t, s.Refund.AskTransfer(t.Context(), s.Org, s.actor(s.first), tenanttest.Key(), refund.TransferMade{ID: id, Outcome: "done", Reference: "1"}))
	c, err := s.Refund.TransferCase(t.Context(), s.Org, id)
	require.NoError(t, err)
	require.NoError(t, s.Approval.Approve(t.Context(), s.second, s.actor(s.second), tenanttest.Key(), approval.Answer{ID: *c.Approval}))
	s.MustBalance()
}

func TestCashout(t *testing.T) {
	t.Run("goes back to what filled the wallet, the newest first", func(t *testing.T) {
		s := open(t)
		byCard := s.fill(t, "card", 300_00)
		byQR := s.fill(t, "promptpay", 500_00)
		o := s.options(t)
		require.Equal(t, []charge.Source{{Method: "bank", Limit: 500_00}, {Method: "card", Digits: "4242", Limit: 300_00}}, o.Sources)
		require.Equal(t, money.Amount(800_00), o.Limit)

		id := s.asks(t, 600_00)
		require.Equal(t, [4]money.Amount{800_00, 0, 800_00, 0}, s.books(), "nothing is held")
		c, err := s.Cashout.Case(t.Context(), s.Org, id)
		require.NoError(t, err)
		require.Equal(t, []charge.Source{{Method: "bank", Limit: 500_00}, {Method: "card", Digits: "4242", Limit: 100_00}}, c.Sources)
		require.Empty(t, c.Fault)
		require.False(t, c.Second)

		require.NoError(t, s.approve(t, id))
		s.MustBalance()
		require.Equal(t, [4]money.Amount{200_00, 600_00, 800_00, 0}, s.books())
		require.Equal(t, []cashout.Part{{Amount: 500_00, Method: "bank", Digits: "7890", State: "approved"}, {Amount: 100_00, Method: "card", Digits: "4242", State: "approved"}}, s.parts(t, id))
		require.Equal(t, money.Amount(200_00), s.options(t).Limit)
		require.ErrorIs(t, s.approve(t, id), cashout.ErrOver)

		for range 2 {
			require.NoError(t, s.Charge.Remit(t.Context(), s.Org, charge.RemitJob{Remittance: s.remittance(id, byCard)}))
			s.MustBalance()
		}
		require.Equal(t, [4]money.Amount{200_00, 500_00, 700_00, 0}, s.books())
		earned := s.SystemBalance(ledger.Payable)
		s.transferred(t, s.remittance(id, byQR))
		require.Equal(t, [4]money.Amount{200_00, 0, 700_00, 0}, s.books())
		require.Equal(t, earned+500_00, s.SystemBalance(ledger.Payable), "the organisation has paid it of its own money")
		require.EqualValues(t, 2, s.Count(`SELECT count(*) FROM message WHERE subject_id = $1 AND kind IN ('cashout_approved', 'cashout_at_bank')`, id))
		require.Equal(t, "approved", s.options(t).Requests[0].State)
		s.ReportsAgree(t)
	})

	t.Run("no more than she has, and has topped up herself", func(t *testing.T) {
		s := open(t)
		s.fill(t, "card", 300_00)
		reason := s.Adjustment(900_00)
		s.In(func(_ context.Context, tx db.Tx) error {
			return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "adjustment", ID: reason},
				ledger.Posting{Debit: ledger.SystemAccount(ledger.Adjustment), Credit: ledger.AccountOf(ledger.Wallet, s.ann.Subject), Amount: 900_00}))
		})
		require.Equal(t, money.Amount(300_00), s.options(t).Limit)
		_, err := s.Cashout.Ask(t.Context(), s.ann, tenanttest.Key(), cashout.Input{Amount: 300_01})
		require.ErrorIs(t, err, cashout.ErrTooMuch)
		s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: 1_000_00}))
		require.Equal(t, money.Amount(200_00), s.options(t).Limit)
		_, err = s.Cashout.Ask(t.Context(), s.ann, tenanttest.Key(), cashout.Input{Amount: 200_01})
		require.ErrorIs(t, err, cashout.ErrTooMuch)
	})

	t.Run("what is transferred needs an account, and what goes to a card none", func(t *testing.T) {
		s := open(t)
		s.fill(t, "promptpay", 300_00)
		s.fill(t, "card", 300_00)
		_, err := s.Cashout.Ask(t.Context(), s.ann, tenanttest.Key(), cashout.Input{Amount: 300_01})
		require.Equal(t, fault.At("account", fault.Required), err)
		_, err = s.Cashout.Ask(t.Context(), s.ann, tenanttest.Key(), cashout.Input{Amount: 300_01, Account: &bank.Account{Bank: "004", Number: "12", Name: "แอน"}})
		require.ErrorIs(t, err, fault.At("account.number", bank.ErrNumber))
		_, err = s.Cashout.Ask(t.Context(), s.ann, tenanttest.Key(), cashout.Input{Amount: 300_00, Account: account()})
		require.NoError(t, err)
		require.Zero(t, s.Count(`SELECT count(*) FROM bank_account`), "an account that is not needed is not kept")
	})

	t.Run("one request at a time, the same key asks once, and another customer reads nothing", func(t *testing.T) {
		s := open(t)
		s.fill(t, "card", 300_00)
		key, in := tenanttest.Key(), cashout.Input{Amount: 100_00}
		first, err := s.Cashout.Ask(t.Context(), s.ann, key, in)
		require.NoError(t, err)
		again, err := s.Cashout.Ask(t.Context(), s.ann, key, in)
		require.NoError(t, err)
		require.Equal(t, first, again)
		_, err = s.Cashout.Ask(t.Context(), s.ann, key, cashout.Input{Amount: 200_00})
		require.ErrorIs(t, err, idempotency.ErrReused)
		_, err = s.Cashout.Ask(t.Context(), s.ann, tenanttest.Key(), in)
		require.ErrorIs(t, err, cashout.ErrRequested)

		bob := s.Customer(0)
		_, err = s.Cashout.Withdraw(t.Context(), bob, cashout.ByRequest{ID: first.ID})
		require.ErrorIs(t, err, fault.Missing)
		o, err := s.Cashout.Options(t.Context(), bob)
		require.NoError(t, err)
		require.Empty(t, o.Requests)
		over, err := s.Cashout.Withdraw(t.Context(), s.ann, cashout.ByRequest{ID: first.ID})
		require.NoError(t, err)
		require.Equal(t, "withdrawn", over.State)
		_, err = s.Cashout.Withdraw(t.Context(), s.ann, cashout.ByRequest{ID: first.ID})
		require.ErrorIs(t, err, cashout.ErrOver)
		require.ErrorIs(t, s.approve(t, first.ID), cashout.ErrOver)
		s.asks(t, 100_00)
	})

	t.Run("refused with words that she reads", func(t *testing.T) {
		s := open(t)
		s.fill(t, "card", 300_00)
		id := s.asks(t, 100_00)
		require.ErrorIs(t, s.Cashout.Refuse(t.Context(), s.Org, s.actor(s.first), cashout.Refusal{ID: id, Answer: "  "}), fault.At("answer", fault.Required))
		require.NoError(t, s.Cashout.Refuse(t.Context(), s.Org, s.actor(s.first), cashout.Refusal{ID: id, Answer: "ติดต่อร้าน"}))
		s.MustBalance()
		require.Equal(t, []string{"refused", "ติดต่อร้าน"}, []string{s.options(t).Requests[0].State, s.options(t).Requests[0].Answer})
		require.ErrorIs(t, s.approve(t, id), cashout.ErrOver)
		require.Equal(t, [4]money.Amount{300_00, 0, 300_00, 0}, s.books())
	})

	t.Run("a second person approves what is above the rule, also in small steps", func(t *testing.T) {
		s := open(t)
		s.fill(t, "card", 1_000_00)
		s.Force(`INSERT INTO approval_rule (kind, above, updated_at) VALUES ('refund', 15000, now())`)
		require.NoError(t, s.approve(t, s.asks(t, 100_00)))
		id := s.asks(t, 100_00)
		require.ErrorIs(t, s.approve(t, id), approval.ErrNeeded)
		asked, err := s.Cashout.AskToApprove(t.Context(), s.Org, s.actor(s.first), tenanttest.Key(), cashout.Note{ID: id, Note: "ตรวจแล้ว"})
		require.NoError(t, err)
		s.MustBalance()
		require.ErrorIs(t, s.Approval.Approve(t.Context(), s.first, s.actor(s.first), tenanttest.Key(), approval.Answer{ID: asked.Approval}), approval.ErrOwn)
		d, err := s.Approval.Detail(t.Context(), s.second, s.actor(s.second), approval.ByRequest{ID: asked.Approval})
		require.NoError(t, err)
		require.Equal(t, []approval.Change{
			{What: "wallet", Name: "แอน", Before: approval.Value{Amount: 900_00}, After: approval.Value{Amount: 800_00}},
			{What: "leaving", Before: approval.Value{Amount: 100_00}, After: approval.Value{Amount: 200_00}},
		}, d.Changes)
		require.NoError(t, s.Approval.Approve(t.Context(), s.second, s.actor(s.second), tenanttest.Key(), approval.Answer{ID: asked.Approval}))
		s.MustBalance()
		require.Equal(t, [4]money.Amount{800_00, 200_00, 1_000_00, 0}, s.books())
	})
}

// TestCashoutMeets: what happens to a wallet and its payments between the wish and the money.
func TestCashoutMeets(t *testing.T) {
	t.Run("what she spent since: she has to ask again", func(t *testing.T) {
		s := open(t)
		s.fill(t, "card", 300_00)
		id := s.asks(t, 300_00)
		s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: 100_00}))
		require.ErrorIs(t, s.approve(t, id), cashout.ErrChanged)
		c, err := s.Cashout.Case(t.Context(), s.Org, id)
		require.NoError(t, err)
		require.Equal(t, cashout.ErrChanged.Code, c.Fault)
		s.MustBalance()
	})

	t.Run("her bank takes the payment back before: nothing is paid out", func(t *testing.T) {
		s := open(t)
		of := s.fill(t, "card", 300_00)
		id := s.asks(t, 300_00)
		s.webhook(t, of, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 300_00 })
		require.Equal(t, [4]money.Amount{0, 0, 0, 0}, s.books())
		require.ErrorIs(t, s.approve(t, id), cashout.ErrChanged)
	})

	t.Run("her bank takes it back while it is on its way: it goes to the wallet and pays what she owes", func(t *testing.T) {
		s := open(t)
		of := s.fill(t, "card", 300_00)
		id := s.asks(t, 200_00)
		require.NoError(t, s.approve(t, id))
		s.webhook(t, of, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 300_00 })
		require.Equal(t, [4]money.Amount{0, 200_00, 0, 200_00}, s.books())
		require.NoError(t, s.Charge.Remit(t.Context(), s.Org, charge.RemitJob{Remittance: s.remittance(id, of)}))
		s.MustBalance()
		require.Equal(t, [4]money.Amount{0, 0, 0, 0}, s.books())
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM message WHERE kind = 'cashout_failed' AND subject_id = $1`, id))
	})

	t.Run("her bank takes it back once it was transferred: she owes it, and other money of hers stays", func(t *testing.T) {
		s := open(t)
		s.fill(t, "card", 170_00)
		of := s.fill(t, "promptpay", 300_00)
		id := s.asks(t, 300_00)
		require.NoError(t, s.approve(t, id))
		s.transferred(t, s.remittance(id, of))
		s.webhook(t, of, func(c *payment.Charge) { c.Refunded = 300_00 })
		require.Equal(t, [4]money.Amount{170_00, 0, 170_00, 300_00}, s.books())
		require.Zero(t, s.options(t).Limit)
		_, err := s.Cashout.Ask(t.Context(), s.ann, tenanttest.Key(), cashout.Input{Amount: 10_00})
		require.ErrorIs(t, err, cashout.ErrOwes)
	})

	t.Run("what the gateway refuses or cannot be transferred is in the wallet again, and can be asked for again", func(t *testing.T) {
		s := open(t)
		byQR := s.fill(t, "promptpay", 100_00)
		byCard := s.fill(t, "card", 300_00)
		id := s.asks(t, 400_00)
		require.NoError(t, s.approve(t, id))
		s.Pay.RefusesRefunds = true
		require.NoError(t, s.Charge.Remit(t.Context(), s.Org, charge.RemitJob{Remittance: s.remittance(id, byCard)}))
		s.MustBalance()
		require.NoError(t, s.Refund.FailTransfer(t.Context(), s.Org, s.actor(s.first), tenanttest.Key(), refund.TransferFailure{ID: s.remittance(id, byQR), Reason: "ไม่มีบัญชีนี้"}))
		s.MustBalance()
		require.Equal(t, [4]money.Amount{400_00, 0, 400_00, 0}, s.books())
		require.Equal(t, money.Amount(400_00), s.options(t).Limit)
		require.EqualValues(t, 2, s.Count(`SELECT count(*) FROM message WHERE kind = 'cashout_failed' AND subject_id = $1`, id))
		s.Pay.RefusesRefunds = false
		again := s.asks(t, 400_00)
		require.NoError(t, s.approve(t, again))
		require.NoError(t, s.Charge.Remit(t.Context(), s.Org, charge.RemitJob{Remittance: s.remittance(again, byCard)}))
		s.MustBalance()
	})

	t.Run("a payment comes late, and is hers to take out as well", func(t *testing.T) {
		s := open(t)
		of := s.fill(t, "card", 150_00)
		twin := s.Pay.DuplicateCharge(of, func(c *payment.Charge) { c.State = payment.Paid })
		require.NoError(t, s.Charge.HandleGatewayEvent(t.Context(), s.Org, charge.GatewayEventJob{System: s.system, GatewayID: twin}))
		s.MustBalance()
		require.Equal(t, money.Amount(300_00), s.options(t).Limit)
		require.NoError(t, s.approve(t, s.asks(t, 300_00)))
		s.MustBalance()
	})

	t.Run("eight ask, approve, withdraw and buy at once: the wallet pays once", func(t *testing.T) {
		s := open(t)
		s.fill(t, "card", 300_00)
		pkg := s.Package(tenanttest.Package{Price: 300_00})
		in := s.Quote(s.ann, pkg, 1)
		id := s.asks(t, 300_00)
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() { _ = s.approve(t, id) })
			all.Go(func() { _, _ = s.Order.Buy(t.Context(), s.ann, tenanttest.Key(), in) })
			all.Go(func() { _, _ = s.Cashout.Ask(t.Context(), s.ann, tenanttest.Key(), cashout.Input{Amount: 300_00}) })
		}
		all.Wait()
		s.MustBalance()
		require.Zero(t, s.Balance(s.ann), "either of them had it")
		paid := s.Count(`SELECT count(*) FROM orders WHERE state = 'paid'`) + s.Count(`SELECT count(*) FROM cashout WHERE state = 'approved'`)
		require.EqualValues(t, 1, paid)
	})
}
