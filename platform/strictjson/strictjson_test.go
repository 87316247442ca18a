package strictjson_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/strictjson"
)

type line struct {
	Package  uuid.UUID `json:"package_id"`
	Quantity int       `json:"quantity"`
}

type cart struct {
	Lines []line          `json:"lines"`
	More  map[string]any  `json:"more"`
	Raw   json.RawMessage `json:"raw"`
}

func TestKeysAreExact(t *testing.T) {
	for _, text := range []string{
		`{"Lines":[{"quantity":1}]}`, `{"lines":[{"Quantity":9}]}`, `{"lines":[{"QUANTITY":9}]}`, `{"lineſ":[{"quantity":9}]}`, // ſ folds to s
	} {
		var c cart
		require.NoError(t, strictjson.Unmarshal([]byte(text), &c))
		for _, l := range c.Lines {
			require.Zero(t, l.Quantity, text)
		}
		require.Error(t, strictjson.UnmarshalKnown([]byte(text), &c), text)
	}
}

func TestKeysStandOnce(t *testing.T) {
	for _, text := range []string{
		`{"lines":[],"lines":[]}`, `{"lines":[{"quantity":1,"quantity":2}]}`, `{"lines":[{"quantity":1,"\u0071uantity":2}]}`,
		`{"more":{"a":{"b":1,"b":1}}}`, `{"raw":{"a":1,"a":2}}`, `{"raw":[[{"a":1,"a":2}]]}`, `{"unknown":{"a":1,"a":2}}`, `{"":1,"":2}`,
	} {
		var c cart
		require.ErrorIs(t, strictjson.Unmarshal([]byte(text), &c), strictjson.ErrRepeatedKey, text)
		var value any
		require.ErrorIs(t, strictjson.Unmarshal([]byte(text), &value), strictjson.ErrRepeatedKey, text)
		require.Zero(t, c, "nothing is decoded")
	}
	var value any
	require.NoError(t, strictjson.Unmarshal([]byte(`{"a":{"b":1},"c":{"b":1}}`), &value), "in another object it may stand again")
}

// What is not about keys is as encoding/json has it.
func TestTheRestIsAsBefore(t *testing.T) {
	for _, text := range []string{
		`null`, `{}`, `{"lines":null}`, `{"lines":[{"package_id":"01900000-0000-7000-8000-000000000001","quantity":3}],"more":{"a":[1,2.5,null,"\ud800"]}}`,
		`{"lines":[{"quantity":1.0}]}`, `{"lines":[{"quantity":1e2}]}`, `{"lines":[{"quantity":99999999999999999999}]}`, `{"lines":[{"quantity":"1"}]}`,
		`{"lines":[{"package_id":"x"}]}`, `{"more":{"a":1e999}}`, `{"raw":{"x":[1]}}`, "{\"more\":{\"a\":\"\xff\"}}", `{"lines":{}}`, `[]`, `1 2`, `{} {}`, `{`, ``, "\xef\xbb\xbf{}", `{"a":}`, `{"a":1,}`,
	} {
		var ours, theirs cart
		errOurs, errTheirs := strictjson.Unmarshal([]byte(text), &ours), json.Unmarshal([]byte(text), &theirs)
		require.Equal(t, errTheirs == nil, errOurs == nil, "%s: %v, %v", text, errOurs, errTheirs)
		if errTheirs == nil {
			require.Equal(t, theirs, ours, text)
		}
		var value, wanted any
		errOurs, errTheirs = strictjson.Unmarshal([]byte(text), &value), json.Unmarshal([]byte(text), &wanted)
		require.Equal(t, errTheirs == nil, errOurs == nil, "%s: %v, %v", text, errOurs, errTheirs)
		if errTheirs == nil {
			require.Equal(t, wanted, value, text)
		}
	}
}

func TestSwollenTextCostsNothing(t *testing.T) {
	const size = 1 << 20
	for what, test := range map[string]struct {
		text string
		want error
	}{
		"arrays":  {strings.Repeat("[", size), strictjson.ErrTooDeep},
		"objects": {strings.Repeat(`{"a":`, size/5), strictjson.ErrTooDeep},
		"zeros":   {"[" + strings.Repeat("0,", size/2) + "0]", strictjson.ErrTooMany},
		"empty":   {`{"lines":[` + strings.Repeat("{},", size/3) + "{}]}", strictjson.ErrTooMany},
	} {
		text := []byte(test.text)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var value any
		require.ErrorIs(t, strictjson.Unmarshal(text, &value), test.want, what)
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(size), what)
	}
	var value any
	require.NoError(t, strictjson.Unmarshal([]byte(strings.Repeat("[", strictjson.MaxDepth)+strings.Repeat("]", strictjson.MaxDepth)), &value))
}

func FuzzUnmarshal(f *testing.F) {
	for _, text := range []string{`{"lines":[{"quantity":1,"quantity":2}]}`, `{"Lines":[]}`, `{"more":{"a":1}}`, `{"raw":[1]}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var first any
		if strictjson.Unmarshal(text, &first) != nil {
			return
		}
		var c cart
		if strictjson.UnmarshalKnown(text, &c) != nil || first == nil {
			return
		}
		checked := first.(map[string]any) // what a schema is held against is what is used
		lines, _ := checked["lines"].([]any)
		require.Len(t, c.Lines, len(lines))
		for i, l := range lines {
			l, _ := l.(map[string]any)
			quantity, _ := l["quantity"].(float64)
			require.InDelta(t, quantity, float64(c.Lines[i].Quantity), 1024) // beyond 2^53 a float is near it only
		}
	})
}
