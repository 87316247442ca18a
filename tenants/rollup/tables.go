package rollup

import "github.com/google/uuid"

// What facts add to a table. Each text ends where a condition on their ids follows. Without an agent the id is zeros.
const (
	// A member card counts under the id of its type, as a package; it issues no voucher, and is all of its order. What the platform pays of a line is part of what it brings in. A line's fee is a share of its order's, cut by running sums, so that the lines of an order add up to the satang. The rest of
	// what a line gave up is the agent's commission.
	saleLines = `SELECT o.id AS order_id, (o.paid_at AT TIME ZONE 'Asia/Bangkok')::date AS day, coalesce(l.package_id, y.card_type_id) AS package_id, o.sale_channel,
			coalesce(o.agent_id, '00000000-0000-0000-0000-000000000000') AS agent_id, l.position, l.quantity, l.amount_satang + v.discount AS amount_satang,
			l.amount_satang + v.discount - v.share AS given, o.platform_fee_satang AS fee,
			sum(l.amount_satang + v.discount - v.share) OVER (PARTITION BY o.id ORDER BY l.position) AS upto,
			sum(l.amount_satang + v.discount - v.share) OVER (PARTITION BY o.id) AS whole
		FROM orders o JOIN order_line l ON l.order_id = o.id LEFT JOIN card_type_version y ON y.id = l.card_version_id
		CROSS JOIN LATERAL (SELECT coalesce(sum(share_satang), CASE WHEN y.id IS NULL THEN 0 ELSE o.total_satang - o.platform_fee_satang END) AS share, coalesce(sum(platform_discount_satang), 0) AS discount
			FROM voucher WHERE order_id = o.id AND line_position = l.position AND parent_id IS NULL) v
		WHERE o.paid_at IS NOT NULL AND o.id`
	saleParts = `SELECT order_id, day, package_id, sale_channel, agent_id, position, quantity, amount_satang, given,
			CASE WHEN whole = 0 THEN 0 ELSE div(fee * upto, whole) - div(fee * (upto - given), whole) END AS fee FROM (`
	daySales = `SELECT day, package_id, sale_channel, agent_id, count(DISTINCT order_id) AS orders, count(*) FILTER (WHERE position = 0) AS first_orders,
			sum(quantity)::bigint AS quantity, sum(amount_satang)::bigint AS gross_satang, sum(fee)::bigint AS fee_satang,
			sum(given - fee)::bigint AS commission_satang, sum(amount_satang - given)::bigint AS unearned_satang FROM (` + saleParts + saleLines
	daySalesEnd = `) line) part GROUP BY 1, 2, 3, 4`

	hourSales = `SELECT date_trunc('hour', paid_at) AS hour, count(*) AS orders, sum(total_satang
			+ (SELECT coalesce(sum(d.amount_satang), 0) FROM line_discount d WHERE d.order_id = orders.id AND d.payer = 'platform'))::bigint AS gross_satang
		FROM orders WHERE paid_at IS NOT NULL AND id`
	dayUses = `SELECT (r.at AT TIME ZONE 'Asia/Bangkok')::date AS day, r.service_point_id, l.package_id, count(*) AS uses, sum(r.amount_satang)::bigint AS amount_satang
		FROM redemption r JOIN voucher v ON v.id = r.voucher_id JOIN order_line l ON l.order_id = v.order_id AND l.position = v.line_position WHERE r.id`
	hourUses = `SELECT date_trunc('hour', at) AS hour, count(*) AS uses FROM redemption WHERE id`
	// What was undone counts against what was used, in its own day and hour.
	dayUndone = `SELECT (r.at AT TIME ZONE 'Asia/Bangkok')::date AS day, r.service_point_id, l.package_id, -count(*) AS uses, -sum(r.amount_satang)::bigint AS amount_satang
		FROM objection o JOIN redemption r ON r.id = o.redemption_id JOIN voucher v ON v.id = r.voucher_id JOIN order_line l ON l.order_id = v.order_id AND l.position = v.line_position
		WHERE o.state = 'undone' AND r.id`
	hourUndone    = `SELECT date_trunc('hour', r.at) AS hour, -count(*) AS uses FROM objection o JOIN redemption r ON r.id = o.redemption_id WHERE o.state = 'undone' AND r.id`
	hourNewcomers = `SELECT date_trunc('hour', created_at) AS hour, count(*) AS customers FROM customer WHERE id`
	hourMoneyIn   = `SELECT date_trunc('hour', captured_at) AS hour, purpose, method, count(*) AS charges, sum(captured_satang)::bigint AS amount_satang
		FROM charge WHERE captured_at IS NOT NULL AND id`

	dayDiscounts = `SELECT (o.paid_at AT TIME ZONE 'Asia/Bangkok')::date AS day, d.discount_id, d.payer, l.package_id, o.sale_channel,
			count(*) FILTER (WHERE d.position = (SELECT min(f.position) FROM line_discount f WHERE f.order_id = d.order_id AND f.discount_id = d.discount_id)) AS uses,
			sum(d.amount_satang)::bigint AS amount_satang
		FROM orders o JOIN line_discount d ON d.order_id = o.id JOIN order_line l ON l.order_id = d.order_id AND l.position = d.position
		WHERE o.paid_at IS NOT NULL AND o.id`

	// The text ends where a condition on days follows.
	dayEntries = `SELECT t.day, t.kind, d.kind AS debit, c.kind AS credit, count(*) AS entries, sum(e.amount_satang)::bigint AS amount_satang
		FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN account d ON d.id = e.debit_id JOIN account c ON c.id = e.credit_id WHERE t.day`

	by1 = ` GROUP BY 1`
	by3 = ` GROUP BY 1, 2, 3`
	by4 = ` GROUP BY 1, 2, 3, 4`
	by5 = ` GROUP BY 1, 2, 3, 4, 5`
)

// Which facts: those of a transaction, those that are still named, or all.
const (
	ofIDs = ` = ANY ($1)`
	ofAll = ` IS NOT NULL`

	named          = `SELECT jsonb_array_elements_text(payload->'job'->`
	namedEnd       = `)::uuid FROM outbox WHERE kind = 'rollup.facts' AND done_at IS NULL))`
	newOrders      = ` = ANY (ARRAY (` + named + `'orders'` + namedEnd
	newRedemptions = ` = ANY (ARRAY (` + named + `'redemptions'` + namedEnd
	newUndone      = ` = ANY (ARRAY (` + named + `'undone'` + namedEnd
	newCharges     = ` = ANY (ARRAY (` + named + `'charges'` + namedEnd
	newCustomers   = ` = ANY (ARRAY (` + named + `'customers'` + namedEnd

	// Days whose entries are not added yet.
	newDays = ` > coalesce((SELECT entries_until FROM rollup), '-infinity')`
)

// Relations for the FROM of a query, with the columns of their tables: what is added up, and what is still named. A key may come
// twice, so sums are taken over them. One statement reads both in one snapshot; a second may see what the first did not.
const (
	SalesByDay      = `(TABLE sales_by_day UNION ALL ` + daySales + newOrders + daySalesEnd + `)`
	SalesByHour     = `(TABLE sales_by_hour UNION ALL ` + hourSales + newOrders + by1 + `)`
	UsesByDay       = `(TABLE uses_by_day UNION ALL ` + dayUses + newRedemptions + by3 + ` UNION ALL ` + dayUndone + newUndone + by3 + `)`
	UsesByHour      = `(TABLE uses_by_hour UNION ALL ` + hourUses + newRedemptions + by1 + ` UNION ALL ` + hourUndone + newUndone + by1 + `)`
	NewcomersByHour = `(TABLE newcomers_by_hour UNION ALL ` + hourNewcomers + newCustomers + by1 + `)`
	MoneyInByHour   = `(TABLE money_in_by_hour UNION ALL ` + hourMoneyIn + newCharges + by3 + `)`
	DiscountsByDay  = `(TABLE discounts_by_day UNION ALL ` + dayDiscounts + newOrders + by5 + `)`
	EntriesByDay    = `(TABLE entries_by_day UNION ALL ` + dayEntries + newDays + by4 + `)`
)

// Statements that add. Rows are locked in the order of their keys by the lock of the one follower.
const (
	addSalesByDay = `INSERT INTO sales_by_day ` + daySales + ofIDs + daySalesEnd + ` ON CONFLICT (day, package_id, sale_channel, agent_id) DO UPDATE SET
		orders = sales_by_day.orders + excluded.orders, first_orders = sales_by_day.first_orders + excluded.first_orders,
		quantity = sales_by_day.quantity + excluded.quantity, gross_satang = sales_by_day.gross_satang + excluded.gross_satang,
		fee_satang = sales_by_day.fee_satang + excluded.fee_satang, commission_satang = sales_by_day.commission_satang + excluded.commission_satang,
		unearned_satang = sales_by_day.unearned_satang + excluded.unearned_satang`
	addSalesByHour = `INSERT INTO sales_by_hour ` + hourSales + ofIDs + by1 + ` ON CONFLICT (hour) DO UPDATE SET
		orders = sales_by_hour.orders + excluded.orders, gross_satang = sales_by_hour.gross_satang + excluded.gross_satang`
	addUsesByDay  = `INSERT INTO uses_by_day ` + dayUses + ofIDs + by3 + moreUsesByDay
	moreUsesByDay = ` ON CONFLICT (day, service_point_id, package_id) DO UPDATE SET
		uses = uses_by_day.uses + excluded.uses, amount_satang = uses_by_day.amount_satang + excluded.amount_satang`
	undoUsesByDay  = `INSERT INTO uses_by_day ` + dayUndone + ofIDs + by3 + moreUsesByDay
	addUsesByHour  = `INSERT INTO uses_by_hour ` + hourUses + ofIDs + by1 + moreUsesByHour
	moreUsesByHour = ` ON CONFLICT (hour) DO UPDATE SET uses = uses_by_hour.uses + excluded.uses`
	undoUsesByHour = `INSERT INTO uses_by_hour ` + hourUndone + ofIDs + by1 + moreUsesByHour
	addNewcomers   = `INSERT INTO newcomers_by_hour ` + hourNewcomers + ofIDs + by1 + ` ON CONFLICT (hour) DO UPDATE SET customers = newcomers_by_hour.customers + excluded.customers`
	addMoneyIn     = `INSERT INTO money_in_by_hour ` + hourMoneyIn + ofIDs + by3 + ` ON CONFLICT (hour, purpose, method) DO UPDATE SET
		charges = money_in_by_hour.charges + excluded.charges, amount_satang = money_in_by_hour.amount_satang + excluded.amount_satang`
	addDiscounts = `INSERT INTO discounts_by_day ` + dayDiscounts + ofIDs + by5 + ` ON CONFLICT (day, discount_id, payer, package_id, sale_channel) DO UPDATE SET
		uses = discounts_by_day.uses + excluded.uses, amount_satang = discounts_by_day.amount_satang + excluded.amount_satang`

	// A day that is sealed has no more entries.
	nextSealed = `SELECT min(day) FROM seal WHERE day` + newDays
	addEntries = `INSERT INTO entries_by_day ` + dayEntries + ` = $1` + by4
	addedUntil = `UPDATE rollup SET entries_until = $1`
)

// A full count of uses.
const (
	allUsesByDay = `SELECT day, service_point_id, package_id, sum(uses)::bigint, sum(amount_satang)::bigint FROM (` + dayUses + ofAll + by3 +
		` UNION ALL ` + dayUndone + ofAll + by3 + `) u GROUP BY 1, 2, 3`
	allUsesByHour = `SELECT hour, sum(uses)::bigint FROM (` + hourUses + ofAll + by1 + ` UNION ALL ` + hourUndone + ofAll + by1 + `) u GROUP BY 1`
)

// sealedDays are days whose entries Build adds.
const sealedDays = ` <= (SELECT max(day) FROM seal)`

// build is one statement, so that the names that it deletes and the facts that it counts are those of one moment.
const build = `WITH named AS (DELETE FROM outbox WHERE kind = 'rollup.facts' AND done_at IS NULL),
	a AS (INSERT INTO sales_by_day ` + daySales + ofAll + daySalesEnd + `),
	b AS (INSERT INTO sales_by_hour ` + hourSales + ofAll + by1 + `),
	c AS (INSERT INTO uses_by_day ` + allUsesByDay + `),
	d AS (INSERT INTO uses_by_hour ` + allUsesByHour + `),
	e AS (INSERT INTO newcomers_by_hour ` + hourNewcomers + ofAll + by1 + `),
	f AS (INSERT INTO discounts_by_day ` + dayDiscounts + ofAll + by5 + `),
	g AS (INSERT INTO entries_by_day ` + dayEntries + sealedDays + by4 + `),
	h AS (UPDATE rollup SET entries_until = (SELECT max(day) FROM seal))
	INSERT INTO money_in_by_hour ` + hourMoneyIn + ofAll + by3

// Statements that count rows which are in one of a table and a full count, and not in the other.
const (
	compareSalesByDay = `WITH kept AS (SELECT day, package_id, sale_channel, agent_id, sum(orders), sum(first_orders), sum(quantity), sum(gross_satang),
			sum(fee_satang), sum(commission_satang), sum(unearned_satang) FROM ` + SalesByDay + ` s GROUP BY 1, 2, 3, 4), counted AS (` + daySales + ofAll + daySalesEnd + `)` + differ
	compareSalesByHour = `WITH kept AS (SELECT hour, sum(orders), sum(gross_satang) FROM ` + SalesByHour + ` s GROUP BY 1), counted AS (` + hourSales + ofAll + by1 + `)` + differ
	compareUsesByDay   = `WITH kept AS (SELECT day, service_point_id, package_id, sum(uses), sum(amount_satang) FROM ` + UsesByDay + ` s GROUP BY 1, 2, 3),
		counted AS (` + allUsesByDay + `)` + differ
	compareUsesByHour = `WITH kept AS (SELECT hour, sum(uses) FROM ` + UsesByHour + ` s GROUP BY 1), counted AS (` + allUsesByHour + `)` + differ
	compareNewcomers  = `WITH kept AS (SELECT hour, sum(customers) FROM ` + NewcomersByHour + ` s GROUP BY 1), counted AS (` + hourNewcomers + ofAll + by1 + `)` + differ
	compareMoneyIn    = `WITH kept AS (SELECT hour, purpose, method, sum(charges), sum(amount_satang) FROM ` + MoneyInByHour + ` s GROUP BY 1, 2, 3),
		counted AS (` + hourMoneyIn + ofAll + by3 + `)` + differ
	compareDiscounts = `WITH kept AS (SELECT day, discount_id, payer, package_id, sale_channel, sum(uses), sum(amount_satang) FROM ` + DiscountsByDay + ` s GROUP BY 1, 2, 3, 4, 5),
		counted AS (` + dayDiscounts + ofAll + by5 + `)` + differ
	compareEntries = `WITH kept AS (SELECT day, kind, debit, credit, sum(entries), sum(amount_satang) FROM ` + EntriesByDay + ` s GROUP BY 1, 2, 3, 4),
		counted AS (` + dayEntries + ofAll + by4 + `)` + differ

	differ = ` SELECT count(*) FROM ((TABLE kept EXCEPT ALL TABLE counted) UNION ALL (TABLE counted EXCEPT ALL TABLE kept)) d`
)

// table is a roll-up that facts are added to.
type table struct {
	name    string
	clear   string
	compare string
}

// addition is what facts of one kind add to a table.
type addition struct {
	of  func(f Facts) []uuid.UUID
	add string // takes ids
}

var tables = []table{
	{"sales_by_day", `DELETE FROM sales_by_day`, compareSalesByDay},
	{"sales_by_hour", `DELETE FROM sales_by_hour`, compareSalesByHour},
	{"uses_by_day", `DELETE FROM uses_by_day`, compareUsesByDay},
	{"uses_by_hour", `DELETE FROM uses_by_hour`, compareUsesByHour},
	{"newcomers_by_hour", `DELETE FROM newcomers_by_hour`, compareNewcomers},
	{"money_in_by_hour", `DELETE FROM money_in_by_hour`, compareMoneyIn},
	{"discounts_by_day", `DELETE FROM discounts_by_day`, compareDiscounts},
	{"entries_by_day", `DELETE FROM entries_by_day`, compareEntries},
}

var additions = []addition{
	{orders, addSalesByDay},
	{orders, addSalesByHour},
	{orders, addDiscounts},
	{redemptions, addUsesByDay},
	{redemptions, addUsesByHour},
	{undone, undoUsesByDay},
	{undone, undoUsesByHour},
	{func(f Facts) []uuid.UUID { return f.Customers }, addNewcomers},
	{func(f Facts) []uuid.UUID { return f.Charges }, addMoneyIn},
}

func orders(f Facts) []uuid.UUID      { return f.Orders }
func redemptions(f Facts) []uuid.UUID { return f.Redemptions }
func undone(f Facts) []uuid.UUID      { return f.Undone }
