package queue_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/uuid"
	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/queue"
)

// note is a job of HandleTx. It leaves a row in the audit log, so that a second run would be seen.
type note struct {
	Text string `json:"text"`
}

func (note) Kind() string { return "test.note" }

// call is a job of HandleExternal.
type call struct {
	Text string `json:"text"`
}

func (call) Kind() string { return "test.call" }

// long is a job that runs until the test lets it end.
type long struct{}

func (long) Kind() string { return "test.long" }

// broken is a job that fails each time.
type broken struct{}

func (broken) Kind() string { return "test.broken" }

var key = []byte("a key of this test, of any length")

// fixture is a relay and a server on a Redis of their own, and what their jobs did.
type fixture struct {
	*dbtest.Server
	redis  *redis.Client
	memory *miniredis.Miniredis
	mux    *queue.Mux
	relay  *queue.Relay

	mu    sync.Mutex
	calls []uuid.UUID
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	p := &fixture{Server: dbtest.Open(t), memory: miniredis.RunT(t)}
	p.redis = redis.NewClient(&redis.Options{Addr: p.memory.Addr()})
	t.Cleanup(func() { p.redis.Close() })

	p.mux = queue.NewMux(p.DB)
	queue.HandleTx(p.mux, func(ctx context.Context, tx db.Tx, n note) error {
		const sql = `INSERT INTO audit_log (id, at, actor_kind, action, object) VALUES ($1, $2, 'test', 'note', $3)`
		_, err := tx.Exec(ctx, sql, db.NewID(), tx.Now, n.Text)
		return err
	})
	queue.HandleExternal(p.mux, func(_ context.Context, _, id uuid.UUID, _ call) error {
		p.mu.Lock()
		p.calls = append(p.calls, id)
		p.mu.Unlock()
		return nil
	})
	queue.HandleTx(p.mux, func(context.Context, db.Tx, broken) error { return errors.New("it never works") })
	p.relay = queue.NewRelay(p.mux, p.redis, key, zaptest.NewLogger(t))
	return p
}

// serve runs a server until the test ends.
func (p *fixture) serve(t *testing.T) {
	t.Helper()
	server := queue.NewServer(p.mux, p.redis, key, zaptest.NewLogger(t, zaptest.Level(zapcore.FatalLevel)), queue.Workers{Inside: 4, Outside: 4, Long: 1})
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	t.Cleanup(func() { stop(); require.NoError(t, <-ended) })
}

func (p *fixture) enqueue(t *testing.T, org uuid.UUID, job queue.Job) {
	t.Helper()
	ctx := queue.NewWaker(p.redis).With(t.Context())
	in := func(tx db.Tx) error { return queue.Enqueue(ctx, tx, job) }
	if org == uuid.Nil {
		require.NoError(t, p.DB.InPlatform(ctx, in))
		return
	}
	require.NoError(t, p.DB.InOrg(ctx, org, in))
}

func (p *fixture) notes(t *testing.T, org uuid.UUID) (texts []string) {
	t.Helper()
	const sql = `SELECT coalesce(array_agg(object ORDER BY id), '{}') FROM audit_log WHERE action = 'note'`
	read := func(tx db.Tx) error { return tx.QueryRow(context.Background(), sql).Scan(&texts) }
	if org == uuid.Nil {
		require.NoError(t, p.DB.InPlatform(t.Context(), read))
		return texts
	}
	require.NoError(t, p.DB.InOrg(t.Context(), org, read))
	return texts
}

func (p *fixture) runRelay(t *testing.T) {
	t.Helper()
	require.NoError(t, p.relay.RunOnce(t.Context()))
}

func (p *fixture) eventually(t *testing.T, done func() bool) {
	t.Helper()
	require.Eventually(t, done, 10*time.Second, 20*time.Millisecond)
}

func TestRelay(t *testing.T) {
	t.Run("a job is done in its own organisation, and the platform's in the platform", func(t *testing.T) {
		p := newFixture(t)
		p.serve(t)
		a, b := p.NewOrg(t), p.NewOrg(t)
		p.enqueue(t, a, note{Text: "for a"})
		p.enqueue(t, b, note{Text: "for b"})
		p.enqueue(t, uuid.Nil, note{Text: "for the platform"})
		p.runRelay(t)

		p.eventually(t, func() bool { return open(t, p.Server, a)+open(t, p.Server, b) == 0 })
		require.Equal(t, []string{"for a"}, p.notes(t, a))
		require.Equal(t, []string{"for b"}, p.notes(t, b))
		p.eventually(t, func() bool { return len(p.notes(t, uuid.Nil)) > 0 })
	})

	t.Run("Redis emptied between handing over and doing loses nothing and doubles nothing", func(t *testing.T) {
		p := newFixture(t)
		org := p.NewOrg(t)
		for range 30 {
			p.enqueue(t, org, note{Text: "n"})
			p.enqueue(t, org, call{Text: "c"})
		}
		p.runRelay(t)
		require.NotEmpty(t, p.redis.Keys(t.Context(), "asynq:*").Val())
		require.NoError(t, p.redis.FlushAll(t.Context()).Err())

		p.serve(t)
		p.runRelay(t)
		p.eventually(t, func() bool { return open(t, p.Server, org) == 0 })
		require.Len(t, p.notes(t, org), 30)
		require.Len(t, p.calls, 30)
	})

	t.Run("a lost hint is found by the sweep", func(t *testing.T) {
		p := newFixture(t)
		p.serve(t)
		org := p.NewOrg(t)
		p.runRelay(t)
		require.NoError(t, p.DB.InOrg(t.Context(), org, func(tx db.Tx) error {
			return queue.Enqueue(t.Context(), tx, note{Text: "without a hint"}) // this context has no waker
		}))
		p.runRelay(t)
		require.Equal(t, 1, open(t, p.Server, org))

		p.Clock.Advance(11 * time.Minute)
		p.runRelay(t)
		p.eventually(t, func() bool { return len(p.notes(t, org)) == 1 })
	})

	t.Run("a job waits for its time, and needs no new hint then", func(t *testing.T) {
		p := newFixture(t)
		p.serve(t)
		org := p.NewOrg(t)
		ctx := queue.NewWaker(p.redis).With(t.Context())
		require.NoError(t, p.DB.InOrg(ctx, org, func(tx db.Tx) error {
			if err := queue.Enqueue(ctx, tx, note{Text: "now"}); err != nil {
				return err
			}
			return queue.EnqueueAt(ctx, tx, tx.Now.Add(5*time.Second), note{Text: "later"})
		}))
		p.runRelay(t)
		p.eventually(t, func() bool { return len(p.notes(t, org)) == 1 })
		p.runRelay(t)
		require.Equal(t, 1, open(t, p.Server, org))

		p.Clock.Advance(6 * time.Second)
		p.runRelay(t)
		p.eventually(t, func() bool { return open(t, p.Server, org) == 0 })
		require.Equal(t, []string{"now", "later"}, p.notes(t, org))
	})

	t.Run("a job enqueued right after another one's hint needs no sweep", func(t *testing.T) {
		p := newFixture(t)
		p.serve(t)
		org := p.NewOrg(t)
		p.runRelay(t) // sweeps
		ctx := queue.NewWaker(p.redis).With(t.Context())
		for _, text := range []string{"first", "second", "third"} {
			require.NoError(t, p.DB.InOrg(ctx, org, func(tx db.Tx) error { return queue.Enqueue(ctx, tx, note{Text: text}) }))
			p.runRelay(t)
		}

		p.eventually(t, func() bool {
			p.runRelay(t)
			return len(p.notes(t, org)) == 3
		})
	})

	t.Run("many relays hand a row over once", func(t *testing.T) {
		p := newFixture(t)
		org := p.NewOrg(t)
		for range 120 {
			p.enqueue(t, org, note{Text: "n"})
		}
		var group sync.WaitGroup
		for range 4 {
			relay := queue.NewRelay(p.mux, p.redis, key, zaptest.NewLogger(t))
			group.Go(func() { _ = relay.RunOnce(context.Background()) })
		}
		group.Wait()
		p.serve(t)
		p.Clock.Advance(16 * time.Second)
		p.runRelay(t)
		p.eventually(t, func() bool { return open(t, p.Server, org) == 0 })
		require.Len(t, p.notes(t, org), 120)
	})

	t.Run("a failed job has its error on its row and is tried again, until it is given up", func(t *testing.T) {
		p := newFixture(t)
		p.serve(t)
		org := p.NewOrg(t)
		p.enqueue(t, org, broken{})
		p.runRelay(t)

		attempts, lastError := 0, ""
		const sql = `SELECT attempts, last_error FROM outbox`
		read := func(tx db.Tx) error {
			return tx.QueryRow(context.Background(), sql).Scan(&attempts, &lastError)
		}
		p.eventually(t, func() bool { require.NoError(t, p.DB.InOrg(t.Context(), org, read)); return attempts > 0 })
		require.Contains(t, lastError, "it never works")

		const giveUp = `UPDATE outbox SET attempts = 25, enqueued_at = NULL`
		require.NoError(t, p.DB.InOrg(t.Context(), org, func(tx db.Tx) error { _, err := tx.Exec(t.Context(), giveUp); return err }))
		require.NoError(t, p.redis.FlushAll(t.Context()).Err())
		p.runRelay(t)
		require.Empty(t, p.redis.Keys(t.Context(), "asynq:{*}:t:*").Val())
	})

	t.Run("a worker that died with the task in its hands is replaced within a sweep", func(t *testing.T) {
		p := newFixture(t)
		org := p.NewOrg(t)
		p.enqueue(t, org, note{Text: "orphan"})
		p.runRelay(t)
		takeAndDie(t, p.redis)

		p.serve(t)
		p.Clock.Advance(16 * time.Second)
		p.runRelay(t)
		p.eventually(t, func() bool { return len(p.notes(t, org)) == 1 })
		require.Zero(t, open(t, p.Server, org))
	})
}

// word is a job of HandleInline.
type word struct {
	Text string `json:"text"`
}

func (word) Kind() string { return "test.word" }

func TestInlineJobs(t *testing.T) {
	p := newFixture(t)
	var received [][]string
	failing := false
	queue.HandleInline(p.mux, func(_ context.Context, _ uuid.UUID, words []word) error {
		if failing {
			return errors.New("no listener")
		}
		var texts []string
		for _, w := range words {
			texts = append(texts, w.Text)
		}
		received = append(received, texts)
		return nil
	})
	org, other := p.NewOrg(t), p.NewOrg(t)
	p.runRelay(t)

	t.Run("the inline jobs due in an outbox run in one call, without a task", func(t *testing.T) {
		p.enqueue(t, org, word{"a"})
		p.enqueue(t, other, word{"for another"})
		p.enqueue(t, org, word{"b"})
		p.runRelay(t)
		require.ElementsMatch(t, [][]string{{"a", "b"}, {"for another"}}, received)
		require.Zero(t, open(t, p.Server, org)+open(t, p.Server, other))
		require.Empty(t, p.redis.Keys(t.Context(), "asynq:*").Val())
	})

	t.Run("an inline job that fails has its error on its row, and is tried again", func(t *testing.T) {
		received, failing = nil, true
		p.enqueue(t, org, word{"c"})
		p.runRelay(t)
		p.runRelay(t)
		require.Equal(t, 1, open(t, p.Server, org))
		failing = false
		const garble = `INSERT INTO outbox (id, kind, payload, due_at) VALUES ($1, 'test.word', '{"job": 7}', $2)`
		const failed = `SELECT last_error FROM outbox WHERE done_at IS NULL`
		var why string
		require.NoError(t, p.DB.InOrg(t.Context(), org, func(tx db.Tx) error {
			if err := tx.QueryRow(t.Context(), failed).Scan(&why); err != nil {
				return err
			}
			_, err := tx.Exec(t.Context(), garble, db.NewID(), tx.Now)
			return err
		}))
		require.Equal(t, "no listener", why)

		p.Clock.Advance(16 * time.Second)
		p.runRelay(t)
		require.Equal(t, [][]string{{"c"}}, received)
		require.Equal(t, 1, open(t, p.Server, org), "the garbled row blocks no other")
	})
}

// takeAndDie moves the pending task to active, as a worker does that is then killed.
func takeAndDie(t *testing.T, client *redis.Client) {
	t.Helper()
	ctx := context.Background()
	id := client.LMove(ctx, "asynq:{inside}:pending", "asynq:{inside}:active", "RIGHT", "LEFT").Val()
	require.NotEmpty(t, id)
	client.HSet(ctx, "asynq:{inside}:t:"+id, "state", "active")
	client.ZAdd(ctx, "asynq:{inside}:lease", redis.Z{Score: float64(time.Now().Add(30 * time.Second).Unix()), Member: id})
}

func TestServer(t *testing.T) {
	t.Run("long jobs keep no external job waiting, however many there are", func(t *testing.T) {
		p := newFixture(t)
		org, end := p.NewOrg(t), make(chan struct{})
		queue.HandleLong(p.mux, func(context.Context, uuid.UUID, uuid.UUID, long) error {
			<-end
			return nil
		})
		p.serve(t)
		t.Cleanup(func() { close(end) })
		for range 10 {
			p.enqueue(t, org, long{})
		}
		p.runRelay(t)
		p.enqueue(t, org, call{})
		p.runRelay(t)
		p.eventually(t, func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			return len(p.calls) == 1
		})
	})

	t.Run("a second run of a done job does nothing, nor do concurrent runs", func(t *testing.T) {
		p := newFixture(t)
		org := p.NewOrg(t)
		p.enqueue(t, org, note{Text: "once"})
		id := rowID(t, p.Server, org)

		var group sync.WaitGroup
		for range 8 {
			group.Go(func() { require.NoError(t, queue.Run(p.mux, t.Context(), "test.note", org, id)) })
		}
		group.Wait()
		require.NoError(t, queue.Run(p.mux, t.Context(), "test.note", org, id))
		require.Equal(t, []string{"once"}, p.notes(t, org))
	})

	t.Run("a job's id does nothing in another organisation", func(t *testing.T) {
		p := newFixture(t)
		a, b := p.NewOrg(t), p.NewOrg(t)
		p.enqueue(t, a, note{Text: "for a"})
		require.NoError(t, queue.Run(p.mux, t.Context(), "test.note", b, rowID(t, p.Server, a)))
		require.Equal(t, 1, open(t, p.Server, a))
		require.Empty(t, p.notes(t, b))
	})

	t.Run("a task in Redis without a valid MAC is refused", func(t *testing.T) {
		p := newFixture(t)
		p.serve(t)
		a, b := p.NewOrg(t), p.NewOrg(t)
		p.enqueue(t, a, note{Text: "forged"})
		id := rowID(t, p.Server, a)
		client := asynq.NewClientFromRedisClient(p.redis)
		forge := func(org uuid.UUID, mac string) {
			_, err := client.Enqueue(asynq.NewTaskWithHeaders("test.note", nil,
				map[string]string{"org": org.String(), "id": id.String(), "mac": mac}), asynq.Queue("inside"))
			require.NoError(t, err)
		}
		forge(a, "")
		forge(a, "00")
		forge(b, queue.Sign(key, "test.note", a, id))
		forge(a, queue.Sign([]byte("another key"), "test.note", a, id))

		inspector := asynq.NewInspectorFromRedisClient(p.redis)
		p.eventually(t, func() bool { tasks, _ := inspector.ListArchivedTasks("inside"); return len(tasks) == 4 })
		require.Empty(t, p.notes(t, a))
	})
}

func rowID(t *testing.T, s *dbtest.Server, org uuid.UUID) (id uuid.UUID) {
	t.Helper()
	require.NoError(t, s.DB.InOrg(t.Context(), org, func(tx db.Tx) error {
		return tx.QueryRow(context.Background(), `SELECT id FROM outbox`).Scan(&id)
	}))
	return id
}
