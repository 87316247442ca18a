package commission

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"welovevoucher/platform/money"
)

// TestLevels: whatever is left of an order's lines and paid of that, what the agent and his recruiter have adds up to what is due, and neither has more than was sold for him.
func TestLevels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		order, parts := uuid.New(), recruiterParts{}
		due := Due{Order: order, Kept: map[int]money.Amount{}}
		var kept, sold split
		for position := range rapid.IntRange(1, 4).Draw(t, "lines") {
			whole := rapid.Int64Range(1, 100_000_00).Draw(t, "commission")
			recruiter := rapid.Int64Range(0, whole).Draw(t, "recruiter's")
			left := money.Amount(rapid.Int64Range(0, whole).Draw(t, "left"))
			sold.Whole, sold.Recruiter = sold.Whole+money.Amount(whole), sold.Recruiter+money.Amount(recruiter)
			kept.Whole += left
			due.Kept[position] = left
			if recruiter > 0 {
				parts[line{order, position}] = split{money.Amount(whole), money.Amount(recruiter)}
				kept.Recruiter += (2*left*money.Amount(recruiter) + money.Amount(whole)) / money.Amount(2*whole)
			}
		}
		require.Equal(t, kept, parts.kept(due))
		price := money.Amount(rapid.Int64Range(1, 100_000_00).Draw(t, "price"))
		paid := money.Amount(rapid.Int64Range(0, int64(price)).Draw(t, "paid"))
		seller, recruiter := kept.of(Seller, paid, price), kept.of(Recruiter, paid, price)
		require.Equal(t, kept.Whole.Share(int64(paid), int64(price)), seller+recruiter)
		require.GreaterOrEqual(t, min(seller, recruiter), money.Amount(0))
		require.LessOrEqual(t, recruiter, sold.Recruiter)
		require.LessOrEqual(t, seller, sold.Whole-sold.Recruiter)
		require.Equal(t, kept.Recruiter, kept.of(Recruiter, price, price), "all of it once it is paid")
	})
}

func TestNothingLeftOrPaid(t *testing.T) {
	require.Zero(t, split{100, 30}.of(Seller, 0, 0))
	require.Equal(t, []money.Amount{2, 1}, []money.Amount{split{5, 3}.of(Recruiter, 1, 2), split{5, 3}.of(Seller, 1, 2)}, "2.5 of 5 half up are 3, of which 1.5 half up are 2")
}
