package owner

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/report"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/staff"
)

// ByID names one row.
type ByID struct {
	ID uuid.UUID `json:"id"`
}

// StatusInput gives rows a status.
type StatusInput struct {
	IDs    []uuid.UUID `json:"ids" minItems:"1" maxItems:"200"`
	Status int16       `json:"status" enum:"2,4,5,9" doc:"2 inactive, 4 suspended, 5 active, 9 deleted"`
}

// ExportInput asks for a file of exactly what a list shows.
type ExportInput struct {
	Filter map[string]any `json:"filter,omitempty" required:"false"`
	Search string         `json:"search,omitempty" required:"false" maxLength:"100"`
	Sort   rest.Sort      `json:"sort,omitempty" required:"false"`
	Format string         `json:"format" enum:"csv,xlsx"`
}

type setStatus func(ctx context.Context, org uuid.UUID, who auditlog.Actor, ids []uuid.UUID, status int16) error

type saveRow[T any] func(ctx context.Context, who token.Session, row T) (T, error)

// registerListed registers list, record and export of a table. Each needs letter v in the table's module; an export counts against
// ratelimit.Export.
func registerListed[T any](o *handlers, t *resource.Table[T]) {
	o.tables = append(o.tables, t)
	o.exports = append(o.exports, report.OfTable(t))
	post(o, "/api/owner/get/"+t.Name(), guard(t.Module(), access.See), "List "+t.Name(),
		func(ctx context.Context, who token.Session, q rest.Query) (rest.Page[T], error) {
			var page resource.Page[T]
			err := o.DB.ReadInOrg(ctx, who.Org, func(tx db.Tx) (err error) {
				page, err = t.List(ctx, tx, q.Resource())
				return err
			})
			return rest.PageOf(page), err
		})
	post(o, "/api/owner/detail/"+t.Name(), guard(t.Module(), access.See), "One of "+t.Name(),
		func(ctx context.Context, who token.Session, in ByID) (row T, err error) {
			err = o.DB.InOrg(ctx, who.Org, func(tx db.Tx) error {
				row, err = t.Detail(ctx, tx, in.ID)
				return err
			})
			return row, err
		})
	exports := guard(t.Module(), access.See)
	exports.Limit = ratelimit.Export
	post(o, "/api/owner/export/"+t.Name(), exports, "A file of what the list of "+t.Name()+" shows",
		func(ctx context.Context, who token.Session, in ExportInput) (report.Export, error) {
			filter, err := json.Marshal(resource.Query{Filter: in.Filter, Search: in.Search, Sort: string(in.Sort)})
			if err != nil {
				return report.Export{}, fmt.Errorf("filter of an export: %w", err)
			}
			return o.askReport(ctx, who, report.Request{Report: t.Name(), Filter: filter, Format: in.Format})
		})
}

// registerEditable registers what registerListed does, and the saving of rows (letter i for a new one, u for another) and of their status (s).
func registerEditable[T any](o *handlers, t *resource.Table[T]) {
	registerListed(o, t)
	save(o, t, func(ctx context.Context, who token.Session, row T) (saved T, err error) {
		err = o.DB.InOrg(ctx, who.Org, func(tx db.Tx) error {
			if saved, err = t.Save(ctx, tx, actor(ctx, who), row); err != nil {
				return err
			}
			return o.changed(ctx, tx, t.Name())
		})
		return saved, err
	})
	status(o, t, inOneTransaction(o, t))
}

// save registers the saving of rows. The route lets in who has i or u; then a new row needs i, another one u.
func save[T any](o *handlers, t *resource.Table[T], use saveRow[T]) {
	post(o, "/api/owner/save/"+t.Name(), guard(t.Module(), access.Add+access.Change), "Add to, or change, "+t.Name(),
		func(ctx context.Context, who token.Session, row T) (T, error) {
			letter := access.Change
			if resource.IsNew(&row) {
				letter = access.Add
			}
			if err := o.need(ctx, who, t.Module(), letter); err != nil {
				return row, err
			}
			return use(ctx, who, row)
		})
}

func status[T any](o *handlers, t *resource.Table[T], use setStatus) {
	post(o, "/api/owner/status/"+t.Name(), guard(t.Module(), access.Status), "Activate, deactivate or delete in "+t.Name(),
		func(ctx context.Context, who token.Session, in StatusInput) (rest.Empty, error) {
			return rest.Empty{}, use(ctx, who.Org, actor(ctx, who), in.IDs, in.Status)
		})
}

// registerPackages offers packages, whose saving is a step of catalog.
func (o *handlers) registerPackages() {
	registerListed(o, catalog.Packages)
	save(o, catalog.Packages, o.savePackage)
	status(o, catalog.Packages, inOneTransaction(o, catalog.Packages))
}

func (o *handlers) savePackage(ctx context.Context, who token.Session, row catalog.Package) (saved catalog.Package, err error) {
	if row.AddsVoucherTypes() {
		if err := o.need(ctx, who, catalog.VoucherTypes.Module(), access.Add); err != nil {
			return row, err
		}
	}
	err = o.DB.InOrg(ctx, who.Org, func(tx db.Tx) error {
		if saved, err = catalog.SavePackage(ctx, tx, actor(ctx, who), row); err != nil {
			return err
		}
		if row.AddsVoucherTypes() {
			if err := notice.SendTableUpdate(ctx, tx, catalog.VoucherTypes.Name()); err != nil {
				return err
			}
		}
		return o.changed(ctx, tx, catalog.Packages.Name())
	})
	return saved, err
}

// registerPeople offers accounts and permission sets, whose changes are use cases of staff.Service.
func (o *handlers) registerPeople() {
	registerListed(o, staff.Accounts)
	save(o, staff.Accounts, func(ctx context.Context, who token.Session, row staff.Account) (staff.Account, error) {
		return o.Staff.SaveAccount(ctx, who.Org, actor(ctx, who), row)
	})
	status(o, staff.Accounts, func(ctx context.Context, org uuid.UUID, who auditlog.Actor, ids []uuid.UUID, status int16) error {
		return o.Staff.SetAccountStatus(ctx, org, who, ids, status)
	})
	post(o, "/api/owner/staff/invite", guard(staff.Accounts.Module(), access.Add+access.Change), "A link by which somebody joins by LINE", o.invite)
	post(o, "/api/owner/staff/revoke", guard(staff.Accounts.Module(), access.Change), "Make an open link worthless", o.revoke)
	post(o, "/api/owner/staff/factor/drop", guard(staff.Accounts.Module(), access.Change), "Switch an account's second factor off, whose person has lost his phone", o.dropFactor)
	registerListed(o, staff.PermissionSets)
	save(o, staff.PermissionSets, func(ctx context.Context, who token.Session, row staff.PermissionSet) (staff.PermissionSet, error) {
		return o.Staff.SavePermissionSet(ctx, who.Org, actor(ctx, who), row)
	})
	status(o, staff.PermissionSets, func(ctx context.Context, org uuid.UUID, who auditlog.Actor, ids []uuid.UUID, status int16) error {
		return o.Staff.SetPermissionStatus(ctx, org, who, ids, status)
	})
}
