package voucher

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
)

// ConfirmIn confirms inside a transaction of the test's.
func ConfirmIn(ctx context.Context, tx db.Tx, staff uuid.UUID, in ConfirmInput) error {
	_, err := confirm(ctx, tx, staff, db.NewID(), in)
	return err
}
