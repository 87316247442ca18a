package program

import (
	"context"
	"sync"

	"welovevoucher/platform/log"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/realtime"
	"welovevoucher/workers"
)

// inHand is how many jobs a worker does at once.
var inHand = queue.Workers{Inside: 8, Outside: 8, Long: 2}

// Worker does the jobs and keeps the timetable.
type Worker struct {
	Relay    *queue.Relay
	program  *Program
	server   *queue.Server
	schedule *queue.Schedule
}

// NewWorker returns a worker.
func (p *Program) NewWorker() *Worker {
	mux := queue.NewMux(p.DB)
	workers.RegisterJobs(mux, p.Services, realtime.NewPublisher(p.Redis))
	schedule := queue.NewSchedule(p.DB, queue.NewWaker(p.Redis), p.Log)
	workers.RegisterSchedule(schedule)
	return &Worker{
		Relay: queue.NewRelay(mux, p.Redis, p.Config.MasterKey, p.Log), program: p,
		server: queue.NewServer(mux, p.Redis, p.Config.MasterKey, p.Log, inHand), schedule: schedule,
	}
}

// Run works until ctx ends and the jobs in hand are done. Until then it receives changes.
func (w *Worker) Run(ctx context.Context) error {
	working, stop := context.WithCancel(log.Into(context.WithoutCancel(ctx), w.program.Log))
	var beside sync.WaitGroup
	defer beside.Wait()
	defer stop()
	beside.Go(func() { w.program.DB.Listen(working) })
	return workers.Run(ctx, w.Relay, w.server, w.schedule)
}
