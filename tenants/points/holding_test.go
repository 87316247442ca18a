package points

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/money"
	"welovevoucher/tenants/ledger"
)

func day(text string) time.Time {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return t
}

// TestExample is the example of the design, to the point.
func TestExample(t *testing.T) {
	ann := uuid.New()
	december, june := day("2027-12-31"), day("2028-06-30")
	issued, owed := ledger.SystemAccount(ledger.PointsIssued), ledger.AccountOf(ledger.PointsOwed, ann)
	h := &holding{customer: ann}
	h.add(100, december)

	bought := facts{paid: 833_00, kept: 833_00, points: 833_00 / (100 * 25), countsFrom: new(time.Time)}
	n, again := bought.due(time.Now())
	require.EqualValues(t, 33, n)
	require.Nil(t, again)
	require.Equal(t, june, lapsesOn(day("2027-06-13"), 12))
	require.Equal(t, []ledger.Posting{{Debit: issued, Credit: ledger.LotOf(ann, june), Amount: 33}}, h.add(33, june))

	require.Equal(t, []ledger.Posting{
		{Debit: ledger.LotOf(ann, december), Credit: issued, Amount: 100}, {Debit: ledger.LotOf(ann, june), Credit: issued, Amount: 20},
	}, h.take(120, time.Time{}))

	bought.kept -= 416_49
	n, _ = bought.due(time.Now())
	require.EqualValues(t, 17, n)
	require.Equal(t, []ledger.Posting{{Debit: ledger.LotOf(ann, june), Credit: issued, Amount: 13}, {Debit: owed, Credit: issued, Amount: 3}}, h.take(33-n, june))
	require.EqualValues(t, -3, h.total())

	require.Equal(t, []ledger.Posting{{Debit: issued, Credit: owed, Amount: 3}, {Debit: issued, Credit: ledger.LotOf(ann, june), Amount: 57}}, h.add(60, june))
	require.EqualValues(t, 57, h.total())
}

// TestDue: points come with the window or with uses, never more than all, and not while there is a dispute.
func TestDue(t *testing.T) {
	now := day("2026-12-01")
	later := now.Add(time.Hour)
	for _, c := range []struct {
		name  string
		facts facts
		want  int64
		again *time.Time
	}{
		{"before the window has passed", facts{points: 10, paid: 100, kept: 100, countsFrom: &later}, 0, &later},
		{"after it", facts{points: 10, paid: 100, kept: 100, countsFrom: &now}, 10, nil},
		{"a third was taken back", facts{points: 10, paid: 99, kept: 66, countsFrom: &now}, 7, nil},
		{"all was", facts{points: 10, paid: 99, countsFrom: &now}, 0, nil},
		{"a third was used", facts{points: 10, paid: 99, kept: 99, used: 33, next: &later}, 3, &later},
		{"of very much", facts{points: 1e11, paid: int64(money.Max), kept: int64(money.Max), used: int64(money.Max)}, 1e11, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, again := c.facts.due(now)
			require.Equal(t, c.want, n)
			require.Equal(t, c.again, again)
			c.facts.disputed = true
			n, again = c.facts.due(now)
			require.Zero(t, n)
			require.NotNil(t, again)
			c.facts.granted = 2
			n, _ = c.facts.due(now)
			require.Equal(t, min(2, c.want), n)
		})
	}
}

// model is what a customer has, counted in the plainest way.
type model struct {
	lots map[time.Time]int64
	owed int64
}

// TestRandomSteps: after any 2,000 grants, refunds, adjustments and days, lots and what is owed are those of a model, one of them is nothing, and every account has moved by its part.
func TestRandomSteps(t *testing.T) {
	for seed := range uint64(5) {
		dice := rand.New(rand.NewPCG(seed, 1))
		ann, now := uuid.New(), day("2026-12-01").Add(12*time.Hour)
		hs := &holdings{of: map[uuid.UUID]*holding{ann: {customer: ann}}}
		h := hs.of[ann]
		m := model{lots: map[time.Time]int64{}}
		f := facts{order: uuid.New(), customer: ann, months: 2}
		var rows []grantRow
		for range 2000 {
			before := len(hs.transfers)
			today := now.UTC().Truncate(24 * time.Hour)
			switch dice.IntN(5) {
			case 0: // a grant
				n := dice.Int64N(40) + 1
				got := hs.settle(f, f.granted+n, left(rows), now)
				require.Len(t, got, 1)
				rows, f.granted = append(rows, got...), f.granted+n
				pays := min(n, m.owed)
				m.owed -= pays
				m.lots[lapsesOn(today, 2)] += n - pays
			case 1: // a refund
				if f.granted == 0 {
					continue
				}
				n := dice.Int64N(f.granted) + 1
				rest := n
				for _, g := range left(rows) {
					by := min(rest, g.left)
					rest -= by
					if by > 0 && !g.lapses.Before(today) {
						m.take(by, g.lapses)
					}
				}
				require.Zero(t, rest)
				got := hs.settle(f, f.granted-n, left(rows), now)
				rows, f.granted = append(rows, got...), f.granted-n
			case 2: // somebody adjusts down
				if has := h.total(); has > 0 {
					n := dice.Int64N(has) + 1
					hs.post("points_adjusted", uuid.New(), h.take(n, time.Time{}))
					m.take(n, time.Time{})
				}
			case 3: // or up
				n := dice.Int64N(30) + 1
				hs.post("points_adjusted", uuid.New(), h.add(n, lapsesOn(today, 1)))
				pays := min(n, m.owed)
				m.owed -= pays
				m.lots[lapsesOn(today, 1)] += n - pays
			default: // days pass
				now = now.AddDate(0, 0, dice.IntN(9))
				n, _ := h.lapse(now.UTC().Truncate(24*time.Hour), false)
				var gone int64
				for d := range m.lots {
					if d.Before(now.UTC().Truncate(24 * time.Hour)) {
						gone += m.lots[d]
						delete(m.lots, d)
					}
				}
				require.Equal(t, gone, n)
			}
			require.Equal(t, m.owed, h.owed)
			var sum int64
			for _, l := range h.lots {
				require.GreaterOrEqual(t, l.left, int64(0))
				require.Equal(t, m.lots[l.lapses], l.left)
				sum += l.left
			}
			require.Zero(t, min(sum, h.owed))
			for _, made := range hs.transfers[before:] {
				require.NotEmpty(t, made.Postings)
				for _, p := range made.Postings {
					require.Positive(t, p.Amount)
					require.NotEqual(t, p.Debit, p.Credit)
				}
			}
		}
	}
}

// left returns what is left of grants, the newest first.
func left(rows []grantRow) (all []granted) {
	taken := map[uuid.UUID]int64{}
	for _, r := range slices.Backward(rows) {
		if r.Of != nil {
			taken[*r.Of] += r.Points
		} else {
			all = append(all, granted{r.ID, r.Order, r.Lapses, r.Points + taken[r.ID]})
		}
	}
	return all
}

func (m *model) take(n int64, first time.Time) {
	by := min(n, m.lots[first])
	if by > 0 {
		m.lots[first] -= by
		n -= by
	}
	for n > 0 {
		var earliest time.Time
		for d, has := range m.lots {
			if has > 0 && (earliest.IsZero() || d.Before(earliest)) {
				earliest = d
			}
		}
		if earliest.IsZero() {
			m.owed += n
			return
		}
		by := min(n, m.lots[earliest])
		m.lots[earliest] -= by
		n -= by
	}
}
