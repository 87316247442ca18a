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
	id := spa.Discount("RIGHT10", 10_00, nil)

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
	require.Equal(t, []harness.Saved{{"_id": id.String(), "name_th": "ลด RIGHT10", "name_en": ""}}, fields, "the list answers as it did")
}
