package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Archiving moves rows of a tenant's schema out of it, for ever.
type Archiving struct {
	// Into names the schema that is made for them. Only the owner has a right on it.
	Into string
	// Needed is asked first, when nobody else uses the tables any more.
	Needed func(ctx context.Context, tx pgx.Tx) (bool, error)
	// Copy is statements that make tables of Into from those of the tenant, each by the same name: CREATE TABLE x AS TABLE x.
	Copy string
	// Change is what happens to the tenant's tables then.
	Change func(ctx context.Context, tx pgx.Tx) error
}

// errInUse says that somebody worked in the schema and did not get out of the way.
var errInUse = errors.New("db: the schema is in use")

// For how long Archive stands in the way of others before it lets them by, less than Postgres waits until it looks for deadlocks; how
// often it tries; and how long one statement of it may take.
const (
	archiveLock  = "500ms"
	archiveTries = 20
	archiveRest  = 200 * time.Millisecond
	archiveLong  = "60s"
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

// Archive does a, all of it or nothing, while nobody else uses any table of the tenant's schema: whoever comes meanwhile waits and
// then sees what Change has left. It returns false when Needed said no.
func (s *Schemas) Archive(ctx context.Context, home Placement, a Archiving) (done bool, err error) {
	pool := s.nodes[home.Node]
	switch {
	case pool == nil:
		return false, fmt.Errorf("db: node %s has no owner's address", home.Node)
	case !identifier.MatchString(home.Schema) || !identifier.MatchString(a.Into):
		return false, fmt.Errorf("db: %q or %q is not a schema's name", home.Schema, a.Into)
	}
	for try := 1; ; try++ {
		err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			done, err = archive(ctx, tx, home, a)
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

func archive(ctx context.Context, tx pgx.Tx, home Placement, a Archiving) (bool, error) {
	set := func(sql, value string) error {
		_, err := tx.Exec(ctx, sql, value)
		return err
	}
	if err := errors.Join(set(ownPath, home.Schema), set(ownTimeout, archiveLock)); err != nil {
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
	// DDL takes no parameters; the name was checked. What is made goes into the first schema of the path, and what is read is found in
	// the second as long as the first has nothing of that name.
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
