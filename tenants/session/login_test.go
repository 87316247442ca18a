package session

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOwnPath(t *testing.T) {
	t.Run("OwnPath keeps path, query and hash of our pages", func(t *testing.T) {
		for path, want := range map[string]string{
			"/user/market?q=a+b":                                       "",
			"/user/market?q=a,b;c:d@e!$*()":                            "",
			"/user/market?tag[]=1&tag[]=2":                             "",
			"/user/market#part":                                        "",
			"/user/market?next=//evil.example/a?b#":                    "",
			"/welovevoucher/1650000001-abcdefgh/home/cb/x~y":           "",
			"/weloveagent/1650000001-abcdefgh/history?from=2026-11-01": "",
			"/owner/salepackagelist?filter=%7B%22a%22%3A1%7D":          "",
			"/user/market?q=นวดไทย":                                    "/user/market?q=%E0%B8%99%E0%B8%A7%E0%B8%94%E0%B9%84%E0%B8%97%E0%B8%A2",
			"/user/ร้าน/x":                                             "/user/%E0%B8%A3%E0%B9%89%E0%B8%B2%E0%B8%99/x",
			`/user/market?q="<a b>'`:                                   "/user/market?q=%22%3Ca%20b%3E%27",
			`/user/market?q=a\b`:                                       "/user/market?q=a%5Cb",
			"/user/market?q=100%":                                      "",
			"/":                                                        "", "/?ref=x": "", "/faq#how": "", "/user": "", "/user?x": "", "/user#x": "",
			"/user/market?q=" + strings.Repeat("x", 7000): "",
		} {
			if want == "" {
				want = path
			}
			require.Equal(t, want, OwnPath(path))
			require.Equal(t, want, OwnPath(want), "a second time")
		}
	})

	t.Run("OwnPath refuses every other address", func(t *testing.T) {
		for _, path := range []string{
			"", "user", "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example", "\\/evil.example", "/\\/evil.example", "https://evil.example/user",
			"javascript:alert(1)", "data:text/html,x", "//user", "/users", "/user@evil.example", "/user.evil.example", "/user:80", "@evil.example", ".evil.example",
			"/\t/evil.example", "/\n/evil.example", "\t//evil.example", " //evil.example", "/user\t/x", "/user/market?q=\r\nSet-Cookie:x", "/user/\x00", "/user/market?q=\u0085",
			"/user/..//evil.example", "/user/%2e%2e//evil.example", "/user/%2E./%2e%2e/evil", "/user/./x", "/user\\..\\..\\evil", "/user/\\evil.example",
			"/%2F/evil.example", "/%5Cevil.example", "/%09/evil.example", "/\xff", "/user/\xff", "/api/owner/report/file/x", "/logincallback/user?code=1&state=2", "/socket.io/",
			"/user/" + strings.Repeat("x", MaxReturn),
		} {
			require.Equal(t, "/", OwnPath(path), path)
		}
		for _, path := range []string{"/user//evil.example", "/user/x?u=//evil.example", "/user#//evil.example", "/user/%2F%2Fevil.example"} {
			at, err := url.Parse("https://shop.example" + OwnPath(path))
			require.NoError(t, err)
			require.Equal(t, "shop.example", at.Host, path)
		}
	})
}
