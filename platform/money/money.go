// Package money represents amounts as integers of satang (1/100 baht). No float is used for an amount.
package money

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Amount is an amount in satang. JSON fields and columns (bigint) of amounts end in _satang.
type Amount int64

// Baht is 100 satang.
const Baht Amount = 100

// Max is the largest amount of a single entry: 10^13 satang.
const Max Amount = 10_000_000_000_000

// ErrFormat is returned by Parse for a text that is not baht with at most two decimals.
var ErrFormat = errors.New("money: not an amount in baht")

// ErrOverMax is returned for a product or a sum that is negative or above Max.
var ErrOverMax = errors.New("money: out of bounds")

// Times returns n·a. It returns ErrOverMax, also if a or n is negative.
func (a Amount) Times(n int) (Amount, error) {
	if a < 0 || n < 0 || n > 0 && a > Max/Amount(n) {
		return 0, ErrOverMax
	}
	return a * Amount(n), nil
}

// Plus returns a + b. It returns ErrOverMax, also if one of them is negative.
func (a Amount) Plus(b Amount) (Amount, error) {
	if a < 0 || b < 0 || a > Max || b > Max-a {
		return 0, ErrOverMax
	}
	return a + b, nil
}

// String formats the amount in baht with thousands separators and two decimals; zero is 0.00.
func (a Amount) String() string {
	sign, n := "", uint64(a) //nolint:gosec // what is negative is written over
	if a < 0 {
		sign, n = "-", uint64(-(a+1))+1 //nolint:gosec // -(a+1) is never negative
	}
	whole := strconv.FormatUint(n/100, 10)

	var b strings.Builder
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return fmt.Sprintf("%s%s.%02d", sign, b.String(), n%100)
}

// Parse reads "1234.50" or "1,234.5" as an amount. It returns ErrFormat for signs, more than two decimals, and amounts above Max.
func Parse(s string) (Amount, error) {
	whole, cents, dotted := strings.Cut(strings.ReplaceAll(s, ",", ""), ".")
	if whole == "" || len(whole) > 12 || len(cents) > 2 || (dotted && cents == "") {
		return 0, ErrFormat
	}
	for _, r := range whole + cents {
		if r < '0' || r > '9' {
			return 0, ErrFormat
		}
	}
	n, err := strconv.ParseInt(whole+(cents + "00")[:2], 10, 64)
	if err != nil || Amount(n) > Max {
		return 0, ErrFormat
	}
	return Amount(n), nil
}

// Share returns a·part/whole, rounded half up to a satang. It panics unless whole is positive and a and part are not negative.
func (a Amount) Share(part, whole int64) Amount {
	if a < 0 || part < 0 || whole <= 0 {
		panic(fmt.Sprintf("money: share of %d by %d/%d", a, part, whole))
	}
	n := new(big.Int).Mul(big.NewInt(int64(a)), big.NewInt(part))
	n.Add(n.Lsh(n, 1), big.NewInt(whole)) // (2·a·part + whole) / 2·whole
	return Amount(n.Quo(n, big.NewInt(2*whole)).Int64())
}

// Portion returns a·part/whole, rounded down. It panics unless whole is positive and a and part are not negative.
func (a Amount) Portion(part, whole int64) Amount {
	if a < 0 || part < 0 || whole <= 0 {
		panic(fmt.Sprintf("money: portion of %d by %d/%d", a, part, whole))
	}
	n := new(big.Int).Mul(big.NewInt(int64(a)), big.NewInt(part))
	return Amount(n.Quo(n, big.NewInt(whole)).Int64())
}

// Percent returns a share in basis points (1/100 of a percent), rounded half up.
func (a Amount) Percent(basisPoints int64) Amount { return a.Share(basisPoints, 10_000) }

// Apportion divides a by weights, by largest remainder. Each part is rounded down; the satang that are left go one each to the
// parts with the largest remainders, among equal ones to the earlier. If all weights are zero, they count as equal. It panics
// without weights, or on a negative one.
func (a Amount) Apportion(weights ...int64) []Amount {
	sum := new(big.Int) // of weights that each fit
	for _, w := range weights {
		if w < 0 {
			panic("money: negative weight")
		}
		sum.Add(sum, big.NewInt(w))
	}
	if sum.Sign() == 0 {
		weights = ones(len(weights))
		sum.SetInt64(int64(len(weights)))
	}

	parts, rest, lost := make([]Amount, len(weights)), a, make([]*big.Int, len(weights))
	for i, w := range weights {
		n := new(big.Int).Mul(big.NewInt(int64(a)), big.NewInt(w))
		n, lost[i] = n.QuoRem(n, sum, new(big.Int))
		parts[i] = Amount(n.Int64())
		rest -= parts[i]
	}
	if rest == 0 {
		return parts
	}
	order := make([]int, len(weights))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return lost[j].Cmp(lost[i]) })
	for _, i := range order[:rest] {
		parts[i]++
	}
	return parts
}

func ones(n int) []int64 {
	weights := make([]int64, n)
	for i := range weights {
		weights[i] = 1
	}
	return weights
}
