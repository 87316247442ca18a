// Package rate says what agents earn of what they sell: their type's base rate of everything, or a special rate of single packages, of those with a tag or
// of everything, for some days.
package rate

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/catalog"
)

// Kind is how a rate is counted.
type Kind string

// Kinds.
const (
	Percent Kind = "percent" // of the base, of which the platform's fee is counted too
	Baht    Kind = "baht"    // for each piece
)

// Rate is what an agent earns of a line of an order, and who recruited him. The zero Rate is that of a line which no agent sells.
type Rate struct {
	Special   *uuid.UUID // nil: the base rate of the agent's type
	Kind      Kind
	Value     int64 // basis points, or satang
	Recruiter int64 // basis points of the base, for who recruited the agent
}

// Base returns the base rate of an agent type.
func Base(basisPoints, recruiter int64) Rate {
	return Rate{Kind: Percent, Value: basisPoints, Recruiter: recruiter}
}

// Alone returns the rate of an agent whom nobody recruited.
func (r Rate) Alone() Rate {
	r.Recruiter = 0
	return r
}

// Of returns the commission of some pieces with a base, before it is bounded by what the platform's fee leaves of it.
func (r Rate) Of(base money.Amount, pieces int) money.Amount {
	if r.Kind == Baht {
		return money.Amount(r.Value) * money.Amount(pieces)
	}
	return base.Percent(r.Value)
}

// special is a row of commission_rate.
type special struct {
	ID       uuid.UUID
	Type     uuid.UUID
	Package  *uuid.UUID
	Tag      *uuid.UUID
	Tagged   []uuid.UUID // the packages with the tag
	Kind     Kind
	Value    int64
	FirstDay time.Time
	LastDay  *time.Time

	Recruiter int64
}

// Rates are the special rates of an organisation, by agent type.
type Rates map[uuid.UUID][]special

const selectSpecial = `SELECT r.id, r.agent_type_id, r.package_id, r.tag_id, ARRAY(SELECT t.package_id FROM package_tag t WHERE t.tag_id = r.tag_id ORDER BY 1),
		r.kind, r.value, r.first_day, r.last_day, r.recruiter_basis_points FROM commission_rate r WHERE r.status = 5 ORDER BY r.first_day, r.id`

const (
	packagesTagged = `SELECT package_id FROM package_tag WHERE tag_id = $1`
	selectThere    = `SELECT EXISTS (SELECT FROM agent_type WHERE id = $1 AND status <> 9), $2::uuid IS NULL OR EXISTS (SELECT FROM package WHERE id = $2 AND status <> 9),
		$3::uuid IS NULL OR EXISTS (SELECT FROM tag WHERE id = $3 AND status <> 9)`
)

// NewCache returns an empty cache of special rates.
func NewCache() *catalog.RevisionCache[Rates] {
	return catalog.NewRevisionCache(selectSpecial, collect)
}

func collect(rows pgx.Rows) (Rates, error) {
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[special])
	if err != nil {
		return nil, fmt.Errorf("special rates: %w", err)
	}
	rates := Rates{}
	for _, s := range all {
		rates[s.Type] = append(rates[s.Type], s)
	}
	return rates, nil
}

// Read reads the special rates of an organisation.
func Read(ctx context.Context, tx db.Tx) (Rates, error) {
	rows, err := tx.Query(ctx, selectSpecial)
	if err != nil {
		return nil, fmt.Errorf("special rates: %w", err)
	}
	return collect(rows)
}

// Try adds a rate as a form has it, in place of the same one that is saved. It returns fault.NotInList for what it is of and is not there.
func (r Rates) Try(ctx context.Context, tx db.Tx, row Row) error {
	s := special{ID: row.ID, Type: row.Type, Package: row.Package, Tag: row.Tag, Kind: row.Kind, Value: row.Value, Recruiter: int64(row.Recruiter)}
	if row.ID == uuid.Nil { // as it would be made now, the youngest
		s.ID = db.NewID()
	}
	var agentType, pkg, tag bool
	if err := tx.QueryRow(ctx, selectThere, row.Type, row.Package, row.Tag).Scan(&agentType, &pkg, &tag); err != nil {
		return fmt.Errorf("what a rate is of: %w", err)
	}
	switch {
	case !agentType:
		return fault.At("rate.agent_type_id", fault.NotInList)
	case !pkg:
		return fault.At("rate.package_id", fault.NotInList)
	case !tag:
		return fault.At("rate.tag_id", fault.NotInList)
	}
	var err error
	if s.FirstDay, err = time.Parse(time.DateOnly, row.FirstDay); err != nil {
		return fault.At("rate.first_day", fault.WrongFormat)
	}
	if row.LastDay != nil {
		last, err := time.Parse(time.DateOnly, *row.LastDay)
		if err != nil {
			return fault.At("rate.last_day", fault.WrongFormat)
		}
		s.LastDay = &last
	}
	if row.Tag != nil {
		rows, err := tx.Query(ctx, packagesTagged, row.Tag)
		if err != nil {
			return fmt.Errorf("packages with tag %s: %w", row.Tag, err)
		}
		if s.Tagged, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID]); err != nil {
			return fmt.Errorf("packages with tag %s: %w", row.Tag, err)
		}
	}
	others := slices.DeleteFunc(r[row.Type], func(other special) bool { return other.ID == s.ID })
	r[row.Type] = append(others, s)
	return nil
}

// Of returns what an agent of a type earns of a package that is ordered on a day (clock.Day): by the special rate of the package, else of one of its tags,
// else of everything, else by the base rate of the type. Of several tags the one counts whose rate began last, of those that began on one day the one with
// the greatest id.
func (r Rates) Of(agentType uuid.UUID, base Rate, pkg uuid.UUID, day time.Time) Rate {
	best, found := special{}, 0
	for _, s := range r[agentType] {
		if day.Before(s.FirstDay) || s.LastDay != nil && day.After(*s.LastDay) {
			continue
		}
		if near := s.nearness(pkg); near > found || near == found && near > 0 && s.after(best) {
			best, found = s, near
		}
	}
	if found == 0 {
		return base
	}
	return Rate{Special: &best.ID, Kind: best.Kind, Value: best.Value, Recruiter: best.Recruiter}
}

// nearness returns 3 for a rate of the package itself, 2 for one of a tag that it has, 1 for one of everything, and 0 for one of something else.
func (s special) nearness(pkg uuid.UUID) int {
	switch {
	case s.Package != nil && *s.Package == pkg:
		return 3
	case s.Package != nil:
		return 0
	case s.Tag == nil:
		return 1
	}
	if slices.Contains(s.Tagged, pkg) {
		return 2
	}
	return 0
}

func (s special) after(other special) bool {
	if !s.FirstDay.Equal(other.FirstDay) {
		return s.FirstDay.After(other.FirstDay)
	}
	return bytes.Compare(s.ID[:], other.ID[:]) > 0
}
