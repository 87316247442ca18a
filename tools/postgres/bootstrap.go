//go:build unix

package postgres

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"
)

// The two roles that docs/architecture.md has, and the database they meet in. The program's own login owns nothing and takes an
// organisation's rights only by SET LOCAL ROLE; the migrator owns the schemas and makes the organisations' roles.
const (
	AppRole      = "wlv_app"
	MigratorRole = "wlv_migrator"
	Database     = "welovevoucher"
)

// Bootstrap makes roles and database where they are missing, and returns the addresses of both roles. Their passwords are
// derived from the superuser's, which is random per cluster, so that every caller on one server gets the same.
func Bootstrap(ctx context.Context, superURL string) (appURL, migrateURL string, err error) {
	super, err := url.Parse(superURL)
	if err != nil {
		return "", "", errors.New("the superuser's address is not a URL") // the cause would print its password
	}
	secret, ok := super.User.Password()
	if !ok || secret == "" {
		return "", "", errors.New("the superuser's address has no password: the roles' passwords are derived from it")
	}
	appPassword, err := derive(secret, AppRole)
	if err != nil {
		return "", "", err
	}
	migratorPassword, err := derive(secret, MigratorRole)
	if err != nil {
		return "", "", err
	}

	if err := makeRoles(ctx, superURL, appPassword, migratorPassword); err != nil {
		return "", "", err
	}
	super.Path = "/" + Database
	if err := closePublic(ctx, super.String()); err != nil {
		return "", "", err
	}
	super.User = url.UserPassword(AppRole, appPassword)
	appURL = super.String()
	super.User = url.UserPassword(MigratorRole, migratorPassword)
	return appURL, super.String(), nil
}

func makeRoles(ctx context.Context, superURL, appPassword, migratorPassword string) error {
	conn, err := pgx.Connect(ctx, superURL)
	if err != nil {
		return fmt.Errorf("connect as superuser: %w", err)
	}
	defer conn.Close(ctx)

	// Test binaries of several packages come here at once; the lock goes with the session. Passwords are hexadecimal, so they
	// need no quoting in these statements, which take no parameters.
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(hashtext('welovevoucher bootstrap'))`); err != nil {
		return fmt.Errorf("lock the bootstrap: %w", err)
	}
	for _, role := range []struct{ name, rights, password string }{
		{AppRole, "NOINHERIT", appPassword},
		{MigratorRole, "CREATEROLE", migratorPassword},
	} {
		verb := "ALTER"
		if known, err := exists(ctx, conn, `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)`, role.name); err != nil {
			return err
		} else if !known {
			verb = "CREATE"
		}
		if _, err := conn.Exec(ctx, verb+" ROLE "+role.name+" LOGIN "+role.rights+" PASSWORD '"+role.password+"'"); err != nil {
			return fmt.Errorf("make role %s: %w", role.name, err)
		}
	}
	known, err := exists(ctx, conn, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, Database)
	if err != nil || known {
		return err
	}
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+Database+" OWNER "+MigratorRole); err != nil {
		return fmt.Errorf("make database %s: %w", Database, err)
	}
	return nil
}

// closePublic keeps everybody from making objects in schema public (the default since Postgres 15, said here all the same).
func closePublic(ctx context.Context, superURL string) error {
	conn, err := pgx.Connect(ctx, superURL)
	if err != nil {
		return fmt.Errorf("connect to %s: %w", Database, err)
	}
	defer conn.Close(ctx)

	// Two at once would fail with "tuple concurrently updated".
	_, err = conn.Exec(ctx, `BEGIN; SELECT pg_advisory_xact_lock(hashtext('welovevoucher bootstrap')); REVOKE CREATE ON SCHEMA public FROM PUBLIC; COMMIT`)
	if err != nil {
		return fmt.Errorf("close schema public: %w", err)
	}
	return nil
}

func exists(ctx context.Context, conn *pgx.Conn, query, name string) (known bool, err error) {
	if err := conn.QueryRow(ctx, query, name).Scan(&known); err != nil {
		return false, fmt.Errorf("look for %s: %w", name, err)
	}
	return known, nil
}

func derive(secret, role string) (string, error) {
	key, err := hkdf.Key(sha256.New, []byte(secret), nil, "welovevoucher role "+role, 20)
	if err != nil {
		return "", fmt.Errorf("derive the password of %s: %w", role, err)
	}
	return hex.EncodeToString(key), nil
}
