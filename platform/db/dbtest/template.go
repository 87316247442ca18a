package dbtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"

	"welovevoucher/migrations"
	"welovevoucher/platform/db"
)

// spares is how many empty schemas a test binary begins with, beside the pattern: most need no more at a time.
const spares = 3

// pattern is the schema that no test has. The others of the template are like it.
const pattern = "t_000000000000"

// makeTemplate returns the name of a database of which the test binaries' are copies: it has the platform's schema, the pattern and
// the spares. The first binary on a server makes it, the others wait for that.
func makeTemplate(ctx context.Context, at Addresses) (name string, err error) {
	sum := sha256.New()
	err = fs.WalkDir(migrations.FS, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(migrations.FS, path)
		fmt.Fprintf(sum, "%s %d\n%s", path, len(text), text)
		return err
	})
	if err != nil {
		return "", err
	}
	name = "template_" + hex.EncodeToString(sum.Sum(nil)[:6])

	conn, err := pgx.Connect(ctx, at.Super)
	if err != nil {
		return "", fmt.Errorf("the test's Postgres does not answer: %w", err)
	}
	defer conn.Close(ctx) // and the lock with it
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(hashtext('dbtest template'))`); err != nil {
		return "", err
	}
	var there bool
	if err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, name).Scan(&there); err != nil || there {
		return name, err
	}

	// Under another name until it is whole: a binary that was killed meanwhile leaves no half template.
	half := pgx.Identifier{name + "_half"}.Sanitize()
	if _, err := conn.Exec(ctx, "DROP DATABASE IF EXISTS "+half+" WITH (FORCE)"); err != nil {
		return "", err
	}
	if err := create(ctx, at.Super, name+"_half", ""); err != nil {
		return "", err
	}
	if err := fillTemplate(ctx, in(at.Super, name+"_half"), in(at.Owner, name+"_half")); err != nil {
		return "", err
	}
	_, err = conn.Exec(ctx, "ALTER DATABASE "+half+" RENAME TO "+pgx.Identifier{name}.Sanitize())
	return name, err
}

func fillTemplate(ctx context.Context, super, owner string) error {
	schemas, err := db.OpenSchemas(ctx, map[string]string{db.MainNode: owner}, "wlv_app", migrations.FS)
	if err != nil {
		return err
	}
	defer schemas.Close() // a database that somebody uses cannot be copied
	if err := schemas.MigratePlatform(ctx); err != nil {
		return err
	}
	if err := makePattern(ctx, schemas, super); err != nil {
		return err
	}
	homes := make([]db.Placement, spares)
	for i := range homes {
		homes[i] = db.Placement{Schema: NewSchemaName(), Node: db.MainNode}
	}
	_, err = schemas.MakeTenants(ctx, homes...)
	return err
}

// makePattern makes the pattern, and the functions that compare with it.
func makePattern(ctx context.Context, schemas *db.Schemas, super string) error {
	_, err := schemas.ProvisionTenant(ctx, db.Placement{Schema: pattern, Node: db.MainNode})
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, super)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, functions)
	return errors.Join(err, conn.Close(ctx))
}
