package org_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/tenanttest"
)

// TestList: search, state, plan and order together, page by page, and nothing twice.
func TestList(t *testing.T) {
	w := tenanttest.New(t)
	d := org.NewDirectory(w.DB)
	plan := addPlan(t, w, 5, 300)
	states := []org.State{org.Live, org.Live, org.Suspended, org.Provisioning, org.Live}
	require.NoError(t, w.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		for i, state := range states {
			id := db.NewID()
			_, err := tx.Exec(t.Context(), `INSERT INTO organisation (id, key, unique_name, name_th, name_en, plan_id, node, state, colour_primary, colour_secondary, created_at, updated_at)
				VALUES ($1, $1, $2, $3, $4, $5, 'main', $6, '#1f5c4d', '#d9a662', $7, $7)`,
				id, "l-"+id.String()[24:], fmt.Sprintf("ร้าน %d", 9-i), []string{"Same", "Same", "Spa 100%", "Other", "Alpha"}[i], plan, state, tx.Now)
			if err != nil {
				return err
			}
		}
		return nil
	}))
	all := func(in org.ListInput) (names []string) {
		in.Plan, in.Limit = &plan, 2
		seen := map[uuid.UUID]bool{}
		for {
			page, err := d.List(t.Context(), in)
			require.NoError(t, err)
			for _, o := range page.Data {
				require.False(t, seen[o.ID])
				seen[o.ID] = true
				names = append(names, o.NameTH)
			}
			if page.Next == nil {
				require.EqualValues(t, len(names), page.Total)
				return names
			}
			in.After = page.Next
		}
	}
	require.Equal(t, []string{"ร้าน 5", "ร้าน 6", "ร้าน 7", "ร้าน 8", "ร้าน 9"}, all(org.ListInput{}))
	require.Equal(t, []string{"ร้าน 9", "ร้าน 8", "ร้าน 7", "ร้าน 6", "ร้าน 5"}, all(org.ListInput{Sort: "created_at"}))
	require.Equal(t, []string{"ร้าน 5", "ร้าน 6", "ร้าน 7", "ร้าน 8", "ร้าน 9"}, all(org.ListInput{Sort: "name_th"}))
	require.Equal(t, []string{"ร้าน 5", "ร้าน 6", "ร้าน 9", "ร้าน 8", "ร้าน 7"}, all(org.ListInput{Sort: "name_en"}), "those of one name as they were opened")
	require.Len(t, all(org.ListInput{Sort: "unique"}), 5)
	require.Equal(t, []string{"ร้าน 5", "ร้าน 8", "ร้าน 9"}, all(org.ListInput{State: org.Live}))
	require.Equal(t, []string{"ร้าน 8", "ร้าน 9"}, all(org.ListInput{Search: "SAME", State: org.Live}))
	require.Equal(t, []string{"ร้าน 7"}, all(org.ListInput{Search: "100%"}))
	require.Empty(t, all(org.ListInput{Search: "S%e"}))
	page, err := d.List(t.Context(), org.ListInput{Plan: &plan, State: org.Suspended})
	require.NoError(t, err)
	require.Equal(t, map[org.State]int64{org.Live: 3, org.Suspended: 1, org.Provisioning: 1}, page.States, "of all states, for the tabs")
}
