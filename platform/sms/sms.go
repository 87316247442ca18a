// Package sms sends text messages through an HTTP gateway.
package sms

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/google/uuid"
	"go.uber.org/zap"

	"welovevoucher/platform/config"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/log"
	"welovevoucher/platform/outbound"
)

var (
	// ErrNumber says that a number is no Thai mobile number.
	ErrNumber = fault.New(fault.Invalid, "sms.number", "This is not a Thai mobile number")
	// ErrRefused says that the gateway will not send this, however often it is asked.
	ErrRefused = errors.New("sms: the text message was refused")
	// ErrUnavailable says that the gateway did not take the message, or that none is configured.
	ErrUnavailable = errors.New("sms: text messages cannot be sent now")
)

// Sender sends a text to a Thai mobile number, in E.164 or as people write it. It sends a key once, so a call with an unknown outcome may be repeated.
type Sender interface {
	Send(ctx context.Context, key uuid.UUID, mobile, text string) error
}

// Gateway is a Sender over HTTP: POST {"to": "+66…", "text": "…"} with a bearer token. Any 2xx is success.
type Gateway struct {
	http       *http.Client
	url, token string
}

var _ Sender = (*Gateway)(nil)

// New returns a gateway. Without an address it refuses to send.
func New(c config.SMS) *Gateway {
	return &Gateway{http: outbound.Client(nil), url: c.URL, token: c.Token}
}

// Send gives a text to the gateway. Logs have the number masked, and never the text, which may be a password.
func (g *Gateway) Send(ctx context.Context, key uuid.UUID, mobile, text string) error {
	to, err := Normalise(mobile)
	if err != nil {
		return err
	}
	if g.url == "" {
		return fmt.Errorf("SMS_URL is not set: %w", ErrUnavailable)
	}
	body, err := json.Marshal(map[string]string{"to": to, "text": text})
	if err != nil {
		return fmt.Errorf("text message: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.url, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("text message: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+g.token)
	req.Header.Set("Idempotency-Key", key.String())

	res, err := g.http.Do(req)
	if err != nil {
		if wrapped, ok := errors.AsType[*url.Error](err); ok {
			err = wrapped.Err
		}
		return fmt.Errorf("text message to %s: %w: %w", Mask(mobile), ErrUnavailable, err)
	}
	if err := res.Body.Close(); err != nil {
		return fmt.Errorf("text message to %s: %w: %w", Mask(mobile), ErrUnavailable, err)
	}
	switch {
	case res.StatusCode >= 200 && res.StatusCode < 300:
		log.From(ctx).Info("text message sent", zap.String("to", Mask(mobile)), zap.Stringer("key", key))
		return nil
	case res.StatusCode == http.StatusTooManyRequests || res.StatusCode >= 500:
		return fmt.Errorf("text message to %s: status %d: %w", Mask(mobile), res.StatusCode, ErrUnavailable)
	default:
		return fmt.Errorf("text message to %s: status %d: %w", Mask(mobile), res.StatusCode, ErrRefused)
	}
}

var (
	separators = strings.NewReplacer(" ", "", "-", "", "(", "", ")", "")
	thaiMobile = regexp.MustCompile(`^(?:0|\+66)([689][0-9]{8})$`)
)

// Normalise returns a Thai mobile number in E.164: +66 and nine digits. It returns ErrNumber for anything else.
func Normalise(mobile string) (string, error) {
	digits := thaiMobile.FindStringSubmatch(separators.Replace(mobile))
	if digits == nil {
		return "", ErrNumber
	}
	return "+66" + digits[1], nil
}

// Mask returns the first two and the last four digits of a number: 08x-xxx-5678. It returns "?" if this is no Thai mobile number.
func Mask(mobile string) string {
	whole, err := Normalise(mobile)
	if err != nil {
		return "?"
	}
	return "0" + whole[3:4] + "x-xxx-" + whole[8:]
}
