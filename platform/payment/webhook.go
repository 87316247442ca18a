package payment

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/omise/omise-go"
	"github.com/omise/omise-go/operations"

	"welovevoucher/platform/strictjson"
)

// Tolerance is how much a webhook's time may differ from ours.
const Tolerance = 5 * time.Minute

// VerifyWebhook implements Gateway. The signature is hex HMAC-SHA256, with the decoded secret, over time, dot and body. While a
// secret is being changed, the header has two, separated by a comma.
func (o *Omise) VerifyWebhook(header http.Header, body []byte) (Event, error) {
	secret, err := base64.StdEncoding.DecodeString(o.keys.Webhook)
	if err != nil || len(secret) == 0 {
		return Event{}, fmt.Errorf("Omise webhook: no secret for this account: %w", ErrSignature)
	}
	timestamp := header.Get("Omise-Signature-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return Event{}, fmt.Errorf("Omise webhook: no time: %w", ErrSignature)
	}
	if age := o.now().Sub(time.Unix(seconds, 0)); age > Tolerance || age < -Tolerance {
		return Event{}, fmt.Errorf("Omise webhook: %s old: %w", age.Round(time.Second), ErrSignature)
	}

	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	want, genuine := mac.Sum(nil), false
	for signature := range strings.SplitSeq(header.Get("Omise-Signature"), ",") {
		given, err := hex.DecodeString(strings.TrimSpace(signature))
		genuine = err == nil && hmac.Equal(given, want) || genuine
	}
	if !genuine {
		return Event{}, fmt.Errorf("Omise webhook: wrong signature: %w", ErrSignature)
	}

	var got event
	if err := strictjson.Unmarshal(body, &got); err != nil || got.ID == "" {
		return Event{}, fmt.Errorf("Omise webhook: not an event: %w", ErrSignature)
	}
	return got.read(), nil
}

// event is an event of Omise, in a webhook and in the list of them.
type event struct {
	ID   string `json:"id"`
	Key  string `json:"key"`
	Data struct {
		Object   string         `json:"object"`
		ID       string         `json:"id"`
		Charge   string         `json:"charge"` // of a refund or dispute
		Metadata map[string]any `json:"metadata"`
	} `json:"data"`
}

func (e event) read() Event {
	out := Event{ID: e.ID, Kind: e.Key, ChargeID: e.Data.Charge}
	if e.Data.Object == "charge" {
		out.ChargeID, out.Organisation = e.Data.ID, meta(e.Data.Metadata, metaOrganisation)
	}
	return out
}

// Events implements Gateway. Events that happen meanwhile are appended to the list, so no page is skipped.
func (o *Omise) Events(ctx context.Context, since time.Time) (events []Event, err error) {
	for {
		var list struct {
			Total int     `json:"total"`
			Data  []event `json:"data"`
		}
		err := o.do(ctx, func(c *omise.Client) error {
			return c.Do(&list, &operations.ListEvents{List: operations.List{
				From: since.UTC(), Order: omise.Chronological, Limit: page, Offset: len(events),
			}})
		})
		if err != nil {
			return nil, fmt.Errorf("Omise events since %s: %w", since.UTC().Format(time.RFC3339), err)
		}
		for _, e := range list.Data {
			events = append(events, e.read())
		}
		if len(list.Data) < page || len(events) >= list.Total {
			return events, nil
		}
	}
}
