package overview_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/tenants/overview"
	"welovevoucher/tenants/tenanttest"
)

// staffOf pages through the staff that a filter finds, one at a time.
func staffOf(t *testing.T, s *overview.Service, f overview.StaffFilter) []overview.Staff {
	t.Helper()
	return allOf(t, func(p overview.Page) ([]overview.Staff, *string, error) {
		page, err := s.Staff(t.Context(), overview.StaffInput{StaffFilter: f, Page: p})
		return page.Data, page.Next, err
	})
}

// requireSameStaff: the copy is what the organisation has.
func requireSameStaff(t *testing.T, w *tenanttest.World, s *overview.Service) {
	t.Helper()
	found := staffOf(t, s, overview.StaffFilter{Org: &w.Org})
	require.Len(t, found, int(w.Count(`SELECT count(*) FROM staff WHERE status <> 9`)))
	for _, one := range found {
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM staff s LEFT JOIN second_factor f ON f.subject_id = s.id
			WHERE s.id = $1 AND s.name = $2 AND s.role = $3 AND s.status = $4 AND (f.counts_from IS NOT NULL) = $5`,
			one.ID, one.Name, one.Role, one.Status, one.SecondFactor), one.Name)
	}
}

func TestStaff(t *testing.T) {
	w, s := open(t)
	owner, door := w.Owner(), w.Staff()
	w.Force(`UPDATE staff SET name = CASE id WHEN $1 THEN 'Nat 100%' ELSE 'nattaya/ๆ' END`, owner.Subject)
	require.NoError(t, s.Follow(t.Context(), w.Org))
	requireSameStaff(t, w, s)

	t.Run("who is changed, protected by a code, or removed is so in the copy, once", func(t *testing.T) {
		w.Clock.Advance(time.Hour)
		w.Force(`INSERT INTO second_factor (subject_id, secret, created_at) VALUES ($1, '\x00', $2)`, owner.Subject, w.Clock.Now())
		require.NoError(t, s.Follow(t.Context(), w.Org))
		requireSameStaff(t, w, s)
		w.Force(`UPDATE second_factor SET counts_from = $1`, w.Clock.Now())
		w.Force(`UPDATE staff SET status = 2, updated_at = $2 WHERE id = $1`, door.Subject, w.Clock.Now())
		for range 2 {
			require.NoError(t, s.Follow(t.Context(), w.Org))
			requireSameStaff(t, w, s)
		}
		require.Equal(t, door.Subject, staffOf(t, s, overview.StaffFilter{Org: &w.Org})[0].ID)
	})

	t.Run("they are searched and narrowed, each once", func(t *testing.T) {
		for search, n := range map[string]int{"NAT": 2, "nat 100%": 1, "nat_": 0, "taya": 0, "nattaya/": 1, " Nattaya/ๆ ": 1} {
			require.Len(t, staffOf(t, s, overview.StaffFilter{Search: search, Org: &w.Org}), n, search)
			require.Len(t, staffOf(t, s, overview.StaffFilter{Search: search}), n, search)
		}
		require.Empty(t, staffOf(t, s, overview.StaffFilter{Org: new(w.NewOrg(t))}))
		for _, after := range []string{"x", "x/y/z", uuid.Max.String() + "/y/z", uuid.Max.String() + "/" + uuid.Max.String() + "/z"} {
			_, err := s.Staff(t.Context(), overview.StaffInput{Page: overview.Page{After: after}})
			require.ErrorIs(t, err, fault.BadInput)
		}
	})

	t.Run("a file has them, and the audit log says that it was made", func(t *testing.T) {
		file, err := s.StaffFile(t.Context(), admin, "en", overview.StaffFilter{Org: &w.Org})
		require.NoError(t, err)
		require.Contains(t, file.Text, "Nat 100%")
		require.Contains(t, file.Text, "Owner's deputy, everything")
		require.Len(t, strings.Split(strings.TrimSpace(file.Text), "\n"), 3)
		requireExported(t, w, "overview_staff")
	})

	t.Run("whose account was removed is not listed", func(t *testing.T) {
		w.Force(`UPDATE staff SET status = 9, updated_at = $2 WHERE id = $1`, door.Subject, w.Clock.Now())
		require.NoError(t, s.Follow(t.Context(), w.Org))
		requireSameStaff(t, w, s)
		require.Len(t, staffOf(t, s, overview.StaffFilter{Org: &w.Org}), 1)
	})

	t.Run("Build corrects what was changed by hand", func(t *testing.T) {
		require.NoError(t, w.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			tx.Queue(`UPDATE overview_staff SET role = 'user' WHERE org_id = $1`, w.Org)
			tx.Queue(`INSERT INTO overview_staff (org_id, id, name, role, status, second_factor, joined_at, changed_at) VALUES ($1, $2, 'nobody', 'user', 5, false, now(), now())`, w.Org, uuid.Max)
			return nil
		}))
		require.NoError(t, s.Build(t.Context(), w.Org))
		requireSameStaff(t, w, s)
	})
}

// TestStaffPlans: however many people there are, a page reads no more rows than it shows.
func TestStaffPlans(t *testing.T) {
	w, s := open(t)
	force := func(sql string) {
		require.NoError(t, w.InAsSuperuser(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, sql)
			return err
		}))
	}
	force(fmt.Sprintf(`INSERT INTO platform.overview_staff (org_id, id, name, role, status, second_factor, joined_at, changed_at)
		SELECT '%s', gen_random_uuid(), 'Somebody ' || k, 'user', 5, false, now(), now() - k * interval '1 second' FROM generate_series(1, 30000) k`, w.Org))
	force(`ANALYZE platform.overview_staff`)
	t.Cleanup(func() { force(fmt.Sprintf(`DELETE FROM platform.overview_staff WHERE org_id = '%s'`, w.Org)) })
	const limit = 51
	for name, f := range map[string]overview.StaffFilter{
		"change": {}, "name": {Search: "some"}, "change in one": {Org: &w.Org}, "name in one": {Org: &w.Org, Search: "some"},
	} {
		page, err := s.Staff(t.Context(), overview.StaffInput{StaffFilter: f})
		require.NoError(t, err)
		require.NotNil(t, page.Next)
		for _, after := range []string{"", *page.Next} {
			sql, args, err := overview.StaffStatement(f, after, limit)
			require.NoError(t, err)
			requireQuickPage(t, w, name, limit, sql, args)
		}
	}
}

// requireQuickPage: no step of a page's plan reads many more rows of a copy than are shown.
func requireQuickPage(t *testing.T, w *tenanttest.World, name string, limit float64, sql string, args []any) {
	t.Helper()
	require.NoError(t, w.DB.ReadInPlatform(t.Context(), func(tx db.Tx) error {
		var plan []struct{ Plan map[string]any }
		var text []byte
		if err := tx.QueryRow(t.Context(), `EXPLAIN (ANALYZE, FORMAT JSON) `+sql, args...).Scan(&text); err != nil {
			return err
		}
		require.NoError(t, json.Unmarshal(text, &plan))
		requireFewRows(t, name, plan[0].Plan, limit)
		return nil
	}))
}
