package reports

import (
	"github.com/google/uuid"

	"welovevoucher/platform/resource"
)

// Explain returns the statements that read a page of each report whose rows come in pages: the first, and the one after an order, a use and a transfer.
// A test has Postgres explain them.
func Explain(days Days, order, use, transfer uuid.UUID) map[string]resource.Statement {
	from, to := days.instants()
	const limit = 101
	kinds := WalletsFilter{}.kinds()
	return map[string]resource.Statement{
		"sold":                 {SQL: sold, Args: []any{from, to, nil, nil, limit}},
		"sold, a later page":   {SQL: sold, Args: []any{from, to, nil, order, limit}},
		"uses":                 {SQL: used, Args: []any{from, to, nil, nil, limit}},
		"uses, a later page":   {SQL: used, Args: []any{from, to, nil, use, limit}},
		"wallet":               {SQL: moved, Args: []any{days.From, days.To, kinds, nil, nil, limit}},
		"wallet, a later page": {SQL: moved, Args: []any{days.From, days.To, kinds, transfer, uuid.Nil, limit}},
	}
}
