package story

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/gift"
)

// Gift is the story of a gift.
type Gift struct {
	Record   gift.Row `json:"record"`
	Vouchers []Issued `json:"vouchers" doc:"That it gave, as they are now; none for who may not see vouchers"`
	Timeline
}

const givenIn = `SELECT v.id, v.code, v.line_position, v.name_th, v.name_en, v.kind, v.state, v.items_total, v.items_left, v.parent_id IS NOT NULL, v.holder_id, c.display_name
	FROM voucher_event n JOIN voucher v ON v.id = n.voucher_id JOIN customer c ON c.id = v.holder_id WHERE n.gift_id = $1 AND n.event = 'give' ORDER BY v.id`

var giftTimeline = timelineOf(
	`SELECT g.id, 'given', g.created_at, 1, 'transfertransaction', g.id, '', '', '', '', 0::bigint, 0::bigint, '', '', c.display_name, ''
		FROM gift g JOIN customer c ON c.id = g.giver_id WHERE g.id = $1`,
	`SELECT g.id, 'begun', g.begins_at, 1, 'transfertransaction', g.id, '', '', '', '', 0::bigint, 0::bigint, '', '', '', '' FROM gift g WHERE g.id = $1 AND g.begins_at > g.created_at AND g.state <> 'scheduled'
		AND (g.ended_at IS NULL OR g.ended_at >= g.begins_at)`,
	`SELECT g.id, 'opened', g.opened_at, 2, 'transfertransaction', g.id, '', '', '', '', 0::bigint, 0::bigint, '', '', '', '' FROM gift g WHERE g.id = $1 AND g.opened_at IS NOT NULL`,
	`SELECT g.id, 'extended', g.extended_at, 3, 'transfertransaction', g.id, '', '', '', '', 0::bigint, 0::bigint, '', '', '', '' FROM gift g WHERE g.id = $1 AND g.extended_at IS NOT NULL`,
	`SELECT g.id, CASE g.state WHEN 'claimed' THEN 'claimed' ELSE 'came_back' END, g.ended_at, 4, 'transfertransaction', g.id, '', '', '', '', 0::bigint, 0::bigint, '', '',
			coalesce(c.display_name, s.name, ''), CASE WHEN g.state = 'claimed' THEN '' ELSE `+whyBack+` END
		FROM gift g LEFT JOIN customer c ON c.id = g.receiver_id LEFT JOIN staff s ON s.id = g.stopped_by WHERE g.id = $1 AND g.ended_at IS NOT NULL AND (g.people = 1 OR g.state <> 'claimed')`,
	`SELECT t.voucher_id, 'claimed', t.taken_at, 4, 'transfertransaction', t.gift_id, '', '', '', '', 0::bigint, 0::bigint, '', '', c.display_name, ''
		FROM gift_taker t JOIN customer c ON c.id = t.customer_id WHERE t.gift_id = $1`,
	`SELECT g.id, 'thanked', g.thanked_at, 5, 'transfertransaction', g.id, '', '', '', '', 0::bigint, 0::bigint, '', '', c.display_name, ''
		FROM gift g JOIN customer c ON c.id = g.receiver_id WHERE g.id = $1 AND g.thanked_at IS NOT NULL`,
)

// Gift returns the story of a gift. It returns fault.Missing if there is none.
func (s *Service) Gift(ctx context.Context, org, id uuid.UUID, sees Visible) (story Gift, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		if story.Record, err = gift.Gifts.Detail(ctx, tx, id); err != nil {
			return err
		}
		story.Vouchers = []Issued{}
		if sees.Vouchers {
			if story.Vouchers, err = collect[Issued](ctx, tx, givenIn, id); err != nil {
				return fmt.Errorf("vouchers of gift %s: %w", id, err)
			}
		}
		story.Timeline, err = readTimeline(ctx, tx, giftTimeline, id)
		return err
	})
	return story, err
}
