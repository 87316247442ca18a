package demo

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/bank"
	"welovevoucher/tenants/cashout"
	"welovevoucher/tenants/payee"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/tax"
)

// addHolidays has the banks of this year and the next know their holidays: new year's day at least, so that they have bank days.
func (l *loader) addHolidays(ctx context.Context) error {
	for year := range 2 {
		day := fmt.Sprintf("%d-01-01", time.Now().Year()+year)
		_, err := post[any](ctx, l, l.BaseURL, "/api/admin/bankholiday/save", l.admin, map[string]any{"day": day, "name_th": "วันขึ้นปีใหม่", "name_en": "New Year's Day", "source": "a demo; the other days of a year without a list are missing"})
		if err != nil {
			return err
		}
	}
	return nil
}

// knows has an agent's form approved, so that he can be paid. The second agent is a company.
func (p *history) knows(ctx context.Context, id uuid.UUID, name string) error {
	return p.db.InOrg(ctx, p.org, func(tx db.Tx) error {
		form := payee.Form{
			Kind: payee.Person, FirstName: name, LastName: "ใจดี", Resident: true, IDCard: p.idCard(), BirthDate: "1991-04-12", Mobile: fmt.Sprintf("08%08d", p.dice.IntN(1e8)), Email: "agent@example.com",
			Address: "71 หมู่ 5", Subdistrict: "สุเทพ", District: "เมืองเชียงใหม่", Province: "เชียงใหม่", Postcode: "50200", Nationality: "TH", Bank: "014", Number: fmt.Sprintf("%010d", p.dice.IntN(1e10)),
			AccountName: name + " ใจดี",
		}
		if len(p.links) == 1 { // tax is withheld of a company from the first baht
			form.Kind, form.Company, form.TaxID, form.Branch, form.VATRegistered = payee.Company, "บริษัท "+name+"การตลาด จำกัด", "0105561000003", "00000", true
			form.BirthDate, form.AccountName = "", form.Company
		}
		if _, err := payee.Send(ctx, tx, p.box, id, payee.Draft{Form: form}, nil); err != nil {
			return err
		}
		sent, err := payee.Versions(ctx, tx, p.box, id)
		if err != nil {
			return err
		}
		_, err = sent[0].Approve(ctx, tx, p.ownerID, "", nil)
		return err
	})
}

// idCard is a number whose last digit follows from the others.
func (p *history) idCard() string {
	first := fmt.Sprintf("1%011d", p.dice.IntN(1e11))
	for last := range 10 {
		if number := first + strconv.Itoa(last); !payee.WrongDigit(number) {
			return number
		}
	}
	return "" // one of ten always follows
}

// Every fortnight at ten, but the last days, which the demo's owner has before him.
const (
	payEvery = 14
	payAt    = 10 * time.Hour
)

// pay pays what matured, or was to be transferred, by the evening before: the accountant drafts and proposes, the owner approves, and the bank is sent its file.
func (p *history) pay(ctx context.Context, kind payout.Kind, note string) error {
	today := clock.Day(p.clock.Now())
	calendar, err := tax.ReadCalendar(ctx, p.db)
	if err != nil {
		return err
	}
	pays, ok := calendar.BankDayAfter(today, 1)
	if !ok {
		return nil // the banks' holidays of that year are not known
	}
	accountant, owner := auditlog.Actor{Kind: token.Owner, ID: p.accountantID}, token.Session{Audience: token.Owner, Org: p.org, Subject: p.ownerID, Expires: p.clock.Now().Add(time.Hour)}
	run, err := p.payouts.Draft(ctx, p.org, accountant, payout.DraftInput{Kind: kind, UpTo: today.AddDate(0, 0, -1).Format(time.DateOnly), PayDay: pays.Format(time.DateOnly), Minimum: 100_00})
	if err != nil {
		return err
	}
	if err := p.payouts.Work(ctx, p.org); err != nil {
		return err
	}
	drafted, err := p.payouts.Run(ctx, p.org, run.ID)
	if err != nil {
		return err
	}
	if drafted.Record.Payees == 0 {
		return p.payouts.Cancel(ctx, p.org, accountant, run.ID)
	}
	asked, err := p.payouts.Propose(ctx, p.org, accountant, uuid.NewString(), payout.Proposal{ID: run.ID, Hash: drafted.Hash, Note: note})
	if err != nil {
		return err
	}
	p.clock.Advance(time.Hour)
	err = p.approvals.Approve(ctx, owner, auditlog.Actor{Kind: token.Owner, ID: p.ownerID}, uuid.NewString(), approval.Answer{ID: asked.Approval})
	if err != nil {
		return err
	}
	if err := p.payouts.Work(ctx, p.org); err != nil {
		return err
	}
	if kind == payout.Agents {
		p.runs++
	}
	_, err = p.payouts.Export(ctx, p.org, accountant, run.ID)
	return err
}

// Every fourth day at one o'clock a customer takes out what he does not need.
const (
	takeOutEvery = 4
	takeOutAt    = 13 * time.Hour
	takeOutMost  = 500_00
)

// takeOut has a customer ask for money of his wallet, if anybody has that much.
func (p *history) takeOut(ctx context.Context) (asked uuid.UUID, err error) {
	for _, who := range p.others() {
		can, err := p.cashouts.Options(ctx, who)
		if err != nil {
			return uuid.Nil, err
		}
		if can.Limit < 100_00 {
			continue
		}
		profile, err := p.customers.Profile(ctx, who)
		if err != nil {
			return uuid.Nil, err
		}
		account := bank.Account{Bank: "004", Number: fmt.Sprintf("%010d", p.dice.IntN(1e10)), Name: profile.DisplayName}
		request, err := p.cashouts.Ask(ctx, who, uuid.NewString(), cashout.Input{Amount: min(can.Limit, takeOutMost), Account: &account})
		return request.ID, err
	}
	return uuid.Nil, nil
}

// payOut has the owner pay what a customer asks for.
func (p *history) payOut(ctx context.Context) error {
	asked, err := p.takeOut(ctx)
	if err != nil || asked == uuid.Nil {
		return err
	}
	p.clock.Advance(time.Hour)
	return p.cashouts.Approve(ctx, p.org, auditlog.Actor{Kind: token.Owner, ID: p.ownerID}, uuid.NewString(), cashout.ByRequest{ID: asked})
}

// leaveCashout leaves a request that the owner has not answered.
func (p *history) leaveCashout(ctx context.Context) error {
	_, err := p.takeOut(ctx)
	return err
}

// scheduleRuns has runs drafted on the first and the sixteenth of each month from now on.
func (p *history) scheduleRuns(ctx context.Context) error {
	accountant := auditlog.Actor{Kind: token.Owner, ID: p.accountantID}
	for _, day := range []int{1, 16} {
		if err := p.payouts.AddSchedule(ctx, p.org, accountant, payout.Rhythm{Kind: payout.Agents, Every: "month", Day: day}); err != nil {
			return err
		}
	}
	return nil
}

const onTheirWay = `SELECT p.id FROM payout p JOIN payout_run r ON r.id = p.run_id WHERE p.state = 'sent' AND r.pay_day <= $1 ORDER BY p.payee_id IS NOT NULL, p.id`

// answered is what the bank says of what was to be paid by a day: an agent's account is closed when the last run is paid, and all else was paid.
func (p *history) answered(ctx context.Context, day time.Time) error {
	var ids []uuid.UUID
	err := p.db.ReadInOrg(ctx, p.org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, onTheirWay, day)
		if err != nil {
			return err
		}
		ids, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		return err
	})
	for i, id := range ids {
		said := payout.Said{ID: id, Outcome: "paid", Day: day.Format(time.DateOnly)}
		if p.runs == pastDays/payEvery && i > 0 && i == len(ids)-1 {
			said.Outcome, said.Reason = "failed", "บัญชีปิดแล้ว"
		}
		err = errors.Join(err, p.payouts.Say(ctx, p.org, auditlog.Actor{Kind: token.Owner, ID: p.accountantID}, said))
	}
	return err
}

const lastSold = `SELECT o.customer_id, a.customer_id FROM orders o JOIN agent a ON a.id = o.agent_id WHERE o.paid_at IS NOT NULL ORDER BY o.id DESC LIMIT 1`

// leaveHold has who bought through an agent last have signed in by the same browser as the agent, and the night find that.
func (p *history) leaveHold(ctx context.Context) error {
	var buyer, agent uuid.UUID
	err := p.db.ReadInOrg(ctx, p.org, func(tx db.Tx) error { return tx.QueryRow(ctx, lastSold).Scan(&buyer, &agent) })
	if err != nil {
		return err
	}
	for _, who := range []struct {
		as token.Audience
		id uuid.UUID
	}{{token.User, buyer}, {token.Agent, agent}} {
		if _, err := p.sessions.Open(ctx, who.as, p.org, who.id, "one browser"); err != nil {
			return err
		}
	}
	return p.holds.Find(ctx, p.org)
}
