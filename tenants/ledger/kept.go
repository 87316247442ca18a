package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

const (
	insertAudit = `INSERT INTO book_audit (id, at, findings, rules) VALUES ($1, $2, $3, $4)`
	lastAudit   = `SELECT findings > 0 FROM book_audit ORDER BY id DESC LIMIT 1`
)

// KeepAudit writes down what an audit found: how much, and of which rules.
func KeepAudit(ctx context.Context, tx db.Tx, findings []Finding) error {
	rules := []string{}
	for i, f := range findings {
		if i == 0 || findings[i-1].Rule != f.Rule {
			rules = append(rules, f.Rule)
		}
	}
	if _, err := tx.Exec(ctx, insertAudit, db.NewID(), tx.Now, len(findings), rules); err != nil {
		return fmt.Errorf("keep what an audit found: %w", err)
	}
	return nil
}

// FoundLast reports whether the last audit that was kept found something.
func FoundLast(ctx context.Context, tx db.Tx) (found bool, err error) {
	err = tx.QueryRow(ctx, lastAudit).Scan(&found)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("what the last audit found: %w", err)
	}
	return found, nil
}
