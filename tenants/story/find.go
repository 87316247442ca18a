package story

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/customer"
)

// FindInput is a code, a number or a mobile number, as people write it.
type FindInput struct {
	Text string `json:"text" minLength:"4" maxLength:"40" doc:"In any case, also with spaces and hyphens"`
}

// Found is a record that has exactly the code, the number or the mobile number.
type Found struct {
	Table  string    `json:"record_table" enum:"orders,voucher,customer,boardtransaction,depositqrtransaction"`
	ID     uuid.UUID `json:"record_id"`
	Name   string    `json:"record_name" doc:"An order's or an offer's number, a voucher's code, a payment's reference; empty for a person"`
	NameTH string    `json:"name_th" doc:"Of the voucher"`
	NameEN string    `json:"name_en"`
	Person string    `json:"person" doc:"The customer himself, who holds the voucher, who bought or paid, or who sold the offer"`
}

// An offer has the number of its receipt. A mobile number may be several customers'.
const find = `SELECT 'voucher', v.id, v.code, v.name_th, v.name_en, c.display_name FROM voucher v JOIN customer c ON c.id = v.holder_id WHERE v.code = $1 AND $3
	UNION ALL SELECT 'orders', o.id, o.number, '', '', c.display_name FROM orders o JOIN customer c ON c.id = o.customer_id WHERE o.number = $1 AND $4
	UNION ALL SELECT 'boardtransaction', s.offer_id, s.number, '', '', c.display_name FROM resale s JOIN offer f ON f.id = s.offer_id JOIN customer c ON c.id = f.seller_id WHERE s.number = $1 AND $5
	UNION ALL SELECT 'depositqrtransaction', h.id, h.reference, '', '', c.display_name FROM charge h JOIN customer c ON c.id = h.customer_id WHERE h.reference = $1 AND $6
	UNION ALL SELECT 'customer', c.id, '', '', '', c.display_name FROM customer c WHERE c.mobile_index = $2 AND $7 LIMIT 20`

// Find returns the records that have exactly a code, a number or a mobile number, of those that the person who asks may see.
func (s *Service) Find(ctx context.Context, org uuid.UUID, in FindInput, sees Visible) (found []Found, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		index, err := customer.MobileIndex(s.box, tx.Key, in.Text)
		if err != nil {
			return err
		}
		found, err = collect[Found](ctx, tx, find, plain(in.Text), index, sees.Vouchers, sees.Orders, sees.Offers, sees.Payments, sees.Customers)
		if err != nil {
			return fmt.Errorf("find what somebody typed: %w", err)
		}
		return nil
	})
	return found, err
}

// plain returns the letters and digits of a text, as codes and numbers have them.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, text)
}
