package rest

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v3"
)

// Drainer is how a process leaves without shutting anybody out: closing a listener resets every connection that the kernel has
// accepted and nobody has taken yet, with the request in it, and closing an idle connection may meet a request on its way. So a
// process first says that it leaves, at /api/health and by `Connection: close` in every answer, and closes once nobody asks for
// anything any more.
type Drainer struct {
	leaving atomic.Bool
	last    atomic.Int64 // when somebody asked, in Unix nanoseconds
}

// quiet is how long nobody must have asked, so that nobody is taken to be on the way.
const quiet = 200 * time.Millisecond

// Drain says that the process leaves, for as long as notice, and returns as soon as nobody has asked for a moment after that, or
// when ctx is done. Everybody is still answered.
func (d *Drainer) Drain(ctx context.Context, notice time.Duration) {
	d.leaving.Store(true)
	wait := notice
	for wait > 0 {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = quiet - time.Since(time.Unix(0, d.last.Load()))
	}
}

// Draining reports whether Leave was called.
func (d *Drainer) Draining() bool { return d.leaving.Load() }

// attend lets a request through. From a process that leaves, the answer wants the next one on another connection, which will
// find another process. An answer that becomes a socket stays as it is.
func (d *Drainer) attend(c fiber.Ctx) error {
	d.asked(c.Path())
	err := c.Next()
	if d.Draining() && !c.RequestCtx().Hijacked() {
		c.RequestCtx().Response.SetConnectionClose()
	}
	return err
}

// asked notes a request, unless it is for our health: a proxy goes on with those for as long as we answer.
func (d *Drainer) asked(path string) {
	if path != healthPath {
		d.last.Store(time.Now().UnixNano())
	}
}
