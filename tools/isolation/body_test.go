package isolation

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/onetime"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/cashout"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/reports"
	"welovevoucher/tenants/session"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tools/harness"
)

func decode(text []byte, v any) error { return json.Unmarshal(text, v) }

// request is a call as it will be made.
type request struct {
	path        string
	body        map[string]any // nil: none
	contentType string
	form        []byte
}

var counter atomic.Int64

// fresh is a word that nobody has used yet.
func fresh(word string) string { return fmt.Sprint(word, counter.Add(1)) }

// thisMonth is the month of a call, in Bangkok.
func thisMonth() string { return time.Now().In(clock.Bangkok).Format("2006-01") }

// valid is a call of the operation that this organisation would answer to who asks. What it names is made for it where
// the call uses it up; names are the same in both organisations, so that only what is their own differs.
func (s *shop) valid(o operation, who *person) request {
	s.T.Helper()
	r := request{path: strings.NewReplacer("{place}", s.Unique, "{unique}", s.Unique, "{liffId}", s.Unique).Replace(o.Path)}
	if o.Form {
		r.contentType, r.form = pictureForm(s.T, "picture")
		return r
	}
	if strings.Contains(r.path, "{id}") {
		id := who.job
		if strings.Contains(r.path, "/picture/") {
			id = s.picturesOf(who).Bank.String()
		}
		if strings.Contains(r.path, "/payout/") || strings.Contains(r.path, "/tax") {
			id = s.paperOf(r.path, who).String()
		}
		r.path = strings.Replace(r.path, "{id}", id, 1)
		return r
	}
	made, known := bodies[o.Path]
	if o.Body == nil {
		if known {
			made(s, who) // what the call is about
		}
		return r
	}
	var body any
	if known {
		body = made(s, who)
	} else {
		body = example(o.Body, s.given(o))
	}
	text, err := json.Marshal(body)
	require.NoError(s.T, err)
	require.NoError(s.T, json.Unmarshal(text, &r.body))
	return r
}

// bodies are of calls that a schema alone cannot describe: they name something that must be there.
var bodies = withReports(map[string]func(s *shop, who *person) map[string]any{
	"/api/authen/webclient/{unique}/line": func(s *shop, _ *person) map[string]any { return map[string]any{"LINETOKEN": s.idToken("guest")} },
	"/api/authen/agent/{liffId}/line":     func(s *shop, _ *person) map[string]any { return map[string]any{"LINETOKEN": s.idToken("guest")} },
	"/api/authen/owner/line":              (*shop).byLINE,
	"/api/authen/staff/line":              (*shop).byLINE,
	"/api/authen/owner/user":              (*shop).byPassword,
	"/api/authen/staff/user":              (*shop).byPassword,
	"/api/authen/admin/user": func(*shop, *person) map[string]any {
		return map[string]any{"username": "admin", "password": harness.AdminPassword}
	},
	"/api/authen/admin/line": func(s *shop, _ *person) map[string]any {
		return map[string]any{"LINETOKEN": s.IDToken("nobody", harness.PlatformChannel)}
	},
	"/api/authen/admin/invitation": func(s *shop, _ *person) map[string]any { return map[string]any{"token": s.adminLink()} },
	"/api/authen/admin/join": func(s *shop, _ *person) map[string]any {
		return map[string]any{"token": s.adminLink(), "password": "long enough"}
	},
	"/api/authen/code": func(s *shop, p *person) map[string]any {
		who := s.staff(token.Owner, "admin")
		code := who.recoveryCode()
		in := harness.MustPost[struct{ Pending string }](p.Browser, "/api/authen/owner/user", "", map[string]any{"username": who.username, "password": password, "unique": s.Unique})
		return map[string]any{"pending": in.Pending, "code": code}
	},
	"/api/authen/password/forgot": func(s *shop, _ *person) map[string]any {
		return map[string]any{"audience": "owner", "username": fresh("nobody"), "unique": s.Unique}
	},
	"/api/authen/password/link": func(s *shop, _ *person) map[string]any { return map[string]any{"token": s.lostLink()} },
	"/api/authen/password/set": func(s *shop, _ *person) map[string]any {
		return map[string]any{"token": s.lostLink(), "password": "long3enough"}
	},
	"/api/account/secondfactor/start": func(_ *shop, p *person) map[string]any { return map[string]any{"code": p.offered()} },
	"/api/account/secondfactor/renew": func(_ *shop, p *person) map[string]any { return map[string]any{"code": p.recoveryCode()} },
	"/api/account/secondfactor/stop":  func(_ *shop, p *person) map[string]any { return map[string]any{"code": p.recoveryCode()} },
	"/api/owner/staff/factor/drop": func(s *shop, _ *person) map[string]any {
		who := s.staff(token.Owner, "admin")
		who.recoveryCode()
		return map[string]any{"id": who.id}
	},
	"/api/admin/admin/factor/drop": func(s *shop, _ *person) map[string]any {
		name := fresh("phoneless")
		s.AddAdmin(name, "ผู้ดูแล")
		who := &person{Browser: s.Browser("localhost"), kind: token.Admin}
		who.Token = harness.SignIn(who.Browser, "/api/authen/admin/user", map[string]any{"username": name, "password": harness.AdminPassword}).Token
		who.recoveryCode()
		return map[string]any{"id": harness.MustPost[struct{ Profile struct{ ID uuid.UUID } }](who.Browser, "/api/authen/rechecktoken", "", map[string]any{}).Profile.ID}
	},
	"/api/authen/registeruser/owner/line": (*shop).register,
	"/api/authen/registeruser/line":       (*shop).register,
	"/api/authen/registeruser/invitation": func(s *shop, _ *person) map[string]any { return map[string]any{"token": s.invitation()} },
	"/api/authen/line/start": func(s *shop, _ *person) map[string]any {
		return map[string]any{"audience": "user", "unique": s.Unique, "return": "/user/market"}
	},
	"/api/authen/line/finish": func(s *shop, who *person) map[string]any {
		page := harness.MustPost[struct{ URL string }](who.Browser, "/api/authen/line/start", "", map[string]any{"audience": "user", "unique": s.Unique, "return": "/user/market"}).URL
		code, state := s.AtLINE(page, "guest"+s.canary)
		return map[string]any{"code": code, "state": state, "area": "user"}
	},

	"/api/staff/theme": func(*shop, *person) map[string]any {
		return map[string]any{"primary": "#1f5c4d", "secondary": "#d9a662"}
	},
	"/api/admin/theme": func(*shop, *person) map[string]any {
		return map[string]any{"primary": "#1f5c4d", "secondary": "#d9a662"}
	},

	"/api/user/contact/send":    func(s *shop, _ *person) map[string]any { return s.letter() },
	"/api/public/contact/send":  func(s *shop, _ *person) map[string]any { return s.letter() },
	"/api/public/shop/find":     func(s *shop, _ *person) map[string]any { return map[string]any{"name": s.canary} },
	"/api/owner/contactus/read": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.rows["contactus"]} },
	"/api/owner/contactus/answer": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.rows["contactus"], "answered": true}
	},
	"/api/admin/contactus/detail":      func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.toPlatform()} },
	"/api/admin/contactus/answer":      func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.toPlatform(), "answered": true} },
	"/api/admin/announcement/add":      func(*shop, *person) map[string]any { return announced() },
	"/api/admin/announcement/save":     func(s *shop, _ *person) map[string]any { return s.announcement() },
	"/api/admin/announcement/withdraw": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.announcement()["id"]} },
	"/api/admin/bankholiday/save":      func(*shop, *person) map[string]any { return holiday() },
	"/api/admin/bankholiday/remove": func(s *shop, _ *person) map[string]any {
		body := holiday()
		harness.MustPost[any](s.Admin(), "/api/admin/bankholiday/save", "", body)
		return map[string]any{"day": body["day"]}
	},

	"/api/user/salepackage/detail": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.Package} },
	"/api/user/consent/accept":     func(*shop, *person) map[string]any { return map[string]any{"version_ids": []string{}, "lang": "th"} },
	"/api/agent/consent/accept":    func(*shop, *person) map[string]any { return map[string]any{"version_ids": []string{}, "lang": "th"} },
	"/api/user/privacy/erase":      func(*shop, *person) map[string]any { return map[string]any{"confirm": "ERASE MY DATA"} },
	"/api/user/link/open":          func(s *shop, _ *person) map[string]any { return map[string]any{"code": s.may.link} },
	"/api/user/wallet/topup": func(*shop, *person) map[string]any {
		return map[string]any{"amount_satang": 100_00, "method": "promptpay"}
	},
	"/api/user/wallet/topup/get": func(_ *shop, who *person) map[string]any { return map[string]any{"id": who.topUp} },
	"/api/user/order/quote": func(s *shop, _ *person) map[string]any {
		return map[string]any{"lines": []any{map[string]any{"package_id": s.Package.String(), "quantity": 1}}}
	},
	"/api/user/order/confirm": func(s *shop, who *person) map[string]any { return s.cart(who) },
	"/api/user/order/pay": func(s *shop, who *person) map[string]any {
		cart := s.cart(who)
		cart["method"] = "promptpay"
		return cart
	},
	"/api/user/order/cancel": func(s *shop, who *person) map[string]any {
		return map[string]any{"id": s.Order(who.Browser).ID.String()}
	},
	"/api/user/order/detail":   func(_ *shop, who *person) map[string]any { return map[string]any{"id": who.order} },
	"/api/user/voucher/detail": func(_ *shop, who *person) map[string]any { return map[string]any{"id": who.voucher} },
	"/api/user/voucher/use": func(s *shop, who *person) map[string]any {
		return map[string]any{"voucher_id": s.Buy(who.Browser).Vouchers[0].ID.String(), "service_point_id": s.ServicePoint.String(), "items": 1}
	},
	"/api/user/voucher/use/get":    func(_ *shop, who *person) map[string]any { return map[string]any{"id": who.use} },
	"/api/user/voucher/use/cancel": func(s *shop, who *person) map[string]any { return map[string]any{"id": s.atDoor(who).ID} },

	"/api/user/mobile/request":    func(*shop, *person) map[string]any { return map[string]any{"mobile": freshMobile()} },
	"/api/user/mobile/verify":     (*shop).proveMobile,
	"/api/user/transfer/create":   func(s *shop, who *person) map[string]any { return s.toGive(who) },
	"/api/user/transfer/detail":   func(s *shop, who *person) map[string]any { return map[string]any{"id": s.gifted(who).ID} },
	"/api/user/transfer/withdraw": func(s *shop, who *person) map[string]any { return map[string]any{"id": s.gifted(who).ID} },
	"/api/user/transfer/begin": func(s *shop, who *person) map[string]any {
		later := s.toGive(who)
		later["begins_at"] = time.Now().Add(time.Hour)
		return map[string]any{"id": harness.MustPost[gift](who.Browser, "/api/user/transfer/create", uuid.NewString(), later).ID}
	},
	"/api/user/transfer/extend": func(s *shop, who *person) map[string]any {
		g := s.gifted(who)
		s.in(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE gift SET expires_at = $2 WHERE id = $1`, g.ID, clock.Start(clock.Day(tx.Now).AddDate(0, 0, 1)))
			return err
		})
		return map[string]any{"id": g.ID}
	},
	"/api/user/transfer/open":    func(s *shop, who *person) map[string]any { return s.linkTo(who) },
	"/api/user/transfer/receive": func(s *shop, who *person) map[string]any { return s.linkTo(who) },
	"/api/user/transfer/decline": func(s *shop, who *person) map[string]any { return s.linkTo(who) },
	"/api/user/transfer/thank": func(s *shop, who *person) map[string]any {
		return map[string]any{"id": harness.MustPost[gift](who.Browser, "/api/user/transfer/receive", "", s.linkTo(who)).ID}
	},

	"/api/user/history/list": func(*shop, *person) map[string]any { return map[string]any{"group": "", "month": ""} },
	"/api/user/message/read": func(s *shop, who *person) map[string]any {
		harness.MustPost[gift](s.another().Browser, "/api/user/transfer/receive", "", map[string]any{"ref": s.gifted(who).Ref, "digits": ""})
		list := harness.MustPost[struct{ Data []struct{ ID string } }](who.Browser, "/api/user/message/list", "", map[string]any{})
		return map[string]any{"id": list.Data[0].ID}
	},
	"/api/user/push/save":    func(*shop, *person) map[string]any { return map[string]any{"off": []string{"gifts"}} },
	"/api/user/push/device":  func(*shop, *person) map[string]any { return map[string]any{"lang": "en", "friend": true} },
	"/api/user/trade/detail": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.offered(s.another()).ID} },
	"/api/user/trade/cancel": func(s *shop, who *person) map[string]any { return map[string]any{"id": s.offered(who).ID} },
	"/api/user/trade/check": func(s *shop, who *person) map[string]any {
		s.mayOffer(who)
		return map[string]any{"voucher_id": s.Buy(who.Browser).Vouchers[0].ID.String(), "items": 1}
	},
	"/api/user/trade/create": func(s *shop, who *person) map[string]any { return s.toOffer(who) },
	"/api/user/trade/buy":    func(s *shop, who *person) map[string]any { return s.toBuy(who) },
	"/api/user/trade/report": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.offered(s.another()).ID, "reason": "price"}
	},
	"/api/user/trade/pay":        func(s *shop, who *person) map[string]any { return s.toPay(who) },
	"/api/user/trade/payment":    func(s *shop, who *person) map[string]any { return map[string]any{"id": s.paying(who).ID} },
	"/api/user/trade/giveup":     func(s *shop, who *person) map[string]any { return map[string]any{"id": s.paying(who).ID} },
	"/api/user/objection/use":    func(s *shop, who *person) map[string]any { return map[string]any{"id": s.used(who)} },
	"/api/user/objection/make":   func(s *shop, who *person) map[string]any { return map[string]any{"id": s.used(who)} },
	"/api/owner/story/objection": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.objected()} },
	"/api/owner/objection/decide": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.objected(), "undo": true, "answer": s.canary}
	},
	"/api/user/receipt/get":  func(s *shop, who *person) map[string]any { return s.receipt(who) },
	"/api/user/receipt/link": func(s *shop, who *person) map[string]any { return s.receipt(who) },
	"/api/user/receipt/send": func(s *shop, who *person) map[string]any {
		body := s.receipt(who)
		body["email"], body["lang"] = "ann@mail.example", "th"
		return body
	},
	"/api/owner/receipt/get": func(s *shop, _ *person) map[string]any { return s.receipt(s.ann) },
	"/api/user/receipt/open": func(s *shop, _ *person) map[string]any {
		link := harness.MustPost[onetime.Link](s.ann.Browser, "/api/user/receipt/link", "", s.receipt(s.ann))
		return map[string]any{"secret": link.Secret}
	},
	"/api/user/wallet/statement":      func(*shop, *person) map[string]any { return map[string]any{"month": thisMonth(), "limit": 2} },
	"/api/user/wallet/statement/file": func(*shop, *person) map[string]any { return map[string]any{"month": thisMonth(), "lang": "th"} },
	"/api/user/wallet/statement/link": func(*shop, *person) map[string]any { return map[string]any{"month": thisMonth(), "lang": "th"} },
	"/api/user/wallet/statement/open": func(s *shop, _ *person) map[string]any {
		link := harness.MustPost[onetime.Link](s.ann.Browser, "/api/user/wallet/statement/link", "", map[string]any{"month": thisMonth(), "lang": "th"})
		return map[string]any{"secret": link.Secret}
	},
	"/api/user/refund/options": func(s *shop, who *person) map[string]any {
		return map[string]any{"id": s.Buy(who.Browser).ID}
	},
	"/api/user/refund/make": func(s *shop, who *person) map[string]any {
		body := s.refundable(who)
		options := harness.MustPost[refund.Options](who.Browser, "/api/user/refund/options", "", map[string]any{"id": body["id"]})
		body["method"], body["amount_satang"] = refund.Wallet, options.Vouchers[0].Slices[0].Amount
		return body
	},
	"/api/owner/save/closure":        func(s *shop, _ *person) map[string]any { return s.closure() },
	"/api/owner/save/closed_day":     func(s *shop, _ *person) map[string]any { return s.closedDay() },
	"/api/owner/save/discount":       func(s *shop, _ *person) map[string]any { return s.discount() },
	"/api/owner/save/membercardtype": func(s *shop, _ *person) map[string]any { return s.cardType() },
	"/api/owner/discountcode/make": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.rows["discount"], "number": 2, "uses": 1}
	},
	"/api/owner/discount/try": func(s *shop, _ *person) map[string]any {
		return map[string]any{
			"discount": s.discount(), "lines": []any{map[string]any{"package_id": s.Package.String(), "quantity": 1}}, "codes": []any{}, "first": true,
			"used_each": 0, "channel": 2, "agent_type_id": nil,
		}
	},
	"/api/owner/save/commissionrate": func(s *shop, _ *person) map[string]any { return s.specialRate() },
	"/api/owner/status/commissionrate": func(s *shop, _ *person) map[string]any {
		made := harness.MustPost[harness.Saved](s.owner.Browser, "/api/owner/save/commissionrate", "", s.specialRate())
		return map[string]any{"ids": []string{made.ID()}, "status": 9}
	},
	"/api/owner/commissionrate/try": func(s *shop, _ *person) map[string]any {
		return map[string]any{
			"rate": s.specialRate(), "lines": []any{map[string]any{"package_id": s.Package.String(), "quantity": 1}},
			"codes": []any{}, "first": true, "used_each": 0, "channel": 3, "agent_type_id": s.rows["agenttype"],
		}
	},
	"/api/user/refund/ask": func(s *shop, who *person) map[string]any { return s.askable(who) },
	"/api/user/refund/renew": func(s *shop, who *person) map[string]any {
		id, amount := s.renewable(who)
		return map[string]any{"id": id, "amount_satang": amount}
	},
	"/api/user/refund/withdraw":      func(s *shop, who *person) map[string]any { return map[string]any{"id": s.requested(who)} },
	"/api/owner/story/refundrequest": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.requested(s.asker())} },
	"/api/owner/refundrequest/grant": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.requested(s.asker())} },
	"/api/owner/refundrequest/ask": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.requested(s.asker()), "note": s.canary}
	},
	"/api/owner/refundrequest/refuse": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.requested(s.asker()), "answer": s.canary}
	},
	"/api/owner/refundrequest/again": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.cut(s.asker())} },
	"/api/user/cashout/ask":          func(s *shop, who *person) map[string]any { return s.toTake(who) },
	"/api/user/cashout/withdraw":     func(s *shop, who *person) map[string]any { return map[string]any{"id": s.taking(who)} },
	"/api/owner/story/cashout":       func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.taking(s.asker())} },
	"/api/owner/cashout/approve":     func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.taking(s.asker())} },
	"/api/owner/cashout/ask": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.taking(s.asker()), "note": s.canary}
	},
	"/api/owner/payoutrun/draft": func(s *shop, _ *person) map[string]any { s.noDraft(); return s.payDays() },
	"/api/owner/payoutschedule/add": func(s *shop, _ *person) map[string]any {
		s.noSchedule()
		return map[string]any{"kind": "agent", "every": "month", "day": 31}
	},
	"/api/owner/payoutschedule/switch": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.schedule(), "active": false} },
	"/api/owner/payoutrun/recompute":   func(s *shop, _ *person) map[string]any { run, _ := s.drafted(); return map[string]any{"id": run} },
	"/api/owner/payoutrun/cancel":      func(s *shop, _ *person) map[string]any { run, _ := s.drafted(); return map[string]any{"id": run} },
	"/api/owner/payoutrun/propose":     func(s *shop, _ *person) map[string]any { return s.proposal() },
	"/api/owner/payoutrun/export":      func(s *shop, _ *person) map[string]any { run, _ := s.booked(); return map[string]any{"id": run} },
	"/api/owner/payoutrun/withdraw": func(s *shop, _ *person) map[string]any {
		run, _ := s.booked()
		return map[string]any{"id": run, "reason": s.canary}
	},
	"/api/owner/payoutrun/result": func(s *shop, _ *person) map[string]any { return s.result() },
	"/api/owner/story/payoutrun":  func(s *shop, _ *person) map[string]any { run, _ := s.booked(); return map[string]any{"id": run} },
	"/api/owner/story/payout":     func(s *shop, _ *person) map[string]any { _, id := s.booked(); return map[string]any{"id": id} },
	"/api/owner/payout/postpone":  func(s *shop, _ *person) map[string]any { _, id := s.drafted(); return map[string]any{"id": id} },
	"/api/owner/payout/say": func(s *shop, _ *person) map[string]any {
		_, id := s.booked()
		return map[string]any{"id": id, "outcome": "failed", "day": clock.Day(s.DB.Now()).Format(time.DateOnly), "reason": s.canary}
	},
	"/api/owner/taxcertificate/replace": func(s *shop, _ *person) map[string]any {
		_, id := s.certified(s.payee())
		s.called()
		return map[string]any{"id": id, "reason": s.canary}
	},
	"/api/owner/story/commissionhold":   func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.held()} },
	"/api/owner/commissionhold/release": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.held(), "reason": s.canary} },
	"/api/owner/commissionhold/deny":    func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.held(), "reason": s.canary} },
	"/api/owner/taxreturn/make":         func(s *shop, _ *person) map[string]any { return s.unfiled() },
	"/api/owner/taxreturn/cancel":       func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.madeReturn()} },
	"/api/owner/taxreturn/propose": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.madeReturn(), "filed_on": clock.Day(s.DB.Now()).Format(time.DateOnly), "receipt": "6912", "note": s.canary}
	},
	"/api/agent/payout/detail": func(s *shop, who *person) map[string]any { return map[string]any{"id": s.ownPayout(who)} },
	"/api/owner/cashout/refuse": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.taking(s.asker()), "answer": s.canary}
	},
	"/api/owner/story/banktransfer": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.transfer()} },
	"/api/owner/banktransfer/ask": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.transfer(), "outcome": "done", "reference": s.canary, "note": s.canary}
	},
	"/api/owner/banktransfer/fail": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.transfer(), "reason": s.canary}
	},
	"/api/owner/refund/quote": func(s *shop, _ *person) map[string]any { return s.refundable(s.ann) },
	"/api/owner/refund/make": func(s *shop, _ *person) map[string]any {
		body := s.refundable(s.ann)
		body["method"], body["reason"], body["note"] = refund.Wallet, "asked", s.canary
		return body
	},
	"/api/owner/refund/ask": func(s *shop, _ *person) map[string]any {
		body := s.refundable(s.ann)
		body["method"], body["reason"], body["note"] = refund.Wallet, "asked", s.canary
		return body
	},
	// A rule would stand in the way of refunds.
	"/api/owner/setting/approval/save": func(*shop, *person) map[string]any {
		return map[string]any{"refund_above_satang": nil, "extend_above_vouchers": nil}
	},
	"/api/owner/approval/detail":  func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.asked(s.deputy)} },
	"/api/owner/approval/approve": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.asked(s.deputy)} },
	"/api/owner/approval/refuse": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.asked(s.deputy), "reason": s.canary}
	},
	"/api/owner/save/partnerrate": func(s *shop, _ *person) map[string]any { return s.partnerRate() },
	"/api/owner/status/partnerrate": func(s *shop, _ *person) map[string]any {
		made := harness.MustPost[harness.Saved](s.owner.Browser, "/api/owner/save/partnerrate", "", s.partnerRate())
		return map[string]any{"ids": []string{made.ID()}, "status": 9}
	},
	"/api/owner/status/partner": func(s *shop, _ *person) map[string]any {
		made := harness.MustPost[harness.Saved](s.owner.Browser, "/api/owner/save/partner", "", map[string]any{"name_th": s.named("พาร์ตเนอร์"), "name_en": ""})
		return map[string]any{"ids": []string{made.ID()}, "status": 4}
	},
	"/api/owner/partner/record": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.rows["partner"]} },
	"/api/owner/partner/fill": func(s *shop, _ *person) map[string]any {
		return map[string]any{"partner_id": s.rows["partner"], "form": s.form()}
	},
	"/api/owner/partner/takeback": func(s *shop, who *person) map[string]any { return s.partnerForm(who) },
	"/api/owner/partner/accept": func(s *shop, _ *person) map[string]any {
		form := s.partnerForm(s.deputy)
		form["reason"] = ""
		return form
	},
	"/api/owner/partner/refuse": func(s *shop, _ *person) map[string]any {
		form := s.partnerForm(s.deputy)
		form["reason"] = s.canary
		return form
	},
	"/api/owner/account/fill":     func(s *shop, _ *person) map[string]any { return map[string]any{"form": s.form()} },
	"/api/owner/account/takeback": func(s *shop, who *person) map[string]any { return s.accountForm(who) },
	"/api/owner/account/accept": func(s *shop, _ *person) map[string]any {
		form := s.accountForm(s.deputy)
		form["reason"] = ""
		return form
	},
	"/api/owner/account/refuse": func(s *shop, _ *person) map[string]any {
		form := s.accountForm(s.deputy)
		form["reason"] = s.canary
		return form
	},
	"/api/admin/settlement/draft": func(s *shop, _ *person) map[string]any {
		s.settlementRun("cancelled")
		return map[string]any{"up_to": clock.Day(s.DB.Now()).AddDate(0, 0, -1).Format(time.DateOnly), "pay_day": s.nextBankDay(), "minimum_satang": 100_00}
	},
	"/api/admin/settlement/detail": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.settlementRun("closed").run} },
	"/api/admin/settlement/cancel": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.settlementRun("draft").run} },
	"/api/admin/settlement/approve": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.settlementRun("draft").run, "hash": "00"}
	},
	"/api/admin/settlement/withdraw": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.settlementRun("approved").run, "reason": s.canary}
	},
	"/api/admin/settlement/export": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.settlementRun("approved").run} },
	"/api/admin/settlement/read": func(s *shop, _ *person) map[string]any {
		of := s.settlementRun("exported")
		return map[string]any{"id": of.run, "name": s.canary, "text": "reference,amount,outcome,day,reason\n" + of.reference + ",500.00,failed," + clock.Day(s.DB.Now()).Format(time.DateOnly) + ",x"}
	},
	"/api/admin/settlement/say": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.settlementRun("exported").id, "outcome": "failed", "day": clock.Day(s.DB.Now()).Format(time.DateOnly), "reason": s.canary}
	},
	"/api/owner/settlement/statement": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.settlementRun("closed").id} },
	"/api/owner/settlement/entries": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.settlementRun("closed").id, "kind": "settlement"}
	},
	"/api/admin/account/detail": func(s *shop, _ *person) map[string]any { return s.secondedAccount() },
	"/api/admin/account/accept": func(s *shop, _ *person) map[string]any { return s.secondedAccount() },
	"/api/admin/account/refuse": func(s *shop, _ *person) map[string]any {
		form := s.secondedAccount()
		form["reason"] = s.canary
		return form
	},
	"/api/owner/approval/withdraw": func(s *shop, who *person) map[string]any { return map[string]any{"id": s.asked(who)} },
	"/api/owner/find": func(s *shop, _ *person) map[string]any {
		var code string
		s.in(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT code FROM voucher WHERE holder_id = $1 ORDER BY id LIMIT 1`, s.ann.id).Scan(&code)
		})
		return map[string]any{"text": code}
	},
	"/api/owner/voucher/freeze": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.Buy(s.ann.Browser).Vouchers[0].ID, "reason": s.canary}
	},
	"/api/owner/voucher/void/quote": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.Buy(s.ann.Browser).Vouchers[0].ID}
	},
	"/api/owner/voucher/reissue": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.Buy(s.ann.Browser).Vouchers[0].ID, "reason": s.canary}
	},
	"/api/owner/voucher/extend": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.Buy(s.ann.Browser).Vouchers[0].ID, "valid_until": s.Clock.Now().AddDate(1, 0, 0).Format(time.DateOnly), "reason": s.canary}
	},
	"/api/owner/voucher/void/ask": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.Buy(s.ann.Browser).Vouchers[0].ID, "reason": s.canary}
	},
	"/api/owner/report/subscription/code": func(*shop, *person) map[string]any { return map[string]any{"email": fresh("office") + "@mail.example"} },
	"/api/owner/report/subscription/save": func(s *shop, who *person) map[string]any { return s.subscribing(who) },
	"/api/owner/report/subscription/remove": func(s *shop, who *person) map[string]any {
		return map[string]any{"id": harness.MustPost[harness.Saved](who.Browser, "/api/owner/report/subscription/save", "", s.subscribing(who)).ID()}
	},
	"/api/owner/story/case": func(s *shop, _ *person) map[string]any {
		id, _ := s.sentBack()
		return map[string]any{"id": id}
	},
	"/api/owner/case/bear": func(s *shop, _ *person) map[string]any {
		id, sum := s.sentBack()
		return map[string]any{"id": id, "amount_satang": sum}
	},
	"/api/owner/case/writeoff/ask": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.owing(), "amount_satang": 100, "reason": s.canary}
	},
	"/api/owner/voucher/goodwill/uses": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.ann.voucher} },
	"/api/owner/voucher/goodwill/ask": func(s *shop, _ *person) map[string]any {
		use := s.used(s.ann)
		s.in(func(ctx context.Context, tx db.Tx) error { // it stands
			_, err := tx.Exec(ctx, `INSERT INTO objection (id, redemption_id, voucher_id, customer_id, state, share_satang, made_at, due_at, decided_at, decided_by)
				SELECT $2, r.id, r.voucher_id, r.customer_id, 'stands', r.amount_satang, r.at, r.at + interval '48 hours', r.at, r.staff_id FROM redemption r WHERE r.id = $1`, use, db.NewID())
			return err
		})
		return map[string]any{"id": use, "amount_satang": 1, "reason": s.canary}
	},
	"/api/owner/care/preview": func(s *shop, _ *person) map[string]any {
		return map[string]any{"task": "freeze", "filter": map[string]any{"id": s.Buy(s.ann.Browser).Vouchers[0].ID}}
	},
	"/api/owner/care/extend":     func(s *shop, _ *person) map[string]any { return s.manyToExtend() },
	"/api/owner/care/extend/ask": func(s *shop, _ *person) map[string]any { return s.manyToExtend() },
	"/api/owner/care/change": func(s *shop, _ *person) map[string]any {
		return map[string]any{"task": "freeze", "reason": s.canary, "filter": map[string]any{"id": s.Buy(s.ann.Browser).Vouchers[0].ID}}
	},
	"/api/user/salepackage/days": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.Package.String(), "service_point_id": s.ServicePoint.String(), "month": thisMonth()}
	},
	"/api/owner/closure/return":         func(s *shop, _ *person) map[string]any { return s.closureOfSold() },
	"/api/owner/closure/return/ask":     func(s *shop, _ *person) map[string]any { return s.closureOfSold() },
	"/api/owner/closure/return/preview": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.rows["closure"]} },
	"/api/owner/care/run":               func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.cared(s.owner)} },
	"/api/owner/care/cancel":            func(s *shop, who *person) map[string]any { return map[string]any{"id": s.cared(who)} },
	"/api/owner/voucher/void": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.Buy(s.ann.Browser).Vouchers[0].ID, "reason": s.canary}
	},
	"/api/owner/voucher/release":       func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.frozen()} },
	"/api/owner/boardtransaction/stop": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.offered(s.another()).ID} },
	"/api/owner/setting/push/save":     func(*shop, *person) map[string]any { return pushChannel },
	"/api/owner/setting/push/remove": func(s *shop, _ *person) map[string]any {
		s.connectPush()
		return map[string]any{"channel_id": pushChannel["channel_id"]}
	},
	"/api/owner/setting/push/limit/save": func(s *shop, _ *person) map[string]any {
		s.connectPush()
		return map[string]any{"monthly_limit": 100, "uses_from_satang": 500_00}
	},
	"/api/owner/setting/product/save": func(*shop, *person) map[string]any {
		return map[string]any{"slug": "ticket", "word_th": "บัตร", "word_en": "ticket"}
	},
	"/api/owner/setting/board/save":       func(*shop, *person) map[string]any { return board() },
	"/api/owner/transfertransaction/stop": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.gifted(s.ann).ID} },

	"/api/staff/voucher/verify": func(s *shop, _ *person) map[string]any {
		return map[string]any{"code": s.Typed(s.atDoor(s.ann)), "service_point_id": s.ServicePoint.String()}
	},
	"/api/staff/voucher/verify/cancel": func(s *shop, who *person) map[string]any {
		use := s.atDoor(s.ann)
		s.Scan(who.Browser, use)
		return map[string]any{"use_session_id": use.ID}
	},
	"/api/staff/voucher/confirm": func(s *shop, who *person) map[string]any {
		use := s.atDoor(s.ann)
		s.Scan(who.Browser, use)
		return map[string]any{"use_session_id": use.ID, "service_point_id": s.ServicePoint.String()}
	},

	"/api/staff/member/find": func(s *shop, _ *person) map[string]any {
		return map[string]any{"number": s.cardNumber(s.customer(fresh("member"))), "service_point_id": s.ServicePoint.String()}
	},
	"/api/staff/member/scan": func(s *shop, _ *person) map[string]any {
		return map[string]any{"code": s.liveCode(s.customer(fresh("member"))), "service_point_id": s.ServicePoint.String()}
	},

	"/api/user/member/key":      func(s *shop, who *person) map[string]any { s.enrol(who); return nil },
	"/api/user/member/apply":    func(s *shop, who *person) map[string]any { s.unmember(who); return s.wish() },
	"/api/user/member/buy":      func(s *shop, who *person) map[string]any { return s.purchase(who) },
	"/api/user/member/takeback": func(s *shop, who *person) map[string]any { s.wished(who); return nil },
	"/api/user/member/leave":    func(s *shop, who *person) map[string]any { s.enrol(who); return nil },
	"/api/owner/memberlist/whole": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.wished(s.customer(fresh("member"))), "reason": s.named("เหตุผล")}
	},
	"/api/owner/memberlist/approve": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.wished(s.customer(fresh("member"))), "reason": s.canary}
	},
	"/api/owner/memberlist/refuse": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.wished(s.customer(fresh("member"))), "reason": s.canary}
	},
	"/api/owner/payment/methods": func(s *shop, _ *person) map[string]any {
		var id uuid.UUID
		var at time.Time
		s.in(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT id, updated_at FROM payment_system WHERE status = 5`).Scan(&id, &at)
		})
		return map[string]any{"id": id, "methods": []string{"card", "promptpay"}, "updated_at": at}
	},
	"/api/owner/memberlist/points/ask": func(s *shop, _ *person) map[string]any {
		who := s.customer(fresh("member"))
		s.enrol(who)
		return map[string]any{"customer_id": who.id, "points": 5, "months": 12, "reason": s.canary}
	},
	"/api/owner/status/memberlist": func(s *shop, _ *person) map[string]any {
		return map[string]any{"ids": []string{s.enrol(s.customer(fresh("member"))).String()}, "status": 4}
	},
	"/api/owner/customer/wallet": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.ann.id.String()} },
	"/api/owner/agent/approve": func(s *shop, _ *person) map[string]any {
		return map[string]any{"customer_id": s.customer(fresh("seller")).id.String(), "agent_type_id": s.rows["agenttype"]}
	},
	"/api/owner/status/agent": func(s *shop, _ *person) map[string]any {
		return map[string]any{"ids": []string{s.seller().String()}, "status": 4}
	},
	"/api/agent/register/save":      func(s *shop, _ *person) map[string]any { return s.form() },
	"/api/agent/register/recruiter": func(s *shop, _ *person) map[string]any { return map[string]any{"referercode": s.recruiter()} },
	"/api/agent/register/code":      func(s *shop, who *person) map[string]any { s.fillIn(who); return nil },
	"/api/agent/register/verify":    func(s *shop, who *person) map[string]any { return map[string]any{"code": s.codeOf(who)} },
	"/api/agent/register/send":      func(s *shop, who *person) map[string]any { s.ready(who); return nil },
	"/api/agent/register/leave":     func(s *shop, who *person) map[string]any { s.sent(who); return nil },
	"/api/agent/register/takeback":  func(s *shop, who *person) map[string]any { s.sent(who); return nil },
	"/api/owner/agent/type": func(s *shop, _ *person) map[string]any {
		return map[string]any{"agent_id": s.rows["agent"], "agent_type_id": s.rows["agenttype"]}
	},
	"/api/owner/agent/record": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.rows["agent"]} },
	"/api/owner/agent/whole": func(s *shop, _ *person) map[string]any {
		return map[string]any{"version_id": s.sent(s.applicant()), "reason": s.named("เหตุผล")}
	},
	"/api/owner/agent/accept": func(s *shop, _ *person) map[string]any {
		return map[string]any{"version_id": s.sent(s.applicant()), "agent_type_id": s.rows["agenttype"], "reason": ""}
	},
	"/api/owner/agent/refuse": func(s *shop, _ *person) map[string]any {
		return map[string]any{"version_id": s.sent(s.applicant()), "reason": s.canary, "fields": []string{"picture_bank"}}
	},
	"/api/owner/setting/save":    func(s *shop, _ *person) map[string]any { return s.settings() },
	"/api/owner/report/describe": func(*shop, *person) map[string]any { return map[string]any{"report": "daily"} },
	"/api/owner/report/job": func(s *shop, _ *person) map[string]any {
		return map[string]any{"report": "daily", "filter": s.days(), "format": "csv"}
	},
	"/api/owner/report/job/get":    func(_ *shop, who *person) map[string]any { return map[string]any{"id": who.job} },
	"/api/owner/report/job/cancel": func(_ *shop, who *person) map[string]any { return map[string]any{"id": who.job} },
	"/api/owner/password/change": func(*shop, *person) map[string]any {
		return map[string]any{"old_password": password, "password": password + "5"}
	},
	"/api/staff/password/change": func(*shop, *person) map[string]any {
		return map[string]any{"old_password": password, "password": password + "5"}
	},
	"/api/owner/staff/invite": func(*shop, *person) map[string]any {
		return map[string]any{"name": "guest", "role": "admin", "area": "owner"}
	},
	"/api/owner/staff/revoke": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": harness.MustPost[struct {
			Account string `json:"staff_id"`
		}](s.owner.Browser, "/api/owner/staff/invite", "", map[string]any{"name": "guest", "role": "admin", "area": "owner"}).Account}
	},

	"/api/admin/dashboard/overview":      func(*shop, *person) map[string]any { return map[string]any{"days": 30} },
	"/api/admin/dashboard/organisations": func(*shop, *person) map[string]any { return map[string]any{"days": 30} },
	"/api/admin/user/list":               func(*shop, *person) map[string]any { return map[string]any{} },
	"/api/admin/user/file":               func(*shop, *person) map[string]any { return map[string]any{} },
	"/api/admin/user/detail":             func(s *shop, _ *person) map[string]any { return map[string]any{"org_id": s.ID, "id": s.ann.id} },
	"/api/admin/user/suspend":            func(s *shop, _ *person) map[string]any { return map[string]any{"org_id": s.ID, "id": s.dismissed().id} },
	"/api/admin/user/resume":             func(s *shop, _ *person) map[string]any { return map[string]any{"org_id": s.ID, "id": s.dismissed().id} },
	"/api/admin/staff/invite": func(s *shop, _ *person) map[string]any {
		return map[string]any{"org_id": s.ID, "name": "guest", "role": "admin"}
	},
	"/api/admin/wallet/detail":   func(s *shop, _ *person) map[string]any { return map[string]any{"org_id": s.ID, "id": s.ann.id} },
	"/api/admin/deposit/detail":  func(s *shop, _ *person) map[string]any { return map[string]any{"org_id": s.ID, "id": s.ann.topUp} },
	"/api/admin/wallet/list":     func(*shop, *person) map[string]any { return map[string]any{} },
	"/api/admin/wallet/file":     func(*shop, *person) map[string]any { return map[string]any{} },
	"/api/admin/voucher/detail":  func(s *shop, _ *person) map[string]any { return map[string]any{"org_id": s.ID, "id": s.ann.voucher} },
	"/api/admin/voucher/list":    func(*shop, *person) map[string]any { return map[string]any{} },
	"/api/admin/voucher/file":    func(*shop, *person) map[string]any { return map[string]any{} },
	"/api/admin/template/list":   func(*shop, *person) map[string]any { return map[string]any{} },
	"/api/admin/template/detail": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.orgTemplate().ID} },
	"/api/admin/template/add":    func(s *shop, _ *person) map[string]any { return s.newTemplate() },
	"/api/admin/template/version": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.orgTemplate().ID, "org_id": s.ID, "note": ""}
	},
	"/api/admin/template/save": func(s *shop, _ *person) map[string]any {
		t := s.orgTemplate()
		return map[string]any{"id": t.ID, "updated_at": t.UpdatedAt, "name_th": "สปา", "name_en": "Spa", "status": 5}
	},
	"/api/admin/paymentsystem/list": func(*shop, *person) map[string]any { return map[string]any{"hours": 24} },
	"/api/admin/deposit/list":       func(*shop, *person) map[string]any { return map[string]any{} },
	"/api/admin/deposit/file":       func(*shop, *person) map[string]any { return map[string]any{} },
	"/api/admin/staff/list":         func(*shop, *person) map[string]any { return map[string]any{} },
	"/api/admin/staff/file":         func(*shop, *person) map[string]any { return map[string]any{} },
	"/api/admin/job/list":           func(*shop, *person) map[string]any { return map[string]any{} },
	"/api/admin/job/look":           func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.ID.String()} },
	"/api/admin/job/again":          func(s *shop, _ *person) map[string]any { return s.givenUp() },
	"/api/admin/job/stop":           func(s *shop, _ *person) map[string]any { return s.givenUp() },

	"/api/admin/organize/detail":      func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.ID.String()} },
	"/api/admin/organize/retry":       func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.ID.String()} },
	"/api/admin/organize/connections": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.ID.String()} },
	"/api/admin/organize/record":      func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.ID.String()} },
	"/api/admin/organize/plan":        func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.quiet(), "plan_id": s.Plan} },
	"/api/admin/organize/suspend":     func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.quiet(), "reason": "a test"} },
	"/api/admin/organize/resume":      func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.quiet()} },
	"/api/admin/organize/setting/save": func(s *shop, _ *person) map[string]any {
		return map[string]any{
			"id": s.quiet(), "name_th": "อื่น", "name_en": "other", "tagline_th": "", "tagline_en": "", "background_color_primary": "#1f5c4d", "background_color_secondary": "#d9a662",
		}
	},
	"/api/admin/organize/line/save": func(s *shop, _ *person) map[string]any {
		return map[string]any{
			"id": s.ID.String(), "line": map[string]any{"channel_id": s.Channel, "channel_secret": ""},
			"liff": map[string]any{"liffuser": s.Liff, "liffagent": "", "lifftrade": "", "lifftransfer": ""},
		}
	},
	"/api/admin/organize/payment/save": func(s *shop, _ *person) map[string]any {
		return map[string]any{"id": s.ID.String(), "collector": "organisation", "payment": map[string]any{"public_key": "pkey_test_" + s.Unique, "secret_key": "", "webhook_secret": ""}}
	},
	"/api/admin/admin/detail":       func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.guestAdmin()} },
	"/api/admin/admin/link":         func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.guestAdmin()} },
	"/api/admin/admin/takeback":     func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.guestAdmin()} },
	"/api/admin/admin/suspend":      func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.guestAdmin()} },
	"/api/admin/admin/resume":       func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.guestAdmin()} },
	"/api/admin/admin/sessions/end": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.guestAdmin()} },
	"/api/admin/admin/invite":       func(*shop, *person) map[string]any { return newAdmin() },
	"/api/admin/admin/save": func(s *shop, _ *person) map[string]any {
		body := newAdmin()
		delete(body, "username")
		body["id"] = s.guestAdmin()
		return body
	},
	"/api/admin/plan/add": func(*shop, *person) map[string]any { return plan() },
	"/api/admin/plan/save": func(s *shop, _ *person) map[string]any {
		body := plan()
		body["id"] = harness.MustPost[struct{ ID string }](s.admin.Browser, "/api/admin/plan/add", "", body).ID
		return body
	},
	"/api/admin/organize/host/add":       func(s *shop, _ *person) map[string]any { return s.address(fresh("added-")) },
	"/api/admin/organize/host/remove":    func(s *shop, _ *person) map[string]any { return s.added() },
	"/api/admin/organize/host/verify":    func(s *shop, _ *person) map[string]any { return s.added() },
	"/api/admin/organize/host/canonical": func(s *shop, _ *person) map[string]any { return map[string]any{"id": s.ID.String(), "host": s.Host} },
	"/api/admin/organize/save":           func(s *shop, _ *person) map[string]any { return s.newOrganisation() },
})

func (s *shop) newOrganisation() map[string]any {
	return map[string]any{
		"unique": fresh("opened-"), "name_th": "ใหม่", "name_en": "new", "tagline_th": "", "tagline_en": "", "plan_id": s.Plan,
		"background_color_primary": "#1f5c4d", "background_color_secondary": "#d9a662", "hosts": []string{},
		"liff": map[string]any{"liffuser": "", "liffagent": "", "lifftrade": "", "lifftransfer": ""}, "line": map[string]any{"channel_id": "", "channel_secret": ""},
		"payment": map[string]any{"public_key": "", "secret_key": "", "webhook_secret": ""},
		"owner":   map[string]any{"username": "owner", "name": "new", "password": "owner2026"},
	}
}

// newAdmin is an admin to be invited, whom no e-mail reaches.
func newAdmin() map[string]any {
	return map[string]any{"username": fresh("guest-"), "name": "guest", "email": "", "role": "admin", "permission_admin": map[string]any{"organize": []string{"v"}}}
}

func (s *shop) guestAdmin() string {
	return harness.MustPost[struct{ ID string }](s.Admin(), "/api/admin/admin/invite", "", newAdmin()).ID
}

// adminLink is the token of an invitation.
func (s *shop) adminLink() string {
	_, plain, _ := strings.Cut(harness.MustPost[struct{ URL string }](s.Admin(), "/api/admin/admin/invite", "", newAdmin()).URL, "#")
	return plain
}

// lostLink is the token of a link by which a new account's password is set.
func (s *shop) lostLink() string {
	s.T.Helper()
	plain, err := s.Services.Session.AddReset(s.T.Context(), session.Reset{Audience: token.Owner, Org: s.ID, Subject: s.staff(token.Owner, "admin").id})
	require.NoError(s.T, err)
	return plain
}

// offered is a code of a secret that one is offered now.
func (p *person) offered() string {
	p.T.Helper()
	offer := harness.MustPost[struct{ Secret string }](p.Browser, "/api/account/secondfactor/offer", "", map[string]any{})
	return p.AppCode(offer.Secret)
}

// recoveryCode is one of a person's that was not used. It switches his second factor on before.
func (p *person) recoveryCode() (code string) {
	p.T.Helper()
	if len(p.recovery) == 0 {
		p.recovery = harness.MustPost[struct{ Codes []string }](p.Browser, "/api/account/secondfactor/start", "", map[string]any{"code": p.offered()}).Codes
	}
	code, p.recovery = p.recovery[0], p.recovery[1:]
	return code
}

// plan is one that no organisation is put on.
func plan() map[string]any {
	return map[string]any{"name_th": "แผน", "name_en": "plan", "modules": []string{"dashboard"}, "fee_basis_points": 300, "active": false}
}

// quiet is another organisation, which nobody uses: it may be suspended. It is opened when it is asked for.
func (s *shop) quiet() string {
	if s.quietID == "" {
		s.quietID = harness.MustPost[struct{ ID string }](s.admin.Browser, "/api/admin/organize/save", "", s.newOrganisation()).ID
		s.Eventually("it is live", func() bool {
			return harness.MustPost[struct{ State string }](s.admin.Browser, "/api/admin/organize/detail", "", map[string]any{"id": s.quietID}).State == "live"
		})
	}
	return s.quietID
}

func (s *shop) address(name string) map[string]any {
	return map[string]any{"id": s.ID.String(), "host": name + ".localhost"}
}

// added is an address that the organisation has for it.
func (s *shop) added() map[string]any {
	body := s.address(fresh("added-"))
	harness.MustPost[harness.Saved](s.Admin(), "/api/admin/organize/host/add", "", body)
	return body
}

// announced is an announcement to all organisations.
func announced() map[string]any {
	now := time.Now().UTC()
	return map[string]any{
		"kind": "news", "title_th": "ข่าว", "title_en": "News", "text_th": "มีข่าว", "text_en": "There is news", "plans": []string{},
		"from": now.Format(time.RFC3339), "until": now.AddDate(0, 1, 0).Format(time.RFC3339),
	}
}

// announcement is one that is there, as it would be saved.
func (s *shop) announcement() map[string]any {
	s.T.Helper()
	body := announced()
	body["id"] = harness.MustPost[struct{ ID uuid.UUID }](s.Admin(), "/api/admin/announcement/add", "", body).ID.String()
	list := harness.MustPost[struct {
		Data []struct {
			ID        uuid.UUID
			UpdatedAt time.Time `json:"updated_at"`
		}
	}](s.Admin(), "/api/admin/announcement/list", "", map[string]any{})
	require.Equal(s.T, body["id"], list.Data[0].ID.String())
	body["updated_at"] = list.Data[0].UpdatedAt
	return body
}

// holiday is a bank holiday of years ago, where it moves nothing, on a day that no other call is about.
func holiday() map[string]any {
	day := clock.Day(time.Now()).AddDate(-4, 0, int(counter.Add(1))%1000)
	return map[string]any{"day": day.Format(time.DateOnly), "name_th": "วันหยุด", "name_en": "Holiday", "source": "ธปท."}
}

// forgetAddresses takes away those that were added: an organisation may have a few.
func (s *shop) forgetAddresses(t *testing.T) {
	t.Helper()
	require.NoError(t, s.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), `DELETE FROM host WHERE org_id = $1 AND host LIKE 'added-%'`, s.ID)
		return err
	}))
}

func (s *shop) byPassword(*person) map[string]any {
	return map[string]any{"username": "owner", "password": "owner2026", "unique": s.Unique}
}

// byLINE is the ID token of somebody who took an invitation.
func (s *shop) byLINE(*person) map[string]any {
	name := "linked"
	r := s.Browser(s.Host).Post("/api/authen/registeruser/line", "", map[string]any{"LINETOKEN": s.idToken(name), "token": s.invitation()})
	if !r.Result {
		require.Equal(s.T, "staff.line_taken", r.Fault, "he has taken one before")
	}
	return map[string]any{"LINETOKEN": s.idToken(name), "unique": s.Unique}
}

func (s *shop) register(*person) map[string]any {
	return map[string]any{"LINETOKEN": s.idToken(fresh("guest")), "token": s.invitation()}
}

func (s *shop) invitation() string {
	made := harness.MustPost[struct{ URL string }](s.owner.Browser, "/api/owner/staff/invite", "", map[string]any{"name": "guest", "role": "admin", "area": "owner"})
	_, plain, _ := strings.Cut(made.URL, "#")
	return plain
}

func (s *shop) cart(who *person) map[string]any {
	_, body := s.QuoteFor(who.Browser)
	return body
}

// freshMobile is a number that no code was sent to.
func freshMobile() string { return fmt.Sprintf("08%08d", counter.Add(1)) }

// proveMobile is the code that a person was sent.
func (s *shop) proveMobile(who *person) map[string]any {
	number := freshMobile()
	require.NoError(s.T, s.ForgetLimits()) // an address is sent a hundred a day
	harness.MustPost[any](who.Browser, "/api/user/mobile/request", "", map[string]any{"mobile": number})
	return map[string]any{"mobile": number, "code": s.Code("+66" + number[1:])}
}

type gift struct{ ID, Ref string }

// toGive is a voucher bought for it.
func (s *shop) toGive(who *person) map[string]any {
	return map[string]any{"voucher_id": s.Buy(who.Browser).Vouchers[0].ID.String(), "items": 1, "card": "thanks", "to_name": "", "words": s.canary, "digits": ""}
}

// gifted is a gift on its way.
func (s *shop) gifted(who *person) gift {
	return harness.MustPost[gift](who.Browser, "/api/user/transfer/create", uuid.NewString(), s.toGive(who))
}

// mayOffer proves somebody's mobile number without a code, and ends what he offered first, of which there is a most. They end here: what a job of the
// timetable ended later would have changed during a call that has nothing to do with it.
func (s *shop) mayOffer(who *person) {
	s.in(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE customer SET mobile = coalesce(mobile, '\x00'), mobile_verified_at = coalesce(mobile_verified_at, now()) WHERE id = $1`, who.id)
		if err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `SELECT id FROM offer WHERE seller_id = $1 AND state IN ('open', 'reserved') ORDER BY id DESC OFFSET 7`, who.id)
		if err != nil {
			return err
		}
		old, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		for _, id := range old {
			if _, err := voucher.StopOffer(ctx, tx, id, voucher.Stopped); err != nil { // also one that somebody is paying
				return err
			}
		}
		return err
	})
}

// board is how the board is set.
func board() map[string]any {
	return map[string]any{"open": true, "royalty_basis_points": 200, "cap_percent": 100, "days": 30, "sold_out_only": false}
}

// openBoard lets a voucher be offered for whatever was paid for it: a body that was changed may have left a lower cap.
func (s *shop) openBoard() {
	harness.MustPost[any](s.owner.Browser, "/api/owner/setting/board/save", "", board())
}

// toOffer is a voucher bought for it.
func (s *shop) toOffer(who *person) map[string]any {
	s.mayOffer(who)
	s.openBoard()
	return map[string]any{"voucher_id": s.Buy(who.Browser).Vouchers[0].ID.String(), "items": 1, "price_satang": 100}
}

// offered is an open offer.
func (s *shop) offered(who *person) gift {
	return harness.MustPost[gift](who.Browser, "/api/user/trade/create", uuid.NewString(), s.toOffer(who))
}

// paying is a payment of an offer that waits for its money. Somebody pays one at a time, so what he was paying before is given up.
func (s *shop) paying(who *person) gift {
	s.in(func(ctx context.Context, tx db.Tx) error {
		for _, sql := range []string{
			`UPDATE offer SET state = 'open' WHERE id IN (SELECT offer_id FROM reservation WHERE buyer_id = $1 AND state = 'open')`,
			`UPDATE charge SET state = 'expired' WHERE id IN (SELECT id FROM reservation WHERE buyer_id = $1 AND state = 'open')`,
			`UPDATE reservation SET state = 'stopped', ended_at = now() WHERE buyer_id = $1 AND state = 'open'`,
		} {
			if _, err := tx.Exec(ctx, sql, who.id); err != nil {
				return err
			}
		}
		return nil
	})
	return harness.MustPost[gift](who.Browser, "/api/user/trade/pay", uuid.NewString(), s.toPay(who))
}

// toBuy buys what somebody else offers, and accepts the texts that the shop asks for.
func (s *shop) toBuy(who *person) map[string]any {
	offer, accepted := s.offered(s.another()).ID, []string{}
	detail := harness.MustPost[struct {
		Consents []struct {
			Version string `json:"_id"`
		}
	}](who.Browser, "/api/user/trade/detail", "", map[string]any{"id": offer})
	for _, text := range detail.Consents {
		accepted = append(accepted, text.Version)
	}
	return map[string]any{"id": offer, "accepted": accepted, "lang": "th"}
}

// toPay is toBuy by QR.
func (s *shop) toPay(who *person) map[string]any {
	body := s.toBuy(who)
	body["method"] = "promptpay"
	return body
}

// linkTo is the link of a gift that somebody else has given.
func (s *shop) linkTo(*person) map[string]any {
	return map[string]any{"ref": s.gifted(s.another()).Ref, "digits": ""}
}

// another is a customer of whom no other test says anything.
func (s *shop) another() *person {
	if s.giver == nil {
		s.giver = s.customer("giver")
		s.FundWallet(s.giver.Browser, 50_000_00)
	}
	return s.giver
}

func (s *shop) newTemplate() map[string]any {
	return map[string]any{"org_id": s.ID, "name_th": "สปา", "name_en": "Spa", "note": ""}
}

// begunWith is a template as it is now, made from this organisation.
type begunWith struct {
	ID        string    `json:"id"`
	UpdatedAt time.Time `json:"updated_at"`
}

func (s *shop) orgTemplate() begunWith {
	if s.templateID == "" {
		s.templateID = harness.MustPost[begunWith](s.admin.Browser, "/api/admin/template/add", "", s.newTemplate()).ID
	}
	return harness.MustPost[begunWith](s.admin.Browser, "/api/admin/template/detail", "", map[string]any{"id": s.templateID})
}

// dismissed is a customer whom the platform suspends, and nothing else happens to.
func (s *shop) dismissed() *person {
	if s.gone == nil {
		s.gone = s.customer("gone")
	}
	return s.gone
}

// asker is a customer who asks for refunds, which takes many calls that are limited.
func (s *shop) asker() *person {
	if s.wisher == nil {
		s.wisher = s.customer("wisher")
		s.FundWallet(s.wisher.Browser, 50_000_00)
	}
	return s.wisher
}

// used is a use that has just been confirmed: of a voucher bought for it.
func (s *shop) used(who *person) (redemption uuid.UUID) {
	use := s.atDoor(who)
	s.Scan(s.counter.Browser, use)
	harness.MustPost[any](s.counter.Browser, "/api/staff/voucher/confirm", uuid.NewString(), map[string]any{"use_session_id": use.ID, "service_point_id": s.ServicePoint})
	s.in(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM redemption WHERE use_session_id = $1`, use.ID).Scan(&redemption)
	})
	return redemption
}

// discount is one that is given by codes, made in bulk.
func (s *shop) discount() map[string]any {
	return map[string]any{
		"name_th": s.named("ส่วนลด"), "name_en": "", "position": 1, "how": "codes", "class": "cart", "kind": "baht", "value": 100, "max_satang": nil, "payer": "organisation",
		"least_satang": 0, "least_items": 0, "first_only": false, "starts_at": nil, "ends_at": nil, "uses_each": nil, "stack": "all", "uses": nil, "budget_satang": nil, "code": "",
	}
}

// reduced is an order of ann's by a code of a discount.
func (s *shop) reduced() {
	s.T.Helper()
	for range 2 {
		id := s.add("discount", 5, s.discount())
		harness.MustPost[any](s.owner.Browser, "/api/owner/discountcode/make", uuid.NewString(), map[string]any{"id": id, "number": 1, "uses": 1})
		codes := harness.MustPost[struct{ Data []harness.Saved }](s.owner.Browser, "/api/owner/get/discountcode", "", map[string]any{"filter": map[string]any{"discount_id": id}}).Data
		require.Len(s.T, codes, 1)
		typed := []any{codes[0]["code"]}
		lines := []any{map[string]any{"package_id": s.Package, "quantity": 1}}
		quote := harness.MustPost[struct{ Hash string }](s.ann.Browser, "/api/user/order/quote", "", map[string]any{"lines": lines, "codes": typed})
		harness.MustPost[any](s.ann.Browser, "/api/user/order/confirm", uuid.NewString(),
			map[string]any{"lines": lines, "codes": typed, "hash": quote.Hash, "accepted": []any{}, "lang": "th"})
	}
}

// refundable is a voucher of somebody's, bought for it.
func (s *shop) refundable(who *person) map[string]any {
	order := s.Buy(who.Browser)
	return map[string]any{"id": order.ID.String(), "parts": []map[string]any{{"voucher_id": order.Vouchers[0].ID.String(), "items": 1}}}
}

// askable is a refund that somebody may ask for, of a voucher bought for it.
func (s *shop) askable(who *person) map[string]any {
	of := *s.Organisation
	of.Package = uuid.MustParse(s.spare["salepackage"])
	order := of.Buy(who.Browser)
	options := harness.MustPost[refund.Options](who.Browser, "/api/user/refund/options", "", map[string]any{"id": order.ID.String()})
	slices := options.Vouchers[0].Slices
	last := slices[len(slices)-1]
	return map[string]any{
		"id": order.ID.String(), "parts": []map[string]any{{"voucher_id": order.Vouchers[0].ID.String(), "items": last.Items}}, "method": refund.Wallet, "amount_satang": last.Amount,
	}
}

// requested is a refund that somebody asked for.
func (s *shop) requested(who *person) uuid.UUID {
	return harness.MustPost[refund.Request](who.Browser, "/api/user/refund/ask", uuid.NewString(), s.askable(who)).ID
}

// transfer is a refund of what somebody paid by PromptPay, which waits for people to transfer it.
func (s *shop) transfer() (id uuid.UUID) {
	require.NoError(s.T, s.ForgetLimits()) // it asks often while the payment is on its way
	who := s.asker()
	paid := s.Order(who.Browser)
	s.PayFor(paid.ID, map[string]any{})
	s.Eventually("the order is paid", func() bool { return len(who.OrderState(paid.ID).Vouchers) > 0 })
	options := harness.MustPost[refund.Options](who.Browser, "/api/user/refund/options", "", map[string]any{"id": paid.ID})
	voucher := options.Vouchers[0]
	made := harness.MustPost[refund.Made](who.Browser, "/api/user/refund/make", uuid.NewString(), map[string]any{
		"id": paid.ID, "parts": []map[string]any{{"voucher_id": voucher.Voucher, "items": voucher.Slices[0].Items}}, "amount_satang": voucher.Slices[0].Amount,
		"method": refund.Bank, "account": map[string]any{"bank": "004", "number": "1234567890", "name": s.canary},
	})
	s.in(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM remittance WHERE refund_id = $1`, made.ID).Scan(&id)
	})
	return id
}

// toTake is money that somebody asks for of his wallet, of which nothing that he asked for before waits.
func (s *shop) toTake(who *person) map[string]any {
	options := harness.MustPost[cashout.Options](who.Browser, "/api/user/cashout/options", "", nil)
	for _, q := range options.Requests {
		if q.State == "asked" {
			harness.MustPost[any](who.Browser, "/api/user/cashout/withdraw", "", map[string]any{"id": q.ID})
		}
	}
	return map[string]any{"amount_satang": 100, "account": map[string]any{"bank": "004", "number": "1234567890", "name": s.canary}}
}

// taking is what he asked for.
func (s *shop) taking(who *person) uuid.UUID {
	return harness.MustPost[cashout.Request](who.Browser, "/api/user/cashout/ask", uuid.NewString(), s.toTake(who)).ID
}

// cut is a refund that somebody asked for, of which he gave something away since.
func (s *shop) cut(who *person) uuid.UUID {
	body := s.askable(who)
	id := harness.MustPost[refund.Request](who.Browser, "/api/user/refund/ask", uuid.NewString(), body).ID
	given := s.toGive(who)
	given["voucher_id"] = body["parts"].([]map[string]any)[0]["voucher_id"]
	harness.MustPost[gift](who.Browser, "/api/user/transfer/create", uuid.NewString(), given)
	return id
}

// renewable is such a refund that its payer was asked to look at again, and what he may ask for now.
func (s *shop) renewable(who *person) (uuid.UUID, money.Amount) {
	id := s.cut(who)
	of := harness.MustPost[refund.RequestCase](s.owner.Browser, "/api/owner/refundrequest/again", "", map[string]any{"id": id})
	options := harness.MustPost[refund.Options](who.Browser, "/api/user/refund/options", "", map[string]any{"id": of.Record.Order})
	return id, options.Requests[0].Renewable
}

// asked is a refund that somebody of the back office asked for.
func (s *shop) asked(by *person) uuid.UUID {
	body := s.refundable(s.ann)
	body["method"], body["reason"], body["note"] = refund.Wallet, "asked", s.canary
	return harness.MustPost[struct {
		ID uuid.UUID `json:"approval_id"`
	}](by.Browser, "/api/owner/refund/ask", uuid.NewString(), body).ID
}

// subscribing asks for a report by e-mail, at an address that a code came to.
func (s *shop) subscribing(who *person) map[string]any {
	s.in(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM report_subscription`) // nobody may have more than ten
		return err
	})
	require.NoError(s.T, s.ForgetLimits())
	address := fresh("office") + "@mail.example"
	harness.MustPost[any](who.Browser, "/api/owner/report/subscription/code", "", map[string]any{"email": address})
	code := sixDigits.FindString(s.Mail.Messages(address)[0].Subject)
	return map[string]any{"report": "daily", "filter": map[string]any{}, "format": "csv", "every": "day", "hour": 7, "email": address, "code": code}
}

var sixDigits = regexp.MustCompile(`[0-9]{6}`)

// sentBack is a case of 1.00 that the organisation has earned meanwhile.
func (s *shop) sentBack() (id uuid.UUID, sum money.Amount) {
	of := s.owing()
	id = db.NewID()
	s.in(func(ctx context.Context, tx db.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO charge_case (id, charge_id, kind, amount_satang, opened_at, due_at) VALUES ($1, $2, 'refund', 100, $3, $3::timestamptz + interval '7 days')`, id, of, tx.Now); err != nil {
			return err
		}
		return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "adjustment", ID: id},
			ledger.Posting{Debit: ledger.SystemAccount(ledger.Adjustment), Credit: ledger.SystemAccount(ledger.Payable), Amount: 100}))
	})
	return id, 100
}

// owing is a payment of somebody's by which he owes 1.00.
func (s *shop) owing() uuid.UUID {
	if s.debtor == nil {
		s.debtor = s.customer("debtor")
	}
	id := s.debtor.StartTopUp(100_00).ID
	s.in(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE charge SET refunded_satang = 100, owed_satang = 100 WHERE id = $1`, id)
		return err
	})
	return id
}

// frozen is a voucher of ann's that the organisation froze.
func (s *shop) frozen() uuid.UUID {
	id := s.Buy(s.ann.Browser).Vouchers[0].ID
	harness.MustPost[any](s.owner.Browser, "/api/owner/voucher/freeze", "", map[string]any{"id": id, "reason": "sold twice"})
	return id
}

// manyToExtend is a selection of one voucher of ann's that is extended.
func (s *shop) manyToExtend() map[string]any {
	return map[string]any{
		"valid_until": s.Clock.Now().AddDate(1, 0, 0).Format(time.DateOnly), "reason": s.canary, "filter": map[string]any{"id": s.Buy(s.ann.Browser).Vouchers[0].ID},
	}
}

// closureOfSold names a closure whose days can be given back.
func (s *shop) closureOfSold() map[string]any {
	s.Buy(s.ann.Browser)
	return map[string]any{"id": s.rows["closure"]}
}

// cared is a change of many vouchers that somebody started.
func (s *shop) cared(by *person) uuid.UUID {
	return harness.MustPost[struct {
		ID uuid.UUID `json:"id"`
	}](by.Browser, "/api/owner/care/extend", uuid.NewString(), s.manyToExtend()).ID
}

// objected is an open objection of ann's.
func (s *shop) objected() (id uuid.UUID) {
	use := s.used(s.ann)
	harness.MustPost[any](s.ann.Browser, "/api/user/objection/make", uuid.NewString(), map[string]any{"id": use})
	s.in(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM objection WHERE redemption_id = $1`, use).Scan(&id)
	})
	return id
}

// atDoor is a use that is open: of a voucher bought for it.
func (s *shop) atDoor(who *person) harness.Use {
	bought := *who
	bought.voucher = s.Buy(who.Browser).Vouchers[0].ID.String()
	return s.askUse(&bought)
}

func (s *shop) settings() map[string]any {
	setting, in := harness.MustPost[harness.Saved](s.owner.Browser, "/api/owner/setting/get", "", nil), map[string]any{}
	for _, name := range []string{"name_th", "name_en", "tagline_th", "tagline_en", "background_color_primary", "background_color_secondary", "register_before_use"} {
		in[name] = setting[name]
	}
	in["logo_id"] = s.picture
	return in
}

// withReports adds the bodies of the reports: this day, and a row of the shop's own of each table by which one can be narrowed.
func withReports(all map[string]func(s *shop, who *person) map[string]any) map[string]func(s *shop, who *person) map[string]any {
	for _, r := range reports.All {
		all["/api/owner/report/"+r.Name()] = func(s *shop, _ *person) map[string]any {
			filter, own := map[string]any{}, map[string]string{"salepackage": s.Package.String(), "service_point": s.ServicePoint.String(), "agent": s.rows["agent"], "partner": s.rows["partner"]}
			if r.Describe().Days {
				filter["from"], filter["to"] = s.days()["from"], s.days()["to"]
			}
			for _, f := range r.Describe().Filters {
				if f.Table != "" {
					filter[f.Name] = own[f.Table]
				}
			}
			return map[string]any{"filter": filter}
		}
	}
	return all
}

func (s *shop) days() map[string]any {
	day := clock.Day(s.DB.Now()).Format(time.DateOnly)
	return map[string]any{"from": day, "to": day, "package_id": s.Package.String()}
}

// whereBodiesStand is for whoever adds an operation.
const whereBodiesStand = "if its description alone makes no valid call, say in tools/isolation/body_test.go what does: a field in given, or a whole body in bodies"

// given are the values of a declared table's calls. A field that is named after a table, as service_point_id is, names its row.
func (s *shop) given(o operation) map[string]any {
	table := o.table()
	given := map[string]any{}
	for name, row := range s.rows {
		given[name+"_id"] = row
	}
	maps.Copy(given, map[string]any{
		"id": s.rows[table], "ids": []any{s.spare[table]}, "status": json.Number("5"), "format": "csv",
		"code": "", "username": fresh("clerk"), "password": password, "emailaddress": "guest@mail.example", "role": "user", "permission_id": s.rows["permission"], "email": "",
		"valid_until": nil, "valid_days": 30, "sale_from": nil, "sale_to": nil, "picture_id": s.picture, "list_price_satang": 1500, "price_satang": 1000,
		"service_points": []any{s.rows["service_point"]}, "tags": []any{s.rows["tags"]}, "staff": []any{}, "modules": map[string]any{"tags": []any{"v"}},
		"items": 3, "parts": []any{map[string]any{"voucher_type_id": s.type_, "gift_voucher_id": nil, "quantity": 1}},
		"table_name": "voucher", "number": counter.Add(1)%90 + 1, "version": fresh("v"), "filter": map[string]any{"state": "all"}, "package_id": s.Package.String(),
		"liffId": s.Unique, "days": 30, "service_point_id": s.ServicePoint.String(),
	})
	return given
}

// example is a value that fits a schema: what is given by name, else the least that fits; what may be left out is.
func example(schema *openapi3.Schema, given map[string]any) any {
	switch {
	case len(schema.Enum) > 0:
		return schema.Enum[0]
	case schema.Type.Is("object"):
		object := map[string]any{}
		for name, property := range schema.Properties {
			if value, known := given[name]; known && (slices.Contains(schema.Required, name) || name == "password") {
				object[name] = value
			} else if slices.Contains(schema.Required, name) {
				object[name] = example(property.Value, given)
			}
		}
		return object
	case schema.Type.Is("array"):
		return []any{}
	case schema.Type.Includes("integer"), schema.Type.Includes("number"):
		if schema.Min != nil {
			return *schema.Min
		}
		return 0
	case schema.Type.Is("boolean"):
		return false
	case schema.Type.Includes("null"):
		return nil
	case schema.Format == "date": // another one each time, since it may be unique, and never today, which a closed day would close
		return time.Now().AddDate(0, 0, 2+int(counter.Add(1))).Format(time.DateOnly)
	case schema.Format == "date-time":
		return "2026-11-21T00:00:00Z"
	case strings.Contains(schema.Pattern, "#"):
		return "#1f5c4d"
	case schema.MinLength > 0:
		return "ทดสอบ"
	default:
		return ""
	}
}

// isID distinguishes what differs between organisations from what is only worded differently.
func isID(name, text string) bool {
	if _, err := uuid.Parse(text); err == nil {
		return true
	}
	switch name {
	case "code", "token", "LINETOKEN", "state", "hash", "unique", "liffId":
		return true
	}
	return false
}

// swap returns, for each place where two bodies name something of their own, the first body with the second's name there.
func swap(ours, theirs any, name string) (bodies []any) {
	switch a := ours.(type) {
	case map[string]any:
		b, _ := theirs.(map[string]any)
		for key, value := range a {
			for _, changed := range swap(value, b[key], key) {
				copied := maps.Clone(a)
				copied[key] = changed
				bodies = append(bodies, copied)
			}
		}
	case []any:
		b, _ := theirs.([]any)
		for i := range min(len(a), len(b)) {
			for _, changed := range swap(a[i], b[i], name) {
				copied := append([]any{}, a...)
				copied[i] = changed
				bodies = append(bodies, copied)
			}
		}
	case string:
		if b, same := theirs.(string); same && b != a && isID(name, b) {
			bodies = append(bodies, b)
		}
	}
	return bodies
}

var pushChannel = map[string]any{"channel_id": "1650009999", "channel_secret": "secret-of-account"}

// connectPush connects an official account.
func (s *shop) connectPush() {
	s.T.Helper()
	harness.MustPost[any](s.owner.Browser, "/api/owner/setting/push/save", "", pushChannel)
}

// linkLINE links a member of the staff to somebody at LINE.
func (s *shop) linkLINE(who *person) {
	s.T.Helper()
	subject := s.Control(s.LINE.URL, "/emulator/login", map[string]string{"person": "staff-" + who.id.String()[24:], "client_id": s.Channel})["user_id"]
	require.NoError(s.T, s.DB.InOrg(s.T.Context(), s.ID, func(tx db.Tx) error {
		_, err := tx.Exec(s.T.Context(), `UPDATE staff SET line_sub = $2 WHERE id = $1`, who.id, subject)
		return err
	}))
}
