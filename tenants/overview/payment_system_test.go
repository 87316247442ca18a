package overview_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/overview"
	"welovevoucher/tenants/tenanttest"
)

func TestPaymentSystems(t *testing.T) {
	w, s := open(t)
	system := w.AddPaymentSystem()
	ann := w.Customer(0)
	old := startTopUp(t, w, ann, 900_00)
	w.PayAtGateway(old)
	paid := startTopUp(t, w, ann, 500_00)
	waiting := startTopUp(t, w, ann, 120_00)
	failed := startTopUp(t, w, ann, 130_00)
	w.PayAtGateway(paid)
	w.Force(`UPDATE charge SET state = 'failed' WHERE id = $1`, failed)
	require.NoError(t, s.Build(t.Context(), w.Org))
	// An id says when its payment was begun by the machine's clock, which is not the tests'.
	require.NoError(t, w.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		for id, hours := range map[uuid.UUID]time.Duration{paid: 1, waiting: 2, failed: 3, old: 25} {
			tx.Queue(`UPDATE overview_deposit SET id = $2 WHERE id = $1`, id, db.LowestID(w.Clock.Now().Add(-hours*time.Hour)))
		}
		return nil
	}))
	read := func(hours int) overview.PaymentSystems {
		t.Helper()
		p, err := s.PaymentSystems(t.Context(), overview.PaymentSystemInput{Hours: hours})
		require.NoError(t, err)
		return p
	}
	ofPlatform := func(p overview.PaymentSystems) (n overview.Payments) {
		for _, one := range p.Platform {
			n.Begun, n.Paid, n.Failed, n.Amount = n.Begun+one.Begun, n.Paid+one.Paid, n.Failed+one.Failed, n.Amount+one.Amount
		}
		return n
	}
	of := func(p overview.PaymentSystems) *overview.OwnPayments {
		for n, one := range p.Own {
			if one.Org == w.Org {
				return &p.Own[n]
			}
		}
		return nil
	}

	through := func(gateway string) {
		require.NoError(t, w.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			tx.Queue(`UPDATE overview_deposit SET gateway = $2 WHERE org_id = $1`, w.Org, gateway)
			return nil
		}))
	}
	through("gateway_own_test") // so that the platform's are those of the other tests alone
	before := ofPlatform(read(24))
	through("gateway_platform")
	day := ofPlatform(read(24))
	require.Equal(t, [4]int64{3, 1, 1, 500_00}, [4]int64{day.Begun - before.Begun, day.Paid - before.Paid, day.Failed - before.Failed, int64(day.Amount - before.Amount)})
	require.Equal(t, day.Amount+900_00, ofPlatform(read(48)).Amount)
	require.Nil(t, of(read(24)), "the platform collects")

	require.NoError(t, w.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		tx.Queue(`INSERT INTO payment_endpoint (id, org_id, system_id, collector, created_at) VALUES ($1, $2, $3, 'organisation', now())`, tenanttest.Key(), w.Org, system)
		tx.Queue(`UPDATE organisation SET payment_system_id = $2, collector = 'organisation' WHERE id = $1`, w.Org, system)
		return nil
	}))
	own := of(read(24))
	require.NotNil(t, own)
	require.Zero(t, own.Begun, "nothing was paid through its own account yet")
	through("gateway_own_test")
	own = of(read(24))
	require.Equal(t, [4]int64{3, 1, 1, 3}, [4]int64{own.Begun, own.Paid, own.Failed, own.Test})
	require.Equal(t, money.Amount(500_00), own.Amount)
	require.NotNil(t, own.Last)
	require.NotNil(t, own.Longest)
}
