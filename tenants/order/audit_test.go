package order_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
)

// change is one that somebody makes who may do everything in the database.
type change struct {
	name string
	sql  string // statements, apart by semicolons; ids of the past in braces
	rule string // that finds it
	seal bool   // no rule can: only a seal with a key that is not in the database
}

// noReferences lets a superuser leave rows without what they refer to.
const noReferences = `SET LOCAL session_replication_role = replica`

var errUndo = errors.New("undo")

// TestAuditSeesSQL: a superuser changes one thing after the other, in each table that holds money or
// rights and each column that matters. The audit sees it, or the list of what only a keyed seal can see has it.
func TestAuditSeesSQL(t *testing.T) {
	p := newPast(t)
	p.MustBalance()

	seen := map[string]bool{}
	err := p.InAsSuperuser(func(ctx context.Context, tx db.Tx) error {
		exec := func(t *testing.T, sql string) pgconn.CommandTag {
			t.Helper()
			tag, err := tx.Exec(ctx, sql)
			require.NoError(t, err, sql)
			return tag
		}
		exec(t, noReferences) // once: Postgres plans every statement anew after it
		for _, c := range changes {
			require.False(t, seen[c.name], "%s: two have this name", c.name)
			seen[c.name] = true
			exec(t, `SAVEPOINT before`)
			t.Run(c.name, func(t *testing.T) {
				for sql := range strings.SplitSeq(p.sql(c.sql), ";") {
					tag := exec(t, sql)
					if tag.Insert() || tag.Update() || tag.Delete() {
						require.Positive(t, tag.RowsAffected(), "it changes something: %s", sql)
					}
				}
				findings, err := order.AuditTx(ctx, tx)
				require.NoError(t, err)
				require.Equal(t, c.seal, c.rule == "")
				if c.seal {
					require.Empty(t, findings, "a rule sees it, so it is not for a keyed seal alone")
					return
				}
				require.True(t, slices.ContainsFunc(findings, func(f ledger.Finding) bool { return f.Rule == c.rule }), "%v", findings)
			})
			exec(t, `ROLLBACK TO before`)
		}
		return errUndo
	})
	require.ErrorIs(t, err, errUndo)
	p.MustBalance()
}

// TestChangesOnlyASealSees: the page lists what no rule can see, neither more nor less.
func TestChangesOnlyASealSees(t *testing.T) {
	page, err := os.ReadFile("../ledger/README.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), "\n# What only a keyed seal can see\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n# ")
	var listed, invisible []string
	for line := range strings.Lines(section) {
		if item, is := strings.CutPrefix(strings.TrimSpace(line), "- "); is {
			listed = append(listed, item)
		}
	}
	for _, c := range changes {
		if c.seal {
			invisible = append(invisible, c.name)
		}
	}
	require.ElementsMatch(t, invisible, listed)
}
