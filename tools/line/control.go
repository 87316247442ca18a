package line

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"welovevoucher/tools/emulator"
)

var (
	handle    = regexp.MustCompile(`^[a-z0-9][a-z0-9_.-]{0,63}$`)
	channelID = regexp.MustCompile(`^[0-9]{5,20}$`)
)

func (e *Emulator) listPeople(w http.ResponseWriter, _ *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	emulator.Answer(w, http.StatusOK, append([]Person{}, e.kept.People...))
}

func (e *Emulator) savePerson(w http.ResponseWriter, r *http.Request) {
	var p Person
	if err := json.NewDecoder(r.Body).Decode(&p); err != nil || !handle.MatchString(p.ID) || p.Name == "" {
		explain(w, http.StatusBadRequest, "a person has an id of small letters and digits, and a name")
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.putPerson(p); err != nil {
		explain(w, http.StatusInternalServerError, err.Error())
		return
	}
	emulator.Answer(w, http.StatusOK, p)
}

func (e *Emulator) listChannels(w http.ResponseWriter, _ *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	emulator.Answer(w, http.StatusOK, append([]Channel{}, e.kept.Channels...))
}

func (e *Emulator) saveChannel(w http.ResponseWriter, r *http.Request) {
	var c Channel
	if err := json.NewDecoder(r.Body).Decode(&c); err != nil || !channelID.MatchString(c.ID) || c.Secret == "" {
		explain(w, http.StatusBadRequest, "a channel has a numeric id and a secret")
		return
	}
	for _, app := range c.LIFF {
		if !strings.HasPrefix(app.ID, c.ID+"-") {
			explain(w, http.StatusBadRequest, "a LIFF app's id begins with its channel's id and a dash")
			return
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if i := slices.IndexFunc(e.kept.Channels, func(d Channel) bool { return d.ID == c.ID }); i >= 0 {
		e.kept.Channels[i] = c
	} else {
		e.kept.Channels = append(e.kept.Channels, c)
	}
	if err := e.keep(); err != nil {
		explain(w, http.StatusInternalServerError, err.Error())
		return
	}
	emulator.Answer(w, http.StatusOK, c)
}

// controlLogin signs a person in without a page, as a LIFF app or (with alg HS256) a web login would have got its tokens.
func (e *Emulator) controlLogin(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Person     string `json:"person"`
		ClientID   string `json:"client_id"`
		Nonce      string `json:"nonce"`
		Algorithm  string `json:"alg"`         // ES256 (default) or HS256
		AgeSeconds int    `json:"age_seconds"` // over 3600 is an expired ID token
		Audience   string `json:"audience"`    // another one than client_id
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		explain(w, http.StatusBadRequest, err.Error())
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	c, known := e.channel(in.ClientID)
	if !known {
		explain(w, http.StatusNotFound, "this channel is not registered")
		return
	}
	if _, known := e.person(in.Person); !known {
		explain(w, http.StatusNotFound, "nobody of that id is known")
		return
	}
	t := e.issue(c.ID, in.Person, "profile openid")
	t["id_token"] = e.idToken(r, *c, in.Person, claims{
		nonce: in.Nonce, asymmetric: in.Algorithm != "HS256", age: time.Duration(in.AgeSeconds) * time.Second, audience: in.Audience,
	})
	t["user_id"] = userID(c.Provider, in.Person)
	emulator.Answer(w, http.StatusOK, t)
}

func (e *Emulator) listMessages(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	to := r.URL.Query().Get("to")
	found := []Message{}
	for _, m := range e.messages {
		if to == "" || m.To == to {
			found = append(found, m)
		}
	}
	emulator.Answer(w, http.StatusOK, found)
}
