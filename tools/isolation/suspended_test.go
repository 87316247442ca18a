package isolation

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/org"
)

// whileSuspended is what each operation does while its organisation is suspended. Whoever adds an operation decides it here too.
//
//go:embed testdata/suspended.txt
var whileSuspended string

func TestEachOperationStopsOrGoesOn(t *testing.T) {
	var described strings.Builder
	for _, o := range operations(t) {
		does := "goes on"
		if o.Stops {
			does = "stops  "
		}
		fmt.Fprintln(&described, does, o.Path)
	}
	require.Equal(t, whileSuspended, described.String())
}

// suspend suspends an organisation: what stops is refused with one fault, whatever it is asked, and nothing else is. Who was signed in stays so.
func (w *twoOrgs) suspend(all []operation) {
	w.t.Helper()
	actors := map[string]*person{}
	for _, o := range all {
		if asksForSession(o) && o.Path != "/api/authen/logout" {
			actors[o.Path] = w.ours.actor(o)
		}
	}
	become := func(state org.State) {
		require.NoError(w.t, w.DB.InPlatform(w.t.Context(), func(tx db.Tx) error {
			_, err := tx.Exec(w.t.Context(), `UPDATE organisation SET state = $2 WHERE id = $1`, w.ours.ID, state)
			tx.Publish(org.Topic, w.ours.ID.String())
			return err
		}))
	}
	become(org.Suspended)
	w.Eventually("every process knows", func() bool {
		return w.ours.ann.Post("/api/user/get/salepackage", "", map[string]any{}).Fault == org.ErrSuspended.Code
	})
	stopped := 0
	for _, o := range all {
		who, asks := actors[o.Path]
		if !asks {
			continue
		}
		got := send(w.Platform, o, w.ours.hostOf(o, who), who.Session, who.Token, o.Path, "application/json", []byte(`{}`))
		require.Equal(w.t, o.Stops, got.fault == org.ErrSuspended.Code, "%s: %d %s", o.Path, got.status, got.fault)
		require.NotEqual(w.t, 401, got.status, o.Path)
		if o.Stops {
			stopped++
		}
	}
	require.Equal(w.t, strings.Count(whileSuspended, "stops"), stopped)
	bought := w.theirs.ann.Post("/api/user/get/salepackage", "", map[string]any{})
	require.True(w.t, bought.Result, "another organisation sells")
	become(org.Live)
	w.Eventually("it sells again", func() bool { return w.ours.ann.Post("/api/user/get/salepackage", "", map[string]any{}).Result })
}
