package omise

import (
	"slices"
	"time"
)

// dispute is a payer's bank that wants a payment back.
type dispute struct {
	ID      string    `json:"id"`
	Amount  int64     `json:"amount"`
	Status  string    `json:"status"` // open, won, lost
	Created time.Time `json:"created"`
}

func (d *dispute) wire(c *charge) map[string]any {
	return map[string]any{
		"object": "dispute", "id": d.ID, "livemode": false, "location": "/disputes/" + d.ID, "amount": d.Amount, "currency": c.Currency,
		"funding_amount": d.Amount, "funding_currency": c.Currency, "status": d.Status, "charge": c.ID, "reason_code": "goods_or_services_not_provided",
		"reason_message": "Services not provided or Merchandise not received", "message": nil, "metadata": map[string]any{}, "transactions": []any{},
		"created_at": d.Created.Format(time.RFC3339),
	}
}

// sendBack makes a refund or a dispute happen to a paid charge, and returns the event of it; "" when the charge
// can't. Nothing keeps a refund from being larger than the charge: that is what some tests are about.
func (c *charge) sendBack(action string, satang int64) (event string) {
	now := time.Now().UTC()
	switch {
	case c.Status != "successful":
		return ""
	case action == "refund":
		if satang == 0 {
			satang = c.Amount - c.refunded()
		}
		c.Refunds = append(slices.Clone(c.Refunds), refund{ID: newID("rfnd"), Amount: satang, Created: now})
		return "refund.create"
	case action == "dispute" && c.Dispute == nil:
		if satang == 0 {
			satang = c.Amount
		}
		c.Dispute = &dispute{ID: newID("dspt"), Amount: satang, Status: "open", Created: now}
		return "dispute.create"
	case (action == "win" || action == "lose") && c.Dispute != nil && c.Dispute.Status == "open":
		over := *c.Dispute
		over.Status = map[string]string{"win": "won", "lose": "lost"}[action]
		c.Dispute = &over
		return "dispute.close"
	}
	return ""
}
