package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/reports"
	"welovevoucher/tenants/rollup"
	"welovevoucher/tools/fill"
	"welovevoucher/tools/harness"
)

// sold is how many orders the office's organisation has, with two vouchers each. SOLD says another number, for a quick look.
func sold() int {
	n, err := strconv.Atoi(os.Getenv("SOLD"))
	if err != nil {
		return 1_000_000
	}
	return max(n, 10_000)
}

// BenchmarkOffice: what the back office asks for in an organisation that has sold for ninety days, against the leanest SQL for the
// same rows; what its figures cost; and a purchase there.
func BenchmarkOffice(b *testing.B) {
	const clients = 4
	s := open(b, "office", "1650000106", 0)
	s.fill()
	s.addBuyers(8)
	bare := make([]*pgx.Conn, clients)
	for n := range bare {
		bare[n] = s.connect()
	}

	for _, list := range []struct{ name, path, body, sql string }{
		{"orders, first page", "orders", `{}`, firstOrders},
		{"orders, another state", "orders", `{"filter":{"state":"expired"}}`, expiredOrders},
		{"orders, a name", "orders", `{"search":"` + name + `"}`, namedOrders},
		{"vouchers, first page", "voucher", `{}`, firstVouchers},
		{"vouchers, used ones", "voucher", `{"filter":{"state":"used"}}`, usedVouchers},
		{"payments, first page", "depositqrtransaction", `{}`, firstPayments},
		{"customers, first page", "customer", `{}`, firstCustomers},
		{"uses, first page", "activevouchertransaction", `{}`, firstUses},
		{"customers, a name", "customer", `{"search":"` + name + `"}`, namedCustomers},
		{"customers by name", "customer", `{"sort":"displayName"}`, customersByName},
		{"orders, the oldest", "orders", `{"sort":"created_at"}`, oldestOrders},
		{"vouchers, a name", "voucher", `{"search":"` + name + `"}`, namedVouchers},
		{"vouchers by their last day", "voucher", `{"filter":{"valid_until":{"from":"2026-01-01"}}}`, vouchersByEnd},
		{"payments, a name", "depositqrtransaction", `{"search":"` + name + `"}`, namedPayments},
		{"payments by their capture", "depositqrtransaction", `{"filter":{"captured_at":{"from":"2026-01-01T00:00:00Z"}}}`, paymentsByCapture},
		{"uses, a name", "activevouchertransaction", `{"search":"` + name + `"}`, namedUses},
		{"uses, the oldest", "activevouchertransaction", `{"sort":"at"}`, oldestUses},
	} {
		c := compare(b, clients,
			func(n int) error { return readRows(s.T.Context(), bare[n], list.sql) },
			s.goOn(func(int) error {
				_, err := place.call(s.Host, s.Owner.Token, "/api/owner/get/"+list.path, "", []byte(list.body))
				return err
			}))
		atLeast(list.name+" ÷ the leanest SQL of the same rows, 4 clients", 0.4, "", c.speed, c.String())
	}

	for _, days := range []int{30, 90} {
		body := fmt.Appendf(nil, `{"days":%d}`, days)
		took, cost := s.timed(9, "/api/owner/dashboard", body)
		atMost(fmt.Sprintf("overview of %d days", days), 300, " ms", took, cost)
	}
	today := time.Now()
	for _, r := range reports.All {
		filter := map[string]string{}
		if r.Describe().Days {
			filter = map[string]string{"from": today.AddDate(0, 0, -89).Format(time.DateOnly), "to": today.Format(time.DateOnly)}
		}
		body, err := json.Marshal(map[string]any{"filter": filter})
		require.NoError(b, err)
		took, cost := s.timed(9, "/api/owner/report/"+r.Name(), body)
		if r.Name() == "unearned" { // reads each voucher that can be used
			noted("report "+r.Name(), " ms", took, cost)
			continue
		}
		atMost("report "+r.Name()+" of 90 days", 300, " ms", took, cost)
	}

	for _, table := range []struct{ name, report, sql string }{{"vouchers", "voucher", allVouchers}, {"orders", "orders", allOrders}} {
		rows, copied := s.copied(bare[0], table.sql)
		took := s.exported(table.report, "csv")
		atLeast("csv of "+table.name+" ÷ COPY of the same query", 0.3, "", []float64{copied.Seconds() / took.Seconds()},
			fmt.Sprintf("%d rows in %.1f s, COPY %.1f s", rows, took.Seconds(), copied.Seconds()))
		if table.report == "orders" {
			took := s.exported(table.report, "xlsx")
			noted("xlsx of "+table.name, " s", []float64{took.Seconds()}, fmt.Sprintf("%d rows", rows))
		}
	}

	s.audit()
	s.noteSizes(bare[0])

	empty := s.Open("empty", "ร้านว่าง", "1650000107")
	home, err := place.DB.Placement(b.Context(), empty.ID)
	require.NoError(b, err)
	beside := &shop{Organisation: empty, schema: home.Schema}
	beside.addBuyers(8)
	c := compare(b, 8,
		beside.goOn(func(n int) error { return beside.buy(beside.buyers[n]) }),
		s.goOn(func(n int) error { return s.buy(s.buyers[n]) }))
	atLeast("purchase there ÷ in an empty organisation, 8 clients", 0.9, "", c.speed, c.String())
	c = compare(b, 8, beside.goOn(beside.redeemer(8)), s.goOn(s.redeemer(8)))
	atLeast("redeem there ÷ in an empty organisation, 8 clients", 0.9, "", c.speed, c.String())
}

// audit compares everything of the organisation, in a process of its own.
func (s *shop) audit() {
	s.T.Helper()
	began := time.Now()
	ended, out, err := place.RunProcess("audit", "ledger", s.Unique)
	require.NoError(s.T, err, out)
	noted("audit ledger", " s", []float64{time.Since(began).Seconds()},
		fmt.Sprintf("the process took %.0f MB at most", float64(ended.SysUsage().(*syscall.Rusage).Maxrss)/1024))
}

// noteSizes notes what a row of each large table takes on the disk, with its indexes.
func (s *shop) noteSizes(conn *pgx.Conn) {
	s.T.Helper()
	rows, err := conn.Query(s.T.Context(), `SELECT relname, reltuples::bigint, pg_total_relation_size(oid) FROM pg_class
		WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND reltuples > 10000 ORDER BY 3 DESC`)
	require.NoError(s.T, err)
	var table string
	var n, size int64
	_, err = pgx.ForEachRow(rows, []any{&table, &n, &size}, func() error {
		noted("a row of "+table+" with its indexes", " bytes", []float64{float64(size) / float64(n)}, fmt.Sprintf("%d rows", n))
		return nil
	})
	require.NoError(s.T, err)
}

// fill sells, and adds the figures up.
func (s *shop) fill() {
	s.T.Helper()
	require.NoError(s.T, place.DB.InOrg(s.T.Context(), s.ID, func(tx db.Tx) error { return fill.Organisation(s.T.Context(), tx, sold()) }))
	superuser, err := pgx.Connect(s.T.Context(), place.SuperURL)
	require.NoError(s.T, err)
	_, err = superuser.Exec(s.T.Context(), "VACUUM ANALYZE")
	require.NoError(s.T, err)
	require.NoError(s.T, superuser.Close(s.T.Context()))
	require.NoError(s.T, rollup.Build(s.T.Context(), place.DB, s.ID))
	require.NoError(s.T, place.DB.InOrg(s.T.Context(), s.ID, func(tx db.Tx) error {
		return ledger.SealDays(s.T.Context(), tx)
	}))
	s.checkpoint()
}

// name is what is searched by. The yardstick finds it in the same index, from anywhere within a name, for nobody knows how it goes on.
const name = "ณัฐกานต์"

var (
	named          = strings.NewReplacer("{grams}", "'{"+strings.Join(grams(name), ",")+"}'::text[]", "{parts}", "'{%"+name+"%}'::text[]").Replace(customer.Named)
	namedOrders    = ofOrders + `(SELECT o.* FROM (` + named + `) n JOIN orders o ON o.customer_id = n.id ORDER BY o.id DESC LIMIT 51) r JOIN customer c ON c.id = r.customer_id ORDER BY r.id DESC`
	namedVouchers  = ofVouchers + `(SELECT v.* FROM (` + named + `) n CROSS JOIN LATERAL (SELECT * FROM voucher WHERE holder_id = n.id LIMIT 10) v ORDER BY v.id DESC LIMIT 51) r JOIN customer c ON c.id = r.holder_id JOIN orders o ON o.id = r.order_id ORDER BY r.id DESC`
	namedPayments  = ofPayments + `(SELECT g.* FROM (` + named + `) n CROSS JOIN LATERAL (SELECT * FROM charge WHERE customer_id = n.id ORDER BY created_at DESC LIMIT 10) g ORDER BY g.id DESC LIMIT 51) r JOIN customer c ON c.id = r.customer_id ORDER BY r.id DESC`
	namedUses      = ofUses + `(SELECT u.* FROM (` + named + `) n CROSS JOIN LATERAL (SELECT * FROM redemption WHERE customer_id = n.id ORDER BY id DESC LIMIT 10) u ORDER BY u.id DESC LIMIT 51) r ` + besideUses + `ORDER BY r.id DESC`
	namedCustomers = ofCustomers + `WHERE id IN (` + strings.Replace(named, "LIMIT 20", "LIMIT 200", 1) + `) ORDER BY id DESC LIMIT 51`
)

// grams are all runs of three letters in a word.
func grams(word string) (all []string) {
	letters := []rune(word)
	for i := range len(letters) - 2 {
		all = append(all, string(letters[i:i+3]))
	}
	return all
}

func readRows(ctx context.Context, conn *pgx.Conn, sql string) error {
	rows, err := conn.Query(ctx, sql)
	if err != nil {
		return err
	}
	for rows.Next() {
		if _, err := rows.Values(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// timed calls a path several times, and returns the milliseconds of each call, and the processor time that each took.
func (s *shop) timed(times int, path string, body []byte) (took []float64, cost string) {
	s.T.Helper()
	before := place.spent()
	for range times {
		began := time.Now()
		_, err := place.call(s.Host, s.Owner.Token, path, "", body)
		require.NoError(s.T, err)
		took = append(took, float64(time.Since(began).Microseconds())/1000)
	}
	slices.Sort(took)
	return took, "processor time each: " + place.spent().minus(before).over(times).String()
}

// copied counts the bytes that COPY writes of a query, and how long it takes.
func (s *shop) copied(conn *pgx.Conn, sql string) (rows int64, took time.Duration) {
	s.T.Helper()
	began := time.Now()
	tag, err := conn.PgConn().CopyTo(s.T.Context(), discarded{}, "COPY ("+sql+") TO STDOUT WITH (FORMAT csv)")
	require.NoError(s.T, err)
	return tag.RowsAffected(), time.Since(began)
}

type discarded struct{}

func (discarded) Write(p []byte) (int, error) { return len(p), nil }

// exported has a file made by the worker, and returns how long that took.
func (s *shop) exported(name, format string) (took time.Duration) {
	s.T.Helper()
	job := harness.MustPost[struct{ ID uuid.UUID }](s.Owner, "/api/owner/report/job", "",
		map[string]any{"report": name, "filter": map[string]any{}, "format": format})
	conn := s.connect()
	require.Eventually(s.T, func() bool {
		var state string
		var seconds float64
		require.NoError(s.T, conn.QueryRow(s.T.Context(), `SELECT state, extract(epoch FROM updated_at - created_at)::float8 FROM report_job WHERE id = $1`, job.ID).Scan(&state, &seconds))
		took = time.Duration(seconds * float64(time.Second))
		return state == "done"
	}, 20*time.Minute, 200*time.Millisecond, "the file is made")
	return took
}

// The leanest SQL of the rows that a screen shows: by key, from an index, and nothing for what the page is beside its rows.
const (
	ofOrders = `SELECT r.id, r.number, r.state, r.customer_id, c.display_name, r.sale_channel, r.agent_id, r.total_satang, r.platform_fee_satang,
		r.commission_satang, r.created_at, r.paid_at, (SELECT sum(quantity) FROM order_line WHERE order_id = r.id) FROM `
	ofVouchers = `SELECT r.id, r.code, r.name_th, r.name_en, r.kind, r.state, r.holder_id, c.display_name, r.order_id, o.number, r.items_total, r.items_left,
		r.share_satang, r.valid_until, r.issued_at FROM `
	ofPayments = `SELECT r.id, r.reference, r.gateway_id, r.customer_id, c.display_name, r.purpose, r.method, r.state, r.amount_satang, r.captured_satang,
		r.fee_satang, r.refunded_satang, r.disputed_satang, r.owed_satang, r.dispute, r.created_at, r.captured_at FROM `
	ofUses = `SELECT r.id, r.at, r.voucher_id, v.code, v.name_th, v.name_en, v.kind, r.customer_id, c.display_name, r.service_point_id, p.name_th, p.name_en, s.name,
		r.items, r.items_left, r.amount_satang FROM `
	besideUses  = `JOIN voucher v ON v.id = r.voucher_id JOIN customer c ON c.id = r.customer_id JOIN service_point p ON p.id = r.service_point_id JOIN staff s ON s.id = r.staff_id `
	ofCustomers = `SELECT id, display_name, picture_url, first_name, last_name, email, gender, refer_code, customer_type, debt_satang, status, created_at FROM customer `

	firstOrders    = ofOrders + `(SELECT * FROM orders ORDER BY id DESC LIMIT 51) r JOIN customer c ON c.id = r.customer_id ORDER BY r.id DESC`
	expiredOrders  = ofOrders + `(SELECT * FROM orders WHERE state = 'expired' ORDER BY id DESC LIMIT 51) r JOIN customer c ON c.id = r.customer_id ORDER BY r.id DESC`
	firstVouchers  = ofVouchers + `(SELECT * FROM voucher ORDER BY id DESC LIMIT 51) r JOIN customer c ON c.id = r.holder_id JOIN orders o ON o.id = r.order_id ORDER BY r.id DESC`
	usedVouchers   = ofVouchers + `(SELECT * FROM voucher WHERE state = 'used' ORDER BY id DESC LIMIT 51) r JOIN customer c ON c.id = r.holder_id JOIN orders o ON o.id = r.order_id ORDER BY r.id DESC`
	firstPayments  = ofPayments + `(SELECT * FROM charge ORDER BY id DESC LIMIT 51) r JOIN customer c ON c.id = r.customer_id ORDER BY r.id DESC`
	firstUses      = ofUses + `(SELECT * FROM redemption ORDER BY id DESC LIMIT 51) r ` + besideUses + `ORDER BY r.id DESC`
	firstCustomers = ofCustomers + `ORDER BY id DESC LIMIT 51`

	customersByName   = ofCustomers + `ORDER BY display_name, id LIMIT 51`
	oldestOrders      = ofOrders + `(SELECT * FROM orders ORDER BY id LIMIT 51) r JOIN customer c ON c.id = r.customer_id ORDER BY r.id`
	vouchersByEnd     = ofVouchers + `(SELECT * FROM voucher WHERE valid_until >= '2026-01-01' ORDER BY valid_until DESC, id DESC LIMIT 51) r JOIN customer c ON c.id = r.holder_id JOIN orders o ON o.id = r.order_id ORDER BY r.valid_until DESC, r.id DESC`
	paymentsByCapture = ofPayments + `(SELECT * FROM charge WHERE captured_at >= '2026-01-01' ORDER BY captured_at DESC, id DESC LIMIT 51) r JOIN customer c ON c.id = r.customer_id ORDER BY r.captured_at DESC, r.id DESC`
	oldestUses        = ofUses + `(SELECT * FROM redemption ORDER BY id LIMIT 51) r ` + besideUses + `ORDER BY r.id`

	allOrders   = ofOrders + `orders r JOIN customer c ON c.id = r.customer_id ORDER BY r.id DESC`
	allVouchers = ofVouchers + `voucher r JOIN customer c ON c.id = r.holder_id JOIN orders o ON o.id = r.order_id ORDER BY r.id DESC`
)
