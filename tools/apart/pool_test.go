package apart

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
	"welovevoucher/tools/stage"
)

// inOrg runs fn in a transaction of an organisation, as db.DB does; the proof below does it wrongly.
type inOrg func(ctx context.Context, org uuid.UUID, fn func(tx statements) error) error

// detector looks, in every answer and every transaction, for what is of the other organisation.
type detector struct {
	*testing.T
	shops   [2]*shop
	schemas [2]string

	mu        sync.Mutex
	counts    map[string]int
	crossings []string
}

func (d *detector) count(what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.counts[what]++
}

func (d *detector) crossedf(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.crossings = append(d.crossings, fmt.Sprintf(format, args...))
}

const (
	// broken is what a transaction writes that will not be committed.
	broken    = "must not stay"
	whoAmI    = `SELECT current_user, session_user <> current_user, current_setting('search_path')`
	names     = `SELECT name_th FROM tag`
	writeName = `INSERT INTO tag (id, name_th, name_en, status, created_at, updated_at) VALUES ($1, $2, '', 5, $3, $3)`
)

var errBroken = errors.New("broken on purpose")

// statements is what a transaction of ours and one of pgx's can both do.
type statements interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// breaks are ways in which a transaction ends in the middle.
var breaks = map[string]func(ctx context.Context, cancel func(), tx statements) error{
	"error": func(context.Context, func(), statements) error { return errBroken },
	"panic": func(context.Context, func(), statements) error { panic(errBroken) },
	"goroutine's end": func(context.Context, func(), statements) error {
		runtime.Goexit()
		return nil
	},
	"cancelled": func(ctx context.Context, cancel func(), tx statements) error {
		time.AfterFunc(2*time.Millisecond, cancel)
		_, err := tx.Exec(ctx, `SELECT pg_sleep(1)`)
		return err
	},
	"cancelled before": func(ctx context.Context, cancel func(), tx statements) error {
		cancel()
		_, err := tx.Exec(ctx, names)
		return err
	},
	"timed out": func(ctx context.Context, _ func(), tx statements) error {
		_, set := tx.Exec(ctx, `SET LOCAL statement_timeout = '2ms'`)
		_, err := tx.Exec(ctx, `SELECT pg_sleep(1)`)
		return errors.Join(set, err)
	},
	"refused statement": func(ctx context.Context, _ func(), tx statements) error {
		_, err := tx.Exec(ctx, `SELECT * FROM platform.organisation`)
		return err
	},
	"failed, then committed all the same": func(ctx context.Context, _ func(), tx statements) error {
		_, _ = tx.Exec(ctx, `SELECT 1/0`) // whoever forgets to look at an error
		return nil
	},
	"rows left unread": func(ctx context.Context, _ func(), tx statements) error {
		_, _ = tx.Query(ctx, `SELECT generate_series(1, 10000)`)
		return errBroken
	},
}

var waysToBreak = []string{
	"error", "panic", "goroutine's end", "cancelled", "cancelled before", "timed out", "refused statement", "failed, then committed all the same", "rows left unread",
}

// transaction is one of organisation i: whole, broken, or one that looks at what the pool's connection is without it.
func (d *detector) transaction(in inOrg, i, chance int) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(d.Context()))
	defer cancel()
	switch {
	case chance < 40:
		d.count("whole")
		if err := in(ctx, d.shops[i].ID, func(tx statements) error { return d.look(ctx, tx, i) }); err != nil {
			d.Error(err)
		}
	case chance < 80:
		way := waysToBreak[chance%len(waysToBreak)]
		d.count(way)
		d.breakOff(ctx, cancel, in, i, way)
	default:
		d.count("bare connection")
		err := in(ctx, d.shops[i].ID, func(tx statements) error { return d.bare(ctx, tx) })
		if !errors.Is(err, errBroken) {
			d.Error(err)
		}
	}
}

// look sees that the transaction is the organisation's.
func (d *detector) look(ctx context.Context, tx statements, i int) error {
	var other bool
	var role, path string
	if err := tx.QueryRow(ctx, whoAmI).Scan(&role, &other, &path); err != nil {
		return err
	}
	if role != d.schemas[i] || path != d.schemas[i]+", pg_temp" {
		d.crossedf("a transaction of %s is %s in %s", d.schemas[i], role, path)
	}
	found, err := collect(ctx, tx)
	if err != nil {
		return err
	}
	if strings.Contains(found, d.shops[1-i].canary) || !strings.Contains(found, d.shops[i].canary) {
		d.crossedf("a transaction of %s reads %.100s", d.schemas[i], found)
	}
	return nil
}

func collect(ctx context.Context, tx statements) (string, error) {
	rows, err := tx.Query(ctx, names)
	if err != nil {
		return "", err
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return strings.Join(found, ","), err
}

func (d *detector) breakOff(ctx context.Context, cancel func(), in inOrg, i int, way string) {
	var done sync.WaitGroup
	done.Go(func() { // some ways end the goroutine
		defer func() { _ = recover() }()
		err := in(ctx, d.shops[i].ID, func(tx statements) error {
			if err := d.look(ctx, tx, i); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, writeName, db.NewID(), broken, time.Now()); err != nil {
				return err
			}
			return breaks[way](ctx, cancel, tx)
		})
		if err == nil {
			d.crossedf("%s: the transaction is said to be whole", way)
		}
	})
	done.Wait()
}

// bare ends the transaction by hand and looks at what is left of the connection: it must be nobody's.
func (d *detector) bare(ctx context.Context, tx statements) error {
	if _, err := tx.Exec(ctx, `ROLLBACK`); err != nil {
		return err
	}
	var other bool
	var role, path string
	if err := tx.QueryRow(ctx, whoAmI).Scan(&role, &other, &path); err != nil {
		return err
	}
	if other || strings.Contains(path, "t_") {
		d.crossedf("a connection stays %s in %s", role, path)
	}
	if found, err := collect(ctx, tx); err == nil {
		d.crossedf("a connection that is nobody's reads %.100s", found)
	}
	return errBroken
}

// call is one over HTTP, by the organisation's owner.
func (d *detector) call(i int, write bool) {
	s, o, body := d.shops[i], operation{Method: http.MethodPost, Path: "/api/owner/get/tags"}, map[string]any{}
	if write {
		o.Path, body = "/api/owner/save/tags", map[string]any{"name_th": s.named("ใหม่"), "name_en": "", "position": 1}
	}
	got := ask(s.Platform, o, s.Host, "x", s.owner.Token, request{path: o.Path, body: body})
	d.count(o.Path)
	if got.status != http.StatusOK {
		d.Errorf("%s: %d %s", o.Path, got.status, got.fault)
	}
	if strings.Contains(got.text, d.shops[1-i].canary) || !strings.Contains(got.text, s.canary) {
		d.crossedf("%s answers %s with %.100s", o.Path, s.Unique, got.text)
	}
}

// TestPool: two organisations over a pool of two connections, under transactions that end in the middle.
func TestPool(t *testing.T) {
	p := stage.StartWith(t, stage.Options{Pool: 2})
	heard := listen(p)
	admin := &person{Browser: p.Browser("localhost"), kind: token.Admin}
	d := &detector{T: t, counts: map[string]int{}, shops: [2]*shop{open(p, "pool-ours", "1650000071", admin), open(p, "pool-theirs", "1650000072", admin)}}
	for i, s := range d.shops {
		home, err := p.DB.Home(t.Context(), s.ID)
		require.NoError(t, err)
		d.schemas[i] = home.Schema
	}
	n := 100 * size(t, 30)
	right := func(ctx context.Context, org uuid.UUID, fn func(statements) error) error {
		return p.DB.InOrg(ctx, org, func(tx db.Tx) error { return fn(tx) })
	}

	var workers sync.WaitGroup
	for worker := range 8 {
		chance := rand.New(rand.NewPCG(uint64(worker), 0))
		workers.Go(func() {
			for range n / 8 {
				switch i, dice := chance.IntN(2), chance.IntN(100); {
				case dice < 50:
					d.transaction(right, i, chance.IntN(100))
				default:
					d.call(i, dice < 55)
				}
			}
		})
	}
	workers.Wait()

	stayed := 0
	for _, s := range d.shops {
		s.in(func(ctx context.Context, tx db.Tx) error {
			var here int
			err := tx.QueryRow(ctx, `SELECT count(*) FROM tag WHERE name_th = $1`, broken).Scan(&here)
			stayed += here
			return err
		})
	}
	wrong := d.proof()
	rows := [][]any{{"requests", "crossings", "rows that stayed", "crossings of a session-wide prologue"}, {n, len(d.crossings), stayed, len(wrong)}, {}, {"kind", "times"}}
	for _, kind := range slices.Sorted(maps.Keys(d.counts)) {
		rows = append(rows, []any{kind, d.counts[kind]})
	}
	report(t, rows)
	require.Empty(t, d.crossings)
	require.Zero(t, stayed)
	heard.mustKeepApart(t, d.shops[0], d.shops[1])
}

// proof runs the same transactions on a pool whose prologue sets role and path for the session. The detector must see it.
func (d *detector) proof() []string {
	d.Helper()
	cfg, err := pgxpool.ParseConfig(d.shops[0].AppURL)
	require.NoError(d, err)
	cfg.MaxConns = 2
	pool, err := pgxpool.NewWithConfig(d.Context(), cfg)
	require.NoError(d, err)
	defer pool.Close()
	wrong := func(ctx context.Context, org uuid.UUID, fn func(statements) error) error {
		schema := d.schemas[slices.IndexFunc(d.shops[:], func(s *shop) bool { return s.ID == org })]
		tx, err := pool.BeginTx(ctx, pgx.TxOptions{BeginQuery: "BEGIN; SET ROLE " + schema + "; SET search_path = " + schema + ", pg_temp; SET statement_timeout = '5s'"})
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
		if err := fn(tx); err != nil {
			return err
		}
		return tx.Commit(ctx)
	}
	seen := &detector{T: d.T, counts: map[string]int{}, shops: d.shops, schemas: d.schemas}
	chance := rand.New(rand.NewPCG(0, 0))
	for range 200 {
		seen.transaction(wrong, chance.IntN(2), chance.IntN(100))
	}
	foreign := slices.ContainsFunc(seen.crossings, func(c string) bool { return strings.Contains(c, "nobody's reads") })
	require.True(d, foreign, "the detector sees rows read through what a session was left with: %v", seen.crossings)
	return seen.crossings
}
