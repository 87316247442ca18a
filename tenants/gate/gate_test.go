package gate_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/gate"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

type world struct {
	*tenanttest.World
	gate  *gate.Service
	owner auditlog.Actor
}

func newWorld(t *testing.T) *world {
	w := tenanttest.New(t)
	return &world{w, gate.New(w.DB), auditlog.Actor{Kind: token.Owner, ID: w.Owner().Subject}}
}

// asks switches the gate of the organisation on or off.
func (w *world) asks(t *testing.T, on bool) {
	require.NoError(t, w.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), `UPDATE organisation SET register_before_use = $2 WHERE id = $1`, w.Org, on)
		return err
	}))
	w.Restart()
}

func (w *world) cardType(approval string) (id uuid.UUID) {
	id = db.NewID()
	w.Force(`INSERT INTO card_type (id, name_th, name_en, position, version, status, created_at, updated_at) VALUES ($1, 'บัตร', 'Card', 1, 1, 5, now(), now())`, id)
	w.Force(`INSERT INTO card_type_version (id, card_type_id, number, validity, length, approval, level, least_age, asks_email, asks_idcard, asks_gender, asks_birthdate, asks_address, asks_nationality, asks_receipt, created_at)
		VALUES ($1, $1, 1, 'days', 30, $2, 3, 0, 'off', 'off', 'off', 'off', 'off', 'off', 'off', now())`, id, approval)
	return id
}

func (w *world) apply(t *testing.T, who token.Session, cardType uuid.UUID) {
	in := member.ApplyInput{Type: cardType, Lang: "th", Form: member.Form{FirstName: "พิมพ์ชนก", LastName: "สุขใจ", Mobile: "0895550146"}}
	_, err := w.Member.Apply(t.Context(), who, auditlog.Actor{Kind: token.User, ID: who.Subject}, in)
	require.NoError(t, err)
}

// to returns where the gate sends a customer who came without a card, with its number, and with its token.
func (w *world) to(t *testing.T, who token.Session) (to [3]string, m *gate.Membership) {
	o, err := org.NewDirectory(w.DB).ByID(t.Context(), w.Org)
	require.NoError(t, err)
	for i, with := range []gate.Card{{}, {Number: "RLM00482216"}, {Token: "x"}} {
		to[i], m, err = w.gate.Read(t.Context(), who, o, with)
		require.NoError(t, err)
	}
	return to, m
}

var (
	anywhere = [3]string{gate.Open, gate.Open, gate.Open}
	sent     = [3]string{gate.Member, gate.Register, gate.Register}
)

// TestVisitors: who is no member is sent to the card, or to the form if he came with one; nobody is while there is no card to apply for, or the organisation does not ask.
func TestVisitors(t *testing.T) {
	w := newWorld(t)
	ann := w.Customer(0)
	gated := func(who token.Session) [3]string {
		to, _ := w.to(t, who)
		return to
	}

	require.Equal(t, anywhere, gated(ann), "the switch is off")
	w.asks(t, true)
	require.Equal(t, anywhere, gated(ann), "no card type is open")
	free, asked := w.cardType("none"), w.cardType("first")
	require.Equal(t, sent, gated(ann))
	for _, audience := range []token.Audience{token.Client, token.Agent, token.Owner, token.Staff} {
		require.Equal(t, anywhere, gated(token.Session{Audience: audience, Org: w.Org, Subject: ann.Subject}), audience)
	}

	bee := w.Customer(0)
	w.apply(t, bee, asked)
	to, m := w.to(t, bee)
	require.Equal(t, sent, to, "applied")
	require.Nil(t, m)
	w.Force(`UPDATE card_type SET status = 4`)
	require.Equal(t, sent, gated(bee), "who has applied waits, though no card is open")
	require.Equal(t, anywhere, gated(ann))
	w.Force(`UPDATE card_type SET status = 5`)

	w.apply(t, ann, free)
	to, m = w.to(t, ann)
	require.Equal(t, anywhere, to)
	require.Equal(t, []any{"active", "Card", int16(3)}, []any{m.State, m.TypeEN, m.Level})
	require.NotNil(t, m.EndsOn)
	require.NotEmpty(t, m.Number)

	var membership uuid.UUID
	w.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM membership`).Scan(&membership)
	})
	require.NoError(t, w.Member.SetStatus(t.Context(), w.Org, w.owner, []uuid.UUID{membership}, 4))
	to, m = w.to(t, ann)
	require.Equal(t, sent, to, "suspended")
	require.Equal(t, "suspended", m.State)
	require.NoError(t, w.Member.SetStatus(t.Context(), w.Org, w.owner, []uuid.UUID{membership}, 5))
	require.Equal(t, anywhere, gated(ann))

	w.Force(`UPDATE membership_term SET starts_on = starts_on - 40, ends_on = ends_on - 40`)
	to, m = w.to(t, ann)
	require.Equal(t, sent, to, "the last day has passed, though no worker has looked")
	require.Equal(t, "expired", m.State)
	_, err := w.Member.Read(t.Context(), ann)
	require.NoError(t, err)
	require.Equal(t, sent, gated(ann), "expired")
	w.apply(t, ann, free)
	_, err = w.Member.Leave(t.Context(), ann, auditlog.Actor{Kind: token.User, ID: ann.Subject})
	require.NoError(t, err)
	require.Equal(t, sent, gated(ann), "left")

	w.asks(t, false)
	to, m = w.to(t, ann)
	require.Equal(t, anywhere, to)
	require.Equal(t, "left", m.State)
}

// TestRequired: who is no member buys, gives and offers nothing, whatever his phone says, and uses, claims and takes back what he has.
func TestRequired(t *testing.T) {
	w := newWorld(t)
	w.OpenBoard(200)
	place := w.ServicePoint()
	pkg := w.Package(tenanttest.Package{Price: 100_00, Items: 4, Transfers: 3})
	ann, bee := w.Customer(1000_00), w.Customer(1000_00)
	w.VerifyMobile(ann)
	has := w.MustBuy(ann, pkg)
	given := w.give(t, ann, has.ID)
	offer, err := w.Board.Offer(t.Context(), ann, tenanttest.Key(), board.Input{Part: board.Part{Voucher: w.MustBuy(ann, pkg).ID, Items: 1}, Price: 10_00})
	require.NoError(t, err)
	free := w.cardType("none")
	w.asks(t, true)

	buys := func(who token.Session) error {
		_, err := w.Order.Buy(t.Context(), who, tenanttest.Key(), w.Quote(who, pkg, 1))
		return err
	}
	acts := map[string]func() error{
		"buy": func() error { return buys(ann) },
		"pay past the wallet": func() error {
			_, err := w.Order.Pay(t.Context(), ann, tenanttest.Key(), "", order.PayInput{BuyInput: w.Quote(ann, pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
			return err
		},
		"give": func() error {
			_, err := w.Gift.Give(t.Context(), ann, tenanttest.Key(), gift.Input{Voucher: has.ID, Items: 1, Card: "love"})
			return err
		},
		"look at the terms of an offer": func() error {
			_, err := w.Board.Check(t.Context(), ann, board.Part{Voucher: has.ID, Items: 1})
			return err
		},
		"offer": func() error {
			_, err := w.Board.Offer(t.Context(), ann, tenanttest.Key(), board.Input{Part: board.Part{Voucher: has.ID, Items: 1}, Price: 10_00})
			return err
		},
		"buy an offer": func() error {
			_, err := w.Board.Buy(t.Context(), bee, tenanttest.Key(), board.BuyInput{Offer: offer.ID, Accepted: []uuid.UUID{}, Lang: "th"})
			return err
		},
	}
	balances := func() [2]money.Amount { return [2]money.Amount{w.Balance(ann), w.Balance(bee)} }
	before := balances()
	for name, act := range acts {
		require.Equal(t, gate.ErrRequired, act(), name)
	}
	require.Equal(t, before, balances())
	require.EqualValues(t, 2, w.Count(`SELECT count(*) FROM orders`))

	_, err = w.Voucher.StartUse(t.Context(), ann, tenanttest.Key(), voucher.UseInput{Voucher: has.ID, ServicePoint: place, Items: 1})
	require.NoError(t, err, "what he has he may use")
	_, err = w.Gift.Withdraw(t.Context(), ann, given)
	require.NoError(t, err, "and take back")

	w.apply(t, ann, free)
	require.NoError(t, buys(ann))
	require.Equal(t, gate.ErrRequired, buys(bee), "one member is not another")

	t.Run("a purchase and the end of a membership at once", func(t *testing.T) {
		var both sync.WaitGroup
		var bought error
		both.Go(func() { bought = buys(ann) })
		both.Go(func() {
			if _, err := w.Member.Leave(context.Background(), ann, auditlog.Actor{Kind: token.User, ID: ann.Subject}); err != nil {
				t.Error(err)
			}
		})
		both.Wait()
		if bought != nil {
			require.Equal(t, gate.ErrRequired, bought)
		}
		require.Equal(t, gate.ErrRequired, buys(ann))
	})
	w.MustBalance()
}

func (w *world) give(t *testing.T, who token.Session, v uuid.UUID) uuid.UUID {
	g, err := w.Gift.Give(t.Context(), who, tenanttest.Key(), gift.Input{Voucher: v, Items: 1, Card: "love"})
	require.NoError(t, err)
	return g.ID
}
