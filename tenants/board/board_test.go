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
	"welovevoucher/platform/token"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
)

// shop is an organisation whose board takes 2 %, with ann, who has bought a voucher that may be transferred twice, and bob with money.
type shop struct {
	*tenanttest.World
	ann, bob, staff token.Session
	pkg, point      uuid.UUID
	system          uuid.UUID // by which it is paid directly, if it is
	voucher         voucher.Voucher
}

func open(t *testing.T, p tenanttest.Package) shop {
	t.Helper()
	w := tenanttest.New(t)
	s := shop{World: w, ann: w.Customer(20_000_00), bob: w.Customer(5_000_00), staff: w.Staff(), point: w.ServicePoint(), pkg: w.Package(p)}
	w.OpenBoard(200)
	w.VerifyMobile(s.ann)
	s.voucher = w.MustBuy(s.ann, s.pkg)
	return s
}

var threeItems = tenanttest.Package{Price: 1000_00, Items: 3, Transfers: 2}

func (s shop) input(price money.Amount) board.Input {
	return board.Input{Part: board.Part{Voucher: s.voucher.ID, Items: s.voucher.ItemsLeft}, Price: price}
}

func (s shop) offer(t *testing.T, price money.Amount) board.Detail {
	t.Helper()
	f, err := s.Board.Offer(t.Context(), s.ann, tenanttest.Key(), s.input(price))
	require.NoError(t, err)
	return f
}

func (s shop) buy(who token.Session, offer uuid.UUID) (board.Purchase, error) {
	return s.Board.Buy(context.Background(), who, tenanttest.Key(), board.BuyInput{Offer: offer, Accepted: []uuid.UUID{}, Lang: "th"})
}

// state is the voucher's, and who holds it, as the database has it.
func (s shop) state() (state voucher.State, holder uuid.UUID) {
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT state, holder_id FROM voucher WHERE id = $1`, s.voucher.ID).Scan(&state, &holder)
	})
	return state, holder
}

func (s shop) requireState(t *testing.T, want voucher.State, holder token.Session) {
	t.Helper()
	state, is := s.state()
	require.Equal(t, want, state)
	require.Equal(t, holder.Subject, is)
	s.MustBalance()
}

func TestSell(t *testing.T) {
	t.Run("the buyer has it under a new code, the seller the money, less royalty and fee", func(t *testing.T) {
		s := open(t, threeItems)
		fees := s.SystemBalance(ledger.PlatformFee)
		f := s.offer(t, 900_05)
		s.requireState(t, voucher.OnSale, s.ann)
		require.Equal(t, &board.Split{Royalty: 18_00, Fee: 27_00, Net: 855_05}, f.Split)

		page, err := s.Board.List(t.Context(), s.bob, board.ListInput{Sort: "saving"})
		require.NoError(t, err)
		require.EqualValues(t, 1, page.Total)
		require.Nil(t, page.Data[0].Split)
		require.False(t, page.Data[0].Own)
		require.EqualValues(t, 1000_00, *page.Data[0].ShopPrice)
		require.Equal(t, 1, page.Data[0].TransfersLeft)

		p, err := s.buy(s.bob, f.ID)
		require.NoError(t, err)
		require.Equal(t, []uuid.UUID{s.voucher.ID}, p.Vouchers)
		s.requireState(t, voucher.Ready, s.bob)
		require.EqualValues(t, 5000_00-900_05, s.Balance(s.bob))
		require.EqualValues(t, 19_000_00+855_05, s.Balance(s.ann))
		require.EqualValues(t, 18_00, s.SystemBalance(ledger.Payable))
		require.Equal(t, fees+27_00, s.SystemBalance(ledger.PlatformFee))

		detail, err := s.Voucher.Detail(t.Context(), s.bob, s.voucher.ID)
		require.NoError(t, err)
		require.NotEqual(t, s.voucher.Code, detail.Code)
		require.Empty(t, detail.OrderNumber)
		require.Equal(t, 1, detail.TransfersLeft)
		_, err = s.Voucher.Detail(t.Context(), s.ann, s.voucher.ID)
		require.ErrorIs(t, err, voucher.ErrNotFound)

		for _, who := range []token.Session{s.ann, s.bob} {
			d, err := s.Board.Detail(t.Context(), who, f.ID)
			require.NoError(t, err)
			require.Equal(t, p.Number, d.Number)
			require.Equal(t, who.Subject == s.ann.Subject, d.Buyer != "")
		}
		_, err = s.Board.Detail(t.Context(), s.Customer(0), f.ID)
		require.ErrorIs(t, err, board.ErrOver)
		require.Equal(t, board.OverDetail{State: "sold"}, fault.From(err).Detail)
	})

	t.Run("the same key buys once, and another body is refused", func(t *testing.T) {
		s := open(t, threeItems)
		f, key := s.offer(t, 500_00), tenanttest.Key()
		in := board.BuyInput{Offer: f.ID, Accepted: []uuid.UUID{}, Lang: "th"}
		first, err := s.Board.Buy(t.Context(), s.bob, key, in)
		require.NoError(t, err)
		again, err := s.Board.Buy(t.Context(), s.bob, key, in)
		require.NoError(t, err)
		require.Equal(t, first, again)
		in.Lang = "en"
		_, err = s.Board.Buy(t.Context(), s.bob, key, in)
		require.ErrorIs(t, err, idempotency.ErrReused)
		_, err = s.buy(s.bob, f.ID)
		require.ErrorIs(t, err, board.ErrOver)
		require.EqualValues(t, 4500_00, s.Balance(s.bob))
	})

	t.Run("who cannot pay, made it, owes or is too late buys nothing", func(t *testing.T) {
		s := open(t, threeItems)
		f := s.offer(t, 900_00)
		_, err := s.buy(s.ann, f.ID)
		require.ErrorIs(t, err, board.ErrOwn)
		poor := s.Customer(899_99)
		_, err = s.buy(poor, f.ID)
		require.ErrorIs(t, err, ledger.ErrInsufficient)
		s.Force(`UPDATE customer SET debt_satang = 1 WHERE id = $1`, s.bob.Subject)
		_, err = s.buy(s.bob, f.ID)
		require.ErrorIs(t, err, customer.ErrDebt)
		s.Force(`UPDATE customer SET debt_satang = 0 WHERE id = $1`, s.bob.Subject)
		_, err = s.buy(s.bob, uuid.New())
		require.ErrorIs(t, err, board.ErrNotFound)
		s.requireState(t, voucher.OnSale, s.ann)

		s.Clock.Advance(31 * 24 * time.Hour)
		_, err = s.buy(s.bob, f.ID)
		require.ErrorIs(t, err, board.ErrOver)
		require.Equal(t, board.OverDetail{State: voucher.Ended}, fault.From(err).Detail)
		own, err := s.Board.Detail(t.Context(), s.ann, f.ID)
		require.NoError(t, err)
		require.Equal(t, voucher.Ended, own.State)
		_, err = s.Voucher.StartUse(t.Context(), s.ann, tenanttest.Key(), voucher.UseInput{Voucher: s.voucher.ID, ServicePoint: s.point, Items: 1})
		require.NoError(t, err, "before a worker has ended it")
		s.requireState(t, voucher.InUse, s.ann)
	})

	t.Run("eight a day", func(t *testing.T) {
		s := open(t, threeItems)
		for i := range 9 {
			s.voucher = s.MustBuy(s.ann, s.pkg)
			_, err := s.buy(s.bob, s.offer(t, 1_00).ID)
			require.Equal(t, i == 8, errors.Is(err, board.ErrEnough), "%v", err)
		}
		s.Clock.Advance(24 * time.Hour)
		s.voucher = s.MustBuy(s.ann, s.pkg)
		_, err := s.buy(s.bob, s.offer(t, 1_00).ID)
		require.NoError(t, err)
		s.MustBalance()
	})
}

func TestOffer(t *testing.T) {
	t.Run("some items become a voucher of their own, which its buyer may sell on", func(t *testing.T) {
		s := open(t, threeItems)
		in := s.input(400_00)
		in.Items = 1
		_, err := s.Board.Offer(t.Context(), s.ann, tenanttest.Key(), in)
		require.ErrorIs(t, err, board.ErrPrice)
		require.Equal(t, board.Price{Least: 1_00, Most: 333_34}, fault.From(err).Detail)
		in.Price = 300_00
		f, err := s.Board.Offer(t.Context(), s.ann, tenanttest.Key(), in)
		require.NoError(t, err)
		s.requireState(t, voucher.Ready, s.ann)
		p, err := s.buy(s.bob, f.ID)
		require.NoError(t, err)
		s.MustBalance()

		s.VerifyMobile(s.bob)
		s.voucher.ID, s.voucher.ItemsLeft = p.Vouchers[0], 1
		again, err := s.Board.Offer(t.Context(), s.bob, tenanttest.Key(), s.input(333_34))
		require.NoError(t, err)
		require.Equal(t, 1, again.Resold)
		require.Equal(t, []string{"offer"}, again.Hands, "without the sale that it is on offer for")
		require.Zero(t, again.Given)
		_, err = s.buy(s.ann, again.ID)
		require.NoError(t, err)
		s.requireState(t, voucher.Ready, s.ann)
		_, err = s.Board.Offer(t.Context(), s.ann, tenanttest.Key(), s.input(100_00))
		require.ErrorIs(t, err, voucher.ErrNoTransfersLeft)
	})

	t.Run("what binds each other is sold together", func(t *testing.T) {
		s := open(t, tenanttest.Package{Price: 900_00, Vouchers: 3, Transfers: 1, Together: true})
		f := s.offer(t, 900_00)
		require.EqualValues(t, 3, f.Vouchers)
		p, err := s.buy(s.bob, f.ID)
		require.NoError(t, err)
		require.Len(t, p.Vouchers, 3)
		s.MustBalance()
	})

	t.Run("what forbids it is said, each with its fault", func(t *testing.T) {
		s := open(t, threeItems)
		refused := func(want error) *fault.Fault {
			t.Helper()
			_, err := s.Board.Offer(t.Context(), s.ann, tenanttest.Key(), s.input(500_00))
			require.ErrorIs(t, err, want)
			_, checked := s.Board.Check(t.Context(), s.ann, s.input(0).Part)
			require.Equal(t, fault.From(err).Code, fault.From(checked).Code)
			return fault.From(err)
		}
		s.Force(`UPDATE customer SET mobile_verified_at = NULL WHERE id = $1`, s.ann.Subject)
		refused(board.ErrPhoneFirst)
		s.VerifyMobile(s.ann)

		s.Force(`UPDATE customer SET debt_satang = 1 WHERE id = $1`, s.ann.Subject)
		refused(customer.ErrDebt)
		s.Force(`UPDATE customer SET debt_satang = 0 WHERE id = $1`, s.ann.Subject)

		set := func(change func(*board.Setting)) {
			setting := board.Setting{Open: true, RoyaltyBasisPoints: 200, CapPercent: 100, Days: 30}
			change(&setting)
			require.NoError(t, s.Board.SaveSetting(t.Context(), s.Org, auditlog.Actor{}, setting))
		}
		set(func(in *board.Setting) { in.Open = false })
		refused(board.ErrClosed)
		set(func(in *board.Setting) { in.SoldOutOnly = true })
		refused(board.ErrNotSoldOut)
		s.Force(`UPDATE stock SET quantity = sold WHERE package_id = $1`, s.pkg)
		set(func(in *board.Setting) { in.SoldOutOnly, in.CapPercent = true, 90 })
		terms, err := s.Board.Check(t.Context(), s.ann, s.input(0).Part)
		require.NoError(t, err)
		require.EqualValues(t, 900_00, terms.Most)
		s.Force(`UPDATE voucher_type SET resale_cap_percent = 95`)
		terms, err = s.Board.Check(t.Context(), s.ann, s.input(0).Part)
		require.NoError(t, err)
		require.EqualValues(t, 950_00, terms.Most, "its type decides, where it does")
		require.Equal(t, 95, terms.CapPercent)
		_, err = s.Board.Offer(t.Context(), s.ann, tenanttest.Key(), s.input(950_01))
		require.ErrorIs(t, err, board.ErrPrice)
		s.Force(`UPDATE voucher_type SET resale_cap_percent = NULL`)
		s.Force(`UPDATE stock SET quantity = NULL WHERE package_id = $1`, s.pkg)
		set(func(*board.Setting) {})

		s.Force(`UPDATE voucher SET transfers_left = 0 WHERE id = $1`, s.voucher.ID)
		refused(voucher.ErrNoTransfersLeft)
		s.Force(`UPDATE voucher SET transfer_rule = 'none' WHERE id = $1`, s.voucher.ID)
		refused(voucher.ErrNotTransferable)
		s.Force(`UPDATE voucher SET transfer_rule = 'times', transfers_left = 2 WHERE id = $1`, s.voucher.ID)

		s.EndVouchers(clock.Day(s.Clock.Now()))
		refused(board.ErrTooLate)
		s.EndVouchers(clock.Day(s.Clock.Now()).AddDate(0, 0, 1))
		f := s.offer(t, 500_00)
		require.Equal(t, clock.Start(clock.Day(s.Clock.Now()).AddDate(0, 0, 1)), f.ExpiresAt.UTC())
		refused(voucher.ErrOnSale)
	})

	t.Run("ten at once", func(t *testing.T) {
		s := open(t, threeItems)
		for i := range 11 {
			s.voucher = s.MustBuy(s.ann, s.pkg)
			_, err := s.Board.Offer(t.Context(), s.ann, tenanttest.Key(), s.input(1_00))
			require.Equal(t, i == 10, errors.Is(err, board.ErrTooMany), "%v", err)
		}
	})

	t.Run("what a card paid for waits for fourteen days, also in another hand", func(t *testing.T) {
		s := open(t, threeItems)
		s.AddPaymentSystem()
		c, err := s.Wallet.StartTopUp(t.Context(), s.ann, tenanttest.Key(), "", wallet.TopUpInput{Amount: 500_00, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
		require.NoError(t, err)
		s.PayAtGateway(c.ID)
		s.voucher = s.MustBuy(s.ann, s.pkg)
		terms, err := s.Board.Check(t.Context(), s.ann, s.input(0).Part)
		require.NoError(t, err, "by PromptPay it does not wait")
		require.EqualValues(t, 1000_00, terms.Most)
		s.Force(`UPDATE charge SET method = 'card' WHERE id = $1`, c.ID)
		_, err = s.Board.Offer(t.Context(), s.ann, tenanttest.Key(), s.input(500_00))
		require.ErrorIs(t, err, board.ErrTooEarly)
		g, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: s.voucher.ID, Items: 3, Card: "love"})
		require.NoError(t, err)
		_, err = s.Gift.Receive(t.Context(), s.bob, gift.Link{Ref: g.Ref})
		require.NoError(t, err)
		s.VerifyMobile(s.bob)
		_, err = s.Board.Offer(t.Context(), s.bob, tenanttest.Key(), s.input(500_00))
		require.ErrorIs(t, err, board.ErrTooEarly)
		s.Clock.Advance(14*24*time.Hour + time.Second)
		f, err := s.Board.Offer(t.Context(), s.bob, tenanttest.Key(), s.input(500_00))
		require.NoError(t, err)

		mine, err := s.Voucher.Detail(t.Context(), s.bob, s.voucher.ID)
		require.NoError(t, err)
		require.NotEmpty(t, mine.GivenBy)
		buyer := s.Customer(1000_00)
		_, err = s.buy(buyer, f.ID)
		require.NoError(t, err)
		bought, err := s.Voucher.Detail(t.Context(), buyer, s.voucher.ID)
		require.NoError(t, err)
		require.Equal(t, []string{"gift", "offer"}, bought.Hands)
		require.Empty(t, bought.GivenBy, "who gave it to whom he bought it of has no name for him")
	})
}

func TestEnd(t *testing.T) {
	t.Run("cancelled, it is the seller's again; twice changes nothing; nobody else may", func(t *testing.T) {
		s := open(t, threeItems)
		f := s.offer(t, 500_00)
		_, err := s.Board.Cancel(t.Context(), s.bob, f.ID)
		require.ErrorIs(t, err, board.ErrNotFound)
		for range 2 {
			d, err := s.Board.Cancel(t.Context(), s.ann, f.ID)
			require.NoError(t, err)
			require.Equal(t, voucher.Cancelled, d.State)
		}
		s.requireState(t, voucher.Ready, s.ann)
	})

	t.Run("its days end it", func(t *testing.T) {
		s := open(t, threeItems)
		s.offer(t, 500_00)
		s.Clock.Advance(30 * 24 * time.Hour)
		require.NoError(t, s.Voucher.EndDue(t.Context(), s.Org))
		s.requireState(t, voucher.OnSale, s.ann)
		s.Clock.Advance(24 * time.Hour)
		require.NoError(t, s.Voucher.EndDue(t.Context(), s.Org))
		s.requireState(t, voucher.Ready, s.ann)
	})

	t.Run("the end of validity ends it with its voucher", func(t *testing.T) {
		s := open(t, threeItems)
		f := s.offer(t, 500_00)
		s.EndVouchers(clock.Day(s.Clock.Now()).AddDate(0, 0, -1))
		s.In(s.Voucher.ExpireVouchers)
		s.requireState(t, voucher.Expired, s.ann)
		_, err := s.buy(s.bob, f.ID)
		require.ErrorIs(t, err, board.ErrOver)
	})

	t.Run("a board that closes ends all, and sells nothing", func(t *testing.T) {
		s := open(t, threeItems)
		f := s.offer(t, 500_00)
		require.NoError(t, s.Board.SaveSetting(t.Context(), s.Org, auditlog.Actor{}, board.Setting{CapPercent: 100, Days: 30}))
		_, err := s.buy(s.bob, f.ID)
		require.ErrorIs(t, err, board.ErrOver)
		page, err := s.Board.List(t.Context(), s.bob, board.ListInput{Sort: "newest"})
		require.NoError(t, err)
		require.Empty(t, page.Data)
		require.NoError(t, s.Voucher.EndDue(t.Context(), s.Org))
		s.requireState(t, voucher.Ready, s.ann)
	})

	t.Run("the organisation stops it, and says so", func(t *testing.T) {
		s := open(t, threeItems)
		f, who := s.offer(t, 500_00), auditlog.Actor{ID: s.staff.Subject}
		require.NoError(t, s.Board.Stop(t.Context(), s.Org, who, f.ID))
		s.requireState(t, voucher.Ready, s.ann)
		require.ErrorIs(t, s.Board.Stop(t.Context(), s.Org, who, f.ID), board.ErrOver)
		require.ErrorIs(t, s.Board.Stop(t.Context(), s.Org, who, uuid.New()), fault.Missing)
		d, err := s.Board.Detail(t.Context(), s.ann, f.ID)
		require.NoError(t, err)
		require.True(t, d.ByShop)
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM audit_log WHERE action = 'stop' AND object = $1`, "offer/"+f.ID.String()))

		s.offer(t, 500_00)
		s.In(func(ctx context.Context, tx db.Tx) error {
			return board.StopOf(ctx, tx, who, []uuid.UUID{s.ann.Subject})
		})
		s.requireState(t, voucher.Ready, s.ann)
	})

	t.Run("royalty and fee are at most half of a price", func(t *testing.T) {
		s := open(t, threeItems)
		err := s.Board.SaveSetting(t.Context(), s.Org, auditlog.Actor{}, board.Setting{Open: true, RoyaltyBasisPoints: 4701, CapPercent: 100, Days: 30})
		require.Equal(t, []fault.Field{{Path: "royalty_basis_points", Fault: fault.TooBig.Code}}, fault.From(err).Fields)
		s.OpenBoard(4700)
		f := s.offer(t, 1_01)
		require.Equal(t, &board.Split{Royalty: 47, Fee: 3, Net: 51}, f.Split)
	})
}

// TestTwoAtOnce: of two steps on one voucher one wins, and the other reads why.
func TestTwoAtOnce(t *testing.T) {
	t.Run("twenty-four buyers, one owner", func(t *testing.T) {
		s := open(t, threeItems)
		f := s.offer(t, 900_00)
		var buyers []token.Session
		for range 24 {
			buyers = append(buyers, s.Customer(1000_00))
		}
		won := make([]bool, len(buyers))
		var wg sync.WaitGroup
		for i, b := range buyers {
			wg.Go(func() {
				_, err := s.buy(b, f.ID)
				won[i] = err == nil
				if err != nil && !errors.Is(err, board.ErrOver) {
					t.Errorf("buyer %d: %v", i, err)
				}
			})
		}
		wg.Wait()
		owners := 0
		for i, b := range buyers {
			if won[i] {
				owners++
				s.requireState(t, voucher.Ready, b)
				require.EqualValues(t, 100_00, s.Balance(b))
			} else {
				require.EqualValues(t, 1000_00, s.Balance(b))
			}
		}
		require.Equal(t, 1, owners)
		s.MustBalance()
	})

	for name, other := range map[string]func(s shop, f board.Detail) error{
		"cancel": func(s shop, f board.Detail) error {
			d, err := s.Board.Cancel(context.Background(), s.ann, f.ID)
			if err == nil && d.State != voucher.Cancelled {
				return board.ErrOver
			}
			return err
		},
		"close": func(s shop, f board.Detail) error {
			err := s.Board.SaveSetting(context.Background(), s.Org, auditlog.Actor{}, board.Setting{CapPercent: 100, Days: 30})
			if err == nil && s.Count(`SELECT count(*) FROM resale WHERE offer_id = $1`, f.ID) > 0 {
				return board.ErrOver
			}
			return err
		},
		"stop": func(s shop, f board.Detail) error {
			return s.Board.Stop(context.Background(), s.Org, auditlog.Actor{ID: s.staff.Subject}, f.ID)
		},
	} {
		t.Run("buy and "+name, func(t *testing.T) {
			s := open(t, threeItems)
			for range 6 {
				s.OpenBoard(200)
				f := s.offer(t, 10_00)
				var bought, ended error
				var wg sync.WaitGroup
				wg.Go(func() { _, bought = s.buy(s.bob, f.ID) })
				wg.Go(func() { ended = other(s, f) })
				wg.Wait()
				state := func() (state string) {
					s.In(func(ctx context.Context, tx db.Tx) error {
						return tx.QueryRow(ctx, `SELECT state FROM offer WHERE id = $1`, f.ID).Scan(&state)
					})
					return state
				}
				require.Equal(t, bought == nil, state() == "sold", "bought %v, ended %v", bought, ended)
				if bought != nil {
					require.NoError(t, ended)
				}
				require.NoError(t, s.Voucher.EndDue(t.Context(), s.Org))
				s.MustBalance()
				s.voucher = s.MustBuy(s.ann, s.pkg)
			}
		})
	}
}

// TestEveryState tries to offer, sell and take back a voucher in every state: what the table does not name changes nothing.
func TestEveryState(t *testing.T) {
	s := open(t, tenanttest.Package{Price: 100_00, Items: 2, Transfers: 5})
	s.bob = s.Customer(100_00)
	for _, from := range tenanttest.States {
		for _, step := range []struct {
			event voucher.Event
			do    func(f board.Detail) error
		}{
			{voucher.Offer, func(board.Detail) error {
				_, err := s.Board.Offer(t.Context(), s.ann, tenanttest.Key(), s.input(5_00))
				return err
			}},
			{voucher.Sell, func(f board.Detail) error { _, err := s.buy(s.bob, f.ID); return err }},
			{voucher.WithdrawOffer, func(f board.Detail) error { _, err := s.Board.Cancel(t.Context(), s.ann, f.ID); return err }},
		} {
			s.voucher = s.MustBuy(s.ann, s.pkg)
			var f board.Detail
			if from == voucher.OnSale || step.event != voucher.Offer {
				f = s.offer(t, 5_00)
			}
			if from != voucher.OnSale {
				s.Force(`UPDATE voucher SET state = $2, offer_id = NULL, items_left = CASE $2 WHEN 'used' THEN 0 ELSE items_left END,
					gift_id = NULL WHERE id = $1 AND $2 <> 'in_transfer'`, s.voucher.ID, from)
				s.Force(`UPDATE offer SET state = 'stopped', ended_at = now() WHERE id = $1`, f.ID) // as by what brought it there
			}
			if from == voucher.InTransfer {
				s.Force(`UPDATE voucher SET state = 'ready', offer_id = NULL WHERE id = $1`, s.voucher.ID)
				_, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: s.voucher.ID, Items: 2, Card: "love"})
				require.NoError(t, err)
			}
			err := step.do(f)
			want, may := voucher.Next(from, step.event)
			if !may {
				want = from
			}
			state, _ := s.state()
			require.Equal(t, want, state, "%s: %s", from, step.event)
			if step.event != voucher.WithdrawOffer { // an offer that has ended says how
				var fault error
				switch {
				case may:
				case step.event == voucher.Offer:
					fault = tenanttest.StateFaults[from]
				default:
					fault = board.ErrOver
				}
				require.ErrorIs(t, err, fault, "%s: %s", from, step.event)
			}
			s.Force(`UPDATE offer SET state = 'stopped', ended_at = now() WHERE id = $1 AND state = 'open'`, f.ID)
		}
	}
}
