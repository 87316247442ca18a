package partner_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/partner"
	"welovevoucher/tenants/servicepoint"
	"welovevoucher/tenants/tenanttest"
)

// TestUsesOn: staff of a place read what its partner earns of a day's uses, as it is now, and nothing of another place.
func TestUsesOn(t *testing.T) {
	o := open(t)
	door, ann, elsewhere := o.Staff(), o.Customer(10_000_00), o.ServicePoint()
	v := o.MustBuy(ann, o.Package(tenanttest.Package{Price: 1000_00, Items: 10})).ID
	on := func(place uuid.UUID, day time.Time, after *uuid.UUID) partner.DayOfUses {
		uses, err := o.Partner.UsesOn(t.Context(), door, place, day, after)
		require.NoError(t, err)
		return uses
	}
	states := func(of partner.DayOfUses) (is []string) {
		for _, u := range of.Data {
			is = append(is, u.State)
		}
		return is
	}
	require.Empty(t, on(o.place, time.Time{}, nil).Data)

	o.MustRedeem(ann, v, 1, door, o.place)
	o.MustRedeem(ann, v, 2, door, o.place)
	o.MustRedeem(ann, v, 1, door, elsewhere)
	today := on(o.place, time.Time{}, nil)
	require.Equal(t, []string{"pending", "pending"}, states(today))
	require.EqualValues(t, 2, today.Data[0].Items)
	// 97.00 an item after the platform's fee, a fifth of it.
	require.Equal(t, []money.Amount{38_80, 19_40, 58_20}, []money.Amount{today.Data[0].Due, today.Data[1].Due, today.Due})
	require.Len(t, on(o.place, time.Time{}, &today.Data[0].ID).Data, 1)
	require.Empty(t, on(elsewhere, time.Time{}, nil).Data)

	_, err := o.Objection.Object(t.Context(), ann, tenanttest.Key(), objection.Input{Use: today.Data[0].ID})
	require.NoError(t, err)
	require.Equal(t, []string{"open", "pending"}, states(on(o.place, time.Time{}, nil)))
	require.EqualValues(t, 19_40, on(o.place, time.Time{}, nil).Due)
	day := clock.Day(o.Clock.Now())
	o.Clock.Advance(72 * time.Hour)
	o.Mature()
	require.Equal(t, []string{"open", "mature"}, states(on(o.place, day, nil)))
	require.Empty(t, on(o.place, time.Time{}, nil).Data)

	o.In(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO service_point_staff (service_point_id, staff_id) VALUES ($1, $2)`, o.place, o.Staff().Subject)
		return err
	})
	_, err = o.Partner.UsesOn(t.Context(), door, o.place, day, nil)
	require.ErrorIs(t, err, servicepoint.ErrNotStaff)
}
