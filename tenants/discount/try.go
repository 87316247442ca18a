package discount

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/rate"
)

// TryInput asks what a cart would cost, and who would earn of it, with a discount or an agents' rate as a form has it, saved or not.
type TryInput struct {
	Discount      *Row       `json:"discount,omitempty" required:"false"`
	Rate          *rate.Row  `json:"rate,omitempty" required:"false" doc:"A special rate"`
	BaseRate      *int64     `json:"base_rate_basis_points,omitempty" required:"false" minimum:"0" maximum:"5000" doc:"Of the agent type; null: as it is saved"`
	BaseRecruiter *int64     `json:"base_recruiter_basis_points,omitempty" required:"false" minimum:"0" maximum:"5000" doc:"Of the agent type, for who recruited the agent; null: as it is saved"`
	Recruited     bool       `json:"recruited,omitempty" required:"false" doc:"Somebody who sells here recruited the agent"`
	Day           *string    `json:"day,omitempty" required:"false" format:"date" doc:"Of the order, in Bangkok; null: today"`
	Lines         []TryLine  `json:"lines" minItems:"1" maxItems:"30"`
	Codes         []string   `json:"codes" maxItems:"4" maxLength:"40" doc:"Of other discounts"`
	First         bool       `json:"first" doc:"The buyer has bought nothing yet"`
	UsedEach      int        `json:"used_each" minimum:"0" maximum:"9999" doc:"How often he has used this discount"`
	Channel       int        `json:"channel" minimum:"1" maximum:"9" doc:"Of sale"`
	AgentType     *uuid.UUID `json:"agent_type_id" nullable:"true" doc:"Whose agent sells it; null: nobody's"`
}

// TryLine is a line of a cart.
type TryLine struct {
	Package  uuid.UUID `json:"package_id"`
	Quantity int       `json:"quantity" minimum:"1" maximum:"99"`
}

// Trial is what a cart would cost.
type Trial struct {
	Lines      []TrialLine  `json:"lines"`
	Full       money.Amount `json:"full_satang" doc:"Before discounts"`
	Total      money.Amount `json:"total_satang" doc:"What the buyer pays"`
	Fee        money.Amount `json:"fee_satang"`
	Commission money.Amount `json:"commission_satang" doc:"The agent's"`
	Recruiter  money.Amount `json:"recruiter_satang" doc:"Of who recruited him"`
	Share      money.Amount `json:"share_satang" doc:"What the organisation earns when all is used"`
	Discounts  []Reduction  `json:"discounts"`
	Lost       []Loss       `json:"lost" doc:"Each active discount that is not given, and this one, with the reason"`
}

// TrialLine is a line with its price.
type TrialLine struct {
	Package  uuid.UUID    `json:"package_id"`
	NameTH   string       `json:"name_th"`
	NameEN   string       `json:"name_en"`
	Quantity int          `json:"quantity"`
	Full     money.Amount `json:"full_satang"`
	Amount   money.Amount `json:"amount_satang"`

	Commission  money.Amount `json:"commission_satang" doc:"The agent's"`
	Recruiter   money.Amount `json:"recruiter_satang" doc:"Of who recruited him"`
	SpecialRate *uuid.UUID   `json:"special_rate_id" nullable:"true" doc:"By which the agent earns; null: by the base rate of his type"`
	RateKind    rate.Kind    `json:"rate_kind" enum:",percent,baht" doc:"Empty where no agent sells it"`
	RateValue   int64        `json:"rate_value" doc:"Basis points, or satang for each piece"`
}

const (
	priceOf    = `SELECT name_th, name_en, price_satang FROM package WHERE id = $1 AND status <> 9`
	baseRateOf = `SELECT rate_basis_points, recruiter_basis_points FROM agent_type WHERE id = $1`
	packagesAt = `SELECT package_id FROM package_tag WHERE tag_id = ANY ($1)`
)

// Try returns what a cart would cost if the discount and the rate were active as the form has them, by the market's own Evaluate. It returns the faults of
// saving them, and fault.NotInList for a package or an agent type that there is not.
func (s *Service) Try(ctx context.Context, org uuid.UUID, feeBasisPoints int64, in TryInput) (t Trial, err error) {
	var bad []fault.Field
	if in.Discount != nil {
		bad = append(bad, check(*in.Discount)...)
	}
	if in.Rate != nil {
		bad = append(bad, in.Rate.Check()...)
	}
	if len(bad) > 0 {
		return t, fault.Of(bad...)
	}
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		cart, err := t.price(ctx, tx, in.Lines)
		if err != nil {
			return err
		}
		if err := in.addRates(ctx, tx, cart); err != nil {
			return err
		}
		t.describeRates(cart)
		var tried *Discount
		if in.Discount != nil {
			if tried, err = in.Discount.tried(ctx, tx); err != nil {
				return err
			}
		}
		return t.evaluate(ctx, tx, feeBasisPoints, cart, tried, in)
	})
	return t, err
}

// addRates says by which rate an agent of the type would earn of each line.
func (in TryInput) addRates(ctx context.Context, tx db.Tx, cart []Line) error {
	if in.AgentType == nil {
		return nil
	}
	day := clock.Day(tx.Now)
	if in.Day != nil {
		var err error
		if day, err = time.Parse(time.DateOnly, *in.Day); err != nil {
			return fault.At("day", fault.WrongFormat)
		}
	}
	var base, recruiter int64
	err := tx.QueryRow(ctx, baseRateOf, in.AgentType).Scan(&base, &recruiter)
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.At("agent_type_id", fault.NotInList)
	}
	if err != nil {
		return fmt.Errorf("agent type %s: %w", in.AgentType, err)
	}
	if in.BaseRate != nil {
		base = *in.BaseRate
	}
	if in.BaseRecruiter != nil {
		recruiter = *in.BaseRecruiter
	}
	rates, err := rate.Read(ctx, tx)
	if err != nil {
		return err
	}
	if in.Rate != nil {
		if err := rates.Try(ctx, tx, *in.Rate); err != nil {
			return err
		}
	}
	for i := range cart {
		cart[i].Rate = rates.Of(*in.AgentType, rate.Base(base, recruiter), cart[i].Package, day)
		if !in.Recruited {
			cart[i].Rate = cart[i].Rate.Alone()
		}
	}
	return nil
}

func (t *Trial) describeRates(cart []Line) {
	for i, l := range cart {
		t.Lines[i].SpecialRate, t.Lines[i].RateKind, t.Lines[i].RateValue = l.Rate.Special, l.Rate.Kind, l.Rate.Value
	}
}

// price adds the lines as they cost without discounts.
func (t *Trial) price(ctx context.Context, tx db.Tx, lines []TryLine) (cart []Line, err error) {
	for i, l := range lines {
		line, price := TrialLine{Package: l.Package, Quantity: l.Quantity}, money.Amount(0)
		err := tx.QueryRow(ctx, priceOf, l.Package).Scan(&line.NameTH, &line.NameEN, &price)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, fault.At(fmt.Sprintf("lines.%d.package_id", i), fault.NotInList)
		}
		if err != nil {
			return nil, fmt.Errorf("package %s: %w", l.Package, err)
		}
		if line.Full, err = price.Times(l.Quantity); err != nil {
			return nil, fault.At("lines", fault.TooBig)
		}
		if t.Full, err = t.Full.Plus(line.Full); err != nil {
			return nil, fault.At("lines", fault.TooBig)
		}
		t.Lines, cart = append(t.Lines, line), append(cart, Line{Package: l.Package, Quantity: l.Quantity, Gross: line.Full})
	}
	return cart, nil
}

// tried returns a discount as a form has it.
func (r Row) tried(ctx context.Context, tx db.Tx) (*Discount, error) {
	d := &Discount{
		ID: r.ID, NameTH: r.NameTH, NameEN: r.NameEN, How: r.How, Class: r.Class, Kind: r.Kind, Value: r.Value, Max: r.Max, Payer: r.Payer, Least: r.Least,
		LeastItems: int(r.LeastItems), FirstOnly: r.FirstOnly, Starts: r.Starts, Ends: r.Ends, Stack: r.Stack, Position: int(r.Position), Packages: slices.Clone(r.Packages),
		ForTH: []string{}, ForEN: []string{},
	}
	if d.ID == uuid.Nil { // as it would be made now, the youngest
		d.ID = db.NewID()
	}
	if r.UsesEach != nil {
		n := int(*r.UsesEach)
		d.UsesEach = &n
	}
	for _, c := range r.Channels {
		d.Channels = append(d.Channels, int(c))
	}
	if len(r.Tags) == 0 {
		return d, nil
	}
	rows, err := tx.Query(ctx, packagesAt, r.Tags)
	if err != nil {
		return nil, fmt.Errorf("packages with tags: %w", err)
	}
	tagged, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, fmt.Errorf("packages with tags: %w", err)
	}
	d.Packages = append(append(d.Packages, tagged...), uuid.Nil) // of tags without packages, none
	return d, nil
}

// evaluate prices the cart with the tried discount, if there is one, beside the others that are active.
func (t *Trial) evaluate(ctx context.Context, tx db.Tx, feeBasisPoints int64, cart []Line, tried *Discount, in TryInput) error {
	var active []*Discount
	tx.Queue(selectActive).Query(func(rows pgx.Rows) (err error) {
		active, err = pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[Discount])
		return err
	})
	if err := tx.Flush(ctx); err != nil {
		return fmt.Errorf("active discounts: %w", err)
	}
	active = slices.DeleteFunc(active, func(d *Discount) bool { return tried != nil && d.ID == tried.ID })
	wish := Wish{Codes: in.Codes, Packages: db.Column(cart, func(l Line) uuid.UUID { return l.Package })}
	counters, err := Read(ctx, tx, active, wish)
	if err != nil {
		return err
	}
	buyer := Buyer{Now: tx.Now, Channel: in.Channel, First: in.First}
	standings := map[uuid.UUID]Standing{}
	var asked []*Discount
	for _, d := range active {
		if d.How == Automatic {
			asked = append(asked, d)
		}
	}
	if counters != nil {
		standings = counters.left
		for _, typed := range in.Codes {
			code := counters.codes[CleanCode(typed)]
			code.Text = typed
			if at := slices.IndexFunc(active, func(d *Discount) bool { return d.ID == code.Discount && d.How != Automatic }); at >= 0 && !slices.Contains(asked, active[at]) {
				asked = append(asked, active[at])
			}
			buyer.Codes = append(buyer.Codes, code)
		}
	}
	if tried != nil {
		if tried.How != Automatic {
			buyer.Codes = append(buyer.Codes, Code{Text: CleanCode(in.Discount.Code), Discount: tried.ID})
		}
		asked = append(asked, tried)
		standings[tried.ID] = in.left()
	}
	r := Evaluate(feeBasisPoints, cart, buyer, asked, standings)

	for i, l := range r.Lines {
		t.Lines[i].Amount, t.Lines[i].Commission, t.Lines[i].Recruiter = l.Paid(), l.Commission, l.Recruiter
		t.Total, t.Recruiter = t.Total+l.Paid(), t.Recruiter+l.Recruiter
		t.Fee, t.Commission, t.Share = t.Fee+l.Fee, t.Commission+l.Commission, t.Share+l.Share
	}
	t.Discounts, t.Lost = r.Reductions(), r.Lost
	if t.Lost == nil {
		t.Lost = []Loss{}
	}
	return nil
}

// left is what the form leaves of its discount.
func (in TryInput) left() Standing {
	s := Standing{Mine: in.UsedEach}
	if in.Discount.Uses != nil {
		n := int(*in.Discount.Uses - in.Discount.Used)
		s.Uses = &n
	}
	if in.Discount.Budget != nil {
		left := *in.Discount.Budget - in.Discount.Spent
		s.Budget = &left
	}
	return s
}
