package line

import (
	"embed"
	"fmt"
	"hash/fnv"
	"html/template"
	"net/http"
	"net/url"
	"strings"
)

//go:embed page/*.html
var pages embed.FS

var page = template.Must(template.New("").ParseFS(pages, "page/*.html"))

// words of the pages, in Thai and English.
var words = map[string]map[string]string{
	"th": {
		"lang": "th", "title": "เข้าสู่ระบบด้วย LINE", "lead": "เลือกว่าจะเข้าเป็นใคร", "to": "เพื่อไปต่อที่",
		"new": "คนใหม่", "name": "ชื่อที่แสดง", "enter": "เข้าด้วยชื่อนี้", "refuse": "ไม่อนุญาต", "note": "LINE จำลองสำหรับการพัฒนา ไม่มีข้อมูลใดส่งไปถึง LINE จริง",
		"error": "เข้าสู่ระบบไม่ได้", "share": "ส่งให้ใคร", "send": "ส่ง", "cancel": "ยกเลิก", "waiting": "กำลังรอข้อความจากหน้าเดิม", "nobody": "ยังไม่มีใครในระบบจำลอง",
	},
	"en": {
		"lang": "en", "title": "Sign in with LINE", "lead": "Choose who you are", "to": "to continue to",
		"new": "Somebody new", "name": "Display name", "enter": "Sign in with this name", "refuse": "Don't allow", "note": "An imitation of LINE for development. Nothing is sent to the real LINE.",
		"error": "This sign-in does not work", "share": "Send to", "send": "Send", "cancel": "Cancel", "waiting": "Waiting for the message from the page before", "nobody": "Nobody is known here yet",
	},
}

func speak(r *http.Request) map[string]string {
	for _, wish := range append(strings.Fields(r.FormValue("ui_locales")), r.Header.Get("Accept-Language")) {
		if strings.HasPrefix(wish, "en") {
			return words["en"]
		}
		if strings.HasPrefix(wish, "th") {
			return words["th"]
		}
	}
	return words["th"]
}

type face struct {
	ID, Name, Picture string
	Last              bool
}

// faces are all people, the one who signed in last in this browser first.
func (e *Emulator) faces(r *http.Request) []face {
	last := ""
	if c, err := r.Cookie("line_person"); err == nil {
		last = c.Value
	}
	var first, rest []face
	for _, p := range e.kept.People {
		f := face{ID: p.ID, Name: p.Name, Picture: p.Picture, Last: p.ID == last}
		if f.Picture == "" {
			f.Picture = "/emulator/people/" + url.PathEscape(p.ID) + "/picture"
		}
		if f.Last {
			first = append(first, f)
		} else {
			rest = append(rest, f)
		}
	}
	return append(first, rest...)
}

func (e *Emulator) pageLogin(w http.ResponseWriter, r *http.Request, c Channel, l login) {
	id := random()
	l.expires = e.now().Add(codeLife)
	e.logins[id] = l

	name := c.Name
	if u, err := url.Parse(l.redirectURI); err == nil && name == "" {
		name = u.Host
	}
	render(w, http.StatusOK, "login.html", map[string]any{"T": speak(r), "Login": id, "Channel": name, "People": e.faces(r)})
}

func (e *Emulator) pageShare(w http.ResponseWriter, r *http.Request, ott string, p picker) {
	action := "/oauth2/v2.1/liff/shareTargetPicker/result?" + url.Values{"liffId": {p.liff}, "ott": {ott}}.Encode()
	render(w, http.StatusOK, "share.html", map[string]any{"T": speak(r), "Action": action, "People": e.faces(r), "Me": p.person})
}

func (e *Emulator) pageError(w http.ResponseWriter, r *http.Request, why string) {
	render(w, http.StatusBadRequest, "error.html", map[string]any{"T": speak(r), "Why": why})
}

func render(w http.ResponseWriter, status int, name string, data any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = page.ExecuteTemplate(w, name, data) // the templates are parsed at start; what can fail here is the browser hanging up
}

// picture draws a head and shoulders on a colour of the person's own: letters would need a font on each machine.
func (e *Emulator) picture(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	p, known := e.person(r.PathValue("person"))
	e.mu.Unlock()
	if !known {
		http.NotFound(w, r)
		return
	}
	hash := fnv.New32a()
	hash.Write([]byte(p.ID))
	hue := hash.Sum32() % 360
	w.Header().Set("Content-Type", "image/svg+xml")
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="hsl(%d 45%% 84%%)"/>`+
		`<g fill="hsl(%d 40%% 42%%)"><circle cx="48" cy="38" r="17"/><path d="M12 96c0-22 16-34 36-34s36 12 36 34Z"/></g></svg>`, hue, hue)
}
