package org

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
)

// Plan is a plan of organisations: its modules and the platform's fee.
type Plan struct {
	ID             uuid.UUID `json:"id"`
	NameTH         string    `json:"name_th"`
	NameEN         string    `json:"name_en"`
	Modules        []string  `json:"modules"`
	FeeBasisPoints int64     `json:"fee_basis_points"`
}

// Grants reports whether the organisation's plan has a module of its back office.
func (o Org) Grants(module string) bool { return slices.Contains(o.Modules, access.PlanModule(module)) }

const (
	lockPlanOf = `SELECT p.id, p.name_th, p.name_en, p.modules, p.fee_basis_points FROM organisation o JOIN plan p ON p.id = o.plan_id WHERE o.id = $1 FOR UPDATE OF o`
	activePlan = `SELECT id, name_th, name_en, modules, fee_basis_points FROM plan WHERE id = $1 AND status = 5 FOR SHARE`
	setPlan    = `UPDATE organisation SET plan_id = $2, updated_at = $3 WHERE id = $1`
)

// ChangePlan puts an organisation on another plan. Its modules and rights are those of the new plan at once; the fee is the new plan's for what is
// ordered from then on, and orders keep theirs. It returns ErrNotFound, and fault.BadInput when no plan of this id can be chosen.
func (s *Service) ChangePlan(ctx context.Context, id uuid.UUID, who auditlog.Actor, plan uuid.UUID) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		before, err := readPlan(ctx, tx, lockPlanOf, id)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNotFound
		}
		if err != nil {
			return fmt.Errorf("plan of %s: %w", id, err)
		}
		if before.ID == plan {
			return nil
		}
		after, err := requirePlan(ctx, tx, plan)
		if err != nil {
			return err
		}
		if err := auditlog.Record(ctx, tx, who, "change_plan", "organisation/"+id.String(), before, after); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, setPlan, id, plan, tx.Now); err != nil {
			return fmt.Errorf("change the plan of %s: %w", id, err)
		}
		tx.Publish(Topic, id.String())
		tx.Publish(access.Topic, id.String())
		return nil
	})
}

// RequirePlan returns fault.BadInput unless an organisation can be put on the plan, which nobody changes until tx ends.
func RequirePlan(ctx context.Context, tx db.Tx, plan uuid.UUID) error {
	_, err := requirePlan(ctx, tx, plan)
	return err
}

func requirePlan(ctx context.Context, tx db.Tx, id uuid.UUID) (Plan, error) {
	plan, err := readPlan(ctx, tx, activePlan, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return plan, fault.At("plan_id", fault.NotInList)
	}
	if err != nil {
		return plan, fmt.Errorf("plan %s: %w", id, err)
	}
	return plan, nil
}

func readPlan(ctx context.Context, tx db.Tx, sql string, id uuid.UUID) (Plan, error) {
	rows, err := tx.Query(ctx, sql, id)
	if err != nil {
		return Plan{}, err
	}
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Plan])
}
