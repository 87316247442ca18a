package refund

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/voucher"
)

// Faults of giving money back for what was used.
var (
	ErrGoodwillEarly = fault.New(fault.Conflict, "refund.goodwill_early", "Who used it can object until the end of the next day. Give money back after that")
	ErrGoodwillOpen  = fault.New(fault.Conflict, "refund.goodwill_objected", "Who used it objects to it, so it is decided by that")
	ErrGoodwillMost  = fault.New(fault.Conflict, "refund.goodwill_most", "That is more than was paid for it, with what was given back before")
)

// GoodwillInput is how much the organisation gives back for a use, and why.
type GoodwillInput struct {
	Use    uuid.UUID    `json:"id" doc:"Of the use"`
	Amount money.Amount `json:"amount_satang" minimum:"1" maximum:"100000000"`
	Reason string       `json:"reason" minLength:"1" maxLength:"300" doc:"For the organisation alone; who used it does not see it"`
}

// GoodwillUse is a use of a voucher, and what may be given back for it.
type GoodwillUse struct {
	ID           uuid.UUID    `json:"id"`
	At           time.Time    `json:"at" doc:"UTC"`
	Items        int64        `json:"items" doc:"Satang of a voucher in baht"`
	Customer     uuid.UUID    `json:"customer_id" doc:"Who used it"`
	CustomerName string       `json:"customer_name"`
	Paid         money.Amount `json:"paid_satang" doc:"For the items that it took"`
	Given        money.Amount `json:"given_satang" doc:"Back for it so far"`
	Fault        string       `json:"fault" doc:"Code of what stands against giving more, or empty"`
}

// GoodwillUses are a voucher's uses, the newest first.
type GoodwillUses struct {
	Data []GoodwillUse `json:"data"`
}

// GoodwillApprovals are what two people give back for what was used; none is by one.
var GoodwillApprovals = approval.KindOf[GoodwillInput]{
	Name: "goodwill", Module: voucher.Vouchers.Module(), Letter: access.Status,
	Do: giveGoodwill,
	Facts: func(ctx context.Context, tx db.Tx, in GoodwillInput) ([]approval.Fact, error) {
		u, err := readUsed(ctx, tx, in.Use)
		if err != nil {
			return nil, err
		}
		of, err := approval.WalletOf(ctx, tx, u.Customer)
		if err != nil {
			return nil, err
		}
		payable, err := ledger.SystemBalance(ctx, tx, ledger.Payable)
		return []approval.Fact{of, {What: "payable", Value: approval.Value{Amount: payable}}}, err
	},
}.Kind()

// Items leave a voucher from its front by uses; what a use left says which uses were before it.
const (
	usedSlices = `SELECT r.id, r.at, r.items, r.customer_id, c.display_name, v.code, v.kind, v.items_total, v.share_satang, v.fee_satang, v.commission_satang, v.platform_discount_satang,
			(SELECT coalesce(sum(b.items), 0)::bigint FROM redemption b WHERE b.voucher_id = v.id AND b.items_left > r.items_left),
			(SELECT coalesce(sum(g.amount_satang), 0)::bigint FROM goodwill g WHERE g.redemption_id = r.id), coalesce((SELECT o.state FROM objection o WHERE o.redemption_id = r.id), ''),
			c.erased_at IS NOT NULL AND NOT EXISTS (SELECT FROM former_customer f WHERE f.customer_id = c.id AND f.successor_id IS NOT NULL)
		FROM redemption r JOIN voucher v ON v.id = r.voucher_id JOIN customer c ON c.id = r.customer_id `
	usedSlice      = usedSlices + `WHERE r.id = $1`
	isVoucher      = `SELECT EXISTS (SELECT FROM voucher WHERE id = $1)`
	usesOfVoucher  = usedSlices + `WHERE r.voucher_id = $1 ORDER BY r.id DESC LIMIT 100`
	insertGoodwill = `INSERT INTO goodwill (id, redemption_id, customer_id, amount_satang, reason, made_at, made_by, approval_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
)

// used is a use with what was paid for it and what became of it.
type used struct {
	GoodwillUse
	code  string
	state objection.State // empty: nobody has objected
	gone  bool            // who used it has deleted his account, and has not come again
}

func scanUsed(row pgx.CollectableRow) (u used, err error) {
	var kind voucher.Kind
	var sums voucher.Sums
	var total, since int64
	err = row.Scan(&u.ID, &u.At, &u.Items, &u.Customer, &u.CustomerName, &u.code, &kind, &total, &sums.Share, &sums.Fee, &sums.Commission, &sums.Discount, &since, &u.Given, &u.state, &u.gone)
	if err == nil {
		u.Paid = sums.Slice(kind, total, since, since+u.Items).Paid()
	}
	return u, err
}

// readUsed returns a use. It returns fault.Missing if there is none.
func readUsed(ctx context.Context, tx db.Tx, id uuid.UUID) (u used, err error) {
	rows, err := tx.Query(ctx, usedSlice, id)
	if err != nil {
		return u, fmt.Errorf("use %s: %w", id, err)
	}
	u, err = pgx.CollectExactlyOneRow(rows, scanUsed)
	if errors.Is(err, pgx.ErrNoRows) {
		return u, fault.Missing
	}
	if err != nil {
		return u, fmt.Errorf("use %s: %w", id, err)
	}
	return u, nil
}

// refuses returns what stands against giving so much back for a use, or nil. What may still be objected to waits, so that nobody has both: money for
// what he used, and the voucher of an undone use. Nobody has the wallet of who has deleted his account.
func (u used) refuses(amount money.Amount, now time.Time) error {
	switch {
	case u.gone:
		return voucher.ErrHolderGone
	case u.state == objection.Open || u.state == objection.Undone:
		return ErrGoodwillOpen
	case u.state == "" && now.Before(objection.Until(u.At)):
		return ErrGoodwillEarly
	case u.Given+amount > u.Paid:
		return ErrGoodwillMost
	}
	return nil
}

// GoodwillUses returns what may be given back for each use of a voucher. It returns fault.Missing if there is none.
func (s *Service) GoodwillUses(ctx context.Context, org, id uuid.UUID) (list GoodwillUses, err error) {
	list.Data = []GoodwillUse{}
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		var known bool
		if err := tx.QueryRow(ctx, isVoucher, id).Scan(&known); err != nil {
			return fmt.Errorf("voucher %s: %w", id, err)
		}
		if !known {
			return fault.Missing
		}
		rows, err := tx.Query(ctx, usesOfVoucher, id)
		if err != nil {
			return fmt.Errorf("uses of voucher %s: %w", id, err)
		}
		all, err := pgx.CollectRows(rows, scanUsed)
		if err != nil {
			return fmt.Errorf("uses of voucher %s: %w", id, err)
		}
		for _, u := range all {
			if why := u.refuses(1, tx.Now); why != nil {
				u.Fault = fault.From(why).Code
			}
			list.Data = append(list.Data, u.GoodwillUse)
		}
		return nil
	})
	return list, err
}

// AskGoodwill asks a second person to give money back for a use; nothing moves until then. The same key asks once. It returns fault.Missing,
// voucher.ErrHolderGone, ErrGoodwillEarly, ErrGoodwillOpen, ErrGoodwillMost, idempotency.ErrReused, and approval.ErrWaiting if that was asked for before.
func (s *Service) AskGoodwill(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in GoodwillInput) (a Asked, err error) {
	if in.Reason = strings.TrimSpace(in.Reason); in.Reason == "" {
		return a, fault.At("reason", fault.Required)
	}
	a.Approval, err = idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "goodwill.ask", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, id uuid.UUID) error {
			u, err := readUsed(ctx, tx, in.Use)
			if err != nil {
				return err
			}
			if why := u.refuses(in.Amount, tx.Now); why != nil {
				return why
			}
			r := approval.Request{Kind: "goodwill", Table: voucher.Redemptions.Name(), Record: in.Use, Title: u.code, Customer: &u.Customer, Amount: in.Amount, Note: in.Reason, Input: in}
			return approval.Ask(ctx, tx, who, id, r)
		})
	return a, err
}

// giveGoodwill pays who used something of what the organisation has earned, in the name of who asked for it. What he owes is paid from it first.
func giveGoodwill(ctx context.Context, tx db.Tx, by approval.By, in GoodwillInput) error {
	u, err := readUsed(ctx, tx, in.Use)
	if err != nil {
		return err
	}
	s, err := load(ctx, tx, u.Customer)
	if err != nil {
		return err
	}
	if _, err := voucher.LockOfUse(ctx, tx, in.Use); err != nil {
		return err
	}
	if u, err = readUsed(ctx, tx, in.Use); err != nil { // as its locks have it
		return err
	}
	if why := u.refuses(in.Amount, tx.Now); why != nil {
		return why
	}
	has, err := commission.EarnedForGood(ctx, tx)
	if err != nil {
		return err
	}
	if has < in.Amount {
		return ErrNotEarned
	}
	tx.Queue(insertGoodwill, by.ID, in.Use, s.customer, in.Amount, in.Reason, tx.Now, by.Asked.ID, by.Approval)
	cause := ledger.Cause{Kind: "goodwill", ID: by.ID, MemoTH: "ร้านคืนเงินให้", MemoEN: "Given back by the shop"}
	err = ledger.Post(tx, ledger.NewTransfer(cause, ledger.Posting{Debit: ledger.SystemAccount(ledger.Payable), Credit: ledger.AccountOf(ledger.Wallet, s.customer), Amount: in.Amount}))
	if err != nil {
		return err
	}
	s.credited = true
	if err := s.settle(ctx, tx, "covered"); err != nil {
		return err
	}
	if err := message.Write(ctx, tx, s.customer, message.UseGoodwill, in.Use, in.Amount); err != nil {
		return err
	}
	if err := notice.Send(ctx, tx, token.User, s.customer, notice.Event{Topic: "wallet"}); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, by.Asked, "goodwill", voucher.Redemptions.Name()+"/"+in.Use.String(), nil, in)
}
