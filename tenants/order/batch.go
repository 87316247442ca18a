package order

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/voucher"
)

// request is a quote that somebody confirms.
type request struct {
	who token.Session
	in  BuyInput
}

// purchaseBatch has what a transaction's purchases are decided by: the rows that all of them need, read and locked at once. What one
// purchase takes is gone for those after it.
//
// Every purchase locks in one order: customers by id, referrals, wallets by account, stock by package.
type purchaseBatch struct {
	fee          int64 // basis points
	requirements *consent.Requirements
	referrals    *db.Pending[map[uuid.UUID]*agent.Referral]
	packages     *catalog.PriceQuery
	offers       offers
	balances     *ledger.LockedBalances
	stock        *catalog.Stock
	bought       map[customerPackage]int

	vouchers int // of what was reserved
}

// customerPackage is the key of what one customer has bought of one package, where that is limited.
type customerPackage struct{ customer, pkg uuid.UUID }

// A customer's orders of a package, also from before he erased himself, as far as they count for its limit.
const boughtBefore = `SELECT w.customer_id, w.package_id, b.pieces FROM unnest($1::uuid[], $2::uuid[]) AS w (customer_id, package_id) CROSS JOIN LATERAL (
	SELECT coalesce(sum(l.quantity), 0) FROM orders o JOIN order_line l ON l.order_id = o.id AND l.package_id = w.package_id
	WHERE (o.customer_id = w.customer_id OR o.customer_id IN (SELECT f.customer_id FROM former_customer f WHERE f.successor_id = w.customer_id)) AND o.state <> 'expired' AND l.returned_at IS NULL) AS b (pieces)`

// newPurchaseBatch queues the reads and locks. Its fields are set by load, which flushes them, and are empty before. Customers are
// locked first, so a customer's purchases follow one another and his limits hold, also of what costs nothing.
func newPurchaseBatch(tx db.Tx, prices *catalog.PriceCache, fee int64, requests []request) *purchaseBatch {
	customers := unique(db.Column(requests, func(w request) uuid.UUID { return w.who.Subject }))
	packages := packagesOf(slices.Concat(db.Column(requests, func(w request) []Line { return w.in.Lines })...))
	d := &purchaseBatch{fee: fee, bought: map[customerPackage]int{}}
	tx.ForceGenericPlan()
	d.requirements = consent.Require(tx, consent.ForPurchase, db.Column(requests, func(w request) token.Session { return w.who })...)
	d.referrals = agent.QueueReferrals(tx, customers)
	d.packages = prices.Query(tx, packages)
	d.balances = ledger.LockBalances(tx, customers)
	d.stock = catalog.LockStock(tx, packages)
	return d
}

// load sends what newPurchaseBatch queued. Where a package is limited per customer, it reads what was bought before.
func (d *purchaseBatch) load(ctx context.Context, tx db.Tx, requests []request) (err error) {
	if err := tx.Flush(ctx); err != nil {
		return err
	}
	if d.offers, err = d.packages.Results(ctx, tx); err != nil {
		return err
	}
	var limited []customerPackage
	for _, w := range requests {
		for _, l := range w.in.Lines {
			if d.offers[l.Package].PerCustomer != nil {
				limited = append(limited, customerPackage{w.who.Subject, l.Package})
			}
		}
	}
	if limited = unique(limited); len(limited) == 0 {
		return nil
	}
	rows, err := tx.Query(ctx, boughtBefore,
		db.Column(limited, func(s customerPackage) uuid.UUID { return s.customer }), db.Column(limited, func(s customerPackage) uuid.UUID { return s.pkg }))
	if err != nil {
		return fmt.Errorf("what was bought before: %w", err)
	}
	var s customerPackage
	var n int
	_, err = pgx.ForEachRow(rows, []any{&s.customer, &s.pkg, &n}, func() error {
		d.bought[s] = n
		return nil
	})
	if err != nil {
		return fmt.Errorf("what was bought before: %w", err)
	}
	return nil
}

func packagesOf(lines []Line) []uuid.UUID {
	return unique(db.Column(lines, func(l Line) uuid.UUID { return l.Package }))
}

func unique[T comparable](list []T) (once []T) {
	seen := make(map[T]bool, len(list))
	for _, v := range list {
		if !seen[v] {
			seen[v], once = true, append(once, v)
		}
	}
	return once
}

// pricedOrder is an order before it is saved: its cart, how the price is split, and the referral.
type pricedOrder struct {
	cart
	id, customer uuid.UUID
	lineSums     []voucher.Sums // of each line
	referral     *agent.Referral
	agreed       consent.AcceptedTexts
}

// validate checks everything that does not depend on how the customer pays. It returns the priced order, or the fault.
func (d *purchaseBatch) validate(w request, id uuid.UUID) (pricedOrder, error) {
	out := pricedOrder{id: id, customer: w.who.Subject, referral: d.referrals.Get()[w.who.Subject]}
	if err := d.requirements.Check(w.who.Subject); err != nil {
		return out, err
	}
	if debt := d.requirements.Debt(w.who.Subject); debt > 0 {
		return out, customer.ErrDebt.With(customer.Debt{Amount: debt})
	}
	var err error
	if out.cart, err = d.offers.price(w.in.Lines); err != nil {
		return out, err
	}
	if out.hash != w.in.Hash {
		return out, ErrQuoteChanged
	}
	out.agreed, err = d.requirements.Agree(consent.Submission{
		Customer: w.who.Subject, Versions: w.in.Accepted, Lang: w.in.Lang, Channel: "order.confirm", Address: w.who.Address,
	})
	if err != nil {
		return out, err
	}
	out.lineSums = out.split(d.fee, out.referral)
	return out, d.checkLimits(out)
}

func (d *purchaseBatch) checkLimits(of pricedOrder) error {
	for i, offer := range of.offers {
		if offer.PerCustomer == nil {
			continue
		}
		if before := d.bought[customerPackage{of.customer, offer.ID}]; before+of.lines[i].Quantity > *offer.PerCustomer {
			return ErrLimit.With(map[string]any{"package_id": offer.ID, "limit": *offer.PerCustomer, "bought": before})
		}
	}
	return nil
}

// inStock returns catalog.ErrSoldOut if there is less left than the order takes.
func (d *purchaseBatch) inStock(of pricedOrder) error {
	for _, l := range of.lines {
		if err := d.stock.Check(l.Package, l.Quantity); err != nil {
			return err
		}
	}
	return nil
}

// reserve takes stock, limits and consents for an order, so that those after it in the batch find them gone.
func (d *purchaseBatch) reserve(of pricedOrder) {
	d.requirements.Accept(of.agreed)
	d.vouchers += of.vouchers
	for _, l := range of.lines {
		d.stock.Take(l.Package, l.Quantity)
		d.bought[customerPackage{of.customer, l.Package}] += l.Quantity
	}
}

// save queues what reserved orders have changed, without result handlers: every row is locked and decided.
func (d *purchaseBatch) save(tx db.Tx) {
	d.requirements.Save(tx)
	d.balances.Save(tx)
	d.stock.Save(tx)
}

// offers are packages as they are sold now.
type offers map[uuid.UUID]*catalog.PackageResult

// cart is what is bought, with everything needed to charge and to issue it.
type cart struct {
	lines    []QuotedLine
	offers   []catalog.PricedPackage
	total    money.Amount
	vouchers int
	hash     string
}

// checkLines holds what the schema of a cart says, whoever calls: what it lets through is multiplied and made. A package may stand
// in one line only.
func checkLines(lines []Line) error {
	switch {
	case len(lines) == 0:
		return fault.At("lines", fault.TooShort)
	case len(lines) > maxLines:
		return fault.At("lines", fault.TooLong)
	}
	for i, l := range lines {
		switch {
		case l.Quantity < 1:
			return fault.At(fmt.Sprintf("lines.%d.quantity", i), fault.TooSmall)
		case l.Quantity > maxPieces:
			return fault.At(fmt.Sprintf("lines.%d.quantity", i), fault.TooBig)
		case slices.ContainsFunc(lines[:i], func(other Line) bool { return other.Package == l.Package }):
			return fault.At(fmt.Sprintf("lines.%d.package_id", i), fault.Duplicate)
		}
	}
	return nil
}

// price takes every line's offer as it is now. No order exceeds money.Max or catalog.MaxVouchers.
func (o offers) price(lines []Line) (c cart, err error) {
	if err := checkLines(lines); err != nil {
		return c, err
	}
	for _, l := range lines {
		listing := o[l.Package]
		if listing.Refused != nil {
			return c, listing.Refused
		}
		offer := listing.PricedPackage
		amount, err := offer.Price.Times(l.Quantity)
		if err != nil {
			return c, fault.At("lines", fault.TooBig)
		}
		c.lines = append(c.lines, QuotedLine{
			Package: l.Package, NameTH: offer.NameTH, NameEN: offer.NameEN, Picture: offer.Picture,
			Quantity: l.Quantity, Unit: offer.Price, Amount: amount,
		})
		c.offers = append(c.offers, offer)
		c.vouchers += l.Quantity * offer.Vouchers()
		if c.total, err = c.total.Plus(amount); err != nil || c.vouchers > catalog.MaxVouchers {
			return c, fault.At("lines", fault.TooBig)
		}
	}
	c.hash, err = hash(c.lines, c.offers, c.total)
	return c, err
}
