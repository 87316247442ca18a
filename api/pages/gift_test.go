package pages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/api/rest"
)

func TestGiftAddress(t *testing.T) {
	const liff = "/1650000099-abcdefgh"
	for _, one := range []struct{ path, state, address string }{
		{"/transfer", "", "/transfer"},
		{"/transfer/", "?ref=secret", "/transfer"},
		{"/transfer/secret", "", "/transfer"},
		{"/transferuser" + liff, "", "/transferuser" + liff},
		{"/transferuser" + liff, "?ref=secret", "/transferuser" + liff},
		{"/transferuser" + liff + "/secret", "", "/transferuser" + liff},
		{"/user/transferdata", "", "/user/transferdata"},
		{"/user", "/transferdata?ref=secret", "/user/transferdata"},
		{"/welovevoucher" + liff + "/transferdata", "", "/welovevoucher" + liff + "/transferdata"},
		{"/welovevoucher" + liff, "/transferdata?ref=secret", "/welovevoucher" + liff + "/transferdata"},
		{"/welovevoucher" + liff + "/", "transferdata#secret", "/welovevoucher" + liff + "/transferdata"},
	} {
		address, is := giftAddress(one.path, one.state)
		require.True(t, is, "%v", one)
		require.Equal(t, one.address, address)
	}
	for _, one := range [][2]string{
		{"/", ""},
		{"/transferred", ""},
		{"/transferuser", ""},
		{"/user/transferdatas", ""},
		{"/user/market", "/transferdata"},
		{"/welovevoucher" + liff, "/market?next=/transferdata"},
		{"/welovevoucher" + liff, "/transferdata/../market"},
		{"/welovevoucher" + liff, "?ref=secret"},
	} {
		_, is := giftAddress(one[0], one[1])
		require.False(t, is, "%v", one)
	}
}

func TestALinkOfAGiftShowsNothingOfIt(t *testing.T) {
	its := colours{spa.Primary, spa.Secondary}
	for lang, want := range map[string]string{"th": `ของขวัญสำหรับคุณ - เรือน &#34;ละไม&#34;`, "en": "A gift for you - Ruean Lamai"} {
		req := &rest.Request{Org: &spa, Origin: "https://spa.example", Lang: lang}
		head := written(linkOf(&spa, req, its, spa.Name(lang), "", "/transfer/secret", shown{}).ofGift(&spa, req, "/transfer"))
		require.Contains(t, head, `<meta property="og:title" content="`+want+`">`)
		require.Contains(t, head, `<meta property="og:url" content="https://spa.example/transfer">`)
		require.Contains(t, head, `<meta name="robots" content="noindex">`)
		require.Contains(t, head, `<meta property="og:description" content="`+giftSays[lang].description+`">`)
		require.NotContains(t, head, "secret")
	}
	req := &rest.Request{Origin: "https://platform.example", Lang: "th"}
	head := written(linkOf(nil, req, its, fallbackTitle, "", "/transfer", shown{}).ofGift(nil, req, "/transfer"))
	require.Contains(t, head, `<meta name="robots" content="noindex">`)
	require.Contains(t, head, `<meta property="og:title" content="`+fallbackTitle+`">`, "nobody's gift")
}
