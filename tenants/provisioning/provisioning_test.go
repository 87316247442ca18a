package provisioning_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"maps"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/line"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/secret"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/provisioning"
	"welovevoucher/tenants/staff"
)

func TestCreateAndRun(t *testing.T) {
	d := newFixture(t)

	t.Run("provisioning makes an organisation whose owner can sign in", func(t *testing.T) {
		in := d.input(t)
		id, err := d.service.Create(t.Context(), admin, in)
		require.NoError(t, err)
		require.NoError(t, d.service.Run(t.Context(), id))

		found, err := d.directory.ByHost(t.Context(), in.Hosts[0]+":8080")
		require.NoError(t, err)
		require.Equal(t, org.Live, found.State)
		byLiff, err := d.directory.ByLiff(t.Context(), in.Liff.User)
		require.NoError(t, err)
		require.Equal(t, id, byLiff.ID)
		_, err = d.staff.ByPassword(t.Context(), id, "lamai", "lamai2026")
		require.NoError(t, err)
		_, err = d.staff.ByPassword(t.Context(), id, "lamai", "lamai2027")
		require.ErrorIs(t, err, staff.ErrWrongPassword)

		var by uuid.UUID
		var kept string
		require.NoError(t, d.server.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT actor_id, after::text FROM audit_log WHERE action = 'open' AND object = 'organisation/' || $1::text`, id.String()).
				Scan(&by, &kept)
		}))
		require.Equal(t, admin.ID, by)
		require.Contains(t, kept, in.Hosts[0])
		for _, secret := range []string{in.Line.Secret, in.Pay.SecretKey, in.Pay.WebhookSecret, in.FirstOwner.Password} {
			require.NotEmpty(t, secret)
			require.NotContains(t, kept, secret)
		}
	})

	t.Run("a broken provisioning goes on where it stopped, and a further run changes nothing", func(t *testing.T) {
		id, err := d.service.Create(t.Context(), admin, d.input(t))
		require.NoError(t, err)
		require.Error(t, d.broken.Run(t.Context(), id), "a process that may not make schemas")
		before, err := d.service.Steps(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, "done", before[0].State)
		require.Equal(t, "failed", before[1].State)

		require.NoError(t, d.service.Retry(t.Context(), id, admin))
		require.NoError(t, d.service.Run(t.Context(), id))
		require.NoError(t, d.service.Run(t.Context(), id))

		after, err := d.service.Steps(t.Context(), id)
		require.NoError(t, err)
		for i, step := range after {
			require.Equal(t, "done", step.State, step.Name)
			require.Equal(t, map[bool]int{true: 2, false: 1}[i == 1], step.Attempt, step.Name)
		}
	})

	t.Run("an organisation has its logo from the beginning, as one of its pictures", func(t *testing.T) {
		in := d.input(t)
		in.Logo = drawing(t)
		id, err := d.service.Create(t.Context(), admin, in)
		require.NoError(t, err)
		require.Error(t, d.broken.Run(t.Context(), id))
		require.NoError(t, d.service.Run(t.Context(), id))
		found, err := d.directory.ByID(t.Context(), id)
		require.NoError(t, err)
		require.NotEmpty(t, d.objects[catalog.PictureKey(id, found.Logo, 400)])

		var by uuid.UUID
		require.NoError(t, d.server.DB.InOrg(t.Context(), id, func(tx db.Tx) error {
			require.NoError(t, catalog.HasPicture(t.Context(), tx, found.Logo), "or its owner could not keep it")
			return tx.QueryRow(t.Context(), `SELECT actor_id FROM audit_log WHERE object = 'picture/' || $1::text`, found.Logo.String()).Scan(&by)
		}))
		require.Equal(t, admin.ID, by)
	})

	t.Run("a logo that is no picture is refused at its field, and makes no organisation", func(t *testing.T) {
		in := d.input(t)
		in.Logo = []byte("<svg onload=alert(1)>")
		_, err := d.service.Create(t.Context(), admin, in)
		require.Equal(t, []fault.Field{{Path: "logo", Fault: catalog.ErrPictureKind.Code}}, fault.From(err).Fields)
		in.Logo = nil
		_, err = d.service.Create(t.Context(), admin, in)
		require.NoError(t, err, "its name is free")
	})

	t.Run("a name, a host or a LIFF id that is taken is refused at its field", func(t *testing.T) {
		first := d.input(t)
		_, err := d.service.Create(t.Context(), admin, first)
		require.NoError(t, err)

		for field, change := range map[string]func(in *provisioning.NewOrg){
			"unique":        func(in *provisioning.NewOrg) { in.Unique = first.Unique },
			"hosts":         func(in *provisioning.NewOrg) { in.Hosts = first.Hosts },
			"liff.liffuser": func(in *provisioning.NewOrg) { in.Liff, in.Line = first.Liff, first.Line },
		} {
			in := d.input(t)
			change(&in)
			_, err := d.service.Create(t.Context(), admin, in)
			require.ErrorIs(t, err, fault.BadInput)
			require.Equal(t, field, fault.From(err).Fields[0].Path)
		}
	})

	t.Run("the collector is the organisation with keys of its own, and the platform without", func(t *testing.T) {
		for name, expected := range map[string]struct {
			keys      provisioning.PayInput
			collector payment.Collector
		}{
			"its own":        {provisioning.PayInput{PublicKey: "pkey", SecretKey: "skey", WebhookSecret: "d2ViaG9vaw=="}, payment.CollectorOrganisation},
			"the platform's": {provisioning.PayInput{}, payment.CollectorPlatform},
		} {
			in := d.input(t)
			in.Pay = expected.keys
			id, err := d.service.Create(t.Context(), admin, in)
			require.NoError(t, err)
			found, err := d.directory.ByID(t.Context(), id)
			require.NoError(t, err)
			require.Equal(t, expected.collector, found.Collector, name)
		}
	})

	t.Run("no secret is in plain text in the database", func(t *testing.T) {
		id, err := d.service.Create(t.Context(), admin, d.input(t))
		require.NoError(t, err)
		var row string
		require.NoError(t, d.server.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT o::text || encode(line_secret, 'escape') FROM organisation o WHERE id = $1`, id).Scan(&row)
		}))
		for _, secret := range []string{"lamai2026", "channel-secret", "skey_test"} {
			require.NotContains(t, row, secret)
		}
	})
}

func TestSchemaPool(t *testing.T) {
	d := newFixture(t)
	require.NoError(t, d.service.FillSchemaPool(t.Context()))
	newest, err := d.server.Schemas.TenantVersion()
	require.NoError(t, err)
	one := func(sql string, of any) (s string) {
		require.NoError(t, d.server.DB.InPlatform(t.Context(), func(tx db.Tx) error { return tx.QueryRow(t.Context(), sql, of).Scan(&s) }))
		return s
	}
	first := one(`SELECT schema_name FROM schema_pool WHERE node = $1 ORDER BY created_at LIMIT 1`, db.MainNode)
	id, err := d.service.Create(t.Context(), admin, d.input(t))
	require.NoError(t, err)
	require.NoError(t, d.service.Run(t.Context(), id))
	require.Equal(t, fmt.Sprintf("%s at %d", first, newest), one(`SELECT schema_name || ' at ' || schema_version FROM organisation WHERE id = $1`, id))
	_, err = d.staff.ByPassword(t.Context(), id, "lamai", "lamai2026")
	require.NoError(t, err)
}

func TestMigrateAll(t *testing.T) {
	d := newFixture(t)
	made := d.server.NewOrg(t)
	known, err := d.service.MigrateAll(t.Context())
	require.NoError(t, err)
	missing := db.NewID()
	d.server.List(t, missing, db.Placement{Schema: provisioning.NewSchemaName(), Node: db.MainNode}, 0)
	require.NoError(t, d.server.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), `UPDATE organisation SET schema_version = 1 WHERE id = $1`, made)
		return err
	}))

	_, err = d.broken.MigrateAll(t.Context())
	require.Error(t, err, "a process that may not make schemas")
	n, err := d.service.MigrateAll(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, n, "after %d", known)
	n, err = d.service.MigrateAll(t.Context())
	require.NoError(t, err)
	require.Zero(t, n, "each keeps the version it reached")
	require.NoError(t, d.server.DB.InOrg(t.Context(), missing, func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), `SELECT id FROM tag`)
		return err
	}))

	for _, node := range []string{db.MainNode, "nowhere", db.MainNode} {
		d.server.List(t, db.NewID(), db.Placement{Schema: provisioning.NewSchemaName(), Node: node}, 0)
	}
	_, err = d.service.MigrateAll(t.Context())
	require.ErrorContains(t, err, "nowhere")
	require.NoError(t, d.server.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), `UPDATE organisation SET node = $1 WHERE node = 'nowhere'`, db.MainNode)
		return err
	}))
	n, err = d.service.MigrateAll(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n, "the others were made, and that was written down")
	n, err = d.service.MigrateAll(t.Context())
	require.NoError(t, err)
	require.Zero(t, n, "what failed is made when it is started again")
}

type fixture struct {
	server          *dbtest.Server
	service, broken *provisioning.Service
	directory       *org.Directory
	staff           *staff.Service
	plan            uuid.UUID
	box             *secret.Box
	known           *outside
	objects         memoryStore
}

// outside is what LINE and the gateway know: secrets by channel and by public key.
type outside struct {
	line, pay map[string]string
	down      error
}

func (o *outside) verifyLine(_ context.Context, ch line.Channel) error {
	if o.down != nil {
		return o.down
	}
	if ch.Secret == "" || o.line[ch.ID] != ch.Secret {
		return line.ErrChannel
	}
	return nil
}

func (o *outside) verifyPay(_ context.Context, k charge.Keys) error {
	switch {
	case o.down != nil:
		return o.down
	case !slices.Contains(slices.Collect(maps.Values(o.pay)), k.Secret):
		return payment.ErrKeys
	case o.pay[k.Public] != k.Secret:
		return payment.ErrPair
	}
	return nil
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	s := dbtest.Open(t)
	box, err := secret.New(bytes.Repeat([]byte{7}, 32))
	require.NoError(t, err)
	passwords, err := secret.NewPasswords(box)
	require.NoError(t, err)
	d := fixture{server: s, directory: org.NewDirectory(s.DB), staff: staff.New(s.DB, passwords, nil, nil, nil, nil), plan: db.NewID()}
	d.box, d.known = box, &outside{line: map[string]string{"1650000001": "channel-secret"}, pay: map[string]string{"pkey_test": "skey_test", "pkey": "skey", "pkey_test_shop": "skey_test_shop", "pkey_test_other": "skey_test_other"}}
	proofs := provisioning.Verifiers{Line: d.known.verifyLine, Pay: d.known.verifyPay, Platform: true}
	d.objects = memoryStore{}
	pictures := catalog.NewPictures(s.DB, d.objects)
	d.service = provisioning.New(s.DB, s.Schemas, box, d.staff, pictures, nil, d.directory, "localhost", proofs)
	d.broken = provisioning.New(s.DB, nil, box, d.staff, pictures, nil, d.directory, "localhost", proofs)
	require.NoError(t, s.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO plan (id, name_th, name_en, modules, fee_basis_points, status, created_at)
			VALUES ($1, 'ทดสอบ', 'Test', '{}', 300, 5, $2)`, d.plan, tx.Now)
		return err
	}))
	return d
}

// memoryStore is a blob.Store in memory.
type memoryStore map[string][]byte

func (s memoryStore) Put(_ context.Context, key string, content io.Reader, _ int64) (err error) {
	s[key], err = io.ReadAll(content)
	return err
}

func drawing(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, image.NewGray(image.Rect(0, 0, 64, 64))))
	return file.Bytes()
}

func (d fixture) input(t *testing.T) provisioning.NewOrg {
	t.Helper()
	unique := provisioning.NewSchemaName()[2:]
	return provisioning.NewOrg{
		Unique: unique, NameTH: "เรือนละไม สปา", NameEN: "Ruean Lamai Spa", Plan: d.plan, Primary: "#1f5c4d", Secondary: "#d9a662",
		Hosts: []string{unique + ".localhost"}, Liff: org.Liff{User: "1650000001-" + unique[:8]},
		Line:       provisioning.LineInput{ChannelID: "1650000001", Secret: "channel-secret"},
		Pay:        provisioning.PayInput{PublicKey: "pkey_test", SecretKey: "skey_test", WebhookSecret: "d2ViaG9vaw=="},
		FirstOwner: provisioning.Owner{Username: "lamai", Name: "ละไม", Password: "lamai2026"},
	}
}
