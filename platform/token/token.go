// Package token makes opaque session tokens: 256 random bits after a prefix that names the audience. The server stores only their
// hash, so a stolen table does not open a session.
package token

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Audience names the people whom a token is for. A session of one audience is refused on the paths of every other.
type Audience string

// The audiences. Client is an anonymous visitor, who may only read what is public.
const (
	Client Audience = "client"
	User   Audience = "user"
	Agent  Audience = "agent"
	Owner  Audience = "owner"
	Staff  Audience = "staff"
	Admin  Audience = "admin"
)

// Session is the caller. Org is uuid.Nil for admins, Subject for anonymous clients.
type Session struct {
	Audience Audience
	Org      uuid.UUID
	Subject  uuid.UUID
	Hash     []byte // of the token; identifies the session
	Expires  time.Time
	Address  string // IP of the request, for what is written down with it
}

// Began is when a person signed in.
func (s Session) Began() time.Time {
	absolute, _ := Lifetime(s.Audience)
	return s.Expires.Add(-absolute)
}

var prefixes = map[Audience]string{Client: "wc_", User: "us_", Agent: "ag_", Owner: "ow_", Staff: "st_", Admin: "ad_"}

// Lifetime returns how long a session of an audience lasts at most, and how long it may be idle.
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

// New returns a token for a client and the hash to store.
func New(kind Audience) (plain string, hash []byte) {
	plain = prefixes[kind] + Random(32)
	return plain, Hash(plain)
}

// Random returns n random bytes in base64url.
func Random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails (crypto/rand)
	return Encode(b)
}

// Encode returns secret bytes as tokens and links carry them: base64url.
func Encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// Hash returns what is stored of a token.
func Hash(plain string) []byte {
	sum := sha256.Sum256([]byte(plain))
	return sum[:]
}

// AudienceOf returns the audience of a token's prefix, or "" if it has none of ours.
func AudienceOf(plain string) Audience {
	for kind, prefix := range prefixes {
		if strings.HasPrefix(plain, prefix) && len(plain) == len(prefix)+43 {
			return kind
		}
	}
	return ""
}
