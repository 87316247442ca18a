package order_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// TestList: a customer's own orders, the newest first; none that was never paid.
func TestList(t *testing.T) {
	w := tenanttest.New(t)
	w.AddPaymentSystem()
	ann, bob := w.Customer(100_000_00), w.Customer(0)
	pkg := w.Package(tenanttest.Package{Price: 600_00, Vouchers: 2})
	list := func(who token.Session, after *uuid.UUID) []order.Listed {
		page, err := w.Order.List(t.Context(), who, after)
		require.NoError(t, err)
		return page
	}
	require.Empty(t, list(ann, nil))

	bought, err := w.Order.Buy(t.Context(), ann, tenanttest.Key(), w.Quote(ann, pkg, 2))
	require.NoError(t, err)
	waits, err := w.Order.Pay(t.Context(), ann, tenanttest.Key(), "", order.PayInput{BuyInput: w.Quote(ann, pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	all := list(ann, nil)
	require.Len(t, all, 2)
	require.Equal(t, []any{waits.ID, waits.Number, "awaiting", money.Amount(600_00), 1, 0}, []any{all[0].ID, all[0].Number, all[0].State, all[0].Total, all[0].Packages, all[0].Vouchers})
	require.Nil(t, all[0].PaidAt)
	require.Equal(t, []any{bought.ID, "paid", money.Amount(1200_00), 1, 4, bought.Lines[0].NameEN}, []any{all[1].ID, all[1].State, all[1].Total, all[1].Packages, all[1].Vouchers, all[1].NameEN})
	require.True(t, bought.PaidAt.Equal(*all[1].PaidAt))
	require.Equal(t, all[1:], list(ann, &waits.ID))
	require.Empty(t, list(bob, nil))

	_, err = w.Order.Cancel(t.Context(), ann, waits.ID)
	require.NoError(t, err)
	require.Len(t, list(ann, nil), 1)
	for range 50 {
		w.MustBuy(ann, pkg)
	}
	first := list(ann, nil)
	require.Len(t, first, 50)
	require.Equal(t, bought.ID, list(ann, &first[49].ID)[0].ID)
}

// TestHandedOn: a payer sees what he gave and sold of an order, and not what became of it afterwards; who holds it now sees nothing.
func TestHandedOn(t *testing.T) {
	w := tenanttest.New(t)
	ann, bob := w.Customer(10_000_00), w.Customer(10_000_00)
	w.OpenBoard(200)
	w.VerifyMobile(ann)
	bought, err := w.Order.Buy(t.Context(), ann, tenanttest.Key(), w.Quote(ann, w.Package(tenanttest.Package{Price: 1200_00, Vouchers: 2, Items: 6, Transfers: 3}), 1))
	require.NoError(t, err)
	detail := func() order.Detail {
		d, err := w.Order.Detail(t.Context(), ann, bought.ID)
		require.NoError(t, err)
		return d
	}
	give := func(who token.Session, v voucher.Voucher, items int64, to string) gift.Gift {
		g, err := w.Gift.Give(t.Context(), who, tenanttest.Key(), gift.Input{Voucher: v.ID, Items: items, Card: "thanks", To: to})
		require.NoError(t, err)
		return g
	}
	d := detail()
	require.Len(t, d.Held, 2)
	require.Empty(t, d.HandedOn)
	require.Equal(t, order.HeldLine{Voucher: d.Vouchers[0].ID, Line: 0}, d.Held[0])

	g := give(ann, bought.Vouchers[0], 2, "Mum")
	require.Len(t, detail().Vouchers, 3, "what is on its way is still his")
	require.Empty(t, detail().HandedOn)
	_, err = w.Gift.Receive(t.Context(), bob, gift.Link{Ref: g.Ref})
	require.NoError(t, err)
	f, err := w.Board.Offer(t.Context(), ann, tenanttest.Key(), board.Input{Part: board.Part{Voucher: bought.Vouchers[1].ID, Items: 6}, Price: 150_00})
	require.NoError(t, err)
	_, err = w.Board.Buy(t.Context(), bob, tenanttest.Key(), board.BuyInput{Offer: f.ID, Accepted: []uuid.UUID{}, Lang: "th"})
	require.NoError(t, err)
	d = detail()
	require.Len(t, d.Vouchers, 1)
	require.EqualValues(t, 4, d.Vouchers[0].ItemsLeft)
	require.Len(t, d.HandedOn, 2)
	require.Equal(t, []any{"gift", g.ID, int64(2), "Mum"}, []any{d.HandedOn[0].By, d.HandedOn[0].Subject, d.HandedOn[0].Items, d.HandedOn[0].To})
	require.Equal(t, []any{"offer", f.ID, int64(6), ""}, []any{d.HandedOn[1].By, d.HandedOn[1].Subject, d.HandedOn[1].Items, d.HandedOn[1].To})
	before, err := json.Marshal(d.HandedOn)
	require.NoError(t, err)

	// What bob does with his is his own affair: he uses one and gives another on.
	vouchers, err := w.Voucher.List(t.Context(), bob, voucher.ListInput{State: "ready"})
	require.NoError(t, err)
	require.Len(t, vouchers.Data, 2)
	given := slices.IndexFunc(vouchers.Data, func(v voucher.Voucher) bool { return v.ItemsLeft == 2 })
	mine, other := vouchers.Data[given], vouchers.Data[1-given]
	w.MustRedeem(bob, mine.ID, 1, w.Staff(), w.ServicePoint())
	eve := w.Customer(0)
	_, err = w.Gift.Receive(t.Context(), eve, gift.Link{Ref: give(bob, mine, 1, "Eve").Ref})
	require.NoError(t, err)
	after, err := json.Marshal(detail().HandedOn)
	require.NoError(t, err)
	require.JSONEq(t, string(before), string(after))
	for _, holder := range []token.Session{bob, eve} {
		_, err = w.Order.Detail(t.Context(), holder, bought.ID)
		require.ErrorIs(t, err, order.ErrNotFound)
	}

	// Given back to him, it is with him again.
	_, err = w.Gift.Receive(t.Context(), ann, gift.Link{Ref: give(bob, other, 6, "").Ref})
	require.NoError(t, err)
	d = detail()
	require.Len(t, d.Vouchers, 2)
	require.Len(t, d.HandedOn, 1)
}
