package dbtest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

// used keeps the schemas of the main node that no test has: those that the database began with, and those whose tests are over. A
// schema of a hundred tables takes a second to make, and each open connection has to forget what it knew of all others meanwhile; to
// empty one takes a hundredth.
type used struct {
	schemas *db.Schemas
	super   string

	mu   sync.Mutex
	free []tenant
	conn *pgx.Conn // as superuser; nil before the first schema is emptied
}

// tenant is a schema that is free. Its organisation is the zero UUID if it never had one.
type tenant struct {
	org     uuid.UUID
	home    db.Placement
	version int64
}

// openUsed returns what a database begins with: its schemas but the pattern.
func openUsed(ctx context.Context, schemas *db.Schemas, super string) (*used, error) {
	u := &used{schemas: schemas, super: super}
	version, err := schemas.TenantVersion()
	if err != nil {
		return nil, err
	}
	conn, err := pgx.Connect(ctx, super)
	if err != nil {
		return nil, fmt.Errorf("the test's Postgres does not answer: %w", err)
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, `SELECT nspname FROM pg_namespace WHERE nspname LIKE 't\_%' AND nspname <> $1`, pattern)
	if err != nil {
		return nil, err
	}
	var schema string
	_, err = pgx.ForEachRow(rows, []any{&schema}, func() error {
		u.free = append(u.free, tenant{home: db.Placement{Schema: schema, Node: db.MainNode}, version: version})
		return nil
	})
	return u, err
}

func (u *used) put(one tenant) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.free = append(u.free, one)
}

// again returns an empty schema; if an earlier test had it, its organisation has none any longer. It returns false if there is none.
// A schema whose tables, columns, constraints, indexes or rights a test has changed is left alone, and one that was copied.
func (u *used) again(ctx context.Context) (tenant, bool, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for len(u.free) > 0 {
		last := len(u.free) - 1
		one := u.free[last]
		u.free = u.free[:last]
		emptied := one.org == uuid.Nil
		if !emptied {
			if err := u.connect(ctx); err != nil {
				return tenant{}, false, fmt.Errorf("empty a schema: %w", err)
			}
			if err := u.conn.QueryRow(ctx, `SELECT public.empty_schema($1, $2)`, one.home.Schema, one.org).Scan(&emptied); err != nil {
				return tenant{}, false, fmt.Errorf("empty schema %s: %w", one.home.Schema, err)
			}
		}
		if emptied {
			return one, true, nil
		}
	}
	return tenant{}, false, nil
}

// connect opens the connection that empties schemas, if there is none, and makes the pattern in a database that is no copy.
func (u *used) connect(ctx context.Context) error {
	if u.conn != nil && u.conn.Ping(ctx) == nil {
		return nil
	}
	conn, err := pgx.Connect(ctx, u.super)
	if err != nil {
		return err
	}
	var there bool
	err = conn.QueryRow(ctx, `SELECT to_regproc('public.empty_schema') IS NOT NULL`).Scan(&there)
	if err == nil && !there {
		err = makePattern(ctx, u.schemas, u.super)
	}
	if err != nil {
		return errors.Join(err, conn.Close(ctx))
	}
	u.conn = conn
	return nil
}

// functions are what empties a schema, and what they know of the pattern, which its name stands for in them.
//
// empty_schema deletes the rows, which no other connection has to know of, as it has of TRUNCATE. It leaves a schema alone in which
// they are many: the next test would read past them, and after VACUUM Postgres would plan as if there never were any.
const functions = `
CREATE FUNCTION public.shape_of(wanted text) RETURNS text LANGUAGE sql AS $$
	SELECT md5(string_agg(line, E'\n' ORDER BY line COLLATE "C")) FROM (
		SELECT replace(n.nspacl::text, wanted, 'role') AS line FROM pg_namespace n WHERE n.nspname = wanted
		UNION ALL
		SELECT concat_ws(' ', c.relname, c.relkind, replace(c.relacl::text, wanted, 'role')) FROM pg_class c WHERE c.relnamespace = wanted::regnamespace
		UNION ALL
		SELECT concat_ws(' ', c.relname, a.attname, a.atttypid, a.attnotnull, a.atthasdef, replace(a.attacl::text, wanted, 'role'))
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relnamespace = wanted::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
		UNION ALL
		SELECT concat_ws(' ', r.relname, c.conname, c.convalidated) FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid WHERE c.connamespace = wanted::regnamespace
	) all_of_it
$$;

CREATE TABLE public.pattern_shape AS SELECT public.shape_of('` + pattern + `') AS shape;

CREATE TABLE public.pattern_rows AS SELECT c.relname, (SELECT string_agg(quote_ident(a.attname), ', ') FROM pg_attribute a
	WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
FROM pg_class c WHERE c.relnamespace = '` + pattern + `'::regnamespace AND c.relkind = 'r' AND c.relname <> 'goose_db_version' AND pg_relation_size(c.oid) > 0;

CREATE FUNCTION public.empty_schema(wanted text, org uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	one record;
BEGIN
	UPDATE platform.organisation SET schema_name = NULL, state = 'provisioning' WHERE id = org;
	IF public.shape_of(wanted) <> (SELECT shape FROM public.pattern_shape)
		OR EXISTS (SELECT FROM pg_namespace WHERE starts_with(nspname, wanted || '_')) -- a copy of test sales
		OR EXISTS (SELECT FROM pg_class WHERE relnamespace = wanted::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 200000) THEN
		RETURN false;
	END IF;
	SET LOCAL session_replication_role = replica; -- no table's rows wait for another's
	FOR one IN
		SELECT format('%I.%I', wanted, c.relname) AS here, format('%I.%I', '` + pattern + `', c.relname) AS there, p.columns
		FROM pg_class c LEFT JOIN public.pattern_rows p USING (relname)
		WHERE c.relnamespace = wanted::regnamespace AND c.relkind = 'r' AND c.relname <> 'goose_db_version'
			AND (p.columns <> '' OR pg_relation_size(c.oid) > 0)
	LOOP
		EXECUTE 'DELETE FROM ' || one.here;
		IF one.columns <> '' THEN
			EXECUTE format('INSERT INTO %s (%s) SELECT %s FROM %s', one.here, one.columns, one.columns, one.there);
		END IF;
	END LOOP;
	RETURN true;
END
$$`
