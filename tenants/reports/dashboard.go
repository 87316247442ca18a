package reports

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/wallet"
)

// Dashboard is how the organisation is doing: the last days, and what its accounts hold now.
type Dashboard struct {
	From       string       `json:"from" format:"date"`
	To         string       `json:"to" format:"date" doc:"Today, in Bangkok"`
	Orders     int64        `json:"orders"`
	Gross      money.Amount `json:"gross_satang"`
	Uses       int64        `json:"uses"`
	Customers  int64        `json:"new_customers"`
	Commission money.Amount `json:"commission_satang" doc:"Owed to agents from these days' sales"`
	Unearned   money.Amount `json:"unearned_satang" doc:"Now: paid for, not used yet"`
	Payable    money.Amount `json:"payable_satang" doc:"Now: used, not settled yet"`
	ByDay      []DayOf      `json:"by_day" doc:"Every day of the range, oldest first"`
	Packages   []Best       `json:"packages" doc:"The five that sold best"`
}

// DayOf is one day.
type DayOf struct {
	Day    string       `json:"day" format:"date"`
	Orders int64        `json:"orders"`
	Gross  money.Amount `json:"gross_satang"`
	Uses   int64        `json:"uses"`
}

// Best is a package that sold well.
type Best struct {
	ID       uuid.UUID    `json:"id"`
	NameTH   string       `json:"name_th"`
	NameEN   string       `json:"name_en"`
	Quantity int64        `json:"quantity"`
	Gross    money.Amount `json:"gross_satang"`
}

const (
	byDay = `SELECT d.day::date::text, coalesce(o.n, 0), coalesce(o.gross, 0)::bigint, coalesce(u.n, 0)
		FROM generate_series($3::date, $4::date, interval '1 day') d (day)
		LEFT JOIN (SELECT (paid_at AT TIME ZONE 'Asia/Bangkok')::date AS day, count(*) AS n, sum(total_satang) AS gross
			FROM orders WHERE paid_at >= $1 AND paid_at < $2 GROUP BY 1) o ON o.day = d.day::date
		LEFT JOIN (SELECT (at AT TIME ZONE 'Asia/Bangkok')::date AS day, count(*) AS n
			FROM redemption WHERE at >= $1 AND at < $2 GROUP BY 1) u ON u.day = d.day::date
		ORDER BY 1`
	best = `SELECT p.id, p.name_th, p.name_en, sum(l.quantity)::bigint, sum(l.amount_satang)::bigint
		FROM orders o JOIN order_line l ON l.order_id = o.id JOIN package p ON p.id = l.package_id
		WHERE o.paid_at >= $1 AND o.paid_at < $2 GROUP BY p.id, p.name_th, p.name_en ORDER BY 5 DESC, p.id LIMIT 5`
	newCustomers = `SELECT count(*) FROM customer WHERE created_at >= $1 AND created_at < $2`
	commissions  = `SELECT coalesce(sum(commission_satang), 0)::bigint FROM orders WHERE paid_at >= $1 AND paid_at < $2`
)

// Service reads dashboards.
type Service struct{ db *db.DB }

// New returns the service.
func New(d *db.DB) *Service { return &Service{db: d} }

// Dashboard of the last days, today included.
func (s *Service) Dashboard(ctx context.Context, org uuid.UUID, days int) (d Dashboard, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		last := clock.Day(tx.Now)
		first := last.AddDate(0, 0, 1-days)
		d = Dashboard{From: first.Format("2006-01-02"), To: last.Format("2006-01-02")}
		from, to := clock.Start(first), clock.Start(last.AddDate(0, 0, 1))

		rows, err := tx.Query(ctx, byDay, from, to, first, last)
		if err != nil {
			return fmt.Errorf("dashboard: %w", err)
		}
		if d.ByDay, err = pgx.CollectRows(rows, pgx.RowToStructByPos[DayOf]); err != nil {
			return fmt.Errorf("dashboard: %w", err)
		}
		for _, day := range d.ByDay {
			d.Orders, d.Gross, d.Uses = d.Orders+day.Orders, d.Gross+day.Gross, d.Uses+day.Uses
		}
		if rows, err = tx.Query(ctx, best, from, to); err != nil {
			return fmt.Errorf("dashboard: %w", err)
		}
		if d.Packages, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Best]); err != nil {
			return fmt.Errorf("dashboard: %w", err)
		}
		if err := tx.QueryRow(ctx, newCustomers, from, to).Scan(&d.Customers); err != nil {
			return fmt.Errorf("dashboard: %w", err)
		}
		if err := tx.QueryRow(ctx, commissions, from, to).Scan(&d.Commission); err != nil {
			return fmt.Errorf("dashboard: %w", err)
		}
		if d.Unearned, err = wallet.HouseBalance(ctx, tx, wallet.Unearned); err != nil {
			return err
		}
		d.Payable, err = wallet.HouseBalance(ctx, tx, wallet.Payable)
		return err
	})
	return d, err
}
