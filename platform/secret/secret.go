// Package secret keeps secrets: values encrypted in the database, passwords, and indexes over what may not be read.
//
// Every organisation has its own keys, derived from the master key; a value is bound to its place, so that a row
// copied elsewhere cannot be opened (trust-rules.md B8).
package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/google/uuid"
)

// Box holds the master key.
type Box struct{ master []byte }

// New returns a box; the master key has 32 bytes.
func New(master []byte) (*Box, error) {
	if len(master) != 32 {
		return nil, errors.New("secret: the master key must have 32 bytes")
	}
	return &Box{master: master}, nil
}

// AAD is where an encrypted value lies. Org is uuid.Nil in the platform's schema.
type AAD struct {
	Org    uuid.UUID
	Column string // table.column
	Row    uuid.UUID
}

// format is the first byte of a sealed value, so that a later way of sealing can be told apart.
const format = 1

// ErrOpen says that a value was changed, moved from its place, or sealed under another master key.
var ErrOpen = errors.New("secret: the value cannot be opened here")

// Seal encrypts a value for its place (AES-256-GCM).
func (b *Box) Seal(at AAD, plain []byte) ([]byte, error) {
	gcm, err := b.cipher(at.Org)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, gcm.NonceSize())
	_, _ = rand.Read(nonce) // never fails (crypto/rand)
	return gcm.Seal(append([]byte{format}, nonce...), nonce, plain, at.bytes()), nil
}

// Open decrypts what Seal made for the same place. It returns ErrOpen for anything else.
func (b *Box) Open(at AAD, sealed []byte) ([]byte, error) {
	gcm, err := b.cipher(at.Org)
	if err != nil {
		return nil, err
	}
	if len(sealed) < 1+gcm.NonceSize() || sealed[0] != format {
		return nil, ErrOpen
	}
	nonce, text := sealed[1:1+gcm.NonceSize()], sealed[1+gcm.NonceSize():]
	plain, err := gcm.Open(nil, nonce, text, at.bytes())
	if err != nil {
		return nil, ErrOpen
	}
	return plain, nil
}

// Index is a blind index: the same value in the same column of an organisation gives the same bytes, which say nothing.
func (b *Box) Index(org uuid.UUID, column, value string) ([]byte, error) {
	key, err := b.derive("index", org)
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(column + "\x00" + value))
	return mac.Sum(nil), nil
}

func (b *Box) cipher(org uuid.UUID) (cipher.AEAD, error) {
	key, err := b.derive("values", org)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("secret: %w", err)
	}
	return cipher.NewGCM(block)
}

func (b *Box) derive(purpose string, org uuid.UUID) ([]byte, error) {
	key, err := hkdf.Key(sha256.New, b.master, org[:], "we love voucher "+purpose, 32)
	if err != nil {
		return nil, fmt.Errorf("secret: derive a key: %w", err)
	}
	return key, nil
}

func (p AAD) bytes() []byte { return []byte(p.Org.String() + "|" + p.Column + "|" + p.Row.String()) }
