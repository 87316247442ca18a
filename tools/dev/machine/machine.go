//go:build unix

// Package machine is what `make dev` asks of a machine before anything is compiled for long: tools, room, a port, npm's packages.
package machine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	leastNode  = "20.19"
	leastSpace = 2 << 30  // bytes
	fullSpace  = 32 << 20 // bytes; a segment of Postgres's log is half of it
)

// Home is where everything is kept; it is not committed. DEV_DATA names another folder, so that tests leave a person's data alone.
var Home = cmp.Or(os.Getenv("DEV_DATA"), ".data")

// Check says in one sentence what is missing, and returns the port to use. Home has to be there.
func Check() (port int, err error) {
	for tool, get := range map[string]string{
		"go": "Go 1.26 is needed: https://go.dev/dl", "node": "Node " + leastNode + " or newer is needed: https://nodejs.org",
		"npm": "npm is needed; it comes with Node: https://nodejs.org", "make": "make is needed: install your system's build tools",
	} {
		if _, err := exec.LookPath(tool); err != nil {
			return 0, errors.New(get)
		}
	}
	out, err := exec.Command("node", "--version").Output()
	if err != nil {
		return 0, fmt.Errorf("node does not run: %w", err)
	}
	if have := strings.TrimPrefix(strings.TrimSpace(string(out)), "v"); older(have, leastNode) {
		return 0, fmt.Errorf("Node %s or newer is needed, this is %s", leastNode, have)
	}

	for _, dir := range []string{".", Home} {
		free, err := space(dir)
		if err != nil {
			return 0, err
		}
		if free < leastSpace {
			return 0, fmt.Errorf("2 GB of disk space are needed, %d MB are free in %s", free>>20, dir)
		}
	}

	port = 8080
	if text := os.Getenv("PORT"); text != "" {
		if port, err = strconv.Atoi(text); err != nil || port < 1 || port > 65535 {
			return 0, fmt.Errorf("PORT must be a number from 1 to 65535, it is %q", text)
		}
	}
	l, err := net.Listen("tcp", ":"+strconv.Itoa(port))
	if errors.Is(err, syscall.EADDRINUSE) {
		return 0, fmt.Errorf("port %d is taken by %s: stop that, or run `PORT=%d make dev`", port, holder(port), port+1000)
	}
	if err != nil {
		return 0, fmt.Errorf("port %d cannot be opened: %w", port, err)
	}
	return port, l.Close()
}

// space is what is left for us on a folder's disk, in bytes.
func space(dir string) (uint64, error) {
	var disk unix.Statfs_t
	if err := unix.Statfs(dir, &disk); err != nil {
		return 0, fmt.Errorf("look at the disk: %w", err)
	}
	return uint64(disk.Bavail) * uint64(disk.Bsize), nil //nolint:unconvert // other systems count in other types
}

// OrFull says so when something failed because there is no room left: what the parts say about it is long.
func OrFull(failed error) error {
	for _, dir := range []string{".", Home} {
		if free, err := space(dir); err == nil && free < fullSpace {
			return fmt.Errorf("the disk is full: %d MB are free in %s. Make room and start again; nothing that was committed is lost.\n%w", free>>20, dir, failed)
		}
	}
	return failed
}

// older compares dotted versions.
func older(have, least string) bool {
	a, b := strings.Split(have, "."), strings.Split(least, ".")
	for i := range b {
		if i >= len(a) {
			return true
		}
		x, errX := strconv.Atoi(a[i])
		y, errY := strconv.Atoi(b[i])
		if errX != nil || errY != nil || x != y {
			return x < y
		}
	}
	return false
}

// holder names the process that listens on a port, as well as we can see it.
func holder(port int) string {
	if runtime.GOOS == "linux" {
		if name := linuxHolder(port); name != "" {
			return name
		}
	}
	out, err := exec.Command("lsof", "-nP", "-iTCP:"+strconv.Itoa(port), "-sTCP:LISTEN", "-Fpc").Output()
	if err != nil {
		return "another program"
	}
	pid, name := "", ""
	for line := range strings.Lines(string(out)) {
		switch line[0] {
		case 'p':
			pid = strings.TrimSpace(line[1:])
		case 'c':
			name = strings.TrimSpace(line[1:])
		}
	}
	return name + " (process " + pid + ")"
}

// linuxHolder finds the listening socket in /proc/net, then the process that has it open.
func linuxHolder(port int) string {
	sockets := map[string]bool{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(table)
		if err != nil {
			continue // no IPv6
		}
		for line := range strings.Lines(string(text)) {
			f := strings.Fields(line)
			const listening = "0A"
			if len(f) > 9 && f[3] == listening && strings.HasSuffix(f[1], fmt.Sprintf(":%04X", port)) {
				sockets["socket:["+f[9]+"]"] = true
			}
		}
	}
	files, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return ""
	}
	for _, file := range files {
		to, err := os.Readlink(file)
		if err != nil || !sockets[to] {
			continue // closed meanwhile, or not ours to see
		}
		dir := filepath.Dir(filepath.Dir(file))
		name, err := os.ReadFile(filepath.Join(dir, "comm"))
		if err != nil {
			continue
		}
		return string(bytes.TrimSpace(name)) + " (process " + filepath.Base(dir) + ")"
	}
	return ""
}
