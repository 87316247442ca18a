package pages

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/optionlist"
)

// trial is a page of random rows with React's markup of it (apps/customer/src/first-screen/trials.ts).
type trial struct {
	Lang, Path, Markup string
	Org                organisation
	Data               []struct {
		Path   string
		Detail json.RawMessage
	}
}

// What the build of the customer's app has left. It stands beside apps/dist and is not committed: it holds every sentence and
// the name of every script, so that it would change with each of them.
const (
	built  = "../../apps/dist"
	trials = "../../.cache/first-screen/trials.json"
)

func TestFirstScreensAreReactsOwn(t *testing.T) {
	screens := readFirstScreens(os.DirFS(built))
	require.NotEmpty(t, screens.Start, "the customer's app is not built: run npm run build in apps/")
	text, err := os.ReadFile(trials)
	require.NoError(t, err, "the customer's app is not built: run npm run build in apps/")
	var all []trial
	require.NoError(t, json.Unmarshal(text, &all))

	faces := map[string]bool{}
	for _, one := range all {
		first := one.shown(t)
		require.True(t, first.paints(nil), one.Path)
		page, err := first.markup(screens, &one.Org, one.Lang)
		require.NoError(t, err, one.Path)
		if react, own := difference(one.Markup, string(page)); react != own {
			t.Fatalf("%s in %s: React renders\n%s\nand the server writes\n%s", one.Path, one.Lang, react, own)
		}
		faces[first.screen()+one.Lang] = true
	}
	require.Len(t, faces, 6, "market, package and front in both languages")
}

// difference returns the two texts from shortly before they part on, or nothing.
func difference(a, b string) (string, string) {
	if a == b {
		return "", ""
	}
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	around := func(text string) string { return strings.ToValidUTF8(text[max(0, at-200):min(len(text), at+200)], "") }
	return around(a), around(b)
}

func (one trial) shown(t *testing.T) (first shown) {
	t.Helper()
	first, _ = screenAt(one.Path)
	for _, answer := range one.Data {
		var err error
		switch answer.Path {
		case "/api/user/get/salepackage":
			err = json.Unmarshal(answer.Detail, &first.market)
		case "/api/user/salepackage/detail":
			err = json.Unmarshal(answer.Detail, &first.product)
		case "/api/user/get/tags":
			err = json.Unmarshal(answer.Detail, &struct{ Data *[]catalog.Tag }{&first.tags})
		case "/api/user/get/service_point":
			err = json.Unmarshal(answer.Detail, &struct{ Data *[]catalog.PublicServicePoint }{&first.servicePoints})
		case "/api/user/get/faq":
			err = json.Unmarshal(answer.Detail, &struct{ Data *[]optionlist.PublicQuestion }{&first.questions})
		default:
			t.Fatalf("a trial has an answer of %s", answer.Path)
		}
		require.NoError(t, err)
	}
	return first
}

func TestScreenAt(t *testing.T) {
	id := uuid.MustParse("0198a3c4-0000-7000-8000-00000000000a")
	for path, exact := range map[string]bool{
		"/user/market": true, "/welovevoucher/1650000099-abcdefgh/market": true, "/user/market/" + id.String(): true, "/main": true,
		"/user/market/": false, "/trade/market": false, "/user/market/" + strings.ToUpper(id.String()): false, "/user/market/x": false,
	} {
		first, _ := screenAt(path)
		require.Equal(t, exact, first.exact, path)
	}
	first, found := screenAt("/welovevoucher/1650000099-abcdefgh/market/" + id.String())
	require.Equal(t, id, found)
	require.Equal(t, "welovevoucher/1650000099-abcdefgh", first.area)

	first.product = &catalog.PackageDetail{}
	require.True(t, first.paints(map[string]string{"link": "a"}))
	require.False(t, first.paints(map[string]string{"tag": "a"}), "another list than the one that was read")
	first, _ = screenAt("/user/market")
	require.False(t, first.paints(nil), "the list could not be read")
}

func TestThePageLetsTheScriptWait(t *testing.T) {
	index := `<head><!--app--><script type="module" src="a.js"></script><!--/app--></head><body><div id="app"></div></body>`
	screens := &firstScreens{Start: "/start-1.js"}
	require.Equal(t, `<head><template id="app-script"><script type="module" src="a.js"></script></template><script async src="/start-1.js"></script></head><body><div id="app"><main></main></div></body>`,
		string(screens.into([]byte(index), []byte("<main></main>"))))
	require.Contains(t, string(preload([]byte(index), []string{"/p.js"})), `<link rel="modulepreload" crossorigin href="/p.js"><!--/app-->`)

	require.Equal(t, `<link rel="preload" as="image" fetchpriority="high" href="/media/1?w=8" imagesrcset="/media/1?w=8 8w" imagesizes="100vw">`+"\n",
		pictureAhead([]byte(`<p></p><img data-slot="picture" src="/media/1?w=8" srcSet="/media/1?w=8 8w" sizes="100vw" alt="" loading="eager"/>`)))
	require.Empty(t, pictureAhead([]byte(`<img data-slot="picture" src="/media/1?w=8" alt="" loading="lazy"/>`)))
}

func TestWhatTheBuildLeaves(t *testing.T) {
	require.Empty(t, readFirstScreens(fstest.MapFS{}).Start, "not built")
	require.Panics(t, func() { readFirstScreens(fstest.MapFS{"customer/first-screen.json": {Data: []byte(`{`)}}) })

	screens := readFirstScreens(fstest.MapFS{"customer/first-screen.json": {Data: []byte(`{
		"blocks": {"th": {"market": {"monogram": ["<p>", "brand", "</p>"], "logo": ["", "colour", ""]}}},
		"thai": {"names": [["ล้านนา", "ล้าน|นา"]], "words": [], "beforeName": "(^| )(ต)\\. (ส)", "beforeNumber": "(แพ็ก) (\\d)", "afterNumber": "(\\d+) (ครั้ง)", "line": 45}
	}`)}})
	s := shown{market: &catalog.MarketPage{}}
	page, err := s.markup(screens, &organisation{NameTH: `<ล้านนา> แพ็ก 3 ครั้ง`}, "th")
	require.NoError(t, err)
	require.Equal(t, "<p>&lt;ล้าน|นา&gt; แพ็ก\u00a03\u00a0ครั้ง</p>", string(page))
	_, err = s.markup(screens, &organisation{}, "en")
	require.ErrorContains(t, err, `no example of market that is "monogram"`)
	logo := "/media/1"
	_, err = s.markup(screens, &organisation{LogoURL: &logo}, "th")
	require.ErrorContains(t, err, `nothing fills the hole "colour"`)
}
