// Package strictjson reads JSON that came from outside, so that everybody who reads the same text reads the same values.
//
// encoding/json takes {"Quantity": 2} for a field named quantity, and of {"quantity": 1, "quantity": 2} the last: what one reader has
// checked is then not what the next one uses.
package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// Limits of one text. What an organisation saves at most has some 500 rows of a few values.
const (
	MaxDepth  = 16
	MaxValues = 10_000
)

// Refusals of a text. Anything else that is wrong with one is the decoder's own error.
var (
	ErrRepeatedKey = errors.New("strictjson: a key stands twice in one object")
	ErrTooDeep     = fmt.Errorf("strictjson: more than %d levels", MaxDepth)
	ErrTooMany     = fmt.Errorf("strictjson: more than %d values", MaxValues)
)

// options are encoding/json's own behaviour, but for the names: they are exact, and stand once.
var options = json.JoinOptions(jsonv1.DefaultOptionsV1(), json.MatchCaseInsensitiveNames(false), jsontext.AllowDuplicateNames(false))

// Unmarshal is json.Unmarshal with exact keys. It returns ErrRepeatedKey, ErrTooDeep or ErrTooMany before anything is decoded.
func Unmarshal(text []byte, v any) error {
	if err := check(text); err != nil {
		return err
	}
	return json.Unmarshal(text, v, options)
}

// UnmarshalKnown is Unmarshal that refuses a key for which v has no field.
func UnmarshalKnown(text []byte, v any) error {
	if err := check(text); err != nil {
		return err
	}
	return json.Unmarshal(text, v, options, json.RejectUnknownMembers(true))
}

// check reads the text token by token and keeps none of it but the names of the objects that are open.
func check(text []byte) error {
	decoder := jsontext.NewDecoder(bytes.NewReader(text), options)
	for n := 0; ; n++ {
		if n > 2*MaxValues { // names count as well
			return ErrTooMany
		}
		if decoder.StackDepth() > MaxDepth {
			return ErrTooDeep
		}
		_, err := decoder.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, jsontext.ErrDuplicateName):
			return ErrRepeatedKey // its own text would name the key
		case err != nil:
			return err
		}
	}
}
