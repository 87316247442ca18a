package staff

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/access"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
)

// Faults of changing rights.
var (
	ErrBeyond   = fault.New(fault.Forbidden, "staff.beyond_own_rights", "you cannot give rights that you do not have")
	ErrSelf     = fault.New(fault.Forbidden, "staff.own_account", "you cannot change your own rights")
	ErrLastFull = fault.New(fault.Conflict, "staff.last_owner", "somebody with all rights must remain")
	ErrSetInUse = fault.New(fault.Conflict, "permission.in_use", "somebody has this permission set")
)

// PermissionSet has the rights of an account of role user: letters by module.
type PermissionSet struct {
	resource.Base
	NameTH  string                    `json:"name_th" minLength:"1" maxLength:"60"`
	NameEN  string                    `json:"name_en" maxLength:"60"`
	Modules map[string]access.Letters `json:"modules" doc:"Module to letters: v see and export, i add, u change, s change status"`
	People  int64                     `json:"people" readOnly:"true" required:"false" doc:"Accounts that have it"`
}

// PermissionSets is the table of permission sets. Its changes go through the Service.
var PermissionSets = resource.New(resource.Def[PermissionSet]{
	Name: "permission", Module: "permission", Relation: "permission", AtMost: 1000, HasStatus: true, InitialStatus: resource.Active, Sort: "-created_at",
	Columns: []resource.Column{
		{Name: "name_th", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (ไทย)", EN: "Name (Thai)"},
		{Name: "name_en", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (อังกฤษ)", EN: "Name (English)"},
		{Name: "modules", Can: resource.Write},
		{Name: "people", SQL: "(SELECT count(*) FROM staff s WHERE s.permission_id = r.id AND s.status <> 9)", Can: resource.Sort, TH: "จำนวนคน", EN: "People"},
	},
	Validate: func(p PermissionSet) (bad []fault.Field) {
		for _, module := range slices.Sorted(maps.Keys(p.Modules)) {
			if !slices.Contains(access.ModuleNames(), module) {
				bad = append(bad, fault.Field{Path: "modules", Fault: fault.Unknown.Code})
			}
			for _, letter := range p.Modules[module] {
				if !slices.Contains([]string{access.See, access.Add, access.Change, access.Status}, letter) {
					bad = append(bad, fault.Field{Path: "modules." + module, Fault: fault.NotInList.Code})
				}
			}
		}
		return bad
	},
	BeforeStatus: func(_ context.Context, _ db.Tx, p PermissionSet, status int16) error {
		if status != resource.Active && p.People > 0 {
			return ErrSetInUse
		}
		return nil
	},
})

// May reports whether an account holds a letter of a module.
type May func(ctx context.Context, org uuid.UUID, account Account, module, letter string) (bool, error)

// editor is the account that changes rights, as it is now, in the transaction of the change.
type editor struct {
	Account
	letters map[string]access.Letters // of role user
}

const (
	lockEditor = `SELECT s.id, s.name, s.picture_url, s.role, s.permission_id, coalesce(p.modules, '{}') FROM staff s
		LEFT JOIN permission p ON p.id = s.permission_id AND p.status = 5 WHERE s.id = $1 AND s.status = 5 FOR SHARE OF s`
	setModules = `SELECT modules FROM permission WHERE id = $1 AND status = 5 FOR SHARE`
	fullLeft   = `SELECT id FROM staff WHERE status = 5 AND role IN ('superadmin', 'admin', 'adminowner') ORDER BY id FOR UPDATE`
)

func loadEditor(ctx context.Context, tx db.Tx, person uuid.UUID) (editor, error) {
	var a editor
	err := tx.QueryRow(ctx, lockEditor, person).Scan(&a.ID, &a.Name, &a.Picture, &a.Role, &a.Permission, &a.letters)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, fault.NoSession
	}
	if err != nil {
		return a, fmt.Errorf("who asks: %w", err)
	}
	return a, nil
}

// mayGive reports whether the account itself has every letter of modules. Nobody gives what he does not have.
func (a editor) mayGive(modules map[string]access.Letters) error {
	if access.HasAllRights(a.Role) {
		return nil
	}
	for module, letters := range modules {
		for _, letter := range letters {
			if !slices.Contains(a.letters[module], letter) {
				return ErrBeyond
			}
		}
	}
	return nil
}

// mayChangeSet refuses a set that holds more than the account has, before or after the change, and the set it is on.
func (a editor) mayChangeSet(before, after *PermissionSet) error {
	for _, set := range []*PermissionSet{before, after} {
		if set == nil {
			continue
		}
		if err := a.mayGive(set.Modules); err != nil {
			return err
		}
	}
	if before != nil && a.Permission != nil && before.ID == *a.Permission && !access.HasAllRights(a.Role) {
		return ErrSelf
	}
	return nil
}

// mayHandle refuses accounts above the one that asks, in what they are and in what they shall become.
func (a editor) mayHandle(ctx context.Context, tx db.Tx, role string, set *uuid.UUID) error {
	if access.HasAllRights(a.Role) {
		return nil
	}
	if access.HasAllRights(role) {
		return ErrBeyond
	}
	if set == nil {
		return nil
	}
	var modules map[string]access.Letters
	err := tx.QueryRow(ctx, setModules, *set).Scan(&modules)
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.At("permission_id", fault.NotInList)
	}
	if err != nil {
		return fmt.Errorf("permission set %s: %w", *set, err)
	}
	return a.mayGive(modules)
}

// requireOneFull fails when, at the end of a change, nobody would be left who may do everything.
func requireOneFull(ctx context.Context, tx db.Tx) error {
	tag, err := tx.Exec(ctx, fullLeft)
	if err != nil {
		return fmt.Errorf("accounts with all rights: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return ErrLastFull
	}
	return nil
}
