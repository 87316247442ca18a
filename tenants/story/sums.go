package story

import (
	"welovevoucher/platform/money"
	"welovevoucher/tenants/voucher"
)

// Sums say where the money is that was paid for vouchers. They add up to what was paid.
type Sums struct {
	Used     money.Amount `json:"used_satang"`
	Unused   money.Amount `json:"unused_satang" doc:"Kept until it is used"`
	Frozen   money.Amount `json:"frozen_satang" doc:"Kept, and on hold because of money that was asked back"`
	Expired  money.Amount `json:"expired_satang"`
	Returned money.Amount `json:"returned_satang" doc:"Of items that were taken back"`
	Split    money.Amount `json:"split_satang" doc:"Of items that became vouchers of their own; 0 of an order, where these are counted themselves"`
}

// units are the items of a voucher and what is left of them.
type units struct {
	Kind             voucher.Kind
	State            voucher.State
	Total, Left, Out int64
	Sums             voucher.Sums
	IsSlice          bool // and so counted in its parent's sums
}

// left returns what was paid for the items that are left.
func (u units) left() money.Amount { return u.paid(u.Total-u.Out-u.Left, u.Total-u.Out) }

func (u units) paid(from, to int64) money.Amount {
	return u.Sums.Slice(u.Kind, u.Total, from, to).Paid()
}

// add counts a voucher. What left it counts as returned, until a slice is added that it became.
func (s *Sums) add(u units) {
	s.Used += u.paid(0, u.Total-u.Out-u.Left)
	s.Returned += u.paid(u.Total-u.Out, u.Total)
	if u.IsSlice {
		s.Returned -= u.Sums.Paid()
	}
	switch u.State {
	case voucher.Frozen:
		s.Frozen += u.left()
	case voucher.Expired:
		s.Expired += u.left()
	case voucher.Refunded, voucher.Void:
		s.Returned += u.left()
	default:
		s.Unused += u.left()
	}
}
