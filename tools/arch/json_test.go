package arch

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Where encoding/json may read: what we have written ourselves. What comes from outside is read by platform/strictjson, with exact keys.
var ownJSON = map[string]string{
	"platform/access/loader.go":          "permission sets, out of the database or as strictjson hands them over",
	"platform/payment/call.go":           "requests that the gateway's library has written",
	"platform/queue/mux.go":              "jobs, out of the database",
	"platform/realtime/realtime.go":      "events that we have published",
	"tenants/session/session.go":         "what our processes send each other",
	"platform/auditlog/changed.go":       "the audit log, out of the database",
	"tenants/provisioning/run.go":        "keys that we have encrypted",
	"tenants/approval/approval.go":       "what was asked for, as strictjson had read it, out of the database",
	"tenants/payee/payee.go":             "a form that we have encrypted",
	"tenants/member/form.go":             "the same",
	"tenants/withholding/withholding.go": "what we have encrypted of it",
	"tenants/receipt/receipt.go":         "what we have put behind a link",
	"tenants/wallet/statement_file.go":   "the same",
	"api/pages/first.go":                 "what the build has written",
}

var readsJSON = regexp.MustCompile(`\bjson\.(Unmarshal|NewDecoder)\b`)

func TestJSONFromOutside(t *testing.T) {
	seen := map[string]bool{}
	for _, dir := range []string{"platform", "tenants", "workers", "api"} {
		walk(t, filepath.Join("..", "..", dir), ".go", func(path string) {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			name, err := filepath.Rel(filepath.Join("..", ".."), path)
			require.NoError(t, err)
			if name = filepath.ToSlash(name); strings.HasSuffix(name, "_test.go") || strings.Contains(name, "test/") || strings.HasPrefix(name, "platform/strictjson/") || !readsJSON.Match(text) {
				return
			}
			seen[name] = true
			require.NotEmpty(t, ownJSON[name], "%s reads JSON by encoding/json: is it ours? What comes from outside is for strictjson", name)
		})
	}
	require.Len(t, seen, len(ownJSON), "the list names what is there: %v", seen)
}
