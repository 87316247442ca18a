package pay

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Tolerance is how far a webhook's time may be from ours.
const Tolerance = 5 * time.Minute

// VerifyWebhook checks Omise's signature: hex HMAC-SHA256, with the decoded secret, over time, dot and body. While a secret is being
// changed the header lists two, separated by a comma.
func (o *Omise) VerifyWebhook(header http.Header, body []byte) (Event, error) {
	secret, err := base64.StdEncoding.DecodeString(o.keys.Webhook)
	if err != nil || len(secret) == 0 {
		return Event{}, fmt.Errorf("Omise webhook: no secret for this account: %w", ErrSignature)
	}
	stamp := header.Get("Omise-Signature-Timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return Event{}, fmt.Errorf("Omise webhook: no time: %w", ErrSignature)
	}
	if age := o.now().Sub(time.Unix(seconds, 0)); age > Tolerance || age < -Tolerance {
		return Event{}, fmt.Errorf("Omise webhook: %s old: %w", age.Round(time.Second), ErrSignature)
	}

	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(stamp + "."))
	mac.Write(body)
	want, genuine := mac.Sum(nil), false
	for signature := range strings.SplitSeq(header.Get("Omise-Signature"), ",") {
		given, err := hex.DecodeString(strings.TrimSpace(signature))
		genuine = err == nil && hmac.Equal(given, want) || genuine
	}
	if !genuine {
		return Event{}, fmt.Errorf("Omise webhook: wrong signature: %w", ErrSignature)
	}

	var event struct {
		ID   string `json:"id"`
		Key  string `json:"key"`
		Data struct {
			Object string `json:"object"`
			ID     string `json:"id"`
			Charge string `json:"charge"` // of a refund or dispute
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &event); err != nil || event.ID == "" {
		return Event{}, fmt.Errorf("Omise webhook: not an event: %w", ErrSignature)
	}
	out := Event{ID: event.ID, Kind: event.Key, ChargeID: event.Data.Charge}
	if event.Data.Object == "charge" {
		out.ChargeID = event.Data.ID
	}
	return out, nil
}
