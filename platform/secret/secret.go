// Package secret encrypts values for the database, hashes passwords, and makes indexes over values that must not be readable.
//
// Each organisation has keys of its own, derived from the master key. An encrypted value is bound to its organisation, column and
// row, so that a copy in another row cannot be opened.
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

// Box encrypts with the master key.
type Box struct{ master []byte }

// New returns a box. The master key must have 32 bytes.
func New(master []byte) (*Box, error) {
	if len(master) != 32 {
		return nil, errors.New("secret: the master key must have 32 bytes")
	}
	return &Box{master: master}, nil
}

// AAD is the additional authenticated data of an encrypted value: where it is stored. Org is uuid.Nil in the platform's schema.
type AAD struct {
	Org    uuid.UUID
	Column string // table.column
	Row    uuid.UUID
}

// format is the first byte of an encrypted value. It will distinguish a later format.
const format = 1

// ErrOpen is returned for a value that was changed, copied to another place, or encrypted with another master key.
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

// Open decrypts a value that Seal made for the same place. It returns ErrOpen for anything else.
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

// Index returns a blind index: the same bytes for the same value in the same column of an organisation, from which the value cannot
// be computed.
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
