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
				out := PriceCart(in)
				if !reflect.DeepEqual(oracleOfCart(in), out) {
					in = smallest(in, differs)
					require.Equal(t, oracleOfCart(in), PriceCart(in), "%+v", in)
				}
				line := dice.IntN(len(in.Lines))
				n := dice.IntN(len(out.Lines[line].Vouchers))
				require.Empty(t, live(out.Lines[line].Vouchers[n], in.Lines[line].Items[n%len(in.Lines[line].Items)], dice))
				part.count(fmt.Sprintf("%d discounts", len(in.Discounts)), 1)
			}
			part.Did = 1000
		})
	}
}

// live uses, gives and takes back items of a voucher, and of those that are made of it, until none is left. It returns the first step that is not worth
// what the oracle says, or an empty text if there is none and all steps together are worth what the voucher was.
func live(sums Sums, items int64, dice *rand.Rand) string {
	baht := dice.IntN(4) == 0
	if baht {
		items *= 1 + dice.Int64N(50_00)
	}
	of, worth := []*oracleVoucher{{sums: sums, baht: baht, total: items}}, Sums{}
	for i := 0; i < len(of); i++ {
		for v := of[i]; v.left() > 0; {
			before, held, n := *v, HeldOf(v.sums, v.total, v.used, v.out, baht), 1+dice.Int64N(v.left())
			if rest, kept := plain(held.Rest()), plain(held.Kept()); rest != v.last(v.left()) || kept != v.kept() {
				return fmt.Sprintf("of %+v are left %+v, kept %+v", before, rest, kept)
			}
			var slice, is Sums
			switch dice.IntN(3) {
			case 0:
				slice, is = v.use(n), SliceOf(v.sums, v.total, before.used, before.used+n, baht)
				worth = worth.plus(slice)
			case 1:
				slice, is = v.takeBack(n), plain(held.Last(n))
				worth = worth.plus(slice)
			default:
				given := v.give(n)
				slice, is = given.sums, plain(held.Last(n))
				of = append(of, given)
			}
			if is != slice || min(is.Share, is.Fee, is.Commission, is.Platform) < 0 {
				return fmt.Sprintf("%d items of %+v are worth %+v, not %+v", n, before, is, slice)
			}
		}
	}
	if worth != sums {
		return fmt.Sprintf("%+v became %+v", sums, worth)
	}
	return ""
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
		smaller := CartInput{Fee: in.Fee, Agent: in.Agent, Recruiter: in.Recruiter, Discounts: slices.Clone(in.Discounts)}
		for _, l := range in.Lines {
			l.Parts, l.Items = slices.Clone(l.Parts), slices.Clone(l.Items)
			if l.Special != nil {
				special := *l.Special
				l.Special = &special
			}
			smaller.Lines = append(smaller.Lines, l)
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
		if in.Discounts[d].Stack != "" {
			with(func(c *CartInput) { c.Discounts[d].Stack = "" })
		}
		number(0, func(c *CartInput) *int64 { return &c.Discounts[d].Max })
		number(0, func(c *CartInput) *int64 { return &c.Discounts[d].Least })
		number(0, func(c *CartInput) *int64 { return &c.Discounts[d].Pieces })
		number(1, func(c *CartInput) *int64 { return &c.Discounts[d].Value })
	}
	number(0, func(c *CartInput) *int64 { return &c.Fee })
	least := int64(0)
	if slices.ContainsFunc(in.Lines, func(l CartLine) bool { return l.Special != nil }) {
		least = 1
	}
	number(least, func(c *CartInput) *int64 { return &c.Agent })
	number(0, func(c *CartInput) *int64 { return &c.Recruiter })
	for i := range in.Lines {
		if in.Lines[i].Special != nil {
			with(func(c *CartInput) { c.Lines[i].Special = nil })
			number(0, func(c *CartInput) *int64 { return &c.Lines[i].Special.Value })
			number(0, func(c *CartInput) *int64 { return &c.Lines[i].Special.Recruiter })
		}
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

// TestOracleExample: the oracle finds what was counted by hand, and so does the product.
func TestOracleExample(t *testing.T) {
	t.Parallel()
	one := func(price int64) CartLine {
		return CartLine{Price: price, Quantity: 1, Parts: []int64{price}, Items: []int64{1}}
	}
	priced := func(in CartInput) CartAmounts {
		require.Equal(t, oracleOfCart(in), PriceCart(in))
		return oracleOfCart(in)
	}
	code := CartDiscount{Value: 100_00, Payer: "organisation"}
	cart := priced(CartInput{Fee: 300, Agent: 1000, Lines: []CartLine{one(999_00), one(450_00)}, Discounts: []CartDiscount{code}})
	a, b := cart.Lines[0], cart.Lines[1]
	require.Equal(t, []int64{68_94, 930_06, 31_06, 418_94, 1_349_00}, []int64{a.Discounts[0], a.Base, b.Discounts[0], b.Base, cart.Total})
	require.Equal(t, []Sums{{809_15, 27_90, 93_01, 0}, {364_48, 12_57, 41_89, 0}}, []Sums{a.Sums, b.Sums})

	item, card := &oracleVoucher{sums: a.Vouchers[0], total: 3}, &oracleVoucher{sums: b.Vouchers[0], baht: true, total: 500_00}
	require.Equal(t, Sums{269_71, 9_30, 31_00, 0}, item.use(1))
	require.Equal(t, Sums{89_99, 3_10, 10_34, 0}, card.use(123_45))
	require.Equal(t, []Sums{{539_44, 18_60, 62_01, 0}, {274_49, 9_47, 31_55, 0}}, []Sums{item.last(2), card.last(card.left())})

	given := *item
	part := given.give(2)
	require.Equal(t, []int64{269_72, 269_72}, []int64{part.use(1).Share, part.use(1).Share})

	fee, commission := owes([]*oracleVoucher{item, card}, 0)
	require.Equal(t, []int64{40_47, 134_90}, []int64{fee, commission})
	_, commission = owes([]*oracleVoucher{item, card}, 1_349_00)
	require.Zero(t, commission, "none of what the bank holds back")
	require.Equal(t, []int64{310_04, 310_01}, []int64{item.takeBack(1).paid(), item.takeBack(1).paid()})
	fee, commission = owes([]*oracleVoucher{item, card}, 0)
	require.Equal(t, []int64{40_47 - 18_60, 134_90 - 62_01}, []int64{fee, commission})
	_, commission = owes([]*oracleVoucher{item, card}, 728_95-72_89)
	require.Equal(t, int64(7_29), commission, "72.89 of 728.95 are paid, and so is this much of 72.89")

	from := func(payer string, value int64) LineAmounts {
		return priced(CartInput{Fee: 300, Agent: 1000, Lines: []CartLine{one(500_00)}, Discounts: []CartDiscount{{Value: value, Payer: payer}}}).Lines[0]
	}
	require.Equal(t, Sums{435_00, 15_00, 50_00, 50_00}, from("platform", 50_00).Sums)
	require.Equal(t, Sums{435_00, 15_00, 30_00, 0}, from("agent", 20_00).Sums)
}
