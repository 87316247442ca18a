package order

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/discount"
	"welovevoucher/tenants/gate"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/rate"
	"welovevoucher/tenants/voucher"
)

// request is a quote that somebody confirms.
type request struct {
	who token.Session
	in  BuyInput
}

// wish says which discounts the request can have.
func (r request) wish() discount.Wish {
	return discount.Wish{Customer: r.who.Subject, Packages: packagesOf(r.in.Lines), Codes: r.in.Codes}
}

// purchaseBatch has the rows by which a transaction's purchases are decided, read and locked at once. Money, stock and limits that a
// purchase takes are gone for the purchases after it.
//
// Every purchase locks in one order: customers by id, agents by id, wallets by account, stock by package, codes and counts of discounts.
type purchaseBatch struct {
	now            time.Time
	feeBasisPoints int64
	requirements   *consent.Requirements
	gate           gate.Checked
	referrals      *db.Pending[map[uuid.UUID]*agent.Referral]
	priceQuery     *catalog.PriceQuery
	results        packageResults
	discountQuery  *catalog.RevisionQuery[[]*discount.Discount]
	rateQuery      *catalog.RevisionQuery[rate.Rates]
	rates          rate.Rates
	counters       *discount.Counters // nil: none of the carts can have a discount
	balances       *ledger.LockedBalances
	stock          *catalog.Stock
	bought         map[customerPackage]int

	vouchers int // of what was reserved
}

// customerPackage is the key of the number of pieces that a customer has bought of a limited package.
type customerPackage struct{ customer, pkg uuid.UUID }

// A customer's orders of a package, also from before he erased himself, as far as they count for its limit.
const boughtBefore = `SELECT w.customer_id, w.package_id, b.pieces FROM unnest($1::uuid[], $2::uuid[]) AS w (customer_id, package_id) CROSS JOIN LATERAL (
	SELECT coalesce(sum(l.quantity), 0) FROM orders o JOIN order_line l ON l.order_id = o.id AND l.package_id = w.package_id
	WHERE (o.customer_id = w.customer_id OR o.customer_id IN (SELECT f.customer_id FROM former_customer f WHERE f.successor_id = w.customer_id)) AND o.state <> 'expired' AND l.returned_at IS NULL) AS b (pieces)`

// newPurchaseBatch queues the reads and locks. load flushes them and sets the fields, which are empty before. Customers are locked
// first, so the purchases of a customer follow one another and his limits hold, also for packages that cost nothing.
func (s *Service) newPurchaseBatch(tx db.Tx, organisation org.Org, requests []request) *purchaseBatch {
	customers := distinct(db.Column(requests, func(r request) uuid.UUID { return r.who.Subject }))
	packages := packagesOf(slices.Concat(db.Column(requests, func(r request) []Line { return r.in.Lines })...))
	b := &purchaseBatch{now: tx.Now, feeBasisPoints: organisation.FeeBasisPoints, bought: map[customerPackage]int{}}
	tx.ForceGenericPlan()
	b.requirements = consent.LockRequirements(tx, consent.ForPurchase, db.Column(requests, func(r request) token.Session { return r.who })...)
	b.gate = gate.Queue(tx, organisation, customers...)
	b.referrals = agent.LockReferrals(tx, customers)
	b.priceQuery = s.prices.Query(tx, packages)
	b.discountQuery = s.discounts.Query(tx)
	b.rateQuery = s.rates.Query(tx)
	b.balances = ledger.LockBalances(tx, customers)
	b.stock = catalog.LockStock(tx, packages)
	return b
}

// load flushes the queue of newPurchaseBatch. If a cart can have a discount, it locks what is left of that. If a package is limited per customer, it
// reads how many pieces each customer has bought.
func (b *purchaseBatch) load(ctx context.Context, tx db.Tx, requests []request) (err error) {
	if err := tx.Flush(ctx); err != nil {
		return err
	}
	if b.results, err = b.priceQuery.Results(ctx, tx); err != nil {
		return err
	}
	discounts, err := b.discountQuery.Result(ctx, tx, b.priceQuery.Revision())
	if err != nil {
		return err
	}
	if b.rates, err = b.rateQuery.Result(ctx, tx, b.priceQuery.Revision()); err != nil {
		return err
	}
	if b.counters, err = discount.Lock(ctx, tx, discounts, db.Column(requests, request.wish)...); err != nil {
		return err
	}
	return b.loadLimits(ctx, tx, requests)
}

func (b *purchaseBatch) loadLimits(ctx context.Context, tx db.Tx, requests []request) error {
	var limited []customerPackage
	for _, r := range requests {
		for _, l := range r.in.Lines {
			if b.results[l.Package].PerCustomer != nil {
				limited = append(limited, customerPackage{r.who.Subject, l.Package})
			}
		}
	}
	if limited = distinct(limited); len(limited) == 0 {
		return nil
	}
	rows, err := tx.Query(ctx, boughtBefore,
		db.Column(limited, func(k customerPackage) uuid.UUID { return k.customer }), db.Column(limited, func(k customerPackage) uuid.UUID { return k.pkg }))
	if err != nil {
		return fmt.Errorf("what was bought before: %w", err)
	}
	var k customerPackage
	var n int
	_, err = pgx.ForEachRow(rows, []any{&k.customer, &k.pkg, &n}, func() error {
		b.bought[k] = n
		return nil
	})
	if err != nil {
		return fmt.Errorf("what was bought before: %w", err)
	}
	return nil
}

func packagesOf(lines []Line) []uuid.UUID {
	return distinct(db.Column(lines, func(l Line) uuid.UUID { return l.Package }))
}

func distinct[T comparable](list []T) (once []T) {
	seen := make(map[T]bool, len(list))
	for _, v := range list {
		if !seen[v] {
			seen[v], once = true, append(once, v)
		}
	}
	return once
}

// pricedOrder is an order before it is saved: its cart, and the referral.
type pricedOrder struct {
	cart
	id, customer uuid.UUID
	referral     *agent.Referral
	agreed       consent.AcceptedTexts
}

// validate checks everything that does not depend on how the customer pays. It returns the priced order, or gate.ErrRequired, customer.ErrDebt,
// catalog.ErrPackageNotFound, catalog.ErrNotOnSale, ErrQuoteChanged, the loss of a discount whose code reduces nothing any more, ErrLimit, or a fault of
// consent.Requirements.
func (b *purchaseBatch) validate(r request, id uuid.UUID) (pricedOrder, error) {
	out := pricedOrder{id: id, customer: r.who.Subject, referral: b.referrals.Get()[r.who.Subject]}
	if err := b.requirements.Check(r.who.Subject); err != nil {
		return out, err
	}
	if err := b.gate.Check(r.who.Subject); err != nil {
		return out, err
	}
	if debt := b.requirements.Debt(r.who.Subject); debt > 0 {
		return out, customer.ErrDebt.With(customer.Debt{Amount: debt})
	}
	var err error
	if out.cart, err = b.results.price(r.in.Lines); err != nil {
		return out, err
	}
	if out.cart, err = out.ratedBy(b.rates, out.referral, b.now).reduced(b.counters, b.feeBasisPoints, r.wish(), channel(out.referral), b.now); err != nil {
		return out, err
	}
	if out.hash != r.in.Hash {
		for _, loss := range out.discounts.ForBuyer() { // a code reduced the quote
			return out, loss.Err()
		}
		return out, ErrQuoteChanged
	}
	out.agreed, err = b.requirements.Agree(consent.Submission{
		Customer: r.who.Subject, Versions: r.in.Accepted, Lang: r.in.Lang, Channel: "order.confirm", Address: r.who.Address,
	})
	if err != nil {
		return out, err
	}
	return out, b.checkLimits(out)
}

func (b *purchaseBatch) checkLimits(o pricedOrder) error {
	for i, pkg := range o.packages {
		if pkg.PerCustomer == nil {
			continue
		}
		if before := b.bought[customerPackage{o.customer, pkg.ID}]; before+o.lines[i].Quantity > *pkg.PerCustomer {
			return ErrLimit.With(map[string]any{"package_id": pkg.ID, "limit": *pkg.PerCustomer, "bought": before})
		}
	}
	return nil
}

// inStock returns catalog.ErrSoldOut if there is less left than the order takes.
func (b *purchaseBatch) inStock(o pricedOrder) error {
	for _, l := range o.lines {
		if err := b.stock.Check(l.Package, l.Quantity); err != nil {
			return err
		}
	}
	return nil
}

// reserve takes stock, limits and consents for an order, so that those after it in the batch find them gone.
func (b *purchaseBatch) reserve(o pricedOrder) {
	b.requirements.Accept(o.agreed)
	b.vouchers += o.vouchers
	for _, l := range o.lines {
		b.stock.Take(l.Package, l.Quantity)
		b.bought[customerPackage{o.customer, l.Package}] += l.Quantity
	}
	if b.counters != nil {
		b.counters.Take(o.id, o.customer, o.discounts, b.now)
	}
}

// save queues what reserved orders have changed, without result handlers, so that COMMIT goes in the same round trip (db.canCommitInBatch): every row is locked and decided.
func (b *purchaseBatch) save(tx db.Tx) {
	b.requirements.Save(tx)
	b.balances.Save(tx)
	b.stock.Save(tx)
	if b.counters != nil {
		b.counters.Save(tx)
	}
}

// packageResults has each package of a batch as it is sold now, or the fault for which it cannot be bought.
type packageResults map[uuid.UUID]*catalog.PackageResult

// cart has the lines of an order, with everything needed to charge for them and to issue their vouchers.
type cart struct {
	lines    []PricedLine
	packages []catalog.PricedPackage
	total    money.Amount
	vouchers int
	rates    []rate.Rate // of each line, set by ratedBy; none where no agent sells it

	// Set by reduced.
	discounts discount.Result
	lineSums  []voucher.Sums // of each line
	recruited []money.Amount // of each line, what of its commission goes to who recruited the agent
	hash      string
}

// with returns the cart with how the price of its next line is split.
func (c cart) with(s discount.Split) cart {
	c.lineSums = append(c.lineSums, voucher.Sums{Share: s.Share, Fee: s.Fee, Commission: s.Commission + s.Recruiter, Discount: s.Platform})
	c.recruited = append(c.recruited, s.Recruiter)
	return c
}

// checkLines checks the bounds that the schema of a cart states, also for callers that no schema has checked: quantities are multiplied and
// issued. A package may stand in one line only.
func checkLines(lines []Line, codes []string) error {
	switch {
	case len(codes) > discount.MaxCodes:
		return fault.At("codes", fault.TooLong)
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

// price takes every line's package as it is now. checkLines has passed the lines. No order exceeds money.Max or catalog.MaxVouchers.
func (r packageResults) price(lines []Line) (c cart, err error) {
	for _, l := range lines {
		result := r[l.Package]
		if result.Refused != nil {
			return c, result.Refused
		}
		pkg := result.PricedPackage
		amount, err := pkg.Price.Times(l.Quantity)
		if err != nil {
			return c, fault.At("lines", fault.TooBig)
		}
		c.lines = append(c.lines, PricedLine{
			Package: l.Package, NameTH: pkg.NameTH, NameEN: pkg.NameEN, Picture: pkg.Picture,
			Quantity: l.Quantity, Unit: pkg.Price, Amount: amount,
		})
		c.packages = append(c.packages, pkg)
		c.vouchers += l.Quantity * pkg.Vouchers()
		if c.total, err = c.total.Plus(amount); err != nil || c.vouchers > catalog.MaxVouchers {
			return c, fault.At("lines", fault.TooBig)
		}
	}
	return c, nil
}

// ratedBy returns the cart with the rate by which the agent and his recruiter earn of each line.
func (c cart) ratedBy(rates rate.Rates, referral *agent.Referral, now time.Time) cart {
	if referral != nil {
		c.rates = db.Column(c.lines, func(l PricedLine) rate.Rate { return referral.RateOf(rates, l.Package, clock.Day(now)) })
	}
	return c
}

// reduced returns the cart with its discounts, and what each line costs then split.
func (c cart) reduced(counters *discount.Counters, feeBasisPoints int64, w discount.Wish, channel int, now time.Time) (_ cart, err error) {
	gross := db.Column(c.lines, func(l PricedLine) discount.Line {
		return discount.Line{Package: l.Package, Quantity: l.Quantity, Gross: l.Amount}
	})
	for i, r := range c.rates {
		gross[i].Rate = r
	}
	if counters == nil {
		for _, l := range gross {
			c = c.with(l.Split(feeBasisPoints, 0, 0, 0))
		}
		c.hash, err = hash(c.lines, c.packages, c.total)
		return c, err
	}
	c.discounts, c.total = counters.Evaluate(feeBasisPoints, gross, w, channel, now), 0
	for i, l := range c.discounts.Lines {
		c.lines[i].Amount, c.lines[i].Discount = l.Paid(), gross[i].Gross-l.Paid()
		c = c.with(l.Split)
		c.total += l.Paid()
	}
	c.hash, err = hash(c.lines, c.packages, c.total)
	return c, err
}

// channel returns the sale channel of an order.
func channel(referral *agent.Referral) int {
	if referral == nil {
		return channelOnline
	}
	return channelAgent
}
