package catalog

import (
	"context"
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
	// LIMIT has each looked up by its key, and OFFSET the same: a join may be planned, while the tables are small, to read all
	// of them.
	offered = `SELECT asked.id, name_th, name_en, picture_id, price_satang, per_customer, on_sale FROM unnest($1::uuid[]) AS asked (id) CROSS JOIN LATERAL (
		SELECT name_th, name_en, picture_id, price_satang, per_customer, status = 5
			AND (sale_from IS NULL OR sale_from <= $2) AND (sale_to IS NULL OR sale_to > $2) AS on_sale
		FROM package WHERE id = asked.id AND status <> 9 LIMIT 1) AS p`
	parts = `SELECT asked.id, p.* FROM unnest($1::uuid[]) AS asked (id) CROSS JOIN LATERAL (
		SELECT coalesce(t.id, g.id), v.id, g.id IS NOT NULL, coalesce(t.name_th, g.name_th), coalesce(t.name_en, g.name_en),
			coalesce(t.picture_id, g.picture_id), i.quantity, coalesce(t.items, g.value_satang),
			coalesce(t.list_price_satang * t.items, g.value_satang), coalesce(t.valid_days, g.valid_days), coalesce(t.valid_until, g.valid_until),
			coalesce(t.transfer_rule, g.transfer_rule), coalesce(t.transfer_times, g.transfer_times),
			coalesce(t.transfer_together, g.transfer_together), coalesce(t.expiry_rule, g.expiry_rule), coalesce(t.vat_point, g.vat_point),
			(SELECT count(*) FROM service_point p WHERE p.status = 5 AND (v.places = '{}' OR p.id = ANY (v.places)))
		FROM package_item i LEFT JOIN voucher_type t ON t.id = i.voucher_type_id LEFT JOIN gift_voucher g ON g.id = i.gift_voucher_id
		LEFT JOIN template_version v ON v.template_id = coalesce(t.id, g.id) AND v.current
		WHERE i.package_id = asked.id ORDER BY i.position OFFSET 0) AS p`
	giveBack = `UPDATE stock SET sold = sold - $2 WHERE package_id = $1`
)

// Listing is what became of asking for a package: its offer, or why it cannot be bought.
type Listing struct {
	Offer
	Refused error
}

// ForOrder asks for packages that customers want to buy; they are there with the transaction's next answer. One is refused
// with ErrPackageNotFound, or with ErrNotOnSale outside of its sale period, before it is published, and when a voucher of it
// has had its last day.
func ForOrder(tx db.Tx, ids []uuid.UUID) map[uuid.UUID]*Listing {
	asked := make(map[uuid.UUID]*Listing, len(ids))
	for _, id := range ids {
		asked[id] = &Listing{Refused: ErrPackageNotFound}
	}
	tx.Later(offered, ids, tx.Now).Query(func(rows pgx.Rows) error {
		var o Offer
		var onSale bool
		_, err := pgx.ForEachRow(rows, []any{&o.ID, &o.NameTH, &o.NameEN, &o.Picture, &o.Price, &o.PerCustomer, &onSale}, func() error {
			asked[o.ID].Offer, asked[o.ID].Refused = o, nil
			if !onSale {
				asked[o.ID].Refused = notOnSale(o.ID)
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("offers of packages: %w", err)
		}
		return nil
	})
	tx.Later(parts, ids).Query(func(rows pgx.Rows) error {
		type partOf struct {
			Package uuid.UUID
			Part
		}
		all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[partOf])
		if err != nil {
			return fmt.Errorf("parts of packages: %w", err)
		}
		for _, p := range all {
			listing := asked[p.Package]
			if p.Picture == nil {
				p.Picture = listing.Picture
			}
			listing.Parts = append(listing.Parts, p.Part)
		}
		for id, listing := range asked {
			if listing.Refused == nil && (len(listing.Parts) == 0 || !listing.Lasts(tx.Now)) {
				listing.Refused = notOnSale(id)
			}
		}
		return nil
	})
	return asked
}

func notOnSale(id uuid.UUID) error { return ErrNotOnSale.With(map[string]uuid.UUID{"package_id": id}) }

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
