package stranger_test

import (
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/tools/harness"
)

// said is a sentence of the specification, and the situation that it is for.
type said struct {
	section, text, situation string
	in                       func(*testing.T, *world) answer
	missing                  string // where no call has the situation yet: what the path of one would begin with
}

// texts are those a server can say. The share picker's, 'Socket not connected' and 'No token , please login first'
// are of calls that are never made, and 'Passwords do not match' is of two fields of one form: a client says these.
// Three dots stand for what differs from one person to the next.
var texts = []said{
	{"8", "Invalid Token", "a call with a token that is none", nonsense, ""},
	{"8", "Invalid Token", "a token that was signed out", signedOut, ""},
	{"8", "Package not found", "the page of a package nobody sells", with("user", "/api/user/salepackage/detail", object{"id": "{nothing}"}), ""},
	{"8", "Package not found", "a price of a package nobody sells", with("user", "/api/user/order/quote", object{"lines": list{object{"package_id": "{nothing}", "quantity": 1}}}), ""},
	{"8", "Sale not found", "a sale that is none", nil, "/api/user/sale/"},
	{"8", "Transfer not found", "a transfer that is none", with("user", "/api/user/transfer/receive", object{"ref": "nothing", "digits": ""}), ""},
	{"8", "Voucher not found", "a voucher that is none", with("user", "/api/user/voucher/detail", object{"id": "{nothing}"}), ""},
	{"8", "Voucher not found", "somebody else's voucher", with("other", "/api/user/voucher/detail", object{"id": "{voucher}"}), ""},
	{"8", "Voucher not found", "a use of somebody else's voucher", with("other", "/api/user/voucher/use", object{"voucher_id": "{voucher}", "items": 1, "service_point_id": "{point}"}), ""},
	{"8", "Order not found yet", "an order that is none", with("user", "/api/user/order/detail", object{"id": "{nothing}"}), ""},
	{"8", "Order not found yet", "somebody else's order", with("other", "/api/user/order/detail", object{"id": "{order}"}), ""},
	{"8", "History not found", "a customer's history of nothing", with("other", "/api/user/voucher/history", object{}), ""},
	{"8", "No Member Card Type available for sale found", "member card types where there are none", with("user", "/api/user/get/membercardtype", object{"filter": object{"active": true}, "select": selected}), ""},
	{"8", "Sorry, you have insufficient balance in your Wallet. Please add ...", "a purchase without the money", poor, ""},
	{"8", "... Baht to complete the membership registration.", "a membership without the money", nil, "/api/user/member/pay"},
	{"8", "please create a new order", "a quote that is out of date", stale, ""},
	{"8", "Successfully purchased the voucher", "a purchase from the wallet", buy, ""},
	{"8", "Purchase successful", "a purchase of what somebody sells", nil, "/api/user/sale/"},
	{"8", "Voucher successfully received", "a transfer that is received", receive, ""},
	{"8", "Order successfully", "an order that waits for its money", order, ""},
	{"8", "Voucher successfully used", "a use that staff confirm", use, ""},
	{"4", "You have already used this voucher.", "a used voucher", with("user", "/api/user/voucher/use", object{"voucher_id": "{voucher}", "items": 1, "service_point_id": "{point}"}), ""},
	{"8", "Member Card registration successful", "a member card that is registered", register, ""},
	{"4", "you have signed out", "signing out", logout, ""},
	{"5", "Please review PDPA", "a purchase that agrees to nothing", agree(""), ""},
	{"5", "Please review the Terms and Conditions", "a purchase that agrees to the privacy text alone", agree("pdpa"), ""},
}

// with makes one call.
func with(who, path string, body object) func(*testing.T, *world) answer {
	return func(t *testing.T, w *world) answer {
		t.Helper()
		return w.keyed(t, w.as[who], path, w.fill(t, body))
	}
}

// keyed calls with an idempotency key of its own.
func (w *world) keyed(t *testing.T, b *harness.Browser, path string, body any) answer {
	t.Helper()
	return w.call(t, b, http.MethodPost, path, body, map[string]string{"Idempotency-Key": uuid.NewString()})
}

func nonsense(t *testing.T, w *world) answer {
	b := w.Browser(w.shop.Host)
	b.Token = "nonsense"
	a := w.call(t, b, http.MethodPost, "/api/user/getwallet", nil, nil)
	require.Contains(t, []any{401.0, 402.0}, a.body["code"])
	require.Equal(t, "Invalid Token", a.body["detail"])
	return a
}

func signedOut(t *testing.T, w *world) answer {
	b := w.shop.Customer("stranger-left")
	require.True(t, b.Post("/api/authen/logout", "", nil).Result)
	return w.call(t, b, http.MethodPost, "/api/user/getwallet", nil, nil)
}

func logout(t *testing.T, w *world) answer {
	return w.call(t, w.shop.Customer("stranger-left"), http.MethodPost, "/api/authen/logout", nil, nil)
}

func poor(t *testing.T, w *world) answer {
	_, body := w.shop.QuoteFor(w.as["other"])
	return w.keyed(t, w.as["other"], "/api/user/order/confirm", body)
}

func buy(t *testing.T, w *world) answer {
	_, body := w.shop.QuoteFor(w.as["user"])
	return w.keyed(t, w.as["user"], "/api/user/order/confirm", body)
}

func order(t *testing.T, w *world) answer {
	_, body := w.shop.QuoteFor(w.as["user"])
	body["method"] = "promptpay"
	return w.keyed(t, w.as["user"], "/api/user/order/pay", body)
}

// checkAway asks for money while the gateway is away, which is the one situation for 'please try again' that a client
// can guess. Nothing can be paid after it.
func checkAway(t *testing.T, w *world) {
	w.Pay.Close()
	name := "8 please try again: the gateway is away"
	a := with("user", "/api/user/wallet/topup", object{"amount_satang": 100_00, "method": "promptpay"})(t, w)
	difference := ""
	if a.body["message"] != "please try again" {
		difference = a.String()
	}
	holds(t, name, difference)
}

// receive receives a voucher that was bought for it.
func receive(t *testing.T, w *world) answer {
	bought := w.shop.Buy(w.as["user"])
	made := harness.MustPost[struct{ Ref string }](w.as["user"], "/api/user/transfer/create", uuid.NewString(),
		object{"voucher_id": bought.Vouchers[0].ID, "items": 1, "card": "thanks", "to_name": "", "words": "", "digits": ""})
	return w.keyed(t, w.as["other"], "/api/user/transfer/receive", object{"ref": made.Ref, "digits": ""})
}

// freeCard has the shop offer a card that is free and that nobody has to approve.
func freeCard(w *world, asks string) string {
	card := named(object{
		"picture_id": nil, "validity": "months", "length": 12, "approval": "none", "level": 1, "least_age": 0, "price_satang": 0, "class": "ordinary", "asks_email": asks, "asks_idcard": asks,
		"asks_gender": asks, "asks_birthdate": asks, "asks_address": asks, "asks_nationality": asks, "asks_receipt": asks,
	})
	id := harness.MustPost[harness.Saved](w.shop.Owner, "/api/owner/save/membercardtype", "", card).ID()
	harness.MustPost[any](w.shop.Owner, "/api/owner/status/membercardtype", "", object{"ids": list{id}, "status": 5})
	return id
}

// register registers a member for a card that asks for his name and number alone.
func register(t *testing.T, w *world) answer {
	texts := harness.MustPost[struct {
		Texts []struct {
			ID string `json:"_id"`
		}
	}](w.as["user"], "/api/user/member/get", "", nil).Texts
	accepted := []string{}
	for _, text := range texts {
		accepted = append(accepted, text.ID)
	}
	form := maps.Clone(memberForm)
	form["gender"] = "female"
	return w.keyed(t, w.as["user"], "/api/user/member/apply", object{"card_type_id": freeCard(w, "off"), "form": form, "version_ids": accepted, "lang": "en"})
}

func stale(t *testing.T, w *world) answer {
	_, body := w.shop.QuoteFor(w.as["user"])
	body["hash"] = strings.Repeat("0", 64)
	return w.keyed(t, w.as["user"], "/api/user/order/confirm", body)
}

// use uses all of the voucher, with staff at the service point.
func use(t *testing.T, w *world) answer {
	opened := harness.MustPost[harness.Use](w.as["user"], "/api/user/voucher/use", uuid.NewString(),
		w.fill(t, object{"voucher_id": "{voucher}", "items": 3, "service_point_id": "{point}"}))
	w.shop.Scan(w.as["staff"], opened)
	return w.keyed(t, w.as["staff"], "/api/staff/voucher/confirm", object{"use_session_id": opened.ID, "service_point_id": w.shop.ServicePoint})
}

// agree buys with an agreement to the texts of one kind alone.
func agree(kind string) func(*testing.T, *world) answer {
	return func(t *testing.T, w *world) answer {
		t.Helper()
		_, body := w.shop.QuoteFor(w.as["new"])
		quote := harness.MustPost[struct {
			Consents []struct {
				ID   string `json:"_id"`
				Kind string
			}
		}](w.as["new"], "/api/user/order/quote", "", object{"lines": body["lines"]})
		kinds, accepted := map[string]bool{}, []string{}
		for _, c := range quote.Consents {
			kinds[c.Kind] = true
			if c.Kind == kind {
				accepted = append(accepted, c.ID)
			}
		}
		require.Equal(t, map[string]bool{"pdpa": true, "terms": true}, kinds, "a purchase asks for both")
		body["accepted"] = accepted
		return w.keyed(t, w.as["new"], "/api/user/order/confirm", body)
	}
}

// checkTexts provokes every sentence, in order: a voucher is used before it is used again.
func checkTexts(t *testing.T, w *world) {
	w.shop.FundWallet(w.as["user"], 1000_00)
	w.shop.FundWallet(w.as["new"], 100_00)
	bought := w.shop.Buy(w.as["user"])
	require.Len(t, bought.Vouchers, 1)
	w.codes["{order}"], w.codes["{voucher}"] = bought.ID.String(), bought.Vouchers[0].ID.String()
	w.codes["{point}"], w.codes["{nothing}"] = w.shop.ServicePoint.String(), uuid.NewString()

	paths := w.call(t, w.as[""], http.MethodGet, "/api/openapi.json", nil, nil).body["paths"].(object)
	for _, s := range texts {
		name := s.section + " " + s.text + ": " + s.situation
		t.Run(name, func(t *testing.T) {
			if s.in == nil {
				difference := "no call begins with " + s.missing
				for path := range paths {
					if strings.HasPrefix(path, s.missing) {
						difference = path + " is there: provoke it"
					}
				}
				holds(t, name, difference)
				return
			}
			a := s.in(t, w)
			message, _ := a.body["message"].(string)
			difference := ""
			if !pattern(s.text).MatchString(message) {
				difference = a.String()
			}
			holds(t, name, difference)
		})
	}
}

// version is a text that people agree to.
func version(audience, purpose, name string) object {
	return object{
		"audience": audience, "purpose": purpose, "version": "stranger", "active": true, "status": 5,
		"name_th": name, "name_en": name, "body_th": "ข้อความ", "body_en": "text",
	}
}

// pattern takes a text word for word, and anything for its three dots.
func pattern(text string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(text), `\.\.\.`, ".+") + "$")
}
