package onetime

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
)

// Link opens something once, outside of the app in which its reader signed in: LINE's browser cannot save a file.
type Link struct {
	Secret    string    `json:"secret" doc:"Goes behind the # of a page, which no server sees"`
	ExpiresAt time.Time `json:"expires_at" doc:"UTC"`
}

// OpenInput has what stands behind the # of a page. A page that is loaded again has nothing there: then its link is over.
type OpenInput struct {
	Secret string `json:"secret" maxLength:"64"`
}

// LinkLifetime is how long a link of a customer's opens what it leads to.
const LinkLifetime = 10 * time.Minute

// Links keeps what links open. A link's secret is in nobody's hand but its reader's: Redis has its hash.
type Links struct{ redis redis.UniversalClient }

// NewLinks returns the links that are in a Redis.
func NewLinks(client redis.UniversalClient) *Links { return &Links{client} }

// ErrOver says that there is nothing behind a link: there never was, its time is over, or it was opened.
var ErrOver = fault.New(fault.NotFound, "link.over", "This link is over")

// Save keeps a value for a lifetime, and returns the secret of 128 bits that opens it within a scope. It returns fault.Unready if Redis is
// away.
func (l *Links) Save(ctx context.Context, scope string, value []byte, lifetime time.Duration) (secret string, err error) {
	bounded, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	secret = token.Random(16)
	if err := l.redis.Set(bounded, linkKey(scope, secret), value, lifetime).Err(); err != nil {
		return "", fmt.Errorf("save a link: %w", errors.Join(fault.Unready, err))
	}
	return secret, nil
}

// Open returns the value behind a secret, once: of several who open it at the same time, one. The others read ErrOver. It returns
// fault.Unready if Redis is away.
func (l *Links) Open(ctx context.Context, scope, secret string) ([]byte, error) {
	bounded, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	value, err := l.redis.GetDel(bounded, linkKey(scope, secret)).Bytes()
	if errors.Is(err, redis.Nil) {
		return nil, ErrOver
	}
	if err != nil {
		return nil, fmt.Errorf("open a link: %w", errors.Join(fault.Unready, err))
	}
	return value, nil
}

func linkKey(scope, secret string) string {
	return "link:" + scope + ":" + token.Encode(token.Hash(secret))
}
