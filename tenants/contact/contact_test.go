package contact_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/contact"
	"welovevoucher/tenants/tenanttest"
)

func message() contact.Input {
	return contact.Input{Name: " Ann ", Email: "ann@mail.example", Phone: "+66 81-234 5678", Subject: "A table", Text: "For two,\nplease"}
}

func TestSend(t *testing.T) {
	w := tenanttest.New(t)
	s := contact.New(w.DB, w.Box())
	visitor := token.Session{Audience: token.Client, Org: w.Org}

	t.Run("a message is kept whole, without space around it, and its phone number encrypted", func(t *testing.T) {
		sent, err := s.Send(t.Context(), visitor, tenanttest.Key(), message())
		require.NoError(t, err)
		kept, err := s.Detail(t.Context(), w.Org, sent.ID)
		require.NoError(t, err)
		require.Equal(t, []string{"Ann", "ann@mail.example", "+66 81-234 5678", "A table", "For two,\nplease", "new"},
			[]string{kept.Name, kept.Email, kept.Phone, kept.Subject, kept.Text, kept.State})
		require.Nil(t, kept.Customer)
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM outbox WHERE kind = 'notice.update' AND payload::text LIKE '%contactus%'`), "the office reads its list anew")
		require.Zero(t, w.Count(`SELECT count(*) FROM contact_message m WHERE m::text LIKE '%234 5678%'`))
	})

	t.Run("who is signed in is known, and his message is gone with him", func(t *testing.T) {
		who := w.Customer(0)
		sent, err := s.Send(t.Context(), who, tenanttest.Key(), message())
		require.NoError(t, err)
		kept, err := s.Detail(t.Context(), w.Org, sent.ID)
		require.NoError(t, err)
		require.Equal(t, who.Subject, *kept.Customer)
		w.In(func(ctx context.Context, tx db.Tx) error { return contact.Erase(ctx, tx, who.Subject) })
		_, err = s.Detail(t.Context(), w.Org, sent.ID)
		require.ErrorIs(t, err, fault.Missing)
	})

	t.Run("a customer who was erased meanwhile writes nothing", func(t *testing.T) {
		who := w.Customer(0)
		w.Force(`UPDATE customer SET status = 9 WHERE id = $1`, who.Subject)
		_, err := s.Send(t.Context(), who, tenanttest.Key(), message())
		require.ErrorIs(t, err, fault.NoSession)
		who.Subject = uuid.New()
		_, err = s.Send(t.Context(), who, tenanttest.Key(), message())
		require.ErrorIs(t, err, fault.NoSession)
	})

	t.Run("one key is one message, also of many at once, and stands for no other message", func(t *testing.T) {
		key, before := tenanttest.Key(), w.Count(`SELECT count(*) FROM contact_message`)
		ids, errs, group := make([]uuid.UUID, 8), make([]error, 8), sync.WaitGroup{}
		for i := range ids {
			group.Go(func() {
				sent, err := s.Send(context.Background(), visitor, key, message())
				ids[i], errs[i] = sent.ID, err
			})
		}
		group.Wait()
		require.NoError(t, errors.Join(errs...))
		for _, id := range ids {
			require.Equal(t, ids[0], id)
		}
		require.Equal(t, before+1, w.Count(`SELECT count(*) FROM contact_message`))
		other := message()
		other.Text = "For three"
		_, err := s.Send(t.Context(), visitor, key, other)
		require.ErrorIs(t, err, idempotency.ErrReused)
		_, err = s.Send(t.Context(), w.Customer(0), key, other)
		require.NoError(t, err, "another person's key is another key")
		for _, wrong := range []string{"", "short", strings.Repeat("k", 201)} {
			_, err = s.Send(t.Context(), visitor, wrong, message())
			require.ErrorIs(t, err, idempotency.ErrMissing)
		}
	})

	t.Run("what cannot be answered is refused, at its field", func(t *testing.T) {
		for want, change := range map[string]func(in *contact.Input){
			"name " + fault.Required.Code:    func(in *contact.Input) { in.Name = " \n" },
			"subject " + fault.Required.Code: func(in *contact.Input) { in.Subject = "" },
			"text " + fault.Required.Code:    func(in *contact.Input) { in.Text = "\t" },
			"email " + contact.ErrNoWay.Code: func(in *contact.Input) { in.Email, in.Phone = "", " " },
			"email " + mail.ErrAddress.Code:  func(in *contact.Input) { in.Email = "ann@" },
			"phone " + contact.ErrPhone.Code: func(in *contact.Input) { in.Phone = "call me" },
		} {
			in := message()
			change(&in)
			_, err := s.Send(t.Context(), visitor, tenanttest.Key(), in)
			require.ErrorIs(t, err, fault.BadInput, want)
			fields := fault.From(err).Fields
			require.Len(t, fields, 1, want)
			require.Equal(t, want, fields[0].Path+" "+fields[0].Fault)
		}
	})
}

func TestAnswered(t *testing.T) {
	w := tenanttest.New(t)
	s := contact.New(w.DB, w.Box())
	sent, err := s.Send(t.Context(), token.Session{Audience: token.Client, Org: w.Org}, tenanttest.Key(), message())
	require.NoError(t, err)
	staff := auditlog.Actor{Kind: token.Owner, ID: w.Staff().Subject}
	for _, answered := range []bool{true, true, false} {
		m, err := s.SetAnswered(t.Context(), w.Org, staff, contact.AnswerInput{ID: sent.ID, Answered: answered})
		require.NoError(t, err)
		require.Equal(t, answered, m.State == "answered")
		require.Equal(t, answered, m.AnsweredAt != nil)
	}
	require.EqualValues(t, 2, w.Count(`SELECT count(*) FROM audit_log WHERE object = $1`, "contactus/"+sent.ID.String()), "what was so already is no change")
	_, err = s.SetAnswered(t.Context(), w.Org, staff, contact.AnswerInput{ID: uuid.New(), Answered: true})
	require.ErrorIs(t, err, fault.Missing)
}

func TestThePlatformsMessagesAreItsOwn(t *testing.T) {
	w := tenanttest.New(t)
	s := contact.New(w.DB, w.Box())
	in := message()
	in.Email = ""
	key := tenanttest.Key()
	sent, err := s.SendToPlatform(t.Context(), key, in)
	require.NoError(t, err)
	again, err := s.SendToPlatform(t.Context(), key, in)
	require.NoError(t, err)
	require.Equal(t, sent.ID, again.ID)
	_, err = s.Detail(t.Context(), w.Org, sent.ID)
	require.ErrorIs(t, err, fault.Missing, "an organisation does not see it")

	second, err := s.SendToPlatform(t.Context(), tenanttest.Key(), in)
	require.NoError(t, err)
	page, err := s.PlatformsList(t.Context(), contact.ListInput{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, second.ID, page.Data[0].ID, "the newest first")
	rest, err := s.PlatformsList(t.Context(), contact.ListInput{Limit: 1, After: page.Next})
	require.NoError(t, err)
	require.Equal(t, sent.ID, rest.Data[0].ID)
	require.Nil(t, rest.Next)

	m, err := s.SetPlatformsAnswered(t.Context(), auditlog.Actor{Kind: token.Admin, ID: uuid.New()}, contact.AnswerInput{ID: sent.ID, Answered: true})
	require.NoError(t, err)
	require.Equal(t, "+66 81-234 5678", m.Phone)
	page, err = s.PlatformsList(t.Context(), contact.ListInput{State: "new"})
	require.NoError(t, err)
	require.Len(t, page.Data, 1)
	require.Equal(t, second.ID, page.Data[0].ID)
	_, err = s.PlatformsDetail(t.Context(), uuid.New())
	require.ErrorIs(t, err, fault.Missing)
}
