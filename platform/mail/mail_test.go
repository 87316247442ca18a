package mail_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/config"
	"welovevoucher/platform/mail"
)

// server takes every message, and keeps who sent it.
type server struct{ messages []string }

func (s *server) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{server: s}, nil }

type session struct {
	server *server
	user   string
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, _ string) error {
		s.user = user
		return nil
	}), nil
}

func (s *session) Mail(string, *smtp.MailOptions) error { return nil }
func (s *session) Rcpt(string, *smtp.RcptOptions) error { return nil }
func (s *session) Reset()                               {}
func (s *session) Logout() error                        { return nil }

func (s *session) Data(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	s.server.messages = append(s.server.messages, s.user)
	return err
}

func serve(t *testing.T, l net.Listener) *server {
	s := &server{}
	at := smtp.NewServer(s)
	at.Domain = "localhost"
	done := make(chan error, 1)
	go func() { done <- at.Serve(l) }()
	t.Cleanup(func() {
		require.NoError(t, at.Close())
		require.NoError(t, <-done)
	})
	return s
}

func message() mail.Message {
	return mail.Message{Key: uuid.New(), Sender: "ละไม สปา", To: "nid@example.org", Subject: "ใบเสร็จรับเงิน", Text: "รวม 980.00 บาท"}
}

func TestTLS(t *testing.T) {
	t.Run("a server elsewhere must speak TLS", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		e := serve(t, l)
		sender, err := mail.New(config.Mail{URL: "smtp://mail.example.com", From: "noreply@example.com"})
		require.NoError(t, err)
		sender.Reach(l.Addr().String())
		err = sender.Send(t.Context(), message())
		require.ErrorIs(t, err, mail.ErrUnavailable)
		require.ErrorContains(t, err, "STARTTLS")
		require.Empty(t, e.messages)
	})

	t.Run("the password goes over TLS to the server that the certificate names", func(t *testing.T) {
		web := httptest.NewTLSServer(nil) // for its certificate
		defer web.Close()
		l, err := tls.Listen("tcp", "127.0.0.1:0", web.TLS)
		require.NoError(t, err)
		e := serve(t, l)
		sender, err := mail.New(config.Mail{URL: "smtps://shop:correct-horse@" + l.Addr().String(), From: "noreply@example.com"})
		require.NoError(t, err)

		err = sender.Send(t.Context(), message())
		require.ErrorIs(t, err, mail.ErrUnavailable, "nobody has signed this certificate")
		require.NotContains(t, err.Error(), "correct-horse")

		pool := x509.NewCertPool()
		pool.AddCert(web.Certificate())
		sender.Trust(&tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12})
		require.NoError(t, sender.Send(t.Context(), message()))
		require.Equal(t, []string{"shop"}, e.messages)
	})
}

func TestNew(t *testing.T) {
	for _, c := range []config.Mail{
		{URL: "http://mail.example.com", From: "a@example.com"},
		{URL: "smtp://", From: "a@example.com"},
		{URL: "smtps://mail.example.com", From: ""},
		{URL: "smtps://mail.example.com", From: "nobody"},
	} {
		_, err := mail.New(c)
		require.Error(t, err, "%v", c)
	}
}

func TestAddress(t *testing.T) {
	for _, good := range []string{"nid@example.org", " nid+receipts@mail.example.co.th ", "o'neil@example.org"} {
		got, err := mail.Address(good)
		require.NoError(t, err, good)
		require.Equal(t, strings.TrimSpace(good), got)
	}
	for _, bad := range []string{
		"", "nid", "nid@", "@example.org", "nid@localhost", "Nid <nid@example.org>", "a@b.c,d@e.f", "nid@example.org\r\nBcc: x@y.z", "nid@[127.0.0.1]", "<nid@example.org>",
		strings.Repeat("n", 65) + "@example.org", "n@" + strings.Repeat("e", 260) + ".org", `"a b"@example.org@x.y`,
	} {
		_, err := mail.Address(bad)
		require.ErrorIs(t, err, mail.ErrAddress, "%q", bad)
	}
}

func TestMask(t *testing.T) {
	require.Equal(t, "น•••@example.org", mail.Mask("นิด@example.org"))
	require.Equal(t, "n•••@example.org", mail.Mask("n@example.org"))
	require.Equal(t, "?", mail.Mask("nobody"))
}
