package refund

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/voucher"
)

// found is a voucher as a settlement found it.
type found struct {
	state  voucher.State
	frozen bool  // because of money, not only by the organisation
	out    int64 // items that had left it
}

func (s *settlement) remember() {
	s.found, s.paidOut, s.refunded = map[uuid.UUID]found{}, map[uuid.UUID]money.Amount{}, map[uuid.UUID]bool{}
	for _, v := range s.vouchers {
		s.found[v.ID] = found{v.State, v.FrozenFor != nil, v.Out}
	}
}

// inform writes what the holders of vouchers are informed of, once for all that a settlement did with each: it may free a voucher and freeze it
// again for another charge.
func (s *settlement) inform(ctx context.Context, tx db.Tx) error {
	var messages message.OfVouchers
	for _, v := range s.vouchers {
		kind, changed := s.found[v.ID].became(v)
		if !changed || s.refunded[v.ID] {
			continue
		}
		holder := v.Holder
		if s.mine(holder) {
			holder = s.customer
		}
		messages.Add(holder, kind, v.ID, s.paidOut[v.ID])
	}
	return messages.Write(ctx, tx)
}

// became reports what happened to a voucher since it was found.
func (f found) became(v *voucher.Held) (kind message.Kind, changed bool) {
	switch {
	case v.Out != f.out || v.State != f.state && !v.Usable():
		return message.VoucherTakenBack, true
	case v.FrozenFor != nil && !f.frozen:
		return message.VoucherFrozen, true
	case f.frozen && v.State != voucher.Frozen:
		return message.VoucherReleased, true
	}
	return "", false
}
