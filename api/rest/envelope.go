package rest

import (
	"errors"
	"net/http"
	"reflect"
	"regexp"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/strictjson"
)

// Envelope is the shape of every answer (docs/domain.md).
type Envelope[T any] struct {
	Result  bool   `json:"result"`
	Code    int    `json:"code" doc:"HTTP status"`
	Detail  T      `json:"detail"`
	Message string `json:"message" doc:"The specification's English text"`
}

// WithToken is the answer of a call that opens a session: its token stands beside the detail.
type WithToken[T any] struct {
	Token  string
	Detail T
}

// EnvelopeWithToken is the Envelope of WithToken.
type EnvelopeWithToken[T any] struct {
	Result  bool   `json:"result"`
	Code    int    `json:"code" doc:"HTTP status"`
	Token   string `json:"token" doc:"Of the session that was opened; empty when none was"`
	Detail  T      `json:"detail"`
	Message string `json:"message" doc:"The specification's English text"`
}

func (WithToken[T]) envelopeType() reflect.Type { return reflect.TypeFor[EnvelopeWithToken[T]]() }

func (s WithToken[T]) envelope(message string) any {
	return EnvelopeWithToken[T]{Result: true, Code: http.StatusOK, Token: s.Token, Detail: s.Detail, Message: message}
}

// enveloped is an answer with an envelope of its own.
type enveloped interface {
	envelopeType() reflect.Type
	envelope(message string) any
}

// envelopeType is the type of the envelope that an answer comes in.
func envelopeType[Out any]() reflect.Type {
	var out Out
	if own, ok := any(out).(enveloped); ok {
		return own.envelopeType()
	}
	return reflect.TypeFor[Envelope[Out]]()
}

// envelope puts an answer into its envelope.
func envelope[Out any](out Out, message string) any {
	if own, ok := any(out).(enveloped); ok {
		return own.envelope(message)
	}
	return Envelope[Out]{Result: true, Code: http.StatusOK, Detail: out, Message: message}
}

// success is the message of an answer that the specification has no text for.
const success = "success"

// ErrorEnvelope is the envelope of an answer that is not the one asked for.
type ErrorEnvelope struct {
	Result  bool          `json:"result"`
	Code    int           `json:"code" doc:"HTTP status; 401 and 402 mean only that the session is over"`
	Detail  any           `json:"detail" doc:"With 401 the text Invalid Token"`
	Message string        `json:"message" doc:"The specification's English text"`
	Fault   string        `json:"fault" doc:"Stable code, translated by the front ends"`
	Fields  []fault.Field `json:"fields,omitempty" doc:"What is wrong with which field"`
}

var _ huma.StatusError = (*ErrorEnvelope)(nil)

func (r *ErrorEnvelope) Error() string  { return r.Fault }
func (r *ErrorEnvelope) GetStatus() int { return r.Code }

// ErrorResponse turns any error into what a client may see. The message of bad input is that of its first field. A call of which nobody
// knows whether it was done says so: the client may not read that nothing has happened.
func ErrorResponse(err error) *ErrorEnvelope {
	f := fault.From(err)
	if db.IsUnknownOutcome(err) {
		f = fault.OutcomeUnknown
	}
	r := &ErrorEnvelope{Code: int(f.Kind), Detail: f.Detail, Message: f.Message, Fault: f.Code, Fields: f.Fields}
	switch {
	case f.Kind == fault.Unauthorized:
		r.Detail = f.Message // a client may look for it in either place
	case len(f.Fields) > 0:
		r.Message = fault.MessageOf(f.Fields[0].Fault)
	}
	return r
}

// refuseInput replaces huma's own errors. It drops the rejected values, so that no password or id number is echoed.
func refuseInput(status int, _ string, errs ...error) huma.StatusError {
	switch status {
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return ErrorResponse(fault.Missing)
	case http.StatusRequestEntityTooLarge:
		return ErrorResponse(fault.BodyTooLarge)
	case http.StatusInternalServerError:
		return ErrorResponse(fault.Internal)
	}

	var fields []fault.Field
	for _, err := range errs {
		var detail huma.ErrorDetailer
		if !errors.As(err, &detail) || len(fields) == maxFields {
			continue
		}
		d := detail.ErrorDetail()
		switch d.Message { // huma keeps the text of an error alone
		case strictjson.ErrRepeatedKey.Error():
			return ErrorResponse(fault.RepeatedKey)
		case strictjson.ErrTooDeep.Error(), strictjson.ErrTooMany.Error():
			return ErrorResponse(fault.TooComplex)
		}
		fields = append(fields, field(d))
	}
	return ErrorResponse(fault.Of(fields...))
}

// What is said about a body does not grow with it: so many fields at most, and so much of a key that nobody knows.
const (
	maxFields = 100
	maxPath   = 200
)

var index = regexp.MustCompile(`\[(\d+)\]`)

func field(d *huma.ErrorDetail) fault.Field {
	location := d.Location
	if len(location) > maxPath {
		location = strings.ToValidUTF8(location[:maxPath], "")
	}
	path := index.ReplaceAllString(strings.TrimPrefix(strings.TrimPrefix(location, "body"), "."), ".$1")
	if name, ok := strings.CutPrefix(d.Message, "expected required property "); ok {
		missing, _, _ := strings.Cut(name, " ")
		return fault.Field{Path: strings.TrimPrefix(path+"."+missing, "."), Fault: fault.Required.Code}
	}
	for _, rule := range wording {
		if strings.HasPrefix(d.Message, rule.prefix) {
			return fault.Field{Path: path, Fault: rule.why.Code}
		}
	}
	return fault.Field{Path: path, Fault: fault.WrongFormat.Code}
}

// wording maps prefixes of huma's messages (v2.37.2, validate.go) to our codes.
var wording = []struct {
	prefix string
	why    *fault.Fault
}{
	{"unexpected property", fault.Unknown},
	{"required ", fault.Required},
	{"expected length >=", fault.TooShort},
	{"expected length <=", fault.TooLong},
	{"expected array length >=", fault.TooShort},
	{"expected array length <=", fault.TooLong},
	{"expected number >", fault.TooSmall},
	{"expected number <", fault.TooBig},
	{"expected value to be one of", fault.NotInList},
	{"expected array items to be unique", fault.Duplicate},
	{"expected string to", fault.WrongFormat},
	{"expected", fault.WrongType},
}
