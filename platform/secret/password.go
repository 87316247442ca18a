package secret

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"

	"github.com/alexedwards/argon2id"
	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"
)

// Passwords hashes and checks passwords. Each hash takes 19 MiB of memory while it runs, so four run at once.
type Passwords struct {
	box   *Box
	turns *semaphore.Weighted
	dummy string // compared if there is no account, which then takes as long
}

var cost = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

const atOnce = 4

// NewPasswords returns a hasher whose pepper comes from the box.
func NewPasswords(b *Box) (*Passwords, error) {
	p := &Passwords{box: b, turns: semaphore.NewWeighted(atOnce)}
	dummy, err := p.Hash(context.Background(), "no such account")
	p.dummy = dummy
	return p, err
}

// Hash returns the peppered Argon2id hash of a password.
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	if err := p.turns.Acquire(ctx, 1); err != nil {
		return "", err
	}
	defer p.turns.Release(1)

	peppered, err := p.pepper(password)
	if err != nil {
		return "", err
	}
	hash, err := argon2id.CreateHash(peppered, cost)
	if err != nil {
		return "", fmt.Errorf("secret: hash a password: %w", err)
	}
	return hash, nil
}

// Matches reports whether a password has this hash. An empty hash never matches and takes as long.
func (p *Passwords) Matches(ctx context.Context, password, hash string) (bool, error) {
	if err := p.turns.Acquire(ctx, 1); err != nil {
		return false, err
	}
	defer p.turns.Release(1)

	peppered, err := p.pepper(password)
	if err != nil {
		return false, err
	}
	known := hash != ""
	if !known {
		hash = p.dummy
	}
	same, err := argon2id.ComparePasswordAndHash(peppered, hash)
	if err != nil {
		return false, fmt.Errorf("secret: compare a password: %w", err)
	}
	return same && known, nil
}

func (p *Passwords) pepper(password string) (string, error) {
	key, err := p.box.derive("pepper", uuid.Nil)
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(password))
	return base64.RawStdEncoding.EncodeToString(mac.Sum(nil)), nil
}
