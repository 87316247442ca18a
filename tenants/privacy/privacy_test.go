package privacy_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/contact"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/privacy"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/session"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/wallet"
)

type world struct {
	*tenanttest.World
	*privacy.Service
	sessions *session.Service
	people   *customer.Service
}

func newWorld(t *testing.T) world {
	w := tenanttest.New(t)
	sessions := session.New(w.DB)
	people := customer.New(w.DB, w.Box(), refund.Settle)
	return world{w, privacy.New(w.DB, w.Box(), people, contact.New(w.DB, w.Box()), member.New(w.DB, w.Box(), org.NewDirectory(w.DB)), sessions.RevokeAll), sessions, people}
}

// somebody signs in by LINE, with the name that must be gone afterwards.
func (w world) somebody(t *testing.T, sub, name string) token.Session {
	id, err := w.people.SignIn(t.Context(), w.Org, customer.LINEIdentity{Subject: sub, Name: name, Picture: "https://picture/" + sub})
	require.NoError(t, err)
	who := token.Session{Audience: token.User, Org: w.Org, Subject: id}
	_, err = w.people.Save(t.Context(), who, customer.ProfileInput{FirstName: name + "-first", LastName: name + "-last", Email: name + "@mail.example", Gender: "female"})
	require.NoError(t, err)
	return who
}

func (w world) erase(who token.Session) error {
	return w.Erase(context.Background(), who, auditlog.Actor{Kind: token.User, ID: who.Subject}, privacy.EraseInput{Confirm: "ลบข้อมูลของฉัน"})
}

func (w world) exec(sql string, args ...any) {
	w.In(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	})
}

func TestErase(t *testing.T) {
	w := newWorld(t)
	ann := w.somebody(t, "U-canary-ann", "canary-ann")
	plain, err := w.sessions.Open(t.Context(), token.User, w.Org, ann.Subject, "")
	require.NoError(t, err)
	free := w.Package(tenanttest.Package{})
	bought := w.MustBuy(ann, free)
	agentID := w.Agent(w.somebody(t, "U-agent", "agent"), 1000)
	w.Visit(ann, agentID, free)
	_, err = contact.New(w.DB, w.Box()).Send(t.Context(), ann, tenanttest.Key(), contact.Input{Name: "canary-ann", Email: "canary@ann.example", Phone: "081 234 5678", Subject: "canary", Text: "canary"})
	require.NoError(t, err)

	t.Run("an erasure without the confirming words is refused", func(t *testing.T) {
		for _, words := range []string{"", "yes", "erase my data", "ลบ"} {
			err := w.Erase(t.Context(), ann, auditlog.Actor{}, privacy.EraseInput{Confirm: words})
			require.ErrorIs(t, err, fault.BadInput, words)
		}
	})
	t.Run("an erasure is refused while a voucher can be used", func(t *testing.T) {
		err := w.erase(ann)
		require.ErrorIs(t, err, privacy.ErrVouchers)
		require.Equal(t, privacy.Obstacle{Fault: "privacy.vouchers_usable", Count: 1}, fault.From(err).Detail)
		w.EndVouchers(w.Clock.Now().Add(-48 * time.Hour))
		require.NoError(t, w.Voucher.ExpireAllVouchers(t.Context(), w.Org))
	})
	t.Run("an erasure is refused while a payment is awaited, or its QR may still be paid", func(t *testing.T) {
		system, topUp, now := db.NewID(), db.NewID(), w.Clock.Now()
		w.exec(`INSERT INTO payment_system (id, kind, collector, name_th, name_en, methods, endpoint_id, status, created_at, updated_at)
			VALUES ($1, 'omise', 'organisation', 'ก', 'A', '{promptpay}', 'e', 5, $2, $2)`, system, w.Clock.Now())
		w.exec(`INSERT INTO charge (id, customer_id, system_id, purpose, method, amount_satang, state, reference, created_at, expires_at, gateway)
			VALUES ($1, $2, $3, 'topup', 'promptpay', 10000, 'awaiting', 'R', $4, $4::timestamptz + interval '10 minutes', 'gateway_own')`, topUp, ann.Subject, system, now)
		w.exec(`INSERT INTO idempotency (actor, operation, key, request_hash, result_id, at) VALUES ($1, 'wallet.topup', 'fixture', '', $2, $3)`, ann.Subject, topUp, now)
		require.ErrorIs(t, w.erase(ann), privacy.ErrPayment)
		w.exec(`UPDATE charge SET state = 'expired' WHERE id = $1`, topUp)
		require.ErrorIs(t, w.erase(ann), privacy.ErrPayment)
		w.Force(`UPDATE charge SET created_at = created_at - interval '2 days', expires_at = expires_at - interval '2 days' WHERE id = $1`, topUp)
		w.Force(`UPDATE idempotency SET at = at - interval '2 days' WHERE result_id = $1`, topUp)
	})
	t.Run("an erasure is refused with money in the wallet, and with commission due", func(t *testing.T) {
		require.ErrorIs(t, w.erase(w.Customer(1)), privacy.ErrWallet)
		seller := w.Customer(0)
		pkg, buyer := w.Package(tenanttest.Package{Price: 100_00}), w.Customer(100_00)
		w.Visit(buyer, w.Agent(seller, 500), pkg)
		w.MustBuy(buyer, pkg)
		require.ErrorIs(t, w.erase(seller), privacy.ErrCommission)
		held, err := w.Held(t.Context(), seller)
		require.NoError(t, err)
		require.Equal(t, []privacy.Obstacle{{Fault: "privacy.commission_due", Amount: 5_00}}, held.Obstacles)
	})

	t.Run("an erasure is refused while an objection is open", func(t *testing.T) {
		who := w.Customer(0)
		w.MustRedeem(who, w.MustBuy(who, free).ID, 1, w.Staff(), w.ServicePoint())
		uses, err := w.Voucher.History(t.Context(), who, nil)
		require.NoError(t, err)
		_, err = w.Objection.Object(t.Context(), who, tenanttest.Key(), objection.Input{Use: uses[0].ID})
		require.NoError(t, err)
		err = w.erase(who)
		require.ErrorIs(t, err, privacy.ErrObjection)
		require.Equal(t, privacy.Obstacle{Fault: "privacy.objection_open", Count: 1}, fault.From(err).Detail)
		held, err := w.Export(t.Context(), who)
		require.NoError(t, err)
		require.Equal(t, "open", held.Uses[0].Objection)
		w.Clock.Advance(48 * time.Hour)
		require.NoError(t, w.Objection.UndoDue(t.Context(), w.Org))
		require.ErrorIs(t, w.erase(who), privacy.ErrVouchers, "it came back")
	})

	t.Run("a customer sees and exports all data before the erasure", func(t *testing.T) {
		held, err := w.Held(t.Context(), ann)
		require.NoError(t, err)
		require.Equal(t, "canary-ann-first", held.Person.FirstName)
		require.Equal(t, []int64{1, 1, 0, 1}, []int64{held.Orders, held.Vouchers, held.Uses, held.Payments})
		require.Empty(t, held.Obstacles)
		export, err := w.Export(t.Context(), ann)
		require.NoError(t, err)
		text, err := json.Marshal(export)
		require.NoError(t, err)
		for _, part := range []string{"canary-ann@mail.example", bought.Code, `"reference":"R"`, "sale_links_opened"} {
			require.Contains(t, string(text), part)
		}
		require.Len(t, export.Visits, 1)
		require.Equal(t, "081 234 5678", export.Contact[0].Phone)
	})

	t.Run("an erasure leaves nothing of the person, and keeps what tax law needs", func(t *testing.T) {
		require.NoError(t, w.erase(ann))
		w.In(func(ctx context.Context, tx db.Tx) error {
			for _, table := range []string{"customer", "consent", "orders", "voucher", "audit_log", "outbox", "link_visit", "charge", "idempotency", "agent", "contact_message", "message", "push"} {
				var n int
				if err := tx.QueryRow(ctx, `SELECT count(*) FROM `+table+` r WHERE r::text LIKE '%canary%'`).Scan(&n); err != nil {
					return err
				}
				require.Zero(t, n, table)
			}
			return nil
		})
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM orders WHERE customer_id = $1`, ann.Subject))
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'erase'`))
		w.MustBalance()
	})
	t.Run("an erased customer's session is over, and one that was kept is refused", func(t *testing.T) {
		_, err := w.sessions.Find(t.Context(), plain)
		require.ErrorIs(t, err, fault.NoSession)
		_, err = w.people.Profile(t.Context(), ann)
		require.ErrorIs(t, err, fault.NoSession)
		_, err = w.people.Save(t.Context(), ann, customer.ProfileInput{FirstName: "again", Email: "again@mail.example"})
		require.ErrorIs(t, err, fault.NoSession)
		_, err = w.Export(t.Context(), ann)
		require.ErrorIs(t, err, fault.NoSession)
		require.ErrorIs(t, w.erase(ann), customer.ErrSuspended)
		require.Zero(t, w.Count(`SELECT count(*) FROM customer WHERE first_name = 'again'`))
	})
	t.Run("an erased customer who signs in again is a new customer", func(t *testing.T) {
		again := w.somebody(t, "U-canary-ann", "canary-ann")
		require.NotEqual(t, ann.Subject, again.Subject)
		held, err := w.Held(t.Context(), again)
		require.NoError(t, err)
		require.Zero(t, held.Orders)
	})
}

// TestEraseWhileBuying: of a purchase and an erasure at once one is refused.
func TestEraseWhileBuying(t *testing.T) {
	w := newWorld(t)
	pkg := w.Package(tenanttest.Package{})
	for range 20 {
		bee := w.Customer(0)
		quote := w.Quote(bee, pkg, 1)
		var bought, erased error
		var group sync.WaitGroup
		group.Go(func() { _, bought = w.Order.Buy(context.Background(), bee, tenanttest.Key(), quote) })
		group.Go(func() { erased = w.erase(bee) })
		group.Wait()
		require.NotEqual(t, bought == nil, erased == nil, "%v, %v", bought, erased)
		require.True(t, bought == nil || errors.Is(bought, customer.ErrSuspended), "%v", bought)
		require.True(t, erased == nil || errors.Is(erased, privacy.ErrVouchers), "%v", erased)
	}
}

// TestEraseWhileSelling: an agent has his commission and is not erased, or is erased and the sale owes no commission.
func TestEraseWhileSelling(t *testing.T) {
	w := newWorld(t)
	w.AddPaymentSystem()
	pkg := w.Package(tenanttest.Package{Price: 100_00})

	t.Run("an agent is not erased while an order through his link awaits its payment", func(t *testing.T) {
		bee, buyer := w.Customer(0), w.Customer(0)
		seller := w.Agent(bee, 1000)
		w.Visit(buyer, seller, pkg)
		o, err := w.Order.Pay(t.Context(), buyer, tenanttest.Key(), "", order.PayInput{BuyInput: w.Quote(buyer, pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
		require.NoError(t, err)
		require.ErrorIs(t, w.erase(bee), privacy.ErrCommission)
		require.Equal(t, privacy.Obstacle{Fault: "privacy.payment_under_way", Count: 1}, fault.From(w.erase(buyer)).Detail)
		_, err = w.Order.Cancel(t.Context(), buyer, o.ID)
		require.NoError(t, err)
		require.NoError(t, w.erase(bee))
	})
	t.Run("an agent is erased beside a sale only where it owes him no commission", func(t *testing.T) {
		for i := range 20 {
			bee, buyer := w.Customer(0), w.Customer(100_00)
			seller := w.Agent(bee, 1000)
			w.Visit(buyer, seller, pkg)
			quote := w.Quote(buyer, pkg, 1)
			var bought, erased error
			var group sync.WaitGroup
			group.Go(func() { _, bought = w.Order.Buy(context.Background(), buyer, tenanttest.Key(), quote) })
			group.Go(func() {
				time.Sleep(time.Duration(i%5) * time.Millisecond)
				erased = w.erase(bee)
			})
			group.Wait()
			require.NoError(t, bought)
			require.Equal(t, erased == nil, w.Pending(seller) == 0, "%v", erased)
			require.True(t, erased == nil || errors.Is(erased, privacy.ErrCommission), "%v", erased)
		}
		w.MustBalance()
	})
}

func TestEraseLeavesOtherCustomers(t *testing.T) {
	w := newWorld(t)
	ann, eve := w.somebody(t, "U1", "ann"), w.somebody(t, "U2", "eve")
	require.NoError(t, w.erase(eve))
	held, err := w.Held(t.Context(), ann)
	require.NoError(t, err)
	require.Equal(t, "ann-first", held.Person.FirstName)

	other := token.Session{Audience: token.User, Org: w.Org, Subject: uuid.New()}
	require.ErrorIs(t, w.erase(other), fault.NoSession)
}

// TestReturningCustomer: an erased customer who signs in again has his limits and his debts of before.
func TestReturningCustomer(t *testing.T) {
	w := newWorld(t)
	system := w.AddPaymentSystem()
	one := 1
	limited, costly := w.Package(tenanttest.Package{PerCustomer: &one}), w.Package(tenanttest.Package{Price: 500_00})
	ann := w.somebody(t, "U-ann", "ann")
	c, err := w.Wallet.StartTopUp(t.Context(), ann, tenanttest.Key(), "", wallet.TopUpInput{Amount: 500_00, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	w.PayAtGateway(c.ID)
	w.MustBuy(ann, limited)
	w.MustBuy(ann, costly)
	w.exec(`UPDATE voucher SET state = 'expired'`)

	dispute := func(d payment.Dispute) {
		name := w.Pay.SetCharge(c.ID, func(c *payment.Charge) { c.Dispute, c.Disputed = d, c.Amount })
		require.NoError(t, w.Charge.HandleGatewayEvent(t.Context(), w.Org, charge.GatewayEventJob{System: system, GatewayID: name}))
	}
	require.NoError(t, w.erase(ann))
	again := w.somebody(t, "U-ann", "ann")
	quote := w.Quote(again, limited, 1)
	_, err = w.Order.Buy(t.Context(), again, tenanttest.Key(), quote)
	require.ErrorIs(t, err, order.ErrLimit)
	other := w.somebody(t, "U-bee", "bee")
	_, err = w.Order.Buy(t.Context(), other, tenanttest.Key(), w.Quote(other, limited, 1))
	require.NoError(t, err)

	// His bank takes the money back while he is here under another row.
	dispute(payment.DisputeOpen)
	_, err = w.Order.Buy(t.Context(), again, tenanttest.Key(), w.Quote(again, costly, 1))
	require.ErrorIs(t, err, customer.ErrDebt)
	require.ErrorIs(t, w.erase(again), privacy.ErrDebt)
	held, err := w.Held(t.Context(), again)
	require.NoError(t, err)
	require.Equal(t, []privacy.Obstacle{{Fault: "privacy.debt", Amount: 500_00}}, held.Obstacles)

	// And the next one, whoever it is, pays for it.
	top, err := w.Wallet.StartTopUp(t.Context(), again, tenanttest.Key(), "", wallet.TopUpInput{Amount: 500_00, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	w.PayAtGateway(top.ID)
	require.Zero(t, w.Balance(again))
	require.Zero(t, w.Count(`SELECT sum(debt_satang) FROM customer`))
	require.NoError(t, w.erase(again))

	// What is taken back while he is nobody is owed by whom he is next; his pseudonym outlives its time until it is paid.
	name := w.Pay.SetCharge(top.ID, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeLost, c.Amount })
	require.NoError(t, w.Charge.HandleGatewayEvent(t.Context(), w.Org, charge.GatewayEventJob{System: system, GatewayID: name}))
	w.Clock.Advance(25 * 31 * 24 * time.Hour)
	w.In(customer.ForgetFormer)
	require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM former_customer`))
	third := w.somebody(t, "U-ann", "ann")
	require.ErrorIs(t, w.erase(third), privacy.ErrDebt)
	w.Clock.Advance(25 * 31 * 24 * time.Hour)
	w.In(customer.ForgetFormer)
	require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM former_customer`), "what is owed is not forgotten")
	require.Zero(t, w.Count(`SELECT count(*) FROM former_customer WHERE encode(pseudonym, 'escape') LIKE '%ann%'`))
}

// TestDisputeWonAfterReturn: money that a bank returns after its payer was erased goes to his new account.
func TestDisputeWonAfterReturn(t *testing.T) {
	w := newWorld(t)
	system := w.AddPaymentSystem()
	ann := w.somebody(t, "U-ann", "ann")
	c, err := w.Wallet.StartTopUp(t.Context(), ann, tenanttest.Key(), "", wallet.TopUpInput{Amount: 500_00, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	w.PayAtGateway(c.ID)
	w.MustBuy(ann, w.Package(tenanttest.Package{Price: 500_00}))
	w.Clock.Advance(100 * 24 * time.Hour)
	w.In(w.Voucher.ExpireVouchers)
	require.NoError(t, w.erase(ann))
	again := w.somebody(t, "U-ann", "ann")

	dispute := func(d payment.Dispute) {
		name := w.Pay.SetCharge(c.ID, func(c *payment.Charge) { c.Dispute, c.Disputed = d, c.Amount })
		require.NoError(t, w.Charge.HandleGatewayEvent(t.Context(), w.Org, charge.GatewayEventJob{System: system, GatewayID: name}))
	}
	dispute(payment.DisputeOpen)
	top, err := w.Wallet.StartTopUp(t.Context(), again, tenanttest.Key(), "", wallet.TopUpInput{Amount: 500_00, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	w.PayAtGateway(top.ID)
	require.Zero(t, w.Balance(again), "the debt is paid")
	dispute(payment.DisputeWon)
	require.Equal(t, money.Amount(500_00), w.Balance(again))
	require.Zero(t, w.Balance(ann))
	w.MustBalance()

	// What he buys with it stands for it, whoever he was when he paid.
	w.MustBuy(again, w.Package(tenanttest.Package{Price: 500_00}))
	name := w.Pay.SetCharge(c.ID, func(c *payment.Charge) { c.Refunded = c.Amount })
	require.NoError(t, w.Charge.HandleGatewayEvent(t.Context(), w.Org, charge.GatewayEventJob{System: system, GatewayID: name}))
	require.Zero(t, w.Count(`SELECT count(*) FROM voucher WHERE state = 'ready'`))
	w.MustBalance()
}

// TestMoneyForErasedCustomer: money that comes after an erasure waits for the customer's new account; once he has one it goes there.
func TestMoneyForErasedCustomer(t *testing.T) {
	w := newWorld(t)
	system := w.AddPaymentSystem()
	ann := w.somebody(t, "U-ann", "ann")
	dispute := func(id uuid.UUID, d payment.Dispute) {
		name := w.Pay.SetCharge(id, func(c *payment.Charge) { c.Dispute, c.Disputed = d, c.Amount })
		require.NoError(t, w.Charge.HandleGatewayEvent(t.Context(), w.Org, charge.GatewayEventJob{System: system, GatewayID: name}))
	}
	topUp := func(who token.Session) uuid.UUID {
		c, err := w.Wallet.StartTopUp(t.Context(), who, tenanttest.Key(), "", wallet.TopUpInput{Amount: 500_00, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
		require.NoError(t, err)
		return c.ID
	}
	first := topUp(ann)
	w.PayAtGateway(first)
	kept := w.MustBuy(ann, w.Package(tenanttest.Package{Price: 500_00, ToWallet: true}))
	w.Force(`UPDATE voucher SET state = 'expired'`)
	dispute(first, payment.DisputeOpen)
	require.ErrorIs(t, w.erase(ann), privacy.ErrDebt)
	w.PayAtGateway(topUp(ann))
	late := topUp(ann)
	w.Clock.Advance(charge.Lifetime)
	w.Check(late)
	require.ErrorIs(t, w.erase(ann), privacy.ErrPayment)
	w.Clock.Advance(charge.StillPayable)
	require.NoError(t, w.erase(ann))

	dispute(first, payment.DisputeWon)
	require.Equal(t, money.Amount(500_00), w.Balance(ann))
	again := w.somebody(t, "U-ann", "ann")
	require.Equal(t, []money.Amount{0, 500_00}, []money.Amount{w.Balance(ann), w.Balance(again)})
	require.ErrorIs(t, w.erase(again), privacy.ErrWallet, "the money is in the new wallet")
	export, err := w.Export(t.Context(), again)
	require.NoError(t, err)
	require.Equal(t, []privacy.Movement{{
		At: export.Movements[0].At, Kind: "former_account", MemoTH: "เงินจากบัญชีเดิม", MemoEN: "Money of your former account", Amount: 500_00,
	}}, export.Movements)

	w.PayAtGateway(late)
	require.Equal(t, []money.Amount{0, 1000_00}, []money.Amount{w.Balance(ann), w.Balance(again)})

	// A voucher of his that ends only now: nothing brings one back today.
	w.Force(`UPDATE voucher SET state = 'ready' WHERE id = $1`, kept.ID)
	w.Clock.Advance(100 * 24 * time.Hour)
	w.In(w.Voucher.ExpireVouchers)
	require.Equal(t, []money.Amount{0, 1485_00}, []money.Amount{w.Balance(ann), w.Balance(again)})
	w.MustBalance()
}

// TestEraseWhileCommissionMayComeBack: an agent stays while what he lost by a buyer's payment may be his again.
func TestEraseWhileCommissionMayComeBack(t *testing.T) {
	open := func(t *testing.T) (w world, may, bee token.Session, seller, pkg uuid.UUID, changeCharge func(id uuid.UUID, change func(*payment.Charge)) error) {
		w = newWorld(t)
		system := w.AddPaymentSystem()
		may, bee = w.somebody(t, "U-may", "may"), w.somebody(t, "U-bee", "bee")
		seller, pkg = w.Agent(may, 1000), w.Package(tenanttest.Package{Price: 300_00, Items: 3})
		w.Visit(bee, seller, pkg)
		return w, may, bee, seller, pkg, func(id uuid.UUID, change func(*payment.Charge)) error {
			name := w.Pay.SetCharge(id, change)
			return w.Charge.HandleGatewayEvent(context.Background(), w.Org, charge.GatewayEventJob{System: system, GatewayID: name})
		}
	}
	disputed := func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, c.Amount }
	direct := func(t *testing.T, w world, who token.Session, pkg uuid.UUID) uuid.UUID {
		o, err := w.Order.Pay(t.Context(), who, tenanttest.Key(), "", order.PayInput{BuyInput: w.Quote(who, pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
		require.NoError(t, err)
		w.PayAtGateway(o.ID)
		return o.ID
	}
	topUp := func(t *testing.T, w world, who token.Session) uuid.UUID {
		c, err := w.Wallet.StartTopUp(t.Context(), who, tenanttest.Key(), "", wallet.TopUpInput{Amount: 300_00, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
		require.NoError(t, err)
		w.PayAtGateway(c.ID)
		return c.ID
	}
	due := func(t *testing.T, w world, who token.Session, amount money.Amount) {
		t.Helper()
		err := w.erase(who)
		require.ErrorIs(t, err, privacy.ErrCommission)
		require.Equal(t, privacy.Obstacle{Fault: "privacy.commission_due", Amount: amount}, fault.From(err).Detail)
	}

	t.Run("an agent is not erased while a bank may return a disputed payment", func(t *testing.T) {
		w, may, bee, seller, pkg, changeCharge := open(t)
		order := direct(t, w, bee, pkg)
		due(t, w, may, 30_00)
		require.NoError(t, changeCharge(order, disputed))
		require.Zero(t, w.Pending(seller))
		due(t, w, may, 30_00)
		require.NoError(t, changeCharge(order, func(c *payment.Charge) { c.Dispute = payment.DisputeWon }))
		require.Equal(t, money.Amount(30_00), w.Pending(seller))
		due(t, w, may, 30_00)
		w.MustBalance()
	})
	t.Run("an agent is not erased while a buyer may still pay his debt", func(t *testing.T) {
		w, may, bee, seller, pkg, changeCharge := open(t)
		id := topUp(t, w, bee)
		bought := w.MustBuy(bee, pkg)
		w.Force(`UPDATE voucher SET state = 'expired' WHERE id = $1`, bought.ID)
		require.NoError(t, changeCharge(id, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeLost, c.Amount }))
		require.Zero(t, w.Pending(seller))
		due(t, w, may, 30_00)
		topUp(t, w, bee)
		require.Equal(t, money.Amount(30_00), w.Earned(seller).Payable, "its end of validity has made it mature")
		due(t, w, may, 30_00)
	})
	t.Run("an agent may be erased once all items were refunded with their commission", func(t *testing.T) {
		w, may, bee, seller, pkg, changeCharge := open(t)
		order := direct(t, w, bee, pkg)
		require.NoError(t, changeCharge(order, func(c *payment.Charge) { c.Refunded = 100_00 }))
		require.Equal(t, money.Amount(20_00), w.Pending(seller))
		due(t, w, may, 20_00)
		require.NoError(t, changeCharge(order, func(c *payment.Charge) { c.Refunded = 250_00 })) // 50.00 are no whole item: owed
		due(t, w, may, 10_00)
		require.NoError(t, changeCharge(order, func(c *payment.Charge) { c.Refunded = 300_00 }))
		require.Zero(t, w.Pending(seller))
		require.NoError(t, w.erase(may))
		w.MustBalance()
	})
	t.Run("an agent may be erased while another agent's commission may come back", func(t *testing.T) {
		w, _, bee, _, pkg, changeCharge := open(t)
		order := direct(t, w, bee, pkg)
		require.NoError(t, changeCharge(order, disputed))
		other := w.somebody(t, "U-other", "other")
		w.Agent(other, 1000)
		require.NoError(t, w.erase(other))
	})
	t.Run("an agent is not erased beside the dispute of his sale", func(t *testing.T) {
		w, may, bee, seller, pkg, changeCharge := open(t)
		order := direct(t, w, bee, pkg)
		var erased [20]error
		var changed error
		var group sync.WaitGroup
		group.Go(func() { changed = changeCharge(order, disputed) })
		for i := range erased {
			group.Go(func() {
				time.Sleep(time.Duration(i) * time.Millisecond)
				erased[i] = w.erase(may)
			})
		}
		group.Wait()
		require.NoError(t, changed)
		require.Zero(t, w.Pending(seller))
		for _, err := range erased {
			require.ErrorIs(t, err, privacy.ErrCommission)
		}
	})
}
