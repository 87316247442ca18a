package pages

import (
	"bytes"
	"encoding/json"
	"image/png"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/api/rest"
	"welovevoucher/platform/money"
	"welovevoucher/platform/theme"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/org"
)

var (
	spa = org.Org{
		ID: uuid.MustParse("0198a3c4-0000-7000-8000-000000000001"), NameTH: `เรือน "ละไม"`, NameEN: "Ruean Lamai", TaglineTH: "นวดไทย", TaglineEN: "Thai massage",
		Primary: "#1f5c4d", Secondary: "#d9a662",
	}
	logo    = uuid.MustParse("0198a3c4-0000-7000-8000-00000000000b")
	picture = uuid.MustParse("0198a3c4-0000-7000-8000-00000000000c")
)

func written(l link) string {
	var b bytes.Buffer
	l.write(&b)
	return b.String()
}

func TestALinkShowsItsOrganisation(t *testing.T) {
	req := &rest.Request{Org: &spa, Origin: "https://spa.example", Lang: "th"}
	its := colours{spa.Primary, spa.Secondary}
	packageOf := func(description string) shown {
		return shown{product: &catalog.PackageDetail{
			PackageCard:   catalog.PackageCard{NameTH: "น้ำมัน <90 นาที>", NameEN: "Oil", Price: 1_290 * money.Baht, Picture: &catalog.Picture{ID: picture}},
			DescriptionTH: description,
		}}
	}

	t.Run("a package shows its name, price, first line and picture, escaped", func(t *testing.T) {
		head := written(linkOf(&spa, req, its, spa.NameTH, "", `/user/market/"><script>`, packageOf(" ผ่อนคลาย\nสองบรรทัด")))
		require.Equal(t, `<title>น้ำมัน &lt;90 นาที&gt; - เรือน &#34;ละไม&#34;</title>
<meta name="description" content="฿1,290.00 · ผ่อนคลาย">
<meta property="og:type" content="product">
<meta property="og:site_name" content="เรือน &#34;ละไม&#34;">
<meta property="og:locale" content="th_TH">
<meta property="og:url" content="https://spa.example/user/market/&#34;&gt;&lt;script&gt;">
<meta property="og:title" content="น้ำมัน &lt;90 นาที&gt; - เรือน &#34;ละไม&#34;">
<meta property="og:description" content="฿1,290.00 · ผ่อนคลาย">
<meta property="og:image" content="https://spa.example/media/0198a3c4-0000-7000-8000-00000000000c?w=800">
<meta property="product:price:amount" content="1290.00">
<meta property="product:price:currency" content="THB">
<meta name="theme-color" content="#1f5c4d" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#00372b" media="(prefers-color-scheme: dark)">
<link rel="icon" href="/icon.svg">
<link rel="manifest" href="/manifest.webmanifest">
`, head)
	})

	t.Run("a front shows the shop's own words, and its logo where nothing is on sale", func(t *testing.T) {
		withLogo := spa
		withLogo.Logo = logo
		at := &rest.Request{Org: &withLogo, Origin: "https://spa.example", Lang: "en"}
		head := written(linkOf(&withLogo, at, its, "Ruean Lamai", "dark", "/", shown{}))
		require.Contains(t, head, `<meta property="og:description" content="Thai massage">`)
		require.Contains(t, head, `<meta property="og:locale" content="en_US">`)
		require.Contains(t, head, `<meta property="og:image" content="https://spa.example/media/`+logo.String()+`?w=800">`)
		require.Contains(t, head, `<meta name="theme-color" content="#00372b">`)
		require.Contains(t, head, `<link rel="icon" href="/media/`+logo.String()+`?w=400">`)
		require.NotContains(t, head, "product:price")
	})

	t.Run("a shop without logo, pictures and words shows its name and nothing of the platform", func(t *testing.T) {
		bare := spa
		bare.TaglineTH, bare.TaglineEN = "", ""
		head := written(linkOf(&bare, &rest.Request{Org: &bare, Origin: "https://spa.example", Lang: "th"}, its, "เรือนละไม", "light", "/", shown{}))
		require.Contains(t, head, `<meta property="og:description" content="เรือนละไม">`)
		require.NotContains(t, head, "og:image")
		require.NotContains(t, head, "love")
	})

	t.Run("a page on the platform's host names no picture or icon, for that host serves none of the shop", func(t *testing.T) {
		head := written(linkOf(&spa, &rest.Request{Origin: "https://platform.example", Lang: "th"}, its, spa.NameTH, "", "/welovevoucher/1-a/market", packageOf("")))
		for _, not := range []string{"og:image", `rel="icon"`, `rel="manifest"`} {
			require.NotContains(t, head, not)
		}
		require.Contains(t, head, `<meta property="og:description" content="฿1,290.00">`)
	})

	t.Run("the platform shows what it is, in both languages, with a picture of its own", func(t *testing.T) {
		for lang, says := range platformSays {
			head := written(linkOf(nil, &rest.Request{Origin: "https://platform.example", Lang: lang}, colours{platformPrimary, platformSecondary}, fallbackTitle, "", "/", shown{}))
			require.Contains(t, head, `<meta property="og:description" content="`+says+`">`)
			require.Contains(t, head, `<meta property="og:image" content="https://platform.example/image/platform.png">`)
			require.Contains(t, head, `<link rel="icon" href="/icon.svg">`)
		}
		size, err := png.DecodeConfig(bytes.NewReader(platformPNG))
		require.NoError(t, err)
		require.Equal(t, []int{1200, 630}, []int{size.Width, size.Height}, "what chats ask for")
	})

	t.Run("a long first line ends between two letters", func(t *testing.T) {
		require.Equal(t, strings.Repeat("ก", longestPreview)+"…", firstLine(strings.Repeat("ก", longestPreview+1)))
		require.Equal(t, strings.Repeat("ก", longestPreview), firstLine(strings.Repeat("ก", longestPreview)))
	})
}

func TestIconsAndManifestAreTheHosts(t *testing.T) {
	hostile := spa
	hostile.NameTH = "<script>"
	require.Contains(t, drawn(&spa, "เล"), ">เล</text>")
	require.Contains(t, drawn(&hostile, "<s"), ">&lt;s</text>")
	require.Contains(t, drawn(&spa, "เล"), `fill="#1f5c4d"`)
	require.Contains(t, drawn(&spa, "เล"), `fill="`+theme.TextOn(spa.Primary)+`"`)
	require.NotContains(t, drawn(nil, ""), "<text")

	text, err := json.Marshal(manifestOf(&spa, "th"))
	require.NoError(t, err)
	require.JSONEq(t, `{"name": "เรือน \"ละไม\"", "short_name": "เรือน \"ละไม\"", "lang": "th", "id": "/", "start_url": "/", "scope": "/", "display": "standalone",
		"theme_color": "#1f5c4d", "background_color": "#ffffff", "icons": [{"src": "/icon.svg", "sizes": "any", "type": "image/svg+xml"}]}`, string(text))
	withLogo := spa
	withLogo.Logo = logo
	require.Equal(t, []manifestIcon{{"/media/" + logo.String() + "?w=400", "400x400", "image/jpeg"}}, manifestOf(&withLogo, "en").Icons)
	require.Equal(t, fallbackTitle, manifestOf(nil, "en").Name)
}
