package story

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/discount"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/voucher"
)

// Order is the story of an order.
type Order struct {
	Record    order.Row            `json:"record"`
	Share     money.Amount         `json:"share_satang" doc:"The organisation's part of what was paid, as it was sold"`
	Discount  money.Amount         `json:"platform_discount_satang" doc:"What the platform paid of the price"`
	Discounts []discount.Reduction `json:"discounts" doc:"What each took off its lines, whoever paid it"`
	Money     Sums                 `json:"money" doc:"Of a paid order: adds up to its total"`
	Buyer     *Buyer               `json:"buyer" doc:"null for who may not see customers"`
	Payment   *Payment             `json:"payment" doc:"null where the wallet paid, and for who may not see payments"`
	Vouchers  []Issued             `json:"vouchers" doc:"The first 200; none for who may not see vouchers"`
	Issued    int                  `json:"vouchers_issued"`
	Refunds   []Refunded           `json:"refunds" doc:"The newest 50 of them, the newest first; none for who may not see vouchers"`
	Timeline
}

// Buyer is the customer of an order, with what he has bought in all.
type Buyer struct {
	ID         uuid.UUID    `json:"id"`
	PictureURL string       `json:"pictureUrl"`
	Orders     int64        `json:"orders" doc:"That were paid"`
	Spent      money.Amount `json:"spent_satang"`
}

// Payment is the charge that paid an order.
type Payment struct {
	ID         uuid.UUID    `json:"id"`
	Reference  string       `json:"reference"`
	GatewayID  string       `json:"gateway_id" doc:"The gateway's name of it"`
	State      string       `json:"state" enum:"created,awaiting,captured,expired,failed"`
	Fee        money.Amount `json:"fee_satang" doc:"The gateway's, its VAT included"`
	Refunded   money.Amount `json:"refunded_satang"`
	Disputed   money.Amount `json:"disputed_satang"`
	CapturedAt *time.Time   `json:"captured_at" doc:"UTC"`
}

// Issued is a voucher of an order.
type Issued struct {
	ID         uuid.UUID     `json:"id"`
	Code       string        `json:"code"`
	Line       int           `json:"line" doc:"Counted from 0"`
	NameTH     string        `json:"name_th"`
	NameEN     string        `json:"name_en"`
	Kind       voucher.Kind  `json:"kind" enum:"item,baht"`
	State      voucher.State `json:"state" enum:"ready,in_use,on_sale,in_transfer,frozen,used,expired,refunded,void"`
	ItemsTotal int64         `json:"items_total" doc:"Satang when kind is baht"`
	ItemsLeft  int64         `json:"items_left"`
	IsSlice    bool          `json:"is_slice" doc:"Made of items of another one"`
	Holder     uuid.UUID     `json:"holder_id"`
	HolderName string        `json:"holder_name"`
}

// Refunded is a refund of an order.
type Refunded struct {
	Number string       `json:"number"`
	At     time.Time    `json:"at" doc:"UTC"`
	Amount money.Amount `json:"amount_satang" doc:"What came back"`
	Method string       `json:"method" enum:"wallet,card,bank" doc:"Where it went"`
	Reason string       `json:"reason" enum:"asked,not_provided,mistake,other,payer,requested" doc:"payer: he had it refunded by himself; requested: he asked for it"`
	Person string       `json:"person" doc:"Of the organisation, who made it; empty where its payer did"`
	Words  string       `json:"words" doc:"Why, of who made it or asked for it"`
}

const (
	refundsOf = `SELECT f.number, f.made_at, f.amount_satang, CASE WHEN m.id IS NULL OR m.state = 'failed' THEN 'wallet' WHEN m.account_id IS NULL THEN 'card' ELSE 'bank' END,
			f.reason, coalesce(s.name, ''), coalesce(q.words, f.note)
		FROM refund f LEFT JOIN remittance m ON m.refund_id = f.id LEFT JOIN staff s ON s.id = f.made_by LEFT JOIN refund_request q ON q.id = f.request_id
		WHERE f.order_id = $1 ORDER BY f.id DESC LIMIT 50`
	issuedBy = `SELECT v.id, v.code, v.line_position, v.name_th, v.name_en, v.kind, v.state, v.items_total, v.items_left, v.holder_id, c.display_name,
			v.items_out, v.share_satang, v.fee_satang, v.commission_satang, v.platform_discount_satang, v.parent_id IS NOT NULL
		FROM voucher v JOIN customer c ON c.id = v.holder_id WHERE v.order_id = $1 ORDER BY v.line_position, v.id`
	buyerOf = `SELECT c.id, c.picture_url, count(o.id), coalesce(sum(o.total_satang), 0)::bigint
		FROM customer c LEFT JOIN orders o ON o.customer_id = c.id AND o.paid_at IS NOT NULL WHERE c.id = $1 GROUP BY c.id`
	paymentOf = `SELECT id, reference, coalesce(gateway_id, ''), state, fee_satang, refunded_satang + sent_satang, disputed_satang, captured_at FROM charge WHERE id = $1`
)

var orderTimeline = timelineOf(
	`SELECT o.id, 'ordered', o.created_at, 1, 'orders', o.id, o.number, '', '', '', 0::bigint, o.total_satang, '', '', coalesce(ac.display_name, ''), ''
		FROM orders o LEFT JOIN agent a ON a.id = o.agent_id LEFT JOIN customer ac ON ac.id = a.customer_id WHERE o.id = $1`,
	paid+` WHERE o.id = $1 AND o.paid_at IS NOT NULL`,
	`SELECT o.id, 'unpaid', o.expired_at, 2, 'orders', o.id, o.number, '', '', '', 0::bigint, 0::bigint, '', '', '', '' FROM orders o WHERE o.id = $1 AND o.expired_at IS NOT NULL`,
	commissionEarned+` WHERE k.order_id = $1`,
	commissionChanged+` WHERE k.order_id = $1`,
	commissionHeld+` WHERE h.order_id = $1`,
	commissionFreed+` WHERE h.order_id = $1 AND h.state IN ('released', 'lapsed')`,
	used+` WHERE v.order_id = $1 AND $2 ORDER BY r.at DESC LIMIT `+limit,
	scanned+` WHERE v.order_id = $1 AND $2 ORDER BY c.at DESC LIMIT `+limit,
	changed+` WHERE v.order_id = $1 AND $3 ORDER BY n.at DESC LIMIT `+limit,
	atGateway+` WHERE h.id = $1 AND $4 ORDER BY m.id DESC LIMIT `+limit,
	remitted+` WHERE h.id = $1 AND $4 ORDER BY m.id DESC LIMIT `+limit,
)

// maxIssued is how many vouchers a story lists.
const maxIssued = 200

// Order returns the story of an order. It returns fault.Missing if there is none.
func (s *Service) Order(ctx context.Context, org, id uuid.UUID, sees Visible) (story Order, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		if story.Record, err = order.Orders.Detail(ctx, tx, id); err != nil {
			return err
		}
		discount.OfOrder(tx, id, &story.Discounts)
		if err := story.addVouchers(ctx, tx); err != nil {
			return err
		}
		story.Refunds = []Refunded{}
		if !sees.Vouchers {
			story.Vouchers = []Issued{}
		} else if story.Refunds, err = collect[Refunded](ctx, tx, refundsOf, id); err != nil {
			return fmt.Errorf("refunds of order %s: %w", id, err)
		}
		if sees.Customers {
			story.Buyer = &Buyer{}
			if err := tx.QueryRow(ctx, buyerOf, story.Record.Customer).Scan(&story.Buyer.ID, &story.Buyer.PictureURL, &story.Buyer.Orders, &story.Buyer.Spent); err != nil {
				return fmt.Errorf("buyer of order %s: %w", id, err)
			}
		}
		if sees.Payments {
			payments, err := collect[Payment](ctx, tx, paymentOf, id)
			if err != nil {
				return fmt.Errorf("payment of order %s: %w", id, err)
			}
			for _, p := range payments {
				story.Payment = &p
			}
		}
		story.Timeline, err = readTimeline(ctx, tx, orderTimeline, id, sees.Uses, sees.Vouchers, sees.Payments)
		return err
	})
	return story, err
}

// addVouchers lists the first vouchers of the order, and adds up all of them.
func (o *Order) addVouchers(ctx context.Context, tx db.Tx) error {
	o.Vouchers = []Issued{}
	rows, err := tx.Query(ctx, issuedBy, o.Record.ID)
	if err != nil {
		return fmt.Errorf("vouchers of order %s: %w", o.Record.ID, err)
	}
	defer rows.Close()
	for rows.Next() {
		var v Issued
		var u units
		if err := rows.Scan(&v.ID, &v.Code, &v.Line, &v.NameTH, &v.NameEN, &v.Kind, &v.State, &v.ItemsTotal, &v.ItemsLeft, &v.Holder, &v.HolderName,
			&u.Out, &u.Sums.Share, &u.Sums.Fee, &u.Sums.Commission, &u.Sums.Discount, &u.IsSlice); err != nil {
			return fmt.Errorf("vouchers of order %s: %w", o.Record.ID, err)
		}
		u.Kind, u.State, u.Total, u.Left, v.IsSlice = v.Kind, v.State, v.ItemsTotal, v.ItemsLeft, u.IsSlice
		o.Money.add(u)
		if !u.IsSlice {
			o.Share += u.Sums.Share
			o.Discount += u.Sums.Discount
		}
		if o.Issued++; o.Issued <= maxIssued {
			o.Vouchers = append(o.Vouchers, v)
		}
	}
	return rows.Err()
}
