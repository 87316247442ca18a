package harness

import (
	"encoding/base64"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/tenants/voucher"
)

// Use is a use session as a phone knows it.
type Use struct {
	ID     uuid.UUID
	Secret string
	Name   string `json:"typed_name"`
	State  string
}

// Typed is what the phone shows beside its QR now.
func (o *Organisation) Typed(use Use) string {
	o.T.Helper()
	secret, err := base64.RawURLEncoding.DecodeString(use.Secret)
	require.NoError(o.T, err)
	now := time.Now()
	if o.Clock != nil { // a deployment has none that a test could move
		now = o.Clock.Now()
	}
	return voucher.Typed(use.Name, o.ID, use.ID, secret, now)
}

// Scan types a use's code at a service point, so that who does may confirm it.
func (o *Organisation) Scan(staff *Browser, use Use) {
	o.T.Helper()
	MustPost[any](staff, "/api/staff/voucher/verify", "", map[string]any{"code": o.Typed(use), "service_point_id": o.ServicePoint})
}
