package catalog

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/cache"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/strictjson"
)

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
	Tag          *uuid.UUID    `json:"tag,omitempty"`
	PriceMin     *money.Amount `json:"price_min_satang,omitempty"`
	PriceMax     *money.Amount `json:"price_max_satang,omitempty"`
	ServicePoint *uuid.UUID    `json:"service_point,omitempty"`
}

// MarketPage is a page of cards.
type MarketPage struct {
	Data  []PackageCard `json:"data"`
	Next  *string       `json:"next" doc:"after of the page that follows; null at the end"`
	Total int64         `json:"total"`
}

// Tag is a category of the market.
type Tag struct {
	ID     uuid.UUID `json:"id"`
	NameTH string    `json:"name_th"`
	NameEN string    `json:"name_en"`
}

// ErrCursor says that an after is none of ours.
var ErrCursor = fault.New(fault.Invalid, "field.cursor", "please try again")

// market has the packages that an organisation sells now. Its readers share it and do not change it.
type market struct {
	packages      []listedPackage
	tags          []Tag // of the packages
	servicePoints []PublicServicePoint
}

type listedPackage struct {
	PackageCard
	created time.Time
}

const (
	marketTTL  = time.Second
	maxMarkets = 1000 // organisations
)

// MarketTopic is published with an organisation's id if its market may have changed: by every transaction that changes what a market shows,
// but not by a purchase.
const MarketTopic = "market"

// newMarkets returns a cache of whole markets. A market is kept for a second, because at a flash sale everybody looks at the same
// one. How many are left is decided when they are bought, so what an old market costs is a refusal. An organisation's own changes
// show at once in the process that made them, and within the second in others.
func newMarkets(d *db.DB) *cache.Cache[uuid.UUID, *market] {
	markets := cache.New[uuid.UUID, *market](marketTTL, maxMarkets, d.Now)
	d.Subscribe(MarketTopic, func(what string) {
		markets.DeleteFunc(func(org uuid.UUID, _ *market) bool { return db.Concerns(what, org) })
	})
	return markets
}

const (
	allCards = card + onSale
	allTags  = `SELECT id, name_th, name_en FROM tag WHERE status = 5 AND EXISTS (
		SELECT FROM package_tag pt JOIN package p ON p.id = pt.package_id WHERE pt.tag_id = tag.id AND ` + onSale + `) ORDER BY position, created_at, id`
	allServicePoints = SelectServicePoints + `WHERE p.status = 5 ORDER BY p.created_at, p.id`

	// Packages that have words somewhere, and all of whose vouchers a service point honours.
	matching = `SELECT p.id FROM package p WHERE p.status = 5
		AND ($1 = '' OR p.name_th ILIKE $1 OR p.name_en ILIKE $1 OR p.description_th ILIKE $1 OR p.description_en ILIKE $1)
		AND ($2::uuid IS NULL OR NOT EXISTS (SELECT FROM package_part i WHERE i.package_id = p.id
			AND EXISTS (SELECT FROM template_service_point v WHERE v.template_id = coalesce(i.voucher_type_id, i.gift_voucher_id))
			AND NOT EXISTS (SELECT FROM template_service_point v WHERE v.template_id = coalesce(i.voucher_type_id, i.gift_voucher_id) AND v.service_point_id = $2)))`
)

// market returns what an organisation sells now, or sold a second ago.
func (s *Service) market(ctx context.Context, org uuid.UUID) (*market, error) {
	return s.markets.GetOrLoad(ctx, org, func(ctx context.Context) (*market, error) {
		m := &market{}
		err := s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
			tx.ForceGenericPlan()
			tx.Queue(allCards, tx.Now).Query(func(rows pgx.Rows) (err error) {
				if m.packages, err = pgx.CollectRows(rows, readCard); err != nil {
					return fmt.Errorf("read the market: %w", err)
				}
				return nil
			})
			collectLater(tx, &m.tags, allTags, tx.Now)
			collectLater(tx, &m.servicePoints, allServicePoints)
			return tx.Flush(ctx)
		})
		return m, err
	})
}

// ServicePoints lists the organisation's active service points.
func (s *Service) ServicePoints(ctx context.Context, org uuid.UUID) ([]PublicServicePoint, error) {
	m, err := s.market(ctx, org)
	if err != nil {
		return nil, err
	}
	return m.servicePoints, nil
}

// Tags lists the tags of what is on sale.
func (s *Service) Tags(ctx context.Context, org uuid.UUID) ([]Tag, error) {
	m, err := s.market(ctx, org)
	if err != nil {
		return nil, err
	}
	return m.tags, nil
}

const defaultPage = 24

// Market is a page of what is on sale. It returns ErrCursor for an after that is none of ours.
func (s *Service) Market(ctx context.Context, org uuid.UUID, in MarketInput) (MarketPage, error) {
	limit := in.Limit
	if limit == 0 {
		limit = defaultPage
	}
	order, known := orders[in.Sort]
	if !known {
		return MarketPage{}, fault.At("sort", fault.NotInList)
	}
	after, err := readCursor(in.After)
	if err != nil {
		return MarketPage{}, err
	}
	found, err := s.search(ctx, org, in)
	if err != nil {
		return MarketPage{}, err
	}
	slices.SortFunc(found, order.compare)
	page := MarketPage{Data: []PackageCard{}, Total: int64(len(found))}
	rest := order.after(found, after)
	for _, p := range rest[:min(limit, len(rest))] {
		page.Data = append(page.Data, p.PackageCard)
	}
	if len(rest) > limit {
		next, err := writeCursor(order.rank(rest[limit-1]), rest[limit-1].ID)
		if err != nil {
			return MarketPage{}, err
		}
		page.Next = &next
	}
	return page, nil
}

// search returns the packages of the market that fit. Postgres knows which ones fit words and a service point.
func (s *Service) search(ctx context.Context, org uuid.UUID, in MarketInput) ([]*listedPackage, error) {
	m, err := s.market(ctx, org)
	if err != nil {
		return nil, err
	}
	words := pattern(in.Search)
	asks := words != "" || in.Filter.ServicePoint != nil
	fitting := map[uuid.UUID]bool{}
	if asks {
		var ids []uuid.UUID
		err := s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
			rows, err := tx.Query(ctx, matching, words, in.Filter.ServicePoint)
			if err != nil {
				return fmt.Errorf("search the market: %w", err)
			}
			ids, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			fitting[id] = true
		}
	}
	var found []*listedPackage
	for i := range m.packages {
		if p := &m.packages[i]; in.Filter.fits(p.PackageCard) && (!asks || fitting[p.ID]) {
			found = append(found, p)
		}
	}
	return found, nil
}

// fits says whether a card has the tag and the price that are asked for.
func (f MarketFilter) fits(c PackageCard) bool {
	return (f.Tag == nil || slices.Contains(c.Tags, *f.Tag)) &&
		(f.PriceMin == nil || c.Price >= *f.PriceMin) && (f.PriceMax == nil || c.Price <= *f.PriceMax)
}

// marketOrder sorts packages by their rank and id, which a cursor names.
type marketOrder struct {
	rank func(p *listedPackage) int64
	sign int // -1: the highest first
}

var orders = map[string]marketOrder{
	"": {func(p *listedPackage) int64 {
		if p.Featured {
			return 4_000_000_000_000_000_000 + p.Sold
		}
		return p.Sold
	}, -1},
	"-sold":         {func(p *listedPackage) int64 { return p.Sold }, -1},
	"price_satang":  {func(p *listedPackage) int64 { return int64(p.Price) }, 1},
	"-price_satang": {func(p *listedPackage) int64 { return int64(p.Price) }, -1},
	"-created":      {func(p *listedPackage) int64 { return p.created.UnixMicro() }, -1},
}

func (o marketOrder) compare(a, b *listedPackage) int {
	return o.sign * cmp.Or(cmp.Compare(o.rank(a), o.rank(b)), bytes.Compare(a.ID[:], b.ID[:]))
}

// after returns what of sorted packages comes after a cursor.
func (o marketOrder) after(sorted []*listedPackage, c cursor) []*listedPackage {
	if c.ID == nil {
		return sorted
	}
	first := slices.IndexFunc(sorted, func(p *listedPackage) bool {
		return o.sign*cmp.Or(cmp.Compare(o.rank(p), *c.Rank), bytes.Compare(p.ID[:], c.ID[:])) > 0
	})
	if first < 0 {
		return nil
	}
	return sorted[first:]
}

func readCard(row pgx.CollectableRow) (p listedPackage, err error) {
	var picture *uuid.UUID
	var width, height *int
	var colour *string
	err = row.Scan(&p.ID, &p.Code, &p.NameTH, &p.NameEN, &p.BadgeTH, &p.BadgeEN, &picture, &width, &height, &colour,
		&p.Price, &p.ListPrice, &p.Remaining, &p.Sold, &p.Featured, &p.SaleTo, &p.created, &p.Tags, &p.ServicePoints)
	if picture != nil && width != nil {
		p.Picture = &Picture{ID: *picture, Width: *width, Height: *height, Colour: *colour}
	}
	return p, err
}

// pattern returns the pattern of ILIKE for a text. Its special characters are escaped.
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
