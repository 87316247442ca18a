package discount

import (
	"slices"

	"github.com/google/uuid"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
)

// Share is what a discount takes off a line.
type Share struct {
	Discount *Discount
	Amount   money.Amount
}

// Priced is a line with what was taken off it.
type Priced struct {
	Shares []Share // each above 0, in the order in which they were counted
	Split
}

// Given is a discount that reduces a cart.
type Given struct {
	Discount *Discount
	Code     *Code // by which it was asked for, or nil
	Amount   money.Amount
}

// Result is a cart with its discounts.
type Result struct {
	Lines []Priced // one for each of the cart
	Given []Given
	Lost  []Loss
}

// Evaluate prices a cart. Who may not have a discount at all loses it first (period, channel, person, uses, goods). Of the rest that combination is given
// which costs the buyer least, among equal ones that with the oldest discount in which they differ:
//
//   - A line takes one discount of class OnLine: the largest, among equal ones the oldest.
//   - Those of class OnCart follow: the organisation's, the agent's, the platform's, of each by position. Each is counted of what is left of the lines it
//     is for, and spread over them by largest remainder, with what is left of each as weights.
//   - One whose least total or number is not reached is not given, nor one that takes more than its budget has left.
//   - No line falls below zero. What an agent pays of it is at most its commission, what the platform pays at most its share.
//
// discounts are all that are given without a code, and those of the codes.
func Evaluate(feeBasisPoints int64, cart []Line, buyer Buyer, discounts []*Discount, standings map[uuid.UUID]Standing) Result {
	e := evaluation{fee: feeBasisPoints, cart: cart, buyer: buyer, standings: standings, losses: map[*Discount]Loss{}, codes: map[uuid.UUID]*Code{}}
	unknown := e.readCodes(discounts)
	var open []*Discount
	for _, d := range discounts {
		switch loss := e.refuse(d); {
		case d.How != Automatic && e.codes[d.ID] == nil: // nobody asked for it
		case loss != nil:
			e.losses[d] = *loss
		default:
			open = append(open, d)
		}
	}
	slices.SortFunc(open, byID)

	best := e.best(open)
	for {
		broken := slices.IndexFunc(open, func(d *Discount) bool {
			budget := standings[d.ID].Budget
			return budget != nil && best.taken(d) > *budget
		})
		if broken < 0 {
			break
		}
		e.losses[open[broken]] = lost(open[broken], ErrUsedUp)
		open = slices.Delete(open, broken, broken+1)
		best = e.best(open)
	}
	return e.result(best, open, discounts, unknown)
}

type evaluation struct {
	fee       int64 // of the platform, in basis points
	cart      []Line
	buyer     Buyer
	standings map[uuid.UUID]Standing
	codes     map[uuid.UUID]*Code // by discount
	losses    map[*Discount]Loss
}

// readCodes finds the code by which each discount was asked for. It returns the losses of those that are unknown or name a discount a second time.
func (e *evaluation) readCodes(discounts []*Discount) (unknown []Loss) {
	for i := range e.buyer.Codes {
		code := &e.buyer.Codes[i]
		at := slices.IndexFunc(discounts, func(d *Discount) bool { return d.ID == code.Discount })
		loss := lost(nil, ErrUnknown)
		switch {
		case at < 0 || code.Customer != nil && *code.Customer != e.buyer.Customer: // also of one that is somebody else's
		case e.codes[code.Discount] != nil:
			loss = together(discounts[at], discounts[at])
		default:
			e.codes[code.Discount] = code
			continue
		}
		loss.Code = code.Text
		unknown = append(unknown, loss)
	}
	return unknown
}

func together(d, kept *Discount) Loss {
	loss := lost(d, ErrNotTogether)
	loss.OtherTH, loss.OtherEN = kept.NameTH, kept.NameEN
	return loss
}

// refuse returns why a discount cannot be given whatever else the cart has, or nil.
func (e *evaluation) refuse(d *Discount) *Loss {
	at := func(why *fault.Fault) *Loss { l := lost(d, why); return &l }
	code, standing := e.codes[d.ID], e.standings[d.ID]
	switch {
	case len(d.Channels) > 0 && !slices.Contains(d.Channels, e.buyer.Channel):
		return at(ErrChannel)
	case d.Payer == Agent && !slices.ContainsFunc(e.cart, func(l Line) bool { return l.Rate.Value > 0 }):
		return at(ErrNoAgent)
	case d.Starts != nil && e.buyer.Now.Before(*d.Starts):
		l := at(ErrNotYet)
		l.At = d.Starts
		return l
	case d.Ends != nil && !e.buyer.Now.Before(*d.Ends):
		l := at(ErrEnded)
		l.At = d.Ends
		return l
	case d.FirstOnly && !e.buyer.First:
		return at(ErrFirstOnly)
	case d.UsesEach != nil && standing.Mine >= *d.UsesEach:
		l := at(ErrYoursUsed)
		l.Times = d.UsesEach
		return l
	case standing.Uses != nil && *standing.Uses <= 0, code != nil && code.Uses != nil && *code.Uses <= 0:
		return at(ErrUsedUp)
	case !slices.ContainsFunc(e.cart, func(l Line) bool { return d.isFor(l.Package) }):
		l := at(ErrOtherGoods)
		l.ForTH, l.ForEN = d.ForTH, d.ForEN
		return l
	}
	return nil
}

// best returns the combination of discounts that costs the buyer least.
func (e *evaluation) best(open []*Discount) attempt {
	best := e.attempt(nil)
	for _, set := range combinations(open) {
		if next := e.attempt(set); next.paid < best.paid || next.paid == best.paid && older(next, best) {
			best = next
		}
	}
	return best
}

// older reports whether a is to be kept of two that cost the buyer the same: the first discount that only one of them gives is a's, or a gives what b gives
// and more.
func older(a, b attempt) bool {
	these, those := a.given(), b.given()
	for i := range min(len(these), len(those)) {
		if order := byID(these[i], those[i]); order != 0 {
			return order < 0
		}
	}
	return len(these) > len(those)
}

// combinations returns the sets of discounts that may stand together, each as large as it can be.
func combinations(open []*Discount) (sets [][]*Discount) {
	var lines, beside, carts []*Discount
	for _, d := range open {
		switch {
		case d.Stack == Alone:
			sets = append(sets, []*Discount{d})
		case d.Class == OnLine && d.Stack == All:
			lines, beside = append(lines, d), append(beside, d)
		case d.Class == OnLine:
			lines = append(lines, d)
		case d.Stack == All:
			carts = append(carts, d)
		}
	}
	sets = append(sets, lines, slices.Concat(beside, carts))
	for _, d := range open {
		if d.Class == OnCart && d.Stack == WithLine {
			sets = append(sets, slices.Concat(beside, []*Discount{d}))
		}
	}
	return sets
}

// result says of each discount what it gives, or why nothing.
func (e *evaluation) result(best attempt, open, discounts []*Discount, unknown []Loss) Result {
	r := Result{Lost: unknown}
	for i := range best.lines {
		r.Lines = append(r.Lines, Priced{best.lines[i].shares, best.lines[i].split(e.fee)})
	}
	for _, d := range open {
		if best.taken(d) == 0 {
			e.losses[d] = e.why(d, best, open)
		}
	}
	for _, d := range discounts {
		code := e.codes[d.ID]
		if amount := best.taken(d); amount > 0 {
			r.Given = append(r.Given, Given{d, code, amount})
			continue
		}
		loss, is := e.losses[d]
		if !is {
			continue
		}
		if code != nil {
			loss.Code = code.Text
		}
		r.Lost = append(r.Lost, loss)
	}
	return r
}

// why returns why the best combination gives nothing of a discount: for what it needs by itself, or because another was kept.
func (e *evaluation) why(d *Discount, best attempt, open []*Discount) Loss {
	if loss, is := best.lost[d]; is {
		return loss
	}
	for _, set := range combinations(open) {
		if loss, is := e.attempt(set).lost[d]; is {
			return loss
		}
	}
	if kept := best.largestBeside(d); kept != nil {
		return together(d, kept)
	}
	return lost(d, ErrNothingLeft)
}

// attempt is a cart with one combination of discounts.
type attempt struct {
	lines []line
	paid  money.Amount
	lost  map[*Discount]Loss // of the combination's
}

func (e *evaluation) attempt(set []*Discount) attempt {
	a := attempt{lines: make([]line, len(e.cart)), lost: map[*Discount]Loss{}}
	for i, l := range e.cart {
		a.lines[i].Line = l
	}
	e.reduceLines(&a, set)
	for _, payer := range payers {
		var next []*Discount
		for _, d := range set {
			if d.Class == OnCart && d.Payer == payer {
				next = append(next, d)
			}
		}
		slices.SortStableFunc(next, func(a, b *Discount) int {
			if a.Position != b.Position {
				return a.Position - b.Position
			}
			return byID(a, b)
		})
		for _, d := range next {
			e.reduceCart(&a, d)
		}
	}
	for i := range a.lines {
		a.paid += a.lines[i].left()
	}
	return a
}

// reduceLines gives each line the largest of the discounts on lines that it can have.
func (e *evaluation) reduceLines(a *attempt, set []*Discount) {
	var ready []*Discount
	for _, d := range set {
		if d.Class != OnLine {
			continue
		}
		if loss := a.tooSmall(d, func(l *line) money.Amount { return l.Gross }); loss != nil {
			a.lost[d] = *loss
		} else {
			ready = append(ready, d)
		}
	}
	for i := range a.lines {
		l := &a.lines[i]
		best := Share{}
		for _, d := range ready {
			if !d.isFor(l.Package) {
				continue
			}
			if amount := min(d.ofLine(l.Line), l.room(d.Payer, e.fee)); amount > best.Amount {
				best = Share{d, amount}
			}
		}
		if best.Amount > 0 {
			l.shares = append(l.shares, best)
		}
	}
}

// ofLine returns what a discount on lines takes off one that has the room for it.
func (d *Discount) ofLine(l Line) money.Amount {
	amount := l.Gross
	switch {
	case d.Kind == Percent:
		amount = l.Gross.Percent(d.Value)
	case money.Amount(d.Value) <= l.Gross/money.Amount(max(1, l.Quantity)):
		amount = money.Amount(d.Value) * money.Amount(l.Quantity)
	}
	return d.capped(amount)
}

func (d *Discount) capped(amount money.Amount) money.Amount {
	if d.Max != nil {
		return min(amount, *d.Max)
	}
	return amount
}

// tooSmall returns the loss of a discount if the lines that it is for are worth too little, or are too few pieces. It returns nil otherwise.
func (a *attempt) tooSmall(d *Discount, worth func(*line) money.Amount) *Loss {
	sum, pieces := money.Amount(0), 0
	for i := range a.lines {
		if d.isFor(a.lines[i].Package) {
			sum, pieces = sum+worth(&a.lines[i]), pieces+a.lines[i].Quantity
		}
	}
	switch {
	case sum < d.Least:
		l, missing := lost(d, ErrTooLittle), d.Least-sum
		l.Missing = &missing
		return &l
	case pieces < d.LeastItems:
		l, missing := lost(d, ErrTooFew), d.LeastItems-pieces
		l.Pieces = &missing
		return &l
	}
	return nil
}

// reduceCart spreads a discount on the cart over the lines that it is for.
func (e *evaluation) reduceCart(a *attempt, d *Discount) {
	if loss := a.tooSmall(d, (*line).afterLine); loss != nil {
		a.lost[d] = *loss
		return
	}
	var on []*line
	var weights []int64
	left := money.Amount(0)
	for i := range a.lines {
		if l := &a.lines[i]; d.isFor(l.Package) {
			on, weights, left = append(on, l), append(weights, int64(l.left())), left+l.left()
		}
	}
	amount := money.Amount(d.Value)
	if d.Kind == Percent {
		amount = left.Percent(d.Value)
	}
	for i, part := range min(d.capped(amount), left).Apportion(weights...) {
		if part = min(part, on[i].room(d.Payer, e.fee)); part > 0 {
			on[i].shares = append(on[i].shares, Share{d, part})
			on[i].trim(e.fee)
		}
	}
}

func (a *attempt) taken(d *Discount) (sum money.Amount) {
	for i := range a.lines {
		for _, s := range a.lines[i].shares {
			if s.Discount == d {
				sum += s.Amount
			}
		}
	}
	return sum
}

// given returns the discounts that take something off, the oldest first.
func (a *attempt) given() (list []*Discount) {
	for i := range a.lines {
		for _, s := range a.lines[i].shares {
			if !slices.Contains(list, s.Discount) {
				list = append(list, s.Discount)
			}
		}
	}
	slices.SortFunc(list, byID)
	return list
}

// largestBeside returns the discount that takes most in the place of d: off the lines that d is for, or off others if there is none. It returns nil if
// nothing is given.
func (a *attempt) largestBeside(d *Discount) (largest *Discount) {
	same := false
	for i := range a.lines {
		for _, s := range a.lines[i].shares {
			is := d.isFor(a.lines[i].Package)
			if largest == nil || is && !same || is == same && a.taken(s.Discount) > a.taken(largest) {
				largest, same = s.Discount, is
			}
		}
	}
	return largest
}

// line is a line of an attempt.
type line struct {
	Line
	shares []Share
}

func (l *line) by(payer Payer) (sum money.Amount) {
	for _, s := range l.shares {
		if s.Discount.Payer == payer {
			sum += s.Amount
		}
	}
	return sum
}

func (l *line) left() money.Amount {
	left := l.Gross
	for _, s := range l.shares {
		left -= s.Amount
	}
	return left
}

// afterLine is what is left of the line after its discount of class OnLine.
func (l *line) afterLine() money.Amount {
	left := l.Gross
	for _, s := range l.shares {
		if s.Discount.Class == OnLine {
			left -= s.Amount
		}
	}
	return left
}

func (l *line) split(feeBasisPoints int64) Split {
	return l.Split(feeBasisPoints, l.by(Organisation), l.by(Agent), l.by(Platform))
}

// room is what a payer can take off the line besides what he has.
func (l *line) room(payer Payer, feeBasisPoints int64) money.Amount {
	whole := l.Split(feeBasisPoints, l.by(Organisation), 0, 0)
	switch payer {
	case Agent:
		return whole.Commission - l.by(Agent)
	case Platform:
		return whole.Share - l.by(Platform)
	default:
		return l.left()
	}
}

// trim takes from the agent's and the platform's parts of the line, the last first, what its smaller base has no room for.
func (l *line) trim(feeBasisPoints int64) {
	for _, payer := range []Payer{Agent, Platform} {
		for i := len(l.shares) - 1; i >= 0; i-- {
			if over := -l.room(payer, feeBasisPoints); over > 0 && l.shares[i].Discount.Payer == payer {
				l.shares[i].Amount -= min(over, l.shares[i].Amount)
			}
		}
	}
	l.shares = slices.DeleteFunc(l.shares, func(s Share) bool { return s.Amount == 0 })
}
