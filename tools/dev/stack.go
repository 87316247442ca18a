//go:build unix

package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/alicebob/miniredis/v2"

	"welovevoucher/tools/dev/machine"
	"welovevoucher/tools/emulator"
	"welovevoucher/tools/emulator/line"
	"welovevoucher/tools/emulator/mail"
	"welovevoucher/tools/emulator/omise"
	"welovevoucher/tools/emulator/sms"
	"welovevoucher/tools/postgres"
	"welovevoucher/tools/process"
)

// world is everything that runs, in the order in which it was started.
type world struct {
	public string
	port   int
	step   func(string)

	database             *postgres.Server
	line, pay, sms, mail string // addresses of what is imitated
	set                  []string
	migrate              string

	log *os.File // of the API and the worker

	mu    sync.Mutex
	stops []func() error
	ended chan error
}

// role is whose database address a process gets: only some may change schemas.
type role int

const (
	app role = iota
	migrator
)

// env is ours, with what was started here added. What the person has set is never changed.
func (w *world) env(r role) []string {
	env := append(os.Environ(), w.set...)
	if r == migrator && w.migrate != "" {
		env = append(env, "MIGRATE_URL="+w.migrate)
	}
	return env
}

// give sets a variable unless the person has.
func (w *world) give(name, value string) {
	if os.Getenv(name) == "" {
		w.set = append(w.set, name+"="+value)
	}
}

// startOutside starts everything that the program talks to.
func (w *world) startOutside(ctx context.Context) error {
	w.ended = make(chan error, 10)
	key, err := masterKey()
	if err != nil {
		return err
	}
	w.give("PORT", strconv.Itoa(w.port))
	w.give("PUBLIC_URL", w.public)
	w.give("MASTER_KEY", key)
	w.give("LOG_CONSOLE", "true")
	w.give("METRICS_ADDR", "127.0.0.1:0")
	w.give("SHUTDOWN_DRAIN", "0s") // no proxy is in front
	w.give("OBJECT_DIR", filepath.Join(machine.Home, "objects"))

	if os.Getenv("DATABASE_URL") == "" {
		if err := w.startPostgres(ctx); err != nil {
			return err
		}
	}
	if os.Getenv("REDIS_URL") == "" {
		if err := w.startRedis(ctx); err != nil {
			return err
		}
	}
	return w.startEmulators()
}

func (w *world) startPostgres(ctx context.Context) error {
	w.step("starting Postgres")
	server, err := postgres.Start(ctx, postgres.Options{Dir: filepath.Join(machine.Home, "postgres"), Durable: true})
	if err != nil {
		return err
	}
	w.database = server
	w.later(server.Stop)
	w.guard("Postgres", server.Done(), func() error { return nil })

	appURL, migrateURL, err := postgres.Bootstrap(ctx, server.URL())
	if err != nil {
		return err
	}
	w.give("DATABASE_URL", appURL)
	w.migrate = migrateURL
	return nil
}

// startRedis runs Redis in this process. It has no clock of its own: without the ticker nothing would ever expire.
func (w *world) startRedis(ctx context.Context) error {
	memory, password := miniredis.NewMiniRedis(), rand.Text()
	memory.RequireAuth(password)
	if err := memory.Start(); err != nil {
		return fmt.Errorf("start Redis: %w", err)
	}
	w.later(func() error { memory.Close(); return nil })
	go func() {
		last := time.Now()
		for now := range ticks(ctx, 100*time.Millisecond) {
			memory.FastForward(now.Sub(last))
			last = now
		}
	}()
	w.give("REDIS_URL", "redis://:"+password+"@"+memory.Addr())
	return nil
}

func ticks(ctx context.Context, every time.Duration) <-chan time.Time {
	out := make(chan time.Time)
	go func() {
		defer close(out)
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case now := <-ticker.C:
				out <- now
			}
		}
	}()
	return out
}

// platformAccount is the platform's own at the imitated gateway.
var platformAccount = omise.Account{
	PublicKey: "pkey_test_platform", SecretKey: "skey_test_platform", WebhookSecret: "d2ViaG9va3Mgb2YgdGhlIHBsYXRmb3JtJ3MgYWNjb3VudA==",
}

// startEmulators serves LINE, payments, text messages and mail on the ports after ours, unless others are configured.
func (w *world) startEmulators() error {
	if os.Getenv("LINE_API_URL") == "" {
		l, address, err := w.listen(1)
		if err != nil {
			return err
		}
		e, err := line.New(line.Options{Dir: filepath.Join(machine.Home, "line"), URL: address, Adopt: true})
		if err != nil {
			return err
		}
		w.serve("LINE's emulator", l, e.Handler(), nil)
		if err := w.serveLineHosts(e.Handler()); err != nil {
			return err
		}
		w.line = address
		w.give("LINE_API_URL", address)
		w.give("LINE_ACCESS_URL", address)
		w.give("LINE_LIFF_URL", address)
		w.give("LINE_CHANNEL_ID", "1650000000")
		w.give("LINE_CHANNEL_SECRET", "secret-of-the-platform")
	}
	if os.Getenv("OMISE_API_URL") == "" {
		l, address, err := w.listen(2)
		if err != nil {
			return err
		}
		e, err := omise.New(omise.Options{Dir: filepath.Join(machine.Home, "pay"), URL: address, Adopt: true, Accounts: []omise.Account{platformAccount}})
		if err != nil {
			return err
		}
		w.serve("the payment gateway's emulator", l, e.Handler(), nil)
		w.pay = address
		w.give("OMISE_API_URL", address)
		w.give("OMISE_VAULT_URL", address)
		w.give("OMISE_PUBLIC_KEY", platformAccount.PublicKey)
		w.give("OMISE_SECRET_KEY", platformAccount.SecretKey)
		w.give("OMISE_WEBHOOK_SECRET", platformAccount.WebhookSecret)
	}
	if os.Getenv("SMS_URL") == "" {
		l, address, err := w.listen(3)
		if err != nil {
			return err
		}
		w.serve("the text-message gateway's emulator", l, sms.New().Handler(), nil)
		w.sms = address
		w.give("SMS_URL", address+"/messages")
		w.give("SMS_TOKEN", "development")
	}
	if os.Getenv("SMTP_URL") == "" {
		return w.startMail()
	}
	return nil
}

// startMail serves the mail server's emulator: what it took on one port, SMTP on the next.
func (w *world) startMail() error {
	page, address, err := w.listen(5)
	if err != nil {
		return err
	}
	smtp, _, err := w.listen(6)
	if err != nil {
		return err
	}
	e := mail.New()
	w.serve("the mail server's emulator", page, e.Handler(), nil)
	ended := make(chan error, 1)
	go func() { ended <- e.Serve(smtp) }()
	w.later(func() error { return errors.Join(smtp.Close(), <-ended) })
	w.mail = address
	w.give("SMTP_URL", "smtp://"+smtp.Addr().String())
	w.give("MAIL_FROM", "noreply@welovevoucher.example")
	return nil
}

// listen prefers the port so many after ours, because browsers remember addresses, and takes a free one when it is taken.
func (w *world) listen(after int) (net.Listener, string, error) {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(w.port+after)))
	if err != nil {
		if l, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return nil, "", fmt.Errorf("find a free port: %w", err)
		}
	}
	return l, "http://localhost:" + strconv.Itoa(l.Addr().(*net.TCPAddr).Port), nil
}

// serveLineHosts answers for LINE's own hosts over TLS, which the unmodified LIFF SDK calls (tools/emulator/line/README.md).
func (w *world) serveLineHosts(h http.Handler) error {
	l, _, err := w.listen(4)
	if err != nil {
		return err
	}
	certificate, err := line.TLS()
	if err != nil {
		return err
	}
	w.serve("LINE's hosts", l, h, certificate)
	return nil
}

func (w *world) serve(name string, l net.Listener, h http.Handler, certificate *tls.Config) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- emulator.Serve(ctx, l, h, certificate) }()
	w.later(func() error {
		cancel()
		if err := <-done; err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
}

// startProgram starts the API and the workers as they are started in production: a process each.
func (w *world) startProgram() error {
	w.step("starting API and workers")
	for _, part := range []struct {
		name string
		role role
	}{{"api", app}, {"worker", migrator}} {
		cmd := exec.Command(program, part.name)
		cmd.Env = w.env(part.role)
		reader, writer := io.Pipe()
		cmd.Stdout, cmd.Stderr = writer, writer
		go w.keepLog(part.name, reader)
		p, err := process.Start(cmd, syscall.SIGTERM)
		if err != nil {
			return err
		}
		w.later(func() error { return errors.Join(p.Stop(syscall.SIGTERM, 15*time.Second), writer.Close()) })
		w.guard(part.name, p.Done(), p.Err)
	}
	return nil
}

// keepLog writes a process's lines to the log, and those that are more than information to the console as well.
func (w *world) keepLog(name string, from io.Reader) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := fmt.Sprintf("%-6s | %s\n", name, lines.Text())
		if _, err := w.log.WriteString(line); err != nil {
			line += fmt.Sprintf("%-6s | cannot be written to the log: %s\n", name, err)
		} else if informs.MatchString(lines.Text()) {
			continue
		}
		fmt.Print(line)
	}
}

// informs matches a line of information, or of less, as people or machines read it.
var informs = regexp.MustCompile(`\t(\x1b\[\d+m)?(INFO|DEBUG)\b|^\{"level":"(info|debug)"`)

// logFile is where the log of the API and the worker is, of this start alone.
func logFile() string { return filepath.Join(machine.Home, "log") }

func (w *world) openLog() (err error) {
	if w.log, err = os.Create(logFile()); err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	w.later(w.log.Close)
	return nil
}

func (w *world) later(stop func() error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stops = append(w.stops, stop)
}

// guard reports that something ended which should not have. Nobody listens any more once we are stopping.
func (w *world) guard(name string, done <-chan struct{}, why func() error) {
	go func() {
		<-done
		select {
		case w.ended <- fmt.Errorf("%s has ended by itself: %w", name, errors.Join(errUnasked, why())):
		default:
		}
	}()
}

var errUnasked = errors.New("nobody asked it to")

// stop ends everything, last started first.
func (w *world) stop() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var errs []error
	for _, v := range slices.Backward(w.stops) {
		errs = append(errs, v())
	}
	w.stops = nil
	return errors.Join(errs...)
}

// masterKey is made once: with another one nothing in the database could be opened.
func masterKey() (string, error) {
	file := filepath.Join(machine.Home, "master.key")
	kept, err := os.ReadFile(file)
	if err == nil {
		return string(kept), nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("read the master key: %w", err)
	}
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return "", fmt.Errorf("make the master key: %w", err)
	}
	text := base64.StdEncoding.EncodeToString(key)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("keep the master key: %w", err)
	}
	return text, nil
}
