package gift

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
)

// keptWords is how long what a giver wrote is kept after his gift has ended.
const keptWords = 90 * 24 * time.Hour

const (
	eraseOf = `UPDATE gift SET to_name = '', words = '', digits = '' WHERE giver_id = $1`
	forget  = `UPDATE gift SET to_name = '', words = '', digits = '' WHERE ended_at < $1 AND (to_name <> '' OR words <> '' OR digits <> '')`
)

// Erase deletes what a customer has written with his gifts. None of these is open: he holds nothing any more.
func Erase(ctx context.Context, tx db.Tx, giver uuid.UUID) error {
	if _, err := tx.Exec(ctx, eraseOf, giver); err != nil {
		return fmt.Errorf("words of gifts of %s: %w", giver, err)
	}
	return nil
}

// ForgetWords deletes what givers wrote with gifts that ended long ago. A worker calls it for each organisation.
func ForgetWords(ctx context.Context, tx db.Tx) error {
	if _, err := tx.Exec(ctx, forget, tx.Now.Add(-keptWords)); err != nil {
		return fmt.Errorf("words of old gifts: %w", err)
	}
	return nil
}
