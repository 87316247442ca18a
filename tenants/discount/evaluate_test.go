package discount

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/rate"
	"welovevoucher/tenants/voucher"
)

// numbered is a discount's or a package's id; the smaller number is the older.
func numbered(n int) (id uuid.UUID) {
	id[14], id[15] = byte(n>>8), byte(n)
	return id
}

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// cart has a line of one piece for each price; the packages are numbered from 1.
func cart(prices ...money.Amount) (lines []Line) {
	for i, p := range prices {
		lines = append(lines, Line{Package: numbered(i + 1), Quantity: 1, Gross: p})
	}
	return lines
}

// off is a discount on the cart that stacks with everything and that the organisation pays.
func off(id int, satang int64, change ...func(*Discount)) *Discount {
	d := &Discount{ID: numbered(id), NameEN: fmt.Sprint("d", id), How: Automatic, Class: OnCart, Kind: Baht, Value: satang, Payer: Organisation, Stack: All}
	for _, f := range change {
		f(d)
	}
	return d
}

func onLine(d *Discount)   { d.Class = OnLine }
func percent(d *Discount)  { d.Kind = Percent }
func alone(d *Discount)    { d.Stack = Alone }
func withLine(d *Discount) { d.Stack = WithLine }
func agents(d *Discount)   { d.Payer = Agent }
func platforms(d *Discount) {
	d.Payer = Platform
}

func only(packages ...int) func(*Discount) {
	return func(d *Discount) {
		for _, n := range packages {
			d.Packages = append(d.Packages, numbered(n))
		}
	}
}

func coded(d *Discount) { d.How = OneCode }

func evaluate(fee int64, lines []Line, discounts ...*Discount) Result {
	buyer := Buyer{Now: noon, Channel: 2, First: true}
	for _, d := range discounts {
		if d.How != Automatic {
			buyer.Codes = append(buyer.Codes, Code{Text: d.NameEN, Discount: d.ID})
		}
	}
	return Evaluate(fee, lines, buyer, discounts, nil)
}

// TestExamples: what each payer pays of a price, in satang.
func TestExamples(t *testing.T) {
	for name, of := range map[string]struct {
		cart      []Line
		discounts []*Discount
		shares    []money.Amount
		split     []Split
		paid      []money.Amount
	}{
		"the organisation pays 100 of 1,449": {
			cart(999_00, 450_00),
			[]*Discount{off(1, 100_00, coded)},
			[]money.Amount{68_94, 31_06},
			[]Split{{Share: 809_15, Fee: 27_90, Commission: 93_01}, {Share: 364_48, Fee: 12_57, Commission: 41_89}},
			[]money.Amount{930_06, 418_94},
		},
		"the platform pays 50 of 500": {
			cart(500_00),
			[]*Discount{off(1, 50_00, platforms)},
			[]money.Amount{50_00},
			[]Split{{Share: 435_00, Fee: 15_00, Commission: 50_00, Platform: 50_00}},
			[]money.Amount{450_00},
		},
		"the agent pays 20 of 500": {
			cart(500_00),
			[]*Discount{off(1, 20_00, agents)},
			[]money.Amount{20_00},
			[]Split{{Share: 435_00, Fee: 15_00, Commission: 30_00}},
			[]money.Amount{480_00},
		},
		"the agent pays no more than he earns": {
			cart(500_00),
			[]*Discount{off(1, 80_00, agents)},
			[]money.Amount{50_00},
			[]Split{{Share: 435_00, Fee: 15_00}},
			[]money.Amount{450_00},
		},
		"the platform pays no more than the share": {
			cart(500_00),
			[]*Discount{off(1, 500_00, platforms)},
			[]money.Amount{435_00},
			[]Split{{Share: 435_00, Fee: 15_00, Commission: 50_00, Platform: 435_00}},
			[]money.Amount{65_00},
		},
		"everything is free": {
			cart(500_00), []*Discount{off(1, 10_000, percent)}, []money.Amount{500_00}, []Split{{}}, []money.Amount{0},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for i := range of.cart {
				of.cart[i].Rate = rate.Base(1000, 0)
			}
			got := evaluate(300, of.cart, of.discounts...)
			for i, l := range got.Lines {
				require.Equal(t, of.split[i], l.Split)
				require.Equal(t, of.paid[i], l.Paid())
				require.Len(t, l.Shares, 1)
				require.Equal(t, of.shares[i], l.Shares[0].Amount)
			}
			require.Empty(t, got.Lost)
		})
	}
}

func TestOrder(t *testing.T) {
	taken := func(r Result) map[string]money.Amount {
		sums := map[string]money.Amount{}
		for _, g := range r.Given {
			sums[g.Discount.NameEN] = g.Amount
		}
		return sums
	}
	type sums = map[string]money.Amount
	for name, of := range map[string]struct {
		cart      []Line
		discounts []*Discount
		want      sums
	}{
		"a line takes its best, and the older of equal ones": {
			cart(100_00, 200_00), []*Discount{off(2, 10_00, onLine), off(1, 10_00, onLine), off(3, 15_00, onLine, only(2))}, sums{"d1": 10_00, "d3": 15_00},
		},
		"a discount in baht is off each piece": {
			[]Line{{Package: numbered(1), Quantity: 3, Gross: 300_00}}, []*Discount{off(1, 10_00, onLine)}, sums{"d1": 30_00},
		},
		"no piece costs less than nothing": {
			[]Line{{Package: numbered(1), Quantity: 3, Gross: 300_00}}, []*Discount{off(1, 101_00, onLine)}, sums{"d1": 300_00},
		},
		"one on the cart is counted of what the lines' leave, and by position": {
			cart(100_00, 100_00), []*Discount{
				off(1, 1000, percent, onLine, only(1)), off(2, 1000, percent, func(d *Discount) { d.Position = 2 }), off(3, 90_00, func(d *Discount) { d.Position = 1 }),
			}, sums{"d1": 10_00, "d3": 90_00, "d2": 10_00},
		},
		"the largest that a cap allows": {
			cart(1000_00), []*Discount{off(1, 2000, percent, func(d *Discount) { m := money.Amount(50_00); d.Max = &m })}, sums{"d1": 50_00},
		},
		"alone: it is kept where it gives more than the others together": {
			cart(100_00), []*Discount{off(1, 30_00, alone), off(2, 10_00), off(3, 15_00)}, sums{"d1": 30_00},
		},
		"alone: it is lost where it gives less": {
			cart(100_00), []*Discount{off(1, 20_00, alone), off(2, 10_00), off(3, 15_00)}, sums{"d2": 10_00, "d3": 15_00},
		},
		"alone, and as much: the older is kept": {
			cart(100_00), []*Discount{off(2, 25_00, alone), off(1, 25_00)}, sums{"d1": 25_00},
		},
		"with discounts on lines: one on the cart beside them": {
			cart(100_00), []*Discount{off(1, 10_00, onLine), off(2, 20_00, withLine), off(3, 15_00, withLine)}, sums{"d1": 10_00, "d2": 20_00},
		},
		"with discounts on lines: not beside others on the cart": {
			cart(100_00), []*Discount{off(1, 10_00, onLine), off(2, 20_00, withLine), off(3, 15_00), off(4, 6_00)}, sums{"d1": 10_00, "d3": 15_00, "d4": 6_00},
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, of.want, taken(evaluate(300, of.cart, of.discounts...)))
		})
	}
}

func TestLost(t *testing.T) {
	later, before := noon.Add(time.Hour), noon.Add(-time.Hour)
	two, none := 2, 0
	who := numbered(900)
	for name, of := range map[string]struct {
		d        *Discount
		buyer    func(*Buyer)
		standing Standing
		want     *fault.Fault // in the back office
		shown    *fault.Fault // to the buyer; nil: the same
	}{
		"not begun":                        {d: off(1, 100, coded, func(d *Discount) { d.Starts = &later }), want: ErrNotYet},
		"one of many codes, not begun":     {d: off(1, 100, func(d *Discount) { d.How, d.Starts = ManyCodes, &later }), want: ErrNotYet, shown: ErrUnknown},
		"ended":                            {d: off(1, 100, coded, func(d *Discount) { d.Ends = &before }), want: ErrEnded},
		"ends now":                         {d: off(1, 100, coded, func(d *Discount) { d.Ends = &noon }), want: ErrEnded},
		"of another channel":               {d: off(1, 100, coded, func(d *Discount) { d.Channels = []int{1} }), want: ErrChannel, shown: ErrUnknown},
		"an agent's, without one":          {d: off(1, 100, coded, agents), want: ErrNoAgent, shown: ErrUnknown},
		"of the first purchase":            {d: off(1, 100, coded, func(d *Discount) { d.FirstOnly = true }), buyer: func(b *Buyer) { b.First = false }, want: ErrFirstOnly},
		"used by him":                      {d: off(1, 100, coded, func(d *Discount) { d.UsesEach = &two }), standing: Standing{Mine: 2}, want: ErrYoursUsed},
		"used by all":                      {d: off(1, 100, coded), standing: Standing{Uses: &none}, want: ErrUsedUp},
		"its code used":                    {d: off(1, 100, coded), buyer: func(b *Buyer) { b.Codes[0].Uses = &none }, want: ErrUsedUp},
		"another's code":                   {d: off(1, 100, coded), buyer: func(b *Buyer) { b.Codes[0].Customer = &who }, want: ErrUnknown},
		"no code":                          {d: off(1, 100, coded), buyer: func(b *Buyer) { b.Codes[0].Discount = uuid.Nil }, want: ErrUnknown},
		"for other packages":               {d: off(1, 100, coded, only(9)), want: ErrOtherGoods},
		"too little in the cart":           {d: off(1, 100, coded, func(d *Discount) { d.Least = 100_01 }), want: ErrTooLittle},
		"too few in the cart":              {d: off(1, 100, coded, func(d *Discount) { d.LeastItems = 2 }), want: ErrTooFew},
		"more than its budget has":         {d: off(1, 100, coded), standing: Standing{Budget: new(money.Amount)}, want: ErrUsedUp},
		"nothing is left":                  {d: off(1, 0, coded), want: ErrNothingLeft},
		"a line's, too little in the cart": {d: off(1, 100, coded, onLine, func(d *Discount) { d.Least = 100_01 }), want: ErrTooLittle},
	} {
		t.Run(name, func(t *testing.T) {
			buyer := Buyer{Customer: numbered(901), Now: noon, Channel: 2, First: true, Codes: []Code{{Text: "ABC", Discount: of.d.ID}}}
			if of.buyer != nil {
				of.buyer(&buyer)
			}
			got := Evaluate(300, cart(100_00), buyer, []*Discount{of.d}, map[uuid.UUID]Standing{of.d.ID: of.standing})
			require.Empty(t, got.Given)
			require.Len(t, got.Lost, 1)
			require.ErrorIs(t, got.Lost[0].Err(), of.want)
			require.Equal(t, money.Amount(100_00), got.Lines[0].Paid())
			if of.shown == nil {
				of.shown = of.want
			}
			shown := got.ForBuyer()
			require.Len(t, shown, 1)
			require.Equal(t, of.shown.Code, shown[0].Fault)
			require.Equal(t, "ABC", shown[0].Code)
			if of.shown == ErrUnknown {
				require.Equal(t, Loss{Code: "ABC", Fault: ErrUnknown.Code, ForTH: []string{}, ForEN: []string{}}, Loss{
					Discount: shown[0].Discount, Code: shown[0].Code, Fault: shown[0].Fault, NameTH: shown[0].NameTH, NameEN: shown[0].NameEN, At: shown[0].At,
					Missing: shown[0].Missing, Times: shown[0].Times, ForTH: shown[0].ForTH, ForEN: shown[0].ForEN,
				}, "a guesser learns nothing")
			}
		})
	}

	t.Run("the loser is told which was kept", func(t *testing.T) {
		got := evaluate(0, cart(100_00), off(1, 10_00, coded, alone), off(2, 20_00, alone))
		require.Len(t, got.Lost, 1)
		require.ErrorIs(t, got.Lost[0].Err(), ErrNotTogether)
		require.Equal(t, "d2", got.Lost[0].OtherEN)
	})
	t.Run("what would exceed its budget makes room for the next best", func(t *testing.T) {
		budget := money.Amount(19_99)
		got := Evaluate(0, cart(100_00), Buyer{Now: noon}, []*Discount{off(1, 10_00, alone), off(2, 20_00, alone)}, map[uuid.UUID]Standing{numbered(2): {Budget: &budget}})
		require.Len(t, got.Given, 1)
		require.Equal(t, "d1", got.Given[0].Discount.NameEN)
		require.ErrorIs(t, got.Lost[0].Err(), ErrUsedUp)
	})
	t.Run("two codes of one discount count once", func(t *testing.T) {
		d := off(1, 10_00, func(d *Discount) { d.How = ManyCodes })
		got := Evaluate(0, cart(100_00), Buyer{Now: noon, Codes: []Code{{Text: "A", Discount: d.ID}, {Text: "B", Discount: d.ID}}}, []*Discount{d}, nil)
		require.Equal(t, money.Amount(90_00), got.Lines[0].Paid())
		require.ErrorIs(t, got.Lost[0].Err(), ErrNotTogether)
		require.Equal(t, "B", got.Lost[0].Code)
		got = Evaluate(0, cart(100_00), Buyer{Now: noon, Codes: []Code{{Text: "A", Discount: d.ID}, {Text: "B", Discount: d.ID, Customer: &who}}}, []*Discount{d}, nil)
		require.Equal(t, money.Amount(90_00), got.Lines[0].Paid())
		require.ErrorIs(t, got.Lost[0].Err(), ErrUnknown, "who has one learns of nobody else's")
	})
}

// TestRandomCarts: whatever stacks, no sum falls below zero, and all add up to the satang.
func TestRandomCarts(t *testing.T) {
	random := rand.New(rand.NewPCG(35, 4))
	for n := range 20_000 {
		fee, base := random.Int64N(1000), random.Int64N(3)*random.Int64N(6000)
		lines := make([]Line, 1+random.IntN(5))
		for i := range lines {
			quantity := 1 + random.IntN(4)
			lines[i] = Line{Package: numbered(i + 1), Quantity: quantity, Gross: money.Amount(quantity) * money.Amount(random.Int64N(1+random.Int64N(300_00)))}
			if lines[i].Rate = rate.Base(base, 0); random.IntN(4) == 0 {
				lines[i].Rate = rate.Rate{Kind: rate.Baht, Value: random.Int64N(100_00)}
			}
		}
		discounts := make([]*Discount, random.IntN(7))
		for i := range discounts {
			d := off(i+1, 1+random.Int64N(200_00))
			d.Class = []Class{OnLine, OnCart}[random.IntN(2)]
			if random.IntN(2) == 0 {
				d.Kind, d.Value = Percent, 1+random.Int64N(10_000)
			}
			d.Payer, d.Stack, d.Position = payers[random.IntN(3)], []Stack{All, All, WithLine, Alone}[random.IntN(4)], random.IntN(3)
			for p := range lines {
				if random.IntN(3) == 0 {
					d.Packages = append(d.Packages, numbered(p+1))
				}
			}
			if random.IntN(4) == 0 {
				m := money.Amount(random.Int64N(50_00))
				d.Max = &m
			}
			d.Least = money.Amount(random.Int64N(2) * random.Int64N(300_00))
			discounts[i] = d
		}
		got := evaluate(fee, lines, discounts...)
		again := evaluate(fee, lines, discounts...)
		require.Equal(t, got, again)
		require.Len(t, discounts, len(got.Given)+len(got.Lost), n)

		given := map[*Discount]money.Amount{}
		for i, l := range got.Lines {
			by := map[Payer]money.Amount{}
			for _, s := range l.Shares {
				require.Positive(t, s.Amount)
				by[s.Discount.Payer] += s.Amount
				given[s.Discount] += s.Amount
				require.True(t, s.Discount.isFor(lines[i].Package))
			}
			require.GreaterOrEqual(t, min(l.Share, l.Fee, l.Commission, l.Platform, l.Paid()), money.Amount(0), n)
			require.LessOrEqual(t, l.Platform, l.Share)
			require.Equal(t, by[Platform], l.Platform, n)
			require.Equal(t, lines[i].Gross-by[Organisation]-by[Agent]-by[Platform], l.Paid(), n)
			require.Equal(t, lines[i].Gross-by[Organisation], l.Share+l.Fee+l.Commission+by[Agent], n)
			require.Equal(t, (lines[i].Gross - by[Organisation]).Percent(fee), l.Fee)

			weights := make([]int64, 1+random.IntN(8))
			for j := range weights {
				weights[j] = random.Int64N(1 + random.Int64N(1000))
			}
			line, sum := voucher.Sums{Share: l.Share, Fee: l.Fee, Commission: l.Commission, Discount: l.Platform}, voucher.Sums{}
			for _, v := range line.Divide(weights) {
				require.GreaterOrEqual(t, min(v.Share, v.Fee, v.Commission, v.Discount, v.Share-v.Discount), money.Amount(0))
				sum = sum.Plus(v)
			}
			require.Equal(t, line, sum)
		}
		for _, g := range got.Given {
			require.Equal(t, given[g.Discount], g.Amount)
		}
	}
}
