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

// SQLSTATE codes that mean something to us.
const (
	serializationFailure = "40001"
	deadlock             = "40P01"
	uniqueViolation      = "23505"
	foreignKeyViolation  = "23503"
	checkViolation       = "23514"
	connectionFailure    = "08006"
	notAuthorized        = "28000"
	noPrivilege          = "42501"
	noSchema             = "3F000"
	noTable              = "42P01" // what a name without a schema gets when its schema may not be entered
	duplicateObject      = "42710"
	duplicateSchema      = "42P06"
	cancelled            = "57014" // by its timeout
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

// IsUnknownOutcome tells whether err leaves it open what became of a transaction.
func IsUnknownOutcome(err error) bool { return errors.Is(err, ErrUnknownOutcome) }

// IsUnique tells whether err is the violation of the unique constraint of that name.
func IsUnique(err error, constraint string) bool {
	return isConstraint(err, uniqueViolation, constraint)
}

// IsCheck tells whether err is the violation of the check constraint of that name.
func IsCheck(err error, constraint string) bool { return isConstraint(err, checkViolation, constraint) }

// IsForeignKey tells whether err is the violation of the foreign key of that name.
func IsForeignKey(err error, constraint string) bool {
	return isConstraint(err, foreignKeyViolation, constraint)
}

// Some backends append a shard's number to a constraint's name (scale-out.md).
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

// IsText tells whether Postgres can hold the text: all of UTF-8 but the zero byte.
func IsText(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// unfit turns the refusal of a text into a fault: JSON may carry \u0000 into any, and Postgres takes none.
func unfit(err error) error {
	if isState(err, notInRepertoire) || isState(err, untranslatable) {
		return fmt.Errorf("%w: %w", fault.BadInput, err)
	}
	return err
}

// moved tells whether err looks like an organisation that no longer lives here.
func moved(err error) bool {
	switch SQLState(err) {
	case connectionFailure, notAuthorized, noPrivilege, noSchema, noTable:
		return true
	}
	return false
}
