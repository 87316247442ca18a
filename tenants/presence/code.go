package presence

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// A card's QR reads M1.<organisation>.<card key>.<step>.<mac>. The phone makes a new one every thirty seconds from the secret of its key, without network; the current step and the
// one before are taken. Six digits of the same MAC are typed behind the number of the card where nobody can scan.
const (
	timeStep  = 30 * time.Second
	macLength = 16
	tagLength = 6
	version   = "M1"
	digits    = 1_000_000
)

// QR is a scanned code, parsed and not verified yet.
type QR struct {
	Key    uuid.UUID
	Step   int64
	org    string
	signed string // everything that the MAC covers
	mac    []byte
}

// TagOf is how a QR names its organisation.
func TagOf(org uuid.UUID) string {
	sum := sha256.Sum256(org[:])
	return base64.RawURLEncoding.EncodeToString(sum[:])[:tagLength]
}

// ParseQR parses a QR's text. It returns false if the text is no code of a card.
func ParseQR(text string) (QR, bool) {
	text = strings.TrimSpace(text) // a scanner may end what it types with a line
	parts := strings.Split(text, ".")
	if strings.ContainsAny(text, "\r\n") || len(text) > 120 || len(parts) != 5 || parts[0] != version || len(parts[1]) != tagLength {
		return QR{}, false
	}
	key, err := base64.RawURLEncoding.Strict().DecodeString(parts[2])
	if err != nil || len(key) != len(uuid.Nil) {
		return QR{}, false
	}
	step, err := strconv.ParseInt(parts[3], 10, 64)
	if err != nil || step < 0 || strconv.FormatInt(step, 10) != parts[3] {
		return QR{}, false
	}
	mac, err := base64.RawURLEncoding.Strict().DecodeString(parts[4])
	if err != nil || len(mac) != macLength {
		return QR{}, false
	}
	return QR{Key: uuid.UUID(key), Step: step, org: parts[1], signed: text[:strings.LastIndexByte(text, '.')], mac: mac}, true
}

// Of reports whether the code is of an organisation.
func (q QR) Of(org uuid.UUID) bool { return q.org == TagOf(org) }

// SignedBy reports whether the code was made with that secret.
func (q QR) SignedBy(secret []byte) bool { return hmac.Equal(q.mac, macOf(secret, q.signed)) }

// Fresh reports whether the code is of the current step or the one before.
func (q QR) Fresh(now time.Time) bool { return q.Step == stepOf(now) || q.Step == stepOf(now)-1 }

// TypedCode is the number of a card and the six digits that stood behind it.
type TypedCode struct{ Number, digits string }

var (
	spacing   = strings.NewReplacer(" ", "", "-", "")
	typedForm = regexp.MustCompile(`^([A-Z]{2,4}[0-9]{8})([0-9]{6})$`)
)

// ParseTyped parses what a person typed: RLM 0048 2216 482 917. It returns false if the text is no such code.
func ParseTyped(text string) (TypedCode, bool) {
	parts := typedForm.FindStringSubmatch(strings.ToUpper(spacing.Replace(strings.TrimSpace(text))))
	if parts == nil {
		return TypedCode{}, false
	}
	return TypedCode{Number: parts[1], digits: parts[2]}, true
}

// MadeBy returns the step in which a key has these digits: the current one or the one before. It returns false if they are those of neither.
func (c TypedCode) MadeBy(org, key uuid.UUID, secret []byte, now time.Time) (step int64, ok bool) {
	for _, step := range []int64{stepOf(now), stepOf(now) - 1} {
		if hmac.Equal([]byte(c.digits), []byte(digitsOf(macOf(secret, signed(org, key, step))))) {
			return step, true
		}
	}
	return 0, false
}

func stepOf(now time.Time) int64 { return now.Unix() / int64(timeStep.Seconds()) }

func signed(org, key uuid.UUID, step int64) string {
	return strings.Join([]string{version, TagOf(org), base64.RawURLEncoding.EncodeToString(key[:]), strconv.FormatInt(step, 10)}, ".")
}

func macOf(secret []byte, text string) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(text))
	return mac.Sum(nil)[:macLength]
}

// digitsOf returns the six digits of a MAC: its first eight bytes as a number, the last six digits of it.
func digitsOf(mac []byte) string {
	return fmt.Sprintf("%06d", binary.BigEndian.Uint64(mac)%digits)
}

// Codes are the QR and the six digits that a phone shows at a time. The phone makes them by itself; this is the reference for tests.
func Codes(org, key uuid.UUID, secret []byte, now time.Time) (qr, typed string) {
	text := signed(org, key, stepOf(now))
	mac := macOf(secret, text)
	return text + "." + base64.RawURLEncoding.EncodeToString(mac), digitsOf(mac)
}
