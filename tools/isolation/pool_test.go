package isolation

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/token"
	"welovevoucher/tools/harness"
)

// detector looks, in every answer and every transaction, for what is of the other organisation.
type detector struct {
	*testing.T
	shops    [2]*shop
	schemas  [2]string
	requests atomic.Int64 // over HTTP
	direct   atomic.Int64 // transactions beside them

	mu        sync.Mutex
	counts    map[event]int
	crossings []string
	unknown   []uuid.UUID // rows of transactions that were cancelled while their commit was under way
}

// event is what happened, and how the organisation was entered.
type event struct{ what, how string }

func (d *detector) count(what, how string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.counts[event{what, how}]++
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
	sleep     = `SELECT pg_sleep(1)`
	hurry     = `SELECT set_config('statement_timeout', '2ms', true)`
)

var errBroken = errors.New("broken on purpose")

// entry is a way into an organisation.
type entry struct {
	name   string
	in     func(d *db.DB, ctx context.Context, org uuid.UUID, fn func(tx db.Tx) error) error
	writes bool
}

var (
	working = entry{"InOrg", (*db.DB).InOrg, true}
	looking = entry{"ReadInOrg", (*db.DB).ReadInOrg, false}
)

// say is a way of statements to Postgres.
type say func(ctx context.Context, tx db.Tx, statements ...string) error

var says = map[string]say{
	"by Exec": func(ctx context.Context, tx db.Tx, statements ...string) error {
		_, err := tx.Exec(ctx, queue(tx, statements))
		return err
	},
	"by Query": func(ctx context.Context, tx db.Tx, statements ...string) error {
		rows, err := tx.Query(ctx, queue(tx, statements))
		if err != nil {
			return err
		}
		rows.Close()
		return rows.Err()
	},
	"by Flush": func(ctx context.Context, tx db.Tx, statements ...string) error {
		tx.Queue(queue(tx, statements))
		return tx.Flush(ctx)
	},
	"by SendBatch": func(ctx context.Context, tx db.Tx, statements ...string) error {
		return tx.SendBatch(ctx, batch(statements...)).Close()
	},
	"with the commit": func(_ context.Context, tx db.Tx, statements ...string) error {
		tx.Queue(queue(tx, statements))
		return nil
	},
}

// queue queues all but the last statement, and returns that.
func queue(tx db.Tx, statements []string) string {
	last := len(statements) - 1
	for _, sql := range statements[:last] {
		tx.Queue(sql)
	}
	return statements[last]
}

func batch(statements ...string) *pgx.Batch {
	b := &pgx.Batch{}
	for _, sql := range statements {
		b.Queue(sql)
	}
	return b
}

// breaks are ways in which a transaction ends in the middle.
var breaks = map[string]func(ctx context.Context, cancel func(), tx db.Tx, say say) error{
	"error": func(ctx context.Context, _ func(), tx db.Tx, say say) error {
		return errors.Join(errBroken, say(ctx, tx, names))
	},
	"panic": func(ctx context.Context, _ func(), tx db.Tx, say say) error { panic(say(ctx, tx, names)) },
	"goroutine's end": func(ctx context.Context, _ func(), tx db.Tx, say say) error {
		defer runtime.Goexit()
		return say(ctx, tx, names)
	},
	"cancelled": func(ctx context.Context, cancel func(), tx db.Tx, say say) error {
		time.AfterFunc(2*time.Millisecond, cancel)
		return say(ctx, tx, names, sleep)
	},
	"cancelled before": func(ctx context.Context, cancel func(), tx db.Tx, say say) error {
		cancel()
		return say(ctx, tx, names)
	},
	"timed out": func(ctx context.Context, _ func(), tx db.Tx, say say) error { return say(ctx, tx, hurry, sleep) },
	"refused statement": func(ctx context.Context, _ func(), tx db.Tx, say say) error {
		return say(ctx, tx, names, `SELECT * FROM platform.organisation`)
	},
	forgotten: func(ctx context.Context, _ func(), tx db.Tx, say say) error {
		_ = say(ctx, tx, `SELECT 1/0`)
		return nil
	},
	"refused answer": func(ctx context.Context, _ func(), tx db.Tx, say say) error {
		tx.Queue(names).Query(func(pgx.Rows) error { return errBroken })
		return say(ctx, tx, names)
	},
	"panic at an answer": func(ctx context.Context, _ func(), tx db.Tx, say say) error {
		tx.Queue(names).Query(func(pgx.Rows) error { panic(errBroken) })
		return say(ctx, tx, names)
	},
	"rows left unread": func(ctx context.Context, _ func(), tx db.Tx, say say) error {
		err := say(ctx, tx, names)
		_, _ = tx.Query(ctx, `SELECT generate_series(1, 10000)`)
		return errors.Join(errBroken, err)
	},
	"batch left unread": func(ctx context.Context, _ func(), tx db.Tx, say say) error {
		err := say(ctx, tx, names)
		_ = tx.SendBatch(ctx, batch(names, `SELECT generate_series(1, 10000)`, names))
		return errors.Join(errBroken, err)
	},
}

// forgotten is the way of whoever does not look at an error. Nothing is committed; only looking has nothing to commit.
const forgotten = "failed, then committed all the same"

var (
	waysToBreak = slices.Sorted(maps.Keys(breaks))
	waysToSay   = slices.Sorted(maps.Keys(says))
)

// transaction is one of organisation i: whole, broken, or one that looks at what the pool's connection is without it.
func (d *detector) transaction(on *db.DB, i int, chance *rand.Rand) {
	d.direct.Add(1)
	ctx, cancel := context.WithCancel(context.WithoutCancel(d.Context()))
	defer cancel()
	through := []entry{working, looking}[chance.IntN(2)]
	switch dice := chance.IntN(100); {
	case dice < 40:
		look := []func(context.Context, db.Tx, int) error{d.look, d.lookTogether}[chance.IntN(2)]
		d.count("whole", through.name)
		if err := through.in(on, ctx, d.shops[i].ID, func(tx db.Tx) error { return look(ctx, tx, i) }); err != nil {
			d.Error(err)
		}
	case dice < 80:
		way, said := waysToBreak[chance.IntN(len(waysToBreak))], waysToSay[chance.IntN(len(waysToSay))]
		d.count(way, through.name)
		d.count(said, through.name)
		d.breakOff(ctx, cancel, on, through, i, way, says[said])
	default:
		d.count("bare connection", working.name)
		err := on.InOrg(ctx, d.shops[i].ID, func(tx db.Tx) error { return d.bare(ctx, tx) })
		if !errors.Is(err, errBroken) {
			d.Error(err)
		}
	}
}

// look sees that the transaction is the organisation's.
func (d *detector) look(ctx context.Context, tx db.Tx, i int) error {
	var other bool
	var role, path string
	if err := tx.QueryRow(ctx, whoAmI).Scan(&role, &other, &path); err != nil {
		return err
	}
	found, err := collect(ctx, tx)
	if err != nil {
		return err
	}
	d.mustBe(i, role, path, found)
	return nil
}

// lookTogether is look in one round trip.
func (d *detector) lookTogether(ctx context.Context, tx db.Tx, i int) error {
	var other bool
	var role, path string
	var found []string
	tx.Queue(whoAmI).QueryRow(func(row pgx.Row) error { return row.Scan(&role, &other, &path) })
	tx.Queue(names).Query(func(rows pgx.Rows) (err error) {
		found, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	if err := tx.Flush(ctx); err != nil {
		return err
	}
	d.mustBe(i, role, path, strings.Join(found, ","))
	return nil
}

func (d *detector) mustBe(i int, role, path, found string) {
	if role != d.schemas[i] || path != d.schemas[i]+", pg_temp" {
		d.crossedf("a transaction of %s is %s in %s", d.schemas[i], role, path)
	}
	if strings.Contains(found, d.shops[1-i].canary) || !strings.Contains(found, d.shops[i].canary) {
		d.crossedf("a transaction of %s reads %.100s", d.schemas[i], found)
	}
}

func collect(ctx context.Context, tx db.Tx) (string, error) {
	rows, err := tx.Query(ctx, names)
	if err != nil {
		return "", err
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return strings.Join(found, ","), err
}

func (d *detector) breakOff(ctx context.Context, cancel func(), on *db.DB, through entry, i int, way string, said say) {
	var done sync.WaitGroup
	id := db.NewID()
	done.Go(func() { // some ways end the goroutine
		defer func() { _ = recover() }()
		err := through.in(on, ctx, d.shops[i].ID, func(tx db.Tx) error {
			if err := d.look(ctx, tx, i); err != nil {
				return err
			}
			if through.writes {
				tx.Queue(writeName, id, broken, time.Now())
			}
			return breaks[way](ctx, cancel, tx, said)
		})
		if err == nil && (through.writes || way != forgotten) {
			d.crossedf("%s: the transaction is said to be whole", way)
		}
		if db.IsUnknownOutcome(err) {
			d.doubted(id, way)
		}
	})
	done.Wait()
}

// doubted keeps what nobody knows the end of. Who cancels asks Postgres to stop, which may be busy with the commit by then; whatever
// else breaks a transaction, its end is known.
func (d *detector) doubted(id uuid.UUID, way string) {
	if !strings.HasPrefix(way, "cancelled") {
		d.crossedf("%s: nobody knows whether it was committed", way)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unknown = append(d.unknown, id)
}

// bare ends the transaction by hand and looks at what is left of the connection: it must be nobody's.
func (d *detector) bare(ctx context.Context, tx db.Tx) error {
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

// speaking are calls whose answer holds a text of the organisation's own.
var speaking = []string{"/api/user/get/salepackage", "/api/user/order/quote", "/api/user/order/confirm", "/api/staff/voucher/verify", "/api/owner/get/tags", "/api/owner/save/tags"}

// call is one over HTTP.
func call[T any](d *detector, i int, who *person, path string, body map[string]any) (detail T) {
	d.requests.Add(1)
	d.count(path, "HTTP")
	s := d.shops[i]
	try := func() answer {
		return ask(s.Platform, operation{Method: http.MethodPost, Path: path, Keyed: true}, s.Host, "x", who.Token, request{path: path, body: body})
	}
	got := try()
	for range 5 { // two connections are few: who had none in time is asked to try again, and does
		if got.status != http.StatusServiceUnavailable {
			break
		}
		d.count(path, "HTTP, not ready")
		got = try()
	}
	if strings.Contains(got.text, d.shops[1-i].canary) || (slices.Contains(speaking, path) && !strings.Contains(got.text, s.canary)) {
		d.crossedf("%s answers %s with %.100s", path, s.Unique, got.text)
	}
	var envelope struct{ Detail T }
	if err := decode(got.body, &envelope); err != nil || got.status != http.StatusOK {
		d.Errorf("%s: %d %s %v", path, got.status, got.fault, err)
	}
	return envelope.Detail
}

// hangUp makes a call and goes away in the middle of it, at any time from before it was read until after it was answered. What it
// asked for may have happened.
func (d *detector) hangUp(i int, who *person, path string, body map[string]any, chance *rand.Rand) {
	d.requests.Add(1)
	s := d.shops[i]
	text, err := json.Marshal(body)
	if err != nil {
		d.Error(err)
		return
	}
	ctx, cancel := context.WithTimeout(d.Context(), time.Duration(chance.IntN(int(8*time.Millisecond))))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, fmt.Sprintf("http://%s:%d%s", s.Host, s.Port, path), bytes.NewReader(text))
	if err != nil {
		d.Error(err)
		return
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+who.Token)
	req.Header.Set("Idempotency-Key", uuid.NewString())
	got := ""
	res, err := s.Client.Do(req)
	if err == nil {
		var answer []byte
		answer, err = io.ReadAll(res.Body)
		_ = res.Body.Close() // it was read, or is given up
		got = string(answer)
	}
	d.count(path, map[bool]string{true: "HTTP, answered before it could be hung up", false: "HTTP, hung up"}[err == nil])
	if strings.Contains(got, d.shops[1-i].canary) {
		d.crossedf("%s, hung up, answers %s with %.100s", path, s.Unique, got)
	}
}

// hangUpOnce hangs up one of the calls that read, that write, or that move money.
func (d *detector) hangUpOnce(i int, buyer *person, chance *rand.Rand) {
	s := d.shops[i]
	switch chance.IntN(4) {
	case 0:
		d.hangUp(i, buyer, "/api/user/getwallet", nil, chance)
	case 1:
		d.hangUp(i, s.owner, "/api/owner/get/tags", map[string]any{}, chance)
	case 2:
		d.hangUp(i, s.owner, "/api/owner/save/tags", map[string]any{"name_th": s.named("ใหม่"), "name_en": "", "position": 1}, chance)
	default:
		d.hangUp(i, buyer, "/api/user/order/confirm", d.basket(i, buyer), chance)
	}
}

// basket is one package, quoted, as it is bought.
func (d *detector) basket(i int, buyer *person) map[string]any {
	lines := []map[string]any{{"package_id": d.shops[i].Package, "quantity": 1}}
	quote := call[harness.Quote](d, i, buyer, "/api/user/order/quote", map[string]any{"lines": lines})
	accepted := []uuid.UUID{}
	for _, c := range quote.Consents {
		accepted = append(accepted, c.Version)
	}
	return map[string]any{"lines": lines, "hash": quote.Hash, "accepted": accepted, "lang": "th"}
}

// visit is a purchase, and its first use.
func (d *detector) visit(i int, buyer *person) {
	s := d.shops[i]
	bought := call[harness.Order](d, i, buyer, "/api/user/order/confirm", d.basket(i, buyer))
	if len(bought.Vouchers) == 0 {
		return // reported already
	}
	use := call[harness.Use](d, i, buyer, "/api/user/voucher/use", map[string]any{"voucher_id": bought.Vouchers[0].ID, "service_point_id": s.ServicePoint, "items": 1})
	call[any](d, i, s.counter, "/api/staff/voucher/verify", map[string]any{"code": s.Typed(use), "service_point_id": s.ServicePoint})
	call[any](d, i, s.counter, "/api/staff/voucher/confirm", map[string]any{"use_session_id": use.ID, "service_point_id": s.ServicePoint})
}

// step is a transaction, or a call of the kinds that there are most of.
func (d *detector) step(on *db.DB, chance *rand.Rand) {
	i := chance.IntN(2)
	s := d.shops[i]
	buyer := []*person{s.ann, s.eve}[chance.IntN(2)]
	switch dice := chance.IntN(100); {
	case dice < 40:
		d.transaction(on, i, chance)
	case dice < 50:
		d.hangUpOnce(i, buyer, chance)
	case dice < 75:
		call[any](d, i, buyer, "/api/user/get/salepackage", map[string]any{})
	case dice < 83:
		call[any](d, i, buyer, "/api/user/getwallet", nil)
	case dice < 91:
		call[any](d, i, s.owner, "/api/owner/get/tags", map[string]any{})
	case dice < 95:
		call[any](d, i, s.owner, "/api/owner/save/tags", map[string]any{"name_th": s.named("ใหม่"), "name_en": "", "position": 1})
	default:
		d.visit(i, buyer)
	}
}

// TestPool: two organisations over a pool of two connections, under transactions that end in the middle.
func TestPool(t *testing.T) {
	seed := seedOf(t)
	p := harness.StartWith(t, harness.Options{Database: dbtest.OpenOwn(t), Pool: 2}) // what other tests left undone would take the connections
	received := listen(p)
	admin := &person{Browser: p.Browser("localhost"), kind: token.Admin}
	d := &detector{T: t, counts: map[event]int{}, unknown: []uuid.UUID{}, shops: [2]*shop{open(p, "pool-ours", "1650000071", admin), open(p, "pool-theirs", "1650000072", admin)}}
	n := 100 * int64(size(t, 100))
	for i, s := range d.shops {
		home, err := p.DB.Placement(t.Context(), s.ID)
		require.NoError(t, err)
		d.schemas[i] = home.Schema
		for range n / 10_000 { // what they came with lasts for less
			s.FundWallet(s.ann.Browser, 50_000_00)
			s.FundWallet(s.eve.Browser, 50_000_00)
		}
	}

	var workers sync.WaitGroup
	for worker := range uint64(8) {
		chance := rand.New(rand.NewPCG(seed, worker))
		workers.Go(func() {
			for d.requests.Load() < n {
				d.step(p.DB, chance)
			}
		})
	}
	workers.Wait()

	stayed := 0
	owners, err := pgx.Connect(t.Context(), p.OwnURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owners.Close(context.WithoutCancel(t.Context())) })
	for i, s := range d.shops {
		s.dropPapers(owners, d.schemas[i])
		s.MustBalance()
		s.in(func(ctx context.Context, tx db.Tx) error {
			var here int
			err := tx.QueryRow(ctx, `SELECT count(*) FROM tag WHERE name_th = $1 AND id <> ALL ($2)`, broken, d.unknown).Scan(&here)
			stayed += here
			return err
		})
	}
	seenAfter := d.proof(seed)
	rows := [][]any{
		{"seed", "requests", "transactions beside them", "crossings", "rows that stayed", "ends that nobody knows", "transactions until a session-wide prologue is seen"},
		{seed, d.requests.Load(), d.direct.Load(), len(d.crossings), stayed, len(d.unknown), seenAfter},
		{},
		{"how", "what", "times"},
	}
	events := slices.SortedFunc(maps.Keys(d.counts), func(a, b event) int { return cmp.Or(cmp.Compare(a.how, b.how), cmp.Compare(a.what, b.what)) })
	for _, e := range events {
		rows = append(rows, []any{e.how, e.what, d.counts[e]})
	}
	report(t, rows)
	require.Empty(t, d.crossings)
	require.Zero(t, stayed)
	received.mustKeepApart(t, d.shops[0], d.shops[1])
}

// proof runs the same transactions by the same code on a pool whose prologue is made session-wide on its way to Postgres.
// The detector must see it; proof returns after how many transactions.
func (d *detector) proof(seed uint64) int64 {
	d.Helper()
	wrong, err := db.Open(d.Context(), map[string]string{db.MainNode: d.sessionWide()}, 2, d.shops[0].Clock)
	require.NoError(d, err)
	defer wrong.Close()
	seen := &detector{T: d.T, counts: map[event]int{}, shops: d.shops, schemas: d.schemas}
	chance := rand.New(rand.NewPCG(seed, 0))
	foreign := func(crossing string) bool { return strings.Contains(crossing, "nobody's reads") }
	for !slices.ContainsFunc(seen.crossings, foreign) {
		require.Less(d, seen.direct.Load(), int64(1000), "the detector sees rows read through what a session was left with: %v", seen.crossings)
		seen.transaction(wrong, chance.IntN(2), chance)
	}
	return seen.direct.Load()
}

// sessionWide is the address of a way to Postgres on which what platform/db sets for a transaction is set for the session:
// the third argument of its set_config is another one of the same length.
func (d *detector) sessionWide() string {
	d.Helper()
	to, err := url.Parse(d.shops[0].AppURL)
	require.NoError(d, err)
	postgres := to.Host
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(d, err)
	d.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return // closed
			}
			server, err := net.Dial("tcp", postgres)
			if err != nil {
				_ = client.Close()
				continue
			}
			go func() {
				_, _ = io.Copy(client, server)
				_ = client.Close()
			}()
			go func() {
				_, _ = io.Copy(widening{server}, client)
				_ = server.Close()
			}()
		}
	}()
	to.Host = listener.Addr().String()
	return to.String()
}

type widening struct{ to io.Writer }

// Write implements io.Writer.
func (w widening) Write(text []byte) (int, error) {
	if bytes.Contains(text, []byte("set_config('role'")) {
		text = bytes.ReplaceAll(text, []byte(", true)"), []byte(",false)"))
	}
	return w.to.Write(text)
}
