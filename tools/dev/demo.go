//go:build unix

package main

import "context"

// loadDemo fills the platform with demo organisations, once, and says who can sign in where.
type loadDemo func(ctx context.Context, o demoOptions) ([]account, error)

// demoOptions are the addresses of a running platform and of what is imitated around it (empty when it is not imitated).
type demoOptions struct {
	BaseURL, LineURL, PayURL, SMSURL string
	Program                          string   // the binary, for `admin add`
	Environment                      []string // for the binary, the migrator's address included
	Dir                              string   // for what must be remembered between starts
}

// account is an area and who can sign in there.
type account struct{ Area, URL, SignIn string }
