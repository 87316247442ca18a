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
}
