package refund

import (
	"context"
	"slices"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/voucher"
)

// settleExtras has what came along for nothing follow what its payer paid for. It is taken back when the order's own payment is all
// back for good, or nothing that was paid for is kept, unless some of that was sold on: then others paid for it last. It is frozen while all of that payment is back or all that is kept is unpaid;
// otherwise it is free.
func (s *settlement) settleExtras(ctx context.Context, tx db.Tx) error {
	for _, p := range s.purchases {
		extras, kept := p.extras(), p.kept().Paid()
		if len(extras) == 0 {
			continue
		}
		event, because, over, err := p.over(ctx, tx, kept)
		if err != nil {
			return err
		}
		for _, v := range extras {
			switch {
			case over:
				_, err = s.end(ctx, tx, v, v.Left, event, because)
			case kept > 0 && p.unpaid == kept || p.Back && s.owes(p.ID):
				err = s.freezeExtra(ctx, tx, p, v)
			case v.FrozenFor != nil:
				s.changed, err = true, v.Release(ctx, tx)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// extras are the usable vouchers of which nothing is left that is worth something. What only the platform paid for is none: its use earns the seller's
// share, and no money of the payer's stands behind it. An order without a price has none: nothing of it can be asked back.
func (p *purchase) extras() (list []*voucher.Held) {
	price := money.Amount(0)
	for _, v := range p.vouchers {
		price += v.Sums.Paid()
		if v.Usable() && v.Resale == nil && v.Worthless() {
			list = append(list, v)
		}
	}
	if price == 0 {
		return nil
	}
	return list
}

// soldOn reports whether something of an order was sold on.
func (p *purchase) soldOn() bool {
	return slices.ContainsFunc(p.vouchers, func(v *voucher.Held) bool { return v.Resale != nil })
}

// over reports whether nothing stays of an order of which kept is kept, and by what it ended, and why.
func (p *purchase) over(ctx context.Context, tx db.Tx, kept money.Amount) (event voucher.Event, because voucher.Because, over bool, err error) {
	switch {
	case p.Refunded:
		return voucher.RefundOutside, voucher.Because{Charge: &p.ID}, true, nil
	case p.Back && p.Lost:
		return voucher.MakeVoid, voucher.Because{Charge: &p.ID}, true, nil
	case kept > 0 || p.soldOn():
		return "", because, false, nil
	}
	event, because, err = voucher.LastTaken(ctx, tx, p.ID)
	return event, because, err == nil, err
}

// freezeExtra freezes it for the first charge that owes for its order, unless it is frozen for one that owes.
func (s *settlement) freezeExtra(ctx context.Context, tx db.Tx, p *purchase, v *voucher.Held) error {
	if v.FrozenFor != nil {
		if s.owes(*v.FrozenFor) {
			return nil
		}
		if err := v.Release(ctx, tx); err != nil { // its debt was paid just now
			return err
		}
	}
	for _, c := range s.owing {
		if c.Owed > 0 && s.bought(p, c) {
			s.changed = true
			return v.Freeze(ctx, tx, c.ID)
		}
	}
	return nil
}
