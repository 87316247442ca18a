package partner_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/partner"
	"welovevoucher/tenants/payee"
	"welovevoucher/tenants/servicepoint"
	"welovevoucher/tenants/tenanttest"
)

// office is an organisation with two people, and a partner of a service point who earns a fifth.
type office struct {
	*tenanttest.World
	t             *testing.T
	first, second token.Session
	place, id     uuid.UUID
}

func open(t *testing.T) *office {
	t.Helper()
	o := &office{World: tenanttest.New(t), t: t}
	o.first, o.second, o.place = o.Owner(), o.Owner(), o.ServicePoint()
	o.id = o.PartnerAt(o.place, 2000)
	return o
}

func by(who token.Session) auditlog.Actor { return auditlog.Actor{Kind: who.Audience, ID: who.Subject} }

func (o *office) fill(who token.Session, f payee.Form) error {
	return o.Partner.Fill(o.t.Context(), o.Org, by(who), partner.Filled{Partner: o.id, Form: f})
}

func (o *office) record(who token.Session) partner.Record {
	o.t.Helper()
	r, err := o.Partner.Record(o.t.Context(), who, o.id)
	require.NoError(o.t, err)
	return r
}

func (o *office) accept(who token.Session, reason string) error {
	o.t.Helper()
	return o.Partner.Accept(o.t.Context(), who, by(who), partner.Acceptance{Version: o.record(who).Forms[0].ID, Reason: reason})
}

func (o *office) status(status int16) error {
	return o.DB.InOrg(o.t.Context(), o.Org, func(tx db.Tx) error {
		return partner.Partners.SetStatus(o.t.Context(), tx, by(o.first), []uuid.UUID{o.id}, status)
	})
}

// TestAccount: what one person has filled in another approves, and it is paid to seven days later, also the first time.
func TestAccount(t *testing.T) {
	o := open(t)
	wrong := tenanttest.PersonForm()
	wrong.AccountName = "คนอื่น"
	require.ErrorIs(t, o.fill(o.first, wrong), fault.BadInput)
	form := tenanttest.PersonForm()
	require.NoError(t, o.fill(o.first, form))
	waits := o.record(o.second).Forms[0]
	require.Equal(t, []any{"pending", "answer", form.Number}, []any{waits.State, waits.Standing, waits.Whole.Number})
	require.Equal(t, "withdraw", o.record(o.first).Forms[0].Standing)
	require.ErrorIs(t, o.accept(o.first, ""), partner.ErrSamePerson)
	require.ErrorIs(t, o.Partner.Refuse(t.Context(), o.Org, by(o.second), partner.Refusal{Version: waits.ID, Reason: " "}), fault.BadInput)

	require.NoError(t, o.accept(o.second, ""))
	require.ErrorIs(t, o.accept(o.second, ""), partner.ErrNotNow)
	known := o.record(o.first).Forms[0]
	require.Equal(t, []any{"approved", clock.Day(o.Clock.Now()).AddDate(0, 0, 7).Format(time.DateOnly)}, []any{known.State, *known.PaysFrom})
	require.Nil(t, known.Whole)

	// Another one takes the place of what waits; who is refused can be filled in again.
	require.NoError(t, o.fill(o.first, tenanttest.CompanyForm()))
	require.NoError(t, o.fill(o.second, tenanttest.CompanyForm()))
	require.NoError(t, o.Partner.Refuse(t.Context(), o.Org, by(o.first), partner.Refusal{Version: o.record(o.first).Forms[0].ID, Reason: "ไม่ชัด"}))
	states := []string{}
	for _, f := range o.record(o.first).Forms {
		states = append(states, f.State)
	}
	require.Equal(t, []string{"refused", "withdrawn", "approved"}, states)

	other := o.PartnerAt(o.ServicePoint(), 1000)
	require.NoError(t, o.Partner.Fill(t.Context(), o.Org, by(o.first), partner.Filled{Partner: other, Form: form}))
	o.id = other
	require.ErrorIs(t, o.accept(o.second, "x"), partner.ErrDuplicate, "the same person")
}

// TestAlone: the only person approves what he filled in the day after, signed in anew.
func TestAlone(t *testing.T) {
	o := open(t)
	require.NoError(t, o.fill(o.first, tenanttest.PersonForm()))
	o.Force(`UPDATE staff SET status = 2 WHERE id = $1`, o.second.Subject)
	require.ErrorIs(t, o.accept(o.first, ""), partner.ErrTomorrow)
	o.Clock.Advance(24 * time.Hour)
	require.ErrorIs(t, o.accept(o.first, ""), partner.ErrTomorrow, "signed in before")
	require.NoError(t, o.accept(o.SignInAnew(o.first), ""))
}

// TestEnd: who ends is a partner no more, and no service point can become his.
func TestEnd(t *testing.T) {
	o := open(t)
	require.NoError(t, o.status(resource.Suspended))
	require.NoError(t, o.status(resource.Active))
	require.NoError(t, o.status(resource.Inactive))
	require.ErrorIs(t, o.status(resource.Active), partner.ErrOver)
	require.ErrorIs(t, o.fill(o.first, tenanttest.PersonForm()), partner.ErrOver)
	require.ErrorIs(t, o.DB.InOrg(t.Context(), o.Org, func(tx db.Tx) error {
		_, err := servicepoint.ServicePoints.Save(t.Context(), tx, by(o.first), servicepoint.ServicePoint{NameTH: "สาขา", Partner: &o.id})
		return err
	}), fault.BadInput)
}

// TestRates: a rate stays as it is once its day has come, and no day has two.
func TestRates(t *testing.T) {
	o := open(t)
	day := func(n int) string { return clock.Day(o.Clock.Now()).AddDate(0, 0, n).Format(time.DateOnly) }
	add := func(first string) (made partner.RateRow, err error) {
		err = o.DB.InOrg(t.Context(), o.Org, func(tx db.Tx) (err error) {
			made, err = partner.Rates.Save(t.Context(), tx, by(o.first), partner.RateRow{Partner: o.id, BasisPoints: 5000, FirstDay: first})
			return err
		})
		return made, err
	}
	withdraw := func(id uuid.UUID) error {
		return o.DB.InOrg(t.Context(), o.Org, func(tx db.Tx) error {
			return partner.Rates.SetStatus(t.Context(), tx, by(o.first), []uuid.UUID{id}, resource.Deleted)
		})
	}
	_, err := add(day(-1))
	require.ErrorIs(t, err, fault.BadInput)
	_, err = add(day(0))
	require.ErrorIs(t, err, fault.BadInput, "there is one of today")
	next, err := add(day(1))
	require.NoError(t, err)
	require.NoError(t, withdraw(next.ID))
	_, err = add(day(1))
	require.NoError(t, err)
	var begun uuid.UUID
	o.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM partner_rate WHERE basis_points = 2000`).Scan(&begun)
	})
	require.ErrorIs(t, withdraw(begun), partner.ErrBegun)
}
