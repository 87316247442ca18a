package pages

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/theme"
	"welovevoucher/tenants/org"
)

// platformPNG is what a link to the platform's own pages shows: chats draw no SVG.
//
//go:embed platform.png
var platformPNG []byte

// platformSays describes the platform's own pages in a chat and in a search.
var platformSays = map[string]string{
	"th": "เวาเชอร์สปา บุฟเฟต์ และร้านโปรด ซื้อใน LINE แล้วเปิด QR ใช้ที่ร้าน",
	"en": "Vouchers for spas, buffets and favourite shops: buy them in LINE, show a QR at the shop.",
}

// link is what a chat shows of a page's address, and a browser in its tab.
type link struct {
	title, description string
	site               string // who it is, "We love voucher" on the platform's own pages
	url, picture       string // "" where there is none
	alt                string // of a picture that is 1200 × 630
	price              string // of a package, in baht without separators
	hidden             bool   // from searches
	icon               string // "" on a page of an organisation that has no host yet
	day, night         string // colours of the browser's own bar
	mode               string // light or dark by choice, "" as the device has it
	lang               string
}

// linkOf returns what a page shows of itself. Pictures and icons are served on an organisation's own host only.
func linkOf(o *org.Org, req *rest.Request, c colours, page, mode, path string, first shown) link {
	l := link{
		title: page, site: page, description: platformSays[req.Lang], url: req.Origin + path, lang: req.Lang, mode: mode,
		day: bar(c, false), night: bar(c, true), icon: icon(req.Org), picture: req.Origin + "/image/platform.png",
	}
	if o == nil {
		return l
	}
	l.description, l.picture = cmp.Or(tagline(o, req.Lang), page), ""
	own := req.Org != nil && req.Org.ID == o.ID
	if !own {
		l.icon = ""
	}
	if p := first.product; p != nil {
		l.title = inLang(p.NameTH, p.NameEN, req.Lang) + " - " + page
		l.description = "฿" + p.Price.String()
		if says := firstLine(inLang(p.DescriptionTH, p.DescriptionEN, req.Lang)); says != "" {
			l.description += " · " + says
		}
		l.price = strings.ReplaceAll(p.Price.String(), ",", "")
	}
	switch picture := first.picture(); {
	case !own:
	case picture != nil:
		l.picture = req.Origin + "/media/" + picture.ID.String() + "?w=800"
	case o.Logo != uuid.Nil:
		l.picture = req.Origin + "/media/" + o.Logo.String() + "?w=800"
	}
	return l
}

func (l link) write(w *bytes.Buffer) {
	meta := func(attribute, name, content string) {
		if content != "" {
			fmt.Fprintf(w, "<meta %s=\"%s\" content=\"%s\">\n", attribute, name, html.EscapeString(content))
		}
	}
	fmt.Fprintf(w, "<title>%s</title>\n", html.EscapeString(l.title))
	meta("name", "description", l.description)
	if l.hidden {
		meta("name", "robots", "noindex")
	}
	kind, locale := "website", "th_TH"
	if l.price != "" {
		kind = "product"
	}
	if l.lang == "en" {
		locale = "en_US"
	}
	meta("property", "og:type", kind)
	meta("property", "og:site_name", l.site)
	meta("property", "og:locale", locale)
	meta("property", "og:url", l.url)
	meta("property", "og:title", l.title)
	meta("property", "og:description", l.description)
	meta("property", "og:image", l.picture)
	if l.alt != "" {
		meta("property", "og:image:width", strconv.Itoa(linkWidth))
		meta("property", "og:image:height", strconv.Itoa(linkHeight))
		meta("property", "og:image:alt", l.alt)
	}
	if l.price != "" {
		meta("property", "product:price:amount", l.price)
		meta("property", "product:price:currency", "THB")
	}
	if l.alt != "" {
		meta("name", "twitter:card", "summary_large_image")
	}
	switch l.mode {
	case "light":
		meta("name", "theme-color", l.day)
	case "dark":
		meta("name", "theme-color", l.night)
	default:
		fmt.Fprintf(w, "<meta name=\"theme-color\" content=\"%s\" media=\"(prefers-color-scheme: light)\">\n", l.day)
		fmt.Fprintf(w, "<meta name=\"theme-color\" content=\"%s\" media=\"(prefers-color-scheme: dark)\">\n", l.night)
	}
	if l.icon != "" {
		fmt.Fprintf(w, "<link rel=\"icon\" href=\"%s\">\n<link rel=\"manifest\" href=\"/manifest.webmanifest\">\n", html.EscapeString(l.icon))
	}
}

// colours are the two that a page's theme is computed from.
type colours struct{ primary, secondary string }

func bar(c colours, dark bool) string {
	for _, token := range theme.Tokens(c.primary, c.secondary, dark) {
		if token.Name == "band" {
			return token.Value
		}
	}
	return c.primary
}

// icon is the address of the host's own: its logo, else its letter.
func icon(host *org.Org) string {
	if host == nil || host.Logo == uuid.Nil {
		return "/icon.svg"
	}
	return "/media/" + host.Logo.String() + "?w=400"
}

// favicon leads who asks for the address that everybody knows to the host's icon.
func (s server) favicon(c fiber.Ctx) error {
	return c.Redirect().Status(fiber.StatusFound).To(icon(rest.From(c.Context()).Org))
}

// letterIcon serves the mark of the host as a drawing: the letters of an organisation without a logo, the platform's ticket.
func (s server) letterIcon(c fiber.Ctx) error {
	c.Set(fiber.HeaderContentType, "image/svg+xml")
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderCacheControl, "public, max-age=3600")
	host := rest.From(c.Context()).Org
	if host == nil {
		return c.SendString(drawn(nil, ""))
	}
	return c.SendString(drawn(host, s.screens.Monogram.of(host.NameTH)))
}

// platformMark is the ticket with a heart of PlatformMark (apps/ui).
const platformMark = `<g fill="%s"><path d="M9 13h22a1.5 1.5 0 0 1 1.5 1.5v3a3 3 0 0 0 0 5.5v3A1.5 1.5 0 0 1 31 27.5H9A1.5 1.5 0 0 1 7.5 26v-3a3 3 0 0 0 0-5.5v-3A1.5 1.5 0 0 1 9 13Z"/>` +
	`<path d="M20 25.5c-4-2.6-5.6-4.7-5-6.7.7-2.2 3.7-2.3 5-.2 1.3-2.1 4.3-2 5 .2.6 2-1 4.1-5 6.7Z" fill="%s"/></g>`

func drawn(o *org.Org, monogram string) string {
	primary, mark := platformPrimary, fmt.Sprintf(platformMark, theme.TextOn(platformPrimary), platformPrimary)
	if o != nil {
		primary = o.Primary
		mark = fmt.Sprintf(`<text x="20" y="20" dy=".35em" text-anchor="middle" font-family="sans-serif" font-weight="600" font-size="16" fill="%s">%s</text>`,
			theme.TextOn(primary), html.EscapeString(monogram))
	}
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="12" fill="` + primary + `"/>` + mark + `</svg>`
}

// manifest is how a phone keeps a site on its home screen.
type manifest struct {
	Name       string         `json:"name"`
	ShortName  string         `json:"short_name"`
	Lang       string         `json:"lang"`
	ID         string         `json:"id"`
	StartURL   string         `json:"start_url"`
	Scope      string         `json:"scope"`
	Display    string         `json:"display"`
	Theme      string         `json:"theme_color"`
	Background string         `json:"background_color"`
	Icons      []manifestIcon `json:"icons"`
}

type manifestIcon struct {
	Source string `json:"src"`
	Sizes  string `json:"sizes"`
	Type   string `json:"type"`
}

func manifestOf(o *org.Org, lang string) manifest {
	name, c := fallbackTitle, colours{platformPrimary, platformSecondary}
	if o != nil {
		name, c = o.Name(lang), colours{o.Primary, o.Secondary}
	}
	m := manifest{
		Name: name, ShortName: name, Lang: lang, ID: "/", StartURL: "/", Scope: "/", Display: "standalone", Theme: bar(c, false), Background: "#ffffff",
		Icons: []manifestIcon{{"/icon.svg", "any", "image/svg+xml"}},
	}
	if o != nil && o.Logo != uuid.Nil {
		m.Icons = []manifestIcon{{icon(o), "400x400", "image/jpeg"}}
	}
	return m
}

func (s server) webManifest(c fiber.Ctx) error {
	req := rest.From(c.Context())
	text, err := json.Marshal(manifestOf(req.Org, req.Lang))
	if err != nil {
		return fmt.Errorf("web manifest: %w", err)
	}
	c.Set(fiber.HeaderContentType, "application/manifest+json")
	c.Set(fiber.HeaderVary, fiber.HeaderCookie) // its name is in the language of who asks
	c.Set(fiber.HeaderCacheControl, "private, max-age=3600")
	return c.Send(text)
}

func (s server) platformPicture(c fiber.Ctx) error {
	c.Set(fiber.HeaderContentType, "image/png")
	c.Set(fiber.HeaderCacheControl, "public, max-age=86400")
	return c.Send(platformPNG)
}

// inLang returns the text in a language, in the other one where it has none.
func inLang(th, en, lang string) string {
	if lang == "en" {
		return cmp.Or(en, th)
	}
	return cmp.Or(th, en)
}

// firstLine is as much of a text as a preview has room for. It ends between two letters.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	letters := []rune(strings.TrimSpace(line))
	if len(letters) > longestPreview {
		return string(letters[:longestPreview]) + "…"
	}
	return string(letters)
}

const longestPreview = 160
