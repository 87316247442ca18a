package catalog_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/catalog"
)

func TestRefundTerms(t *testing.T) {
	t.Run("seven days end with the seventh day after that of the sale in Bangkok, at whatever hour it was", func(t *testing.T) {
		terms := catalog.RefundTerms{Days: 7}
		for _, at := range []time.Time{time.Date(2026, 11, 20, 0, 0, 0, 0, clock.Bangkok), time.Date(2026, 11, 20, 23, 59, 59, 0, clock.Bangkok)} {
			require.Equal(t, "2026-11-27", terms.Until(at).Format(time.DateOnly))
			require.True(t, terms.Open(at, time.Date(2026, 11, 27, 23, 59, 59, 0, clock.Bangkok)))
			require.False(t, terms.Open(at, time.Date(2026, 11, 28, 0, 0, 0, 0, clock.Bangkok)))
		}
	})

	t.Run("the fee is rounded half up, and at most what the organisation would have earned", func(t *testing.T) {
		for _, c := range []struct {
			bp               int32
			paid, most, want money.Amount
		}{{500, 620_05, 539_44, 31_00}, {5000, 1, 1, 1}, {10_000, 620_05, 539_44, 539_44}, {0, 620_05, 539_44, 0}, {500, 620_05, -5, 0}} {
			require.Equal(t, c.want, catalog.RefundTerms{FeeBasisPoints: c.bp}.Fee(c.paid, c.most))
		}
	})
}

// TestRefundTermsByLaw: what the law gives who bought beauty care or fitness is not weakened by a form.
func TestRefundTermsByLaw(t *testing.T) {
	s := newShop(t)
	save := func(class string, terms catalog.RefundTerms) []string {
		p := s.complete()
		p.Class, p.RefundTerms = class, terms
		_, err := savePackage(s, p)
		if err == nil {
			return nil
		}
		return fields(err)
	}
	for _, class := range []string{"beauty", "fitness"} {
		require.Empty(t, save(class, catalog.RefundTerms{Rule: "self", Days: 7}))
		require.Empty(t, save(class, catalog.RefundTerms{Rule: "self", Days: 30}))
		require.Equal(t, []string{"refund_rule field.below_law"}, save(class, catalog.RefundTerms{Rule: "asking", Days: 7}))
		require.Equal(t, []string{"refund_rule field.below_law", "refund_days field.below_law", "refund_fee_basis_points field.below_law"},
			save(class, catalog.RefundTerms{Rule: "none", Days: 6, FeeBasisPoints: 1}))
	}
	require.Empty(t, save("ordinary", catalog.RefundTerms{Rule: "none", Days: 1, FeeBasisPoints: 10_000}))
	require.Equal(t, []string{"refund_days field.too_small", "refund_fee_basis_points field.too_big"}, save("ordinary", catalog.RefundTerms{Rule: "none", FeeBasisPoints: 10_001}))
}
