package omise

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"welovevoucher/tools/emulator"
)

type token struct {
	ID      string `json:"id"`
	Account string `json:"account"`
	Used    bool   `json:"used"`
	Card    card   `json:"card"`
}

// card never holds a number, in a vault of play money either.
type card struct {
	ID      string `json:"id"`
	Brand   string `json:"brand"`
	Last    string `json:"last"`
	Name    string `json:"name"`
	Month   int64  `json:"month"`
	Year    int64  `json:"year"`
	Decline string `json:"decline,omitempty"` // failure code that its number stands for
	Print   string `json:"print"`             // the same for each token of one number
}

// declines are Omise's test numbers that fail; any other number with a right check digit is paid.
var declines = map[string]string{
	"4111111111140011": "insufficient_fund", "5555551111110011": "insufficient_fund",
	"4111111111130012": "stolen_or_lost_card", "5555551111100012": "stolen_or_lost_card",
	"4111111111120013": "failed_processing", "5555551111190013": "failed_processing",
	"4111111111110014": "payment_rejected", "5555551111180014": "payment_rejected",
}

func (c card) outcome() string { return c.Decline }

func (e *Emulator) createToken(w http.ResponseWriter, r *http.Request, a Account) {
	var in struct {
		Card struct {
			Name   string `json:"name"`
			Number string `json:"number"`
			Month  number `json:"expiration_month"`
			Year   number `json:"expiration_year"`
			Code   string `json:"security_code"`
		} `json:"card"`
	}
	if !parameters(w, r, &in) {
		return
	}
	digits := strings.NewReplacer(" ", "", "-", "").Replace(in.Card.Number)
	if in.Card.Year < 100 {
		in.Card.Year += 2000
	}
	lasts := time.Date(int(in.Card.Year), time.Month(in.Card.Month)+1, 1, 0, 0, 0, 0, time.UTC)
	switch {
	case !checked(digits):
		refuse(w, http.StatusBadRequest, "invalid_card", "number is invalid")
		return
	case in.Card.Month < 1 || in.Card.Month > 12 || lasts.Before(time.Now()):
		refuse(w, http.StatusBadRequest, "invalid_card", "expiration date cannot be in the past")
		return
	case strings.TrimSpace(in.Card.Name) == "":
		refuse(w, http.StatusBadRequest, "invalid_card", "name can't be blank")
		return
	}

	print := sha256.Sum256([]byte("card " + digits))
	t := &token{ID: newID("tokn"), Account: a.PublicKey, Card: card{
		ID: newID("card"), Brand: brand(digits), Last: digits[len(digits)-4:], Name: in.Card.Name,
		Month: int64(in.Card.Month), Year: int64(in.Card.Year), Decline: declines[digits], Print: base64.StdEncoding.EncodeToString(print[:]),
	}}
	e.kept.Tokens[t.ID] = t
	emulator.Answer(w, http.StatusOK, t.wire())
}

func (e *Emulator) readToken(w http.ResponseWriter, r *http.Request, a Account) {
	t, known := e.kept.Tokens[r.PathValue("id")]
	if !known || t.Account != a.PublicKey {
		missing(w, "token", r.PathValue("id"))
		return
	}
	emulator.Answer(w, http.StatusOK, t.wire())
}

func (t *token) wire() map[string]any {
	return map[string]any{"object": "token", "id": t.ID, "livemode": false, "location": "/tokens/" + t.ID, "used": t.Used, "charge_status": "unknown", "card": t.Card.wire()}
}

// checked says whether digits are a card number with a right Luhn digit.
func checked(digits string) bool {
	if len(digits) < 13 || len(digits) > 19 {
		return false
	}
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if d < 0 || d > 9 {
			return false
		}
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

func brand(digits string) string {
	switch digits[0] {
	case '4':
		return "Visa"
	case '5', '2':
		return "MasterCard"
	case '3':
		return "JCB"
	default:
		return "Unknown"
	}
}
