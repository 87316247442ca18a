package chaos

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCartOracleTies: of discounts that cost the buyer the same the older is given, and none is left out that may stand beside the others.
func TestCartOracleTies(t *testing.T) {
	t.Parallel()
	hundred := func(stack string) CartDiscount {
		return CartDiscount{Value: 100_00, Payer: "organisation", Stack: stack}
	}
	ten := CartDiscount{OnLine: true, Value: 10_00, Payer: "organisation"}
	for name, c := range map[string]struct {
		in   CartInput
		want []int64 // off its line, by discount
	}{
		"two that do not go together, beside an older one": {
			CartInput{Lines: []CartLine{{1000_00, 1, []int64{1}, []int64{1}}}, Discounts: []CartDiscount{ten, hundred("with_line"), hundred("all")}}, []int64{10_00, 100_00, 0},
		},
		"the same beside a younger one": {
			CartInput{Lines: []CartLine{{1000_00, 1, []int64{1}, []int64{1}}}, Discounts: []CartDiscount{hundred("with_line"), hundred("all"), ten}}, []int64{100_00, 0, 10_00},
		},
		"one for which the platform pays less": {
			CartInput{Fee: 20, Lines: []CartLine{{2_51, 1, []int64{1}, []int64{1}}}, Discounts: []CartDiscount{
				{OnLine: true, Value: 2_50, Payer: "platform"}, {Value: 1, Payer: "organisation"},
			}}, []int64{2_49, 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, oracleOfCart(c.in).Lines[0].Discounts, "the oracle")
			require.Equal(t, c.want, PriceCart(c.in).Lines[0].Discounts, "the product")
		})
	}
}

// TestOrderOracleEdges: orders of which the platform pays all, or nearly all, or whose items are worth nothing. A fee of three percent of four satang is
// none, so that their buyer pays nothing.
func TestOrderOracleEdges(t *testing.T) {
	t.Parallel()
	line := func(price, items int64) CartLine { return CartLine{price, 1, []int64{items}, []int64{items}} }
	platform := func(value int64) []CartDiscount {
		return []CartDiscount{{OnLine: true, Value: value, Payer: "platform", Only: []int{0}}}
	}
	for name, c := range map[string]struct {
		in CartInput
		do func(m *oracleMarket, o *oracleOrder)
	}{
		"the platform has back what it paid of a voucher that expires into a wallet": {
			CartInput{Lines: []CartLine{line(100_00, 1)}, Discounts: platform(97_00)}, func(m *oracleMarket, _ *oracleOrder) { m.expire() },
		},
		"the platform has back what it paid of a voucher that is voided": {
			CartInput{Lines: []CartLine{line(4, 1)}, Discounts: platform(4)}, func(m *oracleMarket, o *oracleOrder) { m.void(o, o.vouchers[0], 1) },
		},
		"what the platform paid did not come along for nothing": {
			CartInput{Lines: []CartLine{line(4, 1), line(100_00, 1)}, Discounts: platform(4)}, func(m *oracleMarket, o *oracleOrder) {
				m.refund(o, o.vouchers[1], 1)
				m.comeAlong(o)
			},
		},
		"the last item is refunded, of which the platform paid more than the share": {
			CartInput{Lines: []CartLine{line(500_00, 10)}, Discounts: platform(484_99)}, func(m *oracleMarket, o *oracleOrder) {
				m.use(o, o.vouchers[0], 9)
				m.refund(o, o.vouchers[0], 1)
			},
		},
		"the audit finds nothing where items worth nothing go with the last that is worth something": {
			CartInput{Lines: []CartLine{line(1, 7)}}, func(m *oracleMarket, o *oracleOrder) { m.refund(o, o.vouchers[0], 3) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := openOracleMarket(t, &result{Seed: 1})
			c.in.Fee = oracleFee
			o := &oracleOrder{who: m.buyers[0]}
			kinds := [][]*soldKind{{{price: 1, toWallet: true}}, {{price: 1, toWallet: true}}}
			m.buy(o, c.in, kinds[:len(c.in.Lines)])
			c.do(m, o)
			m.check("done")
			m.w.MustBalance()
		})
	}
}
