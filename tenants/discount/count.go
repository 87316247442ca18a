package discount

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
)

// Wish is a cart that somebody wants: its packages, and the codes that he has typed.
type Wish struct {
	Customer uuid.UUID
	Packages []uuid.UUID
	Codes    []string
}

// MaxCodes is how many codes one cart may have.
const MaxCodes = 5

// CleanCode returns a code as it is kept: people type it small, with spaces and with lines.
func CleanCode(text string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(strings.TrimSpace(text)))
}

const (
	codesByText = `SELECT id, code, discount_id, uses - used, customer_id FROM discount_code WHERE code = ANY ($1) AND status = 5 ORDER BY id`
	lockCodes   = codesByText + ` FOR NO KEY UPDATE`
	// Of discounts, and of those that codes name.
	countsOf = `SELECT discount_id, uses - used, budget_satang - spent_satang FROM discount_count
		WHERE discount_id = ANY ($1) OR discount_id IN (SELECT discount_id FROM discount_code WHERE code = ANY ($2)) ORDER BY discount_id`
	lockCounts = countsOf + ` FOR NO KEY UPDATE`
	// Of customers, also from before they erased themselves.
	usesOf = `SELECT w.customer_id, u.discount_id, u.nth FROM unnest($3::uuid[]) AS w (customer_id) JOIN discount_use u
			ON u.customer_id = w.customer_id OR u.customer_id IN (SELECT f.customer_id FROM former_customer f WHERE f.successor_id = w.customer_id)
		WHERE u.freed_at IS NULL AND (u.discount_id = ANY ($1) OR u.discount_id IN (SELECT discount_id FROM discount_code WHERE code = ANY ($2)))`
	whoBought = `SELECT w.customer_id FROM unnest($1::uuid[]) AS w (customer_id) WHERE EXISTS (SELECT FROM orders o WHERE o.state <> 'expired'
		AND (o.customer_id = w.customer_id OR o.customer_id IN (SELECT f.customer_id FROM former_customer f WHERE f.successor_id = w.customer_id)))`
)

type (
	countRow struct {
		Discount uuid.UUID    `db:"discount_id"`
		Used     int          `db:"used"`
		Spent    money.Amount `db:"spent"`
	}
	codeRow struct {
		Code uuid.UUID `db:"id"`
		Used int       `db:"used"`
	}
	useRow struct {
		ID       uuid.UUID    `db:"id"`
		Order    uuid.UUID    `db:"order_id"`
		Discount uuid.UUID    `db:"discount_id"`
		Code     *uuid.UUID   `db:"code_id"`
		Customer uuid.UUID    `db:"customer_id"`
		Nth      int          `db:"nth"`
		Amount   money.Amount `db:"amount_satang"`
		At       time.Time    `db:"used_at"`
	}
	lineRow struct {
		Order    uuid.UUID    `db:"order_id"`
		Position int          `db:"position"`
		Discount uuid.UUID    `db:"discount_id"`
		Payer    Payer        `db:"payer"`
		Amount   money.Amount `db:"amount_satang"`
	}
)

// The constraints discount_count_used_up, discount_count_budget_spent, discount_code_used_up and discount_use_once refuse what Counters let through.
var (
	insertUses = db.NewBulk[useRow](`INSERT INTO discount_use (id, order_id, discount_id, code_id, customer_id, nth, amount_satang, used_at)
		SELECT unnest(@id::uuid[]), unnest(@order_id::uuid[]), unnest(@discount_id::uuid[]), unnest(@code_id::uuid[]), unnest(@customer_id::uuid[]), unnest(@nth::int[]),
			unnest(@amount_satang::bigint[]), unnest(@used_at::timestamptz[])`)
	insertLines = db.NewBulk[lineRow](`INSERT INTO line_discount (order_id, position, discount_id, payer, amount_satang)
		SELECT unnest(@order_id::uuid[]), unnest(@position::smallint[]), unnest(@discount_id::uuid[]), unnest(@payer::text[]), unnest(@amount_satang::bigint[])`)
	updateCodes = db.NewBulk[codeRow](`UPDATE discount_code SET used = discount_code.used + t.used
		FROM (SELECT unnest(@id::uuid[]) AS id, unnest(@used::int[]) AS used) AS t WHERE discount_code.id = t.id`)
	updateCounts = db.NewBulk[countRow](`UPDATE discount_count SET used = discount_count.used + t.used, spent_satang = discount_count.spent_satang + t.spent
		FROM (SELECT unnest(@discount_id::uuid[]) AS discount_id, unnest(@used::int[]) AS used, unnest(@spent::bigint[]) AS spent) AS t
		WHERE discount_count.discount_id = t.discount_id`)
)

// Counters has what is left of the discounts that some carts may have. Locked ones belong to the transaction until it ends: what one order takes is gone
// for those after it.
type Counters struct {
	discounts []*Discount // all that are active
	codes     map[string]Code
	left      map[uuid.UUID]Standing
	nths      map[mine][]int
	bought    map[uuid.UUID]bool

	uses  []useRow
	lines []lineRow
}

// mine is the key of a customer's uses of a discount.
type mine struct{ customer, discount uuid.UUID }

// Read reads what is left of the discounts that carts may have. It returns nil if they can have none.
func Read(ctx context.Context, tx db.Tx, discounts []*Discount, wishes ...Wish) (*Counters, error) {
	return load(ctx, tx, discounts, wishes, codesByText, countsOf)
}

// Lock is Read, and locks it: codes by id, then the counts by discount. Their buyers are locked before it, and everything else that their orders lock.
func Lock(ctx context.Context, tx db.Tx, discounts []*Discount, wishes ...Wish) (*Counters, error) {
	return load(ctx, tx, discounts, wishes, lockCodes, lockCounts)
}

func load(ctx context.Context, tx db.Tx, discounts []*Discount, wishes []Wish, selectCodes, selectCounts string) (*Counters, error) {
	c := &Counters{discounts: discounts, codes: map[string]Code{}, left: map[uuid.UUID]Standing{}, nths: map[mine][]int{}, bought: map[uuid.UUID]bool{}}
	ids, texts, customers := []uuid.UUID{}, []string{}, []uuid.UUID{}
	for _, w := range wishes {
		possible := Possible(discounts, w.Packages, tx.Now)
		if len(possible) == 0 && len(w.Codes) == 0 {
			continue
		}
		for _, d := range possible {
			ids = append(ids, d.ID)
		}
		for _, code := range w.Codes {
			texts = append(texts, CleanCode(code))
		}
		customers = append(customers, w.Customer)
	}
	if len(customers) == 0 {
		return nil, nil //nolint:nilnil // no cart can have any
	}
	if len(texts) > 0 {
		tx.Queue(selectCodes, texts).Query(func(rows pgx.Rows) error {
			var code Code
			_, err := pgx.ForEachRow(rows, []any{&code.ID, &code.Text, &code.Discount, &code.Uses, &code.Customer}, func() error {
				c.codes[code.Text] = code
				return nil
			})
			return err
		})
	}
	tx.Queue(selectCounts, ids, texts).Query(func(rows pgx.Rows) error {
		var id uuid.UUID
		var s Standing
		_, err := pgx.ForEachRow(rows, []any{&id, &s.Uses, &s.Budget}, func() error {
			c.left[id] = s
			return nil
		})
		return err
	})
	tx.Queue(usesOf, ids, texts, customers).Query(func(rows pgx.Rows) error {
		var of mine
		var nth int
		_, err := pgx.ForEachRow(rows, []any{&of.customer, &of.discount, &nth}, func() error {
			c.nths[of] = append(c.nths[of], nth)
			return nil
		})
		return err
	})
	if slices.ContainsFunc(discounts, func(d *Discount) bool { return d.FirstOnly }) {
		tx.Queue(whoBought, customers).Query(func(rows pgx.Rows) error {
			var id uuid.UUID
			_, err := pgx.ForEachRow(rows, []any{&id}, func() error {
				c.bought[id] = true
				return nil
			})
			return err
		})
	}
	if err := tx.Flush(ctx); err != nil {
		return nil, fmt.Errorf("what is left of discounts: %w", err)
	}
	return c, nil
}

// Evaluate prices a cart of a wish's with what is left.
func (c *Counters) Evaluate(feeBasisPoints int64, cart []Line, w Wish, channel int, now time.Time) Result {
	buyer := Buyer{Customer: w.Customer, Now: now, Channel: channel, First: !c.bought[w.Customer]}
	asked := Possible(c.discounts, w.Packages, now)
	for _, typed := range w.Codes {
		code := c.codes[CleanCode(typed)]
		code.Text = typed
		at := slices.IndexFunc(c.discounts, func(d *Discount) bool { return d.ID == code.Discount })
		switch {
		case at < 0:
			code.Discount = uuid.Nil
		case c.discounts[at].How != Automatic && !slices.Contains(asked, c.discounts[at]):
			asked = append(asked, c.discounts[at])
		}
		buyer.Codes = append(buyer.Codes, code)
	}
	standings := map[uuid.UUID]Standing{}
	for _, d := range asked {
		s := c.left[d.ID]
		s.Mine = len(c.nths[mine{w.Customer, d.ID}])
		standings[d.ID] = s
	}
	return Evaluate(feeBasisPoints, cart, buyer, asked, standings)
}

// Take takes what an order is given, so that those after it find it gone.
func (c *Counters) Take(order, customer uuid.UUID, r Result, now time.Time) {
	c.bought[customer] = true
	for _, g := range r.Given {
		key := mine{customer, g.Discount.ID}
		use := useRow{ID: db.NewID(), Order: order, Discount: g.Discount.ID, Customer: customer, Nth: free(c.nths[key]), Amount: g.Amount, At: now}
		c.nths[key] = append(c.nths[key], use.Nth)
		c.left[key.discount] = c.left[key.discount].less(g.Amount)
		if g.Code != nil {
			use.Code = &g.Code.ID
			kept := CleanCode(g.Code.Text)
			code := c.codes[kept]
			code.Uses = less(code.Uses)
			c.codes[kept] = code
		}
		c.uses = append(c.uses, use)
	}
	for i, l := range r.Lines {
		for _, s := range l.Shares {
			c.lines = append(c.lines, lineRow{order, i, s.Discount.ID, s.Discount.Payer, s.Amount})
		}
	}
}

// free returns the smallest number from 1 that is not taken.
func free(taken []int) int {
	nth := 1
	for slices.Contains(taken, nth) {
		nth++
	}
	return nth
}

func less(n *int) *int {
	if n == nil {
		return nil
	}
	left := *n - 1
	return &left
}

func (s Standing) less(amount money.Amount) Standing {
	s.Uses = less(s.Uses)
	if s.Budget != nil {
		left := *s.Budget - amount
		s.Budget = &left
	}
	return s
}

// Save queues what was taken, the counts last, without result handlers, so that COMMIT may go in the same round trip. The orders and their lines are
// queued before it.
func (c *Counters) Save(tx db.Tx) {
	if len(c.uses) == 0 {
		return
	}
	insertUses.Queue(tx, c.uses)
	insertLines.Queue(tx, c.lines)
	codes, counts := sums(c.uses, 1)
	if len(codes) > 0 {
		updateCodes.Queue(tx, codes)
	}
	updateCounts.Queue(tx, counts)
}

// sums returns by how much uses change codes and counts, each once, by id.
func sums(uses []useRow, sign int) (codes []codeRow, counts []countRow) {
	ofCodes, ofDiscounts := map[uuid.UUID]codeRow{}, map[uuid.UUID]countRow{}
	for _, u := range uses {
		if u.Code != nil {
			ofCodes[*u.Code] = codeRow{*u.Code, ofCodes[*u.Code].Used + sign}
		}
		n := ofDiscounts[u.Discount]
		ofDiscounts[u.Discount] = countRow{u.Discount, n.Used + sign, n.Spent + money.Amount(sign)*u.Amount}
	}
	codes = slices.SortedFunc(maps.Values(ofCodes), func(a, b codeRow) int { return bytes.Compare(a.Code[:], b.Code[:]) })
	counts = slices.SortedFunc(maps.Values(ofDiscounts), func(a, b countRow) int { return bytes.Compare(a.Discount[:], b.Discount[:]) })
	return codes, counts
}

const (
	freeUses       = `UPDATE discount_use SET freed_at = $2 WHERE order_id = ANY ($1) AND freed_at IS NULL RETURNING id, order_id, discount_id, code_id, customer_id, nth, amount_satang, used_at`
	lockFreedCodes = `SELECT id FROM discount_code WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE`
	lockFreed      = `SELECT discount_id FROM discount_count WHERE discount_id = ANY ($1) ORDER BY discount_id FOR NO KEY UPDATE`
)

// Free gives back the uses of orders that are over without their money, or refunded whole. It frees each once. It comes after everything else that its
// transaction locks.
func Free(ctx context.Context, tx db.Tx, orders ...uuid.UUID) error {
	rows, err := tx.Query(ctx, freeUses, orders, tx.Now)
	if err != nil {
		return fmt.Errorf("free uses of discounts: %w", err)
	}
	uses, err := pgx.CollectRows(rows, pgx.RowToStructByPos[useRow])
	if err != nil {
		return fmt.Errorf("free uses of discounts: %w", err)
	}
	if len(uses) == 0 {
		return nil
	}
	codes, counts := sums(uses, -1)
	if len(codes) > 0 {
		tx.Queue(lockFreedCodes, db.Column(codes, func(c codeRow) uuid.UUID { return c.Code }))
		updateCodes.Queue(tx, codes)
	}
	tx.Queue(lockFreed, db.Column(counts, func(c countRow) uuid.UUID { return c.Discount }))
	updateCounts.Queue(tx, counts)
	return nil
}

// Reduction is what a discount takes off a cart, or took off an order.
type Reduction struct {
	ID     uuid.UUID    `json:"id"`
	NameTH string       `json:"name_th"`
	NameEN string       `json:"name_en"`
	Code   string       `json:"code" doc:"By which it was asked for; empty of one that needs none"`
	Amount money.Amount `json:"amount_satang"`
}

// Reductions returns what was given, as the buyer reads it.
func (r Result) Reductions() []Reduction {
	list := []Reduction{}
	for _, g := range r.Given {
		one := Reduction{ID: g.Discount.ID, NameTH: g.Discount.NameTH, NameEN: g.Discount.NameEN, Amount: g.Amount}
		if g.Code != nil {
			one.Code = g.Code.Text
		}
		list = append(list, one)
	}
	return list
}

const reductionsOf = `SELECT d.id, d.name_th, d.name_en, coalesce(c.code, ''), u.amount_satang
	FROM discount_use u JOIN discount d ON d.id = u.discount_id LEFT JOIN discount_code c ON c.id = u.code_id WHERE u.order_id = $1 ORDER BY d.id`

// OfOrder queues the read of what discounts took off an order.
func OfOrder(tx db.Tx, order uuid.UUID, into *[]Reduction) {
	tx.Queue(reductionsOf, order).Query(func(rows pgx.Rows) (err error) {
		*into, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Reduction])
		return err
	})
}
