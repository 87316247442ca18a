package market

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
	"welovevoucher/tenants/customer"
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
// quote, ErrLimit, or the faults of consent.Accept.
func (s *Service) Buy(ctx context.Context, who token.Session, key string, in BuyInput) (Order, error) {
	seller, err := s.orgs.ByID(ctx, who.Org)
	if err != nil {
		return Order{}, err
	}

	var order Order
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		id, replay, err := idem.Claim(ctx, tx, idem.Key{Actor: who.Subject, Operation: "order.confirm", Value: key}, in, db.NewID())
		if err != nil {
			return err
		}
		if !replay {
			if err := buy(ctx, tx, who, id, seller.FeeBasisPoints, in); err != nil {
				return err
			}
		}
		order, err = readOrder(ctx, tx, who.Subject, id)
		return err
	})
	return order, err
}

const (
	insertOrder = `INSERT INTO orders (id, number, customer_id, state, sale_channel, agent_id, link_id, total_satang,
		platform_fee_satang, commission_satang, quote_hash, paid_at) VALUES ($1, $2, $3, 'paid', $4, $5, $6, $7, $8, $9, $10, $11)`
	insertLine = `INSERT INTO order_line (order_id, position, package_id, name_th, name_en, quantity, unit_satang, amount_satang)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
	boughtBefore = `SELECT coalesce(sum(l.quantity), 0) FROM order_line l JOIN orders o ON o.id = l.order_id
		WHERE o.customer_id = $1 AND l.package_id = $2 AND o.state <> 'refunded' AND o.id <> $3`
)

// Sale channels of specification section 9.
const (
	channelOnline = 2
	channelAgent  = 3
)

// buy writes a purchase. The customer is locked first, so that his purchases come one after another and his limits hold,
// also of what costs nothing and touches no wallet; the stock is taken last, so that other buyers wait for it as briefly as possible.
func buy(ctx context.Context, tx db.Tx, who token.Session, id uuid.UUID, feeBasisPoints int64, in BuyInput) error {
	if err := customer.Admit(ctx, tx, who.Subject); err != nil {
		return err
	}
	cart, err := price(ctx, tx, in.Lines)
	if err != nil {
		return err
	}
	if cart.hash != in.Hash {
		return ErrQuoteChanged
	}
	err = consent.Accept(ctx, tx, "customer", consent.ForPurchase, consent.Accepted{
		Customer: who.Subject, Versions: in.Accepted, Lang: in.Lang, Channel: "order.confirm", Address: who.Address,
	})
	if err != nil {
		return err
	}
	owed, err := agent.SellerOf(ctx, tx, who.Subject)
	if err != nil {
		return err
	}

	sums := cart.divide(feeBasisPoints, owed)
	if err := pay(ctx, tx, who.Subject, id, cart, sums, owed); err != nil {
		return err
	}
	if err := cart.checkLimits(ctx, tx, who.Subject, id); err != nil {
		return err
	}
	if err := writeOrder(ctx, tx, who.Subject, id, in.Hash, cart, sums, owed); err != nil {
		return err
	}
	if _, err := voucher.Issue(ctx, tx, cart.vouchers(tx, who.Subject, id, sums)); err != nil {
		return err
	}
	if err := tellWallet(ctx, tx, who.Subject); err != nil {
		return err
	}
	return cart.takeStock(ctx, tx)
}

func pay(ctx context.Context, tx db.Tx, customer, order uuid.UUID, cart cart, sums division, owed *agent.Seller) error {
	from := wallet.Of(wallet.Wallet, customer)
	postings := []wallet.Posting{
		{Debit: from, Credit: wallet.House(wallet.Unearned), Amount: cart.total - sums.fee - sums.commission},
		{Debit: from, Credit: wallet.House(wallet.PlatformFee), Amount: sums.fee},
	}
	if owed != nil {
		postings = append(postings, wallet.Posting{Debit: from, Credit: agent.Account(owed.Agent), Amount: sums.commission})
	}
	cause := wallet.Cause{Kind: "purchase", ID: order, MemoTH: cart.memo(false), MemoEN: cart.memo(true)}
	return wallet.Transfer(ctx, tx, cause, postings...)
}

func writeOrder(ctx context.Context, tx db.Tx, customer, id uuid.UUID, quote string, cart cart, sums division, owed *agent.Seller) error {
	channel, agentID, linkID := channelOnline, (*uuid.UUID)(nil), (*uuid.UUID)(nil)
	if owed != nil {
		channel, agentID, linkID = channelAgent, &owed.Agent, &owed.Link
	}
	_, err := tx.Exec(ctx, insertOrder, id, voucher.Code(10), customer, channel, agentID, linkID, cart.total, sums.fee, sums.commission,
		quote, tx.Now)
	if err != nil {
		return fmt.Errorf("write order %s: %w", id, err)
	}
	var batch pgx.Batch
	for i, l := range cart.lines {
		batch.Queue(insertLine, id, i, l.Package, l.NameTH, l.NameEN, l.Quantity, l.Unit, l.Amount)
	}
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return fmt.Errorf("write lines of order %s: %w", id, err)
	}
	if owed == nil {
		return nil
	}
	return agent.Accrue(ctx, tx, id, *owed, sums.commission)
}

func tellWallet(ctx context.Context, tx db.Tx, customer uuid.UUID) error {
	balance, err := wallet.Balance(ctx, tx, customer)
	if err != nil {
		return err
	}
	return notice.Send(ctx, tx, token.User, customer, notice.Print{Topic: "wallet", Balance: &balance})
}

// cart is what is bought, with everything needed to charge and to issue it.
type cart struct {
	lines  []QuotedLine
	offers []catalog.Offer
	total  money.Amount
	hash   string
}

// price reads every line's offer as it is now. A package may stand in one line only, and no order exceeds money.Max.
func price(ctx context.Context, tx db.Tx, lines []Line) (c cart, err error) {
	for i, l := range lines {
		if slices.ContainsFunc(lines[:i], func(other Line) bool { return other.Package == l.Package }) {
			return c, fault.At(fmt.Sprintf("lines.%d.package_id", i), fault.Duplicate)
		}
		offer, err := catalog.ForOrder(ctx, tx, l.Package)
		if err != nil {
			return c, err
		}
		amount := offer.Price * money.Amount(l.Quantity)
		c.lines = append(c.lines, QuotedLine{
			Package: l.Package, NameTH: offer.NameTH, NameEN: offer.NameEN, Picture: offer.Picture,
			Quantity: l.Quantity, Unit: offer.Price, Amount: amount,
		})
		c.offers = append(c.offers, offer)
		if c.total += amount; c.total > money.Max {
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
		Order: order, Line: line, Template: p.Template, Kind: kind, NameTH: p.NameTH, NameEN: p.NameEN, Picture: p.Picture,
		Owner: owner, Items: p.Items, ValidUntil: voucher.ValidUntil(tx.Now, p.ValidDays, p.ValidUntil),
		TransferRule: p.TransferRule, TransferTimes: p.TransferTimes, Together: p.Together,
		ExpiryRule: p.ExpiryRule, VATPoint: p.VATPoint,
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
func (c cart) takeStock(ctx context.Context, tx db.Tx) error {
	lines := slices.Clone(c.lines)
	slices.SortFunc(lines, func(a, b QuotedLine) int { return slices.Compare(a.Package[:], b.Package[:]) })
	for _, l := range lines {
		if err := catalog.Take(ctx, tx, l.Package, l.Quantity); err != nil {
			return err
		}
	}
	return nil
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
	orderByID = `SELECT id, number, state, total_satang, paid_at FROM orders WHERE id = $1 AND customer_id = $2`
	linesOf   = `SELECT l.package_id, l.name_th, l.name_en, p.picture_id, l.quantity, l.unit_satang, l.amount_satang
		FROM order_line l JOIN package p ON p.id = l.package_id WHERE l.order_id = $1 ORDER BY l.position`
)

func readOrder(ctx context.Context, tx db.Tx, customer, id uuid.UUID) (o Order, err error) {
	err = tx.QueryRow(ctx, orderByID, id, customer).Scan(&o.ID, &o.Number, &o.State, &o.Total, &o.PaidAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return o, ErrOrderMissing
	}
	if err != nil {
		return o, fmt.Errorf("read order %s: %w", id, err)
	}
	rows, err := tx.Query(ctx, linesOf, id)
	if err != nil {
		return o, fmt.Errorf("lines of order %s: %w", id, err)
	}
	if o.Lines, err = pgx.CollectRows(rows, pgx.RowToStructByPos[QuotedLine]); err != nil {
		return o, fmt.Errorf("lines of order %s: %w", id, err)
	}
	o.Vouchers, err = voucher.OfOrder(ctx, tx, customer, id)
	return o, err
}

// Order returns a purchase of the customer's. It returns ErrOrderMissing for anybody else's.
func (s *Service) Order(ctx context.Context, who token.Session, id uuid.UUID) (o Order, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		o, err = readOrder(ctx, tx, who.Subject, id)
		return err
	})
	return o, err
}
