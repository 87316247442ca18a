package rest

import (
	"net"
	"sync"
	"sync/atomic"
)

// Listener takes connections, and knows on which nobody has said anything yet. Browsers and proxies open some in advance; Fiber
// takes each for a request that is being read and would wait for it, longer than a process has that leaves.
type Listener struct {
	net.Listener
	silent sync.Map // *visitor: nothing
	closed atomic.Bool
}

// NewListener wraps a listener.
func NewListener(l net.Listener) *Listener { return &Listener{Listener: l} }

// Accept takes the next connection.
func (l *Listener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	v := &idleConn{Conn: conn, at: l}
	l.silent.Store(v, nil)
	if l.closed.Load() { // meanwhile
		_ = v.Close() // nobody has been promised anything
	}
	return v, nil
}

// Close takes no more connections, and ends those on which nobody has said anything.
func (l *Listener) Close() error {
	err := l.Listener.Close()
	l.closed.Store(true)
	l.silent.Range(func(v, _ any) bool {
		_ = v.(*idleConn).Close() // nobody has been promised anything
		return true
	})
	return err
}

// idleConn is a connection that is silent until its first byte has come.
type idleConn struct {
	net.Conn
	at    *Listener
	spoke atomic.Bool
}

// Read notes the first byte.
func (v *idleConn) Read(into []byte) (int, error) {
	n, err := v.Conn.Read(into)
	if n > 0 && !v.spoke.Swap(true) {
		v.at.silent.Delete(v)
	}
	return n, err
}

// Close ends the connection.
func (v *idleConn) Close() error {
	v.at.silent.Delete(v)
	return v.Conn.Close()
}
