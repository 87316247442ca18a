package objection_test

import (
	"context"
	"sync"
	"sync/atomic"
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
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/rollup"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// shop is an organisation in which ann has bought a voucher of three items for 1,000.00 and used one; bob has money.
type shop struct {
	*tenanttest.World
	ann, bob token.Session
	system   uuid.UUID
	staff    token.Session
	place    uuid.UUID
	voucher  voucher.Voucher
	use      uuid.UUID
}

// earned is what one item's use earns: a third of 1,000.00 less the fee of 3 %.
const earned = money.Amount(970_00 / 3)

func open(t *testing.T) shop {
	t.Helper()
	w := tenanttest.New(t)
	s := shop{World: w, ann: w.Customer(5_000_00), bob: w.Customer(5_000_00), system: w.AddPaymentSystem(), staff: w.Staff(), place: w.ServicePoint()}
	w.OpenBoard(200)
	w.VerifyMobile(s.ann)
	s.voucher = w.MustBuy(s.ann, w.Package(tenanttest.Package{Price: 1000_00, Items: 3, Transfers: 2}))
	s.use = s.redeem(s.ann, s.voucher.ID)
	return s
}

// redeem uses an item of a voucher and returns its redemption.
func (s shop) redeem(who token.Session, of uuid.UUID) (use uuid.UUID) {
	s.MustRedeem(who, of, 1, s.staff, s.place)
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM redemption ORDER BY id DESC LIMIT 1`).Scan(&use)
	})
	return use
}

func (s shop) object(t *testing.T) objection.Use {
	t.Helper()
	u, err := s.Objection.Object(t.Context(), s.ann, tenanttest.Key(), objection.Input{Use: s.use})
	require.NoError(t, err)
	s.MustBalance()
	return u
}

func (s shop) manager() auditlog.Actor { return auditlog.Actor{Kind: "owner", ID: s.staff.Subject} }

// id returns the id of the objection.
func (s shop) id() (id uuid.UUID) {
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM objection`).Scan(&id)
	})
	return id
}

func (s shop) decide(t *testing.T, undo bool) objection.Use {
	t.Helper()
	require.NoError(t, s.Objection.Decide(t.Context(), s.Org, s.manager(), objection.Decision{ID: s.id(), Undo: undo, Answer: "We looked."}))
	s.MustBalance()
	return s.read(t)
}

func (s shop) read(t *testing.T) objection.Use {
	t.Helper()
	u, err := s.Objection.Use(t.Context(), s.ann, s.use)
	require.NoError(t, err)
	return u
}

// requireBooks checks what is unearned, payable and held.
func (s shop) requireBooks(t *testing.T, unearned, payable, held money.Amount) {
	t.Helper()
	require.Equal(t, []money.Amount{unearned, payable, held}, []money.Amount{s.SystemBalance(ledger.Unearned), s.SystemBalance(ledger.Payable), s.SystemBalance(ledger.UseObjection)})
}

func (s shop) detail(t *testing.T, who token.Session, id uuid.UUID) voucher.Detail {
	t.Helper()
	v, err := s.Voucher.Detail(t.Context(), who, id)
	require.NoError(t, err)
	return v
}

// inbox returns the English titles of a customer's messages about uses, the newest first.
func (s shop) inbox(t *testing.T, who token.Session) (titles []string) {
	t.Helper()
	list, err := s.Message.List(t.Context(), who, nil)
	require.NoError(t, err)
	for _, m := range list {
		if m.About == "use" {
			require.Equal(t, s.use, m.Subject)
			titles = append(titles, m.TitleEN)
		}
	}
	return titles
}

// TestObject: what a use earned is held once it is objected to, and moves on when that is decided.
func TestObject(t *testing.T) {
	t.Run("a use is a message, which leads to what may be said to it", func(t *testing.T) {
		s := open(t)
		require.Equal(t, []string{"Used once"}, s.inbox(t, s.ann))
		u := s.read(t)
		require.Equal(t, []any{true, objection.State(""), &s.voucher.ID, earned, int64(1), int64(2)}, []any{u.MayObject, u.State, u.Voucher, u.Share, u.Items, u.ItemsLeft})
		require.True(t, objection.Until(u.At).Equal(u.Until))
		require.Nil(t, u.DueAt)
	})

	t.Run("held, and it stands", func(t *testing.T) {
		s := open(t)
		s.requireBooks(t, 970_00-earned, earned, 0)
		u := s.object(t)
		require.Equal(t, []any{objection.Open, false, 48 * time.Hour}, []any{u.State, u.MayObject, u.DueAt.Sub(*u.MadeAt)})
		s.requireBooks(t, 970_00-earned, 0, earned)
		u = s.decide(t, false)
		require.Equal(t, []any{objection.Stands, "We looked.", false}, []any{u.State, u.Answer, u.ByItself})
		require.Nil(t, u.Anew)
		s.requireBooks(t, 970_00-earned, earned, 0)
		require.Equal(t, []string{"The shop confirms the use", "Used once"}, s.inbox(t, s.ann))
		_, err := s.Objection.Object(t.Context(), s.ann, tenanttest.Key(), objection.Input{Use: s.use})
		require.ErrorIs(t, err, objection.ErrMade, "there is no appeal")
	})

	t.Run("undone: its items are a voucher of their own, for thirty days at least", func(t *testing.T) {
		s := open(t)
		s.EndVouchers(clock.Day(s.Clock.Now()).AddDate(0, 0, 2))
		s.object(t)
		u := s.decide(t, true)
		require.Equal(t, objection.Undone, u.State)
		s.requireBooks(t, 970_00, 0, 0)
		require.Equal(t, []string{"Given back: once", "Used once"}, s.inbox(t, s.ann))
		anew := s.detail(t, s.ann, *u.Anew)
		require.Equal(t, []any{voucher.Ready, int64(1), int64(1)}, []any{anew.State, anew.ItemsLeft, anew.ItemsTotal})
		require.Equal(t, clock.Day(s.Clock.Now()).AddDate(0, 0, 30).Format(time.DateOnly), anew.ValidUntil)
		require.Equal(t, anew.ValidUntil, *u.ValidUntil)
		require.NotEqual(t, s.voucher.Code, anew.Code)
		require.Equal(t, int64(2), s.detail(t, s.ann, s.voucher.ID).ItemsLeft)

		s.redeem(s.ann, anew.ID)
		s.redeem(s.ann, s.voucher.ID)
		s.redeem(s.ann, s.voucher.ID)
		s.requireBooks(t, 0, 970_00, 0)
		s.MustBalance()
	})

	t.Run("the last item's use, and that of what came back", func(t *testing.T) {
		s := open(t)
		s.redeem(s.ann, s.voucher.ID)
		s.use = s.redeem(s.ann, s.voucher.ID)
		s.object(t)
		anew := s.decide(t, true)
		require.Equal(t, voucher.Used, s.detail(t, s.ann, s.voucher.ID).State)
		again := s.redeem(s.ann, *anew.Anew)
		u, err := s.Objection.Object(t.Context(), s.ann, tenanttest.Key(), objection.Input{Use: again})
		require.NoError(t, err)
		require.Equal(t, 970_00-2*earned, u.Share, "the last item has the rest")
		s.Clock.Advance(48 * time.Hour)
		require.NoError(t, s.Objection.UndoDue(t.Context(), s.Org))
		s.MustBalance()
		u, err = s.Objection.Use(t.Context(), s.ann, again)
		require.NoError(t, err)
		require.NotEqual(t, anew.Anew, u.Anew)
		s.requireBooks(t, 970_00-2*earned, 2*earned, 0)
	})

	t.Run("of a voucher worth baht", func(t *testing.T) {
		s := open(t)
		v := s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: 299_99, GiftValue: 333_33}))
		s.MustRedeem(s.ann, v.ID, 100_01, s.staff, s.place)
		s.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT id FROM redemption ORDER BY id DESC LIMIT 1`).Scan(&s.use)
		})
		s.object(t)
		u := s.decide(t, true)
		require.Equal(t, int64(100_01), s.detail(t, s.ann, *u.Anew).ItemsLeft)
		s.MustRedeem(s.ann, *u.Anew, 100_01, s.staff, s.place)
		s.MustRedeem(s.ann, v.ID, 233_32, s.staff, s.place)
		s.MustBalance()
	})

	t.Run("by itself after 48 hours, once", func(t *testing.T) {
		s := open(t)
		s.object(t)
		s.Clock.Advance(48*time.Hour - time.Minute)
		require.NoError(t, s.Objection.UndoDue(t.Context(), s.Org))
		require.Equal(t, objection.Open, s.read(t).State)
		s.Clock.Advance(time.Minute)
		err := s.Objection.Decide(t.Context(), s.Org, s.manager(), objection.Decision{ID: s.id()})
		require.ErrorIs(t, err, objection.ErrDecided, "its time is over")
		for range 2 {
			require.NoError(t, s.Objection.UndoDue(t.Context(), s.Org))
		}
		u := s.read(t)
		require.Equal(t, []any{objection.Undone, true}, []any{u.State, u.ByItself})
		s.requireBooks(t, 970_00, 0, 0)
		s.MustBalance()
	})
}

// TestAttacks: who may not, when it is over, and twice.
func TestAttacks(t *testing.T) {
	t.Run("until the end of the next day in Bangkok", func(t *testing.T) {
		s := open(t)
		u := s.read(t)
		s.Clock.Advance(u.Until.Sub(s.Clock.Now()))
		require.False(t, s.read(t).MayObject)
		_, err := s.Objection.Object(t.Context(), s.ann, tenanttest.Key(), objection.Input{Use: s.use})
		require.ErrorIs(t, err, objection.ErrTooLate)
		s.requireBooks(t, 970_00-earned, earned, 0)
	})

	t.Run("somebody else's use, or none", func(t *testing.T) {
		s := open(t)
		_, err := s.Objection.Use(t.Context(), s.bob, s.use)
		require.ErrorIs(t, err, objection.ErrNotFound)
		for _, use := range []uuid.UUID{s.use, uuid.New()} {
			_, err = s.Objection.Object(t.Context(), s.bob, tenanttest.Key(), objection.Input{Use: use})
			require.ErrorIs(t, err, objection.ErrNotFound)
		}
		err = s.Objection.Decide(t.Context(), s.Org, s.manager(), objection.Decision{ID: uuid.New(), Undo: true})
		require.ErrorIs(t, err, fault.Missing)
	})

	t.Run("another organisation's", func(t *testing.T) {
		s := open(t)
		other := tenanttest.On(t, s.Server)
		stranger := other.Customer(0)
		_, err := other.Objection.Object(t.Context(), stranger, tenanttest.Key(), objection.Input{Use: s.use})
		require.ErrorIs(t, err, objection.ErrNotFound)
		s.object(t)
		err = other.Objection.Decide(t.Context(), other.Org, auditlog.Actor{Kind: "owner", ID: other.Staff().Subject}, objection.Decision{ID: s.id(), Undo: true})
		require.ErrorIs(t, err, fault.Missing)
		require.Equal(t, objection.Open, s.read(t).State)
	})

	t.Run("twice under one key, and under two", func(t *testing.T) {
		s := open(t)
		key := tenanttest.Key()
		for range 2 {
			_, err := s.Objection.Object(t.Context(), s.ann, key, objection.Input{Use: s.use})
			require.NoError(t, err)
		}
		_, err := s.Objection.Object(t.Context(), s.ann, key, objection.Input{Use: uuid.New()})
		require.ErrorIs(t, err, idempotency.ErrReused)
		_, err = s.Objection.Object(t.Context(), s.ann, tenanttest.Key(), objection.Input{Use: s.use})
		require.ErrorIs(t, err, objection.ErrMade)
		s.requireBooks(t, 970_00-earned, 0, earned)
		s.MustBalance()
	})

	t.Run("many at once, and decided by many at once", func(t *testing.T) {
		s := open(t)
		require.Equal(t, 1, s.race(t, func() error {
			_, err := s.Objection.Object(t.Context(), s.ann, tenanttest.Key(), objection.Input{Use: s.use})
			return err
		}))
		id := s.id()
		var asked atomic.Int64
		require.Equal(t, 1, s.race(t, func() error {
			return s.Objection.Decide(t.Context(), s.Org, s.manager(), objection.Decision{ID: id, Undo: asked.Add(1)%2 == 0})
		}))
		require.LessOrEqual(t, s.Count(`SELECT count(*) FROM voucher WHERE undoes IS NOT NULL`), int64(1))
		s.MustBalance()
	})

	t.Run("the clock and two deciders at once", func(t *testing.T) {
		s := open(t)
		s.object(t)
		s.Clock.Advance(49 * time.Hour)
		require.Equal(t, 8, s.race(t, func() error { return s.Objection.UndoDue(t.Context(), s.Org) }))
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM voucher WHERE undoes IS NOT NULL`))
		s.MustBalance()
	})

	t.Run("who is suspended", func(t *testing.T) {
		s := open(t)
		s.Force(`UPDATE customer SET status = 4 WHERE id = $1`, s.ann.Subject)
		_, err := s.Objection.Object(t.Context(), s.ann, tenanttest.Key(), objection.Input{Use: s.use})
		require.Error(t, err)
		s.requireBooks(t, 970_00-earned, earned, 0)
	})
}

// race runs fn eight times at once and returns how often it succeeded.
func (s shop) race(t *testing.T, fn func() error) (good int) {
	t.Helper()
	var all sync.WaitGroup
	errs := make(chan error, 8)
	for range cap(errs) {
		all.Go(func() { errs <- fn() })
	}
	all.Wait()
	for range cap(errs) {
		if <-errs == nil {
			good++
		}
	}
	return good
}

// TestOrders: what happens to the voucher, its order and its holders before, between and after.
func TestOrders(t *testing.T) {
	t.Run("the rest was given away: it comes back to who used it", func(t *testing.T) {
		s := open(t)
		g, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: s.voucher.ID, Items: 2, Card: "birthday"})
		require.NoError(t, err)
		_, err = s.Gift.Receive(t.Context(), s.bob, gift.Link{Ref: g.Ref})
		require.NoError(t, err)
		require.Nil(t, s.read(t).Voucher)
		s.object(t)
		u := s.decide(t, true)
		anew := s.detail(t, s.ann, *u.Anew)
		require.Equal(t, 2, anew.TransfersLeft, "as many as she had when it was used")
		require.Equal(t, 1, s.detail(t, s.bob, s.voucher.ID).TransfersLeft)
		_, err = s.Voucher.Detail(t.Context(), s.bob, *u.Anew)
		require.ErrorIs(t, err, voucher.ErrNotFound)

		bobs := s.redeem(s.bob, s.voucher.ID)
		_, err = s.Objection.Object(t.Context(), s.ann, tenanttest.Key(), objection.Input{Use: bobs})
		require.ErrorIs(t, err, objection.ErrNotFound)
		b, err := s.Objection.Object(t.Context(), s.bob, tenanttest.Key(), objection.Input{Use: bobs})
		require.NoError(t, err)
		require.Zero(t, b.Share, "who was given it sees no price")
		s.MustBalance()
		g, err = s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: *u.Anew, Items: 1, Card: "birthday"})
		require.NoError(t, err)
		_, err = s.Gift.Receive(t.Context(), s.bob, gift.Link{Ref: g.Ref})
		require.NoError(t, err)
		s.MustBalance()
	})

	t.Run("it was sold on, before and after the use", func(t *testing.T) {
		s := open(t)
		s.VerifyMobile(s.bob)
		sell := func(from, to token.Session, id uuid.UUID, items int64) {
			f, err := s.Board.Offer(t.Context(), from, tenanttest.Key(), board.Input{Part: board.Part{Voucher: id, Items: items}, Price: 100_00})
			require.NoError(t, err)
			_, err = s.Board.Buy(t.Context(), to, tenanttest.Key(), board.BuyInput{Offer: f.ID, Accepted: []uuid.UUID{}, Lang: "th"})
			require.NoError(t, err)
		}
		s.object(t)
		sell(s.ann, s.bob, s.voucher.ID, 2)
		bobs := s.redeem(s.bob, s.voucher.ID)
		sell(s.bob, s.ann, s.voucher.ID, 1)
		anns := s.decide(t, true)
		_, err := s.Objection.Object(t.Context(), s.bob, tenanttest.Key(), objection.Input{Use: bobs})
		require.NoError(t, err)
		s.Clock.Advance(48 * time.Hour)
		require.NoError(t, s.Objection.UndoDue(t.Context(), s.Org))
		u, err := s.Objection.Use(t.Context(), s.bob, bobs)
		require.NoError(t, err)
		s.MustBalance()
		resale := func(id uuid.UUID) (sold bool) {
			s.In(func(ctx context.Context, tx db.Tx) error {
				return tx.QueryRow(ctx, `SELECT resale_id IS NOT NULL FROM voucher WHERE id = $1`, id).Scan(&sold)
			})
			return sold
		}
		require.False(t, resale(*anns.Anew))
		require.True(t, resale(*u.Anew), "he paid for it himself")
		require.Equal(t, []int{2, 1}, []int{s.detail(t, s.ann, *anns.Anew).TransfersLeft, s.detail(t, s.bob, *u.Anew).TransfersLeft})
	})

	t.Run("while what is left is on its way to somebody", func(t *testing.T) {
		s := open(t)
		g, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: s.voucher.ID, Items: 1, Card: "birthday"})
		require.NoError(t, err)
		s.object(t)
		s.decide(t, true)
		_, err = s.Gift.Withdraw(t.Context(), s.ann, g.ID)
		require.NoError(t, err)
		s.MustBalance()
	})

	t.Run("the order's payment is sent back, before and after", func(t *testing.T) {
		for _, first := range []bool{true, false} {
			s := open(t)
			paid := s.direct(t)
			back := func() { s.gatewaySays(t, paid, func(c *payment.Charge) { c.Refunded = 900_00 }) }
			s.object(t)
			if first {
				back()
			}
			u := s.decide(t, true)
			if !first {
				back()
			}
			require.NotNil(t, u.Anew)
			require.Equal(t, voucher.Refunded, s.detail(t, s.ann, *u.Anew).State)
			require.Zero(t, s.Count(`SELECT debt_satang FROM customer WHERE id = $1`, s.ann.Subject))
		}
	})

	t.Run("a dispute, open, lost and won", func(t *testing.T) {
		for _, end := range []payment.Dispute{payment.DisputeLost, payment.DisputeWon} {
			s := open(t)
			paid := s.direct(t)
			s.object(t)
			s.gatewaySays(t, paid, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 900_00 })
			require.EqualValues(t, 300_00, s.Count(`SELECT debt_satang FROM customer WHERE id = $1`, s.ann.Subject))
			u := s.decide(t, true)
			require.Equal(t, voucher.Frozen, s.detail(t, s.ann, *u.Anew).State)
			require.Zero(t, s.Count(`SELECT debt_satang FROM customer WHERE id = $1`, s.ann.Subject), "it stands for what is owed")
			s.gatewaySays(t, paid, func(c *payment.Charge) {
				c.Dispute = end
				if end == payment.DisputeWon {
					c.Disputed = 0
				}
			})
			want := map[payment.Dispute]voucher.State{payment.DisputeLost: voucher.Void, payment.DisputeWon: voucher.Ready}[end]
			require.Equal(t, want, s.detail(t, s.ann, *u.Anew).State)
		}
	})

	t.Run("an agent keeps the commission of what is kept, and no more", func(t *testing.T) {
		s := open(t)
		seller := s.Agent(s.Customer(0), 1000)
		pkg := s.Package(tenanttest.Package{Price: 900_00, Items: 3})
		s.Visit(s.ann, seller, pkg)
		v := s.MustBuy(s.ann, pkg)
		s.use = s.redeem(s.ann, v.ID)
		s.object(t)
		s.decide(t, true)
		require.Equal(t, money.Amount(90_00), s.Pending(seller))
	})

	t.Run("it expires, and so does what it was of", func(t *testing.T) {
		s := open(t)
		s.object(t)
		s.EndVouchers(clock.Day(s.Clock.Now()).AddDate(0, 0, -1))
		s.In(s.Voucher.ExpireVouchers)
		u := s.decide(t, true)
		require.Equal(t, voucher.Ready, s.detail(t, s.ann, *u.Anew).State)
		s.Clock.Advance(32 * 24 * time.Hour)
		s.In(s.Voucher.ExpireVouchers)
		require.Equal(t, voucher.Expired, s.detail(t, s.ann, *u.Anew).State)
		s.requireBooks(t, 0, 0, 0)
		s.MustBalance()
	})
}

// direct has ann pay 900.00 for three items past the wallet and use one of them.
func (s *shop) direct(t *testing.T) uuid.UUID {
	t.Helper()
	pkg := s.Package(tenanttest.Package{Price: 900_00, Items: 3})
	o, err := s.Order.Pay(t.Context(), s.ann, tenanttest.Key(), "", order.PayInput{BuyInput: s.Quote(s.ann, pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	s.PayAtGateway(o.ID)
	var id uuid.UUID
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM voucher WHERE order_id = $1`, o.ID).Scan(&id)
	})
	s.use = s.redeem(s.ann, id)
	s.drain()
	return o.ID
}

// drain leaves nothing in ann's wallet.
func (s shop) drain() {
	if rest := s.Balance(s.ann); rest > 0 {
		s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: rest}))
	}
}

// gatewaySays is where the gateway says something new of a charge, twice over.
func (s shop) gatewaySays(t *testing.T, paid uuid.UUID, change func(*payment.Charge)) {
	t.Helper()
	name := s.Pay.SetCharge(paid, change)
	for range 2 {
		require.NoError(t, s.Charge.HandleGatewayEvent(t.Context(), s.Org, charge.GatewayEventJob{System: s.system, GatewayID: name}))
	}
	s.MustBalance()
}

// TestFigures: a use that was undone is in no figure of its day any more, however late that is counted.
func TestFigures(t *testing.T) {
	for _, between := range []bool{true, false} {
		s := open(t)
		uses := func() int64 { return s.Count(`SELECT coalesce(sum(uses), 0)::bigint FROM ` + rollup.UsesByHour + ` u`) }
		s.object(t)
		require.EqualValues(t, 1, uses())
		if between {
			require.NoError(t, rollup.Follow(t.Context(), s.DB, s.Org))
		}
		s.decide(t, true)
		for range 2 {
			require.EqualValues(t, 0, uses())
			require.EqualValues(t, 0, s.Count(`SELECT coalesce(sum(amount_satang), 0)::bigint FROM `+rollup.UsesByDay+` u`))
			s.In(func(ctx context.Context, tx db.Tx) error {
				wrong, err := rollup.Audit(ctx, tx)
				require.Empty(t, wrong)
				return err
			})
			require.NoError(t, rollup.Follow(t.Context(), s.DB, s.Org))
		}
		require.NoError(t, rollup.Build(t.Context(), s.DB, s.Org))
		require.EqualValues(t, 0, uses())
	}
}

// TestEveryState undoes a use of a voucher in every state: it stays as it is, and what was used is another voucher, which is ready.
func TestEveryState(t *testing.T) {
	for _, state := range tenanttest.States {
		t.Run(string(state), func(t *testing.T) {
			s := open(t)
			s.object(t)
			before := s.detail(t, s.ann, s.voucher.ID)
			s.Force(`UPDATE voucher SET state = $2, items_left = CASE $2 WHEN 'used' THEN 0 ELSE items_left END WHERE id = $1 AND $2 NOT IN ('in_use', 'on_sale', 'in_transfer')`, s.voucher.ID, state)
			switch state {
			case voucher.InUse:
				_, err := s.Voucher.StartUse(t.Context(), s.ann, tenanttest.Key(), voucher.UseInput{Voucher: s.voucher.ID, ServicePoint: s.place, Items: 1})
				require.NoError(t, err)
			case voucher.OnSale:
				_, err := s.Board.Offer(t.Context(), s.ann, tenanttest.Key(), board.Input{Part: board.Part{Voucher: s.voucher.ID, Items: before.ItemsLeft}, Price: 100_00})
				require.NoError(t, err)
			case voucher.InTransfer:
				_, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: s.voucher.ID, Items: before.ItemsLeft, Card: "love"})
				require.NoError(t, err)
			}
			require.NoError(t, s.Objection.Decide(t.Context(), s.Org, s.manager(), objection.Decision{ID: s.id(), Undo: true}))
			require.Equal(t, state, s.detail(t, s.ann, s.voucher.ID).State)
			u := s.read(t)
			require.NotNil(t, u.Anew)
			require.Equal(t, voucher.Ready, s.detail(t, s.ann, *u.Anew).State)
		})
	}
}
