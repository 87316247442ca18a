package dbtest

import (
	"context"
	"fmt"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

// used keeps the schemas of the main node whose tests are over. A schema of a hundred tables takes a second to make, and each open
// connection has to forget what it knew of all others meanwhile; to empty one takes a hundredth.
type used struct {
	mu      sync.Mutex
	free    []tenant
	pattern string // a schema as provisioning makes it, which no test has; "" before the first is used again
}

type tenant struct {
	org     uuid.UUID
	home    db.Placement
	version int64
}

func (u *used) put(one tenant) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.free = append(u.free, one)
}

// again returns an empty schema that an earlier test had; its organisation has none any longer. It returns false if there is none.
// A schema whose tables, columns, constraints, indexes or rights a test has changed is left alone, and one that was copied.
func (s *Server) again(ctx context.Context) (tenant, bool, error) {
	s.used.mu.Lock()
	defer s.used.mu.Unlock()
	if len(s.used.free) == 0 {
		return tenant{}, false, nil
	}
	conn, err := pgx.Connect(ctx, s.SuperURL)
	if err != nil {
		return tenant{}, false, fmt.Errorf("empty a schema: %w", err)
	}
	defer conn.Close(ctx)
	if s.used.pattern == "" {
		home := db.Placement{Schema: NewSchemaName(), Node: db.MainNode}
		if _, err := s.Schemas.ProvisionTenant(ctx, home); err != nil {
			return tenant{}, false, err
		}
		if _, err := conn.Exec(ctx, functions); err != nil {
			return tenant{}, false, fmt.Errorf("functions that empty a schema: %w", err)
		}
		s.used.pattern = home.Schema
	}
	for len(s.used.free) > 0 {
		last := len(s.used.free) - 1
		one := s.used.free[last]
		s.used.free = s.used.free[:last]
		var emptied bool
		if err := conn.QueryRow(ctx, `SELECT public.empty_schema($1, $2, $3)`, one.home.Schema, s.used.pattern, one.org).Scan(&emptied); err != nil {
			return tenant{}, false, fmt.Errorf("empty schema %s: %w", one.home.Schema, err)
		}
		if emptied {
			return one, true, nil
		}
	}
	return tenant{}, false, nil
}

// empty_schema deletes the rows, which no other connection has to know of, as it has of TRUNCATE. It leaves a schema alone in which they are many: the next test would
// read past them, and after VACUUM Postgres would plan as if there never were any.
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

CREATE FUNCTION public.empty_schema(wanted text, pattern text, org uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	one record;
BEGIN
	UPDATE platform.organisation SET schema_name = NULL, state = 'provisioning' WHERE id = org;
	IF public.shape_of(wanted) <> public.shape_of(pattern)
		OR EXISTS (SELECT FROM pg_namespace WHERE starts_with(nspname, wanted || '_')) -- a copy of test sales
		OR EXISTS (SELECT FROM pg_class WHERE relnamespace = wanted::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 200000) THEN
		RETURN false;
	END IF;
	SET LOCAL session_replication_role = replica; -- no table's rows wait for another's
	FOR one IN
		SELECT format('%I.%I', wanted, c.relname) AS here, format('%I.%I', pattern, c.relname) AS there,
			(SELECT string_agg(quote_ident(a.attname), ', ') FROM pg_attribute a
				WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
			pg_relation_size(c.oid) > 0 AS filled, pg_relation_size(p.oid) > 0 AS seeded
		FROM pg_class c JOIN pg_class p ON p.relname = c.relname AND p.relnamespace = pattern::regnamespace
		WHERE c.relnamespace = wanted::regnamespace AND c.relkind = 'r' AND c.relname <> 'goose_db_version'
	LOOP
		IF one.filled THEN
			EXECUTE 'DELETE FROM ' || one.here;
		END IF;
		IF one.seeded THEN
			EXECUTE format('INSERT INTO %s (%s) SELECT %s FROM %s', one.here, one.columns, one.columns, one.there);
		END IF;
	END LOOP;
	RETURN true;
END
$$`
