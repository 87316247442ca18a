package payout_test

import (
	"context"
	"encoding/csv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/bank"
	"welovevoucher/tenants/cashout"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tax"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/wallet"
)

// bankOffice is an office whose customers pay by PromptPay, and have that back by bank transfers.
type bankOffice struct {
	*office
	system uuid.UUID
	ticket uuid.UUID
}

func openBankOffice(t *testing.T) *bankOffice {
	t.Helper()
	o := open(t)
	return &bankOffice{o, o.AddPaymentSystem(), o.Package(tenanttest.Package{Price: 500_00, Items: 2, Refunds: catalog.RefundTerms{Rule: "self", Days: 7}})}
}

func account(number string) *bank.Account {
	return &bank.Account{Bank: "004", Number: number, Name: "แอน ใจดี"}
}

// refunded is a transfer of 250 baht to a customer who paid 500 by PromptPay.
func (o *bankOffice) refunded(who token.Session) uuid.UUID {
	o.t.Helper()
	_, of := o.paid(who)
	return of()
}

// paid has a customer buy a ticket by PromptPay. It returns the charge, and what refunds him one of its two items.
func (o *bankOffice) paid(who token.Session) (charged uuid.UUID, refunds func() uuid.UUID) {
	o.t.Helper()
	ctx := o.t.Context()
	made, err := o.Order.Pay(ctx, who, tenanttest.Key(), "", order.PayInput{BuyInput: o.Quote(who, o.ticket, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(o.t, err)
	o.PayAtGateway(made.ID)
	return made.ID, func() uuid.UUID {
		voucher := o.one(`SELECT id FROM voucher WHERE order_id = $1`, made.ID)
		back, err := o.Refund.RefundOwn(ctx, who, tenanttest.Key(), refund.OwnInput{
			Choice: refund.Choice{Order: made.ID, Parts: []refund.Part{{Voucher: voucher, Items: 1}}}, Method: refund.Bank, Amount: 250_00, Account: account("1234567890"),
		})
		require.NoError(o.t, err)
		return o.one(`SELECT id FROM remittance WHERE refund_id = $1`, back.ID)
	}
}

// fills has a customer fill his wallet by PromptPay.
func (o *bankOffice) fills(who token.Session, amount money.Amount) {
	o.t.Helper()
	c, err := o.Wallet.StartTopUp(o.t.Context(), who, tenanttest.Key(), "", wallet.TopUpInput{Amount: amount, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(o.t, err)
	o.PayAtGateway(c.ID)
}

// takesOut is a transfer of what a customer has in his wallet.
func (o *bankOffice) takesOut(who token.Session, amount money.Amount) uuid.UUID {
	o.t.Helper()
	asked, err := o.Cashout.Ask(o.t.Context(), who, tenanttest.Key(), cashout.Input{Amount: amount, Account: account("9876543210")})
	require.NoError(o.t, err)
	require.NoError(o.t, o.Cashout.Approve(o.t.Context(), o.Org, actor(o.first), tenanttest.Key(), cashout.ByRequest{ID: asked.ID}))
	return o.one(`SELECT id FROM remittance WHERE cashout_id = $1`, asked.ID)
}

// draftRefunds makes a draft of what waits since yesterday.
func (o *bankOffice) draftRefunds() uuid.UUID {
	o.t.Helper()
	upTo, pay := o.days()
	made, err := o.Payout.Draft(o.t.Context(), o.Org, actor(o.first), payout.DraftInput{Kind: payout.Refunds, UpTo: upTo, PayDay: pay, Minimum: 1})
	require.NoError(o.t, err)
	o.work()
	return made.ID
}

// sends drafts, approves and exports a run of refunds.
func (o *bankOffice) sends() uuid.UUID {
	o.t.Helper()
	id := o.draftRefunds()
	o.approve(id)
	o.export(id)
	return id
}

// row returns a transfer's payout of a run.
func (o *bankOffice) row(run, transfer uuid.UUID) payout.Row {
	o.t.Helper()
	story, err := o.Payout.Payout(o.t.Context(), o.Org, o.one(`SELECT id FROM payout WHERE run_id = $1 AND remittance_id = $2`, run, transfer))
	require.NoError(o.t, err)
	return story.Record
}

func (o *bankOffice) transfer(id uuid.UUID) charge.TransferRow {
	o.t.Helper()
	c, err := o.Refund.TransferCase(o.t.Context(), o.Org, id)
	require.NoError(o.t, err)
	return c.Record
}

// byHand has the first person say that he transferred it.
func (o *bankOffice) byHand(id uuid.UUID, outcome string) error {
	return o.Refund.AskTransfer(o.t.Context(), o.Org, actor(o.first), tenanttest.Key(), refund.TransferMade{ID: id, Outcome: outcome, Reference: "x", Note: "ตรวจแล้ว"})
}

// confirms has the second person confirm it.
func (o *bankOffice) confirms(id uuid.UUID) {
	o.t.Helper()
	c, err := o.Refund.TransferCase(o.t.Context(), o.Org, id)
	require.NoError(o.t, err)
	require.NoError(o.t, o.answer(o.second, *c.Approval))
}

func (o *bankOffice) fails(id uuid.UUID) error {
	return o.Refund.FailTransfer(o.t.Context(), o.Org, actor(o.first), tenanttest.Key(), refund.TransferFailure{ID: id, Reason: "ไม่มีบัญชีนี้"})
}

func (o *bankOffice) written(kind string, to token.Session) int64 {
	return o.Count(`SELECT count(*) FROM message WHERE kind = $1 AND customer_id = $2`, kind, to.Subject)
}

func TestRefundRun(t *testing.T) {
	o := openBankOffice(t)
	ann, bob, agent := o.Customer(0), o.Customer(0), o.agent()
	refunded := o.refunded(ann)
	o.fills(bob, 300_00)
	taken := o.takesOut(bob, 300_00)
	o.sells(agent, 3)
	o.tomorrow()
	later := o.refunded(ann) // of a day that is not over

	commission := o.draft()
	require.EqualValues(t, 1, o.run(commission).Record.Payees, "a refund is in no run of commission")
	next, err := o.Payout.Next(t.Context(), o.Org)
	require.NoError(t, err)
	require.Equal(t, payout.NextRefunds{Transfers: 3, Amount: 800_00}, next.Refunds)
	id := o.draftRefunds()
	story := o.run(id)
	require.Equal(t, []any{payout.Refunds, int64(2), money.Amount(550_00), money.Amount(0), money.Amount(550_00)}, []any{story.Record.Kind, story.Record.Payees, story.Record.Gross, story.Record.Withheld, story.Record.Net})
	require.Empty(t, story.Checks)
	next, err = o.Payout.Next(t.Context(), o.Org)
	require.NoError(t, err)
	require.Equal(t, payout.NextRefunds{Transfers: 1, Amount: 250_00, Draft: &id}, next.Refunds)
	require.Equal(t, &commission, next.Draft)
	upTo, pay := o.days()
	_, err = o.Payout.Draft(t.Context(), o.Org, actor(o.first), payout.DraftInput{Kind: payout.Refunds, UpTo: upTo, PayDay: pay, Minimum: 1})
	require.ErrorIs(t, err, payout.ErrDraftOpen)

	leaving, held := o.SystemBalance(ledger.BankClearing), o.SystemBalance(ledger.Payable)
	o.approve(id)
	require.Equal(t, leaving, o.SystemBalance(ledger.BankClearing), "it is on its way since it was refunded")
	row := o.row(id, refunded)
	require.Equal(t, []any{payout.Booked, "004", "7890", &ann.Subject, &refunded, (*uuid.UUID)(nil)}, []any{row.State, row.Bank, row.Digits, row.Customer, row.Transfer, row.Payee})
	require.Equal(t, o.transfer(refunded).Number, row.Number)
	require.Equal(t, []any{"approved", story.Record.Number}, []any{o.transfer(refunded).State, o.transfer(refunded).RunNumber})
	o.MustBalance()

	text := o.export(id).Text
	lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff"))).ReadAll()
	require.NoError(t, err)
	require.Equal(t, [][]string{
		{"reference", "bank_code", "account_number", "account_name", "amount", "pay_day"},
		{o.row(id, refunded).Reference, "004", "1234567890", "แอน ใจดี", "250.00", pay},
		{o.row(id, taken).Reference, "004", "9876543210", "แอน ใจดี", "300.00", pay},
	}, lines)
	require.Equal(t, text, o.export(id).Text)
	require.Equal(t, []any{"sent", o.row(id, taken).Reference}, []any{o.transfer(taken).State, o.transfer(taken).Reference})
	o.MustBalance()

	file := payout.ResultFile{ID: id, Name: "bank.csv", Text: resultFile(
		o.row(id, refunded).Reference+",250.00,paid,"+clock.Day(o.Clock.Now()).Format(time.DateOnly)+",",
		o.row(id, taken).Reference+",300.00,failed,"+clock.Day(o.Clock.Now()).Format(time.DateOnly)+",บัญชีปิด",
	)}
	result, err := o.Payout.ReadFile(t.Context(), o.Org, actor(o.first), file)
	require.NoError(t, err)
	require.Equal(t, 2, result.Applied)
	require.Equal(t, []any{"done", "failed"}, []any{o.transfer(refunded).State, o.transfer(taken).State})
	require.Equal(t, []money.Amount{leaving - 550_00, held + 250_00, 300_00}, []money.Amount{o.SystemBalance(ledger.BankClearing), o.SystemBalance(ledger.Payable), o.Balance(bob)})
	require.Equal(t, []int64{1, 0, 1, 0}, []int64{o.written("money_at_bank", ann), o.written("money_not_to_bank", ann), o.written("cashout_failed", bob), o.written("cashout_at_bank", bob)})
	require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM outbox WHERE kind = 'refund.settle' AND payload #>> '{job,customer_id}' = $1`, bob.Subject.String()))
	require.Equal(t, payout.Closed, o.run(id).Record.State)
	o.MustBalance()
	again, err := o.Payout.ReadFile(t.Context(), o.Org, actor(o.first), file)
	require.NoError(t, err)
	require.Equal(t, 2, again.Known)
	require.ErrorIs(t, o.says(o.row(id, taken).ID, "paid", ""), payout.ErrContradicts)

	require.NoError(t, o.says(o.row(id, refunded).ID, "returned", "บัญชีไม่รับ"))
	require.Equal(t, []money.Amount{held, 250_00}, []money.Amount{o.SystemBalance(ledger.Payable), o.Balance(ann)})
	require.Equal(t, []any{"failed", true}, []any{o.transfer(refunded).State, o.transfer(refunded).DoneAt != nil})
	require.EqualValues(t, 1, o.written("money_not_to_bank", ann))
	o.MustBalance()

	// What is in his wallet again can be asked for again, and the next run transfers it.
	anew := o.takesOut(bob, 300_00)
	o.tomorrow()
	id = o.sends()
	require.EqualValues(t, 2, o.run(id).Record.Payees)
	for _, transfer := range []uuid.UUID{anew, later} {
		require.NoError(t, o.says(o.row(id, transfer).ID, "paid", ""))
		require.Equal(t, "done", o.transfer(transfer).State)
	}
	require.EqualValues(t, 1, o.written("cashout_at_bank", bob))
	o.MustBalance()
	o.ReportsAgree(t)
}

// TestRefundRunByHand: what a run has booked nobody transfers by hand; before that, the run leaves out what somebody has transferred.
func TestRefundRunByHand(t *testing.T) {
	o := openBankOffice(t)
	transferred, failed, stays, postponed := o.refunded(o.Customer(0)), o.refunded(o.Customer(0)), o.refunded(o.Customer(0)), o.refunded(o.Customer(0))
	o.tomorrow()
	id := o.draftRefunds()
	require.Equal(t, o.run(id).Record.Number, o.transfer(transferred).RunNumber)
	require.NoError(t, o.Payout.Postpone(t.Context(), o.Org, actor(o.first), o.row(id, postponed).ID))
	require.Empty(t, o.transfer(postponed).RunNumber)
	asked, err := o.propose(id)
	require.NoError(t, err)
	require.NoError(t, o.byHand(transferred, "done"))
	require.NoError(t, o.fails(failed))
	require.NoError(t, o.answer(o.second, asked))
	o.work()
	require.Equal(t, []any{"changed", "changed", payout.Booked, "postponed"}, []any{o.row(id, transferred).LeftOut, o.row(id, failed).LeftOut, o.row(id, stays).State, o.row(id, postponed).LeftOut})

	c, err := o.Refund.TransferCase(t.Context(), o.Org, stays)
	require.NoError(t, err)
	require.True(t, c.InRun)
	for _, err := range []error{o.byHand(stays, "done"), o.fails(stays)} {
		require.ErrorIs(t, err, payout.ErrInRun)
		require.Equal(t, payout.InRun{Number: o.run(id).Record.Number}, fault.From(err).Detail)
	}
	o.confirms(transferred)
	require.Equal(t, "done", o.transfer(transferred).State)
	o.MustBalance()

	require.NoError(t, o.Payout.Withdraw(t.Context(), o.Org, actor(o.second), payout.Withdrawal{ID: id, Reason: "ผิดบัญชี"}))
	require.Equal(t, []any{payout.Closed, "withdrawn", "approved", ""}, []any{o.run(id).Record.State, o.row(id, stays).LeftOut, o.transfer(stays).State, o.transfer(stays).RunNumber})
	o.MustBalance()

	// It waits as before, for the next run.
	id = o.draftRefunds()
	require.Equal(t, []payout.Standing{payout.Ready, payout.Ready}, []payout.Standing{o.row(id, stays).State, o.row(id, postponed).State})
	o.approve(id)
	o.export(id)
	require.ErrorIs(t, o.byHand(stays, "failed"), payout.ErrInRun)
	require.NoError(t, o.says(o.row(id, stays).ID, "paid", ""))
	require.ErrorIs(t, o.byHand(stays, "failed"), payout.ErrInRun)
	require.NoError(t, o.says(o.row(id, postponed).ID, "failed", "x"))
	require.ErrorIs(t, o.byHand(postponed, "failed"), charge.ErrTransferOver)
	o.MustBalance()
}

func TestRefundLeftOut(t *testing.T) {
	o := openBankOffice(t)
	charged, of := o.paid(o.Customer(0))
	held, byHand := of(), o.refunded(o.Customer(0))
	require.NoError(t, o.byHand(byHand, "done"))
	name := o.Pay.SetCharge(charged, func(c *payment.Charge) { c.Disputed, c.Dispute = 500_00, payment.DisputeOpen })
	require.NoError(t, o.Charge.HandleGatewayEvent(t.Context(), o.Org, charge.GatewayEventJob{System: o.system, GatewayID: name}))
	o.tomorrow()
	id := o.draftRefunds()
	require.Equal(t, []string{"held_back", "under_way"}, []string{o.row(id, held).LeftOut, o.row(id, byHand).LeftOut})
	_, err := o.propose(id)
	require.ErrorIs(t, err, payout.ErrEmpty)
	require.NoError(t, o.Payout.Cancel(t.Context(), o.Org, actor(o.first), id))
	o.work()
	o.confirms(byHand)
	require.NoError(t, o.fails(held))
	o.MustBalance()

	t.Run("what is held back since it was proposed", func(t *testing.T) {
		charged, of := o.paid(o.Customer(0))
		held := of()
		o.tomorrow()
		id := o.draftRefunds()
		asked, err := o.propose(id)
		require.NoError(t, err)
		name := o.Pay.SetCharge(charged, func(c *payment.Charge) { c.Disputed, c.Dispute = 500_00, payment.DisputeOpen })
		require.NoError(t, o.Charge.HandleGatewayEvent(t.Context(), o.Org, charge.GatewayEventJob{System: o.system, GatewayID: name}))
		require.NoError(t, o.answer(o.second, asked))
		o.work()
		require.Equal(t, "changed", o.row(id, held).LeftOut)
		require.Equal(t, payout.Closed, o.run(id).Record.State)
		require.NoError(t, o.fails(held))
		o.MustBalance()
	})
}

func TestRefundSecondPerson(t *testing.T) {
	o := openBankOffice(t)
	ann := o.Customer(0)
	o.refunded(ann)
	o.tomorrow()
	id := o.draftRefunds()
	asked, err := o.propose(id)
	require.NoError(t, err)
	require.ErrorIs(t, o.answer(o.first, asked), approval.ErrOwn)
	o.Force(`UPDATE staff SET line_sub = (SELECT line_sub FROM customer WHERE id = $1) WHERE id = $2`, ann.Subject, o.second.Subject)
	require.ErrorIs(t, o.answer(o.second, asked), payout.ErrOwn)
	third := o.Owner()
	require.NoError(t, o.answer(third, asked))
	o.work()
	require.Equal(t, payout.Approved, o.run(id).Record.State)
}

// TestRefundNotCovered: what came back is the organisation's to give again.
func TestRefundNotCovered(t *testing.T) {
	o := openBankOffice(t)
	transfer := o.refunded(o.Customer(0))
	o.tomorrow()
	id := o.sends()
	require.NoError(t, o.says(o.row(id, transfer).ID, "paid", ""))
	o.In(func(_ context.Context, tx db.Tx) error {
		return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "adjustment", ID: db.NewID()},
			ledger.Posting{Debit: ledger.SystemAccount(ledger.Payable), Credit: ledger.SystemAccount(ledger.Adjustment), Amount: o.SystemBalance(ledger.Payable)}))
	})
	require.ErrorIs(t, o.says(o.row(id, transfer).ID, "returned", "x"), payout.ErrNotCovered)
	require.Equal(t, "done", o.transfer(transfer).State)
}

// TestRefundRunsMeet: a run that is booked meets people who transfer the same by hand, and two who say different things of one payout.
func TestRefundRunsMeet(t *testing.T) {
	o := openBankOffice(t)
	for range 8 {
		transfer := o.refunded(o.Customer(0))
		o.tomorrow()
		id := o.draftRefunds()
		asked, err := o.propose(id)
		require.NoError(t, err)
		require.NoError(t, o.answer(o.second, asked))
		var all sync.WaitGroup
		var booked, byHand error
		all.Go(func() { booked = o.Payout.Work(t.Context(), o.Org) })
		all.Go(func() { byHand = o.byHand(transfer, "done") })
		all.Wait()
		require.NoError(t, booked)
		row := o.row(id, transfer)
		if byHand == nil {
			require.Equal(t, "changed", row.LeftOut)
			o.confirms(transfer)
			o.MustBalance()
			continue
		}
		require.ErrorIs(t, byHand, payout.ErrInRun)
		require.Equal(t, payout.Booked, row.State)
		o.export(id)
		said := make([]error, 2)
		for i, outcome := range []string{"paid", "failed"} {
			all.Go(func() { said[i] = o.says(row.ID, outcome, "x") })
		}
		all.Wait()
		state := o.row(id, transfer).State
		require.Contains(t, []payout.Standing{payout.Paid, payout.Failed}, state)
		if state == payout.Paid {
			require.Equal(t, []error{nil, nil}, said, "a failure of the day of the payment changes nothing")
		} else {
			require.Equal(t, []error{payout.ErrContradicts, nil}, said)
		}
		o.MustBalance()
	}
	require.EqualValues(t, 8, o.Count(`SELECT count(*) FROM transfer t JOIN remittance m ON m.id = t.cause_id WHERE t.kind IN ('remittance', 'remittance_failed')`))
}

// TestRefundSchedule: runs of refunds are drafted by themselves as those of commission are, and none of these is.
func TestRefundSchedule(t *testing.T) {
	o := openBankOffice(t)
	day := clock.Day(o.Clock.Now()).AddDate(0, 0, 2)
	in := payout.Rhythm{Kind: payout.Refunds, Every: "week", Day: (int(day.Weekday())+6)%7 + 1}
	require.NoError(t, o.Payout.AddSchedule(t.Context(), o.Org, actor(o.first), in))
	other := in
	other.Kind = payout.Agents
	require.NoError(t, o.Payout.AddSchedule(t.Context(), o.Org, actor(o.first), other))
	require.Equal(t, fault.At("day", fault.Duplicate), o.Payout.AddSchedule(t.Context(), o.Org, actor(o.first), in))
	transfer := o.refunded(o.Customer(0))
	o.tomorrow()
	o.tomorrow()
	require.NoError(t, o.Payout.DraftScheduled(t.Context(), o.Org))
	o.work()
	settings, err := o.Payout.Settings(t.Context(), o.Org)
	require.NoError(t, err)
	require.Equal(t, []any{payout.Agents, "empty", payout.Refunds, "drafted"}, []any{settings.Schedules[0].Kind, settings.Schedules[0].Outcome, settings.Schedules[1].Kind, settings.Schedules[1].Outcome})
	run := *settings.Schedules[1].Run
	require.Equal(t, payout.Ready, o.row(run, transfer).State)
	calendar, err := tax.ReadCalendar(t.Context(), o.DB)
	require.NoError(t, err)
	pays, ok := calendar.BankDayAfter(clock.Day(o.Clock.Now()), 2)
	require.True(t, ok)
	require.Equal(t, pays.Format(time.DateOnly), o.run(run).Record.PayDay)
	own, err := o.Payout.OwnNext(t.Context(), o.ann)
	require.NoError(t, err)
	require.NotEqual(t, o.run(run).Record.PayDay, *own.PayDay, "that is when refunds are transferred, not commission")
}
