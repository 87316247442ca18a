// Package discount reduces what a cart costs: by a code or by itself, on single lines or on the whole cart. Evaluate is pure; the market, the
// tester of the back office and the tests call the same function.
package discount

import (
	"bytes"
	"slices"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/rate"
)

// How a discount is given.
type How string

// Ways of giving.
const (
	Automatic How = "automatic"
	OneCode   How = "code"  // one code that many may use
	ManyCodes How = "codes" // many codes, made in bulk
)

// Class is what a discount reduces.
type Class string

// Classes. A line takes one discount of class Line, the buyer's best; those of class Cart are spread over the lines they are for.
const (
	OnLine Class = "line"
	OnCart Class = "cart"
)

// Kind is how a discount is counted.
type Kind string

// Kinds. Value is basis points of a percent discount. It is satang of one in baht: off each piece of a line, or off the cart.
const (
	Percent Kind = "percent"
	Baht    Kind = "baht"
)

// Payer is who earns less.
type Payer string

// Payers, in the order in which discounts on the cart are counted. The organisation's make the base smaller, of which fee and commission are
// counted. The agent's come off his commission, the platform's off the share that it adds again.
const (
	Organisation Payer = "organisation"
	Agent        Payer = "agent"
	Platform     Payer = "platform"
)

var payers = []Payer{Organisation, Agent, Platform}

// Stack is what else a cart may have beside a discount.
type Stack string

// Stacks.
const (
	Alone    Stack = "alone"     // nothing
	WithLine Stack = "with_line" // discounts of class Line
	All      Stack = "all"       // everything
)

// Discount is what an organisation gives, without what has been used of it.
type Discount struct {
	ID         uuid.UUID
	NameTH     string
	NameEN     string
	How        How
	Class      Class
	Kind       Kind
	Value      int64
	Max        *money.Amount // of a line, or of the cart
	Payer      Payer
	Least      money.Amount // of the lines it is for, after discounts on lines if it is on the cart
	LeastItems int          // pieces of these
	FirstOnly  bool
	Starts     *time.Time
	Ends       *time.Time // not given from then on
	UsesEach   *int
	Stack      Stack
	Position   int         // the smaller first
	Packages   []uuid.UUID // that it is for; empty: all
	Channels   []int       // of sale, that it is for; empty: all
	ForTH      []string    // what it is for, in words
	ForEN      []string
}

// isFor reports whether a discount can reduce a package.
func (d *Discount) isFor(pkg uuid.UUID) bool {
	return len(d.Packages) == 0 || slices.Contains(d.Packages, pkg)
}

// Standing is what of a discount is left.
type Standing struct {
	Uses   *int          // nil: as many as there are buyers
	Budget *money.Amount // nil: without an end
	Mine   int           // how often the buyer has used it
}

// Code is a code that the buyer has typed. Discount is uuid.Nil if there is none of these letters.
type Code struct {
	Text     string
	ID       uuid.UUID
	Discount uuid.UUID
	Uses     *int       // left of this code; nil: as many as its discount has
	Customer *uuid.UUID // who alone may use it
}

// Buyer is for whom, where and when a cart is priced.
type Buyer struct {
	Customer uuid.UUID
	Now      time.Time
	Channel  int
	First    bool // he has bought nothing yet
	Codes    []Code
}

// Line is a line of a cart: the pieces of a package, and their price before discounts.
type Line struct {
	Package  uuid.UUID
	Quantity int
	Gross    money.Amount
	Rate     rate.Rate // of the agent who sells it
}

// Faults that say why a discount was not given. Each has a Loss as its detail.
var (
	ErrUnknown     = fault.New(fault.Conflict, "discount.unknown", "This code does not work. Check the letters")
	ErrNotYet      = fault.New(fault.Conflict, "discount.not_yet", "This discount has not started yet")
	ErrEnded       = fault.New(fault.Conflict, "discount.ended", "This discount has ended")
	ErrUsedUp      = fault.New(fault.Conflict, "discount.used_up", "All used. You were not charged")
	ErrYoursUsed   = fault.New(fault.Conflict, "discount.yours_used", "You have used this discount")
	ErrTooLittle   = fault.New(fault.Conflict, "discount.too_little", "Add to your cart to use this discount")
	ErrTooFew      = fault.New(fault.Conflict, "discount.too_few", "Add pieces to use this discount")
	ErrOtherGoods  = fault.New(fault.Conflict, "discount.other_goods", "This discount is for other packages")
	ErrFirstOnly   = fault.New(fault.Conflict, "discount.first_only", "First purchase only")
	ErrNotTogether = fault.New(fault.Conflict, "discount.not_together", "These discounts cannot be used together. We kept the cheaper")
	ErrChannel     = fault.New(fault.Conflict, "discount.other_channel", "This discount is for other channels of sale")
	ErrNoAgent     = fault.New(fault.Conflict, "discount.no_agent", "An agent pays this discount, and none has sold this")
	ErrNothingLeft = fault.New(fault.Conflict, "discount.nothing_left", "There is nothing left to reduce")
)

// ErrTooManyTries says that somebody has typed too many wrong codes. Its detail is a ratelimit.Wait.
var ErrTooManyTries = fault.New(fault.TooMany, "discount.too_many_tries", "Too many wrong codes, please try again later")

// Loss is a discount that was not given, and why.
type Loss struct {
	Discount *uuid.UUID    `json:"discount_id" nullable:"true"`
	Code     string        `json:"code" doc:"That was typed; empty of one that needs none"`
	Fault    string        `json:"fault" enum:"discount.unknown,discount.not_yet,discount.ended,discount.used_up,discount.yours_used,discount.too_little,discount.too_few,discount.other_goods,discount.first_only,discount.not_together,discount.other_channel,discount.no_agent,discount.nothing_left"`
	NameTH   string        `json:"name_th"`
	NameEN   string        `json:"name_en"`
	At       *time.Time    `json:"at" nullable:"true" doc:"When it begins, or has ended"`
	Missing  *money.Amount `json:"missing_satang" nullable:"true" doc:"To its least total"`
	Pieces   *int          `json:"missing_items" nullable:"true" doc:"To its least number of pieces"`
	Times    *int          `json:"times" nullable:"true" doc:"How often one customer may use it"`
	OtherTH  string        `json:"other_th" doc:"The discount that was kept in its place"`
	OtherEN  string        `json:"other_en"`
	ForTH    []string      `json:"for_th" doc:"What it is for, some of it"`
	ForEN    []string      `json:"for_en"`

	err *fault.Fault
	how How
}

// Err returns the fault for which the discount was not given, with the loss as its detail.
func (l Loss) Err() error { return l.err.With(l) }

// ForBuyer returns the losses of the codes that the buyer has typed, as he may read them: a guesser does not learn that there is a code which is not for
// him, or not yet: that is ErrUnknown.
func (r Result) ForBuyer() []Loss {
	losses := []Loss{}
	for _, l := range r.Lost {
		if l.Code == "" {
			continue
		}
		if l.err == ErrChannel || l.err == ErrNoAgent || l.err == ErrNotYet && l.how == ManyCodes {
			code := l.Code
			l = lost(nil, ErrUnknown)
			l.Code = code
		}
		losses = append(losses, l)
	}
	return losses
}

func lost(d *Discount, why *fault.Fault) Loss {
	l := Loss{Fault: why.Code, ForTH: []string{}, ForEN: []string{}, err: why}
	if d != nil {
		l.Discount, l.NameTH, l.NameEN, l.how = &d.ID, d.NameTH, d.NameEN, d.How
	}
	return l
}

func byID(a, b *Discount) int { return bytes.Compare(a.ID[:], b.ID[:]) }
