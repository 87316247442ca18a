package catalog

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

// Stock is what is left of some packages, locked until the transaction ends: nobody else takes of it meanwhile.
type Stock struct {
	left  map[uuid.UUID]*int // nil: as much as anybody wants
	taken map[uuid.UUID]int
}

var (
	lockStock = db.Bulk(`SELECT package_id, quantity - sold FROM stock WHERE package_id = ANY ($1::uuid[]) ORDER BY package_id FOR NO KEY UPDATE`)
	takeStock = db.Bulk(`UPDATE stock SET sold = sold + t.n FROM (SELECT unnest($1::uuid[]) AS package_id, unnest($2::int[]) AS n) AS t
		WHERE stock.package_id = t.package_id`)
)

// LockStock locks it in the order of packages; it is there with the transaction's next answer.
func LockStock(tx db.Tx, packages []uuid.UUID) *Stock {
	s := &Stock{left: map[uuid.UUID]*int{}, taken: map[uuid.UUID]int{}}
	tx.QueueRows(lockStock, packages).Query(func(rows pgx.Rows) error {
		var id uuid.UUID
		var n *int
		_, err := pgx.ForEachRow(rows, []any{&id, &n}, func() error {
			s.left[id] = n
			return nil
		})
		if err != nil {
			return fmt.Errorf("lock stock: %w", err)
		}
		return nil
	})
	return s
}

// Has returns ErrSoldOut when fewer than n pieces are left.
func (s *Stock) Has(id uuid.UUID, n int) error {
	left, counted := s.left[id]
	if !counted || left != nil && *left-s.taken[id] < n {
		return ErrSoldOut.With(map[string]uuid.UUID{"package_id": id})
	}
	return nil
}

// Take takes pieces that there are.
func (s *Stock) Take(id uuid.UUID, n int) { s.taken[id] += n }

// Write writes what was taken. The constraint stock_not_oversold would refuse more than there is.
func (s *Stock) Write(tx db.Tx) {
	ids := slices.Collect(maps.Keys(s.taken))
	if len(ids) > 0 {
		tx.QueueRows(takeStock, ids, db.Column(ids, func(id uuid.UUID) int { return s.taken[id] }))
	}
}
