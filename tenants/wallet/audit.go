package wallet

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
)

// Finding is one thing that is wrong with the books.
type Finding struct {
	Rule    string // the invariant, as README.md numbers and names it
	Subject string // what breaks it
	Detail  string
}

func (f Finding) String() string { return f.Rule + ": " + f.Subject + ": " + f.Detail }

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
			JOIN account a ON a.id = e.debit_id AND a.kind = 'gateway'
			WHERE t.kind <> 'chargeback' GROUP BY 1, 2) t (cause_id, kind, sum)
			ON t.cause_id = c.id AND (t.kind = 'topup') = c.credited
		WHERE coalesce(c.captured_satang, 0) <> coalesce(t.sum, 0)`},
	{"what the gateway took, sent back or held back moved its money once", `
		SELECT coalesce(m.id, t.cause_id)::text, coalesce(m.kind || ' ' || m.amount_satang, 'no movement') || ' <> ' || coalesce(t.sum, 0)
		FROM charge_movement m FULL JOIN (
			SELECT t.cause_id, t.kind, sum(CASE WHEN a.kind = 'gateway' THEN -e.amount_satang ELSE e.amount_satang END)
			FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN account a ON a.id = e.debit_id
			WHERE t.kind IN ('chargeback', 'gateway_fee') GROUP BY 1, 2) t (cause_id, kind, sum)
			ON t.cause_id = m.id AND t.kind = CASE m.kind WHEN 'fee' THEN 'gateway_fee' ELSE 'chargeback' END
		WHERE coalesce(CASE m.kind WHEN 'dispute_won' THEN -m.amount_satang ELSE m.amount_satang END, 0) <> coalesce(t.sum, 0)`},
	{"a captured charge is as far as its movements", `
		SELECT c.id::text, 'fee ' || c.fee_satang || ', back ' || c.refunded_satang + c.disputed_satang FROM charge c
		LEFT JOIN (SELECT charge_id, sum(amount_satang) FILTER (WHERE kind = 'fee'),
			sum(CASE kind WHEN 'dispute_won' THEN -amount_satang ELSE amount_satang END) FILTER (WHERE kind <> 'fee')
			FROM charge_movement GROUP BY 1) m (charge_id, fee, back) ON m.charge_id = c.id
		WHERE c.state = 'captured' AND (c.fee_satang <> coalesce(m.fee, 0)
			OR c.refunded_satang + c.disputed_satang - (c.amount_satang - c.captured_satang) <> coalesce(m.back, 0))`},
	{"what customers owe is what their charges say, less what agents gave back of it", `
		SELECT 'chargeback_receivable', c.sum || ' owed, ' || r.sum || ' in the books' FROM
			(SELECT coalesce(sum(owed_satang), 0) FROM charge) c (sum),
			(SELECT coalesce(sum(CASE WHEN e.debit_id = a.id THEN e.amount_satang ELSE -e.amount_satang END), 0)
				FROM account a JOIN entry e ON a.id IN (e.debit_id, e.credit_id) JOIN transfer t ON t.id = e.transfer_id
				WHERE a.kind = 'chargeback_receivable' AND t.kind <> 'commission_reversal') r (sum)
		WHERE c.sum <> r.sum`},
}

// Audit checks the ledger of one organisation. No finding means that the books balance.
func Audit(ctx context.Context, d *db.DB, org uuid.UUID) ([]Finding, error) {
	var findings []Finding
	err := d.InOrg(ctx, org, func(tx db.Tx) error {
		for _, rule := range rules {
			found, err := Check(ctx, tx, rule.name, rule.sql)
			if err != nil {
				return err
			}
			findings = append(findings, found...)
		}
		broken, err := checkSeals(ctx, tx)
		findings = append(findings, broken...)
		return err
	})
	return findings, err
}

// Check runs one rule: a query that returns (subject, detail) for everything that breaks it.
func Check(ctx context.Context, tx db.Tx, rule, sql string) ([]Finding, error) {
	rows, err := tx.Query(ctx, sql)
	if err != nil {
		return nil, fmt.Errorf("check %q: %w", rule, err)
	}
	defer rows.Close()

	var findings []Finding
	for rows.Next() {
		f := Finding{Rule: rule}
		if err := rows.Scan(&f.Subject, &f.Detail); err != nil {
			return nil, fmt.Errorf("check %q: %w", rule, err)
		}
		findings = append(findings, f)
	}
	return findings, rows.Err()
}
