package chaos

import (
	"bytes"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/fault"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/points"
	"welovevoucher/tenants/tenanttest"
)

// The points of the card that the shop sells.
const (
	bahtOfPoint   = 25
	monthsOfPoint = 1
)

// earning is what an order of a member brings of points.
type earning struct {
	most    int64     // of points
	from    time.Time // when the window of refunds has passed
	brought int64
	ended   bool // he left
	grants  []*gained
}

// gained is what is left of a grant of points.
type gained struct {
	left   int64
	lapses string
}

// pointsOf has the points of a customer's row, by the day on which they lapse, and what he owes.
type pointsOf struct {
	lots map[string]int64
	owed int64
}

func (s *shop) pointsOf(row uuid.UUID) *pointsOf {
	if s.points == nil {
		s.points = map[uuid.UUID]*pointsOf{}
	}
	if s.points[row] == nil {
		s.points[row] = &pointsOf{lots: map[string]int64{}}
	}
	return s.points[row]
}

// earns freezes what an order brings that has just been paid.
func (s *shop) earns(o *orderState, now time.Time) {
	if !slices.ContainsFunc(s.cards, func(a *wanted) bool { return a.by == o.by && a.runs }) || o.total < 100*bahtOfPoint {
		return
	}
	days := 7
	switch o.of.refunds.Rule {
	case "":
	case "none":
		days = 0
	default:
		days = int(o.of.refunds.Days)
	}
	o.earning = &earning{most: o.total / (100 * bahtOfPoint), from: clock.Start(clock.Day(now).AddDate(0, 0, days+1))}
}

// lapsePoints takes what has lapsed by a day; of who leaves everything, and nothing comes of what he bought.
func (s *shop) lapsePoints(row uuid.UUID, today string, leaves bool) {
	of := s.pointsOf(row)
	for day := range of.lots {
		if leaves || day < today {
			delete(of.lots, day)
		}
	}
	for _, o := range s.orders {
		if leaves && o.by == row && o.earning != nil {
			o.earning.ended = true
		}
	}
}

func (p *pointsOf) add(n int64, day string) {
	pays := min(n, p.owed)
	p.owed -= pays
	if n > pays {
		p.lots[day] += n - pays
	}
}

func (p *pointsOf) take(n int64, first string) {
	days := []string{first}
	for day := range p.lots {
		days = append(days, day)
	}
	slices.Sort(days[1:])
	for _, day := range days {
		by := min(n, p.lots[day])
		n -= by
		if p.lots[day] -= by; p.lots[day] == 0 {
			delete(p.lots, day)
		}
	}
	p.owed += n
}

// GrantPoints is the worker's run: what is due of orders is there, and what is due no more is taken back.
func (w *walk) GrantPoints(r *rapid.T) {
	now, today := w.now(), clock.Day(w.now()).Format(time.DateOnly)
	asked := rows[uuid.UUID](w.w, `SELECT DISTINCT customer_id FROM point_order WHERE due_at <= $1`, now)
	disputed := rows[uuid.UUID](w.w, `SELECT p.order_id FROM point_order p WHERE EXISTS (SELECT FROM charge c WHERE c.id = p.order_id AND c.dispute = 'open')
		OR EXISTS (SELECT FROM voucher v WHERE v.order_id = p.order_id AND v.state = 'frozen' AND v.frozen_for IS NOT NULL)`)
	require.NoError(r, points.GrantDue(r.Context(), w.w.DB, w.w.Org))
	asked = append(asked, rows[uuid.UUID](w.w, `SELECT DISTINCT customer_id FROM point_lot WHERE lapses_on < $1 AND points_left > 0`, clock.Day(now))...)
	require.NoError(r, points.LapseDue(r.Context(), w.w.DB, w.w.Org))
	for _, id := range asked {
		i := slices.IndexFunc(w.model.buyers, func(b *buyer) bool { return b.id == id })
		require.GreaterOrEqual(r, i, 0, "nothing comes to who has erased himself")
		w.model.notify(w.model.buyers[i], notice.Event{Topic: "member"})
	}
	for row := range w.model.points {
		w.model.lapsePoints(row, today, false)
	}
	orders := slices.Clone(w.model.orders)
	slices.SortFunc(orders, func(a, b *orderState) int { return bytes.Compare(a.id[:], b.id[:]) })
	for _, o := range orders {
		if o.earning == nil || o.earning.ended {
			continue
		}
		due := int64(0)
		if !now.Before(o.earning.from) {
			due = o.earning.most - o.earning.most*(o.total-w.model.keptOf(o))/o.total
		}
		if slices.Contains(disputed, o.id) {
			due = min(due, o.earning.brought)
		}
		w.model.bring(o, due, now, today)
	}
}

// lapsesAfter is the day on which points lapse that are given on a day.
func lapsesAfter(now time.Time) string {
	day := clock.Day(now)
	return time.Date(day.Year(), day.Month()+monthsOfPoint+1, 0, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

// refusePoints is what stands against giving points to a row, or taking them, or nil.
func (s *shop) refusePoints(row uuid.UUID, n int64, now time.Time) error {
	ever, runs, has := false, false, -s.pointsOf(row).owed
	for _, a := range s.cards {
		ever, runs = ever || a.by == row && a.state == "granted", runs || a.by == row && a.runs
	}
	for day, left := range s.pointsOf(row).lots {
		if day >= clock.Day(now).Format(time.DateOnly) {
			has += left
		}
	}
	switch {
	case !ever:
		return fault.Missing
	case !runs:
		return member.ErrLeft
	case n < 0 && has < -n:
		return points.ErrNotThere
	}
	return nil
}

func (s *shop) adjustPoints(a *request, now time.Time) {
	s.lapsePoints(a.row, clock.Day(now).Format(time.DateOnly), false)
	if of := s.pointsOf(a.row); a.n > 0 {
		of.add(a.n, lapsesAfter(now))
	} else {
		of.take(-a.n, "")
	}
	for _, b := range s.buyers {
		if b.id == a.row {
			s.notify(b, notice.Event{Topic: "member"})
		}
	}
}

// AdjustPoints is where somebody of the shop asks a second person to give a member points, or to take some from him.
func (w *walk) AdjustPoints(r *rapid.T) {
	b, n := one(r, "buyer", w.model.buyers), rapid.Int64Range(-30, 30).Draw(r, "points")
	refusal := w.model.refusePoints(b.id, n, w.now())
	switch {
	case n == 0:
		refusal = fault.At("points", fault.Required)
	case refusal == nil && slices.ContainsFunc(w.model.requests, func(a *request) bool { return a.n != 0 && a.row == b.id && a.waits(w.now()) }):
		refusal = approval.ErrWaiting
	}
	made, err := w.w.Member.AskPoints(r.Context(), w.w.Org, w.manager(), tenanttest.Key(), member.PointsInput{Customer: b.id, Points: n, Months: monthsOfPoint, Reason: "a walk's"})
	same(r, refusal, err)
	if err == nil {
		w.model.ask(&request{id: made.Approval, row: b.id, n: n, at: w.now()})
	}
}

// bring grants what is due of an order, or takes it back.
func (s *shop) bring(o *orderState, due int64, now time.Time, today string) {
	e, of := o.earning, s.pointsOf(o.by)
	if n := due - e.brought; n > 0 {
		day := lapsesAfter(now)
		of.add(n, day)
		e.grants = append(e.grants, &gained{n, day})
	}
	back := e.brought - due
	for _, g := range slices.Backward(e.grants) {
		n := min(max(back, 0), g.left)
		g.left, back = g.left-n, back-n
		if n > 0 && g.lapses >= today {
			of.take(n, g.lapses)
		}
	}
	e.brought = due
}

// checkPoints: each customer has the points that the model says, and owes as many; each order has brought as many.
func (w *walk) checkPoints(r *rapid.T) {
	type lot struct {
		Row  uuid.UUID
		Day  string
		Left int64
	}
	found := map[uuid.UUID]*pointsOf{}
	for _, l := range rows[lot](w.w, `SELECT customer_id, lapses_on::text, points_left FROM point_lot WHERE points_left > 0`) {
		if found[l.Row] == nil {
			found[l.Row] = &pointsOf{lots: map[string]int64{}}
		}
		found[l.Row].lots[l.Day] = l.Left
	}
	for _, l := range rows[lot](w.w, `SELECT customer_id, '', points FROM point_owed WHERE points > 0`) {
		require.Nil(r, found[l.Row], "who owes has none")
		found[l.Row] = &pointsOf{lots: map[string]int64{}, owed: l.Left}
	}
	want := map[uuid.UUID]*pointsOf{}
	for row, of := range w.model.points {
		if len(of.lots) > 0 || of.owed > 0 {
			want[row] = of
		}
	}
	require.Equal(r, want, found)
	brought := map[uuid.UUID][2]int64{}
	for _, l := range rows[struct {
		Order         uuid.UUID
		Most, Granted int64
	}](w.w, `SELECT order_id, points, granted FROM point_order`) {
		brought[l.Order] = [2]int64{l.Most, l.Granted}
	}
	for _, o := range w.model.orders {
		if o.earning != nil {
			require.Equal(r, [2]int64{o.earning.most, o.earning.brought}, brought[o.id])
			delete(brought, o.id)
		}
	}
	require.Empty(r, brought)
}
