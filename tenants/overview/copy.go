package overview

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

const (
	// overlap is how far before the end of the last copy the next one begins: a transaction's rows have the time of its begin, and its ids too.
	overlap = 10 * time.Minute
	// copiedAt is how many rows are copied at a time.
	copiedAt = 2000
)

// source is what a list of all organisations is copied from in each of them.
type source[R any] struct {
	page, byID  string // rows behind an id in the order of ids, with a limit; rows with some ids
	scan        pgx.RowToFunc[R]
	id          func(r R) uuid.UUID
	own         func(r *R, org uuid.UUID) // says whose a row is
	gone        func(r R) bool            // says which rows are not listed
	keep        *db.Bulk[R]
	drop        string // of an organisation, what has some ids
	dropBetween string // of an organisation, what is behind an id up to another, or to the end if that is NULL, but some ids
}

func (from source[R]) ids(rows []R) []uuid.UUID { return db.Column(rows, from.id) }

// copyAll copies all rows of an organisation, and drops from the copy what it does not have.
func (from source[R]) copyAll(ctx context.Context, s *Service, org uuid.UUID) error {
	var after uuid.UUID
	for {
		read := func(tx db.Tx) (pgx.Rows, error) { return tx.Query(ctx, from.page, after, copiedAt) }
		found, err := from.copy(ctx, s, org, read, func(tx db.Tx, found []R) {
			var upTo *uuid.UUID
			if len(found) == copiedAt {
				upTo = new(from.id(found[len(found)-1]))
			}
			tx.Queue(from.dropBetween, org, after, upTo, from.ids(found))
		})
		if err != nil || len(found) < copiedAt {
			return err
		}
		after = from.id(found[len(found)-1])
	}
}

// copyThese copies the rows that have some ids.
func (from source[R]) copyThese(ctx context.Context, s *Service, org uuid.UUID, ids []uuid.UUID) error {
	for some := range slices.Chunk(ids, copiedAt) {
		read := func(tx db.Tx) (pgx.Rows, error) { return tx.Query(ctx, from.byID, some) }
		if _, err := from.copy(ctx, s, org, read, func(db.Tx, []R) {}); err != nil {
			return err
		}
	}
	return nil
}

// copy keeps the rows that read finds, and drops others with drop, in one transaction. It returns what it has found. Of two at the same time one
// reads again.
func (from source[R]) copy(ctx context.Context, s *Service, org uuid.UUID, read func(tx db.Tx) (pgx.Rows, error), drop func(tx db.Tx, found []R)) (found []R, err error) {
	for {
		before, err := s.begin(ctx, org)
		if err != nil {
			return nil, err
		}
		err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
			tx.Queue(longRead)
			rows, err := read(tx)
			if err != nil {
				return err
			}
			found, err = pgx.CollectRows(rows, from.scan)
			return err
		})
		if err != nil {
			return nil, err
		}
		for i := range found {
			from.own(&found[i], org)
		}
		kept := false
		err = s.db.InPlatform(ctx, func(tx db.Tx) error {
			raised, err := tx.Exec(ctx, raise, org, before)
			if kept = err == nil && raised.RowsAffected() == 1; !kept {
				return err
			}
			if there := slices.DeleteFunc(slices.Clone(found), from.gone); len(there) > 0 {
				from.keep.Queue(tx, there)
			}
			if gone := slices.DeleteFunc(slices.Clone(found), func(r R) bool { return !from.gone(r) }); len(gone) > 0 {
				tx.Queue(from.drop, org, from.ids(gone))
			}
			drop(tx, found)
			return nil
		})
		if err != nil || kept {
			return found, err
		}
	}
}

// readIDs returns the ids that a statement finds in an organisation.
func (s *Service) readIDs(ctx context.Context, org uuid.UUID, sql string, args ...any) (ids []uuid.UUID, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		tx.Queue(longRead)
		ids, err = collect(ctx, tx, pgx.RowTo[uuid.UUID], sql, args...)
		return err
	})
	return ids, err
}

// idsSince returns the lowest id that may have been made when a copy ended whose mark is given, less the overlap.
func idsSince(mark uuid.UUID) uuid.UUID {
	seconds, nanoseconds := mark.Time().UnixTime()
	return db.LowestID(time.Unix(seconds, nanoseconds).Add(-overlap))
}
