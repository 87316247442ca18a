package resource

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
)

// ErrChangedMeanwhile is returned if the row was changed since the caller read it.
var ErrChangedMeanwhile = fault.New(fault.Conflict, "resource.changed_meanwhile", "somebody else has changed this meanwhile")

// ErrFull is returned for a new row of a table that has as many as AtMost says.
var ErrFull = fault.New(fault.Conflict, "resource.full", "this list holds no more rows")

// saved has the methods that Save needs of a T, which must embed Base.
type saved interface{ base() *Base }

func (t *Table[T]) writes() (insert, update string) {
	names, values, sets := []string{"id", "status", "created_at", "updated_at"}, []string{"$1", "$2", "$3", "$3"}, []string{"updated_at = $2"}
	next, updateNext := 4, 3
	for _, c := range t.columns {
		if c.Can&(Write|Once) == 0 {
			continue
		}
		cast := ""
		if c.kind == dateKind {
			cast = "::text::date"
		}
		names = append(names, c.stored)
		values = append(values, fmt.Sprintf("$%d%s", next, cast))
		next++
		if c.Can&Write != 0 {
			sets = append(sets, fmt.Sprintf("%s = $%d%s", c.stored, updateNext, cast))
			updateNext++
		}
	}
	insert = "INSERT INTO " + t.def.Relation + " (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(values, ", ") + ")"
	return insert, "UPDATE " + t.def.Relation + " SET " + strings.Join(sets, ", ") + " WHERE id = $1"
}

// IsNew reports whether Save would add the row, which needs another right than changing it.
func IsNew[T any](row *T) bool { return any(row).(saved).base().ID == uuid.Nil }

// Save adds a row without an id, or changes one with an id. It writes only Write columns, and Once columns of a new row, and ignores the rest of row. It returns
// fault.BadInput, also for another value of a Once column, fault.Missing for an unknown id, ErrChangedMeanwhile if updated_at is not what the caller has read, or ErrFull. It
// records the change in the audit log, in the same transaction.
func (t *Table[T]) Save(ctx context.Context, tx db.Tx, who auditlog.Actor, row T) (T, error) {
	if fields := t.Wrong(row); len(fields) > 0 {
		return row, fault.Of(fields...)
	}
	base := any(&row).(saved).base()
	old, err := t.old(ctx, tx, base)
	if err != nil {
		return row, err
	}
	action := "change"
	if old == nil {
		action = "add"
		if err := t.requireRoom(ctx, tx); err != nil {
			return row, err
		}
		base.ID, base.Status, base.CreatedAt = db.NewID(), t.def.InitialStatus, tx.Now
	}
	base.UpdatedAt = later(tx.Now, base.UpdatedAt)

	if old != nil {
		if fields := t.changedOnce(*old, row); len(fields) > 0 {
			return row, fault.Of(fields...)
		}
	}
	if t.def.BeforeSave != nil {
		if err := t.def.BeforeSave(ctx, tx, old, &row); err != nil {
			return row, err
		}
	}
	if err := t.requireReferences(ctx, tx, old == nil, row); err != nil {
		return row, err
	}
	if err := t.write(ctx, tx, old == nil, base, row); err != nil {
		return row, err
	}
	if t.def.AfterSave != nil {
		if err := t.def.AfterSave(ctx, tx, old, row); err != nil {
			return row, t.explain(err)
		}
	}

	now, err := t.Detail(ctx, tx, base.ID)
	if err != nil {
		return row, err
	}
	if err := auditlog.Record(ctx, tx, who, action, t.object(base.ID), old, now); err != nil {
		return row, err
	}
	return now, t.afterChange(ctx, tx)
}

// Wrong returns the fields of a row by themselves that Save refuses. An older row may have some: rules were added since.
func (t *Table[T]) Wrong(row T) []fault.Field {
	if t.def.Validate != nil {
		if fields := t.def.Validate(row); len(fields) > 0 {
			return fields
		}
	}
	return t.outOfCalendar(row)
}

// requireRoom returns ErrFull if the table has as many rows as it may have. Rows that are added at the same moment are not counted.
func (t *Table[T]) requireRoom(ctx context.Context, tx db.Tx) error {
	if t.grows() {
		return nil
	}
	var n int
	if err := tx.QueryRow(ctx, "SELECT count(*) FROM "+t.def.Relation+" r"+t.alive()).Scan(&n); err != nil {
		return err
	}
	if n >= t.def.AtMost {
		return ErrFull
	}
	return nil
}

func (t *Table[T]) afterChange(ctx context.Context, tx db.Tx) error {
	if t.def.AfterChange == nil {
		return nil
	}
	return t.def.AfterChange(ctx, tx)
}

// changedOnce returns the Once columns of which row has another value than old.
func (t *Table[T]) changedOnce(old, row T) (bad []fault.Field) {
	was, is := reflect.ValueOf(&old).Elem(), reflect.ValueOf(&row).Elem()
	for _, c := range t.columns {
		if c.Can&Once != 0 && !reflect.DeepEqual(was.FieldByIndex(c.field).Interface(), is.FieldByIndex(c.field).Interface()) {
			bad = append(bad, fault.Field{Path: c.Name, Fault: fault.Fixed.Code})
		}
	}
	return bad
}

// outOfCalendar returns the dates and times of a row that Postgres could store, but that could not be read again.
func (t *Table[T]) outOfCalendar(row T) (bad []fault.Field) {
	v := reflect.ValueOf(&row).Elem()
	for _, c := range t.columns {
		field := v.FieldByIndex(c.field)
		if c.Can&(Write|Once) == 0 || (c.null && field.IsNil()) {
			continue
		}
		ok := true
		switch value := reflect.Indirect(field).Interface().(type) {
		case time.Time:
			ok = inCalendar(value)
		case string:
			if c.kind == dateKind {
				_, ok = bindText(dateKind, value)
			}
		}
		if !ok {
			bad = append(bad, fault.Field{Path: c.Name, Fault: fault.WrongFormat.Code})
		}
	}
	return bad
}

// requireReferences locks the rows that row refers to, by Once columns only a new row, against a change of their status. It returns fault.BadInput for those that are
// not there or deleted.
func (t *Table[T]) requireReferences(ctx context.Context, tx db.Tx, add bool, row T) error {
	var bad []fault.Field
	v := reflect.ValueOf(&row).Elem()
	for _, c := range t.columns {
		field := v.FieldByIndex(c.field)
		if c.RefersTo == "" || !add && c.Can&Once != 0 || c.null && field.IsNil() {
			continue
		}
		there, err := tx.Exec(ctx, "SELECT FROM "+c.RefersTo+" WHERE id = $1 AND status <> 9 FOR SHARE", reflect.Indirect(field).Interface())
		if err != nil {
			return fmt.Errorf("what %s refers to by %s: %w", t.def.Name, c.Name, err)
		}
		if there.RowsAffected() == 0 {
			bad = append(bad, fault.Field{Path: c.Name, Fault: fault.NotInList.Code})
		}
	}
	if len(bad) > 0 {
		return fault.Of(bad...)
	}
	return nil
}

// later returns a time after before, so that updated_at changes even within one microsecond.
func later(now, before time.Time) time.Time {
	if now.After(before) {
		return now
	}
	return before.Add(time.Microsecond)
}

// old locks and reads the row to change. It returns nil for a new row.
func (t *Table[T]) old(ctx context.Context, tx db.Tx, base *Base) (*T, error) {
	if base.ID == uuid.Nil {
		return nil, nil
	}
	if base.UpdatedAt.IsZero() {
		return nil, fault.At("updated_at", fault.Required)
	}
	row, err := t.one(ctx, tx, base.ID, " FOR NO KEY UPDATE OF r")
	if err != nil {
		return nil, err
	}
	was := any(&row).(saved).base()
	if !was.UpdatedAt.Equal(base.UpdatedAt) {
		return nil, ErrChangedMeanwhile
	}
	base.Status, base.CreatedAt = was.Status, was.CreatedAt
	return &row, t.fill(ctx, tx, &row)
}

func (t *Table[T]) write(ctx context.Context, tx db.Tx, add bool, base *Base, row T) error {
	sql, args := t.update, []any{base.ID, base.UpdatedAt}
	if add {
		sql, args = t.insert, []any{base.ID, base.Status, base.CreatedAt}
		base.UpdatedAt = base.CreatedAt
	}
	v := reflect.ValueOf(&row).Elem()
	for _, c := range t.columns {
		if c.Can&Write != 0 || add && c.Can&Once != 0 {
			args = append(args, reflect.ValueOf(c.value(v)).Elem().Interface())
		}
	}
	_, err := tx.Exec(ctx, sql, args...)
	return t.explain(err)
}

// explain turns the violation of a declared constraint into fault.BadInput for its field.
func (t *Table[T]) explain(err error) error {
	if err == nil {
		return nil
	}
	if field, ok := t.def.Constraints[db.Constraint(err)]; ok {
		return fault.Of(field)
	}
	return fmt.Errorf("save %s: %w", t.def.Name, err)
}

func (t *Table[T]) object(id uuid.UUID) string { return t.def.Name + "/" + id.String() }

// maxStatus is how many rows may change their status in one call.
const maxStatus = 200

// SetStatus activates, deactivates or deletes rows, all or none. It locks them in the order of their ids. It returns fault.Missing
// if one is unknown or deleted.
func (t *Table[T]) SetStatus(ctx context.Context, tx db.Tx, who auditlog.Actor, ids []uuid.UUID, status int16) error {
	if !slices.Contains(t.def.Statuses, status) {
		return fault.At("status", fault.NotInList)
	}
	if len(ids) == 0 || len(ids) > maxStatus {
		return fault.At("ids", fault.TooLong)
	}
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return strings.Compare(a.String(), b.String()) })

	some := false
	for _, id := range slices.Compact(ids) {
		changed, err := t.setStatus(ctx, tx, who, id, status)
		if err != nil {
			return err
		}
		some = some || changed
	}
	if !some {
		return nil
	}
	return t.afterChange(ctx, tx)
}

func (t *Table[T]) setStatus(ctx context.Context, tx db.Tx, who auditlog.Actor, id uuid.UUID, status int16) (changed bool, err error) {
	old, err := t.one(ctx, tx, id, " FOR NO KEY UPDATE OF r")
	if err != nil {
		return false, err
	}
	was := *any(&old).(saved).base()
	if was.Status == status {
		return false, nil
	}
	if t.def.BeforeStatus != nil {
		if err := t.def.BeforeStatus(ctx, tx, old, status); err != nil {
			return false, err
		}
	}
	sql := "UPDATE " + t.def.Relation + " SET status = $2, updated_at = $3 WHERE id = $1"
	if _, err := tx.Exec(ctx, sql, id, status, later(tx.Now, was.UpdatedAt)); err != nil {
		return false, fmt.Errorf("status of %s: %w", t.object(id), err)
	}
	type state struct {
		Status int16 `json:"status"`
	}
	return true, auditlog.Record(ctx, tx, who, "status", t.object(id), state{was.Status}, state{status})
}
