package chaos

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/rate"
	"welovevoucher/tenants/tax"
)

// taxedAs is what a payee is for the tax on what he is paid.
type taxedAs struct{ Company, Resident, VAT bool }

// oracleYear is what a payee was paid in a calendar year, what is taxed of it and what was withheld.
type oracleYear struct{ taxable, withheld int64 }

// vatOf is the VAT in an amount, by a rate in basis points of what is without it. Of an amount below zero it is below zero.
func vatOf(amount, basisPoints int64) int64 {
	if amount < 0 {
		return -vatOf(-amount, basisPoints)
	}
	return halfUp(product(fraction(basisPoints, 10_000+basisPoints), amount))
}

// oracleVAT is the rate of VAT, and the days on which it holds.
const oracleVAT, vatFirst, vatLast = 700, "2026-01-01", "2027-09-30"

// taxable is what is taxed of the sum of what a payee is paid: a registered one's VAT is not his income. It reports whether a rate of VAT is known, if one
// is needed.
func (p taxedAs) taxable(sum int64, day string) (taxed int64, known bool) {
	switch {
	case !p.VAT:
		return sum, true
	case day < vatFirst || day > vatLast:
		return 0, false
	}
	return sum - vatOf(sum, oracleVAT), true
}

// withheld is what is withheld of x, and whether a rule is known. What is more than all of x is left to the next payout.
func (p taxedAs) withheld(y oracleYear, x int64) (tax int64, known bool) {
	switch {
	case p.Company && !p.Resident:
		return 0, false
	case x <= 0:
		return 0, true
	case p.Company:
		return portion(x, 300), true
	case !p.Resident:
		return portion(x, 1500), true
	}
	return min(x, max(0, pitOf(y.taxable+x)-y.withheld)), true
}

// pitOf is the personal income tax on a year's income: half of it is an expense, at most 100,000.00, 60,000.00 are free, and of the rest each bracket has its
// rate.
func pitOf(income int64) int64 {
	if income <= 0 {
		return 0
	}
	expense := fraction(income, 2)
	if most := fraction(100_000_00, 1); expense.Cmp(most) > 0 {
		expense = most
	}
	rest := new(big.Rat).Sub(fraction(income, 1), expense)
	rest.Sub(rest, fraction(60_000_00, 1))
	sum := new(big.Rat)
	for _, b := range []struct{ from, percent int64 }{{150_000_00, 5}, {300_000_00, 5}, {500_000_00, 5}, {750_000_00, 5}, {1_000_000_00, 5}, {2_000_000_00, 5}, {5_000_000_00, 5}} {
		// What is above each of these is taxed by five percent more than what is below it.
		if above := new(big.Rat).Sub(rest, fraction(b.from, 1)); above.Sign() > 0 {
			sum.Add(sum, above.Mul(above, fraction(b.percent, 100)))
		}
	}
	return halfUp(sum)
}

// payeeYear is a random year of one payee: on each pay day he is paid a sum, of which some came back of an earlier payout and is not taxed again.
type payeeYear struct {
	Class taxedAs
	Days  []payDay
}

type payDay struct {
	Day      string
	Lines    []int64 // commissions, below zero where something was taken back
	CameBack int64
	Fails    bool
	Becomes  *taxedAs // that he is from this day on
}

func randomYear(dice *rand.Rand) (in payeeYear) {
	class := func() taxedAs {
		return taxedAs{dice.IntN(3) == 0, dice.IntN(4) > 0, dice.IntN(2) == 0}
	}
	in.Class = class()
	first := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	if dice.IntN(3) == 0 {
		first = time.Date(2027, time.January, 1, 0, 0, 0, 0, time.UTC)
	}
	at := dice.IntN(60)
	most := []int64{10, 5_000_00, 50_000_00, 400_000_00, 3_000_000_00}[dice.IntN(5)]
	for ; at < 365 && len(in.Days) < 14; at += 1 + dice.IntN(45) {
		d := payDay{Day: first.AddDate(0, 0, at).Format(time.DateOnly), Fails: dice.IntN(5) == 0}
		for range 1 + dice.IntN(4) {
			line := 1 + dice.Int64N(most)
			if dice.IntN(5) == 0 {
				line = -line
			}
			d.Lines = append(d.Lines, line)
		}
		if dice.IntN(6) == 0 {
			d.CameBack = 1 + dice.Int64N(most)
		}
		if dice.IntN(12) == 0 {
			to := class()
			d.Becomes = &to
		}
		in.Days = append(in.Days, d)
	}
	return in
}

// live has a payee paid for a year, and returns the first sum that is not the oracle's, or an empty text. What he is not paid for owing as much waits for
// the next pay day.
func (in payeeYear) live(rules tax.Rules) string {
	class, year, open := in.Class, oracleYear{}, int64(0)
	grows, changes, rated, most := true, false, int64(0), int64(0)
	for _, d := range in.Days {
		if d.Becomes != nil {
			changes = changes || *d.Becomes != class
			class = *d.Becomes
		}
		open += total(d.Lines)
		day, err := time.Parse(time.DateOnly, d.Day)
		if err != nil {
			return err.Error()
		}
		taxed, knownVAT := class.taxable(open, d.Day)
		withheld, knownTax := class.withheld(year, taxed)
		is, isTaxed, err := paidBy(rules, class, year, open, day)
		if known := knownVAT && knownTax; known != (err == nil) {
			return fmt.Sprintf("%s of %+v: a rule is known: %t, but %v", d.Day, class, known, err)
		}
		if err != nil {
			continue
		}
		if isTaxed != taxed || is != withheld {
			return fmt.Sprintf("%s of %+v after %+v: of %d are taxed %d, withheld %d, not %d and %d", d.Day, class, year, open, isTaxed, is, taxed, withheld)
		}
		if gross := open + d.CameBack; gross <= 0 || gross-withheld <= 0 || d.Fails {
			continue
		}
		year.taxable, year.withheld, open = year.taxable+taxed, year.withheld+withheld, 0
		grows, rated, most = grows && taxed >= 0, rated+withheld, max(most, pitOf(year.taxable))
	}
	switch {
	case changes:
	case !class.Company && class.Resident && year.withheld != most:
		return fmt.Sprintf("%d are withheld of a year's %d, not %d", year.withheld, year.taxable, most)
	case !class.Company && class.Resident && grows && year.withheld != pitOf(year.taxable):
		return fmt.Sprintf("%d are withheld of a year's %d that only grew, not %d", year.withheld, year.taxable, pitOf(year.taxable))
	case year.withheld != rated:
		return fmt.Sprintf("%d are withheld, not %d", year.withheld, rated)
	}
	return ""
}

// paidBy is what the product withholds of a sum, and what it takes for taxed.
func paidBy(rules tax.Rules, p taxedAs, y oracleYear, sum int64, day time.Time) (withheld, taxed int64, err error) {
	x := money.Amount(sum)
	if p.VAT {
		if x, err = rules.WithoutVAT(x, day); err != nil {
			return 0, 0, err
		}
	}
	rule, err := rules.Of(tax.Class{Company: p.Company, Resident: p.Resident}, day)
	if err != nil {
		return 0, 0, err
	}
	return int64(rule.Withhold(tax.Year{Taxable: money.Amount(y.taxable), Withheld: money.Amount(y.withheld)}, x)), int64(x), nil
}

// smallestYear makes a year smaller as long as something in it still differs.
func smallestYear(in payeeYear, rules tax.Rules) payeeYear {
	for again := true; again; {
		again = false
		for _, smaller := range in.smaller() {
			if smaller.live(rules) != "" {
				in, again = smaller, true
				break
			}
		}
	}
	return in
}

func (in payeeYear) smaller() (list []payeeYear) {
	with := func(change func(*payeeYear)) {
		smaller := payeeYear{Class: in.Class}
		for _, d := range in.Days {
			d.Lines = slices.Clone(d.Lines)
			smaller.Days = append(smaller.Days, d)
		}
		change(&smaller)
		list = append(list, smaller)
	}
	for i, d := range in.Days {
		with(func(y *payeeYear) { y.Days = slices.Delete(y.Days, i, i+1) })
		if d.CameBack > 0 {
			with(func(y *payeeYear) { y.Days[i].CameBack = 0 })
		}
		if d.Fails {
			with(func(y *payeeYear) { y.Days[i].Fails = false })
		}
		if d.Becomes != nil {
			with(func(y *payeeYear) { y.Days[i].Becomes = nil })
		}
		for n, line := range d.Lines {
			if len(d.Lines) > 1 {
				with(func(y *payeeYear) { y.Days[i].Lines = slices.Delete(y.Days[i].Lines, n, n+1) })
			}
			for _, less := range []int64{line / 2, line - line%100_00, line - line%100} {
				if less != line {
					with(func(y *payeeYear) { y.Days[i].Lines[n] = less })
				}
			}
		}
	}
	return list
}

// TestYearOracle: of random years of a payee the product taxes and withholds what the oracle does, to the satang; of a year that only grew, the tax on it.
func TestYearOracle(t *testing.T) {
	t.Parallel()
	const short = 10_000
	years := begin(t, "yearoracle", short)
	rules, err := tax.Read(t.Context(), dbtest.Open(t).DB)
	require.NoError(t, err)
	for years.more() {
		years.round(func(t *testing.T, part *result) {
			dice := rand.New(rand.NewPCG(part.Seed, 7))
			for range 1000 {
				in := randomYear(dice)
				if in.live(rules) != "" {
					in = smallestYear(in, rules)
					require.Empty(t, in.live(rules), "%+v", in)
				}
				earned(t, dice)
				part.count(fmt.Sprintf("%d pay days", len(in.Days)), 1)
			}
			part.Did = 1000
		})
	}
}

// earned compares what an agent earns of a line, and from when a use counts.
func earned(t *testing.T, dice *rand.Rand) {
	base, pieces, value := dice.Int64N(1+dice.Int64N(3_000_000_00)), 1+dice.IntN(9), dice.Int64N(rate.MaxPercent+1)
	require.EqualValues(t, portion(base, value), rate.Rate{Kind: rate.Percent, Value: value}.Of(money.Amount(base), pieces), "%d of %d", value, base)
	require.EqualValues(t, portion(base, value), rate.Base(value, 0).Of(money.Amount(base), pieces), "%d of %d", value, base)
	require.EqualValues(t, value*int64(pieces), rate.Rate{Kind: rate.Baht, Value: value}.Of(money.Amount(base), pieces), "%d a piece", value)

	// Two days after the use's, at midnight in Bangkok, which is always seven hours before UTC.
	use := time.Unix(1_767_200_400+dice.Int64N(2*365*24*3600), dice.Int64N(1_000_000_000))
	const day = 24 * 3600
	midnight := (use.Unix()+7*3600)/day*day - 7*3600 + 2*day
	require.Equal(t, midnight, commission.CountsFrom(use).Unix(), "%s", use.In(clock.Bangkok))
}

// TestYearExample: the oracle finds what was counted by hand, and so does the product.
func TestYearExample(t *testing.T) {
	t.Parallel()
	rules, err := tax.Read(t.Context(), dbtest.Open(t).DB)
	require.NoError(t, err)
	nok, firm, abroad := taxedAs{Resident: true}, taxedAs{Company: true, Resident: true, VAT: true}, taxedAs{}
	withheld := func(p taxedAs, y oracleYear, sum int64, date string) int64 {
		t.Helper()
		day, err := time.Parse(time.DateOnly, date)
		require.NoError(t, err)
		taxed, known := p.taxable(sum, date)
		require.True(t, known)
		want, known := p.withheld(y, taxed)
		require.True(t, known)
		is, isTaxed, err := paidBy(rules, p, y, sum, day)
		require.NoError(t, err)
		require.Equal(t, []int64{taxed, want}, []int64{isTaxed, is})
		return want
	}
	// The example of a December in the design of payouts.
	require.Equal(t, int64(500_00), pitOf(320_000_00))
	require.Equal(t, int64(51_75), withheld(nok, oracleYear{320_000_00, 500_00}, 1_034_90, "2026-12-16"))
	require.Equal(t, int64(14_02), withheld(firm, oracleYear{}, 500_00, "2026-12-16"))
	require.Equal(t, int64(573_64), pitOf(321_472_89))
	require.Equal(t, int64(21_89), withheld(nok, oracleYear{321_034_90, 551_75}, 500_00-62_01, "2026-12-29"))
	require.Equal(t, int64(28_04), withheld(firm, oracleYear{}, 1_000_00, "2026-12-29"))
	require.Equal(t, int64(150_00), withheld(abroad, oracleYear{}, 1_000_00, "2026-12-29"))

	for income, due := range map[int64]int64{310_000_00: 0, 360_000_00: 2_500_00, 600_000_00: 21_500_00, 1_200_000_00: 125_000_00} {
		require.Equal(t, due, pitOf(income))
		require.Equal(t, due, withheld(nok, oracleYear{}, income, "2026-06-30"))
	}
	year := oracleYear{}
	for month := range 12 {
		w := withheld(nok, year, 30_000_00, fmt.Sprintf("2026-%02d-28", month+1))
		require.Equal(t, []int64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1_000_00, 1_500_00}[month], w)
		year.taxable, year.withheld = year.taxable+30_000_00, year.withheld+w
	}
	for amount, vat := range map[int64]int64{999_00: 65_36, 930_06: 60_85, 310_01: 20_28, 7: 0, 8: 1} {
		require.Equal(t, vat, vatOf(amount, oracleVAT))
		taxed, err := rules.WithoutVAT(money.Amount(amount), time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC))
		require.NoError(t, err)
		require.EqualValues(t, amount-vat, taxed)
	}
}
