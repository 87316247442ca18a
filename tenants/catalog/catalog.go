// Package catalog is what an organisation sells: voucher types, gift vouchers, and packages of them.
package catalog

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/cache"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
)

// Service answers what customers and owners ask about the catalogue.
type Service struct {
	db      *db.DB
	markets *cache.Cache[uuid.UUID, *market]
}

// New returns the service.
func New(d *db.DB) *Service { return &Service{db: d, markets: newMarkets(d)} }

// Picture is an uploaded picture as a page needs it: size and colour stand in until it has loaded.
type Picture struct {
	ID     uuid.UUID `json:"id"`
	Width  int       `json:"width"`
	Height int       `json:"height"`
	Colour string    `json:"color" doc:"#rrggbb, its dominant colour"`
}

// PackageCard is a package as the market shows it.
type PackageCard struct {
	ID            uuid.UUID     `json:"id"`
	Code          string        `json:"code"`
	NameTH        string        `json:"name_th"`
	NameEN        string        `json:"name_en"`
	BadgeTH       string        `json:"badge_th"`
	BadgeEN       string        `json:"badge_en"`
	Picture       *Picture      `json:"picture"`
	Price         money.Amount  `json:"price_satang"`
	ListPrice     *money.Amount `json:"list_price_satang" doc:"What it would cost otherwise"`
	Remaining     *int64        `json:"remaining" doc:"null: unlimited"`
	Sold          int64         `json:"sold"`
	Tags          []uuid.UUID   `json:"tags"`
	Featured      bool          `json:"featured"`
	ServicePoints int           `json:"service_points" doc:"How many service points honour all of it"`
	SaleTo        *time.Time    `json:"sale_to"`
}

// waiting is how many pieces of a package wait for their money: stock is taken for them, and they are not sold yet. It ends where the package's id follows.
const waiting = `SELECT coalesce(sum(w.quantity), 0)::bigint FROM orders o JOIN order_line w ON w.order_id = o.id WHERE o.state = 'awaiting' AND w.package_id`

const (
	// What holds a voucher whose last day has passed is not on sale, whatever its sale period says.
	onSale = `p.status = 5 AND (p.sale_from IS NULL OR p.sale_from <= $1) AND (p.sale_to IS NULL OR p.sale_to > $1)
		AND NOT EXISTS (SELECT FROM package_part part LEFT JOIN voucher_type t ON t.id = part.voucher_type_id
			LEFT JOIN gift_voucher g ON g.id = part.gift_voucher_id WHERE part.package_id = p.id
			AND coalesce(t.valid_until, g.valid_until) < ($1::timestamptz AT TIME ZONE 'Asia/Bangkok')::date)`
	card = `SELECT p.id, p.code, p.name_th, p.name_en, p.badge_th, p.badge_en, p.picture_id, i.width, i.height, i.colour,
			p.price_satang, p.list_price_satang, s.quantity - s.sold, coalesce(s.sold, 0) - (` + waiting + ` = p.id), p.featured, p.sale_to, p.created_at,
			coalesce((SELECT array_agg(tag_id ORDER BY tag_id) FROM package_tag t WHERE t.package_id = p.id), '{}'),
			CASE WHEN EXISTS (SELECT FROM package_part pi JOIN template_service_point v ON v.template_id = coalesce(pi.voucher_type_id, pi.gift_voucher_id) WHERE pi.package_id = p.id)
				THEN (SELECT count(*) FROM service_point sp WHERE sp.status = 5 AND NOT EXISTS (SELECT FROM package_part pi WHERE pi.package_id = p.id
					AND EXISTS (SELECT FROM template_service_point v WHERE v.template_id = coalesce(pi.voucher_type_id, pi.gift_voucher_id))
					AND NOT EXISTS (SELECT FROM template_service_point v WHERE v.template_id = coalesce(pi.voucher_type_id, pi.gift_voucher_id)
						AND v.service_point_id = sp.id)))
				ELSE (SELECT count(*) FROM service_point sp WHERE sp.status = 5) END
		FROM package p LEFT JOIN picture i ON i.id = p.picture_id LEFT JOIN stock s ON s.package_id = p.id WHERE `
)

// PackageDetail is a package with everything a customer may ask before he buys.
type PackageDetail struct {
	PackageCard
	DescriptionTH string `json:"description_th"`
	DescriptionEN string `json:"description_en"`
	PerCustomer   *int   `json:"per_customer"`
	RefundTerms
	RefundUntil string               `json:"refund_until" format:"date" doc:"Last day of a refund of what is bought now, Asia/Bangkok"`
	Items       []PartDetail         `json:"parts"`
	Where       []PublicServicePoint `json:"where"`
	OfTheShop   int                  `json:"shop_service_points" doc:"How many service points the organisation has, also those that do not honour it"`
	Protected   bool                 `json:"protected" doc:"Money of what is not used yet is set aside by the platform"`
}

// PublicContact is who an organisation is before the law and whom its customers ask. Its tax id is a person's own where there is no company, and
// stays in the back office. The package content has its row.
type PublicContact struct {
	LegalNameTH string `json:"legal_name_th"`
	LegalNameEN string `json:"legal_name_en"`
	AddressTH   string `json:"address_th"`
	AddressEN   string `json:"address_en"`
	Phone       string `json:"phone"`
	Email       string `json:"email"`
	LineID      string `json:"line_id"`
}

// PartDetail is one kind of voucher in a package.
type PartDetail struct {
	NameTH           string  `json:"name_th"`
	NameEN           string  `json:"name_en"`
	Kind             string  `json:"kind" enum:"item,baht"`
	Quantity         int     `json:"quantity" doc:"Vouchers of this kind"`
	Count            int64   `json:"count" doc:"Items of one voucher, satang when kind is baht"`
	ValidDays        *int    `json:"valid_days"`
	ValidUntil       *string `json:"valid_until" format:"date"`
	LastDay          string  `json:"last_day" format:"date" doc:"Of one that is bought now, Asia/Bangkok"`
	TransferRule     string  `json:"transfer_rule" enum:"none,times,unlimited"`
	TransferTimes    int     `json:"transfer_times"`
	TransferTogether bool    `json:"transfer_together"`
	ConditionsTH     string  `json:"conditions_th"`
	ConditionsEN     string  `json:"conditions_en"`
	ExpiryRule       string  `json:"expiry_rule" enum:"breakage,wallet" doc:"What is left at expiry: kept by the organisation, or back to the holder's wallet"`
	Sentences
}

const (
	oneCard   = card + onSale + ` AND p.id = $2`
	whomToAsk = `SELECT legal_name_th, legal_name_en, address_th, address_en, phone, email, line_id FROM contact_details`

	words    = `SELECT description_th, description_en, per_customer, refund_rule, refund_days, refund_fee_basis_points, (SELECT count(*) FROM service_point WHERE status = 5) FROM package WHERE id = $1`
	contents = `SELECT coalesce(t.name_th, g.name_th), coalesce(t.name_en, g.name_en), CASE WHEN g.id IS NULL THEN 'item' ELSE 'baht' END,
			i.quantity, coalesce(t.items, g.value_satang), coalesce(t.valid_days, g.valid_days), coalesce(t.valid_until, g.valid_until)::text,
			coalesce(t.valid_until, g.valid_until, $2::date + coalesce(t.valid_days, g.valid_days))::text,
			coalesce(t.transfer_rule, g.transfer_rule), coalesce(t.transfer_times, g.transfer_times),
			coalesce(t.transfer_together, g.transfer_together), coalesce(t.conditions_th, g.conditions_th), coalesce(t.conditions_en, g.conditions_en),
			CASE k.class WHEN 'ordinary' THEN coalesce(t.expiry_rule, g.expiry_rule) ELSE 'wallet' END, ` + ConditionColumns + `
		FROM package_part i JOIN package k ON k.id = i.package_id LEFT JOIN voucher_type t ON t.id = i.voucher_type_id LEFT JOIN gift_voucher g ON g.id = i.gift_voucher_id
		LEFT JOIN template_version ver ON ver.template_id = coalesce(t.id, g.id) AND ver.current
		WHERE i.package_id = $1 ORDER BY i.position`
	servicePointsOf = SelectServicePoints + `WHERE p.status = 5 AND NOT EXISTS (SELECT FROM package_part pi WHERE pi.package_id = $1
		AND EXISTS (SELECT FROM template_service_point v WHERE v.template_id = coalesce(pi.voucher_type_id, pi.gift_voucher_id))
		AND NOT EXISTS (SELECT FROM template_service_point v WHERE v.template_id = coalesce(pi.voucher_type_id, pi.gift_voucher_id) AND v.service_point_id = p.id))
		ORDER BY p.created_at, p.id`
)

// Contact returns who an organisation is: one row, or none while it has not said so.
func (s *Service) Contact(ctx context.Context, org uuid.UUID) (rows []PublicContact, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		rows, err = collect[PublicContact](ctx, tx, whomToAsk)
		return err
	})
	return rows, err
}

// Product is one package on sale. It returns ErrPackageNotFound for anything else.
func (s *Service) Product(ctx context.Context, org, id uuid.UUID) (p PackageDetail, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		tx.Queue(oneCard, tx.Now, id).Query(func(rows pgx.Rows) error {
			f, err := pgx.CollectExactlyOneRow(rows, readCard)
			if errors.Is(err, pgx.ErrNoRows) {
				return ErrPackageNotFound
			}
			p.PackageCard = f.PackageCard
			return err
		})
		tx.Queue(words, id).QueryRow(func(row pgx.Row) error {
			err := row.Scan(&p.DescriptionTH, &p.DescriptionEN, &p.PerCustomer, &p.Rule, &p.Days, &p.FeeBasisPoints, &p.OfTheShop)
			p.RefundUntil = p.Until(tx.Now).Format(time.DateOnly)
			return err
		})
		tx.Queue(contents, id, clock.Day(tx.Now)).Query(func(rows pgx.Rows) (err error) {
			p.Items, err = pgx.CollectRows(rows, readPart)
			return err
		})
		collectLater(tx, &p.Where, servicePointsOf, id)
		if err := tx.Flush(ctx); err != nil {
			return fmt.Errorf("package %s: %w", id, err)
		}
		return nil
	})
	return p, err
}

func readPart(row pgx.CollectableRow) (p PartDetail, err error) {
	var c Conditions
	err = row.Scan(append([]any{
		&p.NameTH, &p.NameEN, &p.Kind, &p.Quantity, &p.Count, &p.ValidDays, &p.ValidUntil, &p.LastDay,
		&p.TransferRule, &p.TransferTimes, &p.TransferTogether, &p.ConditionsTH, &p.ConditionsEN, &p.ExpiryRule,
	}, ConditionTargets(&c)...)...)
	p.Sentences = c.Sentences()
	return p, err
}

func collect[T any](ctx context.Context, tx db.Tx, sql string, args ...any) (all []T, err error) {
	collectLater(tx, &all, sql, args...)
	err = tx.Flush(ctx)
	return all, err
}

// collectLater queues a question; all is what it finds.
func collectLater[T any](tx db.Tx, all *[]T, sql string, args ...any) {
	tx.Queue(sql, args...).Query(func(rows pgx.Rows) (err error) {
		if *all, err = pgx.CollectRows(rows, pgx.RowToStructByPos[T]); err != nil {
			return fmt.Errorf("read the catalogue: %w", err)
		}
		return nil
	})
}
