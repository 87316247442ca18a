package chaos

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/rate"
)

// specialRate is what the agent earns of one package, or of all, in place of what his type earns.
type specialRate struct {
	row rate.Row
	of  *pack // nil: all
}

// holds reports whether a rate is of a day.
func (s *specialRate) holds(day string) bool {
	return s.row.FirstDay <= day && (s.row.LastDay == nil || day <= *s.row.LastDay)
}

// overlaps reports whether two rates of the same share a day.
func (s *specialRate) overlaps(other *specialRate) bool {
	return s != other && s.of == other.of && (other.row.LastDay == nil || s.row.FirstDay <= *other.row.LastDay) && (s.row.LastDay == nil || other.row.FirstDay <= *s.row.LastDay)
}

// earned is the commission of an order that is made now, of the agent and of who recruited him.
func (s *shop) earned(p *pack, n int, total int64, now time.Time) (seller, recruiter int64) {
	most := total - roundHalfUp(total, feeBasisPoints)
	both := func(seller, recruiter int64) (int64, int64) {
		seller = min(seller, most)
		return seller, min(roundHalfUp(total, recruiter), most-seller)
	}
	for _, of := range []*pack{p, nil} {
		for _, special := range s.rates {
			switch {
			case special.of != of || !special.holds(dayOf(now)):
			case special.row.Kind == rate.Baht:
				return both(special.row.Value*int64(n), int64(special.row.Recruiter))
			default:
				return both(roundHalfUp(total, special.row.Value), int64(special.row.Recruiter))
			}
		}
	}
	return both(roundHalfUp(total, agentBasisPoints), recruiterBasisPoints)
}

func dayOf(now time.Time) string { return clock.Day(now).Format(time.DateOnly) }

// AddRate is the owner, who says what the agent earns of a package or of all, from today or later.
func (w *walk) AddRate(r *rapid.T) {
	special := &specialRate{row: rate.Row{Type: w.agentType, Kind: rate.Percent, Value: rapid.Int64Range(0, rate.MaxPercent).Draw(r, "basis points")}}
	if rapid.Bool().Draw(r, "in baht") {
		special.row.Kind, special.row.Value = rate.Baht, rapid.Int64Range(0, 150_00).Draw(r, "satang a piece")
	}
	if rapid.Bool().Draw(r, "for the recruiter too") {
		most := rate.MaxPercent - special.row.Value
		if special.row.Kind == rate.Baht {
			most = rate.MaxPercent
		}
		special.row.Recruiter = int32(rapid.Int64Range(0, most).Draw(r, "basis points of the recruiter"))
	}
	if rapid.IntRange(0, 3).Draw(r, "of one") > 0 {
		special.of = one(r, "package", w.model.packages)
		special.row.Package = &special.of.id
	}
	first := w.now().AddDate(0, 0, rapid.IntRange(0, 2).Draw(r, "begins in"))
	special.row.FirstDay = dayOf(first)
	if rapid.IntRange(0, 4).Draw(r, "ends") > 0 {
		last := dayOf(first.AddDate(0, 0, rapid.IntRange(0, 20).Draw(r, "days")))
		special.row.LastDay = &last
	}
	if err := w.saveRate(r, special); w.mayShareNoDay(r, special, err) {
		w.model.rates = append(w.model.rates, special)
	}
}

// EndRate is the owner, who gives a rate another last day, or withdraws one that has not begun.
func (w *walk) EndRate(r *rapid.T) {
	special, today := one(r, "rate", w.model.rates), dayOf(w.now())
	if rapid.IntRange(0, 3).Draw(r, "withdraws") == 0 {
		err := w.w.DB.InOrg(r.Context(), w.w.Org, func(tx db.Tx) error {
			return rate.SpecialRates.SetStatus(r.Context(), tx, auditlog.Actor{ID: w.owner.Subject}, []uuid.UUID{special.row.ID}, resource.Deleted)
		})
		if special.row.FirstDay <= today {
			require.ErrorIs(r, err, rate.ErrBegun)
			return
		}
		require.NoError(r, err)
		w.model.rates = slices.DeleteFunc(w.model.rates, func(s *specialRate) bool { return s == special })
		return
	}
	before := special.row
	last := dayOf(w.now().AddDate(0, 0, rapid.IntRange(0, 9).Draw(r, "ends in")))
	last = max(last, special.row.FirstDay)
	special.row.LastDay = &last
	err := w.saveRate(r, special)
	if before.LastDay != nil && *before.LastDay < today {
		require.ErrorIs(r, err, rate.ErrOver)
		special.row = before
		return
	}
	if !w.mayShareNoDay(r, special, err) {
		special.row = before
	}
}

func (w *walk) saveRate(r *rapid.T, special *specialRate) error {
	return w.w.DB.InOrg(r.Context(), w.w.Org, func(tx db.Tx) error {
		saved, err := rate.SpecialRates.Save(context.WithoutCancel(r.Context()), tx, auditlog.Actor{ID: w.owner.Subject}, special.row)
		if err == nil {
			special.row = saved
		}
		return err
	})
}

// mayShareNoDay requires that a rate was refused if another of the same has one of its days, and saved otherwise.
func (w *walk) mayShareNoDay(r *rapid.T, special *specialRate, err error) (saved bool) {
	if slices.ContainsFunc(w.model.rates, special.overlaps) {
		require.ErrorIs(r, err, rate.ErrOverlap)
		return false
	}
	require.NoError(r, err)
	return true
}
