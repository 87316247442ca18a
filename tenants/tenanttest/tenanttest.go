// Package tenanttest makes a small organisation of a test's own: services on a schema that nobody else uses, so that
// commits and races are real, and one line for each thing a test needs.
package tenanttest

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/blob"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
	"welovevoucher/tenants"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/care"
	"welovevoucher/tenants/cashout"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/hold"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/partner"
	"welovevoucher/tenants/payee"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/privacy"
	"welovevoucher/tenants/rate"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/rollup"
	"welovevoucher/tenants/session"
	"welovevoucher/tenants/settlement"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
	"welovevoucher/tenants/withholding"
)

// World is one organisation and the services that act in it. Its platform fee is 3 %.
type World struct {
	*dbtest.Server
	Org     uuid.UUID
	Key     uuid.UUID // of the organisation, which is not its id
	Order   *order.Service
	Voucher *voucher.Service
	Board   *board.Service
	Gift    *gift.Service
	Charge  *charge.Service
	Message *message.Service
	Wallet  *wallet.Service
	Pay     *Gateway

	Objection   *objection.Service
	Care        *care.Service
	Refund      *refund.Service
	Cashout     *cashout.Service
	Approval    *approval.Service
	Payout      *payout.Service
	Withholding *withholding.Service
	Hold        *hold.Service
	Privacy     *privacy.Service
	Session     *session.Service
	Cards       *order.Cards
	Member      *member.Service

	Applications *agent.Applications
	Partner      *partner.Service
	Settlement   *settlement.Service
	Album        *payee.Album
	Objects      *blob.Folder

	t   testing.TB
	box *secret.Box
}

// New makes an empty live organisation.
func New(t testing.TB) *World {
	t.Helper()
	return On(t, dbtest.Open(t))
}

// On makes one in a database of a test's own.
func On(t testing.TB, s *dbtest.Server) *World {
	t.Helper()
	objects, err := blob.OpenFolder(t.TempDir())
	require.NoError(t, err)
	w := &World{Server: s, Org: s.NewOrg(t), Pay: &Gateway{}, Objects: objects, t: t, box: newBox(t)}
	w.Restart()
	w.In(func(ctx context.Context, tx db.Tx) error {
		w.Key = tx.Key
		return ledger.OpenSystemAccounts(ctx, tx)
	})
	return w
}

// Box holds the master key of a test.
func (w *World) Box() *secret.Box { return w.box }

// Restart makes the services anew, with nothing in mind.
func (w *World) Restart() {
	services := tenants.New(tenants.Deps{
		DB: w.DB, Box: w.box, Objects: w.Objects, Gateways: charge.GatewayConfig{Open: func(charge.Keys) (payment.Gateway, error) { return w.Pay, nil }},
	})
	w.Order, w.Voucher, w.Board, w.Gift, w.Charge, w.Message, w.Wallet, w.Objection = services.Order, services.Voucher, services.Board, services.Gift, services.Charge, services.Message, services.Wallet, services.Objection
	w.Refund, w.Care, w.Cashout = services.Refund, services.Care, services.Cashout
	w.Applications, w.Album, w.Payout, w.Withholding, w.Privacy = services.Applications, services.Album, services.Payout, services.Withholding, services.Privacy
	w.Hold, w.Session, w.Cards, w.Member = services.Hold, services.Session, services.Cards, services.Member
	may := func(_ context.Context, _ uuid.UUID, a staff.Account, _, _ string) (bool, error) {
		return a.Role != staff.RoleUser, nil
	}
	w.Approval, w.Partner, w.Settlement = approval.New(w.DB, may, tenants.ApprovalKinds...), partner.New(w.DB, w.box, may), settlement.New(w.DB, w.box, may)
}

// In runs fn in the organisation's schema and fails the test when it fails.
func (w *World) In(fn func(ctx context.Context, tx db.Tx) error) {
	w.t.Helper()
	ctx := context.Background()
	require.NoError(w.t, w.DB.InOrg(ctx, w.Org, func(tx db.Tx) error { return fn(ctx, tx) }))
}

// InAsSuperuser is In with a superuser's rights, for what no use case does to a row: a fixture, or an attack. fn's error undoes it
// and is returned.
func (w *World) InAsSuperuser(fn func(ctx context.Context, tx db.Tx) error) error {
	w.t.Helper()
	ctx := context.Background()
	return w.InOrgAsSuperuser(ctx, w.t, w.Org, func(tx db.Tx) error { return fn(ctx, tx) })
}

// Force runs a statement of a fixture that the program's role may not.
func (w *World) Force(sql string, args ...any) {
	w.t.Helper()
	require.NoError(w.t, w.InAsSuperuser(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	}))
}

// EndVouchers lets all vouchers be valid until a day, as if they had been sold so. Their types are changed now, so that the audit
// does not compare what they say with what was sold.
func (w *World) EndVouchers(day time.Time) {
	w.t.Helper()
	w.Force(`UPDATE voucher SET valid_until = $1, issued_until = $1`, day)
	w.exec(`UPDATE voucher_type SET updated_at = $1`, w.Clock.Now())
	w.exec(`UPDATE gift_voucher SET updated_at = $1`, w.Clock.Now())
}

// exec runs one INSERT of a fixture.
func (w *World) exec(sql string, args ...any) {
	w.t.Helper()
	w.In(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	})
}

// Count runs a query that returns one number.
func (w *World) Count(sql string, args ...any) (n int64) {
	w.t.Helper()
	w.In(func(ctx context.Context, tx db.Tx) error { return tx.QueryRow(ctx, sql, args...).Scan(&n) })
	return n
}

// Customer makes a customer whose wallet holds balance.
func (w *World) Customer(balance money.Amount) token.Session {
	w.t.Helper()
	id := db.NewID()
	w.exec(`INSERT INTO customer (id, line_sub, display_name, refer_code, status, created_at, updated_at)
		VALUES ($1, $2, 'แอน', $2, 5, $3, $3)`, id, id.String(), w.Clock.Now())
	w.In(func(ctx context.Context, tx db.Tx) error {
		return rollup.Enqueue(ctx, tx, rollup.Facts{Customers: []uuid.UUID{id}})
	})
	if balance > 0 {
		reason := w.Adjustment(balance)
		w.In(func(_ context.Context, tx db.Tx) error {
			return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "adjustment", ID: reason},
				ledger.Posting{Debit: ledger.SystemAccount(ledger.Adjustment), Credit: ledger.AccountOf(ledger.Wallet, id), Amount: balance}))
		})
	}
	return token.Session{Audience: token.User, Org: w.Org, Subject: id}
}

// VerifyMobile proves, without a code, that a customer has a mobile number.
func (w *World) VerifyMobile(who token.Session) {
	w.t.Helper()
	w.Force(`UPDATE customer SET mobile = '\x00', mobile_verified_at = $2 WHERE id = $1`, who.Subject, w.Clock.Now())
}

// OpenBoard lets customers sell vouchers on, with a royalty.
func (w *World) OpenBoard(royaltyBasisPoints int) {
	w.t.Helper()
	in := board.Setting{Open: true, RoyaltyBasisPoints: royaltyBasisPoints, CapPercent: 100, Days: 30}
	require.NoError(w.t, w.Board.SaveSetting(context.Background(), w.Org, auditlog.Actor{}, in))
}

// Adjustment is why two people move money by hand: its id is the cause of the transfer.
func (w *World) Adjustment(amount money.Amount) uuid.UUID {
	w.t.Helper()
	id := db.NewID()
	w.exec(`INSERT INTO adjustment (id, amount_satang, reason, asked_by, approved_by, at) VALUES ($1, $2, 'fixture', $3, $4, now())`,
		id, amount, db.NewID(), db.NewID())
	return id
}

// Staff makes an account that scans vouchers.
func (w *World) Staff() token.Session {
	w.t.Helper()
	id := db.NewID()
	w.exec(`INSERT INTO staff (id, username, name, role, status, created_at, updated_at)
		VALUES ($1, $2, 'ต้อม', 'user', 5, now(), now())`, id, id.String())
	return token.Session{Audience: token.Staff, Org: w.Org, Subject: id}
}

// Owner makes an account of the back office that has every right, and signs it in.
func (w *World) Owner() token.Session {
	w.t.Helper()
	id := db.NewID()
	w.exec(`INSERT INTO staff (id, username, name, password_hash, role, status, created_at, updated_at)
		VALUES ($1, $2, 'วราภรณ์', 'x', 'adminowner', 5, now(), now())`, id, id.String())
	return w.SignInAnew(token.Session{Audience: token.Owner, Org: w.Org, Subject: id})
}

// SignInAnew returns a session that begins now.
func (w *World) SignInAnew(who token.Session) token.Session {
	absolute, _ := token.Lifetime(who.Audience)
	who.Expires = w.Clock.Now().Add(absolute)
	return who
}

// ServicePoint makes an active service point.
func (w *World) ServicePoint() uuid.UUID {
	w.t.Helper()
	id := db.NewID()
	w.exec(`INSERT INTO service_point (id, name_th, name_en, status, created_at, updated_at)
		VALUES ($1, 'สาขาทองหล่อ', 'Thong Lo', 5, now(), now())`, id)
	return id
}

// Close closes a service point from one day to another, and returns the closure.
func (w *World) Close(servicePoint uuid.UUID, first, last time.Time) uuid.UUID {
	w.t.Helper()
	id := db.NewID()
	w.exec(`INSERT INTO closure (id, service_point_id, first_day, last_day, reason_th, reason_en, status, created_at, updated_at)
		VALUES ($1, $2, $3, $4, 'ปิดปรับปรุง', 'Renovation', 5, now(), now())`, id, servicePoint, first, last)
	return id
}

// Package is what a test sells. Zero values: one voucher of one item, valid for 90 days, no limit of any kind.
type Package struct {
	Price       money.Amount
	Items       int
	Vouchers    int
	GiftValue   money.Amount // makes it a gift voucher worth this much
	Stock       *int
	PerCustomer *int
	Only        []uuid.UUID // service points; none means everywhere
	Usable      catalog.Conditions
	ToWallet    bool // what is left at the end of its validity
	Transfers   int  // how often each may be given
	Together    bool // all of an order are given together
	Extras      int  // vouchers that come along for nothing, valid for thirty days longer
	Draft       bool
	Class       string              // of goods; none means ordinary
	Refunds     catalog.RefundTerms // of its payer; without a rule by asking, for seven days, without a fee
}

// Package puts one on sale.
func (w *World) Package(p Package) uuid.UUID {
	w.t.Helper()
	template, id, status := db.NewID(), db.NewID(), 5
	if p.Draft {
		status = 1
	}
	var typeID, giftID *uuid.UUID
	if p.GiftValue > 0 {
		giftID = &template
		w.exec(`INSERT INTO gift_voucher (id, name_th, name_en, value_satang, valid_days, transfer_rule, status, created_at, updated_at)
			VALUES ($1, 'บัตรของขวัญ', 'Gift card', $2, 90, 'unlimited', 5, now(), now())`, template, p.GiftValue)
	} else {
		typeID = &template
		w.exec(`INSERT INTO voucher_type (id, name_th, name_en, items, list_price_satang, valid_days, transfer_rule, status, created_at, updated_at)
			VALUES ($1, 'นวดอโรมา 90 นาที', 'Aroma massage', $2, 120000, 90, 'times', 5, now(), now())`, template, max(1, p.Items))
	}
	if p.ToWallet {
		w.exec(`UPDATE voucher_type SET expiry_rule = 'wallet' WHERE id = $1`, template)
	}
	w.exec(`UPDATE voucher_type SET transfer_times = $2, transfer_together = $3 WHERE id = $1`, template, p.Transfers, p.Together)
	for _, servicePoint := range p.Only {
		w.exec(`INSERT INTO template_service_point (template_id, service_point_id) VALUES ($1, $2)`, template, servicePoint)
	}
	w.exec(`INSERT INTO template_version (id, template_id, conditions_th, conditions_en, service_point_ids, weekdays, use_from, use_to, blackout_days, persons, current, created_at)
		VALUES ($1, $2, '', '', $3, $4, $5, $6, $7, $8, true, now())`, db.NewID(), template, append([]uuid.UUID{}, p.Only...),
		append([]int16{}, p.Usable.Weekdays...), p.Usable.UseFrom, p.Usable.UseTo, append([]string{}, p.Usable.BlackoutDays...), p.Usable.Persons)
	if p.Class == "" {
		p.Class = "ordinary"
	}
	if p.Refunds.Rule == "" {
		p.Refunds = catalog.RefundTerms{Rule: "asking", Days: 7}
	}
	w.exec(`INSERT INTO package (id, code, name_th, name_en, price_satang, per_customer, class, refund_rule, refund_days, refund_fee_basis_points, status, created_at, updated_at)
		VALUES ($1, $2, 'แพ็กเกจทดสอบ', 'Test package', $3, $4, $5, $6, $7, $8, $9, now(), now())`,
		id, id.String(), p.Price, p.PerCustomer, p.Class, p.Refunds.Rule, p.Refunds.Days, p.Refunds.FeeBasisPoints, status)
	w.exec(`INSERT INTO package_part (package_id, position, voucher_type_id, gift_voucher_id, quantity) VALUES ($1, 1, $2, $3, $4)`,
		id, typeID, giftID, max(1, p.Vouchers))
	if p.Extras > 0 {
		extra := db.NewID()
		w.exec(`INSERT INTO voucher_type (id, name_th, name_en, items, list_price_satang, valid_days, transfer_rule, status, created_at, updated_at)
			VALUES ($1, 'ชาสมุนไพร', 'Herbal tea', 1, 0, 120, 'times', 5, now(), now())`, extra)
		w.exec(`INSERT INTO template_version (id, template_id, conditions_th, conditions_en, service_point_ids, current, created_at)
			VALUES ($1, $2, '', '', '{}', true, now())`, db.NewID(), extra)
		w.exec(`INSERT INTO package_part (package_id, position, voucher_type_id, quantity) VALUES ($1, 2, $2, $3)`, id, extra, p.Extras)
	}
	w.exec(`INSERT INTO stock (package_id, quantity) VALUES ($1, $2)`, id, p.Stock)
	return id
}

// Text puts a new version of a text in force that people of an audience are asked for after signing in.
func (w *World) Text(kind, audience string) uuid.UUID {
	w.t.Helper()
	id := db.NewID()
	w.exec(`UPDATE consent_version SET active = false WHERE document = $1 AND audience = $2 AND purpose = 'customer'`, kind, audience)
	w.exec(`INSERT INTO consent_version (id, document, purpose, audience, version, title_th, title_en, body_th, body_en, active, status, created_at, updated_at)
		VALUES ($1, $2, 'customer', $3, $4, 'ก', 'A', 'ข', 'B', true, 5, now(), now())`, id, kind, audience, id.String()[24:])
	return id
}

// Agent approves a customer at a rate in basis points and returns the agent's id. His commission matures by use.
func (w *World) Agent(customer token.Session, basisPoints int) uuid.UUID {
	w.t.Helper()
	return w.AgentBy(customer, basisPoints, commission.Rule{Matures: "use"})
}

// AgentBy is Agent for another rule.
func (w *World) AgentBy(customer token.Session, basisPoints int, rule commission.Rule) uuid.UUID {
	w.t.Helper()
	kind, id := db.NewID(), db.NewID()
	w.exec(`INSERT INTO agent_type (id, name_th, name_en, rate_basis_points, matures, mature_days, status, created_at, updated_at)
		VALUES ($1, 'ทั่วไป', 'Standard', $2, $3, $4, 5, now(), now())`, kind, basisPoints, rule.Matures, rule.Days)
	w.exec(`WITH payee AS (INSERT INTO payee (id, kind, created_at) VALUES ($1, 'agent', now()))
		INSERT INTO agent (id, customer_id, agent_type_id, state, created_at, updated_at) VALUES ($1, $2, $3, 'approved', now(), now())`, id, customer.Subject, kind)
	w.In(func(_ context.Context, tx db.Tx) error {
		ledger.OpenAccounts(tx, commission.Pending(id))
		return nil
	})
	return id
}

// PartnerAt makes a partner of a service point, who earns so many basis points of what is used there from today.
func (w *World) PartnerAt(servicePoint uuid.UUID, basisPoints int32) (id uuid.UUID) {
	w.t.Helper()
	w.In(func(ctx context.Context, tx db.Tx) error {
		made, err := partner.Partners.Save(ctx, tx, auditlog.Actor{}, partner.Row{NameTH: "ร้านพี่แดง", NameEN: "Daeng's"})
		if err != nil {
			return err
		}
		id = made.ID
		if _, err := partner.Rates.Save(ctx, tx, auditlog.Actor{}, partner.RateRow{Partner: id, BasisPoints: basisPoints, FirstDay: clock.Day(tx.Now).Format(time.DateOnly)}); err != nil {
			return err
		}
		tx.Queue(`UPDATE service_point SET partner_id = $2 WHERE id = $1`, servicePoint, id)
		return nil
	})
	return id
}

// PersonForm is what a person in Thailand says of himself to be paid, with an account of its own.
func PersonForm() payee.Form {
	return payee.Form{
		Kind: payee.Person, FirstName: "นก", LastName: "ใจดี", Resident: true, IDCard: "1" + digits(12), BirthDate: "1990-01-01", Mobile: "08" + digits(8), Email: "nok@example.com",
		Address: "1", Subdistrict: "พระสิงห์", District: "เมือง", Province: "เชียงใหม่", Postcode: "50200", Nationality: "TH", Bank: "014", Number: digits(10), AccountName: "นก ใจดี",
	}
}

// CompanyForm is what a company says of itself that is registered for VAT.
func CompanyForm() payee.Form {
	f := PersonForm()
	f.Kind, f.Company, f.TaxID, f.Branch, f.VATRegistered, f.BirthDate, f.AccountName = payee.Company, "บริษัท นกขาย จำกัด", "0"+digits(12), "00000", true, "", "บริษัท นกขาย จำกัด"
	return f
}

// digits are n of a number that nobody else has, at most twelve.
func digits(n int) string {
	id := uuid.New()
	text := strconv.FormatUint(binary.BigEndian.Uint64(id[8:]), 10)
	return text[len(text)-n:]
}

// Payee has an agent's form approved by somebody, and returns its version.
func (w *World) Payee(agentID uuid.UUID, by token.Session, f payee.Form) (id uuid.UUID) {
	w.t.Helper()
	w.In(func(ctx context.Context, tx db.Tx) (err error) {
		if id, err = payee.Send(ctx, tx, w.box, agentID, payee.Draft{Form: f}, nil); err != nil {
			return err
		}
		versions, err := payee.Versions(ctx, tx, w.box, agentID)
		if err != nil {
			return err
		}
		var before *payee.Version
		for _, v := range versions[1:] {
			if v.State == "approved" {
				before = &v
				break
			}
		}
		_, err = versions[0].Approve(ctx, tx, by.Subject, "", before)
		return err
	})
	return id
}

// BankDays makes banks open on every weekday of the clock's year and the next, but one.
func (w *World) BankDays() {
	w.t.Helper()
	require.NoError(w.t, w.DB.InPlatform(w.t.Context(), func(tx db.Tx) error {
		for _, year := range []int{w.Clock.Now().Year(), w.Clock.Now().Year() + 1} {
			tx.Queue(`INSERT INTO bank_holiday (day, name_th, name_en, source, added_at) VALUES ($1, 'วันหยุด', 'A holiday', 'a test', now()) ON CONFLICT (day) DO NOTHING`, fmt.Sprintf("%d-01-01", year))
		}
		return tx.Flush(w.t.Context())
	}))
}

// Recruit names who recruited an agent, and what he earns of what the agent's type sells, in basis points.
func (w *World) Recruit(agentID, recruiter uuid.UUID, basisPoints int) {
	w.t.Helper()
	w.exec(`UPDATE agent SET recruiter_id = $2 WHERE id = $1`, agentID, recruiter)
	w.exec(`UPDATE agent_type SET recruiter_basis_points = $2 WHERE id = (SELECT agent_type_id FROM agent WHERE id = $1)`, agentID, basisPoints)
}

// SpecialRate gives agents of an agent's type another rate of a package, from today: satang for each piece, or basis points.
func (w *World) SpecialRate(agentID, pkg uuid.UUID, baht bool, value int64) {
	w.t.Helper()
	row := rate.Row{Package: &pkg, Kind: rate.Percent, Value: value}
	if baht {
		row.Kind = rate.Baht
	}
	w.In(func(ctx context.Context, tx db.Tx) error {
		row.FirstDay = clock.Day(tx.Now).Format(time.DateOnly)
		if err := tx.QueryRow(ctx, `SELECT agent_type_id FROM agent WHERE id = $1`, agentID).Scan(&row.Type); err != nil {
			return err
		}
		_, err := rate.SpecialRates.Save(ctx, tx, auditlog.Actor{}, row)
		return err
	})
}

// Visit lets a customer open an agent's link to a package.
func (w *World) Visit(customer token.Session, agentID, pkg uuid.UUID) {
	w.t.Helper()
	link := db.NewID()
	w.exec(`INSERT INTO sale_link (id, code, agent_id, package_id, created_at) VALUES ($1, $2, $3, $4, now()) ON CONFLICT (agent_id, package_id) DO NOTHING`,
		link, link.String(), agentID, pkg)
	w.exec(`INSERT INTO link_visit (customer_id, link_id, at) SELECT $1, id, $4 FROM sale_link WHERE agent_id = $2 AND package_id = $3
		ON CONFLICT (customer_id) DO UPDATE SET link_id = excluded.link_id, at = excluded.at`, customer.Subject, agentID, pkg, w.Clock.Now())
}

// Quote prices n pieces of a package, with codes of discounts.
func (w *World) Quote(who token.Session, pkg uuid.UUID, n int, codes ...string) order.BuyInput {
	w.t.Helper()
	lines := []order.Line{{Package: pkg, Quantity: n}}
	q, err := w.Order.Quote(context.Background(), who, order.QuoteInput{Lines: lines, Codes: codes})
	require.NoError(w.t, err)
	return order.BuyInput{Lines: lines, Codes: codes, Hash: q.Hash, Accepted: []uuid.UUID{}, Lang: "th"}
}

// MustBuy buys one piece of a package and returns its first voucher.
func (w *World) MustBuy(who token.Session, pkg uuid.UUID) voucher.Voucher {
	w.t.Helper()
	order, err := w.Order.Buy(context.Background(), who, Key(), w.Quote(who, pkg, 1))
	require.NoError(w.t, err)
	return order.Vouchers[0]
}

// Scan holds a use's QR of this moment before a member of staff, who may confirm it for a minute.
func (w *World) Scan(staff token.Session, use voucher.UseSession, servicePoint uuid.UUID) {
	w.t.Helper()
	secret, err := base64.RawURLEncoding.DecodeString(use.Secret)
	require.NoError(w.t, err)
	_, err = w.Voucher.Verify(context.Background(), staff, voucher.ScanInput{Code: voucher.QR(w.Org, use.ID, secret, w.Clock.Now()), ServicePoint: servicePoint})
	require.NoError(w.t, err)
}

// MustRedeem has a customer's voucher used: asked for, scanned and confirmed.
func (w *World) MustRedeem(who token.Session, v uuid.UUID, items int64, staff token.Session, servicePoint uuid.UUID) {
	w.t.Helper()
	use, err := w.Voucher.StartUse(context.Background(), who, Key(), voucher.UseInput{Voucher: v, ServicePoint: servicePoint, Items: items})
	require.NoError(w.t, err)
	w.Scan(staff, use, servicePoint)
	_, err = w.Voucher.Confirm(context.Background(), staff, Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: servicePoint})
	require.NoError(w.t, err)
}

// Balance of a customer's wallet.
func (w *World) Balance(who token.Session) money.Amount {
	w.t.Helper()
	balance, err := w.Wallet.Balance(context.Background(), who)
	require.NoError(w.t, err)
	return balance
}

// SystemBalance is the balance of one of the organisation's own accounts: credits less debits.
func (w *World) SystemBalance(kind ledger.Kind) money.Amount {
	return w.account(ledger.SystemAccount(kind))
}

// Mature posts what has matured of commissions.
func (w *World) Mature() {
	w.t.Helper()
	require.NoError(w.t, commission.MatureDue(w.t.Context(), w.DB, w.Org))
}

// Earned is what an agent can be paid out, or owes.
func (w *World) Earned(agentID uuid.UUID) (b commission.Balance) {
	w.t.Helper()
	w.In(func(ctx context.Context, tx db.Tx) (err error) {
		b, err = commission.BalanceOf(ctx, tx, agentID)
		return err
	})
	return b
}

// Pending is the commission that an agent waits for.
func (w *World) Pending(agentID uuid.UUID) money.Amount {
	return w.account(commission.Pending(agentID))
}

func (w *World) account(a ledger.Account) money.Amount {
	w.t.Helper()
	return money.Amount(w.Count(`SELECT coalesce(sum(CASE WHEN credit_id = $1 THEN amount_satang ELSE -amount_satang END), 0)
		FROM entry WHERE credit_id = $1 OR debit_id = $1`, a.ID(w.Key)))
}

// MustBalance fails the test when the audit finds anything.
func (w *World) MustBalance() {
	w.t.Helper()
	findings, err := order.Audit(context.Background(), w.DB, w.Org)
	require.NoError(w.t, err)
	require.Empty(w.t, findings)
}

// States are all of a voucher.
var States = []voucher.State{
	voucher.Ready, voucher.InUse, voucher.OnSale, voucher.InTransfer, voucher.Frozen, voucher.Used, voucher.Expired, voucher.Refunded, voucher.Void,
}

// StateFaults are what a voucher's state answers to its holder who wants what only a ready one can.
var StateFaults = map[voucher.State]error{
	voucher.InUse: voucher.ErrInUse, voucher.OnSale: voucher.ErrOnSale, voucher.InTransfer: voucher.ErrInTransfer, voucher.Frozen: voucher.ErrFrozen,
	voucher.Used: voucher.ErrAlreadyUsed, voucher.Expired: voucher.ErrExpired, voucher.Refunded: voucher.ErrRefunded, voucher.Void: voucher.ErrVoid,
}

// Key is a fresh idempotency key.
func Key() string { return uuid.NewString() }

// Discount is what one costs. What is left out is automatic, in baht off the cart, paid by the organisation, and stands beside all others.
type Discount struct {
	Code     string // makes it one by this code
	Codes    []string
	Line     bool
	Percent  bool
	Value    int64
	Max      *money.Amount
	Payer    string
	Least    money.Amount
	First    bool
	Each     *int
	Stack    string
	Uses     *int
	Budget   *money.Amount
	CodeUses *int // of each code
	Only     []uuid.UUID
	Ends     *time.Time
}

// Discount makes an active discount.
func (w *World) Discount(d Discount) uuid.UUID {
	w.t.Helper()
	id, how, class, kind := db.NewID(), "automatic", "cart", "baht"
	codes := d.Codes
	switch {
	case d.Code != "":
		how, codes = "code", []string{d.Code}
	case len(codes) > 0:
		how = "codes"
	}
	if d.Line {
		class = "line"
	}
	if d.Percent {
		kind = "percent"
	}
	w.In(func(ctx context.Context, tx db.Tx) error {
		tx.Queue(`INSERT INTO discount (id, name_th, name_en, how, class, kind, value, max_satang, payer, least_satang, first_only, uses_each, stack, ends_at, status, created_at, updated_at)
			VALUES ($1, 'ส่วนลดทดสอบ', 'Test discount', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 5, $13, $13)`,
			id, how, class, kind, d.Value, d.Max, cmp.Or(d.Payer, "organisation"), d.Least, d.First, d.Each, cmp.Or(d.Stack, "all"), d.Ends, tx.Now)
		tx.Queue(`INSERT INTO discount_count (discount_id, uses, budget_satang) VALUES ($1, $2, $3)`, id, d.Uses, d.Budget)
		for _, code := range codes {
			tx.Queue(`INSERT INTO discount_code (id, discount_id, code, uses, created_at) VALUES ($1, $2, $3, $4, $5)`, db.NewID(), id, code, d.CodeUses, tx.Now)
		}
		for i, pkg := range d.Only {
			tx.Queue(`INSERT INTO discount_scope (discount_id, position, package_id) VALUES ($1, $2, $3)`, id, i, pkg)
		}
		return catalog.BumpRevision(ctx, tx)
	})
	return id
}
