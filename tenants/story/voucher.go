package story

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/voucher"
)

// Voucher is the story of a voucher.
type Voucher struct {
	Record        voucher.Row  `json:"record"`
	Picture       *uuid.UUID   `json:"picture_id" nullable:"true"`
	Paid          money.Amount `json:"paid_satang" doc:"What was paid for all of its items"`
	Money         Sums         `json:"money" doc:"Adds up to it"`
	ItemsOut      int64        `json:"items_out" doc:"That were taken back"`
	ExpiryRule    string       `json:"expiry_rule" enum:"breakage,wallet" doc:"Whose the rest is when it expires: the organisation's, or it goes to the holder's wallet"`
	ConditionsTH  string       `json:"conditions_th" doc:"As it was sold"`
	ConditionsEN  string       `json:"conditions_en"`
	ServicePoints []Place      `json:"service_points" doc:"That honour it, as it was sold; none means all"`
	Buyer         uuid.UUID    `json:"buyer_id"`
	BuyerName     string       `json:"buyer_name"`
	Timeline
}

// Place is a service point.
type Place struct {
	NameTH string `json:"name_th"`
	NameEN string `json:"name_en"`
}

const (
	soldAs = `SELECT v.picture_id, v.items_out, v.share_satang, v.fee_satang, v.commission_satang, v.platform_discount_satang, v.expiry_rule,
			t.conditions_th, t.conditions_en, o.customer_id, b.display_name
		FROM voucher v JOIN template_version t ON t.id = v.version_id JOIN orders o ON o.id = v.order_id JOIN customer b ON b.id = o.customer_id WHERE v.id = $1`
	honouredAt = `SELECT p.name_th, p.name_en FROM voucher v JOIN template_version t ON t.id = v.version_id JOIN service_point p ON p.id = ANY (t.service_point_ids)
		WHERE v.id = $1 ORDER BY p.name_th, p.id`
)

var voucherTimeline = timelineOf(
	`SELECT v.id, 'issued', v.issued_at, 3, 'orders', o.id, o.number, v.name_th, v.name_en, v.kind, v.items_total, 0::bigint, '', '', b.display_name, ''
		FROM voucher v JOIN orders o ON o.id = v.order_id JOIN customer b ON b.id = o.customer_id WHERE v.id = $1`,
	used+` WHERE v.id = $1 AND $2 ORDER BY r.id DESC LIMIT `+limit,
	scanned+` WHERE v.id = $1 AND $2 ORDER BY u.id DESC LIMIT `+limit,
	changed+` WHERE v.id = $1 ORDER BY n.id DESC LIMIT `+limit,
	expired+` WHERE v.id = $1 AND v.state = 'expired'`,
)

// Voucher returns the story of a voucher. It returns fault.Missing if there is none.
func (s *Service) Voucher(ctx context.Context, org, id uuid.UUID, sees Visible) (story Voucher, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		if story.Record, err = voucher.Vouchers.Detail(ctx, tx, id); err != nil {
			return err
		}
		r := story.Record
		u := units{Kind: voucher.Kind(r.Kind), State: voucher.State(r.State), Total: r.ItemsTotal, Left: r.ItemsLeft}
		if err := tx.QueryRow(ctx, soldAs, id).Scan(&story.Picture, &u.Out, &u.Sums.Share, &u.Sums.Fee, &u.Sums.Commission, &u.Sums.Discount,
			&story.ExpiryRule, &story.ConditionsTH, &story.ConditionsEN, &story.Buyer, &story.BuyerName); err != nil {
			return fmt.Errorf("how voucher %s was sold: %w", id, err)
		}
		story.ItemsOut, story.Paid = u.Out, u.Sums.Paid()
		story.Money.add(u)
		if story.ServicePoints, err = collect[Place](ctx, tx, honouredAt, id); err != nil {
			return fmt.Errorf("where voucher %s is honoured: %w", id, err)
		}
		story.Timeline, err = readTimeline(ctx, tx, voucherTimeline, id, sees.Uses)
		return err
	})
	return story, err
}
