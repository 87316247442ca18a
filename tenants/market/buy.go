package market

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idem"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
)

// BuyInput confirms a quote.
type BuyInput struct {
	Lines    []Line      `json:"lines" minItems:"1" maxItems:"30"`
	Hash     string      `json:"hash" minLength:"1" maxLength:"64" doc:"Of the quote the customer saw"`
	Accepted []uuid.UUID `json:"accepted" maxItems:"20" doc:"Consent versions he ticked"`
	Lang     string      `json:"lang" enum:"th,en" doc:"The language he read them in"`
}

// Quote prices a cart. It returns catalog.ErrPackageNotFound or catalog.ErrNotOnSale.
func (s *Service) Quote(ctx context.Context, who token.Session, in QuoteInput) (q Quote, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		cart, err := price(ctx, tx, in.Lines)
		if err != nil {
			return err
		}
		if q.Balance, err = wallet.Balance(ctx, tx, who.Subject); err != nil {
			return err
		}
		if q.Consents, err = consent.Open(ctx, tx, "customer", consent.ForPurchase, who.Subject); err != nil {
			return err
		}
		q.Hash, q.Lines, q.Total = cart.hash, cart.lines, cart.total
		q.Missing = max(0, q.Total-q.Balance)
		q.TopUp, q.TopUpMinimum = offerTopUp(q.Missing)
		return nil
	})
	return q, err
}

// Buy pays for a quote from the customer's wallet and issues its vouchers: all of it, or none. It returns
// wallet.ErrInsufficient, catalog.ErrSoldOut, catalog.ErrNotOnSale, ErrQuoteChanged when the price moved since the
// quote, ErrLimit, or the faults of consent.Admit and consent.Accept.
func (s *Service) Buy(ctx context.Context, who token.Session, key string, in BuyInput) (Order, error) {
	seller, err := s.orgs.ByID(ctx, who.Org)
	if err != nil {
		return Order{}, err
	}

	var order Order
	err = idem.Once(ctx, s.db, who.Org, idem.Key{Actor: who.Subject, Operation: "order.confirm", Value: key}, in,
		func(tx db.Tx, id uuid.UUID) (err error) {
			order, err = buy(ctx, tx, who, id, seller.FeeBasisPoints, in)
			return err
		},
		func(tx db.Tx, id uuid.UUID) (err error) {
			order, err = readOrder(ctx, tx, who.Subject, id)
			return err
		})
	return order, err
}

const (
	insertOrder = `INSERT INTO orders (id, number, customer_id, state, sale_channel, agent_id, link_id, total_satang,
		platform_fee_satang, commission_satang, quote_hash, created_at, paid_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`
	insertLine = `INSERT INTO order_line (order_id, position, package_id, name_th, name_en, quantity, unit_satang, amount_satang, agreed)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
	boughtBefore = `SELECT coalesce(sum(l.quantity), 0) FROM order_line l JOIN orders o ON o.id = l.order_id
		WHERE o.customer_id = $1 AND l.package_id = $2 AND o.state NOT IN ('refunded', 'expired') AND o.id <> $3`
)

// Sale channels of specification section 9.
const (
	channelOnline = 2
	channelAgent  = 3
)

// deal is what a customer and the organisation have agreed on: a cart, how its price is shared out, and who is owed.
type deal struct {
	cart
	id, customer uuid.UUID
	sums         division
	owed         *agent.Seller
}

// agree checks everything that does not depend on how the customer pays. He is locked first, so that his purchases come
// one after another and his limits hold, also of what costs nothing and touches no wallet.
func agree(ctx context.Context, tx db.Tx, who token.Session, id uuid.UUID, feeBasisPoints int64, in BuyInput) (d deal, err error) {
	texts := consent.AdmitTo(tx, who, consent.ForPurchase)
	d = deal{id: id, customer: who.Subject}
	agent.SellerOf(tx, who.Subject, &d.owed)
	if d.cart, err = price(ctx, tx, in.Lines); err != nil {
		return d, err
	}
	if d.hash != in.Hash {
		return d, ErrQuoteChanged
	}
	err = texts.Accept(tx, consent.Accepted{
		Customer: who.Subject, Versions: in.Accepted, Lang: in.Lang, Channel: "order.confirm", Address: who.Address,
	})
	if err != nil {
		return d, err
	}
	d.sums = d.divide(feeBasisPoints, d.owed)
	return d, d.checkLimits(ctx, tx, who.Subject, id)
}

// buy writes a purchase from the wallet in one round trip, and answers from what it wrote. The stock is taken last, so that
// other buyers wait for it as briefly as possible.
func buy(ctx context.Context, tx db.Tx, who token.Session, id uuid.UUID, feeBasisPoints int64, in BuyInput) (Order, error) {
	d, err := agree(ctx, tx, who, id, feeBasisPoints, in)
	if err != nil {
		return Order{}, err
	}
	order := d.write(tx, &tx.Now)
	if order.Vouchers, err = d.settle(tx, wallet.Of(wallet.Wallet, who.Subject)); err != nil {
		return Order{}, err
	}
	if err := notice.Send(ctx, tx, token.User, who.Subject, notice.Print{Topic: "wallet"}); err != nil {
		return Order{}, err
	}
	d.takeStock(tx)
	return order, nil
}

// settle shares the price out, from where the customer paid it, and issues what he paid for.
func (d deal) settle(tx db.Tx, from wallet.Account) ([]voucher.Voucher, error) {
	postings := []wallet.Posting{
		{Debit: from, Credit: wallet.House(wallet.Unearned), Amount: d.total - d.sums.fee - d.sums.commission},
		{Debit: from, Credit: wallet.House(wallet.PlatformFee), Amount: d.sums.fee},
	}
	if d.owed != nil {
		postings = append(postings, wallet.Posting{Debit: from, Credit: agent.Account(d.owed.Agent), Amount: d.sums.commission})
	}
	cause := wallet.Cause{Kind: "purchase", ID: d.id, MemoTH: d.memo(false), MemoEN: d.memo(true)}
	if err := wallet.Transfer(tx, cause, postings...); err != nil {
		return nil, err
	}
	if d.owed != nil {
		agent.Accrue(tx, d.id, *d.owed, d.sums.commission)
	}
	return voucher.Issue(tx, d.vouchers(tx, d.customer, d.id, d.sums)), nil
}

// write keeps the order; without a time of payment it waits for its money, and its lines keep what was agreed.
func (d deal) write(tx db.Tx, paidAt *time.Time) Order {
	o := Order{ID: d.id, Number: voucher.Code(10), State: "paid", Total: d.total, CreatedAt: tx.Now, PaidAt: paidAt, Lines: d.lines}
	if paidAt == nil {
		o.State = "awaiting"
	}
	channel, agentID, linkID := channelOnline, (*uuid.UUID)(nil), (*uuid.UUID)(nil)
	if d.owed != nil {
		channel, agentID, linkID = channelAgent, &d.owed.Agent, &d.owed.Link
	}
	tx.Later(insertOrder, o.ID, o.Number, d.customer, o.State, channel, agentID, linkID, o.Total, d.sums.fee, d.sums.commission,
		d.hash, o.CreatedAt, o.PaidAt)
	for i, l := range d.lines {
		var kept *agreed
		if paidAt == nil {
			kept = &agreed{Seller: d.sums.seller[i], Parts: d.offers[i].Parts}
		}
		tx.Later(insertLine, d.id, i, l.Package, l.NameTH, l.NameEN, l.Quantity, l.Unit, l.Amount, kept)
	}
	return o
}

// cart is what is bought, with everything needed to charge and to issue it.
type cart struct {
	lines  []QuotedLine
	offers []catalog.Offer
	total  money.Amount
	hash   string
}

// price reads every line's offer as it is now. A package may stand in one line only, and no order exceeds money.Max or
// catalog.MostVouchers.
func price(ctx context.Context, tx db.Tx, lines []Line) (c cart, err error) {
	offers := make([]*catalog.Offer, len(lines))
	for i, l := range lines {
		if slices.ContainsFunc(lines[:i], func(other Line) bool { return other.Package == l.Package }) {
			return c, fault.At(fmt.Sprintf("lines.%d.package_id", i), fault.Duplicate)
		}
		offers[i] = catalog.ForOrder(tx, l.Package)
	}
	if err := tx.Flush(ctx); err != nil {
		return c, err
	}
	vouchers := 0
	for i, l := range lines {
		offer := *offers[i]
		amount := offer.Price * money.Amount(l.Quantity)
		c.lines = append(c.lines, QuotedLine{
			Package: l.Package, NameTH: offer.NameTH, NameEN: offer.NameEN, Picture: offer.Picture,
			Quantity: l.Quantity, Unit: offer.Price, Amount: amount,
		})
		c.offers = append(c.offers, offer)
		vouchers += l.Quantity * offer.Vouchers()
		if c.total += amount; c.total > money.Max || vouchers > catalog.MostVouchers {
			return c, fault.At("lines", fault.TooBig)
		}
	}
	c.hash, err = hash(c.lines, c.offers, c.total)
	return c, err
}

// division is how a purchase is shared out; seller[i] is what remains of line i for the organisation.
type division struct {
	fee, commission money.Amount
	seller          []money.Amount
}

// divide rounds once, at the line.
func (c cart) divide(feeBasisPoints int64, owed *agent.Seller) (d division) {
	for _, l := range c.lines {
		fee, commission := l.Amount.Percent(feeBasisPoints), money.Amount(0)
		if owed != nil {
			commission = min(l.Amount.Percent(owed.BasisPoints), l.Amount-fee)
		}
		d.fee, d.commission = d.fee+fee, d.commission+commission
		d.seller = append(d.seller, l.Amount-fee-commission)
	}
	return d
}

// vouchers are what the cart issues. The seller's part of a line is spread over its vouchers by their list prices.
func (c cart) vouchers(tx db.Tx, owner, order uuid.UUID, sums division) (issue []voucher.Issuance) {
	for i, offer := range c.offers {
		var line []voucher.Issuance
		var weights []int64
		for range c.lines[i].Quantity {
			for _, p := range offer.Parts {
				for range p.Quantity {
					line = append(line, issuance(tx, owner, order, i, p))
					weights = append(weights, p.Weight)
				}
			}
		}
		for j, share := range sums.seller[i].Split(weights...) {
			line[j].Share = share
		}
		issue = append(issue, line...)
	}
	return issue
}

func issuance(tx db.Tx, owner, order uuid.UUID, line int, p catalog.Part) voucher.Issuance {
	kind := voucher.Item
	if p.Gift {
		kind = voucher.Baht
	}
	return voucher.Issuance{
		Order: order, Line: line, Template: p.Template, Version: p.Version, Kind: kind, NameTH: p.NameTH, NameEN: p.NameEN, Picture: p.Picture,
		Owner: owner, Items: p.Items, ValidUntil: voucher.ValidUntil(tx.Now, p.ValidDays, p.ValidUntil),
		TransferRule: p.TransferRule, TransferTimes: p.TransferTimes, Together: p.Together,
		ExpiryRule: p.ExpiryRule, VATPoint: p.VATPoint, Places: p.Places,
	}
}

func (c cart) checkLimits(ctx context.Context, tx db.Tx, customer, order uuid.UUID) error {
	for i, offer := range c.offers {
		if offer.PerCustomer == nil {
			continue
		}
		var before int
		if err := tx.QueryRow(ctx, boughtBefore, customer, offer.ID, order).Scan(&before); err != nil {
			return fmt.Errorf("what %s bought of %s: %w", customer, offer.ID, err)
		}
		if before+c.lines[i].Quantity > *offer.PerCustomer {
			return ErrLimit.With(map[string]any{"package_id": offer.ID, "limit": *offer.PerCustomer, "bought": before})
		}
	}
	return nil
}

// takeStock locks packages in the order of their ids, so that two carts never wait for each other.
func (c cart) takeStock(tx db.Tx) {
	lines := slices.Clone(c.lines)
	slices.SortFunc(lines, func(a, b QuotedLine) int { return slices.Compare(a.Package[:], b.Package[:]) })
	for _, l := range lines {
		catalog.Take(tx, l.Package, l.Quantity)
	}
}

// memo is what the wallet's owner reads: the first package, and how many more.
func (c cart) memo(english bool) string {
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
	orderByID = `SELECT o.id, o.number, o.state, o.total_satang, o.created_at, o.paid_at, EXISTS (SELECT FROM charge c WHERE c.id = o.id)
		FROM orders o WHERE o.id = $1 AND o.customer_id = $2`
	linesOf = `SELECT l.package_id, l.name_th, l.name_en, p.picture_id, l.quantity, l.unit_satang, l.amount_satang
		FROM order_line l JOIN package p ON p.id = l.package_id WHERE l.order_id = $1 ORDER BY l.position`
)

func readOrder(ctx context.Context, tx db.Tx, customer, id uuid.UUID) (o Order, err error) {
	var direct bool
	tx.Later(orderByID, id, customer).QueryRow(func(row pgx.Row) error {
		err := row.Scan(&o.ID, &o.Number, &o.State, &o.Total, &o.CreatedAt, &o.PaidAt, &direct)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrOrderMissing
		}
		return err
	})
	tx.Later(linesOf, id).Query(func(rows pgx.Rows) (err error) {
		o.Lines, err = pgx.CollectRows(rows, pgx.RowToStructByPos[QuotedLine])
		return err
	})
	voucher.OfOrder(tx, customer, id, &o.Vouchers)
	if err := tx.Flush(ctx); err != nil {
		return o, fmt.Errorf("read order %s: %w", id, err)
	}
	if o.CreatedAt = o.CreatedAt.UTC(); o.PaidAt != nil { // as the first answer said it
		*o.PaidAt = o.PaidAt.UTC()
	}
	if direct {
		payment, err := wallet.ReadCharge(ctx, tx, customer, id)
		if err != nil {
			return o, err
		}
		o.Payment = &payment
	}
	return o, nil
}

// Order returns a purchase of the customer's. It returns ErrOrderMissing for anybody else's.
func (s *Service) Order(ctx context.Context, who token.Session, id uuid.UUID) (o Order, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		o, err = readOrder(ctx, tx, who.Subject, id)
		return err
	})
	return o, err
}
