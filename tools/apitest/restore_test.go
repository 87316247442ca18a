package apitest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	deployed "welovevoucher/tools/deployment"
	"welovevoucher/tools/harness"
)

// clientTools names a folder with a Postgres and its client programs in bin (psql, pg_dump, pg_restore), which the package of
// `make dev` has not. Debian's postgresql is one: /usr/lib/postgresql/15. .ci/run sets it.
const clientTools = "TEST_POSTGRES_TOOLS"

// TestRestore does what README.md says under "Back up and restore one organisation", as it is written there, while the
// platform runs and another organisation sells.
func TestRestore(t *testing.T) {
	if os.Getenv(clientTools) == "" {
		t.Logf("%s is not set: the package of Postgres that `make dev` uses has no pg_dump", clientTools)
		return
	}
	d := deploy(t)
	spa, hotel := d.Open("lamai-spa", "เรือนละไม สปา", "1650000001"), d.Open("sathorn-waree", "โรงแรมสาทรวารี", "1650000002")
	spa.Sell(300_00, nil)
	hotel.Sell(300_00, nil)
	ann, bob := spa.Customer("แอน"), hotel.Customer("บ๊อบ")
	spa.FundWallet(ann, 600_00)
	hotel.FundWallet(bob, 600_00)
	bought := spa.Buy(ann)
	picture := filepath.Join(d.Objects, spa.ID.String(), "picture")
	require.NoError(t, os.MkdirAll(filepath.Dir(picture), 0o755))
	require.NoError(t, os.WriteFile(picture, []byte("picture"), 0o600))

	said := deployed.Said(t, "Back up and restore one organisation", "")
	require.Len(t, said, 2, "README.md says how to back up, and how to restore")
	operator := d.operator(spa)
	operator(said[0])

	d.damage(t, spa)
	out, err := d.Run("audit", "ledger", "lamai-spa")
	require.Error(t, err, "the damage is seen")
	require.Contains(t, out, "lamai-spa: ")

	require.Contains(t, operator(said[1]), "lamai-spa: the books balance")
	d.Eventually("the shop is open again", func() bool { return ann.Post("/api/user/getwallet", "", nil).Result })
	require.EqualValues(t, 300_00, ann.Balance())
	require.True(t, ann.Post("/api/user/voucher/detail", "", map[string]any{"id": bought.Vouchers[0].ID}).Result)
	spa.FundWallet(ann, 100_00) // its gateway's secret opens, its jobs run
	spa.Buy(ann)
	hotel.Buy(bob)
	require.Equal(t, "lamai-spa: the books balance\nsathorn-waree: the books balance\n", d.Must("audit", "ledger"))
	d.Must("audit", "rollups") // facts that were named when it was backed up count once
	require.FileExists(t, filepath.Join(filepath.Dir(d.Program), "objects", filepath.Base(picture)))
}

// operator types lines of README.md into a shell, with names put in; the last folder of objects is this machine's.
func (d *deployment) operator(o *harness.Organisation) func(script string) string {
	home, err := d.DB.Placement(d.T.Context(), o.ID)
	require.NoError(d.T, err)
	names := strings.NewReplacer("t_0123456789ab", home.Schema, "UNIQUE", o.Unique, "{organisation id}", o.ID.String())
	return func(script string) string {
		d.T.Helper()
		lines := "set -euo pipefail\n"
		var linesSb67 strings.Builder
		for line := range strings.Lines(names.Replace(script)) {
			if _, withoutS3, found := strings.Cut(line, "without S3: "); found {
				line = withoutS3
			}
			linesSb67.WriteString(line)
		}
		lines += linesSb67.String()
		cmd := exec.CommandContext(d.T.Context(), "bash", "-c", lines)
		cmd.Dir = filepath.Dir(d.Program)
		cmd.Env = d.Env("", "PATH="+filepath.Dir(d.Program)+":"+filepath.Join(os.Getenv(clientTools), "bin")+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		require.NoError(d.T, err, "%s\n%s", lines, out)
		return string(out)
	}
}

// damage is somebody's hand in the database: a voucher gone, an entry changed.
func (d *deployment) damage(t *testing.T, o *harness.Organisation) {
	t.Helper()
	home, err := d.DB.Placement(t.Context(), o.ID)
	require.NoError(t, err)
	conn, err := pgx.Connect(t.Context(), d.OwnURL)
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	for _, sql := range []string{`DELETE FROM voucher`, `UPDATE entry SET amount_satang = amount_satang + 1`} {
		_, err := conn.Exec(t.Context(), `SET search_path = `+home.Schema+`; `+sql)
		require.NoError(t, err)
	}
}
