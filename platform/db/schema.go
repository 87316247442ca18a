package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"golang.org/x/sync/errgroup"
)

// Schemas creates and migrates schemas, as the role that owns them. Only provisioning and the command `migrate` have one.
type Schemas struct {
	nodes    map[string]*pgxpool.Pool
	app      string // the login role that enters the schemas
	platform fs.FS
	tenant   fs.FS
}

// SchemasAtOnce is how many schemas of a node are created or migrated at the same time.
const SchemasAtOnce = 4

// idle is how long a connection of the owner may be unused before it is pinged: a statement that creates a schema is not tried
// again. A shorter time would ping between the many short statements of a migration.
const idle = 100 * time.Millisecond

// OpenSchemas returns Schemas for the owner's addresses by node. It connects when there is work. files has the folders platform and
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
		cfg.ShouldPing = func(_ context.Context, of pgxpool.ShouldPingParams) bool { return of.IdleDuration > idle }
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
	there, err := s.existing(ctx, MainNode, []string{platformSchema}, []string{platformRole})
	if err == nil && len(there) == 0 {
		err = s.create(ctx, MainNode, platformSchema, platformRole)
	}
	if err == nil {
		_, err = s.up(ctx, MainNode, platformSchema, s.platform)
	}
	return err
}

// ProvisionTenant is MakeTenants for one. It returns the version reached.
func (s *Schemas) ProvisionTenant(ctx context.Context, home Placement) (int64, error) {
	reached, err := s.MakeTenants(ctx, home)
	return reached[home], err
}

// MakeTenants creates roles and schemas of tenants and migrates them, SchemasAtOnce at a time. It is idempotent. It goes on after
// one that fails, and returns the versions of the others beside the error.
func (s *Schemas) MakeTenants(ctx context.Context, placements ...Placement) (map[Placement]int64, error) {
	names := map[string][]string{} // by node
	for _, home := range placements {
		names[home.Node] = append(names[home.Node], home.Schema)
	}
	there, unknown := map[Placement]bool{}, map[string]error{}
	for node, schemas := range names {
		existing, err := s.existing(ctx, node, schemas, schemas)
		if err != nil {
			unknown[node] = err
		}
		for _, schema := range existing {
			there[Placement{Schema: schema, Node: node}] = true
		}
	}

	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(SchemasAtOnce)
	reached := make(map[Placement]int64, len(placements))
	for _, home := range placements {
		group.Go(func() error {
			if err := unknown[home.Node]; err != nil {
				return err
			}
			if !there[home] {
				if err := s.create(ctx, home.Node, home.Schema, home.Schema); err != nil {
					return err
				}
			}
			files := s.tenant
			if !there[home] {
				files = unshared{s.tenant}
			}
			version, err := s.up(ctx, home.Node, home.Schema, files)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			reached[home] = version
			return nil
		})
	}
	err := group.Wait()
	return reached, err
}

// TenantVersion returns the newest version of a tenant's schema that this program has.
func (s *Schemas) TenantVersion() (int64, error) {
	files, err := fs.Glob(s.tenant, "*.sql")
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("db: no migrations: %w", err)
	}
	return goose.NumericComponent(files[len(files)-1])
}

const selectExisting = `SELECT schema FROM unnest($1::text[], $2::text[]) AS asked (schema, role)
	WHERE EXISTS (SELECT FROM pg_namespace WHERE nspname = schema) AND EXISTS (SELECT FROM pg_auth_members m
		JOIN pg_roles taken ON taken.oid = m.roleid JOIN pg_roles app ON app.oid = m.member WHERE taken.rolname = role AND app.rolname = $3)`

// existing returns which of a node's schemas exist, with a role that the app may take.
func (s *Schemas) existing(ctx context.Context, node string, schemas, roles []string) ([]string, error) {
	pool := s.nodes[node]
	if pool == nil {
		return nil, fmt.Errorf("db: node %s has no owner's address", node)
	}
	rows, err := pool.Query(ctx, selectExisting, schemas, roles, s.app)
	if err != nil {
		return nil, fmt.Errorf("look for schemas on %s: %w", node, err)
	}
	there, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("look for schemas on %s: %w", node, err)
	}
	return there, nil
}

// create creates the NOLOGIN role and the empty schema, and grants the role to the app's login.
func (s *Schemas) create(ctx context.Context, node, schema, role string) error {
	if !identifier.MatchString(schema) || !identifier.MatchString(role) {
		return fmt.Errorf("db: %q is not a schema's name", schema)
	}

	// DDL takes no parameters; the names were checked above. A unique violation means that another process created the same name.
	schema, role = pgx.Identifier{schema}.Sanitize(), pgx.Identifier{role}.Sanitize()
	for _, step := range []struct{ ddl, already string }{
		{"CREATE ROLE " + role + " NOLOGIN", duplicateObject},
		{"GRANT " + role + " TO " + pgx.Identifier{s.app}.Sanitize(), uniqueViolation},
		{"CREATE SCHEMA " + schema, duplicateSchema},
	} {
		_, err := s.nodes[node].Exec(ctx, step.ddl)
		if err != nil && SQLState(err) != step.already && SQLState(err) != uniqueViolation {
			return fmt.Errorf("make schema %s on %s: %w", schema, node, err)
		}
	}
	return nil
}

// unshared has the migrations for a schema that nobody uses yet. An index of an empty table is made at once there; CONCURRENTLY would
// wait for every transaction of the database, a backup's too.
type unshared struct{ fs.FS }

// Open implements fs.FS.
func (u unshared) Open(name string) (fs.File, error) {
	if !strings.HasSuffix(name, ".sql") {
		return u.FS.Open(name)
	}
	text, err := fs.ReadFile(u.FS, name)
	if err != nil {
		return nil, err
	}
	file, err := u.FS.Open(name)
	return edited{file, strings.NewReader(withoutConcurrently.Replace(string(text)))}, err
}

var withoutConcurrently = strings.NewReplacer("-- +goose NO TRANSACTION\n", "", "INDEX CONCURRENTLY", "INDEX")

// edited is a file with another text.
type edited struct {
	fs.File
	text *strings.Reader
}

// Read implements fs.File.
func (e edited) Read(into []byte) (int, error) { return e.text.Read(into) }

// up runs goose in one schema.
func (s *Schemas) up(ctx context.Context, node, schema string, files fs.FS) (int64, error) {
	if !identifier.MatchString(schema) { // anything else might be two schemas of the path
		return 0, fmt.Errorf("db: %q is not a schema's name", schema)
	}
	inside := sql.OpenDB(entering{stdlib.GetPoolConnector(s.nodes[node]), schema})
	defer inside.Close()
	inside.SetMaxOpenConns(1)

	store, err := database.NewStore(goose.DialectPostgres, goose.DefaultTablename)
	if err != nil {
		return 0, fmt.Errorf("migrate %s: %w", schema, err)
	}
	provider, err := goose.NewProvider(goose.DialectCustom, inside, files, goose.WithStore(versions{store}), goose.WithVerbose(false))
	if err != nil {
		return 0, fmt.Errorf("migrate %s: %w", schema, err)
	}
	done, err := provider.Up(ctx)
	if err != nil {
		return 0, fmt.Errorf("migrate %s on %s: %w", schema, node, err)
	}
	if len(done) > 0 {
		return done[len(done)-1].Source.Version, nil
	}
	return provider.GetDBVersion(ctx)
}

// versions is goose's store of versions. goose itself would search for its table among those of all schemas.
type versions struct{ database.Store }

const selectTable = `SELECT to_regclass($1) IS NOT NULL`

// TableExists implements database.StoreExtender.
func (v versions) TableExists(ctx context.Context, conn database.DBTxConn) (there bool, err error) {
	err = conn.QueryRowContext(ctx, selectTable, v.Tablename()).Scan(&there)
	return there, err
}

// entering gives goose a connection of the owner's pool, in one schema: a new connection costs more than a small migration.
type entering struct {
	driver.Connector
	schema string
}

const enterSchema = `SELECT set_config('search_path', $1, false)`

// Connect implements driver.Connector. It sets the search path first, so no connection works in another schema.
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
