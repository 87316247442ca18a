package provisioning

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

// spares is how many schemas wait for organisations to come.
const spares = 3

const (
	countSpares = `SELECT count(*) FROM schema_pool WHERE node = $1`
	insertSpare = `INSERT INTO schema_pool (schema_name, node, version, created_at) VALUES ($1, $2, $3, $4)`
)

// FillSchemaPool makes schemas in advance, under their final names, so that a new organisation need not wait for DDL.
func (s *Service) FillSchemaPool(ctx context.Context) error {
	var have int
	err := s.db.InPlatform(ctx, func(tx db.Tx) error { return tx.QueryRow(ctx, countSpares, db.MainNode).Scan(&have) })
	if err != nil {
		return err
	}
	for ; have < spares; have++ {
		home := db.Placement{Schema: NewSchemaName(), Node: db.MainNode}
		version, err := s.schemas.ProvisionTenant(ctx, home)
		if err != nil {
			return err
		}
		if err := s.exec(ctx, insertSpare, home.Schema, home.Node, version, s.db.Now()); err != nil {
			return err
		}
	}
	return nil
}

const behind = `SELECT schema_version, schema_name, node FROM organisation WHERE schema_name IS NOT NULL AND schema_version < $1`

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
	was := map[db.Placement]int64{}
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		clear(was) // of a try before this one
		rows, err := tx.Query(ctx, behind, newest)
		if err != nil {
			return err
		}
		var version int64
		var home db.Placement
		_, err = pgx.ForEachRow(rows, []any{&version, &home.Schema, &home.Node}, func() error {
			was[home] = version
			return nil
		})
		return err
	})
	if err != nil {
		return 0, err
	}

	reached, err := s.schemas.MakeTenants(ctx, slices.Collect(maps.Keys(was))...)
	whole := slices.Collect(maps.Keys(reached))
	return len(was), errors.Join(err, s.exec(context.WithoutCancel(ctx), setVersions,
		db.Column(whole, func(h db.Placement) string { return h.Schema }), db.Column(whole, func(h db.Placement) string { return h.Node }),
		db.Column(whole, func(h db.Placement) int64 { return was[h] }), db.Column(whole, func(h db.Placement) int64 { return reached[h] })))
}

const (
	// Whoever has put an old dump in an organisation's place meanwhile, or moved it to another node, has said so in its row.
	setVersions = `UPDATE organisation SET schema_version = reached FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS done (schema, home, was, reached)
		WHERE schema_name = schema AND node = home AND schema_version = was`
	setVersion = `UPDATE organisation SET schema_version = $2 WHERE id = $1`
)

// migrate brings a schema to the newest version, and makes it, its role and its tables where they are missing.
func (s *Service) migrate(ctx context.Context, id uuid.UUID, home db.Placement) error {
	version, err := s.schemas.ProvisionTenant(ctx, home)
	if err != nil {
		return err
	}
	return s.exec(ctx, setVersion, id, version)
}
