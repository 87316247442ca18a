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

// Limits of one process. A screen that is refused a socket tries again later, and misses nothing but hints meanwhile.
const (
	maxAtOnce  = 20                     // packets of a client in a burst; a screen sends two, then a pong every 25 seconds
	packetTime = 200 * time.Millisecond // after that, one per packetTime
	maxWaiting = 200                    // packets queued for a client

	maxOfSession = 20   // sockets of a session
	maxOfNobody  = 200  // sockets of an address without a person: not admitted yet, or a visitor's
	maxOfAddress = 2000 // sockets of an address: thousands of a mobile carrier's customers share one, a thousand sockets take 60 MB
)

// Prefixes of the keys by which sockets are counted; an address or a token follows.
const (
	ofSession = "session:"
	ofNobody  = "nobody:"
	ofAddress = "address:"
)

// atOnce closes a connection without writing what is still queued.
const atOnce = true

// slots counts open sockets by session and by address.
type slots struct {
	mu    sync.Mutex
	taken map[string]int
}

func (s *slots) take(limit int, of string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[of] >= limit {
		return false
	}
	s.taken[of]++
	return true
}

func (s *slots) leave(of string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[of]--; s.taken[of] == 0 {
		delete(s.taken, of)
	}
}

// visit is one connection: the slots it holds, how many packets its client may still send, and how many are queued for it.
type visit struct {
	from  ratelimit.Counter // the limit on invalid tokens of its address
	slots *slots
	conn  engine.Socket

	mu     sync.Mutex
	holds  []string
	closed bool

	accountedUntil time.Time // token bucket: its packets are accounted for until then; only the connection's reader uses it
	waiting        atomic.Int64
	writing        atomic.Int64 // of those in waiting, how many the transport is writing
	asked          atomic.Bool
	refused        atomic.Bool
}

type visitKey struct{}

func visitOf(c *types.HttpContext) (*visit, bool) {
	v, ok := c.Request().Context().Value(visitKey{}).(*visit)
	return v, ok
}

func (v *visit) with(ctx context.Context) context.Context {
	return context.WithValue(ctx, visitKey{}, v)
}

// take holds a slot until the connection is closed. It returns false if there is none left, or the connection is closed already.
func (v *visit) take(limit int, of string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed || !v.slots.take(limit, of) {
		return false
	}
	v.holds = append(v.holds, of)
	return true
}

// free returns one slot.
func (v *visit) free(of string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if i := slices.Index(v.holds, of); i >= 0 {
		v.holds = slices.Delete(v.holds, i, i+1)
		v.slots.leave(of)
	}
}

// leave returns all slots, because the connection is closed.
func (v *visit) leave() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.closed = true
	for _, held := range v.holds {
		v.slots.leave(held)
	}
	v.holds = nil
}

// watch limits what the client sends, and what is queued for it. The engine itself queues without limit for a client that does not
// read.
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

// received closes the connection of a client that sends too much.
func (v *visit) received(now time.Time) {
	if v.accountedUntil.Before(now) {
		v.accountedUntil = now
	}
	if v.accountedUntil = v.accountedUntil.Add(packetTime); v.accountedUntil.Sub(now) > maxAtOnce*packetTime {
		v.conn.Close(atOnce)
	}
}

// queued closes the connection of a client that does not read. It does so in a goroutine, because its caller holds locks that Close
// takes.
func (v *visit) queued() {
	if v.waiting.Add(1) == maxWaiting+1 {
		go v.conn.Close(atOnce)
	}
}

// flushed counts the packets that the transport writes now. It gets no more until those are written.
func (v *visit) flushed(args []any) {
	if len(args) == 0 {
		return
	}
	if packets, ok := args[0].([]*packet.Packet); ok {
		v.writing.Add(int64(len(packets)))
	}
}

// written closes the connection of a refused client, once the refusal was written.
func (v *visit) written() {
	packets := v.writing.Swap(0)
	if packets > 0 && v.waiting.Add(-packets) == 0 && v.refused.Load() {
		v.conn.Close(atOnce)
	}
}
