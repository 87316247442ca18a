package reports

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/rollup"
)

// Visible says which parts of a dashboard somebody may see.
type Visible struct{ Sales, Uses, Customers, TopUps, Money bool }

// Dashboard is how the organisation is doing: the last days beside as many before them, and what its accounts hold now.
// A part that the person may not see is not there.
type Dashboard struct {
	From      string        `json:"from" format:"date"`
	To        string        `json:"to" format:"date" doc:"Today, in Bangkok"`
	Sales     *Sales        `json:"sales,omitempty" required:"false"`
	Uses      *Uses         `json:"uses,omitempty" required:"false"`
	Customers *NewCustomers `json:"customers,omitempty" required:"false"`
	Money     *Money        `json:"money,omitempty" required:"false"`
}

// Sales has the figures of orders.
type Sales struct {
	Orders   int64        `json:"orders"`
	Gross    money.Amount `json:"gross_satang"`
	Before   money.Amount `json:"before_satang" doc:"Sold in as many days before these"`
	Days     []SoldDay    `json:"days" doc:"Every day of the range, oldest first"`
	Earlier  []SoldDay    `json:"earlier" doc:"As many days before them"`
	Packages []TopPackage `json:"packages" doc:"The five that sold best"`
	Hours    []SoldHour   `json:"hours,omitempty" required:"false" doc:"Of one day: each of its hours, the earliest first"`
	LastWeek []SoldHour   `json:"last_week,omitempty" required:"false" doc:"Of one day: each hour of the same weekday a week before"`
}

// SoldHour has the sales of one hour.
type SoldHour struct {
	Hour   time.Time    `json:"hour" doc:"When it begins, UTC"`
	Orders int64        `json:"orders"`
	Gross  money.Amount `json:"gross_satang"`
}

// SoldDay has the sales of one day.
type SoldDay struct {
	Day    string       `json:"day" format:"date"`
	Orders int64        `json:"orders"`
	Gross  money.Amount `json:"gross_satang"`
}

// Uses has the figures of redemptions.
type Uses struct {
	Count  int64     `json:"count"`
	Before int64     `json:"before"`
	Days   []DayOf   `json:"days" doc:"Every day of the range, oldest first"`
	Hours  []UseHour `json:"hours" doc:"Hours of the week in which somebody came"`
}

// NewCustomers has the figures of customers who signed in for the first time.
type NewCustomers struct {
	Count  int64   `json:"count"`
	Before int64   `json:"before"`
	Days   []DayOf `json:"days" doc:"Every day of the range, oldest first"`
}

// DayOf counts something on one day.
type DayOf struct {
	Day   string `json:"day" format:"date"`
	Count int64  `json:"count"`
}

// UseHour counts the uses in one hour of the week, in Bangkok.
type UseHour struct {
	Weekday int   `json:"weekday" minimum:"1" maximum:"7" doc:"1 is Monday"`
	Hour    int   `json:"hour" minimum:"0" maximum:"23"`
	Uses    int64 `json:"uses"`
}

// Money has the balances of the organisation's accounts now.
type Money struct {
	Unearned   money.Amount `json:"unearned_satang" doc:"Paid for, not used yet"`
	Payable    money.Amount `json:"payable_satang" doc:"Used, not settled yet"`
	Commission money.Amount `json:"commission_satang" doc:"Owed to agents, not paid out yet"`
	Agents     int64        `json:"agents" doc:"To how many of them"`
	Wallets    Held         `json:"wallets"`
}

// TopPackage is a package that sold well.
type TopPackage struct {
	ID       uuid.UUID    `json:"id"`
	NameTH   string       `json:"name_th"`
	NameEN   string       `json:"name_en"`
	Picture  *uuid.UUID   `json:"picture" nullable:"true"`
	Quantity int64        `json:"quantity"`
	Gross    money.Amount `json:"gross_satang"`
}

const (
	salesByDay = `SELECT d.day::date::text, coalesce(o.n, 0)::bigint, coalesce(o.gross, 0)::bigint
		FROM generate_series($3::date, $4::date, interval '1 day') d (day)
		LEFT JOIN (SELECT (hour AT TIME ZONE 'Asia/Bangkok')::date AS day, sum(orders) AS n, sum(gross_satang) AS gross
			FROM ` + rollup.SalesByHour + ` s WHERE hour >= $1 AND hour < $2 GROUP BY 1) o ON o.day = d.day::date
		ORDER BY 1`
	salesByHour = `SELECT h.at, coalesce(o.n, 0)::bigint, coalesce(o.gross, 0)::bigint
		FROM generate_series($1::timestamptz, $1::timestamptz + interval '23 hours', interval '1 hour') h (at)
		LEFT JOIN (SELECT hour, sum(orders) AS n, sum(gross_satang) AS gross FROM ` + rollup.SalesByHour + ` s
			WHERE hour >= $1 AND hour < $1::timestamptz + interval '1 day' GROUP BY 1) o ON o.hour = h.at
		ORDER BY 1`
	usesByDay = `SELECT d.day::date::text, coalesce(u.n, 0)::bigint
		FROM generate_series($3::date, $4::date, interval '1 day') d (day)
		LEFT JOIN (SELECT (hour AT TIME ZONE 'Asia/Bangkok')::date AS day, sum(uses) AS n
			FROM ` + rollup.UsesByHour + ` s WHERE hour >= $1 AND hour < $2 GROUP BY 1) u ON u.day = d.day::date
		ORDER BY 1`
	newByDay = `SELECT d.day::date::text, coalesce(c.n, 0)::bigint
		FROM generate_series($3::date, $4::date, interval '1 day') d (day)
		LEFT JOIN (SELECT (hour AT TIME ZONE 'Asia/Bangkok')::date AS day, sum(customers) AS n
			FROM ` + rollup.NewcomersByHour + ` s WHERE hour >= $1 AND hour < $2 GROUP BY 1) c ON c.day = d.day::date
		ORDER BY 1`
	usesByHour = `SELECT extract(isodow FROM hour AT TIME ZONE 'Asia/Bangkok')::int, extract(hour FROM hour AT TIME ZONE 'Asia/Bangkok')::int, sum(uses)::bigint
		FROM ` + rollup.UsesByHour + ` s WHERE hour >= $1 AND hour < $2 GROUP BY 1, 2 ORDER BY 1, 2`
	best = `SELECT p.id, p.name_th, p.name_en, p.picture_id, s.quantity, s.gross FROM (
			SELECT package_id, sum(quantity)::bigint AS quantity, sum(gross_satang)::bigint AS gross FROM ` + rollup.SalesByDay + ` d
			WHERE day BETWEEN $1::date AND $2::date GROUP BY 1 ORDER BY 2 DESC, 3 DESC, 1 LIMIT 5) s JOIN ` + sellable + ` p ON p.id = s.package_id
		ORDER BY 5 DESC, 6 DESC, 1`
	owedToAgents = `SELECT coalesce(sum(x.satang), 0)::bigint, count(DISTINCT x.payee_id) FROM (
		SELECT payee_id, due_satang - mature_satang AS satang FROM commission WHERE due_satang > mature_satang
		UNION ALL SELECT payee_id, payable_satang FROM payee_balance WHERE payable_satang > 0) x`
)

// Service reads dashboards.
type Service struct{ db *db.DB }

// New returns the service.
func New(d *db.DB) *Service { return &Service{db: d} }

// span is the days of a dashboard, and as many before them.
type span struct {
	days        int
	first, last time.Time // Days
}

func spanOf(now time.Time, days int) span {
	last := clock.Day(now)
	return span{days, last.AddDate(0, 0, 1-days), last}
}

// instants returns the first instant of the range and the first after it.
func (s span) instants() (from, to time.Time) {
	return clock.Start(s.first), clock.Start(s.last.AddDate(0, 0, 1))
}

// Dashboard of the last days, today included.
func (s *Service) Dashboard(ctx context.Context, org uuid.UUID, days int, sees Visible) (d Dashboard, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		over := spanOf(tx.Now, days)
		d = Dashboard{From: over.first.Format(time.DateOnly), To: over.last.Format(time.DateOnly)}
		for _, part := range []struct {
			seen bool
			read func() error
		}{
			{sees.Sales, func() (err error) { d.Sales, err = sales(ctx, tx, over); return err }},
			{sees.Uses, func() (err error) { d.Uses, err = uses(ctx, tx, over); return err }},
			{sees.Customers, func() (err error) { d.Customers, err = newcomers(ctx, tx, over); return err }},
			{sees.Money, func() (err error) { d.Money, err = holdings(ctx, tx); return err }},
		} {
			if !part.seen {
				continue
			}
			if err := part.read(); err != nil {
				return fmt.Errorf("dashboard: %w", err)
			}
		}
		return nil
	})
	return d, err
}

func sales(ctx context.Context, tx db.Tx, over span) (*Sales, error) {
	all, err := byDay[SoldDay](ctx, tx, salesByDay, over)
	if err != nil {
		return nil, err
	}
	s := &Sales{Earlier: all[:over.days], Days: all[over.days:]}
	for _, day := range s.Earlier {
		s.Before += day.Gross
	}
	for _, day := range s.Days {
		s.Orders, s.Gross = s.Orders+day.Orders, s.Gross+day.Gross
	}
	if over.days == 1 {
		if s.Hours, err = collect[SoldHour](ctx, tx, salesByHour, clock.Start(over.last)); err != nil {
			return nil, err
		}
		if s.LastWeek, err = collect[SoldHour](ctx, tx, salesByHour, clock.Start(over.last.AddDate(0, 0, -7))); err != nil {
			return nil, err
		}
	}
	s.Packages, err = collect[TopPackage](ctx, tx, best, over.first, over.last)
	return s, err
}

func uses(ctx context.Context, tx db.Tx, over span) (*Uses, error) {
	all, err := byDay[DayOf](ctx, tx, usesByDay, over)
	if err != nil {
		return nil, err
	}
	u := &Uses{Before: sum(all[:over.days]), Days: all[over.days:], Count: sum(all[over.days:])}
	from, to := over.instants()
	u.Hours, err = collect[UseHour](ctx, tx, usesByHour, from, to)
	return u, err
}

func newcomers(ctx context.Context, tx db.Tx, over span) (*NewCustomers, error) {
	all, err := byDay[DayOf](ctx, tx, newByDay, over)
	if err != nil {
		return nil, err
	}
	return &NewCustomers{Before: sum(all[:over.days]), Days: all[over.days:], Count: sum(all[over.days:])}, nil
}

func holdings(ctx context.Context, tx db.Tx) (m *Money, err error) {
	balances, err := ledger.SystemBalances(ctx, tx, ledger.Unearned, ledger.Payable)
	if err != nil {
		return nil, err
	}
	m = &Money{Unearned: balances[ledger.Unearned], Payable: balances[ledger.Payable]}
	if err := tx.QueryRow(ctx, owedToAgents).Scan(&m.Commission, &m.Agents); err != nil {
		return nil, err
	}
	m.Wallets, err = readHeld(ctx, tx)
	return m, err
}

func sum(days []DayOf) (n int64) {
	for _, day := range days {
		n += day.Count
	}
	return n
}

// byDay reads the days before the range and the range, oldest first.
func byDay[T any](ctx context.Context, tx db.Tx, sql string, over span) ([]T, error) {
	_, to := over.instants()
	first := over.first.AddDate(0, 0, -over.days)
	return collect[T](ctx, tx, sql, clock.Start(first), to, first, over.last)
}

func collect[T any](ctx context.Context, tx db.Tx, sql string, args ...any) ([]T, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[T])
}
