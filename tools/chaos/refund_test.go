package chaos

import (
	"encoding/json"

	"github.com/google/uuid"

	"welovevoucher/tools/harness"
)

// beRefunded has the shop refund what he bought and has not used.
func (p *person) beRefunded(step stepper) error {
	order, err := p.buyOnce(inPeace, "bought", p.buys, crowdPrice)
	if err != nil || order.ID == uuid.Nil {
		return err
	}
	asked := unusedOf(order)
	asked["reason"], asked["note"], asked["method"] = "asked", "", "wallet"
	err = step("refunded", order.ID, func() error {
		refused, err := p.ask(p.of.Owner, "/api/owner/refund/make", body(asked), &json.RawMessage{})
		return unexpected("a refund", refused, err)
	})
	p.money += crowdPrice
	p.comesBack(order.ID)
	return err
}

// askForRefund has him ask the shop to refund what he bought, and the shop grant it.
func (p *person) askForRefund(step stepper) error {
	order, err := p.buyOnce(inPeace, "bought", p.buys, crowdPrice)
	if err != nil || order.ID == uuid.Nil {
		return err
	}
	asked := unusedOf(order)
	asked["amount_satang"], asked["method"] = crowdPrice, "wallet"
	var request struct{ ID uuid.UUID }
	err = step("asked for a refund", order.ID, func() error {
		refused, err := p.ask(p.phone, "/api/user/refund/ask", body(asked), &request)
		return unexpected("to ask for a refund", refused, err)
	})
	if err != nil {
		return err
	}
	err = step("granted", request.ID, func() error {
		refused, err := p.ask(p.of.Owner, "/api/owner/refundrequest/grant", body(map[string]any{"id": request.ID}), &json.RawMessage{})
		return unexpected("to grant a refund", refused, err)
	})
	p.money += crowdPrice
	p.comesBack(order.ID)
	return err
}

// unusedOf names all items of an order's vouchers.
func unusedOf(order harness.Order) map[string]any {
	parts := []map[string]any{}
	for _, v := range order.Vouchers {
		parts = append(parts, map[string]any{"voucher_id": v.ID, "items": itemsOfVoucher})
	}
	return map[string]any{"id": order.ID, "parts": parts}
}
