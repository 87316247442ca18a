package message_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
)

// shop is an organisation with a board and a gateway, ann who has bought two vouchers in one order, and bob with money.
type shop struct {
	*tenanttest.World
	ann, bob token.Session
	system   uuid.UUID
	voucher  voucher.Voucher
}

func open(t *testing.T) shop {
	t.Helper()
	w := tenanttest.New(t)
	s := shop{World: w, ann: w.Customer(20_000_00), bob: w.Customer(5_000_00), system: w.AddPaymentSystem()}
	w.OpenBoard(200)
	w.VerifyMobile(s.ann)
	s.voucher = w.MustBuy(s.ann, w.Package(tenanttest.Package{Price: 1000_00, Vouchers: 2, Transfers: 2, ToWallet: true}))
	return s
}

func (s shop) give(t *testing.T) gift.Gift {
	t.Helper()
	g, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: s.voucher.ID, Items: s.voucher.ItemsLeft, Card: "birthday"})
	require.NoError(t, err)
	return g
}

func (s shop) claim(t *testing.T) gift.Gift {
	t.Helper()
	g, err := s.Gift.Receive(t.Context(), s.bob, gift.Link{Ref: s.give(t).Ref})
	require.NoError(t, err)
	return g
}

func (s shop) offer(t *testing.T) board.Detail {
	t.Helper()
	f, err := s.Board.Offer(t.Context(), s.ann, tenanttest.Key(), board.Input{Part: board.Part{Voucher: s.voucher.ID, Items: s.voucher.ItemsLeft}, Price: 300_00})
	require.NoError(t, err)
	return f
}

func (s shop) manager() auditlog.Actor {
	return auditlog.Actor{Kind: "owner", ID: s.Staff().Subject}
}

// direct pays for an order past the wallet and returns its charge.
func (s shop) direct(t *testing.T) uuid.UUID {
	t.Helper()
	pkg := s.Package(tenanttest.Package{Price: 600_00, Vouchers: 2})
	o, err := s.Order.Pay(t.Context(), s.ann, tenanttest.Key(), "", order.PayInput{BuyInput: s.Quote(s.ann, pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	s.PayAtGateway(o.ID)
	return o.ID
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

func disputed(state payment.Dispute, by money.Amount) func(*payment.Charge) {
	return func(c *payment.Charge) { c.Dispute, c.Disputed = state, by }
}

func (s shop) inbox(t *testing.T, who token.Session) []message.Message {
	t.Helper()
	list, err := s.Message.List(t.Context(), who, nil)
	require.NoError(t, err)
	return list
}

func (s shop) unread(t *testing.T, who token.Session) int {
	t.Helper()
	u, err := s.Message.Unread(t.Context(), who)
	require.NoError(t, err)
	return u.Count
}

// requireTexts checks the English texts of an inbox, the newest first.
func (s shop) requireTexts(t *testing.T, who token.Session, want ...string) {
	t.Helper()
	var got []string
	for _, m := range s.inbox(t, who) {
		got = append(got, m.TitleEN+": "+m.TextEN)
		require.NotContains(t, m.TitleTH+m.TextTH+m.TextEN, "{")
	}
	require.Equal(t, want, got)
}

// TestCauses: each cause leaves one message, to whom it concerns.
func TestCauses(t *testing.T) {
	name := func(t *testing.T, s shop) string {
		t.Helper()
		v, err := s.Voucher.Detail(t.Context(), s.ann, s.voucher.ID)
		require.NoError(t, err)
		return v.NameEN
	}

	t.Run("a gift that is received, and its thanks", func(t *testing.T) {
		s := open(t)
		goods := name(t, s)
		g := s.claim(t)
		for range 2 {
			_, err := s.Gift.Thank(t.Context(), s.bob, g.ID)
			require.NoError(t, err)
		}
		person := "customer " + s.bob.Subject.String()
		s.Force(`UPDATE customer SET display_name = $2 WHERE id = $1`, s.bob.Subject, person)
		s.requireTexts(t, s.ann, "A thank-you for you: "+person+" thanks you for "+goods+".", "Your gift was accepted: "+person+" accepted "+goods+".")
		require.Equal(t, []any{"gift", g.ID}, []any{s.inbox(t, s.ann)[0].About, s.inbox(t, s.ann)[0].Subject})
		s.requireTexts(t, s.bob)
	})

	t.Run("a gift that ends; one that its giver ends is no news to him", func(t *testing.T) {
		s := open(t)
		goods := name(t, s)
		_, err := s.Gift.Withdraw(t.Context(), s.ann, s.give(t).ID)
		require.NoError(t, err)
		s.requireTexts(t, s.ann)
		require.NoError(t, s.Gift.Decline(t.Context(), s.bob, gift.Link{Ref: s.give(t).Ref}))
		require.NoError(t, s.Gift.Stop(t.Context(), s.Org, s.manager(), s.give(t).ID))
		g := s.give(t)
		s.Clock.Advance(time.Until(g.ExpiresAt) + time.Second)
		for range 2 {
			require.NoError(t, s.Voucher.EndDue(t.Context(), s.Org))
		}
		s.requireTexts(t, s.ann, "Your gift came back: Nobody accepted "+goods+" in time.",
			"Your gift was stopped: The link of "+goods+" no longer works. Nobody received it.", "Your gift came back: "+goods+" was declined with thanks.")
	})

	t.Run("an offer that is sold, ends or is stopped; not one that its seller cancels", func(t *testing.T) {
		s := open(t)
		goods := name(t, s)
		_, err := s.Board.Cancel(t.Context(), s.ann, s.offer(t).ID)
		require.NoError(t, err)
		s.requireTexts(t, s.ann)
		require.NoError(t, s.Board.Stop(t.Context(), s.Org, s.manager(), s.offer(t).ID))
		s.offer(t)
		s.Clock.Advance(31 * 24 * time.Hour)
		require.NoError(t, s.Voucher.EndDue(t.Context(), s.Org))
		_, err = s.Board.Buy(t.Context(), s.bob, tenanttest.Key(), board.BuyInput{Offer: s.offer(t).ID, Accepted: []uuid.UUID{}, Lang: "th"})
		require.NoError(t, err)
		s.requireTexts(t, s.ann, "Sold: "+goods+" has a new owner. ฿285.00 came into your Wallet.", // less royalty 2 % and fee 3 %
			"Your offer ended: Nobody bought "+goods+" in time.", "Your offer was stopped: The offer of "+goods+" was stopped. Nobody bought it.")
		s.requireTexts(t, s.bob)
	})

	t.Run("vouchers that expire together are one message, with all that they paid", func(t *testing.T) {
		s := open(t)
		goods := name(t, s)
		before := s.Balance(s.ann)
		s.EndVouchers(clock.Day(s.Clock.Now()).AddDate(0, 0, -1))
		s.In(s.Voucher.ExpireVouchers)
		s.requireTexts(t, s.ann, "Expired: "+goods+" and 1 more has expired. ฿"+(s.Balance(s.ann)-before).String()+" came into your Wallet.")
		require.Equal(t, 2, s.inbox(t, s.ann)[0].Vouchers)
	})

	t.Run("a payment that the bank takes back, and decides for the shop", func(t *testing.T) {
		s := open(t)
		paid := s.direct(t)
		s.gatewaySays(t, paid, disputed(payment.DisputeOpen, 600_00))
		s.gatewaySays(t, paid, disputed(payment.DisputeWon, 0))
		titles := []string{}
		for _, m := range s.inbox(t, s.ann) {
			require.Equal(t, 2, m.Vouchers)
			titles = append(titles, m.TitleEN)
		}
		require.Equal(t, []string{"No longer on hold", "On hold for now"}, titles)
	})

	t.Run("a payment that is sent back", func(t *testing.T) {
		s := open(t)
		s.gatewaySays(t, s.direct(t), func(c *payment.Charge) { c.Refunded = 600_00 })
		list := s.inbox(t, s.ann)
		require.Len(t, list, 1)
		require.Equal(t, []any{"Taken back", 2, "voucher"}, []any{list[0].TitleEN, list[0].Vouchers, list[0].About})
	})

	t.Run("money that comes in", func(t *testing.T) {
		s := open(t)
		c, err := s.Wallet.StartTopUp(t.Context(), s.ann, tenanttest.Key(), "", wallet.TopUpInput{Amount: 500_00, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
		require.NoError(t, err)
		s.PayAtGateway(c.ID)
		s.requireTexts(t, s.ann, "Top-up received: The money that you added has arrived. ฿500.00 came into your Wallet.")
		require.Equal(t, []any{"money", c.ID}, []any{s.inbox(t, s.ann)[0].About, s.inbox(t, s.ann)[0].Subject})
	})
}

// TestRemind: what the clock causes is written once, on its day.
func TestRemind(t *testing.T) {
	remind := func(t *testing.T, s shop) {
		t.Helper()
		for range 2 {
			require.NoError(t, message.Remind(t.Context(), s.DB, s.Org))
		}
	}
	// until moves the clock to an hour of a day from now in Bangkok.
	until := func(s shop, days, hour int) {
		s.Clock.Advance(clock.Start(clock.Day(s.Clock.Now()).AddDate(0, 0, days)).Add(time.Duration(hour) * time.Hour).Sub(s.Clock.Now()))
	}

	t.Run("a gift that nobody has opened", func(t *testing.T) {
		s := open(t)
		s.give(t)
		day := 24 * time.Hour
		for _, step := range []struct {
			wait time.Duration
			want int
		}{{2 * day, 0}, {day + time.Minute, 1}, {day, 1}, {2 * day, 2}} {
			s.Clock.Advance(step.wait)
			remind(t, s)
			require.Len(t, s.inbox(t, s.ann), step.want)
		}
		require.Contains(t, s.inbox(t, s.ann)[0].TextEN, "was sent 6 days ago")
	})

	t.Run("not one that was opened, or has ended", func(t *testing.T) {
		s := open(t)
		g := s.give(t)
		_, err := s.Gift.Open(t.Context(), s.bob, gift.Link{Ref: g.Ref})
		require.NoError(t, err)
		s.Clock.Advance(3*24*time.Hour + time.Minute)
		remind(t, s)
		require.Empty(t, s.inbox(t, s.ann))
	})

	t.Run("vouchers that end, once for all of a person, by day", func(t *testing.T) {
		s := open(t)
		s.claim(t) // one is bob's
		s.EndVouchers(clock.Day(s.Clock.Now()).AddDate(0, 0, 31))
		before := len(s.inbox(t, s.ann))
		until(s, 1, 9)
		remind(t, s)
		require.Len(t, s.inbox(t, s.ann), before, "nobody is reminded early in the morning")
		for i, step := range []struct{ days, hour int }{{0, 10}, {23, 12}, {6, 20}} {
			until(s, step.days, step.hour)
			remind(t, s)
			require.Len(t, s.inbox(t, s.ann), before+1+i)
			require.Len(t, s.inbox(t, s.bob), 1+i)
		}
		m := s.inbox(t, s.ann)[0]
		require.Contains(t, m.TextEN, "can be used until "+clock.Day(s.Clock.Now()).AddDate(0, 0, 1).Format("02/01/2006"))
		require.Equal(t, 1, m.Vouchers)
	})

	t.Run("one that is on sale as well", func(t *testing.T) {
		s := open(t)
		s.EndVouchers(clock.Day(s.Clock.Now()).AddDate(0, 0, 8))
		s.offer(t)
		until(s, 1, 12)
		remind(t, s)
		m := s.inbox(t, s.ann)[0]
		require.Equal(t, "The last day is near", m.TitleEN)
		require.Equal(t, 2, m.Vouchers)
	})

	t.Run("as many as there are, in several transactions", func(t *testing.T) {
		s := open(t)
		s.EndVouchers(clock.Day(s.Clock.Now()).AddDate(0, 0, 8))
		s.Force(`WITH c AS (INSERT INTO customer SELECT (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'line_sub', 'U' || i, 'refer_code', 'R' || i))).* FROM customer c, generate_series(1, 2500) i
				WHERE c.id = $1 RETURNING id)
			INSERT INTO voucher SELECT (jsonb_populate_record(v, jsonb_build_object('id', gen_random_uuid(), 'code', substr(md5(c.id::text), 1, 10), 'holder_id', c.id))).* FROM voucher v, c WHERE v.id = $2`,
			s.ann.Subject, s.voucher.ID)
		s.Force(`ANALYZE customer, voucher, message`) // as Postgres does by itself in a while
		until(s, 1, 12)
		remind(t, s)
		require.EqualValues(t, 2501, s.Count(`SELECT count(*) FROM message WHERE kind = 'voucher_ends'`))
		require.EqualValues(t, 2501, s.Count(`SELECT count(DISTINCT customer_id) FROM message`))
	})
}

// TestInbox: pages, what was seen, and that it is one's own.
func TestInbox(t *testing.T) {
	s := open(t)
	for range 60 {
		s.In(func(ctx context.Context, tx db.Tx) error {
			return message.Write(ctx, tx, s.ann.Subject, message.MoneyToppedUp, uuid.New(), 100_00)
		})
	}
	first := s.inbox(t, s.ann)
	require.Len(t, first, 50)
	rest, err := s.Message.List(t.Context(), s.ann, &first[49].ID)
	require.NoError(t, err)
	require.Len(t, rest, 10)
	require.Equal(t, 60, s.unread(t, s.ann))
	require.Zero(t, s.unread(t, s.bob))

	_, err = s.Message.Read(t.Context(), s.bob, message.Newest{ID: first[0].ID})
	require.ErrorIs(t, err, fault.Missing)
	require.Equal(t, 60, s.unread(t, s.ann), "nobody else can mark them")
	u, err := s.Message.Read(t.Context(), s.ann, message.Newest{ID: first[20].ID})
	require.NoError(t, err)
	require.Equal(t, 20, u.Count)
	again := s.inbox(t, s.ann)
	require.False(t, again[19].Read)
	require.True(t, again[20].Read)

	s.Clock.Advance(179 * 24 * time.Hour)
	s.In(message.ForgetOld)
	require.EqualValues(t, 60, s.Count(`SELECT count(*) FROM message`))
	s.Clock.Advance(2 * 24 * time.Hour)
	s.In(message.ForgetOld)
	require.Zero(t, s.Count(`SELECT count(*) FROM message`))
}

// TestTexts: every kind that the database admits has its texts, and says what it is about.
func TestTexts(t *testing.T) {
	s := open(t)
	var kinds string
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'message_kind' LIMIT 1`).Scan(&kinds)
	})
	n := 0
	for part := range strings.SplitSeq(kinds, "'") {
		if !strings.Contains(part, "_") {
			continue
		}
		n++
		var days, day any
		if part == "gift_unopened" || part == "voucher_ends" || part == "member_points_end" {
			days = 3
		}
		if part == "voucher_ends" || part == "voucher_released_by_shop" || part == "voucher_extended" || part == "agent_changed" || part == "member_points_end" {
			day = clock.Day(s.Clock.Now())
		}
		s.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `INSERT INTO message (id, customer_id, kind, subject_id, days, day, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
				db.NewID(), s.bob.Subject, part, s.voucher.ID, days, day, tx.Now)
			return err
		})
		m := s.inbox(t, s.bob)[0]
		for _, text := range []string{m.TitleTH, m.TitleEN, m.TextTH, m.TextEN} {
			require.NotEmpty(t, text, part)
			require.NotContains(t, text, "{")
		}
		require.Contains(t, []string{"gift", "offer", "voucher", "money", "use", "refund", "cashout", "agent", "member"}, m.About)
	}
	require.Equal(t, 63, n)
}
