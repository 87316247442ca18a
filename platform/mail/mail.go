// Package mail sends e-mail through an SMTP server.
package mail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	smtp "github.com/wneessen/go-mail"
	"go.uber.org/zap"

	"welovevoucher/platform/config"
	"welovevoucher/platform/log"
)

var (
	// ErrRefused says that the server will not take this message, however often it is asked.
	ErrRefused = errors.New("mail: the message was refused")
	// ErrUnavailable says that the server did not take the message, or that none is configured.
	ErrUnavailable = errors.New("mail: messages cannot be sent now")
)

// Message is one e-mail to one person.
type Message struct {
	// Key makes the Message-ID. A message that is sent again, because nobody knows whether it arrived, has the same one, by which
	// mailboxes show it once.
	Key     uuid.UUID
	Sender  string // name beside the platform's address
	ReplyTo string // address that answers go to; empty leaves the platform's
	To      string
	Subject string
	Text    string // for programs that show no HTML
	HTML    string // empty: Text alone
	Files   []File
}

// File is an attachment.
type File struct {
	Name, ContentType string
	Content           []byte
}

// Sender sends messages.
type Sender interface {
	// Ready reports whether a server is configured.
	Ready() bool
	// Send returns when the server has taken the message.
	Send(ctx context.Context, m Message) error
}

const timeout = 20 * time.Second // of the whole conversation

// SMTP is a Sender over SMTP. It speaks TLS from the first byte (smtps) or after STARTTLS, which only a server on this machine may lack.
type SMTP struct {
	host, from string
	options    []smtp.Option
}

var _ Sender = (*SMTP)(nil)

// New returns a sender. Without an address it refuses to send. It returns an error if the address is none of smtp or smtps, or if from
// is no e-mail address.
func New(c config.Mail) (*SMTP, error) {
	if c.URL == "" {
		return &SMTP{}, nil
	}
	at, err := url.Parse(c.URL)
	if err != nil || at.Hostname() == "" || (at.Scheme != "smtp" && at.Scheme != "smtps") {
		return nil, errors.New("SMTP_URL must be an address such as smtps://user:password@mail.example.com:465")
	}
	if _, err := Address(c.From); err != nil {
		return nil, errors.New("MAIL_FROM must be an e-mail address")
	}
	options := []smtp.Option{smtp.WithTimeout(timeout)}
	switch {
	case at.Scheme == "smtps":
		options = append(options, smtp.WithSSL())
	case loopback(at.Hostname()):
		options = append(options, smtp.WithTLSPolicy(smtp.TLSOpportunistic))
	default:
		options = append(options, smtp.WithTLSPolicy(smtp.TLSMandatory))
	}
	port := map[string]int{"smtp": 587, "smtps": 465}[at.Scheme]
	if at.Port() != "" {
		if port, err = strconv.Atoi(at.Port()); err != nil {
			return nil, errors.New("SMTP_URL has no valid port")
		}
	}
	options = append(options, smtp.WithPort(port))
	if password, given := at.User.Password(); given {
		options = append(options, smtp.WithSMTPAuth(smtp.SMTPAuthAutoDiscover), smtp.WithUsername(at.User.Username()), smtp.WithPassword(password))
	}
	return &SMTP{host: at.Hostname(), from: c.From, options: options}, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Ready reports whether a server is configured.
func (s *SMTP) Ready() bool { return s.host != "" }

// Send gives a message to the server. Logs have the address masked, and never the content. It returns ErrAddress if To is no address,
// ErrRefused if the server says that it never takes this message, ErrUnavailable otherwise.
func (s *SMTP) Send(ctx context.Context, m Message) error {
	to, err := Address(m.To)
	if err != nil {
		return err
	}
	if !s.Ready() {
		return fmt.Errorf("SMTP_URL is not set: %w", ErrUnavailable)
	}
	msg, err := s.compose(to, m)
	if err != nil {
		return fmt.Errorf("mail to %s: %w", Mask(to), err)
	}
	client, err := smtp.NewClient(s.host, s.options...)
	if err != nil {
		return fmt.Errorf("mail to %s: %w: %w", Mask(to), ErrUnavailable, err)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := client.DialAndSendWithContext(ctx, msg); err != nil {
		if answer, ok := errors.AsType[*smtp.SendError](err); ok && !answer.IsTemp() && answer.ErrorCode() >= 500 {
			return fmt.Errorf("mail to %s: status %d: %w", Mask(to), answer.ErrorCode(), ErrRefused)
		}
		return fmt.Errorf("mail to %s: %w", Mask(to), unavailable(err))
	}
	log.From(ctx).Info("e-mail sent", zap.String("to", Mask(to)), zap.Stringer("key", m.Key))
	return nil
}

// unavailable keeps of an error what has no address in it: servers repeat the recipient in their answers.
func unavailable(err error) error {
	if answer, ok := errors.AsType[*smtp.SendError](err); ok {
		return fmt.Errorf("status %d: %w", answer.ErrorCode(), ErrUnavailable)
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

func (s *SMTP) compose(to string, m Message) (*smtp.Msg, error) {
	msg := smtp.NewMsg()
	if err := msg.FromFormat(line(m.Sender), s.from); err != nil {
		return nil, err
	}
	if err := msg.To(to); err != nil {
		return nil, err
	}
	if m.ReplyTo != "" {
		if err := msg.ReplyTo(m.ReplyTo); err != nil {
			return nil, err
		}
	}
	_, domain, _ := strings.Cut(s.from, "@")
	msg.SetMessageIDWithValue(m.Key.String() + "@" + domain)
	msg.SetDate()
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	msg.Subject(line(m.Subject))
	msg.SetBodyString(smtp.TypeTextPlain, m.Text)
	if m.HTML != "" {
		msg.AddAlternativeString(smtp.TypeTextHTML, m.HTML)
	}
	for _, f := range m.Files {
		if err := msg.AttachReader(f.Name, bytes.NewReader(f.Content), smtp.WithFileContentType(smtp.ContentType(f.ContentType))); err != nil {
			return nil, err
		}
	}
	return msg, nil
}

// line makes one line of a text, so that no name begins a header of its own.
func line(text string) string { return strings.Join(strings.Fields(text), " ") }

// Mask returns an address of which the local part has only its first letter: n•••@example.com. It returns "?" if it is none.
func Mask(address string) string {
	local, domain, found := strings.Cut(address, "@")
	if !found || local == "" {
		return "?"
	}
	first := []rune(local)[0]
	return string(first) + "•••@" + domain
}
