package provisioning_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db/dbtest"
	"welovevoucher/tenants/catalog"
)

// Organisations that were opened before the platform had a gateway account are put right by a migration.
func TestOpenedEarlier(t *testing.T) {
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, dbtest.Open(t).OwnURL)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close(ctx)) })
	files, err := filepath.Glob("../../migrations/platform/*.sql")
	require.NoError(t, err)
	const connections = "../../migrations/platform/00004_connections.sql"
	from := slices.Index(files, connections)
	require.Positive(t, from)
	run := func(file string) {
		sql, err := os.ReadFile(file)
		require.NoError(t, err)
		_, err = conn.Exec(ctx, string(sql))
		require.NoError(t, err, file)
	}

	_, err = conn.Exec(ctx, `CREATE SCHEMA earlier; SET search_path = earlier`)
	require.NoError(t, err)
	for _, file := range files[:from] {
		run(file)
	}
	keys, keyless, system := uuid.New(), uuid.New(), uuid.New()
	for id, unique := range map[uuid.UUID]string{keys: "with-keys", keyless: "keyless"} {
		_, err := conn.Exec(ctx, `INSERT INTO organisation (id, unique_name, name_th, name_en, plan_id, node, state, colour_primary, colour_secondary, created_at, updated_at)
			SELECT $1, $2, 'ก', 'a', id, 'main', 'live', '#000000', '#000000', now(), now() FROM plan LIMIT 1`, id, unique)
		require.NoError(t, err)
		_, err = conn.Exec(ctx, `INSERT INTO host (host, org_id, canonical) VALUES ($1, $2, true)`, unique+".example.org", id)
		require.NoError(t, err)
	}
	_, err = conn.Exec(ctx, `INSERT INTO payment_endpoint (id, org_id, system_id, created_at) VALUES ('old', $1, $2, now() - interval '1 day'), ('new', $1, $3, now())`, keys, uuid.New(), system)
	require.NoError(t, err)
	_, err = conn.Exec(ctx, `UPDATE organisation SET first_owner = '{"username": "nok", "name": "นก", "hash": "h",
		"logo": {"picture": {"id": "0198a3c4-0000-7000-8000-00000000000a", "width": 600, "height": 400, "colour": "#a0b0c0", "bytes": 4000}}}' WHERE id = $1`, keyless)
	require.NoError(t, err)
	for _, file := range files[from:] {
		run(file)
	}

	var logo catalog.StoredPicture
	require.NoError(t, conn.QueryRow(ctx, `SELECT first_owner #> '{logo,picture}' FROM organisation WHERE id = $1`, keyless).Scan(&logo))
	require.Equal(t, catalog.StoredPicture{
		Picture: catalog.Picture{ID: uuid.MustParse("0198a3c4-0000-7000-8000-00000000000a"), Width: 600, Height: 400, Colour: "#a0b0c0"}, Bytes: 4000,
	}, logo, "of one that was still being opened")
	var others int
	require.NoError(t, conn.QueryRow(ctx, `SELECT count(*) FROM organisation WHERE first_owner <> '{}'`).Scan(&others))
	require.Equal(t, 1, others)

	for id, want := range map[uuid.UUID]*uuid.UUID{keys: &system, keyless: nil} {
		var collector string
		var chosen *uuid.UUID
		require.NoError(t, conn.QueryRow(ctx, `SELECT collector, payment_system_id FROM organisation WHERE id = $1`, id).Scan(&collector, &chosen))
		require.Equal(t, want != nil, collector == "organisation", "no protection is promised where its own keys collect")
		require.Equal(t, want, chosen)
	}
	_, err = conn.Exec(ctx, `INSERT INTO host (host, org_id) VALUES ('with-keys.example.org', $1)`, keyless)
	require.NoError(t, err, "an unverified host blocks no other organisation")
}
