// Package board is where customers sell vouchers on: a holder offers one at a price, and another customer buys it. What happens to the
// voucher itself stands in tenants/voucher/offered.go.
package board

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/voucher"
)

// Service offers vouchers and sells them.
type Service struct {
	db      *db.DB
	orgs    *org.Directory
	charges *charge.Service
}

// New returns the service.
func New(d *db.DB, orgs *org.Directory, charges *charge.Service) *Service {
	return &Service{db: d, orgs: orgs, charges: charges}
}

const (
	open     = "open"
	reserved = "reserved"
	sold     = "sold"
)

const (
	leastPrice = money.Amount(1_00)
	maxOpen    = 10 // offers of one customer
	maxBought  = 8  // by one customer on one day
	maxParts   = 5000
	// cardDelay is how long after a card's payment what it bought stays off the board: a bank learns late that a card was stolen.
	cardDelay = 14 * 24 * time.Hour
)

// Faults of offers.
var (
	ErrNotFound   = fault.New(fault.NotFound, "offer.not_found", "Offer not found")
	ErrClosed     = fault.New(fault.Conflict, "offer.not_here", "Vouchers are not sold on here")
	ErrNotSoldOut = fault.New(fault.Conflict, "offer.not_sold_out", "The shop sells this voucher itself")
	ErrPhoneFirst = fault.New(fault.Conflict, "offer.phone_first", "Verify your mobile number first")
	ErrPrice      = fault.New(fault.Invalid, "offer.price", "This price is not possible")
	ErrTooEarly   = fault.New(fault.Conflict, "offer.too_early", "What a card paid for cannot be sold on yet")
	ErrTooLate    = fault.New(fault.Conflict, "offer.too_late", "On its last day a voucher cannot be sold on any more")
	ErrTooMany    = fault.New(fault.Conflict, "offer.too_many", "You have as many open offers as are possible")
	ErrOver       = fault.New(fault.Conflict, "offer.over", "This offer is over")
	ErrBeingPaid  = fault.New(fault.Conflict, "offer.being_paid", "Somebody is paying for it just now")
	ErrOwn        = fault.New(fault.Conflict, "offer.own", "You cannot buy your own offer")
	ErrEnough     = fault.New(fault.Conflict, "offer.bought_enough", "You have bought as many offers today as are possible")
	ErrPayFirst   = fault.New(fault.Conflict, "offer.pay_first", "please pay or cancel the offer that is waiting")
	ErrWalletOnly = fault.New(fault.Conflict, "offer.wallet_only", "please pay from your Wallet")
	ErrReported   = fault.New(fault.Conflict, "offer.reported_enough", "You have reported as many offers today as are possible")
	ErrDirectSum  = fault.New(fault.Conflict, "offer.direct_sum", "This amount cannot be paid directly")
)

// Price is the detail of ErrPrice.
type Price struct {
	Least money.Amount `json:"least_satang"`
	Most  money.Amount `json:"most_satang" doc:"Less than the least if nothing was paid for the voucher: it cannot be sold on"`
}

// Until is the detail of ErrTooEarly.
type Until struct {
	At time.Time `json:"until"`
}

// Most is the detail of ErrTooMany, ErrEnough and ErrReported.
type Most struct {
	Count int `json:"most"`
}

// OverDetail is the detail of ErrOver: how it ended, not by whom.
type OverDetail struct {
	State string `json:"state" enum:"sold,cancelled,ended,stopped"`
}

// Part is a voucher, and how much of it.
type Part struct {
	Voucher uuid.UUID `json:"voucher_id"`
	Items   int64     `json:"items" minimum:"1" maximum:"1000000000000" doc:"How many of its items, or satang when kind is baht; fewer than are left become a voucher of their own"`
}

// Input is what a holder offers.
type Input struct {
	Part
	Price money.Amount `json:"price_satang" minimum:"100" maximum:"1000000000000" doc:"For all of it"`
}

// Terms are what holds for an offer before it is made.
type Terms struct {
	Paid               money.Amount `json:"paid_satang" doc:"For what is offered, by who bought it from the organisation"`
	Least              money.Amount `json:"least_satang"`
	Most               money.Amount `json:"most_satang" doc:"Less than the least if it cannot be sold on because nothing was paid for it"`
	CapPercent         int          `json:"cap_percent" doc:"Of what was paid, which a price may not exceed"`
	RoyaltyBasisPoints int64        `json:"royalty_basis_points" doc:"Of the price, to the organisation; rounded half up"`
	FeeBasisPoints     int64        `json:"fee_basis_points" doc:"Of the price, to the platform; rounded half up"`
	ExpiresAt          time.Time    `json:"expires_at" doc:"UTC; when an offer made now ends by itself"`
	Vouchers           int          `json:"vouchers" doc:"How many are offered together"`
}

// Split is who gets what of a price.
type Split struct {
	Royalty money.Amount `json:"royalty_satang" doc:"To the organisation"`
	Fee     money.Amount `json:"fee_satang" doc:"To the platform"`
	Net     money.Amount `json:"net_satang" doc:"To the seller's wallet"`
}

// split returns who gets what of a price.
func (t Terms) split(price money.Amount) Split {
	s := Split{Royalty: price.Percent(t.RoyaltyBasisPoints), Fee: price.Percent(t.FeeBasisPoints)}
	s.Net = price - s.Royalty - s.Fee
	return s
}

// Offer is what is offered, as its seller, its buyer and everybody else sees it.
type Offer struct {
	ID            uuid.UUID     `json:"id"`
	State         string        `json:"state" enum:"open,reserved,sold,cancelled,ended,stopped"`
	Own           bool          `json:"own" doc:"By the person who asks"`
	Price         money.Amount  `json:"price_satang"`
	ShopPrice     *money.Amount `json:"shop_price_satang" doc:"For which the organisation sells as much now; null if it does not"`
	Kind          voucher.Kind  `json:"kind" enum:"item,baht"`
	NameTH        string        `json:"name_th"`
	NameEN        string        `json:"name_en"`
	Picture       *uuid.UUID    `json:"picture" nullable:"true"`
	Items         int64         `json:"items" doc:"Of all its vouchers; satang when kind is baht"`
	Vouchers      int64         `json:"vouchers" doc:"How many are sold together"`
	ValidUntil    string        `json:"valid_until" format:"date"`
	Given         int           `json:"given" doc:"How often it was given before it was offered"`
	Resold        int           `json:"resold" doc:"How often it was sold on before it was offered"`
	TransferRule  string        `json:"transfer_rule" enum:"none,times,unlimited"`
	TransfersLeft int           `json:"transfers_left" doc:"How often its buyer may give or sell it on"`
	CreatedAt     time.Time     `json:"created_at"`
	ExpiresAt     time.Time     `json:"expires_at"`
	EndedAt       *time.Time    `json:"ended_at"`
	ByShop        bool          `json:"stopped_by_shop"`
	ByPlatform    bool          `json:"stopped_by_platform"`
	Split         *Split        `json:"split" doc:"null unless the person who asks made the offer"`
	Buyer         string        `json:"buyer" doc:"The name of who bought it, for its seller; empty for everybody else"`
	Number        string        `json:"number" doc:"Of the receipt, for seller and buyer; empty for everybody else"`
	Bought        bool          `json:"bought" doc:"By the person who asks"`
	Payment       *uuid.UUID    `json:"payment_id" nullable:"true" doc:"By which the person who asks is paying it; null while nobody or somebody else is"`
}

// Detail is an offer with what its buyer wants to know.
type Detail struct {
	Offer
	Seller       string     `json:"seller" doc:"The beginning of a name"`
	Hands        []string   `json:"hands" enum:"gift,offer" doc:"By what it went from hand to hand after the organisation had sold it, the first first; the last one is the seller's"`
	BoughtAt     time.Time  `json:"issued_at" doc:"When the organisation sold it first"`
	Voucher      *uuid.UUID `json:"voucher_id" nullable:"true" doc:"The first of its vouchers, for who holds it; null for everybody else"`
	Reported     bool       `json:"reported" doc:"By the person who asks"`
	PaidBy       string     `json:"paid_by" enum:",wallet,promptpay,card" doc:"By the person who asks; empty unless he bought it"`
	ConditionsTH string     `json:"conditions_th"`
	ConditionsEN string     `json:"conditions_en"`
	catalog.Sentences
	Where    []catalog.PublicServicePoint `json:"where"`
	Consents []consent.Text               `json:"consents" doc:"What must be accepted to buy it"`
}

// Purchase is an offer that was bought.
type Purchase struct {
	ID       uuid.UUID    `json:"id"`
	Number   string       `json:"number"`
	Offer    uuid.UUID    `json:"offer_id"`
	Price    money.Amount `json:"price_satang"`
	SoldAt   time.Time    `json:"sold_at"`
	Vouchers []uuid.UUID  `json:"voucher_ids"`
}

// lastMoment is when an offer ends by itself that is made now: the end of its last day in Bangkok, and before the last day of its vouchers.
func lastMoment(now, validUntil time.Time, days int) time.Time {
	end := clock.Start(clock.Day(now).AddDate(0, 0, days+1))
	if last := clock.Start(validUntil); last.Before(end) {
		return last
	}
	return end
}
