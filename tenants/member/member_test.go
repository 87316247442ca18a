package member_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/tenanttest"
)

type world struct {
	*tenanttest.World
	*member.Service
	owner auditlog.Actor
}

func newWorld(t *testing.T) *world {
	w := tenanttest.New(t)
	return &world{w, member.New(w.DB, w.Box(), org.NewDirectory(w.DB)), auditlog.Actor{Kind: token.Owner, ID: w.Owner().Subject}}
}

func (w *world) cardType(validity string, length int32, approval string, level int16) (id uuid.UUID) {
	w.Force(`WITH kind AS (INSERT INTO card_type (id, name_th, name_en, position, version, status, created_at, updated_at) VALUES (gen_random_uuid(), 'บัตร', 'Card', 1, 1, 5, now(), now()) RETURNING id)
		INSERT INTO card_type_version (id, card_type_id, number, validity, length, approval, level, least_age, asks_email, asks_idcard, asks_gender, asks_birthdate, asks_address, asks_nationality, asks_receipt, created_at)
		SELECT id, id, 1, $1, $2, $3, $4, 0, 'off', 'optional', 'off', 'off', 'off', 'off', 'off', now() FROM kind`, validity, length, approval, level)
	var ids []uuid.UUID
	w.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT array_agg(card_type_id ORDER BY created_at) FROM card_type_version`).Scan(&ids)
	})
	return ids[len(ids)-1]
}

func (w *world) apply(who token.Session, cardType uuid.UUID) (member.Standing, error) {
	in := member.ApplyInput{Type: cardType, Lang: "th", Form: member.Form{FirstName: "พิมพ์ชนก", LastName: "สุขใจ", Mobile: "0895550146"}}
	return w.Apply(context.Background(), who, auditlog.Actor{Kind: token.User, ID: who.Subject}, in)
}

func by(who token.Session) auditlog.Actor { return auditlog.Actor{Kind: token.User, ID: who.Subject} }

func (w *world) waiting(t *testing.T) []member.Waiting {
	q, err := w.Waiting(t.Context(), w.Org, w.owner.ID)
	require.NoError(t, err)
	return q.Data
}

// pass lets days pass for what a customer has: his days are moved back.
func (w *world) pass(days int) {
	w.Force(`UPDATE membership_term SET starts_on = starts_on - $1::int, ends_on = ends_on - $1::int`, days)
	w.Force(`UPDATE application SET sent_at = sent_at - make_interval(days => $1), decided_at = decided_at - make_interval(days => $1)`, days)
}

// TestApply: a card that nobody approves is there at once; one that the shop approves waits, is refused in its words, and is granted for as long as it lasts from that day.
func TestApply(t *testing.T) {
	w := newWorld(t)
	ann, bee := w.Customer(0), w.Customer(0)
	free, gold := w.cardType("endless", 0, "none", 1), w.cardType("months", 1, "first", 3)
	today := clock.Day(time.Now())

	at, err := w.apply(ann, free)
	require.NoError(t, err)
	require.Nil(t, at.Application)
	require.Equal(t, member.Active, at.Card.State)
	require.Nil(t, at.Card.EndsOn)
	require.Regexp(t, `^[A-Z]{2,3}[0-9]{8}$`, at.Card.Number)
	require.Equal(t, "พิมพ์ชนก สุขใจ", at.Card.Name)
	number := at.Card.Number
	_, err = w.apply(ann, free)
	require.Equal(t, member.ErrNoEnd, err)

	at, err = w.apply(bee, gold)
	require.NoError(t, err)
	require.Nil(t, at.Card)
	require.Equal(t, member.Pending, at.Application.State)
	_, err = w.apply(bee, free)
	require.Equal(t, member.ErrOpen, err)
	queue := w.waiting(t)
	require.Len(t, queue, 1)
	require.Equal(t, "mobile", queue[0].Same[0].What, "another member has this number")
	require.Equal(t, "0146", queue[0].Mobile)

	require.Equal(t, fault.At("reason", fault.Required), w.Refuse(t.Context(), w.Org, w.owner, member.RefuseInput{ID: queue[0].ID, Reason: " "}))
	require.NoError(t, w.Refuse(t.Context(), w.Org, w.owner, member.RefuseInput{ID: queue[0].ID, Reason: "วันเกิดไม่ตรง"}))
	require.Equal(t, member.ErrOver, w.Approve(t.Context(), w.Org, w.owner, member.ApproveInput{ID: queue[0].ID, Reason: "x"}))
	at, err = w.Read(t.Context(), bee)
	require.NoError(t, err)
	require.Equal(t, []any{member.Refused, "วันเกิดไม่ตรง", false}, []any{at.Application.State, at.Application.Reason, at.Application.Lapsed})

	_, err = w.apply(bee, gold)
	require.NoError(t, err)
	queue = w.waiting(t)
	require.Equal(t, member.ErrSameExists, w.Approve(t.Context(), w.Org, w.owner, member.ApproveInput{ID: queue[0].ID}))
	require.NoError(t, w.Approve(t.Context(), w.Org, w.owner, member.ApproveInput{ID: queue[0].ID, Reason: "ครอบครัวเดียวกัน"}))
	at, err = w.Read(t.Context(), bee)
	require.NoError(t, err)
	require.Contains(t, []int{27, 28, 29, 30}, int(mustDay(t, *at.Card.EndsOn).Sub(today).Hours()/24))
	require.EqualValues(t, 2, w.Count(`SELECT count(*) FROM message WHERE customer_id = $1 AND kind IN ('member_refused', 'member_approved')`, bee.Subject))
	require.Equal(t, fault.Missing, w.Approve(t.Context(), w.Org, w.owner, member.ApproveInput{ID: db.NewID()}))

	t.Run("a card of a higher level replaces another at once and keeps the number", func(t *testing.T) {
		best := w.cardType("year", 0, "none", 9)
		at, err := w.apply(ann, best)
		require.NoError(t, err)
		require.Equal(t, number, at.Card.Number)
		require.EqualValues(t, 9, at.Card.Level)
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM membership_term WHERE state = 'replaced'`))
	})

	t.Run("a suspended member neither applies nor is resumed by himself; his days run on", func(t *testing.T) {
		id := w.membershipOf(bee)
		require.NoError(t, w.SetStatus(t.Context(), w.Org, w.owner, []uuid.UUID{id}, 4))
		require.Equal(t, member.ErrSuspended, w.SetStatus(t.Context(), w.Org, w.owner, []uuid.UUID{id}, 4))
		_, err := w.apply(bee, gold)
		require.Equal(t, member.ErrSuspended, err)
		self := w.owner
		w.Force(`UPDATE customer SET line_sub = (SELECT coalesce(line_sub, 'owner') FROM staff WHERE id = $1) WHERE id = $2`, w.owner.ID, bee.Subject)
		w.Force(`UPDATE staff SET line_sub = 'owner' WHERE id = $1`, w.owner.ID)
		require.Equal(t, member.ErrOwn, w.SetStatus(t.Context(), w.Org, self, []uuid.UUID{id}, 5))
		w.Force(`UPDATE staff SET line_sub = NULL WHERE id = $1`, w.owner.ID)
		require.NoError(t, w.SetStatus(t.Context(), w.Org, w.owner, []uuid.UUID{id}, 5))
		require.Equal(t, fault.At("status", fault.NotInList), w.SetStatus(t.Context(), w.Org, w.owner, []uuid.UUID{id}, 9))
		require.Equal(t, fault.Missing, w.SetStatus(t.Context(), w.Org, w.owner, []uuid.UUID{id, db.NewID()}, 4))
	})
}

// TestTerms: a renewal begins the day after, is taken back while it is to come, and begins by itself; a card ends the day after its last, and can be had again.
func TestTerms(t *testing.T) {
	w := newWorld(t)
	ann := w.Customer(0)
	month := w.cardType("days", 90, "none", 1)
	at, err := w.apply(ann, month)
	require.NoError(t, err)
	end := mustDay(t, *at.Card.EndsOn)
	require.Equal(t, end.AddDate(0, 0, -60).Format(time.DateOnly), *at.RenewsFrom)
	_, err = w.apply(ann, month)
	require.Equal(t, member.ErrTooEarly, err)

	w.pass(29)
	at, err = w.apply(ann, month)
	require.NoError(t, err)
	require.True(t, at.Card.Next)
	_, err = w.apply(ann, month)
	require.Equal(t, member.ErrRenewed, err)
	at, err = w.TakeBack(t.Context(), ann, by(ann))
	require.NoError(t, err)
	require.False(t, at.Card.Next)
	_, err = w.TakeBack(t.Context(), ann, by(ann))
	require.Equal(t, member.ErrOver, err)
	_, err = w.apply(ann, month)
	require.NoError(t, err)

	w.pass(61)
	w.In(func(ctx context.Context, tx db.Tx) error { return w.EndDue(ctx, tx) })
	at, err = w.Read(t.Context(), ann)
	require.NoError(t, err)
	require.Equal(t, member.Active, at.Card.State)
	require.False(t, at.Card.Next)
	require.Equal(t, clock.Day(time.Now()).AddDate(0, 0, 89).Format(time.DateOnly), *at.Card.EndsOn, "no day is lost")

	w.pass(90)
	w.In(func(ctx context.Context, tx db.Tx) error { return w.EndDue(ctx, tx) })
	at, err = w.Read(t.Context(), ann)
	require.NoError(t, err)
	require.Equal(t, member.Expired, at.Card.State)
	require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM message WHERE kind = 'member_ended'`))
	at, err = w.apply(ann, month)
	require.NoError(t, err)
	require.Equal(t, member.Active, at.Card.State)

	at, err = w.Leave(t.Context(), ann, by(ann))
	require.NoError(t, err)
	require.Equal(t, member.Left, at.Card.State)
	_, err = w.Leave(t.Context(), ann, by(ann))
	require.Equal(t, member.ErrLeft, err)
}

// TestNobodyAnswers: what waits for thirty days is refused, and is forgotten after thirty more.
func TestNobodyAnswers(t *testing.T) {
	w := newWorld(t)
	ann := w.Customer(0)
	gold := w.cardType("months", 12, "always", 1)
	_, err := w.apply(ann, gold)
	require.NoError(t, err)
	require.NotContains(t, w.sealed(), "พิมพ์ชนก", "what he said is encrypted")
	w.pass(30)
	w.In(func(ctx context.Context, tx db.Tx) error { return w.EndDue(ctx, tx) })
	at, err := w.Read(t.Context(), ann)
	require.NoError(t, err)
	require.True(t, at.Application.Lapsed)
	w.pass(31)
	w.In(func(ctx context.Context, tx db.Tx) error { return w.EndDue(ctx, tx) })
	require.Zero(t, w.Count(`SELECT count(*) FROM application WHERE form IS NOT NULL OR mobile_index IS NOT NULL OR mobile_digits <> ''`))
}

// TestApplyAtOnce: of many applications of one customer at once one is sent, and of many approvals of it one grants a term.
func TestApplyAtOnce(t *testing.T) {
	w := newWorld(t)
	ann := w.Customer(0)
	gold := w.cardType("months", 12, "first", 1)
	var all sync.WaitGroup
	var sent, granted sync.Map
	for i := range 8 {
		all.Go(func() {
			if _, err := w.apply(ann, gold); err == nil {
				sent.Store(i, true)
			}
		})
	}
	all.Wait()
	id := w.waiting(t)[0].ID
	for i := range 8 {
		all.Go(func() {
			if w.Approve(t.Context(), w.Org, w.owner, member.ApproveInput{ID: id}) == nil {
				granted.Store(i, true)
			}
		})
	}
	all.Wait()
	for what, done := range map[string]*sync.Map{"sent": &sent, "granted": &granted} {
		n := 0
		done.Range(func(any, any) bool { n++; return true })
		require.Equal(t, 1, n, what)
	}
	require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM membership_term`))
	require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM member_card`))
}

// TestRefusals: a type that is not offered, a form that is not filled in, and texts that are not accepted.
func TestRefusals(t *testing.T) {
	w := newWorld(t)
	ann := w.Customer(0)
	gold := w.cardType("months", 12, "none", 1)
	in := member.ApplyInput{Type: gold, Lang: "th", Form: member.Form{FirstName: "ก", Mobile: "12"}}
	_, err := w.Apply(t.Context(), ann, by(ann), in)
	require.Equal(t, fault.Of(fault.Field{Path: "form.lastname", Fault: "field.required"}, fault.Field{Path: "form.mobilenumber", Fault: "payee.mobile"}), err)
	_, err = w.apply(ann, db.NewID())
	require.Equal(t, member.ErrClosed, err)
	w.Force(`UPDATE card_type SET status = 2`)
	_, err = w.apply(ann, gold)
	require.Equal(t, member.ErrClosed, err)
	require.Zero(t, w.Count(`SELECT count(*) FROM application`))

	require.NoError(t, w.Save(t.Context(), ann, in.Form), "what is filled in is kept, right or not")
	at, err := w.Read(t.Context(), ann)
	require.NoError(t, err)
	require.Equal(t, in.Form, at.Draft)
}

func (w *world) membershipOf(who token.Session) (id uuid.UUID) {
	w.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM membership WHERE customer_id = $1`, who.Subject).Scan(&id)
	})
	return id
}

// sealed returns what lies in the forms of applications.
func (w *world) sealed() string {
	var forms []byte
	w.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT string_agg(form, '') FROM application`).Scan(&forms)
	})
	return string(forms)
}

func mustDay(t *testing.T, text string) time.Time {
	day, err := time.Parse(time.DateOnly, text)
	require.NoError(t, err)
	return day
}
