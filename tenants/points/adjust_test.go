package points_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/points"
	"welovevoucher/tenants/tenanttest"
)

// office is two people of the back office.
type office struct {
	shop
	mali, tom token.Session
}

func openOffice(t *testing.T) office {
	s := open(t, "window")
	return office{s, s.Owner(), s.Owner()}
}

func byOwner(who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: token.Owner, ID: who.Subject}
}

func (o office) ask(who token.Session, n int64) (uuid.UUID, error) {
	in := member.PointsInput{Customer: who.Subject, Points: n, Months: 12, Reason: "ค้างจากระบบเดิม"}
	asked, err := o.Member.AskPoints(context.Background(), o.Org, byOwner(o.mali), tenanttest.Key(), in)
	return asked.Approval, err
}

func (o office) approve(second token.Session, id uuid.UUID) error {
	return o.Approval.Approve(context.Background(), o.SignInAnew(second), byOwner(second), tenanttest.Key(), approval.Answer{ID: id})
}

// adjust has two people adjust the points of a member.
func (o office) adjust(who token.Session, n int64) {
	o.t.Helper()
	id, err := o.ask(who, n)
	require.NoError(o.t, err)
	require.NoError(o.t, o.approve(o.tom, id))
}

// TestAdjust: points are given and taken by two people, for a reason that the organisation keeps to itself, and never below what is there.
func TestAdjust(t *testing.T) {
	o := openOffice(t)
	ann, stranger := o.member(), o.Customer(0)

	_, err := o.ask(ann, 0)
	require.Equal(t, fault.At("points", fault.Required), err)
	_, err = o.ask(stranger, 5)
	require.Equal(t, fault.Missing, err)
	_, err = o.ask(ann, -1)
	require.Equal(t, points.ErrNotThere, err)

	id, err := o.ask(ann, 100)
	require.NoError(t, err)
	_, err = o.ask(ann, 100)
	require.Equal(t, approval.ErrWaiting, err)
	require.Equal(t, approval.ErrOwn, o.approve(o.mali, id))
	detail, err := o.Approval.Detail(t.Context(), o.SignInAnew(o.tom), byOwner(o.tom), approval.ByRequest{ID: id})
	require.NoError(t, err)
	require.Equal(t, []approval.Change{{What: "points", Name: "พิมพ์ชนก สุขใจ", After: approval.Value{Items: 100}}}, detail.Changes)
	o.has(ann, 0)
	require.NoError(t, o.approve(o.tom, id))
	require.Equal(t, approval.ErrAnswered, o.approve(o.tom, id))
	o.has(ann, 100)

	standing, err := points.Read(t.Context(), o.DB, ann)
	require.NoError(t, err)
	require.Equal(t, "adjusted", standing.History[0].Kind)
	require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM point_lot WHERE lapses_on = (date_trunc('month', $1::timestamptz AT TIME ZONE 'Asia/Bangkok') + interval '13 months')::date - 1`, o.Clock.Now()))

	_, err = o.ask(ann, -101)
	require.Equal(t, points.ErrNotThere, err)
	o.adjust(ann, -40)
	o.has(ann, 60)
}

// TestAdjustLate: between the request and its answer the member has spent his points, has left, or is the one who answers.
func TestAdjustLate(t *testing.T) {
	o := openOffice(t)
	ann, bee := o.member(), o.member()

	o.adjust(ann, 30)
	id, err := o.ask(ann, -30)
	require.NoError(t, err)
	o.days(400)
	require.Equal(t, approval.ErrAnswered, o.approve(o.tom, id), "it waits for three days")
	o.has(ann, 0)

	id, err = o.ask(bee, 30)
	require.NoError(t, err)
	o.Force(`UPDATE staff SET line_sub = (SELECT line_sub FROM customer WHERE id = $1) WHERE id = $2`, bee.Subject, o.tom.Subject)
	require.Equal(t, member.ErrOwn, o.approve(o.tom, id))
	o.Force(`UPDATE staff SET line_sub = NULL WHERE id = $1`, o.tom.Subject)
	_, err = o.Member.Leave(t.Context(), bee, auditlog.Actor{Kind: token.User, ID: bee.Subject})
	require.NoError(t, err)
	require.Equal(t, member.ErrLeft, o.approve(o.tom, id))
	o.has(bee, 0)
	_, err = o.ask(bee, 5)
	require.Equal(t, member.ErrLeft, err)

	o.Force(`UPDATE staff SET line_sub = (SELECT line_sub FROM customer WHERE id = $1) WHERE id = $2`, ann.Subject, o.mali.Subject)
	_, err = o.ask(ann, 5)
	require.Equal(t, member.ErrOwn, err, "nobody asks for points of his own")
}

// TestAdjustAtOnce: two who approve at once, and twice the same request, give once.
func TestAdjustAtOnce(t *testing.T) {
	o := openOffice(t)
	ann, third := o.member(), o.Owner()
	key := tenanttest.Key()
	in := member.PointsInput{Customer: ann.Subject, Points: 7, Months: 1, Reason: "x"}
	first, err := o.Member.AskPoints(t.Context(), o.Org, byOwner(o.mali), key, in)
	require.NoError(t, err)
	again, err := o.Member.AskPoints(t.Context(), o.Org, byOwner(o.mali), key, in)
	require.NoError(t, err)
	require.Equal(t, first, again)
	in.Points = 8
	_, err = o.Member.AskPoints(t.Context(), o.Org, byOwner(o.mali), key, in)
	require.Equal(t, idempotency.ErrReused, err)

	var wait sync.WaitGroup
	for _, second := range []token.Session{o.tom, third, o.tom, third} {
		wait.Go(func() { _ = o.approve(second, first.Approval) })
	}
	wait.Wait()
	o.has(ann, 7)
}
