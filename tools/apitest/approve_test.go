package apitest

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/tools/harness"
)

// TestNoAccountApprovesItself: an account does not approve the customer who is the same person at LINE.
func TestNoAccountApprovesItself(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("approves", "ร้าน", "1650000074")
	kind := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/agenttype", "", map[string]any{"name_th": "ตัวแทน", "name_en": "Agent", "rate_basis_points": 1000, "recruiter_basis_points": 0, "matures": "sale", "mature_days": 0}).ID()
	harness.MustPost[any](shop.Owner, "/api/owner/status/agenttype", "", map[string]any{"ids": []string{kind}, "status": 5})
	customer := func(name string) uuid.UUID {
		return harness.MustPost[struct{ Profile struct{ ID uuid.UUID } }](shop.Customer(name), "/api/authen/rechecktoken", "", map[string]any{}).Profile.ID
	}
	made := harness.MustPost[struct{ URL string }](shop.Owner, "/api/owner/staff/invite", "", map[string]any{"name": "พนักงาน", "role": "admin", "area": "owner"})
	employee := p.Browser(shop.Host)
	r := employee.WebLogin(map[string]any{"audience": "owner", "return": "/owner", "invitation": afterHash(made.URL)}, "register", "somchai")
	require.True(t, r.Result, r.Fault)
	employee.Token = harness.SignIn(employee, "/api/authen/owner/line", map[string]any{"LINETOKEN": p.IDToken("somchai", shop.Channel)}).Token
	himself, other := customer("somchai"), customer("malee")
	approve := func(who *harness.Browser, customer uuid.UUID) string {
		return who.Post("/api/owner/agent/approve", "", map[string]any{"customer_id": customer, "agent_type_id": kind}).Fault
	}

	require.Equal(t, "agent.self", approve(employee, himself))
	require.Empty(t, approve(employee, other))
	require.Empty(t, approve(shop.Owner, himself), "another account may")
	require.Equal(t, "agent.self", approve(employee, himself), "nor may the account choose another type afterwards")
}
