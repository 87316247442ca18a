// Package fault is the one error type that may reach a client.
//
// A Fault is declared once, as a package variable beside the rule that returns it. It has a stable Code, which the front ends
// translate, and a Message, the English text on the wire. Any other error is internal: it is logged at the edge, and the client
// gets Internal.
package fault

import (
	"errors"
	"net/http"
	"slices"
	"sync"
)

// Kind is the sort of a fault. It decides the HTTP status and nothing else.
type Kind int

// The closed list of kinds. 401 means that the session is over, and nothing else (docs/domain.md, Wire).
const (
	Invalid      Kind = http.StatusUnprocessableEntity
	Unauthorized Kind = http.StatusUnauthorized
	Forbidden    Kind = http.StatusForbidden
	NotFound     Kind = http.StatusNotFound
	Conflict     Kind = http.StatusConflict
	TooLarge     Kind = http.StatusRequestEntityTooLarge
	TooMany      Kind = http.StatusTooManyRequests
	Unavailable  Kind = http.StatusServiceUnavailable
	Broken       Kind = http.StatusInternalServerError
)

// Fault is an error for a client, with a stable code. Compare it with errors.Is: two faults are equal if their codes are.
type Fault struct {
	Kind    Kind
	Code    string
	Message string
	Fields  []Field
	Detail  any // shown beside the text; never anything internal
}

// Field is one wrong field of a body: its dotted path, and the code of another fault.
type Field struct {
	Path  string `json:"path" doc:"Dotted path of the field in the body"`
	Fault string `json:"fault" doc:"Stable code of what is wrong with it"`
}

var (
	mu   sync.Mutex
	all  []*Fault
	seen = map[string]bool{}
)

// New declares a fault. It panics if the code is declared already.
func New(kind Kind, code, message string) *Fault {
	mu.Lock()
	defer mu.Unlock()

	if seen[code] {
		panic("fault: " + code + " is declared twice")
	}
	seen[code] = true
	f := &Fault{Kind: kind, Code: code, Message: message}
	all = append(all, f)
	return f
}

// Faults that belong to no domain.
var (
	Internal     = New(Broken, "internal", "please try again")
	BadInput     = New(Invalid, "input.invalid", "please check the highlighted fields")
	Missing      = New(NotFound, "not_found", "not found")
	NoSession    = New(Unauthorized, "session.invalid_token", "Invalid Token")
	NotAllowed   = New(Forbidden, "access.forbidden", "you do not have the right to do this")
	RateLimited  = New(TooMany, "rate.limited", "too many requests, please wait a moment")
	BodyTooLarge = New(TooLarge, "input.too_large", "the request is too large")
	RepeatedKey  = New(Invalid, "input.repeated_key", "a field stands twice in this request")
	TooComplex   = New(Invalid, "input.too_complex", "the request holds too many values")
	Unready      = New(Unavailable, "unavailable", "please try again")
	// OutcomeUnknown says that a call may have taken effect or not. The client repeats it under the same idempotency key.
	OutcomeUnknown = New(Unavailable, "outcome_unknown", "it is not known whether this was done, please try again")
)

// Codes of single fields, used inside BadInput.
var (
	Required    = New(Invalid, "field.required", "this field is required")
	TooLong     = New(Invalid, "field.too_long", "this text is too long")
	TooShort    = New(Invalid, "field.too_short", "this text is too short")
	TooSmall    = New(Invalid, "field.too_small", "this number is too small")
	TooBig      = New(Invalid, "field.too_big", "this number is too big")
	WrongFormat = New(Invalid, "field.format", "this value has the wrong format")
	WrongType   = New(Invalid, "field.type", "this value has the wrong type")
	Unknown     = New(Invalid, "field.unknown", "this field is not known here")
	NotInList   = New(Invalid, "field.not_in_list", "this value is not one of the choices")
	Duplicate   = New(Invalid, "field.duplicate", "this value is already in use")
	Fixed       = New(Invalid, "field.fixed", "this cannot be changed any more")
)

func (f *Fault) Error() string { return f.Code + ": " + f.Message }

// Is compares by code, so that a fault with fields or a detail is still the declared one.
func (f *Fault) Is(target error) bool {
	t, ok := target.(*Fault)
	return ok && t.Code == f.Code
}

// With returns a copy with a detail for the client.
func (f *Fault) With(detail any) *Fault {
	g := *f
	g.Detail = detail
	return &g
}

// At returns a copy of BadInput for one field.
func At(path string, why *Fault) *Fault { return Of(Field{Path: path, Fault: why.Code}) }

// Of returns a copy of BadInput for fields.
func Of(fields ...Field) *Fault {
	g := *BadInput
	g.Fields = fields
	return &g
}

// Within returns err with the paths of its fields below path, for what is a part of a larger body.
func Within(path string, err error) error {
	f, ok := errors.AsType[*Fault](err)
	if !ok || len(f.Fields) == 0 {
		return err
	}
	g := *f
	g.Fields = make([]Field, len(f.Fields))
	for i, field := range f.Fields {
		g.Fields[i] = Field{Path: path + "." + field.Path, Fault: field.Fault}
	}
	return &g
}

// From returns the fault in err, or Internal.
func From(err error) *Fault {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	return Internal
}

// MessageOf returns the message of a declared code, or that of BadInput.
func MessageOf(code string) string {
	mu.Lock()
	defer mu.Unlock()

	for _, f := range all {
		if f.Code == code {
			return f.Message
		}
	}
	return BadInput.Message
}

// Codes returns every declared code in alphabetical order. The front ends' union type is generated from it.
func Codes() []string {
	mu.Lock()
	defer mu.Unlock()

	codes := make([]string, 0, len(all))
	for _, f := range all {
		codes = append(codes, f.Code)
	}
	slices.Sort(codes)
	return codes
}
