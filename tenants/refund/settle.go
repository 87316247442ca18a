// Package refund decides what follows when money went back that was spent: which vouchers are taken back or stand frozen for
// it, what commission stays, what the customer owes, and what the organisation has to decide. README.md beside this file says
// what always holds.
package refund

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/points"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
)

// purchase is a paid order, or what somebody bought on the board, as far as money that went back concerns it.
type purchase struct {
	ID         uuid.UUID
	Customer   uuid.UUID
	PaidAt     time.Time
	FromWallet bool         // otherwise the charge of its id paid it
	Back       bool         // all of that charge is: the gateway sent it, or the payer's bank holds it
	Refunded   bool         // the gateway sent all of it, also what we asked it to
	Lost       bool         // what the bank holds of it the bank keeps
	Commission bool         // somebody sold it
	BoardPrice money.Amount // for which it was bought on the board, or 0 of an order

	vouchers []*voucher.Held // that an order issued, also those that were sold on
	unpaid   money.Amount    // of what is kept of its price
	touched  bool            // something of an order was taken back just now
}

// settlement is everything that one person's owing charges touch, also those from before he erased himself.
type settlement struct {
	customer  uuid.UUID
	persons   []uuid.UUID // he, and who he was
	owing     []*charge.Owing
	reached   map[uuid.UUID][]charge.Spending // of each of them
	purchases []*purchase                     // the newest first
	byID      map[uuid.UUID]*purchase         // of these
	orders    map[uuid.UUID]*purchase         // those among them that are orders, and those of which he bought something on the board
	vouchers  []*voucher.Held                 // that his purchases paid for, in the order in which they stand for money
	debts     []money.Amount                  // of each charge, what nothing stands for
	credited  bool                            // the wallet was, so debts are paid from it
	changed   bool                            // something but commission was
	found     map[uuid.UUID]found             // each voucher as it was found
	refunded  map[uuid.UUID]bool              // those of a refund of the organisation, of which their holder is informed by itself
	paidOut   map[uuid.UUID]money.Amount      // what came into the wallet of a voucher's holder
}

const (
	// Orders that a customer's charges owe for, may be taken from, or have something to get back: those that a charge that owes may
	// have paid, itself or from the wallet, with a voucher that is frozen, with commission that was taken back or has to be because of who bought
	// something of it on the board, of which he bought something back there, or with something to use of which items were taken back or whose own payment is all back. And
	// what he bought on the board that a charge that owes may have paid, or with a voucher that is frozen.
	purchases = `SELECT o.id, o.customer_id, o.paid_at, d.id IS NULL, coalesce(d.refunded_satang + d.sent_satang + d.disputed_satang >= d.amount_satang, false),
			coalesce(d.refunded_satang + d.sent_satang >= d.amount_satang, false), coalesce(d.disputed_satang > 0 AND d.dispute = 'lost', false), o.commission_satang > 0, 0::bigint
		FROM orders o LEFT JOIN charge d ON d.id = o.id AND d.state = 'captured' AND NOT d.credited
		WHERE o.customer_id = ANY ($1) AND o.paid_at IS NOT NULL AND (
			o.id = ANY ($3) OR o.id = ANY ($5) OR d.id IS NULL AND o.paid_at >= $2
			OR (o.state = 'part_refunded' OR d.refunded_satang + d.sent_satang + d.disputed_satang >= d.amount_satang)
				AND EXISTS (SELECT FROM voucher v WHERE v.order_id = o.id AND v.state = ANY ($4))
			OR EXISTS (SELECT FROM voucher v JOIN charge c ON c.id = v.frozen_for WHERE v.order_id = o.id AND c.customer_id = ANY ($1))
			OR EXISTS (SELECT FROM commission k WHERE k.order_id = o.id AND (k.due_satang + k.denied_satang < k.amount_satang OR k.unpaid_satang > 0))
			OR EXISTS (SELECT FROM voucher v WHERE v.order_id = o.id AND v.resale_id IS NOT NULL
				AND (o.commission_satang > 0 AND o.state <> 'paid' OR v.resale_id IN (SELECT id FROM resale WHERE buyer_id = ANY ($1)))))
		UNION ALL SELECT r.id, r.buyer_id, r.sold_at, d.id IS NULL, coalesce(d.refunded_satang + d.sent_satang + d.disputed_satang >= d.amount_satang, false),
			coalesce(d.refunded_satang + d.sent_satang >= d.amount_satang, false), coalesce(d.disputed_satang > 0 AND d.dispute = 'lost', false), false, f.price_satang
		FROM resale r JOIN offer f ON f.id = r.offer_id LEFT JOIN charge d ON d.id = r.id AND d.state = 'captured' AND NOT d.credited
		WHERE r.buyer_id = ANY ($1) AND (r.id = ANY ($3) OR d.id IS NULL AND r.sold_at >= $2
			OR EXISTS (SELECT FROM voucher v JOIN charge c ON c.id = v.frozen_for WHERE v.resale_id = r.id AND c.customer_id = ANY ($1)))
		ORDER BY 3 DESC, 1 DESC`
	// Orders of which he bought something on the board.
	ordersOfResales = `SELECT id, customer_id, commission_satang > 0 FROM orders WHERE id IN (SELECT order_id FROM voucher WHERE resale_id = ANY ($1))`
)

// Settle recomputes from the facts what a customer's charges owe, and changes everything that follows from it; it is charge.Settle.
//
//   - A refund of the gateway takes back whole unused items, the newest first.
//   - A dispute freezes vouchers until the bank has decided, and voids them if the organisation has lost.
//   - Money in a wallet that he had before he erased himself is moved to the wallet that he has now.
//   - If his wallet was credited, by that or as credited says, it pays the debt that no voucher stands for.
func Settle(ctx context.Context, tx db.Tx, id uuid.UUID, credited bool) error {
	s, err := load(ctx, tx, id)
	if err != nil {
		return err
	}
	s.credited = credited
	return s.settle(ctx, tx, "covered")
}

// settle ends the cases of what nothing covers any more with an outcome.
func (s *settlement) settle(ctx context.Context, tx db.Tx, outcome string) (err error) {
	if err := s.release(ctx, tx); err != nil { // so that it may stand for another charge
		return err
	}
	for i, c := range s.owing {
		if err := s.takeBackRefunded(ctx, tx, c); err != nil {
			return err
		}
		if s.debts[i], err = s.stand(ctx, tx, c); err != nil {
			return err
		}
	}
	moved, err := wallet.MoveFormer(ctx, tx, s.former(), s.customer)
	if err != nil {
		return err
	}
	if s.credited || moved {
		if err := s.payDebts(ctx, tx); err != nil {
			return err
		}
	}
	s.markUnpaid()
	if err := s.settleExtras(ctx, tx); err != nil {
		return err
	}
	if err := s.saveCommissions(ctx, tx); err != nil {
		return err
	}
	var debt money.Amount
	for i, c := range s.owing {
		c.Save(tx)
		changed, err := c.SaveRefundCase(ctx, tx, outcome)
		if err != nil {
			return err
		}
		s.changed = s.changed || changed
		debt += s.debts[i]
	}
	if err := s.saveOrders(ctx, tx); err != nil {
		return err
	}
	points.Reconsider(tx, slices.Collect(maps.Keys(s.orders)))
	if err := s.settleOthers(ctx, tx); err != nil {
		return err
	}
	charge.SaveDebt(tx, s.customer, debt)
	if err := s.inform(ctx, tx); err != nil {
		return err
	}
	if !s.changed {
		return tx.Flush(ctx)
	}
	return notice.SendTableUpdate(ctx, tx, charge.Charges.Name())
}

// former has the rows that the person had before he came again, once or several times.
func (s *settlement) former() []uuid.UUID {
	return slices.DeleteFunc(slices.Clone(s.persons), func(id uuid.UUID) bool { return id == s.customer })
}

// mine reports whether the person holds something, as who he is or was.
func (s *settlement) mine(holder uuid.UUID) bool { return slices.Contains(s.persons, holder) }

// load reads and locks all that may change with what a person owes, and orders of his that change now.
func load(ctx context.Context, tx db.Tx, of uuid.UUID, orders ...uuid.UUID) (*settlement, error) {
	person, all, err := customer.LockPerson(ctx, tx, of)
	if err != nil {
		return nil, err
	}
	s := &settlement{customer: person, persons: all, byID: map[uuid.UUID]*purchase{}, orders: map[uuid.UUID]*purchase{}}
	if s.owing, err = charge.LockOwing(ctx, tx, all); err != nil {
		return nil, err
	}
	s.debts = make([]money.Amount, len(s.owing))
	since, direct, err := s.reach(ctx, tx, all)
	if err != nil {
		return nil, err
	}
	if err := s.readPurchases(ctx, tx, since, direct, orders); err != nil {
		return nil, err
	}
	if err := s.lockVouchers(ctx, tx); err != nil {
		return nil, err
	}
	s.remember()
	return s, nil
}

func (s *settlement) readPurchases(ctx context.Context, tx db.Tx, since *time.Time, direct, orders []uuid.UUID) error {
	rows, err := tx.Query(ctx, purchases, s.persons, since, direct, voucher.From(voucher.RefundOutside), orders)
	if err != nil {
		return fmt.Errorf("purchases that %s owes for: %w", s.customer, err)
	}
	s.purchases, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*purchase, error) {
		p := &purchase{}
		return p, row.Scan(&p.ID, &p.Customer, &p.PaidAt, &p.FromWallet, &p.Back, &p.Refunded, &p.Lost, &p.Commission, &p.BoardPrice)
	})
	if err != nil {
		return fmt.Errorf("purchases that %s owes for: %w", s.customer, err)
	}
	resales := []uuid.UUID{}
	for _, p := range s.purchases {
		s.byID[p.ID] = p
		if p.BoardPrice > 0 {
			resales = append(resales, p.ID)
		} else {
			s.orders[p.ID] = p
		}
	}
	rows, err = tx.Query(ctx, ordersOfResales, resales)
	if err != nil {
		return fmt.Errorf("orders of which %s bought something on the board: %w", s.customer, err)
	}
	others, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*purchase, error) {
		p := &purchase{}
		return p, row.Scan(&p.ID, &p.Customer, &p.Commission)
	})
	if err != nil {
		return fmt.Errorf("orders of which %s bought something on the board: %w", s.customer, err)
	}
	for _, p := range others {
		if s.orders[p.ID] == nil {
			s.orders[p.ID] = p
		}
	}
	return nil
}

// lockVouchers locks all vouchers of the orders, and sorts out those that the person paid for.
func (s *settlement) lockVouchers(ctx context.Context, tx db.Tx) error {
	all, err := voucher.LockOfOrders(ctx, tx, slices.Collect(maps.Keys(s.orders)))
	if err != nil {
		return err
	}
	for _, v := range all {
		p := s.orders[v.Order]
		p.vouchers = append(p.vouchers, v)
		if s.paidFor(v) != nil {
			s.vouchers = append(s.vouchers, v)
		}
	}
	slices.SortFunc(s.vouchers, s.byPrecedence)
	return nil
}

// paidFor returns the purchase by which the person paid for a voucher: that on the board by which it was sold on last, otherwise its order. It returns
// nil if that is another's.
func (s *settlement) paidFor(v *voucher.Held) *purchase {
	if v.Resale != nil {
		return s.byID[*v.Resale]
	}
	return s.byID[v.Order]
}

// reach finds out for whose purchases each owing charge stands: since when what was bought from the wallet may be (nil: nothing
// from there), and which orders that charges paid directly.
func (s *settlement) reach(ctx context.Context, tx db.Tx, all []uuid.UUID) (since *time.Time, direct []uuid.UUID, err error) {
	s.reached, direct = map[uuid.UUID][]charge.Spending{}, []uuid.UUID{}
	if len(s.owing) == 0 {
		return nil, direct, nil
	}
	spendings, err := charge.Spendings(ctx, tx, all)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range s.owing {
		s.reached[c.ID] = charge.Reached(spendings, c.ID)
		for _, r := range s.reached[c.ID] {
			if r.Since != nil && (since == nil || r.Since.Before(*since)) {
				since = r.Since
			}
			if r.Order != uuid.Nil {
				direct = append(direct, r.Order)
			}
		}
	}
	return since, direct, nil
}

// byPrecedence puts what is in the payer's own hand first, and of that the newest.
func (s *settlement) byPrecedence(a, b *voucher.Held) int {
	hand := func(v *voucher.Held) int {
		if v.Holder == s.paidFor(v).Customer {
			return 0
		}
		return 1
	}
	ofA, ofB := s.paidFor(a), s.paidFor(b)
	return cmp.Or(
		hand(a)-hand(b),
		ofB.PaidAt.Compare(ofA.PaidAt),
		bytes.Compare(ofB.ID[:], ofA.ID[:]),
		bytes.Compare(b.ID[:], a.ID[:]),
	)
}

// candidates are the usable vouchers that may stand for a charge: those that are worth something, and none that stands for another one.
func (s *settlement) candidates(c *charge.Owing) (list []*voucher.Held) {
	for _, v := range s.vouchers {
		if !v.Usable() || v.Rest().Paid() == 0 || v.FrozenFor != nil && *v.FrozenFor != c.ID || !s.bought(s.paidFor(v), c) {
			continue
		}
		list = append(list, v)
	}
	return list
}

// bought reports whether a charge's money may have bought something, or stands for the money that has.
func (s *settlement) bought(p *purchase, c *charge.Owing) bool {
	return slices.ContainsFunc(s.reached[c.ID], func(r charge.Spending) bool {
		return p.ID == r.Order || p.FromWallet && r.Since != nil && !p.PaidAt.Before(*r.Since)
	})
}

// takeBackRefunded takes items back for what the gateway sent back, as many as fit whole.
func (s *settlement) takeBackRefunded(ctx context.Context, tx db.Tx, c *charge.Owing) error {
	for _, v := range s.candidates(c) {
		owed := c.OwedForRefunds()
		n := fitting(v, owed)
		if n == 0 {
			continue
		}
		if err := s.takeBack(ctx, tx, c, v, n, voucher.RefundOutside, voucher.Because{Charge: &c.ID}, owed); err != nil {
			return err
		}
	}
	return nil
}

// fitting returns how many of a voucher's last items a sum takes back. Items are taken whole, each at its worth without the satang that are
// left for the last item, because a third that was sent back was rounded, or at what the last ones are worth if that is less: items of which the platform
// paid a part differ by a satang. Of a baht voucher as many satang are taken as reach the sum. The few satang that are taken beyond it are the holder's.
func fitting(v *voucher.Held, owed money.Amount) int64 {
	switch {
	case owed == 0: // its first items may be worth nothing each, and its last ones something
		return 0
	case v.Kind == voucher.Baht:
		return min(v.Left, search(v.Left, func(n int64) bool { return v.Last(n).Paid() >= owed }))
	}
	return search(v.Left, func(n int64) bool { return min(v.Sums.Slice(v.Kind, v.Total, 0, n).Paid(), v.Last(n).Paid()) > owed }) - 1
}

// search is the least of 1 to most for which a condition holds that stays true from there on, or most + 1.
func search(most int64, holds func(int64) bool) int64 {
	low, high := int64(1), most+1
	for low < high {
		if middle := low + (high-low)/2; holds(middle) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

// takeBack takes a voucher's last n items back, for at most owed of the debt of a charge. Their worth beyond that goes to the holder's wallet;
// if he is the payer, the organisation first gets back from it what it has borne for the charge. saveCommissions reverses the commission.
func (s *settlement) takeBack(ctx context.Context, tx db.Tx, c *charge.Owing, v *voucher.Held, n int64, event voucher.Event, because voucher.Because, owed money.Amount) error {
	sums := v.Last(n)
	id, err := s.end(ctx, tx, v, n, event, because)
	if err != nil {
		return err
	}
	by := min(sums.Paid(), owed)
	beyond, restored := sums.Paid()-by, money.Amount(0)
	if s.mine(v.Holder) && beyond > 0 {
		borne, err := c.Borne(ctx, tx)
		if err != nil {
			return err
		}
		restored = min(borne, beyond)
		beyond -= restored
	}
	unearned, fee, owes := ledger.SystemAccount(ledger.Unearned), ledger.SystemAccount(ledger.PlatformFee), ledger.SystemAccount(ledger.ChargebackReceivable)
	postings := []ledger.Posting{
		{Debit: unearned, Credit: owes, Amount: sums.Share - sums.Discount},
		{Debit: unearned, Credit: fee, Amount: sums.Discount},
		{Debit: fee, Credit: owes, Amount: sums.Fee},
		{Debit: owes, Credit: ledger.SystemAccount(ledger.Payable), Amount: restored},
		{Debit: owes, Credit: ledger.AccountOf(ledger.Wallet, v.Holder), Amount: beyond},
	}
	if event == voucher.MakeVoid && because.Void == nil { // because the bank keeps what it held back
		c.BankOwed -= min(c.BankOwed, by)
	}
	cause := ledger.Cause{Kind: "taken_back", ID: id, MemoTH: "คืนมูลค่าเวาเชอร์", MemoEN: "Worth of a voucher"}
	toPayer := money.Amount(0)
	s.paidOut[v.ID] += beyond
	switch {
	case beyond == 0:
	case s.mine(v.Holder):
		toPayer, s.credited = beyond, true
	default: // to whom it was given
		if err := s.credit(ctx, tx, v.Holder); err != nil {
			return err
		}
	}
	return c.Cover(tx, "taken_back", by, toPayer, cause, postings...)
}

// credit has another customer's debt paid from what came into his wallet, once this is committed: he would be locked too late here.
func (s *settlement) credit(ctx context.Context, tx db.Tx, holder uuid.UUID) error {
	if err := queue.Enqueue(ctx, tx, charge.SettleJob{Customer: holder}); err != nil {
		return err
	}
	return notice.Send(ctx, tx, token.User, holder, notice.Event{Topic: "wallet"})
}

// end takes a voucher's last n items away and remembers that. It returns the id of what happened.
func (s *settlement) end(ctx context.Context, tx db.Tx, v *voucher.Held, n int64, event voucher.Event, because voucher.Because) (uuid.UUID, error) {
	s.orders[v.Order].touched, s.changed = true, true
	return v.TakeBack(ctx, tx, n, event, because)
}

// stand freezes vouchers until their worth covers what a charge owes, and releases those that are no longer needed for it. For
// what a bank keeps, its dispute being lost, they are void instead. It returns what nothing stands for.
func (s *settlement) stand(ctx context.Context, tx db.Tx, c *charge.Owing) (debt money.Amount, err error) {
	if err := s.releaseUnpaid(ctx, tx, c); err != nil {
		return 0, err
	}
	list := s.candidates(c)
	slices.SortStableFunc(list, func(a, b *voucher.Held) int { return frozenFirst(a) - frozenFirst(b) })
	lost := c.Dispute == payment.DisputeLost && c.Disputed > 0
	own, direct := s.byID[c.ID]
	all := direct && own.Back && c.Owed > 0 // also where the organisation bore some of it
	covered := money.Amount(0)
	for _, v := range list {
		switch {
		case lost && c.BankOwed > 0:
			err = s.takeBack(ctx, tx, c, v, v.Left, voucher.MakeVoid, voucher.Because{Charge: &c.ID}, c.Owed)
		case covered < c.Owed || all && !lost:
			covered += v.Rest().Paid()
			if v.FrozenFor == nil {
				s.changed, err = true, v.Freeze(ctx, tx, c.ID)
			}
		case v.FrozenFor != nil:
			s.changed, err = true, v.Release(ctx, tx)
		}
		if err != nil {
			return 0, err
		}
	}
	return max(0, c.Owed-covered), nil
}

// releaseUnpaid lets go of what is frozen for a charge, and of which nothing is left but what the platform paid for.
func (s *settlement) releaseUnpaid(ctx context.Context, tx db.Tx, c *charge.Owing) error {
	for _, v := range s.vouchers {
		if v.FrozenFor == nil || *v.FrozenFor != c.ID || v.Rest().Paid() > 0 || v.Worthless() {
			continue
		}
		if err := v.Release(ctx, tx); err != nil {
			return err
		}
		s.changed = true
	}
	return nil
}

func frozenFirst(v *voucher.Held) int {
	if v.FrozenFor != nil {
		return 0
	}
	return 1
}

// release lets go of what stands for a charge that owes no more.
func (s *settlement) release(ctx context.Context, tx db.Tx) error {
	for _, v := range s.vouchers {
		if v.FrozenFor == nil || s.owes(*v.FrozenFor) {
			continue
		}
		if err := v.Release(ctx, tx); err != nil {
			return err
		}
		s.changed = true
	}
	return nil
}

// owes reports whether a charge owes something still.
func (s *settlement) owes(id uuid.UUID) bool {
	return slices.ContainsFunc(s.owing, func(c *charge.Owing) bool { return c.ID == id && c.Owed > 0 })
}

// payDebts pays what nothing stands for from the customer's wallet, for the oldest charge first.
func (s *settlement) payDebts(ctx context.Context, tx db.Tx) error {
	for i, c := range s.owing {
		if s.debts[i] == 0 {
			continue
		}
		paid, err := c.PayDebt(ctx, tx, s.customer, s.debts[i])
		if err != nil {
			return err
		}
		s.debts[i], s.changed = s.debts[i]-paid, s.changed || paid > 0
	}
	return nil
}

// markUnpaid computes how much of each purchase is unpaid: the debt that its frozen vouchers stand for; and the debt that no voucher stands
// for, from the newest purchase that the charge may have paid for. If vouchers stand for all of the debt, purchases with other money are paid.
func (s *settlement) markUnpaid() {
	for _, c := range s.owing {
		rest := c.Owed
		for _, v := range s.vouchers {
			if v.FrozenFor == nil || *v.FrozenFor != c.ID {
				continue
			}
			by := min(rest, v.Rest().Paid())
			s.paidFor(v).unpaid += by
			rest -= by
		}
	}
	for i, c := range s.owing {
		rest := s.debts[i]
		for _, p := range s.purchases {
			if rest == 0 {
				break
			}
			if !s.bought(p, c) {
				continue
			}
			by := min(rest, max(0, p.price()-p.unpaid))
			p.unpaid, rest = p.unpaid+by, rest-by
		}
	}
}

// price returns what was paid for what of a purchase was not taken back. On the board that is all of it: what lies behind a voucher is not its price.
func (p *purchase) price() money.Amount {
	if p.BoardPrice > 0 {
		return p.BoardPrice
	}
	return p.kept().Paid()
}

// settleOthers has the commission of other people's orders follow of which something was taken back. Who paid them would be locked too late here.
func (s *settlement) settleOthers(ctx context.Context, tx db.Tx) error {
	for _, p := range s.orders {
		if s.byID[p.ID] != nil || !p.touched || !p.Commission {
			continue
		}
		if err := queue.Enqueue(ctx, tx, charge.SettleJob{Customer: p.Customer}); err != nil {
			return err
		}
	}
	return nil
}

// saveCommissions leaves each agent the commission of what was not taken back and is paid.
func (s *settlement) saveCommissions(ctx context.Context, tx db.Tx) error {
	var dues []commission.Due
	for _, p := range s.purchases {
		if p.Commission {
			dues = append(dues, p.commission())
		}
	}
	return commission.Save(ctx, tx, dues)
}

// kept returns the part of an order that was not taken back.
func (p *purchase) kept() (sums voucher.Sums) {
	for _, v := range p.vouchers {
		sums = sums.Plus(v.Kept())
	}
	return sums
}

// commission returns of what of an order commission is due now.
func (p *purchase) commission() commission.Due {
	due := commission.Due{Order: p.ID, Kept: map[int]money.Amount{}, Unpaid: p.unpaid}
	for _, v := range p.vouchers {
		kept := v.Kept()
		due.Paid += kept.Paid()
		due.Kept[v.Line] += kept.Commission
	}
	if due.Paid <= 0 {
		return commission.Due{Order: p.ID}
	}
	return due
}
