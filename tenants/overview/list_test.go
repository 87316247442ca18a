package overview_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/tenants/overview"
)

// allOf pages through a list, one row at a time, so that every row is once the end of a page.
func allOf[R any](t *testing.T, read func(p overview.Page) (rows []R, next *string, err error)) (all []R) {
	t.Helper()
	for p := (overview.Page{Limit: 1}); ; {
		rows, next, err := read(p)
		require.NoError(t, err)
		all = append(all, rows...)
		if next == nil {
			return all
		}
		p.After = *next
	}
}
