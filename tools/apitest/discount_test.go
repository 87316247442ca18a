package apitest

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/tools/harness"
)

// TestGuessedCodes: who types codes that are none is stopped after ten, also where he buys with them; a right one is no guess, and nobody else at his
// address is stopped before sixty.
func TestGuessedCodes(t *testing.T) {
	p := harness.Start(t)
	spa := p.Open("guessed", "ทดสอบ", "1650000032")
	spa.Sell(100_00, nil)
	saved := harness.MustPost[harness.Saved](spa.Owner, "/api/owner/save/discount", "", map[string]any{
		"name_th": "ลดสิบ", "name_en": "", "position": 1, "how": "code", "class": "cart", "kind": "percent", "value": 1000, "max_satang": nil, "payer": "organisation",
		"least_satang": 0, "least_items": 0, "first_only": false, "starts_at": nil, "ends_at": nil, "uses_each": nil, "stack": "all", "uses": nil, "budget_satang": nil, "code": "RIGHT10",
	})
	harness.MustPost[any](spa.Owner, "/api/owner/status/discount", "", map[string]any{"ids": []string{saved.ID()}, "status": 5})

	lines := []any{map[string]any{"package_id": spa.Package, "quantity": 1}}
	quote := func(who *harness.Browser, codes ...string) harness.Reply {
		return who.Post("/api/user/order/quote", "", map[string]any{"lines": lines, "codes": codes})
	}
	ann, bea := spa.Customer("แอน"), spa.Customer("บี")
	for range 15 {
		require.True(t, quote(ann, "right-10").Result)
	}
	for i := range 5 {
		require.True(t, quote(ann, fmt.Sprint("WRONG", i), "RIGHT10").Result)
	}
	buy := map[string]any{"lines": lines, "codes": []string{"GUESSED"}, "hash": "none", "accepted": []any{}, "lang": "th"}
	for range 5 {
		require.Equal(t, "discount.unknown", ann.Post("/api/user/order/confirm", uuid.NewString(), buy).Fault)
	}
	for _, answer := range []harness.Reply{
		quote(ann, "WRONG"), quote(ann, "RIGHT10"), ann.Post("/api/user/order/confirm", uuid.NewString(), buy),
		ann.Post("/api/user/order/pay", uuid.NewString(), map[string]any{"lines": lines, "codes": []string{"GUESSED"}, "hash": "none", "accepted": []any{}, "lang": "th", "method": "promptpay"}),
	} {
		require.Equal(t, "discount.too_many_tries", answer.Fault)
	}
	require.True(t, quote(ann).Result, "without a code he buys")
	require.True(t, quote(bea, "RIGHT10").Result, "nobody else is stopped")

	fields := harness.MustPost[struct{ Data []harness.Saved }](spa.Owner, "/api/owner/get/discount", "", map[string]any{
		"filter": map[string]any{"active": true, "status": 5}, "select": []string{"_id", "name_th", "name_en"}, "limit": 5000,
	}).Data
	require.Equal(t, []harness.Saved{{"_id": saved.ID(), "name_th": "ลดสิบ", "name_en": ""}}, fields, "the list answers as it did")
}
