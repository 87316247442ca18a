package voucher

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// A phone's QR reads V1.<organisation>.<session>.<step>.<mac>. The phone makes a new one every thirty seconds from the
// use session's secret, without network; the server takes the current step and the one before.
const (
	timeStep  = 30 * time.Second
	macLength = 16
	qrVersion = "V1"
)

// qr is a scanned code, parsed and not verified yet.
type qr struct {
	org     string
	session uuid.UUID
	step    int64
	signed  string // everything that the MAC covers
	mac     []byte
}

// OrgTag is how a QR names its organisation: enough to distinguish "somebody else's" from "broken", and no secret.
func OrgTag(org uuid.UUID) string {
	sum := sha256.Sum256(org[:])
	return base64.RawURLEncoding.EncodeToString(sum[:])[:6]
}

// parseQR parses a QR's text. It returns false if the text is no code of a voucher.
func parseQR(text string) (qr, bool) {
	text = strings.TrimSpace(text) // a scanner may end what it types with a line
	parts := strings.Split(text, ".")
	if strings.ContainsAny(text, "\r\n") { // base64 would read on behind them
		return qr{}, false
	}
	if len(text) > 120 || len(parts) != 5 || parts[0] != qrVersion || len(parts[1]) != 6 {
		return qr{}, false
	}
	session, err := base64.RawURLEncoding.Strict().DecodeString(parts[2])
	if err != nil || len(session) != 16 {
		return qr{}, false
	}
	step, err := strconv.ParseInt(parts[3], 10, 64)
	if err != nil || step < 0 || strconv.FormatInt(step, 10) != parts[3] {
		return qr{}, false
	}
	mac, err := base64.RawURLEncoding.Strict().DecodeString(parts[4])
	if err != nil || len(mac) != macLength {
		return qr{}, false
	}
	return qr{
		org: parts[1], session: uuid.UUID(session), step: step, mac: mac,
		signed: text[:strings.LastIndexByte(text, '.')],
	}, true
}

// signedBy reports whether the code was made with that session's secret.
func (q qr) signedBy(secret []byte) bool { return hmac.Equal(q.mac, macOf(secret, q.signed)) }

// fresh reports whether the code is of the current step or the one before.
func (q qr) fresh(now time.Time) bool {
	current := now.Unix() / int64(timeStep.Seconds())
	return q.step == current || q.step == current-1
}

func macOf(secret []byte, text string) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(text))
	return mac.Sum(nil)[:macLength]
}

// QR is the text that a phone shows at a time. The phone makes it by itself; this is the reference for tests.
func QR(org, session uuid.UUID, secret []byte, now time.Time) string {
	step := now.Unix() / int64(timeStep.Seconds())
	text := strings.Join([]string{
		qrVersion, OrgTag(org), base64.RawURLEncoding.EncodeToString(session[:]), strconv.FormatInt(step, 10),
	}, ".")
	return text + "." + base64.RawURLEncoding.EncodeToString(macOf(secret, text))
}

// The typed code stands beside the QR, for staff whose scanner cannot read it: three letters, which name the use session at its service point
// while it is open, and five, which the phone makes from the secret in each step.
const (
	nameLength    = 3
	proofLength   = 5
	typedVersion  = "T1"
	typedAttempts = 20 // to find a name that is free
)

// typedCode is a typed code, parsed and not verified yet.
type typedCode struct{ name, proof string }

var spacing = strings.NewReplacer(" ", "", "-", "")

// parseTyped parses a code that a person typed: RK7K 42QP, rk7k-42qp. It returns false if the text is no such code.
func parseTyped(text string) (typedCode, bool) {
	code := strings.ToUpper(spacing.Replace(strings.TrimSpace(text)))
	if len(code) != nameLength+proofLength || strings.Trim(code, codeAlphabet) != "" {
		return typedCode{}, false
	}
	return typedCode{name: code[:nameLength], proof: code[nameLength:]}, true
}

// IsTyped reports whether a code was typed and not scanned, as far as its form says: it could be guessed.
func IsTyped(text string) bool {
	_, ok := parseTyped(text)
	return ok
}

// madeBy reports whether the code is that of the session, of the current step or the one before.
func (c typedCode) madeBy(tag string, session uuid.UUID, secret []byte, now time.Time) bool {
	step := now.Unix() / int64(timeStep.Seconds())
	current := hmac.Equal([]byte(c.proof), []byte(proof(tag, session, secret, step)))
	last := hmac.Equal([]byte(c.proof), []byte(proof(tag, session, secret, step-1)))
	return current || last
}

// proof returns the letters of a step: the first eight bytes of its MAC, as a number to the base of the letters, the lowest first.
func proof(tag string, session uuid.UUID, secret []byte, step int64) string {
	text := strings.Join([]string{
		typedVersion, tag, base64.RawURLEncoding.EncodeToString(session[:]), strconv.FormatInt(step, 10),
	}, ".")
	n, code := binary.BigEndian.Uint64(macOf(secret, text)), make([]byte, proofLength)
	for i := range code {
		code[i] = codeAlphabet[n%uint64(len(codeAlphabet))]
		n /= uint64(len(codeAlphabet))
	}
	return string(code)
}

// Typed is the code that a phone shows beside its QR at a time. The phone makes it by itself; this is the reference for tests.
func Typed(name string, org, session uuid.UUID, secret []byte, now time.Time) string {
	return name + proof(OrgTag(org), session, secret, now.Unix()/int64(timeStep.Seconds()))
}
