// Package pages writes the first byte of every page: title, language, the organisation's colours, and what its first
// screen would ask for. React takes over from there.
package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/compress"
	"github.com/google/uuid"
	"go.uber.org/zap"

	"welovevoucher/api/rest"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/log"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/theme"
	"welovevoucher/platform/token"
	"welovevoucher/tenants"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/optionlist"
	"welovevoucher/tenants/org"
)

// Config is where the built apps lie, and which outside addresses pages may talk to.
type Config struct {
	Dist     fs.FS    // customer, agent, backoffice
	Connect  []string // origins for scripts: LINE's API, the card vault
	Images   []string // origins of pictures: LINE's profiles, the gateway's QR
	LineBase string   // where LIFF links lead
	Platform string   // the platform's own address: scheme and host, with its port
}

// The platform's own colours: its public site, and the back office.
const (
	platformPrimary, platformSecondary = "#e50014", "#061c33"
	officePrimary, officeSecondary     = "#061c33", "#e50014"
	fallbackTitle                      = "We love voucher"
)

type server struct {
	*tenants.Services
	Config
	index   map[string][]byte // app -> its index.html
	screens *firstScreens
	gifts   *giftPictures
}

// Register serves the apps' files and, on every other address, the page of its app.
func Register(app *fiber.App, s *tenants.Services, c Config) {
	p := server{Services: s, Config: c, index: map[string][]byte{}, screens: readFirstScreens(c.Dist), gifts: newGiftPictures(c.Dist, s.Objects)}
	for _, name := range []string{"customer", "agent", "backoffice"} {
		if text, err := fs.ReadFile(c.Dist, name+"/index.html"); err == nil {
			p.index[name] = text
		}
	}
	app.Get("/assets/:app/*", p.asset)
	app.Get("/user/service-worker.js", p.serviceWorker)
	app.Get("/media/:id", p.picture)
	app.Get("/image/gift/:org/:version/:name", p.giftPicture)
	app.Get("/image/profile2.png", p.profilePicture)
	app.Get("/robots.txt", func(c fiber.Ctx) error { return c.SendString("User-agent: *\nDisallow: /api/\n") })
	app.Get("/favicon.ico", p.favicon)
	app.Get("/icon.svg", p.letterIcon)
	app.Get("/image/platform.png", p.platformPicture)
	app.Get("/manifest.webmanifest", p.webManifest)
	app.Get("/*", compress.New(), p.page)
}

// administration is where the platform's admins work.
const administration = "/advwsadmin"

// appOf is the app behind a path; the callback of a login belongs to the app that began it.
func appOf(path string) string {
	area := strings.TrimPrefix(path, "/logincallback")
	for app, prefixes := range map[string][]string{
		"backoffice": {"/owner", "/staff", administration, "/register"},
		"agent":      {"/weloveagent"},
	} {
		for _, prefix := range prefixes {
			if area == prefix || strings.HasPrefix(area, prefix+"/") {
				return app
			}
		}
	}
	return "customer"
}

// boot is what the page knows before it asks; apps/client reads it.
type boot struct {
	Lang string            `json:"lang"`
	Area string            `json:"area"`
	Org  *organisation     `json:"org"`
	Line map[string]string `json:"line"`
	Data []answer          `json:"data"`
}

type organisation struct {
	ID        uuid.UUID `json:"id"`
	Unique    string    `json:"unique"`
	NameTH    string    `json:"name_th"`
	NameEN    string    `json:"name_en"`
	TaglineTH string    `json:"tagline_th"`
	TaglineEN string    `json:"tagline_en"`
	LogoURL   *string   `json:"logo_url"`
	Primary   string    `json:"primary"`
	Secondary string    `json:"secondary"`
	Liff      org.Liff  `json:"liff"`
	Since     string    `json:"since"` // the month from which it is on the platform, in Bangkok: 2026-09
	Gifts     string    `json:"gifts"` // the folder of its cards as pictures, for messages
	OnPrimary string    `json:"on_primary"`
	Protected bool      `json:"protected"` // money of what is not used yet is set aside by the platform
	Suspended bool      `json:"suspended"` // it sells nothing for now
	Members   bool      `json:"members"`   // who buys, gives or offers has to be a member
}

// answer seeds one query of the client.
type answer struct {
	Path   string `json:"path"`
	Body   any    `json:"body"`
	Detail any    `json:"detail"`
}

func (s server) page(c fiber.Ctx) error {
	if strings.HasPrefix(c.Path(), "/api/") {
		return fiber.ErrNotFound
	}
	name := appOf(c.Path())
	index, built := s.index[name]
	if !built {
		return c.Status(fiber.StatusServiceUnavailable).SendString("The app " + name + " is not built: run npm run build in apps/.")
	}
	req := rest.From(c.Context())
	if to := s.elsewhere(c, req); to != "" {
		return c.Redirect().To(to)
	}
	o, err := s.orgOf(c.Context(), req, c.Path())
	if errors.Is(err, org.ErrNotFound) {
		return fiber.ErrNotFound
	}
	if err != nil {
		return err
	}

	if req.Org == nil && o != nil && o.Host != "" { // an organisation's pages live on its own host
		return c.Redirect().To(req.OriginOf(*o) + c.OriginalURL())
	}

	b := boot{Lang: req.Lang, Area: name, Line: map[string]string{"liff_base": s.LineBase}, Data: []answer{}}
	its, title := colours{platformPrimary, platformSecondary}, fallbackTitle
	if name == "backoffice" {
		its = colours{officePrimary, officeSecondary}
	}
	first := shown{}
	if o != nil {
		its, title = colours{o.Primary, o.Secondary}, o.Name(req.Lang)
		b.Org = show(o)
		b.Org.Gifts = s.gifts.folder(o)
		if name == "customer" {
			first = s.seed(c.Context(), &b, o, c.Path())
		}
	}

	rememberBrowser(c)
	screen, markup := s.paint(c, &b, first)
	nonce := token.Random(16)
	mode := modeOf(c.Cookies("theme"))
	shows := linkOf(o, req, its, title, mode, c.Path(), first)
	if address, is := giftAddress(c.Path(), c.Query("liff.state")); is {
		shows = shows.ofGift(o, req, address, s.gifts)
	}
	head, err := head(b, nonce, shows, theme.Stylesheet(its.primary, its.secondary), pictureAhead(markup))
	if err != nil {
		return err
	}
	text := bytes.Replace(index, []byte(`<html lang="th">`), []byte(htmlTag(req.Lang, mode)), 1)
	text = bytes.Replace(text, []byte("<!--boot-->"), head, 1)
	text = preload(text, s.screens.Scripts[screen])
	switch {
	case markup != nil:
		text = s.screens.into(text, markup)
	case first.market != nil || first.product != nil:
		plain, err := first.render(title, tagline(o, req.Lang), req.Lang)
		if err != nil {
			return err
		}
		text = bytes.Replace(text, []byte("</body>"), append(plain, "</body>"...), 1)
	}

	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set(fiber.HeaderContentSecurityPolicy, s.policy(nonce, req))
	return c.Send(text)
}

// paint returns which first screen the page has, and its markup; none where the server does not know what stands there.
func (s server) paint(c fiber.Ctx, b *boot, first shown) (screen string, markup []byte) {
	if page, is := s.screens.Site[b.Lang][c.Path()]; is && b.Org == nil && b.Area == "customer" {
		return "site", []byte(page)
	}
	if s.screens.Start == "" || !first.paints(c.Queries()) {
		return first.screen(), nil
	}
	markup, err := first.markup(s.screens, b.Org, b.Lang)
	if err != nil {
		log.From(c.Context()).Error("paint the first screen", zap.Error(err)) // the page shows it a moment later
		return first.screen(), nil
	}
	return first.screen(), markup
}

// elsewhere is the other host that a page is on, or "". The administration is on the platform's own host alone. The sign-in
// page there finds a customer's shop by its short name; a name that nobody has stays, and the page says so.
func (s server) elsewhere(c fiber.Ctx, req *rest.Request) string {
	if req.Org != nil {
		if c.Path() == administration || strings.HasPrefix(c.Path(), administration+"/") {
			return s.Platform + c.OriginalURL()
		}
		return ""
	}
	if c.Path() != "/loginpage" {
		return ""
	}
	o, err := s.Orgs.ByUnique(c.Context(), c.Query("unique"))
	if err != nil || !o.Answers() || o.Host == "" {
		return ""
	}
	return req.OriginOf(o) + "/user/home"
}

// orgOf is the organisation of a page: the host's, or on the platform's host the one whose LIFF app this is.
func (s server) orgOf(ctx context.Context, req *rest.Request, path string) (*org.Org, error) {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if len(parts) < 2 || !org.LiffForm.MatchString(parts[1]) {
		return req.Org, nil
	}
	o, err := s.Orgs.ByLiff(ctx, parts[1])
	if err != nil {
		return nil, err
	}
	if !o.Answers() || (req.Org != nil && req.Org.ID != o.ID) {
		return nil, org.ErrNotFound
	}
	return &o, nil
}

func tagline(o *org.Org, lang string) string {
	if lang == "en" && o.TaglineEN != "" {
		return o.TaglineEN
	}
	return o.TaglineTH
}

func show(o *org.Org) *organisation {
	v := &organisation{
		ID: o.ID, Unique: o.Unique, NameTH: o.NameTH, NameEN: o.NameEN, TaglineTH: o.TaglineTH, TaglineEN: o.TaglineEN,
		Primary: o.Primary, Secondary: o.Secondary, Liff: o.Liff, Since: o.CreatedAt.In(clock.Bangkok).Format("2006-01"),
		OnPrimary: theme.TextOn(o.Primary), Protected: o.Collector == payment.CollectorPlatform,
		Suspended: o.State == org.Suspended, Members: o.RegisterBeforeUse,
	}
	if o.Logo != uuid.Nil {
		url := "/media/" + o.Logo.String()
		v.LogoURL = &url
	}
	return v
}

// fronts are the addresses of a shop's own front.
var fronts = map[string]bool{"/": true, "/home": true, "/main": true}

// area is where the customer's pages stand: on the web, and inside LINE.
var area = regexp.MustCompile(`^/(user|welovevoucher/[^/]+)$`)

// screenAt returns which first screen stands at a path, with nothing of it read yet, and the id of the package where it is one's.
func screenAt(path string) (first shown, packageID uuid.UUID) {
	if fronts[path] {
		return shown{path: path, area: "user", front: true, exact: true}, uuid.Nil
	}
	before, after, is := strings.Cut(path, "/market")
	if !is {
		return shown{}, uuid.Nil
	}
	first = shown{path: path, area: strings.TrimPrefix(before, "/")}
	id, err := uuid.Parse(strings.TrimPrefix(after, "/"))
	if err != nil {
		id, first.exact = uuid.Nil, after == ""
	} else {
		first.exact = after == "/"+id.String()
	}
	first.exact = first.exact && area.MatchString(before)
	return first, id
}

// seed answers what the first screen of the market, of a package and of a shop's front asks for, so that it shows content at
// once. A page without it still works. Of an organisation that is suspended nothing is known ahead.
func (s server) seed(ctx context.Context, b *boot, o *org.Org, path string) shown {
	first, id := screenAt(path)
	switch {
	case first.path == "":
		return first
	case o.State == org.Suspended:
		return shown{}
	case id != uuid.Nil:
		p, err := s.Catalog.Product(ctx, o.ID, id)
		if err != nil {
			return shown{}
		}
		p.Protected = o.Collector == payment.CollectorPlatform
		b.Data = append(b.Data, answer{"/api/user/salepackage/detail", map[string]uuid.UUID{"id": id}, p})
		first.product = &p
		return first
	}

	first.market = s.seedList(ctx, b, o)
	if first.front {
		first.servicePoints, first.questions = s.seedFront(ctx, b, o)
		return first
	}
	tags, err := s.Catalog.Tags(ctx, o.ID)
	if err != nil {
		log.From(ctx).Error("the market's tags", zap.Error(err))
		return first
	}
	b.Data = append(b.Data, answer{"/api/user/get/tags", struct{}{}, map[string]any{"data": tags}})
	first.tags = tags
	return first
}

func (s server) seedList(ctx context.Context, b *boot, o *org.Org) *catalog.MarketPage {
	first, err := s.Catalog.Market(ctx, o.ID, catalog.MarketInput{})
	if err != nil {
		log.From(ctx).Error("the market's first list", zap.Error(err))
		return nil
	}
	b.Data = append(b.Data, answer{"/api/user/get/salepackage", struct{}{}, first})
	return &first
}

// seedFront answers what a shop's front says beside its packages.
func (s server) seedFront(ctx context.Context, b *boot, o *org.Org) (points []catalog.PublicServicePoint, questions []optionlist.PublicQuestion) {
	points, err := s.Catalog.ServicePoints(ctx, o.ID)
	if err != nil {
		log.From(ctx).Error("the front's service points", zap.Error(err))
		return nil, nil
	}
	b.Data = append(b.Data, answer{"/api/user/get/service_point", struct{}{}, map[string]any{"data": points}})
	questions, err = s.OptionList.ListQuestions(ctx, o.ID)
	if err != nil {
		log.From(ctx).Error("the front's questions", zap.Error(err))
		return points, nil
	}
	b.Data = append(b.Data, answer{"/api/user/get/faq", struct{}{}, map[string]any{"data": questions}})
	return points, questions
}

// head is what the page shows of itself elsewhere, colours and boot data. JSON in a page must not close its own script.
func head(b boot, nonce string, its link, css, ahead string) ([]byte, error) {
	data, err := json.Marshal(b) // escapes <, > and & as \u003c …
	if err != nil {
		return nil, fmt.Errorf("boot data: %w", err)
	}
	var w bytes.Buffer
	its.write(&w)
	w.WriteString(ahead)
	fmt.Fprintf(&w, "<style id=\"org-theme\" nonce=\"%s\">%s</style>\n", nonce, css)
	fmt.Fprintf(&w, "<script type=\"application/json\" id=\"boot\">%s</script>", data)
	return w.Bytes(), nil
}

// modeOf returns the mode that somebody has chosen, "" where the device decides.
func modeOf(cookie string) string {
	if cookie == "light" || cookie == "dark" {
		return cookie
	}
	return ""
}

func htmlTag(lang, mode string) string {
	if mode != "" {
		return `<html lang="` + lang + `" data-theme="` + mode + `">`
	}
	return `<html lang="` + lang + `">`
}

// policy lets a page talk to us, to LINE and to the card vault, and to nobody else.
func (s server) policy(nonce string, req *rest.Request) string {
	socket := strings.Replace(req.Origin, "http", "ws", 1)
	return strings.Join([]string{
		"default-src 'self'", "script-src 'self'", "style-src 'self' 'nonce-" + nonce + "'", "style-src-attr 'unsafe-inline'",
		"img-src 'self' data: blob: " + strings.Join(s.Images, " "),
		"connect-src 'self' " + socket + " " + strings.Join(s.Connect, " "),
		"font-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'",
	}, "; ")
}

// rememberBrowser gives the browser the secret that binds a login to it.
func rememberBrowser(c fiber.Ctx) {
	name := rest.BrowserCookie(c)
	if c.Cookies(name) != "" {
		return
	}
	c.Cookie(&fiber.Cookie{
		Name: name, Value: token.Random(24), Path: "/", MaxAge: 400 * 24 * 3600, HTTPOnly: true,
		Secure: c.Scheme() == "https", SameSite: fiber.CookieSameSiteLaxMode,
	})
}
