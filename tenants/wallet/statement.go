package wallet

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/ledger"
)

// Statement is a month of a wallet: Opening + In - Out = Closing. Movements belong to the month of their time in Bangkok.
type Statement struct {
	Month   string       `json:"month" doc:"2026-11, in Bangkok"`
	Opening money.Amount `json:"opening_satang" doc:"The balance of all movements before the month"`
	In      money.Amount `json:"in_satang"`
	Out     money.Amount `json:"out_satang"`
	Closing money.Amount `json:"closing_satang" doc:"The balance of all movements until its end, or until now"`
	Months  []string     `json:"months" doc:"Newest first: from this one back to the first in which money moved"`
	Page
}

// StatementInput says which month is meant, and which page of its movements.
type StatementInput struct {
	Month string     `json:"month" pattern:"^([0-9]{4}-[0-9]{2})?$" doc:"In Bangkok; empty for this one"`
	Limit int        `json:"limit,omitempty" minimum:"0" maximum:"100"`
	After *uuid.UUID `json:"after,omitempty" doc:"Next of the page before"`
}

// monthFormat is how months are written.
const monthFormat = "2006-01"

// statement has the figures of a month of a wallet, each movement of a page beside them: one statement sees them at one time. $1 is the account,
// $2 and $3 are the first days of the month and of the next one.
//
// A balance is that of now less what moved since. The balances beside entries are not enough: entries of one wallet may be written in another
// order than their ids and times say (the audit's rule of them). Days that are two apart are in the order of their ids, because no transaction
// takes a day; so the entries of the month lie between two ids of span, and only those between them are joined. The first entry of a wallet is
// a credit.
const statement = `WITH span AS (
		SELECT coalesce((SELECT b.id FROM transfer b WHERE b.day < $2::date - 1 ORDER BY b.day DESC, b.id DESC LIMIT 1), '00000000-0000-0000-0000-000000000000') AS low,
			coalesce((SELECT b.id FROM transfer b WHERE b.day > $3::date ORDER BY b.day, b.id LIMIT 1), 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS high
	), moved AS (
		SELECT t.id, t.kind, t.cause_id, t.day, t.at, t.memo_th, t.memo_en,
			sum(CASE WHEN e.credit_id = $1 THEN e.amount_satang ELSE -e.amount_satang END)::bigint AS amount,
			(array_agg(CASE WHEN e.credit_id = $1 THEN e.credit_after_satang ELSE e.debit_after_satang END ORDER BY e.id DESC))[1] AS after
		FROM entry e JOIN transfer t ON t.id = e.transfer_id
		WHERE (e.credit_id = $1 OR e.debit_id = $1) AND e.id > (SELECT low FROM span) AND e.id < (SELECT high FROM span) AND t.day >= $2::date
		GROUP BY t.id
	), later AS (
		SELECT coalesce(sum(CASE WHEN e.credit_id = $1 THEN e.amount_satang ELSE -e.amount_satang END), 0)::bigint AS amount
		FROM entry e WHERE (e.credit_id = $1 OR e.debit_id = $1) AND e.id >= (SELECT high FROM span)
	), figures AS (
		SELECT (SELECT t.day FROM entry e JOIN transfer t ON t.id = e.transfer_id WHERE e.credit_id = $1 ORDER BY e.id LIMIT 1) AS first_day,
			coalesce((SELECT w.balance_satang FROM wallet w WHERE w.account_id = $1), 0) - (SELECT l.amount FROM later l)
				- coalesce(sum(m.amount) FILTER (WHERE m.day >= $3::date), 0)::bigint AS closing,
			coalesce(sum(m.amount) FILTER (WHERE m.day < $3::date AND m.amount > 0), 0)::bigint AS money_in,
			coalesce(-sum(m.amount) FILTER (WHERE m.day < $3::date AND m.amount < 0), 0)::bigint AS money_out
		FROM moved m
	)
	SELECT f.first_day, f.closing, f.money_in, f.money_out, t.id IS NOT NULL, coalesce(t.id, $1), coalesce(t.kind, ''), coalesce(t.cause_id, $1), ` + numberOf + `,
		coalesce(t.at, 'epoch'), coalesce(t.amount, 0), coalesce(t.after, 0), coalesce(t.memo_th, ''), coalesce(t.memo_en, '')
	FROM figures f LEFT JOIN (
		SELECT m.id, m.kind, m.cause_id, m.at, m.amount, m.after, m.memo_th, m.memo_en FROM moved m WHERE m.day < $3::date AND ($4::uuid IS NULL OR m.id < $4) ORDER BY m.id DESC LIMIT $5
	) t ON true ORDER BY t.id DESC`

// statementRow is a row of statement. Where Moved is false the month has no movement, or no other page.
type statementRow struct {
	First   *time.Time
	Closing money.Amount
	In      money.Amount
	Out     money.Amount
	Moved   bool
	Movement
}

// Statement returns a month of the customer's wallet with a page of its movements, newest first. It returns fault.BadInput for a month that is none
// or has not begun.
func (s *Service) Statement(ctx context.Context, who token.Session, in StatementInput) (Statement, error) {
	limit := in.Limit
	if limit < 1 || limit > maxPage {
		limit = maxPage
	}
	return s.readStatement(ctx, who.Org, who.Subject, in.Month, limit, in.After)
}

func (s *Service) readStatement(ctx context.Context, organisation, customer uuid.UUID, month string, limit int, after *uuid.UUID) (out Statement, err error) {
	now := monthOf(clock.Day(s.db.Now()))
	first := now
	if month != "" {
		if first, err = time.Parse(monthFormat, month); err != nil || first.After(now) {
			return out, fault.At("month", fault.NotInList)
		}
	}

	var rows []statementRow
	err = s.db.ReadInOrg(ctx, organisation, func(tx db.Tx) error {
		account := ledger.AccountOf(ledger.Wallet, customer).ID(tx.Key)
		found, err := tx.Query(ctx, statement, account, first, first.AddDate(0, 1, 0), after, limit+1)
		if err != nil {
			return fmt.Errorf("statement of %s: %w", customer, err)
		}
		if rows, err = pgx.CollectRows(found, pgx.RowToStructByPos[statementRow]); err != nil {
			return fmt.Errorf("statement of %s: %w", customer, err)
		}
		return nil
	})
	if err != nil {
		return out, err
	}

	f := rows[0]
	out = Statement{Month: first.Format(monthFormat), Opening: f.Closing - f.In + f.Out, In: f.In, Out: f.Out, Closing: f.Closing, Months: monthsBetween(f.First, now)}
	out.Page = Page{Data: []Movement{}}
	for _, row := range rows {
		if row.Moved {
			out.Data = append(out.Data, row.Movement)
		}
	}
	if len(out.Data) > limit {
		out.Data = out.Data[:limit]
		out.Next = &out.Data[limit-1].ID
	}
	return out, nil
}

// monthOf returns the first day of the month of a day.
func monthOf(day time.Time) time.Time { return day.AddDate(0, 0, 1-day.Day()) }

// monthsBetween returns the months from last back to that of the day first, or last alone.
func monthsBetween(first *time.Time, last time.Time) []string {
	months := []string{last.Format(monthFormat)}
	if first == nil {
		return months
	}
	for month := last.AddDate(0, -1, 0); !month.Before(monthOf(*first)); month = month.AddDate(0, -1, 0) {
		months = append(months, month.Format(monthFormat))
	}
	return months
}
