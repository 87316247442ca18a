package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Archiving describes how Archive moves rows of a tenant's schema into another schema, for ever.
type Archiving struct {
	// Into names the schema that is created for them. Only the owner has rights on it.
	Into string
	// Needed is called first, once the tables are locked. If it returns false, nothing is done.
	Needed func(ctx context.Context, tx pgx.Tx) (bool, error)
	// Copy creates tables in Into from the tenant's tables of the same names: CREATE TABLE x AS TABLE x.
	Copy string
	// Change then changes the tenant's tables.
	Change func(ctx context.Context, tx pgx.Tx) error
}

// errInUse is returned if the tables could not be locked in time.
var errInUse = errors.New("db: the schema is in use")

// Timeouts of Archive. archiveLock is how long it waits for the locks at first, while others wait behind it; it is less than Postgres'
// deadlock_timeout of 1 s, so it gives way where it and another transaction wait for each other. A schema in which somebody always does something is
// never free for so long. So after archiveShort tries it waits for archiveOutlast: the other one has waited longer then, is the one that Postgres
// ends, and begins anew. Where several wait for it at different tables it may be ended itself nevertheless: on a busy machine that is one try of two. It
// tries archiveTries times in all, archiveRest apart. archiveLong is for each later statement.
const (
	archiveLock    = "500ms"
	archiveShort   = 10
	archiveOutlast = "5s"
	archiveTries   = 30
	archiveRest    = 200 * time.Millisecond
	archiveLong    = "60s"
)

const (
	ownTimeout = `SELECT set_config('statement_timeout', $1, true)`
	ownPath    = `SELECT set_config('search_path', $1, true)`
	lockTables = `DO $$
		DECLARE name text;
		BEGIN
			FOR name IN SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY relname LOOP
				EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', name);
			END LOOP;
		END $$`
)

// Archive does a in one transaction, while nobody else uses any table of the tenant's schema. Others wait meanwhile, and then see
// what Change has left. It returns false if Needed did.
func (s *Schemas) Archive(ctx context.Context, home Placement, a Archiving) (done bool, err error) {
	pool := s.nodes[home.Node]
	switch {
	case pool == nil:
		return false, fmt.Errorf("db: node %s has no owner's address", home.Node)
	case !identifier.MatchString(home.Schema) || !identifier.MatchString(a.Into):
		return false, fmt.Errorf("db: %q or %q is not a schema's name", home.Schema, a.Into)
	}
	for try := 1; ; try++ {
		within := archiveLock
		if try > archiveShort {
			within = archiveOutlast
		}
		err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			done, err = archive(ctx, tx, home, a, within)
			return err
		})
		if !errors.Is(err, errInUse) || try == archiveTries {
			break
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(archiveRest):
		}
	}
	if err != nil {
		return false, fmt.Errorf("archive of %s on %s: %w", home.Schema, home.Node, err)
	}
	return done, nil
}

// archive returns errInUse if it has not locked every table within a time.
func archive(ctx context.Context, tx pgx.Tx, home Placement, a Archiving, within string) (bool, error) {
	set := func(sql, value string) error {
		_, err := tx.Exec(ctx, sql, value)
		return err
	}
	if err := errors.Join(set(ownPath, home.Schema), set(ownTimeout, within)); err != nil {
		return false, err
	}
	if _, err := tx.Exec(ctx, lockTables); err != nil {
		if state := SQLState(err); state == cancelled || state == deadlock {
			return false, errors.Join(errInUse, err)
		}
		return false, err
	}
	if err := set(ownTimeout, archiveLong); err != nil {
		return false, err
	}
	if needed, err := a.Needed(ctx, tx); err != nil || !needed {
		return false, err
	}
	// DDL takes no parameters; the name was checked. A new table goes into the first schema of the path. A table that is read is found
	// in the second one, as long as the first has none of that name.
	if _, err := tx.Exec(ctx, "CREATE SCHEMA "+pgx.Identifier{a.Into}.Sanitize()); err != nil {
		return false, err
	}
	if err := set(ownPath, a.Into+", "+home.Schema); err != nil {
		return false, err
	}
	if _, err := tx.Exec(ctx, a.Copy); err != nil {
		return false, fmt.Errorf("copy: %w", err)
	}
	if err := set(ownPath, home.Schema); err != nil {
		return false, err
	}
	return true, a.Change(ctx, tx)
}
