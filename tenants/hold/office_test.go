package hold_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/hold"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/payee"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tax"
	"welovevoucher/tenants/tenanttest"
)

// office is an organisation with two people of its back office, an agent of 10 % whose form is approved, and a buyer.
type office struct {
	*tenanttest.World

	t             *testing.T
	system        uuid.UUID
	first, second token.Session
	nok           token.Session // the agent as a customer
	agent         uuid.UUID
	form          payee.Form
	ann           token.Session
	pkg           uuid.UUID // three items for 900.00: 90.00 of commission
}

func open(t *testing.T, rule commission.Rule) *office {
	t.Helper()
	w := tenanttest.New(t)
	w.BankDays()
	o := &office{World: w, system: w.AddPaymentSystem(), t: t, first: w.Owner(), second: w.Owner(), nok: w.Customer(10_000_00), ann: w.Customer(1_000_000_00), form: tenanttest.PersonForm()}
	o.pkg = w.Package(tenanttest.Package{Price: 900_00, Items: 3})
	o.agent = o.AgentBy(o.nok, 1000, rule)
	o.Payee(o.agent, o.first, o.form)
	return o
}

func atSale(t *testing.T) *office { t.Helper(); return open(t, commission.Rule{Matures: "sale"}) }

func actor(who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: token.Owner, ID: who.Subject}
}

// sells has somebody open the agent's link, wait, and buy from his wallet. What matures by then has.
func (o *office) sells(who token.Session, wait time.Duration) uuid.UUID {
	o.t.Helper()
	o.Visit(who, o.agent, o.pkg)
	o.Clock.Advance(wait)
	bought := o.MustBuy(who, o.pkg)
	o.Mature()
	return o.orderOf(bought.ID)
}

func (o *office) orderOf(voucher uuid.UUID) (id uuid.UUID) {
	o.t.Helper()
	o.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT order_id FROM voucher WHERE id = $1`, voucher).Scan(&id)
	})
	return id
}

// paysByCard has somebody buy by a card, through the agent's link or without one.
func (o *office) paysByCard(who token.Session, fingerprint string) uuid.UUID {
	o.t.Helper()
	bill, err := o.Order.Pay(o.t.Context(), who, tenanttest.Key(), "https://shop.example", order.PayInput{BuyInput: o.Quote(who, o.pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "card", CardToken: "tokn"}})
	require.NoError(o.t, err)
	o.Pay.SetCharge(bill.ID, func(c *payment.Charge) { c.State, c.CardDigits, c.Fingerprint = payment.Paid, "4242", fingerprint })
	o.Check(bill.ID)
	return bill.ID
}

// disputes is what the gateway says of the payment of an order, of which the organisation learns.
func (o *office) disputes(order uuid.UUID, dispute payment.Dispute) {
	o.t.Helper()
	name := o.Pay.SetCharge(order, func(c *payment.Charge) { c.Dispute, c.Disputed = dispute, 900_00 })
	require.NoError(o.t, o.Charge.HandleGatewayEvent(o.t.Context(), o.Org, charge.GatewayEventJob{System: o.system, GatewayID: name}))
}

func (o *office) find() {
	o.t.Helper()
	require.NoError(o.t, o.Hold.Find(o.t.Context(), o.Org))
}

// found returns the signals of live holds, by what is held.
func (o *office) found() map[uuid.UUID][]hold.Signal {
	o.t.Helper()
	o.find()
	of := map[uuid.UUID][]hold.Signal{}
	o.In(func(ctx context.Context, tx db.Tx) error {
		rows, err := tx.Query(ctx, `SELECT subject_id, signal FROM commission_hold WHERE state = 'held' ORDER BY signal`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id uuid.UUID
			var signal hold.Signal
			if err := rows.Scan(&id, &signal); err != nil {
				return err
			}
			of[id] = append(of[id], signal)
		}
		return rows.Err()
	})
	return of
}

func (o *office) holdOf(order uuid.UUID) (id uuid.UUID) {
	o.t.Helper()
	o.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM commission_hold WHERE subject_id = $1 ORDER BY id LIMIT 1`, order).Scan(&id)
	})
	return id
}

// holds has an order held without a look.
func (o *office) holds(order uuid.UUID) uuid.UUID {
	o.t.Helper()
	id := db.NewID()
	o.In(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO commission_hold (id, order_id, payee_id, signal, evidence, state, held_at, ends_at) VALUES ($1, $2, $3, 'device', '', 'held', $4, $5)`,
			id, order, o.agent, tx.Now, tx.Now.Add(30*24*time.Hour))
		return err
	})
	return id
}

func (o *office) releases(id uuid.UUID) {
	o.t.Helper()
	require.NoError(o.t, o.Hold.Release(o.t.Context(), o.Org, actor(o.first), hold.Release{ID: id, Reason: "ดูแล้ว"}))
}

// denies has both people deny what a hold keeps.
func (o *office) denies(id uuid.UUID) {
	o.t.Helper()
	asked, err := o.Hold.Deny(o.t.Context(), o.Org, actor(o.first), tenanttest.Key(), hold.Denial{ID: id, Reason: "ซื้อเอง"})
	require.NoError(o.t, err)
	require.NoError(o.t, o.approves(o.second, asked.Approval))
}

func (o *office) approves(by token.Session, asked uuid.UUID) error {
	return o.Approval.Approve(o.t.Context(), by, actor(by), tenanttest.Key(), approval.Answer{ID: asked})
}

// refunds gives items of an order back.
func (o *office) refunds(order uuid.UUID, items int64) {
	o.t.Helper()
	var voucher uuid.UUID
	o.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM voucher WHERE order_id = $1`, order).Scan(&voucher)
	})
	_, err := o.Refund.Make(o.t.Context(), o.Org, actor(o.first), tenanttest.Key(), refund.Input{
		Choice: refund.Choice{Order: order, Parts: []refund.Part{{Voucher: voucher, Items: items}}}, Method: "wallet", Reason: "asked",
	})
	require.NoError(o.t, err)
}

// has requires what is pending and payable to the agent, what he owes, and that the books and the reports agree.
func (o *office) has(pending, payable, owed money.Amount) {
	o.t.Helper()
	earned := o.Earned(o.agent)
	require.Equal(o.t, []money.Amount{pending, payable, owed}, []money.Amount{o.Pending(o.agent), earned.Payable, earned.Receivable}, "pending, payable, owed")
	o.MustBalance()
}

func (o *office) tomorrow() {
	o.t.Helper()
	day := clock.Day(o.Clock.Now()).AddDate(0, 0, 1)
	o.Clock.Advance(clock.Start(day).Add(12 * time.Hour).Sub(o.Clock.Now()))
	o.first, o.second = o.SignInAnew(o.first), o.SignInAnew(o.second)
}

// draft makes a draft of what was mature yesterday.
func (o *office) draft() uuid.UUID {
	o.t.Helper()
	calendar, err := tax.ReadCalendar(o.t.Context(), o.DB)
	require.NoError(o.t, err)
	today := clock.Day(o.Clock.Now())
	pays, ok := calendar.BankDayAfter(today, 1)
	require.True(o.t, ok)
	made, err := o.Payout.Draft(o.t.Context(), o.Org, actor(o.first), payout.DraftInput{Kind: payout.Agents, UpTo: today.AddDate(0, 0, -1).Format(time.DateOnly), PayDay: pays.Format(time.DateOnly), Minimum: 1})
	require.NoError(o.t, err)
	require.NoError(o.t, o.Payout.Work(o.t.Context(), o.Org))
	return made.ID
}

// approved has a draft approved, and does not book it yet.
func (o *office) approved(id uuid.UUID) {
	o.t.Helper()
	story, err := o.Payout.Run(o.t.Context(), o.Org, id)
	require.NoError(o.t, err)
	asked, err := o.Payout.Propose(o.t.Context(), o.Org, actor(o.first), tenanttest.Key(), payout.Proposal{ID: id, Hash: story.Hash, Note: "x"})
	require.NoError(o.t, err)
	require.NoError(o.t, o.approves(o.second, asked.Approval))
}

// row returns the agent's payout of a run: its state, why it is left out, and what it is of. The zero values where the run has none.
func (o *office) row(run uuid.UUID) (state, why string, gross money.Amount) {
	o.t.Helper()
	o.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT coalesce(max(state), ''), coalesce(max(left_out), ''), coalesce(sum(gross_satang), 0)::bigint FROM payout WHERE run_id = $1 AND payee_id = $2`, run, o.agent).Scan(&state, &why, &gross)
	})
	return state, why, gross
}

// books cancels nothing: it books what is approved.
func (o *office) books() {
	o.t.Helper()
	require.NoError(o.t, o.Payout.Work(o.t.Context(), o.Org))
}
