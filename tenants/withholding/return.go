package withholding

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/secret"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/tax"
)

// Month names a form's month.
type Month struct {
	Form  tax.Form `json:"form" enum:"PND1,PND53"`
	Month string   `json:"month" maxLength:"7" pattern:"^[0-9]{4}-[0-9]{2}$" doc:"Of payment: YYYY-MM, over"`
}

// Open is what was withheld in a month and is in no file yet.
type Open struct {
	Form         tax.Form     `json:"form" enum:"PND1,PND53"`
	Month        string       `json:"month" doc:"Of payment: YYYY-MM"`
	Certificates int64        `json:"certificates"`
	Income       money.Amount `json:"income_satang"`
	Withheld     money.Amount `json:"withheld_satang"`
	Over         bool         `json:"over" doc:"A file can be made"`
	Due          string       `json:"due" format:"date" doc:"Until when it is filed on paper: the seventh of the month after it"`
}

// Next is what is still to be certified and filed.
type Next struct {
	Waiting int64  `json:"waiting" doc:"Payouts whose certificates wait until the organisation has written down its legal name, tax ID, branch and address"`
	Payer   bool   `json:"payer" doc:"It has"`
	Open    []Open `json:"open" doc:"The oldest month first"`
}

// Filing says that a file was filed.
type Filing struct {
	ID      uuid.UUID `json:"id"`
	FiledOn string    `json:"filed_on" format:"date"`
	Receipt string    `json:"receipt" minLength:"1" maxLength:"60" doc:"The number on the Revenue Department's receipt"`
	Note    string    `json:"note" maxLength:"500" doc:"For the second person; may be empty"`
}

// Asked is a return that waits for a second person.
type Asked struct {
	Approval uuid.UUID `json:"approval_id"`
}

const (
	waitingOf = `SELECT count(*) FROM (` + due + `LIMIT 1000) d`
	openSums  = `SELECT form, date_trunc('month', paid_on)::date, count(*), sum(income_satang)::bigint, sum(withheld_satang)::bigint FROM tax_certificate
		WHERE state = 'issued' AND return_id IS NULL GROUP BY 1, 2 ORDER BY 2, 1`
	ofMonth      = `SELECT count(*) FILTER (WHERE state = 'filed'), count(*) FILTER (WHERE state = 'made') FROM tax_return WHERE form = $1 AND month = $2`
	insertReturn = `INSERT INTO tax_return (id, form, month, sequence, state, certificates, paid_satang, withheld_satang, file_name, file, file_hash, made_at, made_by)
		VALUES ($1, $2, $3, $4, 'made', $5, $6, $7, $8, $9, $10, $11, $12)`
	putIn     = `UPDATE tax_certificate SET return_id = $1 WHERE id = ANY ($2)`
	takeOut   = `UPDATE tax_certificate SET return_id = NULL WHERE return_id = $1`
	cancelled = `UPDATE tax_return SET state = 'cancelled', cancelled_at = $2 WHERE id = $1`
	readOne   = `SELECT t.id, t.form, t.month, t.state, t.certificates, t.withheld_satang, t.file_name, t.file, t.file_hash, t.made_by,
		EXISTS (SELECT FROM approval a WHERE a.id = t.approval_id AND a.state = 'waiting' AND a.due_at > $2) FROM tax_return t WHERE t.id = $1`
	lockOne    = readOne + ` FOR UPDATE OF t`
	propose    = `UPDATE tax_return SET approval_id = $2 WHERE id = $1`
	filed      = `UPDATE tax_return SET state = 'filed', filed_on = $2, receipt = $3, filed_at = $4 WHERE id = $1`
	answeredBy = `SELECT answered_by, alone FROM approval WHERE id = $1`
)

// made is a row of tax_return.
type made struct {
	ID           uuid.UUID
	Form         tax.Form
	Month        time.Time
	State        string
	Certificates int64
	Withheld     money.Amount
	Name         string
	Sealed       []byte
	Hash         []byte
	By           uuid.UUID
	Waits        bool // for a second person
}

// readReturn returns a return as sql has it, or fault.Missing.
func readReturn(ctx context.Context, tx db.Tx, sql string, id uuid.UUID) (m made, err error) {
	rows, err := tx.Query(ctx, sql, id, tx.Now)
	if err != nil {
		return m, fmt.Errorf("return %s: %w", id, err)
	}
	m, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[made])
	if errors.Is(err, pgx.ErrNoRows) {
		return m, fault.Missing
	}
	if err != nil {
		return m, fmt.Errorf("return %s: %w", id, err)
	}
	return m, nil
}

// lockMade locks a return that is made, not filed. It returns fault.Missing, ErrNotNow, or ErrWaits.
func lockMade(ctx context.Context, tx db.Tx, id uuid.UUID) (made, error) {
	m, err := readReturn(ctx, tx, lockOne, id)
	switch {
	case err != nil:
		return m, err
	case m.State != "made":
		return m, ErrNotNow
	case m.Waits:
		return m, ErrWaits
	}
	return m, nil
}

// Next returns what is still to be certified and filed.
func (s *Service) Next(ctx context.Context, org uuid.UUID) (n Next, err error) {
	today := clock.Day(s.db.Now())
	n.Open = []Open{}
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		if err := tx.QueryRow(ctx, waitingOf).Scan(&n.Waiting); err != nil {
			return fmt.Errorf("certificates that wait: %w", err)
		}
		_, err := payer(ctx, tx)
		if n.Payer = err == nil; err != nil && !errors.Is(err, ErrPayer) {
			return err
		}
		rows, err := tx.Query(ctx, openSums)
		if err != nil {
			return fmt.Errorf("what is to be filed: %w", err)
		}
		var o Open
		var month time.Time
		_, err = pgx.ForEachRow(rows, []any{&o.Form, &month, &o.Certificates, &o.Income, &o.Withheld}, func() error {
			after := month.AddDate(0, 1, 0)
			o.Month, o.Over, o.Due = month.Format("2006-01"), !today.Before(after), after.AddDate(0, 0, 6).Format(time.DateOnly)
			n.Open = append(n.Open, o)
			return nil
		})
		return err
	})
	return n, err
}

// Make makes the file of a form's month, of every certificate that is in none yet: the first of a month, or what came late. It returns fault.WrongFormat or
// ErrMonthNotOver at the month, ErrPayer, ErrNothing, ErrNotFiled, or ErrNotNow if somebody else makes one now.
func (s *Service) Make(ctx context.Context, org uuid.UUID, who auditlog.Actor, in Month) (of ByID, err error) {
	month, err := time.Parse("2006-01", in.Month)
	if err != nil {
		return of, fault.At("month", fault.WrongFormat)
	}
	after := month.AddDate(0, 1, 0)
	if clock.Day(s.db.Now()).Before(after) {
		return of, fault.At("month", ErrMonthNotOver)
	}
	of.ID = db.NewID()
	return of, s.db.InOrg(ctx, org, func(tx db.Tx) error {
		from, err := payer(ctx, tx)
		if err != nil {
			return err
		}
		rows, err := tx.Query(ctx, openOfMonth, in.Form, month, after)
		if err != nil {
			return fmt.Errorf("certificates of %s: %w", in.Month, err)
		}
		list, err := pgx.CollectRows(rows, scanCertificate)
		if err != nil {
			return fmt.Errorf("certificates of %s: %w", in.Month, err)
		}
		if len(list) == 0 {
			return ErrNothing
		}
		var sequence, waiting int // a file is numbered by how many were filed before it, so one at a time is not filed
		if err := tx.QueryRow(ctx, ofMonth, in.Form, month).Scan(&sequence, &waiting); err != nil {
			return fmt.Errorf("files of %s: %w", in.Month, err)
		}
		if waiting > 0 {
			return ErrNotFiled
		}
		var income, withheld money.Amount
		to := make([]recipient, len(list))
		for i, c := range list {
			income, withheld = income+c.Income, withheld+c.Withheld
			if to[i], err = s.open(tx, c.ID, c.Sealed); err != nil {
				return err
			}
		}
		text, err := fileOf(in.Form, from, month, sequence, list, to)
		if err != nil {
			return err
		}
		hash := sha256.Sum256([]byte(text))
		sealed, err := s.box.Seal(secret.AAD{Org: tx.Key, Column: fileColumn, Row: of.ID}, []byte(text))
		if err != nil {
			return fmt.Errorf("seal a return: %w", err)
		}
		_, err = tx.Exec(ctx, insertReturn, of.ID, in.Form, month, sequence, len(list), income, withheld, fileName(in.Form, from, month, sequence), sealed, hash[:], tx.Now, who.ID)
		if db.IsUnique(err, "tax_return_once") {
			return ErrNotNow
		}
		if err != nil {
			return fmt.Errorf("make a return: %w", err)
		}
		tx.Queue(putIn, of.ID, db.Column(list, func(c certificate) uuid.UUID { return c.ID }))
		return changed(ctx, tx, who, "make", Returns.Name(), of.ID, in)
	})
}

// File returns the file of a return, the same bytes each time, and records who has taken it. It returns fault.Missing if there is none.
func (s *Service) File(ctx context.Context, org uuid.UUID, who auditlog.Actor, id uuid.UUID) (name string, file []byte, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		m, err := readReturn(ctx, tx, readOne, id)
		if err != nil {
			return err
		}
		name = m.Name
		if file, err = s.box.Open(secret.AAD{Org: tx.Key, Column: fileColumn, Row: m.ID}, m.Sealed); err != nil {
			return fmt.Errorf("file of return %s: %w", id, err)
		}
		return auditlog.Record(ctx, tx, who, "see", Returns.Name()+"/"+id.String(), nil, nil)
	})
	return name, file, err
}

// Cancel takes a file back that nobody has filed: its certificates can be in another. It returns fault.Missing, ErrNotNow, or ErrWaits.
func (s *Service) Cancel(ctx context.Context, org uuid.UUID, who auditlog.Actor, id uuid.UUID) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		m, err := lockMade(ctx, tx, id)
		if err != nil {
			return err
		}
		tx.Queue(takeOut, m.ID)
		tx.Queue(cancelled, m.ID, tx.Now)
		return changed(ctx, tx, who, "cancel", Returns.Name(), m.ID, nil)
	})
}

// Propose asks a second person to confirm that a file was filed; nothing moves until then. The same key asks once. It returns fault.Required without a receipt,
// fault.WrongFormat or ErrMonthNotOver at the day, fault.Missing, ErrNotNow, or ErrWaits.
func (s *Service) Propose(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in Filing) (a Asked, err error) {
	in.Receipt, in.Note = strings.TrimSpace(in.Receipt), strings.TrimSpace(in.Note)
	if in.Receipt == "" {
		return a, fault.At("receipt", fault.Required)
	}
	on, err := time.Parse(time.DateOnly, in.FiledOn)
	if err != nil {
		return a, fault.At("filed_on", fault.WrongFormat)
	}
	a.Approval, err = idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "withholding.propose", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, id uuid.UUID) error {
			m, err := lockMade(ctx, tx, in.ID)
			if err != nil {
				return err
			}
			if on.Before(m.Month.AddDate(0, 1, 0)) || on.After(clock.Day(tx.Now)) {
				return fault.At("filed_on", fault.WrongFormat)
			}
			err = approval.Ask(ctx, tx, who, id, approval.Request{
				Kind: Approvals.Name, Table: Returns.Name(), Record: m.ID, Title: m.Name, Amount: m.Withheld, Note: in.Note, Input: in,
			})
			if err != nil {
				return err
			}
			tx.Queue(propose, m.ID, id)
			return changed(ctx, tx, who, "propose", Returns.Name(), m.ID, in)
		})
	return a, err
}

// Approvals are returns of which a second person has to confirm that they were filed and paid: all of them.
var Approvals = approval.KindOf[Filing]{
	Name: "tax_return", Module: module, Letter: access.Status,
	Do: file,
	Facts: func(ctx context.Context, tx db.Tx, in Filing) ([]approval.Fact, error) {
		m, err := readReturn(ctx, tx, readOne, in.ID)
		if err != nil {
			return nil, err
		}
		return []approval.Fact{{What: "tax_return", Name: in.Receipt, Value: approval.Value{State: m.State, Items: m.Certificates, Amount: m.Withheld}}}, nil
	},
}.Kind()

// file writes down that a return was filed: the organisation's bank has paid the tax of it, so what is held of that is the organisation's own. Who made the file does not confirm it, but where
// nobody else could.
func file(ctx context.Context, tx db.Tx, by approval.By, in Filing) error {
	m, err := readReturn(ctx, tx, lockOne, in.ID)
	if err != nil {
		return err
	}
	if m.State != "made" {
		return ErrNotNow
	}
	on, err := time.Parse(time.DateOnly, in.FiledOn)
	if err != nil {
		return fmt.Errorf("day on which return %s was filed: %w", m.ID, err)
	}
	var who *uuid.UUID // nobody while it is only looked at what approving would change
	var alone bool
	if err := tx.QueryRow(ctx, answeredBy, by.Approval).Scan(&who, &alone); err != nil {
		return fmt.Errorf("who answers %s: %w", by.Approval, err)
	}
	if who != nil && *who == m.By && !alone {
		return ErrSamePerson
	}
	tx.Queue(filed, m.ID, on, in.Receipt, tx.Now)
	cause := ledger.Cause{Kind: "tax_filed", ID: m.ID, MemoTH: "นำส่งภาษีหัก ณ ที่จ่าย", MemoEN: "Withholding tax filed"}
	posting := ledger.Posting{Debit: ledger.SystemAccount(ledger.WithholdingTax), Credit: ledger.SystemAccount(ledger.Payable), Amount: m.Withheld}
	if err := ledger.Post(tx, ledger.NewTransfer(cause, posting)); err != nil {
		return err
	}
	actor := auditlog.Actor{Kind: by.Asked.Kind, Request: by.Asked.Request}
	if who != nil {
		actor.ID = *who
	}
	return changed(ctx, tx, actor, "file", Returns.Name(), m.ID, in)
}
