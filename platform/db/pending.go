package db

import "github.com/jackc/pgx/v5"

// Pending is a result that comes with the next flush of its transaction.
type Pending[T any] struct {
	value T
	ready bool
}

// Await has read make the result out of the rows of a queued statement.
func Await[T any](queued *pgx.QueuedQuery, read func(rows pgx.Rows) (T, error)) *Pending[T] {
	p := &Pending[T]{}
	queued.Query(func(rows pgx.Rows) (err error) {
		p.value, err = read(rows)
		p.ready = err == nil
		return err
	})
	return p
}

// Get returns the result. It panics before the flush, where it would be empty.
func (p *Pending[T]) Get() T {
	if !p.ready {
		panic("db: a result is read before the flush that brings it")
	}
	return p.value
}
