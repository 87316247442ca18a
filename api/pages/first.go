package pages

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/optionlist"
)

// firstScreens is what the build of the customer's app leaves of the pages that show something before any script has come
// (apps/tooling/first-screen.ts).
type firstScreens struct {
	Start   string              `json:"start"`   // the script that lets the app's own begin after what is seen
	Scripts map[string][]string `json:"scripts"` // of each screen, beside those of every page

	// React's markup by language, block and face: texts and the names of the holes between them, in turns.
	Blocks map[string]map[string]map[string][]string `json:"blocks"`

	Site     map[string]map[string]string `json:"site"` // the platform's own pages, whole, by language and path
	Thai     thaiRules                    `json:"thai"`
	Monogram monogramRules                `json:"monogram"`
	Phone    phoneRules                   `json:"phone"`
}

// readFirstScreens panics on what the build cannot have written: it is part of the binary.
func readFirstScreens(dist fs.FS) *firstScreens {
	s := &firstScreens{}
	text, err := fs.ReadFile(dist, "customer/first-screen.json")
	if errors.Is(err, fs.ErrNotExist) {
		return s // not built: nothing is painted
	}
	if err == nil {
		err = json.Unmarshal(text, s)
	}
	for _, rules := range []interface{ compile() error }{&s.Thai, &s.Monogram, &s.Phone} {
		if err == nil {
			err = rules.compile()
		}
	}
	if err != nil {
		panic(fmt.Errorf("read the first screens: %w", err))
	}
	return s
}

// shown is what a page shows first: the market, a package, or a shop's front.
type shown struct {
	path          string
	area          string // user, or welovevoucher/{liff}
	market        *catalog.MarketPage
	tags          []catalog.Tag
	product       *catalog.PackageDetail
	front         bool
	servicePoints []catalog.PublicServicePoint
	questions     []optionlist.PublicQuestion
	exact         bool // the address is the screen's own
}

// changing are the search keys that lead to another screen than the one that the server has read.
var changing = []string{"q", "tag", "sort", "min", "max", "place", "liff.state"}

// paints says whether the page's first screen is the one that was read; what it shows then is the same for everybody.
func (s shown) paints(query map[string]string) bool {
	for _, key := range changing {
		if _, given := query[key]; given {
			return false
		}
	}
	return s.exact && (s.product != nil || (s.market != nil && (s.front || len(s.market.Data) > 0)))
}

// screen is the name of its block, and of its scripts; "" where it is none that is painted.
func (s shown) screen() string {
	switch {
	case s.product != nil:
		return "package"
	case s.front:
		return "front"
	case s.market != nil:
		return "market"
	}
	return ""
}

// markup returns the first screen as React renders it.
func (s shown) markup(screens *firstScreens, o *organisation, lang string) ([]byte, error) {
	v := view{shown: s, screens: screens, lang: lang, org: o}
	if s.product != nil {
		v.card = &s.product.PackageCard
	}
	var b bytes.Buffer
	err := v.write(&b, s.screen())
	return b.Bytes(), err
}

// picture is the one that a preview of the page shows.
func (s shown) picture() *catalog.Picture {
	switch {
	case s.product != nil:
		return s.product.Picture
	case s.market != nil && len(s.market.Data) > 0:
		return s.market.Data[0].Picture
	}
	return nil
}

// largest finds the picture that a first screen shows largest, with its widths.
var largest = regexp.MustCompile(`<img data-slot="picture" src="([^"]*)"(?: srcSet="([^"]*)" sizes="([^"]*)")? alt="" loading="eager"`)

// pictureAhead lets the browser fetch the largest picture before it has read as far as there.
func pictureAhead(markup []byte) string {
	found := largest.FindSubmatch(markup)
	if found == nil {
		return ""
	}
	link := `<link rel="preload" as="image" fetchpriority="high" href="` + string(found[1]) + `"`
	if len(found[2]) > 0 {
		link += ` imagesrcset="` + string(found[2]) + `" imagesizes="` + string(found[3]) + `"`
	}
	return link + ">\n"
}

// into puts a first screen into the page, and lets the app's script wait until it is seen.
func (f *firstScreens) into(page, markup []byte) []byte {
	page = bytes.Replace(page, []byte(`<div id="app"></div>`), []byte(`<div id="app">`+string(markup)+`</div>`), 1)
	page = bytes.Replace(page, []byte("<!--app-->"), []byte(`<template id="app-script">`), 1)
	return bytes.Replace(page, []byte("<!--/app-->"), []byte(`</template><script async src="`+f.Start+`"></script>`), 1)
}

// preload asks for more scripts together with the app's own.
func preload(page []byte, scripts []string) []byte {
	var links strings.Builder
	for _, script := range scripts {
		links.WriteString(`<link rel="modulepreload" crossorigin href="` + script + `">`)
	}
	return bytes.Replace(page, []byte("<!--/app-->"), []byte(links.String()+"<!--/app-->"), 1)
}
