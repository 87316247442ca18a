package order

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/discount"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/points"
	"welovevoucher/tenants/rate"
	"welovevoucher/tenants/rollup"
	"welovevoucher/tenants/voucher"
)

// BuyInput confirms a quote.
type BuyInput struct {
	Lines    []Line      `json:"lines" minItems:"1" maxItems:"30"`
	Codes    []string    `json:"codes,omitempty" maxItems:"5" maxLength:"40" doc:"Those that reduced the quote"`
	Hash     string      `json:"hash" minLength:"1" maxLength:"64" doc:"Of the quote the customer saw"`
	Accepted []uuid.UUID `json:"accepted" maxItems:"20" doc:"Consent versions he ticked"`
	Lang     string      `json:"lang" enum:"th,en" doc:"The language he read them in"`
}

// Quote prices a cart. It returns catalog.ErrPackageNotFound or catalog.ErrNotOnSale.
func (s *Service) Quote(ctx context.Context, who token.Session, in QuoteInput) (q Quote, err error) {
	if err := checkLines(in.Lines, in.Codes); err != nil {
		return q, err
	}
	organisation, err := s.orgs.ByID(ctx, who.Org)
	if err != nil {
		return q, err
	}
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		tx.ForceGenericPlan()
		query := s.prices.Query(tx, packagesOf(in.Lines))
		discountQuery, rateQuery := s.discounts.Query(tx), s.rates.Query(tx)
		if q.Balance, err = ledger.Balance(ctx, tx, who.Subject); err != nil {
			return err
		}
		results, err := query.Results(ctx, tx)
		if err != nil {
			return err
		}
		cart, err := packageResults(results).price(in.Lines)
		if err != nil {
			return err
		}
		discounts, err := discountQuery.Result(ctx, tx, query.Revision())
		if err != nil {
			return err
		}
		rates, err := rateQuery.Result(ctx, tx, query.Revision())
		if err != nil {
			return err
		}
		if cart, err = cart.quote(ctx, tx, discounts, rates, who.Subject, organisation.FeeBasisPoints, in); err != nil {
			return err
		}
		if q.Consents, err = consent.ListMissing(ctx, tx, "customer", consent.ForPurchase, who.Subject); err != nil {
			return err
		}
		q.Hash, q.Lines, q.Total = cart.hash, cart.quoted(tx.Now), cart.total
		q.Discounts, q.Lost = cart.discounts.Reductions(), cart.discounts.ForBuyer()
		q.Missing = max(0, q.Total-q.Balance)
		q.TopUp, q.TopUpMinimum = offerTopUp(q.Missing)
		return nil
	})
	return q, err
}

// quote returns a cart with the discounts that its buyer can have now. An agent matters only where there is one of them.
func (c cart) quote(ctx context.Context, tx db.Tx, discounts []*discount.Discount, rates rate.Rates, buyer uuid.UUID, feeBasisPoints int64, in QuoteInput) (cart, error) {
	wish := discount.Wish{Customer: buyer, Packages: packagesOf(in.Lines), Codes: in.Codes}
	var referral *agent.Referral
	if len(discounts) > 0 {
		referrals := agent.ReadReferrals(tx, buyer)
		if err := tx.Flush(ctx); err != nil {
			return c, err
		}
		referral = referrals.Get()[buyer]
	}
	counters, err := discount.Read(ctx, tx, discounts, wish)
	if err != nil {
		return c, err
	}
	return c.ratedBy(rates, referral, tx.Now).reduced(counters, feeBasisPoints, wish, channel(referral), tx.Now)
}

// quoted returns the lines with what holds for vouchers that are issued at a time.
func (c cart) quoted(at time.Time) []QuoteLine {
	lines := make([]QuoteLine, len(c.lines))
	for i, l := range c.lines {
		lines[i] = QuoteLine{PricedLine: l, LastDays: []string{}, ExpiryRules: []string{}, Transfers: []Giving{}}
		lines[i].RefundTerms = c.packages[i].Refunds
		lines[i].RefundUntil = lines[i].Until(at).Format(time.DateOnly)
		for _, part := range c.packages[i].Parts {
			lines[i].LastDays = append(lines[i].LastDays, voucher.ValidUntil(at, part.ValidDays, part.ValidUntil).Format(time.DateOnly))
			lines[i].ExpiryRules = append(lines[i].ExpiryRules, part.ExpiryRule)
			if giving := (Giving{part.TransferRule, part.TransferTimes, part.Together}); !slices.Contains(lines[i].Transfers, giving) {
				lines[i].Transfers = append(lines[i].Transfers, giving)
			}
		}
		for _, each := range []*[]string{&lines[i].LastDays, &lines[i].ExpiryRules} {
			slices.Sort(*each)
			*each = slices.Compact(*each)
		}
	}
	return lines
}

// Buy pays for a quote from the customer's wallet and issues its vouchers: all of it, or none. It returns the faults of
// consent.Requirements, gate.ErrRequired, customer.ErrDebt, catalog.ErrPackageNotFound, catalog.ErrNotOnSale, ErrQuoteChanged if the price has changed since
// the quote, the fault of a discount whose code reduces nothing any more, ErrLimit, ledger.ErrInsufficient, catalog.ErrSoldOut, idempotency.ErrReused if the key came with another body, or
// fault.Unready if the queue of the organisation's batcher is full.
func (s *Service) Buy(ctx context.Context, who token.Session, key string, in BuyInput) (o Order, err error) {
	if err := checkLines(in.Lines, in.Codes); err != nil {
		return Order{}, err
	}
	call, err := idempotency.NewCall(idempotency.Key{Actor: who.Subject, Operation: "order.confirm", Value: key}, in)
	if err != nil {
		return Order{}, err
	}
	p := &purchase{request: request{who, in}, call: call, trace: queue.TraceOf(ctx)}
	err = s.batcher.Do(ctx, who.Org, p)
	if err == nil && errors.Is(p.err, errTooManyVouchers) {
		err = s.batcher.DoAlone(ctx, who.Org, p)
	}
	if err != nil {
		return Order{}, err
	}
	if p.err == nil && p.previous != uuid.Nil {
		return s.Order(ctx, who, p.previous)
	}
	return p.order, p.err
}

// errTooManyVouchers says that a purchase issues more vouchers than are left to its batch, so it runs alone.
var errTooManyVouchers = errors.New("order: too many vouchers for one transaction")

// purchase is a request that is paid from the wallet, and its result.
type purchase struct {
	request
	call  idempotency.Call
	trace string

	err      error
	previous uuid.UUID // the order that its key has made already
	order    Order
}

// runBatch decides purchases of one organisation in their order and saves the good ones. If it returns an error, nothing was saved,
// unless the error is db.ErrUnknownOutcome. Running the purchases again is safe, also while the first transaction has not ended: the
// second one waits for its locks on the customers before it looks for their keys.
func (s *Service) runBatch(ctx context.Context, org uuid.UUID, purchases []*purchase) error {
	organisation, err := s.orgs.ByID(ctx, org)
	if err != nil {
		return err
	}
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		requests := db.Column(purchases, func(p *purchase) request { return p.request })
		batch := s.newPurchaseBatch(tx, organisation, requests)
		keys := idempotency.QueueRecords(tx, db.Column(purchases, func(p *purchase) idempotency.Call { return p.call })...)
		if err := batch.load(ctx, tx, requests); err != nil {
			return err
		}
		var priced []pricedOrder
		var sold []*purchase
		for _, p := range purchases {
			p.err, p.previous, p.order = nil, uuid.Nil, Order{}
			if p.previous, p.err = keys.Result(p.call); p.err != nil || p.previous != uuid.Nil {
				continue
			}
			var o pricedOrder
			if o, p.err = batch.decide(p.request, db.NewID()); p.err == nil {
				keys.Add(p.call, o.id)
				priced, sold = append(priced, o), append(sold, p)
			}
		}
		if len(sold) == 0 {
			return nil
		}
		keys.Save(tx)
		for i, o := range saveOrders(tx, priced, &tx.Now) {
			sold[i].order = o
		}
		batch.save(tx)
		for i, vouchers := range issueVouchers(tx, priced) {
			sold[i].order.Vouchers = vouchers
		}
		points.Freeze(tx, db.Column(priced, func(o pricedOrder) uuid.UUID { return o.id })...)
		notices := notice.Jobs(token.User, db.Column(sold, func(p *purchase) notice.Recipient {
			return notice.Recipient{Subject: p.who.Subject, Event: notice.Event{Topic: "wallet"}, Trace: p.trace}
		}))
		facts := rollup.Facts{Orders: db.Column(priced, func(o pricedOrder) uuid.UUID { return o.id })}
		return queue.EnqueueAll(ctx, tx, append(notices, facts.Job()))
	})
}

// decide validates a purchase, and takes its money and stock. It returns the fault if it cannot.
func (b *purchaseBatch) decide(r request, id uuid.UUID) (pricedOrder, error) {
	out, err := b.validate(r, id)
	if err != nil {
		return out, err
	}
	if b.vouchers > 0 && b.vouchers+out.vouchers > catalog.MaxVouchers {
		return out, errTooManyVouchers
	}
	if err := b.balances.Check(out.customer, out.total); err != nil {
		return out, err
	}
	if err := b.inStock(out); err != nil {
		return out, err
	}
	if err := b.balances.Debit(out.customer, out.transfer(ledger.AccountOf(ledger.Wallet, out.customer))); err != nil {
		return out, err
	}
	b.reserve(out)
	return out, nil
}

type (
	orderRow struct {
		ID         uuid.UUID    `db:"id"`
		Number     string       `db:"number"`
		Customer   uuid.UUID    `db:"customer_id"`
		State      string       `db:"state"`
		Channel    int          `db:"sale_channel"`
		Agent      *uuid.UUID   `db:"agent_id"`
		Link       *uuid.UUID   `db:"link_id"`
		LinkOpened *time.Time   `db:"link_opened_at"`
		Matures    *string      `db:"matures"`
		MatureDays *int         `db:"mature_days"`
		Total      money.Amount `db:"total_satang"`
		Fee        money.Amount `db:"platform_fee_satang"`
		Commission money.Amount `db:"commission_satang"`
		Hash       string       `db:"quote_hash"`
		CreatedAt  time.Time    `db:"created_at"`
		PaidAt     *time.Time   `db:"paid_at"`
	}
	lineRow struct {
		Order     uuid.UUID     `db:"order_id"`
		Position  int           `db:"position"`
		Package   uuid.UUID     `db:"package_id"`
		NameTH    string        `db:"name_th"`
		NameEN    string        `db:"name_en"`
		Quantity  int           `db:"quantity"`
		Unit      money.Amount  `db:"unit_satang"`
		Amount    money.Amount  `db:"amount_satang"`
		Contents  *lineContents `db:"contents"`
		Rule      string        `db:"refund_rule"`
		Days      int32         `db:"refund_days"`
		Fee       int32         `db:"refund_fee_basis_points"`
		Special   *uuid.UUID    `db:"rate_id"`
		RateKind  *rate.Kind    `db:"rate_kind"`
		RateValue *int64        `db:"rate_value"`
	}
)

var (
	insertOrders = db.NewBulk[orderRow](`INSERT INTO orders (id, number, customer_id, state, sale_channel, agent_id, link_id, link_opened_at, matures, mature_days, total_satang,
			platform_fee_satang, commission_satang, quote_hash, created_at, paid_at)
		SELECT unnest(@id::uuid[]), unnest(@number::text[]), unnest(@customer_id::uuid[]), unnest(@state::text[]), unnest(@sale_channel::smallint[]),
			unnest(@agent_id::uuid[]), unnest(@link_id::uuid[]), unnest(@link_opened_at::timestamptz[]), unnest(@matures::text[]), unnest(@mature_days::int[]), unnest(@total_satang::bigint[]), unnest(@platform_fee_satang::bigint[]),
			unnest(@commission_satang::bigint[]), unnest(@quote_hash::text[]), unnest(@created_at::timestamptz[]), unnest(@paid_at::timestamptz[])`)
	insertLines = db.NewBulk[lineRow](`INSERT INTO order_line (order_id, position, package_id, name_th, name_en, quantity, unit_satang, amount_satang, contents, refund_rule, refund_days, refund_fee_basis_points,
			rate_id, rate_kind, rate_value)
		SELECT unnest(@order_id::uuid[]), unnest(@position::smallint[]), unnest(@package_id::uuid[]), unnest(@name_th::text[]), unnest(@name_en::text[]),
			unnest(@quantity::int[]), unnest(@unit_satang::bigint[]), unnest(@amount_satang::bigint[]), unnest(@contents::jsonb[]),
			unnest(@refund_rule::text[]), unnest(@refund_days::int[]), unnest(@refund_fee_basis_points::int[]),
			unnest(@rate_id::uuid[]), unnest(@rate_kind::text[]), unnest(@rate_value::bigint[])`)
)

// Sale channels, as clients number them.
const (
	channelOnline = 2
	channelAgent  = 3
)

// saveOrders queues orders. Without a time of payment they await their money, and their lines keep what was agreed.
func saveOrders(tx db.Tx, priced []pricedOrder, paidAt *time.Time) []Order {
	state := "paid"
	if paidAt == nil {
		state = "awaiting"
	}
	var orders []Order
	var rows []orderRow
	var lines []lineRow
	for _, o := range priced {
		saved := Order{ID: o.id, Number: voucher.NewCode(10), State: state, Total: o.total, CreatedAt: tx.Now, PaidAt: paidAt, Lines: o.lines, Discounts: o.discounts.Reductions()}
		sums := o.totals()
		row := orderRow{
			ID: saved.ID, Number: saved.Number, Customer: o.customer, State: state, Channel: channelOnline, Total: o.total,
			Fee: sums.Fee, Commission: sums.Commission, Hash: o.hash, CreatedAt: tx.Now, PaidAt: paidAt,
		}
		if o.referral != nil {
			row.Channel, row.Agent, row.Link, row.LinkOpened = channelAgent, &o.referral.Agent, &o.referral.Link, &o.referral.At
			row.Matures, row.MatureDays = &o.referral.Rule.Matures, &o.referral.Rule.Days
		}
		orders, rows = append(orders, saved), append(rows, row)
		for i, l := range o.lines {
			terms := o.packages[i].Refunds
			line := lineRow{
				Order: o.id, Position: i, Package: l.Package, NameTH: l.NameTH, NameEN: l.NameEN, Quantity: l.Quantity, Unit: l.Unit, Amount: l.Amount,
				Rule: terms.Rule, Days: terms.Days, Fee: terms.FeeBasisPoints,
			}
			if o.rates != nil {
				line.Special, line.RateKind, line.RateValue = o.rates[i].Special, &o.rates[i].Kind, &o.rates[i].Value
			}
			if paidAt == nil {
				sums := o.lineSums[i]
				line.Contents = &lineContents{Share: sums.Share, Fee: sums.Fee, Commission: sums.Commission, Discount: sums.Discount, Parts: o.packages[i].Parts}
			}
			lines = append(lines, line)
		}
	}
	// The foreign key of each line locks its row of package: in the order of package ids, as in every batch (README.md).
	slices.SortStableFunc(lines, func(a, b lineRow) int { return bytes.Compare(a.Package[:], b.Package[:]) })
	insertOrders.Queue(tx, rows)
	insertLines.Queue(tx, lines)
	saveRecruiterShares(tx, priced)
	return orders
}

// transfer returns the transfer that splits the price, out of the account from which the customer paid. What the platform pays of it comes from its fees.
func (o pricedOrder) transfer(from ledger.Account) ledger.Transfer {
	sums := o.totals()
	postings := []ledger.Posting{
		{Debit: from, Credit: ledger.SystemAccount(ledger.Unearned), Amount: sums.Share - sums.Discount},
		{Debit: from, Credit: ledger.SystemAccount(ledger.PlatformFee), Amount: sums.Fee},
		{Debit: ledger.SystemAccount(ledger.PlatformFee), Credit: ledger.SystemAccount(ledger.Unearned), Amount: sums.Discount},
	}
	for _, e := range o.earned() {
		postings = append(postings, ledger.Posting{Debit: from, Credit: commission.Pending(e.Payee), Amount: e.Amount})
	}
	return ledger.Transfer{Cause: ledger.Cause{Kind: "purchase", ID: o.id, MemoTH: o.text(false), MemoEN: o.text(true)}, Postings: postings}
}

// issueVouchers queues the vouchers and commissions of orders. It returns each order's vouchers.
func issueVouchers(tx db.Tx, priced []pricedOrder) [][]voucher.Voucher {
	var earned []commission.Earned
	var vouchers []voucher.Issuance
	ends := make([]int, len(priced))
	for i, o := range priced {
		earned = append(earned, o.earned()...)
		vouchers = append(vouchers, o.issuances(tx)...)
		ends[i] = len(vouchers)
	}
	commission.Accrue(tx, earned)
	issued, of := voucher.Issue(tx, vouchers), make([][]voucher.Voucher, len(priced))
	begin := 0
	for i, end := range ends {
		of[i], begin = issued[begin:end:end], end
	}
	return of
}

// totals returns the sums of all lines.
func (o pricedOrder) totals() (all voucher.Sums) {
	for _, line := range o.lineSums {
		all = all.Plus(line)
	}
	return all
}

// issuances returns what an order issues. Each sum of a line is split over its vouchers by their list prices.
func (o pricedOrder) issuances(tx db.Tx) (all []voucher.Issuance) {
	for i, pkg := range o.packages {
		var line []voucher.Issuance
		var weights []int64
		for range o.lines[i].Quantity {
			for _, p := range pkg.Parts {
				for range p.Quantity {
					line = append(line, issuance(tx, o.customer, o.id, i, p))
					weights = append(weights, p.Weight)
				}
			}
		}
		for j, sums := range o.lineSums[i].Divide(weights) {
			line[j].Sums = sums
		}
		all = append(all, line...)
	}
	return all
}

func issuance(tx db.Tx, holder, order uuid.UUID, line int, p catalog.PricedPart) voucher.Issuance {
	kind := voucher.Item
	if p.Gift {
		kind = voucher.Baht
	}
	return voucher.Issuance{
		Order: order, Line: line, Template: p.Template, Version: p.Version, Kind: kind, NameTH: p.NameTH, NameEN: p.NameEN, Picture: p.Picture,
		Holder: holder, Items: p.Items, ValidUntil: voucher.ValidUntil(tx.Now, p.ValidDays, p.ValidUntil),
		TransferRule: p.TransferRule, TransferTimes: p.TransferTimes, Together: p.Together,
		ExpiryRule: p.ExpiryRule, VATPoint: p.VATPoint, ServicePoints: p.ServicePoints,
	}
}

// text returns what the wallet's holder reads: the first package, and how many more.
func (c cart) text(english bool) string {
	name, more := c.lines[0].NameTH, "และอีก %d รายการ"
	if english {
		name, more = c.lines[0].NameEN, "and %d more"
	}
	if len(c.lines) == 1 {
		return name
	}
	return name + " " + fmt.Sprintf(more, len(c.lines)-1)
}

const (
	// The type y of the card that a line l is of.
	ofCard    = `LEFT JOIN card_type_version d ON d.id = l.card_version_id LEFT JOIN card_type y ON y.id = d.card_type_id`
	orderByID = `SELECT o.id, o.number, o.state, o.total_satang, o.created_at, o.paid_at, EXISTS (SELECT FROM charge c WHERE c.id = o.id)
		FROM orders o WHERE o.id = $1 AND o.customer_id = $2`
	linesOf = `SELECT coalesce(l.package_id, y.id), l.name_th, l.name_en, coalesce(p.picture_id, y.picture_id), l.quantity, l.unit_satang, l.amount_satang, l.unit_satang * l.quantity - l.amount_satang, y.id IS NOT NULL
		FROM order_line l LEFT JOIN package p ON p.id = l.package_id ` + ofCard + ` WHERE l.order_id = $1 ORDER BY l.position`
)

func readOrder(ctx context.Context, tx db.Tx, customer, id uuid.UUID) (o Order, err error) {
	var direct bool
	tx.Queue(orderByID, id, customer).QueryRow(func(row pgx.Row) error {
		err := row.Scan(&o.ID, &o.Number, &o.State, &o.Total, &o.CreatedAt, &o.PaidAt, &direct)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNotFound
		}
		return err
	})
	tx.Queue(linesOf, id).Query(func(rows pgx.Rows) (err error) {
		o.Lines, err = pgx.CollectRows(rows, pgx.RowToStructByPos[PricedLine])
		return err
	})
	discount.OfOrder(tx, id, &o.Discounts)
	voucher.OfOrder(tx, customer, id, &o.Vouchers)
	if err := tx.Flush(ctx); err != nil {
		return o, fmt.Errorf("read order %s: %w", id, err)
	}
	if o.CreatedAt = o.CreatedAt.UTC(); o.PaidAt != nil { // as the first answer said it
		*o.PaidAt = o.PaidAt.UTC()
	}
	if direct {
		payment, err := charge.Find(ctx, tx, customer, id)
		if err != nil {
			return o, err
		}
		o.Payment = &payment
	}
	return o, nil
}

// Order returns a purchase of the customer's. It returns ErrNotFound for anybody else's.
func (s *Service) Order(ctx context.Context, who token.Session, id uuid.UUID) (o Order, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		o, err = readOrder(ctx, tx, who.Subject, id)
		return err
	})
	return o, err
}
