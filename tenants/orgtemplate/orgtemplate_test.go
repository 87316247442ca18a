package orgtemplate_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/blob"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/optionlist"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/orgtemplate"
	"welovevoucher/tenants/tenanttest"
)

type shop struct {
	*tenanttest.World
	*orgtemplate.Service
	admin    auditlog.Actor
	pictures *catalog.Pictures
}

func open(t *testing.T) shop {
	t.Helper()
	w := tenanttest.New(t)
	objects, err := blob.OpenFolder(t.TempDir())
	require.NoError(t, err)
	s := shop{World: w, admin: auditlog.Actor{Kind: token.Admin, ID: db.NewID()}, pictures: catalog.NewPictures(w.DB, objects)}
	s.Service = orgtemplate.New(w.DB, objects, s.pictures, org.NewDirectory(w.DB))
	require.NoError(t, w.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO admin (id, username, name, role, status, created_at) VALUES ($1, $2, 'ศศิ', 'superadmin', 5, now())`, s.admin.ID, s.admin.ID.String())
		return err
	}))
	return s
}

// dress gives the organisation what a template takes along: a tag and a picture of a package, a question, a text.
func (s shop) dress(t *testing.T, pkg uuid.UUID) {
	t.Helper()
	var drawn bytes.Buffer
	require.NoError(t, png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 640, 480))))
	picture, err := s.pictures.Add(t.Context(), s.Org, s.admin, &drawn, catalog.Crop{})
	require.NoError(t, err)
	s.In(func(ctx context.Context, tx db.Tx) error {
		tag, err := catalog.Tags.Save(ctx, tx, s.admin, catalog.TagRow{NameTH: "นวด", NameEN: "Massage", Position: 3})
		if err != nil {
			return err
		}
		p, err := catalog.Packages.Detail(ctx, tx, pkg)
		if err != nil {
			return err
		}
		p.Tags, p.PictureID = []uuid.UUID{tag.ID}, &picture.ID
		if _, err := catalog.Packages.Save(ctx, tx, s.admin, p); err != nil {
			return err
		}
		_, err = optionlist.Questions.Save(ctx, tx, s.admin, optionlist.Question{NameTH: "จองอย่างไร", NameEN: "How do I book?", AnswerTH: "โทร", AnswerEN: "Call"})
		return err
	})
	text := consent.Version{Purpose: "purchase", Addressee: "customer", Version: "9", TitleTH: "ข้อตกลงของสปา", TitleEN: "Terms of the spa", BodyTH: "ก", BodyEN: "a"}
	s.In(func(ctx context.Context, tx db.Tx) error {
		saved, err := consent.Terms.Save(ctx, tx, s.admin, text)
		if err != nil {
			return err
		}
		return consent.Terms.SetStatus(ctx, tx, s.admin, []uuid.UUID{saved.ID}, resource.Active)
	})
}

// begin begins an organisation with a template, as its opening does.
func (s shop) begin(t *testing.T, home, template uuid.UUID) {
	t.Helper()
	var version uuid.UUID
	require.NoError(t, s.DB.InPlatform(t.Context(), func(tx db.Tx) (err error) {
		if version, err = orgtemplate.Newest(t.Context(), tx, template); err != nil {
			return err
		}
		_, err = tx.Exec(t.Context(), `UPDATE organisation SET template_version_id = $2 WHERE id = $1`, home, version)
		return err
	}))
	b, err := s.Prepare(t.Context(), home, version)
	require.NoError(t, err)
	require.NoError(t, s.DB.InOrg(t.Context(), home, func(tx db.Tx) error { return orgtemplate.Begin(t.Context(), tx, s.admin, b) }))
}

func all[T any](t *testing.T, s shop, home uuid.UUID, table *resource.Table[T]) (list []T) {
	t.Helper()
	require.NoError(t, s.DB.InOrg(t.Context(), home, func(tx db.Tx) error {
		return table.Export(t.Context(), tx, resource.Query{}, func(row T) error {
			list = append(list, row)
			return nil
		})
	}))
	return list
}

func TestTemplate(t *testing.T) {
	s := open(t)
	names := orgtemplate.Names{NameTH: "สปาและนวด", NameEN: " Spa "}

	_, err := s.Add(t.Context(), s.admin, names, orgtemplate.Source{Org: s.Org})
	require.Equal(t, fault.At("org_id", fault.TooSmall), err)
	pkg, draft := s.Package(tenanttest.Package{Price: 900_00, Items: 3, Transfers: 2, Vouchers: 2, Only: []uuid.UUID{s.ServicePoint()}}), s.Package(tenanttest.Package{Price: 100_00, Draft: true})
	card := s.Package(tenanttest.Package{Price: 500_00, GiftValue: 500_00})
	s.Package(tenanttest.Package{Price: 200_00}) // of a type that could not be saved today: may be given on no times
	s.MustBuy(s.Customer(1_000_00), pkg)
	s.dress(t, pkg)
	_, err = s.Add(t.Context(), s.admin, orgtemplate.Names{NameTH: " ", NameEN: "x"}, orgtemplate.Source{Org: s.Org})
	require.ErrorIs(t, err, fault.BadInput)
	_, err = s.Add(t.Context(), s.admin, names, orgtemplate.Source{Org: uuid.New()})
	require.ErrorIs(t, err, org.ErrNotFound)
	id, err := s.Add(t.Context(), s.admin, names, orgtemplate.Source{Org: s.Org, Note: "แรก"})
	require.NoError(t, err)

	t.Run("it has what is active, and the organisation's audit log says who looked", func(t *testing.T) {
		found, err := s.Template(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, "Spa", found.NameEN)
		require.Equal(t, [4]int64{2, 1, 1, 1}, [4]int64{found.Packages, found.Tags, found.Questions, found.Texts}, "not the draft %s", draft)
		require.Len(t, found.Content.Packages, 2)
		require.Len(t, found.Versions, 1)
		require.Equal(t, "ศศิ", found.Versions[0].MadeBy)
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM audit_log WHERE action = 'look' AND object = $1`, "org_template/"+id.String()))
		_, err = s.Template(t.Context(), uuid.New())
		require.ErrorIs(t, err, fault.Missing)
	})

	t.Run("an organisation begins with drafts of its packages, its pictures, questions and texts, once, and with nothing of anybody's", func(t *testing.T) {
		home := s.NewOrg(t)
		s.begin(t, home, id)
		s.begin(t, home, id)
		packages := all(t, s, home, catalog.Packages)
		require.Len(t, packages, 2)
		types, tags, questions := all(t, s, home, catalog.VoucherTypes), all(t, s, home, catalog.Tags), all(t, s, home, optionlist.Questions)
		require.Len(t, types, 1)
		require.Empty(t, types[0].ServicePoints, "places are the organisation's own")
		require.Len(t, tags, 1)
		require.Len(t, questions, 1)
		require.Len(t, all(t, s, home, catalog.GiftVouchers), 1)
		terms := all(t, s, home, consent.Terms)
		require.Len(t, terms, 1)
		require.True(t, terms[0].Active)
		for _, p := range packages {
			require.NotEqual(t, pkg, p.ID)
			require.NotEqual(t, card, p.ID)
			require.EqualValues(t, 1, p.Status, "a draft: nobody sees it before its owner puts it on sale")
			require.Zero(t, p.Sold)
			require.NoError(t, s.DB.InOrg(t.Context(), home, func(tx db.Tx) error {
				whole, err := catalog.Packages.Detail(t.Context(), tx, p.ID)
				if err != nil {
					return err
				}
				require.Len(t, whole.Parts, 1)
				if whole.Parts[0].VoucherType == nil {
					return nil
				}
				require.Equal(t, types[0].ID, *whole.Parts[0].VoucherType)
				require.EqualValues(t, 2, whole.Parts[0].Quantity)
				require.Equal(t, []uuid.UUID{tags[0].ID}, whole.Tags)
				require.NotNil(t, whole.PictureID)
				return catalog.HasPicture(t.Context(), tx, *whole.PictureID)
			}))
		}
		var people int
		require.NoError(t, s.DB.InOrg(t.Context(), home, func(tx db.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM customer) + (SELECT count(*) FROM orders) + (SELECT count(*) FROM voucher) + (SELECT count(*) FROM service_point)`).Scan(&people)
		}))
		require.Zero(t, people)
	})

	t.Run("who began with a version keeps it when there is another", func(t *testing.T) {
		s.Package(tenanttest.Package{Price: 300_00, Transfers: 1})
		require.NoError(t, s.AddVersion(t.Context(), s.admin, id, orgtemplate.Source{Org: s.Org, Note: "เพิ่มแพ็กเกจ"}))
		found, err := s.Template(t.Context(), id)
		require.NoError(t, err)
		require.EqualValues(t, 2, found.Version)
		require.EqualValues(t, 3, found.Packages)
		require.Equal(t, [3]int64{1, 0, 1}, [3]int64{found.Used, found.Versions[0].Used, found.Versions[1].Used})
		home := s.NewOrg(t)
		s.begin(t, home, id)
		require.Len(t, all(t, s, home, catalog.Packages), 3)
		require.ErrorIs(t, s.AddVersion(t.Context(), s.admin, uuid.New(), orgtemplate.Source{Org: s.Org}), fault.Missing)
	})

	t.Run("nobody begins with one that was switched off, and of two changes one is refused", func(t *testing.T) {
		found, err := s.Template(t.Context(), id)
		require.NoError(t, err)
		off := orgtemplate.Change{ID: id, UpdatedAt: found.UpdatedAt, Names: names, Status: resource.Inactive}
		require.NoError(t, s.Save(t.Context(), s.admin, off))
		require.ErrorIs(t, s.Save(t.Context(), s.admin, off), resource.ErrChangedMeanwhile)
		require.ErrorIs(t, s.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			_, err := orgtemplate.Newest(t.Context(), tx, id)
			return err
		}), fault.BadInput)
		list, err := s.List(t.Context())
		require.NoError(t, err)
		require.NotEmpty(t, list)
		off.Status = resource.Suspended
		require.ErrorIs(t, s.Save(t.Context(), s.admin, off), fault.BadInput)
	})
}
