package chaos

import (
	"cmp"
	"math/big"
	"slices"
)

// The oracle says once more what a cart costs and what becomes of its money: from the rules alone, in fractions, and with nothing of the product.
// It is slow and plain. What it rounds, it rounds where a rule says so.

// fraction is n of m.
func fraction(n, m int64) *big.Rat { return big.NewRat(n, m) }

func product(x *big.Rat, n int64) *big.Rat { return new(big.Rat).Mul(x, new(big.Rat).SetInt64(n)) }

// down is the whole satang of x, which is not below zero.
func down(x *big.Rat) int64 { return new(big.Int).Quo(x.Num(), x.Denom()).Int64() }

// halfUp is the nearest satang, and the upper one of two that are as near.
func halfUp(x *big.Rat) int64 { return down(new(big.Rat).Add(x, fraction(1, 2))) }

// portion is so many basis points of an amount.
func portion(amount, basisPoints int64) int64 {
	return halfUp(product(fraction(basisPoints, 10_000), amount))
}

// spread divides an amount by weights: each share is rounded down, and the satang that are left go one each to those that lost most by that, the
// earlier first. Weights that are all zero are equal.
func spread(amount int64, weights []int64) []int64 {
	whole := total(weights)
	if whole == 0 {
		weights = slices.Repeat([]int64{1}, len(weights))
		whole = int64(len(weights))
	}
	shares, lost, order := make([]int64, len(weights)), make([]*big.Rat, len(weights)), make([]int, len(weights))
	for i, weight := range weights {
		exact := product(fraction(weight, whole), amount)
		shares[i], order[i] = down(exact), i
		lost[i] = exact.Sub(exact, fraction(shares[i], 1))
	}
	slices.SortStableFunc(order, func(a, b int) int { return lost[b].Cmp(lost[a]) })
	for _, i := range order[:amount-total(shares)] {
		shares[i]++
	}
	return shares
}

func total(amounts []int64) (sum int64) {
	for _, amount := range amounts {
		sum += amount
	}
	return sum
}

// oracleOfCart prices a cart. Of the discounts that cannot all go together it gives those that cost the buyer least, and among equal ones the older, and
// rather more than fewer.
func oracleOfCart(in CartInput) CartAmounts {
	sets := together(in.Discounts)
	best := priced(in, sets[0])
	for _, given := range sets[1:] {
		c := priced(in, given)
		if d := cmp.Compare(c.paid(), best.paid()); d < 0 || d == 0 && slices.Compare(c.wanted(), best.wanted()) < 0 {
			best = c
		}
	}
	return best.amounts()
}

// together are the largest sets of discounts that all go beside each other, those with the oldest first.
func together(discounts []CartDiscount) (sets [][]int) {
	beside := func(a, b CartDiscount) bool {
		return a.Stack == "" || a.Stack == "all" || a.Stack == "with_line" && b.OnLine
	}
	fits := func(set []int, d int) bool {
		return !slices.ContainsFunc(set, func(o int) bool {
			return o != d && (!beside(discounts[o], discounts[d]) || !beside(discounts[d], discounts[o]))
		})
	}
	var grow func(set []int, next int)
	grow = func(set []int, next int) {
		if next == len(discounts) {
			for d := range discounts {
				if !slices.Contains(set, d) && fits(set, d) {
					return
				}
			}
			sets = append(sets, slices.Clone(set))
			return
		}
		if fits(set, next) {
			grow(append(set, next), next+1)
		}
		grow(set, next+1)
	}
	grow(nil, 0)
	return sets
}

// oracleCart is a cart while it is priced.
type oracleCart struct {
	in    CartInput
	gross []int64
	off   [][]int64 // of each line, by discount
}

// payersInOrder are in the order in which their discounts on the cart are counted.
var payersInOrder = []string{"organisation", "agent", "platform"}

// priced is a cart with all of these discounts that reduce it: one on each line, and after them those on the cart.
func priced(in CartInput, given []int) oracleCart {
	c := oracleCart{in: in}
	for _, l := range in.Lines {
		c.gross, c.off = append(c.gross, l.Price*l.Quantity), append(c.off, make([]int64, len(in.Discounts)))
	}
	for i := range in.Lines {
		c.reduceLine(i, given)
	}
	for _, payer := range payersInOrder {
		for _, d := range given {
			if one := in.Discounts[d]; !one.OnLine && one.Payer == payer && c.reaches(d) {
				c.reduceCart(d)
				c.keepWithin()
			}
		}
	}
	return c
}

// reduceLine gives a line the discount that takes most off it, among equal ones the oldest.
func (c oracleCart) reduceLine(i int, given []int) {
	best, off := -1, int64(0)
	for _, d := range given {
		one := c.in.Discounts[d]
		if !one.OnLine || !one.touches(i) || !c.reaches(d) {
			continue
		}
		amount := one.Value * c.in.Lines[i].Quantity
		if one.Percent {
			amount = portion(c.gross[i], one.Value)
		}
		if amount = min(one.capped(amount), c.room(i, one.Payer)); amount > off {
			best, off = d, amount
		}
	}
	if best >= 0 {
		c.off[i][best] = off
	}
}

// reduceCart spreads a discount over the lines that it may touch, by what is left of them.
func (c oracleCart) reduceCart(d int) {
	one, left := c.in.Discounts[d], make([]int64, len(c.gross))
	for i := range c.gross {
		if one.touches(i) {
			left[i] = c.left(i)
		}
	}
	amount := one.Value
	if one.Percent {
		amount = portion(total(left), one.Value)
	}
	for i, share := range spread(min(one.capped(amount), total(left)), left) {
		c.off[i][d] = min(share, c.room(i, one.Payer))
	}
}

// keepWithin reduces what agent and platform pay on single lines to what they can pay of a base that others have made smaller since.
func (c oracleCart) keepWithin() {
	for i := range c.gross {
		for d, off := range c.off[i] {
			if payer := c.in.Discounts[d].Payer; payer != "organisation" && off > 0 {
				c.off[i][d] = 0
				c.off[i][d] = min(off, c.room(i, payer))
			}
		}
	}
}

// room is what one more discount of a payer's can take off a line: an agent pays at most his commission, the platform at most the share.
func (c oracleCart) room(i int, payer string) int64 {
	_, s := c.split(i)
	switch payer {
	case "agent":
		return min(c.left(i), s.Commission-c.paidBy(i, payer))
	case "platform":
		return min(c.left(i), s.Share-c.paidBy(i, payer))
	default:
		return c.left(i)
	}
}

// split splits a line's price before what agent and platform pay of it.
func (c oracleCart) split(i int) (base int64, s Sums) {
	base = c.gross[i] - c.paidBy(i, "organisation")
	s.Fee = portion(base, c.in.Fee)
	s.Commission = min(c.earned(i, base), base-s.Fee)
	s.Share = base - s.Fee - s.Commission - c.recruiter(i, base, s)
	return base, s
}

// earned is what the agent would have of a line if nothing else was taken of it.
func (c oracleCart) earned(i int, base int64) int64 {
	switch special := c.in.Lines[i].Special; {
	case special == nil:
		return portion(base, c.in.Agent)
	case special.Baht:
		return c.in.Lines[i].Quantity * special.Value
	default:
		return portion(base, special.Value)
	}
}

// recruiter is what who recruited the agent has of a line, of what the agent's own part leaves of it.
func (c oracleCart) recruiter(i int, base int64, s Sums) int64 {
	rate := c.in.Recruiter
	if special := c.in.Lines[i].Special; special != nil && rate > 0 {
		rate = special.Recruiter
	}
	return min(portion(base, rate), base-s.Fee-s.Commission)
}

func (c oracleCart) left(i int) int64 { return c.gross[i] - total(c.off[i]) }

func (c oracleCart) paidBy(i int, payer string) (sum int64) {
	for d, off := range c.off[i] {
		if c.in.Discounts[d].Payer == payer {
			sum += off
		}
	}
	return sum
}

// paid is what the buyer pays.
func (c oracleCart) paid() (sum int64) {
	for i := range c.gross {
		sum += c.left(i)
	}
	return sum
}

// wanted are the discounts that reduce it, the oldest first, and one that is younger than all: so of two carts that begin alike the one with more comes
// first.
func (c oracleCart) wanted() (list []int) {
	for d := range c.in.Discounts {
		if slices.ContainsFunc(c.off, func(off []int64) bool { return off[d] > 0 }) {
			list = append(list, d)
		}
	}
	return append(list, len(c.in.Discounts))
}

// reaches says whether a discount's least total and number of pieces are there: before discounts if it is on a line, less what discounts on lines take
// when its turn comes if it is on the cart.
func (c oracleCart) reaches(d int) bool {
	one, sum, pieces := c.in.Discounts[d], int64(0), int64(0)
	for i := range c.gross {
		if !one.touches(i) {
			continue
		}
		sum, pieces = sum+c.gross[i], pieces+c.in.Lines[i].Quantity
		for other, off := range c.off[i] {
			if !one.OnLine && c.in.Discounts[other].OnLine {
				sum -= off
			}
		}
	}
	return sum >= one.Least && pieces >= one.Pieces
}

func (d CartDiscount) touches(line int) bool {
	return len(d.Only) == 0 || slices.Contains(d.Only, line)
}

func (d CartDiscount) capped(amount int64) int64 {
	if d.Max > 0 {
		return min(amount, d.Max)
	}
	return amount
}

// amounts are the sums of each line, and of its vouchers by their list prices.
func (c oracleCart) amounts() (out CartAmounts) {
	for i, l := range c.in.Lines {
		line := LineAmounts{Discounts: c.off[i]}
		line.Base, line.Sums = c.split(i)
		line.Recruiter = c.recruiter(i, line.Base, line.Sums)
		line.Sums.Commission += line.Recruiter - c.paidBy(i, "agent")
		line.Sums.Platform = c.paidBy(i, "platform")
		line.Vouchers = divided(line.Sums, slices.Repeat(l.Parts, int(l.Quantity)))
		out.Lines, out.Total = append(out.Lines, line), out.Total+line.Sums.paid()
	}
	return out
}

// divided divides sums, each for itself. The platform pays at most the share of each voucher, too: what is above that is spread over what it does not
// pay of the others.
func divided(s Sums, weights []int64) []Sums {
	share, fee, commission, platform := spread(s.Share, weights), spread(s.Fee, weights), spread(s.Commission, weights), spread(s.Platform, weights)
	above, room := int64(0), make([]int64, len(weights))
	for i := range platform {
		above += max(platform[i]-share[i], 0)
		platform[i] = min(platform[i], share[i])
		room[i] = share[i] - platform[i]
	}
	vouchers := make([]Sums, len(weights))
	for i, more := range spread(above, room) {
		vouchers[i] = Sums{share[i], fee[i], commission[i], platform[i] + more}
	}
	return vouchers
}

// oracleVoucher is a voucher as it stands for money: its items are used from the front, and leave from the back, so that no order of these
// changes what all are worth.
type oracleVoucher struct {
	sums             Sums // of all items
	baht             bool
	total, used, out int64
}

func (v *oracleVoucher) left() int64 { return v.total - v.used - v.out }

// first is the worth of the first n items. Of the share of each item the platform paid the same part, by running sums.
func (v *oracleVoucher) first(n int64) Sums {
	worth := func(sum int64) int64 {
		switch {
		case n == v.total:
			return sum
		case v.baht:
			return down(product(fraction(sum, v.total), n))
		default:
			return n * down(fraction(sum, v.total))
		}
	}
	share, platform := worth(v.sums.Share), int64(0)
	if share > 0 {
		platform = down(product(fraction(v.sums.Platform, v.sums.Share), share))
	}
	return Sums{share, worth(v.sums.Fee), worth(v.sums.Commission), platform}
}

// use uses n items, and returns their worth.
func (v *oracleVoucher) use(n int64) Sums {
	v.used += n
	return v.first(v.used).minus(v.first(v.used - n))
}

// last is the worth of the last n items that are left.
func (v *oracleVoucher) last(n int64) Sums {
	return v.first(v.total - v.out).minus(v.first(v.total - v.out - n))
}

// takeBack takes the last n items back, and returns their worth.
func (v *oracleVoucher) takeBack(n int64) Sums {
	worth := v.last(n)
	v.out += n
	return worth
}

// give makes a voucher of the last n items.
func (v *oracleVoucher) give(n int64) *oracleVoucher {
	return &oracleVoucher{sums: v.takeBack(n), baht: v.baht, total: n}
}

// kept is the worth of what has not left.
func (v *oracleVoucher) kept() Sums { return v.first(v.total - v.out) }

func (s Sums) minus(o Sums) Sums {
	return Sums{s.Share - o.Share, s.Fee - o.Fee, s.Commission - o.Commission, s.Platform - o.Platform}
}

// owes is the fee and the commission that an order owes for its vouchers, those made of others among them. unpaid is what its buyer owes of its price:
// for that there is no commission.
func owes(vouchers []*oracleVoucher, unpaid int64) (fee, commission int64) {
	kept := Sums{}
	for _, v := range vouchers {
		kept = kept.plus(v.kept())
	}
	if kept.paid() == 0 {
		return kept.Fee, 0
	}
	return kept.Fee, halfUp(product(fraction(kept.paid()-unpaid, kept.paid()), kept.Commission))
}
