package resource

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/strictjson"
)

// bind checks a JSON value against a column's type and returns the text that Postgres casts.
func bind(k kind, value any, path string) (string, error) {
	switch v := value.(type) {
	case string:
		if len(v) > 300 {
			return "", fault.At(path, fault.TooLong)
		}
		text, ok := bindText(k, v)
		if !ok {
			return "", fault.At(path, fault.WrongFormat)
		}
		return text, nil
	case bool:
		if k == boolKind {
			return strconv.FormatBool(v), nil
		}
	case float64:
		if k == floatKind {
			return strconv.FormatFloat(v, 'g', -1, 64), nil
		}
		if k == intKind && v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return strconv.FormatInt(int64(v), 10), nil
		}
	}
	return "", fault.At(path, fault.WrongType)
}

// bindText is bind for a string: a value of a filter, or of a cursor.
func bindText(k kind, v string) (string, bool) {
	switch k {
	case textKind:
		return v, db.IsText(v)
	case uuidKind, listKind:
		id, err := uuid.Parse(v)
		return id.String(), err == nil
	case dateKind:
		day, err := time.Parse(time.DateOnly, v)
		return v, err == nil && inCalendar(day)
	case timeKind:
		at, err := time.Parse(time.RFC3339, v)
		return at.UTC().Format(time.RFC3339Nano), err == nil && inCalendar(at)
	}
	return "", false
}

// inCalendar reports whether a time can be sent as text to Postgres and to clients: neither has a year 0 or 10000.
func inCalendar(at time.Time) bool {
	year := at.UTC().Year()
	return year > 0 && year < 10_000
}

// cursor is the position after a row: its sort key, as Postgres writes it, and its id.
type cursor struct {
	Sort  string    `json:"s"`
	Value string    `json:"v"`
	ID    uuid.UUID `json:"i"`
}

func (c cursor) String() string {
	body, err := json.Marshal(c)
	if err != nil {
		panic(err) // three strings always encode
	}
	return base64.RawURLEncoding.EncodeToString(body)
}

var errCursor = fault.At("after", fault.WrongFormat)

// readCursor accepts only a cursor that page could have written for the same sort.
func readCursor(text, sort string, k kind) (*cursor, error) {
	body, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil, errCursor
	}
	c := &cursor{}
	if err := strictjson.Unmarshal(body, c); err != nil || c.Sort != sort {
		return nil, errCursor
	}
	var ok bool
	if c.Value, ok = fromPostgres(k, c.Value); !ok {
		return nil, errCursor
	}
	return c, nil
}

// fromPostgres checks a text that Postgres may have written for the type, and returns it in a form that it can cast back.
func fromPostgres(k kind, v string) (text string, ok bool) {
	switch k {
	case intKind:
		_, err := strconv.ParseInt(v, 10, 64)
		return v, err == nil
	case floatKind:
		f, err := strconv.ParseFloat(v, 64)
		return v, err == nil && !strings.ContainsAny(v, "xX_") && (f != 0 || v == "0" || v == "-0") // Postgres refuses 1e-400
	case boolKind:
		return v, v == "true" || v == "false"
	case timeKind: // Go accepts zones, commas and a year 0 that Postgres refuses
		if v == "-infinity" {
			return v, true
		}
		at, err := time.Parse("2006-01-02 15:04:05.999999999Z07", v)
		return at.UTC().Format(time.RFC3339Nano), err == nil && inCalendar(at)
	case dateKind:
		if v == "-infinity" {
			return v, true
		}
	}
	return bindText(k, v)
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
