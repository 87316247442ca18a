package board_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/voucher"
)

func (s shop) listed(t *testing.T, q resource.Query) []resource.Row[board.Row] {
	t.Helper()
	var page resource.Page[board.Row]
	s.In(func(ctx context.Context, tx db.Tx) (err error) {
		page, err = board.Offers.List(ctx, tx, q)
		return err
	})
	return page.Data
}

func TestReport(t *testing.T) {
	t.Run("each customer reports it once, however often at once, and the shop sees why", func(t *testing.T) {
		s := open(t, threeItems)
		f := s.offer(t, 900_00)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if err := s.Board.Report(context.Background(), s.bob, board.ReportInput{Offer: f.ID, Reason: "price"}); err != nil {
					t.Errorf("report: %v", err)
				}
			})
		}
		wg.Wait()
		require.NoError(t, s.Board.Report(t.Context(), s.Customer(0), board.ReportInput{Offer: f.ID, Reason: "outside"}))
		d, err := s.Board.Detail(t.Context(), s.bob, f.ID)
		require.NoError(t, err)
		require.True(t, d.Reported)
		d, err = s.Board.Detail(t.Context(), s.ann, f.ID)
		require.NoError(t, err)
		require.False(t, d.Reported, "its seller is not informed")

		s.voucher = s.MustBuy(s.ann, s.pkg)
		s.offer(t, 900_00)
		rows := s.listed(t, resource.Query{Filter: map[string]any{"reported": true}})
		require.Len(t, rows, 1)
		require.Equal(t, f.ID, rows[0].Value.ID)
		require.Equal(t, 2, rows[0].Value.Reports)
		require.Equal(t, "outside,price", rows[0].Value.Reasons)
		require.Len(t, s.listed(t, resource.Query{Filter: map[string]any{"reported": false}}), 1)
	})

	t.Run("not his own, none that is over for him, none of another shop, ten a day", func(t *testing.T) {
		s := open(t, threeItems)
		f := s.offer(t, 900_00)
		report := func(id uuid.UUID) error {
			return s.Board.Report(t.Context(), s.bob, board.ReportInput{Offer: id, Reason: "other"})
		}
		require.ErrorIs(t, s.Board.Report(t.Context(), s.ann, board.ReportInput{Offer: f.ID, Reason: "other"}), board.ErrOwn)
		require.ErrorIs(t, report(uuid.New()), board.ErrNotFound)
		foreign := open(t, threeItems)
		require.ErrorIs(t, report(foreign.offer(t, 900_00).ID), board.ErrNotFound)
		_, err := s.Board.Cancel(t.Context(), s.ann, f.ID)
		require.NoError(t, err)
		require.ErrorIs(t, report(f.ID), board.ErrOver)
		f = s.offer(t, 900_00)
		_, err = s.buy(s.bob, f.ID)
		require.NoError(t, err)
		require.NoError(t, report(f.ID), "he bought it")

		for i := range 10 {
			s.voucher = s.MustBuy(s.ann, s.pkg)
			f := s.offer(t, 900_00)
			err := report(f.ID)
			if i < 9 {
				require.NoError(t, err)
				_, err = s.Board.Cancel(t.Context(), s.ann, f.ID)
				require.NoError(t, err)
				continue
			}
			require.ErrorIs(t, err, board.ErrReported)
			s.Clock.Advance(24 * time.Hour)
			require.NoError(t, report(f.ID))
			s.Force(`UPDATE customer SET status = 1 WHERE id = $1`, s.bob.Subject)
			require.ErrorIs(t, report(f.ID), customer.ErrSuspended)
			s.requireState(t, voucher.OnSale, s.ann)
		}
	})
}
