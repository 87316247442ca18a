package catalog_test

import (
	"context"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/servicepoint"
)

// shop is an organisation whose owner fills the catalogue.
type shop struct {
	*dbtest.Server
	t     *testing.T
	org   uuid.UUID
	owner auditlog.Actor
	first *servicepoint.ServicePoint
}

func newShop(t *testing.T) *shop {
	t.Helper()
	s := dbtest.Open(t)
	return &shop{Server: s, t: t, org: s.NewOrg(t), owner: auditlog.Actor{Kind: token.Owner, ID: db.NewID()}}
}

func (s *shop) in(fn func(ctx context.Context, tx db.Tx) error) error {
	return s.DB.InOrg(context.Background(), s.org, func(tx db.Tx) error { return fn(context.Background(), tx) })
}

func save[T any](s *shop, table *resource.Table[T], row T) (saved T, err error) {
	err = s.in(func(ctx context.Context, tx db.Tx) (err error) {
		saved, err = table.Save(ctx, tx, s.owner, row)
		return err
	})
	return saved, err
}

func mustSave[T any](s *shop, table *resource.Table[T], row T) T {
	s.t.Helper()
	saved, err := save(s, table, row)
	require.NoError(s.t, err)
	return saved
}

func setStatus[T any](s *shop, table *resource.Table[T], status int16, ids ...uuid.UUID) error {
	return s.in(func(ctx context.Context, tx db.Tx) error { return table.SetStatus(ctx, tx, s.owner, ids, status) })
}

func (s *shop) picture() *uuid.UUID {
	s.t.Helper()
	id := db.NewID()
	require.NoError(s.t, s.in(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO picture (id, width, height, bytes, colour, created_at) VALUES ($1, 800, 600, 1, '#aabbcc', $2)`, id, tx.Now)
		return err
	}))
	return &id
}

// place returns the first service point of the shop, and opens one if there is none.
func (s *shop) place() servicepoint.ServicePoint {
	s.t.Helper()
	if s.first == nil {
		s.first = new(mustSave(s, servicepoint.ServicePoints, servicepoint.ServicePoint{NameTH: "สาขานิมมาน"}))
	}
	return *s.first
}

func (s *shop) voucherType() catalog.VoucherType {
	return mustSave(s, catalog.VoucherTypes, catalog.VoucherType{NameTH: "นวดไทย 60 นาที", Items: 1, ListPrice: 500_00, UsageRules: terms()})
}

func terms(servicePoints ...uuid.UUID) catalog.UsageRules {
	days := int32(90)
	return catalog.UsageRules{ValidDays: &days, TransferRule: "unlimited", ExpiryRule: "breakage", VATPoint: "sale", ServicePoints: servicePoints}
}

func byAsking() catalog.RefundTerms { return catalog.RefundTerms{Rule: "asking", Days: 7} }

// complete is a package that may go on sale.
func (s *shop) complete() catalog.Package {
	s.place()
	kind := s.voucherType()
	return catalog.Package{
		NameTH: "แพ็กนวด", Price: 1500_00, PictureID: s.picture(), Class: "ordinary", RefundTerms: byAsking(),
		Parts: []catalog.PackagePart{{VoucherType: &kind.ID, Quantity: 3}},
	}
}

func fields(err error) (paths []string) {
	for _, f := range fault.From(err).Fields {
		paths = append(paths, f.Path+" "+f.Fault)
	}
	return paths
}

func TestPackages(t *testing.T) {
	s := newShop(t)

	t.Run("a package is saved and read with its parts, tags and stock", func(t *testing.T) {
		tag := mustSave(s, catalog.Tags, catalog.TagRow{NameTH: "สปา"})
		gift := mustSave(s, catalog.GiftVouchers, catalog.GiftVoucher{NameTH: "บัตรของขวัญ", Value: 500_00, UsageRules: terms()})
		in := s.complete()
		stock := int64(20)
		in.Tags, in.Quantity = []uuid.UUID{tag.ID}, &stock
		in.Parts = append(in.Parts, catalog.PackagePart{GiftVoucher: &gift.ID, Quantity: 1})

		saved := mustSave(s, catalog.Packages, in)
		require.Equal(t, in.Parts, saved.Parts)
		require.Equal(t, in.Tags, saved.Tags)
		require.Equal(t, stock, *saved.Quantity)
		require.EqualValues(t, 1, saved.Status, "a draft")
		require.NotEmpty(t, saved.Code)

		saved.Parts, saved.Tags, saved.Quantity = saved.Parts[:1], []uuid.UUID{}, nil
		code := saved.Code
		saved.Code = ""
		changed := mustSave(s, catalog.Packages, saved)
		require.Len(t, changed.Parts, 1)
		require.Empty(t, changed.Tags)
		require.Nil(t, changed.Quantity)
		require.Equal(t, code, changed.Code)
	})

	t.Run("a package that lacks what a sale needs is not put on sale", func(t *testing.T) {
		past := time.Now().Add(-time.Hour)
		for want, spoil := range map[string]func(p *catalog.Package){
			"picture_id field.required": func(p *catalog.Package) { p.PictureID = nil },
			"parts field.required":      func(p *catalog.Package) { p.Parts = nil },
			"sale_to field.too_small":   func(p *catalog.Package) { p.SaleTo = &past },
			"parts field.inactive_part": func(p *catalog.Package) {
				require.NoError(t, setStatus(s, catalog.VoucherTypes, resource.Inactive, *p.Parts[0].VoucherType))
			},
			"parts field.no_service_point": func(p *catalog.Package) {
				closed := mustSave(s, servicepoint.ServicePoints, servicepoint.ServicePoint{NameTH: "สาขาที่ปิด"})
				kind := mustSave(s, catalog.VoucherTypes, catalog.VoucherType{NameTH: "นวด", Items: 1, UsageRules: terms(closed.ID)})
				require.NoError(t, setStatus(s, servicepoint.ServicePoints, resource.Inactive, closed.ID))
				p.Parts[0].VoucherType = &kind.ID
			},
		} {
			in := s.complete()
			spoil(&in)
			saved := mustSave(s, catalog.Packages, in)
			err := setStatus(s, catalog.Packages, resource.Active, saved.ID)
			require.ErrorIs(t, err, catalog.ErrNotPublishable)
			require.Equal(t, []string{want}, fields(err))
		}
		saved := mustSave(s, catalog.Packages, s.complete())
		require.NoError(t, setStatus(s, catalog.Packages, resource.Active, saved.ID))
	})

	t.Run("a package of more vouchers than an order carries is neither saved nor put on sale", func(t *testing.T) {
		s := newShop(t)
		huge := s.complete()
		kind := huge.Parts[0].VoucherType
		huge.Parts = nil
		for range 20 {
			huge.Parts = append(huge.Parts, catalog.PackagePart{VoucherType: kind, Quantity: 99})
		}
		saved := mustSave(s, catalog.Packages, huge) // 1,980
		require.NoError(t, setStatus(s, catalog.Packages, resource.Active, saved.ID))

		huge.Parts = append(huge.Parts, catalog.PackagePart{VoucherType: kind, Quantity: 21})
		_, err := save(s, catalog.Packages, huge)
		require.Equal(t, []string{"parts field.too_big"}, fields(err))

		draft := mustSave(s, catalog.Packages, s.complete()) // as it may stand there from before
		require.NoError(t, s.in(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `INSERT INTO package_part (package_id, position, voucher_type_id, quantity) SELECT $1, n, $2, 99 FROM generate_series(1, 21) n`, draft.ID, kind)
			return err
		}))
		require.Equal(t, []string{"parts field.too_big"}, fields(setStatus(s, catalog.Packages, resource.Active, draft.ID)))
	})

	t.Run("a package on sale keeps its parts, and their types stay active", func(t *testing.T) {
		saved := mustSave(s, catalog.Packages, s.complete())
		require.NoError(t, setStatus(s, catalog.Packages, resource.Active, saved.ID))
		require.ErrorIs(t, setStatus(s, catalog.VoucherTypes, resource.Inactive, *saved.Parts[0].VoucherType), catalog.ErrTypeInUse)
		require.ErrorIs(t, setStatus(s, catalog.VoucherTypes, resource.Deleted, *saved.Parts[0].VoucherType), catalog.ErrTypeInUse)

		require.NoError(t, s.in(func(ctx context.Context, tx db.Tx) (err error) {
			saved, err = catalog.Packages.Detail(ctx, tx, saved.ID)
			return err
		}))
		saved.Parts = nil
		_, err := save(s, catalog.Packages, saved)
		require.ErrorIs(t, err, catalog.ErrNotPublishable)
	})

	t.Run("of putting a package on sale and deactivating its type at once, one is refused", func(t *testing.T) {
		for range 10 {
			saved := mustSave(s, catalog.Packages, s.complete())
			var on, off error
			var group sync.WaitGroup
			group.Go(func() { on = setStatus(s, catalog.Packages, resource.Active, saved.ID) })
			group.Go(func() { off = setStatus(s, catalog.VoucherTypes, resource.Inactive, *saved.Parts[0].VoucherType) })
			group.Wait()
			require.NotEqual(t, on == nil, off == nil, "%v / %v", on, off)
		}
	})

	t.Run("stock is never below what is sold", func(t *testing.T) {
		in := s.complete()
		stock := int64(5)
		in.Quantity = &stock
		saved := mustSave(s, catalog.Packages, in)
		require.NoError(t, s.in(func(ctx context.Context, tx db.Tx) error {
			stock := catalog.LockStock(tx, []uuid.UUID{saved.ID})
			if err := tx.Flush(ctx); err != nil {
				return err
			}
			stock.Take(saved.ID, 4)
			stock.Save(tx)
			return nil
		}))
		less := int64(3)
		saved.Quantity = &less
		_, err := save(s, catalog.Packages, saved)
		require.Equal(t, []string{"quantity field.too_small"}, fields(err))
	})

	t.Run("a package with an unknown picture, tag or type is refused", func(t *testing.T) {
		unknown := db.NewID()
		for want, spoil := range map[string]func(p *catalog.Package){
			"picture_id field.not_in_list": func(p *catalog.Package) { p.PictureID = &unknown },
			"tags field.not_in_list":       func(p *catalog.Package) { p.Tags = []uuid.UUID{unknown} },
			"parts field.not_in_list":      func(p *catalog.Package) { p.Parts[0].VoucherType = &unknown },
			"parts.0 field.required":       func(p *catalog.Package) { p.Parts[0].VoucherType = nil },
		} {
			in := s.complete()
			spoil(&in)
			_, err := save(s, catalog.Packages, in)
			require.Equal(t, []string{want}, fields(err))
		}
	})

	t.Run("the number sold cannot be written", func(t *testing.T) {
		in := s.complete()
		in.Sold = 99
		require.Zero(t, mustSave(s, catalog.Packages, in).Sold)
	})
}

func TestTemplates(t *testing.T) {
	s := newShop(t)
	point := mustSave(s, servicepoint.ServicePoints, servicepoint.ServicePoint{NameTH: "สาขาทองหล่อ"})

	t.Run("contradictory usage rules are refused", func(t *testing.T) {
		until, bad, days := "2027-12-31", "31/12/2027", int32(30)
		for _, c := range []struct {
			want  string
			spoil func(t *catalog.UsageRules)
		}{
			{"valid_days field.required", func(t *catalog.UsageRules) { t.ValidDays = nil }},
			{"valid_days field.required", func(t *catalog.UsageRules) { t.ValidUntil = &until }},
			{"valid_until field.format", func(t *catalog.UsageRules) { t.ValidDays, t.ValidUntil = nil, &bad }},
			{"transfer_times field.too_small", func(t *catalog.UsageRules) { t.TransferRule = "times" }},
		} {
			in := terms()
			in.ValidDays = &days
			c.spoil(&in)
			_, err := save(s, catalog.GiftVouchers, catalog.GiftVoucher{NameTH: "บัตร", Value: money.Baht, UsageRules: in})
			require.Equal(t, []string{c.want}, fields(err))
		}
	})

	t.Run("service points and last day are read as they were saved", func(t *testing.T) {
		in := catalog.VoucherType{NameTH: "นวด", Items: 5, UsageRules: terms()}
		until := "2027-12-31"
		in.ValidDays, in.ValidUntil, in.ServicePoints = nil, &until, []uuid.UUID{point.ID}
		saved := mustSave(s, catalog.VoucherTypes, in)
		require.Equal(t, "2027-12-31", *saved.ValidUntil)
		require.Equal(t, []uuid.UUID{point.ID}, saved.ServicePoints)

		var page resource.Page[catalog.VoucherType]
		require.NoError(t, s.in(func(ctx context.Context, tx db.Tx) (err error) {
			page, err = catalog.VoucherTypes.List(ctx, tx, resource.Query{Filter: map[string]any{"service_points": point.ID.String(), "valid_until": "2027-12-31"}})
			return err
		}))
		require.Len(t, page.Data, 1)

		saved.ServicePoints = []uuid.UUID{db.NewID()}
		_, err := save(s, catalog.VoucherTypes, saved)
		require.Equal(t, []string{"service_points field.not_in_list"}, fields(err))
	})
}

// What is multiplied when a package is sold keeps its bounds, whoever saves it.
func TestBoundsOfWhatIsSold(t *testing.T) {
	s := newShop(t)
	days := int32(30)
	terms := catalog.UsageRules{ValidDays: &days, TransferRule: "none", ExpiryRule: "breakage", VATPoint: "sale"}
	refused := func(path string, why *fault.Fault, err error) {
		t.Helper()
		require.ErrorIs(t, err, fault.BadInput)
		require.Contains(t, fault.From(err).Fields, fault.Field{Path: path, Fault: why.Code})
	}
	kind := mustSave(s, catalog.VoucherTypes, catalog.VoucherType{NameTH: "นวด", Items: 1, UsageRules: terms})
	pack := func(price money.Amount, n int32) catalog.Package {
		return catalog.Package{NameTH: "แพ็ก", Price: price, Class: "ordinary", RefundTerms: byAsking(), Parts: []catalog.PackagePart{{VoucherType: &kind.ID, Quantity: n}}}
	}

	mustSave(s, catalog.Packages, pack(0, 1))
	for n, why := range map[int32]*fault.Fault{0: fault.TooSmall, math.MinInt32: fault.TooSmall, 100: fault.TooBig, math.MaxInt32: fault.TooBig} {
		_, err := save(s, catalog.Packages, pack(0, n))
		refused("parts.0.quantity", why, err)
	}
	for price, why := range map[money.Amount]*fault.Fault{-1: fault.TooSmall, 1_000_000_000_001: fault.TooBig, math.MaxInt64: fault.TooBig} {
		_, err := save(s, catalog.Packages, pack(price, 1))
		refused("price_satang", why, err)
		_, err = save(s, catalog.VoucherTypes, catalog.VoucherType{NameTH: "นวด", Items: 1, ListPrice: price, UsageRules: terms})
		refused("list_price_satang", why, err)
		_, err = save(s, catalog.GiftVouchers, catalog.GiftVoucher{NameTH: "ของขวัญ", Value: price, UsageRules: terms})
		refused("value_satang", why, err)
	}
	for items, why := range map[int32]*fault.Fault{0: fault.TooSmall, 1000: fault.TooBig} {
		_, err := save(s, catalog.VoucherTypes, catalog.VoucherType{NameTH: "นวด", Items: items, UsageRules: terms})
		refused("items", why, err)
	}
	long := pack(0, 1)
	long.Parts = slices.Repeat(long.Parts, 31)
	_, err := save(s, catalog.Packages, long)
	refused("parts", fault.TooLong, err)
}
