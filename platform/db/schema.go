package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

// Schemas makes and migrates schemas, as the role that owns them. Only provisioning and `migrate` hold one.
type Schemas struct {
	nodes    map[string]*pgxpool.Pool
	app      string // the login role that enters the schemas
	platform fs.FS
	tenant   fs.FS
}

// SchemasAtOnce is how many of a node's schemas are worked on side by side.
const SchemasAtOnce = 4

// OpenSchemas takes the owners' addresses, one per node; it connects when there is work. files has the folders platform and
// tenant.
func OpenSchemas(ctx context.Context, urls map[string]string, appRole string, files fs.FS) (*Schemas, error) {
	s := &Schemas{nodes: map[string]*pgxpool.Pool{}, app: appRole}
	for name, url := range urls {
		cfg, err := pgxpool.ParseConfig(url)
		if err != nil {
			return nil, fmt.Errorf("db: node %s: the owner's address is malformed", name)
		}
		cfg.MaxConns = SchemasAtOnce
		cfg.MaxConnLifetime = recycle
		cfg.MaxConnIdleTime = time.Minute
		if s.nodes[name], err = pgxpool.NewWithConfig(ctx, cfg); err != nil {
			return nil, fmt.Errorf("db: node %s as owner: %w", name, err)
		}
	}

	var err, err2 error
	s.platform, err = fs.Sub(files, "platform")
	s.tenant, err2 = fs.Sub(files, "tenant")
	return s, errors.Join(err, err2)
}

// Close closes every connection.
func (s *Schemas) Close() {
	for _, pool := range s.nodes {
		pool.Close()
	}
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

// standing asks whether a schema and its role are there, and whether the app may take the role.
const standing = `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AND EXISTS (SELECT FROM pg_auth_members m
	JOIN pg_roles role ON role.oid = m.roleid JOIN pg_roles app ON app.oid = m.member WHERE role.rolname = $2 AND app.rolname = $3)`

// ensure makes the NOLOGIN role and the empty schema, and lets the app's login take the role.
func (s *Schemas) ensure(ctx context.Context, node, schema, role string) error {
	if !identifier.MatchString(schema) || !identifier.MatchString(role) {
		return fmt.Errorf("db: %q is not a schema's name", schema)
	}
	pool := s.nodes[node]
	if pool == nil {
		return fmt.Errorf("db: node %s has no owner's address", node)
	}
	var there bool
	if err := pool.QueryRow(ctx, standing, schema, role, s.app).Scan(&there); err != nil {
		return fmt.Errorf("look for schema %s on %s: %w", schema, node, err)
	}
	if there {
		return nil
	}

	// DDL takes no parameters; the names were checked above. A unique violation is another maker of the same name.
	schema, role = pgx.Identifier{schema}.Sanitize(), pgx.Identifier{role}.Sanitize()
	for _, step := range []struct{ ddl, already string }{
		{"CREATE ROLE " + role + " NOLOGIN", duplicateObject},
		{"GRANT " + role + " TO " + pgx.Identifier{s.app}.Sanitize(), uniqueViolation},
		{"CREATE SCHEMA " + schema, duplicateSchema},
	} {
		_, err := pool.Exec(ctx, step.ddl)
		if err != nil && State(err) != step.already && State(err) != uniqueViolation {
			return fmt.Errorf("make schema %s on %s: %w", schema, node, err)
		}
	}
	return nil
}

// up runs goose in one schema.
func (s *Schemas) up(ctx context.Context, node, schema string, files fs.FS) (int64, error) {
	inside := sql.OpenDB(entering{stdlib.GetPoolConnector(s.nodes[node]), schema})
	defer inside.Close()
	inside.SetMaxOpenConns(1)

	provider, err := goose.NewProvider(goose.DialectPostgres, inside, files, goose.WithVerbose(false))
	if err != nil {
		return 0, fmt.Errorf("migrate %s: %w", schema, err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return 0, fmt.Errorf("migrate %s on %s: %w", schema, node, err)
	}
	return provider.GetDBVersion(ctx)
}

// entering lends goose a connection of the owner's, in one schema: to connect anew costs more than a small migration.
type entering struct {
	driver.Connector
	schema string
}

const enterSchema = `SELECT set_config('search_path', $1, false)`

// Connect implements driver.Connector. No connection comes without its path, so none works in the schema before.
func (e entering) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := e.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.(*stdlib.Conn).Conn().Exec(ctx, enterSchema, e.schema); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}
