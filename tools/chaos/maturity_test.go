package chaos

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"welovevoucher/platform/clock"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/voucher"
)

// ChangeRule is the shop having commission mature otherwise: that of orders made before it does not change.
func (w *walk) ChangeRule(r *rapid.T) {
	w.model.rule = rapid.SampledFrom([]commission.Rule{{Matures: "sale"}, {Matures: "use"}, {Matures: "days"}, {Matures: "days", Days: 2}, {Matures: "days", Days: 14}}).Draw(r, "rule")
	w.w.Force(`UPDATE agent_type SET matures = $1, mature_days = $2`, w.model.rule.Matures, w.model.rule.Days)
}

// Mature is the worker's run: what has matured until now can be paid out, and the rest of what is due waits.
func (w *walk) Mature(r *rapid.T) {
	w.w.Mature()
	var waits, matured, recruiterWaits, recruiterMatured int64
	for _, o := range w.model.orders {
		if o.denied {
			continue
		}
		seller, recruiter := w.model.mature(o, w.now())
		waits, matured = waits+o.kept-o.recruiting-seller, matured+seller
		recruiterWaits, recruiterMatured = recruiterWaits+o.recruiting-recruiter, recruiterMatured+recruiter
	}
	var partnerWaits, partnerMatured int64
	for _, u := range w.model.spent {
		switch {
		case u.state == objection.Open || u.state == objection.Undone:
		case w.now().Before(objection.Until(u.at)):
			partnerWaits += u.partners
		default:
			partnerMatured += u.partners
		}
	}
	partner := w.w.Earned(w.partner)
	require.Equal(r, []int64{partnerWaits, partnerMatured, 0}, []int64{int64(w.w.Pending(w.partner)), int64(partner.Payable), int64(partner.Receivable)}, "of the partner")
	has, recruiter := w.w.Earned(w.agent), w.w.Earned(w.recruiter)
	require.Equal(r, []int64{waits, matured - w.model.taken}, []int64{int64(w.w.Pending(w.agent)), int64(has.Payable - has.Receivable)})
	require.Equal(r, []int64{recruiterWaits, recruiterMatured}, []int64{int64(w.w.Pending(w.recruiter)), int64(recruiter.Payable - recruiter.Receivable)}, "of who recruited the agent")
}

// mature returns how much of what is due of an order has matured, of the agent and of who recruited him: all of it after some time, or the part of items that
// were used so long ago that nobody can object, or that expired.
func (s *shop) mature(o *orderState, now time.Time) (seller, recruiter int64) {
	midnight := func(of time.Time, days int) time.Time { return clock.Start(clock.Day(of).AddDate(0, 0, days)) }
	switch {
	case o.kept == 0, o.price <= 0, o.rule.Matures == "days" && now.Before(midnight(o.paid, o.rule.Days+1)):
		return 0, 0
	case o.rule.Matures != "use":
		return o.kept - o.recruiting, o.recruiting
	}
	sum := int64(0)
	for _, u := range s.spent {
		if u.of.order == o && !now.Before(midnight(u.at, 2)) && !slices.Contains([]objection.State{objection.Open, objection.Undone}, u.state) {
			sum += u.of.worth(2, u.since+u.items) - u.of.worth(2, u.since)
		}
	}
	for _, v := range s.vouchers {
		if v.order == o && v.state == voucher.Expired {
			sum += v.worth(2, v.total-v.out) - v.worth(2, v.used())
		}
	}
	whole, recruiter := o.paidOf(sum, o.price, o.unpaid)
	return min(o.kept-o.recruiting, whole-recruiter), min(o.recruiting, recruiter)
}
