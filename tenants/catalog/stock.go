package catalog

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

// Stock has the pieces left of some packages, whose rows are locked until the transaction ends.
type Stock struct {
	left  *db.Pending[map[uuid.UUID]*int] // nil: unlimited
	taken map[uuid.UUID]int
}

type takenRow struct {
	Package uuid.UUID `db:"package_id"`
	Pieces  int       `db:"pieces"`
}

const lockStock = `SELECT package_id, quantity - sold FROM stock WHERE package_id = ANY ($1) ORDER BY package_id FOR NO KEY UPDATE`

var takeStock = db.NewBulk[takenRow](`UPDATE stock SET sold = sold + t.pieces
	FROM (SELECT unnest(@package_id::uuid[]) AS package_id, unnest(@pieces::int[]) AS pieces) AS t WHERE stock.package_id = t.package_id`)

// LockStock queues the lock of packages' stock, in the order of package ids.
func LockStock(tx db.Tx, packages []uuid.UUID) *Stock {
	left := db.Await(tx.Queue(lockStock, packages), func(rows pgx.Rows) (map[uuid.UUID]*int, error) {
		all := map[uuid.UUID]*int{}
		var id uuid.UUID
		var n *int
		_, err := pgx.ForEachRow(rows, []any{&id, &n}, func() error {
			all[id] = n
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("lock stock: %w", err)
		}
		return all, nil
	})
	return &Stock{left: left, taken: map[uuid.UUID]int{}}
}

// Check returns ErrSoldOut if fewer than n pieces are left.
func (s *Stock) Check(id uuid.UUID, n int) error {
	left, counted := s.left.Get()[id]
	if !counted || left != nil && *left-s.taken[id] < n {
		return ErrSoldOut.With(map[string]uuid.UUID{"package_id": id})
	}
	return nil
}

// Take takes pieces that Check has found.
func (s *Stock) Take(id uuid.UUID, n int) { s.taken[id] += n }

// Save queues the update of what was taken. The constraint stock_not_oversold refuses what Check let through.
func (s *Stock) Save(tx db.Tx) {
	var rows []takenRow
	for id, n := range s.taken {
		rows = append(rows, takenRow{id, n})
	}
	if len(rows) > 0 {
		takeStock.Queue(tx, rows)
	}
}

const giveBack = `UPDATE stock SET sold = sold - $2 WHERE package_id = $1`

// GiveBack gives back n pieces that an order took and nobody paid for.
func GiveBack(ctx context.Context, tx db.Tx, id uuid.UUID, n int) error {
	if _, err := tx.Exec(ctx, giveBack, id, n); err != nil {
		return fmt.Errorf("give %d of package %s back: %w", n, id, err)
	}
	return nil
}
