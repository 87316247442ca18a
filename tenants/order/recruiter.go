package order

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/commission"
)

type recruiterRow struct {
	Order       uuid.UUID    `db:"order_id"`
	Position    int          `db:"position"`
	Recruiter   uuid.UUID    `db:"recruiter_id"`
	BasisPoints int64        `db:"basis_points"`
	Commission  money.Amount `db:"commission_satang"`
	Recruited   money.Amount `db:"recruiter_satang"`
}

var insertRecruiterShares = db.NewBulk[recruiterRow](`INSERT INTO recruiter_share (order_id, position, recruiter_id, basis_points, commission_satang, recruiter_satang)
	SELECT unnest(@order_id::uuid[]), unnest(@position::smallint[]), unnest(@recruiter_id::uuid[]), unnest(@basis_points::int[]), unnest(@commission_satang::bigint[]), unnest(@recruiter_satang::bigint[])`)

const recruiterShares = `SELECT position, recruiter_id, recruiter_satang FROM recruiter_share WHERE order_id = $1`

// saveRecruiterShares queues what of the commission of each line goes to who recruited the agent. Most orders have nothing of it.
func saveRecruiterShares(tx db.Tx, priced []pricedOrder) {
	var rows []recruiterRow
	for _, o := range priced {
		for i, amount := range o.recruited {
			if amount > 0 {
				rows = append(rows, recruiterRow{Order: o.id, Position: i, Recruiter: *o.referral.Recruiter, BasisPoints: o.rates[i].Recruiter, Commission: o.lineSums[i].Commission, Recruited: amount})
			}
		}
	}
	if len(rows) > 0 {
		insertRecruiterShares.Queue(tx, rows)
	}
}

// withRecruiterShares returns an order that waited for its money with what was saved of its recruiter's part.
func (o pricedOrder) withRecruiterShares(ctx context.Context, tx db.Tx) (pricedOrder, error) {
	if o.referral == nil {
		return o, nil
	}
	rows, err := tx.Query(ctx, recruiterShares, o.id)
	if err != nil {
		return o, fmt.Errorf("recruiter's part of order %s: %w", o.id, err)
	}
	o.recruited = make([]money.Amount, len(o.lines))
	var position int
	var recruiter uuid.UUID
	var amount money.Amount
	_, err = pgx.ForEachRow(rows, []any{&position, &recruiter, &amount}, func() error {
		o.recruited[position], o.referral.Recruiter = amount, &recruiter
		return nil
	})
	if err != nil {
		return o, fmt.Errorf("recruiter's part of order %s: %w", o.id, err)
	}
	return o, nil
}

// earned returns what the agent and who recruited him earn of an order.
func (o pricedOrder) earned() []commission.Earned {
	if o.referral == nil {
		return nil
	}
	sums, recruited := o.totals(), money.Amount(0)
	for _, amount := range o.recruited {
		recruited += amount
	}
	by := []commission.Earned{{Order: o.id, Level: commission.Seller, Payee: o.referral.Agent, Rule: o.referral.Rule, Amount: sums.Commission - recruited, Paid: sums.Paid()}}
	if recruited > 0 {
		by = append(by, commission.Earned{Order: o.id, Level: commission.Recruiter, Payee: *o.referral.Recruiter, Rule: o.referral.Rule, Amount: recruited, Paid: sums.Paid()})
	}
	return by
}
