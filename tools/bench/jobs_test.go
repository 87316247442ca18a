package bench

import (
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// BenchmarkJobs: how long after a sale, and after a paid QR, what must follow is under way. Both are seen from the rows:
// from when the job was put, before the commit, until it was done; the truth is less.
func BenchmarkJobs(b *testing.B) {
	const clients = 8
	s := open(b, "waiting", "1650000104", clients)
	conn := s.connect()
	waited := func(kind string) (all []time.Duration) {
		rows, err := conn.Query(b.Context(), `SELECT done_at - uuid_extract_timestamp(id) FROM outbox WHERE kind = $1 AND done_at IS NOT NULL ORDER BY 1`, kind)
		require.NoError(b, err)
		all, err = pgx.CollectRows(rows, pgx.RowTo[time.Duration])
		require.NoError(b, err)
		return all
	}
	p99 := func(all []time.Duration) []float64 { return []float64{all[len(all)*99/100].Seconds()} }
	buy := s.goOn(func(n int) error { time.Sleep(50 * time.Millisecond); return s.buy(s.buyers[n]) })
	drive(b, clients, *window*time.Duration(*rounds), buy)
	for range 100 { // paid one after the other; its webhook is known by what it is about
		s.PayFor(s.buyers[0].phone.StartTopUp(100_00).ID, map[string]any{})
		require.NoError(b, s.ForgetLimits())
	}
	s.Eventually("every job is done", func() bool { return len(place.Undone(s.Organisation)) == 0 })

	notices, credits := waited("notice"), waited("charge.heard")
	require.NotEmpty(b, credits)
	seen := func(all []time.Duration) string {
		return "middle " + all[len(all)/2].Round(time.Millisecond).String() + ", longest " + slices.Max(all).Round(time.Millisecond).String()
	}
	atMost("commit to its notice told, p99", 1, " s", p99(notices), seen(notices))
	atMost("webhook to the top-up credited, p99", 1, " s", p99(credits), seen(credits))
}
