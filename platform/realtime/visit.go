package realtime

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zishang520/socket.io/parsers/engine/v3/packet"
	"github.com/zishang520/socket.io/servers/engine/v3"
	"github.com/zishang520/socket.io/v3/pkg/types"

	"welovevoucher/platform/ratelimit"
)

// What one process gives to one client. A screen that is refused a socket tries again later, and lacks nothing but hints meanwhile.
const (
	maxAtOnce  = 20                     // packets that a client may send at once; a screen sends two, and then a pong every 25 seconds
	packetTime = 200 * time.Millisecond // and then one more each time this has passed
	maxWaiting = 200                    // packets that wait to be written to a client

	maxOfSession = 20   // sockets
	maxOfNobody  = 200  // sockets of an address that are of no person: not admitted yet, or a visitor's
	maxOfAddress = 2000 // sockets of an address: thousands of a mobile carrier's customers share one, a thousand sockets take 60 MB
)

// Of whom places are, before an address or a token.
const (
	ofSession = "session:"
	ofNobody  = "nobody:"
	ofAddress = "address:"
)

const atOnce = true // closes without waiting for what is still to be written

// places counts open sockets by whom they are of.
type places struct {
	mu    sync.Mutex
	taken map[string]int
}

func (p *places) take(limit int, of string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken[of] >= limit {
		return false
	}
	p.taken[of]++
	return true
}

func (p *places) leave(of string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken[of]--; p.taken[of] == 0 {
		delete(p.taken, of)
	}
}

// visit is one connection: what it holds, what its client may still send, and what waits to be written to it.
type visit struct {
	from   ratelimit.Counter // its address, as that of a stranger
	places *places
	conn   engine.Socket

	mu     sync.Mutex
	holds  []string
	closed bool

	paid    time.Time // until when packets are paid for; the connection's reader alone asks
	waiting atomic.Int64
	writing atomic.Int64 // of those waiting, what the transport is writing
	asked   atomic.Bool
	refused atomic.Bool
}

type visitKey struct{}

func visitOf(c *types.HttpContext) (*visit, bool) {
	v, ok := c.Request().Context().Value(visitKey{}).(*visit)
	return v, ok
}

func (v *visit) with(ctx context.Context) context.Context {
	return context.WithValue(ctx, visitKey{}, v)
}

// take holds a place until the connection is closed. It returns false if there is none, or if it is closed already.
func (v *visit) take(limit int, of string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed || !v.places.take(limit, of) {
		return false
	}
	v.holds = append(v.holds, of)
	return true
}

// free gives one place back.
func (v *visit) free(of string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if i := slices.Index(v.holds, of); i >= 0 {
		v.holds = slices.Delete(v.holds, i, i+1)
		v.places.leave(of)
	}
}

// leave gives all places back: the connection is closed.
func (v *visit) leave() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.closed = true
	for _, held := range v.holds {
		v.places.leave(held)
	}
	v.holds = nil
}

// watch bounds what the client sends and what is kept for it. The engine keeps without bound what a client does not read.
func (v *visit) watch(conn engine.Socket) {
	v.conn = conn
	if err := errors.Join(
		conn.On("packet", func(...any) { v.received(time.Now()) }),
		conn.On("packetCreate", func(...any) { v.queued() }),
		conn.On("flush", func(args ...any) { v.flushed(args) }),
		conn.Transport().On("drain", func(...any) { v.written() }),
	); err != nil {
		conn.Close(atOnce)
	}
}

// hear closes the connection of a client that sends too much.
func (v *visit) received(now time.Time) {
	if v.paid.Before(now) {
		v.paid = now
	}
	if v.paid = v.paid.Add(packetTime); v.paid.Sub(now) > maxAtOnce*packetTime {
		v.conn.Close(atOnce)
	}
}

// put closes the connection of a client that does not read. Who puts a packet holds locks that closing asks for.
func (v *visit) queued() {
	if v.waiting.Add(1) == maxWaiting+1 {
		go v.conn.Close(atOnce)
	}
}

// hand notes what the transport writes now: it is given nothing more until that is written.
func (v *visit) flushed(args []any) {
	if len(args) == 0 {
		return
	}
	if packets, ok := args[0].([]*packet.Packet); ok {
		v.writing.Add(int64(len(packets)))
	}
}

// written closes the connection of a client that was refused once it has been told so.
func (v *visit) written() {
	packets := v.writing.Swap(0)
	if packets > 0 && v.waiting.Add(-packets) == 0 && v.refused.Load() {
		v.conn.Close(atOnce)
	}
}
