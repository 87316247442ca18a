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
			CartInput{Lines: []CartLine{{Price: 1000_00, Quantity: 1, Parts: []int64{1}, Items: []int64{1}}}, Discounts: []CartDiscount{ten, hundred("with_line"), hundred("all")}}, []int64{10_00, 100_00, 0},
		},
		"the same beside a younger one": {
			CartInput{Lines: []CartLine{{Price: 1000_00, Quantity: 1, Parts: []int64{1}, Items: []int64{1}}}, Discounts: []CartDiscount{hundred("with_line"), hundred("all"), ten}}, []int64{100_00, 0, 10_00},
		},
		"one for which the platform pays less": {
			CartInput{Fee: 20, Lines: []CartLine{{Price: 2_51, Quantity: 1, Parts: []int64{1}, Items: []int64{1}}}, Discounts: []CartDiscount{
				{OnLine: true, Value: 2_50, Payer: "platform"}, {Value: 1, Payer: "organisation"},
			}}, []int64{2_49, 1},
		},
		"one more, for which the platform pays less, where another set has room for none": {
			CartInput{Fee: 88, Lines: []CartLine{{Price: 258_25, Quantity: 2, Parts: []int64{1}, Items: []int64{1}}}, Discounts: []CartDiscount{
				{Value: 1, Payer: "platform"}, {OnLine: true, Value: 255_98, Payer: "platform"}, {Percent: true, Value: 11, Payer: "organisation", Stack: "with_line"},
			}}, []int64{0, 511_94, 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, oracleOfCart(c.in).Lines[0].Discounts, "the oracle")
			require.Equal(t, c.want, PriceCart(c.in).Lines[0].Discounts, "the product")
		})
	}
}
