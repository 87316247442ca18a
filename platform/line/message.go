package line

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/uuid"
)

// MaxMessages is the maximum number of messages in one push.
const MaxMessages = 5

// Message is a message object of the Messaging API.
type Message map[string]any

// Text returns a message of plain text.
func Text(text string) Message { return Message{"type": "text", "text": text} }

// Push sends messages to one person through an official account. key is the outbox row's id. LINE accepts a key once, so a push
// that is retried after an unknown outcome arrives once and succeeds here. It returns ErrRefused if a retry cannot help, and
// ErrUnavailable if it can.
func (c *Client) Push(ctx context.Context, channelAccessToken string, key uuid.UUID, subject string, messages ...Message) error {
	if len(messages) == 0 || len(messages) > MaxMessages {
		return fmt.Errorf("LINE push: %d messages, 1 to %d are allowed", len(messages), MaxMessages)
	}
	header := http.Header{"X-Line-Retry-Key": {key.String()}}
	status, err := c.postJSON(ctx, "/v2/bot/message/push", channelAccessToken, header, map[string]any{"to": subject, "messages": messages})
	if status == http.StatusConflict && errors.Is(err, ErrRefused) {
		return nil
	}
	return err
}

// Signed reports whether a webhook's body was signed with the channel's secret (header X-Line-Signature).
func Signed(channelSecret string, body []byte, signature string) bool {
	given, err := base64.StdEncoding.DecodeString(signature)
	if err != nil || channelSecret == "" {
		return false
	}
	mac := hmac.New(sha256.New, []byte(channelSecret))
	mac.Write(body)
	return hmac.Equal(given, mac.Sum(nil))
}
