package pages

import (
	"path"
	"regexp"
	"strings"

	"welovevoucher/api/rest"
	"welovevoucher/tenants/org"
)

// giftPage is where links of gifts lead, and what may stand behind it (apps/customer/src/routes.tsx).
var giftPage = regexp.MustCompile(`^(/transfer|/transferuser/[^/]+|/user/transferdata|/welovevoucher/[^/]+/transferdata)(?:/|$)`)

// giftAddress returns the address of the page that a gift's link opens, without what says which gift it is. It returns false on any
// other page. A link of liff.line.me comes to the app's first page, with the rest of its path in liff.state.
func giftAddress(at, state string) (string, bool) {
	if state != "" {
		rest, _, _ := strings.Cut(state, "?")
		rest, _, _ = strings.Cut(rest, "#")
		at = path.Clean(at + "/" + rest)
	}
	found := giftPage.FindStringSubmatch(at)
	if found == nil {
		return "", false
	}
	return found[1], true
}

// giftSays are the title and the description of a gift's link. They name neither giver, words nor goods: a chat keeps them, and shows
// them to everybody in it.
var giftSays = map[string]struct{ title, description string }{
	"th": {"ของขวัญสำหรับคุณ", "แตะเพื่อแกะของขวัญ ดูก่อนได้โดยยังไม่ต้องเข้าสู่ระบบ"},
	"en": {"A gift for you", "Tap to unwrap it. You can look first without signing in."},
}

// ofGift returns what the page of a gift's link shows of itself. Where no organisation is known it is the platform's own.
func (l link) ofGift(o *org.Org, req *rest.Request, address string, pictures *giftPictures) link {
	l.hidden, l.url = true, req.Origin+address
	if o == nil {
		return l
	}
	says := giftSays[req.Lang]
	l.title, l.description = says.title+" - "+l.site, says.description
	l.picture, l.alt = req.Origin+pictures.folder(o)+"/"+linkPicture, l.title
	return l
}
