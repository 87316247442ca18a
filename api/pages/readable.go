package pages

import (
	"bytes"
	"fmt"
	"html/template"
)

// readable is the market, a package or a shop's front where its first screen is not painted, for whoever reads a page without
// running it: search engines, link previews, browsers without script.
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
			page.Cards = append(page.Cards, readableCard{Name: pick(c.NameTH, c.NameEN), Price: c.Price.String(), Link: "/" + s.area + "/market/" + c.ID.String()})
		}
	}
	var b bytes.Buffer
	if err := readable.Execute(&b, page); err != nil {
		return nil, fmt.Errorf("write what can be read without script: %w", err)
	}
	return b.Bytes(), nil
}
