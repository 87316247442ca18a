package refund

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/voucher"
)

// VoidInput is which voucher the organisation ends, and why.
type VoidInput struct {
	ID     uuid.UUID `json:"id"`
	Reason string    `json:"reason" minLength:"1" maxLength:"300" doc:"For the organisation alone; its holder does not see it"`
}

// VoidQuote is what ending a voucher would do.
type VoidQuote struct {
	Holder     uuid.UUID    `json:"customer_id" doc:"Who holds it"`
	HolderName string       `json:"customer_name"`
	Paid       money.Amount `json:"paid_satang" doc:"For its unused items: the sum of the three below"`
	Wallet     money.Amount `json:"wallet_satang" doc:"To the holder's wallet"`
	Debt       money.Amount `json:"debt_satang" doc:"To what is owed for the payment that it is frozen for"`
	Payable    money.Amount `json:"payable_satang" doc:"To the organisation, which bore something for that payment"`
	Ends       string       `json:"ends" enum:",use,gift,offer" doc:"What is under way with it, and ends"`
	Second     bool         `json:"needs_second" doc:"A second person has to let it be ended: it is asked for"`
}

const (
	voidable = `SELECT v.order_id, v.valid_until, v.frozen_for, coalesce(c.customer_id, o.customer_id), coalesce(c.owed_satang, 0), h.display_name
		FROM voucher v JOIN orders o ON o.id = v.order_id JOIN customer h ON h.id = v.holder_id LEFT JOIN charge c ON c.id = v.frozen_for WHERE v.id = $1`
	isOnePerson = `SELECT $1::uuid = $2::uuid OR EXISTS (SELECT FROM former_customer f WHERE f.customer_id IN ($1, $2) AND f.successor_id IN ($1, $2))
		OR EXISTS (SELECT FROM former_customer f JOIN former_customer g ON g.successor_id = f.successor_id WHERE f.customer_id = $1 AND g.customer_id = $2)`
	insertVoid = `INSERT INTO owner_void (id, voucher_id, reason, refund_id, made_at, made_by, approval_id) VALUES ($1, $2, $3, $4, $5, $6, $7)`
)

// standing is whose money a voucher stands for, and until when it is valid.
type standing struct {
	order     uuid.UUID
	until     time.Time
	frozenFor *uuid.UUID
	payer     uuid.UUID // of the charge that it is frozen for, otherwise of its order
	owed      money.Amount
	holder    string
}

func readStanding(ctx context.Context, tx db.Tx, id uuid.UUID) (s standing, err error) {
	err = tx.QueryRow(ctx, voidable, id).Scan(&s.order, &s.until, &s.frozenFor, &s.payer, &s.owed, &s.holder)
	if errors.Is(err, pgx.ErrNoRows) {
		return s, fault.Missing
	}
	if err != nil {
		return s, fmt.Errorf("what voucher %s stands for: %w", id, err)
	}
	return s, nil
}

// QuoteVoid returns what ending a voucher would do. It returns fault.Missing or the fault of a voucher that is over.
func (s *Service) QuoteVoid(ctx context.Context, org, id uuid.UUID) (q VoidQuote, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		is, err := readStanding(ctx, tx, id)
		if err != nil {
			return err
		}
		all, err := voucher.ReadOfOrder(ctx, tx, is.order)
		if err != nil {
			return err
		}
		v := all[slices.IndexFunc(all, func(v *voucher.Held) bool { return v.ID == id })]
		if err := v.Voidable(is.until, clock.Day(tx.Now)); err != nil {
			return err
		}
		second, err := needsSecond(ctx, tx, v.Order, v.Holder, v.Rest().Paid())
		if err != nil {
			return err
		}
		q = VoidQuote{Holder: v.Holder, HolderName: is.holder, Paid: v.Rest().Paid(), Ends: under[v.State], Second: second}
		q.Debt = min(q.Paid, is.owed)
		q.Wallet = q.Paid - q.Debt
		if v.FrozenFor == nil || q.Wallet == 0 {
			return nil
		}
		var own bool
		if err := tx.QueryRow(ctx, isOnePerson, is.payer, v.Holder).Scan(&own); err != nil {
			return fmt.Errorf("who holds %s: %w", id, err)
		}
		if !own {
			return nil
		}
		borne, err := (&charge.Owing{ID: *v.FrozenFor}).Borne(ctx, tx)
		q.Payable = min(borne, q.Wallet)
		q.Wallet -= q.Payable
		return err
	})
	return q, err
}

// ErrVoidNeedsTwo is returned where many vouchers together are worth more than one person may pay back.
var ErrVoidNeedsTwo = fault.New(fault.Conflict, "refund.void_needs_two", "These are worth more than one person may pay back. End fewer of them, or each with a second person")

// mayVoid returns why a voucher cannot be ended: by one person, or by approved, which a second one let be done. Ending it pays its holder as a refund
// does, and counts together with refunds.
func mayVoid(ctx context.Context, tx db.Tx, v *voucher.Held, until time.Time, approved *approval.By) error {
	if err := v.Voidable(until, clock.Day(tx.Now)); err != nil {
		return err
	}
	if approved != nil {
		return same(*approved, v.Holder, v.Rest().Paid())
	}
	needs, err := needsSecond(ctx, tx, v.Order, v.Holder, v.Rest().Paid())
	if err != nil {
		return err
	}
	if needs {
		return approval.ErrNeeded
	}
	return nil
}

// under is what is under way with a voucher in a state.
var under = map[voucher.State]string{voucher.InUse: "use", voucher.InTransfer: "gift", voucher.OnSale: "offer"}

// maxTries bounds how often somebody else may change whose money a voucher stands for while it is ended.
const maxTries = 10

// errStandsElsewhere says that a voucher stands for another payment since it was read.
var errStandsElsewhere = errors.New("the voucher stands for another payment by now")

// Void ends a voucher for the organisation. What was paid for its unused items goes to its holder's wallet, whatever he paid; of one that is frozen
// for a debt, first to that. A use, a gift or an offer that it is in ends, also an offer that somebody is paying. The same key does it once. It
// returns the faults of QuoteVoid, approval.ErrNeeded above the organisation's rule, and idempotency.ErrReused.
func (s *Service) Void(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in VoidInput) error {
	if in.Reason = strings.TrimSpace(in.Reason); in.Reason == "" {
		return fault.At("reason", fault.Required)
	}
	return s.UntilStill(ctx, org, func() error {
		_, err := idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "voucher.void", Value: key}, in,
			func(tx db.Tx) { staff.Lock(tx, who.ID) },
			func(tx db.Tx, id uuid.UUID) error { return VoidTx(ctx, tx, who, id, nil, in) })
		return err
	})
}

// VoidTx is one try of Void in the name of an account; approved is the approval of a second person, or nil. It fails if the wrong person was locked;
// UntilStill tries again then.
func VoidTx(ctx context.Context, tx db.Tx, who auditlog.Actor, id uuid.UUID, approved *approval.By, in VoidInput) error {
	was, err := readStanding(ctx, tx, in.ID)
	if err != nil {
		return err
	}
	s, err := load(ctx, tx, was.payer, was.order)
	if err != nil {
		return err
	}
	is, err := readStanding(ctx, tx, in.ID) // as its lock has it
	if err != nil {
		return err
	}
	v := s.held(is.order, in.ID)
	if v == nil || is.payer != was.payer || is.frozenFor != nil && s.owingFor(*is.frozenFor) == nil {
		return errStandsElsewhere
	}
	if err := mayVoid(ctx, tx, v, is.until, approved); err != nil {
		return err
	}
	var letBy *uuid.UUID
	if approved != nil {
		letBy = &approved.Approval
	}
	if err := s.void(ctx, tx, who, id, letBy, in, v); err != nil {
		return err
	}
	if err := s.settle(ctx, tx, "covered"); err != nil {
		return err
	}
	if err := notice.SendTableUpdate(ctx, tx, voucher.Vouchers.Name()); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, who, "void", "voucher/"+in.ID.String(), nil, map[string]string{"reason": in.Reason})
}

// held returns a voucher of an order, or nil.
func (s *settlement) held(order, id uuid.UUID) *voucher.Held {
	if p := s.orders[order]; p != nil {
		for _, v := range p.vouchers {
			if v.ID == id {
				return v
			}
		}
	}
	return nil
}

// owingFor returns a charge that owes, or nil.
func (s *settlement) owingFor(id uuid.UUID) *charge.Owing {
	for _, c := range s.owing {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// void ends a voucher and moves what was paid for what is left of it.
func (s *settlement) void(ctx context.Context, tx db.Tx, who auditlog.Actor, id uuid.UUID, approved *uuid.UUID, in VoidInput, v *voucher.Held) error {
	var refund *uuid.UUID
	worth := v.Rest()
	if v.FrozenFor == nil && worth.Paid() > 0 {
		made := db.NewID()
		refund = &made
		tx.Queue(insertRefund, made, voucher.NewCode(10), v.Order, v.Holder, "other", in.Reason, worth.Paid(), who.ID, tx.Now, nil, nil)
		tx.Queue(insertItem, made, v.ID, v.Left, worth.Share, worth.Fee, worth.Commission, worth.Discount, 0)
	}
	tx.Queue(insertVoid, id, v.ID, in.Reason, refund, tx.Now, who.ID, approved)
	s.refunded[v.ID] = true // of which its holder is informed here
	because := voucher.Because{Void: &id, Refund: refund}
	switch {
	case v.FrozenFor != nil && worth.Paid() > 0:
		c := s.owingFor(*v.FrozenFor)
		because.Charge = &c.ID
		if err := s.takeBack(ctx, tx, c, v, v.Left, voucher.MakeVoid, because, c.Owed); err != nil {
			return err
		}
	default:
		because.Charge = v.FrozenFor
		ended, err := s.end(ctx, tx, v, v.Left, voucher.MakeVoid, because)
		if err != nil {
			return err
		}
		if refund == nil {
			if err := returnDiscount(tx, ended, worth); err != nil {
				return err
			}
		}
		s.paidOut[v.ID] = worth.Paid()
	}
	holder := v.Holder
	if s.mine(holder) {
		holder = s.customer
	}
	if err := message.Write(ctx, tx, holder, message.VoucherVoidedByShop, v.ID, s.paidOut[v.ID]); err != nil {
		return err
	}
	switch {
	case refund == nil && s.paidOut[v.ID] > 0 && s.mine(v.Holder):
		return notice.Send(ctx, tx, token.User, holder, notice.Event{Topic: "wallet"})
	case refund == nil:
		return nil
	}
	cause := ledger.Cause{Kind: "refund", ID: *refund, MemoTH: "ร้านยกเลิกเวาเชอร์และคืนเงิน", MemoEN: "Voucher cancelled and refunded"}
	return s.payHolder(ctx, tx, cause, v.Holder, worth, 0)
}

// returnDiscount moves back what the platform paid for items for which nobody else paid: all that they are worth.
func returnDiscount(tx db.Tx, ended uuid.UUID, worth voucher.Sums) error {
	cause := ledger.Cause{Kind: "void", ID: ended, MemoTH: "คืนส่วนลดให้แพลตฟอร์ม", MemoEN: "The platform's discount, back to it"}
	return ledger.Post(tx, ledger.NewTransfer(cause,
		ledger.Posting{Debit: ledger.SystemAccount(ledger.Unearned), Credit: ledger.SystemAccount(ledger.PlatformFee), Amount: worth.Discount}))
}
