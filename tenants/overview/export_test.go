package overview

import "github.com/google/uuid"

// CustomerStatement returns the statement of a page of customers.
func CustomerStatement(f CustomerFilter, next string, limit int) (sql string, args []any, err error) {
	return statement(f.order(), f.Org, next, limit)
}

// StaffStatement returns the statement of a page of staff.
func StaffStatement(f StaffFilter, next string, limit int) (sql string, args []any, err error) {
	return statement(f.order(), f.Org, next, limit)
}

// DepositStatement returns the statement of a page of payments.
func DepositStatement(f DepositFilter, next string, limit int) (sql string, args []any, err error) {
	return statement(f.order(), f.Org, next, limit)
}

// VoucherStatement returns the statement of a page of vouchers.
func VoucherStatement(f VoucherFilter, next string, limit int) (sql string, args []any, err error) {
	return statement(f.order(), f.Org, next, limit)
}

// WalletStatement returns the statement of a page of wallets.
func WalletStatement(f WalletFilter, next string, limit int) (sql string, args []any, err error) {
	return statement(f.order(), f.Org, next, limit)
}

func statement[R row](o order[R], of *uuid.UUID, next string, limit int) (sql string, args []any, err error) {
	after, err := o.read(next)
	if err != nil {
		return "", nil, err
	}
	sql, args = o.statement(of, after, limit)
	return sql, args, nil
}
