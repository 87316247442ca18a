package order

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/discount"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/points"
	"welovevoucher/tenants/rollup"
	"welovevoucher/tenants/voucher"
)

// DirectPayment is the purpose of a charge that pays an order. OrderCharges is its handler.
const DirectPayment = "order"

// OrderCharges is called by package charge, in the transaction that captures or ends an order's charge.
var OrderCharges = charge.Handler{Paid: onPaid, Expired: onExpired, Returned: returnedToWallet}

// PayInput confirms a quote and says how its whole sum is paid.
type PayInput struct {
	BuyInput
	charge.PaymentMethod
}

const (
	awaiting = `SELECT id FROM orders WHERE customer_id = $1 AND state = 'awaiting' ORDER BY id DESC`
	payOrder = `UPDATE orders SET state = 'paid', paid_at = $2 WHERE id = $1 AND state = 'awaiting'
		RETURNING customer_id, agent_id, matures, mature_days, total_satang`
	agreedLines = `SELECT package_id, name_th, name_en, quantity, unit_satang, amount_satang, contents FROM order_line WHERE order_id = $1 ORDER BY position`
	expireOrder = `UPDATE orders SET state = 'expired', expired_at = $2 WHERE id = $1 AND state = 'awaiting' RETURNING id`
	returnedOf  = `SELECT ((SELECT coalesce(sum(e.amount_satang), 0) FROM entry e JOIN transfer t ON t.id = e.transfer_id
		JOIN voucher_event n ON n.id = t.cause_id JOIN voucher v ON v.id = n.voucher_id
		WHERE t.kind IN ('expiry', 'taken_back') AND e.credit_id = $2 AND v.order_id = $1)
		+ (SELECT coalesce(sum(i.share_satang + i.fee_satang + i.commission_satang - i.platform_discount_satang - i.refund_fee_satang), 0) FROM refund_item i JOIN refund f ON f.id = i.refund_id JOIN voucher v ON v.id = i.voucher_id
			WHERE v.order_id = $1 AND f.customer_id = $3 AND NOT EXISTS (SELECT FROM remittance m WHERE m.refund_id = f.id AND m.state <> 'failed')))::bigint`
	orderLines = `SELECT package_id, quantity FROM order_line WHERE order_id = $1 ORDER BY package_id`
)

// Pay makes an order that waits ten minutes for its whole price, by PromptPay or card, past the wallet. Stock is taken at once,
// vouchers are issued when the money is in. It returns the faults of Buy but ledger.ErrInsufficient and fault.Unready, catalog.ErrNotOnSale
// also if a voucher's last day could end while its money is awaited, and ErrNothingToPay, ErrDirectSum, ErrPayFirst, ErrTooManyReserved, ErrWalletOnly, charge.ErrNoMethod,
// payment.ErrRefused (the order is over) or payment.ErrUnavailable (the same key tries again).
func (s *Service) Pay(ctx context.Context, who token.Session, key, returnTo string, in PayInput) (Order, error) {
	if err := in.Check(); err != nil {
		return Order{}, err
	}
	if err := checkLines(in.Lines, in.Codes); err != nil {
		return Order{}, err
	}
	organisation, err := s.orgs.ByID(ctx, who.Org)
	if err != nil {
		return Order{}, err
	}

	var batch *purchaseBatch
	requests := []request{{who, in.BuyInput}}
	id, err := idempotency.Once(ctx, s.db, who.Org, idempotency.Key{Actor: who.Subject, Operation: "order.pay", Value: key}, in,
		func(tx db.Tx) { batch = s.newPurchaseBatch(tx, organisation, requests) },
		func(tx db.Tx, id uuid.UUID) error {
			if err := batch.load(ctx, tx, requests); err != nil {
				return err
			}
			return s.createOrder(ctx, tx, batch, requests[0], id, in.PaymentMethod)
		})
	if err != nil {
		return Order{}, err
	}
	if err := s.charges.StartAtGateway(ctx, who.Org, id, in.PaymentMethod, returnTo); err != nil {
		return Order{}, err
	}
	return s.Order(ctx, who, id)
}

// createOrder saves an order that waits for its money, and the charge that asks for it.
func (s *Service) createOrder(ctx context.Context, tx db.Tx, batch *purchaseBatch, of request, id uuid.UUID, method charge.PaymentMethod) error {
	o, err := batch.validate(of, id)
	if err != nil {
		return err
	}
	switch {
	case o.total == 0:
		return ErrNothingToPay
	case o.total < charge.MinAmount || o.total > charge.MaxAmount:
		return ErrDirectSum.With(map[string]money.Amount{"least_satang": charge.MinAmount, "most_satang": charge.MaxAmount})
	}
	for _, pkg := range o.packages { // the money may come in the last of its ten minutes
		if !pkg.Lasts(tx.Now.Add(charge.Lifetime)) {
			return catalog.ErrNotOnSale.With(map[string]uuid.UUID{"package_id": pkg.ID})
		}
	}
	if err := o.checkUnpaidLimits(ctx, tx, o.customer); err != nil {
		return err
	}

	if err := batch.inStock(o); err != nil {
		return err
	}
	batch.reserve(o)
	saveOrders(tx, []pricedOrder{o}, nil)
	batch.save(tx)
	bill := charge.NewCharge{ID: id, Customer: o.customer, Purpose: DirectPayment, Method: method.Method, Amount: o.total}
	return s.charges.Create(ctx, tx, bill)
}

// ListAwaiting lists the customer's orders that wait for their money, newest first.
func (s *Service) ListAwaiting(ctx context.Context, who token.Session) (orders []Order, err error) {
	orders = []Order{}
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, awaiting, who.Subject)
		if err != nil {
			return fmt.Errorf("orders of %s that wait: %w", who.Subject, err)
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil {
			return fmt.Errorf("orders of %s that wait: %w", who.Subject, err)
		}
		for _, id := range ids {
			o, err := readOrder(ctx, tx, who.Subject, id)
			if err != nil {
				return err
			}
			orders = append(orders, o)
		}
		return nil
	})
	return orders, err
}

// Cancel gives up an order that waits for its money; its stock is free at once. Money that still comes goes to the wallet.
// Cancelling what is paid or over already changes nothing and says how it ended. It returns ErrNotFound for anybody
// else's.
func (s *Service) Cancel(ctx context.Context, who token.Session, id uuid.UUID) (o Order, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		if o, err = readOrder(ctx, tx, who.Subject, id); err != nil || o.Payment == nil {
			return err
		}
		if err := s.charges.Cancel(ctx, tx, who.Subject, id); err != nil {
			return err
		}
		o, err = readOrder(ctx, tx, who.Subject, id)
		return err
	})
	return o, err
}

// lineContents has the parts and the split of the price that a waiting order's line was made with, because the catalogue may change
// before it is paid. It is stored as JSON.
type lineContents struct {
	Share      money.Amount         `json:"seller_satang"`
	Fee        money.Amount         `json:"fee_satang"`
	Commission money.Amount         `json:"commission_satang"`
	Discount   money.Amount         `json:"discount_satang,omitempty"` // what the platform pays
	Parts      []catalog.PricedPart `json:"parts"`
}

// onPaid makes a waiting order a purchase, by the contents that its lines were saved with.
func onPaid(ctx context.Context, tx db.Tx, id uuid.UUID, gateway ledger.Account) error {
	o := pricedOrder{id: id}
	var agentID *uuid.UUID
	var matures *string
	var days *int
	err := tx.QueryRow(ctx, payOrder, id, tx.Now).Scan(&o.customer, &agentID, &matures, &days, &o.total)
	if err != nil {
		return fmt.Errorf("pay order %s: %w", id, err)
	}
	if agentID != nil {
		o.referral = &agent.Referral{Agent: *agentID, Rule: commission.Rule{Matures: *matures, Days: *days}}
	}

	rows, err := tx.Query(ctx, agreedLines, id)
	if err != nil {
		return fmt.Errorf("what was agreed in order %s: %w", id, err)
	}
	defer rows.Close()
	for rows.Next() {
		var l PricedLine
		var a lineContents
		if err := rows.Scan(&l.Package, &l.NameTH, &l.NameEN, &l.Quantity, &l.Unit, &l.Amount, &a); err != nil {
			return fmt.Errorf("what was agreed in order %s: %w", id, err)
		}
		o.lines = append(o.lines, l)
		o.packages = append(o.packages, catalog.PricedPackage{ID: l.Package, Parts: a.Parts})
		o.lineSums = append(o.lineSums, voucher.Sums{Share: a.Share, Fee: a.Fee, Commission: a.Commission, Discount: a.Discount})
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("what was agreed in order %s: %w", id, err)
	}
	if o, err = o.withRecruiterShares(ctx, tx); err != nil {
		return err
	}
	if err := ledger.Post(tx, o.transfer(gateway)); err != nil {
		return err
	}
	issueVouchers(tx, []pricedOrder{o})
	points.Freeze(tx, id)
	return rollup.Enqueue(ctx, tx, rollup.Facts{Orders: []uuid.UUID{id}})
}

// onExpired ends a waiting order without its money and gives the stock back, in the order of packages as buyers take it, then its discounts.
func onExpired(ctx context.Context, tx db.Tx, id uuid.UUID) error {
	if err := tx.QueryRow(ctx, expireOrder, id, tx.Now).Scan(&id); err != nil {
		return fmt.Errorf("end order %s: %w", id, err)
	}
	rows, err := tx.Query(ctx, orderLines, id)
	if err != nil {
		return fmt.Errorf("lines of order %s: %w", id, err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Line])
	if err != nil {
		return fmt.Errorf("lines of order %s: %w", id, err)
	}
	for _, l := range lines {
		if err := catalog.GiveBack(ctx, tx, l.Package, l.Quantity); err != nil {
			return err
		}
	}
	return discount.Free(ctx, tx, id)
}

// returnedToWallet returns the sum of an order that has come back to its payer's wallet: by expiry, and by items that were taken back, as far as they
// were worth more than the debt.
func returnedToWallet(ctx context.Context, tx db.Tx, order, payer uuid.UUID) (sum money.Amount, err error) {
	if err := tx.QueryRow(ctx, returnedOf, order, ledger.AccountOf(ledger.Wallet, payer).ID(tx.Key), payer).Scan(&sum); err != nil {
		return 0, fmt.Errorf("what came back of order %s: %w", order, err)
	}
	return sum, nil
}
