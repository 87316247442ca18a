// Package order is where a customer's wallet, the catalogue, vouchers and agents meet: a quote, and the purchase of it.
package order

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/batch"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/discount"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/rate"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
)

// Service sells.
type Service struct {
	db        *db.DB
	orgs      *org.Directory
	charges   *charge.Service
	prices    *catalog.PriceCache
	discounts *catalog.RevisionCache[[]*discount.Discount]
	rates     *catalog.RevisionCache[rate.Rates]
	batcher   *batch.Batcher[uuid.UUID, *purchase] // by organisation: a transaction has one
}

// A batch has at most maxBatch purchases of an organisation; at most maxQueue wait for the next.
const (
	maxBatch = 64
	maxQueue = 1024
)

// New returns the service.
func New(d *db.DB, orgs *org.Directory, charges *charge.Service) *Service {
	s := &Service{db: d, orgs: orgs, charges: charges, prices: catalog.NewPriceCache(), discounts: discount.NewCache(), rates: rate.NewCache()}
	s.batcher = batch.New(maxBatch, maxQueue, s.runBatch, db.IsUnknownOutcome)
	return s
}

// Faults of buying.
var (
	ErrQuoteChanged = fault.New(fault.Conflict, "order.quote_changed", "please create a new order")
	ErrLimit        = fault.New(fault.Conflict, "order.limit_per_customer", "You have reached the limit of this package")
	ErrNothingToPay = fault.New(fault.Conflict, "order.nothing_to_pay", "This order costs nothing")
	ErrDirectSum    = fault.New(fault.Conflict, "order.direct_sum", "This amount cannot be paid directly")
	ErrNotFound     = fault.New(fault.NotFound, "order.not_found", "Order not found yet")
)

// Line is a package with the number of pieces that a customer wants.
type Line struct {
	Package  uuid.UUID `json:"package_id"`
	Quantity int       `json:"quantity" minimum:"1" maximum:"99"`
}

// Limits of a cart, as its schema says them.
const (
	maxLines  = 30
	maxPieces = 99 // of one package
)

// QuoteInput is a cart and codes of discounts.
type QuoteInput struct {
	Lines []Line   `json:"lines" minItems:"1" maxItems:"30"`
	Codes []string `json:"codes,omitempty" maxItems:"5" maxLength:"40" doc:"Of discounts, as he typed them"`
}

// PricedLine is a line with its price, in quotes and orders alike.
type PricedLine struct {
	Package  uuid.UUID    `json:"package_id"`
	NameTH   string       `json:"name_th"`
	NameEN   string       `json:"name_en"`
	Picture  *uuid.UUID   `json:"picture" nullable:"true"`
	Quantity int          `json:"quantity"`
	Unit     money.Amount `json:"unit_satang"`
	Amount   money.Amount `json:"amount_satang" doc:"After discounts"`
	Discount money.Amount `json:"discount_satang" doc:"What discounts took off"`
	Card     bool         `json:"card" doc:"A member card, whose type package_id names"`
}

// QuoteLine is a line of a cart: what it costs, and what holds for its vouchers if they are bought today.
type QuoteLine struct {
	PricedLine
	LastDays    []string `json:"last_days" format:"date" doc:"Of its vouchers, in Bangkok, each once, the first first"`
	ExpiryRules []string `json:"expiry_rules" enum:"breakage,wallet" doc:"What is left of its vouchers at expiry, each rule once"`
	Transfers   []Giving `json:"transfer_rules" doc:"How its vouchers can be given to others, each rule once"`
	catalog.RefundTerms
	RefundUntil string `json:"refund_until" format:"date" doc:"Last day of a refund by its payer, in Bangkok"`
}

// Giving is a rule of a kind of voucher that says how it can be given to others.
type Giving struct {
	Rule     string `json:"rule" enum:"none,times,unlimited"`
	Times    int    `json:"times" doc:"How often, where the rule counts that"`
	Together bool   `json:"together" doc:"All of the same order at once"`
}

// Quote is the price of a cart now. Hash stands for lines and prices: confirming it charges exactly this, or nothing.
type Quote struct {
	Hash         string               `json:"hash"`
	Lines        []QuoteLine          `json:"lines"`
	Total        money.Amount         `json:"total_satang" doc:"After discounts"`
	Discounts    []discount.Reduction `json:"discounts" doc:"What reduces the total"`
	Lost         []discount.Loss      `json:"lost_discounts" doc:"Of the codes, those that reduce nothing, and why"`
	Balance      money.Amount         `json:"balance_satang"`
	Missing      money.Amount         `json:"missing_satang" doc:"What the wallet is short of; 0 when it is enough"`
	TopUp        money.Amount         `json:"topup_satang" doc:"What to offer: the missing sum, at least 100 baht"`
	TopUpMinimum bool                 `json:"topup_is_minimum" doc:"True when the offer is the minimum and not the missing sum"`
	Consents     []consent.Text       `json:"consents" doc:"What must be accepted with this order"`
}

// Order is a purchase: paid from the wallet at once, or directly, and then it waits for its money for ten minutes.
type Order struct {
	ID        uuid.UUID            `json:"id"`
	Number    string               `json:"number"`
	State     string               `json:"state" enum:"awaiting,expired,paid,part_refunded,refunded"`
	Total     money.Amount         `json:"total_satang"`
	CreatedAt time.Time            `json:"created_at"`
	PaidAt    *time.Time           `json:"paid_at" doc:"null while it waits, and when it was never paid"`
	Lines     []PricedLine         `json:"lines"`
	Discounts []discount.Reduction `json:"discounts"`
	Payment   *charge.Charge       `json:"payment,omitempty" doc:"How it is paid directly; absent when the wallet paid"`
	Vouchers  []voucher.Voucher    `json:"vouchers" doc:"None until it is paid"`
}

// hash stands for what is charged and what is received for it: a price, a discount or a content that changes makes another.
func hash(lines []PricedLine, packages []catalog.PricedPackage, total money.Amount) (string, error) {
	type priced struct {
		Package  uuid.UUID
		Quantity int
		Unit     money.Amount
		Parts    []catalog.PricedPart
		Discount money.Amount `json:",omitempty"`
		Refunds  catalog.RefundTerms
	}
	parts := make([]priced, len(lines))
	for i, l := range lines {
		parts[i] = priced{l.Package, l.Quantity, l.Unit, packages[i].Parts, l.Discount, packages[i].Refunds}
	}
	text, err := json.Marshal(struct {
		Lines []priced
		Total money.Amount
	}{parts, total})
	if err != nil {
		return "", fmt.Errorf("hash a quote: %w", err)
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:18]), nil
}

// offerTopUp returns the top-up that is offered to a buyer whose wallet lacks missing.
func offerTopUp(missing money.Amount) (topUp money.Amount, isMinimum bool) {
	switch {
	case missing <= 0:
		return 0, false
	case missing < wallet.MinTopUp:
		return wallet.MinTopUp, true
	default:
		return missing, false
	}
}
