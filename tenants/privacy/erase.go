package privacy

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/bank"
	"welovevoucher/tenants/cashout"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/contact"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/hold"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/payee"
	"welovevoucher/tenants/push"
	"welovevoucher/tenants/refund"
)

// EraseInput holds the words that the customer typed, in either language.
type EraseInput struct {
	Confirm string `json:"confirm" maxLength:"40" doc:"ลบข้อมูลของฉัน, or ERASE MY DATA"`
}

// The words that nobody types by accident.
const (
	wordsTH = "ลบข้อมูลของฉัน"
	wordsEN = "ERASE MY DATA"
)

const (
	// What an agent lost because a buyer's payment went back is his again when the buyer has paid: the commission of what was not taken
	// back, less what he has.
	inTheWay = `SELECT coalesce((SELECT balance_satang FROM wallet WHERE customer_id = $1), 0),
		(SELECT debt_satang FROM customer WHERE id = $1),
		(SELECT count(*) FROM voucher WHERE holder_id = $1 AND state IN ('ready', 'in_use', 'on_sale', 'in_transfer', 'frozen')),
		(SELECT count(*) FROM charge WHERE customer_id = $1 AND (state IN ('created', 'awaiting') OR (state = 'expired' AND created_at > $2))),
		(SELECT coalesce(sum(c.due_satang - c.mature_satang), 0)::bigint FROM commission c JOIN agent a ON a.id = c.agent_id WHERE a.customer_id = $1)
			+ (SELECT coalesce(sum(b.payable_satang + b.receivable_satang), 0)::bigint FROM payee_balance b JOIN agent a ON a.id = b.payee_id WHERE a.customer_id = $1)
			+ (SELECT coalesce(sum(p.net_satang), 0)::bigint FROM payout p JOIN agent a ON a.id = p.payee_id WHERE a.customer_id = $1 AND (p.state IN ('booked', 'sent')
				OR p.state IN ('paid', 'returned') AND p.withheld_satang > 0 AND NOT EXISTS (SELECT FROM tax_certificate k WHERE k.payout_id = p.id)))
			+ (SELECT coalesce(sum(o.commission_satang), 0)::bigint FROM orders o JOIN agent a ON a.id = o.agent_id
			WHERE a.customer_id = $1 AND o.state = 'awaiting')
			+ (SELECT coalesce(sum(w.recruiter_satang), 0)::bigint FROM recruiter_share w JOIN orders o ON o.id = w.order_id JOIN agent a ON a.id = w.recruiter_id
			WHERE a.customer_id = $1 AND o.state = 'awaiting')
			+ (SELECT coalesce(sum(kept.commission - c.due_satang - c.denied_satang), 0)::bigint FROM commission c JOIN agent a ON a.id = c.agent_id
			CROSS JOIN LATERAL (SELECT sum(CASE c.level WHEN 2 THEN coalesce(p.recruiter, 0) ELSE l.commission - coalesce(p.recruiter, 0) END) AS commission FROM (
				SELECT v.line_position, sum(CASE WHEN v.kind = 'baht' THEN div(v.commission_satang::numeric * k.n, v.items_total)
					WHEN k.n = v.items_total THEN v.commission_satang ELSE v.commission_satang / v.items_total * k.n END - CASE WHEN v.undoes IS NULL THEN 0 ELSE v.commission_satang END) AS commission
				FROM voucher v CROSS JOIN LATERAL (
					SELECT v.items_total - v.items_out - CASE WHEN v.state IN ('refunded', 'void') THEN v.items_left ELSE 0 END AS n) k
				WHERE v.order_id = c.order_id GROUP BY 1) l
				LEFT JOIN recruiter_share w ON w.order_id = c.order_id AND w.position = l.line_position
				CROSS JOIN LATERAL (SELECT round(l.commission * w.recruiter_satang / w.commission_satang) AS recruiter) p) kept
			WHERE a.customer_id = $1 AND c.due_satang < c.amount_satang AND c.denied_at IS NULL),
		(SELECT count(*) FROM objection WHERE customer_id = $1 AND state = 'open'),
		(SELECT count(*) FROM application a JOIN card_order r ON r.application_id = a.id WHERE a.customer_id = $1 AND r.begun_at IS NULL AND r.returned_at IS NULL)`
	lockAgent = `SELECT id FROM agent WHERE customer_id = $1 FOR NO KEY UPDATE`
	endAgent  = `UPDATE agent SET state = 'erased', updated_at = $2 WHERE customer_id = $1 RETURNING id`
	endVisits = `DELETE FROM link_visit WHERE customer_id = $1`
	endOpens  = `DELETE FROM link_opener WHERE customer_id = $1`
)

// obstacles lists what stands in the way of erasing a customer.
func obstacles(ctx context.Context, tx db.Tx, id uuid.UUID) ([]Obstacle, error) {
	var balance, debt, commission money.Amount
	var vouchers, payments, objections, cards int64
	err := tx.QueryRow(ctx, inTheWay, id, tx.Now.Add(-charge.StillPayable)).Scan(&balance, &debt, &vouchers, &payments, &commission, &objections, &cards)
	if err != nil {
		return nil, fmt.Errorf("what keeps %s: %w", id, err)
	}
	found := []Obstacle{}
	if debt > 0 {
		found = append(found, Obstacle{Fault: ErrDebt.Code, Amount: debt})
	}
	if balance > 0 {
		found = append(found, Obstacle{Fault: ErrWallet.Code, Amount: balance})
	}
	if vouchers > 0 {
		found = append(found, Obstacle{Fault: ErrVouchers.Code, Count: vouchers})
	}
	if payments > 0 {
		found = append(found, Obstacle{Fault: ErrPayment.Code, Count: payments})
	}
	if commission > 0 {
		found = append(found, Obstacle{Fault: ErrCommission.Code, Amount: commission})
	}
	if objections > 0 {
		found = append(found, Obstacle{Fault: ErrObjection.Code, Count: objections})
	}
	if cards > 0 {
		found = append(found, Obstacle{Fault: ErrCard.Code, Count: cards})
	}
	return found, nil
}

// refusal is the fault of an obstacle.
func refusal(o Obstacle) error {
	for _, f := range []*fault.Fault{ErrDebt, ErrWallet, ErrVouchers, ErrPayment, ErrCommission, ErrObjection, ErrCard} {
		if f.Code == o.Fault {
			return f.With(o)
		}
	}
	return fault.Internal
}

// Erase takes the customer out of everything that is kept, for ever, and ends his sessions. It returns ErrUnsure without
// the right words, or ErrDebt, ErrWallet, ErrVouchers, ErrPayment, ErrCommission, ErrObjection or ErrCard with the Obstacle as detail.
//
// It locks the customer first: purchases and top-ups lock him too, so none commits between the check and the erasure. It also locks the
// agent that he may be: a sale through him that is under way commits before the check, or earns him nothing.
func (s *Service) Erase(ctx context.Context, who token.Session, actor auditlog.Actor, in EraseInput) error {
	if in.Confirm != wordsTH && in.Confirm != wordsEN {
		return fault.At("confirm", ErrUnsure)
	}
	err := s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		locked := customer.Lock(tx, who.Subject)
		if _, err := tx.Exec(ctx, lockAgent, who.Subject); err != nil {
			return fmt.Errorf("lock the agent of %s: %w", who.Subject, err)
		}
		if err := locked.Check(who.Subject); err != nil {
			return err
		}
		found, err := obstacles(ctx, tx, who.Subject)
		if err != nil {
			return err
		}
		if len(found) > 0 {
			return refusal(found[0])
		}
		return s.erase(ctx, tx, who.Subject, actor)
	})
	if err != nil {
		return err
	}
	// If this fails, the sessions still open nothing: an erased customer is not admitted, and his profile is not found.
	return s.revoke(context.WithoutCancel(ctx), who.Org, who.Subject)
}

func (s *Service) erase(ctx context.Context, tx db.Tx, id uuid.UUID, actor auditlog.Actor) error {
	if err := s.customers.Erase(ctx, tx, id); err != nil {
		return err
	}
	if err := consent.Erase(ctx, tx, id); err != nil {
		return err
	}
	if err := contact.Erase(ctx, tx, id); err != nil {
		return err
	}
	if err := gift.Erase(ctx, tx, id); err != nil {
		return err
	}
	if err := refund.Erase(ctx, tx, id); err != nil {
		return err
	}
	if err := cashout.WithdrawAll(ctx, tx, id); err != nil {
		return err
	}
	bank.Forget(tx, id)
	charge.ForgetCards(tx, id)
	hold.Forget(tx, id)
	if err := s.members.Erase(ctx, tx, id); err != nil {
		return err
	}
	if err := message.Erase(ctx, tx, id); err != nil {
		return err
	}
	if err := push.Erase(ctx, tx, id); err != nil {
		return err
	}
	var seller uuid.UUID
	switch err := tx.QueryRow(ctx, endAgent, id, tx.Now).Scan(&seller); {
	case errors.Is(err, pgx.ErrNoRows):
	case err != nil:
		return fmt.Errorf("agent of %s: %w", id, err)
	default:
		if err := payee.Erase(ctx, tx, seller); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(ctx, endVisits, id); err != nil {
		return fmt.Errorf("visits of %s: %w", id, err)
	}
	if _, err := tx.Exec(ctx, endOpens, id); err != nil {
		return fmt.Errorf("links that %s opened: %w", id, err)
	}
	return auditlog.Record(ctx, tx, actor, "erase", "customer/"+id.String(), nil, nil)
}
