package ledger

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
)

// Finding is one thing that is wrong with the books.
type Finding struct {
	Rule    string // the invariant, as README.md numbers and names it
	Subject string // what breaks it
	Detail  string
}

func (f Finding) String() string { return f.Rule + ": " + f.Subject + ": " + f.Detail }

// Rule is a rule of the audit, which always holds. Its SQL returns a row (subject, detail) for each breach.
type Rule struct{ Name, SQL string }

// rules are the ledger's own.
var rules = []Rule{
	{Name: "every wallet equals its entries", SQL: `
		SELECT w.account_id::text, 'wallet ' || w.balance_satang || ', entries ' || coalesce(s.sum, 0)
		FROM wallet w LEFT JOIN (
			SELECT id, sum(amount) AS sum FROM (
				SELECT credit_id AS id, amount_satang AS amount FROM entry
				UNION ALL SELECT debit_id, -amount_satang FROM entry) e GROUP BY id) s ON s.id = w.account_id
		WHERE w.balance_satang <> coalesce(s.sum, 0)`},
	{Name: "no wallet is below zero", SQL: `
		SELECT account_id::text, balance_satang::text FROM wallet WHERE balance_satang < 0`},
	{Name: "every entry belongs to accounts that exist and moves a positive amount", SQL: `
		SELECT e.id::text, e.amount_satang::text FROM entry e
		LEFT JOIN account d ON d.id = e.debit_id LEFT JOIN account c ON c.id = e.credit_id
		WHERE e.amount_satang <= 0 OR d.id IS NULL OR c.id IS NULL`},
	{Name: "a transfer moves money only between accounts of its kind", SQL: `
		SELECT e.id::text, t.kind || ' ' || k.debit || ' ' || k.credit FROM entry e JOIN transfer t ON t.id = e.transfer_id
		JOIN account d ON d.id = e.debit_id JOIN account c ON c.id = e.credit_id
		CROSS JOIN LATERAL (SELECT CASE WHEN d.kind LIKE 'gateway%' AND d.kind <> 'gateway_fee' THEN 'gateway' ELSE d.kind END AS debit,
			CASE WHEN c.kind LIKE 'gateway%' AND c.kind <> 'gateway_fee' THEN 'gateway' ELSE c.kind END AS credit) AS k
		WHERE t.kind <> 'adjustment' AND t.kind || ' ' || k.debit || ' ' || k.credit NOT IN (
			'topup gateway wallet',
			'purchase wallet unearned', 'purchase wallet platform_fee', 'purchase wallet commission_pending', 'purchase platform_fee unearned',
			'purchase gateway unearned', 'purchase gateway platform_fee', 'purchase gateway commission_pending',
			'resale wallet wallet', 'resale wallet payable', 'resale wallet platform_fee',
			'resale gateway wallet', 'resale gateway payable', 'resale gateway platform_fee',
			'card_begun unearned payable', 'card_returned unearned wallet', 'card_returned platform_fee wallet', 'card_credited payable wallet', 'card_credited platform_fee wallet',
			'use unearned payable', 'partner_commission payable commission_pending', 'commission_denial payable commission_pending',
			'commission_denial payable commission_payable', 'commission_denial payable commission_receivable',
			'refund unearned wallet', 'refund unearned payable', 'refund unearned platform_fee', 'refund platform_fee wallet', 'refund chargeback_receivable wallet',
			'refund unearned bank_clearing', 'refund platform_fee bank_clearing', 'refund chargeback_receivable bank_clearing',
			'cashout wallet bank_clearing', 'remittance bank_clearing gateway', 'remittance bank_clearing payable', 'remittance_failed bank_clearing wallet', 'remittance_failed payable wallet', 'goodwill payable wallet',
			'objection payable use_objection', 'objection_stands use_objection payable', 'objection_undone use_objection unearned',
			'expiry unearned breakage', 'expiry unearned wallet', 'expiry unearned platform_fee', 'extension breakage unearned',
			'chargeback wallet gateway', 'chargeback chargeback_receivable gateway', 'chargeback gateway wallet', 'chargeback gateway chargeback_receivable', 'chargeback gateway payable',
			'gateway_fee platform_fee gateway_fee',
			'commission_reversal commission_pending chargeback_receivable', 'commission_reversal chargeback_receivable commission_pending',
			'commission_reversal commission_payable chargeback_receivable', 'commission_reversal chargeback_receivable commission_payable',
			'commission_reversal commission_receivable chargeback_receivable', 'commission_reversal chargeback_receivable commission_receivable',
			'commission_reversal commission_pending commission_payable', 'commission_reversal commission_pending commission_receivable',
			'commission_reversal commission_payable commission_pending', 'commission_reversal commission_receivable commission_pending',
			'commission_reversal payable chargeback_receivable', 'commission_reversal chargeback_receivable payable',
			'commission_denial commission_pending payable', 'commission_denial commission_payable payable', 'commission_denial commission_receivable payable',
			'commission_maturity commission_pending commission_payable', 'commission_maturity commission_pending commission_receivable',
			'commission_maturity commission_payable commission_pending', 'commission_maturity commission_receivable commission_pending',
			'payout commission_payable bank_clearing', 'payout commission_payable withholding_tax', 'payout_paid bank_clearing payable',
			'payout_failed bank_clearing commission_payable', 'payout_failed bank_clearing commission_receivable',
			'payout_failed withholding_tax commission_payable', 'payout_failed withholding_tax commission_receivable',
			'payout_returned payable commission_payable', 'payout_returned payable commission_receivable', 'tax_filed withholding_tax payable',
			'settlement payable bank_clearing', 'settlement_paid bank_clearing gateway', 'settlement_paid platform_fee gateway', 'settlement_failed bank_clearing payable', 'settlement_returned gateway payable',
			'taken_back unearned chargeback_receivable', 'taken_back unearned platform_fee', 'taken_back platform_fee chargeback_receivable',
			'taken_back chargeback_receivable wallet', 'taken_back chargeback_receivable payable', 'void unearned platform_fee',
			'points_granted points_issued points_owed', 'points_granted points_issued point_lot', 'points_taken_back point_lot points_issued', 'points_taken_back points_owed points_issued',
			'points_lapsed point_lot points_lapsed', 'points_adjusted points_issued points_owed', 'points_adjusted points_issued point_lot', 'points_adjusted point_lot points_issued',
			'debt wallet chargeback_receivable', 'borne payable chargeback_receivable', 'write_off payable chargeback_receivable', 'former_account wallet wallet')`},
	{Name: "no entry is from satang to points, or back", SQL: `
		SELECT e.id::text, d.kind || ' ' || c.kind FROM entry e JOIN account d ON d.id = e.debit_id JOIN account c ON c.id = e.credit_id
		WHERE (d.kind IN ('points_issued', 'points_spent', 'points_lapsed', 'points_owed', 'point_lot')) <> (c.kind IN ('points_issued', 'points_spent', 'points_lapsed', 'points_owed', 'point_lot'))`},
	{Name: "what was adjusted has its reason and two people, and is that much", SQL: `
		SELECT coalesce(a.id, t.cause_id)::text, coalesce(a.amount_satang, 0) || ' <> ' || coalesce(t.sum, 0) FROM adjustment a FULL JOIN (
			SELECT t.cause_id, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id WHERE t.kind = 'adjustment' GROUP BY 1)
			t (cause_id, sum) ON t.cause_id = a.id
		WHERE coalesce(a.amount_satang, 0) <> coalesce(t.sum, 0)`},
	{Name: "a transfer's day is that of its time", SQL: `
		SELECT id::text, day || ' ' || at FROM transfer WHERE day <> (at AT TIME ZONE 'Asia/Bangkok')::date`},
	{Name: "every customer's account with entries has his wallet, and no other", SQL: `
		SELECT a.id::text, coalesce(w.customer_id::text, 'no wallet') || ' of ' || coalesce(a.holder_id::text, 'nobody') FROM account a
		LEFT JOIN wallet w ON w.account_id = a.id
		WHERE a.kind = 'wallet' AND (w.customer_id <> a.holder_id OR w.account_id IS NULL AND EXISTS (SELECT FROM entry e WHERE a.id IN (e.debit_id, e.credit_id)))
		UNION ALL SELECT w.account_id::text, a.kind FROM wallet w JOIN account a ON a.id = w.account_id WHERE a.kind <> 'wallet'`},
	{Name: "a snapshot is the one before and the entries of its day", SQL: `
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
		WHERE a.holder_id IS NULL AND s.day IS NULL AND EXISTS (SELECT FROM entry e JOIN transfer t ON t.id = e.transfer_id WHERE a.id IN (e.debit_id, e.credit_id) AND t.day <= l.day)`},
	{Name: "every transfer has entries", SQL: `
		SELECT t.id::text, t.kind FROM transfer t WHERE NOT EXISTS (SELECT FROM entry e WHERE e.transfer_id = t.id)`},
	{Name: "unearned, payable, what is objected to, what is on its way out, what was withheld, commissions and the platform's fee before the gateway's, what was paid out to it and what it pays of prices are not below zero", SQL: `
		SELECT a.kind || ' ' || coalesce(a.holder_id::text, ''), s.sum::text FROM account a JOIN (
			SELECT id, sum(amount) AS sum FROM (
				SELECT credit_id AS id, amount_satang AS amount FROM entry
				UNION ALL SELECT e.debit_id, -e.amount_satang FROM entry e
					JOIN account d ON d.id = e.debit_id JOIN account c ON c.id = e.credit_id AND NOT (d.kind = 'platform_fee' AND c.kind LIKE 'gateway%')
				UNION ALL SELECT f.id, CASE f.id WHEN e.debit_id THEN e.amount_satang ELSE -e.amount_satang END FROM entry e
					JOIN account f ON f.id IN (e.debit_id, e.credit_id) AND f.kind = 'platform_fee'
					JOIN account u ON u.id IN (e.debit_id, e.credit_id) AND u.kind = 'unearned') e GROUP BY id) s ON s.id = a.id
		WHERE a.kind IN ('unearned', 'payable', 'use_objection', 'bank_clearing', 'withholding_tax', 'commission_pending', 'commission_payable', 'platform_fee') AND s.sum < 0`},
	// Entries of one wallet may be written in another order than their ids say. So each balance that one found is one that another
	// left, or nothing, and each that one left is one that another found, or the wallet's.
	{Name: "the balance beside each entry of a wallet is that of the one before and its amount", SQL: `
		SELECT account_id::text, satang || ' satang, ' || sum(n) FROM (
			SELECT e.credit_id AS account_id, e.credit_after_satang AS satang, 1 AS n FROM entry e WHERE e.credit_after_satang IS NOT NULL
			UNION ALL SELECT e.credit_id, e.credit_after_satang - e.amount_satang, -1 FROM entry e WHERE e.credit_after_satang IS NOT NULL
			UNION ALL SELECT e.debit_id, e.debit_after_satang, 1 FROM entry e WHERE e.debit_after_satang IS NOT NULL
			UNION ALL SELECT e.debit_id, e.debit_after_satang + e.amount_satang, -1 FROM entry e WHERE e.debit_after_satang IS NOT NULL
			UNION ALL SELECT account_id, 0, 1 FROM wallet UNION ALL SELECT account_id, balance_satang, -1 FROM wallet) s
		GROUP BY account_id, satang HAVING sum(n) <> 0
		UNION ALL SELECT e.id::text, 'is not beside its wallet' FROM entry e JOIN account d ON d.id = e.debit_id JOIN account c ON c.id = e.credit_id
		WHERE (d.kind = 'wallet') <> (e.debit_after_satang IS NOT NULL) OR (c.kind = 'wallet') <> (e.credit_after_satang IS NOT NULL)`},
	{Name: "an account is of somebody there is, or of the organisation itself", SQL: `
		SELECT a.id::text, a.kind || ' of ' || coalesce(a.holder_id::text, 'nobody') FROM account a
		LEFT JOIN customer u ON a.kind IN ('wallet', 'points_owed', 'point_lot') AND u.id = a.holder_id
		LEFT JOIN (SELECT id FROM agent UNION ALL SELECT id FROM partner) g ON a.kind IN ('commission_pending', 'commission_payable', 'commission_receivable') AND g.id = a.holder_id
		WHERE CASE WHEN a.kind IN ('wallet', 'points_owed', 'point_lot') THEN u.id IS NULL
			WHEN a.kind IN ('commission_pending', 'commission_payable', 'commission_receivable') THEN g.id IS NULL ELSE a.holder_id IS NOT NULL END`},
	{Name: "a transfer that takes another back has its entries turned round", SQL: `
		SELECT transfer_id::text, debit_id || ' ' || credit_id || ' ' || amount_satang FROM (
			SELECT t.id AS transfer_id, e.debit_id, e.credit_id, e.amount_satang, 1 AS n FROM transfer t JOIN entry e ON e.transfer_id = t.id WHERE t.reverses IS NOT NULL
			UNION ALL SELECT t.id, e.credit_id, e.debit_id, e.amount_satang, -1 FROM transfer t JOIN entry e ON e.transfer_id = t.reverses) s
		GROUP BY 1, debit_id, credit_id, amount_satang HAVING sum(n) <> 0`},
}

// auditTimeout is how long Postgres may work on one rule: an audit reads all there is, which a request never does.
const auditTimeout = `SET LOCAL statement_timeout = '30min'`

// Audit checks the ledger's own rules, its seals, and the rules of those who post to it. No finding means that the books balance.
// Postgres counts and compares; what comes here is what is wrong, and of each rule no more than maxFindings, so that the books of
// any size are checked in the same memory.
func Audit(ctx context.Context, tx db.Tx, others ...Rule) ([]Finding, error) {
	if _, err := tx.Exec(ctx, auditTimeout); err != nil {
		return nil, fmt.Errorf("let Postgres take its time: %w", err)
	}
	var findings []Finding
	for _, rule := range slices.Concat(rules, others) {
		found, err := rule.check(ctx, tx)
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
	if err != nil {
		return nil, err
	}
	log, err := auditlog.CheckSeals(ctx, tx)
	list := findingList{rule: "no sealed day of the audit log has changed"}
	for _, b := range log {
		list.add(b.Day, b.Why)
	}
	return slices.Concat(findings, strangers, broken, list.findings), err
}

const allAccounts = `SELECT id, kind, holder_id, coalesce(lapses_on::text, '') FROM account`

// checkAccounts looks whether each account's id is the one that its kind and holder have.
func checkAccounts(ctx context.Context, tx db.Tx) ([]Finding, error) {
	rows, err := tx.Query(ctx, allAccounts)
	if err != nil {
		return nil, fmt.Errorf("accounts: %w", err)
	}
	var id uuid.UUID
	var kind Kind
	var holder *uuid.UUID
	var lapses string
	list := findingList{rule: "an account's id follows from its kind and owner"}
	_, err = pgx.ForEachRow(rows, []any{&id, &kind, &holder, &lapses}, func() error {
		a := Account{Kind: kind, Lapses: lapses}
		if holder != nil {
			a.Holder = *holder
		}
		if a.ID(tx.Key) != id {
			list.add(id.String(), string(kind))
		}
		return nil
	})
	return list.findings, err
}

// maxFindings is how many findings of one rule are listed; the rest is one more.
const maxFindings = 100

// findingList has the breaches of one rule.
type findingList struct {
	rule     string
	findings []Finding
}

func (l *findingList) add(subject, detail string) {
	switch n := len(l.findings); {
	case n < maxFindings:
		l.findings = append(l.findings, Finding{l.rule, subject, detail})
	case n == maxFindings:
		l.findings = append(l.findings, Finding{l.rule, "more", fmt.Sprintf("the first %d are told", maxFindings)})
	}
}

// check returns what breaks the rule.
func (r Rule) check(ctx context.Context, tx db.Tx) ([]Finding, error) {
	rows, err := tx.Query(ctx, r.SQL)
	if err != nil {
		return nil, fmt.Errorf("check %q: %w", r.Name, err)
	}
	var subject, detail *string // of a row that is gone there may be nothing to say
	list := findingList{rule: r.Name}
	_, err = pgx.ForEachRow(rows, []any{&subject, &detail}, func() error {
		list.add(orNothing(subject), orNothing(detail))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("check %q: %w", r.Name, err)
	}
	return list.findings, nil
}

func orNothing(s *string) string {
	if s == nil {
		return "nothing"
	}
	return *s
}
