// Package token makes opaque session tokens: 256 random bits behind a prefix that names the audience.
// The server keeps only their hash, so a stolen table opens nothing.
package token

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Audience is an audience. A session of one kind never acts on another's paths (specification section 1).
type Audience string

// The audiences. Client is the anonymous web client, which may only read what is public.
const (
	Client Audience = "client"
	User   Audience = "user"
	Agent  Audience = "agent"
	Owner  Audience = "owner"
	Staff  Audience = "staff"
	Admin  Audience = "admin"
)

// Session is who is asking. Org is uuid.Nil for admins, Subject for anonymous clients.
type Session struct {
	Audience Audience
	Org      uuid.UUID
	Subject  uuid.UUID
	Hash     []byte // of the token; names the session itself
	Expires  time.Time
	Address  string // IP of the request, for what is written down with it
}

var prefixes = map[Audience]string{Client: "wc_", User: "us_", Agent: "ag_", Owner: "ow_", Staff: "st_", Admin: "ad_"}

// Lifetime is how long a session of a kind lasts at most, and how long it may be idle (trust-rules.md B3).
func Lifetime(kind Audience) (absolute, idle time.Duration) {
	const day = 24 * time.Hour
	switch kind {
	case Admin:
		return 8 * time.Hour, 30 * time.Minute
	case Owner, Staff:
		return 12 * time.Hour, 2 * time.Hour
	case Agent:
		return 7 * day, day
	case User:
		return 30 * day, 7 * day
	default:
		return 30 * day, 30 * day
	}
}

// New returns a token for a client and the hash to keep.
func New(kind Audience) (plain string, hash []byte) {
	plain = prefixes[kind] + Random(32)
	return plain, Hash(plain)
}

// Random returns n random bytes in base64url.
func Random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails (crypto/rand)
	return base64.RawURLEncoding.EncodeToString(b)
}

// Hash is what is kept of a token.
func Hash(plain string) []byte {
	sum := sha256.Sum256([]byte(plain))
	return sum[:]
}

// AudienceOf reads the audience off a token's prefix; "" when it has none of ours.
func AudienceOf(plain string) Audience {
	for kind, prefix := range prefixes {
		if strings.HasPrefix(plain, prefix) && len(plain) == len(prefix)+43 {
			return kind
		}
	}
	return ""
}
