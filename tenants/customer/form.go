package customer

import (
	"crypto/rand"
	"encoding/base32"
	"regexp"
	"strings"

	"welovevoucher/platform/fault"
)

// ErrEmail is the specification's message for an address that cannot be one.
var ErrEmail = fault.New(fault.Invalid, "field.email", "Please enter a valid email address.")

// ErrEmailRequired asks for an address: an e-mail is required.
var ErrEmailRequired = fault.New(fault.Invalid, "field.email_required", "Please enter your e-mail address.")

var email = regexp.MustCompile(`^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$`)

// ValidEmail reports whether a text is an e-mail address: 6 to 254 characters, local part up to 64.
func ValidEmail(s string) bool { return len(s) >= 6 && len(s) <= 254 && email.MatchString(s) }

// referCode names a customer in links and lists; it is no secret.
func referCode() string {
	b := make([]byte, 5)
	_, _ = rand.Read(b) // never fails (crypto/rand)
	return strings.ToUpper(base32.StdEncoding.EncodeToString(b))
}

// cut keeps at most n letters of a name that LINE gives us.
func cut(s string, n int) string {
	letters := []rune(s)
	return string(letters[:min(n, len(letters))])
}
