package fill_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/api/owner"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/history"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/reports"
	"welovevoucher/tenants/story"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tools/fill"
)

// most is how many rows a step of a plan may read, sort or throw away: five of the longest pages, and the one that is asked for.
const most = 5*200 + 201

// certificates are of payouts that were left out, which the books of a filled organisation do not have: only plans are made for them.
const certificates = `INSERT INTO tax_certificate (id, number, payout_id, payee_id, state, form, income_code, rate_basis_points, paid_on, income_satang, withheld_satang, payer_name, payer_tax_id, payer_branch, payer_address, payee, issued_at)
		SELECT uuidv7(r.drafted_at - clock_timestamp()), 'WT-' || p.reference, p.id, p.payee_id, 'issued', CASE WHEN p.position % 3 = 0 THEN 'PND53' ELSE 'PND1' END, '40(2)', 300, r.pay_day, 5000, 150, '', '', '', '', '', r.drafted_at
		FROM payout p JOIN payout_run r ON r.id = p.run_id WHERE r.number LIKE 'F%' AND p.payee_id IS NOT NULL ORDER BY r.drafted_at, p.id`

// holds are of sales that are over, which no run was to pay: only plans are made for them.
const holds = `INSERT INTO commission_hold (id, order_id, payee_id, signal, evidence, state, held_at, ends_at, ended_at)
		SELECT uuidv7(k.created_at - clock_timestamp()), CASE WHEN e.n = 4 THEN NULL ELSE k.order_id END, a.id, (ARRAY['card', 'device', 'refunds', 'same_account'])[e.n], k.id::text, 'lapsed', k.created_at, k.created_at + interval '30 days', k.created_at + interval '30 days'
		FROM (SELECT k.id, k.order_id, k.created_at, row_number() OVER (ORDER BY k.created_at, k.id) AS n FROM commission k) k CROSS JOIN generate_series(1, 4) AS e (n)
		JOIN (SELECT a.id, row_number() OVER (ORDER BY a.id) AS n, count(*) OVER () AS of FROM agent a) a ON a.n = 1 + k.n % a.of ORDER BY k.created_at, e.n`

// TestPlans has Postgres explain what every declared table of the office can be asked, in an organisation with 20,000 orders: each
// sort from both ends and in the middle, each filter with a common value, a rare one and one that no row has, and searches by what
// rows hold. A table that grows reads no more than a few pages for any of it.
func TestPlans(t *testing.T) {
	const orders = 20_000
	w := tenanttest.New(t)
	w.In(func(ctx context.Context, tx db.Tx) error { return fill.Organisation(ctx, tx, orders) })
	require.NoError(t, w.InAsSuperuser(func(ctx context.Context, tx db.Tx) error {
		for _, sql := range []string{`SET LOCAL statement_timeout = 0`, certificates, holds, `ANALYZE`} {
			if _, err := tx.Exec(ctx, sql); err != nil {
				return err
			}
		}
		return nil
	}))

	// The busiest records: each timeline reads its newest events by indexes, planned for this record and once for all.
	t.Run("stories", func(t *testing.T) {
		for table, busiest := range map[string]string{
			"orders":               `SELECT order_id FROM voucher GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`,
			"voucher":              `SELECT voucher_id FROM redemption GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`,
			"customer":             `SELECT customer_id FROM orders GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`,
			"depositqrtransaction": `SELECT id FROM charge WHERE state = 'captured' ORDER BY amount_satang DESC, id LIMIT 1`,
			"case":                 `SELECT id FROM charge_case ORDER BY id LIMIT 1`,
			"transfertransaction":  `SELECT gift_id FROM voucher_event WHERE gift_id IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`,
			"boardtransaction":     `SELECT offer_id FROM voucher_event WHERE offer_id IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`,
			"agent":                `SELECT agent_id FROM orders WHERE agent_id IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`,
		} {
			w.In(func(ctx context.Context, tx db.Tx) error {
				var id uuid.UUID
				if err := tx.QueryRow(ctx, busiest).Scan(&id); err != nil {
					return fmt.Errorf("the busiest of %s: %w", table, err)
				}
				for _, once := range []bool{false, true} {
					plan, err := explained(ctx, tx, story.Explain(id)[table], once)
					if err != nil {
						return fmt.Errorf("%s: %w", table, err)
					}
					require.Empty(t, plan.tooMany(), "%s, planned once: %v", table, once)
				}
				return nil
			})
		}
	})

	t.Run("histories", func(t *testing.T) {
		w.In(func(ctx context.Context, tx db.Tx) error {
			var id uuid.UUID
			if err := tx.QueryRow(ctx, `SELECT customer_id FROM orders GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`).Scan(&id); err != nil {
				return fmt.Errorf("the busiest customer: %w", err)
			}
			for name, statement := range history.Explain(id, tx.Now) {
				for _, once := range []bool{false, true} {
					plan, err := explained(ctx, tx, statement, once)
					if err != nil {
						return fmt.Errorf("%s: %w", name, err)
					}
					require.Empty(t, plan.tooMany(), "%s, planned once: %v", name, once)
				}
			}
			return nil
		})
	})

	// A page of a report reads its rows and no others, wherever it begins.
	t.Run("reports", func(t *testing.T) {
		w.In(func(ctx context.Context, tx db.Tx) error {
			var after reports.Middles
			for into, middle := range map[*uuid.UUID]string{
				&after.Order:      `SELECT id FROM orders WHERE paid_at IS NOT NULL ORDER BY paid_at OFFSET (SELECT count(*) / 2 FROM orders WHERE paid_at IS NOT NULL) LIMIT 1`,
				&after.Use:        `SELECT id FROM redemption ORDER BY at OFFSET (SELECT count(*) / 2 FROM redemption) LIMIT 1`,
				&after.Transfer:   `SELECT id FROM transfer ORDER BY day, id OFFSET (SELECT count(*) / 2 FROM transfer) LIMIT 1`,
				&after.Change:     `SELECT id FROM commission_change ORDER BY at, id OFFSET (SELECT count(*) / 2 FROM commission_change) LIMIT 1`,
				&after.Commission: `SELECT id FROM commission ORDER BY created_at, id OFFSET (SELECT count(*) / 2 FROM commission) LIMIT 1`,
				&after.Payout:     `SELECT id FROM payout ORDER BY id OFFSET (SELECT count(*) / 2 FROM payout) LIMIT 1`,
			} {
				if err := tx.QueryRow(ctx, middle).Scan(into); err != nil {
					return fmt.Errorf("the middle: %w", err)
				}
			}
			today := clock.Day(tx.Now)
			days := reports.Days{From: today.AddDate(0, 0, -700).Format(time.DateOnly), To: today.Format(time.DateOnly)}
			for name, statement := range reports.Explain(days, after) {
				plan, err := explained(ctx, tx, statement, false)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				require.Empty(t, plan.tooMany(), name)
			}
			return nil
		})
	})

	growing := 0
	for _, table := range owner.Tables() {
		t.Run(table.Name(), func(t *testing.T) {
			if table.AtMost() > 0 {
				require.LessOrEqual(t, int(w.Count(`SELECT count(*) FROM `+table.Relation())), table.AtMost(), "sales make it grow: its Def says that they do not")
				return
			}
			growing++
			p := plans{T: t, w: w, table: table}
			p.read()
			p.trySorts()
			p.tryFilters()
			p.trySearches()
		})
	}
	require.GreaterOrEqual(t, growing, 5)

	t.Run("an agent's own customers", func(t *testing.T) {
		var id uuid.UUID
		w.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT agent_id FROM orders WHERE agent_id IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`).Scan(&id)
		})
		p := plans{T: t, w: w, table: agent.OwnCustomers, always: map[string]any{"agent_id": id.String()}}
		p.read()
		p.trySorts()
		p.tryFilters()
	})
}

// TestCreated: a list between two times of creation, which is found by ids, has the rows of these times and no others.
func TestCreated(t *testing.T) {
	w := tenanttest.New(t)
	w.In(func(ctx context.Context, tx db.Tx) error { return fill.Organisation(ctx, tx, 300) })
	var all, some resource.Page[order.Row]
	list := func(page *resource.Page[order.Row], q resource.Query) {
		w.In(func(ctx context.Context, tx db.Tx) (err error) {
			*page, err = order.Orders.List(ctx, tx, q)
			return err
		})
	}
	list(&all, resource.Query{Limit: 200})
	at := func(i int) string { return all.Data[i].Value.CreatedAt.Format(time.RFC3339Nano) }
	list(&some, resource.Query{Filter: map[string]any{"created_at": map[string]any{"from": at(120), "to": at(20)}}, Limit: 200})
	require.Equal(t, all.Data[20:121], some.Data)
	require.EqualValues(t, 101, some.Total)
	list(&some, resource.Query{Filter: map[string]any{"created_at": at(7)}})
	require.Equal(t, all.Data[7:8], some.Data)
}

type plans struct {
	*testing.T
	w     *tenanttest.World
	table resource.Declared
	// always is a filter that each query has; without it the table has many rows.
	always map[string]any
	rows   []map[string]any // all that the table lists
}

// read exports the table, so that what is asked for later is there.
func (p *plans) read() {
	p.w.In(func(ctx context.Context, tx db.Tx) error {
		return p.table.ExportAny(ctx, tx, resource.Query{Filter: p.always}, func(row any) error {
			text, err := json.Marshal(row)
			if err != nil {
				return err
			}
			fields := map[string]any{}
			p.rows = append(p.rows, fields)
			return json.Unmarshal(text, &fields)
		})
	})
	if p.always == nil {
		require.Greater(p, len(p.rows), 5_000, "too few rows for a plan to matter")
	}
	require.NotEmpty(p, p.rows)
}

func (p *plans) columns(can resource.Can) (names []string) {
	columns, _ := p.table.Columns()
	for _, c := range columns {
		if c.Can&can != 0 {
			names = append(names, c.Name)
		}
	}
	return names
}

// creation is the column of the time at which rows are made, of which a list takes one value or a range.
func (p *plans) creation() string {
	columns, types := p.table.Columns()
	for i, c := range columns {
		if c.ByID && types[i] == reflect.TypeFor[time.Time]() {
			return c.Name
		}
	}
	return ""
}

func (p *plans) trySorts() {
	p.explain(resource.Query{})
	for _, column := range p.columns(resource.Sort) {
		for _, sort := range []string{column, "-" + column} {
			q := resource.Query{Sort: sort, Limit: 200}
			p.explain(q)
			p.deep(q)
		}
	}
}

// deep explains a page after many others.
func (p *plans) deep(q resource.Query) {
	for range 8 {
		var next *string
		p.w.In(func(ctx context.Context, tx db.Tx) error {
			page, err := p.table.ListAny(ctx, tx, p.within(q))
			next = page.Next
			return err
		})
		if next == nil {
			break
		}
		q.After = *next
	}
	p.explain(q)
}

func (p *plans) tryFilters() {
	between, creation := p.columns(resource.Between), p.creation()
	for _, column := range p.columns(resource.Filter) {
		values := p.valuesOf(column)
		for _, value := range append([]any{values[0], values[len(values)/2], values[len(values)-1], nil}, p.absent(values[0])...) {
			q := resource.Query{Filter: map[string]any{column: value}, Limit: 200}
			p.explain(q)
			p.deep(q)
		}
		several := values[:min(len(values), 20)]
		if _, isBool := values[0].(bool); !isBool && column != creation {
			p.explain(resource.Query{Filter: map[string]any{column: several}})
			p.explain(resource.Query{Filter: map[string]any{column: values[max(0, len(values)-2):]}})
		}
		if slices.Contains(between, column) {
			p.tryRanges(column, values)
		}
	}
}

func (p *plans) tryRanges(column string, values []any) {
	slices.SortFunc(values, func(a, b any) int {
		if x, ok := a.(float64); ok {
			return cmp.Compare(x, b.(float64))
		}
		return strings.Compare(a.(string), b.(string))
	})
	n := len(values)
	for _, limits := range []map[string]any{
		{"from": values[0]}, {"to": values[n-1]}, {"from": values[n/2]}, {"to": values[n/10]}, {"from": values[n/10], "to": values[n/8]}, {"from": values[n-1]},
	} {
		for _, sort := range p.columns(resource.Sort) {
			for _, direction := range []string{"", "-"} {
				q := resource.Query{Filter: map[string]any{column: limits}, Sort: direction + sort, Limit: 200}
				p.explain(q)
				p.deep(q)
			}
		}
	}
}

// valuesOf returns the column's values, the most frequent one first.
func (p *plans) valuesOf(column string) (values []any) {
	n := map[any]int{}
	for _, row := range p.rows {
		if row[column] != nil {
			n[row[column]]++
		}
	}
	require.NotEmpty(p, n, "no row has a %s: fill.Organisation gives it none", column)
	for value := range n {
		values = append(values, value)
	}
	slices.SortFunc(values, func(a, b any) int {
		return cmp.Or(cmp.Compare(n[b], n[a]), strings.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	return values
}

// absent returns a value of the same type that no row has.
func (p *plans) absent(like any) []any {
	text, isText := like.(string)
	switch {
	case like == true || like == false:
		return []any{like != true}
	case !isText:
		return []any{-7.0}
	}
	if _, err := uuid.Parse(text); err == nil {
		return []any{uuid.NewString()}
	}
	if _, err := time.Parse(time.RFC3339, text); err == nil {
		return []any{"1999-12-31T00:00:00Z"}
	}
	if _, err := time.Parse(time.DateOnly, text); err == nil {
		return []any{"1999-12-31"}
	}
	return []any{"void"}
}

// trySearches searches what rows hold: whole, from the beginning and from within, and as few letters as one.
func (p *plans) trySearches() {
	if !p.table.Finds() {
		return
	}
	searches := []string{"ญี่ปุ่น", "น้ำ", "ณัฐกานต์", "กานต์", "สมชาย ใจดี", "น", "นำ", "ใจดี ญี่ปุ่น", "chrg_", "zzzzzz", "%", "_"}
	for _, at := range []int{0, len(p.rows) / 2, len(p.rows) - 1} {
		for _, value := range p.rows[at] {
			text, _ := value.(string)
			letters := []rune(text)
			for _, part := range [][]rune{letters, letters[:min(1, len(letters))], letters[:min(2, len(letters))], letters[:min(3, len(letters))], letters[max(0, len(letters)-3):]} {
				searches = append(searches, string(part))
			}
		}
	}
	slices.Sort(searches)
	for _, search := range slices.Compact(searches) {
		if len(strings.Fields(search)) > 0 && len(search) <= 100 {
			p.explain(resource.Query{Search: search, Limit: 200})
		}
	}
}

// node is a step of a plan, as EXPLAIN (ANALYZE, FORMAT JSON) has it.
type node struct {
	Type      string  `json:"Node Type"`
	Relation  string  `json:"Relation Name"`
	Index     string  `json:"Index Name"`
	Rows      float64 `json:"Actual Rows"`
	Loops     float64 `json:"Actual Loops"`
	Filtered  float64 `json:"Rows Removed by Filter"`
	Joined    float64 `json:"Rows Removed by Join Filter"`
	Rechecked float64 `json:"Rows Removed by Index Recheck"`
	Plans     []node
}

// explain fails for a step that handles more rows than a few pages. The entries of a bitmap are no rows: letters that many names
// have give many, and the first rows alone are read of them.
func (p *plans) explain(q resource.Query) {
	asked, err := p.table.Explain(p.within(q))
	require.NoError(p, err, "%+v", q)
	p.w.In(func(ctx context.Context, tx db.Tx) error {
		asked.Prepare(tx)
		for _, s := range asked.Statements {
			plan, err := explained(ctx, tx, s, asked.PlanOnce)
			if err != nil {
				return fmt.Errorf("%+v: %w", q, err)
			}
			if wrong := plan.tooMany(); wrong != "" {
				p.Errorf("%+v: %s\n%s", q, wrong, s.SQL)
			}
		}
		return nil
	})
}

// within adds what each query asks for.
func (p *plans) within(q resource.Query) resource.Query {
	filter := map[string]any{}
	maps.Copy(filter, p.always)
	maps.Copy(filter, q.Filter)
	q.Filter = filter
	return q
}

// explained runs a statement and returns its plan. EXPLAIN knows the values of a statement with parameters; one that is planned once
// is prepared, so that it does not.
func explained(ctx context.Context, tx db.Tx, s resource.Statement, once bool) (node, error) {
	var plan []struct{ Plan node }
	if !once {
		if err := tx.QueryRow(ctx, `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) `+s.SQL, s.Args...).Scan(&plan); err != nil {
			return node{}, err
		}
		return plan[0].Plan, nil
	}
	if _, err := tx.Exec(ctx, `PREPARE explained AS `+s.SQL); err != nil {
		return node{}, err
	}
	call := `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE explained`
	if len(s.Args) > 0 {
		values := make([]string, len(s.Args))
		for i, value := range s.Args {
			values[i] = literal(value)
		}
		call += " (" + strings.Join(values, ", ") + ")"
	}
	if err := tx.QueryRow(ctx, call, pgx.QueryExecModeSimpleProtocol).Scan(&plan); err != nil {
		return node{}, err
	}
	_, err := tx.Exec(ctx, `DEALLOCATE explained`)
	return plan[0].Plan, err
}

// literal writes an argument of a list as SQL.
func literal(value any) string {
	switch v := value.(type) {
	case uuid.UUID:
		return literal(v.String())
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case time.Time:
		return literal(v.Format(time.RFC3339Nano))
	case string:
		return "'" + strings.ReplaceAll(v, "'", "''") + "'"
	case []string:
		quoted := make([]string, len(v))
		for i, one := range v {
			quoted[i] = literal(one)
		}
		return "ARRAY[" + strings.Join(quoted, ", ") + "]::text[]"
	}
	panic(fmt.Sprintf("an argument of another type: %T", value))
}

func (n node) tooMany() string {
	if rows := (n.Rows + n.Filtered + n.Joined + n.Rechecked) * n.Loops; rows > most && n.Type != "Bitmap Index Scan" {
		return fmt.Sprintf("%s %s %s: %.0f rows", n.Type, n.Relation, n.Index, rows)
	}
	for _, under := range n.Plans {
		if wrong := under.tooMany(); wrong != "" {
			return wrong
		}
	}
	return ""
}
