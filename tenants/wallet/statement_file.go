package wallet

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/onetime"
	"welovevoucher/platform/report"
	"welovevoucher/platform/token"
)

// FileInput asks for the file of a month.
type FileInput struct {
	Month string `json:"month" pattern:"^[0-9]{4}-[0-9]{2}$" doc:"In Bangkok"`
	Lang  string `json:"lang" enum:"th,en" doc:"Of its headers and titles"`
}

// File is a statement as a csv file.
type File struct {
	Name string `json:"name" doc:"For the person's disk"`
	Text string `json:"text" doc:"CSV as RFC 4180 has it, behind a byte order mark"`
}

// ErrTooLong says that a month has more movements than a file takes.
var ErrTooLong = fault.New(fault.Conflict, "wallet.statement_too_long", "This month has too many movements for a file")

// maxFileRows is how many movements a file takes: about 2 MB, which an answer holds in memory. A purchase every five minutes, day and night, is
// fewer.
const maxFileRows = 10_000

var fileColumns = []report.Column{
	{Kind: report.Moment, TH: "เวลา", EN: "Time"},
	{TH: "รายการ", EN: "Movement"},
	{TH: "เลขที่", EN: "Number"},
	{Kind: report.Satang, TH: "เงินเข้า", EN: "Money in"},
	{Kind: report.Satang, TH: "เงินออก", EN: "Money out"},
	{Kind: report.Satang, TH: "ยอดคงเหลือ", EN: "Balance"},
}

// StatementFile returns a month of the customer's wallet as a file, the oldest movement first, between the opening and the closing balance. It
// returns fault.BadInput as Statement does, and ErrTooLong.
func (s *Service) StatementFile(ctx context.Context, who token.Session, in FileInput) (File, error) {
	return s.writeFile(ctx, who.Org, who.Subject, in)
}

func (s *Service) writeFile(ctx context.Context, organisation, customer uuid.UUID, in FileInput) (f File, err error) {
	month, err := s.readStatement(ctx, organisation, customer, in.Month, maxFileRows, nil)
	if err != nil {
		return f, err
	}
	if month.Next != nil {
		return f, ErrTooLong
	}

	opening, closing := "ยอดยกมา", "ยอดคงเหลือ"
	if in.Lang == "en" {
		opening, closing = "Opening balance", "Closing balance"
	}
	rows := [][]any{{nil, opening, nil, nil, nil, month.Opening}}
	for _, m := range slices.Backward(month.Data) {
		rows = append(rows, m.cells(in.Lang))
	}
	rows = append(rows, []any{nil, closing, nil, month.In, month.Out, month.Closing})

	var text bytes.Buffer
	if err := report.WriteCSV(&text, in.Lang, fileColumns, rows); err != nil {
		return f, fmt.Errorf("file of the statement of %s: %w", customer, err)
	}
	return File{Name: "wallet-" + month.Month + ".csv", Text: text.String()}, nil
}

// cells returns a movement in the order of fileColumns.
func (m Movement) cells(lang string) []any {
	title := m.TitleTH
	if lang == "en" {
		title = m.TitleEN
	}
	if m.Amount < 0 {
		return []any{m.At, title, m.Number, nil, -m.Amount, m.After}
	}
	return []any{m.At, title, m.Number, m.Amount, nil, m.After}
}

// linkedFile is what a link opens.
type linkedFile struct {
	FileInput
	Customer uuid.UUID `json:"customer"`
}

// LinkFile returns a link to the file of a month of the customer's wallet. It returns what StatementFile does.
func (s *Service) LinkFile(ctx context.Context, who token.Session, in FileInput) (l onetime.Link, err error) {
	if _, err := s.StatementFile(ctx, who, in); err != nil {
		return l, err
	}
	value, err := json.Marshal(linkedFile{in, who.Subject})
	if err != nil {
		return l, fmt.Errorf("link to the statement of %s: %w", who.Subject, err)
	}
	l.ExpiresAt = s.db.Now().Add(onetime.LinkLifetime)
	l.Secret, err = s.links.Save(ctx, fileScope(who.Org), value, onetime.LinkLifetime)
	return l, err
}

func fileScope(organisation uuid.UUID) string { return "statement:" + organisation.String() }

const isThere = `SELECT EXISTS (SELECT FROM customer WHERE id = $1 AND erased_at IS NULL)`

// OpenFile returns the file behind a link of the organisation's, once; afterwards, and once its customer has deleted his account, onetime.ErrOver.
func (s *Service) OpenFile(ctx context.Context, who token.Session, in onetime.OpenInput) (f File, err error) {
	value, err := s.links.Open(ctx, fileScope(who.Org), in.Secret)
	if err != nil {
		return f, err
	}
	var to linkedFile
	if err := json.Unmarshal(value, &to); err != nil {
		return f, fmt.Errorf("what a link opens: %w", err)
	}
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		var there bool
		if err := tx.QueryRow(ctx, isThere, to.Customer).Scan(&there); err != nil {
			return fmt.Errorf("customer of a link: %w", err)
		}
		if !there {
			return onetime.ErrOver
		}
		return nil
	})
	if err != nil {
		return f, err
	}
	return s.writeFile(ctx, who.Org, to.Customer, to.FileInput)
}
