// Package privacy lets a customer see, take along and erase what an organisation holds about him (PDPA sections 30, 31
// and 33). Erasing keeps what tax law needs, orders and the ledger, without the person.
package privacy

import (
	"context"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/secret"
	"welovevoucher/tenants/bank"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/contact"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/payee"
	"welovevoucher/tenants/push"
)

// Service answers customers about their data.
type Service struct {
	db        *db.DB
	box       *secret.Box
	customers *customer.Service
	contact   *contact.Service
	members   *member.Service
	revoke    func(ctx context.Context, org, subject uuid.UUID) error
}

// New returns the service. revoke ends every session of a person.
func New(d *db.DB, box *secret.Box, customers *customer.Service, contact *contact.Service, members *member.Service, revoke func(ctx context.Context, org, subject uuid.UUID) error) *Service {
	return &Service{db: d, box: box, customers: customers, contact: contact, members: members, revoke: revoke}
}

// What stands in the way of erasing: money or rights that would be lost with the person.
var (
	ErrWallet     = fault.New(fault.Conflict, "privacy.wallet_not_empty", "There is still money in the wallet")
	ErrVouchers   = fault.New(fault.Conflict, "privacy.vouchers_usable", "There are still vouchers that can be used")
	ErrPayment    = fault.New(fault.Conflict, "privacy.payment_under_way", "A payment is still under way")
	ErrCommission = fault.New(fault.Conflict, "privacy.commission_due", "There is still commission to be paid out, or that may come back")
	ErrDebt       = fault.New(fault.Conflict, "privacy.debt", "There is still something to be paid")
	ErrCard       = fault.New(fault.Conflict, "privacy.card_paid", "You have paid for a member card that has not begun")
	ErrObjection  = fault.New(fault.Conflict, "privacy.objection_open", "The shop has not yet answered that a use was not yours")
	ErrUnsure     = fault.New(fault.Invalid, "privacy.not_confirmed", "please type the words to confirm")
)

// Obstacle is one thing that stands in the way of erasing.
type Obstacle struct {
	Fault  string       `json:"fault" enum:"privacy.wallet_not_empty,privacy.vouchers_usable,privacy.payment_under_way,privacy.commission_due,privacy.debt,privacy.objection_open,privacy.card_paid"`
	Count  int64        `json:"count" doc:"Of vouchers, of payments, of objections, or of applications for cards"`
	Amount money.Amount `json:"amount_satang" doc:"Of the wallet, of the commission that is to be paid out or may come back, or of the debt"`
}

// Person has the personal data of a customer.
type Person struct {
	DisplayName string    `json:"displayName"`
	PictureURL  string    `json:"pictureUrl"`
	FirstName   string    `json:"firstname"`
	LastName    string    `json:"lastname"`
	Email       string    `json:"emailaddress"`
	Gender      string    `json:"gender"`
	BirthDate   *string   `json:"birth_date" nullable:"true" format:"date"`
	ReferCode   string    `json:"referercode"`
	Since       time.Time `json:"since"`
	Mobile      string    `json:"mobilenumber" db:"-"`
}

// Summary has the data that the organisation holds about a customer: the person, how many records of each kind, and the texts he agreed to.
type Summary struct {
	Person    Person               `json:"person"`
	Orders    int64                `json:"orders"`
	Vouchers  int64                `json:"vouchers"`
	Uses      int64                `json:"uses"`
	Payments  int64                `json:"payments"`
	Accepted  []consent.Acceptance `json:"accepted"`
	Obstacles []Obstacle           `json:"obstacles" doc:"What stands in the way of erasing; empty when nothing does"`
}

// Export is everything the organisation holds about a customer, for him to take along.
type Export struct {
	MadeAt    time.Time            `json:"made_at"`
	Person    Person               `json:"person"`
	Accepted  []consent.Acceptance `json:"accepted"`
	Orders    []Order              `json:"orders"`
	Vouchers  []Voucher            `json:"vouchers"`
	Uses      []Use                `json:"uses"`
	Movements []Movement           `json:"wallet_movements"`
	Payments  []Payment            `json:"payments"`
	Visits    []Visit              `json:"sale_links_opened"`
	Agent     []Commission         `json:"commissions" doc:"Earned as an agent"`
	Payouts   []Payout             `json:"payouts" doc:"Paid, or to be paid, as an agent"`
	Selling   []payee.Held         `json:"agent_forms" doc:"What he said of himself to become an agent"`
	Member    member.Held          `json:"member" doc:"His card, and what he said of himself to have it"`
	Gifts     []Gift               `json:"gifts" doc:"Given and received"`
	Offers    []Offer              `json:"offers" doc:"Vouchers that he offered to other customers, and bought from them"`
	Reports   []Report             `json:"reports" doc:"Offers that he reported"`
	Contact   []contact.Message    `json:"contact_messages" doc:"Written to the organisation while signed in"`
	Messages  []message.Message    `json:"messages" doc:"Of the inbox"`
	Push      push.Person          `json:"push" doc:"How he is reached in LINE"`
	Accounts  []bank.Named         `json:"bank_accounts" doc:"That he named for refunds"`
	Sent      []Remittance         `json:"remittances" doc:"To his card or bank account"`
	Refunds   []Refund             `json:"refunds" doc:"That he made by himself, or asked the organisation for"`
}

// Order is one line of a purchase.
type Order struct {
	Number   string       `json:"number"`
	State    string       `json:"state"`
	PaidAt   *time.Time   `json:"paid_at" nullable:"true" doc:"Null while its money is awaited, or when none came"`
	NameTH   string       `json:"name_th"`
	NameEN   string       `json:"name_en"`
	Quantity int          `json:"quantity"`
	Amount   money.Amount `json:"amount_satang"`
}

// Voucher is one that the customer owns or owned.
type Voucher struct {
	Code       string    `json:"code"`
	NameTH     string    `json:"name_th"`
	NameEN     string    `json:"name_en"`
	State      string    `json:"state"`
	Kind       string    `json:"kind" enum:"item,baht"`
	ItemsTotal int64     `json:"items_total" doc:"Items, or satang where kind is baht"`
	ItemsLeft  int64     `json:"items_left"`
	IssuedAt   time.Time `json:"issued_at"`
	ValidUntil string    `json:"valid_until" format:"date"`
}

// Use is when and where a voucher was used.
type Use struct {
	At        time.Time `json:"at"`
	Voucher   string    `json:"voucher_code"`
	PlaceTH   string    `json:"service_point_name_th"`
	PlaceEN   string    `json:"service_point_name_en"`
	Items     int64     `json:"items"`
	Objection string    `json:"objection" enum:",open,stands,undone" doc:"What became of his word that it was not he; empty without one"`
	Answer    string    `json:"answer" doc:"What the organisation said to it"`
}

// Gift is one that the customer gave or received.
type Gift struct {
	At    time.Time `json:"at"`
	Given bool      `json:"given" doc:"By him; otherwise he received it"`
	State string    `json:"state"`
	Card  string    `json:"card"`
	To    string    `json:"to_name"`
	Words string    `json:"words"`
}

// Offer is one that the customer made, or bought.
type Offer struct {
	At      time.Time    `json:"at" doc:"When it was made"`
	Made    bool         `json:"made" doc:"By him; otherwise he bought it"`
	State   string       `json:"state" enum:"open,reserved,sold,cancelled,ended,stopped"`
	Price   money.Amount `json:"price_satang"`
	Net     money.Amount `json:"net_satang" doc:"What came, or comes, into his wallet; 0 for one that he bought"`
	EndedAt *time.Time   `json:"ended_at" nullable:"true"`
	Number  string       `json:"number" doc:"Of the receipt; empty while nobody has bought it"`
}

// Report is that the customer reported an offer.
type Report struct {
	At     time.Time `json:"at"`
	Reason string    `json:"reason" enum:"outside,not_theirs,price,other"`
}

// Movement is one entry of the wallet.
type Movement struct {
	At     time.Time    `json:"at"`
	Kind   string       `json:"kind"`
	MemoTH string       `json:"memo_th"`
	MemoEN string       `json:"memo_en"`
	Amount money.Amount `json:"amount_satang" doc:"Negative when it left the wallet"`
}

// Payment is money asked for through the gateway, which came in or did not.
type Payment struct {
	Reference  string       `json:"reference"`
	Purpose    string       `json:"purpose" enum:"topup,order,offer,duplicate"`
	Method     string       `json:"method"`
	Amount     money.Amount `json:"amount_satang"`
	State      string       `json:"state"`
	CreatedAt  time.Time    `json:"created_at"`
	CapturedAt *time.Time   `json:"captured_at" nullable:"true"`
}

// Remittance is a refund, or money of his wallet, that went to a card or a bank account, or was to.
type Remittance struct {
	At      time.Time    `json:"at"`
	Number  string       `json:"number" doc:"Of the refund, or of what he asked for of his wallet"`
	Method  string       `json:"method" enum:"card,bank"`
	Amount  money.Amount `json:"amount_satang"`
	State   string       `json:"state" enum:"approved,sent,done,failed" doc:"failed: it came into the wallet"`
	EndedAt *time.Time   `json:"ended_at" nullable:"true"`
}

// Refund is one that the customer made by himself, or asked the organisation for.
type Refund struct {
	At     time.Time    `json:"at"`
	Order  string       `json:"order" doc:"Its number"`
	Amount money.Amount `json:"amount_satang"`
	State  string       `json:"state" enum:"asked,done,refused,changed,withdrawn"`
	Words  string       `json:"words" doc:"Why, in his own"`
	Answer string       `json:"answer" doc:"Of the organisation, where it refused"`
}

// Visit is the sale link that the customer opened last.
type Visit struct {
	At   time.Time `json:"at"`
	Code string    `json:"code"`
}

// Commission is the commission of a sale that the customer has earned as an agent.
type Commission struct {
	At     time.Time    `json:"at"`
	Amount money.Amount `json:"amount_satang" doc:"As it was sold"`
	Due    money.Amount `json:"due_satang" doc:"What of it was not taken back"`
	Mature money.Amount `json:"mature_satang" doc:"What of that has matured"`
	Denied *time.Time   `json:"denied_at" nullable:"true" doc:"UTC, since when the organisation owes nothing of it"`
	Reason string       `json:"reason" doc:"Why, in the organisation's words"`
}

// Payout is what a customer was paid as an agent, or was to be.
type Payout struct {
	PayDay   string       `json:"pay_day" format:"date"`
	Number   string       `json:"reference"`
	Gross    money.Amount `json:"gross_satang"`
	Withheld money.Amount `json:"withheld_satang"`
	Net      money.Amount `json:"net_satang"`
	State    string       `json:"state" enum:"booked,sent,paid,failed,returned"`
	PaidOn   *string      `json:"paid_on" format:"date" nullable:"true"`
}
