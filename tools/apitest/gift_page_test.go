package apitest

import (
	"net/url"
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
			`property="og:type" content="website"`, `name="robots" content="noindex"`, `name="twitter:card" content="summary_large_image"`,
		} {
			require.Contains(t, page, "<meta "+tag+">", path)
		}
		require.Regexp(t, `property="og:url" content="http://`+shop.Host+`:\d+`+address+`">`, page, path)
		for _, secret := range []string{made.Ref, "แม่นก", "คิดถึง", "นวด canary-" + shop.Unique} {
			require.NotContains(t, page, secret, path)
		}
	}
	_, _, page := p.Get(shop.Host, "/user/market")
	require.NotContains(t, page, "noindex", "another page")

	kept := harness.MustPost[gift](ann, "/api/user/transfer/detail", "", map[string]any{"id": made.ID})
	require.Equal(t, made.State, kept.State)
	require.Nil(t, kept.OpenedAt, "nobody has opened it")

	status, _, _ := p.Get(shop.Host, "/transferuser/1650000061-nobodys0"+query)
	require.Equal(t, 404, status, "an app that nobody has")
	status, _, page = p.Get("localhost", "/transfer"+query)
	require.Equal(t, 200, status)
	require.Contains(t, page, "noindex")
	require.NotContains(t, page, made.Ref)
}
