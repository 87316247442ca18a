package order

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/voucher"
)

// Listed is an order as its payer's list shows it.
type Listed struct {
	ID        uuid.UUID    `json:"id"`
	Number    string       `json:"number"`
	State     string       `json:"state" enum:"awaiting,paid,part_refunded,refunded"`
	Total     money.Amount `json:"total_satang"`
	CreatedAt time.Time    `json:"created_at"`
	PaidAt    *time.Time   `json:"paid_at" doc:"null while it waits"`
	NameTH    string       `json:"name_th" doc:"Of its first package"`
	NameEN    string       `json:"name_en"`
	Picture   *uuid.UUID   `json:"picture" nullable:"true"`
	Packages  int          `json:"packages" doc:"How many different ones it has"`
	Vouchers  int          `json:"vouchers" doc:"How many it issued; 0 while it waits"`
}

// Detail is a purchase, and where its vouchers are now.
type Detail struct {
	Order
	Held     []HeldLine         `json:"held" doc:"Of which line each of its vouchers is"`
	HandedOn []voucher.HandedOn `json:"handed_on" doc:"What the payer has given away or sold on"`
}

// HeldLine says of which line of an order a voucher is.
type HeldLine struct {
	Voucher uuid.UUID `json:"voucher_id"`
	Line    int       `json:"line" doc:"Counted from 0"`
}

const (
	// What was never paid is no purchase.
	listOfPayer = `SELECT o.id, o.number, o.state, o.total_satang, o.created_at, o.paid_at, l.name_th, l.name_en, coalesce(p.picture_id, y.picture_id),
			(SELECT count(*) FROM order_line n WHERE n.order_id = o.id), (SELECT count(*) FROM voucher v WHERE v.order_id = o.id AND v.parent_id IS NULL)
		FROM orders o JOIN order_line l ON l.order_id = o.id AND l.position = 0 LEFT JOIN package p ON p.id = l.package_id ` + ofCard + `
		WHERE o.customer_id = $1 AND o.state <> 'expired' AND ($2::uuid IS NULL OR o.id < $2) ORDER BY o.id DESC LIMIT $3`
	pageOfOrders = 50
)

// List returns a page of the customer's orders that are paid or wait for their money, newest first.
func (s *Service) List(ctx context.Context, who token.Session, after *uuid.UUID) (list []Listed, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, listOfPayer, who.Subject, after, pageOfOrders)
		if err != nil {
			return fmt.Errorf("orders of %s: %w", who.Subject, err)
		}
		if list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Listed]); err != nil {
			return fmt.Errorf("orders of %s: %w", who.Subject, err)
		}
		return nil
	})
	return list, err
}

// Detail returns a purchase of the customer's, and where its vouchers are now. It returns ErrNotFound for anybody else's.
func (s *Service) Detail(ctx context.Context, who token.Session, id uuid.UUID) (d Detail, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		if d.Order, err = readOrder(ctx, tx, who.Subject, id); err != nil {
			return err
		}
		lines, gone, err := voucher.LinesOfOrder(ctx, tx, who.Subject, id)
		if err != nil {
			return err
		}
		d.Held, d.HandedOn = make([]HeldLine, len(d.Vouchers)), gone
		for i, v := range d.Vouchers {
			d.Held[i] = HeldLine{v.ID, lines[v.ID]}
		}
		return nil
	})
	return d, err
}
