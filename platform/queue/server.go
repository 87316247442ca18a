package queue

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
	"welovevoucher/platform/log"
)

// Headers of a task. It has no payload: the worker reads that from the row.
const (
	orgHeader = "org"
	idHeader  = "id"
	macHeader = "mac"
)

func newTask(key []byte, kind string, org, id uuid.UUID, trace string) *asynq.Task {
	return asynq.NewTaskWithHeaders(kind, nil, map[string]string{
		orgHeader: org.String(), idHeader: id.String(), macHeader: sign(key, kind, org, id), traceHeader: trace,
	})
}

// sign binds a task to its kind, organisation and row, so that write access to Redis is not enough to run a job.
func sign(key []byte, kind string, org, id uuid.UUID) string {
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "wlv-job|%s|%s|%s", kind, org, id)
	return hex.EncodeToString(mac.Sum(nil))
}

var errForged = errors.New("queue: a task that we did not write")

func readTask(key []byte, task *asynq.Task) (org, id uuid.UUID, err error) {
	h := task.Headers()
	org, orgErr := uuid.Parse(h[orgHeader])
	id, idErr := uuid.Parse(h[idHeader])
	if orgErr != nil || idErr != nil || !hmac.Equal([]byte(h[macHeader]), []byte(sign(key, task.Type(), org, id))) {
		return org, id, errForged
	}
	return org, id, nil
}

// Server runs jobs. Each of the three queues has workers of its own.
type Server struct {
	mux     *Mux
	key     []byte
	servers []*asynq.Server
}

// Workers is how many jobs of each queue run at once: Inside for HandleTx and HandleParts, Outside for HandleExternal, Long for
// HandleLong.
type Workers struct{ Inside, Outside, Long int }

// NewServer returns a server whose jobs wake the relay for what they enqueue.
func NewServer(mux *Mux, client redis.UniversalClient, key []byte, logger *zap.Logger, workers Workers) *Server {
	base := NewWaker(client).With(log.Into(context.Background(), logger))
	server := func(queue string, workers int) *asynq.Server {
		return asynq.NewServerFromRedisClient(client, asynq.Config{
			Concurrency:              workers,
			Queues:                   map[string]int{queue: 1},
			BaseContext:              func() context.Context { return base },
			TaskCheckInterval:        200 * time.Millisecond,
			DelayedTaskCheckInterval: time.Second,
			RetryDelayFunc:           retryDelay,
			Logger:                   logger.Sugar(),
			LogLevel:                 asynq.WarnLevel,
			ErrorHandler:             asynq.ErrorHandlerFunc(report),
		})
	}
	return &Server{mux: mux, key: key, servers: []*asynq.Server{
		server(internalQueue, workers.Inside), server(externalQueue, workers.Outside), server(longQueue, workers.Long),
	}}
}

func report(ctx context.Context, task *asynq.Task, err error) {
	log.From(log.Traced(continued(ctx, task))).Error("queue: job failed", zap.String("job", task.Type()), zap.String("job_id", task.Headers()[idHeader]),
		zap.String("org_id", task.Headers()[orgHeader]), zap.Error(err))
}

// retryDelay doubles from two seconds to an hour. It adds up to a quarter at random, which spreads jobs that failed together.
func retryDelay(n int, _ error, _ *asynq.Task) time.Duration {
	delay := min(2*time.Second<<min(n, 12), time.Hour)
	return delay + rand.N(delay/4) //nolint:gosec // chance spreads retries
}

// Run runs jobs until ctx ends. Then it takes no more and waits for those in hand; Asynq puts back what is not done in time.
func (s *Server) Run(ctx context.Context) error {
	for _, server := range s.servers {
		if err := server.Start(asynq.HandlerFunc(s.handle)); err != nil {
			return fmt.Errorf("queue: %w", err)
		}
		defer server.Shutdown()
	}
	<-ctx.Done()

	var all sync.WaitGroup // one after the other would take up to three times as long, while the last goes on taking jobs
	for _, server := range s.servers {
		all.Go(server.Shutdown)
	}
	all.Wait()
	return nil
}

func (s *Server) handle(ctx context.Context, task *asynq.Task) error {
	org, id, err := readTask(s.key, task)
	if err == nil {
		err = traced(ctx, task, org, func(ctx context.Context) error { return s.mux.run(ctx, task.Type(), org, id) })
	}
	if errors.Is(err, errForged) || errors.Is(err, db.ErrNoOrg) {
		return fmt.Errorf("%w: %w", err, asynq.SkipRetry)
	}
	return err
}
