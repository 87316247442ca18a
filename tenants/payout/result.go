package payout

import (
	"context"
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
)

// outcome is what a bank, or a person, says of a payout. It is stored by its string.
type outcome string

const (
	wasPaid  outcome = "paid"
	wasNot   outcome = "failed"
	cameBack outcome = "returned"
)

// answer is what became of what was said. It is stored by its string.
type answer string

const (
	applied     answer = "applied"
	known       answer = "known"
	contradicts answer = "contradicts"
)

// steps has for each outcome what a payout becomes by it, by way of which states. What was said before leads nowhere. What is not here contradicts.
var steps = map[outcome]map[Standing][]Standing{
	wasPaid:  {Booked: {Paid}, Sent: {Paid}, Paid: {}, Returned: {}},
	wasNot:   {Booked: {Failed}, Sent: {Failed}, Paid: {Returned}, Failed: {}, Returned: {}},
	cameBack: {Sent: {Paid, Returned}, Paid: {Returned}, Returned: {}},
}

// Said is what is said of one payout.
type Said struct {
	ID      uuid.UUID `json:"id" doc:"Of the payout"`
	Outcome string    `json:"outcome" enum:"paid,failed,returned" doc:"returned: the bank paid it, and it came back"`
	Day     string    `json:"day" format:"date"`
	Reason  string    `json:"reason" maxLength:"300" doc:"Needed unless it was paid; the payee reads it"`
}

// ResultFile is what a bank answers to a run.
type ResultFile struct {
	ID   uuid.UUID `json:"id" doc:"Of the run"`
	Name string    `json:"name" minLength:"1" maxLength:"200"`
	Text string    `json:"text" maxLength:"4000000" doc:"csv with the columns reference, amount, outcome, day and reason (docs/payouts.md, The bank's answer)"`
}

// ReadResult is what became of a result file.
type ReadResult struct {
	Rows        int      `json:"rows"`
	Applied     int      `json:"applied"`
	Known       int      `json:"known" doc:"Were known already, and changed nothing"`
	Contradicts []string `json:"contradicts" doc:"References of payouts of which something else was said before; nothing was changed of them"`
}

const (
	referencesOf = `SELECT reference, id, net_satang FROM payout WHERE run_id = $1 AND booked_at IS NOT NULL`
	lockPayouts  = `SELECT p.id, p.payee_id, p.state, p.gross_satang, p.withheld_satang, p.net_satang, p.paid_on, CASE WHEN a.state <> 'erased' THEN a.customer_id END FROM payout p JOIN agent a ON a.id = p.payee_id WHERE p.id = ANY ($1) ORDER BY p.id FOR UPDATE OF p`
	stillBooked  = `SELECT id FROM payout WHERE run_id = $1 AND state = 'booked' ORDER BY id`
	insertResult = `INSERT INTO payout_result (id, payout_id, outcome, day, reason, file_name, file_hash, answer, said_at, said_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
	markPaid     = `UPDATE payout SET state = 'paid', paid_on = $2, paid_at = $3, ended_at = $3 WHERE id = $1`
	markFailed   = `UPDATE payout SET state = 'failed', ended_at = $2, reason = $3 WHERE id = $1`
	markReturned = `UPDATE payout SET state = 'returned', ended_at = $2, reason = $3 WHERE id = $1`
	insertReturn = `INSERT INTO payout_return (payout_id, payee_id, amount_satang, at) VALUES ($1, $2, $3, $4)`
	freeLines    = `UPDATE payout_line SET live = false WHERE payout_id = $1`
)

// said is a checked Said.
type said struct {
	Payout  uuid.UUID
	Outcome outcome
	Day     time.Time
	Reason  string
}

// payoutOf is a payout that was booked, locked.
type payoutOf struct {
	ID, Payee            uuid.UUID
	State                Standing
	Gross, Withheld, Net money.Amount
	PaidOn               *time.Time
	Customer             *uuid.UUID // nil once he was erased
}

// checked returns what is said of a payout. It returns fault.Required, fault.NotInList, fault.WrongFormat, fault.TooLong or ErrDayNotOver at a field.
func checked(id uuid.UUID, what, on, why string, today time.Time) (s said, err error) {
	s = said{Payout: id, Outcome: outcome(what), Reason: strings.TrimSpace(why)}
	if _, ok := steps[s.Outcome]; !ok {
		return s, fault.At("outcome", fault.NotInList)
	}
	if s.Day, err = day("day", on); err != nil {
		return s, err
	}
	if s.Day.After(today) {
		return s, fault.At("day", ErrDayNotOver)
	}
	if s.Reason == "" && s.Outcome != wasPaid {
		return s, fault.At("reason", fault.Required)
	}
	if utf8.RuneCountInString(s.Reason) > 300 {
		return s, fault.At("reason", fault.TooLong)
	}
	return s, nil
}

// Say takes in what a person says of one payout. It returns a fault at a field, fault.Missing, ErrContradicts, or ErrNotCovered.
func (s *Service) Say(ctx context.Context, org uuid.UUID, who auditlog.Actor, in Said) error {
	one, err := checked(in.ID, in.Outcome, in.Day, in.Reason, clock.Day(s.db.Now()))
	if err != nil {
		return err
	}
	var result ReadResult
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		var of uuid.UUID
		if err := tx.QueryRow(ctx, runOf, in.ID).Scan(&of); errors.Is(err, pgx.ErrNoRows) {
			return fault.Missing
		} else if err != nil {
			return fmt.Errorf("run of payout %s: %w", in.ID, err)
		}
		result, err = s.take(ctx, tx, who, of, []said{one}, nil, "", nil)
		return err
	})
	if err == nil && len(result.Contradicts) > 0 {
		return ErrContradicts
	}
	return err
}

// ReadFile takes in what a bank answers. A file that was read before changes nothing; one of which a row is not of the run changes nothing at all. It returns
// ErrNoFile, a fault at a column of a row, fault.Missing, ErrNotNow, or ErrNotCovered.
func (s *Service) ReadFile(ctx context.Context, org uuid.UUID, who auditlog.Actor, in ResultFile) (result ReadResult, err error) {
	rows, err := parse(in.Text)
	if err != nil {
		return result, err
	}
	hash := sha256.Sum256([]byte(in.Text))
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		list, references, err := match(ctx, tx, in.ID, rows)
		if err != nil {
			return err
		}
		result, err = s.take(ctx, tx, who, in.ID, list, references, in.Name, hash[:])
		return err
	})
	return result, err
}

// resultRow is a row of a result file.
type resultRow struct{ Reference, Amount, Outcome, Day, Reason string }

var byteOrderMark = "\ufeff"

// parse reads the rows of a result file. It returns ErrNoFile if it is none, or has too many.
func parse(text string) (list []resultRow, err error) {
	file := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, byteOrderMark)))
	file.FieldsPerRecord = 0
	head, err := file.Read()
	if err != nil {
		return nil, ErrNoFile
	}
	at := map[string]int{}
	for _, name := range []string{"reference", "amount", "outcome", "day", "reason"} {
		if at[name] = slices.IndexFunc(head, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) }); at[name] < 0 {
			return nil, ErrNoFile
		}
	}
	for {
		cells, err := file.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || len(list) == mostResult {
			return nil, ErrNoFile
		}
		of := func(name string) string { return strings.TrimSpace(cells[at[name]]) }
		list = append(list, resultRow{of("reference"), of("amount"), of("outcome"), of("day"), of("reason")})
	}
	if len(list) == 0 {
		return nil, ErrNoFile
	}
	return list, nil
}

// match returns what rows say of payouts of a run, with the references of these.
func match(ctx context.Context, tx db.Tx, id uuid.UUID, list []resultRow) ([]said, map[uuid.UUID]string, error) {
	rows, err := tx.Query(ctx, referencesOf, id)
	if err != nil {
		return nil, nil, fmt.Errorf("payouts of run %s: %w", id, err)
	}
	type known struct {
		id  uuid.UUID
		net money.Amount
	}
	byReference := map[string]known{}
	var reference string
	var k known
	_, err = pgx.ForEachRow(rows, []any{&reference, &k.id, &k.net}, func() error {
		byReference[reference] = k
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("payouts of run %s: %w", id, err)
	}
	var all []said
	references := map[uuid.UUID]string{}
	for i, row := range list {
		of, ok := byReference[row.Reference]
		if !ok {
			return nil, nil, fault.At(fmt.Sprintf("rows.%d.reference", i), ErrUnknown)
		}
		amount, err := money.Parse(row.Amount)
		if err != nil || amount != of.net {
			return nil, nil, fault.At(fmt.Sprintf("rows.%d.amount", i), ErrOtherAmount)
		}
		one, err := checked(of.id, row.Outcome, row.Day, row.Reason, clock.Day(tx.Now))
		if err != nil {
			return nil, nil, inRow(i, err)
		}
		all = append(all, one)
		references[of.id] = row.Reference
	}
	return all, references, nil
}

// inRow returns a fault at fields of a row.
func inRow(i int, err error) error {
	f, ok := errors.AsType[*fault.Fault](err)
	if !ok {
		return err
	}
	var fields []fault.Field
	for _, field := range f.Fields {
		fields = append(fields, fault.Field{Path: fmt.Sprintf("rows.%d.%s", i, field.Path), Fault: field.Fault})
	}
	return fault.Of(fields...)
}

// take applies what is said of payouts of one run, in this order.
func (s *Service) take(ctx context.Context, tx db.Tx, who auditlog.Actor, id uuid.UUID, list []said, references map[uuid.UUID]string, file string, hash []byte) (result ReadResult, err error) {
	result = ReadResult{Rows: len(list), Contradicts: []string{}}
	r, err := read(ctx, tx, lockRun, id)
	if err != nil {
		return result, err
	}
	if r.Booked == nil {
		return result, ErrNotNow
	}
	payouts, balances, err := lockPaid(ctx, tx, db.Column(list, func(s said) uuid.UUID { return s.Payout }))
	if err != nil {
		return result, err
	}
	held, err := ledger.SystemBalance(ctx, tx, ledger.Payable)
	if err != nil {
		return result, err
	}
	var moves []ledger.Transfer
	for _, one := range list {
		p, ok := payouts[one.Payout]
		if !ok {
			return result, ErrNotNow
		}
		path, sense := p.by(one)
		became := applied
		switch {
		case !sense:
			became = contradicts
			result.Contradicts = append(result.Contradicts, references[p.ID])
		case len(path) == 0:
			became = known
			result.Known++
		default:
			result.Applied++
		}
		tx.Queue(insertResult, db.NewID(), p.ID, one.Outcome, one.Day, one.Reason, file, hash, became, tx.Now, who.ID)
		for _, to := range path {
			move, err := p.become(ctx, tx, to, one, balances)
			if err != nil {
				return result, err
			}
			moves = append(moves, move)
			switch to {
			case Paid:
				held += p.Net
			case Returned:
				held -= p.Net
			}
		}
		if held < 0 {
			return result, ErrNotCovered
		}
	}
	balances.Save(tx)
	if err := ledger.Post(tx, moves...); err != nil {
		return result, err
	}
	tx.Queue(endRun, r.ID, tx.Now)
	return result, changed(ctx, tx, who, "result", r.ID, map[string]any{"file": file, "rows": result.Rows, "applied": result.Applied, "contradicts": result.Contradicts})
}

// Withdrawal takes an approved run back.
type Withdrawal struct {
	ID     uuid.UUID `json:"id"`
	Reason string    `json:"reason" minLength:"1" maxLength:"300" doc:"The payees read it"`
}

// Withdraw takes back a run that is booked and whose file nobody has made: what it would have paid can be paid by the next run. It returns fault.Required without
// a reason, fault.Missing, ErrBooking, or ErrNotNow.
func (s *Service) Withdraw(ctx context.Context, org uuid.UUID, who auditlog.Actor, in Withdrawal) error {
	if in.Reason = strings.TrimSpace(in.Reason); in.Reason == "" {
		return fault.At("reason", fault.Required)
	}
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		r, err := read(ctx, tx, lockRun, in.ID)
		switch {
		case err != nil:
			return err
		case r.State == Approved && r.Booked == nil:
			return ErrBooking
		case r.State != Approved:
			return ErrNotNow
		}
		rows, err := tx.Query(ctx, stillBooked, r.ID)
		if err != nil {
			return fmt.Errorf("payouts of run %s: %w", r.ID, err)
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil {
			return fmt.Errorf("payouts of run %s: %w", r.ID, err)
		}
		payouts, balances, err := lockPaid(ctx, tx, ids)
		if err != nil {
			return err
		}
		var moves []ledger.Transfer
		for _, id := range ids {
			p := payouts[id]
			tx.Queue(insertResult, db.NewID(), p.ID, wasNot, clock.Day(tx.Now), in.Reason, "", nil, applied, tx.Now, who.ID)
			move, err := p.fail(tx, in.Reason, balances)
			if err != nil {
				return err
			}
			moves = append(moves, move)
		}
		balances.Save(tx)
		if err := ledger.Post(tx, moves...); err != nil {
			return err
		}
		tx.Queue(endRun, r.ID, tx.Now)
		return changed(ctx, tx, who, "withdraw", r.ID, in)
	})
}

// fail ends a payout that was not paid: what it is made of is open again.
func (p *payoutOf) fail(tx db.Tx, why string, balances commission.Balances) (ledger.Transfer, error) {
	tx.Queue(markFailed, p.ID, tx.Now, why)
	tx.Queue(freeLines, p.ID)
	cause := ledger.Cause{Kind: "payout_failed", ID: p.ID, MemoTH: "โอนค่าคอมไม่ได้", MemoEN: "Commission could not be transferred"}
	return balances.Move(p.Payee, cause, p.Gross, onItsWay(-p.Net), withheldTax(-p.Withheld))
}

// lockPaid locks payouts that were booked, and the balances of their payees.
func lockPaid(ctx context.Context, tx db.Tx, ids []uuid.UUID) (map[uuid.UUID]*payoutOf, commission.Balances, error) {
	rows, err := tx.Query(ctx, lockPayouts, ids)
	if err != nil {
		return nil, nil, fmt.Errorf("lock payouts: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[payoutOf])
	if err != nil {
		return nil, nil, fmt.Errorf("lock payouts: %w", err)
	}
	payouts := map[uuid.UUID]*payoutOf{}
	for _, p := range list {
		if p.State != Ready && p.State != LeftOut {
			payouts[p.ID] = p
		}
	}
	balances, err := commission.LockBalances(ctx, tx, db.Column(list, func(p *payoutOf) uuid.UUID { return p.Payee }))
	return payouts, balances, err
}

// by returns what a payout becomes by what is said of it, and whether that makes sense. A failure of what was paid is a return only if its day is later.
func (p *payoutOf) by(one said) (path []Standing, sense bool) {
	path, sense = steps[one.Outcome][p.State]
	if p.State == Paid && one.Outcome == wasNot && !one.Day.After(*p.PaidOn) {
		return nil, true
	}
	return path, sense
}

// become makes a payout what was said of it, and returns the transfer that moves its money.
func (p *payoutOf) become(ctx context.Context, tx db.Tx, to Standing, one said, balances commission.Balances) (ledger.Transfer, error) {
	p.State = to
	switch to {
	case Paid:
		p.PaidOn = &one.Day
		tx.Queue(markPaid, p.ID, one.Day, tx.Now)
		cause := ledger.Cause{Kind: "payout_paid", ID: p.ID, MemoTH: "โอนค่าคอมแล้ว", MemoEN: "Commission transferred"}
		paid := ledger.Posting{Debit: ledger.SystemAccount(ledger.BankClearing), Credit: ledger.SystemAccount(ledger.Payable), Amount: p.Net}
		return ledger.NewTransfer(cause, paid), p.notify(ctx, tx, message.AgentPaid)
	case Failed:
		if err := p.notify(ctx, tx, message.AgentNotPaid); err != nil {
			return ledger.Transfer{}, err
		}
		return p.fail(tx, one.Reason, balances)
	}
	tx.Queue(markReturned, p.ID, tx.Now, one.Reason)
	tx.Queue(insertReturn, p.ID, p.Payee, p.Net, tx.Now)
	if err := p.notify(ctx, tx, message.AgentPayReturned); err != nil {
		return ledger.Transfer{}, err
	}
	cause := ledger.Cause{Kind: "payout_returned", ID: p.ID, MemoTH: "ค่าคอมที่โอนตีกลับ", MemoEN: "Transferred commission came back"}
	return balances.Move(p.Payee, cause, p.Net, commission.Part{Account: ledger.SystemAccount(ledger.Payable), By: -p.Net})
}

func (p *payoutOf) notify(ctx context.Context, tx db.Tx, kind message.Kind) error {
	if p.Customer == nil {
		return nil
	}
	return message.Write(ctx, tx, *p.Customer, kind, p.ID, p.Net)
}
