package pages

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/optionlist"
)

// trial is a page of random rows with React's markup of it (apps/customer/src/first-screen/trials.ts).
type trial struct {
	Lang, Path, Markup string
	Org                organisation
	Data               []struct {
		Path   string
		Detail json.RawMessage
	}
}

// What the build of the customer's app has left. It stands beside apps/dist and is not committed: it holds every sentence and
// the name of every script, so that it would change with each of them.
const (
	built  = "../../apps/dist"
	trials = "../../.cache/first-screen/trials.json"
)

func TestFirstScreensAreReactsOwn(t *testing.T) {
	screens := readFirstScreens(os.DirFS(built))
	require.NotEmpty(t, screens.Start, "the customer's app is not built: run npm run build in apps/")
	text, err := os.ReadFile(trials)
	require.NoError(t, err, "the customer's app is not built: run npm run build in apps/")
	var all []trial
	require.NoError(t, json.Unmarshal(text, &all))

	faces := map[string]bool{}
	for _, one := range all {
		first := one.shown(t)
		require.True(t, first.paints(nil), one.Path)
		page, err := first.markup(screens, &one.Org, one.Lang)
		require.NoError(t, err, one.Path)
		require.Equal(t, one.Markup, string(page), "%s in %s", one.Path, one.Lang)
		faces[first.screen()+one.Lang] = true
	}
	require.Len(t, faces, 6, "market, package and front in both languages")
}

func (one trial) shown(t *testing.T) (first shown) {
	t.Helper()
	first, _ = screenAt(one.Path)
	for _, answer := range one.Data {
		var err error
		switch answer.Path {
		case "/api/user/get/salepackage":
			err = json.Unmarshal(answer.Detail, &first.market)
		case "/api/user/salepackage/detail":
			err = json.Unmarshal(answer.Detail, &first.product)
		case "/api/user/get/tags":
			err = json.Unmarshal(answer.Detail, &struct{ Data *[]catalog.Tag }{&first.tags})
		case "/api/user/get/service_point":
			err = json.Unmarshal(answer.Detail, &struct{ Data *[]catalog.ServicePoint }{&first.places})
		case "/api/user/get/faq":
			err = json.Unmarshal(answer.Detail, &struct{ Data *[]optionlist.PublicFAQ }{&first.questions})
		default:
			t.Fatalf("a trial has an answer of %s", answer.Path)
		}
		require.NoError(t, err)
	}
	return first
}
