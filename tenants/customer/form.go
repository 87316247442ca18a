package customer

import (
	"crypto/rand"
	"encoding/base32"
	"strings"

	"welovevoucher/platform/fault"
)

// ErrEmailRequired asks for an address: an e-mail is required.
var ErrEmailRequired = fault.New(fault.Invalid, "field.email_required", "Please enter your e-mail address.")

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
