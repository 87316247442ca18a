package omise

import (
	"net/http"
	"strings"
	"time"

	"welovevoucher/platform/money"
	"welovevoucher/tools/emulator"
)

// The objects as Omise writes them, API version 2019-05-29.

// live says whether an account's keys are of the mode that a gateway calls live. No money moves here all the same.
func live(publicKey string) bool { return !strings.HasPrefix(publicKey, "pkey_test_") }

func (e *Emulator) readAccount(w http.ResponseWriter, _ *http.Request, a Account) {
	emulator.Answer(w, http.StatusOK, map[string]any{
		"object": "account", "id": "account_test_" + strings.TrimPrefix(a.PublicKey, "pkey_test_"), "livemode": live(a.PublicKey), "location": "/account",
		"email": "someone@example.com", "currency": "THB", "country": "TH", "created_at": time.Unix(0, 0).UTC().Format(time.RFC3339),
	})
}

func (s *source) wire(image map[string]any) map[string]any {
	out := map[string]any{
		"object": "source", "id": s.ID, "livemode": live(s.Account), "location": "/sources/" + s.ID, "type": s.Type, "flow": "offline",
		"amount": s.Amount, "currency": s.Currency, "charge_status": "unknown", "scannable_code": nil, "references": nil, "zero_interest_installments": nil,
	}
	if image != nil {
		out["scannable_code"] = map[string]any{"object": "barcode", "type": "qr", "image": image}
		out["charge_status"] = "pending"
	}
	return out
}

// shownRefunds is how many of its refunds a charge shows, the first ones; the others are listed by themselves.
const shownRefunds = 20

func (c *charge) wire(base string) map[string]any {
	fee, vat := c.fees()
	refunds := c.wireRefunds()
	out := map[string]any{
		"object": "charge", "id": c.ID, "livemode": live(c.Account), "location": "/charges/" + c.ID,
		"amount": c.Amount, "currency": c.Currency, "funding_amount": c.Amount, "funding_currency": c.Currency,
		"net": c.Amount - fee - vat, "fee": fee, "fee_vat": vat, "interest": 0, "interest_vat": 0, "refunded_amount": c.refunded(),
		"status": c.Status, "capture": true, "capturable": false, "reversible": false, "voided": false, "disputable": c.Card != nil,
		"authorized": c.Status == "successful", "paid": c.Status == "successful", "expired": c.Status == "expired", "reversed": false,
		"refundable":  c.Card != nil && c.Status == "successful" && c.refunded() < c.Amount,
		"description": null(c.Description), "metadata": c.Metadata, "ip": nil, "customer": nil, "link": nil, "schedule": nil, "dispute": nil, "transaction": nil,
		"return_uri": null(c.ReturnURI), "authorize_uri": nil, "source": nil, "card": nil,
		"failure_code": null(c.Failure), "failure_message": null(c.Failure),
		"refunds":    map[string]any{"object": "list", "offset": 0, "limit": shownRefunds, "total": len(refunds), "data": refunds[:min(shownRefunds, len(refunds))], "location": "/charges/" + c.ID + "/refunds"},
		"created_at": c.Created.Format(time.RFC3339), "expires_at": c.Expires.Format(time.RFC3339), "paid_at": nil, "expired_at": nil,
	}
	if c.Dispute != nil {
		out["dispute"] = c.Dispute.wire(c)
	}
	if c.Metadata == nil {
		out["metadata"] = map[string]any{}
	}
	if c.Source != nil {
		file := map[string]any{
			"object": "document", "id": c.Document, "livemode": false, "deleted": false, "filename": "qrcode.svg", "kind": "qr",
			"location":     "/charges/" + c.ID + "/documents/" + c.Document,
			"download_uri": base + "/charges/" + c.ID + "/documents/" + c.Document + "/downloads/" + c.Download,
		}
		out["source"] = c.Source.wire(file)
	}
	if c.Card != nil {
		out["card"] = c.Card.wire()
	}
	if c.Payment != "" {
		out["authorize_uri"] = base + "/payments/" + c.Payment + "/authorize"
	}
	if c.Status == "successful" {
		out["paid_at"], out["transaction"] = c.Paid.Format(time.RFC3339), "trxn"+c.ID[4:]
	}
	if c.Status == "expired" {
		out["expired_at"] = c.Expires.Format(time.RFC3339)
	}
	return out
}

// fees are 1.65 % for PromptPay and 3.65 % for cards, and 7 % VAT on that.
func (c *charge) fees() (fee, vat int64) {
	rate := int64(1_65)
	if c.Card != nil {
		rate = 3_65
	}
	f := money.Amount(c.Amount).Percent(rate)
	return int64(f), int64(f.Percent(7_00))
}

func (c *charge) wireRefunds() []map[string]any {
	all := []map[string]any{}
	for _, r := range c.Refunds {
		all = append(all, r.wire(c))
	}
	return all
}

func (r refund) wire(c *charge) map[string]any {
	return map[string]any{
		"object": "refund", "id": r.ID, "livemode": false, "location": "/charges/" + c.ID + "/refunds/" + r.ID,
		"amount": r.Amount, "currency": c.Currency, "funding_amount": r.Amount, "funding_currency": c.Currency, "charge": c.ID,
		"status": "closed", "voided": false, "metadata": r.Metadata, "transaction": "trxn" + r.ID[4:], "created_at": r.Created.Format(time.RFC3339),
	}
}

func (c *card) wire() map[string]any {
	return map[string]any{
		"object": "card", "id": c.ID, "livemode": false, "location": nil, "brand": c.Brand, "last_digits": c.Last, "name": c.Name,
		"expiration_month": c.Month, "expiration_year": c.Year, "country": "th", "financing": "credit", "security_code_check": true, "deleted": false, "fingerprint": c.Print,
	}
}

func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}
