package provisioning_test

import (
	"context"
	"encoding/base64"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/provisioning"
	"welovevoucher/tenants/rollup"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
)

// trial is an organisation that sells with test keys of its own.
type trial struct {
	*tenanttest.World
	fixture
	point      uuid.UUID
	staff, ann token.Session
}

func sellsWithTestKeys(t *testing.T) *trial {
	t.Helper()
	d := newFixture(t)
	w := tenanttest.On(t, d.server)
	proofs := provisioning.Verifiers{Line: d.known.verifyLine, Pay: d.known.verifyPay, Platform: true, PlatformLive: true}
	d.service = provisioning.New(w.DB, w.Schemas, w.Box(), d.staff, nil, nil, d.directory, "localhost", proofs)
	s := &trial{World: w, fixture: d, point: w.ServicePoint(), staff: w.Staff(), ann: w.Customer(0)}
	s.switchCollector(t, s.own("pkey_test_shop"))
	return s
}

// switchCollector has an admin choose who collects, and a worker see to it.
func (s *trial) switchCollector(t *testing.T, to provisioning.PaymentChange) {
	t.Helper()
	require.NoError(t, s.service.SavePayment(t.Context(), s.Org, admin, to))
	require.NoError(t, s.service.SettlePayment(t.Context(), s.Org))
}

func (s *trial) live() provisioning.PaymentChange {
	to := s.own("pkey")
	to.VoidTest = true
	return to
}

func (s *trial) begin(t *testing.T, who token.Session, amount money.Amount) uuid.UUID {
	t.Helper()
	c, err := s.Wallet.StartTopUp(t.Context(), who, tenanttest.Key(), "", topUp(amount))
	require.NoError(t, err)
	return c.ID
}

func decoded(t *testing.T, secret string) []byte {
	t.Helper()
	plain, err := base64.RawURLEncoding.DecodeString(secret)
	require.NoError(t, err)
	return plain
}

func topUp(amount money.Amount) wallet.TopUpInput {
	return wallet.TopUpInput{Amount: amount, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}}
}

func (s *trial) fill(t *testing.T, who token.Session, amount money.Amount) uuid.UUID {
	t.Helper()
	id := s.begin(t, who, amount)
	s.PayAtGateway(id)
	return id
}

// webhookComes has a webhook come for a charge of a payment system.
func (s *trial) webhookComes(t *testing.T, system uuid.UUID, gatewayID string) {
	t.Helper()
	require.NoError(t, s.Charge.HandleGatewayEvent(t.Context(), s.Org, charge.GatewayEventJob{System: system, GatewayID: gatewayID}))
}

// owner runs a query as the owner of all schemas.
func (s *trial) owner(t *testing.T, sql string, args ...any) (names []string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.OwnURL)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), sql, args...)
	require.NoError(t, err)
	names, err = pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return names
}

func (s *trial) archives(t *testing.T) []string {
	t.Helper()
	home, err := s.DB.Placement(t.Context(), s.Org)
	require.NoError(t, err)
	return s.owner(t, `SELECT nspname::text FROM pg_namespace WHERE starts_with(nspname, $1) ORDER BY 1`, home.Schema+"_test_")
}

// TestGoLive: an organisation that sold with test keys goes live, and no list, figure or account has the test sales.
func TestGoLive(t *testing.T) {
	s := sellsWithTestKeys(t)
	stock := 5
	pkg := s.Package(tenanttest.Package{Price: 300_00, Items: 3, Stock: &stock})
	seller := s.Customer(0)
	agentID := s.Agent(seller, 1000)
	var system uuid.UUID
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM payment_system WHERE status = 5`).Scan(&system)
	})

	s.Visit(s.ann, agentID, pkg)
	first := s.fill(t, s.ann, 1000_00)
	buyKey, want := tenanttest.Key(), s.Quote(s.ann, pkg, 1)
	purchase, err := s.Order.Buy(t.Context(), s.ann, buyKey, want)
	require.NoError(t, err)
	direct, err := s.Order.Pay(t.Context(), s.ann, tenanttest.Key(), "", order.PayInput{BuyInput: s.Quote(s.ann, pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	s.PayAtGateway(direct.ID)
	useKey, confirmKey, used := tenanttest.Key(), tenanttest.Key(), voucher.UseInput{Voucher: purchase.Vouchers[0].ID, ServicePoint: s.point, Items: 1}
	use, err := s.Voucher.StartUse(t.Context(), s.ann, useKey, used)
	require.NoError(t, err)
	s.Scan(s.staff, use, s.point)
	confirm := voucher.ConfirmInput{Session: use.ID, ServicePoint: s.point}
	_, err = s.Voucher.Confirm(t.Context(), s.staff, confirmKey, confirm)
	require.NoError(t, err)
	s.webhookComes(t, system, s.Pay.SetCharge(first, func(c *payment.Charge) { c.Refunded = 900_00 }))
	bob := s.Customer(0)
	s.webhookComes(t, system, s.Pay.SetCharge(s.fill(t, bob, 100_00), func(c *payment.Charge) { c.Fee = 1_00 }))
	waitKey := tenanttest.Key()
	waiting, err := s.Wallet.StartTopUp(t.Context(), bob, waitKey, "", topUp(200_00))
	require.NoError(t, err)
	s.Clock.Advance(25 * time.Hour)
	s.In(ledger.SealDays)
	require.Positive(t, s.Count(`SELECT count(*) FROM seal`))
	shown, err := s.Voucher.StartUse(t.Context(), s.ann, tenanttest.Key(), voucher.UseInput{Voucher: s.oneReady(t), ServicePoint: s.point, Items: 1})
	require.NoError(t, err)
	qr := voucher.QR(s.Org, shown.ID, decoded(t, shown.Secret), s.Clock.Now())
	s.MustBalance()
	sold := s.Count(`SELECT sum(sold) FROM stock`)
	require.EqualValues(t, 2, sold)
	s.In(func(ctx context.Context, tx db.Tx) error { // figures that selling leaves in tables that stay
		_, err := tx.Exec(ctx, `UPDATE customer SET debt_satang = 5 WHERE id = $1`, bob.Subject)
		return err
	})

	err = s.service.SavePayment(t.Context(), s.Org, admin, s.own("pkey"))
	require.ErrorIs(t, err, provisioning.ErrTestSales)
	made := fault.From(err).Detail.(provisioning.TestSales)
	require.Equal(t, provisioning.TestSales{Orders: 2, Vouchers: 2, Wallets: s.Balances()}, made)
	require.Positive(t, made.Wallets)
	s.requireTestSales(t, false, "it collects with test keys, as it is")
	require.NoError(t, s.service.SavePayment(t.Context(), s.Org, admin, s.live()))
	s.requireTestSales(t, true, "no worker has come by yet")
	require.Equal(t, made.Wallets, s.Balances())
	for range 2 {
		require.NoError(t, s.service.SettlePayment(t.Context(), s.Org))
	}
	s.requireTestSales(t, false, "nothing of it is left")
	account, public, _ := s.active(t, s.Org)
	require.Equal(t, []string{"organisation", "pkey"}, []string{account, public})
	archives := s.archives(t)
	require.Len(t, archives, 1)

	t.Run("lists, wallets and figures are empty, and the books balance", func(t *testing.T) {
		s.MustBalance()
		require.Zero(t, s.Balances())
		for _, who := range []token.Session{s.ann, bob, seller} {
			require.Zero(t, s.Balance(who))
			h, err := s.Wallet.Holding(t.Context(), who)
			require.NoError(t, err)
			require.Equal(t, wallet.Holding{Owes: []wallet.Owes{}}, h)
			page, err := s.Wallet.Movements(t.Context(), who, 10, nil)
			require.NoError(t, err)
			require.Empty(t, page.Data)
			vouchers, err := s.Voucher.List(t.Context(), who, voucher.ListInput{State: "all"})
			require.NoError(t, err)
			require.Zero(t, vouchers.Counts)
			require.Empty(t, vouchers.Data)
			uses, err := s.Voucher.History(t.Context(), who, nil)
			require.NoError(t, err)
			require.Empty(t, uses)
			orders, err := s.Order.ListAwaiting(t.Context(), who)
			require.NoError(t, err)
			require.Empty(t, orders)
		}
		sum, err := agent.New(s.DB).Summary(t.Context(), token.Session{Audience: token.Agent, Org: s.Org, Subject: seller.Subject})
		require.NoError(t, err)
		require.Zero(t, sum.Pending+sum.Payable+sum.Month)
		today, _, err := s.Voucher.UsesOn(t.Context(), s.staff, s.point, time.Time{}, nil)
		require.NoError(t, err)
		require.Empty(t, today)
		for _, table := range emptied(t) {
			require.Zero(t, s.Count(`SELECT count(*) FROM `+table), table)
		}
		require.Zero(t, s.Count(`SELECT sum(sold) FROM stock`))
		require.Zero(t, s.Count(`SELECT sum(debt_satang) FROM customer`))
		require.NotZero(t, s.Count(`SELECT count(*) FROM catalog_revision WHERE revision <> '00000000-0000-0000-0000-000000000000'`))
	})

	t.Run("links and codes from before are not found, each with its fault", func(t *testing.T) {
		_, err := s.Order.Order(t.Context(), s.ann, purchase.ID)
		require.ErrorIs(t, err, order.ErrNotFound)
		_, err = s.Voucher.Detail(t.Context(), s.ann, purchase.Vouchers[0].ID)
		require.ErrorIs(t, err, voucher.ErrNotFound)
		_, err = s.Charge.Find(t.Context(), bob, waiting.ID)
		require.ErrorIs(t, err, charge.ErrNotFound)
		_, err = s.Voucher.Verify(t.Context(), s.staff, voucher.ScanInput{Code: qr, ServicePoint: s.point})
		require.ErrorIs(t, err, voucher.ErrCodeUnknown)
		_, err = s.Voucher.Use(t.Context(), s.ann, shown.ID)
		require.Equal(t, fault.NotFound, fault.From(err).Kind, "%v", err)
		_, err = s.Voucher.Confirm(t.Context(), s.staff, tenanttest.Key(), voucher.ConfirmInput{Session: shown.ID, ServicePoint: s.point})
		require.Equal(t, fault.NotFound, fault.From(err).Kind, "%v", err)
	})

	t.Run("idempotency keys from before make nothing new", func(t *testing.T) {
		_, err := s.Order.Buy(t.Context(), s.ann, buyKey, want)
		require.ErrorIs(t, err, order.ErrNotFound)
		_, err = s.Wallet.StartTopUp(t.Context(), bob, waitKey, "", topUp(200_00))
		require.ErrorIs(t, err, charge.ErrNotFound)
		_, err = s.Voucher.StartUse(t.Context(), s.ann, useKey, used)
		require.Equal(t, fault.NotFound, fault.From(err).Kind, "%v", err)
		_, err = s.Voucher.Confirm(t.Context(), s.staff, confirmKey, confirm)
		require.ErrorIs(t, err, voucher.ErrCodeUnknown)
		require.Zero(t, s.Count(`SELECT count(*) FROM orders`)+s.Count(`SELECT count(*) FROM charge`)+s.Count(`SELECT count(*) FROM redemption`))
	})

	t.Run("gateway events of test charges move nothing, and fail no job", func(t *testing.T) {
		gatewayID := s.Pay.SetCharge(waiting.ID, func(c *payment.Charge) { c.State = payment.Paid })
		s.webhookComes(t, system, gatewayID)
		s.webhookComes(t, system, s.Pay.SetCharge(first, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 100_00 }))
		require.NoError(t, s.Charge.Check(t.Context(), s.Org, waiting.ID))
		require.NoError(t, s.Charge.Check(t.Context(), s.Org, direct.ID))
		s.Pay.Sent = []payment.Event{{ID: "evnt_late", Kind: "charge.complete", ChargeID: gatewayID}}
		require.NoError(t, s.Charge.PollEvents(t.Context(), s.Org))
		require.Zero(t, s.Balances())
		s.MustBalance()
	})

	t.Run("the organisation's role does not see the archived test sales", func(t *testing.T) {
		err := s.DB.InOrg(t.Context(), s.Org, func(tx db.Tx) error {
			var n int
			return tx.QueryRow(t.Context(), `SELECT count(*) FROM `+archives[0]+`.orders`).Scan(&n)
		})
		require.Equal(t, "42501", db.SQLState(err), "%v", err)
		require.Equal(t, []string{"2"}, s.owner(t, `SELECT count(*)::text FROM `+archives[0]+`.orders`))
		require.Equal(t, []string{"gateway_own_test"}, s.owner(t, `SELECT DISTINCT gateway FROM `+archives[0]+`.charge`))
		require.Equal(t, []string{"t"}, s.owner(t, `SELECT (count(*) > 0)::text::char(1) FROM `+archives[0]+`.entry`))
	})

	t.Run("the organisation sells for real money, and cannot go back to test keys", func(t *testing.T) {
		s.fill(t, s.ann, 500_00)
		bought := s.MustBuy(s.ann, pkg)
		require.EqualValues(t, 200_00, s.Balance(s.ann))
		require.NotEqual(t, purchase.Vouchers[0].ID, bought.ID)
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM charge WHERE gateway = 'gateway_own'`))
		s.MustBalance()
		require.ErrorIs(t, s.service.SavePayment(t.Context(), s.Org, admin, s.own("pkey_test_shop")), provisioning.ErrRealBooks)
		back := s.own("pkey_test_shop")
		back.VoidTest = true
		require.ErrorIs(t, s.service.SavePayment(t.Context(), s.Org, admin, back), provisioning.ErrRealBooks, "nor when the admin voids test sales")
		s.switchCollector(t, s.live())
		require.EqualValues(t, 200_00, s.Balance(s.ann), "what is real is never void")
		require.Len(t, s.archives(t), 1)
	})
}

// requireTestSales checks whether an admin reads that test sales keep the organisation from real money.
func (s *trial) requireTestSales(t *testing.T, want bool, why string) {
	t.Helper()
	c, err := s.service.Connections(t.Context(), s.Org)
	require.NoError(t, err)
	require.Equal(t, want, c.Payment.TestSales, why)
}

// oneReady is a voucher of Ann's that can be used.
func (s *trial) oneReady(t *testing.T) (id uuid.UUID) {
	t.Helper()
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM voucher WHERE holder_id = $1 AND state = 'ready' ORDER BY id LIMIT 1`, s.ann.Subject).Scan(&id)
	})
	return id
}

// TestGoLiveAmongBuyers: while the books are emptied people buy, top up and use; whatever is answered, nothing of before is left.
func TestGoLiveAmongBuyers(t *testing.T) {
	s := sellsWithTestKeys(t)
	pkg := s.Package(tenanttest.Package{Price: 100_00})
	who := make([]token.Session, 6)
	for i := range who {
		who[i] = s.Customer(0)
		s.fill(t, who[i], 10_000_00)
	}
	require.NoError(t, s.service.SavePayment(t.Context(), s.Org, admin, s.live()))

	var stop atomic.Bool
	var bought atomic.Int64
	var all sync.WaitGroup
	defer all.Wait()
	defer stop.Store(true)
	for _, c := range who {
		all.Go(func() {
			for !stop.Load() {
				quote, err := s.Order.Quote(t.Context(), c, order.QuoteInput{Lines: []order.Line{{Package: pkg, Quantity: 1}}})
				if err == nil {
					_, err = s.Order.Buy(t.Context(), c, tenanttest.Key(), order.BuyInput{Lines: []order.Line{{Package: pkg, Quantity: 1}}, Hash: quote.Hash, Accepted: []uuid.UUID{}, Lang: "th"})
				}
				if err == nil {
					bought.Add(1)
				} else if f := fault.From(err); f.Kind == fault.Internal.Kind {
					t.Errorf("buying: %v", err)
				}
				if _, err := s.Wallet.StartTopUp(t.Context(), c, tenanttest.Key(), "", topUp(100_00)); err != nil && fault.From(err).Kind == fault.Internal.Kind {
					t.Errorf("top-up: %v", err)
				}
			}
		})
	}
	for _, rollUp := range []func(ctx context.Context, d *db.DB, org uuid.UUID) error{rollup.Follow, rollup.Build} {
		all.Go(func() {
			for !stop.Load() {
				if err := rollUp(t.Context(), s.DB, s.Org); err != nil {
					t.Errorf("roll up: %v", err)
				}
			}
		})
	}
	require.Eventually(t, func() bool { return bought.Load() > 10 }, time.Minute, time.Millisecond)
	require.NoError(t, s.service.SettlePayment(t.Context(), s.Org))
	after := bought.Load()
	time.Sleep(200 * time.Millisecond)
	stop.Store(true)
	all.Wait()
	require.Positive(t, after)

	require.Zero(t, s.Balances())
	require.Zero(t, s.Count(`SELECT count(*) FROM orders`))
	require.Zero(t, s.Count(`SELECT count(*) FROM charge WHERE gateway <> 'gateway_own'`), "whoever began with test keys is gone, or waited and began with live ones")
	require.Zero(t, s.Count(`SELECT coalesce(sum(sold), 0) FROM stock`))
	s.MustBalance()
	s.In(func(ctx context.Context, tx db.Tx) error {
		wrong, err := rollup.Audit(ctx, tx)
		require.Empty(t, wrong, "the roll-ups count what is left")
		return err
	})
	archives := s.archives(t)
	require.Len(t, archives, 1)
	require.Equal(t, []string{"0"}, s.owner(t, `SELECT count(*)::text FROM `+archives[0]+`.charge WHERE gateway <> 'gateway_own_test'`))
	require.Equal(t, []string{"0"}, s.owner(t, `SELECT (sum(balance_satang) - (SELECT sum(CASE WHEN a.id = e.credit_id THEN e.amount_satang ELSE -e.amount_satang END)
		FROM `+archives[0]+`.account a JOIN `+archives[0]+`.entry e ON a.id IN (e.credit_id, e.debit_id) WHERE a.kind = 'wallet'))::text FROM `+archives[0]+`.wallet`),
		"what lies there is whole")
}

// TestTestKeysBesideRealMoney: wallets filled by test keys are never spent as if they were real.
func TestTestKeysBesideRealMoney(t *testing.T) {
	t.Run("an organisation that has taken real money takes no test keys", func(t *testing.T) {
		s := sellsWithTestKeys(t)
		s.switchCollector(t, s.own("pkey"))
		s.begin(t, s.ann, 100_00)
		require.ErrorIs(t, s.service.SavePayment(t.Context(), s.Org, admin, s.own("pkey_test_shop")), provisioning.ErrRealBooks)
	})

	t.Run("test keys are refused also where a real charge comes between choice and switch", func(t *testing.T) {
		s := sellsWithTestKeys(t)
		s.switchCollector(t, s.own("pkey"))
		require.NoError(t, s.service.SavePayment(t.Context(), s.Org, admin, s.own("pkey_test_shop")))
		s.begin(t, s.ann, 100_00)
		require.ErrorIs(t, s.service.SettlePayment(t.Context(), s.Org), provisioning.ErrRealBooks)
		_, public, _ := s.active(t, s.Org)
		require.Equal(t, "pkey", public)
	})

	for name, keys := range map[string][2]string{
		"the platform's test keys after its live keys": {"pkey_platform", "pkey_test_platform"},
		"the platform's live keys after its test keys": {"pkey_test_platform", "pkey_platform"},
	} {
		t.Run(name+" create no charge", func(t *testing.T) {
			s := sellsWithTestKeys(t)
			system := db.NewID()
			s.In(func(ctx context.Context, tx db.Tx) error {
				_, err := tx.Exec(ctx, `UPDATE payment_system SET status = 2`)
				if err == nil {
					_, err = tx.Exec(ctx, `INSERT INTO payment_system (id, kind, collector, name_th, name_en, methods, endpoint_id, status, created_at, updated_at)
						VALUES ($1, 'omise', 'platform', 'ก', 'a', '{promptpay}', $2, 5, now(), now())`, system, system.String())
				}
				return err
			})
			with := func(public string) {
				outside := charge.GatewayConfig{Open: func(charge.Keys) (payment.Gateway, error) { return s.Pay, nil }, Platform: charge.Keys{Public: public, Secret: "skey"}}
				s.Charge = charge.New(s.DB, s.Box(), outside, nil, nil)
				s.Wallet = wallet.New(s.DB, s.Charge, nil)
			}
			with(keys[0])
			s.begin(t, s.ann, 100_00)
			with(keys[1])
			_, err := s.Wallet.StartTopUp(t.Context(), s.ann, tenanttest.Key(), "", topUp(100_00))
			require.ErrorIs(t, err, charge.ErrNoMethod)
			options, err := s.Charge.Options(t.Context(), s.ann)
			require.NoError(t, err)
			require.Empty(t, options)
		})
	}

	t.Run("the platform's live keys collect after its test keys once an admin voids test sales", func(t *testing.T) {
		d := newFixture(t)
		w := tenanttest.On(t, d.server)
		service := func(live bool) *provisioning.Service {
			proofs := provisioning.Verifiers{Pay: d.known.verifyPay, Platform: true, PlatformLive: live}
			return provisioning.New(w.DB, w.Schemas, w.Box(), d.staff, nil, nil, d.directory, "localhost", proofs)
		}
		s := &trial{World: w, fixture: d, ann: w.Customer(0)}
		s.service = service(false)
		s.switchCollector(t, provisioning.PaymentChange{Collector: payment.CollectorPlatform})
		with := func(public string) {
			outside := charge.GatewayConfig{Open: func(charge.Keys) (payment.Gateway, error) { return s.Pay, nil }, Platform: charge.Keys{Public: public, Secret: "skey"}}
			s.Charge = charge.New(s.DB, s.Box(), outside, nil, nil)
			s.Wallet = wallet.New(s.DB, s.Charge, nil)
		}
		with("pkey_test_platform")
		s.fill(t, s.ann, 100_00)

		s.service = service(true)
		with("pkey_platform")
		s.requireTestSales(t, true, "the keys have changed")
		require.ErrorIs(t, s.service.SavePayment(t.Context(), s.Org, admin, provisioning.PaymentChange{Collector: payment.CollectorPlatform}), provisioning.ErrTestSales)
		require.ErrorIs(t, s.service.SettlePayment(t.Context(), s.Org), provisioning.ErrTestSales)
		s.switchCollector(t, provisioning.PaymentChange{Collector: payment.CollectorPlatform, VoidTest: true})
		require.Zero(t, s.Balances())
		s.fill(t, s.ann, 100_00)
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM charge WHERE gateway = 'gateway_platform'`))
		s.MustBalance()
	})

	t.Run("of first charges with test and live keys at once one kind opens the books", func(t *testing.T) {
		s := sellsWithTestKeys(t)
		s.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE payment_system SET collector = 'platform', public_key = '', secret_key = NULL, webhook_secret = NULL`)
			return err
		})
		var began sync.WaitGroup
		for i := range 8 {
			public := []string{"pkey_test_platform", "pkey_platform"}[i%2]
			outside := charge.GatewayConfig{Open: func(charge.Keys) (payment.Gateway, error) { return s.Pay, nil }, Platform: charge.Keys{Public: public, Secret: "skey"}}
			w, who := wallet.New(s.DB, charge.New(s.DB, s.Box(), outside, nil, nil), nil), s.Customer(0)
			began.Go(func() {
				_, err := w.StartTopUp(context.Background(), who, tenanttest.Key(), "", topUp(100_00))
				if err != nil && fault.From(err).Code != charge.ErrNoMethod.Code {
					t.Errorf("top-up: %v", err)
				}
			})
		}
		began.Wait()
		require.EqualValues(t, 1, s.Count(`SELECT count(DISTINCT gateway) FROM charge`))
		require.Positive(t, s.Count(`SELECT count(*) FROM charge`))
	})
}

// TestToThePlatformWhilePaymentsAwait: a QR of the organisation's own account is not paid after the platform stands for its money.
func TestToThePlatformWhilePaymentsAwait(t *testing.T) {
	s := sellsWithTestKeys(t)
	s.switchCollector(t, s.own("pkey"))
	platform := provisioning.PaymentChange{Collector: payment.CollectorPlatform}
	id := s.begin(t, s.ann, 100_00)
	require.ErrorIs(t, s.service.SavePayment(t.Context(), s.Org, admin, platform), provisioning.ErrAwaited)

	s.Clock.Advance(charge.Lifetime + time.Minute)
	s.Check(id)
	require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM charge WHERE state = 'expired'`))
	require.ErrorIs(t, s.service.SavePayment(t.Context(), s.Org, admin, platform), provisioning.ErrAwaited, "its QR may still be paid for a day")
	s.Clock.Advance(charge.StillPayable)
	require.NoError(t, s.service.SavePayment(t.Context(), s.Org, admin, platform))

	late := s.begin(t, s.ann, 100_00)
	require.ErrorIs(t, s.service.SettlePayment(t.Context(), s.Org), provisioning.ErrAwaited, "begun between the choice and the switch")
	s.PayAtGateway(late)
	require.ErrorIs(t, s.service.SettlePayment(t.Context(), s.Org), provisioning.ErrFloat)
	account, _, _ := s.active(t, s.Org)
	require.Equal(t, "organisation", account)
	s.MustBalance()
}

// TestSwitchWaitsForCharges: a charge that is being begun is seen by the switch, which waits for it.
func TestSwitchWaitsForCharges(t *testing.T) {
	s := sellsWithTestKeys(t)
	s.switchCollector(t, s.own("pkey"))
	require.NoError(t, s.service.SavePayment(t.Context(), s.Org, admin, provisioning.PaymentChange{Collector: payment.CollectorPlatform}))
	switched := make(chan error, 1)
	require.NoError(t, s.DB.InOrg(t.Context(), s.Org, func(tx db.Tx) error {
		if err := s.Charge.Create(t.Context(), tx, charge.NewCharge{ID: db.NewID(), Customer: s.ann.Subject, Purpose: "topup", Method: "promptpay", Amount: 100_00}); err != nil {
			return err
		}
		go func() { switched <- s.service.SettlePayment(context.WithoutCancel(t.Context()), s.Org) }()
		time.Sleep(300 * time.Millisecond)
		return nil
	}))
	require.ErrorIs(t, <-switched, provisioning.ErrAwaited)
}

// TestVoidInUse: a long transaction in the schema is not cut off; the switch is tried again later.
func TestVoidInUse(t *testing.T) {
	s := sellsWithTestKeys(t)
	s.fill(t, s.ann, 100_00)
	require.NoError(t, s.service.SavePayment(t.Context(), s.Org, admin, s.live()))
	require.ErrorIs(t, s.service.SavePayment(t.Context(), s.Org, admin, s.own("pkey")), provisioning.ErrTestSales)
	switched := make(chan error, 1)
	require.NoError(t, s.DB.InOrg(t.Context(), s.Org, func(tx db.Tx) error {
		if _, err := tx.Exec(t.Context(), `UPDATE customer SET updated_at = $1`, tx.Now); err != nil {
			return err
		}
		go func() { switched <- s.service.SettlePayment(context.WithoutCancel(t.Context()), s.Org) }()
		time.Sleep(1500 * time.Millisecond)
		_, err := tx.Exec(t.Context(), `UPDATE wallet SET updated_at = $1`, tx.Now)
		return err
	}), "no deadlock undoes the transaction")
	require.NoError(t, <-switched)
	require.Zero(t, s.Balances())
	require.Len(t, s.archives(t), 1)
}
