package story

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/charge"
)

// Charge is the story of a payment.
type Charge struct {
	Record charge.Deposit `json:"record"`
	Failed string         `json:"failure" doc:"What the gateway says of a payment that failed"`
	Late   bool           `json:"late" doc:"It was paid after it was over; the money is in the wallet all the same"`
	// Credited is false for an order that it paid.
	Credited bool          `json:"credited" doc:"The money went to the wallet"`
	Order    *PaidOrder    `json:"order" doc:"null where it is for something else, and for who may not see orders"`
	Offer    *PaidOffer    `json:"offer" doc:"null where it is for something else, and for who may not see offers"`
	Cases    []charge.Case `json:"cases" doc:"What the organisation has to decide about it, or had to"`
	Timeline
}

// PaidOrder is the order that a payment is for.
type PaidOrder struct {
	ID     uuid.UUID `json:"id"`
	Number string    `json:"number"`
	State  string    `json:"state" enum:"awaiting,expired,paid,part_refunded,refunded"`
	NameTH string    `json:"name_th" doc:"Of its first package"`
	NameEN string    `json:"name_en"`
}

// PaidOffer is the offer of the board that a payment is for.
type PaidOffer struct {
	ID     uuid.UUID `json:"id"`
	State  string    `json:"state" enum:"open,reserved,sold,cancelled,ended,stopped"`
	Number string    `json:"number" doc:"Of the sale; empty until it is sold"`
	Seller string    `json:"seller"`
}

const (
	chargeRest = `SELECT failure, late, credited FROM charge WHERE id = $1`
	paidOrder  = `SELECT o.id, o.number, o.state, coalesce(l.name_th, ''), coalesce(l.name_en, '')
		FROM orders o LEFT JOIN order_line l ON l.order_id = o.id AND l.position = 0 WHERE o.id = $1`
	paidOffer = `SELECT f.id, f.state, coalesce(r.number, ''), c.display_name FROM reservation w JOIN offer f ON f.id = w.offer_id JOIN customer c ON c.id = f.seller_id
		LEFT JOIN resale r ON r.offer_id = f.id WHERE w.id = $1`
)

var chargeTimeline = timelineOf(
	`SELECT h.id, 'started', h.created_at, 1, '', NULL::uuid, '', '', '', '', 0::bigint, h.amount_satang, '', '', c.display_name, h.method
		FROM charge h JOIN customer c ON c.id = h.customer_id WHERE h.id = $1`,
	`SELECT h.id, 'captured', h.captured_at, 2, '', NULL::uuid, '', '', '', '', 0::bigint, h.captured_satang, '', '', '', h.purpose
		FROM charge h WHERE h.id = $1 AND h.captured_at IS NOT NULL`,
	`SELECT h.id, 'uncaptured', h.expires_at, 2, '', NULL::uuid, '', '', '', '', 0::bigint, 0::bigint, '', '', '', '' FROM charge h WHERE h.id = $1 AND h.state = 'expired'`,
	atGateway+` WHERE h.id = $1 ORDER BY m.id DESC LIMIT `+limit,
	remitted+` WHERE h.id = $1 ORDER BY m.id DESC LIMIT `+limit,
	`SELECT n.id, `+changes+`, n.at, 4, 'voucher', v.id, v.code, v.name_th, v.name_en, v.kind, n.items, 0::bigint, '', '', '', ''
		FROM voucher_event n JOIN voucher v ON v.id = n.voucher_id WHERE n.charge_id = $1 AND $2 ORDER BY n.id DESC LIMIT `+limit,
)

// Charge returns the story of a payment. It returns fault.Missing if there is none.
func (s *Service) Charge(ctx context.Context, org, id uuid.UUID, sees Visible) (story Charge, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		if story.Record, err = charge.Charges.Detail(ctx, tx, id); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, chargeRest, id).Scan(&story.Failed, &story.Late, &story.Credited); err != nil {
			return fmt.Errorf("payment %s: %w", id, err)
		}
		if _, story.Cases, err = charge.OwedBy(ctx, tx, id); err != nil {
			return err
		}
		if sees.Orders {
			orders, err := collect[PaidOrder](ctx, tx, paidOrder, id)
			if err != nil {
				return fmt.Errorf("order of payment %s: %w", id, err)
			}
			for _, o := range orders {
				story.Order = &o
			}
		}
		if sees.Offers {
			offers, err := collect[PaidOffer](ctx, tx, paidOffer, id)
			if err != nil {
				return fmt.Errorf("offer of payment %s: %w", id, err)
			}
			for _, f := range offers {
				story.Offer = &f
			}
		}
		story.Timeline, err = readTimeline(ctx, tx, chargeTimeline, id, sees.Vouchers)
		return err
	})
	return story, err
}
