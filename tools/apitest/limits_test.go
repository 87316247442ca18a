package apitest

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/tools/harness"
)

// TestLimits: a caller that tries codes, keys or addresses one after another is stopped, and no other is.
func TestLimits(t *testing.T) {
	p := harness.Start(t)
	spa := p.Open("limits", "ทดสอบ", "1650000031")
	spa.Sell(100_00, nil)
	fault := func(who *harness.Browser, path string, body any, times int) (last string) {
		for range times {
			last = who.Post(path, uuid.NewString(), body).Fault
		}
		return last
	}

	code := map[string]any{"code": "no code of ours", "service_point_id": spa.ServicePoint}
	require.Equal(t, "voucher.code_unknown", fault(spa.Owner, "/api/staff/voucher/verify", code, 120))
	require.Equal(t, "rate.limited", fault(spa.Owner, "/api/staff/voucher/verify", code, 1))

	ann, bea := spa.Customer("แอน"), spa.Customer("บี")
	use := map[string]any{"voucher_id": uuid.NewString(), "service_point_id": spa.ServicePoint, "items": 1}
	require.Equal(t, "voucher.not_found", fault(ann, "/api/user/voucher/use", use, 30))
	require.Equal(t, "rate.limited", fault(ann, "/api/user/voucher/use", use, 1))
	require.Equal(t, "voucher.not_found", fault(bea, "/api/user/voucher/use", use, 1))

	require.NoError(t, p.ForgetLimits())
	buy := map[string]any{"lines": []any{map[string]any{"package_id": spa.Package, "quantity": 1}}, "hash": "none", "accepted": []any{}, "lang": "th"}
	require.Equal(t, "order.quote_changed", fault(ann, "/api/user/order/confirm", buy, 30))
	require.Equal(t, "rate.limited", fault(ann, "/api/user/order/confirm", buy, 1))
	require.Equal(t, "rate.limited", fault(ann, "/api/user/wallet/topup", map[string]any{"amount_satang": 100_00, "method": "promptpay"}, 1), "all that moves money counts together")
	require.Empty(t, fault(ann, "/api/user/getwallet", nil, 1), "reading goes on")

	confirm := map[string]any{"use_session_id": uuid.NewString(), "service_point_id": spa.ServicePoint}
	require.Equal(t, "voucher.code_unknown", fault(spa.Owner, "/api/staff/voucher/confirm", confirm, 120))
	require.Equal(t, "rate.limited", fault(spa.Owner, "/api/staff/voucher/confirm", confirm, 1))

	file := map[string]any{"format": "csv"}
	require.NotEqual(t, "rate.limited", fault(spa.Owner, "/api/owner/export/customer", file, 4))
	require.NotEqual(t, "rate.limited", fault(spa.Owner, "/api/owner/report/job", map[string]any{"report": "customer", "filter": map[string]any{}, "format": "csv"}, 1))
	require.Equal(t, "rate.limited", fault(spa.Owner, "/api/owner/export/tags", file, 1), "whatever the file is of")

	visitor := p.Browser(spa.Host)
	require.Empty(t, fault(visitor, "/api/authen/web/client/limits", map[string]any{}, 30))
	require.Equal(t, "rate.limited", fault(visitor, "/api/authen/web/client/limits", map[string]any{}, 1))

	cat := spa.Customer("แคท") // of whom this process has counted nothing ahead
	require.Empty(t, fault(cat, "/api/user/getwallet", nil, 590))
	require.Equal(t, "rate.limited", fault(cat, "/api/user/voucher/history", map[string]any{}, 20), "one token calls 600 times a minute, whatever it calls")
}

// TestTypedCodes: five wrong codes an hour may be typed by one member of staff, also all at once. Right ones do not count, QRs go on,
// and where nobody can count nothing is typed.
func TestTypedCodes(t *testing.T) {
	p := harness.Start(t)
	spa := p.Open("typed", "ทดสอบ", "1650000073")
	spa.Sell(100_00, nil)
	ann := spa.Customer("แอน")
	spa.FundWallet(ann, 300_00)
	use := harness.MustPost[harness.Use](ann, "/api/user/voucher/use", uuid.NewString(), map[string]any{"voucher_id": spa.Buy(ann).Vouchers[0].ID, "service_point_id": spa.ServicePoint, "items": 1})
	verify := func(who *harness.Browser, code string) string {
		return who.Post("/api/staff/voucher/verify", "", map[string]any{"code": code, "service_point_id": spa.ServicePoint}).Fault
	}
	right := func() string { return spa.Typed(use) }
	wrong := func() string {
		if code := right(); !strings.HasSuffix(code, "AAAAA") {
			return code[:3] + "AAAAA"
		}
		return right()[:3] + "BBBBB"
	}
	for range 10 {
		require.Empty(t, verify(spa.Owner, right()))
	}
	faults := make([]string, 40)
	var group sync.WaitGroup
	for i := range faults {
		group.Go(func() { faults[i] = verify(spa.Owner, wrong()) })
	}
	group.Wait()
	looked := slices.DeleteFunc(slices.Clone(faults), func(f string) bool { return f != "voucher.code_unknown" })
	require.Len(t, looked, 5, "%v", faults)
	require.Equal(t, "voucher.typed_too_often", verify(spa.Owner, right()), "the right code is not looked at either")
	require.Equal(t, "voucher.code_unknown", verify(spa.Owner, "V1.not.a.qr.of.ours"), "scanned codes go on")

	other := spa.Browser(spa.Host)
	harness.MustPost[any](spa.Owner, "/api/owner/save/staff", "", map[string]any{"username": "door", "name": "ประตู", "role": "admin", "permission_id": nil, "password": "Abcd1234"})
	other.Token = harness.SignIn(other, "/api/authen/staff/user", map[string]any{"username": "door", "password": "Abcd1234", "unique": spa.Unique}).Token
	require.Empty(t, verify(other, right()), "another account is not stopped")
	require.NoError(t, p.ForgetLimits())
	require.Empty(t, verify(spa.Owner, right()), "after the limit is over the account types again")
}

// TestVisitorsBehindOneAddress: a carrier's customers get in, one after another; who asks again and again does not.
func TestVisitorsBehindOneAddress(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("visitors", "ทดสอบ", "1650000075")
	visit := func(b *harness.Browser) string {
		return b.Post("/api/authen/web/client/visitors", "", map[string]any{}).Fault
	}

	for range 100 {
		require.Empty(t, visit(p.Browser(shop.Host)), "each browser counts alone")
	}
	greedy := p.Browser(shop.Host)
	for range 30 {
		require.Empty(t, visit(greedy))
	}
	require.Equal(t, "rate.limited", visit(greedy))
	require.Empty(t, visit(p.Browser(shop.Host)), "another browser is not limited")

	script := p.Browser(shop.Host)
	script.Session = ""
	for range 30 {
		require.Empty(t, visit(script))
	}
	require.Equal(t, "rate.limited", visit(script), "without a cookie the address counts")
	require.Empty(t, visit(p.Browser(shop.Host)))
}
