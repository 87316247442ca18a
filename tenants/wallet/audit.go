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
	{"unearned, payable and commissions are not below zero", `
		SELECT a.kind || ' ' || coalesce(a.owner_id::text, ''), s.sum::text FROM account a JOIN (
			SELECT id, sum(amount) AS sum FROM (
				SELECT credit_id AS id, amount_satang AS amount FROM entry
				UNION ALL SELECT debit_id, -amount_satang FROM entry) e GROUP BY id) s ON s.id = a.id
		WHERE a.kind IN ('unearned', 'payable', 'commission_pending', 'commission_payable', 'platform_fee') AND s.sum < 0`},
	{"every captured charge moved its money once, and no other money came in", `
		SELECT coalesce(c.id, t.cause_id)::text, coalesce(c.state || ' ' || c.captured_satang, 'no charge') || ' <> ' || coalesce(t.sum, 0)
		FROM charge c FULL JOIN (
			SELECT t.cause_id, t.kind, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id
			JOIN account a ON a.id = e.debit_id AND a.kind = 'gateway' GROUP BY 1, 2) t (cause_id, kind, sum)
			ON t.cause_id = c.id AND (t.kind = 'topup') = c.credited
		WHERE coalesce(c.captured_satang, 0) <> coalesce(t.sum, 0)`},
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
