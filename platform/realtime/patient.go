package realtime

import (
	"bufio"
	"errors"
	"net"
	"net/http"
)

// patient holds back what a client says until the engine listens. The engine greets a client before it does, and a fast client's
// first packet would be lost: it would wait for an answer until the connection times out.
type patient struct {
	http.ResponseWriter
	ready    <-chan struct{}
	visit    *visit
	hijacked bool
}

// Hijack hands out the connection of a websocket.
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
	buffers.Reader.Reset(held) // a client says nothing before it is greeted, so nothing is buffered yet
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

// Close gives the places of the visit back.
func (c heldConn) Close() error {
	c.visit.leave()
	return c.Conn.Close()
}
