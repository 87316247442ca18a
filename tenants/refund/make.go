package refund

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/voucher"
)

// Faults of refunding.
var (
	ErrTwoHolders = fault.New(fault.Conflict, "refund.two_holders", "These vouchers belong to two people. Refund them one after the other.")
	ErrNothing    = fault.New(fault.Conflict, "refund.nothing", "Nothing was paid for these items")
)

// Part is some of a voucher's unused items.
type Part struct {
	Voucher uuid.UUID `json:"voucher_id"`
	Items   int64     `json:"items" minimum:"1" doc:"Satang of a voucher in baht"`
}

// Choice is what of an order is refunded: unused items of vouchers that one person holds.
type Choice struct {
	Order uuid.UUID `json:"id"`
	Parts []Part    `json:"parts" minItems:"1" maxItems:"200"`
}

// Input is a refund that the organisation makes.
type Input struct {
	Choice
	Method Method `json:"method" enum:"wallet,card" doc:"Where it goes: to the holder's wallet, or to the card that paid the order"`
	Reason string `json:"reason" enum:"asked,not_provided,mistake,other" doc:"asked: the customer asked for it. not_provided: the shop cannot provide it"`
	Note   string `json:"note" maxLength:"500" doc:"Why, in words; the customer does not see them"`
}

// Quote is what a refund would move.
type Quote struct {
	Holder     uuid.UUID      `json:"customer_id" doc:"To whose wallet"`
	HolderName string         `json:"customer_name"`
	Amount     money.Amount   `json:"amount_satang" doc:"To the wallet: the sum of the four below"`
	Share      money.Amount   `json:"share_satang" doc:"Of what the organisation has not earned yet"`
	Fee        money.Amount   `json:"fee_satang" doc:"The platform's fee, less what it had paid of the price"`
	Commission money.Amount   `json:"commission_satang" doc:"An agent's"`
	Source     *charge.Source `json:"source" doc:"What paid the order outside of the wallet; null unless it may go back there: the payer holds it himself and owes nothing"`
	Parts      []Worth        `json:"parts" doc:"In the order asked"`
	Second     bool           `json:"needs_second" doc:"A second person has to let it be made: it is asked for"`
}

// Worth is what was paid for a part.
type Worth struct {
	Voucher uuid.UUID    `json:"voucher_id"`
	Amount  money.Amount `json:"amount_satang"`
}

// Made is a refund.
type Made struct {
	ID     uuid.UUID    `json:"id"`
	Number string       `json:"number" doc:"Of its receipt"`
	Amount money.Amount `json:"amount_satang"`
}

const (
	payerOf      = `SELECT customer_id FROM orders WHERE id = $1 AND paid_at IS NOT NULL`
	nameOf       = `SELECT display_name FROM customer WHERE id = $1`
	insertRefund = `INSERT INTO refund (id, number, order_id, customer_id, reason, note, amount_satang, made_by, made_at, approval_id, request_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
	insertItem = `INSERT INTO refund_item (refund_id, voucher_id, items, share_satang, fee_satang, commission_satang, platform_discount_satang, refund_fee_satang)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
	madeOf = `SELECT number, amount_satang FROM refund WHERE id = $1`
)

// Service refunds what was bought.
type Service struct {
	db     *db.DB
	box    *secret.Box
	expire func(ctx context.Context, org uuid.UUID) error
}

// New returns the service. expire ends the validity of what is past its last day.
func New(d *db.DB, box *secret.Box, expire func(ctx context.Context, org uuid.UUID) error) *Service {
	return &Service{d, box, expire}
}

// Quote returns what a refund would move. It returns fault.Missing if there is no such paid order, voucher.ErrNotFound for a voucher of another
// order, the fault of a voucher's state, voucher.ErrTooFew, ErrTwoHolders and ErrNothing.
func (s *Service) Quote(ctx context.Context, org uuid.UUID, in Choice) (q Quote, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		vouchers, err := voucher.ReadOfOrder(ctx, tx, in.Order)
		if err != nil {
			return err
		}
		chosen, err := choose(vouchers, in.Parts, voucher.RefundByShop)
		if err != nil {
			return err
		}
		sums := voucher.Sums{}
		for _, c := range chosen {
			worth := c.Last(c.items)
			sums = sums.Plus(worth)
			q.Parts = append(q.Parts, Worth{c.ID, worth.Paid()})
		}
		q.Holder, q.Amount, q.Share, q.Fee, q.Commission = chosen[0].Holder, sums.Paid(), sums.Share, sums.Fee-sums.Discount, sums.Commission
		if err := tx.QueryRow(ctx, nameOf, q.Holder).Scan(&q.HolderName); err != nil {
			return fmt.Errorf("holder %s: %w", q.Holder, err)
		}
		if q.Source, err = readSource(ctx, tx, in.Order, chosen); err != nil {
			return err
		}
		q.Second, err = needsSecond(ctx, tx, in.Order, q.Holder, q.Amount)
		return err
	})
	return q, err
}

// Make refunds unused items to the wallet of who holds them, or to the card by which he paid for them: the organisation's unearned part, the platform's fee
// and the agent's commission go back. The same key makes one refund. It returns the faults of Quote, ErrNotToCard, idempotency.ErrReused, and
// approval.ErrNeeded above the organisation's rule.
func (s *Service) Make(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in Input) (m Made, err error) {
	m.ID, err = idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "refund.make", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, id uuid.UUID) error { return makeRefund(ctx, tx, who, id, nil, in) })
	if err != nil {
		return Made{}, err
	}
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error { return tx.QueryRow(ctx, madeOf, m.ID).Scan(&m.Number, &m.Amount) })
	if err != nil {
		return Made{}, fmt.Errorf("refund %s: %w", m.ID, err)
	}
	return m, nil
}

// makeRefund makes a refund in the name of an account; approved is the approval of a second person, or nil.
func makeRefund(ctx context.Context, tx db.Tx, who auditlog.Actor, id uuid.UUID, approved *second, in Input) error {
	var payer uuid.UUID
	err := tx.QueryRow(ctx, payerOf, in.Order).Scan(&payer)
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.Missing
	}
	if err != nil {
		return fmt.Errorf("order %s: %w", in.Order, err)
	}
	s, err := load(ctx, tx, payer, in.Order)
	if err != nil {
		return err
	}
	chosen, err := choose(s.orders[in.Order].vouchers, in.Parts, voucher.RefundByShop)
	if err != nil {
		return err
	}
	if approved == nil {
		needs, err := needsSecond(ctx, tx, in.Order, chosen[0].Holder, worthOf(chosen))
		if err != nil {
			return err
		}
		if needs {
			return approval.ErrNeeded
		}
	} else if err := approved.check(chosen); err != nil {
		return err
	}
	f := refunding{order: in.Order, reason: in.Reason, note: in.Note, by: &who.ID, approved: approved.id(), event: voucher.RefundByShop, message: message.VoucherRefunded}
	if in.Method == Bank {
		return ErrNotToBank // its payer names the account
	}
	if err := checkSource(ctx, tx, in.Method, in.Order, chosen); err != nil {
		return err
	}
	if in.Method == Card {
		f.method, f.message = Card, message.VoucherToCard
	}
	if err := s.refund(ctx, tx, id, f, chosen); err != nil {
		return err
	}
	if err := s.settle(ctx, tx, "covered"); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, who, "refund", "orders/"+in.Order.String(), nil, in)
}

// refunding is a refund that is made: of what, why, by whom of the staff (nil: by its payer), by which approval of a second person (or nil), by which
// request of its payer (or nil), where to, and what its holder reads of it.
type refunding struct {
	order    uuid.UUID
	reason   string
	note     string
	by       *uuid.UUID
	approved *uuid.UUID
	request  *uuid.UUID
	method   Method
	account  *uuid.UUID // of a bank account, and until when it should be there; nil by another method
	due      *time.Time
	event    voucher.Event
	message  message.Kind
}

// chosen is a voucher, how many of its last items are refunded, and what the organisation keeps of what was paid for them.
type chosen struct {
	*voucher.Held
	items int64
	fee   money.Amount
}

// returned is what goes to the wallet for it.
func (c chosen) returned() money.Amount { return c.Last(c.items).Paid() - c.fee }

// choose returns the chosen vouchers. It returns why an event cannot refund them together.
func choose(vouchers []*voucher.Held, parts []Part, event voucher.Event) (list []chosen, err error) {
	seen, paid := map[uuid.UUID]bool{}, money.Amount(0)
	for _, p := range parts {
		var of *voucher.Held
		for _, v := range vouchers {
			if v.ID == p.Voucher && !seen[v.ID] {
				of = v
			}
		}
		if of == nil {
			return nil, voucher.ErrNotFound
		}
		if err := of.Refundable(event, p.Items); err != nil {
			return nil, err
		}
		if len(list) > 0 && list[0].Holder != of.Holder {
			return nil, ErrTwoHolders
		}
		seen[of.ID], paid, list = true, paid+of.Last(p.Items).Paid(), append(list, chosen{Held: of, items: p.Items})
	}
	if paid == 0 {
		return nil, ErrNothing
	}
	return list, nil
}

// worthOf is what was paid for what is chosen.
func worthOf(list []chosen) (sum money.Amount) {
	for _, c := range list {
		sum += c.Last(c.items).Paid()
	}
	return sum
}

// refund takes items away and moves what was paid for them, less what the organisation keeps of it. Of an agent's commission it moves the part of all
// that was sold; settle leaves him what he is due then.
func (s *settlement) refund(ctx context.Context, tx db.Tx, id uuid.UUID, f refunding, list []chosen) error {
	holder, sums, kept := list[0].Holder, voucher.Sums{}, money.Amount(0)
	for _, c := range list {
		sums, kept = sums.Plus(c.Last(c.items)), kept+c.fee
	}
	tx.Queue(insertRefund, id, voucher.NewCode(10), f.order, holder, f.reason, f.note, sums.Paid()-kept, f.by, tx.Now, f.approved, f.request)
	for _, c := range list {
		worth := c.Last(c.items)
		tx.Queue(insertItem, id, c.ID, c.items, worth.Share, worth.Fee, worth.Commission, worth.Discount, c.fee)
	}
	var informed message.OfVouchers
	for _, c := range list {
		s.refunded[c.ID] = true
		if f.request == nil {
			informed.Add(holder, f.message, c.ID, c.returned())
		}
		if _, err := s.end(ctx, tx, c.Held, c.items, f.event, voucher.Because{Refund: &id}); err != nil {
			return err
		}
	}
	if f.request != nil {
		if err := message.Write(ctx, tx, holder, f.message, *f.request, sums.Paid()-kept); err != nil {
			return err
		}
	}
	if err := informed.Write(ctx, tx); err != nil {
		return err
	}
	cause := ledger.Cause{Kind: "refund", ID: id, MemoTH: "คืนเงิน", MemoEN: "Refund"}
	if f.method == Card || f.method == Bank {
		if err := post(tx, cause, ledger.SystemAccount(ledger.BankClearing), sums, kept); err != nil {
			return err
		}
		return charge.Remit(ctx, tx, charge.Remitting{Refund: &id, Customer: holder, Charge: f.order, Amount: sums.Paid() - kept, Account: f.account, Due: f.due})
	}
	return s.payHolder(ctx, tx, cause, holder, sums, kept)
}

// post moves what was paid for items that were taken back to an account, less what the organisation keeps of it.
func post(tx db.Tx, cause ledger.Cause, to ledger.Account, sums voucher.Sums, kept money.Amount) error {
	unearned, fee := ledger.SystemAccount(ledger.Unearned), ledger.SystemAccount(ledger.PlatformFee)
	return ledger.Post(tx, ledger.NewTransfer(cause,
		ledger.Posting{Debit: unearned, Credit: to, Amount: sums.Share - sums.Discount - kept},
		ledger.Posting{Debit: unearned, Credit: ledger.SystemAccount(ledger.Payable), Amount: kept},
		ledger.Posting{Debit: unearned, Credit: fee, Amount: sums.Discount},
		ledger.Posting{Debit: fee, Credit: to, Amount: sums.Fee},
		ledger.Posting{Debit: ledger.SystemAccount(ledger.ChargebackReceivable), Credit: to, Amount: sums.Commission}))
}

// payHolder moves what was paid for items that were taken back to the wallet of who held them, less what the organisation keeps of it.
func (s *settlement) payHolder(ctx context.Context, tx db.Tx, cause ledger.Cause, holder uuid.UUID, sums voucher.Sums, kept money.Amount) error {
	if err := post(tx, cause, ledger.AccountOf(ledger.Wallet, holder), sums, kept); err != nil {
		return err
	}
	if !s.mine(holder) {
		return s.credit(ctx, tx, holder)
	}
	s.credited = true
	return notice.Send(ctx, tx, token.User, holder, notice.Event{Topic: "wallet"})
}
