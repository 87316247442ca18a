package catalog

import (
	"time"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
)

// RefundTerms says whether who paid for a package has its unused items refunded when he changes his mind: not at all, by asking the organisation, or by
// himself; for how many days after that of the sale; and what the organisation keeps of what was paid for them.
type RefundTerms struct {
	Rule           string `json:"refund_rule" enum:"none,asking,self" doc:"Whether its payer has unused items refunded: not at all, by asking, by himself"`
	Days           int32  `json:"refund_days" minimum:"1" maximum:"365" doc:"After the day of the sale, to the end of the last one in Bangkok"`
	FeeBasisPoints int32  `json:"refund_fee_basis_points" minimum:"0" maximum:"10000" doc:"Of what was paid for the items, kept by the organisation"`
}

// lawfulDays is for how many days the law lets who bought beauty care or fitness withdraw from it.
const lawfulDays = 7

// ErrBelowLaw says that the law gives buyers of a class more.
var ErrBelowLaw = fault.New(fault.Invalid, "field.below_law", "the law gives buyers of this class more")

// Until returns the last day of a refund of what was sold at a time, as clock.Day returns a day.
func (r RefundTerms) Until(sold time.Time) time.Time {
	return clock.Day(sold).AddDate(0, 0, int(r.Days))
}

// Open reports whether the days of a refund of what was sold at a time are not over.
func (r RefundTerms) Open(sold, now time.Time) bool { return !clock.Day(now).After(r.Until(sold)) }

// Fee returns what the organisation keeps of what was paid for items, at most what it would earn by them itself.
func (r RefundTerms) Fee(paid, most money.Amount) money.Amount {
	return min(paid.Percent(int64(r.FeeBasisPoints)), max(0, most))
}

// check returns the fields that are out of their limits, or below what the law gives buyers of a class.
func (r RefundTerms) check(class string) (bad []fault.Field) {
	bad = append(bad, within("refund_days", r.Days, 1, 365)...)
	bad = append(bad, within("refund_fee_basis_points", r.FeeBasisPoints, 0, 10_000)...)
	if class == "ordinary" || len(bad) > 0 {
		return bad
	}
	if r.Rule != "self" {
		bad = append(bad, fault.Field{Path: "refund_rule", Fault: ErrBelowLaw.Code})
	}
	if r.Days < lawfulDays {
		bad = append(bad, fault.Field{Path: "refund_days", Fault: ErrBelowLaw.Code})
	}
	if r.FeeBasisPoints > 0 {
		bad = append(bad, fault.Field{Path: "refund_fee_basis_points", Fault: ErrBelowLaw.Code})
	}
	return bad
}
