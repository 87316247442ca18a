package line

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/google/uuid"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/strictjson"
)

// MaxMessages is the maximum number of messages in one push.
const MaxMessages = 5

// Message is a message object of the Messaging API.
type Message map[string]any

// Text returns a message of plain text.
func Text(text string) Message { return Message{"type": "text", "text": text} }

// ErrSpent says that an official account may send nothing more this month.
var ErrSpent = errors.New("LINE: the account has sent what it may in this month")

// spentText is how LINE says so. Its other text of status 429 is of a rate, which passes.
const spentText = "You have reached your monthly limit."

// AccountToken returns an access token of a channel, stateless, as the Messaging API wants it. It is good for fifteen minutes and counts towards no limit. It
// returns ErrChannel or ErrUnavailable.
func (c *Client) AccountToken(ctx context.Context, ch Channel) (string, error) {
	var answer struct {
		AccessToken string `json:"access_token"`
	}
	err := c.post(ctx, "/oauth2/v3/token", url.Values{
		"grant_type": {"client_credentials"}, "client_id": {ch.ID}, "client_secret": {ch.Secret},
	}, &answer)
	if errors.Is(err, ErrRefused) {
		return "", fmt.Errorf("LINE channel %s: %w", ch.ID, ErrChannel)
	}
	return answer.AccessToken, err
}

// Push sends messages to one person through an official account. LINE accepts a key once, so a push that is retried after an unknown
// outcome arrives once and succeeds here. Success says that LINE took it: a person who is no friend of the account gets nothing.
// It returns ErrRefused or ErrChannel if a retry cannot help, ErrSpent if it can next month, and ErrUnavailable if it can soon.
func (c *Client) Push(ctx context.Context, accountToken string, key uuid.UUID, subject string, messages ...Message) error {
	if len(messages) == 0 || len(messages) > MaxMessages {
		return fmt.Errorf("LINE push: %d messages, 1 to %d are allowed", len(messages), MaxMessages)
	}
	header := http.Header{"X-Line-Retry-Key": {key.String()}}
	status, err := c.postJSON(ctx, "/v2/bot/message/push", accountToken, header, map[string]any{"to": subject, "messages": messages})
	switch {
	case status == http.StatusConflict && errors.Is(err, ErrRefused):
		return nil
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return fmt.Errorf("LINE push: status %d: %w", status, ErrChannel)
	}
	return err
}

// Account is an official account.
type Account struct {
	UserID  string `json:"userId"`
	BasicID string `json:"basicId"` // with its @
	Name    string `json:"displayName"`
}

// Account returns the official account of a channel.
func (c *Client) Account(ctx context.Context, accountToken string) (a Account, err error) {
	return a, c.get(ctx, "/v2/bot/info", accountToken, nil, &a)
}

// Quota is how many pushes an account may send in this month, and how many it has sent in every way. LINE counts with a delay.
type Quota struct {
	Limited bool
	Value   int
	Used    int
}

// Quota returns the account's.
func (c *Client) Quota(ctx context.Context, accountToken string) (Quota, error) {
	var limit struct {
		Type  string `json:"type"`
		Value int    `json:"value"`
	}
	if err := c.get(ctx, "/v2/bot/message/quota", accountToken, nil, &limit); err != nil {
		return Quota{}, err
	}
	var used struct {
		Total int `json:"totalUsage"`
	}
	err := c.get(ctx, "/v2/bot/message/quota/consumption", accountToken, nil, &used)
	return Quota{Limited: limit.Type == "limited", Value: limit.Value, Used: used.Total}, err
}

// Event is what LINE reports of an official account. Others than follow and unfollow are read with their type alone.
type Event struct {
	Type      string `json:"type"`
	Mode      string `json:"mode"`
	Timestamp int64  `json:"timestamp"` // milliseconds of Unix time
	Source    struct {
		UserID string `json:"userId"`
	} `json:"source"`
}

// Events reads a webhook's body. It returns ErrRefused unless it was signed with the channel's secret.
func Events(channelSecret string, body []byte, signature string) (events []Event, err error) {
	if !signed(channelSecret, body, signature) {
		return nil, fmt.Errorf("LINE webhook: signature: %w", ErrRefused)
	}
	var in struct {
		Events []Event `json:"events"`
	}
	if err := strictjson.Unmarshal(body, &in); err != nil {
		return nil, fmt.Errorf("LINE webhook: %w", fault.BadInput)
	}
	return in.Events, nil
}

// signed reports whether a webhook's body was signed with the channel's secret (header X-Line-Signature).
func signed(channelSecret string, body []byte, signature string) bool {
	given, err := base64.StdEncoding.DecodeString(signature)
	if err != nil || channelSecret == "" {
		return false
	}
	mac := hmac.New(sha256.New, []byte(channelSecret))
	mac.Write(body)
	return hmac.Equal(given, mac.Sum(nil))
}
