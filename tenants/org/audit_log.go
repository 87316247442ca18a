package org

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/report"
)

// LogFilter narrows the platform's audit log.
type LogFilter struct {
	From   string `json:"from,omitempty" required:"false" format:"date" doc:"The first day, in Bangkok"`
	To     string `json:"to,omitempty" required:"false" format:"date" doc:"The last day, in Bangkok"`
	Kind   string `json:"actor_kind,omitempty" required:"false" enum:"admin,owner,operator,system"`
	Search string `json:"search,omitempty" required:"false" maxLength:"80" doc:"A part of who, what or a value, or an id"`
}

// LogInput asks for a page of the platform's audit log.
type LogInput struct {
	LogFilter
	Limit int        `json:"limit,omitempty" required:"false" minimum:"0" maximum:"200"`
	After *uuid.UUID `json:"after,omitempty" required:"false" doc:"Next of the page before"`
}

// LogRow is a line of the audit log with what it is about.
type LogRow struct {
	LogLine
	About string `json:"about" doc:"Unique of an organisation, user name of an admin; empty for others"`
}

// LogPage is a page of the audit log, newest first.
type LogPage struct {
	Data []LogRow   `json:"data"`
	Next *uuid.UUID `json:"next" nullable:"true"`
}

// LogFile is what was found in the audit log, as a csv file.
type LogFile struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Cut  bool   `json:"cut" doc:"There are more rows: the file has the newest 10,000"`
}

const (
	maxLogRows  = 50
	maxLogFile  = 10_000
	auditLogRow = `SELECT l.id, l.at, l.actor_kind, coalesce(a.name, ''), l.action, l.object, l.before, l.after, coalesce(o.unique_name, b.username, '')
		FROM audit_log l LEFT JOIN admin a ON a.id = l.actor_id AND l.actor_kind = 'admin'
			LEFT JOIN organisation o ON l.object = 'organisation/' || o.id::text LEFT JOIN admin b ON l.object = 'admin/' || b.id::text
		WHERE ($1::timestamptz IS NULL OR l.at >= $1) AND ($2::timestamptz IS NULL OR l.at < $2) AND ($3 = '' OR l.actor_kind = $3)
			AND ($4 = '' OR position(lower($4) IN lower(concat_ws(chr(10), a.name, a.username, o.unique_name, o.name_th, o.name_en, b.name, b.username, l.action, l.object, l.before::text, l.after::text))) > 0)
			AND ($5::uuid IS NULL OR l.id < $5)
		ORDER BY l.id DESC LIMIT $6`
)

// moments returns when the first day begins and when the last one is over. It returns fault.BadInput for a day that there is not.
func (f LogFilter) moments() (from, to *time.Time, err error) {
	read := func(path, day string, days int) (*time.Time, error) {
		if day == "" {
			return nil, nil
		}
		parsed, err := time.Parse(time.DateOnly, day)
		if err != nil {
			return nil, fault.At(path, fault.WrongFormat)
		}
		at := clock.Start(parsed.AddDate(0, 0, days))
		return &at, nil
	}
	if from, err = read("from", f.From, 0); err != nil {
		return nil, nil, err
	}
	to, err = read("to", f.To, 1)
	return from, to, err
}

func readLog(ctx context.Context, tx db.Tx, f LogFilter, after *uuid.UUID, limit int) ([]LogRow, error) {
	from, to, err := f.moments()
	if err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, auditLogRow, from, to, f.Kind, strings.TrimSpace(f.Search), after, limit)
	if err != nil {
		return nil, fmt.Errorf("read the audit log: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (r LogRow, err error) {
		r.LogLine, err = readLogLine(row, &r.About)
		return r, err
	})
}

// Log returns a page of the platform's audit log, newest first. It returns fault.BadInput for a day that there is not.
func (s *Service) Log(ctx context.Context, in LogInput) (page LogPage, err error) {
	if in.Limit <= 0 {
		in.Limit = maxLogRows
	}
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		page.Data, err = readLog(ctx, tx, in.LogFilter, in.After, in.Limit+1)
		return err
	})
	if len(page.Data) > in.Limit {
		page.Data = page.Data[:in.Limit]
		page.Next = &page.Data[in.Limit-1].ID
	}
	return page, err
}

// logColumns are those of the file.
var logColumns = []report.Column{
	{Kind: report.Moment, TH: "เวลา", EN: "Time"},
	{TH: "ชนิดบัญชี", EN: "Account"},
	{TH: "ใคร", EN: "Who"},
	{TH: "ทำอะไร", EN: "What"},
	{TH: "กับอะไร", EN: "Of what"},
	{TH: "ชื่อ", EN: "Name"},
	{TH: "ช่อง", EN: "Field"},
	{TH: "ก่อน", EN: "Before"},
	{TH: "หลัง", EN: "After"},
}

// LogFile writes what is found in the audit log into a csv file, a row for each field that was changed, and records that it did.
func (s *Service) LogFile(ctx context.Context, who auditlog.Actor, lang string, f LogFilter) (file LogFile, err error) {
	var found []LogRow
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		if found, err = readLog(ctx, tx, f, nil, maxLogFile+1); err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, who, "export", "audit_log", nil, f)
	})
	if err != nil {
		return file, err
	}
	if file.Cut = len(found) > maxLogFile; file.Cut {
		found = found[:maxLogFile]
	}
	var rows [][]any
	for _, r := range found {
		line := []any{r.At, r.Kind, r.Name, r.Action, r.Object, r.About}
		if len(r.Changes) == 0 {
			rows = append(rows, append(line, "", "", ""))
		}
		for _, c := range r.Changes {
			rows = append(rows, append(slices.Clip(line), c.Field, c.Before, c.After))
		}
	}
	var text strings.Builder
	if err := report.WriteCSV(&text, lang, logColumns, rows); err != nil {
		return file, fmt.Errorf("file of the audit log: %w", err)
	}
	file.Name, file.Text = "audit-log.csv", text.String()
	return file, nil
}
