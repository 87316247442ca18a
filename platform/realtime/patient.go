package realtime

import (
	"bufio"
	"errors"
	"net"
	"net/http"
)

// patient delays what a client sends until the engine listens. The engine greets a client before it listens, and the first packet
// of a fast client would be lost: the client would wait for an answer until the connection times out.
type patient struct {
	http.ResponseWriter
	ready    <-chan struct{}
	visit    *visit
	hijacked bool
}

// Hijack returns the connection of a websocket.
func (p *patient) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	hijacker, ok := p.ResponseWriter.(http.Hijacker)
	if !ok {
		return nil, nil, errors.New("realtime: the connection cannot become a websocket")
	}
	conn, buffers, err := hijacker.Hijack()
	if err != nil {
		return nil, nil, err
	}
	held := heldConn{conn, p.ready, p.visit}
	p.hijacked = true
	buffers.Reader.Reset(held) // a client sends nothing before it is greeted, so nothing is buffered yet
	return held, buffers, nil
}

type heldConn struct {
	net.Conn
	ready <-chan struct{}
	visit *visit
}

func (c heldConn) Read(p []byte) (int, error) {
	<-c.ready
	return c.Conn.Read(p)
}

// Close returns the slots of the visit.
func (c heldConn) Close() error {
	c.visit.leave()
	return c.Conn.Close()
}
