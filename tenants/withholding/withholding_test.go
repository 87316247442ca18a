package withholding_test

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
	"welovevoucher/platform/pdf/pdftest"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/content"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/payee"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/privacy"
	"welovevoucher/tenants/tax"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/withholding"
)

// office is an organisation with two people of its back office, and a customer who buys what agents sell.
type office struct {
	*tenanttest.World

	t             *testing.T
	first, second token.Session
	ann           token.Session
}

func open(t *testing.T) *office {
	t.Helper()
	w := tenanttest.New(t)
	w.BankDays()
	return &office{World: w, t: t, first: w.Owner(), second: w.Owner(), ann: w.Customer(1_000_000_00)}
}

func actor(who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: token.Owner, ID: who.Subject}
}

var shop = content.ContactDetails{LegalNameTH: "บริษัท เรือนละไม จำกัด", TaxID: "0105536000313", Branch: "00000", AddressTH: "99/12 หมู่ 4 ตำบลวัดเกต อำเภอเมือง จังหวัดเชียงใหม่ 50000"}

func (o *office) named(c content.ContactDetails) {
	o.t.Helper()
	o.In(func(ctx context.Context, tx db.Tx) error {
		return content.SaveContactDetails(ctx, tx, actor(o.first), c)
	})
}

// company is an agent at 50 %, registered for VAT.
func (o *office) company() (agent uuid.UUID, form payee.Form) {
	form = tenanttest.CompanyForm()
	form.TaxID, form.Company, form.Address = "0105561000003", "บริษัท นกขาย จำกัด", "8/1 ซอย 3, อาคาร \"ก\""
	return o.agent(form), form
}

func (o *office) agent(form payee.Form) uuid.UUID {
	o.t.Helper()
	id := o.AgentBy(o.Customer(0), 5000, commission.Rule{Matures: "sale"})
	o.Payee(id, o.first, form)
	return id
}

func (o *office) tomorrow() { o.passes(clock.Day(o.Clock.Now()).AddDate(0, 0, 1)) }

// passes lets time pass until noon of a day.
func (o *office) passes(day time.Time) {
	o.Clock.Advance(clock.Start(day).Add(12 * time.Hour).Sub(o.Clock.Now()))
	o.first, o.second = o.SignInAnew(o.first), o.SignInAnew(o.second)
}

// sent drafts, approves and exports a run of what was sold by agents for a price, each once. It returns their payouts.
func (o *office) sent(price money.Amount, agents ...uuid.UUID) (payouts []uuid.UUID) {
	o.t.Helper()
	pkg := o.Package(tenanttest.Package{Price: price, Items: 1})
	for _, agent := range agents {
		o.Visit(o.ann, agent, pkg)
		o.MustBuy(o.ann, pkg)
	}
	o.Mature()
	o.tomorrow()
	calendar, err := tax.ReadCalendar(o.t.Context(), o.DB)
	require.NoError(o.t, err)
	today := clock.Day(o.Clock.Now())
	pays, ok := calendar.BankDayAfter(today, 1)
	require.True(o.t, ok)
	run, err := o.Payout.Draft(o.t.Context(), o.Org, actor(o.first), payout.DraftInput{Kind: payout.Agents, UpTo: today.AddDate(0, 0, -1).Format(time.DateOnly), PayDay: pays.Format(time.DateOnly), Minimum: 100_00})
	require.NoError(o.t, err)
	require.NoError(o.t, o.Payout.Work(o.t.Context(), o.Org))
	story, err := o.Payout.Run(o.t.Context(), o.Org, run.ID)
	require.NoError(o.t, err)
	asked, err := o.Payout.Propose(o.t.Context(), o.Org, actor(o.first), tenanttest.Key(), payout.Proposal{ID: run.ID, Hash: story.Hash, Note: "ค่าคอม"})
	require.NoError(o.t, err)
	require.NoError(o.t, o.answer(o.second, asked.Approval))
	require.NoError(o.t, o.Payout.Work(o.t.Context(), o.Org))
	_, err = o.Payout.Export(o.t.Context(), o.Org, actor(o.first), run.ID)
	require.NoError(o.t, err)
	for _, agent := range agents {
		payouts = append(payouts, o.one(`SELECT id FROM payout WHERE run_id = $1 AND payee_id = $2`, run.ID, agent))
	}
	return payouts
}

func (o *office) answer(by token.Session, asked uuid.UUID) error {
	return o.Approval.Approve(o.t.Context(), by, actor(by), tenanttest.Key(), approval.Answer{ID: asked})
}

func (o *office) says(outcome string, day time.Time, payouts ...uuid.UUID) {
	o.t.Helper()
	for _, id := range payouts {
		require.NoError(o.t, o.Payout.Say(o.t.Context(), o.Org, actor(o.first), payout.Said{ID: id, Outcome: outcome, Day: day.Format(time.DateOnly), Reason: "x"}))
	}
}

func (o *office) today() time.Time { return clock.Day(o.Clock.Now()) }

func (o *office) issue() {
	o.t.Helper()
	require.NoError(o.t, o.Withholding.Issue(o.t.Context(), o.Org))
	o.MustBalance()
}

func (o *office) one(sql string, args ...any) (id uuid.UUID) {
	o.t.Helper()
	o.In(func(ctx context.Context, tx db.Tx) error { return tx.QueryRow(ctx, sql, args...).Scan(&id) })
	return id
}

// certificate returns what is issued of a payout, and uuid.Nil while nothing is.
func (o *office) certificate(of uuid.UUID) uuid.UUID {
	o.t.Helper()
	return o.one(`SELECT coalesce((SELECT id FROM tax_certificate WHERE payout_id = $1 AND state = 'issued'), '00000000-0000-0000-0000-000000000000')`, of)
}

func (o *office) row(id uuid.UUID) (row withholding.CertificateRow) {
	o.t.Helper()
	o.In(func(ctx context.Context, tx db.Tx) (err error) {
		row, err = withholding.Certificates.Detail(ctx, tx, id)
		return err
	})
	return row
}

// paper returns the lines of a certificate's first page.
func (o *office) paper(id uuid.UUID) string {
	o.t.Helper()
	name, file, err := o.Withholding.Certificate(o.t.Context(), o.Org, actor(o.first), id)
	require.NoError(o.t, err)
	require.Equal(o.t, o.row(id).Number+".pdf", name)
	pages := pdftest.Read(o.t, file)
	require.Len(o.t, pages, 2, "a copy for the payee's tax, and one to keep")
	return strings.Join(pages[0], "\n")
}

func (o *office) next() withholding.Next {
	o.t.Helper()
	n, err := o.Withholding.Next(o.t.Context(), o.Org)
	require.NoError(o.t, err)
	return n
}

func (o *office) make(form tax.Form, month time.Time) (uuid.UUID, error) {
	made, err := o.Withholding.Make(o.t.Context(), o.Org, actor(o.first), withholding.Month{Form: form, Month: month.Format("2006-01")})
	o.MustBalance()
	return made.ID, err
}

func (o *office) mustMake(form tax.Form, month time.Time) uuid.UUID {
	o.t.Helper()
	id, err := o.make(form, month)
	require.NoError(o.t, err)
	return id
}

func (o *office) file(id uuid.UUID) (name, text string) {
	o.t.Helper()
	name, file, err := o.Withholding.File(o.t.Context(), o.Org, actor(o.first), id)
	require.NoError(o.t, err)
	return name, string(file)
}

func (o *office) propose(id uuid.UUID) (uuid.UUID, error) {
	asked, err := o.Withholding.Propose(o.t.Context(), o.Org, actor(o.first), tenanttest.Key(), withholding.Filing{ID: id, FiledOn: o.today().Format(time.DateOnly), Receipt: "6912-1"})
	return asked.Approval, err
}

func TestCertificate(t *testing.T) {
	o := open(t)
	agent, form := o.company()
	paid := o.sent(1_000_00, agent)[0]
	o.says("paid", o.today(), paid)

	o.issue()
	require.Equal(t, uuid.Nil, o.certificate(paid), "nobody has written down who the organisation is")
	require.Equal(t, withholding.Next{Waiting: 1, Open: []withholding.Open{}}, o.next())
	o.named(shop)
	o.issue()
	o.issue() // again
	id := o.certificate(paid)
	row := o.row(id)
	require.Equal(t, fmt.Sprintf("WT00000-%02d%02d-000001", clock.ThaiYear(o.today())%100, o.today().Month()), row.Number)
	require.Equal(t, []money.Amount{467_29, 14_02}, []money.Amount{row.Income, row.Withheld}, "500.00 with VAT in it")
	require.Equal(t, tax.PND53, row.Form)

	lines := o.paper(id)
	for _, line := range []string{
		"หนังสือรับรองการหักภาษี ณ ที่จ่าย", "ตามมาตรา 50 ทวิ แห่งประมวลรัษฎากร", "ชื่อ  " + shop.LegalNameTH, "เลขประจำตัวผู้เสียภาษีอากร  0 1055 36000 31 3   สำนักงานใหญ่", "ที่อยู่  " + shop.AddressTH,
		"ชื่อ  " + form.Company, "เลขประจำตัวผู้เสียภาษีอากร  0 1055 61000 00 3   สำนักงานใหญ่", "ที่อยู่  " + form.Address + " ตำบลพระสิงห์ อำเภอเมือง จังหวัดเชียงใหม่ 50200",
		"467.29", "14.02", "(สิบสี่บาทสองสตางค์)", clock.InThaiDigits(o.today()), "เลขที่ " + row.Number,
	} {
		require.Contains(t, lines, line)
	}
	_, once, err := o.Withholding.Certificate(t.Context(), o.Org, actor(o.first), id)
	require.NoError(t, err)
	_, again, err := o.Withholding.Certificate(t.Context(), o.Org, actor(o.second), id)
	require.NoError(t, err)
	require.Equal(t, once, again, "the same bytes")

	customer := o.one(`SELECT customer_id FROM agent WHERE id = $1`, agent)
	_, own, err := o.Withholding.OwnCertificate(t.Context(), o.Org, customer, paid)
	require.NoError(t, err)
	require.Equal(t, once, own)
	_, _, err = o.Withholding.OwnCertificate(t.Context(), o.Org, o.ann.Subject, paid)
	require.Equal(t, fault.Missing, err, "it is another's")
	_, slip, err := o.Payout.OwnSlip(t.Context(), o.Org, customer, paid)
	require.NoError(t, err)
	require.Contains(t, strings.Join(pdftest.Read(t, slip)[0], "\n"), "485.98")
	_, _, err = o.Payout.OwnSlip(t.Context(), o.Org, o.ann.Subject, paid)
	require.Equal(t, fault.Missing, err)
}

// TestNoTaxNoCertificate: whoever has nothing withheld, was not paid, or was paid in vain has none; what came back after it was paid keeps its own.
func TestNoTaxNoCertificate(t *testing.T) {
	o := open(t)
	o.named(shop)
	company, _ := o.company()
	failed, back := o.agent(tenanttest.CompanyForm()), o.agent(tenanttest.CompanyForm())
	person := o.agent(tenanttest.PersonForm())
	payouts := o.sent(1_000_00, company, failed, back, person)
	o.says("failed", o.today(), payouts[1])
	o.says("paid", o.today(), payouts[2], payouts[3])
	o.says("returned", o.today(), payouts[2])
	o.issue()
	require.Equal(t, uuid.Nil, o.certificate(payouts[0]), "sent, not paid")
	require.Equal(t, uuid.Nil, o.certificate(payouts[1]), "failed")
	require.NotEqual(t, uuid.Nil, o.certificate(payouts[2]), "came back: its tax stands")
	require.Equal(t, uuid.Nil, o.certificate(payouts[3]), "a person with little")
	_, _, err := o.Payout.Slip(t.Context(), o.Org, actor(o.first), payouts[0])
	require.Equal(t, fault.Missing, err, "there is no slip of what was not paid")
}

func TestReplace(t *testing.T) {
	o := open(t)
	o.named(shop)
	agent, form := o.company()
	paid := o.sent(1_000_00, agent)[0]
	o.says("paid", o.today(), paid)
	o.issue()
	first := o.certificate(paid)
	replace := func(id uuid.UUID) error {
		_, err := o.Withholding.Replace(t.Context(), o.Org, actor(o.second), withholding.Reissue{ID: id, Reason: "ชื่อผิด"})
		o.MustBalance()
		return err
	}
	require.Equal(t, withholding.ErrSame, replace(first))
	form.Company = "บริษัท นกขายดี จำกัด"
	o.Payee(agent, o.first, form)
	require.NoError(t, replace(first))
	require.Equal(t, withholding.ErrNotNow, replace(first), "void already")
	second := o.certificate(paid)
	require.Equal(t, o.row(first).Number, o.row(second).Replaces)
	require.Equal(t, "void", o.row(first).State)
	require.Contains(t, o.paper(first), "ยกเลิก")
	require.Contains(t, o.paper(first), "บริษัท นกขาย จำกัด", "a void one says what it said")
	require.Contains(t, o.paper(second), "ออกแทนเลขที่ "+o.row(first).Number)
	require.Contains(t, o.paper(second), form.Company)

	month := time.Date(o.today().Year(), o.today().Month(), 1, 0, 0, 0, 0, time.UTC)
	o.passes(month.AddDate(0, 1, 1))
	made := o.mustMake(tax.PND53, month)
	form.Company = "บริษัท นก จำกัด"
	o.Payee(agent, o.first, form)
	require.Equal(t, withholding.ErrInFile, replace(second))
	asked, err := o.propose(made)
	require.NoError(t, err)
	require.NoError(t, o.answer(o.second, asked))
	require.NoError(t, replace(second), "what was filed stays filed")
	require.Empty(t, o.next().Open)
	o.MustBalance()
}

func TestReturn(t *testing.T) {
	o := open(t)
	o.named(shop)
	agent, form := o.company()
	late := o.agent(tenanttest.CompanyForm())
	payouts := o.sent(1_000_00, agent, late)
	paidOn := o.today()
	month := time.Date(paidOn.Year(), paidOn.Month(), 1, 0, 0, 0, 0, time.UTC)
	o.says("paid", paidOn, payouts[0])
	o.issue()
	_, err := o.make(tax.PND53, month)
	require.Equal(t, fault.At("month", withholding.ErrMonthNotOver), err)
	o.passes(month.AddDate(0, 1, 1))
	_, err = o.make(tax.PND1, month)
	require.Equal(t, withholding.ErrNothing, err)
	require.Equal(t, []withholding.Open{{Form: tax.PND53, Month: month.Format("2006-01"), Certificates: 1, Income: 467_29, Withheld: 14_02, Over: true, Due: month.AddDate(0, 1, 6).Format(time.DateOnly)}}, o.next().Open)

	first := o.mustMake(tax.PND53, month)
	_, err = o.make(tax.PND53, month)
	require.Equal(t, withholding.ErrNothing, err, "a certificate is in one file")
	require.NoError(t, o.Withholding.Cancel(t.Context(), o.Org, actor(o.first), first))
	require.Equal(t, withholding.ErrNotNow, o.Withholding.Cancel(t.Context(), o.Org, actor(o.first), first))
	made := o.mustMake(tax.PND53, month)
	name, text := o.file(made)
	year := clock.ThaiYear(month)
	require.Equal(t, fmt.Sprintf("PND53_0105536000313_000000_%d_%02d_00_00.txt", year, month.Month()), name)
	empty := "|00000000|0.00|0.00|0.00||"
	require.Equal(t, fmt.Sprintf("\ufeffH|0000|0105536000313|000000|1|PND53|0105536000313|000000|สำนักงานใหญ่|1|0|0|0|%02d|%d||00|1|467.29|14.02|0.00|14.02|0.00||2\r\n", month.Month(), year)+
		fmt.Sprintf("D|1|000000|%s|0000000000|บริษัท|นกขาย จำกัด||%02d%02d%d|3.00|467.29|14.02|ค่านายหน้า|1", form.TaxID, paidOn.Day(), paidOn.Month(), clock.ThaiYear(paidOn))+empty+empty+
		"|||||||"+"|8-1 ซอย 3 อาคาร ก|พระสิงห์|เมือง|เชียงใหม่|50200", text)
	_, again := o.file(made)
	require.Equal(t, text, again)

	held, owed := o.SystemBalance(ledger.Payable), o.SystemBalance(ledger.WithholdingTax)
	asked, err := o.propose(made)
	require.NoError(t, err)
	_, err = o.propose(made)
	require.Equal(t, withholding.ErrWaits, err)
	require.Equal(t, withholding.ErrWaits, o.Withholding.Cancel(t.Context(), o.Org, actor(o.first), made))
	require.Equal(t, approval.ErrOwn, o.answer(o.first, asked))
	require.Equal(t, owed, o.SystemBalance(ledger.WithholdingTax), "nothing moves until a second person says so")
	require.NoError(t, o.answer(o.second, asked))
	require.Equal(t, held+14_02, o.SystemBalance(ledger.Payable), "the organisation's bank paid the tax, so what is held of it is its own")
	require.Equal(t, owed-14_02, o.SystemBalance(ledger.WithholdingTax))
	_, err = o.propose(made)
	require.Equal(t, withholding.ErrNotNow, err)
	require.Equal(t, withholding.ErrNotNow, o.Withholding.Cancel(t.Context(), o.Org, actor(o.first), made))

	// What the bank says late of that month is in an added file.
	o.says("paid", paidOn, payouts[1])
	o.issue()
	name, text = o.file(o.mustMake(tax.PND53, month))
	require.Contains(t, name, fmt.Sprintf("_%02d_01_00.txt", month.Month()))
	require.Contains(t, text, fmt.Sprintf("|%02d|%d||01|1|", month.Month(), year))
	require.Equal(t, 14_02, int(o.SystemBalance(ledger.WithholdingTax)))
}

// TestReturnOfWhatCameLate: what comes late waits until the file before it was filed, or goes with what was in it into one anew.
func TestReturnOfWhatCameLate(t *testing.T) {
	o := open(t)
	o.named(shop)
	early, _ := o.company()
	late := o.agent(tenanttest.CompanyForm())
	payouts := o.sent(1_000_00, early, late)
	paidOn := o.today()
	month := time.Date(paidOn.Year(), paidOn.Month(), 1, 0, 0, 0, 0, time.UTC)
	o.says("paid", paidOn, payouts[0])
	o.issue()
	o.passes(month.AddDate(0, 1, 1))
	first := o.mustMake(tax.PND53, month)
	o.says("paid", paidOn, payouts[1])
	o.issue()
	_, err := o.make(tax.PND53, month)
	require.Equal(t, withholding.ErrNotFiled, err)
	require.NoError(t, o.Withholding.Cancel(t.Context(), o.Org, actor(o.first), first))
	name, text := o.file(o.mustMake(tax.PND53, month))
	require.Contains(t, name, fmt.Sprintf("_%02d_00_00.txt", month.Month()))
	require.Contains(t, text, fmt.Sprintf("|%02d|%d||00|2|", month.Month(), clock.ThaiYear(month)), "both are in it")
	_, err = o.make(tax.PND53, month)
	require.Equal(t, withholding.ErrNothing, err)
}

// TestReplaceAndCancelAtOnce: a certificate is issued anew while the file that it is in is cancelled. Whichever is first, it is in no file, or refused while it is in one.
func TestReplaceAndCancelAtOnce(t *testing.T) {
	o := open(t)
	o.named(shop)
	agent, form := o.company()
	paid := o.sent(1_000_00, agent)[0]
	o.says("paid", o.today(), paid)
	o.issue()
	month := time.Date(o.today().Year(), o.today().Month(), 1, 0, 0, 0, 0, time.UTC)
	o.passes(month.AddDate(0, 1, 1))
	for n := range 5 {
		file := o.mustMake(tax.PND53, month)
		form.Company = fmt.Sprintf("บริษัท นก %d จำกัด", n)
		o.Payee(agent, o.first, form)
		replaced, cancelled := make(chan error), make(chan error)
		go func() {
			_, err := o.Withholding.Replace(t.Context(), o.Org, actor(o.second), withholding.Reissue{ID: o.certificate(paid), Reason: "ชื่อผิด"})
			replaced <- err
		}()
		go func() { cancelled <- o.Withholding.Cancel(t.Context(), o.Org, actor(o.first), file) }()
		if err := <-replaced; err != nil {
			require.Equal(t, withholding.ErrInFile, err)
		}
		require.NoError(t, <-cancelled)
		require.EqualValues(t, 1, o.next().Open[0].Certificates)
		o.MustBalance()
	}
}

// TestReturnedOfErased: what comes back after its payee was erased is owed to him, and no run pays it.
func TestReturnedOfErased(t *testing.T) {
	o := open(t)
	o.named(shop)
	who := o.Customer(0)
	agent := o.AgentBy(who, 5000, commission.Rule{Matures: "sale"})
	o.Payee(agent, o.first, tenanttest.CompanyForm())
	paid := o.sent(1_000_00, agent)[0]
	o.says("paid", o.today(), paid)
	erase := func() error {
		return o.Privacy.Erase(t.Context(), who, auditlog.Actor{Kind: token.User, ID: who.Subject}, privacy.EraseInput{Confirm: "ERASE MY DATA"})
	}
	require.Error(t, erase(), "the certificate is due")
	o.issue()
	require.NoError(t, erase())
	require.Contains(t, o.paper(o.certificate(paid)), tenanttest.CompanyForm().Company, "the paper keeps whom it names")
	o.says("returned", o.today(), paid)
	o.MustBalance()
	require.Equal(t, money.Amount(485_98), o.Earned(agent).Payable)
	other, _ := o.company()
	o.sent(1_000_00, other)
	require.Equal(t, money.Amount(485_98), o.Earned(agent).Payable)
}

// TestReturnOfPersons: progressive tax on the year's income, and the fixed rate of whoever lives abroad.
func TestReturnOfPersons(t *testing.T) {
	o := open(t)
	o.named(shop)
	abroad := tenanttest.PersonForm()
	abroad.Resident, abroad.IDCard = false, "AB1234567"
	rich, foreign := o.agent(tenanttest.PersonForm()), o.agent(abroad)
	one := o.sent(900_000_00, rich)
	two := o.sent(1_000_00, foreign)
	paidOn := o.today()
	o.says("paid", paidOn, one[0], two[0])
	o.issue()
	require.Equal(t, money.Amount(7_000_00), o.row(o.certificate(one[0])).Withheld, "450,000.00 less 100,000.00 and 60,000.00: 5 % of what is above 150,000.00")
	require.Equal(t, money.Amount(75_00), o.row(o.certificate(two[0])).Withheld)
	month := time.Date(paidOn.Year(), paidOn.Month(), 1, 0, 0, 0, 0, time.UTC)
	o.passes(month.AddDate(0, 1, 1))
	_, text := o.file(o.mustMake(tax.PND1, month))
	lines := strings.Split(text, "\r\n")
	require.Len(t, lines, 3)
	for i, fields := range []int{22, 26, 26} {
		require.Equal(t, fields, strings.Count(lines[i], "|")+1)
	}
	day := fmt.Sprintf("|%02d%02d%d|", paidOn.Day(), paidOn.Month(), clock.ThaiYear(paidOn))
	require.Contains(t, lines[1], "|คุณ|นก|ใจดี"+day+"0.00|450000.00|7000.00|4|1|")
	require.Contains(t, lines[2], "|AB1234567|0000000000|คุณ|นก|ใจดี"+day+"15.00|500.00|75.00|5|1|")
}

func TestTwoAtOnce(t *testing.T) {
	o := open(t)
	o.named(shop)
	agent, _ := o.company()
	paid := o.sent(1_000_00, agent)[0]
	o.says("paid", o.today(), paid)
	together := func(do func() error) (failed int) {
		done := make(chan error, 2)
		for range 2 {
			go func() { done <- do() }()
		}
		for range 2 {
			if err := <-done; err != nil {
				failed++
			}
		}
		return failed
	}
	require.Zero(t, together(func() error { return o.Withholding.Issue(t.Context(), o.Org) }))
	o.MustBalance()
	month := time.Date(o.today().Year(), o.today().Month(), 1, 0, 0, 0, 0, time.UTC)
	o.passes(month.AddDate(0, 1, 1))
	require.Equal(t, 1, together(func() error {
		_, err := o.Withholding.Make(t.Context(), o.Org, actor(o.first), withholding.Month{Form: tax.PND53, Month: month.Format("2006-01")})
		return err
	}))
	o.MustBalance()
}
