package org_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/session"
	"welovevoucher/tenants/tenanttest"
)

// mailbox takes e-mail, or refuses it.
type mailbox struct {
	ready bool
	err   error
	sent  []mail.Message
}

func (m *mailbox) Ready() bool { return m.ready }

func (m *mailbox) Send(_ context.Context, one mail.Message) error {
	if m.err == nil {
		m.sent = append(m.sent, one)
	}
	return m.err
}

// office is the administration of a test, with an admin who has all rights.
type office struct {
	*testing.T
	*tenanttest.World
	admins   *org.Admins
	sessions *session.Service
	mail     *mailbox
	boss     auditlog.Actor
}

func newOffice(t *testing.T) *office {
	t.Helper()
	w := tenanttest.New(t)
	box, err := secret.New(make([]byte, 32))
	require.NoError(t, err)
	passwords, err := secret.NewPasswords(box)
	require.NoError(t, err)
	o := &office{T: t, World: w, sessions: session.New(w.DB), mail: &mailbox{}}
	o.admins = org.NewAdmins(w.DB, passwords, o.mail, o.sessions.RevokeAll)
	// The tests of a package share a database, and so its admins: only this one is active.
	require.NoError(t, w.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), `UPDATE admin SET status = 4 WHERE status = 5`)
		return err
	}))
	o.boss = o.add("superadmin", nil)
	return o
}

// add inserts an admin who is active.
func (o *office) add(role string, permission map[string]string) auditlog.Actor {
	o.Helper()
	id := db.NewID()
	if permission == nil {
		permission = map[string]string{}
	}
	require.NoError(o, o.DB.InPlatform(o.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(o.Context(), `INSERT INTO admin (id, username, name, role, permission, status, created_at) VALUES ($1, $2, 'ผู้ดูแล', $3, $4, 5, $5)`,
			id, id.String(), role, permission, tx.Now)
		return err
	}))
	return auditlog.Actor{Kind: token.Admin, ID: id}
}

func input(role string, permission map[string]access.Letters) org.AdminInput {
	return org.AdminInput{Name: "สมชาย", Role: role, Permission: permission}
}

func (o *office) row(id uuid.UUID) org.AdminRow {
	o.Helper()
	row, err := o.admins.Row(o.Context(), id)
	require.NoError(o, err)
	return row
}

// TestInviteAdmin: a link sets a password once, and only while who made it may handle its account.
func TestInviteAdmin(t *testing.T) {
	o := newOffice(t)
	username := tenanttest.Key()
	made, err := o.admins.Invite(t.Context(), o.boss, org.NewAdmin{Username: username, AdminInput: input("admin", map[string]access.Letters{"organize": {"u", "v"}})})
	require.NoError(t, err)
	require.Equal(t, "invited", o.row(made.ID).State)
	require.Equal(t, map[string]access.Letters{"organize": {"v", "u"}}, o.row(made.ID).Permission)
	_, err = o.admins.Invite(t.Context(), o.boss, org.NewAdmin{Username: username, AdminInput: input("admin", nil)})
	require.Equal(t, []fault.Field{{Path: "username", Fault: fault.Duplicate.Code}}, fault.From(err).Fields)
	_, err = o.admins.ByPassword(t.Context(), username, "")
	require.ErrorIs(t, err, org.ErrWrongPassword, "who is invited has no password")

	shown, err := o.admins.Invitation(t.Context(), made.Token)
	require.NoError(t, err)
	require.Equal(t, username, shown.Username)
	_, err = o.admins.Join(t.Context(), made.Token, "too short", "")
	require.ErrorIs(t, err, fault.BadInput, "too short")
	for _, wrong := range []string{"", "x", made.Token + "x", made.ID.String()} {
		_, err = o.admins.Join(t.Context(), wrong, "long enough", "")
		require.ErrorIs(t, err, org.ErrInvitation, wrong)
	}

	var all sync.WaitGroup
	joined := make(chan error, 8)
	for range 8 {
		all.Go(func() {
			_, err := o.admins.Join(context.WithoutCancel(t.Context()), made.Token, "long enough", "")
			joined <- err
		})
	}
	all.Wait()
	close(joined)
	once := 0
	for err := range joined {
		if err == nil {
			once++
		} else {
			require.ErrorIs(t, err, org.ErrInvitation)
		}
	}
	require.Equal(t, 1, once, "of eight at once, one")
	id, err := o.admins.ByPassword(t.Context(), username, "long enough")
	require.NoError(t, err)
	require.Equal(t, made.ID, id)
	require.Equal(t, "active", o.row(id).State)

	t.Run("another link sets another password, and ends the sessions", func(t *testing.T) {
		plain, err := o.sessions.Open(t.Context(), token.Admin, uuid.Nil, id, "")
		require.NoError(t, err)
		first, err := o.admins.InviteAgain(t.Context(), o.boss, id)
		require.NoError(t, err)
		second, err := o.admins.InviteAgain(t.Context(), o.boss, id)
		require.NoError(t, err)
		_, err = o.admins.Join(t.Context(), first.Token, "another one", "")
		require.ErrorIs(t, err, org.ErrInvitation, "the second took the first back")
		_, err = o.admins.Join(t.Context(), second.Token, "another one", "")
		require.NoError(t, err)
		_, err = o.sessions.Find(t.Context(), plain)
		require.ErrorIs(t, err, fault.NoSession)
		_, err = o.admins.ByPassword(t.Context(), username, "long enough")
		require.ErrorIs(t, err, org.ErrWrongPassword)
	})

	t.Run("it is worth nothing once it is over, taken back, or from who is no admin any more", func(t *testing.T) {
		worthless := func(spoil func(org.AdminInvited, auditlog.Actor)) {
			by := o.add("admin", map[string]string{"admin": "vi", "organize": "v"})
			made, err := o.admins.Invite(t.Context(), by, org.NewAdmin{Username: tenanttest.Key(), AdminInput: input("admin", map[string]access.Letters{"organize": {"v"}})})
			require.NoError(t, err)
			_, err = o.admins.Invitation(t.Context(), made.Token)
			require.NoError(t, err)
			spoil(made, by)
			_, err = o.admins.Invitation(t.Context(), made.Token)
			require.ErrorIs(t, err, org.ErrInvitation)
			_, err = o.admins.Join(t.Context(), made.Token, "long enough", "")
			require.ErrorIs(t, err, org.ErrInvitation)
		}
		worthless(func(made org.AdminInvited, _ auditlog.Actor) {
			require.NoError(t, o.admins.TakeBackInvitation(t.Context(), o.boss, made.ID))
		})
		worthless(func(made org.AdminInvited, _ auditlog.Actor) {
			require.NoError(t, o.admins.Suspend(t.Context(), o.boss, made.ID))
		})
		worthless(func(_ org.AdminInvited, by auditlog.Actor) {
			require.NoError(t, o.admins.Suspend(t.Context(), o.boss, by.ID))
		})
		worthless(func(made org.AdminInvited, _ auditlog.Actor) {
			require.NoError(t, o.admins.Save(t.Context(), o.boss, made.ID, input("superadmin", nil)), "more than who invited has")
		})
		worthless(func(org.AdminInvited, auditlog.Actor) { o.Clock.Advance(73 * time.Hour) })
	})
}

// TestAdminRightsAreNotRaised: nobody gives what he does not have, changes his own rights, or takes the last ones.
func TestAdminRightsAreNotRaised(t *testing.T) {
	o := newOffice(t)
	deputy := o.add("admin", map[string]string{"admin": "viu", "organize": "v"})
	other := o.add("admin", map[string]string{"organize": "v"})
	more := map[string]access.Letters{"organize": {"v", "u"}}

	require.ErrorIs(t, o.admins.Save(t.Context(), deputy, other.ID, input("admin", more)), org.ErrBeyond)
	require.ErrorIs(t, o.admins.Save(t.Context(), deputy, other.ID, input("superadmin", nil)), org.ErrBeyond)
	require.ErrorIs(t, o.admins.Save(t.Context(), deputy, o.boss.ID, input("admin", nil)), org.ErrBeyond)
	require.ErrorIs(t, o.admins.Suspend(t.Context(), deputy, o.boss.ID), org.ErrBeyond)
	require.ErrorIs(t, o.admins.RequireMayHandle(t.Context(), deputy, o.boss.ID, "end_sessions"), org.ErrBeyond)
	_, err := o.admins.InviteAgain(t.Context(), deputy, o.boss.ID)
	require.ErrorIs(t, err, org.ErrBeyond, "a link to the boss's password")
	_, err = o.admins.Invite(t.Context(), deputy, org.NewAdmin{Username: tenanttest.Key(), AdminInput: input("admin", more)})
	require.ErrorIs(t, err, org.ErrBeyond)
	require.ErrorIs(t, o.admins.Save(t.Context(), deputy, deputy.ID, input("admin", map[string]access.Letters{"admin": {"v"}})), org.ErrSelf, "not even fewer")
	require.ErrorIs(t, o.admins.Suspend(t.Context(), deputy, deputy.ID), org.ErrSelf)
	require.NoError(t, o.admins.Save(t.Context(), deputy, other.ID, input("admin", map[string]access.Letters{"organize": {"v"}, "admin": {}})))

	for name, bad := range map[string]map[string]access.Letters{
		"unknown module": {"everything": {"v"}}, "unknown letter": {"organize": {"v", "s"}}, "without v": {"organize": {"u"}}, "odd": {"organize": {"v", "v*"}},
	} {
		require.ErrorIs(t, o.admins.Save(t.Context(), o.boss, other.ID, input("admin", bad)), fault.BadInput, name)
	}
	require.ErrorIs(t, o.admins.Save(t.Context(), o.boss, db.NewID(), input("admin", nil)), fault.Missing)
	bad := input("admin", nil)
	bad.Email = "nobody"
	require.ErrorIs(t, o.admins.Save(t.Context(), o.boss, other.ID, bad), fault.BadInput)
	require.ErrorIs(t, o.admins.Save(t.Context(), auditlog.Actor{Kind: token.Admin, ID: db.NewID()}, other.ID, input("admin", nil)), fault.NoSession)

	t.Run("of two who take each other's rights at once, one keeps his", func(t *testing.T) {
		second := o.add("superadmin", nil)
		var all sync.WaitGroup
		for _, pair := range [][2]auditlog.Actor{{o.boss, second}, {second, o.boss}} {
			all.Go(func() {
				err := o.admins.Save(context.WithoutCancel(t.Context()), pair[0], pair[1].ID, input("admin", nil))
				if err != nil && !errors.Is(err, org.ErrBeyond) && !errors.Is(err, org.ErrLastSuper) {
					t.Errorf("unexpected: %v", err)
				}
			})
		}
		all.Wait()
		left := 0
		for _, one := range []auditlog.Actor{o.boss, second} {
			if o.row(one.ID).Role == "superadmin" {
				left++
			}
		}
		require.Equal(t, 1, left)
	})
}

// TestSuspendAdmin: a suspended admin is out at once, and comes back with what he had.
func TestSuspendAdmin(t *testing.T) {
	o := newOffice(t)
	other := o.add("admin", map[string]string{"organize": "v"})
	plain, err := o.sessions.Open(t.Context(), token.Admin, uuid.Nil, other.ID, "")
	require.NoError(t, err)
	who, err := o.sessions.Find(t.Context(), plain)
	require.NoError(t, err)
	open, err := o.sessions.OpenSessions(t.Context(), token.Admin, uuid.Nil, other.ID, who)
	require.NoError(t, err)
	require.Len(t, open, 1)
	require.True(t, open[0].This)

	require.NoError(t, o.sessions.RevokeOne(t.Context(), uuid.Nil, o.boss.ID, open[0].ID), "of another person it ends nothing")
	_, err = o.sessions.Find(t.Context(), plain)
	require.NoError(t, err)
	require.ErrorIs(t, o.sessions.RevokeOne(t.Context(), uuid.Nil, other.ID, "no id"), fault.Missing)

	require.NoError(t, o.admins.Suspend(t.Context(), o.boss, other.ID))
	require.NoError(t, o.admins.Suspend(t.Context(), o.boss, other.ID), "it may be called again")
	_, err = o.sessions.Find(t.Context(), plain)
	require.ErrorIs(t, err, fault.NoSession)
	_, err = o.admins.Admin(t.Context(), who)
	require.ErrorIs(t, err, fault.NoSession)
	_, err = o.admins.InviteAgain(t.Context(), o.boss, other.ID)
	require.ErrorIs(t, err, fault.Missing, "a link would let him in again")

	require.NoError(t, o.admins.Resume(t.Context(), o.boss, other.ID))
	_, err = o.admins.Admin(t.Context(), who)
	require.NoError(t, err)
	open, err = o.sessions.OpenSessions(t.Context(), token.Admin, uuid.Nil, other.ID, who)
	require.NoError(t, err)
	require.Empty(t, open)
}

// TestAdminSignIns: what was refused is kept beside what was not, for 180 days, and of nobody else.
func TestAdminSignIns(t *testing.T) {
	o := newOffice(t)
	username := o.row(o.boss.ID).Username
	require.NoError(t, o.admins.RecordSignIn(t.Context(), username, "password", org.ErrWrongPassword.Code, "192.0.2.1"))
	require.NoError(t, o.admins.RecordSignIn(t.Context(), "nobody at all", "password", org.ErrWrongPassword.Code, "192.0.2.1"))
	require.NoError(t, o.admins.RecordSignInOf(t.Context(), o.boss.ID, "line", "", "2001:db8::1"))
	list, err := o.admins.SignIns(t.Context(), o.boss.ID)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "line", list[0].Way)
	require.Equal(t, "admin.wrong_password", list[1].Fault)
	require.NotNil(t, o.row(o.boss.ID).SignedIn)

	o.Clock.Advance(181 * 24 * time.Hour)
	require.NoError(t, o.admins.SweepSignIns(t.Context()))
	list, err = o.admins.SignIns(t.Context(), o.boss.ID)
	require.NoError(t, err)
	require.Empty(t, list)
}

// TestMailInvitation: a link is shown where no e-mail takes it.
func TestMailInvitation(t *testing.T) {
	o := newOffice(t)
	made := org.AdminInvited{Name: "มานี", Email: "manee@example.com"}
	mailed, err := o.admins.MailInvitation(t.Context(), made, "https://example.com/#x", "th")
	require.NoError(t, err)
	require.False(t, mailed, "no server is configured")
	o.mail.ready = true
	mailed, err = o.admins.MailInvitation(t.Context(), org.AdminInvited{Name: "มานี"}, "https://example.com/#x", "th")
	require.NoError(t, err)
	require.False(t, mailed, "he has no address")
	for _, lang := range []string{"th", "en"} {
		mailed, err = o.admins.MailInvitation(t.Context(), made, "https://example.com/#x", lang)
		require.NoError(t, err)
		require.True(t, mailed)
	}
	require.Contains(t, o.mail.sent[0].Text, "https://example.com/#x")
	o.mail.err = mail.ErrUnavailable
	mailed, err = o.admins.MailInvitation(t.Context(), made, "https://example.com/#x", "th")
	require.ErrorIs(t, err, mail.ErrUnavailable)
	require.False(t, mailed)
}
