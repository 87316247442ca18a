package voucher

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/idempotency"
)

// ConfirmIn confirms inside a transaction of the test's.
func ConfirmIn(ctx context.Context, tx db.Tx, staff uuid.UUID, in ConfirmInput) error {
	call, err := idempotency.NewCall(idempotency.Key{Actor: staff, Operation: "voucher.confirm", Value: db.NewID().String()}, in)
	if err != nil {
		return err
	}
	c := &confirmRequest{ConfirmInput: in, staff: staff, call: call}
	if err := confirm(ctx, tx, []*confirmRequest{c}); err != nil {
		return err
	}
	return c.err
}

// Waiting is how many confirmations wait for an organisation's next batch.
func (s *Service) Waiting(org uuid.UUID) int { return s.confirmations.QueueLen(org) }

// Scanning is Waiting of scans.
func (s *Service) Scanning(org uuid.UUID) int { return s.scans.QueueLen(org) }

// NameBy names use sessions by something else for the rest of a test.
func NameBy(t *testing.T, name func() string) {
	t.Helper()
	before := newName
	newName = name
	t.Cleanup(func() { newName = before })
}
