package refund

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/bank"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/voucher"
)

// TransferCase is a bank transfer as people of the organisation make it.
type TransferCase struct {
	Record   charge.TransferRow `json:"record"`
	Account  bank.Named         `json:"account" doc:"As its payer named it; of who was erased since, only its bank"`
	Failure  string             `json:"failure" doc:"Why it could not be made"`
	FailedBy string             `json:"failed_by_name" doc:"Who said so"`
	HeldBack bool               `json:"held_back" doc:"Nobody should transfer it any more: the payer's bank holds the payment back meanwhile, or the payment company has sent it back"`
	InRun    bool               `json:"in_run" doc:"Its run is booked: what became of it is said there, and not here"`
	Approval *uuid.UUID         `json:"approval_id" nullable:"true" doc:"The request that waits for a second person"`
}

// TransferMade says what became of a transfer at the bank, and asks a second person to confirm that.
type TransferMade struct {
	ID        uuid.UUID `json:"id"`
	Outcome   string    `json:"outcome" enum:"done,failed" doc:"done: it was made. failed: it came back, although somebody said that it was made, or two people did"`
	Reference string    `json:"reference" maxLength:"60" doc:"The bank's, of the transfer that was made; empty of one that came back"`
	Note      string    `json:"note" maxLength:"300" doc:"For the second person; of a transfer that came back why"`
}

// TransferFailure says why a transfer cannot be made that nobody has made.
type TransferFailure struct {
	ID     uuid.UUID `json:"id"`
	Reason string    `json:"reason" minLength:"1" maxLength:"300" doc:"For the organisation alone"`
}

// TransferApprovals are what became of bank transfers, as two people say it.
var TransferApprovals = approval.KindOf[TransferMade]{
	Name: "bank_transfer", Module: voucher.Vouchers.Module(), Letter: access.Status,
	Do: endTransfer,
	Facts: func(ctx context.Context, tx db.Tx, in TransferMade) ([]approval.Fact, error) {
		return transferFacts(ctx, tx, in.ID)
	},
}.Kind()

const waitingTransfer = `SELECT max(id::text)::uuid FROM approval WHERE kind = 'bank_transfer' AND record_id = $1 AND state = 'waiting' AND due_at > $2`

// TransferCase returns a bank transfer, with the account that it goes to. It returns fault.Missing if there is none.
func (s *Service) TransferCase(ctx context.Context, org, id uuid.UUID) (c TransferCase, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		of, err := charge.AccountOfTransfer(ctx, tx, id)
		if err != nil {
			return err
		}
		c.Failure, c.FailedBy, c.HeldBack = of.Failure, of.FailedBy, of.HeldBack
		if c.Record, err = charge.Transfers.Detail(ctx, tx, id); err != nil {
			return err
		}
		if c.Account, err = bank.Read(ctx, tx, s.box, of.Account); err != nil {
			return err
		}
		byHand := payout.ByHand(ctx, tx, id)
		if c.InRun = errors.Is(byHand, payout.ErrInRun); byHand != nil && !c.InRun {
			return byHand
		}
		if err := tx.QueryRow(ctx, waitingTransfer, id, tx.Now).Scan(&c.Approval); err != nil {
			return fmt.Errorf("who is asked about bank transfer %s: %w", id, err)
		}
		return nil
	})
	return c, err
}

// AskTransfer writes down that a transfer was made, and asks a second person to confirm that, or that one came back that was said to be made. The same key asks
// once. It returns fault.Missing, charge.ErrTransferOver, charge.ErrTransferOpen of one that cannot have come back, payout.ErrInRun of one whose run is booked,
// fault.Required without the bank's reference or the reason, idempotency.ErrReused, and approval.ErrWaiting while somebody is asked.
func (s *Service) AskTransfer(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in TransferMade) error {
	in.Reference, in.Note = strings.TrimSpace(in.Reference), strings.TrimSpace(in.Note)
	switch {
	case in.Outcome == "done" && in.Reference == "":
		return fault.At("reference", fault.Required)
	case in.Outcome == "failed" && in.Note == "":
		return fault.At("note", fault.Required)
	}
	_, err := idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "banktransfer.ask", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, id uuid.UUID) error {
			t, err := charge.LockTransfer(ctx, tx, in.ID)
			if err != nil {
				return err
			}
			if err := payout.ByHand(ctx, tx, t.ID); err != nil {
				return err
			}
			switch {
			case in.Outcome == "failed" && t.State == "approved":
				return charge.ErrTransferOpen
			case in.Outcome == "done" && t.State == "done":
				return charge.ErrTransferOver
			}
			if in.Outcome == "done" {
				t.Send(tx, who.ID, in.Reference)
				if err := notice.SendTableUpdate(ctx, tx, charge.Transfers.Name()); err != nil {
					return err
				}
			}
			return approval.Ask(ctx, tx, who, id, approval.Request{
				Kind: TransferApprovals.Name, Table: charge.Transfers.Name(), Record: t.ID, Title: t.Number, Customer: &t.Payer, Amount: t.Amount, Note: in.Note, Input: in,
			})
		})
	return err
}

// endTransfer ends a transfer as who asked for it said, and a second person confirmed.
func endTransfer(ctx context.Context, tx db.Tx, by approval.By, in TransferMade) error {
	t, err := charge.LockTransfer(ctx, tx, in.ID)
	if err != nil {
		return err
	}
	switch {
	case t.State == "approved":
		return charge.ErrTransferOpen
	case in.Outcome == "done" && t.State == "done":
		return charge.ErrTransferOver
	case in.Outcome == "done":
		if err := t.End(ctx, tx, &by.Approval); err != nil {
			return err
		}
		if err := notice.SendTableUpdate(ctx, tx, charge.Transfers.Name()); err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, by.Asked, "done", charge.Transfers.Name()+"/"+t.ID.String(), nil, in)
	}
	if t.State == "done" {
		held, err := ledger.SystemBalance(ctx, tx, ledger.Payable)
		if err != nil {
			return err
		}
		if held < t.Amount {
			return payout.ErrNotCovered
		}
	}
	return failTransfer(ctx, tx, by.Asked, t, &by.Approval, in.Note)
}

// FailTransfer puts a transfer that cannot be made into its payer's wallet, where it pays what he owes first. The same key does it once. It returns fault.Missing,
// charge.ErrTransferOver, charge.ErrTransferSent once somebody said that it was made, payout.ErrInRun of one whose run is booked, fault.Required without a reason, and
// idempotency.ErrReused.
func (s *Service) FailTransfer(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in TransferFailure) error {
	if in.Reason = strings.TrimSpace(in.Reason); in.Reason == "" {
		return fault.At("reason", fault.Required)
	}
	_, err := idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "banktransfer.fail", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, _ uuid.UUID) error {
			t, err := charge.LockTransfer(ctx, tx, in.ID)
			if err != nil {
				return err
			}
			if err := payout.ByHand(ctx, tx, t.ID); err != nil {
				return err
			}
			switch t.State {
			case "sent":
				return charge.ErrTransferSent
			case "done":
				return charge.ErrTransferOver
			}
			return failTransfer(ctx, tx, who, t, nil, in.Reason)
		})
	return err
}

func failTransfer(ctx context.Context, tx db.Tx, who auditlog.Actor, t charge.Transfer, approved *uuid.UUID, why string) error {
	if err := t.Fail(ctx, tx, who.ID, approved, why); err != nil {
		return err
	}
	if err := Settle(ctx, tx, t.Payer, true); err != nil {
		return err
	}
	if err := notice.SendTableUpdate(ctx, tx, charge.Transfers.Name()); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, who, "failed", charge.Transfers.Name()+"/"+t.ID.String(), nil, map[string]string{"reason": why})
}

// transferFacts reads what the end of a bank transfer touches.
func transferFacts(ctx context.Context, tx db.Tx, id uuid.UUID) ([]approval.Fact, error) {
	of, err := charge.AccountOfTransfer(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	wallet, err := approval.WalletOf(ctx, tx, of.Customer)
	if err != nil {
		return nil, err
	}
	balances, err := ledger.SystemBalances(ctx, tx, ledger.Payable, ledger.BankClearing, ledger.ChargebackReceivable)
	if err != nil {
		return nil, err
	}
	return []approval.Fact{
		{What: "leaving", Value: approval.Value{Amount: balances[ledger.BankClearing]}},
		wallet,
		{What: "payable", Value: approval.Value{Amount: balances[ledger.Payable]}},
		{What: "owed", Value: approval.Value{Amount: -balances[ledger.ChargebackReceivable]}},
	}, nil
}
