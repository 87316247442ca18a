package db

// Forms returns the statement for many rows, the one for a single row, and which arguments are columns.
func (s BulkSQL) Forms() (many, single string, columns []int) { return s.many, s.single, s.columns }
