// Package catalog is what an organisation sells: voucher types, gift vouchers, and packages of them.
package catalog

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/strictjson"
)

// Service answers what customers and owners ask about the catalogue.
type Service struct {
	db    *db.DB
	shelf *shelf
}

// New returns the service.
func New(d *db.DB) *Service { return &Service{db: d, shelf: newShelf(d.Now)} }

// Picture is an uploaded picture as a page needs it: size and colour stand in until it has loaded.
type Picture struct {
	ID     uuid.UUID `json:"id"`
	Width  int       `json:"width"`
	Height int       `json:"height"`
	Colour string    `json:"colour" doc:"#rrggbb, its dominant colour"`
}

// Card is a package as the market shows it.
type Card struct {
	ID        uuid.UUID     `json:"id"`
	Code      string        `json:"code"`
	NameTH    string        `json:"name_th"`
	NameEN    string        `json:"name_en"`
	BadgeTH   string        `json:"badge_th"`
	BadgeEN   string        `json:"badge_en"`
	Picture   *Picture      `json:"picture"`
	Price     money.Amount  `json:"price_satang"`
	ListPrice *money.Amount `json:"list_price_satang" doc:"What it would cost otherwise"`
	Remaining *int64        `json:"remaining" doc:"null: unlimited"`
	Sold      int64         `json:"sold"`
	Tags      []uuid.UUID   `json:"tags"`
	Featured  bool          `json:"featured"`
	Places    int           `json:"places" doc:"How many service points honour all of it"`
	SaleTo    *time.Time    `json:"sale_to"`
}

// MarketInput searches the market.
type MarketInput struct {
	Search string       `json:"search,omitempty" maxLength:"80"`
	Filter MarketFilter `json:"filter,omitempty"`
	Sort   string       `json:"sort,omitempty" enum:",-sold,price_satang,-price_satang,-created" doc:"Empty: featured first, then the best sold"`
	Limit  int          `json:"limit,omitempty" minimum:"0" maximum:"60" doc:"0: 24"`
	After  string       `json:"after,omitempty" maxLength:"400" doc:"next of the page before"`
}

// MarketFilter narrows the market.
type MarketFilter struct {
	Tag      *uuid.UUID    `json:"tag,omitempty"`
	PriceMin *money.Amount `json:"price_min_satang,omitempty"`
	PriceMax *money.Amount `json:"price_max_satang,omitempty"`
	Place    *uuid.UUID    `json:"place,omitempty"`
}

// MarketPage is a page of cards.
type MarketPage struct {
	Data  []Card  `json:"data"`
	Next  *string `json:"next" doc:"after of the page that follows; null at the end"`
	Total int64   `json:"total"`
}

// ErrCursor says that an after is none of ours.
var ErrCursor = fault.New(fault.Invalid, "field.cursor", "please try again")

const (
	// What holds a voucher whose last day has passed is not on sale, whatever its sale period says.
	onSale = `p.status = 5 AND (p.sale_from IS NULL OR p.sale_from <= $1) AND (p.sale_to IS NULL OR p.sale_to > $1)
		AND NOT EXISTS (SELECT FROM package_item part LEFT JOIN voucher_type t ON t.id = part.voucher_type_id
			LEFT JOIN gift_voucher g ON g.id = part.gift_voucher_id WHERE part.package_id = p.id
			AND coalesce(t.valid_until, g.valid_until) < ($1::timestamptz AT TIME ZONE 'Asia/Bangkok')::date)`
	narrow = ` AND ($2 = '' OR p.name_th ILIKE $2 OR p.name_en ILIKE $2 OR p.description_th ILIKE $2 OR p.description_en ILIKE $2)
		AND ($3::uuid IS NULL OR EXISTS (SELECT FROM package_tag t WHERE t.package_id = p.id AND t.tag_id = $3))
		AND ($4::bigint IS NULL OR p.price_satang >= $4) AND ($5::bigint IS NULL OR p.price_satang <= $5)
		AND ($6::uuid IS NULL OR NOT EXISTS (SELECT FROM package_item i WHERE i.package_id = p.id
			AND EXISTS (SELECT FROM voucher_place v WHERE v.template_id = coalesce(i.voucher_type_id, i.gift_voucher_id))
			AND NOT EXISTS (SELECT FROM voucher_place v WHERE v.template_id = coalesce(i.voucher_type_id, i.gift_voucher_id) AND v.service_point_id = $6)))`
	card = `SELECT p.id, p.code, p.name_th, p.name_en, p.badge_th, p.badge_en, p.picture_id, i.width, i.height, i.colour,
			p.price_satang, p.list_price_satang, s.quantity - s.sold, coalesce(s.sold, 0), p.featured, p.sale_to, p.created_at,
			coalesce((SELECT array_agg(tag_id ORDER BY tag_id) FROM package_tag t WHERE t.package_id = p.id), '{}'),
			CASE WHEN EXISTS (SELECT FROM package_item pi JOIN voucher_place v ON v.template_id = coalesce(pi.voucher_type_id, pi.gift_voucher_id) WHERE pi.package_id = p.id)
				THEN (SELECT count(*) FROM service_point sp WHERE sp.status = 5 AND NOT EXISTS (SELECT FROM package_item pi WHERE pi.package_id = p.id
					AND EXISTS (SELECT FROM voucher_place v WHERE v.template_id = coalesce(pi.voucher_type_id, pi.gift_voucher_id))
					AND NOT EXISTS (SELECT FROM voucher_place v WHERE v.template_id = coalesce(pi.voucher_type_id, pi.gift_voucher_id)
						AND v.service_point_id = sp.id)))
				ELSE (SELECT count(*) FROM service_point sp WHERE sp.status = 5) END
		FROM package p LEFT JOIN picture i ON i.id = p.picture_id LEFT JOIN stock s ON s.package_id = p.id WHERE `
	countMarket = `SELECT count(*) FROM package p WHERE ` + onSale + narrow

	// One constant per order, so that a cursor compares exactly what it is ordered by. $7 is the rank of the last card seen
	// and $8 its id; both are null on the first page.
	page       = ` AND ($7::bigint IS NULL OR `
	byFeatured = card + onSale + narrow + page + `(` + featuredRank + `, p.id) < ($7, $8)) ORDER BY ` + featuredRank + ` DESC, p.id DESC LIMIT $9`
	bySold     = card + onSale + narrow + page + `(coalesce(s.sold, 0), p.id) < ($7, $8)) ORDER BY coalesce(s.sold, 0) DESC, p.id DESC LIMIT $9`
	byPrice    = card + onSale + narrow + page + `(p.price_satang, p.id) > ($7, $8)) ORDER BY p.price_satang, p.id LIMIT $9`
	byPriceDsc = card + onSale + narrow + page + `(p.price_satang, p.id) < ($7, $8)) ORDER BY p.price_satang DESC, p.id DESC LIMIT $9`
	byCreated  = card + onSale + narrow + page + `(` + createdRank + `, p.id) < ($7, $8)) ORDER BY ` + createdRank + ` DESC, p.id DESC LIMIT $9`

	featuredRank = `(CASE WHEN p.featured THEN 4000000000000000000 ELSE 0 END + coalesce(s.sold, 0))`
	createdRank  = `(extract(epoch FROM p.created_at) * 1000000)::bigint`
)

var orders = map[string]struct {
	sql  string
	rank func(c Card, created time.Time) int64
}{
	"": {byFeatured, func(c Card, _ time.Time) int64 {
		if c.Featured {
			return 4_000_000_000_000_000_000 + c.Sold
		}
		return c.Sold
	}},
	"-sold":         {bySold, func(c Card, _ time.Time) int64 { return c.Sold }},
	"price_satang":  {byPrice, func(c Card, _ time.Time) int64 { return int64(c.Price) }},
	"-price_satang": {byPriceDsc, func(c Card, _ time.Time) int64 { return int64(c.Price) }},
	"-created":      {byCreated, func(_ Card, created time.Time) int64 { return created.UnixMicro() }},
}

const defaultPage = 24

// Market is a page of what is on sale now, or was a second ago. It returns ErrCursor for an after that is none of ours.
func (s *Service) Market(ctx context.Context, org uuid.UUID, in MarketInput) (MarketPage, error) {
	return s.shelf.page(ctx, org, in, func(ctx context.Context) (MarketPage, error) { return s.readMarket(ctx, org, in) })
}

// Changed has the market show at once what the organisation has changed.
func (s *Service) Changed(org uuid.UUID) { s.shelf.changed(org) }

func (s *Service) readMarket(ctx context.Context, org uuid.UUID, in MarketInput) (MarketPage, error) {
	limit := in.Limit
	if limit == 0 {
		limit = defaultPage
	}
	after, err := readCursor(in.After)
	if err != nil {
		return MarketPage{}, err
	}
	order, known := orders[in.Sort]
	if !known {
		return MarketPage{}, fault.At("sort", fault.NotInList)
	}

	var result MarketPage
	err = s.db.LookInOrg(ctx, org, func(tx db.Tx) error {
		result = MarketPage{Data: []Card{}}
		filter := []any{tx.Now, pattern(in.Search), in.Filter.Tag, in.Filter.PriceMin, in.Filter.PriceMax, in.Filter.Place}
		tx.PlanOnce() // many filters that are seldom set: planned for each request, they would be planned for longer than they run
		tx.Later(countMarket, filter...).QueryRow(func(row pgx.Row) error {
			if err := row.Scan(&result.Total); err != nil {
				return fmt.Errorf("count the market: %w", err)
			}
			return nil
		})
		rows, err := tx.Query(ctx, order.sql, append(filter, after.Rank, after.ID, limit+1)...)
		if err != nil {
			return fmt.Errorf("read the market: %w", err)
		}
		found, err := pgx.CollectRows(rows, readCard)
		if err != nil {
			return fmt.Errorf("read the market: %w", err)
		}
		if len(found) > limit {
			found = found[:limit]
			last := found[limit-1]
			next, err := writeCursor(order.rank(last.Card, last.created), last.ID)
			if err != nil {
				return err
			}
			result.Next = &next
		}
		for _, f := range found {
			result.Data = append(result.Data, f.Card)
		}
		return nil
	})
	return result, err
}

type found struct {
	Card
	created time.Time
}

func readCard(row pgx.CollectableRow) (f found, err error) {
	var picture *uuid.UUID
	var width, height *int
	var colour *string
	err = row.Scan(&f.ID, &f.Code, &f.NameTH, &f.NameEN, &f.BadgeTH, &f.BadgeEN, &picture, &width, &height, &colour,
		&f.Price, &f.ListPrice, &f.Remaining, &f.Sold, &f.Featured, &f.SaleTo, &f.created, &f.Tags, &f.Places)
	if picture != nil && width != nil {
		f.Picture = &Picture{ID: *picture, Width: *width, Height: *height, Colour: *colour}
	}
	return f, err
}

// pattern is what ILIKE looks for; signs that mean something to it are taken literally.
func pattern(search string) string {
	if search = strings.TrimSpace(search); search == "" {
		return ""
	}
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(search) + "%"
}

type cursor struct {
	Rank *int64
	ID   *uuid.UUID
}

func writeCursor(rank int64, id uuid.UUID) (string, error) {
	text, err := json.Marshal(cursor{Rank: &rank, ID: &id})
	if err != nil {
		return "", fmt.Errorf("write a cursor: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(text), nil
}

func readCursor(s string) (c cursor, err error) {
	if s == "" {
		return c, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || strictjson.Unmarshal(text, &c) != nil || c.Rank == nil || c.ID == nil {
		return c, fault.At("after", ErrCursor)
	}
	return c, nil
}

// Product is a package with everything a customer may ask before he buys.
type Product struct {
	Card
	DescriptionTH string  `json:"description_th"`
	DescriptionEN string  `json:"description_en"`
	PerCustomer   *int    `json:"per_customer"`
	Items         []Item  `json:"items"`
	Where         []Place `json:"where"`
	Protected     bool    `json:"protected" doc:"Money of what is not used yet is set aside by the platform"`
}

// Item is one kind of voucher in a package.
type Item struct {
	NameTH           string  `json:"name_th"`
	NameEN           string  `json:"name_en"`
	Kind             string  `json:"kind" enum:"item,baht"`
	Quantity         int     `json:"quantity" doc:"Vouchers of this kind"`
	Count            int64   `json:"count" doc:"Items of one voucher, satang when kind is baht"`
	ValidDays        *int    `json:"valid_days"`
	ValidUntil       *string `json:"valid_until" format:"date"`
	TransferRule     string  `json:"transfer_rule" enum:"none,times,unlimited"`
	TransferTimes    int     `json:"transfer_times"`
	TransferTogether bool    `json:"transfer_together"`
	ConditionsTH     string  `json:"conditions_th"`
	ConditionsEN     string  `json:"conditions_en"`
}

// Place is a service point as a customer sees it.
type Place struct {
	ID        uuid.UUID `json:"id"`
	NameTH    string    `json:"name_th"`
	NameEN    string    `json:"name_en"`
	AddressTH string    `json:"address_th"`
	AddressEN string    `json:"address_en"`
	Phone     string    `json:"phone"`
	HoursTH   string    `json:"hours_th"`
	HoursEN   string    `json:"hours_en"`
	Latitude  *float64  `json:"latitude"`
	Longitude *float64  `json:"longitude"`
}

const (
	oneCard  = card + onSale + ` AND p.id = $2`
	words    = `SELECT description_th, description_en, per_customer FROM package WHERE id = $1`
	contents = `SELECT coalesce(t.name_th, g.name_th), coalesce(t.name_en, g.name_en), CASE WHEN g.id IS NULL THEN 'item' ELSE 'baht' END,
			i.quantity, coalesce(t.items, g.value_satang), coalesce(t.valid_days, g.valid_days), coalesce(t.valid_until, g.valid_until)::text,
			coalesce(t.transfer_rule, g.transfer_rule), coalesce(t.transfer_times, g.transfer_times),
			coalesce(t.transfer_together, g.transfer_together), coalesce(t.conditions_th, g.conditions_th), coalesce(t.conditions_en, g.conditions_en)
		FROM package_item i LEFT JOIN voucher_type t ON t.id = i.voucher_type_id LEFT JOIN gift_voucher g ON g.id = i.gift_voucher_id
		WHERE i.package_id = $1 ORDER BY i.position`
	placeColumns = `SELECT id, name_th, name_en, address_th, address_en, phone, hours_th, hours_en, latitude, longitude FROM service_point sp `
	placesOf     = placeColumns + `WHERE status = 5 AND NOT EXISTS (SELECT FROM package_item pi WHERE pi.package_id = $1
		AND EXISTS (SELECT FROM voucher_place v WHERE v.template_id = coalesce(pi.voucher_type_id, pi.gift_voucher_id))
		AND NOT EXISTS (SELECT FROM voucher_place v WHERE v.template_id = coalesce(pi.voucher_type_id, pi.gift_voucher_id) AND v.service_point_id = sp.id))
		ORDER BY created_at, id`
	allPlaces = placeColumns + `WHERE status = 5 ORDER BY created_at, id`
	allTags   = `SELECT id, name_th, name_en FROM tag WHERE status = 5 AND EXISTS (
		SELECT FROM package_tag pt JOIN package p ON p.id = pt.package_id WHERE pt.tag_id = tag.id AND ` + onSale + `) ORDER BY position, created_at, id`
)

// Product is one package on sale. It returns ErrPackageNotFound for anything else.
func (s *Service) Product(ctx context.Context, org, id uuid.UUID) (p Product, err error) {
	err = s.db.LookInOrg(ctx, org, func(tx db.Tx) error {
		tx.Later(oneCard, tx.Now, id).Query(func(rows pgx.Rows) error {
			f, err := pgx.CollectExactlyOneRow(rows, readCard)
			if errors.Is(err, pgx.ErrNoRows) {
				return ErrPackageNotFound
			}
			p.Card = f.Card
			return err
		})
		tx.Later(words, id).QueryRow(func(row pgx.Row) error { return row.Scan(&p.DescriptionTH, &p.DescriptionEN, &p.PerCustomer) })
		collectLater(tx, &p.Items, contents, id)
		collectLater(tx, &p.Where, placesOf, id)
		if err := tx.Flush(ctx); err != nil {
			return fmt.Errorf("package %s: %w", id, err)
		}
		return nil
	})
	return p, err
}

// Places lists the organisation's active service points.
func (s *Service) Places(ctx context.Context, org uuid.UUID) (places []Place, err error) {
	err = s.db.LookInOrg(ctx, org, func(tx db.Tx) error {
		places, err = collect[Place](ctx, tx, allPlaces)
		return err
	})
	return places, err
}

// Tag is a category of the market.
type Tag struct {
	ID     uuid.UUID `json:"id"`
	NameTH string    `json:"name_th"`
	NameEN string    `json:"name_en"`
}

// Tags lists the tags of what is on sale now.
func (s *Service) Tags(ctx context.Context, org uuid.UUID) (tags []Tag, err error) {
	err = s.db.LookInOrg(ctx, org, func(tx db.Tx) error {
		tags, err = collect[Tag](ctx, tx, allTags, tx.Now)
		return err
	})
	return tags, err
}

func collect[T any](ctx context.Context, tx db.Tx, sql string, args ...any) (all []T, err error) {
	collectLater(tx, &all, sql, args...)
	err = tx.Flush(ctx)
	return all, err
}

// collectLater queues a question; all is what it finds.
func collectLater[T any](tx db.Tx, all *[]T, sql string, args ...any) {
	tx.Later(sql, args...).Query(func(rows pgx.Rows) (err error) {
		if *all, err = pgx.CollectRows(rows, pgx.RowToStructByPos[T]); err != nil {
			return fmt.Errorf("read the catalogue: %w", err)
		}
		return nil
	})
}
