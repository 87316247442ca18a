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

// PlanRow is a plan as admins list it.
type PlanRow struct {
	Plan
	Active        bool  `json:"active" doc:"An organisation can be put on it"`
	Organisations int64 `json:"organisations" doc:"How many are on it"`
}

// PlanInput is what an admin may change of a plan.
type PlanInput struct {
	NameTH         string   `json:"name_th" minLength:"1" maxLength:"80"`
	NameEN         string   `json:"name_en" minLength:"1" maxLength:"80"`
	Modules        []string `json:"modules" maxItems:"100"`
	FeeBasisPoints int64    `json:"fee_basis_points" minimum:"0" maximum:"5000" doc:"Of what is ordered from then on"`
	Active         bool     `json:"active" doc:"Those that are on it stay on it"`
}

const (
	plans = `SELECT p.id, p.name_th, p.name_en, p.modules, p.fee_basis_points, p.status, (SELECT count(*) FROM organisation o WHERE o.plan_id = p.id)
		FROM plan p ORDER BY p.status = 5 DESC, p.fee_basis_points DESC, p.id`
	lockPlan   = `SELECT name_th, name_en, modules, fee_basis_points, status FROM plan WHERE id = $1 FOR UPDATE`
	insertPlan = `INSERT INTO plan (id, name_th, name_en, modules, fee_basis_points, status, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`
	updatePlan = `UPDATE plan SET name_th = $2, name_en = $3, modules = $4, fee_basis_points = $5, status = $6 WHERE id = $1`
)

// Statuses of a plan.
const (
	planInactive int16 = 2
	planActive   int16 = 5
)

// Plans lists all plans: those that can be chosen first.
func (d *Directory) Plans(ctx context.Context) (list []PlanRow, err error) {
	err = d.db.InPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, plans)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (p PlanRow, err error) {
			var status int16
			err = row.Scan(&p.ID, &p.NameTH, &p.NameEN, &p.Modules, &p.FeeBasisPoints, &status, &p.Organisations)
			p.Active = status == planActive
			return p, err
		})
		return err
	})
	return list, err
}

// PlanModules returns the modules that a plan may have: those that come with no other.
func PlanModules() (modules []access.Module) {
	for _, m := range access.Modules() {
		if m.With == "" {
			modules = append(modules, m)
		}
	}
	return modules
}

func (in PlanInput) check() error {
	for _, name := range in.Modules {
		if !slices.ContainsFunc(PlanModules(), func(m access.Module) bool { return m.Name == name }) {
			return fault.At("modules", fault.NotInList)
		}
	}
	return nil
}

func (in PlanInput) status() int16 {
	if in.Active {
		return planActive
	}
	return planInactive
}

// tidy sorts the modules and has each once.
func (in PlanInput) tidy() PlanInput {
	in.Modules = slices.Compact(slices.Sorted(slices.Values(in.Modules)))
	if in.Modules == nil {
		in.Modules = []string{}
	}
	return in
}

// AddPlan adds a plan. It returns fault.BadInput for a module that there is not.
func (s *Service) AddPlan(ctx context.Context, who auditlog.Actor, in PlanInput) (uuid.UUID, error) {
	if err := in.check(); err != nil {
		return uuid.Nil, err
	}
	in = in.tidy()
	id := db.NewID()
	return id, s.db.InPlatform(ctx, func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, insertPlan, id, in.NameTH, in.NameEN, in.Modules, in.FeeBasisPoints, in.status(), tx.Now); err != nil {
			return fmt.Errorf("add a plan: %w", err)
		}
		return auditlog.Record(ctx, tx, who, "add", "plan/"+id.String(), nil, in)
	})
}

// SavePlan changes a plan, and with it every organisation that is on it: modules that it no longer has are off at once, and what is in them stays.
// It returns fault.Missing, and fault.BadInput for a module that there is not.
func (s *Service) SavePlan(ctx context.Context, id uuid.UUID, who auditlog.Actor, in PlanInput) error {
	if err := in.check(); err != nil {
		return err
	}
	in = in.tidy()
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		var before PlanInput
		var status int16
		err := tx.QueryRow(ctx, lockPlan, id).Scan(&before.NameTH, &before.NameEN, &before.Modules, &before.FeeBasisPoints, &status)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.Missing
		}
		if err != nil {
			return fmt.Errorf("plan %s: %w", id, err)
		}
		before.Active = status == planActive
		if err := auditlog.Record(ctx, tx, who, "change", "plan/"+id.String(), before, in); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, updatePlan, id, in.NameTH, in.NameEN, in.Modules, in.FeeBasisPoints, in.status()); err != nil {
			return fmt.Errorf("change plan %s: %w", id, err)
		}
		tx.Publish(Topic, everyOrg)
		tx.Publish(access.Topic, everyOrg)
		return nil
	})
}

// everyOrg is published in place of an id where all organisations may have changed.
const everyOrg = ""
