package customer_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/customer"
)

func TestSetMobile(t *testing.T) {
	w := newWorld(t)
	ann, bea := w.signIn(t, "ann"), w.signIn(t, "bea")
	set := func(who token.Session, number string) error {
		return w.people.SetMobile(t.Context(), who, auditlog.Actor{Kind: token.User, ID: who.Subject}, number)
	}
	profile := func() customer.Profile {
		p, err := w.people.Profile(t.Context(), ann)
		require.NoError(t, err)
		return p
	}
	row := func(who token.Session) (sealed, index []byte, at *time.Time) {
		w.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT mobile, mobile_index, mobile_verified_at FROM customer WHERE id = $1`, who.Subject).Scan(&sealed, &index, &at)
		})
		return sealed, index, at
	}
	require.Empty(t, profile().Mobile)
	require.Nil(t, profile().VerifiedAt)

	t.Run("a number is stored encrypted with its index, and another takes its place", func(t *testing.T) {
		require.NoError(t, set(ann, "+66812345678"))
		require.Equal(t, "+66812345678", profile().Mobile)
		first := profile().VerifiedAt
		require.NotNil(t, first)
		sealed, index, _ := row(ann)
		require.NotContains(t, string(sealed), "812345678")

		w.Clock.Advance(time.Minute)
		require.NoError(t, set(ann, "+66898765432"))
		require.Equal(t, "+66898765432", profile().Mobile)
		require.GreaterOrEqual(t, profile().VerifiedAt.Sub(*first), time.Minute)
		_, other, _ := row(ann)
		require.NotEqual(t, index, other)
	})
	t.Run("two people may share a number, and neither's can be opened in the other's row", func(t *testing.T) {
		require.NoError(t, set(bea, "+66898765432"))
		_, of, _ := row(ann)
		sealed, index, _ := row(bea)
		require.Equal(t, of, index)
		w.Force(`UPDATE customer SET mobile = $2 WHERE id = $1`, ann.Subject, sealed)
		_, err := w.people.Profile(t.Context(), ann)
		require.Error(t, err)
		require.NoError(t, set(ann, "+66898765432"))
	})
	t.Run("the time goes with the number", func(t *testing.T) {
		require.Error(t, w.InAsSuperuser(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE customer SET mobile = NULL WHERE id = $1`, ann.Subject)
			return err
		}))
		w.erase(bea)
		sealed, index, at := row(bea)
		require.Nil(t, sealed)
		require.Nil(t, index)
		require.Nil(t, at)
	})
	t.Run("who is not served any more has no number written down", func(t *testing.T) {
		require.ErrorIs(t, set(bea, "+66812345678"), customer.ErrSuspended)
		stranger := ann
		stranger.Subject = w.Org
		require.ErrorIs(t, set(stranger, "+66812345678"), fault.NoSession)
	})
}
