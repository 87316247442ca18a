package rest

import (
	"errors"
	"net/http"
	"regexp"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"welovevoucher/platform/fault"
)

// Envelope is the shape of every answer (domain.md, Envelope).
type Envelope[T any] struct {
	Result  bool   `json:"result"`
	Code    int    `json:"code" doc:"HTTP status"`
	Detail  T      `json:"detail"`
	Message string `json:"message" doc:"The specification's English text"`
}

// Refusal is the envelope of an answer that is not the one asked for.
type Refusal struct {
	Result  bool          `json:"result"`
	Code    int           `json:"code" doc:"HTTP status; 401 and 402 mean only that the session is over"`
	Detail  any           `json:"detail"`
	Message string        `json:"message" doc:"The specification's English text"`
	Fault   string        `json:"fault" doc:"Stable code, translated by the front ends"`
	Fields  []fault.Field `json:"fields,omitempty" doc:"What is wrong with which field"`
}

var _ huma.StatusError = (*Refusal)(nil)

func (r *Refusal) Error() string  { return r.Fault }
func (r *Refusal) GetStatus() int { return r.Code }

// Refuse turns any error into what a client may see.
func Refuse(err error) *Refusal {
	f := fault.From(err)
	return &Refusal{Code: int(f.Kind), Detail: f.Detail, Message: f.Message, Fault: f.Code, Fields: f.Fields}
}

// refuseInput replaces huma's own errors. It drops the rejected values, so that no password or id number is echoed.
func refuseInput(status int, _ string, errs ...error) huma.StatusError {
	switch status {
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return Refuse(fault.Missing)
	case http.StatusRequestEntityTooLarge:
		return Refuse(fault.BodyTooLarge)
	case http.StatusInternalServerError:
		return Refuse(fault.Internal)
	}

	var fields []fault.Field
	for _, err := range errs {
		var detail huma.ErrorDetailer
		if errors.As(err, &detail) {
			fields = append(fields, field(detail.ErrorDetail()))
		}
	}
	return Refuse(fault.Of(fields...))
}

var index = regexp.MustCompile(`\[(\d+)\]`)

func field(d *huma.ErrorDetail) fault.Field {
	path := index.ReplaceAllString(strings.TrimPrefix(strings.TrimPrefix(d.Location, "body"), "."), ".$1")
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

// wording maps the beginnings of huma's messages (v2.37.2, validate.go) to our codes.
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
