// Package realtime notifies open screens that something has changed, by socket.io v4 over websockets on the API's own port. Events
// go over Redis, so that any process can send one to a socket of any other. An event is a hint to load again; a lost one costs time
// only.
package realtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/adaptor"
	"github.com/redis/go-redis/v9"
	"github.com/zishang520/socket.io/servers/engine/v3"
	"github.com/zishang520/socket.io/servers/engine/v3/transports"
	"github.com/zishang520/socket.io/servers/socket/v3"
	"github.com/zishang520/socket.io/v3/pkg/types"
	"go.uber.org/zap"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/log"
	"welovevoucher/platform/ratelimit"
)

// Names of events, as on the wire.
const (
	CommandPrint = "command_print" // something of one person's: a wallet, a top-up, a use
	OptionUpdate = "optionupdate"  // a table that has changed, and its option list
	Recheck      = "recheck"       // sent by a screen: asks whether it is connected and its session valid
)

// Room is the name of the room for an audience's subject: {organisation}:{audience}:{subject}. An empty subject is the whole
// audience.
func Room(organisation, audience, subject string) string {
	return organisation + ":" + audience + ":" + subject
}

const channel = "realtime"

type message struct {
	Room   string          `json:"room"`
	Except string          `json:"except,omitempty"`
	Event  string          `json:"event"`
	Data   json.RawMessage `json:"payload,omitempty"`
}

// Publisher sends events from any process.
type Publisher struct{ redis redis.UniversalClient }

// NewPublisher returns a publisher.
func NewPublisher(client redis.UniversalClient) *Publisher { return &Publisher{client} }

// Event goes to everybody in Room who is not also in Except.
type Event struct {
	Room, Name string
	Except     string // "" excludes nobody
	Payload    any
}

// Emit sends events to the sockets of all nodes, in one round trip.
func (p *Publisher) Emit(ctx context.Context, events ...Event) error {
	pipe := p.redis.Pipeline()
	for _, e := range events {
		data, err := json.Marshal(e.Payload)
		if err != nil {
			return fmt.Errorf("realtime: %s: %w", e.Name, err)
		}
		text, err := json.Marshal(message{Room: e.Room, Except: e.Except, Event: e.Name, Data: data})
		if err != nil {
			return fmt.Errorf("realtime: %s: %w", e.Name, err)
		}
		pipe.Publish(ctx, channel, text)
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("realtime: %w", err)
	}
	return nil
}

// Authenticate returns the rooms of a token's session, or an error if the token has no session on this host.
type Authenticate func(ctx context.Context, token, host string) (rooms []string, err error)

// Server holds the sockets of this node.
type Server struct {
	io           *socket.Server
	redis        redis.UniversalClient
	authenticate Authenticate
	revalidate   time.Duration
	limits       *ratelimit.Limiter
	slots        slots
	changed      chan struct{} // wakes Run: changedRooms has rooms

	mu           sync.Mutex
	changedRooms map[string]bool
}

const (
	authenticateTime = 5 * time.Second
	maxMessage       = 64 << 10 // bytes; clients send little
	recheckEvery     = time.Second
)

// New returns a server that checks the token of every socket again each time revalidate has passed.
func New(client redis.UniversalClient, authenticate Authenticate, revalidate time.Duration) *Server {
	options := socket.DefaultServerOptions()
	options.SetTransports(types.NewSet[transports.TransportCtor](&transports.WebSocketBuilder{}))
	options.SetMaxHttpBufferSize(maxMessage)
	options.SetServeClient(false)

	s := &Server{
		io: socket.NewServer(nil, options), redis: client, authenticate: authenticate, revalidate: revalidate,
		limits: ratelimit.New(client), slots: slots{taken: map[string]int{}}, changed: make(chan struct{}, 1), changedRooms: map[string]bool{},
	}
	s.io.Use(s.admit)
	if err := s.io.On("connection", s.answer); err != nil {
		panic(fmt.Errorf("realtime: %w", err)) // a programming error, at start
	}
	return s
}

// Answer acknowledges a Recheck.
type Answer struct {
	Result  bool   `json:"result"`
	Code    int    `json:"code"`
	Detail  string `json:"detail,omitempty"`
	Message string `json:"message"`
}

// answer lets a screen ask whether it is connected and its session valid: a phone that was asleep learns at once what it has
// missed. A socket whose session is over is closed after the answer. A socket that asks again within recheckEvery gets the same
// answer without a look-up.
func (s *Server) answer(args ...any) {
	client, ok := args[0].(*socket.Socket)
	if !ok {
		return
	}
	var asked time.Time
	var mu sync.Mutex
	err := client.On(Recheck, func(args ...any) {
		ack, ok := last(args).(socket.Ack)
		if !ok {
			return // the client wants no acknowledgement
		}
		mu.Lock()
		defer mu.Unlock()
		if time.Since(asked) >= recheckEvery {
			before, _ := client.Data().([]string)
			rooms, err := s.rooms(client)
			if err != nil {
				ack([]any{Answer{Code: http.StatusUnauthorized, Detail: fault.NoSession.Message, Message: fault.NoSession.Message}}, nil)
				client.Disconnect(true)
				return
			}
			move(client, before, rooms)
			asked = time.Now()
		}
		ack([]any{Answer{Result: true, Code: http.StatusOK, Message: "success"}}, nil)
	})
	if err != nil {
		client.Disconnect(true)
	}
}

func last(args []any) any {
	if len(args) == 0 {
		return nil
	}
	return args[len(args)-1]
}

// Handler serves /socket.io/*. Register it before any middleware that compresses, limits or times out requests, and keep its query
// out of logs: it has the token. address returns the IP address for which a request is counted.
func (s *Server) Handler(address func(fiber.Ctx) string) fiber.Handler {
	sockets := s.io.ServeHandler(nil)
	if err := s.io.Engine().On("connection", watch); err != nil {
		panic(fmt.Errorf("realtime: %w", err)) // a programming error, at start
	}
	return func(c fiber.Ctx) error {
		v := &visit{from: ratelimit.Stranger.ForAddress(address(c)), slots: &s.slots}
		if !v.take(maxOfAddress, ofAddress+v.from.Subject) || !v.take(maxOfNobody, ofNobody+v.from.Subject) {
			v.leave()
			return c.SendStatus(http.StatusTooManyRequests)
		}
		return adaptor.HTTPHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			// The engine watches the request's context until it ends. fasthttp's ends with the program, so every socket would leak a
			// goroutine. It is also reused for another request as soon as this one is over, so ours must not be its child.
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			ready := make(chan struct{})
			defer close(ready)
			held := &patient{ResponseWriter: w, ready: ready, visit: v}
			defer func() {
				if !held.hijacked {
					v.leave()
				}
			}()
			sockets.ServeHTTP(held, owned(v.with(ctx), r))
		}))(c)
	}
}

func watch(args ...any) {
	if conn, ok := args[0].(engine.Socket); ok {
		if v, ok := visitOf(conn.Request()); ok {
			v.watch(conn)
		}
	}
}

// owned copies a request with all its strings: those of the adaptor are in fasthttp's buffers. Once the connection is closed, the
// next request is read into the same buffers, and a socket that still reads its token or host would get a stranger's.
func owned(ctx context.Context, r *http.Request) *http.Request {
	header := make(http.Header, len(r.Header))
	for name, values := range r.Header {
		for _, value := range values {
			header.Add(strings.Clone(name), strings.Clone(value))
		}
	}
	return (&http.Request{
		Method: strings.Clone(r.Method), RequestURI: strings.Clone(r.RequestURI), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		URL:  &url.URL{Path: strings.Clone(r.URL.Path), RawQuery: strings.Clone(r.URL.RawQuery)},
		Host: strings.Clone(r.Host), RemoteAddr: r.RemoteAddr, Header: header, Body: http.NoBody,
	}).WithContext(ctx)
}

// admit lets a socket with a valid token into its session's rooms. It closes a stranger's connection after the answer, and that of
// a client that has too many sockets or connects twice without one.
func (s *Server) admit(client *socket.Socket, next func(*socket.ExtendedError)) {
	no := socket.NewExtendedError(fault.NoSession.Message, map[string]any{"code": http.StatusUnauthorized, "fault": fault.NoSession.Code})
	v, ok := visitOf(client.Request())
	if !ok || !v.asked.CompareAndSwap(false, true) || !v.take(maxOfSession, ofSession+tokenOf(client)) || !s.mayAuthenticate(v) {
		client.Conn().Close(atOnce)
		next(no)
		return
	}
	rooms, err := s.rooms(client)
	if err != nil {
		s.count(v, err)
		v.refused.Store(true)
		next(no)
		return
	}
	if len(rooms) > 0 {
		v.free(ofNobody + v.from.Subject)
	}
	move(client, nil, rooms)
	next(nil)
}

// mayAuthenticate reports whether an address may try another token: too many invalid ones came from it lately if not. Valid tokens
// are not counted, because many people may share an address.
func (s *Server) mayAuthenticate(v *visit) bool {
	ctx, cancel := context.WithTimeout(context.Background(), authenticateTime)
	defer cancel()
	return s.limits.Full(ctx, v.from) == nil
}

// count counts an invalid token. It does not count errors of ours.
func (s *Server) count(v *visit, refusal error) {
	if fault.From(refusal).Kind >= fault.Broken {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), authenticateTime)
	defer cancel()
	if err := s.limits.Take(ctx, v.from); err != nil && !errors.Is(err, fault.RateLimited) {
		log.From(ctx).Error("realtime: a stranger is not counted", zap.Error(err))
	}
}

func tokenOf(client *socket.Socket) string {
	token, _ := client.Request().Query().Get("token")
	return token
}

func (s *Server) rooms(client *socket.Socket) ([]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), authenticateTime)
	defer cancel()
	return s.authenticate(ctx, tokenOf(client), client.Request().Host())
}

// move changes a socket's rooms, and stores them as its data.
func move(client *socket.Socket, from, to []string) {
	for _, room := range from {
		if !slices.Contains(to, room) {
			client.Leave(socket.Room(room))
		}
	}
	for _, room := range to {
		if !slices.Contains(from, room) {
			client.Join(socket.Room(room))
		}
	}
	client.SetData(to)
}

// Run delivers events from Redis and checks tokens again, until ctx ends; then it closes all sockets.
func (s *Server) Run(ctx context.Context) error {
	subscription := s.redis.Subscribe(ctx, channel) // it reconnects by itself
	defer subscription.Close()
	defer s.io.Close(nil)

	ticker := time.NewTicker(s.revalidate)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case m := <-subscription.Channel():
			if m != nil {
				s.handOn(ctx, m.Payload)
			}
		case <-s.changed:
			s.mu.Lock()
			rooms := s.changedRooms
			s.changedRooms = map[string]bool{}
			s.mu.Unlock()
			s.check(ctx, rooms)
		case <-ticker.C:
			s.check(ctx, map[string]bool{Everywhere: true})
		}
	}
}

// Everywhere stands for all sockets, also those that are in no room.
const Everywhere = ""

// Revalidate has Run check the sessions of the sockets in rooms now, after some may have ended or got other rooms. Sockets without a
// session close; others of the same person stay. It does not wait for that.
func (s *Server) Revalidate(rooms ...string) {
	s.mu.Lock()
	for _, room := range rooms {
		s.changedRooms[room] = true
	}
	s.mu.Unlock()

	select {
	case s.changed <- struct{}{}:
	default: // Run has not taken the rooms of an earlier call yet
	}
}

func (s *Server) handOn(ctx context.Context, text string) {
	var m message
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		log.From(ctx).Error("realtime: a message that is none", zap.Error(err))
		return
	}
	var payload any
	if err := json.Unmarshal(m.Data, &payload); err != nil {
		log.From(ctx).Error("realtime: a payload that is none", zap.Error(err))
		return
	}
	to := s.io.To(socket.Room(m.Room))
	if m.Except != "" {
		to = to.Except(socket.Room(m.Except))
	}
	if err := to.Emit(m.Event, payload); err != nil {
		log.From(ctx).Error("realtime: emit", zap.String("event", m.Event), zap.Error(err))
	}
}

// check closes the sockets in rooms whose session is over, and moves those whose rooms have changed.
func (s *Server) check(ctx context.Context, rooms map[string]bool) {
	s.io.Sockets().Sockets().Range(func(_ socket.SocketId, client *socket.Socket) bool {
		before, _ := client.Data().([]string)
		if !rooms[Everywhere] && !slices.ContainsFunc(before, func(room string) bool { return rooms[room] }) {
			return true
		}
		now, err := s.rooms(client)
		if err != nil {
			client.Disconnect(true)
			return ctx.Err() == nil
		}
		move(client, before, now)
		return ctx.Err() == nil
	})
}
