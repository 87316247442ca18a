package db

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"

	"welovevoucher/platform/fault"
)

// SQLSTATE codes that this package handles.
const (
	serializationFailure = "40001"
	deadlock             = "40P01"
	uniqueViolation      = "23505"
	foreignKeyViolation  = "23503"
	connectionFailure    = "08006"
	notAuthorized        = "28000"
	noPrivilege          = "42501"
	noSchema             = "3F000"
	noTable              = "42P01" // also for a name without a schema, if the role has no right on its schema
	duplicateObject      = "42710"
	duplicateSchema      = "42P06"
	cancelled            = "57014" // by statement_timeout
	notInRepertoire      = "22021" // a zero byte in a text
	untranslatable       = "22P05" // the same, escaped in JSON
)

// SQLState returns the SQLSTATE of an error from Postgres, or "".
func SQLState(err error) string {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code
	}
	return ""
}

// IsUnknownOutcome reports whether err is ErrUnknownOutcome.
func IsUnknownOutcome(err error) bool { return errors.Is(err, ErrUnknownOutcome) }

// IsUnique reports whether err is a violation of the unique constraint of that name.
func IsUnique(err error, constraint string) bool {
	return isConstraint(err, uniqueViolation, constraint)
}

// IsForeignKey reports whether err is a violation of the foreign key of that name.
func IsForeignKey(err error, constraint string) bool {
	return isConstraint(err, foreignKeyViolation, constraint)
}

// shardSuffix is the number of a shard, which some Postgres-compatible databases append to the name of a constraint.
var shardSuffix = regexp.MustCompile(`_\d+$`)

// Constraint returns the name of the violated constraint, or "".
func Constraint(err error) string {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return shardSuffix.ReplaceAllString(pg.ConstraintName, "")
	}
	return ""
}

func isConstraint(err error, state, name string) bool {
	return SQLState(err) == state && Constraint(err) == name
}

func isState(err error, state string) bool { return err != nil && SQLState(err) == state }

// IsText reports whether Postgres can store s: UTF-8 without a zero byte.
func IsText(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// unfit turns the error of a text that Postgres cannot store into fault.BadInput: JSON may carry \u0000 in any text.
func unfit(err error) error {
	if isState(err, notInRepertoire) || isState(err, untranslatable) {
		return fmt.Errorf("%w: %w", fault.BadInput, err)
	}
	return err
}

// moved reports whether err may mean that the organisation has moved to another node.
func moved(err error) bool {
	switch SQLState(err) {
	case connectionFailure, notAuthorized, noPrivilege, noSchema, noTable:
		return true
	}
	return false
}
