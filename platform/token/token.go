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

// Kind is an audience. A session of one kind never acts on another's paths (specification section 1).
type Kind string

// The audiences. Client is the anonymous web client, which may only read what is public.
const (
	Client Kind = "client"
	User   Kind = "user"
	Agent  Kind = "agent"
	Owner  Kind = "owner"
	Staff  Kind = "staff"
	Admin  Kind = "admin"
)

// Session is who is asking. Org is uuid.Nil for admins, Subject for anonymous clients.
type Session struct {
	Kind    Kind
	Org     uuid.UUID
	Subject uuid.UUID
	Hash    []byte // of the token; names the session itself
	Expires time.Time
	Address string // IP of the request, for what is written down with it
}

var prefixes = map[Kind]string{Client: "wc_", User: "us_", Agent: "ag_", Owner: "ow_", Staff: "st_", Admin: "ad_"}

// Lifetime is how long a session of a kind lasts at most, and how long it may be idle (trust-rules.md B3).
func Lifetime(kind Kind) (absolute, idle time.Duration) {
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
func New(kind Kind) (plain string, hash []byte) {
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

// KindOf reads the audience off a token's prefix; "" when it has none of ours.
func KindOf(plain string) Kind {
	for kind, prefix := range prefixes {
		if strings.HasPrefix(plain, prefix) && len(plain) == len(prefix)+43 {
			return kind
		}
	}
	return ""
}
