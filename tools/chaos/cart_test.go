package chaos

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/money"
	"welovevoucher/tenants/discount"
	"welovevoucher/tenants/rate"
	"welovevoucher/tenants/voucher"
)

// CartInput is a cart whose discounts all go together, in satang. Rates are basis points.
type CartInput struct {
	Fee, Agent int64 // of the platform, and of the agent, on lines without a special rate; Agent is 0 without one, and then none is special
	Recruiter  int64 // of who recruited the agent, on the same lines; 0 without one, and then he has nothing of special rates either
	Lines      []CartLine
	Discounts  []CartDiscount // the older first
}

// CartLine is the pieces of one package.
type CartLine struct {
	Price    int64 // of one piece
	Quantity int64
	Parts    []int64 // the list price of each voucher that one piece issues
	Items    []int64 // and its items
	Special  *CartRate
}

// CartRate is what the agent earns of a line in place of the cart's rate.
type CartRate struct {
	Baht  bool  // Value is satang for each piece
	Value int64 // otherwise basis points

	Recruiter int64 // basis points
}

// CartDiscount is off each piece of one line, the largest of those that a line can have, or off the whole cart, one after the other by their payers
// (organisation, agent, platform), then in their order here.
type CartDiscount struct {
	OnLine  bool
	Percent bool  // Value is basis points, half up once: of the line, or of what is left of the lines that it is for
	Value   int64 // otherwise satang, off each piece or off the cart
	Max     int64 // of a line or of the cart; 0: none
	Payer   string
	Only    []int  // lines that it is for; none: all
	Stack   string // what else may go beside it: alone, with_line or all; empty: all
	Least   int64  // total of its lines: before discounts if it is on a line, after those on lines if it is on the cart
	Pieces  int64  // that its lines have at least
}

// CartAmounts is what the cart costs.
type CartAmounts struct {
	Lines []LineAmounts
	Total int64 // what the buyer pays
}

// LineAmounts are the sums of a line, and of its vouchers, piece by piece.
type LineAmounts struct {
	Discounts []int64 // by discount of the input
	Base      int64   // less what the organisation pays
	Sums      Sums
	Recruiter int64 // of the commission
	Vouchers  []Sums
}

// Sums are what a price is made of. Its buyer paid Share + Fee + Commission - Platform.
type Sums struct{ Share, Fee, Commission, Platform int64 }

// PriceCart prices a cart by the functions that the market prices it by.
func PriceCart(in CartInput) CartAmounts {
	id := func(n int) (id uuid.UUID) {
		id[14], id[15] = byte(n>>8), byte(n)
		return id
	}
	var lines []discount.Line
	for i, l := range in.Lines {
		line := discount.Line{Package: id(i + 1), Quantity: int(l.Quantity), Gross: money.Amount(l.Price * l.Quantity)}
		switch {
		case l.Special != nil && l.Special.Baht:
			line.Rate = rate.Rate{Kind: rate.Baht, Value: l.Special.Value, Recruiter: l.Special.Recruiter}
		case l.Special != nil:
			line.Rate = rate.Rate{Kind: rate.Percent, Value: l.Special.Value, Recruiter: l.Special.Recruiter}
		case in.Agent > 0:
			line.Rate = rate.Base(in.Agent, in.Recruiter)
		}
		if in.Recruiter == 0 {
			line.Rate = line.Rate.Alone()
		}
		lines = append(lines, line)
	}
	var given []*discount.Discount
	for i, d := range in.Discounts {
		one := &discount.Discount{ID: id(i + 1), How: discount.Automatic, Class: discount.OnCart, Kind: discount.Baht, Value: d.Value, Payer: discount.Payer(d.Payer), Stack: discount.Stack(d.Stack), Position: i}
		if d.Stack == "" {
			one.Stack = discount.All
		}
		one.Least, one.LeastItems = money.Amount(d.Least), int(d.Pieces)
		if d.OnLine {
			one.Class = discount.OnLine
		}
		if d.Percent {
			one.Kind = discount.Percent
		}
		if d.Max > 0 {
			most := money.Amount(d.Max)
			one.Max = &most
		}
		for _, line := range d.Only {
			one.Packages = append(one.Packages, id(line+1))
		}
		given = append(given, one)
	}
	priced := discount.Evaluate(in.Fee, lines, discount.Buyer{Now: time.Unix(0, 0), Channel: 2, First: true}, given, nil)
	out := CartAmounts{}
	for i, l := range priced.Lines {
		line := LineAmounts{Discounts: make([]int64, len(given)), Base: in.Lines[i].Price * in.Lines[i].Quantity}
		for _, s := range l.Shares {
			line.Discounts[s.Discount.Position] += int64(s.Amount)
			if s.Discount.Payer == discount.Organisation {
				line.Base -= int64(s.Amount)
			}
		}
		sums := voucher.Sums{Share: l.Share, Fee: l.Fee, Commission: l.Commission + l.Recruiter, Discount: l.Platform}
		line.Sums, line.Recruiter = plain(sums), int64(l.Recruiter)
		var weights []int64
		for range in.Lines[i].Quantity {
			weights = append(weights, in.Lines[i].Parts...)
		}
		for _, v := range sums.Divide(weights) {
			line.Vouchers = append(line.Vouchers, plain(v))
		}
		out.Lines, out.Total = append(out.Lines, line), out.Total+int64(sums.Paid())
	}
	return out
}

func plain(s voucher.Sums) Sums {
	return Sums{int64(s.Share), int64(s.Fee), int64(s.Commission), int64(s.Discount)}
}

// SliceOf is what the items of a voucher are worth beyond the first ones, up to a number of them.
func SliceOf(s Sums, total, from, to int64, baht bool) Sums {
	return plain(frozen(s).Slice(kindOf(baht), total, from, to))
}

// HeldOf is a voucher of which some items were used and some have left, as its worth stands for money.
func HeldOf(s Sums, total, used, out int64, baht bool) *voucher.Held {
	return &voucher.Held{Kind: kindOf(baht), Total: total, Left: total - used - out, Out: out, Sums: frozen(s)}
}

func kindOf(baht bool) voucher.Kind {
	if baht {
		return voucher.Baht
	}
	return voucher.Item
}

func frozen(s Sums) voucher.Sums {
	return voucher.Sums{Share: money.Amount(s.Share), Fee: money.Amount(s.Fee), Commission: money.Amount(s.Commission), Discount: money.Amount(s.Platform)}
}

func (s Sums) paid() int64 { return s.Share + s.Fee + s.Commission - s.Platform }

func (s Sums) plus(o Sums) Sums {
	return Sums{s.Share + o.Share, s.Fee + o.Fee, s.Commission + o.Commission, s.Platform + o.Platform}
}

// randomCart is a cart of anything that a shop can sell, and discounts that stack.
func randomCart(dice *rand.Rand) (in CartInput) {
	in.Fee, in.Agent = dice.Int64N(1001), dice.Int64N(2)*dice.Int64N(3001)
	if in.Agent > 0 {
		in.Recruiter = dice.Int64N(2) * dice.Int64N(2001)
	}
	for range 1 + dice.IntN(5) {
		l := CartLine{Price: dice.Int64N(1 + dice.Int64N(3_000_00)), Quantity: 1 + dice.Int64N(4)}
		for range 1 + dice.IntN(4) {
			l.Parts, l.Items = append(l.Parts, dice.Int64N(1+dice.Int64N(2_000_00))), append(l.Items, 1+dice.Int64N(9))
		}
		if in.Agent > 0 && dice.IntN(3) == 0 {
			l.Special = &CartRate{Value: dice.Int64N(5001)}
			if dice.IntN(2) == 0 {
				l.Special = &CartRate{Baht: true, Value: dice.Int64N(1 + dice.Int64N(500_00))}
			}
			l.Special.Recruiter = dice.Int64N(2) * dice.Int64N(5001)
		}
		in.Lines = append(in.Lines, l)
	}
	payers := []string{"organisation", "organisation", "agent", "platform"}
	stacks := []string{"all", "all", "all", "all", "with_line", "alone"}
	for range dice.IntN(6) {
		d := CartDiscount{OnLine: dice.IntN(2) == 0, Percent: dice.IntN(2) == 0, Payer: payers[dice.IntN(len(payers))], Max: dice.Int64N(2) * dice.Int64N(500_00)}
		d.Value = 1 + dice.Int64N(500_00)
		if d.Percent {
			d.Value = 1 + dice.Int64N(10_000)
		}
		for line := range in.Lines {
			if dice.IntN(3) == 0 {
				d.Only = append(d.Only, line)
			}
		}
		d.Stack = stacks[dice.IntN(len(stacks))]
		d.Least, d.Pieces = max(0, dice.Int64N(4)-2)*dice.Int64N(10_000_00), max(0, dice.Int64N(8)-4)
		in.Discounts = append(in.Discounts, d)
	}
	return in
}

// TestCart: of random carts whose discounts stack, no sum falls below zero, and every sum is that of its parts: lines, vouchers, and slices of these in
// any order.
func TestCart(t *testing.T) {
	t.Parallel()
	const short = 10_000
	carts := begin(t, "cart", short)
	for carts.more() {
		carts.round(func(t *testing.T, part *result) {
			dice := rand.New(rand.NewPCG(part.Seed, 4))
			for range 1000 {
				in := randomCart(dice)
				out := PriceCart(in)
				total := int64(0)
				for i, line := range out.Lines {
					checkLine(t, in, i, line, dice)
					total += line.Sums.paid()
				}
				require.Equal(t, total, out.Total)
				part.count(fmt.Sprintf("%d discounts", len(in.Discounts)), 1)
			}
			part.Did = 1000
		})
	}
}

func checkLine(t *testing.T, in CartInput, i int, line LineAmounts, dice *rand.Rand) {
	t.Helper()
	gross, off, by := in.Lines[i].Price*in.Lines[i].Quantity, int64(0), map[string]int64{}
	for d, amount := range line.Discounts {
		require.GreaterOrEqual(t, amount, int64(0))
		off += amount
		by[in.Discounts[d].Payer] += amount
	}
	s := line.Sums
	require.GreaterOrEqual(t, min(s.Share, s.Fee, s.Commission, s.Platform, s.Share-s.Platform, s.paid()), int64(0), "%+v", in)
	require.Equal(t, gross-off, s.paid(), "%+v", in)
	require.Equal(t, gross-by["organisation"], line.Base)
	require.Equal(t, roundHalfUp(line.Base, in.Fee), s.Fee)
	commission, recruiter := roundHalfUp(line.Base, in.Agent), in.Recruiter
	if special := in.Lines[i].Special; special != nil {
		if commission = roundHalfUp(line.Base, special.Value); special.Baht {
			commission = special.Value * in.Lines[i].Quantity
		}
		if recruiter > 0 {
			recruiter = special.Recruiter
		}
	}
	require.Equal(t, min(commission, line.Base-s.Fee)-by["agent"], s.Commission-line.Recruiter)
	require.Equal(t, min(roundHalfUp(line.Base, recruiter), line.Base-s.Fee-min(commission, line.Base-s.Fee)), line.Recruiter)
	require.Equal(t, by["platform"], s.Platform)

	sum := Sums{}
	for n, v := range line.Vouchers {
		require.GreaterOrEqual(t, min(v.Share, v.Fee, v.Commission, v.Platform, v.Share-v.Platform), int64(0), "%+v", in)
		sum = sum.plus(v)
		items, slices := in.Lines[i].Items[n%len(in.Lines[i].Items)], Sums{}
		for from := int64(0); from < items; {
			to := from + 1 + dice.Int64N(items-from)
			slices = slices.plus(SliceOf(v, items, from, to, false))
			from = to
		}
		require.Equal(t, v, slices)
	}
	require.Equal(t, s, sum, "%+v", in)
}
