package commission_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
)

// TestAuditOfRecruiters: whatever is changed of a recruiter's part, a rule finds it.
func TestAuditOfRecruiters(t *testing.T) {
	const (
		ofWhom = "a commission is of the agent whom its order is owed to, or of who recruited him, by its rule, since it was paid"
		byRate = "who recruited an agent has his rate of what the agent sold, and never bought it himself"
	)
	r := recruited(t, commission.Rule{Matures: "sale"})
	r.MustBuy(r.ann, r.pkg)
	r.have(0, 90_00, 0, 27_00)
	ids := strings.NewReplacer("{seller}", "'"+r.seller.String()+"'", "{recruiter}", "'"+r.id.String()+"'", "{buyer}", "'"+r.ann.Subject.String()+"'", "{session}", "'"+r.session.Subject.String()+"'")
	for _, c := range []struct{ name, do, undo, rule string }{
		{"he has more of a line", `UPDATE recruiter_share SET recruiter_satang = recruiter_satang + 1`, `UPDATE recruiter_share SET recruiter_satang = recruiter_satang - 1`, byRate},
		{"he has it of more", `UPDATE recruiter_share SET commission_satang = commission_satang + 1`, `UPDATE recruiter_share SET commission_satang = commission_satang - 1`, byRate},
		{"he has another rate", `UPDATE recruiter_share SET basis_points = basis_points + 1`, `UPDATE recruiter_share SET basis_points = basis_points - 1`, byRate},
		{"somebody else has it", `UPDATE recruiter_share SET recruiter_id = {seller}`, `UPDATE recruiter_share SET recruiter_id = {recruiter}`, ofWhom},
		{"nobody recruited the agent", `UPDATE agent SET recruiter_id = NULL WHERE id = {seller}`, `UPDATE agent SET recruiter_id = {recruiter} WHERE id = {seller}`, byRate},
		{"he bought it himself", `UPDATE agent SET customer_id = {buyer} WHERE id = {recruiter}`, `UPDATE agent SET customer_id = {session} WHERE id = {recruiter}`, byRate},
		{"he has more of the commission", `UPDATE commission SET amount_satang = amount_satang + 1 WHERE level = 2`, `UPDATE commission SET amount_satang = amount_satang - 1 WHERE level = 2`, ofWhom},
		{"his commission is the seller's", `UPDATE commission SET agent_id = {seller} WHERE level = 2`, `UPDATE commission SET agent_id = {recruiter} WHERE level = 2`, ofWhom},
	} {
		t.Run(c.name, func(t *testing.T) {
			r.Force(ids.Replace(c.do))
			findings, err := order.Audit(t.Context(), r.DB, r.Org)
			require.NoError(t, err)
			require.True(t, slices.ContainsFunc(findings, func(f ledger.Finding) bool { return f.Rule == c.rule }), "%v", findings)
			r.Force(ids.Replace(c.undo))
			r.MustBalance()
		})
	}
}
