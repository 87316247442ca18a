package orgtemplate

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/google/uuid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/optionlist"
	"welovevoucher/tenants/org"
)

// Faults of the organisation that a version is made from: it has no active package, or too many rows of something.
var (
	errEmpty   = fault.At("org_id", fault.TooSmall)
	errTooMuch = fault.At("org_id", fault.TooBig)
)

// maxRows is how many rows of each table a version may have.
const maxRows = 200

// Content is what a version has of the organisation that it was made from. Rows name each other, and pictures, by the ids that they had there.
type Content struct {
	Primary      string                 `json:"primary"`   // #rrggbb
	Secondary    string                 `json:"secondary"` // #rrggbb
	Tags         []catalog.TagRow       `json:"tags"`
	VoucherTypes []catalog.VoucherType  `json:"voucher_types"`
	GiftVouchers []catalog.GiftVoucher  `json:"gift_vouchers"`
	Packages     []catalog.Package      `json:"packages"`
	Questions    []optionlist.Question  `json:"questions"`
	Texts        []consent.Version      `json:"texts"`
	Pictures     map[uuid.UUID]struct{} `json:"pictures"` // which are kept with the version
}

// Summary is what is shown of a version's content.
type Summary struct {
	Packages  []PackageLine `json:"packages"`
	Tags      []Name        `json:"tags"`
	Questions []Name        `json:"questions"`
	Texts     []Name        `json:"texts"`
}

// Name is what something is called.
type Name struct {
	TH string `json:"name_th"`
	EN string `json:"name_en"`
}

// PackageLine is a package of a version.
type PackageLine struct {
	Name
	Price     money.Amount  `json:"price_satang"`
	ListPrice *money.Amount `json:"list_price_satang" nullable:"true"`
	Picture   bool          `json:"picture" doc:"It has one"`
}

func (c *Content) summary() Summary {
	s := Summary{Packages: []PackageLine{}, Tags: []Name{}, Questions: []Name{}, Texts: []Name{}}
	for _, p := range c.Packages {
		s.Packages = append(s.Packages, PackageLine{Name{p.NameTH, p.NameEN}, p.Price, p.ListPrice, p.PictureID != nil})
	}
	for _, t := range c.Tags {
		s.Tags = append(s.Tags, Name{t.NameTH, t.NameEN})
	}
	for _, q := range c.Questions {
		s.Questions = append(s.Questions, Name{q.NameTH, q.NameEN})
	}
	for _, t := range c.Texts {
		s.Texts = append(s.Texts, Name{t.TitleTH, t.TitleEN})
	}
	return s
}

// readContent reads what is active of an organisation, and writes into its audit log who did. It returns errEmpty or errTooMuch.
func (s *Service) readContent(ctx context.Context, who auditlog.Actor, o org.Org, template uuid.UUID) (c Content, err error) {
	c = Content{Primary: o.Primary, Secondary: o.Secondary, Pictures: map[uuid.UUID]struct{}{}}
	err = s.db.InOrg(ctx, o.ID, func(tx db.Tx) error {
		if c.Tags, err = active(ctx, tx, catalog.Tags); err != nil {
			return err
		}
		if c.VoucherTypes, err = active(ctx, tx, catalog.VoucherTypes); err != nil {
			return err
		}
		if c.GiftVouchers, err = active(ctx, tx, catalog.GiftVouchers); err != nil {
			return err
		}
		packages, err := active(ctx, tx, catalog.Packages)
		if err != nil {
			return err
		}
		for _, p := range packages { // a list has no parts
			whole, err := catalog.Packages.Detail(ctx, tx, p.ID)
			if err != nil {
				return err
			}
			if whole = c.fit(whole); len(whole.Parts) > 0 && len(catalog.Packages.Wrong(whole)) == 0 {
				c.Packages = append(c.Packages, whole)
			}
		}
		if len(c.Packages) == 0 {
			return errEmpty
		}
		if c.Questions, err = active(ctx, tx, optionlist.Questions); err != nil {
			return err
		}
		for _, table := range []*resource.Table[consent.Version]{consent.Terms, consent.PDPA} {
			texts, err := active(ctx, tx, table)
			if err != nil {
				return err
			}
			for _, text := range texts {
				text.Accepted = 0
				c.Texts = append(c.Texts, text)
			}
		}
		return auditlog.Record(ctx, tx, who, "look", object(template), nil, nil)
	})
	if c.Texts == nil {
		c.Texts = []consent.Version{}
	}
	c.namePictures()
	return c, err
}

// active returns the active rows of a table that another organisation could save. It returns errTooMuch if there are too many.
func active[T any](ctx context.Context, tx db.Tx, t *resource.Table[T]) ([]T, error) {
	list := []T{}
	err := t.Export(ctx, tx, resource.Query{Filter: map[string]any{"status": float64(resource.Active)}}, func(row T) error {
		if len(t.Wrong(row)) > 0 {
			return nil
		}
		if list = append(list, row); len(list) > maxRows {
			return errTooMuch
		}
		return nil
	})
	return list, err
}

// fit returns a package as another organisation begins with it: without a time of sale, and without what is not in the content.
func (c *Content) fit(p catalog.Package) catalog.Package {
	p.SaleFrom, p.SaleTo, p.Sold = nil, nil, 0
	p.Tags = slices.DeleteFunc(slices.Clone(p.Tags), func(id uuid.UUID) bool {
		return !slices.ContainsFunc(c.Tags, func(t catalog.TagRow) bool { return t.ID == id })
	})
	there := func(part catalog.PackagePart) bool {
		if part.VoucherType != nil {
			return slices.ContainsFunc(c.VoucherTypes, func(t catalog.VoucherType) bool { return t.ID == *part.VoucherType })
		}
		return part.GiftVoucher != nil && slices.ContainsFunc(c.GiftVouchers, func(g catalog.GiftVoucher) bool { return g.ID == *part.GiftVoucher })
	}
	for _, part := range p.Parts {
		if !there(part) {
			p.Parts = nil
			break
		}
	}
	return p
}

// pictured returns where the content names pictures.
func (c *Content) pictured() (at []**uuid.UUID) {
	for n := range c.VoucherTypes {
		at = append(at, &c.VoucherTypes[n].PictureID)
	}
	for n := range c.GiftVouchers {
		at = append(at, &c.GiftVouchers[n].PictureID)
	}
	for n := range c.Packages {
		at = append(at, &c.Packages[n].PictureID)
	}
	return at
}

func (c *Content) namePictures() {
	for _, id := range c.pictured() {
		if *id != nil {
			c.Pictures[**id] = struct{}{}
		}
	}
}

// pictureKey is where a version keeps a picture.
func pictureKey(version, picture uuid.UUID) string {
	return fmt.Sprintf("%s/template/%s.jpg", version, picture)
}

// keepPictures copies the pictures that the content names to where the version keeps them, in their largest width.
func (s *Service) keepPictures(ctx context.Context, from, version uuid.UUID, c *Content) error {
	for id := range c.Pictures {
		body, err := s.object(ctx, catalog.PictureKey(from, id, catalog.PictureWidths[len(catalog.PictureWidths)-1]))
		if err != nil {
			return fmt.Errorf("picture %s of %s: %w", id, from, err)
		}
		if err := s.objects.Put(ctx, pictureKey(version, id), bytes.NewReader(body), int64(len(body))); err != nil {
			return fmt.Errorf("keep picture %s: %w", id, err)
		}
	}
	return nil
}

func (s *Service) object(ctx context.Context, key string) ([]byte, error) {
	content, _, err := s.objects.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	defer content.Close()
	return io.ReadAll(content)
}
