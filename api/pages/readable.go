package pages

import (
	"bytes"
	"fmt"
	"html/template"

	"welovevoucher/tenants/catalog"
)

// readable is a shop's front for whoever reads a page without running it: search engines, link previews, browsers without
// script; and the market or a package where its first screen is not painted. React shows the same from the boot data.
var readable = template.Must(template.New("readable").Parse(`<noscript><main>
<h1>{{.Name}}</h1>{{if .Tagline}}<p>{{.Tagline}}</p>{{end}}
{{with .Product}}<article><h2>{{.Name}}</h2>{{if .Picture}}<img src="{{.Picture}}" width="{{.Width}}" height="{{.Height}}" alt="">{{end}}
<p>฿{{.Price}}</p><p>{{.About}}</p></article>{{end}}
{{if .Cards}}<ul>{{range .Cards}}<li><a href="{{.Link}}">{{.Name}}</a> ฿{{.Price}}</li>{{end}}</ul>{{end}}
</main></noscript>`))

type readablePage struct {
	Name, Tagline string
	Product       *readableProduct
	Cards         []readableCard
}

type readableCard struct{ Name, Price, Link string }

type readableProduct struct {
	Name, Price, About, Picture string
	Width, Height               int
}

// shown is what a page shows first, in the language of its reader.
type shown struct {
	product *catalog.PackageDetail
	market  *catalog.MarketPage
	tags    []catalog.Tag
	base    string // of the market's pages, e.g. /user/market
	front   bool   // the shop's front
	exact   bool   // the address is the market's or the package's own
}

func (s shown) render(name, tagline, lang string) ([]byte, error) {
	pick := func(th, en string) string {
		if lang == "en" && en != "" {
			return en
		}
		return th
	}
	page := readablePage{Name: name, Tagline: tagline}
	if p := s.product; p != nil {
		page.Product = &readableProduct{Name: pick(p.NameTH, p.NameEN), Price: p.Price.String(), About: pick(p.DescriptionTH, p.DescriptionEN)}
		if p.Picture != nil {
			page.Product.Picture, page.Product.Width, page.Product.Height = "/media/"+p.Picture.ID.String(), p.Picture.Width, p.Picture.Height
		}
	}
	if s.market != nil {
		for _, c := range s.market.Data {
			page.Cards = append(page.Cards, readableCard{Name: pick(c.NameTH, c.NameEN), Price: c.Price.String(), Link: s.base + "/" + c.ID.String()})
		}
	}
	var b bytes.Buffer
	if err := readable.Execute(&b, page); err != nil {
		return nil, fmt.Errorf("write what can be read without script: %w", err)
	}
	return b.Bytes(), nil
}
