package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
)

// Faults of buying what the catalogue offers.
var (
	ErrPackageNotFound = fault.New(fault.NotFound, "catalog.package_not_found", "Package not found")
	ErrNotOnSale       = fault.New(fault.Conflict, "catalog.not_on_sale", "This package is not on sale now")
	ErrSoldOut         = fault.New(fault.Conflict, "catalog.sold_out", "This package is sold out")
)

// Offer is a package as it is sold right now.
type Offer struct {
	ID          uuid.UUID
	NameTH      string
	NameEN      string
	Picture     *uuid.UUID
	Price       money.Amount
	PerCustomer *int
	Parts       []Part
}

// Part is one kind of voucher in an offer: Quantity vouchers of Items items (satang of a gift voucher) each.
type Part struct {
	Template      uuid.UUID
	Version       uuid.UUID // of the template: what it says of its use
	Gift          bool
	NameTH        string
	NameEN        string
	Picture       *uuid.UUID // the package's where the voucher has none of its own
	Quantity      int
	Items         int64
	Weight        int64 // list price of one voucher in satang, by which the price is spread over the parts
	ValidDays     *int
	ValidUntil    *time.Time
	TransferRule  string
	TransferTimes int
	Together      bool
	ExpiryRule    string
	VATPoint      string
	Places        int `json:"-"` // open service points that honour it now; nothing that is agreed on
}

const (
	offer = `SELECT id, name_th, name_en, picture_id, price_satang, per_customer, status = 5
			AND (sale_from IS NULL OR sale_from <= $2) AND (sale_to IS NULL OR sale_to > $2)
		FROM package WHERE id = $1 AND status <> 9`
	parts = `SELECT coalesce(t.id, g.id), v.id, g.id IS NOT NULL, coalesce(t.name_th, g.name_th), coalesce(t.name_en, g.name_en),
			coalesce(t.picture_id, g.picture_id), i.quantity, coalesce(t.items, g.value_satang),
			coalesce(t.list_price_satang * t.items, g.value_satang), coalesce(t.valid_days, g.valid_days), coalesce(t.valid_until, g.valid_until),
			coalesce(t.transfer_rule, g.transfer_rule), coalesce(t.transfer_times, g.transfer_times),
			coalesce(t.transfer_together, g.transfer_together), coalesce(t.expiry_rule, g.expiry_rule), coalesce(t.vat_point, g.vat_point),
			(SELECT count(*) FROM service_point p WHERE p.status = 5 AND (v.places = '{}' OR p.id = ANY (v.places)))
		FROM package_item i LEFT JOIN voucher_type t ON t.id = i.voucher_type_id LEFT JOIN gift_voucher g ON g.id = i.gift_voucher_id
		LEFT JOIN template_version v ON v.template_id = coalesce(t.id, g.id) AND v.current
		WHERE i.package_id = $1 ORDER BY i.position`
	giveBack = `UPDATE stock SET sold = sold - $2 WHERE package_id = $1`
)

// Listing is what became of asking for a package: its offer, or why it cannot be bought.
type Listing struct {
	Offer
	Refused error
}

// ForOrder asks for a package that a customer wants to buy; it is there with the transaction's next answer. It is refused
// with ErrPackageNotFound, or with ErrNotOnSale outside of its sale period, before it is published, and when a voucher of it
// has had its last day.
func ForOrder(tx db.Tx, id uuid.UUID) *Listing {
	var o Listing
	notOnSale := ErrNotOnSale.With(map[string]uuid.UUID{"package_id": id})
	tx.Later(offer, id, tx.Now).QueryRow(func(row pgx.Row) error {
		var onSale bool
		err := row.Scan(&o.ID, &o.NameTH, &o.NameEN, &o.Picture, &o.Price, &o.PerCustomer, &onSale)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			o.Refused = ErrPackageNotFound
		case err != nil:
			return fmt.Errorf("offer of package %s: %w", id, err)
		case !onSale:
			o.Refused = notOnSale
		}
		return nil
	})
	tx.Later(parts, id).Query(func(rows pgx.Rows) (err error) {
		if o.Parts, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Part]); err != nil {
			return fmt.Errorf("parts of package %s: %w", id, err)
		}
		for i, p := range o.Parts {
			if p.Picture == nil {
				o.Parts[i].Picture = o.Picture
			}
		}
		if o.Refused == nil && (len(o.Parts) == 0 || !o.Lasts(tx.Now)) {
			o.Refused = notOnSale
		}
		return nil
	})
	return &o
}

// Lasts says whether every voucher of the offer could still be used at that moment.
func (o Offer) Lasts(at time.Time) bool {
	return !slices.ContainsFunc(o.Parts, func(p Part) bool { return p.ValidUntil != nil && p.ValidUntil.Before(clock.Day(at)) })
}

// Vouchers is how many one piece of the offer issues.
func (o Offer) Vouchers() (n int) {
	for _, p := range o.Parts {
		n += p.Quantity
	}
	return n
}

// GiveBack returns what an order took that was never paid for.
func GiveBack(ctx context.Context, tx db.Tx, id uuid.UUID, n int) error {
	if _, err := tx.Exec(ctx, giveBack, id, n); err != nil {
		return fmt.Errorf("give %d of package %s back: %w", n, id, err)
	}
	return nil
}
