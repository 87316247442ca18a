package mail

import (
	"regexp"
	"strings"

	"welovevoucher/platform/fault"
)

// ErrAddress is the specification's message for an e-mail address that cannot be one.
var ErrAddress = fault.New(fault.Invalid, "field.email", "Please enter a valid email address.")

var address = regexp.MustCompile(`^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$`)

// ValidAddress reports whether a text is an e-mail address: 6 to 254 characters, local part up to 64.
func ValidAddress(s string) bool { return len(s) >= 6 && len(s) <= 254 && address.MatchString(s) }

// Address returns an address without the blanks around it. It returns ErrAddress if it is none.
func Address(text string) (string, error) {
	text = strings.TrimSpace(text)
	if !ValidAddress(text) {
		return "", ErrAddress
	}
	return text, nil
}
