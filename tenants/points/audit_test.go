package points_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/points"
)

// What a superuser changes, with the rule of the audit that finds it.
var changes = []struct{ name, sql, rule string }{
	{"a lot has more", `UPDATE point_lot SET points_left = points_left + 1 WHERE points_left > 0`, "a lot of points equals its entries"},
	{"a lot lapses later", `UPDATE point_lot SET lapses_on = lapses_on + 1`, "a lot of points equals its entries"},
	{"a lot is another's", `UPDATE point_lot SET customer_id = '{bee}' WHERE customer_id = '{ann}'`, "a lot of points equals its entries"},
	{"a lot is deleted", `DELETE FROM point_lot WHERE points_left > 0`, "a lot of points equals its entries"},
	{"a lot's account lapses later", `UPDATE account SET lapses_on = lapses_on + 1 WHERE kind = 'point_lot'`, "an account's id follows from its kind and owner"},
	{"somebody owes", `INSERT INTO point_owed (customer_id, points, updated_at) VALUES ('{ann}', 1, now())`, "points that are owed equal their entries, and who owes has none"},
	{"an entry is of more points", `UPDATE entry SET amount_satang = amount_satang + 1 WHERE transfer_id IN (SELECT id FROM transfer WHERE kind = 'points_granted')`, "points moved once for each grant, lapse and adjustment, that many and of its customer"},
	{"points become satang", `UPDATE entry SET debit_id = (SELECT id FROM account WHERE kind = 'payable') WHERE transfer_id IN (SELECT id FROM transfer WHERE kind = 'points_granted')`, "no entry is from satang to points, or back"},
	{"a grant is of more", `UPDATE point_grant SET points = points + 1 WHERE points > 0`, "points moved once for each grant, lapse and adjustment, that many and of its customer"},
	{"a grant lapses later", `UPDATE point_grant SET lapses_on = lapses_on + 1`, "an order has brought what its grants say, none of which gave back more than it was"},
	{"a grant is deleted", `DELETE FROM point_grant WHERE points < 0`, "an order has brought what its grants say, none of which gave back more than it was"},
	{"a grant did not move", `UPDATE point_grant SET moved = false WHERE points < 0`, "points moved once for each grant, lapse and adjustment, that many and of its customer"},
	{"a grant was at another time", `UPDATE point_grant SET at = at + interval '1 second'`, "a transfer is of the moment of its cause"},
	{"less has lapsed", `UPDATE point_lapse SET points = points - 1`, "points moved once for each grant, lapse and adjustment, that many and of its customer"},
	{"nothing has lapsed", `DELETE FROM point_lapse`, "points moved once for each grant, lapse and adjustment, that many and of its customer"},
	{"points lapsed at another time", `UPDATE point_lapse SET at = at + interval '1 second'`, "a transfer is of the moment of its cause"},
	{"an order brings more", `UPDATE point_order SET points = points + 1`, "an order brings a member points by his card and what he paid"},
	{"an order counts for more", `UPDATE point_order SET paid_satang = paid_satang + 2500, points = points + 1`, "an order brings a member points by his card and what he paid"},
	{"an order is due earlier", `UPDATE point_order SET counts_from = counts_from - interval '1 day'`, "an order brings a member points by his card and what he paid"},
	{"an order is another's", `UPDATE point_order SET customer_id = '{bee}'`, "an order brings a member points by his card and what he paid"},
	{"an order has brought less", `UPDATE point_order SET granted = granted - 1 WHERE granted > 0`, "an order has brought what its grants say, none of which gave back more than it was"},
	{"what was not taken back is not there", `UPDATE voucher SET state = 'refunded' WHERE holder_id = '{ann}' AND state = 'ready'`, "all points are granted that are due of an order, and no others"},
	{"more was adjusted", `UPDATE point_adjustment SET points = points + 1`, "points moved once for each grant, lapse and adjustment, that many and of its customer"},
	{"more was adjusted than approved", `UPDATE approval SET input = jsonb_set(input, '{points}', '4') WHERE kind = 'points'`, "points were adjusted as a second person approved it, and lapse as he read it"},
	{"something was adjusted that nobody approved", `DELETE FROM approval WHERE kind = 'points'`, "points were adjusted as a second person approved it, and lapse as he read it"},
	{"points that were given lapse later", `UPDATE point_adjustment SET lapses_on = lapses_on + 1`, "points were adjusted as a second person approved it, and lapse as he read it"},
	{"points were given for another reason", `UPDATE point_adjustment SET reason = 'x'`, "points were adjusted as a second person approved it, and lapse as he read it"},
	{"points were given at another time", `UPDATE point_adjustment SET made_at = made_at + interval '1 second'`, "a transfer is of the moment of its cause"},
	{"an adjustment is deleted", `DELETE FROM point_adjustment`, "points were adjusted as a second person approved it, and lapse as he read it"},
	{"a card brings more", `UPDATE card_type_version SET points_baht = 20`, "an order brings a member points by his card and what he paid"},
}

var errUndo = errors.New("undo")

// TestAuditSeesSQL: who may do everything in the database changes one thing after the other, and a rule of the audit finds it.
func TestAuditSeesSQL(t *testing.T) {
	s := openOffice(t)
	ann, bee, cat, dan := s.member(), s.member(), s.member(), s.member()
	s.MustBuy(cat, s.pkg)
	v := s.MustBuy(ann, s.pkg)
	s.days(8)
	s.has(ann, 36)
	s.refund(v.ID, 1)
	s.has(ann, 24)
	s.In(func(ctx context.Context, tx db.Tx) error { return points.Leave(ctx, tx, cat.Subject) })
	s.has(cat, 0)
	s.adjust(dan, 3)
	s.has(dan, 3)
	names := strings.NewReplacer("{ann}", ann.Subject.String(), "{bee}", bee.Subject.String())
	err := s.InAsSuperuser(func(ctx context.Context, tx db.Tx) error {
		exec := func(sql string) {
			_, err := tx.Exec(ctx, sql)
			require.NoError(t, err, sql)
		}
		exec(`SET LOCAL session_replication_role = replica`)
		for _, c := range changes {
			exec(`SAVEPOINT before`)
			exec(names.Replace(c.sql))
			findings, err := order.AuditTx(ctx, tx)
			require.NoError(t, err)
			require.True(t, slices.ContainsFunc(findings, func(f ledger.Finding) bool { return f.Rule == c.rule }), "%s: %v", c.name, findings)
			exec(`ROLLBACK TO before`)
		}
		return errUndo
	})
	require.ErrorIs(t, err, errUndo)
	s.MustBalance()
}
