package onboard

import (
	"context"
	"errors"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"welovevoucher/platform/db"
)

// spares is how many schemas wait for organisations to come.
const spares = 3

const (
	countSpares = `SELECT count(*) FROM spare_schema WHERE node = $1`
	insertSpare = `INSERT INTO spare_schema (schema_name, node, version, created_at) VALUES ($1, $2, $3, $4)`
)

// FillSpares makes schemas in advance, under their final names, so that a new organisation need not wait for DDL.
func (s *Service) FillSpares(ctx context.Context) error {
	var have int
	err := s.db.InPlatform(ctx, func(tx db.Tx) error { return tx.QueryRow(ctx, countSpares, db.MainNode).Scan(&have) })
	if err != nil {
		return err
	}
	for ; have < spares; have++ {
		home := db.Home{Schema: NewSchemaName(), Node: db.MainNode}
		version, err := s.schemas.MakeTenant(ctx, home)
		if err != nil {
			return err
		}
		if err := s.exec(ctx, insertSpare, home.Schema, home.Node, version, s.db.Now()); err != nil {
			return err
		}
	}
	return nil
}

const behind = `SELECT id, schema_version, schema_name, node FROM organisation WHERE schema_name IS NOT NULL AND schema_version < $1 ORDER BY id`

// MigrateAll brings every organisation's schema to the newest version and returns how many were behind. What was migrated is
// written down at the end, for all of them. It can be stopped and started again: a schema that is whole already is only looked at.
func (s *Service) MigrateAll(ctx context.Context) (int, error) {
	if s.schemas == nil {
		return 0, errNoSchemas
	}
	newest, err := s.schemas.TenantVersion()
	if err != nil {
		return 0, err
	}
	type old struct {
		ID      uuid.UUID
		Version int64
		db.Home
	}
	var olds []old
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, behind, newest)
		if err != nil {
			return err
		}
		olds, err = pgx.CollectRows(rows, pgx.RowToStructByPos[old])
		return err
	})
	if err != nil {
		return 0, err
	}

	var mu sync.Mutex
	var whole []old
	group, each := errgroup.WithContext(ctx)
	group.SetLimit(db.SchemasAtOnce)
	for _, o := range olds {
		group.Go(func() error {
			if _, err := s.schemas.MakeTenant(each, o.Home); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			whole = append(whole, o)
			return nil
		})
	}
	err = group.Wait()
	return len(olds), errors.Join(err, s.exec(context.WithoutCancel(ctx), setVersions, newest,
		db.Column(whole, func(o old) uuid.UUID { return o.ID }), db.Column(whole, func(o old) int64 { return o.Version })))
}

const (
	// Whoever has put an old dump in an organisation's place meanwhile has said so in its version.
	setVersions = `UPDATE organisation SET schema_version = $1 FROM unnest($2::uuid[], $3::bigint[]) AS was (id, version)
		WHERE organisation.id = was.id AND schema_version = was.version`
	setVersion = `UPDATE organisation SET schema_version = $2 WHERE id = $1`
)

// migrate brings a schema to the newest version, and makes it, its role and its tables where they are missing.
func (s *Service) migrate(ctx context.Context, id uuid.UUID, home db.Home) error {
	version, err := s.schemas.MakeTenant(ctx, home)
	if err != nil {
		return err
	}
	return s.exec(ctx, setVersion, id, version)
}
