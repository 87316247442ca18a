package mail_test

import (
	"net"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/config"
	"welovevoucher/platform/mail"
	"welovevoucher/tools/emulator"
	server "welovevoucher/tools/emulator/mail"
)

// start returns a sender and the server that it sends to.
func start(t *testing.T) (*mail.SMTP, *server.Emulator) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	sender, err := mail.New(config.Mail{URL: "smtp://" + l.Addr().String(), From: "noreply@example.com"})
	require.NoError(t, err)
	return sender, serve(t, l)
}

func serve(t *testing.T, l net.Listener) *server.Emulator {
	e := server.New()
	done := make(chan error, 1)
	go func() { done <- e.Serve(l) }()
	t.Cleanup(func() {
		require.NoError(t, l.Close())
		require.NoError(t, <-done)
	})
	return e
}

func message() mail.Message {
	return mail.Message{
		Key: uuid.New(), Sender: "ละไม สปา", ReplyTo: "hello@lamai.example", To: "nid@example.org", Subject: "ใบเสร็จรับเงิน OD-0042",
		Text: "รวม 980.00 บาท", HTML: "<p>รวม 980.00 บาท</p>", Files: []mail.File{{Name: "รายงาน.csv", ContentType: "text/csv", Content: []byte("a,b\n1,2\n")}},
	}
}

func TestSend(t *testing.T) {
	t.Run("a message arrives as it was written", func(t *testing.T) {
		sender, e := start(t)
		m := message()
		require.NoError(t, sender.Send(t.Context(), m))

		got := e.Messages("nid@example.org")
		require.Len(t, got, 1)
		require.Equal(t, m.Subject, got[0].Subject)
		require.Contains(t, got[0].From, m.Sender)
		require.Contains(t, got[0].From, "noreply@example.com")
		require.Contains(t, got[0].ReplyTo, m.ReplyTo)
		require.Equal(t, m.Text, strings.TrimSpace(got[0].Text))
		require.Equal(t, m.HTML, strings.TrimSpace(got[0].HTML))
		require.Len(t, got[0].Files, 1)
		require.Equal(t, "text/csv", got[0].Files[0].ContentType)
		require.Equal(t, m.Files[0].Content, got[0].Files[0].Content)
	})

	t.Run("one that was sent and is sent again has the same id", func(t *testing.T) {
		sender, e := start(t)
		m := message()
		e.Fault(emulator.Fault{Kind: "lost", Times: 1})
		require.ErrorIs(t, sender.Send(t.Context(), m), mail.ErrUnavailable)
		require.NoError(t, sender.Send(t.Context(), m))
		require.Len(t, e.Messages(""), 1)
		require.Contains(t, e.Messages("")[0].ID, m.Key.String())
	})

	t.Run("what the server never takes is refused, what it does not take now is not", func(t *testing.T) {
		sender, e := start(t)
		for status, want := range map[int]error{550: mail.ErrRefused, 451: mail.ErrUnavailable} {
			e.Fault(emulator.Fault{Kind: "status", Status: status, Times: 1})
			err := sender.Send(t.Context(), message())
			require.ErrorIs(t, err, want)
			require.NotContains(t, err.Error(), "nid@example.org", "an error has no address, though the server repeats it")
		}
		require.Empty(t, e.Messages(""))
	})

	t.Run("nothing begins a header of its own", func(t *testing.T) {
		sender, e := start(t)
		m := message()
		m.Subject, m.Sender = "Receipt\r\nBcc: thief@example.org", "Shop\r\nBcc: thief@example.org"
		require.NoError(t, sender.Send(t.Context(), m))
		require.Len(t, e.Messages(""), 1)
		require.Empty(t, e.Messages("thief@example.org"))
		require.Equal(t, "Receipt Bcc: thief@example.org", e.Messages("")[0].Subject)
	})

	t.Run("without a server nothing is sent", func(t *testing.T) {
		sender, err := mail.New(config.Mail{})
		require.NoError(t, err)
		require.False(t, sender.Ready())
		require.ErrorIs(t, sender.Send(t.Context(), message()), mail.ErrUnavailable)
	})
}
