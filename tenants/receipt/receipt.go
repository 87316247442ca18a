// Package receipt reads the receipts of what a customer paid and of what came back to him: on a screen, by e-mail, by a link that opens
// once. A receipt has no number of its own: it has that of its order, top-up, refund or purchase on the board. It reads across the nouns
// and changes nothing.
package receipt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/money"
	"welovevoucher/platform/onetime"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/content"
	"welovevoucher/tenants/org"
)

// Kind is what a receipt is of.
type Kind string

// The kinds. The id of a Resale is that of the offer that was bought.
const (
	Order  Kind = "order"
	TopUp  Kind = "topup"
	Refund Kind = "refund"
	Resale Kind = "resale"
)

// Of names a receipt.
type Of struct {
	Kind Kind      `json:"kind" enum:"order,topup,refund,resale"`
	ID   uuid.UUID `json:"id" doc:"Of the order, top-up, refund or offer"`
}

// Receipt says what was paid, or what came back.
type Receipt struct {
	Of
	Number     string       `json:"number"`
	At         time.Time    `json:"at" doc:"UTC"`
	Seller     Seller       `json:"seller"`
	Customer   string       `json:"customer" doc:"His name"`
	Lines      []Line       `json:"lines" doc:"None of a top-up"`
	Reductions []Reduction  `json:"reductions" doc:"What is taken off the lines: discounts; of a refund what the organisation kept"`
	Total      money.Amount `json:"total_satang" doc:"What was paid, or came back"`
	Words      string       `json:"total_words_th" doc:"The total in Thai words"`
	Method     string       `json:"method" enum:"wallet,promptpay,card,bank" doc:"How it was paid; where a refund went, bank: by a transfer of the shop's"`
	Reference  string       `json:"reference" doc:"Of the payment at the gateway, or the number of the order that was refunded; may be empty"`
	Refunded   string       `json:"refunded" enum:",some,all" doc:"What of an order was taken back since"`
	Mail       bool         `json:"mail" doc:"Whether it can be sent by e-mail"`
}

// Seller is the organisation, as far as it has said who it is before the law.
type Seller struct {
	NameTH    string `json:"name_th" doc:"Its legal name, or else its brand"`
	NameEN    string `json:"name_en"`
	AddressTH string `json:"address_th"`
	AddressEN string `json:"address_en"`
	TaxID     string `json:"tax_id" doc:"13 digits, or empty"`
	Branch    string `json:"branch" doc:"5 digits, 00000 for the head office, or empty"`
	Phone     string `json:"phone"`
}

// Line is a package of an order, or the vouchers of a name that were refunded or bought on the board.
type Line struct {
	NameTH   string       `json:"name_th"`
	NameEN   string       `json:"name_en"`
	Quantity int64        `json:"quantity"`
	Unit     money.Amount `json:"unit_satang" doc:"0 where the pieces of a line have no price of their own"`
	Amount   money.Amount `json:"amount_satang"`
}

// Reduction is an amount with its name.
type Reduction struct {
	NameTH string       `json:"name_th"`
	NameEN string       `json:"name_en"`
	Amount money.Amount `json:"amount_satang"`
}

// Service reads receipts and sends them.
type Service struct {
	db     *db.DB
	orgs   *org.Directory
	links  *onetime.Links
	sender mail.Sender
	box    *secret.Box
}

// New returns the service.
func New(d *db.DB, orgs *org.Directory, links *onetime.Links, sender mail.Sender, box *secret.Box) *Service {
	return &Service{db: d, orgs: orgs, links: links, sender: sender, box: box}
}

// $2 is whose receipt it must be, or NULL for the back office. Nobody has those of who has deleted his account.
const (
	named   = `coalesce(nullif(btrim(c.first_name || ' ' || c.last_name), ''), c.display_name)`
	ofOrder = `SELECT o.number, o.paid_at, ` + named + `, o.total_satang, coalesce(h.method, 'wallet'), coalesce(h.reference, ''),
			CASE o.state WHEN 'part_refunded' THEN 'some' WHEN 'refunded' THEN 'all' ELSE '' END
		FROM orders o JOIN customer c ON c.id = o.customer_id LEFT JOIN charge h ON h.id = o.id
		WHERE o.id = $1 AND o.paid_at IS NOT NULL AND ($2::uuid IS NULL OR o.customer_id = $2 AND c.erased_at IS NULL)`
	// What came into the wallet: less than the charge where some went back before, and the money of an order that came too late for it, too.
	ofTopUp = `SELECT h.reference, t.at, ` + named + `, (SELECT sum(e.amount_satang)::bigint FROM entry e JOIN account a ON a.id = e.credit_id AND a.kind = 'wallet' WHERE e.transfer_id = t.id), h.method, '', ''
		FROM transfer t JOIN charge h ON h.id = t.cause_id JOIN customer c ON c.id = h.customer_id
		WHERE t.kind = 'topup' AND t.cause_id = $1 AND ($2::uuid IS NULL OR h.customer_id = $2 AND c.erased_at IS NULL)`
	// The number of the order is for who paid it: who was given a voucher does not see that.
	ofRefund = `SELECT f.number, f.made_at, ` + named + `, f.amount_satang, coalesce((SELECT CASE WHEN m.account_id IS NULL THEN 'card' ELSE 'bank' END FROM remittance m WHERE m.refund_id = f.id AND m.state <> 'failed'), 'wallet'), CASE WHEN $2::uuid IS NULL OR o.customer_id = $2 THEN o.number ELSE '' END, ''
		FROM refund f JOIN orders o ON o.id = f.order_id JOIN customer c ON c.id = f.customer_id
		WHERE f.id = $1 AND ($2::uuid IS NULL OR f.customer_id = $2 AND c.erased_at IS NULL)`
	ofResale = `SELECT s.number, s.sold_at, ` + named + `, f.price_satang, coalesce(h.method, 'wallet'), coalesce(h.reference, ''), ''
		FROM resale s JOIN offer f ON f.id = s.offer_id JOIN customer c ON c.id = s.buyer_id LEFT JOIN charge h ON h.id = s.id
		WHERE s.offer_id = $1 AND ($2::uuid IS NULL OR s.buyer_id = $2 AND c.erased_at IS NULL)`

	linesOfOrder = `SELECT l.name_th, l.name_en, l.quantity, l.unit_satang, l.unit_satang * l.quantity FROM order_line l WHERE l.order_id = $1 ORDER BY l.position`
	// What a refund paid for a voucher, before what the organisation kept of it.
	linesOfRefund = `SELECT v.name_th, v.name_en, count(*), 0::bigint, sum(i.share_satang + i.fee_satang + i.commission_satang - i.platform_discount_satang)::bigint
		FROM refund_item i JOIN voucher v ON v.id = i.voucher_id WHERE i.refund_id = $1 GROUP BY 1, 2 ORDER BY (array_agg(v.id ORDER BY v.id))[1]`
	linesOfResale = `SELECT v.name_th, v.name_en, count(*), 0::bigint, 0::bigint
		FROM voucher_event n JOIN voucher v ON v.id = n.voucher_id WHERE n.offer_id = $1 AND n.event = 'sell' GROUP BY 1, 2 ORDER BY (array_agg(v.id ORDER BY v.id))[1]`

	discountsOf = `SELECT d.name_th, d.name_en, sum(l.amount_satang)::bigint FROM line_discount l JOIN discount d ON d.id = l.discount_id WHERE l.order_id = $1 GROUP BY d.id, 1, 2 ORDER BY d.id`
	keptOf      = `SELECT 'ค่าธรรมเนียมของร้าน', 'Fee of the shop', sum(i.refund_fee_satang)::bigint FROM refund_item i WHERE i.refund_id = $1 HAVING sum(i.refund_fee_satang) > 0`
)

// parts are the statements of a kind: what it is of, its lines, what reduces them. A part that a kind does not have is empty.
var parts = map[Kind]struct{ head, lines, reductions string }{
	Order:  {ofOrder, linesOfOrder, discountsOf},
	TopUp:  {ofTopUp, "", ""},
	Refund: {ofRefund, linesOfRefund, keptOf},
	Resale: {ofResale, linesOfResale, ""},
}

// OfCustomer returns a receipt of the customer's. It returns fault.Missing for anybody else's, and for what was never paid.
func (s *Service) OfCustomer(ctx context.Context, who token.Session, of Of) (Receipt, error) {
	return s.read(ctx, who.Org, of, &who.Subject)
}

// OfOrganisation returns a receipt of any of the organisation's customers. It returns fault.Missing for what was never paid.
func (s *Service) OfOrganisation(ctx context.Context, who token.Session, of Of) (Receipt, error) {
	return s.read(ctx, who.Org, of, nil)
}

func (s *Service) read(ctx context.Context, organisation uuid.UUID, of Of, customer *uuid.UUID) (r Receipt, err error) {
	part, known := parts[of.Kind]
	if !known {
		return r, fault.At("kind", fault.NotInList)
	}
	brand, err := s.orgs.ByID(ctx, organisation)
	if err != nil {
		return r, err
	}
	err = s.db.ReadInOrg(ctx, organisation, func(tx db.Tx) error {
		r = Receipt{Of: of, Lines: []Line{}, Reductions: []Reduction{}, Mail: s.sender.Ready()}
		err := tx.QueryRow(ctx, part.head, of.ID, customer).Scan(&r.Number, &r.At, &r.Customer, &r.Total, &r.Method, &r.Reference, &r.Refunded)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.Missing
		}
		if err != nil {
			return fmt.Errorf("receipt of %s %s: %w", of.Kind, of.ID, err)
		}
		r.Words = r.Total.Words()
		if r.Lines, err = collect[Line](ctx, tx, part.lines, of); err != nil {
			return err
		}
		if r.Reductions, err = collect[Reduction](ctx, tx, part.reductions, of); err != nil {
			return err
		}
		details, err := content.ReadContactDetails(ctx, tx)
		r.Seller = sellerOf(brand, details)
		return err
	})
	return r, err
}

// collect returns no rows for a part that a kind does not have.
func collect[T any](ctx context.Context, tx db.Tx, statement string, of Of) ([]T, error) {
	if statement == "" {
		return []T{}, nil
	}
	rows, err := tx.Query(ctx, statement, of.ID)
	if err != nil {
		return nil, fmt.Errorf("receipt of %s %s: %w", of.Kind, of.ID, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[T])
	if err != nil {
		return nil, fmt.Errorf("receipt of %s %s: %w", of.Kind, of.ID, err)
	}
	return list, nil
}

func sellerOf(brand org.Org, d content.ContactDetails) Seller {
	s := Seller{NameTH: d.LegalNameTH, NameEN: d.LegalNameEN, AddressTH: d.AddressTH, AddressEN: d.AddressEN, TaxID: d.TaxID, Branch: d.Branch, Phone: d.Phone}
	if s.NameTH == "" {
		s.NameTH = brand.NameTH
	}
	if s.NameEN == "" {
		s.NameEN = brand.NameEN
	}
	return s
}

// linked is what a link opens.
type linked struct {
	Of
	Customer uuid.UUID `json:"customer"`
}

// MakeLink returns a link to a receipt of the customer's. It returns fault.Missing as OfCustomer does.
func (s *Service) MakeLink(ctx context.Context, who token.Session, of Of) (l onetime.Link, err error) {
	if _, err := s.OfCustomer(ctx, who, of); err != nil {
		return l, err
	}
	value, err := json.Marshal(linked{of, who.Subject})
	if err != nil {
		return l, fmt.Errorf("link to %s %s: %w", of.Kind, of.ID, err)
	}
	l.ExpiresAt = s.db.Now().Add(onetime.LinkLifetime)
	l.Secret, err = s.links.Save(ctx, scopeOf(who.Org), value, onetime.LinkLifetime)
	return l, err
}

func scopeOf(organisation uuid.UUID) string { return "receipt:" + organisation.String() }

// OpenLink returns the receipt behind a link of the organisation's, once; afterwards onetime.ErrOver.
func (s *Service) OpenLink(ctx context.Context, who token.Session, in onetime.OpenInput) (r Receipt, err error) {
	value, err := s.links.Open(ctx, scopeOf(who.Org), in.Secret)
	if err != nil {
		return r, err
	}
	var to linked
	if err := json.Unmarshal(value, &to); err != nil {
		return r, fmt.Errorf("what a link opens: %w", err)
	}
	r, err = s.read(ctx, who.Org, to.Of, &to.Customer)
	if errors.Is(err, fault.Missing) { // its customer has deleted his account
		return r, onetime.ErrOver
	}
	r.Mail = false // who reads it may be anybody
	return r, err
}
