package line

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
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
	person, err := e.anyone(in.Person)
	if err != nil {
		explain(w, http.StatusInternalServerError, err.Error())
		return
	}
	t := e.issue(c.ID, person, "profile openid")
	t["id_token"] = e.idToken(r, *c, person, claims{
		nonce: in.Nonce, asymmetric: in.Algorithm != "HS256", age: time.Duration(in.AgeSeconds) * time.Second, audience: in.Audience,
	})
	t["user_id"] = userID(c.Provider, person)
	emulator.Answer(w, http.StatusOK, t)
}

// anyone finds a person by id, or by whatever name he is given; a stranger is born with it.
func (e *Emulator) anyone(name string) (id string, err error) {
	if _, known := e.person(name); known {
		return name, nil
	}
	id = name
	if !handle.MatchString(name) {
		sum := sha256.Sum256([]byte(name))
		id = "p" + hex.EncodeToString(sum[:6])
	}
	if _, known := e.person(id); known {
		return id, nil
	}
	return id, e.putPerson(Person{ID: id, Name: cmp.Or(name, id)})
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
