package journey

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/tools/stage"
)

// Whoever tries codes, keys or addresses one after another is stopped, and nobody else is.
func TestLimits(t *testing.T) {
	p := stage.Start(t)
	spa := p.Open("limits", "ทดสอบ", "1650000031")
	spa.Sell(100_00, nil)
	fault := func(who *stage.Browser, path string, body any, times int) (last string) {
		for range times {
			last = who.Post(path, uuid.NewString(), body).Fault
		}
		return last
	}

	code := map[string]any{"code": "ABCD2345", "service_point_id": spa.Place}
	require.Equal(t, "voucher.unknown", fault(spa.Owner, "/api/staff/voucher/verify", code, 120))
	require.Equal(t, "rate.limited", fault(spa.Owner, "/api/staff/voucher/verify", code, 1))

	ann, bea := spa.Customer("แอน"), spa.Customer("บี")
	use := map[string]any{"voucher_id": uuid.NewString(), "service_point_id": spa.Place, "items": 1}
	require.Equal(t, "voucher.not_found", fault(ann, "/api/user/voucher/use", use, 30))
	require.Equal(t, "rate.limited", fault(ann, "/api/user/voucher/use", use, 1))
	require.Equal(t, "voucher.not_found", fault(bea, "/api/user/voucher/use", use, 1))

	require.NoError(t, p.ForgetLimits())
	buy := map[string]any{"lines": []any{map[string]any{"package_id": spa.Package, "quantity": 1}}, "hash": "none", "accepted": []any{}, "lang": "th"}
	require.Equal(t, "market.quote_changed", fault(ann, "/api/user/order/confirm", buy, 30))
	require.Equal(t, "rate.limited", fault(ann, "/api/user/order/confirm", buy, 1))
	require.Equal(t, "rate.limited", fault(ann, "/api/user/wallet/topup", map[string]any{"amount_satang": 100_00, "method": "promptpay"}, 1), "all that moves money counts together")
	require.Empty(t, fault(ann, "/api/user/getwallet", nil, 1), "reading goes on")

	confirm := map[string]any{"use_session_id": uuid.NewString(), "service_point_id": spa.Place}
	require.Equal(t, "voucher.unknown", fault(spa.Owner, "/api/staff/voucher/confirm", confirm, 120))
	require.Equal(t, "rate.limited", fault(spa.Owner, "/api/staff/voucher/confirm", confirm, 1))

	file := map[string]any{"format": "csv"}
	require.NotEqual(t, "rate.limited", fault(spa.Owner, "/api/owner/export/customer", file, 4))
	require.NotEqual(t, "rate.limited", fault(spa.Owner, "/api/owner/report/job", map[string]any{"report": "customer", "filter": map[string]any{}, "format": "csv"}, 1))
	require.Equal(t, "rate.limited", fault(spa.Owner, "/api/owner/export/tags", file, 1), "whatever the file is of")

	visitor := p.Browser(spa.Host)
	require.Empty(t, fault(visitor, "/api/authen/web/client/limits", map[string]any{}, 30))
	require.Equal(t, "rate.limited", fault(p.Browser(spa.Host), "/api/authen/web/client/limits", map[string]any{}, 1), "from this address")

	cat := spa.Customer("แคท") // of whom this process has counted nothing ahead
	require.Empty(t, fault(cat, "/api/user/getwallet", nil, 590))
	require.Equal(t, "rate.limited", fault(cat, "/api/user/voucher/history", map[string]any{}, 20), "one token calls 600 times a minute, whatever it calls")
}
