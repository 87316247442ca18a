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

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/bank"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/voucher"
)

// Faults of a refund by the payer, who changed his mind.
var (
	ErrNotYours    = fault.New(fault.Conflict, "refund.not_yours", "Only who paid can refund this, while nobody else has held it")
	ErrNotOffered  = fault.New(fault.Conflict, "refund.not_offered", "This package is not refunded if you change your mind")
	ErrTooLate     = fault.New(fault.Conflict, "refund.too_late", "The time for a refund is over")
	ErrByAsking    = fault.New(fault.Conflict, "refund.by_asking", "The organisation decides on this refund. Please ask for it.")
	ErrSumsChanged = fault.New(fault.Conflict, "refund.changed", "Something has changed. Please look at the refund again.")
)

// OwnInput is a refund that the payer makes: unused items of one order, and the sum that he was shown.
type OwnInput struct {
	Choice
	Method  Method        `json:"method" enum:"wallet,card,bank" doc:"Where it goes: to his wallet, to the card that paid the order, or to a bank account if he paid by PromptPay"`
	Account *bank.Account `json:"account,omitempty" doc:"Where the shop transfers it; of a bank alone"`
	Amount  money.Amount  `json:"amount_satang" minimum:"0" maximum:"1000000000000" doc:"What goes there, as the options said"`
	Words   string        `json:"words,omitempty" required:"false" maxLength:"300" doc:"Why, for the shop"`
}

// Options are what of an order its payer may have refunded now.
type Options struct {
	Number   string         `json:"number" doc:"Of the order"`
	PaidAt   time.Time      `json:"paid_at"`
	Balance  money.Amount   `json:"balance_satang" doc:"Of his wallet"`
	Debt     money.Amount   `json:"debt_satang" doc:"What he owes, which is taken from what comes into his wallet"`
	Source   *charge.Source `json:"source" doc:"What paid the order outside of the wallet; null unless a refund may go back there: he owes nothing"`
	Vouchers []Option       `json:"vouchers" doc:"Those that he holds, in the order of their lines"`
	Refunds  []Receipt      `json:"refunds" doc:"Of the order to him, the newest first"`
	Requests []Request      `json:"requests" doc:"What he asked the shop to refund, the newest first, and what became of it"`
}

// Receipt is a refund to the payer, as its receipt says it, and how far it has come.
type Receipt struct {
	ID     uuid.UUID    `json:"id"`
	Number string       `json:"number"`
	Amount money.Amount `json:"amount_satang" doc:"What came back"`
	Fee    money.Amount `json:"fee_satang" doc:"What the organisation kept"`
	Method string       `json:"method" enum:"wallet,card,bank" doc:"Where it went"`
	State  string       `json:"state" enum:"approved,sent,done,failed" doc:"How far it has come to the card or bank: approved: the payment company is asked for it, or the shop has to transfer it. failed: it could not, so the wallet has it. To the wallet: done"`
	Digits string       `json:"digits" doc:"Of the card or the bank account, its last four; empty where they are not known, and to the wallet"`
	Bank   string       `json:"bank" doc:"Code of the bank; empty by another method"`
	DueAt  *time.Time   `json:"due_at" nullable:"true" doc:"UTC; until when the shop should transfer it; null by another method"`
	Ended  time.Time    `json:"ended_at" doc:"UTC; when it was done, or had failed; while it is on its way, when it was made"`
	Own    bool         `json:"own" doc:"He made it himself; otherwise the organisation did"`
	At     time.Time    `json:"at" doc:"UTC"`
	NameTH string       `json:"name_th" doc:"Of the first voucher"`
	NameEN string       `json:"name_en"`
	More   int          `json:"more" doc:"How many other vouchers it was of"`
}

// Option is a voucher that the payer holds.
type Option struct {
	Voucher uuid.UUID    `json:"voucher_id"`
	Kind    voucher.Kind `json:"kind" enum:"item,baht"`
	NameTH  string       `json:"name_th"`
	NameEN  string       `json:"name_en"`
	Picture *uuid.UUID   `json:"picture" nullable:"true"`
	Total   int64        `json:"items_total"`
	Left    int64        `json:"items_left"`
	Until   string       `json:"until" format:"date" doc:"Last day of a refund by its payer, Asia/Bangkok"`
	How     string       `json:"how" enum:",asking,self" doc:"Empty: not, for the reason given"`
	Refused string       `json:"refused" doc:"The fault for which it is not refunded; empty where it may be"`
	Slices  []Slice      `json:"slices" doc:"What may be refunded of it: so many of its last items, one more each time; of a voucher in baht all of it"`
}

// Slice is how many of a voucher's last items are refunded, and what for.
type Slice struct {
	Items  int64        `json:"items"`
	Paid   money.Amount `json:"paid_satang"`
	Fee    money.Amount `json:"fee_satang" doc:"What the organisation keeps"`
	Amount money.Amount `json:"amount_satang" doc:"What goes to the wallet"`
}

const (
	paidOrder = `SELECT o.number, o.paid_at, c.debt_satang, coalesce((SELECT w.balance_satang FROM wallet w WHERE w.customer_id = c.id), 0)
		FROM orders o JOIN customer c ON c.id = o.customer_id WHERE o.id = $1 AND o.customer_id = $2 AND o.paid_at IS NOT NULL`
	termsOf   = `SELECT l.position, l.refund_rule, l.refund_days, l.refund_fee_basis_points, p.class <> 'ordinary' FROM order_line l JOIN package p ON p.id = l.package_id WHERE l.order_id = $1`
	namesOf   = `SELECT id, name_th, name_en, picture_id FROM voucher WHERE order_id = $1 AND holder_id = $2`
	refundsOf = `SELECT f.id, f.number, f.amount_satang, i.fee, CASE WHEN m.id IS NULL THEN 'wallet' WHEN m.account_id IS NULL THEN 'card' ELSE 'bank' END, coalesce(m.state, 'done'), coalesce(b.digits, h.card_digits, ''), coalesce(b.bank, ''), m.due_at,
			coalesce(m.ended_at, f.made_at), f.made_by IS NULL, f.made_at, v.name_th, v.name_en, i.vouchers - 1
		FROM refund f LEFT JOIN remittance m ON m.refund_id = f.id LEFT JOIN charge h ON h.id = m.charge_id LEFT JOIN bank_account b ON b.id = m.account_id CROSS JOIN LATERAL (SELECT sum(n.refund_fee_satang)::bigint AS fee, count(*) AS vouchers, (array_agg(n.voucher_id ORDER BY n.voucher_id))[1] AS first FROM refund_item n WHERE n.refund_id = f.id) i
		JOIN voucher v ON v.id = i.first WHERE f.order_id = $1 AND f.customer_id = $2 ORDER BY f.id DESC`
	ownOrder = `SELECT paid_at FROM orders WHERE id = $1 AND customer_id = $2 AND paid_at IS NOT NULL`
)

// terms are what an order's payer may have refunded.
type terms struct {
	payer  uuid.UUID
	paidAt time.Time
	lines  map[int]catalog.RefundTerms
	law    map[int]bool // lines of which the law says what may be refunded
	leasts []least      // of the discounts that made the order cheaper
	handed []uuid.UUID  // vouchers that somebody else has held
}

func readTerms(ctx context.Context, tx db.Tx, payer, order uuid.UUID, paidAt time.Time, vouchers []*voucher.Held) (t terms, err error) {
	t = terms{payer: payer, paidAt: paidAt, lines: map[int]catalog.RefundTerms{}, law: map[int]bool{}}
	rows, err := tx.Query(ctx, termsOf, order)
	if err != nil {
		return t, fmt.Errorf("refund terms of order %s: %w", order, err)
	}
	var line int
	var law bool
	var of catalog.RefundTerms
	_, err = pgx.ForEachRow(rows, []any{&line, &of.Rule, &of.Days, &of.FeeBasisPoints, &law}, func() error {
		t.lines[line], t.law[line] = of, law
		return nil
	})
	if err != nil {
		return t, fmt.Errorf("refund terms of order %s: %w", order, err)
	}
	if t.leasts, err = readLeasts(ctx, tx, order); err != nil {
		return t, err
	}
	t.handed, err = voucher.ChangedHands(ctx, tx, db.Column(vouchers, func(v *voucher.Held) uuid.UUID { return v.ID }))
	return t, err
}

// check returns why a voucher's payer may not have it refunded now, or nil. It returns ErrByAsking if he may ask for it.
func (t terms) check(v *voucher.Held, now time.Time) error {
	of := t.lines[v.Line]
	switch {
	case v.Holder != t.payer || slices.Contains(t.handed, v.ID):
		return ErrNotYours
	case of.Rule == "none":
		return ErrNotOffered
	case !of.Open(t.paidAt, now):
		return ErrTooLate
	case of.Rule == "asking":
		return ErrByAsking
	}
	return nil
}

// fee returns what the organisation keeps of what was paid for the last n items of a voucher.
func (t terms) fee(v *voucher.Held, n int64) money.Amount {
	worth := v.Last(n)
	return t.lines[v.Line].Fee(worth.Paid(), worth.Share-worth.Discount)
}

// Options returns what of an order of the customer's he may have refunded. It returns fault.Missing for anybody else's, and for one that is not paid.
func (s *Service) Options(ctx context.Context, who token.Session, order uuid.UUID) (o Options, err error) {
	o.Vouchers = []Option{}
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		err := tx.QueryRow(ctx, paidOrder, order, who.Subject).Scan(&o.Number, &o.PaidAt, &o.Debt, &o.Balance)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.Missing
		}
		if err != nil {
			return fmt.Errorf("order %s: %w", order, err)
		}
		if o.Source, err = readSource(ctx, tx, order, nil); err != nil {
			return err
		}
		vouchers, err := voucher.ReadOfOrder(ctx, tx, order)
		if err != nil {
			return err
		}
		t, err := readTerms(ctx, tx, who.Subject, order, o.PaidAt, vouchers)
		if err != nil {
			return err
		}
		rows, err := tx.Query(ctx, refundsOf, order, who.Subject)
		if err != nil {
			return fmt.Errorf("refunds of order %s: %w", order, err)
		}
		if o.Refunds, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Receipt]); err != nil {
			return fmt.Errorf("refunds of order %s: %w", order, err)
		}
		requests, err := readRequests(ctx, tx, requestsOf, order, who.Subject, shownRequests)
		if err != nil {
			return err
		}
		if o.Requests, err = t.show(ctx, tx, requests, vouchers); err != nil {
			return err
		}
		slices.SortStableFunc(vouchers, func(a, b *voucher.Held) int { return a.Line - b.Line })
		rows, err = tx.Query(ctx, namesOf, order, who.Subject)
		if err != nil {
			return fmt.Errorf("vouchers of order %s: %w", order, err)
		}
		named := map[uuid.UUID]Option{}
		var of Option
		_, err = pgx.ForEachRow(rows, []any{&of.Voucher, &of.NameTH, &of.NameEN, &of.Picture}, func() error {
			named[of.Voucher] = of
			return nil
		})
		if err != nil {
			return fmt.Errorf("vouchers of order %s: %w", order, err)
		}
		for _, v := range vouchers {
			if of, held := named[v.ID]; held {
				o.Vouchers = append(o.Vouchers, t.option(of, v, tx.Now))
			}
		}
		return nil
	})
	return o, err
}

// option completes what is said of a voucher.
func (t terms) option(of Option, v *voucher.Held, now time.Time) Option {
	of.Kind, of.Total, of.Left, of.Slices = v.Kind, v.Total, v.Left, []Slice{}
	of.Until = t.lines[v.Line].Until(t.paidAt).Format(time.DateOnly)
	refused := t.check(v, now)
	how := "self"
	if errors.Is(refused, ErrByAsking) {
		how, refused = "asking", nil
	}
	if refused == nil {
		refused = v.Refundable(voucher.Refund, v.Left)
	}
	if refused == nil && v.Rest().Paid() == t.fee(v, v.Left) {
		refused = ErrNothing
	}
	if refused != nil {
		of.Refused = fault.From(refused).Code
		return of
	}
	of.How = how
	for n := range v.Left {
		items := n + 1
		if v.Kind == voucher.Baht {
			items = v.Left
		}
		paid, fee := v.Last(items).Paid(), t.fee(v, items)
		of.Slices = append(of.Slices, Slice{items, paid, fee, paid - fee})
		if items == v.Left {
			break
		}
	}
	return of
}

// RefundOwn refunds unused items to the wallet, the card or a bank account of who paid for them and holds them, because he changed his mind and their package lets him. The
// organisation keeps the fee that it was sold with. The same key makes one refund. It returns fault.Missing if the order is not his or not paid,
// voucher.ErrNotFound for a voucher of another order, ErrNotYours, ErrNotOffered, ErrTooLate, ErrByAsking, the fault of a voucher's state,
// voucher.ErrTooFew, ErrNothing, ErrSumsChanged if it is not the sum that he was shown, ErrNotToCard, ErrNotToBank, the faults of
// an account, and idempotency.ErrReused.
func (s *Service) RefundOwn(ctx context.Context, who token.Session, key string, in OwnInput) (m Made, err error) {
	var locked customer.Locked
	m.ID, err = idempotency.Once(ctx, s.db, who.Org, idempotency.Key{Actor: who.Subject, Operation: "refund.own", Value: key}, in,
		func(tx db.Tx) { locked = customer.Lock(tx, who.Subject) },
		func(tx db.Tx, id uuid.UUID) error {
			if err := locked.Check(who.Subject); err != nil {
				return err
			}
			return s.refundOwn(ctx, tx, who.Subject, id, in)
		})
	if err != nil {
		return Made{}, err
	}
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error { return tx.QueryRow(ctx, madeOf, m.ID).Scan(&m.Number, &m.Amount) })
	if err != nil {
		return Made{}, fmt.Errorf("refund %s: %w", m.ID, err)
	}
	return m, nil
}

func (s *Service) refundOwn(ctx context.Context, tx db.Tx, payer, id uuid.UUID, in OwnInput) error {
	var paidAt time.Time
	err := tx.QueryRow(ctx, ownOrder, in.Order, payer).Scan(&paidAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.Missing
	}
	if err != nil {
		return fmt.Errorf("order %s: %w", in.Order, err)
	}
	settling, err := load(ctx, tx, payer, in.Order)
	if err != nil {
		return err
	}
	vouchers := settling.orders[in.Order].vouchers
	t, err := readTerms(ctx, tx, payer, in.Order, paidAt, vouchers)
	if err != nil {
		return err
	}
	list, err := t.ownChoice(vouchers, in.Parts, func(v *voucher.Held) error { return t.check(v, tx.Now) })
	if err != nil {
		return err
	}
	if t.leavesTooLittle(vouchers, list) {
		return ErrByAsking
	}
	sum := comes(list)
	if sum != in.Amount {
		return ErrSumsChanged
	}
	if sum == 0 {
		return ErrNothing
	}
	f := refunding{order: in.Order, reason: "payer", note: strings.TrimSpace(in.Words), event: voucher.Refund, message: message.MoneyRefunded}
	if err := checkSource(ctx, tx, in.Method, in.Order, list); err != nil {
		return err
	}
	switch f.method = in.Method; f.method {
	case Card:
		f.message = message.MoneyToCard
	case Bank:
		f.message = message.MoneyToBank
		if f.account, err = s.name(ctx, tx, payer, in); err != nil {
			return err
		}
		due := tx.Now.Add(answerWithin)
		f.due = &due
	case Wallet:
	}
	if err := settling.refund(ctx, tx, id, f, list); err != nil {
		return err
	}
	return settling.settle(ctx, tx, "covered")
}

// ownChoice returns what a payer chose of his vouchers, with the fee of each. It returns voucher.ErrNotFound for a voucher of another order, what refuse returns of
// the first of them, the fault of a voucher's state, voucher.ErrTooFew or ErrNothing.
func (t terms) ownChoice(vouchers []*voucher.Held, parts []Part, refuse func(v *voucher.Held) error) ([]chosen, error) {
	for _, p := range parts {
		i := slices.IndexFunc(vouchers, func(v *voucher.Held) bool { return v.ID == p.Voucher })
		if i < 0 {
			return nil, voucher.ErrNotFound
		}
		if err := refuse(vouchers[i]); err != nil {
			return nil, err
		}
	}
	list, err := choose(vouchers, parts, voucher.Refund)
	if err != nil {
		return nil, err
	}
	for i, c := range list {
		list[i].fee = t.fee(c.Held, c.items)
	}
	return list, nil
}

// name keeps the bank account that a payer names for his refund, if it goes to one.
func (s *Service) name(ctx context.Context, tx db.Tx, payer uuid.UUID, in OwnInput) (*uuid.UUID, error) {
	if in.Method != Bank {
		return nil, nil
	}
	id, err := bank.Name(ctx, tx, s.box, payer, in.Account)
	return &id, err
}
