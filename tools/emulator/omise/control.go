package omise

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"welovevoucher/tools/emulator"
)

func (e *Emulator) listAccounts(w http.ResponseWriter, _ *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	emulator.Answer(w, http.StatusOK, append([]Account{}, e.kept.Accounts...))
}

func (e *Emulator) saveAccount(w http.ResponseWriter, r *http.Request) {
	var a Account
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil || !strings.HasPrefix(a.PublicKey, "pkey_") || !strings.HasPrefix(a.SecretKey, "skey_") {
		refuse(w, http.StatusBadRequest, "bad_request", "an account has a public_key pkey_… and a secret_key skey_…")
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.save(a)
	if err := e.keep(); err != nil {
		refuse(w, http.StatusInternalServerError, "internal_error", err.Error())
		return
	}
	emulator.Answer(w, http.StatusOK, a)
}

func (e *Emulator) controlCharges(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := []map[string]any{}
	for _, c := range slices.Backward(e.kept.Charges) {
		one := c.wire(e.base(r))
		one["account"] = c.Account
		all = append(all, one)
	}
	emulator.Answer(w, http.StatusOK, all)
}

// controlCharge makes something happen to a charge: README.md lists what, and explains the body.
func (e *Emulator) controlCharge(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Late       bool  `json:"late"`
		Times      *int  `json:"times"`
		Reorder    bool  `json:"reorder"`
		Forge      bool  `json:"forge"`
		Amount     int64 `json:"amount_satang"`
		AgeSeconds int   `json:"age_seconds"`
	}
	page := strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded")
	if page {
		in.Late = r.FormValue("late") != ""
	} else {
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil && !errors.Is(err, io.EOF) {
			refuse(w, http.StatusBadRequest, "bad_request", err.Error())
			return
		}
	}
	how := delivery{times: 1, forge: in.Forge, age: time.Duration(in.AgeSeconds) * time.Second}
	if in.Times != nil {
		how.times = *in.Times
	}

	e.mu.Lock()
	defer e.mu.Unlock()
	c, known := e.find(Account{}, r.PathValue("id"))
	if !known {
		missing(w, "charge", r.PathValue("id"))
		return
	}
	base := e.base(r)
	opened := c.event(base, "charge.create") // as it was, for an event that arrives out of order

	action, after := r.PathValue("action"), *c
	event := after.sendBack(action, in.Amount)
	switch {
	case event != "" && in.Forge:
		e.send(c, []map[string]any{after.event(base, event)}, how)
	case event != "":
		*c = after
		e.tell(base, c, event, opened, in.Reorder, how)
	case in.Forge:
		lie := c.event(base, "charge.complete")
		data := maps.Clone(lie["data"].(map[string]any))
		maps.Copy(data, map[string]any{"status": "successful", "paid": true, "authorized": true})
		if in.Amount > 0 {
			data["amount"] = in.Amount
		}
		lie["data"] = data
		e.send(c, []map[string]any{lie}, how)
	case action == "expire" && c.Status == "pending":
		e.expire(c)
	case action == "pay" && (c.Status == "pending" || c.Status == "expired" && in.Late):
		if in.Late {
			e.expire(c)
		}
		if in.Amount > 0 {
			c.Amount = in.Amount
		}
		c.settle("")
		e.tell(base, c, "charge.complete", opened, in.Reorder, how)
	case action == "fail" && c.Status == "pending":
		c.settle("payment_rejected")
		e.tell(base, c, "charge.complete", opened, in.Reorder, how)
	default:
		refuse(w, http.StatusBadRequest, "invalid_charge", "charge is "+c.Status+", it can't "+action)
		return
	}
	if err := e.keep(); err != nil {
		refuse(w, http.StatusInternalServerError, "internal_error", err.Error())
		return
	}
	if page {
		http.Redirect(w, r, "/emulator/", http.StatusSeeOther)
		return
	}
	emulator.Answer(w, http.StatusOK, c.wire(base))
}

func (e *Emulator) tell(base string, c *charge, kind string, opened map[string]any, reorder bool, how delivery) {
	events := []map[string]any{c.event(base, kind)}
	if reorder {
		events = append(events, opened)
	}
	e.send(c, events, how)
}
