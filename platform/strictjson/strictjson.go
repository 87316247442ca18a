// Package strictjson decodes JSON from outside so that every reader of a text gets the same values.
//
// encoding/json accepts {"Quantity": 2} for a field named quantity, and of {"quantity": 1, "quantity": 2} the last. Then one reader
// may check another value than the next one uses.
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

// Limits of one text. The largest that an organisation saves has some 500 rows of a few values.
const (
	MaxDepth  = 16
	MaxValues = 10_000
)

// Errors of a text. Other errors are those of the decoder.
var (
	ErrRepeatedKey = errors.New("strictjson: a key stands twice in one object")
	ErrTooDeep     = fmt.Errorf("strictjson: more than %d levels", MaxDepth)
	ErrTooMany     = fmt.Errorf("strictjson: more than %d values", MaxValues)
)

// options are those of encoding/json, except that names are exact and unique.
var options = json.JoinOptions(jsonv1.DefaultOptionsV1(), json.MatchCaseInsensitiveNames(false), jsontext.AllowDuplicateNames(false))

// Unmarshal is json.Unmarshal with exact keys. It returns ErrRepeatedKey, ErrTooDeep or ErrTooMany before it decodes anything.
func Unmarshal(text []byte, v any) error {
	if err := check(text); err != nil {
		return err
	}
	return json.Unmarshal(text, v, options)
}

// UnmarshalKnown is Unmarshal, and returns an error for a key for which v has no field.
func UnmarshalKnown(text []byte, v any) error {
	if err := check(text); err != nil {
		return err
	}
	return json.Unmarshal(text, v, options, json.RejectUnknownMembers(true))
}

// check reads the text token by token. It stores only the names of open objects.
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
			return ErrRepeatedKey // the decoder's error would contain the key
		case err != nil:
			return err
		}
	}
}
