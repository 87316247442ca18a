// Package bank keeps the bank accounts that customers name for money that goes back to them. A number and a name are encrypted; lists show the last four digits.
package bank

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/secret"
)

// ErrNumber is returned for a number that no account of the bank can have.
var ErrNumber = fault.New(fault.Invalid, "bank.number", "This is no account number of that bank")

// Account is a bank account as its owner names it.
type Account struct {
	Bank   string `json:"bank" enum:"002,004,006,011,014,020,022,024,025,030,033,034,066,067,069,070,071,073" doc:"The bank's code at the Bank of Thailand"`
	Number string `json:"number" minLength:"1" maxLength:"30" doc:"Digits; dashes and spaces are left out"`
	Name   string `json:"name" minLength:"1" maxLength:"100" doc:"Of the account, as the bank has it"`
}

// Named is an account that a customer has named.
type Named struct {
	Account
	At time.Time `json:"at" doc:"UTC"`

	id uuid.UUID
}

const (
	insertAccount = `INSERT INTO bank_account (id, customer_id, bank, digits, name, number, account_index, named_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
	accountByID   = `SELECT id, bank, name, number, named_at FROM bank_account WHERE id = ANY ($1)`
	accountsOf    = `SELECT id, bank, name, number, named_at FROM bank_account WHERE customer_id = $1 AND number IS NOT NULL ORDER BY id`
	// What somebody was to be paid who is erased is still transferred to where he said.
	forget = `UPDATE bank_account a SET name = NULL, number = NULL, account_index = NULL, digits = '' WHERE a.customer_id = $1 AND a.number IS NOT NULL
		AND EXISTS (SELECT FROM customer c WHERE c.id = a.customer_id AND c.status = 9)
		AND NOT EXISTS (SELECT FROM remittance m WHERE m.account_id = a.id AND m.state IN ('approved', 'sent'))`
)

// apart is what people write between the digits of a number.
var apart = strings.NewReplacer(" ", "", "-", "")

// lengths are how many digits the numbers of a bank have, where it is not ten.
var lengths = map[string]*regexp.Regexp{
	"030": regexp.MustCompile(`^([0-9]{12}|[0-9]{15})$`),
	"033": regexp.MustCompile(`^([0-9]{10}|[0-9]{12})$`),
	"034": regexp.MustCompile(`^([0-9]{10}|[0-9]{12})$`),
	"066": regexp.MustCompile(`^([0-9]{10}|[0-9]{12})$`),
}

var tenDigits = regexp.MustCompile(`^[0-9]{10}$`)

// Checked returns the account without what stands between its digits. It returns ErrNumber or fault.Required at the field that is wrong.
func (a Account) Checked() (Account, error) {
	a.Number, a.Name = apart.Replace(a.Number), strings.Join(strings.Fields(a.Name), " ")
	digits, special := lengths[a.Bank]
	if !special {
		digits = tenDigits
	}
	if !digits.MatchString(a.Number) {
		return a, fault.At("account.number", ErrNumber)
	}
	if a.Name == "" {
		return a, fault.At("account.name", fault.Required)
	}
	return a, nil
}

// Index returns by what the same account is found: of a customer, and of a payee. key is the organisation's; the account is checked.
func (a Account) Index(box *secret.Box, key uuid.UUID) ([]byte, error) {
	index, err := box.Index(key, "payee.account", a.Bank+" "+a.Number)
	if err != nil {
		return nil, fmt.Errorf("index of a bank account: %w", err)
	}
	return index, nil
}

// Name inserts the account that a customer names, and returns its id. It returns fault.Required at the account if there is none, and the faults of Checked.
func Name(ctx context.Context, tx db.Tx, box *secret.Box, customer uuid.UUID, named *Account) (uuid.UUID, error) {
	id := db.NewID()
	if named == nil {
		return id, fault.At("account", fault.Required)
	}
	a, err := named.Checked()
	if err != nil {
		return id, err
	}
	name, err := box.Seal(at(tx.Key, "name", id), []byte(a.Name))
	if err != nil {
		return id, fmt.Errorf("seal the name of a bank account: %w", err)
	}
	number, err := box.Seal(at(tx.Key, "number", id), []byte(a.Number))
	if err != nil {
		return id, fmt.Errorf("seal the number of a bank account: %w", err)
	}
	index, err := a.Index(box, tx.Key)
	if err != nil {
		return id, err
	}
	if _, err := tx.Exec(ctx, insertAccount, id, customer, a.Bank, a.Number[len(a.Number)-4:], name, number, index, tx.Now); err != nil {
		return id, fmt.Errorf("name a bank account of %s: %w", customer, err)
	}
	return id, nil
}

// Read returns an account; of who was erased only its bank.
func Read(ctx context.Context, tx db.Tx, box *secret.Box, id uuid.UUID) (Named, error) {
	all, err := ReadAll(ctx, tx, box, []uuid.UUID{id})
	if err != nil {
		return Named{}, err
	}
	a, ok := all[id]
	if !ok {
		return Named{}, fault.Missing
	}
	return a, nil
}

// ReadAll is Read of several, by their ids.
func ReadAll(ctx context.Context, tx db.Tx, box *secret.Box, ids []uuid.UUID) (map[uuid.UUID]Named, error) {
	list, err := read(ctx, tx, box, accountByID, ids)
	if err != nil {
		return nil, err
	}
	all := map[uuid.UUID]Named{}
	for _, a := range list {
		all[a.id] = a
	}
	return all, nil
}

// Of returns the accounts that a customer has named, the oldest first.
func Of(ctx context.Context, tx db.Tx, box *secret.Box, customer uuid.UUID) ([]Named, error) {
	return read(ctx, tx, box, accountsOf, customer)
}

func read(ctx context.Context, tx db.Tx, box *secret.Box, sql string, arg any) ([]Named, error) {
	rows, err := tx.Query(ctx, sql, arg)
	if err != nil {
		return nil, fmt.Errorf("bank accounts of %v: %w", arg, err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (n Named, err error) {
		var name, number []byte
		if err := row.Scan(&n.id, &n.Bank, &name, &number, &n.At); err != nil || number == nil {
			return n, err
		}
		plainName, errName := box.Open(at(tx.Key, "name", n.id), name)
		plainNumber, errNumber := box.Open(at(tx.Key, "number", n.id), number)
		n.Name, n.Number = string(plainName), string(plainNumber)
		return n, errors.Join(errName, errNumber)
	})
	if err != nil {
		return nil, fmt.Errorf("bank accounts of %v: %w", arg, err)
	}
	return list, nil
}

// Forget queues that the accounts of a customer are emptied who is erased and to which nothing is on its way. Of anybody else it changes nothing.
func Forget(tx db.Tx, customer uuid.UUID) { tx.Queue(forget, customer) }

func at(org uuid.UUID, column string, id uuid.UUID) secret.AAD {
	return secret.AAD{Org: org, Column: "bank_account." + column, Row: id}
}
