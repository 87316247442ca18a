package reports

import (
	"github.com/google/uuid"

	"welovevoucher/platform/resource"
)

// Middles are rows in the middle of reports, after which a later page begins.
type Middles struct {
	Order, Use, Transfer, Change, Commission, Payout uuid.UUID
}

// Explain returns the statements that read a page of each report whose rows come in pages: the first, and a later one. A test has Postgres explain them.
func Explain(days Days, after Middles) map[string]resource.Statement {
	from, to := days.instants()
	const limit = 101
	kinds := WalletsFilter{}.kinds()
	return map[string]resource.Statement{
		"sold":                 {SQL: sold, Args: []any{from, to, nil, nil, limit}},
		"sold, a later page":   {SQL: sold, Args: []any{from, to, nil, after.Order, limit}},
		"uses":                 {SQL: used, Args: []any{from, to, nil, nil, limit}},
		"uses, a later page":   {SQL: used, Args: []any{from, to, nil, after.Use, limit}},
		"wallet":               {SQL: moved, Args: []any{days.From, days.To, kinds, nil, nil, limit}},
		"wallet, a later page": {SQL: moved, Args: []any{days.From, days.To, kinds, after.Transfer, uuid.Nil, limit}},

		"points":               {SQL: pointMoves, Args: []any{days.From, days.To, PointsFilter{}.kinds(), nil, limit}},
		"points, a later page": {SQL: pointMoves, Args: []any{days.From, days.To, PointsFilter{}.kinds(), after.Transfer, limit}},

		"commissions":                  {SQL: commissions, Args: []any{from, to, nil, "", nil, limit}},
		"commissions, a later page":    {SQL: commissions, Args: []any{from, to, nil, "", after.Change, limit}},
		"sales of agents":              {SQL: linkSales, Args: []any{from, to, nil, nil, limit}},
		"sales of agents, later":       {SQL: linkSales, Args: []any{from, to, nil, after.Order, limit}},
		"by voucher":                   {SQL: commissionByVoucher, Args: []any{to, from, to, nil, nil, nil, limit}},
		"by voucher, a later page":     {SQL: commissionByVoucher, Args: []any{to, from, to, nil, after.Commission, uuid.Nil, limit}},
		"paid to agents":               {SQL: paidOut, Args: []any{days.From, days.To, nil, "", nil, limit}},
		"paid to agents, a later page": {SQL: paidOut, Args: []any{days.From, days.To, nil, "", after.Payout, limit}},
	}
}
