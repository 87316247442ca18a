package board

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/voucher"
)

// DirectPayment is the purpose of a charge that pays an offer. OfferCharges is its handler.
const DirectPayment = "offer"

// OfferCharges is called by package charge, in the transaction that captures or ends an offer's charge.
var OfferCharges = charge.Handler{Paid: onPaid, Awaits: awaits, Expired: onExpired, Returned: returnedToWallet}

// PayInput names an offer and says how its price is paid.
type PayInput struct {
	BuyInput
	charge.PaymentMethod
}

// Payment is a payment of an offer by PromptPay or card, which reserves the offer until its charge ends.
type Payment struct {
	ID       uuid.UUID     `json:"id"`
	Offer    uuid.UUID     `json:"offer_id"`
	State    string        `json:"state" enum:"open,paid,ended,stopped" doc:"ended: no money came in time. stopped: the offer ended first; what still comes goes to the wallet"`
	Charge   charge.Charge `json:"payment"`
	Number   string        `json:"number" doc:"Of the receipt; empty until it is paid"`
	Vouchers []uuid.UUID   `json:"voucher_ids" doc:"None until it is paid"`
}

const (
	reserveOffer      = `UPDATE offer SET state = 'reserved' WHERE id = $1 AND state = 'open' AND expires_at > $2`
	insertReservation = `INSERT INTO reservation (id, offer_id, buyer_id, state, created_at) VALUES ($1, $2, $3, 'open', $4)`
	endReservation    = `UPDATE reservation SET state = $2, ended_at = $3 WHERE id = $1 AND state = 'open'`
	freeOffer         = `UPDATE offer f SET state = 'open' FROM reservation w WHERE w.id = $1 AND w.state = 'open' AND f.id = w.offer_id AND f.state = 'reserved' RETURNING f.id, f.seller_id, w.buyer_id`
	reservationOf     = `SELECT offer_id, buyer_id, state FROM reservation WHERE id = $1`
	paymentOf         = `SELECT w.id, w.offer_id, w.state, coalesce(r.number, ''), array(SELECT n.voucher_id FROM voucher_event n WHERE r.id IS NOT NULL AND n.offer_id = w.offer_id AND n.event = 'sell' ORDER BY n.voucher_id)
		FROM reservation w LEFT JOIN resale r ON r.id = w.id WHERE w.id = $1 AND w.buyer_id = $2`
	returnedOf = `SELECT ((SELECT coalesce(sum(e.amount_satang), 0) FROM entry e JOIN transfer t ON t.id = e.transfer_id
		JOIN voucher_event n ON n.id = t.cause_id JOIN voucher v ON v.id = n.voucher_id
		WHERE t.kind IN ('expiry', 'taken_back') AND e.credit_id = $2 AND v.resale_id = $1)
		+ (SELECT coalesce(sum(i.share_satang + i.fee_satang + i.commission_satang - i.platform_discount_satang - i.refund_fee_satang), 0) FROM refund_item i JOIN refund f ON f.id = i.refund_id JOIN voucher v ON v.id = i.voucher_id
			WHERE v.resale_id = $1 AND f.customer_id = $3 AND NOT EXISTS (SELECT FROM remittance m WHERE m.refund_id = f.id AND m.state <> 'failed')))::bigint`
)

// Pay begins the payment of an offer past the wallet: the offer is reserved for the customer until its charge ends. It returns the faults of Buy
// but ledger.ErrInsufficient, and ErrDirectSum, ErrPayFirst, ErrWalletOnly, charge.ErrNoMethod, payment.ErrRefused (the offer is open again) or
// payment.ErrUnavailable (the same key tries again).
func (s *Service) Pay(ctx context.Context, who token.Session, key, returnTo string, in PayInput) (Payment, error) {
	if err := in.Check(); err != nil {
		return Payment{}, err
	}
	k := idempotency.Key{Actor: who.Subject, Operation: "offer.pay", Value: key}
	id, err := s.once(ctx, who, k, in.BuyInput, in, func(tx db.Tx, id uuid.UUID, f onSale, _ voucher.Lot, _ customer.Locked) error {
		return s.reserve(ctx, tx, who, id, in.Method, f)
	})
	if err != nil {
		return Payment{}, err
	}
	if err := s.charges.StartAtGateway(ctx, who.Org, id, in.PaymentMethod, returnTo); err != nil {
		return Payment{}, err
	}
	return s.Payment(ctx, who, id)
}

// reserve keeps an offer for who is about to pay it, and saves the charge that asks for its price.
func (s *Service) reserve(ctx context.Context, tx db.Tx, who token.Session, id uuid.UUID, method string, f onSale) error {
	if err := checkUnpaidLimits(ctx, tx, who.Subject); err != nil {
		return err
	}
	if f.price < charge.MinAmount || f.price > charge.MaxAmount {
		return ErrDirectSum.With(map[string]money.Amount{"least_satang": charge.MinAmount, "most_satang": charge.MaxAmount})
	}
	if tag, err := tx.Exec(ctx, reserveOffer, f.id, tx.Now); err != nil || tag.RowsAffected() == 0 {
		return fmt.Errorf("reserve offer %s, which is open: %w", f.id, errors.Join(err, ErrOver))
	}
	err := s.charges.Create(ctx, tx, charge.NewCharge{ID: id, Customer: who.Subject, Purpose: DirectPayment, Method: method, Amount: f.price})
	if err != nil {
		return err
	}
	tx.Queue(insertReservation, id, f.id, who.Subject, tx.Now)
	return f.notify(ctx, tx, reserved, f.seller, who.Subject)
}

// Payment returns a payment of the customer's. It returns ErrNotFound for anybody else's.
func (s *Service) Payment(ctx context.Context, who token.Session, id uuid.UUID) (p Payment, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		p, err = readPayment(ctx, tx, who.Subject, id)
		return err
	})
	return p, err
}

func readPayment(ctx context.Context, tx db.Tx, buyer, id uuid.UUID) (p Payment, err error) {
	err = tx.QueryRow(ctx, paymentOf, id, buyer).Scan(&p.ID, &p.Offer, &p.State, &p.Number, &p.Vouchers)
	if errors.Is(err, pgx.ErrNoRows) {
		return p, ErrNotFound
	}
	if err != nil {
		return p, fmt.Errorf("payment %s of an offer: %w", id, err)
	}
	p.Charge, err = charge.Find(ctx, tx, buyer, id)
	return p, err
}

// GiveUp ends a payment of the customer's: the offer is open again, and money that still comes goes to his wallet. It changes nothing if the payment
// has ended; its state says how. It returns ErrNotFound for anybody else's.
func (s *Service) GiveUp(ctx context.Context, who token.Session, id uuid.UUID) (p Payment, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		if p, err = readPayment(ctx, tx, who.Subject, id); err != nil {
			return err
		}
		if err := s.charges.Cancel(ctx, tx, who.Subject, id); err != nil {
			return err
		}
		p, err = readPayment(ctx, tx, who.Subject, id)
		return err
	})
	return p, err
}

// reservation is for whom an offer is reserved.
type reservation struct {
	offer, buyer uuid.UUID
	state        string
}

func readReservation(ctx context.Context, tx db.Tx, id uuid.UUID) (w reservation, err error) {
	if err := tx.QueryRow(ctx, reservationOf, id).Scan(&w.offer, &w.buyer, &w.state); err != nil {
		return w, fmt.Errorf("reservation %s: %w", id, err)
	}
	return w, nil
}

// awaits locks what is on sale and reports whether the offer is still reserved for who paid it. It is not, once it was stopped, or what it
// offers was frozen, taken back or has expired.
func awaits(ctx context.Context, tx db.Tx, id uuid.UUID) (bool, error) {
	w, err := readReservation(ctx, tx, id)
	if err != nil {
		return false, err
	}
	if _, err := voucher.LockOffered(ctx, tx, w.offer); err != nil {
		return false, err
	}
	w, err = readReservation(ctx, tx, id) // as it is under the locks
	return w.state == open, err
}

// onPaid sells an offer to whom it is reserved for: also when its days are over or the board has closed meanwhile. Its seller is not locked, because
// the charge is already; so a job pays what he owes from what he received.
func onPaid(ctx context.Context, tx db.Tx, id uuid.UUID, gateway ledger.Account) error {
	w, err := readReservation(ctx, tx, id)
	if err != nil {
		return err
	}
	lot, err := voucher.LockOffered(ctx, tx, w.offer)
	if err != nil {
		return err
	}
	f, err := readOnSale(ctx, tx, w.offer, w.buyer)
	if err != nil {
		return err
	}
	if err := f.sell(ctx, tx, lot, reserved, id, w.buyer, gateway); err != nil {
		return err
	}
	tx.Queue(endReservation, id, "paid", tx.Now)
	return queue.Enqueue(ctx, tx, charge.SettleJob{Customer: f.seller})
}

// onExpired opens an offer again whose payment ended without its money. It changes nothing if the offer has ended before.
func onExpired(ctx context.Context, tx db.Tx, id uuid.UUID) error {
	var f onSale
	var buyer uuid.UUID
	err := tx.QueryRow(ctx, freeOffer, id).Scan(&f.id, &f.seller, &buyer)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open the offer of reservation %s: %w", id, err)
	}
	tx.Queue(endReservation, id, "ended", tx.Now)
	return f.notify(ctx, tx, open, f.seller, buyer)
}

// returnedToWallet returns the sum that has come to a payer's wallet from what he bought by a payment: by expiry, and by items that were taken back.
func returnedToWallet(ctx context.Context, tx db.Tx, id, payer uuid.UUID) (sum money.Amount, err error) {
	if err := tx.QueryRow(ctx, returnedOf, id, ledger.AccountOf(ledger.Wallet, payer).ID(tx.Key), payer).Scan(&sum); err != nil {
		return 0, fmt.Errorf("what came back of resale %s: %w", id, err)
	}
	return sum, nil
}
