package wallet

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

// Finding is one thing that is wrong with the books.
type Finding struct {
	Rule    string // the invariant, as README.md numbers and names it
	Subject string // what breaks it
	Detail  string
}

func (f Finding) String() string { return f.Rule + ": " + f.Subject + ": " + f.Detail }

// LaterSelf is whether customer n is whom the erased customer u came again as, then or later. Who somebody was is forgotten after a while.
const LaterSelf = `(u.erased_at IS NOT NULL AND (NOT EXISTS (SELECT FROM former_customer f WHERE f.customer_id = u.id)
	OR EXISTS (SELECT FROM former_customer f LEFT JOIN former_customer g ON g.customer_id = n.id WHERE f.customer_id = u.id
		AND (f.successor_id = n.id OR f.pseudonym = g.pseudonym OR g.customer_id IS NULL AND n.erased_at IS NOT NULL))))`

// Each rule's query returns a row (subject, detail) for everything that breaks it.
var rules = []struct{ name, sql string }{
	{"every wallet equals its entries", `
		SELECT w.account_id::text, 'wallet ' || w.balance_satang || ', entries ' || coalesce(s.sum, 0)
		FROM wallet w LEFT JOIN (
			SELECT id, sum(amount) AS sum FROM (
				SELECT credit_id AS id, amount_satang AS amount FROM entry
				UNION ALL SELECT debit_id, -amount_satang FROM entry) e GROUP BY id) s ON s.id = w.account_id
		WHERE w.balance_satang <> coalesce(s.sum, 0)`},
	{"no wallet is below zero", `
		SELECT account_id::text, balance_satang::text FROM wallet WHERE balance_satang < 0`},
	{"every entry belongs to accounts that exist and moves a positive amount", `
		SELECT e.id::text, e.amount_satang::text FROM entry e
		LEFT JOIN account d ON d.id = e.debit_id LEFT JOIN account c ON c.id = e.credit_id
		WHERE e.amount_satang <= 0 OR d.id IS NULL OR c.id IS NULL`},
	{"a transfer moves money only between accounts of its kind", `
		SELECT e.id::text, t.kind || ' ' || k.debit || ' ' || k.credit FROM entry e JOIN transfer t ON t.id = e.transfer_id
		JOIN account d ON d.id = e.debit_id JOIN account c ON c.id = e.credit_id
		CROSS JOIN LATERAL (SELECT CASE WHEN d.kind LIKE 'gateway%' AND d.kind <> 'gateway_fee' THEN 'gateway' ELSE d.kind END AS debit,
			CASE WHEN c.kind LIKE 'gateway%' AND c.kind <> 'gateway_fee' THEN 'gateway' ELSE c.kind END AS credit) AS k
		WHERE t.kind <> 'adjustment' AND t.kind || ' ' || k.debit || ' ' || k.credit NOT IN (
			'topup gateway wallet',
			'purchase wallet unearned', 'purchase wallet platform_fee', 'purchase wallet commission_pending',
			'purchase gateway unearned', 'purchase gateway platform_fee', 'purchase gateway commission_pending',
			'use unearned payable',
			'expiry unearned breakage', 'expiry unearned wallet', 'expiry unearned platform_fee',
			'chargeback wallet gateway', 'chargeback chargeback_receivable gateway', 'chargeback gateway wallet', 'chargeback gateway chargeback_receivable',
			'gateway_fee platform_fee gateway_fee',
			'commission_reversal commission_pending chargeback_receivable', 'commission_reversal chargeback_receivable commission_pending',
			'commission_reversal commission_payable chargeback_receivable', 'commission_reversal chargeback_receivable commission_payable',
			'commission_reversal commission_receivable chargeback_receivable', 'commission_reversal chargeback_receivable commission_receivable',
			'taken_back unearned chargeback_receivable', 'taken_back unearned platform_fee', 'taken_back platform_fee chargeback_receivable',
			'taken_back chargeback_receivable wallet', 'taken_back chargeback_receivable payable',
			'debt wallet chargeback_receivable', 'borne payable chargeback_receivable', 'former_account wallet wallet')`},
	{"money of a former account goes to whom its owner came again as, all of it, and none stays there", `
		SELECT t.id::text, 'from ' || coalesce(d.owner_id::text, 'nobody') || ' to ' || coalesce(c.owner_id::text, 'nobody') || ', ' || coalesce(e.debit_after_satang, 0) || ' left'
		FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN account d ON d.id = e.debit_id JOIN account c ON c.id = e.credit_id
		LEFT JOIN customer u ON u.id = d.owner_id LEFT JOIN customer n ON n.id = c.owner_id
		WHERE t.kind = 'former_account' AND (u.id IS NULL OR n.id IS NULL OR e.debit_after_satang IS DISTINCT FROM 0 OR n.created_at < u.erased_at
			OR NOT ` + LaterSelf + `
			OR NOT EXISTS (SELECT FROM transfer b JOIN entry x ON x.transfer_id = b.id WHERE b.id = t.cause_id AND x.credit_id = e.debit_id AND t.at = greatest(b.at, n.created_at)))
		UNION ALL SELECT w.account_id::text, w.balance_satang || ' with ' || w.customer_id FROM wallet w
		JOIN former_customer f ON f.customer_id = w.customer_id AND f.successor_id IS NOT NULL WHERE w.balance_satang > 0`},
	{"what was adjusted has its reason and two people, and is that much", `
		SELECT coalesce(a.id, t.cause_id)::text, coalesce(a.amount_satang, 0) || ' <> ' || coalesce(t.sum, 0) FROM adjustment a FULL JOIN (
			SELECT t.cause_id, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id WHERE t.kind = 'adjustment' GROUP BY 1)
			t (cause_id, sum) ON t.cause_id = a.id
		WHERE coalesce(a.amount_satang, 0) <> coalesce(t.sum, 0)`},
	{"a transfer's day is that of its time", `
		SELECT id::text, day || ' ' || at FROM transfer WHERE day <> (at AT TIME ZONE 'Asia/Bangkok')::date`},
	{"every customer's account with entries has his wallet, and no other", `
		SELECT a.id::text, coalesce(w.customer_id::text, 'no wallet') || ' of ' || coalesce(a.owner_id::text, 'nobody') FROM account a
		LEFT JOIN wallet w ON w.account_id = a.id
		WHERE a.kind = 'wallet' AND (w.customer_id <> a.owner_id OR w.account_id IS NULL AND EXISTS (SELECT FROM entry e WHERE a.id IN (e.debit_id, e.credit_id)))
		UNION ALL SELECT w.account_id::text, a.kind FROM wallet w JOIN account a ON a.id = w.account_id WHERE a.kind <> 'wallet'`},
	{"a snapshot is the one before and the entries of its day", `
		SELECT s.day || ' ' || s.account_id, s.debit_satang || ' and ' || s.credit_satang || ' <> ' || coalesce(p.debit_satang, 0) + coalesce(d.sum, 0)
			|| ' and ' || coalesce(p.credit_satang, 0) + coalesce(c.sum, 0)
		FROM snapshot s LEFT JOIN snapshot p ON p.account_id = s.account_id AND p.day = s.day - 1
		LEFT JOIN (SELECT t.day, e.debit_id AS id, sum(e.amount_satang) FROM entry e JOIN transfer t ON t.id = e.transfer_id GROUP BY 1, 2) d (day, id, sum)
			ON d.day = s.day AND d.id = s.account_id
		LEFT JOIN (SELECT t.day, e.credit_id AS id, sum(e.amount_satang) FROM entry e JOIN transfer t ON t.id = e.transfer_id GROUP BY 1, 2) c (day, id, sum)
			ON c.day = s.day AND c.id = s.account_id
		WHERE s.debit_satang <> coalesce(p.debit_satang, 0) + coalesce(d.sum, 0) OR s.credit_satang <> coalesce(p.credit_satang, 0) + coalesce(c.sum, 0)
		UNION ALL SELECT s.day || ' ' || s.account_id, 'no seal' FROM snapshot s WHERE NOT EXISTS (SELECT FROM seal l WHERE l.day = s.day)
		UNION ALL SELECT l.day || ' ' || a.id, 'no snapshot' FROM seal l CROSS JOIN account a LEFT JOIN snapshot s ON s.day = l.day AND s.account_id = a.id
		WHERE a.owner_id IS NULL AND s.day IS NULL AND EXISTS (SELECT FROM entry e JOIN transfer t ON t.id = e.transfer_id WHERE a.id IN (e.debit_id, e.credit_id) AND t.day <= l.day)`},
	{"every transfer has entries", `
		SELECT t.id::text, t.kind FROM transfer t WHERE NOT EXISTS (SELECT FROM entry e WHERE e.transfer_id = t.id)`},
	{"unearned, payable, commissions and the platform's fee before the gateway's are not below zero", `
		SELECT a.kind || ' ' || coalesce(a.owner_id::text, ''), s.sum::text FROM account a JOIN (
			SELECT id, sum(amount) AS sum FROM (
				SELECT credit_id AS id, amount_satang AS amount FROM entry
				UNION ALL SELECT e.debit_id, -e.amount_satang FROM entry e
					JOIN account c ON c.id = e.credit_id AND c.kind <> 'gateway_fee') e GROUP BY id) s ON s.id = a.id
		WHERE a.kind IN ('unearned', 'payable', 'commission_pending', 'commission_payable', 'platform_fee') AND s.sum < 0`},
	{"every captured charge moved its money once, and no other money came in", `
		SELECT coalesce(c.id, t.cause_id)::text, coalesce(c.state || ' ' || c.captured_satang, 'no charge') || ' <> ' || coalesce(t.sum, 0)
		FROM charge c FULL JOIN (
			SELECT t.cause_id, t.kind, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id
			JOIN account a ON a.id = e.debit_id AND a.kind IN ('gateway', 'gateway_platform', 'gateway_own', 'gateway_platform_test', 'gateway_own_test')
			WHERE t.kind <> 'chargeback' GROUP BY 1, 2) t (cause_id, kind, sum)
			ON t.cause_id = c.id AND (t.kind = 'topup') = c.credited
		WHERE coalesce(c.captured_satang, 0) <> coalesce(t.sum, 0)`},
	{"what the gateway took, sent back or held back moved its money once", `
		SELECT coalesce(m.id, t.cause_id)::text, coalesce(m.kind || ' ' || m.amount_satang, 'no movement') || ' <> ' || coalesce(t.sum, 0)
		FROM (SELECT id, kind, amount_satang FROM charge_movement WHERE kind IN ('fee', 'refund', 'dispute', 'dispute_won')) m FULL JOIN (
			SELECT t.cause_id, t.kind, sum(CASE WHEN a.kind IN ('gateway', 'gateway_platform', 'gateway_own', 'gateway_platform_test', 'gateway_own_test') THEN -e.amount_satang ELSE e.amount_satang END)
			FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN account a ON a.id = e.debit_id
			WHERE t.kind IN ('chargeback', 'gateway_fee') GROUP BY 1, 2) t (cause_id, kind, sum)
			ON t.cause_id = m.id AND t.kind = CASE m.kind WHEN 'fee' THEN 'gateway_fee' ELSE 'chargeback' END
		WHERE coalesce(CASE m.kind WHEN 'dispute_won' THEN -m.amount_satang ELSE m.amount_satang END, 0) <> coalesce(t.sum, 0)`},
	{"a charge's money is only on the account of who holds it", `
		SELECT c.id::text, c.gateway || ' <> ' || a.kind FROM charge c JOIN (
			SELECT id AS charge_id, id AS cause_id FROM charge UNION ALL SELECT charge_id, id FROM charge_movement) m ON m.charge_id = c.id
		JOIN transfer t ON t.cause_id = m.cause_id AND t.kind IN ('topup', 'purchase', 'chargeback') JOIN entry e ON e.transfer_id = t.id
		JOIN account a ON a.id IN (e.debit_id, e.credit_id) AND a.kind IN ('gateway', 'gateway_platform', 'gateway_own', 'gateway_platform_test', 'gateway_own_test')
		WHERE a.kind <> c.gateway`},
	{"a charge is as far as its movements", `
		SELECT c.id::text, c.state || ' fee ' || c.fee_satang || ', back ' || c.refunded_satang || ', disputed ' || c.disputed_satang || ' ' || c.dispute FROM charge c
		LEFT JOIN (SELECT charge_id, sum(amount_satang) FILTER (WHERE kind = 'fee'), sum(amount_satang) FILTER (WHERE kind = 'refund'),
			sum(CASE kind WHEN 'dispute_won' THEN -amount_satang ELSE amount_satang END) FILTER (WHERE kind IN ('dispute', 'dispute_won')),
			bool_or(kind = 'dispute'), bool_or(kind = 'dispute_won')
			FROM charge_movement GROUP BY 1) m (charge_id, fee, refunded, disputed, opened, won) ON m.charge_id = c.id
		WHERE c.fee_satang <> coalesce(m.fee, 0) OR c.disputed_satang <> coalesce(m.disputed, 0)
			OR c.refunded_satang - CASE c.state WHEN 'captured' THEN c.amount_satang - c.captured_satang ELSE 0 END <> coalesce(m.refunded, 0)
			OR m.opened AND c.dispute = '' OR m.won AND c.dispute <> 'won' OR c.dispute = 'won' AND c.disputed_satang > 0
			OR c.state <> 'captured' AND (m.charge_id IS NOT NULL OR c.dispute <> '')`},
	{"what a charge owes is what its steps changed, and each moved that", `
		SELECT c.id::text, c.owed_satang || ' owed, steps ' || coalesce(m.owed, 0) FROM charge c
		LEFT JOIN (SELECT charge_id, sum(owed_satang) FROM charge_movement GROUP BY 1) m (charge_id, owed) ON m.charge_id = c.id
		WHERE c.owed_satang <> coalesce(m.owed, 0)
		UNION ALL SELECT m.id::text, m.kind || ' ' || m.amount_satang || ': ' || m.owed_satang || ' owed, wallet ' || m.wallet_satang FROM charge_movement m
		WHERE CASE m.kind WHEN 'fee' THEN (m.owed_satang, m.wallet_satang) <> (0, 0)
			WHEN 'refund' THEN m.amount_satang <> m.owed_satang - m.wallet_satang WHEN 'dispute' THEN m.amount_satang <> m.owed_satang - m.wallet_satang
			WHEN 'dispute_won' THEN m.amount_satang <> m.wallet_satang - m.owed_satang
			WHEN 'debt_paid' THEN m.amount_satang <> -m.owed_satang OR m.wallet_satang <> m.owed_satang
			ELSE m.amount_satang <> -m.owed_satang END`},
	{"what was paid of a debt, or borne for it, moved its money once", `
		SELECT coalesce(m.id, t.cause_id)::text, coalesce(m.kind || ' ' || m.amount_satang, 'no step') || ' <> ' || coalesce(t.sum, 0)
		FROM (SELECT id, kind, amount_satang FROM charge_movement WHERE kind IN ('debt_paid', 'borne')) m FULL JOIN (
			SELECT t.cause_id, t.kind, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id
			JOIN account d ON d.id = e.debit_id JOIN account c ON c.id = e.credit_id
			WHERE t.kind IN ('debt', 'borne') AND d.kind = CASE t.kind WHEN 'debt' THEN 'wallet' ELSE 'payable' END AND c.kind = 'chargeback_receivable'
			GROUP BY 1, 2) t (cause_id, kind, sum) ON t.cause_id = m.id AND t.kind = CASE m.kind WHEN 'debt_paid' THEN 'debt' ELSE 'borne' END
		WHERE coalesce(m.amount_satang, 0) <> coalesce(t.sum, 0)`},
	{"of what was taken back an organisation has no more than it bore for that charge", `
		SELECT m.charge_id::text, coalesce(sum(b.sum), 0)::text FROM charge_movement m LEFT JOIN (
			SELECT t.cause_id, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN account a ON a.id = e.credit_id AND a.kind = 'payable'
			WHERE t.kind = 'taken_back' GROUP BY 1) b (cause_id, sum) ON b.cause_id = m.id
		GROUP BY m.charge_id HAVING coalesce(sum(b.sum), 0) > coalesce(sum(m.amount_satang) FILTER (WHERE m.kind = 'borne'), 0)`},
	// Entries of one wallet may be written in another order than their ids say. So each balance that one found is one that another
	// left, or nothing, and each that one left is one that another found, or the wallet's.
	{"the balance beside each entry of a wallet is that of the one before and its amount", `
		SELECT account_id::text, satang || ' satang, ' || sum(n) FROM (
			SELECT e.credit_id AS account_id, e.credit_after_satang AS satang, 1 AS n FROM entry e WHERE e.credit_after_satang IS NOT NULL
			UNION ALL SELECT e.credit_id, e.credit_after_satang - e.amount_satang, -1 FROM entry e WHERE e.credit_after_satang IS NOT NULL
			UNION ALL SELECT e.debit_id, e.debit_after_satang, 1 FROM entry e WHERE e.debit_after_satang IS NOT NULL
			UNION ALL SELECT e.debit_id, e.debit_after_satang + e.amount_satang, -1 FROM entry e WHERE e.debit_after_satang IS NOT NULL
			UNION ALL SELECT account_id, 0, 1 FROM wallet UNION ALL SELECT account_id, balance_satang, -1 FROM wallet) s
		GROUP BY account_id, satang HAVING sum(n) <> 0
		UNION ALL SELECT e.id::text, 'is not beside its wallet' FROM entry e JOIN account d ON d.id = e.debit_id JOIN account c ON c.id = e.credit_id
		WHERE (d.kind = 'wallet') <> (e.debit_after_satang IS NOT NULL) OR (c.kind = 'wallet') <> (e.credit_after_satang IS NOT NULL)`},
	{"an account is of somebody there is, or of the organisation itself", `
		SELECT a.id::text, a.kind || ' of ' || coalesce(a.owner_id::text, 'nobody') FROM account a
		LEFT JOIN customer u ON a.kind = 'wallet' AND u.id = a.owner_id
		LEFT JOIN agent g ON a.kind IN ('commission_pending', 'commission_payable', 'commission_receivable') AND g.id = a.owner_id
		WHERE CASE WHEN a.kind = 'wallet' THEN u.id IS NULL
			WHEN a.kind IN ('commission_pending', 'commission_payable', 'commission_receivable') THEN g.id IS NULL ELSE a.owner_id IS NOT NULL END`},
	{"a transfer that takes another back has its entries turned round", `
		SELECT transfer_id::text, debit_id || ' ' || credit_id || ' ' || amount_satang FROM (
			SELECT t.id AS transfer_id, e.debit_id, e.credit_id, e.amount_satang, 1 AS n FROM transfer t JOIN entry e ON e.transfer_id = t.id WHERE t.reverses IS NOT NULL
			UNION ALL SELECT t.id, e.credit_id, e.debit_id, e.amount_satang, -1 FROM transfer t JOIN entry e ON e.transfer_id = t.reverses) s
		GROUP BY 1, debit_id, credit_id, amount_satang HAVING sum(n) <> 0`},
	{"a charge has ten minutes, is of its payment system's account, and says where its money went", `
		SELECT c.reference, c.state || ' ' || c.purpose || ' ' || c.gateway || ' until ' || c.expires_at FROM charge c JOIN payment_system s ON s.id = c.system_id
		WHERE c.expires_at <> CASE c.purpose WHEN 'again' THEN c.created_at ELSE c.created_at + interval '10 minutes' END
			OR (c.captured_at IS NOT NULL) <> (c.state = 'captured') OR c.late AND NOT c.credited OR c.captured_at < c.created_at
			OR c.purpose = 'topup' AND c.state = 'captured' AND NOT c.credited
			OR c.purpose = 'again' AND NOT (c.credited AND c.late AND c.captured_at = c.created_at)
			OR c.gateway <> 'gateway' AND (s.account = 'own') <> (c.gateway IN ('gateway_own', 'gateway_own_test'))`},
	{"a case has seven days or more, and what the organisation bore it bore", `
		SELECT k.id::text, k.kind || ' ' || k.outcome || ' until ' || coalesce(k.due_at::text, 'always') FROM charge_case k JOIN charge c ON c.id = k.charge_id
		WHERE k.due_at < k.opened_at + interval '168 hours' OR k.closed_at < k.opened_at
			OR k.outcome = 'borne' AND NOT EXISTS (SELECT FROM charge_movement m WHERE m.charge_id = k.charge_id AND m.kind = 'borne')
			OR k.kind = 'wrong_sum' AND (k.outcome = 'borne' OR k.closed_at IS NULL AND c.state = 'captured')`},
}

// auditTimeout is how long Postgres may work on one rule: an audit reads all there is, which a request never does.
const auditTimeout = `SET LOCAL statement_timeout = '30min'`

// Audit checks the ledger of one organisation. No finding means that the books balance.
func Audit(ctx context.Context, d *db.DB, org uuid.UUID) (findings []Finding, err error) {
	err = d.InOrg(ctx, org, func(tx db.Tx) error {
		findings, err = AuditTx(ctx, tx)
		return err
	})
	return findings, err
}

// AuditTx is Audit inside a transaction. Postgres counts and compares; what comes here is what is wrong, and of each rule no
// more than mostFindings, so that the books of any size are checked in the same memory.
func AuditTx(ctx context.Context, tx db.Tx) ([]Finding, error) {
	if _, err := tx.Exec(ctx, auditTimeout); err != nil {
		return nil, fmt.Errorf("let Postgres take its time: %w", err)
	}
	var findings []Finding
	for _, rule := range rules {
		found, err := Check(ctx, tx, rule.name, rule.sql)
		if err != nil {
			return nil, err
		}
		findings = append(findings, found...)
	}
	strangers, err := checkAccounts(ctx, tx)
	if err != nil {
		return nil, err
	}
	broken, err := checkSeals(ctx, tx)
	return append(append(findings, strangers...), broken...), err
}

const allAccounts = `SELECT id, kind, owner_id FROM account`

// checkAccounts looks whether each account's id is the one that its kind and owner have.
func checkAccounts(ctx context.Context, tx db.Tx) ([]Finding, error) {
	rows, err := tx.Query(ctx, allAccounts)
	if err != nil {
		return nil, fmt.Errorf("accounts: %w", err)
	}
	var id uuid.UUID
	var kind Kind
	var owner *uuid.UUID
	list := findingList{rule: "an account's id follows from its kind and owner"}
	_, err = pgx.ForEachRow(rows, []any{&id, &kind, &owner}, func() error {
		a := SystemAccount(kind)
		if owner != nil {
			a.Holder = *owner
		}
		if a.ID(tx.Org) != id {
			list.add(id.String(), string(kind))
		}
		return nil
	})
	return list.findings, err
}

// mostFindings is how many findings of one rule are listed; the rest is one more.
const mostFindings = 100

// findingList is what breaks one rule.
type findingList struct {
	rule     string
	findings []Finding
}

func (l *findingList) add(subject, detail string) {
	switch n := len(l.findings); {
	case n < mostFindings:
		l.findings = append(l.findings, Finding{l.rule, subject, detail})
	case n == mostFindings:
		l.findings = append(l.findings, Finding{l.rule, "more", fmt.Sprintf("the first %d are told", mostFindings)})
	}
}

// Check runs one rule: a query that returns (subject, detail) for everything that breaks it.
func Check(ctx context.Context, tx db.Tx, rule, sql string) ([]Finding, error) {
	rows, err := tx.Query(ctx, sql)
	if err != nil {
		return nil, fmt.Errorf("check %q: %w", rule, err)
	}
	var subject, detail *string // of a row that is gone there may be nothing to say
	list := findingList{rule: rule}
	_, err = pgx.ForEachRow(rows, []any{&subject, &detail}, func() error {
		list.add(said(subject), said(detail))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("check %q: %w", rule, err)
	}
	return list.findings, nil
}

func said(s *string) string {
	if s == nil {
		return "nothing"
	}
	return *s
}
