package voucher

import "welovevoucher/platform/money"

// Sums are the parts of a voucher's price, in satang, frozen for all of its items when it was sold. The payer paid
// Share + Fee + Commission - Discount.
type Sums struct {
	Share      money.Amount // what the organisation earns by using all items
	Fee        money.Amount // the platform's fee
	Commission money.Amount // the agent's
	Discount   money.Amount // what the platform paid of the price
}

// Paid returns the sum that the payer paid.
func (s Sums) Paid() money.Amount { return s.Share + s.Fee + s.Commission - s.Discount }

// Plus is both.
func (s Sums) Plus(o Sums) Sums {
	return Sums{s.Share + o.Share, s.Fee + o.Fee, s.Commission + o.Commission, s.Discount + o.Discount}
}

// Divide divides the sums of a line over its vouchers by weights, each sum by largest remainder. What the platform paid of a voucher is at most its
// share: what does not fit goes to the others by the room that they have.
func (s Sums) Divide(weights []int64) []Sums {
	shares, fees, commissions, discounts := s.Share.Apportion(weights...), s.Fee.Apportion(weights...), s.Commission.Apportion(weights...), s.Discount.Apportion(weights...)
	over, room := money.Amount(0), make([]int64, len(weights))
	for i := range discounts {
		if discounts[i] > shares[i] {
			over += discounts[i] - shares[i]
			discounts[i] = shares[i]
		}
		room[i] = int64(shares[i] - discounts[i])
	}
	more, all := over.Apportion(room...), make([]Sums, len(weights))
	for i := range all {
		all[i] = Sums{shares[i], fees[i], commissions[i], discounts[i]}
		if over > 0 {
			all[i].Discount += more[i]
		}
	}
	return all
}

// Slice returns the worth of the items with the numbers from+1 to to, of a voucher of total items.
func (s Sums) Slice(kind Kind, total, from, to int64) Sums {
	till, before := s.first(kind, total, to), s.first(kind, total, from)
	return Sums{till.Share - before.Share, till.Fee - before.Fee, till.Commission - before.Commission, till.Discount - before.Discount}
}

// first returns the worth of the first k of total items. What the platform paid is cut by the running sum of the share: so it is at most the share
// of any slice, as it is of all items.
func (s Sums) first(kind Kind, total, k int64) Sums {
	first := Sums{Share: worth(kind, s.Share, total, k), Fee: worth(kind, s.Fee, total, k), Commission: worth(kind, s.Commission, total, k)}
	if s.Discount > 0 {
		first.Discount = s.Discount.Portion(int64(first.Share), int64(s.Share))
	}
	return first
}

// worth is the part of x that belongs to the first k of total items. An item voucher's items are worth the same and its last
// takes the rest; a baht voucher is cut by running sums. So whatever is used from the front and taken away at the back, in
// any order, adds up to x.
func worth(kind Kind, x money.Amount, total, k int64) money.Amount {
	switch {
	case kind == Baht:
		return x.Portion(k, total)
	case k == total:
		return x
	default:
		return x / money.Amount(total) * money.Amount(k)
	}
}
