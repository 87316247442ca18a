package board

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/gate"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/voucher"
)

const (
	insertOffer = `INSERT INTO offer (id, seller_id, state, price_satang, royalty_satang, fee_satang, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
	sellerNow   = `SELECT mobile_verified_at IS NOT NULL, (SELECT count(*) FROM offer f WHERE f.seller_id = c.id AND f.state IN ('open', 'reserved') AND f.expires_at > $2) FROM customer c WHERE c.id = $1`
	soldBy      = `SELECT expires_at FROM offer WHERE id = $1 AND seller_id = $2`

	// The newest payment by card that may have paid for a voucher: its order's or its resale's own, or a top-up, before it was bought from the wallet, of who
	// bought it from the organisation or on the board.
	paidByCard = `SELECT greatest(
			(SELECT c.captured_at FROM charge c WHERE c.id = d.id AND c.method = 'card' AND c.captured_at > $2),
			(SELECT max(c.captured_at) FROM charge c WHERE d.id IS NULL AND c.customer_id = coalesce(r.buyer_id, o.customer_id) AND c.state = 'captured' AND c.credited
				AND c.method = 'card' AND c.captured_at > $2 AND c.captured_at <= coalesce(r.sold_at, o.paid_at)))
		FROM voucher v JOIN orders o ON o.id = v.order_id LEFT JOIN resale r ON r.id = v.resale_id
		LEFT JOIN charge d ON d.id = coalesce(r.id, o.id) AND d.state = 'captured' AND NOT d.credited WHERE v.id = $1`
	capOf = `SELECT coalesce(t.resale_cap_percent, g.resale_cap_percent, $2) FROM voucher v LEFT JOIN voucher_type t ON t.id = v.template_id
		LEFT JOIN gift_voucher g ON g.id = v.template_id WHERE v.id = $1`
	stillSold = `SELECT EXISTS (SELECT FROM voucher v JOIN order_line l ON l.order_id = v.order_id AND l.position = v.line_position JOIN package p ON p.id = l.package_id
		LEFT JOIN stock s ON s.package_id = p.id WHERE v.id = $1 AND p.status = 5 AND (p.sale_to IS NULL OR p.sale_to > $2) AND (s.quantity IS NULL OR s.sold < s.quantity))`
)

// Check returns the terms on which a customer may offer a part of what he holds, or why he may not: ErrClosed, ErrPhoneFirst, ErrTooMany, ErrTooEarly,
// ErrTooLate, ErrNotSoldOut, gate.ErrRequired, customer.ErrDebt, the faults of consent.Requirements.Check, voucher.LockLot and voucher.Lot.Check.
func (s *Service) Check(ctx context.Context, who token.Session, in Part) (t Terms, err error) {
	organisation, err := s.orgs.ByID(ctx, who.Org)
	if err != nil {
		return Terms{}, err
	}
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		required := consent.LockRequirements(tx, consent.ForSignIn, who)
		asked := gate.Queue(tx, organisation, who.Subject)
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		t, _, err = terms(ctx, tx, who, organisation, required, asked, in)
		return err
	})
	return t, err
}

// Offer puts a part of what a customer holds, and what goes along with it, on the board. It returns the faults of Check, ErrPrice and
// idempotency.ErrReused.
func (s *Service) Offer(ctx context.Context, who token.Session, key string, in Input) (Detail, error) {
	organisation, err := s.orgs.ByID(ctx, who.Org)
	if err != nil {
		return Detail{}, err
	}
	var required *consent.Requirements
	var asked gate.Checked
	id, err := idempotency.Once(ctx, s.db, who.Org, idempotency.Key{Actor: who.Subject, Operation: "offer.make", Value: key}, in,
		func(tx db.Tx) {
			required = consent.LockRequirements(tx, consent.ForSignIn, who)
			asked = gate.Queue(tx, organisation, who.Subject)
		},
		func(tx db.Tx, id uuid.UUID) error {
			t, lot, err := terms(ctx, tx, who, organisation, required, asked, in.Part)
			if err != nil {
				return err
			}
			if in.Price < t.Least || in.Price > t.Most {
				return ErrPrice.With(Price{t.Least, t.Most})
			}
			split := t.split(in.Price)
			tx.Queue(insertOffer, id, who.Subject, open, in.Price, split.Royalty, split.Fee, tx.Now, t.ExpiresAt)
			lot.Offer(tx, id, in.Items)
			return notice.Send(ctx, tx, token.User, who.Subject, notice.Event{Topic: "offer", ID: &id, State: open})
		})
	if err != nil {
		return Detail{}, err
	}
	return s.Detail(ctx, who, id)
}

// terms locks what a customer wants to offer, who is locked already.
func terms(ctx context.Context, tx db.Tx, who token.Session, organisation org.Org, required *consent.Requirements, asked gate.Checked, in Part) (t Terms, lot voucher.Lot, err error) {
	if err := required.Check(who.Subject); err != nil {
		return t, nil, err
	}
	if err := asked.Check(who.Subject); err != nil {
		return t, nil, err
	}
	if debt := required.Debt(who.Subject); debt > 0 {
		return t, nil, customer.ErrDebt.With(customer.Debt{Amount: debt})
	}
	setting, err := HoldSetting(ctx, tx)
	if err != nil {
		return t, nil, err
	}
	if !setting.Open {
		return t, nil, ErrClosed
	}
	if lot, err = voucher.LockLot(ctx, tx, who.Subject, in.Voucher); err != nil {
		return t, nil, err
	}
	if err := lot.Check(tx, in.Voucher, in.Items); err != nil {
		return t, nil, err
	}
	var verified bool
	var offers int
	if err := tx.QueryRow(ctx, sellerNow, who.Subject, tx.Now).Scan(&verified, &offers); err != nil {
		return t, nil, fmt.Errorf("who offers %s: %w", in.Voucher, err)
	}
	switch {
	case !verified:
		return t, nil, ErrPhoneFirst
	case offers >= maxOpen:
		return t, nil, ErrTooMany.With(Most{maxOpen})
	}
	if err := setting.admit(ctx, tx, in.Voucher); err != nil {
		return t, nil, err
	}
	if err := tx.QueryRow(ctx, capOf, in.Voucher, setting.CapPercent).Scan(&setting.CapPercent); err != nil {
		return t, nil, fmt.Errorf("what a price of %s may not exceed: %w", in.Voucher, err)
	}
	t = setting.terms(Fee(organisation), lot.Paid(in.Items))
	t.Vouchers = len(lot)
	if t.ExpiresAt = lastMoment(tx.Now, lot.ValidUntil(), setting.Days); !tx.Now.Before(t.ExpiresAt) {
		return t, nil, ErrTooLate
	}
	return t, lot, nil
}

// admit returns ErrTooEarly or ErrNotSoldOut for a voucher that is not for the board now.
func (s Setting) admit(ctx context.Context, tx db.Tx, id uuid.UUID) error {
	var card *time.Time
	if err := tx.QueryRow(ctx, paidByCard, id, tx.Now.Add(-cardDelay)).Scan(&card); err != nil {
		return fmt.Errorf("how %s was paid for: %w", id, err)
	}
	if card != nil {
		return ErrTooEarly.With(Until{card.Add(cardDelay)})
	}
	if !s.SoldOutOnly {
		return nil
	}
	var still bool
	if err := tx.QueryRow(ctx, stillSold, id, tx.Now).Scan(&still); err != nil {
		return fmt.Errorf("whether %s is still sold: %w", id, err)
	}
	if still {
		return ErrNotSoldOut
	}
	return nil
}

// Fee returns the platform's part of a price, in basis points.
func Fee(o org.Org) int64 { return min(o.FeeBasisPoints, maxParts) }

// terms returns what holds for what was paid for. Royalty and fee together are at most half of a price.
func (s Setting) terms(fee int64, paid money.Amount) Terms {
	return Terms{
		Paid: paid, Least: leastPrice, Most: paid * money.Amount(s.CapPercent) / 100, CapPercent: s.CapPercent,
		RoyaltyBasisPoints: min(int64(s.RoyaltyBasisPoints), maxParts-fee), FeeBasisPoints: fee,
	}
}

// Cancel ends an offer of the customer's that nobody has bought, and returns it. It changes nothing if it has ended otherwise; its state says
// how. It returns ErrBeingPaid while somebody is paying it, and ErrNotFound for anybody else's.
func (s *Service) Cancel(ctx context.Context, who token.Session, id uuid.UUID) (Detail, error) {
	err := s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		var expires time.Time
		err := tx.QueryRow(ctx, soldBy, id, who.Subject).Scan(&expires)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNotFound
		}
		if err != nil {
			return fmt.Errorf("read offer %s: %w", id, err)
		}
		as := voucher.Cancelled
		if !tx.Now.Before(expires) {
			as = voucher.Ended
		}
		ended, err := voucher.EndOffer(ctx, tx, id, as)
		if err != nil || ended {
			return err
		}
		state, err := stateOf(ctx, tx, id)
		if state == reserved {
			return ErrBeingPaid
		}
		return err
	})
	if err != nil {
		return Detail{}, err
	}
	return s.Detail(ctx, who, id)
}
