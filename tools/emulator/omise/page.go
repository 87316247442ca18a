package omise

import (
	"embed"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"welovevoucher/platform/money"
)

//go:embed page/*.html
var pages embed.FS

var page = template.Must(template.New("").Funcs(template.FuncMap{
	"baht": func(satang int64) string { return money.Amount(satang).String() },
}).ParseFS(pages, "page/*.html"))

var words = map[string]map[string]string{
	"th": {
		"lang": "th", "secure": "ยืนยันการชำระด้วยบัตร", "ask": "ธนาคารขอให้คุณยืนยันรายการนี้", "card": "บัตร", "amount": "จำนวน", "for": "รายการ",
		"pass": "ยืนยันการชำระ", "fail": "ไม่ยืนยัน", "note": "ระบบชำระเงินจำลองสำหรับการพัฒนา ไม่มีการตัดเงินจริง",
		"charges": "รายการชำระเงิน", "none": "ยังไม่มีรายการ", "pay": "ชำระ", "decline": "ไม่ผ่าน", "expire": "หมดเวลา", "late": "ชำระช้า", "refund": "คืนเงิน", "dispute": "ธนาคารเรียกคืน", "win": "ร้านชนะ", "lose": "ร้านแพ้", "gone": "ไม่พบรายการนี้ หรือรายการจบไปแล้ว",
		"pending": "รอชำระ", "successful": "ชำระแล้ว", "failed": "ไม่สำเร็จ", "expired": "หมดเวลาแล้ว", "baht": "บาท",
	},
	"en": {
		"lang": "en", "secure": "Confirm your card payment", "ask": "Your bank asks you to confirm this payment", "card": "Card", "amount": "Amount", "for": "For",
		"pass": "Confirm payment", "fail": "Don't confirm", "note": "An imitation of a payment gateway for development. No money moves.",
		"charges": "Charges", "none": "No charges yet", "pay": "Pay", "decline": "Fail", "expire": "Expire", "late": "Pay late", "refund": "Refund", "dispute": "Dispute", "win": "Win", "lose": "Lose", "gone": "This payment is not known, or is over",
		"pending": "Waiting", "successful": "Paid", "failed": "Failed", "expired": "Expired", "baht": "THB",
	},
}

func speak(r *http.Request) map[string]string {
	if strings.HasPrefix(r.Header.Get("Accept-Language"), "en") {
		return words["en"]
	}
	return words["th"]
}

func render(w http.ResponseWriter, status int, name string, data any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = page.ExecuteTemplate(w, name, data) // the templates are parsed at start; what can fail here is the browser hanging up
}

// pageCharges lets a person play the payer: the last charges, each with what can be done to it.
func (e *Emulator) pageCharges(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var rows []charge
	for _, c := range slices.Backward(e.kept.Charges) {
		if rows = append(rows, *c); len(rows) == 50 {
			break
		}
	}
	render(w, http.StatusOK, "charges.html", map[string]any{"T": speak(r), "Charges": rows})
}

func (e *Emulator) waiting(payment string) (*charge, bool) {
	i := slices.IndexFunc(e.kept.Charges, func(c *charge) bool { return c.Payment == payment && c.Status == "pending" })
	if i < 0 {
		return nil, false
	}
	return e.kept.Charges[i], true
}

// pageAuthorize is the bank's 3-D Secure page.
func (e *Emulator) pageAuthorize(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	c, open := e.waiting(r.PathValue("payment"))
	if !open {
		render(w, http.StatusNotFound, "gone.html", map[string]any{"T": speak(r)})
		return
	}
	render(w, http.StatusOK, "authorize.html", map[string]any{"T": speak(r), "Charge": c})
}

func (e *Emulator) authorize(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	c, open := e.waiting(r.PathValue("payment"))
	if !open {
		render(w, http.StatusNotFound, "gone.html", map[string]any{"T": speak(r)})
		return
	}
	if r.FormValue("result") == "pass" {
		c.settle(c.Card.outcome())
	} else {
		c.settle("failed_fraud_check")
	}
	if err := e.keep(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	e.notify(r, c, "charge.complete", delivery{times: 1})
	http.Redirect(w, r, c.ReturnURI, http.StatusSeeOther)
}
