package commission_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/partner"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// An item of the package earns the organisation 261.00: 300.00 less 3 % and 10 %. A fifth of that is 52.20.
const (
	earnedByItem = 261_00
	fifth        = 52_20
)

// ofPartner requires what a partner has, after what is due by time was posted, and that the books and the reports agree.
func (s shop) ofPartner(t *testing.T, id uuid.UUID, pending, payable money.Amount) {
	t.Helper()
	s.Mature()
	require.Equal(t, []money.Amount{pending, payable}, []money.Amount{s.Pending(id), s.Earned(id).Payable}, "pending, payable")
	s.MustBalance()
	s.ReportsAgree(t)
}

func (s shop) objects(t *testing.T, use uuid.UUID) uuid.UUID {
	t.Helper()
	_, err := s.Objection.Object(t.Context(), s.ann, tenanttest.Key(), objection.Input{Use: use})
	require.NoError(t, err)
	return s.one(`SELECT id FROM objection ORDER BY id DESC LIMIT 1`)
}

func (s shop) decides(t *testing.T, id uuid.UUID, undo bool) {
	t.Helper()
	require.NoError(t, s.Objection.Decide(t.Context(), s.Org, s.manager(), objection.Decision{ID: id, Undo: undo}))
}

// TestPartnersUse: a partner has his rate of what is used at his service point, once nobody can object to it any more. Other service points earn nobody anything.
func TestPartnersUse(t *testing.T) {
	s := open(t, commission.Rule{Matures: "sale"})
	v := s.MustBuy(s.ann, s.pkg).ID
	s.use(t, v, 1)
	require.Zero(t, s.Count(`SELECT count(*) FROM commission WHERE redemption_id IS NOT NULL`))
	daeng := s.PartnerAt(s.place, 2000)
	s.use(t, v, 1)
	s.ofPartner(t, daeng, fifth, 0)
	require.EqualValues(t, fifth, s.Count(`SELECT partner_satang FROM redemption WHERE partner_id IS NOT NULL`))
	before, then := s.until(2)
	before()
	s.ofPartner(t, daeng, fifth, 0)
	then()
	s.ofPartner(t, daeng, 0, fifth)

	s.In(func(ctx context.Context, tx db.Tx) error {
		return partner.Partners.SetStatus(ctx, tx, auditlog.Actor{}, []uuid.UUID{daeng}, resource.Inactive)
	})
	s.use(t, v, 1)
	s.ofPartner(t, daeng, 0, fifth) // he has ended
}

// TestPartnersRate: half up, and never more than the use earned; a later rate holds for later uses, and so does another partner.
func TestPartnersRate(t *testing.T) {
	s := open(t, commission.Rule{Matures: "sale"})
	cheap := s.Package(tenanttest.Package{Price: 1, Items: 1})
	daeng := s.PartnerAt(s.place, 5000)
	s.use(t, s.MustBuy(s.ann, cheap).ID, 1)
	require.EqualValues(t, 1, s.Count(`SELECT partner_satang FROM redemption WHERE amount_satang = 1`), "half of one, half up")
	s.ofPartner(t, daeng, 1, 0)

	s.In(func(ctx context.Context, tx db.Tx) error {
		_, err := partner.Rates.Save(ctx, tx, auditlog.Actor{}, partner.RateRow{Partner: daeng, BasisPoints: 0, FirstDay: clock.Day(tx.Now).AddDate(0, 0, 1).Format(time.DateOnly)})
		return err
	})
	v := s.MustBuy(s.ann, s.pkg).ID
	s.use(t, v, 1)
	s.ofPartner(t, daeng, 1+earnedByItem/2, 0)
	_, then := s.until(1)
	then()
	s.use(t, v, 1)
	s.ofPartner(t, daeng, 1+earnedByItem/2, 0)

	use, err := s.Voucher.StartUse(t.Context(), s.ann, tenanttest.Key(), voucher.UseInput{Voucher: v, ServicePoint: s.place, Items: 1})
	require.NoError(t, err)
	other := s.PartnerAt(s.place, 2000) // the service point is another one's before it is confirmed
	s.Scan(s.staff, use, s.place)
	_, err = s.Voucher.Confirm(t.Context(), s.staff, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: s.place})
	require.NoError(t, err)
	s.ofPartner(t, other, fifth, 0)
}

// TestObjectionToPartnersUse: an objection takes what a partner earned of the use; he has it back at once when the use stands after its days, and never when it is undone.
func TestObjectionToPartnersUse(t *testing.T) {
	s := open(t, commission.Rule{Matures: "sale"})
	daeng := s.PartnerAt(s.place, 2000)
	v := s.MustBuy(s.ann, s.pkg).ID
	first, second, third := s.use(t, v, 1), s.use(t, v, 1), s.use(t, v, 1)
	soon := s.objects(t, first)
	s.ofPartner(t, daeng, 2*fifth, 0)
	s.decides(t, soon, false)
	s.ofPartner(t, daeng, 3*fifth, 0)
	before, then := s.until(2)
	before()
	stands, undone := s.objects(t, second), s.objects(t, third)
	then()
	s.ofPartner(t, daeng, 0, fifth)
	s.decides(t, stands, false)
	s.ofPartner(t, daeng, 0, 2*fifth)
	s.decides(t, undone, true)
	s.ofPartner(t, daeng, 0, 2*fifth)
	s.Clock.Advance(100 * time.Hour)
	s.ofPartner(t, daeng, 0, 2*fifth)
}

// TestAuditOfPartners: whatever is changed of what a partner earns of a use, a rule finds it.
func TestAuditOfPartners(t *testing.T) {
	const rule = "a use at a partner's service point earns him his rate of it, which an objection takes and a use that stands gives back"
	s := open(t, commission.Rule{Matures: "sale"})
	other := s.PartnerAt(s.ServicePoint(), 2000)
	daeng := s.PartnerAt(s.place, 2000)
	v := s.MustBuy(s.ann, s.pkg).ID
	s.use(t, v, 1)
	s.objects(t, s.use(t, v, 1))
	s.MustBalance()
	ids := strings.NewReplacer("{daeng}", "'"+daeng.String()+"'", "{other}", "'"+other.String()+"'")
	for _, c := range []struct{ name, do, undo string }{
		{"he earned more", `UPDATE redemption SET partner_satang = partner_satang + 1`, `UPDATE redemption SET partner_satang = partner_satang - 1`},
		{"he has another rate", `UPDATE redemption SET partner_basis_points = 1999`, `UPDATE redemption SET partner_basis_points = 2000`},
		{"his rate was another", `UPDATE partner_rate SET basis_points = 1999 WHERE partner_id = {daeng}`, `UPDATE partner_rate SET basis_points = 2000 WHERE partner_id = {daeng}`},
		{"somebody else earned it", `UPDATE redemption SET partner_id = {other}`, `UPDATE redemption SET partner_id = {daeng}`},
		{"the commission is somebody else's", `UPDATE commission SET partner_id = {other} WHERE partner_id = {daeng}`, `UPDATE commission SET partner_id = {daeng} WHERE partner_id = {other}`},
		{"the commission is of more", `UPDATE commission SET paid_satang = paid_satang + 1 WHERE redemption_id IS NOT NULL`, `UPDATE commission SET paid_satang = paid_satang - 1 WHERE redemption_id IS NOT NULL`},
		{"it matures later", `UPDATE commission SET mature_days = 2 WHERE redemption_id IS NOT NULL`, `UPDATE commission SET mature_days = 1 WHERE redemption_id IS NOT NULL`},
		{"an objection took nothing", `UPDATE objection SET state = 'stands', decided_at = due_at, decided_by = (SELECT id FROM staff LIMIT 1)`, `UPDATE objection SET state = 'open', decided_at = NULL, decided_by = NULL`},
		{"nobody earned it", `UPDATE redemption SET partner_id = NULL, partner_satang = NULL, partner_basis_points = NULL`, `UPDATE redemption SET partner_id = {daeng}, partner_satang = 5220, partner_basis_points = 2000`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.Force(ids.Replace(c.do))
			findings, err := order.Audit(t.Context(), s.DB, s.Org)
			require.NoError(t, err)
			require.True(t, slices.ContainsFunc(findings, func(f ledger.Finding) bool { return f.Rule == rule }), "%v", findings)
			s.Force(ids.Replace(c.undo))
			s.MustBalance()
		})
	}
}
