package omise

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"welovevoucher/platform/money"
	"welovevoucher/tools/emulator"
	"welovevoucher/tools/emulator/qr"
)

type source struct {
	ID       string `json:"id"`
	Account  string `json:"account"` // public key
	Type     string `json:"type"`
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
}

type charge struct {
	ID          string         `json:"id"`
	Account     string         `json:"account"` // public key
	Amount      int64          `json:"amount"`
	Currency    string         `json:"currency"`
	Description string         `json:"description"`
	Status      string         `json:"status"` // pending, successful, failed, expired
	Metadata    map[string]any `json:"metadata"`
	Source      *source        `json:"source,omitempty"`
	Card        *card          `json:"card,omitempty"`
	ReturnURI   string         `json:"return_uri,omitempty"`
	Payment     string         `json:"payment,omitempty"`  // id of the 3-D Secure page
	Document    string         `json:"document,omitempty"` // of the QR picture
	Download    string         `json:"download,omitempty"` // its unguessable part
	Webhooks    []string       `json:"webhooks,omitempty"`
	Failure     string         `json:"failure,omitempty"`
	Created     time.Time      `json:"created"`
	Expires     time.Time      `json:"expires"`
	Paid        time.Time      `json:"paid"`
	Refunds     []refund       `json:"refunds,omitempty"`
	Dispute     *dispute       `json:"dispute,omitempty"`
}

type refund struct {
	ID       string         `json:"id"`
	Amount   int64          `json:"amount"`
	Metadata map[string]any `json:"metadata"`
	Created  time.Time      `json:"created"`
}

// Limits of a PromptPay payment in satang, and how long one can be paid when the charge does not say.
const (
	minQR = 1_00
	maxQR = 150_000_00
	life  = time.Hour
)

func (e *Emulator) createSource(w http.ResponseWriter, r *http.Request, a Account) {
	var in struct {
		Type     string         `json:"type"`
		Amount   number         `json:"amount"`
		Currency string         `json:"currency"`
		Billing  map[string]any `json:"billing"`
		Shipping map[string]any `json:"shipping"`
	}
	if !parameters(w, r, &in) {
		return
	}
	switch {
	case in.Type != "promptpay":
		refuse(w, http.StatusBadRequest, "invalid_source", "type "+in.Type+" is not supported")
		return
	case !strings.EqualFold(in.Currency, "thb") || in.Amount < minQR || in.Amount > maxQR:
		refuse(w, http.StatusBadRequest, "invalid_amount", "amount must be from 1.00 to 150,000.00 THB")
		return
	case in.Billing != nil || in.Shipping != nil: // whether the live API minds is not known, so this one does
		refuse(w, http.StatusBadRequest, "bad_request", "billing and shipping are not for promptpay")
		return
	}
	s := &source{ID: newID("src"), Account: a.PublicKey, Type: in.Type, Amount: int64(in.Amount), Currency: "THB"}
	e.kept.Sources[s.ID] = s
	emulator.Answer(w, http.StatusOK, s.wire(nil))
}

func (e *Emulator) readSource(w http.ResponseWriter, r *http.Request, a Account) {
	s, known := e.kept.Sources[r.PathValue("id")]
	if !known || s.Account != a.PublicKey {
		missing(w, "source", r.PathValue("id"))
		return
	}
	emulator.Answer(w, http.StatusOK, s.wire(nil))
}

func (e *Emulator) createCharge(w http.ResponseWriter, r *http.Request, a Account) {
	var in struct {
		Amount      number         `json:"amount"`
		Currency    string         `json:"currency"`
		Description string         `json:"description"`
		Source      string         `json:"source"`
		Card        string         `json:"card"`
		ReturnURI   string         `json:"return_uri"`
		Metadata    map[string]any `json:"metadata"`
		ExpiresAt   time.Time      `json:"expires_at"`
		Webhooks    []string       `json:"webhook_endpoints"`
		PlatformFee map[string]any `json:"platform_fee"`
	}
	if !parameters(w, r, &in) {
		return
	}
	now := time.Now().UTC()
	c := &charge{
		ID: newID("chrg"), Account: a.PublicKey, Amount: int64(in.Amount), Currency: "THB", Description: in.Description, Status: "pending",
		Metadata: in.Metadata, ReturnURI: in.ReturnURI, Webhooks: in.Webhooks, Created: now, Expires: in.ExpiresAt.UTC(),
	}
	if in.ExpiresAt.IsZero() {
		c.Expires = now.Add(life)
	}
	switch {
	case !strings.EqualFold(in.Currency, "thb") || in.Amount <= 0:
		refuse(w, http.StatusBadRequest, "invalid_amount", "amount must be positive, and in THB")
		return
	case !c.Expires.After(now):
		refuse(w, http.StatusBadRequest, "invalid_charge", "expires_at must be in the future")
		return
	case in.PlatformFee != nil && len(in.PlatformFee) == 0:
		refuse(w, http.StatusBadRequest, "bad_request", "platform_fee is empty")
		return
	case slices.ContainsFunc(in.Webhooks, noAddress):
		refuse(w, http.StatusBadRequest, "bad_request", "webhook_endpoints must be addresses")
		return
	case (in.Source == "") == (in.Card == ""):
		refuse(w, http.StatusBadRequest, "invalid_charge", "either a source or a card token is needed")
		return
	}

	if in.Source != "" {
		s, known := e.kept.Sources[in.Source]
		if !known || s.Account != a.PublicKey {
			missing(w, "source", in.Source)
			return
		}
		if s.Amount != c.Amount {
			refuse(w, http.StatusBadRequest, "invalid_charge", "amount differs from the source's")
			return
		}
		delete(e.kept.Sources, in.Source) // a source is charged once
		c.Source, c.Document, c.Download = s, newID("docu"), newID("dl")
	} else {
		t, known := e.kept.Tokens[in.Card]
		if !known || t.Account != a.PublicKey {
			missing(w, "token", in.Card)
			return
		}
		if t.Used {
			refuse(w, http.StatusBadRequest, "used_token", "token was already used")
			return
		}
		t.Used = true
		c.Card = &t.Card
		if c.ReturnURI != "" {
			c.Payment = newID("paym")
		} else {
			c.settle(t.Card.outcome())
		}
	}
	e.kept.Charges = append(e.kept.Charges, c)
	if err := e.keep(); err != nil {
		refuse(w, http.StatusInternalServerError, "internal_error", err.Error())
		return
	}
	e.expireLater(c)
	e.notify(r, c, "charge.create", delivery{times: 1})
	if c.Status != "pending" {
		e.notify(r, c, "charge.complete", delivery{times: 1})
	}
	emulator.Answer(w, http.StatusOK, c.wire(e.base(r)))
}

// noAddress refuses what nothing can be posted to. The real API wants https as well; here everything is on one machine.
func noAddress(webhook string) bool {
	u, err := url.Parse(webhook)
	return err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == ""
}

// settle ends a pending charge: with a failure code, or paid when that is empty.
func (c *charge) settle(failure string) {
	if c.Failure = failure; failure != "" {
		c.Status = "failed"
		return
	}
	c.Status, c.Paid = "successful", time.Now().UTC()
}

func (e *Emulator) expireLater(c *charge) {
	if c.Status != "pending" {
		return
	}
	time.AfterFunc(time.Until(c.Expires), func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.expire(c)
	})
}

func (e *Emulator) expire(c *charge) {
	if c.Status != "pending" {
		return
	}
	c.Status, c.Failure, c.Expires = "expired", "payment_expired", time.Now().UTC()
	e.notify(nil, c, "charge.expire", delivery{times: 1})
}

// find looks for a charge of the account; an empty account sees all.
func (e *Emulator) find(a Account, id string) (*charge, bool) {
	i := slices.IndexFunc(e.kept.Charges, func(c *charge) bool { return c.ID == id })
	if i < 0 || a.PublicKey != "" && e.kept.Charges[i].Account != a.PublicKey {
		return nil, false
	}
	return e.kept.Charges[i], true
}

func (e *Emulator) readCharge(w http.ResponseWriter, r *http.Request, a Account) {
	c, known := e.find(a, r.PathValue("id"))
	if !known {
		missing(w, "charge", r.PathValue("id"))
		return
	}
	emulator.Answer(w, http.StatusOK, c.wire(e.base(r)))
}

func (e *Emulator) listCharges(w http.ResponseWriter, r *http.Request, a Account) {
	from, to := between(r)
	all := []map[string]any{}
	for _, c := range e.kept.Charges {
		if c.Account == a.PublicKey && !c.Created.Before(from) && !c.Created.After(to) {
			all = append(all, c.wire(e.base(r)))
		}
	}
	if r.URL.Query().Get("order") == "reverse_chronological" {
		slices.Reverse(all)
	}
	emulator.Answer(w, http.StatusOK, list(r, all))
}

// between reads the two ends of a list, which are all of the past where nothing is asked.
func between(r *http.Request) (from, to time.Time) {
	from, err := time.Parse(time.RFC3339, r.URL.Query().Get("from"))
	if err != nil {
		from = time.Time{}
	}
	to, err = time.Parse(time.RFC3339, r.URL.Query().Get("to"))
	if err != nil {
		to = time.Now()
	}
	return from, to
}

func (e *Emulator) expireCharge(w http.ResponseWriter, r *http.Request, a Account) {
	c, known := e.find(a, r.PathValue("id"))
	if !known {
		missing(w, "charge", r.PathValue("id"))
		return
	}
	if c.Status != "pending" {
		refuse(w, http.StatusBadRequest, "invalid_charge", "charge is not pending")
		return
	}
	e.expire(c)
	emulator.Answer(w, http.StatusOK, c.wire(e.base(r)))
}

func (e *Emulator) createRefund(w http.ResponseWriter, r *http.Request, a Account) {
	var in struct {
		Amount   number         `json:"amount"`
		Metadata map[string]any `json:"metadata"`
	}
	if !parameters(w, r, &in) {
		return
	}
	c, known := e.find(a, r.PathValue("id"))
	if !known {
		missing(w, "charge", r.PathValue("id"))
		return
	}
	if c.Card == nil { // PromptPay's money goes back by hand
		refuse(w, http.StatusBadRequest, "invalid_charge", "charge can't be refunded")
		return
	}
	if c.Status != "successful" || in.Amount <= 0 || c.refunded()+int64(in.Amount) > c.Amount || c.Dispute != nil && c.Dispute.Status != "won" {
		refuse(w, http.StatusBadRequest, "failed_refund", "charge can't be refunded by this amount")
		return
	}
	made := refund{ID: newID("rfnd"), Amount: int64(in.Amount), Metadata: in.Metadata, Created: time.Now().UTC()}
	c.Refunds = append(c.Refunds, made)
	if err := e.keep(); err != nil {
		refuse(w, http.StatusInternalServerError, "internal_error", err.Error())
		return
	}
	e.notify(r, c, "refund.create", delivery{times: 1})
	emulator.Answer(w, http.StatusOK, made.wire(c))
}

func (e *Emulator) listRefunds(w http.ResponseWriter, r *http.Request, a Account) {
	c, known := e.find(a, r.PathValue("id"))
	if !known {
		missing(w, "charge", r.PathValue("id"))
		return
	}
	emulator.Answer(w, http.StatusOK, list(r, c.wireRefunds()))
}

// qrImage is public, as Omise's is: the address itself is the secret.
func (e *Emulator) qrImage(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	c, known := e.find(Account{}, r.PathValue("id"))
	e.mu.Unlock()
	if !known || c.Download == "" || c.Document != r.PathValue("document") || c.Download != r.PathValue("key") {
		http.NotFound(w, r)
		return
	}
	picture, err := c.picture()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	if _, err := w.Write([]byte(picture)); err != nil {
		return // the browser hung up
	}
}

// biller is nobody's: a made-up tax id and suffix.
const biller = "010556100000100"

func (c *charge) picture() (string, error) {
	_, reference, _ := strings.Cut(c.ID, "_test_")
	payload, err := qr.Bill(biller, strings.ToUpper(reference), "", money.Amount(c.Amount))
	if err != nil {
		return "", err
	}
	return qr.SVG(payload)
}

func (c *charge) refunded() (sum int64) {
	for _, r := range c.Refunds {
		sum += r.Amount
	}
	return sum
}
