package org

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

// ListInput searches organisations by name and unique, and narrows them to a state and a plan.
type ListInput struct {
	Search string     `json:"search,omitempty" maxLength:"80"`
	State  State      `json:"state,omitempty" enum:"provisioning,live,suspended"`
	Plan   *uuid.UUID `json:"plan_id,omitempty"`
	Sort   string     `json:"sort,omitempty" enum:"-created_at,created_at,name_th,name_en,unique" doc:"Newest first, if none"`
	Limit  int        `json:"limit,omitempty" minimum:"0" maximum:"200"`
	After  *uuid.UUID `json:"after,omitempty" doc:"The last one of the page before"`
}

// Page of organisations. States counts by state what Search and Plan leave, Total what State leaves of it.
type Page struct {
	Data   []Org
	Next   *uuid.UUID
	Total  int64
	States map[State]int64
}

const (
	matching = `WHERE ($1 = '' OR position(lower($1) IN lower(o.name_th)) > 0 OR position(lower($1) IN lower(o.name_en)) > 0 OR position(lower($1) IN o.unique_name) > 0)
		AND ($2::uuid IS NULL OR o.plan_id = $2) `
	narrowed = matching + `AND ($3 = '' OR o.state = $3) `

	newestFirst = columns + narrowed + `AND ($4::uuid IS NULL OR o.id < $4) ORDER BY o.id DESC LIMIT $5`
	oldestFirst = columns + narrowed + `AND ($4::uuid IS NULL OR o.id > $4) ORDER BY o.id LIMIT $5`
	byNameTH    = columns + narrowed + `AND ($4::uuid IS NULL OR (o.name_th, o.id) > (SELECT l.name_th, l.id FROM organisation l WHERE l.id = $4)) ORDER BY o.name_th, o.id LIMIT $5`
	byNameEN    = columns + narrowed + `AND ($4::uuid IS NULL OR (o.name_en, o.id) > (SELECT l.name_en, l.id FROM organisation l WHERE l.id = $4)) ORDER BY o.name_en, o.id LIMIT $5`
	bySlug      = columns + narrowed + `AND ($4::uuid IS NULL OR o.unique_name > (SELECT l.unique_name FROM organisation l WHERE l.id = $4)) ORDER BY o.unique_name LIMIT $5`

	countByState = `SELECT o.state, count(*) FROM organisation o ` + matching + `GROUP BY o.state`
	maxOrgs      = 50
)

var sorts = map[string]string{"": newestFirst, "-created_at": newestFirst, "created_at": oldestFirst, "name_th": byNameTH, "name_en": byNameEN, "unique": bySlug}

// List returns a page of organisations.
func (d *Directory) List(ctx context.Context, in ListInput) (p Page, err error) {
	if in.Limit <= 0 {
		in.Limit = maxOrgs
	}
	p.States = map[State]int64{Provisioning: 0, Live: 0, Suspended: 0}
	err = d.db.InPlatform(ctx, func(tx db.Tx) error {
		var state State
		var n int64
		counted, err := tx.Query(ctx, countByState, in.Search, in.Plan)
		if err != nil {
			return err
		}
		if _, err := pgx.ForEachRow(counted, []any{&state, &n}, func() error {
			p.States[state] = n
			return nil
		}); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, sorts[in.Sort], in.Search, in.Plan, in.State, in.After, in.Limit+1)
		if err != nil {
			return err
		}
		p.Data, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (Org, error) { return scan(row) })
		return err
	})
	if err != nil {
		return p, fmt.Errorf("list organisations: %w", err)
	}
	for state, n := range p.States {
		if in.State == "" || in.State == state {
			p.Total += n
		}
	}
	if len(p.Data) > in.Limit {
		p.Data = p.Data[:in.Limit]
		p.Next = &p.Data[in.Limit-1].ID
	}
	return p, nil
}
