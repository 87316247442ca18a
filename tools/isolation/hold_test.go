package isolation

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
)

// looked has no night look at what is odd here: a job would hold something, and write down that it looked, while other calls are tried.
func (s *shop) looked() {
	s.in(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO hold_look (one, day, looked_at) VALUES (true, current_date + 7, now()) ON CONFLICT (one) DO UPDATE SET day = excluded.day`)
		return err
	})
}

// held is a hold of an order that ann has just bought, as if an agent had sold it.
func (s *shop) held() (id uuid.UUID) {
	s.T.Helper()
	order, of := s.Buy(s.ann.Browser).ID, s.payee()
	id = db.NewID()
	s.in(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO commission_hold (id, order_id, payee_id, signal, evidence, state, held_at, ends_at) VALUES ($1, $2, $3, 'device', '', 'held', now(), now() + interval '30 days')`, id, order, of)
		return err
	})
	return id
}
