// Package bankfile makes the file that a bank is sent of payouts, and reads what the bank answers (docs/payouts.md, The bank's file).
package bankfile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/report"
	"welovevoucher/tenants/bank"
)

// Faults of what a bank answers.
var (
	ErrDayNotOver  = fault.New(fault.Invalid, "payout.day_not_over", "This day is not over")
	ErrUnknown     = fault.New(fault.Invalid, "payout.unknown", "This run has no payout with this reference")
	ErrOtherAmount = fault.New(fault.Invalid, "payout.other_amount", "This payout is of another amount")
	ErrNoFile      = fault.New(fault.Invalid, "payout.no_result_file", "This is no result file: it needs the columns reference, amount, outcome, day and reason")
)

// Standing is what one payout is. It is stored by its string.
type Standing string

// Standings of a payout. Failed is final.
const (
	Ready    Standing = "ready"
	LeftOut  Standing = "left_out"
	Booked   Standing = "booked"
	Sent     Standing = "sent"
	Paid     Standing = "paid"
	Failed   Standing = "failed"
	Returned Standing = "returned"
)

// Outcome is what a bank, or a person, says of a payout. It is stored by its string.
type Outcome string

// Outcomes.
const (
	WasPaid  Outcome = "paid"
	WasNot   Outcome = "failed"
	CameBack Outcome = "returned"
)

// Answer is what became of what was said. It is stored by its string.
type Answer string

// Answers.
const (
	Applied     Answer = "applied"
	Known       Answer = "known"
	Contradicts Answer = "contradicts"
)

// steps has for each outcome what a payout becomes by it, by way of which states. What was said before leads nowhere. What is not here contradicts.
var steps = map[Outcome]map[Standing][]Standing{
	WasPaid:  {Booked: {Paid}, Sent: {Paid}, Paid: {}, Returned: {}},
	WasNot:   {Booked: {Failed}, Sent: {Failed}, Paid: {Returned}, Failed: {}, Returned: {}},
	CameBack: {Sent: {Paid, Returned}, Paid: {Returned}, Returned: {}},
}

// ReadResult is what became of a result file.
type ReadResult struct {
	Rows        int      `json:"rows"`
	Applied     int      `json:"applied"`
	Known       int      `json:"known" doc:"Were known already, and changed nothing"`
	Contradicts []string `json:"contradicts" doc:"References of payouts of which something else was said before; nothing was changed of them"`
}

// Said is what is said of one payout.
type Said struct {
	ID      uuid.UUID
	Outcome Outcome
	Day     time.Time
	Reason  string
}

// Checked returns what is said of a payout. It returns fault.Required, fault.NotInList, fault.WrongFormat, fault.TooLong or ErrDayNotOver at a field.
func Checked(id uuid.UUID, what, on, why string, today time.Time) (s Said, err error) {
	s = Said{ID: id, Outcome: Outcome(what), Reason: strings.TrimSpace(why)}
	if _, ok := steps[s.Outcome]; !ok {
		return s, fault.At("outcome", fault.NotInList)
	}
	if s.Day, err = time.Parse(time.DateOnly, on); err != nil {
		return s, fault.At("day", fault.WrongFormat)
	}
	if s.Day.After(today) {
		return s, fault.At("day", ErrDayNotOver)
	}
	if s.Reason == "" && s.Outcome != WasPaid {
		return s, fault.At("reason", fault.Required)
	}
	if utf8.RuneCountInString(s.Reason) > 300 {
		return s, fault.At("reason", fault.TooLong)
	}
	return s, nil
}

// Path returns what a payout becomes by what is said of it, and whether that makes sense. A failure of what was paid is a return only if its day is later.
func (s Said) Path(is Standing, paidOn *time.Time) (path []Standing, sense bool) {
	path, sense = steps[s.Outcome][is]
	if is == Paid && s.Outcome == WasNot && !s.Day.After(*paidOn) {
		return nil, true
	}
	return path, sense
}

// Count counts what became of what was said of the payout with a reference, and returns it.
func (r *ReadResult) Count(reference string, path []Standing, sense bool) Answer {
	switch {
	case !sense:
		r.Contradicts = append(r.Contradicts, reference)
		return Contradicts
	case len(path) == 0:
		r.Known++
		return Known
	}
	r.Applied++
	return Applied
}

// The columns are ours and in English, so that the file is the same for whoever makes it.
var columns = []report.Column{
	{TH: "reference", EN: "reference"},
	{TH: "bank_code", EN: "bank_code"},
	{TH: "account_number", EN: "account_number"},
	{TH: "account_name", EN: "account_name"},
	{TH: "amount", EN: "amount", Kind: report.Satang},
	{TH: "pay_day", EN: "pay_day"},
}

// Line is a payout that a bank is sent.
type Line struct {
	Reference string
	Account   bank.Account
	Amount    money.Amount
}

// Write returns the bank's file: the same bytes for the same payouts.
func Write(lines []Line, payDay time.Time) ([]byte, error) {
	cells := make([][]any, 0, len(lines))
	for _, l := range lines {
		cells = append(cells, []any{l.Reference, l.Account.Bank, l.Account.Number, l.Account.Name, l.Amount, payDay.Format(time.DateOnly)})
	}
	var text bytes.Buffer
	err := report.WriteCSV(&text, "en", columns, cells)
	return text.Bytes(), err
}

// mostResult is how many rows a result file may have.
const mostResult = 25_000

// Row is a row of a result file.
type Row struct{ Reference, Amount, Outcome, Day, Reason string }

var byteOrderMark = "\ufeff"

// Parse reads the rows of a result file. It returns ErrNoFile if it is none, or has too many.
func Parse(text string) (list []Row, err error) {
	file := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, byteOrderMark)))
	file.FieldsPerRecord = 0
	head, err := file.Read()
	if err != nil {
		return nil, ErrNoFile
	}
	at := map[string]int{}
	for _, name := range []string{"reference", "amount", "outcome", "day", "reason"} {
		if at[name] = slices.IndexFunc(head, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) }); at[name] < 0 {
			return nil, ErrNoFile
		}
	}
	for {
		cells, err := file.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || len(list) == mostResult {
			return nil, ErrNoFile
		}
		of := func(name string) string { return strings.TrimSpace(cells[at[name]]) }
		list = append(list, Row{of("reference"), of("amount"), of("outcome"), of("day"), of("reason")})
	}
	if len(list) == 0 {
		return nil, ErrNoFile
	}
	return list, nil
}

// Payment is a payout that was sent.
type Payment struct {
	ID  uuid.UUID
	Net money.Amount
}

// Match returns what rows say of payouts, which are named by their references, and the references of these. It returns a fault at a column of a row.
func Match(list []Row, sent map[string]Payment, today time.Time) ([]Said, map[uuid.UUID]string, error) {
	var all []Said
	references := map[uuid.UUID]string{}
	for i, row := range list {
		of, ok := sent[row.Reference]
		if !ok {
			return nil, nil, fault.At(fmt.Sprintf("rows.%d.reference", i), ErrUnknown)
		}
		amount, err := money.Parse(row.Amount)
		if err != nil || amount != of.Net {
			return nil, nil, fault.At(fmt.Sprintf("rows.%d.amount", i), ErrOtherAmount)
		}
		one, err := Checked(of.ID, row.Outcome, row.Day, row.Reason, today)
		if err != nil {
			return nil, nil, inRow(i, err)
		}
		all = append(all, one)
		references[of.ID] = row.Reference
	}
	return all, references, nil
}

// inRow returns a fault at fields of a row.
func inRow(i int, err error) error {
	f, ok := errors.AsType[*fault.Fault](err)
	if !ok {
		return err
	}
	var fields []fault.Field
	for _, field := range f.Fields {
		fields = append(fields, fault.Field{Path: fmt.Sprintf("rows.%d.%s", i, field.Path), Fault: field.Fault})
	}
	return fault.Of(fields...)
}

// ParseDay reads the day of a field. It returns fault.WrongFormat at it, also for a day before our era, which no database writes as a date of JSON.
func ParseDay(field, text string) (time.Time, error) {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.Year() < 1 {
		return day, fault.At(field, fault.WrongFormat)
	}
	return day, nil
}
