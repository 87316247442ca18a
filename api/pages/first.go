package pages

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"math"
	"regexp"
	"strconv"
	"strings"

	"welovevoucher/platform/money"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/org"
)

//go:embed first.html
var firstHTML string

// firstScreen paints the market or a package before any script has come.
var firstScreen = template.Must(template.New("first").Parse(firstHTML))

// paint is what the build of the customer's app leaves for the first screen (apps/tooling/first-screen.ts).
type paint struct {
	Start   string                   `json:"start"`   // the script that lets the app's own begin after what is seen
	Market  []string                 `json:"market"`  // scripts of the market's page beside those of every page
	Package []string                 `json:"package"` // the same of a package's
	Thai    map[string]string        `json:"thai"`    // English sentence -> Thai one
	Icons   map[string]template.HTML `json:"icons"`   // lucide's name -> what stands inside its <svg>
}

// readPaint panics on what the build cannot have written: it is part of the binary.
func readPaint(dist fs.FS) (p paint) {
	text, err := fs.ReadFile(dist, "customer/first-screen.json")
	if errors.Is(err, fs.ErrNotExist) {
		return p // not built: nothing is painted
	}
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		panic(fmt.Errorf("read what the first screen says: %w", err))
	}
	return p
}

// into puts a first screen into the page, and lets the app's script wait until it is seen.
func (p paint) into(page, markup []byte) []byte {
	page = bytes.Replace(page, []byte(`<div id="app"></div>`), []byte(`<div id="app">`+string(markup)+`</div>`), 1)
	page = bytes.Replace(page, []byte("<!--app-->"), []byte(`<template id="app-script">`), 1)
	return bytes.Replace(page, []byte("<!--/app-->"), []byte(`</template><script async src="`+p.Start+`"></script>`), 1)
}

// preload asks for more scripts together with the app's own.
func preload(page []byte, scripts []string) []byte {
	var links strings.Builder
	for _, script := range scripts {
		links.WriteString(`<link rel="modulepreload" crossorigin href="` + script + `">`)
	}
	return bytes.Replace(page, []byte("<!--/app-->"), []byte(links.String()+"<!--/app-->"), 1)
}

// screen is a first screen in the language of its reader. The template asks it for texts, prices and addresses.
type screen struct {
	paint
	lang, base     string // base is /user, or /welovevoucher/{liff}
	Brand, Tagline string
	logo           string
	Tags           []catalog.Tag
	Feature        *feature
	Rest           []catalog.PackageCard
	All            bool
	Heading        string
	Product        *catalog.PackageDetail
}

type feature struct{ catalog.PackageCard }

const worthSorting = 4 // packages; fewer need no sorting

// changing are the search keys that lead to another screen than the one that the server has read.
var changing = []string{"q", "tag", "sort", "min", "max", "place", "liff.state"}

// paints says whether the page's first screen is the one that was read; what it shows then is the same for everybody.
func (s shown) paints(query map[string]string) bool {
	for _, key := range changing {
		if _, given := query[key]; given {
			return false
		}
	}
	return !s.front && s.exact && (s.product != nil || (s.market != nil && len(s.market.Data) > 0))
}

// scripts are those that the page of this first screen needs beside every page's.
func (s shown) scripts(p paint) []string {
	switch {
	case s.product != nil:
		return p.Package
	case s.market != nil && !s.front:
		return p.Market
	}
	return nil
}

// markup is the first screen as HTML.
func (s shown) markup(p paint, o *org.Org, lang string) ([]byte, error) {
	view := screen{paint: p, lang: lang, base: strings.TrimSuffix(s.base, "/market"), Product: s.product, Tags: s.tags}
	view.Brand, view.Tagline = view.Text(o.NameTH, o.NameEN), view.Text(o.TaglineTH, o.TaglineEN)
	if logo := show(o).LogoURL; logo != nil {
		view.logo = *logo
	}
	name := "product"
	if s.market != nil {
		name = "market"
		view.list(*s.market)
	}
	var b bytes.Buffer
	if err := firstScreen.ExecuteTemplate(&b, name, &view); err != nil {
		return nil, fmt.Errorf("paint the first screen: %w", err)
	}
	return b.Bytes(), nil
}

func (s *screen) list(page catalog.MarketPage) {
	first := 0
	for i, card := range page.Data {
		if card.Featured {
			first = i
			break
		}
	}
	s.Heading = "Packages"
	for i, card := range page.Data {
		if card.Sold > 0 {
			s.Heading = "Best sellers"
		}
		if i == first {
			s.Feature = &feature{card}
		} else {
			s.Rest = append(s.Rest, card)
		}
	}
	s.All = page.Total > worthSorting
}

// Text is the one of two texts that this person reads; the other where it is empty.
func (s *screen) Text(th, en string) string {
	first, second := th, en
	if s.lang == "en" {
		first, second = en, th
	}
	if first == "" {
		first = second
	}
	return thai(first)
}

var (
	plural      = regexp.MustCompile(`\{(\w+), plural,(?: one \{([^}]*)\})? other \{([^}]*)\}\}`)
	placeholder = regexp.MustCompile(`\{(\w+)[,}]`)
)

// Say is a sentence of the app's catalogue with its values, in the order in which the English one names them.
func (s *screen) Say(source string, values ...any) string {
	text := source
	if known, ok := s.Thai[source]; ok && s.lang != "en" {
		text = known
	}
	names := placeholder.FindAllStringSubmatch(source, len(values))
	for i, v := range values[:len(names)] {
		name, value := names[i], fmt.Sprint(v)
		text = plural.ReplaceAllStringFunc(text, func(form string) string {
			parts := plural.FindStringSubmatch(form)
			if parts[1] != name[1] {
				return form
			}
			many := parts[3]
			if value == "1" && parts[2] != "" {
				many = parts[2]
			}
			return strings.ReplaceAll(many, "#", value)
		})
		text = strings.ReplaceAll(text, "{"+name[1]+"}", value)
	}
	return text
}

// Icon is one of lucide's, so many pixels large; 0 leaves that to what stands around it.
func (s *screen) Icon(name string, size float64) template.HTML {
	style := ""
	if size > 0 {
		pixels := strconv.FormatFloat(size, 'f', -1, 64)
		style = ` style="width:` + pixels + `px;height:` + pixels + `px"`
	}
	//nolint:gosec // the icons come from the build, the size from the template
	return template.HTML(`<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"`+
		style+`>`) + s.Icons[name] + `</svg>`
}

// Path is the address of a page of this area.
func (s *screen) Path(page string) string { return s.base + "/" + page }

type tab struct {
	Href, Label          string
	Icon                 template.HTML
	Active, Home, Person bool
}

// Tabs lead through the app.
func (s *screen) Tabs() []tab {
	return []tab{
		{Href: s.Path("market"), Label: s.Say("Market"), Icon: s.Icon("store", 0), Active: s.Product == nil, Home: true},
		{Href: s.Path("activevoucher"), Label: s.Say("My Voucher & Ticket"), Icon: s.Icon("ticket", 0)},
		{Href: s.Path("cart"), Label: s.Say("Cart"), Icon: s.Icon("shopping-bag", 0)},
		{Href: s.Path("profile"), Label: s.Say("Profile"), Icon: s.Icon("user", 16.8), Person: true},
	}
}

type mark struct {
	Logo, First, Radius, Letter, Class string
	Size                               int
	OnBand                             bool
}

// Mark is the organisation's logo, or its first letter: Thai writes some vowels before the consonant that is read first.
func (s *screen) Mark(size int, class string) mark {
	letters := []rune(s.Brand)
	if len(letters) > 1 && strings.ContainsRune("เแโใไ", letters[0]) {
		letters = letters[1:]
	}
	first := ""
	if len(letters) > 0 {
		first = string(letters[0])
	}
	m := mark{Logo: s.logo, First: first, Size: size, Class: class, Radius: strconv.FormatFloat(float64(size)*0.3, 'f', 1, 64), Letter: strconv.Itoa(size / 2)}
	if class == "band" {
		m.OnBand, m.Class = true, ""
	}
	return m
}

type picture struct {
	Source, Wide, Sizes string
	Width, WideWidth    int
	First               bool
	Mark                mark
}

// How wide the first screens ask for their pictures, and in what width each is shown: the same as apps/customer asks for
// (market-page.tsx, package-page.tsx, package-tile.tsx), so that a picture is fetched once.
const (
	marketWidth                        = 720
	productWidth, productWide          = 800, 1600
	tileWidth, tileWide                = 400, 800
	productSizes                       = "(min-width: 1024px) 540px, 100vw"
	tileSizes                          = "(min-width: 600px) 270px, 50vw"
	featureMark, productMark, tileMark = 64, 96, 48
)

// picture is the path of the one that the first screen shows largest; the browser fetches it before it has run anything.
func (s shown) picture() string {
	switch {
	case s.product != nil && s.product.Picture != nil:
		return media(s.product.Picture, productWidth)
	case s.market != nil && len(s.market.Data) > 0 && s.market.Data[0].Picture != nil:
		return media(s.market.Data[0].Picture, marketWidth)
	}
	return ""
}

// widths are the attributes of a preload that lets the browser choose among a package's widths.
func (s shown) widths() string {
	if s.product == nil {
		return ""
	}
	return fmt.Sprintf(` imagesrcset="%s %dw, %s %dw" imagesizes="%s"`, media(s.product.Picture, productWidth), productWidth,
		media(s.product.Picture, productWide), productWide, productSizes)
}

func media(p *catalog.Picture, width int) string {
	return "/media/" + p.ID.String() + "?w=" + strconv.Itoa(width)
}

// Largest is the picture of the package that leads, or of the only one.
func (s *screen) Largest(c catalog.PackageCard) picture {
	shape := picture{First: true, Mark: s.Mark(featureMark, "opacity-60")}
	if s.Product != nil {
		shape.Mark = s.Mark(productMark, "opacity-60")
	}
	switch {
	case c.Picture == nil:
	case s.Product != nil:
		shape.Source, shape.Width = media(c.Picture, productWidth), productWidth
		shape.Wide, shape.WideWidth, shape.Sizes = media(c.Picture, productWide), productWide, productSizes
	default:
		shape.Source = media(c.Picture, marketWidth)
	}
	return shape
}

// Small is the picture of a package in the grid.
func (s *screen) Small(c catalog.PackageCard) picture {
	shape := picture{Mark: s.Mark(tileMark, "opacity-60")}
	if c.Picture != nil {
		shape.Source, shape.Width = media(c.Picture, tileWidth), tileWidth
		shape.Wide, shape.WideWidth, shape.Sizes = media(c.Picture, tileWide), tileWide, tileSizes
	}
	return shape
}

type price struct{ Baht, Satang, Class string }

// Price is an amount in the three sizes of its parts.
func (s *screen) Price(a money.Amount, class string) price {
	baht, satang, _ := strings.Cut(a.String(), ".")
	return price{baht, satang, class}
}

// ListPrice is what a package would cost otherwise, where that is more.
func (s *screen) ListPrice(c catalog.PackageCard, class string) *price {
	if c.ListPrice == nil || *c.ListPrice <= c.Price {
		return nil
	}
	p := s.Price(*c.ListPrice, class)
	return &p
}

// FeatureBadge stands on the leading package's picture.
func (s *screen) FeatureBadge(c catalog.PackageCard) string {
	if badge := s.Text(c.BadgeTH, c.BadgeEN); badge != "" || !c.Featured {
		return badge
	}
	return s.Say("Recommended")
}

// TileBadge stands on a package's picture in the grid: its own words, or how much less it costs.
func (s *screen) TileBadge(c catalog.PackageCard) string {
	if badge := s.Text(c.BadgeTH, c.BadgeEN); badge != "" {
		return badge
	}
	if c.ListPrice == nil || *c.ListPrice <= c.Price {
		return ""
	}
	if percent := math.Round((1 - float64(c.Price)/float64(*c.ListPrice)) * 100); percent > 0 {
		return fmt.Sprintf("−%.0f%%", percent)
	}
	return ""
}

// Count is a number with its thousands parted.
func (s *screen) Count(n int64) string {
	whole, _, _ := strings.Cut((money.Amount(n) * money.Baht).String(), ".")
	return whole
}

// Meta is how many are left and sold; where it can be used when stock is not counted.
func (s *screen) Meta(c catalog.PackageCard) string {
	var parts []string
	if c.Remaining != nil && *c.Remaining == 0 {
		parts = append(parts, s.Say("Sold out"))
	} else if c.Remaining != nil {
		parts = append(parts, s.Say("{left} left", s.Count(*c.Remaining)))
	}
	if c.Sold > 0 {
		parts = append(parts, s.Say("{sold} sold", s.Count(c.Sold)))
	}
	if c.Remaining == nil && c.Places > 1 {
		parts = append(parts, s.Say("{0} places", c.Places))
	}
	return thai(strings.Join(parts, " · "))
}

// Few left is worth saying; many is not (package-page.tsx).
const scarce, bestSeller = 20, 100

type chip struct {
	Class, Label string
	Icon         template.HTML
}

// SoldOut says that nobody can buy the package now.
func (s *screen) SoldOut() bool { return s.Product.Remaining != nil && *s.Product.Remaining == 0 }

// Chips stand above a package's name.
func (s *screen) Chips() (chips []chip) {
	left := s.Product.Remaining
	if s.Product.Sold >= bestSeller {
		chips = append(chips, chip{"bg-second-soft text-second-text", s.Say("Best seller"), s.Icon("flame", 14)})
	}
	if s.SoldOut() {
		return append(chips, chip{Class: "bg-muted text-muted-foreground", Label: s.Say("Sold out")})
	}
	if left != nil && *left <= scarce {
		chips = append(chips, chip{Class: "bg-warn-soft text-warn-text", Label: s.Say("{left} left", *left)})
	}
	return chips
}

// Each is what one of several costs, where there is one kind of thing inside.
func (s *screen) Each() string {
	if len(s.Product.Items) != 1 || s.Product.Items[0].Kind != "item" {
		return ""
	}
	number := int64(s.Product.Items[0].Quantity) * s.Product.Items[0].Count
	if number < 2 {
		return ""
	}
	return s.Say("{each} each", money.Amount(math.Round(float64(s.Product.Price)/float64(number))))
}

// HowMany is the number of uses, or the worth, of one kind of voucher.
func (s *screen) HowMany(i catalog.PartDetail) string {
	if i.Kind == "item" {
		return s.Say("{0, plural, one {# time} other {# times}}", int64(i.Quantity)*i.Count)
	}
	worth := "฿" + money.Amount(i.Count).String()
	if i.Quantity == 1 {
		return worth
	}
	return strconv.Itoa(i.Quantity) + " × " + worth
}
