package charge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/notice"
)

// ErrNotUsed is returned for a payment system through which nothing new is paid.
var ErrNotUsed = fault.New(fault.Conflict, "payment.not_used", "Nothing is paid through this payment system any more")

// MethodsInput is which ways to pay an organisation offers, in the order in which customers see them.
type MethodsInput struct {
	ID        uuid.UUID `json:"id" doc:"Of the payment system"`
	Methods   []string  `json:"methods" enum:"promptpay,card" minItems:"1" maxItems:"2" doc:"The first is the one that customers see first; each once"`
	UpdatedAt time.Time `json:"updated_at" doc:"As it was read"`
}

const (
	lockMethods = `SELECT methods, status, updated_at FROM payment_system WHERE id = $1 FOR UPDATE`
	saveMethods = `UPDATE payment_system SET methods = $2, updated_at = $3 WHERE id = $1`
)

// SaveMethods changes which ways to pay there are from now on. What was begun by another goes on. It returns fault.Missing, fault.NotInList at methods for one that stands there twice,
// ErrNotUsed, or resource.ErrChangedMeanwhile.
func (s *Service) SaveMethods(ctx context.Context, org uuid.UUID, by auditlog.Actor, in MethodsInput) error {
	if len(slices.Compact(slices.Sorted(slices.Values(in.Methods)))) != len(in.Methods) {
		return fault.At("methods", fault.NotInList)
	}
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		var before []string
		var status int16
		var updated time.Time
		err := tx.QueryRow(ctx, lockMethods, in.ID).Scan(&before, &status, &updated)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return fault.Missing
		case err != nil:
			return fmt.Errorf("payment system %s: %w", in.ID, err)
		case status != resource.Active:
			return ErrNotUsed
		case !updated.Equal(in.UpdatedAt):
			return resource.ErrChangedMeanwhile
		}
		tx.Queue(saveMethods, in.ID, in.Methods, tx.Now)
		if err := notice.SendTableUpdate(ctx, tx, PaymentSystems.Name()); err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, by, "methods", "payment_system/"+in.ID.String(), map[string]any{"methods": before}, map[string]any{"methods": in.Methods})
	})
}
