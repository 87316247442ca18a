package chaos

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCartOracle: of random carts, and of what becomes of their vouchers, the product's sums are the oracle's to the satang.
func TestCartOracle(t *testing.T) {
	t.Parallel()
	const short = 10_000
	carts := begin(t, "cartoracle", short)
	for carts.more() {
		carts.round(func(t *testing.T, part *result) {
			dice := rand.New(rand.NewPCG(part.Seed, 5))
			for range 1000 {
				in := randomCart(dice)
				if differs(in) {
					in = smallest(in, differs)
					require.Equal(t, oracleOfCart(in), PriceCart(in), "%+v", in)
				}
				part.count(fmt.Sprintf("%d discounts", len(in.Discounts)), 1)
			}
			part.Did = 1000
		})
	}
}

func differs(in CartInput) bool { return !reflect.DeepEqual(oracleOfCart(in), PriceCart(in)) }

// smallest makes a cart smaller as long as it still does something.
func smallest(in CartInput, does func(CartInput) bool) CartInput {
	for again := true; again; {
		again = false
		for _, smaller := range smallerCarts(in) {
			if does(smaller) {
				in, again = smaller, true
				break
			}
		}
	}
	return in
}

// smallerCarts are carts with something less, the much smaller first.
func smallerCarts(in CartInput) (carts []CartInput) {
	with := func(change func(*CartInput)) {
		smaller := CartInput{Fee: in.Fee, Agent: in.Agent, Discounts: slices.Clone(in.Discounts)}
		for _, l := range in.Lines {
			smaller.Lines = append(smaller.Lines, CartLine{l.Price, l.Quantity, slices.Clone(l.Parts), slices.Clone(l.Items)})
		}
		change(&smaller)
		carts = append(carts, smaller)
	}
	number := func(least int64, of func(*CartInput) *int64) {
		for _, n := range []int64{least, *of(&in) / 2, *of(&in) - *of(&in)%100, *of(&in) - *of(&in)%10, *of(&in) - 1} {
			if n >= least && n < *of(&in) {
				with(func(c *CartInput) { *of(c) = n })
			}
		}
	}
	for d := range in.Discounts {
		with(func(c *CartInput) { c.Discounts = slices.Delete(c.Discounts, d, d+1) })
	}
	for i := range in.Lines {
		if len(in.Lines) > 1 {
			with(func(c *CartInput) { c.remove(i) })
		}
		for part := range in.Lines[i].Parts {
			if len(in.Lines[i].Parts) > 1 {
				with(func(c *CartInput) {
					l := &c.Lines[i]
					l.Parts, l.Items = slices.Delete(l.Parts, part, part+1), slices.Delete(l.Items, part, part+1)
				})
			}
		}
	}
	for d := range in.Discounts {
		if len(in.Discounts[d].Only) > 0 {
			with(func(c *CartInput) { c.Discounts[d].Only = nil })
		}
		number(0, func(c *CartInput) *int64 { return &c.Discounts[d].Max })
		number(0, func(c *CartInput) *int64 { return &c.Discounts[d].Least })
		number(0, func(c *CartInput) *int64 { return &c.Discounts[d].Pieces })
		number(1, func(c *CartInput) *int64 { return &c.Discounts[d].Value })
	}
	number(0, func(c *CartInput) *int64 { return &c.Fee })
	number(0, func(c *CartInput) *int64 { return &c.Agent })
	for i := range in.Lines {
		number(1, func(c *CartInput) *int64 { return &c.Lines[i].Quantity })
		number(0, func(c *CartInput) *int64 { return &c.Lines[i].Price })
		for part := range in.Lines[i].Parts {
			number(0, func(c *CartInput) *int64 { return &c.Lines[i].Parts[part] })
			number(1, func(c *CartInput) *int64 { return &c.Lines[i].Items[part] })
		}
	}
	return carts
}

// remove takes a line away, and what names it. A discount that was for it alone goes too.
func (in *CartInput) remove(line int) {
	in.Lines = slices.Delete(in.Lines, line, line+1)
	in.Discounts = slices.DeleteFunc(in.Discounts, func(d CartDiscount) bool { return len(d.Only) == 1 && d.Only[0] == line })
	for d := range in.Discounts {
		var only []int
		for _, i := range in.Discounts[d].Only {
			switch {
			case i < line:
				only = append(only, i)
			case i > line:
				only = append(only, i-1)
			}
		}
		in.Discounts[d].Only = only
	}
}
