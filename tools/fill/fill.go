// Package fill makes an organisation that has sold for ninety days, of any size, by SQL over sets: for tests of plans and for
// benches, which no use case could fill in their time. Its books balance.
package fill

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/ledger"
)

// Organisation fills the organisation of a transaction with orders: a third as many customers, each with a paid top-up, two
// vouchers to an order, most of them used. Of a hundred orders two ran out unpaid; some wait for their money. A fifth of the
// vouchers was given to somebody else, and a fifth offered to others. It takes about a minute for 100,000 orders. The organisation must have its system accounts.
func Organisation(ctx context.Context, tx db.Tx, orders int) error {
	if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
		return fmt.Errorf("fill: %w", err)
	}
	for _, s := range statements {
		args := []any{}
		if s.sized {
			args = append(args, orders)
		}
		if _, err := tx.Exec(ctx, s.sql, args...); err != nil {
			return fmt.Errorf("fill %s: %w", s.name, err)
		}
		if table, numbers := strings.CutPrefix(s.name, "numbers of "); numbers {
			if _, err := tx.Exec(ctx, "ANALYZE f_"+strings.TrimSuffix(table, "s")); err != nil {
				return fmt.Errorf("analyze %s: %w", s.name, err)
			}
		}
		if err := open(ctx, tx, accountsAfter[s.name]); err != nil {
			return fmt.Errorf("fill accounts after %s: %w", s.name, err)
		}
	}
	system := func(k ledger.Kind) uuid.UUID { return ledger.SystemAccount(k).ID(tx.Key) }
	_, err := tx.Exec(ctx, entries, system(ledger.Unearned), system(ledger.PlatformFee), system(ledger.Payable), system(ledger.Breakage), system("gateway_platform"), system(ledger.UseObjection))
	if err != nil {
		return fmt.Errorf("fill entries: %w", err)
	}
	_, err = tx.Exec(ctx, returned, system(ledger.Unearned), system(ledger.PlatformFee), system("gateway_platform"), system(ledger.BankClearing))
	if err != nil {
		return fmt.Errorf("fill entries of refunds: %w", err)
	}
	return nil
}

// accounts are those of each holder whom sql finds.
type accounts struct {
	sql   string
	kinds []ledger.Kind
}

// accountsAfter are the accounts that a statement's rows have.
var accountsAfter = map[string]accounts{
	"customers":         {`SELECT id FROM f_customer ORDER BY k`, []ledger.Kind{ledger.Wallet}},
	"numbers of agents": {`SELECT agent_id FROM f_agent ORDER BY k`, []ledger.Kind{ledger.CommissionPending, ledger.CommissionPayable}},
}

// open inserts accounts, whose ids follow from the organisation's key.
func open(ctx context.Context, tx db.Tx, of accounts) error {
	if len(of.kinds) == 0 {
		return nil
	}
	rows, err := tx.Query(ctx, of.sql)
	if err != nil {
		return err
	}
	holders, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return err
	}
	for _, kind := range of.kinds {
		ids := db.Column(holders, func(h uuid.UUID) uuid.UUID { return ledger.AccountOf(kind, h).ID(tx.Key) })
		if _, err := tx.Exec(ctx, `INSERT INTO account (id, kind, holder_id, created_at)
			SELECT a, $3, h, now() FROM unnest($1::uuid[], $2::uuid[]) AS w (a, h)`, ids, holders, kind); err != nil {
			return err
		}
	}
	return nil
}

type statement struct {
	name  string
	sized bool // $1 is the number of orders
	sql   string
}

// The temporary tables number what is made, so that the statements after them may choose by number. chance (n, salt) is written
// out: (hashint8extended(n, salt) & 1048575) / 1048576.0, from 0 to 1 and the same in each run.
var statements = []statement{
	{"service points", false, `INSERT INTO service_point (id, name_th, name_en, status, created_at, updated_at)
		SELECT uuidv7(), 'สาขา ' || k, 'Branch ' || k, 5, now(), now() FROM generate_series(1, 3) k`},
	{"staff", false, `INSERT INTO staff (id, username, name, role, status, created_at, updated_at)
		VALUES (uuidv7(), 'filled', 'ต้อม', 'user', 5, now(), now()), (uuidv7(), 'approves', 'อ้อ', 'user', 5, now(), now())`},
	{"voucher type", false, `INSERT INTO voucher_type (id, name_th, name_en, items, list_price_satang, valid_days, transfer_rule, status, created_at, updated_at)
		VALUES (uuidv7(), 'บุฟเฟต์กลางวัน', 'Lunch buffet', 1, 120000, 60, 'unlimited', 5, now(), now())`},
	{"its version", false, `INSERT INTO template_version (id, template_id, conditions_th, conditions_en, service_point_ids, current, created_at)
		SELECT uuidv7(), id, '', '', '{}', true, now() FROM voucher_type WHERE name_en = 'Lunch buffet'`},
	{"package", false, `INSERT INTO package (id, code, name_th, name_en, price_satang, status, created_at, updated_at)
		VALUES (uuidv7(), 'P-FILLED', 'บุฟเฟต์กลางวัน', 'Lunch buffet', 100000, 5, now(), now())`},
	{"its part", false, `INSERT INTO package_part (package_id, position, voucher_type_id, quantity)
		SELECT p.id, 1, t.id, 1 FROM package p, voucher_type t WHERE p.code = 'P-FILLED' AND t.name_en = 'Lunch buffet'`},
	{"its stock", false, `INSERT INTO stock (package_id) SELECT id FROM package WHERE code = 'P-FILLED'`},
	{"payment system", false, `INSERT INTO payment_system (id, kind, name_th, name_en, methods, endpoint_id, collector, status, created_at, updated_at)
		VALUES (uuidv7(), 'omise', 'ชำระเงิน', 'Payments', '{promptpay,card}', 'filled', 'platform', 5, now(), now())`},
	{"numbers of customers", true, `CREATE TEMP TABLE f_customer ON COMMIT DROP AS
		SELECT k, n, uuidv7(at - clock_timestamp()) AS id, at FROM (SELECT k, greatest($1::int / 3, 1) AS n,
			now() - interval '90 days' * (1 - (k - 1)::float8 / greatest($1::int / 3, 1)) - interval '2 hours' AS at
			FROM generate_series(1, greatest($1::int / 3, 1)) k) s`},
	{"customers", false, `INSERT INTO customer (id, line_sub, display_name, first_name, last_name, email, gender, refer_code, customer_type, status, created_at, updated_at)
		SELECT id, 'F' || md5(k::text), first, CASE WHEN k % 3 > 0 THEN first ELSE '' END, CASE WHEN k % 3 > 0 THEN last ELSE '' END,
			CASE WHEN k % 5 = 0 THEN 'c' || k || '@example.com' ELSE '' END, CASE WHEN k % 2 = 0 THEN 'female' ELSE '' END,
			upper(substr(md5('r' || k), 1, 6) || to_hex(k)), CASE WHEN k % 40 = 0 THEN 1 ELSE 2 END, CASE WHEN k % 1000 = 0 THEN 4 ELSE 5 END, at, at
		FROM (SELECT id, k, at, (ARRAY['สมชาย', 'ณัฐกานต์', 'กานต์ธิดา', 'น้ำฝน', 'น้ำทิพย์', 'พิมพ์ชนก', 'ธนกฤต', 'Anna', 'John', 'อรุณี', 'ปวีณา', 'วรัญญา', 'Siriporn', 'ก้อง',
				'ภัทรา', 'ศุภชัย', 'เจษฎา', 'Nok', 'มาลี', 'ดวงใจ'])[1 + k * 7 % 20] AS first,
			(ARRAY['ใจดี', 'ทองสุข', 'ศรีสุข', 'แก้วมณี', 'Smith', 'วงศ์ไทย', 'บุญมา', 'รัตนพันธ์', 'Jaidee', 'สุขสวัสดิ์', 'พงษ์พานิช'])[1 + k * 3 % 11]
				|| CASE WHEN k % 4001 = 1 THEN ' ญี่ปุ่น' ELSE '' END AS last FROM f_customer) s`},
	{"messages", true, `INSERT INTO contact_message (id, name, email, subject, text, state, key, request_hash, created_at, answered_at)
		SELECT uuidv7(at - clock_timestamp()), 'Visitor ' || k, 'v' || k || '@example.com', 'จองโต๊ะ', 'ขอจองโต๊ะวันเสาร์', CASE WHEN k % 50 = 0 THEN 'new' ELSE 'answered' END,
			sha256(k::text::bytea), '', at, CASE WHEN k % 50 > 0 THEN at + interval '1 hour' END
		FROM (SELECT k, now() - interval '90 days' * (1 - (k - 1)::float8 / greatest($1::int / 3, 1)) - interval '2 hours' AS at FROM generate_series(1, greatest($1::int / 3, 1)) k) s`},
	{"agent type", false, `INSERT INTO agent_type (id, name_th, name_en, rate_basis_points, recruiter_basis_points, matures, status, created_at, updated_at)
		VALUES (uuidv7(), 'ตัวแทน', 'Filled', 90, 10, 'sale', 5, now(), now())`},
	{"agents", false, `WITH seller AS MATERIALIZED (SELECT uuidv7(c.at - clock_timestamp()) AS id, c.id AS customer_id, t.id AS type_id, c.at
			FROM f_customer c, agent_type t WHERE t.name_en = 'Filled' AND c.k <= least(400, c.n)),
		payee AS (INSERT INTO payee (id, kind, created_at) SELECT id, 'agent', at FROM seller)
		INSERT INTO agent (id, customer_id, agent_type_id, state, approved_at, created_at, updated_at) SELECT id, customer_id, type_id, 'approved', at, at, at FROM seller`},
	// Nobody is paid by them, so they need no bank. The last is of refunds.
	{"runs of payouts", false, `WITH run AS MATERIALIZED (SELECT uuidv7(at - clock_timestamp()) AS id, uuidv7(at - clock_timestamp()) AS approval_id, k, at, s.id AS drafted_by, b.id AS approved_by
			FROM (SELECT k, now() - interval '4 days' * k AS at FROM generate_series(0, 20) k) r, staff s, staff b WHERE s.username = 'filled' AND b.username = 'approves'),
		asked AS (INSERT INTO approval (id, kind, state, record_table, record_id, title, amount_satang, input, asked_by, asked_at, due_at, answered_by, answered_at, made_id)
			SELECT approval_id, 'payout', 'approved', 'payoutrun', id, 'F' || k, 0, '{"hash": ""}', drafted_by, at, at + interval '3 days', approved_by, at, id FROM run)
		INSERT INTO payout_run (id, number, kind, means, state, up_to, pay_day, minimum_satang, hash, approval_id, drafted_at, drafted_by, computed_at, approved_at, booked_at, ended_at)
		SELECT id, 'F' || k, CASE k WHEN 0 THEN 'refund' ELSE 'agent' END, 'file', 'closed', at::date - 1, at::date + 1, 10000, '', approval_id, at, drafted_by, at, at, at, at FROM run`},
	{"drafts that were cancelled", false, `INSERT INTO payout_run (id, number, kind, means, state, up_to, pay_day, minimum_satang, hash, drafted_at, drafted_by, computed_at, ended_at)
		SELECT uuidv7(at - clock_timestamp()), 'C' || k, 'agent', 'file', 'cancelled', at::date - 1, at::date + 1, 10000, '', at, s.id, at, at
		FROM (SELECT k, now() - interval '5 hours' * k AS at FROM generate_series(1, 400) k) r, staff s WHERE s.username = 'filled' ORDER BY at`},
	{"payouts", false, `INSERT INTO payout (id, run_id, payee_id, position, reference, state, left_out, lines, gross_satang, taxable_satang, withheld_satang, net_satang, tax_year)
		SELECT uuidv7(r.drafted_at - clock_timestamp()), r.id, a.id, row_number() OVER (PARTITION BY r.id ORDER BY a.id), r.number || '-' || lpad(row_number() OVER (PARTITION BY r.id ORDER BY a.id)::text, 5, '0'),
			'left_out', 'below_minimum', 1, 5000, 0, 0, 5000, 2026
		FROM payout_run r, agent a JOIN agent_type t ON t.id = a.agent_type_id AND t.name_en = 'Filled' WHERE r.number LIKE 'F%' AND r.kind = 'agent' ORDER BY r.drafted_at, a.id`},
	{"sale links", false, `INSERT INTO sale_link (id, code, agent_id, package_id, created_at)
		SELECT uuidv7(), 'F' || a.id, a.id, p.id, a.created_at FROM agent a JOIN agent_type t ON t.id = a.agent_type_id AND t.name_en = 'Filled', package p WHERE p.code = 'P-FILLED'`},
	{"numbers of agents", false, `CREATE TEMP TABLE f_agent ON COMMIT DROP AS
		WITH s AS (SELECT row_number() OVER (ORDER BY l.id) AS k, count(*) OVER () AS n, l.agent_id, l.id AS link_id, a.customer_id FROM sale_link l JOIN agent a ON a.id = l.agent_id WHERE l.code = 'F' || l.agent_id)
		SELECT s.k, s.n, s.agent_id, s.link_id, s.customer_id, r.agent_id AS recruiter_id, r.customer_id AS recruiter_customer_id FROM s JOIN s r ON r.k = 1 + s.k % s.n`},
	{"who recruited agents", false, `UPDATE agent SET recruiter_id = a.recruiter_id FROM f_agent a WHERE a.agent_id = agent.id`},
	{"numbers of orders", true, `CREATE TEMP TABLE f_order ON COMMIT DROP AS
		SELECT o.k, uuidv7(o.at - clock_timestamp()) AS id, o.at, c.id AS customer_id, 1 + o.k % 3 AS quantity, a.agent_id, a.link_id, a.recruiter_id,
			CASE WHEN o.k % 50 = 7 THEN CASE WHEN o.at > now() - interval '9 minutes' THEN 'awaiting' ELSE 'expired' END ELSE 'paid' END AS state
		FROM (SELECT k, CASE WHEN k > $1::int - 100 THEN now() - interval '1 second' * ($1::int + 1 - k) ELSE now() - interval '90 days' * (1 - (k - 1)::float8 / $1::int) - interval '5 minutes' END AS at,
			least(1 + floor((hashint8extended(k, 1) & 1048575) / 1048576.0 * k * greatest($1::int / 3, 1) / $1::int)::int, greatest($1::int / 3, 1)) AS customer FROM generate_series(1, $1::int) k) o
		JOIN f_customer c ON c.k = o.customer LEFT JOIN f_agent a ON a.k = 1 + o.k % a.n AND o.k % 10 = 3 AND c.id NOT IN (a.customer_id, a.recruiter_customer_id)`},
	// Orders of three vouchers beside the others: paid by PromptPay, each refunded by itself some time later, and still to be transferred.
	{"numbers of returns", true, `CREATE TEMP TABLE f_return ON COMMIT DROP AS
		SELECT f.k, uuidv7(f.at - clock_timestamp()) AS id, uuidv7(f.at - clock_timestamp()) AS bought_id, c.id AS customer_id, f.at FROM (
			SELECT k, now() - interval '80 days' * (1 - (k - 1)::float8 / greatest($1::int * 9 / 100, 1)) - interval '4 hours' AS at,
				greatest(1, k * greatest($1::int / 3, 1) / greatest($1::int * 9 / 100, 1)) AS customer FROM generate_series(1, $1::int * 9 / 100) k) f
		JOIN f_customer c ON c.k = f.customer ORDER BY f.k`},
	{"numbers of refunds", false, `CREATE TEMP TABLE f_refund ON COMMIT DROP AS
		SELECT k, order_id, customer_id, at, back, uuidv7(at - clock_timestamp()) AS voucher_id, uuidv7(back - clock_timestamp()) AS refund_id, uuidv7(back - clock_timestamp()) AS account_id,
			uuidv7(back - clock_timestamp()) AS refunded_id FROM (
			SELECT r.k * 3 + j AS k, r.id AS order_id, r.customer_id, r.at, r.at + interval '1 hour' * (1 + j) AS back FROM f_return r CROSS JOIN generate_series(0, 2) j) s ORDER BY k`},
	{"orders", false, `INSERT INTO orders (id, number, customer_id, state, sale_channel, agent_id, link_id, matures, mature_days, total_satang, platform_fee_satang, commission_satang, quote_hash, created_at, paid_at, expired_at)
		SELECT id, upper(substr(md5('o' || k), 1, 5) || lpad(to_hex(k), 5, '0')), customer_id, state, CASE WHEN agent_id IS NOT NULL THEN 3 WHEN k % 500 = 1 THEN 1 ELSE 2 END, agent_id, link_id, CASE WHEN agent_id IS NOT NULL THEN 'sale' END, CASE WHEN agent_id IS NOT NULL THEN 0 END,
			quantity * 100000, quantity * CASE WHEN agent_id IS NOT NULL THEN 2000 ELSE 3000 END, quantity * CASE WHEN agent_id IS NOT NULL THEN 1000 ELSE 0 END, '', at, CASE WHEN state = 'paid' THEN at END, CASE WHEN state = 'expired' THEN at + interval '10 minutes' END FROM f_order
		UNION ALL SELECT id, upper(substr(md5('b' || k), 1, 5) || lpad(to_hex(k), 5, 'b')), customer_id, 'refunded', 2, NULL, NULL, NULL, NULL, 300000, 9000, 0, '', at, at, NULL FROM f_return ORDER BY at`},
	{"order lines", false, `INSERT INTO order_line (order_id, position, package_id, name_th, name_en, quantity, unit_satang, amount_satang, rate_kind, rate_value)
		SELECT o.id, 0, p.id, p.name_th, p.name_en, o.quantity, CASE WHEN o.k % 2 = 0 AND o.state = 'paid' THEN 101000 ELSE 100000 END, o.quantity * 100000,
			CASE WHEN o.agent_id IS NOT NULL THEN 'percent' END, CASE WHEN o.agent_id IS NOT NULL THEN 90 END
		FROM f_order o, package p WHERE p.code = 'P-FILLED' ORDER BY o.k`},
	{"recruiters' parts", false, `INSERT INTO recruiter_share (order_id, position, recruiter_id, basis_points, commission_satang, recruiter_satang)
		SELECT id, 0, recruiter_id, 10, quantity * 1000, quantity * 100 FROM f_order WHERE agent_id IS NOT NULL`},
	{"commissions", false, `INSERT INTO commission (id, order_id, level, agent_id, amount_satang, due_satang, mature_satang, paid_satang, matures, mature_days, created_at, updated_at)
		SELECT uuidv7(at - clock_timestamp()), id, l.level, CASE l.level WHEN 2 THEN recruiter_id ELSE agent_id END, quantity * l.each, quantity * l.each, quantity * l.each, quantity * 100000, 'sale', 0, at, at
		FROM f_order, (VALUES (1, 900), (2, 100)) l (level, each) WHERE agent_id IS NOT NULL AND state = 'paid' ORDER BY at`},
	{"changes of commissions", false, `INSERT INTO commission_change (id, commission_id, payee_id, due_satang, mature_satang, at)
		SELECT uuidv7(k.created_at - clock_timestamp()), k.id, k.agent_id, 0, k.amount_satang, k.created_at FROM commission k JOIN f_order o ON o.id = k.order_id ORDER BY k.created_at`},
	{"balances of agents", false, `INSERT INTO payee_balance (payee_id, payable_satang)
		SELECT k.agent_id, sum(k.mature_satang) FROM commission k JOIN f_order o ON o.id = k.order_id GROUP BY 1`},
	{"discounts", false, `INSERT INTO discount (id, name_th, name_en, how, class, kind, value, payer, stack, status, created_at, updated_at)
		SELECT uuidv7(), 'ส่วนลด ' || k, 'Filled', 'codes', 'line', 'baht', 1000, 'organisation', 'all', 2, now(), now() FROM generate_series(1, 800) k`},
	{"numbers of discounts", false, `CREATE TEMP TABLE f_discount ON COMMIT DROP AS SELECT row_number() OVER (ORDER BY id) AS k, id FROM discount WHERE name_en = 'Filled'`},
	{"discount codes", false, `INSERT INTO discount_code (id, discount_id, code, created_at)
		SELECT uuidv7(o.at - clock_timestamp()), d.id, 'F' || upper(substr(md5('c' || o.k), 1, 9)) || o.k, o.at FROM f_order o JOIN f_discount d ON d.k = 1 + (o.k / 2) % 800 ORDER BY o.k`},
	{"discount uses", false, `INSERT INTO discount_use (id, order_id, discount_id, customer_id, nth, amount_satang, used_at)
		SELECT uuidv7(o.at - clock_timestamp()), o.id, d.id, o.customer_id, row_number() OVER (PARTITION BY o.customer_id, d.id ORDER BY o.k), o.quantity * 1000, o.at
		FROM f_order o JOIN f_discount d ON d.k = 1 + (o.k / 2) % 800 WHERE o.k % 2 = 0 AND o.state = 'paid' ORDER BY o.k`},
	{"discounts of lines", false, `INSERT INTO line_discount (order_id, position, discount_id, payer, amount_satang)
		SELECT u.order_id, 0, u.discount_id, 'organisation', u.amount_satang FROM discount_use u JOIN f_discount d ON d.id = u.discount_id`},
	{"discount counts", false, `INSERT INTO discount_count (discount_id, used, spent_satang)
		SELECT d.id, count(u.id), coalesce(sum(u.amount_satang), 0) FROM f_discount d LEFT JOIN discount_use u ON u.discount_id = d.id GROUP BY 1`},
	{"jobs", false, `INSERT INTO outbox (id, kind, payload, due_at, enqueued_at, done_at)
		SELECT uuidv7(at - clock_timestamp()), 'notice', '{}', at, at, at FROM f_order WHERE state = 'paid' ORDER BY k`},
	{"charges of orders", false, `INSERT INTO charge (id, customer_id, system_id, purpose, method, amount_satang, state, reference, gateway_id, gateway, created_at, expires_at)
		SELECT o.id, o.customer_id, s.id, 'order', 'promptpay', o.quantity * 100000, o.state, upper(substr(md5('x' || o.k), 1, 6) || to_hex(o.k)) || 'o', 'chrg_' || md5('o' || o.k), 'gateway_platform', o.at, o.at + interval '10 minutes'
		FROM f_order o, payment_system s WHERE s.endpoint_id = 'filled' AND o.state <> 'paid' ORDER BY o.k`},
	{"numbers of boughts", false, `CREATE TEMP TABLE f_bought ON COMMIT DROP AS
		SELECT o.k * 3 + j AS k, uuidv7(o.at - clock_timestamp()) AS id, o.id AS order_id, o.customer_id, o.at, chance,
			(o.at AT TIME ZONE 'Asia/Bangkok')::date + 60 AS until,
			CASE WHEN chance < 0.55 THEN 'used' WHEN o.at < now() - interval '62 days' THEN 'expired' WHEN chance > 0.9998 THEN 'in_use' ELSE 'ready' END AS state,
			CASE WHEN chance < 0.55 THEN o.at + (least(now(), o.at + interval '59 days') - o.at) * chance WHEN o.at < now() - interval '62 days' THEN o.at + interval '62 days' ELSE o.at END AS ended
		FROM (SELECT o.*, j, (hashint8extended(o.k * 3 + j, 2) & 1048575) / 1048576.0 AS chance FROM f_order o CROSS JOIN generate_series(0, 2) j WHERE o.state = 'paid' AND j < o.quantity) o
		ORDER BY o.k, j`},
	{"numbers of gifts", false, `CREATE TEMP TABLE f_gift ON COMMIT DROP AS
		SELECT *, CASE WHEN state = 'open' THEN NULL ELSE since + CASE state WHEN 'returned' THEN interval '7 days' ELSE spell * 0.4 END END AS till FROM (
			SELECT v.id AS voucher_id, uuidv7(v.since - clock_timestamp()) AS id, v.since, v.spell, v.giver_id, r.id AS receiver_id,
				CASE WHEN v.was = 'ready' AND v.since > now() - interval '3 days' AND v.chance < 0.05 THEN 'open' WHEN v.chance < 0.17 THEN 'claimed' WHEN v.chance < 0.18 THEN 'withdrawn'
					WHEN v.chance < 0.19 OR v.spell < interval '9 days' THEN 'declined' ELSE 'returned' END AS state
			FROM (SELECT id, at + spell * 0.1 AS since, spell, customer_id AS giver_id, state AS was, (hashint8extended(k, 3) & 1048575) / 1048576.0 AS chance, hashint8extended(k, 4) & 1048575 AS some FROM (
				SELECT *, least(CASE state WHEN 'ready' THEN now() ELSE ended END - at, interval '10 days') AS spell FROM f_bought WHERE state <> 'in_use') b) v
			JOIN f_customer g ON g.id = v.giver_id JOIN f_customer r ON r.k = 1 + v.some % g.k AND r.k <> g.k WHERE v.chance < 0.2) s ORDER BY since`},
	{"numbers of offers", false, `CREATE TEMP TABLE f_offer ON COMMIT DROP AS
		SELECT *, CASE WHEN state = 'open' THEN NULL ELSE since + spell * 0.4 END AS till FROM (
			SELECT v.id AS voucher_id, uuidv7(v.since - clock_timestamp()) AS id, uuidv7(v.since + v.spell * 0.4 - clock_timestamp()) AS resale_id, v.k, v.since, v.spell, v.seller_id, r.id AS buyer_id,
				CASE WHEN v.was = 'ready' AND v.since > now() - interval '3 days' AND v.chance < 0.25 THEN 'open' WHEN v.chance < 0.38 THEN 'sold' WHEN v.chance < 0.39 THEN 'cancelled' ELSE 'ended' END AS state
			FROM (SELECT id, k, at + spell * 0.1 AS since, spell, customer_id AS seller_id, state AS was, (hashint8extended(k, 3) & 1048575) / 1048576.0 AS chance, hashint8extended(k, 4) & 1048575 AS some FROM (
				SELECT *, least(CASE state WHEN 'ready' THEN now() ELSE ended END - at, interval '10 days') AS spell FROM f_bought WHERE state <> 'in_use') b) v
			JOIN f_customer g ON g.id = v.seller_id JOIN f_customer r ON r.k = 1 + v.some % g.k AND r.k <> g.k WHERE v.chance BETWEEN 0.2 AND 0.4) s ORDER BY since`},
	{"top-ups, and charges of orders that were refunded", false, `INSERT INTO charge (id, customer_id, system_id, purpose, method, amount_satang, captured_satang, credited, state, reference, gateway_id, gateway, created_at, expires_at, captured_at)
		SELECT uuidv7(c.at - clock_timestamp()), c.id, s.id, 'topup', CASE WHEN c.k % 4 = 0 THEN 'card' ELSE 'promptpay' END, sum, CASE state WHEN 'captured' THEN sum ELSE 0 END, state = 'captured', state,
			upper(substr(md5('t' || c.k || state), 1, 6) || to_hex(c.k)) || left(state, 1), 'chrg_' || md5(c.k || state), 'gateway_platform', c.at + interval '1 hour' AS since, c.at + interval '70 minutes',
			CASE state WHEN 'captured' THEN c.at + interval '61 minutes' END
		FROM (SELECT c.id, c.k, c.at, 10000 + 100000 * coalesce(sum(o.quantity), 0) + 80000 * (SELECT count(*) FROM f_offer f WHERE f.buyer_id = c.id AND f.state = 'sold') AS sum FROM f_customer c LEFT JOIN f_order o ON o.customer_id = c.id AND o.state = 'paid' GROUP BY 1, 2, 3) c
		CROSS JOIN payment_system s, (VALUES ('captured', 1), ('expired', 9), ('failed', 997)) AS x (state, every) WHERE s.endpoint_id = 'filled' AND c.k % every = 0
		UNION ALL SELECT b.id, b.customer_id, s.id, 'order', 'promptpay', 300000, 300000, false, 'captured', upper(substr(md5('y' || b.k), 1, 6) || to_hex(b.k)) || 'b', 'chrg_' || md5('b' || b.k), 'gateway_platform', b.at, b.at + interval '10 minutes', b.at
		FROM f_return b, payment_system s WHERE s.endpoint_id = 'filled' ORDER BY since`},
	// Five of each top-up that failed, of which two in three charges have one that is open: a list has to be long to be measured.
	{"cases", false, `INSERT INTO charge_case (id, charge_id, kind, amount_satang, opened_at, closed_at, outcome)
		SELECT uuidv7(g.created_at + interval '1 second' * n - clock_timestamp()), g.id, 'wrong_sum', g.amount_satang + n, g.created_at + interval '1 second' * n, CASE WHEN open THEN NULL ELSE g.expires_at END, CASE WHEN open THEN '' ELSE 'covered' END
		FROM (SELECT id, amount_satang, created_at, expires_at, n, n = 5 AND amount_satang % 3 > 0 AS open FROM charge CROSS JOIN generate_series(1, 5) n WHERE state IN ('expired', 'failed')) g ORDER BY created_at + interval '1 second' * n, id`},
	{"numbers of vouchers", false, `CREATE TEMP TABLE f_voucher ON COMMIT DROP AS
		SELECT v.k, v.id, v.order_id, CASE WHEN g.state = 'claimed' THEN g.receiver_id WHEN f.state = 'sold' THEN f.buyer_id ELSE v.customer_id END AS customer_id, v.at, v.until,
			CASE WHEN g.state = 'open' THEN 'in_transfer' WHEN f.state = 'open' THEN 'on_sale' ELSE v.state END AS state, CASE g.state WHEN 'open' THEN g.id END AS gift_id,
			CASE f.state WHEN 'open' THEN f.id END AS offer_id, CASE f.state WHEN 'sold' THEN f.resale_id END AS resale_id, greatest(v.ended, g.since, g.till, f.since, f.till) AS ended
		FROM f_bought v LEFT JOIN f_gift g ON g.voucher_id = v.id LEFT JOIN f_offer f ON f.voucher_id = v.id ORDER BY v.k`},
	{"offers", false, `INSERT INTO offer (id, seller_id, state, price_satang, royalty_satang, fee_satang, created_at, expires_at, ended_at)
		SELECT id, seller_id, state, 80000, 1600, 2400, since, since + interval '30 days', till FROM f_offer ORDER BY since`},
	{"resales", false, `INSERT INTO resale (id, number, offer_id, buyer_id, sold_at)
		SELECT resale_id, upper(substr(md5('r' || k), 1, 5) || lpad(to_hex(k), 5, '0')), id, buyer_id, till FROM f_offer WHERE state = 'sold' ORDER BY till`},
	{"gifts", false, `INSERT INTO gift (id, giver_id, state, card, to_name, words, link_hash, digits, opened, opened_at, days, created_at, begins_at, expires_at, receiver_id, ended_at)
		SELECT id, giver_id, state, 'thanks', '', '', sha256(id::text::bytea), '', CASE state WHEN 'claimed' THEN 1 ELSE 0 END, CASE state WHEN 'claimed' THEN till END,
			7, since, since, since + interval '7 days', CASE state WHEN 'claimed' THEN receiver_id END, till FROM f_gift ORDER BY since`},
	{"vouchers", false, `INSERT INTO voucher (id, code, order_id, line_position, template_id, version_id, kind, name_th, name_en, holder_id, state, items_total, items_left, share_satang, fee_satang,
			commission_satang, platform_discount_satang, valid_until, issued_until, transfer_rule, transfers_left, transfer_together, expiry_rule, vat_point, gift_id, offer_id, resale_id, issued_at, updated_at)
		SELECT v.id, upper(substr(md5('v' || v.k), 1, 6) || lpad(to_hex(v.k), 6, '0')), v.order_id, 0, t.id, r.id, 'item', t.name_th, t.name_en, v.customer_id, v.state, 1, CASE v.state WHEN 'used' THEN 0 ELSE 1 END,
			97000, CASE WHEN o.agent_id IS NOT NULL THEN 2000 ELSE 3000 END, CASE WHEN o.agent_id IS NOT NULL THEN 1000 ELSE 0 END, 0, v.until, v.until, t.transfer_rule, t.transfer_times, t.transfer_together, t.expiry_rule, t.vat_point, v.gift_id, v.offer_id, v.resale_id, v.at, v.ended
		FROM f_voucher v JOIN f_order o ON o.id = v.order_id, voucher_type t JOIN template_version r ON r.template_id = t.id AND r.current WHERE t.name_en = 'Lunch buffet' ORDER BY v.k`},
	{"events of gifts", false, `INSERT INTO voucher_event (id, voucher_id, event, from_state, to_state, items, holder_id, gift_id, at)
		SELECT uuidv7(at - clock_timestamp()), voucher_id, event, from_state, to_state, items, holder_id, gift_id, at FROM (
			SELECT voucher_id, 'give' AS event, 'ready' AS from_state, 'in_transfer' AS to_state, 1 AS items, giver_id AS holder_id, id AS gift_id, since AS at FROM f_gift
			UNION ALL SELECT voucher_id, CASE state WHEN 'claimed' THEN 'claim' ELSE 'return' END, 'in_transfer', 'ready', 0, CASE state WHEN 'claimed' THEN receiver_id ELSE giver_id END, id, till
				FROM f_gift WHERE state <> 'open') e ORDER BY at`},
	{"events of offers", false, `INSERT INTO voucher_event (id, voucher_id, event, from_state, to_state, items, holder_id, offer_id, at)
		SELECT uuidv7(at - clock_timestamp()), voucher_id, event, from_state, to_state, items, holder_id, offer_id, at FROM (
			SELECT voucher_id, 'offer' AS event, 'ready' AS from_state, 'on_sale' AS to_state, 1 AS items, seller_id AS holder_id, id AS offer_id, since AS at FROM f_offer
			UNION ALL SELECT voucher_id, CASE state WHEN 'sold' THEN 'sell' ELSE 'withdraw' END, 'on_sale', 'ready', 0, CASE state WHEN 'sold' THEN buyer_id ELSE seller_id END, id, till
				FROM f_offer WHERE state <> 'open') e ORDER BY at`},
	{"events of ends", false, `INSERT INTO voucher_event (id, voucher_id, event, from_state, to_state, items, holder_id, at)
		SELECT uuidv7(ended - clock_timestamp()), id, 'expire', 'ready', 'expired', 1, customer_id, ended FROM f_voucher WHERE state = 'expired' ORDER BY ended`},
	{"numbers of uses", false, `CREATE TEMP TABLE f_use ON COMMIT DROP AS
		SELECT v.*, uuidv7(v.ended - clock_timestamp()) AS session_id, uuidv7(v.ended - clock_timestamp()) AS use_id, p.id AS point_id, s.id AS staff_id FROM f_voucher v
		JOIN (SELECT id, row_number() OVER (ORDER BY id) AS k FROM service_point WHERE name_en LIKE 'Branch %') p ON p.k = 1 + v.k % 3, staff s WHERE s.username = 'filled' AND v.state IN ('used', 'in_use')
		ORDER BY v.ended`},
	{"use sessions", false, `INSERT INTO use_session (id, voucher_id, customer_id, service_point_id, items, secret, state, opened_at, expires_at, closed_at)
		SELECT session_id, id, customer_id, point_id, 1, '', CASE state WHEN 'used' THEN 'used' ELSE 'open' END, CASE state WHEN 'used' THEN ended ELSE now() END,
			CASE state WHEN 'used' THEN ended ELSE now() END + interval '10 minutes', CASE state WHEN 'used' THEN ended END FROM f_use`},
	{"redemptions", false, `INSERT INTO redemption (id, use_session_id, voucher_id, customer_id, service_point_id, staff_id, items, items_left, amount_satang, at)
		SELECT use_id, session_id, id, customer_id, point_id, staff_id, 1, 0, 97000, ended FROM f_use WHERE state = 'used'`},
	{"objections", false, `INSERT INTO objection (id, redemption_id, voucher_id, customer_id, state, share_satang, made_at, due_at, decided_at, decided_by)
		SELECT uuidv7(made - clock_timestamp()), use_id, id, customer_id, CASE WHEN decided < now() THEN 'stands' ELSE 'open' END, 97000, made, made + interval '48 hours', CASE WHEN decided < now() THEN decided END, CASE WHEN decided < now() THEN staff_id END
		FROM (SELECT *, ended + interval '1 minute' AS made, ended + interval '1 day' AS decided FROM f_use WHERE state = 'used' AND k % 3 = 0 AND ended < now() - interval '1 minute') u ORDER BY made`},
	{"requests for a second person", false, `INSERT INTO approval (id, kind, state, record_table, record_id, title, customer_id, amount_satang, input, asked_by, asked_at, due_at, answered_by, answered_at)
		SELECT uuidv7(at - clock_timestamp()), 'refund', CASE WHEN at < now() - interval '3 days' THEN 'withdrawn' ELSE 'waiting' END, 'orders', o.id, n.number, o.customer_id, 100000, '{}', s.id, at, at + interval '3 days',
			CASE WHEN at < now() - interval '3 days' THEN s.id END, CASE WHEN at < now() - interval '3 days' THEN at + interval '1 day' END
		FROM f_order o JOIN orders n ON n.id = o.id, staff s WHERE s.username = 'filled' AND o.state = 'paid' AND get_byte(uuid_send(o.id), 15) % 3 = 0 ORDER BY at`},
	{"audit log", false, `INSERT INTO audit_log (id, at, actor_kind, actor_id, action, object, after)
		SELECT uuidv7(at - clock_timestamp()), at, w.kind, w.id, 'change', 'orders/' || o.id, '{}'
		FROM f_order o JOIN staff s ON s.username = 'filled' CROSS JOIN LATERAL (SELECT * FROM (VALUES ('owner', s.id), ('user', o.customer_id)) w (kind, id)
			WHERE w.kind = CASE WHEN get_byte(uuid_send(o.id), 15) % 8 = 0 THEN 'user' ELSE 'owner' END) w ORDER BY at`},
	{"requests of payers", false, `INSERT INTO refund_request (id, order_id, customer_id, state, amount_satang, began_at, asked_at, due_at, answered_at)
		SELECT uuidv7(at - clock_timestamp()), id, customer_id, CASE WHEN at < now() - interval '3 days' THEN 'withdrawn' ELSE 'asked' END, 100000, at, at, at + interval '15 days', CASE WHEN at < now() - interval '3 days' THEN at + interval '1 hour' END
		FROM f_order WHERE state = 'paid' AND get_byte(uuid_send(id), 15) % 3 = 1 ORDER BY at`},
	{"items of requests", false, `INSERT INTO refund_request_item (request_id, voucher_id, items, items_out, amount_satang)
		SELECT DISTINCT ON (q.id) q.id, v.id, 1, 0, 100000 FROM refund_request q JOIN f_voucher v ON v.order_id = q.order_id ORDER BY q.id, v.id`},
	{"lines of refunded orders", false, `INSERT INTO order_line (order_id, position, package_id, name_th, name_en, quantity, unit_satang, amount_satang, returned_at)
		SELECT b.id, 0, p.id, p.name_th, p.name_en, 3, 100000, 300000, b.at + interval '3 hours' FROM f_return b, package p WHERE p.code = 'P-FILLED' ORDER BY b.k`},
	{"vouchers of refunded orders", false, `INSERT INTO voucher (id, code, order_id, line_position, template_id, version_id, kind, name_th, name_en, holder_id, state, items_total, items_left, share_satang, fee_satang,
			commission_satang, platform_discount_satang, valid_until, issued_until, transfer_rule, transfers_left, transfer_together, expiry_rule, vat_point, issued_at, updated_at)
		SELECT b.voucher_id, upper(substr(md5('w' || b.k), 1, 6) || lpad(to_hex(b.k), 6, 'b')), b.order_id, 0, t.id, r.id, 'item', t.name_th, t.name_en, b.customer_id, 'refunded', 1, 1, 97000, 3000, 0, 0,
			(b.at AT TIME ZONE 'Asia/Bangkok')::date + 60, (b.at AT TIME ZONE 'Asia/Bangkok')::date + 60, t.transfer_rule, t.transfer_times, t.transfer_together, t.expiry_rule, t.vat_point, b.at, b.back
		FROM f_refund b, voucher_type t JOIN template_version r ON r.template_id = t.id AND r.current WHERE t.name_en = 'Lunch buffet' ORDER BY b.k`},
	{"refunds", false, `INSERT INTO refund (id, number, order_id, customer_id, reason, note, amount_satang, made_by, made_at)
		SELECT b.refund_id, upper(substr(md5('f' || b.k), 1, 5) || lpad(to_hex(b.k), 5, 'b')), b.order_id, b.customer_id, 'asked', '', 100000, s.id, b.back FROM f_refund b, staff s WHERE s.username = 'filled' ORDER BY b.k`},
	{"items of refunds", false, `INSERT INTO refund_item (refund_id, voucher_id, items, share_satang, fee_satang, commission_satang, platform_discount_satang, refund_fee_satang)
		SELECT refund_id, voucher_id, 1, 97000, 3000, 0, 0, 0 FROM f_refund`},
	{"events of refunds", false, `INSERT INTO voucher_event (id, voucher_id, event, from_state, to_state, items, holder_id, refund_id, at)
		SELECT uuidv7(back - clock_timestamp()), voucher_id, 'refund', 'ready', 'refunded', 1, customer_id, refund_id, back FROM f_refund ORDER BY back`},
	{"bank accounts", false, `INSERT INTO bank_account (id, customer_id, bank, digits, named_at) SELECT account_id, customer_id, '004', lpad((k % 10000)::text, 4, '0'), back FROM f_refund ORDER BY back`},
	{"requests of what is in wallets", false, `INSERT INTO cashout (id, number, customer_id, state, amount_satang, asked_at, due_at, answered_at)
		SELECT uuidv7(at - clock_timestamp()), 'W' || lpad(k::text, 9, '0'), customer_id, CASE WHEN waits THEN 'asked' ELSE 'withdrawn' END, 100 * (1 + k % 90), at, at + interval '15 days', CASE WHEN NOT waits THEN at + interval '1 hour' END
		FROM (SELECT customer_id, at, row_number() OVER (ORDER BY at) AS k, at > now() - interval '3 days' AND row_number() OVER (PARTITION BY customer_id ORDER BY at DESC) = 1 AS waits
			FROM f_order WHERE state = 'paid' AND get_byte(uuid_send(id), 15) % 3 = 2 AND at < now() - interval '1 hour') o ORDER BY at`},
	{"bank transfers", false, `INSERT INTO remittance (id, refund_id, customer_id, charge_id, amount_satang, state, made_at, account_id, due_at)
		SELECT uuidv7(back - clock_timestamp()), refund_id, customer_id, order_id, 100000, 'approved', back, account_id, back + interval '15 days' FROM f_refund ORDER BY back`},
	{"payouts of bank transfers", false, `INSERT INTO payout (id, run_id, remittance_id, position, reference, state, left_out, lines, gross_satang, taxable_satang, withheld_satang, net_satang)
		SELECT uuidv7(r.drafted_at - clock_timestamp()), r.id, m.id, row_number() OVER (ORDER BY m.id), r.number || '-' || lpad(row_number() OVER (ORDER BY m.id)::text, 5, '0'), 'left_out', 'postponed', 0, m.amount_satang, 0, 0, m.amount_satang
		FROM payout_run r, remittance m WHERE r.number = 'F0' AND m.account_id IS NOT NULL ORDER BY m.id LIMIT 40`},
	{"keys of refunds", false, `INSERT INTO idempotency (actor, operation, key, request_hash, result_id, at)
		SELECT customer_id, 'order.pay', id::text, ''::bytea, id, at FROM f_return UNION ALL SELECT s.id, 'refund.make', b.refund_id::text, ''::bytea, b.refund_id, b.back FROM f_refund b, staff s WHERE s.username = 'filled'`},
	{"transfers of refunds", false, `INSERT INTO transfer (id, kind, cause_id, day, at, memo_th, memo_en)
		SELECT bought_id, 'purchase', id, (at AT TIME ZONE 'Asia/Bangkok')::date, at, '', '' FROM f_return UNION ALL SELECT refunded_id, 'refund', refund_id, (back AT TIME ZONE 'Asia/Bangkok')::date, back, '', '' FROM f_refund`},
	{"what was sold", false, `UPDATE stock SET sold = (SELECT coalesce(sum(quantity), 0) FROM f_order WHERE state IN ('paid', 'awaiting')) WHERE package_id = (SELECT id FROM package WHERE code = 'P-FILLED')`},
	{"keys", false, `INSERT INTO idempotency (actor, operation, key, request_hash, result_id, at) SELECT actor, operation, id::text, '', id, at FROM (
		SELECT customer_id AS actor, CASE state WHEN 'paid' THEN 'order.confirm' ELSE 'order.pay' END AS operation, id, at FROM f_order
		UNION ALL SELECT staff_id, 'voucher.confirm', use_id, ended FROM f_use WHERE state = 'used'
		UNION ALL SELECT giver_id, 'gift.give', id, since FROM f_gift
		UNION ALL SELECT seller_id, 'offer.make', id, since FROM f_offer
		UNION ALL SELECT buyer_id, 'offer.buy', resale_id, till FROM f_offer WHERE state = 'sold'
		UNION ALL SELECT o.customer_id, 'objection.make', o.id, o.made_at FROM objection o JOIN f_use u ON u.use_id = o.redemption_id
		UNION ALL SELECT q.customer_id, 'refund.request', q.id, q.asked_at FROM refund_request q JOIN f_order o ON o.id = q.order_id
		UNION ALL SELECT k.customer_id, 'cashout.ask', k.id, k.asked_at FROM cashout k
		UNION ALL SELECT a.asked_by, CASE a.kind WHEN 'payout' THEN 'payout.propose' ELSE 'refund.ask' END, a.id, a.asked_at FROM approval a JOIN staff s ON s.id = a.asked_by AND s.username = 'filled'
		UNION ALL SELECT a.answered_by, 'approval.approve', a.made_id, a.answered_at FROM approval a JOIN staff s ON s.id = a.answered_by AND s.username = 'approves'
		UNION ALL SELECT c.customer_id, 'wallet.topup', c.id, c.created_at FROM charge c JOIN payment_system s ON s.id = c.system_id AND s.endpoint_id = 'filled' WHERE c.purpose = 'topup'
		UNION ALL SELECT u.customer_id, 'voucher.use', u.id, u.opened_at FROM use_session u JOIN f_use f ON f.session_id = u.id) s ORDER BY at`},
	{"numbers of transfers", false, `CREATE TEMP TABLE f_transfer ON COMMIT DROP AS
		SELECT uuidv7(at - clock_timestamp()) AS id, kind, cause_id, at, customer_id, amount FROM (
			SELECT 'topup' AS kind, id AS cause_id, captured_at AS at, customer_id, amount_satang AS amount FROM charge WHERE gateway_id LIKE 'chrg_%' AND state = 'captured' AND purpose = 'topup'
			UNION ALL SELECT 'purchase', id, at, customer_id, quantity FROM f_order WHERE state = 'paid'
			UNION ALL SELECT 'resale', resale_id, till, buyer_id, NULL FROM f_offer WHERE state = 'sold'
			UNION ALL SELECT 'use', use_id, ended, NULL, NULL FROM f_use WHERE state = 'used'
			UNION ALL SELECT 'objection', o.id, o.made_at, NULL, NULL FROM objection o JOIN f_use u ON u.use_id = o.redemption_id
			UNION ALL SELECT 'objection_stands', o.id, o.decided_at, NULL, NULL FROM objection o JOIN f_use u ON u.use_id = o.redemption_id WHERE o.state = 'stands'
			UNION ALL SELECT 'commission_maturity', c.id, c.at, NULL, NULL FROM commission_change c JOIN f_agent a ON a.agent_id = c.payee_id
			UNION ALL SELECT 'expiry', n.id, n.at, NULL, NULL FROM voucher_event n JOIN f_voucher v ON v.id = n.voucher_id WHERE n.event = 'expire') s ORDER BY at`},
	{"transfers", false, `INSERT INTO transfer (id, kind, cause_id, day, at, memo_th, memo_en)
		SELECT id, kind, cause_id, (at AT TIME ZONE 'Asia/Bangkok')::date, at, '', '' FROM f_transfer`},
	{"wallets", false, `INSERT INTO wallet (account_id, customer_id, balance_satang, updated_at)
		SELECT a.id, c.id, 10000 + 76000 * (SELECT count(*) FROM f_offer f WHERE f.seller_id = c.id AND f.state = 'sold'), now() FROM f_customer c JOIN account a ON a.kind = 'wallet' AND a.holder_id = c.id`},
	{"numbers of changes", false, `CREATE TEMP TABLE f_change ON COMMIT DROP AS
		SELECT c.*, w.account_id, w.balance_satang - coalesce(sum(c.amount) OVER (PARTITION BY c.customer_id ORDER BY c.at DESC, c.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint AS after FROM (
			SELECT id, at, customer_id, -100000 * amount AS amount FROM f_transfer WHERE kind = 'purchase'
			UNION ALL SELECT id, at, customer_id, -80000 FROM f_transfer WHERE kind = 'resale'
			UNION ALL SELECT t.id, t.at, f.seller_id, 76000 FROM f_transfer t JOIN f_offer f ON f.resale_id = t.cause_id WHERE t.kind = 'resale') c
		JOIN wallet w ON w.customer_id = c.customer_id`},
}

// returned has what was paid by PromptPay and refunded to bank accounts: $1 unearned, $2 the platform's fee, $3 the gateway, $4 what is on its way out.
const returned = `INSERT INTO entry (id, transfer_id, debit_id, credit_id, amount_satang)
	SELECT uuidv7(at - clock_timestamp()), id, debit, credit, amount FROM (
		SELECT b.at, b.bought_id AS id, $3::uuid AS debit, x.account AS credit, 3 * x.amount AS amount FROM f_return b, (VALUES ($1::uuid, 97000), ($2::uuid, 3000)) AS x (account, amount)
		UNION ALL SELECT b.back, b.refunded_id, x.account, $4::uuid, x.amount FROM f_refund b, (VALUES ($1::uuid, 97000), ($2::uuid, 3000)) AS x (account, amount)) s ORDER BY at`

// entries has what each transfer moved: $1 unearned, $2 the platform's fee, $3 payable, $4 breakage, $5 the gateway, $6 what is objected to. A purchase is
// two entries of its wallet, by an agent's link four, and a resale three of its buyer's.
const entries = `INSERT INTO entry (id, transfer_id, debit_id, credit_id, amount_satang, debit_after_satang, credit_after_satang)
	SELECT uuidv7(at - clock_timestamp()), id, debit, credit, amount, debit_after, credit_after FROM (
		SELECT t.id, t.at, $5::uuid AS debit, w.account_id AS credit, t.amount, NULL::bigint AS debit_after, t.amount AS credit_after
			FROM f_transfer t JOIN wallet w ON w.customer_id = t.customer_id WHERE t.kind = 'topup'
		UNION ALL SELECT t.id, t.at, c.account_id, x.account, x.amount * t.amount, c.after + x.rest * t.amount, NULL
			FROM f_transfer t JOIN f_change c ON c.id = t.id JOIN f_order o ON o.id = t.cause_id LEFT JOIN account k ON k.kind = 'commission_pending' AND k.holder_id = o.agent_id LEFT JOIN account r ON r.kind = 'commission_pending' AND r.holder_id = o.recruiter_id
			CROSS JOIN LATERAL (VALUES ($1::uuid, 97000, 3000), ($2::uuid, CASE WHEN k.id IS NULL THEN 3000 ELSE 2000 END, CASE WHEN k.id IS NULL THEN 0 ELSE 1000 END), (k.id, 900, 100), (r.id, 100, 0)) AS x (account, amount, rest)
			WHERE t.kind = 'purchase' AND x.account IS NOT NULL
		UNION ALL SELECT t.id, t.at, k.id, y.id, c.mature_satang, NULL, NULL FROM f_transfer t JOIN commission_change c ON c.id = t.cause_id
			JOIN account k ON k.kind = 'commission_pending' AND k.holder_id = c.payee_id JOIN account y ON y.kind = 'commission_payable' AND y.holder_id = c.payee_id WHERE t.kind = 'commission_maturity'
		UNION ALL SELECT b.id, b.at, b.account_id, coalesce(x.account, s.account_id), x.amount, b.after + x.rest, CASE WHEN x.account IS NULL THEN s.after END
			FROM f_change b JOIN f_change s ON s.id = b.id AND s.amount > 0, (VALUES (NULL::uuid, 76000, 4000), ($3::uuid, 1600, 2400), ($2::uuid, 2400, 0)) AS x (account, amount, rest) WHERE b.amount = -80000
		UNION ALL SELECT id, at, CASE kind WHEN 'objection' THEN $3::uuid ELSE $6::uuid END, CASE kind WHEN 'objection' THEN $6::uuid ELSE $3::uuid END, 97000, NULL, NULL FROM f_transfer WHERE kind IN ('objection', 'objection_stands')
		UNION ALL SELECT id, at, $1, CASE kind WHEN 'use' THEN $3::uuid ELSE $4::uuid END, 97000, NULL, NULL FROM f_transfer WHERE kind IN ('use', 'expiry')) s ORDER BY at`
