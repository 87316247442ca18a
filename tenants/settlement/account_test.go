package settlement_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/payee"
	"welovevoucher/tenants/settlement"
	"welovevoucher/tenants/tenanttest"
)

// office is an organisation with two people.
type office struct {
	*tenanttest.World
	t             *testing.T
	first, second token.Session
	admin         auditlog.Actor
}

func open(t *testing.T) *office {
	t.Helper()
	o := &office{World: tenanttest.New(t), t: t, admin: auditlog.Actor{Kind: token.Admin, ID: db.NewID()}}
	o.first, o.second = o.Owner(), o.Owner()
	return o
}

func by(who token.Session) auditlog.Actor { return auditlog.Actor{Kind: who.Audience, ID: who.Subject} }

func (o *office) fill(who token.Session, f payee.Form) error {
	return o.Settlement.Fill(o.t.Context(), o.Org, by(who), settlement.Filled{Form: f})
}

func (o *office) newest(who token.Session) payee.Sent {
	o.t.Helper()
	a, err := o.Settlement.Account(o.t.Context(), who)
	require.NoError(o.t, err)
	return a.Forms[0]
}

func (o *office) accept(who token.Session, reason string) error {
	o.t.Helper()
	return o.Settlement.Accept(o.t.Context(), who, by(who), settlement.Acceptance{Version: o.newest(who).ID, Reason: reason})
}

// follow does the job that an account's change has put.
func (o *office) follow(id uuid.UUID) {
	o.t.Helper()
	require.NoError(o.t, o.Settlement.Follow(o.t.Context(), o.Org, settlement.AccountJob{Version: id}))
}

// listed reports whether the platform's list has an account.
func (o *office) listed(id uuid.UUID) bool {
	o.t.Helper()
	list, err := o.Settlement.Requests(o.t.Context())
	require.NoError(o.t, err)
	for _, r := range list {
		if r.Version == id {
			return true
		}
	}
	return false
}

// TestAccount: one person fills the account in, another approves it, then the platform does, and it is paid to seven days later, also the first time.
func TestAccount(t *testing.T) {
	o := open(t)
	wrong := tenanttest.CompanyForm()
	wrong.AccountName = "คนอื่น"
	require.ErrorIs(t, o.fill(o.first, wrong), fault.BadInput)
	form := tenanttest.CompanyForm()
	require.NoError(t, o.fill(o.first, form))
	id := o.newest(o.first).ID
	require.Equal(t, []string{"answer", "withdraw"}, []string{o.newest(o.second).Standing, o.newest(o.first).Standing})
	require.ErrorIs(t, o.accept(o.first, ""), settlement.ErrFiller)

	// Before another person of it has approved it the platform can do nothing with it.
	o.follow(id)
	require.False(t, o.listed(id))
	require.ErrorIs(t, o.Settlement.AcceptByAdmin(t.Context(), o.admin, settlement.ByForm{Version: id}), fault.Missing)

	require.NoError(t, o.accept(o.second, ""))
	require.ErrorIs(t, o.accept(o.second, ""), settlement.ErrFormNotNow)
	require.ErrorIs(t, o.Settlement.Refuse(t.Context(), o.Org, by(o.second), settlement.Refusal{Version: id, Reason: "x"}), settlement.ErrFormNotNow)
	require.Equal(t, []any{"pending", "withdraw"}, []any{o.newest(o.second).State, o.newest(o.second).Standing})
	o.follow(id)
	o.follow(id)
	require.True(t, o.listed(id))
	d, err := o.Settlement.Request(t.Context(), o.admin, settlement.ByForm{Version: id})
	require.NoError(t, err)
	require.Equal(t, form.Tidy().Number, d.Form.Whole.Number)
	require.Equal(t, int64(1), o.Count(`SELECT count(*) FROM audit_log WHERE action = 'look' AND actor_kind = 'admin'`))
	require.ErrorIs(t, o.Settlement.RefuseByAdmin(t.Context(), o.admin, settlement.Refusal{Version: id, Reason: " "}), fault.BadInput)

	require.NoError(t, o.Settlement.AcceptByAdmin(t.Context(), o.admin, settlement.ByForm{Version: id}))
	require.ErrorIs(t, o.Settlement.AcceptByAdmin(t.Context(), o.admin, settlement.ByForm{Version: id}), settlement.ErrFormNotNow)
	o.follow(id)
	require.False(t, o.listed(id))
	known := o.newest(o.first)
	require.Equal(t, []any{"approved", true, clock.Day(o.Clock.Now()).AddDate(0, 0, 7).Format(time.DateOnly)}, []any{known.State, known.Platform, *known.PaysFrom})
	o.MustBalance()

	// A changed account waits for both again, and is taken back, or refused by the platform.
	o.Clock.Advance(10 * 24 * time.Hour)
	other := tenanttest.CompanyForm()
	other.Number = "1112223334"
	require.NoError(t, o.fill(o.second, other))
	require.NoError(t, o.accept(o.first, ""))
	id = o.newest(o.first).ID
	o.follow(id)
	d, err = o.Settlement.Request(t.Context(), o.admin, settlement.ByForm{Version: id})
	require.NoError(t, err)
	require.Equal(t, known.Account, d.Approved.Account)
	require.NoError(t, o.Settlement.RefuseByAdmin(t.Context(), o.admin, settlement.Refusal{Version: id, Reason: "ชื่อไม่ตรง"}))
	require.Equal(t, []any{"refused", "ชื่อไม่ตรง"}, []any{o.newest(o.first).State, o.newest(o.first).Reason})

	require.NoError(t, o.fill(o.second, other))
	require.NoError(t, o.accept(o.first, ""))
	id = o.newest(o.first).ID
	o.follow(id)
	require.NoError(t, o.Settlement.TakeBack(t.Context(), o.Org, by(o.second), settlement.ByForm{Version: id}))
	require.ErrorIs(t, o.Settlement.AcceptByAdmin(t.Context(), o.admin, settlement.ByForm{Version: id}), settlement.ErrFormNotNow, "it was taken back, and the list does not know yet")
	o.follow(id)
	require.False(t, o.listed(id))

	require.NoError(t, o.fill(o.second, other))
	require.NoError(t, o.accept(o.first, ""))
	id = o.newest(o.first).ID
	o.follow(id)
	require.NoError(t, o.Settlement.AcceptByAdmin(t.Context(), o.admin, settlement.ByForm{Version: id}))
	require.Equal(t, clock.Day(o.Clock.Now()).AddDate(0, 0, 7).Format(time.DateOnly), *o.newest(o.first).PaysFrom)
	o.MustBalance()
}

// TestAccountAlone: the only person approves what he filled in the day after, signed in anew, and the platform after him.
func TestAccountAlone(t *testing.T) {
	o := open(t)
	require.NoError(t, o.fill(o.first, tenanttest.CompanyForm()))
	o.Force(`UPDATE staff SET status = 2 WHERE id = $1`, o.second.Subject)
	require.ErrorIs(t, o.accept(o.first, ""), settlement.ErrTomorrow)
	o.Clock.Advance(24 * time.Hour)
	require.ErrorIs(t, o.accept(o.first, ""), settlement.ErrTomorrow, "signed in before")
	require.NoError(t, o.accept(o.SignInAnew(o.first), ""))
	require.Equal(t, "pending", o.newest(o.first).State)
}

// TestAccountOfPayee: who is paid by the organisation has its account only with a reason, and his form is no account of the organisation.
func TestAccountOfPayee(t *testing.T) {
	o := open(t)
	partner := o.PartnerAt(o.ServicePoint(), 1000)
	form := tenanttest.CompanyForm()
	o.Payee(partner, o.first, form)
	require.NoError(t, o.fill(o.first, form))
	require.ErrorIs(t, o.accept(o.second, ""), settlement.ErrDuplicate)
	require.NoError(t, o.accept(o.second, "บริษัทเดียวกัน"))

	var theirs uuid.UUID
	o.Force(`UPDATE payee_version SET sent_by = $2 WHERE payee_id = $1`, partner, o.first.Subject)
	require.NoError(t, o.DB.ReadInOrg(t.Context(), o.Org, func(tx db.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT id FROM payee_version WHERE payee_id = $1`, partner).Scan(&theirs)
	}))
	require.ErrorIs(t, o.Settlement.TakeBack(t.Context(), o.Org, by(o.first), settlement.ByForm{Version: theirs}), fault.Missing)
}

// TestAccountByForce: the audit finds an account that the platform has not approved.
func TestAccountByForce(t *testing.T) {
	o := open(t)
	require.NoError(t, o.fill(o.first, tenanttest.CompanyForm()))
	o.Force(`UPDATE payee_version SET state = 'approved', decided_at = sent_at, decided_by = $1, pays_from = now()`, o.second.Subject)
	found, err := order.Audit(t.Context(), o.DB, o.Org)
	require.NoError(t, err)
	require.Len(t, found, 1)
}
