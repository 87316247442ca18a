package chaos

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/hold"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/tenanttest"
)

// FindHolds is the night's look, twice. Sometimes a buyer has signed in by the agent's browser before.
func (w *walk) FindHolds(r *rapid.T) {
	ctx := context.WithoutCancel(r.Context())
	if rapid.Bool().Draw(r, "one browser") {
		b := one(r, "buyer", w.model.buyers)
		for _, who := range []struct {
			as token.Audience
			id uuid.UUID
		}{{token.User, b.id}, {token.Agent, w.model.buyers[0].id}} {
			_, err := w.w.Session.Open(ctx, who.as, w.w.Org, who.id, "one browser")
			require.NoError(r, err)
		}
	}
	// What one part of the look adds, or ends, has lists read anew once.
	parts := func() map[string]int {
		n := map[string]int{}
		for _, part := range rows[string](w.w, `SELECT CASE WHEN signal IN ('card', 'device', 'account', 'mobile') THEN 'buyer' ELSE signal END FROM commission_hold`) {
			n[part]++
		}
		n["over"] = len(rows[uuid.UUID](w.w, `SELECT id FROM commission_hold WHERE state = 'lapsed'`))
		return n
	}
	before := parts()
	require.NoError(r, w.w.Hold.Find(ctx, w.w.Org))
	after := parts()
	for part, n := range after {
		if n > before[part] {
			w.holdsListed()
		}
	}
	require.NoError(r, w.w.Hold.Find(ctx, w.w.Org))
	require.Equal(r, after, parts(), "a second look finds nothing")
	require.Empty(r, rows[uuid.UUID](w.w, `SELECT h.id FROM commission_hold h JOIN commission k ON k.order_id = h.order_id WHERE h.state = 'held' AND k.denied_at IS NOT NULL`))
}

func (w *walk) holdsListed() { w.model.put(notice.TableUpdate{Table: hold.Holds.Name()}, 0) }

// heldOrder is an order that is held.
type heldOrder struct{ ID, Order uuid.UUID }

func (w *walk) oneHeld(r *rapid.T) (heldOrder, *orderState) {
	all := rows[heldOrder](w.w, `SELECT id, order_id FROM commission_hold WHERE state = 'held' AND order_id IS NOT NULL ORDER BY id`)
	if len(all) == 0 {
		r.Skip("nothing is held")
	}
	h := one(r, "hold", all)
	at := slices.IndexFunc(w.model.orders, func(o *orderState) bool { return o.id == h.Order })
	require.GreaterOrEqual(r, at, 0)
	return h, w.model.orders[at]
}

// ReleaseHold is somebody who lets runs pay what was held.
func (w *walk) ReleaseHold(r *rapid.T) {
	h, _ := w.oneHeld(r)
	require.NoError(r, w.w.Hold.Release(context.WithoutCancel(r.Context()), w.w.Org, w.actor(w.second), hold.Release{ID: h.ID, Reason: "x"}))
	w.holdsListed()
}

// DenyHold is two people who leave the agent nothing of an order: what was due to him is the shop's.
func (w *walk) DenyHold(r *rapid.T) {
	ctx := context.WithoutCancel(r.Context())
	h, o := w.oneHeld(r)
	require.False(r, o.denied)
	asked, err := w.w.Hold.Deny(ctx, w.w.Org, w.actor(w.owner), tenanttest.Key(), hold.Denial{ID: h.ID, Reason: "x"})
	require.NoError(r, err)
	w.holdsListed()
	w.model.inboxed()
	_, err = w.w.Hold.Deny(ctx, w.w.Org, w.actor(w.second), tenanttest.Key(), hold.Denial{ID: h.ID, Reason: "x"})
	require.ErrorIs(r, err, approval.ErrWaiting)
	require.ErrorIs(r, w.w.Approval.Approve(ctx, w.owner, w.actor(w.owner), tenanttest.Key(), approval.Answer{ID: asked.Approval}), approval.ErrOwn)
	if rapid.IntRange(0, 3).Draw(r, "refuses") == 0 {
		require.NoError(r, w.w.Approval.Refuse(ctx, w.second, w.actor(w.second), approval.Refusal{ID: asked.Approval, Reason: "x"}))
		w.model.inboxed()
		return
	}
	to := rows[uuid.UUID](w.w, `SELECT a.customer_id FROM agent a WHERE a.id = $1 AND a.state <> 'erased'`, w.agent)
	require.NoError(r, w.w.Approval.Approve(ctx, w.second, w.actor(w.second), tenanttest.Key(), approval.Answer{ID: asked.Approval}))
	w.holdsListed()
	w.model.inboxed()
	for _, id := range to {
		w.model.write(id, message.AgentDenied, 1, o.kept-o.recruiting)
	}
	w.model.add(ledger.CommissionPending, -o.kept)
	w.model.add(ledger.Payable, o.kept)
	o.denied = true
}

// denied is what was denied to the agent and was not taken back: the shop pays nobody of it.
func (s *shop) denied() (sum int64) {
	for _, o := range s.orders {
		if o.denied {
			sum += o.kept
		}
	}
	return sum
}

// paysNothingHeld requires that a run that was booked just now pays nothing of an order that is held.
func (w *walk) paysNothingHeld(r *rapid.T, run uuid.UUID) {
	require.Empty(r, rows[uuid.UUID](w.w, `SELECT c.commission_id FROM payout_line l JOIN payout p ON p.id = l.payout_id JOIN commission_change c ON c.id = l.change_id JOIN commission k ON k.id = c.commission_id
		WHERE p.run_id = $1 AND p.state = 'booked' AND EXISTS (SELECT FROM commission_hold h WHERE h.order_id = k.order_id AND h.state = 'held') GROUP BY 1 HAVING sum(l.amount_satang) > 0`, run))
}
