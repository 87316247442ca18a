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

// TestBulk: none, one and several rows are written, found and changed by the same statement.
func TestBulk(t *testing.T) {
	d, org := alone(t)

	type record struct {
		Actor     uuid.UUID `db:"actor"`
		Operation string    `db:"operation"`
		Key       string    `db:"key"`
		Hash      []byte    `db:"request_hash"`
		At        time.Time `db:"at"`
	}
	type job struct {
		ID      uuid.UUID         `db:"id"`
		Kind    string            `db:"kind"`
		Payload map[string]string `db:"payload"`
		Due     time.Time         `db:"due_at"`
		Done    *time.Time        `db:"done_at"`
	}
	type taken struct {
		ID   uuid.UUID `db:"id"`
		Done time.Time `db:"done"`
	}
	insertRecords := db.NewBulk[record](`INSERT INTO idempotency (actor, operation, key, request_hash, result_id, at)
		SELECT unnest(@actor::uuid[]), unnest(@operation::text[]), unnest(@key::text[]), unnest(@request_hash::bytea[]), unnest(@actor::uuid[]), unnest(@at::timestamptz[])`)
	insertJobs := db.NewBulk[job](`INSERT INTO outbox (id, kind, payload, due_at, done_at)
		SELECT unnest(@id::uuid[]), unnest(@kind::text[]), unnest(@payload::jsonb[]), unnest(@due_at::timestamptz[]), unnest(@done_at::timestamptz[])`)
	take := db.NewBulk[taken](`UPDATE outbox SET done_at = t.done FROM (SELECT unnest(@id::uuid[]) AS id, unnest(@done::timestamptz[]) AS done) AS t
		WHERE outbox.id = t.id AND done_at IS NULL`)
	const (
		recorded = `SELECT actor, operation, key, request_hash, at FROM idempotency WHERE operation = $1 ORDER BY key`
		put      = `SELECT id, kind, payload, due_at, done_at FROM outbox WHERE kind = $1 ORDER BY id`
	)

	for n := range 4 {
		t.Run(fmt.Sprintf("%d rows", n), func(t *testing.T) {
			name := fmt.Sprintf("of %d", n)
			done := time.Date(2026, 11, 22, 9, 30, 0, 0, time.UTC)
			wantRecords, wantJobs, takes := []record{}, []job{}, []taken{}
			for i := range n {
				id := db.NewID()
				wantRecords = append(wantRecords, record{id, name, fmt.Sprintf("key %d ฿", i), []byte{0, byte(i), 255}, done})
				wantJobs = append(wantJobs, job{id, name, map[string]string{"n": "๑"}, done, []*time.Time{nil, &done}[i%2]})
				takes = append(takes, taken{id, done})
			}
			var tags []string
			note := func(tag pgconn.CommandTag) error { tags = append(tags, tag.String()); return nil }
			require.NoError(t, d.InOrg(t.Context(), org, func(tx db.Tx) error {
				insertRecords.Queue(tx, wantRecords).Exec(note)
				insertJobs.Queue(tx, wantJobs).Exec(note)
				return nil
			}))
			require.Equal(t, []string{fmt.Sprintf("INSERT 0 %d", n), fmt.Sprintf("INSERT 0 %d", n)}, tags)

			require.NoError(t, d.ReadInOrg(t.Context(), org, func(tx db.Tx) error {
				rows, err := tx.Query(t.Context(), recorded, name)
				require.NoError(t, err)
				gotRecords, err := pgx.CollectRows(rows, pgx.RowToStructByName[record])
				require.NoError(t, err)
				rows, err = tx.Query(t.Context(), put, name)
				require.NoError(t, err)
				gotJobs, err := pgx.CollectRows(rows, pgx.RowToStructByName[job])
				require.NoError(t, err)
				for i := range gotRecords {
					gotRecords[i].At, gotJobs[i].Due = gotRecords[i].At.UTC(), gotJobs[i].Due.UTC()
					if gotJobs[i].Done != nil {
						*gotJobs[i].Done = gotJobs[i].Done.UTC()
					}
				}
				require.Equal(t, wantRecords, gotRecords)
				require.Equal(t, wantJobs, gotJobs)
				return nil
			}))

			tags = nil
			require.NoError(t, d.InOrg(t.Context(), org, func(tx db.Tx) error {
				take.Queue(tx, takes).Exec(note)
				return nil
			}))
			require.Equal(t, []string{fmt.Sprintf("UPDATE %d", (n+1)/2)}, tags, "each second was done")
		})
	}
}

func TestNumberParameters(t *testing.T) {
	numbered, names := db.NumberParameters(`INSERT INTO a (b, c, d) SELECT unnest(@b::uuid[]), unnest(@other::text[]), unnest(@b::uuid[])`)
	require.Equal(t, `INSERT INTO a (b, c, d) SELECT unnest($1::uuid[]), unnest($2::text[]), unnest($1::uuid[])`, numbered)
	require.Equal(t, []string{"b", "other"}, names)

	for _, sql := range []string{
		`SELECT 1`,
		`INSERT INTO a (b, c) SELECT unnest(@b::uuid[]), @c`,
		`INSERT INTO a (b, c) SELECT unnest(@b::uuid[]), $1`,
		`SELECT unnest(@b::uuid[]), unnest (@c::text[])`,
		`SELECT b FROM a WHERE c = ANY (@c::uuid[]) AND b = (SELECT unnest(@b::uuid[]))`,
	} {
		require.Panics(t, func() { db.NumberParameters(sql) }, sql)
	}

	type row struct {
		B int `db:"b"`
		C int `db:"c"`
	}
	db.NewBulk[row](`SELECT unnest(@c::int[]), unnest(@b::int[])`)
	require.Panics(t, func() { db.NewBulk[row](`SELECT unnest(@b::int[])`) }, "a field that no parameter names")
	require.Panics(t, func() { db.NewBulk[row](`SELECT unnest(@b::int[]), unnest(@c::int[]), unnest(@d::int[])`) }, "a parameter without a field")

	type list struct {
		B []string `db:"b"`
	}
	require.Panics(t, func() { db.NewBulk[list](`SELECT unnest(@b::text[])`) }, "a list, whose elements unnest would make rows of")
	type bytes struct {
		B []byte `db:"b"`
	}
	db.NewBulk[bytes](`SELECT unnest(@b::bytea[])`)
}

// TestPending: a result is there once the transaction was flushed, and not before.
func TestPending(t *testing.T) {
	d, org := alone(t)
	one := func(rows pgx.Rows) (int, error) { return pgx.CollectExactlyOneRow(rows, pgx.RowTo[int]) }
	require.NoError(t, d.InOrg(t.Context(), org, func(tx db.Tx) error {
		seven := db.Await(tx.Queue(`SELECT 7`), one)
		require.Panics(t, func() { seven.Get() })
		require.NoError(t, tx.Flush(t.Context()))
		require.Equal(t, 7, seven.Get())
		return nil
	}))
	var none *db.Pending[int]
	err := d.InOrg(t.Context(), org, func(tx db.Tx) error {
		none = db.Await(tx.Queue(`SELECT 1 WHERE false`), one)
		return tx.Flush(t.Context())
	})
	require.ErrorIs(t, err, pgx.ErrNoRows)
	require.Panics(t, func() { none.Get() }, "the statement has failed")
}

// TestBulkStatements: Postgres prepares each that the program has, in an organisation's schema or in the platform's.
func TestBulkStatements(t *testing.T) {
	d, org := alone(t)
	statements := bulkStatements(t, "platform", "tenants", "workers", "api")
	require.Greater(t, len(statements), 15, "the walk found them")
	for _, sql := range statements {
		numbered, _ := db.NumberParameters(sql)
		prepare := func(tx db.Tx) error {
			tx.Queue("PREPARE looked_at AS " + numbered)
			tx.Queue("DEALLOCATE looked_at")
			return tx.Flush(t.Context())
		}
		err := d.InOrg(t.Context(), org, prepare)
		if err != nil && d.InPlatform(t.Context(), prepare) == nil {
			continue
		}
		require.NoError(t, err, sql)
	}
}

// bulkStatements are the texts that source files of these folders give to db.NewBulk.
func bulkStatements(t *testing.T, folders ...string) (texts []string) {
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
				generic, ok := call.Fun.(*ast.IndexExpr)
				if !ok {
					return true
				}
				if of, ok := generic.X.(*ast.SelectorExpr); !ok || of.Sel.Name != "NewBulk" {
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
