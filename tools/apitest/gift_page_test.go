package apitest

import (
	"fmt"
	"image/png"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/tools/harness"
)

// TestGiftPage: what a chat shows of a gift's link is the shop's alone. Reading the page is not opening the gift.
func TestGiftPage(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("gift-page", "ร้านของขวัญ", "1650000061")
	shop.Sell(900_00, nil)
	ann := shop.Customer("ann")
	shop.FundWallet(ann, 1000_00)
	type gift struct {
		ID       uuid.UUID
		Ref      string
		State    string
		OpenedAt *string `json:"opened_at"`
	}
	made := harness.MustPost[gift](ann, "/api/user/transfer/create", uuid.NewString(), map[string]any{
		"voucher_id": shop.Buy(ann).Vouchers[0].ID, "items": 1, "card": "love", "to_name": "แม่นก", "words": "คิดถึงนะ", "digits": "",
	})

	query, liff := "?ref="+url.QueryEscape(made.Ref), "/welovevoucher/"+shop.Liff
	for path, address := range map[string]string{
		"/transfer" + query: "/transfer",
		"/transfer?liff.state=" + url.QueryEscape(query):                       "/transfer",
		"/transferuser/" + shop.Liff + query:                                   "/transferuser/" + shop.Liff,
		"/transferuser/" + shop.Liff + "?liff.state=" + url.QueryEscape(query): "/transferuser/" + shop.Liff,
		"/user/transferdata" + query:                                           "/user/transferdata",
		"/user?liff.state=" + url.QueryEscape("/transferdata"+query):           "/user/transferdata",
		liff + "/transferdata" + query:                                         liff + "/transferdata",
		liff + "?liff.state=" + url.QueryEscape("/transferdata"+query):         liff + "/transferdata",
	} {
		status, _, page := p.Get(shop.Host, path)
		require.Equal(t, 200, status, path)
		for _, tag := range []string{
			`property="og:title" content="ของขวัญสำหรับคุณ - ร้านของขวัญ"`, `property="og:site_name" content="ร้านของขวัญ"`,
			`property="og:type" content="website"`, `property="og:image:width" content="1200"`, `property="og:image:height" content="630"`,
			`property="og:image:alt" content="ของขวัญสำหรับคุณ - ร้านของขวัญ"`, `name="robots" content="noindex"`, `name="twitter:card" content="summary_large_image"`,
		} {
			require.Contains(t, page, "<meta "+tag+">", path)
		}
		require.Regexp(t, `property="og:url" content="http://`+shop.Host+`:\d+`+address+`">`, page, path)
		for _, secret := range []string{made.Ref, "แม่นก", "คิดถึง", "นวด canary-" + shop.Unique} {
			require.NotContains(t, page, secret, path)
		}
	}
	address := regexp.MustCompile(`property="og:image" content="http://` + shop.Host + `:\d+(/image/gift/[^"]+/link.png)"`)
	pictureOf := func() string {
		_, _, page := p.Get(shop.Host, "/transfer"+query)
		require.Regexp(t, address, page)
		return address.FindStringSubmatch(page)[1]
	}
	before := pictureOf()
	status, header, picture := p.Get(shop.Host, before)
	require.Equal(t, 200, status)
	require.Equal(t, "image/png", header.Get("Content-Type"))
	require.Contains(t, header.Get("Cache-Control"), "immutable")
	require.Less(t, len(picture), 300<<10)
	size, err := png.DecodeConfig(strings.NewReader(picture))
	require.NoError(t, err)
	require.Equal(t, []int{1200, 630}, []int{size.Width, size.Height})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("http://%s:%d%s", shop.Host, p.Port, before), nil)
	require.NoError(t, err)
	req.Header.Set("If-None-Match", header.Get("ETag"))
	res, err := p.Client.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusNotModified, res.StatusCode)
	status, _, same := p.Get("localhost", before)
	require.Equal(t, 200, status, "a shop without a host of its own has its pages there")
	require.Equal(t, picture, same)
	for _, missing := range []string{
		strings.Replace(before, "link.png", "nothing.jpg", 1), strings.Replace(before, shop.ID.String(), uuid.NewString(), 1), strings.Replace(before, shop.ID.String(), "x", 1),
	} {
		status, _, _ := p.Get(shop.Host, missing)
		require.Equal(t, 404, status, missing)
		status, _, _ = p.Get("localhost", missing)
		require.Equal(t, 404, status, missing)
	}

	theme := harness.MustPost[map[string]any](shop.Owner, "/api/owner/setting/get", "", nil)
	changed := map[string]any{"background_color_primary": "#7a1040"}
	for _, name := range []string{"name_th", "name_en", "tagline_th", "tagline_en", "background_color_secondary", "logo_id", "register_before_use"} {
		changed[name] = theme[name]
	}
	harness.MustPost[any](shop.Owner, "/api/owner/setting/save", "", changed)
	require.NotEqual(t, before, pictureOf(), "another theme is another picture")
	status, header, newest := p.Get(shop.Host, before)
	require.Equal(t, 200, status, "a message that was sent before still shows one")
	require.NotContains(t, header.Get("Cache-Control"), "immutable")
	require.NotEqual(t, picture, newest)

	_, _, page := p.Get(shop.Host, "/user/market")
	require.NotContains(t, page, "noindex", "another page")

	kept := harness.MustPost[gift](ann, "/api/user/transfer/detail", "", map[string]any{"id": made.ID})
	require.Equal(t, made.State, kept.State)
	require.Nil(t, kept.OpenedAt, "nobody has opened it")

	status, _, _ = p.Get(shop.Host, "/transferuser/1650000061-nobodys0"+query)
	require.Equal(t, 404, status, "an app that nobody has")
	status, _, page = p.Get("localhost", "/transfer"+query)
	require.Equal(t, 200, status)
	require.Contains(t, page, "noindex")
	require.NotContains(t, page, made.Ref)
}
