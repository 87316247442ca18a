package apitest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/tools/harness"
)

// TestMobile: a customer proves that a mobile number is his.
func TestMobile(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("mobile-spa", "ร้านเบอร์", "1650000063")
	other := p.Open("mobile-ice", "ร้านอื่น", "1650000064")
	shop.Sell(100_00, nil)
	other.Sell(100_00, nil)
	ann, bea, abroad := shop.Customer("mobile-ann"), shop.Customer("mobile-bea"), other.Customer("mobile-ann")
	type object = map[string]any
	request := func(b *harness.Browser, mobile string) harness.Reply {
		return b.Post("/api/user/mobile/request", "", object{"mobile": mobile})
	}
	verify := func(b *harness.Browser, mobile, code string) harness.Reply {
		return b.Post("/api/user/mobile/verify", "", object{"mobile": mobile, "code": code})
	}
	number := func(b *harness.Browser) []any {
		own := harness.MustPost[object](b, "/api/user/profile/customer", "", nil)
		return []any{own["mobilenumber"], own["mobile_verified"]}
	}
	require.Equal(t, []any{nil, false}, number(ann))

	require.True(t, request(ann, "081-234-5678").Result)
	code := p.Code("+66812345678")
	require.Len(t, code, 6)
	require.Equal(t, "otp.wait", request(bea, "+66812345678").Fault, "a number has one limit, whoever asks")
	require.Equal(t, "otp.wait", request(abroad, "0812345678").Fault)
	require.Equal(t, "otp.over", verify(bea, "0812345678", code).Fault)
	require.Equal(t, "otp.over", verify(abroad, "0812345678", code).Fault)
	require.Equal(t, []any{nil, false}, number(ann))
	require.True(t, verify(ann, "0812345678", code).Result)
	require.Equal(t, []any{"08x-xxx-5678", true}, number(ann))
	require.Equal(t, "otp.over", verify(ann, "0812345678", code).Fault, "replayed")

	held := harness.MustPost[struct{ Person object }](ann, "/api/user/privacy/export", "", nil)
	require.Equal(t, "+66812345678", held.Person["mobilenumber"])

	refused := request(ann, "021234567")
	require.Equal(t, http.StatusUnprocessableEntity, refused.Code)
	require.Equal(t, "input.invalid", refused.Fault)

	p.Control(p.SMS.URL, "/emulator/faults", object{"path": "/messages", "kind": "status", "status": 500, "times": 1})
	require.Equal(t, "otp.unavailable", request(ann, "0898765432").Fault)
	require.Equal(t, []any{"08x-xxx-5678", true}, number(ann), "the number before stays")
}
