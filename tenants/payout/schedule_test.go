package payout_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/tax"
)

func (o *office) settings() payout.Settings {
	o.t.Helper()
	all, err := o.Payout.Settings(o.t.Context(), o.Org)
	require.NoError(o.t, err)
	return all
}

// inDays adds a schedule of the weekday of a number of days from now.
func (o *office) inDays(n int) {
	o.t.Helper()
	day := clock.Day(o.Clock.Now()).AddDate(0, 0, n)
	require.NoError(o.t, o.Payout.AddSchedule(o.t.Context(), o.Org, actor(o.first), payout.Rhythm{Kind: payout.Agents, Every: "week", Day: (int(day.Weekday())+6)%7 + 1}))
}

// drafts has a worker draft what schedules say, and returns how the only schedule is then.
func (o *office) drafts() payout.Schedule {
	o.t.Helper()
	require.NoError(o.t, o.Payout.DraftScheduled(o.t.Context(), o.Org))
	o.work()
	all := o.settings().Schedules
	require.Len(o.t, all, 1)
	return all[0]
}

func (o *office) runs() (n int) {
	o.t.Helper()
	o.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT count(*) FROM payout_run`).Scan(&n)
	})
	return n
}

// at lets it become so long after midnight, of the day after n days.
func (o *office) at(n int, after time.Duration) {
	o.t.Helper()
	day := clock.Day(o.Clock.Now()).AddDate(0, 0, n)
	o.Clock.Advance(clock.Start(day).Add(after).Sub(o.Clock.Now()))
	o.first, o.second = o.SignInAnew(o.first), o.SignInAnew(o.second)
}

// TestScheduled: a schedule drafts one run on its day, whoever works on it and however often, and two people pay it.
func TestScheduled(t *testing.T) {
	o := open(t)
	nok := o.agent()
	o.sells(nok, 2)
	o.inDays(1)
	require.NoError(t, o.Payout.SaveSetting(t.Context(), o.Org, actor(o.first), payout.Setting{Minimum: 50_00}))
	require.Empty(t, o.drafts().Outcome, "not on the day before")
	o.at(1, 9*time.Minute)
	require.Empty(t, o.drafts().Outcome, "at 00:10")
	require.Equal(t, clock.Day(o.Clock.Now()).Format(time.DateOnly), *o.settings().Schedules[0].Next)
	o.at(0, 10*time.Minute)
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() { require.NoError(t, o.Payout.DraftScheduled(context.Background(), o.Org)) })
	}
	wait.Wait()
	one := o.drafts()
	require.Equal(t, "drafted", one.Outcome)
	require.Equal(t, 1, o.runs())
	run := o.run(*one.Run)
	require.Equal(t, one.Number, run.Record.Number)
	require.Equal(t, []payout.Step{{Does: "draft", At: run.Record.DraftedAt}}, run.Steps, "nobody drafted it")
	calendar, err := tax.ReadCalendar(t.Context(), o.DB)
	require.NoError(t, err)
	pays, _ := calendar.BankDayAfter(clock.Day(o.Clock.Now()), 2)
	require.Equal(t, pays.Format(time.DateOnly), run.Record.PayDay)
	require.Equal(t, clock.Day(o.Clock.Now()).AddDate(0, 0, -1).Format(time.DateOnly), run.Record.UpTo)
	require.Equal(t, money.Amount(50_00), run.Minimum)
	next, err := o.Payout.OwnNext(t.Context(), o.ann)
	require.NoError(t, err)
	require.Equal(t, run.Record.PayDay, *next.PayDay)

	t.Run("who proposed it does not approve it", func(t *testing.T) {
		asked, err := o.propose(run.Record.ID)
		require.NoError(t, err)
		require.Equal(t, approval.ErrOwn, o.answer(o.first, asked))
		require.NoError(t, o.answer(o.second, asked))
		o.work()
		require.Equal(t, payout.Approved, o.run(run.Record.ID).Record.State)
		o.MustBalance()
	})

	t.Run("who computes it anew drafted it", func(t *testing.T) {
		o.sells(o.agent(), 2)
		o.at(7, 2*time.Hour)
		o.drafts()
		again, err := o.Payout.Recompute(t.Context(), o.Org, actor(o.second), *o.settings().Schedules[0].Run)
		require.NoError(t, err)
		o.work()
		asked, err := o.propose(again.ID)
		require.NoError(t, err)
		require.Equal(t, payout.ErrSamePerson, o.answer(o.second, asked))
	})

	t.Run("a run is drafted by somebody or a schedule, not by both", func(t *testing.T) {
		for _, sql := range []string{`UPDATE payout_run SET drafted_by = $1`, `UPDATE payout_run SET drafted_by = NULL, schedule_id = NULL WHERE $1::uuid IS NOT NULL`} {
			require.Error(t, o.InAsSuperuser(func(ctx context.Context, tx db.Tx) error {
				_, err := tx.Exec(ctx, sql, o.first.Subject)
				return err
			}))
		}
	})
}

// TestScheduleSkips: where no right run can be drafted none is, and the schedule says why.
func TestScheduleSkips(t *testing.T) {
	o := open(t)
	low := o.agent()
	o.inDays(1)
	o.at(1, time.Hour)
	one := o.drafts()
	require.Equal(t, "empty", one.Outcome, "nothing at all could be paid out")
	require.Nil(t, one.Run)

	o.sells(low, 1)
	o.at(7, time.Hour)
	one = o.drafts()
	require.Equal(t, "empty", one.Outcome, "90.00 is less than 100.00")
	require.Equal(t, payout.Cancelled, o.run(*one.Run).Record.State, "no draft stands in the way of the next one")
	require.Equal(t, "below_minimum", o.of(*one.Run, low).LeftOut)

	o.sells(low, 2)
	o.at(6, time.Hour)
	by := o.draft()
	o.at(1, time.Hour)
	one = o.drafts()
	require.Equal(t, "draft_open", one.Outcome)
	require.Equal(t, payout.Draft, o.run(by).Record.State)
	require.NoError(t, o.Payout.Cancel(t.Context(), o.Org, actor(o.first), by))
	require.Equal(t, "draft_open", o.drafts().Outcome, "its day was dealt with")

	before := o.runs()
	require.NoError(t, o.Payout.SwitchSchedule(t.Context(), o.Org, actor(o.first), payout.Switch{ID: one.ID}))
	require.Nil(t, o.settings().Schedules[0].Next)
	o.at(7, time.Hour)
	require.Equal(t, "draft_open", o.drafts().Outcome, "it is off")
	require.NoError(t, o.Payout.SwitchSchedule(t.Context(), o.Org, actor(o.first), payout.Switch{ID: one.ID, Active: true}))
	require.Equal(t, "draft_open", o.drafts().Outcome, "what it missed while it was off is not drafted")
	require.Equal(t, before, o.runs())

	o.at(9, time.Hour)
	one = o.drafts()
	require.Equal(t, "drafted", one.Outcome, "what nobody worked on is drafted two days later")
	require.NoError(t, o.Payout.Cancel(t.Context(), o.Org, actor(o.first), *one.Run))

	require.NoError(t, o.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), `DELETE FROM bank_holiday`)
		return err
	}))
	o.at(7, time.Hour)
	require.Equal(t, "no_bank_days", o.drafts().Outcome)
	next, err := o.Payout.OwnNext(t.Context(), o.ann)
	require.NoError(t, err)
	require.Nil(t, next.PayDay)
}

func TestScheduleDays(t *testing.T) {
	o := open(t)
	add := func(every string, day int) error {
		return o.Payout.AddSchedule(t.Context(), o.Org, actor(o.first), payout.Rhythm{Kind: payout.Agents, Every: every, Day: day})
	}
	require.NoError(t, add("month", 31))
	require.NoError(t, add("month", 16))
	require.Equal(t, fault.At("day", fault.Duplicate), add("month", 31))
	require.Equal(t, fault.At("day", fault.NotInList), add("month", 29))
	require.Equal(t, fault.At("day", fault.NotInList), add("week", 8))
	require.Equal(t, fault.Missing, o.Payout.SwitchSchedule(t.Context(), o.Org, actor(o.first), payout.Switch{ID: uuid.New()}))
	id := o.settings().Schedules[0].ID
	require.NoError(t, o.Payout.SwitchSchedule(t.Context(), o.Org, actor(o.first), payout.Switch{ID: id}))
	require.NoError(t, add("month", 16), "it is switched on again")
	require.Equal(t, id, o.settings().Schedules[0].ID)
	require.NotNil(t, o.settings().Schedules[0].Next)
	last, err := time.Parse(time.DateOnly, *o.settings().Schedules[1].Next)
	require.NoError(t, err)
	require.Equal(t, 1, last.AddDate(0, 0, 1).Day(), "the last of the month")
}

// TestLate: a run for all of which the bank has not answered three bank days after its pay day is one that somebody has to look at.
func TestLate(t *testing.T) {
	o := open(t)
	nok, bee := o.agent(), o.agent()
	o.sells(nok, 2)
	o.sells(bee, 2)
	o.tomorrow()
	id := o.pays()
	require.NoError(t, o.says(o.of(id, bee).ID, "paid", ""))
	require.False(t, o.run(id).Record.ToDo)
	calendar, err := tax.ReadCalendar(t.Context(), o.DB)
	require.NoError(t, err)
	pays, err := time.Parse(time.DateOnly, o.run(id).Record.PayDay)
	require.NoError(t, err)
	third, ok := calendar.BankDayAfter(pays, 3)
	require.True(t, ok)
	for clock.Day(o.Clock.Now()).Before(third) {
		o.tomorrow()
		require.NoError(t, o.Payout.MarkLate(t.Context(), o.Org))
		require.False(t, o.run(id).Record.Late)
	}
	o.tomorrow()
	require.NoError(t, o.Payout.MarkLate(t.Context(), o.Org))
	require.NoError(t, o.Payout.MarkLate(t.Context(), o.Org))
	require.True(t, o.run(id).Record.Late)
	require.True(t, o.run(id).Record.ToDo)
	require.NoError(t, o.says(o.of(id, nok).ID, "paid", ""))
	require.False(t, o.run(id).Record.Late, "the bank has answered")
	require.False(t, o.run(id).Record.ToDo)
}

// TestBooksOpen: while the last audit found something, nobody approves a run.
func TestBooksOpen(t *testing.T) {
	o := open(t)
	nok := o.agent()
	o.sells(nok, 2)
	o.tomorrow()
	id := o.draft()
	asked, err := o.propose(id)
	require.NoError(t, err)
	o.Force(`UPDATE payee_balance SET payable_satang = payable_satang + 1 WHERE payee_id = $1`, nok)
	require.NoError(t, order.LogAudit(t.Context(), o.DB, o.Org))
	require.Equal(t, payout.ErrBooksOpen, o.answer(o.second, asked))
	detail, err := o.Approval.Detail(t.Context(), o.second, actor(o.second), approval.ByRequest{ID: asked})
	require.NoError(t, err)
	require.Equal(t, "payout.books_open", detail.Fault)
	o.Force(`UPDATE payee_balance SET payable_satang = payable_satang - 1 WHERE payee_id = $1`, nok)
	require.Equal(t, payout.ErrBooksOpen, o.answer(o.second, asked), "until they are found to balance")
	require.NoError(t, order.LogAudit(t.Context(), o.DB, o.Org))
	require.NoError(t, o.answer(o.second, asked))
	o.In(func(ctx context.Context, tx db.Tx) error {
		var rules []string
		require.NoError(t, tx.QueryRow(ctx, `SELECT rules FROM book_audit ORDER BY id LIMIT 1`).Scan(&rules))
		require.NotEmpty(t, rules)
		found, err := ledger.FoundLast(ctx, tx)
		require.False(t, found)
		return err
	})
}
