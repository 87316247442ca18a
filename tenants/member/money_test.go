package member_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/tenanttest"
)

// priced is a card type that costs something.
func (w *world) priced(validity string, length int32, approval string, level int16, price money.Amount) uuid.UUID {
	id := w.cardType(validity, length, approval, level)
	w.Force(`UPDATE card_type_version SET price_satang = $2 WHERE card_type_id = $1`, id, price)
	return id
}

func wish(cardType uuid.UUID, price money.Amount) order.CardInput {
	form := member.Form{FirstName: "พิมพ์ชนก", LastName: "สุขใจ", Mobile: "0895550146"}
	return order.CardInput{ApplyInput: member.ApplyInput{Type: cardType, Lang: "th", Form: form}, Price: price}
}

func (w *world) buy(who token.Session, cardType uuid.UUID, price money.Amount) (member.Standing, error) {
	return w.Cards.Buy(context.Background(), who, by(who), tenanttest.Key(), wish(cardType, price))
}

// holds requires what a customer's wallet, the organisation's two accounts and the platform have of what was paid for cards.
func (w *world) holds(t *testing.T, who token.Session, wallet, unearned, payable, fee money.Amount) {
	t.Helper()
	require.Equal(t, []money.Amount{wallet, unearned, payable, fee},
		[]money.Amount{w.Balance(who), w.SystemBalance(ledger.Unearned), w.SystemBalance(ledger.Payable), w.SystemBalance(ledger.PlatformFee)})
	w.MustBalance()
	w.ReportsAgree(t)
}

// TestPriced: what is paid for a card waits with the application, comes back whole when that is refused or taken back, and is earned when its term begins.
func TestPriced(t *testing.T) {
	w := newWorld(t)
	ann := w.Customer(2000_00)
	silver, free := w.priced("months", 12, "first", 2, 1490_00), w.cardType("months", 12, "none", 1)

	_, err := w.apply(ann, silver)
	require.Equal(t, member.ErrPriced, err)
	_, err = w.buy(ann, free, 1_00)
	require.Equal(t, member.ErrFree, err)
	_, err = w.buy(ann, silver, 1_00)
	require.Equal(t, order.ErrQuoteChanged, err)
	_, err = w.buy(w.Customer(1489_99), silver, 1490_00)
	require.ErrorIs(t, err, ledger.ErrInsufficient)
	require.Zero(t, w.Count(`SELECT count(*) FROM application`)+w.Count(`SELECT count(*) FROM orders`))

	in, key := wish(silver, 1490_00), tenanttest.Key()
	for range 2 {
		at, err := w.Cards.Buy(t.Context(), ann, by(ann), key, in)
		require.NoError(t, err)
		require.Equal(t, member.Pending, at.Application.State)
		require.EqualValues(t, 1490_00, at.Application.Paid)
	}
	w.holds(t, ann, 510_00, 1445_30, 0, 44_70)
	require.EqualValues(t, 1490_00, w.waiting(t)[0].Paid)
	_, err = w.buy(ann, silver, 1490_00)
	require.Equal(t, member.ErrOpen, err)

	require.NoError(t, w.Refuse(t.Context(), w.Org, w.owner, member.RefuseInput{ID: w.waiting(t)[0].ID, Reason: "เต็ม"}))
	w.holds(t, ann, 2000_00, 0, 0, 0)
	require.EqualValues(t, 1490_00, w.Count(`SELECT amount_satang FROM message WHERE kind = 'member_refused'`))
	require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM orders WHERE state = 'refunded'`))

	_, err = w.buy(ann, silver, 1490_00)
	require.NoError(t, err)
	_, err = w.TakeBack(t.Context(), ann, by(ann))
	require.NoError(t, err)
	_, err = w.TakeBack(t.Context(), ann, by(ann))
	require.Equal(t, member.ErrOver, err)
	w.holds(t, ann, 2000_00, 0, 0, 0)

	_, err = w.buy(ann, silver, 1490_00)
	require.NoError(t, err)
	w.pass(30)
	w.Force(`UPDATE orders SET created_at = created_at - interval '30 days', paid_at = paid_at - interval '30 days' WHERE state = 'paid'`)
	w.Force(`UPDATE transfer SET at = at - interval '30 days', day = day - 30 WHERE cause_id IN (SELECT id FROM orders WHERE state = 'paid')`)
	w.Force(`UPDATE idempotency SET at = at - interval '30 days' WHERE result_id IN (SELECT id FROM orders WHERE state = 'paid')`)
	w.In(func(ctx context.Context, tx db.Tx) error { return w.EndDue(ctx, tx) })
	require.EqualValues(t, 2000_00, w.Balance(ann), "nobody answered")
	require.EqualValues(t, 2, w.Count(`SELECT count(*) FROM message WHERE kind = 'member_refused' AND amount_satang = 149000`))

	_, err = w.buy(ann, silver, 1490_00)
	require.NoError(t, err)
	require.NoError(t, w.Approve(t.Context(), w.Org, w.owner, member.ApproveInput{ID: w.waiting(t)[0].ID}))
	require.EqualValues(t, 1445_30, w.SystemBalance(ledger.Payable))
	at, err := w.Leave(t.Context(), ann, by(ann))
	require.NoError(t, err)
	require.Equal(t, member.Left, at.Card.State)
	require.EqualValues(t, 510_00, w.Balance(ann), "nothing comes back of a term that runs")
}

// TestPricedTerms: a renewal is paid ahead and earned when it begins, or comes back when it is taken back; a card of a higher level gives back the days that are left, before it is paid.
func TestPricedTerms(t *testing.T) {
	w := newWorld(t)
	ann := w.Customer(1490_00)
	silver, gold := w.priced("days", 365, "none", 2, 1490_00), w.priced("days", 365, "none", 5, 2990_00)
	_, err := w.buy(ann, silver, 1490_00)
	require.NoError(t, err)
	w.holds(t, ann, 0, 0, 1445_30, 44_70)

	t.Run("a renewal", func(t *testing.T) {
		bee := w.Customer(3 * 1490_00)
		_, err := w.buy(bee, silver, 1490_00)
		require.NoError(t, err)
		today := clock.Day(time.Now())
		w.Force(`UPDATE membership_term SET starts_on = $1::date - 330, ends_on = $1::date + 34`, today)
		at, err := w.buy(bee, silver, 1490_00)
		require.NoError(t, err)
		require.EqualValues(t, 1490_00, at.Card.NextPaid)
		w.holds(t, bee, 1490_00, 1445_30, 2*1445_30, 3*44_70)
		_, err = w.TakeBack(t.Context(), bee, by(bee))
		require.NoError(t, err)
		w.holds(t, bee, 2*1490_00, 0, 2*1445_30, 2*44_70)
		_, err = w.buy(bee, silver, 1490_00)
		require.NoError(t, err)
		w.Force(`UPDATE membership_term SET ends_on = $1::date - 1 WHERE state = 'running' AND membership_id = (SELECT id FROM membership WHERE customer_id = $2)`, today, bee.Subject)
		w.In(func(ctx context.Context, tx db.Tx) error { return w.EndDue(ctx, tx) })
		w.holds(t, bee, 1490_00, 0, 3*1445_30, 3*44_70)
	})

	t.Run("a card of a higher level", func(t *testing.T) {
		today := clock.Day(time.Now())
		w.Force(`UPDATE membership_term SET starts_on = $1::date - 181, ends_on = $1::date + 183 WHERE membership_id = (SELECT id FROM membership WHERE customer_id = $2)`, today, ann.Subject)
		_, err := w.buy(ann, gold, 2990_00)
		require.ErrorIs(t, err, ledger.ErrInsufficient)
		reason := w.Adjustment(2238_87)
		w.In(func(_ context.Context, tx db.Tx) error {
			return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "adjustment", ID: reason},
				ledger.Posting{Debit: ledger.SystemAccount(ledger.Adjustment), Credit: ledger.AccountOf(ledger.Wallet, ann.Subject), Amount: 2238_87}))
		})
		at, err := w.Read(t.Context(), ann)
		require.NoError(t, err)
		require.EqualValues(t, 751_13, at.Card.Credit)
		at, err = w.buy(ann, gold, 2990_00)
		require.NoError(t, err)
		require.EqualValues(t, 2990_00, at.Card.Credit, "today is not had yet")
		require.EqualValues(t, 5, at.Card.Level)
		require.Zero(t, w.Balance(ann), "751.13 came back, and he had 2238.87")
		require.EqualValues(t, 751_13, w.Count(`SELECT credited_satang FROM card_order WHERE credited_at IS NOT NULL`))
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM orders WHERE state = 'part_refunded'`))
		w.MustBalance()
		w.ReportsAgree(t)
	})
}

// TestRegret: of a card of beauty or fitness the whole price comes back to who leaves until the seventh day after he paid, and of another one nothing does.
func TestRegret(t *testing.T) {
	w := newWorld(t)
	spa := w.priced("months", 12, "none", 1, 490_00)
	w.Force(`UPDATE card_type_version SET class = 'beauty'`)
	gym := w.priced("endless", 0, "none", 1, 490_00)
	for _, c := range []struct {
		name     string
		cardType uuid.UUID
		days     int
		back     money.Amount
	}{{"at once", spa, 0, 490_00}, {"on the seventh day", spa, 7, 490_00}, {"on the eighth", spa, 8, 0}, {"another class", gym, 0, 0}} {
		t.Run(c.name, func(t *testing.T) {
			who := w.Customer(490_00)
			at, err := w.buy(who, c.cardType, 490_00)
			require.NoError(t, err)
			require.Equal(t, c.cardType == spa, at.Card.Regret != nil)
			w.Clock.Advance(time.Duration(c.days) * 24 * time.Hour)
			_, err = w.Leave(t.Context(), who, by(who))
			require.NoError(t, err)
			require.Equal(t, c.back, w.Balance(who))
			_, err = w.Leave(t.Context(), who, by(who))
			require.Equal(t, member.ErrLeft, err)
			require.Equal(t, c.back, w.Balance(who))
			w.MustBalance()
		})
	}
}

// TestPricedCheats: of many payments at once one is taken; one and the same application is answered once; who owes buys none; nobody takes another's back.
func TestPricedCheats(t *testing.T) {
	w := newWorld(t)
	ann, bee := w.Customer(10_000_00), w.Customer(10_000_00)
	gold := w.priced("endless", 0, "always", 1, 490_00)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { _, _ = w.buy(ann, gold, 490_00) })
	}
	all.Wait()
	require.EqualValues(t, 9_510_00, w.Balance(ann))
	id := w.waiting(t)[0].ID
	for i := range 9 {
		all.Go(func() {
			switch i % 3 {
			case 0:
				_ = w.Approve(t.Context(), w.Org, w.owner, member.ApproveInput{ID: id})
			case 1:
				_ = w.Refuse(t.Context(), w.Org, w.owner, member.RefuseInput{ID: id, Reason: "เต็ม"})
			default:
				_, _ = w.TakeBack(t.Context(), ann, by(ann))
			}
		})
	}
	all.Wait()
	w.MustBalance()
	require.EqualValues(t, 10_000_00, w.Balance(ann)+w.SystemBalance(ledger.Payable)+w.SystemBalance(ledger.PlatformFee))

	_, err := w.TakeBack(t.Context(), bee, by(bee))
	require.Equal(t, member.ErrOver, err)
	w.Force(`UPDATE customer SET debt_satang = 1 WHERE id = $1`, bee.Subject)
	_, err = w.buy(bee, gold, 490_00)
	require.ErrorIs(t, err, customer.ErrDebt)
	require.EqualValues(t, 10_000_00, w.Balance(bee))
}
