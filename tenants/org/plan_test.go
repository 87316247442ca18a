package org_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/tenanttest"
)

var admin = auditlog.Actor{Kind: token.Admin, ID: db.NewID()}

// addPlan inserts a plan.
func addPlan(t *testing.T, w *tenanttest.World, status int16, feeBasisPoints int64, modules ...string) uuid.UUID {
	t.Helper()
	id := db.NewID()
	if modules == nil {
		modules = []string{}
	}
	require.NoError(t, w.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO plan (id, name_th, name_en, modules, fee_basis_points, status, created_at) VALUES ($1, 'แผน', 'Plan', $2, $3, $4, $5)`,
			id, modules, feeBasisPoints, status, tx.Now)
		return err
	}))
	return id
}

// TestChangePlan: modules are the new plan's at once, and the fee is for what is ordered from then on.
func TestChangePlan(t *testing.T) {
	w := tenanttest.New(t)
	directory := org.NewDirectory(w.DB)
	service := org.New(w.DB, directory, w.Box())
	before, err := directory.ByID(t.Context(), w.Org)
	require.NoError(t, err)
	fee, dear := money.Amount(1000_00).Percent(before.FeeBasisPoints), addPlan(t, w, 5, 1000, "dashboard")
	w.AddPaymentSystem()
	ann, pkg := w.Customer(10_000_00), w.Package(tenanttest.Package{Price: 1000_00})

	w.MustBuy(ann, pkg)
	require.Equal(t, fee, w.SystemBalance(ledger.PlatformFee))
	waits, err := w.Order.Pay(t.Context(), ann, tenanttest.Key(), "", order.PayInput{BuyInput: w.Quote(ann, pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)

	require.NoError(t, service.ChangePlan(t.Context(), w.Org, admin, dear))
	after, err := directory.ByID(t.Context(), w.Org)
	require.NoError(t, err)
	require.Equal(t, dear, after.Plan)
	require.True(t, after.Grants("dashboard"))
	require.False(t, after.Grants("salepackage"))

	w.PayAtGateway(waits.ID)
	require.Equal(t, 2*fee, w.SystemBalance(ledger.PlatformFee), "it was ordered before")
	w.MustBuy(ann, pkg)
	require.Equal(t, 2*fee+100_00, w.SystemBalance(ledger.PlatformFee))
	w.MustBalance()

	require.NoError(t, service.ChangePlan(t.Context(), w.Org, admin, dear), "it may be called again")
	record, err := service.Record(t.Context(), w.Org)
	require.NoError(t, err)
	require.Len(t, record.Log, 1)
	require.Equal(t, "change_plan", record.Log[0].Action)
	require.Contains(t, record.Log[0].Changes, auditlog.Changed{Field: "modules", Before: "[]", After: `["dashboard"]`})

	require.ErrorIs(t, service.ChangePlan(t.Context(), db.NewID(), admin, dear), org.ErrNotFound)
	for name, plan := range map[string]uuid.UUID{"unknown": db.NewID(), "inactive": addPlan(t, w, 2, 0)} {
		err := service.ChangePlan(t.Context(), w.Org, admin, plan)
		require.ErrorIs(t, err, fault.BadInput, name)
		require.Equal(t, []fault.Field{{Path: "plan_id", Fault: fault.NotInList.Code}}, fault.From(err).Fields, name)
	}
}

// TestSavePlan: what a plan no longer has is off for those who are on it at once, in every process, and comes back with it.
func TestSavePlan(t *testing.T) {
	w := tenanttest.New(t)
	other := w.Process(t)
	directory, there := org.NewDirectory(w.DB), org.NewDirectory(other.DB)
	caughtUp := other.Listen(t)
	service := org.New(w.DB, directory, w.Box())
	in := org.PlanInput{NameTH: "แผน", NameEN: "Plan", Modules: []string{"discount", "dashboard", "discount"}, FeeBasisPoints: 250, Active: true}
	id, err := service.AddPlan(t.Context(), admin, in)
	require.NoError(t, err)
	require.NoError(t, service.ChangePlan(t.Context(), w.Org, admin, id))
	grants := func(module string) bool {
		here, err := directory.ByID(t.Context(), w.Org)
		require.NoError(t, err)
		caughtUp()
		far, err := there.ByID(t.Context(), w.Org)
		require.NoError(t, err)
		require.Equal(t, here.Grants(module), far.Grants(module))
		return here.Grants(module)
	}
	require.True(t, grants("discount"))
	in.Modules, in.Active, in.FeeBasisPoints = []string{"dashboard"}, false, 0
	require.NoError(t, service.SavePlan(t.Context(), id, admin, in))
	require.False(t, grants("discount"))
	require.True(t, grants("dashboard"), "who is on it stays on it")
	list, err := directory.Plans(t.Context())
	require.NoError(t, err)
	require.Contains(t, list, org.PlanRow{Plan: org.Plan{ID: id, NameTH: "แผน", NameEN: "Plan", Modules: []string{"dashboard"}}, Organisations: 1})
	in.Modules = nil
	require.NoError(t, service.SavePlan(t.Context(), id, admin, in))
	require.False(t, grants("dashboard"))

	for _, module := range []string{"everything", "", "*", "productcommission"} {
		in.Modules = []string{module}
		require.ErrorIs(t, service.SavePlan(t.Context(), id, admin, in), fault.BadInput, module)
		_, err := service.AddPlan(t.Context(), admin, in)
		require.ErrorIs(t, err, fault.BadInput, module)
	}
	in.Modules = []string{"dashboard"}
	require.ErrorIs(t, service.SavePlan(t.Context(), db.NewID(), admin, in), fault.Missing)
}
