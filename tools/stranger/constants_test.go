package stranger_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"welovevoucher/tools/harness"
)

// constant is a line of sections 1, 3 or 9 that a call or a page shows.
type constant struct {
	section, name string
	// differs says what was seen instead, or "".
	differs func(*testing.T, *world) string
}

func client(channel any, session string) object {
	return object{"token": "", "username": "", "password": "", "autorenew": true, "session": session, "channel": channel}
}

// opens says how a call that opens a web client's session was answered, "" if it was.
func opens(channel any, session string) func(*testing.T, *world) string {
	return func(t *testing.T, w *world) string {
		t.Helper()
		a := w.call(t, w.Browser(w.shop.Host), http.MethodPost, "/api/authen/web/client/"+w.shop.Unique, client(channel, session), nil)
		return lacksOr(a, "result:true token:text")
	}
}

// refuses is opens turned round.
func refuses(channel any, session string) func(*testing.T, *world) string {
	return func(t *testing.T, w *world) string {
		t.Helper()
		a := w.call(t, w.Browser(w.shop.Host), http.MethodPost, "/api/authen/web/client/"+w.shop.Unique, client(channel, session), nil)
		return lacksOr(a, "result:false message:text")
	}
}

// lacksOr is what lacks says, or the answer itself if it is not even of that result.
func lacksOr(a answer, fields string) string {
	why := lacks(a.body, fields)
	if strings.Contains(why, "result ") {
		return a.String()
	}
	return why
}

var constants = []constant{
	{"9", "session string of 25 letters and digits", opens(2, session)},
	{"9", "session string of 24", refuses(2, session[1:])},
	{"9", "session string of 26", refuses(2, session+"x")},
	{"9", "session string with a hyphen", refuses(2, session[1:]+"-")},
	{"9", "default profile picture", func(_ *testing.T, w *world) string {
		status, header, _ := w.Get(w.shop.Host, "/image/profile2.png")
		if kind := header.Get("Content-Type"); status != http.StatusOK || kind != "image/png" {
			return fmt.Sprintf("%d %s", status, kind)
		}
		return ""
	}},
	{"9", "a QR is valid 10 minutes", func(t *testing.T, w *world) string {
		a := w.call(t, w.as["user"], http.MethodPost, "/api/user/wallet/topup", object{"amount_satang": 100_00, "method": "promptpay"},
			map[string]string{"Idempotency-Key": uuid.NewString()})
		return lacksOr(a, "result:true") + minutes(a, "expires_at", "created_at", 10)
	}},
	{"1", "Thai is the default language", says("org", "/", "", `<html lang="th"`)},
	{"1", "the cookie lang chooses English", says("org", "/", "lang=en", `<html lang="en"`)},
	{"1", "the title comes from name_th", says("org", "/", "", "ร้านของคนแปลกหน้า</title>")},
	{"1", "the fallback title", says("platform", "/", "", "We love voucher</title>")},
	{"3", "default colours of a page without an organisation", func(_ *testing.T, w *world) string {
		_, _, text := w.Get("localhost", "/")
		if page := strings.ToUpper(text); strings.Contains(page, "#E50014") || strings.Contains(page, "#061C33") && strings.Contains(page, "#D3AE55") {
			return ""
		}
		return "neither #E50014 nor #061c33 with #d3ae55"
	}},
	{"1", "an organisation's public title is page name - brand", says("org", "/aboutus", "", " - ร้านของคนแปลกหน้า</title>")},
	{"1", "the public title is page name - brand", says("platform", "/aboutus", "", " - We love voucher</title>")},
}

// says looks for a text in a page that a browser with that cookie reads.
func says(host, path, cookie, text string) func(*testing.T, *world) string {
	return func(t *testing.T, w *world) string {
		t.Helper()
		a := w.call(t, &harness.Browser{Host: w.host(host)}, http.MethodGet, path, nil, map[string]string{"Cookie": cookie})
		if strings.Contains(a.text, text) {
			return ""
		}
		first, _, _ := strings.Cut(a.text, "\n")
		return fmt.Sprintf("%d %s", a.status, first)
	}
}

func checkConstants(t *testing.T, w *world) {
	for _, c := range constants {
		name := c.section + " " + c.name
		t.Run(name, func(t *testing.T) { holds(t, name, c.differs(t, w)) })
	}
}

// minutes says how many there are between two times of an answer, "" if as many as wanted.
func minutes(a answer, until, since string, wanted float64) string {
	end, _ := find(a.body, until)
	start, _ := find(a.body, since)
	to, errTo := time.Parse(time.RFC3339, fmt.Sprint(end))
	from, errFrom := time.Parse(time.RFC3339, fmt.Sprint(start))
	if errTo != nil || errFrom != nil {
		return fmt.Sprintf(" %s %v, %s %v", until, end, since, start)
	}
	if got := to.Sub(from).Minutes(); got != wanted {
		return fmt.Sprintf(" %v minutes", got)
	}
	return ""
}
