package refund_test

import (
	"context"
	"errors"
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
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/privacy"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
)

// transferShop is a cardShop whose customer paid by PromptPay, and two people of its back office.
type transferShop struct {
	*cardShop
	first, second token.Session
}

func openTransferShop(t *testing.T, rule string) *transferShop {
	t.Helper()
	s := openCardShop(t, "promptpay", rule)
	return &transferShop{s, s.Owner(), s.Owner()}
}

func accountOf(name string) *bank.Account {
	return &bank.Account{Bank: "004", Number: "123-4-56789-0", Name: name}
}

// wishes is a refund by ann of some items, 250 baht each, to her bank account.
func (s *transferShop) wishes(voucher int, items int64) refund.OwnInput {
	in := s.regrets(voucher, items)
	in.Method, in.Account = refund.Bank, accountOf("แอน  ใจดี")
	return in
}

// toBank has some items refunded to the bank account, and returns the transfer.
func (s *transferShop) toBank(t *testing.T, voucher int, items int64) uuid.UUID {
	t.Helper()
	made, err := s.Refund.RefundOwn(t.Context(), s.ann, tenanttest.Key(), s.wishes(voucher, items))
	require.NoError(t, err)
	s.MustBalance()
	return s.job(made.ID).Remittance
}

func (s *transferShop) actor(who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: token.Owner, ID: who.Subject}
}

// ask has the first person say what became of a transfer.
func (s *transferShop) ask(t *testing.T, id uuid.UUID, outcome string) error {
	t.Helper()
	return s.Refund.AskTransfer(t.Context(), s.Org, s.actor(s.first), tenanttest.Key(), refund.TransferMade{ID: id, Outcome: outcome, Reference: "20261128-01", Note: "ตรวจแล้ว"})
}

func (s *transferShop) waiting(t *testing.T, id uuid.UUID) uuid.UUID {
	t.Helper()
	c, err := s.Refund.TransferCase(t.Context(), s.Org, id)
	require.NoError(t, err)
	require.NotNil(t, c.Approval)
	return *c.Approval
}

func (s *transferShop) approve(t *testing.T, who token.Session, id uuid.UUID) error {
	t.Helper()
	return s.Approval.Approve(t.Context(), who, s.actor(who), tenanttest.Key(), approval.Answer{ID: id})
}

func (s *transferShop) mustEnd(t *testing.T, id uuid.UUID, outcome string) {
	t.Helper()
	require.NoError(t, s.ask(t, id, outcome))
	require.NoError(t, s.approve(t, s.second, s.waiting(t, id)))
	s.MustBalance()
}

func (s *transferShop) fail(t *testing.T, id uuid.UUID) error {
	t.Helper()
	return s.Refund.FailTransfer(t.Context(), s.Org, s.actor(s.first), tenanttest.Key(), refund.TransferFailure{ID: id, Reason: "ไม่มีบัญชีนี้"})
}

func (s *transferShop) is(id uuid.UUID) string { return s.state(charge.RemitJob{Remittance: id}) }

// TestRefundToBank: who paid by PromptPay has it transferred to an account that he names.
func TestRefundToBank(t *testing.T) {
	t.Run("two people say that it was made, and the organisation has paid it of its own money", func(t *testing.T) {
		s := openTransferShop(t, "self")
		options, err := s.Refund.Options(t.Context(), s.ann, s.order)
		require.NoError(t, err)
		require.Equal(t, &charge.Source{Method: "bank", Limit: 1_000_00}, options.Source)
		id := s.toBank(t, 0, 2)
		require.Equal(t, [4]money.Amount{0, 500_00, 1_000_00, 0}, s.books())
		c, err := s.Refund.TransferCase(t.Context(), s.Org, id)
		require.NoError(t, err)
		require.Equal(t, bank.Account{Bank: "004", Number: "1234567890", Name: "แอน ใจดี"}, c.Account.Account)
		require.Equal(t, "7890", c.Record.Digits)
		require.Equal(t, 15*24*time.Hour, c.Record.DueAt.Sub(c.Record.MadeAt))
		require.Zero(t, s.Count(`SELECT count(*) FROM bank_account WHERE position(convert_to('1234567890', 'UTF8') IN number) > 0 OR position(convert_to('แอน', 'UTF8') IN name) > 0`))
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM message WHERE kind = 'money_to_bank' AND amount_satang = 50000 AND customer_id = $1`, s.ann.Subject))

		require.NoError(t, s.ask(t, id, "done"))
		require.Equal(t, "sent", s.is(id))
		require.Equal(t, [4]money.Amount{0, 500_00, 1_000_00, 0}, s.books(), "nothing moves until a second person has confirmed it")
		s.MustBalance()
		require.ErrorIs(t, s.ask(t, id, "done"), approval.ErrWaiting)
		waiting := s.waiting(t, id)
		require.ErrorIs(t, s.approve(t, s.first, waiting), approval.ErrOwn)
		earned := s.SystemBalance(ledger.Payable)
		d, err := s.Approval.Detail(t.Context(), s.second, s.actor(s.second), approval.ByRequest{ID: waiting})
		require.NoError(t, err)
		require.Empty(t, d.Fault)
		require.Equal(t, []string{"leaving", "payable"}, []string{d.Changes[0].What, d.Changes[1].What})
		require.NoError(t, s.approve(t, s.second, waiting))
		s.MustBalance()
		require.Equal(t, "done", s.is(id))
		require.Equal(t, [4]money.Amount{0, 0, 1_000_00, 0}, s.books())
		require.Equal(t, earned+500_00, s.SystemBalance(ledger.Payable))
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM message WHERE kind = 'money_at_bank' AND amount_satang = 50000 AND customer_id = $1`, s.ann.Subject))
		require.ErrorIs(t, s.fail(t, id), charge.ErrTransferOver)
		require.ErrorIs(t, s.ask(t, id, "done"), charge.ErrTransferOver)

		options, err = s.Refund.Options(t.Context(), s.ann, s.order)
		require.NoError(t, err)
		require.Equal(t, money.Amount(500_00), options.Source.Limit)
		require.Equal(t, []string{"bank", "done", "7890", "004"}, []string{options.Refunds[0].Method, options.Refunds[0].State, options.Refunds[0].Digits, options.Refunds[0].Bank})
		s.ReportsAgree(t)
	})

	t.Run("what comes back after it was transferred is in the wallet, by two people again", func(t *testing.T) {
		s := openTransferShop(t, "self")
		id := s.toBank(t, 0, 2)
		earned := s.SystemBalance(ledger.Payable)
		s.mustEnd(t, id, "done")
		made := s.Clock.Now()
		s.Clock.Advance(time.Hour)
		require.NoError(t, s.ask(t, id, "failed"))
		require.Equal(t, "done", s.is(id))
		require.ErrorIs(t, s.approve(t, s.first, s.waiting(t, id)), approval.ErrOwn)
		require.NoError(t, s.approve(t, s.second, s.waiting(t, id)))
		s.MustBalance()
		require.Equal(t, "failed", s.is(id))
		require.Equal(t, [4]money.Amount{500_00, 0, 1_000_00, 0}, s.books())
		require.Equal(t, earned, s.SystemBalance(ledger.Payable))
		c, err := s.Refund.TransferCase(t.Context(), s.Org, id)
		require.NoError(t, err)
		require.WithinDuration(t, made, *c.Record.DoneAt, time.Second)
		require.Equal(t, "ตรวจแล้ว", c.Failure)
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM message WHERE kind = 'money_not_to_bank' AND amount_satang = 50000 AND customer_id = $1`, s.ann.Subject))
		require.ErrorIs(t, s.ask(t, id, "failed"), charge.ErrTransferOver)
		options, err := s.Refund.Options(t.Context(), s.ann, s.order)
		require.NoError(t, err)
		require.Equal(t, money.Amount(1_000_00), options.Source.Limit, "the payment has it again to give back")
		s.ReportsAgree(t)
	})

	t.Run("what came back is the organisation's to give", func(t *testing.T) {
		s := openTransferShop(t, "self")
		id := s.toBank(t, 0, 2)
		s.mustEnd(t, id, "done")
		require.NoError(t, s.ask(t, id, "failed"))
		s.In(func(_ context.Context, tx db.Tx) error {
			return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "adjustment", ID: db.NewID()},
				ledger.Posting{Debit: ledger.SystemAccount(ledger.Payable), Credit: ledger.SystemAccount(ledger.Adjustment), Amount: s.SystemBalance(ledger.Payable)}))
		})
		require.ErrorIs(t, s.approve(t, s.second, s.waiting(t, id)), payout.ErrNotCovered)
		require.Equal(t, "done", s.is(id))
	})

	t.Run("what cannot be transferred is in the wallet", func(t *testing.T) {
		s := openTransferShop(t, "self")
		id := s.toBank(t, 0, 2)
		require.ErrorIs(t, s.ask(t, id, "failed"), charge.ErrTransferOpen)
		require.NoError(t, s.fail(t, id))
		s.MustBalance()
		require.Equal(t, "failed", s.is(id))
		require.Equal(t, [4]money.Amount{500_00, 0, 1_000_00, 0}, s.books())
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM message WHERE kind = 'money_not_to_bank' AND amount_satang = 50000 AND customer_id = $1`, s.ann.Subject))
		require.ErrorIs(t, s.ask(t, id, "done"), charge.ErrTransferOver)
		s.ReportsAgree(t)
	})

	t.Run("what was said to be transferred fails by two people only", func(t *testing.T) {
		s := openTransferShop(t, "self")
		id := s.toBank(t, 0, 2)
		require.NoError(t, s.ask(t, id, "done"))
		require.ErrorIs(t, s.fail(t, id), charge.ErrTransferSent)
		require.ErrorIs(t, s.ask(t, id, "failed"), approval.ErrWaiting)
		require.NoError(t, s.Approval.Refuse(t.Context(), s.second, s.actor(s.second), approval.Refusal{ID: s.waiting(t, id), Reason: "เงินเด้งกลับ"}))
		require.Equal(t, "sent", s.is(id))
		s.mustEnd(t, id, "failed")
		require.Equal(t, "failed", s.is(id))
		require.Equal(t, [4]money.Amount{500_00, 0, 1_000_00, 0}, s.books())
		s.ReportsAgree(t)
	})

	t.Run("what nobody confirmed in three days is asked for again", func(t *testing.T) {
		s := openTransferShop(t, "self")
		id := s.toBank(t, 0, 2)
		require.NoError(t, s.ask(t, id, "done"))
		s.Clock.Advance(73 * time.Hour)
		s.mustEnd(t, id, "done")
		require.Equal(t, "done", s.is(id))
	})

	t.Run("it goes nowhere else", func(t *testing.T) {
		s := openTransferShop(t, "self")
		try := func(change func(*refund.OwnInput)) error {
			in := s.wishes(0, 1)
			change(&in)
			_, err := s.Refund.RefundOwn(t.Context(), s.ann, tenanttest.Key(), in)
			return err
		}
		for _, number := range []string{"12345", "12345678901", "12345678x0", "๑๒๓๔๕๖๗๘๙๐"} {
			require.Equal(t, fault.At("account.number", bank.ErrNumber), try(func(in *refund.OwnInput) { in.Account.Number = number }), number)
		}
		require.Equal(t, fault.At("account.name", fault.Required), try(func(in *refund.OwnInput) { in.Account.Name = " " }))
		require.Equal(t, fault.At("account", fault.Required), try(func(in *refund.OwnInput) { in.Account = nil }))
		require.ErrorIs(t, try(func(in *refund.OwnInput) { in.Method = refund.Card }), refund.ErrNotToCard)
		_, err := s.Refund.Make(t.Context(), s.Org, s.owner, tenanttest.Key(), refund.Input{Choice: s.wishes(0, 1).Choice, Method: refund.Bank, Reason: "asked"})
		require.ErrorIs(t, err, refund.ErrNotToBank, "the shop names no account")
		require.Zero(t, s.Count(`SELECT count(*) FROM bank_account`))
		s.MustBalance()

		card := openCardShop(t, "card", "self")
		in := card.regrets(0, 1)
		in.Method, in.Account = refund.Bank, accountOf("แอน")
		_, err = card.Refund.RefundOwn(t.Context(), card.ann, tenanttest.Key(), in)
		require.ErrorIs(t, err, refund.ErrNotToBank)
	})

	t.Run("no more than the payment", func(t *testing.T) {
		s := openTransferShop(t, "self")
		s.mustEnd(t, s.toBank(t, 0, 2), "done")
		s.Force(`UPDATE charge SET refunded_satang = 60000 WHERE id = $1`, s.order)
		_, err := s.Refund.RefundOwn(t.Context(), s.ann, tenanttest.Key(), s.wishes(1, 2))
		require.ErrorIs(t, err, refund.ErrNotToBank)
	})

	t.Run("the same key refunds and says once", func(t *testing.T) {
		s := openTransferShop(t, "self")
		key := tenanttest.Key()
		for range 2 {
			_, err := s.Refund.RefundOwn(t.Context(), s.ann, key, s.wishes(0, 2))
			require.NoError(t, err)
		}
		other := s.wishes(0, 2)
		other.Account.Number = "0987654321"
		_, err := s.Refund.RefundOwn(t.Context(), s.ann, key, other)
		require.ErrorIs(t, err, idempotency.ErrReused)
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM bank_account`))
		s.MustBalance()
	})

	t.Run("said to be made and to have failed at once: one holds", func(t *testing.T) {
		s := openTransferShop(t, "self")
		id := s.toBank(t, 0, 2)
		var all sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			all.Go(func() {
				if i%2 == 0 {
					errs[i] = s.Refund.FailTransfer(context.Background(), s.Org, s.actor(s.first), tenanttest.Key(), refund.TransferFailure{ID: id, Reason: "ก"})
				} else {
					errs[i] = s.Refund.AskTransfer(context.Background(), s.Org, s.actor(s.second), tenanttest.Key(), refund.TransferMade{ID: id, Outcome: "done", Reference: "1"})
				}
			})
		}
		all.Wait()
		done := 0
		for _, err := range errs {
			if err == nil {
				done++
				continue
			}
			require.True(t, errors.Is(err, charge.ErrTransferOver) || errors.Is(err, charge.ErrTransferSent) || errors.Is(err, approval.ErrWaiting), err)
		}
		require.Equal(t, 1, done)
		s.MustBalance()
	})

	t.Run("the gateway sends back what was transferred: its payer owes it", func(t *testing.T) {
		for _, first := range []string{"transferred", "sent back"} {
			t.Run(first+" first", func(t *testing.T) {
				s := openTransferShop(t, "self")
				id := s.toBank(t, 0, 2)
				back := func() { s.webhook(t, func(c *payment.Charge) { c.Refunded = 1_000_00 }) }
				if first == "transferred" {
					s.mustEnd(t, id, "done")
					back()
				} else {
					back()
					s.mustEnd(t, id, "done")
				}
				require.Equal(t, [4]money.Amount{0, 0, 0, 500_00}, s.books(), "the other voucher is taken back for its half")
				s.ReportsAgree(t)
			})
		}
	})

	t.Run("what failed pays what its payer owes by then", func(t *testing.T) {
		s := openTransferShop(t, "self")
		id := s.toBank(t, 0, 2)
		s.webhook(t, func(c *payment.Charge) { c.Refunded = 1_000_00 })
		require.Equal(t, [4]money.Amount{0, 500_00, 0, 500_00}, s.books())
		require.NoError(t, s.fail(t, id))
		s.MustBalance()
		require.Equal(t, [4]money.Amount{0, 0, 0, 0}, s.books())
	})

	t.Run("by granting a request, to the account that it names", func(t *testing.T) {
		s := openTransferShop(t, "asking")
		q, err := s.Refund.MakeRequest(t.Context(), s.ann, tenanttest.Key(), s.wishes(0, 2))
		require.NoError(t, err)
		require.Equal(t, []string{"bank", "004", "7890"}, []string{string(q.Method), q.Bank, q.Digits})
		s.Clock.Advance(24 * time.Hour)
		c, err := s.Refund.RequestCase(t.Context(), s.Org, q.ID)
		require.NoError(t, err)
		require.Equal(t, refund.Bank, c.Method)
		require.NoError(t, s.Refund.GrantRequest(t.Context(), s.Org, s.owner, tenanttest.Key(), refund.ByRequest{ID: q.ID}))
		s.MustBalance()
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM message WHERE kind = 'refund_to_bank' AND amount_satang = 50000`))
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM remittance m JOIN refund_request q ON q.account_id = m.account_id AND q.due_at = m.due_at`))
		var id uuid.UUID
		s.read(`SELECT id FROM remittance`, &id)
		s.mustEnd(t, id, "done")
		s.ReportsAgree(t)
	})
}

// TestAccountOfWhoIsErased: a transfer still goes where he said; after it nothing is kept of the account.
func TestAccountOfWhoIsErased(t *testing.T) {
	for _, outcome := range []string{"done", "failed"} {
		t.Run(outcome, func(t *testing.T) {
			s := openTransferShop(t, "self")
			id := s.toBank(t, 0, 2)
			s.mustEnd(t, s.toBank(t, 1, 2), "done")
			exported, err := s.Privacy.Export(t.Context(), s.ann)
			require.NoError(t, err)
			require.Len(t, exported.Accounts, 2)
			require.Equal(t, "1234567890", exported.Accounts[0].Number)
			require.Len(t, exported.Sent, 2)
			require.NoError(t, s.Privacy.Erase(t.Context(), s.ann, auditlog.Actor{Kind: token.User, ID: s.ann.Subject}, privacy.EraseInput{Confirm: "ERASE MY DATA"}))
			kept := func() int64 {
				return s.Count(`SELECT count(*) FROM bank_account WHERE number IS NOT NULL OR digits <> ''`)
			}
			require.EqualValues(t, 1, kept(), "the one that waits for its money")
			c, err := s.Refund.TransferCase(t.Context(), s.Org, id)
			require.NoError(t, err)
			require.Equal(t, "1234567890", c.Account.Number)
			require.NoError(t, s.ask(t, id, "done"))
			if outcome == "failed" {
				require.NoError(t, s.Approval.Withdraw(t.Context(), s.first, s.actor(s.first), approval.ByRequest{ID: s.waiting(t, id)}))
				s.mustEnd(t, id, "failed")
			} else {
				require.NoError(t, s.approve(t, s.second, s.waiting(t, id)))
			}
			s.MustBalance()
			require.Zero(t, kept())
			c, err = s.Refund.TransferCase(t.Context(), s.Org, id)
			require.NoError(t, err)
			require.Equal(t, bank.Account{Bank: "004"}, c.Account.Account)
		})
	}
}

// TestAccountStaysInItsRow: what is copied to another row cannot be read there.
func TestAccountStaysInItsRow(t *testing.T) {
	s := openTransferShop(t, "self")
	one, two := s.toBank(t, 0, 1), s.toBank(t, 0, 1)
	s.Force(`UPDATE bank_account SET number = (SELECT number FROM bank_account ORDER BY id LIMIT 1) WHERE id = (SELECT account_id FROM remittance WHERE id = $1)`, two)
	_, err := s.Refund.TransferCase(t.Context(), s.Org, one)
	require.NoError(t, err)
	_, err = s.Refund.TransferCase(t.Context(), s.Org, two)
	require.Error(t, err)
	s.In(func(ctx context.Context, tx db.Tx) error {
		_, err := bank.Of(ctx, tx, s.Box(), s.ann.Subject)
		require.Error(t, err)
		return nil
	})
}
