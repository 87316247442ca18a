package charge

import (
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
)

// Rules are the audit's rules of charges, beside the ledger's own.
var Rules = []ledger.Rule{
	{Name: "every captured charge moved its money once, and no other money came in", SQL: `
		SELECT coalesce(c.id, t.cause_id)::text, coalesce(c.state || ' ' || c.captured_satang, 'no charge') || ' <> ' || coalesce(t.sum, 0)
		FROM charge c FULL JOIN (
			SELECT t.cause_id, t.kind, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id
			JOIN account a ON a.id = e.debit_id AND a.kind IN ('gateway', 'gateway_platform', 'gateway_own', 'gateway_platform_test', 'gateway_own_test')
			WHERE t.kind NOT IN ('chargeback', 'remittance') GROUP BY 1, 2) t (cause_id, kind, sum)
			ON t.cause_id = c.id AND (t.kind = 'topup') = c.credited
		WHERE coalesce(c.captured_satang, 0) <> coalesce(t.sum, 0)`},
	{Name: "what the gateway took, sent back or held back moved its money once", SQL: `
		SELECT coalesce(m.id, t.cause_id)::text, coalesce(m.kind || ' ' || m.amount_satang, 'no movement') || ' <> ' || coalesce(t.sum, 0)
		FROM (SELECT id, kind, amount_satang FROM charge_event WHERE kind IN ('fee', 'refund', 'dispute', 'dispute_won')) m FULL JOIN (
			SELECT t.cause_id, t.kind, sum(CASE WHEN a.kind IN ('gateway', 'gateway_platform', 'gateway_own', 'gateway_platform_test', 'gateway_own_test') THEN -e.amount_satang ELSE e.amount_satang END)
			FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN account a ON a.id = e.debit_id
			WHERE t.kind IN ('chargeback', 'gateway_fee') GROUP BY 1, 2) t (cause_id, kind, sum)
			ON t.cause_id = m.id AND t.kind = CASE m.kind WHEN 'fee' THEN 'gateway_fee' ELSE 'chargeback' END
		WHERE coalesce(CASE m.kind WHEN 'dispute_won' THEN -m.amount_satang ELSE m.amount_satang END, 0) <> coalesce(t.sum, 0)`},
	{Name: "a charge's money is only on the account of who holds it", SQL: `
		SELECT c.id::text, c.gateway || ' <> ' || a.kind FROM charge c JOIN (
			SELECT id AS charge_id, id AS cause_id FROM charge UNION ALL SELECT charge_id, id FROM charge_event UNION ALL SELECT charge_id, id FROM remittance) m ON m.charge_id = c.id
		JOIN transfer t ON t.cause_id = m.cause_id AND t.kind IN ('topup', 'purchase', 'resale', 'chargeback', 'remittance') JOIN entry e ON e.transfer_id = t.id
		JOIN account a ON a.id IN (e.debit_id, e.credit_id) AND a.kind IN ('gateway', 'gateway_platform', 'gateway_own', 'gateway_platform_test', 'gateway_own_test')
		WHERE a.kind <> c.gateway`},
	{Name: "a charge is as far as its movements", SQL: `
		SELECT c.id::text, c.state || ' fee ' || c.fee_satang || ', back ' || c.refunded_satang || ', disputed ' || c.disputed_satang || ' ' || c.dispute FROM charge c
		LEFT JOIN (SELECT charge_id, sum(amount_satang) FILTER (WHERE kind = 'fee'), sum(amount_satang) FILTER (WHERE kind = 'refund'),
			sum(CASE kind WHEN 'dispute_won' THEN -amount_satang ELSE amount_satang END) FILTER (WHERE kind IN ('dispute', 'dispute_won')),
			bool_or(kind = 'dispute'), bool_or(kind = 'dispute_won')
			FROM charge_event GROUP BY 1) m (charge_id, fee, refunded, disputed, opened, won) ON m.charge_id = c.id
		WHERE c.fee_satang <> coalesce(m.fee, 0) OR c.disputed_satang <> coalesce(m.disputed, 0)
			OR c.refunded_satang - CASE c.state WHEN 'captured' THEN c.amount_satang - c.captured_satang ELSE 0 END <> coalesce(m.refunded, 0)
			OR m.opened AND c.dispute = '' OR m.won AND c.dispute <> 'won' OR c.dispute = 'won' AND c.disputed_satang > 0
			OR c.state <> 'captured' AND (m.charge_id IS NOT NULL OR c.dispute <> '')`},
	{Name: "what goes to a card or a bank account is of a refund, or of a wallet, once, and is on its way, there, or in the wallet", SQL: `
		SELECT coalesce(m.id, t.cause_id)::text, coalesce(m.state || ' ' || m.amount_satang, 'no remittance') || ' of ' || coalesce(f.amount_satang, k.amount_satang, 0) || ', moved ' || coalesce(t.out, 0) || ' and ' || coalesce(t.back, 0)
		FROM remittance m FULL JOIN (SELECT t.cause_id, sum(e.amount_satang) FILTER (WHERE t.kind = 'remittance') AS out, sum(e.amount_satang) FILTER (WHERE t.kind = 'remittance_failed') AS back
			FROM transfer t JOIN entry e ON e.transfer_id = t.id WHERE t.kind IN ('remittance', 'remittance_failed') GROUP BY 1) t ON t.cause_id = m.id
		LEFT JOIN refund f ON f.id = m.refund_id LEFT JOIN cashout k ON k.id = m.cashout_id LEFT JOIN charge c ON c.id = m.charge_id
		WHERE m.id IS NULL OR (coalesce(t.out, 0), coalesce(t.back, 0)) <> (CASE WHEN m.state = 'done' OR m.done_at IS NOT NULL THEN m.amount_satang ELSE 0 END, CASE m.state WHEN 'failed' THEN m.amount_satang ELSE 0 END)
			OR m.cashout_id IS NULL AND (m.amount_satang, m.customer_id, m.charge_id, m.made_at) IS DISTINCT FROM (f.amount_satang, f.customer_id, f.order_id, f.made_at)
			OR m.cashout_id IS NOT NULL AND (m.customer_id, m.made_at, coalesce(m.account_id, k.account_id)) IS DISTINCT FROM (k.customer_id, k.answered_at, k.account_id)
			OR (c.method = 'card') <> (m.account_id IS NULL) OR c.credited <> (m.cashout_id IS NOT NULL)
			OR c.customer_id <> m.customer_id AND (m.cashout_id IS NULL OR NOT EXISTS (SELECT FROM customer u JOIN customer n ON n.id = m.customer_id WHERE u.id = c.customer_id AND ` + customer.MaySucceed + `))
		UNION ALL SELECT c.id::text, c.sent_satang || ' sent, remittances ' || coalesce(m.done, 0) || ' of ' || coalesce(m.sum, 0) FROM charge c
		LEFT JOIN (SELECT charge_id, sum(amount_satang) FILTER (WHERE state = 'done' AND account_id IS NULL) AS done, sum(amount_satang) AS sum FROM remittance WHERE state <> 'failed' GROUP BY 1) m ON m.charge_id = c.id
		WHERE c.sent_satang <> coalesce(m.done, 0) OR coalesce(m.sum, 0) > c.captured_satang
		UNION ALL SELECT 'bank_clearing', b.sum || ' in the books, ' || m.sum || ' on their way' FROM
			(SELECT coalesce((SELECT sum(amount_satang) FROM remittance WHERE state IN ('approved', 'sent')), 0) + coalesce((SELECT sum(net_satang) FROM payout WHERE payee_id IS NOT NULL AND state IN ('booked', 'sent')), 0)
				+ coalesce((SELECT sum(amount_satang) FROM settlement WHERE state = 'booked'), 0)) m (sum),
			(SELECT coalesce(sum(CASE a.id WHEN e.credit_id THEN e.amount_satang ELSE -e.amount_satang END), 0) FROM account a JOIN entry e ON a.id IN (e.credit_id, e.debit_id) WHERE a.kind = 'bank_clearing') b (sum)
		WHERE b.sum <> m.sum`},
	{Name: "what was approved to be paid out of a wallet left it once, and all of it goes back to what filled it", SQL: `
		SELECT coalesce(k.id, t.cause_id)::text, coalesce(k.state || ' ' || k.amount_satang, 'not asked for') || ', moved ' || coalesce(t.sum, 0) || ', in parts ' || coalesce(m.sum, 0)
		FROM cashout k FULL JOIN (SELECT t.cause_id, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id WHERE t.kind = 'cashout' GROUP BY 1) t (cause_id, sum) ON t.cause_id = k.id
		LEFT JOIN (SELECT cashout_id, sum(amount_satang) FROM remittance GROUP BY 1) m (cashout_id, sum) ON m.cashout_id = k.id LEFT JOIN approval a ON a.id = k.approval_id
		WHERE k.id IS NULL OR (coalesce(t.sum, 0), coalesce(m.sum, 0)) <> (CASE k.state WHEN 'approved' THEN k.amount_satang ELSE 0 END, CASE k.state WHEN 'approved' THEN k.amount_satang ELSE 0 END)
			OR k.approval_id IS NOT NULL AND (a.kind, a.state, a.record_id, a.answered_at, a.asked_by, a.amount_satang) IS DISTINCT FROM ('cashout', 'approved', k.id, k.answered_at, k.answered_by, k.amount_satang)
		UNION ALL SELECT k.id::text, 'to an account of another' FROM cashout k JOIN bank_account b ON b.id = k.account_id WHERE b.customer_id <> k.customer_id`},
	{Name: "a bank transfer goes to an account of its payer's, is paid by the organisation, and ended by two people once it was said to be made, or by a run of payouts", SQL: `
		SELECT m.id::text, m.state || ' to ' || b.customer_id || ', by ' || coalesce(a.kind || ' ' || a.state || ' ' || (a.input ->> 'outcome'), 'nobody') FROM remittance m JOIN bank_account b ON b.id = m.account_id
		LEFT JOIN refund f ON f.id = m.refund_id LEFT JOIN refund_request q ON q.id = f.request_id LEFT JOIN approval a ON a.id = m.approval_id
		WHERE b.customer_id <> m.customer_id OR f.request_id IS NOT NULL AND q.account_id IS DISTINCT FROM m.account_id
			OR m.approval_id IS NOT NULL AND (a.kind, a.state, a.record_id, a.answered_at, a.input ->> 'outcome') IS DISTINCT FROM ('bank_transfer', 'approved', m.id, m.ended_at, m.state)
			OR m.approval_id IS NULL AND m.sent_at IS NOT NULL AND m.ended_at IS NOT NULL AND NOT EXISTS (SELECT FROM payout p WHERE p.remittance_id = m.id AND p.state IN ('paid', 'failed', 'returned'))
			OR m.approval_id IS NOT NULL AND m.done_at IS NOT NULL AND NOT EXISTS (SELECT FROM approval d WHERE d.kind = 'bank_transfer' AND d.record_id = m.id AND d.state = 'approved' AND d.answered_at = m.done_at AND d.input ->> 'outcome' = 'done')
		UNION ALL SELECT m.id::text, 'paid by ' || string_agg(c.kind, ', ') FROM remittance m JOIN transfer t ON t.kind = 'remittance' AND t.cause_id = m.id JOIN entry e ON e.transfer_id = t.id JOIN account c ON c.id = e.credit_id
		WHERE (c.kind = 'payable') <> (m.account_id IS NOT NULL) GROUP BY 1
		UNION ALL SELECT m.id::text, 'in the wallet from ' || string_agg(c.kind, ', ') FROM remittance m JOIN transfer t ON t.kind = 'remittance_failed' AND t.cause_id = m.id JOIN entry e ON e.transfer_id = t.id JOIN account c ON c.id = e.debit_id
		WHERE (c.kind = 'payable') <> (m.done_at IS NOT NULL) GROUP BY 1`},
	{Name: "what a charge owes is what its steps changed, and each moved that", SQL: `
		SELECT c.id::text, c.owed_satang || ' owed, steps ' || coalesce(m.owed, 0) FROM charge c
		LEFT JOIN (SELECT charge_id, sum(owed_satang) FROM charge_event GROUP BY 1) m (charge_id, owed) ON m.charge_id = c.id
		WHERE c.owed_satang <> coalesce(m.owed, 0)
		UNION ALL SELECT m.id::text, m.kind || ' ' || m.amount_satang || ': ' || m.owed_satang || ' owed, wallet ' || m.wallet_satang FROM charge_event m
		WHERE CASE m.kind WHEN 'fee' THEN (m.owed_satang, m.wallet_satang) <> (0, 0)
			WHEN 'refund' THEN m.amount_satang <> m.owed_satang - m.wallet_satang WHEN 'dispute' THEN m.amount_satang <> m.owed_satang - m.wallet_satang
			WHEN 'dispute_won' THEN m.amount_satang <> m.wallet_satang - m.owed_satang + coalesce((SELECT sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id
				JOIN account a ON a.id = e.credit_id AND a.kind = 'payable' WHERE t.kind = 'chargeback' AND t.cause_id = m.id), 0)
			WHEN 'debt_paid' THEN m.amount_satang <> -m.owed_satang OR m.wallet_satang <> m.owed_satang
			ELSE m.amount_satang <> -m.owed_satang END`},
	{Name: "what was paid of a debt, borne for it or written off, moved its money once", SQL: `
		SELECT coalesce(m.id, t.cause_id)::text, coalesce(m.kind || ' ' || m.amount_satang, 'no step') || ' <> ' || coalesce(t.sum, 0)
		FROM (SELECT id, kind, amount_satang FROM charge_event WHERE kind IN ('debt_paid', 'borne', 'written_off')) m FULL JOIN (
			SELECT t.cause_id, t.kind, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id
			JOIN account d ON d.id = e.debit_id JOIN account c ON c.id = e.credit_id
			WHERE t.kind IN ('debt', 'borne', 'write_off') AND d.kind = CASE t.kind WHEN 'debt' THEN 'wallet' ELSE 'payable' END AND c.kind = 'chargeback_receivable'
			GROUP BY 1, 2) t (cause_id, kind, sum) ON t.cause_id = m.id AND t.kind = CASE m.kind WHEN 'debt_paid' THEN 'debt' WHEN 'written_off' THEN 'write_off' ELSE 'borne' END
		WHERE coalesce(m.amount_satang, 0) <> coalesce(t.sum, 0)`},
	{Name: "of what came back an organisation has no more than it bore for that charge, or wrote off", SQL: `
		SELECT m.charge_id::text, coalesce(sum(b.sum), 0)::text FROM charge_event m LEFT JOIN (
			SELECT t.cause_id, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN account a ON a.id = e.credit_id AND a.kind = 'payable'
			WHERE t.kind IN ('taken_back', 'chargeback') GROUP BY 1) b (cause_id, sum) ON b.cause_id = m.id
		GROUP BY m.charge_id HAVING coalesce(sum(b.sum), 0) > coalesce(sum(m.amount_satang) FILTER (WHERE m.kind IN ('borne', 'written_off')), 0)`},
	{Name: "a charge has ten minutes, is of its payment system's account, and says where its money went", SQL: `
		SELECT c.reference, c.state || ' ' || c.purpose || ' ' || c.gateway || ' until ' || c.expires_at FROM charge c JOIN payment_system s ON s.id = c.system_id
		WHERE c.expires_at <> CASE c.purpose WHEN 'duplicate' THEN c.created_at ELSE c.created_at + interval '10 minutes' END
			OR (c.captured_at IS NOT NULL) <> (c.state = 'captured') OR c.late AND NOT c.credited OR c.captured_at < c.created_at
			OR c.purpose = 'topup' AND c.state = 'captured' AND NOT c.credited
			OR c.purpose = 'duplicate' AND NOT (c.credited AND c.late AND c.captured_at = c.created_at)
			OR c.gateway <> 'gateway' AND (s.collector = 'organisation') <> (c.gateway IN ('gateway_own', 'gateway_own_test'))`},
	{Name: "what was written off is a step of its charge, as a second person approved it then", SQL: `
		SELECT coalesce(w.id, m.id, a.id)::text, coalesce(w.amount_satang::text, 'nothing') || ' written off, ' || coalesce(m.amount_satang::text, 'no step') || ', ' || coalesce(a.amount_satang::text, 'not approved')
		FROM write_off w FULL JOIN (SELECT id, charge_id, amount_satang, at FROM charge_event WHERE kind = 'written_off') m ON m.id = w.id
		FULL JOIN (SELECT id, made_id, record_id, amount_satang, asked_by, answered_at, input FROM approval WHERE kind = 'write_off' AND state = 'approved') a ON a.id = w.approval_id
		WHERE (w.charge_id, w.amount_satang, w.made_at) IS DISTINCT FROM (m.charge_id, m.amount_satang, m.at)
			OR (w.id, w.charge_id, w.amount_satang, w.made_by, w.made_at, w.charge_id::text, w.amount_satang::text, w.reason)
				IS DISTINCT FROM (a.made_id, a.record_id, a.amount_satang, a.asked_by, a.answered_at, a.input ->> 'id', a.input ->> 'amount_satang', a.input ->> 'reason')`},
	{Name: "each dispute is a case, open until the bank has decided, and what it decided", SQL: `
		SELECT coalesce(k.charge_id, m.charge_id)::text, coalesce(k.amount_satang || ' ' || k.outcome, 'no case') || ', ' || coalesce(m.amount_satang || ' ' || c.dispute, 'no dispute')
		FROM (SELECT charge_id, amount_satang, opened_at, closed_at, outcome FROM charge_case WHERE kind = 'dispute') k
		FULL JOIN (SELECT charge_id, amount_satang, at FROM charge_event WHERE kind = 'dispute') m ON m.charge_id = k.charge_id
		LEFT JOIN charge c ON c.id = m.charge_id LEFT JOIN charge_event w ON w.charge_id = c.id AND w.kind = 'dispute_won'
		WHERE (k.amount_satang, k.opened_at) IS DISTINCT FROM (m.amount_satang, m.at) OR w.at <> k.closed_at
			OR k.outcome <> CASE c.dispute WHEN 'open' THEN '' ELSE c.dispute END AND NOT (k.outcome = 'written_off' AND c.dispute = 'lost')`},
	{Name: "what somebody had the organisation bear is a step of that charge, when its case was closed", SQL: `
		SELECT k.id::text, k.outcome || ' at ' || coalesce(k.closed_at::text, 'no time') || ', step ' || coalesce(m.kind || ' at ' || m.at, 'none') FROM charge_case k LEFT JOIN charge_event m ON m.id = k.decision_id
		WHERE k.decision_id IS NOT NULL AND (m.charge_id, m.kind, m.amount_satang, m.at) IS DISTINCT FROM (k.charge_id, 'borne', k.amount_satang, k.closed_at)`},
	{Name: "a case has seven days or more, and what the organisation bore it bore", SQL: `
		SELECT k.id::text, k.kind || ' ' || k.outcome || ' until ' || coalesce(k.due_at::text, 'always') FROM charge_case k JOIN charge c ON c.id = k.charge_id
		WHERE k.due_at < k.opened_at + interval '168 hours' OR k.closed_at < k.opened_at
			OR k.outcome IN ('borne', 'written_off') AND NOT EXISTS (SELECT FROM charge_event m WHERE m.charge_id = k.charge_id AND m.kind = k.outcome)
			OR k.kind <> 'dispute' AND k.outcome IN ('won', 'lost') OR k.kind = 'wrong_sum' AND (k.outcome IN ('borne', 'written_off') OR k.closed_at IS NULL AND c.state = 'captured')`},
}
