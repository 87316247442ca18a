package payout_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/tenanttest"
)

var errUndo = errors.New("undo")

const (
	moved    = "every payout moved what it is, once for each step"
	sums     = "a payout is the sum of its lines, which are of no other"
	lines    = "a line is all that a change made mature, or that came back, of who is paid"
	back     = "what came back is of a payout that was returned, once"
	balance  = "what a payee can be paid or owes is what matured and came back, less what he was paid"
	withheld = "what was withheld is that of the payouts that stand, less what was filed"
	second   = "a run was approved by another than who proposed or drafted it, and pays nobody who approved it"
	over     = "a run is over when all of its payouts are, and none of a draft is booked"
	said     = "what a payout became was said of it"
	moment   = "a transfer is of the moment of its cause"
	transfer = "a payout is of the kind of its run, and a transfer of a run is as far as its payout"
	outside  = "what goes to a card or a bank account is of a refund, or of a wallet, once, and is on its way, there, or in the wallet"
	twoOrRun = "a bank transfer goes to an account of its payer's, is paid by the organisation, and ended by two people once it was said to be made, or by a run of payouts"
)

// changes are what a superuser changes, and the rule that finds it.
var changes = []struct{ name, sql, rule string }{
	{"a payout is of more", `UPDATE payout SET gross_satang = gross_satang + 1, net_satang = net_satang + 1 WHERE state = 'paid'`, moved},
	{"a draft is of more", `UPDATE payout SET gross_satang = gross_satang + 1, net_satang = net_satang + 1 WHERE state = 'ready'`, sums},
	{"less was withheld", `UPDATE payout SET withheld_satang = withheld_satang - 1, net_satang = net_satang + 1 WHERE state = 'returned'`, withheld},
	{"a payout is another payee's", `UPDATE payout SET payee_id = gen_random_uuid() WHERE state = 'paid'`, moved},
	{"what was paid failed", `UPDATE payout SET state = 'failed', paid_on = NULL, paid_at = NULL WHERE state = 'paid'`, moved},
	{"what failed was paid", `UPDATE payout SET state = 'paid', paid_on = '2026-01-01', paid_at = ended_at WHERE state = 'failed'`, moved},
	{"what is on its way was paid", `UPDATE payout SET state = 'paid', paid_on = '2026-01-01', paid_at = now(), ended_at = now() WHERE state = 'sent'`, said},
	{"what was left out is booked", `UPDATE payout SET state = 'booked', left_out = NULL, booked_at = now() WHERE id = (SELECT id FROM payout WHERE state = 'left_out' LIMIT 1)`, moved},
	{"a payout was booked at another time", `UPDATE payout SET booked_at = booked_at - interval '1 second' WHERE state = 'paid'`, moment},
	{"a payout was paid at another time", `UPDATE payout SET paid_at = paid_at - interval '1 second' WHERE state = 'paid'`, moment},
	{"a payout failed at another time", `UPDATE payout SET ended_at = ended_at + interval '1 second' WHERE state = 'failed'`, moment},
	{"a payout is deleted with its lines", `DELETE FROM payout_line l USING payout p WHERE p.id = l.payout_id AND p.state = 'paid'; DELETE FROM payout WHERE state = 'paid'`, moved},
	{"a line is of less", `UPDATE payout_line l SET amount_satang = amount_satang - 1 FROM payout p WHERE p.id = l.payout_id AND p.state = 'sent'`, lines},
	{"lines are of another payout", `UPDATE payout_line l SET payout_id = (SELECT id FROM payout WHERE state = 'sent' LIMIT 1) FROM payout p WHERE p.id = l.payout_id AND p.state = 'paid'`, lines},
	{"a line of what failed is not free", `DROP INDEX payout_line_change_once; UPDATE payout_line l SET live = true FROM payout p WHERE p.id = l.payout_id AND p.state = 'failed'`, sums},
	{"a line of what was paid is free", `UPDATE payout_line l SET live = false FROM payout p WHERE p.id = l.payout_id AND p.state = 'paid'`, sums},
	{"a line is deleted", `DELETE FROM payout_line l USING payout p WHERE p.id = l.payout_id AND p.state = 'paid'`, sums},
	{"a run collected what was mature later", `UPDATE payout_run SET up_to = up_to - 10 WHERE state = 'closed'`, lines},
	{"more came back", `UPDATE payout_return SET amount_satang = amount_satang + 1`, back},
	{"what came back is forgotten", `DELETE FROM payout_return`, back},
	{"what came back is another's", `UPDATE payout_return SET payee_id = (SELECT payee_id FROM payout WHERE state = 'failed')`, back},
	{"something came back at another time", `UPDATE payout_return SET at = at - interval '1 second'`, moment},
	{"a payee can be paid what he was paid", `UPDATE payee_balance SET payable_satang = payable_satang + 1`, balance},
	{"the drafter approved", `UPDATE payout_run SET drafted_by = (SELECT a.answered_by FROM approval a WHERE a.id = payout_run.approval_id) WHERE state = 'exported'`, second},
	{"who proposed what a schedule drafted approved it", `ALTER TABLE approval DROP CONSTRAINT approval_by_another; UPDATE payout_run SET drafted_by = NULL, schedule_id = gen_random_uuid() WHERE state = 'exported'; UPDATE approval SET answered_by = asked_by FROM payout_run r WHERE r.approval_id = approval.id AND r.schedule_id IS NOT NULL`, second},
	{"another run was approved", `UPDATE approval SET record_id = gen_random_uuid() WHERE kind = 'payout' AND state = 'approved'`, second},
	{"a run was approved at another time", `UPDATE payout_run SET approved_at = approved_at - interval '1 second' WHERE state = 'closed'`, second},
	{"another hash was approved", `UPDATE payout_run SET hash = '\x00' WHERE state = 'closed'`, second},
	{"a run is over that is not", `UPDATE payout_run SET state = 'closed', ended_at = now() WHERE state = 'exported'`, over},
	{"what was said is deleted", `DELETE FROM payout_result`, said},
}

// changesOfRefunds are those of runs of refunds.
var changesOfRefunds = []struct{ name, sql, rule string }{
	{"a payout of a transfer is of more", `UPDATE payout SET gross_satang = gross_satang + 1, net_satang = net_satang + 1 WHERE state = 'paid'`, transfer},
	{"a payout is of another transfer", `ALTER TABLE payout DROP CONSTRAINT payout_transfer_of_run; DROP INDEX payout_transfer_once; UPDATE payout SET remittance_id = (SELECT remittance_id FROM payout WHERE state = 'left_out') WHERE state = 'paid'`, transfer},
	{"a run of refunds pays commission", `UPDATE payout_run SET kind = 'agent' WHERE state = 'closed'`, transfer},
	{"a transfer was refunded later than a run collects", `UPDATE payout_run SET up_to = up_to - 10 WHERE state = 'closed'`, transfer},
	{"what was paid failed", `UPDATE payout SET state = 'failed', paid_on = NULL, paid_at = NULL WHERE state = 'paid'`, transfer},
	{"what failed was paid", `UPDATE payout SET state = 'paid', paid_on = '2026-01-01', paid_at = ended_at WHERE state = 'failed'`, transfer},
	{"what came back was paid", `UPDATE payout SET state = 'paid' WHERE state = 'returned'`, transfer},
	{"what was sent was paid", `UPDATE payout SET state = 'paid', paid_on = '2026-01-01', paid_at = now(), ended_at = now() WHERE state = 'sent'`, said},
	{"a payout was paid at another time", `UPDATE payout SET paid_at = paid_at - interval '1 second' WHERE state = 'paid'`, transfer},
	{"a payout came back at another time", `UPDATE payout SET ended_at = ended_at + interval '1 second' WHERE state = 'returned'`, transfer},
	{"a transfer has another reference", `UPDATE remittance SET reference = 'x' WHERE state = 'sent'`, transfer},
	{"a transfer was sent by another", `UPDATE remittance SET sent_by = (SELECT max(id::text)::uuid FROM staff WHERE id <> sent_by) WHERE state = 'sent'`, transfer},
	{"a transfer that was sent is done", `UPDATE remittance SET state = 'done', ended_at = sent_at WHERE state = 'sent'`, outside},
	{"a transfer that came back did not", `UPDATE remittance SET state = 'done', failure = '', failed_by = NULL, ended_at = done_at, done_at = NULL WHERE done_at IS NOT NULL`, outside},
	{"a transfer that failed came back", `UPDATE remittance SET done_at = sent_at WHERE state = 'failed' AND done_at IS NULL`, outside},
	{"a transfer was done at another time", `UPDATE remittance SET done_at = done_at - interval '1 second' WHERE done_at IS NOT NULL`, moment},
	{"a transfer came back of what is on its way", `UPDATE entry e SET debit_id = (SELECT id FROM account WHERE kind = 'bank_clearing') FROM transfer t JOIN remittance m ON m.id = t.cause_id AND m.done_at IS NOT NULL
		WHERE t.id = e.transfer_id AND t.kind = 'remittance_failed'`, twoOrRun},
	{"a transfer ended in no run", `DELETE FROM payout WHERE state = 'paid'`, twoOrRun},
	{"what was said is deleted", `DELETE FROM payout_result`, said},
}

// TestAuditSeesSQL: a superuser changes one thing after the other of runs that have come to every end, and the audit sees it.
func TestAuditSeesSQL(t *testing.T) {
	o := open(t)
	paid, failed, returned, sent, low := o.agent(), o.agent(), o.AgentBy(o.Customer(0), 1000, commission.Rule{Matures: "sale"}), o.agent(), o.agent()
	o.Payee(returned, o.first, tenanttest.CompanyForm())
	for _, agent := range []struct {
		id [16]byte
		n  int
	}{{paid, 2}, {failed, 3}, {returned, 2}, {low, 1}} {
		o.sells(agent.id, agent.n)
	}
	o.tomorrow()
	first := o.pays()
	require.NoError(t, o.says(o.of(first, paid).ID, "paid", ""))
	require.NoError(t, o.says(o.of(first, failed).ID, "failed", "x"))
	require.NoError(t, o.says(o.of(first, returned).ID, "returned", "x"))
	o.sells(sent, 2)
	o.tomorrow()
	o.pays() // pays what failed and came back again, and sent
	o.sells(low, 2)
	o.tomorrow()
	o.draft()
	o.MustBalance()
	o.audits(changes)
}

// TestAuditSeesRefunds is TestAuditSeesSQL of runs of refunds.
func TestAuditSeesRefunds(t *testing.T) {
	o := openBankOffice(t)
	paid, failed, returned, sent := o.refunded(o.Customer(0)), o.refunded(o.Customer(0)), o.refunded(o.Customer(0)), o.refunded(o.Customer(0))
	o.tomorrow()
	first := o.draftRefunds()
	require.NoError(t, o.Payout.Postpone(t.Context(), o.Org, actor(o.first), o.row(first, sent).ID))
	o.approve(first)
	o.export(first)
	require.NoError(t, o.says(o.row(first, paid).ID, "paid", ""))
	require.NoError(t, o.says(o.row(first, failed).ID, "failed", "x"))
	o.Clock.Advance(time.Minute)
	require.NoError(t, o.says(o.row(first, returned).ID, "paid", ""))
	o.Clock.Advance(time.Minute)
	require.NoError(t, o.says(o.row(first, returned).ID, "returned", "x"))
	o.sends()
	o.MustBalance()
	o.audits(changesOfRefunds)
}

func (o *office) audits(changes []struct{ name, sql, rule string }) {
	t := o.t
	err := o.InAsSuperuser(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `SET LOCAL session_replication_role = replica`)
		require.NoError(t, err)
		for _, c := range changes {
			exec := func(sql string) pgconn.CommandTag {
				tag, err := tx.Exec(ctx, sql)
				require.NoError(t, err, c.name)
				return tag
			}
			exec(`SAVEPOINT before`)
			for sql := range strings.SplitSeq(c.sql, ";") {
				if tag := exec(sql); tag.Update() || tag.Delete() {
					require.Positive(t, tag.RowsAffected(), "it changes something: %s", sql)
				}
			}
			findings, err := order.AuditTx(ctx, tx)
			require.NoError(t, err)
			require.True(t, slices.ContainsFunc(findings, func(f ledger.Finding) bool { return f.Rule == c.rule }), "%s: %v", c.name, findings)
			exec(`ROLLBACK TO before`)
		}
		return errUndo
	})
	require.ErrorIs(t, err, errUndo)
	o.MustBalance()
}
