package story

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/board"
)

// Offer is the story of an offer of the board.
type Offer struct {
	Record   board.Row `json:"record"`
	Vouchers []Issued  `json:"vouchers" doc:"That it offered, as they are now; none for who may not see vouchers"`
	Timeline
}

const offeredIn = `SELECT v.id, v.code, v.line_position, v.name_th, v.name_en, v.kind, v.state, v.items_total, v.items_left, v.parent_id IS NOT NULL, v.holder_id, c.display_name
	FROM voucher_event n JOIN voucher v ON v.id = n.voucher_id JOIN customer c ON c.id = v.holder_id WHERE n.offer_id = $1 AND n.event = 'offer' ORDER BY v.id`

var offerTimeline = timelineOf(
	`SELECT f.id, 'offered', f.created_at, 1, 'boardtransaction', f.id, '', '', '', '', 0::bigint, f.price_satang, '', '', c.display_name, ''
		FROM offer f JOIN customer c ON c.id = f.seller_id WHERE f.id = $1`,
	`SELECT f.id, 'off_sale', f.ended_at, 2, 'boardtransaction', f.id, '', '', '', '', 0::bigint, 0::bigint, '', '', coalesce(s.name, ''), `+whyOff+`
		FROM offer f LEFT JOIN staff s ON s.id = f.stopped_by WHERE f.id = $1 AND f.state NOT IN ('open', 'sold')`,
	`SELECT r.id, 'resold', r.sold_at, 2, 'boardtransaction', f.id, '', '', '', '', 0::bigint, f.price_satang, '', '', c.display_name, ''
		FROM resale r JOIN offer f ON f.id = r.offer_id JOIN customer c ON c.id = r.buyer_id WHERE r.offer_id = $1`,
)

// Offer returns the story of an offer. It returns fault.Missing if there is none.
func (s *Service) Offer(ctx context.Context, org, id uuid.UUID, sees Visible) (story Offer, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		if story.Record, err = board.Offers.Detail(ctx, tx, id); err != nil {
			return err
		}
		story.Vouchers = []Issued{}
		if sees.Vouchers {
			if story.Vouchers, err = collect[Issued](ctx, tx, offeredIn, id); err != nil {
				return fmt.Errorf("vouchers of offer %s: %w", id, err)
			}
		}
		story.Timeline, err = readTimeline(ctx, tx, offerTimeline, id)
		return err
	})
	return story, err
}
