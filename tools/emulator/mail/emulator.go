// Package mail is an SMTP server on this machine that delivers nothing: what is sent can be read.
//
//	SMTP                                takes every message, whoever signs in
//	GET  /                              a page with what came
//	GET  /emulator/messages?to=a@b.c    reads them, newest first
//	     /emulator/faults               as the other emulators: status (the SMTP code), slow, lost (taken, then hung up)
package mail

import (
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http"
	netmail "net/mail"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"welovevoucher/tools/emulator"
)

// Message is an e-mail that would have arrived.
type Message struct {
	At      time.Time `json:"at"`
	ID      string    `json:"id"` // Message-ID; one that was seen before is not kept again
	From    string    `json:"from"`
	ReplyTo string    `json:"reply_to"`
	To      string    `json:"to"`
	User    string    `json:"user"` // who signed in to send it
	Subject string    `json:"subject"`
	Text    string    `json:"text"`
	HTML    string    `json:"html"`
	Files   []File    `json:"files"`
}

// File is an attachment.
type File struct {
	Name        string `json:"name"`
	ContentType string `json:"content_type"`
	Content     []byte `json:"content"`
}

const maxMessages = 1000 // the oldest go first

// Emulator is a mail server.
type Emulator struct {
	faults emulator.Control

	mu       sync.Mutex
	messages []Message
}

// New returns an emulator without messages.
func New() *Emulator { return &Emulator{} }

// Handler serves the page and the control API.
func (e *Emulator) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", e.page)
	mux.HandleFunc("GET /emulator/messages", e.list)
	e.faults.Route(mux)
	return mux
}

// Serve speaks SMTP until the listener is closed.
func (e *Emulator) Serve(l net.Listener) error {
	server := smtp.NewServer(e)
	server.Domain = "localhost"
	server.AllowInsecureAuth = true
	server.MaxMessageBytes = 32 << 20
	server.ReadTimeout, server.WriteTimeout = time.Minute, time.Minute
	if err := server.Serve(l); err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("mail server: %w", err)
	}
	return nil
}

// NewSession begins a conversation.
func (e *Emulator) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{emulator: e}, nil }

type session struct {
	emulator *Emulator
	to, user string
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, _ string) error {
		s.user = user
		return nil
	}), nil
}

func (s *session) Mail(string, *smtp.MailOptions) error { return nil }

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	return nil
}

func (s *session) Reset()        { s.to = "" }
func (s *session) Logout() error { return nil }

var errLost = &smtp.SMTPError{Code: 421, Message: "this fault was asked for"}

func (s *session) Data(r io.Reader) error {
	lost := false
	for _, f := range s.emulator.faults.Take("", "status", "slow", "lost") {
		switch f.Kind {
		case "status":
			return &smtp.SMTPError{Code: f.Status, Message: "this fault was asked for, " + s.to}
		case "slow":
			time.Sleep(time.Duration(f.DelayMS) * time.Millisecond)
		case "lost":
			lost = true
		}
	}
	m, err := read(r)
	if err != nil {
		return err
	}
	m.At, m.To, m.User = time.Now().UTC(), s.to, s.user
	s.emulator.keep(m)
	if lost {
		return errLost
	}
	return nil
}

func (e *Emulator) keep(m Message) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if slices.ContainsFunc(e.messages, func(n Message) bool { return n.ID == m.ID }) {
		return
	}
	if len(e.messages) == maxMessages {
		e.messages = slices.Delete(e.messages, 0, 1)
	}
	e.messages = append(e.messages, m)
}

func read(r io.Reader) (Message, error) {
	raw, err := netmail.ReadMessage(r)
	if err != nil {
		return Message{}, fmt.Errorf("read a message: %w", err)
	}
	words := mime.WordDecoder{}
	m := Message{ID: raw.Header.Get("Message-Id"), Files: []File{}}
	for header, into := range map[string]*string{"From": &m.From, "Reply-To": &m.ReplyTo, "Subject": &m.Subject} {
		if *into, err = words.DecodeHeader(raw.Header.Get(header)); err != nil {
			return Message{}, fmt.Errorf("read the header %s: %w", header, err)
		}
	}
	return m, m.add(raw.Header.Get("Content-Type"), raw.Header.Get("Content-Transfer-Encoding"), raw.Header.Get("Content-Disposition"), raw.Body)
}

// add reads one part, or the parts of one that has several.
func (m *Message) add(contentType, encoding, disposition string, body io.Reader) error {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return fmt.Errorf("read a content type: %w", err)
	}
	if strings.HasPrefix(kind, "multipart/") {
		parts := multipart.NewReader(body, params["boundary"])
		for {
			part, err := parts.NextRawPart()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("read a part: %w", err)
			}
			if err := m.add(part.Header.Get("Content-Type"), part.Header.Get("Content-Transfer-Encoding"), part.Header.Get("Content-Disposition"), part); err != nil {
				return err
			}
		}
	}
	switch strings.ToLower(encoding) {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	content, err := io.ReadAll(body)
	if err != nil {
		return fmt.Errorf("read a part: %w", err)
	}
	switch _, file, _ := mime.ParseMediaType(disposition); { // a part without a disposition is the text itself
	case file["filename"] != "":
		m.Files = append(m.Files, File{Name: file["filename"], ContentType: kind, Content: content})
	case kind == "text/html":
		m.HTML = string(content)
	default:
		m.Text = string(content)
	}
	return nil
}

// Fault asks for a fault, as POST /emulator/faults does.
func (e *Emulator) Fault(f emulator.Fault) { e.faults.Add(f) }

// Messages returns what came for an address, newest first; for all if it is empty.
func (e *Emulator) Messages(to string) []Message {
	e.mu.Lock()
	defer e.mu.Unlock()
	found := []Message{}
	for _, m := range slices.Backward(e.messages) {
		if to == "" || m.To == to {
			found = append(found, m)
		}
	}
	return found
}

func (e *Emulator) list(w http.ResponseWriter, r *http.Request) {
	emulator.Answer(w, http.StatusOK, e.Messages(r.URL.Query().Get("to")))
}

var pageOf = template.Must(template.New("page").Parse(`<!doctype html><meta charset="utf-8"><title>Mail</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:760px;margin:32px auto;padding:0 16px}article{border:1px solid #ccc;border-radius:8px;margin:16px 0;padding:16px}
iframe{width:100%;height:560px;border:1px solid #eee}small{color:#666}</style>
<h1>Mail</h1>{{range .}}<article><b>{{.Subject}}</b><br><small>{{.At.Format "15:04:05"}} · {{.From}} → {{.To}}{{range .Files}} · {{.Name}}{{end}}</small>
{{if .HTML}}<iframe sandbox srcdoc="{{.HTML}}"></iframe>{{else}}<pre>{{.Text}}</pre>{{end}}</article>{{else}}<p>Nothing came yet.</p>{{end}}`))

func (e *Emulator) page(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = pageOf.Execute(w, e.Messages("")) // the caller hung up: nobody reads it
}
