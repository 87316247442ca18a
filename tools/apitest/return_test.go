package apitest

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/tools/harness"
)

// A path of ours comes back from every way of signing in at LINE as it was handed over; any other is the front page.
func TestReturn(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("returns", "ร้านกลับ", "1650000071")
	made := harness.MustPost[struct{ URL string }](shop.Owner, "/api/owner/staff/invite", "", map[string]any{"name": "พนักงาน", "role": "admin", "area": "owner"})
	invitation := afterHash(made.URL)
	r := p.Browser(shop.Host).WebLogin(map[string]any{"audience": "owner", "return": "/owner", "invitation": invitation}, "register", "owner-by-line")
	require.True(t, r.Result, r.Fault)

	for _, way := range []struct{ audience, area, base, person string }{
		{"user", "user", "/user", "ann"},
		{"agent", "weloveagent", "/weloveagent/1650000071-abcdefgh", "may"},
		{"owner", "owner", "/owner", "owner-by-line"},
	} {
		for _, path := range []string{
			"/market?q=a+b,c&tag[]=1&tag[]=2", "/home/cb/x?more=" + strings.Repeat("x", 5000) + "#part", "/market?q=%E0%B8%99%E0%B8%A7%E0%B8%94#%E0%B8%81", "?a=1#b",
		} {
			start := map[string]any{"audience": way.audience, "unique": "returns", "return": way.base + path}
			r := p.Browser(shop.Host).WebLogin(start, way.area, way.person)
			require.True(t, r.Result, r.Fault)
			var in harness.SignedIn
			require.NoError(t, json.Unmarshal(r.Detail, &in))
			require.Equal(t, way.base+path, in.Return)
		}
	}
	for _, path := range []string{"//evil.example", "/\\evil.example", "https://evil.example/user", "/user/..//evil.example", "/\t/evil.example", "/api/x"} {
		r := p.Browser(shop.Host).WebLogin(map[string]any{"audience": "user", "unique": "returns", "return": path}, "user", "ann")
		var in harness.SignedIn
		require.NoError(t, json.Unmarshal(r.Detail, &in))
		require.Equal(t, "/", in.Return, path)
	}
}

func afterHash(url string) string {
	_, hash, _ := strings.Cut(url, "#")
	return hash
}

// LINE receives the name that we know an organisation by, and our own port, whatever a browser says in Host.
func TestRedirectOfLogin(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("redirects", "ร้าน", "1650000072")
	for _, host := range []string{shop.Host, shop.Host + ":8443", strings.ToUpper(shop.Host) + ":1", shop.Host + ".", fmt.Sprintf("%s:%d", shop.Host, p.Port)} {
		body := strings.NewReader(`{"audience":"user","return":"/user/market"}`)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, fmt.Sprintf("http://%s:%d/api/authen/line/start", shop.Host, p.Port), body)
		require.NoError(t, err)
		req.Host = host
		req.Header = http.Header{"Content-Type": {"application/json"}, "Cookie": {"browser=abcdefgh"}}
		res, err := p.Client.Do(req)
		require.NoError(t, err)
		var answer struct{ Detail struct{ URL string } }
		require.NoError(t, json.NewDecoder(res.Body).Decode(&answer))
		require.NoError(t, res.Body.Close())
		page, err := url.Parse(answer.Detail.URL)
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("http://%s:%d/logincallback/user", shop.Host, p.Port), page.Query().Get("redirect_uri"), host)
	}
}

func TestDescriptionIsPacked(t *testing.T) {
	p := harness.Start(t)
	size := func(packing string) (n int64) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("http://localhost:%d/api/openapi.json", p.Port), nil)
		require.NoError(t, err)
		req.Header.Set("Accept-Encoding", packing)
		res, err := p.Client.Do(req)
		require.NoError(t, err)
		defer res.Body.Close()
		require.Equal(t, packing, res.Header.Get("Content-Encoding"))
		counted := &counter{}
		if packing == "" {
			require.NoError(t, json.NewDecoder(counted.of(res.Body)).Decode(&struct{}{}))
			return counted.n
		}
		unpacked, err := gzip.NewReader(counted.of(res.Body))
		require.NoError(t, err)
		require.NoError(t, json.NewDecoder(unpacked).Decode(&struct{}{}))
		return counted.n
	}
	require.Less(t, size("gzip")*8, size(""))
}

// counter counts what is read.
type counter struct {
	io.Reader
	n int64
}

func (c *counter) of(r io.Reader) *counter {
	c.Reader = r
	return c
}

// Read implements io.Reader.
func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}
