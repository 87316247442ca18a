package order

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
	"welovevoucher/platform/log"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/hold"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/points"
	"welovevoucher/tenants/settlement"
	"welovevoucher/tenants/wallet"
	"welovevoucher/tenants/withholding"
)

// What the items of each voucher are worth that were not taken back, and of each that are left. Items whose use was undone count where they were
// used, so a voucher that was issued in their place counts by what was taken back of it, below zero. What the platform paid is cut by the running sum
// of the share.
const (
	keptOfVouchers = `SELECT v.id, v.order_id, v.line_position, w.share, w.commission, w.share + w.fee + w.commission - w.discount AS paid FROM voucher v
		CROSS JOIN LATERAL (SELECT v.items_total - v.items_out - CASE WHEN v.state IN ('refunded', 'void') THEN v.items_left ELSE 0 END AS n) AS k
		CROSS JOIN LATERAL (SELECT CASE WHEN v.kind = 'baht' THEN div(v.share_satang::numeric * k.n, v.items_total) WHEN k.n = v.items_total THEN v.share_satang ELSE v.share_satang / v.items_total * k.n END AS share) AS cut
		CROSS JOIN LATERAL (SELECT sum(x) FILTER (WHERE part = 1) AS share, sum(x) FILTER (WHERE part = 2) AS fee,
				sum(x) FILTER (WHERE part = 3) AS commission, sum(x) FILTER (WHERE part = 4) AS discount
			FROM (SELECT part, CASE WHEN part = 4 THEN div(x::numeric * cut.share, greatest(1, v.share_satang)) WHEN v.kind = 'baht' THEN div(x::numeric * k.n, v.items_total) WHEN k.n = v.items_total THEN x ELSE x / v.items_total * k.n END - CASE WHEN v.undoes IS NULL THEN 0 ELSE x END AS x
				FROM unnest(ARRAY[v.share_satang, v.fee_satang, v.commission_satang, v.platform_discount_satang]) WITH ORDINALITY AS s (x, part)) AS p) AS w`
	// The charge c and the order o are of one person: of the same customer row, or of rows of which one succeeded the other. It holds as well
	// if the pseudonym is deleted already, because then nobody knows.
	ofOnePerson = `(c.customer_id = o.customer_id OR EXISTS (SELECT FROM customer u LEFT JOIN former_customer f ON f.customer_id = u.id
			WHERE u.id = c.customer_id AND u.erased_at IS NOT NULL AND (f.customer_id IS NULL
				OR f.successor_id = coalesce((SELECT g.successor_id FROM former_customer g WHERE g.customer_id = o.customer_id), o.customer_id))))`
	// Of a charge c some money came into a wallet: it filled one, or what it paid for came back there, or a bank returned more than was owed.
	cameToWallet = `(c.credited OR EXISTS (SELECT FROM charge_event m WHERE m.charge_id = c.id AND m.kind = 'dispute_won' AND m.wallet_satang > 0)
		OR EXISTS (SELECT FROM voucher r JOIN voucher_event n ON n.voucher_id = r.id JOIN transfer t ON t.kind IN ('expiry', 'taken_back') AND t.cause_id = n.id
			JOIN entry e ON e.transfer_id = t.id JOIN account a ON a.id = e.credit_id AND a.kind = 'wallet' WHERE c.id IN (r.order_id, r.resale_id))
		OR EXISTS (SELECT FROM voucher r JOIN refund_item i ON i.voucher_id = r.id WHERE c.id IN (r.order_id, r.resale_id)
			AND NOT EXISTS (SELECT FROM remittance m WHERE m.refund_id = i.refund_id AND m.state <> 'failed')))`
	leftOfVouchers = `SELECT v.id, w.share, w.discount, w.share + w.fee + w.commission - w.discount AS paid FROM voucher v
		CROSS JOIN LATERAL (SELECT v.items_total - v.items_out AS till, v.items_total - v.items_out - v.items_left AS since) AS k
		CROSS JOIN LATERAL (SELECT CASE WHEN v.kind = 'baht' THEN div(v.share_satang::numeric * k.till, v.items_total) WHEN k.till = v.items_total THEN v.share_satang ELSE v.share_satang / v.items_total * k.till END AS till,
			CASE WHEN v.kind = 'baht' THEN div(v.share_satang::numeric * k.since, v.items_total) WHEN k.since = v.items_total THEN v.share_satang ELSE v.share_satang / v.items_total * k.since END AS since) AS cut
		CROSS JOIN LATERAL (SELECT sum(x) FILTER (WHERE part = 1) AS share, sum(x) FILTER (WHERE part = 2) AS fee,
				sum(x) FILTER (WHERE part = 3) AS commission, sum(x) FILTER (WHERE part = 4) AS discount
			FROM (SELECT part, CASE WHEN part = 4 THEN div(x::numeric * cut.till, greatest(1, v.share_satang)) - div(x::numeric * cut.since, greatest(1, v.share_satang))
					ELSE CASE WHEN v.kind = 'baht' THEN div(x::numeric * k.till, v.items_total) WHEN k.till = v.items_total THEN x ELSE x / v.items_total * k.till END
						- CASE WHEN v.kind = 'baht' THEN div(x::numeric * k.since, v.items_total) WHEN k.since = v.items_total THEN x ELSE x / v.items_total * k.since END END AS x
				FROM unnest(ARRAY[v.share_satang, v.fee_satang, v.commission_satang, v.platform_discount_satang]) WITH ORDINALITY AS s (x, part)) AS p) AS w`
	// How much of what is kept of a purchase, which is an order or was bought on the board, is unpaid, because vouchers that it paid for stand frozen for
	// what charges owe: at least, and at most. The person is who its payer is now.
	unpaidOfPurchases = `SELECT o.id, o.paid_at, coalesce(f.successor_id, o.customer_id) AS person, o.total_satang AS price, coalesce(kept.paid, 0) AS kept,
			coalesce(stands.least, 0) AS least, coalesce(stands.most, 0) AS most
		FROM (SELECT id, customer_id, paid_at, total_satang FROM orders WHERE paid_at IS NOT NULL
			UNION ALL SELECT r.id, r.buyer_id, r.sold_at, s.price_satang FROM resale r JOIN offer s ON s.id = r.offer_id) o
		LEFT JOIN former_customer f ON f.customer_id = o.customer_id
		LEFT JOIN (SELECT order_id, sum(paid) FROM (` + keptOfVouchers + `) v GROUP BY 1
			UNION ALL SELECT r.id, s.price_satang FROM resale r JOIN offer s ON s.id = r.offer_id) kept (purchase_id, paid) ON kept.purchase_id = o.id
		LEFT JOIN (SELECT v.purchase_id, sum(greatest(0, least(v.worth, c.owed_satang - v.of_charge + v.worth))), sum(least(v.worth, c.owed_satang)) FROM (
				SELECT coalesce(v.resale_id, v.order_id), v.frozen_for, sum(left_of.paid), sum(sum(left_of.paid)) OVER (PARTITION BY v.frozen_for) FROM voucher v
				JOIN (` + leftOfVouchers + `) left_of ON left_of.id = v.id WHERE v.frozen_for IS NOT NULL GROUP BY 1, 2) v (purchase_id, charge_id, worth, of_charge)
			JOIN charge c ON c.id = v.charge_id GROUP BY 1) stands (purchase_id, least, most) ON stands.purchase_id = o.id`
	// What charges owe and no frozen voucher stands for, and whether it may be of more than the order that one paid.
	debtOfCharges = `SELECT c.id, coalesce(f.successor_id, c.customer_id) AS person, c.credited, c.captured_at, c.owed_satang - coalesce(stands.worth, 0) AS debt,
			` + cameToWallet + ` AS reaches FROM charge c
		LEFT JOIN former_customer f ON f.customer_id = c.customer_id
		LEFT JOIN (SELECT v.frozen_for, sum(left_of.paid) FROM voucher v JOIN (` + leftOfVouchers + `) left_of ON left_of.id = v.id
			WHERE v.frozen_for IS NOT NULL GROUP BY 1) stands (charge_id, worth) ON stands.charge_id = c.id
		WHERE c.owed_satang > coalesce(stands.worth, 0)`
	// What lines kept of what each of their pieces issues, and what packages hold now, since when.
	agreedParts = `SELECT l.order_id, l.position, part."Template" AS template_id, part."Version" AS version_id, CASE WHEN part."Gift" THEN 'baht' ELSE 'item' END AS kind,
			part."Items" AS items, part."TransferRule" AS transfer_rule, part."TransferTimes" AS times, part."Together" AS together, part."ExpiryRule" AS expiry_rule,
			part."VATPoint" AS vat_point, part."ValidDays" AS valid_days, (part."ValidUntil" AT TIME ZONE 'UTC')::date AS valid_until, part."Quantity" AS n
		FROM order_line l CROSS JOIN LATERAL jsonb_to_recordset(l.contents->'parts') AS part ("Template" uuid, "Version" uuid, "Gift" boolean, "Items" bigint, "Quantity" bigint,
			"ValidDays" integer, "ValidUntil" timestamptz, "TransferRule" text, "TransferTimes" integer, "Together" boolean, "ExpiryRule" text, "VATPoint" text)
		WHERE l.contents IS NOT NULL`
	partsNow = `SELECT i.package_id, t.id AS template_id, r.id AS version_id, t.kind, t.items, t.transfer_rule, t.transfer_times AS times, t.transfer_together AS together, CASE p.class WHEN 'ordinary' THEN t.expiry_rule ELSE 'wallet' END AS expiry_rule,
			t.vat_point, t.valid_days, t.valid_until, i.quantity::bigint AS n, greatest(p.updated_at, t.updated_at, r.created_at) AS since
		FROM package p JOIN package_part i ON i.package_id = p.id JOIN (
			SELECT id, 'item' AS kind, items::bigint, transfer_rule, transfer_times, transfer_together, expiry_rule, vat_point, valid_days, valid_until, updated_at FROM voucher_type
			UNION ALL SELECT id, 'baht', value_satang, transfer_rule, transfer_times, transfer_together, expiry_rule, vat_point, valid_days, valid_until, updated_at FROM gift_voucher) t
			ON t.id = coalesce(i.voucher_type_id, i.gift_voucher_id)
		JOIN template_version r ON r.template_id = t.id AND r.current`
	// The rule of a line l of which a payer asks for a refund: what leaves too little of an order for its discount is asked for, too.
	askedRule = `CASE WHEN EXISTS (SELECT FROM discount_use u WHERE u.order_id = l.order_id) AND l.refund_rule = 'self' THEN 'self' ELSE 'asking' END`
	// How many days releases and extensions added to the validity of a voucher v; to that of a parent p since the event s split a slice off it, or n undid
	// a use of it.
	addedToVoucher = `((SELECT coalesce(sum(z.days), 0) FROM owner_freeze z WHERE z.voucher_id = v.id) + (SELECT coalesce(sum(x.days), 0) FROM extension x WHERE x.voucher_id = v.id))::integer`
	addedToParent  = `(SELECT coalesce(sum(coalesce(x.days, z.days)), 0)::integer FROM voucher_event m LEFT JOIN owner_freeze z ON z.id = m.owner_freeze_id AND m.event = 'release' LEFT JOIN extension x ON x.id = m.extension_id
			WHERE m.voucher_id = p.id AND `
	addedSinceSplit  = addedToParent + `m.id > s.id)`
	addedSinceUndone = addedToParent + `m.id > n.id)`
)

// What must hold between the ledger and what it pays for.
var rules = []ledger.Rule{
	{Name: "a paid order's parts add up to its price, and each is what its vouchers carry of it", SQL: `
		SELECT o.number, o.total_satang || ': ' || o.platform_fee_satang || ' + ' || o.commission_satang || '; vouchers ' ||
			coalesce(v.share, 0) || ' + ' || coalesce(v.fee, 0) || ' + ' || coalesce(v.commission, 0) || ' - ' || coalesce(v.discount, 0)
		FROM orders o LEFT JOIN (SELECT order_id, sum(share_satang), sum(fee_satang), sum(commission_satang), sum(platform_discount_satang)
			FROM voucher WHERE parent_id IS NULL GROUP BY 1) v (order_id, share, fee, commission, discount) ON v.order_id = o.id
		WHERE o.paid_at IS NOT NULL AND NOT EXISTS (SELECT FROM card_order r WHERE r.order_id = o.id) AND (o.total_satang <> coalesce(v.share + v.fee + v.commission - v.discount, 0)
			OR o.platform_fee_satang <> coalesce(v.fee, 0) OR o.commission_satang <> coalesce(v.commission, 0))`},
	{Name: "the vouchers of a line carry its price", SQL: `
		SELECT o.number, l.position || ': ' || l.amount_satang || ' <> ' || coalesce(v.paid, 0) FROM orders o JOIN order_line l ON l.order_id = o.id
		LEFT JOIN (SELECT order_id, line_position, sum(share_satang + fee_satang + commission_satang - platform_discount_satang) FROM voucher WHERE parent_id IS NULL GROUP BY 1, 2)
			v (order_id, position, paid) ON v.order_id = l.order_id AND v.position = l.position
		WHERE o.paid_at IS NOT NULL AND l.package_id IS NOT NULL AND l.amount_satang <> coalesce(v.paid, 0)`},
	{Name: "every paid order with a price was paid by one transfer of that price, and no other was", SQL: `
		SELECT o.number, o.state || ' ' || o.total_satang || ' <> ' || coalesce(t.sum, 0) FROM orders o LEFT JOIN (
			SELECT t.cause_id, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN account d ON d.id = e.debit_id
			WHERE t.kind = 'purchase' AND d.kind <> 'platform_fee' GROUP BY 1) t (cause_id, sum) ON t.cause_id = o.id
		WHERE CASE WHEN o.paid_at IS NULL THEN 0 ELSE o.total_satang END <> coalesce(t.sum, 0)`},
	{Name: "an order waits for its money exactly as long as its charge, and a charge that paid it made it a paid one", SQL: `
		SELECT coalesce(o.number, c.reference), coalesce(o.state, 'no order') || ' beside ' || coalesce(c.state, 'no charge') FROM orders o
		FULL JOIN (SELECT id, reference, state, credited, amount_satang, customer_id, created_at, captured_at FROM charge WHERE purpose = 'order') c ON c.id = o.id
		WHERE c.id IS NULL AND o.state IN ('awaiting', 'expired')
			OR c.id IS NOT NULL AND (o.id IS NULL OR o.total_satang <> c.amount_satang OR (o.customer_id, o.created_at) <> (c.customer_id, c.created_at)
				OR (o.state = 'awaiting') <> (c.state IN ('created', 'awaiting'))
				OR o.paid_at IS DISTINCT FROM CASE WHEN c.state = 'captured' AND NOT c.credited THEN c.captured_at END)`},
	{Name: "every purchase on the books has its order", SQL: `
		SELECT t.id::text, t.cause_id::text FROM transfer t LEFT JOIN orders o ON o.id = t.cause_id
		WHERE t.kind = 'purchase' AND o.id IS NULL`},
	// An order that waited for its money keeps what each piece issues. Where nothing kept it, that is what the package holds now,
	// unless it was changed since or within the minute before, which the order may not have seen: then only that each piece of a
	// line issued as many as the others.
	{Name: "as many vouchers were issued as were sold", SQL: `
		SELECT o.number, l.position || ': ' || coalesce(v.n, 0) || ' of ' || l.quantity || ' times ' || coalesce(e.n::text, 'some') FROM orders o
		JOIN order_line l ON l.order_id = o.id
		JOIN package p ON p.id = l.package_id
		LEFT JOIN (SELECT order_id, line_position, count(*) FROM voucher WHERE parent_id IS NULL GROUP BY 1, 2) v (order_id, position, n)
			ON v.order_id = o.id AND v.position = l.position
		LEFT JOIN (SELECT package_id, sum(quantity) FROM package_part GROUP BY 1) i (package_id, n) ON i.package_id = p.id
		CROSS JOIN LATERAL (SELECT CASE
			WHEN l.contents IS NOT NULL THEN (SELECT sum((part->>'Quantity')::bigint) FROM jsonb_array_elements(l.contents->'parts') AS part)
			WHEN p.updated_at < o.created_at - interval '1 minute' THEN i.n END) AS e (n)
		WHERE CASE WHEN o.paid_at IS NULL THEN v.n > 0
			WHEN e.n IS NULL THEN v.n IS NULL OR v.n % l.quantity <> 0
			ELSE v.n IS DISTINCT FROM l.quantity * e.n END`},
	{Name: "what was used, what was taken back or split off and what is left make up each voucher", SQL: `
		SELECT v.code, v.items_left || ' left, ' || coalesce(r.items, 0) || ' used, ' || coalesce(n.items, 0) || ' taken back or split off, of ' || v.items_total FROM voucher v
		LEFT JOIN (SELECT voucher_id, sum(items) FROM redemption GROUP BY 1) r (voucher_id, items) ON r.voucher_id = v.id
		LEFT JOIN (SELECT voucher_id, sum(items) FROM voucher_event WHERE event IN ('refund', 'void', 'split') GROUP BY 1) n (voucher_id, items) ON n.voucher_id = v.id
		WHERE v.items_total - v.items_left - v.items_out <> coalesce(r.items, 0)
			OR v.items_out + CASE WHEN v.state IN ('refunded', 'void') THEN v.items_left ELSE 0 END <> coalesce(n.items, 0)`},
	{Name: "a voucher is in use exactly when it has an open session", SQL: `
		SELECT v.code, v.state FROM voucher v LEFT JOIN use_session u ON u.voucher_id = v.id AND u.state = 'open'
		WHERE (v.state = 'in_use') <> (u.id IS NOT NULL)`},
	{Name: "a voucher is on its way exactly by an open gift of its holder's", SQL: `
		SELECT v.code, v.state || ' by ' || coalesce(v.gift_id::text, 'nothing') FROM voucher v LEFT JOIN gift g ON g.id = v.gift_id AND g.ended_at IS NULL AND g.giver_id = v.holder_id
		WHERE (v.state = 'in_transfer') <> (g.id IS NOT NULL)
		UNION ALL SELECT g.id::text, g.state || ', of nothing' FROM gift g WHERE g.ended_at IS NULL AND NOT EXISTS (SELECT FROM voucher v WHERE v.gift_id = g.id)`},
	{Name: "a voucher is on sale exactly by an open offer of its holder's", SQL: `
		SELECT v.code, v.state || ' by ' || coalesce(v.offer_id::text, 'nothing') FROM voucher v LEFT JOIN offer f ON f.id = v.offer_id AND f.state IN ('open', 'reserved') AND f.seller_id = v.holder_id
		WHERE (v.state = 'on_sale') <> (f.id IS NOT NULL)
		UNION ALL SELECT f.id::text, 'open, of nothing' FROM offer f WHERE f.state IN ('open', 'reserved') AND NOT EXISTS (SELECT FROM voucher v WHERE v.offer_id = f.id)`},
	{Name: "what was offered was sold to who bought it, came back, or was stopped", SQL: `
		SELECT f.id::text, f.state || ': ' || n.voucher_id || ' offered ' || n.offered || ', sold ' || n.sold || ', back ' || n.back || ', on sale ' || (v.offer_id IS NOT DISTINCT FROM f.id)
		FROM offer f LEFT JOIN resale r ON r.offer_id = f.id JOIN (
			SELECT offer_id, voucher_id, count(*) FILTER (WHERE event = 'offer') AS offered, count(*) FILTER (WHERE event = 'sell') AS sold,
				count(*) FILTER (WHERE event = 'withdraw') AS back, min(holder_id::text) FILTER (WHERE event = 'sell') AS buyer, min(at) FILTER (WHERE event = 'offer') AS since,
				max(at) FILTER (WHERE event <> 'offer') AS till, bool_and(holder_id = seller) FILTER (WHERE event <> 'sell') AS his FROM (
				SELECT e.*, o.seller_id AS seller FROM voucher_event e JOIN offer o ON o.id = e.offer_id WHERE e.event <> 'split') e GROUP BY 1, 2) n ON n.offer_id = f.id
		JOIN voucher v ON v.id = n.voucher_id
		WHERE n.offered <> 1 OR n.since <> f.created_at OR NOT n.his OR n.till <> f.ended_at OR CASE f.state
			WHEN 'open' THEN n.sold + n.back <> 0 OR v.offer_id IS DISTINCT FROM f.id
			WHEN 'reserved' THEN n.sold + n.back <> 0 OR v.offer_id IS DISTINCT FROM f.id
			WHEN 'sold' THEN n.sold <> 1 OR n.back <> 0 OR n.buyer IS DISTINCT FROM r.buyer_id::text
			WHEN 'stopped' THEN n.sold <> 0 OR n.back > 1
			ELSE n.sold <> 0 OR n.back <> 1 END
		UNION ALL SELECT f.id::text, f.state || ', of nothing' FROM offer f WHERE NOT EXISTS (SELECT FROM voucher_event n WHERE n.offer_id = f.id AND n.event = 'offer')
		UNION ALL SELECT coalesce(f.id, r.offer_id)::text, coalesce(f.state, 'no offer') || ', bought by ' || coalesce(r.buyer_id::text, 'nobody') FROM offer f FULL JOIN resale r ON r.offer_id = f.id
		WHERE (f.state = 'sold') IS DISTINCT FROM (r.id IS NOT NULL) OR r.id IS NOT NULL AND (r.sold_at, r.buyer_id = f.seller_id) IS DISTINCT FROM (f.ended_at, false)`},
	{Name: "every offer that was sold moved its price once, to its seller, the organisation and the platform", SQL: `
		SELECT coalesce(r.number, t.cause_id::text), coalesce(f.price_satang, 0) || ' = ' || coalesce(f.price_satang - f.royalty_satang - f.fee_satang, 0) || ' + ' || coalesce(f.royalty_satang, 0) || ' + ' || coalesce(f.fee_satang, 0)
			|| ' <> ' || coalesce(t.seller, 0) || ' + ' || coalesce(t.royalty, 0) || ' + ' || coalesce(t.fee, 0) FROM resale r JOIN offer f ON f.id = r.offer_id
		FULL JOIN (SELECT t.cause_id, sum(e.amount_satang) AS sum, sum(e.amount_satang) FILTER (WHERE c.kind = 'wallet') AS seller, sum(e.amount_satang) FILTER (WHERE c.kind = 'payable') AS royalty,
				sum(e.amount_satang) FILTER (WHERE c.kind = 'platform_fee') AS fee, bool_and(d.kind = 'wallet') AS wallet FROM transfer t JOIN entry e ON e.transfer_id = t.id
			JOIN account c ON c.id = e.credit_id JOIN account d ON d.id = e.debit_id WHERE t.kind = 'resale' GROUP BY 1) t ON t.cause_id = r.id
		WHERE r.id IS NULL OR t.wallet IS NOT DISTINCT FROM EXISTS (SELECT FROM reservation w WHERE w.id = r.id) OR (coalesce(t.sum, 0), coalesce(t.seller, 0), coalesce(t.royalty, 0), coalesce(t.fee, 0))
			<> (f.price_satang, f.price_satang - f.royalty_satang - f.fee_satang, f.royalty_satang, f.fee_satang)`},
	// A transaction that waited for another's locks writes when it began. So a reservation may have ended a little before it was made.
	{Name: "an offer is reserved exactly while somebody pays it, and a charge that paid it sold it to its payer", SQL: `
		SELECT coalesce(w.id, c.id)::text, coalesce(w.state, 'no reservation') || ' beside ' || coalesce(c.state, 'no charge') || ' of an offer that is ' || coalesce(f.state, 'none') FROM reservation w
		FULL JOIN (SELECT id, state, credited, amount_satang, customer_id, created_at, captured_at FROM charge WHERE purpose = 'offer') c ON c.id = w.id
		LEFT JOIN offer f ON f.id = w.offer_id LEFT JOIN resale r ON r.id = w.id
		WHERE w.id IS NULL OR c.id IS NULL OR (f.price_satang, w.buyer_id, w.created_at) <> (c.amount_satang, c.customer_id, c.created_at) OR w.buyer_id = f.seller_id
			OR w.ended_at < w.created_at - interval '1 minute' OR w.created_at < f.created_at OR CASE w.state
			WHEN 'open' THEN f.state <> 'reserved' OR c.state NOT IN ('created', 'awaiting')
			WHEN 'paid' THEN (c.state, c.credited) <> ('captured', false) OR (r.offer_id, r.buyer_id, r.sold_at, c.captured_at) IS DISTINCT FROM (w.offer_id, w.buyer_id, w.ended_at, w.ended_at)
			WHEN 'ended' THEN c.state IN ('created', 'awaiting') OR c.state = 'captured' AND NOT c.credited OR r.id IS NOT NULL
			ELSE c.state = 'captured' AND NOT c.credited OR r.id IS NOT NULL OR w.ended_at IS DISTINCT FROM f.ended_at OR f.state NOT IN ('ended', 'stopped') END
		UNION ALL SELECT f.id::text, 'reserved for nobody' FROM offer f WHERE f.state = 'reserved' AND NOT EXISTS (SELECT FROM reservation w WHERE w.offer_id = f.id AND w.state = 'open')`},
	{Name: "an offer counts how many have reported it", SQL: `
		SELECT f.id::text, f.reports || ' <> ' || coalesce(r.n, 0) FROM offer f LEFT JOIN (SELECT offer_id, count(*) FROM offer_report GROUP BY 1) r (offer_id, n) ON r.offer_id = f.id
		WHERE f.reports <> coalesce(r.n, 0)`},
	// A slice was sold on with its parent, if that was before it was split off. Which sale that was is known while the parent was not sold since.
	{Name: "a voucher says by which offer it was sold on last", SQL: `
		SELECT v.code, coalesce(v.resale_id::text, 'never') || ' <> ' || coalesce(own.id::text, p.resale_id::text, 'never') FROM voucher v
		LEFT JOIN LATERAL (SELECT r.id FROM voucher_event n JOIN resale r ON r.offer_id = n.offer_id WHERE n.voucher_id = v.id AND n.event = 'sell' ORDER BY n.id DESC LIMIT 1) own ON true
		LEFT JOIN voucher p ON p.id = v.parent_id LEFT JOIN voucher_event s ON s.child_id = v.id
		WHERE v.resale_id IS DISTINCT FROM coalesce(own.id, p.resale_id)
			AND (own.id IS NOT NULL OR NOT EXISTS (SELECT FROM voucher_event n WHERE n.voucher_id = p.id AND n.event = 'sell' AND n.id > coalesce(v.undoes, s.id)))`},
	// A transaction that waited for another's locks writes when it began. So one of an ang-pao may have been taken a little after its end, which
	// is exactly when some one of it was taken.
	{Name: "what was given by a gift was claimed with it, came back, or was stopped on its way", SQL: `
		SELECT g.id::text, g.state || ': ' || n.voucher_id || ' given ' || n.given || ', claimed ' || n.claimed || ', back ' || n.back || ', on its way ' || (v.gift_id IS NOT DISTINCT FROM g.id)
		FROM gift g JOIN (SELECT gift_id, voucher_id, count(*) FILTER (WHERE event = 'give') AS given, count(*) FILTER (WHERE event = 'claim') AS claimed,
				count(*) FILTER (WHERE event = 'return') AS back, min(holder_id::text) FILTER (WHERE event = 'claim') AS claimer, min(at) FILTER (WHERE event = 'give') AS since,
				max(at) FILTER (WHERE event <> 'give') AS till, bool_and(holder_id = giver) FILTER (WHERE event <> 'claim') AS his FROM (
				SELECT e.*, o.giver_id AS giver FROM voucher_event e JOIN gift o ON o.id = e.gift_id WHERE e.event <> 'split') e GROUP BY 1, 2) n ON n.gift_id = g.id
		JOIN voucher v ON v.id = n.voucher_id LEFT JOIN gift_taker k ON k.gift_id = g.id AND k.voucher_id = v.id
		WHERE n.given <> 1 OR n.since <> g.created_at OR NOT n.his OR n.till <> coalesce(k.taken_at, g.ended_at) OR CASE CASE WHEN k.gift_id IS NULL THEN g.state ELSE 'taken' END
			WHEN 'taken' THEN g.people = 1 OR n.claimed <> 1 OR n.back <> 0 OR n.claimer <> k.customer_id::text OR k.customer_id = g.giver_id OR k.taken_at < g.begins_at OR k.taken_at > g.ended_at + interval '1 minute'
			WHEN 'scheduled' THEN n.claimed + n.back <> 0 OR v.gift_id IS DISTINCT FROM g.id
			WHEN 'open' THEN n.claimed + n.back <> 0 OR v.gift_id IS DISTINCT FROM g.id
			WHEN 'claimed' THEN n.claimed <> 1 OR n.back <> 0 OR n.claimer IS DISTINCT FROM g.receiver_id::text
			WHEN 'stopped' THEN n.claimed <> 0 OR n.back > 1
			ELSE n.claimed <> 0 OR n.back <> 1 END
		UNION ALL SELECT g.id::text, 'for ' || g.people || ', of ' || n.given FROM gift g JOIN (SELECT gift_id, count(*) AS given FROM voucher_event WHERE event = 'give' GROUP BY 1) n ON n.gift_id = g.id
			WHERE g.people > 1 AND g.people <> n.given
		UNION ALL SELECT g.id::text, 'all taken, not at ' || g.ended_at FROM gift g WHERE g.people > 1 AND g.state = 'claimed' AND NOT EXISTS (SELECT FROM gift_taker k WHERE k.gift_id = g.id AND k.taken_at = g.ended_at)
		UNION ALL SELECT k.gift_id::text, 'taken by ' || k.customer_id || ', not given' FROM gift_taker k WHERE NOT EXISTS (SELECT FROM voucher_event n WHERE n.gift_id = k.gift_id AND n.voucher_id = k.voucher_id AND n.event = 'give')
		UNION ALL SELECT g.id::text, g.state || ', of nothing' FROM gift g WHERE NOT EXISTS (SELECT FROM voucher_event n WHERE n.gift_id = g.id AND n.event = 'give')`},
	{Name: "every use paid the seller its share once, and nothing else did", SQL: `
		SELECT coalesce(r.id, t.cause_id)::text, coalesce(r.amount_satang, 0) || ' <> ' || coalesce(t.sum, 0) FROM redemption r FULL JOIN (
			SELECT t.cause_id, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id
			WHERE t.kind = 'use' GROUP BY 1) t (cause_id, sum) ON t.cause_id = r.id
		WHERE coalesce(r.amount_satang, 0) <> coalesce(t.sum, 0)`},
	// The event of an end of validity from before there were extensions has the id of its voucher, and is older than its uses by that.
	{Name: "what expired moved the worth of what was left, and stays expired unless an extension moved that back", SQL: `
		SELECT coalesce(n.voucher_id, t.cause_id)::text, n.items || ' left of ' || v.state || ', ' || coalesce(v.share, 0) || ' <> ' || coalesce(t.sum, 0) || ', extended by ' || coalesce(n.extension_id::text, 'nothing') FROM (
			SELECT e.id, e.voucher_id, e.items, (SELECT x.extension_id FROM voucher_event x WHERE x.voucher_id = e.voucher_id AND x.event = 'extend' AND x.from_state = 'expired' AND x.id > e.id ORDER BY x.id LIMIT 1) AS extension_id
			FROM voucher_event e WHERE e.event = 'expire') n FULL JOIN (
			SELECT t.id, t.cause_id, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id WHERE t.kind = 'expiry' GROUP BY 1, 2) t (id, cause_id, sum) ON t.cause_id = n.id
		LEFT JOIN (SELECT v.id, v.state, v.items_left, left_of.share FROM voucher v JOIN (` + leftOfVouchers + `) left_of ON left_of.id = v.id) v ON v.id = n.voucher_id
		LEFT JOIN transfer b ON b.kind = 'extension' AND b.cause_id = n.extension_id
		WHERE n.id IS NULL OR CASE WHEN n.extension_id IS NULL THEN v.state <> 'expired' OR v.share <> coalesce(t.sum, 0) ELSE b.reverses IS DISTINCT FROM t.id END
			OR n.items <> v.items_left + CASE WHEN n.id = n.voucher_id THEN 0 ELSE (SELECT coalesce(sum(r.items), 0) FROM redemption r WHERE r.voucher_id = n.voucher_id AND r.id > n.id)
				+ (SELECT coalesce(sum(m.items), 0) FROM voucher_event m WHERE m.voucher_id = n.voucher_id AND m.id > n.id AND m.event IN ('refund', 'void', 'split') AND m.to_state NOT IN ('refunded', 'void')) END
				AND (n.id <> n.voucher_id OR n.extension_id IS NULL)
		UNION ALL SELECT v.code, v.state || ', over ' || coalesce(n.ended, 0) || ' times, extended then ' || coalesce(n.extended, 0) || ' times' FROM voucher v LEFT JOIN (
			SELECT voucher_id, count(*) FILTER (WHERE event = 'expire'), count(*) FILTER (WHERE event = 'extend' AND from_state = 'expired') FROM voucher_event WHERE event IN ('expire', 'extend') GROUP BY 1)
			n (voucher_id, ended, extended) ON n.voucher_id = v.id
		WHERE coalesce(n.ended, 0) - coalesce(n.extended, 0) <> (v.state = 'expired')::int
		UNION ALL SELECT t.id::text, 'moved back for nothing' FROM transfer t WHERE t.kind = 'extension' AND NOT EXISTS (
			SELECT FROM voucher_event n WHERE n.extension_id = t.cause_id AND n.from_state = 'expired')`},
	{Name: "a voucher is its payer's, or his who claimed or bought it last or split it off, issued when it was paid, and valid as long as was sold", SQL: `
		SELECT v.code, v.holder_id || ' of ' || o.customer_id || ', until ' || v.valid_until || ' of ' || v.issued_until FROM voucher v JOIN orders o ON o.id = v.order_id
		WHERE v.holder_id <> coalesce((SELECT n.holder_id FROM voucher_event n WHERE n.voucher_id = v.id AND n.event IN ('claim', 'sell') ORDER BY n.id DESC LIMIT 1),
				(SELECT n.holder_id FROM voucher_event n WHERE n.child_id = v.id), o.customer_id)
			OR v.valid_until <> v.issued_until + v.added_days OR v.issued_at IS DISTINCT FROM o.paid_at`},
	{Name: "an order's lines are their pieces' prices less their discounts, and make up its total", SQL: `
		SELECT o.number, o.total_satang || ' <> ' || coalesce(l.sum, 0) FROM orders o LEFT JOIN (
			SELECT l.order_id, sum(l.amount_satang), bool_and(l.amount_satang = l.unit_satang * l.quantity - coalesce(d.sum, 0)) FROM order_line l
			LEFT JOIN (SELECT order_id, position, sum(amount_satang) FROM line_discount GROUP BY 1, 2) d (order_id, position, sum) ON d.order_id = l.order_id AND d.position = l.position
			GROUP BY 1) l (order_id, sum, fits) ON l.order_id = o.id
		WHERE o.total_satang <> coalesce(l.sum, 0) OR NOT l.fits`},
	{Name: "an order's state is what was taken back of it", SQL: `
		SELECT o.number, o.state FROM orders o JOIN (
			SELECT order_id, sum(items_out - coalesce(c.items, 0) + CASE WHEN state IN ('refunded', 'void') THEN items_left ELSE 0 END) > 0,
				bool_and(state IN ('refunded', 'void') AND items_left + items_out = items_total) FROM voucher
				LEFT JOIN (SELECT parent_id, sum(items_total) FROM voucher WHERE parent_id IS NOT NULL AND undoes IS NULL GROUP BY 1) c (voucher_id, items) ON c.voucher_id = id GROUP BY 1) v (order_id, in_part, in_whole) ON v.order_id = o.id
		WHERE o.state <> CASE WHEN v.in_whole THEN 'refunded' WHEN v.in_part THEN 'part_refunded' ELSE 'paid' END`},
	{Name: "a purchase's parts went to the accounts that they are of, from its payer", SQL: `
		SELECT o.number, k.kind || ' ' || k.sum FROM orders o JOIN (
			SELECT t.cause_id, c.kind, c.holder_id, sum(e.amount_satang), bool_or(d.kind = 'wallet'), min(d.holder_id::text) FROM transfer t JOIN entry e ON e.transfer_id = t.id
			JOIN account c ON c.id = e.credit_id JOIN account d ON d.id = e.debit_id WHERE t.kind = 'purchase' AND d.kind <> 'platform_fee' GROUP BY 1, 2, 3)
			k (id, kind, holder_id, sum, wallet, payer) ON k.id = o.id
		LEFT JOIN commission c ON c.order_id = o.id AND c.agent_id = k.holder_id AND k.kind = 'commission_pending'
		WHERE k.sum <> CASE k.kind WHEN 'platform_fee' THEN o.platform_fee_satang WHEN 'commission_pending' THEN coalesce(c.amount_satang, 0)
				ELSE o.total_satang - o.platform_fee_satang - o.commission_satang END
			OR k.wallet AND k.payer IS DISTINCT FROM o.customer_id::text
			OR k.wallet = EXISTS (SELECT FROM charge c WHERE c.id = o.id)`},
	{Name: "what the platform paid of a purchase came from its fees, and is what its lines' vouchers carry", SQL: `
		SELECT o.number, l.position || ': ' || coalesce(d.sum, 0) || ' <> ' || coalesce(v.sum, 0) FROM orders o JOIN order_line l ON l.order_id = o.id
		LEFT JOIN (SELECT order_id, position, sum(amount_satang) FROM line_discount WHERE payer = 'platform' GROUP BY 1, 2) d (order_id, position, sum) ON d.order_id = l.order_id AND d.position = l.position
		LEFT JOIN (SELECT order_id, line_position, sum(platform_discount_satang) FROM voucher WHERE parent_id IS NULL GROUP BY 1, 2) v (order_id, position, sum) ON v.order_id = l.order_id AND v.position = l.position
		WHERE o.paid_at IS NOT NULL AND coalesce(d.sum, 0) <> coalesce(v.sum, 0)
		UNION ALL SELECT coalesce(d.order_id, t.cause_id)::text, coalesce(d.sum, 0) || ' <> ' || coalesce(t.sum, 0) FROM (
			SELECT d.order_id, sum(d.amount_satang) FROM line_discount d JOIN orders o ON o.id = d.order_id WHERE d.payer = 'platform' AND o.paid_at IS NOT NULL GROUP BY 1) d (order_id, sum)
		FULL JOIN (SELECT t.cause_id, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN account a ON a.id = e.debit_id AND a.kind = 'platform_fee'
			WHERE t.kind = 'purchase' GROUP BY 1) t (cause_id, sum) ON t.cause_id = d.order_id
		WHERE coalesce(d.sum, 0) <> coalesce(t.sum, 0)`},
	{Name: "a discount is used by an order for what it took off its lines, by its payer, until the order is over", SQL: `
		SELECT coalesce(u.order_id, d.order_id)::text, coalesce(u.discount_id, d.discount_id) || ': ' || coalesce(u.amount_satang, 0) || ' <> ' || coalesce(d.sum, 0) FROM discount_use u
		FULL JOIN (SELECT order_id, discount_id, sum(amount_satang) FROM line_discount GROUP BY 1, 2) d (order_id, discount_id, sum) ON d.order_id = u.order_id AND d.discount_id = u.discount_id
		WHERE u.amount_satang IS DISTINCT FROM d.sum
		UNION ALL SELECT u.order_id::text, u.discount_id || ' of ' || u.customer_id || ' in an order that is ' || o.state || ', freed ' || coalesce(u.freed_at::text, 'never') FROM discount_use u
		JOIN orders o ON o.id = u.order_id LEFT JOIN discount_code c ON c.id = u.code_id
		WHERE u.customer_id <> o.customer_id OR u.used_at <> o.created_at OR (u.freed_at IS NULL) <> (o.state IN ('awaiting', 'paid', 'part_refunded')) OR u.freed_at < u.used_at
			OR c.discount_id <> u.discount_id OR c.customer_id <> u.customer_id`},
	{Name: "a discount and its codes are used as often, and for as much, as orders use them", SQL: `
		SELECT c.discount_id::text, c.used || ' of ' || coalesce(c.uses::text, 'any') || ', ' || c.spent_satang || ' <> ' || coalesce(u.n, 0) || ', ' || coalesce(u.sum, 0) FROM discount_count c
		LEFT JOIN (SELECT discount_id, count(*), sum(amount_satang) FROM discount_use WHERE freed_at IS NULL GROUP BY 1) u (discount_id, n, sum) ON u.discount_id = c.discount_id
		WHERE (c.used, c.spent_satang) <> (coalesce(u.n, 0), coalesce(u.sum, 0))
		UNION ALL SELECT c.code, c.used || ' <> ' || coalesce(u.n, 0) FROM discount_code c
		LEFT JOIN (SELECT code_id, count(*) FROM discount_use WHERE freed_at IS NULL GROUP BY 1) u (code_id, n) ON u.code_id = c.id WHERE c.used <> coalesce(u.n, 0)
		UNION ALL SELECT d.id::text, 'has no count' FROM discount d WHERE NOT EXISTS (SELECT FROM discount_count c WHERE c.discount_id = d.id)`},
	{Name: "a wallet is moved by what its owner did, or what happened to him", SQL: `
		SELECT t.id::text, t.kind || ' of ' || coalesce(w.owner::text, 'nobody') || ' moved ' || a.holder_id FROM transfer t JOIN entry e ON e.transfer_id = t.id
		JOIN account a ON a.id IN (e.debit_id, e.credit_id) AND a.kind = 'wallet'
		CROSS JOIN LATERAL (SELECT CASE t.kind
			WHEN 'topup' THEN (SELECT customer_id FROM charge WHERE id = t.cause_id)
			WHEN 'resale' THEN (SELECT CASE WHEN a.id = e.debit_id THEN r.buyer_id ELSE f.seller_id END FROM resale r JOIN offer f ON f.id = r.offer_id WHERE r.id = t.cause_id)
			WHEN 'expiry' THEN (SELECT holder_id FROM voucher_event WHERE id = t.cause_id)
			WHEN 'taken_back' THEN (SELECT holder_id FROM voucher_event WHERE id = t.cause_id)
			WHEN 'refund' THEN (SELECT customer_id FROM refund WHERE id = t.cause_id)
			WHEN 'remittance_failed' THEN (SELECT customer_id FROM remittance WHERE id = t.cause_id)
			WHEN 'cashout' THEN (SELECT customer_id FROM cashout WHERE id = t.cause_id)
			WHEN 'goodwill' THEN (SELECT customer_id FROM goodwill WHERE id = t.cause_id)
			WHEN 'card_returned' THEN (SELECT customer_id FROM orders WHERE id = t.cause_id)
			WHEN 'card_credited' THEN (SELECT customer_id FROM orders WHERE id = t.cause_id)
			WHEN 'chargeback' THEN (SELECT c.customer_id FROM charge_event m JOIN charge c ON c.id = m.charge_id WHERE m.id = t.cause_id)
			WHEN 'debt' THEN (SELECT c.customer_id FROM charge_event m JOIN charge c ON c.id = m.charge_id WHERE m.id = t.cause_id)
			ELSE a.holder_id END AS owner) AS w
		WHERE w.owner IS DISTINCT FROM a.holder_id AND NOT (t.kind IN ('topup', 'chargeback', 'debt', 'remittance_failed') AND EXISTS (
			SELECT FROM customer u JOIN customer n ON n.id = a.holder_id WHERE u.id = w.owner AND ` + customer.MaySucceed + `))`},
	{Name: "a redemption is of a use session that was used, and the other way round", SQL: `
		SELECT coalesce(r.id, u.id)::text, coalesce(u.state, 'no session') FROM redemption r FULL JOIN (SELECT id, state, voucher_id, customer_id, service_point_id, items FROM use_session WHERE state = 'used') u ON u.id = r.use_session_id
		WHERE r.id IS NULL OR u.id IS NULL OR (r.voucher_id, r.customer_id, r.service_point_id, r.items) <> (u.voucher_id, u.customer_id, u.service_point_id, u.items)`},
	{Name: "what was made under a key is there, since then, unless it is void, and what is there was made under a key", SQL: `
		SELECT coalesce(i.result_id, made.id)::text, coalesce(i.operation, made.operation) FROM (
			SELECT actor, operation, result_id, at, void FROM idempotency WHERE operation IN ('order.confirm', 'order.pay', 'card.buy', 'voucher.confirm', 'wallet.topup', 'voucher.use', 'gift.give', 'offer.make', 'offer.buy', 'offer.pay', 'objection.make', 'refund.make', 'refund.ask', 'approval.approve', 'refund.own', 'refund.request', 'refund.grant', 'voucher.void', 'voucher.void.ask', 'voucher.extend', 'care.start', 'charge.write_off.ask', 'case.bear', 'goodwill.ask', 'care.extend.ask', 'banktransfer.ask', 'cashout.ask', 'cashout.second', 'payout.propose', 'withholding.propose', 'hold.deny', 'points.ask')) i FULL JOIN (
			SELECT o.customer_id, CASE WHEN r.order_id IS NOT NULL THEN 'card.buy' WHEN c.id IS NULL THEN 'order.confirm' ELSE 'order.pay' END, o.id, o.created_at FROM orders o LEFT JOIN charge c ON c.id = o.id LEFT JOIN card_order r ON r.order_id = o.id
			UNION ALL SELECT staff_id, 'voucher.confirm', id, at FROM redemption
			UNION ALL SELECT customer_id, 'wallet.topup', id, created_at FROM charge WHERE purpose = 'topup'
			UNION ALL SELECT customer_id, 'voucher.use', id, opened_at FROM use_session
			UNION ALL SELECT giver_id, 'gift.give', id, created_at FROM gift
			UNION ALL SELECT seller_id, 'offer.make', id, created_at FROM offer
			UNION ALL SELECT buyer_id, 'offer.pay', id, created_at FROM reservation
			UNION ALL SELECT buyer_id, 'offer.buy', id, sold_at FROM resale r WHERE NOT EXISTS (SELECT FROM reservation w WHERE w.id = r.id)
			UNION ALL SELECT customer_id, 'objection.make', id, made_at FROM objection
			UNION ALL SELECT coalesce(made_by, customer_id), CASE WHEN made_by IS NULL THEN 'refund.own' WHEN request_id IS NOT NULL THEN 'refund.grant' ELSE 'refund.make' END, id, made_at FROM refund f WHERE approval_id IS NULL AND NOT EXISTS (SELECT FROM owner_void w WHERE w.refund_id = f.id)
			UNION ALL SELECT asked_by, CASE kind WHEN 'void' THEN 'voucher.void.ask' WHEN 'write_off' THEN 'charge.write_off.ask' WHEN 'goodwill' THEN 'goodwill.ask' WHEN 'extend' THEN 'care.extend.ask' WHEN 'bank_transfer' THEN 'banktransfer.ask' WHEN 'cashout' THEN 'cashout.second' WHEN 'payout' THEN 'payout.propose' WHEN 'tax_return' THEN 'withholding.propose' WHEN 'denial' THEN 'hold.deny' WHEN 'points' THEN 'points.ask' ELSE 'refund.ask' END, id, asked_at FROM approval WHERE kind <> 'rule'
			UNION ALL SELECT customer_id, 'refund.request', id, asked_at FROM refund_request
			UNION ALL SELECT customer_id, 'cashout.ask', id, asked_at FROM cashout
			UNION ALL SELECT answered_by, 'approval.approve', made_id, answered_at FROM approval WHERE state = 'approved'
			UNION ALL SELECT made_by, 'voucher.extend', id, made_at FROM extension x WHERE NOT EXISTS (SELECT FROM care_item i WHERE i.made_id = x.id)
			UNION ALL SELECT decided_by, 'case.bear', decision_id, closed_at FROM charge_case WHERE decision_id IS NOT NULL
			UNION ALL SELECT started_by, 'care.start', id, started_at FROM care_run WHERE approval_id IS NULL
			UNION ALL SELECT made_by, 'voucher.void', id, made_at FROM owner_void w WHERE approval_id IS NULL AND NOT EXISTS (SELECT FROM care_item i WHERE i.made_id = w.id)) made (actor, operation, id, at)
			ON made.id = i.result_id AND made.operation = i.operation AND made.actor = i.actor
		WHERE i.result_id IS NULL OR (made.id IS NULL) <> i.void OR i.at <> made.at`},
	{Name: "a commission is of the agent whom its order is owed to, or of who recruited him, by its rule, since it was paid", SQL: `
		SELECT o.number, k.agent_id || ', level ' || k.level || ', of ' || coalesce(o.agent_id::text, 'nobody') || ', ' || k.matures || ' ' || k.mature_days FROM commission k JOIN orders o ON o.id = k.order_id
		LEFT JOIN (SELECT order_id, recruiter_id, sum(recruiter_satang) FROM recruiter_share GROUP BY 1, 2) r (order_id, recruiter_id, sum) ON r.order_id = o.id
		WHERE (k.agent_id, k.created_at, k.amount_satang, k.matures, k.mature_days) IS DISTINCT FROM (CASE k.level WHEN 2 THEN r.recruiter_id ELSE o.agent_id END, o.paid_at,
			CASE k.level WHEN 2 THEN r.sum ELSE o.commission_satang - coalesce(r.sum, 0) END, o.matures, o.mature_days)
		UNION ALL SELECT o.number, 'of ' || o.commission_satang || ' commissions have ' || coalesce(k.sum, 0) FROM orders o LEFT JOIN (SELECT order_id, sum(amount_satang) FROM commission GROUP BY 1) k (order_id, sum) ON k.order_id = o.id
		WHERE coalesce(k.sum, 0) <> CASE WHEN o.paid_at IS NULL THEN 0 ELSE o.commission_satang END`},
	{Name: "who recruited an agent has his rate of what the agent sold, and never bought it himself", SQL: `
		SELECT o.number, l.position || ': ' || coalesce(w.recruiter_satang, 0) || ' of ' || coalesce(w.commission_satang, 0) || ', by ' || coalesce(w.basis_points, 0) || ' of ' || b.base FROM orders o
		JOIN order_line l ON l.order_id = o.id JOIN recruiter_share w ON w.order_id = l.order_id AND w.position = l.position JOIN agent r ON r.id = w.recruiter_id
		LEFT JOIN agent a ON a.id = o.agent_id LEFT JOIN commission_rate s ON s.id = l.rate_id
		CROSS JOIN LATERAL (SELECT coalesce(sum(v.fee_satang), 0) AS fee, coalesce(sum(v.commission_satang), 0) AS commission FROM voucher v
			WHERE v.order_id = l.order_id AND v.line_position = l.position AND v.parent_id IS NULL) AS v
		CROSS JOIN LATERAL (SELECT coalesce(sum(d.amount_satang) FILTER (WHERE d.payer = 'organisation'), 0) AS organisation FROM line_discount d WHERE d.order_id = l.order_id AND d.position = l.position) AS d
		CROSS JOIN LATERAL (SELECT l.unit_satang * l.quantity - d.organisation AS base) AS b
		CROSS JOIN LATERAL (SELECT CASE l.rate_kind WHEN 'baht' THEN l.rate_value * l.quantity ELSE floor((b.base * l.rate_value * 2 + 10000) / 20000) END AS seller) AS c
		WHERE a.recruiter_id IS DISTINCT FROM w.recruiter_id OR r.customer_id = o.customer_id OR s.recruiter_basis_points <> w.basis_points
			OR o.paid_at IS NOT NULL AND (w.commission_satang <> v.commission
				OR w.recruiter_satang <> least(floor((b.base * w.basis_points * 2 + 10000) / 20000), b.base - v.fee - least(c.seller, b.base - v.fee)))`},
	{Name: "the uses of a voucher paid the worth of its first items", SQL: `
		SELECT v.code, coalesce(r.sum, 0) || ' of ' || v.share_satang || ' for ' || k.used || ' of ' || v.items_total FROM voucher v
		LEFT JOIN (SELECT voucher_id, sum(amount_satang) FROM redemption GROUP BY 1) r (voucher_id, sum) ON r.voucher_id = v.id
		CROSS JOIN LATERAL (SELECT v.items_total - v.items_left - v.items_out AS used) AS k
		WHERE coalesce(r.sum, 0) <> CASE WHEN v.kind = 'baht' THEN div(v.share_satang::numeric * k.used, v.items_total)
			WHEN k.used = v.items_total THEN v.share_satang ELSE v.share_satang / v.items_total * k.used END`},
	{Name: "what was taken back of a voucher moved the worth of its last items, once", SQL: `
		SELECT v.code, coalesce(t.sum, 0) || ' moved, ' || coalesce(c.sum, 0) || ' split off, kept ' || kept.share || ' of ' || w.worth FROM voucher v
		CROSS JOIN LATERAL (SELECT CASE WHEN v.undoes IS NULL THEN v.share_satang ELSE 0 END AS worth) AS w
		JOIN (` + keptOfVouchers + `) kept ON kept.id = v.id LEFT JOIN (
			SELECT n.voucher_id, sum(e.amount_satang) FROM voucher_event n JOIN transfer t ON t.kind IN ('taken_back', 'void') AND t.cause_id = n.id
			JOIN entry e ON e.transfer_id = t.id JOIN account a ON a.id = e.debit_id AND a.kind = 'unearned' GROUP BY 1) t (voucher_id, sum) ON t.voucher_id = v.id
		LEFT JOIN (SELECT parent_id, sum(share_satang) FROM voucher WHERE parent_id IS NOT NULL AND undoes IS NULL GROUP BY 1) c (voucher_id, sum) ON c.voucher_id = v.id
		LEFT JOIN (SELECT voucher_id, sum(share_satang) FROM refund_item GROUP BY 1) f (voucher_id, sum) ON f.voucher_id = v.id
		WHERE w.worth - kept.share <> coalesce(t.sum, 0) + coalesce(c.sum, 0) + coalesce(f.sum, 0)`},
	// What an agent had of it goes to the wallet by way of what is owed, from where his own part comes as for all that is taken back.
	// A second event of the same refund and voucher is of items that are worth nothing, which went along.
	{Name: "a refund moved what was paid for its items, once, to who held them or on its way to his card", SQL: `
		SELECT coalesce(f.number, t.cause_id::text), coalesce(f.amount_satang, 0) || ' of ' || coalesce(i.share, 0) || ' + ' || coalesce(i.fee, 0) || ' + ' || coalesce(i.commission, 0) || ' - ' || coalesce(i.discount, 0) || ' - ' || coalesce(i.kept, 0)
			|| ', moved ' || coalesce(t.wallet, 0) || ': ' || coalesce(t.share, 0) || ' + ' || coalesce(t.fee, 0) || ' + ' || coalesce(t.commission, 0) || ' - ' || coalesce(t.discount, 0) || ' - ' || coalesce(t.kept, 0)
		FROM refund f FULL JOIN (SELECT t.cause_id, sum(e.amount_satang) FILTER (WHERE c.kind = CASE WHEN EXISTS (SELECT FROM remittance m WHERE m.refund_id = t.cause_id) THEN 'bank_clearing' ELSE 'wallet' END) AS wallet, sum(e.amount_satang) FILTER (WHERE d.kind = 'unearned') AS share,
				sum(e.amount_satang) FILTER (WHERE d.kind = 'platform_fee') AS fee, sum(e.amount_satang) FILTER (WHERE d.kind = 'chargeback_receivable') AS commission,
				sum(e.amount_satang) FILTER (WHERE c.kind = 'platform_fee') AS discount, sum(e.amount_satang) FILTER (WHERE c.kind = 'payable') AS kept
			FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN account d ON d.id = e.debit_id JOIN account c ON c.id = e.credit_id WHERE t.kind = 'refund' GROUP BY 1) t ON t.cause_id = f.id
		LEFT JOIN (SELECT refund_id, sum(share_satang), sum(fee_satang), sum(commission_satang), sum(platform_discount_satang), sum(refund_fee_satang) FROM refund_item GROUP BY 1) i (id, share, fee, commission, discount, kept) ON i.id = f.id
		WHERE f.id IS NULL OR f.amount_satang <> coalesce(t.wallet, 0) OR (coalesce(i.share, 0), coalesce(i.fee, 0), coalesce(i.commission, 0), coalesce(i.discount, 0), coalesce(i.kept, 0))
			<> (coalesce(t.share, 0), coalesce(t.fee, 0), coalesce(t.commission, 0), coalesce(t.discount, 0), coalesce(t.kept, 0))
		UNION ALL SELECT coalesce(i.refund_id, n.refund_id)::text, coalesce(i.items, 0) || ' items of ' || coalesce(i.voucher_id, n.voucher_id) || ', taken ' || coalesce(n.items, 0) || ' from ' || coalesce(n.holder_id::text, 'nobody')
		FROM (SELECT refund_id, voucher_id, items, 1 AS nth FROM refund_item) i
		FULL JOIN (SELECT refund_id, voucher_id, items, holder_id, at, row_number() OVER (PARTITION BY refund_id, voucher_id ORDER BY id) AS nth FROM voucher_event WHERE refund_id IS NOT NULL) n
			ON n.refund_id = i.refund_id AND n.voucher_id = i.voucher_id AND n.nth = i.nth
		LEFT JOIN refund f ON f.id = coalesce(i.refund_id, n.refund_id) LEFT JOIN voucher v ON v.id = coalesce(i.voucher_id, n.voucher_id) JOIN (` + leftOfVouchers + `) left_of ON left_of.id = v.id
		WHERE v.order_id IS DISTINCT FROM f.order_id OR n.at IS DISTINCT FROM f.made_at AND i.refund_id IS NOT NULL OR i.items IS DISTINCT FROM n.items AND (i.refund_id IS NOT NULL OR left_of.paid > 0 OR left_of.share > 0)
			OR n.holder_id IS DISTINCT FROM f.customer_id AND i.refund_id IS NOT NULL`},
	{Name: "what a second person approved was made then, as it was asked for", SQL: `
		SELECT coalesce(a.id, f.approval_id)::text, coalesce(a.state, 'nothing') || ', ' || coalesce(f.number, 'not made') FROM (SELECT id, kind, state, made_id, record_id, amount_satang, asked_by, answered_at, input FROM approval WHERE kind IN ('refund', 'refund_request') AND state = 'approved') a
		FULL JOIN (SELECT id, number, order_id, amount_satang, made_by, made_at, approval_id, request_id, reason, note FROM refund WHERE approval_id IS NOT NULL) f ON f.approval_id = a.id
		WHERE f.id IS DISTINCT FROM a.made_id OR f.made_by <> a.asked_by OR f.made_at <> a.answered_at OR (a.kind = 'refund_request') <> (f.request_id IS NOT NULL)
			OR CASE a.kind WHEN 'refund_request' THEN f.request_id <> a.record_id OR f.amount_satang <> a.amount_satang ELSE f.order_id <> a.record_id OR f.reason <> a.input ->> 'reason' OR f.note <> a.input ->> 'note' END
			OR a.kind = 'refund' AND EXISTS (SELECT FROM jsonb_to_recordset(a.input -> 'parts') AS p (voucher_id uuid, items bigint) FULL JOIN (SELECT voucher_id, items FROM refund_item WHERE refund_id = f.id) i ON i.voucher_id = p.voucher_id
				WHERE i.items IS DISTINCT FROM p.items)
		UNION ALL SELECT coalesce(a.id, w.approval_id)::text, coalesce(a.record_id, w.voucher_id) || ', ' || coalesce(w.id::text, 'not made') FROM (SELECT id, made_id, record_id, asked_by, answered_at, input FROM approval WHERE kind = 'void' AND state = 'approved') a
		FULL JOIN (SELECT id, voucher_id, reason, made_by, made_at, approval_id FROM owner_void WHERE approval_id IS NOT NULL) w ON w.approval_id = a.id
		WHERE (w.id, w.voucher_id, w.made_by, w.made_at, w.voucher_id::text, w.reason) IS DISTINCT FROM (a.made_id, a.record_id, a.asked_by, a.answered_at, a.input ->> 'id', a.input ->> 'reason')`},
	// Who objects to a use has money back for it only once the use stands; what was paid for it is the worth of the items that it took.
	{Name: "what was given back for a use went to who used it, as a second person approved it then, and is no more than was paid for it", SQL: `
		SELECT coalesce(g.id, t.cause_id, a.id)::text, coalesce(g.amount_satang, 0) || ' given, moved ' || coalesce(t.sum, 0) || ', approved ' || coalesce(a.amount_satang::text, 'nothing')
		FROM goodwill g FULL JOIN (SELECT t.cause_id, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id WHERE t.kind = 'goodwill' GROUP BY 1) t (cause_id, sum) ON t.cause_id = g.id
		FULL JOIN (SELECT id, made_id, record_id, amount_satang, asked_by, answered_at, input FROM approval WHERE kind = 'goodwill' AND state = 'approved') a ON a.id = g.approval_id
		WHERE g.amount_satang IS DISTINCT FROM t.sum OR (g.id, g.redemption_id, g.amount_satang, g.made_by, g.made_at, g.redemption_id::text, g.amount_satang::text, g.reason)
			IS DISTINCT FROM (a.made_id, a.record_id, a.amount_satang, a.asked_by, a.answered_at, a.input ->> 'id', a.input ->> 'amount_satang', a.input ->> 'reason')
		UNION ALL SELECT r.id::text, g.sum || ' given of ' || w.paid || ', ' || coalesce(o.state, 'no objection') FROM (SELECT b.redemption_id, sum(b.amount_satang), min(b.made_at), count(*), count(*) FILTER (WHERE b.customer_id = r.customer_id
				OR EXISTS (SELECT FROM former_customer f WHERE f.customer_id = r.customer_id AND f.successor_id = b.customer_id)
				OR NOT EXISTS (SELECT FROM former_customer f WHERE f.customer_id = r.customer_id) AND EXISTS (SELECT FROM customer u WHERE u.id = r.customer_id AND u.erased_at IS NOT NULL))
			FROM goodwill b JOIN redemption r ON r.id = b.redemption_id GROUP BY 1) g (redemption_id, sum, since, n, his)
		JOIN redemption r ON r.id = g.redemption_id JOIN voucher p ON p.id = r.voucher_id LEFT JOIN objection o ON o.redemption_id = r.id
		CROSS JOIN LATERAL (SELECT coalesce(sum(b.items), 0) AS since FROM redemption b WHERE b.voucher_id = r.voucher_id AND b.items_left > r.items_left) AS k
		CROSS JOIN LATERAL (SELECT CASE WHEN p.kind = 'baht' THEN div(p.share_satang::numeric * (k.since + r.items), p.items_total) WHEN k.since + r.items = p.items_total THEN p.share_satang ELSE p.share_satang / p.items_total * (k.since + r.items) END AS till,
			CASE WHEN p.kind = 'baht' THEN div(p.share_satang::numeric * k.since, p.items_total) ELSE p.share_satang / p.items_total * k.since END AS since) AS cut
		CROSS JOIN LATERAL (SELECT sum(CASE WHEN part = 4 THEN div(x::numeric * cut.since, greatest(1, p.share_satang)) - div(x::numeric * cut.till, greatest(1, p.share_satang))
				ELSE CASE WHEN p.kind = 'baht' THEN div(x::numeric * (k.since + r.items), p.items_total) WHEN k.since + r.items = p.items_total THEN x ELSE x / p.items_total * (k.since + r.items) END
					- CASE WHEN p.kind = 'baht' THEN div(x::numeric * k.since, p.items_total) ELSE x / p.items_total * k.since END END) AS paid
			FROM unnest(ARRAY[p.share_satang, p.fee_satang, p.commission_satang, p.platform_discount_satang]) WITH ORDINALITY AS s (x, part)) AS w
		WHERE g.sum > w.paid OR g.n <> g.his OR o.state IN ('open', 'undone') OR o.decided_at > g.since OR o.id IS NULL AND (g.since AT TIME ZONE 'Asia/Bangkok')::date < (r.at AT TIME ZONE 'Asia/Bangkok')::date + 2`},
	// As its line said when it was sold, while nobody else had held it: of a change of mind the organisation keeps what the line says, of its own refunds nothing.
	// What he asked for was in time when he asked first.
	{Name: "a payer refunded himself what he might, less the fee that was agreed on", SQL: `
		SELECT f.number, l.refund_rule || ' until ' || k.until || ', kept ' || i.refund_fee_satang || ' of ' || k.paid FROM refund f JOIN refund_item i ON i.refund_id = f.id LEFT JOIN refund_request q ON q.id = f.request_id
		JOIN voucher v ON v.id = i.voucher_id JOIN orders o ON o.id = f.order_id JOIN order_line l ON l.order_id = v.order_id AND l.position = v.line_position
		CROSS JOIN LATERAL (SELECT (o.paid_at AT TIME ZONE 'Asia/Bangkok')::date + l.refund_days AS until,
			i.share_satang + i.fee_satang + i.commission_satang - i.platform_discount_satang AS paid) AS k
		WHERE i.refund_fee_satang <> CASE WHEN f.made_by IS NULL OR q.id IS NOT NULL THEN least((k.paid * l.refund_fee_basis_points * 2 + 10000) / 20000, greatest(0, i.share_satang - i.platform_discount_satang)) ELSE 0 END
			OR (f.made_by IS NULL OR q.id IS NOT NULL) AND (f.customer_id <> o.customer_id OR l.refund_rule <> CASE WHEN q.id IS NULL THEN 'self' ELSE ` + askedRule + ` END
				OR (coalesce(q.began_at, f.made_at) AT TIME ZONE 'Asia/Bangkok')::date > k.until
				OR EXISTS (SELECT FROM voucher_event n WHERE n.voucher_id = v.id AND n.event IN ('claim', 'sell') AND n.at <= f.made_at))`},
	// What was left of a request that was granted is what it named: the same items of the same vouchers, up to where the vouchers ended when it was made.
	{Name: "what a payer asked for was refunded whole, when it was granted, or not at all", SQL: `
		SELECT coalesce(q.id, f.request_id)::text, coalesce(q.state, 'nothing') || ' of ' || coalesce(q.amount_satang, 0) || ', ' || coalesce(f.number || ' of ' || f.amount_satang, 'not refunded') FROM refund_request q
		FULL JOIN (SELECT id, number, order_id, customer_id, amount_satang, made_by, made_at, request_id FROM refund WHERE request_id IS NOT NULL) f ON f.request_id = q.id
		WHERE q.id IS NULL OR (q.state = 'done') <> (f.id IS NOT NULL) OR (f.order_id, f.customer_id, f.amount_satang, f.made_by, f.made_at) <> (q.order_id, q.customer_id, q.amount_satang, q.answered_by, q.answered_at)
			OR q.amount_satang <> (SELECT coalesce(sum(i.amount_satang), 0) FROM refund_request_item i WHERE i.request_id = q.id) OR q.due_at <> q.asked_at + interval '15 days' OR q.answered_at < q.asked_at
			OR EXISTS (SELECT FROM (SELECT voucher_id, items, amount_satang FROM refund_request_item WHERE request_id = q.id) i FULL JOIN (
					SELECT n.voucher_id, n.items, n.share_satang + n.fee_satang + n.commission_satang - n.platform_discount_satang - n.refund_fee_satang AS sum FROM refund_item n WHERE n.refund_id = f.id) n ON n.voucher_id = i.voucher_id
				WHERE f.id IS NOT NULL AND (n.items IS DISTINCT FROM i.items OR n.sum IS DISTINCT FROM i.amount_satang))
		UNION ALL SELECT q.id::text, i.items || ' of ' || v.code || ' after ' || i.items_out || ', ' || n.before || ' to ' || n.till || ' had left' FROM refund_request q JOIN refund_request_item i ON i.request_id = q.id
		JOIN voucher v ON v.id = i.voucher_id LEFT JOIN refund f ON f.request_id = q.id LEFT JOIN voucher_event t ON t.refund_id = f.id AND t.voucher_id = v.id
		CROSS JOIN LATERAL (SELECT coalesce(sum(e.items) FILTER (WHERE CASE WHEN t.id IS NULL THEN e.at < q.asked_at ELSE e.id < t.id END), 0) AS before,
			coalesce(sum(e.items) FILTER (WHERE CASE WHEN t.id IS NULL THEN e.at <= q.asked_at ELSE e.id < t.id END), 0) AS till
			FROM voucher_event e WHERE e.voucher_id = v.id AND e.event IN ('refund', 'void', 'split')) AS n
		WHERE v.order_id <> q.order_id OR i.items_out + i.items > v.items_total OR i.items_out NOT BETWEEN n.before AND n.till
		UNION ALL SELECT q.id::text, 'asked by ' || q.customer_id || ' of ' || o.customer_id || ', since ' || q.began_at || ' for ' || coalesce(b.id::text, 'the first time') FROM refund_request q
		JOIN orders o ON o.id = q.order_id LEFT JOIN refund_request b ON b.id = q.renews_id
		WHERE q.customer_id <> o.customer_id OR o.paid_at IS NULL OR q.began_at < o.paid_at OR b.id IS NOT NULL AND (b.state <> 'changed' OR (b.order_id, b.began_at) <> (q.order_id, q.began_at) OR q.asked_at < b.answered_at
			OR EXISTS (SELECT FROM refund_request_item i LEFT JOIN refund_request_item w ON w.request_id = b.id AND w.voucher_id = i.voucher_id WHERE i.request_id = q.id
				AND (w.voucher_id IS NULL OR i.items + i.items_out > w.items + w.items_out OR i.items_out < w.items_out)))
		UNION ALL SELECT q.id::text, l.refund_rule || ' until ' || k.until FROM refund_request q JOIN refund_request_item i ON i.request_id = q.id JOIN voucher v ON v.id = i.voucher_id
		JOIN order_line l ON l.order_id = v.order_id AND l.position = v.line_position JOIN orders o ON o.id = q.order_id
		CROSS JOIN LATERAL (SELECT (o.paid_at AT TIME ZONE 'Asia/Bangkok')::date + l.refund_days AS until) AS k
		WHERE l.refund_rule <> ` + askedRule + ` OR (q.began_at AT TIME ZONE 'Asia/Bangkok')::date > k.until`},
	// Items leave a voucher from its last one on, in the order in which they were taken back or split off.
	{Name: "a slice is what its parent gave up of its last items, and was given or offered then", SQL: `
		SELECT coalesce(v.code, s.child_id::text), s.items || ' items up to ' || k.till || ' of ' || p.items_total || ' of ' || p.code || ': ' || coalesce(v.items_total, 0) FROM (
			SELECT n.id, n.voucher_id, n.child_id, n.event, n.items, n.holder_id, n.gift_id, n.offer_id, n.at, sum(n.items) OVER (PARTITION BY n.voucher_id ORDER BY n.id) - n.items AS gone FROM voucher_event n
			WHERE n.event IN ('refund', 'void', 'split') AND n.voucher_id IN (SELECT voucher_id FROM voucher_event WHERE event = 'split')) s LEFT JOIN voucher v ON v.id = s.child_id
		LEFT JOIN voucher p ON p.id = s.voucher_id LEFT JOIN gift g ON g.id = s.gift_id LEFT JOIN offer f ON f.id = s.offer_id LEFT JOIN orders o ON o.id = p.order_id
		CROSS JOIN LATERAL (SELECT p.items_total - s.gone AS till, p.items_total - s.gone - s.items AS since) AS k
		CROSS JOIN LATERAL (SELECT CASE WHEN p.kind = 'baht' THEN div(p.share_satang::numeric * k.till, p.items_total) WHEN k.till = p.items_total THEN p.share_satang ELSE p.share_satang / p.items_total * k.till END AS till,
			CASE WHEN p.kind = 'baht' THEN div(p.share_satang::numeric * k.since, p.items_total) ELSE p.share_satang / p.items_total * k.since END AS since) AS cut
		CROSS JOIN LATERAL (SELECT array_agg(CASE WHEN part = 4 THEN div(x::numeric * cut.till, greatest(1, p.share_satang)) - div(x::numeric * cut.since, greatest(1, p.share_satang))
				ELSE CASE WHEN p.kind = 'baht' THEN div(x::numeric * k.till, p.items_total) WHEN k.till = p.items_total THEN x ELSE x / p.items_total * k.till END
					- CASE WHEN p.kind = 'baht' THEN div(x::numeric * k.since, p.items_total) ELSE x / p.items_total * k.since END END ORDER BY part) AS sums
			FROM unnest(ARRAY[p.share_satang, p.fee_satang, p.commission_satang, p.platform_discount_satang]) WITH ORDINALITY AS s (x, part)) AS w
		WHERE s.event = 'split' AND (v.id IS NULL OR v.parent_id IS DISTINCT FROM p.id OR v.items_total <> s.items
			OR ARRAY[v.share_satang, v.fee_satang, v.commission_satang, v.platform_discount_satang]::numeric[] IS DISTINCT FROM w.sums
			OR (v.order_id, v.line_position, v.template_id, v.version_id, v.kind, v.name_th, v.name_en, v.picture_id, v.issued_until, v.issued_at, v.transfer_rule, v.transfer_together, v.expiry_rule, v.vat_point)
				IS DISTINCT FROM (p.order_id, p.line_position, p.template_id, p.version_id, p.kind, p.name_th, p.name_en, p.picture_id, p.issued_until, p.issued_at, p.transfer_rule, p.transfer_together, p.expiry_rule, p.vat_point)
			OR v.transfers_left - p.transfers_left <> CASE WHEN v.transfer_rule = 'times' THEN (SELECT count(*) FILTER (WHERE n.voucher_id = p.id AND n.id > s.id) - count(*) FILTER (WHERE n.voucher_id = v.id)
				FROM voucher_event n WHERE n.voucher_id IN (p.id, v.id) AND n.event IN ('claim', 'sell')) ELSE 0 END
			OR v.added_days - ` + addedToVoucher + ` <> p.added_days - ` + addedSinceSplit + `
			OR s.holder_id <> coalesce((SELECT n.holder_id FROM voucher_event n WHERE n.voucher_id = p.id AND n.event IN ('claim', 'sell') AND n.id < s.id ORDER BY n.id DESC LIMIT 1),
				(SELECT n.holder_id FROM voucher_event n WHERE n.child_id = p.id), o.customer_id)
			OR (s.holder_id, s.at) IS DISTINCT FROM (coalesce(g.giver_id, f.seller_id), coalesce(g.created_at, f.created_at))
			OR NOT EXISTS (SELECT FROM voucher_event n WHERE n.voucher_id = v.id AND (n.event = 'give' AND n.gift_id = g.id OR n.event = 'offer' AND n.offer_id = f.id)))
		UNION ALL SELECT v.code, 'of nothing' FROM voucher v WHERE v.parent_id IS NOT NULL AND NOT EXISTS (SELECT FROM voucher_event n WHERE n.child_id = v.id)`},
	{Name: "an objection is of who used it, in time, and is decided in time or by itself", SQL: `
		SELECT o.id::text, o.state || ', of a use at ' || r.at || ', made at ' || o.made_at || ', due at ' || o.due_at || ', decided at ' || coalesce(o.decided_at::text, 'no time')
		FROM objection o JOIN redemption r ON r.id = o.redemption_id
		WHERE (o.customer_id, o.voucher_id, o.share_satang) <> (r.customer_id, r.voucher_id, r.amount_satang) OR o.made_at < r.at
			OR (o.made_at AT TIME ZONE 'Asia/Bangkok')::date > (r.at AT TIME ZONE 'Asia/Bangkok')::date + 1 OR o.due_at <> o.made_at + interval '48 hours'
			OR o.decided_at < o.made_at OR (o.decided_by IS NULL) <> (o.decided_at >= o.due_at)`},
	{Name: "an objection holds what its use earned until it is decided, and nothing else does", SQL: `
		SELECT coalesce(o.id, t.cause_id)::text, coalesce(o.state, 'no objection') || ': ' || coalesce(o.share_satang, 0) || ' held ' || coalesce(t.held, 0) || ', stands ' || coalesce(t.stands, 0) || ', undone ' || coalesce(t.undone, 0)
		FROM objection o FULL JOIN (SELECT t.cause_id, coalesce(sum(e.amount_satang) FILTER (WHERE t.kind = 'objection'), 0) AS held,
				coalesce(sum(e.amount_satang) FILTER (WHERE t.kind = 'objection_stands'), 0) AS stands, coalesce(sum(e.amount_satang) FILTER (WHERE t.kind = 'objection_undone'), 0) AS undone
			FROM transfer t JOIN entry e ON e.transfer_id = t.id WHERE t.kind IN ('objection', 'objection_stands', 'objection_undone') GROUP BY 1) t ON t.cause_id = o.id
		WHERE o.id IS NULL OR (coalesce(t.held, 0), coalesce(t.stands, 0), coalesce(t.undone, 0))
			<> (o.share_satang, CASE o.state WHEN 'stands' THEN o.share_satang ELSE 0 END, CASE o.state WHEN 'undone' THEN o.share_satang ELSE 0 END)`},
	// Who used it has the transfers that he had then, and may have bought it on the board.
	{Name: "a use that was undone is a voucher of who used it, with all that its items were worth", SQL: `
		SELECT coalesce(v.code, o.id::text), coalesce(r.items || ' items from ' || k.since || ' of ' || p.items_total || ' of ' || p.code, 'no use that was undone') || ': ' || coalesce(v.items_total, 0)
		FROM (SELECT id, redemption_id, decided_at FROM objection WHERE state = 'undone') o
		FULL JOIN (SELECT id, undoes FROM voucher WHERE undoes IS NOT NULL) anew ON anew.undoes = o.redemption_id LEFT JOIN voucher v ON v.id = anew.id
		LEFT JOIN redemption r ON r.id = o.redemption_id LEFT JOIN voucher p ON p.id = r.voucher_id LEFT JOIN voucher_event n ON n.child_id = v.id
		CROSS JOIN LATERAL (SELECT coalesce(sum(b.items), 0) AS since FROM redemption b WHERE b.voucher_id = r.voucher_id AND b.items_left > r.items_left) AS k
		CROSS JOIN LATERAL (SELECT CASE WHEN p.kind = 'baht' THEN div(p.share_satang::numeric * (k.since + r.items), p.items_total) WHEN k.since + r.items = p.items_total THEN p.share_satang ELSE p.share_satang / p.items_total * (k.since + r.items) END AS till,
			CASE WHEN p.kind = 'baht' THEN div(p.share_satang::numeric * k.since, p.items_total) ELSE p.share_satang / p.items_total * k.since END AS since) AS cut
		CROSS JOIN LATERAL (SELECT array_agg(CASE WHEN part = 4 THEN div(x::numeric * cut.till, greatest(1, p.share_satang)) - div(x::numeric * cut.since, greatest(1, p.share_satang))
				ELSE CASE WHEN p.kind = 'baht' THEN div(x::numeric * (k.since + r.items), p.items_total) WHEN k.since + r.items = p.items_total THEN x ELSE x / p.items_total * (k.since + r.items) END
					- CASE WHEN p.kind = 'baht' THEN div(x::numeric * k.since, p.items_total) ELSE x / p.items_total * k.since END END ORDER BY part) AS sums
			FROM unnest(ARRAY[p.share_satang, p.fee_satang, p.commission_satang, p.platform_discount_satang]) WITH ORDINALITY AS s (x, part)) AS w
		WHERE o.id IS NULL OR v.id IS NULL OR v.parent_id <> p.id OR v.items_total <> r.items
			OR ARRAY[v.share_satang, v.fee_satang, v.commission_satang, v.platform_discount_satang]::numeric[] IS DISTINCT FROM w.sums
			OR (v.order_id, v.line_position, v.template_id, v.version_id, v.kind, v.name_th, v.name_en, v.picture_id, v.issued_at, v.transfer_rule, v.transfer_together, v.expiry_rule, v.vat_point)
				IS DISTINCT FROM (p.order_id, p.line_position, p.template_id, p.version_id, p.kind, p.name_th, p.name_en, p.picture_id, p.issued_at, p.transfer_rule, p.transfer_together, p.expiry_rule, p.vat_point)
			OR v.issued_until <> greatest(p.valid_until - ` + addedSinceUndone + `, (o.decided_at AT TIME ZONE 'Asia/Bangkok')::date + 30)
			OR v.transfers_left - p.transfers_left <> CASE WHEN v.transfer_rule = 'times' THEN (SELECT count(*) FILTER (WHERE m.voucher_id = p.id AND m.id > r.id) - count(*) FILTER (WHERE m.voucher_id = v.id)
				FROM voucher_event m WHERE m.voucher_id IN (p.id, v.id) AND m.event IN ('claim', 'sell')) ELSE 0 END
			OR (n.event, n.voucher_id, n.items, n.holder_id, n.at) IS DISTINCT FROM ('undo', p.id, r.items, r.customer_id, o.decided_at)`},
	{Name: "everything taken back has its event and its movement", SQL: `
		SELECT t.id::text, t.cause_id::text FROM transfer t LEFT JOIN voucher_event n ON n.id = t.cause_id AND n.event IN ('refund', 'void')
		LEFT JOIN charge_event m ON m.id = t.cause_id AND m.kind = 'taken_back'
		WHERE t.kind = 'taken_back' AND (n.id IS NULL OR m.id IS NULL OR n.charge_id IS DISTINCT FROM m.charge_id)`},
	{Name: "a voucher is frozen exactly for a charge of his who paid for it last, in the market or on the board, and which owes, or by the organisation", SQL: `
		SELECT v.code, v.state || ' for ' || coalesce(v.frozen_for::text, 'nothing') FROM voucher v
		JOIN (SELECT id, customer_id FROM orders UNION ALL SELECT id, buyer_id FROM resale) o ON o.id = coalesce(v.resale_id, v.order_id)
		LEFT JOIN charge c ON c.id = v.frozen_for AND ` + ofOnePerson + ` AND c.owed_satang > 0 AND NOT (c.dispute = 'lost' AND c.bank_owed_satang > 0
			AND EXISTS (SELECT FROM (` + leftOfVouchers + `) left_of WHERE left_of.id = v.id AND left_of.paid > 0))
		WHERE (v.state = 'frozen') <> (v.frozen_for IS NOT NULL OR v.owner_freeze_id IS NOT NULL) OR v.frozen_for IS NOT NULL AND c.id IS NULL`},
	// A charge paid for its order, or for purchases from the wallet that it filled. Its debt is unpaid of the newest purchases that it may have
	// paid for; so a purchase is certainly unpaid if the debt is more than all newer ones.
	{Name: "what came along for nothing follows what was paid for it", SQL: `
		WITH unpaid AS MATERIALIZED (SELECT u.id, u.person, u.paid_at, u.price, u.kept, u.least, u.most, coalesce(sum(greatest(0, u.kept - u.least)) OVER (PARTITION BY u.person ORDER BY u.paid_at DESC, u.id DESC
				ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS newer FROM (` + unpaidOfPurchases + `) u),
			debts AS MATERIALIZED (` + debtOfCharges + `)
		SELECT v.code, v.state || ', of ' || o.kept || ' kept ' || o.least || ' to ' || o.most || ' unpaid, or owed besides' FROM unpaid o
		JOIN voucher v ON v.order_id = o.id AND v.state IN ('ready', 'in_use', 'on_sale', 'in_transfer', 'frozen')
		JOIN (` + leftOfVouchers + `) left_of ON left_of.id = v.id AND left_of.paid = 0 AND left_of.share = 0 AND v.resale_id IS NULL
		LEFT JOIN charge own ON own.id = o.id AND own.state = 'captured' AND NOT own.credited
		LEFT JOIN (SELECT person, sum(debt) FROM debts GROUP BY 1) owes (person, debt) ON owes.person = o.person
		CROSS JOIN LATERAL (SELECT coalesce(own.refunded_satang + own.sent_satang + own.disputed_satang >= own.amount_satang, false) AS back,
			EXISTS (SELECT FROM voucher s WHERE s.order_id = o.id AND s.resale_id IS NOT NULL) AS sold) AS is_now
		WHERE o.price > 0 AND (o.kept = 0 AND NOT is_now.sold OR own.refunded_satang + own.sent_satang >= own.amount_satang OR is_now.back AND own.disputed_satang > 0 AND own.dispute = 'lost'
			OR CASE WHEN is_now.back AND own.owed_satang > 0 THEN v.frozen_for IS NULL
			WHEN v.frozen_for IS NOT NULL THEN o.kept > o.most + coalesce(owes.debt, 0)
			WHEN o.kept = 0 THEN false
			ELSE o.kept <= o.least OR owes.debt >= o.kept - o.least AND EXISTS (SELECT FROM debts d
				WHERE d.person = o.person AND (d.id = o.id OR d.credited AND own.id IS NULL AND d.captured_at <= o.paid_at)
					AND d.debt >= o.kept - o.least + o.newer * d.reaches::int) END)`},
	{Name: "what a customer owes is what his charges owe and no frozen voucher stands for", SQL: `
		SELECT u.id::text, u.debt_satang || ' <> ' || coalesce(d.sum, 0) FROM customer u LEFT JOIN (
			SELECT coalesce(former.successor_id, c.customer_id), sum(greatest(0, c.owed_satang - coalesce(f.worth, 0))) FROM charge c
			LEFT JOIN former_customer former ON former.customer_id = c.customer_id LEFT JOIN (
				SELECT v.frozen_for, sum(left_of.paid) FROM voucher v JOIN (` + leftOfVouchers + `) left_of ON left_of.id = v.id
				WHERE v.frozen_for IS NOT NULL GROUP BY 1) f (charge_id, worth) ON f.charge_id = c.id
			WHERE c.owed_satang > 0 GROUP BY 1) d (customer_id, sum) ON d.customer_id = u.id
		WHERE u.debt_satang <> coalesce(d.sum, 0)`},
	{Name: "what is owed in the books is what charges owe, less the commission that agents wait for with it", SQL: `
		SELECT 'chargeback_receivable', r.sum || ' in the books, ' || c.sum || ' owed, ' || k.sum || ' of it commission' FROM
			(SELECT coalesce(sum(owed_satang), 0) FROM charge) c (sum),
			(SELECT coalesce(sum(kept.commission - k.due_satang), 0) FROM (SELECT order_id, sum(due_satang + denied_satang) FROM commission GROUP BY 1) k (order_id, due_satang)
				JOIN (SELECT order_id, sum(commission) FROM (` + keptOfVouchers + `) v GROUP BY 1) kept (order_id, commission) ON kept.order_id = k.order_id) k (sum),
			(SELECT coalesce(sum(CASE WHEN e.debit_id = a.id THEN e.amount_satang ELSE -e.amount_satang END), 0)
				FROM account a JOIN entry e ON a.id IN (e.debit_id, e.credit_id) WHERE a.kind = 'chargeback_receivable') r (sum)
		WHERE c.sum - k.sum <> r.sum`},
	{Name: "what was sent back and nothing covers is a case that is open", SQL: `
		SELECT c.reference, c.owed_satang || ' owed, ' || c.bank_owed_satang || ' to the bank, case of ' || coalesce(k.amount_satang, 0) FROM charge c
		LEFT JOIN charge_case k ON k.charge_id = c.id AND k.kind = 'refund' AND k.closed_at IS NULL
		WHERE c.owed_satang - c.bank_owed_satang <> coalesce(k.amount_satang, 0)`},
	{Name: "no more was sold than there was, and as much as was ordered", SQL: `
		SELECT coalesce(s.package_id, l.package_id)::text, coalesce(s.sold, 0) || ' taken, ' || coalesce(l.sum, 0) || ' ordered' FROM stock s
		FULL JOIN (SELECT l.package_id, sum(l.quantity) FROM order_line l JOIN orders o ON o.id = l.order_id AND o.state <> 'expired'
			WHERE l.returned_at IS NULL AND l.package_id IS NOT NULL GROUP BY 1) l (package_id, sum) ON l.package_id = s.package_id
		WHERE coalesce(s.sold, 0) <> coalesce(l.sum, 0) OR s.sold > s.quantity`},
	// What a charge owes is unpaid of the order that it paid, unless its money came into a wallet: then it may be of what was bought from
	// there instead, and of what another charge paid that took money from there. Where something was taken back from who bought it on the board, a job
	// takes the commission, some seconds later.
	{Name: "an agent has the commission of what was not taken back and is paid", SQL: `
		SELECT o.number, 'level ' || k.level || ': ' || k.amount_satang || ', kept ' || coalesce(kept.commission, 0) || ' of ' || coalesce(kept.paid, 0) || ', ' || coalesce(c.owed_satang, 0)
			|| ' owed; ' || k.due_satang || ' due, ' || k.denied_satang || ' denied'
		FROM orders o JOIN commission k ON k.order_id = o.id
		LEFT JOIN (SELECT l.order_id, sum(l.commission), sum(l.paid), coalesce(sum(round(l.commission * r.recruiter_satang / r.commission_satang)), 0)
			FROM (SELECT order_id, line_position, sum(commission) AS commission, sum(paid) AS paid FROM (` + keptOfVouchers + `) v GROUP BY 1, 2) l
			LEFT JOIN recruiter_share r ON r.order_id = l.order_id AND r.position = l.line_position GROUP BY 1) kept (order_id, commission, paid, recruiter) ON kept.order_id = o.id
		LEFT JOIN charge c ON c.id = o.id AND c.state = 'captured' AND NOT c.credited
		CROSS JOIN LATERAL (SELECT coalesce(round(kept.commission * p.paid / nullif(kept.paid, 0)), 0) AS whole, coalesce(round(kept.recruiter * p.paid / nullif(kept.paid, 0)), 0) AS recruiter
			FROM (SELECT kept.paid - least(kept.paid, coalesce(c.owed_satang, 0)) AS paid) p) AS paid
		CROSS JOIN LATERAL (SELECT k.due_satang + k.denied_satang AS has, CASE k.level WHEN 2 THEN paid.recruiter ELSE paid.whole - paid.recruiter END AS due) AS is_now
		WHERE is_now.has > is_now.due AND NOT EXISTS (SELECT FROM voucher v JOIN voucher_event n ON n.voucher_id = v.id
					WHERE v.order_id = o.id AND v.resale_id IS NOT NULL AND n.event IN ('refund', 'void') AND n.at > k.updated_at)
				AND (is_now.has > coalesce(CASE k.level WHEN 2 THEN kept.recruiter ELSE kept.commission - kept.recruiter END, 0) OR c.id IS NULL OR NOT ` + cameToWallet + `)
			OR is_now.has < is_now.due AND NOT ((c.id IS NULL OR EXISTS (SELECT FROM charge_event m WHERE m.charge_id = c.id AND m.wallet_satang < 0))
				AND EXISTS (SELECT FROM charge c WHERE c.id <> o.id AND c.owed_satang > 0 AND ` + ofOnePerson + ` AND ` + cameToWallet + `))`},
	{Name: "a transfer is of the moment of its cause", SQL: `
		SELECT t.id::text, t.kind || ' at ' || t.at || ', its cause at ' || coalesce(c.at::text, 'no time') FROM transfer t JOIN (
			SELECT 'topup' AS kind, id, captured_at AS at FROM charge WHERE credited
			UNION ALL SELECT 'purchase', id, paid_at FROM orders
			UNION ALL SELECT kind, id, at FROM redemption, unnest(ARRAY['use', 'partner_commission']) AS kind
			UNION ALL SELECT 'expiry', id, at FROM voucher_event WHERE event = 'expire'
			UNION ALL SELECT 'extension', id, made_at FROM extension
			UNION ALL SELECT kind, id, at FROM voucher_event, unnest(ARRAY['taken_back', 'void']) AS kind
			UNION ALL SELECT CASE WHEN due_satang = 0 AND denied_satang = 0 THEN 'commission_maturity' WHEN denied_satang = -due_satang THEN 'commission_denial' ELSE 'commission_reversal' END, id, at FROM commission_change
			UNION ALL SELECT CASE WHEN points > 0 THEN 'points_granted' ELSE 'points_taken_back' END, id, at FROM point_grant WHERE moved
			UNION ALL SELECT 'points_lapsed', id, at FROM point_lapse
			UNION ALL SELECT 'points_adjusted', id, made_at FROM point_adjustment
			UNION ALL SELECT 'objection', id, made_at FROM objection
			UNION ALL SELECT 'refund', id, made_at FROM refund
			UNION ALL SELECT CASE state WHEN 'failed' THEN 'remittance_failed' ELSE 'remittance' END, id, ended_at FROM remittance WHERE ended_at IS NOT NULL
			UNION ALL SELECT 'remittance', id, done_at FROM remittance WHERE done_at IS NOT NULL
			UNION ALL SELECT 'cashout', id, answered_at FROM cashout WHERE state = 'approved'
			UNION ALL SELECT 'payout', id, booked_at FROM payout
			UNION ALL SELECT 'payout_paid', id, paid_at FROM payout
			UNION ALL SELECT 'payout_failed', id, ended_at FROM payout
			UNION ALL SELECT 'payout_returned', payout_id, at FROM payout_return
			UNION ALL SELECT 'tax_filed', id, filed_at FROM tax_return WHERE state = 'filed'
			UNION ALL SELECT 'goodwill', id, made_at FROM goodwill
			UNION ALL SELECT 'card_begun', order_id, begun_at FROM card_order
			UNION ALL SELECT 'card_returned', order_id, returned_at FROM card_order
			UNION ALL SELECT 'card_credited', order_id, credited_at FROM card_order
			UNION ALL SELECT 'objection_' || state, id, decided_at FROM objection WHERE state <> 'open'
			UNION ALL SELECT CASE kind WHEN 'fee' THEN 'gateway_fee' WHEN 'debt_paid' THEN 'debt' WHEN 'taken_back' THEN 'taken_back'
				WHEN 'borne' THEN 'borne' WHEN 'written_off' THEN 'write_off' ELSE 'chargeback' END, id, at FROM charge_event) c ON c.id = t.cause_id AND c.kind = t.kind
		WHERE t.at IS DISTINCT FROM c.at`},
	{Name: "an order that was paid from the wallet was paid when it was made", SQL: `
		SELECT o.number, o.created_at || ', paid ' || o.paid_at FROM orders o LEFT JOIN charge c ON c.id = o.id
		WHERE c.id IS NULL AND o.created_at <> o.paid_at OR o.paid_at < o.created_at OR o.expired_at < o.created_at`},
	{Name: "an order that an agent sold names his link", SQL: `
		SELECT o.number, 'channel ' || o.sale_channel || ', agent ' || coalesce(o.agent_id::text, 'nobody') || ', link of ' || coalesce(l.agent_id::text, 'nobody')
		FROM orders o LEFT JOIN sale_link l ON l.id = o.link_id
		WHERE o.agent_id IS DISTINCT FROM l.agent_id OR (o.sale_channel = 3) <> (o.agent_id IS NOT NULL) OR o.agent_id IS NULL AND o.commission_satang > 0`},
	{Name: "what a line agreed on is what its order and its vouchers carry", SQL: `
		SELECT o.number, l.position || ': ' || (l.contents - 'parts') FROM orders o JOIN order_line l ON l.order_id = o.id
		LEFT JOIN (SELECT order_id, line_position, sum(share_satang), sum(fee_satang), sum(commission_satang), sum(platform_discount_satang) FROM voucher WHERE parent_id IS NULL GROUP BY 1, 2)
			v (order_id, position, share, fee, commission, discount) ON v.order_id = l.order_id AND v.position = l.position
		WHERE l.contents IS NOT NULL AND ((l.contents->>'seller_satang')::bigint + (l.contents->>'fee_satang')::bigint + (l.contents->>'commission_satang')::bigint
				- coalesce((l.contents->>'discount_satang')::bigint, 0) <> l.amount_satang
			OR o.paid_at IS NOT NULL AND ((l.contents->>'seller_satang')::bigint, (l.contents->>'fee_satang')::bigint, (l.contents->>'commission_satang')::bigint, coalesce((l.contents->>'discount_satang')::bigint, 0))
				<> (coalesce(v.share, 0), coalesce(v.fee, 0), coalesce(v.commission, 0), coalesce(v.discount, 0)))
		UNION ALL SELECT o.number, o.platform_fee_satang || ' + ' || o.commission_satang || ' <> ' || l.fee || ' + ' || l.commission FROM orders o JOIN (
			SELECT order_id, sum((contents->>'fee_satang')::bigint), sum((contents->>'commission_satang')::bigint) FROM order_line WHERE contents IS NOT NULL GROUP BY 1)
			l (order_id, fee, commission) ON l.order_id = o.id
		WHERE (o.platform_fee_satang, o.commission_satang) <> (l.fee, l.commission)`},
	// What a line has not kept is what its package and their types say now, unless one of them was changed since, or within the
	// minute before.
	{Name: "a voucher is what was sold: its type, items, rules and last day", SQL: `
		WITH sold AS (
			SELECT l.order_id, l.position, a.template_id, a.version_id, a.kind, a.items, a.transfer_rule, a.times, a.together, a.expiry_rule, a.vat_point,
				coalesce(a.valid_until, (o.paid_at AT TIME ZONE 'Asia/Bangkok')::date + a.valid_days) AS until, l.quantity * a.n AS n, true AS known
			FROM orders o JOIN order_line l ON l.order_id = o.id JOIN (` + agreedParts + `) a ON a.order_id = l.order_id AND a.position = l.position WHERE o.paid_at IS NOT NULL
			UNION ALL SELECT l.order_id, l.position, r.template_id, r.version_id, r.kind, r.items, r.transfer_rule, r.times, r.together, r.expiry_rule, r.vat_point,
				coalesce(r.valid_until, (o.paid_at AT TIME ZONE 'Asia/Bangkok')::date + r.valid_days), l.quantity * r.n, r.since < o.created_at - interval '1 minute'
			FROM orders o JOIN order_line l ON l.order_id = o.id AND l.contents IS NULL JOIN (` + partsNow + `) r ON r.package_id = l.package_id WHERE o.paid_at IS NOT NULL)
		SELECT order_id::text, position || ': ' || sum(n) || ' of type ' || template_id || ', ' || items || ' items, ' || transfer_rule || ' ' || times || CASE WHEN together THEN ' together ' ELSE ' ' END || expiry_rule || ', VAT at ' || vat_point || ', until ' || until FROM (
			SELECT order_id, position, template_id, version_id, kind, items, transfer_rule, times, together, expiry_rule, vat_point, until, n FROM sold
			UNION ALL SELECT order_id, line_position, template_id, version_id, kind, items_total, transfer_rule, times, transfer_together, expiry_rule, vat_point, issued_until, -1 FROM (
				SELECT v.*, v.transfers_left + CASE WHEN v.transfer_rule = 'times' THEN (SELECT count(*) FROM voucher_event n WHERE n.voucher_id = v.id AND n.event IN ('claim', 'sell'))::integer ELSE 0 END AS times FROM voucher v WHERE v.parent_id IS NULL) v) s
		WHERE (order_id, position) IN (SELECT order_id, position FROM sold GROUP BY 1, 2 HAVING bool_and(known))
		GROUP BY order_id, position, template_id, version_id, kind, items, transfer_rule, times, together, expiry_rule, vat_point, until HAVING sum(n) <> 0
		UNION ALL SELECT v.code, 'version ' || v.version_id FROM voucher v LEFT JOIN template_version r ON r.id = v.version_id AND r.template_id = v.template_id WHERE r.id IS NULL`},
	{Name: "what a line agreed on is what its package held", SQL: `
		SELECT order_id::text, position || ': ' || sum(n) || ' of type ' || template_id || ', ' || items || ' items, ' || transfer_rule || ' ' || times || CASE WHEN together THEN ' together ' ELSE ' ' END || expiry_rule || ', VAT at ' || vat_point FROM (
			SELECT a.order_id, a.position, a.template_id, a.version_id, a.kind, a.items, a.transfer_rule, a.times, a.together, a.expiry_rule, a.vat_point, a.valid_days, a.valid_until, a.n
			FROM (` + agreedParts + `) a
			UNION ALL SELECT l.order_id, l.position, r.template_id, r.version_id, r.kind, r.items, r.transfer_rule, r.times, r.together, r.expiry_rule, r.vat_point, r.valid_days, r.valid_until, -r.n
			FROM order_line l JOIN (` + partsNow + `) r ON r.package_id = l.package_id WHERE l.contents IS NOT NULL) s
		WHERE NOT EXISTS (SELECT FROM orders o JOIN order_line l ON l.order_id = o.id JOIN (` + partsNow + `) r ON r.package_id = l.package_id
			WHERE l.order_id = s.order_id AND l.position = s.position AND r.since >= o.created_at - interval '1 minute')
		GROUP BY order_id, position, template_id, version_id, kind, items, transfer_rule, times, together, expiry_rule, vat_point, valid_days, valid_until HAVING sum(n) <> 0`},
	{Name: "a line says of refunds what its package said", SQL: `
		SELECT o.number, l.position || ': ' || l.refund_rule || ' for ' || l.refund_days || ' days, less ' || l.refund_fee_basis_points FROM orders o JOIN order_line l ON l.order_id = o.id
		JOIN package p ON p.id = l.package_id
		WHERE p.updated_at < o.created_at - interval '1 minute'
			AND (l.refund_rule, l.refund_days, l.refund_fee_basis_points) <> (p.refund_rule, p.refund_days, p.refund_fee_basis_points)`},
	{Name: "an agent earns of a line by the rate that it says, of what the organisation left of its price", SQL: `
		SELECT o.number, l.position || ': ' || v.commission || ', by ' || coalesce(l.rate_kind, 'nothing') || ' ' || coalesce(l.rate_value, 0) || ' of ' || b.base || ', fee ' || v.fee || ', he paid ' || d.agent
		FROM orders o JOIN order_line l ON l.order_id = o.id LEFT JOIN recruiter_share w ON w.order_id = l.order_id AND w.position = l.position
		CROSS JOIN LATERAL (SELECT coalesce(sum(v.fee_satang), 0) AS fee, coalesce(sum(v.commission_satang), 0) AS commission FROM voucher v
			WHERE v.order_id = l.order_id AND v.line_position = l.position AND v.parent_id IS NULL) AS v
		CROSS JOIN LATERAL (SELECT coalesce(sum(d.amount_satang) FILTER (WHERE d.payer = 'organisation'), 0) AS organisation, coalesce(sum(d.amount_satang) FILTER (WHERE d.payer = 'agent'), 0) AS agent
			FROM line_discount d WHERE d.order_id = l.order_id AND d.position = l.position) AS d
		CROSS JOIN LATERAL (SELECT l.unit_satang * l.quantity - d.organisation AS base) AS b
		WHERE l.rate_kind IS NOT NULL AND o.agent_id IS NULL OR o.paid_at IS NOT NULL AND l.rate_kind IS NOT NULL
			AND v.commission - coalesce(w.recruiter_satang, 0) <> greatest(0, least(CASE l.rate_kind WHEN 'baht' THEN l.rate_value * l.quantity ELSE floor((b.base * l.rate_value * 2 + 10000) / 20000) END, b.base - v.fee) - d.agent)`},
	{Name: "a line's special rate held for its package on the day of its order", SQL: `
		SELECT o.number, l.position || ': ' || l.rate_kind || ' ' || l.rate_value || ', is ' || r.kind || ' ' || r.value || ' from ' || r.first_day || ' until ' || coalesce(r.last_day::text, 'ever')
		FROM orders o JOIN order_line l ON l.order_id = o.id JOIN commission_rate r ON r.id = l.rate_id
		WHERE (r.kind, r.value, r.status) IS DISTINCT FROM (l.rate_kind, l.rate_value, 5) OR r.package_id <> l.package_id
			OR (o.created_at AT TIME ZONE 'Asia/Bangkok')::date NOT BETWEEN r.first_day AND coalesce(r.last_day, 'infinity')`},
	{Name: "special rates of the same share no day", SQL: `
		SELECT r.id::text, r.first_day || ', and ' || s.first_day FROM commission_rate r JOIN commission_rate s ON s.agent_type_id = r.agent_type_id AND s.id > r.id
			AND s.package_id IS NOT DISTINCT FROM r.package_id AND s.tag_id IS NOT DISTINCT FROM r.tag_id
		WHERE r.status = 5 AND s.status = 5 AND s.first_day <= coalesce(r.last_day, 'infinity') AND r.first_day <= coalesce(s.last_day, 'infinity')`},
	// Who had paid for it last is who bought it on the board before that, or what it was split off from, and otherwise its order's customer.
	{Name: "a voucher is frozen, refunded or void by what happened to it, because of money of who had paid for it last", SQL: `
		SELECT coalesce(v.code, n.voucher_id::text), v.state || ' for ' || coalesce(v.frozen_for::text, 'nothing') || ': ' || coalesce(n.frozen, 0) || ' frozen for ' || coalesce(n.charge_id::text, 'nothing')
		FROM voucher v FULL JOIN (
			SELECT voucher_id, charge_id, sum(CASE event WHEN 'freeze' THEN 1 WHEN 'release' THEN -1 ELSE 0 END) AS frozen,
				min(at) FILTER (WHERE event IN ('refund', 'void') AND from_state = 'frozen' AND to_state <> 'frozen') AS over_at
			FROM voucher_event WHERE owner_freeze_id IS NULL GROUP BY 1, 2) n ON n.voucher_id = v.id
		CROSS JOIN LATERAL (SELECT v.frozen_for IS NOT NULL AND v.frozen_for IS NOT DISTINCT FROM n.charge_id AS frozen) AS is_now
		WHERE CASE WHEN n.over_at IS NULL THEN coalesce(n.frozen, 0) <> is_now.frozen::int
			ELSE is_now.frozen OR n.frozen NOT IN (0, 1) OR n.frozen = 0 AND NOT EXISTS (SELECT FROM owner_freeze z WHERE z.voucher_id = v.id AND z.ended_at = n.over_at AND z.released_by IS NULL) END
			OR v.frozen_for IS NOT NULL AND NOT EXISTS (SELECT FROM voucher_event f WHERE f.voucher_id = v.id AND f.charge_id = v.frozen_for AND f.event = 'freeze')
		UNION ALL SELECT v.code, v.state || ', ' || coalesce(n.frozen, 0) || ' frozen, ' || coalesce(n.refunded, 0) || ' refunded, ' || coalesce(n.void, 0) || ' void' FROM voucher v LEFT JOIN (
			SELECT voucher_id, sum((to_state = 'frozen')::int - (from_state = 'frozen')::int),
				count(*) FILTER (WHERE event = 'refund' AND to_state = 'refunded'), count(*) FILTER (WHERE event = 'void' AND to_state = 'void') FROM voucher_event GROUP BY 1) n (voucher_id, frozen, refunded, void) ON n.voucher_id = v.id
		WHERE (coalesce(n.frozen, 0), coalesce(n.refunded, 0), coalesce(n.void, 0)) <> ((v.state = 'frozen')::int, (v.state = 'refunded')::int, (v.state = 'void')::int)
		UNION ALL SELECT n.id::text, n.event || ' from ' || n.from_state || ' to ' || n.to_state || ', ' || n.items FROM voucher_event n JOIN voucher v ON v.id = n.voucher_id
		CROSS JOIN LATERAL (WITH RECURSIVE line (id, till) AS (SELECT n.voucher_id, n.id
				UNION ALL SELECT s.voucher_id, coalesce(b.undoes, s.id) FROM line JOIN voucher b ON b.id = line.id JOIN voucher_event s ON s.child_id = b.id)
			SELECT coalesce((SELECT e.holder_id FROM line JOIN voucher_event e ON e.voucher_id = line.id AND e.event = 'sell' AND e.id < line.till ORDER BY e.id DESC LIMIT 1),
				(SELECT customer_id FROM orders WHERE id = v.order_id)) AS customer_id) AS o
		LEFT JOIN charge c ON c.id = n.charge_id AND ` + ofOnePerson + `
		WHERE CASE WHEN n.event = 'reissue' THEN n.items <> 0 OR n.charge_id IS NOT NULL OR n.to_state <> CASE n.from_state WHEN 'in_use' THEN 'ready' ELSE n.from_state END
				OR n.from_state NOT IN ('ready', 'in_use', 'on_sale', 'in_transfer', 'frozen')
			WHEN n.event = 'expire' THEN n.charge_id IS NOT NULL OR n.from_state NOT IN ('ready', 'in_use') OR n.to_state <> 'expired'
			WHEN n.event = 'extend' THEN n.items <> 0 OR n.charge_id IS NOT NULL OR n.to_state <> CASE n.from_state WHEN 'expired' THEN 'ready' ELSE n.from_state END
				OR n.from_state NOT IN ('ready', 'in_use', 'on_sale', 'in_transfer', 'frozen', 'expired')
			WHEN n.event = 'undo' THEN n.from_state <> n.to_state OR n.items = 0 OR n.charge_id IS NOT NULL WHEN n.gift_id IS NOT NULL OR n.offer_id IS NOT NULL THEN n.from_state || ' ' || n.to_state <> CASE n.event WHEN 'give' THEN 'ready in_transfer' WHEN 'offer' THEN 'ready on_sale'
				WHEN 'split' THEN 'ready ready' WHEN 'sell' THEN 'on_sale ready' WHEN 'withdraw' THEN 'on_sale ready' ELSE 'in_transfer ready' END
				OR (n.items > 0) <> (n.event IN ('give', 'offer', 'split')) OR n.charge_id IS NOT NULL
			ELSE n.owner_void_id IS NULL AND (c.id IS NULL) <> (n.owner_freeze_id IS NOT NULL OR n.refund_id IS NOT NULL) OR n.event = 'void' AND n.owner_void_id IS NULL AND c.dispute <> 'lost' OR CASE n.event
			WHEN 'freeze' THEN n.from_state NOT IN ('ready', 'in_use', 'on_sale', 'in_transfer', 'frozen') OR n.to_state <> 'frozen' OR n.items <> 0
			WHEN 'release' THEN n.from_state <> 'frozen' OR n.to_state NOT IN ('ready', 'frozen') OR n.items <> 0
			ELSE n.from_state NOT IN ('ready', 'in_use', 'on_sale', 'in_transfer', 'frozen') OR n.items = 0
				OR n.to_state <> CASE n.event WHEN 'refund' THEN 'refunded' ELSE 'void' END AND n.to_state <> CASE WHEN n.from_state IN ('in_use', 'in_transfer', 'on_sale') THEN 'ready' ELSE n.from_state END END END`},
	{Name: "the organisation's freezes are what happened to their vouchers, and each day that they began and each that it gave is added, none of them twice", SQL: `
		SELECT coalesce(v.code, z.voucher_id::text), coalesce(z.id::text, 'no freeze') || ', and ' || coalesce(v.owner_freeze_id::text, 'none') FROM voucher v
		FULL JOIN (SELECT id, voucher_id FROM owner_freeze WHERE ended_at IS NULL) z ON z.voucher_id = v.id WHERE z.id IS DISTINCT FROM v.owner_freeze_id
		UNION ALL SELECT z.id::text, z.days || ' days, ' || coalesce(n.frozen, 0) || ' frozen, ' || coalesce(n.released, 0) || ' released' FROM owner_freeze z
		LEFT JOIN (SELECT owner_freeze_id, min(voucher_id::text) AS first, max(voucher_id::text) AS last, count(*) FILTER (WHERE event = 'freeze') AS frozen, count(*) FILTER (WHERE event = 'release') AS released,
				min(at) FILTER (WHERE event = 'freeze') AS frozen_at, min(at) FILTER (WHERE event = 'release') AS released_at, min(id::text) FILTER (WHERE event = 'release') AS release
			FROM voucher_event WHERE owner_freeze_id IS NOT NULL GROUP BY 1) n ON n.owner_freeze_id = z.id
		WHERE (n.first, n.last, n.frozen, n.released, n.frozen_at) IS DISTINCT FROM (z.voucher_id::text, z.voucher_id::text, 1::bigint, (z.released_by IS NOT NULL)::int::bigint, z.frozen_at)
			OR z.released_by IS NOT NULL AND n.released_at <> z.ended_at
			OR z.ended_at IS NOT NULL AND z.released_by IS NULL AND NOT EXISTS (SELECT FROM voucher_event e WHERE e.voucher_id = z.voucher_id AND e.at = z.ended_at AND e.to_state IN ('refunded', 'void'))
			OR z.days <> CASE WHEN z.released_by IS NULL THEN 0 ELSE ceil(extract(epoch FROM z.ended_at - z.frozen_at) / 86400) - (
				WITH RECURSIVE up (id, parent_id, child) AS (SELECT v.id, v.parent_id, NULL::uuid FROM voucher v WHERE v.id = z.voucher_id UNION ALL SELECT p.id, p.parent_id, up.id FROM up JOIN voucher p ON p.id = up.parent_id)
				SELECT count(*) FROM up JOIN returned_day g ON g.voucher_id = up.id JOIN voucher_event x ON x.extension_id = g.extension_id
				WHERE x.id < coalesce((SELECT s.id FROM voucher_event s WHERE s.child_id = up.child), n.release::uuid)
					AND g.day - (z.frozen_at AT TIME ZONE 'Asia/Bangkok')::date BETWEEN 0 AND ceil(extract(epoch FROM z.ended_at - z.frozen_at) / 86400) - 1) END
		UNION ALL SELECT v.code, v.added_days || ' <> ' || ` + addedToVoucher + ` FROM voucher v WHERE (v.parent_id IS NULL OR v.undoes IS NOT NULL) AND v.added_days <> ` + addedToVoucher},
	{Name: "a run of care did to each of its vouchers what it says, or could not", SQL: `
		SELECT r.id::text, r.task || ' of ' || i.voucher_id || ' at ' || coalesce(i.done_at::text, 'no time') || ', ' || r.state FROM care_run r JOIN care_item i ON i.run_id = r.id
		LEFT JOIN extension x ON r.task IN ('extend', 'return_days') AND x.id = i.made_id LEFT JOIN owner_void w ON r.task = 'void' AND w.id = i.made_id
		LEFT JOIN owner_freeze z ON r.task IN ('freeze', 'release') AND z.id = i.made_id
		WHERE r.state = 'done' AND i.done_at IS NULL OR i.done_at < r.started_at OR i.made_id IS NOT NULL AND CASE r.task
			WHEN 'extend' THEN (x.voucher_id, x.made_by, x.made_at, x.reason, x.closure_id) IS DISTINCT FROM (i.voucher_id, r.started_by, i.done_at, r.reason, NULL::uuid)
			WHEN 'return_days' THEN (x.voucher_id, x.made_by, x.made_at, x.reason, x.closure_id) IS DISTINCT FROM (i.voucher_id, r.started_by, i.done_at, r.reason, r.closure_id)
			WHEN 'void' THEN (w.voucher_id, w.made_by, w.made_at, w.reason) IS DISTINCT FROM (i.voucher_id, r.started_by, i.done_at, r.reason)
			WHEN 'freeze' THEN (z.voucher_id, z.frozen_by, z.frozen_at, z.reason) IS DISTINCT FROM (i.voucher_id, r.started_by, i.done_at, r.reason)
			ELSE (z.voucher_id, z.released_by, z.ended_at) IS DISTINCT FROM (i.voucher_id, r.started_by, i.done_at) END
		UNION ALL SELECT r.id::text, 'of nothing' FROM care_run r WHERE NOT EXISTS (SELECT FROM care_item i WHERE i.run_id = r.id)`},
	{Name: "a voucher was given back as many days as its service points were closed on, none of them twice, by a run of care", SQL: `
		SELECT v.code, x.days || ' days of ' || coalesce(x.closure_id::text, 'no closure') || ', and ' || coalesce(g.n, 0) FROM extension x JOIN voucher v ON v.id = x.voucher_id
		LEFT JOIN (SELECT extension_id, count(*) FROM returned_day GROUP BY 1) g (extension_id, n) ON g.extension_id = x.id
		WHERE CASE WHEN x.closure_id IS NULL THEN 0 ELSE x.days END <> coalesce(g.n, 0)
			OR x.closure_id IS NOT NULL AND NOT EXISTS (SELECT FROM care_item i WHERE i.made_id = x.id)
		UNION ALL SELECT v.code, g.day || ' of ' || c.first_day || ' to ' || c.last_day FROM returned_day g JOIN extension x ON x.id = g.extension_id JOIN closure c ON c.id = x.closure_id JOIN voucher v ON v.id = g.voucher_id
		WHERE g.voucher_id <> x.voucher_id OR g.day >= v.valid_until OR g.day < (v.issued_at AT TIME ZONE 'Asia/Bangkok')::date
			OR NOT EXISTS (SELECT FROM care_item i JOIN care_run r ON r.id = i.run_id WHERE i.made_id = x.id AND r.closure_id = x.closure_id AND g.day BETWEEN r.first_day AND r.last_day)
		UNION ALL SELECT v.code, g.day || ' was given back to what it was made of' FROM returned_day g JOIN voucher v ON v.id = g.voucher_id JOIN returned_day o ON o.day = g.day AND o.voucher_id <> g.voucher_id
			JOIN voucher_event n ON n.extension_id = o.extension_id
		WHERE EXISTS (WITH RECURSIVE up (id, parent_id, child) AS (SELECT v.id, v.parent_id, NULL::uuid UNION ALL SELECT p.id, p.parent_id, up.id FROM up JOIN voucher p ON p.id = up.parent_id)
			SELECT FROM up JOIN voucher_event s ON s.child_id = up.child WHERE up.id = o.voucher_id AND n.id < s.id)`},
	{Name: "a run that a second person approved began then, as it was asked for", SQL: `
		SELECT coalesce(r.id, a.id)::text, coalesce(r.task || ' since ' || r.started_at, 'no run') || ', ' || coalesce(i.n, 0) || ' vouchers' FROM (SELECT id, task, valid_until, closure_id, first_day, last_day, reason, started_at, started_by, approval_id FROM care_run WHERE approval_id IS NOT NULL) r
		FULL JOIN (SELECT id, made_id, asked_by, answered_at, input FROM approval WHERE kind = 'extend' AND state = 'approved') a ON a.id = r.approval_id
		LEFT JOIN (SELECT run_id, count(*) FROM care_item GROUP BY 1) i (run_id, n) ON i.run_id = r.id
		WHERE (r.id, r.started_by, r.started_at, r.valid_until::text, r.closure_id::text, r.first_day::text, r.last_day::text, r.reason, i.n)
				IS DISTINCT FROM (a.made_id, a.asked_by, a.answered_at, a.input ->> 'valid_until', a.input ->> 'closure_id', a.input ->> 'first_day', a.input ->> 'last_day', a.input ->> 'reason', jsonb_array_length(a.input -> 'vouchers'))
			OR EXISTS (SELECT FROM care_item c WHERE c.run_id = r.id AND NOT a.input -> 'vouchers' @> to_jsonb(c.voucher_id::text))`},
	{Name: "each extension is what happened to its voucher then", SQL: `
		SELECT coalesce(x.id, n.extension_id)::text, coalesce(x.days::text, 'no') || ' days of ' || coalesce(x.voucher_id, n.voucher_id) FROM extension x
		FULL JOIN (SELECT voucher_id, at, extension_id FROM voucher_event WHERE extension_id IS NOT NULL) n ON n.extension_id = x.id WHERE (n.voucher_id, n.at) IS DISTINCT FROM (x.voucher_id, x.made_at)`},
	{Name: "each new code that the organisation gave is what happened to its voucher, and took another one's place", SQL: `
		SELECT coalesce(w.id, n.reissue_id)::text, coalesce(w.old_code, 'no code') || ' of ' || coalesce(v.code, 'nothing') FROM reissue w
		FULL JOIN (SELECT voucher_id, at, reissue_id FROM voucher_event WHERE reissue_id IS NOT NULL) n ON n.reissue_id = w.id LEFT JOIN voucher v ON v.id = w.voucher_id
		WHERE (n.voucher_id, n.at) IS DISTINCT FROM (w.voucher_id, w.made_at) OR v.code = w.old_code`},
	// What came along for nothing goes with the voucher that was paid for.
	{Name: "the organisation's voids ended a voucher each, and moved what was paid for the rest of it to its holder or to what it stood for", SQL: `
		SELECT coalesce(w.id, n.owner_void_id)::text, coalesce(w.voucher_id::text, 'no void') || ', ' || coalesce(n.voucher_id::text, 'nothing') || ' ended, ' || left_of.paid || ' by ' || coalesce(n.refund_id::text, n.charge_id::text, 'nothing')
		FROM owner_void w FULL JOIN (SELECT id, voucher_id, event, to_state, holder_id, charge_id, refund_id, owner_void_id, at FROM voucher_event WHERE owner_void_id IS NOT NULL) n ON n.owner_void_id = w.id LEFT JOIN voucher v ON v.id = coalesce(n.voucher_id, w.voucher_id)
		LEFT JOIN (` + leftOfVouchers + `) left_of ON left_of.id = v.id LEFT JOIN refund f ON f.id = w.refund_id LEFT JOIN voucher of_void ON of_void.id = w.voucher_id
		WHERE w.id IS NULL OR n.id IS NULL OR n.event <> 'void' OR n.to_state <> 'void' OR (n.refund_id, v.order_id) IS DISTINCT FROM (w.refund_id, of_void.order_id) OR CASE WHEN n.voucher_id = w.voucher_id
			THEN n.at <> w.made_at OR (n.refund_id IS NULL) IS DISTINCT FROM (n.charge_id IS NOT NULL OR left_of.paid = 0)
				OR f.id IS NOT NULL AND (f.made_by, f.made_at, f.customer_id, f.amount_satang) <> (w.made_by, w.made_at, n.holder_id, left_of.paid)
			ELSE left_of.paid > 0 OR left_of.share > 0 OR NOT EXISTS (SELECT FROM voucher_event m WHERE m.owner_void_id = w.id AND m.voucher_id = w.voucher_id) END`},
	{Name: "what only the platform paid for of a voucher went back to it when the organisation ended that, once", SQL: `
		SELECT coalesce(n.voucher_id, t.cause_id)::text, coalesce(n.discount, 0) || ' <> ' || coalesce(t.sum, 0) FROM (
			SELECT n.id, n.voucher_id, left_of.discount FROM owner_void w JOIN voucher_event n ON n.owner_void_id = w.id AND n.voucher_id = w.voucher_id
			JOIN (` + leftOfVouchers + `) left_of ON left_of.id = n.voucher_id WHERE left_of.paid = 0) n
		FULL JOIN (SELECT t.cause_id, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id WHERE t.kind = 'void' GROUP BY 1) t (cause_id, sum) ON t.cause_id = n.id
		WHERE coalesce(n.discount, 0) <> coalesce(t.sum, 0)`},
	// A transaction that waited for another's locks writes when it began. So a use may have been stopped a little before it was asked for.
	{Name: "a use is of somebody who has held it, has ten minutes, and was scanned by who confirmed it", SQL: `
		SELECT u.id::text, u.state || ' by ' || u.customer_id || ' of ' || v.holder_id || ', ' || u.opened_at || ' to ' || coalesce(u.closed_at, u.expires_at) FROM use_session u
		JOIN voucher v ON v.id = u.voucher_id LEFT JOIN redemption r ON r.use_session_id = u.id
		JOIN orders o ON o.id = v.order_id
		WHERE u.state = 'open' AND u.customer_id <> v.holder_id OR u.customer_id <> o.customer_id AND NOT EXISTS (
				SELECT FROM voucher_event n WHERE (n.voucher_id = v.id AND n.event IN ('claim', 'sell') OR n.child_id = v.id) AND n.holder_id = u.customer_id)
			OR u.expires_at <> u.opened_at + interval '10 minutes' OR (u.closed_at IS NULL) <> (u.state = 'open') OR u.closed_at < u.opened_at - interval '1 minute'
			OR r.at <> u.closed_at OR r.id IS NOT NULL AND u.typed_name IS NOT NULL AND NOT EXISTS (
				SELECT FROM use_scan s WHERE s.use_session_id = u.id AND s.staff_id = r.staff_id AND s.cancelled_at IS NULL AND s.at BETWEEN u.opened_at AND r.at)`},
	// As wallets' balances: uses of one voucher may have been written in another order than their ids say.
	{Name: "what each use left is what the next one found", SQL: `
		SELECT voucher_id::text, items || ' items, ' || sum(n) FROM (
			SELECT voucher_id, items_left AS items, 1 AS n FROM redemption UNION ALL SELECT voucher_id, items_left + items, -1 FROM redemption
			UNION ALL SELECT id, items_total, 1 FROM voucher UNION ALL SELECT id, items_left, -1 FROM voucher) s
		WHERE NOT EXISTS (SELECT FROM voucher_event n WHERE n.voucher_id = s.voucher_id AND n.event IN ('refund', 'void', 'split') AND n.to_state NOT IN ('refunded', 'void'))
		GROUP BY voucher_id, items HAVING sum(n) <> 0`},
	{Name: "what expired went where its voucher's rule says", SQL: `
		SELECT v.code, v.expiry_rule || ', to ' || k.kind || ' ' || k.sum FROM voucher v JOIN (` + leftOfVouchers + `) left_of ON left_of.id = v.id JOIN (
			SELECT n.voucher_id, c.kind, sum(e.amount_satang) FROM voucher_event n JOIN transfer t ON t.cause_id = n.id JOIN entry e ON e.transfer_id = t.id JOIN account c ON c.id = e.credit_id
			WHERE t.kind = 'expiry' GROUP BY 1, 2) k (voucher_id, kind, sum) ON k.voucher_id = v.id
		WHERE CASE k.kind WHEN 'wallet' THEN v.expiry_rule <> 'wallet' OR k.sum <> left_of.share - left_of.discount
			WHEN 'platform_fee' THEN v.expiry_rule <> 'wallet' OR k.sum <> left_of.discount ELSE v.expiry_rule = 'wallet' END`},
	{Name: "a line is returned when its last voucher was taken back", SQL: `
		SELECT o.number, l.position || ' at ' || l.returned_at FROM order_line l JOIN orders o ON o.id = l.order_id
		WHERE l.returned_at IS NOT NULL AND l.package_id IS NOT NULL AND NOT EXISTS (SELECT FROM voucher v JOIN voucher_event n ON n.voucher_id = v.id AND n.event IN ('refund', 'void')
			WHERE v.order_id = l.order_id AND v.line_position = l.position AND n.at = l.returned_at)`},
	// What the test keys paid for is void, and what was applied for with it stays.
	{Name: "a card's order is of who applied for that card then, at its price", SQL: `
		SELECT o.number, coalesce(a.id::text, 'no application') || ' of ' || coalesce(a.customer_id::text, 'nobody') || ', ' || l.amount_satang || ' of ' || coalesce(v.price_satang, 0) FROM order_line l JOIN orders o ON o.id = l.order_id
		LEFT JOIN card_order r ON r.order_id = o.id LEFT JOIN application a ON a.id = r.application_id LEFT JOIN card_type_version v ON v.id = l.card_version_id
		WHERE l.card_version_id IS NOT NULL AND ((a.customer_id, a.version_id, a.sent_at) IS DISTINCT FROM (o.customer_id, l.card_version_id, o.created_at)
			OR (v.price_satang, o.total_satang, o.commission_satang) <> (l.amount_satang, l.amount_satang, 0) OR l.amount_satang = 0)
		UNION ALL SELECT r.order_id::text, 'is of no card' FROM card_order r WHERE NOT EXISTS (SELECT FROM order_line l WHERE l.order_id = r.order_id AND l.card_version_id IS NOT NULL)`},
	{Name: "what was paid for a card is earned since its term began, came back with what was not granted, and waits otherwise", SQL: `
		SELECT o.number, a.state || ', its term ' || coalesce(t.state, 'none') || ', begun ' || coalesce(r.begun_at::text, 'never') || ', returned ' || coalesce(r.returned_at::text, 'never') FROM card_order r
		JOIN orders o ON o.id = r.order_id JOIN application a ON a.id = r.application_id LEFT JOIN membership_term t ON t.application_id = a.id
		WHERE (r.begun_at IS NOT NULL) <> coalesce(t.state IN ('running', 'over', 'replaced'), false) OR (r.returned_at IS NOT NULL) <> (a.state IN ('refused', 'taken_back'))
			OR (a.state = 'granted') <> coalesce(t.state <> 'taken_back', false)
			OR r.returned_at IS DISTINCT FROM CASE WHEN t.id IS NULL AND a.state IN ('refused', 'taken_back') THEN a.decided_at ELSE r.returned_at END
			OR (SELECT l.returned_at FROM order_line l WHERE l.order_id = o.id) IS DISTINCT FROM r.returned_at
			OR o.state <> CASE WHEN r.returned_at IS NOT NULL OR r.credited_satang = o.total_satang THEN 'refunded' WHEN r.credited_at IS NOT NULL THEN 'part_refunded' ELSE 'paid' END
		UNION ALL SELECT o.number, k.kind || ' moved ' || coalesce(m.sum, 0) || ', not ' || k.sum FROM card_order r JOIN orders o ON o.id = r.order_id
		CROSS JOIN LATERAL (SELECT 'card_begun' AS kind, CASE WHEN r.begun_at IS NULL THEN 0 ELSE o.total_satang - o.platform_fee_satang END AS sum
			UNION ALL SELECT 'card_returned', CASE WHEN r.returned_at IS NULL THEN 0 ELSE o.total_satang END UNION ALL SELECT 'card_credited', coalesce(r.credited_satang, 0)) k
		LEFT JOIN (SELECT t.kind, t.cause_id, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id GROUP BY 1, 2) m (kind, cause_id, sum) ON m.kind = k.kind AND m.cause_id = r.order_id
		WHERE coalesce(m.sum, 0) <> k.sum
		UNION ALL SELECT t.id::text, t.kind || ' of no card' FROM transfer t WHERE t.kind IN ('card_begun', 'card_returned', 'card_credited') AND NOT EXISTS (SELECT FROM card_order r WHERE r.order_id = t.cause_id)`},
	{Name: "what came back of a card that another one replaced is its price less the days that were had, and of one that its member regretted all of it", SQL: `
		SELECT o.number, coalesce(r.credited_satang::text, 'nothing') || ' at ' || coalesce(r.credited_at::text, 'no time') || ' of ' || t.starts_on || ' to ' || coalesce(t.ends_on::text, 'ever') FROM card_order r
		JOIN orders o ON o.id = r.order_id JOIN membership_term t ON t.application_id = r.application_id JOIN card_type_version v ON v.id = t.version_id
		CROSS JOIN LATERAL (SELECT t.ends_on - t.starts_on + 1 AS days, (r.credited_at AT TIME ZONE 'Asia/Bangkok')::date - t.starts_on AS had) AS d
		WHERE CASE WHEN t.state = 'replaced' AND t.ends_on IS NOT NULL
			THEN r.credited_at IS NULL OR r.credited_satang IS DISTINCT FROM o.total_satang - (o.total_satang - o.platform_fee_satang) * d.had / d.days - o.platform_fee_satang * d.had / d.days
			ELSE r.credited_at IS NOT NULL AND (t.state <> 'over' OR v.class = 'ordinary' OR r.credited_satang <> o.total_satang
				OR (r.credited_at AT TIME ZONE 'Asia/Bangkok')::date > (o.paid_at AT TIME ZONE 'Asia/Bangkok')::date + 7) END`},
	{Name: "who is remembered as a former customer was erased", SQL: `
		SELECT f.customer_id::text, coalesce(u.erased_at::text, 'is there') FROM former_customer f JOIN customer u ON u.id = f.customer_id
		WHERE u.erased_at IS NULL OR f.forget_at NOT BETWEEN u.erased_at + interval '23 months' AND u.erased_at + interval '25 months' OR f.successor_id = f.customer_id`},
}

// Audit checks everything that must hold in one organisation: the ledger, and what it pays for. No finding means that
// the books balance.
func Audit(ctx context.Context, d *db.DB, org uuid.UUID) (findings []ledger.Finding, err error) {
	err = d.InOrg(ctx, org, func(tx db.Tx) error {
		findings, err = AuditTx(ctx, tx)
		return err
	})
	return findings, err
}

// KeepAudit is Audit, of which the books keep what it found: while that is something, payout.Approvals are refused.
func KeepAudit(ctx context.Context, d *db.DB, org uuid.UUID) (findings []ledger.Finding, err error) {
	err = d.InOrg(ctx, org, func(tx db.Tx) error {
		if findings, err = AuditTx(ctx, tx); err != nil {
			return err
		}
		return ledger.KeepAudit(ctx, tx, findings)
	})
	return findings, err
}

// LogAudit is KeepAudit, which logs each rule that is broken: somebody has to look. A worker calls it for each organisation.
func LogAudit(ctx context.Context, d *db.DB, org uuid.UUID) error {
	findings, err := KeepAudit(ctx, d, org)
	for i, f := range findings {
		if i == 0 || findings[i-1].Rule != f.Rule {
			log.From(ctx).Error("the books do not balance", zap.Stringer("org_id", org), zap.String("rule", f.Rule))
		}
	}
	return err
}

// AuditTx is Audit inside a transaction.
func AuditTx(ctx context.Context, tx db.Tx) ([]ledger.Finding, error) {
	return ledger.Audit(ctx, tx, slices.Concat(charge.Rules, commission.Rules, points.Rules, payout.Rules, hold.Rules, withholding.Rules, settlement.Rules, wallet.Rules, rules)...)
}
