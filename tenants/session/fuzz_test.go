package session

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzOwnPath: wherever a login or a payment comes back to is one of our pages on the host that it began on. A trade path
// (/{main}/{type}/{unique}/{sp}, also as LIFF escapes it) is one of them, and no other parser reads it.
func FuzzOwnPath(f *testing.F) {
	for _, seed := range []string{
		"/user/market", "/welovevoucher/1650000001-abcdefgh/market?link=x", "/trade/x?a=%2f%2fevil", "//evil.example", "/user//evil.example", `/user\evil`, "https://evil.example/user",
		"/user/market?a[]=1&a[]=2&q=a+b,c#part", "/user/market?q=นวด", "/user/..//evil.example", "/user/%2E./evil", "/\t/evil.example", "/user\u2028", "/?next=/user", "/#x",
		"/user@evil.example", "/user/../../evil", "/user/%0d%0aSet-Cookie:x", "/transferuser?liff.state=%2Fowner", "/users", "/owner\n", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		own := OwnPath(path)
		require.True(t, own == "/" || own == OwnPath(own), "what was escaped stays as it is")
		to, err := url.Parse("http://shop.example" + own)
		if err != nil { // a browser takes a broken escape as it stands
			require.Contains(t, own, "%")
			return
		}
		require.Equal(t, "shop.example", to.Host)
		require.Empty(t, to.User)
		at, err := url.Parse(own)
		require.NoError(t, err)
		require.Empty(t, at.Host)
		require.False(t, strings.ContainsAny(own, "\\\r\n\t\x00<>\"' "), own)
	})
}
