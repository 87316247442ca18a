package provisioning_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/blob"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/orgtemplate"
	"welovevoucher/tenants/provisioning"
)

// TestTemplate: an organisation that is opened with a template has drafts of its packages when it is live, however often its opening is run.
func TestTemplate(t *testing.T) {
	d := newFixture(t)
	objects, err := blob.OpenFolder(t.TempDir())
	require.NoError(t, err)
	pictures := catalog.NewPictures(d.server.DB, objects)
	templates := orgtemplate.New(d.server.DB, objects, pictures, d.directory)
	service := provisioning.New(d.server.DB, d.server.Schemas, d.box, d.staff, pictures, templates, d.directory, "localhost", provisioning.Verifiers{Line: d.known.verifyLine, Platform: true})
	admin := auditlog.Actor{Kind: token.Admin, ID: db.NewID()}
	require.NoError(t, d.server.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO admin (id, username, name, role, status, created_at) VALUES ($1, $2, 'Sasi', 'superadmin', 5, now())`, admin.ID, admin.ID.String())
		return err
	}))
	open := func(in provisioning.NewOrg) uuid.UUID {
		t.Helper()
		id, err := service.Create(t.Context(), admin, in)
		require.NoError(t, err)
		require.NoError(t, service.Run(t.Context(), id))
		return id
	}
	input := func(unique string) provisioning.NewOrg {
		in := d.input(t)
		in.Unique, in.Hosts, in.Liff, in.Line, in.Pay = unique, nil, provisioning.NewOrg{}.Liff, provisioning.LineInput{}, provisioning.PayInput{}
		return in
	}

	first := open(input("first-" + db.NewID().String()[24:]))
	require.NoError(t, d.server.DB.InOrg(t.Context(), first, func(tx db.Tx) error {
		saved, err := catalog.SavePackage(t.Context(), tx, admin, catalog.Package{
			NameTH: "นวด", NameEN: "Massage", Price: 500_00, Class: "ordinary", RefundTerms: catalog.RefundTerms{Rule: "asking", Days: 7},
			Parts: []catalog.PackagePart{{Quantity: 1, NewVoucherType: &catalog.NewVoucherType{NameTH: "นวด", NameEN: "Massage", Items: 1, ValidDays: new(int32(90)), ExpiryRule: "breakage"}}},
		})
		if err != nil {
			return err
		}
		_, err = tx.Exec(t.Context(), `UPDATE package SET status = 5 WHERE id = $1`, saved.ID)
		return err
	}))
	template, err := templates.Add(t.Context(), admin, orgtemplate.Names{NameTH: "สปา", NameEN: "Spa"}, orgtemplate.Source{Org: first})
	require.NoError(t, err)

	in := input("second-" + db.NewID().String()[24:])
	in.Template = new(uuid.New())
	_, err = service.Create(t.Context(), admin, in)
	require.Equal(t, fault.At("template_id", fault.NotInList), err)
	in.Template = &template
	second := open(in)
	require.NoError(t, d.server.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), `UPDATE provision_step SET state = 'waiting' WHERE org_id = $1 AND name = 'rows'`, second)
		return err
	}))
	require.NoError(t, service.Run(t.Context(), second))
	var packages, drafts, questions int
	require.NoError(t, d.server.DB.InOrg(t.Context(), second, func(tx db.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT count(*), count(*) FILTER (WHERE status = 1), (SELECT count(*) FROM faq) FROM package`).Scan(&packages, &drafts, &questions)
	}))
	require.Equal(t, [3]int{1, 1, 0}, [3]int{packages, drafts, questions})
	found, err := templates.Template(t.Context(), template)
	require.NoError(t, err)
	require.EqualValues(t, 1, found.Used)
}
