package commission

// SharesOfVouchers is what each voucher that an order issued has of the order's commission k, for CROSS JOIN LATERAL: of what it was sold with, frozen, what is
// pending and what is mature at the time $1. What was made of a voucher's items since, by a gift of some or after an undone use, is the voucher's own. Of a line of
// which a recruiter has a part, each level has its part of each voucher, by running sums; he has no part of the vouchers of other lines.
//
// Mature goes to vouchers as items of them were used, pending as items are left; each is cut by running sums. So what is pending and mature of all vouchers adds
// up to that of the commission. Until a worker has posted what time made mature, uses do not explain what is mature, and both go by what was not taken back.
const SharesOfVouchers = `(
		WITH RECURSIVE issued AS (SELECT v.id, v.commission_satang AS whole, CASE k.level WHEN 2 THEN p.recruiter ELSE v.commission_satang - p.recruiter END AS part, (r.order_id IS NOT NULL)::int AS off
			FROM (SELECT v.id, v.line_position, v.commission_satang, sum(v.commission_satang) OVER (PARTITION BY v.line_position ORDER BY v.id) AS till
				FROM voucher v WHERE v.order_id = k.order_id AND v.parent_id IS NULL) v
			LEFT JOIN recruiter_share r ON r.order_id = k.order_id AND r.position = v.line_position
			CROSS JOIN LATERAL (SELECT coalesce(round(r.recruiter_satang * v.till / r.commission_satang) - round(r.recruiter_satang * (v.till - v.commission_satang) / r.commission_satang), 0) AS recruiter) p
			WHERE k.level = 1 OR r.order_id IS NOT NULL),
		made (root, id) AS (
			SELECT i.id, i.id FROM issued i
			UNION ALL SELECT m.root, v.id FROM made m JOIN voucher v ON v.parent_id = m.id),
		whole AS (SELECT m.root, sum(kept.satang) AS kept, sum(CASE WHEN k.matures = 'use' THEN coalesce(used.satang, 0) WHEN k.mature_satang = k.due_satang THEN kept.satang ELSE 0 END) AS used
			FROM made m JOIN voucher v ON v.id = m.id
			CROSS JOIN LATERAL (SELECT v.items_total - v.items_out - CASE WHEN v.state IN ('refunded', 'void') THEN v.items_left ELSE 0 END AS n) i
			CROSS JOIN LATERAL (SELECT CASE WHEN v.kind = 'baht' THEN div(v.commission_satang::numeric * i.n, v.items_total) WHEN i.n = v.items_total THEN v.commission_satang ELSE v.commission_satang / v.items_total * i.n END
				- CASE WHEN v.undoes IS NULL THEN 0 ELSE v.commission_satang END AS satang) kept
			LEFT JOIN LATERAL (SELECT sum(s.satang) AS satang FROM (` + usedSlices + ` WHERE v.id = m.id AND k.matures = 'use') s WHERE s.counts_from <= $1) used ON true
			GROUP BY m.root),
		of_level AS (SELECT i.id AS root, i.part, i.off, coalesce(round(w.kept * i.part / nullif(i.whole, 0)), 0) AS kept, coalesce(round(w.used * i.part / nullif(i.whole, 0)), 0) AS used
			FROM whole w JOIN issued i ON i.id = w.root),
		weights AS (SELECT w.root, w.part, CASE WHEN x.explained THEN w.used ELSE w.kept END AS mature, CASE WHEN x.explained THEN w.kept - w.used ELSE w.kept END AS pending
			FROM of_level w CROSS JOIN (SELECT k.mature_satang <= sum(used) + sum(off) AND k.due_satang - k.mature_satang <= sum(kept - used) + sum(off)
				AND (k.mature_satang = 0 OR sum(used) > 0) AND (k.due_satang = k.mature_satang OR sum(kept - used) > 0) AS explained FROM of_level) x),
		run AS (SELECT w.root, w.part, w.mature, w.pending, sum(w.mature) OVER so_far AS mature_till, sum(w.pending) OVER so_far AS pending_till,
				nullif(sum(w.mature) OVER (), 0) AS mature_of, nullif(sum(w.pending) OVER (), 0) AS pending_of
			FROM weights w WINDOW so_far AS (ORDER BY w.root))
		SELECT r.root AS voucher_id, v.code, v.line_position, r.part::bigint AS frozen,
			coalesce(round(k.mature_satang * r.mature_till / r.mature_of) - round(k.mature_satang * (r.mature_till - r.mature) / r.mature_of), 0)::bigint AS mature,
			coalesce(round((k.due_satang - k.mature_satang) * r.pending_till / r.pending_of) - round((k.due_satang - k.mature_satang) * (r.pending_till - r.pending) / r.pending_of), 0)::bigint AS pending
		FROM run r JOIN voucher v ON v.id = r.root)`
