package isolation

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/tools/harness"
)

// digests are of the rows of each table of some organisations. A trigger on each table writes down that it was written to, in the
// writer's own transaction, so that only those few are read again: reading all of them takes a third of a second.
type digests struct {
	p      *harness.Platform
	owners *pgx.Conn
	names  map[string]string // a table with its schema -> with its organisation's word
	known  map[string]string // with its organisation's word -> digest
}

// unwatched are tables that jobs and the gateway change when they like (and so the columns above), roll-ups among them, whose facts
// are watched; and those by which refuseRights gives and takes rights.
var unwatched = []string{
	"goose_db_version", "outbox", "gateway_event", "permission", "audit_log",
	"rollup", "sales_by_day", "sales_by_hour", "uses_by_day", "uses_by_hour", "newcomers_by_hour", "money_in_by_hour", "discounts_by_day", "entries_by_day",
}

// watch begins to watch the tables of some organisations.
func watch(p *harness.Platform, shops ...*shop) *digests {
	p.T.Helper()
	d := &digests{p: p, names: map[string]string{}, known: map[string]string{}}
	var err error
	d.owners, err = pgx.Connect(p.T.Context(), p.OwnURL)
	require.NoError(p.T, err)
	p.T.Cleanup(func() { _ = d.owners.Close(context.WithoutCancel(p.T.Context())) })
	d.exec(`CREATE SCHEMA digest`)
	d.exec(`CREATE TABLE digest.written (name text NOT NULL)`)
	d.exec(`CREATE FUNCTION digest.write_down() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
		$$ BEGIN INSERT INTO digest.written VALUES (TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME); RETURN NULL; END $$`)
	for _, s := range shops {
		home, err := p.DB.Placement(p.T.Context(), s.ID)
		require.NoError(p.T, err)
		rows, err := d.owners.Query(p.T.Context(), `SELECT tablename FROM pg_tables WHERE schemaname = $1 AND tablename <> ALL ($2)`, home.Schema, unwatched)
		require.NoError(p.T, err)
		tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(p.T, err)
		require.Greater(p.T, len(tables), 100)
		for _, table := range tables {
			name := home.Schema + "." + table
			d.names[name] = s.Unique + "." + table
			d.exec(fmt.Sprintf(`CREATE TRIGGER digest AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION digest.write_down()`, name))
			d.exec(`INSERT INTO digest.written VALUES ($1)`, name)
		}
	}
	return d
}

func (d *digests) exec(sql string, args ...any) {
	d.p.T.Helper()
	_, err := d.owners.Exec(d.p.T.Context(), sql, args...)
	require.NoError(d.p.T, err, sql)
}

// now returns the digests by table, but for rows that were dropped: a job deletes them when it likes.
func (d *digests) now() map[string]string {
	d.p.T.Helper()
	rows, err := d.owners.Query(d.p.T.Context(), `DELETE FROM digest.written RETURNING name`)
	require.NoError(d.p.T, err)
	written, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(d.p.T, err)
	fresh := map[string]bool{}
	for _, name := range written {
		if fresh[name] {
			continue
		}
		fresh[name] = true
		skipped := "asks,leased_until"
		if strings.HasSuffix(name, ".commission") { // a job looks at it again when a call has said so
			skipped += ",matures_at,updated_at"
		}
		var digest string
		require.NoError(d.p.T, d.owners.QueryRow(d.p.T.Context(), fmt.Sprintf(`SELECT md5(coalesce(string_agg(row::text, '|' ORDER BY row::text), ''))
			FROM (SELECT to_jsonb(r) - '{%s}'::text[] AS row FROM %s r WHERE to_jsonb(r) ->> 'dropped_at' IS NULL) rows`, skipped, name)).Scan(&digest))
		d.known[d.names[name]] = digest
	}
	return maps.Clone(d.known)
}
