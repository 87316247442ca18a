package cashout

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/staff"
)

// Case is a request as the organisation decides on it.
type Case struct {
	Record          Row             `json:"record"`
	CustomerPicture string          `json:"customer_picture_url"`
	Balance         money.Amount    `json:"balance_satang" doc:"Of the customer's wallet now"`
	Bank            string          `json:"bank" doc:"Code of the bank that he named; empty if he named none"`
	Digits          string          `json:"account_digits"`
	Sources         []charge.Source `json:"sources" doc:"Where it would go if it were approved now, and how much; none once it is answered"`
	Parts           []Part          `json:"parts" doc:"Where it went, of one that was approved"`
	Fault           string          `json:"fault" doc:"Code of what stands against approving it now, or empty"`
	Second          bool            `json:"needs_second" doc:"A second person has to let it be paid: it is asked for"`
	Approval        *uuid.UUID      `json:"approval_id" nullable:"true" doc:"The request that waits for a second person"`
	Answer          string          `json:"answer" doc:"Why it was refused"`
}

// Refusal is why a request is refused.
type Refusal struct {
	ID     uuid.UUID `json:"id"`
	Answer string    `json:"answer" minLength:"1" maxLength:"300" doc:"For who asked"`
}

// Note asks a second person to let a request be approved.
type Note struct {
	ID   uuid.UUID `json:"id"`
	Note string    `json:"note" minLength:"1" maxLength:"500" doc:"For the second person; the customer does not see it"`
}

// Asked is a request that waits for a second person.
type Asked struct {
	Approval uuid.UUID `json:"approval_id"`
}

// Approvals are requests that need a second person: those above the rule of refunds.
var Approvals = approval.KindOf[ByRequest]{
	Name: "cashout", Module: Cashouts.Module(), Letter: access.Status,
	Do: func(ctx context.Context, tx db.Tx, by approval.By, in ByRequest) error {
		return approve(ctx, tx, by.Asked, &by.Approval, in.ID)
	},
	Facts: func(ctx context.Context, tx db.Tx, in ByRequest) ([]approval.Fact, error) {
		r, err := readOne(ctx, tx, byID, in.ID)
		if err != nil {
			return nil, err
		}
		wallet, err := approval.WalletOf(ctx, tx, r.customer)
		if err != nil {
			return nil, err
		}
		leaving, err := ledger.SystemBalance(ctx, tx, ledger.BankClearing)
		return []approval.Fact{wallet, {What: "leaving", Value: approval.Value{Amount: leaving}}}, err
	},
}.Kind()

const (
	caseOf = `SELECT c.picture_url, coalesce((SELECT w.balance_satang FROM wallet w WHERE w.customer_id = coalesce(f.successor_id, k.customer_id)), 0),
		(SELECT a.id FROM approval a WHERE a.kind = 'cashout' AND a.record_id = k.id AND a.state = 'waiting' AND a.due_at > $2)
		FROM cashout k JOIN customer c ON c.id = k.customer_id LEFT JOIN former_customer f ON f.customer_id = k.customer_id WHERE k.id = $1`
	end = `UPDATE cashout SET state = $2, answered_at = $3, answered_by = $4, approval_id = $5, answer = $6 WHERE id = $1`
	// What was approved for a customer without a second person within a day counts together. The rule could otherwise be passed in small steps.
	withoutSecond = `SELECT coalesce(sum(amount_satang), 0)::bigint FROM cashout WHERE customer_id = $1 AND state = 'approved' AND approval_id IS NULL AND answered_at > $2`
)

func needsSecond(ctx context.Context, tx db.Tx, r row) (bool, error) {
	var before money.Amount
	if err := tx.QueryRow(ctx, withoutSecond, r.customer, tx.Now.Add(-24*time.Hour)).Scan(&before); err != nil {
		return false, fmt.Errorf("what was paid out before to %s: %w", r.customer, err)
	}
	return approval.Needed(ctx, tx, "refund", before+r.Amount)
}

// Case returns a request with what approving it now would do. It returns fault.Missing if there is none.
func (s *Service) Case(ctx context.Context, org, id uuid.UUID) (c Case, err error) {
	c.Sources, c.Parts = []charge.Source{}, []Part{}
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		r, err := readOne(ctx, tx, byID, id)
		if err != nil {
			return err
		}
		if c.Record, err = Cashouts.Detail(ctx, tx, id); err != nil {
			return err
		}
		c.Bank, c.Digits, c.Answer = r.Bank, r.Digits, r.Answer
		if err := tx.QueryRow(ctx, caseOf, id, tx.Now).Scan(&c.CustomerPicture, &c.Balance, &c.Approval); err != nil {
			return fmt.Errorf("read %s: %w", id, err)
		}
		if r.State != "asked" {
			shown, err := show(ctx, tx, []row{r})
			if err != nil {
				return err
			}
			c.Parts = shown[0].Parts
			return nil
		}
		now, person, err := customer.LockPerson(ctx, tx, r.customer)
		if err != nil {
			return err
		}
		parts, err := parts(ctx, tx, r, now, person)
		if f := (*fault.Fault)(nil); errors.As(err, &f) {
			c.Fault = f.Code
		} else if err != nil {
			return err
		}
		for _, p := range parts {
			c.Sources = append(c.Sources, p.Source)
		}
		c.Second, err = needsSecond(ctx, tx, r)
		return err
	})
	return c, err
}

// parts returns to what a request goes back that is approved now. It returns ErrOwes, or ErrChanged if it cannot be paid as it was asked for.
func parts(ctx context.Context, tx db.Tx, r row, now uuid.UUID, person []uuid.UUID) ([]charge.FilledBy, error) {
	list, err := sources(ctx, tx, now, person, r.Amount)
	if errors.Is(err, ErrTooMuch) {
		return nil, ErrChanged
	}
	if err != nil {
		return nil, err
	}
	if needsAccount(list) && r.account == nil {
		return nil, ErrChanged
	}
	return list, nil
}

// Approve pays what a customer asked for out of his wallet. The same key does it once. It returns fault.Missing, ErrOver, ErrOwes, ErrChanged, approval.ErrNeeded
// above the organisation's rule of refunds, and idempotency.ErrReused.
func (s *Service) Approve(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in ByRequest) error {
	_, err := idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "cashout.approve", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, _ uuid.UUID) error { return approve(ctx, tx, who, nil, in.ID) })
	return err
}

// approve pays out in the name of an account; second is the approval of a second person, or nil. The fifteen days of what is
// transferred began when it was asked for.
func approve(ctx context.Context, tx db.Tx, who auditlog.Actor, second *uuid.UUID, id uuid.UUID) error {
	r, now, person, err := readLocked(ctx, tx, id)
	if err != nil {
		return err
	}
	list, err := parts(ctx, tx, r, now, person)
	if err != nil {
		return err
	}
	if second == nil {
		needs, err := needsSecond(ctx, tx, r)
		if err != nil {
			return err
		}
		if needs {
			return approval.ErrNeeded
		}
	}
	tx.Queue(end, r.ID, "approved", tx.Now, who.ID, second, "")
	cause := ledger.Cause{Kind: "cashout", ID: r.ID, MemoTH: "ถอนเงินจาก Wallet", MemoEN: "Paid out of the Wallet"}
	out := ledger.Posting{Debit: ledger.AccountOf(ledger.Wallet, now), Credit: ledger.SystemAccount(ledger.BankClearing), Amount: r.Amount}
	if err := ledger.Post(tx, ledger.NewTransfer(cause, out)); err != nil {
		return fmt.Errorf("post %s: %w", r.ID, err)
	}
	for _, p := range list {
		of := charge.Remitting{Cashout: &r.ID, Customer: r.customer, Charge: p.Charge, Amount: p.Limit}
		if p.Method == "bank" {
			of.Account, of.Due = r.account, &r.DueAt
		}
		if err := charge.Remit(ctx, tx, of); err != nil {
			return err
		}
	}
	if err := message.Write(ctx, tx, now, message.CashoutApproved, r.ID, r.Amount); err != nil {
		return err
	}
	if err := notice.Send(ctx, tx, token.User, now, notice.Event{Topic: "wallet"}); err != nil {
		return err
	}
	return answered(ctx, tx, who, r.ID, "approve", ByRequest{r.ID})
}

// answered notifies screens of an answer, and records it.
func answered(ctx context.Context, tx db.Tx, who auditlog.Actor, id uuid.UUID, does string, in any) error {
	if err := notice.SendTableUpdate(ctx, tx, Cashouts.Name()); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, who, does, Cashouts.Name()+"/"+id.String(), nil, in)
}

// AskToApprove asks a second person to let a request be approved; nothing moves until then. The same key asks once. It returns fault.Required without a note,
// the faults of Approve but approval.ErrNeeded, and approval.ErrWaiting if somebody has asked before.
func (s *Service) AskToApprove(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in Note) (a Asked, err error) {
	if in.Note = strings.TrimSpace(in.Note); in.Note == "" {
		return a, fault.At("note", fault.Required)
	}
	a.Approval, err = idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "cashout.second", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, id uuid.UUID) error {
			r, now, person, err := readLocked(ctx, tx, in.ID)
			if err != nil {
				return err
			}
			if _, err := parts(ctx, tx, r, now, person); err != nil {
				return err
			}
			return approval.Ask(ctx, tx, who, id, approval.Request{
				Kind: Approvals.Name, Table: Cashouts.Name(), Record: r.ID, Title: r.Number, Customer: &now, Amount: r.Amount, Note: in.Note, Input: ByRequest{r.ID},
			})
		})
	return a, err
}

// Refuse refuses a request with words that its customer reads. It returns fault.Required without any, fault.Missing or ErrOver.
func (s *Service) Refuse(ctx context.Context, org uuid.UUID, who auditlog.Actor, in Refusal) error {
	if in.Answer = strings.TrimSpace(in.Answer); in.Answer == "" {
		return fault.At("answer", fault.Required)
	}
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		staff.Lock(tx, who.ID)
		r, now, _, err := readLocked(ctx, tx, in.ID)
		if err != nil {
			return err
		}
		tx.Queue(end, r.ID, "refused", tx.Now, who.ID, nil, in.Answer)
		if err := message.Write(ctx, tx, now, message.CashoutRefused, r.ID, 0); err != nil {
			return err
		}
		return answered(ctx, tx, who, r.ID, "refuse", in)
	})
}
