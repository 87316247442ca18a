package overview

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/queue"
)

const maxDays = 90

// Span is how many days an overview is of, today included.
type Span struct {
	Days int `json:"days" minimum:"1" maximum:"90"`
}

// Overview is all organisations together.
type Overview struct {
	From     string       `json:"from" format:"date"`
	To       string       `json:"to" format:"date" doc:"Today, in Bangkok"`
	Now      Figures      `json:"now" doc:"Of these days"`
	Before   Figures      `json:"before" doc:"Of as many days before them"`
	Days     []DayFigures `json:"days" doc:"Every day of the range, oldest first"`
	Balances Balances     `json:"balances"`
	States   []StateCount `json:"states"`
	Plans    []PlanCount  `json:"plans" doc:"Those that some organisation is on, most organisations first"`
	Nodes    []NodeCount  `json:"nodes" doc:"Databases, and how many organisations each has"`
	Jobs     Jobs         `json:"jobs"`
	Alarms   []Alarm      `json:"alarms" doc:"What somebody should look at, the worst first, fifty at most"`
	Seen     Seen         `json:"seen"`
}

// Figures are sums of days.
type Figures struct {
	Orders    int64        `json:"orders"`
	Sales     money.Amount `json:"sales_satang"`
	Fee       money.Amount `json:"fee_satang" doc:"The platform's part of what was sold"`
	Uses      int64        `json:"uses" doc:"Less those that were undone"`
	Customers int64        `json:"customers" doc:"Who signed in for the first time"`
	TopUps    int64        `json:"top_ups"`
	TopUp     money.Amount `json:"top_up_satang"`
}

// DayFigures are those of one day.
type DayFigures struct {
	Day string `json:"day" format:"date"`
	Figures
}

// Balances are what the books of all organisations hold.
type Balances struct {
	Unearned money.Amount `json:"unearned_satang" doc:"Paid for, not used yet"`
	Payable  money.Amount `json:"payable_satang" doc:"Used, not settled yet"`
	Wallets  money.Amount `json:"wallet_satang" doc:"What customers have in their wallets"`
}

// StateCount counts organisations of a state.
type StateCount struct {
	State         string `json:"state" enum:"provisioning,live,suspended"`
	Organisations int64  `json:"organisations"`
}

// PlanCount counts organisations on a plan.
type PlanCount struct {
	ID            uuid.UUID    `json:"id"`
	NameTH        string       `json:"name_th"`
	NameEN        string       `json:"name_en"`
	Organisations int64        `json:"organisations"`
	Sales         money.Amount `json:"sales_satang" doc:"Of these days"`
}

// NodeCount counts organisations on a database.
type NodeCount struct {
	Node          string `json:"node"`
	Organisations int64  `json:"organisations"`
}

// Jobs counts those that do not get done, the platform's own among them.
type Jobs struct {
	GivenUp int64      `json:"given_up"`
	Late    int64      `json:"late" doc:"Due for fifteen minutes or more, and not done"`
	Since   *time.Time `json:"due_since" nullable:"true" doc:"Since when the oldest is due, UTC; null if none is"`
}

// Alarm is something of an organisation, or of the platform itself, that somebody should look at.
type Alarm struct {
	Kind   string     `json:"kind" enum:"books,opening,given_up,late,unseen" doc:"Its books do not balance; its opening broke; jobs of it were given up, or are late; it was not copied lately"`
	Org    *uuid.UUID `json:"org_id" nullable:"true" doc:"Null for the platform itself"`
	NameTH string     `json:"name_th"`
	NameEN string     `json:"name_en"`
	Count  int64      `json:"count" doc:"Findings or jobs; 0 where there is nothing to count"`
	Since  *time.Time `json:"since" nullable:"true" doc:"UTC"`
}

// Seen is how far the figures are behind. Each organisation is copied half a minute after it has sold something, and every five minutes.
type Seen struct {
	Organisations int64      `json:"organisations" doc:"Whose figures are here"`
	Missing       int64      `json:"missing" doc:"Open organisations that were never copied"`
	Oldest        *time.Time `json:"oldest_at" nullable:"true" doc:"When that one was copied whose copy is the oldest, UTC"`
}

// unseenAfter is how old a copy may be before that is an alarm.
const unseenAfter = 20 * time.Minute

const (
	daySums = `SELECT d.day::date::text, coalesce(f.orders, 0)::bigint, coalesce(f.sales, 0)::bigint, coalesce(f.fee, 0)::bigint, coalesce(f.uses, 0)::bigint, coalesce(f.customers, 0)::bigint, coalesce(f.top_ups, 0)::bigint, coalesce(f.top_up, 0)::bigint
		FROM generate_series($1::date, $2::date, interval '1 day') d (day)
		LEFT JOIN (SELECT day, sum(orders) AS orders, sum(sales_satang) AS sales, sum(fee_satang) AS fee, sum(uses) AS uses, sum(customers) AS customers, sum(top_ups) AS top_ups, sum(top_up_satang) AS top_up
			FROM overview_day WHERE day BETWEEN $1 AND $2 GROUP BY day) f ON f.day = d.day::date ORDER BY 1`
	sums = `SELECT coalesce(sum(v.unearned_satang), 0)::bigint, coalesce(sum(v.payable_satang), 0)::bigint, coalesce(sum(v.wallet_satang), 0)::bigint, coalesce(sum(v.given_up), 0)::bigint, coalesce(sum(v.late), 0)::bigint,
			min(v.due_since), count(v.seen_at), count(*) FILTER (WHERE v.seen_at IS NULL), min(v.seen_at)
		FROM organisation o LEFT JOIN overview v ON v.org_id = o.id WHERE o.state <> 'provisioning'`
	stateCounts = `SELECT s.state, count(o.id) FROM unnest(ARRAY['live', 'provisioning', 'suspended']) s (state) LEFT JOIN organisation o ON o.state = s.state GROUP BY 1 ORDER BY 1`
	planCounts  = `SELECT p.id, p.name_th, p.name_en, count(*), coalesce(sum(d.sales), 0)::bigint FROM plan p JOIN organisation o ON o.plan_id = p.id
		LEFT JOIN (SELECT org_id, sum(sales_satang) AS sales FROM overview_day WHERE day BETWEEN $1 AND $2 GROUP BY 1) d ON d.org_id = o.id GROUP BY p.id ORDER BY 4 DESC, p.id`
	nodeCounts = `SELECT node, count(*) FROM organisation GROUP BY 1 ORDER BY 1`
	alarms     = `SELECT a.kind, a.org_id, a.name_th, a.name_en, a.n, a.since FROM (
			SELECT 1 AS rank, 'books' AS kind, o.id AS org_id, o.name_th, o.name_en, v.book_findings AS n, v.books_at AS since FROM overview v JOIN organisation o ON o.id = v.org_id WHERE v.book_findings > 0
			UNION ALL SELECT 2, 'opening', o.id, o.name_th, o.name_en, 0, max(s.finished_at) FROM provision_step s JOIN organisation o ON o.id = s.org_id WHERE s.state = 'failed' GROUP BY o.id
			UNION ALL SELECT 3, 'given_up', o.id, o.name_th, o.name_en, v.given_up, NULL FROM overview v JOIN organisation o ON o.id = v.org_id WHERE v.given_up > 0
			UNION ALL SELECT 4, 'late', o.id, o.name_th, o.name_en, v.late, v.due_since FROM overview v JOIN organisation o ON o.id = v.org_id WHERE v.late > 0
			UNION ALL SELECT 5, 'unseen', o.id, o.name_th, o.name_en, 0, v.seen_at FROM overview v JOIN organisation o ON o.id = v.org_id WHERE v.seen_at < $1 AND o.state <> 'provisioning'
		) a ORDER BY a.rank, a.n DESC, a.org_id LIMIT 50`
)

// Overview returns all organisations together.
func (s *Service) Overview(ctx context.Context, in Span) (v Overview, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		today := clock.Day(tx.Now)
		first := today.AddDate(0, 0, 1-in.Days)
		v = Overview{From: first.Format(time.DateOnly), To: today.Format(time.DateOnly)}
		days, err := collect(ctx, tx, pgx.RowToStructByPos[dayOf], daySums, first.AddDate(0, 0, -in.Days), today)
		if err != nil {
			return err
		}
		for n, d := range days {
			if n < in.Days {
				v.Before.add(d.figures())
				continue
			}
			v.Now.add(d.figures())
			v.Days = append(v.Days, DayFigures{d.Day, d.figures()})
		}
		if err := tx.QueryRow(ctx, sums).Scan(&v.Balances.Unearned, &v.Balances.Payable, &v.Balances.Wallets, &v.Jobs.GivenUp, &v.Jobs.Late, &v.Jobs.Since,
			&v.Seen.Organisations, &v.Seen.Missing, &v.Seen.Oldest); err != nil {
			return err
		}
		if v.States, err = collect(ctx, tx, pgx.RowToStructByPos[StateCount], stateCounts); err != nil {
			return err
		}
		if v.Plans, err = collect(ctx, tx, pgx.RowToStructByPos[PlanCount], planCounts, first, today); err != nil {
			return err
		}
		if v.Nodes, err = collect(ctx, tx, pgx.RowToStructByPos[NodeCount], nodeCounts); err != nil {
			return err
		}
		if v.Alarms, err = collect(ctx, tx, pgx.RowToStructByPos[Alarm], alarms, tx.Now.Add(-unseenAfter)); err != nil {
			return err
		}
		return v.addOwn(ctx, tx)
	})
	if err != nil {
		return v, fmt.Errorf("overview: %w", err)
	}
	return v, nil
}

// addOwn adds the platform's own jobs.
func (v *Overview) addOwn(ctx context.Context, tx db.Tx) error {
	own, err := queue.ReadBacklog(ctx, tx)
	if err != nil {
		return err
	}
	v.Jobs.GivenUp, v.Jobs.Late = v.Jobs.GivenUp+own.GivenUp, v.Jobs.Late+own.Late
	if own.Since != nil && (v.Jobs.Since == nil || own.Since.Before(*v.Jobs.Since)) {
		v.Jobs.Since = own.Since
	}
	var mine []Alarm
	if own.GivenUp > 0 {
		mine = append(mine, Alarm{Kind: "given_up", Count: own.GivenUp})
	}
	if own.Late > 0 {
		mine = append(mine, Alarm{Kind: "late", Count: own.Late, Since: own.Since})
	}
	v.Alarms = append(append([]Alarm{}, mine...), v.Alarms...)
	return nil
}

type dayOf struct {
	Day                                                string
	Orders, Sales, Fee, Uses, Customers, TopUps, TopUp int64
}

func (d dayOf) figures() Figures {
	return Figures{d.Orders, money.Amount(d.Sales), money.Amount(d.Fee), d.Uses, d.Customers, d.TopUps, money.Amount(d.TopUp)}
}

func (f *Figures) add(more Figures) {
	f.Orders, f.Sales, f.Fee, f.Uses = f.Orders+more.Orders, f.Sales+more.Sales, f.Fee+more.Fee, f.Uses+more.Uses
	f.Customers, f.TopUps, f.TopUp = f.Customers+more.Customers, f.TopUps+more.TopUps, f.TopUp+more.TopUp
}

// collect returns an empty list where there are no rows.
func collect[T any](ctx context.Context, tx db.Tx, scan pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scan)
}

// RankInput asks for a page of organisations, those with the most first.
type RankInput struct {
	Days  int        `json:"days" minimum:"1" maximum:"90"`
	By    string     `json:"by,omitempty" required:"false" enum:"sales,fee,uses,top_ups,unearned,payable,wallets,given_up" doc:"By sales, if nothing else is said"`
	Limit int        `json:"limit,omitempty" required:"false" minimum:"0" maximum:"200"`
	After *uuid.UUID `json:"after,omitempty" required:"false" doc:"Next of the page before"`
}

// Ranked is an organisation with its figures.
type Ranked struct {
	ID       uuid.UUID    `json:"id"`
	Unique   string       `json:"unique"`
	NameTH   string       `json:"name_th"`
	NameEN   string       `json:"name_en"`
	State    string       `json:"state" enum:"provisioning,live,suspended"`
	Orders   int64        `json:"orders"`
	Sales    money.Amount `json:"sales_satang"`
	Fee      money.Amount `json:"fee_satang"`
	Uses     int64        `json:"uses"`
	TopUp    money.Amount `json:"top_up_satang"`
	Unearned money.Amount `json:"unearned_satang"`
	Payable  money.Amount `json:"payable_satang"`
	Wallets  money.Amount `json:"wallet_satang"`
	GivenUp  int64        `json:"given_up"`
	SeenAt   *time.Time   `json:"seen_at" nullable:"true" doc:"When these were copied, UTC; null if they never were"`
}

// RankPage is a page of organisations.
type RankPage struct {
	Data []Ranked   `json:"data"`
	Next *uuid.UUID `json:"next" nullable:"true"`
}

const (
	maxRanked = 50
	ranked    = `WITH figured AS (SELECT o.id, o.unique_name, o.name_th, o.name_en, o.state, coalesce(d.orders, 0)::bigint AS orders, coalesce(d.sales, 0)::bigint AS sales, coalesce(d.fee, 0)::bigint AS fee, coalesce(d.uses, 0)::bigint AS uses,
			coalesce(d.top_up, 0)::bigint AS top_up, coalesce(v.unearned_satang, 0) AS unearned, coalesce(v.payable_satang, 0) AS payable, coalesce(v.wallet_satang, 0) AS wallets, coalesce(v.given_up, 0) AS given_up, v.seen_at
			FROM organisation o LEFT JOIN overview v ON v.org_id = o.id
			LEFT JOIN (SELECT org_id, sum(orders) AS orders, sum(sales_satang) AS sales, sum(fee_satang) AS fee, sum(uses) AS uses, sum(top_up_satang) AS top_up FROM overview_day WHERE day BETWEEN $1 AND $2 GROUP BY 1) d ON d.org_id = o.id),
		ranked AS (SELECT f.id, f.unique_name, f.name_th, f.name_en, f.state, f.orders, f.sales, f.fee, f.uses, f.top_up, f.unearned, f.payable, f.wallets, f.given_up, f.seen_at,
			CASE $3 WHEN 'fee' THEN f.fee WHEN 'uses' THEN f.uses WHEN 'top_ups' THEN f.top_up WHEN 'unearned' THEN f.unearned WHEN 'payable' THEN f.payable WHEN 'wallets' THEN f.wallets WHEN 'given_up' THEN f.given_up ELSE f.sales END AS rank FROM figured f)
		SELECT r.id, r.unique_name, r.name_th, r.name_en, r.state, r.orders, r.sales, r.fee, r.uses, r.top_up, r.unearned, r.payable, r.wallets, r.given_up, r.seen_at FROM ranked r
		WHERE $4::uuid IS NULL OR (r.rank, r.id) < (SELECT l.rank, l.id FROM ranked l WHERE l.id = $4) ORDER BY r.rank DESC, r.id DESC LIMIT $5`
)

// Rank returns a page of organisations with their figures, those with the most first.
func (s *Service) Rank(ctx context.Context, in RankInput) (p RankPage, err error) {
	if in.Limit <= 0 {
		in.Limit = maxRanked
	}
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) (err error) {
		today := clock.Day(tx.Now)
		p.Data, err = collect(ctx, tx, pgx.RowToStructByPos[Ranked], ranked, today.AddDate(0, 0, 1-in.Days), today, in.By, in.After, in.Limit+1)
		return err
	})
	if err != nil {
		return p, fmt.Errorf("organisations by their figures: %w", err)
	}
	if len(p.Data) > in.Limit {
		p.Data = p.Data[:in.Limit]
		p.Next = &p.Data[in.Limit-1].ID
	}
	return p, nil
}

// EnqueueBuild has a worker copy everything anew.
func (s *Service) EnqueueBuild(ctx context.Context, who auditlog.Actor) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		if err := queue.Enqueue(ctx, tx, BuildJob{}); err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, who, "count_anew", "overview", nil, nil)
	})
}
