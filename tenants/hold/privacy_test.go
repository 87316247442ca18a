package hold_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/hold"
)

// TestForgotten: a hold stays when its payer is erased, without the digits of his card, and is not found anew.
func TestForgotten(t *testing.T) {
	o := atSale(t)
	o.paysByCard(o.nok, "one")
	o.Visit(o.ann, o.agent, o.pkg)
	o.Clock.Advance(time.Minute)
	sold := o.paysByCard(o.ann, "one")
	o.Mature()
	o.find()
	require.Equal(t, map[uuid.UUID][]hold.Signal{sold: {hold.Card}}, o.found())
	with := func() int64 {
		return o.Count(`SELECT count(*) FROM commission_hold WHERE digits <> '' OR evidence <> id::text`)
	}
	require.EqualValues(t, 1, with())
	o.In(func(_ context.Context, tx db.Tx) error {
		charge.ForgetCards(tx, o.ann.Subject)
		hold.Forget(tx, o.ann.Subject)
		return nil
	})
	require.Zero(t, with())
	o.find()
	require.Equal(t, map[uuid.UUID][]hold.Signal{sold: {hold.Card}}, o.found())
	require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM commission_hold`))
}

// TestExported: an agent's own data say what was denied him, and why.
func TestExported(t *testing.T) {
	o := atSale(t)
	o.denies(o.holds(o.sells(o.ann, time.Minute)))
	held, err := o.Privacy.Export(t.Context(), o.nok)
	require.NoError(t, err)
	require.Len(t, held.Agent, 1)
	require.Equal(t, "ซื้อเอง", held.Agent[0].Reason)
	require.NotNil(t, held.Agent[0].Denied)
}
