package program

import (
	"context"
	"io/fs"
	"net"
	"sync"

	"github.com/gofiber/fiber/v3"
	"go.uber.org/zap"

	"welovevoucher/api"
	"welovevoucher/api/pages"
	"welovevoucher/api/rest"
	"welovevoucher/platform/log"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/realtime"
	"welovevoucher/workers"
)

// liffHosts are the addresses that LINE's own script calls, whatever ours are set to.
var liffHosts = []string{"https://api.line.me", "https://access.line.me", "https://liff.line.me", "https://liff-shortcut.line.me"}

// API answers HTTP.
type API struct {
	App        *fiber.App
	program    *Program
	dispatcher *queue.Dispatcher
	sockets    *realtime.Server
	drainer    *rest.Drainer
}

// NewAPI returns an API that serves the front ends built in dist.
func (p *Program) NewAPI(dist fs.FS) (*API, error) {
	cfg := p.Config
	mux := queue.NewMux(p.DB)
	workers.RegisterNotices(mux, p.Services, realtime.NewPublisher(p.Redis))
	a := &API{
		program: p, dispatcher: queue.NewDispatcher(mux, queue.NewWaker(p.Redis), p.Log),
		sockets: api.Sockets(p.Services, p.Redis, p.host), drainer: &rest.Drainer{},
	}
	var err error
	a.App, err = api.New(api.Deps{
		Log: p.Log, Services: p.Services, Dispatcher: a.dispatcher, Sockets: a.sockets, PlatformHost: p.host, PublicURL: cfg.PublicURL,
		Proxies: cfg.TrustedProxies, Health: p.health(), Drainer: a.drainer,
		Pages: pages.Config{
			Dist: dist, LineBase: cfg.Line.LIFFURL,
			Connect: append([]string{cfg.Line.APIURL, cfg.Line.AccessURL, cfg.Line.LIFFURL, cfg.Pay.VaultURL}, liffHosts...),
			Images:  []string{"https://profile.line-scdn.net", cfg.Line.APIURL, cfg.Pay.APIURL},
		},
	})
	return a, err
}

// Serve answers on listener until ctx ends, then takes its leave: whoever is on the way in is let in, sockets are closed, and
// requests in flight finish. A stop ends nothing that they need: until the last one is over, changes are received and notices sent.
func (a *API) Serve(ctx context.Context, listener net.Listener) error {
	p := a.program
	lasting := context.WithoutCancel(ctx)
	serving, stop := context.WithCancel(log.Into(lasting, p.Log))
	open, closeSockets := context.WithCancel(lasting)
	var beside sync.WaitGroup
	defer beside.Wait()
	defer stop()
	defer closeSockets()
	beside.Go(func() { a.dispatcher.Run(serving) })
	beside.Go(func() { p.DB.Listen(serving) })
	beside.Go(func() {
		if err := a.sockets.Run(open); err != nil {
			p.Log.Error("the sockets have stopped", zap.Error(err))
		}
	})

	ended := make(chan error, 1)
	go func() {
		ended <- a.App.Listener(rest.NewListener(listener), fiber.ListenConfig{DisableStartupMessage: true})
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	return a.leave(lasting, closeSockets)
}

func (a *API) leave(ctx context.Context, closeSockets func()) error {
	cfg := a.program.Config
	grace, cancel := context.WithTimeout(ctx, cfg.ShutdownGrace)
	defer cancel()
	// Where the proxy goes on sending all the same, half of the time that is left is for the requests in flight.
	coming, end := context.WithTimeout(grace, (cfg.ShutdownDrain+cfg.ShutdownGrace)/2)
	defer end()
	a.program.Log.Info("leaving", zap.Duration("notice", cfg.ShutdownDrain))
	a.drainer.Drain(coming, cfg.ShutdownDrain)
	closeSockets() // now, that their next connection finds another process
	return a.App.ShutdownWithContext(grace)
}
