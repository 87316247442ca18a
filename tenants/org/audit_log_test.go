package org_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/tenanttest"
)

// TestLog: the log is read page by page without a gap, narrowed by days and words, and its file runs no formula.
func TestLog(t *testing.T) {
	w := tenanttest.New(t)
	service := org.New(w.DB, org.NewDirectory(w.DB), w.Box())
	who, word := auditlog.Actor{Kind: token.Admin, ID: db.NewID()}, tenanttest.Key()
	for range 5 {
		w.Clock.Advance(time.Second)
		require.NoError(t, w.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			return auditlog.Record(t.Context(), tx, who, "change", "organisation/"+w.Org.String(), map[string]string{"name": "=1+1", "same": "x"}, map[string]string{"name": word, "same": "x"})
		}))
	}
	in := org.LogInput{LogFilter: org.LogFilter{Search: word}, Limit: 2}
	var all []org.LogRow
	for {
		page, err := service.Log(t.Context(), in)
		require.NoError(t, err)
		require.LessOrEqual(t, len(page.Data), 2)
		all = append(all, page.Data...)
		if in.After = page.Next; in.After == nil {
			break
		}
	}
	require.Len(t, all, 5)
	for i, row := range all {
		require.Equal(t, []auditlog.Changed{{Field: "name", Before: "=1+1", After: word}}, row.Changes, "what stayed is not shown")
		require.NotEmpty(t, row.About, "the organisation's unique")
		require.True(t, i == 0 || row.At.Before(all[i-1].At))
	}

	today := clock.Day(w.Clock.Now()).Format(time.DateOnly)
	for name, one := range map[string]struct {
		filter org.LogFilter
		rows   int
	}{
		"today":       {org.LogFilter{Search: word, From: today, To: today}, 5},
		"tomorrow":    {org.LogFilter{Search: word, From: clock.Day(w.Clock.Now()).AddDate(0, 0, 1).Format(time.DateOnly)}, 0},
		"yesterday":   {org.LogFilter{Search: word, To: clock.Day(w.Clock.Now()).AddDate(0, 0, -1).Format(time.DateOnly)}, 0},
		"admins":      {org.LogFilter{Search: word, Kind: "admin"}, 5},
		"commands":    {org.LogFilter{Search: word, Kind: "operator"}, 0},
		"its id":      {org.LogFilter{Search: w.Org.String()}, 5},
		"no wildcard": {org.LogFilter{Search: word[:8] + "%"}, 0},
	} {
		page, err := service.Log(t.Context(), org.LogInput{LogFilter: one.filter})
		require.NoError(t, err, name)
		require.Len(t, page.Data, one.rows, name)
	}
	_, err := service.Log(t.Context(), org.LogInput{LogFilter: org.LogFilter{From: "2026-13-01"}})
	require.ErrorIs(t, err, fault.BadInput)

	file, err := service.LogFile(t.Context(), who, "en", org.LogFilter{Search: word})
	require.NoError(t, err)
	require.False(t, file.Cut)
	require.Contains(t, file.Text, "'=1+1,"+word)
	page, err := service.Log(t.Context(), org.LogInput{LogFilter: org.LogFilter{Search: word}})
	require.NoError(t, err)
	require.Equal(t, "export", page.Data[0].Action, "who took a file stands there too")
}
