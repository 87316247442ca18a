package hold_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
)

var errUndo = errors.New("undo")

const (
	second = "commission was denied of orders that were held, as a second person approved it then"
	over   = "a hold is of whom its order is owed to, and over when it was released or its days were"
	left   = "a commission is what its sale earned and its changes left"
	moved  = "every change of a commission was moved once, of that sum and payee"
	is     = "an agent has the commission of what was not taken back and is paid"
)

// changes are what a superuser changes, and the rule that finds it.
var changes = []struct{ name, sql, rule string }{
	{"what was denied is due", `UPDATE commission SET denied_at = NULL, due_satang = denied_satang, denied_satang = 0 WHERE denied_at IS NOT NULL`, left},
	{"less was denied", `UPDATE commission SET denied_satang = denied_satang - 1 WHERE denied_at IS NOT NULL`, left},
	{"nothing is left of what was denied", `UPDATE commission SET denied_satang = 0 WHERE denied_at IS NOT NULL`, is},
	{"it was denied at another time", `UPDATE commission SET denied_at = denied_at - interval '1 second' WHERE denied_at IS NOT NULL`, second},
	{"commission was denied that nobody held", `UPDATE commission SET denied_at = now(), due_satang = 0, mature_satang = 0 WHERE denied_at IS NULL`, second},
	{"a change denied more", `UPDATE commission_change SET denied_satang = denied_satang + 1 WHERE denied_satang > 0`, moved},
	{"a change denied nothing", `UPDATE commission_change SET denied_satang = 0 WHERE denied_satang > 0`, moved},
	{"a hold was denied by nobody", `UPDATE approval SET state = 'refused', made_id = NULL WHERE kind = 'denial'`, second},
	{"a denial was asked for by another", `UPDATE commission_hold SET ended_by = (SELECT answered_by FROM approval WHERE kind = 'denial') WHERE state = 'denied'`, second},
	{"a denial was for another reason", `UPDATE commission_hold SET reason = 'x' WHERE state = 'denied'`, second},
	{"a hold that was denied is deleted", `DELETE FROM commission_hold WHERE state = 'denied'`, second},
	{"a hold is another payee's", `UPDATE commission_hold SET payee_id = gen_random_uuid() WHERE state = 'released'`, over},
	{"a hold is free too early", `UPDATE commission_hold SET state = 'lapsed', ended_by = NULL, reason = '', ended_at = ends_at - interval '1 second' WHERE state = 'released'`, over},
}

// TestAuditSeesSQL: a superuser changes one thing after the other of holds that were decided, and the audit sees it.
func TestAuditSeesSQL(t *testing.T) {
	o := atSale(t)
	o.releases(o.holds(o.sells(o.ann, time.Minute)))
	o.denies(o.holds(o.sells(o.ann, time.Minute)))
	o.MustBalance()
	err := o.InAsSuperuser(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `SET LOCAL session_replication_role = replica`)
		require.NoError(t, err)
		for _, c := range changes {
			_, err := tx.Exec(ctx, `SAVEPOINT before`)
			require.NoError(t, err)
			for sql := range strings.SplitSeq(c.sql, ";") {
				tag, err := tx.Exec(ctx, sql)
				require.NoError(t, err, c.name)
				require.Positive(t, tag.RowsAffected(), "it changes something: %s", sql)
			}
			findings, err := order.AuditTx(ctx, tx)
			require.NoError(t, err)
			require.True(t, slices.ContainsFunc(findings, func(f ledger.Finding) bool { return f.Rule == c.rule }), "%s: %v", c.name, findings)
			_, err = tx.Exec(ctx, `ROLLBACK TO before`)
			require.NoError(t, err)
		}
		return errUndo
	})
	require.ErrorIs(t, err, errUndo)
	o.MustBalance()
}
