package payment

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzVerifyWebhook: a webhook is accepted only if the secret signed it, and a signed one is an event or refused.
func FuzzVerifyWebhook(f *testing.F) {
	secret := []byte("the webhook's secret")
	gateway := NewOmise("", Keys{Webhook: base64.StdEncoding.EncodeToString(secret)})
	gateway.now = func() time.Time { return time.Unix(1_800_000_000, 0) }
	for _, body := range []string{
		`{"id":"evnt_1","key":"charge.complete","data":{"object":"charge","id":"chrg_1"}}`, `{"id":"evnt_2","data":{"object":"refund","charge":"chrg_1"}}`,
		`{"id":""}`, `[]`, `{"id":1}`, `{"id":"a","data":null}`, "\x00", `{"ID":"x","data":{"OBJECT":"charge"}}`,
	} {
		f.Add("1800000000", "00,"+hex.EncodeToString(make([]byte, sha256.Size)), []byte(body))
	}
	f.Add("9223372036854775807", ",,", []byte(`{"id":"x"}`))
	f.Add("-9223372036854775808", "ก", []byte(nil))
	f.Fuzz(func(t *testing.T, stamp, signature string, body []byte) {
		_, err := gateway.VerifyWebhook(http.Header{"Omise-Signature-Timestamp": {stamp}, "Omise-Signature": {signature}}, body)
		require.ErrorIs(t, err, ErrSignature)

		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(stamp + "."))
		mac.Write(body)
		signed := http.Header{"Omise-Signature-Timestamp": {stamp}, "Omise-Signature": {signature + "," + hex.EncodeToString(mac.Sum(nil))}}
		event, err := gateway.VerifyWebhook(signed, body)
		if err != nil {
			require.ErrorIs(t, err, ErrSignature)
			return
		}
		require.NotEmpty(t, event.ID)
	})
}
