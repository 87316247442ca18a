package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

// Schemas makes and migrates schemas, as the role that owns them. Only provisioning and `migrate` hold one.
type Schemas struct {
	nodes    map[string]*pgx.ConnConfig
	app      string // the login role that enters the schemas
	platform fs.FS
	tenant   fs.FS
}

// OpenSchemas reads the owners' addresses, one per node. files has the folders platform and tenant.
func OpenSchemas(urls map[string]string, appRole string, files fs.FS) (*Schemas, error) {
	s := &Schemas{nodes: map[string]*pgx.ConnConfig{}, app: appRole}
	for name, url := range urls {
		cfg, err := pgx.ParseConfig(url)
		if err != nil {
			return nil, fmt.Errorf("db: node %s: the owner's address is malformed", name)
		}
		s.nodes[name] = cfg
	}

	var err, err2 error
	s.platform, err = fs.Sub(files, "platform")
	s.tenant, err2 = fs.Sub(files, "tenant")
	return s, errors.Join(err, err2)
}

// MigratePlatform brings the platform's schema up to date on the main node.
func (s *Schemas) MigratePlatform(ctx context.Context) error {
	if err := s.ensure(ctx, MainNode, platformSchema, platformRole); err != nil {
		return err
	}
	_, err := s.up(ctx, MainNode, platformSchema, s.platform)
	return err
}

// MakeTenant makes a tenant's role and schema and brings it up to date. Doing it again changes nothing.
// It returns the version reached.
func (s *Schemas) MakeTenant(ctx context.Context, home Home) (int64, error) {
	if err := s.ensure(ctx, home.Node, home.Schema, home.Schema); err != nil {
		return 0, err
	}
	return s.up(ctx, home.Node, home.Schema, s.tenant)
}

// TenantVersion is the newest version of a tenant's schema that this program knows.
func (s *Schemas) TenantVersion() (int64, error) {
	files, err := fs.Glob(s.tenant, "*.sql")
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("db: no migrations: %w", err)
	}
	return goose.NumericComponent(files[len(files)-1])
}

// ensure makes the NOLOGIN role and the empty schema, and lets the app's login take the role.
func (s *Schemas) ensure(ctx context.Context, node, schema, role string) error {
	if !identifier.MatchString(schema) || !identifier.MatchString(role) {
		return fmt.Errorf("db: %q is not a schema's name", schema)
	}
	conn, err := s.connect(ctx, node)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))

	// DDL takes no parameters; the names were checked above. A unique violation is another maker of the same name.
	schema, role = pgx.Identifier{schema}.Sanitize(), pgx.Identifier{role}.Sanitize()
	for _, step := range []struct{ ddl, already string }{
		{"CREATE ROLE " + role + " NOLOGIN", duplicateObject},
		{"GRANT " + role + " TO " + pgx.Identifier{s.app}.Sanitize(), uniqueViolation},
		{"CREATE SCHEMA " + schema, duplicateSchema},
	} {
		_, err := conn.Exec(ctx, step.ddl)
		if err != nil && State(err) != step.already && State(err) != uniqueViolation {
			return fmt.Errorf("make schema %s on %s: %w", schema, node, err)
		}
	}
	return nil
}

func (s *Schemas) connect(ctx context.Context, node string) (*pgx.Conn, error) {
	cfg := s.nodes[node]
	if cfg == nil {
		return nil, fmt.Errorf("db: node %s has no owner's address", node)
	}
	conn, err := pgx.ConnectConfig(ctx, cfg.Copy())
	if err != nil {
		return nil, fmt.Errorf("db: node %s as owner: %w", node, err)
	}
	return conn, nil
}

// up runs goose in one schema. The path comes with the connection, because a pooled SET would be lost.
func (s *Schemas) up(ctx context.Context, node, schema string, files fs.FS) (int64, error) {
	cfg := s.nodes[node].Copy()
	cfg.RuntimeParams["search_path"] = schema
	pool := stdlib.OpenDB(*cfg)
	defer pool.Close()
	pool.SetMaxOpenConns(1)

	provider, err := goose.NewProvider(goose.DialectPostgres, pool, files, goose.WithVerbose(false))
	if err != nil {
		return 0, fmt.Errorf("migrate %s: %w", schema, err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return 0, fmt.Errorf("migrate %s on %s: %w", schema, node, err)
	}
	return provider.GetDBVersion(ctx)
}
