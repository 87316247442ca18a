package catalog_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/servicepoint"
)

func massage(servicePoints ...uuid.UUID) *catalog.NewVoucherType {
	days := int32(130)
	return &catalog.NewVoucherType{NameTH: "นวดอโรมา 90 นาที", Items: 3, ValidDays: &days, ExpiryRule: "wallet", ServicePoints: servicePoints}
}

func described(types ...*catalog.NewVoucherType) catalog.Package {
	p := catalog.Package{NameTH: "นวดอโรมา 3 ครั้ง", Price: 3290_00, Class: "ordinary", RefundTerms: byAsking()}
	for _, t := range types {
		p.Parts = append(p.Parts, catalog.PackagePart{NewVoucherType: t, Quantity: 1})
	}
	return p
}

func savePackage(s *shop, p catalog.Package) (saved catalog.Package, err error) {
	err = s.in(func(ctx context.Context, tx db.Tx) (err error) {
		saved, err = catalog.SavePackage(ctx, tx, s.owner, p)
		return err
	})
	return saved, err
}

func (s *shop) voucherTypes() (all []catalog.VoucherType) {
	s.t.Helper()
	require.NoError(s.t, s.in(func(ctx context.Context, tx db.Tx) error {
		page, err := catalog.VoucherTypes.List(ctx, tx, resource.Query{Sort: "created_at"})
		for _, row := range page.Data {
			all = append(all, row.Value)
		}
		return err
	}))
	return all
}

func TestNewVoucherTypes(t *testing.T) {
	t.Run("a package and the type that it describes are saved together", func(t *testing.T) {
		s := newShop(t)
		place := s.place()
		saved, err := savePackage(s, described(massage(place.ID)))
		require.NoError(t, err)
		require.Len(t, saved.Parts, 1)
		require.Nil(t, saved.Parts[0].NewVoucherType)

		types := s.voucherTypes()
		require.Len(t, types, 1)
		require.Equal(t, types[0].ID, *saved.Parts[0].VoucherType)
		require.Equal(t, "นวดอโรมา 90 นาที", types[0].NameTH)
		require.EqualValues(t, 3, types[0].Items)
		require.EqualValues(t, 130, *types[0].ValidDays)
		require.Equal(t, "wallet", types[0].ExpiryRule)
		require.Equal(t, "none", types[0].TransferRule)
		require.Equal(t, []uuid.UUID{place.ID}, types[0].ServicePoints)
		require.Equal(t, resource.Active, types[0].Status)

		saved.PictureID = s.picture()
		saved, err = savePackage(s, saved)
		require.NoError(t, err)
		require.Len(t, s.voucherTypes(), 1, "saved again, it adds no other")
		require.NoError(t, setStatus(s, catalog.Packages, resource.Active, saved.ID))
	})

	t.Run("the price of one item is what was said, or an equal part of the package's", func(t *testing.T) {
		s := newShop(t)
		said, own := massage(), money.Amount(500_00)
		said.ListPrice = &own
		_, err := savePackage(s, described(said, massage()))
		require.NoError(t, err)
		types := s.voucherTypes()
		require.Len(t, types, 2)
		require.ElementsMatch(t, []money.Amount{500_00, 548_33}, []money.Amount{types[0].ListPrice, types[1].ListPrice})
	})

	t.Run("names are not unique, and an older type of the same name stays as it is", func(t *testing.T) {
		s := newShop(t)
		for range 2 {
			_, err := savePackage(s, described(massage()))
			require.NoError(t, err)
		}
		types := s.voucherTypes()
		require.Len(t, types, 2)
		require.NotEqual(t, types[0].ID, types[1].ID)
	})

	t.Run("what is wrong in a type is named in its part, and nothing is saved", func(t *testing.T) {
		s, other := newShop(t), newShop(t)
		theirs := other.place().ID
		for want, spoil := range map[string]func(p *catalog.Package){
			"parts.1.new_voucher_type.service_points field.not_in_list": func(p *catalog.Package) { p.Parts[1].NewVoucherType.ServicePoints = []uuid.UUID{theirs} },
			"parts.1.new_voucher_type.items field.too_small":            func(p *catalog.Package) { p.Parts[1].NewVoucherType.Items = 0 },
			"parts.1.new_voucher_type.valid_days field.required":        func(p *catalog.Package) { p.Parts[1].NewVoucherType.ValidDays = nil },
			"parts.1.quantity field.too_small":                          func(p *catalog.Package) { p.Parts[1].Quantity = 0 },
			"parts.1 field.required":                                    func(p *catalog.Package) { p.Parts[1].NewVoucherType = nil },
			"price_satang field.too_small":                              func(p *catalog.Package) { p.Price = -1 },
		} {
			in := described(massage(), massage())
			spoil(&in)
			_, err := savePackage(s, in)
			require.ErrorIs(t, err, fault.BadInput)
			require.Equal(t, []string{want}, fields(err))
		}
		ambiguous := described(massage())
		ambiguous.Parts[0].VoucherType = new(s.voucherType().ID)
		_, err := savePackage(s, ambiguous)
		require.Equal(t, []string{"parts.0 field.required"}, fields(err))

		require.Len(t, s.voucherTypes(), 1, "only the one that was saved by itself")
	})

	t.Run("of two changes of one package at once, one is refused and adds no type", func(t *testing.T) {
		s := newShop(t)
		for n := range 5 {
			before, err := savePackage(s, described(massage()))
			require.NoError(t, err)
			before.Parts = append(before.Parts, catalog.PackagePart{NewVoucherType: massage(), Quantity: 1})
			var errs [2]error
			var group sync.WaitGroup
			for i := range errs {
				group.Go(func() { _, errs[i] = savePackage(s, before) })
			}
			group.Wait()
			require.NotEqual(t, errs[0] == nil, errs[1] == nil, "%v / %v", errs[0], errs[1])
			for _, err := range errs {
				if err != nil {
					require.ErrorIs(t, err, resource.ErrChangedMeanwhile)
				}
			}
			require.Len(t, s.voucherTypes(), 2*(n+1))
		}
	})
}

// A package on sale is not taken off it because its last service point closes; it cannot be put on sale again.
func TestLastServicePointCloses(t *testing.T) {
	s := newShop(t)
	saved := mustSave(s, catalog.Packages, s.complete())
	require.NoError(t, setStatus(s, catalog.Packages, resource.Active, saved.ID))
	require.NoError(t, setStatus(s, servicepoint.ServicePoints, resource.Inactive, s.place().ID))

	reread := func() (p catalog.Package) {
		require.NoError(t, s.in(func(ctx context.Context, tx db.Tx) (err error) {
			p, err = catalog.Packages.Detail(ctx, tx, saved.ID)
			return err
		}))
		return p
	}
	require.Equal(t, resource.Active, reread().Status)
	_, err := save(s, catalog.Packages, reread())
	require.Equal(t, []string{"parts field.no_service_point"}, fields(err))

	require.NoError(t, setStatus(s, catalog.Packages, resource.Inactive, saved.ID))
	require.Equal(t, []string{"parts field.no_service_point"}, fields(setStatus(s, catalog.Packages, resource.Active, saved.ID)))
	require.NoError(t, setStatus(s, servicepoint.ServicePoints, resource.Active, s.place().ID))
	require.NoError(t, setStatus(s, catalog.Packages, resource.Active, saved.ID))
}
