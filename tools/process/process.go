//go:build unix

// Package process starts child processes that never outlive us: they stop with Stop, and on Linux even when we are killed.
package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Process is a running child and everything it started in its process group.
type Process struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error
}

// Start runs cmd in a process group of its own, so that a Ctrl-C in the terminal reaches us alone and we choose the order
// in which children stop. orphaned is the signal the kernel sends the child when we die without stopping it (Linux only).
func Start(cmd *exec.Cmd, orphaned syscall.Signal) (*Process, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	signalOnParentDeath(cmd.SysProcAttr, orphaned)

	p := &Process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		// The kernel sends that signal when the thread that forked ends, so this goroutine keeps its thread until the child is gone.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()

		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		p.err = cmd.Wait()
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	return p, nil
}

// Pid is the child's process id.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Done is closed when the child has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err says how the child ended; it is nil while it runs and after exit status 0.
func (p *Process) Err() error {
	select {
	case <-p.done:
		return p.err
	default:
		return nil
	}
}

// Stop sends sig to the child's group, and SIGKILL to what is left of it after the grace. It returns when the child is gone.
func (p *Process) Stop(sig syscall.Signal, grace time.Duration) error {
	if err := p.signal(sig); err != nil {
		return err
	}
	select {
	case <-p.done:
	case <-time.After(grace):
	}
	if err := p.signal(syscall.SIGKILL); err != nil {
		return err
	}
	<-p.done
	return nil
}

func (p *Process) signal(sig syscall.Signal) error {
	if err := syscall.Kill(-p.Pid(), sig); err != nil && !errors.Is(err, syscall.ESRCH) && !errors.Is(err, syscall.EPERM) {
		return fmt.Errorf("signal process group %d: %w", p.Pid(), err)
	}
	return nil
}

// Run runs something to its end, with our output; when ctx ends first, it and what it started are stopped.
func Run(ctx context.Context, env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr, cmd.Env = os.Stdout, os.Stderr, env
	p, err := Start(cmd, syscall.SIGTERM)
	if err != nil {
		return err
	}
	select {
	case <-p.Done():
		if p.Err() != nil {
			return fmt.Errorf("`%s` failed: %w", strings.Join(append([]string{name}, args...), " "), p.Err())
		}
		return nil
	case <-ctx.Done():
		return errors.Join(ctx.Err(), p.Stop(syscall.SIGTERM, 5*time.Second))
	}
}
