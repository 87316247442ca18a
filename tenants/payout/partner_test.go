package payout_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/partner"
	"welovevoucher/tenants/tenanttest"
)

// TestPartners: a run pays a partner with the agents, and says of each line which voucher was used. Who is a person waits for a rule of tax, who is suspended for the office.
func TestPartners(t *testing.T) {
	o := open(t)
	nok, daeng := o.agent(), o.PartnerAt(o.place, 5000)
	o.Payee(daeng, o.first, tenanttest.CompanyForm())
	uses := func() {
		t.Helper()
		o.MustRedeem(o.ann, o.MustBuy(o.ann, o.pkg).ID, 3, o.staff, o.place)
	}
	uses() // earns the organisation 900.00 less 3 %
	person := o.PartnerAt(o.place, 5000)
	o.Payee(person, o.first, tenanttest.PersonForm())
	uses()
	suspended := o.PartnerAt(o.place, 5000)
	o.Payee(suspended, o.first, tenanttest.CompanyForm())
	uses()
	require.NoError(t, o.DB.InOrg(t.Context(), o.Org, func(tx db.Tx) error {
		return partner.Partners.SetStatus(t.Context(), tx, actor(o.first), []uuid.UUID{suspended}, resource.Suspended)
	}))
	uses()
	o.has(suspended, 0, 0)
	o.sells(nok, 2)
	o.tomorrow()
	o.tomorrow()
	o.Mature()
	o.tomorrow()
	require.Equal(t, commission.Balance{Payable: 436_50}, o.Earned(suspended), "nothing of what was used while he was suspended")

	id := o.pays()
	p := o.of(id, daeng)
	require.Equal(t, []any{[]money.Amount{436_50, 12_24, 424_26}, &daeng, (*uuid.UUID)(nil), "ร้านพี่แดง"}, []any{[]money.Amount{p.Gross, p.Withheld, p.Net}, p.Partner, p.Customer, p.Name}, "3 % of 407.94")
	require.Equal(t, []string{"no_tax_rule", "suspended", ""}, []string{o.of(id, person).LeftOut, o.of(id, suspended).LeftOut, o.of(id, nok).LeftOut})
	story, err := o.Payout.Payout(t.Context(), o.Org, p.ID)
	require.NoError(t, err)
	require.Len(t, story.Lines, 1)
	require.NotNil(t, story.Lines[0].Used)
	require.Equal(t, o.one(`SELECT voucher_id FROM redemption WHERE partner_id = $1`, daeng), *story.Lines[0].Used)
	require.NoError(t, o.says(p.ID, "paid", ""))
	_, slip, err := o.Payout.Slip(t.Context(), o.Org, actor(o.first), p.ID)
	require.NoError(t, err)
	require.NotEmpty(t, slip)
	o.has(daeng, 0, 0)
	o.tomorrow()
	require.NoError(t, o.says(p.ID, "returned", "บัญชีปิด"))
	o.has(daeng, 424_26, 0)
	o.ReportsAgree(t)
}
