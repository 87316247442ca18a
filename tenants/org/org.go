// Package org knows the organisations: who they are, where their pages live, how they look, and how one is opened.
package org

import (
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/payment"
)

// State of an organisation.
type State string

// An organisation is provisioning until its schema, first rows and addresses are there, and answers nobody. A suspended one sells, gives and
// takes money for nothing, but its vouchers are used and refunded as before.
const (
	Provisioning State = "provisioning"
	Live         State = "live"
	Suspended    State = "suspended"
)

// Org is an organisation, as far as the rest of the program needs it.
type Org struct {
	ID                uuid.UUID
	Unique            string
	NameTH, NameEN    string
	TaglineTH         string
	TaglineEN         string
	State             State
	Primary           string // #rrggbb
	Secondary         string // #rrggbb
	Logo              uuid.UUID
	RegisterBeforeUse bool
	PasswordPolicy    string // spec, strong
	Collector         payment.Collector
	FeeBasisPoints    int64
	Modules           []string
	LineChannel       string
	lineSecret        []byte // encrypted
	Host              string // the canonical one, or while that is not verified another; "" when it has none of its own
	Liff              Liff
	Plan              uuid.UUID
	CreatedAt         time.Time
}

// Liff holds the ids of the organisation's LIFF apps; an empty one is not used.
type Liff struct {
	User     string `json:"liffuser"`
	Agent    string `json:"liffagent"`
	Trade    string `json:"lifftrade"`
	Transfer string `json:"lifftransfer"`
}

// Answers reports whether the organisation has pages and sessions.
func (o Org) Answers() bool { return o.State == Live || o.State == Suspended }

// Name in the language asked for.
func (o Org) Name(lang string) string {
	if lang == "en" && o.NameEN != "" {
		return o.NameEN
	}
	return o.NameTH
}

// Faults of this package.
var (
	ErrNotFound  = fault.New(fault.NotFound, "org.not_found", "organisation not found")
	ErrSuspended = fault.New(fault.Conflict, "org.suspended", "The shop is closed for now")
)

// Forms of what an admin types.
var (
	UniqueForm = regexp.MustCompile(`^[a-z0-9-]{3,40}$`)
	ColourForm = regexp.MustCompile(`^#[0-9a-f]{6}$`)
	HostForm   = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$`)
	LiffForm   = regexp.MustCompile(`^[0-9]{6,12}-[A-Za-z0-9]{8}$`)
)

// CleanHost lowers a Host header and cuts its port.
func CleanHost(host string) string {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		host = host[:i]
	}
	return host
}
