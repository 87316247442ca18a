// Package commission keeps what payees earn of sales: what of it is due, and what of that has matured and can be paid out.
//
// Due and mature are computed from the facts, whenever one of them has changed and when time alone makes more mature. The difference is a change: a row
// and a transfer, which moves money between what is pending, payable or owed.
package commission

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/ledger"
)

// When commission matures: at the sale, when items are used and nobody can object to it any more, or some whole days after the sale.
const (
	atSale = "sale"
	atUse  = "use"
	byDays = "days"
)

// Rule says when the commission of an order matures. It is frozen with the order.
type Rule struct {
	Matures string // sale, use, days
	Days    int    // whole days after the day of the sale, for days
}

// on returns when all that is due has matured by time alone; the zero time for a rule by use.
func (r Rule) on(sold time.Time) time.Time {
	switch r.Matures {
	case atSale:
		return sold
	case byDays:
		return clock.Start(clock.Day(sold).AddDate(0, 0, r.Days+1))
	}
	return time.Time{}
}

// Earned is the commission of an order that has just been paid.
type Earned struct {
	Order  uuid.UUID
	Level  Level
	Payee  uuid.UUID
	Rule   Rule
	Amount money.Amount
	Paid   money.Amount // for the order
}

type earnedRow struct {
	ID         uuid.UUID    `db:"id"`
	Order      uuid.UUID    `db:"order_id"`
	Level      Level        `db:"level"`
	Payee      uuid.UUID    `db:"agent_id"`
	Amount     money.Amount `db:"amount_satang"`
	Paid       money.Amount `db:"paid_satang"`
	Matures    string       `db:"matures"`
	MatureDays int          `db:"mature_days"`
	MaturesAt  *time.Time   `db:"matures_at"`
	At         time.Time    `db:"at"`
}

var insertEarned = db.NewBulk[earnedRow](`INSERT INTO commission (id, order_id, level, agent_id, amount_satang, due_satang, paid_satang, matures, mature_days, matures_at, created_at, updated_at)
	SELECT unnest(@id::uuid[]), unnest(@order_id::uuid[]), unnest(@level::smallint[]), unnest(@agent_id::uuid[]), unnest(@amount_satang::bigint[]), unnest(@amount_satang::bigint[]),
		unnest(@paid_satang::bigint[]), unnest(@matures::text[]), unnest(@mature_days::int[]), unnest(@matures_at::timestamptz[]), unnest(@at::timestamptz[]), unnest(@at::timestamptz[])`)

// Accrue queues the insert of commissions. The money itself is a posting of each purchase's transfer. Nothing has matured yet, also by a rule at the sale:
// Mature posts that, so that a purchase has no more to write.
func Accrue(tx db.Tx, earned []Earned) {
	var rows []earnedRow
	for _, e := range earned {
		if e.Amount == 0 {
			continue
		}
		row := earnedRow{ID: db.NewID(), Order: e.Order, Level: e.Level, Payee: e.Payee, Amount: e.Amount, Paid: e.Paid, Matures: e.Rule.Matures, MatureDays: e.Rule.Days, At: tx.Now}
		if at := e.Rule.on(tx.Now); !at.IsZero() {
			row.MaturesAt = &at
		}
		rows = append(rows, row)
	}
	if len(rows) > 0 {
		insertEarned.Queue(tx, rows)
	}
}

// Pending is the account of what a payee has earned and what has not matured.
func Pending(payee uuid.UUID) ledger.Account {
	return ledger.AccountOf(ledger.CommissionPending, payee)
}

func payable(payee uuid.UUID) ledger.Account {
	return ledger.AccountOf(ledger.CommissionPayable, payee)
}

func receivable(payee uuid.UUID) ledger.Account {
	return ledger.AccountOf(ledger.CommissionReceivable, payee)
}
