package wallet

import (
	"github.com/google/uuid"

	"welovevoucher/platform/secret"
)

// SecretPlace is where an encrypted column of a payment system lies.
func SecretPlace(org uuid.UUID, column string, system uuid.UUID) secret.Place {
	return secret.Place{Org: org, Column: "payment_system." + column, Row: system}
}
