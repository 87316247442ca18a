package board

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/voucher"
)

// ListInput narrows the board.
type ListInput struct {
	Search string     `json:"search" maxLength:"60" doc:"In the names of vouchers; empty finds all"`
	Tag    *uuid.UUID `json:"tag_id" nullable:"true" doc:"Of a package as which they were bought"`
	Sort   string     `json:"sort" enum:"saving,price,newest,ending" doc:"saving: by how much less than from the organisation, in proportion"`
	Skip   int        `json:"skip" minimum:"0" maximum:"100000" doc:"How many to leave out, which were read before"`
}

// Page is a page of the board.
type Page struct {
	Data  []Offer `json:"data"`
	Total int64   `json:"total" doc:"Of all pages"`
}

// $1 is who asks, and $2 the time.
const (
	// What a package with one kind of voucher costs, an item.
	shopPrices = `WITH shop AS (SELECT coalesce(i.voucher_type_id, i.gift_voucher_id) AS template_id, min(p.price_satang::numeric / (i.quantity * coalesce(t.items, g.value_satang))) AS each
		FROM package p JOIN package_part i ON i.package_id = p.id LEFT JOIN voucher_type t ON t.id = i.voucher_type_id LEFT JOIN gift_voucher g ON g.id = i.gift_voucher_id
		LEFT JOIN stock s ON s.package_id = p.id
		WHERE p.status = 5 AND p.price_satang > 0 AND (p.sale_from IS NULL OR p.sale_from <= $2) AND (p.sale_to IS NULL OR p.sale_to > $2) AND (s.quantity IS NULL OR s.sold < s.quantity)
			AND NOT EXISTS (SELECT FROM package_part other WHERE other.package_id = p.id AND other.position <> i.position) GROUP BY 1) `
	// The first voucher of an offer, and how often it went from hand to hand before.
	inOffer = `JOIN LATERAL (SELECT v.id, v.order_id, v.line_position, v.template_id, v.version_id, v.kind, v.name_th, v.name_en, v.picture_id, v.transfer_rule, v.transfers_left, v.issued_at, v.holder_id,
			(sum(n.items) OVER ())::bigint AS items, count(*) OVER () AS vouchers, min(v.valid_until) OVER () AS valid_until
		FROM voucher_event n JOIN voucher v ON v.id = n.voucher_id WHERE n.offer_id = f.id AND n.event = 'offer' ORDER BY v.id LIMIT 1) v ON true `
	hands = `CROSS JOIN LATERAL (WITH RECURSIVE hand (id, parent_id, undoes, before) AS (
			SELECT w.id, w.parent_id, w.undoes, NULL::uuid FROM voucher w WHERE w.id = v.id
			UNION ALL SELECT p.id, p.parent_id, p.undoes, coalesce(h.undoes, h.id) FROM hand h JOIN voucher p ON p.id = h.parent_id)
		SELECT count(*) FILTER (WHERE n.event = 'claim') AS given, count(*) FILTER (WHERE n.event = 'sell') AS resold FROM hand h
		JOIN voucher_event n ON n.voucher_id = h.id AND n.event IN ('claim', 'sell') AND (h.before IS NULL OR n.id < h.before) AND n.at <= f.created_at AND n.offer_id IS DISTINCT FROM f.id) h `
	offerColumns = `SELECT f.id, f.state, f.seller_id = $1, f.price_satang, (shop.each * v.items)::bigint, v.kind, v.name_th, v.name_en, v.picture_id, v.items, v.vouchers, v.valid_until, h.given, h.resold,
			v.transfer_rule, v.transfers_left, f.created_at, f.expires_at, f.ended_at, f.stopped_by IS NOT NULL, f.stopped_by_admin IS NOT NULL, f.royalty_satang, f.fee_satang,
			CASE WHEN f.seller_id = $1 THEN coalesce(b.display_name, '') ELSE '' END, CASE WHEN $1 IN (f.seller_id, r.buyer_id) THEN r.number ELSE '' END, coalesce(r.buyer_id = $1, false), w.id `
	fromOffer = `FROM offer f ` + inOffer + hands + `LEFT JOIN shop ON shop.template_id = v.template_id LEFT JOIN resale r ON r.offer_id = f.id LEFT JOIN customer b ON b.id = r.buyer_id
		LEFT JOIN reservation w ON w.offer_id = f.id AND w.state = 'open' AND w.buyer_id = $1 `

	onBoard = `WHERE f.state IN ('open', 'reserved') AND f.expires_at > $2 AND ($3 = '' OR position(lower($3) IN lower(v.name_th)) > 0 OR position(lower($3) IN lower(v.name_en)) > 0)
		AND ($4::uuid IS NULL OR EXISTS (SELECT FROM order_line l JOIN package_tag t ON t.package_id = l.package_id WHERE l.order_id = v.order_id AND l.position = v.line_position AND t.tag_id = $4)) `
	pageOfBoard = 30

	oneOffer = shopPrices + offerColumns + `, v.id, s.display_name, v.issued_at, v.version_id, CASE WHEN v.holder_id = $1 THEN v.id END,
		EXISTS (SELECT FROM offer_report q WHERE q.offer_id = f.id AND q.customer_id = $1), CASE WHEN r.buyer_id = $1 THEN coalesce((SELECT c.method FROM charge c WHERE c.id = r.id), 'wallet') ELSE '' END, ver.conditions_th, ver.conditions_en, ` + catalog.ConditionColumns + ` ` + fromOffer +
		`JOIN customer s ON s.id = f.seller_id JOIN template_version ver ON ver.id = v.version_id WHERE f.id = $3`
	madeBy      = shopPrices + offerColumns + fromOffer + `WHERE f.seller_id = $1 AND ($3::uuid IS NULL OR f.id < $3) ORDER BY f.id DESC LIMIT $4`
	boughtBy    = shopPrices + offerColumns + fromOffer + `WHERE r.buyer_id = $1 AND ($3::uuid IS NULL OR r.id < (SELECT q.id FROM resale q WHERE q.offer_id = $3)) ORDER BY r.id DESC LIMIT $4`
	countBoard  = `SELECT count(*) FROM offer f ` + inOffer + onBoard + `AND $1::uuid IS NOT NULL`
	pageOfOwn   = 50
	lettersSeen = 3 // of a seller's name
)

var sorts = map[string]string{
	"saving": shopPrices + offerColumns + fromOffer + onBoard + `ORDER BY f.price_satang / nullif(shop.each * v.items, 0) NULLS LAST, f.id DESC LIMIT $5 OFFSET $6`,
	"price":  shopPrices + offerColumns + fromOffer + onBoard + `ORDER BY f.price_satang, f.id DESC LIMIT $5 OFFSET $6`,
	"newest": shopPrices + offerColumns + fromOffer + onBoard + `ORDER BY f.id DESC LIMIT $5 OFFSET $6`,
	"ending": shopPrices + offerColumns + fromOffer + onBoard + `ORDER BY v.valid_until, f.id DESC LIMIT $5 OFFSET $6`,
}

// scan reads an offer. more are the columns after offerColumns.
func scan(row pgx.CollectableRow, now time.Time, more ...any) (f Offer, err error) {
	var split Split
	var until time.Time
	var number *string
	err = row.Scan(append([]any{
		&f.ID, &f.State, &f.Own, &f.Price, &f.ShopPrice, &f.Kind, &f.NameTH, &f.NameEN, &f.Picture, &f.Items, &f.Vouchers, &until, &f.Given, &f.Resold,
		&f.TransferRule, &f.TransfersLeft, &f.CreatedAt, &f.ExpiresAt, &f.EndedAt, &f.ByShop, &f.ByPlatform, &split.Royalty, &split.Fee, &f.Buyer, &number, &f.Bought, &f.Payment,
	}, more...)...)
	if err != nil {
		return f, err
	}
	f.ValidUntil = until.Format(time.DateOnly)
	if number != nil {
		f.Number = *number
	}
	if f.State == open && !now.Before(f.ExpiresAt) {
		f.State = voucher.Ended
	}
	if f.State != sold && f.TransferRule == "times" {
		f.TransfersLeft-- // the sale takes one
	}
	if f.Own {
		split.Net = f.Price - split.Royalty - split.Fee
		f.Split = &split
	}
	return f, nil
}

func collect(ctx context.Context, tx db.Tx, sql string, args ...any) ([]Offer, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("offers: %w", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Offer, error) { return scan(row, tx.Now) })
	if err != nil {
		return nil, fmt.Errorf("offers: %w", err)
	}
	return list, nil
}

// List returns a page of the open offers; none while the board is closed.
func (s *Service) List(ctx context.Context, who token.Session, in ListInput) (page Page, err error) {
	page.Data = []Offer{}
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		setting, err := ReadSetting(ctx, tx)
		if err != nil || !setting.Open {
			return err
		}
		if page.Data, err = collect(ctx, tx, sorts[in.Sort], who.Subject, tx.Now, in.Search, in.Tag, pageOfBoard, in.Skip); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, countBoard, who.Subject, tx.Now, in.Search, in.Tag).Scan(&page.Total); err != nil {
			return fmt.Errorf("count offers: %w", err)
		}
		return nil
	})
	return page, err
}

// Detail returns an offer: one that is open or being paid, and any that the customer made or bought. It returns ErrOver for one that is over for him, and
// ErrNotFound.
func (s *Service) Detail(ctx context.Context, who token.Session, id uuid.UUID) (d Detail, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, oneOffer, who.Subject, tx.Now, id)
		if err != nil {
			return fmt.Errorf("offer %s: %w", id, err)
		}
		var version, goods uuid.UUID
		all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (d Detail, err error) {
			var conditions catalog.Conditions
			d.Offer, err = scan(row, tx.Now, append([]any{&goods, &d.Seller, &d.BoughtAt, &version, &d.Voucher, &d.Reported, &d.PaidBy, &d.ConditionsTH, &d.ConditionsEN}, catalog.ConditionTargets(&conditions)...)...)
			d.Sentences = conditions.Sentences()
			return d, err
		})
		switch {
		case err != nil:
			return fmt.Errorf("offer %s: %w", id, err)
		case len(all) == 0:
			return ErrNotFound
		}
		d = all[0]
		if d.State != open && d.State != reserved && !d.Own && !d.Bought {
			return ErrOver.With(OverDetail{d.State})
		}
		if !d.Own {
			name := []rune(d.Seller)
			d.Seller = string(name[:min(len(name), lettersSeen)])
		}
		if d.Hands, err = voucher.HandsOf(ctx, tx, goods, d.CreatedAt, &d.ID); err != nil {
			return err
		}
		if d.Where, err = voucher.HonouredAt(ctx, tx, version); err != nil {
			return err
		}
		d.Consents = []consent.Text{}
		if who.Audience == token.User && !d.Own {
			d.Consents, err = consent.ListMissing(ctx, tx, consent.Addressee(who.Audience), consent.ForPurchase, who.Subject)
		}
		return err
	})
	return d, err
}

// OwnInput says which of a customer's offers are meant.
type OwnInput struct {
	Side  string     `json:"side" enum:"sell,buy" doc:"Those that he made, or that he bought"`
	After *uuid.UUID `json:"after" nullable:"true" doc:"The last offer of the page before"`
}

// Own returns a page of what the customer offered or bought, the newest first.
func (s *Service) Own(ctx context.Context, who token.Session, in OwnInput) (list []Offer, err error) {
	sql := madeBy
	if in.Side == "buy" {
		sql = boughtBy
	}
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		list, err = collect(ctx, tx, sql, who.Subject, tx.Now, in.After, pageOfOwn)
		return err
	})
	return list, err
}
