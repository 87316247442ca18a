//go:build unix && !linux

package process

import "syscall"

// Other systems have no such signal: there a child is left behind when we are killed with SIGKILL, and only then.
func signalOnParentDeath(*syscall.SysProcAttr, syscall.Signal) {}
