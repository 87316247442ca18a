package commission_test

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
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/rate"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
)

// recruiter recruited the seller of a shop, and has 3 % of what he sells.
type recruiter struct {
	shop

	session token.Session
	id      uuid.UUID
}

func recruited(t *testing.T, rule commission.Rule) recruiter {
	t.Helper()
	r := recruiter{shop: open(t, rule)}
	r.session = r.Customer(5_000_00)
	r.id = r.Agent(r.session, 1000)
	r.Recruit(r.seller, r.id, 300)
	return r
}

// have requires what seller and recruiter have, pending and payable less what they owe, after what is due by time was posted, and that the books balance.
func (r recruiter) have(sellerPending, seller, recruiterPending, recruiter money.Amount) {
	r.t.Helper()
	r.Mature()
	of := func(id uuid.UUID) []money.Amount {
		b := r.Earned(id)
		return []money.Amount{r.Pending(id), b.Payable - b.Receivable}
	}
	require.Equal(r.t, [][]money.Amount{{sellerPending, seller}, {recruiterPending, recruiter}}, [][]money.Amount{of(r.seller), of(r.id)}, "pending and payable of the seller, and of his recruiter")
	r.MustBalance()
}

func (r recruiter) refund(v uuid.UUID, items int64) {
	r.t.Helper()
	order := r.one(`SELECT order_id FROM voucher WHERE id = '` + v.String() + `'`)
	_, err := r.Refund.Make(r.t.Context(), r.Org, r.manager(), tenanttest.Key(), refund.Input{
		Choice: refund.Choice{Order: order, Parts: []refund.Part{{Voucher: v, Items: items}}}, Method: "wallet", Reason: "asked",
	})
	require.NoError(r.t, err)
}

func TestRecruiter(t *testing.T) {
	t.Run("he earns of what the agent sells, from the wallet and past it, and nobody above him does", func(t *testing.T) {
		r := recruited(t, commission.Rule{Matures: "sale"})
		top := r.Agent(r.Customer(0), 1000)
		r.Recruit(r.id, top, 500)
		r.MustBuy(r.ann, r.pkg)
		r.have(0, 90_00, 0, 27_00)
		r.direct(t)
		r.have(0, 180_00, 0, 54_00)
		require.Zero(t, r.Pending(top)+r.Earned(top).Payable, "one level, never more")
	})

	t.Run("refunds take of both by their parts, also after they were paid", func(t *testing.T) {
		r := recruited(t, commission.Rule{Matures: "sale"})
		v := r.MustBuy(r.ann, r.pkg)
		r.refund(v.ID, 1)
		r.have(0, 60_00, 0, 18_00)
		r.refund(v.ID, 2)
		r.have(0, 0, 0, 0)
	})

	t.Run("a use makes of both mature what was used", func(t *testing.T) {
		r := recruited(t, commission.Rule{Matures: "use"})
		v := r.MustBuy(r.ann, r.pkg)
		r.use(t, v.ID, 1)
		_, then := r.until(2)
		then()
		r.have(60_00, 30_00, 18_00, 9_00)
		r.refund(v.ID, 2)
		r.have(0, 30_00, 0, 9_00)
	})

	t.Run("a dispute takes from both, and they have it again when it is won", func(t *testing.T) {
		r := recruited(t, commission.Rule{Matures: "sale"})
		id, _ := r.direct(t)
		r.have(0, 90_00, 0, 27_00)
		r.gatewaySays(id, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, c.Amount })
		r.have(0, 0, 0, 0)
		r.gatewaySays(id, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeWon, 0 })
		r.have(0, 90_00, 0, 27_00)
	})
}

func (r recruiter) change(sql string, id uuid.UUID) {
	r.In(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, sql, id)
		return err
	})
}

func TestNoRecruiter(t *testing.T) {
	for name, change := range map[string]func(recruiter){
		"buys himself": func(r recruiter) {
			r.Visit(r.session, r.seller, r.pkg)
			r.MustBuy(r.session, r.pkg)
		},
		"is suspended": func(r recruiter) {
			r.change(`UPDATE agent SET state = 'suspended' WHERE id = $1`, r.id)
			r.MustBuy(r.ann, r.pkg)
		},
		"is a customer who is suspended": func(r recruiter) {
			r.change(`UPDATE customer SET status = 4 WHERE id = $1`, r.session.Subject)
			r.MustBuy(r.ann, r.pkg)
		},
		"has a rate of nothing": func(r recruiter) {
			r.SpecialRate(r.seller, r.pkg, false, 1000)
			r.MustBuy(r.ann, r.pkg)
		},
	} {
		t.Run("who "+name+" earns nothing, and the seller what he always does", func(t *testing.T) {
			r := recruited(t, commission.Rule{Matures: "sale"})
			change(r)
			r.have(0, 90_00, 0, 0)
			require.Zero(t, r.Count(`SELECT count(*) FROM recruiter_share`))
		})
	}
}

// TestRecruiterOfWaitingOrder: what an order agreed on holds when its money comes, whatever became of agents and rates since.
func TestRecruiterOfWaitingOrder(t *testing.T) {
	r := recruited(t, commission.Rule{Matures: "sale"})
	o, err := r.Order.Pay(t.Context(), r.ann, tenanttest.Key(), "", order.PayInput{BuyInput: r.Quote(r.ann, r.pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	r.Recruit(r.seller, r.Agent(r.Customer(0), 100), 1)
	r.Recruit(r.seller, r.id, 1)
	r.PayAtGateway(o.ID)
	r.have(0, 90_00, 0, 27_00)
}

// TestRecruiterOfLines: lines have rates of their own, and a refund takes from the recruiter of its own line alone.
func TestRecruiterOfLines(t *testing.T) {
	r := recruited(t, commission.Rule{Matures: "sale"})
	none := r.Package(tenanttest.Package{Price: 1_000_00})
	r.SpecialRate(r.seller, none, false, 2000)
	odd := r.Package(tenanttest.Package{Price: 333_33})
	lines := []order.Line{{Package: none, Quantity: 1}, {Package: odd, Quantity: 3}}
	q, err := r.Order.Quote(t.Context(), r.ann, order.QuoteInput{Lines: lines})
	require.NoError(t, err)
	made, err := r.Order.Buy(t.Context(), r.ann, tenanttest.Key(), order.BuyInput{Lines: lines, Hash: q.Hash, Accepted: []uuid.UUID{}, Lang: "th"})
	require.NoError(t, err)
	r.have(0, 300_00, 0, 30_00)
	for i, v := range made.Vouchers {
		r.refund(v.ID, 1)
		switch i {
		case 0: // without a recruiter
			r.have(0, 100_00, 0, 30_00)
		case 1:
			r.have(0, 66_66, 0, 20_00)
		}
	}
	r.have(0, 0, 0, 0)
}

func TestRecruiterRateIsBounded(t *testing.T) {
	r := recruited(t, commission.Rule{Matures: "sale"})
	save := func(kind rate.Kind, value int64, recruiter int32) error {
		return r.DB.InOrg(t.Context(), r.Org, func(tx db.Tx) error {
			row := rate.Row{Package: &r.pkg, Kind: kind, Value: value, Recruiter: recruiter, FirstDay: clock.Day(tx.Now).Format(time.DateOnly)}
			if err := tx.QueryRow(t.Context(), `SELECT agent_type_id FROM agent WHERE id = $1`, r.seller).Scan(&row.Type); err != nil {
				return err
			}
			_, err := rate.SpecialRates.Save(t.Context(), tx, auditlog.Actor{}, row)
			return err
		})
	}
	require.Error(t, save(rate.Percent, 4000, 1001), "both at most half")
	require.NoError(t, save(rate.Baht, 850_00, 5000))
	r.MustBuy(r.ann, r.pkg)
	r.have(0, 850_00, 0, 23_00) // the platform's fee is 27.00

	err := r.DB.InOrg(t.Context(), r.Org, func(tx db.Tx) error {
		_, err := agent.AgentTypes.Save(t.Context(), tx, auditlog.Actor{}, agent.Type{NameTH: "ก", Rate: 3000, Recruiter: 2001, Matures: "sale"})
		return err
	})
	require.Error(t, err)
}

func TestRecruits(t *testing.T) {
	r := recruited(t, commission.Rule{Matures: "sale"})
	r.MustBuy(r.ann, r.pkg)
	r.MustBuy(r.ann, r.pkg)
	agents := agent.New(r.DB)
	got, err := agents.Recruits(t.Context(), r.session)
	require.NoError(t, err)
	require.EqualValues(t, 300, got.MostBasisPoints)
	require.Len(t, got.Data, 1)
	require.Equal(t, []any{true, int64(300), int64(2), money.Amount(54_00)}, []any{got.Data[0].Sells, got.Data[0].BasisPoints, got.Data[0].Orders, got.Data[0].Commission})
	history, err := agents.History(t.Context(), r.session, nil)
	require.NoError(t, err)
	require.NotEmpty(t, history.Data[0].SoldBy)
	require.Equal(t, money.Amount(27_00), history.Data[0].Commission)
}
