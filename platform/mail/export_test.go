package mail

import (
	"context"
	"crypto/tls"
	"net"

	smtp "github.com/wneessen/go-mail"
)

// Trust has the sender use c for TLS.
func (s *SMTP) Trust(c *tls.Config) { s.options = append(s.options, smtp.WithTLSConfig(c)) }

// Reach has the sender reach every host at address.
func (s *SMTP) Reach(address string) {
	s.options = append(s.options, smtp.WithDialContextFunc(func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}))
}
