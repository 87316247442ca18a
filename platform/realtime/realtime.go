// Package realtime tells open screens that something changed: socket.io v4 over websockets on the API's own port. Events come over
// Redis, so that any process can send one to a socket on any other. An event is a hint to ask again; a lost one costs time only.
package realtime

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/adaptor"
	"github.com/redis/go-redis/v9"
	"github.com/zishang520/socket.io/servers/engine/v3/transports"
	"github.com/zishang520/socket.io/servers/socket/v3"
	"github.com/zishang520/socket.io/v3/pkg/types"
	"go.uber.org/zap"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/log"
)

// Event names, as the specification has them.
const (
	CommandPrint = "command_print" // something of one person's: a wallet, a top-up, a use
	OptionUpdate = "optionupdate"  // a table of the back office
)

// Room is where events for an audience's subject go: {organisation}:{audience}:{subject}. An empty subject is all of the audience.
func Room(organisation, audience, subject string) string {
	return organisation + ":" + audience + ":" + subject
}

const channel = "realtime"

type message struct {
	Room  string          `json:"room"`
	Event string          `json:"event,omitempty"` // none: the sockets in the room are looked at again
	Data  json.RawMessage `json:"payload,omitempty"`
}

// Publisher sends events from any process.
type Publisher struct{ redis redis.UniversalClient }

// NewPublisher returns a publisher.
func NewPublisher(client redis.UniversalClient) *Publisher { return &Publisher{client} }

// Event is what everybody in a room is told.
type Event struct {
	Room, Name string
	Payload    any
}

// Emit sends events, on every node, in one round trip.
func (p *Publisher) Emit(ctx context.Context, events ...Event) error {
	messages := make([]message, len(events))
	for i, e := range events {
		data, err := json.Marshal(e.Payload)
		if err != nil {
			return fmt.Errorf("realtime: %s: %w", e.Name, err)
		}
		messages[i] = message{Room: e.Room, Event: e.Name, Data: data}
	}
	return p.publish(ctx, messages...)
}

// LookAgain asks every node to look at the sessions of the sockets in rooms now, after some have ended: their sockets close, a
// person's others stay.
func (p *Publisher) LookAgain(ctx context.Context, rooms ...string) error {
	messages := make([]message, len(rooms))
	for i, room := range rooms {
		messages[i] = message{Room: room}
	}
	return p.publish(ctx, messages...)
}

func (p *Publisher) publish(ctx context.Context, messages ...message) error {
	pipe := p.redis.Pipeline()
	for _, m := range messages {
		text, err := json.Marshal(m)
		if err != nil {
			return fmt.Errorf("realtime: %w", err)
		}
		pipe.Publish(ctx, channel, text)
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("realtime: %w", err)
	}
	return nil
}

// Authenticate returns the rooms of a token's session, or an error when there is no such session on this host.
type Authenticate func(ctx context.Context, token, host string) (rooms []string, err error)

// Server holds the sockets of this node.
type Server struct {
	io           *socket.Server
	redis        redis.UniversalClient
	authenticate Authenticate
	lookAgain    func(room string)
	revalidate   time.Duration
}

const (
	authenticateTime = 5 * time.Second
	maxMessage       = 64 << 10 // bytes; clients have nothing to say
)

// New returns a server that asks for every socket's token again each time revalidate has passed. lookAgain hears first of each room
// whose sockets are looked at again because somebody asked for it (Publisher.LookAgain).
func New(client redis.UniversalClient, authenticate Authenticate, lookAgain func(room string), revalidate time.Duration) *Server {
	options := socket.DefaultServerOptions()
	options.SetTransports(types.NewSet[transports.TransportCtor](&transports.WebSocketBuilder{}))
	options.SetMaxHttpBufferSize(maxMessage)
	options.SetServeClient(false)

	s := &Server{io: socket.NewServer(nil, options), redis: client, authenticate: authenticate, lookAgain: lookAgain, revalidate: revalidate}
	s.io.Use(s.admit)
	return s
}

// Handler answers /socket.io/*. Register it before anything that compresses, limits or times requests out, and keep its query out of
// logs: it holds the token.
func (s *Server) Handler() fiber.Handler {
	engine := s.io.ServeHandler(nil)
	return adaptor.HTTPHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The engine watches the request's context until it ends. fasthttp's ends with the program, so every socket would leak its
		// watcher; and it is used for another request as soon as this one is over, so ours must not be its child.
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		ready := make(chan struct{})
		defer close(ready)
		engine.ServeHTTP(patient{w, ready}, owned(ctx, r))
	}))
}

// owned copies a request with all its strings: the adaptor's lie in fasthttp's buffers. As soon as the connection is closed another
// one's request is read into those, and who still asks for the token or the host of a socket gets a stranger's.
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

// admit lets a socket in, when its token has a session, and into that session's rooms.
func (s *Server) admit(client *socket.Socket, next func(*socket.ExtendedError)) {
	rooms, err := s.rooms(client)
	if err != nil {
		next(socket.NewExtendedError(fault.NoSession.Message, map[string]any{"code": http.StatusUnauthorized, "fault": fault.NoSession.Code}))
		return
	}
	move(client, nil, rooms)
	next(nil)
}

func (s *Server) rooms(client *socket.Socket) ([]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), authenticateTime)
	defer cancel()
	token, _ := client.Request().Query().Get("token")
	return s.authenticate(ctx, token, client.Request().Host())
}

// move changes a socket's rooms; they are kept as its data.
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

// Run hands on events from Redis and asks for tokens again, until ctx ends; then it closes all sockets.
func (s *Server) Run(ctx context.Context) error {
	subscription := s.redis.Subscribe(ctx, channel) // comes back by itself when Redis does
	defer subscription.Close()
	defer s.io.Close(nil)

	again := time.NewTicker(s.revalidate)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case m := <-subscription.Channel():
			if m != nil {
				s.handOn(ctx, m.Payload)
			}
		case <-again.C:
			s.check(ctx, everywhere)
		}
	}
}

func (s *Server) handOn(ctx context.Context, text string) {
	var m message
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		log.From(ctx).Error("realtime: a message that is none", zap.Error(err))
		return
	}
	if m.Event == "" {
		s.lookAgain(m.Room)
		s.check(ctx, m.Room)
		return
	}
	var payload any
	if err := json.Unmarshal(m.Data, &payload); err != nil {
		log.From(ctx).Error("realtime: a payload that is none", zap.Error(err))
		return
	}
	if err := s.io.To(socket.Room(m.Room)).Emit(m.Event, payload); err != nil {
		log.From(ctx).Error("realtime: emit", zap.String("event", m.Event), zap.Error(err))
	}
}

const everywhere = ""

// check closes sockets in a room whose session is over, and moves those whose rooms changed.
func (s *Server) check(ctx context.Context, room string) {
	s.io.Sockets().Sockets().Range(func(_ socket.SocketId, client *socket.Socket) bool {
		before, _ := client.Data().([]string)
		if room != everywhere && !slices.Contains(before, room) {
			return true
		}
		rooms, err := s.rooms(client)
		if err != nil {
			client.Disconnect(true)
			return ctx.Err() == nil
		}
		move(client, before, rooms)
		return ctx.Err() == nil
	})
}
