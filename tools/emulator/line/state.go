package line

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"welovevoucher/tools/emulator"
)

// Person is somebody with a LINE account.
type Person struct {
	ID      string `json:"id"` // our handle for them, e.g. "malee"; LINE's user id differs per provider
	Name    string `json:"name"`
	Picture string `json:"picture,omitempty"` // empty shows a drawn one
	Status  string `json:"status,omitempty"`
	Email   string `json:"email,omitempty"`
	Blocked bool   `json:"blocked,omitempty"` // has not added, or has blocked, the official accounts
}

// Channel is a LINE Login or Messaging API channel.
type Channel struct {
	ID          string   `json:"id"`
	Secret      string   `json:"secret"`
	Name        string   `json:"name,omitempty"`
	Provider    string   `json:"provider,omitempty"`     // channels of one provider see the same user id; empty is a provider too
	Callbacks   []string `json:"callbacks,omitempty"`    // exact addresses to return to; empty allows any
	LIFF        []LIFF   `json:"liff,omitempty"`         // its LIFF apps
	AccessToken string   `json:"access_token,omitempty"` // long-lived token of the Messaging API
	Quota       int      `json:"quota,omitempty"`        // pushes a month; 0 is without limit
	Webhook     string   `json:"webhook,omitempty"`      // where events go
}

// LIFF is an app inside LINE. Its id is the channel's id, a dash and 8 characters.
type LIFF struct {
	ID       string `json:"id"`
	Endpoint string `json:"endpoint"`
}

type kept struct {
	Key      []byte    `json:"key"` // ES256 private key, PKCS #8
	People   []Person  `json:"people"`
	Channels []Channel `json:"channels"`

	signer *ecdsa.PrivateKey
}

const file = "line.json"

func load(dir string) (kept, error) {
	var k kept
	if err := emulator.Load(dir, file, &k); err != nil {
		return kept{}, err
	}
	if k.Key == nil {
		fresh, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return kept{}, fmt.Errorf("LINE emulator's key: %w", err)
		}
		if k.Key, err = x509.MarshalPKCS8PrivateKey(fresh); err != nil {
			return kept{}, fmt.Errorf("LINE emulator's key: %w", err)
		}
	}
	parsed, err := x509.ParsePKCS8PrivateKey(k.Key)
	if err != nil {
		return kept{}, fmt.Errorf("LINE emulator's key: %w", err)
	}
	signer, ok := parsed.(*ecdsa.PrivateKey)
	if !ok {
		return kept{}, errors.New("LINE emulator's key is not an EC key")
	}
	k.signer = signer
	return k, nil
}

func (e *Emulator) keep() error { return emulator.Keep(e.options.Dir, file, e.kept) }

func (e *Emulator) person(id string) (Person, bool) {
	i := slices.IndexFunc(e.kept.People, func(p Person) bool { return p.ID == id })
	if i < 0 {
		return Person{}, false
	}
	return e.kept.People[i], true
}

func (e *Emulator) putPerson(p Person) error {
	if i := slices.IndexFunc(e.kept.People, func(q Person) bool { return q.ID == p.ID }); i >= 0 {
		e.kept.People[i] = p
	} else {
		e.kept.People = append(e.kept.People, p)
	}
	return e.keep()
}

// userID is LINE's id of a person for one provider.
func userID(provider, person string) string {
	sum := sha256.Sum256([]byte(provider + "\x00" + person))
	return "U" + hex.EncodeToString(sum[:16])
}

func (e *Emulator) byUserID(provider, id string) (Person, bool) {
	for _, p := range e.kept.People {
		if userID(provider, p.ID) == id {
			return p, true
		}
	}
	return Person{}, false
}

// channel finds a channel, or adopts it.
func (e *Emulator) channel(id string) (*Channel, bool) {
	if i := slices.IndexFunc(e.kept.Channels, func(c Channel) bool { return c.ID == id }); i >= 0 {
		return &e.kept.Channels[i], true
	}
	if !e.options.Adopt || id == "" {
		return nil, false
	}
	e.kept.Channels = append(e.kept.Channels, Channel{ID: id})
	return &e.kept.Channels[len(e.kept.Channels)-1], true
}

// authenticates says whether secret is the channel's, and takes it as such for an adopted one.
func (e *Emulator) authenticates(c *Channel, secret string) (bool, error) {
	if c.Secret == "" && e.options.Adopt && secret != "" {
		c.Secret = secret
		return true, e.keep()
	}
	return secret != "" && c.Secret == secret, nil
}

// app finds a LIFF app and its channel. An app of an adopted channel has no endpoint until it is registered.
func (e *Emulator) app(id string) (*Channel, LIFF, bool) {
	channelID, _, ok := strings.Cut(id, "-")
	if !ok {
		return nil, LIFF{}, false
	}
	c, ok := e.channel(channelID)
	if !ok {
		return nil, LIFF{}, false
	}
	if i := slices.IndexFunc(c.LIFF, func(l LIFF) bool { return l.ID == id }); i >= 0 {
		return c, c.LIFF[i], true
	}
	return c, LIFF{ID: id}, e.options.Adopt
}

type login struct {
	channel     string
	redirectURI string
	state       string
	nonce       string
	challenge   string
	scope       string
	liff        string // LIFF app that asked, empty for a web login
	expires     time.Time
}

type grant struct {
	login
	person  string
	expires time.Time
}

type token struct {
	channel string
	person  string
	scope   string
	expires time.Time
}
