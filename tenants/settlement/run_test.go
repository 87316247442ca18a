package settlement_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/bankfile"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/settlement"
	"welovevoucher/tenants/tax"
	"welovevoucher/tenants/tenanttest"
)

// paid is an organisation of which the platform's gateway account holds what customers have paid, and two admins.
type paid struct {
	*office
	other auditlog.Actor
}

func openPaid(t *testing.T) *paid {
	t.Helper()
	p := &paid{office: open(t)}
	p.BankDays()
	p.platform(`UPDATE settlement_run SET state = 'cancelled', ended_at = drafted_at WHERE state = 'draft'`) // of a test that failed
	p.admin, p.other = p.addAdmin(), p.addAdmin()
	form := tenanttest.CompanyForm()
	require.NoError(t, p.fill(p.first, form))
	require.NoError(t, p.accept(p.second, ""))
	id := p.newest(p.first).ID
	p.follow(id)
	require.NoError(t, p.Settlement.AcceptByAdmin(t.Context(), p.admin, settlement.ByForm{Version: id}))
	p.Clock.Advance(8 * 24 * time.Hour)
	return p
}

func (p *paid) addAdmin() auditlog.Actor {
	p.t.Helper()
	id := db.NewID()
	require.NoError(p.t, p.DB.InPlatform(p.t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(p.t.Context(), `INSERT INTO admin (id, username, name, password_hash, role, status, created_at) VALUES ($1, $2, 'ผู้ดูแล', '', 'superadmin', 5, $3)`, id, id.String(), tx.Now)
		return err
	}))
	return auditlog.Actor{Kind: token.Admin, ID: id}
}

// sell has so much come in at the platform's gateway account, be sold and used, of which the platform has a fee, two days ago.
func (p *paid) sell(share, fee money.Amount) {
	p.t.Helper()
	p.In(func(_ context.Context, tx db.Tx) error {
		gateway, unearned := ledger.SystemAccount(ledger.GatewayPlatform), ledger.SystemAccount(ledger.Unearned)
		return ledger.Post(tx,
			ledger.NewTransfer(ledger.Cause{Kind: "purchase", ID: db.NewID()}, ledger.Posting{Debit: gateway, Credit: unearned, Amount: share}, ledger.Posting{Debit: gateway, Credit: ledger.SystemAccount(ledger.PlatformFee), Amount: fee}),
			ledger.NewTransfer(ledger.Cause{Kind: "use", ID: db.NewID()}, ledger.Posting{Debit: unearned, Credit: ledger.SystemAccount(ledger.Payable), Amount: share}))
	})
	p.Clock.Advance(3 * 24 * time.Hour)
}

func (p *paid) bankDay() string {
	p.t.Helper()
	calendar, err := tax.ReadCalendar(p.t.Context(), p.DB)
	require.NoError(p.t, err)
	day, ok := calendar.BankDayAfter(clock.Day(p.Clock.Now()), 1)
	require.True(p.t, ok)
	return day.Format(time.DateOnly)
}

func (p *paid) draft() uuid.UUID {
	p.t.Helper()
	of, err := p.Settlement.Draft(p.t.Context(), p.admin, settlement.DraftInput{UpTo: clock.Day(p.Clock.Now()).AddDate(0, 0, -1).Format(time.DateOnly), PayDay: p.bankDay(), Minimum: 100_00})
	require.NoError(p.t, err)
	p.work()
	return of.ID
}

func (p *paid) work() {
	p.t.Helper()
	require.NoError(p.t, p.Settlement.Work(p.t.Context()))
}

func (p *paid) run(id uuid.UUID) settlement.RunDetail {
	p.t.Helper()
	d, err := p.Settlement.Run(p.t.Context(), settlement.ByRun{ID: id})
	require.NoError(p.t, err)
	return d
}

// row is what the organisation is paid of a run.
func (p *paid) row(id uuid.UUID) settlement.Row {
	p.t.Helper()
	for _, r := range p.run(id).Payments {
		if r.Org == p.Org {
			return r
		}
	}
	return settlement.Row{}
}

func (p *paid) approve(by auditlog.Actor, id uuid.UUID, hash string) error {
	who := token.Session{Audience: token.Admin, Subject: by.ID}
	return p.Settlement.Approve(p.t.Context(), who, by, settlement.Approval{ID: id, Hash: hash})
}

// booked is a run that pays the organisation and is booked.
func (p *paid) booked() uuid.UUID {
	p.t.Helper()
	id := p.draft()
	require.Equal(p.t, bankfile.Ready, p.row(id).State, p.row(id).LeftOut)
	require.NoError(p.t, p.approve(p.other, id, p.run(id).Hash))
	p.work()
	require.Equal(p.t, bankfile.Booked, p.row(id).State)
	return id
}

func (p *paid) file(id uuid.UUID, outcome, reason string) (bankfile.ReadResult, error) {
	r := p.row(id)
	text := fmt.Sprintf("reference,amount,outcome,day,reason\r\n%s,%d.%02d,%s,%s,%s\r\n", r.Reference, r.Amount/100, r.Amount%100, outcome, clock.Day(p.Clock.Now()).Format(time.DateOnly), reason)
	return p.Settlement.ReadFile(p.t.Context(), p.admin, settlement.ResultFile{ID: id, Name: "result.csv", Text: text})
}

// platform changes rows of the platform's schema as no use case does.
func (p *paid) platform(sql string, args ...any) {
	p.t.Helper()
	require.NoError(p.t, p.DB.InPlatform(context.Background(), func(tx db.Tx) error {
		_, err := tx.Exec(context.Background(), sql, args...)
		return err
	}))
}

func (p *paid) findings() []ledger.Finding {
	p.t.Helper()
	var found []ledger.Finding
	p.In(func(ctx context.Context, tx db.Tx) (err error) {
		found, err = ledger.Audit(ctx, tx, settlement.Rules...)
		return err
	})
	return found
}

// TestSettlement: a run of one admin that another approved is booked in the organisation, sent to the bank and paid, with the platform's fee; its statement adds up.
func TestSettlement(t *testing.T) {
	p := openPaid(t)
	p.sell(1_000_00, 30_00)
	id := p.draft()
	_, err := p.Settlement.Draft(t.Context(), p.other, settlement.DraftInput{UpTo: clock.Day(p.Clock.Now()).AddDate(0, 0, -1).Format(time.DateOnly), PayDay: p.bankDay(), Minimum: 1})
	require.ErrorIs(t, err, settlement.ErrDraftOpen)
	require.Equal(t, []any{bankfile.Ready, money.Amount(1_000_00), money.Amount(30_00)}, []any{p.row(id).State, p.row(id).Amount, p.row(id).Fee})
	hash := p.run(id).Hash
	require.ErrorIs(t, p.approve(p.admin, id, hash), settlement.ErrSamePerson)
	require.ErrorIs(t, p.approve(p.other, id, strings.Repeat("0", 64)), settlement.ErrChanged)
	_, err = p.Settlement.Export(t.Context(), p.admin, settlement.ByRun{ID: id})
	require.ErrorIs(t, err, settlement.ErrNotNow)
	require.NoError(t, p.approve(p.other, id, hash))
	require.ErrorIs(t, p.approve(p.other, id, hash), settlement.ErrNotNow)
	_, err = p.Settlement.Export(t.Context(), p.admin, settlement.ByRun{ID: id})
	require.ErrorIs(t, err, settlement.ErrBooking)
	p.work()
	p.work()
	require.Equal(t, money.Amount(0), p.SystemBalance(ledger.Payable))
	require.Equal(t, money.Amount(1_000_00), p.SystemBalance(ledger.BankClearing))

	made, err := p.Settlement.Export(t.Context(), p.admin, settlement.ByRun{ID: id})
	require.NoError(t, err)
	again, err := p.Settlement.Export(t.Context(), p.other, settlement.ByRun{ID: id})
	require.NoError(t, err)
	require.Equal(t, made, again)
	require.Contains(t, made.Text, "1000.00")
	require.ErrorIs(t, p.Settlement.Withdraw(t.Context(), p.admin, settlement.Withdrawal{ID: id, Reason: "x"}), settlement.ErrNotNow)

	_, err = p.Settlement.ReadFile(t.Context(), p.admin, settlement.ResultFile{ID: id, Name: "r", Text: "reference,amount,outcome,day,reason\r\n" + p.row(id).Reference + ",1.00,paid,2026-01-01,\r\n"})
	require.ErrorIs(t, err, fault.BadInput)
	result, err := p.file(id, "paid", "")
	require.NoError(t, err)
	require.Equal(t, 1, result.Applied)
	result, err = p.file(id, "paid", "")
	require.NoError(t, err)
	require.Equal(t, 1, result.Known)
	p.work()
	p.work()
	require.Equal(t, []money.Amount{0, 0, 0}, []money.Amount{p.SystemBalance(ledger.GatewayPlatform), p.SystemBalance(ledger.PlatformFee), p.SystemBalance(ledger.BankClearing)})
	require.Equal(t, settlement.Closed, p.run(id).Record.State)

	st, err := p.Settlement.Standing(t.Context(), p.first)
	require.NoError(t, err)
	require.Len(t, st.Settlements, 1)
	s, err := p.Settlement.Statement(t.Context(), p.first, settlement.ByStatement{ID: st.Settlements[0].ID})
	require.NoError(t, err)
	require.Equal(t, []settlement.Movement{{Kind: "use", Count: 1, Amount: 1_000_00}, {Kind: "settlement", Count: 1, Amount: -1_000_00}}, s.Movements)
	require.Equal(t, []money.Amount{0, 0}, []money.Amount{s.Opening, s.Closing})
	list, err := p.Settlement.Entries(t.Context(), p.first, settlement.ByMovement{ID: s.Settlement.ID, Kind: "use"})
	require.NoError(t, err)
	require.Len(t, list.Data, 1)
	stranger := open(t)
	_, err = p.Settlement.Statement(t.Context(), stranger.first, settlement.ByStatement{ID: s.Settlement.ID})
	require.ErrorIs(t, err, fault.Missing)

	// Weeks later it comes back: it is payable again, the fee stays the platform's.
	_, err = p.file(id, "returned", "บัญชีปิด")
	require.NoError(t, err)
	p.work()
	require.Equal(t, []money.Amount{1_000_00, -1_000_00}, []money.Amount{p.SystemBalance(ledger.Payable), p.SystemBalance(ledger.GatewayPlatform)})
	require.Empty(t, p.findings())
	next := p.booked()
	require.Equal(t, money.Amount(0), p.row(next).Fee)
}

// TestFailed: what failed is payable again and in the next run; what contradicts is written down.
func TestFailed(t *testing.T) {
	p := openPaid(t)
	p.sell(500_00, 0)
	id := p.booked()
	_, err := p.Settlement.Export(t.Context(), p.admin, settlement.ByRun{ID: id})
	require.NoError(t, err)
	other := p.draft()
	require.Equal(t, "under_way", p.row(other).LeftOut)
	require.NoError(t, p.Settlement.Cancel(t.Context(), p.admin, settlement.ByRun{ID: other}))
	_, err = p.file(id, "failed", "ชื่อไม่ตรง")
	require.NoError(t, err)
	other = p.draft()
	require.Equal(t, bankfile.Ready, p.row(other).State, "the books have followed before the draft was computed")
	require.NoError(t, p.Settlement.Cancel(t.Context(), p.admin, settlement.ByRun{ID: other}))
	result, err := p.file(id, "paid", "")
	require.NoError(t, err)
	require.Len(t, result.Contradicts, 1)
	require.ErrorIs(t, p.Settlement.Say(t.Context(), p.admin, settlement.Said{ID: p.row(id).ID, Outcome: "paid", Day: clock.Day(p.Clock.Now()).Format(time.DateOnly)}), settlement.ErrContradicts)
	p.work()
	require.Equal(t, []money.Amount{500_00, 0}, []money.Amount{p.SystemBalance(ledger.Payable), p.SystemBalance(ledger.BankClearing)})
	require.Empty(t, p.findings())

	id = p.booked()
	require.NoError(t, p.Settlement.Withdraw(t.Context(), p.other, settlement.Withdrawal{ID: id, Reason: "ผิดรอบ"}))
	p.work()
	require.Equal(t, money.Amount(500_00), p.SystemBalance(ledger.Payable))
	require.Equal(t, settlement.Closed, p.run(id).Record.State)
	require.Empty(t, p.findings())
}

// TestKilled: killed between what an organisation commits and what the platform does, at booking, when it was paid, and when it came back, nothing moves twice.
func TestKilled(t *testing.T) {
	p := openPaid(t)
	p.sell(700_00, 20_00)
	id := p.booked()
	p.platform(`UPDATE settlement SET state = 'ready', moved = NULL, booked_at = NULL WHERE run_id = $1 AND org_id = $2`, id, p.Org)
	p.platform(`UPDATE settlement_run SET booked_at = NULL WHERE id = $1`, id)
	p.sell(900_00, 0) // what came in meanwhile is not paid by this run
	p.work()
	require.Equal(t, bankfile.Booked, p.row(id).State)
	require.Equal(t, []money.Amount{900_00, 700_00}, []money.Amount{p.SystemBalance(ledger.Payable), p.SystemBalance(ledger.BankClearing)})

	require.NoError(t, p.Settlement.Say(t.Context(), p.admin, settlement.Said{ID: p.row(id).ID, Outcome: "paid", Day: clock.Day(p.Clock.Now()).Format(time.DateOnly)}))
	for range 2 {
		p.work()
		p.platform(`UPDATE settlement SET moved = 'booked' WHERE run_id = $1 AND org_id = $2`, id, p.Org)
	}
	other := p.draft() // the books follow first
	require.Equal(t, bankfile.Ready, p.row(other).State)
	require.NoError(t, p.Settlement.Cancel(t.Context(), p.admin, settlement.ByRun{ID: other}))
	require.NoError(t, p.Settlement.Say(t.Context(), p.admin, settlement.Said{ID: p.row(id).ID, Outcome: "returned", Day: clock.Day(p.Clock.Now()).Format(time.DateOnly), Reason: "x"}))
	p.work()
	p.platform(`UPDATE settlement SET moved = 'paid' WHERE run_id = $1 AND org_id = $2`, id, p.Org)
	p.work()
	require.Equal(t, []money.Amount{1_600_00, 0, -1_600_00, 0}, []money.Amount{p.SystemBalance(ledger.Payable), p.SystemBalance(ledger.BankClearing), p.SystemBalance(ledger.GatewayPlatform), p.SystemBalance(ledger.PlatformFee)})
	require.Empty(t, p.findings())
}

// TestLeftOut: why an organisation is not paid, and that what was approved is not paid where it is not there any more.
func TestLeftOut(t *testing.T) {
	p := openPaid(t)
	why := func() string {
		t.Helper()
		id := p.draft()
		require.NoError(t, p.Settlement.Cancel(t.Context(), p.admin, settlement.ByRun{ID: id}))
		return p.row(id).LeftOut
	}
	require.Empty(t, why(), "of which nothing is held is in no run")
	p.sell(50_00, 0)
	require.Equal(t, "below_minimum", why())
	p.sell(950_00, 0)
	p.platform(`UPDATE organisation SET state = 'suspended' WHERE id = $1`, p.Org)
	require.Equal(t, "suspended", why())
	p.platform(`UPDATE organisation SET state = 'live' WHERE id = $1`, p.Org)
	p.In(func(ctx context.Context, tx db.Tx) error {
		return ledger.KeepAudit(ctx, tx, []ledger.Finding{{Rule: "x"}})
	})
	require.Equal(t, "books_open", why())
	p.In(func(ctx context.Context, tx db.Tx) error { return ledger.KeepAudit(ctx, tx, nil) })
	p.Force(`UPDATE payee_version SET pays_from = '2200-01-01'`)
	require.Equal(t, "account_new", why())
	p.Force(`UPDATE payee_version SET pays_from = '2020-01-01'`)

	// Nothing was held by the platform's account for a wallet that was filled elsewhere: it covers less.
	ann := p.Customer(400_00)
	require.Equal(t, "not_covered", why())
	p.Force(`UPDATE wallet SET balance_satang = 0 WHERE customer_id = $1`, ann.Subject)

	id := p.draft()
	require.NoError(t, p.approve(p.other, id, p.run(id).Hash))
	p.In(func(_ context.Context, tx db.Tx) error {
		return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "goodwill", ID: db.NewID()}, ledger.Posting{Debit: ledger.SystemAccount(ledger.Payable), Credit: ledger.SystemAccount(ledger.ChargebackReceivable), Amount: 1_00}))
	})
	p.work()
	require.Equal(t, "changed", p.row(id).LeftOut)
	require.Equal(t, []money.Amount{999_00, 0}, []money.Amount{p.SystemBalance(ledger.Payable), p.SystemBalance(ledger.BankClearing)})
}

// TestYoung: what may still be objected to, and what was earned after the day of the run, is not paid.
func TestYoung(t *testing.T) {
	p := openPaid(t)
	p.sell(1_000_00, 0)
	v := p.sellToday(300_00)
	id := p.draft()
	require.Equal(t, money.Amount(1_000_00), p.row(id).Amount)
	require.NoError(t, p.Settlement.Cancel(t.Context(), p.admin, settlement.ByRun{ID: id}))
	p.Clock.Advance(3 * 24 * time.Hour)
	of, err := p.Settlement.Draft(t.Context(), p.admin, settlement.DraftInput{UpTo: clock.Day(p.Clock.Now()).AddDate(0, 0, -4).Format(time.DateOnly), PayDay: p.bankDay(), Minimum: 1})
	require.NoError(t, err)
	p.work()
	require.Equal(t, money.Amount(1_000_00), p.row(of.ID).Amount)
	require.NoError(t, p.Settlement.Cancel(t.Context(), p.admin, settlement.ByRun{ID: of.ID}))
	require.Equal(t, 1_000_00+v, p.row(p.draft()).Amount)
}

func (p *paid) sellToday(share money.Amount) money.Amount {
	p.t.Helper()
	p.sell(share, 0)
	p.Clock.Advance(-3 * 24 * time.Hour)
	return share
}

// TestAdminAlone: the only admin approves what he drafted the day after, signed in anew.
func TestAdminAlone(t *testing.T) {
	p := openPaid(t)
	p.sell(1_000_00, 0)
	id := p.draft()
	p.platform(`UPDATE admin SET status = 2 WHERE id <> $1`, p.admin.ID)
	t.Cleanup(func() { p.platform(`UPDATE admin SET status = 5 WHERE status = 2`) })
	require.ErrorIs(t, p.approve(p.admin, id, p.run(id).Hash), settlement.ErrRunTomorrow)
}
