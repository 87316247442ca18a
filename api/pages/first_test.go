package pages

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/money"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/org"
)

const hostile = `"><script>alert(1)</script>' onload=x {{.Brand}} </main>`

var (
	builtPaint = paint{
		Start: "/assets/customer/assets/start-1.js",
		Thai: map[string]string{
			"Buy now": "ซื้อเลย", "{left} left": "เหลือ {left}", "Best seller": "ขายดี", "{each} each": "ครั้งละ {each}",
			"{0, plural, one {# time} other {# times}}": "{0, plural, other {# ครั้ง}}",
		},
	}
	spa = org.Org{ID: uuid.New(), NameTH: "เรือนละไม สปา", NameEN: "Lamai Spa", TaglineTH: "นวดไทย", TaglineEN: "Thai massage"}
)

func card(name string) catalog.PackageCard {
	return catalog.PackageCard{ID: uuid.New(), NameTH: name, NameEN: name, Price: 1290_50}
}

func TestFirstScreenOfTheMarket(t *testing.T) {
	list := money.Amount(1500_00)
	left := int64(1200)
	lead, rest := card("นวดหินร้อน 120 นาที"), card("Compress")
	lead.Featured, lead.Picture = true, &catalog.Picture{ID: uuid.New()}
	rest.ListPrice, rest.Remaining, rest.Sold = &list, &left, 3
	s := shown{market: &catalog.MarketPage{Data: []catalog.PackageCard{rest, lead}, Total: 2}, base: "/user/market", exact: true}
	require.True(t, s.paints(map[string]string{"link": "a"}))
	require.False(t, s.paints(map[string]string{"tag": "a"}), "another list than the one that was read")

	page := markup(t, s, spa, "th")
	require.Contains(t, page, "เรือนละไม สปา")
	require.Contains(t, page, "ซื้อเลย")
	require.Contains(t, page, "120\u00a0นาที", "numbers stay with their units, as React writes them")
	require.Contains(t, page, `src="/media/`+lead.Picture.ID.String()+`?w=720"`)
	require.Contains(t, page, `href="/user/market/`+rest.ID.String()+`"`)
	require.Contains(t, page, "−14%")
	require.Contains(t, page, "เหลือ\u00a01,200 · 3 sold")
	require.Contains(t, page, `฿</span>1,290<span class="text-[0.66em] font-medium">.50`)
	require.Contains(t, page, "Best sellers")
	require.Less(t, strings.Index(page, lead.ID.String()), strings.Index(page, rest.ID.String()), "the marked package leads")

	require.Contains(t, markup(t, s, spa, "en"), "1,200 left · 3 sold")
}

func TestFirstScreenOfAPackage(t *testing.T) {
	left := int64(5)
	p := catalog.PackageDetail{PackageCard: card("Compress"), DescriptionTH: "about", Items: []catalog.PartDetail{{NameTH: "one", Kind: "item", Quantity: 1, Count: 3}}}
	p.Remaining, p.Sold, p.Picture = &left, 100, &catalog.Picture{ID: uuid.New()}
	s := shown{product: &p, base: "/welovevoucher/1-a/market", exact: true}

	page := markup(t, s, spa, "th")
	require.Contains(t, page, "ขายดี")
	require.Contains(t, page, "เหลือ 5")
	require.Contains(t, page, "3 ครั้ง")
	require.Contains(t, page, "ครั้งละ 430.17")
	require.Contains(t, page, `href="/welovevoucher/1-a/cart?only=`+p.ID.String()+`"`)
	require.Contains(t, markup(t, s, spa, "en"), "3 times")

	sold := int64(0)
	p.Remaining = &sold
	require.NotContains(t, markup(t, s, spa, "th"), "cart?only=")
}

func TestFirstScreenWritesNamesAsText(t *testing.T) {
	o := spa
	o.NameTH, o.TaglineTH = hostile, hostile
	c := card(hostile)
	c.BadgeTH = hostile
	p := catalog.PackageDetail{PackageCard: c, DescriptionTH: hostile, Items: []catalog.PartDetail{{NameTH: hostile, Kind: "baht", Quantity: 2, Count: 100}}}
	tags := []catalog.Tag{{ID: uuid.New(), NameTH: hostile}}
	for _, s := range []shown{
		{market: &catalog.MarketPage{Data: []catalog.PackageCard{c, c}, Total: 9}, tags: tags, base: "/user/market"},
		{product: &p, base: "/user/market"},
	} {
		page := markup(t, s, o, "th")
		require.Contains(t, page, "&lt;script&gt;alert(1)")
		require.NotContains(t, page, "<script>alert")
		require.NotContains(t, page, `"><script`)
		require.Equal(t, 1, strings.Count(page, "</main>"))
	}
}

func TestThePageLetsTheScriptWait(t *testing.T) {
	index := `<head><!--app--><script type="module" src="a.js"></script><!--/app--></head><body><div id="app"></div></body>`
	require.Equal(t, `<head><template id="app-script"><script type="module" src="a.js"></script></template><script async src="/assets/customer/assets/start-1.js"></script></head><body><div id="app"><main></main></div></body>`,
		string(builtPaint.into([]byte(index), []byte("<main></main>"))))
	require.Contains(t, string(preload([]byte(index), []string{"/p.js"})), `<link rel="modulepreload" crossorigin href="/p.js"><!--/app-->`)
}

func TestWhatTheBuildLeaves(t *testing.T) {
	require.Empty(t, readPaint(fstest.MapFS{}).Start)
	p := readPaint(fstest.MapFS{"customer/first-screen.json": {Data: []byte(`{"start":"/s.js","thai":{"a":"ก"},"icons":{"store":"<path/>"}}`)}})
	require.Equal(t, "/s.js", p.Start)
	require.Equal(t, "ก", (&screen{paint: p, lang: "th"}).Say("a"))
	require.Equal(t, "a", (&screen{paint: p, lang: "en"}).Say("a"))
	require.Contains(t, string((&screen{paint: p}).Icon("store", 24)), "<path/></svg>")
	require.Panics(t, func() { readPaint(fstest.MapFS{"customer/first-screen.json": {Data: []byte(`{`)}}) })
}

// The same names as in apps/ui/src/format/format.test.ts.
func TestThaiWrapsLikeTheApps(t *testing.T) {
	require.Equal(t, "นวดหินร้อนล้าน\u2060นา 120\u00a0นาที แพ็ก\u00a03\u00a0ครั้ง", thai("นวดหินร้อนล้านนา 120 นาที แพ็ก 3 ครั้ง"))
	require.Equal(t, "เวาเชอร์ของฉัน", thai("เวาเชอร์ของฉัน"))
	require.Equal(t, "เวา\u2060เชอ\u2060ร์ของคุณยังอยู่ครบ เลือกแพ็ก\u2060เก\u2060จอื่นจากแด\u2060ช\u2060บอร์ดได้", thai("เวาเชอร์ของคุณยังอยู่ครบ เลือกแพ็กเกจอื่นจากแดชบอร์ดได้"))
}

func markup(t *testing.T, s shown, o org.Org, lang string) string {
	t.Helper()
	text, err := s.markup(builtPaint, &o, lang)
	require.NoError(t, err)
	return string(text)
}
