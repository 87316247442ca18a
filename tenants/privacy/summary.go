package privacy

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/bank"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/payee"
	"welovevoucher/tenants/push"
)

const (
	personOf = `SELECT display_name, picture_url, first_name, last_name, email, gender, birth_date::text, refer_code, created_at
		FROM customer WHERE id = $1 AND status <> 9`
	countHeld = `SELECT (SELECT count(*) FROM orders WHERE customer_id = $1), (SELECT count(*) FROM voucher WHERE holder_id = $1),
		(SELECT count(*) FROM redemption WHERE customer_id = $1), (SELECT count(*) FROM charge WHERE customer_id = $1)`

	ordersOf = `SELECT o.number, o.state, o.paid_at, l.name_th, l.name_en, l.quantity, l.amount_satang
		FROM orders o JOIN order_line l ON l.order_id = o.id WHERE o.customer_id = $1 ORDER BY o.id, l.position`
	vouchersOf = `SELECT code, name_th, name_en, state, kind, items_total, items_left, issued_at, valid_until::text
		FROM voucher WHERE holder_id = $1 ORDER BY id`
	usesOf = `SELECT r.at, v.code, p.name_th, p.name_en, r.items, coalesce(o.state, ''), coalesce(o.answer, '') FROM redemption r JOIN voucher v ON v.id = r.voucher_id
		JOIN service_point p ON p.id = r.service_point_id LEFT JOIN objection o ON o.redemption_id = r.id WHERE r.customer_id = $1 ORDER BY r.id`
	movementsOf = `SELECT t.at, t.kind, t.memo_th, t.memo_en, CASE WHEN e.credit_id = $1 THEN e.amount_satang ELSE -e.amount_satang END
		FROM entry e JOIN transfer t ON t.id = e.transfer_id WHERE e.credit_id = $1 OR e.debit_id = $1 ORDER BY e.id`
	paymentsOf = `SELECT reference, purpose, method, amount_satang, state, created_at, captured_at FROM charge WHERE customer_id = $1 ORDER BY id`
	giftsOf    = `SELECT created_at, giver_id = $1, state, card, to_name, words FROM gift
		WHERE giver_id = $1 OR receiver_id = $1 OR id IN (SELECT gift_id FROM gift_taker WHERE customer_id = $1) ORDER BY id`
	offersOf = `SELECT f.created_at, true, f.state, f.price_satang, f.price_satang - f.royalty_satang - f.fee_satang, f.ended_at, coalesce(r.number, '') FROM offer f LEFT JOIN resale r ON r.offer_id = f.id WHERE f.seller_id = $1
		UNION ALL SELECT f.created_at, false, f.state, f.price_satang, 0, r.sold_at, r.number FROM resale r JOIN offer f ON f.id = r.offer_id WHERE r.buyer_id = $1 ORDER BY 1`
	remittancesOf = `SELECT m.made_at, coalesce(f.number, k.number), CASE WHEN m.account_id IS NULL THEN 'card' ELSE 'bank' END, m.amount_satang, m.state, m.ended_at
		FROM remittance m LEFT JOIN refund f ON f.id = m.refund_id LEFT JOIN cashout k ON k.id = m.cashout_id WHERE m.customer_id = $1 ORDER BY m.id`
	refundsOf = `SELECT q.asked_at, o.number, q.amount_satang, q.state, q.words, q.answer FROM refund_request q JOIN orders o ON o.id = q.order_id WHERE q.customer_id = $1
		UNION ALL SELECT f.made_at, o.number, f.amount_satang, 'done', f.note, '' FROM refund f JOIN orders o ON o.id = f.order_id WHERE f.customer_id = $1 AND f.made_by IS NULL ORDER BY 1`
	reportsOf = `SELECT at, reason FROM offer_report WHERE customer_id = $1 ORDER BY at`
	visitsOf  = `SELECT v.at, l.code FROM link_visit v JOIN sale_link l ON l.id = v.link_id WHERE v.customer_id = $1
		UNION ALL SELECT b.day::timestamp AT TIME ZONE 'Asia/Bangkok', l.code FROM link_opener b JOIN sale_link l ON l.id = b.link_id WHERE b.customer_id = $1
			AND NOT EXISTS (SELECT FROM link_visit v WHERE v.customer_id = $1 AND v.link_id = b.link_id) ORDER BY 1`
	commissionsOf = `SELECT c.created_at, c.amount_satang, c.due_satang, c.mature_satang, c.denied_at, coalesce((SELECT h.reason FROM commission_hold h WHERE h.order_id = c.order_id AND h.state = 'denied' LIMIT 1), '') FROM commission c JOIN agent a ON a.id = c.agent_id
		WHERE a.customer_id = $1 ORDER BY c.id`
	payoutsOf = `SELECT r.pay_day::text, p.reference, p.gross_satang, p.withheld_satang, p.net_satang, p.state, p.paid_on::text FROM payout p JOIN payout_run r ON r.id = p.run_id
		JOIN agent a ON a.id = p.payee_id WHERE a.customer_id = $1 AND p.booked_at IS NOT NULL ORDER BY p.id`
)

// Held returns what the organisation holds about a customer.
func (s *Service) Held(ctx context.Context, who token.Session) (h Summary, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		if h.Person, err = person(ctx, tx, who.Subject); err != nil {
			return err
		}
		if h.Person.Mobile, err = s.customers.MobileOf(ctx, tx, who.Subject); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, countHeld, who.Subject).Scan(&h.Orders, &h.Vouchers, &h.Uses, &h.Payments); err != nil {
			return fmt.Errorf("what is held of %s: %w", who.Subject, err)
		}
		if h.Accepted, err = consent.AcceptedBy(ctx, tx, who.Subject); err != nil {
			return err
		}
		h.Obstacles, err = obstacles(ctx, tx, who.Subject)
		return err
	})
	return h, err
}

// Export gives a customer everything that the organisation holds about him.
func (s *Service) Export(ctx context.Context, who token.Session) (e Export, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		e.MadeAt = tx.Now
		if e.Person, err = person(ctx, tx, who.Subject); err != nil {
			return err
		}
		if e.Person.Mobile, err = s.customers.MobileOf(ctx, tx, who.Subject); err != nil {
			return err
		}
		if e.Accepted, err = consent.AcceptedBy(ctx, tx, who.Subject); err != nil {
			return err
		}
		account := ledger.AccountOf(ledger.Wallet, who.Subject).ID(tx.Key)
		if e.Contact, err = s.contact.Of(ctx, tx, who.Subject); err != nil {
			return err
		}
		if e.Messages, err = message.Of(ctx, tx, who.Subject); err != nil {
			return err
		}
		if e.Accounts, err = bank.Of(ctx, tx, s.box, who.Subject); err != nil {
			return err
		}
		if e.Selling, err = s.selling(ctx, tx, who.Subject); err != nil {
			return err
		}
		if e.Member, err = s.members.Of(ctx, tx, who.Subject); err != nil {
			return err
		}
		if e.Push, err = push.PersonOf(ctx, tx, who.Subject); err != nil {
			return err
		}
		return errors.Join(
			read(ctx, tx, &e.Orders, ordersOf, who.Subject),
			read(ctx, tx, &e.Vouchers, vouchersOf, who.Subject),
			read(ctx, tx, &e.Uses, usesOf, who.Subject),
			read(ctx, tx, &e.Movements, movementsOf, account),
			read(ctx, tx, &e.Payments, paymentsOf, who.Subject),
			read(ctx, tx, &e.Gifts, giftsOf, who.Subject),
			read(ctx, tx, &e.Offers, offersOf, who.Subject),
			read(ctx, tx, &e.Sent, remittancesOf, who.Subject),
			read(ctx, tx, &e.Refunds, refundsOf, who.Subject),
			read(ctx, tx, &e.Reports, reportsOf, who.Subject),
			read(ctx, tx, &e.Visits, visitsOf, who.Subject),
			read(ctx, tx, &e.Agent, commissionsOf, who.Subject),
			read(ctx, tx, &e.Payouts, payoutsOf, who.Subject),
		)
	})
	return e, err
}

const sellerOf = `SELECT id FROM agent WHERE customer_id = $1`

// selling returns what a customer said of himself to become an agent.
func (s *Service) selling(ctx context.Context, tx db.Tx, customer uuid.UUID) ([]payee.Held, error) {
	var id uuid.UUID
	err := tx.QueryRow(ctx, sellerOf, customer).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return []payee.Held{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("agent of %s: %w", customer, err)
	}
	return payee.Of(ctx, tx, s.box, id)
}

// person returns fault.NoSession for a customer who is erased: his session outlived him by a moment.
func person(ctx context.Context, tx db.Tx, id uuid.UUID) (p Person, err error) {
	rows, err := tx.Query(ctx, personOf, id)
	if err != nil {
		return p, fmt.Errorf("person of %s: %w", id, err)
	}
	p, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Person])
	if errors.Is(err, pgx.ErrNoRows) {
		return p, fault.NoSession
	}
	return p, err
}

func read[T any](ctx context.Context, tx db.Tx, into *[]T, sql string, id uuid.UUID) error {
	rows, err := tx.Query(ctx, sql, id)
	if err != nil {
		return fmt.Errorf("export of %s: %w", id, err)
	}
	*into, err = pgx.CollectRows(rows, pgx.RowToStructByPos[T])
	return err
}
