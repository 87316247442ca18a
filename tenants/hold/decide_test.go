package hold_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/hold"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/tenanttest"
)

func TestDeny(t *testing.T) {
	t.Run("what is due is the organisation's, and what is taken back later comes from there", func(t *testing.T) {
		o := atSale(t)
		sold := o.sells(o.ann, time.Minute)
		id := o.holds(sold)
		before := o.SystemBalance(ledger.Payable)
		o.denies(id)
		o.has(0, 0, 0)
		require.Equal(t, before+90_00, o.SystemBalance(ledger.Payable))
		require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM message WHERE kind = 'agent_denied' AND customer_id = $1 AND amount_satang = 9000`, o.nok.Subject))
		o.refunds(sold, 1)
		o.has(0, 0, 0)
		require.Equal(t, before+60_00, o.SystemBalance(ledger.Payable))
		o.refunds(sold, 2)
		o.has(0, 0, 0)
		require.Equal(t, before, o.SystemBalance(ledger.Payable))
		o.ReportsAgree(t)

		_, err := o.Hold.Deny(t.Context(), o.Org, actor(o.first), tenanttest.Key(), hold.Denial{ID: id, Reason: "x"})
		require.Equal(t, hold.ErrNotNow, err, "once")
	})

	t.Run("of what was refunded before only the rest", func(t *testing.T) {
		o := open(t, commission.Rule{Matures: "days", Days: 7})
		sold := o.sells(o.ann, time.Minute)
		o.refunds(sold, 1)
		o.has(60_00, 0, 0)
		before := o.SystemBalance(ledger.Payable)
		o.denies(o.holds(sold))
		o.has(0, 0, 0)
		require.Equal(t, before+60_00, o.SystemBalance(ledger.Payable))
		o.Clock.Advance(9 * 24 * time.Hour)
		o.Mature()
		o.has(0, 0, 0)
		o.refunds(sold, 2)
		o.has(0, 0, 0)
		require.Equal(t, before, o.SystemBalance(ledger.Payable))
		o.ReportsAgree(t)
	})

	t.Run("of what matures by use, once some is used", func(t *testing.T) {
		o := open(t, commission.Rule{Matures: "use"})
		o.Visit(o.ann, o.agent, o.pkg)
		o.Clock.Advance(time.Minute)
		bought := o.MustBuy(o.ann, o.pkg)
		o.MustRedeem(o.ann, bought.ID, 1, o.Staff(), o.ServicePoint())
		o.Clock.Advance(3 * 24 * time.Hour)
		o.first, o.second = o.SignInAnew(o.first), o.SignInAnew(o.second)
		o.Mature()
		o.has(60_00, 30_00, 0)
		o.denies(o.holds(o.orderOf(bought.ID)))
		o.has(0, 0, 0)
		o.MustRedeem(o.ann, bought.ID, 1, o.Staff(), o.ServicePoint())
		o.Clock.Advance(3 * 24 * time.Hour)
		o.Mature()
		o.has(0, 0, 0)
		o.refunds(o.orderOf(bought.ID), 1)
		o.has(0, 0, 0)
		o.ReportsAgree(t)
	})

	t.Run("what was paid out already he owes, and the next run collects it", func(t *testing.T) {
		o := atSale(t)
		sold := o.sells(o.ann, time.Minute)
		o.tomorrow()
		run := o.draft()
		o.approved(run)
		o.books()
		id := o.holds(sold)
		o.denies(id)
		o.has(0, 0, 90_00)
		o.sells(o.ann, time.Minute)
		o.sells(o.ann, time.Minute)
		o.has(0, 90_00, 0)
	})

	t.Run("a disputed payment takes it from the organisation, and gives it back there", func(t *testing.T) {
		o := atSale(t)
		o.Visit(o.ann, o.agent, o.pkg)
		o.Clock.Advance(time.Minute)
		sold := o.paysByCard(o.ann, "one")
		o.Mature()
		before := o.SystemBalance(ledger.Payable)
		o.denies(o.holds(sold))
		for _, step := range []struct {
			dispute payment.Dispute
			payable money.Amount
		}{{payment.DisputeOpen, 0}, {payment.DisputeWon, 90_00}} {
			o.disputes(sold, step.dispute)
			o.has(0, 0, 0)
			require.Equal(t, before+step.payable, o.SystemBalance(ledger.Payable), step.dispute)
		}
		o.ReportsAgree(t)
	})

	t.Run("while a payment is disputed nothing is due, and what comes back is the organisation's", func(t *testing.T) {
		o := atSale(t)
		o.Visit(o.ann, o.agent, o.pkg)
		o.Clock.Advance(time.Minute)
		sold := o.paysByCard(o.ann, "one")
		o.Mature()
		before := o.SystemBalance(ledger.Payable)
		o.disputes(sold, payment.DisputeOpen)
		o.has(0, 0, 0)
		o.denies(o.holds(sold))
		o.has(0, 0, 0)
		require.Equal(t, before, o.SystemBalance(ledger.Payable))
		o.disputes(sold, payment.DisputeWon)
		o.has(0, 0, 0)
		require.Equal(t, before+90_00, o.SystemBalance(ledger.Payable))
	})
}

func TestWho(t *testing.T) {
	o := atSale(t)
	sold := o.sells(o.ann, time.Minute)
	id := o.holds(sold)
	deny := func(by token.Session, of uuid.UUID) (uuid.UUID, error) {
		asked, err := o.Hold.Deny(t.Context(), o.Org, actor(by), tenanttest.Key(), hold.Denial{ID: of, Reason: "ซื้อเอง"})
		return asked.Approval, err
	}
	isAgent := func(who token.Session) {
		o.Force(`UPDATE staff SET line_sub = (SELECT line_sub FROM customer WHERE id = $2) WHERE id = $1`, who.Subject, o.nok.Subject)
	}
	isNobody := func(who token.Session) { o.Force(`UPDATE staff SET line_sub = NULL WHERE id = $1`, who.Subject) }

	isAgent(o.first)
	_, err := deny(o.first, id)
	require.Equal(t, hold.ErrOwn, err)
	require.Equal(t, hold.ErrOwn, o.Hold.Release(t.Context(), o.Org, actor(o.first), hold.Release{ID: id, Reason: "x"}))
	isNobody(o.first)

	require.Equal(t, fault.At("reason", fault.Required), o.Hold.Release(t.Context(), o.Org, actor(o.first), hold.Release{ID: id, Reason: " "}))
	require.Equal(t, fault.Missing, o.Hold.Release(t.Context(), o.Org, actor(o.first), hold.Release{ID: uuid.New(), Reason: "x"}))
	other := tenanttest.On(t, o.Server)
	_, err = other.Hold.Deny(t.Context(), other.Org, actor(other.Owner()), tenanttest.Key(), hold.Denial{ID: id, Reason: "x"})
	require.Equal(t, fault.Missing, err, "of another organisation")

	asked, err := deny(o.first, id)
	require.NoError(t, err)
	_, err = deny(o.second, id)
	require.Equal(t, approval.ErrWaiting, err)
	require.Equal(t, approval.ErrOwn, o.approves(o.first, asked))
	isAgent(o.second)
	require.Equal(t, hold.ErrOwn, o.approves(o.second, asked))
	isNobody(o.second)
	detail, err := o.Approval.Detail(t.Context(), o.second, actor(o.second), approval.ByRequest{ID: asked})
	require.NoError(t, err)
	require.Empty(t, detail.Fault)
	require.Equal(t, []money.Amount{90_00, 0}, []money.Amount{detail.Changes[1].Before.Amount, detail.Changes[1].After.Amount})
	o.has(0, 90_00, 0)

	o.releases(id)
	require.Equal(t, hold.ErrNotNow, o.approves(o.second, asked), "it was released meanwhile")
	o.has(0, 90_00, 0)
}
