package reports

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
)

// Event is something that has just happened in the organisation.
type Event struct {
	ID       uuid.UUID    `json:"id"`
	Kind     string       `json:"kind" enum:"use,sale,credit,newcomer"`
	At       time.Time    `json:"at" doc:"UTC"`
	Record   uuid.UUID    `json:"record_id" doc:"The voucher used, the order sold, the customer who paid in or came"`
	Customer string       `json:"customer_name"`
	NameTH   string       `json:"name_th" doc:"What was used, or the first package sold"`
	NameEN   string       `json:"name_en"`
	Unit     string       `json:"unit" enum:",item,baht" doc:"Of quantity, of a use"`
	Quantity int64        `json:"quantity" doc:"Items or satang used; pieces sold"`
	Amount   money.Amount `json:"amount_satang" doc:"Of a sale, and of money that came into a wallet"`
	PlaceTH  string       `json:"service_point_name_th" doc:"Of a use"`
	PlaceEN  string       `json:"service_point_name_en"`
	Agent    string       `json:"agent_name" doc:"Who sold it, when an agent did"`
	Reason   string       `json:"reason" enum:",topup,order,offer,duplicate" doc:"Why money came in: a top-up, an order that was not made, an offer that was not bought, a second payment"`
}

// Each kind is read from the end of an index, and only as many as may be shown. Ids of redemptions and charges are in order of time.
const happened = `SELECT id, kind, at, record, customer, name_th, name_en, unit, quantity, amount, place_th, place_en, agent, reason FROM (
		(SELECT r.id, 'use', r.at, v.id, c.display_name, v.name_th, v.name_en, v.kind, r.items, 0::bigint, p.name_th, p.name_en, '', ''
			FROM redemption r JOIN voucher v ON v.id = r.voucher_id JOIN customer c ON c.id = r.customer_id
			JOIN service_point p ON p.id = r.service_point_id
			WHERE $2 ORDER BY r.id DESC LIMIT $1)
		UNION ALL
		(SELECT o.id, 'sale', o.paid_at, o.id, c.display_name, l.name_th, l.name_en, '',
				(SELECT sum(quantity) FROM order_line WHERE order_id = o.id)::bigint, o.total_satang, '', '', coalesce(ac.display_name, ''), ''
			FROM orders o JOIN customer c ON c.id = o.customer_id
			CROSS JOIN LATERAL (SELECT name_th, name_en FROM order_line WHERE order_id = o.id ORDER BY position LIMIT 1) l
			LEFT JOIN agent a ON a.id = o.agent_id LEFT JOIN customer ac ON ac.id = a.customer_id
			WHERE $3 AND o.paid_at IS NOT NULL ORDER BY o.paid_at DESC LIMIT $1)
		UNION ALL
		(SELECT h.id, 'credit', h.captured_at, c.id, c.display_name, '', '', '', 0, h.captured_satang, '', '', '', h.purpose
			FROM charge h JOIN customer c ON c.id = h.customer_id
			WHERE $4 AND h.credited ORDER BY h.id DESC LIMIT $1)
		UNION ALL
		(SELECT c.id, 'newcomer', c.created_at, c.id, c.display_name, '', '', '', 0, 0, '', '', '', ''
			FROM customer c WHERE $5 AND c.status <> 9 ORDER BY c.created_at DESC LIMIT $1)
	) e (id, kind, at, record, customer, name_th, name_en, unit, quantity, amount, place_th, place_en, agent, reason)
	ORDER BY at DESC, id DESC LIMIT $1`

const maxEvents = 5

// Activity returns the latest events that the person may see, newest first.
func (s *Service) Activity(ctx context.Context, org uuid.UUID, sees Visible) (events []Event, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		events, err = collect[Event](ctx, tx, happened, maxEvents, sees.Uses, sees.Sales, sees.TopUps, sees.Customers)
		if err != nil {
			return fmt.Errorf("what happened: %w", err)
		}
		return nil
	})
	return events, err
}
