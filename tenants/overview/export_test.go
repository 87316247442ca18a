package overview

// CustomerStatement returns the statement of a page of customers.
func CustomerStatement(f CustomerFilter, next string, limit int) (sql string, args []any, err error) {
	after, err := f.read(next)
	if err != nil {
		return "", nil, err
	}
	sql, args = f.statement(after, limit)
	return sql, args, nil
}
