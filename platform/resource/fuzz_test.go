package resource

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
)

// parcel has a column of every type.
type parcel struct {
	Base
	Name   string      `json:"name"`
	Weight float64     `json:"weight"`
	Pieces int64       `json:"pieces"`
	Sent   *time.Time  `json:"sent"`
	Day    *string     `json:"day"`
	Fragil bool        `json:"fragile"`
	Tags   []uuid.UUID `json:"tags"`
}

var parcels = New(Def[parcel]{
	Name: "parcel", Module: "parcel", Relation: "parcel", AtMost: 1000, HasStatus: true, InitialStatus: Inactive, Sort: "-created_at",
	Columns: []Column{
		{Name: "name", Can: Filter | Search | Sort | Lookup},
		{Name: "weight", Can: Filter | Sort},
		{Name: "pieces", Can: Filter | Sort},
		{Name: "sent", Can: Filter | Sort},
		{Name: "day", Date: true, Can: Filter | Sort},
		{Name: "fragile", Can: Filter | Sort},
		{Name: "tags", Can: Filter},
	},
})

var (
	placeholder = regexp.MustCompile(`\$(\d+)`)
	// fragment is what our own conditions are made of; a caller's words are none of it.
	fragment = regexp.MustCompile(`^( |\(|\)|::|\[\]|ARRAY\[|\]|@>|=|<>|>=|<=|WHERE|AND|OR|IS NULL|ILIKE|ANY|true|false|NOT|\$\d+|r\.[a-z_]+|5|9|text|bigint|double precision|boolean|uuid|timestamptz|date)*$`)
)

// FuzzPlan: only fragments of the Def and placeholders get into the statement, each placeholder with its value.
func FuzzPlan(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"filter":{"name":"x","pieces":[1,2],"sent":{"from":"2026-01-01T00:00:00Z"},"day":{"to":"2026-02-28"},"tags":"00000000-0000-0000-0000-000000000000","active":true}}`,
		`{"filter":{"name":null,"weight":{"from":-1e300,"to":5e-324},"fragile":[true,false]},"search":"ก 100% _","sort":"-day","select":["id","name"]}`,
		`{"sort":"weight","after":"eyJzIjoid2VpZ2h0IiwidiI6IjEiLCJpIjoiMDAwMDAwMDAtMDAwMC0wMDAwLTAwMDAtMDAwMDAwMDAwMDAwIn0"}`,
		`{"filter":{"name = ''; --":"x"}}`, `{"filter":{"day":"0000-01-01"}}`, `{"search":"'; DROP TABLE parcel; --"}`, `{"filter":{"name":{"from":"a"}}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var q Query
		if json.Unmarshal([]byte(text), &q) != nil {
			return
		}
		p, err := parcels.plan(q)
		if err != nil {
			require.ErrorIs(t, err, fault.BadInput)
			require.NotEmpty(t, fault.From(err).Fields)
			return
		}
		require.Regexp(t, fragment, p.where)
		used := map[string]bool{}
		for _, found := range placeholder.FindAllStringSubmatch(p.where, -1) {
			n, err := strconv.Atoi(found[1])
			require.NoError(t, err)
			require.LessOrEqual(t, n, len(p.args))
			used[found[1]] = true
		}
		require.Len(t, used, len(p.args))
		for _, arg := range p.args {
			if value, ok := arg.(string); ok {
				require.True(t, db.IsText(value))
			}
		}
	})
}

// FuzzCursor: a cursor is refused, or page could have written it: for the same sort, of the column's type.
func FuzzCursor(f *testing.F) {
	sorts := []string{"name", "weight", "pieces", "sent", "day", "fragile", "created_at"}
	for i, value := range []string{"ก", "-Infinity", "-9223372036854775808", "2026-11-21 00:00:00.123456+00", "-infinity", "true", "0000-01-01 00:00:00+00"} {
		f.Add(uint8(i), value)
	}
	f.Fuzz(func(t *testing.T, which uint8, value string) {
		name := sorts[int(which)%len(sorts)]
		at := cursor{Sort: name, Value: value, ID: uuid.UUID{1}}
		p, err := parcels.plan(Query{Sort: name, After: at.String()})
		if err != nil {
			require.Equal(t, "after", fault.From(err).Fields[0].Path)
			return
		}
		require.Equal(t, name, p.after.Sort)
		require.Equal(t, uuid.UUID{1}, p.after.ID)
		require.False(t, strings.ContainsRune(p.after.Value, 0))
		_, err = parcels.plan(Query{Sort: "-" + name, After: at.String()})
		require.Error(t, err, "another sort")
	})
}

// FuzzDate: a date or time is refused, or Postgres and a client can store it and it is written back the same. Thai digits and names
// of months are refused; a year of the Buddhist era is read as any other year.
func FuzzDate(f *testing.F) {
	for _, seed := range []string{
		"2026-11-21", "2569-11-21", "๒๕๖๙-๑๑-๒๑", "21 พ.ย. 2569", "21/11/2569", "2568-02-29", "2024-02-29", "0000-01-01", "10000-01-01", "-0001-01-01", "2026-1-1", "2026-11-21 ", "-infinity",
		"2026-11-21T00:00:00+07:00", "2026-11-21T24:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59.999999999-14:00", "2026-11-21T00:00:00,5Z", "2026-11-21 00:00:00.123456+00", "2026-11-21t00:00:00z",
		"2026-11-21 00:00:00,5+00", "2026-11-21 00:00:00+20", "0000-12-31 23:00:00-02",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if day, ok := bindText(dateKind, text); ok {
			require.Regexp(t, `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`, day)
			require.Equal(t, text, day)
			cast, ok := fromPostgres(dateKind, day)
			require.True(t, ok)
			require.Equal(t, day, cast)
			at, err := time.Parse(time.RFC3339, day+"T00:00:00Z")
			require.NoError(t, err)
			require.Equal(t, day, at.Format(time.DateOnly), "a day that is in the calendar")
			require.NotZero(t, at.Year())
		}
		if written, ok := bindText(timeKind, text); ok {
			require.Regexp(t, `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]+)?Z$`, written)
			require.False(t, strings.HasPrefix(written, "0000"))
			asked, err := time.Parse(time.RFC3339, text)
			require.NoError(t, err)
			again, ok := bindText(timeKind, written)
			require.True(t, ok)
			require.Equal(t, written, again)
			at, err := time.Parse(time.RFC3339Nano, written)
			require.NoError(t, err)
			require.True(t, at.Equal(asked))
		}
		if cast, ok := fromPostgres(timeKind, text); ok && text != "-infinity" {
			again, ok := bindText(timeKind, cast)
			require.True(t, ok, "%q is cast as %q", text, cast)
			require.Equal(t, cast, again)
		}
	})
}
