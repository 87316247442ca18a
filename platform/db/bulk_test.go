package db_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
)

// TestQueueRows: a single row goes by another statement than several, and is written, found and changed as each of them is.
func TestQueueRows(t *testing.T) {
	d, org := alone(t)

	type claim struct {
		Actor uuid.UUID
		Key   string
		Hash  []byte
	}
	type job struct {
		Actor   uuid.UUID
		Payload map[string]string
		Done    *time.Time
	}
	claims := db.Bulk(`INSERT INTO idempotency (actor, operation, key, request_hash, result_id, at)
		SELECT unnest($1::uuid[]), $2, unnest($3::text[]), unnest($4::bytea[]), $5, $6`)
	jobs := db.Bulk(`INSERT INTO outbox (id, kind, payload, due_at, done_at)
		SELECT unnest($1::uuid[]), $2, unnest($3::jsonb[]), $4, unnest($5::timestamptz[])`)
	take := db.Bulk(`UPDATE outbox SET done_at = $2 WHERE id = ANY ($1::uuid[]) AND kind = ANY ($3) AND done_at IS NULL`)
	const (
		claimed = `SELECT actor, key, request_hash FROM idempotency WHERE operation = $1 ORDER BY key`
		put     = `SELECT id, payload, done_at FROM outbox WHERE kind = $1 ORDER BY id`
	)

	for n := range 4 {
		t.Run(fmt.Sprintf("%d rows", n), func(t *testing.T) {
			name := fmt.Sprintf("of %d", n)
			done := time.Date(2026, 11, 22, 9, 30, 0, 0, time.UTC)
			wantClaims, wantJobs := []claim{}, []job{}
			for i := range n {
				id := db.NewID()
				wantClaims = append(wantClaims, claim{id, fmt.Sprintf("key %d ฿", i), []byte{0, byte(i), 255}})
				wantJobs = append(wantJobs, job{id, map[string]string{"n": "๑"}, []*time.Time{nil, &done}[i%2]})
			}
			var tags []string
			note := func(tag pgconn.CommandTag) error { tags = append(tags, tag.String()); return nil }
			require.NoError(t, d.InOrg(t.Context(), org, func(tx db.Tx) error {
				tx.QueueRows(claims,
					db.Column(wantClaims, func(c claim) uuid.UUID { return c.Actor }), name,
					db.Column(wantClaims, func(c claim) string { return c.Key }),
					db.Column(wantClaims, func(c claim) []byte { return c.Hash }), uuid.New(), tx.Now).Exec(note)
				tx.QueueRows(jobs,
					db.Column(wantJobs, func(j job) uuid.UUID { return j.Actor }), name,
					db.Column(wantJobs, func(j job) map[string]string { return j.Payload }), tx.Now,
					db.Column(wantJobs, func(j job) *time.Time { return j.Done })).Exec(note)
				return nil
			}))
			require.Equal(t, []string{fmt.Sprintf("INSERT 0 %d", n), fmt.Sprintf("INSERT 0 %d", n)}, tags)

			require.NoError(t, d.ReadInOrg(t.Context(), org, func(tx db.Tx) error {
				rows, err := tx.Query(t.Context(), claimed, name)
				require.NoError(t, err)
				gotClaims, err := pgx.CollectRows(rows, pgx.RowToStructByPos[claim])
				require.NoError(t, err)
				rows, err = tx.Query(t.Context(), put, name)
				require.NoError(t, err)
				gotJobs, err := pgx.CollectRows(rows, pgx.RowToStructByPos[job])
				require.NoError(t, err)
				for i := range gotJobs {
					if gotJobs[i].Done != nil {
						*gotJobs[i].Done = gotJobs[i].Done.UTC()
					}
				}
				require.Equal(t, wantClaims, gotClaims)
				require.Equal(t, wantJobs, gotJobs)
				return nil
			}))

			tags = nil
			require.NoError(t, d.InOrg(t.Context(), org, func(tx db.Tx) error {
				tx.QueueRows(take, db.Column(wantJobs, func(j job) uuid.UUID { return j.Actor }), tx.Now, []string{name, "another"}).Exec(note)
				return nil
			}))
			require.Equal(t, []string{fmt.Sprintf("UPDATE %d", (n+1)/2)}, tags, "each second was done")
		})
	}
}

func TestColumns(t *testing.T) {
	many, single, columns := db.Bulk(`INSERT INTO a (b, c, d, e) SELECT unnest($1::uuid[]), $2, unnest($12::text[]), unnest($12::text[])`).Forms()
	require.Equal(t, `INSERT INTO a (b, c, d, e) SELECT unnest($1::uuid[]), $2, unnest($12::text[]), unnest($12::text[])`, many)
	require.Equal(t, `INSERT INTO a (b, c, d, e) SELECT $1::uuid, $2, $12::text, $12::text`, single)
	require.Equal(t, []int{0, 11, 11}, columns)

	for _, sql := range []string{
		`SELECT 1`,
		`UPDATE a SET b = u.b FROM unnest($1::uuid[], $2::int[]) AS u (id, b) WHERE a.id = u.id`,
		`SELECT b FROM unnest($1::uuid[]) AS u (b)`,
		`SELECT unnest($1::uuid[]), unnest ($2::text[])`,
		`DELETE FROM a WHERE b = ANY ($1::uuid[]) AND c = ANY($2::uuid[])`,
		`SELECT b FROM a WHERE b = ANY ($1::uuid[]) AND b <> ALL ($1::uuid[])`,
	} {
		require.Panics(t, func() { db.Bulk(sql) }, sql)
	}

	d, org := alone(t)
	require.NoError(t, d.InOrg(t.Context(), org, func(tx db.Tx) error {
		of := db.Bulk(`SELECT unnest($1::int[]), $2, unnest($3::int[])`)
		args := []any{[]int{7}, "all", []int{8}}
		one := tx.QueueRows(of, args...)
		require.Equal(t, `SELECT $1::int, $2, $3::int`, one.SQL)
		require.Equal(t, []any{7, "all", 8}, one.Arguments)
		require.Equal(t, []any{[]int{7}, "all", []int{8}}, args)
		two := tx.QueueRows(of, []int{7, 9}, "all", []int{8, 0})
		require.Equal(t, `SELECT unnest($1::int[]), $2, unnest($3::int[])`, two.SQL)
		require.Panics(t, func() { tx.QueueRows(of, []int{7}, "all", []int{8, 0}) })
		require.Panics(t, func() { tx.QueueRows(of, []int{7, 9}, "all", []int{8}) })
		return nil
	}))
}

// TestBulkStatements: each that the program has is one for a single row as well, and takes that row's values as it takes the
// columns.
func TestBulkStatements(t *testing.T) {
	d, org := alone(t)
	statements := columnar(t, "platform", "tenants", "workers", "api")
	require.Greater(t, len(statements), 15, "the walk found them")
	for _, sql := range statements {
		many, single, columns := db.Bulk(sql).Forms()
		var of, each []string
		require.NoError(t, d.InOrg(t.Context(), org, func(tx db.Tx) (err error) {
			if of, err = parameters(t, tx, many); err == nil {
				each, err = parameters(t, tx, single)
			}
			return err
		}), sql)
		for _, n := range columns {
			of[n] = strings.TrimSuffix(of[n], "[]")
		}
		require.Equal(t, of, each, sql)
	}
}

// parameters are the types that Postgres has a statement's parameters for.
func parameters(t *testing.T, tx db.Tx, sql string) (types []string, err error) {
	t.Helper()
	if _, err := tx.Exec(t.Context(), "PREPARE looked_at AS "+sql); err != nil {
		return nil, err
	}
	if err := tx.QueryRow(t.Context(), `SELECT parameter_types::text[] FROM pg_prepared_statements WHERE name = 'looked_at'`).Scan(&types); err != nil {
		return nil, err
	}
	_, err = tx.Exec(t.Context(), "DEALLOCATE looked_at")
	return types, err
}

// columnar are the texts that source files of these folders give to db.Bulk.
func columnar(t *testing.T, folders ...string) (texts []string) {
	t.Helper()
	for _, folder := range folders {
		require.NoError(t, filepath.WalkDir(filepath.Join("..", "..", folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			require.NoError(t, err)
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) != 1 {
					return true
				}
				if of, ok := call.Fun.(*ast.SelectorExpr); !ok || of.Sel.Name != "Bulk" {
					return true
				}
				literal, ok := call.Args[0].(*ast.BasicLit)
				require.True(t, ok, "%s: the SQL stands where it is used", path)
				sql, err := strconv.Unquote(literal.Value)
				require.NoError(t, err)
				texts = append(texts, sql)
				return true
			})
			return nil
		}))
	}
	return texts
}

// alone is an organisation with a connection of its own.
func alone(t *testing.T) (*db.DB, uuid.UUID) {
	t.Helper()
	s := dbtest.Open(t)
	d, err := db.Open(t.Context(), map[string]string{db.MainNode: s.AppURL}, 1, s.Clock)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	return d, s.NewOrg(t)
}
